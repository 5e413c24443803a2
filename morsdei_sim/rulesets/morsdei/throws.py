"""The two moments of a duel in which dice fall: a shot and an exchange of blows.

Each can be asked for its exact chances, or rolled for those trials of a sample that have come to it. `exact` never
looks at a rolled die and `rolled` never at a chance, so one checks the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import kernel
from morsdei_sim.dice.questions import MAX_POOL
from morsdei_sim.dice.rolled import at, drawn_now, rolled
from morsdei_sim.fight import exact, solve
from morsdei_sim.fight.verbs import attack, begin
from morsdei_sim.rulesets.morsdei import exchange, melee
from morsdei_sim.rulesets.morsdei.shooting import Planner, Shooter, Shooting, Target


class Throw(Protocol):
    """A moment in which dice fall; its outcomes are whole numbers from 0."""

    @property
    def chances(self) -> NDArray[np.float64]:
        """Exact chance of each outcome."""

    def rolled(self, seed: int, step: int, trials: NDArray[np.int64]) -> NDArray[np.int64]:
        """The outcome in each of some trials, for which this is step number `step`."""


@dataclass(frozen=True, eq=False)
class Shot:
    """One shot. The outcome is (hits left, Prone marker), as `hits << 2 | marker`."""

    rules: Shooting
    shooter: Shooter
    target: Target | Planner

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """Exact chance of each outcome."""
        return exact.pmf(self.rules, self.shooter, self.target)

    def rolled(self, seed: int, step: int, trials: NDArray[np.int64]) -> NDArray[np.int64]:
        """The outcome in each of some trials."""
        ends = np.empty(len(trials), np.int64)
        roll_shots(self.rules, rolled(seed, MAX_POOL), self.shooter, self.target, step, trials, ends)
        return ends

    def read(self, outcome: int) -> tuple[int, int]:
        """Damage to the target, not capped (RULING 53), and its Prone marker."""
        return (outcome >> 2) * self.shooter.damage, outcome & 1


@dataclass(frozen=True, eq=False)
class Clash:
    """One exchange, both sides playing best for an objective. The outcome is (blows on the initiator, target)."""

    duel: exchange.Duel
    objective: str

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """Exact chance of each outcome."""
        return exchange.best_play(self.duel, self.objective).ravel()

    @cached_property
    def _best(self) -> Any:
        return exchange.policy(self.duel, "best", self.objective, 0, "best")

    def rolled(self, seed: int, step: int, trials: NDArray[np.int64]) -> NDArray[np.int64]:
        """The outcome in each of some trials, played move by move."""
        ends = np.empty(len(trials), np.int64)
        dice = rolled(seed, MAX_POOL)
        roll_exchanges(self.duel.game, *self.duel.sides, self._best, dice, step, trials, solve.menu(), ends)
        return ends

    def read(self, outcome: int) -> tuple[int, int]:
        """Damage to the initiator and to the target, not capped (RULING 53)."""
        on_initiator, on_target = divmod(outcome, self.duel.game.kill_0 + 1)
        return on_initiator * self.duel.damage[1], on_target * self.duel.damage[0]


@kernel
def roll_shots(rules, dice, shooter, target, step, trials, ends):
    """Roll one shot in each of some `trials` (int64 numbers) as step `step` of them; write the states after it."""
    start = begin(rules, shooter, target)
    for i in range(len(trials)):
        trial = trials[i]
        first, second = drawn_now(dice.seed, trial, step, 0, 0), drawn_now(dice.seed, trial, step, 1, 0)
        ends[i] = attack(rules, at(dice, trial, step, first, second), shooter, target, start)


@kernel
def roll_exchanges(game, initiator, target, policy, dice, step, trials, menu, ends):
    """Roll and play one exchange in each of some `trials` (int64 numbers) as step `step` of them; write its outcome."""
    for i in range(len(trials)):
        trial = trials[i]
        first, second = drawn_now(dice.seed, trial, step, 0, 0), drawn_now(dice.seed, trial, step, 1, 0)
        roll = at(dice, trial, step, first, second)
        track_0 = melee.roll_pool(roll, initiator, melee.INITIATOR_POOL)
        track_1 = melee.roll_pool(roll, target, melee.TARGET_POOL)
        position = melee.settle(game, track_0, track_1, 0, 0)
        ends[i] = solve.play(game, policy, policy, roll, melee.CHOICES, position, menu)
