"""Cards written and read back are the same cards, in every format and language."""

from __future__ import annotations

import csv
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from morsdei_sim.cards import read, read_squad, write
from morsdei_sim.cards.text import slug
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.rulesets.morsdei.cards import Fighter, Weapon

_HIDDEN = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff\ufffe\uffff"
_letters = st.characters(exclude_categories=("Cc", "Cs"), exclude_characters=_HIDDEN)
_nasty = st.sampled_from(
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM",
        "'x",
        "''=",
        '"q"',
        "a;b,c",
        "3-4",
        "007",
        "1e5",
        "nan",
        "true",
        "<b>",
        "_x0041_",
        "sep=;",
        "#N/A",
        "\\u0041",
        "{=1}",
        "http://x",
        "[[fighter]]",
        "—",
        "Ёж № 5",
        "ИСТИНА",
        "FALSE",
        "#Н/Д",
        "03.апр",
        "000123",
        "1,5",
        "50%",
        "# Волк",
        "🐺",
        "'=",
    ]
)
_name = (_nasty | st.text(_letters, min_size=1, max_size=80)).map(str.strip).filter(bool)
_line = st.just("") | _name
_long = st.sampled_from(['"' * 2000, "я;" * 1000, "=" + "\\" * 1999, ("x" * 99 + "\n") * 19 + "y"])
_text = st.lists(_line, max_size=3).map("\n".join).map(str.strip) | _long
_length = st.floats(0.001, 100, allow_nan=False) | st.sampled_from([6.0, 6.5, 0.1 + 0.2])
_keyword = _name.filter(lambda word: "," not in word and ";" not in word)
_weapon = st.builds(
    Weapon,
    name=_name,
    name_ru=_line,
    type=st.sampled_from(["ranged", "pistol", "melee"]),
    dice=st.integers(0, 20),
    hit=st.integers(2, 6),
    damage=st.integers(0, 100),
    range=st.none() | _length,
    properties=_text,
)
_weapons = st.lists(_weapon, min_size=1, max_size=3, unique_by=lambda one: slug(one.name) or one.name).map(tuple)


@st.composite
def _squad(draw: st.DrawFn) -> list[Fighter]:
    cards = []
    for number in range(draw(st.integers(1, 3))):
        cards.append(
            Fighter(
                id=f"f{number}",
                name=draw(_name),
                name_ru=draw(_line),
                apl=draw(st.integers(0, 4)),
                move=draw(_length),
                defence=draw(st.integers(0, 20)),
                hp=draw(st.integers(1, 1000)),
                base=draw(_length),
                count=draw(st.integers(1, 50)),
                keywords=tuple(draw(st.lists(_keyword, max_size=3))),
                rules=draw(_text),
                weapon=draw(_weapons),
            )
        )
    return cards


def _same_names_are_possible(cards: list[Fighter]) -> bool:
    from morsdei_sim.cards.text import norm

    return all(
        len({norm(w.name) for w in card.weapon}) == len(card.weapon) and all(norm(w.name) for w in card.weapon)
        for card in cards
    )


@pytest.mark.parametrize(
    ("kind", "lang"), [(".toml", "en"), (".csv", "en"), (".csv", "ru"), (".xlsx", "en"), (".xlsx", "ru")]
)
@settings(max_examples=25, deadline=None)
@given(cards=_squad().filter(_same_names_are_possible), squad=_line)
def test_what_is_written_reads_back(kind: str, lang: str, cards: list[Fighter], squad: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"squad{kind}"
        write(path, cards, Fighter, lang, squad=squad)
        again = read_squad(path, Fighter)
    assert list(again.cards) == cards
    assert again.name == squad


def _card(**changes: object) -> Fighter:
    weapon = {"name": "fist", "type": "melee", "dice": 4, "hit": 4, "damage": 4}
    return Fighter.model_validate({"name": "A", "move": 6.0, "defence": 3, "hp": 7, "weapon": (weapon,), **changes})


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@x"])
def test_no_cell_can_run_as_a_formula(tmp_path: Path, name: str) -> None:
    write(tmp_path / "a.csv", [_card(name=name, id="a")], Fighter)
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as file:
        assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for row in csv.reader(file) for cell in row)
    write(tmp_path / "a.xlsx", [_card(name=name, id="a")], Fighter)
    with zipfile.ZipFile(tmp_path / "a.xlsx") as book:
        assert b"<f>" not in book.read("xl/worksheets/sheet1.xml")
        assert not any("hyperlink" in one for one in book.namelist())
    assert read(tmp_path / "a.csv", Fighter)[0].name == read(tmp_path / "a.xlsx", Fighter)[0].name == name


def test_russian_csv_suits_a_russian_excel(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", [_card(move=6.5)], Fighter, "ru")
    data = (tmp_path / "a.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    assert "Движение;" in data.decode("utf-8-sig")
    assert ";6,5;" in data.decode("utf-8-sig")


def test_an_existing_file_is_kept_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("mine")
    with pytest.raises(UserError, match="already exists"):
        write(path, [_card()], Fighter)
    assert path.read_text() == "mine"
    write(path, [_card()], Fighter, force=True)
    assert read(path, Fighter) == [_card()]
    assert [one.name for one in tmp_path.iterdir()] == ["a.toml"]  # no temporary file stays


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.toml"
    path.write_text("mine")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UserError, match="no space left"):
        write(path, [_card()], Fighter, force=True)
    assert path.read_text() == "mine"
    assert [one.name for one in tmp_path.iterdir()] == ["a.toml"]


def test_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"did you mean \"\.xlsx\""):
        write(tmp_path / "a.xls", [_card()], Fighter)
    with pytest.raises(UserError, match=r"save that as \.ods in LibreOffice"):
        write(tmp_path / "a.ods", [_card()], Fighter)


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_a_workbook_saved_by_libreoffice(tmp_path: Path, kind: str) -> None:
    cards = [
        _card(name="Ёж", move=6.5, keywords=("зверь", "лес")),
        _card(name="Б", name_ru="=1", weapon=_card().weapon),
    ]
    write(tmp_path / "a.csv", cards, Fighter, "ru")
    # 59 = ; 34 = " 76 = UTF-8
    command = [
        "soffice",
        "--headless",
        f"-env:UserInstallation=file://{tmp_path}/office",
        "--infilter=CSV:59,34,76",
        "--convert-to",
        kind,
        "--outdir",
        str(tmp_path),
        str(tmp_path / "a.csv"),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    read_back = read(tmp_path / f"a.{kind}", Fighter)
    assert [(c.name, c.move, c.keywords, c.weapon) for c in read_back] == [
        (c.name, c.move, c.keywords, c.weapon) for c in cards
    ]


def test_two_cards_of_one_name_need_ids(tmp_path: Path) -> None:
    write(tmp_path / "a.toml", [_card(), _card()], Fighter)
    with pytest.raises(CardFaults, match="already taken"):
        read(tmp_path / "a.toml", Fighter)
