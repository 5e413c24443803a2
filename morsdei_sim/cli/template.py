"""`morsdei-sim template`: a card file to fill in, or existing cards in another format."""

from __future__ import annotations

import click

from morsdei_sim.cli import complete
from morsdei_sim.cli.common import Option, card_ruleset_option, emit, output_options, verb_help
from morsdei_sim.lang import N_

HELP = N_("Write a card file (.toml .csv .xlsx) with an example and notes; --from converts existing cards.")
EXAMPLES = (
    "template my.xlsx --lang ru",
    "template line.xlsx --from line",
    "template mine.toml --from my.xlsx",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("path", type=click.Path())
@click.option(
    "--from",
    "source",
    default=None,
    shell_complete=complete.squads,
    cls=Option,
    help=N_("A card file or squad to write in the new format."),
)
@card_ruleset_option
@click.option("--force", is_flag=True, default=False, cls=Option, help=N_("Overwrite an existing file."))
@output_options
def command(path: str, source: str | None, ruleset: str, force: bool, as_json: bool, lang: str, quiet: bool) -> int:
    import morsdei_sim

    emit(morsdei_sim.template(path, source=source, ruleset=ruleset, lang=lang, force=force), as_json)
    return 0
