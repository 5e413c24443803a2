"""What is the same in two records though it is called otherwise: cards and squads that lie in another file now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING

from morsdei_sim.cards.squad import READABLE
from morsdei_sim.reporting.record import GAMES, Question, Record

if TYPE_CHECKING:
    from morsdei_sim.study import Known

__all__ = ["likened", "moved_elsewhere", "squad_keys", "squads_of"]

CARDS = ("attacker", "target")
SQUADS = ("one", "other")
"""Keys of tables whose values are cards, and squads as they were named to the program."""


def moved_elsewhere(old: Record, new: Record) -> dict[str, str]:
    """Cards that only lie in another file now: `old.toml/chief` is `new.toml/chief` where each is the only chief."""

    def alone(one: Record, other: Record) -> dict[str, str]:
        there = {card.card for card in other.cards}
        by_name: dict[str, list[str]] = {}
        for card in one.cards:
            if card.card not in there:
                by_name.setdefault(card.card.rpartition("/")[2], []).append(card.card)
        return {name: refs[0] for name, refs in by_name.items() if len(refs) == 1}

    before, after = alone(old, new), alone(new, old)
    cards = {before[name]: after[name] for name in before.keys() & after.keys()}
    squads = {one.rpartition("/")[0]: other.rpartition("/")[0] for one, other in sorted(cards.items())}
    return cards | {one: other for one, other in squads.items() if one != other and one}


def likened(record: Record, renamed: Mapping[str, str], squads: Mapping[str, str]) -> dict[Question, Known]:
    """The figures of a record, of cards as they are called now and of squads by their keys."""
    names: dict[str, dict[str, Mapping[str, str]]] = {
        table.name: dict.fromkeys(CARDS, renamed) | dict.fromkeys(SQUADS, squads) for table in record.tables
    }
    keys = {table.name: table.keys for table in record.tables}
    found = {}
    for question, known in record.known().items():
        whom = zip(keys[question.table], question.about, strict=True)
        about = tuple(names[question.table].get(key, {}).get(word, word) for key, word in whom)
        found[question._replace(about=about)] = known
    return found


def squads_of(record: Record, renamed: Mapping[str, str]) -> dict[str, str]:
    """The squads of a record's whole games with their keys."""
    rows = [row[: len(table.keys)] for table in record.tables if table.name == GAMES for row in table.rows]
    named = dict.fromkeys(record.words[int(place or 0)] for row in rows for place in row)
    return squad_keys(named, record.facts.ruleset, renamed)


def squad_keys(squads: Iterable[str], ruleset: str, renamed: Mapping[str, str]) -> dict[str, str]:
    """Squads as cards know them, by the stem of the file: `week1`, whether `./week1.xlsx` or `old/week1.toml`.

    Files come first: a designer's own `my/line.toml` is `line`, and the ruleset's own squad of that name is then
    `morsdei/line`.
    """
    found: dict[str, str] = {}
    for squad in sorted(squads, key=lambda squad: _stem(squad) == squad):
        stem = _stem(squad)
        key = renamed.get(stem, stem)
        if key in found.values():
            key = f"{ruleset}/{squad}" if squad == stem == key else squad
        found[squad] = key
    return found


def _stem(squad: str) -> str:
    """Of a path of any system; what is called by a bare name has no ending to lose."""
    path = PureWindowsPath(squad)
    return path.stem if path.suffix.lower() in READABLE else path.name
