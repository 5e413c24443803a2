"""Every number of the MORSDEI rulebook that an exchange uses, beside its rule id, and the rulings as switches.

`Rules` is an argument of every procedure: a sweep over rules is a sweep over these fields and recompiles nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from morsdei_sim._jit import inline


class Rules(NamedTuple):
    """The rulebook as printed (v0.1). Change a field to ask what a rule is worth."""

    best_hit: int = 2  # D8 the final Hit is never better
    worst_hit: int = 6  # D8 nor worse
    save: int = 4  # S17 lowest face of a normal save
    crit_save_normals: int = 2  # S21 normal hits that one critical save cancels
    cover_dice: int = 1  # V9 Defence Dice in cover
    prone_dice: int = 1  # P2 Defence Dice while prone
    injury_dice: int = 1  # H3 Attack or Combat Dice lost while Injured
    injury_ratio: int = 2  # H2 Injured when this times current HP is less than maximum HP
    aim: int = 1  # S1 Hit improved
    overwatch: int = 1  # O5 Hit worsened
    contract: int = 1  # K3 Hit worsened
    pistol_in_contact: int = 1  # S7 Hit worsened
    pistol_range: int = 10  # S6 inches
    guard: int = 1  # B16 whether Guard exists (0 shows what it is worth)
    may_pass: int = 0  # RULING 47 whether a leader with dice may hand the initiative over instead of playing
    prone_debt: int = 1  # P3 APL lost at the next activation
    max_apl: int = 4  # A2 the stock is clamped to 0 - 4
    fall_back_apl: int = 2  # M26 what Fall Back costs
    contact_reach: int = 1  # E6 inches between bases that are in contact


@inline
def final_hit(rules: Any, printed: int, worse: int) -> int:
    """D6-D9, RULING 1 The printed Hit plus all worsenings less all improvements, clamped once to 2+ … 6+."""
    hit: int = max(rules.best_hit, min(rules.worst_hit, printed + worse))
    return hit


@inline
def is_injured(rules: Any, hp: Any, max_hp: Any) -> Any:
    """H2 Injured when current HP is strictly less than half of maximum HP."""
    return rules.injury_ratio * hp < max_hp


@inline
def pool_size(dice: int, change: int) -> int:
    """D10-D11, RULING 2 All changes to a pool add up; the pool never has fewer than zero dice."""
    return max(0, dice + change)


def action_points(rules: Rules, apl: int, prone: int) -> int:
    """A1-A2, P6 The APL of an activation: the card's less the Prone debt (P3), then clamped.

    The base game has no other bonus.
    """
    return max(0, min(rules.max_apl, apl - rules.prone_debt * prone))


PRINTED = Rules()
"""The rulebook as printed."""

BOUNDS = {
    "best_hit": (2, 6),
    "worst_hit": (2, 6),
    "save": (2, 6),
    "crit_save_normals": (1, 20),
    "injury_ratio": (0, 10),
    "pistol_range": (0, 100),
    "guard": (0, 1),
    "may_pass": (0, 1),
    "max_apl": (0, 4),
    "fall_back_apl": (1, 4),
}
"""Where a changed number must lie."""

USUAL = (0, 4)
"""The same for those not named."""
