"""searcher: tries the tactician's better ideas out, on dice of its own, and takes what ends best on average.

Each idea is played on from a copy of the battle, both sides by the tactician, for a few turns. The copies roll other
dice than the game will: their seed is drawn under the bots' key, and all ideas of one decision meet the same luck.
"""

from __future__ import annotations

import numpy as np

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.dice.rolled import drawn_now
from morsdei_sim.rulesets.morsdei.game.battle import act, begin_activation, go_on
from morsdei_sim.rulesets.morsdei.game.bots.plan import FOUND, KEPT, STAMP, best_plan, best_shot, most_urgent
from morsdei_sim.rulesets.morsdei.game.bots.tactician import tactician
from morsdei_sim.rulesets.morsdei.game.exchanges import BOT, step_of
from morsdei_sim.rulesets.morsdei.game.hooks import ACT, ACTIVATE
from morsdei_sim.rulesets.morsdei.game.legal import END, MOVE, action_of, first_of, menu, option, permits, second_of
from morsdei_sim.rulesets.morsdei.game.records import copy_head, procedure, table
from morsdei_sim.rulesets.morsdei.game.world import BY_ACTION, BY_CONTRACT, FIGHTERS, STATE, WALKED_BY

__all__ = ["searcher"]

HEAD = STATE.head

IDEAS = 7
"""Ideas that are tried out in one decision, the tactician's own among them."""

TRIALS, MORE = 6, 18
"""Games played on for every idea, and more for the one that looks best and the tactician's own."""

AHEAD = 14
"""Turns that are played on."""

SURE = 1.5
"""Standard errors by which an idea must be better than the tactician's: else the best of many would often be luck."""

POINT, FIGHTER, WON = 6.0, 5.0, 40.0
"""Worth in HP of a VP, of a fighter beside its HP, and of a game that is won."""

# Columns of the table `room_too` in the row of no fighter (the last): ideas; what they were worth above the first one,
# and the squares of that.
IDEA, SUM, SQUARE, ROW = 0, 16, 32, FIGHTERS


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
    table(spare, "walked")[WALKED_BY] = -1  # its path may be of another battle
    for i in range(len(state.at)):
        table(spare, "room_too")[i, STAMP] = -1.0


@inline
def standing(world, state, side):
    """What a battle is worth to a side: VP, fighters and their HP; the result, once it is known."""
    worth = POINT * (state.vp[side] - state.vp[1 - side])
    for i in range(world.fighters):
        if state.at[i] >= 0:
            one = state.hp[i] + FIGHTER
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
    shot = best_shot(world, state, i) & 0xFFFFFFFF
    if shot:
        many = add_idea(row, many, shot)
    for k in range(2 * KEPT):
        if k % KEPT < 2 and own[FOUND + k] >= 0.0:
            q = np.int64(own[FOUND + k])
            if permits(world, state, i, MOVE, q, -1):
                many = add_idea(row, many, option(MOVE, q, -1))
    for k in range(menu(world, state, i)):
        if options[k, 1] >= 0 or options[k, 0] == END:
            many = add_idea(row, many, option(options[k, 0], options[k, 1], options[k, 2]) if k else 0)
    return many


@inline
def tried(world, state, row, k, fighters, sample):
    """What idea k leads to; `fighters`: ideas are fighters to activate, else actions of the active one."""
    if fighters:
        return outcome(world, state, np.int64(row[IDEA + k]), -1, sample) * 1e-6
    return outcome(world, state, state.active, np.int64(row[IDEA + k]), sample) * 1e-6


@apart
def best_idea(world, state, many, fighters):
    """The idea that leads to the most, if it is surely better than the first."""
    row = table(state, "room_too")[ROW]
    for k in range(many):
        row[SUM + k] = row[SQUARE + k] = 0.0
    for sample in range(TRIALS):
        own = tried(world, state, row, 0, fighters, sample)
        for k in range(1, many):
            row[SUM + k] += tried(world, state, row, k, fighters, sample) - own
    best = 1
    for k in range(2, many):
        if row[SUM + k] > row[SUM + best]:
            best = k
    if row[SUM + best] <= 0.0:
        return np.int64(row[IDEA])
    row[SUM + best] = 0.0  # what made it the best was luck too: it is judged by new trials alone
    for sample in range(TRIALS, TRIALS + MORE):
        gain = tried(world, state, row, best, fighters, sample) - tried(world, state, row, 0, fighters, sample)
        row[SUM + best] += gain
        row[SQUARE + best] += gain * gain
    mean = row[SUM + best] / MORE
    error = np.sqrt(max(0.0, row[SQUARE + best] / MORE - mean * mean) / (MORE - 1))
    return np.int64(row[IDEA + best]) if mean > SURE * error and mean > 0.0 else np.int64(row[IDEA])


@kernel
def searcher(world, state, hook, who):
    """The bot."""
    row = table(state, "room_too")[ROW]
    if hook == ACT and state.active == who:
        many = ideas_of(world, state, who)
        return best_idea(world, state, many, False) if many > 1 else np.int64(row[IDEA])
    if hook == ACTIVATE:
        many = add_idea(row, 0, most_urgent(world, state, who))
        for i in range(world.fighters):
            if state.ready[i] and table(world, "men")[i].side == who:
                many = add_idea(row, many, i)
        return best_idea(world, state, many, True) if many > 1 else np.int64(row[IDEA])
    return tactician(world, state, hook, who)
