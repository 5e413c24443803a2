"""How a fighter spends its activation in a duel: a plan is a function from what it sees to its next action.

It is asked again after every action (J5), and may be any function of that signature: `duel(..., attacker_plan=mine)`.
An action that the rules do not allow raises ValueError. The plans here are habits, not best play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from morsdei_sim.rulesets.morsdei import DUEL_PLANS


class Action(NamedTuple):
    """What to do next: "move", "shoot", "melee", "aim", "overwatch", "fall-back" or "end".

    `inches` is how far a Move goes towards the opponent, or a Fall Back away from it; no Move goes further than base
    contact.
    """

    name: str
    inches: float = 0.0


class Sight(NamedTuple):
    """What a plan sees before each action: everything is open, except that the other side's plan is not told.

    Attributes
    ----------
    gap : inches between the bases.
    contact : whether that is contact (E6).
    charges : whether one Move makes contact.
    apl : points left.
    move : inches of one Move.
    reach : inches of the ranged weapon that reaches furthest; 0 without one.
    can_shoot : whether some weapon may be fired right now: in Range, and in contact a pistol.
    has_pistol : whether that weapon is a pistol.
    can_strike : whether there is a melee weapon.
    can_fall_back : contact, points, and not done yet.
    watching : whether Overwatch is set already in this activation.
    hp, other_hp : HP now.
    """

    gap: float
    contact: bool
    charges: bool
    apl: int
    move: float
    reach: float
    can_shoot: bool
    has_pistol: bool
    can_strike: bool
    can_fall_back: bool
    watching: bool
    hp: int
    other_hp: int


Plan = Callable[[Sight], Action]

END, SHOOT, MELEE, OVERWATCH = Action("end"), Action("shoot"), Action("melee"), Action("overwatch")


def shooter(sight: Sight) -> Action:
    """Stays and shoots with all APL. Out of Range it moves until it is in Range.

    In contact: a pistol if it has one, else Melee, else Fall Back.
    """
    if sight.can_shoot:
        return SHOOT
    if not sight.contact:
        return Action("move", min(sight.move, sight.gap - sight.reach))
    return MELEE if sight.can_strike else _away(sight)


def charger(sight: Sight) -> Action:
    """Moves into contact as fast as it can and fights there with all APL left.

    With its last APL, when a Move would not make contact, it fires a pistol if that reaches.
    """
    if sight.contact:
        return MELEE if sight.can_strike else SHOOT if sight.can_shoot else END
    late = sight.apl == 1 and not sight.charges
    if late and sight.can_shoot and sight.has_pistol:
        return SHOOT
    return Action("move", sight.move)


def careful(sight: Sight) -> Action:
    """Shoots as long as there is a gap, as `shooter` does; in contact it prefers Melee."""
    if sight.contact and sight.can_strike:
        return MELEE
    return shooter(sight)


def watcher(sight: Sight) -> Action:
    """Shoots with all APL but the last, and with that one sets Overwatch: the enemy is let come.

    In contact: Melee, else a pistol, else Fall Back.
    """
    if sight.contact:
        return careful(sight)
    if sight.watching:
        return END
    return SHOOT if sight.apl > 1 and sight.can_shoot else OVERWATCH


def _away(sight: Sight) -> Action:
    return Action("fall-back", sight.move) if sight.can_fall_back else END


PLANS: dict[str, Plan] = dict(zip(DUEL_PLANS, (shooter, charger, careful, watcher), strict=True))
"""By name."""
