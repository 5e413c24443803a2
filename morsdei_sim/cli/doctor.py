"""`morsdei-sim doctor`: looks the machine over; exit code 2 when something has to be mended."""

from __future__ import annotations

import click

from morsdei_sim.cli.common import Option, emit, output_options, verb_help
from morsdei_sim.lang import N_

HELP = N_("Versions, cache, threads, language, cards, browser; what to mend, with the remedy.")
EXAMPLES = (
    "doctor",
    "doctor --warm",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.option("--warm", is_flag=True, default=False, cls=Option, help=N_("Compile the kernels now."))
@output_options
def command(warm: bool, as_json: bool, lang: str, quiet: bool) -> int:
    import morsdei_sim

    seen = morsdei_sim.doctor(warm=warm)
    emit(seen, as_json)
    return 0 if seen.healthy else 2
