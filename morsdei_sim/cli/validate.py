"""`morsdei-sim validate`: every fault of every card file; exit code 3 when there is one."""

from __future__ import annotations

import click

from morsdei_sim.cli.common import Option, emit, output_options
from morsdei_sim.lang import N_, _


@click.command(help=_("Check card files (.toml .csv .xlsx .ods) and folders; all faults at once, with their places."))
@click.argument("paths", nargs=-1, type=click.Path(readable=False))  # what cannot be read is a fault like any other
@click.option("--ruleset", default="morsdei", show_default=True, cls=Option, help=N_("The room whose cards they are."))
@output_options
def command(paths: tuple[str, ...], ruleset: str, as_json: bool, lang: str, quiet: bool) -> int:
    import morsdei_sim

    emit(morsdei_sim.validate(*paths, ruleset=ruleset), as_json)
    return 0
