"""A comparison in words: what was compared, what changed, what moved; for the page and for the terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from morsdei_sim.lang import N_, _, named, ngettext
from morsdei_sim.reporting import numbers
from morsdei_sim.reporting.comparison import Change, Comparison
from morsdei_sim.reporting.record import GAMES, Card, Facts, Question
from morsdei_sim.reporting.survey import CALLED
from morsdei_sim.reporting.words import words_of
from morsdei_sim.study import Move

__all__ = ["Told"]

TABLES = {
    "shots": N_("Attacks"),
    "melee": N_("Exchanges of melee"),
    GAMES: N_("Whole games"),
    "cells": N_("Cells"),
}


SIDES = {"attackers": N_("attacker"), "targets": N_("target")}
OPTIONS = {"distance": N_("distance"), "shots": N_("shots")}
NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


class Told:
    """The words of one comparison, in the language of the messages."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.words = words_of(comparison.new.facts.ruleset)
        cards = {one.card: one for one in comparison.old.cards if one.card not in comparison.renamed}
        cards |= {one.card: one for one in comparison.new.cards}
        self._cards = _apart_by_key({ref: named(one.name, one.name_ru) for ref, one in cards.items()})
        self._squads = _apart_by_key({key: named(one.name, one.name_ru) for key, one in comparison.squads.items()})
        self._weapons = {
            (one.card, arm.weapon): named(arm.weapon, arm.weapon_ru) for one in cards.values() for arm in one.weapons
        }

    def card(self, ref: str) -> str:
        """A card's name; its reference where two share a name."""
        return self._cards.get(ref, ref)

    def cards(self, cards: list[Card]) -> str:
        """Several of them."""
        return ", ".join(self.card(one.card) for one in cards)

    def field(self, change: Change) -> str:
        """`Heavy · rifle: Hit`."""
        arm = self._weapons.get((change.card, change.weapon), change.weapon)
        who = f"{self.card(change.card)} · {arm}" if arm else self.card(change.card)
        return f"{who}: {self.words.called(change.field, 'step')}" if change.field else who

    def value(self, value: Any) -> str:
        """A value of a field."""
        if value is None:
            return "—"
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if value == "unlimited":
            return _("unlimited")
        return numbers.stat(value) if isinstance(value, (int, float)) else str(value)

    def figure(self, question: Question) -> str:
        """The name of what was asked."""
        return self.comparison.meaning(question).called(question.figure)

    def about(self, question: Question) -> str:
        """Of whom, and how: `Heavy · rifle → Standard, in cover`."""
        keys = self.comparison.keys[question.table]
        found = dict(zip(keys, question.about, strict=True))
        if question.table == GAMES:
            return f"{self.squad(found['one'])} – {self.squad(found['other'])}"
        if self.comparison.new.facts.kind == "study":
            return ", ".join(self._asked(key, value) for key, value in found.items() if value)
        text = f"{self._armed(found, 'attacker', 'weapon')} → {self._armed(found, 'target', 'target_weapon')}"
        how = [self.words.called(found[key]) for key in keys if key not in IN_TEXT]
        return ", ".join([text, *how])

    def squad(self, key: str) -> str:
        """A squad's name; its file where two share a name, or where the page does not know it."""
        return self._squads.get(key, key)

    def _asked(self, key: str, value: str) -> str:
        """What was asked in a cell of a study: `target field/d3-hp7`, `attacker: Hit 3`, `in cover: yes`."""
        if value in ("True", "False"):
            return f"{self._axis(key)}: {self.value(value == 'True')}"
        if NUMBER.fullmatch(value):
            value = numbers.plain(float(value), len(value.removesuffix(".0").partition(".")[2]))
        return f"{self._axis(key)} {value}"

    def _axis(self, key: str) -> str:
        """An axis in words; as the study's file calls it where there are none."""
        if key in CALLED:
            return _(CALLED[key])
        side, _dot, name = key.rpartition(".")
        known = OPTIONS.get(name) or self.words.known(name, "step")
        if not known:
            return key
        return f"{_(SIDES[side])}: {_(known)}" if side in SIDES else _(known)

    def _armed(self, found: dict[str, str], card: str, weapon: str) -> str:
        name = self.card(found[card])
        arm = found.get(weapon, "")
        return f"{name} · {self._weapons.get((found[card], arm), arm)}" if arm and arm != "nan" else name

    def old(self, move: Move[Question]) -> str:
        """What it was."""
        return self.comparison.meaning(move.question).known(move.question.figure, move.old)

    def new(self, move: Move[Question]) -> str:
        """What it is now."""
        return self.comparison.meaning(move.question).known(move.question.figure, move.new)

    def difference(self, move: Move[Question]) -> str:
        """The difference with its interval; of a chance in percentage points."""
        meaning = self.comparison.meaning(move.question)
        return meaning.difference(move.question.figure, move.difference, move.low, move.high)

    def row(self, move: Move[Question]) -> tuple[str, ...]:
        """Figure, of whom, before, after, difference: a row of a list."""
        question = move.question
        return self.figure(question), self.about(question), self.old(move), self.new(move), self.difference(move)

    # ── sentences ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def warnings(self) -> list[str]:
        """What makes the comparison doubtful; a different make of the program above all."""
        old, new = self.comparison.old.facts, self.comparison.new.facts
        made = [(_("version of the ruleset's numbers"), old.ruleset_version, new.ruleset_version),
                ("morsdei_sim", old.version, new.version),
                (_("digest of the compiled sources"), old.kernels, new.kernels)]  # fmt: skip
        differ = [f"{name} {before} → {after}" for name, before, after in made if before != after]
        found = []
        if differ:
            text = _("DIFFERENT VERSIONS of the program made these figures ({differ}): what moved may have moved for "
                     "that reason and not because of the cards.")  # fmt: skip
            found.append(text.format(differ=", ".join(differ)))
        if old.rules != new.rules:
            sides = {name: (old.rules.get(name), new.rules.get(name)) for name in (*old.rules, *new.rules)}
            rules = (f"{name} {self.value(one)} → {self.value(other)}" for name, (one, other) in sides.items())
            found.append(_("The rules differ: {rules}.").format(rules=", ".join(rules)))
        if not (old.whole and new.whole):
            found.append(_("One of the pages keeps only a part of its figures; compare the folders for all."))
        found += [self._apart(table, *counts) for table, counts in self.comparison.apart.items()]
        for before, after in self.comparison.renamed.items():
            if "/" in before:
                found.append(_("{old} is taken for {new}.").format(old=before, new=after))
        return found

    def _apart(self, table: str, old: int, new: int) -> str:
        """That a whole table is not compared, and why."""
        if old and new:
            text = _(
                "{what} are not compared: both have them, but none of the same cards or squads, or not played alike "
                "({old} figures and {new})."
            )
        elif old:
            text = _("{what} are not compared: only the old one has them ({old} figures).")
        else:
            text = _("{what} are not compared: only the new one has them ({new} figures).")
        return text.format(what=_(TABLES.get(table, table)), old=numbers.whole(old), new=numbers.whole(new))

    def certainty(self) -> str:
        """What the intervals of the differences mean."""
        sampled = self.comparison.sampled
        if not sampled:
            return _("All figures compared are exact: a difference is the difference, and has no interval.")
        text = _(
            "The interval of a difference is one of 95 %, made of the intervals of both sides as of independent "
            "samples. Where it leaves zero out the figure is said to have moved. A figure that did not move is said so "
            "by chance one time in twenty: of these {all}, if none had moved, {n} on average. Figures that were rolled "
            "on the same dice err together, so it may be none of them, or many at once."
        )
        said = text.format(n=numbers.whole(round(sampled / 20)), all=numbers.whole(sampled))
        partly = sampled < len(self.comparison.moves)
        return f"{_('Figures without an interval are exact.')} {said}" if partly else said

    def counted(self) -> str:
        """How many figures moved."""
        counts = self.comparison.counts
        text = ngettext("{n} figure moved", "{n} figures moved", counts["moved"])
        parts = [text.format(n=numbers.whole(counts["moved"]))]
        if counts["open"]:
            parts.append(_("{n} cannot be told apart").format(n=numbers.whole(counts["open"])))
        parts.append(_("{n} are the same").format(n=numbers.whole(counts["same"])))
        alone = self.comparison.only_old + self.comparison.only_new
        if alone:
            parts.append(_("{n} stand on one side only").format(n=numbers.whole(alone)))
        return ", ".join(parts)

    def made(self, facts: Facts) -> str:
        """What one side rests on."""
        exact = _("exchanges are exact, whole games are sampled") if facts.games else _("every number is exact")
        parts = [f"{facts.ruleset} {facts.ruleset_version}", f"morsdei_sim {facts.version}",
                 exact if facts.engine == "exact" else _("sampled")]  # fmt: skip
        if facts.trials is not None:
            parts.append(_("trials") + f" {numbers.whole(facts.trials)}")
        if facts.games is not None:
            parts.append(_("games of each pairing") + f" {numbers.whole(facts.games)}")
        if facts.seed is not None:
            parts.append(_("seed") + f" {facts.seed}")
        return ", ".join(parts)


def _apart_by_key(names: Mapping[str, str]) -> dict[str, str]:
    """Names; where two share one, the key tells them apart."""
    often = Counter(names.values())
    return {key: name if name and often[name] == 1 else f"{name} ({key})".strip() for key, name in names.items()}


IN_TEXT = {"attacker", "weapon", "target", "target_weapon"}
