"""`battle`, `ladder` and `boards` on the command line: one document, the language, exit codes, Ctrl-C; the page that
explains the document names every field."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
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


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small board, quick to make ready."""
    path = tmp_path_factory.mktemp("boards") / "yard.toml"
    path.write_text(YARD, encoding="utf-8")
    return str(path)


def said(*words: str) -> Result:
    return CliRunner().invoke(cli.main, list(words), catch_exceptions=False)


def few(yard: str, *more: str) -> list[str]:
    return ["battle", "line", "mirror", "--board", yard, "--games", "20", "--bots", "random,tactician", *more]


def fields(section: str) -> set[str]:
    """The fields that a section of docs/json.md explains."""
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    part = page.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([a-z_0-9]+)`", row)}


COMMON = {"schema_version", "verb", "ruleset", "ruleset_version", "engine", "seed"}


def test_battle_prints_one_document(yard: str) -> None:
    shown = said(*few(yard, "--json"))
    assert shown.exit_code == 0
    document = json.loads(shown.stdout)
    assert (document["verb"], document["trials"], document["bots"]) == ("battle", 20, ["random", "tactician"])
    assert document == json.loads(said(*few(yard, "--json", "--jobs", "1")).stdout)
    (entry,) = document["boards"]
    named = set(document) | set(entry) | set(entry["cards"][0]) | set(entry["rules_fired"][0])
    assert named - COMMON - {"notes"} <= fields("battle")


def test_documents_of_ladder_and_boards(yard: str) -> None:
    document = json.loads(said("ladder", "mirror", "--board", yard, "--bots", "random,rusher", "--games", "4",
                               "--json").stdout)  # fmt: skip
    assert set(document) | set(document["rows"][0]) | set(document["order"][0]) <= COMMON | fields("ladder") | {"notes"}
    document = json.loads(said("boards", yard, "--json").stdout)
    (entry,) = document["boards"]
    assert set(document) | set(entry) | set(entry["pieces"][0]) <= COMMON | fields("boards")


def test_russian(yard: str) -> None:
    text = said(*few(yard, "--lang", "ru")).stdout
    assert "счёт A" in text
    assert "Двор" in text
    assert not re.search(r"\d\.\d", text.replace("0.1.0", "")), "decimal commas"
    assert "стена" in said("boards", yard, "--lang", "ru").stdout
    for verb in ("battle", "ladder", "boards"):
        assert re.search("[а-я]{4}", said(verb, "--help", "--lang", "ru").stdout)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["battle", "line"], 2, "Missing argument"),
        (["battle", "nosuch", "mirror"], 3, 'no squad "nosuch"'),
        (["battle", "line", "mirror", "--board", "nosuch"], 2, 'no board "nosuch"'),
        (["battle", "line", "mirror", "--bots", "nosuch"], 2, "no bot 'nosuch'"),
        (["battle", "line", "mirror", "--games", "0"], 2, "--games"),
        (["battle", "line", "mirror", "--games", "10", "--target-error", "1%"], 2, "not both"),
        (["battle", "line", "mirror", "--rule", "rounds=99"], 2, "must be 1 to 7"),
        (["battle", "line", "mirror", "--rule", "rounds"], 2, "NAME=NUMBER"),
        (["battle", "line", "mirror", "--ruleset", "club"], 2, "The ruleset club has no battle"),
        (["ladder", "line", "--bots", "random"], 2, "at least two bots"),
        (["ladder", "line", "--ruleset", "moran"], 2, "The ruleset moran has no ladder"),
        (["boards", "nosuch"], 2, 'no board "nosuch"'),
        (["boards", "--ruleset", "club"], 2, "The ruleset club has no boards"),
        (["boards", "--svg", "x.svg"], 2, "one board"),
        (["boards", "twin-yards", "--svg", "x.png"], 2, "must end in .svg"),
    ],
)
def test_mistakes(words: list[str], code: int, message: str) -> None:
    shown = said(*words)
    assert (shown.exit_code, shown.stdout) == (code, "")
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
    error = json.loads(said(*words, "--json").stdout)["error"]
    assert error["exit_code"] == code


def test_a_faulty_board_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(YARD.replace("impassable", "glass"), encoding="utf-8")
    shown = said("battle", "line", "mirror", "--board", str(path))
    assert shown.exit_code == 3
    assert "bad.toml:8" in shown.stderr


def test_a_picture_is_written_once(yard: str, tmp_path: Path) -> None:
    picture = tmp_path / "yard.svg"
    assert said("boards", yard, "--svg", str(picture)).exit_code == 0
    first = picture.read_bytes()
    assert said("boards", yard, "--svg", str(picture)).exit_code == 2
    assert said("boards", yard, "--svg", str(picture), "--force").exit_code == 0
    assert picture.read_bytes() == first


@pytest.mark.skipif(os.name == "nt", reason="a POSIX signal is sent")
@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.slow), "2"])
def test_an_interrupt_stops_the_games(yard: str, jobs: str) -> None:
    words = ["battle", "line", "mirror", "--board", yard, "--bots", "random", "--jobs", jobs]
    arguments = [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", *words]
    subprocess.run([*arguments, "--games", "2"], cwd=ROOT, check=True, capture_output=True)
    running = subprocess.Popen(
        [*arguments, "--games", "100000000"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    time.sleep(6)
    assert running.poll() is None
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert "Traceback" not in err
