"""What every room offers to the layers above: its name, its card model, its questions and the options of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

SQUADS = ("attackers", "defenders")
"""What the words after a verb stand for when they are squads."""

GAME_VERBS = ("battle", "ladder", "boards", "replay")
"""What is asked about whole games."""


@dataclass(frozen=True)
class Flag:
    """One option of a room's verb. A `default` of False makes a switch; `choices` limit a word; a number sets the
    type. `bare` is the value when the option is named without one (`--cover`)."""

    name: str
    help: str
    default: Any = False
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    bare: Any = None


@dataclass(frozen=True)
class Room:
    """A ruleset. Everything heavy is imported when it is asked for.

    Attributes
    ----------
    name : also the folder under `profiles/` and the package under `rulesets/`.
    version : moves only when numbers move; part of every result.
    flags : options of each verb.
    modules : where a verb is answered, if not in the module `exchange`.
    titles : what people read in place of a reading's name.
    fighters : what the words after a verb stand for, if not ("attacker", "target").
    examples : calls of each verb, as they are typed after it.
    typed : whether a fighter may be typed as the rulebook writes it, besides being named by its card.
    plays_games : whether it plays whole games, in its package `game`.
    """

    name: str
    version: str
    flags: dict[str, tuple[Flag, ...]]
    modules: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    fighters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    examples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    typed: bool = False
    plays_games: bool = False

    def part(self, module: str, name: str) -> Any:
        """An object of one of the room's modules."""
        return getattr(import_module(f"morsdei_sim.rulesets.{self.name}.{module}"), name)

    @property
    def model(self) -> Any:
        """The pydantic model of one card."""
        return self.part("cards", "Fighter")

    def has(self, verb: str) -> bool:
        """Whether it answers a verb: one of `flags` or, if it plays whole games, one about them."""
        return verb in self.flags or (self.plays_games and verb in GAME_VERBS)

    def ask(self, verb: str) -> Callable[..., Any]:
        """The room's answer to a verb of `flags`: (fighters, as text …, run, rules, **flags) -> Outcome."""
        return self.part(self.modules.get(verb, "exchange"), verb)  # type: ignore[no-any-return]

    def rules(self, changes: dict[str, int | str | bool]) -> Any:
        """The rulebook with some numbers changed. A switch may be set by its word, such as band_edge=far_inclusive.

        Raises
        ------
        UserError : every unknown name, word and value out of range.
        """
        return renumbered(import_module(f"morsdei_sim.rulesets.{self.name}.rules"), changes)


def renumbered(book: Any, changes: Mapping[str, int | str | bool]) -> Any:
    """The rulebook of a room's module `rules` with some numbers changed.

    The module holds PRINTED (a named tuple), BOUNDS and USUAL (where a changed number must lie, by name and for those
    not named) and, if it has switches, CHOICES: the words of each, a word's place being its number.
    """
    words: Mapping[str, tuple[str, ...]] = getattr(book, "CHOICES", {})
    numbers, faults = {}, []
    for name, value in changes.items():
        if name not in book.PRINTED._fields:
            faults.append(_unknown(name, book.PRINTED._fields))
            continue
        known = words.get(name, ())
        if str(value).lower() in known:  # first the word: diagonal_cost=1 is a word too
            numbers[name] = known.index(str(value).lower())
            continue
        low, high = book.BOUNDS.get(name, book.USUAL)
        message = _("rule number {name} = {value}: must be {known}")
        if isinstance(value, str):
            faults.append(message.format(name=name, value=value, known=", ".join(known) or _("a whole number")))
        elif not low <= value <= high:
            message = _("rule number {name} = {value}: must be {low} to {high}")
            faults.append(message.format(name=name, value=value, low=low, high=high))
        else:
            numbers[name] = int(value)
    if faults:
        raise UserError("\n".join(faults))
    return book.PRINTED._replace(**numbers)


def _unknown(name: str, fields: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, fields, 1)
    hint = _(" (did you mean {name}?)").format(name=close[0]) if close else ""
    message = _("there is no rule number {name!r}{hint}; there are: {known}")
    return message.format(name=name, hint=hint, known=", ".join(fields))
