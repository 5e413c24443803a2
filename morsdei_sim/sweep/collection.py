"""Everything the reports ask about a set of cards, in one pass."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pandas as pd

import morsdei_sim
from morsdei_sim._jit import source_digest
from morsdei_sim.errors import UserError
from morsdei_sim.fight.run import DEFAULT_TRIALS, Run
from morsdei_sim.lang import _
from morsdei_sim.rulesets import Room, room
from morsdei_sim.rulesets.guide import Guide
from morsdei_sim.sweep import tables
from morsdei_sim.sweep.answers import Answered, answer_all
from morsdei_sim.sweep.battles import Battles
from morsdei_sim.sweep.cases import Variants, activations, melees, shots, steps
from morsdei_sim.sweep.roster import Contestant, digest, field_of, roster

__all__ = ["Collection", "Tabled", "collect", "known_word", "play_of", "situation_of", "tabulate"]


@dataclass(frozen=True)
class Collection:
    """What cards do to each other and to the reference field, as tidy frames; low and high are missing where a figure
    is exact.

    Attributes
    ----------
    cards : one row per card and reference target (`field`), with every stat.
    weapons : one row per weapon; `range` as it applies (infinite: unlimited, 0: melee).
    shots, melee : a figure of one exchange per row.
    spread : distribution of one number of a shot (`guide.spread`, for instance damage); `at_least` with its interval is
        the chance of at least that value.
    activations : chance that the target is removed in, and by, each activation of the attacker.
    steps : one stat one better: a figure before and after, opponent by opponent; `needed` hits remove whoever is hit.
    worth : `steps` averaged over the reference field.
    provenance : how to get the same numbers again.
    guide : how the room's figures are read.
    battles : whole games of the squads, if they were played (`plan` and `play_all`).
    """

    cards: pd.DataFrame
    weapons: pd.DataFrame
    shots: pd.DataFrame
    spread: pd.DataFrame
    melee: pd.DataFrame
    activations: pd.DataFrame
    steps: pd.DataFrame
    worth: pd.DataFrame
    provenance: dict[str, Any]
    guide: Guide
    battles: Battles | None = None

    def frames(self) -> dict[str, pd.DataFrame]:
        """Every frame by its name."""
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.type == "pd.DataFrame"}
        return own if self.battles is None else own | self.battles.frames()


@dataclass(frozen=True)
class Tabled:
    """Match-ups of one verb: the frames `cards`, `weapons` and `rows` (as `Collection.shots` or `.melee`)."""

    cards: pd.DataFrame
    weapons: pd.DataFrame
    rows: pd.DataFrame
    provenance: dict[str, Any]
    guide: Guide


def collect(
    ruleset: str = "morsdei",
    cards: Sequence[str] | None = None,
    field: Sequence[str] | None = None,
    rules: dict[str, int | str | bool] | None = None,
    *,
    engine: str = "auto",
    trials: int | None = None,
    target_error: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Collection:
    """Ask everything about some cards: shots, melee, activations to kill, and one step of every stat.

    Parameters
    ----------
    ruleset : the room.
    cards : squads, files, folders or single cards; None for all cards of the room.
    field : reference targets, likewise; None for the room's own.
    rules : numbers of the rulebook to change.
    engine, trials, target_error, seed : as of the verb `shoot`; exact unless trials or a precision are asked for.
    jobs : threads; None for one per processor core. The numbers do not depend on it.
    progress : called with (questions answered, questions in all).

    Raises
    ------
    UserError : an unknown ruleset, engine or rule, or no cards.
    CardFaults : cards that cannot be read.
    """
    chosen, contestants, targets = _who(ruleset, cards, field)
    run = _run(engine, trials, target_error, seed)
    variants = Variants(chosen, chosen.rules(rules or {}))
    everyone = contestants + targets
    asked = {
        "shots": list(shots(variants, contestants, everyone, variants.data.SITUATIONS)),
        "melee": list(melees(variants, contestants, everyone, variants.data.MELEE)),
        "activations": list(activations(variants, contestants, everyone)),
    }
    stepped = list(steps(variants, contestants, everyone))
    questions = [case.question for cases in asked.values() for case in cases]
    questions += [question for step in stepped for question in (step.before, step.after)]
    answers = answer_all(chosen, questions, run, variants.rules, _threads(jobs), progress)
    read = tables.Read(answers, variants.data.DERIVED)
    step_rows = tables.step_frame(stepped, read)
    provenance = _provenance(chosen, everyone, run, rules or {}, answers)
    provenance["call"] = _call("collect", ruleset=ruleset, cards=cards, field=field, rules=rules, **_asked(run))
    return Collection(
        *tables.card_frames(everyone, variants.data),
        tables.figure_frame("shots", asked["shots"], read),
        tables.spread_frame(asked["shots"], read, variants.data.GUIDE.spread),
        tables.figure_frame("melee", asked["melee"], read, variants.data.PLAY),
        tables.activation_frame(asked["activations"], read, variants.data.PROGRESS),
        step_rows,
        tables.worth_frame(step_rows),
        provenance,
        variants.guide(),
    )


def tabulate(
    verb: str,
    ruleset: str = "morsdei",
    cards: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    rules: dict[str, int | str | bool] | None = None,
    *,
    situation: str | None = None,
    play: dict[str, str] | None = None,
    engine: str = "auto",
    trials: int | None = None,
    target_error: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tabled:
    """One exchange of every card with every target: `shoot` in a situation, or `melee` in one way of playing it.

    Without a word the situation, or the way of playing, is the room's usual one. Without targets the cards meet each
    other, and themselves. The other parameters are those of `collect`.
    """
    chosen, contestants, others = _who(ruleset, cards, targets if targets is not None else [])
    run = _run(engine, trials, target_error, seed)
    variants = Variants(chosen, chosen.rules(rules or {}))
    against = others if targets is not None else contestants
    known_word(_("verb"), verb, ("shoot", "melee"))
    if verb == "shoot":
        cases = list(shots(variants, contestants, against, [situation_of(variants, situation)]))
    else:
        cases = list(melees(variants, contestants, against, [play_of(chosen, variants, play or {})]))
    questions = [case.question for case in cases]
    answers = answer_all(chosen, questions, run, variants.rules, _threads(jobs), progress)
    read = tables.Read(answers, variants.data.DERIVED)
    everyone = contestants + [one for one in others if one.ref not in {other.ref for other in contestants}]
    provenance = _provenance(chosen, everyone, run, rules or {}, answers)
    if verb == "shoot":
        rows = tables.figure_frame("shots", cases, read)
    else:
        rows = tables.figure_frame("melee", cases, read, variants.data.PLAY)
    return Tabled(*tables.card_frames(everyone, variants.data), rows, provenance, variants.guide())


def situation_of(variants: Variants, name: str | None) -> str:
    """A situation of the room; UserError naming those there are."""
    if name is not None:
        known_word(_("situation"), name, variants.data.SITUATIONS)
    return name or variants.usual


def play_of(chosen: Room, variants: Variants, words: dict[str, str]) -> tuple[str, ...]:
    """The usual way to play a melee, with some words changed; UserError naming those there are."""
    if not variants.data.MELEE:
        raise UserError(_("The ruleset {ruleset} has no melee to put into a table.").format(ruleset=chosen.name))
    usual = dict(zip(variants.data.PLAY, variants.data.MELEE[0], strict=True))
    choices = {flag.name: flag.choices for flag in chosen.flags["melee"]}
    for name, word in words.items():
        known_word(_("option"), name, tuple(usual) or ("—",))
        known_word(name, word, choices[name])
    return tuple((usual | words).values())


def known_word(what: str, name: str, names: Any) -> None:
    """UserError with a guess when a word is none of those there are."""
    if name not in names:
        from morsdei_sim.cards.values import meant

        message = _("There is no {what} {name!r}; there are: {known}.")
        said = message.format(what=what, name=name, known=", ".join(names))
        hint = meant(name, names)
        raise UserError(f"{said} ({hint})" if hint else said)


def _who(
    ruleset: str, cards: Sequence[str] | None, field: Sequence[str] | None
) -> tuple[Room, list[Contestant], list[Contestant]]:
    """The room, its contestants, and the targets that are no contestants."""
    chosen = room(ruleset)
    contestants = roster(chosen, cards)
    if not contestants:
        raise UserError(_("There are no cards to compare."))
    return chosen, contestants, field_of(chosen, field)


def _run(engine: str, trials: int | None, target_error: float | None, seed: int) -> Run:
    known_word(_("engine"), engine, ("exact", "sample", "auto"))
    return Run(engine, trials, target_error, seed, jobs=1)


def _threads(jobs: int | None) -> int:
    return jobs or os.cpu_count() or 1


def _asked(run: Run) -> dict[str, Any]:
    """The words of a call that ask for this run."""
    if not run.sampled:
        return {"engine": "exact"}
    return {"engine": "sample", "trials": run.trials, "target_error": run.target_error, "seed": run.seed}


def _call(verb: str, **words: Any) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in words.items() if value is not None and value != {})
    return f"morsdei_sim.sweep.{verb}({given})"


def _provenance(
    chosen: Room, contestants: list[Contestant], run: Run, rules: dict[str, int | str | bool], answers: Answered
) -> dict[str, Any]:
    trials = run.trials or (None if run.target_error else DEFAULT_TRIALS)
    return {
        "ruleset": chosen.name,
        "version": chosen.version,
        "rules": dict(rules),
        "engine": "sample" if run.sampled else "exact",
        "trials": trials if run.sampled else None,
        "target_error": run.target_error if run.sampled else None,
        "seed": run.seed if run.sampled else None,
        "cards_digest": digest(contestants),
        "packages": {name: _version(name) for name in ("numpy", "numba", "pandas", "scipy", "pydantic")},
        "morsdei_sim": morsdei_sim.__version__,
        "kernels": source_digest(),
        "unanswered": sorted({reason for reason in answers.values() if isinstance(reason, str)}),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
