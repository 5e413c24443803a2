"""A table of cells and the names of their places: what a CSV file and the sheet of a workbook have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Grid", "letters"]


@dataclass(frozen=True)
class Grid:
    """The rows of a CSV file or of one sheet; a cell without content is ""."""

    path: Path
    rows: list[list[Any]]
    sheet: str = ""
    hidden: bool = False
    lines: Sequence[int] = ()
    """Of a CSV file: the line on which each row begins, since a text in quotes may hold line breaks."""
    separator: str = ""

    def place(self, row: int, column: int) -> str:
        """ "Cards!D5" in a workbook, "line 5" in a CSV file."""
        return f"line {self.lines[row]}" if self.lines else f"{self.sheet}!{letters(column)}{row + 1}"


def letters(column: int) -> str:
    """A column, counted from 0, as spreadsheets call it: A, B … Z, AA."""
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(65 + digit) + name
    return name
