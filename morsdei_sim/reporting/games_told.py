"""What the page says of whole games in sentences: how they were played, what stands out, how to read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from morsdei_sim.lang import _, ngettext
from morsdei_sim.reporting import numbers
from morsdei_sim.reporting.findings import Finding
from morsdei_sim.reporting.squads import Squads
from morsdei_sim.reporting.words import named

if TYPE_CHECKING:
    from morsdei_sim.sweep import Battles

__all__ = ["badge", "faulty", "finding", "lead", "reading", "terms"]


def lead(battles: Battles) -> str:
    facts = battles.provenance
    text = _(
        "{games} games of each pairing on the board {board}, both squads led by the bot {bot}. Games come in mirrored "
        "pairs: the same dice, seats swapped. A score counts a win 1 and a draw ½, in per cent; ± is the wider half of "
        "its 95 % interval."
    )
    board = named(facts["board_name"], facts["board_name_ru"])
    return text.format(games=numbers.whole(facts["games"]), board=board, bot=facts["bot"])


def badge(battles: Battles) -> str:
    games = battles.provenance["games"]
    text = ngettext("{n} whole game of each pairing", "{n} whole games of each pairing", games)
    return text.format(n=numbers.whole(games))


def faulty(battles: Battles, squads: Squads) -> list[str]:
    """Games in which a bot broke the rules are told."""
    text = _("{pairing}: in {games} of {all} games the bot answered what the rules forbid; it lost that action.")
    rows = battles.games[battles.games["faulty"] > 0].drop_duplicates(["one", "other"])
    return [
        text.format(pairing=squads.pairing((str(row.one), str(row.other))), games=row.faulty, all=row.games)
        for row in rows.itertuples()
    ]


def reading(battles: Battles) -> tuple[str, ...]:
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
    squads = Squads(battles)
    return _strongest(squads) if len(squads.own) > 2 else _best_and_worst(squads)


def _strongest(squads: Squads) -> Finding:
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


def _best_and_worst(squads: Squads) -> Finding | None:
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
