"""What every room offers to the layers above: its name, its card model, its questions and the options of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Flag:
    """One option of a room's verb. A `default` of False makes a switch; `choices` limit a word; a number sets the
    type."""

    name: str
    help: str
    default: Any = False
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None


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
    """

    name: str
    version: str
    flags: dict[str, tuple[Flag, ...]]
    modules: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

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

    def rules(self, changes: dict[str, int]) -> Any:
        """The rulebook with some numbers changed."""
        return self.part("rules", "changed")(changes)
