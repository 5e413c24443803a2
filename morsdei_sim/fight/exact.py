"""The exact driver: spread a distribution over states through the step, once for every way the dice can fall."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import inline, kernel
from morsdei_sim.dice.every import every, next_path, start_path
from morsdei_sim.fight.verbs import attack, attacks, begin, span


@inline
def spread_step(rules, dice, attacker, defender, chance, after):
    """Add to `after` where one step leads from the states whose `chance` is not zero."""
    for state in range(len(chance)):
        if chance[state] == 0.0:
            continue
        dice.path[:] = 0
        while True:
            start_path(dice)
            end = attack(rules, dice, attacker, defender, state)
            after[end] += chance[state] * dice.weight[0]
            if not next_path(dice):
                break


@kernel
def spread(rules, dice, attacker, defender, chance, after):
    """Take `chance` (float64, by state) through all steps of the fight; `after` is scratch of the same shape."""
    for _ in range(attacks(rules, attacker, defender)):
        after[:] = 0.0
        spread_step(rules, dice, attacker, defender, chance, after)
        for state in range(len(chance)):
            chance[state] = after[state]


def pmf(rules: Any, attacker: Any, defender: Any) -> NDArray[np.float64]:
    """Exact chance of every state at the end of the fight.

    Parameters
    ----------
    rules, attacker, defender : tuples of one room; the type of `rules` is the kind of fight.

    Returns
    -------
    ndarray of float64, shape (span,), summing to one to within rounding.
    """
    chance = np.zeros(span(rules, attacker, defender))
    chance[begin(rules, attacker, defender)] = 1.0
    spread(rules, every(), attacker, defender, chance, np.zeros_like(chance))
    if not np.isfinite(chance).all():
        raise RuntimeError("a rule asked more questions than an exact path can hold")
    return chance
