"""A card by its reference: squad/fighter, path/to/file.toml/fighter, or a file that holds one card."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from morsdei_sim.cards.lent import LENT
from morsdei_sim.cards.safe import fail, neighbour
from morsdei_sim.cards.squad import READABLE, read
from morsdei_sim.cards.text import alike, norm
from morsdei_sim.cards.values import meant
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

__all__ = ["find", "is_reference", "locate", "pick", "squad_of"]

Card = TypeVar("Card", bound=BaseModel)
Record = TypeVar("Record", bound=BaseModel)


def is_reference(text: str) -> bool:
    """Whether a text names a card file or squad/fighter rather than numbers."""
    return text.startswith(LENT) or bool(
        re.search(r"\.(toml|csv|xlsx|ods)\b", text, re.IGNORECASE)
        or re.search(r"[^\s\d]\s*[/\\]|[/\\]\s*[^\s\d]", text)
    )


def find(reference: str, model: type[Card], folder: str | Path) -> Card:
    """Find one card.

    Parameters
    ----------
    reference : str
        ``squad/fighter`` (a file of `folder` and an id or a name in either language, in any case),
        ``path/file.toml/fighter``, or a squad or file alone when it holds one card.
    model : type of pydantic.BaseModel
        The room's card model.
    folder : str or Path
        Where squads lie, ``profiles/<room>``.

    Returns
    -------
    card

    Raises
    ------
    CardFaults
        The file is missing or faulty, or holds no such card; with what was probably meant.
    """
    file, name = locate(reference.strip(), Path(folder))
    cards = read(file, model)
    if not name:
        if len(cards) == 1:
            return cards[0]
        some = ", ".join(f"{reference.strip()}/{_ident(card)}" for card in cards[:10])
        raise fail(str(file), _("holds {count} cards: say which one").format(count=len(cards)), some)
    for same, key in product((norm, alike), ("id", "name", "name_ru")):  # as it is spelled, then as it looks
        found = [card for card in cards if same(str(getattr(card, key, ""))) == same(name)]
        if len(found) == 1:
            return found[0]
        if found:
            some = ", ".join(_ident(card) for card in found[:10])
            raise fail(str(file), _('"{name}" is the name of several cards: give the id').format(name=name), some)
    words = [word for card in cards for word in _words(card)]
    hint = meant(name, words) or _("it holds: {names}").format(names=", ".join(_ident(card) for card in cards[:20]))
    raise fail(str(file), _('holds no card "{name}"').format(name=name), hint)


def squad_of(reference: str, model: type[Card], folder: str | Path) -> list[Card]:
    """The cards of a squad: ``squad`` or ``path/file.toml``, or some of its fighters, ``squad/one+two``.

    A fighter named twice comes twice.

    Raises
    ------
    UserError
        Nothing is written, or the file holds no fighters.
    CardFaults
        As `find`.
    """
    if not reference.strip():
        raise UserError(_("nothing is written between the quotes"))
    file, names = locate(reference.strip(), Path(folder))
    if names:
        return [find(f"{file}/{name.strip()}", model, folder) for name in names.split("+")]
    cards = read(file, model)
    if not cards:
        raise UserError(_('"{text}" holds no fighters').format(text=reference))
    return cards


def pick(wanted: str, records: Sequence[Record], whose: str, hint: str = "") -> Record:
    """The record asked for by its id or by a name in either language; UserError with what was probably meant."""
    for one in records:
        if norm(wanted) in {norm(word) for word in _words(one)}:
            return one
    close = hint or meant(wanted, [word for one in records for word in _words(one)])
    names = ", ".join(map(_ident, records))
    message = _('{fighter} has no such weapon here: "{weapon}"').format(fighter=whose, weapon=wanted)
    raise UserError(f"{message} ({close or _('it has: {names}').format(names=names or '—')})")


def _words(record: BaseModel) -> list[str]:
    return [word for key in ("id", "name", "name_ru") if (word := str(getattr(record, key, "")))]


def _ident(card: BaseModel) -> str:
    return str(getattr(card, "id", "") or getattr(card, "name", ""))


def locate(reference: str, folder: Path) -> tuple[Path, str]:
    """The file and the card's name within it, "" when only the file is named."""
    if reference.startswith(LENT):
        lent, _slash, name = reference.partition("/")
        return Path(lent), name
    whole = Path(reference)
    if whole.suffix.lower() in READABLE:
        return whole, ""
    before, slash, name = reference.replace("\\", "/").rpartition("/")
    if slash and Path(before).suffix.lower() in READABLE:
        return Path(before), name
    squad = before if slash else reference
    return _squad_file(squad, folder), name if slash else ""


def _squad_file(squad: str, folder: Path) -> Path:
    try:
        files = [
            one
            for one in sorted(folder.iterdir())
            if one.suffix.lower() in READABLE and not one.name.startswith((".", "~"))
        ]
    except OSError:
        files = []
    found = [one for one in files if norm(one.stem) == norm(squad)]
    if found:
        return next((one for one in found if one.suffix.lower() == ".toml"), found[0])
    for kind in READABLE:  # a squad file outside the folder, named without its ending
        beside = Path(squad + kind)
        if "\0" not in squad and beside.is_file():
            return beside
    stems = [one.stem for one in files]
    near = neighbour(Path(squad)) if Path(squad).suffix and "\0" not in squad else ""
    hint = (
        meant(squad, stems) or near or (_("squads there: {names}").format(names=", ".join(stems[:20])) if stems else "")
    )
    raise fail("", _('no squad "{name}" in {folder}').format(name=squad, folder=folder), hint)
