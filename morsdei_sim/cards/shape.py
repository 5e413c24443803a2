"""What a card looks like, read from its pydantic model: fields, records within it, names in two languages, bounds.

A card model is an ordinary pydantic model with at most one field of type ``tuple[Record, ...]`` (the weapons of a
fighter). Russian titles, accepted spellings and units stand in each field's ``json_schema_extra``.
"""

from __future__ import annotations

import types
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from morsdei_sim.cards.text import norm

__all__ = ["Column", "Shape", "shape"]


@dataclass(frozen=True)
class Column:
    """One field of a card or of a record within it."""

    key: str
    kind: str  # "whole", "length", "text", "choice", "words" or "switch"
    title: str
    title_ru: str
    help: str
    help_ru: str
    required: bool
    default: Any
    optional: bool  # may be None
    bounds: tuple[tuple[str, float], ...]  # ("ge", 2), ("le", 6), ("max_length", 80) …
    choices: tuple[str, ...] = ()
    words: tuple[tuple[str, str], ...] = ()  # (other spelling, choice)
    aliases: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()  # what designers write after the number: "+", "d6", "mm"
    none: tuple[str, ...] = ()  # words that mean "no limit"
    rule: str = ""
    slot: bool = False  # holds the ids of records
    number: bool = False  # a text that may be written as a bare number
    example: Any = None  # what an example card shows in a field that it could leave out

    def bound(self, name: str) -> float | None:
        return dict(self.bounds).get(name)

    def spellings(self) -> set[str]:
        """Every normalised spelling of the field's name."""
        return {norm(word) for word in (self.key, self.title, self.title_ru, *self.aliases)}

    def word(self, choice: str, lang: str) -> str:
        """The choice as a reader of that language writes it."""
        if lang == "ru":
            return next((word for word, meant in self.words if meant == choice), choice)
        return choice


@dataclass(frozen=True)
class Shape:
    """A card model taken apart."""

    model: type[BaseModel]
    name: str  # "fighter"
    name_ru: str
    columns: tuple[Column, ...]
    record: Shape | None = None  # the weapons
    record_key: str = ""
    record_aliases: tuple[str, ...] = ()
    record_bounds: tuple[tuple[str, float], ...] = ()

    def column(self, word: str) -> Column | None:
        """The column that a written key means, in either language, or None."""
        return self._spelled.get(norm(word))

    @cached_property
    def _spelled(self) -> dict[str, Column]:
        """Every column by its key and by its other spellings; a key comes before the spelling of another column."""
        found = {norm(column.key): column for column in self.columns}
        for column in self.columns:
            for word in column.spellings():
                found.setdefault(word, column)
        return found

    def is_record_key(self, word: str) -> bool:
        return self.record is not None and norm(word) in {
            norm(name) for name in (self.record_key, *self.record_aliases)
        }

    @property
    def slots(self) -> tuple[Column, ...]:
        """The columns that name records by id."""
        return tuple(column for column in self.columns if column.slot)

    def is_own_name(self, word: str) -> bool:
        """Whether a TOML table of this name holds cards of this shape."""
        return norm(word) in {norm(name) for name in (self.name, self.name + "s", self.name_ru, self.name_ru + "ы")}

    def title(self, lang: str) -> str:
        return self.name_ru.lower() if lang == "ru" else self.name


@cache
def shape(model: type[BaseModel]) -> Shape:
    """Take a card model apart."""
    columns: list[Column] = []
    record: Shape | None = None
    key, extra = "", dict[str, Any]()
    bounds: tuple[tuple[str, float], ...] = ()
    for name, field in model.model_fields.items():
        inner = _record_type(field.annotation)
        if inner is None:
            columns.append(_column(name, field))
            continue
        record, key, extra, bounds = shape(inner), name, _extra(field), _bounds(field)
    aliases = (extra.get("ru", key), field_title(model, key), *extra.get("aliases", ())) if key else ()
    title = model.model_config.get("json_schema_extra")
    name_ru = str(title.get("ru", model.__name__)) if isinstance(title, dict) else model.__name__
    return Shape(model, model.__name__.lower(), name_ru, tuple(columns), record, key, tuple(aliases), bounds)


def field_title(model: type[BaseModel], key: str) -> str:
    return model.model_fields[key].title or key


def _record_type(annotation: Any) -> type[BaseModel] | None:
    arguments = get_args(annotation)
    if get_origin(annotation) is tuple and isinstance(arguments[0], type) and issubclass(arguments[0], BaseModel):
        return arguments[0]
    return None


def _extra(field: FieldInfo) -> dict[str, Any]:
    return dict(field.json_schema_extra) if isinstance(field.json_schema_extra, dict) else {}


def _bounds(field: FieldInfo) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for rule in field.metadata:
        for name in ("ge", "gt", "le", "lt", "min_length", "max_length"):
            value = getattr(rule, name, None)
            if value is not None:
                found[name] = value
    return tuple(found.items())


def _kind(annotation: Any) -> tuple[str, tuple[str, ...], bool]:
    """The kind of a field, its choices, and whether it may be None."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        kind, choices, _ = _kind(next(one for one in arguments if one is not type(None)))
        return kind, choices, type(None) in arguments
    if origin is Literal:
        return "choice", arguments, False
    if origin is tuple:
        return "words", (), False
    if hasattr(annotation, "__metadata__"):  # Annotated[...]
        return _kind(arguments[0])
    kinds = {int: "whole", float: "length", str: "text", bool: "switch"}
    if annotation not in kinds:
        raise TypeError(f"a card field cannot have the type {annotation!r}")
    return kinds[annotation], (), False


def _column(key: str, field: FieldInfo) -> Column:
    extra = _extra(field)
    kind, choices, optional = _kind(field.annotation)
    words = tuple((word, choice) for choice, others in extra.get("words", {}).items() for word in others)
    return Column(
        key,
        kind,
        field.title or key,
        extra.get("ru", field.title or key),
        field.description or "",
        extra.get("description_ru", field.description or ""),
        field.is_required(),
        field.default,
        optional,
        _bounds(field),
        choices,
        words,
        tuple(extra.get("aliases", ())),
        tuple(extra.get("suffixes", ())),
        tuple(extra.get("none", ())),
        extra.get("rule", ""),
        bool(extra.get("slot")),
        bool(extra.get("number")),
        extra.get("example"),
    )
