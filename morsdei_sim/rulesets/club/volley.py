"""`shoot`: one volley of one weapon at one target."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run
from morsdei_sim.lang import _
from morsdei_sim.rulesets.club.cards import Entrant, Weapon
from morsdei_sim.rulesets.club.harm import DEAD, UP
from morsdei_sim.rulesets.club.once import ends_of, once
from morsdei_sim.rulesets.club.rules import PRINTED, Rules, reloading_shots
from morsdei_sim.rulesets.club.shooting import (
    MISS,
    NOT_PIERCED,
    SAVED,
    UNSAVED,
    Arm,
    Attack,
    IntoFight,
    Mixed,
    Target,
    Volley,
    parts,
    stop_chances,
    tallies,
)
from morsdei_sim.rulesets.club.sides import arm_of, called, fighter, in_range, life_of, target_of, weapon_of


def shoot(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    cover: int = 0,
    attacker_dying: bool = False,
    overwatch: bool = False,
    reload: bool = False,
    shots: int = 0,
    distance: float = 0.0,
    target_endurance: int = 0,
    target_dying: bool = False,
    target_avoid_rolls: int = 0,
    ally: str | Entrant = "",
    weapon: str = "",
) -> Outcome:
    """R12, R44, R59 One volley with one ranged weapon or pistol.

    Readings: `unsaved` (hits let through among all shots of the volley), `damage` and `mean_damage` (received until
    death, unclipped), `kill`, `dying`, `up`, `flees` (alive and fails the Leadership check), `mean_endurance_lost`,
    and where the shots stop: `miss`, `not_pierced`, `saved`. With an `ally` in combat with the target every miss hits
    the ally (R63); the same readings for it begin with `ally_`.
    """
    shooter, victim = fighter(attacker), fighter(target)
    chosen = weapon_of(shooter, ("ranged", "pistol"), weapon)
    in_range(shooter, chosen, distance)
    _check(shooter, chosen, overwatch=overwatch, reload=reload, dying=attacker_dying, ally=bool(ally))
    volley = Attack(arm_of(shooter, chosen), _shots(rules, chosen, shots, reload), int(attacker_dying), int(overwatch))
    aimed_at = target_of(victim, life_of(rules, victim, target_endurance, target_dying, target_avoid_rolls), cover)
    settings = {"attacker": shooter.label, "target": victim.label, "weapon": called(chosen), "shots": volley.shots}
    if ally:
        friend = fighter(ally)
        mixed = Mixed(aimed_at, target_of(friend, life_of(rules, friend)))
        result = _into_fight(run, rules, volley, mixed, **settings, ally=friend.label)
    else:
        kind = Volley(*rules)
        cells = ends_of(kind, volley, aimed_at)
        readings = (
            *tally_readings("", volley.arm, volley.shots, aimed_at, cells // 2, cells % 2),
            *_stops(rules, volley, aimed_at, cells // 2),
        )
        result = once(run, kind, volley, aimed_at, readings, **settings)
    return replace(result, notes=_notes(volley, overwatch, attacker_dying))


def _check(shooter: Entrant, chosen: Weapon, *, overwatch: bool, reload: bool, dying: bool, ally: bool) -> None:
    if dying and not shooter.card.hero:
        raise UserError(_("{name} is no hero and cannot be dying (RULING 24).").format(name=shooter.label))
    if overwatch and reload:
        raise UserError(_("a discharged weapon fires no overwatch (RULING 15)"))
    if overwatch and ally:
        raise UserError(_("overwatch answers an attack: nobody fights the attacker hand to hand yet (R17)"))


def _shots(rules: Rules, chosen: Weapon, shots: int, reload: bool) -> int:
    """R12, R57, RULING 30 How many shots this volley has."""
    wanted = shots or chosen.shots
    if reload:
        wanted = int(reloading_shots(rules, wanted))
    return min(wanted, chosen.magazine) if chosen.magazine else wanted


def _notes(volley: Attack, overwatch: bool, dying: bool) -> tuple[str, ...]:
    notes = []
    if overwatch and dying:
        notes.append(_("Overwatch ignores penalties: that the shooter is dying changes nothing (R17)."))
    if volley.shots == 0:
        notes.append(_("A weapon with a single shot does not fire in the turn in which it is reloaded (R58)."))
    if volley.arm.accuracy >= 7 and not overwatch:
        notes.append(_("With accuracy 7 the shooter cannot hit at all."))
    return tuple(notes)


def tally_readings(
    prefix: str, arm: Arm, attacks: int, target: Target, counted: NDArray[np.int64], fled: NDArray[np.int64] | None
) -> tuple[Reading, ...]:
    """R29-R30, R36, RULING 28 The figures of somebody who was attacked, by the tally of each cell."""
    unsaved, damage, life = lives(arm, attacks, target, counted)
    found = [
        Reading(f"{prefix}unsaved", "distribution", unsaved),
        Reading(f"{prefix}damage", "distribution", damage),
        Reading(f"{prefix}mean_damage", "mean", damage),
        Reading(f"{prefix}kill", "chance", (life == DEAD).astype(np.int64)),
        Reading(f"{prefix}dying", "chance", ((life > DEAD) & (life <= UP)).astype(np.int64)),
        Reading(f"{prefix}up", "chance", (life > UP).astype(np.int64)),
    ]
    if fled is not None:
        found.append(Reading(f"{prefix}flees", "chance", fled))
    lost = np.maximum(target.life, UP) - np.maximum(life, UP)
    return (*found, Reading(f"{prefix}mean_endurance_lost", "mean", lost))


def lives(
    arm: Arm, attacks: int, target: Target, counted: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(Unsaved hits, damage, life) of each tally of an array."""
    unsaved, damage, mark = parts(arm, attacks, counted)
    return unsaved, damage, np.where(mark > UP, target.life - damage, mark)


def _stops(rules: Rules, volley: Attack, target: Target, counted: NDArray[np.int64]) -> tuple[Reading, ...]:
    """Mean number of shots that stop at each roll. The shots of a volley are alike, so those that were not unsaved
    split in the same shares whatever their number."""
    stops = stop_chances(rules, volley, target)
    unsaved, _damage, _life = lives(volley.arm, volley.shots, target, counted)
    rest = (volley.shots - unsaved) / max(1e-300, 1.0 - stops[UNSAVED])
    names = ("miss", "not_pierced", "saved")
    return tuple(Reading(name, "mean", rest * stops[stop]) for name, stop in zip(names, (MISS, NOT_PIERCED, SAVED),
                 strict=True))  # fmt: skip


def _into_fight(run: Run, rules: Rules, volley: Attack, mixed: Mixed, **settings: Any) -> Outcome:
    kind = IntoFight(*rules)
    cells = ends_of(kind, volley, mixed)
    each = int(tallies(volley.arm, volley.shots))
    readings = (
        *tally_readings("", volley.arm, volley.shots, mixed.target, cells // 4 // each, cells & 1),
        *tally_readings("ally_", volley.arm, volley.shots, mixed.ally, cells // 4 % each, cells >> 1 & 1),
    )
    return once(run, kind, volley, mixed, readings, **settings)
