"""random: every legal option alike, but to end seldom; a movement is one option, each of its destinations alike."""

from __future__ import annotations

import numpy as np

from morsdei_sim._jit import apart, kernel
from morsdei_sim.dice.questions import choose
from morsdei_sim.rulesets.morsdei.game.exchanges import bots_dice
from morsdei_sim.rulesets.morsdei.game.hooks import (
    ACT,
    ACTIVATE,
    ARM,
    NEXT,
    PLACE,
    REACT,
    STARTS,
    ZONE,
    any_place,
    drawn_place,
    left_to_set_up,
    may_contract,
    may_react,
    mine_ready,
)
from morsdei_sim.rulesets.morsdei.game.legal import (
    FALL_BACK,
    MOVE,
    menu,
    near_end,
    near_first,
    option,
    path_to,
    places_to_go,
)
from morsdei_sim.rulesets.morsdei.game.records import table
from morsdei_sim.rulesets.morsdei.game.world import BLADE

SELDOM = 8
"""An activation that could go on ends once in so many choices."""

TRIES = 16
"""Draws of a place before all of them are listed."""


@kernel
def random(world, state, hook, who):
    """The bot."""
    dice = bots_dice(state)
    if hook == ZONE or hook == STARTS:
        return choose(dice, 2, 0)
    if hook == PLACE:
        return random_place(world, state, dice, who)
    if hook == ACT:
        return random_act(world, state, dice, who)
    options = table(state, "options")
    side = who
    if hook == ARM:
        many = blades(world, who, options)
    elif hook == ACTIVATE:
        many = mine_ready(world, state, side, options)
    elif hook == NEXT:
        many = left_to_set_up(world, state, side, options)
    else:
        many = 1
        options[0, 0] = -1
        for j in range(world.fighters):
            if hook == REACT:
                there = table(world, "men")[j].side != table(world, "men")[who].side and may_react(world, state, j, who)
            else:
                there = table(world, "men")[j].side == side and may_contract(world, state, j)
            if there:
                options[many, 0] = j
                many += 1
    return options[choose(dice, many, 0), 0]


@apart
def blades(world, i, options):
    """List the melee weapons of a fighter; their number."""
    count = 0
    for w in range(table(world, "men")[i].arms):
        if table(world, "arms")[i, w].kind == BLADE:
            options[count, 0] = w
            count += 1
    return count


@apart
def random_act(world, state, dice, i):
    """J5 One row of the menu."""
    many, options = menu(world, state, i), table(state, "options")
    if many == 1 or choose(dice, SELDOM, 100) == 0:
        return 0
    k = 1 + choose(dice, many - 1, 0)
    action, a, b = options[k, 0], options[k, 1], options[k, 2]
    if action == MOVE or action == FALL_BACK:
        a = random_destination(world, state, dice, i, action)
    return option(action, a, b)


@apart
def random_place(world, state, dice, i):
    """J2 A place of the zone."""
    for k in range(TRIES):
        q = drawn_place(world, state, i, dice, 1 + k)
        if q >= 0:
            return q
    return any_place(world, state, i, choose(dice, world.places, 1 + TRIES))


@apart
def random_destination(world, state, dice, i, action):
    """J5a A place in reach: drawn and tried; when that fails too often, one of all that there are."""
    first, end = near_first(world, state, i), near_end(world, state, i)
    near, base = table(world, "ways_near"), table(world, "men")[i].base
    for k in range(TRIES):
        q = np.int64(near[base, first + choose(dice, end - first, 1 + k)])
        if path_to(world, state, i, action, q) > 0:
            return q
    many = places_to_go(world, state, i, action)
    return table(state, "found")[choose(dice, many, 1 + TRIES)]
