"""Two pools whose answers are known already: a step is resolved once for all trials that rolled the same."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from morsdei_sim._jit import kernel
from morsdei_sim.dice.questions import answers, pool
from morsdei_sim.dice.rolled import BLOCK, POOLS, SCALE, TABLE_START, draw_ahead

CODES = 64
"""Codes of an answer of `pool` for at most four dice: normals + 8 crits."""
SPLIT = 4
"""Separate counters for neighbouring trials: adding to the same cell twice in a row makes the processor wait."""


class GivenDice(NamedTuple):
    """The answers for purposes 0 and 1."""

    first_normals: int
    first_crits: int
    second_normals: int
    second_crits: int


@answers(pool, GivenDice)
def _pool(dice, n, hit, purpose):
    if purpose == 0:
        return dice.first_normals, dice.first_crits
    return dice.second_normals, dice.second_crits


ANSWER_CODES = ((POOLS & 7) | (POOLS >> 8 << 3)).astype(np.uint8)
"""Code of each entry of the tables, by Hit."""


@kernel
def count_pairs(seed, first, trials, n_0, hit_0, n_1, hit_1, ahead, pairs):
    """Count into `pairs` (int64, SPLIT x CODES^2) what trials `first` … roll for purposes 0 and 1.

    Each roll has four dice at most. `first` is a multiple of 1,024; `ahead` (uint32, 2 x 1,024) is scratch. Counts of
    one pair are spread over axis 0.
    """
    codes_0 = ANSWER_CODES[hit_0, TABLE_START[n_0] :]
    codes_1 = ANSWER_CODES[hit_1, TABLE_START[n_1] :]
    scale_0, scale_1, half = SCALE[n_0], SCALE[n_1], np.uint64(32)
    while trials > 0:
        draw_ahead(seed, first // BLOCK, 0, ahead)
        words_0, words_1 = ahead[0], ahead[1]
        for t in range(min(trials, BLOCK)):
            one = np.uint64(codes_0[np.uint64(words_0[t]) * scale_0 >> half])
            two = np.uint64(codes_1[np.uint64(words_1[t]) * scale_1 >> half])
            pairs[t & (SPLIT - 1), one * np.uint64(CODES) + two] += 1
        first += BLOCK
        trials -= BLOCK
