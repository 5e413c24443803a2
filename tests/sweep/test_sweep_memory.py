"""Memory of a sweep grows neither with its trials nor with its cells: each size in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ONE_RUN = """
import resource, sys
import morsdei_sim
found = morsdei_sim.run_study(sys.argv[1], jobs=2)
assert (found.status, found.errors) == ("complete", 0)
print(found.cells, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""

WHO = 'verb = "shoot"\nattackers = ["line/marksman"]\ntargets = ["mirror"]\n'

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the standard library tells no peak there"),
]


def peak(folder: Path, name: str, text: str) -> tuple[int, int]:
    """Cells of a study and the peak of memory while it is done."""
    study = folder / f"{name}.toml"
    study.write_text(WHO + text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ONE_RUN, str(study)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    cells, most = done.stdout.split()
    return int(cells), int(most)


def test_a_thousand_million_trials_take_the_memory_of_a_million(tmp_path: Path) -> None:
    few, many = (
        peak(tmp_path, str(trials), f'[run]\nengine = "sample"\ntrials = {trials}\n')[1] for trials in (10**6, 10**9)
    )
    assert many <= 1.1 * few, (few, many)


def test_forty_times_the_cells_take_the_same_memory(tmp_path: Path) -> None:
    """640 and 25,600 exact cells: a kilobyte kept of each would be 25 MB."""
    changes = "[changes]\nattackers.hit = [2, 3, 4, 5]\nattackers.damage = {{ from = 1, to = 4 }}\n"
    changes += "targets.hp = {{ from = 1, to = 40 }}\ntargets.defence = {{ from = 0, to = {most} }}\n"
    axis = "attackers.dice = { from = 1, to = 10 }\n"
    few = peak(tmp_path, "few", changes.format(most=0))
    many = peak(tmp_path, "many", changes.format(most=3) + axis)
    assert (few[0], many[0]) == (640, 25_600)
    assert many[1] <= 1.1 * few[1], (few, many)
