"""What is worth asking about a Club card: situations of a volley, one step up of each stat, one exchange of strikes.

Data for the layers above, which know no ruleset (see `rulesets.guide`). Nothing here rolls a die; importing it costs no
compiler.
"""

from __future__ import annotations

from math import inf
from typing import Any

from morsdei_sim.rulesets.club.cards import Damage, Entrant, Fighter, Weapon
from morsdei_sim.rulesets.guide import (
    Asked,
    Guide,
    Judgement,
    Progress,
    Rank,
    Scale,
    Situation,
    always,
    card_step,
    number,
    weapon_step,
)

FIELD = "field.toml"
"""Reference targets, in the room's folder of profiles. They are measured against; they are no contestants."""


def _reloading(shooter: Entrant, weapon: Weapon, target: Entrant, rules: Any) -> Asked | None:
    """R57, RULING 30 Only a weapon with a magazine is ever reloaded."""
    return (target, {"reload": True}) if weapon.magazine is not None else None


def _dying_shooter(shooter: Entrant, weapon: Weapon, target: Entrant, rules: Any) -> Asked | None:
    """R32, RULING 24 Only heroes go on when they are dying."""
    return (target, {"attacker_dying": True}) if shooter.card.hero else None


def _dying_target(shooter: Entrant, weapon: Weapon, target: Entrant, rules: Any) -> Asked | None:
    return (target, {"target_dying": True}) if target.card.hero else None


SITUATIONS = {
    "open": Situation(always()),
    "cover": Situation(always(cover=1)),  # R45
    "cover-2": Situation(always(cover=2)),  # R46
    "overwatch": Situation(always(overwatch=True)),  # R17
    "reload": Situation(_reloading),
    "shooter-dying": Situation(_dying_shooter),
    # Already fallen: what is left is whether it dies (R34-R36).
    "target-dying": Situation(_dying_target, figures=("kill", "mean_damage")),
}

PLAY: tuple[str, ...] = ()
"""Strikes leave nothing to choose."""

MELEE: tuple[tuple[str, ...], ...] = ((),)

PROGRESS = Progress({"shoot": {}}, {"open": always(), "cover": always(cover=1), "cover-2": always(cover=2)}, "turns")

DERIVED = {
    "felled": {"kill": 1, "dying": 1},
    "felled_target": {"kill_target": 1, "target_dying": 1},
    "felled_attacker": {"kill_attacker": 1, "attacker_dying": 1},
    "felled_difference": {"kill_target": 1, "target_dying": 1, "kill_attacker": -1, "attacker_dying": -1},
}
"""R30 Dead or dying. A hero rarely dies of the volley that fells him (RULING 21), anybody else always does."""

_SHOT = ("felled", "kill", "mean_damage", "mean_endurance_lost")
_STRIKES = ("net_damage", "felled_difference", "felled_target", "felled_attacker", "kill_target", "kill_attacker")

WORTH = {
    "shooter": (Judgement(_SHOT),),
    "target": (Judgement((*_SHOT, "flees")),),
    "initiator": (Judgement(_STRIKES),),
}

_FLIGHT = ("flees",)
"""R28-R29 Who dies does not flee, so all but Leadership can move it either way."""

_ARMED = ("shooter", "initiator")

UPGRADES = (
    weapon_step("shots", 1, *_ARMED),
    weapon_step("strength", 1, *_ARMED, name="weapon_strength"),
    weapon_step("ap", -1, *_ARMED),
    weapon_step("damage", 1, *_ARMED),
    card_step("acc_ranged", -1, "shooter"),
    card_step("acc_melee", -1, "initiator"),
    card_step("strength", 1, "initiator"),
    card_step("toughness", 1, "target", "initiator", misled=_FLIGHT),
    card_step("save", -1, "target", "initiator", misled=_FLIGHT),
    # Damage is counted until death: who has more ENDURANCE can receive and lose more of it.
    card_step(
        "endurance", 1, "target", "initiator", misled=(*_FLIGHT, "mean_damage", "mean_endurance_lost", "net_damage")
    ),
    card_step("leadership", 1, "target", misled=_SHOT),
    card_step("speed", 1),
    weapon_step("range", 1),
    weapon_step("magazine", 1),
)

GUIDE = Guide(
    better={
        "speed": 1, "acc_ranged": -1, "acc_melee": -1, "strength": 1, "toughness": 1, "save": -1, "endurance": 1,
        "leadership": 1, "shots": 1, "ap": -1, "damage": 1, "range": 1, "magazine": 1,
        "felled": 1, "kill": 1, "mean_damage": 1, "mean_endurance_lost": 1, "flees": 1,
        "felled_suffered": -1, "kill_suffered": -1, "mean_damage_suffered": -1, "mean_endurance_lost_suffered": -1,
        "flees_suffered": -1,
        "net_damage": 1, "felled_difference": 1, "felled_target": 1, "felled_attacker": -1, "kill_target": 1,
        "kill_attacker": -1,
    },
    chances=frozenset({
        "kill", "dying", "up", "flees", "felled", "kill_target", "kill_attacker", "target_dying", "attacker_dying",
        "both_alive", "felled_target", "felled_attacker", "felled_difference",
    }),
    spread="damage",
    headline={"shoot": "felled", "melee": "net_damage"},
    shown={
        "shoot": ("felled", "kill", "flees", "mean_damage", "mean_endurance_lost"),
        "melee": _STRIKES,
    },
    judged={
        "shots": ("felled", "kill", "mean_damage"),
        "weapons": ("net_damage", "felled_target", "felled_attacker", "kill_target", "kill_attacker"),
        "fighters": ("felled_target", "felled_attacker", "kill_target", "kill_attacker"),
    },
    ranks={
        "shoots": Rank("shots", "attacker", "felled", 1),
        "shot_damage": Rank("shots", "attacker", "mean_damage", 1),
        "survives_shots": Rank("shots", "target", "felled", -1),
        "melee_net": Rank("melee", "attacker", "net_damage", 1),
        "melee_fells": Rank("melee", "attacker", "felled_difference", 1),
        "withstands_melee": Rank("melee", "target", "net_damage", -1),
    },
    scales=(
        Scale("felling", ("felled", "felled_suffered", "felled_difference"), True),
        Scale("damage", ("mean_damage", "mean_damage_suffered", "net_damage"), False),
        Scale("flight", ("flees_suffered",), True),
    ),
    fair=dict.fromkeys(_STRIKES, ()),
    signed=frozenset({"net_damage", "felled_difference"}),
)  # fmt: skip


def part_of(weapon: Weapon) -> str:
    """The part that a fighter plays with a weapon: "shooter" or "initiator"."""
    return "initiator" if weapon.kind == "melee" else "shooter"


def ready(card: Fighter, weapon: Weapon | None, label: str) -> Entrant:
    """R66 A fighter with only that weapon at hand."""
    slots = {kind: weapon.id if weapon is not None and weapon.kind == kind else None for kind in
             ("ranged", "pistol", "melee")}  # fmt: skip
    return Entrant(card.model_copy(update=slots), label)


def hits_to_remove(weapon: Weapon, target: Entrant) -> int | None:
    """RULING 12 Unsaved hits that bring the target's ENDURANCE to 0; None when the damage is rolled."""
    damage = Damage.of(weapon.damage)
    return None if damage.count else -(-target.card.endurance // damage.flat)


def card_row(card: Fighter) -> dict[str, Any]:
    """The card's stats, and whether words that are not simulated stand on it."""
    names = ("speed", "acc_ranged", "acc_melee", "strength", "toughness", "save", "endurance", "leadership", "hero")
    return {**{name: getattr(card, name) for name in names}, "count": card.count, "words": bool(card.traits)}


def weapon_row(card: Fighter, weapon: Weapon) -> dict[str, Any]:
    """The weapon's stats; STRENGTH as it applies in these hands (RULING 5), damage a number or dice."""
    flat = number(weapon.damage)
    return {
        "type": weapon.kind,
        "range": weapon.range,
        "shots": weapon.shots,
        "strength": weapon.strength_of(card.strength),
        "ap": weapon.ap,
        "damage": weapon.damage if flat is None else flat,
        "magazine": (None if weapon.kind == "melee" else inf) if weapon.magazine is None else weapon.magazine,
    }
