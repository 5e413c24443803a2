"""`init`: what it makes runs as it stands, in every ruleset and both languages; what is there is left alone."""

from __future__ import annotations

import json
import re
import shlex
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.cards import read
from morsdei_sim.errors import UserError
from morsdei_sim.rulesets import ROOMS, room

ROOT = Path(__file__).resolve().parents[2]
FILES = ["cards.toml", "cards.xlsx", "notebook.ipynb", "study.toml"]


def run(*words: str) -> Result:
    return CliRunner().invoke(cli.main, list(words))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


@pytest.mark.parametrize("ruleset", ROOMS)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_what_it_makes_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ruleset: str, lang: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["x", "--ruleset", ruleset])
    made = run("init", "--ruleset", ruleset, "--lang", lang)
    assert made.exit_code == 0, made.output
    assert sorted(contents(tmp_path / "my-game")) == FILES
    for line in morsdei_sim.init("other", ruleset=ruleset, lang=lang).commands:
        assert line.replace("other", "my-game") in made.stdout
        words = shlex.split(line.replace("other", "my-game"))[3:]
        if words[0] in ("validate", "sweep"):
            done = run(*words, "--lang", lang)
            assert done.exit_code == 0, done.output
    assert run("validate", "my-game", "--ruleset", ruleset).exit_code == 0, "the study beside the cards is no card file"
    told = run("validate", "my-game/study.toml", "--ruleset", ruleset, "--lang", "en")
    assert (told.exit_code, len(told.stderr.splitlines())) == (3, 1)
    assert "is a study" in told.stderr
    texts = "".join(one.decode() for name, one in contents(tmp_path / "my-game").items() if name != "cards.xlsx")
    notes = re.findall(r"^# (.*)|\"(## .*)\\n\"", texts, re.MULTILINE)
    assert len(notes) > 15
    assert all(
        bool(re.search("[а-я]{4}", " ".join(note))) == (lang == "ru")
        for note in notes
        if "    " not in note[0] and "[[" not in note[0]
    ), notes
    model = room(ruleset).model
    cards = read("my-game/cards.toml", model)
    assert len(cards) == 3
    assert read("my-game/cards.xlsx", model) == cards


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "cards.toml").write_text("mine")
    (folder / "study.toml").write_text("mine too")
    refused = run("init", str(folder), "--lang", "en")
    assert refused.exit_code == 2
    assert "it holds cards.toml, study.toml" in refused.stderr
    assert contents(folder) == {"cards.toml": b"mine", "study.toml": b"mine too"}
    for path in (tmp_path / "file", tmp_path / "no" / "such", tmp_path / "dangling", tmp_path / "x\0y"):
        if path.name == "file":
            path.touch()
        if path.name == "dangling":
            path.symlink_to("nowhere")
        with pytest.raises(UserError):
            morsdei_sim.init(path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["dangling", "file", "mine"]


def test_a_folder_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UserError, match=r"no space left|нет места"):
        morsdei_sim.init(tmp_path / "mine")
    assert list(tmp_path.iterdir()) == []


def test_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document = json.loads(run("init", "wolves", "--ruleset", "club", "--json").stdout)
    assert document["folder"] == "wolves"
    assert sorted(document["files"]) == FILES
    assert "<script>" not in morsdei_sim.init("<script>")._repr_html_()


@pytest.mark.notebook
@pytest.mark.filterwarnings("default")
def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient")
    import nbformat

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    morsdei_sim.init(tmp_path / "mine", lang="ru")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is a valid notebook
        book = nbformat.read(tmp_path / "mine" / "notebook.ipynb", as_version=4)
        nbformat.validate(book)
    assert "parameters" in book.cells[0].metadata.tags
    client = nbclient.NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path / "mine")}}
    )
    client.execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    assert {one.output_type for one in outputs} == {"execute_result", "display_data"}, "no error, nothing said twice"
    assert "Сержант" in str(outputs)
