"""One exact shot, 4d6 4+ against 3 Defence Dice: inside a batch, by itself, and in icepool.

Bars: at most 4 µs inside a batch, and at least 300 times faster than icepool.
"""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np
from bench import Row, duration, main, ratio, rounds

DICE, HIT, DAMAGE, DEFENCE, HP = 4, 4, 4, 3, 7


def hits_left(normals: int, crits: int, saves: int, crit_saves: int) -> int:
    """The rulebook's saves, spent best, in plain Python."""
    normals = max(0, normals - saves)
    pairs = min(crit_saves, normals // 2)
    return max(0, crits + normals - 2 * pairs - (crit_saves - pairs))


def in_icepool() -> Any:
    """The shot in icepool, through its own mapping of two dice.

    A die counts 1 for a normal success and 16 for a critical one, so that both pools are sums, which icepool computes
    fastest; as a multiset evaluator the same shot takes four times as long.
    """
    import icepool

    die = icepool.Die({0: 3, 1: 2, 16: 1})
    return icepool.map(lambda a, d: hits_left(a & 15, a >> 4, d & 15, d >> 4), DICE @ die, DEFENCE @ die)


def with_icepool_pools() -> Any:
    """The same with the last step in a plain loop: less of icepool, and faster."""
    import icepool

    die = icepool.Die({0: 3, 1: 2, 16: 1})
    attack, defence = DICE @ die, DEFENCE @ die
    ways: dict[int, int] = {}
    for a, p in attack.items():
        for d, q in defence.items():
            left = hits_left(a & 15, a >> 4, d & 15, d >> 4)
            ways[left] = ways.get(left, 0) + p * q
    return icepool.Die(ways)


def measure(quick: bool = False, long: bool = False) -> list[Row]:
    """Times of an exact shot; stops if the rivals disagree."""
    from morsdei_sim.dice.every import every
    from morsdei_sim.fight import exact
    from morsdei_sim.rulesets.morsdei.rules import Rules
    from morsdei_sim.rulesets.morsdei.shooting import Shooter, Shooting, Target, shoot_all

    rules = Shooting(*Rules())
    shooter, target = Shooter(DICE, HIT, DAMAGE, 0, 0, 0, 0, 0, 1), Target(DEFENCE, HP, HP, 0, 0, 0, 0)
    many = 200 if quick else 4000
    shooters = np.tile(np.array(shooter[:8], dtype=np.int64), (many, 1))
    targets = np.tile(np.array(target, dtype=np.int64), (many, 1))
    out = np.zeros((many, DICE + 1))

    def batch() -> None:
        out[:] = 0.0
        shoot_all(rules, every(), shooters, targets, out)

    batch()
    alone = exact.pmf(rules, shooter, target).reshape(DICE + 1, 4).sum(axis=1)
    for rival in (in_icepool(), with_icepool_pools()):
        expected = [float(rival.probability(hits)) for hits in range(DICE + 1)]
        np.testing.assert_allclose(alone, expected, rtol=0, atol=1e-12)
        np.testing.assert_allclose(out, np.tile(expected, (many, 1)), rtol=0, atol=1e-12)

    rivals = {
        "batch": batch,
        "alone": lambda: exact.pmf(rules, shooter, target),
        "icepool": in_icepool,
        "pools": with_icepool_pools,
    }
    calls = {"alone": 20 if quick else 400, "icepool": 2 if quick else 10, "pools": 2 if quick else 10}
    times = rounds(rivals, 3 if quick else 31, calls)
    times["batch"] = [seconds / many for seconds in times["batch"]]
    here, mapped = median(times["batch"]), median(times["icepool"])
    best = min(("icepool", "pools"), key=lambda name: median(times[name]))
    ratio_map, ratio_best = ratio(times, "icepool", "batch"), ratio(times, best, "batch")
    slow = duration(median(times[best]))
    hint = "per path of 150: re-running the rule, the weights of two questions, one addition"
    return [
        Row("shot-batch", duration(here), bar="≤ 4 µs", met=here <= 4e-6, hint="" if here <= 4e-6 else hint),
        Row(
            "shot-icepool", duration(here), f"icepool, map: {duration(mapped)}", ratio_map, "≥ 300 ×", ratio_map >= 300
        ),
        Row("shot-icepool-loop", duration(here), f"icepool + loop: {slow}", ratio_best, "≥ 300 ×", ratio_best >= 300),
        Row("shot-alone", duration(median(times["alone"]))),
    ]


if __name__ == "__main__":
    main(__doc__, measure)
