"""Who is compared: cards read once, each under the name by which every frame calls it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from morsdei_sim.cards import find, locate, read_squad
from morsdei_sim.cards.squad import files_of
from morsdei_sim.errors import CardFaults, Fault, UserError
from morsdei_sim.lang import _
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import Room

__all__ = ["Contestant", "digest", "field_of", "roster"]


class Contestant(NamedTuple):
    """A card by the name that the frames use, `squad/fighter`, and its squad's name in both languages."""

    ref: str
    card: Any
    squad: str
    squad_ru: str
    field: bool = False


def roster(room: Room, references: Sequence[str] | None) -> list[Contestant]:
    """The cards named, each once and in order; without names, all cards of the room but its reference field.

    A reference is a squad, a file or a folder (all its cards), or one card of them.

    Raises
    ------
    CardFaults : every fault of every file.
    UserError : two different files would give cards the same name.
    """
    if references is None:
        field = room.part("variants", "FIELD")
        references = [str(one) for one in files_of(_folder(room)) if one.name != field]
    found: list[Contestant] = []
    faults: list[Fault] = []
    origin: dict[str, Path] = {}
    for path, name in _named(room, references, faults):
        try:
            read = _cards(room, path, name)
        except CardFaults as error:
            faults += [fault for fault in error.faults if fault not in faults]
            continue
        for one in read:
            if one.ref not in origin:
                origin[one.ref] = path.resolve()
                found.append(one)
            elif origin[one.ref] != path.resolve():
                message = _("two files hold a card {card}: {one} and {other}; rename one of the files")
                raise UserError(message.format(card=one.ref, one=origin[one.ref], other=path))
    if faults:
        raise CardFaults(faults)
    return found


def field_of(room: Room, references: Sequence[str] | None) -> list[Contestant]:
    """The reference targets: the cards named, else the room's own."""
    if references is None:
        path = _folder(room) / room.part("variants", "FIELD")
        references = [str(path)] if path.is_file() else []
    return [one._replace(field=True) for one in roster(room, references)]


def _folder(room: Room) -> Path:
    return profiles_dir() / room.name


def _named(room: Room, references: Iterable[str], faults: list[Fault]) -> Iterable[tuple[Path, str]]:
    """File and card ("" for all) of each reference."""
    for reference in references:
        text = str(reference).strip()
        try:
            if Path(text).is_dir():
                yield from ((file, "") for file in files_of(Path(text)))
            else:
                yield locate(text, _folder(room))
        except CardFaults as error:
            faults += error.faults


def _cards(room: Room, path: Path, name: str) -> list[Contestant]:
    squad = read_squad(path, room.model)
    cards = [find(f"{path}/{name}", room.model, _folder(room))] if name else list(squad.cards)
    named = squad.name or path.stem
    return [Contestant(f"{path.stem}/{card.id or card.name}", card, named, squad.name_ru or named) for card in cards]


def digest(contestants: Iterable[Contestant]) -> str:
    """SHA-256 of the cards and the names they go by: the same for the same cards, wherever their files lie."""
    content = [[one.ref, one.field, one.card.model_dump(mode="json")] for one in contestants]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
