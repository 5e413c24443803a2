"""The sampled driver: blocks of keyed trials, counted in integers, summed in any order.

The block is the unit of work: its counts depend on nothing but (rules, fighters, seed, first trial, number of
trials). Any executor may run the blocks, in any order and on any machine; the sum is the same integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Event, current_thread, main_thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import kernel
from morsdei_sim.dice.given import CODES, SPLIT, GivenDice, count_pairs
from morsdei_sim.dice.rolled import AHEAD, BLOCK, DICE_PER_WORD, at, draw_ahead, rolled
from morsdei_sim.fight.verbs import attack, attacks, begin, largest, pools, span

CHUNK = 512 * BLOCK
"""Trials handed to a worker at once: long enough that starting a task costs nothing, short enough to stop quickly."""

MAX_TRIALS = 10**12


@kernel
def tally(rules, dice, attacker, defender, first, trials, ahead, states, histogram):
    """Count into `histogram` (int64, by state) how trials `first` … `first + trials - 1` end; `first` is a multiple
    of 1,024.

    `ahead` (uint32, 2 x 1,024) and `states` (int64, 1,024) are scratch.
    """
    start = begin(rules, attacker, defender)
    steps = attacks(rules, attacker, defender)
    while trials > 0:
        here = min(trials, BLOCK)
        states[:] = start
        for step in range(steps):
            draw_ahead(dice.seed, first // BLOCK, step, ahead)
            if step == 0:  # one known state: the compiler works out the modifiers once for the whole block
                for t in range(here):
                    roll = at(dice, first + t, step, ahead[0, t], ahead[1, t])
                    states[t] = attack(rules, roll, attacker, defender, start)
            else:
                for t in range(here):
                    roll = at(dice, first + t, step, ahead[0, t], ahead[1, t])
                    states[t] = attack(rules, roll, attacker, defender, states[t])
        for t in range(here):
            histogram[states[t]] += 1
        first += here
        trials -= here


@kernel
def resolve_pairs(rules, attacker, defender, start, pairs, histogram):
    """Take one step from `start` for each pair of answers that occurred (int64, CODES^2); add its trials."""
    for pair in range(len(pairs)):
        if pairs[pair] > 0:
            one, two = pair // CODES, pair % CODES
            dice = GivenDice(one & 7, one >> 3, two & 7, two >> 3)
            histogram[attack(rules, dice, attacker, defender, start)] += pairs[pair]


_interrupted = Event()
"""Set while an interrupt is under way: samples that run in other threads stop at their next chunk."""


@contextmanager
def workers(jobs: int) -> Iterator[Executor]:
    """Threads for `jobs` blocks at a time; on an interrupt those not begun are dropped, the others stop early."""
    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        yield pool
    except KeyboardInterrupt:  # only the main thread is interrupted
        _interrupted.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        if current_thread() is main_thread():
            _interrupted.clear()


def in_chunks(
    block: Callable[..., NDArray[np.int64]],
    first: int,
    trials: int,
    executor: Executor | None,
    progress: Callable[[int], None] | None = None,
    chunk: int = CHUNK,
) -> NDArray[np.int64]:
    """Sum of `block(first, trials)` over chunks of a run; without an executor they run here, one after another."""
    starts = range(first, first + trials, chunk)
    sizes = [min(chunk, first + trials - start) for start in starts]
    total: NDArray[np.int64] | None = None
    results = map(block, starts, sizes) if executor is None else _windowed(executor, block, starts, sizes)
    for size, counts in zip(sizes, results, strict=True):
        if _interrupted.is_set():
            raise CancelledError
        total = counts.copy() if total is None else total + counts
        if progress is not None:
            progress(size)
    if total is None:
        raise ValueError("a sample needs at least one trial")
    return total


def _windowed(executor: Executor, block: Callable[..., Any], starts: range, sizes: list[int]) -> Iterator[Any]:
    """Results in order with a bounded number of tasks in flight, so that memory does not grow with the trials."""
    from collections import deque

    in_flight: deque[Any] = deque()
    for start, size in zip(starts, sizes, strict=True):
        in_flight.append(executor.submit(block, start, size))
        if len(in_flight) >= 32:
            yield in_flight.popleft().result()
    while in_flight:
        yield in_flight.popleft().result()


def sample(
    rules: Any,
    attacker: Any,
    defender: Any,
    trials: int,
    seed: int,
    executor: Executor | None = None,
    first: int = 0,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.int64]:
    """Count the final states of `trials` fights.

    Parameters
    ----------
    rules, attacker, defender : tuples of one room; the type of `rules` is the kind of fight.
    trials : number of fights, 1 to 10**12.
    seed : 64-bit key of all dice. Trial r depends on (seed, r) alone.
    executor : any `concurrent.futures.Executor`; None runs here.
    first : number of the first trial, a multiple of 1,024: a run may be extended later.
    progress : called with the number of trials just finished.

    Returns
    -------
    ndarray of int64, shape (span,); the same for every executor and every split.
    """
    return in_chunks(partial(_block, rules, attacker, defender, seed), first, trials, executor, progress)


def _block(rules: Any, attacker: Any, defender: Any, seed: int, first: int, trials: int) -> NDArray[np.int64]:
    """One task for an executor: a plain function of plain arguments, so that it can travel to another process."""
    histogram = np.zeros(span(rules, attacker, defender), np.int64)
    ahead = np.empty((AHEAD, BLOCK), np.uint32)
    start = begin(rules, attacker, defender)
    known = pools(rules, attacker, defender, start) if attacks(rules, attacker, defender) == 1 else None
    most = largest(rules, attacker, defender)
    if known is not None and most <= DICE_PER_WORD:
        pairs = np.zeros((SPLIT, CODES * CODES), np.int64)
        count_pairs(np.uint64(seed), first, trials, *known, ahead, pairs)
        resolve_pairs(rules, attacker, defender, start, pairs.sum(axis=0), histogram)
    else:
        tally(rules, rolled(seed, most), attacker, defender, first, trials, ahead, np.empty(BLOCK, np.int64), histogram)
    return histogram
