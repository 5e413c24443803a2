"""Many battles of two squads on one board, counted: any split over blocks and threads gives the same integers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from threading import local

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.fight.sample import in_chunks
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.cards import Fighter
from morsdei_sim.rulesets.morsdei.game.battle import play_battle
from morsdei_sim.rulesets.morsdei.game.bots import Player
from morsdei_sim.rulesets.morsdei.game.counting import KEPT, Tables, count, scratch, shapes, views
from morsdei_sim.rulesets.morsdei.game.prepared import Prepared
from morsdei_sim.rulesets.morsdei.game.records import Owner
from morsdei_sim.rulesets.morsdei.game.world import Battle, new_state
from morsdei_sim.rulesets.morsdei.game.worlds import new_world
from morsdei_sim.rulesets.morsdei.rules import PRINTED, Rules

__all__ = ["MOST_GAMES", "Counts", "Difference", "Series", "play"]

CHUNK = 64
"""Games handed to a worker at once; even, so that no mirrored pair is torn."""

MOST_GAMES = 10**9
"""Sums of squares fit for so many (counting.py)."""


@dataclass(frozen=True)
class Counts:
    """What was counted in a run of games.

    Attributes
    ----------
    squads : the cards of A and B.
    games : how many; mirrored ones come in pairs.
    alternate : whether the seats were swapped in every other game.
    flat : all tables, int64; `tables` are views of it.
    """

    squads: tuple[tuple[Fighter, ...], tuple[Fighter, ...]]
    games: int
    alternate: bool
    shapes: dict[str, tuple[int, ...]]
    flat: NDArray[np.int64]

    @cached_property
    def tables(self) -> Tables:
        """The counts by name, see `counting.Tables`."""
        return views(self.flat, self.shapes)

    @property
    def results(self) -> tuple[int, int, int]:
        """Games that A won, that were drawn, that B won."""
        wins, draws, losses = self.tables.ends.reshape(3, -1).sum(axis=1)
        return int(wins), int(draws), int(losses)

    @property
    def units(self) -> int:
        """Mirrored pairs, or games where seats did not alternate: what is independent of the rest."""
        return self.games // 2 if self.alternate else self.games

    @property
    def score(self) -> float:
        """(wins + draws / 2) / games of A."""
        wins, draws, _losses = self.results
        return (wins + draws / 2) / self.games

    def __add__(self, other: Counts) -> Counts:
        """Two runs of the same battle as one."""
        return replace(self, games=self.games + other.games, flat=self.flat + other.flat)


@dataclass(frozen=True)
class Difference:
    """How another battle went on the same dice, unit beside unit: sums over units of what it is above the first.

    Attributes
    ----------
    games, units : played of each.
    halves, margin : sums of the differences of `counting.KEPT`; `halves_square`, `margin_square` of their squares.
    better, worse : units in which A scored more, and less.
    """

    games: int
    units: int
    halves: int
    margin: int
    halves_square: int
    margin_square: int
    better: int
    worse: int


class Series:
    """A battle made ready to be played any number of times.

    Parameters
    ----------
    board : a prepared board.
    squads, players : cards and bot of A and of B.
    seed : key of all dice.
    rules, battle : numbers of the rulebook.
    alternate : play games in mirrored pairs: 2k and 2k + 1 on the same dice with the seats swapped, so that who wins
        the roll-offs, and whatever luck lies in the dice of a seat, falls to each squad once.
    """

    def __init__(
        self, board: Prepared, squads: Sequence[Sequence[Fighter]], players: Sequence[Player], *, seed: int = 1,
        rules: Rules = PRINTED, battle: Battle | None = None, alternate: bool = True,
    ) -> None:  # fmt: skip
        numbers = battle or Battle()
        self.squads = (tuple(squads[0]), tuple(squads[1]))
        self.seed, self.alternate = seed, alternate
        self.world = new_world(board, squads, players, (0, 1), rules, numbers)
        self.other = self.world
        if alternate:
            self.other = new_world(board, squads, players, (1, 0), rules, numbers)
        members, hp = (
            max(sum(card.count * each(card) for card in squad) for squad in self.squads)
            for each in (lambda _card: 1, lambda card: card.hp)
        )
        cards = sum(map(len, self.squads))
        self.shapes = shapes(cards, numbers.rounds, numbers.rounds * numbers.most_vp, members, hp)
        self._local = local()

    def play(
        self, games: int, first: int = 0, executor: Executor | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Counts:  # fmt: skip
        """Play and count games `first` … `first + games - 1`; both are even when seats alternate."""
        self._check(games, first)
        flat = in_chunks(self._block, first, games, executor, progress, CHUNK)
        return Counts(self.squads, games, self.alternate, self.shapes, flat)

    def _check(self, games: int, first: int) -> None:
        if games < 1 or first < 0 or first + games > MOST_GAMES:
            raise UserError(_("{games} games: 1 to {most} are possible").format(games=games, most=MOST_GAMES))
        if self.alternate and (games | first) & 1:
            raise ValueError("mirrored games come in pairs")

    def beside(
        self, other: Series, games: int, executor: Executor | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> tuple[Counts, Counts, Difference]:  # fmt: skip
        """Play and count games 0 … `games - 1` of both on the same dice, unit beside unit; `progress` counts a game of
        both as one."""

        def block(first: int, games: int) -> NDArray[np.int64]:
            (flat, units), (flat_too, units_too) = self._kept(first, games), other._kept(first, games)
            apart = units_too - units
            better, worse = np.count_nonzero(apart[:, 0] > 0), np.count_nonzero(apart[:, 0] < 0)
            sums = [*apart.sum(axis=0), *(apart**2).sum(axis=0), better, worse]
            return np.concatenate([flat, flat_too, np.array(sums, np.int64)])

        self._check(games, 0)
        found = in_chunks(block, 0, games, executor, progress, CHUNK)
        one, two = self._cells(), other._cells()
        before = Counts(self.squads, games, self.alternate, self.shapes, found[:one])
        after = Counts(other.squads, games, other.alternate, other.shapes, found[one : one + two])
        return before, after, Difference(games, before.units, *(int(cell) for cell in found[one + two :]))

    def _cells(self) -> int:
        return sum(int(np.prod(shape)) for shape in self.shapes.values())

    def _block(self, first: int, games: int) -> NDArray[np.int64]:
        return self._kept(first, games, 0)[0]

    def _kept(self, first: int, games: int, units: int | None = None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Counts of some games, and what is kept of their units: all of them, or as many as said."""
        flat, state = np.zeros(self._cells(), np.int64), self._state()
        many = games // (2 if self.alternate else 1) if units is None else units
        kept = np.zeros((many, len(KEPT)), np.int64)
        count(
            self.world.record, self.other.record, state.record, first, games, int(self.alternate),
            scratch(self.shapes), views(flat, self.shapes), kept,
        )  # fmt: skip
        return flat, kept

    def one(self, game: int, events: int = 0) -> Owner:
        """The end of one game, as a state with its log; of mirrored games with an odd number A sits on side 1."""
        state, mirrored = new_state(self.world, self.seed, events), self.alternate
        world = self.other if mirrored and game & 1 else self.world
        play_battle(world.record, state.record, game >> 1 if mirrored else game)
        return state

    def _state(self) -> Owner:
        """Each thread plays on a state of its own."""
        if not hasattr(self._local, "state"):
            self._local.state = new_state(self.world, self.seed)
        state: Owner = self._local.state
        return state


def play(
    board: Prepared,
    squads: Sequence[Sequence[Fighter]],
    players: Sequence[Player],
    *,
    games: int,
    first: int = 0,
    seed: int = 1,
    executor: Executor | None = None,
    rules: Rules = PRINTED,
    battle: Battle | None = None,
    alternate: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Counts:
    """Play a run of games and count; see `Series`. `executor` must be of threads: bots are addresses of code."""
    series = Series(board, squads, players, seed=seed, rules=rules, battle=battle, alternate=alternate)
    return series.play(games, first, executor, progress)
