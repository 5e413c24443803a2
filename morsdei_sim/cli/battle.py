"""`morsdei-sim battle`: two squads, a board, two bots, many games."""

from __future__ import annotations

from typing import Any

import click

from morsdei_sim.cli import complete
from morsdei_sim.cli.common import Option, Share, emit, game_options, verb_help
from morsdei_sim.lang import N_

HELP = N_(
    "Whole games of two squads under bots, counted.\n\n"
    "A squad is a squad or file.toml, or one each of some of its fighters: squad/one+two."
)
EXAMPLES = (
    "battle line mirror --games 20000",
    "battle cleavers scavengers --board all --target-error 1%",
    "battle line mirror --instead my.toml",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("squad", shell_complete=complete.squads)
@click.argument("other", shell_complete=complete.squads)
@click.option(
    "--board",
    "--boards",
    "board",
    multiple=True,
    default=(),
    metavar="NAME",
    shell_complete=complete.boards,
    cls=Option,
    help=N_("A board by name or file, several times if need be; all for all there are. Otherwise a symmetric one."),
)
@click.option(
    "--bots", default=None, metavar="A,B", shell_complete=complete.bots, cls=Option,
    help=N_("Who leads: one bot for both squads, or one for each. Otherwise tactician."),
)  # fmt: skip
@click.option(
    "--instead", default=None, metavar="CARDS", shell_complete=complete.squads, cls=Option,
    help=N_("Cards to play in place of the first squad, on the same dice: what they change is told."),
)  # fmt: skip
@click.option(
    "--target-error", type=Share(), default=None, cls=Option,
    help=N_("Play until the score is this sure, for instance 1%, instead of a number of games."),
)  # fmt: skip
@game_options(N_("Games on each board, 2000 unless given; made even, for they come in mirrored pairs."))
def command(squad: str, other: str, executor: str, as_json: bool, lang: str, quiet: bool, **values: Any) -> int:
    import morsdei_sim
    from morsdei_sim.cli.progress import bar

    with bar(quiet, "games") as progress:
        found = morsdei_sim.battle(squad, other, progress=progress, **values)
    emit(found, as_json, quiet)
    return 0
