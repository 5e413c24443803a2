"""How a battle begins (G, R2): zones, fighters set up one by one, the first player."""

from __future__ import annotations

from morsdei_sim._jit import apart, inline
from morsdei_sim.dice.questions import die
from morsdei_sim.rulesets.morsdei.game import events as ev
from morsdei_sim.rulesets.morsdei.game.exchanges import ROLL_OFF, dice_of
from morsdei_sim.rulesets.morsdei.game.hooks import (
    NEXT,
    PLACE,
    STARTS,
    ZONE,
    any_place,
    decide,
    left_to_set_up,
    may_set_up,
)
from morsdei_sim.rulesets.morsdei.game.ledger import F_TIE, fire, note, put
from morsdei_sim.rulesets.morsdei.game.records import procedure, table
from morsdei_sim.rulesets.morsdei.game.world import BY_ACTION, WALKED_BY

__all__ = ["deploy", "new_battle"]


@apart
def roll_off(state, kind):
    """D17 Both players roll until one is higher: the side that wins, and twice the number of throws."""
    index = 0
    while True:
        roll = dice_of(state, kind, ROLL_OFF, index)
        one, other = die(roll, 0), die(roll, 1)
        index += 1
        if one != other:
            return 2 * index if one > other else 2 * index + 1
        fire(state, F_TIE)


@apart
def set_up(world, state, side):
    """J2, G6 The fighter that a player names is placed; one or a place that is not allowed becomes the first that is.
    Whether there was anybody left to set up."""
    options = table(state, "options")
    many = left_to_set_up(world, state, side, options)
    if many == 0:
        return False
    i = options[0, 0]
    if many > 1:
        named = decide(world, state, side, NEXT, side)
        if named < 0 or named >= world.fighters or state.at[named] >= 0 or table(world, "men")[named].side != side:
            state.faults += 1
        else:
            i = named
    q = decide(world, state, side, PLACE, i)
    if not may_set_up(world, state, i, q):
        state.faults += 1
        q = any_place(world, state, i, 0)
    state.at[i] = q
    put(state, note(state, ev.SET_UP, i), 0, q)
    return True


@inline
def one_of_two(world, state, side, hook):
    """J1, J3 A zone or a side; any other answer counts as 0."""
    answer = decide(world, state, side, hook, side)
    if answer == 0 or answer == 1:
        return answer
    state.faults += 1
    return 0


@procedure
def deploy(world, state) -> None:
    """G5-G7, R2, RULINGS 31, 55 Zones, fighters one by one beginning with the loser of the roll-off, first player."""
    thrown = roll_off(state, 0)
    winner = thrown & 1
    zone = one_of_two(world, state, winner, ZONE)
    state.zone[winner], state.zone[1 - winner] = zone, 1 - zone
    row = note(state, ev.ZONES, -1)
    put(state, row, 0, winner)
    put(state, row, 1, zone)
    put(state, row, 2, thrown >> 1)
    side = 1 - winner
    while set_up(world, state, side) or set_up(world, state, 1 - side):
        side = 1 - side
    thrown = roll_off(state, 1)
    winner = thrown & 1
    state.first = one_of_two(world, state, winner, STARTS)
    row = note(state, ev.STARTS, -1)
    put(state, row, 0, winner)
    put(state, row, 1, state.first)
    put(state, row, 2, thrown >> 1)


@apart
def new_battle(world, state, game):
    """Everything as before deployment; HP full (RULING 7)."""
    state.game, state.round, state.first, state.turn, state.active, state.mode = game, 0, 0, 0, -1, BY_ACTION
    state.apl, state.aim, state.used, state.winner, state.ended, state.faults = 0, -1, 0, 0, 0, 0
    state.decisions, state.events = 0, 0
    table(state, "walked")[WALKED_BY] = -1  # of another battle
    for side in range(2):
        state.zone[side] = state.vp[side] = state.vp_round[side] = state.lead[side] = 0
    for i in range(world.fighters):
        state.at[i], state.hp[i], state.watch[i] = -1, table(world, "men")[i].hp, -1
        state.ready[i] = state.contracted[i] = state.prone[i] = 0
        for kind in range(state.rolls.shape[1]):
            state.rolls[i, kind] = 0
        for what in range(state.tally.shape[1]):
            state.tally[i, what] = 0
    for point in range(world.points):
        state.looted[point, 0] = state.looted[point, 1] = 0
