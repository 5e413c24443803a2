"""The verb `report`: the file, the messages, the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.api.report import MOST_CARDS, _name
from morsdei_sim.cli.report import MANY, _announced
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
    written = tmp_path / "reports" / "my.html"
    assert str(Path("reports") / "my.html") in run.stdout
    assert run.stderr == ""
    text = written.read_text(encoding="utf-8")
    assert '<html lang="ru">' in text
    assert "python3 -m morsdei_sim report my.toml --lang ru" in text
    assert [path.name for path in written.parent.iterdir()] == [written.name]


def test_json(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    run = shell(tmp_path, "report", "mirror", "--games", "0", "--out", "deep/a.html", "--json")
    found = json.loads(run.stdout)
    assert found["games"] is None
    assert found["command"].endswith("report mirror --games 0 --lang en")
    assert found["path"] == str(Path("deep/a.html"))
    assert found["bytes"] == (tmp_path / "deep/a.html").stat().st_size
    assert found["engine"] == "exact"
    assert found["seed"] is None


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """`report` within this process, in an empty folder: what is refused at once needs no process of its own."""
    monkeypatch.chdir(tmp_path)

    def invoke(*words: str) -> Result:
        monkeypatch.setattr("sys.argv", ["__main__.py", "report", *words, "--lang", "en"])
        return CliRunner().invoke(cli.main, sys.argv[1:], catch_exceptions=False)

    return invoke


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nobody"], 3, "nobody"),
        (["mirror", "--out", "cards.toml"], 2, "must end in .html"),
        (["mirror", "--out", "file/x.html"], 2, "cannot be written"),
        (["mirror", "--out", "folder.html"], 2, "is a folder"),
        (["mirror", "--out", "no such/x.html"], 2, "mkdir -p 'no such'"),
        (["mirror", "--ruleset", "chess"], 2, "chess"),
        (["mirror", "--rule", "may_pass"], 2, "may_pass"),
        (["mirror", "line/sergeant", "--games", "4"], 2, "whole squads"),
        (["guard", "--ruleset", "club", "--games", "4"], 2, "no whole games"),
    ],
)
def test_mistakes_are_explained_in_a_line(
    tmp_path: Path, told: Callable[..., Result], words: list[str], code: int, said: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.html").mkdir()
    run = told(*words)
    assert run.exit_code == code, run.stderr
    assert said in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
    assert run.stdout == ""


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        (None, "morsdei"),
        (["my.toml"], "my"),
        (["my.toml/one0"], "my-one0"),
        (["line", "line/sergeant"], "line-line-sergeant"),
        (["."], "here"),
    ],
)
def test_the_page_is_named_after_the_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cards: list[str] | None, name: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    squad(Path("my.toml"), "melee")
    assert _name("morsdei", cards) == name


def test_long_names_are_cut_and_stay_apart() -> None:
    many = [f"line/{n:030}" for n in range(9)]
    one, other = _name("morsdei", many), _name("morsdei", [*many[:-1], "line/x"])
    assert len(one) == len(other) == 80
    assert one != other


def test_too_many_cards_are_refused_before_the_work(tmp_path: Path, told: Callable[..., Result]) -> None:
    mine = tmp_path / "my many.toml"
    squad(mine, "melee", fighters=MOST_CARDS + 1)
    run = told("my many.toml")
    assert run.exit_code == 2
    assert f"{MOST_CARDS + 1} cards are too many" in run.stderr
    assert "python3 -m morsdei_sim matrix 'my many.toml'" in run.stderr
    assert not (tmp_path / "reports").exists()


def test_long_work_is_announced_once_and_first() -> None:
    said: list[int] = []
    seen: list[tuple[int, int]] = []
    show = _announced(lambda done, planned: seen.append((done, planned)), said.append)
    for done in (1, 2, 3):
        show(done, MANY + 1)
    assert said == [MANY + 1]
    assert len(seen) == 3
    _announced(None, said.append)(1, MANY)
    assert len(said) == 1


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
    with pytest.raises(UserError, match="no space left"):
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
