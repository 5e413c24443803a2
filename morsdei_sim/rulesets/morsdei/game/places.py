"""Where a base can stand: a lattice over every level of the board, and a few places that the rules make special.

A level is the ground or the top of climbable pieces and platforms, named by its height. A place is the middle of a base
on a level. The lattice is laid through the middle of the board, so that a board that is symmetric under a half turn has
symmetric places. All bases share one list of places; which of them a base of one size can stand on is a mask.

Special places, for each base size: flush with the front of a deployment zone, and at exactly 1 inch from a loot point.
Without them the lattice would cost up to half an inch where the rulebook has its sharpest step (atlas 23.7: 7 inches
from the zone to Loot).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.game.boards import Board
from morsdei_sim.rulesets.morsdei.game.terrain import (
    BLOCKS,
    DOOR,
    FAR,
    LOW,
    STAND,
    SURFACE,
    TOUCH,
    Prisms,
    any_too_near,
    inside,
)

__all__ = ["INCH", "MOST_PLACES", "Places", "can_stand", "levels", "lies_on", "places", "radius_of"]

INCH = 25.4
"""Millimetres."""

MOST_PLACES = 8000
"""Tables grow with the square."""

LOOT_REACH = 1.0
"""Inches from the base to the middle of a loot point (L3)."""

CONTACT_REACH = 2.0
"""Inches that a contact can reach at most, whatever the rules are changed to (E6: 1)."""

ROUND_LOOT = 8
"""Special places around each loot point."""


class Places(NamedTuple):
    """Every place of a board; `stand[b, p]` says whether a base of size b can stand there."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    z: NDArray[np.float64]  # height of the surface under the base
    level: NDArray[np.int64]  # number in `heights`; a base on a low obstacle is on the level of the obstacle's foot
    heights: NDArray[np.float64]
    radius: NDArray[np.float64]  # of each base size
    stand: NDArray[np.bool_]
    zone: NDArray[np.int64]  # [b, p] 0 or 1 in a deployment zone, wholly and on the ground (G6, RULING 57), else -1
    loot: NDArray[np.int64]  # [b, p] bits of the loot points in reach (L3)
    bare: NDArray[np.bool_]  # nothing impassable is so near that it could separate a base here from one in contact


def radius_of(base: float) -> float:
    """The radius in inches of a round base given in millimetres (RULING 9)."""
    return base / (2 * INCH)


def levels(board: Board) -> NDArray[np.float64]:
    """Heights of the ground and of every stable surface above it, ascending."""
    tops = sorted({round(piece.top, 6) for piece in board.pieces if piece.is_surface})
    return np.array([0.0, *tops])


@inline
def lies_on(terrain: Any, height: Any, x: Any, y: Any) -> Any:
    """Whether a stable surface of that height lies under a point; the ground is everywhere (Q11)."""
    if height <= TOUCH:
        return True
    for k in range(len(terrain.low)):
        if terrain.flags[k] & SURFACE and abs(terrain.high[k] - height) <= TOUCH and inside(terrain, k, x, y):
            return True
    return False


@inline
def step_under(terrain: Any, height: Any, x: Any, y: Any) -> Any:
    """Height of the low obstacle to stand on that lies under a point of a level; the level's own if
    none (RULING 23)."""
    top = height
    for k in range(len(terrain.low)):
        if terrain.flags[k] & STAND and abs(terrain.low[k] - height) <= TOUCH and inside(terrain, k, x, y):
            top = max(top, terrain.high[k])
    return top


@apart
def can_stand(terrain: Any, room: Any, radius: Any, height: Any, x: Any, y: Any) -> Any:
    """Whether a base may end there: supported under its middle, clear of walls, doors
    and low obstacles, within the board (Q7, Q11, M5, M8, RULINGS 23, 24).

    `room` is (width, depth, clearance): what reaches into the clearance above the surface is in the way.
    """
    width, depth, clearance = room
    if min(x, width - x) < radius - TOUCH or min(y, depth - y) < radius - TOUCH:
        return False
    if not lies_on(terrain, height, x, y):
        return False
    floor = step_under(terrain, height, x, y)
    mask = BLOCKS | LOW | DOOR
    return not any_too_near(terrain, mask, floor, floor + clearance, x, y, x, y, radius)


@kernel
def settle(terrain: Any, room: Any, radius: Any, height: Any, xs: Any, ys: Any, stand: Any, floor: Any) -> None:
    """Fill `stand` and the height of the surface for places of one level."""
    for p in range(len(xs)):
        stand[p] = can_stand(terrain, room, radius, height, xs[p], ys[p])
        floor[p] = step_under(terrain, height, xs[p], ys[p])


@kernel
def mark_bare(terrain: Any, room: Any, xs: Any, ys: Any, bare: Any) -> None:
    """Which places have nothing impassable within `room` inches of their middle, at any height."""
    for p in range(len(xs)):
        bare[p] = not any_too_near(terrain, BLOCKS, -FAR, FAR, xs[p], ys[p], xs[p], ys[p], room)


def _line(length: float, step: float) -> NDArray[np.float64]:
    half = int(length / 2 / step + 1e-9)
    return length / 2 + step * np.arange(-half, half + 1, dtype=np.float64)


def _special(board: Board, radius: float, step: float) -> list[tuple[float, float]]:
    """Flush with the front of each zone, and around each loot point."""
    found = []
    for number, (x0, y0, x1, y1) in enumerate(board.zones):
        other = board.zones[1 - number]
        front = y1 - radius if other[1] + other[3] > y0 + y1 else y0 + radius
        found += [(float(x), front) for x in _line(board.width, step) if x0 <= x <= x1]
    angles = np.arange(ROUND_LOOT) * 2 * np.pi / ROUND_LOOT
    reach = LOOT_REACH + radius
    for x, y in board.loot:
        found += [(float(x + reach * np.cos(a)), float(y + reach * np.sin(a))) for a in angles]
    return found


def places(
    board: Board, terrain: Prisms, bases: tuple[float, ...], step: float = 0.5, clearance: float = 1.3
) -> Places:
    """All places on which any of the bases can stand.

    Parameters
    ----------
    board, terrain : the board and its prisms.
    bases : base sizes in millimetres.
    step : distance of the lattice, inches.
    clearance : height that must be free above a surface, inches; RULING 12's height of a body.
    """
    radii = [radius_of(base) for base in bases]
    lattice = [(float(x), float(y)) for y in _line(board.depth, step) for x in _line(board.width, step)]
    if len(lattice) > MOST_PLACES:
        message = _("a lattice of {step:g} inches has {count} places on this board; at most {most} are allowed")
        raise UserError(message.format(step=step, count=len(lattice), most=MOST_PLACES))
    regular = len(lattice)
    taken = {(round(x, 2), round(y, 2)) for x, y in lattice}
    for radius in radii:
        for point in _special(board, radius, step):
            if (round(point[0], 2), round(point[1], 2)) not in taken:
                taken.add((round(point[0], 2), round(point[1], 2)))
                lattice.append(point)
    xs, ys = np.array(lattice).T.copy()
    heights = levels(board)
    room = board.width, board.depth, clearance
    stand = np.zeros((len(radii), len(heights), len(xs)), np.bool_)
    floor = np.zeros((len(heights), len(xs)))
    for level, height in enumerate(heights):
        for b, radius in enumerate(radii):
            settle(terrain, room, radius, height, xs, ys, stand[b, level], floor[level])
    stand[:, 1:, regular:] = False  # the special ones are of the ground: deployment and loot are there (RULING 57)
    level_of, point_of = np.nonzero(stand.any(axis=0))
    if len(point_of) > MOST_PLACES:
        message = _("a lattice of {step:g} inches has {count} places on this board; at most {most} are allowed")
        raise UserError(message.format(step=step, count=len(point_of), most=MOST_PLACES))
    x, y, z = xs[point_of], ys[point_of], floor[level_of, point_of]
    usable = np.ascontiguousarray(stand[:, level_of, point_of])
    for base, mine in zip(bases, usable, strict=True):
        if not mine.any():
            message = _("{board}: there is no place where a base of {size:g} mm can stand")
            raise UserError(message.format(board=board.label(), size=base))
    bare = np.zeros(len(x), np.bool_)
    mark_bare(terrain, CONTACT_REACH + 2 * max(radii), x, y, bare)
    return Places(
        x, y, z, level_of, heights, np.array(radii), usable, _zones(board, radii, x, y, z, usable),
        _loot(board, radii, x, y, z), bare,
    )  # fmt: skip


def _zones(board: Board, radii: list[float], x: Any, y: Any, z: Any, stand: Any) -> NDArray[np.int64]:
    """The zone that each place of deployment lies in (G6, RULING 57)."""
    zone = np.full(stand.shape, -1, np.int64)
    for b, radius in enumerate(radii):
        r = radius - TOUCH
        for number, (x0, y0, x1, y1) in enumerate(board.zones):
            within = (x >= x0 + r) & (x <= x1 - r) & (y >= y0 + r) & (y <= y1 - r)
            zone[b, within & (z <= TOUCH) & stand[b]] = number
    return zone


def _loot(board: Board, radii: list[float], x: Any, y: Any, z: Any) -> NDArray[np.int64]:
    """Loot points within reach: the distance from the base to the point on the ground (L3, RULINGS 8, 58)."""
    found = np.zeros((len(radii), len(x)), np.int64)
    for b, radius in enumerate(radii):
        for number, (px, py) in enumerate(board.loot):
            gap = np.maximum(0.0, np.hypot(x - px, y - py) - radius)
            found[b] |= (np.hypot(gap, z) <= LOOT_REACH + TOUCH).astype(np.int64) << number
    return found
