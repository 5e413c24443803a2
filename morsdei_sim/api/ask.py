"""From the words of a call to a room's answer: what `shoot`, `melee` and their like share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.api.arguments import checked, number, plain, reference, switch, whole
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import _
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import SQUADS, Flag, Room, room_with

__all__ = ["ask"]


@checked
def ask(
    verb: str,
    /,
    *fighters: Any,
    ruleset: str = "morsdei",
    engine: str = "auto",
    trials: int | None = None,
    target_error: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    rules: dict[str, int | str | bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Answer:
    """Put one question about fighters, mostly two, to a room.

    `rules` changes numbers of the rulebook: {"may_pass": 1}, {"band_edge": "far_inclusive"}; `target_error` is a share
    such as 0.005 or "0.5%", in place of `trials`.

    Raises
    ------
    UserError : an unknown option, a value out of range, a question that the rules exclude.
    CardFaults : a card that cannot be read.
    """
    chosen = room_with(verb, ruleset)
    named = chosen.fighters.get(verb, ("attacker", "target"))
    fighters = tuple(_fighter(*pair) for pair in zip(named, fighters, strict=True))
    situation = _situation(options, chosen.flags[verb])
    if engine not in ("exact", "sample", "auto"):
        raise UserError(_("There is no engine {engine!r}: exact, sample or auto.").format(engine=engine))
    from morsdei_sim.fight.run import Run

    run = Run(engine, trials, target_error, seed, jobs, progress)
    try:
        outcome = chosen.ask(verb)(*fighters, run, chosen.rules(rules or {}), **situation)
    except CardFaults as first:
        if chosen.fighters.get(verb) == SQUADS:
            raise
        raise _with_the_other(first, chosen, fighters) from None
    if engine == "exact" and (trials or target_error) is not None:
        note = _("The exact engine rolls no dice: the number of trials and the wanted precision are not used.")
        outcome = replace(outcome, notes=(*outcome.notes, note))
    return Answer(verb, ruleset, chosen.version, outcome)


def _with_the_other(first: CardFaults, chosen: Room, fighters: tuple[Any, ...]) -> CardFaults:
    """The faults of both fighters: the room stops at the first that cannot be read."""
    from morsdei_sim.cards import find, is_reference
    from morsdei_sim.cards.notation import looks_inline

    faults = list(first.faults)
    for text in fighters:
        if not isinstance(text, str) or not (is_reference(text) or not looks_inline(text, chosen.model)):
            continue
        try:
            find(text, chosen.model, profiles_dir() / chosen.name)
        except CardFaults as other:
            faults += [fault for fault in other.faults if fault not in faults]
    return CardFaults(faults)


def _fighter(name: str, value: Any) -> Any:
    """A reference, or a card of a room as it is."""
    return value if type(value).__module__.startswith("morsdei_sim.") else reference(name, value)


def _situation(given: dict[str, Any], flags: tuple[Flag, ...]) -> dict[str, Any]:
    """The options of a question, made plain; UserError with all that are wrong."""
    known = {flag.name: flag for flag in flags}
    faults, found = [], {}
    for name, value in given.items():
        if name not in known:
            text = _("there is no option {name!r}; there are: {known}")
            faults.append(text.format(name=name, known=", ".join(known)))
            continue
        try:
            found[name] = _option(known[name], value)
        except UserError as fault:
            faults.append(str(fault))
    if faults:
        raise UserError("\n".join(faults))
    return found


def _option(flag: Flag, value: Any) -> Any:
    """The value of an option: a word, a number, yes or no, or text."""
    if flag.choices:
        if not callable(value) and (not isinstance(value, str) or value not in flag.choices):
            text = _("{name} = {value}: must be one of {known}")
            raise UserError(text.format(name=flag.name, value=value, known=", ".join(flag.choices)))
        return value
    if flag.minimum is not None:
        usable = number(value) if isinstance(flag.default, float) else _whole(flag.name, value)
        if usable is None or not flag.minimum <= usable <= (inf if flag.maximum is None else flag.maximum):
            text = _("{name} = {value}: must be {low} to {high}")
            raise UserError(text.format(name=flag.name, value=plain(value), low=flag.minimum, high=flag.maximum))
        return usable
    if isinstance(flag.default, bool):
        return switch(flag.name, value)
    return str(plain(value)) if number(value) is not None else reference(flag.name, value)


def _whole(name: str, value: Any) -> int | None:
    try:
        return whole(name, value)
    except UserError:
        return None
