"""Two threads against one: at least 1.8 times as fast, and the same counts to the last integer. Wall time.

A machine with something else to do cannot show this; the load average is printed with the result.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from bench import Row, duration, main, rounds


def measure(quick: bool = False, long: bool = False) -> list[Row]:
    """Time of the same sample with one thread and with two."""
    from morsdei_sim.fight import sample
    from morsdei_sim.rulesets.morsdei.rules import Rules
    from morsdei_sim.rulesets.morsdei.shooting import Shooter, Shooting, Target

    rules = Shooting(*Rules())
    shooter, target = Shooter(4, 4, 4, 0, 0, 0, 0, 0, 1), Target(3, 7, 7, 0, 0, 0, 0)
    trials = 1 << (20 if quick else 26)

    def run(jobs: int) -> Any:
        with sample.workers(jobs) as executor:
            return sample.sample(rules, shooter, target, trials, 1, executor)

    np.testing.assert_array_equal(run(1), run(2))
    times = rounds({"one": lambda: run(1), "two": lambda: run(2)}, 3 if quick else 11, clock=time.perf_counter)
    # The best round of each: whatever else runs can only take a core away.
    one, two = min(times["one"]), min(times["two"])
    gain = one / two
    hint = "" if gain >= 1.8 else "look at the load: two free cores are needed"
    return [Row("cores", duration(two), f"jobs 1: {duration(one)}", gain, "≥ 1.8 ×", gain >= 1.8, hint)]


if __name__ == "__main__":
    main(__doc__, measure)
