"""Tables of a board: built once, kept by content, mended when damaged; the compiled rules agree with the plain ones."""

from __future__ import annotations

import os
import random
import zipfile
from pathlib import Path

import numpy as np
import pytest
from small_board import block, open_board

from morsdei_sim.errors import UserError
from morsdei_sim.rulesets.morsdei.game import moves, sight
from morsdei_sim.rulesets.morsdei.game.boards import Board, board, boards
from morsdei_sim.rulesets.morsdei.game.prepared import Options, Prepared, prepare

PIECES = (
    block("impassable", 3, 2, 0.5, 3), block("climbable", 6, 1, 3, 3, 2.0), block("low", 10, 3, 2, 0.5, 0.7),
    block("impassable", 10, 6, 3, 0.5), block("climbable", 9.5, 1, 2, 2, 2.0),
)  # fmt: skip
YARD = open_board(15, 9, PIECES, loot=((7.5, 4.5), (12.0, 2.0)))


def arrays(ready: Prepared) -> list[np.ndarray]:
    return [*ready.where, *ready.view, ready.contact, *(array for way in ready.ways for array in way)]


def same(one: Prepared, other: Prepared) -> bool:
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in zip(arrays(one), arrays(other), strict=True))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("boards")
    prepare(YARD, (32.0,), folder=folder)
    return folder


def test_the_cache_gives_the_same_tables(kept: Path) -> None:
    fresh, stored = prepare(YARD, (32.0,), keep=False), prepare(YARD, (32.0,), folder=kept)
    assert (fresh.cached, stored.cached) == (False, True)
    assert same(fresh, stored)
    assert stored.nbytes == fresh.nbytes


def test_another_name_is_the_same_board(kept: Path) -> None:
    """Content is what counts; a moved piece, another base or option is another content."""
    named = Board("Yard", "Двор", YARD.width, YARD.depth, YARD.pieces[::-1], YARD.loot, YARD.zones)
    assert prepare(named, (32,), folder=kept).cached
    files = set(kept.glob("*.npz"))
    for change in [
        (open_board(15, 9, PIECES[:-1], loot=YARD.loot), (32.0,), Options()),
        (YARD, (28.0,), Options()),
        (YARD, (32.0,), Options(body=sight.Body(eye=1.25))),
        (YARD, (32.0,), Options(limit=12.0)),
    ]:
        assert not prepare(*change, folder=kept).cached
        assert len(files) < len(files := set(kept.glob("*.npz")))


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for place in range(len(data) // 3, len(data) // 3 + 200):
        data[place] ^= 0x55
    path.write_bytes(data)


def _foreign(path: Path) -> None:
    np.savez(path, where_x=np.zeros(3))


def _pickled(path: Path) -> None:
    np.savez(path, where_x=np.array([{}], dtype=object))


def _shrunk(path: Path) -> None:
    """A well-formed file of which one table is too small."""
    with np.load(path) as stored:
        tables = dict(stored)
    tables["sight"] = tables["sight"][:-1]
    np.savez(path, **tables)


def _pointing_outside(path: Path) -> None:
    """A well-formed file with an index that a kernel would follow out of its array."""
    with np.load(path) as stored:
        tables = dict(stored)
    tables["ways0_entry"][3, 0] = 60000
    np.savez(path, **tables)


@pytest.mark.parametrize(
    "spoil", [_cut, _flip, _foreign, _pickled, _shrunk, _pointing_outside, lambda path: path.write_bytes(b"")]
)
def test_a_damaged_file_is_built_anew(spoil, tmp_path: Path) -> None:
    fresh = prepare(YARD, (32.0,), folder=tmp_path)
    (file,) = tmp_path.glob("*.npz")
    spoil(file)
    again = prepare(YARD, (32.0,), folder=tmp_path)
    assert not again.cached
    assert same(fresh, again)
    assert prepare(YARD, (32.0,), folder=tmp_path).cached  # and mended
    assert [path.suffix for path in tmp_path.iterdir()] == [".npz"]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert not prepare(YARD, (32.0,), folder=tmp_path / "file").cached
    assert not prepare(YARD, (32.0,), folder=tmp_path / "file" / "deeper").cached


def test_no_file_holds_code(kept: Path) -> None:
    for path in kept.glob("*.npz"):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                with archive.open(name) as member:
                    assert b"'descr': '|O'" not in member.read(200)


@pytest.mark.parametrize("bases", [(), (10.0,), (500.0,), (20.0, 25.0, 28.0, 32.0, 40.0)])
def test_bases_that_cannot_be(bases: tuple[float, ...]) -> None:
    with pytest.raises(UserError):
        prepare(YARD, bases, keep=False)


def test_too_fine_a_lattice_is_refused() -> None:
    with pytest.raises(UserError, match="at most 8000"):
        prepare(YARD, (32.0,), Options(step=0.05), keep=False)


def test_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """However the rows are cut, the same bytes."""
    one = prepare(YARD, (28.0, 40.0), keep=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert same(one, prepare(YARD, (28.0, 40.0), keep=False))


def crowd(ready: Prepared, rng: random.Random, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fighters on places where they can stand, not on each other."""
    where = ready.where
    at: list[int] = []
    base: list[int] = []
    while len(at) < count:
        size = rng.randrange(len(ready.bases))
        p = rng.choice(np.nonzero(where.stand[size])[0].tolist())
        radii = [where.radius[size] + where.radius[b] for b in base]
        if all(np.hypot(where.x[p] - where.x[c], where.y[p] - where.y[c]) >= r for c, r in zip(at, radii, strict=True)):
            at.append(p)
            base.append(size)
    return np.array(at), np.array(base), np.array([i % 2 for i in range(count)])


@pytest.mark.parametrize("kind", [moves.MOVE, moves.FALL_BACK, moves.CONTRACT])
def test_compiled_moves_are_the_plain_ones(kind: int) -> None:
    """`destinations` (compiled) against `legal_path` run as plain Python, for crowded boards of two base sizes; both
    answers must occur, and ways round other models too."""
    ready = prepare(YARD, (28.0, 40.0), keep=False)
    rng = random.Random(kind)
    room, found = moves.scratch(), np.zeros(len(ready.where.x), np.int64)
    counted = {"yes": 0, "no": 0, "bent": 0}
    for _ in range(4):
        at, base, side = crowd(ready, rng, 6)
        ways = ready.ways[base[0]]
        inches = 3.0 if kind == moves.CONTRACT else 5.0
        head = (ready.terrain, ready.where, ways, at, base, side, 1.0, 0)
        count = moves.destinations(*head, inches, kind, room, found)
        compiled = set(found[:count].tolist())
        near = ways.near[ways.near_first[at[0]] : ways.near_first[at[0] + 1]]
        within = [int(q) for q in near if q != at[0] and ways.length[at[0], q] <= inches * 1000]
        assert compiled <= set(within)
        for q in rng.sample(within, min(25, len(within))):
            points = moves.legal_path(*head, q, inches, kind, room)
            assert (points > 0) == (q in compiled)
            counted["yes" if points else "no"] += 1
            straight = ways.via[at[0], q] == 65535
            counted["bent"] += points > 2 and straight
    assert min(counted["yes"], counted["no"]) > 10
    assert kind != moves.MOVE or counted["bent"] > 0


def test_compiled_views_are_the_plain_ones() -> None:
    """`views` against `sees`, `in_cover` and `sees_marker` run as plain Python; a removed fighter sees and hides
    nothing (H6)."""
    ready = prepare(YARD, (28.0, 40.0), keep=False)
    rng = random.Random(5)
    values: set[int] = set()
    for _ in range(12):
        at, base, _side = crowd(ready, rng, 8)
        at[7] = -1
        seen, markers = np.zeros((8, 8), np.uint8), np.zeros((2, 8), np.uint8)
        sight.views(ready.view, at, base, seen, markers)
        assert not seen[7].any()
        assert not seen[:, 7].any()
        for i in range(7):
            for j in range(7):
                plain = i != j and sight.sees(ready.view, at, i, j)
                assert seen[i, j] == (plain and 1 + sight.in_cover(ready.view, at, i, j))
            for number in range(2):
                assert markers[number, i] == sight.sees_marker(ready.view, at, base, i, number)
        values |= set(seen.ravel().tolist())
    assert values == {0, 1, 2}


@pytest.mark.slow
@pytest.mark.parametrize("name", boards())
def test_size_and_time(name: str) -> None:
    """The aim: under 60 MB and, kernels warm, under 20 s for a board and base size."""
    prepare(YARD, (32.0,), keep=False)
    ready = prepare(board(name), (32.0,), keep=False)
    assert ready.nbytes < 60e6
    assert ready.seconds < 20
