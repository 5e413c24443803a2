"""The verb `engagement`."""

from __future__ import annotations

from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.api.ask import ask

__all__ = ["engagement"]


def engagement(attackers: Any, defenders: Any, **options: Any) -> Answer:
    """A small battle of two squads under policy bots, sampled.

    Parameters
    ----------
    attackers, defenders : str
        `squad`, `file.toml`, or some of its fighters: `squad/one+two`.
    ruleset, engine, trials, target_error, seed, jobs, rules, progress
        See `morsdei_sim.api.ask`. Rulesets that know the verb: club, moran.
    **options
        The situation: the flags of `morsdei-sim engagement --ruleset club --help`, with underscores.

    Returns
    -------
    Answer
        Chances of either side to win, what is left of both, and kills by card.

    Examples
    --------
    >>> from morsdei_sim import engagement
    >>> found = engagement("guard", "orks", trials=1000, ruleset="club").to_dict()
    >>> found["engine"], found["trials"], len(found["interval"]["attacker_wins"])
    ('sample', 1000, 2)
    """
    return ask("engagement", attackers, defenders, **options)
