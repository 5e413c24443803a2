"""The report of a sweep: one HTML file in both languages, pictures first."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from morsdei_sim import study
from morsdei_sim.lang import _, ngettext
from morsdei_sim.reporting import numbers
from morsdei_sim.reporting.along import along, moved
from morsdei_sim.reporting.figures import short
from morsdei_sim.reporting.findings import Finding
from morsdei_sim.reporting.frame import Edition, bound, edition
from morsdei_sim.reporting.record import of_study
from morsdei_sim.reporting.survey import MOST_LETTERS, Survey, is_number
from morsdei_sim.reporting.tables import Cell, Heat, Label, Table, shade
from morsdei_sim.sweep.study_axes import BATTLE

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.study import Effect

__all__ = ["MOST_CELLS", "study_edition", "study_page"]

MOST_CELLS = 2000
"""Rows of the list of cells; the command under it gives all."""
MOST_KEPT = 20_000
"""Rows of the data that the page keeps of itself."""
MOST_AXES = 6
"""Axes that are drawn, the strongest."""
MOST_BARS = 12
MOST_HEAT = 24
MOST_FIGURES = 40
MOST_ERRORS = 50
MOST_TEXT = 20_000
"""Letters of the study's file that the page repeats."""


def study_page(survey: Survey, first: str) -> str:
    """The report as HTML that opens in the language `first`; the same bytes for the same sweep."""
    record = of_study(survey.manifest, survey.rows, survey.figure, MOST_KEPT)
    return bound(lambda: study_edition(survey), first, record.model_dump())


def study_edition(survey: Survey) -> Edition:
    """The report in the language of the messages."""
    effects = study.effects(survey.cells, survey.axes, survey.spread_out)
    drawn = effects[:MOST_AXES]
    title = _("Study: {name}").format(name=survey.title)
    found: dict[str, Any] = {
        "figure": survey.called,
        "badges": _badges(survey),
        "subtitle": _subtitle(survey),
        "notes": _notes(survey),
        "findings": _findings(survey, effects),
        "certainty": _certainty(survey),
        "moved": moved(survey, effects[:MOST_BARS]) if effects else None,
        "alongs": [along(survey, one.axis, effects, number) for number, one in enumerate(drawn)],
        "undrawn": [survey.axis(one.axis) for one in effects[MOST_AXES:]],
        "heat": _heat(survey, effects),
        "heat_lead": _heat_lead(survey, effects),
        "ramp": "d" if survey.meaning.is_signed(survey.figure) else "h",
        "tables": [table for table in (_cells(survey), _others(survey), _errors(survey)) if table.rows],
        "commands": survey.commands,
        "left_out": max(0, len(survey.cells) - MOST_CELLS),
        "provenance": _provenance(survey),
        "text": _text(survey),
    }
    contents = [
        ("answer", _("Answer"), True),
        ("axes", _("Along each axis"), found["alongs"]),
        ("heat", _("Two axes"), found["heat"]),
        ("numbers", _("Every number"), True),
        ("provenance", _("Provenance"), True),
    ]
    return edition(
        "study.html.j2", title, contents=[(ident, text) for ident, text, there in contents if there], **found
    )


# ── what is said ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _subtitle(survey: Survey) -> str:
    known = survey.manifest
    return _("{question} in {ruleset}, figure shown: {figure}").format(
        question=known["verb"], ruleset=known["ruleset"].upper(), figure=survey.called
    )


def _badges(survey: Survey) -> list[tuple[str, str]]:
    cells = survey.manifest["cells"]
    found = [
        (_certain_in_short(survey), "exact" if _sampled(survey) == 0 else ""),
        (ngettext("{n} cell", "{n} cells", cells).format(n=numbers.whole(cells)), ""),
    ]
    if not survey.complete:
        text = _("incomplete: {done} of {parts} parts")
        found.append((text.format(done=survey.parts_done, parts=survey.parts), "warning"))
    return found


def _sampled(survey: Survey) -> float:
    """The share of the cells that are sampled."""
    return float(survey.cells["low"].notna().mean()) if len(survey.cells) else 0.0


def _certain_in_short(survey: Survey) -> str:
    share = _sampled(survey)
    if share == 0:
        return _("every cell is exact") if survey.spread_out else _("every number is exact")
    return _("sampled, 95 % intervals") if share == 1 else _("partly sampled")


def _certainty(survey: Survey) -> str:
    share = _sampled(survey)
    if survey.spread_out:
        return _(
            "The points are spread out, so the cells of one value meet other values of the other axes. The interval of "
            "an average (95 %) is made from how far its cells lie apart, and that of a difference between two averages "
            "holds for all pairs of values at once. Where every value has one cell only there is none."
        )
    if share == 0:
        return _("All cells are exact: they have no interval, because there is no error.")
    sampled = _(
        "An interval is one of 95 %. That of an average is the mean of the intervals, and that of a difference between "
        "two averages holds for all pairs of values at once: both are rather too wide than too narrow."
    )
    return sampled if share == 1 else _("Cells without an interval are exact.") + " " + sampled


def _notes(survey: Survey) -> list[str]:
    found = []
    if not survey.complete:
        text = _("This sweep is incomplete: {done} of {parts} parts are done. Averages are of what is there. To go on:")
        found.append(text.format(done=survey.parts_done, parts=survey.parts) + " " + survey.commands["go_on"])
    if len(survey.errors):
        text = ngettext("{n} cell could not be answered.", "{n} cells could not be answered.", len(survey.errors))
        found.append(text.format(n=numbers.whole(len(survey.errors))))
    if survey.spread_out:
        found.append(_("The points are quasi-random, so the values of one axis meet other values of the other axes; "
                       "averages tell the axes apart only roughly."))  # fmt: skip
    return found


def _findings(survey: Survey, effects: Sequence[Effect]) -> list[Finding]:
    name, cells = survey.called, survey.cells
    if cells.empty:
        return [Finding(name, _("No cell has this figure."))]
    if not effects:
        row = cells.iloc[0]
        who = ", ".join(str(row[one]) for one in ("attacker", "target") if isinstance(row[one], str))
        return [Finding(name, survey.known(row["estimate"], row["low"], row["high"]), who)]
    found = []
    for title, place in ((_("Highest"), cells["estimate"].argmax()), (_("Lowest"), cells["estimate"].argmin())):
        row = cells.iloc[int(place)]
        value = survey.known(row["estimate"], row["low"], row["high"])
        found.append(Finding(f"{title}: {name}", value, survey.place(row)))
    first = effects[0]
    if first.lowest == first.highest:
        return [Finding(_("What moves it most"), _("No axis makes any difference.")), *found]
    text = _("{axis}: {lowest} → {highest} makes {difference} on average.").format(
        axis=survey.axis(first.axis), lowest=survey.value(first.lowest), highest=survey.value(first.highest),
        difference=_difference(survey, first),
    )  # fmt: skip
    unsure = not numbers.missing(first.low) and first.low <= 0
    more = _("Not surely more than nothing.") if unsure else ""
    return [Finding(_("What moves it most"), text, more), *found]


def _difference(survey: Survey, effect: Effect) -> str:
    """The size of an effect, with its interval when sampled."""
    text = survey.meaning.size(survey.figure, effect.difference, effect.low, effect.high)
    return _("{difference} percentage points").format(difference=text) if survey.share else text


# ── matrix and lists ──────────────────────────────────────────────────────────────────────────────────────────────────


def _heat(survey: Survey, effects: Sequence[Effect]) -> Heat | None:
    """The two strongest axes against each other."""
    if len(effects) < 2 or survey.spread_out:
        return None
    down, across = (one.axis for one in effects[:2])
    if survey.cells[down].nunique() < survey.cells[across].nunique():
        down, across = across, down
    cells = study.binned(study.binned(survey.cells, down), across)
    found = {(row[down], row[across]): row for row in study.means(cells, [down, across]).to_dict("records")}
    rows, columns = (_ordered(cells[axis])[:MOST_HEAT] for axis in (down, across))
    share, signed = survey.share, survey.meaning.is_signed(survey.figure)
    most = max((abs(row["estimate"]) for row in found.values()), default=0.0) or 1.0
    most = min(1.0, ceil(10 * most) / 10) if share else most

    def cell(row: Any, column: Any) -> Cell:
        known = found.get((row, column))
        if known is None:
            return Cell("", css="none")
        title = f"{survey.axis(down)} {survey.value(row)}, {survey.axis(across)} {survey.value(column)}"
        return shade((known["estimate"], known["low"], known["high"]), most, share, signed, title)

    return Heat(
        survey.called,
        survey.axis(down),
        tuple(Label(survey.value(column)) for column in columns),
        tuple((Label(survey.value(row)), tuple(cell(row, column) for column in columns)) for row in rows),
    )


def _ordered(values: pd.Series[Any]) -> list[Any]:
    found = list(values.unique())
    return sorted(found) if is_number(values) else found


def _heat_lead(survey: Survey, effects: Sequence[Effect]) -> str:
    if len(effects) < 2:
        return ""
    down, across, *rest = (survey.axis(one.axis) for one in effects)
    text = _("The two axes that move it most: {one} and {other}.").format(one=down, other=across)
    more = _("On average over {axes}.").format(axes=", ".join(rest)) if rest else ""
    return f"{text} {more}".strip()


def _cells(survey: Survey) -> Table:
    """Every cell of the figure."""
    axes = survey.axes
    shown = survey.cells.head(MOST_CELLS).to_dict("records")
    rows = tuple(
        (
            str(row["cell"]),
            *(survey.value(row[name]) for name in axes),
            survey.known(row["estimate"], row["low"], row["high"]),
        )
        for row in shown
    )
    number = [is_number(survey.cells[name]) for name in axes]
    head = (_("cell"), *map(survey.axis, axes), survey.called)
    return Table("t-cells", _("Cells"), head, (True, *number, True), rows)


def _others(survey: Survey) -> Table:
    """The other figures: lowest, highest, and what each axis makes of them."""
    frame = survey.rows[survey.rows["card"].isna() & (survey.rows["figure"] != "error")]
    names = [name for name in frame["figure"].unique() if name != survey.figure][:MOST_FIGURES]
    axes = [name for name in survey.axes if name in frame and name != "card"][:MOST_AXES]
    rows = []
    for name in names:
        cells = frame[(frame["figure"] == name) & frame["estimate"].notna()]
        if cells.empty:
            continue
        place = cells["estimate"]
        ends = (cells.iloc[int(place.argmin())], cells.iloc[int(place.argmax())])
        varied = [axis for axis in axes if cells[axis].nunique() > 1]
        found = {one.axis: one for one in study.effects(cells, varied, survey.spread_out)}
        said = (survey.meaning.size(name, *found[axis][3:]) if axis in found else "—" for axis in axes)
        ranged = (survey.meaning.known(name, *end[["estimate", "low", "high"]]) for end in ends)
        rows.append((name, survey.meaning.called(name), *ranged, *said))
    head = (_("name"), _("figure"), _("lowest"), _("highest"), *map(survey.axis, axes))
    title = _("Other figures, and the largest difference that each axis makes (chances: percentage points)")
    return Table("t-figures", title, head, (False, False, *(True,) * (len(axes) + 2)), tuple(rows))


def _errors(survey: Survey) -> Table:
    shown = survey.errors.head(MOST_ERRORS)
    names = [name for name in ("attacker", "target", *survey.manifest["axes"]) if shown[name].nunique() > 1]
    rows = tuple(
        (str(row["cell"]), *(survey.value(row[name]) for name in names), str(row["message"]))
        for row in shown.to_dict("records")
    )
    head = (_("cell"), *map(survey.axis, names), _("why"))
    return Table(
        "t-errors", _("Cells without an answer"), head, (True, *(False,) * (len(names) + 1)), rows,
        max(0, len(survey.errors) - MOST_ERRORS),
    )  # fmt: skip


def _provenance(survey: Survey) -> list[tuple[str, str, bool]]:
    """Where the numbers come from: name, fact, and whether the fact is code."""
    known, run = survey.manifest, survey.manifest["run"]
    precise = run.get("target_error") is not None  # then nobody asked for a number
    asked = {
        _("trials"): run.get("trials"),
        _("games"): None if precise else run.get("games"),
        _("engine"): run.get("engine"),
        _("wanted precision"): run.get("target_error"),
    }
    facts = [
        (_("study"), survey.title, False),
        (_("question"), known["verb"], False),
        (_("ruleset"), known["ruleset"], False),
        (_("version of the ruleset's numbers"), known["ruleset_version"], False),
        ("morsdei_sim", known["version"], False),
        (_("digest of the compiled sources"), known["kernels"], False),
        (_("digest of the study and its cards (SHA-256)"), known["digest"], False),
        (_("seed"), str(known["seed"]), False),
        *((name, short(str(value), MOST_LETTERS), False) for name, value in asked.items() if value is not None),
        (_("command that repeats it"), survey.commands["repeat"], True),
        (_("command that writes this page"), survey.commands["report"], True),
    ]
    if known["verb"] == BATTLE:
        facts.append((_("games"), _("in mirrored pairs: the same dice, seats swapped"), False))
    return facts


def _text(survey: Survey) -> str:
    text: str = survey.manifest["text"]
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "\n…"
