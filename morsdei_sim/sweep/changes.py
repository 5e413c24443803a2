"""Changed cards: a stat of a card or of a weapon set to another value, and the card model asked again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from morsdei_sim.cards.shape import Column, shape
from morsdei_sim.cards.text import norm

__all__ = ["ATTACKERS", "ROLES", "TARGETS", "Change", "changed", "names_of"]

ATTACKERS, TARGETS = ROLES = ("attackers", "targets")


@dataclass(frozen=True)
class Change:
    """Whose stat an axis changes.

    Attributes
    ----------
    who : "attackers", "targets", or a card as `squad/fighter`, in whichever part it plays.
    stat : the field of the card, or of its weapons.
    weapon : the weapon by name or id; "" for a stat of the card or of the weapons in question.
    of_weapon : whether the stat is a weapon's.
    """

    who: str
    stat: str
    weapon: str = ""
    of_weapon: bool = False

    def column(self, model: Any) -> Column:
        """The field of the model."""
        form = shape(model)
        found = (form.record if self.of_weapon else form).column(self.stat)  # type: ignore[union-attr]
        assert found is not None
        return found

    def touches(self, role: str, ref: str) -> bool:
        """Whether it is about a card that plays this role."""
        return self.who in (role, ref)

    def places(self, card: Any, in_question: Callable[[Any], bool]) -> list[int]:
        """The weapons whose stat it sets: the one named; else the one weapon in question; where there are none or
        several, all that have the stat. None at all where the card has no such weapon."""
        model: Any = type(card)
        weapons = list(enumerate(getattr(card, shape(model).record_key)))
        if self.weapon:
            return [place for place, one in weapons if norm(self.weapon) in names_of(one)]
        asked = [place for place, one in weapons if in_question(one)]
        if len(asked) == 1:
            return asked
        having = [place for place, one in weapons if getattr(one, self.stat) is not None]
        return having or [place for place, _one in weapons]


def names_of(weapon: Any) -> set[str]:
    """What a weapon may be called: id and names, normalised."""
    return {norm(word) for key in ("id", "name", "name_ru") if (word := getattr(weapon, key, ""))}


def changed(card: Any, settings: Sequence[tuple[Change, Any]], in_question: Callable[[Any], bool]) -> Any:
    """The card with every stat set to its value, checked by its model.

    Raises
    ------
    pydantic.ValidationError : that is no card.
    """
    if not settings:
        return card
    model: Any = type(card)
    form = shape(model)
    data = card.model_dump()
    for change, value in settings:
        if not change.of_weapon:
            data[change.stat] = value
            continue
        for place in change.places(card, in_question):
            data[form.record_key][place][change.stat] = value
    return model.model_validate(data)
