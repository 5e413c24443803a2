"""Straight legs of a movement (M5-M6, M16-M22): where one may walk in a line, climb, descend, jump, pass a door.

Shortest paths bend only where they must. So the points between which legs are drawn, the nodes, are few:

    corners    around each convex corner of whatever blocks a level, on a circle of the base's radius drawn as a polygon
    edges      along the edge of each stable surface: the middle of the base on the edge (M21: it may overhang)
    feet       the base flush against that edge from outside, on the next surface below
    doors      flush on both sides of an open door

Walking legs are tested here; the special ones (edge to foot and back, edge to edge over a gap, through a door) are
listed with their cost by the `Network`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, kernel
from morsdei_sim.rulesets.morsdei.game.boards import Board, Piece
from morsdei_sim.rulesets.morsdei.game.places import can_stand, levels, lies_on
from morsdei_sim.rulesets.morsdei.game.shapes import Point
from morsdei_sim.rulesets.morsdei.game.terrain import BLOCKS, SURFACE, TOUCH, Prisms, any_too_near

__all__ = ["Moving", "Network", "leg_is_free", "network"]

FINE = 0.02
"""Inches between the points along an edge at which a foot is tried; only those become nodes at which something changes
(where the base just fits beside a wall), and the regular ones."""

OUTSIDE = 1e-3
"""Inches beyond an edge at which the neighbouring surface would have to be."""


class Moving(NamedTuple):
    """The numbers of the movement rules."""

    clearance: float = 1.3  # height that a model needs above its surface (RULING 12)
    free_descent: float = 2.0  # inches of each separate descent that cost nothing (M18)
    jump: float = 3.0  # widest gap (M20)
    edge_step: float = 0.25  # inches between nodes along an edge
    turn: float = 30.0  # degrees that one node at a corner stands for, see `_corners`


class Network(NamedTuple):
    """Nodes on their levels, and the special legs between them."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    level: NDArray[np.int64]
    start: NDArray[np.int64]  # of each special leg
    end: NDArray[np.int64]
    cost: NDArray[np.float64]


# ── walking ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@apart
def is_carried(terrain: Any, height: Any, ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    """Whether surfaces of one height lie under the whole segment: stride from one prism to the next (Q11)."""
    done, length = 0.0, np.hypot(bx - ax, by - ay)
    if length <= TOUCH:
        return lies_on(terrain, height, ax, ay)
    while done < 1.0:
        best = done
        for k in range(len(terrain.low)):
            if terrain.flags[k] & SURFACE == 0 or abs(terrain.high[k] - height) > TOUCH:
                continue
            enter, leave = 0.0, 1.0
            for e in range(terrain.first[k], terrain.first[k + 1]):
                a = terrain.normal_x[e] * ax + terrain.normal_y[e] * ay - terrain.offset[e] - TOUCH
                b = terrain.normal_x[e] * bx + terrain.normal_y[e] * by - terrain.offset[e] - TOUCH
                if a > 0.0 and b > 0.0:
                    enter = 2.0
                elif a > 0.0:
                    enter = max(enter, a / (a - b))
                elif b > 0.0:
                    leave = min(leave, a / (a - b))
            if enter <= done + TOUCH / length:
                best = max(best, leave)
        if best <= done:
            return False
        done = best
    return True


@apart
def leg_is_free(terrain: Any, clearance: Any, radius: Any, height: Any, ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    """Whether a base may walk from a to b in a line on the level of that height; low obstacles cost
    nothing (M5, M6, M22). Both ends lie within the board, so the leg does (Q7)."""
    if height > TOUCH and not is_carried(terrain, height, ax, ay, bx, by):
        return False
    return not any_too_near(terrain, BLOCKS, height, height + clearance, ax, ay, bx, by, radius)


# ── nodes ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def find_walkable(terrain: Any, room: Any, radius: Any, height: Any, points: Any, found: Any) -> None:
    """Which points of a level a base may pass."""
    for i in range(len(points)):
        x, y = points[i, 0], points[i, 1]
        within = min(x, room[0] - x) >= radius - TOUCH and min(y, room[1] - y) >= radius - TOUCH
        found[i] = within and leg_is_free(terrain, room[2], radius, height, x, y, x, y)


@kernel
def find_feet(
    terrain: Any, room: Any, radius: Any, heights: Any, top: Any, edges: Any, feet: Any, landing: Any
) -> None:
    """The level on which each foot lands, -1 when the base does not fit; -2 for an edge that is none
    because the surface goes on (M17, M18, RULING 21)."""
    height, clearance = heights[top], room[2]
    for i in range(len(edges)):
        ex, ey, fx, fy = edges[i, 0], edges[i, 1], feet[i, 0], feet[i, 1]
        length = np.hypot(fx - ex, fy - ey)
        ox, oy = ex + (fx - ex) / length * OUTSIDE, ey + (fy - ey) / length * OUTSIDE
        landing[i] = -2
        if lies_on(terrain, height, ox, oy):
            continue
        landing[i] = -1
        level = top - 1
        while not lies_on(terrain, heights[level], fx, fy):
            level -= 1
        if (
            can_stand(terrain, room, radius, heights[level], fx, fy)
            and not any_too_near(terrain, BLOCKS, heights[level], height + clearance, fx, fy, fx, fy, radius)
            and not any_too_near(terrain, BLOCKS, height, height + clearance, ex, ey, fx, fy, radius)
        ):
            landing[i] = level


@kernel
def find_jumps(terrain: Any, moving: Any, radius: Any, heights: Any, x: Any, y: Any, level: Any, cost: Any) -> None:
    """Cost of the jump from edge i to edge j; infinite where there is none (M20, M21, RULING 22).

    The gap along the chosen direction is at most the distance of the two edges. Nothing may stand in the way in the
    air, nor where the base comes down; it may not rise.
    """
    for i in range(len(x)):
        for j in range(len(x)):
            high, low = heights[level[i]], heights[level[j]]
            reach = np.hypot(x[j] - x[i], y[j] - y[i])
            if i == j or low > high + TOUCH or reach > moving.jump + TOUCH:
                continue
            if is_carried(terrain, high, x[i], y[i], x[j], y[j]):
                continue
            top = high + moving.clearance
            if any_too_near(terrain, BLOCKS, high, top, x[i], y[i], x[j], y[j], radius):
                continue
            if any_too_near(terrain, BLOCKS, low, top, x[j], y[j], x[j], y[j], radius):
                continue
            cost[i, j] = reach + max(0.0, high - low - moving.free_descent)


def _corners(piece: Piece, radius: float, step: float) -> list[Point]:
    """Nodes around the convex corners of an outline.

    A path around a circle of the base's radius is drawn as the polygon around it: with steps of 30 degrees at most
    tan(15°) / 15° = 1.0235 times as long, and never shorter.
    """
    found = []
    count = len(piece.outline)
    for i, (x, y) in enumerate(piece.outline):
        ax, ay = piece.outline[i - 1]
        bx, by = piece.outline[(i + 1) % count]
        start, end = math.atan2(ax - x, y - ay), math.atan2(x - bx, by - y)  # of the outward normals
        turn = (end - start) % (2 * math.pi)
        if turn >= math.pi:  # the outline turns right here
            continue
        parts = max(1, math.ceil(turn / math.radians(step) - 1e-9))
        reach = radius / math.cos(turn / parts / 2)
        for part in range(parts):
            angle = start + turn * (part + 0.5) / parts
            found.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return found


def _along(a: Point, b: Point, step: float, middle: Point) -> tuple[list[Point], list[bool]]:
    """Points along an edge close to each other, and which of them are its ends or lie on the lines of the lattice that
    cross it most squarely."""
    axis = 0 if abs(b[0] - a[0]) >= abs(b[1] - a[1]) else 1
    reach, run = math.dist(a, b), b[axis] - a[axis]
    parts = max(1, math.ceil(reach / FINE))
    low, high = sorted((a[axis], b[axis]))
    first = math.ceil((low - middle[axis]) / step + 1e-6)
    last = math.floor((high - middle[axis]) / step - 1e-6)
    times = {part / parts: False for part in range(parts + 1)}
    times |= {(middle[axis] + number * step - a[axis]) / run: True for number in range(first, last + 1)}
    times |= {0.0: True, 1.0: True}
    order = sorted(times)
    return [(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for t in order], [times[t] for t in order]


def _worth(regular: list[bool], kinds: list[tuple[int, bool]]) -> list[bool]:
    """Which points along an edge become nodes: the regular ones, and those where what can be done there changes."""
    count = len(kinds)
    return [
        regular[i] or any(kinds[i] != kinds[other] for other in (i - 1, i + 1) if 0 <= other < count)
        for i in range(count)
    ]


def _doors(piece: Piece, radius: float) -> tuple[Point, Point]:
    """The middle of the base flush on both sides of a door: it is passed across its longest side (T5, RULING 24)."""
    sides = list(zip(piece.outline, [*piece.outline[1:], piece.outline[0]], strict=True))
    (ax, ay), (bx, by) = max(sides, key=lambda side: math.dist(*side))
    length = math.dist((ax, ay), (bx, by))
    nx, ny = (by - ay) / length, (ax - bx) / length
    depths = [nx * x + ny * y for x, y in piece.outline]
    mx = sum(x for x, _y in piece.outline) / len(piece.outline)
    my = sum(y for _x, y in piece.outline) / len(piece.outline)
    half = (max(depths) - min(depths)) / 2 + radius
    return (mx - nx * half, my - ny * half), (mx + nx * half, my + ny * half)


class _Nodes:
    """Collects nodes and legs."""

    def __init__(self, board: Board, terrain: Prisms, radius: float, moving: Moving) -> None:
        self.board, self.terrain, self.radius, self.moving = board, terrain, radius, moving
        self.heights = levels(board)
        self.room = board.width, board.depth, moving.clearance
        self.rows: list[tuple[float, float, int]] = []
        self.known: dict[tuple[float, float, int], int] = {}
        self.legs: list[tuple[int, int, float]] = []

    def walkable(self, points: list[Point], level: int) -> NDArray[np.bool_]:
        found = np.zeros(len(points), np.bool_)
        if points:
            find_walkable(self.terrain, self.room, self.radius, self.heights[level], np.array(points), found)
        return found

    def add(self, point: Point, level: int) -> int:
        """The number of a node, new or known."""
        key = (round(point[0], 5), round(point[1], 5), level)
        if key not in self.known:
            self.known[key] = len(self.rows)
            self.rows.append((point[0], point[1], level))
        return self.known[key]

    def corners(self) -> None:
        """Around what blocks each level, and the corners of its surfaces."""
        for level, height in enumerate(self.heights):
            points: list[Point] = []
            for piece in self.board.pieces:
                if piece.blocks and piece.base < height + self.moving.clearance - TOUCH and piece.top > height + TOUCH:
                    points += _corners(piece, self.radius, self.moving.turn)
                if level and piece.is_surface and abs(piece.top - height) < TOUCH:
                    points += piece.outline
            for point, usable in zip(points, self.walkable(points, level), strict=True):
                if usable:
                    self.add(point, level)

    def edges(self) -> list[int]:
        """Edges and feet of each surface with the legs between them; numbers of the edges."""
        rims: list[int] = []
        for piece in self.board.pieces:
            if piece.is_surface:
                top = int(np.argmin(np.abs(self.heights - piece.top)))
                rims += self.rim(piece, top)
        return sorted(set(rims))

    def rim(self, piece: Piece, top: int) -> list[int]:
        """One surface: up where it can be climbed, down everywhere (M16-M18)."""
        return [
            node
            for a, b in zip(piece.outline, [*piece.outline[1:], piece.outline[0]], strict=True)
            for node in self.edge(piece, top, a, b)
        ]

    def edge(self, piece: Piece, top: int, a: Point, b: Point) -> list[int]:
        """One edge of a surface."""
        length = math.dist(a, b)
        nx, ny = (b[1] - a[1]) / length * self.radius, (a[0] - b[0]) / length * self.radius
        edges, regular = _along(a, b, self.moving.edge_step, (self.board.width / 2, self.board.depth / 2))
        feet = [(x + nx, y + ny) for x, y in edges]
        landing = np.zeros(len(edges), np.int64)
        find_feet(self.terrain, self.room, self.radius, self.heights, top, np.array(edges), np.array(feet), landing)
        usable = self.walkable(edges, top)
        kinds = [(int(low), bool(fits)) for low, fits in zip(landing, usable, strict=True)]
        found = []
        for edge, foot, (low, fits), worth in zip(edges, feet, kinds, _worth(regular, kinds), strict=True):
            if not worth or not fits or low == -2:
                continue
            upper = self.add(edge, top)
            found.append(upper)
            if low >= 0:
                lower, drop = self.add(foot, low), float(self.heights[top] - self.heights[low])
                self.legs.append((upper, lower, self.radius + max(0.0, drop - self.moving.free_descent)))
                if piece.can_be_climbed:
                    self.legs.append((lower, upper, self.radius + drop))
        return found

    def jumps(self, rims: list[int]) -> None:
        """From edge to edge (M20)."""
        if not rims:
            return
        x, y, level = (np.array([self.rows[node][column] for node in rims]) for column in range(3))
        cost = np.full((len(rims), len(rims)), np.inf)
        find_jumps(self.terrain, self.moving, self.radius, self.heights, x, y, level, cost)
        for i, j in zip(*np.nonzero(np.isfinite(cost)), strict=True):
            self.legs.append((rims[i], rims[j], float(cost[i, j])))

    def doors(self) -> None:
        """Straight through each open door, both ways (RULING 24)."""
        for piece in self.board.pieces:
            level = int(np.argmin(np.abs(self.heights - piece.base)))
            if piece.kind != "door-open" or abs(self.heights[level] - piece.base) > TOUCH:
                continue
            ends = _doors(piece, self.radius)
            if self.walkable(list(ends), level).all():
                one, other = (self.add(end, level) for end in ends)
                length = math.dist(*ends)
                self.legs += [(one, other, length), (other, one, length)]


def network(board: Board, terrain: Prisms, radius: float, moving: Moving) -> Network:
    """All nodes and special legs for a base of that radius."""
    nodes = _Nodes(board, terrain, radius, moving)
    nodes.corners()
    nodes.jumps(nodes.edges())
    nodes.doors()
    row = np.array(nodes.rows, dtype=np.float64).reshape(-1, 3)
    leg = np.array(nodes.legs, dtype=np.float64).reshape(-1, 3)
    return Network(
        np.ascontiguousarray(row[:, 0]),
        np.ascontiguousarray(row[:, 1]),
        row[:, 2].astype(np.int64),
        leg[:, 0].astype(np.int64),
        leg[:, 1].astype(np.int64),
        np.ascontiguousarray(leg[:, 2]),
    )
