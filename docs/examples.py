"""Write the JSON examples of docs/json.md anew: each `sh` block is run, its output goes into the `json` block below it.

python docs/examples.py
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "json.md"
EXAMPLE = re.compile(r"(```sh\n(morsdei-sim [^\n]+)\n```\n\n```json\n)(.*?)\n(```)", re.DOTALL)


def printed(command: str, folder: str) -> str:
    """What a command line of the page prints, run in `folder` with this Python."""
    arguments = [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", *shlex.split(command)[1:]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MORSDEI_LANG": "en"}
    done = subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")
    return done.stdout.strip()


def renewed(text: str) -> str:
    """The page with every example run again, from the first to the last, in one empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        return EXAMPLE.sub(lambda found: found[1] + printed(found[2], folder) + "\n" + found[4], text)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
