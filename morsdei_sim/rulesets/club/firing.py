"""R13, R57-R59 What a weapon fires in a turn, and when it is reloaded (RULING 30); own firing turns at one target."""

from __future__ import annotations

from typing import NamedTuple

from morsdei_sim._jit import inline
from morsdei_sim.fight import verbs
from morsdei_sim.rulesets.club.harm import DEAD, UP
from morsdei_sim.rulesets.club.rules import Rules, hit_need, reloading_shots
from morsdei_sim.rulesets.club.shooting import Arm, struck


class Firing(Rules):
    """The kind of fight: turn after turn of shooting at one target that stands still."""

    __slots__ = ()


class Gunner(NamedTuple):
    """Who fires: `loaded` shots in the magazine at the start, until the target is `dying` (1) or dead (0)."""

    arm: Arm
    dying: int
    loaded: int
    until_dying: int


@inline
def discharged(arm, ammo):
    """RULING 30 Whether a weapon with so many shots left has to be reloaded."""
    return arm.magazine > 0 and ammo == 0


@inline
def can_fire(rules, arm, ammo):
    """R57-R58 Shots that a weapon fires in an own turn: half of them when it is reloaded, at most what it holds."""
    if arm.magazine == 0:
        return arm.shots
    if ammo == 0:
        return min(reloading_shots(rules, arm.shots), arm.magazine)
    return min(arm.shots, ammo)


@inline
def ammo_after(arm, ammo, fired):
    """R13, RULING 30 Shots left in the magazine after so many were fired in an own turn, reloading when it was
    empty."""
    if arm.magazine == 0:
        return 0
    return (arm.magazine if ammo == 0 else ammo) - fired


@inline
def pack(attacker, life, ammo, left):
    """The state as one integer; `left` is 0 when a turn begins."""
    return (life * (attacker.arm.magazine + 1) + ammo) * (attacker.arm.shots + 1) + left


@inline
def unpack(attacker, state):
    """(Life of the target, shots in the magazine, shots of this turn left)."""
    left, rest = state % (attacker.arm.shots + 1), state // (attacker.arm.shots + 1)
    return rest // (attacker.arm.magazine + 1), rest % (attacker.arm.magazine + 1), left


@verbs.means(verbs.span, Firing)
def _span(rules, attacker, defender):
    return 2


@verbs.means(verbs.begin, Firing)
def _begin(rules, attacker, defender):
    return pack(attacker, defender.life, attacker.loaded, 0)


@verbs.means(verbs.largest, Firing)
def _largest(rules, attacker, defender):
    return 1


@verbs.means(verbs.stage, Firing)
def _stage(rules, attacker, defender, state):
    life, _ammo, left = unpack(attacker, state)
    if life == DEAD:
        return 0
    if life <= UP and attacker.until_dying:
        return 1
    return verbs.TURN if left == 0 else verbs.RUNNING


@verbs.means(verbs.attack, Firing)
def next_shot(rules, dice, attacker, defender, state):
    """R12 The next shot; the first of a turn decides how many there are."""
    life, ammo, left = unpack(attacker, state)
    if left == 0:
        left = can_fire(rules, attacker.arm, ammo)
        ammo = ammo_after(attacker.arm, ammo, left)
        if left == 0:
            return pack(attacker, life, ammo, 0)
    need = hit_need(rules, attacker.arm.accuracy, attacker.dying, 0)
    life = struck(rules, dice, attacker.arm, defender, need, defender.cover, life)[2]
    return pack(attacker, life, ammo, left - 1)
