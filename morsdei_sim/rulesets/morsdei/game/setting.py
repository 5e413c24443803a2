"""What a battle is played with, from the words of a user: squads, board, bots, numbers of the rulebook; and the battle
made ready from all of it."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from types import SimpleNamespace
from typing import Any

from morsdei_sim.cards import locate, squad_of
from morsdei_sim.cards.squad import read_squad
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, named
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.morsdei import rules as book
from morsdei_sim.rulesets.morsdei.cards import Fighter
from morsdei_sim.rulesets.morsdei.game.boards import Board
from morsdei_sim.rulesets.morsdei.game.bots import Player, player, told_apart
from morsdei_sim.rulesets.morsdei.game.prepared import SIZES, Options, Prepared, prepare
from morsdei_sim.rulesets.morsdei.game.series import Series
from morsdei_sim.rulesets.morsdei.game.world import MOST, Battle
from morsdei_sim.rulesets.morsdei.rules import Rules
from morsdei_sim.rulesets.room import renumbered

__all__ = ["DEFAULT_BOARD", "DEFAULT_BOT", "Crew", "crew", "game_rules", "players", "ready", "series"]

DEFAULT_BOARD = "twin-yards"
"""Symmetric, so that no squad has the better half."""

DEFAULT_BOT = "tactician"
"""Plays well and fast; `searcher` beats it and takes far longer."""

MOST_MOVE = 65.0
"""Inches: tables of paths hold thousandths of an inch in 16 bits."""

BATTLE_BOUNDS = {
    "rounds": (1, 7), "friendly_fire": (0, 6), "contract_move": (0, 8), "loot_apl": (1, 4), "loot_vp": (0, 3),
    "most_vp": (0, 9), "contact_reach": (0, 2),
}  # fmt: skip
"""Where changed numbers must lie in a battle. More rounds have no dice of their own (`exchanges.step_of`)."""

_make: Any = namedtuple  # mypy wants to see the names
_WHOLE = _make("_WHOLE", (*Rules._fields, *Battle._fields))


@dataclass(frozen=True)
class Crew:
    """A squad ready for battle: what the user called it, its name, its cards with their counts."""

    reference: str
    name: str
    name_ru: str
    cards: tuple[Fighter, ...]
    some: str = ""

    def label(self) -> str:
        """The name in the language of the messages, and which of its fighters when only some were named."""
        return named(self.name, self.name_ru) + (f": {self.some}" if self.some else "")

    @property
    def fighters(self) -> int:
        """How many they are."""
        return sum(card.count for card in self.cards)


def game_rules(changes: Mapping[str, int | str | bool]) -> tuple[Rules, Battle]:
    """The rulebook with some numbers changed, those of an exchange and those of the whole game.

    Raises
    ------
    UserError : every unknown name and value out of range.
    """
    whole = SimpleNamespace(
        PRINTED=_WHOLE(*book.PRINTED, *Battle()), BOUNDS=book.BOUNDS | BATTLE_BOUNDS, USUAL=book.USUAL
    )
    numbers = renumbered(whole, changes)._asdict()
    return (
        Rules(**{name: numbers[name] for name in Rules._fields}),
        Battle(**{name: numbers[name] for name in Battle._fields}),
    )


def crew(reference: str, rules: Rules) -> Crew:
    """The cards of a squad, or one each of some of its fighters: `squad/one+two`.

    RULING 5: pistols without a range of their own get the rulebook's.

    Raises
    ------
    UserError : no such squad, too many fighters or base sizes, a Move that is too long.
    CardFaults : cards that cannot be read.
    """
    cards = squad_of(reference, Fighter, profiles_dir() / "morsdei")
    file, some = locate(reference.strip(), profiles_dir() / "morsdei")
    if some:  # each is named as often as it is wanted
        cards = [card.model_copy(update={"count": cards.count(card)}) for card in dict.fromkeys(cards)]
    head = read_squad(file, Fighter)
    found = Crew(reference, head.name or file.stem, head.name_ru, tuple(_armed(card, rules) for card in cards), some)
    _check(found)
    return found


def _armed(card: Fighter, rules: Rules) -> Fighter:
    weapons = tuple(
        arm.model_copy(update={"range": float(rules.pistol_range)})
        if arm.type == "pistol" and arm.range is None
        else arm
        for arm in card.weapon
    )
    return card.model_copy(update={"weapon": weapons})


def _check(found: Crew) -> None:
    faults = []
    if not 1 <= found.fighters <= MOST:
        text = _("{squad}: {count} fighters; a battle takes 1 to {most} of a side")
        faults.append(text.format(squad=found.reference, count=found.fighters, most=MOST))
    for card in found.cards:
        if card.move > MOST_MOVE:
            text = _("{squad}, {card}: a Move of {move:g} inches; a battle takes at most {most:g}")
            faults.append(text.format(squad=found.reference, card=card.id, move=card.move, most=MOST_MOVE))
    if faults:
        raise UserError("\n".join(faults))


def ready(board: Board, crews: Sequence[Crew], rules: Rules) -> Prepared:
    """The board made ready for these squads: for their bases and for the longest of their Moves."""
    cards = [card for one in crews for card in one.cards]
    bases = tuple(sorted({float(card.base) for card in cards}))
    if len(bases) > SIZES:
        text = _("the squads stand on bases of {count} sizes ({sizes} mm); a battle takes at most {most}")
        sizes = ", ".join(f"{base:g}" for base in bases)
        raise UserError(text.format(count=len(bases), sizes=sizes, most=SIZES))
    usual, longest = Options(), float(ceil(max(card.move for card in cards)))  # whole inches: fewer boards to make
    options = replace(
        usual, near=max(usual.near, longest), limit=max(usual.limit, longest), contact=float(rules.contact_reach)
    )
    return prepare(board, bases, options)


def players(names: Sequence[str | Player]) -> tuple[Player, Player]:
    """The bots of both sides; one name stands for both, none for the default."""
    chosen = list(names) or [DEFAULT_BOT]
    if len(chosen) > 2:
        raise UserError(_("{count} bots: name one for both squads, or one for each").format(count=len(chosen)))
    one, other = player(chosen[0]), player(chosen[-1])
    told_apart([one, other])
    return one, other


def series(
    board: Board | Prepared, crews: Sequence[Crew], leaders: Sequence[Player], seed: int, rules: Rules, battle: Battle
) -> Series:
    """A battle ready to be played any number of times, on a board or on one made ready for these squads before."""
    ground = board if isinstance(board, Prepared) else ready(board, crews, rules)
    return Series(ground, [one.cards for one in crews], leaders, seed=seed, rules=rules, battle=battle)
