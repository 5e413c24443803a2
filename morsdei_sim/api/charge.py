"""The verb `charge`."""

from __future__ import annotations

from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.api.ask import ask

__all__ = ["charge"]


def charge(attacker: Any, target: Any, **options: Any) -> Answer:
    """One turn in which a fighter charges another: overwatch, the roll, strikes of both, who flees.

    Parameters
    ----------
    attacker, target : str
        `squad/fighter` or `file.toml/fighter`.
    ruleset, engine, trials, target_error, seed, jobs, rules, progress
        See `morsdei_sim.api.ask`. Rulesets that know the verb: club.
    **options
        The situation: the flags of `morsdei-sim charge --ruleset club --help`, with underscores.

    Returns
    -------
    Answer
        Whether the charge arrives, and what is left of both.

    Examples
    --------
    >>> from morsdei_sim import charge
    >>> found = charge("orks/ork", "guard/guardsman", distance=5, ruleset="club").to_dict()
    >>> round(found["charger_dead"], 6), round(found["target_dead"], 6)
    (0.223804, 0.346373)
    """
    return ask("charge", attacker, target, **options)
