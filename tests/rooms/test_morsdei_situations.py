"""Situations that the rules exclude are refused in words that name the rule, and the Range of a weapon."""

from __future__ import annotations

import pytest

from morsdei_sim.errors import UserError
from morsdei_sim.lang import set_language
from morsdei_sim.rulesets.morsdei.cards import PISTOL_RANGE, Weapon
from morsdei_sim.rulesets.morsdei.exchange import melee
from morsdei_sim.rulesets.morsdei.volley import shoot

TARGET = "Defence 3 HP 7"


@pytest.fixture(autouse=True)
def _english() -> None:
    set_language("en")


@pytest.mark.parametrize(
    ("attacker", "how", "message"),
    [
        ("bulwark/heavy", {"in_contact": True}, r"only a pistol can be fired in contact.*S7"),
        ("4d6 4+ 4 ranged", {"in_contact": True}, r"only a pistol.*S7"),
        ("4d6 4+ 4 pistol", {"in_contact": True, "overwatch": True}, r"never fired in contact.*O12"),
        ("4d6 4+ 4", {"overwatch": True, "contract": True}, r"not both.*O6, K9"),
    ],
)
def test_excluded_shots(attacker: str, how: dict[str, bool], message: str) -> None:
    with pytest.raises(UserError, match=message):
        shoot(attacker, TARGET, **how)
    for one in how if len(how) == 2 else ():  # each alone is a shot
        shoot(attacker, TARGET, **{one: True})


def test_a_pistol_in_contact() -> None:
    """S7: a pistol may, one worse; so may a weapon typed without its type."""
    worse = shoot("4d6 5+ 4", TARGET).value("mean_damage")
    assert shoot("scavengers/runner", TARGET, in_contact=True).value("mean_damage") == pytest.approx(worse * 3 / 4)
    assert shoot("4d6 4+ 4", TARGET, in_contact=True).value("mean_damage") == pytest.approx(worse)


def test_a_contract_shot_is_not_aimed() -> None:
    """S1 with K7; a note says so."""
    plain, aimed = shoot("4d6 4+ 4", TARGET, contract=True), shoot("4d6 4+ 4", TARGET, contract=True, aim=True)
    assert aimed.value("mean_damage") == plain.value("mean_damage")
    assert not plain.notes
    assert "O14, S1" in aimed.notes[0]


def test_no_weapon_no_action() -> None:
    """RULING 6."""
    with pytest.raises(UserError, match="melee does not fit"):
        shoot("4d6 4+ 4 melee", TARGET)
    with pytest.raises(UserError, match="Dice, Hit, Damage is missing"):
        melee("HP 7", "4d6 4+ 4 HP 7")


def test_range() -> None:
    """RULING 5: 10 for a pistol, unlimited otherwise, unless the card says more or less."""
    numbers = {"name": "w", "dice": 4, "hit": 4, "damage": 4}
    assert Weapon(type="pistol", **numbers).reach == PISTOL_RANGE == 10
    assert Weapon(type="ranged", **numbers).reach == float("inf")
    assert Weapon(type="pistol", range=12, **numbers).reach == 12
    assert Weapon(type="melee", **numbers).reach == 0
