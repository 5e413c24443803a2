"""The verb `wounds`."""

from __future__ import annotations

from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.api.ask import ask

__all__ = ["wounds"]


def wounds(fighter: Any, **options: Any) -> Answer:
    """What becomes of a fighter that is hurt: dying, dead, fleeing, raised again.

    Parameters
    ----------
    fighter : str
        `squad/fighter` or `file.toml/fighter`.
    ruleset, engine, trials, target_error, seed, jobs, rules, progress
        See `morsdei_sim.api.ask`. Rulesets that know the verb: club.
    **options
        The situation: the flags of `morsdei-sim wounds --ruleset club --help`, with underscores.

    Returns
    -------
    Answer
        Chances of each state, rolls made, how far it flees.
    """
    return ask("wounds", fighter, **options)
