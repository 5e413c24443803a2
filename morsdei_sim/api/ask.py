"""From the words of a call to a room's answer: what `shoot`, `melee` and their like share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from morsdei_sim.api.answer import Answer
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import _
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import SQUADS, Flag, Room, room_with

__all__ = ["ask"]


def ask(
    verb: str,
    *fighters: Any,
    ruleset: str = "morsdei",
    engine: str = "auto",
    trials: int | None = None,
    target_error: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    rules: dict[str, int | str | bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **situation: Any,
) -> Answer:
    """Put one question about fighters, mostly two, to a room.

    `rules` changes numbers of the rulebook: {"may_pass": 1}, {"band_edge": "far_inclusive"}.

    Raises
    ------
    UserError : an unknown option, a value out of range, a question that the rules exclude.
    CardFaults : a card that cannot be read.
    """
    chosen = room_with(verb, ruleset)
    _check(situation, chosen.flags[verb])
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


def _within(value: Any, flag: Flag) -> bool:
    """Whether a number lies where the flag allows; NaN lies nowhere, and True is no number."""
    kinds = (int, float) if isinstance(flag.default, float) else (int,)
    if not isinstance(value, kinds) or isinstance(value, bool) or flag.minimum is None:
        return False
    return flag.minimum <= value and (flag.maximum is None or value <= flag.maximum)


def _check(situation: dict[str, Any], flags: tuple[Flag, ...]) -> None:
    known = {flag.name: flag for flag in flags}
    faults = []
    for name, value in situation.items():
        flag = known.get(name)
        if flag is None:
            faults.append(
                _("there is no option {name!r}; there are: {known}").format(name=name, known=", ".join(known))
            )
        elif flag.choices and not callable(value) and value not in flag.choices:
            faults.append(
                _("{name} = {value}: must be one of {known}").format(
                    name=name, value=value, known=", ".join(flag.choices)
                )
            )
        elif flag.minimum is not None and not _within(value, flag):
            faults.append(
                _("{name} = {value}: must be {low} to {high}").format(
                    name=name, value=value, low=flag.minimum, high=flag.maximum
                )
            )
    if faults:
        raise UserError("\n".join(faults))
