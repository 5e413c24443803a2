"""Intervals of means over units of a sample: games, or mirrored pairs of games.

A unit is what is independent of the others. All intervals here take integers that kernels counted: a histogram, or a
sum and a sum of squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, sqrt

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.fight.outcome import Z95, Interval

__all__ = ["Watch", "count_interval", "mean_and_variance", "share_interval", "share_of", "signed_interval"]


def mean_and_variance(values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, float]:
    """Mean of a histogram of values in [0, 1], and the variance of one unit.

    The variance counts one pseudo-unit at each end besides, so that a sample in which every unit was the same still
    shows a width.
    """
    units = int(counts.sum())
    mean = float(counts @ values) / units
    middle = (mean * units + 1) / (units + 2)
    square = float(counts @ (values - middle) ** 2) + middle**2 + (1 - middle) ** 2
    return mean, square / (units + 2)


def share_interval(values: NDArray[np.float64], counts: NDArray[np.int64], z: float = Z95) -> Interval:
    """95 % interval of the mean of a histogram of values in [0, 1], such as a score of 0, ½ or 1.

    Wilson's score interval for as many yes-or-no units as would be known as well (`share_of`).
    """
    mean, variance = mean_and_variance(values, counts)
    return share_of(mean, variance / int(counts.sum()), int(counts.sum()), z)


def share_of(mean: float, variance: float, units: int, z: float = Z95) -> Interval:
    """Interval of a mean in [0, 1] with a variance (of the mean) that was estimated from so many units.

    The interval that Wilson gives for n yes-or-no trials where n = p (1 - p) / variance: draws and mirrored pairs
    spread less than yes and no, so n is larger than the number of units. p is moved by one pseudo-unit at each end, as
    the variance is. With neither draws nor pairs it is Wilson's interval.
    """
    middle = (mean * units + 1) / (units + 2)
    worth = middle * (1 - middle) / variance
    shrink = 1 + z**2 / worth
    centre = (mean + z**2 / (2 * worth)) / shrink
    half = z / shrink * sqrt(max(0.0, mean * (1 - mean)) / worth + z**2 / (4 * worth**2))
    return (centre - half if mean > 0 else 0.0), (centre + half if mean < 1 else 1.0)


def count_interval(units: int, total: float, square: float, step: float = 1.0, z: float = Z95) -> Interval:
    """95 % interval of the mean of something that is never negative and comes in steps, from its sums over units.

    The score interval of a count whose variance is proportional to its mean; the proportion is taken from the sample,
    with one pseudo-unit of one step. For a count of rare events that is the interval of a Poisson rate (three events:
    1.0 to 8.8), for a common one the normal interval.
    """
    mean = total / units
    spread = max(0.0, square - total * mean) + step**2
    ratio = spread / (total + step)
    centre = mean + z**2 * ratio / (2 * units)
    half = z * sqrt(ratio * mean / units + z**2 * ratio**2 / (4 * units**2))
    # At zero the bound is exact; the formula would leave a rounding error there.
    return (max(0.0, centre - half) if total > 0 else 0.0), centre + half


def signed_interval(units: int, total: float, square: float, step: float = 1.0, z: float = Z95) -> Interval:
    """95 % interval of the mean of something of either sign, from its sums over units: normal, with a pseudo-unit one
    step to either side of the mean in the spread."""
    mean = total / units
    half = z * sqrt((max(0.0, square - total * mean) + 2 * step**2) / max(1, units - 1) / units)
    return mean - half, mean + half


@dataclass(frozen=True)
class Watch:
    """Intervals that may be looked at as often as one likes, to stop as soon as one is short enough.

    A confidence sequence by Robbins' method of mixtures: the normal likelihood ratio, averaged over a normal
    distribution of effects, passes 1 / alpha at any time with a chance of at most alpha. With the variance estimated
    along the way it holds asymptotically (a time-uniform central limit theorem), so the first look waits for
    `least` units. The price of looking is about half of a plain interval's width again.

    Attributes
    ----------
    target : the half-width at which one will stop; the sequence is shortest about there.
    alpha : chance that any of all intervals misses.
    """

    target: float
    alpha: float = 0.05
    least: int = 256

    @property
    def _mixture(self) -> float:
        """Variance of the mixed effects: best for the time at which the target is met by units with a variance of 1/8,
        such as pairs of even games."""
        price = -2 * log(self.alpha)
        cost = price + log(price + 1)
        return cost / (cost + 1) * (8 * self.target) ** 2

    def half_width(self, variance: float, units: int) -> float:
        """Half-width after so many units of a variance (`mean_and_variance`)."""
        if units < self.least:
            return 1.0
        time = units * variance * self._mixture + 1
        return sqrt(2 * time / (units**2 * self._mixture) * (log(1 / self.alpha) + log(time) / 2))

    def interval(self, mean: float, variance: float, units: int) -> Interval:
        """The interval after so many units, within [0, 1]."""
        half = self.half_width(variance, units)
        return max(0.0, mean - half), min(1.0, mean + half)

    def done(self, variance: float, units: int) -> bool:
        """Whether the target is met."""
        return self.half_width(variance, units) <= self.target

    def next_look(self, variance: float, units: int) -> int:
        """Units to play until the next look: a guess of what is needed, within 1.1 to 2 times as many as now."""
        if units < self.least:
            return self.least
        wanted = ceil(1.02 * units * (self.half_width(variance, units) / self.target) ** 2)
        return max(units + units // 10 + 1, min(wanted, 2 * units))
