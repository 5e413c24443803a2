"""What bots of an engagement choose (atlas chapter 3, D1-D11); each is a few lines, to be read and changed.

Plans of a fighter: RUSH goes at the nearest enemy and attacks it whenever it may; HOLD stays and shoots; KITE keeps the
nearest enemy just inside its own range and leaves close combat. All shoot at what promises the most damage.
"""

from __future__ import annotations

from morsdei_sim._jit import apart, inline
from morsdei_sim.rulesets.club.field import (
    HAIR,
    MELEE,
    PISTOL,
    RANGED,
    arm_at,
    body_at,
    dying,
    engaged,
    gap,
    lives,
    nearest_enemy,
)
from morsdei_sim.rulesets.club.firing import can_fire
from morsdei_sim.rulesets.club.rules import QUARTERS, hit_need, pierce_need, save_need

RUSH, HOLD, KITE = 0, 1, 2
PLANS = ("rush", "hold", "kite")


@inline
def chance(need):
    """Chance that a D6 shows so much or more."""
    return max(0, min(6, 7 - need)) / 6.0


@apart
def promise(rules, arm, target, shots, cover, is_dying):
    """Mean damage that so many attacks promise, whatever becomes of the target on the way."""
    hit = chance(hit_need(rules, arm.accuracy, is_dying, 0))
    pierce = chance(pierce_need(rules, arm.strength, target.toughness))
    unsaved = 1.0 - chance(save_need(rules, target.save, arm.ap, cover))
    return shots * hit * pierce * unsaved * (arm.flat + arm.dice * (arm.sides + 1) / 2.0)


@inline
def loaded(field, who, slot):
    """Shots in the magazine of a slot."""
    return field.ranged[who] if slot == RANGED else field.pistol[who]


@apart
def reach_of(field, who):
    """The range of the longest weapon that shoots; 0 without one."""
    ranged, pistol = arm_at(field, who, RANGED), arm_at(field, who, PISTOL)
    return max(ranged.reach if ranged.shots else 0, pistol.reach if pistol.shots else 0)


@apart
def fights_a_friend(rules, field, who, target):
    """R63 Whether a target is in combat with a friend of the shooter, and not with the shooter."""
    if engaged(rules, field, who, target):
        return False
    for friend in range(len(field.side)):
        if friend != who and field.side[friend] == field.side[who] and engaged(rules, field, friend, target):
            return True
    return False


@apart
def first_of_unit(field, who, target):
    """R14, RULING 34 Whether no other living model of the target's unit is nearer to this one."""
    here = gap(field, who, target)
    for other in range(len(field.side)):
        if field.unit[other] != field.unit[target] or other == target or not lives(field, other):
            continue
        there = gap(field, who, other)
        if there < here - HAIR or (abs(there - here) <= HAIR and other < target):
            return False
    return True


@apart
def choose_shot(rules, field, who, slot, tied, into_fights):
    """D3, D5, R42, R62 (Target, mean damage promised) of the best shot with the weapon in a slot; -1 for none.

    Tied up, only a pistol at somebody in the same combat.
    """
    arm, best, most = arm_at(field, who, slot), -1, 0.0
    shots = can_fire(rules, arm, loaded(field, who, slot)) if arm.shots else 0
    if shots == 0 or (tied and slot == RANGED):
        return best, most
    for target in range(len(field.side)):
        if field.side[target] == field.side[who] or not lives(field, target):
            continue
        if tied and not engaged(rules, field, who, target):
            continue
        if gap(field, who, target) > arm.reach + HAIR or not first_of_unit(field, who, target):
            continue
        if not into_fights and fights_a_friend(rules, field, who, target):
            continue
        body = body_at(field, target)
        good = promise(rules, arm, body, shots, body.cover, dying(field, who))
        if good > most + HAIR:
            best, most = target, good
    return best, most


@apart
def strike_target(rules, field, who, wanted):
    """D9 Whom to strike: the one attacked this turn, else the one in combat with him that is nearest to death; -1."""
    if wanted >= 0 and engaged(rules, field, who, wanted):
        return wanted
    best = -1
    for other in range(len(field.side)):
        if engaged(rules, field, who, other) and (best < 0 or field.life[other] < field.life[best]):
            best = other
    return best


@apart
def consolidates(rules, field, who, target):
    """D10 Whether to go on to the nearest opponent: not at a stronger striker, who would strike for nothing (R26)."""
    mine, theirs = arm_at(field, who, MELEE), arm_at(field, target, MELEE)
    given = promise(rules, mine, body_at(field, target), mine.shots, 0, dying(field, who))
    taken = promise(rules, theirs, body_at(field, who), theirs.shots, 0, dying(field, target))
    return given >= taken


@apart
def worth_running(rules, field, who, length):
    """D2 Whether to run: after an ordinary move it could neither shoot at nor attack the nearest enemy."""
    enemy = nearest_enemy(field, who)
    after = max(rules.keep_off * QUARTERS, gap(field, who, enemy) - length)
    return after > reach_of(field, who) and after > rules.attack_reach * QUARTERS


@apart
def friend_to_raise(rules, field, who):
    """D11, R38 A dying friend within 3 inches, the nearest; -1 for none."""
    best = -1
    for other in range(len(field.side)):
        if other == who or field.side[other] != field.side[who] or not dying(field, other):
            continue
        here = gap(field, who, other)
        if here <= rules.raise_reach * QUARTERS + HAIR and (best < 0 or here < gap(field, who, best)):
            best = other
    return best
