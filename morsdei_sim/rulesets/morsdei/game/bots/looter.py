"""looter: loots, and goes where it can loot next; shoots with what is left."""

from __future__ import annotations

from morsdei_sim._jit import kernel
from morsdei_sim.rulesets.morsdei.game.bots.simple import (
    attack_in_contact,
    go,
    goes_first,
    loot_here,
    other,
    shoot,
    watch,
    who_is_free,
)
from morsdei_sim.rulesets.morsdei.game.hooks import ACT, ACTIVATE, CONTRACT
from morsdei_sim.rulesets.morsdei.game.legal import in_contact


@kernel
def looter(world, state, hook, who):
    """The bot."""
    if hook == ACTIVATE:
        return goes_first(world, state, who)
    if hook == CONTRACT:
        return who_is_free(world, state, who)
    if hook != ACT:
        return other(world, state, hook, who)
    if in_contact(world, state, who):
        return attack_in_contact(world, state, who)
    loot = loot_here(world, state, who)
    if loot:
        return loot
    move = go(world, state, who)
    if move:
        return move
    shot = shoot(world, state, who)
    return shot if shot else watch(world, state, who)
