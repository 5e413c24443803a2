"""Answers laid out as tidy frames: one row per figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot, isnan, nan
from typing import Any

import pandas as pd

from morsdei_sim.fight.outcome import Outcome, wilson
from morsdei_sim.rulesets.guide import Progress
from morsdei_sim.sweep.answers import Answered, Figure, distribution, figures
from morsdei_sim.sweep.cases import Case, Question, Step
from morsdei_sim.sweep.roster import Contestant

__all__ = ["COLUMNS", "activation_frame", "card_frames", "figure_frame", "spread_frame", "step_frame", "worth_frame"]

_KNOWN = ["estimate", "low", "high"]
_SHOT = ["attacker", "weapon", "target", "situation"]
_MELEE = ["attacker", "weapon", "target", "target_weapon"]
_STEP = ["card", "weapon", "stat", "from", "to", "opponent", "opponent_weapon", "field"]

COLUMNS = {
    "shots": [*_SHOT, "figure", *_KNOWN],
    "spread": [*_SHOT, "value", "chance", "low", "high", "at_least", "at_least_low", "at_least_high"],
    "melee": [*_MELEE, "figure", *_KNOWN],
    "activations": [
        "attacker", "weapon", "target", "plan", "situation", "activation", "chance", "chance_low", "chance_high",
        "removed_by", "low", "high",
    ],
    "steps": [*_STEP, "figure", "base", "changed", "difference", "low", "high", "needed", "needed_changed"],
    "worth": ["card", "weapon", "stat", "figure", "base", "changed", "difference", "low", "high"],
}  # fmt: skip

NOISE = 1e-12
"""Exact figures closer than this are equal: sums of the same chances in another order."""

"""The columns of each frame; those that name how a melee is played come from the room."""

_TEXT = {"attacker", "weapon", "target", "situation", "target_weapon", "figure", "plan", "card", "stat", "opponent",
         "opponent_weapon"}  # fmt: skip


def _frame(rows: Sequence[Sequence[Any]], name: str, play: tuple[str, ...] = ()) -> pd.DataFrame:
    columns = [*_MELEE, *play, *COLUMNS[name][len(_MELEE) :]] if play else COLUMNS[name]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype({column: "str" for column in columns if column in _TEXT or column in play})


class Read:
    """Figures of answers, each outcome read once."""

    def __init__(self, answers: Answered, derived: dict[str, dict[str, int]]) -> None:
        self._answers, self._derived = answers, derived
        self._read: dict[Question, list[Figure]] = {}

    def outcome(self, question: Question) -> Outcome | None:
        """The answer, or None when there is none."""
        found = self._answers[question]
        return None if isinstance(found, str) else found

    def figures(self, question: Question) -> list[Figure]:
        """Chances and means of the answer; empty when there is none."""
        if question not in self._read:
            outcome = self.outcome(question)
            self._read[question] = figures(outcome, self._derived) if outcome is not None else []
        return self._read[question]


def figure_frame(name: str, cases: Iterable[Case], read: Read, play: tuple[str, ...] = ()) -> pd.DataFrame:
    """The frame `shots` or `melee`; `play` are the columns that say how a melee is played."""
    rows = [
        (*case.keys, *figure)
        for case in cases
        for figure in read.figures(case.question)
        if case.figures is None or figure.name in case.figures
    ]
    return _frame(rows, name, play)


def spread_frame(cases: Iterable[Case], read: Read, name: str) -> pd.DataFrame:
    """Whole distributions of one reading; shots without it, and situations that do not touch it, are left out."""
    rows = []
    for case in cases:
        outcome = read.outcome(case.question)
        if outcome is None or (case.figures is not None and name not in case.figures):
            continue
        if any(reading.name == name for reading in outcome.readings):
            rows += [(*case.keys, *level) for level in distribution(outcome, name)]
    return _frame(rows, "spread")


def activation_frame(cases: Iterable[Case], read: Read, progress: Progress | None) -> pd.DataFrame:
    """Chance that the target is removed in, and by, each activation."""
    rows: list[tuple[Any, ...]] = []
    for case in cases:
        outcome = read.outcome(case.question)
        if outcome is not None and progress is not None:
            rows += [(*case.keys, *row) for row in _activations(outcome, progress)]
    return _frame(rows, "activations")


def _activations(
    outcome: Outcome, progress: Progress
) -> Iterator[tuple[int, float, float, float, float, float, float]]:
    """Activation, chance of a removal in just this one with its bounds, chance of one by then with its bounds."""
    chances = outcome.distribution(progress.reading)
    by_then = 0.0
    for number in range(1, progress.limit + 1):
        chance = chances.get(number, 0.0)
        by_then = min(1.0, by_then + chance)
        yield number, chance, *_bounds(outcome, chance), by_then, *_bounds(outcome, by_then)


def _bounds(outcome: Outcome, share: float) -> tuple[float, float]:
    """Interval of a share of a sample; NaN when exact."""
    return (nan, nan) if outcome.trials is None else wilson(round(share * outcome.trials), outcome.trials)


def step_frame(steps: Iterable[Step], read: Read) -> pd.DataFrame:
    """Every figure before and after one step of a stat, opponent by opponent.

    Intervals of sampled differences are those of two independent runs (square and add). Both runs use the same dice,
    which as a rule makes the true error smaller. Where a step changes nothing in the question, both are one run and
    the difference is known to be 0.
    """
    rows = []
    for step in steps:
        after = {figure.name: figure for figure in read.figures(step.after)}
        for before in read.figures(step.before):
            if before.name in step.figures and before.name in after:
                difference = less(after[before.name], before)
                values = before.estimate, after[before.name].estimate, *difference
                rows.append((*step.keys, before.name + step.suffix, *values, *step.needed))
    frame = _frame(rows, "steps")
    return frame.astype({"needed": "Int64", "needed_changed": "Int64", "field": "bool"})


def less(one: Figure, other: Figure) -> tuple[float, float, float]:
    """`one` less `other` and the interval of the difference, as of independent samples: square and add, side by
    side."""
    difference = one.estimate - other.estimate
    if isnan(one.low) or isnan(other.low):
        return (0.0 if abs(difference) < NOISE else difference), nan, nan
    low = difference - hypot(one.estimate - one.low, other.high - other.estimate)
    return difference, low, difference + hypot(one.high - one.estimate, other.estimate - other.low)


def worth_frame(steps: pd.DataFrame) -> pd.DataFrame:
    """Mean worth of one step over the reference field, or over the other cards when there is no field.

    The interval of a mean over opponents is the mean of their intervals: all use the same dice, so their errors may go
    together.
    """
    shown = steps[steps["field"]] if steps["field"].any() else steps
    keys = ["card", "weapon", "stat", "figure"]
    means = shown.groupby(keys, sort=False, dropna=False)[["base", "changed", "difference", "low", "high"]].mean()
    return means.reset_index()[COLUMNS["worth"]]


def card_frames(contestants: Sequence[Contestant], data: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The frames `cards` and `weapons` (those that attack); the reference field is marked in the column `field`."""
    cards, weapons = [], []
    for one in contestants:
        names = {"card": one.ref, "name": one.card.name, "name_ru": one.card.name_ru or one.card.name}
        squad = {"squad": one.squad, "squad_ru": one.squad_ru}
        cards.append({**names, **squad, **data.card_row(one.card), "field": one.field})
        for weapon in filter(data.part_of, one.card.weapon):
            named = {"card": one.ref, "weapon": weapon.name, "weapon_ru": weapon.name_ru or weapon.name}
            weapons.append({**named, **data.weapon_row(one.card, weapon), "field": one.field})
    return pd.DataFrame(cards), pd.DataFrame(weapons)
