"""Movements at play: the shortest path that the rules allow past the models on the table.

Models stand on places: `at[i]` is the place of fighter i (-1 when it is removed), `base[i]` the number of its base
size, `side[i]` its side. Terrain's shortest path is tried first. When an enemy stands in it, or it would break
contact, one more bend is looked for among the places near the start.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.rulesets.morsdei.game.contact import bases_overlap, gap_between
from morsdei_sim.rulesets.morsdei.game.paths import (
    BROKEN,
    FREE,
    MOST_BENDS,
    NOWHERE,
    SCALE,
    contact_along,
    path_is_free,
    route,
)
from morsdei_sim.rulesets.morsdei.game.terrain import TOUCH

__all__ = ["CONTRACT", "FALL_BACK", "MOVE", "Scratch", "destinations", "ends_free", "legal_path", "scratch"]

MOVE, FALL_BACK, CONTRACT, ONTO = 0, 1, 2, 3
"""Kinds of movement: what each says about contact on the way and at the end (M12-M13, M25, K5); ONTO a low obstacle to
stand on makes none on the way."""


class Scratch(NamedTuple):
    """Room to work in, one for each thread."""

    points: NDArray[np.float64]  # the path found
    second: NDArray[np.float64]
    foes: NDArray[np.float64]  # x, y, z, radius, whether on a bare place
    length: NDArray[np.int64]  # of the path found, thousandths of an inch


def scratch(fighters: int = 64) -> Scratch:
    """Room for games of so many fighters."""
    return Scratch(
        np.zeros((2 * MOST_BENDS, 3)), np.zeros((MOST_BENDS, 3)), np.zeros((fighters, 5)), np.zeros(1, np.int64)
    )


@apart
def ends_free(where: Any, at: Any, base: Any, side: Any, reach: Any, own: Any, q: Any, kind: Any) -> Any:
    """Whether fighter `own` may end on place q: it can stand there, over no other base, and unless the movement may
    make contact further than 1 inch from every enemy, walls or not (Q6, M3, M8, M25, K5, RULING 18)."""
    if not where.stand[base[own], q]:
        return False
    mine = where.radius[base[own]]
    for i in range(len(at)):
        c = at[i]
        if c < 0 or i == own:
            continue
        other = where.radius[base[i]]
        if bases_overlap(where.x[q], where.y[q], where.z[q], mine, where.x[c], where.y[c], where.z[c], other):
            return False
        if kind != MOVE and kind != ONTO and side[i] != side[own]:
            gap = gap_between(where.x[q], where.y[q], where.z[q], mine, where.x[c], where.y[c], where.z[c], other)
            if gap <= reach + TOUCH:
                return False
    return True


@inline
def foes_near(where: Any, at: Any, base: Any, side: Any, own: Any, room: Any, foes: Any) -> Any:
    """Enemies that a path of that length could come near; their number."""
    many = 0
    p = at[own]
    for i in range(len(at)):
        c = at[i]
        if c < 0 or side[i] == side[own]:
            continue
        far = room + where.radius[base[own]] + where.radius[base[i]]
        if abs(where.x[c] - where.x[p]) <= far and abs(where.y[c] - where.y[p]) <= far:
            foes[many, 0], foes[many, 1], foes[many, 2] = where.x[c], where.y[c], where.z[c]
            foes[many, 3], foes[many, 4] = where.radius[base[i]], where.bare[c]
            many += 1
    return many


@inline
def passes(terrain: Any, points: Any, count: Any, radius: Any, reach: Any, foes: Any, many: Any, kind: Any) -> Any:
    """Whether a path is allowed past the enemies (M4, M13, M25, K5, RULINGS 17, 19)."""
    if many == 0:
        return True
    if not path_is_free(points, count, radius, foes, many):
        return False
    if kind == FALL_BACK:
        return True
    found = contact_along(terrain, points, count, radius, reach, foes, many)
    return found != BROKEN if kind == MOVE else found == FREE


@apart
def legal_path(
    terrain: Any, where: Any, ways: Any, at: Any, base: Any, side: Any, reach: Any, own: Any, q: Any, inches: Any,
    kind: Any, room: Any,
) -> Any:  # fmt: skip
    """Draw into `room.points` a path of fighter `own` to place q, at most so many inches long; the number
    of its points, 0 when there is none (M1-M26, K4, K5); its length goes into `room.length`.

    `ways` is that of its base size. Whether it may move at all (M11, M24) is not asked here. Without a path the
    movement is not offered (RULING 20).
    """
    p, most = at[own], inches * SCALE + 1e-3
    if ways.length[p, q] > most or ways.length[p, q] == NOWHERE:
        return 0
    if not ends_free(where, at, base, side, reach, own, q, kind):
        return 0
    radius = where.radius[base[own]]
    many = foes_near(where, at, base, side, own, inches + reach + TOUCH, room.foes)
    if kind == MOVE and where.z[q] > where.heights[where.level[q]] + TOUCH:
        kind = ONTO  # RULING 23: the path is judged at the foot of the obstacle, contact at its end from its top
    count = route(ways, where, p, q, room.points)
    if count > 0 and passes(terrain, room.points, count, radius, reach, room.foes, many, kind):
        room.length[0] = ways.length[p, q]
        return count
    return way_round(terrain, where, ways, radius, reach, p, q, most, kind, room, many)


@apart
def way_round(
    terrain: Any, where: Any, ways: Any, radius: Any, reach: Any, p: Any, q: Any, most: Any, kind: Any, room: Any,
    many: Any,
) -> Any:  # fmt: skip
    """The shortest allowed path over one more place, drawn into `room.points`; 0 when there is none."""
    best, bend = np.int64(most) + 1, -1
    for i in range(ways.near_first[p], ways.near_first[p + 1]):
        w = ways.near[i]
        first, second = np.int64(ways.length[p, w]), np.int64(ways.length[w, q])
        if first >= best:
            break  # the list rises
        if second == NOWHERE or first + second >= best:
            continue
        count = joined(where, ways, p, w, q, room)
        if count > 0 and passes(terrain, room.points, count, radius, reach, room.foes, many, kind):
            best, bend = first + second, w
    if bend < 0:
        return 0
    room.length[0] = best
    return joined(where, ways, p, bend, q, room)


@inline
def joined(where: Any, ways: Any, p: Any, w: Any, q: Any, room: Any) -> Any:
    """The path from p over w to q."""
    count = route(ways, where, p, w, room.points[:MOST_BENDS])
    more = route(ways, where, w, q, room.second)
    if count == 0 or more == 0:
        return 0
    for i in range(1, more):
        for axis in range(3):
            room.points[count + i - 1, axis] = room.second[i, axis]
    return count + more - 1


@kernel
def destinations(
    terrain: Any, where: Any, ways: Any, at: Any, base: Any, side: Any, reach: Any, own: Any, inches: Any, kind: Any,
    room: Any, found: Any,
) -> Any:  # fmt: skip
    """Every place to which fighter `own` may move, the nearest first, into `found`; their number (M10, M25, K4).

    Its own place is not among them (RULING 25). Only places in the list of near ones are looked at.
    """
    p, count = at[own], 0
    for i in range(ways.near_first[p], ways.near_first[p + 1]):
        q = ways.near[i]
        if ways.length[p, q] > inches * SCALE + 1e-3:
            break
        if q != p and legal_path(terrain, where, ways, at, base, side, reach, own, q, inches, kind, room) > 0:
            found[count] = q
            count += 1
    return count
