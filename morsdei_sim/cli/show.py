"""`morsdei-sim show`: a card, or all cards of a squad."""

from __future__ import annotations

import click

from morsdei_sim.cli import complete
from morsdei_sim.cli.common import card_ruleset_option, emit, output_options, verb_help
from morsdei_sim.lang import N_

HELP = N_("Show a card (squad/fighter, file.toml/fighter) or all cards of a squad or file.")
EXAMPLES = (
    "show line/rifleman",
    "show my.toml/example --lang ru",
    "show orks --ruleset club --json",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("reference", shell_complete=complete.squads)
@card_ruleset_option
@output_options
def command(reference: str, ruleset: str, as_json: bool, lang: str, quiet: bool) -> int:
    import morsdei_sim

    emit(morsdei_sim.show(reference, ruleset=ruleset), as_json)
    return 0
