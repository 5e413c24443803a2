"""What stands in a study file, entry by entry: values with their places, and faults with their lines."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from math import floor, isfinite
from pathlib import Path
from typing import Any

from morsdei_sim.cards.lines import lines
from morsdei_sim.cards.safe import fail, read_text
from morsdei_sim.cards.values import meant, show
from morsdei_sim.errors import Fault
from morsdei_sim.lang import _

__all__ = ["MOST_VALUES", "STEPS", "Entries", "Place", "parsed"]

MOST_BYTES = 1_000_000
MOST_VALUES = 10_000
STEPS = ("from", "to", "step")

Place = tuple[str | int, ...]
"""The path of an entry, such as ("changes", "attackers.hit", 2)."""


def parsed(path: Path) -> tuple[str, dict[str, Any], dict[Place, int]]:
    """Text, content and lines of a TOML file; CardFaults where it is none."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise fail(str(path), _("is too large: a study has at most 1 MB"))
    except (OSError, ValueError):
        pass  # said better below
    text = read_text(path, legacy=False)
    try:
        tree = tomllib.loads(text)
        where = lines(text)
    except RecursionError:
        raise fail(str(path), _("is nested too deeply for a study file")) from None
    except ValueError as error:  # TOMLDecodeError, or a number too long to be read
        reason, _bracket, place = str(error).partition(" (at line ")
        line = place.partition(",")[0]
        message = _("is not valid TOML here: {reason}").format(reason=reason[:200])
        raise fail(str(path), message, place=f"line {line}" if line.isdigit() else "") from None
    return text, tree, where


class Entries:
    """Collects faults; what is faulty is left out, so that the rest can be checked too."""

    def __init__(self, path: Path, text: str, where: dict[Place, int]) -> None:
        self.path, self.text, self.where = path, text, where
        self.faults: list[Fault] = []

    def fault(self, path: Sequence[str | int], value: Any, message: str, hint: str = "") -> None:
        """Note a fault where it stands, or at the nearest thing around it."""
        ends = (tuple(path[:end]) for end in range(len(path), 0, -1))
        line = next((self.where[end] for end in ends if end in self.where), None)
        field = ", ".join(show(part)[1:-1] if isinstance(part, str) else str(part + 1) for part in path)
        shown = "" if value is None else show(value)
        self.faults.append(Fault(str(self.path), f"line {line}" if line else "", field, shown, message, hint))

    def order(self, fault: Fault) -> tuple[bool, int]:
        """Of faults: by line, those of the cards last."""
        line = fault.place.removeprefix("line ")
        return fault.file != str(self.path), int(line) if line.isdigit() and fault.file == str(self.path) else 0

    def keys(self, path: tuple[str, ...], table: dict[str, Any], known: Sequence[str]) -> None:
        """Fault every key that means nothing here."""
        for key in table:
            if key not in known:
                hint = meant(key, known) or _("there are: {names}").format(names=", ".join(known))
                self.fault((*path, key), None, _("no such entry"), hint)

    def title(self, tree: dict[str, Any], key: str) -> str:
        """A name; "" when it is left out."""
        value = tree.get(key, "")
        if not isinstance(value, str) or len(value) > 80 or not value.replace("\t", "").isprintable():
            self.fault((key,), value, _("must be text of at most 80 characters, without control characters"))
            return ""
        return value.strip()

    def table(self, tree: dict[str, Any], key: str) -> dict[str, Any]:
        """A table; empty when it is left out."""
        value = tree.get(key, {})
        if not isinstance(value, dict):
            self.fault((key,), value, _("must be a table that begins with {name}").format(name=f"[{key}]"))
            return {}
        return value

    def words(self, tree: dict[str, Any], key: str) -> list[tuple[Place, str]]:
        """A list of words, each with its place; a single word is a list of one."""
        value = tree.get(key, [])
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(one, str) and one.strip() for one in listed):
            self.fault((key,), value, _("must be a list of words"))
            return []
        if key in tree and not listed:
            self.fault((key,), None, _("must not be empty"))
        return [((key, place) if isinstance(value, list) else (key,), one) for place, one in enumerate(listed)]

    def values(self, path: tuple[str, ...], value: Any) -> list[tuple[Place, Any]]:
        """The values of an axis, each with its place: a list, or from, to and step."""
        if isinstance(value, dict):
            return [(path, one) for one in self.steps(path, value)]
        if not isinstance(value, list):
            return [(path, value)]
        if not value:
            self.fault(path, None, _("must not be empty"))
        if len(value) > MOST_VALUES:
            self.fault(path, None, _("has {count}; at most {most} are allowed").format(
                count=len(value), most=MOST_VALUES))  # fmt: skip
            return []
        return [((*path, place), one) for place, one in enumerate(value)]

    def steps(self, path: tuple[str, ...], table: dict[str, Any]) -> list[int | float]:
        """{ from = 6, to = 10, step = 1 }: both ends belong to it."""
        self.keys(path, table, STEPS)
        found = []
        for key in STEPS:
            value = table.get(key, 1 if key == "step" else None)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
                self.fault((*path, key), value, _("must be a number"))
                return []
            found.append(value)
        first, last, step = found
        count = floor((last - first) / step + 1e-9) + 1 if step else 0
        if count < 1:
            self.fault(path, None, _("these steps never lead from {first} to {last}").format(first=first, last=last))
            return []
        if count > MOST_VALUES:
            self.fault(path, None, _("has {count}; at most {most} are allowed").format(count=count, most=MOST_VALUES))
            return []
        return [round(first + place * step, 12) for place in range(count)]

    def whole(self, path: tuple[str, ...], table: dict[str, Any], low: int, high: int, usual: int | None) -> int | None:
        """A whole number between bounds."""
        value = table.get(path[-1], usual)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high):
            self.fault(path, value, _("must be a whole number, {low} to {high}").format(low=low, high=high))
            return usual
        return value
