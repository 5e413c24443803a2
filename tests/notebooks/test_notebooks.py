"""The notebooks: short, without outputs, and they run from the first cell to the last."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
HEAVY = ("02", "04", "05")
"""Notebooks that take as long as many tests: only in the slow run. Of those that stay, one is run by nbmake and one by
papermill."""
LONG = ROOT / "notebooks" / "03_morsdei_whole_games.ipynb"


def read(path: Path) -> Any:
    import nbformat

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nbformat.read(path, as_version=4)


def test_there_are_some() -> None:
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_shape(path: Path) -> None:
    book = read(path)
    assert book.metadata.kernelspec.name == "python3"
    assert "parameters" in book.cells[0].metadata.tags
    assert len(book.cells) <= 20
    for cell in book.cells:
        assert len(cell.source.splitlines()) <= 10
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
        elif cell.source.startswith("#"):
            assert any("а" <= letter <= "я" for letter in cell.source), "no Russian summary"


@pytest.mark.notebook
@pytest.mark.filterwarnings("default")
def test_papermill_plays_as_many_games_as_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parameters of the first cell are set from outside; what is written holds pictures and no error."""
    papermill = pytest.importorskip("papermill")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    written = tmp_path / "out.ipynb"
    papermill.execute_notebook(
        str(LONG), str(written), {"games": 400}, cwd=str(tmp_path), kernel_name="python3", execution_timeout=300,
        progress_bar=False,
    )  # fmt: skip
    book = read(written)
    outputs = [one for cell in book.cells for one in cell.get("outputs", ())]
    assert not [one for one in outputs if one.output_type == "error"]
    assert sum("image/png" in one.get("data", {}) for one in outputs) >= 3
    assert "400" in "".join(str(one.get("data", {}).get("text/html", "")) for one in outputs)


@pytest.mark.notebook
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.slow] if path.stem[:2] in HEAVY else [], id=path.stem)
        for path in NOTEBOOKS
        if path != LONG
    ],
)
def test_nbmake_runs_every_cell(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("nbmake")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbmake", "--nbmake-kernel=python3",
               "--nbmake-timeout=300", "--override-ini=addopts=", "-W", "default", str(path)]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "1 passed" in done.stdout
