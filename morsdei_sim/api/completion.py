"""The verb `completion`: the script that lets a shell complete verbs, options, cards and names at the Tab key."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from click import Command
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PROGRAM", "SHELLS", "VARIABLE", "Completion", "completion"]

PROGRAM = "morsdei-sim"
VARIABLE = "_MORSDEI_SIM_COMPLETE"
"""Set by the scripts when they ask for completions."""


@add_completion_class
class PowerShellComplete(ShellComplete):
    """As click does it for the other shells."""

    name = "powershell"
    source_template = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $command, $position)
    $env:COMP_WORDS = ($command.CommandElements | ForEach-Object { $_.ToString() }) -join "`n"
    $env:COMP_WORD = $word
    $env:%(complete_var)s = "powershell_complete"
    try {
        %(prog_name)s | ForEach-Object {
            $type, $value, $help = $_.Split("`t")
            if ($type -eq "plain") {
                [System.Management.Automation.CompletionResult]::new($value, $value, "ParameterValue", $help)
            }
        }
    } finally {
        Remove-Item Env:COMP_WORDS, Env:COMP_WORD, Env:%(complete_var)s
    }
}
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, word = os.environ["COMP_WORDS"].split("\n")[1:], os.environ.get("COMP_WORD", "")
        return (words[:-1] if word and words and words[-1] == word else words), word

    def format_completion(self, item: CompletionItem[Any]) -> str:
        # PowerShell shows the help beside the word, and must have one.
        return f"{item.type}\t{item.value}\t{item.help or item.value}"


SHELLS: dict[str, type[ShellComplete]] = {
    one.name: one for one in (BashComplete, ZshComplete, FishComplete, PowerShellComplete)
}


@dataclass(frozen=True)
class Completion:
    """The script for a shell."""

    shell: str
    script: str

    def __repr__(self) -> str:
        return self.script.strip()

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        return {"schema_version": 1, "shell": self.shell, "script": self.script}

    def to_frame(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame([self.to_dict()])


def completion(shell: str) -> Completion:
    """The script that makes a shell complete the command line of `morsdei-sim`.

    Parameters
    ----------
    shell : {"bash", "zsh", "fish", "powershell"}

    Returns
    -------
    Completion

    Raises
    ------
    UserError
        There is no such shell.

    Examples
    --------
    >>> import morsdei_sim
    >>> "morsdei-sim" in morsdei_sim.completion("bash").script
    True
    """
    if shell not in SHELLS:
        raise UserError(_("{value} is no shell known here: {known}").format(value=shell, known=", ".join(SHELLS)))
    # Of click's own, which for bash starts a bash to ask for its version.
    made = SHELLS[shell](Command(PROGRAM), {}, PROGRAM, VARIABLE)
    return Completion(shell, ShellComplete.source(made))
