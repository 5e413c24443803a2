"""The pictures of a sweep: a figure along one axis, each value with its interval, other axes as lines and panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from morsdei_sim import study
from morsdei_sim.lang import _
from morsdei_sim.reporting import figures, numbers
from morsdei_sim.reporting.bars import bars
from morsdei_sim.reporting.colours import SERIES
from morsdei_sim.reporting.sections import KeyLine, Picture, drawn
from morsdei_sim.reporting.survey import is_number

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axis import Axis

    from morsdei_sim.reporting.survey import Survey
    from morsdei_sim.study import Effect

__all__ = ["Along", "along", "between", "moved"]

MOST_NAMES = 24
"""Values of an axis of words that are drawn."""
MOST_PANELS = 6


class Along(NamedTuple):
    """The pictures of one axis: its name, what the lines and panels are, what is averaged, the legend."""

    axis: str
    said: str
    key: tuple[KeyLine, ...]
    pictures: tuple[Picture, ...]


class Line(NamedTuple):
    """One line of a picture; low and high are missing when exact."""

    name: str
    x: list[Any]
    y: list[float]
    low: list[float]
    high: list[float]


def moved(survey: Survey, effects: Sequence[Effect]) -> Picture:
    """What moves the figure most: a bar for each axis."""
    rows = [
        (
            between(survey, one),
            one.difference,
            None if numbers.missing(one.low) else one.low,
            None if numbers.missing(one.high) else one.high,
        )
        for one in effects
    ]
    share = survey.share
    label = _("percentage points") if share else survey.called
    said = "; ".join(f"{text}: {numbers.plain(value * (100 if share else 1), 2)}" for text, value, _low, _high in rows)
    figure = bars(rows, label, percent=share)
    return Picture(survey.called, "", drawn(figure, "effects", said))


def between(survey: Survey, effect: Effect) -> str:
    """`attackers.hit: 5 → 3`; the axis alone where all its values are alike."""
    axis = survey.axis(effect.axis)
    if effect.lowest == effect.highest:
        return axis
    return f"{axis}: {survey.value(effect.lowest)} → {survey.value(effect.highest)}"


def along(survey: Survey, axis: str, effects: Sequence[Effect], number: int) -> Along:
    """The figure along one axis: the strongest other axis as lines, the next as panels, an average over the rest."""
    cells = study.binned(survey.cells, axis)
    others = [] if survey.spread_out else [one.axis for one in effects if one.axis != axis]
    lines = next((name for name in others if cells[name].nunique() <= len(SERIES)), "")
    panels = next((name for name in others if name != lines and cells[name].nunique() <= MOST_PANELS), "")
    rest = [survey.axis(one.axis) for one in effects if one.axis not in (axis, lines, panels)]
    parts = list(cells.groupby(panels, sort=False)) if panels else [("", cells)]
    drawings = [(value, _lines(survey, axis, lines, part)) for value, part in parts]
    limits = _limits(survey, [line for _value, made in drawings for line in made])
    pictures = tuple(
        _picture(survey, axis, made, f"{survey.axis(panels)} {survey.value(value)}" if panels else "",
                 limits, f"along-{number}-{place}")
        for place, (value, made) in enumerate(drawings)
    )  # fmt: skip
    return Along(survey.axis(axis), _said(survey, lines, panels, rest), _key(survey, cells, lines, number), pictures)


def _said(survey: Survey, lines: str, panels: str, rest: list[str]) -> str:
    texts = [_("Lines: {axis}.").format(axis=survey.axis(lines))] if lines else []
    texts += [_("One picture for each value of {axis}.").format(axis=survey.axis(panels))] if panels else []
    texts += [_("On average over {axes}.").format(axes=", ".join(rest))] if rest else []
    return " ".join(texts)


def _key(survey: Survey, cells: pd.DataFrame, lines: str, number: int) -> tuple[KeyLine, ...]:
    if not lines:
        return ()
    own = "" if lines in ("attacker", "target", "card") else f"{survey.axis(lines)} "
    names = [f"{own}{survey.value(value)}" for value in cells[lines].unique()]
    return tuple(
        KeyLine(name, "", Markup(figures.sample(place, f"along-{number}"))) for place, name in enumerate(names)
    )


def _lines(survey: Survey, axis: str, lines: str, part: pd.DataFrame) -> list[Line]:
    """The lines of one picture."""
    found = study.means(part, [axis, lines] if lines else [axis], survey.spread_out)
    groups = found.groupby(lines, sort=False) if lines else [("", found)]
    ordered = is_number(found[axis])
    return [_line(survey, rows.sort_values(axis) if ordered else rows, axis, name) for name, rows in groups]


def _limits(survey: Survey, lines: list[Line]) -> tuple[float, float]:
    """The scale that all pictures of an axis share, from the lowest bound to the highest."""
    known = [value for line in lines for part in line[2:] for value in part if not numbers.missing(value)]
    edge = 0.06 * (max(known) - min(known)) or 0.05 * abs(known[0]) or 1.0
    low, high = min(known) - edge, max(known) + edge
    return (max(-0.02, low), min(1.02, high)) if survey.share and min(known) >= 0 else (low, high)


def _picture(
    survey: Survey, axis: str, lines: list[Line], small: str, limits: tuple[float, float], salt: str
) -> Picture:
    said = "; ".join(_spoken(survey, line) for line in lines)
    draw = _curves if is_number(survey.cells[axis]) else _dots
    figure = draw(survey, lines, survey.axis(axis), limits)
    return Picture(survey.called, small, drawn(figure, salt, f"{survey.called}, {survey.axis(axis)}. {small} {said}"))


def _line(survey: Survey, rows: pd.DataFrame, axis: str, name: Any) -> Line:
    return Line(survey.value(name), *(rows[column].tolist() for column in (axis, "estimate", "low", "high")))


def _spoken(survey: Survey, line: Line) -> str:
    shown = zip(line.x, line.y, line.low, line.high, strict=True)
    values = ", ".join(f"{survey.value(x)}: {survey.known(*known)}" for x, *known in list(shown)[:MOST_NAMES])
    return f"{line.name} {values}".strip()


def _spread(line: Line) -> Any:
    """Lengths of the error bars; None when nothing is sampled."""
    if all(map(numbers.missing, line.low)):
        return None
    sides = zip(line.y, line.low, line.high, strict=True)
    known = [(0.0, 0.0) if numbers.missing(low) else (y - low, high - y) for y, low, high in sides]
    return list(zip(*known, strict=True))


def _curves(survey: Survey, lines: Sequence[Line], label: str, limits: tuple[float, float]) -> Figure:
    """Numbers along the bottom, the figure upwards."""
    with figures.style():
        fig, ax = figures.panel(1.95, 0.68)
        for place, line in enumerate(lines):
            figures.line(ax, place, line.x, line.y)
            if spread := _spread(line):
                ax.errorbar(line.x, line.y, yerr=spread, fmt="none", ecolor=SERIES[place % len(SERIES)], elinewidth=1)
        values = sorted({x for line in lines for x in line.x})
        if len(values) <= 8:
            ax.set_xticks(values, [survey.value(value) for value in values])
        ax.set_xlabel(figures.short(label, 46))
        ax.set_ylim(*limits)
        _scaled(survey, ax.yaxis)
    return fig


def _dots(survey: Survey, lines: Sequence[Line], label: str, limits: tuple[float, float]) -> Figure:
    """Names down the side, the figure to the right; lines lie beside each other."""
    names = list(dict.fromkeys(x for line in lines for x in line.x))[:MOST_NAMES]
    step = 0.7 / max(1, len(lines))
    with figures.style():
        fig, ax = figures.panel(max(0.5, len(names) * max(0.34, 0.12 * len(lines))), 1.5)
        for place, line in enumerate(lines):
            there = [n for n, x in enumerate(line.x) if x in names]
            shift = (place - (len(lines) - 1) / 2) * step
            y = [names.index(line.x[n]) + shift for n in there]
            colour, marker = SERIES[place % len(SERIES)], figures.MARKERS[place % len(SERIES)]
            spread = _spread(line)
            bars = None if spread is None else [[side[n] for n in there] for side in spread]
            ax.errorbar([line.y[n] for n in there], y, xerr=bars, color=colour, fmt=marker, elinewidth=1)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.set_yticks(range(len(names)), [figures.short(survey.value(name), 17) for name in names])
        ax.set_ylabel(figures.short(label, 24))
        ax.set_xlim(*limits)
        _scaled(survey, ax.xaxis)
    return fig


def _scaled(survey: Survey, axis: Axis) -> None:
    """The scale of the figure: per cent, or numbers with the language's decimal mark."""

    def said(value: float, _place: int) -> str:
        return numbers.percent(value, 0) if survey.share else numbers.stat(round(value, 6))

    axis.set_major_locator(MaxNLocator(5))
    axis.set_major_formatter(FuncFormatter(said))
