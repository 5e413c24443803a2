"""Cells of an .xlsx file that hold the error of a formula: the reader of spreadsheets gives them as blank cells."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

__all__ = ["formula_errors"]

_BOOK = "xl/workbook.xml"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def formula_errors(copy: io.BytesIO) -> Iterator[tuple[int, int, int, str]]:
    """Sheet, row and column, all from 0, and text ("#DIV/0!") of each such cell.

    `copy` was unpacked under a limit, and holds no document type, so nothing in it can grow while it is read.
    """
    with zipfile.ZipFile(copy) as archive:
        for place, member in enumerate(_sheets(archive)):
            if member not in archive.namelist() or b't="e"' not in archive.read(member):
                continue
            for cell in ElementTree.fromstring(archive.read(member)).iter():
                if cell.tag.endswith("}c") and cell.get("t") == "e":
                    row, column = _where(cell.get("r", ""))
                    text = next((part.text for part in cell if part.tag.endswith("}v")), None)
                    yield place, row, column, text or "#VALUE!"
    copy.seek(0)


def _sheets(archive: zipfile.ZipFile) -> list[str]:
    """The member of each sheet, in the order of the workbook; nothing in a file of another kind (.ods)."""
    links = "xl/_rels/workbook.xml.rels"
    if not {_BOOK, links} <= set(archive.namelist()):
        return []
    targets = {one.get("Id"): one.get("Target", "") for one in ElementTree.fromstring(archive.read(links))}
    sheets = [one for one in ElementTree.fromstring(archive.read(_BOOK)).iter() if one.tag.endswith("}sheet")]
    found = [targets.get(one.get(_RELATION), "") for one in sheets]
    return [posixpath.normpath(posixpath.join("/xl", target)).lstrip("/") for target in found]


def _where(reference: str) -> tuple[int, int]:
    letters = reference.rstrip("0123456789")
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - 64
    return int(reference[len(letters) :] or 1) - 1, column - 1
