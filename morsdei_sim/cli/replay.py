"""`morsdei-sim replay`: one game of a battle by its number."""

from __future__ import annotations

from typing import Any

import click

from morsdei_sim.cli import complete
from morsdei_sim.cli.common import Option, emit, one_game_options, verb_help
from morsdei_sim.lang import N_

HELP = N_("One game of a battle by its number, as a page to play, a log or sentences.")
EXAMPLES = (
    "replay line mirror --game 17 --out game.html",
    "replay line mirror --instead my.toml --out turned.html",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("squad", shell_complete=complete.squads)
@click.argument("other", shell_complete=complete.squads)
@click.option(
    "--board",
    default=None,
    metavar="NAME",
    shell_complete=complete.boards,
    cls=Option,
    help=N_("A board by name or file."),
)
@click.option(
    "--bots", default=None, metavar="A,B", shell_complete=complete.bots, cls=Option,
    help=N_("Who leads: one bot for both squads, or one for each. Otherwise tactician."),
)  # fmt: skip
@click.option("--game", type=int, default=0, metavar="N", cls=Option, help=N_("The game's number in `battle`."))
@click.option(
    "--instead", default=None, metavar="CARDS", shell_complete=complete.squads, cls=Option,
    help=N_("Cards in place of the first squad: tells the first game that they turned, beside the old one."),
)  # fmt: skip
@click.option(
    "--out", default=None, metavar="FILE", cls=Option,
    help=N_("The file to write, by its ending: .html a page, .jsonl the log, .txt sentences. Otherwise sentences."),
)  # fmt: skip
@one_game_options
def command(
    squad: str, other: str, as_json: bool, lang: str, quiet: bool, out: str | None,
    **values: Any,
) -> int:  # fmt: skip
    import morsdei_sim

    found = morsdei_sim.replay(squad, other, out=out, **values)
    if out is None and not as_json:
        click.echo(found.text())
    else:
        emit(found, as_json)
    return 0
