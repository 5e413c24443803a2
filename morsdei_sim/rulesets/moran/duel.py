"""A duel: two fighters alone, side turn after side turn (scripts M1 and M2 of the atlas).

`stand` stays and shoots; `rush` runs and strikes hand to hand. Both standing is script M1, one rushing is M2. Where the
scripts say nothing (docs in RULES.md): two rushers both run, a rusher never shoots, and one without a weapon who stands
strikes an enemy beside him, else does nothing.

A blow that only wounds locks the fight (RULING 22): the one struck recovers every turn and is struck again. It ends
there and counts as a win of the striker, who stands while the other lies.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import inline
from morsdei_sim.dice import questions
from morsdei_sim.errors import UserError
from morsdei_sim.fight import long, verbs
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run
from morsdei_sim.lang import _
from morsdei_sim.rulesets.moran.cards import Entrant, entrant, weapon_of
from morsdei_sim.rulesets.moran.rules import DEAD, PRINTED, UP, Rules
from morsdei_sim.rulesets.moran.shooting import _largest, fire, hurt, pool, spent

WHO_BEGINS = 1
"""Purpose of the coin."""

ATTACKER, TARGET, EITHER = 0, 1, 2
KILLED_BY_ATTACKER, KILLED_BY_TARGET, LOCKED_BY_ATTACKER, LOCKED_BY_TARGET, ENDS = 0, 1, 2, 3, 4


class Duel(Rules):
    """The kind of fight: two fighters in turn.

    A state is `side to move, distance, statuses, empty weapons` packed; the lowest codes are the ends, and one more is
    the state before it is drawn who begins.
    """

    __slots__ = ()


class Duellist(NamedTuple):
    """One side: its card, its cover when shot at, its plan, the distance at the start, and who begins."""

    skill: int
    near: int
    far: int
    lethality: int
    magazine: int
    armour: int
    move: int
    armed: int
    rush: int
    cover: int
    distance: int
    first: int


@inline
def pack(side, distance, status, other_status, empty, other_empty):
    """The state with `side` to move; "other" is the side that is not."""
    return ENDS + 1 + ((((distance * 2 + side) * 2 + status) * 2 + other_status) * 2 + empty) * 2 + other_empty


@inline
def turn_of(rules, dice, me, enemy, here, enemy_wounded):
    """One side turn of `me`: (what becomes of me and the enemy) from `here` = (distance, wounded, empty).

    Returns (distance, my status, my empty weapon, the enemy's status, whether this was a blow).
    """
    distance, wounded, empty = here
    if wounded:  # R21-R22 recovery, and nothing else
        return distance, UP, empty, enemy_wounded, False
    if me.rush:
        if distance > me.move + 1:  # R4-R5 movement and second movement
            reach = 2 * me.move if rules.second_move else me.move
            return max(1, distance - reach), UP, empty, enemy_wounded, False
        return 1, UP, empty, enemy_wounded + 1, True  # R38 walk up and strike
    melee = distance == 1 and (enemy.rush or not me.armed)
    if melee and (enemy_wounded or not me.armed or empty):
        return distance, UP, empty, enemy_wounded + 1, True
    if not me.armed:
        return distance, UP, empty, enemy_wounded, False
    if empty:  # R8, RULING 13
        return distance, UP, 0, enemy_wounded, False
    n = pool(rules, me.near, me.far, distance, enemy.cover, 0)
    eaten = spent(rules, me.near, me.far, distance, enemy.cover, 0)
    successes, _sixes, empty = fire(rules, dice, me.skill, me.magazine, n, eaten)
    return distance, UP, empty, hurt(successes, me.lethality, enemy.armour, enemy_wounded), False


@verbs.means(verbs.span, Duel)
def _span(rules, attacker, defender):
    return ENDS


@verbs.means(verbs.begin, Duel)
def _begin(rules, attacker, defender):
    if attacker.first == EITHER:
        return ENDS
    return pack(attacker.first, attacker.distance, UP, UP, 0, 0)


verbs.means(verbs.largest, Duel)(_largest)


@verbs.means(verbs.stage, Duel)
def _stage(rules, attacker, defender, state):
    return state if state < ENDS else verbs.TURN


@verbs.means(verbs.attack, Duel)
def side_turn(rules, dice, attacker, defender, state):
    """RULING 15 One side turn, then the other side's; who begins may be drawn, so that the answer is the mean of both.

    A dead enemy ends the duel (RULING 35); so does a blow that only wounds, as a lock (RULING 22).
    """
    if state == ENDS:
        side = questions.choose(dice, 2, WHO_BEGINS)
        distance, status, other, empty, other_empty = attacker.distance, UP, UP, 0, 0
    else:
        code = state - ENDS - 1
        distance, side = code >> 5, code >> 4 & 1
        status, other, empty, other_empty = code >> 3 & 1, code >> 2 & 1, code >> 1 & 1, code & 1
    here = (distance, status, empty)
    if side == ATTACKER:
        distance, status, empty, other, blow = turn_of(rules, dice, attacker, defender, here, other)
    else:
        distance, status, empty, other, blow = turn_of(rules, dice, defender, attacker, here, other)
    if other == DEAD:
        return KILLED_BY_ATTACKER + side
    if blow:
        return LOCKED_BY_ATTACKER + side
    return pack(1 - side, distance, other, status, other_empty, empty)


def duel(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    distance: int = 10,
    attacker_plan: str = "stand",
    target_plan: str = "stand",
    first: str = "attacker",
    attacker_cover: int = 0,
    target_cover: int = 0,
    limit: int = 0,
    attacker_weapon: str = "",
    target_weapon: str = "",
) -> Outcome:
    """Scripts M1 and M2: two fighters until one is dead, or a blow locks the fight (RULING 22).

    Readings: `attacker_wins`, `target_wins` (kills and locks), `lock` and of it `attacker_locks`, `target_locks`,
    `undecided` (after `limit` side turns; 0: those of RULING 35), `turns` and `mean_turns` of both sides together.
    """
    limit = limit or rules.side_turns
    fighters = entrant(attacker), entrant(target)
    sides = [
        _duellist(fighter, wanted, plan, cover, distance, ("attacker", "target", "both").index(first))
        for fighter, wanted, plan, cover in zip(
            fighters, (attacker_weapon, target_weapon), (attacker_plan, target_plan), (attacker_cover, target_cover),
            strict=True,
        )
    ]  # fmt: skip

    def readings(cells: NDArray[np.int64], _turns: NDArray[np.int64]) -> tuple[Reading, ...]:
        chances = {
            "attacker_wins": (cells == KILLED_BY_ATTACKER) | (cells == LOCKED_BY_ATTACKER),
            "target_wins": (cells == KILLED_BY_TARGET) | (cells == LOCKED_BY_TARGET),
            "undecided": cells < 0,
            "lock": cells >= LOCKED_BY_ATTACKER,
            "attacker_locks": cells == LOCKED_BY_ATTACKER,
            "target_locks": cells == LOCKED_BY_TARGET,
        }
        return tuple(Reading(name, "chance", found.astype(np.int64)) for name, found in chances.items())

    found = long.play(run, Duel(*rules), sides[0], sides[1], limit, readings)
    settings = {
        "attacker": fighters[0].label, "target": fighters[1].label, "attacker_plan": attacker_plan,
        "target_plan": target_plan, "distance": distance, "first": first, "limit": limit,
        "attacker_cover": attacker_cover, "target_cover": target_cover,
    }  # fmt: skip
    notes = [_("{more} turns stand for: undecided after {limit}.").format(more=limit + 1, limit=limit)]
    if found.value("lock") > 0:
        notes.append(_("A lock of hand to hand fighting counts as a win of the one who strikes (RULING 22)."))
    said = _("{attacker} against {target} from {distance} cells").format(
        attacker=_(attacker_plan), target=_(target_plan), distance=distance
    )
    shown = tuple(replace(one, drawn=False) if one.name == "turns" else one for one in found.readings)
    return replace(found, readings=shown, settings=settings, notes=tuple(notes), headline=said)


def _duellist(fighter: Entrant, wanted: str, plan: str, cover: int, distance: int, first: int) -> Duellist:
    """The numbers of one side. A rusher never shoots; one who stands without a weapon may stand there as a mark."""
    card = fighter.card
    if plan == "rush" and card.move == 0:
        raise UserError(_("{name} cannot rush: its movement is 0 (R1)").format(name=fighter.label))
    armed = plan == "stand" and bool(wanted or card.armed())
    arm = weapon_of(fighter, wanted) if armed else None
    if arm is not None and arm.template is not None:
        raise UserError(
            _("{weapon}: an area weapon has no place in this duel (scripts M1, M2); name another one").format(
                weapon=arm.label()
            )
        )
    numbers = (arm.near or 0, arm.far or 0, arm.lethality or 0, arm.magazine or 0) if arm else (0, 0, 0, 0)
    return Duellist(
        card.skill, *numbers, card.armour_class, card.move, int(armed), int(plan == "rush"), cover, distance, first
    )
