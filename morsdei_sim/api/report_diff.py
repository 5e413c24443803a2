"""Two reports or sweeps compared: which cards changed, and what that moved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.arguments import checked
from morsdei_sim.api.command import command
from morsdei_sim.api.games import aligned
from morsdei_sim.api.report_study import sweep_of
from morsdei_sim.api.run_study import open_sweep
from morsdei_sim.api.written import Destination, Written
from morsdei_sim.lang import _

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.reporting.comparison import Comparison
    from morsdei_sim.reporting.record import Record
    from morsdei_sim.study import Move

__all__ = ["ReportDiff", "report_diff"]

MOST_MOVES = 10_000
"""Figures that a JSON document lists."""
MOST_SHOWN = 15


@dataclass(frozen=True, repr=False)
class ReportDiff(Written):
    """A comparison, written as a page.

    Attributes
    ----------
    old, new : the files or folders.
    comparison : `added`, `removed`, `changed` (cards), `moves` (figures), `counts`.
    """

    old: Path
    new: Path
    comparison: Comparison

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `report diff` (docs/json.md)."""
        from morsdei_sim.reporting.told import Told

        found = self.comparison
        listed = found.with_verdict("moved", "open")[:MOST_MOVES]
        counts: dict[str, int] = {**found.counts, "only_old": found.only_old, "only_new": found.only_new}
        return self.written("report diff") | {
            "old": {"file": str(self.old), **_facts(found.old)},
            "new": {"file": str(self.new), **_facts(found.new)},
            "cards": {
                "added": [card.card for card in found.added],
                "removed": [card.card for card in found.removed],
                "renamed": found.renamed,
                "changed": [change._asdict() for change in found.changed],
            },
            "text": found.text,
            "notes": Told(found).warnings(),
            "figures": counts,
            "moves": [self._row(move) for move in listed],
        }

    def _row(self, move: Move[Any]) -> dict[str, Any]:
        question = move.question
        about = dict(zip(self.comparison.keys[question.table], question.about, strict=True))
        return {"table": question.table, "about": about, "figure": question.figure, "old": move.old, "new": move.new,
                "difference": move.difference, "interval": None if move.low is None else [move.low, move.high],
                "verdict": move.verdict}  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """One row a figure: table, a column for each key, figure, old, new, difference, low, high, verdict."""
        import pandas as pd

        rows = [
            {"table": move.question.table,
             **dict(zip(self.comparison.keys[move.question.table], move.question.about, strict=True)),
             "figure": move.question.figure, **{name: getattr(move, name) for name in move._fields[1:]}}
            for move in self.comparison.moves
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        from morsdei_sim.reporting.told import Told

        told = Told(self.comparison)
        changed = self.comparison.changed
        lines = [*told.warnings(), f"{told.counted()}."]
        for title, cards in ((_("Only in the new one"), self.comparison.added),
                             (_("Only in the old one"), self.comparison.removed)):  # fmt: skip
            lines += [f"{title}: {told.cards(cards)}."] if cards else []
        lines += [f"{told.field(one)} {told.value(one.old)} → {told.value(one.new)}" for one in changed[:MOST_SHOWN]]
        lines += [_("… and {n} more").format(n=len(changed) - MOST_SHOWN)] if len(changed) > MOST_SHOWN else []
        lines += self.comparison.text
        moved = self.comparison.with_verdict("moved")[:MOST_SHOWN]
        rows = [told.row(one) for one in moved]
        head = [_("figure"), _("of whom"), _("before"), _("after"), _("change (chances: percentage points)")]
        lines += ["", *aligned([head, *rows]), ""] if rows else []
        return "\n".join([*lines, told.certainty(), super().__repr__()])


def _facts(record: Record) -> dict[str, Any]:
    return {name: value for name, value in record.facts.model_dump().items() if name not in ("text", "whole")}


@checked
def report_diff(
    old: str | Path, new: str | Path, out: str | Path | None = None, lang: str | None = None, *, pdf: bool = False
) -> ReportDiff:
    """Compare two reports, or two sweeps: which cards changed, which figures moved, and whether that is sure.

    Parameters
    ----------
    old, new : pages that `report` wrote, or folders of sweeps; both on cards of one ruleset, or both on one question.
    out : the page to write, replacing an older one; otherwise ``reports/<old>-<new>.html`` under this folder.
    lang : {"en", "ru"}, the language in which the page opens; otherwise that of the messages. It holds both.
    pdf : write the same as PDF beside it, printed by an installed Chromium, Chrome or Edge.

    Returns
    -------
    ReportDiff
        With `path`, `comparison`, `to_frame`, `to_dict`; a notebook shows the page.

    Raises
    ------
    UserError
        No report or sweep, a damaged one, two that answer other questions, a file that cannot be written.

    Examples
    --------
    >>> import morsdei_sim, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> one = morsdei_sim.report("line/sergeant", out=folder / "one.html", field="field/d3-hp7")
    >>> morsdei_sim.report_diff(one.path, one.path, out=folder / "diff.html").comparison.counts["moved"]
    0
    """
    from morsdei_sim.reporting.comparison import compared
    from morsdei_sim.reporting.diff_page import diff_page

    sides = Path(old), Path(new)
    target = Destination(out, lambda: _name(*sides), lang, pdf)
    comparison = compared(*map(_record, sides))
    line = command("report", "diff", *sides, *(["--out", out] if out is not None else []), "--lang", target.lang)
    page = diff_page(comparison, (str(sides[0]), str(sides[1])), line, target.lang)
    return ReportDiff(*target.write(page), *sides, comparison)


def _name(*sides: Path) -> str:
    from morsdei_sim.cards.text import slug

    return "-".join(slug(side.resolve().stem)[:40] or "page" for side in sides)


def _record(path: Path) -> Record:
    """What a page or a folder knows."""
    from morsdei_sim.reporting.record import of_study, read_page

    folder = sweep_of(str(path))
    if folder is None:
        return read_page(path)
    sweep = open_sweep(folder)
    return of_study(sweep.store.manifest, sweep.scalars())
