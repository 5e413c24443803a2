"""How long a command takes to start: `morsdei-sim --help`, and the first exact answer of a process, compiled before.

Bars: 0.2 s and 2 s. Wall time of whole processes, the median of seven.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from statistics import median

from bench import ROOT, Row, duration, main, rounds


def command(*arguments: str) -> str:
    """Run the command line in a process of its own; what it printed."""
    run = [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", *arguments]
    return subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True, encoding="utf-8").stdout


def measure(quick: bool = False, long: bool = False) -> list[Row]:
    """Times of two commands."""

    def help_text() -> None:
        assert "shoot" in command("--help")

    def answer() -> None:
        found = json.loads(command("shoot", "4d6 4+ 4", "Defence 3 HP 7", "--json"))
        assert abs(found["mean_damage"] - 3.425783) < 1e-6, found["mean_damage"]

    def bare() -> None:
        subprocess.run([sys.executable, "-c", "import numba"], check=True)

    times = rounds({"help": help_text, "answer": answer, "numba": bare}, 1 if quick else 7, clock=time.perf_counter)
    shown, first, numba = (median(times[name]) for name in ("help", "answer", "numba"))
    hint = f"importing numba alone takes {duration(numba)}"
    return [
        Row("help", duration(shown), bar="≤ 0.2 s", met=shown <= 0.2),
        Row("first-answer", duration(first), bar="≤ 2 s", met=first <= 2, hint="" if first <= 2 else hint),
    ]


if __name__ == "__main__":
    main(__doc__, measure)
