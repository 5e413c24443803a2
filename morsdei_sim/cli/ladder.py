"""`morsdei-sim ladder`: every bot against every other."""

from __future__ import annotations

from typing import Any

import click

from morsdei_sim.cli import complete
from morsdei_sim.cli.common import Option, emit, game_options, verb_help
from morsdei_sim.lang import N_

HELP = N_(
    "Every bot against every other, in mirrored seats.\n\n"
    "With one squad it plays itself; with two, each bot leads each of them as often."
)
EXAMPLES = (
    "ladder line mirror --boards all",
    "ladder mirror --bots random,tactician",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("squad", shell_complete=complete.squads)
@click.argument("other", required=False, default=None, shell_complete=complete.squads)
@click.option(
    "--boards",
    "--board",
    "boards",
    multiple=True,
    default=(),
    metavar="NAME",
    shell_complete=complete.boards,
    cls=Option,
    help=N_("A board by name or file, several times if need be; all for all there are. Otherwise a symmetric one."),
)
@click.option(
    "--bots",
    default=None,
    metavar="A,B,…",
    shell_complete=complete.bots,
    cls=Option,
    help=N_("Which bots; otherwise all there are."),
)
@game_options(N_("Games of each pair of bots on each board with each squad, 400 unless given."))
def command(
    squad: str, other: str | None, executor: str, as_json: bool, lang: str, quiet: bool,
    **values: Any,
) -> int:  # fmt: skip
    import morsdei_sim
    from morsdei_sim.cli.progress import bar

    with bar(quiet, "games") as progress:
        found = morsdei_sim.ladder(squad, other, progress=progress, **values)
    emit(found, as_json, quiet)
    return 0
