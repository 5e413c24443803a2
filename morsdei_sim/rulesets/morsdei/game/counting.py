"""A run of battles added up in integers: what `series.py` sums over blocks and threads.

Everything is counted from the side of the first squad, A, whichever seat it sits in. What is independent of the rest is
a *unit*: one game, or two mirrored games on the same dice. Squares are of a unit's sum, so that an interval knows how
the two games of a pair go together, and likewise the fighters of a card.

A sum of squares is kept in two halves of 32 bits each: so 10 ** 9 games fit whatever is counted. The largest figure of
a unit is a sum of expected damage in thousandths of an HP: 16 fighters, 10 rounds, 6 attacks of at most 1,000 HP in
each, twice, are 2 * 10 ** 9, whose square is below 2 ** 63; and neither half of 10 ** 9 squares reaches that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.rulesets.morsdei.game.battle import play_battle, result
from morsdei_sim.rulesets.morsdei.game.ledger import FIRED, TALLIES, TALLY
from morsdei_sim.rulesets.morsdei.game.records import table

__all__ = [
    "CODES", "COLUMNS", "FIGURES", "FINE", "KEPT", "Scratch", "Tables", "count", "scratch",
    "shapes", "squares", "views",
]  # fmt: skip

FINE = 1_000
"""Parts of an HP in which expected damage is added up."""

COLUMNS = (*TALLIES, "luck", "survived")
"""What is counted for each fighter: its tallies; `luck`, damage dealt less what its attacks and blows take off on
average; whether it stands at the end. `expected`, `expected_taken` and `luck` in FINE parts of an HP."""

FIGURES = ("vp_a", "vp_b", "margin", "rounds", "lead_changes", "luck_a", "luck_b", "decisions", "faults")
"""What is counted for each game; `margin` is the VP of A less those of B."""

CODES = 24
"""How a game can end: result (0 A wins, 1 draw, 2 B wins), whether A had the first turn, zone of A, whether a side was
wiped out; (result * 2 + first) * 4 + zone * 2 + wiped."""

SUM, LOW, HIGH, GAMES, BOTH = range(5)
"""A sum, the two halves of the sum of squares; games in which it happened, mirrored pairs in which it did so twice."""

N_TALLIES, N_COLUMNS, N_FIRED, N_FIGURES = len(TALLIES), len(COLUMNS), len(FIRED), len(FIGURES)
T_DAMAGE, T_KILLS = TALLY["damage"], TALLY["kills"]
T_EXPECTED, T_EXPECTED_TAKEN = TALLY["expected"], TALLY["expected_taken"]
MICRO = 1_000_000 // FINE
LUCK, SURVIVED = COLUMNS.index("luck"), COLUMNS.index("survived")


class Tables(NamedTuple):
    """Counts of a run of battles, int64."""

    ends: NDArray[np.int64]  # [code, side of A] games
    pairs: NDArray[np.int64]  # [code of the even game, code of the odd one] mirrored pairs
    points: NDArray[np.int64]  # [VP of A, VP of B] games
    rounds: NDArray[np.int64]  # [last round, wiped out: 0 nobody, 1 A, 2 B] games
    leads: NDArray[np.int64]  # [changes of the lead] games
    faulty: NDArray[np.int64]  # [0] games with faults of bots
    figures: NDArray[np.int64]  # [figure, SUM LOW HIGH]
    cards: NDArray[np.int64]  # [card, column, SUM LOW HIGH] of all fighters of the card together
    kills: NDArray[np.int64]  # [card, enemies removed] fighters in games
    damage: NDArray[np.int64]  # [card, HP taken off enemies] fighters in games
    fired: NDArray[np.int64]  # [rule, SUM LOW HIGH GAMES BOTH]


KEPT = ("halves", "margin")
"""What is kept of each unit, when it is: points of A where a win is two and a draw one; VP of A less those of B."""


class Scratch(NamedTuple):
    """Sums of the unit being played."""

    cards: NDArray[np.int64]  # [card, column]
    figures: NDArray[np.int64]
    fired: NDArray[np.int64]  # [rule, total so far, in this unit, games]


def shapes(cards: int, rounds: int, most_vp: int, members: int, hp: int) -> dict[str, tuple[int, ...]]:
    """The shapes of `Tables`: `most_vp` is what a side can score in a battle, `members` and `hp` are the fighters of
    the larger squad and the HP of the tougher one. So the last cell of every histogram is the most that can happen."""
    return {
        "ends": (CODES, 2), "pairs": (CODES, CODES), "points": (most_vp + 1, most_vp + 1), "rounds": (rounds + 1, 3),
        "leads": (2 * most_vp + 1,), "faulty": (1,), "figures": (N_FIGURES, 3),
        "cards": (cards, N_COLUMNS, 3), "kills": (cards, members + 1), "damage": (cards, hp + 1),
        "fired": (N_FIRED, 5),
    }  # fmt: skip


def views(flat: NDArray[np.int64], wanted: dict[str, tuple[int, ...]]) -> Tables:
    """The tables that lie one behind the other in an array."""
    ends = np.cumsum([0] + [int(np.prod(shape)) for shape in wanted.values()])
    parts = zip(ends, ends[1:], wanted.values(), strict=False)
    return Tables(*(flat[start:end].reshape(shape) for start, end, shape in parts))


def scratch(wanted: dict[str, tuple[int, ...]]) -> Scratch:
    """Room for a unit."""
    parts = (wanted["cards"][:2], (N_FIGURES,), (N_FIRED, 3))
    return Scratch(*(np.zeros(shape, np.int64) for shape in parts))


def squares(cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """The sums of squares of cells [..., SUM LOW HIGH …]."""
    found: NDArray[np.float64] = cells[..., HIGH].astype(np.float64) * 2.0**32 + cells[..., LOW]
    return found


@inline
def put_square(cells, row, value):
    """Add a figure of a unit, and its square, to cells [row, SUM LOW HIGH]."""
    square = value * value
    cells[row, SUM] += value
    cells[row, LOW] += square & 0xFFFFFFFF
    cells[row, HIGH] += square >> 32


@inline
def put_squares(cells, row, column, value):
    """The same for cells [row, column, SUM LOW HIGH]."""
    square = value * value
    cells[row, column, SUM] += value
    cells[row, column, LOW] += square & 0xFFFFFFFF
    cells[row, column, HIGH] += square >> 32


@inline
def coarse(millionths):
    """Millionths of an HP in FINE parts, rounded."""
    return (millionths + MICRO // 2) // MICRO


@apart
def add_fighters(world, state, a, unit, tables):
    """What every fighter did in a game, by its card."""
    men = table(world, "men")
    for i in range(world.fighters):
        card = men[i].card
        luck = FINE * state.tally[i, T_DAMAGE] - coarse(state.tally[i, T_EXPECTED])
        for column in range(N_TALLIES):
            value = state.tally[i, column]
            unit.cards[card, column] += coarse(value) if column in (T_EXPECTED, T_EXPECTED_TAKEN) else value
        unit.cards[card, LUCK] += luck
        unit.cards[card, SURVIVED] += 1 if state.at[i] >= 0 else 0
        unit.figures[5 if men[i].side == a else 6] += luck
        tables.kills[card, state.tally[i, T_KILLS]] += 1
        tables.damage[card, state.tally[i, T_DAMAGE]] += 1


@apart
def add_end(state, a, end, unit, tables):
    """How a game ended; its code."""
    first = state.first if state.round & 1 else 1 - state.first  # of round one: the sides take turns
    wiped = 1 if state.winner else 0
    vp, vp_too, most = state.vp[a], state.vp[1 - a], len(tables.points) - 1
    tables.points[min(vp, most), min(vp_too, most)] += 1
    tables.rounds[state.round, 0 if wiped == 0 else 1 if end == 2 else 2] += 1
    tables.leads[state.lead[1]] += 1
    tables.faulty[0] += state.faults > 0
    unit.figures[0] += vp
    unit.figures[1] += vp_too
    unit.figures[2] += vp - vp_too
    unit.figures[3] += state.round
    unit.figures[4] += state.lead[1]
    unit.figures[7] += state.decisions
    unit.figures[8] += state.faults
    code = (end * 2 + (1 if first == a else 0)) * 4 + state.zone[a] * 2 + wiped
    tables.ends[code, a] += 1
    return code


@apart
def add_fired(state, unit, tables):
    """How often each rule mattered in a game."""
    now, seen = table(state, "fired"), unit.fired
    for rule in range(N_FIRED):
        times = now[rule] - seen[rule, 0]
        seen[rule, 0] = now[rule]
        seen[rule, 1] += times
        seen[rule, 2] += times > 0
        tables.fired[rule, GAMES] += times > 0


@apart
def close_unit(unit, tables):
    """Add the sums of a unit and their squares; begin anew."""
    for figure in range(N_FIGURES):
        put_square(tables.figures, figure, unit.figures[figure])
        unit.figures[figure] = 0
    for card in range(len(unit.cards)):
        for column in range(N_COLUMNS):
            put_squares(tables.cards, card, column, unit.cards[card, column])
            unit.cards[card, column] = 0
    for rule in range(N_FIRED):
        put_square(tables.fired, rule, unit.fired[rule, 1])
        tables.fired[rule, BOTH] += unit.fired[rule, 2] == 2
        unit.fired[rule, 1] = unit.fired[rule, 2] = 0


@kernel
def count(world, other, state, first, games, mirrored, unit, tables, kept):
    """Play games `first` … `first + games - 1` and add them up; `mirrored`: odd ones in `other`, where A has the second
    seat, on the dice of the even game before. `kept` [unit, KEPT] is filled as far as it goes."""
    even = halves = number = 0
    for rule in range(N_FIRED):
        unit.fired[rule, 0] = table(state, "fired")[rule]
    for game in range(first, first + games):
        a = game & 1 if mirrored else 0
        here = other if a else world
        play_battle(here, state, game >> 1 if mirrored else game)
        add_fighters(here, state, a, unit, tables)
        code = add_end(state, a, 2 - result(state) if a else result(state), unit, tables)
        add_fired(state, unit, tables)
        if a:
            tables.pairs[even, code] += 1
        halves += 2 - (code >> 3)
        if a or not mirrored:
            if number < len(kept):
                kept[number, 0], kept[number, 1] = halves, unit.figures[2]
            halves, number = 0, number + 1
            close_unit(unit, tables)
        even = code
