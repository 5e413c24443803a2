"""An open table of an engagement: who stands where, and what that means (R5-R11, R16, R21, R24-R26, R29 in part).

Simplifications, all of them: the table is a square without terrain, so everybody sees everybody (RULING 38); bases are
points, so a gap is the distance of two points; a model may move through its friends. Two of different sides that are
nearer than 1 inch are in close combat (R21, R26): combat is read off the positions. Lengths are quarters of an inch.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline
from morsdei_sim.dice.rolled import at, drawn_now
from morsdei_sim.rulesets.club.harm import DEAD, is_dying
from morsdei_sim.rulesets.club.rules import QUARTERS
from morsdei_sim.rulesets.club.shooting import Arm, Target

CONTACT = 2.0
"""Gap at which one who enters combat ends: half an inch, which is less than 1 (R21)."""

HAIR = 1e-6
"""Lengths that differ by less are equal: positions are sums of square roots."""

RANGED, PISTOL, MELEE = 0, 1, 2
SPEED, PLAN, BODY, ENDURANCE, ARMS, COLUMNS = 0, 1, 2, 4, 8, 8 + 3 * 9
"""Columns of a fighter's numbers: speed, plan, its `Target` without the life, its three `Arm`s."""

TRIAL, STEP, TURNS, ROUND = 0, 1, 2, 3
"""Places of the clock."""


class Field(NamedTuple):
    """All fighters: int64 and float64 arrays, one entry each.

    cards : numbers that do not change, as the columns above.
    side, unit : 0 or 1; models of one card are a unit (R14).
    x, y : position. life, hurt : as in `harm`; damage of this turn. ranged, pistol : shots in the magazines.
    fresh : whether it still has its turn in this round (RULING 3). fight : scratch. kills : enemies it has killed.
    clock : trial, dice rolled, turns, round.
    """

    cards: NDArray[np.int64]
    side: NDArray[np.int64]
    unit: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    life: NDArray[np.int64]
    hurt: NDArray[np.int64]
    ranged: NDArray[np.int64]
    pistol: NDArray[np.int64]
    fresh: NDArray[np.int64]
    fight: NDArray[np.int64]
    kills: NDArray[np.int64]
    clock: NDArray[np.int64]


@apart
def next_dice(dice, field):
    """Dice for the next roll of this trial: no two rolls share a step."""
    trial, step = field.clock[TRIAL], field.clock[STEP]
    field.clock[STEP] = step + 1
    first = drawn_now(dice.seed, trial, step, 0, 0)
    return at(dice, trial, step, first, drawn_now(dice.seed, trial, step, 1, 0))


@inline
def arm_at(field, who, slot):
    """The weapon in a slot; without shots when the slot is empty."""
    card, first = field.cards[who], ARMS + 9 * slot
    return Arm(
        card[first], card[first + 1], card[first + 2], card[first + 3], card[first + 4], card[first + 5],
        card[first + 6], card[first + 7], card[first + 8],
    )  # fmt: skip


@inline
def body_at(field, who):
    """The fighter as somebody who is attacked."""
    card = field.cards[who]
    return Target(
        card[BODY], card[BODY + 1], card[BODY + 2], card[BODY + 3], card[BODY + 4], card[BODY + 5], field.life[who]
    )  # fmt: skip


@inline
def lives(field, who):
    """Whether it is not dead: the dying are not (R36)."""
    return field.life[who] != DEAD


@inline
def dying(field, who):
    """R30."""
    return is_dying(field.life[who])


@inline
def gap(field, one, other):
    """Distance of two, in quarters of an inch."""
    dx, dy = field.x[one] - field.x[other], field.y[one] - field.y[other]
    return sqrt(dx * dx + dy * dy)


@apart
def engaged(rules, field, one, other):
    """R21, R26 Whether two are in close combat: enemies alive and nearer than 1 inch."""
    if field.side[one] == field.side[other] or not lives(field, one) or not lives(field, other):
        return False
    return gap(field, one, other) < rules.keep_off * QUARTERS - HAIR


@apart
def tied_up(rules, field, who):
    """R9, R62 Whether one is in close combat with anybody."""
    found = False
    for other in range(len(field.side)):
        found = found or engaged(rules, field, who, other)
    return found


@apart
def nearest_enemy(field, who):
    """The nearest living enemy, the lower index of equals (RULING 34); -1 when there is none."""
    best, shortest = -1, 0.0
    for other in range(len(field.side)):
        if field.side[other] != field.side[who] and lives(field, other):
            here = gap(field, who, other)
            if best < 0 or here < shortest - HAIR:
                best, shortest = other, here
    return best


@apart
def direction(field, who, other):
    """The unit vector from one to another; towards the other's edge when they stand on one point."""
    dx, dy = field.x[other] - field.x[who], field.y[other] - field.y[who]
    length = sqrt(dx * dx + dy * dy)
    if length < HAIR:
        return (1.0 if field.side[who] == 0 else -1.0), 0.0
    return dx / length, dy / length


@apart
def clear_way(rules, field, who, ux, uy, length):
    """R8 How far one may go in a direction, at most `length`, before it comes nearer than 1 inch to an enemy."""
    keep = rules.keep_off * QUARTERS
    for other in range(len(field.side)):
        if field.side[other] == field.side[who] or not lives(field, other):
            continue
        ex, ey = field.x[other] - field.x[who], field.y[other] - field.y[who]
        along = ex * ux + ey * uy
        aside = ex * ex + ey * ey - along * along
        if along > 0.0 and aside < keep * keep:
            length = min(length, max(0.0, along - sqrt(keep * keep - aside)))
    return length


@inline
def to_the_edge(place, step, size):
    """How far one can go along one axis, moving `step` for each unit of way, before the table ends."""
    if step > 0.0:
        return (size - place) / step
    return place / -step if step < 0.0 else 4.0 * size


@apart
def go(rules, field, who, ux, uy, length):
    """RULING 29 Move in a direction, at most to the edge of the table."""
    size = 1.0 * rules.table * QUARTERS
    length = min(length, to_the_edge(field.x[who], ux, size), to_the_edge(field.y[who], uy, size))
    field.x[who] += ux * max(0.0, length)
    field.y[who] += uy * max(0.0, length)
