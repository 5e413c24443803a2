"""The tables of docs/spreadsheets.md: every row of them is a case here, with real files."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from datetime import date, time
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from click.testing import CliRunner
from python_calamine import CalamineWorkbook

from morsdei_sim import cli
from morsdei_sim.cards import read, write
from morsdei_sim.errors import CardFaults
from morsdei_sim.lang import set_language
from morsdei_sim.rulesets.morsdei.cards import Fighter

TITLES = "Имя;Движение;Защита;HP;Оружие;Тип;Кубики;Hit;Урон"
ROW = "Тяж;6,5;3;7;винтовка;дальнее;4;4;5"
PLACE = {title: number for number, title in enumerate(TITLES.split(";"))}
DOCS = Path(__file__).resolve().parents[2] / "docs" / "spreadsheets.md"

Sheet = Any  # of xlsxwriter, which has no types


@pytest.fixture(autouse=True)
def _english() -> None:
    set_language("en")


def csv_file(folder: Path, text: str, encoding: str = "utf-8", name: str = "a.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def csv_with(folder: Path, title: str, cell: str) -> Path:
    """A CSV of one good row in which one cell is another."""
    row = ROW.split(";")
    row[PLACE[title]] = f'"{cell.replace(chr(34), chr(34) * 2)}"'
    return csv_file(folder, f"{TITLES}\r\n{';'.join(row)}\r\n")


def xlsx_with(folder: Path, change: Callable[[Any, Sheet], None], calculated: bool = True) -> Path:
    """A workbook of one good row; `change` does with book and sheet what it likes."""
    path = folder / "a.xlsx"
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("Cards")
    sheet.write_row(0, 0, TITLES.split(";"))
    sheet.write_row(1, 0, ["Тяж", 6.5, 3, 7, "винтовка", "дальнее", 4, 4, 5])
    change(book, sheet)
    book.close()
    if calculated:  # as a spreadsheet program saves it
        edit(path, "xl/workbook.xml", b' fullCalcOnLoad="1"', b"")
    return path


def edit(path: Path, member: str, old: bytes, new: bytes) -> None:
    """Another content of one member of an archive."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert old in parts[member]
    parts[member] = parts[member].replace(old, new)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def ods_with(folder: Path, cells: dict[str, str], manifest: str = "") -> Path:
    """An .ods of one good row in which the XML of some cells, by column title, is another."""
    kinds = {"Движение": "6.5", "Защита": "3", "HP": "7", "Кубики": "4", "Hit": "4", "Урон": "5"}
    text = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    number = '<table:table-cell office:value-type="float" office:value="{0}"><text:p>{0}</text:p></table:table-cell>'
    row = [
        cells[one] if one in cells else number.format(kinds[one]) if one in kinds else text.format(said)
        for one, said in zip(TITLES.split(";"), ROW.split(";"), strict=True)
    ]
    heads = "".join(text.format(one) for one in TITLES.split(";"))
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    calc = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    content = (
        f'<office:document-content {spaces} {calc}><office:body><office:spreadsheet><table:table table:name="Cards">'
        f"<table:table-row>{heads}</table:table-row><table:table-row>{''.join(row)}</table:table-row>"
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    path = folder / "a.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", f"<manifest>{manifest}</manifest>")
    return path


def number(title: str, cell: Any, style: str = "General") -> Callable[[Path], Path]:
    """The file with one number in another format."""
    return lambda folder: xlsx_with(
        folder, lambda book, sheet: sheet.write_number(1, PLACE[title], cell, book.add_format({"num_format": style}))
    )


def typed(title: str, *cells: str) -> list[Callable[[Path], Path]]:
    """CSV files, each with one of the cells."""
    return [lambda folder, cell=cell: csv_with(folder, title, cell) for cell in cells]  # type: ignore[misc]


def formula(title: str, text: str, value: Any, calculated: bool = True) -> Callable[[Path], Path]:
    return lambda folder: xlsx_with(
        folder, lambda _book, sheet: sheet.write_formula(1, PLACE[title], text, None, value), calculated
    )


def merged(title: str) -> Callable[[Path], Path]:
    """A second row, of another weapon, whose cell is merged with that of the first."""

    def change(book: Any, sheet: Sheet) -> None:
        second = ["", "", "", "", "нож", "ближнее", 3, 4, 3]
        second[PLACE[title]] = ""
        sheet.write_row(2, 0, second)
        area = (1, PLACE[title], 2, PLACE[title])
        sheet.merge_range(*area, {"Hit": 4, "Имя": "Тяж", "Движение": 6.5}[title], book.add_format())

    return lambda folder: xlsx_with(folder, change)


def sheets(folder: Path, hide: bool = False, second: str = "Бык") -> Path:
    """Notes first, then two sheets of cards, of which the last may be hidden."""
    book = xlsxwriter.Workbook(folder / "a.xlsx")
    book.add_worksheet("Notes").write_row(0, 0, ["Name", "is the name"])
    for name, who in (("One", "Тяж"), ("Two", second)):
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, TITLES.split(";"))
        sheet.write_row(1, 0, [who, 6.5, 3, 7, "винтовка", "дальнее", 4, 4, 5])
    if hide:
        sheet.hide()
    book.close()
    return folder / "a.xlsx"


def hidden_rows(folder: Path) -> Path:
    def change(book: Any, sheet: Sheet) -> None:
        sheet.write_row(2, 0, ["Бык", 6.5, 3, 7, "винтовка", "дальнее", 4, 4, 5])
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.set_column(8, 8, None, None, {"hidden": True})

    return xlsx_with(folder, change)


def copied(content: bytes, name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (folder / name).write_bytes(content)
        return folder / name

    return make


def renamed(folder: Path) -> Path:
    return xlsx_with(folder, lambda book, sheet: None).rename(folder / "b.csv")


def encrypted_ods(folder: Path) -> Path:
    return ods_with(folder, {}, "<encryption-data/>")


def title(*names: str) -> list[Callable[[Path], Path]]:
    """CSV files in whose header Hit is called otherwise."""
    return [
        lambda folder, name=name: csv_file(folder, f"{TITLES.replace('Hit', name)}\r\n{ROW}\r\n")  # type: ignore[misc]
        for name in names
    ]


def coded(encoding: str, separator: str, first: str = "") -> Callable[[Path], Path]:
    text = f"{TITLES}\r\n{ROW}\r\n".replace("6,5", '"6,5"').replace(";", separator)
    return lambda folder: csv_file(folder, first + text, encoding)


def said(folder: Path, file: Callable[[Path], Path]) -> list[str]:
    """The faults of a file as people see them, without the folder."""
    path = file(folder)
    with pytest.raises(CardFaults) as caught:
        read(path, Fighter)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


READ: dict[str, tuple[list[Callable[[Path], Path]], Callable[[list[Fighter]], object], object]] = {
    "CSV with `;`, `,` or tab, in UTF-8, UTF-16 or Windows-1251": (
        [
            coded(code, mark, first)
            for code, mark, first in [
                ("utf-8", ";", ""), ("utf-8-sig", ",", ""), ("utf-16", "\t", ""), ("cp1251", ";", "sep=;\r\n"),
                ("utf-8", ";", "\r"), ("cp1251", "\t", ""),
            ]
        ],
        lambda cards: (cards[0].name, cards[0].move, cards[0].weapon[0].type),
        ("Тяж", 6.5, "ranged"),
    ),
    "a heading above the titles": (
        [
            coded("utf-8", ";", "Мой отряд;;;\r\n\r\n"),
            coded("utf-8", ",", "Мой отряд\r\n"),
            coded("utf-8", ";", "Смотрите:;Имя;HP;Hit;Урон\r\n"),
        ],
        lambda cards: [card.name for card in cards],
        ["Тяж"],
    ),
    "several sheets with titles": ([sheets], lambda cards: [card.name for card in cards], ["Тяж", "Бык"]),
    "hidden rows and columns, filters": ([hidden_rows], lambda cards: [card.name for card in cards], ["Тяж", "Бык"]),
    "English or Russian, in any case, with blanks or line breaks, letters of the other alphabet that look alike "
    "(`Нit`)": (
        title("hit", "ПОПАДАНИЕ", " Hit\u00a0", '"Хит\n"', "Нit"), lambda cards: cards[0].weapon[0].hit, 4,
    ),
    "a title that begins with `#`": (
        [lambda folder: csv_file(folder, f"{TITLES};# моё\r\n{ROW};3-4\r\n")], lambda cards: len(cards), 1,
    ),
    "`4`, `4.0`, `4,0`, the text `4`, blanks around it": (
        [*typed("Кубики", "4", "4.0", "4,0", " 4\u00a0", "\u20094"), number("Кубики", 4),
         lambda folder: xlsx_with(folder, lambda _book, sheet: sheet.write_string(1, PLACE["Кубики"], "4"))],
        lambda cards: cards[0].weapon[0].dice, 4,
    ),
    '`4+` of Hit, `4d6`, `4д6` of Dice, `6"` of Move': (
        [*typed("Hit", "4+", "4 +"), *typed("Кубики", "4d6", "4д6"), *typed("Движение", '6"')],
        lambda cards: (cards[0].weapon[0].hit, cards[0].weapon[0].dice, round(cards[0].move)), (4, 4, 6),
    ),
    "`6,5` and `6.5`": (
        [*typed("Движение", "6,5", "6.5"), number("Движение", 6.5)], lambda cards: cards[0].move, 6.5,
    ),
    "`1 000` with blanks of any kind between the thousands": (
        typed("HP", "1 000", "1\u00a0000", "1\u202f000", "1\u2009000"), lambda cards: cards[0].hp, 1000,
    ),
    "a formula with its value stored": (
        [formula("Кубики", "=2+1", 3), formula("Кубики", "=(0.1+0.2)*10", 2.9999999999999996)],
        lambda cards: cards[0].weapon[0].dice, 3,
    ),
    "a number in a name": (
        [number("Имя", 7), *typed("Имя", "7")], lambda cards: cards[0].name, "7",
    ),
}  # fmt: skip

BIG = TITLES.encode() + b"\r\n" + b";;\r\n" * 5001
OLE = b"\xd0\xcf\x11\xe0" + b"\0" * 600
DATES = (
    "03.апр", "мар.04", "01.янв", "3-Apr", "Mar-04", "04.03.2026", "2026-03-04", "3/4/26", "04.03.2026 0:00", "03.04",
    "4:30", "12:00:00 AM",
)  # fmt: skip

REFUSED: dict[str, tuple[list[Callable[[Path], Path]], str]] = {
    "CSV in another encoding": ([coded("utf-16-le", ";"), coded("cp866", ";"), coded("koi8_r", ";")], "CSV UTF-8"),
    "a hidden sheet of cards": (
        [lambda folder: sheets(folder, hide=True)], r"a.xlsx Two!A1: this sheet of cards is hidden — show it",
    ),
    ".xls, .xlsb, .xlsm, .numbers, a password": (
        [*(copied(b"x", f"a{kind}") for kind in (".xls", ".xlsb", ".xlsm", ".numbers")), copied(OLE, "b.xlsx"),
         encrypted_ods],
        "save it as .xlsx|password",
    ),
    ".xlsx renamed .csv, or the reverse": (
        [renamed, copied(f"{TITLES}\r\n{ROW}".encode(), "b.xlsx")], "must keep (their|its) ending",
    ),
    "over 5,000 rows or 200 columns; over 5 MB, or 32 MB unpacked": (
        [copied(BIG, "a.csv"), copied(b";" * 201 + b"\n", "a.csv"), copied(b"a\n" * 1_000_001, "a.csv"),
         copied(b"PK" + b"x" * 5_000_000, "a.xlsx")],
        "too large",
    ),
    "an unknown title": (
        [lambda folder: csv_file(folder, f"{TITLES};Дальнсть\r\n{ROW};9\r\n")],
        '^a.csv:1: Дальнсть: no such column — did you mean "Дальность"',
    ),
    "a title that stands twice; a title that is missing": (title("Имя"), "(twice|no column)"),
    "`1,000`, `1.000`, `1'000` of a whole number": (
        typed("HP", "1,000", "1.000", "1'000"), "HP = .*: must be a whole number, 1 to 1000 .* — write it without",
    ),
    "names that only look the same: `Снайпер` with a Latin `C`": (
        [lambda folder: csv_file(folder, f"{TITLES}\r\n{ROW}\r\n{ROW.replace('Тяж', 'Tяж')}\r\n")],
        r'^a.csv:3: fighter "Tяж": looks the same as fighter "Тяж" \(line 2\), but has Latin letters .* — copy the',
    ),
    "a date or a time: `03.апр`, `3-Apr`, `04.03.2026`, `03.04`, `4:30`, a date cell": (
        [
            *typed("Кубики", *DATES), *typed("Движение", *DATES),
            *(
                lambda folder, at=at, cell=cell, style=style: xlsx_with(  # type: ignore[misc]
                    folder,
                    lambda book, sheet: sheet.write_datetime(1, PLACE[at], cell, book.add_format({"num_format": style}))
                )
                for at in ("Кубики", "Имя")
                for cell, style in [(date(2026, 4, 3), "d-mmm"), (date(2026, 4, 3), "[$-419]d mmm;@"),
                                    (time(4, 30), "h:mm"), (date(1900, 1, 4), "[h]:mm")]
            ),
            lambda folder: ods_with(
                folder, {"Кубики":
                '<table:table-cell office:value-type="date" office:date-value="2026-04-03"><text:p>3-Apr</text:p>'
                "</table:table-cell>"},
            ),
        ],
        "(Кубики|Движение|Имя) = .*: is a date .* — spreadsheets turn 3-4, 1/2 or 6.5 into dates: format the cell as",
    ),
    "`3-4`, `1/2`": (typed("Кубики", "3-4", "1/2", "3–4"), "must be a whole number, 0 to 20 .* — one number"),
    "`50%`, a cell formatted as a percentage": (
        [*typed("Движение", "50%"), number("Движение", 0.5, "0%"), number("Кубики", 4, "0.0%"),
         lambda folder: ods_with(
             folder, {"Движение":
             '<table:table-cell office:value-type="percentage" office:value="0.5"><text:p>50%</text:p>'
             "</table:table-cell>"},
         )],
        '(Движение|Кубики) = "(50|400)%": .*percentage',
    ),
    "`О` for 0, `З` for 3": (
        [*typed("Кубики", "З"), *typed("HP", "1О")], "a letter stands in place of a digit: type (3|10)$",
    ),
    "`ИСТИНА`, `TRUE`, a true or false cell": (
        [*typed("Кубики", "ИСТИНА", "TRUE"),
         lambda folder: xlsx_with(folder, lambda _book, sheet: sheet.write_boolean(1, PLACE["Кубики"], True)),
         lambda folder: xlsx_with(folder, lambda _book, sheet: sheet.write_boolean(1, PLACE["Имя"], True)),
         lambda folder: ods_with(
             folder, {"Кубики":
             '<table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>ИСТИНА</text:p>'
             "</table:table-cell>"},
         ),
         lambda folder: ods_with(  # of a formula
             folder, {"Кубики":
             '<table:table-cell table:formula="of:=TRUE()" office:value-type="float" office:value="1">'
             "<text:p>TRUE</text:p></table:table-cell>"},
         )],
        "true and false are not numbers|makes true of some words",
    ),
    "`#Н/Д`, `#REF!`, an error cell": (
        [*typed("Кубики", "#Н/Д", "#REF!", "#ДЕЛ/0!"), formula("Кубики", "=1/0", "#DIV/0!"),
         formula("Имя", "=NA()", "#N/A"),
         lambda folder: ods_with(
             folder, {"Имя":
             '<table:table-cell table:formula="of:=NA()" office:value-type="string" office:string-value=""'
             ' calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>'},
         )],
        "is the error of a formula .* — mend the formula",
    ),
    "`#####`": (typed("Кубики", "#####"), "the column was too narrow"),
    "a formula whose value is not stored; `=2+2` in a CSV": (
        [formula("Кубики", "=2+2", 0, calculated=False), formula("Имя", '="a"&1', "a1", calculated=False),
         lambda folder: uncalculated(folder), *typed("Кубики", "=2+2"),
         lambda folder: ods_with(folder, {"Кубики":  '<table:table-cell table:formula="of:=2+2"/>'})],
        "value is not stored in the file .* — open the file|a formula has no value here",
    ),
    "a cell merged with one of another weapon or fighter": (
        [merged("Hit"),
         lambda folder: ods_with(
             folder, {"Кубики":
             '<table:table-cell office:value-type="float" office:value="4" table:number-columns-spanned="2" '
             'table:number-rows-spanned="1"><text:p>4</text:p></table:table-cell>',
              "Hit": "<table:covered-table-cell/>"},
         )],
        r"a.(xlsx Cards!H3|ods Cards!H2): .*Hit: is merged with Cards!(H2|G2) .* — unmerge the cells",
    ),
    "a row of a CSV with more cells than titles": (
        [lambda folder: csv_file(folder, f"{TITLES}\n{ROW}\n".replace(";", ","))],
        "^a.csv:2: the row has 10 cells under 9 titles — a decimal comma among commas",
    ),
    "a cell under no title": (
        [lambda folder: xlsx_with(folder, lambda _book, sheet: sheet.write(1, 12, "?"))],
        '^a.xlsx Cards!M2: column M = "[?]": stands under no column title',
    ),
    "a line break in a name; over 80 characters of it": (
        typed("Имя", "Тя\nж", "я" * 81, "я" * 3000), "one line — delete the line break|at most 80 characters",
    ),
}  # fmt: skip


def uncalculated(folder: Path) -> Path:
    """As openpyxl writes a formula."""
    path = formula("Кубики", "=2+2", 0)(folder)
    edit(path, "xl/worksheets/sheet1.xml", b"</f><v>0</v>", b"</f><v></v>")
    return path


def rows_of_the_docs() -> set[str]:
    rows = re.findall(r"^\| (.*?) \| .*\|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    return {row for row in rows if not row.startswith("the ")}


def test_every_row_of_the_docs_is_a_case() -> None:
    assert rows_of_the_docs() == {*READ, *REFUSED, "`=1+1`, `+1`, `@x` as a name"}  # the last one: test_round_trip.py


def test_the_commands_and_the_fault_of_the_docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = DOCS.read_text(encoding="utf-8")
    (commands,), (fault,) = (re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("sh", "text"))
    monkeypatch.chdir(tmp_path)
    for line in commands.splitlines():
        done = CliRunner().invoke(cli.main, line.split()[3:])
        assert done.exit_code == 0, done.output
    rows = CalamineWorkbook.from_path("my.xlsx").get_sheet_by_index(0).to_python()
    with xlsxwriter.Workbook("my.xlsx") as book:
        sheet = book.add_worksheet("Cards")
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
        sheet.write_datetime(1, rows[0].index("Dice"), date(2026, 4, 3), book.add_format({"num_format": "d-mmm"}))
    done = CliRunner().invoke(cli.main, ["validate", "my.xlsx"])
    assert (done.exit_code, done.stderr) == (3, fault)


@pytest.mark.parametrize("case", READ)
def test_what_is_read(tmp_path: Path, case: str) -> None:
    files, look, expected = READ[case]
    for file in files:
        assert look(read(file(tmp_path), Fighter)) == expected, (tmp_path / "a.csv").read_text("utf-8", "replace")


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(tmp_path: Path, case: str) -> None:
    files, expected = REFUSED[case]
    for number, file in enumerate(files):
        (tmp_path / str(number)).mkdir()
        found = said(tmp_path / str(number), file)
        assert any(re.search(expected, fault) for fault in found), (number, found)
        if "missing" not in case:
            assert len(found) == 1, (number, found)


def test_every_message_has_its_russian(tmp_path: Path) -> None:
    set_language("ru")
    for place, (files, _message) in enumerate(REFUSED.values()):
        (tmp_path / str(place)).mkdir()
        for fault in said(tmp_path / str(place), files[0]):
            words = re.sub(r'".*?"|«.*?»|`.*?`|\S*\.(csv|xlsx|ods|toml|numbers|xls)\S*|\w+!\w+|true|false', "", fault)
            assert not re.search("[a-z]{4}", words), fault
            assert re.search("[а-я]{4}", words), fault


@pytest.mark.parametrize(("cell", "shown"), [(9, "9"), (-3, "-3"), (2.5, "2.5"), (0, "0")])
def test_a_number_is_told_as_it_was_typed(tmp_path: Path, cell: float, shown: str) -> None:
    (fault,) = said(tmp_path, number("Hit", cell))
    assert f"Hit = {shown}: must be" in fault


def test_cells_of_a_fighter_merged_over_its_weapons_are_its_own(tmp_path: Path) -> None:
    for title in ("Имя", "Движение"):
        (card,) = read(merged(title)(tmp_path), Fighter)
        assert (card.name, card.move, [weapon.name for weapon in card.weapon]) == ("Тяж", 6.5, ["винтовка", "нож"])


def test_cells_merged_over_two_fighters_are_refused(tmp_path: Path) -> None:
    """Also where the second could do without: its APL would be the usual one and not the one that is seen."""

    def change(book: Any, sheet: Sheet) -> None:
        sheet.write(0, 9, "APL")
        sheet.write_row(2, 0, ["Бык", 6, 3, 7, "нож", "ближнее", 3, 4, 3])
        sheet.merge_range(1, 9, 2, 9, 3, book.add_format())

    (fault,) = said(tmp_path, lambda folder: xlsx_with(folder, change))
    assert fault.startswith('a.xlsx Cards!J3: fighter "Бык", APL: is merged with Cards!J2')


def test_all_faults_of_a_workbook_come_at_once(tmp_path: Path) -> None:
    def change(book: Any, sheet: Sheet) -> None:
        sheet.write_datetime(1, 6, date(2026, 4, 3), book.add_format({"num_format": "d-mmm"}))
        sheet.write_number(1, 7, 9)
        sheet.write_formula(1, 3, "=1/0", None, "#DIV/0!")
        other = book.add_worksheet("More")
        other.write_row(0, 0, TITLES.split(";"))
        other.write_row(1, 0, ["Бык", 6, 3, 7, "нож", "ближнее", "З", 4, 3])

    found = said(tmp_path, lambda folder: xlsx_with(folder, change))
    assert [fault.split(":")[0] for fault in found] == [
        f"a.xlsx {at}" for at in ("Cards!D2", "Cards!G2", "Cards!H2", "More!G2")
    ]


def test_a_name_with_a_line_break_does_not_shift_the_lines(tmp_path: Path) -> None:
    rows = f'{TITLES}\r\n"Тя\nж";6;3;7;a;melee;4;4;4\r\n{ROW.replace(";4;4;5", ";4;9;5")}\r\n'
    found = said(tmp_path, lambda folder: csv_file(folder, rows))
    assert [fault.split(" ")[0] for fault in found] == ["a.csv:2:", "a.csv:4:"]


def test_an_apostrophe_cannot_smuggle_a_formula_back(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", read(csv_with(tmp_path, "Имя", "'=1+1"), Fighter), Fighter, force=True)
    assert b"'=1+1" in (tmp_path / "a.csv").read_bytes()
    assert read(tmp_path / "a.csv", Fighter)[0].name == "=1+1"


def rebuilt(path: Path, change: Callable[[str, bytes], tuple[str, bytes]]) -> Path:
    """The archive with every member's name and content changed."""
    with zipfile.ZipFile(path) as archive:
        parts = [change(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts:
            if name:
                archive.writestr(name, content)
    return path


def _strict(name: str, content: bytes) -> tuple[str, bytes]:
    """As Excel saves "Strict Open XML"."""
    old, new = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"
    content = content.replace(old + b"officeDocument/2006/", new + b"officeDocument/")
    return name, content.replace(old + b"spreadsheetml/2006/", new + b"spreadsheetml/")


def _without_places(name: str, content: bytes) -> tuple[str, bytes]:
    return name, re.sub(rb' r="[A-Z]*[0-9]+"', b"", content) if "sheet1" in name else content


def _elsewhere(name: str, content: bytes) -> tuple[str, bytes]:
    """Styles under another name, members in another case."""
    name = {"xl/styles.xml": "xl/looks.xml", "xl/worksheets/sheet1.xml": "xl/worksheets/Sheet1.xml"}.get(name, name)
    return name, content.replace(b'Target="styles.xml"', b'Target="looks.xml"') if name.endswith("rels") else content


@pytest.mark.parametrize("change", [_strict, _without_places, _elsewhere])
def test_oddities_are_found_however_the_workbook_is_built(
    tmp_path: Path, change: Callable[[str, bytes], tuple[str, bytes]]
) -> None:
    """Nothing is read as a plain number because it was looked for in the wrong place."""
    makes = [number("Движение", 0.5, "0%"), formula("Кубики", "=1/0", "#DIV/0!"), merged("Hit")]
    for make in makes[: 2 if change is _without_places else 3]:  # blank cells are left out, and would shift others
        found = said(tmp_path, lambda folder, make=make: rebuilt(make(folder), change))  # type: ignore[misc]
        assert re.search("percentage|error of a formula|merged", found[0]), found


def test_a_workbook_whose_sheets_cannot_be_looked_into_is_refused(tmp_path: Path) -> None:
    """Such as one that is binary inside, which the reader of spreadsheets would take."""

    def lost(name: str, content: bytes) -> tuple[str, bytes]:
        return name if name != "xl/worksheets/sheet1.xml" else "", content

    (fault,) = said(tmp_path, lambda folder: rebuilt(number("HP", 7)(folder), lost))
    assert "not a spreadsheet" in fault
