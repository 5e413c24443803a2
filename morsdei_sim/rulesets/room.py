"""What every room offers to the layers above: its name, its card model, its questions and the options of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _


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
    """

    name: str
    version: str
    flags: dict[str, tuple[Flag, ...]]
    modules: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    fighters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    examples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    typed: bool = False

    def part(self, module: str, name: str) -> Any:
        """An object of one of the room's modules."""
        return getattr(import_module(f"morsdei_sim.rulesets.{self.name}.{module}"), name)

    @property
    def model(self) -> Any:
        """The pydantic model of one card."""
        return self.part("cards", "Fighter")

    @property
    def entrant(self) -> Callable[..., Any]:
        """Reads a reference or the inline notation."""
        return self.part("cards", "entrant")  # type: ignore[no-any-return]

    def ask(self, verb: str) -> Callable[..., Any]:
        """The room's answer to a verb of `flags`: (fighters, as text …, run, rules, **flags) -> Outcome."""
        return self.part(self.modules.get(verb, "exchange"), verb)  # type: ignore[no-any-return]

    def rules(self, changes: dict[str, int | str | bool]) -> Any:
        """The rulebook with some numbers changed. A switch may be set by its word, such as band_edge=far_inclusive.

        Raises
        ------
        UserError : every unknown name, word and value out of range.
        """
        module = import_module(f"morsdei_sim.rulesets.{self.name}.rules")
        words: dict[str, tuple[str, ...]] = getattr(module, "CHOICES", {})
        numbers, faults = {}, []
        for name, value in changes.items():
            known = words.get(name, ())
            if str(value).lower() in known:  # first the word: diagonal_cost=1 is a word too
                numbers[name] = known.index(str(value).lower())
            elif isinstance(value, str) and name in module.Rules._fields:  # `changed` refuses an unknown name
                allowed = ", ".join(known) or _("a whole number")
                faults.append(
                    _("rule number {name} = {value}: must be {known}").format(name=name, value=value, known=allowed)
                )
            else:
                numbers[name] = 0 if isinstance(value, str) else int(value)
        if faults:
            raise UserError("\n".join(faults))
        return module.changed(numbers)
