"""The benchmark scripts run, and the rivals in them agree (each stops when they do not). No time is asserted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

import run as table  # noqa: E402
import sampling  # noqa: E402

sys.path.remove(str(ROOT / "benchmarks"))


@pytest.mark.parametrize(
    "script",
    [
        script if script in ("shots", "melee") else pytest.param(script, marks=pytest.mark.slow)
        for script in table.SCRIPTS
    ],
)
def test_runs(script: str) -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / f"{script}.py"), "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert rows or sys.platform == "win32"
    for row in rows:
        assert set(table.TITLES) >= {row["key"]}
        assert row["ours"]


def test_table_in_both_languages(tmp_path: Path) -> None:
    where = dict.fromkeys("day processor cores system python numpy numba icepool load".split(), "1.5")
    row = {
        "key": "shot-icepool",
        "ours": "2.91 µs",
        "rival": "icepool: 1.2 ms",
        "times": 412.3,
        "bar": "≥ 300 ×",
        "met": False,
    }
    assert "| 2.91 µs | icepool: 1.2 ms | 412 × | ≥ 300 × | **no** |" in table.table([row], where, "en")
    assert "| 2,91 мкс | icepool: 1,2 мс | 412 × | ≥ 300 × | **нет** |" in table.table([row], where, "ru")
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{table.START}\nold\n{table.END}\nafter\n", encoding="utf-8")
    table.write_readme(readme, "new")
    assert readme.read_text(encoding="utf-8") == f"before\n{table.START}\nnew\n{table.END}\nafter\n"


def test_a_wrong_rival_is_noticed() -> None:
    """Chi-square stops a sampler whose shot has another distribution."""
    import numpy as np

    fair = np.array([0.4435, 0.3261, 0.1691, 0.0532, 0.0081])
    sampling.check("the right one", np.round(fair * 65536).astype(np.int64), fair)
    with pytest.raises(SystemExit, match="chi-square"):
        sampling.check("the wrong one", np.round(fair[[0, 2, 1, 3, 4]] * 65536).astype(np.int64), fair)


def test_one_script_again_keeps_the_figures_of_the_others() -> None:
    old = {"machine": {"day": "1", "load": 0.5}, "rows": [{"key": key, "ours": "old"} for key in ("a", "games-x", "b")]}
    new = [{"key": "games-x", "ours": "new"}, {"key": "games-y", "ours": "new"}]
    found = table.renewed(old, new, "games", {"day": "2", "load": 3.0})
    assert [(row["key"], row["ours"]) for row in found["rows"]] == [
        ("a", "old"), ("games-x", "new"), ("games-y", "new"), ("b", "old")
    ]  # fmt: skip
    assert found["machine"] == old["machine"] | {"later": {"games": {"day": "2", "load": 3.0}}}
    added = table.renewed({**old, "rows": old["rows"][:1]}, new, "games", {"day": "2", "load": 3.0})
    assert [row["key"] for row in added["rows"]] == ["a", "games-x", "games-y"]
    where = dict.fromkeys("day processor cores system python numpy numba icepool load".split(), "1.5")
    where |= {"later": {"games": {"day": "2", "load": 3.0}}}
    assert table.table([], where, "en").endswith("load 1.5 at the start. `games`: 2, load 3.0.")
