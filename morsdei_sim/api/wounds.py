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

    Examples
    --------
    >>> from morsdei_sim import wounds
    >>> found = wounds("guard/veteran", blows=0, mortal=4, endurance=2, ruleset="club").to_dict()
    >>> round(found["dying"], 6), round(found["dead"], 6)
    (0.555556, 0.444444)
    """
    return ask("wounds", fighter, **options)
