"""A TOML card file into raw records, each value with its line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path as FilePath
from typing import Any

from morsdei_sim.cards.check import Entry, Raw
from morsdei_sim.cards.lines import Path, lines
from morsdei_sim.cards.safe import fail, read_text
from morsdei_sim.cards.shape import Shape
from morsdei_sim.cards.text import norm
from morsdei_sim.cards.values import meant, show
from morsdei_sim.errors import Fault
from morsdei_sim.lang import _

__all__ = ["HEADINGS", "read_toml"]

HEADINGS = {"squad": ("squad", "отряд"), "squad_ru": ("squad ru", "squad (russian)", "отряд (рус.)", "отряд ru")}


def read_toml(path: FilePath, shape: Shape) -> tuple[list[Raw], dict[str, Entry], list[Fault]]:
    """Raw cards, the squad's own entries, and faults of the file's outline."""
    text = read_text(path, legacy=False)
    try:
        tree = tomllib.loads(text)
        where = lines(text)
    except RecursionError:
        raise fail(str(path), _("is nested too deeply for a card file")) from None
    except ValueError as error:  # TOMLDecodeError, or a number too long to be read
        raise _syntax(path, text, str(error), shape) from None
    return _outline(path, tree, where, shape)


def _syntax(path: FilePath, text: str, reason: str, shape: Shape) -> Exception:
    rows = text.splitlines()
    found = re.search(r" ?\(at line (\d+), column \d+\)", reason)
    number = int(found[1]) if found else len(rows)
    row = rows[number - 1] if 0 < number <= len(rows) else ""
    reason = re.sub(r" ?\(at [^)]*\)", "", reason)
    message = _("is not valid TOML here: {reason}").format(reason=reason)
    return fail(str(path), message, _syntax_hint(row, shape), f"line {number}", show(row.strip())[1:-1])


def _syntax_hint(row: str, shape: Shape) -> str:
    key, equals, value = row.partition("=")
    inner = shape.record.columns if shape.record else ()
    column = next((one for one in (*shape.columns, *inner) if norm(key) in one.spellings()), None)
    if equals and re.search(r"[^\x00-\x7f]", key) and column is not None:
        return _("write the key in English: {key} = …").format(key=column.key)
    if equals and re.fullmatch(r"\s*[0-9]+,[0-9]+\s*", value):
        return _("decimals take a point: {value}").format(value=value.strip().replace(",", "."))
    if equals and re.fullmatch(r"\s*[^\s\"'\[{].*", value):
        return _('put words between quotes: {key} = "{value}"').format(key=key.strip()[:40], value=value.strip()[:40])
    return ""


def _outline(
    path: FilePath, tree: dict[str, Any], where: dict[Path, int], shape: Shape
) -> tuple[list[Raw], dict[str, Entry], list[Fault]]:
    raws: list[Raw] = []
    head: dict[str, Entry] = {}
    faults: list[Fault] = []
    for key, value in tree.items():
        place = f"line {where[(key,)]}"
        heading = next((name for name, words in HEADINGS.items() if norm(key) in {name, *map(norm, words)}), None)
        if shape.is_own_name(key):
            for location, table in _tables((key,), value):
                if isinstance(table, dict):
                    raws.append(_raw(location, table, where, shape))
                else:
                    faults.append(_not_a_table(path, where, location, table, f"[[{shape.name}]]"))
        elif heading is not None:
            head[heading] = Entry(key, value, place)
        else:
            faults.append(Fault(str(path), place, show(key)[1:-1], "", _("no such entry"), _outline_hint(key, shape)))
    faults += _lost_records(path, tree, where, shape)
    return raws, head, faults


def _outline_hint(key: str, shape: Shape) -> str:
    if shape.column(key) is not None or shape.is_record_key(key):
        return _("it belongs to a card: write it under [[{name}]]").format(name=shape.name)
    return meant(key, [shape.name, *HEADINGS])


def _tables(location: Path, value: Any) -> list[tuple[Path, Any]]:
    """The tables of [[name]], or the one of [name]."""
    if isinstance(value, list):
        return [((*location, index), one) for index, one in enumerate(value)]
    return [(location, value)]


def _raw(location: Path, table: dict[str, Any], where: dict[Path, int], shape: Shape) -> Raw:
    raw = Raw(f"line {where[location]}")
    for key, value in table.items():
        inner = (*location, key)
        if shape.record is not None and shape.is_record_key(key):
            for place, record in _tables(inner, value):
                if isinstance(record, dict):
                    raw.records.append(_raw(place, record, where, shape.record))
                raw.lost = raw.lost or not isinstance(record, dict)
        else:
            raw.entries.append(Entry(key, value, f"line {where[inner]}"))
    return raw


def _lost_records(path: FilePath, tree: dict[str, Any], where: dict[Path, int], shape: Shape) -> list[Fault]:
    """weapon = "sword": something else than a table where a record must stand."""
    faults = []
    for key, value in tree.items():
        for location, table in _tables((key,), value) if shape.is_own_name(key) else []:
            for inner, records in table.items() if isinstance(table, dict) else []:
                if shape.is_record_key(inner):
                    name = f"[[{shape.name}.{shape.record_key}]]"
                    faults += [
                        _not_a_table(path, where, place, one, name)
                        for place, one in _tables((*location, inner), records)
                        if not isinstance(one, dict)
                    ]
    return faults


def _not_a_table(path: FilePath, where: dict[Path, int], location: Path, value: Any, name: str) -> Fault:
    message = _("must be a table that begins with {name}").format(name=name)
    return Fault(
        str(path),
        f"line {where[location]}",
        ".".join(part for part in location if isinstance(part, str)),
        show(value),
        message,
    )
