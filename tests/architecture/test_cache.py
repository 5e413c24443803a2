"""The cache of compiled kernels may cost time, never an answer: not after an edit, not when damaged, not when it
cannot be written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from morsdei_sim import _jit

PACKAGE = Path(__file__).resolve().parents[2] / "morsdei_sim"

SHOT = """
from morsdei_sim.fight import exact
from morsdei_sim.rulesets.morsdei.rules import Rules
from morsdei_sim.rulesets.morsdei.shooting import Shooter, Shooting, Target
chances = exact.pmf(Shooting(*Rules()), Shooter(1, 4, 1, 0, 0, 0, 0, 0, 1), Target(0, 9, 9, 0, 0, 0, 0))
print("answer", sum(p * (state >> 2) for state, p in enumerate(chances)))
"""
RANKING = """
from morsdei_sim.rulesets.morsdei.melee import ranking
print("answer", ranking(4, 2).sum(), sum(ranking.stats.cache_hits.values()))
"""


def ask(copy: Path, cache: Path, script: str) -> list[str]:
    """What a fresh process answers."""
    environment = os.environ | {"MORSDEI_CACHE_DIR": str(cache), "PYTHONPATH": str(copy), "PYTHONWARNINGS": "default"}
    environment.pop("NUMBA_CACHE_DIR", None)  # it is set in this process
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr
    return next(line.split()[1:] for line in run.stdout.splitlines() if line.startswith("answer"))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout of one's own."""
    shutil.copytree(PACKAGE, tmp_path / "copy" / "morsdei_sim", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "copy"


def edit(copy: Path, file: str, old: str, new: str) -> None:
    path = copy / "morsdei_sim" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_an_edit_of_an_imported_kernel_counts(copy: Path, tmp_path: Path) -> None:
    """`pool_size` is woven into the driver in another file, whose own text does not change: Numba alone would serve
    the old number."""
    cache = tmp_path / "cache"
    assert ask(copy, cache, SHOT) == ["0.5"]
    (before,) = (cache / "kernels").iterdir()
    kept = sorted(path.name for path in before.rglob("*.nb?"))
    assert kept
    edit(copy, "rulesets/morsdei/rules.py", "return max(0, dice + change)", "return max(0, dice + change + 1)")
    assert float(ask(copy, cache, SHOT)[0]) == pytest.approx(145 / 216)  # two dice against one
    assert len(list((cache / "kernels").iterdir())) == 2
    edit(copy, "rulesets/morsdei/rules.py", "return max(0, dice + change + 1)", "return max(0, dice + change)")
    assert ask(copy, cache, SHOT) == ["0.5"]
    assert len(list((cache / "kernels").iterdir())) == 2  # the first folder serves again
    assert sorted(path.name for path in before.rglob("*.nb?")) == kept


@pytest.mark.parametrize("file", ["_jit.py", "dice/philox.py", "fight/solve.py", "rulesets/morsdei/melee.py"])
def test_every_kernel_source_names_the_folder(copy: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    """Any edit moves the cache."""
    monkeypatch.setattr(_jit, "PACKAGE", copy / "morsdei_sim")
    before = _jit.cache_folder()
    path = copy / "morsdei_sim" / file
    path.write_bytes(path.read_bytes() + b"\n# edited\n")
    assert _jit.cache_folder() != before


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def garbled(path: Path) -> None:
    path.write_bytes(b"\x80\x05garbage" * 50)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param("import numba", marks=pytest.mark.slow),  # each takes two processes
        "from morsdei_sim.rulesets.morsdei.game.bots import toolkit",
    ],
    ids=["numba", "toolkit"],
)
def test_kernels_are_kept_whatever_is_imported_first(copy: Path, tmp_path: Path, first: str) -> None:
    """A notebook imports Numba for itself, or what a bot is written with, before anything else."""
    cache = tmp_path / "cache"
    answer, hits = ask(copy, cache, f"{first}\n{RANKING}")
    assert hits == "0"
    assert ask(copy, cache, f"{first}\n{RANKING}") == [answer, "1"]


INDEX, KERNEL = "*ranking*.nbi", "*ranking*.nbc"
OTHERS = [(INDEX, emptied), (INDEX, garbled), (KERNEL, emptied), (KERNEL, Path.unlink)]


@pytest.mark.parametrize(
    "damages",
    [[(INDEX, cut), (KERNEL, cut)], pytest.param(OTHERS, marks=pytest.mark.slow)],  # each takes a process
    ids=["cut", "empty, garbled or missing"],
)
def test_damaged_files_are_compiled_again(
    copy: Path, tmp_path: Path, damages: list[tuple[str, Callable[[Path], None]]]
) -> None:
    """An index, then a kernel that is not what was written."""
    cache = tmp_path / "cache"
    answer, hits = ask(copy, cache, RANKING)
    assert hits == "0"
    assert ask(copy, cache, RANKING) == [answer, "1"]  # served from the cache
    for pattern, spoil in damages:
        paths = list(cache.rglob(pattern))
        assert paths
        for path in paths:
            spoil(path)
        assert ask(copy, cache, RANKING)[0] == answer, (pattern, spoil)
    assert ask(copy, cache, RANKING) == [answer, "1"]  # and mended


def test_a_folder_that_cannot_be_written(copy: Path, tmp_path: Path) -> None:
    """A file where the folder should be, and a folder that takes nothing (even from root). Nothing is kept then: a
    cache beside the source would outlive an edit elsewhere."""
    answer = ask(copy, tmp_path / "cache", RANKING)[0]
    blocked = tmp_path / "blocked"
    blocked.write_text("not a folder")
    assert ask(copy, blocked, RANKING)[0] == answer
    if Path("/proc/self").exists():
        assert ask(copy, Path("/proc/morsdei"), RANKING)[0] == answer
    if os.name == "posix" and os.geteuid() != 0:
        locked = tmp_path / "locked"
        locked.mkdir(mode=0o555)
        assert ask(copy, locked, RANKING)[0] == answer
    assert list(copy.rglob("*.nb?")) == []


RACE = """
import race
from morsdei_sim import _jit

one, third = _jit.kernel(race.double), _jit.kernel(race.double)
_jit.PROCESS = "another"
other = _jit.kernel(race.double)
files, theirs = one._cache._cache_file, other._cache._cache_file
write, theirs._load_index = files._save_data, dict  # the other process has looked before this one wrote its index


def later(name, data):
    other(1.5)
    write(name, data)


files._save_data = later
one(3)
print("answer", third(1.5), third(3))
"""


def test_two_processes_that_compile_at_once_do_not_mix_their_code(copy: Path, tmp_path: Path) -> None:
    """One compiles for whole numbers, the other for fractions; their files are written in the worst order."""
    (copy / "race.py").write_text("def double(x):\n    return x + x\n", encoding="utf-8")
    assert ask(copy, tmp_path / "cache", RACE) == ["3.0", "6"]


FOREIGN = """
from typing import NamedTuple


class Mine(NamedTuple):
    n: int


class Inside(NamedTuple):
    mine: tuple
"""
ABROAD = """
import race
from foreign import Inside, Mine

print("answer", *(race.length(given) for given in (Mine(3), (Mine(3), 4), Inside((Mine(3),)), (1, 2))))
"""
AT_HOME = """
import race
print("answer", race.length((1, 2)), sum(race.length.stats.cache_hits.values()))
"""
UNREADABLE = """
import race
from morsdei_sim import _jit
index = race.length._cache._cache_file
load = index._load_index
index._load_index = lambda: __import__("a_module_that_is_not_there")  # as an index that names a type from there
print("answer", race.length((1, 2, 3)))
"""


def test_types_of_others_are_not_kept(tmp_path: Path) -> None:
    """Code for a named tuple of a test or a notebook would make the index unreadable to every other process."""
    (tmp_path / "race.py").write_text(
        "from morsdei_sim._jit import kernel\n\n\n@kernel\ndef length(given):\n    return len(given)\n"
    )
    (tmp_path / "abroad").mkdir()
    (tmp_path / "abroad" / "foreign.py").write_text(FOREIGN)
    home, abroad = [PACKAGE.parent, tmp_path], [PACKAGE.parent, tmp_path, tmp_path / "abroad"]
    for script, folders, told in (
        (ABROAD, abroad, "1 2 1 2"), (AT_HOME, home, "2 1"), (UNREADABLE, home, "3"), (AT_HOME, home, "2 0")
    ):  # fmt: skip
        environment = {"MORSDEI_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(map(str, folders))}
        run = subprocess.run(
            [sys.executable, "-c", script], env=os.environ | environment, capture_output=True, text=True, check=False
        )
        assert run.stdout.split() == ["answer", *told.split()], (script, run.stdout, run.stderr)
