"""The page of every room: whole, in both languages, with nothing empty on it, and with its own words."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import morsdei_sim
from morsdei_sim.lang import LANGUAGES, set_language
from morsdei_sim.reporting.names import Names
from morsdei_sim.reporting.words import words_of
from morsdei_sim.rulesets import ROOMS
from tests.report.conftest import body
from tests.report.test_page import Checked
from tests.sweep.rooms import CARDS, FIELD, collected, data

ROOT = Path(morsdei_sim.__file__).parents[1]
SECTIONS = {"answer", "damage", "activations", "worth", "numbers", "reading", "provenance"}
MELEE = {"morsdei", "club"}
SELDOM = (("club", "ru"), ("moran", "en"))
BOTH = [pytest.param(*one, marks=pytest.mark.slow if one in SELDOM else [])
        for one in product(ROOMS, LANGUAGES)]  # fmt: skip


def collection(ruleset: str, **words: Any) -> Any:
    found = collected(ruleset, **words)
    return replace(found, provenance=found.provenance | {"command": "morsdei-sim report"})


@cache
def text_of(ruleset: str, lang: str, **words: Any) -> str:
    """The page, written once for all tests."""
    set_language(lang)
    return body(collection(ruleset, **words))


@pytest.mark.parametrize(("ruleset", "lang"), BOTH)
def test_a_whole_page(ruleset: str, lang: str) -> None:
    text = text_of(ruleset, lang)
    checked = Checked(text)
    sections = {str(attributes["class"]) for attributes in checked.all("section")}
    assert sections == SECTIONS | ({"melee"} if ruleset in MELEE else set())
    for ident in sections:
        part = text[text.index(f'<section id="{lang}-{ident}"') :]
        part = part[: part.index("</section>")]
        assert len(Checked(part + "</section>").text) > 80, ident
    assert not re.search(r"\bnan\b|None|\{\w*\}|&lt;NA|\binf\b", checked.text)
    tables = re.findall(r"<tbody>(.*?)</tbody>", text, flags=re.DOTALL)
    assert all("<td" in body for body in tables)


@pytest.mark.parametrize("ruleset", ROOMS)
def test_russian_all_over(ruleset: str) -> None:
    """Above the provenance there is no English word but those of the rulebook."""
    text = text_of(ruleset, "ru")
    shown = re.sub(
        r"<style.*?</style>|<[^>]*>", " ", text[: text.index('<section id="ru-provenance"')], flags=re.DOTALL
    )
    words = set(re.findall(r"[A-Za-z_]{4,}", shown))
    own = {"MORSDEI", "CLUB", "MORAN", "Move", "Prone", "Injured", "Guard", "Defence", "Overwatch", "Contract"}
    assert words <= own, sorted(words - own)


@pytest.mark.parametrize("ruleset", ROOMS)
def test_every_key_has_a_name(ruleset: str) -> None:
    """Figures, situations, stats and plans of the frames stand among the room's words, not as keys."""
    set_language("en")
    frames, words = collected(ruleset), words_of(ruleset)
    names = Names(frames)
    keys = [(figure, "figure") for figure in (*frames.guide.shown["shoot"], *frames.guide.shown.get("melee", ()))]
    keys += [(figure, "figure") for figure in set(frames.steps["figure"]) | set(frames.guide.fair)]
    keys += [(situation, "") for situation in data(ruleset).SITUATIONS]
    keys += [(upgrade.name, "step") for upgrade in data(ruleset).UPGRADES]
    keys += [(column, "") for column in (*frames.cards, *frames.weapons) if column not in NAMED]
    keys += [(kind, "") for kind in set(frames.weapons["type"])] + [(scale.name, "") for scale in frames.guide.scales]
    keys += [(plan, "plan") for plan in data(ruleset).PROGRESS.plans]
    for key, kind in keys:
        said = names.called(key, kind)
        assert "_" not in said, (key, said)
        if "-" not in key:
            assert words.known(key, kind), key


NAMED = {"card", "name", "name_ru", "squad", "squad_ru", "weapon", "weapon_ru", "type", "words", "field"}


@pytest.mark.parametrize("ruleset", ["club", pytest.param("moran", marks=pytest.mark.slow)])
def test_simulated_numbers_carry_intervals(ruleset: str) -> None:
    text = text_of(ruleset, "en", engine="sample", trials=256)
    checked = Checked(text)
    assert "simulated: 256 trials per figure" in checked.text
    heat = [str(attributes["title"]) for attributes in checked.all("td") if attributes.get("title")]
    assert len(heat) > 20
    assert all(re.search(r"\(.+ to .+\)", title) for title in heat)


def test_a_cell_is_the_frame_s_figure() -> None:
    for ruleset, figure in (("club", "felled"), ("moran", "kill")):
        frames = collected(ruleset)
        names = Names(frames)
        usual = frames.guide.usual["situation"]
        rows = frames.shots[(frames.shots["figure"] == figure) & (frames.shots["situation"] == usual)]
        row = rows[(rows["estimate"] > 0.01) & (rows["estimate"] < 0.99)].iloc[0]
        titles = [str(one.get("title", "")) for one in Checked(text_of(ruleset, "en")).all("td")]
        shown = f"{names.armed(row.attacker, row.weapon)} → {names.card(row.target)}: {100 * row.estimate:.2f}\u00a0%"
        assert shown in titles


def test_words_of_one_room_are_not_another_s() -> None:
    set_language("en")
    assert words_of("club").called("cover-2") == "hardly seen"
    assert words_of("moran").called("cover-2") == "cover 2"
    assert words_of("morsdei").called("hit", "step") == "Hit"
    assert words_of("morsdei").say("again_axis") == "activations"
    assert words_of("club").say("again_axis") == "turns of the attacker"
    assert words_of("morsdei").called("aim-shoot", "plan") == "aim, shoot"


@pytest.mark.parametrize("ruleset", [pytest.param("club", marks=pytest.mark.slow), "moran"])
def test_the_verb(ruleset: str, tmp_path: Path) -> None:
    """In a process of its own: one file, nothing said on stderr, and the command that writes it again."""
    out = tmp_path / "page.html"
    fields = [word for one in FIELD[ruleset] for word in ("--field", one)]
    words = ["report", *CARDS[ruleset][:2], *fields, "--ruleset", ruleset, "--out", str(out), "--lang", "ru"]
    call = [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", *words]
    run = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert (run.returncode, run.stderr) == (0, "")
    text = out.read_text(encoding="utf-8")
    assert f"--ruleset {ruleset}" in text
    assert f"<title>Баланс карточек: {ruleset.upper()}</title>" in text
