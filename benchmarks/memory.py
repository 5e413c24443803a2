"""Peak memory while the trials grow a hundredfold (`--long`: a thousandfold): it must stay flat.

Each size runs in a process of its own; the peak is what the system reports for it.
"""

from __future__ import annotations

import subprocess
import sys

from bench import ROOT, Row, main

ONE_RUN = """
import resource, sys
from morsdei_sim import shoot
found = shoot("4d6 4+ 4", "Defence 3 HP 7", engine="sample", trials=int(sys.argv[1]), jobs=2)
low, high = found.outcome.interval("mean_damage")
assert abs(found.outcome.value("mean_damage") - 3.425783) < 4 * (high - low), found
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak * (1 if sys.platform == "darwin" else 1024))
"""


def peak(trials: int) -> float:
    """Peak memory of one run, in MB."""
    command = [sys.executable, "-c", ONE_RUN, str(trials)]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return int(run.stdout) / 1e6


def measure(quick: bool = False, long: bool = False) -> list[Row]:
    """Peaks by number of trials."""
    if sys.platform == "win32":
        return []  # the standard library tells no peak there
    first = 10_000 if quick else 1_000_000
    sizes = [first * 10**step for step in range(4 if long and not quick else 3)]
    # The smallest of three: how many blocks two threads hold at once is a matter of luck, some 20 MB of it.
    peaks = [min(peak(size) for _ in range(1 if quick else 3)) for size in sizes]
    grown = max(peaks) / peaks[0]
    shown = " → ".join(f"{value:.0f}" for value in peaks) + " MB"
    return [Row("memory", shown, times=grown, bar="≤ 1.1 ×", met=grown <= 1.1)]


if __name__ == "__main__":
    main(__doc__, measure)
