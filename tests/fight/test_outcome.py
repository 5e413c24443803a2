"""Figures and intervals of a fight."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from morsdei_sim.fight.outcome import Z95, Outcome, Reading, mean_interval, trials_for, wilson

VALUES = np.array([0, 4, 8, 12])
KILL = Reading("kill", "chance", np.array([0, 0, 1, 1]))
MEAN = Reading("mean", "mean", VALUES)
SPREAD = Reading("spread", "distribution", np.array([1, 0, 1, 2]))


def test_wilson_is_scipys() -> None:
    assert pytest.approx(norm.ppf(0.975), rel=1e-15) == Z95
    for trials in (1, 2, 7, 100, 65_536, 10**9):
        for successes in sorted({0, 1, trials // 7, trials // 2, trials - 1, trials}):
            theirs = binomtest(successes, trials).proportion_ci(method="wilson")
            assert wilson(successes, trials) == pytest.approx((theirs.low, theirs.high), rel=1e-12, abs=1e-12)


def test_exact_figures() -> None:
    outcome = Outcome(np.array([0.5, 0.25, 0.125, 0.125]), (KILL, MEAN, SPREAD))
    assert outcome.engine == "exact"
    assert outcome.value("kill") == 0.25
    assert outcome.value("mean") == 3.5
    assert outcome.distribution("spread") == {0: 0.25, 1: 0.625, 2: 0.125}
    assert outcome.interval("kill") is outcome.interval("mean") is outcome.intervals("spread") is None
    with pytest.raises(KeyError):
        outcome.value("nonsense")


def test_sampled_figures_read_the_same() -> None:
    counts = np.array([500, 250, 125, 125])
    outcome = Outcome(counts, (KILL, MEAN, SPREAD), 1000, 3)
    assert outcome.engine == "sample"
    assert outcome.value("kill") == 0.25
    assert outcome.value("mean") == 3.5
    assert outcome.distribution("spread") == {0: 0.25, 1: 0.625, 2: 0.125}
    assert outcome.interval("kill") == wilson(250, 1000)
    assert outcome.intervals("spread") == {0: wilson(250, 1000), 1: wilson(625, 1000), 2: wilson(125, 1000)}
    low, high = outcome.interval("mean")
    error = 1.96 * np.sqrt((0.25 * 16 + 0.125 * 64 + 0.125 * 144 - 3.5**2) / 1000)
    assert (low, high) == pytest.approx((3.5 - error, 3.5 + error), rel=0.01)


@pytest.mark.parametrize("chances", [(0.45, 0.3, 0.2, 0.05), (0.9, 0.06, 0.03, 0.01), (0.1, 0.2, 0.3, 0.4)])
def test_mean_interval_covers(chances: tuple) -> None:
    """60,000 samples of 1,000 fights (seed 8): the share of intervals that hold the true mean is 95 % +- 0.45 % (5
    standard
    errors of the share, two-sided 6e-7), with 0.2 % allowed for the normal form's own error."""
    truth = float(np.dot(chances, VALUES))
    held = 0
    for counts in np.random.default_rng(8).multinomial(1000, chances, 60_000):
        low, high = mean_interval(counts, VALUES.astype(float))
        held += low <= truth <= high
    assert abs(held / 60_000 - 0.95) < 0.0045 + 0.002


def test_nothing_seen_is_not_nothing() -> None:
    """A sample in which nothing happened still has a width."""
    for counts in ([1000, 0, 0, 0], [0, 0, 0, 1000]):
        low, high = mean_interval(np.array(counts), VALUES.astype(float))
        assert high - low > 0.02
    assert wilson(0, 1000)[1] > 0.003
    assert wilson(1000, 1000)[0] < 0.997


def test_trials_for_reaches_the_width() -> None:
    counts = np.array([500, 250, 125, 125]) * 10
    for half_width in (0.01, 0.001):
        trials = trials_for(counts, KILL, half_width)
        assert trials == pytest.approx(1.96**2 * 0.25 * 0.75 / half_width**2, rel=0.01)
        low, high = wilson(trials // 4, trials)
        assert (high - low) / 2 <= half_width * 1.0005
