"""What is worth asking about a MORSDEI card: situations of a shot, one step up of each stat, the ways to play a melee.

Data for the layers above, which know no ruleset (see `rulesets.guide`). Nothing here rolls a die; importing it costs no
compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    weapon_step,
)
from morsdei_sim.rulesets.morsdei import MELEE_OBJECTIVES, STYLE_NAMES
from morsdei_sim.rulesets.morsdei.cards import Entrant, Fighter, Weapon

if TYPE_CHECKING:
    from morsdei_sim.rulesets.morsdei.rules import Rules

FIELD = "field.toml"
"""Reference targets, in the room's folder of profiles. They are measured against; they are no contestants."""


def _pistols(shooter: Entrant, weapon: Weapon, target: Entrant, rules: Rules) -> Asked | None:
    """Only a pistol is fired in contact (S7)."""
    return (target, {"in_contact": True}) if weapon.type == "pistol" else None


def _at_the_injured(shooter: Entrant, weapon: Weapon, target: Entrant, rules: Rules) -> Asked | None:
    left = wounded(target, rules)
    return (left, {}) if left is not None else None


SITUATIONS = {
    "open": Situation(always()),
    "cover": Situation(always(cover=True)),  # V9
    "prone": Situation(always(prone=True)),  # P2
    "cover-prone": Situation(always(cover=True, prone=True)),
    "aimed": Situation(always(aim=True)),  # S1
    "overwatch": Situation(always(overwatch=True)),  # O5
    "contract": Situation(always(contract=True)),  # K3
    "in-contact": Situation(_pistols),
    "injured": Situation(always(attacker_injured=True)),  # H3
    # H3 Injury does not touch Defence Dice: only what depends on the HP left differs from "open".
    "target-injured": Situation(_at_the_injured, figures=("kill", "mean_hp_lost")),
}

PROGRESS = Progress(
    {plan: {"plan": plan} for plan in ("shoot-shoot", "aim-shoot")},
    {"open": always(), "cover": always(cover=True)},
    "activations",
)
"""A7 What an attacker may do with an activation, and where its target is. Prone is left out: the marker lasts one
activation (P3)."""

OBJECTIVES = MELEE_OBJECTIVES

STYLE_OBJECTIVES = ("net", "kill-difference")
"""Best play in these two senses is what a habit is measured by."""

PLAY = ("objective", "attacker_policy", "target_policy")

MELEE = (
    *((objective, "best", "best") for objective in OBJECTIVES),
    *((o, style, "best") for o in STYLE_OBJECTIVES for style in STYLE_NAMES),
    *((STYLE_OBJECTIVES[0], style, style) for style in STYLE_NAMES),  # habits have no objective: named once
)
"""What to table of each pair: objective, the initiator's policy, the target's."""

DERIVED = {"kill_difference": {"kill_target": 1, "kill_attacker": -1}}
"""Figures made of readings of the same fight."""

_SHOT_FIGURES = ("mean_damage", "kill", "mean_hp_lost")

FAIR: dict[str, tuple[str, ...]] = {
    "net_damage": ("net", "best", "best"),
    "kill_difference": ("kill-difference", "best", "best"),
    "kill_target": ("kill", "best", "best"),
    "kill_attacker": ("survive", "best", "best"),
}
"""The play under which a figure is the value of the game: it cannot be bettered by other play, nor suffer from a better
card."""

WORTH = {
    "shooter": (Judgement(_SHOT_FIGURES),),
    "target": (Judgement(_SHOT_FIGURES),),
    "initiator": (
        Judgement(("net_damage",), play=FAIR["net_damage"]),
        Judgement(("kill_difference", "kill_target", "kill_attacker"), play=FAIR["kill_difference"]),
    ),
}
"""How one step of a stat is judged, by the part that the card plays. A target's figures end with `_suffered`."""

GUIDE = Guide(
    better={
        "dice": 1, "hit": -1, "damage": 1, "range": 1, "apl": 1, "move": 1, "defence": 1, "hp": 1,
        "mean_damage": 1, "kill": 1, "mean_hp_lost": 1,
        "net_damage": 1, "kill_target": 1, "kill_attacker": -1, "kill_difference": 1,
        "mean_damage_suffered": -1, "kill_suffered": -1, "mean_hp_lost_suffered": -1,
    },  # A base may be too large or too small: it is not here.
    chances=frozenset({"kill", "injured", "prone", "kill_target", "kill_attacker", "kill_difference"}),
    spread="damage",
    headline={"shoot": "kill", "melee": "net_damage"},
    shown={
        "shoot": ("mean_damage", "kill", "injured", "mean_hp_lost"),
        "melee": ("net_damage", "kill_target", "kill_attacker", "kill_difference"),
    },
    judged={
        "shots": ("mean_damage", "kill"),
        "weapons": ("net_damage", "kill_target", "kill_attacker", "kill_difference"),
        # Net damage is none for fighters: who lives longer can be hurt more.
        "fighters": ("kill_target", "kill_attacker", "kill_difference"),
    },
    ranks={
        "shoots": Rank("shots", "attacker", "kill", 1),
        "shot_damage": Rank("shots", "attacker", "mean_damage", 1),
        "survives_shots": Rank("shots", "target", "kill", -1),
        "melee_net": Rank("melee", "attacker", "net_damage", 1),
        "melee_kills": Rank("melee", "attacker", "kill_difference", 1),
        "withstands_melee": Rank("melee", "target", "net_damage", -1),
    },
    scales=(
        Scale("removal", ("kill", "kill_suffered", "kill_difference"), True),
        Scale("damage", ("mean_damage", "mean_damage_suffered", "net_damage"), False),
    ),
    fair=FAIR,
    signed=frozenset({"net_damage", "kill_difference"}),
    # Best play for every objective, and each habit of the attacker against it; all pairings would be too much.
    listed=tuple(play for play in MELEE if play[2] == "best" and (play[1] == "best" or play[0] == "net")),
    habit="attacker_policy",
    habit_figures=("net_damage", "kill_difference"),
)  # fmt: skip


_ARMED = ("shooter", "initiator")

UPGRADES = (
    weapon_step("dice", 1, *_ARMED),
    weapon_step("hit", -1, *_ARMED),
    weapon_step("damage", 1, *_ARMED),
    card_step("hp", 1, "target", "initiator", misled=("mean_hp_lost", "net_damage")),
    card_step("defence", 1, "target"),
    card_step("apl", 1),
    card_step("move", 1),
)


def part_of(weapon: Weapon) -> str:
    """The part that a fighter plays with a weapon: "shooter" or "initiator"."""
    return "initiator" if weapon.type == "melee" else "shooter"


def ready(card: Fighter, weapon: Weapon | None, label: str) -> Entrant:
    """A fresh fighter with a weapon in hand."""
    return Entrant(
        card, card.hp, label, weapon, False, frozenset({"weapon", "type", "defence", "hp", "apl", "move", "base"})
    )


def wounded(fighter: Entrant, rules: Rules) -> Entrant | None:
    """H2 The fighter with the most HP at which it is Injured; None when it never is."""
    from morsdei_sim.rulesets.morsdei.rules import is_injured  # brings the compiler along

    for hp in range(fighter.card.hp - 1, 0, -1):
        if is_injured(rules, hp, fighter.card.hp):
            return Entrant(fighter.card, hp, fighter.label, fighter.weapon, fighter.inline, fighter.stated)
    return None


def hits_to_remove(weapon: Weapon, target: Entrant) -> int | None:
    """E7 Hits of the weapon that remove the target: the threshold that one step of HP or Damage may move. None: it
    cannot."""
    return -(-target.hp // weapon.damage) if weapon.damage else None


def card_row(card: Fighter) -> dict[str, Any]:
    """The card's stats, and whether words that are not simulated stand on it."""
    stats = {
        "apl": card.apl,
        "move": card.move,
        "defence": card.defence,
        "hp": card.hp,
        "base": card.base,
        "count": card.count,
    }
    return {**stats, "words": bool(card.rules)}


def weapon_row(card: Fighter, weapon: Weapon) -> dict[str, Any]:
    """C2, RULING 5 The weapon's stats; `range` as it applies: unlimited is infinite, melee 0."""
    stats = {
        "type": weapon.type,
        "dice": weapon.dice,
        "hit": weapon.hit,
        "damage": weapon.damage,
        "range": weapon.reach,
    }
    return {**stats, "words": bool(weapon.properties)}
