"""Differences as bars: which way they point must not matter, and no text may be cut off by an edge."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from matplotlib.ticker import FuncFormatter, MaxNLocator

from morsdei_sim.reporting import numbers
from morsdei_sim.reporting.colours import INK, MUTED, SERIES
from morsdei_sim.reporting.figures import WIDTH, panel, short, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["bars"]

LINE = 0.15
"""Inches of a line of text above a bar."""


def bars(
    rows: Sequence[tuple[str, float, float | None, float | None]],
    label: str,
    *,
    percent: bool = False,
    width: float = WIDTH,
    lines: int = 1,
    signed: bool = True,
    top: float | None = None,
) -> Figure:
    """Differences as bars from zero; the text stands above its bar, so that long names fit a narrow page.

    Parameters
    ----------
    rows : (text, difference, low, high); low and high are None when exact.
    label : what the difference is measured in.
    percent : the differences are chances, shown in percentage points.
    width : of the figure, in inches.
    lines : so many lines a text may take; what does not fit is cut.
    signed : write the sign of what is above zero.
    top : the value at the right end, where several figures share a scale.
    """
    scale, digits = (100, 1) if percent else (1, 2)
    show = numbers.signed if signed else numbers.plain
    ends = [  # the difference, and its bounds if it has them
        [end * scale for end in (difference, low, high) if end is not None] for _text, difference, low, high in rows
    ]
    with style():
        texts = [_broken(row[0], 72 * width - 20, lines) for row in rows]
        step = 0.25 + LINE * max((len(text) for text in texts), default=1)
        above = step - 0.04
        fig, ax = panel(step * (max(1, len(rows)) - 1) + above + 0.16, 0.07, width=width)
        for row, (text, values) in enumerate(zip(texts, ends, strict=True)):
            _bar(ax, row * step, text, values, show(values[0], digits))
        ax.set_ylim(step * (max(1, len(rows)) - 1) + 0.16, -above)
        ax.set_yticks([])
        _room_for_values(ax, ends, lambda value: show(value, digits), top and top * scale)
        ax.set_xlabel(textwrap.fill(label, int(46 * width / WIDTH)))
        _decimals(ax)
    return fig


def _bar(ax: Axes, place: float, text: list[str], values: list[float], said: str) -> None:
    """One bar, its interval if there is one, its value at its end and its text above."""
    value, up = values[0], values[0] >= 0
    ax.barh(place, value, height=0.144, color=SERIES[0] if up else SERIES[1])
    if len(values) > 1:
        ax.plot(values[1:], [place, place], color=INK, linewidth=1.2, marker="|", markersize=6)
    ax.plot([0, 0], [place - 0.08, place + 0.08], color=MUTED, linewidth=0.8)  # not through the texts
    end, beside, side = (max(0, *values), 4, "left") if up else (min(values), -4, "right")
    ax.annotate(said, (end, place), (beside, 0), textcoords="offset points", ha=side, va="center")
    ax.annotate(
        "\n".join(text), (0, place - 0.088), (2, 1), xycoords=("axes fraction", "data"), textcoords="offset points",
        va="bottom", linespacing=1.15,
    )  # fmt: skip


def _broken(text: str, most: float, lines: int) -> list[str]:
    """A text in so many lines of at most so many points, cut where they do not do."""
    words, found = short(text, int(most / 4) * lines).split(), [""]
    while words:
        longer = f"{found[-1]} {words[0]}".lstrip()
        if _points(longer) <= most:
            found[-1] = longer
            words.pop(0)
        elif found[-1] and len(found) < lines:
            found.append("")
        else:
            break
    if not words:
        return found
    last = " ".join([found[-1], *words]).lstrip()
    while _points(f"{last}…") > most:
        last = last[:-1]
    return [*found[:-1], f"{last.rstrip()}…"]


def _points(text: str) -> float:
    """How wide a text is in the font of the figures."""
    return float(text_to_path.get_text_width_height_descent(text, FontProperties(), ismath=False)[0])


def _room_for_values(
    ax: Axes, ends: Sequence[Sequence[float]], show: Callable[[float], str], top: float | None
) -> None:
    """Limits that leave room for the value at the end of each bar, on the left for what is below zero."""
    low = min((min(values) for values in ends), default=0.0)
    high = top or max((max(values) for values in ends), default=1.0)
    low, high = min(0.0, low), max(0.0, high)
    below = [_points(show(values[0])) for values in ends if values[0] < 0]
    above = [_points(show(top or values[0])) for values in ends if values[0] >= 0]
    left, right = (max(wide) + 8 if wide else 4 * (low < 0) for wide in (below, above))
    per_point = (high - low or 1.0) / (ax.bbox.width / ax.figure.dpi * 72 - left - right)
    ax.set_xlim(low - left * per_point, high + right * per_point)
    ax.spines["left"].set_color(MUTED)
    if low < 0:
        ax.spines["left"].set_visible(False)


def _decimals(ax: Axes) -> None:
    """The language's decimal mark on the axis of numbers."""
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.xaxis.set_major_formatter(
        FuncFormatter(lambda value, _place: numbers.plain(value, 2).rstrip("0").rstrip(".,") if value else "0")
    )
