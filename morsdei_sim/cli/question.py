"""The verbs that put one question about two fighters to a room: `shoot`, `melee`, `activations`, `duel`.

The options of the situation come from the room named by `--ruleset`, so a new room brings its own without a line here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from morsdei_sim.cli.common import Number, Option, Whole, common_options, emit, verb_help
from morsdei_sim.errors import UserError
from morsdei_sim.lang import N_, _

__all__ = ["question"]

HELP = {
    "shoot": N_(
        "One or several ranged attacks at one target.\n\n"
        "A fighter is squad/fighter, file.toml/fighter, or typed as the rulebook writes it:\n\n"
        '    {program} shoot "4d6 4+ 4" "Defence 3 HP 7" --cover\n\n'
        "    {program} shoot line/marksman bulwark/heavy --aim"
    ),
    "melee": N_(
        "One or several melee exchanges; the attacker is the initiator.\n\n"
        "A fighter is squad/fighter, file.toml/fighter, or typed as the rulebook writes it:\n\n"
        '    {program} melee "4d6 4+ 4 HP 9" "5d6 4+ 4 HP 7"\n\n'
        "    {program} melee cleavers/chief line/sergeant --objective kill"
    ),
    "activations": N_(
        "Shooting, activation after activation, until the target is removed.\n\n"
        "A fighter is squad/fighter, file.toml/fighter, or typed as the rulebook writes it:\n\n"
        '    {program} activations "4d6 4+ 4" "Defence 3 HP 7"\n\n'
        "    {program} activations line/marksman mirror --plan aim-shoot"
    ),
    "duel": N_(
        "Two fighters alone on open ground until one is removed or the rounds are over.\n\n"
        "A fighter is squad/fighter, file.toml/fighter, or typed as the rulebook writes it:\n\n"
        "    {program} duel line/sergeant cleavers/chief --distance 14\n\n"
        "    {program} duel line/sergeant mirror --target-plan charger"
    ),
}


def question(verb: str) -> click.Command:
    """The command of a verb, with the options of the room that the command line names."""

    def command(**values: Any) -> int:
        return _answer(verb, **values)

    decorated: Callable[..., Any] = common_options(command)
    rule = click.option(
        "--rule",
        "rule",
        multiple=True,
        default=(),
        metavar="NAME=N",
        cls=Option,
        help=N_("Change a number of the rulebook, for instance may_pass=1."),
    )
    decorated = rule(decorated)
    for flag in reversed(_room_flags(verb)):
        decorated = _option(flag)(decorated)
    decorated = click.argument("target")(decorated)
    decorated = click.argument("attacker")(decorated)
    return click.command(help=verb_help(HELP[verb]))(decorated)


def _room_flags(verb: str) -> tuple[Any, ...]:
    from morsdei_sim.rulesets import room

    flags: tuple[Any, ...] = room(_named_ruleset(sys.argv)).flags.get(verb, ())
    return flags


def _named_ruleset(arguments: list[str]) -> str:
    for here, word in enumerate(arguments):
        if word == "--ruleset" and here + 1 < len(arguments):
            return arguments[here + 1]
        if word.startswith("--ruleset="):
            return word.partition("=")[2]
    return "morsdei"


def _option(flag: Any) -> Callable[[Any], Any]:
    name = "--" + flag.name.replace("_", "-")
    if flag.choices:
        return click.option(
            name,
            flag.name,
            type=click.Choice(flag.choices),
            default=flag.default,
            show_default=True,
            cls=Option,
            help=flag.help,
        )
    if flag.default is False:
        return click.option(name, flag.name, is_flag=True, default=False, cls=Option, help=flag.help)
    if flag.minimum is not None:
        ranged = Number if isinstance(flag.default, float) else Whole
        kind: Any = ranged(flag.minimum, flag.maximum)
    else:
        kind = type(flag.default)
    shown = flag.default != ""
    return click.option(
        name, flag.name, type=kind, default=flag.default, show_default=shown, cls=Option, help=flag.help
    )


def _answer(
    verb: str,
    attacker: str,
    target: str,
    rule: tuple[str, ...],
    executor: str,
    as_json: bool,
    lang: str,
    quiet: bool,
    **values: Any,
) -> int:
    import morsdei_sim
    from morsdei_sim.cli.progress import bar

    with bar(quiet) as progress:
        answer = getattr(morsdei_sim, verb)(attacker, target, rules=_numbers(rule), progress=progress, **values)
    if not quiet and as_json:
        for note in answer.outcome.notes:
            click.echo(note, err=True)
    emit(answer, as_json)
    return 0


def _numbers(rule: tuple[str, ...]) -> dict[str, int]:
    """`NAME=N` pairs; UserError on anything else."""
    changes = {}
    for text in rule:
        name, equals, number = text.partition("=")
        if not equals or not number.strip().lstrip("-").isdigit():
            raise UserError(_("--rule {text}: write NAME=NUMBER, for instance may_pass=1.").format(text=text))
        changes[name.strip()] = int(number)
    return changes
