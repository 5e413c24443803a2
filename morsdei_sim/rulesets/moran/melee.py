"""Hand to hand (R36-R38): no dice, so the answer is certain; the kind of fight is there for the common drivers."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.fight import exact, sample, verbs
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run, answer
from morsdei_sim.lang import _
from morsdei_sim.rulesets.moran.cards import Entrant, entrant
from morsdei_sim.rulesets.moran.rules import DEAD, PRINTED, UP, WOUNDED, Rules
from morsdei_sim.rulesets.moran.shooting import smitten


class Melee(Rules):
    """The kind of fight: fighters of one side strike one enemy, one blow each, in one turn."""

    __slots__ = ()


class Strikers(NamedTuple):
    """How many strike."""

    attackers: int


class Victim(NamedTuple):
    """Whether it lies wounded already."""

    wounded: int


@verbs.means(verbs.span, Melee)
def _span(rules, attacker, defender):
    return DEAD + 1


@verbs.means(verbs.begin, Melee)
def _begin(rules, attacker, defender):
    return WOUNDED if defender.wounded else UP


@verbs.means(verbs.attacks, Melee)
def _attacks(rules, attacker, defender):
    return attacker.attackers


@verbs.means(verbs.largest, Melee)
def _largest(rules, attacker, defender):
    return 0


@verbs.means(verbs.attack, Melee)
def blow(rules, dice, attacker, defender, state):
    """R36-R37, RULING 21 One blow: unhurt becomes wounded, wounded becomes dead; no dice, no armour, no strike back."""
    return smitten(state)


def melee(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    target_wounded: bool = False,
    attackers: int = 1,
) -> Outcome:
    """R36-R38 One blow of each of several attackers beside the target. Readings: `wound`, `kill`."""
    striker, victim = entrant(attacker), entrant(target)
    kind, many, mark = Melee(*rules), Strikers(attackers), Victim(int(target_wounded))

    def sampled(first: int, trials: int, executor: Executor | None, progress: Any) -> NDArray[np.int64]:
        return sample.sample(kind, many, mark, trials, run.seed, executor, first, progress)

    cells = np.arange(DEAD + 1)
    readings = (
        Reading("wound", "chance", ((cells == WOUNDED) & (not target_wounded)).astype(np.int64)),
        Reading("kill", "chance", (cells == DEAD).astype(np.int64)),
    )
    result = answer(
        run, lambda: exact.pmf(kind, many, mark), sampled, readings, attacker=striker.label, target=victim.label,
        target_wounded=target_wounded, attackers=attackers,
    )  # fmt: skip
    notes = [_("Hand to hand needs no roll: the answer is certain (R36, R37).")]
    if attackers == 1 and not target_wounded:
        notes.append(_("A lone fighter never kills this way: the wounded one recovers every turn (RULING 22)."))
    return Outcome(result.weights, readings, result.trials, result.seed, result.settings, tuple(notes))
