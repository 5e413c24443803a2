"""Free lines of fire between the deployment zones (G2, RULING 56): there must be none; if there is one, it is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import kernel
from morsdei_sim.lang import _, decimal
from morsdei_sim.rulesets.morsdei.game.boards import Board, Zone
from morsdei_sim.rulesets.morsdei.game.shapes import Point
from morsdei_sim.rulesets.morsdei.game.sight import Body
from morsdei_sim.rulesets.morsdei.game.terrain import BLOCKS, HIDES, any_meets, any_too_near, prisms

__all__ = ["FireLines", "fire_lines"]

INSET = 0.5
"""Inches from the edge of a zone to the first eye: the middle of a base of 25 mm cannot be nearer."""


@dataclass(frozen=True)
class FireLines:
    """Free lines of fire between the zones.

    Parameters
    ----------
    count : pairs (eye, target) in both directions that would be valid targets.
    pairs : pairs looked at.
    lines : some of the free ones, (eye, target), in inches.
    """

    count: int
    pairs: int
    lines: tuple[tuple[Point, Point], ...]

    @property
    def none(self) -> bool:
        """Whether the board meets G2."""
        return self.count == 0

    def __str__(self) -> str:
        if self.none:
            return _("no free line of fire between the zones ({pairs} pairs looked at)").format(pairs=self.pairs)
        (ax, ay), (bx, by) = self.lines[0]
        message = _("{count} of {pairs} lines of fire between the zones are free, such as from {eye} to {target}")
        eye, target = decimal(f"({ax:g}; {ay:g})"), decimal(f"({bx:g}; {by:g})")
        return message.format(count=self.count, pairs=self.pairs, eye=eye, target=target)


@kernel
def mark_solid(terrain: Any, points: Any, solid: Any) -> None:
    """Which points lie in something impassable at ground level: no base can stand there."""
    for i in range(len(points)):
        x, y = points[i, 0], points[i, 1]
        solid[i] = any_too_near(terrain, BLOCKS, 0.0, 0.05, x, y, x, y, 0.01)


@kernel
def find_lines(terrain: Any, body: Any, eyes: Any, targets: Any, count: Any, lines: Any) -> None:
    """Count the pairs in which the head or the heart is free of terrain; write down the first ones (RULING 13)."""
    for i in range(len(eyes)):
        ax, ay = eyes[i, 0], eyes[i, 1]
        for j in range(len(targets)):
            bx, by = targets[j, 0], targets[j, 1]
            if any_meets(terrain, HIDES, ax, ay, body[0], bx, by, body[0]) and any_meets(
                terrain, HIDES, ax, ay, body[0], bx, by, body[1]
            ):
                continue
            if count[0] < len(lines):
                lines[count[0], 0], lines[count[0], 1] = ax, ay
                lines[count[0], 2], lines[count[0], 3] = bx, by
            count[0] += 1


def _grid(zone: Zone, step: float) -> NDArray[np.float64]:
    x0, y0, x1, y1 = zone
    xs = np.arange(x0 + INSET, x1 - INSET + 1e-9, step)
    ys = np.arange(y0 + INSET, y1 - INSET + 1e-9, step)
    return np.array([(x, y) for y in ys for x in xs]).reshape(-1, 2)


def fire_lines(board: Board, step: float = 0.5, body: Body | None = None, most: int = 20) -> FireLines:
    """Look from a grid of eyes in each zone at a grid of targets in the other.

    Parameters
    ----------
    board : the board.
    step : distance of the grid, inches.
    body : heights of eye and heart (RULING 12).
    most : free lines to keep of each direction.
    """
    terrain, shape = prisms(board), np.array(body or Body())
    grids = []
    for zone in board.zones:
        points = _grid(zone, step)
        solid = np.zeros(len(points), np.bool_)
        mark_solid(terrain, points, solid)
        grids.append(points[~solid])
    total, pairs, found = 0, 0, []
    for eyes, targets in (grids, grids[::-1]):
        count, lines = np.zeros(1, np.int64), np.zeros((most, 4))
        find_lines(terrain, shape, eyes, targets, count, lines)
        total, pairs = total + int(count[0]), pairs + len(eyes) * len(targets)
        found += [((float(a), float(b)), (float(c), float(d))) for a, b, c, d in lines[: count[0]]]
    return FireLines(total, pairs, tuple(found))
