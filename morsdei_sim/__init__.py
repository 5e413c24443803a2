"""What a change to a fighter card does to the game.

Every verb of the command line is a function here: ``morsdei_sim.shoot("4d6 4+ 4", "Defence 3 HP 7")``.
Nothing heavy is imported before a verb is used. Python 3.8 must be able to import this file: the self-installing
entry starts here.
"""

from __future__ import annotations

# As of `typing`, which takes so long to import that a Ctrl-C would often meet it (see `__main__`).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_VERBS = (
    "activations",
    "battle",
    "boards",
    "charge",
    "completion",
    "doctor",
    "duel",
    "engagement",
    "init",
    "ladder",
    "matrix",
    "melee",
    "replay",
    "report",
    "schema",
    "shoot",
    "show",
    "template",
    "test",
    "validate",
    "watch",
    "wounds",
)

_MORE = {
    "bot": "bot",
    "explore": "explore",
    "open_sweep": "run_study",
    "report_diff": "report_diff",
    "run_study": "run_study",
}
"""Public names that are no verbs, each with the module of `api` that has it."""

__all__ = ["__version__", *_MORE, *_VERBS]


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("morsdei-sim")
    except PackageNotFoundError:  # run from a checkout that was never installed
        import os
        import re

        pyproject = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "pyproject.toml")
        try:
            with open(pyproject, encoding="utf-8") as lines:
                found = re.search(r'^version = "([^"]+)"', lines.read(), re.MULTILINE)
        except OSError:
            found = None
        return found.group(1) if found else "0+unknown"


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _version()
    elif name in _VERBS or name in _MORE:
        from importlib import import_module

        value = getattr(import_module("morsdei_sim.api." + _MORE.get(name, name)), name)
    else:
        raise AttributeError("module {!r} has no attribute {!r}".format(__name__, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
