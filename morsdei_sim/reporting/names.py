"""What the cards of a collection are called on the page, and the order in which they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from morsdei_sim.reporting.words import named, words_of

if TYPE_CHECKING:
    from morsdei_sim.sweep import Collection

__all__ = ["Names"]


class Names:
    """Names of cards, weapons and figures in the language of the page, and how the figures are read.

    Attributes
    ----------
    reference : the reference targets.
    guide : of the collection.
    words : of its room.
    """

    def __init__(self, collection: Collection) -> None:
        cards, weapons = collection.cards, collection.weapons
        self.guide, self.words = collection.guide, words_of(collection.provenance["ruleset"])
        self.reference = frozenset(str(card) for card in cards.loc[cards["field"].astype(bool), "card"])
        self.order = {str(card): place for place, card in enumerate(cards["card"])}
        pairs = {name: getattr(collection, name)[["attacker", "weapon"]] for name in ("shots", "melee")}
        self._arms = {name: Counter(frame.drop_duplicates()["attacker"]) for name, frame in pairs.items()}
        self._squad = {str(row.card): named(row.squad, row.squad_ru) for row in cards.itertuples()}
        plain = {str(row.card): named(row.name, row.name_ru) for row in cards.itertuples()}
        often = Counter(plain.values())
        self._card = {
            card: f"{name} ({self._squad[card]})" if often[name] > 1 else name for card, name in plain.items()
        }
        self._weapon = {
            (str(row.card), str(row.weapon)): named(row.weapon, row.weapon_ru) for row in weapons.itertuples()
        }

    def arms(self, frame: str, card: Any) -> int:
        """With how many weapons the card attacks in the frame `shots` or `melee`."""
        return self._arms[frame][str(card)]

    def called(self, key: Any, kind: str = "") -> str:
        """The name of a situation, figure, policy, plan or stat."""
        return self.words.called(key, kind)

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
