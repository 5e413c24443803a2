"""The verbs that put one question about fighters or squads to a room: `shoot`, `duel`, `charge` and their like.

The options of the situation come from the room named by `--ruleset`, so a new room brings its own without a line here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from morsdei_sim.api.command import named_ruleset, of_ruleset
from morsdei_sim.cli import complete
from morsdei_sim.cli.common import Number, Option, Whole, common_options, emit, rule_option, verb_help
from morsdei_sim.lang import N_, _
from morsdei_sim.rulesets import ROOMS, SQUADS, Room, room

__all__ = ["question"]

HELP = {
    "shoot": N_("One or several ranged attacks at one target."),
    "melee": N_("Melee between two fighters; the attacker begins."),
    "activations": N_("Shooting, turn after turn, until the target is removed."),
    "duel": N_("Two fighters alone on open ground, to the end or for a number of turns."),
    "charge": N_("One turn in which a fighter charges another: overwatch, the roll, strikes of both, who flees."),
    "wounds": N_("What becomes of a fighter that is hurt: dying, dead, fleeing, raised again."),
    "watch": N_("A fighter on watch fires at another that walks into the watched cells."),
    "engagement": N_("A small battle of two squads under policy bots; always sampled."),
}

METAVARS = (
    N_("ATTACKER"), N_("TARGET"), N_("FIGHTER"), N_("WATCHER"), N_("WALKER"), N_("ATTACKERS"), N_("DEFENDERS")
)  # fmt: skip

NAMED = N_("A fighter is squad/fighter or file.toml/fighter:")
TYPED = N_("A fighter is squad/fighter, file.toml/fighter, or typed as the rulebook writes it:")
SQUAD = N_("A squad is a squad or file.toml, or some of its fighters: squad/one+two:")


def question(verb: str) -> click.Command:
    """The command of a verb, with the options of the room that the command line names."""
    asked = _room_with(verb)
    names = asked.fighters.get(verb, ("attacker", "target"))

    def command(**values: Any) -> int:
        return _answer(verb, [values.pop(name) for name in names], **values)

    decorated: Callable[..., Any] = rule_option(common_options(command))
    for flag in reversed(asked.flags[verb]):
        decorated = _option(flag)(decorated)
    for name in reversed(names):
        offered = complete.squads if names == SQUADS else complete.fighters
        decorated = click.argument(name, metavar=_(name.upper()), shell_complete=offered)(decorated)
    return click.command(help=_help(verb, asked))(decorated)


def _room_with(verb: str) -> Room:
    """The room that the command line names or, if it does not know the verb, the first that does (for the help)."""
    named = room(named_ruleset(sys.argv))
    return named if verb in named.flags else next(one for one in map(room, ROOMS) if verb in one.flags)


def _help(verb: str, asked: Room) -> str:
    who = SQUAD if asked.fighters.get(verb) == SQUADS else TYPED if asked.typed else NAMED
    named = "".join(f" {word}" for word in of_ruleset(asked.name))
    examples = [f"{verb} {one}{named}" for one in asked.examples.get(verb, ())]
    if len(examples) == 1:
        examples.append(f"{examples[0]} --json")
    return verb_help(f"{_(HELP[verb])}\n\n{_(who)}", *examples)


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
    optional = {} if flag.bare is None else {"is_flag": False, "flag_value": flag.bare}
    shown = flag.default != ""
    return click.option(
        name, flag.name, type=kind, default=flag.default, show_default=shown, cls=Option, help=flag.help, **optional
    )


def _answer(
    verb: str,
    fighters: list[str],
    executor: str,
    as_json: bool,
    lang: str,
    quiet: bool,
    **values: Any,
) -> int:
    import morsdei_sim
    from morsdei_sim.cli.progress import bar

    with bar(quiet) as progress:
        answer = getattr(morsdei_sim, verb)(*fighters, progress=progress, **values)
    emit(answer, as_json, quiet)
    return 0
