"""tactician: every action is the first of the plan that gains most, with exact chances of every attack, cover, lanes of
fire, loot and what enemies may do to it."""

from __future__ import annotations

from morsdei_sim._jit import kernel
from morsdei_sim.rulesets.morsdei.game.bots.plan import (
    best_of_zone,
    best_reaction,
    most_urgent,
    planned,
    who_for_contract,
)
from morsdei_sim.rulesets.morsdei.game.bots.simple import either_zone, first_left, who_begins
from morsdei_sim.rulesets.morsdei.game.bots.weigh import blade_of
from morsdei_sim.rulesets.morsdei.game.hooks import ACT, ACTIVATE, ARM, CONTRACT, NEXT, PLACE, REACT, STARTS, ZONE


@kernel
def tactician(world, state, hook, who):
    """The bot."""
    if hook == NEXT:
        return first_left(world, state, who)
    if hook == PLACE:
        return best_of_zone(world, state, who)
    if hook == ACTIVATE:
        return most_urgent(world, state, who)
    if hook == ACT:
        return planned(world, state, who)
    if hook == ARM:
        return blade_of(world, state, who)
    if hook == REACT:
        return best_reaction(world, state, who)
    if hook == CONTRACT:
        return who_for_contract(world, state, who)
    if hook == ZONE:
        return either_zone(state)
    return who_begins(world, who) if hook == STARTS else 0
