"""Which engine answers, and how a wanted precision is reached."""

from __future__ import annotations

import pytest

from morsdei_sim.dice.rolled import BLOCK
from morsdei_sim.fight.run import DEFAULT_TRIALS, PILOT, Run
from morsdei_sim.rulesets.morsdei.volley import shoot

SHOT = ("4d6 4+ 4", "Defence 3 HP 7")


@pytest.mark.parametrize(
    ("run", "engine"),
    [
        (Run(), "exact"),
        (Run(trials=5000), "sample"),
        (Run(target_error=0.01), "sample"),
        (Run("exact"), "exact"),
        (Run("exact", trials=5000), "exact"),
        (Run("exact", target_error=0.01), "exact"),
        (Run("sample", trials=5000), "sample"),
    ],
)
def test_engine(run: Run, engine: str) -> None:
    outcome = shoot(*SHOT, run)
    assert outcome.engine == engine
    assert (outcome.trials is None) == (engine == "exact")
    assert (outcome.interval("kill") is None) == (engine == "exact")
    if run.trials and engine == "sample":
        assert outcome.trials == 5000 == outcome.weights.sum()
    assert outcome.seed == (None if engine == "exact" else 1)


def test_sample_without_a_number_takes_the_default() -> None:
    assert shoot(*SHOT, Run("sample")).trials == DEFAULT_TRIALS


@pytest.mark.parametrize("error", [0.01, 0.002, 0.0005])
def test_wanted_precision_is_reached(error: float) -> None:
    """Every chance gets an interval no wider than asked for, at little more than the trials that it takes."""
    outcome = shoot(*SHOT, Run(target_error=error, seed=17))
    halves = {}
    for reading in outcome.readings:
        if reading.kind == "chance":
            low, high = outcome.interval(reading.name)
            halves[reading.name] = (high - low) / 2
    assert len(halves) == 3
    assert max(halves.values()) <= error
    assert outcome.trials % BLOCK == 0
    if outcome.trials > PILOT:
        assert max(halves.values()) > 0.97 * error
    else:
        assert error > 0.003  # the pilot is enough


def test_precise_run_is_the_same_run() -> None:
    """Reaching a precision in two stages gives the counts of one run of that length."""
    outcome = shoot(*SHOT, Run(target_error=0.001, seed=9))
    assert outcome.trials > PILOT
    assert (outcome.weights == shoot(*SHOT, Run(trials=outcome.trials, seed=9)).weights).all()


def test_progress_reaches_the_plan() -> None:
    told: list[tuple[int, int]] = []
    outcome = shoot(*SHOT, Run(target_error=0.0005, progress=lambda done, planned: told.append((done, planned))))
    assert told[-1] == (outcome.trials, outcome.trials)
    assert all(0 < done <= planned for done, planned in told)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
