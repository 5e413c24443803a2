"""`morsdei-sim validate`: every fault of every card file; exit code 3 when there is one."""

from __future__ import annotations

import click

from morsdei_sim.cli import complete
from morsdei_sim.cli.common import card_ruleset_option, emit, output_options, verb_help
from morsdei_sim.lang import N_

HELP = N_("Check card files (.toml .csv .xlsx .ods) and folders; all faults at once, with their places.")
EXAMPLES = (
    "validate my.xlsx",
    "validate my-game",
    "validate --ruleset club",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument(
    "paths", nargs=-1, type=click.Path(readable=False), shell_complete=complete.squads
)  # what cannot be read is a fault like any other
@card_ruleset_option
@output_options
def command(paths: tuple[str, ...], ruleset: str, as_json: bool, lang: str, quiet: bool) -> int:
    import morsdei_sim

    emit(morsdei_sim.validate(*paths, ruleset=ruleset), as_json)
    return 0
