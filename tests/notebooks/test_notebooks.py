"""The notebooks: short, without outputs, and they run from the first cell to the last."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


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
    assert len(book.cells) < 20
    for cell in book.cells:
        assert len(cell.source.splitlines()) <= 10
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
        elif cell.source.startswith("#"):
            assert any("а" <= letter <= "я" for letter in cell.source), "no Russian summary"


@pytest.mark.notebook
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    book = read(path)
    book.cells[0].source = book.cells[0].source.replace("games = 2_000", "games = 400")  # as papermill would set it
    client = nbclient.NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    errors = [output for cell in book.cells for output in cell.get("outputs", ()) if output.output_type == "error"]
    assert errors == []
    assert any(output.output_type != "stream" for cell in book.cells for output in cell.get("outputs", ()))
