"""Studies: what a cell says is what the verb says of the same change, whoever does the work and in whatever order."""

from __future__ import annotations

import csv
import errno
import json
import os
import re
import shlex
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from matplotlib import pyplot
from python_calamine import CalamineWorkbook
from sweep_tools import contents

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.api.run_study import open_sweep
from morsdei_sim.api.swept import Sweep
from morsdei_sim.cards import lent as lending
from morsdei_sim.errors import UserError
from morsdei_sim.lang import set_language
from morsdei_sim.sweep import executors, places
from morsdei_sim.sweep import run as run_module
from morsdei_sim.sweep.run import plan
from morsdei_sim.sweep.study_file import read_study
from tests.sweep.small_squad import EVIL, card

SHOTS = """\
name = "Small"
name_ru = "Малое"
verb = "shoot"
attackers = ["own.toml"]
targets = ["aim.toml"]
[changes]
attackers.hit = [3, 4, 5]
"aim/seven.hp" = { from = 6, to = 16 }
[options]
cover = [false, true]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "own.toml").write_text(card("one") + card("two", dice=3), encoding="utf-8")
    (tmp_path / "aim.toml").write_text(card("seven", hp=7), encoding="utf-8")
    return tmp_path


@pytest.fixture
def study(place: Path) -> Path:
    return written(place, SHOTS)


def written(folder: Path, text: str, name: str = "study.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def same_figures(rows: pd.DataFrame, answer: pd.DataFrame) -> None:
    """To the last bit, distributions and intervals too."""
    columns = ["figure", "value", "estimate", "low", "high"]
    mine = rows[columns].astype(object).where(rows[columns].notna(), None).values.tolist()
    theirs = answer[columns].astype(object).where(answer[columns].notna(), None).values.tolist()
    assert mine == theirs


# ── the figures ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "run", ["", "[run]\ntrials = 5000\nseed = 7\n", '[run]\nengine = "sample"\ntarget_error = 0.01\n']
)
def test_a_cell_says_what_the_verb_says(place: Path, run: str) -> None:
    rules = "[rules]\ncover_dice = [1, 2]\n"
    text = SHOTS.replace("to = 16", "to = 7").replace("[3, 4, 5]", "[3]") + rules + run
    frame = morsdei_sim.run_study(written(place, text)).to_frame()
    assert frame["cell"].nunique() == 2 * 2 * 2 * 2
    more: dict[str, Any] = {}
    if run:
        more = {"trials": 5000, "seed": 7} if "trials" in run else {"engine": "sample", "target_error": 0.01}
    for _cell, rows in frame.groupby("cell"):
        first = rows.iloc[0]
        one = card("one", hit=3, dice=4 if first["attacker"] == "own/one" else 3)
        attacker, target = (
            written(place, one, "a.toml"),
            written(place, card("t", hp=int(first["aim/seven.hp"])), "t.toml"),
        )
        answer = morsdei_sim.shoot(str(attacker), str(target), cover=bool(first["options.cover"]),
                                   rules={"cover_dice": int(first["rules.cover_dice"])}, **more)  # fmt: skip
        same_figures(rows, answer.to_frame())


def test_a_melee_of_another_ruleset(place: Path) -> None:
    text = 'verb = "melee"\nruleset = "club"\nattackers = ["orks/ork_boss"]\ntargets = ["guard/veteran"]\n'
    text += "[options]\nexchanges = [1, 2]\n"
    frame = morsdei_sim.run_study(written(place, text)).to_frame()
    for number, exchanges in enumerate((1, 2)):
        answer = morsdei_sim.melee("orks/ork_boss", "guard/veteran", ruleset="club", exchanges=exchanges)
        same_figures(frame[frame["cell"] == number], answer.to_frame())


def test_a_question_about_one_fighter_and_one_about_squads(place: Path) -> None:
    wounds = 'verb = "wounds"\nruleset = "club"\nattackers = ["guard/veteran"]\n[options]\nblows = [1, 2]\n'
    frame = morsdei_sim.run_study(written(place, wounds)).to_frame()
    assert frame["target"].isna().all()
    same_figures(frame[frame["cell"] == 1], morsdei_sim.wounds("guard/veteran", ruleset="club", blows=2).to_frame())
    squads = 'verb = "engagement"\nruleset = "club"\nattackers = ["guard"]\ntargets = ["orks"]\n[run]\ntrials = 300\n'
    frame = morsdei_sim.run_study(written(place, squads, "squads.toml")).to_frame()
    same_figures(frame, morsdei_sim.engagement("guard", "orks", ruleset="club", trials=300).to_frame())


@pytest.mark.parametrize("stop", [{"games": 32}, {"target_error": 0.02}])
def test_a_battle_is_the_verbs_battle(place: Path, yard: str, stop: dict[str, Any]) -> None:
    (run,) = (f"{key} = {value}" for key, value in stop.items())
    text = (
        f'verb = "battle"\nattackers = ["own.toml"]\ntargets = ["aim.toml/seven+seven"]\nboards = ["{yard}"]\n'
        f'bots = ["rusher,random"]\n[changes]\nattackers.hp = [2]\n[rules]\nrounds = 2\n[run]\n{run}\n'
    )
    frame = morsdei_sim.run_study(written(place, text)).to_frame()
    own = written(place, card("one", hp=2) + card("two", dice=3, hp=2), "changed.toml")
    fought = morsdei_sim.battle(str(own), f"{place / 'aim.toml'}/seven+seven", board=yard, bots="rusher,random",
                                rules={"rounds": 2}, **stop)  # fmt: skip
    whole = frame[frame["card"].isna() & frame["value"].isna()]
    same_figures(whole, fought.to_frame().assign(value=None))
    cards = frame[frame["card"].notna() & frame["value"].isna()]
    for one in fought.cards().to_dict("records"):
        mine = cards[cards["card"] == f"{one['squad']}/{one['card']}"].set_index("figure")
        for name in ("damage", "taken", "survived"):
            bounds = [float(mine.loc[name, column]) for column in ("estimate", "low", "high")]
            assert bounds == [one[name], one[f"{name}_low"], one[f"{name}_high"]]
    assert float(cards[cards["figure"] == "taken"]["estimate"].sum()) > 0
    spread = fought.card_distributions()
    assert (frame["card"].notna() & frame["value"].notna()).sum() == len(spread)


def test_errors_of_a_cell_do_not_stop_the_others(place: Path) -> None:
    written(place, card("one") + unarmed("fist"), "own.toml")
    found = morsdei_sim.run_study(written(place, SHOTS))
    wrong = found.rows("error")
    assert found.errors == len(wrong) == found.cells // 2
    assert set(wrong["attacker"]) == {"own/fist"}
    assert wrong["message"].str.contains("no weapon of this kind").all()
    assert "66 cells could not be answered. The first: " in str(found)
    assert found.status == "complete"


def test_an_error_calls_a_squad_by_its_name(place: Path, yard: str) -> None:
    text = f'verb = "battle"\nattackers = ["own.toml"]\ntargets = ["aim.toml"]\nboards = ["{yard}"]\n'
    found = morsdei_sim.run_study(written(place, text + "[changes]\nattackers.count = [50]\n"))
    assert found.first_error.startswith("own: 100 fighters")


def test_lent_cards_are_given_back(study: Path) -> None:
    morsdei_sim.run_study(study, jobs=2)
    assert not lending._squads
    assert not lending._counts


# ── the folder ────────────────────────────────────────────────────────────────────────────────────────────────────────


def unarmed(name: str) -> str:
    """A fighter that cannot shoot."""
    return card(name).replace("'ranged'", "'melee'")


def test_no_byte_depends_on_threads_or_language(study: Path, place: Path) -> None:
    written(place, card("one") + unarmed("fist"), "own.toml")
    one = morsdei_sim.run_study(study, place / "one", jobs=1)
    set_language("ru")
    morsdei_sim.run_study(study, place / "two", jobs=2)
    assert (one.cells, one.errors) == (2 * 3 * 11 * 2, 66)
    assert contents(place / "one") == contents(place / "two")
    assert len(contents(place / "one")) == 3 + 1


def test_what_is_done_is_not_done_again(study: Path, place: Path) -> None:
    found = morsdei_sim.run_study(study)
    whole = contents(found.folder)
    (part,) = found.folder.glob("part-000001-*")
    part.unlink()
    leftover = found.folder / f".{part.name}.1f-2e.tmp"
    leftover.write_bytes(b"half")
    untouched = {file: file.stat().st_mtime_ns for file in found.folder.glob("part-*")}
    seen: list[tuple[int, int]] = []
    assert open_sweep(found.folder).status == "incomplete"
    assert morsdei_sim.run_study(study, progress=lambda *step: seen.append(step)).status == "complete"
    assert contents(found.folder) == whole
    assert all(file.stat().st_mtime_ns == time for file, time in untouched.items())
    assert seen == [(132, 132)]


def test_a_part_of_other_numbers_is_not_read(study: Path) -> None:
    found = morsdei_sim.run_study(study)
    (part,) = found.folder.glob("part-000001-*")
    part.rename(found.folder / "part-000001-0123456789ab.parquet")
    assert open_sweep(found.folder).parts_done == 2
    assert morsdei_sim.run_study(study).to_frame()["cell"].nunique() == found.cells


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda place: written(place, SHOTS + "shots = 2\n"), "says other things"),
        (lambda place: written(place, card("seven", hp=7, defence=2), "aim.toml"), "a card"),
    ],
)
def test_a_folder_of_another_study_is_refused(
    study: Path, place: Path, change: Callable[[Path], Any], words: str
) -> None:
    found = morsdei_sim.run_study(study)
    before = contents(found.folder)
    change(place)
    with pytest.raises(UserError, match=words):
        morsdei_sim.run_study(study)
    assert contents(found.folder) == before


def test_folders_of_something_else_are_refused(study: Path, place: Path) -> None:
    (place / "notes").mkdir()
    (place / "notes" / "diary.txt").write_text("mine")
    for folder, words in ((place / "notes", "something else"), (place / "own.toml", "is a file"),
                          (place / "no" / "such", "no such folder")):  # fmt: skip
        with pytest.raises(UserError, match=words):
            morsdei_sim.run_study(study, folder)
    with pytest.raises(UserError, match=r"manifest\.json"):
        open_sweep(place / "notes")


def test_a_run_killed_before_its_manifest(study: Path) -> None:
    folder = study.with_suffix(".sweep")
    folder.mkdir()
    (folder / ".manifest.json.1f-2e.tmp").write_bytes(b"{")
    assert morsdei_sim.run_study(study).status == "complete"
    assert [file.name for file in folder.glob(".*")] == []


def test_damage_is_told(study: Path) -> None:
    found = morsdei_sim.run_study(study)
    part = next(found.folder.glob("part-000000-*"))
    part.write_bytes(part.read_bytes()[:-9])
    with pytest.raises(UserError, match="damaged; remove it"):
        open_sweep(found.folder)
    for text in ("{", "[1]", '{"format": 1}', "[" * 100_000):
        (found.folder / "manifest.json").write_text(text)
        with pytest.raises(UserError, match="damaged, or of another version"):
            open_sweep(found.folder)


def test_another_run_in_the_folder_is_refused(study: Path, place: Path) -> None:
    store = plan(read_study(study), place / "study.sweep", "")
    with store.working(), pytest.raises(UserError, match="another run"):
        morsdei_sim.run_study(study)


@pytest.mark.parametrize("after", range(4))
@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_full_disk(study: Path, monkeypatch: pytest.MonkeyPatch, after: int, call: str) -> None:
    """Nothing written is lost, nothing half-written stays, and there is one clear sentence."""
    whole = contents(morsdei_sim.run_study(study, study.parent / "whole").folder)
    real, calls = getattr(os, call), 0

    def full(handle: int, *rest: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > after:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(places.os, call, full)
        with pytest.raises(UserError, match=r"no space left on the disk\nWhat was done before stays"):
            morsdei_sim.run_study(study, jobs=1)
    kept = contents(study.with_suffix(".sweep"))
    assert kept.items() <= whole.items()
    assert len(kept) < len(whole)
    assert contents(morsdei_sim.run_study(study).folder) == whole


def test_a_file_has_its_name_only_when_the_disk_has_its_content(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, real, seen = study.with_suffix(".sweep"), os.fsync, list[list[str]]()

    def looked(handle: int) -> None:
        seen.append([file.name for file in folder.iterdir() if not file.name.startswith(".")])
        real(handle)

    monkeypatch.setattr(places.os, "fsync", looked)
    morsdei_sim.run_study(study, jobs=1)
    files = [len(names) for names in seen]
    assert files == [0, 1, 1, 2, 2, 3, 3, 4], "each file's content, then the folder that has its name"


def test_a_write_in_pieces(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = contents(morsdei_sim.run_study(study, study.parent / "whole").folder)
    real = os.write
    monkeypatch.setattr(places.os, "write", lambda handle, data: real(handle, data[:1000]))
    assert contents(morsdei_sim.run_study(study).folder) == whole


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_folder(study: Path) -> None:
    folder = morsdei_sim.run_study(study).folder
    next(folder.glob("part-000001-*")).unlink()
    folder.chmod(0o500)
    try:
        with pytest.raises(UserError, match="permission denied"):
            morsdei_sim.run_study(study)
    finally:
        folder.chmod(0o700)


def test_a_read_only_disk(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_rest: Any, **_more: Any) -> Any:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", denied)
    with pytest.raises(UserError, match="the disk is read-only"):
        morsdei_sim.run_study(study)


# ── how large ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def million(place: Path) -> Path:
    axes = "\n".join(f"{who}.{stat} = {{ from = 1, to = 10 }}" for who, stat in (
        ("attackers", "hp"), ("attackers", "defence"), ("attackers", "damage"), ("targets", "hp"),
        ("targets", "defence"), ("targets", "move")))  # fmt: skip
    return written(place, f'verb = "shoot"\nattackers = ["own.toml/one"]\ntargets = ["aim.toml"]\n[changes]\n{axes}\n')


def test_a_million_cells_are_refused(million: Path) -> None:
    with pytest.raises(
        UserError, match=r"1000000 cells are more than 100000: about \d+ (s|min|h) of work.*--most-cells"
    ):
        morsdei_sim.run_study(million)
    assert not million.with_suffix(".sweep").exists()


def test_a_million_cells_are_planned_in_no_memory(million: Path, place: Path) -> None:
    study = read_study(million)
    tracemalloc.start()
    try:
        store = plan(study, place / "folder", "")
        assert (store.parts, sum(1 for _part in store.missing())) == (15_625, 15_625)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_dry_run_writes_nothing_and_is_about_right(study: Path) -> None:
    planned = morsdei_sim.run_study(study, dry_run=True)
    assert planned.status == "planned"
    assert not planned.folder.exists()
    assert planned.estimate is not None
    done = morsdei_sim.run_study(study)
    size = sum(file.stat().st_size for file in done.folder.glob("part-*"))
    assert size / 4 < planned.estimate.bytes < size * 4
    assert planned.estimate.rows == pytest.approx(len(done.to_frame()) / done.cells, abs=5)
    assert planned.estimate.seconds > 0


def test_what_a_cell_loads_and_compiles_is_not_counted_for_all(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell may need something of its own the first time, which takes many times as long as its answer."""
    clock, seen, answered = [0.0], set[int](), run_module.answered

    def slow(study: Any) -> Callable[[Any], Any]:
        answer = answered(study)

        def timed(cell: Any) -> Any:
            clock[0] += 1.0 if cell.number in seen else 100.0
            seen.add(cell.number)
            return answer(cell)

        return timed

    monkeypatch.setattr(run_module, "answered", slow)
    monkeypatch.setattr(run_module, "perf_counter", lambda: clock[0])
    planned = morsdei_sim.run_study(study, jobs=1, dry_run=True)
    assert planned.estimate is not None
    assert (planned.estimate.seconds, len(seen) > 1) == (132.0, True)
    assert "roughly 2 min" in repr(planned)


@pytest.mark.parametrize(
    ("size", "lang", "said"),
    [(1, "en", "1 kB"), (999_001, "en", "1000 kB"), (1_000_000, "ru", "1,0 МБ"), (2_338_125_000, "en", "2.3 GB"),
     (2_338_125_000, "ru", "2,3 ГБ")],
)  # fmt: skip
def test_a_large_sweep_is_told_in_units_of_its_size(study: Path, size: int, lang: str, said: str) -> None:
    planned = morsdei_sim.run_study(study, dry_run=True)
    assert planned.estimate is not None
    set_language(lang)
    assert f" {said};" in repr(replace(planned, estimate=replace(planned.estimate, bytes=size)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_few_parts_are_under_way_at_once(place: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """So memory does not grow with the number of cells."""
    under_way, most = 0, 0

    class Pool(ThreadPoolExecutor):
        def submit(self, *words: Any, **more: Any) -> Any:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            future = super().submit(*words, **more)
            future.add_done_callback(ended)
            return future

    def ended(_future: Any) -> None:
        nonlocal under_way
        under_way -= 1

    monkeypatch.setattr(executors, "ThreadPoolExecutor", Pool)
    found = morsdei_sim.run_study(written(place, SHOTS.replace("to = 16", "to = 60")), jobs=jobs)
    assert found.store.parts == 11
    assert 0 < most <= 2 * jobs


# ── what is shown ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def swept(study: Path) -> Sweep:
    return morsdei_sim.run_study(study)


def invoke(*words: object) -> Any:
    return CliRunner().invoke(cli.main, ["sweep", *map(str, words)])


def test_the_parts_are_plain_parquet(swept: Sweep) -> None:
    table = pq.read_table(next(swept.folder.glob("part-000000-*")))
    assert table.column_names == [
        "cell", "attacker", "target", "attackers.hit", "aim/seven.hp", "options.cover", "card", "figure", "value",
        "estimate", "low", "high", "message",
    ]  # fmt: skip
    assert [str(table.schema.field(name).type) for name in ("cell", "attackers.hit", "options.cover", "estimate")] == [
        "int64", "int64", "bool", "double",
    ]  # fmt: skip


def test_the_command_line(study: Path) -> None:
    dry = invoke("run", study, "--dry-run")
    assert (dry.exit_code, "0 of 3 parts done" in dry.stdout) == (0, True), dry.output
    done = invoke("run", study, "--jobs", 1, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["status"] == "complete"
    folder = study.with_suffix(".sweep")
    assert json.loads(invoke("status", folder, "--json").stdout)["parts_done"] == 3
    shown = invoke("show", folder, "--figure", "mean_damage").stdout.splitlines()
    assert shown[0].split() == [
        "attacker", "target", "attackers.hit", "aim/seven.hp", "options.cover", "mean_damage",
    ]  # fmt: skip
    assert shown[1].split()[:5] == ["own/one", "aim/seven", "3", "6", "False"]
    assert len(shown) == 1 + 132
    rows = json.loads(invoke("show", folder, "--json").stdout)
    assert (rows["figure"], len(rows["rows"])) == ("kill", 132)
    assert rows["rows"][0]["low"] is None
    spread = json.loads(invoke("show", folder, "--json", "--figure", "damage").stdout)
    assert spread["rows"][0]["value"] == 0
    wrong = invoke("show", folder, "--figure", "kil")
    assert (wrong.exit_code, "mean_damage" in wrong.stderr) == (2, True)
    assert invoke("run", folder / "nothing.toml").exit_code == 3
    assert invoke("status", study.parent).exit_code == 2


@pytest.mark.parametrize(
    ("said", "options", "meant"),
    [
        ("trials = 300\nseed = 5\n", ["--target-error", "2%"], "target_error = 0.02\nseed = 5\n"),
        ("target_error = 0.1\n", ["--trials", 4000, "--seed", 9], "trials = 4000\nseed = 9\n"),
    ],
)
def test_options_stand_in_place_of_the_study(place: Path, said: str, options: list[Any], meant: str) -> None:
    text = SHOTS.replace("{ from = 6, to = 16 }", "[6, 7]") + '[run]\nengine = "sample"\n'
    done = invoke("run", written(place, text + said, "said.toml"), *options, "--json")
    assert done.exit_code == 0, done.output
    other = morsdei_sim.run_study(written(place, text + meant, "meant.toml"))
    mine = open_sweep(place / "said.sweep")
    pd.testing.assert_frame_equal(mine.to_frame(), other.to_frame())
    assert mine.store.manifest["digest"] == other.store.manifest["digest"]
    command = json.loads(done.stdout)["command"]
    assert "--seed 9" in command or "--target-error 0.02" in command
    without = invoke("run", place / "said.toml")
    assert (without.exit_code, "holds another study" in without.stderr) == (2, True)


@pytest.mark.parametrize("size", [1, 50, 132, 1000])
def test_parts_of_any_size_hold_the_same_rows(place: Path, size: int) -> None:
    text = SHOTS + f"[run]\ncells_per_part = {size}\n"
    found = morsdei_sim.run_study(written(place, text, f"by-{size}.toml"))
    assert found.store.parts == -(-132 // size)
    pd.testing.assert_frame_equal(found.to_frame(), morsdei_sim.run_study(written(place, SHOTS)).to_frame())


def test_an_option_that_no_study_of_this_kind_has(study: Path) -> None:
    wrong = invoke("run", study, "--games", 10)
    assert (wrong.exit_code, "games" in wrong.stderr) == (3, True)


def test_nothing_in_an_export_is_a_formula(place: Path) -> None:
    written(place, card("one", arm=EVIL), "=own.toml")
    text = SHOTS.replace("own.toml", "=own.toml").replace(
        '"aim/seven.hp" = { from = 6, to = 16 }', '"=own/one.hp" = [5]'
    )
    found = morsdei_sim.run_study(written(place, text + "weapon = ['=1+1', '-2']\n"))
    assert found.errors == found.cells, "there is no such weapon"
    for kind in ("csv", "xlsx"):
        target = place / f"rows.{kind}"
        assert invoke("export", found.folder, target).exit_code == 0
        assert invoke("export", found.folder, target).exit_code == 2, "it exists"
        assert invoke("export", found.folder, target, "--force", "--figure", "error").exit_code == 0
    with (place / "rows.csv").open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.reader(lines))
    assert {"'=own/one.hp"} <= set(rows[0])
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]
    with zipfile.ZipFile(place / "rows.xlsx") as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
    sheet = CalamineWorkbook.from_path(place / "rows.xlsx").get_sheet_by_index(0).to_python()
    assert {"=1+1", "-2"} <= {str(cell) for row in sheet for cell in row}


def test_the_page_about_sweeps(tmp_path: Path) -> None:
    """Its study and its commands run as written, and its columns are those of the parts."""
    page = (Path(__file__).parents[2] / "docs" / "sweeps.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (commands,) = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    written(tmp_path, text, "marksman.toml")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        for line in commands.splitlines():
            if "old.sweep" in line:
                shutil.copytree("marksman.sweep", "old.sweep")
            done = CliRunner().invoke(cli.main, line.split()[3:])
            assert done.exit_code == 0, done.output
    assert (tmp_path / "kill.csv").is_file()
    told = (Path(__file__).parents[2] / "docs" / "reference" / "parquet.md").read_text(encoding="utf-8")
    columns, keys = re.findall(r"\n\|---.*?\n(.*?)\n\n", told, re.DOTALL)
    schema = pq.read_schema(next((tmp_path / "marksman.sweep").glob("part-*")))
    axes = {"attackers.hit": "int64", "targets.hp": "int64", "options.cover": "bool"}
    known = {name: kind.strip("` ") for name, kind in in_table(columns) if name in schema.names}
    assert {field.name: str(field.type) for field in schema} == {**known, **axes}
    assert not schema.metadata
    manifest = json.loads((tmp_path / "marksman.sweep" / "manifest.json").read_text(encoding="utf-8"))
    assert {name for name, _what in in_table(keys)} == set(manifest)


def in_table(rows: str) -> list[tuple[str, str]]:
    """Each name of a table's first column, with what stands in the second."""
    cells = [row.split("|")[1:3] for row in rows.splitlines()]
    return [(name, what) for names, what in cells for name in re.findall(r"`([^`]+)`", names)]


def test_the_query_of_the_docs(tmp_path: Path) -> None:
    """DuckDB finds in the files what pandas finds."""
    docs = Path(__file__).parents[2] / "docs"
    (text,) = re.findall(r"```toml\n(.*?)```", (docs / "sweeps.md").read_text(encoding="utf-8"), re.DOTALL)
    page = (docs / "howto" / "results-elsewhere.md").read_text(encoding="utf-8")
    (query,) = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    (_frame, lines) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    morsdei_sim.run_study(written(tmp_path, text, "marksman.toml"))
    duckdb, known = pytest.importorskip("duckdb"), dict[str, Any]()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        found = duckdb.sql(query).df()
        exec(lines, known)
    rows = known["rows"]
    assert rows.reset_index(drop=True).equals(pd.read_parquet(sorted((tmp_path / "marksman.sweep").glob("part-*"))))
    wanted = rows[(rows["figure"] == "kill") & ~rows["options.cover"]][list(found.columns)]
    assert len(found) == 8 * 5 * 3
    pd.testing.assert_frame_equal(
        found, wanted.sort_values(list(found.columns[:3])).reset_index(drop=True), check_dtype=False
    )


def test_russian(study: Path, place: Path) -> None:
    done = invoke("run", study, "--lang", "ru")
    assert "Малое" in done.stdout
    assert "частей готово 3 из 3" in done.stdout
    folder = study.with_suffix(".sweep")
    assert re.search(r"0,[1-9]\d{3}\n", invoke("show", folder, "--lang", "ru").stdout)
    assert invoke("export", folder, place / "rows.csv", "--lang", "ru", "--figure", "kill").exit_code == 0
    text = (place / "rows.csv").read_text(encoding="utf-8-sig")
    assert text.startswith("cell;attacker;")
    assert ";0," in text
    helped = invoke("--lang", "ru", "--help").stdout
    assert "Команды" in helped
    assert "Провести исследование" in helped


@pytest.mark.parametrize("where", ["other.sweep", "мой sweep/other", "study.sweep"])
def test_the_command_of_a_folder_goes_on_in_it(place: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From any working directory, as it was given, with spaces too: what is left is done there and nowhere else."""
    study, folder = written(place, SHOTS), place / where
    folder.parent.mkdir(exist_ok=True)
    done = invoke("run", study, folder, "--trials", 300, "--seed", 9)
    assert done.exit_code == 0, done.output
    complete = contents(folder)
    max(folder.glob("part-*")).unlink()
    before = {file.name for file in place.iterdir()}
    elsewhere = place / "elsewhere"
    elsewhere.mkdir()
    for here, given in ((place, Path(where)), (elsewhere, folder)):
        monkeypatch.chdir(here)
        told = json.loads(invoke("status", given, "--json").stdout)["command"]
        assert shlex.quote(str(given)) in told
        assert told in invoke("status", given).stdout
        assert told in invoke("show", given).stdout
    again = shlex.split(told.partition("sweep ")[2])
    if "мой" in where:
        monkeypatch.chdir(place)  # where the study is: the manifest has only its name
    assert invoke(*again).exit_code == 0
    assert contents(folder) == complete
    assert {file.name for file in place.iterdir()} == {*before, "elsewhere"}


def test_a_manifest_from_elsewhere_puts_nothing_into_the_command(study: Path, place: Path) -> None:
    folder = morsdei_sim.run_study(study).folder
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest |= {"command": "sweep run x --seed 3; rm -rf ~ --trials $(id)", "study": "../../etc/x; id"}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    words = shlex.split(open_sweep(folder).command.partition("sweep ")[2])
    assert words == ["run", "x; id", str(folder)]


@pytest.mark.parametrize("sampled", [False, True])
def test_the_picture_of_a_sweep(place: Path, sampled: bool) -> None:
    """A bar for each axis, the longest first, as long as the means of its values lie apart; intervals when sampled."""
    found = morsdei_sim.run_study(written(place, SHOTS), trials=2000 if sampled else None)
    ax = found.plot(wanted="kill")
    try:
        ax.figure.canvas.draw()
        bars = {tick.get_text(): bar.get_width() for tick, bar in zip(ax.get_yticklabels(), ax.patches, strict=True)}
        assert list(bars.values()) == sorted(bars.values(), reverse=True)
        frame = found.rows("kill")
        means = 100 * frame.groupby("attackers.hit")["estimate"].mean()
        assert bars["attackers.hit: 5 → 3"] == pytest.approx(means[3] - means[5])
        lines = [segment for one in ax.collections for segment in one.get_segments()]
        assert any(len(line) == 2 and line[0][0] < line[1][0] for line in lines) == sampled
    finally:
        pyplot.close(ax.figure)
