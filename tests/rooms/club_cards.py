"""What the tests of `club` share: demonstration cards by name, and procedures enumerated whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any

from morsdei_sim.dice.every import every, next_path, start_path
from morsdei_sim.rulesets.club.cards import Entrant, Fighter, entrant

SQUADS = {
    "guardsman": "guard", "veteran": "guard", "gunner": "guard", "preacher": "guard", "marine": "marines",
    "ork": "orks", "ork_boss": "orks",
}  # fmt: skip


@cache
def card(name: str) -> Entrant:
    """A demonstration fighter."""
    return entrant(f"{SQUADS[name]}/{name}")


def made(**changes: Any) -> Entrant:
    """A fighter of the test's own: a plain one with some fields changed."""
    plain: dict[str, Any] = {
        "name": "somebody", "speed": 6.0, "acc_ranged": 4, "acc_melee": 4, "strength": 3, "toughness": 3, "save": 5,
        "endurance": 1, "leadership": 6, "hero": True,
    }  # fmt: skip
    return Entrant(Fighter.model_validate({**plain, **changes}), "somebody")


def spread(procedure: Callable[[Any], Hashable]) -> dict[Any, float]:
    """Chance of every answer of a procedure of dice."""
    dice, found = every(), defaultdict[Any, float](float)
    while True:
        start_path(dice)
        answer = procedure(dice)
        found[answer] += float(dice.weight[0])
        if not next_path(dice):
            return dict(found)
