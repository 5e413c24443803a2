"""Every number of the rules of Club beside its rule id, and the open questions of the document as switches.

`Rules` is an argument of every procedure: a sweep over rules is a sweep over these fields and recompiles nothing. The
switches of the atlas (chapter 2) keep their names; `CHOICES` gives the words of each, a word's place being its number.
Lengths are whole inches here; procedures count in quarters of an inch (`QUARTERS`), because half a speed of half
inches is the finest length there is (RULING 26).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from morsdei_sim._jit import inline

QUARTERS = 4
"""Steps of length in an inch."""

GAP, GAP_MINUS_1 = 0, 1
PER_BLOW, PER_POINT = 0, 1
EVERY_TURN, OWN_TURN = 0, 1
PLAYER, ACTIVE = 0, 1


class Rules(NamedTuple):
    """The rules as the atlas reads them. Change a field to ask what a rule is worth."""

    run_dice: int = 1  # R6 dice added to SPEED in a run
    keep_off: int = 1  # R8, R21 inches: no movement ends nearer to an enemy; nearer is close combat
    reload_divisor: int = 2  # R13, R57 a reloading weapon fires its shots divided by this, rounded down
    attack_reach: int = 9  # R16 greatest distance of a declared attack, inches
    overwatch_need: int = 5  # R17 lowest face that hits in overwatch
    attack_dice: int = 2  # R18 dice of the attack roll
    pile_in: int = 3  # R24 inches
    consolidation: int = 3  # R25 inches
    flight_dice: int = 3  # R29 dice of the flight
    dying_speed_divisor: int = 2  # R31 SPEED of a dying character divided by this
    dying_penalty: int = 1  # R32 hit rolls of a dying character
    avoid_need: int = 2  # R34 first roll to avoid death
    avoid_step: int = 1  # R35 how much harder each later roll is
    raise_reach: int = 3  # R38 inches
    raise_need: int = 4  # R39 lowest face that raises
    raise_sides: int = 4  # R39 sides of the die of ENDURANCE regained
    partly_hidden: int = 1  # R45 what cover 1 adds to the save
    nearly_hidden: int = 2  # R46 what cover 2 adds to the save
    pierce_equal: int = 4  # R49 STRENGTH = TOUGHNESS
    pierce_stronger: int = 3  # R50 STRENGTH > TOUGHNESS
    pierce_double: int = 2  # R51 STRENGTH at least pierce_ratio times TOUGHNESS
    pierce_weaker: int = 5  # R52 STRENGTH < TOUGHNESS
    pierce_half: int = 6  # R53 STRENGTH at most TOUGHNESS divided by pierce_ratio
    pierce_ratio: int = 2  # R51, R53 what "twice" and "half" mean
    table: int = 48  # RULING 29 inches: greatest gap in a line, side of the square table of an engagement
    save_one_fails: int = 1  # RULING 9 whether a natural 1 never saves
    hit_six_always: int = 0  # RULING 10 whether a natural 6 always hits (9th edition of the base game)
    run_bars_prior_shooting: int = 0  # RULING 4 whether one who has shot may not run
    charge_need: int = GAP  # RULING 13 the attack roll must reach the gap, or the gap less 1 inch
    avoid_rise: int = PER_BLOW  # RULING 22 the need of avoid-death rolls rises with each blow, or with its damage
    fight_turns: int = EVERY_TURN  # RULING 17 whether those in combat strike in every turn or in their own only
    pistol_extra_shot: int = 0  # RULING 31 whether a pistol may be fired besides the ranged weapon
    first_strike_standing: int = PLAYER  # RULING 2, R61 who strikes first when nobody attacked this turn


PRINTED = Rules()
"""The rules with every switch as the atlas rules it."""

CHOICES: dict[str, tuple[str, ...]] = {
    "save_one_fails": ("false", "true"),
    "hit_six_always": ("false", "true"),
    "run_bars_prior_shooting": ("false", "true"),
    "charge_need": ("gap", "gap_minus_1"),
    "avoid_rise": ("per_blow", "per_point"),
    "fight_turns": ("every_turn", "own_turn"),
    "pistol_extra_shot": ("false", "true"),
    "first_strike_standing": ("player", "active"),
}
"""The words of each switch; the place of a word is its number."""

BOUNDS = {
    "run_dice": (0, 4),
    "keep_off": (1, 6),
    "reload_divisor": (1, 20),
    "attack_reach": (0, 24),
    "attack_dice": (1, 4),
    "pile_in": (0, 12),
    "consolidation": (0, 12),
    "flight_dice": (1, 4),
    "dying_speed_divisor": (1, 4),
    "dying_penalty": (0, 6),
    "avoid_step": (0, 6),
    "raise_reach": (0, 24),
    "raise_sides": (1, 20),
    "partly_hidden": (0, 6),
    "nearly_hidden": (0, 6),
    "pierce_ratio": (1, 10),
    "table": (24, 96),
    **{name: (0, len(words) - 1) for name, words in CHOICES.items()},
}
"""Where a changed number must lie."""

USUAL = (1, 7)
"""The same for those not named: a face, or never."""


# ── what a die needs ──────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def pierce_need(rules: Any, strength: int, toughness: int) -> int:
    """R48-R54 The face that pierces, by STRENGTH against TOUGHNESS; the more extreme line wins, a 1 never pierces."""
    if strength == toughness:
        need = rules.pierce_equal
    elif strength > toughness:
        need = rules.pierce_double if strength >= rules.pierce_ratio * toughness else rules.pierce_stronger
    else:
        need = rules.pierce_half if rules.pierce_ratio * strength <= toughness else rules.pierce_weaker
    return max(2, need)  # type: ignore[no-any-return]


@inline
def cover_bonus(rules: Any, cover: int) -> int:
    """R45-R46, RULING 11 What cover 0, 1 or 2 adds to the save; 2 replaces 1."""
    bonus: int = rules.nearly_hidden if cover == 2 else rules.partly_hidden if cover == 1 else 0
    return bonus


@inline
def save_need(rules: Any, save: int, ap: int, cover: int) -> int:
    """R55-R56, RULINGS 7-9 The face that saves: SAVE and the size of the AP added, less cover; 7 and more is no save.

    A natural 1 never saves, unless `save_one_fails` is off.
    """
    need: int = save - ap - cover_bonus(rules, cover)
    return max(2, need) if rules.save_one_fails else need


@inline
def hit_need(rules: Any, accuracy: int, dying: int, overwatch: int) -> int:
    """R17, R32, R47, RULING 10 The face that hits: ACCURACY, worse for the dying; in overwatch a flat number.

    7 and more cannot hit. With `hit_six_always` a 6 does, but ACCURACY 7 means "cannot" and stays so.
    """
    if overwatch:
        return rules.overwatch_need  # type: ignore[no-any-return]
    need: int = accuracy + (rules.dying_penalty if dying else 0)
    return min(6, need) if rules.hit_six_always and accuracy < 7 else need


@inline
def pace(rules: Any, speed: int, dying: int) -> int:
    """R5, R31, RULING 26 How far one may move, in quarters of an inch; half, unrounded, for the dying."""
    return speed // rules.dying_speed_divisor if dying else speed  # type: ignore[no-any-return]


@inline
def reloading_shots(rules: Any, shots: int) -> int:
    """R57-R58 Shots of a weapon in the turn in which it is reloaded: half, rounded down, so a single shot is none."""
    return shots // rules.reload_divisor  # type: ignore[no-any-return]


@inline
def attack_need(rules: Any, gap: int) -> int:
    """R19, RULING 13 What the attack roll must reach for a gap, both in quarters of an inch."""
    return gap - QUARTERS if rules.charge_need == GAP_MINUS_1 else gap


@inline
def gap_after(rules: Any, gap: int, roll: int) -> int:
    """R19-R21, RULINGS 13-14 The gap after an attack roll (quarters of an inch): 0 in combat, else nearer by the roll.

    A failed attack stops 1 inch off; nothing is rounded.
    """
    if roll >= attack_need(rules, gap):
        return 0
    return min(gap, max(rules.keep_off * QUARTERS, gap - roll))  # type: ignore[no-any-return]


@inline
def runs_away(leadership: int, damage: int, face: int) -> int:
    """R28-R29 Whether one who received damage flees: the die and the damage together are more than LEADERSHIP."""
    return 1 if damage > 0 and face + damage > leadership else 0
