"""The real process killed and interrupted at any moment: nothing is lost, and the same command finishes the work."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from sweep_tools import contents

ROOT = Path(__file__).parents[2]
STUDY = """\
verb = "shoot"
attackers = ["line/marksman"]
targets = ["mirror"]
[changes]
attackers.hit = [2, 3, 4, 5]
attackers.damage = { from = 1, to = 4 }
targets.hp = { from = 1, to = 40 }
targets.defence = { from = 0, to = 3 }
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals are sent")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    file = tmp_path / "study.toml"
    file.write_text(STUDY, encoding="utf-8")
    return file


def started(study: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", "sweep", "run", str(study), *words, "--jobs", "2"],
        cwd=ROOT, env={**os.environ, "MORSDEI_LANG": "en"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


def parts(folder: Path) -> set[str]:
    return {file.name for file in folder.glob("part-*")}


def until(running: subprocess.Popen[str], folder: Path, more_than: int) -> None:
    """Wait until there are more parts, or the process has ended."""
    while running.poll() is None and len(parts(folder)) <= more_than:
        time.sleep(0.001)


def killed_again_and_again(study: Path, moments: int) -> None:
    done = started(study, str(study.parent / "undisturbed"))
    out, err = done.communicate(timeout=300)
    assert done.returncode == 0, err
    whole = contents(study.parent / "undisturbed")
    assert len(whole) == 41
    folder, dice, killed = study.with_suffix(".sweep"), random.Random(20261130), 0
    for moment in range(moments):
        running = started(study)
        if moment % 3:  # amid the parts, else amid the start
            until(running, folder, len(parts(folder)))
            time.sleep(dice.uniform(0, 0.1))
        else:
            time.sleep(dice.uniform(0, 1.5))
        running.kill()
        running.communicate(timeout=60)
        killed += running.returncode == -signal.SIGKILL
        for name in parts(folder):
            assert pq.read_metadata(folder / name).num_rows > 64
        if len(parts(folder)) > 30:  # room for the next
            for name in sorted(parts(folder))[::2]:
                (folder / name).unlink()
    assert killed >= moments // 2, "a fast machine may be done before"
    last = started(study)
    out, err = last.communicate(timeout=300)
    assert (last.returncode, err) == (0, "")
    assert "40 of 40 parts done" in out
    assert contents(folder) == whole


def test_killed_at_any_moment(study: Path) -> None:
    killed_again_and_again(study, 6)


@pytest.mark.slow
def test_killed_at_twenty_moments(study: Path) -> None:
    killed_again_and_again(study, 20)


def test_an_interrupt_finishes_what_was_begun(study: Path) -> None:
    running, folder = started(study), study.with_suffix(".sweep")
    until(running, folder, 0)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (4, "")
    assert 0 < len(parts(folder)) < 40
    assert not list(folder.glob(".*")), "nothing half-written"
    (again,) = [line.partition(": ")[2] for line in out.splitlines() if line.startswith("To go on: ")]
    words = shlex.split(again)
    assert words[:3] == ["python3", "-m", "morsdei_sim"]
    finished = subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert len(parts(folder)) == 40
