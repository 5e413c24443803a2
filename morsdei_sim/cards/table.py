"""A spreadsheet (CSV, XLSX, ODS) into raw records, each value with its place.

One row is one weapon. The fighter's columns stand on its first row and are repeated or left blank on the rows of its
other weapons.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from morsdei_sim.cards.check import MAX_CARDS, MAX_RECORDS, Entry, Raw
from morsdei_sim.cards.csv_file import ROWS_ABOVE, read_csv
from morsdei_sim.cards.grid import Grid, letters
from morsdei_sim.cards.safe import MAX_COLUMNS, MAX_ROWS, fail, spot
from morsdei_sim.cards.shape import Column, Shape
from morsdei_sim.cards.text import norm
from morsdei_sim.cards.titles import Titles, inner_key, titles
from morsdei_sim.cards.toml_file import HEADINGS
from morsdei_sim.cards.values import BadValue, Merged, meant, show, understand
from morsdei_sim.cards.workbook import read_workbook
from morsdei_sim.errors import Fault
from morsdei_sim.lang import _, language

__all__ = ["read_table"]

_Found = tuple[list[Raw], dict[str, Entry], list[Fault]]
ENOUGH = 3
"""So many known titles make a row the header."""
OWN_NOTES = "#"
"""A column whose title begins so is the designer's own and is not read."""


def read_table(path: Path, shape: Shape) -> _Found:
    """Read the file, of a workbook every sheet that has card columns; other sheets (notes, charts) are left alone."""
    names = titles(shape)
    grids = [read_csv(path, names.among)] if path.suffix.lower() == ".csv" else read_workbook(path)
    raws: list[Raw] = []
    head: dict[str, Entry] = {}
    faults: list[Fault] = []
    headed = [(grid, start) for grid in grids if (start := _header_of(grid, names)) is not None]
    for grid, start in headed:
        if grid.hidden:
            hint = _("show it, or delete it")
            faults.append(Fault(str(path), grid.place(start, 0), "", "", _("this sheet of cards is hidden"), hint))
            continue
        sheet = _Sheet(grid, start, shape)
        raws, head, faults = raws + sheet.raws, {**sheet.head, **head}, faults + sheet.faults
    return raws, head, faults or ([] if headed else _no_header(grids, shape))


def _header_of(grid: Grid, names: Titles) -> int | None:
    """The row with the most titles, if they are enough. Headings may stand above it."""
    if len(grid.rows) > MAX_ROWS or max(map(len, grid.rows), default=0) > MAX_COLUMNS:
        most = _("at most {rows} rows and {columns} columns are allowed").format(rows=MAX_ROWS, columns=MAX_COLUMNS)
        raise fail(str(grid.path), _("the sheet is too large"), most, grid.sheet)
    counts = [names.among(row) for row in grid.rows[:ROWS_ABOVE]]
    most_titles = max(counts, default=0)
    return counts.index(most_titles) if most_titles >= min(ENOUGH, len(names.columns)) else None


def _no_header(grids: list[Grid], shape: Shape) -> list[Fault]:
    """The fault of a file without a row of titles; none of one without any content."""
    for grid in grids:
        for number, row in enumerate(grid.rows):
            if _full(row):
                wanted = [column for _level, column in titles(shape).columns if column.required]
                listed = ", ".join(column.title_ru if language() == "ru" else column.title for column in wanted)
                said = " ".join(str(cell) for cell in row if cell != "")
                message = _("no row of column titles was found")
                hint = _("needed are {titles}; the verb `template` writes a file that has them").format(titles=listed)
                return [Fault(str(grid.path), grid.place(number, 0), "", show(said), message, hint)]
    return []


def _full(row: list[Any]) -> bool:
    return any(cell != "" and not (isinstance(cell, str) and not cell.strip()) for cell in row)


class _Sheet:
    """The rows of one sheet under their header."""

    def __init__(self, grid: Grid, start: int, shape: Shape) -> None:
        self.grid, self.start, self.shape = grid, start, shape
        self.path = str(grid.path)
        self.head: dict[str, Entry] = {}
        self.raws: list[Raw] = []
        self.faults: list[Fault] = []
        self.columns: dict[int, tuple[str, Column]] = {}
        self.headings: dict[int, str] = {}
        self.words: dict[int, str] = {}
        self.unread: set[int] = set()  # columns with a faulty title, which was reported, and own notes
        self._header()
        self.absent = self._absent()
        for number in range(start + 1, len(grid.rows)):
            if _full(grid.rows[number]):
                self._row(number, grid.rows[number])

    def _header(self) -> None:
        names = titles(self.shape)
        for number, cell in enumerate(self.grid.rows[self.start]):
            word = str(cell).strip()
            heading = next(
                (key for key, words in HEADINGS.items() if norm(word) in {norm(key), *map(norm, words)}), None
            )
            found = names.meant(word)
            if heading:
                self.headings[number] = heading
            elif word.startswith(OWN_NOTES):
                self.unread.add(number)
            elif found is None and word:
                self._bad_title(number, word, _("no such column"), _hint(word, names))
            elif found is not None and found in self.columns.values():
                twin = next(place for place, one in self.columns.items() if one == found)
                again = _("this column stands twice (also in column {letters})").format(letters=letters(twin))
                self._bad_title(number, word, again)
            elif found is not None:
                self.columns[number], self.words[number] = found, word

    def _bad_title(self, number: int, word: str, message: str, hint: str = "") -> None:
        self.unread.add(number)
        self.faults.append(Fault(self.path, self.grid.place(self.start, number), show(word)[1:-1], "", message, hint))

    def _absent(self) -> dict[str, frozenset[str]]:
        """The keys of card and record that need a column and have none: said once, not in every row."""
        known = set(self.columns.values())
        absent = [one for one in titles(self.shape).columns if one[1].required and one not in known]
        for _level, column in absent:
            message = _('no column "{title}" or "{russian}"').format(title=column.title, russian=column.title_ru)
            if column.title == column.title_ru:  # HP is HP
                message = _('no column "{title}"').format(title=column.title)
            self.faults.append(Fault(self.path, self.grid.place(self.start, 0), "", "", message))
        keys = [(level, inner_key(column, self.shape) if level == "record" else column.key) for level, column in absent]
        return {one: frozenset(key for level, key in keys if level == one) for one in ("card", "record")}

    def _row(self, number: int, row: list[Any]) -> None:
        titled = len(self.grid.rows[self.start])
        if self.grid.separator == "," and len(row) > titled:
            message = _("the row has {count} cells under {titles} titles").format(count=len(row), titles=titled)
            hint = _("a decimal comma among commas: put the value in quotes, or separate the cells by semicolons")
            self.faults.append(Fault(self.path, self.grid.place(number, 0), "", "", message, hint))
            return
        parts = {
            level: Raw(self.grid.place(number, 0), absent=self.absent[level], table=True)
            for level in ("card", "record")
        }
        for index, cell in enumerate([*row, *[""] * (titled - len(row))]):
            place = self.grid.place(number, index)
            if index in self.headings and cell != "":
                self.head.setdefault(self.headings[index], Entry(self.headings[index], cell, place))
            elif index in self.columns:
                self._take(parts[self.columns[index][0]], index, cell, place)
            elif index not in self.unread and index not in self.headings and not isinstance(cell, Merged) and cell:
                column = _("column {letters}").format(letters=letters(index))
                self.faults.append(Fault(self.path, place, column, show(cell), _("stands under no column title")))
        self._join(parts["card"], parts["record"])

    def _take(self, raw: Raw, index: int, cell: Any, place: str) -> None:
        level, column = self.columns[index]
        key = inner_key(column, self.shape) if level == "record" else column.key
        word = self.words[index]
        if isinstance(cell, str) and not cell.strip():
            raw.blanks[key] = Entry(word, "", place)
            return
        if column.kind in ("text", "words") and isinstance(cell, (int, float)) and not isinstance(cell, bool):
            cell = f"{cell:.15g}"  # a fighter may be called 7
        raw.entries.append(Entry(self._spelled(word, key), cell, place))

    def _spelled(self, word: str, key: str) -> str:
        """The title itself where a card or a record of it understands it, since people know it; otherwise the key."""
        found = [one.column(word) for one in (self.shape, self.shape.record) if one is not None]
        return word if any(column is not None and column.key == key for column in found) else key

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
        """What the row itself says; the cells of a card are often merged over the rows of its weapons."""
        said = (one for one in raw.entries if not isinstance(one.value, Merged))
        return next((one for one in said if (column := self.shape.column(one.key)) and column.key == key), None)

    def _compare(self, card: Raw, current: Raw) -> None:
        for entry in card.entries:
            column = self.shape.column(entry.key)
            if column is None or isinstance(entry.value, Merged):
                continue
            above = self._value(current, column.key)
            if above is None or not _same(column, entry.value, above.value):
                message = _("differs from the card's first row, which says {value} ({place})").format(
                    value=show(above.value) if above else _("nothing"),
                    place=spot(above.place if above else current.place),
                )
                hint = _("give a new card another name or id; leave the cell blank for the same one")
                self.faults.append(Fault(self.path, entry.place, entry.key, show(entry.value), message, hint))


def _hint(word: str, names: Titles) -> str:
    """What an unknown title may have meant, or how a column of one's own is titled."""
    known = [text for _level, column in names.columns for text in (column.key, column.title, column.title_ru)]
    return meant(word, known) or _("a column of your own notes has a title that begins with {mark}").format(
        mark=OWN_NOTES
    )


def _same(column: Column, one: Any, other: Any) -> bool:
    try:
        return bool(understand(column, one) == understand(column, other))
    except BadValue:
        return bool(one == other)
