"""cautious: shoots, and ends its activation out of sight or in cover; watches from there."""

from __future__ import annotations

from morsdei_sim._jit import kernel
from morsdei_sim.rulesets.morsdei.game.bots.simple import go, is_usual, loot_here, shoot, usual, watch


@kernel
def cautious(world, state, hook, who):
    """The bot."""
    if is_usual(world, state, hook, who):
        return usual(world, state, hook, who)
    loot = loot_here(world, state, who)
    if loot:
        return loot
    if state.apl > 1 or state.mode:
        shot = shoot(world, state, who)
        return shot if shot else go(world, state, who)
    move = go(world, state, who)
    if move:
        return move
    shot = shoot(world, state, who)
    return shot if shot else watch(world, state, who)
