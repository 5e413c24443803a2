"""The part of the page about whole games: scores, ends, what decides, and what each card did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from morsdei_sim.lang import N_, _, ngettext
from morsdei_sim.reporting import figures, numbers
from morsdei_sim.reporting.colours import level
from morsdei_sim.reporting.findings import Finding
from morsdei_sim.reporting.sections import Picture, Plan, drawn
from morsdei_sim.reporting.tables import Cell, Heat, Label, Table
from morsdei_sim.reporting.words import named

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.sweep import Battles

__all__ = ["SHARES", "WholeGames", "called", "finding", "terms", "whole_games"]

Known = tuple[float, float, float]
"""Estimate, low, high."""

ENDS = {
    "a_wins": N_("A wins"),
    "draws": N_("draws"),
    "b_wins": N_("B wins"),
    "b_wiped_out": N_("B is wiped out"),
    "a_wiped_out": N_("A is wiped out"),
}
CAUSES = {
    "first_player_score": N_("score of whoever begins"),
    "zone_0_score": N_("score of whoever has the near zone"),
    "by_squads": N_("decided by the squads"),
    "by_first": N_("decided by who begins"),
    "by_dice": N_("left to dice and play"),
}
MEANS = {
    "vp_a": N_("VP of A"),
    "vp_b": N_("VP of B"),
    "margin": N_("VP of A less those of B"),
    "rounds": N_("rounds played"),
    "lead_changes": N_("changes of the lead"),
}
OF_CARDS = {
    "kills": N_("enemies removed"),
    "damage": N_("damage dealt"),
    "taken": N_("HP lost"),
    "loot": N_("VP from loot"),
    "survived": N_("alive at the end"),
}
"""Drawn of each card."""

IN_TABLE = OF_CARDS | {
    "rounds": N_("rounds"), "shots": N_("shots"), "melees": N_("melees"), "walked": N_("inches"),
    "luck": N_("luck, HP"),
}  # fmt: skip
"""Listed of each card."""

SHARES = {"score", *ENDS, *CAUSES, "survived"}

TITLES = IN_TABLE | MEANS | ENDS | CAUSES | {"score": N_("score of A")}


def called(figure: str) -> str:
    """The name of a figure of whole games; "" when it has none."""
    return _(TITLES[figure]) if figure in TITLES else ""


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


class _Squads:
    """The squads by name, and what is known of their games."""

    def __init__(self, battles: Battles) -> None:
        self.battles = battles
        rows = battles.squads.to_dict("records")
        plain = {str(row["squad"]): named(row["name"], row["name_ru"]) for row in rows}
        often = Counter(plain.values())
        self.names = {squad: f"{name} ({squad})" if often[name] > 1 else name for squad, name in plain.items()}
        self.own = [str(row["squad"]) for row in rows if row["own"]]
        self.known: dict[tuple[str, str], dict[str, Known]] = {}
        for one, other, figure, *value in battles.games[
            ["one", "other", "figure", "estimate", "low", "high"]
        ].itertuples(index=False, name=None):
            self.known.setdefault((one, other), {})[figure] = (value[0], value[1], value[2])

    def pairing(self, pair: tuple[str, str]) -> str:
        """`Line – Mirror`: A comes first."""
        return f"{self.names[pair[0]]} – {self.names[pair[1]]}"

    def score(self, one: str, other: str) -> Known | None:
        """What a squad scores against another; None where they did not meet."""
        if (one, other) in self.known:
            return self.known[one, other]["score"]
        if (other, one) in self.known:
            value, low, high = self.known[other, one]["score"]
            return 1 - value, 1 - high, 1 - low
        return None

    def mean(self, squad: str) -> Known:
        """What a squad scores on average against the others. All games are on the same dice, so their errors may go
        together: the interval is the mean of the intervals, never too narrow."""
        met = [self.score(squad, other) for other in self.names if other != squad]
        return _mean([score for score in met if score is not None])

    def ranked(self) -> list[str]:
        """The squads that the user named, best first."""
        return sorted(self.own, key=lambda squad: -self.mean(squad)[0])


def _mean(known: Sequence[Known]) -> Known:
    count = len(known)
    return (
        sum(one[0] for one in known) / count,
        sum(one[1] for one in known) / count,
        sum(one[2] for one in known) / count,
    )


def whole_games(battles: Battles) -> WholeGames:
    """The part of the page, from the frames."""
    if battles.games.empty:
        return WholeGames(_("No whole games were played."), battles.notes, ())
    squads = _Squads(battles)
    return WholeGames(
        _lead(battles),
        (*_faulty(battles, squads), *battles.notes),
        _reading(battles),
        _scores(squads),
        _pairings(squads, ENDS, _("how they end, %"), two_sided=()),
        _pairings(squads, CAUSES, _("what decides, %"), two_sided=("first_player_score", "zone_0_score")),
        _fighters(squads),
        (_games_table(squads), _fighters_table(squads)),
        tuple(battles.provenance.get("commands", ())),
        _badge(battles),
        _("Whole games are simulated, with 95 % intervals."),
    )


# ── sentences ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _lead(battles: Battles) -> str:
    facts = battles.provenance
    text = _(
        "{games} games of each pairing on the board {board}, both squads led by the bot {bot}. Games come in mirrored "
        "pairs: the same dice, seats swapped. A score counts a win 1 and a draw ½, in per cent; ± is the wider half of "
        "its 95 % interval."
    )
    board = named(facts["board_name"], facts["board_name_ru"])
    return text.format(games=numbers.whole(facts["games"]), board=board, bot=facts["bot"])


def _badge(battles: Battles) -> str:
    games = battles.provenance["games"]
    text = ngettext("{n} whole game of each pairing", "{n} whole games of each pairing", games)
    return text.format(n=numbers.whole(games))


def _faulty(battles: Battles, squads: _Squads) -> list[str]:
    """Games in which a bot broke the rules are told."""
    text = _("{pairing}: in {games} of {all} games the bot answered what the rules forbid; it lost that action.")
    rows = battles.games[battles.games["faulty"] > 0].drop_duplicates(["one", "other"])
    return [
        text.format(pairing=squads.pairing((str(row.one), str(row.other))), games=row.faulty, all=row.games)
        for row in rows.itertuples()
    ]


def _reading(battles: Battles) -> tuple[str, ...]:
    """What a bot's play means and does not mean."""
    bot = battles.provenance["bot"]
    return (
        _(
            "Both squads are led by the same bot ({bot}), so a score tells what the squads are worth in its hands. The "
            "intervals cover the dice; they do not cover that people play otherwise."
        ).format(bot=bot),
        _(
            "A bot follows fixed ideas of what is worth something: it lays no traps, does not bluff and does not get "
            "to know its opponent. A squad that lives on such things is worth more in good hands than here; one that "
            "is simple to play shows all it has. Before you change a card, see what other bots make of it ({choice})."
        ).format(choice="battle --bots"),
        _(
            "One board, and only these squads: long lines of fire favour rifles, walls favour blades. A lead of a few "
            "points here may turn on another board ({choice})."
        ).format(choice="battle --board all"),
        _(
            "Large differences, and what a change of a card does to them, are likelier to hold at the table than any "
            "single score."
        ),
    )


def finding(battles: Battles) -> Finding | None:
    """What stands out in the whole games."""
    if battles.games.empty:
        return None
    squads = _Squads(battles)
    return _strongest(squads) if len(squads.own) > 2 else _best_and_worst(squads)


def _strongest(squads: _Squads) -> Finding:
    ranked = squads.ranked()
    means = {squad: squads.mean(squad) for squad in ranked}
    text = _("{squad} scores most: {score} on average.").format(
        squad=squads.names[ranked[0]], score=numbers.chance(*means[ranked[0]], 0)
    )
    more = _("Least: {card}, {share}.").format(
        card=squads.names[ranked[-1]], share=numbers.chance(*means[ranked[-1]], 0)
    )
    if means[ranked[1]][2] >= means[ranked[0]][1]:
        more = _("Not surely more than {squad}.").format(squad=squads.names[ranked[1]]) + " " + more
    return Finding(_("Strongest squad in whole games"), text, more)


def _best_and_worst(squads: _Squads) -> Finding | None:
    """One pairing, or one squad against several."""
    one = squads.own[0]
    met = {other: score for other in squads.names if other != one and (score := squads.score(one, other))}
    if not met:
        return None
    order = sorted(met, key=lambda other: -met[other][0])
    text = _("{squad} against {other}: score {score}.")
    said = [
        text.format(squad=squads.names[one], other=squads.names[other], score=numbers.chance(*met[other], 0))
        for other in dict.fromkeys((order[0], order[-1]))
    ]
    if len(met) == 1 and met[order[0]][1] <= 0.5 <= met[order[0]][2]:
        said.append(_("Neither is surely the stronger."))
    return Finding(_("Whole games"), said[0], " ".join(said[1:]))


def terms() -> list[tuple[str, str]]:
    """For the end of the page."""
    return [
        (_("score"), _("Wins and half of the draws, as a share of all games.")),
        (
            _("decided by the squads"),
            _(
                "If every game between two squads ended the same way, the squads would decide all; if each won as "
                "often, nothing. In between it is the share of the spread of results that the better score explains, "
                "and likewise for who begins. The rest is dice, and what the bots made of them."
            ),
        ),
        (
            _("near zone"),
            _("The first of the two deployment zones of the board. On a symmetric board it should not matter."),
        ),
        (
            _("luck"),
            _("Damage dealt less what the same attacks deal on average. Over many games it comes to nothing."),
        ),
    ]


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


def _score_cell(squads: _Squads, one: str, other: str) -> Cell:
    name = squads.names[one]
    if one == other and (one, one) in squads.known:
        return Cell(
            "50", "", _("{squad} against itself: one half by construction").format(squad=name), css=f"d{level(0.5)}"
        )
    return _share_cell(squads.score(one, other), f"{name} → {squads.names[other]}", True)


def _scores(squads: _Squads) -> Heat:
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


def _ordered(squads: _Squads, rivals: list[str]) -> list[str]:
    """Columns in the order of the rows."""
    return [one for one in squads.ranked() if one in rivals] + [one for one in rivals if one not in squads.own]


def _pairings(squads: _Squads, shown: dict[str, str], name: str, two_sided: Sequence[str]) -> Heat:
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


def _fighters(squads: _Squads) -> tuple[Plan, ...]:
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


def _averages(squads: _Squads, squad: str, figure: str) -> list[tuple[str, float, float, float]]:
    """(card, mean over the opponents, low, high), in the order of the cards; the interval as in `_Squads.mean`."""
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
    figure = figures.bars(rows, label, percent=share, signed=False, top=top)
    return Picture(squad, "", drawn(figure, salt, text))


# ── lists ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _said(figure: str, known: Known) -> str:
    return numbers.chance(*known) if figure in SHARES else numbers.mean(*known)


def _games_table(squads: _Squads) -> Table:
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


def _fighters_table(squads: _Squads) -> Table:
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
