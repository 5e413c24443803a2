"""`morsdei-sim duel`: see `cli/question.py`."""

import click

from morsdei_sim.cli.question import question


def command() -> click.Command:
    """The command, with the options of the ruleset that the command line names."""
    return question("duel")
