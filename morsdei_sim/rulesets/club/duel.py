"""`duel`: two fighters in a line until one is dead, by the reference script."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.fight.long import play
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run
from morsdei_sim.lang import _
from morsdei_sim.rulesets.club.cards import KINDS, Entrant
from morsdei_sim.rulesets.club.course import BOTH, LIVES, Duel, Side
from morsdei_sim.rulesets.club.harm import UP
from morsdei_sim.rulesets.club.once import turns_drawn
from morsdei_sim.rulesets.club.rules import PRINTED, QUARTERS, Rules
from morsdei_sim.rulesets.club.sides import arm_of, fighter, life_of, quarters, target_of

FIRST = {"attacker": 0, "target": 1, "both": BOTH}


def duel(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    distance: float = 24.0,
    attacker_plan: str = "rush",
    target_plan: str = "rush",
    attacker_cover: int = 0,
    target_cover: int = 0,
    first: str = "attacker",
    leadership: str = "on",
    limit: int = 200,
) -> Outcome:
    """Two alone until one is dead.

    Parameters
    ----------
    distance : inches between the bases at the start, in half inches; less than 1 is close combat.
    attacker_plan, target_plan : "rush" moves at the enemy and attacks, "hold" stays.
    first : who is the player, with the first turn and the first strike of standing fights (RULING 2); "both" is the
        mean of the two.
    leadership : "on" or "off": whether Leadership checks are made.
    limit : turns of both together after which a duel is undecided (RULING 36).

    Readings: `attacker_wins`, `target_wins`, `undecided`, `attacker_wins_up`, `target_wins_up` (not dying at the end),
    with first = both `first_side_advantage` (chance of the attacker to win when he is the player, less when he is not),
    `turns` (of both; limit + 1: undecided) and their mean.
    """
    ours, theirs = fighter(attacker), fighter(target)
    gap = _gap(rules, distance)
    found = play(
        run,
        Duel(*rules),
        _side(rules, ours, attacker_plan, attacker_cover, gap, first, leadership),
        _side(rules, theirs, target_plan, target_cover, gap, first, leadership),
        limit,
        lambda cells, _turns: _readings(cells, first),
    )
    settings: dict[str, Any] = {
        "attacker": ours.label, "target": theirs.label, "distance": distance, "attacker_plan": attacker_plan,
        "target_plan": target_plan, "first": first, "leadership": leadership, "limit": limit,
    }  # fmt: skip
    notes = [_("Turn {more} stands for: undecided after {limit} turns.").format(more=limit + 1, limit=limit)]
    if gap == 0:
        notes.append(_("Nearer than {least} inch is close combat (R21).").format(least=rules.keep_off))
    return replace(found, readings=turns_drawn(found.readings, limit), settings=settings, notes=tuple(notes))


def _gap(rules: Rules, distance: float) -> int:
    """R21 The gap at the start in quarters of an inch, 0 in close combat."""
    gap = quarters(distance)
    if gap > rules.table * QUARTERS:
        raise UserError(
            _("distance = {value:g}: the table ends at {most} inches").format(value=distance, most=rules.table)
        )
    return gap if gap >= rules.keep_off * QUARTERS else 0


def _side(rules: Rules, one: Entrant, plan: str, cover: int, gap: int, first: str, leadership: str) -> Side:
    ranged, pistol, melee = (arm_of(one, one.card.ready(kind)) for kind in KINDS)
    body, speed = target_of(one, life_of(rules, one), cover), int(one.card.speed * QUARTERS)
    checks = int(leadership == "on")
    return Side(body, ranged, pistol, melee, speed, int(plan == "rush"), gap, FIRST[first], checks)


def _readings(cells: NDArray[np.int64], first: str) -> tuple[Reading, ...]:
    over = cells >= 0
    attacker_dead = over & (cells // LIVES % 2 == 1)
    won = over & ~attacker_dead
    up = cells % LIVES > UP

    def chance(name: str, when: NDArray[np.bool_]) -> Reading:
        return Reading(name, "chance", when.astype(np.int64))

    found = (
        chance("attacker_wins", won),
        chance("target_wins", attacker_dead),
        chance("undecided", ~over),
        chance("attacker_wins_up", won & up),
        chance("target_wins_up", attacker_dead & up),
    )
    if first != "both":
        return found
    players = np.where(cells // LIVES // 2 == 0, 2, -2)  # each half of the coin counts double
    return (*found, Reading("first_side_advantage", "mean", np.where(won, players, 0)))
