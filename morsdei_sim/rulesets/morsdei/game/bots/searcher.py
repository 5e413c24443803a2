"""searcher: tries the tactician's better ideas out, on dice of its own, and takes what ends best on average.

Each idea is played on from a copy of the battle, both sides by the tactician, for a few turns. The copies roll other
dice than the game will: their seed is drawn under the bots' key, and all ideas of one decision meet the same luck.
"""

from __future__ import annotations

import numpy as np

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.dice.rolled import drawn_now
from morsdei_sim.rulesets.morsdei.game.battle import act, begin_activation, go_on
from morsdei_sim.rulesets.morsdei.game.bots.plan import FOUND, KEPT, STAMP, best_plan, best_shot
from morsdei_sim.rulesets.morsdei.game.bots.tactician import tactician
from morsdei_sim.rulesets.morsdei.game.bots.weigh import KILL, VP
from morsdei_sim.rulesets.morsdei.game.exchanges import BOT, step_of
from morsdei_sim.rulesets.morsdei.game.hooks import ACT, ACTIVATE
from morsdei_sim.rulesets.morsdei.game.legal import END, MOVE, action_of, first_of, menu, option, permits, second_of
from morsdei_sim.rulesets.morsdei.game.records import copy_head, procedure, table
from morsdei_sim.rulesets.morsdei.game.world import BY_ACTION, BY_CONTRACT, FIGHTERS, STATE

__all__ = ["searcher"]

HEAD = STATE.head

IDEAS = 10
"""Ideas that are tried out in one decision."""

TRIALS, MORE = 4, 12
"""Games played on for every idea, and more for the best `FEW`."""
FEW = 3

AHEAD = 8
"""Turns that are played on."""

WON = 60.0
"""Worth of a game that is won, in HP."""

# Columns of the table `room_too` in the row of no fighter (the last): ideas, and what they were worth.
IDEA, SUM, ROW = 0, 24, FIGHTERS


@apart
def branch(state, sample):
    """A copy of the battle on other dice."""
    spare = table(state, "spare")[0]
    copy_head(state, spare, HEAD)
    step = step_of(state.round, 1, BOT, state.decisions)
    high = np.uint64(drawn_now(state.bot_seed, state.game, step, 0, sample))
    low = np.uint64(drawn_now(state.bot_seed, state.game, step, 1, sample))
    spare.seed = high << np.uint64(32) | low
    spare.bot_seed = spare.seed ^ np.uint64(0x5851F42D4C957F2D)
    for i in range(len(state.at)):
        table(spare, "room_too")[i, STAMP] = -1.0


@inline
def standing(world, state, side):
    """What a battle is worth to a side: VP, fighters and their HP; the result, once it is known."""
    worth = world.weights[side, VP] * (state.vp[side] - state.vp[1 - side])
    for i in range(world.fighters):
        if state.at[i] >= 0:
            one = state.hp[i] + world.weights[side, KILL]
            worth += one if table(world, "men")[i].side == side else -one
    if state.ended:
        ahead = state.vp[side] - state.vp[1 - side]
        if state.winner:
            ahead = 1 if state.winner == 1 + side else -1
        worth += WON if ahead > 0 else -WON if ahead < 0 else 0.0
    return worth


@procedure
def outcome(world, state, i, idea, sample):
    """What an idea for fighter i leads to, in millionths of an HP."""
    branch(state, sample)
    inner, spare, side = table(world, "inner")[0], table(state, "spare")[0], table(world, "men")[i].side
    if idea >= 0:
        action, contract = action_of(idea), spare.mode == BY_CONTRACT
        if action != END:
            act(inner, spare, i, action, first_of(idea), second_of(idea))
        if contract:
            spare.mode, spare.active, spare.turn = BY_ACTION, -1, 1 - spare.turn
        elif action == END or spare.at[i] < 0 or spare.ended:
            spare.apl = 0
    else:
        begin_activation(inner, spare, i)
    go_on(inner, spare, AHEAD)
    return np.int64(standing(world, spare, side) * 1e6)


@inline
def add_idea(row, many, idea):
    """One more idea, if it is new and there is room."""
    for k in range(many):
        if row[IDEA + k] == idea:
            return many
    if many < IDEAS:
        row[IDEA + many] = idea
        many += 1
    return many


@apart
def ideas_of(world, state, i):
    """The tactician's plan first; the best places it saw; every attack and the rest of the menu."""
    row, own, options = table(state, "room_too")[ROW], table(state, "room_too")[i], table(state, "options")
    many = add_idea(row, 0, best_plan(world, state, i))
    if state.mode == BY_ACTION and state.apl == 0:
        return many
    many = add_idea(row, many, best_shot(world, state, i) & 0xFFFFFFFF)
    for k in range(2 * KEPT):
        if k % KEPT < 2 and own[FOUND + k] >= 0.0:
            q = np.int64(own[FOUND + k])
            if permits(world, state, i, MOVE, q, -1):
                many = add_idea(row, many, option(MOVE, q, -1))
    for k in range(menu(world, state, i)):
        if options[k, 1] >= 0 or options[k, 0] == END:
            many = add_idea(row, many, option(options[k, 0], options[k, 1], options[k, 2]) if k else 0)
    return many


@apart
def best_idea(world, state, many, fighters):
    """The idea that leads to the most: its place in the row. `fighters`: ideas are fighters to activate, else actions
    of the active one."""
    row = table(state, "room_too")[ROW]
    for k in range(many):
        row[SUM + k] = 0.0
    who, idea = state.active, -1
    for sample in range(TRIALS):
        for k in range(many):
            if fighters:
                who = np.int64(row[IDEA + k])
            else:
                idea = np.int64(row[IDEA + k])
            row[SUM + k] += outcome(world, state, who, idea, sample)
    for _round in range(max(0, many - FEW)):  # drop the worst
        worst = 0
        for k in range(1, many):
            if row[SUM + k] < row[SUM + worst]:
                worst = k
        many -= 1
        row[SUM + worst], row[IDEA + worst] = row[SUM + many], row[IDEA + many]
    if many > 1:
        for sample in range(TRIALS, TRIALS + MORE):
            for k in range(many):
                if fighters:
                    who = np.int64(row[IDEA + k])
                else:
                    idea = np.int64(row[IDEA + k])
                row[SUM + k] += outcome(world, state, who, idea, sample)
    best = 0
    for k in range(1, many):
        if row[SUM + k] > row[SUM + best]:
            best = k
    return np.int64(row[IDEA + best])


@kernel
def searcher(world, state, hook, who):
    """The bot."""
    row = table(state, "room_too")[ROW]
    if hook == ACT and state.active == who:
        many = ideas_of(world, state, who)
        return best_idea(world, state, many, False) if many > 1 else np.int64(row[IDEA])
    if hook == ACTIVATE:
        many = 0
        for i in range(world.fighters):
            if state.ready[i] and table(world, "men")[i].side == who:
                many = add_idea(row, many, i)
        return best_idea(world, state, many, True) if many > 1 else np.int64(row[IDEA])
    return tactician(world, state, hook, who)
