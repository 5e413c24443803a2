"""`activations`: own firing turns until the target is dead or dying."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.fight.long import play
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run
from morsdei_sim.lang import _
from morsdei_sim.rulesets.club.cards import Entrant
from morsdei_sim.rulesets.club.firing import Firing, Gunner
from morsdei_sim.rulesets.club.once import turns_drawn
from morsdei_sim.rulesets.club.rules import PRINTED, Rules
from morsdei_sim.rulesets.club.sides import arm_of, called, fighter, life_of, target_of, weapon_of


def activations(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    until: str = "dead",
    limit: int = 20,
    cover: int = 0,
    discharged: bool = False,
    attacker_dying: bool = False,
    target_dying: bool = False,
    target_endurance: int = 0,
    weapon: str = "",
) -> Outcome:
    """In which own turn of the attacker the target is dead (or dying): it stands still, Leadership is left out.

    A weapon with a magazine is reloaded in the turn after it is empty (RULING 30). Readings: `dead_within`
    or `dying_within` (the limit of turns), `turns` (limit + 1: later) and their mean.
    """
    shooter, victim = fighter(attacker), fighter(target)
    if until == "dying" and not victim.card.hero:
        raise UserError(_("{name} is no hero and cannot be dying (RULING 24).").format(name=victim.label))
    if until == "dying" and target_dying:
        raise UserError(_("the target is dying already"))
    if discharged and weapon_of(shooter, ("ranged", "pistol"), weapon).magazine is None:
        raise UserError(_("this weapon has no magazine and is never discharged (RULING 30)"))
    life_of(rules, shooter, dying=attacker_dying)
    chosen = weapon_of(shooter, ("ranged", "pistol"), weapon)
    arm = arm_of(shooter, chosen)
    gunner = Gunner(arm, int(attacker_dying), 0 if discharged else arm.magazine, int(until == "dying"))
    aimed_at = target_of(victim, life_of(rules, victim, target_endurance, target_dying), cover)

    def readings(cells: NDArray[np.int64], turns: NDArray[np.int64]) -> tuple[Reading, ...]:
        name, end = ("dead_within", 0) if until == "dead" else ("dying_within", 1)
        return (Reading(name, "chance", (cells == end).astype(np.int64)),)

    found = play(run, Firing(*rules), gunner, aimed_at, limit, readings)
    settings = {
        "attacker": shooter.label, "target": victim.label, "weapon": called(chosen), "until": until,
        "limit": limit,
    }  # fmt: skip
    note = _("Turn {more} stands for: not within {limit} turns.").format(more=limit + 1, limit=limit)
    return replace(found, readings=turns_drawn(found.readings, limit), settings=settings, notes=(note,))
