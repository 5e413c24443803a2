"""What a bot is written with: the names that docs/writing-a-bot.md promises, all in one place.

All of them are for functions under `@bot` and `@helper`, that is for compiled code.
"""

from __future__ import annotations

import numpy as np

from morsdei_sim._jit import inline
from morsdei_sim.dice.questions import choose
from morsdei_sim.rulesets.morsdei.game import expect
from morsdei_sim.rulesets.morsdei.game.bots import plan, simple
from morsdei_sim.rulesets.morsdei.game.bots.plan import best_plan
from morsdei_sim.rulesets.morsdei.game.bots.searcher import outcome
from morsdei_sim.rulesets.morsdei.game.bots.weigh import blade_of
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
    left_to_set_up,
    may_contract,
    may_react,
    may_set_up,
    mine_ready,
)
from morsdei_sim.rulesets.morsdei.game.legal import (
    AIM,
    END,
    FALL_BACK,
    LOOT,
    MELEE,
    MOVE,
    OVERWATCH,
    SHOOT,
    action_of,
    distance,
    first_of,
    in_contact,
    in_cover,
    may_loot,
    may_shoot,
    may_strike,
    menu,
    option,
    permits,
    places_to_go,
    second_of,
    sees,
)
from morsdei_sim.rulesets.morsdei.game.records import ask, table
from morsdei_sim.rulesets.morsdei.game.world import BLADE, BY_ACTION, BY_CONTRACT, PISTOL, RANGED

__all__ = [
    "ACT", "ACTIVATE", "AIM", "ARM", "BLADE", "BY_ACTION", "BY_CONTRACT", "CONTRACT", "END", "FALL_BACK", "LOOT",
    "MELEE", "MOVE", "NEXT", "OVERWATCH", "PISTOL", "PLACE", "RANGED", "REACT", "SHOOT", "STARTS", "ZONE",
    "action_of", "ahead", "best_loot", "best_move", "best_plan", "best_shot", "best_strike", "best_watch", "distance",
    "first_of", "helper", "in_contact", "in_cover", "left_to_set_up", "may_contract", "may_loot", "may_react",
    "may_set_up", "may_shoot", "may_strike", "menu", "mine_ready", "option", "permits", "places", "roll", "second_of",
    "sees", "shot_hp", "strike_hp", "table", "tactician", "to_loot",
]  # fmt: skip

helper = inline
"""Stands over a function that a bot calls."""


@inline
def tactician(world, state, hook, who):
    """What the tactician would answer. It plays both sides of the world that looks ahead and is compiled already: to
    compile it anew took every bot that asks it seven seconds."""
    return ask(table(world, "inner")[0].bots[0], world, state, hook, who)


# ── the best of what there is: options, 0 for nothing ─────────────────────────────────────────────────────────────────


@inline
def best_shot(world, state, i):
    """The shot that takes off most HP (and removes, by the weights `kill` and `contest`)."""
    return simple.shoot(world, state, i)


@inline
def best_strike(world, state, i):
    """The exchange that is worth most to fighter i in contact."""
    return plan.best_strike(world, state, i) & 0xFFFFFFFF


@inline
def best_loot(world, state, i):
    """Loot, if fighter i may."""
    return 0 if in_contact(world, state, i) else simple.loot_here(world, state, i)


@inline
def best_watch(world, state, i):
    """Overwatch with the weapon of the most Damage x Dice, if fighter i may."""
    may = state.apl > 0 and not in_contact(world, state, i)
    return simple.watch(world, state, i) if may else 0


@inline
def best_move(world, state, i):
    """A Move to the place that suits the weights `target`, `exposed`, `covered`, `nearer`, `close` and `walk` best; 0
    when that is where the fighter stands, and in contact."""
    return 0 if in_contact(world, state, i) else simple.go(world, state, i)


# ── what things are worth ─────────────────────────────────────────────────────────────────────────────────────────────


@inline
def shot_hp(world, state, i, w, t):
    """HP that a shot of fighter i with weapon w takes off t on average, as things stand."""
    return expect.shot(world, state, i, w, t, state.mode, 1 if in_contact(world, state, i) else 0) * 1e-6


@inline
def strike_hp(world, state, i, w, e):
    """HP that an exchange that i begins takes on average off e, and off i itself."""
    contract = 1 if state.mode == BY_CONTRACT else 0
    both = expect.exchange(world, state, i, w, e, blade_of(world, state, e), contract)
    return (both >> 32) * 1e-6, (both & 0xFFFFFFFF) * 1e-6


@inline
def to_loot(world, state, i, q):
    """Inches of way from place q to where fighter i can loot the nearest point."""
    base, best = table(world, "men")[i].base, 1e9
    for point in range(world.points):
        best = min(best, table(world, "to_loot")[base, q, point] * 1e-3)
    return best


# ── places, dice, a look ahead ────────────────────────────────────────────────────────────────────────────────────────


@inline
def places(world, state, i, action):
    """Write all places that fighter i may go to by MOVE or FALL_BACK into `table(state, "found")`, the nearest first;
    their number."""
    return places_to_go(world, state, i, action)


@inline
def roll(state, n, k):
    """0 … n - 1 with equal chances, on dice of the bots; within one decision each k (0 - 99) is another roll."""
    return choose(bots_dice(state), n, k)


@inline
def ahead(world, state, i, chosen, sample):
    """What an option of the active fighter i leads to, in HP: the battle played on for some turns, both sides by the
    tactician, on dice of its own; each sample (0, 1, …) is other luck, the same for every option."""
    return np.float64(outcome(world, state, i, chosen, sample)) * 1e-6
