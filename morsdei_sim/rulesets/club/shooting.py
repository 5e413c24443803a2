"""R44-R56, R65 One attack, shot or strike: hit, pierce, save, damage; and whole volleys at one target.

    hit die -> pierce die -> save die -> damage -> endurance, or a roll to avoid death

What a volley has done to one target is its tally: unsaved hits (counted to the end of the volley, the target alive or
not), damage received (until death, unclipped as RULING 28 has it) and how the target stands.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from morsdei_sim._jit import inline
from morsdei_sim.dice.every import every, next_path, start_path
from morsdei_sim.dice.questions import passes
from morsdei_sim.fight import verbs
from morsdei_sim.rulesets.club.harm import DEAD, HIT, PIERCE, SAVE, UP, after_blow, damage_of, flees
from morsdei_sim.rulesets.club.rules import Rules, hit_need, pierce_need, save_need

MISS, NOT_PIERCED, SAVED, UNSAVED = 0, 1, 2, 3
"""Where an attack stops."""

MARKS = UP + 2
"""How a target can stand, the ENDURANCE left aside: dead, dying with the next roll needing 1+ … 7+, up."""


class Arm(NamedTuple):
    """A weapon in somebody's hands; `reach` in quarters of an inch, `magazine` 0 when it is never discharged."""

    accuracy: int
    strength: int
    ap: int
    dice: int
    sides: int
    flat: int
    shots: int
    reach: int
    magazine: int


class Attack(NamedTuple):
    """A volley: `dying` and `overwatch` are 0 or 1."""

    arm: Arm
    shots: int
    dying: int
    overwatch: int


class Target(NamedTuple):
    """Who is shot at; `life` as in `harm` before the first shot."""

    toughness: int
    save: int
    endurance: int
    leadership: int
    hero: int
    cover: int
    life: int


class Mixed(NamedTuple):
    """R63 A target that fights hand to hand with an ally of the shooter."""

    target: Target
    ally: Target


class Volley(Rules):
    """The kind of fight: one volley at one target, then its Leadership check."""

    __slots__ = ()


class IntoFight(Rules):
    """The kind of fight: one volley at a target in combat with an ally, then the Leadership checks of both."""

    __slots__ = ()


# ── one attack ────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def resolve(rules, dice, arm, target, need, cover):
    """R47-R48, R55-R56, R65, RULINGS 6, 25 Where one attack stops: missed, not pierced, saved or unsaved.

    Shots and strikes alike; the dying still save.
    """
    if not passes(dice, need, HIT):
        return MISS
    if not passes(dice, pierce_need(rules, arm.strength, target.toughness), PIERCE):
        return NOT_PIERCED
    if passes(dice, save_need(rules, target.save, arm.ap, cover), SAVE):
        return SAVED
    return UNSAVED


@inline
def struck(rules, dice, arm, target, need, cover, life):
    """R33-R36 One attack at a target that stands so: (where it stopped, damage received, life after it)."""
    stop = resolve(rules, dice, arm, target, need, cover)
    if stop != UNSAVED or life == DEAD:
        return stop, 0, life
    damage = damage_of(dice, arm)
    return stop, damage, after_blow(rules, dice, target, life, damage)


# ── tallies ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def unit(arm: Any) -> int:
    """The step of damage: the flat damage of a hit, or 1 when dice are rolled."""
    return 1 if arm.dice else arm.flat


@inline
def doses(arm, attacks):
    """Most damage of so many attacks, in units."""
    return attacks * (arm.dice * arm.sides if arm.dice else 1)


@inline
def tallies(arm: Any, attacks: int) -> int:
    """How many tallies there are of so many attacks."""
    return (attacks + 1) * (doses(arm, attacks) + 1) * MARKS


@inline
def tally(arm, attacks, unsaved, damage, life):
    """A tally as one integer; the ENDURANCE left follows from the damage."""
    return (unsaved * (doses(arm, attacks) + 1) + damage // unit(arm)) * MARKS + min(life, UP + 1)


@inline
def parts(arm: Any, attacks: int, counted: Any) -> tuple[Any, Any, Any]:
    """(Unsaved hits, damage, mark) of a tally, or of an array of them."""
    mark = counted % MARKS
    damage = counted // MARKS % (doses(arm, attacks) + 1) * unit(arm)
    return counted // MARKS // (doses(arm, attacks) + 1), damage, mark


@inline
def read(arm, attacks, target, counted):
    """(Unsaved hits, damage, life) of a tally."""
    unsaved, damage, mark = parts(arm, attacks, counted)
    return unsaved, damage, target.life - damage if mark > UP else mark


@inline
def one_more(rules, dice, arm, attacks, target, need, cover, counted):
    """R48, RULING 21 One more attack of a volley: (where it stopped, the tally after it)."""
    unsaved, damage, life = read(arm, attacks, target, counted)
    stop, more, life = struck(rules, dice, arm, target, need, cover, life)
    return stop, tally(arm, attacks, unsaved + (1 if stop == UNSAVED else 0), damage + more, life)


@inline
def unnerved(dice, arm, attacks, target, counted):
    """R27 Whether the target of a volley flees at the end of the turn."""
    _unsaved, damage, life = read(arm, attacks, target, counted)
    return flees(dice, target, life, damage)


# ── a volley, step by step ────────────────────────────────────────────────────────────────────────────────────────────


@verbs.means(verbs.span, Volley)
def _span(rules, attacker, defender):
    return 2 * tallies(attacker.arm, attacker.shots)


@verbs.means(verbs.begin, Volley)
def _begin(rules, attacker, defender):
    return 2 * tally(attacker.arm, attacker.shots, 0, 0, defender.life)


@verbs.means(verbs.largest, Volley)
def _largest(rules, attacker, defender):
    return 1


@verbs.means(verbs.stage, Volley)
def _stage(rules, attacker, defender, state):
    cells = 2 * tallies(attacker.arm, attacker.shots)
    return state % cells if state // cells > attacker.shots else verbs.RUNNING


@verbs.means(verbs.attack, Volley)
def next_shot(rules, dice, attacker, defender, state):
    """R12 The next shot of a volley; after the last the Leadership check (R27-R29)."""
    arm, shots = attacker.arm, attacker.shots
    cells = 2 * tallies(arm, shots)
    step, counted = state // cells, state % cells // 2
    if step == shots:
        return (step + 1) * cells + 2 * counted + unnerved(dice, arm, shots, defender, counted)
    need = hit_need(rules, arm.accuracy, attacker.dying, attacker.overwatch)
    _stop, counted = one_more(rules, dice, arm, shots, defender, need, defender.cover, counted)
    return (step + 1) * cells + 2 * counted


@verbs.means(verbs.span, IntoFight)
def _span_mixed(rules, attacker, defender):
    return 4 * tallies(attacker.arm, attacker.shots) ** 2


@verbs.means(verbs.begin, IntoFight)
def _begin_mixed(rules, attacker, defender):
    arm, shots = attacker.arm, attacker.shots
    ally = tally(arm, shots, 0, 0, defender.ally.life)
    return 4 * (tally(arm, shots, 0, 0, defender.target.life) * tallies(arm, shots) + ally)


verbs.means(verbs.largest, IntoFight)(_largest)


@verbs.means(verbs.stage, IntoFight)
def _stage_mixed(rules, attacker, defender, state):
    cells = 4 * tallies(attacker.arm, attacker.shots) ** 2
    return state % cells if state // cells > attacker.shots + 1 else verbs.RUNNING


@verbs.means(verbs.attack, IntoFight)
def next_shot_into_fight(rules, dice, attacker, defender, state):
    """R63, RULING 33 The next shot into a fight: a miss is an automatic hit on the ally, without cover.

    After the last both make their Leadership checks.
    """
    arm, shots, each = attacker.arm, attacker.shots, tallies(attacker.arm, attacker.shots)
    cells = 4 * each * each
    step, code = state // cells, state % cells
    fled, theirs, ours = code % 4, code // 4 // each, code // 4 % each
    if step == shots:
        fled += unnerved(dice, arm, shots, defender.target, theirs)
    elif step == shots + 1:
        fled += 2 * unnerved(dice, arm, shots, defender.ally, ours)
    else:
        need = hit_need(rules, arm.accuracy, attacker.dying, attacker.overwatch)
        if passes(dice, need, HIT):
            _stop, theirs = one_more(rules, dice, arm, shots, defender.target, 1, defender.target.cover, theirs)
        else:
            _stop, ours = one_more(rules, dice, arm, shots, defender.ally, 1, 0, ours)
    return (step + 1) * cells + 4 * (theirs * each + ours) + fled


def stop_chances(rules: Rules, volley: Attack, target: Target) -> tuple[float, float, float, float]:
    """Where one shot stops, exactly: chances of MISS, NOT_PIERCED, SAVED and UNSAVED."""
    dice, chances = every(), [0.0] * 4
    need = hit_need(rules, volley.arm.accuracy, volley.dying, volley.overwatch)
    while True:
        start_path(dice)
        stop = resolve(rules, dice, volley.arm, target, need, target.cover)
        chances[stop] += float(dice.weight[0])
        if not next_path(dice):
            return chances[MISS], chances[NOT_PIERCED], chances[SAVED], chances[UNSAVED]
