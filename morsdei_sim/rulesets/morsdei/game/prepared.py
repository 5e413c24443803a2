"""A board made ready for play with bases of given sizes: built once, kept in the cache by content.

Everything that terrain decides is a table over pairs of places (`sight`, `contact`, `ways`); a game only looks up. The
key of the cache is a hash of the board, the base sizes, all parameters and the sources that fill the tables; names of
boards do not count. A damaged, foreign or unwritable file costs time, never an answer.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.paths import cache_dir
from morsdei_sim.rulesets.morsdei.game import contact, legs, paths, sight
from morsdei_sim.rulesets.morsdei.game.boards import Board
from morsdei_sim.rulesets.morsdei.game.legs import Moving
from morsdei_sim.rulesets.morsdei.game.places import Places, places, radius_of
from morsdei_sim.rulesets.morsdei.game.sight import Body, View
from morsdei_sim.rulesets.morsdei.game.terrain import Prisms, prisms

__all__ = ["Options", "Prepared", "prepare"]

SIZES = 4
"""Different base sizes on one board at most: contact has a bit for each two."""

BASES = (18.0, 100.0)
"""Millimetres. A smaller base would make the body slimmer, which one table of sight cannot tell."""

SOURCES = ("shapes", "terrain", "places", "sight", "contact", "legs", "paths", "prepared")
"""Modules whose text the cache depends on."""

MOST_BYTES = 1_500_000_000
MOST_FILES = 60
"""Of the cache: bytes of one file unpacked, and files in the folder (the oldest go)."""


BODY, MOVING = Body(), Moving()


@dataclass(frozen=True)
class Options:
    """What the tables are built with; lengths in inches."""

    step: float = 0.5  # of the lattice of places
    limit: float = 20.0  # longest path
    near: float = 8.0  # reach of the lists of near places
    contact: float = 1.0  # reach of contact, at most 2 (E6)
    body: Body = BODY
    moving: Moving = MOVING


@dataclass(frozen=True)
class Prepared:
    """Tables of one board; `where.stand[b]`, `ways[b]` and so on are of base size `bases[b]`."""

    board: Board
    bases: tuple[float, ...]
    options: Options
    terrain: Prisms
    where: Places
    view: View
    contact: NDArray[Any]  # [p, q], see contact.py
    ways: tuple[paths.Ways, ...]
    seconds: float  # that building or loading took
    cached: bool

    @property
    def nbytes(self) -> int:
        """Memory of all tables."""
        arrays = [*self.where, *self.view, self.contact, *(array for one in self.ways for array in one)]
        return sum(array.nbytes for array in arrays)

    def size_of(self, base: float) -> int:
        """The number of a base size in the tables."""
        return self.bases.index(base)


def prepare(
    board: Board,
    bases: tuple[float, ...] = (32.0,),
    options: Options | None = None,
    folder: Path | None = None,
    keep: bool = True,
) -> Prepared:
    """The tables of a board for fighters on bases of these sizes, from the cache when they are there.

    Parameters
    ----------
    board : the board.
    bases : base sizes in millimetres, at most 4 different ones.
    options : lattice, limits and bodies.
    folder : where tables are kept; else the folder `boards` of the cache.
    keep : whether the cache is used at all.
    """
    chosen, sizes = options or Options(), tuple(sorted({float(base) for base in bases}))
    if not 1 <= len(sizes) <= SIZES:
        raise UserError(
            _("{count} different base sizes; 1 to {most} are possible").format(count=len(sizes), most=SIZES)
        )
    for base in sizes:
        if not BASES[0] <= base <= BASES[1]:
            message = _("a base of {size:g} mm: boards take {low:g} to {high:g} mm")
            raise UserError(message.format(size=base, low=BASES[0], high=BASES[1]))
    start = time.perf_counter()
    file = (folder or cache_dir() / "boards") / f"{_key(board, sizes, chosen)}.npz"
    terrain = prisms(board)
    found = _read(file, len(sizes)) if keep else None
    cached = found is not None
    if found is None:
        found = _build(board, terrain, sizes, chosen)
        if keep:
            _write(file, found)
    return _ready(board, sizes, chosen, terrain, found, time.perf_counter() - start, cached)


def _key(board: Board, sizes: tuple[float, ...], options: Options) -> str:
    digest = hashlib.sha256(repr((board.digest, sizes, options)).encode())
    for name in SOURCES:
        digest.update(Path(__file__).with_name(f"{name}.py").read_bytes() + b"\0")
    return digest.hexdigest()[:24]


def _build(board: Board, terrain: Prisms, sizes: tuple[float, ...], options: Options) -> dict[str, NDArray[Any]]:
    """All tables by name."""
    where = places(board, terrain, sizes, options.step, options.moving.clearance)
    body = options.body.of_base(radius_of(min(sizes)))
    found = {f"where_{name}": array for name, array in where._asdict().items()}
    found["sight"] = _sight(terrain, body, where)
    found["marker"] = sight.marker_sight(terrain, body, where, board)
    found["contact"] = contact.contacts(terrain, where, options.contact)
    for size, radius in enumerate(where.radius):
        graph = legs.network(board, terrain, float(radius), options.moving)
        table = paths.ways(terrain, where, size, graph, options.moving, options.limit, options.near)
        found |= {f"ways{size}_{name}": array for name, array in table._asdict().items()}
    return found


def _sight(terrain: Prisms, body: Body, where: Places) -> NDArray[np.uint8]:
    count, shape = len(where.x), np.array(body)
    table = np.zeros((count, count), np.uint8)

    def look(rows: NDArray[np.int64]) -> None:
        sight.look(terrain, shape, where.x, where.y, where.z, rows, np.zeros(len(terrain.low) + 1, np.int64), table)

    with ThreadPoolExecutor(paths.threads()) as pool:
        list(pool.map(look, paths.blocks(count)))
    return table


def _ready(
    board: Board, sizes: tuple[float, ...], options: Options, terrain: Prisms, found: dict[str, NDArray[Any]],
    seconds: float, cached: bool,
) -> Prepared:  # fmt: skip
    where = Places(*(found[f"where_{name}"] for name in Places._fields))
    body = np.array(options.body.of_base(radius_of(min(sizes))))
    loot = np.array(board.loot, dtype=np.float64).reshape(-1, 2)
    view = View(found["sight"], found["marker"], where.x, where.y, where.z, where.radius, loot, body)
    ways = tuple(
        paths.Ways(*(found[f"ways{size}_{name}"] for name in paths.Ways._fields)) for size in range(len(sizes))
    )
    return Prepared(board, sizes, options, terrain, where, view, found["contact"], ways, seconds, cached)


# ── the cache ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _names(sizes: int) -> list[str]:
    return [
        *(f"where_{name}" for name in Places._fields),
        "sight",
        "marker",
        "contact",
        *(f"ways{size}_{name}" for size in range(sizes) for name in paths.Ways._fields),
    ]


def _read(file: Path, sizes: int) -> dict[str, NDArray[Any]] | None:
    """The tables of a file, or None when it is not there or not what it should be."""
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > MOST_BYTES or len(members) > 2 * len(_names(sizes)):
                return None
        with np.load(file, allow_pickle=False) as stored:
            found = {name: stored[name] for name in _names(sizes)}
        _check(found, sizes)
        os.utime(file)  # the most recently used stay
    except FileNotFoundError:
        return None
    except Exception:  # whatever a damaged archive makes of it: built anew
        return None
    return found


def _check(found: dict[str, NDArray[Any]], sizes: int) -> None:
    """Kernels do not check indices: every table must have its shape, and point at nothing outside."""
    count, levels = len(found["where_x"]), len(found["where_heights"])
    shapes = {"where_z": (count,), "where_level": (count,), "where_stand": (sizes, count), "sight": (count, count)}
    shapes |= {"where_zone": (sizes, count), "where_loot": (sizes, count), "contact": (count, count)}
    bounds = {"where_level": levels}
    strict = {"where_level"}
    for size in range(sizes):
        nodes, mine = len(found[f"ways{size}_node_x"]), f"ways{size}_"
        shapes |= {mine + "length": (count, count), mine + "via": (count, count), mine + "entry": (count, nodes)}
        shapes |= {mine + "next": (nodes, nodes), mine + "near_first": (count + 1,), mine + "node_z": (nodes,)}
        bounds |= {mine + "via": nodes, mine + "entry": nodes, mine + "next": nodes, mine + "near": count}
        bounds[mine + "near_first"] = len(found[mine + "near"]) + 1
        strict |= {mine + "near", mine + "near_first"}
    for name, shape in shapes.items():
        if found[name].shape != shape:
            raise ValueError(name)
    for name, most in bounds.items():
        table = found[name]
        outside = (table < 0) | (table >= most)
        if bool((outside if name in strict else outside & (table != paths.NOWHERE)).any()):
            raise ValueError(name)


def _write(file: Path, found: dict[str, NDArray[Any]]) -> None:
    """Keep the tables: as a whole or not at all, packed lightly (reading takes longer than unpacking)."""
    temporary = ""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        with (
            os.fdopen(handle, "wb") as stream,
            zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            for name, array in found.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, array, allow_pickle=False)
        Path(temporary).replace(file)
        kept = sorted(file.parent.glob("*.npz"), key=lambda one: one.stat().st_mtime)
        for old in kept[:-MOST_FILES]:
            old.unlink()
    except OSError:
        with suppress(OSError):
            Path(temporary or file.with_suffix(".none")).unlink(missing_ok=True)
