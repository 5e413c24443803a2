"""Commands as messages print them: pasted into the same terminal, they run."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from morsdei_sim.rulesets import DEFAULT

__all__ = ["command", "named_ruleset", "of_ruleset", "program", "several"]


def program() -> str:
    """`morsdei-sim` where the program was started by that name and the PATH knows it, otherwise through Python."""
    name = os.path.basename(sys.argv[0] if sys.argv else "")  # noqa: PTH119 (pathlib takes long to import)
    if name.partition(".")[0] == "morsdei-sim" and shutil.which("morsdei-sim"):
        return "morsdei-sim"
    return "py -m morsdei_sim" if os.name == "nt" else "python3 -m morsdei_sim"


def command(*words: object) -> str:
    """A whole command line; words with spaces are quoted as the system's shell wants it."""
    from morsdei_sim.cards.safe import quoted  # not at the start: --help reads no cards

    return f"{program()} {quoted(*words)}"


def of_ruleset(name: str) -> list[str]:
    """The option that names a ruleset, where it is not the one that is meant anyway."""
    return [] if name == DEFAULT else ["--ruleset", name]


def several(words: Sequence[str] | str | None) -> list[str] | None:
    """A list of references; None and an empty list both mean that none are named."""
    if isinstance(words, str):
        return [words]
    return [str(word) for word in words] if words else None


def named_ruleset(arguments: Sequence[str]) -> str:
    """The ruleset that a command line names, before anything else of it is read."""
    for here, word in enumerate(arguments):
        if word == "--ruleset" and here + 1 < len(arguments):
            return arguments[here + 1]
        if word.startswith("--ruleset="):
            return word.partition("=")[2]
    return DEFAULT
