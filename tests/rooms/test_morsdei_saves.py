"""S20-S23, RULING 41: the closed form of best saves is the best of all assignments, also for changed rule numbers."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from morsdei_sim.rulesets.morsdei.rules import Rules
from morsdei_sim.rulesets.morsdei.shooting import hits_left_best, hits_left_crits_first


@cache
def fewest(bundle: int, normals: int, crits: int, saves: int, crit_saves: int) -> int:
    """Fewest hits left over every way to spend or keep each save."""
    left = [normals + crits]
    if saves:
        left.append(fewest(bundle, normals, crits, saves - 1, crit_saves))
        if normals:
            left.append(fewest(bundle, normals - 1, crits, saves - 1, crit_saves))
    if crit_saves:
        if crits:
            left.append(fewest(bundle, normals, crits - 1, saves, crit_saves - 1))
        left += [fewest(bundle, normals - n, crits, saves, crit_saves - 1) for n in range(min(bundle, normals) + 1)]
    return min(left)


@pytest.mark.parametrize("bundle", [1, 2, 3, 4, 20])
def test_best_saves_are_the_best_assignment(bundle: int) -> None:
    rules = Rules(crit_save_normals=bundle)
    for rolled in product(range(6), range(4), range(4), range(4)):
        assert hits_left_best(rules, *rolled) == fewest(bundle, *rolled), rolled
        assert hits_left_crits_first(rules, *rolled) >= fewest(bundle, *rolled), rolled
