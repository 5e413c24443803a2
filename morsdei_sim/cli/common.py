"""What the verbs share: options, the way a result is printed, the way a mistake is explained."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import click

from morsdei_sim import lang
from morsdei_sim.api.command import program
from morsdei_sim.cli import complete
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import LANGUAGES, N_, _, language, ngettext, set_language

__all__ = [
    "Number",
    "Option",
    "Whole",
    "card_ruleset_option",
    "common_options",
    "emit",
    "explain",
    "game_options",
    "one_game_options",
    "output_options",
    "rule_option",
    "speak_click",
    "verb_help",
    "write_utf8",
]

SCHEMA_VERSION = 1
DEFAULT_SEED = 1
F = TypeVar("F", bound=Callable[..., Any])

# What click says by itself, so that it is found by the extraction of messages.
CLICK_SAYS = (
    N_("Usage:"),
    N_("Options"),
    N_("Commands"),
    N_("Show this message and exit."),
    N_("default: {default}"),
    N_("required"),
    N_("Try '{command} {option}' for help."),
    N_("Missing command."),
    N_("Missing {param_type}"),
    N_("Missing argument"),
    N_("Missing option"),
    N_("No such command {name!r}."),
    N_("No such option {name!r}."),
    N_("Option {name!r} requires an argument."),
    N_("Option {name!r} does not take a value."),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value!r} is not one of {choices}."),
    N_("{value} is not in the range {range}."),
    N_("TEXT"),
    N_("PATH"),
    N_("{name} {filename!r} does not exist."),
    ngettext("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", 1),
    ngettext("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", 1),
)


class Option(click.Option):
    """An option whose help is translated when it is shown, not when its module is loaded."""

    @property
    def help(self) -> str | None:
        return _(self._help) if self._help else self._help

    @help.setter
    def help(self, text: str | None) -> None:
        self._help = text

    def make_metavar(self, ctx: click.Context) -> str:
        """TEXT and PATH in the language of the help; click has the words of its types untranslated."""
        return _(super().make_metavar(ctx))


class Number(click.FloatRange):
    """A number with a decimal point, or with a comma as Russians write it."""

    @property
    def name(self) -> str:  # type: ignore[override]
        return _("number")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text: Any = value.replace(",", ".") if isinstance(value, str) else value
        return super().convert(text, param, ctx)


class Whole(click.IntRange):
    """A whole number."""

    @property
    def name(self) -> str:  # type: ignore[override]
        return _("whole number")


class Share(click.ParamType[float]):
    """A share: `0.005` or `0.5%`."""

    @property
    def name(self) -> str:  # type: ignore[override]
        return _("share")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        from morsdei_sim.api.arguments import share

        try:
            return share("", value)
        except UserError as reason:
            self.fail(str(reason), param, ctx)


def _set_language(ctx: click.Context, parameter: click.Parameter, code: str | None) -> str:
    if code:
        set_language(code)
    return language()


def _check_executor(ctx: click.Context, parameter: click.Parameter, executor: str) -> str:
    if executor.startswith("dask://"):
        raise click.BadParameter(
            _("only `sweep run` works on a Dask cluster; leave the option out to use this machine's threads."),
            ctx, parameter,
        )  # fmt: skip
    if executor != "threads":
        raise click.BadParameter(
            _("{value} is neither threads nor dask://host:port.").format(value=executor), ctx, parameter
        )
    return executor


def _rules(ctx: click.Context, parameter: click.Parameter, texts: Sequence[str]) -> dict[str, int | str]:
    """`NAME=N` or `NAME=WORD` pairs; UserError on anything else."""
    changes: dict[str, int | str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise UserError(_("--rule {text}: write NAME=NUMBER or NAME=WORD.").format(text=text))
        changes[name] = int(value) if value.lstrip("-").isdecimal() else value
    return changes


def _one_stop_rule(ctx: click.Context, parameter: click.Parameter, target: float | None) -> float | None:
    if target is not None and ctx.params.get("trials") is not None:
        raise click.UsageError(_("Give either --trials or --target-error, not both."), ctx)
    return target


_OUTPUT = (
    click.option("--json", "as_json", is_flag=True, default=False, cls=Option,
                 help=N_("Print one JSON document, also for a mistake.")),
    click.option("--lang", type=click.Choice(LANGUAGES), default=None, is_eager=True, callback=_set_language,
                 cls=Option, help=N_("Language of the messages; otherwise MORSDEI_LANG, then the system's.")),
    click.option("--quiet", is_flag=True, default=False, cls=Option, help=N_("No progress and no remarks on stderr.")),
)  # fmt: skip

rule_option = click.option(
    "--rule", "rules", multiple=True, default=(), metavar="NAME=N", callback=_rules, cls=Option,
    shell_complete=complete.rules,
    help=N_("Change a number of the rulebook, or a switch by its word; a wrong name lists all there are."),
)  # fmt: skip
"""`--rule`, as the argument `rules`: changed numbers and words by name."""

_SEED = N_("The dice: the same seed gives the same numbers, on any machine.")

card_ruleset_option = click.option(
    "--ruleset", default="morsdei", show_default=True, shell_complete=complete.rulesets, cls=Option,
    help=N_("The room whose cards they are."),
)  # fmt: skip
"""`--ruleset` of a verb about cards."""

_COMPUTING = {
    "ruleset": click.option("--ruleset", default="morsdei", show_default=True, shell_complete=complete.rulesets,
                            cls=Option, help=N_("The rules to play by.")),
    "engine": click.option("--engine", type=click.Choice(["exact", "sample", "auto"]), default="auto",
                           show_default=True, cls=Option,
                           help=N_("Exact chances, a simulation, or whichever suits the question.")),
    "trials": click.option("--trials", type=Whole(min=1), default=None, is_eager=True, cls=Option,
                           help=N_("How many times to simulate.")),
    "target_error": click.option("--target-error", type=Share(), default=None, callback=_one_stop_rule, cls=Option,
                                 help=N_("Simulate until the figures are this sure, for instance 0.5%.")),
    "seed": click.option("--seed", type=Whole(0, 2**64 - 1), default=DEFAULT_SEED, show_default=True, cls=Option,
                         help=_SEED),
    "jobs": click.option("--jobs", type=Whole(min=1), default=None, cls=Option,
                         help=N_("How many threads; otherwise one per processor core.")),
    "executor": click.option("--executor", default="threads", show_default=True, callback=_check_executor, cls=Option,
                             help=N_("Where the work is done: threads, or dask://host:port.")),
}  # fmt: skip
"""The options of a verb that computes, by argument."""


def game_options(games: str) -> Callable[[F], F]:
    """The options of a verb that plays many whole games; `games` is the help of `--games`.

    They arrive as the arguments `games, rules, ruleset, seed, jobs, executor, as_json, lang, quiet`.
    """
    count = click.option("--games", type=Whole(min=1), default=None, cls=Option, help=games)
    shared = (_COMPUTING[name] for name in ("ruleset", "seed", "jobs", "executor"))
    return lambda function: _apply((count, rule_option, *shared, *_OUTPUT), function)


def run_options(function: F) -> F:
    """How long a study is played and how, as the arguments `trials, games, target_error, seed, jobs`; each None when it
    is not given: then the study says it."""
    games = click.option("--games", type=Whole(min=1), default=None, cls=Option,
                         help=N_("How many games each cell of a study of battles plays."))  # fmt: skip
    seed = click.option("--seed", type=Whole(0, 2**64 - 1), default=None, cls=Option, help=_SEED)
    own = (_COMPUTING[name] for name in ("trials", "target_error"))
    return _apply((*own, games, seed, _COMPUTING["jobs"]), function)


def one_game_options(function: F) -> F:
    """The options of a verb that plays one game, as the arguments `rules, ruleset, seed, as_json, lang, quiet`."""
    return _apply((rule_option, _COMPUTING["ruleset"], _COMPUTING["seed"], *_OUTPUT), function)


def _apply(options: Sequence[Callable[[Any], Any]], function: F) -> F:
    for option in reversed(options):
        function = option(function)
    return function


def output_options(function: F) -> F:
    """`--json --lang --quiet`, as the arguments `as_json`, `lang` (always "en" or "ru") and `quiet`."""
    return _apply(_OUTPUT, function)


def common_options(function: F) -> F:
    """The options of a verb that computes.

    They arrive as the arguments `ruleset, engine, trials, target_error, seed, jobs, executor, as_json, lang, quiet`;
    `trials`, `target_error` and `jobs` are None when not given.
    """
    return _apply((*_COMPUTING.values(), *_OUTPUT), function)


def verb_help(text: str, *examples: str) -> str:
    """The help of a verb, and its examples, which name the program as it was started and are not wrapped."""
    return "\n\n".join([_(text), *(f"\b\n    {program()} {example}" for example in examples)])


def emit(result: Any, as_json: bool, quiet: bool = True) -> None:
    """Print a result: `to_dict()` as one JSON document, with its notes on stderr unless `quiet`, otherwise its text."""
    for note in result.notes if as_json and not quiet else ():
        click.echo(note, err=True)
    click.echo(_document(result.to_dict()) if as_json else str(result))


def _document(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)


def explain(reason: BaseException, arguments: Sequence[str]) -> int:
    """Say on stderr what went wrong, with `--json` on stdout too, and return the exit code."""
    if isinstance(reason, SystemExit):
        return reason.code if isinstance(reason.code, int) else 2
    kind, message, code = _diagnosis(reason)
    if "--debug" in arguments:
        traceback.print_exception(reason)
    click.echo(message, err=True)
    if "--json" in arguments:
        error: dict[str, Any] = {"kind": kind, "message": message, "exit_code": code}
        if isinstance(reason, CardFaults):
            error["faults"] = [asdict(fault) for fault in reason.faults]
        try:
            click.echo(_document({"schema_version": SCHEMA_VERSION, "error": error}))
        except OSError:
            pass  # nobody can be told there; the message stands on stderr
    if isinstance(reason, OSError):
        quiet_pipe()  # what is still in the buffer cannot be written either
    return code


def _diagnosis(reason: BaseException) -> tuple[str, str, int]:
    """Kind (a word for programs), message (a sentence for people), exit code."""
    if isinstance(reason, CardFaults):
        return "cards", str(reason), reason.exit_code
    if isinstance(reason, UserError):
        return "user", str(reason), reason.exit_code
    if isinstance(reason, click.ClickException):
        # click ends some of its errors with 1, which here means that a balance gate failed.
        return "usage", _usage(reason), 2
    if isinstance(reason, (KeyboardInterrupt, click.Abort)):
        return "interrupted", _("Stopped."), 130
    if isinstance(reason, OSError):
        what = clipped(str(reason.filename)) if reason.filename else _("the output")
        from morsdei_sim.cards.safe import os_reason

        return "environment", _("{what}: cannot be used: {reason}").format(what=what, reason=os_reason(reason)), 2
    message = _(
        "This is a bug in morsdei_sim, not your mistake: {type}: {text}\nTo see where, add --debug before the verb."
    )
    return "bug", message.format(type=type(reason).__name__, text=reason), 2


def clipped(text: str) -> str:
    """A text that the user gave, short enough to be repeated."""
    return text if len(text) <= 200 else text[:199] + "…"


def _usage(reason: click.ClickException) -> str:
    message = _("Error: {message}").format(message=reason.format_message())
    ctx = reason.ctx if isinstance(reason, click.UsageError) else None
    if ctx is None:
        return message
    hint = _("Try '{command} {option}' for help.").format(command=ctx.command_path, option="--help")
    return f"{message}\n{hint}"


def quiet_pipe() -> None:
    """The reader of stdout has gone (`| head`): let the rest, and Python's own flush at exit, go nowhere."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):
        pass  # no stdout at all, or one that is no file


def speak_click() -> None:
    """Let click take its own sentences from our catalogue; it binds gettext at import and offers no other way."""
    for name in ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types"):
        module = importlib.import_module(f"click.{name}")
        for function in ("_", "ngettext"):
            if hasattr(module, function):
                setattr(module, function, getattr(lang, function))


def write_utf8() -> None:
    """Russian text in any console, also where the system's encoding knows no Cyrillic."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure and (getattr(stream, "encoding", "") or "").lower().replace("-", "") != "utf8":
            reconfigure(encoding="utf-8")
