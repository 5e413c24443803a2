"""`charge`: one turn in which a fighter attacks another from a distance, overwatch to Leadership check."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from morsdei_sim._jit import inline
from morsdei_sim.dice.questions import total
from morsdei_sim.errors import UserError
from morsdei_sim.fight import verbs
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run
from morsdei_sim.lang import _
from morsdei_sim.rulesets.club.cards import Entrant, Weapon
from morsdei_sim.rulesets.club.harm import DEAD, UP, flees, is_dying
from morsdei_sim.rulesets.club.once import ends_of, once
from morsdei_sim.rulesets.club.rules import PRINTED, QUARTERS, Rules, gap_after, hit_need
from morsdei_sim.rulesets.club.shooting import Arm, Target, doses, struck, unit
from morsdei_sim.rulesets.club.sides import arm_of, called, fighter, life_of, quarters, target_of, weapon_of

ROLL = 7
"""Purpose of the attack roll; the purposes of `harm` share no step with it."""
HURTS = 13
"""Damage that Leadership checks tell apart: LEADERSHIP is 12 at most, and as much damage always fails."""
LIVES = UP + 41


class Charge(Rules):
    """The kind of fight: one declared attack."""

    __slots__ = ()


class Charger(NamedTuple):
    """Who attacks, from a gap in quarters of an inch."""

    body: Target
    arm: Arm
    gap: int


class Charged(NamedTuple):
    """Who is attacked: its melee weapon, and the weapon and number of shots of its overwatch."""

    body: Target
    arm: Arm
    gun: Arm
    shots: int


class Turn(NamedTuple):
    """How the turn stands; `gap` is 0 before the attack roll, then 1 + the gap; `fled` has a bit for each."""

    step: int
    dealt: int
    life: int
    their_life: int
    hurt: int
    their_hurt: int
    gap: int
    fled: int


@inline
def pack(attacker, defender, turn):
    """A turn as one integer."""
    code = turn.step * (doses(defender.gun, defender.shots) + 1) + turn.dealt
    code = (code * LIVES + turn.life) * LIVES + turn.their_life
    code = (code * HURTS + turn.hurt) * HURTS + turn.their_hurt
    return (code * (attacker.gap + 2) + turn.gap) * 4 + turn.fled


@inline
def unpack(attacker, defender, code):
    """The turn of an integer."""
    fled, code = code % 4, code // 4
    gap, code = code % (attacker.gap + 2), code // (attacker.gap + 2)
    their_hurt, code = code % HURTS, code // HURTS
    hurt, code = code % HURTS, code // HURTS
    their_life, code = code % LIVES, code // LIVES
    life, code = code % LIVES, code // LIVES
    most = doses(defender.gun, defender.shots) + 1
    return Turn(code // most, code % most, life, their_life, hurt, their_hurt, gap, fled)


@inline
def kind_of(life):
    """0 dead, 1 dying, 2 up."""
    return 2 if life > UP else 1 if life > DEAD else 0


@inline
def more_hurt(target, hurt, damage):
    """R28 The damage of this turn, as far as the Leadership check tells it apart."""
    return min(hurt + damage, target.leadership)


@verbs.means(verbs.span, Charge)
def _span(rules, attacker, defender):
    return (doses(defender.gun, defender.shots) + 1) * 9 * (attacker.gap + 2) * 4


@verbs.means(verbs.begin, Charge)
def _begin(rules, attacker, defender):
    return pack(attacker, defender, Turn(0, 0, attacker.body.life, defender.body.life, 0, 0, 0, 0))


@verbs.means(verbs.largest, Charge)
def _largest(rules, attacker, defender):
    return 4


@verbs.means(verbs.stage, Charge)
def _stage(rules, attacker, defender, state):
    turn = unpack(attacker, defender, state)
    if turn.step < defender.shots + attacker.arm.shots + defender.arm.shots + 3:
        return verbs.RUNNING
    who = turn.dealt * 9 + kind_of(turn.life) * 3 + kind_of(turn.their_life)
    return (who * (attacker.gap + 2) + turn.gap) * 4 + turn.fled


@inline
def overwatch(rules, dice, attacker, defender, turn):
    """R17, RULINGS 11, 15 One shot of overwatch at the attacker, whose cover counts."""
    need = hit_need(rules, defender.gun.accuracy, is_dying(turn.their_life), 1)
    _stop, damage, life = struck(rules, dice, defender.gun, attacker.body, need, attacker.body.cover, turn.life)
    hurt = more_hurt(attacker.body, turn.hurt, damage)
    dealt = turn.dealt + damage // unit(defender.gun)
    return Turn(turn.step + 1, dealt, life, turn.their_life, hurt, turn.their_hurt, turn.gap, turn.fled)


@inline
def advance(rules, dice, attacker, turn):
    """R18-R21, RULING 16 The attack roll of one who survived overwatch, dying or not: the turn after it."""
    gap = gap_after(rules, attacker.gap, total(dice, rules.attack_dice, ROLL) * QUARTERS)
    return Turn(
        turn.step + 1, turn.dealt, turn.life, turn.their_life, turn.hurt, turn.their_hurt, 1 + gap, turn.fled
    )  # fmt: skip


@inline
def strikes(rules, dice, attacker, defender, turn, by_attacker):
    """R22, R60 One strike of one of the two."""
    if by_attacker:
        need = hit_need(rules, attacker.arm.accuracy, is_dying(turn.life), 0)
        _stop, damage, life = struck(rules, dice, attacker.arm, defender.body, need, 0, turn.their_life)
        hurt = more_hurt(defender.body, turn.their_hurt, damage)
        return Turn(turn.step + 1, turn.dealt, turn.life, life, turn.hurt, hurt, turn.gap, turn.fled)
    need = hit_need(rules, defender.arm.accuracy, is_dying(turn.their_life), 0)
    _stop, damage, life = struck(rules, dice, defender.arm, attacker.body, need, 0, turn.life)
    hurt = more_hurt(attacker.body, turn.hurt, damage)
    return Turn(turn.step + 1, turn.dealt, life, turn.their_life, hurt, turn.their_hurt, turn.gap, turn.fled)


@inline
def checks(dice, attacker, defender, turn, of_attacker):
    """R27 The Leadership check of one of the two: it asks for damage received, not for enemies left."""
    body = attacker.body if of_attacker else defender.body
    life, hurt = (turn.life, turn.hurt) if of_attacker else (turn.their_life, turn.their_hurt)
    fled = turn.fled + (1 if of_attacker else 2) * flees(dice, body, life, hurt)
    return Turn(turn.step + 1, turn.dealt, turn.life, turn.their_life, turn.hurt, turn.their_hurt, turn.gap, fled)


@verbs.means(verbs.attack, Charge)
def next_roll(rules, dice, attacker, defender, state):
    """R15-R24, R60 The next roll of the turn: overwatch, attack roll, strikes of the attacker, of the other, checks."""
    turn = unpack(attacker, defender, state)
    after_roll = defender.shots + 1
    after_strikes = after_roll + attacker.arm.shots
    after_all = after_strikes + defender.arm.shots
    both = turn.life != DEAD and turn.their_life != DEAD
    step = turn.step
    if step < defender.shots:
        if both:
            return pack(attacker, defender, overwatch(rules, dice, attacker, defender, turn))
    elif step < after_roll:
        if both:
            return pack(attacker, defender, advance(rules, dice, attacker, turn))
    elif step < after_all:
        if both and turn.gap == 1:
            by_attacker = step < after_strikes
            return pack(attacker, defender, strikes(rules, dice, attacker, defender, turn, by_attacker))
    else:
        return pack(attacker, defender, checks(dice, attacker, defender, turn, step == after_all))
    skipped = Turn(
        step + 1, turn.dealt, turn.life, turn.their_life, turn.hurt, turn.their_hurt, turn.gap, turn.fled
    )  # fmt: skip
    return pack(attacker, defender, skipped)


def charge(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    distance: float = 6.0,
    no_overwatch: bool = False,
    attacker_cover: int = 0,
    attacker_dying: bool = False,
    target_dying: bool = False,
    attacker_endurance: int = 0,
    target_endurance: int = 0,
    weapon: str = "",
    target_weapon: str = "",
    overwatch_weapon: str = "",
) -> Outcome:
    """R15-R24 The attacker declares an attack from this distance: overwatch, 2D6, strikes both ways, Leadership checks.

    Readings: `charge_succeeds`, `charger_dead`, `target_dead`, `charger_dying`, `target_dying`, `both_alive_engaged`
    (before the checks), `target_alive_and_flees`, `charger_alive_and_flees`, `gap_after_failure` (half inches;
    -1: no failed advance), `mean_advance_of_failure` (inches; 0 for a success), `overwatch_kills`, `overwatch_damage`,
    `mean_overwatch_damage`.
    """
    ours, theirs = fighter(attacker), fighter(target)
    gap = quarters(distance)
    _check_gap(rules, gap, distance)
    chosen = weapon_of(ours, ("melee",), weapon) if weapon else ours.card.ready("melee")
    answering = weapon_of(theirs, ("melee",), target_weapon) if target_weapon else theirs.card.ready("melee")
    gun = None if no_overwatch else _gun(theirs, distance, overwatch_weapon)
    charger = Charger(
        target_of(ours, life_of(rules, ours, attacker_endurance, attacker_dying), attacker_cover),
        arm_of(ours, chosen),
        gap,
    )
    arm = arm_of(theirs, gun)
    charged = Charged(
        target_of(theirs, life_of(rules, theirs, target_endurance, target_dying)), arm_of(theirs, answering), arm,
        min(arm.shots, arm.magazine) if arm.magazine else arm.shots,
    )  # fmt: skip
    kind = Charge(*rules)
    result = once(
        run, kind, charger, charged, _readings(kind, charger, charged), attacker=ours.label, target=theirs.label,
        distance=distance, overwatch_weapon=called(gun) if gun else "",
    )  # fmt: skip
    notes = []
    if chosen is None:
        notes.append(_("{name} has no melee weapon and does not strike (R23).").format(name=ours.label))
    if gun is None:
        notes.append(_("{name} fires no overwatch (RULING 15).").format(name=theirs.label))
    return replace(result, notes=tuple(notes))


def _check_gap(rules: Rules, gap: int, distance: float) -> None:
    """R16, R21 UserError where no attack can be declared."""
    if gap > rules.attack_reach * QUARTERS:
        raise UserError(
            _("distance = {value:g}: an attack cannot be declared from more than {most} inches (R16)").format(
                value=distance, most=rules.attack_reach
            )
        )
    if gap < rules.keep_off * QUARTERS:
        raise UserError(
            _("distance = {value:g}: nearer than {least} inch is close combat already; ask melee (R21)").format(
                value=distance, least=rules.keep_off
            )
        )


def _gun(theirs: Entrant, distance: float, wanted: str) -> Weapon | None:
    """R17, RULING 15 The weapon of overwatch: the one named, else the ranged one, else the pistol, if in range."""
    if wanted:
        named = weapon_of(theirs, ("ranged", "pistol"), wanted)
        return named if named.range >= distance else None
    ready = (theirs.card.ready(kind) for kind in ("ranged", "pistol"))
    return next((one for one in ready if one is not None and one.range >= distance), None)


def _readings(rules: Charge, charger: Charger, charged: Charged) -> tuple[Reading, ...]:
    cells = ends_of(rules, charger, charged)
    fled, rest = cells % 4, cells // 4
    gap, rest = rest % (charger.gap + 2) - 1, rest // (charger.gap + 2)
    theirs, ours, dealt = rest % 3, rest // 3 % 3, rest // 9 * int(unit(charged.gun))
    failed = gap > 0

    def chance(name: str, when: Any) -> Reading:
        return Reading(name, "chance", np.asarray(when).astype(np.int64))

    return (
        chance("charge_succeeds", gap == 0),
        chance("charger_dead", ours == 0),
        chance("target_dead", theirs == 0),
        chance("charger_dying", ours == 1),
        chance("target_dying", theirs == 1),
        chance("both_alive_engaged", (gap == 0) & (ours > 0) & (theirs > 0)),
        chance("target_alive_and_flees", (theirs > 0) & (fled >= 2)),
        chance("charger_alive_and_flees", (ours > 0) & (fled % 2 == 1)),
        Reading("gap_after_failure", "distribution", np.where(failed, gap * 2 // QUARTERS, -1)),
        Reading("mean_advance_of_failure", "mean", np.where(failed, charger.gap - gap, 0) / QUARTERS),
        chance("overwatch_kills", (gap < 0) & (ours == 0)),
        Reading("overwatch_damage", "distribution", dealt),
        Reading("mean_overwatch_damage", "mean", dealt),
    )
