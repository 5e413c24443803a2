"""Shooting (chapters B-E of the atlas), blasts (R39-R40) and blows (R36-R37): what one attack does to one target.

    dice by range - cover - defence -> successes and sixes of the SAME dice -> armour -> nothing, wound, kill
                                    -> sixes and eaten dice against the magazine -> loaded or empty

Small procedures of plain numbers: a shot, a watch, a duel and a whole engagement all go through them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from morsdei_sim._jit import inline
from morsdei_sim.dice import questions
from morsdei_sim.fight import verbs
from morsdei_sim.rulesets.moran.rules import DEAD, EXACTLY, FAR_INCLUSIVE, UP, WOUNDED, Rules

SHOT = 0
"""Purpose of the dice of a shot."""

FACES = 5
"""Successes or sixes of one shot that are told apart: 0 to 4."""


class Shooting(Rules):
    """The kind of fight: shooters of one side attack one target, one after another, in one turn."""

    __slots__ = ()


class Shooter(NamedTuple):
    """The attack: `magazine` 0 never empties; `area` 1 is a blast of damage `lethality`; `shots` shooters alike."""

    skill: int
    near: int
    far: int
    lethality: int
    magazine: int
    area: int
    distance: int
    shots: int


class Target(NamedTuple):
    """The target: class of armour, steps of cover 0-2, whether it defends or lies wounded."""

    armour: int
    cover: int
    defending: int
    wounded: int


@inline
def band_dice(rules, near, far, distance):
    """R12-R13, RULING 2 Dice by the distance alone: nearer than the first number, than the second, or neither."""
    if distance < near:
        return rules.close_dice
    if distance < far or (rules.band_edge == FAR_INCLUSIVE and distance == far):
        return rules.middle_dice
    return rules.far_dice


@inline
def pool(rules: Any, near: int, far: int, distance: int, cover: int, defending: int) -> int:
    """R9, R16-R17, RULING 7 Dice of a shot: those of the range less cover and defence, never fewer than none."""
    dice = band_dice(rules, near, far, distance)
    left: int = max(0, dice - rules.cover_dice * cover - rules.defence_dice * defending)
    return left


@inline
def spent(rules, near, far, distance, cover, defending):
    """R25, RULING 6 Dice that count as sixes without being rolled: those eaten by distance, out of the dice close up.

    By the switch also those that cover and defence took.
    """
    dice = band_dice(rules, near, far, distance)
    eaten = max(0, rules.close_dice - dice)
    if rules.cover_counts_as_six:
        eaten += dice - pool(rules, near, far, distance, cover, defending)
    return eaten


@inline
def empties(rules, magazine, sixes):
    """R24, RULING 5 Whether so many sixes, rolled and eaten, shoot a magazine empty; a magazine of 0 has no end."""
    if magazine == 0:
        return 0
    if rules.magazine_test == EXACTLY:
        return 1 if sixes == magazine else 0
    return 1 if sixes >= magazine else 0


@inline
def struck(status, wounds, kills):
    """R20, R23, RULINGS 9-10 The status after an attack that wounds or kills: a second wound kills."""
    if status == DEAD or kills:
        return DEAD
    return min(DEAD, status + 1) if wounds else status


@inline
def hurt(successes, lethality, armour, status):
    """R15, R18-R19, R29-R30, RULING 8 The status of a target after a volley: net successes against lethality."""
    net = successes - armour
    return struck(status, net > 0, net > 0 and net >= lethality)


@inline
def blasted(damage, armour, status):
    """R39-R40, RULING 27 The status of a target in the zone of a blast: wounded if its class is below the damage."""
    return struck(status, armour < damage, False)


@inline
def smitten(status):
    """R36-R37 The status of a target after a blow: a wound without a roll, whatever the armour."""
    return struck(status, True, False)


@inline
def fire(rules, dice, skill, magazine, n, eaten):
    """R14, R26, RULINGS 1, 11-12 Roll n dice: (successes, sixes, whether that shot emptied the weapon).

    One roll answers all three. The emptying shot counts.
    """
    successes, sixes = questions.under(dice, n, skill, SHOT)
    return successes, sixes, empties(rules, magazine, sixes + eaten)


@inline
def guard(defender, status):
    """RULING 14 Whether the target's defence still stands: it ends when it is wounded."""
    return defender.defending if status == UP else 0


@inline
def pack(attacker, status, fired, emptied, successes, sixes):
    """The state as one integer; successes and sixes are those of the last shot."""
    places = attacker.shots + 1
    return (((status * places + fired) * places + emptied) * FACES + successes) * FACES + sixes


@inline
def unpack(attacker: Any, state: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Status, shots fired, weapons emptied, successes and sixes of the last shot."""
    places = attacker.shots + 1
    rest = state // (FACES * FACES)
    return rest // places // places, rest // places % places, rest % places, state // FACES % FACES, state % FACES


@verbs.means(verbs.span, Shooting)
def _span(rules, attacker, defender):
    return pack(attacker, DEAD + 1, 0, 0, 0, 0)


@verbs.means(verbs.begin, Shooting)
def _begin(rules, attacker, defender):
    return pack(attacker, WOUNDED if defender.wounded else UP, 0, 0, 0, 0)


@verbs.means(verbs.attacks, Shooting)
def _attacks(rules, attacker, defender):
    return attacker.shots


@verbs.means(verbs.largest, Shooting)
def _largest(rules, attacker, defender):
    return max(rules.close_dice, rules.middle_dice, rules.far_dice)


@verbs.means(verbs.attack, Shooting)
def shot(rules, dice, attacker, defender, state):
    """R12-R30, R39-R40 One attack: a volley, or a blast without dice. Nobody shoots at the dead.

    One weapon at one target (RULING 32); a wounded figure is shot at like a standing one (RULING 31).
    """
    status, fired, emptied, _successes, _sixes = unpack(attacker, state)
    if status == DEAD:
        return state
    if attacker.area:  # an area weapon with a magazine is empty after every use
        empty = 1 if attacker.magazine > 0 else 0
        status = blasted(attacker.lethality, defender.armour, status)
        return pack(attacker, status, fired + 1, emptied + empty, 0, 0)
    defending = guard(defender, status)
    n = pool(rules, attacker.near, attacker.far, attacker.distance, defender.cover, defending)
    eaten = spent(rules, attacker.near, attacker.far, attacker.distance, defender.cover, defending)
    successes, sixes, empty = fire(rules, dice, attacker.skill, attacker.magazine, n, eaten)
    status = hurt(successes, attacker.lethality, defender.armour, status)
    return pack(attacker, status, fired + 1, emptied + empty, successes, sixes)
