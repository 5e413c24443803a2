"""The part of the page about whole games: scores, ends, what decides, and what each card did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from morsdei_sim.lang import N_, _
from morsdei_sim.reporting import games_told, numbers
from morsdei_sim.reporting.bars import bars
from morsdei_sim.reporting.colours import level
from morsdei_sim.reporting.sections import Picture, Plan, drawn
from morsdei_sim.reporting.squads import CAUSES, ENDS, IN_TABLE, MEANS, OF_CARDS, SHARES, Known, Squads
from morsdei_sim.reporting.tables import Cell, Heat, Label, Table
from morsdei_sim.reporting.words import named

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.sweep import Battles

__all__ = ["WholeGames", "whole_games"]


@dataclass(frozen=True)
class WholeGames:
    """What the page shows of whole games; nothing but notes when nobody could play."""

    lead: str
    notes: tuple[str, ...]
    reading: tuple[str, ...]
    scores: Heat | None = None
    ends: Heat | None = None
    causes: Heat | None = None
    fighters: tuple[Plan, ...] = ()
    tables: tuple[Table, ...] = ()
    commands: tuple[str, ...] = ()
    badge: str = ""
    certainty: str = ""


def whole_games(battles: Battles) -> WholeGames:
    """The part of the page, from the frames."""
    if battles.games.empty:
        return WholeGames(_("No whole games were played."), battles.notes, ())
    squads = Squads(battles)
    return WholeGames(
        games_told.lead(battles),
        (*games_told.faulty(battles, squads), *battles.notes),
        games_told.reading(battles),
        _scores(squads),
        _pairings(squads, ENDS, _("how they end, %"), two_sided=()),
        _pairings(squads, CAUSES, _("what decides, %"), two_sided=("first_player_score", "zone_0_score")),
        _fighters(squads),
        (_games_table(squads), _fighters_table(squads)),
        tuple(battles.provenance.get("commands", ())),
        games_told.badge(battles),
        _("Whole games are simulated, with 95 % intervals."),
    )


# ── matrices ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def half(known: Known, digits: int = 1, scale: float = 100) -> str:
    """`±2.4`: the wider side of an interval, rounded up."""
    value, low, high = known
    width = max(high - value, value - low) * scale
    return "±" + numbers.plain(ceil(width * 10**digits - 1e-9) / 10**digits, digits)


def _share_cell(known: Known | None, title: str, two_sided: bool) -> Cell:
    if known is None:
        return Cell("", css="none")
    if numbers.missing(known[0]):
        return Cell("—", title=f"{title}: —")
    css = f"{'d' if two_sided else 'h'}{level(known[0])}"
    text = numbers.percent(known[0], 0).removesuffix(f"{numbers.NBSP}%")
    return Cell(text, half(known), f"{title}: {numbers.chance(*known, 2)}", css)


def _score_cell(squads: Squads, one: str, other: str) -> Cell:
    name = squads.names[one]
    if one == other and (one, one) in squads.known:
        return Cell(
            "50", "", _("{squad} against itself: one half by construction").format(squad=name), css=f"d{level(0.5)}"
        )
    return _share_cell(squads.score(one, other), f"{name} → {squads.names[other]}", True)


def _scores(squads: Squads) -> Heat:
    """Every squad against every other."""
    rivals = [squad for squad in squads.names if any(squads.score(one, squad) for one in squads.own)]
    several = len(squads.names) > 2
    rows = []
    for one in squads.ranked() if len(squads.own) > 1 else squads.own:
        name = squads.names[one]
        cells = [_share_cell(squads.mean(one), _("{squad}, on average").format(squad=name), True)] if several else []
        cells += [_score_cell(squads, one, other) for other in _ordered(squads, rivals)]
        rows.append((Label(name), tuple(cells)))
    columns = [Label(_("average"), _("against all others"))] if several else []
    columns += [Label(squads.names[other], reference=other not in squads.own) for other in _ordered(squads, rivals)]
    return Heat(_("score, %"), _("score of"), tuple(columns), tuple(rows))


def _ordered(squads: Squads, rivals: list[str]) -> list[str]:
    """Columns in the order of the rows."""
    return [one for one in squads.ranked() if one in rivals] + [one for one in rivals if one not in squads.own]


def _pairings(squads: Squads, shown: dict[str, str], name: str, two_sided: Sequence[str]) -> Heat:
    """One row a pairing, one column a share."""
    rows = tuple(
        (
            Label(squads.pairing(pair)),
            tuple(
                _share_cell(known[one], f"{squads.pairing(pair)}, {_(title)}", one in two_sided)
                for one, title in shown.items()
            ),
        )
        for pair, known in squads.known.items()
    )
    return Heat(name, _("A – B"), tuple(Label(_(title)) for title in shown.values()), rows)


# ── what each card did ────────────────────────────────────────────────────────────────────────────────────────────────


def _fighters(squads: Squads) -> tuple[Plan, ...]:
    """A figure per squad, a choice per figure of a card; the same scale for all squads."""
    plans = []
    for number, (figure, title) in enumerate(OF_CARDS.items()):
        found = {squad: _averages(squads, squad, figure) for squad in squads.own}
        top = max((high for rows in found.values() for _text, _value, _low, high in rows), default=1.0)
        pictures = tuple(
            _picture(squads.names[squad], rows, _(title), figure in SHARES, top, f"games-{number}-{place}")
            for place, (squad, rows) in enumerate(found.items())
            if rows
        )
        plans.append(Plan(_(title), pictures))
    return tuple(plans)


def _averages(squads: Squads, squad: str, figure: str) -> list[tuple[str, float, float, float]]:
    """(card, mean over the opponents, low, high), in the order of the cards; the interval as in `Squads.mean`."""
    frame = squads.battles.fighters
    mine = frame[(frame["squad"] == squad) & (frame["figure"] == figure)]
    others = mine[mine["opponent"] != squad]
    shown = mine if others.empty else others
    columns = ["estimate", "low", "high"]
    means = shown.groupby(["card", "name", "name_ru", "count"], sort=False)[columns].mean().reset_index()
    return [
        (_card(row), float(row["estimate"]), float(row["low"]), float(row["high"])) for row in means.to_dict("records")
    ]


def _card(row: Any) -> str:
    return f"{named(row['name'], row['name_ru'])} ×{row['count']}"


def _picture(
    squad: str, rows: list[tuple[str, float, float, float]], title: str, share: bool, top: float, salt: str
) -> Picture:
    show = numbers.chance if share else numbers.mean
    said = "; ".join(f"{text}: {show(value, low, high)}" for text, value, low, high in rows)
    text = _("{squad}, {figure} per fighter and game. {said}.").format(squad=squad, figure=title, said=said)
    label = f"{title}, %" if share else title
    figure = bars(rows, label, percent=share, signed=False, top=top)
    return Picture(squad, "", drawn(figure, salt, text))


# ── lists ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _said(figure: str, known: Known) -> str:
    return numbers.chance(*known) if figure in SHARES else numbers.mean(*known)


def _games_table(squads: Squads) -> Table:
    shown = {"score": N_("score of A"), **ENDS, **MEANS, **CAUSES}
    games = squads.battles.provenance["games"]
    rows = tuple(
        (
            squads.names[one],
            squads.names[other],
            numbers.whole(games),
            *(_said(figure, known[figure]) for figure in shown),
        )
        for (one, other), known in squads.known.items()
    )
    head = ("A", "B", _("games"), *(_(title) for title in shown.values()))
    return Table("t-games", _("Whole games"), head, (False, False, *(True,) * (len(shown) + 1)), rows)


def _fighters_table(squads: Squads) -> Table:
    frame: pd.DataFrame = squads.battles.fighters
    cells: dict[tuple[Any, ...], dict[str, str]] = {}
    keys = ["squad", "opponent", "card", "name", "name_ru", "count"]
    for *key, figure, estimate, low, high in frame[[*keys, "figure", "estimate", "low", "high"]].itertuples(
        index=False, name=None
    ):
        cells.setdefault(tuple(key), {})[figure] = _said(figure, (estimate, low, high))
    rows = tuple(
        (
            squads.names[squad],
            f"{named(name, name_ru)} ×{count}",
            squads.names[opponent],
            *(found[figure] for figure in IN_TABLE),
        )
        for (squad, opponent, _key, name, name_ru, count), found in cells.items()
    )
    head = (_("squad"), _("card"), _("opponent"), *(_(title) for title in IN_TABLE.values()))
    title = _("What each card did, per fighter and game")
    return Table("t-game-fighters", title, head, (False,) * 3 + (True,) * len(IN_TABLE), rows)
