"""Every value of the atlas's chapter 9, computed by the product: 405 keys, exact engine.

Fractions to 1e-9, what is printed only to six places to 5e-7. Nothing is sampled here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from morsdei_sim.dice.questions import passes
from morsdei_sim.fight.outcome import Outcome
from morsdei_sim.fight.run import EXACT
from morsdei_sim.rulesets.club import cards
from morsdei_sim.rulesets.club.activations import activations
from morsdei_sim.rulesets.club.charge import charge
from morsdei_sim.rulesets.club.duel import duel
from morsdei_sim.rulesets.club.exchange import melee
from morsdei_sim.rulesets.club.harm import UP, avoid_face, dying_after, flees, flight
from morsdei_sim.rulesets.club.moves import run_limit
from morsdei_sim.rulesets.club.once import ends_of, once
from morsdei_sim.rulesets.club.rules import PRINTED, QUARTERS, reloading_shots, save_need
from morsdei_sim.rulesets.club.shooting import Attack, Target, Volley
from morsdei_sim.rulesets.club.sides import arm_of, life_of, target_of, weapon_of
from morsdei_sim.rulesets.club.volley import shoot, tally_readings
from morsdei_sim.rulesets.club.wounds import wounds
from tests.reference.club_values import EXACT as FRACTIONS
from tests.reference.club_values import FIGHTERS, VALUES, WEAPONS
from tests.rooms.club_cards import card, made, spread


def mean_of(outcome: Outcome, name: str) -> float:
    return sum(value * chance for value, chance in outcome.distribution(name).items())


@cache
def volley_of(attacker: str, arm: str, target: str, shots: int, dying: bool = False) -> Outcome:
    """A volley of shots by the public question, of strikes (where there is none without an answer) by the same
    procedures."""
    chosen = weapon_of(card(attacker), cards.KINDS, arm)
    if chosen.kind != "melee":
        return shoot(card(attacker), card(target), shots=shots, weapon=arm)
    volley = Attack(arm_of(card(attacker), chosen), shots, int(dying), 0)
    victim = target_of(card(target), life_of(PRINTED, card(target)))
    kind = Volley(*PRINTED)
    cells = ends_of(kind, volley, victim)
    readings = tally_readings("", volley.arm, shots, victim, cells // 2, cells % 2)
    return once(EXACT, kind, volley, victim, readings)


@cache
def one_shot(attacker: str, arm: str, target: str, how: str) -> Outcome:
    if how == "dying_shooter":  # the atlas lets any card play it; only heroes can be dying
        hero = cards.Entrant(card(attacker).card.model_copy(update={"hero": True}), attacker)
        return shoot(hero, card(target), weapon=arm, shots=1, attacker_dying=True)
    cover = int(how[-1]) if how.startswith("cover") else 0
    return shoot(card(attacker), card(target), weapon=arm, shots=1, cover=cover, overwatch=how == "overwatch")


def shot(attacker: str, arm: str, target: str, how: str, what: str) -> float:
    found = one_shot(attacker, arm, target, how)
    return found.distribution("unsaved").get(1, 0.0) if what == "unsaved" else found.value(what)


def save(_pass: str, value: str, ap: str, cover: str) -> float:
    need = save_need(PRINTED, int(value[4:]), -abs(int(ap[2:])), int(cover[-1]))
    return spread(lambda dice: passes(dice, need, 0)).get(1, 0.0)


def blow(attacker: str, arm: str, target: str, *rest: str) -> float:
    dying = rest[0] == "dying_striker"
    return volley_of(attacker, arm, target, 1, dying).distribution("unsaved").get(1, 0.0)


def volleys(attacker: str, arm: str, target: str, count: str, what: str) -> float:
    found = volley_of(attacker, arm, target, int(count[1:]))
    if what == "mean":
        return mean_of(found, "unsaved")
    return found.distribution("unsaved").get(int(what.removeprefix("unsaved")), 0.0)


def reload(_shots: str, arm: str) -> float:
    return reloading_shots(PRINTED, WEAPONS[arm]["shots"])


def harm(*words: str) -> float:
    if words[0] == "hero_w1":
        return wounds(made(endurance=1), blows=3).value(words[-1])
    attacker, arm, target, count, what = words
    found = volley_of(attacker, arm, target, int(count[1:]))
    if what.startswith("damage"):
        return found.distribution("damage").get(int(what.removeprefix("damage")), 0.0)
    return found.value({"dead": "kill"}.get(what, what))


def mortal(_four_on_hero_w2: str, what: str) -> float:
    return wounds(made(endurance=2), blows=0, mortal=4).value(what)


def avoid(what: str, *rest: str) -> float:
    dying = made(endurance=1)
    if what == "expected_blows_to_death":
        return mean_of(wounds(dying, dying=True, blows=20), "avoid_rolls")
    roll = int(rest[-1].removeprefix("roll"))
    if what == "need":
        return avoid_face(PRINTED, dying_after(PRINTED, roll - 1))
    if what == "alive_after":
        return 1 - wounds(dying, dying=True, blows=roll).value("dead")
    points = PRINTED._replace(avoid_rise=1)
    return 1 - wounds(dying, rules=points, dying=True, blows=roll, damage="2").value("dead")


def raising(what: str) -> float:
    hero = made(endurance=10)
    tried = wounds(hero, dying=True, blows=0, raise_attempts=3 if what == "up_within_3" else 1)
    success = tried.value("raised")
    if what == "expected_attempts":
        return 1 / success
    return mean_of(tried, "endurance_after_raise") / success if what == "endurance_mean" else success


def run(_mean: str, name: str) -> float:
    speed = int(card(name).card.speed * QUARTERS)
    return sum(p * reach for reach, p in spread(lambda dice: run_limit(PRINTED, dice, speed, 0)).items()) / QUARTERS


def overwatch(attacker: str, arm: str, target: str, what: str) -> float:
    found = shoot(card(attacker), card(target), weapon=arm, overwatch=True)
    return found.value({"charger_dead": "kill"}.get(what, what))


def charges(what: str, gap: str) -> float:
    rules = PRINTED._replace(attack_reach=12, charge_need=int(what == "variant_minus1"))
    found = charge(card("ork"), card("guardsman"), rules=rules, distance=float(gap[1:]), no_overwatch=True)
    return found.value("mean_advance_of_failure" if what == "failed_mean_gain" else "charge_succeeds")


def charge_turn(charger: str, target: str, gap: str, what: str) -> float:
    return charge(card(charger), card(target), distance=float(gap[1:])).value(what)


def leadership(what: str, *rest: str) -> float:
    if what == "flee_distance":
        inches = {quarters // QUARTERS: p for quarters, p in spread(lambda dice: flight(PRINTED, dice)).items()}
        return sum(p * n if rest[0] == "mean" else p * (n >= 10) for n, p in inches.items())
    damage, ld = int(rest[0].removeprefix("damage")), int(rest[1].removeprefix("ld"))
    checked = Target(3, 5, 40, ld, 1, 0, UP + 40)
    return spread(lambda dice: flees(dice, checked, UP + 40, damage)).get(1, 0.0)


def turns(shooter: str, arm: str, target: str, cover: str, until: str) -> float:
    found = activations(
        card(shooter), card(target), weapon=arm, cover=int(cover[-1]), until=until.removeprefix("until_")
    )  # fmt: skip
    return found.value("mean_turns")


def melee_fire(shooter: str, _arm: str, who: str, _unsaved: str) -> float:
    found = shoot(card(shooter), card("ork"), ally=card("marine"), shots=1)
    return found.distribution("ally_unsaved" if who == "ally_marine" else "unsaved").get(1, 0.0)


FIGURES = {"a_wins": "attacker_wins", "b_wins": "target_wins", "turns": "mean_turns"}


def standing(a: str, b: str, *rest: str) -> float:
    found = duel(
        card(a), card(b), distance=12.0, attacker_plan="hold", target_plan="hold", leadership="off",
        target_cover=2 if rest[0] == "b_in_cover2" else 0,
    )  # fmt: skip
    return found.value(FIGURES[rest[-1]])


def duels(a: str, b: str, gap: str, ld: str, what: str) -> float:
    (one, plan), (other, answer) = a.rsplit("_", 1), b.rsplit("_", 1)
    found = duel(
        card(one), card(other), distance=float(gap[3:]), attacker_plan=plan, target_plan=answer,
        leadership="on" if ld == "ld" else "off",
    )  # fmt: skip
    return found.value(FIGURES[what])


BY_GROUP: dict[str, Callable[..., float]] = {
    "save": save, "shot": shot, "blow": blow, "volley": volleys, "reload": reload, "harm": harm, "mortal": mortal,
    "avoid": avoid, "raise": raising, "run": run, "overwatch": overwatch, "charge": charges,
    "charge_turn": charge_turn, "leadership": leadership, "turns": turns, "melee_fire": melee_fire,
    "standing": standing, "duel": duels,
}  # fmt: skip


@pytest.mark.parametrize("key", VALUES)
def test_value(key: str) -> None:
    """One key: the exact engine against the fraction, or against what is printed."""
    group, *words = key.split(".")
    found = BY_GROUP[group](*words)
    if key in FRACTIONS:
        assert found == pytest.approx(float(FRACTIONS[key]), abs=1e-9)
    assert found == pytest.approx(float(VALUES[key]), abs=5.001e-7)


def test_the_values_are_whole() -> None:
    """No group is left out, and there are as many keys as the atlas prints."""
    assert len(VALUES) == 405
    assert {key.split(".")[0] for key in VALUES} == set(BY_GROUP)


@pytest.mark.parametrize("name", FIGHTERS)
def test_demonstration_fighters(name: str) -> None:
    """Chapter 8: the cards in profiles/club are the atlas's."""
    found, wanted = card(name).card, FIGHTERS[name]
    for field, value in wanted.items():
        if field in ("id", "name"):
            continue
        have: Any = getattr(found, field)
        assert (list(have) if field == "traits" else have) == (value or ([] if field == "traits" else value)), field


@pytest.mark.parametrize("name", WEAPONS)
def test_demonstration_weapons(name: str) -> None:
    found = next(one for fighter in FIGHTERS for one in card(fighter).card.weapon if one.id == name)
    for field, value in WEAPONS[name].items():
        have = getattr(found, field)
        assert (have if field not in ("strength", "damage") else str(have)) == (
            value if field not in ("strength", "damage") else str(value)
        ), field


def test_melee_is_the_volleys_of_both() -> None:
    """R60: the target strikes only if alive; the first volley of `melee` is the volley of the atlas."""
    found = melee(card("ork"), card("guardsman"))
    assert found.value("kill_target") == pytest.approx(1 - float(FRACTIONS["volley.ork.club.guardsman.n2.unsaved0"]))
    alive = float(FRACTIONS["volley.ork.club.guardsman.n2.unsaved0"])
    assert found.value("kill_attacker") == pytest.approx(
        alive * float(FRACTIONS["blow.guardsman.bayonet.ork.unsaved"]), abs=1e-12
    )
