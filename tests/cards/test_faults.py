"""Every kind of fault is found, in its place, and nothing untrusted ends in a traceback."""

from __future__ import annotations

import io
import os
import re
import zipfile
from datetime import date
from pathlib import Path

import pytest
import xlsxwriter

from morsdei_sim.cards import find, read, read_all, write
from morsdei_sim.cards.encodings import likelier
from morsdei_sim.cards.lines import lines
from morsdei_sim.errors import CardFaults
from morsdei_sim.lang import set_language
from morsdei_sim.rulesets.morsdei.cards import Fighter

ROOT = Path(__file__).resolve().parents[2]
HEAD = '[[fighter]]\nname = "Heavy"\nmove = 5\ndefence = 4\nhp = 10\n'
FIST = '[[fighter.weapon]]\nname = "fist"\ntype = "melee"\ndice = 4\nhit = 4\ndamage = 4\n'
ROW = "Имя;Движение;Защита;Здоровье;Оружие;Тип;Кубики;Hit;Урон\r\n"


@pytest.fixture(autouse=True)
def _english() -> None:
    set_language("en")


def faults(path: Path, content: str | bytes) -> list[str]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(CardFaults) as caught:
        read(path, Fighter)
    assert caught.value.exit_code == 3
    return [f"{fault.place}|{fault.field}|{fault.value}|{fault.message}|{fault.hint}" for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "hit = 4",
            "hit = 7",
            'line 10|fighter "Heavy", weapon "fist", hit|7|must be 2 to 6 (lowest successful face)|',
        ),
        ("hp = 10", "hp = true", 'line 5|fighter "Heavy", hp|true|must be a whole number, 1 to 1000'),
        ("hp = 10", "hp = 1.5", 'line 5|fighter "Heavy", hp|1.5|must be a whole number'),
        ("hp = 10", 'hp = "1,000"', 'line 5|fighter "Heavy", hp|"1,000"|must be a whole number'),
        ("move = 5", "move = nan", 'line 3|fighter "Heavy", move|nan|must be a number'),
        ("move = 5", "move = inf", 'line 3|fighter "Heavy", move|inf|must be a number'),
        ("move = 5", "move = 0", 'line 3|fighter "Heavy", move|0|must be above 0, at most 100'),
        ("move = 5", "mvoe = 5", 'line 3|fighter "Heavy", mvoe||no such field|did you mean "move"?'),
        (
            '"melee"',
            '"meele"',
            'line 8|fighter "Heavy", weapon "fist", type|"meele"|must be ranged, pistol or melee (kind of '
            'weapon)|did you mean "melee"?',
        ),
        (
            "dice = 4",
            'dice = "4d8"',
            'line 9|fighter "Heavy", weapon "fist", dice|"4d8"|must be a whole number, 0 to 20 (number '
            "of attack dice)|only d6 dice are known",
        ),
        (
            "dice = 4",
            "dice = 0x" + "f" * 3000,
            'line 9|fighter "Heavy", weapon "fist", dice|a number of 3613 digits|must be 0',
        ),
        ("defence = 4", "defence = 2024-03-04", 'line 4|fighter "Heavy", defence|2024-03-04|is a date'),
        (
            '"Heavy"',
            r'"a\u0007b"',
            'line 2|fighter "a\\u0007b", name|"a\\u0007b"|control character U+0007 is not allowed',
        ),
        ('"Heavy"', '"' + "x" * 81 + '"', "is too long: at most 80 characters"),
        ('"Heavy"', "7", "line 2|fighter 1, name|7|must be text in quotes"),
        ("move = 5\n", "", 'line 1|fighter "Heavy", move||is missing; must be above 0, at most 100'),
        (
            "move = 5",
            "move = 6,5",
            "line 3||move = 6,5|is not valid TOML here: something stands after the value|decimals take a point: 6.5",
        ),
        ("move = 5", "движение = 5", "write the key in English: move"),
        ("move = 5", "hit = 4\nmove = 5", "no such field|it belongs to a weapon"),
        (FIST, "", 'line 1|fighter "Heavy"||needs at least one weapon'),
        (FIST, FIST + FIST, 'line 13|fighter "Heavy", weapon "fist"||this name is already taken'),
        (
            FIST,
            FIST + HEAD + FIST,
            'line 13|fighter "Heavy"||the id "heavy" is already taken by fighter "Heavy" (line 2)',
        ),
        (
            FIST,
            FIST + HEAD.replace("Heavy", "Нeavy") + FIST,
            'line 13|fighter "Нeavy"||looks the same as fighter "Heavy" (line 2), but has Latin letters where',
        ),
        (FIST, FIST + FIST.replace("fist", "fіst"), "this name is already taken within the same card"),
        (HEAD, "colour = 1\n" + HEAD, "line 1|colour||no such entry"),
        (FIST, 'weapon = "fist"\n', 'line 6|fighter.weapon|"fist"|must be a table that begins with [[fighter.weapon]]'),
    ],
)
def test_each_fault_in_its_place(tmp_path: Path, old: str, new: str, expected: str) -> None:
    good = HEAD + FIST
    assert old in good
    found = faults(tmp_path / "a.toml", good.replace(old, new))
    assert len(found) == 1, found
    assert expected in found[0]


def test_windows_line_ends_count_the_same(tmp_path: Path) -> None:
    text = (HEAD + FIST + HEAD.replace("Heavy", "B") + FIST.replace("hit = 4", "hit = 1")).replace("\n", "\r\n")
    assert faults(tmp_path / "a.toml", b"\xef\xbb\xbf" + text.encode())[0].startswith("line 21|")


def test_lines_of_every_notation() -> None:
    text = '''# c
a.b."c d" = """
x = [ "" """
[[fighter]]
x = [1,
  {y = 2, z.q = 'a#"'}]
[[fighter.weapon]]
k = 1
[[fighter]]
[[fighter.weapon]]
[[fighter.weapon]]
"ключ" = \'\'\'it''s
\'\'\'
k = 3 # hit = 4
[fighter.other]
n = 1979-05-27 07:32:00
'''
    found = lines(text)
    assert found["a", "b", "c d"] == 2
    assert found["fighter", 0, "x", 1] == found["fighter", 0, "x", 1, "y"] == found["fighter", 0, "x", 1, "z", "q"] == 6
    assert found["fighter", 0, "weapon", 0, "k"] == 8
    assert found["fighter", 1, "weapon", 1, "ключ"] == 12
    assert found["fighter", 1, "weapon", 1, "k"] == 14
    assert found["fighter", 1, "other", "n"] == 16


def test_all_faults_of_all_files_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text((HEAD + FIST).replace("hp = 10", "hp = 0").replace("hit = 4", "hit = 9"))
    (tmp_path / "b.csv").write_text(ROW + "A;5;3;0;x;melee;4;4;4\n")
    (tmp_path / "c.toml").write_text("")
    with pytest.raises(CardFaults) as caught:
        read_all([tmp_path, tmp_path / "d.toml"], Fighter)
    assert [Path(fault.file).name for fault in caught.value.faults] == ["a.toml", "a.toml", "b.csv", "c.toml", "d.toml"]


def test_what_designers_write_is_understood(tmp_path: Path) -> None:
    text = (
        (HEAD + FIST)
        .replace("hit = 4", 'Hit = "4+"')
        .replace("dice = 4", 'кубики = "4d6"')
        .replace('"melee"', '"Ближнее"')
    )
    (tmp_path / "a.toml").write_text(text.replace("кубики", '"Кубики"').replace("move = 5", 'MOVE = "6,5"'))
    card = read(tmp_path / "a.toml", Fighter)[0]
    assert (card.move, card.weapon[0].hit, card.weapon[0].dice, card.weapon[0].type) == (6.5, 4, 4, "melee")


SOLDIER = "Гвардеец;5;3;7;нож;ближнее;4;4;4\r\n"
ENGLISH = "Name;Move;Defence;HP;Weapon;Type;Dice;Hit;Damage\r\nÉclaireur;5;3;7;Säbel;melee;4;4;4\r\n"


@pytest.mark.parametrize("text", ["БОЕЦ", "боец", "Боец", "МакКензи", "Cнайпер", "Їжак", "Ёж №1 «бис» – 2°"])
def test_russian_names_are_read_as_excel_writes_them(text: str) -> None:
    """Capitals, small letters, a capital within a word, one Latin letter, Ukrainian, signs: in no other encoding."""
    for row in (f"name;hp\n{text};5\n", f"ИМЯ;HP\n{text};5\n", f"Имя;Ход;HP\nБоец;6;5\n{text};6;5\n"):
        assert likelier(row.encode("cp1251")) == ""


@pytest.mark.parametrize("names", [("Ёж", "Еж"), ("Heavy 1", "Heavy_1")])
def test_names_that_can_be_told_apart_are_two_cards(tmp_path: Path, names: tuple[str, str]) -> None:
    one, other = (HEAD.replace("Heavy", name) + FIST for name in names)
    ids = (f'id = "{ident}"\n' for ident in ("heavy-1", "heavy_1")) if names[0] == "Heavy 1" else ("", "")
    text = "".join(part.replace("move = 5", f"{ident}move = 5") for part, ident in zip((one, other), ids, strict=True))
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    assert [card.name for card in read(tmp_path / "a.toml", Fighter)] == list(names)


def test_prose_is_read_as_excel_writes_it() -> None:
    """Ten lines of the README at a time."""
    lines = [line for line in (ROOT / "README.ru.md").read_text(encoding="utf-8").splitlines() if "█" not in line]
    for start in range(0, len(lines), 10):
        data = "\n".join(lines[start : start + 10])
        assert likelier(data.encode("cp1251", "ignore")) == ""
        for other in ("koi8_r", "cp866", "mac_cyrillic", "iso8859_5"):
            assert likelier(data.encode(other, "ignore")) or not re.search("[а-я]{9}", data), other


@pytest.mark.parametrize("encoding", ["cp1251", "utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("mark", [";", ",", "\t"])
def test_csv_of_any_excel(tmp_path: Path, encoding: str, mark: str) -> None:
    rows = (
        ROW + 'Тяж;"6,5";3;7;винтовка;дальнее;4д6;4+;4\r\n;;;;кулак;ближнее;4;4;"4,0"\r\nЁж;6;3;7;нож;ближнее;3;4;3\r\n'
    )
    (tmp_path / "a.csv").write_bytes(rows.replace(";", mark).encode(encoding))
    heavy, other = read(tmp_path / "a.csv", Fighter)
    assert (heavy.name, heavy.move, [weapon.name for weapon in heavy.weapon]) == ("Тяж", 6.5, ["винтовка", "кулак"])
    assert (other.name, other.id, other.weapon[0].damage) == ("Ёж", "ёж", 3)


def test_faults_of_a_sheet_name_the_cell(tmp_path: Path) -> None:
    rows = ROW.replace("Урон", "Урн") + "Т;5;3;7;a;ближнее;4;7;4\r\n;5;4;;b;ближнее;3-4;4;4;9\r\n"
    found = faults(tmp_path / "a.csv", rows)
    assert [one.partition("|")[0] for one in found] == ["line 1"] * 2 + ["line 2"] + ["line 3"] * 3, found


def test_a_cell_that_excel_made_a_date(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(tmp_path / "a.xlsx")
    sheet = book.add_worksheet("Лист1")
    sheet.write_row(0, 0, ROW.strip().split(";"))
    sheet.write_row(1, 0, ["A", 5, 3, 7, "x", "melee", 4, 4])
    sheet.write_datetime(1, 8, date(2026, 3, 4), book.add_format({"num_format": "d mmm"}))
    sheet.write_boolean(1, 2, True)
    book.close()
    found = faults(tmp_path / "a.xlsx", (tmp_path / "a.xlsx").read_bytes())
    assert [one.split("|")[0] for one in found] == ["Лист1!C2", "Лист1!I2"]
    assert "is a date" in found[1]
    assert "format the cell as Text" in found[1]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", b"", "is empty"),
        ("a.toml", b"# nothing\n", "holds no fighter"),
        ("a.csv", ROW.encode(), "holds no fighter"),
        ("a.toml", os.urandom(10_000_000), "too large"),
        ("a.csv", os.urandom(1_000_000).replace(b"\x00", b""), "not a text file"),
        ("a.xlsx", os.urandom(1_000_000), "not a spreadsheet"),
        ("a.toml", b"\x7fELF\x00\x01", "binary file"),
        ("a.toml", "name = 'Тяж'".encode("cp1251"), "not in UTF-8"),
        ("a.toml", b"a=" + b"[" * 1990 + b"]" * 1990, "nested too deeply"),
        ("a.toml", b"a=" + b"9" * 5000, "longer than"),
        ("a.toml", b"\n".join(b"[[fighter]]" for _ in range(201)), "at most 200"),
        ("a.toml", (HEAD + "".join(FIST.replace("fist", f"f{n}") for n in range(21))).encode(), "at most 20"),
        ("a.xls", b"x", "must end in"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0" + b"\x00" * 600, "password-protected"),
        ("a.csv", b'a,b\n"x', "not a valid CSV"),
    ],
)
def test_hopeless_files(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    found = faults(tmp_path / name, content)
    assert len(found) == 1 or name == "a.csv", found
    assert message in "\n".join(found)


def _book(path: Path, sheet: bytes, lie: bool = False) -> None:
    write(path, read_one(), Fighter)
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    parts["xl/worksheets/sheet1.xml"] = sheet
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in parts.items():
            new.writestr(name, content)
    data = stream.getvalue()
    if lie:  # both headers claim that the sheet is a hundred bytes long
        data = data.replace(len(sheet).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    path.write_bytes(data)


def read_one() -> list[Fighter]:
    weapon = {"name": "fist", "type": "melee", "dice": 4, "hit": 4, "damage": 4}
    return [Fighter.model_validate({"name": "A", "move": 6.0, "defence": 3, "hp": 7, "weapon": (weapon,)})]


@pytest.mark.parametrize("lie", [False, True])
def test_zip_bombs_are_not_unpacked(tmp_path: Path, lie: bool) -> None:
    _book(tmp_path / "a.xlsx", b"<worksheet>" + b" " * 200_000_000 + b"</worksheet>", lie)
    assert (tmp_path / "a.xlsx").stat().st_size < 1_000_000
    assert "unpacks to more than 32 MB" in faults(tmp_path / "a.xlsx", (tmp_path / "a.xlsx").read_bytes())[0]


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        (
            b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><v>1</v>'  # noqa: E501
            b'</c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>',
            "sheet is too large",
        ),
        (b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><worksheet>&a;</worksheet>', "not a spreadsheet"),
        (b"<worksheet><", "not a spreadsheet"),
        (b'<?xml version="1.0" encoding="no-such"?><worksheet/>', "not a spreadsheet"),
    ],
)
def test_sheets_that_would_fill_the_memory(tmp_path: Path, sheet: bytes, message: str) -> None:
    _book(tmp_path / "a.xlsx", sheet)
    assert message in faults(tmp_path / "a.xlsx", (tmp_path / "a.xlsx").read_bytes())[0]


def test_a_missing_file_a_folder_and_a_locked_file(tmp_path: Path) -> None:
    write(tmp_path / "bulwark.toml", read_one(), Fighter)
    with pytest.raises(CardFaults, match=r'no such file — did you mean ".*bulwark\.toml"'):
        read(tmp_path / "bulwrak.toml", Fighter)
    (tmp_path / "d.toml").mkdir()
    with pytest.raises(CardFaults, match="is a folder"):
        read(tmp_path / "d.toml", Fighter)
    os.mkfifo(tmp_path / "p.toml")
    with pytest.raises(CardFaults, match="not an ordinary file"):
        read(tmp_path / "p.toml", Fighter)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Raised by hand: the tests may run as root, who may read everything.
    path = tmp_path / "a.toml"
    path.write_text("x")

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(CardFaults, match="permission denied"):
        read(path, Fighter)


def test_find(tmp_path: Path) -> None:
    cards = [read_one()[0].model_copy(update={"id": "heavy", "name": "Heavy", "name_ru": "Тяжёлый"}), *read_one()]
    write(tmp_path / "bulwark.toml", cards, Fighter)
    looks_so = "bulwark/тяжeлый"  # with a Latin e
    for name in ("bulwark/heavy", "BULWARK/Heavy", "bulwark/тяжелый", looks_so, f"{tmp_path}/bulwark.toml/heavy"):
        assert find(name, Fighter, tmp_path) == cards[0]
    for name, hint in [
        ("bulwark/hevy", 'did you mean "heavy"'),
        ("bulwrk/heavy", 'did you mean "bulwark"'),
        ("bulwark", "say which one — bulwark/heavy, bulwark/a"),
    ]:
        with pytest.raises(CardFaults, match=hint):
            find(name, Fighter, tmp_path)


def test_a_key_given_twice_is_no_matter_of_quotation_marks(tmp_path: Path) -> None:
    (found,) = faults(tmp_path / "a.toml", HEAD + "hp = 9\n" + FIST)
    assert found.startswith("line 6||hp = 9|is not valid TOML here: this key is given twice|")
    assert "[[fighter]]" in found
    assert "quot" not in found


def test_reasons_of_toml_speak_russian(tmp_path: Path) -> None:
    set_language("ru")
    for wrong in ("hp = 9\n", "x\n", 'y = "a\n', "z = [1\n", "z = !\n", "hp = 5 5\n", "[[fighter\n"):
        (found,) = faults(tmp_path / "a.toml", HEAD + wrong + FIST)
        reason = found.split("|")[3].partition(": ")[2]
        assert reason, found
        assert reason[0] in "абвгдежзийклмнопрстуфхцчшщэюя", reason


def test_an_open_quotation_mark_in_a_csv_has_its_row(tmp_path: Path) -> None:
    rows = ROW + "А;5;4;10;кулак;melee;4;4;4\r\n" + 'Б;5;4;10;"кулак;melee;4;4;4\r\n' + "В;5;4;10;кулак;melee;4;4;4\r\n"
    (found,) = faults(tmp_path / "a.csv", rows)
    assert found.startswith("line 3|")
    assert "never closed" in found


def test_a_table_without_a_column_is_told_in_words_of_a_table(tmp_path: Path) -> None:
    (found,) = faults(tmp_path / "a.csv", "Name,Move,Defence,Weapon,Type,Dice,Hit,Damage\r\nA,5,4,fist,melee,4,4,4\r\n")
    assert found == 'line 1|||no column "HP"|'
    (found,) = faults(tmp_path / "b.csv", "Name,Move,Defence,HP,Weapon,Type,Dice,Hit,Damage\r\nA,5,4,9,,,,,\r\n")
    assert "[[" not in found
    assert '"Weapon"' in found


def test_the_error_of_a_formula_is_no_missing_value(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    book = xlsxwriter.Workbook(path)
    book.add_worksheet("Notes").write_formula(1, 3, "=1/0", None, "#REF!")
    sheet = book.add_worksheet("My cards")
    for column, title in enumerate("Name Move Defence HP Weapon Type Dice Hit Damage".split()):
        sheet.write(0, column, title)
    for column, cell in enumerate(["A", 5, 4, None, "fist", "melee", 4, 4, 4]):
        sheet.write(1, column, cell)
    sheet.write_formula(1, 3, "=1/0", None, "#DIV/0!")
    book.close()
    found = faults(path, path.read_bytes())
    assert [one for one in found if one.startswith("My cards!D2|")] == [
        'My cards!D2|fighter "A", HP|"#DIV/0!"|is the error of a formula (starting and maximum health)|'
        "mend the formula, or type the value"
    ]
    assert not any("missing" in one for one in found if one.startswith("My cards"))


def test_reasons_of_the_system_speak_russian(tmp_path: Path) -> None:
    from morsdei_sim.cards.output import save
    from morsdei_sim.errors import UserError

    set_language("ru")
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="часть пути — не папка"):
        save(tmp_path / "file" / "x.csv", b"", False)
    with pytest.raises(UserError, match="mkdir"):
        save(tmp_path / "no such" / "x.csv", b"", False)
    assert not (tmp_path / "no such").exists()
