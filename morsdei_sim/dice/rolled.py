"""Rolled dice, keyed: every word depends on (seed, trial, purpose, draw) and on nothing else.

Layout. Trials come in blocks of 1,024. One Philox block of four words serves four trials of a block, 256 apart: word
j of the counter (draw, group, purpose) belongs to the trial with lane j. So one word (up to four dice) costs a
quarter of a Philox
block, and the words of a whole block of trials are drawn in one loop that the compiler turns into vector instructions.

Faces. A word is scaled to 0..6^k - 1 and looked up in a table that holds the answer for k dice. 6^4 does not
divide 2^32; the chance of any roll of four dice is off by less than one part in three million of itself.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from morsdei_sim._jit import INLINE, apart, inline
from morsdei_sim.dice.philox import philox
from morsdei_sim.dice.questions import FIELD, MAX_POOL, answers, choose, die, faces, passes, pool, total, under

BLOCK = 1024
LANES = 4
GROUP = BLOCK // LANES
DICE_PER_WORD = 4
STEP = 256
"""Purposes that one step of a fight may use."""

TABLE_START = np.array([0, 1, 7, 43] + [259] * (MAX_POOL - 3), dtype=np.uint64)
"""Where the table of k dice begins: 1 + 6 + 36 + 216 + 1,296 entries; the first word of a larger roll stands for four
dice."""
SCALE = np.array([1, 6, 36, 216] + [1296] * (MAX_POOL - 3), dtype=np.uint64)


class RolledDice(NamedTuple):
    """The dice of one step of one trial. `first` and `second` are the first words of purposes 0 and 1, drawn ahead
    for the whole block. All fields are plain numbers: an array in here would cost a reference count per question."""

    seed: np.uint64
    trial: int
    step: int
    first: np.uint32
    second: np.uint32


class FewDice(NamedTuple):
    """The same dice for a step whose rolls have four dice at most: no code for a second word, which makes a shot 1.6
    times faster."""

    seed: np.uint64
    trial: int
    step: int
    first: np.uint32
    second: np.uint32


AHEAD = 2
"""Purposes whose first word is drawn ahead."""


def _tables() -> tuple[NDArray[np.uint16], NDArray[np.uint32], NDArray[np.uint16], NDArray[np.uint8]]:
    """Answers for 0-4 dice: `pool` (hit, entry: normals + 256 crits), `faces` (hit, entry: packed counts), `under`
    (limit, entry: successes + 256 sixes), `total` (entry)."""
    rolls = [roll for k in range(DICE_PER_WORD + 1) for roll in product(range(1, 7), repeat=k)]
    faces_of = np.zeros((len(rolls), 7), dtype=np.int64)
    for i, roll in enumerate(rolls):
        for face in roll:
            faces_of[i, face] += 1
    pools = np.zeros((7, len(rolls)), dtype=np.uint16)
    counts = np.zeros((7, len(rolls)), dtype=np.uint32)
    for hit in range(2, 7):
        pools[hit] = faces_of[:, hit:6].sum(axis=1) + (faces_of[:, 6] << 8)
        counts[hit] = sum(faces_of[:, face] << (FIELD * (face - 2)) for face in range(hit, 7))
    unders = np.zeros((7, len(rolls)), dtype=np.uint16)
    for limit in range(1, 7):
        unders[limit] = faces_of[:, 1 : limit + 1].sum(axis=1) + (faces_of[:, 6] << 8)
    return pools, counts, unders, np.array([sum(roll) for roll in rolls], dtype=np.uint8)


POOLS, COUNTS, UNDERS, TOTALS = _tables()


@inline
def draw_ahead(seed, block, step, ahead):
    """Fill `ahead` (2 x 1,024, uint32) with the first words of purposes 0 and 1 of this step, for trials 1024 block …
    1024 block + 1023."""
    k0 = np.uint32(seed & np.uint64(0xFFFFFFFF))
    k1 = np.uint32(seed >> np.uint64(32))
    for purpose in range(AHEAD):
        row = ahead[purpose]
        c3 = np.uint32(step * STEP + purpose)
        for group in range(GROUP):
            index = np.uint64(block * GROUP + group)
            w0, w1, w2, w3 = philox(
                np.uint32(0), np.uint32(index & np.uint64(0xFFFFFFFF)), np.uint32(index >> np.uint64(32)), c3, k0, k1
            )
            row[group] = w0
            row[GROUP + group] = w1
            row[2 * GROUP + group] = w2
            row[3 * GROUP + group] = w3


@apart
def drawn_now(seed, trial, step, purpose, draw):
    """Word number `draw` of this trial for this purpose, from its Philox block."""
    index = np.uint64((trial // BLOCK) * GROUP + (trial & (GROUP - 1)))
    words = philox(
        np.uint32(draw),
        np.uint32(index & np.uint64(0xFFFFFFFF)),
        np.uint32(index >> np.uint64(32)),
        np.uint32(step * STEP + purpose),
        np.uint32(seed & np.uint64(0xFFFFFFFF)),
        np.uint32(seed >> np.uint64(32)),
    )
    return words[(trial & (BLOCK - 1)) // GROUP]


@inline
def first_word(dice, purpose):
    """First word of this trial for this purpose, as uint64 below 2^32."""
    if purpose == 0:
        return np.uint64(dice.first)
    if purpose == 1:
        return np.uint64(dice.second)
    return np.uint64(drawn_now(dice.seed, dice.trial, dice.step, purpose, 0))


@inline
def entry(word, k):
    """Place in the tables of the roll of k dice (0-4) that a word stands for."""
    return TABLE_START[k] + ((np.uint64(word) * SCALE[k]) >> np.uint64(32))


@apart
def more(table, seed, trial, step, purpose, n, row):
    """The answer, packed, of a row of a table for the dice after the first four."""
    packed = np.int64(0)
    draw = 1
    while n > 0:
        packed += np.int64(table[row, entry(drawn_now(seed, trial, step, purpose, draw), min(n, DICE_PER_WORD))])
        n -= DICE_PER_WORD
        draw += 1
    return packed


@answers(pool, RolledDice)
def _pool(dice, n, hit, purpose):
    packed = np.int64(POOLS[hit, entry(first_word(dice, purpose), n)])
    if n > DICE_PER_WORD:
        packed += more(POOLS, dice.seed, dice.trial, dice.step, purpose, n - DICE_PER_WORD, hit)
    return packed & 255, packed >> 8


@answers(pool, FewDice)
def _pool_of_few(dice, n, hit, purpose):
    packed = np.int64(POOLS[hit, entry(first_word(dice, purpose), n)])
    return packed & 255, packed >> 8


@answers(faces, FewDice)
@answers(faces, RolledDice)
def _faces(dice, n, hit, purpose):
    packed = np.int64(COUNTS[hit, entry(first_word(dice, purpose), n)])
    if n > DICE_PER_WORD:
        packed += more(COUNTS, dice.seed, dice.trial, dice.step, purpose, n - DICE_PER_WORD, hit)
    return packed


@answers(die, FewDice)
@answers(die, RolledDice)
def _die(dice, purpose):
    return np.int64(entry(first_word(dice, purpose), 1))  # the table of one die begins at 1, as the faces do


@answers(choose, FewDice)
@answers(choose, RolledDice)
def _choose(dice, n, purpose):
    return np.int64((first_word(dice, purpose) * np.uint64(n)) >> np.uint64(32))


@answers(passes, FewDice)
@answers(passes, RolledDice)
def _passes(dice, need, purpose):
    if need <= 1:
        return 1
    if need > 6:
        return 0
    return 1 if np.int64(entry(first_word(dice, purpose), 1)) >= need else 0


@answers(under, RolledDice)
def _under(dice, n, limit, purpose):
    packed = np.int64(UNDERS[limit, entry(first_word(dice, purpose), n)])
    if n > DICE_PER_WORD:
        packed += more(UNDERS, dice.seed, dice.trial, dice.step, purpose, n - DICE_PER_WORD, limit)
    return packed & 255, packed >> 8


@answers(under, FewDice)
def _under_of_few(dice, n, limit, purpose):
    packed = np.int64(UNDERS[limit, entry(first_word(dice, purpose), n)])
    return packed & 255, packed >> 8


@answers(total, FewDice)
@answers(total, RolledDice)
def _total(dice, n, purpose):
    return np.int64(TOTALS[entry(first_word(dice, purpose), n)])


def at(dice, trial, step, first, second):
    """The dice of another trial, of the same kind as `dice`."""
    return type(dice)(dice.seed, trial, step, first, second)


@overload(at, jit_options=INLINE)
def _at(dice, trial, step, first, second):
    if dice.instance_class is FewDice:
        return lambda dice, trial, step, first, second: FewDice(dice.seed, trial, step, first, second)
    return lambda dice, trial, step, first, second: RolledDice(dice.seed, trial, step, first, second)


def rolled(seed: int, largest: int) -> RolledDice | FewDice:
    """Dice under the 64-bit key `seed`, for fights whose rolls have at most `largest` dice."""
    kind = FewDice if largest <= DICE_PER_WORD else RolledDice
    return kind(np.uint64(seed), 0, 0, np.uint32(0), np.uint32(0))
