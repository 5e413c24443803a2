"""What stands in a study file, entry by entry: values with their places, and faults with their lines."""

from __future__ import annotations

from math import floor, isfinite
from pathlib import Path
from typing import Any

from morsdei_sim.cards.entries import Entries, parsed
from morsdei_sim.cards.safe import fail, read_text
from morsdei_sim.errors import Fault
from morsdei_sim.lang import _

__all__ = ["MOST_VALUES", "STEPS", "Place", "Values", "study_text"]

MOST_BYTES = 1_000_000
MOST_VALUES = 10_000
STEPS = ("from", "to", "step")

Place = tuple[str | int, ...]
"""The path of an entry, such as ("changes", "attackers.hit", 2)."""


def study_text(path: Path) -> tuple[str, dict[str, Any], dict[Place, int]]:
    """Text, content and lines of a study file; CardFaults where it is none."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise fail(str(path), _("is too large: a study has at most 1 MB"))
    except (OSError, ValueError):
        pass  # said better below
    text = read_text(path, legacy=False)
    return text, *parsed(text, str(path), _("is nested too deeply for a study file"))


class Values(Entries):
    """Entries that may be lists: of words, or of the values of an axis."""

    def __init__(self, path: Path, text: str, where: dict[Place, int]) -> None:
        super().__init__(str(path), where)
        self.path, self.study_text = path, text

    def order(self, fault: Fault) -> tuple[bool, int]:
        """Of faults: by line, those of the cards last."""
        line = fault.place.removeprefix("line ")
        return fault.file != self.file, int(line) if line.isdigit() and fault.file == self.file else 0

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
