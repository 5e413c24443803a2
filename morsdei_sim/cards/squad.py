"""Card files read and written as wholes: the cards of one squad, and its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from morsdei_sim.cards.check import Armoury, Entry, Raw, check
from morsdei_sim.cards.lent import borrowed
from morsdei_sim.cards.output import KINDS, save, to_bytes
from morsdei_sim.cards.safe import fail, os_reason
from morsdei_sim.cards.shape import Shape, shape
from morsdei_sim.cards.table import read_table
from morsdei_sim.cards.text import Text
from morsdei_sim.cards.toml_file import read_toml
from morsdei_sim.cards.values import meant, show
from morsdei_sim.errors import CardFaults, Fault, UserError
from morsdei_sim.lang import _

__all__ = ["READABLE", "Squad", "files_of", "is_study", "read", "read_all", "read_squad", "write"]

READABLE = (".toml", ".csv", ".xlsx", ".ods")
ARMOURY = "armoury.toml"
"""Records that the cards of all files of a folder may name, where a model has slots."""
MAX_FAULTS = 200  # of one file; nobody mends more in one sitting

Card = TypeVar("Card", bound=BaseModel)


@dataclass(frozen=True)
class Squad(Generic[Card]):
    """The cards of one file and the squad's name in both languages."""

    path: Path
    cards: tuple[Card, ...]
    name: str = ""
    name_ru: str = ""


def read(path: str | Path, model: type[Card]) -> list[Card]:
    """Read the cards of one file.

    Parameters
    ----------
    path : str or Path
        A ``.toml``, ``.csv``, ``.xlsx`` or ``.ods`` file.
    model : type of pydantic.BaseModel
        The room's card model.

    Returns
    -------
    list of cards
        In the order of the file.

    Raises
    ------
    CardFaults
        With every fault of the file.
    """
    return list(read_squad(path, model).cards)


def read_squad(path: str | Path, model: type[Card]) -> Squad[Card]:
    """Read one file with the squad's name, or take what was lent (`cards.lent`); see `read`."""
    lent = borrowed(str(path))
    if lent is not None:
        return Squad(Path(path), *lent)  # type: ignore[arg-type]
    squad, faults = _read(Path(path), model)
    if faults or squad is None:
        raise CardFaults(faults)
    return squad


def read_all(paths: Iterable[str | Path], model: type[Card]) -> list[Squad[Card]]:
    """Read many files and folders; raises CardFaults with every fault of all of them."""
    squads: list[Squad[Card]] = []
    faults: list[Fault] = []
    for path in paths:
        try:
            files = files_of(Path(path))
        except CardFaults as error:
            faults += error.faults
            continue
        for file in files:
            squad, found = _read(file, model)
            faults += [fault for fault in found if fault not in faults]  # files may share an armoury
            squads += [squad] if squad is not None else []
    if faults:
        raise CardFaults(faults)
    return squads


def files_of(path: Path) -> list[Path]:
    """The card files of a folder, or the file itself. A study, which lies beside its cards, is none."""
    if not path.is_dir():
        return [path]
    try:
        files = sorted(
            one
            for one in path.iterdir()
            if one.suffix.lower() in READABLE and not one.name.startswith((".", "~")) and not is_study(one)
        )
    except OSError as error:
        raise fail(str(path), _("cannot be read: {reason}").format(reason=os_reason(error))) from None
    if not files:
        raise fail(str(path), _("holds no card files ({kinds})").format(kinds=", ".join(READABLE)))
    return files


def is_study(path: Path) -> bool:
    """Whether a TOML file asks a question; what cannot be read is told as a fault of a card file."""
    if path.suffix.lower() != ".toml" or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return re.search(rb"^verb\s*=", file.read(100_000), re.MULTILINE) is not None
    except OSError:
        return False


def _read(path: Path, model: type[Card]) -> tuple[Squad[Card] | None, list[Fault]]:
    form = shape(model)
    kind = path.suffix.lower()
    try:
        shared: list[Raw] = []
        if kind == ".toml":
            raws, head, faults, shared = read_toml(path, form)
        elif kind in READABLE:
            raws, head, faults = read_table(path, form)
        else:
            return None, [_unknown_kind(path)]
    except CardFaults as error:
        return None, list(error.faults)
    armoury, more = Armoury.of(str(path), shared, form)
    faults = faults + more
    if form.slots and path.name != ARMOURY and (path.parent / ARMOURY).is_file():
        more = _lend(path.parent / ARMOURY, armoury, form)
        faults = faults + more
    cards: list[BaseModel] = []
    if raws or not (faults or shared):  # "no cards" would only repeat what is said already
        cards, more = check(str(path), raws, form, armoury)
        faults = faults + more
    names = {key: _squad_name(str(path), entry, faults) for key, entry in head.items()}
    if faults and is_study(path):
        hint = _("`sweep run` checks it, with --dry-run without doing it")
        return None, [Fault(str(path), "", "", "", _("is a study, not a card file"), hint)]
    if faults:
        return None, _first(sorted(faults, key=_order), str(path))
    return Squad(path, tuple(cards), names.get("squad", ""), names.get("squad_ru", "")), []  # type: ignore[arg-type]


def _lend(path: Path, armoury: Armoury, form: Shape) -> list[Fault]:
    """Add the records of the file beside; its faults."""
    try:
        _raws, _head, faults, shared = read_toml(path, form)
    except CardFaults as error:
        return list(error.faults)
    more, found = Armoury.of(str(path), shared, form)
    armoury.lend(more)
    return faults + found


def _unknown_kind(path: Path) -> Fault:
    message = _("is not a card file: its name must end in {kinds}").format(kinds=", ".join(READABLE))
    kind = path.suffix.lower()
    hint = _("save it as .xlsx") if kind in (".xls", ".xlsb", ".xlsm", ".numbers", ".gsheet") else ""
    hint = _("let its name end in .csv") if kind in (".tsv", ".txt", ".tab") else hint
    return Fault(str(path), "", "", "", message, hint)


def _squad_name(file: str, entry: Entry, faults: list[Fault]) -> str:
    from pydantic import TypeAdapter, ValidationError

    try:
        text = TypeAdapter(Text).validate_python(entry.value).strip()
        if len(text) <= 80 and "\n" not in text:
            return text
    except ValidationError:
        pass
    message = _("must be text of at most 80 characters, without control characters")
    faults.append(Fault(file, entry.place, entry.key, show(entry.value), message))
    return ""


def _order(fault: Fault) -> tuple[str, int, int, str]:
    """Sheet, then line or row, then column; faults of the whole file first."""
    sheet, _mark, cell = fault.place.rpartition("!")
    found = re.fullmatch(r"([A-Z]*|line )([0-9]+)", cell)
    return (sheet, int(found[2]), len(found[1]), found[1]) if found else (sheet, 0, 0, "")


def _first(faults: list[Fault], file: str) -> list[Fault]:
    if len(faults) <= MAX_FAULTS:
        return faults
    more = _("and {count} more faults").format(count=len(faults) - MAX_FAULTS)
    return [*faults[:MAX_FAULTS], Fault(file, "", "", "", more)]


def write(
    path: str | Path,
    cards: Sequence[BaseModel],
    model: type[BaseModel],
    lang: str = "en",
    *,
    force: bool = False,
    squad: str = "",
    squad_ru: str = "",
    schema: str = "",
    notes: Sequence[str] = (),
) -> None:
    """Write cards so that `read` gives the same ones back.

    Parameters
    ----------
    path : str or Path
        The ending chooses the format: ``.toml``, ``.csv`` or ``.xlsx``.
    cards : sequence of cards
        At least one.
    model : type of pydantic.BaseModel
        The room's card model.
    lang : {"en", "ru"}
        Language of column titles; ``"ru"`` also gives the CSV semicolons and decimal commas.
    force : bool
        Overwrite an existing file.
    squad, squad_ru : str
        Name of the squad.
    schema : str
        Path or address of the JSON Schema that an editor should use (TOML only).
    notes : sequence of str
        Comment lines (TOML) or the lines of a second sheet (XLSX).

    Raises
    ------
    UserError
        The file exists, cannot be written, or has an unknown ending.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in KINDS:
        hint = _("write .xlsx, and save that as .ods in LibreOffice") if kind == ".ods" else meant(kind, KINDS)
        message = _("{file}: cannot write this kind of file: its name must end in {kinds}").format(
            file=path, kinds=", ".join(KINDS)
        )
        raise UserError(f"{message} ({hint})" if hint else message)
    if not cards:
        raise UserError(_("{file}: there are no cards to write").format(file=path))
    names = {"squad": squad, "squad_ru": squad_ru}
    save(path, to_bytes(kind, cards, model, lang, names, notes, schema), force)
