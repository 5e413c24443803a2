"""TOML files that hold no cards, such as boards, bots and studies: entries with their places, every fault at once."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any

from morsdei_sim.cards.lines import Path, lines
from morsdei_sim.cards.safe import fail
from morsdei_sim.cards.toml_syntax import told, value_hint
from morsdei_sim.cards.values import meant, show
from morsdei_sim.errors import Fault
from morsdei_sim.lang import _

__all__ = ["Entries", "parsed"]

MOST_LETTERS = 80


def parsed(text: str, file: str, nested: str) -> tuple[dict[str, Any], dict[Path, int]]:
    """Content and lines of a TOML text; CardFaults where it is none. `nested` is said when it is nested too deeply."""
    try:
        return tomllib.loads(text), lines(text)
    except RecursionError:
        raise fail(file, nested) from None
    except ValueError as error:  # TOMLDecodeError, or a number too long to be read
        message, place, row = told(text, str(error))
        raise fail(file, message, value_hint(row), place, show(row.strip())[1:-1]) from None


class Entries:
    """Collects faults; what is faulty is left out, so that the rest can be checked too."""

    def __init__(self, file: str, where: dict[Path, int]) -> None:
        self.file, self.where = file, where
        self.faults: list[Fault] = []

    def fault(self, path: Sequence[str | int], value: Any, message: str, hint: str = "") -> None:
        """Note a fault where it stands, or at the nearest thing around it."""
        ends = (tuple(path[:end]) for end in range(len(path), 0, -1))
        line = next((self.where[end] for end in ends if end in self.where), None)
        shown = "" if value is None else show(value)
        self.faults.append(Fault(self.file, f"line {line}" if line else "", self.field(path), shown, message, hint))

    def field(self, path: Sequence[str | int]) -> str:
        """An entry in the user's words."""
        return ", ".join(show(part)[1:-1] if isinstance(part, str) else str(part + 1) for part in path)

    def keys(self, path: Path, table: dict[str, Any], known: Sequence[str]) -> None:
        """Fault every key that means nothing here."""
        for key in table:
            if key not in known:
                hint = meant(key, known) or _("there are: {names}").format(names=", ".join(known))
                self.fault((*path, key), None, _("no such entry"), hint)

    def number(self, path: Path, value: Any, low: float, high: float) -> float | None:
        """A finite number between two bounds; None and a fault otherwise."""
        usable = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not usable or not low <= value <= high:  # a NaN is not between
            self.fault(path, value, _("must be a number, {low:g} to {high:g}").format(low=low, high=high))
            return None
        return float(value)

    def whole(self, path: Path, table: dict[str, Any], low: int, high: int, usual: int | None) -> int | None:
        """The whole number of an entry, between two bounds; the usual one where it is left out or faulty."""
        value = table.get(str(path[-1]), usual)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high):
            self.fault(path, value, _("must be a whole number, {low} to {high}").format(low=low, high=high))
            return usual
        return value

    def switch(self, path: Path, table: dict[str, Any], key: str) -> bool:
        """true or false; false when it is left out."""
        value = table.get(key, False)
        if not isinstance(value, bool):
            self.fault((*path, key), value, _("must be true or false"))
            return False
        return value

    def text(self, path: Path, table: dict[str, Any], key: str, default: str = "") -> str:
        """A short printable text."""
        value = table.get(key, default)
        if not isinstance(value, str) or len(value) > MOST_LETTERS or not value.isprintable():
            self.fault((*path, key), value, _("must be text in quotes, at most 80 printable characters"))
            return default
        return value

    def table(self, tree: dict[str, Any], key: str) -> dict[str, Any]:
        """A table; empty when it is left out."""
        value = tree.get(key, {})
        if not isinstance(value, dict):
            self.fault((key,), value, _("must be a table that begins with {name}").format(name=f"[{key}]"))
            return {}
        return value

    def numbers(self, path: Path, value: Any, count: int, low: float, high: float) -> list[float] | None:
        """A list of so many numbers; None and a fault otherwise."""
        if not isinstance(value, list) or len(value) != count:
            self.fault(path, value, _("must be a list of {count} numbers").format(count=count))
            return None
        found = [self.number((*path, index), one, low, high) for index, one in enumerate(value)]
        return None if None in found else [one for one in found if one is not None]
