"""A run of battles added up in integers: what `series.py` sums over blocks and threads.

Everything is counted from the side of the first squad, A, whichever seat it sits in. A sum of squares is kept in two
halves of 32 bits each, so that 10 ** 9 games fit whatever is counted: the largest single figure of a game is a luck of
some thousand HP in millionths, whose square is below 2 ** 63, and neither half of 10 ** 9 squares reaches that.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.rulesets.morsdei.game.battle import play_battle, result
from morsdei_sim.rulesets.morsdei.game.events import FIRED
from morsdei_sim.rulesets.morsdei.game.records import table
from morsdei_sim.rulesets.morsdei.game.world import TALLIES, TALLY

__all__ = ["COLUMNS", "DAMAGES", "KILLS", "LEADS", "MILLION", "Tables", "count", "shapes", "views"]

MILLION = 1_000_000

COLUMNS = (*TALLIES, "luck", "survived")
"""What is counted for each fighter: its tallies; damage dealt less what its attacks and blows take off on average, in
millionths of an HP; whether it stands at the end."""

LEADS, KILLS, DAMAGES = 13, 9, 64
"""Cells of the histograms: lead changes, enemies removed, damage dealt; the last cell stands for all above it too."""

SUM, LOW, HIGH = range(3)
"""A sum, and the two halves of the sum of squares."""

N_TALLIES, N_FIRED = len(TALLIES), len(FIRED)
T_DAMAGE, T_KILLS, T_EXPECTED = TALLY["damage"], TALLY["kills"], TALLY["expected"]
LUCK, SURVIVED = COLUMNS.index("luck"), COLUMNS.index("survived")


class Tables(NamedTuple):
    """Counts of a run of battles, int64. Results: 0 A wins, 1 draw, 2 B wins."""

    ends: NDArray[np.int64]  # [result, side of A, whether A had the first turn, zone of A, whether one was wiped out]
    pairs: NDArray[np.int64]  # [result of the even game, result of the odd one]
    points: NDArray[np.int64]  # [VP of A, VP of B]
    rounds: NDArray[np.int64]  # [last round, wiped out: 0 nobody, 1 A, 2 B]
    leads: NDArray[np.int64]  # [changes of the lead]
    totals: NDArray[np.int64]  # faults, games with faults, decisions
    luck: NDArray[np.int64]  # [result, squad, SUM LOW HIGH]
    fighters: NDArray[np.int64]  # [fighter, column, SUM LOW HIGH]
    cards: NDArray[np.int64]  # [card, column, SUM LOW HIGH] of all fighters of the card together
    kills: NDArray[np.int64]  # [fighter, enemies removed]
    damage: NDArray[np.int64]  # [fighter, HP taken off enemies]
    fired: NDArray[np.int64]  # [rule, SUM LOW HIGH games]


def shapes(fighters: int, cards: int, rounds: int, most_vp: int) -> dict[str, tuple[int, ...]]:
    """The shapes of `Tables`; `most_vp` is what a side can score in a battle."""
    return {
        "ends": (3, 2, 2, 2, 2), "pairs": (3, 3), "points": (most_vp + 1, most_vp + 1), "rounds": (rounds + 1, 3),
        "leads": (LEADS,), "totals": (3,), "luck": (3, 2, 3), "fighters": (fighters, len(COLUMNS), 3),
        "cards": (cards, len(COLUMNS), 3), "kills": (fighters, KILLS), "damage": (fighters, DAMAGES),
        "fired": (N_FIRED, 4),
    }  # fmt: skip


def views(flat: NDArray[np.int64], wanted: dict[str, tuple[int, ...]]) -> Tables:
    """The tables that lie one behind the other in an array."""
    ends = np.cumsum([0] + [int(np.prod(shape)) for shape in wanted.values()])
    parts = zip(ends, ends[1:], wanted.values(), strict=False)
    return Tables(*(flat[start:end].reshape(shape) for start, end, shape in parts))


@inline
def add(sums: Any, row: int, column: int, value: int) -> None:
    """Add a figure of one game, and its square."""
    square = value * value
    sums[row, column, SUM] += value
    sums[row, column, LOW] += square & 0xFFFFFFFF
    sums[row, column, HIGH] += square >> 32


@inline
def figure(state: Any, i: int, column: int) -> int:
    """One of COLUMNS of a fighter."""
    if column == LUCK:
        return MILLION * state.tally[i, T_DAMAGE] - state.tally[i, T_EXPECTED]
    if column == SURVIVED:
        return 1 if state.at[i] >= 0 else 0
    return state.tally[i, column]


@apart
def count_fighters(world: Any, state: Any, a: int, end: int, half: int, scratch: Any, tables: Any) -> None:
    """What every fighter did, alone and with the others of its card. Fighters of A are the first `half`."""
    men, lucky, lucky_too = table(world, "men"), 0, 0
    for card in range(len(scratch)):
        for column in range(N_TALLIES + 2):
            scratch[card, column] = 0
    for i in range(world.fighters):
        # Fighters are numbered by side; here by squad.
        who = i if a == 0 else i + half if men[i].side == 0 else i - (world.fighters - half)
        for column in range(N_TALLIES + 2):
            value = figure(state, i, column)
            add(tables.fighters, who, column, value)
            scratch[men[i].card, column] += value
        tables.kills[who, min(state.tally[i, T_KILLS], KILLS - 1)] += 1
        tables.damage[who, min(state.tally[i, T_DAMAGE], DAMAGES - 1)] += 1
        if men[i].side == a:
            lucky += figure(state, i, LUCK)
        else:
            lucky_too += figure(state, i, LUCK)
    for card in range(len(scratch)):
        for column in range(N_TALLIES + 2):
            add(tables.cards, card, column, scratch[card, column])
    add(tables.luck, end, 0, lucky)
    add(tables.luck, end, 1, lucky_too)


@apart
def count_fired(state: Any, before: Any, fired: Any) -> None:
    """How often each rule mattered in this game."""
    now = table(state, "fired")
    for rule in range(N_FIRED):
        times = now[rule] - before[rule]
        before[rule] = now[rule]
        square = times * times
        fired[rule, SUM] += times
        fired[rule, LOW] += square & 0xFFFFFFFF
        fired[rule, HIGH] += square >> 32
        fired[rule, 3] += times > 0


@apart
def count_end(state: Any, a: int, end: int, tables: Any) -> None:
    """The result and all that it may hang on."""
    first = state.first if state.round & 1 else 1 - state.first  # of round one: the sides take turns
    wiped = 1 if state.winner else 0
    tables.ends[end, a, 1 if first == a else 0, state.zone[a], wiped] += 1
    most = len(tables.points) - 1
    tables.points[min(state.vp[a], most), min(state.vp[1 - a], most)] += 1
    loser = 0 if state.winner == 0 else 1 if end == 2 else 2
    tables.rounds[state.round, loser] += 1
    tables.leads[min(state.lead[1], LEADS - 1)] += 1
    tables.totals[0] += state.faults
    tables.totals[1] += state.faults > 0
    tables.totals[2] += state.decisions


@kernel
def count(world: Any, other: Any, state: Any, first: int, games: int, swaps: int, half: int, scratch: Any,
          before: Any, tables: Any) -> None:  # fmt: skip
    """Play games `first` … `first + games - 1` and add them up; with `swaps` the odd ones in `other`, where A has the
    second seat, on the dice of the even game before."""
    even = 1
    for rule in range(N_FIRED):
        before[rule] = table(state, "fired")[rule]
    for game in range(first, first + games):
        a = game & 1 if swaps else 0
        number = game >> 1 if swaps else game
        if a:
            play_battle(other, state, number)
        else:
            play_battle(world, state, number)
        end = result(state) if a == 0 else 2 - result(state)
        count_end(state, a, end, tables)
        count_fighters(other if a else world, state, a, end, half, scratch, tables)
        count_fired(state, before, tables.fired)
        if a:
            tables.pairs[even, end] += 1
        even = end
