"""gunline: shoots whatever it sees, from cover when it can choose; loots and watches when there is no target."""

from __future__ import annotations

from morsdei_sim._jit import kernel
from morsdei_sim.rulesets.morsdei.game.bots.simple import go, is_usual, loot_here, shoot, usual, watch


@kernel
def gunline(world, state, hook, who):
    """The bot."""
    if is_usual(world, state, hook, who):
        return usual(world, state, hook, who)
    shot = shoot(world, state, who)
    if shot:
        return shot
    loot = loot_here(world, state, who)
    if loot:
        return loot
    if state.apl == 1 and not state.mode:
        return watch(world, state, who)
    return go(world, state, who)
