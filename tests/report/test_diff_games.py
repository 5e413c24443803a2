"""Whole games in two reports: squads are what they are, wherever their files lie, and what is sampled is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import morsdei_sim
from morsdei_sim.lang import set_language
from morsdei_sim.reporting.comparison import compared
from morsdei_sim.reporting.likeness import squad_keys
from morsdei_sim.reporting.record import GAMES, Record
from morsdei_sim.reporting.squads import TITLES
from morsdei_sim.reporting.told import Told
from morsdei_sim.rulesets.morsdei.game import summary
from tests.report.conftest import collected, squad
from tests.report.test_diff import record, written
from tests.report.test_report_battles import played


def weekly(file: Path, games: int = 4, other: str = "mirror") -> Record:
    """A page of one squad against another, in whole games too, of a file that may lie anywhere."""
    file.parent.mkdir(exist_ok=True)
    own = squad(file, "melee", "ranged", fighters=3)
    battles = played([own, other], games) if games else None
    return record(replace(collected([own], ["field/d3-hp7"]), battles=battles))


@pytest.fixture(scope="module")
def week1(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return weekly(tmp_path_factory.mktemp("cards") / "week1.toml")


def games(found: list[object]) -> list[object]:
    return [one for one in found if one.question.table == GAMES]  # type: ignore[attr-defined]


@pytest.mark.parametrize("file", ["week1.toml", "other/week1.toml", "week2.toml"])
def test_the_same_squad_in_another_file_meets_itself(week1: Record, tmp_path: Path, file: str) -> None:
    found = compared(week1, weekly(tmp_path / file))
    assert found.only_old == found.only_new == 0
    assert len(games(list(found.moves))) > 10
    assert found.counts["moved"] == found.counts["open"] == 0


def test_squads_are_told_by_their_files() -> None:
    """A file is what its cards are called by; a squad of the ruleset keeps apart from a file of its name."""
    named = ["mirror", "my/line.xlsx", "line", r"C:\my\v1.2.toml", "v1.2"]
    assert squad_keys(named, "morsdei", {}) == {
        "mirror": "mirror", "my/line.xlsx": "line", "line": "morsdei/line", r"C:\my\v1.2.toml": "v1.2",
        "v1.2": "morsdei/v1.2",
    }  # fmt: skip
    # The old file is called `line` now: it must not be mixed up with the squad that always was.
    moved = squad_keys(["my/line2.toml", "line"], "morsdei", {"line2": "line"})
    assert moved == {"my/line2.toml": "line", "line": "morsdei/line"}
    away = squad_keys(["my/line.toml", "line"], "morsdei", {"line": "line2"})
    assert away == {"my/line.toml": "line2", "line": "line"}


def test_a_table_that_cannot_be_compared_is_told(week1: Record, tmp_path: Path) -> None:
    without, strangers = weekly(tmp_path / "week1.toml", games=0), weekly(tmp_path / "week1.toml", other="line")
    said = "Whole games are not compared: only the {} has them"
    assert any(text.startswith(said.format("old one")) for text in Told(compared(week1, without)).warnings())
    assert any(text.startswith(said.format("new one")) for text in Told(compared(without, week1)).warnings())
    assert any("not compared: both have them" in text for text in Told(compared(week1, strangers)).warnings())
    assert not any("not compared" in text for text in Told(compared(week1, week1)).warnings())
    pages = [written(tmp_path / f"{name}.html", one.model_dump()) for name, one in
             (("old", week1), ("new", without))]  # fmt: skip
    diff = morsdei_sim.report_diff(*pages, out=tmp_path / "diff.html", lang="en")
    for text in (str(diff), diff.path.read_text(encoding="utf-8"), str(diff.to_dict()["notes"])):
        assert said.format("old one") in text


def test_games_lead_with_what_happened_on_the_board(week1: Record, tmp_path: Path) -> None:
    """No counts of what bots were asked; every figure has its name, and every squad."""
    assert set(summary.TITLES) <= set(TITLES)
    assert all(TITLES[figure] == title for figure, title in summary.TITLES.items())
    found = compared(week1, weekly(tmp_path / "week2.toml", games=6))
    told = Told(found)
    assert found.counts["open"] > 0
    assert not {"decisions", "faults"} & {move.question.figure for move in found.moves}
    assert {told.about(move.question) for move in games(found.moves)} == {"Odd – DEMO Mirror"}
    set_language("ru")
    called = {told.figure(move.question) for move in games(found.moves)}
    assert {"удача A, HP", "счёт A"} & called
    assert not any("_" in name or name.isascii() for name in called)


def test_what_is_exact_and_what_is_sampled(week1: Record, tmp_path: Path) -> None:
    without = weekly(tmp_path / "week1.toml", games=0)
    found = compared(week1, week1)
    assert "exchanges are exact, whole games are sampled" in Told(found).made(week1.facts)
    assert "every number is exact" in Told(found).made(without.facts)
    assert "every number is exact" not in Told(found).made(week1.facts)
    assert found.certain == "partly sampled"
    assert Told(found).certainty().startswith("Figures without an interval are exact.")
    assert compared(without, without).certain == "every number is exact"
    assert Told(compared(without, week1)).certainty().startswith("All figures compared are exact")
