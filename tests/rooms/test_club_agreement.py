"""The product against `tests/reference/club.py`, written by another from the atlas alone: random cards and situations.

Joint distributions to 1e-9, over seeded random fighters, weapons, states and switches:
300 situations, and 40 more duels marked slow. Sampled against
exact by chi-square: 12 tests, each with a false-alarm rate of 1e-6.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from morsdei_sim.fight.long import chain_of, flow
from morsdei_sim.fight.run import Run
from morsdei_sim.fight.verbs import span
from morsdei_sim.rulesets.club.activations import activations
from morsdei_sim.rulesets.club.cards import Damage, Entrant, Fighter
from morsdei_sim.rulesets.club.charge import charge
from morsdei_sim.rulesets.club.duel import duel
from morsdei_sim.rulesets.club.exchange import melee
from morsdei_sim.rulesets.club.harm import DEAD, DYING, UP
from morsdei_sim.rulesets.club.rules import CHOICES, PRINTED, Rules
from morsdei_sim.rulesets.club.shooting import Attack, IntoFight, Mixed, Volley, read, tallies
from morsdei_sim.rulesets.club.sides import arm_of, life_of, target_of
from morsdei_sim.rulesets.club.volley import shoot
from morsdei_sim.rulesets.club.wounds import wounds
from tests.reference import club as reference
from tests.rooms.club_cards import card

KINDS = ("ranged", "pistol", "melee")
CONCERNS_DUELS = tuple(name for name in CHOICES if name != "run_bars_prior_shooting")


def weapon(rng: random.Random, kind: str, most: int = 3, **fixed: Any) -> dict[str, Any]:
    """A random weapon as a card writes it."""
    melee_strength = rng.choice(["user", "user+1", "user+2", "user*2", str(rng.randint(1, 9))])
    return {
        "id": f"a_{kind}", "kind": kind, "range": 0.0 if kind == "melee" else float(rng.choice([6, 12, 18, 24])),
        "shots": rng.randint(1, most), "strength": melee_strength if kind == "melee" else str(rng.randint(1, 9)),
        "ap": -rng.randint(0, 4), "damage": rng.choice(["1", "1", "2", "3", "D3", "D6"]), **fixed,
    }  # fmt: skip


def fighter(rng: random.Random, **fixed: Any) -> Entrant:
    """A random fighter with a weapon in each slot."""
    fields: dict[str, Any] = {
        "name": "somebody", "speed": rng.choice([4.0, 5.0, 5.5, 6.0]), "acc_ranged": rng.randint(2, 6),
        "acc_melee": rng.randint(2, 6), "strength": rng.randint(1, 8), "toughness": rng.randint(1, 8),
        "save": rng.randint(2, 7), "endurance": rng.randint(1, 5), "leadership": rng.randint(3, 10),
        "hero": rng.random() < 0.5, "weapon": tuple(weapon(rng, kind) for kind in KINDS),
    }  # fmt: skip
    return Entrant(Fighter.model_validate({**fields, **fixed}), "somebody")


def plain(number: str) -> int | str:
    return int(number) if number.isdigit() else number


def theirs(one: Entrant) -> reference.Fighter:
    """The same fighter as the reference takes it."""
    fields = {name: getattr(one.card, name) for name in reference.Fighter.__dataclass_fields__ if name not in KINDS}
    arms = {
        arm.kind: reference.Weapon(
            arm.kind, plain(arm.strength), arm.range, arm.shots, arm.ap, plain(arm.damage), arm.magazine
        )
        for arm in one.card.weapon
    }
    return reference.Fighter(**fields, **arms)


def switches(rng: random.Random, names: tuple[str, ...] = tuple(CHOICES)) -> tuple[Rules, reference.Switches]:
    """Half of the time one or two switches are thrown."""
    thrown = rng.sample(names, rng.choice([0, 0, 1, 2]))
    words = {name: CHOICES[name][1] for name in thrown}
    for name in thrown:
        if CHOICES[name] == ("false", "true"):
            words[name] = not getattr(reference.DEFAULT, name)  # type: ignore[assignment]
    ours = {name: int(words[name]) if isinstance(words[name], bool) else 1 for name in thrown}
    return PRINTED._replace(**ours), replace(reference.DEFAULT, **words)


def start(rng: random.Random, one: Entrant, rules: Rules) -> tuple[int, reference.State]:
    """A random life of a fighter, in both notations; whoever is dying has made up to five rolls."""
    if one.card.hero and rng.random() < 0.4:
        rolls = rng.randint(0, 5)
        return life_of(rules, one, dying=True, avoid_rolls=rolls), reference.State("dying", 0, rolls, rolls)
    left = rng.randint(1, one.card.endurance)
    return UP + left, reference.State("up", left)


def state_of(life: int) -> tuple[str, int]:
    if life == DEAD:
        return "dead", 0
    return ("dying", life - DYING) if life <= UP else ("up", life - UP)


def seen(state: reference.State) -> tuple[str, int]:
    """The reference's state as the product tells states apart: from 7 on all needs are the same."""
    if state.status == "dying":
        return "dying", min(state.climb, 5)
    return state.status, state.endurance if state.status == "up" else 0


def same(found: dict[Any, float], expected: dict[Any, Any]) -> None:
    """Equal as distributions, to 1e-9."""
    assert sum(found.values()) == pytest.approx(1, abs=1e-9)
    for key in found.keys() | expected.keys():
        assert found.get(key, 0.0) == pytest.approx(float(expected.get(key, 0)), abs=1e-9), key


def ends_of(kind: Any, attacker: Any, defender: Any) -> np.ndarray:  # type: ignore[type-arg]
    cells = span(kind, attacker, defender)
    return flow(chain_of(kind, attacker, defender), cells, 1).weights[:cells]


@pytest.mark.parametrize("seed", range(6))
def test_volleys(seed: int) -> None:
    """20 each: unsaved hits, damage and state together, all situations and switches."""
    rng = random.Random(seed)
    for _ in range(20):
        rules, theirs_rules = switches(rng)
        one, other = fighter(rng), fighter(rng)
        arm = rng.choice([a for a in one.card.weapon if a.kind != "melee"])
        cover, dying, overwatch, shots = rng.randint(0, 2), rng.random() < 0.3, rng.random() < 0.3, rng.randint(0, 4)
        life, state = start(rng, other, rules)
        volley, target = Attack(arm_of(one, arm), shots, int(dying), int(overwatch)), target_of(other, life, cover)
        found: dict[Any, float] = defaultdict(float)
        for cell, chance in enumerate(ends_of(Volley(*rules), volley, target)):
            if chance:
                unsaved, damage, after = read(volley.arm, shots, target, cell // 2)
                found[unsaved, damage, state_of(after)] += chance
        expected: dict[Any, Any] = defaultdict(float)
        spread = reference.volley(
            theirs(one), getattr(theirs(one), arm.kind), theirs(other), state, shots=shots, cover=cover, dying=dying,
            overwatch=overwatch, switches=theirs_rules,
        )  # fmt: skip
        for (unsaved, damage, then), chance in spread.items():
            expected[unsaved, damage, seen(then)] += chance
        same(found, expected)


@pytest.mark.parametrize("seed", range(2))
def test_shots_into_a_fight(seed: int) -> None:
    """15 each: foe and ally together."""
    rng = random.Random(1000 + seed)
    for _ in range(15):
        rules, theirs_rules = switches(rng)
        one, foe, ally = fighter(rng), fighter(rng), fighter(rng)
        arm = one.card.weapon[0]
        damage = Damage.of(arm.damage)
        shots = rng.randint(1, 2 if damage.count else 3)
        volley, cover = Attack(arm_of(one, arm), shots, 0, 0), rng.randint(0, 2)
        mixed = Mixed(target_of(foe, UP + foe.card.endurance, cover), target_of(ally, UP + ally.card.endurance))
        each, found = int(tallies(volley.arm, shots)), defaultdict[Any, float](float)
        for cell, chance in enumerate(ends_of(IntoFight(*rules), volley, mixed)):
            if chance:
                there = read(volley.arm, shots, mixed.target, cell // 4 // each)
                here = read(volley.arm, shots, mixed.ally, cell // 4 % each)
                found[(*there[:2], state_of(there[2])), (*here[:2], state_of(here[2]))] += chance
        expected: dict[Any, Any] = defaultdict(float)
        spread = reference.shooting_into_fight(
            theirs(one), theirs(one).ranged, theirs(foe), theirs(ally), shots=shots, cover=cover, switches=theirs_rules
        )  # fmt: skip
        for (there, here), chance in spread.items():
            expected[(*there[:2], seen(there[2])), (*here[:2], seen(here[2]))] += chance
        same(found, expected)


@pytest.mark.parametrize("seed", range(4))
def test_charge_turns(seed: int) -> None:
    """15 each, 1 to 9 inches: how both stand, whether they are engaged, and the gap after a failure."""
    rng = random.Random(2000 + seed)
    for _ in range(15):
        rules, theirs_rules = switches(rng)
        one, other, gap = fighter(rng), fighter(rng), rng.randint(2, 18) / 2
        cover = rng.randint(0, 2)
        found = charge(one, other, rules=rules, distance=gap, attacker_cover=cover)
        spread = reference.charge_turn(theirs(one), theirs(other), gap, cover=(cover, 0), switches=theirs_rules)
        for name, holds in {
            "charger_dead": lambda scene: not scene.bodies[0].alive,
            "target_dead": lambda scene: not scene.bodies[1].alive,
            "charger_dying": lambda scene: scene.bodies[0].dying,
            "target_dying": lambda scene: scene.bodies[1].dying,
            "both_alive_engaged": lambda scene: scene.both_live and scene.engaged,
        }.items():
            assert found.value(name) == pytest.approx(float(reference.chance_that(spread, holds)), abs=1e-9), name
        for side, name in ((0, "charger_alive_and_flees"), (1, "target_alive_and_flees")):
            flees = sum(
                chance * reference.flight_chance(scene.harm[side], theirs((one, other)[side]).leadership)
                for scene, chance in spread.items()
                if scene.bodies[side].alive and scene.harm[side]
            )
            assert found.value(name) == pytest.approx(float(flees), abs=1e-9), name


@pytest.mark.parametrize("seed", range(2))
def test_blows_and_mortal_wounds(seed: int) -> None:
    """20 each: blows of one damage, then mortal wounds, on fighters in any state."""
    rng = random.Random(3000 + seed)
    for _ in range(20):
        rules, theirs_rules = switches(rng)
        one, blows, mortal, damage = fighter(rng), rng.randint(0, 4), rng.randint(0, 4), rng.randint(1, 4)
        life, state = start(rng, one, rules)
        spread: dict[Any, Any] = {state: 1}
        for blow in [damage] * blows + [1] * mortal:
            later: dict[Any, Any] = defaultdict(float)
            for now, chance in spread.items():
                if not now.alive:
                    later[now] += chance
                    continue
                for then, p in reference.blow(theirs(one), now, blow, theirs_rules).items():
                    later[then] += chance * p
            spread = later
        how = {"dying": True, "avoid_rolls": state.rolls} if life <= UP else {"endurance": life - UP}
        found = wounds(one, rules=rules, blows=blows, damage=str(damage), mortal=mortal, **how)
        for name in ("up", "dying", "dead"):
            expected = sum(chance for now, chance in spread.items() if now.status == name)
            assert found.value(name) == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_firing_turns_with_magazines(seed: int) -> None:
    """15 each: mean own turns until dead or dying, reloading turns included."""
    rng = random.Random(4000 + seed)
    for _ in range(15):
        rules, theirs_rules = switches(rng, ("save_one_fails", "hit_six_always"))
        gun = weapon(rng, "ranged", 4, magazine=rng.choice([None, 1, 2, 3, 5]), ap=-rng.randint(1, 4))
        one, other = fighter(rng, weapon=(gun,)), fighter(rng, toughness=rng.randint(1, 4), save=rng.randint(4, 7))
        until = rng.choice(["dead", "dying"]) if other.card.hero else "dead"
        cover = rng.randint(0, 2)
        shooter = theirs(one)
        expected = reference.firing_turns(
            shooter, shooter.ranged, theirs(other), until, cover=cover, switches=theirs_rules
        )  # fmt: skip
        found = activations(one, other, rules=rules, until=until, cover=cover).value("mean_turns")
        assert found == pytest.approx(float(expected), rel=1e-9)


def one_duel(rng: random.Random, ld: bool, step: float, **fixed: Any) -> None:
    """One random duel: all plans, covers, distances and switches; sides missing weapons too."""
    rules, theirs_rules = switches(rng, CONCERNS_DUELS)
    one, other = (
        fighter(
            rng, endurance=rng.randint(1, 3), toughness=rng.randint(1, 4), save=rng.randint(4, 7),
            weapon=tuple(weapon(rng, kind) for kind in KINDS if kind == "melee" or rng.random() < 0.7), **fixed,
        )
        for _side in range(2)
    )  # fmt: skip
    plans = rng.choice(["rush", "hold"]), "rush"
    gap, covers = rng.randint(max(1, int(1 / step)), int(30 / step)) * step, (rng.randint(0, 2), rng.randint(0, 2))
    script = reference.Script((theirs(one), theirs(other)), plans, ld, covers, theirs_rules, exact=False)
    expected = reference.duel(script, gap)
    found = duel(
        one, other, rules=rules, distance=gap, attacker_plan=plans[0], target_plan=plans[1],
        attacker_cover=covers[0], target_cover=covers[1], leadership="on" if ld else "off", limit=2000,
    )  # fmt: skip
    close = 1e-9 + found.value("undecided")
    assert found.value("attacker_wins") == pytest.approx(expected.a_wins, abs=close)
    assert found.value("target_wins") == pytest.approx(expected.b_wins, abs=close)
    assert found.value("mean_turns") == pytest.approx(expected.turns, rel=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_duels(seed: int) -> None:
    """10 each: half without Leadership checks, half with them and with gaps and speeds that keep the reference's
    states few (it is plain Python)."""
    rng = random.Random(5000 + seed)
    for _ in range(5):
        one_duel(rng, False, 0.5)
        one_duel(rng, True, 3.0, hero=False, speed=rng.choice([3.0, 6.0]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_any_duels(seed: int) -> None:
    """10 each, without such limits: heroes at half their speed, half inches, Leadership checks."""
    rng = random.Random(6000 + seed)
    for _ in range(10):
        one_duel(rng, rng.random() < 0.5, 0.5)


def test_the_other_side_first_is_the_mirror() -> None:
    """RULING 2: with first = target the target is the reference's side A; both is the mean of the two."""
    one, other = card("preacher"), card("ork")
    scripts = [reference.Script(pair, ("rush", "rush"), exact=False) for pair in
               ((theirs(one), theirs(other)), (theirs(other), theirs(one)))]  # fmt: skip
    ahead, behind = (reference.duel(script, 12) for script in scripts)
    found = [duel(one, other, distance=12.0, first=first) for first in ("attacker", "target", "both")]
    assert found[0].value("attacker_wins") == pytest.approx(ahead.a_wins, abs=1e-9)
    assert found[1].value("attacker_wins") == pytest.approx(behind.b_wins, abs=1e-9)
    assert found[2].value("attacker_wins") == pytest.approx((ahead.a_wins + behind.b_wins) / 2, abs=1e-9)
    assert found[2].value("first_side_advantage") == pytest.approx(ahead.a_wins - behind.b_wins, abs=1e-9)
    assert found[2].value("mean_turns") == pytest.approx((ahead.turns + behind.turns) / 2, abs=1e-9)


# ── sampled against exact ──

TRIALS = 200_000
FALSE_ALARM = 1e-6

ASKED: list[tuple[str, Any]] = [
    ("shoot", lambda run: shoot(card("gunner"), card("veteran"), run)),
    ("overwatch", lambda run: shoot(card("veteran"), card("ork_boss"), run, overwatch=True)),
    ("into a fight", lambda run: shoot(card("guardsman"), card("ork"), run, ally=card("veteran"))),
    ("melee", lambda run: melee(card("ork_boss"), card("veteran"), run)),
    ("exchanges", lambda run: melee(card("preacher"), card("ork_boss"), run, exchanges=3)),
    ("wounds", lambda run: wounds(card("veteran"), run, blows=4, damage="D3", mortal=1, raise_attempts=2)),
    ("charge", lambda run: charge(card("ork_boss"), card("veteran"), run, distance=7.0)),
    ("charge of an ork", lambda run: charge(card("ork"), card("gunner"), run, distance=4.5)),
    ("activations", lambda run: activations(card("gunner"), card("veteran"), run)),
    ("duel", lambda run: duel(card("veteran"), card("ork_boss"), run, attacker_plan="hold", limit=30)),
    ("duel of marines", lambda run: duel(card("marine"), card("gunner"), run, distance=30.0, first="both", limit=20)),
    ("short duel", lambda run: duel(card("preacher"), card("ork"), run, distance=12.0, limit=6)),
]


@pytest.mark.parametrize(("name", "asked"), ASKED, ids=[name for name, _asked in ASKED])
def test_sampled_against_exact(name: str, asked: Any) -> None:
    """Pearson's chi-square over all ends, 200,000 trials, ends expected less than 10 times taken together."""
    exact, sampled = asked(Run("exact")), asked(Run("sample", trials=TRIALS, seed=20261129))
    expected, counts = exact.weights * TRIALS, sampled.weights
    assert counts.sum() == TRIALS
    assert counts[expected < 1e-6].sum() == 0
    common = expected >= 10
    rest = expected[~common].sum(), counts[~common].sum()
    statistic = float(((counts[common] - expected[common]) ** 2 / expected[common]).sum())
    if rest[0] >= 10:
        statistic += (rest[1] - rest[0]) ** 2 / rest[0]
    freedom = int(common.sum()) - (rest[0] < 10)
    assert freedom >= 1
    assert statistic < chi2.isf(FALSE_ALARM, freedom)


@pytest.mark.parametrize(("name", "asked"), ASKED[::3], ids=[name for name, _asked in ASKED[::3]])
def test_jobs_change_nothing(name: str, asked: Any) -> None:
    one, two = (asked(Run("sample", trials=50_000, seed=7, jobs=jobs)) for jobs in (1, 2))
    assert (one.weights == two.weights).all()
