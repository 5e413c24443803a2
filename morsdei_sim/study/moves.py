"""Two answers to the same questions, of two versions of cards or program: what moved, and whether that is sure."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import Generic, Literal, NamedTuple, TypeVar

__all__ = ["MOVED", "OPEN", "SAME", "Known", "Move", "moves"]

Known = tuple[float, float | None, float | None]
"""Estimate, low and high; the last two are None when it is exact."""

Verdict = Literal["moved", "open", "same"]
MOVED: Verdict = "moved"
OPEN: Verdict = "open"
SAME: Verdict = "same"

NOISE = 2e-9
"""Relative difference of exact figures that are equal: they are kept to nine digits."""

Q = TypeVar("Q")


class Move(NamedTuple, Generic[Q]):
    """A figure then and now; low and high bound the difference, None where both are exact.

    "moved": the interval leaves zero out, or the exact figures differ. "same": the numbers are the same to the last
    digit, bounds and all. "open": whether anything moved cannot be told.
    """

    question: Q
    old: float
    new: float
    difference: float
    low: float | None
    high: float | None
    verdict: Verdict


def moves(old: Mapping[Q, Known], new: Mapping[Q, Known]) -> list[Move[Q]]:
    """Every question that both answered, in the order of the new answers."""
    return [_move(question, old[question], known) for question, known in new.items() if question in old]


def _move(question: Q, old: Known, new: Known) -> Move[Q]:
    (before, low0, high0), (after, low1, high1) = old, new
    difference = after - before
    if all(bound is None for bound in (*old[1:], *new[1:])):
        same = abs(difference) <= NOISE * max(abs(before), abs(after))
        return Move(question, before, after, 0.0 if same else difference, None, None, SAME if same else MOVED)
    # As of independent samples (square and add); an exact side adds nothing.
    low = difference - hypot(after - _or(low1, after), _or(high0, before) - before)
    high = difference + hypot(_or(high1, after) - after, before - _or(low0, before))
    verdict = SAME if old == new else MOVED if low > 0 or high < 0 else OPEN
    return Move(question, before, after, difference, low, high, verdict)


def _or(bound: float | None, value: float) -> float:
    return value if bound is None else bound
