"""What the cards of a collection are called on the page, and the order in which they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from morsdei_sim.reporting.words import named

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Names"]


class Names:
    """Names of cards and weapons in the language of the page.

    Parameters
    ----------
    cards, weapons : the frames of a collection; reference targets are marked in the column `field`.
    """

    def __init__(self, cards: pd.DataFrame, weapons: pd.DataFrame) -> None:
        self.reference = frozenset(str(card) for card in cards.loc[cards["field"].astype(bool), "card"])
        self.order = {str(card): place for place, card in enumerate(cards["card"])}
        self._squad = {str(row.card): named(row.squad, row.squad_ru) for row in cards.itertuples()}
        plain = {str(row.card): named(row.name, row.name_ru) for row in cards.itertuples()}
        often = Counter(plain.values())
        self._card = {
            card: f"{name} ({self._squad[card]})" if often[name] > 1 else name for card, name in plain.items()
        }
        self._weapon = {
            (str(row.card), str(row.weapon)): named(row.weapon, row.weapon_ru) for row in weapons.itertuples()
        }

    def card(self, card: Any) -> str:
        """The card's name, with its squad where two cards share a name."""
        return self._card.get(str(card)) or str(card)

    def squad(self, card: Any) -> str:
        """The name of the card's squad."""
        return self._squad.get(str(card), "")

    def weapon(self, card: Any, weapon: Any) -> str:
        """The weapon's name."""
        return self._weapon.get((str(card), str(weapon))) or ("" if weapon is None or weapon != weapon else str(weapon))

    def armed(self, card: Any, weapon: Any) -> str:
        """`Heavy · fist`."""
        arm = self.weapon(card, weapon)
        return f"{self.card(card)} · {arm}" if arm else self.card(card)

    def sorted(self, cards: Iterable[Any]) -> list[str]:
        """Cards in the order of their files, reference targets after them."""
        return sorted(
            {str(card) for card in cards},
            key=lambda card: (card in self.reference, self.order.get(card, len(self.order)), card),
        )
