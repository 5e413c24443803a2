"""What is asked: every row of the frames as a question to the room, before anything is answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from morsdei_sim.rulesets import Room
from morsdei_sim.rulesets.guide import Asked, Guide, Judgement, Setting, number
from morsdei_sim.sweep.roster import Contestant

__all__ = ["Case", "Question", "Step", "Variants", "activations", "melees", "shots", "steps"]

NO_WEAPON = None
"""A target without a melee weapon still can be attacked."""


@dataclass(frozen=True, eq=False)
class Question:
    """A question to the room; equal questions are asked once.

    Fighters are equal when they are the same object: comparing cards field by field would cost more than the answer.
    """

    verb: str
    attacker: Any
    target: Any
    flags: tuple[tuple[str, Any], ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Question) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.verb, id(self.attacker), id(self.target), self.flags


class Case(NamedTuple):
    """A question, the columns that name its rows, and the figures wanted (None: all)."""

    keys: tuple[Any, ...]
    question: Question
    figures: tuple[str, ...] | None = None


class Step(NamedTuple):
    """One stat one better: the question before and after."""

    keys: tuple[Any, ...]
    before: Question
    after: Question
    suffix: str
    figures: tuple[str, ...]
    needed: tuple[int | None, int | None]


class Variants:
    """The room's data about its cards (see `rulesets.guide`), with every fighter made ready once."""

    def __init__(self, room: Room, rules: Any) -> None:
        from importlib import import_module

        self.data = import_module(f"morsdei_sim.rulesets.{room.name}.variants")
        self.rules = rules
        self._ready: dict[tuple[str, int], Any] = {}

    @property
    def usual(self) -> str:
        """The situation in which a shot is judged unless another is named."""
        return str(next(iter(self.data.SITUATIONS)))

    def guide(self) -> Guide:
        """How the room's figures are read, with what follows from its other data."""
        play = self.data.MELEE[0] if self.data.MELEE else ()
        own: Guide = self.data.GUIDE
        return replace(
            own,
            usual={"situation": self.usual, **dict(zip(self.data.PLAY, play, strict=bool(play)))},
            weapon_stats=frozenset(one.name for one in self.data.UPGRADES if one.of == "weapon"),
            no_effect=tuple(one.name for one in self.data.UPGRADES if not one.parts),
        )

    def afresh(self) -> Variants:
        """The same room with nobody made ready yet."""
        other = copy(self)
        other._ready = {}
        return other

    def armed(self, one: Contestant, part: str) -> Iterator[tuple[Any, Any]]:
        """Each weapon with which the card plays the part, and the fighter with that weapon in hand."""
        for place, weapon in enumerate(one.card.weapon):
            if self.data.part_of(weapon) == part:
                yield weapon, self.ready(one, place)

    def ready(self, one: Contestant, place: int = -1) -> Any:
        """The fighter with the weapon of that place in hand; -1: with none."""
        if (one.ref, place) not in self._ready:
            weapon = one.card.weapon[place] if place >= 0 else None
            self._ready[one.ref, place] = self.data.ready(one.card, weapon, one.ref)
        return self._ready[one.ref, place]

    def opponents(self, one: Contestant) -> list[tuple[Any, Any]]:
        """The melee weapons that the card may answer with, as `armed`; bare hands if it has none."""
        return list(self.armed(one, "initiator")) or [(NO_WEAPON, self.ready(one))]


def shots(
    variants: Variants, attackers: Sequence[Contestant], targets: Sequence[Contestant], names: Iterable[str]
) -> Iterator[Case]:
    """Every ranged weapon at every target in every situation, its own card's double among them: so all meet the same
    targets."""
    situations = {name: variants.data.SITUATIONS[name] for name in names}
    for one in attackers:
        for weapon, shooter in variants.armed(one, "shooter"):
            for target in targets:
                for name, situation in situations.items():
                    found = situation.setting(shooter, weapon, variants.ready(target), variants.rules)
                    if found is not None:
                        question = Question("shoot", shooter, found[0], tuple(found[1].items()))
                        yield Case((one.ref, weapon.name, target.ref, name), question, situation.figures)


def melees(
    variants: Variants,
    attackers: Sequence[Contestant],
    targets: Sequence[Contestant],
    plays: Iterable[tuple[str, ...]],
) -> Iterator[Case]:
    """Every melee weapon against every melee weapon, played in each of the ways: values of the room's PLAY."""
    plays = list(plays)
    for one in attackers:
        for weapon, initiator in variants.armed(one, "initiator"):
            for target in targets:
                for answer, opponent in variants.opponents(target):
                    for play in plays:
                        flags = tuple(zip(variants.data.PLAY, play, strict=True))
                        keys = (one.ref, weapon.name, target.ref, answer.name if answer else None, *play)
                        yield Case(keys, Question("melee", initiator, opponent, flags))


def activations(variants: Variants, attackers: Sequence[Contestant], targets: Sequence[Contestant]) -> Iterator[Case]:
    """Every ranged weapon at every target, again and again, by each plan in each situation of the room's PROGRESS."""
    progress = variants.data.PROGRESS
    if progress is None:
        return
    for one in attackers:
        for weapon, shooter in variants.armed(one, "shooter"):
            for target in targets:
                for plan, options in progress.plans.items():
                    for name, setting in progress.situations.items():
                        found = setting(shooter, weapon, variants.ready(target), variants.rules)
                        if found is not None:
                            flags = (*options.items(), ("limit", progress.limit), *found[1].items())
                            keys = (one.ref, weapon.name, target.ref, plan, name)
                            yield Case(keys, Question("activations", shooter, found[0], flags))


def steps(variants: Variants, cards: Sequence[Contestant], opponents: Sequence[Contestant]) -> Iterator[Step]:
    """Each stat of each card one better, against every opponent, in every part in which the stat is read."""
    for one in cards:
        for upgrade in variants.data.UPGRADES:
            places = range(len(one.card.weapon)) if upgrade.of == "weapon" else (-1,)
            for place in places:
                if place >= 0 and not variants.data.part_of(one.card.weapon[place]):
                    continue
                better = upgrade.better(one.card, place)
                if better is not None:
                    yield from _step(variants, one, one._replace(card=better), upgrade, place, opponents)


def _step(
    variants: Variants, one: Contestant, better: Contestant, upgrade: Any, place: int, opponents: Sequence[Contestant]
) -> Iterator[Step]:
    fresh = variants.afresh()  # the better card goes by the same name
    holders = [who.card.weapon[place] if place >= 0 else who.card for who in (one, better)]
    levels = tuple(number(getattr(holder, upgrade.field)) for holder in holders)
    own = one.card.weapon[place].name if place >= 0 else None
    for part in upgrade.parts:
        suffix = "_suffered" if part == "target" else ""
        for judgement in variants.data.WORTH[part]:
            judged = tuple(name for name in judgement.figures if name not in upgrade.misled)
            asked = _Change(variants, fresh, part, judgement, upgrade.at)
            for opponent in opponents if judged else ():
                if opponent.ref == one.ref:
                    continue
                for weapon, theirs, before, after, needed in asked.pairs(one, better, place, opponent):
                    keys = (one.ref, own or weapon, upgrade.name, *levels, opponent.ref, theirs, opponent.field)
                    yield Step(keys, before, after, suffix, judged, needed)


_Pair = tuple[str | None, str | None, Question, Question, tuple[int | None, int | None]]
"""Own weapon, the opponent's weapon, both questions, and the hits that remove whoever is hit, before and after."""


class _Change(NamedTuple):
    """The two questions about one step: the fighter as it is and as it would be."""

    variants: Variants
    fresh: Variants
    part: str
    judgement: Judgement
    at: Setting | None

    def pairs(self, one: Contestant, better: Contestant, place: int, opponent: Contestant) -> Iterator[_Pair]:
        """Every weapon of the card with every answer of the opponent."""
        if self.part == "target":
            yield from self._under_fire(one, better, opponent)
            return
        for here, weapon in enumerate(one.card.weapon):
            if self.variants.data.part_of(weapon) == self.part and place in (-1, here):
                fighters = self.variants.ready(one, here), self.fresh.ready(better, here)
                changed = better.card.weapon[here] if place >= 0 else None
                if self.part == "shooter":
                    yield from self._shooting(weapon, changed, fighters, opponent)
                else:
                    yield from self._fighting(weapon, changed, fighters, opponent)

    def _setting(self, shooter: Any, weapon: Any, target: Any) -> Asked | None:
        name = self.judgement.situation or self.variants.usual
        setting: Setting = self.at or self.variants.data.SITUATIONS[name].setting
        return setting(shooter, weapon, target, self.variants.rules)

    def _under_fire(self, one: Contestant, better: Contestant, opponent: Contestant) -> Iterator[_Pair]:
        hits = self.variants.data.hits_to_remove
        for weapon, shooter in self.variants.armed(opponent, "shooter"):
            victims = self.variants.ready(one), self.fresh.ready(better)
            found = [self._setting(shooter, weapon, victim) for victim in victims]
            questions = [Question("shoot", shooter, one[0], tuple(one[1].items())) for one in found if one is not None]
            if len(questions) < 2:
                continue
            before, after = questions
            yield None, weapon.name, before, after, (hits(weapon, victims[0]), hits(weapon, victims[1]))

    def _shooting(self, weapon: Any, changed: Any, fighters: tuple[Any, Any], opponent: Contestant) -> Iterator[_Pair]:
        # The circumstances are those of the weapon as it is: a longer range is not shot at from farther away.
        found = self._setting(fighters[0], weapon, self.variants.ready(opponent))
        if found is not None:
            target, options = found
            before, after = (Question("shoot", one, target, tuple(options.items())) for one in fighters)
            yield weapon.name, None, before, after, self._needed(weapon, changed, None, fighters, target)

    def _fighting(self, weapon: Any, changed: Any, fighters: tuple[Any, Any], opponent: Contestant) -> Iterator[_Pair]:
        options = tuple(zip(self.variants.data.PLAY, self.judgement.play, strict=True))
        for answer, target in self.variants.opponents(opponent):
            before, after = (Question("melee", one, target, options) for one in fighters)
            needed = self._needed(weapon, changed, answer, fighters, target)
            yield weapon.name, answer.name if answer else None, before, after, needed

    def _needed(
        self, weapon: Any, changed: Any, answer: Any, fighters: tuple[Any, Any], target: Any
    ) -> tuple[int | None, int | None]:
        """The weapon changed: what it does to the other; the card changed: what the other does to it."""
        hits = self.variants.data.hits_to_remove
        if changed is not None:
            return hits(weapon, target), hits(changed, target)
        return (hits(answer, fighters[0]), hits(answer, fighters[1])) if answer else (None, None)
