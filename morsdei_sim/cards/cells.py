"""How cells are written into a CSV file or a workbook, so that no spreadsheet runs what they say."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

__all__ = ["csv_bytes", "put", "workbook"]

MOST_WHOLE = 2**53
_FORMULA = ("=", "+", "-", "@", "\t", "'")
_SWITCH = {"en": ("FALSE", "TRUE"), "ru": ("ЛОЖЬ", "ИСТИНА")}


def csv_bytes(table: Iterable[Sequence[Any]], lang: str) -> bytes:
    """A CSV as the Excel of that language opens it: in Russian with semicolons and decimal commas."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=";" if lang == "ru" else ",", lineterminator="\r\n")
    for row in table:
        writer.writerow([_csv_cell(cell, lang) for cell in row])
    return text.getvalue().encode("utf-8-sig")


def _csv_cell(cell: Any, lang: str) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return _SWITCH[lang][cell]
    if isinstance(cell, float):
        number = str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
        return number.replace(".", ",") if lang == "ru" else number
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return "'" + cell  # a spreadsheet would run it
    return str(cell)


def workbook(stream: io.BytesIO) -> Any:
    """A new workbook, to be written into `stream`, in which no text becomes a formula, a link or a number."""
    import xlsxwriter

    kept = {f"strings_to_{kind}": False for kind in ("formulas", "urls", "numbers")}
    return xlsxwriter.Workbook(stream, {"in_memory": True, **kept})


def put(sheet: Any, row: int, index: int, cell: Any) -> None:
    """Write one cell: numbers as numbers, of which a spreadsheet keeps sixteen digits; what it has no number for (a
    seed of twenty digits, infinity) as text."""
    if isinstance(cell, bool):
        sheet.write_boolean(row, index, cell)
    elif isinstance(cell, str):
        sheet.write_string(row, index, cell)
    elif (isinstance(cell, float) and isfinite(cell)) or (isinstance(cell, int) and abs(cell) <= MOST_WHOLE):
        sheet.write_number(row, index, cell)
    elif cell is not None:
        sheet.write_string(row, index, repr(cell))
