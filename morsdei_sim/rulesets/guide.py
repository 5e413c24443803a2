"""What a room tells the layers above about its cards: what is worth asking, and how the answers are read.

`sweep`, `study` and `reporting` know no room. Each room has a module `variants` that holds, as plain data,

    FIELD          file of reference targets in the room's folder of profiles
    SITUATIONS     name -> Situation of a shot; the first is the usual one
    PLAY           options of `melee` that differ between rows, for instance objective and policies; often ()
    MELEE          rows to ask of each pair, each with a value per name of PLAY; the first is the usual one; () for none
    PROGRESS       Progress: how turn after turn of shooting is asked, or None
    DERIVED        figures made of readings of the same fight: name -> {reading: factor}
    WORTH          part of an exchange -> Judgement: how one step of a stat is judged
    UPGRADES       the steps, each an Upgrade (`card_step`, `weapon_step`)
    GUIDE          Guide: the sense of every figure, and which are shown and judged

and a few functions. A weapon is a record of the room's card, a fighter whatever the room's verbs take.

    part_of(weapon)             "shooter", "initiator" (of a melee), or "" for what nobody attacks with
    ready(card, weapon, label)  a fighter with that weapon in hand; None: with none
    hits_to_remove(weapon, fighter)   hits that remove the fighter, where that is one number; else None
    card_row(card)              the stats of a card, a column each
    weapon_row(card, weapon)    `type`, then the stats of a weapon, as they apply in the hands of that card

What people read stands in the room's module `words` (see `reporting.words`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import ValidationError

__all__ = [
    "Asked", "Guide", "Judgement", "Progress", "Rank", "Scale", "Setting", "Situation", "Upgrade", "always",
    "card_step", "number", "weapon_step",
]  # fmt: skip

Asked = tuple[Any, dict[str, Any]]
"""The fighter that is shot at, and the options of the verb."""

Setting = Callable[[Any, Any, Any, Any], Asked | None]
"""(shooter, weapon, target, rules) -> the target as it comes to the shot, and the options of the verb; None where this
shot cannot be."""


class Situation(NamedTuple):
    """Circumstances of a shot.

    Attributes
    ----------
    setting : what is asked in it.
    figures : readings that it touches; None when it touches them all.
    """

    setting: Setting
    figures: tuple[str, ...] | None = None


def always(**options: Any) -> Setting:
    """The setting that any shot can be in."""
    return lambda shooter, weapon, target, rules: (target, options)


class Progress(NamedTuple):
    """Shooting again and again until the target is gone: the verb `activations`.

    Attributes
    ----------
    plans : name -> options of the verb.
    situations : name -> setting; the first is the usual one.
    reading : the distribution of the number of the activation, or turn, that removes the target.
    limit : how many are looked ahead.
    """

    plans: dict[str, dict[str, Any]]
    situations: dict[str, Setting]
    reading: str
    limit: int = 8


class Judgement(NamedTuple):
    """By which figures a step is judged: of a shot in a situation, or of a melee played in one way.

    A figure of melee is best read under the play that is fair for it (`Guide.fair`).
    """

    figures: tuple[str, ...]
    situation: str = ""
    play: tuple[str, ...] = ()


class Upgrade(NamedTuple):
    """One stat and how to better it.

    Attributes
    ----------
    name : what frames call the stat; `field` unless a card and its weapon have one of the same name.
    field : field of the card, or of its weapon.
    of : "card" or "weapon".
    parts : parts of an exchange in which the stat is read, see WORTH; none: no effect on exchanges.
    better : (card, place of the weapon) -> the card with that stat one better; None at its bound. A card's stat needs
        no place.
    misled : figures that the stat moves the wrong way: a fighter that lives longer can be hurt more. It is not judged
        by them.
    at : setting in which its shots are judged, where the usual situation does not show it.
    """

    name: str
    field: str
    of: str
    parts: tuple[str, ...]
    better: Callable[[Any, int], Any]
    misled: tuple[str, ...] = ()
    at: Setting | None = None


def card_step(field: str, sign: int, *parts: str, misled: tuple[str, ...] = (), name: str = "") -> Upgrade:
    """A stat of the card, one up (1) or down (-1)."""

    def better(card: Any, place: int = -1) -> Any:
        return _stepped(card, field, sign)

    return Upgrade(name or field, field, "card", parts, better, misled)


def weapon_step(field: str, sign: int, *parts: str, misled: tuple[str, ...] = (), name: str = "") -> Upgrade:
    """A stat of the weapon, one up (1) or down (-1)."""

    def better(card: Any, place: int) -> Any:
        changed = _stepped(card.weapon[place], field, sign)
        if changed is None:
            return None
        return card.model_copy(update={"weapon": (*card.weapon[:place], changed, *card.weapon[place + 1 :])})

    return Upgrade(name or field, field, "weapon", parts, better, misled)


def _stepped(one: Any, field: str, sign: int) -> Any:
    """The card or weapon with the stat one better; None when that is no card, or when the stat is no number."""
    value = number(getattr(one, field))
    if value is None:
        return None
    better = type(getattr(one, field))(value + sign)
    try:
        return type(one).model_validate(one.model_dump() | {field: better})
    except ValidationError:
        return None


def number(stat: Any) -> float | int | None:
    """A stat that is a number, also one written as text; None for dice, for words and for nothing."""
    if isinstance(stat, str):
        return int(stat) if stat.isdecimal() else None
    return stat if isinstance(stat, (int, float)) and not isinstance(stat, bool) else None


class Rank(NamedTuple):
    """An order of the cards: frame, part that the card plays, figure, and whether more (1) or less (-1) is better."""

    frame: str
    part: str
    figure: str
    sign: int


class Scale(NamedTuple):
    """Figures that measure the worth of a step in one unit: chances, or something counted."""

    name: str
    figures: tuple[str, ...]
    share: bool


@dataclass(frozen=True)
class Guide:
    """How the figures of a room are read.

    Attributes
    ----------
    better : stat or figure -> 1 where more is better for the card's owner, -1 where less is; a stat that can be too
        large or too small is not here.
    chances : figures that are chances.
    signed : figures whose zero is in the middle: gain against loss.
    spread : the distribution of a shot that is drawn as curves.
    headline : verb -> the figure shown when none is named.
    shown : verb -> figures of the tables, in order.
    fair : figure of melee -> the play (values of PLAY) under which it is judged, in the order of the matrices.
    judged : "shots", "weapons" (in melee), "fighters" (in melee) -> figures that a better card cannot spoil.
    ranks : name -> order of the cards; "shoots" and "fights" head the report.
    scales : what worth is measured in; the first is of chances of a removal.
    listed : plays that the table of melee shows; none: all.
    habit : the name of PLAY that is the initiator's habit; "": there are no habits.
    habit_figures : figures in which the cost of a habit is measured, the first on the page.
    usual, weapon_stats, no_effect : filled in by `sweep`: the usual situation and play, stats of weapons, stats that no
        exchange reads.
    """

    better: dict[str, int]
    chances: frozenset[str]
    spread: str
    headline: dict[str, str]
    shown: dict[str, tuple[str, ...]]
    judged: dict[str, tuple[str, ...]]
    ranks: dict[str, Rank]
    scales: tuple[Scale, ...]
    fair: dict[str, tuple[str, ...]] = field(default_factory=dict)
    signed: frozenset[str] = frozenset()
    listed: tuple[tuple[str, ...], ...] = ()
    habit: str = ""
    habit_figures: tuple[str, ...] = ()
    usual: dict[str, str] = field(default_factory=dict)
    weapon_stats: frozenset[str] = frozenset()
    no_effect: tuple[str, ...] = ()

    def is_chance(self, figure: str) -> bool:
        """Whether a figure, done or suffered, is a chance."""
        return figure.removesuffix("_suffered") in self.chances
