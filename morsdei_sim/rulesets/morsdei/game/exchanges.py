"""Shots and exchanges inside a battle: the procedures of `shooting` and `melee`, asked with what stands on the board.

Nothing of them is written here again. What is here: which dice they roll (every roll has a key of its own), which
modifiers the board gives, and tables made beforehand: the tracks of every pool that can be rolled, and J6 by weapon
and card.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline
from morsdei_sim.dice.questions import choose, die
from morsdei_sim.dice.rolled import RolledDice, drawn_now
from morsdei_sim.errors import UserError
from morsdei_sim.fight.solve import Menu, play
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei import melee, shooting, volley
from morsdei_sim.rulesets.morsdei.cards import Fighter
from morsdei_sim.rulesets.morsdei.game.legal import is_aimed
from morsdei_sim.rulesets.morsdei.game.records import Owner, procedure, table
from morsdei_sim.rulesets.morsdei.game.world import BLADE, BY_CONTRACT, BY_OVERWATCH, stacked
from morsdei_sim.rulesets.morsdei.policies import Style
from morsdei_sim.rulesets.morsdei.rules import Rules, final_hit, is_injured, pool_size

__all__ = ["actual_target", "bots_dice", "dice_of", "exchange", "next_roll", "pools", "prone_plan", "shoot"]

ROLL_OFF, SHOT, EXCHANGE, BOT = 0, 1, 4, 7
"""Kinds of rolls: part of the key of their dice. Shots and exchanges have one for each way they come about
(BY_ACTION, …)."""

REDIRECTED, WHICH_ALLY = 200, 201
"""Purposes of the friendly-fire roll and of the choice among allies; shooting and melee use lower ones."""

MOST_DICE = 10
"""Combat Dice of a weapon at most: the table of its pools grows fast."""

fire = apart(shooting.shot)


# ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def pools(world: Owner, rules: Rules) -> None:
    """The tables of all pools that these fighters can roll, hale and Injured, in a Contract or not (H3, K3)."""
    men, arms = world.arrays["men"], world.arrays["arms"]
    most_hp = int(men["hp"].max())
    wanted = {(0, rules.worst_hit, 1)}
    for i, man in enumerate(men):
        for arm in arms[i, : man["arms"]]:
            if arm["kind"] != BLADE:
                continue
            for less in (0, rules.injury_dice):
                for worse in (0, rules.contract):
                    dice = int(pool_size(int(arm["dice"]), -less))
                    hit = int(final_hit(rules, int(arm["hit"]), worse))
                    most = min(int(shooting.hits_to_remove(most_hp, int(arm["damage"]))), dice + 1)
                    wanted |= {(dice, hit, kill) for kill in range(1, most + 1)}
    _store(world, sorted(wanted))


def _store(world: Owner, wanted: list[tuple[int, int, int]]) -> None:
    most = max(dice for dice, _hit, _kill in wanted)
    if most > MOST_DICE:
        message = _("{dice} Combat Dice: a battle takes melee weapons of at most {most}")
        raise UserError(message.format(dice=most, most=MOST_DICE))
    sides = [melee.side(hit, dice, kill) for dice, hit, kill in wanted]
    number = np.full((most + 1, 7, most + 3), -1, np.int64)
    for i, (dice, hit, kill) in enumerate(wanted):
        number[dice, hit, kill] = i
    world.put("pool_number", number)
    world.put("pool_tracks", [len(one.held) for one in sides])
    world.put("pool_empties", [one.empties for one in sides])
    for name in ("held", "blows", "spend", "strike", "start", "below"):
        world.put(f"pool_{name}", stacked([getattr(one, name) for one in sides]))


def prone_plan(rules: Rules, cards: list[Fighter], prices: list[float]) -> NDArray[np.int8]:
    """J6 by weapon and card: whether a die saves more HP than the price that the card's side sets (infinite: never).

    When the fighter will not activate again it costs nothing: then any gain is enough, unless the price is infinite.
    """
    arms = [arm for card in cards for arm in card.weapon]
    most = max([arm.dice for arm in arms if arm.type != "melee"], default=0)
    plan = np.zeros((len(arms), len(cards), 2, 2, most + 1, most + 1, most + 1), np.int8)
    for a, arm in enumerate(arms):
        for c, card in enumerate(cards):
            if arm.type == "melee" or prices[c] == np.inf:
                continue
            for cover in (0, 1):
                shooter = shooting.Shooter(arm.dice, arm.hit, arm.damage, 0, 0, 0, 0, 0, 1)
                target = shooting.Target(card.defence, card.hp, card.hp, cover, 0, shooting.BEST_SAVES, 0)
                gain = volley.prone_gain(rules, shooter, target)
                for free in (0, 1):
                    chosen = gain > (0.0 if free else prices[c])
                    for needed in range(most + 1):
                        row = chosen[min(needed, len(chosen) - 1)]
                        plan[a, c, cover, free, needed, : len(row), : len(row)] = row
    return plan


# ── dice ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def step_of(round_, who, kind, index):
    """The step of a roll within its game: round, fighter, kind, number of the roll."""
    return ((round_ * 64 + who) * 16 + kind) * 2048 + index


@inline
def dice_of(state, who, kind, index):
    """The dice of one roll of one game: keyed by (game, round, fighter, kind, index), so that no roll moves another."""
    step = step_of(state.round, who, kind, index)
    first = drawn_now(state.seed, state.game, step, 0, 0)
    return RolledDice(state.seed, state.game, step, first, drawn_now(state.seed, state.game, step, 1, 0))


@inline
def next_roll(state, i, kind):
    """The number of the next roll of this kind that a fighter makes in this round."""
    index = state.rolls[i, kind]
    state.rolls[i, kind] += 1
    return index


@inline
def bots_dice(state):
    """Dice for a bot's own use, another each time: they are drawn under a seed of their own and say nothing about the
    dice of the game."""
    step = step_of(state.round, 0, BOT, state.decisions)
    first = drawn_now(state.bot_seed, state.game, step, 0, 0)
    return RolledDice(state.bot_seed, state.game, step, first, drawn_now(state.bot_seed, state.game, step, 1, 0))


# ── shooting ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def hurt(world, state, i):
    """H2 Whether a fighter is Injured, as 0 or 1."""
    return 1 if is_injured(world.rules, state.hp[i], table(world, "men")[i].hp) else 0


@inline
def free_to_lie(world, state, t):
    """J6, P3 Whether a Prone marker costs its owner nothing, because it will not activate again, as 0 or 1."""
    return 1 if state.round == world.battle.rounds and state.ready[t] == 0 else 0


@inline
def shooter_of(world, state, i, w, how, contact, aimed):
    """S12-S13, H3 What a fighter brings to a shot."""
    arm = table(world, "arms")[i, w]
    return shooting.Shooter(
        arm.dice, arm.hit, arm.damage, aimed, int(how == BY_OVERWATCH), int(how == BY_CONTRACT), contact,
        hurt(world, state, i), 1,
    )  # fmt: skip


@procedure
def shoot(world, state, index, i, w, t, how, contact, cover):
    """S14-S23, P1-P5 One shot of fighter i at its actual target t: hits left, twice; + 1 with the Prone marker."""
    men, aimed = table(world, "men"), is_aimed(state, w, how)
    shooter = shooter_of(world, state, i, w, how, contact, aimed)
    plan = table(world, "prone_plan")[
        table(world, "arms")[i, w].number, men[t].card, cover, free_to_lie(world, state, t)
    ]
    target = shooting.Planner(
        men[t].defence, state.hp[t], men[t].hp, cover, state.prone[t], shooting.BEST_SAVES, plan
    )  # fmt: skip
    roll = dice_of(state, men[i].key, SHOT + how, index)
    end = fire(world.rules, roll, shooter, target, shooting.pack(0, aimed, state.prone[t]))
    return end >> 2 << 1 | end & 1


@inline
def actual_target(world, state, index, i, t, how, count):
    """F4-F6, RULING 44 Who is shot at: the declared target, or one of the `count` allies listed in `found`."""
    if count == 0:
        return t
    roll = dice_of(state, table(world, "men")[i].key, SHOT + how, index)
    if die(roll, REDIRECTED) > world.battle.friendly_fire:
        return t
    return table(state, "found")[choose(roll, count, WHICH_ALLY)]


# ── melee ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def combatant(world, state, i, w, contract):
    """B10 steps 3-4, H3, RULINGS 6, 52 Dice, Hit and Damage that a fighter brings; none without a weapon (-1)."""
    if w < 0:
        return 0, world.rules.worst_hit, 0
    arm = table(world, "arms")[i, w]
    dice = pool_size(arm.dice, -world.rules.injury_dice * hurt(world, state, i))
    return dice, final_hit(world.rules, arm.hit, world.rules.contract * contract), arm.damage


@inline
def side_of(world, number, dice, hit, kill):
    """The stored `melee.Side` of that number."""
    return melee.Side(
        hit, dice, kill, table(world, "pool_empties")[number], table(world, "pool_held")[number],
        table(world, "pool_blows")[number], table(world, "pool_spend")[number], table(world, "pool_strike")[number],
        table(world, "pool_start")[number], table(world, "pool_below")[number],
    )  # fmt: skip


@inline
def lay_out(world, state, number, side):
    """Copy a stored side into the exchange that is about to be played."""
    held, blows = table(world, "pool_held")[number], table(world, "pool_blows")[number]
    spend, strike = table(world, "pool_spend")[number], table(world, "pool_strike")[number]
    for track in range(table(world, "pool_tracks")[number]):
        table(state, "held")[side, track], table(state, "dealt")[side, track] = held[track], blows[track]
        for face in range(7):
            table(state, "spend")[side, track, face] = spend[track, face]
            table(state, "strike")[side, track, face] = strike[track, face]


@procedure
def exchange(world, state, index, i, w, e, v, contract):
    """B1-B22 One exchange of i (weapon w, initiator) with e (weapon v): blows on i, and 32 times the blows on e."""
    dice_0, hit_0, damage_0 = combatant(world, state, i, w, contract)
    dice_1, hit_1, damage_1 = combatant(world, state, e, v, 0)
    kill_0 = min(shooting.hits_to_remove(state.hp[e], damage_0), dice_0 + 1)
    kill_1 = min(shooting.hits_to_remove(state.hp[i], damage_1), dice_1 + 1)
    number = table(world, "pool_number")
    one, other = number[dice_0, hit_0, kill_0], number[dice_1, hit_1, kill_1]
    lay_out(world, state, one, 0)
    lay_out(world, state, other, 1)
    tracks, empties = table(world, "pool_tracks"), table(world, "pool_empties")
    game = melee.Exchange(
        world.rules.guard, world.rules.may_pass, kill_0, kill_1, empties[one], empties[other], tracks[one],
        tracks[other], table(state, "held"), table(state, "dealt"), table(state, "spend"), table(state, "strike"),
    )  # fmt: skip
    roll = dice_of(state, table(world, "men")[i].key, EXCHANGE + 2 * contract, index)
    track_0 = melee.roll_pool(roll, side_of(world, one, dice_0, hit_0, kill_0), melee.INITIATOR_POOL)
    track_1 = melee.roll_pool(roll, side_of(world, other, dice_1, hit_1, kill_1), melee.TARGET_POOL)
    position = melee.settle(game, track_0, track_1, 0, 0)
    men = table(world, "men")
    habit_0, habit_1 = Style(world.habits[men[i].side]), Style(world.habits[men[e].side])
    menu = Menu(
        table(state, "menu_lead"), table(state, "menu_end"), table(state, "menu_answer"), table(state, "menu_next")
    )
    outcome = play(game, habit_0, habit_1, roll, melee.CHOICES, position, menu)
    return outcome // (kill_0 + 1) + 32 * (outcome % (kill_0 + 1))
