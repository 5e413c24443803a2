"""A spreadsheet (CSV, XLSX, ODS) into raw records, each value with its cell.

One row is one weapon. The fighter's columns stand on its first row and are repeated or left blank on the rows of its
other weapons.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from morsdei_sim.cards.check import MAX_CARDS, MAX_RECORDS, Entry, Raw
from morsdei_sim.cards.formulas import formula_errors
from morsdei_sim.cards.safe import MAX_COLUMNS, MAX_ROWS, fail, read_text, unpacked
from morsdei_sim.cards.shape import Column, Shape
from morsdei_sim.cards.text import norm
from morsdei_sim.cards.toml_file import HEADINGS
from morsdei_sim.cards.values import BadValue, meant, show, understand
from morsdei_sim.errors import Fault
from morsdei_sim.lang import _

__all__ = ["Titles", "inner_key", "read_csv", "read_sheets", "titles"]

_Found = tuple[list[Raw], dict[str, Entry], list[Fault]]
_MARKS = ("=", "+", "-", "@", "\t", "'")


@dataclass(frozen=True)
class Titles:
    """How the columns of a sheet are headed: (level, column), level "card" or "record"."""

    columns: tuple[tuple[str, Column], ...]

    def meant(self, word: str) -> tuple[str, Column] | None:
        wanted = norm(word)
        for exact in (True, False):
            for level, column in self.columns:
                if wanted in ({norm(column.key)} if exact else column.spellings()):
                    return level, column
        return None


def titles(shape: Shape) -> Titles:
    """The columns of a sheet; a weapon's name and name_ru are headed weapon and weapon_ru, or "weapon name"."""
    found = [("card", column) for column in shape.columns]
    own = {column.key for column in shape.columns}
    for column in shape.record.columns if shape.record else ():
        if column.key not in own:
            found.append(("record", column))
            continue
        key = column.key.replace("name", shape.record_key, 1) if column.key.startswith("name") else ""
        long = f"{shape.record_key}_{column.key}"
        renamed = dict(
            column.__dict__, key=key or long, aliases=(*column.aliases, long, f"{column.key} {shape.record_key}")
        )
        if shape.record and shape.column(column.title) is not None:  # a heading can stand once only
            renamed["title"] = f"{shape.record.model.__name__}: {column.title}"
            renamed["title_ru"] = f"{shape.record.name_ru}: {column.title_ru}"
        found.append(("record", Column(**renamed)))
    return Titles(tuple(found))


def read_csv(path: Path, shape: Shape) -> _Found:
    """Read a CSV as English or Russian Excel and LibreOffice write it."""
    text = read_text(path, legacy=True)
    first, newline, rest = text.partition("\n")
    mark = ""
    if first.strip().lower().startswith("sep=") and len(first.strip()) == 5:  # Excel's own hint
        mark, first = first.strip()[4], rest.partition("\n")[0]
    mark = mark or max(";,\t", key=lambda one: len(_known(next(csv.reader([first], delimiter=one), []), titles(shape))))
    rows = _csv_rows(path, text, mark)
    if newline and rows and rows[0] and norm(str(rows[0][0])).startswith("sep="):
        rows[0] = []
    return _rows(path, [[_bare(cell) for cell in row] for row in rows], shape, "")


def _csv_rows(path: Path, text: str, mark: str) -> list[list[Any]]:
    """The cells of every row; a fault has the line on which its row begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    rows: list[list[Any]] = []
    before = 0
    try:
        for row in reader:
            rows.append(list(row))
            before = reader.line_num
    except csv.Error as error:
        said = str(error)
        known = {"unexpected end of data": _("a quotation mark that opens in this row is never closed")}
        if "expected after" in said:
            known[said] = _("something stands after a closing quotation mark; a quotation mark in a text is doubled")
        message = _("is not a valid CSV: {reason}").format(reason=known.get(said, said))
        raise fail(str(path), message, place=f"line {before + 1}") from None
    return rows


def _bare(cell: str) -> str:
    """Take off the apostrophe that keeps a spreadsheet from running the cell as a formula."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_MARKS) else cell


def read_sheets(path: Path, shape: Shape) -> _Found:
    """Read every sheet of a workbook that has card columns; other sheets (notes, charts) are left alone."""
    copy = unpacked(path)
    sheets = _sheets(path, copy)
    raws: list[Raw] = []
    head: dict[str, Entry] = {}
    faults: list[Fault] = []
    for number, (name, rows) in enumerate(sheets):
        if number and len(_known(next((row for row in rows if _full(row)), []), titles(shape))) < 3:
            continue
        found, entries, more = _rows(path, rows, shape, name)
        raws, head, faults = raws + found, {**entries, **head}, faults + more
    return raws, head, faults


def _sheets(path: Path, copy: io.BytesIO) -> list[tuple[str, list[list[Any]]]]:
    from python_calamine import CalamineWorkbook

    try:
        book = CalamineWorkbook.from_filelike(copy)
        found = []
        for name in book.sheet_names[:50]:
            found.append((name, book.get_sheet_by_name(name).to_python(skip_empty_area=False)))
        for place, row, column, text in formula_errors(copy):
            if place < len(found) and row < len(found[place][1]) and 0 <= column < len(found[place][1][row]):
                found[place][1][row][column] = text
        return found
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException:  # a panic of the Rust reader is no Exception
        raise fail(str(path), _("is not a spreadsheet (.xlsx or .ods), or it is damaged")) from None


def _full(row: list[Any]) -> bool:
    return any(cell != "" for cell in row)


def _known(row: list[Any], names: Titles) -> list[str]:
    return [cell for cell in row if isinstance(cell, str) and names.meant(cell) is not None]


def _cell(sheet: str, row: int, column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(65 + digit) + letters
    return f"{sheet}!{letters}{row + 1}" if sheet else f"{letters}{row + 1}"


class _Sheet:
    """The rows of one sheet under their header."""

    def __init__(self, path: Path, rows: list[list[Any]], shape: Shape, sheet: str) -> None:
        self.path, self.shape, self.sheet = str(path), shape, sheet
        self.head: dict[str, Entry] = {}
        self.raws: list[Raw] = []
        self.faults: list[Fault] = []
        self.columns: dict[int, tuple[str, Column]] = {}
        self.headings: dict[int, str] = {}
        self.words: dict[int, str] = {}
        self.start = next((number for number, row in enumerate(rows) if _full(row)), 0)
        self._header(rows[self.start] if rows else [])
        absent = [
            (level, column)
            for level, column in titles(shape).columns
            if column.required and (level, column.key) not in {(one, c.key) for one, c in self.columns.values()}
        ]
        for _level, column in absent if rows else []:
            message = _('no column "{title}" or "{russian}"').format(title=column.title, russian=column.title_ru)
            if column.title == column.title_ru:  # HP is HP
                message = _('no column "{title}"').format(title=column.title)
            self.faults.append(Fault(self.path, _cell(sheet, self.start, 0), "", "", message))
        inner = {column.key: inner_key(column, shape) for _level, column in absent}
        self.absent = {
            one: frozenset(
                inner[column.key] if level == "record" else column.key for level, column in absent if level == one
            )
            for one in ("card", "record")
        }
        for number in range(self.start + 1, len(rows)):
            if _full(rows[number]):
                self._row(number, rows[number])

    def _header(self, row: list[Any]) -> None:
        names = titles(self.shape)
        known = [word for _level, column in names.columns for word in (column.key, column.title, column.title_ru)]
        seen: dict[tuple[str, str], str] = {}
        for number, cell in enumerate(row):
            word = str(cell).strip()
            heading = next(
                (key for key, words in HEADINGS.items() if norm(word) in {norm(key), *map(norm, words)}), None
            )
            found = names.meant(word)
            place = _cell(self.sheet, self.start, number)
            if heading:
                self.headings[number] = heading
            elif found is None and word:
                self.faults.append(
                    Fault(self.path, place, show(word)[1:-1], "", _("no such column"), meant(word, known))
                )
            elif found is not None and (found[0], found[1].key) in seen:
                again = _("this column stands twice (also in {place})").format(place=seen[found[0], found[1].key])
                self.faults.append(Fault(self.path, place, show(word)[1:-1], "", again))
            elif found is not None:
                seen[found[0], found[1].key] = place
                self.columns[number], self.words[number] = found, word

    def _row(self, number: int, row: list[Any]) -> None:
        parts: dict[str, Raw] = {}
        for level in ("card", "record"):
            parts[level] = Raw(_cell(self.sheet, number, 0), absent=self.absent[level])
        for index, cell in enumerate(row):
            place = _cell(self.sheet, number, index)
            if index in self.headings and cell != "":
                self.head.setdefault(self.headings[index], Entry(self.headings[index], cell, place))
            elif index in self.columns:
                level, column = self.columns[index]
                self._take(
                    parts[level],
                    column,
                    inner_key(column, self.shape) if level == "record" else column.key,
                    cell,
                    place,
                    self.words[index],
                )
            elif cell != "" and index not in self.headings and not self._titled(index):
                self.faults.append(Fault(self.path, place, "", show(cell), _("stands under no column title")))
        self._join(parts["card"], parts["record"])

    def _titled(self, index: int) -> bool:
        # A column with an unknown title was reported once, at the title.
        return any(fault.place == _cell(self.sheet, self.start, index) for fault in self.faults)

    def _take(self, raw: Raw, column: Column, key: str, cell: Any, place: str, word: str) -> None:
        if isinstance(cell, str) and not cell.strip():
            raw.blanks[key] = Entry(word, "", place)
            return
        if column.kind in ("text", "words") and isinstance(cell, (int, float)) and not isinstance(cell, bool):
            cell = f"{cell:.15g}"  # a fighter may be called 7
        raw.entries.append(Entry(word if norm(word) in self._inner(key) else key, cell, place))

    def _inner(self, key: str) -> set[str]:
        """Spellings that the record itself would understand as this key."""
        shapes = [self.shape, self.shape.record] if self.shape.record else [self.shape]
        return {
            word for one in shapes if one for column in one.columns if column.key == key for word in column.spellings()
        }

    def _join(self, card: Raw, record: Raw) -> None:
        """A row begins a new card when it names another one; else its weapon joins the card above."""
        current = self.raws[-1] if self.raws else None
        if current is None or self._differs(card, current):
            self.raws.append(card)
            current = card
        else:
            self._compare(card, current)
        if record.entries:
            current.records.append(record)
        if len(self.raws) > MAX_CARDS or len(current.records) > MAX_RECORDS * 2:
            raise fail(
                self.path,
                _("holds too many rows: at most {cards} cards with {records} rows each").format(
                    cards=MAX_CARDS, records=MAX_RECORDS
                ),
                place=card.place,
            )

    def _differs(self, card: Raw, current: Raw) -> bool:
        # The id decides where both rows have one; else the name.
        for key in ("id", "name"):
            mine, above = self._value(card, key), self._value(current, key)
            if mine is not None and above is not None:
                return norm(str(mine.value)) != norm(str(above.value))
        return self._value(card, "id") is not None or self._value(card, "name") is not None

    def _value(self, raw: Raw, key: str) -> Entry | None:
        return next((one for one in raw.entries if (column := self.shape.column(one.key)) and column.key == key), None)

    def _compare(self, card: Raw, current: Raw) -> None:
        for entry in card.entries:
            column = self.shape.column(entry.key)
            above = self._value(current, column.key) if column else None
            if column is not None and (above is None or not _same(column, entry.value, above.value)):
                message = _("differs from the card's first row, which says {value} ({place})").format(
                    value=show(above.value) if above else _("nothing"), place=above.place if above else current.place
                )
                hint = _("give a new card another name or id; leave the cell blank for the same one")
                self.faults.append(Fault(self.path, entry.place, entry.key, show(entry.value), message, hint))


def _same(column: Column, one: Any, other: Any) -> bool:
    try:
        return bool(understand(column, one) == understand(column, other))
    except BadValue:
        return bool(one == other)


def inner_key(column: Column, shape: Shape) -> str:
    """The record's own key of a sheet column: "weapon" is the weapon's name."""
    if shape.record is None or any(one.key == column.key for one in shape.record.columns):
        return column.key
    long = column.key.removeprefix(shape.record_key)
    return "name" + long if any(one.key == "name" + long for one in shape.record.columns) else long.removeprefix("_")


def _rows(path: Path, rows: list[list[Any]], shape: Shape, sheet: str) -> _Found:
    if len(rows) > MAX_ROWS or max(map(len, rows), default=0) > MAX_COLUMNS:
        most = _("at most {rows} rows and {columns} columns are allowed").format(rows=MAX_ROWS, columns=MAX_COLUMNS)
        raise fail(str(path), _("the sheet is too large"), most, sheet)
    found = _Sheet(path, rows, shape, sheet)
    return found.raws, found.head, found.faults
