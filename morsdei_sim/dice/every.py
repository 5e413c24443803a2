"""Every answer once, with its chance: the same rule, read as an exact enumeration.

A path is the list of arms taken, one per question. The driver runs the rule again for each path and advances the last
arm that can still advance, so a rule needs no special form to be enumerated.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import inline
from morsdei_sim.dice.questions import (
    FIELD,
    MAX_POOL,
    MAX_TOTAL,
    answers,
    choose,
    die,
    faces,
    passes,
    pool,
    total,
    under,
)

DEEPEST = 256
"""Most questions on one path."""


class EveryDice(NamedTuple):
    """The path under way. `asked` counts its questions, `weight` is its chance so far."""

    path: NDArray[np.int64]
    arms: NDArray[np.int64]
    asked: NDArray[np.int64]
    weight: NDArray[np.float64]
    start: NDArray[np.int64]
    normals: NDArray[np.int64]
    crits: NDArray[np.int64]
    chance: NDArray[np.float64]
    binomial: NDArray[np.float64]
    sums: NDArray[np.float64]


@cache
def pool_classes() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Classes (normals, crits) of 0..MAX_POOL dice: first class of each n, normals, crits, chance per hit (7 rows)."""
    start, normals, crits = [0], [], []
    chance: list[list[float]] = [[] for _ in range(7)]
    for n in range(MAX_POOL + 1):
        for some in range(n + 1):
            for sixes in range(n - some + 1):
                normals.append(some)
                crits.append(sixes)
                ways = comb(n, some) * comb(n - some, sixes)
                for hit in range(7):  # a pool is asked for 2-6; row 1 serves `under`; row 0 is never read
                    counted = max(hit, 1)
                    chance[hit].append(ways * (6 - counted) ** some * (counted - 1) ** (n - some - sixes) / 6**n)
        start.append(len(normals))
    return np.array(start), np.array(normals), np.array(crits), np.array(chance)


@cache
def binomials() -> NDArray[np.float64]:
    """Chance of j of k dice showing one given face out of f equally likely ones: array [f, k, j], f = 0..6."""
    table = np.zeros((7, MAX_POOL + 1, MAX_POOL + 1))
    for f in range(1, 7):
        for k in range(MAX_POOL + 1):
            for j in range(k + 1):
                table[f, k, j] = comb(k, j) * (f - 1) ** (k - j) / f**k
    return table


@cache
def sums() -> NDArray[np.float64]:
    """Chance of each sum of n d6: array [n, sum], n = 0..MAX_TOTAL."""
    table = np.zeros((MAX_TOTAL + 1, 6 * MAX_TOTAL + 1))
    table[0, 0] = 1.0
    for n in range(1, MAX_TOTAL + 1):
        for face in range(1, 7):
            table[n, face:] += table[n - 1, : 6 * MAX_TOTAL + 1 - face] / 6
    return table


def every() -> EveryDice:
    """A source that has asked nothing yet."""
    return EveryDice(
        np.zeros(DEEPEST, np.int64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(1, np.int64),
        np.ones(1),
        *pool_classes(),
        binomials(),
        sums(),
    )


@inline
def start_path(dice):
    """Go back to the first question, keeping the arms chosen."""
    dice.asked[0] = 0
    dice.weight[0] = 1.0


@inline
def next_path(dice):
    """Advance to the next path; False when all have been taken."""
    depth = dice.asked[0]
    while depth > 0:
        depth -= 1
        if dice.path[depth] + 1 < dice.arms[depth]:
            dice.path[depth] += 1
            return True
        dice.path[depth] = 0
    return False


@inline
def arm(dice, arms):
    """The arm of this path at the question now asked, which has `arms` arms."""
    asked = min(dice.asked[0], DEEPEST - 1)
    if asked == DEEPEST - 1:  # raising here would make every path five times slower; the driver checks for NaN instead
        dice.weight[0] = np.nan
    dice.arms[asked] = arms
    dice.asked[0] = asked + 1
    return dice.path[asked]


@answers(pool, EveryDice)
def _pool(dice, n, hit, purpose):
    first = dice.start[n]
    here = first + arm(dice, dice.start[n + 1] - first)
    dice.weight[0] *= dice.chance[hit, here]
    return dice.normals[here], dice.crits[here]


@answers(faces, EveryDice)
def _faces(dice, n, hit, purpose):
    # Face by face from 6 down: of the dice left, how many show this face rather than a lower one.
    packed = np.int64(0)
    left = n
    for face in range(6, hit - 1, -1):
        count = arm(dice, left + 1)
        dice.weight[0] *= dice.binomial[face, left, count]
        packed += count << (FIELD * (face - 2))
        left -= count
    return packed


@answers(die, EveryDice)
def _die(dice, purpose):
    dice.weight[0] *= 1.0 / 6.0
    return arm(dice, 6) + 1


@answers(choose, EveryDice)
def _choose(dice, n, purpose):
    dice.weight[0] *= 1.0 / n
    return arm(dice, n)


@answers(passes, EveryDice)
def _passes(dice, need, purpose):
    if need <= 1:
        return 1
    if need > 6:
        return 0
    answer = arm(dice, 2)
    dice.weight[0] *= (7 - need if answer else need - 1) / 6.0
    return answer


@answers(under, EveryDice)
def _under(dice, n, limit, purpose):
    # The classes of a pool, with the faces up to the limit in the part of its normals: as many faces, and no six.
    first = dice.start[n]
    here = first + arm(dice, dice.start[n + 1] - first)
    dice.weight[0] *= dice.chance[6 - min(limit, 5), here]
    return dice.normals[here] + (dice.crits[here] if limit >= 6 else 0), dice.crits[here]


@answers(total, EveryDice)
def _total(dice, n, purpose):
    answer = n + arm(dice, 5 * n + 1)
    dice.weight[0] *= dice.sums[n, answer]
    return answer
