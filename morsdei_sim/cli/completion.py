"""`morsdei-sim completion`: the script for the Tab key of a shell."""

from __future__ import annotations

import click

from morsdei_sim.api.completion import SHELLS
from morsdei_sim.cli.common import emit, output_options, verb_help
from morsdei_sim.lang import N_

HELP = N_(
    "Print the script that completes verbs, options and the names of cards, boards and bots at the Tab key of a shell. "
    "It works for the name morsdei-sim, which lies in .venv/bin; put that folder on the PATH. To install it, once:"
)
EXAMPLES = (
    "completion bash >> ~/.bashrc",
    "completion zsh >> ~/.zshrc",
    "completion fish > ~/.config/fish/completions/morsdei-sim.fish",
    "completion powershell >> $PROFILE",
)


@click.command(help=verb_help(HELP, *EXAMPLES))
@click.argument("shell", type=click.Choice(list(SHELLS)))
@output_options
def command(shell: str, as_json: bool, lang: str, quiet: bool) -> int:
    import morsdei_sim

    emit(morsdei_sim.completion(shell), as_json)
    return 0
