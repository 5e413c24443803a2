"""Frames as CSV and XLSX files that a spreadsheet opens without running anything in them."""

from __future__ import annotations

import io
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, language

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["KINDS", "save_frame"]

KINDS = (".csv", ".xlsx")


def save_frame(path: Path, frame: pd.DataFrame, title: str, *, force: bool = False) -> None:
    """Write a frame; in Russian a CSV has semicolons and decimal commas, as a Russian spreadsheet expects.

    Raises
    ------
    UserError : the file exists and `force` is not set, it cannot be written, or has another ending.
    """
    from morsdei_sim.cards.output import _csv, save

    kind = path.suffix.lower()
    if kind not in KINDS:
        raise UserError(_("{file}: the name must end in {kinds}").format(file=path, kinds=", ".join(KINDS)))
    table = [list(frame.columns), *([_plain(cell) for cell in row] for row in frame.itertuples(index=False, name=None))]
    save(path, _csv(table, language()) if kind == ".csv" else _xlsx(table, title), force)


def _plain(cell: Any) -> Any:
    """A missing value as None, everything else as Python has it."""
    if cell is None or cell != cell:
        return None
    return cell.item() if hasattr(cell, "item") else cell


def _xlsx(table: list[list[Any]], title: str) -> bytes:
    import xlsxwriter

    stream = io.BytesIO()
    # Nothing a card says may become a formula or a link.
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(stream, options)
    sheet = book.add_worksheet(title[:31])
    bold = book.add_format({"bold": True, "bottom": 1})
    for index, name in enumerate(table[0]):
        sheet.write_string(0, index, str(name), bold)
        sheet.set_column(index, index, 18)
    for number, row in enumerate(table[1:], 1):
        for index, cell in enumerate(row):
            if isinstance(cell, (int, float)) and not isinstance(cell, bool) and isfinite(cell):
                sheet.write_number(number, index, cell)
            elif cell is not None:
                sheet.write_string(number, index, str(cell))
    sheet.freeze_panes(1, 0)
    book.close()
    return stream.getvalue()
