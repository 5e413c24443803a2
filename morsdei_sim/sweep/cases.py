"""What is asked: every row of the frames as a question to the room, before anything is answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

from morsdei_sim.rulesets import Room
from morsdei_sim.sweep.roster import Contestant

__all__ = ["PLAY", "Case", "Question", "Step", "Variants", "activations", "melees", "shots", "steps"]

PLAY = ("objective", "attacker_policy", "target_policy")
"""Options of the verb `melee` that a row of the room's MELEE fills."""

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
    """The room's data about its cards, with every fighter made ready once."""

    def __init__(self, room: Room, rules: Any) -> None:
        from importlib import import_module

        self.data = import_module(f"morsdei_sim.rulesets.{room.name}.variants")
        self.rules = rules
        self._ready: dict[tuple[str, int], Any] = {}

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
                    victim = variants.ready(target)
                    if situation.wounded:
                        victim = variants.data.wounded(victim, variants.rules)
                    if weapon.type not in situation.weapons or victim is None:
                        continue
                    question = Question("shoot", shooter, victim, tuple(situation.flags.items()))
                    yield Case((one.ref, weapon.name, target.ref, name), question, situation.figures)


def melees(
    variants: Variants,
    attackers: Sequence[Contestant],
    targets: Sequence[Contestant],
    plays: Iterable[tuple[str, str, str]],
) -> Iterator[Case]:
    """Every melee weapon against every melee weapon, for each (objective, attacker's policy, target's policy)."""
    plays = list(plays)
    for one in attackers:
        for weapon, initiator in variants.armed(one, "initiator"):
            for target in targets:
                for answer, opponent in variants.opponents(target):
                    for play in plays:
                        flags = tuple(zip(PLAY, play, strict=True))
                        keys = (one.ref, weapon.name, target.ref, answer.name if answer else None, *play)
                        yield Case(keys, Question("melee", initiator, opponent, flags))


def activations(
    variants: Variants, attackers: Sequence[Contestant], targets: Sequence[Contestant], plans: Iterable[str],
    situations: Iterable[str], limit: int,
) -> Iterator[Case]:  # fmt: skip
    """Every ranged weapon at every target, activation after activation, by each plan in each situation."""
    plans = list(plans)
    chosen = [(name, variants.data.SITUATIONS[name].flags) for name in situations]
    for one in attackers:
        for weapon, shooter in variants.armed(one, "shooter"):
            for target in targets:
                for plan in plans:
                    for name, situation in chosen:
                        flags = (("plan", plan), ("limit", limit), *situation.items())
                        keys = (one.ref, weapon.name, target.ref, plan, name)
                        yield Case(keys, Question("activations", shooter, variants.ready(target), flags))


def steps(variants: Variants, cards: Sequence[Contestant], opponents: Sequence[Contestant]) -> Iterator[Step]:
    """Each stat of each card one better, against every opponent, in every part in which the stat is read."""
    for one in cards:
        for upgrade in variants.data.UPGRADES.values():
            places = range(len(one.card.weapon)) if upgrade.of == "weapon" else (-1,)
            for place in places:
                better = upgrade.better(one.card, place)
                if better is not None:
                    yield from _step(variants, one, one._replace(card=better), upgrade, place, opponents)


def _step(
    variants: Variants, one: Contestant, better: Contestant, upgrade: Any, place: int, opponents: Sequence[Contestant]
) -> Iterator[Step]:
    fresh = variants.afresh()  # the better card goes by the same name
    holders = [who.card.weapon[place] if place >= 0 else who.card for who in (one, better)]
    levels = tuple(getattr(holder, upgrade.stat) for holder in holders)
    own = one.card.weapon[place].name if place >= 0 else None
    for part in upgrade.parts:
        suffix = "_suffered" if part == "target" else ""
        for options, figures in variants.data.WORTH[part]:
            judged = tuple(name for name in figures if name not in upgrade.misled)
            for opponent in opponents if judged else ():
                if opponent.ref == one.ref:
                    continue
                pairs = _pairs(variants, fresh, one, better, part, place, opponent, tuple(options.items()))
                for weapon, theirs, before, after, needed in pairs:
                    keys = (one.ref, own or weapon, upgrade.stat, *levels, opponent.ref, theirs, opponent.field)
                    yield Step(keys, before, after, suffix, judged, needed)


def _pairs(
    variants: Variants, fresh: Variants, one: Contestant, better: Contestant, part: str, place: int,
    opponent: Contestant, flags: tuple[tuple[str, Any], ...],
) -> Iterator[tuple[str | None, str | None, Question, Question, tuple[int | None, int | None]]]:  # fmt: skip
    """Own weapon, the opponent's weapon, both questions, and the hits that remove whoever is hit, before and after."""
    hits = variants.data.hits_to_remove
    if part == "target":
        for weapon, shooter in variants.armed(opponent, "shooter"):
            victims = variants.ready(one), fresh.ready(better)
            before, after = (Question("shoot", shooter, victim, flags) for victim in victims)
            yield None, weapon.name, before, after, (hits(weapon, victims[0]), hits(weapon, victims[1]))
        return
    for here, weapon in enumerate(one.card.weapon):
        if variants.data.part_of(weapon) != part or place not in (-1, here):
            continue
        verb = "shoot" if part == "shooter" else "melee"
        fighters = variants.ready(one, here), fresh.ready(better, here)
        foes = [(None, variants.ready(opponent))] if part == "shooter" else variants.opponents(opponent)
        for answer, target in foes:
            before, after = (Question(verb, fighter, target, flags) for fighter in fighters)
            if place >= 0:  # the weapon changed: what it does to the other
                needed = hits(weapon, target), hits(better.card.weapon[here], target)
            else:  # the card changed: what the other does to it
                needed = tuple(hits(answer, fighter) for fighter in fighters) if answer else (None, None)
            yield weapon.name, answer.name if answer else None, before, after, needed
