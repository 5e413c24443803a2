"""What the benchmarks share: rounds that alternate between rivals, the machine in words, and one line of the table.

The scripts beside this file run one by one (`python benchmarks/shots.py`) or all together (`python benchmarks/run.py`).
Each first checks that the rivals give the same answer, then times them in turn, so that a busy machine slows both sides
of a ratio alike.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # so that a checkout that is not installed can be measured


@dataclass(frozen=True)
class Row:
    """One line of the table: ours, the rival's, how many times that is, the bar, and whether it was reached.

    `met` is None for a line that has no bar and is there for comparison. `hint` says where the time goes.
    """

    key: str
    ours: str
    rival: str = ""
    times: float | None = None
    bar: str = ""
    met: bool | None = None
    hint: str = ""


def duration(seconds: float) -> str:
    """Three digits and the unit that suits: `2.91 µs`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def rounds(
    rivals: dict[str, Callable[[], Any]],
    number: int,
    calls: dict[str, int] | None = None,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, list[float]]:
    """Seconds a call of each rival, round after round: all of them once, then all again.

    Processor time by default: what other processes take does not count. `calls`: how often each is called in a round.
    """
    for call in rivals.values():
        call()  # compiled, imported and in the caches before the clock runs
    times: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(number):
        for name, call in rivals.items():
            repeats = (calls or {}).get(name, 1)
            start = clock()
            for _call in range(repeats):
                call()
            times[name].append((clock() - start) / repeats)
    return times


def ratio(times: dict[str, list[float]], rival: str, ours: str) -> float:
    """Median over the rounds of rival / ours, each pair measured side by side."""
    return median(a / b for a, b in zip(times[rival], times[ours], strict=True))


def machine() -> dict[str, Any]:
    """Where the figures were measured. The load says how much else was going on."""
    packages = {name: metadata.version(name) for name in ("numpy", "numba", "icepool")}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **packages,
        "load": None if load is None else round(load, 1),
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def options(text: str | None) -> argparse.Namespace:
    """`--quick` (few rounds, for a test of the script) and `--long`."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few short rounds; the times mean little")
    parser.add_argument("--long", action="store_true", help="memory: up to 10^9 trials")
    return parser.parse_args()


def main(text: str | None, measure: Callable[..., list[Row]]) -> None:
    """Run one script by itself: its lines as JSON."""
    chosen = options(text)
    rows = measure(quick=chosen.quick, long=chosen.long)
    print(json.dumps({"machine": machine(), "rows": [asdict(row) for row in rows]}, ensure_ascii=False, indent=2))
