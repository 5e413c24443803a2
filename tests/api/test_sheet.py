"""Results as spreadsheets: numbers are numbers in the Excel of the language, texts run nothing, the source is told."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pandas as pd
import pytest
from python_calamine import CalamineWorkbook

from morsdei_sim.api.sheet import save_frame
from morsdei_sim.lang import set_language

FRAME = pd.DataFrame(
    {
        "card": ["=1+1", "Щит"],
        "cover": [True, False],
        "kill": [0.25, float("nan")],
        "hp": [7, 0.1 + 0.2],
        "mean": [float("inf"), 1 / 3],
    }
)
SOURCE = {"seed": 2**64 - 1, "trials": None, "rules": {"=x": 1}, "long": "я" * 40_000}


@pytest.mark.parametrize(
    ("lang", "rows"),
    [
        (
            "en",
            ["card,cover,kill,hp,mean", "'=1+1,TRUE,0.25,7,inf", "Щит,FALSE,,0.30000000000000004,0.3333333333333333"],
        ),
        (
            "ru",
            ["card;cover;kill;hp;mean", "'=1+1;ИСТИНА;0,25;7;inf", "Щит;ЛОЖЬ;;0,30000000000000004;0,3333333333333333"],
        ),
    ],
)
def test_a_csv_suits_the_excel_of_its_language(tmp_path: Path, lang: str, rows: list[str]) -> None:
    set_language(lang)
    save_frame(tmp_path / "a.csv", FRAME, "Rows", SOURCE)
    assert (tmp_path / "a.csv").read_bytes().decode("utf-8").splitlines() == ["\ufeff" + rows[0], *rows[1:]]


def test_a_workbook_holds_numbers_a_filter_and_its_source(tmp_path: Path) -> None:
    set_language("en")
    save_frame(tmp_path / "a.xlsx", FRAME, "Rows", SOURCE)
    book = CalamineWorkbook.from_path(tmp_path / "a.xlsx")
    assert book.sheet_names == ["Rows", "Source"]
    assert book.get_sheet_by_name("Rows").to_python() == [
        ["card", "cover", "kill", "hp", "mean"],
        ["=1+1", True, 0.25, 7.0, "inf"],
        ["Щит", False, "", 0.3, 1 / 3],
    ]
    source = {row[0]: row[1] for row in book.get_sheet_by_name("Source").to_python()}
    assert source["seed"] == str(2**64 - 1)
    assert source["rules"] == '{"=x": 1}'
    assert len(source["long"]) == 32_767
    assert source["morsdei_sim"]
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert '<autoFilter ref="A1:E3"/>' in sheet
    assert 'state="frozen"' in sheet
    assert "<f>" not in sheet
