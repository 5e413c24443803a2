"""Enumerated dice: every answer once, with its chance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, factorial

import numpy as np
import pytest

from morsdei_sim._jit import builder
from morsdei_sim.dice import questions
from morsdei_sim.dice.every import DEEPEST, every, next_path, start_path
from morsdei_sim.fight import exact
from morsdei_sim.rulesets.morsdei.rules import Rules
from morsdei_sim.rulesets.morsdei.shooting import Shooter, Shooting, Target


@builder
def all_pools(dice, n, hit, weights, times):
    """Add the weight of each (normals, crits), and count its paths."""
    dice.path[:] = 0
    while True:
        start_path(dice)
        normals, crits = questions.pool(dice, n, hit, 0)
        weights[normals, crits] += dice.weight[0]
        times[normals, crits] += 1
        if not next_path(dice):
            return


@builder
def all_faces(dice, n, hit, packed, weights):
    """Write each answer of `faces` with its weight; return their number."""
    dice.path[:] = 0
    paths = 0
    while True:
        start_path(dice)
        packed[paths] = questions.faces(dice, n, hit, 0)
        weights[paths] = dice.weight[0]
        paths += 1
        if not next_path(dice):
            return paths


@builder
def two_questions(dice, n, seen):
    """A die, then a choice among n or n + 1: weights by (face, choice)."""
    dice.path[:] = 0
    while True:
        start_path(dice)
        face = questions.die(dice, 0)
        chosen = questions.choose(dice, n + face % 2, 1)
        seen[face, chosen] += dice.weight[0]
        if not next_path(dice):
            return


@pytest.mark.parametrize("hit", range(2, 7))
def test_pools(hit: int) -> None:
    for n in range(21):
        weights, times = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1), np.int64)
        all_pools(every(), n, hit, weights, times)
        assert weights.sum() == pytest.approx(1, abs=1e-13)
        for normals in range(n + 1):
            for crits in range(n + 1):
                reached = normals + crits <= n
                assert times[normals, crits] == reached
                if reached:
                    ways = comb(n, normals) * comb(n - normals, crits)
                    chance = Fraction(ways * (6 - hit) ** normals * (hit - 1) ** (n - normals - crits), 6**n)
                    assert weights[normals, crits] == pytest.approx(float(chance), rel=1e-14)


@pytest.mark.parametrize("hit", range(2, 7))
def test_faces(hit: int) -> None:
    for n in (0, 1, 2, 3, 4, 5, 6, 8, 20):
        size = comb(n + 7 - hit, n)
        packed, weights = np.zeros(size, np.int64), np.zeros(size)
        assert all_faces(every(), n, hit, packed, weights) == size
        assert len(set(packed.tolist())) == size
        assert weights.sum() == pytest.approx(1, abs=1e-12)
        for code, weight in zip(packed.tolist(), weights.tolist(), strict=True):
            counts = [code >> 5 * (face - 2) & 31 for face in range(2, 7)]
            assert not any(counts[: hit - 2])
            missed = n - sum(counts)
            ways = factorial(n) // factorial(missed)
            for count in counts:
                ways //= factorial(count)
            assert weight == pytest.approx(float(Fraction(ways * (hit - 1) ** missed, 6**n)), rel=1e-13)


@builder
def all_unders(dice, n, limit, weights):
    """Add the weight of each (successes, sixes)."""
    dice.path[:] = 0
    while True:
        start_path(dice)
        successes, sixes = questions.under(dice, n, limit, 0)
        weights[successes, sixes] += dice.weight[0]
        if not next_path(dice):
            return


@builder
def all_totals(dice, n, need, weights):
    """Add the weight of each (sum of n dice, whether one more die shows `need`)."""
    dice.path[:] = 0
    while True:
        start_path(dice)
        answer = questions.total(dice, n, 0)
        weights[answer, questions.passes(dice, need, 1)] += dice.weight[0]
        if not next_path(dice):
            return


@pytest.mark.parametrize("limit", range(1, 7))
def test_unders(limit: int) -> None:
    """Successes and sixes of the same dice, against all 6^n faces."""
    for n in range(6):
        expected = np.zeros((n + 1, n + 1))
        for roll in product(range(1, 7), repeat=n):
            expected[sum(face <= limit for face in roll), roll.count(6)] += 1 / 6**n
        weights = np.zeros((n + 1, n + 1))
        all_unders(every(), n, limit, weights)
        assert weights == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("need", [-3, 0, 1, 2, 3, 4, 5, 6, 7, 9])
def test_totals_and_passes(need: int) -> None:
    passing = min(max(7 - need, 0), 6) / 6
    for n in range(5):
        expected = np.zeros((25, 2))
        for roll in product(range(1, 7), repeat=n):
            expected[sum(roll)] += np.array([1 - passing, passing]) / 6**n
        weights = np.zeros((25, 2))
        all_totals(every(), n, need, weights)
        assert weights == pytest.approx(expected, abs=1e-12)


def test_questions_one_after_another() -> None:
    """The second question may depend on the first answer."""
    seen = np.zeros((7, 5))
    two_questions(every(), 3, seen)
    for face in range(1, 7):
        options = 3 + face % 2
        assert seen[face] == pytest.approx([1 / 6 / options] * options + [0] * (5 - options), abs=1e-15)


def test_too_many_questions_are_no_number() -> None:
    """A rule that asks more than a path can hold must not get an answer."""

    class Endless(Shooting):
        __slots__ = ()

    def attack(rules, dice, attacker, defender, state):
        for _ in range(DEEPEST + 3):
            questions.pool(dice, 0, 4, 0)
        return state

    from morsdei_sim.fight import verbs

    for verb in (verbs.span, verbs.begin, verbs.attacks, verbs.largest):
        verbs.means(verb, Endless)(verbs.MEANINGS[verb.__name__, Shooting])
    verbs.means(verbs.attack, Endless)(attack)
    with pytest.raises(RuntimeError, match="more questions"):
        exact.pmf(Endless(*Rules()), Shooter(1, 4, 1, 0, 0, 0, 0, 0, 1), Target(1, 1, 1, 0, 0, 0, 0))
