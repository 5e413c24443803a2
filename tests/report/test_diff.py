"""Two reports compared: what a page keeps of itself, what moved, and what a doctored page can do: nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

import morsdei_sim
from morsdei_sim.cli.report import command
from morsdei_sim.errors import UserError
from morsdei_sim.lang import set_language
from morsdei_sim.reporting.comparison import compared
from morsdei_sim.reporting.diff_page import diff_page
from morsdei_sim.reporting.frame import as_data
from morsdei_sim.reporting.record import OPENING, Record, of_cards, read_page
from morsdei_sim.reporting.told import Told
from morsdei_sim.sweep import Collection
from tests.report.conftest import collected, squad
from tests.report.test_page import HOSTILE, Checked

ROOT = Path(__file__).resolve().parents[2]
FILES = ("old.html", "new.html")


def record(collection: Collection) -> Record:
    return Record.model_validate(of_cards(collection).model_dump())


def written(path: Path, content: Any) -> Path:
    text = content if isinstance(content, str) else as_data(content)
    path.write_text(f"<!doctype html>{OPENING}{text}</script>", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cards")


@pytest.fixture(scope="module")
def old(folder: Path) -> Collection:
    return collected([squad(folder / "mine.toml", "melee", "ranged", fighters=2)], ["field/d3-hp7"])


@pytest.fixture(scope="module")
def new(folder: Path, old: Collection) -> Collection:
    """The same file after an edit: the first fighter has one HP more, the rifle one die more, a third has come."""
    file = folder / "mine.toml"
    text = Path(squad(file, "melee", "ranged", fighters=3)).read_text(encoding="utf-8")
    file.write_text(text.replace("hp = 8", "hp = 9").replace("dice = 4", "dice = 5", 1), encoding="utf-8")
    return collected([str(file)], ["field/d3-hp7"])


def test_a_page_keeps_what_it_lists(old: Collection, tmp_path: Path) -> None:
    found = read_page(written(tmp_path / "page.html", of_cards(old).model_dump()))
    known = found.known()
    kills = old.shots[old.shots["figure"] == "kill"]
    assert len(kills) > 10
    for row in kills.itertuples():
        about = (row.attacker, row.weapon, row.target, row.situation)
        estimate, low, high = known["shots", about, "kill"]  # type: ignore[index]
        assert (estimate, low, high) == (pytest.approx(row.estimate, rel=1e-8), None, None)
    assert found.facts.digest == old.provenance["cards_digest"]


def test_changed_cards_and_what_they_moved(old: Collection, new: Collection) -> None:
    found = compared(record(old), record(new))
    changed = {(one.card.rpartition("/")[2], one.weapon, one.field): (one.old, one.new) for one in found.changed}
    assert changed == {("one0", "", "hp"): (8, 9), ("one0", "rifle", "dice"): (4, 5)}
    assert [one.card.rpartition("/")[2] for one in found.added] == ["one2"]
    assert found.removed == []
    assert found.only_new > 0 == found.only_old
    moved = [move for move in found.moves if move.verdict == "moved"]
    shots = {frame: collection.shots.set_index(["attacker", "weapon", "target", "situation", "figure"])["estimate"]
             for frame, collection in (("old", old), ("new", new))}  # fmt: skip
    assert any(move.question.table == "shots" for move in moved)
    for move in found.moves:
        if move.question.table == "shots":
            key = (*move.question.about, move.question.figure)
            assert move.difference == pytest.approx(shots["new"][key] - shots["old"][key], abs=1e-8)
            touched = any(word.endswith("one0") for word in key)
            assert touched or move.verdict == "same"
    sizes = [abs(move.difference) for move in found.moves if move.question.figure == "kill"]
    assert sizes == sorted(sizes, reverse=True)


def test_the_same_page_twice(old: Collection) -> None:
    found = compared(record(old), record(old))
    assert found.changed == found.added == found.removed == []
    assert found.counts["moved"] == found.counts["open"] == 0
    assert found.counts["same"] == len(found.moves) > 50


def test_a_card_that_moved_to_another_file_is_the_same(old: Collection, tmp_path: Path) -> None:
    """A copy of the file beside the old one: the fighters are told by their ids, and that is said."""
    copy = squad(tmp_path / "copy.toml", "melee", "ranged", fighters=2)
    found = compared(record(old), record(collected([copy], ["field/d3-hp7"])))
    assert found.added == found.removed == []
    assert found.counts["moved"] == 0
    assert found.counts["same"] == len(found.moves) == len(record(old).known())
    assert len([name for name in found.renamed if name.endswith("one1")]) == 1


def test_sampled_sides_have_intervals(sweeps: dict[str, Path], tmp_path: Path) -> None:
    set_language("en")
    found = morsdei_sim.report_diff(sweeps["sampled"], sweeps["again"], out=tmp_path / "d.html")
    frame = found.to_frame()
    assert len(frame) == 12 * 5
    assert (frame["low"] <= frame["difference"]).all()
    assert (frame["difference"] <= frame["high"]).all()
    assert "as of independent samples" in str(found)
    assert "one time in twenty: of these 60, if none had moved, 3 on average" in str(found)
    assert "err together" in str(found)
    assert "-trials = 400" in str(found)
    half = morsdei_sim.report_diff(sweeps["exact"], sweeps["again"], out=tmp_path / "d.html").to_frame()
    assert ((half["high"] - half["low"]) < (frame["high"] - frame["low"])).mean() > 0.9
    again = morsdei_sim.report_diff(sweeps["again"], sweeps["again"], out=tmp_path / "d.html")
    assert again.comparison.counts == {"moved": 0, "open": 0, "same": 60}


def test_cells_of_a_study_are_told_in_words(sweeps: dict[str, Path], tmp_path: Path) -> None:
    set_language("ru")
    found = Told(morsdei_sim.report_diff(sweeps["sampled"], sweeps["exact"], out=tmp_path / "d.html").comparison)
    about = {found.about(move.question) for move in found.comparison.moves}
    assert "атакующий line/marksman, цель field/d3-hp7, атакующий: Hit 3, в укрытии: да" in about
    assert not any("options" in text or "True" in text for text in about)


def test_another_version_is_said_loudly(old: Collection) -> None:
    set_language("en")
    mine, other = record(old), record(old)
    other.facts.kernels = "0" * 12
    other.facts.rules = {"guard": 0}
    text = Checked(diff_page(compared(other, mine), FILES, "report diff", "en")).text
    assert "DIFFERENT VERSIONS" in text
    assert f"000000000000 → {mine.facts.kernels}" in text
    assert "guard 0 → —" in text
    assert "DIFFERENT VERSIONS" not in diff_page(compared(mine, mine), FILES, "report diff", "en")


def test_the_page_is_whole_in_both_languages(old: Collection, new: Collection) -> None:
    text = diff_page(compared(record(old), record(new)), FILES, "report diff", "ru")
    checked = Checked(text)
    ids = [attributes["id"] for _tag, attributes in checked.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert "The largest moves" in checked.text
    assert "Самые большие сдвиги" in checked.text
    assert "rifle: dice 4 → 5" in checked.text
    assert "винтовка: кубики 4 → 5" in checked.text


def test_a_name_does_no_harm(old: Collection, tmp_path: Path) -> None:
    for name in HOSTILE[:2]:
        cards = old.cards.assign(name=name, name_ru=name, card=old.cards["card"].where(old.cards["field"], name))
        mine = of_cards(replace(old, cards=cards, provenance=old.provenance | {"command": name}))
        page = written(tmp_path / "page.html", mine.model_dump())
        assert page.read_text(encoding="utf-8").count("<script") == 1
        found = compared(record(old), read_page(page))
        checked = Checked(diff_page(found, (name, name), name, "en"))
        assert len(checked.all("script")) == 1
        assert checked.all("img") == []
        assert not any(key.startswith("on") for _tag, attributes in checked.found for key in attributes)


def doctored(content: dict[str, Any], change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(content))
    change(copy)
    return copy


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(format=2),
        lambda data: data.update(more=1),
        lambda data: data.pop("words"),
        lambda data: data["facts"].update(kind="other"),
        lambda data: data["facts"].update(text="x" * 1_000_001),
        lambda data: data["cards"][0].update(name=["list"]),
        lambda data: data["cards"].extend(data["cards"] * 1000),
        lambda data: data["tables"][0]["rows"][0].pop(),
        lambda data: data["tables"][0]["rows"][0].__setitem__(0, 10**9),
        lambda data: data["tables"][0]["rows"][0].__setitem__(0, -1),
        lambda data: data["tables"][0]["rows"][0].__setitem__(0, None),
        lambda data: data["tables"][0]["rows"][0].__setitem__(-1, "0.5"),
        lambda data: data["tables"][0]["rows"][0].__setitem__(-1, True),
    ],
)
def test_damaged_data_is_refused(old: Collection, tmp_path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    page = written(tmp_path / "page.html", doctored(of_cards(old).model_dump(), change))
    with pytest.raises(UserError, match="damaged, or of another version"):
        read_page(page)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"format": 1e999}', "null", '{"format": NaN}'])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"page\.html: (the data|is no report)"):
        read_page(written(tmp_path / "page.html", text))


def test_other_files_are_refused(old: Collection, sweeps: dict[str, Path], tmp_path: Path) -> None:
    page = written(tmp_path / "page.html", of_cards(old).model_dump())
    (tmp_path / "empty.html").touch()
    for one, other, said in (
        (page, sweeps["exact"], "One is of cards"),
        (page, tmp_path / "none.html", "no such file"),
        (page, tmp_path, "cannot be read"),
        (tmp_path / "empty.html", page, "holds no data"),
    ):
        with pytest.raises(UserError, match=said):
            morsdei_sim.report_diff(one, other, out=tmp_path / "diff.html")
    assert not (tmp_path / "diff.html").exists()


def test_the_command(old: Collection, new: Collection, tmp_path: Path) -> None:
    """`report diff` compares; cards that are called diff are still to be reached."""
    for name, collection in (("old", old), ("new", new)):
        written(tmp_path / f"{name}.html", of_cards(collection).model_dump())
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MORSDEI_LANG": "en"}
    words = [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", "report", "diff", "old.html", "new.html", "--json"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["path"] == str(Path("reports") / "old-new.html")
    assert found["cards"]["changed"][0] | {"card": ""} == {"card": "", "weapon": "", "field": "hp", "old": 8, "new": 9}
    assert found["figures"]["moved"] == sum(move["verdict"] == "moved" for move in found["moves"])
    assert (tmp_path / "reports" / "old-new.html").is_file()


def test_cards_called_diff_are_still_reached() -> None:
    """Only the very word in the first place is the command."""
    asked = {"diff": ["diff", "a.html", "b.html"], "report": ["./diff"], "two": ["line", "diff"]}
    made = {name: command.make_context("report", words) for name, words in asked.items()}
    assert made["diff"].params["old"] == "a.html"
    assert made["report"].params["cards"] == ("./diff",)
    assert made["two"].params["cards"] == ("line", "diff")
    with pytest.raises(click.MissingParameter):
        command.make_context("report", ["diff", "a.html"])
