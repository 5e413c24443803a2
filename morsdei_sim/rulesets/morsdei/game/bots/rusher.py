"""rusher: makes straight for the nearest enemy and fights; shoots with the last point."""

from __future__ import annotations

from morsdei_sim._jit import kernel
from morsdei_sim.rulesets.morsdei.game.bots.simple import go, is_usual, shoot, usual


@kernel
def rusher(world, state, hook, who):
    """The bot."""
    if is_usual(world, state, hook, who):
        return usual(world, state, hook, who)
    if state.apl == 1 or state.mode:
        shot = shoot(world, state, who)
        if shot:
            return shot
    return go(world, state, who)
