"""The pictures of the report, one function each. They return a Figure and leave pyplot's global state alone.

Those for the page are 3.6 inches wide: so they fit a phone without being shrunk, and their letters stay 12 pixels high.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from morsdei_sim.lang import _, language
from morsdei_sim.reporting import numbers
from morsdei_sim.reporting.colours import INK, MUTED, PAPER, RULE, SERIES, diverging, level, on, sequential

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = [
    "DASHES", "MARKERS", "activations", "curves", "heatmap", "line", "panel", "sample", "short", "style",
    "styles", "svg",
]  # fmt: skip

WIDTH = 3.6
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.5, 1.2)),
    (0, (6, 1.5, 1.5, 1.5)),
    "-",
    (0, (5, 1.5)),
    (0, (1.5, 1.2)),
    (0, (6, 1.5, 1.5, 1.5)),
)
FONTS = ["DejaVu Sans", "Verdana", "sans-serif"]  # Verdana's letters are as wide, so the layout holds without DejaVu

STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": FONTS,
    "font.size": 9,
    "text.color": INK,
    "text.parse_math": False,  # a card may be called "$5"
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "lines.linewidth": 1.5,
    "lines.markersize": 3.6,
    "svg.fonttype": "none",
}
VARIABLES = {INK: "--ink", MUTED: "--muted", RULE: "--rule", **{colour: f"--s{n}" for n, colour in enumerate(SERIES)}}

SAID_ONCE = {
    """font-size: 9px; font-family: 'DejaVu Sans', 'Verdana', sans-serif; """: "",
    ' style="fill: none; stroke: var(--rule); stroke-width: 0.6; stroke-linecap: square"': ' class="grid"',
    ' style="fill: var(--ink); stroke: var(--ink); stroke-width: 0.8"': ' class="tick"',
}
"""What style.css says of every figure at once; said by each it would be most of the page."""


@contextmanager
def style(salt: str = "") -> Iterator[None]:
    """The look of the house, for a while."""
    settings: Any = STYLE | ({"svg.hashsalt": salt} if salt else {})
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # A name may hold letters that the layout font lacks; the browser has them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        yield


def short(text: str, most: int = 30) -> str:
    """A name cut to fit a figure; the page shows the whole of it beside the figure."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _figure(height: float, width: float) -> Figure:
    return Figure(figsize=(width, height), layout="constrained")


def panel(height: float, left: float, legend: int = 0, width: float = WIDTH) -> tuple[Figure, Axes]:
    """A figure with one plot; margins in inches, since working them out takes longer than drawing."""
    below = 0.46 + 0.2 * legend
    whole = height + below + 0.1
    fig = Figure(figsize=(width, whole))
    ax = fig.add_axes((left / width, below / whole, (width - left - 0.14) / width, height / whole))
    return fig, ax


def _share_axis(ax: Axes) -> None:
    ax.set_ylim(0, 1.02)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], [numbers.percent(share, 0) for share in (0, 0.25, 0.5, 0.75, 1)])


def line(
    ax: Axes, place: int, x: Any, y: Any, low: Any = None, high: Any = None, *, steps: bool = False, **options: Any
) -> None:
    """One of at most eight lines, told apart by colour, marker and dash, with the band of its interval."""
    n = place % len(SERIES)
    shape: dict[str, Any] = {"drawstyle": "steps-pre"} if steps else {}
    ax.plot(x, y, color=SERIES[n], marker=MARKERS[n], linestyle=DASHES[n], clip_on=False, **shape, **options)
    if low is not None:
        ax.fill_between(x, low, high, color=SERIES[n], alpha=0.18, linewidth=0, step="pre" if steps else None)


def curves(lines: Sequence[tuple[str, Any, Any, Any, Any]], label: str, *, legend: bool = False) -> Figure:
    """Chance of at least N, a line per target.

    Parameters
    ----------
    lines : (name of the target, N, chance of at least N, low, high); low and high are None when exact.
    label : what N counts.
    legend : name the lines in the figure; the page does it once for all figures.
    """
    with style():
        fig, ax = panel(1.95, 0.68, len(lines) * legend)
        for place, (name, x, y, low, high) in enumerate(lines):
            line(ax, place, x, y, low, high, steps=True, label=short(name, 44))
        _share_axis(ax)
        ax.set_xlim(left=0)
        ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        ax.set_xlabel(label)
        ax.set_ylabel(_("chance"))
        _legend(fig, ax, legend)
    return fig


def _legend(fig: Figure, ax: Axes, wanted: bool) -> None:
    if wanted:
        handles, names = ax.get_legend_handles_labels()
        fig.legend(handles, names, loc="lower left", handlelength=3, borderaxespad=0.2, labelspacing=0.3)


def activations(lines: Sequence[tuple[str, Any, Any, Any, Any]], label: str, *, legend: bool = False) -> Figure:
    """Chance that the target is gone after so many activations, a line per target, with the 50 and 90 per cent marks.

    Parameters
    ----------
    lines : (name of the target, activations, chance to be gone by then, low, high).
    label : what is counted, activations or turns.
    """
    with style():
        fig, ax = panel(1.95, 0.68, len(lines) * legend)
        for place, (name, x, y, low, high) in enumerate(lines):
            line(ax, place, x, y, low, high, label=short(name, 44))
        for mark in (0.5, 0.9):
            ax.axhline(mark, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)))
        ax.set_ylim(0, 1.02)
        marks = (0, 0.25, 0.5, 0.75, 0.9, 1)
        ax.set_yticks(marks, [numbers.percent(share, 0) for share in marks])
        ax.set_xticks(sorted({number for _name, x, *_rest in lines for number in x}))
        ax.set_xlabel(label)
        ax.set_ylabel(_("removed by then"))
        _legend(fig, ax, legend)
    return fig


def sample(place: int, section: str) -> str:
    """A short piece of a line as it looks in the figures, for a legend; SVG that nobody reads aloud."""
    with style():
        fig = Figure(figsize=(0.42, 0.17))
        ax = fig.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        ax.set(xlim=(0, 1), ylim=(0, 1))
        line(ax, place, [0.05, 0.5, 0.95], [0.5, 0.5, 0.5], markevery=[1])
    return svg(fig, f"{section}-key-{place}").replace("<svg ", '<svg aria-hidden="true" ', 1)


def heatmap(
    frame: pd.DataFrame, *, percent: bool = True, two_sided: bool = False, digits: int = 1, label: str = ""
) -> Figure:
    """A table of chances or differences as coloured cells, each with its number.

    Parameters
    ----------
    frame : rows and columns as they are to be named; missing cells stay empty.
    percent : the cells are chances.
    two_sided : zero is in the middle: orange below, blue above.
    digits : after the decimal mark, where the cells are no chances.
    """
    values = frame.to_numpy(dtype=float)
    most = float(np.nanmax(np.abs(values))) if values.size and not np.isnan(values).all() else 1.0
    ramp = diverging() if two_sided else sequential()
    with style():
        fig = _figure(1.3 + 0.34 * len(frame), 2.6 + 0.5 * len(frame.columns))
        ax = fig.subplots()
        ax.grid(False)
        for row, column in np.ndindex(values.shape):
            value = float(values[row, column])
            if np.isnan(value):
                continue
            share = (value / (most or 1.0) + 1) / 2 if two_sided else (value if percent else value / (most or 1.0))
            colour = ramp[level(share)]
            ax.add_patch(
                matplotlib.patches.Rectangle(
                    (column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor=PAPER, linewidth=1
                )
            )
            text = (
                numbers.percent(value, 0).removesuffix(f"{numbers.NBSP}%") if percent else numbers.plain(value, digits)
            )
            ax.text(column, row, text, ha="center", va="center", color=on(colour))
        ax.set_xlim(-0.5, len(frame.columns) - 0.5)
        ax.set_ylim(len(frame) - 0.5, -0.5)
        ax.set_xticks(
            range(len(frame.columns)),
            [short(str(name)) for name in frame.columns],
            rotation=35,
            ha="right",
            rotation_mode="anchor",
        )
        ax.set_yticks(range(len(frame)), [short(str(name), 40) for name in frame.index])
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        if label:
            ax.set_title(label, loc="left")
    return fig


def styles(frame: pd.DataFrame, label: str = "") -> Figure:
    """What each habit gives up against best play: rows are fighters, columns habits; the darker, the dearer."""
    return heatmap(frame, percent=False, digits=2, label=label)


def svg(figure: Figure, salt: str, *, page: bool = True) -> str:
    """A figure as SVG text, the same bytes for the same figure.

    Parameters
    ----------
    salt : must differ between the figures of one page in one language, since the ids inside are made from it.
    page : for use inside the page: colours become its CSS variables, and the XML header goes.
    """
    written = io.StringIO()
    with style(f"{language()}-{salt}" if page else salt):
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = written.getvalue()
    return _for_page(text) if page else text


def _for_page(text: str) -> str:
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.DOTALL)
    used = set(re.findall(r"#([\w-]+)", text))
    # matplotlib names every group of every figure alike; ids that nothing points to would only clash.
    text = re.sub(r' id="([\w.-]+)"', lambda found: found[0] if found[1] in used else "", text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    for said, instead in SAID_ONCE.items():
        text = text.replace(said, instead)
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    text = re.sub(r"(-?\d+\.\d\d)\d+", r"\1", text)
    return re.sub(r"\s*\n\s*", "\n", _ungrouped(text)).strip()


def _ungrouped(text: str) -> str:
    """Without groups that say nothing; matplotlib puts everything into several of them."""
    kept: list[bool] = []

    def shown(found: re.Match[str]) -> str:
        if found[0] != "</g>":
            kept.append(found[0] != "<g>")
            return found[0] if kept[-1] else ""
        return found[0] if kept.pop() else ""

    return re.sub(r"</?g\b(?:[^>]*[^/])?>", shown, text)
