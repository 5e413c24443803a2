"""Dying, death and mending (R27-R41 in part): what damage does to a fighter.

How a fighter stands is one integer, its life: DEAD, then `DYING + how much harder the next avoid-death roll has
become`, then `UP + ENDURANCE left`. Everything that matters later is in it, so it is the state of every fight.
"""

from __future__ import annotations

from typing import Any

from morsdei_sim._jit import inline
from morsdei_sim.dice.questions import choose, die, passes, total
from morsdei_sim.rulesets.club.rules import PER_POINT, QUARTERS, runs_away

DEAD = 0
DYING = 1
UP = 7
"""A life above this is UP + the ENDURANCE left; DYING … UP are the avoid-death rolls that need 1+ … 7+ at most."""

HIT, PIERCE, SAVE, AVOID, FACE, FLIGHT, DAMAGE = 0, 1, 2, 3, 4, 5, 6
"""Purposes of the rolls of one step; damage has DAMAGE and the three after it."""

NEVER_FACE = 7


@inline
def is_dying(life):
    """R30 Whether a life is that of a dying character."""
    return 1 if DYING <= life <= UP else 0


@inline
def felled(target):
    """R30, RULING 24 The life of one whose ENDURANCE became zero: dying when a hero, else dead."""
    return DYING if target.hero else DEAD


@inline
def dying_after(rules: Any, rolls: int) -> int:
    """R35, RULING 22 The life of a dying character whose avoid-death rolls have become harder `rolls` times."""
    return DYING + min(rules.avoid_step * rolls, max(0, NEVER_FACE - rules.avoid_need))


@inline
def avoid_face(rules, life):
    """R34-R35 The face that the next avoid-death roll needs; from 7 on death is certain."""
    return rules.avoid_need + life - DYING


@inline
def after_blow(rules, dice, target, life, damage):
    """R30, R33-R36, RULINGS 12, 21-23 The life after one unsaved hit of so much damage.

    The hit that brings ENDURANCE to 0 causes no avoid-death roll, whatever its damage; every later one causes one.
    """
    if life > UP:
        left = life - damage
        return left if left > UP else felled(target)
    if life == DEAD:
        return DEAD
    if not passes(dice, avoid_face(rules, life), AVOID):
        return DEAD
    rise = rules.avoid_step * (damage if rules.avoid_rise == PER_POINT else 1)
    return min(life + rise, DYING + max(0, NEVER_FACE - rules.avoid_need))


@inline
def damage_of(dice, arm):
    """RULING 12 The damage of one unsaved hit: a number, or dice."""
    damage = arm.flat
    for n in range(arm.dice):
        damage += 1 + choose(dice, arm.sides, DAMAGE + n)
    return damage


@inline
def flees(dice, target, life, damage):
    """R27-R29, RULING 28 Whether the Leadership check of one who received this damage fails; the dead do not test."""
    if life == DEAD or damage == 0:
        return 0
    return runs_away(target.leadership, damage, die(dice, FACE))


@inline
def flight(rules, dice):
    """R29, RULING 29 How far one flees, in quarters of an inch."""
    return total(dice, rules.flight_dice, FLIGHT) * QUARTERS


@inline
def raised(rules, dice, target, life):
    """R38-R39, RULING 27 The life after one attempt to raise a dying character."""
    if not is_dying(life) or not passes(dice, rules.raise_need, FACE):
        return life
    return UP + min(1 + choose(dice, rules.raise_sides, FLIGHT), target.endurance)
