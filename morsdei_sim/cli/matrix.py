"""`morsdei-sim matrix`: one figure of an exchange, every card against every target."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from morsdei_sim.api.command import named_ruleset
from morsdei_sim.cli import complete
from morsdei_sim.cli.common import Option, common_options, emit, rule_option, verb_help
from morsdei_sim.lang import N_, _
from morsdei_sim.rulesets import room

HELP = N_(
    "Every fighter against every other: one figure of one exchange.\n\n"
    "CARDS are squads, files, folders or squad/fighter; all cards of the ruleset when none are named."
)
EXAMPLES = (
    "matrix line --targets field",
    "matrix --verb melee --csv melee.csv",
)


def _play(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how a melee of the named ruleset is played."""
    chosen = room(named_ruleset(sys.argv))
    wanted = chosen.part("variants", "PLAY")
    for flag in reversed([flag for flag in chosen.flags.get("melee", ()) if flag.name in wanted]):
        name = "--" + flag.name.replace("_", "-")
        function = click.option(
            name, flag.name, default=None, show_default=flag.default, metavar="NAME", cls=Option, help=flag.help
        )(function)
    return function


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("cards", nargs=-1, shell_complete=complete.squads)
@click.option(
    "--targets",
    multiple=True,
    default=(),
    metavar="CARDS",
    shell_complete=complete.squads,
    cls=Option,
    help=N_(
        "Whom they meet, as CARDS, several times if need be; 'field' is the reference targets. Otherwise each other."
    ),
)
@click.option(
    "--verb",
    type=click.Choice(["shoot", "melee"]),
    default="shoot",
    show_default=True,
    cls=Option,
    help=N_("The exchange."),
)
@click.option(
    "--figure",
    default=None,
    metavar="NAME",
    cls=Option,
    help=N_("What to show of it, for instance kill; a name that does not exist lists them all."),
)
@click.option(
    "--situation",
    default=None,
    metavar="NAME",
    cls=Option,
    help=N_("Of a shot, for instance cover; otherwise the ruleset's usual one. A wrong name lists them all."),
)
@_play
@rule_option
@click.option(
    "--csv", "csv_file", default=None, metavar="FILE.csv", cls=Option, help=N_("Write the rows to this CSV file too.")
)
@click.option(
    "--xlsx",
    "xlsx_file",
    default=None,
    metavar="FILE.xlsx",
    cls=Option,
    help=N_("Write the rows to this spreadsheet too."),
)
@click.option("--force", is_flag=True, default=False, cls=Option, help=N_("Overwrite existing files."))
@common_options
def command(
    cards: tuple[str, ...], csv_file: str | None, xlsx_file: str | None, force: bool,
    executor: str, as_json: bool, lang: str, quiet: bool, **values: Any,
) -> int:  # fmt: skip
    import morsdei_sim
    from morsdei_sim.cards.output import check_destination
    from morsdei_sim.cli.progress import bar

    files = [(text, kind) for text, kind in ((csv_file, ".csv"), (xlsx_file, ".xlsx")) if text]
    for text, kind in files:  # before the work, not after it
        if Path(text).suffix.lower() != kind:
            raise click.UsageError(_("{file}: the name must end in {kinds}").format(file=text, kinds=kind))
        check_destination(Path(text), force)
    with bar(quiet, "questions") as progress:
        found = morsdei_sim.matrix(list(cards), progress=progress, **values)
    for text, _kind in files:
        found.save(text, force=force)
    emit(found, as_json)
    return 0
