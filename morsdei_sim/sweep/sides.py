"""Who takes part in a study: cards or squads by the name of their columns, and how rooms are told of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from morsdei_sim.cards import give_back, lend, locate, read_squad, squad_of
from morsdei_sim.cards.squad import files_of
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import Room
from morsdei_sim.sweep.roster import roster

__all__ = ["Side", "cards_named", "squads_named"]


@dataclass(frozen=True)
class Side:
    """A card, or the cards of a squad.

    Attributes
    ----------
    ref : what the column calls it: `squad/fighter`, or the squad as it was named.
    cards : one card; of a squad all cards of its file.
    squad, name, name_ru : the file's name without its ending, and the squad's own names.
    some : which fighters of the squad are meant, `one+two`; "": all.
    """

    ref: str
    cards: tuple[Any, ...]
    squad: str
    name: str = ""
    name_ru: str = ""
    some: str = ""

    def fighters(self) -> list[tuple[str, Any]]:
        """Every card as `squad/fighter`, with the card."""
        return [(f"{self.squad}/{card.id or card.name}", card) for card in self.cards]

    def lent(self, change: Callable[[str, Any], Any]) -> str:
        """A reference for rooms, the cards changed by a function of (`squad/fighter`, card); to be given back."""
        lent = lend([change(ref, card) for ref, card in self.fighters()], self.name, self.name_ru)
        return f"{lent}/{self.some}" if self.some else lent

    def give_back(self, reference: str) -> None:
        """Take back what `lent` gave."""
        give_back(reference.partition("/")[0])

    def content(self) -> list[Any]:
        """Everything that numbers can depend on, for JSON."""
        return [self.ref, self.some, *(card.model_dump(mode="json") for card in self.cards)]


def cards_named(chosen: Room, reference: str, folder: Path) -> list[Side]:
    """The cards of a squad, a file or a folder, or one card; files beside the study go first."""
    found = roster(chosen, [_beside(chosen, reference, folder)])
    return [Side(one.ref, (one.card,), one.ref.rpartition("/")[0], one.squad, one.squad_ru) for one in found]


def squads_named(chosen: Room, reference: str, folder: Path) -> list[Side]:
    """A squad or some of its fighters, or the squads of a folder; files beside the study go first."""
    place = profiles_dir() / chosen.name
    text = _beside(chosen, reference, folder)
    if Path(text).is_dir():
        return [one for file in files_of(Path(text)) for one in squads_named(chosen, str(file), folder)]
    squad_of(text, chosen.model, place)  # fighters that are not there are faults of the study
    file, some = locate(text, place)
    head = read_squad(file, chosen.model)
    ref = f"{file.stem}/{some}" if some else file.stem
    return [Side(ref, head.cards, file.stem, head.name or file.stem, head.name_ru, some)]


def _beside(chosen: Room, reference: str, folder: Path) -> str:
    text = reference.strip()
    beside = folder / text
    if beside.is_dir():
        return str(beside)
    if re.search(r"\.(toml|csv|xlsx|ods)\b", text, re.IGNORECASE):
        file, _some = locate(str(beside), profiles_dir() / chosen.name)
        return str(beside) if file.is_file() else text
    return text
