"""looter: loots, and goes where it can loot next; shoots with what is left."""

from __future__ import annotations

from morsdei_sim._jit import kernel
from morsdei_sim.rulesets.morsdei.game.bots.simple import go, is_usual, loot_here, shoot, usual, watch


@kernel
def looter(world, state, hook, who):
    """The bot."""
    if is_usual(world, state, hook, who):
        return usual(world, state, hook, who)
    loot = loot_here(world, state, who)
    if loot:
        return loot
    move = go(world, state, who)
    if move:
        return move
    shot = shoot(world, state, who)
    return shot if shot else watch(world, state, who)
