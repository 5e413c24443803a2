"""What the keys of the frames are called in front of people, and the sentences of the page.

Each room has a module `words`, which rolls no dice and imports nothing heavy:

    WORDS      key -> name, of situations, figures, stats, plans, kinds of weapon; `key-kind` where it has two meanings
    GLOSSARY   (term, meaning), for the end of the page
    SENTENCES  what is said of this room in place of a sentence below; `asked` names how a melee is played

A name that is not there is looked for among the titles of the room's readings; else the key is shown without hyphens.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from morsdei_sim import lang
from morsdei_sim.lang import N_, _
from morsdei_sim.rulesets import room

__all__ = ["SENTENCES", "Words", "named", "words_of"]

SENTENCES = {
    "shooting_title": N_("Chance to remove the target with one attack"),
    "shooting_best": N_("Most likely to remove a target with one attack: {card}, {share} on average."),
    "spread_menu": N_("Damage"),
    "spread_title": N_("How much damage to count on"),
    "spread_lead": N_(
        "Chance that one attack deals at least so much damage, target {situation}. Few high steps mean that the "
        "weapon deals all or nothing. Targets that fare alike share a line."
    ),
    "spread_axis": N_("at least this much damage"),
    "spread_of": N_("Chance of at least so much damage by {attacker}. {said}."),
    "spread_any": N_("{target}: any damage {share}"),
    "again_menu": N_("Turns"),
    "again_title": N_("How many turns until the target is gone"),
    "again_lead": N_(
        "Chance that the target has been removed after so many turns of one attacker who does nothing but shoot. The "
        "dashed lines mark 50 % and 90 %: where a curve crosses them, the target is gone in half of all cases, or "
        "nearly always."
    ),
    "again_switch": N_("Situation"),
    "again_of": N_("How many turns {attacker} takes to remove a target. {said}."),
    "again_axis": N_("turns of the attacker"),
    "again_half": N_("{target}: half of the time by turn {n}"),
    "again_late": N_("{target}: less than half of the time by turn {n}"),
    "again_table": N_("Turns until the target is gone"),
    "again_plan": N_("plan"),
    "melee_lead": N_(
        "Each row attacks the fighter named above each column hand to hand and strikes first; who lives strikes "
        "back. Blue is good for the one who strikes first, orange for the other."
    ),
}
"""The sentences of the page that rooms may say otherwise: of an attack (`shooting`), of its distribution (`spread`), of
shooting again and again (`again`), of melee."""


class Words:
    """The names and sentences of one room."""

    def __init__(self, own: Mapping[str, str], titles: Mapping[str, str], sentences: Mapping[str, str]) -> None:
        self._own, self._titles, self._sentences = own, titles, {**SENTENCES, **sentences}

    def called(self, key: Any, kind: str = "") -> str:
        """The name of a situation, figure, policy, plan or stat. `kind` parts two meanings of one key."""
        text = str(key)
        known = self.known(text, kind)
        if known:
            return _(known)
        parts = text.split("-")
        if kind == "plan" and len(parts) > 1:
            return ", ".join(self.called(part, kind) for part in parts)
        return text.replace("-", " ").replace("_", " ")

    def known(self, key: str, kind: str = "") -> str:
        """The name in English; "" when there is none."""
        return self._own.get(f"{key}-{kind}") or self._own.get(key) or self._titles.get(key) or ""

    def asked(self, circumstances: Mapping[str, str]) -> str:
        """The situation of a shot, or how a melee is played, in a few words; "" where nothing is chosen."""
        words = {name: self.called(word) for name, word in circumstances.items()}
        if "asked" in self._sentences and len(words) > 1:
            return self.say("asked", **words)
        return ", ".join(words.values())

    def say(self, name: str, **fields: str) -> str:
        """A sentence of the page."""
        return _(self._sentences[name]).format(**fields)


@cache
def words_of(ruleset: str) -> Words:
    """The words of a room."""
    chosen = room(ruleset)
    return Words(chosen.part("words", "WORDS"), chosen.titles, chosen.part("words", "SENTENCES"))


def named(name: Any, russian: Any) -> str:
    """A card's or weapon's own name in the language of the page."""
    return lang.named(name if isinstance(name, str) else "", russian if isinstance(russian, str) else "")
