"""The column titles of a sheet, where a card and the records within it share one row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from morsdei_sim.cards.shape import Column, Shape
from morsdei_sim.cards.text import alike, norm

__all__ = ["Titles", "inner_key", "titles"]

LONGEST = 80
"""No title is longer."""


@dataclass(frozen=True)
class Titles:
    """How the columns of a sheet are headed: (level, column), level "card" or "record"."""

    columns: tuple[tuple[str, Column], ...]

    @cached_property
    def spellings(self) -> dict[str, tuple[str, Column]]:
        """Every column by its key, by other spellings, by ones that look the same; of two columns the first in this
        order has the word."""
        found: dict[str, tuple[str, Column]] = {}
        for words in (
            lambda column: [norm(column.key)],
            lambda column: column.spellings(),
            lambda column: [alike(word) for word in column.spellings()],
        ):
            for level, column in self.columns:
                for word in words(column):
                    found.setdefault(word, (level, column))
        return found

    def meant(self, word: str) -> tuple[str, Column] | None:
        """The column of a title."""
        return self.spellings.get(norm(word)) or self.spellings.get(alike(word))

    def among(self, row: list[Any]) -> int:
        """How many different columns a row of titles names."""
        found = (self.meant(cell) for cell in row if isinstance(cell, str) and len(cell) <= LONGEST)
        return len({(one[0], one[1].key) for one in found if one is not None})


@cache
def titles(shape: Shape) -> Titles:
    """The columns of a sheet; a weapon's name and name_ru are headed weapon and weapon_ru, or "weapon name"."""
    found = [("card", column) for column in shape.columns]
    own = {column.key for column in shape.columns}
    for column in shape.record.columns if shape.record else ():
        if column.key not in own:
            found.append(("record", column))
            continue
        key = column.key.replace("name", shape.record_key, 1) if column.key.startswith("name") else ""
        long = f"{shape.record_key}_{column.key}"
        renamed = dict(
            column.__dict__, key=key or long, aliases=(*column.aliases, long, f"{column.key} {shape.record_key}")
        )
        if shape.record and shape.column(column.title) is not None:  # a heading can stand once only
            renamed["title"] = f"{shape.record.model.__name__}: {column.title}"
            renamed["title_ru"] = f"{shape.record.name_ru}: {column.title_ru}"
        found.append(("record", Column(**renamed)))
    return Titles(tuple(found))


def inner_key(column: Column, shape: Shape) -> str:
    """The record's own key of a sheet column: "weapon" is the weapon's name."""
    if shape.record is None or any(one.key == column.key for one in shape.record.columns):
        return column.key
    long = column.key.removeprefix(shape.record_key)
    return "name" + long if any(one.key == "name" + long for one in shape.record.columns) else long.removeprefix("_")
