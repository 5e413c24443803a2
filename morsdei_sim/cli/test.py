"""`morsdei-sim test`: runs the project's own tests; whatever else is on the line goes to pytest."""

from __future__ import annotations

import click

from morsdei_sim.cli.common import Option, verb_help
from morsdei_sim.lang import N_

HELP = N_(
    "Run the project's own tests in the checkout. All further arguments go to pytest, whose exit code is returned."
)
EXAMPLES = (
    "test",
    "test tests/cards -k faults",
    "test --slow",
)


@click.command(
    help=verb_help(HELP, *EXAMPLES),
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": True},
)
@click.option("--slow", is_flag=True, default=False, cls=Option, help=N_("Also the tests that take long."))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(slow: bool, arguments: tuple[str, ...]) -> int:
    import morsdei_sim

    result: int = morsdei_sim.test(*arguments, slow=slow).exit_code
    return result
