"""Shortest paths between places, and what other models do to them at play.

A shortest path goes straight from place p to a first node, from node to node, and straight to place q; or straight
from p to q. Kept are, for one base size, the length of every path and just enough to draw it again: its first node out
of p (`entry`), the next node on the way from one node to another (`next`), its last node before q (`via`).

Lengths are in thousandths of an inch, rounded up, so that a path is never taken for shorter than it is. Friends do not
block (M3); enemies do (M4), and so does contact (M13, RULING 17; K5): `path_is_free` and `contact_along` test a path
against the models on the table.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.game.contact import BASE_HEIGHT, separated
from morsdei_sim.rulesets.morsdei.game.legs import Moving, Network, leg_is_free
from morsdei_sim.rulesets.morsdei.game.places import Places
from morsdei_sim.rulesets.morsdei.game.terrain import TOUCH, Prisms, square_to_segment

__all__ = [
    "BROKEN",
    "FREE",
    "KEPT",
    "MOST_BENDS",
    "NOWHERE",
    "SCALE",
    "Ways",
    "blocks",
    "contact_along",
    "path_is_free",
    "reached",
    "route",
    "threads",
    "ways",
]

SCALE = 1000
"""Parts of an inch that lengths count."""

NOWHERE = 65535
"""Length of a path that is longer than the limit or does not exist; also "no node"."""

TIE = 1e-6
"""Inches within which a place lies on the middle line of the board."""

MOST_BENDS = 96
"""Points of a path at most, both ends among them."""

MOST_NODES = 4000

FREE, KEPT, BROKEN = 0, 1, 2
"""What a path does to contact: makes none, makes some and keeps it to its end, makes some and breaks it."""

SAMPLE = 0.25
"""Inches between the points at which walls between a moving base and an enemy are looked for."""


class Ways(NamedTuple):
    """Shortest paths of one base size between all places; [p, q] is from p to q."""

    length: NDArray[np.uint16]
    via: NDArray[np.uint16]
    entry: NDArray[np.uint16]  # [p, node]
    next: NDArray[np.uint16]  # [node, node]
    node_x: NDArray[np.float64]
    node_y: NDArray[np.float64]
    node_z: NDArray[np.float64]
    near_first: NDArray[np.int64]  # the places near p, the nearest first, are near[near_first[p] : near_first[p + 1]]
    near: NDArray[np.uint16]
    radius: NDArray[np.float64]  # one number


# ── building ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def walk_between_nodes(
    terrain: Any, moving: Any, radius: Any, heights: Any, x: Any, y: Any, level: Any, cost: Any
) -> None:
    """Lengths of walking legs between nodes of one level."""
    for i in range(len(x)):
        cost[i, i] = 0.0
        for j in range(i):
            if level[i] == level[j]:
                height = heights[level[i]]
                if leg_is_free(terrain, moving.clearance, radius, height, x[i], y[i], x[j], y[j]):
                    cost[i, j] = cost[j, i] = np.hypot(x[i] - x[j], y[i] - y[j])


@kernel
def shorten(cost: Any, step: Any) -> None:
    """Floyd and Warshall: shortest ways between all nodes, and the next node on each."""
    count = len(cost)
    for k in range(count):
        for i in range(count):
            first = cost[i, k]
            if first == np.inf:
                continue
            for j in range(count):
                through = first + cost[k, j]
                if through < cost[i, j] - 1e-9:
                    cost[i, j] = through
                    step[i, j] = step[i, k]


@kernel
def nodes_in_view(
    terrain: Any, moving: Any, radius: Any, where: Any, stand: Any, graph: Any, limit: Any, rows: Any, seen: Any
) -> None:
    """Which nodes a base on each place reaches by one walking leg."""
    for p in range(rows[0], rows[1]):
        if not stand[p]:
            continue
        height = where.heights[where.level[p]]
        for u in range(len(graph.x)):
            if graph.level[u] == where.level[p]:
                far = np.hypot(graph.x[u] - where.x[p], graph.y[u] - where.y[p])
                seen[p, u] = far <= limit and leg_is_free(
                    terrain, moving.clearance, radius, height, where.x[p], where.y[p], graph.x[u], graph.y[u]
                )


@kernel
def enter(where: Any, graph: Any, cost: Any, seen: Any, rows: Any, far: Any, entry: Any) -> None:
    """Length from each place to each node, and the first node on the way."""
    for p in range(rows[0], rows[1]):
        for v in range(len(graph.x)):
            if not seen[p, v]:
                continue
            leg = np.hypot(graph.x[v] - where.x[p], graph.y[v] - where.y[p])
            for u in range(len(graph.x)):
                length = leg + cost[v, u]
                if length < far[p, u] - 1e-9:
                    far[p, u] = length
                    entry[p, u] = v


@inline
def rounded_up(length: Any) -> Any:
    """Inches as thousandths, never less."""
    return np.int64(np.ceil(length * SCALE - 1e-3))


@kernel
def arrive(
    terrain: Any,
    moving: Any,
    where: Any,
    stand: Any,
    graph: Any,
    far: Any,
    seen_first: Any,
    seen_node: Any,
    seen_leg: Any,
    limit: Any,
    rows: Any,
    ways: Any,
) -> None:
    """Length and last node of the shortest path between each two places."""
    for p in range(rows[0], rows[1]):
        if not stand[p]:
            continue
        for q in range(len(where.x)):
            if not stand[q]:
                continue
            straight = np.hypot(where.x[q] - where.x[p], where.y[q] - where.y[p])
            if straight > limit:
                continue
            best, last = np.inf, NOWHERE
            if where.level[p] == where.level[q] and leg_is_free(
                terrain,
                moving.clearance,
                ways.radius[0],
                where.heights[where.level[p]],
                where.x[p],
                where.y[p],
                where.x[q],
                where.y[q],
            ):
                best = straight
            else:
                for i in range(seen_first[q], seen_first[q + 1]):
                    length = far[p, seen_node[i]] + seen_leg[i]
                    if length < best - 1e-9:
                        best, last = length, seen_node[i]
            if best <= limit:
                ways.length[p, q] = rounded_up(best)
                ways.via[p, q] = last


def blocks(count: int) -> list[NDArray[np.int64]]:
    """Rows 0 to `count` in stretches for threads; what each writes does not depend on how they are cut."""
    edges = np.linspace(0, count, 4 * threads() + 1).astype(np.int64)
    return [edges[i : i + 2] for i in range(len(edges) - 1)]


def threads() -> int:
    """Threads that build tables."""
    return max(1, min(8, os.cpu_count() or 1))


def ways(
    terrain: Prisms, where: Places, size: int, graph: Network, moving: Moving, limit: float = 20.0, near: float = 8.0
) -> Ways:
    """Shortest paths of base size number `size`, up to `limit` inches; lists of places up to `near` inches."""
    nodes, count, radius = len(graph.x), len(where.x), float(where.radius[size])
    if nodes > MOST_NODES:
        message = _("the terrain has {count} corners and edges to go round; at most {most} are allowed")
        raise UserError(message.format(count=nodes, most=MOST_NODES))
    stand = np.ascontiguousarray(where.stand[size])
    cost, step = _between_nodes(terrain, where, graph, moving, radius)
    seen = np.zeros((count, nodes), np.bool_)
    far, entry = np.full((count, nodes), np.inf), np.full((count, nodes), NOWHERE, np.uint16)
    table = Ways(
        np.full((count, count), NOWHERE, np.uint16), np.full((count, count), NOWHERE, np.uint16), entry, step,
        graph.x, graph.y, np.ascontiguousarray(where.heights[graph.level]), np.zeros(count + 1, np.int64),
        np.zeros(0, np.uint16), np.array([radius]),
    )  # fmt: skip
    with ThreadPoolExecutor(threads()) as pool:

        def spread(work: Any, *arguments: Any) -> None:
            list(pool.map(lambda rows: work(rows, *arguments), blocks(count)))

        spread(lambda rows: nodes_in_view(terrain, moving, radius, where, stand, graph, limit, rows, seen))
        spread(lambda rows: enter(where, graph, cost, seen, rows, far, entry))
        place, node = np.nonzero(seen)
        leg = np.hypot(graph.x[node] - where.x[place], graph.y[node] - where.y[place])
        first = np.searchsorted(place, np.arange(count + 1))
        spread(lambda rows: arrive(terrain, moving, where, stand, graph, far, first, node, leg, limit, rows, table))
    return _with_neighbours(table, where, near)


def _between_nodes(terrain: Prisms, where: Places, graph: Network, moving: Moving, radius: float) -> tuple[Any, Any]:
    """Shortest ways between nodes: lengths, and the next node on each."""
    nodes = len(graph.x)
    cost = np.full((nodes, nodes), np.inf)
    walk_between_nodes(terrain, moving, radius, where.heights, graph.x, graph.y, graph.level, cost)
    for start, end, length in zip(graph.start, graph.end, graph.cost, strict=True):
        cost[start, end] = min(cost[start, end], length)
    step = np.where(np.isfinite(cost), np.arange(nodes), NOWHERE).astype(np.uint16)
    shorten(cost, step)
    return cost, step


def _with_neighbours(table: Ways, where: Places, near: float) -> Ways:
    """The lists of near places.

    Places that are equally far are listed from one side of the board to the other: by (y, x) for a place in the first
    half of the board, against it for one in the second. So the lists of two places that are each other's image on a
    point-symmetric board are images too, and a bot that takes the first of equals favours neither side.
    """
    x, y = where.x - (where.x.min() + where.x.max()) / 2, where.y - (where.y.min() + where.y.max()) / 2
    second = (y > TIE) | ((abs(y) <= TIE) & (x > TIE))
    orders = np.lexsort((where.level, where.x, where.y)), np.lexsort((where.level, -where.x, -where.y))
    rows = []
    for p, row in enumerate(table.length):
        listed = orders[int(second[p])]
        order = listed[np.argsort(row[listed], kind="stable")]
        rows.append(order[: np.searchsorted(row[order], min(NOWHERE - 1, near * SCALE), side="right")])
    first = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return table._replace(near_first=first, near=np.concatenate(rows).astype(np.uint16))


# ── at play ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def reached(ways: Any, p: Any, q: Any, inches: Any) -> Any:
    """Whether the shortest path from p to q fits into so many inches, enemies apart (M1, M10)."""
    return ways.length[p, q] <= inches * SCALE + 1e-3 and ways.length[p, q] != NOWHERE


@apart
def route(ways: Any, where: Any, p: Any, q: Any, points: Any) -> Any:
    """Draw the shortest path from p to q into `points` [MOST_BENDS, 3]; the number of points, 0 for none (M1, M16-M20).

    Each leg is level or upright: a climb rises at the foot and then goes inward, a descent or jump goes outward and
    then falls.
    """
    if ways.length[p, q] == NOWHERE:
        return 0
    points[0, 0], points[0, 1], points[0, 2] = where.x[p], where.y[p], where.heights[where.level[p]]
    count = 1
    last = ways.via[p, q]
    if last != NOWHERE:
        node = ways.entry[p, last]
        while True:
            count = go_on(points, count, ways.node_x[node], ways.node_y[node], ways.node_z[node])
            if node == last or count == 0:
                break
            node = ways.next[node, last]
    if count == 0:
        return 0
    return go_on(points, count, where.x[q], where.y[q], where.heights[where.level[q]])


@inline
def go_on(points: Any, count: Any, x: Any, y: Any, z: Any) -> Any:
    """Add a leg to a path, in two parts when it changes height; 0 when there is no room."""
    if count == 0 or count + 2 > len(points):
        return 0
    before = points[count - 1, 2]
    if z > before + TOUCH:
        points[count, 0], points[count, 1], points[count, 2] = points[count - 1, 0], points[count - 1, 1], z
        count += 1
    elif z < before - TOUCH:
        points[count, 0], points[count, 1], points[count, 2] = x, y, before
        count += 1
    points[count, 0], points[count, 1], points[count, 2] = x, y, z
    return count + 1


@apart
def path_is_free(points: Any, count: Any, radius: Any, foes: Any, many: Any) -> Any:
    """Whether a base of that radius passes no enemy base on its path (M4); `foes` as in `moves.Scratch`."""
    for i in range(1, count):
        low, high = min(points[i - 1, 2], points[i, 2]), max(points[i - 1, 2], points[i, 2])
        for e in range(many):
            if foes[e, 2] <= low - BASE_HEIGHT or foes[e, 2] >= high + BASE_HEIGHT:
                continue
            room = radius + foes[e, 3] - TOUCH
            square = square_to_segment(
                foes[e, 0], foes[e, 1], points[i - 1, 0], points[i - 1, 1], points[i, 0], points[i, 1]
            )
            if square < room * room:
                return False
    return True


@apart
def contact_along(terrain: Any, points: Any, count: Any, radius: Any, reach: Any, foes: Any, many: Any) -> Any:
    """What a path does to contact with enemies: FREE, KEPT (made, and kept to the end) or BROKEN (M13, RULING 17, K5).

    The start counts as part of the path. Along each leg an enemy is near over one stretch, found exactly; only the
    walls between are looked for point by point.
    """
    found = FREE
    for e in range(many):
        x, y, z, foe, bare = foes[e, 0], foes[e, 1], foes[e, 2], foes[e, 3], foes[e, 4] > 0.0
        touching = False
        for i in range(1, count):
            ax, ay, az = points[i - 1, 0], points[i - 1, 1], points[i - 1, 2]
            bx, by, bz = points[i, 0], points[i, 1], points[i, 2]
            start, end = near_stretch(ax, ay, az, bx, by, bz, x, y, z, radius + foe, reach)
            if touching and (start > end or start > 0.0):
                return BROKEN
            if start > end:
                continue
            length = np.hypot(bx - ax, by - ay) + abs(bz - az)
            parts = 1 if bare else 1 + int((end - start) * length / SAMPLE)
            for part in range(parts + 1):
                t = start + (end - start) * part / parts
                now = bare or not separated(
                    terrain, ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az), radius, x, y, z, foe
                )
                if touching and not now:
                    return BROKEN
                touching = now
            if touching and end < 1.0:
                return BROKEN
        if touching:
            found = KEPT
    return found


@inline
def near_stretch(
    ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any, cx: Any, cy: Any, cz: Any, radii: Any, reach: Any
) -> Any:
    """The stretch of a level or upright leg on which the gap to a base is at most `reach` (RULING 8); 1, 0 if none."""
    start, end = 0.0, 1.0
    dx, dy, dz = bx - ax, by - ay, bz - az
    if abs(dz) > TOUCH:  # upright: the plain distance does not change
        plain = max(0.0, np.hypot(cx - ax, cy - ay) - radii)
        room = reach + TOUCH
        if plain > room:
            return 1.0, 0.0
        rise = np.sqrt(room * room - plain * plain)
        at_low, at_high = (cz - rise - az) / dz, (cz + rise - az) / dz
        start, end = max(start, min(at_low, at_high)), min(end, max(at_low, at_high))
        return start, end
    room = reach + TOUCH
    if abs(cz - az) > room:
        return 1.0, 0.0
    room = radii + np.sqrt(room * room - (cz - az) * (cz - az))
    ex, ey = ax - cx, ay - cy
    square, along, off = dx * dx + dy * dy, ex * dx + ey * dy, ex * ex + ey * ey - room * room
    if square < 1e-18:
        if off > 0.0:
            return 1.0, 0.0
        return start, end
    root = along * along - square * off
    if root < 0.0:
        return 1.0, 0.0
    root = np.sqrt(root)
    return max(start, (-along - root) / square), min(end, (-along + root) / square)
