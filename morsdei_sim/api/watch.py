"""The verb `watch`."""

from __future__ import annotations

from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.api.ask import ask

__all__ = ["watch"]


def watch(watcher: Any, walker: Any, **options: Any) -> Answer:
    """A fighter on watch fires at another that walks into the watched cells.

    Parameters
    ----------
    watcher, walker : str
        `squad/fighter` or `file.toml/fighter`.
    ruleset, engine, trials, target_error, seed, jobs, rules, progress
        See `morsdei_sim.api.ask`. Rulesets that know the verb: moran.
    **options
        The situation: the flags of `morsdei-sim watch --ruleset moran --help`, with underscores.

    Returns
    -------
    Answer
        Whether the walker is stopped, and whether it lives through the watcher's next shot.

    Examples
    --------
    >>> from morsdei_sim import watch
    >>> found = watch("line/rifleman", "line/rifleman", distance=15, ruleset="moran").to_dict()
    >>> round(found["stopped"], 6), round(found["dead_after_next_shot"], 6)
    (0.740741, 0.482853)
    """
    return ask("watch", watcher, walker, **options)
