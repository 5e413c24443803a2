"""What the keys of the frames are called in front of people. A key not known here is shown without its hyphens."""

from __future__ import annotations

from typing import Any

from morsdei_sim.lang import N_, _, language

__all__ = ["CHANCES", "called", "named"]

WORDS = {
    # situations
    "open": N_("in the open"),
    "cover": N_("in cover"),
    "prone": N_("prone"),
    "cover-prone": N_("prone in cover"),
    "aimed": N_("aimed"),
    "overwatch": N_("overwatch"),
    "contract": N_("contract"),
    "in-contact": N_("in contact"),
    "injured": N_("shooter injured"),
    "attacker-injured": N_("attacker injured"),
    "target-injured": N_("target injured"),
    # figures
    "kill": N_("target removed"),
    "injured-figure": N_("alive and Injured"),
    "mean_damage": N_("mean damage"),
    "mean_hp_lost": N_("mean HP lost"),
    "net_damage": N_("net damage"),
    "kill_target": N_("target removed"),
    "kill_attacker": N_("attacker removed"),
    "kill_difference": N_("kill difference"),
    "mean_damage_to_target": N_("damage to the target"),
    "mean_damage_to_attacker": N_("damage to the attacker"),
    "mean_hp_lost_by_target": N_("HP lost by the target"),
    "mean_hp_lost_by_attacker": N_("HP lost by the attacker"),
    "kill_suffered": N_("removed by the target's fire"),
    "mean_damage_suffered": N_("damage suffered"),
    "mean_hp_lost_suffered": N_("HP lost under fire"),
    "activations": N_("activations to removal"),
    # habits of melee
    "best": N_("best play"),
    "exploit": N_("best answer to a habit"),
    "strike-only": N_("strike only"),
    "parry-first": N_("parry first"),
    "guard-then-high": N_("guard, then strike high"),
    "lowest-sufficient-parry": N_("parry with the lowest die that will do"),
    "random": N_("random"),
    # objectives
    "net": N_("net damage"),
    "net-hp": N_("net HP"),
    "kill-difference": N_("kill difference"),
    "survive": N_("survive"),
    # what one activation is spent on
    "shoot": N_("shoot"),
    "aim": N_("aim"),
    "move-plan": N_("move"),
    "melee": N_("melee"),
    # plans of a duel
    "shooter": N_("shooter"),
    "charger": N_("charger"),
    "careful": N_("careful"),
    "watcher": N_("watcher"),
    # kinds of weapon
    "ranged": N_("ranged"),
    "pistol": N_("pistol"),
    # stats
    "dice": N_("dice"),
    "hit": N_("Hit"),
    "damage": N_("damage"),
    "hp": N_("HP"),
    "defence": N_("Defence"),
    "apl": N_("APL"),
    "move": N_("Move"),
    "base": N_("base"),
    "count": N_("count"),
    "range": N_("range"),
}

CHANCES = frozenset(
    {"kill", "injured", "prone", "kill_target", "kill_attacker", "kill_difference", "kill_suffered", "removed_by"}
)
"""Figures that are chances, shown in per cent."""


def called(key: Any, kind: str = "") -> str:
    """The name of a situation, figure, policy, plan or stat. `kind` parts two meanings of one key."""
    text = str(key)
    known = WORDS.get(f"{text}-{kind}") or WORDS.get(text)
    if known:
        return _(known)
    parts = text.split("-")
    if kind == "plan" and len(parts) > 1:
        return ", ".join(called(part, kind) for part in parts)
    return text.replace("-", " ").replace("_", " ")


def named(name: Any, russian: Any) -> str:
    """A card's or weapon's own name in the language of the page."""
    chosen = russian if language() == "ru" and isinstance(russian, str) and russian else name
    return chosen if isinstance(chosen, str) else ""
