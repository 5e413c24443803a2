"""From cards to the numbers that the procedures take, with the checks that every question shares."""

from __future__ import annotations

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets.club.cards import Damage, Entrant, Weapon, called, entrant, weapon_of
from morsdei_sim.rulesets.club.harm import UP, dying_after
from morsdei_sim.rulesets.club.rules import QUARTERS, Rules
from morsdei_sim.rulesets.club.shooting import Arm, Target

__all__ = ["NO_ARM", "arm_of", "called", "fighter", "in_range", "life_of", "quarters", "target_of", "weapon_of"]

NO_ARM = Arm(7, 1, 0, 0, 0, 1, 0, 0, 0)
"""R66 An empty slot."""


def fighter(one: str | Entrant) -> Entrant:
    """A fighter, read when it is a reference."""
    return one if isinstance(one, Entrant) else entrant(one)


def quarters(inches: float) -> int:
    """RULING 14 A length in quarters of an inch; UserError unless it is whole or half inches."""
    if inches * 2 != round(inches * 2):
        raise UserError(_("distance = {value}: must be whole or half inches").format(value=inches))
    return round(inches * QUARTERS)


def arm_of(one: Entrant, weapon: Weapon | None) -> Arm:
    """R12, R23, R47, RULINGS 5, 18 A weapon in the hands of its user."""
    if weapon is None:
        return NO_ARM
    damage = Damage.of(weapon.damage)
    accuracy = one.card.acc_melee if weapon.kind == "melee" else one.card.acc_ranged
    return Arm(
        accuracy, weapon.strength_of(one.card.strength), weapon.ap, damage.count, damage.sides, damage.flat,
        weapon.shots, int(weapon.range * QUARTERS), weapon.magazine or 0,
    )  # fmt: skip


def in_range(one: Entrant, weapon: Weapon, distance: float) -> None:
    """R42, R44 UserError when the target is out of range."""
    if distance > weapon.range:
        raise UserError(
            _("{name} cannot fire: {distance:g} inches are more than the range of {weapon}, {range:g} (R42).").format(
                name=one.label, distance=distance, weapon=called(weapon), range=weapon.range
            )
        )


def life_of(rules: Rules, one: Entrant, endurance: int = 0, dying: bool = False, avoid_rolls: int = 0) -> int:
    """The life of a fighter that comes to a question so: UserError when its card cannot be in that state."""
    if dying:
        if not one.card.hero:
            raise UserError(_("{name} is no hero and cannot be dying (RULING 24).").format(name=one.label))
        if endurance:
            raise UserError(_("a dying character has no ENDURANCE left (R30)"))
        return int(dying_after(rules, avoid_rolls))
    if avoid_rolls:
        raise UserError(_("only a dying character has made rolls to avoid death (R34)"))
    if endurance > one.card.endurance:
        raise UserError(
            _("{name} has an ENDURANCE of {most}, less than {given}").format(
                name=one.label, most=one.card.endurance, given=endurance
            )
        )
    return UP + (endurance or one.card.endurance)


def target_of(one: Entrant, life: int, cover: int = 0) -> Target:
    """The numbers of somebody who is attacked."""
    card = one.card
    return Target(card.toughness, card.save, card.endurance, card.leadership, int(card.hero), int(cover), life)
