"""Terrain as convex prisms in flat arrays, and segments against them.

A piece is one prism when its outline is convex, else several that touch. Two tolerances decide what only grazes:

- lines of sight and of contact (`meets`): sides and lower faces count as part of a prism, so that nothing passes
  between two pieces that touch; the upper face does not, so that a line at exactly the height of an obstacle is free,
  as RULING 14 has it ("hidden exactly if … < h").
- bases (`too_near`): touching is allowed (Q6, Q7), closer is not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline
from morsdei_sim.rulesets.morsdei.game.boards import Board, Piece
from morsdei_sim.rulesets.morsdei.game.shapes import convex_parts

__all__ = [
    "BLOCKS",
    "DOOR",
    "FAR",
    "HIDES",
    "LOW",
    "SURFACE",
    "Prisms",
    "any_meets",
    "any_too_near",
    "inside",
    "meets",
    "prisms",
    "too_near",
]

HIDES, BLOCKS, SURFACE, LOW, DOOR, STAND = 1, 2, 4, 8, 16, 32
"""What a prism does, bit by bit: stops sight, stops bases and separates, is a level to stand on, is a low obstacle, is
an open door, is a low obstacle to stand on."""

GRAZE = 1e-7
"""Inches by which a line may touch."""

TOUCH = 1e-6
"""Inches by which a base may be too near (RULING 8)."""

FAR = 1e18


class Prisms(NamedTuple):
    """All convex parts of all pieces; side e of prism k has `first[k] <= e < first[k + 1]`, counter-clockwise."""

    first: NDArray[np.int64]
    x: NDArray[np.float64]  # corner at which side e starts
    y: NDArray[np.float64]
    normal_x: NDArray[np.float64]  # outward, of length 1
    normal_y: NDArray[np.float64]
    offset: NDArray[np.float64]  # a point is inside side e when normal · point <= offset
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    frame: NDArray[np.float64]  # x from, y from, x to, y to
    flags: NDArray[np.int64]
    piece: NDArray[np.int64]  # number of the piece on the board


def flags(piece: Piece) -> int:
    """What a piece does, as bits."""
    low = piece.kind == "low"
    return (
        HIDES * piece.hides
        | BLOCKS * piece.blocks
        | SURFACE * piece.is_surface
        | LOW * low
        | DOOR * (piece.kind == "door-open")
        | STAND * (low and piece.stand)
    )


def prisms(board: Board) -> Prisms:
    """The terrain of a board for kernels."""
    first, sides, rows = [0], [], []
    for number, piece in enumerate(board.pieces):
        for part in convex_parts(piece.outline):
            for (ax, ay), (bx, by) in zip(part, [*part[1:], part[0]], strict=True):
                length = float(np.hypot(bx - ax, by - ay))
                nx, ny = (by - ay) / length, (ax - bx) / length
                sides.append((ax, ay, nx, ny, nx * ax + ny * ay))
            first.append(len(sides))
            xs, ys = [x for x, _y in part], [y for _x, y in part]
            rows.append((piece.base, piece.top, min(xs), min(ys), max(xs), max(ys), flags(piece), number))
    side = np.array(sides, dtype=np.float64).reshape(-1, 5).T
    row = np.array(rows, dtype=np.float64).reshape(-1, 8)
    return Prisms(
        np.array(first),
        np.ascontiguousarray(side[0]),
        np.ascontiguousarray(side[1]),
        np.ascontiguousarray(side[2]),
        np.ascontiguousarray(side[3]),
        np.ascontiguousarray(side[4]),
        np.ascontiguousarray(row[:, 0]),
        np.ascontiguousarray(row[:, 1]),
        np.ascontiguousarray(row[:, 2:6]),
        row[:, 6].astype(np.int64),
        row[:, 7].astype(np.int64),
    )


@inline
def frame_misses(terrain: Any, k: Any, ax: Any, ay: Any, bx: Any, by: Any, room: Any) -> Any:
    """Whether a segment stays further than `room` from the frame around a prism: the cheap test first."""
    return (
        max(ax, bx) < terrain.frame[k, 0] - room
        or min(ax, bx) > terrain.frame[k, 2] + room
        or max(ay, by) < terrain.frame[k, 1] - room
        or min(ay, by) > terrain.frame[k, 3] + room
    )


@apart
def meets(terrain: Any, k: Any, ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any) -> Any:
    """Whether the segment from a to b meets prism k: it is clipped by one face after another."""
    enter, leave = 0.0, 1.0
    low, high = terrain.low[k] - GRAZE, terrain.high[k] - GRAZE
    rise = bz - az
    if abs(rise) < 1e-12:
        if az < low or az > high:
            return False
    else:
        at_low, at_high = (low - az) / rise, (high - az) / rise
        enter = max(enter, min(at_low, at_high))
        leave = min(leave, max(at_low, at_high))
        if enter > leave:
            return False
    for e in range(terrain.first[k], terrain.first[k + 1]):
        a = terrain.normal_x[e] * ax + terrain.normal_y[e] * ay - terrain.offset[e] - GRAZE
        b = terrain.normal_x[e] * bx + terrain.normal_y[e] * by - terrain.offset[e] - GRAZE
        if a > 0.0 and b > 0.0:
            return False
        if a > 0.0:
            enter = max(enter, a / (a - b))
        elif b > 0.0:
            leave = min(leave, a / (a - b))
        if enter > leave:
            return False
    return True


@apart
def any_meets(terrain: Any, mask: Any, ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any) -> Any:
    """Whether the segment meets any prism with a flag of the mask."""
    for k in range(len(terrain.low)):
        if (
            terrain.flags[k] & mask
            and not frame_misses(terrain, k, ax, ay, bx, by, GRAZE)
            and meets(terrain, k, ax, ay, az, bx, by, bz)
        ):
            return True
    return False


@inline
def inside(terrain: Any, k: Any, x: Any, y: Any) -> Any:
    """Whether a point lies over prism k, its edge included."""
    for e in range(terrain.first[k], terrain.first[k + 1]):
        if terrain.normal_x[e] * x + terrain.normal_y[e] * y > terrain.offset[e] + TOUCH:
            return False
    return True


@inline
def square_to_segment(px: Any, py: Any, ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    """Squared distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    t = 0.0
    if length > 0.0:
        t = min(1.0, max(0.0, ((px - ax) * dx + (py - ay) * dy) / length))
    ex, ey = ax + t * dx - px, ay + t * dy - py
    return ex * ex + ey * ey


@apart
def too_near(terrain: Any, k: Any, ax: Any, ay: Any, bx: Any, by: Any, radius: Any) -> Any:
    """Whether a disc that moves from a to b enters the outline of prism k (touching it is no entering) (M5, M6).

    First the segment is clipped by the sides moved out by the radius: most segments end there, and one that is not
    cut off at all while the sides are moved out by nothing passes through the outline.
    """
    room = radius - TOUCH
    enter, leave = 0.0, 1.0
    deep_enter, deep_leave = 0.0, 1.0
    for e in range(terrain.first[k], terrain.first[k + 1]):
        a = terrain.normal_x[e] * ax + terrain.normal_y[e] * ay - terrain.offset[e]
        b = terrain.normal_x[e] * bx + terrain.normal_y[e] * by - terrain.offset[e]
        if a >= room and b >= room:
            return False
        if a > room:
            enter = max(enter, (a - room) / (a - b))
        elif b > room:
            leave = min(leave, (a - room) / (a - b))
        if a >= 0.0 and b >= 0.0:
            deep_enter = 2.0
        elif a > 0.0:
            deep_enter = max(deep_enter, a / (a - b))
        elif b > 0.0:
            deep_leave = min(deep_leave, a / (a - b))
    if enter >= leave:
        return False
    if deep_enter < deep_leave:
        return True
    nearest = FAR
    last = terrain.first[k + 1] - 1
    for e in range(terrain.first[k], terrain.first[k + 1]):
        after = terrain.first[k] if e == last else e + 1
        cx, cy, dx, dy = terrain.x[e], terrain.y[e], terrain.x[after], terrain.y[after]
        nearest = min(nearest, square_to_segment(cx, cy, ax, ay, bx, by))
        nearest = min(nearest, square_to_segment(ax, ay, cx, cy, dx, dy))
        nearest = min(nearest, square_to_segment(bx, by, cx, cy, dx, dy))
    return nearest < room * room


@apart
def any_too_near(terrain: Any, mask: Any, low: Any, high: Any, ax: Any, ay: Any, bx: Any, by: Any, radius: Any) -> Any:
    """Whether a disc that moves from a to b enters a prism of the mask that reaches into the heights low to high."""
    for k in range(len(terrain.low)):
        if (
            terrain.flags[k] & mask
            and terrain.low[k] < high - TOUCH
            and terrain.high[k] > low + TOUCH
            and not frame_misses(terrain, k, ax, ay, bx, by, radius)
            and too_near(terrain, k, ax, ay, bx, by, radius)
        ):
            return True
    return False
