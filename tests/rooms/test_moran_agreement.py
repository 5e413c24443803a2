"""The product against the independent reference of Moran, on random cards and situations; samples against exact
chances.

Every random case is drawn from the seed in its name. The chi-square tests raise a false alarm with a chance of 1e-6
each (and with a fixed seed always or never).
"""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from reference import moran as reference
from scipy import stats

from morsdei_sim.errors import UserError
from morsdei_sim.fight.outcome import Outcome
from morsdei_sim.fight.run import Run
from morsdei_sim.rulesets import room
from morsdei_sim.rulesets.moran.activations import activations, watch
from morsdei_sim.rulesets.moran.cards import Entrant, Weapon
from morsdei_sim.rulesets.moran.duel import duel
from morsdei_sim.rulesets.moran.melee import melee
from morsdei_sim.rulesets.moran.rules import CHOICES, PRINTED, Rules
from morsdei_sim.rulesets.moran.volley import shoot
from tests.rooms.moran_cards import arm, gunner, made

FALSE_ALARM = 1e-6
Gun = tuple[Entrant, reference.Fighter, reference.Weapon]


def both_rules(rng: random.Random) -> tuple[Rules, reference.Switches]:
    """The same switches for product and reference."""
    index = {name: rng.randint(0, 1) for name in CHOICES}
    words = {name: CHOICES[name][one] for name, one in index.items()}
    plain = {name: word == "true" if word in ("true", "false") else word for name, word in words.items()}
    if plain["diagonal_cost"] == "1":
        plain["diagonal_cost"] = 1
    return PRINTED._replace(**index), reference.Switches(**plain)


def armed(rng: random.Random, armour: int | None = None) -> Gun:
    """One fighter, for both."""
    near = rng.randint(1, 20)
    weapon = made(near, rng.randint(near, 40), rng.randint(1, 4), rng.choice([None, 1, 2, 3, 4, 5]))
    skill, worn = rng.randint(1, 6), rng.randint(0, 3) if armour is None else armour
    theirs = reference.Weapon(weapon.near, weapon.far, weapon.lethality, weapon.magazine)
    return gunner(skill, weapon, worn), reference.Fighter(skill, worn), theirs


@pytest.mark.parametrize("seed", range(60))
def test_one_shot(seed: int) -> None:
    rng = random.Random(seed)
    (mine, fighter, weapon), (rules, switches) = armed(rng), both_rules(rng)
    distance, armour, cover, defending = rng.randint(1, 45), rng.randint(0, 4), rng.randint(0, 2), rng.random() < 0.3
    wounded = not defending and rng.random() < 0.3
    found = shoot(
        mine, gunner(armour=armour), rules=rules, distance=distance, cover=cover, defending=defending,
        target_wounded=wounded,
    )  # fmt: skip
    expected = reference.shot(
        fighter, weapon, distance, armour, cover=cover, defence=int(defending), wounded=wounded, rules=switches
    )
    for effect in ("nothing", "wound", "kill"):
        for emptied in (False, True):
            chance = found.value(f"{effect}_emptied")
            chance = chance if emptied else found.value(effect) - chance
            assert chance == pytest.approx(float(expected.get((effect, emptied), 0)), abs=1e-12), (effect, emptied)


@pytest.mark.parametrize("seed", range(40))
def test_several_shooters(seed: int) -> None:
    rng = random.Random(1000 + seed)
    (mine, fighter, weapon), (rules, switches) = armed(rng), both_rules(rng)
    distance, armour, cover, shooters = rng.randint(1, 30), rng.randint(0, 3), rng.randint(0, 2), rng.randint(2, 4)
    defending = rng.random() < 0.4
    found = shoot(
        mine, gunner(armour=armour), rules=rules, distance=distance, cover=cover, defending=defending,
        shooters=shooters,
    )  # fmt: skip
    expected = reference.focus(
        [(fighter, weapon, distance)] * shooters, armour, cover=cover, defence=int(defending), rules=switches
    )
    for name, state in (("nothing", "up"), ("wound", "wounded"), ("kill", "dead")):
        assert found.value(name) == pytest.approx(float(expected.get(state, 0)), abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_a_watch(seed: int) -> None:
    rng = random.Random(2000 + seed)
    (mine, fighter, weapon), (rules, switches) = armed(rng), both_rules(rng)
    distance, armour, cover, second = rng.randint(1, 30), rng.randint(0, 3), rng.randint(0, 2), rng.random() < 0.5
    found = watch(mine, gunner(armour=armour), rules=rules, distance=distance, cover=cover, second_move=second)
    expected = reference.watch(fighter, weapon, distance, armour, cover=cover, second_movement=second, rules=switches)
    assert len(expected) >= 4
    for name in ("stopped", "walks_on", "kill", "dead_after_next_shot"):
        assert found.value(name) == pytest.approx(float(expected[name]), abs=1e-12), name


@pytest.mark.parametrize("seed", range(40))
def test_a_lone_shooter(seed: int) -> None:
    rng = random.Random(3000 + seed)
    (mine, fighter, weapon), (rules, switches) = armed(rng), both_rules(rng)
    distance, armour, cover, down = rng.randint(1, 30), rng.randint(0, 3), rng.randint(0, 2), rng.random() < 0.5
    found = activations(
        mine, gunner(armour=armour), rules=rules, distance=distance, cover=cover,
        target_plan="stays_down" if down else "recovers", limit=3,
    ).value("mean_turns")  # fmt: skip
    expected = reference.lone_shooter(fighter, weapon, distance, armour, cover=cover, stays_down=down, rules=switches)
    if expected is None:
        assert math.isinf(found)
    else:
        assert found == pytest.approx(float(expected), rel=1e-9)


def test_standing_duels() -> None:
    """Those that end within the 200 turns of RULING 35 (but for 1e-10): the reference has no cap."""
    assert sum(a_standing_duel(random.Random(4000 + seed)) for seed in range(100)) > 50


def a_standing_duel(rng: random.Random) -> bool:
    rules, switches = both_rules(rng)
    one, other = armed(rng, rng.randint(0, 1)), armed(rng, rng.randint(0, 1))
    distance, cover = rng.randint(1, 15), (rng.randint(0, 1), rng.randint(0, 1))
    found = duel(
        one[0], other[0], rules=rules, distance=distance, first="attacker", attacker_cover=cover[0],
        target_cover=cover[1],
    )  # fmt: skip
    if found.value("undecided") > 1e-10:
        return False
    expected = reference.standing_duel((one[1], other[1]), (one[2], other[2]), distance, cover, switches)
    assert found.value("attacker_wins") == pytest.approx(float(expected.endings["a_wins"]), abs=1e-9)
    assert found.value("target_wins") == pytest.approx(float(expected.endings["b_wins"]), abs=1e-9)
    assert found.value("mean_turns") == pytest.approx(float(expected.turns), rel=1e-9)
    return True


def test_rushes() -> None:
    """Both kinds of lock occur, and deaths."""
    ends = [a_rush(random.Random(5000 + seed)) for seed in range(60)]
    assert sum(end is not None for end in ends) > 40
    assert {name for end in ends for name in end or ()} == {"lock", "lock_by_shooter", "rusher_dead"}


def a_rush(rng: random.Random) -> set[str] | None:
    (mine, fighter, weapon), (rules, switches) = armed(rng), both_rules(rng)
    armour, distance, first = rng.randint(0, 2), rng.randint(1, 40), rng.random() < 0.5
    found = duel(
        mine, gunner(3, None, armour), rules=rules, distance=distance, target_plan="rush",
        first="target" if first else "attacker",
    )  # fmt: skip
    expected = reference.rush(fighter, weapon, armour, distance, rusher_first=first, rules=switches)
    endings = {name: float(chance) for name, chance in expected.endings.items()}
    if found.value("undecided") > 1e-10:
        return None
    assert found.value("target_locks") == pytest.approx(endings.get("lock", 0), abs=1e-9)
    assert found.value("attacker_locks") == pytest.approx(endings.get("lock_by_shooter", 0), abs=1e-9)
    killed = found.value("attacker_wins") - found.value("attacker_locks")
    assert killed == pytest.approx(endings.get("rusher_dead", 0), abs=1e-9)
    assert found.value("mean_turns") == pytest.approx(float(expected.turns), rel=1e-9)
    return {name for name, chance in endings.items() if chance > 0}


# ── sampled against exact ─────────────────────────────────────────────────────────────────────────────────────────────


def agree(sampled: Outcome, exact: Outcome) -> None:
    """Chi-square of a sample against exact chances, cells of an expected count below 10 taken together."""
    expected = exact.weights * sampled.trials
    small = expected < 10
    assert sampled.weights[expected == 0].sum() == 0
    seen, wanted = list(sampled.weights[~small]), list(expected[~small])
    if expected[small].sum() > 1:
        seen.append(sampled.weights[small].sum())
        wanted.append(expected[small].sum())
    assert len(seen) > 2
    statistic = sum((a - b) ** 2 / b for a, b in zip(seen, wanted, strict=True))
    assert stats.chi2.sf(statistic, len(seen) - 1) > FALSE_ALARM, (statistic, len(seen) - 1)


QUESTIONS = {
    "shoot": lambda run: shoot(gunner(4, "rifle"), gunner(armour=1), run, distance=15),
    "three shooters": lambda run: shoot(gunner(3, "smg"), gunner(armour=1), run, distance=5, shooters=3),
    "watch": lambda run: watch(gunner(4, "rifle"), gunner(armour=1), run, distance=15),
    "activations": lambda run: activations(gunner(4, "rifle"), gunner(armour=1), run, distance=15),
    "duel": lambda run: duel(gunner(4, "rifle"), gunner(3, "smg"), run, distance=8),
    "rush": lambda run: duel(gunner(4, "rifle"), gunner(3, None, 1), run, distance=24, target_plan="rush"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_samples_are_those_of_the_exact_chances(question: str) -> None:
    """n = 300,000; one and two threads count the same."""
    ask = QUESTIONS[question]
    exact, one = ask(Run("exact")), ask(Run("sample", trials=300_000, seed=5, jobs=1))
    agree(one, exact)
    assert (ask(Run("sample", trials=300_000, seed=5, jobs=2)).weights == one.weights).all()
    assert exact.weights.sum() == pytest.approx(1, abs=1e-12)


def test_certain_things_are_certain_when_sampled() -> None:
    run = Run("sample", trials=2000, seed=1)
    assert melee(gunner(), gunner(armour=3), run).value("wound") == 1
    assert shoot(gunner(weapon="grenade"), gunner(armour=1), run, weapon="grenade").value("wound") == 1


# ── laws that need no number ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", range(20))
def test_more_cover_distance_armour_never_helps_the_shooter(seed: int) -> None:
    rng = random.Random(6000 + seed)
    mine = armed(rng)[0]
    here = {"distance": rng.randint(1, 30), "cover": rng.randint(0, 1), "defending": False}
    armour = rng.randint(0, 3)

    def harm(worn: int = armour, by: Entrant = mine, **how: object) -> tuple[float, float]:
        found = shoot(by, gunner(armour=worn), **{**here, **how})
        return found.value("kill"), 1 - found.value("nothing")

    now = np.array(harm())
    worse = [harm(cover=here["cover"] + 1), harm(defending=True), harm(distance=here["distance"] + 9), harm(armour + 1)]
    assert all((np.array(one) <= now + 1e-12).all() for one in worse)
    better = mine.card.model_copy(update={"skill": min(6, mine.card.skill + 1)})
    assert (np.array(harm(by=Entrant(better, "better"))) >= now - 1e-12).all()


@pytest.mark.parametrize("seed", range(10))
def test_a_mirror_duel_is_even_when_it_is_drawn_who_begins(seed: int) -> None:
    rng = random.Random(7000 + seed)
    mine = armed(rng, 0)[0]
    found = duel(mine, mine, distance=rng.randint(1, 20), first="both")
    assert found.value("attacker_wins") == pytest.approx(found.value("target_wins"), abs=1e-12)
    begun = [duel(mine, mine, distance=7, first=first) for first in ("attacker", "target", "both")]
    for name in ("attacker_wins", "undecided"):
        assert begun[2].value(name) == pytest.approx((begun[0].value(name) + begun[1].value(name)) / 2, abs=1e-12)


def test_refusals() -> None:
    with pytest.raises(UserError, match="no weapon"):
        shoot(gunner(weapon=None), gunner())
    with pytest.raises(UserError, match="reaches 12 cells"):
        shoot(gunner(weapon="grenade"), gunner(), weapon="grenade", distance=13)
    with pytest.raises(UserError, match="does not defend"):
        shoot(gunner(), gunner(), defending=True, target_wounded=True)
    with pytest.raises(UserError, match="it has: rifle"):
        shoot(gunner(), gunner(), weapon="bow")
    with pytest.raises(UserError, match="demo/rifleman"):
        shoot("4d6 4+ 4", gunner())
    with pytest.raises(UserError, match="cannot rush"):
        duel(gunner(move=0), gunner(), attacker_plan="rush")
    with pytest.raises(UserError, match="area weapon"):
        watch(gunner(weapon=Weapon(id="f", name="f", type="OP", template="C", lethality=2)), gunner())
    assert arm("grenade").template == "S"
    assert room("moran").rules({}) == PRINTED


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"band_edge": 2}, "must be 0 to 1"), ({"bandedge": 1}, "did you mean band_edge"), ({"far_dice": 9}, "0 to 4")],
)
def test_rules_are_checked(changes: dict[str, int], said: str) -> None:
    with pytest.raises(UserError, match=said):
        room("moran").rules(changes)
