"""Questions about one turn or less: played to their end, exactly or sampled, and read off the last state."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.fight.long import chain_of, flow, sampled
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import Run, answer
from morsdei_sim.fight.verbs import span
from morsdei_sim.lang import _

MAX_CELLS = 1 << 23
"""Most ends that are told apart: 64 MB a table."""


def ends_of(rules: Any, attacker: Any, defender: Any) -> NDArray[np.int64]:
    """The number of every end; UserError when there are too many to be counted one by one."""
    cells = int(span(rules, attacker, defender))
    if cells > MAX_CELLS:
        raise UserError(
            _(
                "This fight can end in more ways than the {limit} that are told apart; ask for fewer attacks or "
                "smaller dice of damage."
            ).format(limit=MAX_CELLS)
        )
    return np.arange(cells)


DRAWN = 20
"""Turns whose distribution is drawn; longer ones are left to the JSON."""


def turns_drawn(readings: tuple[Reading, ...], limit: int) -> tuple[Reading, ...]:
    """The readings of a long fight, the turns left out of the picture when there are too many of them."""
    return tuple(replace(one, drawn=limit <= DRAWN) if one.name == "turns" else one for one in readings)


def once(
    run: Run, rules: Any, attacker: Any, defender: Any, readings: tuple[Reading, ...], /, **settings: Any
) -> Outcome:
    """The outcome of a fight that is over within one turn."""
    cells = int(span(rules, attacker, defender))

    def exact() -> NDArray[np.float64]:
        return flow(chain_of(rules, attacker, defender), cells, 1).weights[:cells]

    def counted(first: int, trials: int, executor: Executor | None, progress: Any) -> NDArray[np.int64]:
        return sampled(rules, attacker, defender, 1, trials, run.seed, executor, first, progress)[:cells]

    return answer(run, exact, counted, readings, **settings)
