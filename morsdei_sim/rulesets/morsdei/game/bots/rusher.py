"""rusher: makes straight for the nearest enemy and fights; shoots with the last point."""

from __future__ import annotations

from morsdei_sim._jit import kernel
from morsdei_sim.rulesets.morsdei.game.bots.simple import (
    attack_in_contact,
    go,
    goes_first,
    other,
    shoot,
    who_is_free,
)
from morsdei_sim.rulesets.morsdei.game.hooks import ACT, ACTIVATE, CONTRACT
from morsdei_sim.rulesets.morsdei.game.legal import in_contact


@kernel
def rusher(world, state, hook, who):
    """The bot."""
    if hook == ACTIVATE:
        return goes_first(world, state, who)
    if hook == CONTRACT:
        return who_is_free(world, state, who)
    if hook != ACT:
        return other(world, state, hook, who)
    if in_contact(world, state, who):
        return attack_in_contact(world, state, who)
    if state.apl == 1 or state.mode:
        shot = shoot(world, state, who)
        if shot:
            return shot
    return go(world, state, who)
