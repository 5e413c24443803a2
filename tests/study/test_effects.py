"""What moves a figure of a sweep, and what moved between two answers: by hand-made numbers."""

from __future__ import annotations

from math import isnan, nan, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from morsdei_sim import study

EXACT = pd.DataFrame(
    [(h, c, 0.1 * h + (0.05 if c else 0), nan, nan) for h in (3, 4, 5) for c in (False, True)],
    columns=["hit", "cover", "estimate", "low", "high"],
)
SAMPLED = EXACT.assign(low=EXACT["estimate"] - 0.02, high=EXACT["estimate"] + 0.04)


def test_the_axis_that_moves_it_most_comes_first() -> None:
    hit, cover = study.effects(EXACT, ["cover", "hit"])
    assert (hit.axis, hit.lowest, hit.highest) == ("hit", 3, 5)
    assert hit.difference == pytest.approx(0.2)
    assert (cover.axis, cover.lowest, cover.highest) == ("cover", False, True)
    assert cover.difference == pytest.approx(0.05)
    assert isnan(hit.low)
    assert isnan(hit.high)


def test_the_interval_holds_for_every_pair_of_values() -> None:
    """Two values: square and add. Three values are three pairs: wider, as Bonferroni says."""
    hit, cover = study.effects(SAMPLED, ["hit", "cover"])
    half = sqrt(0.02**2 + 0.04**2)
    assert (cover.low, cover.high) == (pytest.approx(0.05 - half), pytest.approx(0.05 + half))
    wider = norm.isf(0.025 / 3) / norm.isf(0.025)
    assert (hit.low, hit.high) == (pytest.approx(0.2 - wider * half), pytest.approx(0.2 + wider * half))


def test_the_interval_of_a_mean_is_the_mean_of_the_intervals() -> None:
    found = study.means(SAMPLED, ["cover"])
    assert found["low"].tolist() == pytest.approx([0.38, 0.43])
    assert found["high"].tolist() == pytest.approx([0.44, 0.49])
    mixed = SAMPLED.copy()
    mixed.loc[~mixed["cover"], ["low", "high"]] = nan
    by_hit = study.means(mixed, ["hit"])  # an exact cell adds nothing to the width
    assert (by_hit["high"] - by_hit["low"]).tolist() == pytest.approx([0.03] * 3)
    assert study.means(mixed, ["cover"])["low"].isna().tolist() == [True, False]


def test_long_axes_are_put_into_ranges() -> None:
    many = pd.DataFrame({"x": range(100), "estimate": range(100), "low": nan, "high": nan})
    ranges = study.binned(many, "x")
    assert ranges["x"].nunique() == 12
    assert (ranges["x"].diff().dropna() >= 0).all()
    (effect,) = study.effects(many, ["x"])
    assert 85 < effect.difference < 95
    words = many.assign(x=[f"w{n}" for n in range(100)])
    assert study.binned(words, "x") is words


def test_what_moved() -> None:
    old = {
        "exact": (0.5, None, None), "rounded": (0.3, None, None), "far": (0.5, 0.45, 0.55), "near": (0.5, 0.45, 0.55),
        "same": (0.2, 0.1, 0.3), "half": (0.5, None, None), "gone": (1.0, None, None),
    }  # fmt: skip
    new = {
        "exact": (0.4, None, None), "rounded": (0.3 + 1e-12, None, None), "far": (0.6, 0.55, 0.65),
        "near": (0.55, 0.5, 0.6), "same": (0.2, 0.1, 0.3), "half": (0.6, 0.53, 0.68), "new": (1.0, None, None),
    }  # fmt: skip
    found = {move.question: move for move in study.moves(old, new)}
    assert list(found) == ["exact", "rounded", "far", "near", "same", "half"]
    verdicts = {name: move.verdict for name, move in found.items()}
    assert verdicts == {
        "exact": "moved", "rounded": "same", "far": "moved", "near": "open", "same": "same", "half": "moved",
    }  # fmt: skip
    far, half = found["far"], found["half"]
    assert (far.low, far.high) == (pytest.approx(0.1 - sqrt(2) * 0.05), pytest.approx(0.1 + sqrt(2) * 0.05))
    assert (half.low, half.high) == (pytest.approx(0.03), pytest.approx(0.18))
    assert found["exact"].low is None
    assert found["exact"].difference == pytest.approx(-0.1)


def test_where_points_are_spread_out_their_choice_counts_too() -> None:
    """300 designs of 60 points, in which y alone moves the exact figure, and widely: the interval of the effect of x
    (three values, truly 0) leaves zero out in at most 5 % of them; 26 lie 3 sigma above that."""
    dice = np.random.default_rng(20261130)
    missed = 0
    for _design in range(300):
        x, y = dice.integers(0, 3, 60), dice.random(60)
        cells = pd.DataFrame({"x": x, "y": y, "estimate": y, "low": nan, "high": nan})
        (effect,) = study.effects(cells, ["x"], spread=True)
        missed += effect.low > 0
    assert 0 < missed <= 26


def test_one_cell_a_value_tells_nothing_of_the_scatter() -> None:
    cells = pd.DataFrame({"x": [1, 2, 3], "estimate": [0.1, 0.2, 0.3], "low": nan, "high": nan})
    found = study.means(cells, ["x"], spread=True)
    assert found["low"].isna().all()
