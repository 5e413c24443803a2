"""The verb `boards`: what boards there are, and what one looks like."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.arguments import checked
from morsdei_sim.api.games import aligned, boards_named, document, grouped, html_table, loot_barred, words
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets import Room, room_with

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from morsdei_sim.rulesets.morsdei.game.boards import Board
    from morsdei_sim.rulesets.morsdei.game.fire_lines import FireLines
    from morsdei_sim.rulesets.morsdei.game.places import Places

__all__ = ["Boards", "boards"]

BASE = 32.0
"""Millimetres: places are counted for a base of this size."""


@dataclass(frozen=True)
class Seen:
    """One board and what was found on it: free lines of fire between the zones (G2), levels, places to stand, loot
    points (from 1) that can be looted from none of them."""

    board: Board
    lines: FireLines
    levels: int
    places: int
    barred: tuple[int, ...]


@dataclass(frozen=True)
class Boards:
    """Boards and their properties; drawn when it is one that was named."""

    seen: tuple[Seen, ...]
    drawn: bool
    room: Room

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the verb (docs/json.md)."""
        rows = self.to_frame().to_dict("records")
        if self.drawn:
            for row, one in zip(rows, self.seen, strict=True):
                row["loot"] = [list(point) for point in one.board.loot]
                row["zones"] = [list(zone) for zone in one.board.zones]
                row["pieces"] = [
                    {
                        "name": piece.name, "kind": piece.kind, "base": piece.base, "top": piece.top,
                        "outline": [[round(x, 4), round(y, 4)] for x, y in piece.outline],
                    }
                    for piece in one.board.pieces
                ]  # fmt: skip
        return document("boards", self.room, boards=rows)

    def to_frame(self) -> pd.DataFrame:
        """One row a board: board, name, name_ru, width, depth (inches), symmetric, pieces, levels, loot_points,
        loot_barred (points that can be looted from no place), places (for a base of 32 mm), fire_lines (free ones
        between the zones; G2 wants none), lines_looked_at, digest."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "board": one.board.key, "name": one.board.name, "name_ru": one.board.name_ru,
                    "width": one.board.width, "depth": one.board.depth, "symmetric": one.board.symmetric,
                    "pieces": len(one.board.pieces), "levels": one.levels, "loot_points": len(one.board.loot),
                    "loot_barred": len(one.barred), "places": one.places,
                    "fire_lines": one.lines.count, "lines_looked_at": one.lines.pairs,
                    "digest": one.board.digest,
                }
                for one in self.seen
            ]
        )  # fmt: skip

    def save(self, path: str | Path, force: bool = False) -> None:
        """Draw the board into a `.svg` or `.png` file, as a whole or not at all.

        Raises
        ------
        UserError : several boards, a file that exists, cannot be written, or has another ending.
        """
        from io import BytesIO

        from matplotlib import rc_context
        from matplotlib.figure import Figure

        from morsdei_sim.cards.output import check_destination, save

        kind = Path(path).suffix.lower()
        if kind not in (".svg", ".png"):
            raise UserError(_("{file}: the name must end in {kinds}").format(file=path, kinds=".svg, .png"))
        if len(self.seen) != 1:
            raise UserError(_("a picture shows one board: name it"))
        check_destination(Path(path), force)
        with rc_context({"svg.hashsalt": "morsdei"}):
            drawing = Figure(figsize=(8, 6.5), layout="constrained")
            self.plot(drawing.add_subplot())
            content = BytesIO()
            dated = {"Date": None} if kind == ".svg" else None
            drawing.savefig(content, format=kind[1:], dpi=120, metadata=dated)
        save(Path(path), content.getvalue(), force=force)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the board (the first, when there are several); returns the Axes."""
        from morsdei_sim.rulesets.morsdei.game.sketch import paint

        if ax is None:
            from matplotlib import pyplot as plt

            _fig, ax = plt.subplots(figsize=(8, 6.5), layout="constrained")
        return paint(self.seen[0].board, ax)

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        lines = aligned(self._table())
        if self.drawn:
            from morsdei_sim.rulesets.morsdei.game.sketch import legend, sketch

            for one in self.seen:
                lines += ["", *sketch(one.board), legend(one.board), f"G2: {one.lines}"]
        return "\n".join([*lines, *([""] if self.notes else []), *self.notes])

    def _repr_html_(self) -> str:
        feet = "".join(f"<p><small>{html.escape(note)}</small></p>" for note in self.notes)
        return html_table(self._table()) + feet

    @property
    def notes(self) -> list[str]:
        """On which boards there is loot that nobody can take."""
        return [loot_barred(one.board, one.barred) for one in self.seen if one.barred]

    def _table(self) -> list[list[str]]:
        heads = [_("board"), _("name"), _("inches"), _("symmetric"), _("pieces"), _("levels"), _("places"),
                 _("lines of fire (G2)")]  # fmt: skip
        rows = [heads]
        for one in self.seen:
            board = one.board
            size = f"{board.width:g} × {board.depth:g}"
            lines = _("none") if one.lines.none else f"{grouped(one.lines.count)} / {grouped(one.lines.pairs)}"
            rows.append([board.key, board.label(), size, _("yes") if board.symmetric else _("no"),
                         str(len(board.pieces)), str(one.levels), grouped(one.places), lines])  # fmt: skip
        return rows


@checked
def boards(names: str | Sequence[str] | None = None, *, ruleset: str = "morsdei") -> Boards:
    """The boards that come along, or those that are named, drawn.

    Parameters
    ----------
    names : boards by name or file; all unless named.

    Returns
    -------
    Boards
        Size, symmetry, levels, places, and the check of rule G2: no free line of fire between the zones.

    Raises
    ------
    UserError : an unknown board.
    CardFaults : a board file that cannot be read.

    Examples
    --------
    >>> from morsdei_sim import boards
    >>> found = boards("twin-yards").to_dict()["boards"][0]
    >>> found["symmetric"], found["fire_lines"]
    (True, 0)
    """
    chosen = room_with("boards", ruleset)
    from morsdei_sim.rulesets.morsdei.game.fire_lines import fire_lines
    from morsdei_sim.rulesets.morsdei.game.places import places
    from morsdei_sim.rulesets.morsdei.game.terrain import prisms

    wanted = words(names)
    seen = []
    for board in boards_named(wanted or ["all"]):
        where = places(board, prisms(board), (BASE,))
        seen.append(
            Seen(board, fire_lines(board), len(where.heights), int(where.stand[0].sum()), _barred(board, where))
        )
    return Boards(tuple(seen), bool(wanted), chosen)


def _barred(board: Board, where: Places) -> tuple[int, ...]:
    """L1-L3 Loot points, from 1, that are within reach and in view from no place where a base can stand."""
    from morsdei_sim.rulesets.morsdei.game.places import radius_of
    from morsdei_sim.rulesets.morsdei.game.sight import Body, marker_sight
    from morsdei_sim.rulesets.morsdei.game.terrain import prisms

    seen = marker_sight(prisms(board), Body().of_base(radius_of(BASE)), where, board) != 0
    return tuple(
        point + 1
        for point in range(len(board.loot))
        if not (seen[point] & where.stand[0] & (where.loot[0] >> point & 1 != 0)).any()
    )
