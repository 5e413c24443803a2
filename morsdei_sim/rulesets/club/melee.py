"""R22-R23, R60-R61 Hand-to-hand combat of two: exchanges of strikes, one side after the other."""

from __future__ import annotations

from typing import Any, NamedTuple

from morsdei_sim._jit import inline
from morsdei_sim.fight import verbs
from morsdei_sim.rulesets.club.harm import DEAD, is_dying
from morsdei_sim.rulesets.club.rules import ACTIVE, OWN_TURN, Rules, hit_need
from morsdei_sim.rulesets.club.shooting import Arm, Target, one_more, read, tallies, tally


class Brawler(NamedTuple):
    """One of the two: its melee weapon, itself as a target, and the exchanges to be fought; `player` of the attacker
    says whether he is the player (RULING 2)."""

    arm: Arm
    body: Target
    exchanges: int
    player: int


class Melee(Rules):
    """The kind of fight: a number of exchanges of strikes, the Leadership checks between them left out."""

    __slots__ = ()


@inline
def first_striker(rules, active, attacked, player):
    """R60-R61, RULING 2 Who strikes first, 0 or 1: who attacked this turn, else the player.

    With the switch `first_strike_standing` = active it is always the one whose turn it is.
    """
    return active if attacked or rules.first_strike_standing == ACTIVE else player


@inline
def strikes_back(rules, active, attacked, striker):
    """R22, RULING 17 Whether this one strikes in a turn of `active`: all in the fight do.

    With `fight_turns` = own_turn a standing fight is struck by the active one only.
    """
    return attacked or rules.fight_turns != OWN_TURN or striker == active


@inline
def strikes_of(attacker: Any, defender: Any, exchanges: int) -> tuple[int, int]:
    """Strikes of the two in so many exchanges."""
    return attacker.arm.shots * exchanges, defender.arm.shots * exchanges


@inline
def whose(rules, attacker, defender, step):
    """(Exchange, who strikes) at this step: the attacker's turn comes first, then one turn after the other."""
    ours, theirs = attacker.arm.shots, defender.arm.shots
    exchange, within = step // (ours + theirs), step % (ours + theirs)
    first = first_striker(rules, exchange % 2, exchange == 0, 0 if attacker.player else 1)
    strikes = ours if first == 0 else theirs
    return exchange, first if within < strikes else 1 - first


@verbs.means(verbs.span, Melee)
def _span(rules, attacker, defender):
    ours, theirs = strikes_of(attacker, defender, attacker.exchanges)
    return tallies(attacker.arm, ours) * tallies(defender.arm, theirs)


@verbs.means(verbs.begin, Melee)
def _begin(rules, attacker, defender):
    ours, theirs = strikes_of(attacker, defender, attacker.exchanges)
    on_us = tally(defender.arm, theirs, 0, 0, attacker.body.life)
    return tally(attacker.arm, ours, 0, 0, defender.body.life) * tallies(defender.arm, theirs) + on_us


@verbs.means(verbs.largest, Melee)
def _largest(rules, attacker, defender):
    return 1


@verbs.means(verbs.stage, Melee)
def _stage(rules, attacker, defender, state):
    ours, theirs = strikes_of(attacker, defender, attacker.exchanges)
    cells = tallies(attacker.arm, ours) * tallies(defender.arm, theirs)
    return state % cells if state // cells >= ours + theirs else verbs.RUNNING


@inline
def strike(rules, dice, arm, attacks, life, target, counted):
    """R23, R32, R65 One strike by one whose life is this, with the one melee weapon: the tally of the other after it.

    Cover does not count against strikes (RULING 11).
    """
    need = hit_need(rules, arm.accuracy, is_dying(life), 0)
    return one_more(rules, dice, arm, attacks, target, need, 0, counted)[1]


@verbs.means(verbs.attack, Melee)
def next_strike(rules, dice, attacker, defender, state):
    """R60 The next strike of an exchange, if its striker lives.

    In the first exchange all strikes of a volley are rolled, the target alive or not; later ones need a living target.
    """
    ours, theirs = strikes_of(attacker, defender, attacker.exchanges)
    each = tallies(defender.arm, theirs)
    cells = tallies(attacker.arm, ours) * each
    step, code = state // cells, state % cells
    on_them, on_us = code // each, code % each
    exchange, striker = whose(rules, attacker, defender, step)
    our_life = read(defender.arm, theirs, attacker.body, on_us)[2]
    their_life = read(attacker.arm, ours, defender.body, on_them)[2]
    mine, other = (our_life, their_life) if striker == 0 else (their_life, our_life)
    if mine != DEAD and (exchange == 0 or other != DEAD) and strikes_back(rules, exchange % 2, exchange == 0, striker):
        if striker == 0:
            on_them = strike(rules, dice, attacker.arm, ours, our_life, defender.body, on_them)
        else:
            on_us = strike(rules, dice, defender.arm, theirs, their_life, attacker.body, on_us)
    return (step + 1) * cells + on_them * each + on_us
