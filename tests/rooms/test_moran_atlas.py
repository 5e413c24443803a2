"""Every number of chapter 9 of the atlas of Moran, given by the product's exact engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from reference.moran_values import EXACT, FIGHTERS, ITEMS, VALUES, WEAPONS, close

from morsdei_sim.fight.outcome import Outcome
from morsdei_sim.rulesets.moran import shooting
from morsdei_sim.rulesets.moran.activations import activations, watch
from morsdei_sim.rulesets.moran.duel import duel
from morsdei_sim.rulesets.moran.melee import melee
from morsdei_sim.rulesets.moran.rules import PRINTED
from morsdei_sim.rulesets.moran.volley import shoot
from tests.rooms.moran_cards import arm, cards_of, gunner, made, of_atlas

shoot = cache(shoot)
watch = cache(watch)
duel = cache(duel)
activations = cache(activations)

BAND = {"close": 1, "middle": 10, "far": 20}


def after(word: str, prefix: str) -> int:
    assert word.startswith(prefix)
    return int(word[len(prefix) :])


def weapons(word: str) -> tuple[str, str]:
    """ "moran_moran_pistol" is Moran with his pistol."""
    fighter = next(name for name in FIGHTERS if word.startswith(name + "_"))
    return fighter, word[len(fighter) + 1 :]


def pool(key: list[str]) -> float:
    near, far = map(int, key[0].split("_"))
    distance = after(key[1], "d")
    if key[-1] == "eaten":
        return shooting.spent(PRINTED, near, far, distance, 0, 0)
    cover, defending = (after(key[2], "cover"), after(key[3], "def")) if len(key) > 3 else (0, 0)
    found = shoot(gunner(weapon=made(near, far)), gunner(), distance=distance, cover=cover, defending=bool(defending))
    dice = found.value("dice")
    assert abs(dice - round(dice)) < 1e-12  # a mean of the same whole number
    return round(dice)


def with_dice(skill: int, dice: int, armour: int = 0, lethality: int = 2) -> Outcome:
    """A shot with so many dice: four close up, less cover and defence."""
    lost = 4 - dice
    return shoot(gunner(skill, made(10, 20, lethality)), gunner(armour=armour), cover=min(lost, 2), defending=lost > 2)


def succ(key: list[str]) -> float:
    found = with_dice(after(key[0], "skill"), after(key[1], "n")).distribution("successes")
    return 1 - found.get(0, 0.0) if key[2] == "at_least1" else found.get(after(key[2], "k"), 0.0)


def joint(key: list[str]) -> float:
    outcome = with_dice(after(key[0], "skill"), after(key[1], "n"))
    successes, sixes = outcome.reading("successes").values, outcome.reading("sixes").values
    here = (successes == after(key[2], "succ")) & (sixes == after(key[3], "six"))
    return float(outcome.chances[here].sum())


def empty(key: list[str]) -> float:
    weapon = made(10, 20, 2, after(key[2], "mag"))
    found = {
        shoot(gunner(skill, weapon), gunner(), distance=BAND[key[0]], cover=after(key[1], "cover")).value("emptied")
        for skill in (1, 3, 6)
    }
    assert max(found) - min(found) < 1e-15  # any skill
    return found.pop()


def table(key: list[str]) -> float:
    skill, dice, armour = after(key[0], "skill"), after(key[1], "n"), after(key[2], "arm")
    if key[3] == "nothing":
        return with_dice(skill, dice, armour).value("nothing")
    return with_dice(skill, dice, armour, after(key[3], "leth")).value(key[4])


def shot_of(key: list[str], wounded: bool = False) -> Outcome:
    how = {"cover": 0, "def": 0}
    for word in key[4:]:
        for name in how:
            if word.startswith(name):
                how[name] = after(word, name)
    return shoot(
        of_atlas(key[0], key[1]), gunner(armour=after(key[3], "arm")), distance=after(key[2], "d"),
        cover=how["cover"], defending=bool(how["def"]), target_wounded=wounded,
    )  # fmt: skip


def effect(key: list[str]) -> float:
    return shot_of(key).value(key[-1])


def effect_on_wounded(key: list[str]) -> float:
    return shot_of(key, wounded=True).value("kill")


def both(key: list[str]) -> float:
    outcome = shot_of(key)
    with_empty = outcome.value(f"{key[4]}_emptied")
    return with_empty if key[5] == "empty" else outcome.value(key[4]) - with_empty


def blows(key: list[str]) -> float:
    name = {"first_blow_wounds": "wound", "blow_on_wounded_kills": "kill"}[key[0]]
    return melee(gunner(), gunner(armour=4), target_wounded=name == "kill").value(name)


def area(key: list[str]) -> float:
    grenade = arm("grenade").model_copy(update={"lethality": after(key[0], "dmg")})
    return shoot(gunner(weapon=grenade), gunner(armour=after(key[1], "arm")), weapon="grenade").value("wound")


def watching(key: list[str]) -> float:
    shooter, walker = of_atlas(key[0], key[1]), gunner(armour=after(key[3], "arm"))
    rules = PRINTED._replace(recover_same_turn=0) if key[-1] == "stays_down" else PRINTED
    found = watch(shooter, walker, rules=rules, distance=after(key[2], "d"), cover=after(key[4], "cover"))
    return found.value(key[5])


def focus2(key: list[str]) -> float:
    shooter, target = of_atlas(key[0], key[1]), gunner(armour=after(key[3], "arm"))
    return shoot(shooter, target, distance=after(key[2], "d"), shooters=2).value("kill")


def turns(key: list[str]) -> float:
    shooter, target = of_atlas(key[0], key[1]), gunner(armour=after(key[3], "arm"))
    found = activations(
        shooter, target, distance=after(key[2], "d"), cover=after(key[4], "cover"), target_plan=key[5], limit=5
    )
    return found.value("mean_turns")


def standing(key: list[str]) -> float:
    one, other = (of_atlas(*weapons(word)) for word in key[:2])
    mine, theirs = (int(digit) for digit in key[3].removeprefix("cover"))
    found = duel(one, other, distance=after(key[2], "d"), first="attacker", attacker_cover=mine, target_cover=theirs)
    return found.value({"a_wins": "attacker_wins", "turns": "mean_turns"}[key[4]])


def rush(key: list[str]) -> float:
    found = duel(
        of_atlas(key[0], key[1]), gunner(3, None, after(key[2], "arm")), distance=after(key[3], "d"),
        target_plan="rush", first={"rusher_first": "target", "shooter_first": "attacker"}[key[4]],
    )  # fmt: skip
    assert found.value("target_locks") == found.value("target_wins") == found.value("lock")
    return found.value({"rusher_dead": "attacker_wins", "lock": "lock", "turns": "mean_turns"}[key[5]])


ASKED: dict[str, Callable[[list[str]], float]] = {
    "pool": pool, "succ": succ, "joint": joint, "empty": empty, "table": table, "effect": effect,
    "effect_on_wounded": effect_on_wounded, "both": both, "melee": blows, "area": area, "watch": watching,
    "focus2": focus2, "turns": turns, "standing": standing, "rush": rush,
}  # fmt: skip


@pytest.mark.parametrize("family", ASKED)
def test_chapter_9(family: str) -> None:
    """Printed to six places, and to 1e-9 of the fraction where the atlas gives one."""
    keys = [key for key in VALUES if key.split(".")[0] == family]
    assert keys
    wrong = []
    for key in keys:
        found = ASKED[family](key.split(".")[1:])
        if not close(None if math.isinf(found) else found, VALUES[key]) or (
            key in EXACT and abs(found - float(EXACT[key])) > 1e-9 * max(1.0, found)
        ):
            wrong.append((key, found, VALUES[key]))
    assert wrong == []


def test_no_key_is_forgotten() -> None:
    assert {key.split(".")[0] for key in VALUES} == set(ASKED)
    assert len(VALUES) > 800
    assert len(EXACT) > 100


def test_the_demonstration_cards_are_those_of_chapter_8() -> None:
    found = {card.id: card for card in cards_of("demo")}
    named = {"knife_man_0": "knife_man", "knife_man_1": "knife_man_vest"}
    for name, wanted in FIGHTERS.items():
        card = found[named.get(name, name)]
        assert (card.skill, card.armour_class) == (wanted["skill"], wanted["armour"]), name
        assert (card.main or None, card.second or None) == (wanted["main"], wanted["second"]), name
        assert card.move == 5
    carried = {weapon.id: weapon for card in found.values() for weapon in card.weapon}
    for name, record in {**WEAPONS, **ITEMS}.items():
        if name == "sight":  # nobody carries it
            continue
        assert {field: getattr(carried[name], field) for field in record} == record, name


def test_means_are_those_of_the_distributions() -> None:
    outcome = shot_of(["rifleman", "rifle", "d8", "arm1"])
    for name in ("successes", "net", "sixes"):
        found = sum(value * chance for value, chance in outcome.distribution(name).items())
        assert outcome.value(f"mean_{name}") == pytest.approx(found, abs=1e-14)
    assert outcome.value("mean_successes") == pytest.approx(4 * 4 / 6)
    assert np.isclose(outcome.weights.sum(), 1)
