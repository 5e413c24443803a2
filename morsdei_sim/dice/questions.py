"""The whole dice vocabulary. A rule asks one of these; the dice source decides what asking means.

Questions are coarse on purpose: `pool` answers (normals, crits) at once, so that enumerating it has
(n + 1)(n + 2) / 2 arms instead of 6^n, and rolling it reads four dice from one table entry.

Each question has a `purpose`, a small integer that the asking rule owns: two questions with different purposes never
share
dice, so an extra die in one roll leaves all other rolls as they were.

The source is chosen when a kernel is compiled (`numba.extending.overload`); without the JIT, by a dictionary look-up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from morsdei_sim._jit import INLINE

MAX_POOL = 24
"""Most dice in one roll: the card's 20 and every bonus that the rules can add."""

MAX_TOTAL = 4
"""Most dice of one sum: they fit one random word."""

FIELD = 5
"""Bits of one face count in the answer of `faces`: counts up to 31."""

ANSWERS: dict[tuple[str, type], Callable[..., Any]] = {}
"""(question, dice source) -> the function that answers it."""


def answers(question: Callable[..., Any], source: type) -> Callable[..., Any]:
    """Say how dice of the type `source` answer `question`."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        ANSWERS[question.__name__, source] = function
        return function

    return register


def _chosen(name: str, dice: Any) -> Callable[..., Any] | None:
    return ANSWERS.get((name, getattr(dice, "instance_class", type(dice))))


def pool(dice, n, hit, purpose):
    """Roll n d6; answer (normal successes, crits): faces from `hit` (2-6) to 5, and sixes. A 1 always fails."""
    return ANSWERS["pool", type(dice)](dice, n, hit, purpose)


def faces(dice, n, hit, purpose):
    """Roll n d6; answer the successes face by face, packed: the count of face f in bits 5(f-2) to 5(f-2)+4, f =
    2..6."""
    return ANSWERS["faces", type(dice)](dice, n, hit, purpose)


def die(dice, purpose):
    """Roll one d6; answer its face, 1-6."""
    return ANSWERS["die", type(dice)](dice, purpose)


def choose(dice, n, purpose):
    """Pick one of n options with equal chances; answer 0..n-1. A D3 is 1 + choose of 3."""
    return ANSWERS["choose", type(dice)](dice, n, purpose)


def passes(dice, need, purpose):
    """Roll one d6; answer 1 if it shows `need` or more, else 0. Nothing is rolled when every face passes (1 and less)
    or none does (7 and more)."""
    return ANSWERS["passes", type(dice)](dice, need, purpose)


def under(dice, n, limit, purpose):
    """Roll n d6; answer (dice that show `limit` (1-6) or less, sixes). With limit 6 a six counts as both."""
    return ANSWERS["under", type(dice)](dice, n, limit, purpose)


def total(dice, n, purpose):
    """Roll n d6, four at most; answer the sum of their faces."""
    return ANSWERS["total", type(dice)](dice, n, purpose)


@overload(pool, jit_options=INLINE)
def _pool(dice, n, hit, purpose):
    return _chosen("pool", dice)


@overload(faces, jit_options=INLINE)
def _faces(dice, n, hit, purpose):
    return _chosen("faces", dice)


@overload(die, jit_options=INLINE)
def _die(dice, purpose):
    return _chosen("die", dice)


@overload(choose, jit_options=INLINE)
def _choose(dice, n, purpose):
    return _chosen("choose", dice)


@overload(passes, jit_options=INLINE)
def _passes(dice, need, purpose):
    return _chosen("passes", dice)


@overload(under, jit_options=INLINE)
def _under(dice, n, limit, purpose):
    return _chosen("under", dice)


@overload(total, jit_options=INLINE)
def _total(dice, n, purpose):
    return _chosen("total", dice)
