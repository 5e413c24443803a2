"""The verb `report`: the file, the messages, the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import morsdei_sim
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import language
from tests.report.conftest import squad

ROOT = Path(__file__).resolve().parents[2]


def shell(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MORSDEI_LANG": "en"}
    command = [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")


def test_a_card_file_of_ones_own(tmp_path: Path) -> None:
    squad(tmp_path / "my.toml", "melee", "ranged")
    run = shell(tmp_path, "report", "my.toml", "--lang", "ru")
    assert run.returncode == 0, run.stderr
    written = tmp_path / "reports" / "morsdei-ru.html"
    assert str(Path("reports") / "morsdei-ru.html") in run.stdout
    assert run.stderr == ""
    text = written.read_text(encoding="utf-8")
    assert '<html lang="ru">' in text
    assert "morsdei-sim report my.toml --lang ru" in text
    assert [path.name for path in written.parent.iterdir()] == [written.name]


def test_json(tmp_path: Path) -> None:
    run = shell(tmp_path, "report", "mirror", "--out", "deep/er/a.html", "--json")
    found = json.loads(run.stdout)
    assert found["path"] == str(Path("deep/er/a.html"))
    assert found["bytes"] == (tmp_path / "deep/er/a.html").stat().st_size
    assert found["engine"] == "exact"
    assert found["seed"] is None


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nobody"], 3, "nobody"),
        (["mirror", "--out", "cards.toml"], 2, "must end in .html"),
        (["mirror", "--out", "file/x.html"], 2, "cannot be written"),
        (["mirror", "--out", "folder.html"], 2, "is a folder"),
        (["mirror", "--ruleset", "chess"], 2, "chess"),
        (["mirror", "--rule", "may_pass"], 2, "may_pass"),
    ],
)
def test_mistakes_are_explained_in_a_line(tmp_path: Path, words: list[str], code: int, said: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.html").mkdir()
    run = shell(tmp_path, "report", *words)
    assert run.returncode == code, run.stderr
    assert said in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
    assert run.stdout == ""


def test_a_card_file_is_never_replaced(tmp_path: Path) -> None:
    mine = Path(squad(tmp_path / "my.toml", "melee"))
    before = mine.read_bytes()
    with pytest.raises(UserError):
        morsdei_sim.report(str(mine), out=mine)
    assert mine.read_bytes() == before


def test_faulty_cards_leave_the_old_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")
    (tmp_path / "bad.toml").write_text('[[fighter]]\nname = "A"\n')
    with pytest.raises(CardFaults):
        morsdei_sim.report(str(tmp_path / "bad.toml"), out=page)
    assert page.read_text() == "old"


def test_a_full_disk_leaves_the_old_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="No space left"):
        morsdei_sim.report(squad(tmp_path / "my.toml", "melee"), out=page)
    assert page.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my.toml", "page.html"]


def test_the_language_of_the_messages_stays(tmp_path: Path) -> None:
    found = morsdei_sim.report(squad(tmp_path / "my.toml", "melee"), out=tmp_path / "page.html", lang="ru")
    assert language() == "en"
    assert found.lang == "ru"
    assert found.path.read_bytes().startswith(b"<!doctype html>")
    assert "srcdoc" in found._repr_html_()
    assert str(found.path) in repr(found)
    with pytest.raises(UserError, match="de"):
        morsdei_sim.report("mirror", lang="de", out=tmp_path / "page.html")


def test_simulation_is_named_in_the_command(tmp_path: Path) -> None:
    found = morsdei_sim.report(
        squad(tmp_path / "my.toml", "melee"), out=tmp_path / "page.html", engine="sample", trials=200, seed=7
    )
    command = found.to_dict()["command"]
    assert "--engine sample --trials 200 --seed 7" in command
