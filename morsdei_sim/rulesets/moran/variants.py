"""What is worth asking about a Moran card: shots at common distances, one step up of each stat.

Blows need no table: they always wound (R36-R37).

Data for the layers above, which know no ruleset (see `rulesets.guide`). Nothing here rolls a die; importing it costs no
compiler.
"""

from __future__ import annotations

from math import inf
from typing import Any

from pydantic import ValidationError

from morsdei_sim.rulesets.guide import (
    Asked,
    Guide,
    Judgement,
    Progress,
    Rank,
    Scale,
    Setting,
    Situation,
    Upgrade,
    card_step,
    weapon_step,
)
from morsdei_sim.rulesets.moran.cards import Entrant, Fighter, Weapon

FIELD = "field.toml"
"""Reference targets, in the room's folder of profiles. They are measured against; they are no contestants."""


def _at(distance: int, **options: Any) -> Setting:
    """A shot at so many cells; None for an area weapon that does not reach so far."""

    def setting(shooter: Entrant, weapon: Weapon, target: Entrant, rules: Any) -> Asked | None:
        return (target, {"distance": distance, **options}) if distance <= reach(weapon) else None

    return setting


def _rolled(distance: int, **options: Any) -> Setting:
    """A shot that rolls dice: an area weapon rolls none, and a grenade is not thrown turn after turn."""

    def setting(shooter: Entrant, weapon: Weapon, target: Entrant, rules: Any) -> Asked | None:
        return (target, {"distance": distance, **options}) if weapon.template is None else None

    return setting


def _edge(field: str) -> Setting:
    """R13 A shot from the first cell of a band, the only one that a step of its edge moves into the nearer band."""

    def setting(shooter: Entrant, weapon: Weapon, target: Entrant, rules: Any) -> Asked | None:
        return target, {"distance": getattr(weapon, field)}

    return setting


def reach(weapon: Weapon) -> float:
    """R42, RULING 26 Cells to the farthest target: without end, but for area weapons."""
    from morsdei_sim.rulesets.moran.volley import WIDTHS  # brings the compiler along

    if weapon.template is None:
        return inf
    width = WIDTHS[weapon.template]
    return width if weapon.template == "C" else weapon.throw + width - 1


SITUATIONS = {
    # Common distances, not bands: at 8 cells a shotgun rolls 2 dice and a rifle 4, and that is what parts them.
    "d8": Situation(_at(8)),
    "d3": Situation(_at(3)),
    "d15": Situation(_at(15)),
    "d30": Situation(_at(30)),
    "d8-light": Situation(_at(8, cover=1)),  # R16
    "d8-full": Situation(_at(8, cover=2)),
    "d15-light": Situation(_at(15, cover=1)),
    "d8-wounded": Situation(_at(8, target_wounded=True)),  # R23
    "d15-wounded": Situation(_at(15, target_wounded=True)),
}

PLAY: tuple[str, ...] = ()

MELEE: tuple[tuple[str, ...], ...] = ()
"""R36-R37 A blow always wounds, whoever strikes whom: there is nothing to compare."""

PROGRESS = Progress(
    {"recovers": {"target_plan": "recovers"}, "stays_down": {"target_plan": "stays_down"}},
    {"d8": _rolled(8), "d8-light": _rolled(8, cover=1), "d15": _rolled(15)},
    "turns",
)
"""Script M3: the lone shooter."""

DERIVED = {"hurt": {"wound": 1, "kill": 1}}
"""R20, R23 Wounded or killed."""

_FIGURES = ("kill", "hurt", "emptied")

WORTH = {"shooter": (Judgement(_FIGURES),), "target": (Judgement(("kill", "hurt")),)}


def _only(area: bool, upgrade: Upgrade) -> Upgrade:
    """A step of area weapons, or of the others."""

    def better(card: Fighter, place: int) -> Fighter | None:
        fits = (card.weapon[place].template is not None) == area
        return upgrade.better(card, place) if fits else None

    return upgrade._replace(better=better)


def _thicker(card: Fighter, place: int = -1) -> Fighter | None:
    """R29 The class on the card, whatever item gave it before."""
    try:
        return Fighter.model_validate(card.model_dump() | {"armour": card.armour_class + 1})
    except ValidationError:
        return None


UPGRADES = (
    card_step("skill", 1, "shooter", misled=("emptied",))._replace(at=_rolled(8)),
    Upgrade("armour", "armour_class", "card", ("target",), _thicker),
    _only(False, weapon_step("lethality", -1, "shooter", misled=("emptied",))),
    _only(True, weapon_step("lethality", 1, "shooter", misled=("kill", "emptied"), name="blast")),
    # A step of magazine moves no wound, so it is judged by the weapon that is left alone.
    _only(False, weapon_step("magazine", 1, "shooter", misled=("kill", "hurt"))),
    _only(False, weapon_step("near", 1, "shooter"))._replace(at=_edge("near")),
    _only(False, weapon_step("far", 1, "shooter"))._replace(at=_edge("far")),
    card_step("move", 1),
    _only(True, weapon_step("throw", 1)),
)

GUIDE = Guide(
    better={
        "skill": 1, "armour": 1, "move": 1, "near": 1, "far": 1, "lethality": -1, "magazine": 1, "blast": 1, "throw": 1,
        "stock": 1,
        "kill": 1, "hurt": 1, "emptied": -1, "kill_suffered": -1, "hurt_suffered": -1,
    },
    chances=frozenset({
        "nothing", "wound", "kill", "hurt", "emptied", "nothing_emptied", "wound_emptied", "kill_emptied",
    }),
    spread="net",
    headline={"shoot": "kill"},
    shown={"shoot": ("kill", "wound", "nothing", "emptied", "mean_net", "dice")},
    judged={"shots": ("kill", "hurt"), "weapons": (), "fighters": ()},
    ranks={
        "shoots": Rank("shots", "attacker", "kill", 1),
        "hurts": Rank("shots", "attacker", "hurt", 1),
        "survives_shots": Rank("shots", "target", "kill", -1),
        "unhurt_by_shots": Rank("shots", "target", "hurt", -1),
    },
    scales=(
        Scale("killing", ("kill", "kill_suffered"), True),
        Scale("hurting", ("hurt", "hurt_suffered"), True),
        Scale("emptying", ("emptied",), True),
    ),
)  # fmt: skip


def part_of(weapon: Weapon) -> str:
    """ "shooter" for weapons, and for command items with a template; "" for what nobody attacks with."""
    return "shooter" if weapon.type in ("OP", "LO") or weapon.template is not None else ""


def ready(card: Fighter, weapon: Weapon | None, label: str) -> Entrant:
    """R47 A fighter with only that weapon at hand."""
    return Entrant(card.model_copy(update={"main": weapon.id if weapon is not None else "", "second": ""}), label)


def hits_to_remove(weapon: Weapon, target: Entrant) -> int | None:
    """Successes are not counted from shot to shot (RULING 9)."""
    return None


def card_row(card: Fighter) -> dict[str, Any]:
    """The card's stats; armour as it applies (RULING 29)."""
    return {"skill": card.skill, "armour": card.armour_class, "move": card.move, "count": card.count}


def weapon_row(card: Fighter, weapon: Weapon) -> dict[str, Any]:
    """The weapon's stats; `lethality` of shots and `blast` of areas apart, for more of one is worse (RULING 27)."""
    area = weapon.template is not None
    return {
        "type": weapon.type,
        "near": weapon.near,
        "far": weapon.far,
        "lethality": None if area else weapon.lethality,
        "magazine": inf if weapon.magazine is None else weapon.magazine,
        "template": weapon.template,
        "blast": weapon.lethality if area else None,
        "throw": weapon.throw if area and weapon.template != "C" else None,
        "stock": weapon.count if weapon.type == "K" else None,
    }
