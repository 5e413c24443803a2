"""The lone shooter (script M3) and the watch (R31-R35): one side shoots, the other never shoots back."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import inline
from morsdei_sim.errors import UserError
from morsdei_sim.fight import exact, long, sample, verbs
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run, answer
from morsdei_sim.lang import _
from morsdei_sim.rulesets.moran.cards import Entrant, entrant, weapon_of
from morsdei_sim.rulesets.moran.rules import DEAD, PRINTED, UP, WOUNDED, Rules
from morsdei_sim.rulesets.moran.shooting import (
    _largest,
    blasted,
    fire,
    hurt,
    pool,
    spent,
)
from morsdei_sim.rulesets.moran.volley import shooter_of


class Lone(Rules):
    """The kind of fight: one shooter, turn after turn, at a target that does nothing back (script M3).

    A state is `2 * (the target lies wounded) + (the weapon is empty)`; DEAD * 2 is the end.
    """

    __slots__ = ()


class Patient(NamedTuple):
    """The target of script M3: `recovers` 1 stands up before the next shot."""

    armour: int
    cover: int
    recovers: int


@verbs.means(verbs.span, Lone)
def _one_end(rules, attacker, defender):
    return 1


@verbs.means(verbs.begin, Lone)
def _unhurt(rules, attacker, defender):
    return 0


verbs.means(verbs.largest, Lone)(_largest)


@verbs.means(verbs.stage, Lone)
def _stage_of_lone(rules, attacker, defender, state):
    return 0 if state == 2 * DEAD else verbs.TURN


@verbs.means(verbs.attack, Lone)
def turn_alone(rules, dice, attacker, defender, state):
    """R8, R22, R27-R28, RULING 13 One turn of the shooter: prepare an empty weapon, else shoot; then the target's.

    A target that recovers stands up in its turn, whatever the shooter does.
    """
    status, empty = state >> 1, state & 1
    if empty:
        empty = 0
    elif attacker.area:
        empty = 1 if attacker.magazine > 0 else 0
        status = blasted(attacker.lethality, defender.armour, status)
    else:
        n = pool(rules, attacker.near, attacker.far, attacker.distance, defender.cover, 0)
        eaten = spent(rules, attacker.near, attacker.far, attacker.distance, defender.cover, 0)
        successes, _sixes, empty = fire(rules, dice, attacker.skill, attacker.magazine, n, eaten)
        status = hurt(successes, attacker.lethality, defender.armour, status)
    if status == DEAD:
        return 2 * DEAD
    if defender.recovers:
        status = UP
    return status << 1 | empty


def activations(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    distance: int = 1,
    cover: int = 0,
    target_plan: str = "recovers",
    limit: int = 20,
    weapon: str = "",
) -> Outcome:
    """Script M3: in which own turn a lone shooter kills a target that never shoots back; preparing takes a turn.

    Readings: `killed_within` (the limit), `turns` (limit + 1 stands for: alive after the limit), `mean_turns` (exact:
    not cut off, infinite when it may never happen; sampled: `mean_turns_at_least`).
    """
    shooter, victim = entrant(attacker), entrant(target)
    arm = weapon_of(shooter, weapon)
    gun = shooter_of(shooter, arm, distance)
    mark = Patient(victim.card.armour_class, cover, int(target_plan == "recovers"))

    def readings(cells: NDArray[np.int64], _turns: NDArray[np.int64]) -> tuple[Reading, ...]:
        return (Reading("killed_within", "chance", (cells == 0).astype(np.int64)),)

    found = long.play(run, Lone(*rules), gun, mark, limit, readings)
    settings = {
        "attacker": shooter.label, "target": victim.label, "weapon": arm.label(), "distance": distance,
        "cover": cover, "target_plan": target_plan, "limit": limit,
    }  # fmt: skip
    notes = [_("{more} turns stand for: alive after {limit}.").format(more=limit + 1, limit=limit)]
    if found.trials is None and np.isinf(found.value("mean_turns")):
        notes.append(_("No shot can kill this target, and its wounds do not add up: it may live for ever."))
    return replace(found, settings=settings, notes=tuple(notes))


# ── watch ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Watch(Rules):
    """The kind of fight: a walker enters a watched cell; then the watcher's own next shot, if still loaded.

    A state is `((status after the watch shot * 3 + status) * 2 + the weapon is empty) * 3 + attacks done`.
    """

    __slots__ = ()


class Walker(NamedTuple):
    """The walker: `cover` in the entered cell; distance and cover at the next shot; whether this is its second move."""

    armour: int
    cover: int
    next_distance: int
    next_cover: int
    second_move: int


@verbs.means(verbs.span, Watch)
def _span_of_watch(rules, attacker, defender):
    return (DEAD + 1) * (DEAD + 1) * 2 * 3


@verbs.means(verbs.begin, Watch)
def _begin_of_watch(rules, attacker, defender):
    return 0


@verbs.means(verbs.attacks, Watch)
def _attacks_of_watch(rules, attacker, defender):
    return 2


verbs.means(verbs.largest, Watch)(_largest)


@inline
def may_rise(rules, status, second_move):
    """RULING 19 The status of one wounded in its own move at the end of its turn: up again, if its action is left."""
    return UP if status == WOUNDED and rules.recover_same_turn and not second_move else status


@verbs.means(verbs.attack, Watch)
def watch_shot(rules, dice, attacker, defender, state):
    """R33-R35, RULINGS 12, 18 First the watch attack at the entered cell, then the watcher's next shot.

    Between them the walker recovers if it may (RULING 19). One attack a marker: a second enemy triggers nothing.
    """
    done, empty = state % 3, state // 3 % 2
    status, after_watch = state // 6 % 3, state // 18
    if done == 1:
        status = may_rise(rules, status, defender.second_move)
        if empty or status == DEAD:
            return ((after_watch * 3 + status) * 2 + empty) * 3 + 2
    distance = attacker.distance if done == 0 else defender.next_distance
    cover = defender.cover if done == 0 else defender.next_cover
    n = pool(rules, attacker.near, attacker.far, distance, cover, 0)
    eaten = spent(rules, attacker.near, attacker.far, distance, cover, 0)
    successes, _sixes, empty = fire(rules, dice, attacker.skill, attacker.magazine, n, eaten)
    status = hurt(successes, attacker.lethality, defender.armour, status)
    return (((after_watch if done else status) * 3 + status) * 2 + empty) * 3 + done + 1


def watch(
    watcher: str | Entrant,
    walker: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    distance: int = 1,
    cover: int = 0,
    next_shot_distance: int = 0,
    next_shot_cover: int = -1,
    second_move: bool = False,
    weapon: str = "",
) -> Outcome:
    """R31-R35 A walker enters the zone of a watch; then comes the watcher's next shot, if the weapon is still loaded.

    Readings: `stopped` (wounded or killed), `walks_on`, `kill` (all three of the watch shot alone), and
    `dead_after_next_shot`. The next shot is at `next_shot_distance` (0: the same), `next_shot_cover` (-1: the same).
    """
    shooter, victim = entrant(watcher), entrant(walker)
    arm = weapon_of(shooter, weapon)
    if arm.template is not None:
        raise UserError(_("{weapon}: a watch with an area weapon is not simulated").format(weapon=arm.label()))
    gun = shooter_of(shooter, arm, distance)
    later, covered = next_shot_distance or distance, cover if next_shot_cover < 0 else next_shot_cover
    mark = Walker(victim.card.armour_class, cover, later, covered, int(second_move))
    kind = Watch(*rules)

    def sampled(first: int, trials: int, executor: Executor | None, progress: Any) -> NDArray[np.int64]:
        return sample.sample(kind, gun, mark, trials, run.seed, executor, first, progress)

    cells = np.arange(verbs.span(kind, gun, mark))
    first, last = cells // 18, cells // 6 % 3
    chances = {
        "stopped": first != UP,
        "walks_on": first == UP,
        "kill": first == DEAD,
        "dead_after_next_shot": last == DEAD,
    }
    readings = tuple(Reading(name, "chance", found.astype(np.int64)) for name, found in chances.items())
    return answer(
        run, lambda: exact.pmf(kind, gun, mark), sampled, readings, attacker=shooter.label, target=victim.label,
        weapon=arm.label(), distance=distance, cover=cover, next_shot_distance=later, next_shot_cover=covered,
        second_move=second_move,
    )  # fmt: skip
