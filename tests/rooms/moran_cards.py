"""Fighters of Moran made for tests."""

from __future__ import annotations

from reference.moran_values import FIGHTERS, ITEMS, WEAPONS

from morsdei_sim.cards import squad_of
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.moran.cards import Entrant, Fighter, Weapon, entrant_of


def arm(name: str) -> Weapon:
    """A weapon or item of chapter 8, as the atlas writes it."""
    record = {**WEAPONS, **ITEMS}[name]
    return Weapon.model_validate({"id": name, **record})


def gunner(skill: int = 4, weapon: Weapon | str | None = "rifle", armour: int = 0, move: int = 5) -> Entrant:
    """A fighter with one weapon (or a command item, or nothing)."""
    arms = () if weapon is None else (arm(weapon) if isinstance(weapon, str) else weapon,)
    return entrant_of(Fighter(id="one", name="one", skill=skill, armour=armour, move=move, weapon=arms))


def of_atlas(name: str, weapon: str | None, armour: int | None = None) -> Entrant:
    """A fighter of chapter 8 with one of the weapons, as the keys of chapter 9 name it."""
    card = FIGHTERS[name]
    return gunner(card["skill"], weapon, card["armour"] if armour is None else armour)


def made(near: int, far: int, lethality: int = 2, magazine: int | None = None) -> Weapon:
    """A weapon by its numbers."""
    return Weapon(id="gun", name="gun", type="OP", near=near, far=far, lethality=lethality, magazine=magazine)


def cards_of(squad: str) -> list[Fighter]:
    """The cards of a squad that comes along."""
    return squad_of(squad, Fighter, profiles_dir() / "moran")
