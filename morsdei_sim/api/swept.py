"""What lies in the folder of a study, and how it is shown: tables of cells, one figure by axes."""

from __future__ import annotations

import html
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.answer import SCHEMA_VERSION, figure
from morsdei_sim.api.command import command
from morsdei_sim.api.games import aligned, grouped
from morsdei_sim.errors import UserError
from morsdei_sim.lang import N_, _, decimal, language, named, ngettext

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from morsdei_sim.sweep.run import Estimate
    from morsdei_sim.sweep.store import Store

__all__ = ["Shown", "Sweep"]

MOST_SHOWN = 200
"""Rows of a table that is printed."""

HEADS = {
    "attacker": N_("attacker"), "target": N_("target"), "card": N_("card"), "value": N_("value"),
    "message": N_("message"),
}  # fmt: skip
"""Columns of that table which are no axes."""

MOST_ROWS = 1_048_575
"""Rows of a spreadsheet under its header."""


@dataclass(frozen=True)
class Sweep:
    """A study's folder, or what a study would take.

    Attributes
    ----------
    store : the folder; of a plan it may not exist.
    parts_done, errors : parts that are there, and cells in them that could not be answered.
    first_error : why the first of these could not.
    estimate : of a dry run: rows of a cell, seconds and bytes of what is left to do.
    command : the command line that does what is left.
    """

    store: Store
    parts_done: int
    errors: int
    first_error: str
    estimate: Estimate | None
    command: str

    @property
    def folder(self) -> Path | str:
        """The path where the parts lie, or the URL."""
        return self.store.folder

    @property
    def cells(self) -> int:
        """How many cells the study has."""
        return int(self.store.manifest["cells"])

    @property
    def status(self) -> str:
        """ "complete", "incomplete", or "planned" for a dry run."""
        if self.estimate is not None:
            return "planned"
        return "complete" if self.parts_done == self.store.parts else "incomplete"

    @property
    def notes(self) -> list[str]:
        """What must be said about the figures."""
        if not self.errors:
            return []
        text = ngettext("{n} cell could not be answered. The first: {reason}",
                        "{n} cells could not be answered. The first: {reason}", self.errors)  # fmt: skip
        return [text.format(n=grouped(self.errors), reason=self.first_error)]

    def to_frame(self) -> pd.DataFrame:
        """The whole folder: cell, attacker, target, an axis each, card, figure, value, estimate, low, high, message."""
        return self.rows()

    def rows(self, wanted: str | None = None) -> pd.DataFrame:
        """Rows of one figure, or all; UserError naming the figures there are."""
        import pyarrow as pa
        import pyarrow.compute as pc

        tables, known = [], dict[str, None]()
        for part in self.store.tables(self.store.present()):
            if wanted is not None:
                known |= dict.fromkeys(part["figure"].unique().to_pylist())
                part = part.filter(pc.equal(part["figure"], wanted))
            tables.append(part)
        if not tables:
            raise UserError(_("{folder}: no part is done yet").format(folder=self.folder))
        if wanted is not None and wanted not in known:
            text = _("{verb} has no figure {figure!r}; there are: {known}.")
            names = ", ".join(known)
            raise UserError(text.format(verb=self.store.manifest["verb"], figure=wanted, known=names))
        frame: pd.DataFrame = pa.concat_tables(tables).to_pandas()
        return frame.assign(value=frame["value"].astype("Int64"))

    def scalars(self) -> pd.DataFrame:
        """All rows but those of distributions."""
        import pyarrow as pa
        import pyarrow.compute as pc

        tables = [part.filter(pc.is_null(part["value"])) for part in self.store.tables(self.store.present())]
        if not tables:
            raise UserError(_("{folder}: no part is done yet").format(folder=self.folder))
        frame: pd.DataFrame = pa.concat_tables(tables).to_pandas()
        return frame

    def show(self, wanted: str | None = None) -> Shown:
        """A table of one figure by axes; the figure that matters most unless one is named."""
        return Shown(self, wanted or self._headline())

    def plot(self, ax: Axes | None = None, wanted: str | None = None) -> Axes:
        """Draw what moves a figure most, as its report does: a bar for each axis, from the lowest mean of its values to
        the highest, with its 95 % interval; returns the Axes."""
        from matplotlib import pyplot as plt

        from morsdei_sim import study
        from morsdei_sim.api.report_study import survey
        from morsdei_sim.reporting.along import between

        found = survey(self, wanted or self._headline(), language())
        effects = study.effects(found.cells, found.axes, found.spread_out)
        if not effects:
            raise UserError(_("nothing varies: there are no axes"))
        if ax is None:
            _fig, ax = plt.subplots(figsize=(6.4, 1.2 + 0.4 * len(effects)), layout="constrained")
        scale = 100 if found.share else 1
        rows = [[scale * value for value in (one.difference, one.low, one.high)] for one in effects]
        spread = [[value - low for value, low, _high in rows], [high - value for value, _low, high in rows]]
        texts = [between(found, one).replace("$", r"\$") for one in effects]  # a name is no formula
        ax.barh(range(len(rows)), [value for value, _low, _high in rows], xerr=spread)
        ax.set_yticks(range(len(rows)), texts)
        ax.invert_yaxis()
        ax.set_title(f"{found.title}: {found.called}".replace("$", r"\$"))
        ax.set_xlabel(_("percentage points") if found.share else found.called)
        return ax

    def _headline(self) -> str:
        from morsdei_sim.rulesets import room

        verb = self.store.manifest["verb"]
        if verb == "battle":
            return "score"
        usual = room(self.store.manifest["ruleset"]).part("variants", "GUIDE").headline.get(verb)
        if usual:
            return str(usual)
        figures = [part["figure"][0].as_py() for part in self.store.tables(self.store.present()[:1])]
        return str(figures[0]) if figures else "error"

    def save(self, path: str | Path, wanted: str | None = None, force: bool = False) -> None:
        """Write the rows, or those of one figure, to a `.csv` or `.xlsx` file, as a whole or not at all.

        Raises
        ------
        UserError : the file exists, cannot be written, has another ending, or the rows are too many for a spreadsheet.
        """
        from morsdei_sim.api.sheet import save_frame

        frame = self.rows(wanted)
        if Path(path).suffix.lower() == ".xlsx" and len(frame) > MOST_ROWS:
            text = _("{rows} rows are too many for a spreadsheet ({most}): name a figure, or write a .csv")
            raise UserError(text.format(rows=len(frame), most=MOST_ROWS))
        source = {key: value for key, value in self.to_dict().items() if key != "schema_version"}
        plain = frame.astype({"value": object}).where(frame.notna(), None)
        save_frame(Path(path), plain, _("Sweep"), source, force=force)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `sweep run` and `sweep status` (docs/sweeps.md)."""
        known = self.store.manifest
        found: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION, "verb": "sweep", "of": known["verb"], "ruleset": known["ruleset"],
            "ruleset_version": known["ruleset_version"], "seed": known["seed"], "name": known["name"],
            "folder": str(self.folder), "digest": known["digest"], "axes": known["axes"], "status": self.status,
            "cells": self.cells, "parts": self.store.parts, "parts_done": self.parts_done,
            "errors": self.errors, "command": self.command,
        }  # fmt: skip
        if self.estimate is not None:
            found["estimate"] = {
                "rows_per_cell": self.estimate.rows, "seconds": round(self.estimate.seconds, 3),
                "bytes": self.estimate.bytes,
            }  # fmt: skip
        return found

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        known = self.store.manifest
        head = f"{named(known['name'], known['name_ru'])} ({known['verb']}, {known['ruleset']})"
        cells = _("{cells} cells, {done} of {parts} parts done").format(
            cells=grouped(self.cells), done=grouped(self.parts_done), parts=grouped(self.store.parts)
        )
        lines = [f"{head}: {cells}", *self._estimated(), *self.notes, str(self.folder)]
        if self.status == "incomplete":
            lines.append(_("To go on: {command}").format(command=self.command))
        return "\n".join(lines)

    def _estimated(self) -> list[str]:
        from morsdei_sim.sweep.run import said

        if self.estimate is None:
            return []
        text = _("Still to do: roughly {time} and {size}; {rows} rows a cell.")
        size = _weight(self.estimate.bytes)
        return [text.format(time=decimal(said(self.estimate.seconds)), size=size, rows=self.estimate.rows)]

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


def _weight(size: int) -> str:
    """Bytes as people say them."""
    for unit, words in ((10**9, _("{n} GB")), (10**6, _("{n} MB"))):
        if size >= unit:
            return words.format(n=decimal(f"{size / unit:.1f}"))
    return _("{n} kB").format(n=-(-size // 1000))


@dataclass(frozen=True)
class Shown:
    """One figure of a sweep by axes."""

    sweep: Sweep
    figure: str

    def to_frame(self) -> pd.DataFrame:
        """One row a cell, and a card or value where the figure has them: those columns that differ, then estimate, low,
        high (of "error": message)."""
        frame = self.sweep.rows(self.figure)
        axes = [name for name in self.sweep.store.manifest["axes"] if frame[name].nunique() > 1]
        more = [name for name in ("card", "value") if frame[name].notna().any()]
        whom = [name for name in ("attacker", "target") if frame[name].notna().any()]
        last = ["message"] if self.figure == "error" else ["estimate", "low", "high"]
        return frame[["cell", *whom, *axes, *more, *last]]

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `sweep show` (docs/sweeps.md)."""
        rows = _plain(self.to_frame())
        for row in rows:
            row |= {key: None for key, value in row.items() if isinstance(value, float) and not isfinite(value)}
        return {**self.sweep.to_dict(), "figure": self.figure, "rows": rows}

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        frame = self.to_frame()
        heads = [name for name in frame.columns if name not in ("cell", "low", "high")]
        rows = [[self.figure if name == "estimate" else _(HEADS.get(name, name)) for name in heads]]
        for row in _plain(frame.head(MOST_SHOWN)):
            rows.append([_cell(name, row) for name in heads])
        lines = aligned(rows)
        if len(frame) > MOST_SHOWN:
            text = _("… and {n} rows more: {command}")
            line = command("sweep", "export", self.sweep.folder, "rows.csv", "--figure", self.figure)
            lines.append(text.format(n=grouped(len(frame) - MOST_SHOWN), command=line))
        return "\n".join([*lines, "", *self.sweep.notes, *([repr(self.sweep)] if self._partial else [])]).rstrip()

    @property
    def _partial(self) -> bool:
        return self.sweep.status != "complete"


def _cell(name: str, row: Any) -> str:
    """A cell of a printed table."""
    if name == "estimate":
        return figure(row["estimate"], None if row["low"] is None else (row["low"], row["high"]), False)
    value = row[name]
    return "" if value is None else decimal(f"{value:g}") if isinstance(value, float) else str(value)


def _plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as Python has them; what is missing is None."""
    return [
        {str(key): value for key, value in row.items()}
        for row in frame.astype(object).where(frame.notna(), None).to_dict("records")
    ]
