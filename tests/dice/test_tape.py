"""Written dice: read in order, no more and no less."""

from __future__ import annotations

import pytest

from morsdei_sim.dice.questions import choose, die, faces, passes, pool, total, under
from morsdei_sim.dice.tape import tape, used_up


def test_reads_in_order() -> None:
    dice = tape([6, 1, 5, 3, 2, 4])
    assert die(dice, 0) == 6
    assert pool(dice, 2, 4, 0) == (1, 0)  # 1, 5
    assert faces(dice, 1, 2, 1) == 1 << 5  # 3
    assert choose(dice, 5, 2) == 1  # a 2 picks the second option
    assert not used_up(dice)
    assert die(dice, 9) == 4
    assert used_up(dice)


@pytest.mark.parametrize(("hit", "answer"), [(2, (4, 1)), (3, (3, 1)), (4, (2, 1)), (5, (1, 1)), (6, (0, 1))])
def test_pool_sorts_faces(hit: int, answer: tuple) -> None:
    assert pool(tape([1, 2, 3, 4, 5, 6]), 6, hit, 0) == answer
    packed = int(faces(tape([1, 2, 3, 4, 5, 6]), 6, hit, 0))
    assert [packed >> 5 * (face - 2) & 31 for face in range(2, 7)] == [int(face >= hit) for face in range(2, 7)]


def test_tests_sums_and_rolls_under() -> None:
    dice = tape([3, 4, 2, 6, 1, 6, 5, 6])
    assert [passes(dice, 4, 0), passes(dice, 4, 0)] == [0, 1]
    assert passes(dice, 7, 0) == 0  # certain answers read nothing
    assert passes(dice, 1, 0) == 1
    assert total(dice, 2, 0) == 8
    assert under(dice, 3, 5, 0) == (2, 1)  # 1, 6, 5
    assert under(dice, 1, 6, 0) == (1, 1)
    assert used_up(dice)


def test_ends() -> None:
    dice = tape([4, 4])
    with pytest.raises(IndexError, match="the tape has ended"):
        pool(dice, 3, 4, 0)
    with pytest.raises(IndexError, match="the tape has ended"):
        die(tape([]), 0)


def test_empty_roll_reads_nothing() -> None:
    dice = tape([])
    assert pool(dice, 0, 4, 0) == (0, 0)
    assert faces(dice, 0, 4, 0) == 0
    assert used_up(dice)
