"""The page of a comparison: what changed and what it moved, one HTML file in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from morsdei_sim.lang import _
from morsdei_sim.reporting import numbers
from morsdei_sim.reporting.bars import bars
from morsdei_sim.reporting.comparison import Comparison
from morsdei_sim.reporting.findings import Finding
from morsdei_sim.reporting.frame import Edition, bound, edition
from morsdei_sim.reporting.record import Facts, Question
from morsdei_sim.reporting.sections import Picture, drawn
from morsdei_sim.reporting.tables import Table
from morsdei_sim.reporting.told import Told
from morsdei_sim.study import Move

__all__ = ["diff_edition", "diff_page"]

MOST_BARS = 12
MOST_LINES = 4
"""Of the text above a bar: names of cards and weapons are long."""
MOST_MOVES = 2000


def diff_page(comparison: Comparison, files: tuple[str, str], command: str, first: str) -> str:
    """The comparison as HTML that opens in the language `first`; `files` are the names of old and new."""
    return bound(lambda: diff_edition(comparison, files, command), first)


def diff_edition(comparison: Comparison, files: tuple[str, str], command: str) -> Edition:
    """The comparison in the language of the messages."""
    told = Told(comparison)
    tables = [table for table in (_changes(told), _moved(told), _open(told)) if table.rows]
    contents = [
        ("answer", _("Answer"), True),
        ("numbers", _("Every number"), tables),
        ("provenance", _("Provenance"), True),
    ]
    return edition(
        "diff.html.j2",
        _("What changed from {old} to {new}").format(old=files[0], new=files[1]),
        subtitle=told.counted(),
        badges=[(comparison.certain, "" if comparison.sampled else "exact")],
        contents=[(ident, text) for ident, text, there in contents if there],
        warnings=told.warnings(),
        findings=_findings(told),
        certainty=told.certainty(),
        pictures=_pictures(told),
        text=comparison.text,
        tables=tables,
        provenance=_provenance(told, files, command),
    )


def _findings(told: Told) -> list[Finding]:
    comparison = told.comparison
    found = [Finding(_("Figures"), f"{told.counted()}.")]
    if comparison.changed:
        lines = [f"{told.field(one)} {told.value(one.old)} → {told.value(one.new)}" for one in comparison.changed]
        found.append(Finding(_("Changed on the cards"), "; ".join(lines[:3]), _more(lines[3:])))
    elif comparison.new.cards:
        found.append(Finding(_("Changed on the cards"), _("No field of a card that both have.")))
    for title, cards in ((_("Only in the new one"), comparison.added), (_("Only in the old one"), comparison.removed)):
        if cards:
            found.append(Finding(title, told.cards(cards[:8]), _more(cards[8:])))
    return found


def _more(rest: Sequence[Any]) -> str:
    return _("… and {n} more").format(n=len(rest)) if rest else ""


def _pictures(told: Told) -> list[Picture]:
    """The largest moves: chances and other figures apart, since their units differ."""
    moved = told.comparison.with_verdict("moved")
    parts: dict[bool, list[Move[Question]]] = {True: [], False: []}
    for move in moved:
        parts[told.comparison.meaning(move.question).is_share(move.question.figure)].append(move)
    titles = {True: _("Chances, in percentage points"), False: _("Other figures, in their own units")}
    return [_picture(told, shown, titles[share], share) for share, shown in parts.items() if shown]


def _picture(told: Told, moved: list[Move[Question]], title: str, share: bool) -> Picture:
    shown = sorted(moved, key=lambda move: -abs(move.difference))[:MOST_BARS]
    rows = [
        (f"{told.figure(one.question)}: {told.about(one.question)}", one.difference, one.low, one.high) for one in shown
    ]
    label = _("new less old, percentage points") if share else _("new less old")
    said = "; ".join(f"{row[0]}: {told.old(one)} → {told.new(one)}" for row, one in zip(rows, shown, strict=True))
    small = _("the largest {n} of {all}").format(n=len(shown), all=len(moved)) if len(moved) > len(shown) else ""
    figure = bars(rows, label, percent=share, lines=MOST_LINES)
    return Picture(title, small, drawn(figure, f"moved-{int(share)}", said))


# ── lists ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _changes(told: Told) -> Table:
    """Fields of the cards."""
    rows = tuple((told.field(one), told.value(one.old), told.value(one.new)) for one in told.comparison.changed)
    head = (_("card and field"), _("before"), _("after"))
    return Table("t-changes", _("What changed on the cards"), head, (False, False, False), rows)


def _moved(told: Told) -> Table:
    return _moves(told, "t-moved", _("Figures that moved"), told.comparison.with_verdict("moved"))


def _open(told: Told) -> Table:
    return _moves(told, "t-open", _("Figures that cannot be told apart"), told.comparison.with_verdict("open"))


def _moves(told: Told, ident: str, title: str, moves: list[Move[Question]]) -> Table:
    rows = tuple(told.row(one) for one in moves[:MOST_MOVES])
    head = (_("figure"), _("of whom"), _("before"), _("after"), _("change (chances: percentage points)"))
    return Table(ident, title, head, (False, False, True, True, True), rows, max(0, len(moves) - MOST_MOVES))


def _provenance(told: Told, files: tuple[str, str], command: str) -> list[tuple[str, str, bool]]:
    """Where both sides come from: name, fact, and whether the fact is code."""
    sides: tuple[Facts, Facts] = (told.comparison.old.facts, told.comparison.new.facts)
    found = []
    for title, file, facts in zip((_("old"), _("new")), files, sides, strict=True):
        found += [
            (title, file, False),
            (_("{side}: made by").format(side=title), told.made(facts), False),
            (_("{side}: digest (SHA-256)").format(side=title), facts.digest, False),
            (_("{side}: command").format(side=title), facts.command, True),
        ]
    counted = numbers.whole(len(told.comparison.moves))
    return [*found, (_("figures compared"), counted, False), (_("command that repeats it"), command, True)]
