"""The documentation site: built as documented, whole, readable without a network, by keyboard and by a screen reader;
and the tutorial's commands give what it prints."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import click
import pytest
from click.testing import CliRunner

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.sweep.study_file import read_study
from tests.browsing import needs_browser

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MADE = [DOCS / "reference" / name for name in ("verbs", "results", "rules", "changelog")] + [DOCS / "ru" / "verbs"]
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if not any(folder in page.parents for folder in MADE)
         and "```" in page.read_text(encoding="utf-8")]  # fmt: skip
TUTORIALS = {"en": DOCS / "tutorial.md", "ru": DOCS / "ru" / "tutorial.md"}
CHANGES = {"more.toml": ("dice = 4", "dice = 5"), "heavy.toml": ("damage = 3", "damage = 4")}
"""What the tutorial asks the reader to change in a copy."""

LOOKED_AT = [
    "index.html", "tutorial.html", "json.html", "reference/verbs/shoot.html", "ru/index.html",
    "ru/tutorial.html", "ru/verbs/sweep.html",
]  # fmt: skip
ALWAYS = ("index.html", "json.html", "ru/verbs/sweep.html")
"""Of every kind one, in both languages; the others in the slow run."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built by the documented command in another folder, without a warning."""
    (command,) = {line for name in ("README.md", "README.ru.md") for line in re.findall(
        r"-m sphinx [^`]+", (ROOT / name).read_text(encoding="utf-8"))}  # fmt: skip
    folder = tmp_path_factory.mktemp("site")
    words = [str(folder) if word == "build/docs" else word for word in shlex.split(command)]
    environment = {**os.environ, "MORSDEI_LANG": "ru"}  # no word of the pages may come from the reader's own language
    done = subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


class Links(HTMLParser):
    """What a page refers to, what it can be referred to by, and its pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.names: set[str] = set()
        self.pictures: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.names.add(known.get("id") or "")
        self.targets += [value for key in ("href", "src", "action") if (value := known.get(key))]
        if tag == "img":
            self.pictures.append(known)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return {page: Links(page.read_text(encoding="utf-8")) for page in sorted(site.rglob("*.html"))}


def test_no_link_is_broken_and_none_leads_to_the_network(site: Path, pages: dict[Path, Links]) -> None:
    broken = []
    for page, links in pages.items():
        for target in links.targets:
            split = urlsplit(target)
            file = (page.parent / unquote(split.path)).resolve() if split.path else page
            part = unquote(split.fragment)
            if split.scheme == "data":
                continue
            if split.scheme or split.netloc or not file.is_file() or (
                part and file.suffix == ".html" and part not in pages[file].names
            ):  # fmt: skip
                broken.append((page.relative_to(site), target))
    assert broken == []


def test_every_picture_says_what_it_shows(pages: dict[Path, Links]) -> None:
    pictures = [picture for links in pages.values() for picture in links.pictures]
    assert len(pictures) >= 10
    assert [picture for picture in pictures if len(picture.get("alt") or "") < 20] == []


def test_every_verb_and_every_call_has_its_page(site: Path) -> None:
    for verb in cli.VERBS:
        for folder in ("reference/verbs", "ru/verbs"):
            text = (site / folder / f"{verb}.html").read_text(encoding="utf-8")
            assert f"<h1>{verb}" in text
            assert "--json" in text or verb == "test"
    english = "".join(page.read_text(encoding="utf-8") for page in (site / "reference" / "verbs").glob("*.html"))
    named = set(re.findall(r"morsdei_sim</span><span class=\"o\">\.</span><span class=\"n\">(\w+)", english))
    assert set(morsdei_sim.__all__) - {"__version__"} <= named


def test_options_are_those_of_the_help_in_each_language(site: Path) -> None:
    for folder, said in (
        ("reference/verbs", ("--cover The target is in cover: +1 Defence Die.", "--target-error SHARE Simulate until")),
        ("ru/verbs", ("--cover Цель в укрытии", "--target-error ДОЛЯ Симулировать")),
    ):
        text = " ".join(re.sub(r"<[^>]+>", " ", (site / folder / "shoot.html").read_text(encoding="utf-8")).split())
        for words in (*said, "--attacker-dying", "--target-wounded"):
            assert words in text, "of every ruleset"


def test_pages_have_sisters(site: Path) -> None:
    for english, russian in (("index", "ru/index"), ("tutorial", "ru/tutorial"),
                             ("reference/verbs/shoot", "ru/verbs/shoot")):  # fmt: skip
        for page, other, lang in ((english, russian, "en"), (russian, english, "ru")):
            file = site / f"{page}.html"
            text = file.read_text(encoding="utf-8")
            assert f'<html lang="{lang}"' in text
            (link,) = re.findall(r'class="language" href="([^"]+)"', text)
            assert (file.parent / link).resolve() == site / f"{other}.html"


@pytest.mark.slow
def test_a_second_build_gives_the_same_bytes(site: Path, tmp_path: Path) -> None:
    words = ["-m", "sphinx", "-q", "-W", "-b", "html", "-d", str(tmp_path / "trees"), "docs", str(tmp_path / "site")]
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True)
    for file in sorted(site.rglob("*")):
        if file.suffix in (".html", ".js", ".css"):
            assert file.read_bytes() == (tmp_path / "site" / file.relative_to(site)).read_bytes(), file


# ── in a browser ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def opened(browser: Any, site: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page in a width, light or dark; at the end there must be no complaint and no request but for files."""
    name, width, scheme = request.param
    context = browser.new_context(offline=True, viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: requests.append(asked.url))
    address, _mark, query = name.partition("?")
    page.goto((site / address).as_uri() + (f"?{query}" if query else ""))
    yield page
    context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


EVERYWHERE = [pytest.param((name, 390 if number % 2 else 1280, "dark" if number % 3 == 1 else "light"), id=name,
                           marks=[] if name in ALWAYS else pytest.mark.slow)
              for number, name in enumerate(LOOKED_AT)]  # fmt: skip


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("opened", EVERYWHERE, indirect=True)
def test_fits_and_has_no_barriers(opened: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    assert opened.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    # Preloading would fetch the style sheets again, which a page opened from the disk may not do.
    found = axe.run(opened, options={"preload": False, "resultTypes": ["violations"]}).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("opened", [("index.html", 1280, "light")], indirect=True)
def test_by_keyboard(opened: Any) -> None:
    opened.keyboard.press("Tab")
    focused = "document.activeElement"
    assert opened.evaluate(f"{focused}.textContent") == "Skip to the page"
    assert opened.evaluate(f"{focused}.getBoundingClientRect().top >= 0"), "seen while it has the focus"
    opened.keyboard.press("Enter")
    assert opened.evaluate(f"{focused}.id") == "page"
    opened.keyboard.press("Tab")
    assert opened.evaluate(f"{focused}.closest('main') !== null")
    assert opened.evaluate(f"getComputedStyle({focused}).outlineStyle") == "solid"


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("opened", [("index.html", 390, "light")], indirect=True)
def test_the_list_of_pages_opens_on_a_telephone(opened: Any) -> None:
    link = opened.locator("nav a", has_text="Verbs")
    assert not link.is_visible()
    opened.focus("summary")
    opened.keyboard.press("Enter")
    assert link.is_visible()


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("opened", [("search.html?q=injury", 1280, "light"), ("search.html?q=укрытии", 390, "light")],
                         indirect=True)  # fmt: skip
def test_search_works_from_the_disk(opened: Any) -> None:
    opened.wait_for_selector("ul.search li a")
    assert opened.locator("ul.search li a").count() >= 1


# ── what the pages say ────────────────────────────────────────────────────────────────────────────────────────────────


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def commands(page: Path) -> list[list[str]]:
    """Every command line of a page, as words after `python3 -m morsdei_sim`."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    return [shlex.split(line)[3:] for line in lines if line.startswith("python3 -m morsdei_sim ")]


def test_both_tutorials_show_the_same(tmp_path: Path) -> None:
    english, russian = TUTORIALS.values()
    assert commands(english) == commands(russian)
    assert blocks(english, "toml") == blocks(russian, "toml")


@pytest.mark.parametrize("lang", [pytest.param("en"), pytest.param("ru", marks=pytest.mark.slow)])
def test_the_tutorial_runs_as_written(lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command in turn, in one folder; every line that the page prints is printed, to the letter."""
    page = TUTORIALS[lang]
    monkeypatch.chdir(tmp_path)
    for name, text in zip(("guards.toml", "which.toml"), blocks(page, "toml"), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    printed = []
    for words in commands(page):
        done = CliRunner().invoke(cli.main, [*words, "--lang", lang])
        assert done.exit_code == 0, (words, done.output)
        printed += done.stdout.splitlines()
        if words[0] == "template":
            old, new = CHANGES[words[1]]
            assert f"`{new}`" in page.read_text(encoding="utf-8")
            file = tmp_path / words[1]
            file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    shown = [line for block in blocks(page, "text") for line in block.splitlines()]
    assert len(shown) >= 8
    for line in shown:
        assert any(line in one for one in printed), f"{line!r} is not printed"
    assert (tmp_path / "turned.html").is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_commands_and_studies_of_a_page_are_understood(page: Path, tmp_path: Path) -> None:
    """Options, their values and the number of words are looked at; nothing is run."""
    context = click.Context(cli.main)
    for words in commands(page):
        command, rest = cli.main.get_command(context, words[0]), words[1:]
        if isinstance(command, click.Group):
            command, rest = command.commands[rest[0]], rest[1:]
        assert command is not None, words
        command.make_context(words[0], rest)
    for text in blocks(page, "toml"):
        if "verb" in tomllib.loads(text) and page not in TUTORIALS.values():
            (tmp_path / "study.toml").write_text(text, encoding="utf-8")
            assert read_study(tmp_path / "study.toml").design.cells > 1
