"""Whole questions about one attack of Moran: `shoot` (volleys and blasts)."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.fight import exact, sample
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run, answer
from morsdei_sim.fight.verbs import span
from morsdei_sim.lang import _
from morsdei_sim.rulesets.moran import shooting
from morsdei_sim.rulesets.moran.cards import Entrant, Weapon, entrant, weapon_of
from morsdei_sim.rulesets.moran.rules import DEAD, PRINTED, UP, WOUNDED, Rules
from morsdei_sim.rulesets.moran.shooting import Shooter, Shooting, Target

WIDTHS = {"S": 3, "M": 5, "L": 7, "C": 5}
"""RULING 25 Cells across a template; of a cone its length."""


def shoot(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    distance: int = 1,
    cover: int = 0,
    defending: bool = False,
    target_wounded: bool = False,
    shooters: int = 1,
    weapon: str = "",
) -> Outcome:
    """R12-R30, R39-R43 One attack, or one of each of several shooters alike, at one target.

    Readings: `nothing`, `wound`, `kill`; `emptied` (a weapon is empty afterwards). For one shot also each of the three
    together with `emptied` (`nothing_emptied` …), the distributions `successes`, `net` (successes less the class of
    armour, not below 0) and `sixes` (rolled ones), their means, and `dice`. For several shooters instead `shots` (how
    many fired: nobody shoots at the dead) and `mean_emptied`.
    """
    shooter, victim = entrant(attacker), entrant(target)
    arm = weapon_of(shooter, weapon)
    if defending and target_wounded:
        raise UserError(_("a wounded fighter does not defend: its defence ended with the wound (RULING 14)"))
    gun = shooter_of(shooter, arm, distance, shooters)
    mark = Target(victim.card.armour_class, cover, int(defending), int(target_wounded))
    kind = Shooting(*rules)

    def sampled(first: int, trials: int, executor: Executor | None, progress: Any) -> NDArray[np.int64]:
        return sample.sample(kind, gun, mark, trials, run.seed, executor, first, progress)

    result = answer(
        run, lambda: exact.pmf(kind, gun, mark), sampled, _readings(kind, gun, mark), attacker=shooter.label,
        target=victim.label, weapon=arm.label(), distance=distance, cover=cover, defending=defending,
        target_wounded=target_wounded, shooters=shooters,
    )  # fmt: skip
    return Outcome(
        result.weights, result.readings, result.trials, result.seed, result.settings, _notes(kind, arm, gun, mark)
    )


def shooter_of(shooter: Entrant, arm: Weapon, distance: int, shots: int = 1) -> Shooter:
    """The numbers that a fighter brings to an attack; UserError when the weapon does not reach."""
    if arm.template is not None:
        _check_reach(arm, distance)
    return Shooter(
        shooter.card.skill, arm.near or 0, arm.far or 0, arm.lethality or 0, arm.magazine or 0,
        int(arm.template is not None), distance, shots,
    )  # fmt: skip


def _check_reach(arm: Weapon, distance: int) -> None:
    """R42, RULING 26 Whether some place of the template covers a target so far away."""
    width = WIDTHS[arm.template or "S"]
    most = width if arm.template == "C" else arm.throw + width - 1
    if distance > most:
        raise UserError(
            _("distance = {distance}: {weapon} reaches {most} cells at most (R42, RULING 26)").format(
                distance=distance, weapon=arm.label(), most=most
            )
        )


def _notes(rules: Rules, arm: Weapon, gun: Shooter, mark: Target) -> tuple[str, ...]:
    notes = []
    if gun.area:
        notes.append(_("An area weapon rolls no dice; cover, defence and distance change nothing (R39, R40)."))
    elif shooting.pool(rules, gun.near, gun.far, gun.distance, mark.cover, mark.defending) == 0:
        notes.append(_("No dice are left: the target cannot be hit (R17)."))
    if arm.type == "K" and gun.shots > arm.count:
        notes.append(_("The team has {count} of these (R53).").format(count=arm.count))
    return tuple(notes)


def _readings(rules: Rules, gun: Shooter, mark: Target) -> tuple[Reading, ...]:
    cells = np.arange(span(rules, gun, mark))
    status, fired, emptied, successes, sixes = shooting.unpack(gun, cells)
    done = {
        "nothing": status == (WOUNDED if mark.wounded else UP),
        "wound": (status == WOUNDED) & (not mark.wounded),
        "kill": status == DEAD,
    }
    empty = emptied > 0
    figures = [Reading(name, "chance", found.astype(np.int64)) for name, found in done.items()]
    figures.append(Reading("emptied", "chance", empty.astype(np.int64)))
    if gun.shots > 1:
        return (*figures, Reading("shots", "distribution", fired), Reading("mean_emptied", "mean", emptied))
    figures += [Reading(f"{name}_emptied", "chance", (found & empty).astype(np.int64)) for name, found in done.items()]
    if gun.area:
        return tuple(figures)
    net = np.maximum(0, successes - mark.armour)
    for name, values in (("successes", successes), ("net", net), ("sixes", sixes)):
        figures += [Reading(name, "distribution", values), Reading(f"mean_{name}", "mean", values)]
    dice = shooting.pool(rules, gun.near, gun.far, gun.distance, mark.cover, mark.defending)
    return (*figures, Reading("dice", "mean", np.full(len(cells), dice)))
