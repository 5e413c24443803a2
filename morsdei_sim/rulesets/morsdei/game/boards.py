"""A board: pieces of terrain, loot points and deployment zones, in inches (Q1); x along the long edge, y across.

It is agreed on before the game (J15), whose only scenario is the three loot points (G1).

A piece is a right prism over an outline, from `base` to `base + height`. What its kind means (T1-T5):

    impassable    a wall: nobody stands on it or passes; hides and separates
    climbable     as a wall, but its sides can be climbed and its top is a stable surface
    platform      a floor whose top is a stable surface; `base` above the ground leaves room below; `climb` says that
                  its sides can be climbed
    low           up to 1 inch high: walked over at no cost, hides what is low; `stand` says that one may end on it
    door-open     an opening: any base passes, nobody ends in it, hides nothing
    door-closed   as a wall
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from morsdei_sim.cards.safe import read_text
from morsdei_sim.cards.text import norm
from morsdei_sim.cards.values import meant
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, named
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.morsdei.game.shapes import Point, turned

__all__ = ["DEPTH", "KINDS", "WIDTH", "Board", "Piece", "board", "boards"]

WIDTH, DEPTH = 30.0, 22.0
"""The play area (N1)."""

ZONE = 3.0
"""Depth of a deployment zone, along each long edge (G3)."""

LOOT_APART = 8.0
"""Inches from the middle loot point to the two others (G4)."""

KINDS = ("impassable", "climbable", "platform", "low", "door-open", "door-closed")

Zone = tuple[float, float, float, float]
"""x from, y from, x to, y to."""


@dataclass(frozen=True)
class Piece:
    """One piece of terrain; `outline` runs counter-clockwise."""

    kind: str
    outline: tuple[Point, ...]
    height: float
    base: float = 0.0
    climb: bool = False
    stand: bool = False
    name: str = ""

    @property
    def top(self) -> float:
        """Height of its upper side over the ground."""
        return self.base + self.height

    @property
    def is_surface(self) -> bool:
        """Whether a model can stand on its top, a level of its own (T3, Q11)."""
        return self.kind in ("climbable", "platform")

    @property
    def can_be_climbed(self) -> bool:
        """Whether its sides may be climbed (M16)."""
        return self.kind == "climbable" or self.climb

    @property
    def blocks(self) -> bool:
        """Whether no base passes and fighters on two sides of it are apart (M5, RULING 11)."""
        return self.kind not in ("low", "door-open")

    @property
    def hides(self) -> bool:
        """Whether it stops a line of sight (V7)."""
        return self.kind != "door-open"

    def half_turn(self, width: float, depth: float) -> Piece:
        """The same piece on the other side of the board's middle."""
        return replace(self, outline=turned(self.outline, width, depth))

    def shape(self) -> tuple[object, ...]:
        """What makes two pieces the same to the rules, whatever corner their outline starts at."""
        points = [(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in self.outline]
        start = points.index(min(points))
        form = (self.kind, round(self.base, 6), round(self.height, 6), self.can_be_climbed, self.stand)
        return (*form, (*points[start:], *points[:start]))


@dataclass(frozen=True)
class Board:
    """A board ready for play."""

    name: str
    name_ru: str
    width: float
    depth: float
    pieces: tuple[Piece, ...]
    loot: tuple[Point, ...]
    zones: tuple[Zone, Zone]
    file: str = ""

    @property
    def key(self) -> str:
        """What it is called in results: the name of its file."""
        return Path(self.file).stem

    def label(self) -> str:
        """The name in the language of the messages."""
        return named(self.name, self.name_ru)

    @property
    def symmetric(self) -> bool:
        """Whether a half turn gives the same board with the zones swapped."""
        mine = sorted(map(repr, (piece.shape() for piece in self.pieces)))
        other = sorted(map(repr, (piece.half_turn(self.width, self.depth).shape() for piece in self.pieces)))
        x0, y0, x1, y1 = self.zones[0]
        swapped = (self.width - x1, self.depth - y1, self.width - x0, self.depth - y0)
        points = {(round(x, 6), round(y, 6)) for x, y in self.loot}
        back = {(round(x, 6), round(y, 6)) for x, y in turned(self.loot, self.width, self.depth)}
        alike = all(abs(a - b) < 1e-6 for a, b in zip(swapped, self.zones[1], strict=True))
        return mine == other and points == back and alike

    @cached_property
    def digest(self) -> str:
        """Hash of everything the rules see (16 hex digits); names do not count, nor the order of the pieces."""
        content = {
            "size": (self.width, self.depth),
            "pieces": sorted(map(repr, (piece.shape() for piece in self.pieces))),
            "loot": self.loot,
            "zones": self.zones,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def default_loot(width: float, depth: float) -> tuple[Point, ...]:
    """Three points on the line midway between the zones (G4, RULING 54)."""
    return tuple((width / 2 + side * LOOT_APART, depth / 2) for side in (-1, 0, 1))


def default_zones(width: float, depth: float) -> tuple[Zone, Zone]:
    """Within 3 inches of the opposite long edges (G3)."""
    return (0.0, 0.0, width, ZONE), (0.0, depth - ZONE, width, depth)


def boards(folder: Path | None = None) -> list[str]:
    """Names of the boards that come along, sorted."""
    return sorted(path.stem for path in (folder or profiles_dir() / "morsdei" / "boards").glob("*.toml"))


def board(text: str, folder: Path | None = None) -> Board:
    """A board by its name in ``profiles/morsdei/boards``, or by the path of its file.

    Raises
    ------
    UserError
        When there is no board of this name.
    CardFaults
        With every fault of the file, each with its line.
    """
    from morsdei_sim.rulesets.morsdei.game.board_file import parse

    place = folder or profiles_dir() / "morsdei" / "boards"
    path = Path(text)
    if path.suffix.lower() != ".toml":
        names = boards(place)
        found = [name for name in names if norm(name) == norm(text)]
        if not found:
            hint = meant(text, names) or _("there are: {names}").format(names=", ".join(names))
            message = _('no board "{name}" in {folder}').format(name=text, folder=place)
            raise UserError(f"{message} ({hint})")
        path = place / f"{found[0]}.toml"
    return parse(read_text(path, legacy=False), str(path), path.stem)
