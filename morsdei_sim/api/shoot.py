"""The verb `shoot`."""

from __future__ import annotations

from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.api.ask import ask

__all__ = ["shoot"]


def shoot(attacker: Any, target: Any, **options: Any) -> Answer:
    """One or several ranged attacks at one target: what is left of it.

    Parameters
    ----------
    attacker, target : str
        `squad/fighter`, `file.toml/fighter`, or typed as the rulebook writes it.
    ruleset, engine, trials, target_error, seed, jobs, rules, progress
        See `morsdei_sim.api.ask`; `rules` changes numbers of the rulebook, for instance `{"may_pass": 1}`.
    **options
        The situation and the policies: the flags of `morsdei-sim shoot --help`, with underscores.

    Returns
    -------
    Answer
        With `to_dict`, `to_frame`, `plot`; every sampled figure has a 95 % interval.

    Examples
    --------
    >>> from morsdei_sim import shoot
    >>> round(shoot("4d6 4+ 4", "Defence 3 HP 7", cover=True).to_dict()["mean_damage"], 6)
    2.609577
    """
    return ask("shoot", attacker, target, **options)
