"""`morsdei-sim init`: a working folder to begin with."""

from __future__ import annotations

import click

from morsdei_sim.cli.common import card_ruleset_option, emit, output_options, verb_help
from morsdei_sim.lang import N_

HELP = N_(
    "Make FOLDER, my-game unless named: cards.toml with sample cards, cards.xlsx with the same, study.toml and a "
    "notebook, all of which run as they stand.\n\n"
    "Nothing is ever overwritten."
)
EXAMPLES = (
    "init",
    "init wolves --ruleset club --lang ru",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("folder", required=False, default="my-game", type=click.Path())
@card_ruleset_option
@output_options
def command(folder: str, ruleset: str, as_json: bool, lang: str, quiet: bool) -> int:
    import morsdei_sim

    emit(morsdei_sim.init(folder, ruleset=ruleset, lang=lang), as_json)
    return 0
