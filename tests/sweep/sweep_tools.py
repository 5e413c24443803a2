"""What the tests of sweeps share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a sweep's folder, byte by byte."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def started(study: Path, *words: str, limit: int | None = None) -> subprocess.Popen[str]:
    """`sweep run` as a process of its own, which a Ctrl-C reaches as in a terminal; no file of it may be larger than
    `limit` bytes."""

    def prepare() -> None:
        import resource

        signal.signal(signal.SIGINT, signal.default_int_handler)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.Popen(
        [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", "sweep", "run", str(study), *words, "--jobs", "2"],
        cwd=ROOT, env={**os.environ, "MORSDEI_LANG": "en"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=prepare,
    )  # fmt: skip
