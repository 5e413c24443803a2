"""What holds of the cards of every ruleset: templates, schemas and the cards that come along."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

import morsdei_sim
from morsdei_sim.cards import read, read_all, read_squad, write
from morsdei_sim.cards.grid import letters
from morsdei_sim.cards.shape import shape
from morsdei_sim.cards.titles import titles
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import ROOMS, room


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("kind", [".toml", ".csv", ".xlsx"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_template_is_a_valid_card(tmp_path: Path, name: str, kind: str, lang: str) -> None:
    path = tmp_path / f"mine{kind}"
    morsdei_sim.template(path, ruleset=name, lang=lang)
    (card,) = read(path, room(name).model)
    assert card.id == "example"


@pytest.mark.parametrize("name", ROOMS)
def test_the_schema_that_comes_along_is_that_of_the_cards(tmp_path: Path, name: str) -> None:
    morsdei_sim.schema(tmp_path / "schema.json", ruleset=name)
    written = (profiles_dir() / "schema" / f"{name}.json").read_text(encoding="utf-8")
    assert json.loads(written) == json.loads((tmp_path / "schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ROOMS)
def test_the_cards_that_come_along_survive_a_journey_through_all_formats(tmp_path: Path, name: str) -> None:
    model = room(name).model
    squads = read_all([profiles_dir() / name], model)
    assert sum(len(squad.cards) for squad in squads) > 5
    journey = [(".xlsx", "en"), (".csv", "ru"), (".xlsx", "ru"), (".csv", "en"), (".toml", "en")]
    for squad in squads:
        here = squad
        for number, (kind, lang) in enumerate(journey if squad.cards else ()):
            path = tmp_path / f"{squad.path.stem}-{number}{kind}"
            write(path, here.cards, model, lang, squad=here.name, squad_ru=here.name_ru)
            here = read_squad(path, model)
            assert (here.cards, here.name, here.name_ru) == (squad.cards, squad.name, squad.name_ru), path


MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_template_workbook_helps_to_fill_it_in(tmp_path: Path, name: str, lang: str) -> None:
    """Read from the XML itself: lists, limits and words beside the cells, notes, frozen titles, text format."""
    path = tmp_path / "mine.xlsx"
    morsdei_sim.template(path, ruleset=name, lang=lang)
    with zipfile.ZipFile(path) as archive:
        book, notes, text, styles = (
            ElementTree.fromstring(archive.read(f"xl/{part}.xml"))
            for part in ("worksheets/sheet1", "comments1", "sharedStrings", "styles")
        )
        second = ElementTree.fromstring(archive.read("xl/worksheets/sheet2.xml"))
    strings = ["".join(one.itertext()) for one in text]
    heads = [strings[int(cell.findtext(f"{MAIN}v", ""))] for cell in next(book.iter(f"{MAIN}row"))]
    columns = [column for _level, column in titles(shape(room(name).model)).columns]
    assert heads == [column.title_ru if lang == "ru" else column.title for column in columns]
    rules = {one.get("sqref", "").partition("2:")[0]: one for one in book.iter(f"{MAIN}dataValidation")}
    formats = [style.get("numFmtId") for style in next(styles.iter(f"{MAIN}cellXfs"))]
    codes = {one.get("numFmtId"): one.get("formatCode") for one in styles.iter(f"{MAIN}numFmt")}
    widths = {number: one.get("style", "0") for one in book.iter(f"{MAIN}col")
              for number in range(int(one.get("min", 0)), int(one.get("max", 0)) + 1)}  # fmt: skip
    for number, column in enumerate(columns):
        rule, at = rules.get(letters(number)), f"{column.key}"
        if column.kind == "choice":
            assert rule is not None, at
            words = ",".join(column.word(one, lang) for one in column.choices)
            assert rule.findtext(f"{MAIN}formula1") == f'"{words}"', at
        elif column.kind in ("whole", "length") and column.bound("le") is not None:
            assert rule is not None, at
            assert float(rule.findtext(f"{MAIN}formula2", "")) == column.bound("le"), at
            assert f"{column.bound('le'):g}" in rule.get("error", ""), at
            assert bool(re.search("[а-я]{4}", rule.get("error", ""))) == (lang == "ru"), at
        if column.kind in ("text", "words"):
            assert codes[formats[int(widths[number + 1])]] == "@", at
    assert len(list(notes.iter(f"{MAIN}comment"))) == len(columns)
    assert next(book.iter(f"{MAIN}pane")).attrib["ySplit"] == "1"
    assert len(list(second.iter(f"{MAIN}row"))) > len(columns)  # the meaning of every column, and one line more


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("kind", ["ods", "xlsx"])
def test_the_cards_that_come_along_survive_libreoffice(tmp_path: Path, kind: str) -> None:
    made = []
    for name in ROOMS:
        for squad in read_all([profiles_dir() / name], room(name).model):
            if squad.cards:
                path = tmp_path / f"{name}-{squad.path.stem}.xlsx"
                write(path, squad.cards, room(name).model, "ru", squad=squad.name, squad_ru=squad.name_ru)
                made.append((name, squad, path))
    into = tmp_path / "saved"
    office = ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/office"]
    files = [str(path) for _name, _squad, path in made]
    command = [*office, "--convert-to", kind, "--outdir", str(into), *files]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    for name, squad, path in made:
        saved = read_squad(into / f"{path.stem}.{kind}", room(name).model)
        assert (saved.cards, saved.name, saved.name_ru) == (squad.cards, squad.name, squad.name_ru), path
