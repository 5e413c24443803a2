"""What a figure is called and how it is printed: per cent or a plain number."""

from __future__ import annotations

from typing import Any

from morsdei_sim.reporting import numbers, squads
from morsdei_sim.reporting.words import words_of
from morsdei_sim.rulesets import room

__all__ = ["Meaning"]

OF_DUELS = {"attacker_wins", "target_wins", "undecided"}
"""Chances of fights to the end, in every ruleset."""


class Meaning:
    """The figures of a ruleset, those of its whole games or all others."""

    def __init__(self, ruleset: str, games: bool) -> None:
        self.games, self.words = games, words_of(ruleset)
        self.guide = room(ruleset).part("variants", "GUIDE")

    def called(self, figure: str) -> str:
        """A figure's name."""
        return (squads.called(figure) if self.games else "") or self.words.called(figure, "figure")

    def is_share(self, figure: str) -> bool:
        """Whether a figure is a chance."""
        if self.games:
            return figure in squads.SHARES
        return bool(self.guide.is_chance(figure)) or figure in OF_DUELS

    def is_signed(self, figure: str) -> bool:
        """Whether the middle of a figure is zero."""
        return figure == "margin" if self.games else figure in self.guide.signed

    def known(self, figure: str, value: float, low: Any = None, high: Any = None) -> str:
        """A figure as it may be printed, with its interval."""
        show = numbers.chance if self.is_share(figure) else numbers.mean
        return show(value, low, high)

    def difference(self, figure: str, value: float, low: Any = None, high: Any = None) -> str:
        """A difference, in percentage points for chances, with its interval."""
        scale = 100 if self.is_share(figure) else 1
        if low is None or high is None:
            return numbers.signed(scale * value)
        return numbers.gain(scale * value, scale * low, scale * high)

    def size(self, figure: str, value: float, low: float, high: float) -> str:
        """The size of a difference, in percentage points for chances; bounds are missing when it is exact."""
        scale, digits = (100, 1) if self.is_share(figure) else (1, 2)
        return numbers.mean(scale * value, scale * low, scale * high, digits)
