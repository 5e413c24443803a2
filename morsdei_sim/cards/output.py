"""Cards out: TOML, CSV and XLSX that read back to the same cards."""

from __future__ import annotations

import errno
import io
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from morsdei_sim.cards.cells import csv_bytes, put, workbook
from morsdei_sim.cards.editor import about
from morsdei_sim.cards.safe import quoted, unwritable
from morsdei_sim.cards.shape import Column, Shape, shape
from morsdei_sim.cards.titles import inner_key, titles
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

__all__ = ["KINDS", "check_destination", "save", "to_bytes"]

KINDS = (".toml", ".csv", ".xlsx")
GUIDED = 1000
"""So many rows of a sheet have drop-down lists and limits."""

_SHEET_NAMES = {"en": ("Cards", "Notes"), "ru": ("Карточки", "Пояснения")}
_SWITCH = {"en": ("no", "yes"), "ru": ("нет", "да")}
_DECIMALS = {
    "en": "Decimals as your program writes them: 6.5 or 6,5. The other way it makes a date.",
    "ru": "Дробь — так, как её пишет ваша программа: 6,5 или 6.5. Иначе выйдет дата.",
}


def to_bytes(
    kind: str,
    cards: Sequence[BaseModel],
    model: type[BaseModel],
    lang: str,
    squad: dict[str, str],
    notes: Sequence[str] = (),
    schema: str = "",
) -> bytes:
    """The content of a card file of that kind (".toml", ".csv" or ".xlsx")."""
    form = shape(model)
    if kind == ".toml":
        return _toml(cards, form, squad, notes, schema).encode()
    table = list(_table(cards, form, lang, squad))
    return csv_bytes(table, lang) if kind == ".csv" else _xlsx(table, form, lang, notes)


def check_destination(path: Path, force: bool) -> None:
    """Whether a file may be written there, asked before the work; UserError with the remedy when it may not."""
    folder = path.parent
    try:
        if path.is_dir():
            raise UserError(_("{file} is a folder; name a file in it.").format(file=path))
        if path.exists() and not force:
            raise UserError(_("{file}: already exists; use --force to overwrite it").format(file=path))
        if not folder.exists():
            make = quoted("mkdir", *([] if os.name == "nt" else ["-p"]), folder)
            raise UserError(
                _("{file}: there is no such folder yet; make it first: {make}").format(file=path, make=make)
            )
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "", str(folder))
        if not os.access(folder, os.W_OK):
            raise OSError(errno.EROFS if _read_only(folder) else errno.EACCES, "", str(folder))
    except OSError as error:
        raise unwritable(path, error) from None


def _read_only(folder: Path) -> bool:
    """Whether the disk is, and not only the folder."""
    if sys.platform == "win32":  # it tells of no such thing
        return False
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def save(path: Path, content: bytes, force: bool) -> None:
    """Write a file as a whole or not at all; an existing one only when forced."""
    check_destination(path, force)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner may read.
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        if force:
            Path(temporary).replace(path)
        else:
            _claim(temporary, path)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        if temporary:
            with suppress(OSError):
                Path(temporary).unlink()


def _claim(temporary: str, path: Path) -> None:
    """Give the file its name unless somebody else took it meanwhile."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise UserError(_("{file}: already exists; use --force to overwrite it").format(file=path)) from None
    except OSError:  # a file system without hard links
        Path(temporary).replace(path)


def _plain(card: BaseModel, columns: Sequence[Column]) -> Iterator[tuple[Column, Any]]:
    """Fields worth writing: all but the empty ones. A default number is written, so that it can be seen and changed."""
    for column in columns:
        value = getattr(card, column.key)
        if column.required or value not in ("", (), None):
            yield column, value


def _toml(cards: Sequence[BaseModel], form: Shape, squad: dict[str, str], notes: Sequence[str], schema: str) -> str:
    import tomlkit

    document = tomlkit.document()
    for line in notes:
        document.add(tomlkit.comment(line))
    if notes:
        document.add(tomlkit.nl())
    for key, text in squad.items():
        if text:
            document.add(key, tomlkit.string(text))
    many = tomlkit.aot()
    for card in cards:
        table = tomlkit.table()
        for column, value in _plain(card, form.columns):
            table.add(column.key, _toml_value(value))
        if form.record is not None:
            inner = tomlkit.aot()
            for record in getattr(card, form.record_key):
                row = tomlkit.table()
                for column, value in _plain(record, form.record.columns):
                    row.add(column.key, _toml_value(value))
                inner.append(row)
            table.add(form.record_key, inner)
        many.append(table)
    document.add(form.name, many)
    return (f"#:schema {schema}\n" if schema else "") + tomlkit.dumps(document)


def _toml_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    # 6 reads better than 6.0 on a card, and is the same number.
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def _table(cards: Sequence[BaseModel], form: Shape, lang: str, squad: dict[str, str]) -> Iterator[list[Any]]:
    """Header and rows: one row per record, the card's own columns on its first row only."""
    columns = titles(form).columns
    heads = {
        "squad": "Отряд" if lang == "ru" else "Squad",
        "squad_ru": "Отряд (рус.)" if lang == "ru" else "Squad (Russian)",
    }
    extra = [(key, text) for key, text in squad.items() if text]
    yield [column.title_ru if lang == "ru" else column.title for _level, column in columns] + [
        heads[key] for key, _t in extra
    ]
    for number, card in enumerate(cards):
        records = getattr(card, form.record_key) if form.record else ()
        for index, record in enumerate(records or (None,)):
            row = []
            for level, column in columns:
                key = column.key if level == "card" else inner_key(column, form)
                source = record if level == "record" else card if index == 0 else None
                row.append(None if source is None else _cell_value(column, getattr(source, key), lang))
            yield row + [text if number == index == 0 else None for _key, text in extra]


def _cell_value(column: Column, value: Any, lang: str) -> Any:
    if value is None or value == "":
        return None
    if column.kind == "words":
        return ", ".join(value) or None
    if column.kind == "choice":
        return column.word(value, lang)
    if column.kind == "switch":
        return _SWITCH[lang][value]
    return value


def _xlsx(table: list[list[Any]], form: Shape, lang: str, notes: Sequence[str]) -> bytes:
    stream = io.BytesIO()
    book = workbook(stream)
    sheet = book.add_worksheet(_SHEET_NAMES[lang][0])
    bold = book.add_format({"bold": True, "bottom": 1})
    text = book.add_format({"num_format": "@"})
    columns = [column for _level, column in titles(form).columns]
    for index, title in enumerate(table[0]):
        column = columns[index] if index < len(columns) else None
        sheet.write_string(0, index, title, bold)
        # Text format keeps 3-4 from becoming the fourth of March.
        plain = text if column is None or column.kind in ("text", "words") else None
        sheet.set_column(index, index, max(9, min(24, len(title) + 3)), plain)
        if column is not None:
            _guide(sheet, index, column, lang)
    for number, row in enumerate(table[1:], 1):
        for index, cell in enumerate(row):
            put(sheet, number, index, _exact(cell))
    sheet.freeze_panes(1, 0)
    if notes:
        page = book.add_worksheet(_SHEET_NAMES[lang][1])
        page.set_column(0, 0, 110)
        for number, line in enumerate(notes):
            page.write_string(number, 0, line)
    book.close()
    return stream.getvalue()


def _exact(cell: Any) -> Any:
    """A number of seventeen digits as text, since a card must read back as it was."""
    return repr(cell) if isinstance(cell, float) and float(f"{cell:.16G}") != cell else cell


def _guide(sheet: Any, index: int, column: Column, lang: str) -> None:
    """A note on the title and, where a number or a choice is asked, what the cells below it may hold."""
    said = about(column, lang)
    sheet.write_comment(0, index, said, {"x_scale": 1.6})
    low = column.bound("ge") if column.bound("gt") is None else column.bound("gt")
    high = column.bound("le")
    rule: dict[str, Any] = {}
    if column.kind in ("choice", "switch"):
        words = [column.word(choice, lang) for choice in column.choices] or list(_SWITCH[lang])
        rule = {"validate": "list", "source": words}
    elif column.kind in ("whole", "length") and low is not None and high is not None:
        kind = "integer" if column.kind == "whole" else "decimal"
        # A warning, which may be overruled: 4+ and 4d6 are understood too.
        rule = {"validate": kind, "criteria": "between", "minimum": low, "maximum": high, "error_type": "warning"}
    if column.kind == "length":
        said = f"{said}. {_DECIMALS[lang]}"
    if rule:
        title = column.title_ru if lang == "ru" else column.title
        # Excel allows no more letters.
        sheet.data_validation(1, index, GUIDED, index, {**rule, "error_title": title[:32], "error_message": said[:255]})
