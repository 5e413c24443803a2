"""How a question is answered: exactly, by a number of trials, or by as many trials as a wanted precision takes."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.dice.rolled import BLOCK
from morsdei_sim.fight.outcome import Outcome, Reading, trials_for
from morsdei_sim.fight.sample import MAX_TRIALS, workers

DEFAULT_TRIALS = 1_000_000
PILOT = 64 * BLOCK

Sampler = Callable[[int, int, Executor | None, Callable[[int], None] | None], NDArray[np.int64]]
"""(first trial, trials, executor, progress) -> counts by cell."""


@dataclass(frozen=True)
class Run:
    """What the user asked of the engine.

    Attributes
    ----------
    engine : "exact", "sample" or "auto" (exact, unless trials or a precision are asked for).
    trials : number of fights to sample; None for the default.
    target_error : half-width of the 95 % interval that every sampled chance must reach, as a share.
    seed : 64-bit key of the dice.
    jobs : threads; None for one per processor core.
    progress : called with (trials done, trials planned).
    """

    engine: str = "auto"
    trials: int | None = None
    target_error: float | None = None
    seed: int = 1
    jobs: int | None = None
    progress: Callable[[int, int], None] | None = None

    @property
    def sampled(self) -> bool:
        """Whether this run rolls dice."""
        return self.engine == "sample" or (self.engine == "auto" and (self.trials or self.target_error) is not None)


EXACT = Run("exact")


def answer(
    run: Run, exact: Callable[[], NDArray[np.float64]], sampled: Sampler, readings: tuple[Reading, ...], **settings: Any
) -> Outcome:
    """The outcome of a fight, by the engine that the run asks for.

    A wanted precision is reached in two stages: a pilot of 65,536 trials tells how many are needed, then the run is
    extended to that number (and again, should the first estimate have been short). Trials are keyed by number, so the
    stages are one and the same run.
    """
    if not run.sampled:
        return Outcome(exact(), readings, settings=settings)
    jobs = run.jobs or os.cpu_count() or 1
    with workers(jobs) as executor:

        def extend(first: int, until: int) -> NDArray[np.int64]:
            done = first

            def step(n: int) -> None:
                nonlocal done
                done += n
                if run.progress is not None:
                    run.progress(done, until)

            return sampled(first, until - first, executor if jobs > 1 else None, step)

        if run.target_error is None:
            trials = min(run.trials or DEFAULT_TRIALS, MAX_TRIALS)
            counts = extend(0, trials)
        else:
            trials = PILOT
            counts = extend(0, trials)
            while (wanted := _needed(counts, readings, run.target_error)) > trials and trials < MAX_TRIALS:
                until = min(-(-wanted // BLOCK) * BLOCK, MAX_TRIALS)
                counts = counts + extend(trials, until)
                trials = until
    return Outcome(counts, readings, trials, run.seed, settings)


def _needed(counts: NDArray[np.int64], readings: tuple[Reading, ...], half_width: float) -> int:
    return max(trials_for(counts, reading, half_width) for reading in readings if reading.kind == "chance")
