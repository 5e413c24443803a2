"""Best, fixed and mixed play on games made for the test: by hand, and random ones against a plain Python minimax.

The games are tables, so that the compiled `offers` below never needs to change: a kernel cache knows the package's
sources, not this file.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from morsdei_sim._jit import builder
from morsdei_sim.dice.rolled import at, drawn_now, rolled
from morsdei_sim.dice.tape import tape, used_up
from morsdei_sim.fight import solve, verbs
from morsdei_sim.fight.solve import UNIFORM, Best, Plan, Reply

Answers = list[tuple[int, int]]  # (name, next)
Place = tuple[int, list[tuple[int, Answers]]]  # leader, [(name of the lead, its answers)]


class Drawn(NamedTuple):
    """A game drawn up as tables, by position."""

    leader: NDArray[np.int64]
    leads: NDArray[np.int64]
    lead: NDArray[np.int64]
    end: NDArray[np.int64]
    answer: NDArray[np.int64]
    next: NDArray[np.int64]


@verbs.means(solve.offers, Drawn)
def _offers(game, position, menu):
    for k in range(game.leads[position]):
        menu.lead[k] = game.lead[position, k]
        menu.end[k] = game.end[position, k]
    for j in range(game.answer.shape[1]):
        menu.answer[j] = game.answer[position, j]
        menu.next[j] = game.next[position, j]
    return game.leader[position], game.leads[position]


def drawn(places: list[Place]) -> Drawn:
    n = len(places)
    game = Drawn(*(np.zeros(shape, np.int64) for shape in (n, n, (n, 8), (n, 8), (n, 32), (n, 32))))
    for position, (leader, leads) in enumerate(places):
        game.leader[position], game.leads[position] = leader, len(leads)
        j = 0
        for k, (name, answers) in enumerate(leads):
            game.lead[position, k] = name
            for answer, following in answers:
                game.answer[position, j], game.next[position, j] = answer, following
                j += 1
            game.end[position, k] = j
    return game


def best_values(game: Drawn, score: list[float]) -> np.ndarray:
    value = np.zeros(len(game.leader))
    solve.solve(game, np.array(score, float), solve.menu(), value)
    return value


def spread(game: Drawn, policies: tuple, start: int, outcomes: int) -> np.ndarray:
    chance, out = np.zeros(len(game.leader)), np.zeros(outcomes)
    chance[start] = 1.0
    solve.spread(game, *policies, chance, out, solve.menu())
    return out


# Subtraction game: take 1 or 2 from a heap, who takes the last one wins. Position 2 n + leader; outcomes: 0 won by
# side 0, 1 by side 1.
HEAP = 30
LAST_WINS = [1.0, -1.0]


def heap(n: int, leader: int) -> Place:
    leads = []
    for taken in (1, 2):
        if taken <= n:
            leads.append((taken, [(0, -1 - leader if taken == n else 2 * (n - taken) + 1 - leader)]))
    return leader, leads


HEAPS = drawn([heap(n, leader) for n in range(HEAP + 1) for leader in (0, 1)])


def test_known_game() -> None:
    """The leader loses from multiples of three, and only from them."""
    value = best_values(HEAPS, LAST_WINS)
    for n in range(1, HEAP + 1):
        wins = 1.0 if n % 3 else -1.0
        assert value[2 * n] == wins
        assert value[2 * n + 1] == -wins
    assert value[0] == value[1] == 0.0  # no leads: never met


def test_best_play_is_played() -> None:
    best = Best(best_values(HEAPS, LAST_WINS), np.array(LAST_WINS))
    for n in range(1, HEAP + 1):
        assert spread(HEAPS, (best, best), 2 * n, 2)[0] == (1.0 if n % 3 else 0.0)


def plan(game: Drawn, lead: int = UNIFORM, answer: int = UNIFORM) -> Plan:
    n = len(game.leader)
    return Plan(np.full(n, lead, np.int8), np.full((n, solve.MAX_LEADS), answer, np.int8))


def test_plan_of_one_habit() -> None:
    """Both always take one: the parity decides. A name that is not on the menu leaves the choice to chance."""
    one = plan(HEAPS, 1)
    assert [spread(HEAPS, (one, one), 2 * n, 2)[0] for n in range(1, 7)] == [1, 0, 1, 0, 1, 0]
    two = plan(HEAPS, 2)  # at a heap of one there is no 2: the only option is taken
    assert [spread(HEAPS, (two, two), 2 * n, 2)[0] for n in range(1, 7)] == [1, 1, 0, 0, 1, 1]


def test_uniform_play_by_hand() -> None:
    """Heap of 2: take both (win) or one (the other takes the last)."""
    free = plan(HEAPS)
    assert spread(HEAPS, (free, free), 4, 2).tolist() == [0.5, 0.5]
    w = [Fraction(0), Fraction(1), Fraction(1, 2)]  # chance that the leader wins at random
    for n in range(3, 12):
        w.append((2 - w[n - 1] - w[n - 2]) / 2)
        assert spread(HEAPS, (free, free), 2 * n, 2)[0] == pytest.approx(float(w[n]), abs=1e-14)


@pytest.mark.parametrize("fixed", [0, 1])
def test_exploit_beats_a_habit(fixed: int) -> None:
    """Against "always one" the other side wins from every heap but 1, and best play against it does no better than
    exploit."""
    value = np.zeros(len(HEAPS.leader))
    habit = plan(HEAPS, 1)
    solve.exploit(HEAPS, np.array(LAST_WINS), solve.menu(), habit, fixed, value)
    sign = 1 if fixed == 1 else -1  # of the side that exploits
    for n in range(2, HEAP + 1):
        assert sign * value[2 * n + fixed] == (1.0 if n != 1 else -1.0) or n == 1
        clever = Reply(value, np.array(LAST_WINS), habit)
        both = (habit, clever) if fixed == 0 else (clever, habit)
        won = spread(HEAPS, both, 2 * n + fixed, 2)[1 - fixed]
        assert won == 1.0


# Matching game: the leader leads x, the other answers y; the outcome is x + 3 y.
def test_answers_matter() -> None:
    answers = [[(y, -1 - (x + 3 * y)) for y in range(3)] for x in range(3)]
    for leader, pick in ((0, max), (1, min)):
        game = drawn([(leader, [(10 + x, answers[x]) for x in range(3)])])
        score = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0]
        worst = [(min if leader == 0 else max)(score[x + 3 * y] for y in range(3)) for x in range(3)]
        assert best_values(game, score)[0] == pick(worst)


@pytest.mark.parametrize("leader", [0, 1])
def test_ties_go_to_the_first(leader: int) -> None:
    """Lead 0 and lead 2 are worth the same, and so are answers 1 and 2 to each: the first is taken."""
    good, bad = (1.0, 0.0) if leader == 0 else (0.0, 1.0)
    score = [bad, bad, bad, good, good, good, good, good, good]
    leads = [
        (7, [(0, -1 - 3), (1, -1 - 4), (2, -1 - 5)]),
        (8, [(0, -1 - 0), (1, -1 - 1)]),
        (9, [(0, -1 - 6), (1, -1 - 7)]),
    ]
    game = drawn([(leader, leads), (leader, leads[1:2] + leads)])
    value = best_values(game, score)
    assert value.tolist() == [good, good]
    best = Best(value, np.array(score))
    assert spread(game, (best, best), 0, 9).argmax() == 3
    assert spread(game, (best, best), 1, 9).argmax() == 3
    backwards = drawn([(leader, leads[::-1])])
    assert spread(backwards, (best, best), 0, 9).argmax() == 6


# ── random games ──


def random_game(rng: random.Random, size: int, outcomes: int) -> list[Place]:
    places: list[Place] = []
    for position in range(size):

        def following(position: int = position) -> int:
            return rng.randrange(position) if position and rng.random() < 0.7 else -1 - rng.randrange(outcomes)

        names = rng.sample(range(20), rng.randint(1, 5))
        leads = [(name, [(a, following()) for a in rng.sample(range(20), rng.randint(1, 5))]) for name in names]
        places.append((rng.randrange(2), leads))
    return places


def spread_plainly(places: list[Place], picks: tuple, start: int, outcomes: int) -> list[Fraction]:
    """Chances of the outcomes when side s plays picks[s](position) -> list of leads, picks[s](position, k) -> list of
    answers."""
    out = [Fraction(0)] * outcomes

    def go(position: int, mass: Fraction) -> None:
        if position < 0:
            out[-1 - position] += mass
            return
        leader, leads = places[position]
        ks = picks[leader](position, None)
        for k in ks:
            answers = picks[1 - leader](position, k)
            for j in answers:
                go(leads[k][1][j][1], mass / len(ks) / len(answers))

    go(start, Fraction(1))
    return out


def values_plainly(
    places: list[Place], score: list, habit: dict | None = None, fixed: int | None = None
) -> list[Fraction]:
    """Minimax; with a habit, side `fixed` plays it: habit[position] and habit[position, k] are indices, absent means
    at random."""
    found: list[Fraction] = []

    def worth(following: int) -> Fraction:
        return found[following] if following >= 0 else Fraction(score[-1 - following])

    for position, (leader, leads) in enumerate(places):
        best = {0: max, 1: min}
        per_lead = []
        for k, (_, answers) in enumerate(leads):
            values = [worth(following) for _, following in answers]
            if fixed == 1 - leader:
                j = habit.get((position, k))
                per_lead.append(sum(values) / len(values) if j is None else values[j])
            else:
                per_lead.append(best[1 - leader](values))
        if fixed == leader:
            k = habit.get(position)
            found.append(sum(per_lead) / len(per_lead) if k is None else per_lead[k])
        else:
            found.append(best[leader](per_lead))
    return found


def random_habit(rng: random.Random, places: list[Place]) -> tuple[dict, Plan]:
    """A habit, half of it left to chance, as indices and as a table of names."""
    habit: dict = {}
    n = len(places)
    table = Plan(np.full(n, UNIFORM, np.int8), np.full((n, solve.MAX_LEADS), UNIFORM, np.int8))
    for position, (_, leads) in enumerate(places):
        if rng.random() < 0.5:
            habit[position] = rng.randrange(len(leads))
            table.lead[position] = leads[habit[position]][0]
        for k, (_, answers) in enumerate(leads):
            if rng.random() < 0.5:
                habit[position, k] = rng.randrange(len(answers))
                table.answer[position, k] = answers[habit[position, k]][0]
    return habit, table


@pytest.mark.parametrize("seed", range(25))
def test_random_games(seed: int) -> None:
    rng = random.Random(seed)
    places = random_game(rng, 14, 6)
    score = [rng.randint(-5, 5) for _ in range(6)]
    game = drawn(places)
    assert best_values(game, score).tolist() == [float(v) for v in values_plainly(places, score)]
    habits = [random_habit(rng, places) for _ in (0, 1)]

    def picks(side: int):
        def pick(position: int, k: int | None) -> list[int]:
            leads = places[position][1]
            found = habits[side][0].get(position if k is None else (position, k))
            return list(range(len(leads) if k is None else len(leads[k][1]))) if found is None else [found]

        return pick

    expected = [float(x) for x in spread_plainly(places, (picks(0), picks(1)), 13, 6)]
    assert spread(game, (habits[0][1], habits[1][1]), 13, 6) == pytest.approx(expected, abs=1e-14)
    for fixed in (0, 1):
        value = np.zeros(14)
        solve.exploit(game, np.array(score, float), solve.menu(), habits[fixed][1], fixed, value)
        assert value == pytest.approx(
            [float(v) for v in values_plainly(places, score, habits[fixed][0], fixed)], abs=1e-13
        )
        clever = Reply(value, np.array(score, float), habits[fixed][1])
        both = (habits[0][1], clever) if fixed == 0 else (clever, habits[1][1])
        assert spread(game, both, 13, 6) @ score == pytest.approx(value[13], abs=1e-13)


@builder
def play_many(game, policy_0, policy_1, dice, start, menu, counts, trials):
    """Count the outcomes of `trials` games."""
    for trial in range(trials):
        roll = at(dice, trial, 0, drawn_now(dice.seed, trial, 0, 0, 0), drawn_now(dice.seed, trial, 0, 1, 0))
        counts[solve.play(game, policy_0, policy_1, roll, 2, start, menu)] += 1


def test_played_games_follow_the_chances() -> None:
    """n = 200,000 games of random habits; each outcome within 6 standard errors (6 outcomes, 8 games: below 1e-6)."""
    for seed in range(8):
        rng = random.Random(100 + seed)
        places = random_game(rng, 14, 6)
        game = drawn(places)
        plans = tuple(random_habit(rng, places)[1] for _ in (0, 1))
        expected = spread(game, plans, 13, 6)
        counts = np.zeros(6, np.int64)
        play_many(game, *plans, rolled(seed, 4), 13, solve.menu(), counts, 200_000)
        assert counts.sum() == 200_000
        assert (np.abs(counts / 200_000 - expected) <= 6 * np.sqrt(expected * (1 - expected) / 200_000) + 1e-12).all()


def test_chance_choices_are_read_from_the_tape() -> None:
    """Heap of 5, both at random: take 2 (second option), take 1, take 2: side 0 takes the last."""
    dice = tape([2, 1, 2])
    free = plan(HEAPS, answer=0)
    assert solve.play(HEAPS, free, free, dice, 2, 10, solve.menu()) == 0
    assert used_up(dice)


def test_best_play_by_rank() -> None:
    """`open_values` turns the ranks of best play back into outcomes."""
    outcomes = np.array([0.25, 0.0, 0.0])
    solve.open_values(np.array([0.0, 2.0, 1.0, 2.0]), np.array([0.0, 0.5, 0.125, 0.125]), np.array([2, 0, 1]), outcomes)
    assert outcomes.tolist() == [0.375, 0.625, 0.0]
