"""gunline: shoots whatever it sees, from cover when it can choose; loots and watches when there is no target."""

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
def gunline(world, state, hook, who):
    """The bot."""
    if hook == ACTIVATE:
        return goes_first(world, state, who)
    if hook == CONTRACT:
        return who_is_free(world, state, who)
    if hook != ACT:
        return other(world, state, hook, who)
    if in_contact(world, state, who):
        return attack_in_contact(world, state, who)
    shot = shoot(world, state, who)
    if shot:
        return shot
    loot = loot_here(world, state, who)
    if loot:
        return loot
    if state.apl == 1 and not state.mode:
        return watch(world, state, who)
    return go(world, state, who)
