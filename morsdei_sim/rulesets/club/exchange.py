"""`melee`: exchanges of strikes between two in close combat."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run
from morsdei_sim.lang import _
from morsdei_sim.rulesets.club.cards import Entrant
from morsdei_sim.rulesets.club.harm import DEAD, UP
from morsdei_sim.rulesets.club.melee import Brawler, Melee, strikes_of
from morsdei_sim.rulesets.club.once import ends_of, once
from morsdei_sim.rulesets.club.rules import PRINTED, Rules
from morsdei_sim.rulesets.club.shooting import tallies
from morsdei_sim.rulesets.club.sides import arm_of, fighter, life_of, target_of, weapon_of
from morsdei_sim.rulesets.club.volley import lives


def melee(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    exchanges: int = 1,
    player: str = "attacker",
    attacker_dying: bool = False,
    target_dying: bool = False,
    attacker_endurance: int = 0,
    target_endurance: int = 0,
    weapon: str = "",
    target_weapon: str = "",
) -> Outcome:
    """R60 The attacker has just attacked: he strikes first, the target after him if alive.

    Exchanges after the first are those of standing fights, one a turn, the target's turn first (RULING 17); the
    Leadership checks between them are left out. Readings: `unsaved_on_target`, `unsaved_on_attacker` (in the first
    exchange counted to the end of a volley), `damage_to_target`, `damage_to_attacker` (until death, unclipped) and
    their means, `net_damage`, `kill_target`, `kill_attacker`, `target_dying`, `attacker_dying`, `both_alive`.
    """
    ours, theirs = fighter(attacker), fighter(target)
    chosen = weapon_of(ours, ("melee",), weapon)
    answering = weapon_of(theirs, ("melee",), target_weapon) if target_weapon else theirs.card.ready("melee")
    one = Brawler(
        arm_of(ours, chosen),
        target_of(ours, life_of(rules, ours, attacker_endurance, attacker_dying)),
        exchanges,
        int(player == "attacker"),
    )
    body = target_of(theirs, life_of(rules, theirs, target_endurance, target_dying))
    other = Brawler(arm_of(theirs, answering), body, exchanges, 0)
    kind = Melee(*rules)
    ends_of(kind, one, other)
    result = once(
        run, kind, one, other, _readings(kind, one, other), attacker=ours.label, target=theirs.label,
        exchanges=exchanges, player=player,
    )  # fmt: skip
    notes = []
    if answering is None:
        notes.append(_("{name} has no melee weapon and does not strike back (R23).").format(name=theirs.label))
    if exchanges > 1:
        notes.append(_("The Leadership checks between the exchanges are left out."))
    return replace(result, notes=tuple(notes))


def _readings(rules: Melee, one: Brawler, other: Brawler) -> tuple[Reading, ...]:
    cells = ends_of(rules, one, other)
    ours, theirs = strikes_of(one, other, one.exchanges)
    each = int(tallies(other.arm, theirs))
    on_target, to_target, their_life = lives(one.arm, ours, other.body, cells // each)
    on_attacker, to_attacker, our_life = lives(other.arm, theirs, one.body, cells % each)

    def chance(name: str, when: NDArray[np.bool_]) -> Reading:
        return Reading(name, "chance", when.astype(np.int64))

    return (
        Reading("unsaved_on_target", "distribution", on_target),
        Reading("unsaved_on_attacker", "distribution", on_attacker),
        Reading("damage_to_target", "distribution", to_target),
        Reading("damage_to_attacker", "distribution", to_attacker),
        Reading("mean_damage_to_target", "mean", to_target),
        Reading("mean_damage_to_attacker", "mean", to_attacker),
        Reading("net_damage", "mean", to_target - to_attacker),
        chance("kill_target", their_life == DEAD),
        chance("kill_attacker", our_life == DEAD),
        chance("target_dying", (their_life > DEAD) & (their_life <= UP)),
        chance("attacker_dying", (our_life > DEAD) & (our_life <= UP)),
        chance("both_alive", (our_life > DEAD) & (their_life > DEAD)),
    )
