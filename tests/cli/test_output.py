"""Where nothing can be written, and values that no question has: one line, the documented code, no traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from morsdei_sim import cli

ROOT = Path(__file__).parents[2]
SHOT = ["shoot", "4d6 4+ 4", "Defence 3 HP 7"]


def run(words: list[str], stdout: str | None = None) -> tuple[int, str]:
    command = [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", *words]
    with open(stdout or "/dev/null", "w") as out:  # noqa: PTH123
        done = subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.PIPE, text=True, timeout=120)
    assert "Traceback" not in done.stderr
    assert "bug" not in done.stderr
    return done.returncode, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
@pytest.mark.parametrize("words", [["show", "line"], [*SHOT, "--json"], ["--help"], ["schema"]])
def test_a_full_disk_is_said(words: list[str]) -> None:
    code, said = run(words, "/dev/full")
    assert code == 2
    assert len(said.splitlines()) == 1


def test_a_huge_name_is_cut() -> None:
    code, said = run(["shoot", "a" * 100_000, "Defence 3 HP 7"])
    assert code == 2
    assert len(said) < 400


@pytest.mark.parametrize(
    "words",
    [
        [*SHOT, "--prone-policy", "worth", "--prone-cost", "nan"],
        [*SHOT, "--prone-policy", "worth", "--prone-cost=-1"],
        ["activations", *SHOT[1:], "--prone-cost", "inf"],
        ["duel", "line/rifleman", "line/sergeant", "--distance", "1e300"],
    ],
)
def test_no_question_has_such_numbers(words: list[str]) -> None:
    assert run(words)[0] == 2


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A disk that cannot be written."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "none", disk], capture_output=True, check=False).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ("template {}", "cards.xlsx"), ("init {}", "mine"), ("report mirror --out {}", "page.html"),
        ("replay line mirror --out {}", "game.txt"), ("matrix mirror --csv {}", "rows.csv"),
        ("boards twin-yards --svg {}", "board.svg"), ("sweep export none.sweep {}", "rows.csv"),
    ],
)  # fmt: skip
def test_a_read_only_disk_is_no_matter_of_permissions(read_only: Path, words: str, file: str) -> None:
    done = CliRunner().invoke(cli.main, shlex.split(words.format(read_only / file)))
    assert done.exit_code == 2
    assert done.stderr == f"{read_only / file}: cannot be written: the disk is read-only\n"
