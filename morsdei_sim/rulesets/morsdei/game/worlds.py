"""Cards, a board, bots and rules as the world of a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.cards import Fighter
from morsdei_sim.rulesets.morsdei.game import expect
from morsdei_sim.rulesets.morsdei.game.bots import Player
from morsdei_sim.rulesets.morsdei.game.exchanges import pools, prone_plan
from morsdei_sim.rulesets.morsdei.game.prepared import Prepared
from morsdei_sim.rulesets.morsdei.game.records import Owner, entry_point, link
from morsdei_sim.rulesets.morsdei.game.world import (
    ARM,
    BLADE,
    BOT_ARGUMENTS,
    MAN,
    MOST,
    PISTOL,
    RANGED,
    STATE_TYPE,
    WORLD,
    WORLD_TYPE,
    Battle,
    board_tables,
)
from morsdei_sim.rulesets.morsdei.rules import PRINTED, Rules

__all__ = ["new_world"]

ARM_KINDS = {"ranged": RANGED, "pistol": PISTOL, "melee": BLADE}

FAR = 1000.0
"""Inches that stand for a range without limit."""


def new_world(
    board: Prepared,
    squads: Sequence[Sequence[Fighter]],
    players: Sequence[Player],
    seats: tuple[int, int] = (0, 1),
    rules: Rules = PRINTED,
    battle: Battle | None = None,
) -> Owner:
    """Everything fixed of a battle; `seats[side]` is the squad that plays that side.

    Raises
    ------
    UserError : a squad without fighters or with too many, weapons too large.
    """
    world = _new_world(board, squads, players, seats, rules, battle)
    looking = [player for player in players if player.supposes is not None]
    if looking:  # a bot that looks ahead takes the other side for one of its own kind
        both = [replace(player, bot=looking[0].supposes, weights=looking[0].weights) for player in players]
        world.other = _new_world(board, squads, both, seats, rules, battle)
        world.put("inner", world.other.records)
    return world


def _new_world(
    board: Prepared, squads: Sequence[Sequence[Fighter]], players: Sequence[Player], seats: tuple[int, int],
    rules: Rules, battle: Battle | None,
) -> Owner:  # fmt: skip
    longest = max(card.move for squad in squads for card in squad)
    if board.options.near < longest or board.options.contact != rules.contact_reach:
        raise ValueError("the board was prepared for shorter Moves or another reach of contact: see `setting.ready`")
    world = Owner(WORLD)
    link(world, (WORLD_TYPE, STATE_TYPE))
    for name, numbers in (("rules", rules), ("battle", battle or Battle())):
        for key, value in numbers._asdict().items():
            world.records[name][key] = value
    board_tables(world, board)
    _fighters(world, squads, board.bases, seats)
    for side, number in enumerate(seats):
        player = players[number]
        world.records["bots"][0, side] = entry_point(player.bot, *BOT_ARGUMENTS)
        world.records["weights"][0, side, : len(player.weights)] = player.weights
        world.records["habits"][0, side] = player.habit
    _room_in_zones(world)
    pools(world, rules)
    cards = [card for one in squads for card in one]
    prices = [players[number].prone_price for number, one in enumerate(squads) for _card in one]
    world.put("prone_plan", prone_plan(rules, cards, prices))
    expect.fill(world, rules)
    return world


def _fighters(
    world: Owner, squads: Sequence[Sequence[Fighter]], bases: tuple[float, ...], seats: tuple[int, int]
) -> None:
    """The tables `men` and `arms`."""
    cards = [(squad, card) for squad in (0, 1) for card in range(len(squads[squad]))]
    first = np.cumsum([0] + [len(squads[squad][card].weapon) for squad, card in cards])
    rows: list[tuple[int, int, int, Fighter]] = []
    for side, squad in enumerate(seats):
        members = [(number, card) for number, card in enumerate(squads[squad]) for _copy in range(card.count)]
        if not 1 <= len(members) <= MOST:
            message = _("a squad of {count} fighters: a battle takes 1 to {most}")
            raise UserError(message.format(count=len(members), most=MOST))
        for place, (number, card) in enumerate(members):
            rows.append((side, 32 * side + place, cards.index((squad, number)), card))
    men = np.zeros(len(rows), MAN)
    arms = np.zeros((len(rows), max(len(row[3].weapon) for row in rows)), ARM)
    for i, (side, key, number, card) in enumerate(rows):
        base = bases.index(float(card.base))
        men[i] = (side, key, number, base, card.apl, card.defence, card.hp, len(card.weapon), card.move)
        for w, one in enumerate(card.weapon):
            reach = min(one.reach, FAR)
            arms[i, w] = (ARM_KINDS[one.type], one.dice, one.hit, one.damage, first[number] + w, reach)
    world.records["fighters"] = len(rows)
    world.put("men", men)
    world.put("arms", arms)


def _room_in_zones(world: Owner) -> None:
    """Refuse squads for which a deployment zone might run out of places, however they are set up (G6)."""
    men, where = world.arrays["men"], world.arrays
    x, y, radius = where["where_x"], where["where_y"], where["where_radius"]
    for side in (0, 1):
        bases = men["base"][men["side"] == side]
        for zone in (0, 1):
            for base in np.unique(bases):
                places = where["zones"][base, zone][: where["zone_places"][base, zone]]
                apart = np.hypot(x[places][:, None] - x[places], y[places][:, None] - y[places])
                barred = [int((apart < radius[base] + radius[one] - 1e-6).sum(axis=1).max(initial=0)) for one in bases]
                if sum(barred) - min(barred) >= len(places):
                    raise UserError(_crowded(sorted(barred), len(places)))


def _crowded(barred: Sequence[int], places: int) -> str:
    """That a zone may run out of places; `barred`: how many each fighter takes from the others, at worst."""
    if not places:
        return _("a deployment zone of this board has no place where a base of the squad can stand")
    most = int((np.cumsum([0, *reversed(barred)]) < places).sum())
    message = _(
        "{count} fighters: a deployment zone of this board may run out of places, depending on where the first ones"
        " are set up; {most} of them find one in any case"
    )
    return message.format(count=len(barred), most=most)
