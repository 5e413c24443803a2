"""What the reader of spreadsheets does not tell of a cell, found in the XML of an .xlsx or .ods file.

It gives 50 % as 0.5, the error of a formula and a formula without a stored value as blank, or as 0, a cell hidden by a
merge as blank. None of these may pass for what it looks like. The file was unpacked under a limit and holds no document
type (`cards.safe`), so nothing in it can grow while it is read.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any
from xml.etree import ElementTree

from morsdei_sim.cards.safe import MAX_COLUMNS
from morsdei_sim.cards.values import FORMULA_ERROR, Unusable
from morsdei_sim.lang import _

__all__ = ["Oddities", "oddities"]

_BOOK, _LINKS, _CONTENT = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "content.xml"
_SHOWN_AS = {"TRUE": True, "ИСТИНА": True, "FALSE": False, "ЛОЖЬ": False}


@dataclass
class Oddities:
    """Of one sheet: what to put in place of cells, by row and column from 0; merged areas as their two corners."""

    cells: dict[tuple[int, int], Any] = field(default_factory=dict)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)


def oddities(copy: io.BytesIO) -> dict[str, Oddities]:
    """The oddities of every sheet by its name; BadZipFile where they cannot be looked for."""
    with zipfile.ZipFile(copy) as archive:
        names = {name.lower(): name for name in archive.namelist()}
        if _BOOK in names and _LINKS in names:
            return dict(_xlsx(archive, names))
        with _opened(archive, names, _CONTENT) as xml:
            return _ods(xml)


def _opened(archive: zipfile.ZipFile, names: dict[str, str], wanted: str) -> IO[bytes]:
    """A member by its name in any case, as the reader finds it; of another kind its size and document type were not
    looked at."""
    if wanted.lower() not in names or not wanted.lower().endswith(".xml"):
        raise zipfile.BadZipFile
    return archive.open(names[wanted.lower()])


def _error(text: str) -> Unusable:
    return Unusable(text, _("is the error of a formula"), _("mend the formula, or type the value"))


def _uncalculated(formula: str) -> Unusable:
    hint = _("open the file in a spreadsheet program and save it, or type the value")
    return Unusable(f"={formula}", _("is a formula whose value is not stored in the file"), hint)


def _percentage(number: str) -> Unusable:
    hint = _("format the cell as a number, and look whether it is still the number you mean")
    return Unusable(f"{float(number) * 100:.15g}%", _("is a percentage"), hint)


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _xlsx(archive: zipfile.ZipFile, names: dict[str, str]) -> Iterator[tuple[str, Oddities]]:
    links = list(ElementTree.fromstring(archive.read(names[_LINKS])))
    members = {one.get("Id"): posixpath.normpath(posixpath.join("/xl", one.get("Target", "")))[1:] for one in links}
    styles = [members[one.get("Id")] for one in links if one.get("Type", "").endswith("/styles")]
    book = list(ElementTree.fromstring(archive.read(names[_BOOK])).iter())
    # Programs that write formulas without calculating them ask for it here, and leave 0 or nothing as their values.
    stale = any(_tag(one) == "calcPr" and one.get("fullCalcOnLoad") in ("1", "true") for one in book)
    percent: set[str] = set()
    for member in styles:
        with _opened(archive, names, member) as xml:
            percent = _percent_styles(xml.read())
    for sheet in book:
        if _tag(sheet) == "sheet":
            with _opened(archive, names, members[_said(sheet, "id", "relationships")]) as xml:
                yield sheet.get("name", ""), _xlsx_sheet(xml, percent, stale)


def _percent_styles(xml: bytes) -> set[str]:
    """The styles of cells that show a number as a percentage."""
    root = ElementTree.fromstring(xml)
    formats = {"9": "0%", "10": "0.00%"}
    formats |= {one.get("numFmtId", ""): one.get("formatCode", "") for one in root.iter() if _tag(one) == "numFmt"}
    cells = next((one for one in root if _tag(one) == "cellXfs"), ())
    codes = [formats.get(one.get("numFmtId", ""), "") for one in cells]
    return {str(place) for place, code in enumerate(codes) if "%" in re.sub(r'"[^"]*"|\\.', "", code)}


def _xlsx_sheet(xml: IO[bytes], percent: set[str], stale: bool) -> Oddities:
    found = Oddities()
    row = -1
    for _event, element in ElementTree.iterparse(xml):
        if _tag(element) == "row":
            row = int(element.get("r", row + 2)) - 1  # rows and cells may leave out where they are
            _xlsx_row(element, row, found, percent, stale)
            element.clear()
        elif _tag(element) == "mergeCell":
            first, _colon, last = element.get("ref", "").partition(":")
            found.merged.append((*_where(first), *_where(last or first)))
    return found


def _xlsx_row(element: ElementTree.Element, row: int, found: Oddities, percent: set[str], stale: bool) -> None:
    column = -1
    for cell in element:
        if _tag(cell) == "c":
            place = cell.get("r")
            row, column = _where(place) if place else (row, column + 1)
            odd = _xlsx_cell(cell, percent, stale)
            if odd is not None:
                found.cells[row, column] = odd


def _xlsx_cell(cell: ElementTree.Element, percent: set[str], stale: bool) -> Unusable | None:
    parts = {_tag(part): part.text or "" for part in cell}
    kind, value = cell.get("t", "n"), parts.get("v", "")
    if kind == "e":
        return _error(value or "#VALUE!")
    if "f" in parts and (stale or (not value and kind != "str")):
        return _uncalculated(parts["f"])
    if kind == "n" and value and cell.get("s", "0") in percent:
        return _percentage(value)
    return None


def _where(reference: str) -> tuple[int, int]:
    name = reference.rstrip("0123456789")
    column = 0
    for letter in name.upper():
        column = column * 26 + ord(letter) - 64
    return int(reference[len(name) :] or 1) - 1, column - 1


def _ods(xml: IO[bytes]) -> dict[str, Oddities]:
    found: dict[str, Oddities] = {}
    current, row = Oddities(), 0
    for event, element in ElementTree.iterparse(xml, ("start", "end")):
        if event == "start" and _tag(element) == "table":
            current, row = found.setdefault(_said(element, "name"), Oddities()), 0
        elif event == "end" and _tag(element) == "table-row":
            _ods_row(element, row, current)
            row += int(_said(element, "number-rows-repeated") or 1)
            element.clear()
    return found


def _said(element: ElementTree.Element, name: str, space: str = "") -> str:
    """An attribute by its name; `space` is a part of the address that tells two of one name apart."""
    wanted = (key for key in element.attrib if key.endswith("}" + name) and space in key)
    return next((element.attrib[key] for key in wanted), "")


def _ods_row(element: ElementTree.Element, row: int, found: Oddities) -> None:
    column = 0
    for cell in element:
        if _tag(cell) not in ("table-cell", "covered-table-cell"):
            continue
        odd = _ods_cell(cell)
        repeated = int(_said(cell, "number-columns-repeated") or 1)
        for place in range(column, min(column + repeated, MAX_COLUMNS)) if odd is not None else ():
            found.cells[row, place] = odd
        down, across = (int(_said(cell, f"number-{what}-spanned") or 1) for what in ("rows", "columns"))
        if (down, across) != (1, 1):
            found.merged.append((row, column, row + down - 1, column + across - 1))
        column += repeated


def _ods_cell(cell: ElementTree.Element) -> Unusable | bool | None:
    kind, formula = _said(cell, "value-type", "office"), _said(cell, "formula").removeprefix("of:=")
    shown = "".join(text for part in cell if _tag(part) == "p" for text in part.itertext()).strip()  # without notes
    if _said(cell, "value-type", "calc:") == "error" or (formula and FORMULA_ERROR.fullmatch(shown.upper())):
        return _error(shown or "#VALUE!")
    if formula and not kind:
        return _uncalculated(formula)
    if kind == "percentage":
        return _percentage(_said(cell, "value"))
    if kind == "boolean":
        return _said(cell, "boolean-value") == "true"
    return _SHOWN_AS.get(shown.upper()) if kind == "float" else None
