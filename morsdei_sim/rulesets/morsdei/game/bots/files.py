"""A bot as a file of numbers (TOML), or every fault of the file at once.

name = "Bold looter"
name_ru = "Смелый сборщик"
plays = "looter"                    # which of the bots that come along decides
prone_price = 1.5                   # HP that going prone must save (J6), or "never"
habit = "parry-first"               # how it leads and answers in exchanges (J10, J11)

[weights]                           # what it goes by, see `weigh.Weights`
vp = 20

Whatever is left out is as in the file of the bot that it plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from morsdei_sim.cards.entries import Entries, parsed
from morsdei_sim.cards.text import norm
from morsdei_sim.cards.values import meant
from morsdei_sim.errors import CardFaults
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.game.bots.weigh import Weights
from morsdei_sim.rulesets.morsdei.policies import STYLES

__all__ = ["Sheet", "checked", "parse"]

HEAD = ("name", "name_ru", "plays", "prone_price", "habit", "weights")
MOST_WEIGHT = 1e6
STRIDES = (1.0, 64.0)
MOST_PRICE = 1000.0
NEVER = "never"
"""A price that nothing is worth."""


@dataclass(frozen=True)
class Sheet:
    """What a file says."""

    name: str
    name_ru: str = ""
    plays: str = ""
    prone_price: float = 1.5
    habit: int = STYLES["lowest-sufficient-parry"]
    weights: Weights = Weights()  # noqa: RUF009 - a tuple


Usual = Callable[[str], Sheet]
"""The sheet of a bot that comes along, by its name: what is meant by all that is left out."""


def parse(text: str, file: str, name: str, known: Iterable[str], usual: Usual, taken: Iterable[str] = ()) -> Sheet:
    """What a TOML text says; CardFaults with the line of every fault. `known`: the functions that it may play; `taken`:
    names that it may not have."""
    tree, where = parsed(text, file, _("is nested too deeply for the file of a bot"))
    return _Reader(file, where).sheet(tree, name, tuple(known), usual, taken)


def checked(settings: Mapping[str, Any], what: str, usual: Usual, taken: Iterable[str] = ()) -> Sheet:
    """The same of settings given in Python, which play what their own function says."""
    tree = {key: dict(value) if isinstance(value, Mapping) else value for key, value in settings.items()}
    return _Reader(what, {}).sheet({**tree, "plays": ""}, what, ("",), usual, taken)


class _Reader(Entries):
    def sheet(
        self, tree: dict[str, Any], name: str, known: tuple[str, ...], usual: Usual, taken: Iterable[str]
    ) -> Sheet:
        """All of the file; raises when anything was wrong."""
        self.keys((), tree, HEAD)
        title, title_ru = self.text((), tree, "name", name), self.text((), tree, "name_ru")
        if norm(title) in map(norm, taken):
            message = _("a bot of this name comes along: whatever is told of yours would seem to be told of it")
            hint = _("another name, such as {name}").format(name=f'"{title}-2"')
            self.fault(("name",), title, message, hint)
        plays = self.word(tree, "plays", known)
        base = usual(plays) if plays in known else Sheet("")
        price = self.price(tree["prone_price"]) if "prone_price" in tree else base.prone_price
        habit = STYLES.get(self.word(tree, "habit", tuple(STYLES)), 0) if "habit" in tree else base.habit
        weights = self.weights(tree.get("weights", {}), base.weights)
        if self.faults:
            raise CardFaults(self.faults)
        return Sheet(title, title_ru, plays, price, habit, weights)

    def word(self, tree: dict[str, Any], key: str, known: tuple[str, ...]) -> str:
        """One of the known words."""
        word = tree.get(key)
        if word is None:
            self.fault((), None, _("has no {key}").format(key=key), ", ".join(known))
        elif not isinstance(word, str) or word not in known:
            hint = meant(word, known) if isinstance(word, str) else ""
            self.fault((key,), word, _("must be one of: {names}").format(names=", ".join(known)), hint)
        return word if isinstance(word, str) else ""

    def price(self, value: Any) -> float:
        """J6 Of going prone."""
        if isinstance(value, str):
            if value.strip().lower() == NEVER:
                return inf
            message = _('must be a number, {low:g} to {high:g}, or "{word}"')
            hint = meant(value, [NEVER])
            self.fault(("prone_price",), value, message.format(low=0, high=MOST_PRICE, word=NEVER), hint)
            return 0.0
        return self.number(("prone_price",), value, 0.0, MOST_PRICE) or 0.0

    def weights(self, table: Any, usual: Weights) -> Weights:
        """What it goes by."""
        if not isinstance(table, dict):
            self.fault(("weights",), table, _("must be a table that begins with {name}").format(name="[weights]"))
            return usual
        self.keys(("weights",), table, Weights._fields)
        found: dict[str, float] = {}
        for key in [key for key in table if key in Weights._fields]:
            low, high = STRIDES if key == "stride" else (-MOST_WEIGHT, MOST_WEIGHT)
            number = self.number(("weights", key), table[key], low, high)
            if number is not None:
                found[key] = number
        return usual._replace(**found)
