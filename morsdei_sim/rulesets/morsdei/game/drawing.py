"""Boards drawn with characters, for tests and first sketches.

Each character is a square of `cell` inches; the first line is the far edge, as on paper. Letters that stand for terrain
(`TERRAIN`) become pieces, equal neighbours one piece; digits and other letters are marks: the middle of that square.
"""

from __future__ import annotations

from morsdei_sim.rulesets.morsdei.game.boards import Board, Piece, Zone, default_loot
from morsdei_sim.rulesets.morsdei.game.shapes import Point, box

__all__ = ["TERRAIN", "draw"]

TERRAIN: dict[str, Piece] = {
    "#": Piece("impassable", (), 3.0),
    "c": Piece("climbable", (), 3.0),
    "l": Piece("low", (), 0.8),
    "s": Piece("low", (), 0.8, stand=True),
    "p": Piece("platform", (), 0.3, base=2.7),
    "+": Piece("door-open", (), 3.0),
    "x": Piece("door-closed", (), 3.0),
}
"""What a character stands for; the outline is drawn."""


def draw(
    picture: str,
    cell: float = 1.0,
    terrain: dict[str, Piece] | None = None,
    loot: tuple[Point, ...] | None = None,
    zones: tuple[Zone, Zone] | None = None,
) -> tuple[Board, dict[str, Point]]:
    """The board of a picture, and the place of each mark."""
    rows = [line.rstrip() for line in picture.strip("\n").splitlines()]
    kinds = TERRAIN | (terrain or {})
    columns = max(map(len, rows))
    grid = [row.ljust(columns, ".").replace(" ", ".") for row in reversed(rows)]
    width, depth = columns * cell, len(grid) * cell
    marks = {
        letter: ((x + 0.5) * cell, (y + 0.5) * cell)
        for y, row in enumerate(grid)
        for x, letter in enumerate(row)
        if letter not in kinds and letter != "."
    }
    pieces = [
        Piece(
            kind.kind, box(x0 * cell, y0 * cell, (x1 - x0) * cell, (y1 - y0) * cell), kind.height, kind.base,
            kind.climb, kind.stand,
        )
        for letter, kind in kinds.items()
        for x0, y0, x1, y1 in _rectangles(grid, letter)
    ]  # fmt: skip
    points = default_loot(width, depth) if loot is None and width >= 18 else loot or ((width / 2, depth / 2),)
    strip = min(3.0, depth / 2)
    both = zones or ((0.0, 0.0, width, strip), (0.0, depth - strip, width, depth))
    return Board("", "", width, depth, tuple(pieces), points, both), marks


def _rectangles(grid: list[str], letter: str) -> list[tuple[int, int, int, int]]:
    """Runs of a letter, those of the same columns in neighbouring rows joined."""
    done: list[tuple[int, int, int, int]] = []
    open_runs: dict[tuple[int, int], int] = {}
    for y, row in enumerate([*grid, ""]):
        runs = _runs(row, letter)
        for (x0, x1), since in open_runs.items():
            if (x0, x1) not in runs:
                done.append((x0, since, x1, y))
        open_runs = {run: open_runs.get(run, y) for run in runs}
    return done


def _runs(row: str, letter: str) -> list[tuple[int, int]]:
    found = []
    start = -1
    for x, one in enumerate(row + "\0"):
        if one == letter and start < 0:
            start = x
        elif one != letter and start >= 0:
            found.append((start, x))
            start = -1
    return found
