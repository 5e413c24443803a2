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
from morsdei_sim.cards.toml_syntax import told, value_hint
from morsdei_sim.cards.values import meant, show
from morsdei_sim.errors import Fault
from morsdei_sim.lang import _

__all__ = ["HEADINGS", "read_toml"]

HEADINGS = {"squad": ("squad", "отряд"), "squad_ru": ("squad ru", "squad (russian)", "отряд (рус.)", "отряд ru")}


Outline = tuple[list[Raw], dict[str, Entry], list[Fault], list[Raw]]


def read_toml(path: FilePath, shape: Shape) -> Outline:
    """Raw cards, the squad's own entries, faults of the file's outline, and raw records that stand beside the
    cards."""
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
    message, place, row = told(text, reason)
    hint = _twice_hint(reason, shape) or _key_hint(row, shape) or value_hint(row)
    return fail(str(path), message, hint, place, show(row.strip())[1:-1])


def _twice_hint(reason: str, shape: Shape) -> str:
    if reason.startswith("Cannot overwrite"):
        return _("delete one of the two lines; a further card begins with [[{name}]]").format(name=shape.name)
    if reason.startswith("Cannot declare"):
        return _("two brackets allow several: [[{name}]]").format(name=shape.name)
    return ""


def _key_hint(row: str, shape: Shape) -> str:
    key, equals, _value = row.partition("=")
    inner = shape.record.columns if shape.record else ()
    column = next((one for one in (*shape.columns, *inner) if norm(key) in one.spellings()), None)
    if equals and re.search(r"[^\x00-\x7f]", key) and column is not None:
        return _("write the key in English: {key} = …").format(key=column.key)
    return ""


def _outline(path: FilePath, tree: dict[str, Any], where: dict[Path, int], shape: Shape) -> Outline:
    raws: list[Raw] = []
    shared: list[Raw] = []
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
        elif shape.record is not None and shape.slots and shape.is_record_key(key):
            for location, table in _tables((key,), value):
                if isinstance(table, dict):
                    shared.append(_raw(location, table, where, shape.record))
                else:
                    faults.append(_not_a_table(path, where, location, table, f"[[{shape.record_key}]]"))
        elif heading is not None:
            head[heading] = Entry(key, value, place)
        else:
            faults.append(Fault(str(path), place, show(key)[1:-1], "", _("no such entry"), _outline_hint(key, shape)))
    faults += _lost_records(path, tree, where, shape)
    return raws, head, faults, shared


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
