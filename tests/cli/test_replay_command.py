"""`replay` on the command line: sentences, a page, one document; both languages; exit codes; fields explained."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from morsdei_sim import cli

ROOT = Path(__file__).parents[2]

YARD = """
name = "Yard"
name_ru = "Двор"
size = [15, 9]
loot = [[7.5, 4.5]]
zones = [[0, 0, 15, 3], [0, 6, 15, 9]]
[[piece]]
kind = "impassable"
box = [3, 3.5, 0.5, 2]
height = 3
"""

SHARED = {"schema_version", "verb", "ruleset", "ruleset_version", "engine", "seed"}


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small board, quick to make ready."""
    path = tmp_path_factory.mktemp("boards") / "yard.toml"
    path.write_text(YARD, encoding="utf-8")
    return str(path)


def said(*words: str) -> Result:
    return CliRunner().invoke(cli.main, list(words), catch_exceptions=False)


def explained() -> set[str]:
    """The fields of `replay` that docs/json.md explains."""
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    part = page.partition("\n## replay\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([a-z_0-9]+)`", row)}


def told(yard: str, *more: str) -> Result:
    return said("replay", "line", "mirror", "--board", yard, "--bots", "rusher", *more)


def test_sentences_unless_a_file_is_named(yard: str, tmp_path: Path) -> None:
    shown = told(yard, "--game", "1")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert len(shown.stdout.splitlines()) > 40
    page = tmp_path / "game.html"
    written = told(yard, "--game", "1", "--out", str(page))
    assert written.exit_code == 0
    assert re.fullmatch(rf"Game 1: [^\n]+ VP, \d+ events\.\n{re.escape(str(page))}\n", written.stdout)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_one_document(yard: str, tmp_path: Path) -> None:
    shown = told(yard, "--game", "4", "--json")
    document = json.loads(shown.stdout)
    assert (document["verb"], document["game"], document["path"]) == ("replay", 4, None)
    assert document == json.loads(told(yard, "--game", "4", "--json").stdout)
    out = tmp_path / "game.txt"
    with_file = json.loads(told(yard, "--game", "4", "--json", "--out", str(out)).stdout)
    assert with_file == document | {"path": str(out)}
    assert set(document) - SHARED <= explained()


def test_two_games(yard: str, tmp_path: Path) -> None:
    shown = said("replay", "mirror", "line", "--board", yard, "--bots", "rusher", "--instead", "bulwark", "--json")
    document = json.loads(shown.stdout)
    assert set(document) - SHARED <= explained()
    assert set(document["changed"]) <= explained()
    assert document["changed"]["result"] < document["result"], "in favour of A"


def test_russian(yard: str, tmp_path: Path) -> None:
    text = told(yard, "--lang", "ru").stdout
    assert len(re.findall("[а-яё]{4,}", text)) > 100
    written = told(yard, "--lang", "ru", "--out", str(tmp_path / "game.html")).stdout
    assert written.startswith("Партия 0: ")
    assert "событий" in written
    assert 'lang="ru"' in (tmp_path / "game.html").read_text(encoding="utf-8")
    assert re.search("[а-я]{4}", said("replay", "--help", "--lang", "ru").stdout)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["line"], 2, "Missing argument"),
        (["nosuch", "mirror"], 3, 'no squad "nosuch"'),
        (["line", "mirror", "--game", "-1"], 2, "games have the numbers"),
        (["line", "mirror", "--game", "x"], 2, "--game"),
        (["line", "mirror", "--board", "all"], 2, "of one board"),
        (["line", "mirror", "--out", "x.png"], 2, "must end in .html"),
        (["line", "mirror", "--games", "7"], 2, "--games"),
        (["line", "mirror", "--rule", "rounds=99"], 2, "must be 1 to 7"),
        (["line", "mirror", "--ruleset", "club"], 2, "The ruleset club has no replay"),
    ],
)
def test_mistakes(words: list[str], code: int, message: str) -> None:
    shown = said("replay", *words)
    assert (shown.exit_code, shown.stdout) == (code, "")
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
    error = json.loads(said("replay", *words, "--json").stdout)["error"]
    assert error["exit_code"] == code
