"""Fights without a fixed length, on two toy fights whose answers are known in closed form.

Sampling tests say n, the statistic and the chance of a false alarm.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import chi2

from morsdei_sim.dice.questions import passes, total
from morsdei_sim.fight import long, verbs
from morsdei_sim.fight.outcome import Reading
from morsdei_sim.fight.run import EXACT, Run


class Book(NamedTuple):
    """Rules of the toys."""

    stuck: int = 0


class Ruin(Book):
    """Gambler's ruin: each turn one d6; on `need` or more one step up, else one down; ends at 0 and at `top`.

    A state is 2 * place + (1 within the turn): a turn is two steps, so the turns and the steps differ.
    """

    __slots__ = ()


class Player(NamedTuple):
    need: int
    top: int
    start: int


@verbs.means(verbs.span, Ruin)
def _span(rules, attacker, defender):
    return 2


@verbs.means(verbs.begin, Ruin)
def _begin(rules, attacker, defender):
    return 2 * attacker.start


@verbs.means(verbs.largest, Ruin)
def _largest(rules, attacker, defender):
    return 1


@verbs.means(verbs.stage, Ruin)
def _stage(rules, attacker, defender, state):
    if state == 0:
        return 0
    if state == 2 * attacker.top:
        return 1
    return verbs.RUNNING if state & 1 else verbs.TURN


@verbs.means(verbs.attack, Ruin)
def _attack(rules, dice, attacker, defender, state):
    if not state & 1:
        return state + 1
    if rules.stuck and state >> 1 == 1:  # a place that nobody leaves
        return state - 1
    return state + 1 if passes(dice, attacker.need, 0) else state - 3


class Far(Ruin):
    """Roll four dice a turn and add them up until the sum passes `top`: many states."""

    __slots__ = ()


for verb in (verbs.begin, verbs.largest):
    verbs.means(verb, Far)(verbs.MEANINGS[verb.__name__, Ruin])


@verbs.means(verbs.span, Far)
def _one(rules, attacker, defender):
    return 1


@verbs.means(verbs.stage, Far)
def _stage_of_far(rules, attacker, defender, state):
    return 0 if state >= attacker.top else verbs.TURN


@verbs.means(verbs.attack, Far)
def _attack_of_far(rules, dice, attacker, defender, state):
    return min(state + total(dice, 4, 0), attacker.top)


NOBODY = Player(0, 0, 0)


def up(cells: np.ndarray, turns: np.ndarray) -> tuple[Reading, ...]:
    return (Reading("up", "chance", (cells == 1).astype(np.int64)),)


@pytest.mark.parametrize(("need", "top", "start"), [(4, 10, 3), (3, 7, 2), (6, 4, 2), (4, 1, 1)])
def test_gamblers_ruin(need: int, top: int, start: int) -> None:
    """Chance and mean duration of the ruin are classical."""
    p = (7 - need) / 6
    q = 1 - p
    if p == q:
        chance, mean = start / top, start * (top - start)
    else:
        chance = (1 - (q / p) ** start) / (1 - (q / p) ** top)
        mean = (start - top * chance) / (q - p)
    for limit in (1, 5, 2000):
        found = long.play(EXACT, Ruin(), Player(need, top, start), NOBODY, limit, up)
        assert found.value("mean_turns") == pytest.approx(mean or 1, rel=1e-12)
        assert found.weights.sum() == pytest.approx(1, abs=1e-14)
        if limit == 2000:
            assert found.value("up") == pytest.approx(chance, abs=1e-13)
        assert set(found.distribution("turns")) <= set(range(1, limit + 2))


def test_a_slow_end_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """What patience does not follow to its end is solved as equations, to the same mean."""
    monkeypatch.setattr(long, "PATIENCE", 3)
    found = long.play(EXACT, Ruin(), Player(4, 60, 30), NOBODY, 2, up)
    assert found.value("mean_turns") == pytest.approx(900, rel=1e-10)


def test_never() -> None:
    """With a place that nobody leaves the mean is infinite; the chance of the other end is not touched."""
    found = long.play(EXACT, Ruin(1), Player(4, 3, 2), NOBODY, 50, up)
    assert found.value("mean_turns") == np.inf
    assert found.value("up") == pytest.approx(1 / 2, abs=1e-14)
    assert found.distribution("turns")[51] == pytest.approx(1 / 2, abs=1e-14)


def test_many_states() -> None:
    """The table of states grows; every sum is reached with its renewal chance: a mean of n + 1/2 + s^2/2m^2 turns."""
    top = 20_000
    found = long.play(EXACT, Far(), Player(0, top, 0), NOBODY, 10, lambda cells, turns: ())
    mean, second = 14.0, 4 * 35 / 12 + 14.0**2
    # Sums of lattice span 1: E[turns to reach top] -> top / m + E[X^2] / 2 m^2 + 1 / 2m - ... (Feller XI).
    assert found.value("mean_turns") == pytest.approx(top / mean + second / (2 * mean**2) - 1 / (2 * mean), abs=1e-6)


def test_sample_agrees_with_exact() -> None:
    """n = 400,000 fights; chi-square over ends and turns, rare cells (expected < 25) as one; alarm 1e-7."""
    limit, player = 60, Player(4, 6, 2)
    exact = long.play(EXACT, Ruin(), player, NOBODY, limit, up)
    run = Run("sample", trials=400_000, seed=11, jobs=2)
    found = long.play(run, Ruin(), player, NOBODY, limit, up)
    expected = exact.weights * 400_000
    small = expected < 25
    seen = np.append(found.weights[~small], found.weights[small].sum())
    wanted = np.append(expected[~small], expected[small].sum())
    kept = wanted > 1e-9
    assert not seen[~kept].any()
    statistic = ((seen[kept] - wanted[kept]) ** 2 / wanted[kept]).sum()
    assert chi2.sf(statistic, kept.sum() - 1) > 1e-7
    assert found.value("mean_turns_at_least") == pytest.approx(8, abs=0.1)
    alone = long.play(Run("sample", trials=400_000, seed=11, jobs=1), Ruin(), player, NOBODY, limit, up)
    assert (alone.weights == found.weights).all()


def test_splits_are_the_same_run() -> None:
    whole = long.sampled(Ruin(), Player(4, 6, 2), NOBODY, 9, 5000, 3)
    with ThreadPoolExecutor(2) as pool:
        parts = long.sampled(Ruin(), Player(4, 6, 2), NOBODY, 9, 2048, 3, pool) + long.sampled(
            Ruin(), Player(4, 6, 2), NOBODY, 9, 2952, 3, pool, first=2048
        )
    assert (whole == parts).all()
    assert whole.sum() == 5000
    assert whole[-1] > 0  # some are undecided


def test_too_many_states_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from morsdei_sim.errors import UserError

    monkeypatch.setattr(long, "MAX_STATES", 1000)
    with pytest.raises(UserError, match="more states"):
        long.play(EXACT, Far(), Player(0, 20_000, 0), NOBODY, 10, lambda cells, turns: ())
