"""The report of a sweep: its pictures and numbers on one page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.command import command
from morsdei_sim.api.run_study import open_sweep
from morsdei_sim.api.swept import Sweep
from morsdei_sim.api.written import Destination, Written
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.reporting.survey import Survey

__all__ = ["StudyReport", "study_report", "sweep_of"]


@dataclass(frozen=True, repr=False)
class StudyReport(Written):
    """A written report on a sweep.

    Attributes
    ----------
    sweep : the folder.
    figure : the one that is shown.
    """

    sweep: Sweep
    figure: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `report FOLDER` (docs/json.md)."""
        known = self.sweep.to_dict()
        del known["schema_version"], known["verb"]
        return self.written("report") | known | {"figure": self.figure}

    def to_frame(self) -> pd.DataFrame:
        """The cells of the figure: axes, estimate, low, high."""
        return self.sweep.show(self.figure).to_frame()


def sweep_of(word: str) -> Path | str | None:
    """The folder of the sweep that a word means: the folder itself, a URL, or the study file beside which it lies; None
    where it means cards.

    Raises
    ------
    UserError : a study that was never run.
    """
    from morsdei_sim.cards.squad import is_study
    from morsdei_sim.sweep.places import is_url
    from morsdei_sim.sweep.store import MANIFEST

    if is_url(word):
        return word
    path = Path(word)
    if (path / MANIFEST).is_file():
        return path
    if not is_study(path):
        return None
    folder = path.with_suffix(".sweep")
    if not (folder / MANIFEST).is_file():
        text = _("{file}: this study has no sweep beside it yet; run it first: {command}")
        raise UserError(text.format(file=path, command=command("sweep", "run", path)))
    return folder


def study_report(
    folder: Path | str, out: str | Path | None, lang: str | None, pdf: bool, figure: str | None
) -> StudyReport:
    """Write the report of a sweep; see `report`."""
    from morsdei_sim.reporting.study_page import study_page

    target = Destination(out, lambda: _name(folder), lang, pdf)
    sweep = open_sweep(folder)
    shown = sweep.show(figure).figure
    found = survey(sweep, shown, target.lang)
    return StudyReport(*target.write(study_page(found, target.lang)), sweep, shown)


def _name(folder: Path | str) -> str:
    from morsdei_sim.cards.text import slug

    path = folder.resolve() if isinstance(folder, Path) else Path(folder)
    return slug(path.name.removesuffix(".sweep"))[:80] or "study"


def survey(sweep: Sweep, figure: str, lang: str) -> Survey:
    """What the page of a sweep shows.

    Raises
    ------
    UserError : no part is done, there is no such figure, or it is a distribution.
    """
    from morsdei_sim.reporting.survey import Survey

    rows = sweep.scalars()
    if not {"attacker", "target", *sweep.store.manifest["axes"]} <= set(rows.columns):
        text = _("{file}: is damaged, or of another version; name another folder")
        raise UserError(text.format(file=sweep.folder))
    cells = rows[rows["figure"] == figure]
    if cells.empty:
        sweep.rows(figure)  # names the figures where there is no such
        known = ", ".join(name for name in rows["figure"].unique() if name != "error")
        text = _("{figure!r} is a distribution, a page shows a figure of one number; there are: {known}.")
        raise UserError(text.format(figure=figure, known=known))
    folder = sweep.folder
    commands = {
        "repeat": str(sweep.store.manifest["command"]),
        "go_on": sweep.command,
        "export": command("sweep", "export", folder, "cells.csv", "--figure", figure),
        "figure": command("report", folder, "--figure", "NAME"),
        "report": command("report", folder, "--figure", figure, "--lang", lang),
    }
    return Survey(sweep.store.manifest, rows, figure, sweep.parts_done, sweep.store.parts, commands)
