"""Two records compared: cards, the text of studies, figures, and what makes the comparison doubtful."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.reporting.likeness import likened, moved_elsewhere, squads_of
from morsdei_sim.reporting.meaning import Meaning
from morsdei_sim.reporting.record import GAMES, Card, Question, Record, Squad, Weapon
from morsdei_sim.reporting.squads import INTERNAL
from morsdei_sim.study import Known, Move, moves
from morsdei_sim.sweep.study_axes import BATTLE

__all__ = ["Change", "Comparison", "compared"]

MOST_LINES = 200
MOST_COMPARED = 2000
"""Lines of a study that are compared: the work grows with their square."""


class Change(NamedTuple):
    """A field of a card, or of one of its weapons, that is another now; None where it is not there."""

    card: str
    weapon: str
    field: str
    old: Any
    new: Any


@dataclass(frozen=True)
class Comparison:
    """What differs between two records.

    Attributes
    ----------
    old, new : the records; cards of the old one that only moved to another file are called as in the new one.
    added, removed : cards that only one of them has.
    changed : fields that differ.
    moves : every figure that both know, chances first, the largest differences first.
    only_old, only_new : figures that only one of them knows.
    text : lines of the studies' files that differ, as `diff -u` shows them.
    renamed : cards of another file that are taken for the same, old name to new.
    apart : tables in which no figure can be compared, with how many figures only the old and only the new one knows.
    squads : those of whole games, by the keys that the figures have; pages of older versions do not know them.
    """

    old: Record
    new: Record
    added: list[Card]
    removed: list[Card]
    changed: list[Change]
    moves: list[Move[Question]]
    only_old: int
    only_new: int
    text: list[str]
    renamed: dict[str, str] = field(default_factory=dict)
    apart: dict[str, tuple[int, int]] = field(default_factory=dict)
    squads: dict[str, Squad] = field(default_factory=dict)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many figures moved, are open, are the same."""
        found = {"moved": 0, "open": 0, "same": 0}
        for move in self.moves:
            found[move.verdict] += 1
        return found

    @cached_property
    def keys(self) -> dict[str, list[str]]:
        """The keys of each table."""
        return {table.name: table.keys for table in self.new.tables}

    @property
    def certain(self) -> str:
        """How the figures that both know were found, in short."""
        if not self.sampled:
            return _("every number is exact")
        return _("sampled, 95 % intervals") if self.sampled == len(self.moves) else _("partly sampled")

    @property
    def sampled(self) -> int:
        """How many of the figures are sampled on either side."""
        return sum(move.low is not None for move in self.moves)

    def meaning(self, question: Question) -> Meaning:
        """What the figure of a question means."""
        return self._meanings[question.table == GAMES or self.new.facts.question == BATTLE]

    @cached_property
    def _meanings(self) -> dict[bool, Meaning]:
        return {games: Meaning(self.new.facts.ruleset, games) for games in (False, True)}

    def with_verdict(self, *verdicts: str) -> list[Move[Question]]:
        """The moves of some verdicts."""
        return [move for move in self.moves if move.verdict in verdicts]


def compared(old: Record, new: Record) -> Comparison:
    """Compare two records.

    Raises
    ------
    UserError : a page of cards and one of a study, or of two rulesets.
    """
    if old.facts.kind != new.facts.kind:
        raise UserError(_("One is of cards and the other of a study: there is nothing to compare."))
    if old.facts.ruleset != new.facts.ruleset or old.facts.question != new.facts.question:
        text = _("One answers {old}, the other {new}: there is nothing to compare.")
        asked = [" ".join(filter(None, (one.facts.ruleset, one.facts.question))) for one in (old, new)]
        raise UserError(text.format(old=asked[0], new=asked[1]))
    renamed = moved_elsewhere(old, new)
    keys = squads_of(old, renamed), squads_of(new, {})
    before, after = _figures(old, renamed, keys[0]), _figures(new, {}, keys[1])
    mine, others = ({renamed.get(one.card, one.card): one for one in old.cards}, {one.card: one for one in new.cards})
    made = Comparison(
        old, new,
        [card for ref, card in others.items() if ref not in mine],
        [card for ref, card in mine.items() if ref not in others],
        [change for ref, card in mine.items() if ref in others for change in _changes(ref, card, others[ref])],
        moves(before, after),
        sum(question not in after for question in before),
        sum(question not in before for question in after),
        _lines(old.facts.text, new.facts.text),
        renamed,
        _apart(before, after),
        {key[one.squad]: one for side, key in zip((old, new), keys, strict=True) for one in side.squads
         if one.squad in key},
    )  # fmt: skip
    made.moves.sort(key=lambda move: (not made.meaning(move.question).is_share(move.question.figure),
                                      -abs(move.difference)))  # fmt: skip
    return made


def _figures(record: Record, renamed: dict[str, str], squads: dict[str, str]) -> dict[Question, Known]:
    """What is worth comparing of a record: all but counts of what the program did."""
    battles = record.facts.question == BATTLE
    return {
        question: known
        for question, known in likened(record, renamed, squads).items()
        if question.figure not in INTERNAL or not (battles or question.table == GAMES)
    }


def _apart(before: Iterable[Question], after: Iterable[Question]) -> dict[str, tuple[int, int]]:
    """Tables that have no question in common."""
    old, new = set(before), set(after)
    shared = {question.table for question in old & new}
    counts = [Counter(question.table for question in one) for one in (old, new)]
    tables = dict.fromkeys((*counts[0], *counts[1]))
    return {table: (counts[0][table], counts[1][table]) for table in tables if table not in shared}


def _changes(ref: str, old: Card, new: Card) -> list[Change]:
    """Fields of a card and its weapons that differ; a weapon that is gone or new has one line."""
    found = _fields(ref, "", old.stats, new.stats)
    mine, others = ({arm.weapon: arm for arm in card.weapons} for card in (old, new))
    for name in dict.fromkeys((*mine, *others)):
        if name in mine and name in others:
            found += _fields(ref, name, mine[name].stats, others[name].stats)
        else:
            found.append(Change(ref, name, "", _arm(mine.get(name)), _arm(others.get(name))))
    return found


def _arm(weapon: Weapon | None) -> str | None:
    return None if weapon is None else ", ".join(f"{name} {value}" for name, value in weapon.stats.items())


def _fields(ref: str, weapon: str, old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    names = dict.fromkeys((*old, *new))
    return [Change(ref, weapon, name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)]


def _lines(old: str, new: str) -> list[str]:
    if old == new:
        return []
    before, after = (text.splitlines()[:MOST_COMPARED] for text in (old, new))
    return list(difflib.unified_diff(before, after, lineterm="", n=1))[2 : MOST_LINES + 2]
