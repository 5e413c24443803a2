"""The sheets of an .xlsx or .ods file, each value as it was meant or marked as unusable."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from morsdei_sim.cards.grid import Grid
from morsdei_sim.cards.oddities import Oddities, oddities
from morsdei_sim.cards.safe import fail, unpacked
from morsdei_sim.cards.values import Merged
from morsdei_sim.lang import _

__all__ = ["read_workbook"]

MAX_SHEETS = 50


def read_workbook(path: Path) -> list[Grid]:
    """Every sheet of the file; charts are left out."""
    copy = unpacked(path)
    sheets = _sheets(path, copy)
    if len(sheets) > MAX_SHEETS:
        raise fail(str(path), _("has too many sheets: at most {most}").format(most=MAX_SHEETS))
    return sheets


def _sheets(path: Path, copy: io.BytesIO) -> list[Grid]:
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(copy)
        copy.seek(0)
        odd = oddities(copy)
        found = []
        for sheet in book.sheets_metadata[: MAX_SHEETS + 1]:
            if sheet.typ != SheetTypeEnum.WorkSheet:
                continue
            rows = book.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
            grid = Grid(path, rows, sheet.name, sheet.visible != SheetVisibleEnum.Visible)
            _mend(grid, odd.get(sheet.name, Oddities()))
            found.append(grid)
        return found
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException:  # a panic of the Rust reader is no Exception
        raise fail(str(path), _("is not a spreadsheet (.xlsx or .ods), or it is damaged")) from None


def _mend(grid: Grid, odd: Oddities) -> None:
    """Put what the reader did not tell into the cells."""
    for (row, column), value in odd.cells.items():
        if row < len(grid.rows) and 0 <= column < len(grid.rows[row]):
            grid.rows[row][column] = value
    for area in odd.merged:
        _cover(grid, *area)


def _cover(grid: Grid, top: int, left: int, bottom: int, right: int) -> None:
    """Mark the blank cells of a merged area: what stands in its first cell may or may not be meant for them."""
    rows: list[list[Any]] = grid.rows
    if top >= len(rows) or left >= len(rows[top]) or rows[top][left] == "":
        return
    cover = Merged.with_cell(grid.place(top, left))
    for row in rows[top : bottom + 1]:
        row[left : right + 1] = [cover if cell == "" else cell for cell in row[left : right + 1]]
