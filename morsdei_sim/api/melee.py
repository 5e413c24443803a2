"""The verb `melee`."""

from __future__ import annotations

from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.api.ask import ask

__all__ = ["melee"]


def melee(attacker: Any, target: Any, **options: Any) -> Answer:
    """One or several melee exchanges; the attacker is the initiator.

    Parameters
    ----------
    attacker, target : str
        `squad/fighter`, `file.toml/fighter`, or typed as the rulebook writes it.
    ruleset, engine, trials, target_error, seed, jobs, rules, progress
        See `morsdei_sim.api.ask`; `rules` changes numbers of the rulebook, for instance `{"may_pass": 1}`.
    **options
        The situation and the policies: the flags of `morsdei-sim melee --help`, with underscores.

    Returns
    -------
    Answer
        With `to_dict`, `to_frame`, `plot`; every sampled figure has a 95 % interval.

    Examples
    --------
    >>> from morsdei_sim import melee
    >>> round(melee("4d6 4+ 4 HP 9", "4d6 4+ 4 HP 7").to_dict()["net_damage"], 6)
    1.28447
    """
    return ask("melee", attacker, target, **options)
