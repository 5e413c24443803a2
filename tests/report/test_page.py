"""The page: whole, harmless, the same each time, and complete for every kind of collection."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from morsdei_sim.lang import set_language
from morsdei_sim.reporting.page import page
from morsdei_sim.sweep import Collection
from tests.report.conftest import body, collected, squad

VOID = {"meta", "link", "input", "br", "hr", "img"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    '=HYPERLINK("x")',
    "{{ 7 * 7 }}",
    "$x^$ \\frac{",
    "Ы" * 300,
    "名前 🙂",
]
ALL = " ".join(sorted(HOSTILE, key=lambda name: ("$" not in name, "<" not in name)))  # pictures show the beginning
NAMES = [pytest.param(ALL, id="all"), *(pytest.param(name, marks=pytest.mark.slow) for name in HOSTILE)]
"""All in one, and each for itself where there is time to make a page for each."""


class Checked(HTMLParser):
    """Reads a page and complains about what does not close; keeps elements, their attributes and the text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> in {self.open[-3:]}"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.said.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.said).split())


@pytest.fixture(scope="module")
def english_page(exact: Collection) -> Checked:
    set_language("en")
    return Checked(body(exact))


@pytest.fixture(scope="module")
def whole(exact: Collection) -> str:
    """The page of both languages."""
    return page(exact, "en")


def test_an_open_element_is_seen() -> None:
    with pytest.raises(AssertionError):
        Checked("<div><p></div>")


def test_every_part_is_there(english_page: Checked) -> None:
    sections = {attributes["class"] for attributes in english_page.all("section")}
    assert {"answer", "damage", "melee", "worth", "numbers", "reading", "provenance"} <= sections
    targets = {attributes["id"] for _tag, attributes in english_page.found if "id" in attributes}
    links = [str(attributes["href"])[1:] for attributes in english_page.all("a")]
    assert links
    assert set(links) <= targets


def test_ids_are_unique(whole: str) -> None:
    ids = Counter(attributes["id"] for _tag, attributes in Checked(whole).found if "id" in attributes)
    assert [ident for ident, often in ids.items() if often > 1] == []


def test_references_inside_figures_resolve(whole: str) -> None:
    ids = set(re.findall(r'\sid="([^"]+)"', whole))
    used = set(re.findall(r'(?:href="|url\()#([\w-]+)', whole))
    assert used
    assert used <= ids


def test_every_figure_speaks(english_page: Checked) -> None:
    drawings = english_page.all("svg")
    assert len(drawings) > 5
    for attributes in drawings:
        assert attributes.get("aria-hidden") == "true" or (attributes["role"] == "img" and attributes["aria-label"])


def test_nothing_is_fetched(whole: str) -> None:
    checked = Checked(whole)
    for tag, attributes in checked.found:
        for name in ("src", "href", "xlink:href", "action", "srcset", "data"):
            value = attributes.get(name)
            assert value is None or value.startswith(("#", "data:")), (tag, name, value)
    policy = next(str(one["content"]) for one in checked.all("meta") if "http-equiv" in one)
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy.split("script-src")[1]


def test_same_bytes_each_time(exact: Collection, whole: str) -> None:
    assert page(exact, "en") == whole


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_language(exact: Collection, english_page: Checked, lang: str) -> None:
    set_language(lang)
    checked = english_page if lang == "en" else Checked(body(exact))
    assert ("Обычный" in checked.text) == (lang == "ru")
    assert ("Standard" in checked.text) == (lang == "en")
    assert bool(re.search(r"\d,\d\d", checked.text)) == (lang == "ru")
    assert bool(re.search(r"\d\.\d\d\b(?!\.)", checked.text.partition("SHA")[0])) == (lang == "en")


@pytest.mark.parametrize(("first", "title"), [("en", "Balance of the cards"), ("ru", "Баланс карточек")])
def test_both_languages_on_one_page(exact: Collection, whole: str, first: str, title: str) -> None:
    set_language("en")
    text = whole if first == "en" else page(exact, first)
    assert f"<title>{title}" in text
    checked = Checked(text)
    assert checked.all("html")[0]["lang"] == first
    editions = [one for one in checked.all("div") if one.get("class") == "edition"]
    assert {str(one["lang"]): "hidden" not in one for one in editions} == {"en": first == "en", "ru": first == "ru"}
    assert "Standard" in checked.text
    assert "Обычный" in checked.text


def test_figures_are_the_frames_figures(exact: Collection, english_page: Checked) -> None:
    """A cell of the heat map, read back, is the number of the frame."""
    shots = exact.shots
    row = shots[(shots["figure"] == "kill") & (shots["situation"] == "cover")].iloc[0]
    titles = [str(attributes.get("title", "")) for attributes in english_page.all("td")]
    names = dict(zip(exact.cards["card"], exact.cards["name"], strict=True))
    wanted = f"{names[row.attacker]} · {row.weapon} → {names[row.target]}: {100 * row.estimate:.2f}\u00a0%"
    assert wanted in titles


@pytest.mark.parametrize("name", NAMES)
def test_a_name_does_no_harm(exact: Collection, name: str) -> None:
    def renamed(frame: object, column: str) -> object:
        return frame.assign(**{column: name, f"{column}_ru": name})  # type: ignore[attr-defined]

    cards = renamed(renamed(exact.cards, "name"), "squad")
    hostile = replace(exact, cards=cards, weapons=renamed(exact.weapons, "weapon"))
    checked = Checked(body(hostile))
    assert checked.all("script") == checked.all("img") == []
    assert not any(key.startswith("on") for _tag, attributes in checked.found for key in attributes)
    assert " ".join(name.split()) in checked.text


def test_only_the_page_s_own_script_is_there(exact: Collection) -> None:
    hostile = replace(exact, cards=exact.cards.assign(name="</script><script>alert(1)</script>"))
    assert [one.get("type") for one in Checked(page(hostile, "en")).all("script")] == ["application/json", None]


def test_simulated_numbers_carry_intervals(simulated: Collection) -> None:
    checked = Checked(body(simulated))
    assert "simulated: 400 trials per figure" in checked.text
    assert "every number is exact" not in checked.text
    heat = [str(attributes["title"]) for attributes in checked.all("td") if attributes.get("title")]
    assert len(heat) > 50
    assert all(re.search(r"\(.+ to .+\)", title) for title in heat)


def test_one_card(tmp_path: Path) -> None:
    checked = Checked(body(collected([squad(tmp_path / "odd.toml", "melee", "ranged")])))
    assert "1 card" in checked.text
    assert "One 0" in checked.text


def test_no_ranged_weapon(tmp_path: Path) -> None:
    checked = Checked(body(collected([squad(tmp_path / "odd.toml", "melee", fighters=2)])))
    assert "None of these cards can shoot." in checked.text
    assert "damage" not in {attributes["class"] for attributes in checked.all("section")}


def test_no_melee_weapon(tmp_path: Path) -> None:
    checked = Checked(body(collected([squad(tmp_path / "odd.toml", "ranged", fighters=2)])))
    assert "melee" not in {attributes["class"] for attributes in checked.all("section")}
    assert "One 1" in checked.text


def test_no_reference_targets() -> None:
    checked = Checked(body(collected(["line/sergeant", "mirror"], field=[])))
    assert "reference targets" not in " ".join(checked.said[:60])
    assert "Standard" in checked.text


def test_a_heavy_list_is_cut_and_says_so(exact: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morsdei_sim.reporting.tables.MAX_ROWS", 5)
    assert re.search(r"\d+ more rows are left out", Checked(body(exact)).text)


def test_one_card_and_nobody_to_meet(tmp_path: Path) -> None:
    checked = Checked(body(collected([squad(tmp_path / "odd.toml", "melee", "ranged")], field=[])))
    assert "One 0" in checked.text


def test_equal_cards_are_neither_best_nor_worst(tmp_path: Path) -> None:
    """Two cards with the same rifle: nobody is the strongest shooter; in a simulation nobody is surely so."""
    cards = squad(tmp_path / "twins.toml", "melee", "ranged", fighters=2)
    assert "All are equal:" in body(collected([cards]))
    sampled = body(collected([cards], engine="sample", trials=200))
    assert "No card is surely better than another" in sampled
    assert "All are equal:" not in sampled
