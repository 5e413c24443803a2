"""The verb `activations`."""

from __future__ import annotations

from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.api.ask import ask

__all__ = ["activations"]


def activations(attacker: Any, target: Any, **options: Any) -> Answer:
    """Shooting, activation after activation, until the target is removed.

    Parameters
    ----------
    attacker, target : str
        `squad/fighter`, `file.toml/fighter`, or typed as the rulebook writes it.
    ruleset, engine, trials, target_error, seed, jobs, rules, progress
        See `morsdei_sim.api.ask`; `rules` changes numbers of the rulebook, for instance `{"prone_debt": 2}`.
    **options
        The situation and the plans: the flags of `morsdei-sim activations --help`, with underscores.

    Returns
    -------
    Answer
        With the whole distribution; `limit` + 1 stands for: not removed within `limit` activations.

    Examples
    --------
    >>> from morsdei_sim import activations
    >>> found = activations("4d6 4+ 4", "Defence 3 HP 7", limit=3).to_dict()
    >>> round(found["activations"]["1"], 6), round(found["removed_within"], 6)
    (0.514093, 0.958823)
    """
    return ask("activations", attacker, target, **options)
