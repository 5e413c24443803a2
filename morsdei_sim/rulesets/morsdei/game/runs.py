"""What runs of games share, one run or several after one another: threads, and how far they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass

from morsdei_sim.errors import UserError
from morsdei_sim.fight.sample import workers
from morsdei_sim.lang import _

__all__ = ["Progress", "playing"]


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
