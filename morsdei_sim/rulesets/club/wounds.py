"""`wounds`: what becomes of one fighter that receives blows and mortal wounds, and whether friends raise it again."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from morsdei_sim._jit import inline
from morsdei_sim.errors import UserError
from morsdei_sim.fight import verbs
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run
from morsdei_sim.lang import _
from morsdei_sim.rulesets.club.cards import Damage, Entrant
from morsdei_sim.rulesets.club.harm import DEAD, DYING, UP, after_blow, damage_of, flees, flight, is_dying, raised
from morsdei_sim.rulesets.club.once import ends_of, once
from morsdei_sim.rulesets.club.rules import PRINTED, QUARTERS, Rules
from morsdei_sim.rulesets.club.shooting import MARKS, Target
from morsdei_sim.rulesets.club.sides import fighter, life_of, target_of


class Wounds(Rules):
    """The kind of fight: blows, mortal wounds, a Leadership check, attempts to raise, all on one fighter."""

    __slots__ = ()


class Blows(NamedTuple):
    """What befalls the fighter; `rolls` are the avoid-death rolls it has behind it."""

    blows: int
    dice: int
    sides: int
    flat: int
    mortal: int
    attempts: int
    rolls: int


class Patient(NamedTuple):
    """How the fighter stands: damage received, avoid-death rolls, 1 + the inches fled (0: none), ENDURANCE regained."""

    damage: int
    mark: int
    rolls: int
    fled: int
    regained: int


@inline
def most_damage(attacker):
    """Damage that can be received at most."""
    return attacker.blows * (attacker.dice * attacker.sides + attacker.flat) + attacker.mortal


@inline
def most_rolls(attacker):
    """Avoid-death rolls that can be made at most."""
    return attacker.rolls + attacker.blows + attacker.mortal


@inline
def pack(rules, attacker, now):
    """A patient as one integer."""
    code = now.damage * MARKS + now.mark
    code = code * (most_rolls(attacker) + 1) + now.rolls
    code = code * (6 * rules.flight_dice + 2) + now.fled
    return code * (rules.raise_sides + 1) + now.regained


@inline
def unpack(rules, attacker, code):
    """The patient of an integer, or of an array of them."""
    regained, code = code % (rules.raise_sides + 1), code // (rules.raise_sides + 1)
    fled, code = code % (6 * rules.flight_dice + 2), code // (6 * rules.flight_dice + 2)
    rolls, code = code % (most_rolls(attacker) + 1), code // (most_rolls(attacker) + 1)
    return Patient(code // MARKS, code % MARKS, rolls, fled, regained)


@inline
def cells_of(rules, attacker):
    """How many ways there are to stand."""
    return (
        (most_damage(attacker) + 1)
        * MARKS
        * (most_rolls(attacker) + 1)
        * (6 * rules.flight_dice + 2)
        * (rules.raise_sides + 1)
    )


@inline
def life(defender, now):
    """The life, as in `harm`."""
    if now.mark <= UP:
        return now.mark
    return UP + now.regained if now.regained else defender.life - now.damage


@verbs.means(verbs.span, Wounds)
def _span(rules, attacker, defender):
    return cells_of(rules, attacker)


@verbs.means(verbs.begin, Wounds)
def _begin(rules, attacker, defender):
    return pack(rules, attacker, Patient(0, min(defender.life, UP + 1), attacker.rolls, 0, 0))


@verbs.means(verbs.largest, Wounds)
def _largest(rules, attacker, defender):
    return 4


@verbs.means(verbs.stage, Wounds)
def _stage(rules, attacker, defender, state):
    cells = cells_of(rules, attacker)
    steps = attacker.blows + attacker.mortal + 1 + attacker.attempts
    return state % cells if state // cells >= steps else verbs.RUNNING


@inline
def receives(rules, dice, target, now, damage):
    """R40-R41 One blow or one mortal wound, from which nothing protects: the patient after it.

    Mortal wounds come one point at a time (RULING 23).
    """
    before = life(target, now)
    after = after_blow(rules, dice, target, before, damage)
    rolls = now.rolls + is_dying(before)
    return Patient(now.damage + damage, min(after, UP + 1), rolls, now.fled, now.regained)


@verbs.means(verbs.attack, Wounds)
def next_wound(rules, dice, attacker, defender, state):
    """The next blow, then the next mortal wound, then the Leadership check (R27-R29), then attempts to raise (R38)."""
    cells = cells_of(rules, attacker)
    step, now = state // cells, unpack(rules, attacker, state % cells)
    standing = life(defender, now)
    wounds = attacker.blows + attacker.mortal
    if standing == DEAD:
        pass
    elif step < attacker.blows:
        now = receives(rules, dice, defender, now, damage_of(dice, attacker))
    elif step < wounds:
        now = receives(rules, dice, defender, now, 1)
    elif step == wounds:
        if flees(dice, defender, standing, now.damage):
            inches = flight(rules, dice) // QUARTERS
            now = Patient(now.damage, now.mark, now.rolls, 1 + inches, now.regained)
    elif is_dying(standing):
        after = raised(rules, dice, defender, standing)
        if after > UP:
            now = Patient(now.damage, UP + 1, now.rolls, now.fled, after - UP)
    return (step + 1) * cells + pack(rules, attacker, now)


def wounds(
    one: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    blows: int = 1,
    damage: str = "1",
    mortal: int = 0,
    endurance: int = 0,
    dying: bool = False,
    avoid_rolls: int = 0,
    raise_attempts: int = 0,
) -> Outcome:
    """A number of blows let through, then mortal wounds, then the end of the turn, then friends who raise (R27-R41).

    Readings: `up`, `dying`, `dead` (at the very end), `damage`, `mean_damage` (received until death, unclipped),
    `avoid_rolls` (of this dying spell, earlier ones included; the one that needs 7 or more counts, though no die can
    help), `flees`, `flee_distance` (inches, 0: does not flee), `raised` (within the attempts), `endurance_left` and,
    with attempts, `endurance_after_raise` (0: not raised).
    """
    patient = fighter(one)
    try:
        each = Damage.of(damage)
    except ValueError as fault:
        raise UserError(_("damage = {value}: {fault}").format(value=damage, fault=fault)) from None
    start = life_of(rules, patient, endurance, dying, avoid_rolls)
    befalls = Blows(blows, each.count, each.sides, each.flat, mortal, raise_attempts, avoid_rolls)
    target = target_of(patient, start)
    kind = Wounds(*rules)
    ends_of(kind, befalls, target)
    result = once(
        run, kind, befalls, target, _readings(kind, befalls, target), attacker=patient.label, blows=blows,
        damage_of_blow=damage, mortal=mortal, raise_attempts=raise_attempts,
    )  # fmt: skip
    notes = []
    if raise_attempts and not patient.card.hero:
        notes.append(_("{name} is no hero: he is never dying and cannot be raised.").format(name=patient.label))
    return replace(result, notes=tuple(notes))


def _readings(rules: Wounds, befalls: Blows, target: Target) -> tuple[Reading, ...]:
    now = unpack(rules, befalls, ends_of(rules, befalls, target))
    left = np.where(now.mark <= UP, 0, np.where(now.regained > 0, now.regained, target.life - UP - now.damage))
    fled = (now.fled > 0).astype(np.int64)
    found = (
        Reading("up", "chance", (now.mark > UP).astype(np.int64)),
        Reading("dying", "chance", ((now.mark >= DYING) & (now.mark <= UP)).astype(np.int64)),
        Reading("dead", "chance", (now.mark == DEAD).astype(np.int64)),
        Reading("damage", "distribution", now.damage),
        Reading("mean_damage", "mean", now.damage),
        Reading("avoid_rolls", "distribution", now.rolls),
        Reading("flees", "chance", fled),
        Reading("flee_distance", "distribution", np.maximum(now.fled - 1, 0)),
        Reading("endurance_left", "distribution", left),
    )
    if not befalls.attempts:
        return found
    return (
        *found,
        Reading("raised", "chance", (now.regained > 0).astype(np.int64)),
        Reading("endurance_after_raise", "distribution", now.regained),
    )
