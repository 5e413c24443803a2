"""Raw records, each value with its place, into cards or the whole list of faults."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from morsdei_sim.cards.safe import spot
from morsdei_sim.cards.shape import Column, Shape
from morsdei_sim.cards.text import alike, looks, norm, slug
from morsdei_sim.cards.values import BadValue, allowed, meant, show, understand
from morsdei_sim.errors import Fault
from morsdei_sim.lang import _, language

__all__ = ["MAX_CARDS", "MAX_RECORDS", "Armoury", "Entry", "Raw", "check"]

MAX_CARDS = 200
MAX_RECORDS = 20


@dataclass(frozen=True)
class Entry:
    """One value as it was written, and where."""

    key: str
    value: Any
    place: str


@dataclass
class Raw:
    """One card, or one record within it, before any check."""

    place: str
    entries: list[Entry] = field(default_factory=list)
    records: list[Raw] = field(default_factory=list)
    blanks: dict[str, Entry] = field(default_factory=dict)  # column key → its empty cell
    lost: bool = False  # something stands where its records should, and was reported
    absent: frozenset[str] = frozenset()  # columns that the whole sheet lacks: already reported once
    table: bool = False  # a row of a spreadsheet


@dataclass
class _Known:
    """A raw record with its keys understood."""

    raw: Raw
    label: str
    shape: Shape
    data: dict[str, Any] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)
    bad: set[str] = field(default_factory=set)


@dataclass
class Armoury:
    """Records that stand beside the cards, by id; None where one has a fault, which is said once and not again."""

    records: dict[str, Raw | None] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, file: str, raws: list[Raw], shape: Shape) -> tuple[Armoury, list[Fault]]:
        """The records of one file, each checked by itself, and the faults of all."""
        found = cls()
        faults: list[Fault] = []
        if shape.record is None:
            return found, faults
        if len(raws) > MAX_CARDS:
            many = _("has {count}; at most {most} are allowed").format(count=len(raws), most=MAX_CARDS)
            return found, [Fault(file, raws[MAX_CARDS].place, shape.record_key, "", many)]
        for number, raw in enumerate(raws, 1):
            found._add(file, raw, shape.record, number, faults)
        return found, faults

    def _add(self, file: str, raw: Raw, shape: Shape, number: int, faults: list[Fault]) -> None:
        known = _keys(file, raw, shape, _label(shape, raw, number), faults)
        ident = _ident(known)
        before = len(faults)
        if norm(ident) in self.records:
            message = _('the id "{id}" is given twice').format(id=ident)
            faults.append(Fault(file, raw.place, known.label, "", message))
        faults += _made(file, known, [])[1]
        self.records[norm(ident)] = raw if len(faults) == before and not known.bad else None
        self.names.append(ident)

    def lend(self, other: Armoury) -> None:
        """Take in the records of another file; those of the same id stay."""
        self.records = {**other.records, **self.records}
        self.names += other.names


def _ident(known: _Known) -> str:
    return str(known.data.get("id") or slug(str(known.data.get("name", ""))))


def check(
    file: str, raws: list[Raw], shape: Shape, armoury: Armoury | None = None
) -> tuple[list[BaseModel], list[Fault]]:
    """Cards and faults of one file; both lists may be filled, the caller decides. Records of the armoury that a card
    names are copied into it."""
    if not raws:
        empty = _("holds no {cards}: begin one with [[{name}]] (TOML) or a row under the header (spreadsheet)")
        return [], [Fault(file, "", "", "", empty.format(cards=shape.title(language()), name=shape.name))]
    if len(raws) > MAX_CARDS:
        many = _("holds {count} cards; at most {most} are allowed in one file")
        return [], [Fault(file, raws[MAX_CARDS].place, "", "", many.format(count=len(raws), most=MAX_CARDS))]
    cards: list[BaseModel] = []
    faults: list[Fault] = []
    places: dict[str, tuple[str, str, str]] = {}
    for number, raw in enumerate(raws, 1):
        known = _keys(file, raw, shape, _label(shape, raw, number), faults)
        card, found = _card(file, raw, shape, known, armoury or Armoury())
        faults += [*found, *_twice(file, known, places)]
        cards += [card] if card is not None else []
    return cards, faults


def _twice(file: str, known: _Known, places: dict[str, tuple[str, str, str]]) -> list[Fault]:
    """The same id again, written out or made from the name; or one that only looks the same."""
    entry = known.entries.get("id") or known.entries.get("name")
    ident = str(known.data.get("id") or slug(str(known.data.get("name", ""))))
    if entry is None or not ident:
        return []
    if looks(ident) not in places:
        places[looks(ident)] = (ident, entry.place, known.label)
        return []
    taken, first, other = places[looks(ident)]
    hint = _("give each card of a file its own id or name")
    if ident == taken:
        message = _('the id "{id}" is already taken by {other} ({place})').format(
            id=ident, other=other, place=spot(first)
        )
    else:
        message = _("looks the same as {other} ({place}), but has Latin letters where that has Cyrillic ones, or the "
                    "other way round").format(other=other, place=spot(first))  # fmt: skip
        hint = _("copy the name from there if it is the same card; else give it another one")
    return [Fault(file, entry.place, known.label, "", message, hint)]


def _card(file: str, raw: Raw, shape: Shape, card: _Known, armoury: Armoury) -> tuple[BaseModel | None, list[Fault]]:
    faults: list[Fault] = []
    records: list[_Known] = []
    if shape.record is not None:
        if len(raw.records) > MAX_RECORDS:
            many = _("has {count}; at most {most} are allowed").format(count=len(raw.records), most=MAX_RECORDS)
            return None, [*faults, Fault(file, raw.place, f"{card.label}, {shape.record_key}", "", many)]
        for index, inner in enumerate(raw.records, 1):
            label = f"{card.label}, {_label(shape.record, inner, index)}"
            records.append(_keys(file, inner, shape.record, label, faults))
        faults += _same_names(file, records)
        lost = [_named(file, card, column, records, armoury, faults) for column in shape.slots]
        if any(lost):  # that is said already; what else is wrong with the card is said too
            return None, faults + _rest(file, card, records, lost)
        card.data[shape.record_key] = tuple(record.data for record in records)
    made, found = _made(file, card, records)
    return made, faults + found


def _made(file: str, card: _Known, records: list[_Known]) -> tuple[BaseModel | None, list[Fault]]:
    """The model of what is written, or its faults."""
    try:
        return card.shape.model.model_validate(card.data), []
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        return None, [fault for one in found for fault in _fault(file, card, records, dict(one))]


def _rest(file: str, card: _Known, records: list[_Known], lost: list[bool]) -> list[Fault]:
    """Faults of single fields of a card whose slots name what is not there."""
    for column, missing in zip(card.shape.slots, lost, strict=True):
        if missing:
            card.data.pop(column.key, None)
    return [fault for fault in _made(file, card, records)[1] if fault.field != card.label]


def _named(
    file: str, card: _Known, column: Column, records: list[_Known], armoury: Armoury, faults: list[Fault]
) -> bool:
    """Copy what a slot names from the armoury into the records; True when something cannot be had."""
    words = card.data.get(column.key) or ()
    lost = False
    for word in [words] if isinstance(words, str) else words:
        own = {norm(_ident(record)): _ident(record) for record in records}
        if norm(word) in own:
            continue
        raw = armoury.records.get(norm(word))
        if raw is not None and card.shape.record is not None:
            label = f"{card.label}, {_label(card.shape.record, raw, len(records) + 1)}"
            records.append(_keys(file, raw, card.shape.record, label, []))
            card.data[card.shape.record_key] = tuple(record.data for record in records)
            continue
        lost = True
        if norm(word) not in armoury.records:  # a faulty one is reported where it stands
            entry = card.entries[column.key]
            known = [*own.values(), *armoury.names]
            message = _("there is no {record} with this id").format(record=card.shape.record_key)
            hint = meant(word, known) or (
                _("there are: {names}").format(names=", ".join(known[:20])) if known else
                _("write it under [[{record}]]").format(record=card.shape.record_key)
            )  # fmt: skip
            faults.append(Fault(file, entry.place, f"{card.label}, {column.key}", show(word), message, hint))
    return lost


def _label(shape: Shape, raw: Raw, number: int) -> str:
    said: dict[str, str] = {}
    for entry in raw.entries:
        column = shape.column(entry.key)
        if column is not None and isinstance(entry.value, str) and entry.value.strip():
            said[column.key] = entry.value.strip()
    called = said.get("name") or said.get("id")
    return f"{shape.title(language())} {show(called) if called else number}"


def _keys(file: str, raw: Raw, shape: Shape, label: str, faults: list[Fault]) -> _Known:
    """Understand every key and value of one record; what cannot be understood becomes a fault."""
    known = _Known(raw, label, shape, bad=set(raw.absent))
    hinted: set[str] = set()
    for entry in raw.entries:
        column = shape.column(entry.key)
        path = f"{label}, {show(entry.key)[1:-1]}"
        if column is None:
            message, hint = _unknown(entry.key, shape)
            hinted |= {one.key for one in shape.columns if any(f'"{word}"' in hint for word in _spelled(one))}
            faults.append(Fault(file, entry.place, path, "", message, hint))
        elif column.key in known.entries:
            again = _("is given twice (also as {other})").format(other=known.entries[column.key].key)
            faults.append(Fault(file, entry.place, path, show(entry.value), again))
        else:
            known.entries[column.key] = entry
            try:
                known.data[column.key] = understand(column, entry.value)
            except BadValue as bad:
                known.bad.add(column.key)
                faults.append(
                    Fault(file, entry.place, path, show(entry.value), _with_help(bad.message, column), bad.hint)
                )
    # mvoe = 5 is one fault, not two: the hint names the field, so it is not called missing as well.
    known.bad |= {column.key for column in shape.columns if column.key in hinted and column.key not in known.entries}
    return known


def _spelled(column: Column) -> tuple[str, ...]:
    return (column.key, column.title, column.title_ru, *column.aliases)


def _unknown(key: str, shape: Shape) -> tuple[str, str]:
    words = [word for column in shape.columns for word in _spelled(column)]
    hint = meant(key, [*words, shape.record_key] if shape.record_key else words)
    if shape.record is not None and shape.record.column(key) is not None:
        where = f"[[{shape.name}.{shape.record_key}]]"
        hint = _("it belongs to a {record}: write it under {where}").format(
            record=shape.record.title(language()), where=where
        )
    return _("no such field"), hint


def _with_help(message: str, column: Column) -> str:
    text = column.help_ru if language() == "ru" else column.help
    return f"{message} ({text})" if text else message


def _same_names(file: str, records: list[_Known]) -> list[Fault]:
    counts: Counter[str] = Counter()
    faults = []
    for record in records:
        name = alike(str(record.data.get("name", "")))
        counts[name] += 1
        if name and counts[name] == 2:
            place = record.entries["name"].place
            faults.append(Fault(file, place, record.label, "", _("this name is already taken within the same card")))
    return faults


def _fault(file: str, card: _Known, records: list[_Known], error: dict[str, Any]) -> list[Fault]:
    """One error of pydantic in the designer's words, or nothing when the field was reported already."""
    location = [part for part in error["loc"] if part != "function-after"]
    known = card
    if len(location) >= 2 and card.shape.record is not None and location[0] == card.shape.record_key:
        known, location = records[int(location[1])], location[2:]
    key = str(location[0]) if location else ""
    if key in known.bad:
        return []
    if card.shape.record is not None and key == card.shape.record_key and known is card:
        if records or card.raw.lost:  # pydantic counts the valid ones only; what is wrong with the others is said
            return []
        need = _("needs at least one {record}").format(record=card.shape.record.title(language()))
        hint = _("add [[{name}.{key}]] below it").format(name=card.shape.name, key=key)
        if card.raw.table:
            columns = [one for one in card.shape.record.columns if one.required]
            titles = ", ".join(f'"{one.title_ru if language() == "ru" else one.title}"' for one in columns)
            hint = _("fill in the columns {titles} of its row").format(titles=titles)
        return [Fault(file, card.raw.place, card.label, "", need, hint)]
    column = next((one for one in known.shape.columns if one.key == key), None)
    entry = known.entries.get(key)
    if column is None:
        said = error.get("ctx", {}).get("error", error["msg"])  # the model's words, not pydantic's
        return [Fault(file, known.raw.place, known.label, "", str(said))]
    blank = known.raw.blanks.get(key, Entry(key, "", known.raw.place))
    place = entry.place if entry else blank.place
    path = f"{known.label}, {show((entry or blank).key)[1:-1]}"
    value = show(entry.value) if entry else ""
    message, hint = _explain(column, error)
    if hint and key == "id" and entry is None:
        message, hint = _("no id can be made from this name"), _('give one: id = "…"')
    return [Fault(file, place, path, value, message, hint)]


def _explain(column: Column, error: dict[str, Any]) -> tuple[str, str]:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "missing":
        span = allowed(column)
        return _with_help(
            _("is missing; must be {allowed}").format(allowed=span)
            if span and column.kind != "text"
            else _("is missing"),
            column,
        ), ""
    if kind == "control_character" and context["code"] == "U+000A":
        return _("must be one line"), _("delete the line break")
    if kind == "control_character":
        return _("control character {code} is not allowed").format(code=context["code"]), ""
    if kind == "string_unicode":
        return _("is not valid text"), ""
    if kind == "separator_inside":
        return _("one keyword may hold no comma or semicolon"), _("write them as a list of words")
    if kind == "not_a_slug":
        return _("an id holds small letters, digits and dashes"), _('for instance "{slug}"').format(
            slug=context["slug"] or "heavy-1"
        )
    if kind in ("string_too_short", "too_short"):
        return _with_help(_("must not be empty"), column), ""
    if kind == "string_too_long":
        return _("is too long: at most {count} characters").format(count=context["max_length"]), ""
    if kind == "too_long":
        return _("too many: at most {count}").format(count=context["max_length"]), ""
    if kind == "value_error":
        return str(context.get("error", error["msg"])), ""
    return _with_help(_("must be {allowed}").format(allowed=allowed(column) or error["msg"]), column), ""
