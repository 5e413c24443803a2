"""A board drawn for people: with characters, or as polygons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from morsdei_sim.lang import N_, _
from morsdei_sim.rulesets.morsdei.game.boards import Board, Piece
from morsdei_sim.rulesets.morsdei.game.shapes import Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["legend", "paint", "sketch"]

LETTERS = {
    "impassable": "#", "climbable": "c", "platform": "p", "low": "l", "door-open": "+", "door-closed": "x",
}  # fmt: skip
LOOT, ZONE, GROUND = "$", ":", "."

NAMES = {
    "impassable": N_("wall"), "climbable": N_("climbable"), "platform": N_("platform"), "low": N_("low obstacle"),
    "door-open": N_("open door"), "door-closed": N_("closed door"),
}  # fmt: skip
COLOURS = {
    "impassable": "#555555", "climbable": "#a0785a", "platform": "#b9c7d6", "low": "#9aab7c", "door-open": "#e8d9a0",
    "door-closed": "#7a4b3a",
}  # fmt: skip


def inside(outline: tuple[Point, ...], x: float, y: float) -> bool:
    """Whether a point lies within an outline (crossing number)."""
    found = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            found = not found
    return found


def sketch(board: Board, cell: float = 0.5) -> list[str]:
    """The board in characters, each half an inch wide and an inch deep; the far edge first, as on paper.

    A character stands for the highest piece over the middle of its cell.
    """
    columns, rows = round(board.width / cell), round(board.depth / cell / 2)
    lines = []
    for row in reversed(range(rows)):
        y = (row + 0.5) * 2 * cell
        lines.append("".join(_letter(board, (column + 0.5) * cell, y, cell) for column in range(columns)))
    return lines


def _letter(board: Board, x: float, y: float, cell: float) -> str:
    if any(0 <= px - x + cell / 2 < cell and 0 <= py - y + cell < 2 * cell for px, py in board.loot):
        return LOOT
    over = [piece for piece in board.pieces if inside(piece.outline, x, y)]
    if over:
        return LETTERS[max(over, key=lambda piece: piece.top).kind]
    return ZONE if any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in board.zones) else GROUND


def legend(board: Board) -> str:
    """What the characters of this board stand for."""
    kinds = [kind for kind in LETTERS if any(piece.kind == kind for piece in board.pieces)]
    marks = [(LETTERS[kind], _(NAMES[kind])) for kind in kinds] + [(LOOT, _("loot point")), (ZONE, _("zone"))]
    return "   ".join(f"{mark} {name}" for mark, name in marks)


def paint(board: Board, ax: Axes) -> Axes:
    """The board as polygons, the lower ones first."""
    from matplotlib.patches import Polygon, Rectangle

    for x0, y0, x1, y1 in board.zones:
        ax.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, facecolor="#dde8f3", edgecolor="none"))
    seen: set[str] = set()
    for piece in sorted(board.pieces, key=lambda one: one.top):
        name = "" if piece.kind in seen else _(NAMES[piece.kind])
        seen.add(piece.kind)
        ax.add_patch(
            Polygon(
                piece.outline, facecolor=COLOURS[piece.kind], edgecolor="black", linewidth=0.6, label=name,
                alpha=0.6 if piece.base > 0 else 1.0,
            )
        )  # fmt: skip
        x, y = _middle(piece)
        if inside(piece.outline, x, y):
            ax.text(x, y, f"{piece.top:g}", ha="center", va="center", fontsize=7)
    ax.plot([x for x, _y in board.loot], [y for _x, y in board.loot], "o", color="gold", markeredgecolor="black",
            label=_("loot point"))  # fmt: skip
    ax.set_xlim(0, board.width)
    ax.set_ylim(0, board.depth)
    ax.set_aspect("equal")
    ax.set_title(board.label().replace("$", r"\$"))
    ax.set_xlabel(_("inches"))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=4, fontsize=8)
    return ax


def _middle(piece: Piece) -> Point:
    xs, ys = zip(*piece.outline, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
