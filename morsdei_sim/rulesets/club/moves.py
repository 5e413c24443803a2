"""What may be done in a turn, and how far a run goes (R5-R11 in part)."""

from __future__ import annotations

from morsdei_sim._jit import inline
from morsdei_sim.dice.questions import total
from morsdei_sim.rulesets.club.rules import QUARTERS, pace

RUN = 11
"""Purpose of the run die."""


@inline
def run_limit(rules, dice, speed, dying):
    """R6, RULING 26 How far a run may go, in quarters of an inch: SPEED (half of it for the dying) and a D6."""
    return pace(rules, speed, dying) + total(dice, rules.run_dice, RUN) * QUARTERS


@inline
def may_run(rules, engaged, shot):
    """R7, R10, RULING 4 Whether a run may be declared: not when leaving combat; having shot bars it by switch only."""
    return not engaged and not (shot and rules.run_bars_prior_shooting)


@inline
def may_shoot(ran, left_combat):
    """R7, R11 Whether one may still shoot: neither after a run nor after leaving combat."""
    return not ran and not left_combat


@inline
def may_attack(rules, gap, engaged, ran, left_combat):
    """R7, R11, R16, RULING 37 Whether an attack may be declared at this gap (quarters of an inch)."""
    return not engaged and not ran and not left_combat and 0 < gap <= rules.attack_reach * QUARTERS
