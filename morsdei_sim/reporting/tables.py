"""The tables of the report: heat maps made of cells, and sortable lists of every number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from morsdei_sim.lang import _
from morsdei_sim.reporting import numbers
from morsdei_sim.reporting.colours import level
from morsdei_sim.reporting.words import named

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.reporting.names import Names
    from morsdei_sim.sweep import Battles

__all__ = [
    "MAX_ROWS",
    "Cell",
    "Heat",
    "Label",
    "Table",
    "activations_table",
    "cards_table",
    "figure_of",
    "heat",
    "long_table",
    "provenance",
    "provenance_of_games",
    "shade",
    "wide",
    "worth_table",
]

MAX_ROWS = 3000
"""Rows of one list on the page; beyond it the page would get too heavy to open, and says so."""


@dataclass(frozen=True)
class Label:
    """A row's or column's heading: its text and a second, smaller one."""

    text: str
    small: str = ""
    reference: bool = False


@dataclass(frozen=True)
class Cell:
    """One cell: its text, a second smaller text, what a pointer resting on it shows, and its class."""

    text: str
    small: str = ""
    title: str = ""
    css: str = ""


@dataclass(frozen=True)
class Heat:
    """A matrix of coloured cells under one name."""

    name: str
    corner: str
    columns: tuple[Label, ...]
    rows: tuple[tuple[Label, tuple[Cell, ...]], ...]


@dataclass(frozen=True)
class Table:
    """A list to sort: `numeric` says which columns hold numbers."""

    ident: str
    title: str
    head: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0


def figure_of(names: Names, name: str, value: float, low: Any = None, high: Any = None) -> str:
    """A figure as it may be printed, in per cent when it is a chance."""
    show = numbers.chance if names.guide.is_chance(name) else numbers.mean
    return show(value, low, high)


def wide(frame: pd.DataFrame, index: list[str], columns: str) -> dict[tuple[Any, Any], Any]:
    """(row key, column key) -> (estimate, low, high)."""
    keys = zip(*(frame[name] for name in index), strict=True)
    cells = zip(frame["estimate"], frame["low"], frame["high"], strict=True)
    return {(key, column): cell for key, column, cell in zip(keys, frame[columns], cells, strict=True)}


def heat(
    frame: pd.DataFrame,
    names: Names,
    name: str,
    corner: str,
    *,
    percent: bool,
    two_sided: bool,
    scale: float | None = None,
) -> Heat:
    """A matrix of attackers (with their weapon) against targets.

    Parameters
    ----------
    frame : attacker, weapon, target, estimate, low, high; one row per cell.
    percent : the estimates are chances.
    two_sided : zero in the middle.
    scale : the estimate that gets the darkest colour; otherwise the largest there is.
    """
    cells = wide(frame, ["attacker", "weapon"], "target")
    targets = names.sorted(frame["target"])
    attackers = names.sorted(frame["attacker"])
    place = {card: here for here, card in enumerate(attackers)}
    rows = sorted(dict.fromkeys(key for key, _target in cells), key=lambda key: place[str(key[0])])
    most = scale or float(frame["estimate"].abs().max() or 1.0)
    columns = tuple(Label(names.card(one), names.squad(one), one in names.reference) for one in targets)

    def cell(key: tuple[Any, Any], target: str) -> Cell:
        found = cells.get((key, target))
        if found is None or numbers.missing(found[0]):
            return Cell("", css="none")
        return shade(found, most, percent, two_sided, f"{names.armed(*key)} → {names.card(target)}")

    body = tuple(
        (Label(names.card(key[0]), names.weapon(*key)), tuple(cell(key, target) for target in targets)) for key in rows
    )
    return Heat(name, corner, columns, body)


def shade(found: tuple[float, Any, Any], most: float, percent: bool, two_sided: bool, title: str) -> Cell:
    """A cell of a matrix: the darker, the nearer its value is to `most`."""
    value, low, high = found
    sampled = not (numbers.missing(low) or numbers.missing(high))
    share = (value / most + 1) / 2 if two_sided else value / most
    css = f"{'d' if two_sided else 'h'}{level(share)}"
    full = numbers.chance(value, low, high, 2) if percent else numbers.mean(value, low, high)
    if percent:
        text = numbers.percent(value, 0).removesuffix(f"{numbers.NBSP}%")
        small = "±" + numbers.plain(50 * (high - low), 1) if sampled else ""
    else:
        text = numbers.signed(value, 1) if two_sided else numbers.plain(value, 1)
        small = "±" + numbers.plain((high - low) / 2, 2) if sampled else ""
    return Cell(text, small, f"{title}: {full}", css)


def long_table(
    ident: str,
    title: str,
    frame: pd.DataFrame,
    names: Names,
    words: Sequence[tuple[str, str]],
    figures: Sequence[str],
    show: dict[str, Any],
) -> Table:
    """A list with one row per question and one column per figure.

    Parameters
    ----------
    frame : tidy, with `figure, estimate, low, high`.
    words : (column of the frame, heading) of the columns that name the question.
    figures : the figures to show, in order.
    show : for a column of the frame, a function of the row (a dict of these columns) that names its value.
    """
    keys = [key for key, _heading in words]
    cells: dict[tuple[Any, ...], dict[str, str]] = {}
    for *key, name, estimate, low, high in frame[[*keys, "figure", "estimate", "low", "high"]].itertuples(
        index=False, name=None
    ):
        cells.setdefault(tuple(key), {})[name] = figure_of(names, name, estimate, low, high)
    present = [name for name in figures if any(name in row for row in cells.values())]
    rows = []
    for question, found in list(cells.items())[:MAX_ROWS]:
        row = dict(zip(keys, question, strict=True))
        said = [show[one](row) if one in show else names.called(row[one]) for one in keys]
        rows.append((*said, *(found.get(name, "—") for name in present)))
    head = (*(heading for _key, heading in words), *(names.called(name, "figure") for name in present))
    return Table(
        ident, title, head, (False,) * len(keys) + (True,) * len(present), tuple(rows), max(0, len(cells) - MAX_ROWS)
    )


def cards_table(cards: pd.DataFrame, weapons: pd.DataFrame, names: Names) -> Table:
    """The cards themselves, one row per weapon, so that the page says what it measured."""
    stats = [
        one for one in cards.columns if one not in ("card", "name", "name_ru", "squad", "squad_ru", "words", "field")
    ]
    arms = [one for one in weapons.columns if one not in ("card", "weapon", "weapon_ru", "type", "words", "field")]
    by_card = {str(row["card"]): row for row in cards.to_dict("records")}
    rows = []
    for arm in weapons.to_dict("records"):
        card = by_card.get(str(arm["card"]), {})
        said = (names.squad(arm["card"]), names.card(arm["card"]), *(_stat(card.get(one)) for one in stats))
        rows.append(
            (
                *said,
                names.weapon(arm["card"], arm["weapon"]),
                names.called(arm["type"]),
                *(_stat(arm[one]) for one in arms),
            )
        )
    head = (_("squad"), _("card"), *map(names.called, stats), _("weapon"), _("type"), *map(names.called, arms))
    numeric = (False, False, *(True for _one in stats), False, False, *(True for _one in arms))
    return Table("t-cards", _("The cards"), head, numeric, tuple(rows))


def _stat(value: Any) -> str:
    if value is None or value != value:
        return "—"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value == float("inf"):
        return _("unlimited")
    return numbers.stat(value) if isinstance(value, (int, float)) else str(value)


def activations_table(frame: pd.DataFrame, names: Names) -> Table:
    """Chance to be gone after so many activations, a column per activation."""
    keys = ["attacker", "weapon", "target", "plan", "situation"]
    last = int(frame["activation"].max()) if len(frame) else 0
    cells: dict[tuple[Any, ...], dict[int, str]] = {}
    for *key, activation, gone, low, high in frame[[*keys, "activation", "removed_by", "low", "high"]].itertuples(
        index=False, name=None
    ):
        cells.setdefault(tuple(key), {})[int(activation)] = numbers.chance(gone, low, high)
    rows = [
        (
            names.card(a),
            names.weapon(a, w),
            names.card(t),
            names.called(plan, "plan"),
            names.called(s),
            *(found.get(n, "—") for n in range(1, last + 1)),
        )
        for (a, w, t, plan, s), found in list(cells.items())[:MAX_ROWS]
    ]
    head = (
        _("attacker"),
        _("weapon"),
        _("target"),
        names.words.say("again_plan"),
        _("situation"),
        *(_("by {n}").format(n=n) for n in range(1, last + 1)),
    )
    return Table(
        "t-activations",
        names.words.say("again_table"),
        head,
        (False,) * 5 + (True,) * last,
        tuple(rows),
        max(0, len(cells) - MAX_ROWS),
    )


def worth_table(worth: pd.DataFrame, names: Names) -> Table:
    """What one better of each stat changes, in every figure; `worth` as `study.worth` gives it."""
    shown = worth[worth["figure"] != ""]
    rows = []
    for row in shown.head(MAX_ROWS).to_dict("records"):
        share = names.guide.is_chance(row["figure"])
        show, scale = (numbers.percent, 100) if share else (numbers.plain, 1)
        change = numbers.signed(row["difference"] * scale)
        if not numbers.missing(row["low"]):
            change += f" ({numbers.interval(row['low'] * scale, row['high'] * scale)})"
        step = f"{names.called(row['stat'], 'step')} {numbers.stat(row['from'])} → {numbers.stat(row['to'])}"
        said = (
            names.card(row["card"]),
            names.weapon(row["card"], row["weapon"]) or "—",
            step,
            names.called(row["figure"], "figure"),
        )
        rows.append((*said, show(row["base"], 2), show(row["changed"], 2), change, row["note"]))
    head = (
        _("card"),
        _("weapon"),
        _("step"),
        _("figure"),
        _("before"),
        _("after"),
        _("change (chances: percentage points)"),
        _("note"),
    )
    return Table(
        "t-worth",
        _("What one better is worth"),
        head,
        (False,) * 4 + (True,) * 3 + (False,),
        tuple(rows),
        max(0, len(shown) - MAX_ROWS),
    )


def command_title() -> str:
    """What the row with the command line is called."""
    return _("command that repeats it")


def provenance(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """Where the numbers come from, as names and texts."""
    titles = {
        "ruleset": _("ruleset"),
        "version": _("version of the ruleset's numbers"),
        "engine": _("engine"),
        "trials": _("trials"),
        "seed": _("seed"),
        "command": command_title(),
        "packages": _("packages"),
        "target_error": _("wanted precision"),
        "rules": _("changed rules"),
        "cards_digest": _("digest of the cards (SHA-256)"),
        "morsdei_sim": "morsdei_sim",
        "call": _("call in Python that repeats it"),
        "date": _("date"),
    }
    return [
        (titles[key], numbers.whole(value) if key == "trials" else _fact(value))
        for key, value in facts.items()
        if key in titles and value is not None and value != {}
    ]


def provenance_of_games(battles: Battles) -> list[tuple[str, str]]:
    """The same of whole games."""
    facts = battles.provenance
    return [
        (_("bot of whole games"), facts["bot"]),
        (_("board"), f"{named(facts['board_name'], facts['board_name_ru'])} ({facts['board']})"),
        (_("games of each pairing"), numbers.whole(facts["games"])),
        (_("seed of whole games"), str(facts["seed"])),
    ]


def _fact(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    return str(value)
