"""Every page held against the rules of accessibility that axe-core knows: WCAG 2 A and AA, and good practice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import morsdei_sim
from morsdei_sim.lang import set_language
from morsdei_sim.reporting.page import page
from morsdei_sim.reporting.replay import compare_page, replay_page
from tests.browsing import in_browser
from tests.report.conftest import FIELD, collected
from tests.report.sample_battle import sample

pytestmark = in_browser

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PAGES = ("cards", "study", "diff", "replay", "replays")
LOOKS = [("en", "light"), ("ru", "dark")]


def violations(browser: Any, path: Path, lang: str, scheme: str) -> list[tuple[str, int, str]]:
    """What axe-core has against a page: rule, how often, the first element."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(offline=True, color_scheme=scheme, viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    opened.goto(f"{path.as_uri()}#{lang}")
    opened.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    found = axe.run(opened, options={"runOnly": RULES, "resultTypes": ["violations"]}).response["violations"]
    context.close()
    return [(one["id"], len(one["nodes"]), one["nodes"][0]["html"][:300]) for one in found]


@pytest.fixture(scope="module")
def pages(sweeps: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """The pages by name and language; those that hold both languages are one file."""
    folder = tmp_path_factory.mktemp("axe")
    written = {name: folder / f"{name}.html" for name in PAGES[:3]}
    written["cards"].write_text(page(collected(["line/sergeant"], FIELD[:1]), "en"), encoding="utf-8")
    morsdei_sim.report(str(sweeps["sampled"]), out=written["study"])
    morsdei_sim.report_diff(sweeps["exact"], sweeps["sampled"], out=written["diff"])
    found = {(name, lang): path for name, path in written.items() for lang, _scheme in LOOKS}
    for lang, _scheme in LOOKS:
        set_language(lang)
        for name, text in (("replay", replay_page(sample())), ("replays", compare_page(sample(), sample(), "Two."))):
            found[name, lang] = folder / f"{name}-{lang}.html"
            found[name, lang].write_text(text, encoding="utf-8")
    return found


@pytest.mark.parametrize(
    ("name", "lang", "scheme"),
    [
        pytest.param(name, lang, scheme, marks=[] if (lang, scheme) == LOOKS[number % 2] else [pytest.mark.slow])
        for number, name in enumerate(PAGES)
        for lang in ("en", "ru")
        for scheme in ("light", "dark")
    ],
)
def test_nothing_is_wrong(browser: Any, pages: dict[tuple[str, str], Path], name: str, lang: str, scheme: str) -> None:
    assert violations(browser, pages[name, lang], lang, scheme) == []


def test_what_is_wrong_is_seen(browser: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text('<html><body><img src="data:,"><p style="color:#999">Hardly to be read')
    assert {"image-alt", "html-has-lang", "color-contrast"} <= {
        one for one, *_ in violations(browser, bad, "", "light")
    }
