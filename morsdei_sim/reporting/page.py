"""One HTML file from one collection: no script is needed to read it and no network to open it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from morsdei_sim import study
from morsdei_sim.lang import _, ngettext
from morsdei_sim.reporting import battles, games_told, numbers, sections, tables
from morsdei_sim.reporting.findings import Finding, findings
from morsdei_sim.reporting.frame import Edition, bound, edition
from morsdei_sim.reporting.glossary import glossary
from morsdei_sim.reporting.names import Names
from morsdei_sim.reporting.record import listed, of_cards

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.sweep import Collection

__all__ = ["cards_edition", "page"]

NOTES = 10


def page(collection: Collection, first: str) -> str:
    """The report as HTML that opens in the language `first`; the same bytes for the same collection."""
    return bound(lambda: cards_edition(collection), first, of_cards(collection).model_dump())


def cards_edition(collection: Collection) -> Edition:
    """The report in the language of the messages."""
    return edition("cards.html.j2", **_contents(collection))


def _contents(collection: Collection) -> dict[str, Any]:
    names = Names(collection)
    over = "field" if names.reference else "cards"
    worth = study.worth(collection, over)
    shot = names.guide.headline["shoot"]
    games = None if collection.battles is None else battles.whole_games(collection.battles)
    found: dict[str, Any] = {
        "findings": _findings(collection, names, worth),
        "games": games,
        "shooting": sections.shooting_heats(collection.shots, names, shot),
        "shooting_title": names.words.say("shooting_title"),
        "shooting_top": numbers.percent(sections.top(collection.shots[collection.shots["figure"] == shot]), 0),
        "curves": sections.spread_curves(collection, names),
        "activations": sections.activation_plans(collection, names),
        "melee": sections.melee_heats(collection, names),
        "habits": sections.habit_costs(collection, names),
        "worth": sections.worth_plans(worth, names),
        "worth_lead": _worth_lead(over, names),
        "tables": [*_tables(collection, names, worth), *(games.tables if games else ())],
    }
    return found | _words(collection, found, names)


def _findings(collection: Collection, names: Names, worth: pd.DataFrame) -> list[Finding]:
    played = None if collection.battles is None else games_told.finding(collection.battles)
    return [*([played] if played else []), *findings(collection, names, worth)]


def _worth_lead(over: str, names: Names) -> str:
    against = _("the reference targets") if over == "field" else _("the other cards")
    text = _(
        "Each bar makes one number of the card one better and leaves the rest alone; its length is the gain of the "
        "card's owner, on average over {against}. A long bar is a breakpoint: a small edit with a large effect."
    )
    silent = names.guide.no_effect
    stats = ", ".join(names.called(stat, "step") for stat in silent)
    rest = _("No exchange reads these stats, so their worth does not show here: {stats}.") if silent else ""
    return f"{text.format(against=against)} {rest.format(stats=stats)}".strip()


def _words(collection: Collection, found: dict[str, Any], names: Names) -> dict[str, Any]:
    facts = dict(collection.provenance)
    own = [card for card in collection.cards["card"] if card not in names.reference]
    cards = ngettext("{n} card", "{n} cards", len(own)).format(n=len(own))
    targets = ngettext("{n} reference target", "{n} reference targets", len(names.reference)).format(
        n=len(names.reference)
    )
    exact = facts.get("engine") == "exact"
    games = found["games"]
    played = bool(games and games.scores)
    certainty = _certainty(exact, facts.get("trials"), played)
    notes = facts.get("unanswered") or []
    provenance = tables.provenance(facts)
    if played and collection.battles is not None:
        provenance += tables.provenance_of_games(collection.battles)
    return {
        "title": _("Balance of the cards: {ruleset}").format(ruleset=str(facts["ruleset"]).upper()),
        "subtitle": ", ".join(dict.fromkeys(names.squad(card) for card in own if names.squad(card))),
        "badges": [
            (certainty, "exact" if exact else ""),
            *([(games.badge, "")] if played else []),
            (cards, ""),
            *([(targets, "")] if names.reference else []),
        ],
        "certainty": f"{certainty[:1].upper()}{certainty[1:]}. {games.certainty if played else ''}".strip(),
        "notes": [*notes[:NOTES], *([_("… and {n} more").format(n=len(notes) - NOTES)] if len(notes) > NOTES else [])],
        "contents": _contents_list(found, names),
        "glossary": glossary(exact, str(facts["ruleset"]), played),
        "said": _sentences(names),
        "provenance": provenance,
        "command_row": next((n for n, (term, _fact) in enumerate(provenance) if term == tables.command_title()), -1),
    }


def _certainty(exact: bool, trials: int | None, played: bool) -> str:
    if exact:
        return _("every number of an exchange is exact") if played else _("every number is exact")
    if trials is None:
        return _("simulated to a wanted precision, 95 % intervals")
    text = ngettext(
        "simulated: {n} trial per figure, 95 % intervals", "simulated: {n} trials per figure, 95 % intervals", trials
    )
    return text.format(n=numbers.whole(trials))


SAID = "spread_title again_title again_lead again_switch melee_lead".split()


def _sentences(names: Names) -> dict[str, str]:
    """What the page says of this room."""
    said = {name: names.words.say(name) for name in SAID}
    situation = names.called(names.guide.usual["situation"])
    return {**said, "spread_lead": names.words.say("spread_lead", situation=situation)}


def _contents_list(found: dict[str, Any], names: Names) -> list[tuple[str, str]]:
    parts = [
        ("answer", _("Answer"), True),
        ("games", _("Whole games"), found["games"]),
        ("damage", names.words.say("spread_menu"), found["curves"].plans),
        ("activations", names.words.say("again_menu"), found["activations"].plans),
        ("melee", _("Melee"), found["melee"]),
        ("worth", _("Worth of one better"), found["worth"]),
        ("numbers", _("Every number"), found["tables"]),
        ("reading", _("How to read"), True),
        ("provenance", _("Provenance"), True),
    ]
    return [(ident, text) for ident, text, there in parts if there]


def _tables(collection: Collection, names: Names, worth: pd.DataFrame) -> list[tables.Table]:
    armed = {
        "attacker": lambda row: names.card(row["attacker"]),
        "weapon": lambda row: names.weapon(row["attacker"], row["weapon"]),
        "target": lambda row: names.card(row["target"]),
        "target_weapon": lambda row: names.weapon(row["target"], row["target_weapon"]) or "—",
    }
    parties = [("attacker", _("attacker")), ("weapon", _("weapon")), ("target", _("target"))]
    shots = [*parties, ("situation", _("situation"))]
    play = [(option, names.called(option)) for option in collection.guide.usual if option != "situation"]
    melee = [*parties, ("target_weapon", _("target's weapon")), *play]
    shown = collection.guide.shown
    made = [
        tables.cards_table(collection.cards, collection.weapons, names),
        tables.long_table("t-shots", _("Shooting"), collection.shots, names, shots, shown["shoot"], armed),
        tables.long_table("t-melee", _("Melee"), listed(collection), names, melee, shown.get("melee", ()), armed),
        tables.activations_table(collection.activations, names),
        tables.worth_table(worth, names),
    ]
    return [table for table in made if table.rows]
