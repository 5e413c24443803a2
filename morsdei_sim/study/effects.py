"""What each axis of a study does to one figure: means of its values, and how far they lie apart.

A frame of cells has a column for each axis and the columns `estimate`, `low`, `high` (missing when exact). The interval
of a mean is the mean of the intervals: cells may be played on the same dice, so their errors may go together. That is
never too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, isnan
from typing import Any, NamedTuple

import pandas as pd
from scipy.stats import norm

__all__ = ["Effect", "binned", "effects", "means"]

BINS = 12
MOST_VALUES = 24


class Effect(NamedTuple):
    """How far the values of an axis lie apart: from the value with the lowest mean to the one with the highest.

    The interval holds for all pairs of values at once, so picking the ends does not narrow it; missing when exact.
    """

    axis: str
    lowest: Any
    highest: Any
    difference: float
    low: float
    high: float


def means(cells: pd.DataFrame, axes: Sequence[str]) -> pd.DataFrame:
    """Estimate, low and high by the values of some axes, on average over everything else; values in their order."""
    # Where one cell is exact and others are not, its interval is itself.
    bounds = {name: cells[name].fillna(cells["estimate"]) for name in ("low", "high")}
    filled = cells.assign(**bounds, sampled=cells["low"].notna())
    columns = ["estimate", "low", "high", "sampled"]
    found = filled.groupby(list(axes), sort=False, observed=True)[columns].mean().reset_index()
    found.loc[found.pop("sampled") == 0, ["low", "high"]] = float("nan")
    return found


def binned(cells: pd.DataFrame, axis: str) -> pd.DataFrame:
    """The cells with the values of a long axis of numbers put into ranges; other axes stay as they are."""
    values = cells[axis]
    if values.nunique() <= MOST_VALUES or not pd.api.types.is_numeric_dtype(values):
        return cells
    ranges = pd.cut(values.astype(float), BINS)
    middles = ranges.map(lambda one: one.mid).astype(float)
    return cells.assign(**{axis: middles})


def effects(cells: pd.DataFrame, axes: Sequence[str]) -> list[Effect]:
    """The effect of each axis, the largest first."""
    found = [_effect(means(binned(cells, axis), [axis]), axis) for axis in axes]
    return sorted(found, key=lambda one: -one.difference)


def _effect(levels: pd.DataFrame, axis: str) -> Effect:
    bottom, top = (levels.iloc[int(place)] for place in (levels["estimate"].argmin(), levels["estimate"].argmax()))
    difference = float(top["estimate"] - bottom["estimate"])
    if isnan(top["low"]) and isnan(bottom["low"]):
        return Effect(axis, bottom[axis], top[axis], difference, float("nan"), float("nan"))
    wider = _wider(len(levels))
    (value, low, high), (value0, low0, high0) = (
        (one["estimate"], *one[["low", "high"]].fillna(one["estimate"])) for one in (top, bottom)
    )
    below = wider * hypot(value - low, high0 - value0)
    above = wider * hypot(high - value, value0 - low0)
    return Effect(axis, bottom[axis], top[axis], difference, difference - below, difference + above)


def _wider(values: int) -> float:
    """How much wider 95 % intervals get when all pairs of so many values are to hold at once (Bonferroni)."""
    pairs = max(1, values * (values - 1) // 2)
    return float(norm.isf(0.025 / pairs) / norm.isf(0.025))
