"""One HTML file from one collection: no script is needed to read it and no network to open it."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from morsdei_sim.lang import _, language, ngettext
from morsdei_sim.report import colours, numbers, sections, tables
from morsdei_sim.report.findings import findings
from morsdei_sim.report.names import Names
from morsdei_sim.report.words import called

if TYPE_CHECKING:
    from morsdei_sim.sweep import Collection

__all__ = ["page"]

TEMPLATES = Path(__file__).parent / "templates"
PANELS = 24


def page(collection: Collection) -> str:
    """The report as HTML, in the language of the messages; the same bytes for the same collection."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=False, keep_trailing_newline=True
    )
    environment.globals.update({"_": _, "ngettext": ngettext})
    return environment.get_template("page.html.j2").render(_frame(), **_contents(collection))


def _frame() -> dict[str, Any]:
    """What does not depend on the numbers: language, style, script."""
    script = (TEMPLATES / "page.js").read_text(encoding="utf-8")
    return {
        "lang": language(),
        "style": Markup((TEMPLATES / "style.css").read_text(encoding="utf-8")),
        "script": Markup(script),
        # The page allows exactly this script, so that no card can smuggle in another.
        "script_digest": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "panels": PANELS,
        "sequential": [(colour, colours.on(colour)) for colour in colours.sequential()],
        "diverging": [(colour, colours.on(colour)) for colour in colours.diverging()],
    }


def _contents(collection: Collection) -> dict[str, Any]:
    facts = dict(collection.provenance)
    reference = _reference(collection)
    names = Names(collection.cards, collection.weapons, reference)
    trials = facts.get("trials") if isinstance(facts.get("trials"), int) else None
    field = sections.lines_for(names, [*collection.damage["target"], *collection.activations["target"]])
    found: dict[str, Any] = {
        "findings": findings(collection, names),
        "shooting": sections.shooting_heats(collection.shots, names, "kill"),
        "shooting_title": _("Chance to remove the target with one attack"),
        "curves": sections.damage_curves(collection.damage, names, field, trials),
        "curves_key": sections.key(names, field),
        "curves_lead": _curves_lead(collection),
        "activations": sections.activation_plans(collection.activations, names, field),
        "activations_key": sections.key(names, field),
        "melee": sections.melee_heats(collection.melee, names),
        "habits": sections.habit_costs(collection.melee, names),
        "worth": sections.worth_plans(collection.worth, names),
        "tables": _tables(collection, names),
    }
    return found | _words(collection, found, names, trials)


def _reference(collection: Collection) -> set[str]:
    """Targets that are measured against and are no contestants: they never attack."""
    contestants = {*collection.shots["attacker"], *collection.melee["attacker"]}
    return {*collection.shots["target"], *collection.melee["target"]} - contestants


def _words(collection: Collection, found: dict[str, Any], names: Names, trials: int | None) -> dict[str, Any]:
    facts = dict(collection.provenance)
    own = [card for card in collection.cards["card"] if card not in names.reference]
    ruleset = str(facts.get("ruleset", ""))
    cards = ngettext("{n} card", "{n} cards", len(own)).format(n=len(own))
    targets = ngettext("{n} reference target", "{n} reference targets", len(names.reference)).format(n=len(names.reference))
    certainty = _certainty(trials)
    provenance = tables.provenance(facts)
    return {
        "title": _("Balance of the cards: {ruleset}").format(ruleset=ruleset),
        "subtitle": ", ".join(dict.fromkeys(names.squad(card) for card in own if names.squad(card))),
        "badges": [(certainty, "exact" if trials is None else ""), (cards, ""), (targets, "")],
        "certainty": certainty + ".",
        "contents": _contents_list(found),
        "glossary": _glossary(trials),
        "provenance": provenance,
        "command_row": next((n for n, (term, _fact) in enumerate(provenance) if term == _("command that repeats it")), -1),
    }


def _certainty(trials: int | None) -> str:
    if trials is None:
        return _("every number is exact")
    text = ngettext("simulated: {n} trial per figure, 95 % intervals", "simulated: {n} trials per figure, 95 % intervals", trials)
    return text.format(n=numbers.whole(trials))


def _curves_lead(collection: Collection) -> str:
    situation = called(collection.damage["situation"].iloc[0]) if len(collection.damage) else ""
    return _("Chance that one attack deals at least so much damage, target {situation}. A steep step means that the weapon deals all or nothing.").format(situation=situation)


def _contents_list(found: dict[str, Any]) -> list[tuple[str, str]]:
    parts = [
        ("answer", _("Answer"), True),
        ("damage", _("Damage"), found["curves"]),
        ("activations", _("Activations"), found["activations"]),
        ("melee", _("Melee"), found["melee"]),
        ("worth", _("Worth of one better"), found["worth"]),
        ("numbers", _("Every number"), found["tables"]),
        ("reading", _("How to read"), True),
        ("provenance", _("Provenance"), True),
    ]
    return [(ident, text) for ident, text, there in parts if there]


def _glossary(trials: int | None) -> list[tuple[str, str]]:
    certainty = (
        (_("exact"), _("Worked out from all ways the dice can fall. There is no error bar because there is no error: the last digit is only rounded."))
        if trials is None
        else (_("interval"), _("Behind each simulated number stands its 95 % interval: of a hundred such intervals about 95 hold the true value. Two numbers whose intervals overlap are not known to differ."))
    )
    return [
        certainty,
        (_("removed"), _("The target's HP come down to zero by this attack or melee.")),
        (_("mean damage"), _("Average over all ways the dice can fall; what goes beyond the target's HP counts too. Mean HP lost counts only what the target had.")),
        (_("reference target"), _("A plain profile that stands on no list. All cards are measured against the same ones, so that squads can be compared.")),
        (_("best play"), _("Both players know all open dice and choose as well as the rules allow; found by solving the exchange, not guessed.")),
        (_("habit"), _("A fixed way of choosing in melee, as people play: simple to remember, and sometimes dear.")),
        (_("percentage point"), _("The step from 40 % to 41 % is one percentage point.")),
        (_("situation"), _("Circumstances of one attack, for instance a target in cover. Each changes one thing only.")),
    ]  # fmt: skip


def _tables(collection: Collection, names: Names) -> list[tables.Table]:
    armed = {
        "attacker": lambda row: names.card(row.attacker),
        "weapon": lambda row: names.weapon(row.attacker, row.weapon),
        "target": lambda row: names.card(row.target),
        "target_weapon": lambda row: names.weapon(row.target, row.target_weapon) or "—",
    }
    parties = [("attacker", _("attacker")), ("weapon", _("weapon")), ("target", _("target"))]
    made = [
        tables.cards_table(collection.cards, collection.weapons, names),
        tables.long_table(
            "t-shots", _("Shooting"), collection.shots, [*parties, ("situation", _("situation"))],
            ("mean_damage", "kill", "injured", "mean_hp_lost"), armed,
        ),
        tables.long_table(
            "t-melee", _("Melee"), collection.melee,
            [*parties, ("target_weapon", _("target's weapon")), ("objective", _("objective")), ("attacker_policy", _("attacker plays")), ("target_policy", _("target plays"))],
            ("net_damage", "kill_target", "kill_attacker", "kill_difference"), armed,
        ),
        tables.activations_table(collection.activations, names),
        tables.worth_table(collection.worth, names),
    ]  # fmt: skip
    return [table for table in made if table.rows]
