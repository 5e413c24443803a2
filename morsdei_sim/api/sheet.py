"""Frames as CSV and XLSX files that a spreadsheet opens without running anything in them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import morsdei_sim
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, language

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["KINDS", "save_frame"]

KINDS = (".csv", ".xlsx")


def save_frame(path: Path, frame: pd.DataFrame, title: str, source: dict[str, Any], *, force: bool = False) -> None:
    """Write a frame; in Russian a CSV has semicolons and decimal commas, as a Russian spreadsheet expects.

    `source` tells where the numbers come from; a workbook has it on its second sheet.

    Raises
    ------
    UserError : the file exists and `force` is not set, it cannot be written, or has another ending.
    """
    from morsdei_sim.cards.cells import csv_bytes
    from morsdei_sim.cards.output import save

    kind = path.suffix.lower()
    if kind not in KINDS:
        raise UserError(_("{file}: the name must end in {kinds}").format(file=path, kinds=", ".join(KINDS)))
    table = [list(frame.columns), *([_plain(cell) for cell in row] for row in frame.itertuples(index=False, name=None))]
    save(path, csv_bytes(table, language()) if kind == ".csv" else _xlsx(table, title, source), force)


def _plain(cell: Any) -> Any:
    """A missing value as None, everything else as Python has it."""
    if cell is None or cell != cell:
        return None
    return cell.item() if hasattr(cell, "item") else cell


def _xlsx(table: list[list[Any]], title: str, source: dict[str, Any]) -> bytes:
    from morsdei_sim.cards.cells import put, workbook

    stream = io.BytesIO()
    book = workbook(stream)
    bold = book.add_format({"bold": True, "bottom": 1})
    sheet = book.add_worksheet(title)
    for index, name in enumerate(table[0]):
        sheet.write_string(0, index, str(name), bold)
        sheet.set_column(index, index, 18)
    for number, row in enumerate(table[1:], 1):
        for index, cell in enumerate(row):
            put(sheet, number, index, cell)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, max(1, len(table) - 1), len(table[0]) - 1)
    page = book.add_worksheet(_("Source"))
    page.set_column(0, 0, 24)
    page.set_column(1, 1, 90)
    for number, (key, value) in enumerate({"morsdei_sim": morsdei_sim.__version__, **source}.items()):
        page.write_string(number, 0, key, bold)
        put(page, number, 1, json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value)
    book.close()
    return stream.getvalue()
