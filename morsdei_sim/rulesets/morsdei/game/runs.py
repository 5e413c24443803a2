"""What runs of games share, one run or several after one another: how many games, threads, how far they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass

from morsdei_sim.errors import UserError
from morsdei_sim.fight.intervals import Watch
from morsdei_sim.fight.sample import workers
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.game.series import MOST_GAMES, Counts, Series
from morsdei_sim.rulesets.morsdei.game.summary import spread_of

__all__ = ["GAMES", "MOST_GAMES", "PRECISION", "Progress", "count_games", "playing"]

GAMES = 2000
"""Games of a battle unless a number or a precision is given."""

PRECISION = (0.001, 0.5)
"""Half-widths to which the score may be wanted; the last is none."""


@contextmanager
def playing(jobs: int | None) -> Iterator[Executor | None]:
    """Threads for `jobs` blocks of games at a time, one per processor core unless given; None runs here."""
    if jobs is not None and jobs < 1:
        raise UserError(_("{jobs} threads: at least 1 is needed").format(jobs=jobs))
    threads = jobs or os.cpu_count() or 1
    if threads == 1:
        yield None
        return
    with workers(threads) as executor:
        yield executor


@dataclass
class Progress:
    """How far several runs of games are, told as the progress of one: `show` is called with (played, planned)."""

    show: Callable[[int, int], None] | None
    planned: int = 0
    done: int = 0

    def step(self, more: int) -> None:
        """So many games more were played."""
        self.done += more
        if self.show is not None:
            self.show(self.done, self.planned)


def count_games(
    series: Series, games: int, watch: Watch | None, executor: Executor | None = None, progress: Progress | None = None
) -> Counts:
    """So many games; or, with a watch, in growing batches until the score is known well enough (or for MOST_GAMES)."""
    told = progress or Progress(None)

    def extend(first: int, until: int) -> Counts:
        told.planned = max(told.planned, told.done + until - first)
        return series.play(until - first, first, executor, told.step)

    if watch is None:
        return extend(0, games)
    counts = extend(0, 2 * watch.least)
    while True:
        _mean, variance, pairs = spread_of(counts)
        if watch.done(variance, pairs) or counts.games >= MOST_GAMES:
            return counts
        counts = counts + extend(counts.games, min(2 * watch.next_look(variance, pairs), MOST_GAMES))
