"""Bots: who decides what in a battle. One file each; `hooks.py` says what they are asked and may answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.game.bots import cautious, gunline, looter, rusher
from morsdei_sim.rulesets.morsdei.game.bots.random import random
from morsdei_sim.rulesets.morsdei.game.bots.searcher import searcher
from morsdei_sim.rulesets.morsdei.game.bots.tactician import tactician
from morsdei_sim.rulesets.morsdei.game.bots.weigh import Weights
from morsdei_sim.rulesets.morsdei.policies import LOWEST_SUFFICIENT_PARRY, RANDOM

__all__ = ["BOTS", "Player", "player"]


@dataclass(frozen=True)
class Player:
    """How a squad is played: a compiled bot, what it goes by, its price of going prone (infinite: never), its habit in
    exchanges."""

    name: str
    bot: Any
    weights: tuple[float, ...] = field(default=())
    prone_price: float = 1.5
    habit: int = LOWEST_SUFFICIENT_PARRY
    supposes: Any = None
    """The bot that a look ahead plays both sides with; None for bots that do not look ahead."""


BOTS: dict[str, tuple[Any, Any]] = {
    "random": (random, ()),
    "rusher": (rusher.rusher, rusher.WEIGHTS),
    "gunline": (gunline.gunline, gunline.WEIGHTS),
    "looter": (looter.looter, looter.WEIGHTS),
    "cautious": (cautious.cautious, cautious.WEIGHTS),
    "tactician": (tactician, Weights()),
    "searcher": (searcher, Weights()),
}
"""Every bot that comes along, the simplest first, and what it goes by."""


def player(name: str) -> Player:
    """A bot that comes along, by its name."""
    if name not in BOTS:
        raise UserError(_("no bot {name!r}; there are: {known}").format(name=name, known=", ".join(BOTS)))
    bot, weights = BOTS[name]
    if name == "random":  # it goes prone whenever that saves anything, and fights at random
        return Player(name, bot, (), 0.0, RANDOM)
    return Player(name, bot, tuple(weights), supposes=tactician if name == "searcher" else None)
