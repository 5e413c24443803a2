"""A board file (TOML) into a board, or every fault of the file at once.

name = "Settling tanks"
name_ru = "Отстойники"
size = [30, 22]                     # may be left out, like everything below but the pieces

[[piece]]
kind = "climbable"                  # see boards.py
box = [4, 8, 6, 2.5]                # x and y of a corner, width, depth; or polygon = [[x, y], [x, y], …]
turn = 15                           # degrees, about the middle of the box
height = 3
base = 0                            # its lower side over the ground
twin = true                         # a second piece, the half turn of this one about the middle of the board

loot = [[7, 11], [15, 11], [23, 11]]
zones = [[0, 0, 30, 3], [0, 19, 30, 22]]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from morsdei_sim.cards.entries import Entries, parsed
from morsdei_sim.cards.lines import Path
from morsdei_sim.cards.values import meant, show
from morsdei_sim.errors import CardFaults
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.game import shapes
from morsdei_sim.rulesets.morsdei.game.boards import (
    DEPTH,
    KINDS,
    WIDTH,
    Board,
    Piece,
    default_loot,
    default_zones,
)

__all__ = ["parse"]

MOST_PIECES = 80
MOST_CORNERS = 16
MOST_LOOT = 6
SIZES = (6.0, 48.0)
HEIGHTS = (0.05, 20.0)
LOW = 1.0
"""Height of a low obstacle at most (T4)."""
THIN = 1e-3
"""Area below which a piece is no piece."""

HEAD = ("name", "name_ru", "size", "piece", "loot", "zones")
PIECE = ("kind", "box", "polygon", "turn", "height", "base", "climb", "stand", "twin", "name")


def parse(text: str, file: str = "", name: str = "") -> Board:
    """The board that a TOML text describes; CardFaults with the line of every fault."""
    tree, where = parsed(text, file, _("is nested too deeply for a board file"))
    return Reader(file, where).board(tree, name)


class Reader(Entries):
    """The whole board."""

    def __init__(self, file: str, where: dict[Path, int]) -> None:
        super().__init__(file, where)
        self.names: dict[int, str] = {}

    def field(self, path: Sequence[str | int]) -> str:
        """'piece 3 "Tank", height'."""
        if len(path) > 1 and path[0] == "piece" and isinstance(path[1], int):
            title = f"piece {path[1] + 1}"
            name = self.names.get(path[1], "")
            rest = [str(part) for part in path[2:] if isinstance(part, str)]
            return ", ".join([f'{title} "{name}"' if name else title, *rest])
        return super().field(path)

    def board(self, tree: dict[str, Any], name: str) -> Board:
        """All of the file; raises when anything was wrong."""
        self.keys((), tree, HEAD)
        title, title_ru = self.text((), tree, "name", name), self.text((), tree, "name_ru")
        size = self.numbers(("size",), tree.get("size", [WIDTH, DEPTH]), 2, *SIZES)
        width, depth = size or (SIZES[1], SIZES[1])  # unknown: no second fault for each thing outside
        pieces = self.pieces(tree.get("piece", []), width, depth)
        loot = self.loot(tree["loot"], width, depth) if "loot" in tree else default_loot(width, depth)
        zones = self.zones(tree["zones"], width, depth) if "zones" in tree else default_zones(width, depth)
        if size and "loot" not in tree and not all(0 <= x <= width and 0 <= y <= depth for x, y in loot):
            self.fault(("size",), None, _("has no room for the usual loot points: give loot = [[x, y], …]"))
        if size and "zones" not in tree and depth < 2 * zones[0][3]:
            self.fault(("size",), None, _("has no room for the usual zones: give zones = [[x, y, x, y], [x, y, x, y]]"))
        if self.faults:
            raise CardFaults(self.faults)
        return Board(title, title_ru, width, depth, tuple(pieces), tuple(loot), (zones[0], zones[1]), self.file)

    def pieces(self, tables: Any, width: float, depth: float) -> list[Piece]:
        """All pieces, the twins among them."""
        if not isinstance(tables, list):
            self.fault(("piece",), tables, _("must be a table that begins with {name}").format(name="[[piece]]"))
            return []
        if len(tables) > MOST_PIECES:
            message = _("has {count}; at most {most} are allowed").format(count=len(tables), most=MOST_PIECES)
            self.fault(("piece", MOST_PIECES), None, message)
            return []
        found: list[Piece] = []
        for number, table in enumerate(tables):
            path: Path = ("piece", number)
            if not isinstance(table, dict):
                self.fault(path, table, _("must be a table that begins with {name}").format(name="[[piece]]"))
                continue
            piece = self.piece(path, table, width, depth)
            twin = self.switch(path, table, "twin")
            if piece is not None:
                found += [piece, piece.half_turn(width, depth)] if twin else [piece]
        return found

    def piece(self, path: Path, table: dict[str, Any], width: float, depth: float) -> Piece | None:
        """One piece."""
        before = len(self.faults)
        name = table.get("name", "")
        if isinstance(name, str) and isinstance(path[1], int):
            self.names[path[1]] = show(name)[1:-1]
        self.keys(path, table, PIECE)
        name, kind = self.text(path, table, "name"), self.kind(path, table)
        height, base = self.heights(path, table, kind)
        climb, stand = self.switch(path, table, "climb"), self.switch(path, table, "stand")
        if climb and kind not in ("platform", "climbable"):
            message = _("only a platform takes this; a wall that can be climbed is {kind}")
            self.fault((*path, "climb"), None, message.format(kind='"climbable"'))
        if stand and kind != "low":
            self.fault((*path, "stand"), None, _("only a low obstacle takes this"))
        outline = self.outline(path, table, width, depth)
        if len(self.faults) > before or outline is None:
            return None
        return Piece(kind, outline, height, base, climb, stand, name)

    def kind(self, path: Path, table: dict[str, Any]) -> str:
        """Its kind (T1)."""
        kind = table.get("kind")
        if kind is None:
            self.fault(path, None, _("has no {key}").format(key="kind"), ", ".join(KINDS))
        elif not isinstance(kind, str) or kind not in KINDS:
            hint = meant(kind, KINDS) if isinstance(kind, str) else ""
            self.fault((*path, "kind"), kind, _("must be one of: {names}").format(names=", ".join(KINDS)), hint)
        return kind if isinstance(kind, str) else ""

    def heights(self, path: Path, table: dict[str, Any], kind: str) -> tuple[float, float]:
        """Height and base; a low obstacle is low (T4)."""
        if "height" not in table:
            self.fault(path, None, _("has no {key}").format(key="height"))
        most = LOW if kind == "low" else HEIGHTS[1]
        height = self.number((*path, "height"), table.get("height", 1), HEIGHTS[0], most)
        base = self.number((*path, "base"), table.get("base", 0), 0.0, HEIGHTS[1])
        return height or 1.0, base or 0.0

    def outline(self, path: Path, table: dict[str, Any], width: float, depth: float) -> tuple[shapes.Point, ...] | None:
        """Its outline from a box or a polygon, wholly on the board."""
        if ("box" in table) == ("polygon" in table):
            forms = "box = [x, y, width, depth]", "polygon = [[x, y], …]"
            self.fault(path, None, _("needs either {one} or {other}").format(one=forms[0], other=forms[1]))
            return None
        key = "box" if "box" in table else "polygon"
        outline = self.box(path, table) if key == "box" else self.polygon(path, table["polygon"])
        if "turn" in table and key == "polygon":
            self.fault((*path, "turn"), None, _("only a box can be turned"))
        if outline is None:
            return None
        if not all(-1e-6 <= x <= width + 1e-6 and -1e-6 <= y <= depth + 1e-6 for x, y in outline):
            message = _("sticks out of the board, which is {width:g} x {depth:g}")
            self.fault((*path, key), None, message.format(width=width, depth=depth))
        return outline

    def box(self, path: Path, table: dict[str, Any]) -> tuple[shapes.Point, ...] | None:
        """A box, turned or not."""
        found = self.numbers((*path, "box"), table["box"], 4, -SIZES[1], SIZES[1])
        turn = self.number((*path, "turn"), table.get("turn", 0), -360, 360)
        if found is None or turn is None:
            return None
        if found[2] <= 0 or found[3] <= 0 or found[2] * found[3] < THIN:
            message = _("width and depth (the last two numbers) must be above 0, and their product at least {area:g}")
            self.fault((*path, "box"), table["box"], message.format(area=THIN))
            return None
        return shapes.box(found[0], found[1], found[2], found[3], turn)

    def polygon(self, path: Path, value: Any) -> tuple[shapes.Point, ...] | None:
        """A polygon whose sides do not cross."""
        path = (*path, "polygon")
        if not isinstance(value, list) or not 3 <= len(value) <= MOST_CORNERS:
            self.fault(path, value, _("must be a list of 3 to {most} corners [x, y]").format(most=MOST_CORNERS))
            return None
        found = [self.numbers((*path, index), one, 2, -SIZES[1], SIZES[1]) for index, one in enumerate(value)]
        points = [(one[0], one[1]) for one in found if one is not None]
        if len(points) < len(value):
            return None
        if not shapes.is_simple(points) or abs(shapes.area(points)) < THIN:
            self.fault(path, None, _("its sides cross or touch, or it has no area"))
            return None
        return shapes.counter_clockwise(points)

    def loot(self, value: Any, width: float, depth: float) -> tuple[shapes.Point, ...]:
        """Loot points on the board."""
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_LOOT:
            self.fault(("loot",), value, _("must be a list of 1 to {most} points [x, y]").format(most=MOST_LOOT))
            return ()
        found = [self.numbers(("loot", index), one, 2, 0, max(width, depth)) for index, one in enumerate(value)]
        for index, one in enumerate(found):
            if one is not None and (one[0] > width or one[1] > depth):
                message = _("lies outside the board, which is {width:g} x {depth:g}")
                self.fault(("loot", index), value[index], message.format(width=width, depth=depth))
        return tuple((one[0], one[1]) for one in found if one is not None)

    def zones(self, value: Any, width: float, depth: float) -> tuple[Any, Any]:
        """Two boxes [x from, y from, x to, y to] apart from each other."""
        nothing = default_zones(width, depth)
        if not isinstance(value, list) or len(value) != 2:
            self.fault(("zones",), value, _("must be two boxes [x from, y from, x to, y to]"))
            return nothing
        found = [self.numbers(("zones", index), one, 4, 0, max(width, depth)) for index, one in enumerate(value)]
        for index, one in enumerate(found):
            if one is not None and not (one[0] + 2 <= one[2] <= width and one[1] + 2 <= one[3] <= depth):
                message = _(
                    "must lie on the board, which is {width:g} x {depth:g}, and be at least 2 inches wide and deep"
                )
                self.fault(("zones", index), value[index], message.format(width=width, depth=depth))
        if None in found:
            return nothing
        a, b = (tuple(one) for one in found if one is not None)
        if max(a[0], b[0]) < min(a[2], b[2]) and max(a[1], b[1]) < min(a[3], b[3]):
            self.fault(("zones",), value, _("the two zones overlap"))
        return a, b
