"""A few cards of every room, and what was asked about them, once for all tests."""

from __future__ import annotations

from functools import cache
from typing import Any

from morsdei_sim.rulesets import ROOMS, room

__all__ = ["CARDS", "FIELD", "ROOMS", "collected", "data"]

CARDS = {
    "morsdei": ["mirror", "cleavers/chief"],
    # Heroes and others, rolled damage, a pistol beside a rifle; area weapons, none at all, two of one kind.
    "club": ["guard/guardsman", "guard/veteran", "orks/ork_boss"],
    "moran": ["demo/moran", "demo/rifleman", "demo/flamer", "demo/assault"],
}
FIELD = {
    "morsdei": ["field/d3-hp7"],
    "club": ["field/t3-s5-e1", "field/t4-s3-e2", "field/t3-s5-e3"],
    "moran": ["field/class-0", "field/class-1", "field/class-2"],
}


@cache
def collected(ruleset: str, **words: Any) -> Any:
    from morsdei_sim.sweep import collect

    return collect(ruleset, CARDS[ruleset], FIELD[ruleset], jobs=1, **words)


def data(ruleset: str) -> Any:
    """The room's module `variants`."""
    from importlib import import_module

    return import_module(f"morsdei_sim.rulesets.{room(ruleset).name}.variants")
