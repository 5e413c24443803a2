"""Ctrl-C stops long work on any number of threads: exit 130, one line, no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MANY = ["--engine", "sample", "--trials", "100000000000"]


@pytest.mark.skipif(os.name == "nt", reason="a POSIX signal is sent")
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["shoot", "4d6 4+ 4", "Defence 3 HP 7", "--jobs", "1"], marks=pytest.mark.slow),
        ["shoot", "4d6 4+ 4", "Defence 3 HP 7", "--jobs", "2"],
        pytest.param(["melee", "4d6 4+ 4 HP 9", "4d6 4+ 4 HP 7"], marks=pytest.mark.slow),
        ["matrix", "line", "--jobs", "2"],
    ],
)
def test_an_interrupt_stops_the_work(words: list[str]) -> None:
    arguments = [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", *words]
    subprocess.run([*arguments, "--engine", "sample", "--trials", "1024"], cwd=ROOT, check=True, capture_output=True)
    running = subprocess.Popen(
        [*arguments, *MANY], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    time.sleep(5)
    assert running.poll() is None
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert "Traceback" not in err
