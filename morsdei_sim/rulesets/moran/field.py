"""The state of an engagement: fighters of two squads on a board, as plain arrays that compiled code reads and writes.

A state knows status, cell, loaded weapons, watch marker and defence of each fighter, and the stock of each team
(chapter 2 of the atlas). `Field` holds it, with the cards, which never change, and scratch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.rulesets.moran.cards import Fighter, Weapon
from morsdei_sim.rulesets.moran.grid import Grid

NEAR, FAR, LETHALITY, MAGAZINE, SIZE, THROW, LEFT = 0, 1, 2, 3, 4, 5, 6
"""Numbers of a weapon or item; lethality 0 stands for none, size 0 for no area; LEFT is the stock of an item."""

SIZES = {None: 0, "S": 1, "M": 2, "L": 3, "C": 4}
ITEMS = 4
"""Kinds of command items that a team may have."""

MOST = 12
"""Fighters of a squad at most."""

STEP, BLOWS = 0, 1
"""Places of `clock`: attacks rolled so far, and blows of side 0 and of side 1 in this round."""

Ints = NDArray[np.int64]


MAN = np.dtype(
    [
        ("side", np.int64),  # 0 attacker, 1 target
        ("card", np.int64),  # which card of the two squads, numbered through
        ("skill", np.int64),
        ("move", np.int64),
        ("armour", np.int64),
        ("gun", np.int64, (2, 7)),  # main and second weapon
        ("status", np.int64),
        ("cell", np.int64),
        ("marker", np.int64),  # cell of the watch marker, -1 without
        ("defending", np.int64),
        ("loaded", np.int64, (2,)),
        ("kills", np.int64),
        ("acted", np.int64),
    ],
    align=True,
)
"""A fighter: first the card, then the state. Records: a tuple of twenty arrays took a minute to compile."""


class Field(NamedTuple):
    """All that procedures of an engagement read and write, but for the rules, the dice and the board."""

    men: Any  # MAN by fighter
    item: Ints  # side x ITEMS x numbers: command items of each team
    tail: NDArray[np.float64]  # skill x dice x k: chance of at least k successes
    walk: NDArray[np.int32]  # cell x cell: cells to walk when nobody is there
    who: Ints  # by cell: fighter + 1, 0 nobody
    barred: NDArray[np.uint8]  # by cell: scratch for moves
    path: Ints  # scratch for moves
    clock: Ints  # STEP, BLOWS of each side
    before: Ints  # the state a round ago, to see that nothing changes any more


def tails() -> NDArray[np.float64]:
    """Chance of at least k successes of n dice, for the bots: [skill 0-6, dice 0-4, k 0-15]."""
    table = np.zeros((7, 5, 16))
    for skill in range(1, 7):
        exactly = np.zeros(16)
        exactly[0] = 1.0
        for n in range(5):
            table[skill, n] = exactly[::-1].cumsum()[::-1]
            missed = exactly * (6 - skill) / 6
            missed[1:] += exactly[:-1] * skill / 6
            exactly = missed
    return table


def numbers(weapon: Weapon | None) -> list[int]:
    """A weapon or item as a row of numbers."""
    if weapon is None:
        return [0] * 7
    return [
        weapon.near or 0, weapon.far or 0, weapon.lethality or 0, weapon.magazine or 0, SIZES[weapon.template],
        weapon.throw, weapon.count,
    ]  # fmt: skip


def field_of(squads: tuple[list[Fighter], list[Fighter]], grid: Grid, walk: NDArray[np.int32]) -> Field:
    """The fighters of two squads, not yet on the board."""
    rows, place = [], 0
    item = np.zeros((2, ITEMS, 7), np.int64)
    for side, cards in enumerate(squads):
        for card in cards:
            guns = [numbers(arm) for arm in (*card.armed(), None, None)[:2]]
            row = (side, place, card.skill, card.move, card.armour_class, guns, 0, 0, -1, 0, [1, 1], 0, 0)
            rows += [row] * card.count
            place += 1
        things = [one for card in cards for one in card.stock() if one.template]
        for number, one in enumerate(things[:ITEMS]):
            item[side, number] = numbers(one)
    men, cells = np.rec.array(np.array(rows, MAN)), len(grid.wall)
    return Field(
        men, item, tails(), walk, np.zeros(cells, np.int64), np.zeros(cells, np.uint8), np.zeros(cells, np.int64),
        np.zeros(3, np.int64), np.zeros(6 * len(men) + 2 * ITEMS + 1, np.int64),
    )  # fmt: skip
