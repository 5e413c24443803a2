"""What the simple bots share: who is near, and a place weighed by a few things that can be seen at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from morsdei_sim._jit import apart, inline
from morsdei_sim.dice.questions import choose
from morsdei_sim.rulesets.morsdei.game.bots.plan import best_reaction, best_shot, best_strike, best_watch, point_here
from morsdei_sim.rulesets.morsdei.game.bots.weigh import (
    BEGIN,
    CLOSE,
    NEARER,
    STRIDE,
    W,
    blade_of,
    goal_of,
    places_to_weigh,
    way_to_goal,
)
from morsdei_sim.rulesets.morsdei.game.exchanges import bots_dice
from morsdei_sim.rulesets.morsdei.game.hooks import (
    ACT,
    ACTIVATE,
    ARM,
    CONTRACT,
    NEXT,
    PLACE,
    REACT,
    STARTS,
    ZONE,
    any_place,
    drawn_place,
    left_to_set_up,
    may_contract,
)
from morsdei_sim.rulesets.morsdei.game.legal import (
    LOOT,
    MOVE,
    OVERWATCH,
    in_contact,
    option,
    path_to,
)
from morsdei_sim.rulesets.morsdei.game.records import procedure, table
from morsdei_sim.rulesets.morsdei.game.sight import BACK_HEART, COVER, HEAD, HEART
from morsdei_sim.rulesets.morsdei.game.world import BY_CONTRACT

__all__ = ["either_zone", "first_left", "go", "is_usual", "loot_here", "shoot", "usual", "watch", "who_begins"]


TARGET, EXPOSED, COVERED, WALK = W["target"], W["exposed"], W["covered"], W["walk"]

TRIES = 4
DRAWN = 8


@inline
def list_foes(world, state, side):
    """List the places of the living enemies of a side in `foes_at`; their number."""
    foes_at, count = table(state, "foes_at"), 0
    for e in range(world.fighters):
        if state.at[e] >= 0 and table(world, "men")[e].side != side:
            foes_at[count] = state.at[e]
            count += 1
    return count


class Looks(NamedTuple):
    """What a fighter looks at, taken out of the tables once: its rows of `ways_length`, `to_loot`, `room_too`; the
    table of sight; the places of its enemies and their number; the number of loot points; its weights."""

    ways: Any
    to_loot: Any
    further: Any
    sight: Any
    foes_at: Any
    foes: Any
    points: Any
    target: Any
    exposed: Any
    covered: Any
    nearer: Any
    close: Any


@inline
def looks_of(world, state, i):
    """`Looks` of fighter i (`goal_of` first)."""
    men, weights = table(world, "men"), world.weights[table(world, "men")[i].side]
    base = men[i].base
    return Looks(
        table(world, "ways_length")[base], table(world, "to_loot")[base], table(state, "room_too")[i],
        table(world, "sight"), table(state, "foes_at"), list_foes(world, state, men[i].side), world.points,
        weights[TARGET], weights[EXPOSED], weights[COVERED], weights[NEARER], weights[CLOSE],
    )  # fmt: skip


@inline
def near_mark(looks, q, nearer):
    """How well a place suits by what is near."""
    mark, nearest = 0.0, 65535
    if looks.close != 0.0:
        for k in range(looks.foes):
            nearest = min(nearest, np.int64(looks.ways[looks.foes_at[k], q]))
        mark -= looks.close * 1e-3 * nearest
    return mark - nearer * way_to_goal(looks.to_loot, looks.further, looks.points, q) if nearer != 0.0 else mark


@inline
def sight_mark(looks, q, target):
    """How well a place suits by who is seen from there and who sees it.

    The table of sight is read by rows, from the enemy's place: near places lie near each other there.
    """
    sees, mark = False, 0.0
    for k in range(looks.foes):
        bits = looks.sight[looks.foes_at[k], q]
        if bits:
            sees |= bits & (HEAD | BACK_HEART) != 0
            if bits & (HEAD | HEART):
                mark -= looks.covered if bits & COVER else looks.exposed
    return mark + target if sees else mark


@procedure
def go(world, state, i):
    """J5a A Move to the best place, if it is better than where the fighter stands; else the end."""
    p, weights = state.at[i], world.weights[table(world, "men")[i].side]
    length, listed = table(world, "ways_length")[table(world, "men")[i].base, p], table(state, "looked_at")
    step, stride, bound = weights[WALK] * 1e-3, np.int64(weights[STRIDE]), 1e18
    goal_of(world, state, i)
    looks = looks_of(world, state, i)
    nearer, target = looks.nearer, looks.target
    most = max(0.0, target) - looks.foes * min(0.0, min(looks.exposed, looks.covered))  # that eyes can add
    here = near_mark(looks, p, nearer) + sight_mark(looks, p, target)
    for _try in range(TRIES):
        best, chosen = here + 1e-9, -1
        for k in range(places_to_weigh(world, state, i, stride)):
            q = listed[k]
            mark = near_mark(looks, q, nearer) - step * length[q]
            if mark + most <= best:
                continue
            mark += sight_mark(looks, q, target)
            if mark > best and mark < bound:
                best, chosen = mark, q
        if chosen < 0:
            return 0
        if path_to(world, state, i, MOVE, chosen) > 0:
            return option(MOVE, chosen, -1)
        bound, stride = best, 2 * stride
    return 0


@inline
def shoot(world, state, i):
    """The best shot, 0 without a target."""
    return best_shot(world, state, i) & 0xFFFFFFFF


@inline
def loot_here(world, state, i):
    """Loot, if there is anything; else 0."""
    if state.mode == BY_CONTRACT:
        return 0
    point = point_here(world, state, i)
    return option(LOOT, point, -1) if point >= 0 else 0


@inline
def watch(world, state, i):
    """Overwatch with the best weapon, once."""
    if state.mode == BY_CONTRACT or state.used >> OVERWATCH & 1:
        return 0
    w = best_watch(world, state, i)
    return option(OVERWATCH, w, -1) if w >= 0 else 0


@apart
def attack_in_contact(world, state, i):
    """An exchange, else a pistol shot, else nothing (A16)."""
    strike = best_strike(world, state, i) & 0xFFFFFFFF
    return strike if strike else shoot(world, state, i)


@apart
def goes_first(world, state, side):
    """J4 The ready fighter with the shortest way to an enemy."""
    men, best, chosen = table(world, "men"), 1 << 30, -1
    for i in range(world.fighters):
        if not state.ready[i] or men[i].side != side:
            continue
        for e in range(world.fighters):
            if state.at[e] >= 0 and men[e].side != side:
                way = np.int64(table(world, "ways_length")[men[i].base, state.at[i], state.at[e]])
                if way < best:
                    best, chosen = way, i
        if chosen < 0:
            chosen = i
    return chosen


@apart
def who_is_free(world, state, side):
    """J13 The first fighter that can do something useful for nothing: shoot or fight, else move."""
    chosen, mode = -1, state.mode
    state.mode = BY_CONTRACT
    for i in range(world.fighters):
        if table(world, "men")[i].side == side and may_contract(world, state, i):
            if in_contact(world, state, i):
                if attack_in_contact(world, state, i):
                    chosen = i
                    break
            elif shoot(world, state, i):
                chosen = i
                break
            elif chosen < 0 and go(world, state, i):
                chosen = i
    state.mode = mode
    return chosen


@inline
def either_zone(state):
    """J1 Either zone, drawn: so what a zone is worth does not mix with who sets up second."""
    return choose(bots_dice(state), 2, 0)


@inline
def who_begins(world, side):
    """J3 Itself or the enemy, by what beginning is worth to it."""
    return side if world.weights[side, BEGIN] >= 0.0 else 1 - side


@inline
def first_left(world, state, side):
    """J2 The first of the squad that is not set up yet."""
    left_to_set_up(world, state, side, table(state, "options"))
    return table(state, "options")[0, 0]


@apart
def sets_up(world, state, i):
    """J2 The best of some places of the zone, drawn."""
    dice, looks = bots_dice(state), looks_of(world, state, i)
    best, chosen = -1e18, -1
    for k in range(DRAWN):
        q = drawn_place(world, state, i, dice, k)
        if q < 0:
            continue
        state.at[i] = q
        goal_of(world, state, i)
        state.at[i] = -1
        mark = near_mark(looks, q, looks.nearer + 0.1) + sight_mark(looks, q, 0.0)
        if mark > best:
            best, chosen = mark, q
    return chosen if chosen >= 0 else any_place(world, state, i, 0)


@apart
def usual(world, state, hook, who):
    """What all simple bots answer, but to J5 out of contact."""
    if hook == NEXT:
        return first_left(world, state, who)
    if hook == PLACE:
        return sets_up(world, state, who)
    if hook == ACTIVATE:
        return goes_first(world, state, who)
    if hook == ACT:
        return attack_in_contact(world, state, who)
    if hook == ARM:
        return blade_of(world, state, who)
    if hook == REACT:
        return best_reaction(world, state, who)
    if hook == CONTRACT:
        return who_is_free(world, state, who)
    if hook == ZONE:
        return either_zone(state)
    return who_begins(world, who) if hook == STARTS else 0


@inline
def is_usual(world, state, hook, who):
    """Whether `usual` answers: everything but where a fighter out of contact acts."""
    return hook != ACT or in_contact(world, state, who)
