"""Counting equal rolls first and resolving each once gives the very counts that resolving every trial gives."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from morsdei_sim.dice.rolled import AHEAD, BLOCK, rolled
from morsdei_sim.fight import sample
from morsdei_sim.fight.verbs import largest, pools, span
from morsdei_sim.rulesets.morsdei.rules import Rules
from morsdei_sim.rulesets.morsdei.shooting import Planner, Shooter, Shooting, Target

TRIALS = 40 * BLOCK + 17
KIND = Shooting(*Rules())


def one_by_one(shooter: Shooter, target: Target, seed: int, first: int) -> np.ndarray:
    counts = np.zeros(span(KIND, shooter, target), np.int64)
    dice = rolled(seed, largest(KIND, shooter, target))
    scratch = np.empty((AHEAD, BLOCK), np.uint32), np.empty(BLOCK, np.int64)
    sample.tally(KIND, dice, shooter, target, first, TRIALS, *scratch, counts)
    return counts


@pytest.mark.parametrize(("prone", "going"), list(itertools.product((0, 1), repeat=2)))
@pytest.mark.parametrize(("dice", "hit", "defence", "saves"), [(4, 4, 2, 0), (3, 2, 3, 1), (1, 6, 0, 0), (4, 3, 1, 1)])
def test_the_same_counts(dice: int, hit: int, defence: int, saves: int, prone: int, going: int) -> None:
    shooter = Shooter(dice, hit, 3, 1, 0, 0, 0, 0, 1)
    target = Target(defence, 7, 7, 0, prone, saves, going)
    assert pools(KIND, shooter, target, 0) is not None
    for seed, first in ((5, 0), (6, 3 * BLOCK)):
        counted = sample.sample(KIND, shooter, target, TRIALS, seed, first=first)
        assert counted.sum() == TRIALS
        np.testing.assert_array_equal(counted, one_by_one(shooter, target, seed, first))


def test_a_plan_is_not_counted_in_pairs() -> None:
    """Whether a planner goes prone depends on the hits, so its pool is not known beforehand."""
    planner = Planner(3, 7, 7, 0, 0, 0, np.ones((2, 5, 5), np.int8))
    assert pools(KIND, Shooter(4, 4, 4, 0, 0, 0, 0, 0, 1), planner, 0) is None
