"""The pictures: same bytes, harmless names, no trace left in matplotlib."""

from __future__ import annotations

import matplotlib
import pandas as pd
import pytest
from matplotlib import _pylab_helpers

from morsdei_sim.reporting import figures
from morsdei_sim.reporting.bars import bars

LINES = [
    ("$a", [0, 4, 8], [1.0, 0.5, 0.1], None, None),
    ("b", [0, 4, 8], [1.0, 0.4, 0.2], [0.9, 0.3, 0.1], [1, 0.5, 0.3]),
]
BARS = [("dice 4 → 5 · rifle", 0.2, None, None), ("HP", -0.01, -0.02, 0.01)]


def drawings() -> dict[str, matplotlib.figure.Figure]:
    frame = pd.DataFrame([[0.1, 0.9], [float("nan"), 0.5]], index=["one", "$2"], columns=["x", "y"])
    return {
        "curves": figures.curves(LINES, "damage", legend=True),
        "activations": figures.activations(LINES, "turns", legend=True),
        "bars": bars(BARS, "points", percent=True),
        "heatmap": figures.heatmap(frame),
        "two-sided": figures.heatmap(frame - 0.5, percent=False, two_sided=True),
        "styles": figures.styles(frame),
    }


@pytest.mark.parametrize("name", list(drawings()))
def test_same_bytes(name: str) -> None:
    assert figures.svg(drawings()[name], name) == figures.svg(drawings()[name], name)


def test_salt_keeps_ids_apart() -> None:
    import re

    def ids(text: str) -> set[str]:
        return set(re.findall(r'\bid="([^"]+)"', text))

    one, other = (figures.svg(figures.curves(LINES, "damage"), salt) for salt in ("a", "b"))
    assert ids(one)
    assert not ids(one) & ids(other)


def test_pyplot_knows_nothing_and_settings_stay() -> None:
    before = dict(matplotlib.rcParams)
    for name, figure in drawings().items():
        figures.svg(figure, name)
    assert dict(matplotlib.rcParams) == before
    assert _pylab_helpers.Gcf.get_all_fig_managers() == []


def test_page_figures_follow_the_readers_colours() -> None:
    text = figures.svg(bars(BARS, "points"), "x")
    assert "var(--ink)" in text
    assert "#1b1f24" not in text
    assert "var(--" not in figures.svg(bars(BARS, "points"), "x", page=False)


def test_names_are_text() -> None:
    assert ">$a<" in figures.svg(figures.curves(LINES, "damage", legend=True), "x")


def test_a_heat_map_shows_its_numbers() -> None:
    text = figures.svg(drawings()["heatmap"], "x")
    assert all(f">{number}<" in text for number in ("10", "90", "50"))


LONG = "цель жива, но ранена: Гвардеец-знаменосец · тяжёлый карабин → Защ. 2, HP 6, с Прицеливанием, в укрытии"
SPREADS = {
    "positive": [(0.35, 0.3, 0.4), (0.02, None, None)],
    "negative": [(-0.35, -0.4, -0.3), (-0.02, None, None)],
    "mixed": [(0.35, 0.2, 0.5), (-0.3, -0.55, -0.05), (0.001, -0.1, 0.1), (-0.001, None, None)],
    "one huge": [(-5.31, None, None), (-0.01, None, None), (0.02, None, None)],
    "one huge up": [(5.31, None, None), (-0.01, None, None)],
    "nothing": [(0.0, None, None)],
}


@pytest.mark.parametrize("name", SPREADS)
@pytest.mark.parametrize("percent", [True, False])
def test_every_bar_can_be_read(name: str, percent: bool) -> None:
    """No text is cut off by an edge or lies on the bar or the text of another."""
    rows = [(LONG, *values) for values in SPREADS[name]]
    figure = bars(rows, "новое минус старое, процентные пункты", percent=percent)
    with figures.style():
        figure.canvas.draw()
        (ax,) = figure.axes
        texts = [text.get_window_extent() for text in ax.texts]
        whole = figure.bbox
        for box in texts:
            assert whole.x0 <= box.x0 < box.x1 <= whole.x1
            assert whole.y0 <= box.y0 < box.y1 <= whole.y1
        others = [*texts, *(bar.get_window_extent() for bar in ax.patches)]
        assert len(others) == 3 * len(rows)
        for number, box in enumerate(texts):
            assert not any(box.shrunk(0.98, 0.6).overlaps(other) for other in others[:number] + others[number + 1 :])


def test_a_long_name_is_broken_before_it_is_cut() -> None:
    rows = [(LONG, -0.1, None, None), ("короткое", 0.1, None, None)]
    text = figures.svg(bars(rows, "x", lines=4), "x")
    assert "…" not in text
    assert all(f"{word}" in text for word in LONG.split())
    assert "…" in figures.svg(bars([("б" * 400, -0.1, None, None)], "x", lines=4), "x")
