"""A CSV file as English or Russian Excel, LibreOffice and Google Sheets write it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from morsdei_sim.cards.grid import Grid
from morsdei_sim.cards.safe import fail, read_text
from morsdei_sim.lang import _

__all__ = ["ROWS_ABOVE", "read_csv"]

ROWS_ABOVE = 30
"""Among so many rows the column titles are looked for."""

_MARKS = ("=", "+", "-", "@", "\t", "'")


def read_csv(path: Path, titles_in: Callable[[list[Any]], int]) -> Grid:
    """The cells of the file; `titles_in` counts the column titles of a row, which tells the separator."""
    text = read_text(path, legacy=True)
    separator = max(";,\t", key=lambda one: _titles(text, one, titles_in))
    rows, lines = _rows(path, text, separator)
    return Grid(path, [[_bare(cell) for cell in row] for row in rows], lines=lines, separator=separator)


def _titles(text: str, separator: str, titles_in: Callable[[list[Any]], int]) -> int:
    """How many titles the best of the first rows has when it is cut at this separator."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        return max((titles_in(row) for row in islice(reader, ROWS_ABOVE)), default=0)
    except csv.Error:
        return 0


def _rows(path: Path, text: str, separator: str) -> tuple[list[list[str]], list[int]]:
    """The cells of every row, and the line on which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    lines = [1]
    try:
        for row in reader:
            rows.append(row)
            lines.append(reader.line_num + 1)
    except csv.Error as error:
        raise fail(
            str(path), _("is not a valid CSV: {reason}").format(reason=_reason(str(error))), place=f"line {lines[-1]}"
        ) from None
    return rows, lines


def _reason(said: str) -> str:
    if said.startswith("unexpected end of data"):
        return _("a quotation mark that opens in this row is never closed")
    if "expected after" in said:
        return _("something stands after a closing quotation mark; a quotation mark in a text is doubled")
    if said.startswith("field larger than"):
        return _("a cell is too long (or a quotation mark is never closed)")
    return said


def _bare(cell: str) -> str:
    """Take off the apostrophe that keeps a spreadsheet from running the cell as a formula."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_MARKS) else cell
