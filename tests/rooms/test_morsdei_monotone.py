"""A better card: where it can never hurt, and the exact list of where it can. The finding is told in
docs/findings/monotone.md.

Everything is exact; the pairs are those of `benchmarks/monotone.py` (seed in that file), so the counts must come out
as written.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from reference import morsdei as reference

from benchmarks.monotone import (
    MAY_PASS,
    MELEE,
    RULED,
    SHOOTING,
    Card,
    Table,
    Tally,
    blows,
    compare,
    extra_successes,
    melee_table,
    shooting_table,
    shots,
    upgraded,
)
from morsdei_sim.rulesets.morsdei.exchange import melee
from morsdei_sim.rulesets.morsdei.policies import OBJECTIVES

Falls = dict[tuple[str, str, str], tuple[int, int]]

# (figure, upgrade, owner) -> (cases in which the owner's value fell, those of them in which a number of blows to
# remove changed).
# What is not listed never fell.
SHOOTING_1500: Falls = {
    ("mean_hp_lost", "hp", "target"): (236, 53),
    ("mean_hp_lost, several shots", "hp", "target"): (804, 318),
    ("mean_damage, several shots", "dice", "initiator"): (2, 0),
    ("mean_damage, several shots", "hit", "initiator"): (5, 0),
    ("mean_damage, several shots", "damage", "initiator"): (36, 36),
    ("mean_damage, several shots", "hp", "target"): (266, 266),
    ("mean_damage, several shots", "defence", "target"): (2, 0),
}
MELEE_250: Falls = {
    ("net", "damage", "initiator"): (5, 5),
    ("net", "damage", "target"): (5, 5),
    ("net", "hp", "initiator"): (26, 26),
    ("net", "hp", "target"): (15, 15),
    ("net-hp", "hp", "initiator"): (122, 26),
    ("net-hp", "hp", "target"): (98, 11),
}
MAY_PASS_100: Falls = {
    ("net", "damage", "initiator"): (3, 3),
    ("net", "damage", "target"): (3, 3),
    ("net", "hp", "initiator"): (13, 13),
    ("net", "hp", "target"): (6, 6),
    ("net-hp", "hp", "initiator"): (47, 9),
    ("net-hp", "hp", "target"): (37, 5),
}


def falls(table: Table) -> Falls:
    return {key: (line.falls, line.at_a_step) for key, line in table.items() if line.falls}


def assert_melee(table: Table, expected: Falls, pairs: int) -> None:
    """Every objective, upgrade and role was tried; the exceptions are exactly those expected."""
    assert table.keys() == {(objective, *upgrade) for objective in OBJECTIVES for upgrade in MELEE}
    assert all(line.tried == pairs for (_, what, _), line in table.items() if what != "hit")
    assert falls(table) == expected
    assert_capped_hp(table, ("net-hp",))


def assert_capped_hp(table: Table, figures: tuple[str, ...]) -> None:
    """One HP more never costs more than that one HP: measured in HP *left*, it never hurts."""
    found = [line.worst for (name, what, _), line in table.items() if what == "hp" and name in figures and line.worst]
    assert found
    assert all(worst.fall <= 1 + 1e-10 for worst in found)


def test_shooting() -> None:
    table = shooting_table(1500)
    assert {(what, role) for _, what, role in table} == set(SHOOTING)
    assert {name for name, _, _ in table} == {
        *("kill", "mean_damage", "mean_hp_lost"),
        *("kill, several shots", "mean_damage, several shots", "mean_hp_lost, several shots"),
    }
    assert falls(table) == SHOOTING_1500
    assert_capped_hp(table, ("mean_hp_lost", "mean_hp_lost, several shots"))


def test_melee() -> None:
    assert_melee(melee_table(250), MELEE_250, 250)


def test_melee_when_handing_over_is_allowed() -> None:
    """The exceptions are no child of RULING 47: they stay when it is reversed."""
    assert_melee(melee_table(100, rules=MAY_PASS), MAY_PASS_100, 100)


@pytest.mark.slow
def test_shooting_in_full() -> None:
    expected = {
        ("mean_hp_lost", "hp", "target"): 1577,
        ("mean_hp_lost, several shots", "hp", "target"): 5387,
        ("mean_damage, several shots", "dice", "initiator"): 19,
        ("mean_damage, several shots", "hit", "initiator"): 23,
        ("mean_damage, several shots", "damage", "initiator"): 242,
        ("mean_damage, several shots", "hp", "target"): 1645,
        ("mean_damage, several shots", "defence", "target"): 10,
    }
    assert {key: line.falls for key, line in shooting_table(10_000).items() if line.falls} == expected


@pytest.mark.slow
def test_melee_in_full() -> None:
    """10,000 pairs: about six minutes."""
    expected = {
        ("net", "damage", "initiator"): 200,
        ("net", "damage", "target"): 340,
        ("net", "hp", "initiator"): 912,
        ("net", "hp", "target"): 501,
        ("net-hp", "hp", "initiator"): 4666,
        ("net-hp", "hp", "target"): 4039,
    }
    assert {key: line.falls for key, line in melee_table(10_000).items() if line.falls} == expected


# ── open pools: one more success ──


@pytest.mark.parametrize("rules", [RULED, MAY_PASS], ids=["as ruled", "may pass"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_more_success_never_hurts(objective: str, rules: tuple) -> None:
    """All pairs of pools up to 2 dice with faces 3-6. RULING 47 makes every die be used, and still none is a burden."""
    gains = np.array([case.after - case.before for case in extra_successes(2, objective, rules)])
    assert len(gains) == 48_600
    assert (gains >= 0).all()
    assert (gains > 0).mean() > 0.1  # the comparison sees something


@pytest.mark.slow
@pytest.mark.parametrize("rules", [RULED, MAY_PASS], ids=["as ruled", "may pass"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_more_success_never_hurts_up_to_three(objective: str, rules: tuple) -> None:
    gains = np.array([case.after - case.before for case in extra_successes(3, objective, rules)])
    assert len(gains) == 470_400
    assert (gains >= 0).all()


# ── the exceptions, worked out ──

EXAMPLES = [
    # figure, upgrade, role, initiator, target, shots, before, after (from the owner's side)
    ("net", "hp", "initiator", Card(1, 2, 2, 1, 0), Card(2, 3, 1, 1, 0), 0, 0.453704, 0.379630),
    ("net", "hp", "target", Card(2, 4, 1, 1, 0), Card(1, 6, 1, 1, 0), 0, -0.652778, -0.837963),
    ("net", "damage", "initiator", Card(2, 2, 3, 2, 0), Card(1, 3, 2, 4, 0), 0, 3.527778, 3.481481),
    ("net", "damage", "target", Card(1, 5, 1, 3, 0), Card(2, 2, 2, 2, 0), 0, 2.949074, 2.606481),
    ("net-hp", "hp", "initiator", Card(1, 5, 2, 1, 0), Card(1, 2, 2, 1, 0), 0, -0.250000, -0.805556),
    ("mean_damage", "dice", "initiator", Card(3, 2, 2, 3, 0), Card(1, 5, 5, 8, 0), 3, 10.311428, 10.149038),
    ("mean_damage", "hit", "initiator", Card(2, 3, 3, 9, 0), Card(1, 2, 1, 6, 0), 3, 6.666667, 6.608796),
    ("mean_damage", "damage", "initiator", Card(1, 2, 3, 3, 0), Card(1, 2, 2, 4, 1), 3, 3.934092, 3.411951),
    ("mean_damage", "hp", "target", Card(1, 6, 1, 3, 0), Card(1, 3, 1, 1, 0), 2, -0.305556, -0.333333),
    ("mean_damage", "defence", "target", Card(4, 2, 2, 6, 0), Card(1, 3, 2, 5, 0), 3, -7.549237, -7.690217),
    ("mean_hp_lost", "hp", "target", Card(1, 5, 2, 1, 0), Card(1, 2, 2, 1, 1), 1, -0.222222, -0.444444),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: " ".join(e[:3]))
def test_smallest_examples(example: tuple) -> None:
    """The smallest case of each kind, by the product and by the reference."""
    figure, what, role, a, b, number, before, after = example
    table: Table = {}
    compare(
        table, lambda x, y: shots(RULED, x, y, number) if number else blows(RULED, x, y), a, b, number, ((what, role),)
    )
    line: Tally = table[figure, what, role]
    assert (line.tried, line.falls) == (1, 1)
    assert line.worst.before == pytest.approx(before, abs=5e-7)
    assert line.worst.after == pytest.approx(after, abs=5e-7)
    better = upgraded(a if role == "initiator" else b, what)
    pairs = [(a, b), (better, b) if role == "initiator" else (a, better)]
    for (one, other), expected in zip(pairs, (before, after), strict=True):
        sign = 1 if role == "initiator" else -1
        if number:
            hits = reference.shots(number, *one[:3], other.defence, other.hp)
            mean = sum(p * one.damage * n for (n, _), p in hits.items())
            value = reference.aftermath(hits, one.damage, other.hp).hp_lost if figure == "mean_hp_lost" else mean
        else:
            value = reference.best_play(reference.Fighter(*one[:4]), reference.Fighter(*other[:4]), figure)[0]
        assert sign * float(value) == pytest.approx(expected, abs=5e-7)


def test_the_rulebooks_own_fighter() -> None:
    """23.6: 4d6 4+ 4 against 7 HP. The step from 8 to 9 HP costs the initiator 0.25 of net damage, and gains it 0.19
    of kill difference."""
    found = {}
    for hp, objective in product((8, 9), ("net", "kill-difference")):
        outcome = melee(f"4d6 4+ 4 HP {hp}", "4d6 4+ 4 HP 7", objective=objective)
        kills = outcome.value("kill_target") - outcome.value("kill_attacker")
        found[objective, hp] = outcome.value("net_damage") if objective == "net" else kills
    assert found["net", 8] == pytest.approx(1.533970, abs=5e-7)
    assert found["net", 9] == pytest.approx(1.284470, abs=5e-7)
    assert found["kill-difference", 8] == pytest.approx(0.147160, abs=5e-7)
    assert found["kill-difference", 9] == pytest.approx(0.333010, abs=5e-7)
