"""A duel: two fighters alone on open ground, activation after activation, until one is removed or the rounds are over.

They stand on a straight line; a state knows only the gap between their bases. `Course` is the chain of moments in which
dice fall; what happens between two of them is settled by `Table`, rule by rule. Exact: chances are spread through the
chain. Sampled: every trial walks it, rolling each shot and playing each exchange.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from itertools import count
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.fight import sample
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run, answer
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.activations import activations
from morsdei_sim.rulesets.morsdei.cards import Entrant, entrant
from morsdei_sim.rulesets.morsdei.plans import PLANS, Plan
from morsdei_sim.rulesets.morsdei.rules import PRINTED, Rules
from morsdei_sim.rulesets.morsdei.table import Moment, Setting, Table

__all__ = ["activations", "duel"]

MAX_MOMENTS = 50_000
"""Longest chain that is walked."""


def duel(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    distance: float = 16.0,
    rounds: int = 4,
    attacker_plan: str | Plan = "careful",
    target_plan: str | Plan = "careful",
    first: str = "attacker",
    attacker_cover: bool = False,
    target_cover: bool = False,
    prone_policy: str = "never",
    prone_cost: float = 3.425783,
    saves: str = "best",
    objective: str = "kill-difference",
) -> Outcome:
    """Two fighters alone until one is removed or the rounds are over (R1, H8).

    Parameters
    ----------
    distance : inches between the bases at the start; 16 is the gap between two front lines.
    first : who activates first in the first round; the other one in the second (R5), and so on.
    attacker_plan, target_plan : a name of `plans.PLANS`, or a function like those.
    attacker_cover, target_cover : in cover from shots from out of contact, wherever they stand.
    prone_policy, prone_cost, saves : of both; under "worth", one that will not activate again goes prone at no cost.
    objective : what both play each exchange for, by best play.

    Readings: `attacker_wins`, `target_wins`, `undecided`, `rounds` (in which it ended; rounds + 1 stands for:
    undecided), mean HP left of each, mean damage to each (not capped, RULING 53).
    """
    if not (isfinite(distance) and distance >= 0):
        raise UserError(_("distance = {value}: must be 0 or more inches").format(value=distance))
    sides = tuple(
        one if isinstance(one, Entrant) else entrant(one, "target", {"weapon", "defence", "hp"})
        for one in (attacker, target)
    )
    plans = attacker_plan, target_plan
    for fighter, plan in zip(sides, plans, strict=True):
        _check(fighter, plan)
    setting = Setting(
        rules=rules,
        fighters=(sides[0], sides[1]),
        plans=(_plan(attacker_plan), _plan(target_plan)),
        rounds=rounds,
        first=int(first == "target"),
        cover=(attacker_cover, target_cover),
        prone_policy=prone_policy,
        prone_cost=prone_cost,
        saves=saves,
        objective=objective,
    )
    course = Course(Table(setting), distance)
    names = [plan if isinstance(plan, str) else getattr(plan, "__name__", "?") for plan in plans]
    result = answer(
        run, course.exact, lambda start, trials, executor, progress: course.sampled(run.seed, start, trials, executor,
        progress), course.readings(), attacker=sides[0].label, target=sides[1].label, attacker_plan=names[0],
        target_plan=names[1], distance=distance, round_limit=rounds, first=first, objective=objective,
    )  # fmt: skip
    note = _("Round {more} stands for: undecided after {rounds}.").format(more=rounds + 1, rounds=rounds)
    return Outcome(result.weights, result.readings, result.trials, result.seed, result.settings, (note,))


def _plan(plan: str | Plan) -> Plan:
    return PLANS[plan] if isinstance(plan, str) else plan


def _check(fighter: Entrant, plan: str | Plan) -> None:
    """A named plan needs its weapon (RULING 6); and whoever may move, its Move."""
    types = {weapon.type for weapon in fighter.card.weapon}
    if plan == "charger" and "melee" not in types:
        raise UserError(_("{name} has no melee weapon and cannot be a charger (RULING 6).").format(name=fighter.label))
    if plan in PLANS and plan != "charger" and not types & {"ranged", "pistol"}:
        raise UserError(
            _(
                "{name} has no ranged weapon and cannot be a {plan} (RULING 6): choose another plan for it, for "
                "instance --attacker-plan charger or --target-plan charger."
            ).format(name=fighter.label, plan=plan)
        )
    if "move" not in fighter.stated:
        raise UserError(_('"{text}": Move is missing; write for instance "Move 6"').format(text=fighter.label))


class Course:
    """All moments of a duel in which dice fall, and all its ends; the start is number 0."""

    def __init__(self, table: Table, distance: float) -> None:
        self.table = table
        self.moments: list[Moment] = []
        self.following: list[NDArray[np.int64]] = []  # by moment: the number of the next one, by outcome; -1: cannot be
        self._number: dict[Moment, int] = {}
        self._add(table.start(distance))
        for here in count():
            if here == len(self.moments):
                break
            self.following.append(self._explored(self.moments[here]))
        ends = [here for here, moment in enumerate(self.moments) if moment.over]
        self.ends = [self.moments[here] for here in ends]
        self.end_numbers = np.array(ends)

    def _add(self, moment: Moment) -> int:
        if moment not in self._number:
            if len(self.moments) == MAX_MOMENTS:
                raise UserError(
                    _("This duel has more than {limit} moments; ask for fewer rounds.").format(limit=MAX_MOMENTS)
                )
            self._number[moment] = len(self.moments)
            self.moments.append(moment)
        return self._number[moment]

    def _explored(self, moment: Moment) -> NDArray[np.int64]:
        if moment.over:
            return np.empty(0, np.int64)
        chances = self.table.throw(moment).chances
        following = np.full(len(chances), -1)
        for outcome in np.flatnonzero(chances):
            following[outcome] = self._add(self.table.after(moment, int(outcome)))
        return following

    def exact(self) -> NDArray[np.float64]:
        """Chance of each end. Time only goes forward, so one pass in its order spreads everything."""
        chance = np.zeros(len(self.moments))
        chance[0] = 1.0
        for here in sorted(range(len(self.moments)), key=lambda here: self.moments[here].time):
            if not self.moments[here].over:
                possible = self.following[here] >= 0
                share = self.table.throw(self.moments[here]).chances[possible]
                np.add.at(chance, self.following[here][possible], chance[here] * share)
        ends: NDArray[np.float64] = chance[self.end_numbers]
        return ends

    def sampled(
        self, seed: int, first: int, trials: int, executor: Executor | None, progress: Callable[[int], None] | None
    ) -> NDArray[np.int64]:
        """Counts of each end, rolled throw by throw."""

        def block(start: int, size: int) -> NDArray[np.int64]:
            here = np.zeros(size, np.int64)
            for step in count():
                under_way = False
                for moment, places in groups(here):
                    if self.moments[moment].over:
                        continue
                    under_way = True
                    outcomes = self.table.throw(self.moments[moment]).rolled(seed, step, places + start)
                    here[places] = self.following[moment][outcomes]
                if not under_way:
                    break
                if here.min() < 0:
                    raise RuntimeError("the dice gave an outcome that has no chance")
            counts: NDArray[np.int64] = np.bincount(here, minlength=len(self.moments))[self.end_numbers]
            return counts

        return sample.in_chunks(block, first, trials, executor, progress)

    def readings(self) -> tuple[Reading, ...]:
        """The figures of a duel, by end."""
        hp = np.array([end.hp for end in self.ends])
        full = [fighter.hp for fighter in self.table.setting.fighters]
        lost, won = hp[:, 0] <= 0, hp[:, 1] <= 0
        rounds = np.array([end.round for end in self.ends])
        return (
            Reading("attacker_wins", "chance", won.astype(np.int64)),
            Reading("target_wins", "chance", lost.astype(np.int64)),
            Reading("undecided", "chance", (~won & ~lost).astype(np.int64)),
            Reading("rounds", "distribution", rounds),
            Reading("mean_hp_left_of_attacker", "mean", np.maximum(hp[:, 0], 0)),
            Reading("mean_hp_left_of_target", "mean", np.maximum(hp[:, 1], 0)),
            Reading("mean_damage_to_attacker", "mean", full[0] - hp[:, 0]),
            Reading("mean_damage_to_target", "mean", full[1] - hp[:, 1]),
        )


def groups(here: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Each value and the places where it stands."""
    order = np.argsort(here, kind="stable")
    values, starts = np.unique(here[order], return_index=True)
    for value, places in zip(values, np.split(order, starts[1:]), strict=True):
        yield int(value), places
