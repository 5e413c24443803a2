"""A whole battle (R, K, O, G, L, W): deployment, rounds, activations, reactions, to the result.

The engine asks a bot at every decision point and does what it answers if the rules allow it; what they forbid counts
as a fault and ends the activation or passes the chance, so that a bot can err but never cheat. A battle can be stopped
before any turn and inside an activation, copied, and played on (`go_on`): that is how a bot looks ahead.
"""

from __future__ import annotations

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.rulesets.morsdei.game import events as ev
from morsdei_sim.rulesets.morsdei.game.actions import act, take_shot
from morsdei_sim.rulesets.morsdei.game.deployment import deploy, new_battle
from morsdei_sim.rulesets.morsdei.game.hooks import ACT, ACTIVATE, CONTRACT, REACT, decide, may_contract, may_react
from morsdei_sim.rulesets.morsdei.game.ledger import (
    F_C_PASS,
    F_CLAMP,
    F_DEBT,
    F_DRAW,
    F_LAST,
    F_NO_POINTS,
    F_OUTLIVES,
    F_UNUSED,
    F_WATCHERS,
    T_ACTIVATIONS,
    T_EXPOSED,
    T_REACTIONS,
    T_ROUNDS,
    fire,
    note,
    put,
)
from morsdei_sim.rulesets.morsdei.game.legal import END, action_of, at_point, first_of, permits, second_of
from morsdei_sim.rulesets.morsdei.game.records import procedure, table
from morsdei_sim.rulesets.morsdei.game.world import BY_ACTION, BY_CONTRACT, BY_OVERWATCH
from morsdei_sim.rulesets.morsdei.rules import action_points

__all__ = ["begin_activation", "go_on", "play_battle", "result"]

points_of = apart(action_points)


@apart
def choose_and_act(world, state, i):
    """J5, A6 Ask for one action and do it, each anew (S8, B23); whether the fighter may go on."""
    answer = decide(world, state, table(world, "men")[i].side, ACT, i)
    action, a, b = action_of(answer), first_of(answer), second_of(answer)
    if action == END:
        return False
    if not permits(world, state, i, action, a, b):
        state.faults += 1
        return False
    act(world, state, i, action, a, b)
    return state.at[i] >= 0 and state.ended == 0  # H7


@apart
def begin_activation(world, state, i):
    """R7 steps 1-2, A2, P3 The unused marker goes, the points are counted."""
    debt, watch, card = state.prone[i], state.watch[i] >= 0, table(world, "men")[i].apl
    state.watch[i], state.prone[i] = -1, 0
    state.apl = points_of(world.rules, card, debt)
    state.aim, state.used, state.mode, state.active = -1, 0, BY_ACTION, i
    state.tally[i, T_ACTIVATIONS] += 1
    if watch:
        fire(state, F_UNUSED)
    if debt:
        fire(state, F_DEBT)
        if state.apl == 0:
            fire(state, F_NO_POINTS)
    if state.apl != card:
        fire(state, F_CLAMP)
    row = note(state, ev.ACTIVATED, i)
    put(state, row, 0, state.apl)
    put(state, row, 1, debt)
    put(state, row, 2, int(watch))


@procedure
def finish_activation(world, state) -> None:
    """R7 steps 3-7, R8 The active fighter acts until it ends, its points counted once (A3); then the other reacts."""
    i = state.active
    while state.apl > 0 and choose_and_act(world, state, i):
        pass
    state.apl, state.aim, state.used, state.active = 0, -1, 0, -1
    state.ready[i] = 0
    if state.at[i] < 0 or state.ended:  # RULING 32
        return
    note(state, ev.FINISHED, i)
    for point in range(world.points):
        if at_point(world, state, i, point):
            state.tally[i, T_EXPOSED] += 1
    react(world, state, i)


@procedure
def react(world, state, i) -> None:
    """R7 step 6, O2-O10, RULINGS 35, 37 One Overwatch of the other side at the fighter that just ended."""
    side = 1 - table(world, "men")[i].side
    candidates, count = 0, 0
    for j in range(world.fighters):
        if may_react(world, state, j, i):
            candidates |= 1 << j
            count += 1
    if count == 0:
        return
    j = decide(world, state, side, REACT, i)
    if j < 0 or j >= world.fighters or not candidates >> j & 1:
        state.faults += j != -1
        j = -1
    row = note(state, ev.REACTION, -1)
    put(state, row, 0, side)
    put(state, row, 1, candidates)
    put(state, row, 2, j)
    if j < 0:
        return
    if count > 1:
        fire(state, F_WATCHERS)
    if not anybody_ready(world, state):
        fire(state, F_LAST)
    state.tally[j, T_REACTIONS] += 1
    w = state.watch[j]
    state.watch[j] = -1  # O10
    take_shot(world, state, j, w, i, BY_OVERWATCH)


@procedure
def contract(world, state, side) -> None:
    """K1-K9, RULING 34 One Contract window: one of the activated fighters does one thing, or the chance passes."""
    candidates = 0
    for i in range(world.fighters):
        if table(world, "men")[i].side == side and may_contract(world, state, i):
            candidates |= 1 << i
    i = -1
    if candidates:
        i = decide(world, state, side, CONTRACT, side)
        if i < 0 or i >= world.fighters or not candidates >> i & 1:
            state.faults += i != -1
            i = -1
    answer = 0
    if i >= 0:
        state.mode, state.aim, state.active = BY_CONTRACT, -1, i
        answer = decide(world, state, side, ACT, i)
        if action_of(answer) == END:
            i = -1
        elif not permits(world, state, i, action_of(answer), first_of(answer), second_of(answer)):
            state.faults += 1
            i = -1
    row = note(state, ev.CONTRACT, -1)
    put(state, row, 0, side)
    put(state, row, 1, candidates)
    put(state, row, 2, i)
    if i >= 0:
        act(world, state, i, action_of(answer), first_of(answer), second_of(answer))
    else:
        fire(state, F_C_PASS)
    state.mode, state.active = BY_ACTION, -1


@inline
def anybody_ready(world, state):
    """Whether a living fighter of either side is ready."""
    for i in range(world.fighters):
        if state.ready[i]:
            return True
    return False


@inline
def has_ready(world, state, side):
    """Whether a side has a ready fighter."""
    for i in range(world.fighters):
        if state.ready[i] and table(world, "men")[i].side == side:
            return True
    return False


@apart
def activate_one(world, state, side):
    """J4, R6 The player on turn activates a ready fighter; one who names none gets the first."""
    i = decide(world, state, side, ACTIVATE, side)
    if i < 0 or i >= world.fighters or not state.ready[i] or table(world, "men")[i].side != side:
        state.faults += 1
        i = 0
        while not state.ready[i] or table(world, "men")[i].side != side:
            i += 1
    begin_activation(world, state, i)


@apart
def start_round(world, state):
    """R3-R5 Loot, activation and Contract markers go, everybody living is ready; Overwatch stays."""
    state.round += 1
    if state.round > 1:
        state.first = 1 - state.first
    state.turn = state.first
    state.vp_round[0] = state.vp_round[1] = 0
    for point in range(world.points):
        state.looted[point, 0] = state.looted[point, 1] = 0
    for i in range(world.fighters):
        state.ready[i] = 1 if state.at[i] >= 0 else 0
        state.contracted[i] = 0
        if state.watch[i] >= 0:
            fire(state, F_OUTLIVES)
        for kind in range(state.rolls.shape[1]):
            state.rolls[i, kind] = 0
    put(state, note(state, ev.ROUND, -1), 0, state.first)


@procedure
def go_on(world, state, turns) -> None:
    """R9, RULING 33 Play on from where the battle stands, at most so many turns (activations, Contract windows)."""
    while turns > 0 and state.ended == 0:
        if state.active < 0:
            if not anybody_ready(world, state):
                end_round(world, state)
                continue
            if has_ready(world, state, state.turn):
                activate_one(world, state, state.turn)
            else:
                contract(world, state, state.turn)
        if state.active >= 0:
            finish_activation(world, state)
        state.turn = 1 - state.turn
        turns -= 1


@inline
def count_round(world, state):
    """Who is alive has lived through a round."""
    for i in range(world.fighters):
        state.tally[i, T_ROUNDS] += state.at[i] >= 0


@apart
def end_round(world, state):
    """R1, W2 The next round begins, or the game is over."""
    if state.round > 0:
        count_round(world, state)
    if state.round == world.battle.rounds:
        state.ended = 1
    else:
        start_round(world, state)


MANY_TURNS = 1 << 20


@kernel
def play_battle(world, state, game):
    """R1, R10, W1-W2, RULING 60 One battle from deployment to its end."""
    new_battle(world, state, game)
    deploy(world, state)
    go_on(world, state, MANY_TURNS)
    if state.winner != 0:  # W1 at once: the last round has no end of its own
        count_round(world, state)
    end = result(state)
    if end == 1:
        fire(state, F_DRAW)
    row = note(state, ev.OVER, -1)
    put(state, row, 0, end)
    put(state, row, 1, int(state.winner != 0))
    put(state, row, 2, state.vp[0])
    put(state, row, 3, state.vp[1])
    put(state, row, 4, state.faults)


@inline
def result(state):
    """W1-W2 0 side 0 wins, 1 draw, 2 side 1 wins."""
    if state.winner:
        return 2 * (state.winner - 1)
    if state.vp[0] == state.vp[1]:
        return 1
    return 0 if state.vp[0] > state.vp[1] else 2
