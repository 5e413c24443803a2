"""Cards that lie in no file, such as changed ones, under references that rooms read like any other.

`lend` gives the reference "lent:<hash of the content>"; "lent:<hash>/<id>" is one card of them, "lent:<hash>/one+two"
some.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from threading import Lock
from typing import Any

from pydantic import BaseModel

__all__ = ["LENT", "Lent", "borrowed", "give_back", "lend"]

LENT = "lent:"

Lent = tuple[tuple[BaseModel, ...], str, str]
"""Cards, name and Russian name of a squad."""

_squads: dict[str, Lent] = {}
_counts: dict[str, int] = {}
_lock = Lock()


def lend(cards: Sequence[BaseModel], name: str = "", name_ru: str = "") -> str:
    """Keep cards under a reference made of their content until they are given back, as often as they were lent."""
    content: list[Any] = [name, name_ru, *([type(card).__qualname__, card.model_dump(mode="json")] for card in cards)]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    reference = LENT + hashlib.sha256(text.encode()).hexdigest()[:24]
    with _lock:
        _squads[reference] = tuple(cards), name, name_ru
        _counts[reference] = _counts.get(reference, 0) + 1
    return reference


def give_back(reference: str) -> None:
    """Forget what was lent under a reference, unless somebody else still has it."""
    with _lock:
        _counts[reference] -= 1
        if not _counts[reference]:
            del _counts[reference], _squads[reference]


def borrowed(reference: str) -> Lent | None:
    """What was lent under a reference; None where nothing is."""
    return _squads.get(reference)
