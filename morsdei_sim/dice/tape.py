"""Dice that fall as written: the faces of a worked example, in the order in which the rule asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.dice.questions import FIELD, answers, choose, die, faces, passes, pool, total, under


class TapeDice(NamedTuple):
    """Faces still to be read, and how many have been."""

    written: NDArray[np.int64]
    here: NDArray[np.int64]


def tape(written: Sequence[int]) -> TapeDice:
    """A tape of the given faces. `used_up(tape)` tells whether all of them were read."""
    return TapeDice(np.asarray(written, dtype=np.int64), np.zeros(1, dtype=np.int64))


def used_up(dice: TapeDice) -> bool:
    """Whether the rule asked for exactly the faces that were written."""
    return int(dice.here[0]) == len(dice.written)


@answers(die, TapeDice)
def _die(dice, purpose):
    here = dice.here[0]
    if here >= len(dice.written):
        raise IndexError("the tape has ended: the rule asked for more dice than were written")
    dice.here[0] = here + 1
    return dice.written[here]


@answers(pool, TapeDice)
def _pool(dice, n, hit, purpose):
    normals = 0
    crits = 0
    for _ in range(n):
        face = die(dice, purpose)
        crits += face == 6
        normals += hit <= face < 6 and face > 1
    return normals, crits


@answers(faces, TapeDice)
def _faces(dice, n, hit, purpose):
    counts = 0
    for _ in range(n):
        face = die(dice, purpose)
        if face >= hit and face > 1:
            counts += 1 << (FIELD * (face - 2))
    return counts


@answers(choose, TapeDice)
def _choose(dice, n, purpose):
    return die(dice, purpose) - 1


@answers(passes, TapeDice)
def _passes(dice, need, purpose):
    if need <= 1:
        return 1
    if need > 6:
        return 0
    return 1 if die(dice, purpose) >= need else 0


@answers(under, TapeDice)
def _under(dice, n, limit, purpose):
    successes = 0
    sixes = 0
    for _ in range(n):
        face = die(dice, purpose)
        successes += face <= limit
        sixes += face == 6
    return successes, sixes


@answers(total, TapeDice)
def _total(dice, n, purpose):
    answer = 0
    for _ in range(n):
        answer += die(dice, purpose)
    return answer
