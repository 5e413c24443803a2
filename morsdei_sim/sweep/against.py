"""One card against fixed targets, asked again and again while a designer turns its stats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from morsdei_sim.cards.shape import Column, shape
from morsdei_sim.cards.text import norm
from morsdei_sim.errors import UserError
from morsdei_sim.fight.run import Run
from morsdei_sim.lang import _, language
from morsdei_sim.rulesets import room
from morsdei_sim.rulesets.guide import number
from morsdei_sim.sweep.answers import answer_all, figures
from morsdei_sim.sweep.cases import Case, Variants, melees, shots
from morsdei_sim.sweep.changes import ATTACKERS, Change, changed, names_of
from morsdei_sim.sweep.collection import known_word, play_of, situation_of
from morsdei_sim.sweep.roster import Contestant, roster

__all__ = ["Against", "Row", "Stat"]

PARTS = {"shoot": "shooter", "melee": "initiator"}

ROOM = 10
"""How far a stat can be turned up at the least, where the card model has no nearer bound."""


class Stat(NamedTuple):
    """A number of the card, or of the weapon in question, that this exchange reads.

    `name` is what calls say, `low` to `high` what the card model allows, cut to about twice the card's own value.
    """

    name: str
    column: Column
    of_weapon: bool
    value: float
    low: float
    high: float

    @property
    def whole(self) -> bool:
        """Whether it comes in whole steps."""
        return self.column.kind != "length"

    @property
    def title(self) -> str:
        """Its heading on cards, in the language of the messages."""
        return self.column.title_ru if language() == "ru" else self.column.title


class Row(NamedTuple):
    """What comes of one target: figure → exact value; or why there is no answer."""

    target: Contestant
    weapon: str | None
    figures: dict[str, float]
    reason: str = ""


class Against:
    """One weapon of a card in one exchange with each of some targets, exactly.

    Parameters
    ----------
    card : `squad/fighter` or a file's only card.
    targets : references, such as "field".
    verb : "shoot" or "melee".
    weapon : its name or id; the first with which the card can play the part, unless named.

    Raises
    ------
    UserError : an unknown word, several cards, or no such weapon.
    CardFaults : cards that cannot be read.
    """

    def __init__(
        self, ruleset: str, card: str, targets: Sequence[str], verb: str, weapon: str | None = None,
        rules: dict[str, int | str | bool] | None = None,
    ) -> None:  # fmt: skip
        known_word(_("verb"), verb, tuple(PARTS))
        self.room, self.verb = room(ruleset), verb
        self._variants = Variants(self.room, self.room.rules(rules or {}))
        self._run = Run("exact", None, None, 1, jobs=1)
        found = roster(self.room, [card])
        if len(found) != 1:
            text = _("{reference}: {count} cards, where one is needed; there are: {known}.")
            known = ", ".join(one.ref for one in found)
            raise UserError(text.format(reference=card, count=len(found), known=known))
        self.one = found[0]
        self.targets = roster(self.room, targets)
        self.place = self._armed(weapon)

    def _armed(self, wanted: str | None) -> int:
        part = PARTS[self.verb]
        weapons: dict[int, Any] = {
            place: one for place, one in enumerate(self.one.card.weapon) if self._variants.data.part_of(one) == part
        }
        if not weapons:
            raise UserError(_("{card} has no weapon for {verb}.").format(card=self.one.ref, verb=self.verb))
        if wanted is None:
            return min(weapons)
        meant = [place for place, one in weapons.items() if norm(wanted) in names_of(one)]
        if not meant:
            known_word(_("weapon"), wanted, [one.name for one in weapons.values()])
        return min(meant)

    @property
    def weapon(self) -> Any:
        """The weapon in question, as the card has it."""
        return self.one.card.weapon[self.place]

    @property
    def situations(self) -> tuple[str, ...]:
        """Those that this weapon can be in, of `shoot`."""
        names = self._variants.data.SITUATIONS if self.verb == "shoot" else ()
        return tuple(name for name in names if self._cases(self.one, name, {}))

    @property
    def plays(self) -> dict[str, tuple[str, ...]]:
        """The choices there are in a melee, each with the usual one first."""
        if self.verb == "shoot" or not self._variants.data.PLAY:
            return {}
        flags = {flag.name: flag.choices for flag in self.room.flags["melee"]}
        usual = dict(zip(self._variants.data.PLAY, play_of(self.room, self._variants, {}), strict=True))
        return {name: (first, *(one for one in flags[name] if one != first)) for name, first in usual.items()}

    def stats(self) -> list[Stat]:
        """What can be turned, weapon first."""
        form, part = shape(self.room.model), PARTS[self.verb]
        found = []
        for one in self._variants.data.UPGRADES:
            of_weapon = one.of == "weapon"
            value = number(getattr(self.weapon if of_weapon else self.one.card, one.field))
            column = (form.record if of_weapon else form).column(one.field)  # type: ignore[union-attr]
            if part in one.parts and value is not None and column is not None:
                found.append(_stat(one.name, column, of_weapon, value))
        # A room may name one stat twice, by the kind of weapon: the first name counts.
        return list({(one.of_weapon, one.column.key): one for one in reversed(found)}.values())[::-1]

    def card(self, settings: Sequence[tuple[Stat, float]]) -> Any:
        """The card with stats turned; UserError where the card model refuses it."""
        form = shape(self.room.model)
        changes = []
        for stat, value in settings:
            holder = self.weapon if stat.of_weapon else self.one.card
            kind = type(getattr(holder, stat.column.key))
            weapon = self.weapon.name if stat.of_weapon else ""
            changes.append((Change(ATTACKERS, stat.column.key, weapon, stat.of_weapon), kind(value)))
        try:
            return changed(self.one.card, changes, lambda weapon: weapon == self.weapon)
        except ValidationError as refused:
            reasons = "; ".join(str(one["msg"]) for one in refused.errors())
            raise UserError(f"{form.title('en')} {self.one.ref}: {reasons}") from None

    def ask(self, card: Any, situation: str | None = None, play: dict[str, str] | None = None) -> list[Row]:
        """Every figure against every target (and each of its melee weapons)."""
        cases = self._cases(self.one._replace(card=card), situation, play or {})
        answers = answer_all(self.room, [one.question for one in cases], self._run, self._variants.rules, 1)
        by_ref = {one.ref: one for one in self.targets}
        rows = []
        for case in cases:
            target, weapon = by_ref[case.keys[2]], case.keys[3] if self.verb == "melee" else None
            answer = answers[case.question]
            if isinstance(answer, str):
                rows.append(Row(target, weapon, {}, answer))
                continue
            known = {one.name: one.estimate for one in figures(answer, self._variants.data.DERIVED)}
            rows.append(Row(target, weapon, {key: known[key] for key in case.figures or known}))
        return rows

    def _cases(self, one: Contestant, situation: str | None, play: dict[str, str]) -> list[Case]:
        fresh = self._variants.afresh()  # a changed card goes by the same name
        if self.verb == "shoot":
            cases = shots(fresh, [one], self.targets, [situation_of(fresh, situation)])
        else:
            cases = melees(fresh, [one], self.targets, [play_of(self.room, fresh, play)])
        return [case for case in cases if case.keys[1] == self.weapon.name]


def _stat(name: str, column: Column, of_weapon: bool, value: float) -> Stat:
    """A stat with the span of a slider: the model's bounds where they are near, else about twice its value."""
    step = 1 if column.kind != "length" else 0
    low = column.bound("ge")
    if low is None:
        low = (column.bound("gt") or 0) + step
    high = column.bound("le")
    reach = max(2 * value, value + ROOM)
    return Stat(name, column, of_weapon, value, low, reach if high is None else min(high, reach))
