"""Whole questions about MORSDEI shooting: cards and a situation in, an `Outcome` out."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.dice.every import every
from morsdei_sim.errors import UserError
from morsdei_sim.fight import exact, sample
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run, answer
from morsdei_sim.fight.verbs import span
from morsdei_sim.lang import _, named
from morsdei_sim.rulesets.morsdei import shooting
from morsdei_sim.rulesets.morsdei.cards import Entrant, Weapon, entrant
from morsdei_sim.rulesets.morsdei.rules import PRINTED, Rules, is_injured
from morsdei_sim.rulesets.morsdei.shooting import Planner, Shooter, Shooting, Target


def shoot(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    cover: bool = False,
    prone: bool = False,
    aim: bool = False,
    overwatch: bool = False,
    contract: bool = False,
    in_contact: bool = False,
    attacker_injured: bool = False,
    shots: int = 1,
    prone_policy: str = "never",
    prone_cost: float = 3.425783,
    saves: str = "best",
    weapon: str = "",
) -> Outcome:
    """S4, S7, S9 One or several ranged attacks at one target.

    Readings: `hits_left`, `damage` (hits x Damage, not capped: the dice of one attack are counted whole),
    `mean_damage`, `kill`, `injured` (alive and Injured), `mean_hp_lost` (capped at the HP the target had), `prone`
    (ends prone).
    """
    shooter = attacker if isinstance(attacker, Entrant) else entrant(attacker, "shooter", {"weapon"}, weapon or None)
    aimed_at = target if isinstance(target, Entrant) else entrant(target, "target", {"defence", "hp"})
    notes = []
    if aim and (overwatch or contract):
        notes.append(_("Aim has no effect on Overwatch or a Contract (O14, S1)."))
    if shots > 1 and (overwatch or contract):
        notes.append(
            _("The rules give each fighter one such shot at a time (O9, K2): these {n} come from several.").format(
                n=shots
            )
        )
    fighter = shooter_of(
        rules, shooter, aim=aim, overwatch=overwatch, contract=contract, in_contact=in_contact,
        injured=attacker_injured, shots=shots,
    )  # fmt: skip
    victim = target_of(
        rules,
        fighter,
        aimed_at,
        cover=cover,
        prone=prone,
        saves=saves,
        prone_policy=prone_policy,
        prone_cost=prone_cost,
    )
    kind = Shooting(*rules)

    def sampled(first: int, trials: int, executor: Executor | None, progress: Any) -> NDArray[np.int64]:
        return sample.sample(kind, fighter, victim, trials, run.seed, executor, first, progress)

    cells = span(kind, fighter, victim)
    readings = shot_readings(
        rules, np.arange(cells) >> 2, np.arange(cells) & 1, fighter.damage, aimed_at.hp, aimed_at.card.hp
    )
    result = answer(
        run, lambda: exact.pmf(kind, fighter, victim), sampled, readings, attacker=shooter.label, target=aimed_at.label
    )
    return Outcome(result.weights, readings, result.trials, result.seed, result.settings, tuple(notes))


def shot_readings(
    rules: Rules, hits: NDArray[Any], prone: NDArray[Any], damage: int, hp: int, max_hp: int
) -> tuple[Reading, ...]:
    """E7, H1-H2, S19 The figures of a shot, by the hits left and the prone marker of each cell."""
    dealt = hits * damage
    left = hp - dealt
    return (
        Reading("hits_left", "distribution", hits, drawn=False),
        Reading("damage", "distribution", dealt),
        Reading("mean_damage", "mean", dealt),
        Reading("kill", "chance", (left <= 0).astype(np.int64)),
        Reading("injured", "chance", ((left > 0) & is_injured(rules, left, max_hp)).astype(np.int64)),
        Reading("mean_hp_lost", "mean", np.minimum(dealt, hp)),
        Reading("prone", "chance", prone),
    )


def shooter_of(
    rules: Rules,
    shooter: Entrant,
    *,
    aim: bool = False,
    overwatch: bool = False,
    contract: bool = False,
    in_contact: bool = False,
    injured: bool = False,
    shots: int = 1,
) -> Shooter:
    """The numbers that a fighter with a ranged weapon brings to a shot; UserError when the rules exclude it."""
    arm = _ranged(shooter)
    _check_situation(shooter, arm, overwatch=overwatch, contract=contract, in_contact=in_contact)
    return Shooter(
        arm.dice, arm.hit, arm.damage, int(aim), int(overwatch), int(contract), int(in_contact),
        int(injured or _is_hurt(rules, shooter)), shots,
    )  # fmt: skip


def _ranged(shooter: Entrant) -> Weapon:
    if shooter.weapon is None or shooter.weapon.type == "melee":
        raise UserError(_("{name} has no ranged weapon and cannot shoot (RULING 6).").format(name=shooter.label))
    return shooter.weapon


def _check_situation(shooter: Entrant, arm: Weapon, *, overwatch: bool, contract: bool, in_contact: bool) -> None:
    faults = []
    if overwatch and contract:
        faults.append(_("a shot is either from Overwatch or by Contract, not both (O6, K9)"))
    if overwatch and in_contact:
        faults.append(_("Overwatch is never fired in contact: entering contact removes the marker (O12)"))
    if in_contact and arm.type != "pistol" and (not shooter.inline or "type" in shooter.stated):
        faults.append(
            _("only a pistol can be fired in contact, and {weapon} is none (S7)").format(
                weapon=named(arm.name, arm.name_ru)
            )
        )
    if faults:
        raise UserError("; ".join(faults))


def _is_hurt(rules: Rules, fighter: Entrant) -> bool:
    """H2 Whether a fighter comes to the exchange Injured; its HP is known only if it was stated."""
    return "hp" in fighter.stated and bool(is_injured(rules, fighter.hp, fighter.card.hp))


def target_of(
    rules: Rules,
    shooter: Shooter,
    aimed_at: Entrant,
    *,
    cover: bool,
    prone: bool,
    saves: str,
    prone_policy: str,
    prone_cost: float,
) -> Target | Planner:
    """The numbers of a target, with its decisions J6 and J7."""
    style = shooting.BEST_SAVES if saves == "best" else shooting.CRITS_FIRST
    card = aimed_at.card
    never = Target(card.defence, aimed_at.hp, card.hp, int(cover), int(prone), style, shooting.NEVER)
    if prone_policy == "never":
        return never
    if prone_policy == "always":
        return never._replace(going_prone=shooting.ALWAYS)
    gain = prone_gain(rules, shooter, never)
    return Planner(*never[:6], (gain > prone_cost).astype(np.int8))


def prone_gain(rules: Rules, shooter: Shooter, target: Target) -> NDArray[np.float64]:
    """J6 Mean HP that going prone saves against the shot under way.

    Returns float64 [hits that would remove the target - 1, normal hits, critical hits]; damage is capped at the HP
    left, so a die that cannot prevent a removal and saves no HP is worth nothing.
    """
    dice = shooter.dice
    most = min(shooting.hits_to_remove(target.hp, shooter.damage), dice + 1)
    gain = np.zeros((most, dice + 1, dice + 1))
    before = int(shooting.defence_dice(rules, target, 0))
    after = int(shooting.defence_dice(rules, target, 1))
    removal = shooting.hits_to_remove(target.hp, shooter.damage)
    for needed in range(1, most + 1):
        hp = target.hp - (removal - needed) * shooter.damage if removal < 1 << 20 else target.hp
        lost = np.minimum(np.arange(2 * dice + 1) * shooter.damage, hp).astype(np.float64)
        shooting.prone_gains(rules, every(), target.saves, before, after, lost, gain[needed - 1])
    return gain
