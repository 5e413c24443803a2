"""What is worth asking about a MORSDEI card: situations of a shot, one step up of each stat, the ways to play a melee.

Data for the layers above, which know no ruleset. Nothing here rolls a die; importing it costs no compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from morsdei_sim.cards.shape import shape
from morsdei_sim.rulesets.morsdei import MELEE_OBJECTIVES, STYLE_NAMES
from morsdei_sim.rulesets.morsdei.cards import Entrant, Fighter, Weapon

if TYPE_CHECKING:
    from morsdei_sim.rulesets.morsdei.rules import Rules

FIELD = "field.toml"
"""Reference targets, in the room's folder of profiles. They are measured against; they are no contestants."""


class Situation(NamedTuple):
    """Circumstances of a shot.

    Attributes
    ----------
    flags : options of the verb `shoot`.
    figures : readings that it touches; None when it touches them all.
    weapons : kinds of weapon that can be fired in it.
    wounded : whether the target comes to it Injured.
    """

    flags: dict[str, Any]
    figures: tuple[str, ...] | None = None
    weapons: tuple[str, ...] = ("ranged", "pistol")
    wounded: bool = False


SITUATIONS = {
    "open": Situation({}),
    "cover": Situation({"cover": True}),  # V9
    "prone": Situation({"prone": True}),  # P2
    "cover-prone": Situation({"cover": True, "prone": True}),
    "aimed": Situation({"aim": True}),  # S1
    "overwatch": Situation({"overwatch": True}),  # O5
    "contract": Situation({"contract": True}),  # K3
    "in-contact": Situation({"in_contact": True}, weapons=("pistol",)),  # S7
    "injured": Situation({"attacker_injured": True}),  # H3
    # H3 Injury does not touch Defence Dice: only what depends on the HP left differs from "open".
    "target-injured": Situation({}, figures=("kill", "mean_hp_lost"), wounded=True),
}

PLANS = ("shoot-shoot", "aim-shoot")
PLAN_SITUATIONS = ("open", "cover")
"""A7 What an attacker may do with an activation, and where its target is. Prone is left out: the marker lasts one
activation (P3)."""

OBJECTIVES = MELEE_OBJECTIVES

STYLE_OBJECTIVES = ("net", "kill-difference")
"""Best play in these two senses is what a habit is measured by."""

MELEE = (
    *((objective, "best", "best") for objective in OBJECTIVES),
    *((o, style, "best") for o in STYLE_OBJECTIVES for style in STYLE_NAMES),
    *((STYLE_OBJECTIVES[0], style, style) for style in STYLE_NAMES),  # habits have no objective: named once
)
"""What to table of each pair: objective, the initiator's policy, the target's."""

DIFFERENCES = {"kill_difference": ("kill_target", "kill_attacker")}
"""Figures that are one reading less another of the same fight."""

BETTER = {
    "dice": 1, "hit": -1, "damage": 1, "range": 1, "apl": 1, "move": 1, "defence": 1, "hp": 1,
    "mean_damage": 1, "kill": 1, "mean_hp_lost": 1,
    "net_damage": 1, "kill_target": 1, "kill_attacker": -1, "kill_difference": 1,
    "mean_damage_suffered": -1, "kill_suffered": -1, "mean_hp_lost_suffered": -1,
}  # fmt: skip
"""1 where more is better for the card's owner, -1 where less is. A base may be too large or too small: it is not
here."""


def _best(objective: str) -> dict[str, Any]:
    return {"objective": objective, "attacker_policy": "best", "target_policy": "best"}


_SHOT_FIGURES = ("mean_damage", "kill", "mean_hp_lost")
WORTH: dict[str, tuple[tuple[dict[str, Any], tuple[str, ...]], ...]] = {
    "shooter": (({}, _SHOT_FIGURES),),
    "target": (({}, _SHOT_FIGURES),),
    "initiator": (
        (_best("net"), ("net_damage",)),
        (_best("kill-difference"), ("kill_difference", "kill_target", "kill_attacker")),
    ),
}
"""How one step of a stat is judged, by the part that the card plays: options of the question and the figures read. A
figure of melee is read under best play for that figure. A target's figures are written with `_suffered`."""


class Upgrade(NamedTuple):
    """One stat and how to better it.

    Attributes
    ----------
    stat : field of the card, or of its weapon.
    of : "card" or "weapon".
    parts : parts of an exchange in which the stat is read, see `WORTH`; none: no effect on exchanges.
    better : (card, place of the weapon) -> the card with that stat one better; None at its bound. A card's stat needs
        no place.
    misled : figures that the stat moves the wrong way: a fighter that lives longer can be hurt more. It is not judged
        by them.
    """

    stat: str
    of: str
    parts: tuple[str, ...]
    better: Callable[[Fighter, int], Fighter | None]
    misled: tuple[str, ...] = ()


@cache
def _bounds(model: type[Fighter] | type[Weapon], stat: str) -> tuple[float, float]:
    column = shape(model).column(stat)
    low, high = (column.bound("ge"), column.bound("le")) if column else (None, None)
    return low if low is not None else float("-inf"), high if high is not None else float("inf")


def _stepped(model: Any, one: Any, stat: str) -> Any:
    """The card or weapon with the stat one better, or None at the bound of the model."""
    value = getattr(one, stat) + BETTER[stat]
    low, high = _bounds(model, stat)
    return one.model_copy(update={stat: value}) if low <= value <= high else None


def _of_card(stat: str, *parts: str, misled: tuple[str, ...] = ()) -> Upgrade:
    def better(card: Fighter, place: int = -1) -> Fighter | None:
        return _stepped(Fighter, card, stat)  # type: ignore[no-any-return]

    return Upgrade(stat, "card", parts, better, misled)


def _of_weapon(stat: str) -> Upgrade:
    def better(card: Fighter, place: int) -> Fighter | None:
        changed = _stepped(Weapon, card.weapon[place], stat)
        if changed is None:
            return None
        return card.model_copy(update={"weapon": (*card.weapon[:place], changed, *card.weapon[place + 1 :])})

    return Upgrade(stat, "weapon", ("shooter", "initiator"), better)


UPGRADES = {
    upgrade.stat: upgrade
    for upgrade in (
        _of_weapon("dice"),
        _of_weapon("hit"),
        _of_weapon("damage"),
        _of_card("hp", "target", "initiator", misled=("mean_hp_lost", "net_damage")),
        _of_card("defence", "target"),
        _of_card("apl"),
        _of_card("move"),
    )
}


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


def weapon_row(weapon: Weapon) -> dict[str, Any]:
    """C2, RULING 5 The weapon's stats; `range` as it applies: unlimited is infinite, melee 0."""
    stats = {
        "type": weapon.type,
        "dice": weapon.dice,
        "hit": weapon.hit,
        "damage": weapon.damage,
        "range": weapon.reach,
    }
    return {**stats, "words": bool(weapon.properties)}
