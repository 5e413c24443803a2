"""The report of a sweep: every kind of study, complete or not, exact or sampled; names that do no harm."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import morsdei_sim
from morsdei_sim.api.report_study import survey, sweep_of
from morsdei_sim.api.run_study import open_sweep
from morsdei_sim.errors import UserError
from morsdei_sim.lang import set_language
from morsdei_sim.reporting import study_page
from morsdei_sim.reporting.study_page import study_edition
from morsdei_sim.reporting.survey import Survey
from tests.report.conftest import STUDY, swept
from tests.report.test_page import HOSTILE, Checked

LISTED = STUDY.replace("[options]\ncover = [false, true]", "attackers.dice = [3, 4, 5]\n[design]\nkind = 'list'")
QUASI = STUDY.replace("cover = [false, true]", "cover = [false, true]\n[design]\nkind = 'sobol'\npoints = 8")
ALONE = 'verb = "shoot"\nattackers = ["line/marksman"]\ntargets = ["mirror"]\n'
IDLE = ALONE + "[changes]\nattackers.hp = [7, 8]\n"
DUEL = 'verb = "duel"\nattackers = ["line/rifleman"]\ntargets = ["mirror"]\n[options]\ndistance = [6, 12]\n'
MELEE = 'verb = "melee"\nattackers = ["line"]\ntargets = ["mirror"]\n'


def surveyed(folder: Path, figure: str | None = None) -> Survey:
    sweep = open_sweep(folder)
    return survey(sweep, sweep.show(figure).figure, "en")


def told(folder: Path, **options: Any) -> Checked:
    set_language("en")
    return Checked(str(study_edition(surveyed(folder, **options)).body))


@pytest.fixture(scope="module")
def page(sweeps: dict[str, Path]) -> Checked:
    return told(sweeps["exact"])


def test_it_begins_with_what_moves_it_most(page: Checked, sweeps: dict[str, Path]) -> None:
    cells = open_sweep(sweeps["exact"]).show("kill").to_frame()
    by_hit = cells.groupby("attackers.hit")["estimate"].mean()
    assert f"attackers.hit: 5 → 3 makes {100 * (by_hit[3] - by_hit[5]):.1f} percentage points" in page.text
    best = cells.loc[cells["estimate"].idxmax()]
    assert f"{100 * best['estimate']:.1f}\u00a0%" in page.said
    assert "All cells are exact: they have no interval" in page.text
    assert page.text.index("What moves it most") < page.text.rindex("Every number")


def test_a_picture_for_every_axis(page: Checked) -> None:
    drawn = [str(one["aria-label"]) for one in page.all("svg") if one.get("role") == "img"]
    for axis, pictures in (("attackers.hit", 2), ("options.cover", 2), ("target", 2)):
        assert sum(f"target removed, {axis}. " in one for one in drawn) >= pictures, axis


def test_every_cell_is_listed_with_its_figure(page: Checked, sweeps: dict[str, Path]) -> None:
    cells = open_sweep(sweeps["exact"]).show("kill").to_frame()
    assert len(cells) == 12
    for row in cells.itertuples():
        assert f"{100 * row.estimate:.1f}\u00a0%" in page.said
    assert {"mean_damage", "injured"} <= set(page.said), "other figures are named"


def test_a_sampled_sweep_has_intervals(sweeps: dict[str, Path]) -> None:
    checked = told(sweeps["sampled"])
    assert "exact" not in checked.text.partition("Where the numbers come from")[0].replace("exactly", "")
    rows = open_sweep(sweeps["sampled"]).show("kill").to_frame()
    assert len(re.findall(r"\d %? ?\(.{3,20} to .{3,20}\)", " ".join(checked.said))) >= len(rows)
    assert "trials 400" in checked.text


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        (LISTED, "en", "attackers.hit + attackers.dice"),
        (QUASI, "en", "The points are quasi-random"),
        (ALONE, "en", "Nothing varies in this study."),
        (ALONE, "ru", "В этом исследовании ничего не меняется."),
        (IDLE, "en", "No axis makes any difference."),
        (DUEL, "ru", "Все ячейки посчитаны точно"),
        (MELEE, "ru", "Что влияет сильнее всего"),
    ],
)
def test_other_studies(tmp_path: Path, text: str, lang: str, said: str) -> None:
    found = surveyed(swept(tmp_path, "study", text))
    set_language(lang)
    body = str(study_edition(found).body)
    shown = Checked(body).text
    assert said in shown
    assert not re.search(r"\bnan\b|\bNone\b|\{\w*\}|<NA", shown)
    ids = [attributes["id"] for _tag, attributes in Checked(body).found if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_a_battle(tmp_path: Path, yard: str) -> None:
    text = f'verb = "battle"\nattackers = ["line"]\ntargets = ["mirror"]\nboards = [{yard!r}]\n'
    folder = swept(tmp_path, "b", text + 'bots = ["random"]\n[changes]\nattackers.hp = [8, 12]\n[run]\ngames = 8\n')
    checked = told(folder)
    assert "score of A" in checked.text
    assert "attackers.hp: " in checked.text
    assert "in mirrored pairs" in checked.text
    assert "a/sergeant" in surveyed(folder, "damage").cells["card"].tolist()


def test_a_name_does_no_harm(sweeps: dict[str, Path]) -> None:
    found = surveyed(sweeps["exact"])
    set_language("en")
    for name in (HOSTILE[0], HOSTILE[1] + HOSTILE[3] + HOSTILE[4]):
        rows = found.rows.assign(target=name)
        manifest = found.manifest | {"name": name, "name_ru": name, "text": name, "command": name}
        hostile = replace(found, rows=rows[rows["cell"] < 6], manifest=manifest)
        checked = Checked(study_page.study_page(hostile, "en"))
        assert [one.get("type") for one in checked.all("script")] == ["application/json", None]
        assert checked.all("img") == []
        assert not any(key.startswith("on") for _tag, attributes in checked.found for key in attributes)


def test_cells_without_an_answer_are_told(sweeps: dict[str, Path]) -> None:
    found = surveyed(sweeps["exact"])
    first = found.rows["cell"] == 0
    wrong = found.rows[first & (found.rows["figure"] == "kill")].assign(
        figure="error", estimate=float("nan"), message="too large <to> solve"
    )
    set_language("en")
    doctored = replace(found, rows=pd.concat([wrong, found.rows[~first]]))
    text = Checked(str(study_edition(doctored).body)).text
    assert "1 cell could not be answered." in text
    assert "too large <to> solve" in text
    assert len(doctored.cells) == len(found.cells) - 1


def test_a_long_study_is_cut_and_names_the_command(sweeps: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_page, "MOST_CELLS", 5)
    text = told(sweeps["exact"]).text
    assert "7 more cells are not listed here" in text
    assert f"sweep export {sweeps['exact']} cells.csv --figure kill" in text


# ── the verb ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_how_it_was_run_is_told_and_not_what_the_file_says(tmp_path: Path) -> None:
    """The options of `sweep run` stand in place of the file's own."""
    study = tmp_path / "study.toml"
    study.write_text(ALONE + '[run]\nengine = "sample"\ntrials = 777\nseed = 3\n', encoding="utf-8")
    page = told(Path(morsdei_sim.run_study(study, trials=888, seed=4).folder))
    facts = page.text[page.text.index("Where the numbers come from") :]
    assert re.search(r"trials\s*888", facts)
    assert re.search(r"seed\s*4", facts)
    assert "--trials 888 --seed 4" in facts


def test_the_folder_and_its_study_are_one(sweeps: dict[str, Path], tmp_path: Path) -> None:
    assert sweep_of(str(sweeps["exact"].with_suffix(".toml"))) == sweep_of(str(sweeps["exact"])) == sweeps["exact"]
    found = morsdei_sim.report(str(sweeps["exact"]), out=tmp_path / "page.html", lang="ru")
    assert found.to_dict()["figure"] == "kill"
    json.dumps(found.to_dict(), allow_nan=False)
    assert len(found.to_frame()) == 12
    text = found.path.read_text(encoding="utf-8")
    assert '<html lang="ru">' in text
    assert "<title>Исследование: Метки</title>" in text
    assert "Study: Marks &lt;b&gt;&amp;" in text


def test_an_incomplete_sweep_says_so(sweeps: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "part.sweep"
    shutil.copytree(sweeps["exact"], folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"cells": 100, "cells_per_part": 64}))
    (part,) = folder.glob("part-*.parquet")
    part.rename(folder / open_sweep(folder).store.name(0))
    text = told(folder).text
    assert text.count("incomplete: 1 of 2 parts") == 2, "beside the title and where the averages are"
    assert "To go on:" in text
    assert "sweep run exact.toml" in text
    next(folder.glob("part-*.parquet")).unlink()
    with pytest.raises(UserError, match="no part is done"):
        morsdei_sim.report(str(folder), out=tmp_path / "page.html")


def test_a_doctored_folder_is_refused(sweeps: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "bad.sweep"
    shutil.copytree(sweeps["exact"], folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"axes": {"nothing": 3}}))
    with pytest.raises(UserError, match="is damaged"):
        morsdei_sim.report(str(folder), out=tmp_path / "page.html")


def test_mistakes_are_explained(sweeps: dict[str, Path], tmp_path: Path) -> None:
    folder = str(sweeps["exact"])
    study = tmp_path / "new.toml"
    study.write_text(STUDY, encoding="utf-8")
    out = tmp_path / "page.html"
    for words, options, said in (
        (folder, {"figure": "damage"}, "is a distribution.* mean_damage"),
        (folder, {"figure": "nothing"}, "no figure 'nothing'"),
        ([folder, "line"], {}, "one sweep"),
        (folder, {"games": 8}, "shown as it is"),
        (folder, {"trials": 8}, "shown as it is"),
        (str(study), {}, "sweep run"),
        ("mirror", {"figure": "kill"}, "Only the report of a sweep"),
    ):
        with pytest.raises(UserError, match=said):
            morsdei_sim.report(words, out=out, **options)  # type: ignore[arg-type]
    assert not out.exists()
