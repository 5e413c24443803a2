"""One melee exchange under best play, 4d6 4+ 4 with 9 HP against the same with 7 HP: solved, with all chances.

Bar: at most 1 ms, with nothing kept from an earlier exchange. The rival is the plain Python reference of the tests.
"""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np
from bench import Row, duration, main, ratio, rounds


def measure(quick: bool = False, long: bool = False) -> list[Row]:
    """Times of a best-play exchange; stops if the rivals disagree."""
    from morsdei_sim.rulesets.morsdei import exchange
    from morsdei_sim.rulesets.morsdei.exchange import Combatant, best_play, face_off
    from morsdei_sim.rulesets.morsdei.rules import Rules
    from tests.reference import morsdei as reference

    rules = Rules()
    initiator, target = Combatant(4, 4, 4, 9), Combatant(4, 4, 4, 7)

    def cold() -> Any:
        exchange.forget()  # the tables of each side, too, are part of the work
        return best_play(face_off(rules, initiator, target), "net")

    def warm() -> Any:
        exchange._solved.clear()
        return best_play(face_off(rules, initiator, target), "net")

    def plain() -> Any:
        reference.leads.cache_clear()
        return reference.best_play(reference.Fighter(*initiator), reference.Fighter(*target), "net")

    chances = cold()
    expected = np.zeros_like(chances)
    for (taken, dealt), chance in plain()[1].items():
        expected[taken, dealt] = chance
    np.testing.assert_allclose(chances, expected, rtol=0, atol=1e-12)

    calls = {"cold": 3 if quick else 30, "warm": 3 if quick else 30}
    times = rounds({"cold": cold, "warm": warm, "plain": plain}, 2 if quick else 15, calls)
    here = median(times["cold"])
    hint = "" if here <= 1e-3 else "four fifths are `solve`, the sweep over all 14,300 positions"
    rival = f"Python (tests/reference): {duration(median(times['plain']))}"
    return [
        Row("melee", duration(here), rival, ratio(times, "plain", "cold"), "≤ 1 ms", here <= 1e-3, hint),
        Row("melee-warm", duration(median(times["warm"]))),
    ]


if __name__ == "__main__":
    main(__doc__, measure)
