"""`morsdei-sim boards`: what boards there are, and what one looks like."""

from __future__ import annotations

from pathlib import Path

import click

from morsdei_sim.cli import complete
from morsdei_sim.cli.common import Option, emit, output_options, verb_help
from morsdei_sim.errors import UserError
from morsdei_sim.lang import N_, _

HELP = N_("The boards there are; with a name, a drawing of that board.")
EXAMPLES = (
    "boards",
    "boards twin-yards --svg twin-yards.svg",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("name", required=False, default=None, shell_complete=complete.boards)
@click.option(
    "--svg", default=None, metavar="FILE.svg", cls=Option, help=N_("Write a picture of the board to this file.")
)
@click.option(
    "--png", default=None, metavar="FILE.png", cls=Option, help=N_("Write a picture of the board to this file.")
)
@click.option("--force", is_flag=True, default=False, cls=Option, help=N_("Overwrite existing files."))
@click.option(
    "--ruleset",
    default="morsdei",
    show_default=True,
    shell_complete=complete.rulesets,
    cls=Option,
    help=N_("The rules to play by."),
)
@output_options
def command(
    name: str | None, svg: str | None, png: str | None, force: bool, ruleset: str, as_json: bool, lang: str, quiet: bool
) -> int:
    import morsdei_sim
    from morsdei_sim.cards.output import check_destination

    files = [(text, kind) for text, kind in ((svg, ".svg"), (png, ".png")) if text]
    if files and (name is None or "," in name):
        raise UserError(_("a picture shows one board: name it"))
    for text, kind in files:  # before the work, not after it
        if Path(text).suffix.lower() != kind:
            raise click.UsageError(_("{file}: the name must end in {kinds}").format(file=text, kinds=kind))
        check_destination(Path(text), force)
    found = morsdei_sim.boards(name, ruleset=ruleset)
    for text, _kind in files:
        found.save(text, force=force)
    emit(found, as_json)
    return 0
