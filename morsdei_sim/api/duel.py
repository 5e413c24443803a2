"""The verb `duel`."""

from __future__ import annotations

from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.api.ask import ask

__all__ = ["duel"]


def duel(attacker: Any, target: Any, **options: Any) -> Answer:
    """Two fighters alone on open ground until one is removed or the rounds are over.

    Parameters
    ----------
    attacker, target : str
        `squad/fighter`, `file.toml/fighter`, or typed as the rulebook writes it.
    ruleset, engine, trials, target_error, seed, jobs, rules, progress
        See `morsdei_sim.api.ask`; `rules` changes numbers of the rulebook, for instance `{"overwatch": 0}`.
    **options
        The situation and the plans: the flags of `morsdei-sim duel --help`, with underscores.
        `attacker_plan` and `target_plan` may also be functions of a room's own kind.

    Returns
    -------
    Answer
        Chances of either side to win, in which round it ended, HP left and damage of both.

    Examples
    --------
    >>> from morsdei_sim import duel
    >>> found = duel("1d6 4+ 9 HP 1 Defence 0 Move 6 APL 1", "1d6 4+ 9 HP 1 Defence 0 Move 6 APL 1", rounds=1).to_dict()
    >>> found["attacker_wins"], found["target_wins"], found["undecided"]
    (0.5, 0.25, 0.25)
    """
    return ask("duel", attacker, target, **options)
