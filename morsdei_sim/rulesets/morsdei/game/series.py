"""Many battles of two squads on one board, counted: any split over blocks and threads gives the same integers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from threading import local

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.fight.sample import in_chunks
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.cards import Fighter
from morsdei_sim.rulesets.morsdei.game.battles import new_world
from morsdei_sim.rulesets.morsdei.game.bots import Player
from morsdei_sim.rulesets.morsdei.game.counting import COLUMNS, N_FIRED, Tables, count, shapes, views
from morsdei_sim.rulesets.morsdei.game.prepared import Options, Prepared
from morsdei_sim.rulesets.morsdei.game.records import Owner
from morsdei_sim.rulesets.morsdei.game.world import Battle, new_state
from morsdei_sim.rulesets.morsdei.rules import PRINTED, Rules

__all__ = ["MOST_GAMES", "Counts", "Series", "options_for", "play"]

CHUNK = 64
"""Games handed to a worker at once; even, so that no mirrored pair is torn."""

MOST_GAMES = 10**9
"""Sums of squares fit for so many (counting.py)."""

MOST_MOVE = 65.0
"""Inches: tables of paths hold thousandths of an inch in 16 bits."""


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
    def score(self) -> float:
        """(wins + draws / 2) / games of A."""
        wins, draws, _losses = self.results
        return (wins + draws / 2) / self.games

    def __add__(self, other: Counts) -> Counts:
        """Two runs of the same battle as one."""
        return replace(self, games=self.games + other.games, flat=self.flat + other.flat)


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
        self.other = new_world(board, squads, players, (1, 0), rules, numbers) if alternate else self.world
        self.half = sum(card.count for card in squads[0])
        fighters = int(self.world.records["fighters"][0])
        self.shapes = shapes(fighters, sum(map(len, self.squads)), numbers.rounds, numbers.rounds * numbers.most_vp)
        self._local = local()

    def play(
        self, games: int, first: int = 0, executor: Executor | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Counts:  # fmt: skip
        """Play and count games `first` … `first + games - 1`; both are even when seats alternate."""
        if games < 1 or first < 0 or first + games > MOST_GAMES:
            raise UserError(_("{games} games: 1 to {most} are possible").format(games=games, most=MOST_GAMES))
        if self.alternate and (games | first) & 1:
            raise ValueError("mirrored games come in pairs")
        flat = in_chunks(self._block, first, games, executor, progress, CHUNK)
        return Counts(self.squads, games, self.alternate, self.shapes, flat)

    def _block(self, first: int, games: int) -> NDArray[np.int64]:
        flat = np.zeros(sum(int(np.prod(shape)) for shape in self.shapes.values()), np.int64)
        scratch = np.zeros((sum(map(len, self.squads)), len(COLUMNS)), np.int64)
        count(
            self.world.record, self.other.record, self._state().record, first, games, int(self.alternate), self.half,
            scratch, np.zeros(N_FIRED, np.int64), views(flat, self.shapes),
        )  # fmt: skip
        return flat

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


def options_for(*squads: Sequence[Fighter]) -> Options:
    """Tables of a board that are large enough for the Moves of these cards."""
    longest = max((card.move for squad in squads for card in squad), default=0.0)
    if longest > MOST_MOVE:
        message = _("a Move of {move:g} inches: battles take at most {most:g}")
        raise UserError(message.format(move=longest, most=MOST_MOVE))
    usual, whole = Options(), float(ceil(longest))  # whole inches, so that fewer boards are made
    return replace(usual, near=max(usual.near, whole), limit=max(usual.limit, whole))
