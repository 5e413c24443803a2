"""The sampled driver: the same integers however the work is cut, keyed trials, flat memory, a prompt stop."""

from __future__ import annotations

import threading
import time
import tracemalloc
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from morsdei_sim.dice.rolled import BLOCK
from morsdei_sim.fight import exact
from morsdei_sim.fight.run import Run
from morsdei_sim.fight.sample import CHUNK, in_chunks, sample, workers
from morsdei_sim.rulesets.morsdei.exchange import melee
from morsdei_sim.rulesets.morsdei.rules import Rules
from morsdei_sim.rulesets.morsdei.shooting import Shooter, Shooting, Target
from morsdei_sim.rulesets.morsdei.volley import shoot

RULES = Shooting(*Rules())
FEW = Shooter(4, 4, 4, 1, 0, 0, 0, 0, 2), Target(3, 9, 9, 0, 0, 0, 1)
MANY = Shooter(6, 3, 3, 0, 0, 0, 0, 0, 2), Target(5, 12, 12, 1, 0, 0, 1)


def counts(fight: tuple, trials: int, seed: int = 7, executor: Executor | None = None, first: int = 0) -> np.ndarray:
    return sample(RULES, *fight, trials, seed, executor, first)


@pytest.mark.parametrize("fight", [FEW, MANY], ids=["few dice", "many dice"])
def test_any_split_gives_the_same_integers(fight: tuple) -> None:
    trials = 40 * BLOCK + 777
    whole = counts(fight, trials)
    assert whole.dtype == np.int64
    assert whole.sum() == trials
    for cuts in ([BLOCK], [BLOCK * i for i in range(1, 41)], [7 * BLOCK, 8 * BLOCK, 31 * BLOCK]):
        edges = [0, *cuts, trials]
        parts = [counts(fight, b - a, first=a) for a, b in pairwise(edges)]
        assert (sum(parts) == whole).all()


def test_any_number_of_threads_gives_the_same_integers() -> None:
    trials = 5 * CHUNK + 1500
    alone = counts(FEW, trials)
    for jobs in (1, 2, 3):
        with workers(jobs) as executor:
            assert (counts(FEW, trials, executor=executor) == alone).all()


@pytest.mark.slow
def test_processes_give_the_same_integers() -> None:
    with ProcessPoolExecutor(2) as executor:
        assert (counts(FEW, 2 * CHUNK + 5, executor=executor) == counts(FEW, 2 * CHUNK + 5)).all()


def test_jobs_of_the_public_questions() -> None:
    """`jobs` changes no figure of a shot, of a melee, or of a chain of melees."""
    for jobs in (2, 3):
        for ask, run in ((shoot, 3 * CHUNK + 9), (melee, CHUNK + 70_001)):
            words = ("4d6 4+ 4 HP 9", "4d6 4+ 4 Defence 3 HP 7")
            how = {"exchanges": 2, "attacker_policy": "random"} if ask is melee else {"shots": 2}
            one = ask(*words, Run("sample", trials=run, seed=3, jobs=1), **how)
            more = ask(*words, Run("sample", trials=run, seed=3, jobs=jobs), **how)
            assert (one.weights == more.weights).all()
            assert one.trials == more.trials == one.weights.sum() == run


def test_a_trial_depends_on_seed_and_number_alone() -> None:
    """Trial by trial: each alone, read off as the difference of two runs, gives the sum of the run."""
    first = 3 * BLOCK
    whole = counts(MANY, 60, seed=5, first=first)
    singly = np.zeros_like(whole)
    for r in range(60):
        one = counts(MANY, r + 1, seed=5, first=first) - (counts(MANY, r, seed=5, first=first) if r else 0)
        assert (one >= 0).all()
        assert one.sum() == 1
        singly += one
    assert (singly == whole).all()
    assert (whole != counts(MANY, 60, seed=6, first=first)).any()
    assert (whole != counts(MANY, 60, seed=5, first=first + BLOCK)).any()
    assert (whole != counts(MANY, 60, seed=5 + 2**32, first=first)).any()  # the upper half of the seed counts


def test_a_run_is_extended_not_reshuffled() -> None:
    short, long = counts(FEW, 20 * BLOCK), counts(FEW, 50 * BLOCK)
    assert (long - short == counts(FEW, 30 * BLOCK, first=20 * BLOCK)).all()
    assert (long >= short).all()


def test_far_trials_exist() -> None:
    """Trial numbers beyond 2^40: as good as any."""
    far = 2**40
    assert counts(FEW, 3 * BLOCK, first=far).sum() == 3 * BLOCK
    assert (counts(FEW, 3 * BLOCK, first=far) != counts(FEW, 3 * BLOCK)).any()


def test_sample_agrees_with_exact() -> None:
    """n = 4,000,000; each cell within 6 standard errors (two-sided 2e-9 a cell, 8 cells or fewer: below 1e-6)."""
    pmf, seen = exact.pmf(RULES, *FEW), counts(FEW, 4_000_000)
    assert pmf.sum() == pytest.approx(1, abs=1e-13)
    assert not seen[pmf == 0].any()
    error = np.sqrt(pmf * (1 - pmf) / 4_000_000)
    likely = pmf * 4_000_000 > 100
    assert (np.abs(seen / 4_000_000 - pmf)[likely] <= 6 * error[likely]).all()


@pytest.mark.parametrize("shots", [1, 2, 5])
def test_exact_sums_to_one(shots: int) -> None:
    for fight in (FEW, MANY):
        assert exact.pmf(RULES, fight[0]._replace(shots=shots), fight[1]).sum() == pytest.approx(1, abs=1e-12)


def test_no_trials_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one trial"):
        counts(FEW, 0)


def test_memory_is_flat() -> None:
    """A thousand times the trials add less than the scratch of the two blocks at work (shots: 150 kB each, counters of
    pairs) and 256 kB of futures in flight; melee, whose blocks hold states, the same to within 1 MB."""

    def peak(ask, trials: int) -> int:
        ask(1024)
        tracemalloc.start()
        ask(trials)
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    with workers(2) as executor:
        small, large = (peak(lambda n: counts(FEW, n, executor=executor), n) for n in (100_000, 100_000_000))
    assert large - small < 2 * 150 * 1024 + 256 * 1024

    def duel(trials: int) -> None:
        how = {"attacker_policy": "strike-only", "target_policy": "strike-only"}
        melee("2d6 4+ 4 HP 9", "2d6 4+ 4 HP 7", Run("sample", trials=trials, jobs=1), **how)

    small, large = peak(duel, CHUNK), peak(duel, 12 * CHUNK)
    assert large - small < 1024 * 1024


class Counting(Executor):
    """Runs tasks when their result is asked for, and remembers the most that ever waited."""

    def __init__(self) -> None:
        self.waiting = self.most = 0

    def submit(self, fn, /, *args, **kwargs) -> Future:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        executor = self

        class Lazy(Future):
            def result(self, timeout=None):
                executor.waiting -= 1
                return fn(*args, **kwargs)

        return Lazy()


def test_tasks_in_flight_are_bounded() -> None:
    executor = Counting()
    total = in_chunks(lambda first, trials: np.array([trials]), 0, 1000 * CHUNK + 3, executor)
    assert total[0] == 1000 * CHUNK + 3
    assert 2 <= executor.most <= 64


def test_interrupt_drops_the_rest() -> None:
    """Ctrl-C while the first chunks are counted: those under way end, none of the others begins."""
    begun, lock = [], threading.Lock()

    def block(first: int, trials: int) -> np.ndarray:
        with lock:
            begun.append(first)
        time.sleep(0.02)
        return np.array([trials])

    def interrupted(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), workers(2) as executor:
        in_chunks(block, 0, 1000 * CHUNK, executor, interrupted)
    after = len(begun)
    assert after < 30  # of a thousand
    time.sleep(0.1)
    assert len(begun) == after


def test_progress_counts_every_trial() -> None:
    told: list[int] = []
    with ThreadPoolExecutor(2) as executor:
        in_chunks(lambda first, trials: np.array([trials]), 0, 3 * CHUNK + 10, executor, told.append)
    assert told == [CHUNK, CHUNK, CHUNK, 10]
