"""Philox4x32-10 against the published known-answer vectors, and against two other implementations."""

from __future__ import annotations

import random

import numpy as np
import pytest

from morsdei_sim._jit import builder
from morsdei_sim.dice.philox import philox

# In plain Python NumPy remarks that the key wraps around, which it is meant to.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar")


@builder
def compiled(c0, c1, c2, c3, k0, k1):
    """`philox` as kernels have it."""
    return philox(c0, c1, c2, c3, k0, k1)


# Random123 distribution, kat_vectors, "philox4x32 10": counter, key, answer.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def drawn(counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
    words = [np.uint32(word) for word in (*counter, *key)]
    answer = tuple(int(word) for word in compiled(*words))
    assert answer == tuple(int(word) for word in philox(*words))  # the plain Python of it
    return answer


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_published_vectors(counter: tuple, key: tuple, answer: tuple) -> None:
    assert drawn(counter, key) == answer


def test_randomgen_draws_the_same() -> None:
    """200 random counters and keys (seed 41): an implementation in C by other hands."""
    randomgen = pytest.importorskip("randomgen")
    rng = random.Random(41)
    for _ in range(200):
        counter = [rng.getrandbits(32) for _ in range(4)]
        counter[0] = max(counter[0], 1)  # randomgen counts up before it draws
        key = [rng.getrandbits(32) for _ in range(2)]
        before = sum(word << 32 * i for i, word in enumerate(counter)) - 1
        theirs = randomgen.Philox(counter=before, key=key[0] | key[1] << 32, number=4, width=32).random_raw(4)
        assert drawn(tuple(counter), tuple(key)) == tuple(int(word) for word in theirs)
