"""Rolled dice: which word a roll reads, that rolls are independent of each other, and that the faces are fair.

Sampling tests say n, the statistic and the chance of a false alarm; together they raise one with a chance of at most
1e-6.
"""

from __future__ import annotations

from collections import Counter
from math import comb, factorial

import numpy as np
import pytest
from scipy.stats import chi2

from morsdei_sim._jit import builder
from morsdei_sim.dice import questions
from morsdei_sim.dice.philox import philox
from morsdei_sim.dice.rolled import AHEAD, BLOCK, FewDice, RolledDice, at, draw_ahead, drawn_now, rolled

# In plain Python NumPy remarks that the key of Philox wraps around, which it is meant to.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar")

ALARM = 1e-7
"""False-alarm rate of each sampling test of this file."""


def word(seed: int, trial: int, step: int, purpose: int, draw: int) -> int:
    """The documented layout, spelt out: counter (draw, group low, group high, purpose), four lanes 256 trials apart."""
    group = trial // 1024 * 256 + trial % 256
    counter = (draw, group & 0xFFFFFFFF, group >> 32, 256 * step + purpose)
    words = philox(*(np.uint32(c) for c in (*counter, seed & 0xFFFFFFFF, seed >> 32)))
    return int(words[trial % 1024 // 256])


def faces_of(seed: int, trial: int, step: int, purpose: int, n: int) -> list[int]:
    """The dice of a roll, die by die: word after word, four dice each, the digits of word * 6^k / 2^32 to the base
    6."""
    dice: list[int] = []
    while n > 0:
        k = min(n, 4)
        scaled = word(seed, trial, step, purpose, len(dice) // 4) * 6**k >> 32
        dice += [scaled // 6 ** (k - 1 - i) % 6 + 1 for i in range(k)]
        n -= k
    return dice


def dice_at(seed: int, trial: int, step: int = 0, largest: int = 24) -> RolledDice | FewDice:
    """The dice of one trial, with the words that the driver would have drawn ahead."""
    ahead = [np.uint32(word(seed, trial, step, purpose, 0)) for purpose in range(AHEAD)]
    return at(rolled(seed, largest), trial, step, *ahead)


def counted(packed: int) -> list[int]:
    """Counts of the faces 2-6 in an answer of `faces`."""
    return [int(packed) >> 5 * (face - 2) & 31 for face in range(2, 7)]


TRIALS = [0, 1, 255, 256, 700, 1023, 1024, 5000, 2**33 + 777]


@pytest.mark.parametrize("trial", TRIALS)
def test_each_roll_reads_its_own_words(trial: int) -> None:
    seed = 0x0123456789ABCDEF
    for step, purpose, draw in [(0, 0, 0), (0, 1, 3), (2, 255, 0), (7, 2, 5)]:
        assert drawn_by_kernel(np.uint64(seed), trial, step, purpose, draw) == word(seed, trial, step, purpose, draw)
    for step, purpose, n in [(0, 0, 4), (0, 1, 3), (1, 2, 1), (3, 0, 24), (0, 7, 9), (0, 0, 0)]:
        dice = dice_at(seed, trial, step)
        fallen = faces_of(seed, trial, step, purpose, n)
        for hit in range(2, 7):
            expected = sum(hit <= face < 6 for face in fallen), fallen.count(6)
            assert tuple(questions.pool(dice, n, hit, purpose)) == expected
            assert counted(questions.faces(dice, n, hit, purpose)) == [
                fallen.count(f) if f >= hit else 0 for f in range(2, 7)
            ]
        for limit in range(1, 7):
            expected = sum(face <= limit for face in fallen), fallen.count(6)
            assert tuple(questions.under(dice, n, limit, purpose)) == expected
        if n <= 4:
            assert questions.total(dice, n, purpose) == sum(fallen)
        if n == 1:
            assert [questions.passes(dice, need, purpose) for need in range(-1, 9)] == [
                int(need <= 1 or need <= fallen[0]) for need in range(-1, 9)
            ]


@builder
def drawn_by_kernel(seed, trial, step, purpose, draw):
    """`drawn_now` as kernels have it."""
    return drawn_now(seed, trial, step, purpose, draw)


@builder
def drawn_ahead_by_kernel(seed, block, step, ahead):
    """`draw_ahead` as kernels have it."""
    draw_ahead(seed, block, step, ahead)


@pytest.mark.parametrize("block", [0, 3, 2**25])
def test_words_drawn_ahead_are_the_same_words(block: int) -> None:
    ahead = np.empty((AHEAD, BLOCK), np.uint32)
    drawn_ahead_by_kernel(np.uint64(2**63 + 5), block, 4, ahead)
    for purpose in range(AHEAD):
        for lane in (0, 1, 255, 256, 511, 512, 767, 768, 1023):
            assert ahead[purpose, lane] == word(2**63 + 5, block * BLOCK + lane, 4, purpose, 0)


def test_few_dice_fall_like_many() -> None:
    for trial in range(200):
        few, many = dice_at(9, trial, largest=4), dice_at(9, trial, largest=5)
        assert (type(few), type(many)) == (FewDice, RolledDice)
        for n in range(5):
            for hit in range(2, 7):
                for purpose in (0, 1, 2):
                    assert questions.pool(few, n, hit, purpose) == questions.pool(many, n, hit, purpose)
                    assert questions.faces(few, n, hit, purpose) == questions.faces(many, n, hit, purpose)
                    assert questions.under(few, n, hit, purpose) == questions.under(many, n, hit, purpose)
        assert questions.die(few, 3) == questions.die(many, 3) == faces_of(9, trial, 0, 3, 1)[0]
        assert questions.choose(few, 11, 2) == questions.choose(many, 11, 2)
        assert questions.total(few, 3, 2) == questions.total(many, 3, 2)
        assert questions.passes(few, 4, 2) == questions.passes(many, 4, 2)


def test_an_extra_die_changes_nothing_else() -> None:
    """Neither the dice already in the roll, nor any other roll."""
    for trial in range(100):
        dice = dice_at(77, trial)
        others = [questions.faces(dice, 7, 2, purpose) for purpose in (1, 2, 3)]
        before = counted(questions.faces(dice, 0, 2, 0))
        for n in range(1, 25):
            now = counted(questions.faces(dice, n, 2, 0))
            assert sorted(b - a for a, b in zip(before, now, strict=True)) in ([0, 0, 0, 0, 0], [0, 0, 0, 0, 1])
            before = now
            assert others == [questions.faces(dice, 7, 2, purpose) for purpose in (1, 2, 3)]


@builder
def roll_many(dice, n, hit, purpose, step, first, out):
    """Write normals + 32 crits of consecutive trials."""
    for i in range(len(out)):
        trial = first + i
        ahead_0 = drawn_now(dice.seed, trial, step, 0, 0)
        ahead_1 = drawn_now(dice.seed, trial, step, 1, 0)
        normals, crits = questions.pool(at(dice, trial, step, ahead_0, ahead_1), n, hit, purpose)
        out[i] = normals + 32 * crits


@builder
def pick_many(dice, n, purpose, step, first, out):
    """Write the choice among n, or for n = 0 the face of a die, of consecutive trials."""
    for i in range(len(out)):
        trial = first + i
        roll = at(dice, trial, step, drawn_now(dice.seed, trial, step, 0, 0), drawn_now(dice.seed, trial, step, 1, 0))
        out[i] = questions.choose(roll, n, purpose) if n > 0 else questions.die(roll, purpose)


def p_value(seen: np.ndarray, expected: np.ndarray) -> float:
    """Pearson's chi-square; cells expected less than 25 times are one cell, so that the tail of the statistic can be
    trusted."""
    seen, expected = seen.ravel().astype(float), expected.ravel()
    small = expected < 25
    groups = [(seen[~small], expected[~small]), (seen[small].sum(keepdims=True), expected[small].sum(keepdims=True))]
    seen, expected = (np.concatenate(part) for part in zip(*groups, strict=True))
    assert not seen[expected == 0].any()
    kept = expected > 0
    statistic = ((seen[kept] - expected[kept]) ** 2 / expected[kept]).sum()
    return float(chi2.sf(statistic, max(kept.sum() - 1, 1)))


@pytest.mark.parametrize("hit", range(2, 7))
def test_pools_are_multinomial(hit: int) -> None:
    """1-24 dice, joint counts of normals and crits; n = 150,000 each, chi-square, 24 tests at ALARM / 5 / 24."""
    for n in range(1, 25):
        out = np.empty(150_000, np.int64)
        roll_many(rolled(1000 * hit + n, n), n, hit, 0 if n % 2 else 2, 0, 0, out)
        seen, expected = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        np.add.at(seen, (out % 32, out // 32), 1)
        for normals in range(n + 1):
            for crits in range(n + 1 - normals):
                ways = comb(n, normals) * comb(n - normals, crits)
                expected[normals, crits] = len(out) * (
                    ways * (6 - hit) ** normals * (hit - 1) ** (n - normals - crits) / 6**n
                )
        assert p_value(seen, expected) > ALARM / 5 / 24, n


def test_choices_and_dice_are_uniform() -> None:
    """n = 200,000 for each number of options; chi-square, 13 tests at ALARM / 13."""
    out = np.empty(200_000, np.int64)
    for n in (0, 2, 3, 4, 5, 6, 7, 9, 11, 16, 31, 64, 96):
        pick_many(rolled(500 + n, 24), n, 2, 0, 0, out)
        seen = np.bincount(out - (n == 0), minlength=n or 6)
        assert len(seen) == (n or 6)
        assert p_value(seen, np.full(len(seen), len(out) / len(seen))) > ALARM / 13, n


def test_rolls_are_independent() -> None:
    """Two d6, told apart by purpose, step, trial or seed: 36 joint cells. n = 200,000, chi-square, 12 tests at ALARM
    / 12."""
    size = 200_000

    def row(seed: int = 3, purpose: int = 0, step: int = 0, first: int = 0) -> np.ndarray:
        out = np.empty(size, np.int64)
        pick_many(rolled(seed, 24), 0, purpose, step, first, out)
        return out

    base = row()
    rest = (
        [{"purpose": p} for p in (1, 2, 3)] + [{"step": s} for s in (1, 2)] + [{"seed": s} for s in (2, 4, 3 + 2**32)]
    )
    rest += [{"first": f} for f in (1, 256, 1024, 2**32 * 4)]
    assert len(rest) == 12
    for difference in rest:
        joint = np.zeros((6, 6))
        np.add.at(joint, (base - 1, row(**difference) - 1), 1)
        assert p_value(joint, np.full((6, 6), size / 36)) > ALARM / 12, difference


def test_dice_of_one_roll_are_independent() -> None:
    """Faces of 12 dice (three words), their 18,564 sums of counts by number of sixes and of fives and sixes against
    the trinomial law."""
    seen = Counter(tuple(counted(questions.faces(dice_at(21, trial), 12, 5, 0))[3:]) for trial in range(3000))
    table = np.zeros((13, 13))
    expected = np.zeros((13, 13))
    for (fives, sixes), times in seen.items():
        table[fives, sixes] = times
    for fives in range(13):
        for sixes in range(13 - fives):
            ways = factorial(12) // (factorial(fives) * factorial(sixes) * factorial(12 - fives - sixes))
            expected[fives, sixes] = 3000 * ways * 4 ** (12 - fives - sixes) / 6**12
    assert p_value(table, expected) > ALARM  # n = 3,000


def test_every_face_of_a_word_has_its_share() -> None:
    """6^4 does not divide 2^32: no roll of four dice is off by more than one part in three million of its chance."""
    edges = np.array([-(-(i << 32) // 1296) for i in range(1297)])
    widths = np.diff(edges)
    assert widths.sum() == 2**32
    assert np.abs(widths * 1296 / 2**32 - 1).max() < 1 / 3e6
