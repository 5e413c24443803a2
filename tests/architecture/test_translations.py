"""Every message has its Russian, with the same fields in it."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po

from morsdei_sim import lang

PACKAGE = Path(lang.__file__).parent
RUSSIAN = PACKAGE / "locale" / "ru" / "LC_MESSAGES" / "morsdei_sim.po"
METHODS = [
    ("**.py", "python"),
    ("**.html", "jinja2"),
    ("**.jinja", "jinja2"),
    ("**.j2", "jinja2"),
    ("**.svg", "jinja2"),
]

Message = str | tuple[str, ...]


def extracted() -> set[Message]:
    """All messages of the package's code and templates; a pair for one that has a plural."""
    options = {pattern: {"encoding": "utf-8"} for pattern, _ in METHODS}
    found = extract_from_dir(str(PACKAGE), method_map=METHODS, options_map=options, keywords=DEFAULT_KEYWORDS)
    return {tuple(message) if isinstance(message, (tuple, list)) else message for _, _, message, _, _ in found}


def catalogue() -> Catalog:
    with RUSSIAN.open("rb") as lines:
        return read_po(lines, locale="ru")


def fields(text: str) -> set[str]:
    """The names in braces, or an empty set for text that is no format string."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError:
        return set()


def test_messages_are_found() -> None:
    assert "Nothing to mend." in extracted()


def test_every_message_has_its_russian() -> None:
    known = catalogue()
    lacking, wrong = [], []
    for message in sorted(extracted(), key=str):
        singular = message if isinstance(message, str) else message[0]
        if not singular:
            continue
        entry = known.get(singular)
        texts = [entry.string] if entry and isinstance(entry.string, str) else list(entry.string) if entry else []
        if not texts or not all(texts) or (entry and entry.fuzzy):
            lacking.append(singular)
        elif any(fields(text) != fields(singular) for text in texts):
            wrong.append(singular)
    assert wrong == [], "fields in braces differ"
    assert lacking == [], f"{len(lacking)} messages without Russian"


def test_russian_is_russian() -> None:
    """A translation left in English is no translation, unless it is all names and numbers."""
    for entry in catalogue():
        if entry.id and re.search("[a-z]{4}", str(entry.id)):
            texts = [entry.string] if isinstance(entry.string, str) else entry.string
            assert all(re.search("[а-яё]", text, re.IGNORECASE) for text in texts if text), entry.id


def test_own_reader_agrees_with_babel() -> None:
    mine = lang._Catalog(str(RUSSIAN))
    theirs = catalogue()
    for entry in theirs:
        if not entry.id or not entry.string or entry.fuzzy:
            continue
        if isinstance(entry.id, str):
            assert mine.texts[entry.id] == entry.string
        else:
            assert tuple(mine.plurals[entry.id[0]]) == tuple(entry.string)
    assert [mine.form(n) for n in (1, 2, 5, 11, 21, 22, 100)] == [0, 1, 2, 2, 0, 1, 2]


PO = r"""
msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

#: somewhere.py:1
#, python-brace-format
msgid ""
"two \"quoted\"\n"
"lines"
msgstr "две \"строки\"\n"
"и табуляция\t{x}"

#, fuzzy
msgid "guessed"
msgstr "угадано"

msgid "{n} win"
msgid_plural "{n} wins"
msgstr[0] "{n} победа"
msgstr[1] "{n} победы"
msgstr[2] "{n} побед"

#~ msgid "gone"
#~ msgstr "ушло"
"""


def test_own_reader_reads_the_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ru" / "LC_MESSAGES" / "morsdei_sim.po"
    path.parent.mkdir(parents=True)
    path.write_text(PO, encoding="utf-8")
    monkeypatch.setattr(lang, "_FOLDER", str(tmp_path))
    monkeypatch.setattr(lang, "_catalogs", {})
    monkeypatch.setattr(lang, "_language", "ru")
    assert lang._('two "quoted"\nlines') == 'две "строки"\nи табуляция\t{x}'
    assert lang._("guessed") == "guessed"
    assert lang._("gone") == "gone"
    assert lang._("") == ""
    said = [lang.ngettext("{n} win", "{n} wins", n).format(n=n) for n in (1, 2, 5, 21)]
    assert said == ["1 победа", "2 победы", "5 побед", "21 победа"]
    lang.set_language("en")
    assert [lang.ngettext("{n} win", "{n} wins", n) for n in (1, 2)] == ["{n} win", "{n} wins"]


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        (["--lang", "ru"], {"MORSDEI_LANG": "en"}, "ru"),
        (["shoot", "--lang=en"], {"MORSDEI_LANG": "ru"}, "en"),
        ([], {"MORSDEI_LANG": "ru", "LC_ALL": "en_US.UTF-8"}, "ru"),
        ([], {"LC_ALL": "ru_RU.UTF-8", "LANG": "en_US.UTF-8"}, "ru"),
        ([], {"LANG": "ru_RU.UTF-8"}, "ru"),
        ([], {"LANG": "de_DE.UTF-8"}, "en"),
        (["--lang"], {"LANG": "C"}, "en"),
    ],
)
def test_language_is_chosen(
    arguments: list[str], environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MORSDEI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert lang.choose_language(arguments) == expected


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="de"):
        lang.set_language("de")
