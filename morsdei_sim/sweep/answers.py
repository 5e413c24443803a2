"""Questions answered: each once, by the room, on as many threads as asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from morsdei_sim.errors import UserError
from morsdei_sim.fight.outcome import Outcome, Reading, wilson
from morsdei_sim.fight.run import Run
from morsdei_sim.fight.sample import workers
from morsdei_sim.rulesets import Room
from morsdei_sim.sweep.cases import Question

__all__ = ["Figure", "Level", "answer_all", "distribution", "figures"]

BATCH = 32
"""Questions handed to a thread at once: an exact one takes less time than handing it over."""

Answered = dict[Question, Outcome | str]
"""What came of each question, or why it could not be answered."""


class Figure(NamedTuple):
    """A chance or a mean with its 95 % interval; low and high are NaN when exact."""

    name: str
    estimate: float
    low: float
    high: float


class Level(NamedTuple):
    """One value of a distribution: its chance, the chance of at least it, each with its interval."""

    value: int
    chance: float
    low: float
    high: float
    at_least: float
    at_least_low: float
    at_least_high: float


def answer_all(
    room: Room, questions: Iterable[Question], run: Run, rules: Any, jobs: int,
    progress: Callable[[int, int], None] | None = None,
) -> Answered:  # fmt: skip
    """Every question answered once. The answers do not depend on `jobs`: each is a run of its own, keyed by the
    seed."""
    asked = list(dict.fromkeys(questions))
    verbs = {verb: room.ask(verb) for verb in {question.verb for question in asked}}

    def answer(batch: Sequence[Question]) -> list[Outcome | str]:
        found: list[Outcome | str] = []
        for one in batch:
            try:
                found.append(verbs[one.verb](one.attacker, one.target, run, rules, **dict(one.flags)))
            except UserError as reason:  # a fight too large to solve, for instance: the others go on
                found.append(f"{one.attacker.label} → {one.target.label}: {reason}")
        return found

    batches = [asked[first : first + BATCH] for first in range(0, len(asked), BATCH)]
    answers: list[Outcome | str] = []
    with workers(jobs) as pool:
        for part in pool.map(answer, batches) if jobs > 1 else map(answer, batches):
            answers += part
            if progress is not None:
                progress(len(answers), len(asked))
    return dict(zip(asked, answers, strict=True))


def figures(outcome: Outcome, derived: dict[str, dict[str, int]]) -> list[Figure]:
    """Every chance and mean of an outcome; `derived` ones are read off the same fights, so their intervals are their
    own."""
    known = {reading.name: reading for reading in outcome.readings if reading.kind != "distribution"}
    for name, parts in derived.items():
        if parts.keys() <= known.keys():
            values = np.sum([factor * known[part].values for part, factor in parts.items()], axis=0)
            known[name] = Reading(name, "chance" if np.isin(values, (0, 1)).all() else "mean", values)
    whole = Outcome(outcome.weights, tuple(known.values()), outcome.trials, outcome.seed)
    return [Figure(name, whole.value(name), *(whole.interval(name) or (np.nan, np.nan))) for name in known]


def distribution(outcome: Outcome, name: str) -> list[Level]:
    """A distribution, values rising."""
    chances = outcome.distribution(name)
    known = outcome.intervals(name) or {}
    at_least = np.cumsum(list(chances.values())[::-1])[::-1]
    levels = []
    for (value, chance), rest in zip(chances.items(), at_least, strict=True):
        tail = (np.nan, np.nan)
        if outcome.trials is not None:
            tail = wilson(min(outcome.trials, round(float(rest) * outcome.trials)), outcome.trials)
        low, high = known.get(value, (np.nan, np.nan))
        levels.append(Level(value, chance, low, high, min(1.0, float(rest)), *tail))
    return levels
