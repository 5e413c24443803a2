"""`morsdei-sim schema`: the JSON Schema of the card files."""

from __future__ import annotations

import click

from morsdei_sim.cli.common import Option, card_ruleset_option, emit, output_options, verb_help
from morsdei_sim.lang import N_, _

HELP = N_("Print the JSON Schema of the card files, or write it to a file, for completion in editors.")
EXAMPLES = (
    "schema",
    "schema club.json --ruleset club",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("path", required=False, default=None, type=click.Path())
@card_ruleset_option
@click.option("--force", is_flag=True, default=False, cls=Option, help=N_("Overwrite an existing file."))
@output_options
def command(path: str | None, ruleset: str, force: bool, as_json: bool, lang: str, quiet: bool) -> int:
    import morsdei_sim

    made = morsdei_sim.schema(path, ruleset=ruleset, force=force)
    if path is None or as_json:
        emit(made, as_json)
    elif not quiet:
        click.echo(_("{file} written.").format(file=path), err=True)
    return 0
