"""What came of a fight: one weight per way it can end, and the figures read off them, exact or with intervals.

Every figure is a reading: a number per cell of the final state, averaged. So exact and sampled results are read by
the same code, and every sampled figure gets its interval from the same integer histogram.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054
"""Half-width of a 95 % interval in standard errors."""

Interval = tuple[float, float]


@dataclass(frozen=True)
class Reading:
    """One figure: `values` holds its value in each cell.

    A `chance` averages 0 and 1, a `mean` averages numbers, a `distribution` asks how often each (integer) value occurs.
    A distribution is drawn as bars where people look, unless `drawn` is false. `weights` are given where a figure was
    counted apart from the ends, by cells of its own; `title` where the room's titles cannot know it, in the language
    of the messages.
    """

    name: str
    kind: Literal["chance", "mean", "distribution"]
    values: NDArray[Any]
    drawn: bool = True
    weights: NDArray[Any] | None = None
    title: str = ""


@dataclass(frozen=True)
class Outcome:
    """The end of a fight.

    Attributes
    ----------
    weights : float64 (cells,) chances, or int64 (cells,) counts of a sample.
    trials, seed : None when exact.
    readings : the figures, in the order in which they are shown.
    settings : what was asked, for the record (policies, situation, profiles).
    notes : remarks that the user must see.
    headline : the situation in words, where the settings do not say it all.
    """

    weights: NDArray[Any]
    readings: tuple[Reading, ...]
    trials: int | None = None
    seed: int | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    headline: str = ""

    @property
    def engine(self) -> str:
        """`exact` or `sample`."""
        return "exact" if self.trials is None else "sample"

    @property
    def chances(self) -> NDArray[np.float64]:
        """Share of each cell, float64."""
        return self._shares(self.weights)

    def _shares(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray(weights, dtype=np.float64) if self.trials is None else weights / self.trials

    def _counted(self, reading: Reading) -> NDArray[Any]:
        return self.weights if reading.weights is None else reading.weights

    def reading(self, name: str) -> Reading:
        """The reading of that name; KeyError if there is none."""
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise KeyError(name)

    def value(self, name: str) -> float:
        """The figure: a chance or a mean."""
        reading = self.reading(name)
        value = float(np.dot(self._shares(self._counted(reading)), reading.values.astype(np.float64)))
        return min(value, 1.0) if reading.kind == "chance" else value  # a sum of chances may end at 1 + 2e-16

    def interval(self, name: str) -> Interval | None:
        """95 % interval of a chance or a mean; None when exact."""
        if self.trials is None:
            return None
        reading = self.reading(name)
        weights = self._counted(reading)
        if reading.kind == "chance":
            return wilson(int(weights[reading.values.astype(bool)].sum()), self.trials)
        return mean_interval(weights, reading.values.astype(np.float64))

    def distribution(self, name: str) -> dict[int, float]:
        """Value -> chance, values rising; only values that can occur (or did)."""
        values, weights = self._grouped(name)
        total = 1.0 if self.trials is None else float(self.trials)
        return {int(v): min(float(w / total), 1.0) for v, w in zip(values, weights, strict=True) if w > 0}

    def intervals(self, name: str) -> dict[int, Interval] | None:
        """95 % interval of the chance of each value, one by one; None when exact."""
        if self.trials is None:
            return None
        values, weights = self._grouped(name)
        return {int(v): wilson(int(w), self.trials) for v, w in zip(values, weights, strict=True) if w > 0}

    def _grouped(self, name: str) -> tuple[NDArray[np.int64], NDArray[Any]]:
        reading = self.reading(name)
        counted = self._counted(reading)
        values, place = np.unique(reading.values, return_inverse=True)
        weights = np.zeros(len(values), dtype=counted.dtype)
        np.add.at(weights, place, counted)
        return values, weights


def wilson(successes: int, trials: int) -> Interval:
    """Wilson 95 % interval of a chance: honest near 0 and 1. (scipy has it too; importing scipy.stats costs two
    seconds.)"""
    p = successes / trials
    shrink = 1 + Z95**2 / trials
    centre = (p + Z95**2 / (2 * trials)) / shrink
    half = Z95 / shrink * sqrt(p * (1 - p) / trials + Z95**2 / (4 * trials**2))
    # At the ends the bound is exact; the formula would leave a rounding error there.
    return (centre - half if successes > 0 else 0.0), (centre + half if successes < trials else 1.0)


def mean_interval(counts: NDArray[np.int64], values: NDArray[np.float64]) -> Interval:
    """95 % interval of a mean from a histogram.

    Normal, with one pseudo-trial at the lowest and one at the highest possible value in the spread, so that a sample
    in which nothing happened still shows a width.
    """
    trials = int(counts.sum())
    mean = float(np.dot(counts, values)) / trials
    padded = counts.astype(np.float64)
    padded[int(values.argmin())] += 1
    padded[int(values.argmax())] += 1
    middle = float(np.dot(padded, values)) / (trials + 2)
    variance = float(np.dot(padded, (values - middle) ** 2)) / (trials + 1)
    half = Z95 * sqrt(variance / trials)
    return max(mean - half, float(values.min())), min(mean + half, float(values.max()))


def trials_for(counts: NDArray[np.int64], reading: Reading, half_width: float) -> int:
    """How many trials would bring the 95 % half-width of a figure to `half_width`, judged by a pilot sample."""
    values = reading.values.astype(np.float64)
    low, high = mean_interval(counts, values)
    pilot = int(counts.sum())
    return int(np.ceil(pilot * ((high - low) / 2 / half_width) ** 2))
