"""The verb `matrix`: figures, documents, files, pictures, and names that want to be more than names."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import morsdei_sim
from morsdei_sim import cli, lang
from morsdei_sim.errors import UserError
from tests.sweep.small_squad import EVIL, card


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORSDEI_LANG", "en")
    monkeypatch.setattr(lang, "_language", "")


@pytest.fixture
def evil(tmp_path: Path) -> str:
    path = tmp_path / "evil.toml"
    path.write_text(card("bad", arm=EVIL).replace("name = 'bad'", f"name = {EVIL!r}") + card("good"), encoding="utf-8")
    return str(path)


def run(*words: str) -> Any:
    return CliRunner().invoke(cli.main, ["matrix", *words])


def test_a_cell_is_the_verb_s_own_answer() -> None:
    found = morsdei_sim.matrix(
        ["line"], ["cleavers/chief"], verb="melee", figure="kill_target", objective="kill"
    ).table()
    asked = morsdei_sim.melee("line/sergeant", "cleavers/chief", objective="kill").to_dict()
    assert found.loc[("line/sergeant", "blade"), "cleavers/chief"] == asked["kill_target"]
    covered = morsdei_sim.matrix("line/marksman", "bulwark/heavy", situation="cover", figure="mean_damage").to_frame()
    assert covered["estimate"].tolist() == [
        morsdei_sim.shoot("line/marksman", "bulwark/heavy", cover=True).to_dict()["mean_damage"]
    ]


def test_habits_and_rules_are_handed_on() -> None:
    plain = morsdei_sim.matrix("mirror", verb="melee").rows["estimate"].item()
    asked = {"attacker_policy": "random", "target_policy": "strike-only"}
    habit = morsdei_sim.matrix("mirror", verb="melee", **asked).rows["estimate"].item()
    assert habit == morsdei_sim.melee("mirror/standard", "mirror/standard", **asked).to_dict()["net_damage"]
    unguarded = morsdei_sim.matrix("mirror", verb="melee", rules={"guard": 0}).rows["estimate"].item()
    assert len({plain, habit, unguarded}) == 3


def test_the_document() -> None:
    found = run("line", "--targets", "field", "--json")
    assert found.exit_code == 0
    document = json.loads(found.stdout)
    wanted = {"schema_version": 1, "verb": "matrix", "ruleset": "morsdei", "engine": "exact", "trials": None}
    wanted |= {"seed": None, "of": "shoot", "situation": "open", "figure": "kill"}
    assert wanted.items() <= document.items()
    assert len(document["rows"]) == 3 * 8
    assert set(document["rows"][0]) == {"attacker", "weapon", "target", "estimate"}


def test_a_sampled_document_has_intervals() -> None:
    words = ("line/sergeant", "--targets", "mirror", "--verb", "melee", "--trials", "5000", "--seed", "3", "--json")
    first, second = (run(*words, "--jobs", jobs) for jobs in "12")
    assert first.stdout == second.stdout
    document = json.loads(first.stdout)
    assert (document["engine"], document["trials"], document["seed"]) == ("sample", 5000, 3)
    row = document["rows"][0]
    assert row["interval"][0] < row["estimate"] < row["interval"][1]
    exact = json.loads(run(*words[:5], "--json").stdout)["rows"][0]["estimate"]
    assert row["interval"][0] < exact < row["interval"][1]


def test_no_finer_than_known() -> None:
    from morsdei_sim.api.matrix import _number

    nan = float("nan")
    assert _number(23.0442, nan, nan, 100.0) == "23.0"
    assert _number(-0.0001, nan, nan, 1.0) == "0.00"
    assert _number(23.0442, 22.81, 23.28, 100.0) == "23.0 ±0.3"
    assert _number(1.23456, 1.2301, 1.2390, 1.0) == "1.235 ±0.005"
    assert _number(57.2, 40.0, 73.0, 100.0) == "57 ±18"
    text = str(morsdei_sim.matrix("mirror", trials=1000))
    assert "±" in text
    assert "95 %" in text


@pytest.mark.parametrize("columns", [40, 60, 200])
def test_narrow_terminals(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = str(morsdei_sim.matrix())
    table = text[: text.index("\n  1  ")].splitlines()[1:]
    assert max(map(len, table)) <= columns
    numbers = [word for line in table if line and not line[0].isalpha() for word in line.split()]
    assert numbers == [str(number) for number in range(1, 11)]
    assert "\033" not in text


def test_colour_only_where_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    found = morsdei_sim.matrix("line")
    plain = str(found)
    assert not set(plain) & set("\033░▒▓█")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\033[48;2;" in str(found)
    monkeypatch.setenv("NO_COLOR", "1")
    assert set(str(found)) & set("░▒▓█")
    assert "\033" not in str(found)


def test_names_stay_names(evil: str, tmp_path: Path) -> None:
    found = morsdei_sim.matrix([evil])
    page = found._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    found.save(tmp_path / "out.csv")
    rows = list(csv.reader((tmp_path / "out.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert {row[1] for row in rows[1:]} == {"'" + EVIL, "rifle"}
    assert len(rows) == 1 + 4
    found.save(tmp_path / "out.xlsx")
    with zipfile.ZipFile(tmp_path / "out.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        assert EVIL.replace("<", "&lt;").replace(">", "&gt;") in book.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in sheet
    assert "hyperlink" not in sheet.lower()


def test_pictures(evil: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    for words in ({}, {"verb": "melee", "trials": 1000}):
        ax = morsdei_sim.matrix([evil], **words).plot()
        ax.figure.canvas.draw()  # a name with $ in it is no formula
        assert len(ax.texts) == 4
        _figure, mine = plt.subplots()
        assert morsdei_sim.matrix("mirror").plot(mine) is mine
        plt.close("all")


def test_a_name_is_no_formula(tmp_path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    path = tmp_path / "sums.toml"
    path.write_text(card("sum").replace("name = 'sum'", "name = '$\\frac{$'"), encoding="utf-8")
    ax = morsdei_sim.matrix(str(path)).plot()
    ax.figure.canvas.draw()  # matplotlib raises on a formula that does not end
    assert ax.get_yticklabels()[0].get_text().startswith("\\$")
    plt.close("all")


def test_files_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    assert run("mirror", "--csv", str(path)).exit_code == 0
    before = path.read_bytes()
    refused = run("line", "--csv", str(path))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--force" in refused.stderr
    assert path.read_bytes() == before
    assert run("line", "--csv", str(path), "--force").exit_code == 0
    assert path.read_bytes() != before
    assert list(tmp_path.iterdir()) == [path]
    assert run("line", "--csv", str(tmp_path / "out.txt")).exit_code == 2
    assert run("line", "--xlsx", str(tmp_path / "nowhere" / "out.xlsx")).exit_code == 2


def test_russian_files_and_words(tmp_path: Path) -> None:
    found = run("mirror", "--lang", "ru", "--csv", str(tmp_path / "out.csv"))
    assert found.exit_code == 0
    assert "Обычный" in found.stdout
    head, row = (tmp_path / "out.csv").read_text(encoding="utf-8-sig").splitlines()
    assert head.startswith("attacker;weapon;target")
    assert "0,2304" in row


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"verb": "throw"}, "no verb 'throw'"),
        ({"figure": "kils"}, "no figure 'kils'; there are: mean_damage, kill"),
        ({"situation": "covr"}, 'did you mean "cover"'),
        ({"verb": "melee", "objective": "win"}, "no objective 'win'"),
        ({"verb": "melee", "attacker_policy": "randm"}, 'did you mean "random"'),
        ({"situation": "in-contact"}, "none of these cards has a weapon"),
    ],
)
def test_wrong_words(words: dict[str, str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        morsdei_sim.matrix("mirror", **words)


def test_wrong_cards_end_with_three() -> None:
    found = run("lines")
    assert found.exit_code == 3
    assert "Traceback" not in found.stderr
