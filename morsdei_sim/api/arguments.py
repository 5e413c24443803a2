"""What callers give to the verbs, checked by its name in one place: harmless forms are made plain (1e4, numbers of
numpy, paths), and anything else is answered by a sentence."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial, wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

__all__ = ["checked", "number", "plain", "reference", "share", "switch", "whole"]

P = ParamSpec("P")
R = TypeVar("R")

MOST_TRIALS = 10**12
MOST_SEED = 2**64 - 1


def checked(verb: Callable[P, R]) -> Callable[P, R]:
    """A verb whose arguments are checked as `CHECKS` says; what is its default anyway is left as it is."""
    known = signature(verb)

    @wraps(verb)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        given = known.bind(*args, **kwargs)
        for name, value in given.arguments.items():
            if name in CHECKS and value is not known.parameters[name].default:
                given.arguments[name] = CHECKS[name](name, value)
        if all(given.arguments.get(name) is not None for name in ("trials", "target_error")):
            raise UserError(_("Give either a number of trials or a precision, not both."))
        return verb(*given.args, **given.kwargs)

    return call


def plain(value: Any) -> Any:
    """A number of numpy as Python has it; all else as it is."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def whole(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """A whole number between two bounds; 1e4 is one, True is none."""
    found = plain(value)
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    usable = isinstance(found, int) and not isinstance(found, bool)
    if usable and (low is None or low <= found) and (high is None or found <= high):
        return int(found)
    if high is not None:
        allowed = _("must be a whole number, {low} to {high}").format(low=low, high=high)
    elif low is not None:
        allowed = _("must be a whole number of at least {low}").format(low=low)
    else:
        allowed = _("must be a whole number")
    raise _wrong(name, value, allowed)


def number(value: Any) -> int | float | None:
    """A number of any kind as Python has it; None for what is none."""
    found = plain(value)
    return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None


def share(name: str, value: Any) -> float:
    """A share above 0 and below 1: `0.005`, or as text `0.5%`."""
    found = plain(value)
    if isinstance(found, str):
        text = found.strip().replace(",", ".")
        try:
            found = float(text[:-1]) / 100 if text.endswith("%") else float(text)
        except ValueError:
            pass
    if isinstance(found, float) and 0 < found < 1:
        return found
    shown = value if isinstance(value, str) else _shown(value)
    raise UserError(_("{value} is not a share: write 0.005 or 0.5%.").format(value=shown))


def switch(name: str, value: Any) -> bool:
    """Yes or no."""
    found = plain(value)
    if isinstance(found, (bool, int)) and found in (0, 1):
        return bool(found)
    raise _wrong(name, value, _("must be True or False"))


def word(name: str, value: Any) -> str:
    """A word, such as the name of a ruleset."""
    if isinstance(value, str):
        return value
    raise _wrong(name, value, _("must be text in quotes"))


def reference(name: str, value: Any) -> str:
    """A card, a squad or a file, by name."""
    if isinstance(value, (str, os.PathLike)):
        return str(value)
    raise _wrong(name, value, _('must be text in quotes, for instance "line/marksman" or "cards.xlsx"'))


def references(name: str, value: Any) -> str | list[str]:
    """One reference or several."""
    if isinstance(value, (str, os.PathLike)):
        return str(value)
    try:
        return [reference(name, one) for one in value]
    except TypeError:  # nothing to go through
        raise _wrong(name, value, _("must be a text in quotes, or a list of them")) from None


def rule_numbers(name: str, value: Any) -> dict[str, int | str | bool]:
    """Changed rules by name."""
    if not isinstance(value, Mapping):
        raise _wrong(name, value, _("must be rules by name, for instance {example}").format(example='{"save": 5}'))
    found: dict[str, int | str | bool] = {}
    for rule, given in value.items():
        usable = plain(given)
        known = isinstance(usable, (str, bool))
        found[word("rules", rule)] = usable if known else whole(str(rule), given)
    return found


def words(name: str, value: Mapping[str, Any]) -> dict[str, str | None]:
    """Words by name; None stands for none."""
    return {key: None if one is None else word(key, one) for key, one in value.items()}


def _wrong(name: str, value: Any, allowed: str) -> UserError:
    return UserError(f"{name} = {_shown(value)}: {allowed}")


def _shown(value: Any) -> str:
    """A value as it is written in Python, short enough to be repeated."""
    text = repr(plain(value))
    return text if len(text) <= 100 else text[:99] + "…"


CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "trials": partial(whole, low=1, high=MOST_TRIALS),
    "seed": partial(whole, low=0, high=MOST_SEED),
    "jobs": partial(whole, low=1),
    "most_cells": partial(whole, low=1),
    **dict.fromkeys(("games", "game", "count", "first"), whole),  # whose bounds the games know
    "target_error": share,
    "rules": rule_numbers,
    "play": words,
    **dict.fromkeys(("pdf", "dry_run"), switch),
    **dict.fromkeys(("ruleset", "engine", "verb", "figure", "situation", "weapon", "executor", "lang"), word),
    **dict.fromkeys(("squad", "other", "instead", "card", "file", "folder", "out", "old", "new"), reference),
    **dict.fromkeys(("cards", "targets", "field", "board", "boards", "names"), references),
}
"""By the name of the argument: what makes it plain, or raises."""
