"""The verb `test`: the project's own tests, run where they lie."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.paths import checkout

__all__ = ["Outcome", "test"]


@dataclass(frozen=True)
class Outcome:
    """How a run of the tests ended: pytest's exit code, 0 when all passed."""

    exit_code: int

    def to_dict(self) -> dict[str, Any]:
        return {"schema_version": 1, **asdict(self)}


def test(*arguments: str, slow: bool = False) -> Outcome:
    """Run the project's tests in a process of their own, file by file on all cores.

    Parameters
    ----------
    *arguments : str
        Handed to pytest as they are.
    slow : bool
        Run the tests marked `slow` as well.

    Returns
    -------
    Outcome
        With pytest's exit code.

    Raises
    ------
    UserError
        When there is no checkout or no pytest.
    """
    root = checkout()
    if root is None:
        raise UserError(_("The tests are not part of an installed package: run this in a checkout of the project."))
    if find_spec("pytest") is None:
        raise UserError(
            _("pytest is missing. To install it: python -m pip install --require-hashes -r requirements.lock")
        )
    # The last -m wins: an empty one lifts the "not slow" of pyproject.toml.
    everything = ["-m", ""] if slow else []
    run = subprocess.run([sys.executable, "-m", "pytest", *_workers(arguments), *everything, *arguments], cwd=root)
    return Outcome(run.returncode)


def _workers(arguments: Sequence[str]) -> list[str]:
    """One worker per core; none where the run is to be looked into, which needs a single process."""
    single = ("--pdb", "--trace", "-s", "--capture")
    if find_spec("xdist") is None or any(argument.startswith(single) for argument in arguments):
        return []
    return ["-n", "auto", "--dist", "loadfile"]
