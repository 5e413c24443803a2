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
from sweep_tools import ROOT, contents, started

import morsdei_sim

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
    killed_again_and_again(study, 3)


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


# ── disks ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of which another place knows all bytes: `whole` beside it."""
    file = tmp_path_factory.mktemp("disks") / "study.toml"
    file.write_text(STUDY.replace("targets.defence = { from = 0, to = 3 }\n", ""), encoding="utf-8")
    morsdei_sim.run_study(file, file.parent / "whole")
    return file


def refused(study: Path, folder: Path, reason: str, limit: int | None = None) -> None:
    """The command says so in one clear sentence, and what was done is whole and stays."""
    whole, before = contents(study.parent / "whole"), contents(folder)
    running = started(study, str(folder), limit=limit)
    _out, err = running.communicate(timeout=60)
    assert running.returncode == 2
    assert err.splitlines() == [
        f"{folder}: cannot be written: {reason}", "What was done before stays; the same command goes on with it.",
    ]  # fmt: skip
    assert before.items() <= contents(folder).items() < whole.items(), "nothing lost, nothing half-written"


def mounted(folder: Path, options: str) -> None:
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("no disk may be mounted here")


def test_a_full_disk_and_a_read_only_one(finished: Path, tmp_path: Path) -> None:
    whole = contents(finished.parent / "whole")
    mounted(tmp_path, f"size={sum(map(len, whole.values())) // 2}")
    try:
        folder = tmp_path / "sweep"
        folder.mkdir()
        refused(finished, folder, "no space left on the disk")
        assert 3 <= len(contents(folder)) < len(whole) - 2
        mounted(tmp_path, "remount,ro")
        refused(finished, folder, "the disk is read-only")
        mounted(tmp_path, "remount,rw,size=10M")
        assert morsdei_sim.run_study(finished, folder).status == "complete"
        assert contents(folder) == whole
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.mark.slow
def test_a_file_that_may_not_be_so_large(finished: Path, tmp_path: Path) -> None:
    """A limit of the process, so that it can be tried everywhere; a quota is met in the same place."""
    whole, folder = contents(finished.parent / "whole"), tmp_path / "sweep"
    folder.mkdir()
    for name in list(whole)[:4]:
        (folder / name).write_bytes(whole[name])
    refused(finished, folder, "the file is larger than is allowed", limit=2000)
    assert morsdei_sim.run_study(finished, folder).status == "complete"
    assert contents(folder) == whole
