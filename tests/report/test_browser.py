"""The page of the shipped cards in a real browser: no errors, no network, no overflow, and it works by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import morsdei_sim
from tests.browsing import in_browser

pytestmark = in_browser


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of all shipped cards."""
    found = morsdei_sim.report(out=tmp_path_factory.mktemp("pages") / "page.html", lang="en", games=20)
    assert found.size < 4_000_000
    return found.path


@pytest.fixture
def opened(browser: Any, path: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """The page in a language and a width; at the end there must be no complaint and no request but for the file."""
    lang, width = request.param
    context = browser.new_context(offline=True, viewport={"width": width, "height": 800})
    page = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: requests.append(asked.url))
    page.goto(f"{path.as_uri()}#{lang}")
    yield page
    context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


SHOWN = ".edition:not([hidden])"
SLOW = pytest.mark.slow
# Both languages stand on one page: the other two pairs seldom tell more.
BOTH = [("en", 1280), pytest.param(("en", 390), marks=SLOW), pytest.param(("ru", 1280), marks=SLOW), ("ru", 390)]


TWO = [("en", 1280), pytest.param(("ru", 390), marks=SLOW)]
"""For what a script does, which hangs neither on the language nor on the width."""


@pytest.mark.parametrize("opened", BOTH, indirect=True)
def test_fits_its_window(opened: Any) -> None:
    assert opened.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    for summary in opened.query_selector_all(".edition:not([hidden]) details > summary"):
        summary.click()
    assert opened.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("opened", [pytest.param(BOTH[0], marks=SLOW), *BOTH[1:]], indirect=True)  # small on a phone
def test_letters_are_large_enough(opened: Any) -> None:
    """At least 12 pixels everywhere, in the figures as they are drawn."""
    smallest = opened.evaluate(
        """() => {
        let least = 99;
        for (const one of document.querySelectorAll('body *')) {
            if (one.closest('.edition[hidden]') || !one.offsetParent && !one.closest('svg')) continue;
            const own = [...one.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
            if (!own || one.closest('script,style')) continue;
            let size = parseFloat(getComputedStyle(one).fontSize);
            const svg = one.closest('svg');
            if (svg && svg.getBoundingClientRect().width) {
                size *= svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
            } else if (svg) continue;
            least = Math.min(least, size);
        }
        return least; }"""
    )
    assert smallest >= 11.9


@pytest.mark.parametrize("opened", TWO, indirect=True)
def test_situations_switch_by_keyboard(opened: Any) -> None:
    def shown() -> list[int]:
        panels = opened.query_selector_all(f"{SHOWN} .answer .switch > .panel")
        return [place for place, panel in enumerate(panels) if panel.is_visible()]

    assert shown() == [0]
    opened.focus(f"{SHOWN} .answer .switch input")
    opened.keyboard.press("ArrowRight")
    assert shown() == [1]
    opened.keyboard.press("ArrowLeft")
    opened.keyboard.press("ArrowLeft")
    assert shown() == [len(opened.query_selector_all(f"{SHOWN} .answer .switch > .panel")) - 1]


@pytest.mark.parametrize("opened", TWO, indirect=True)
def test_lists_sort_and_filter_by_keyboard(opened: Any) -> None:
    lang = opened.evaluate("document.documentElement.lang")
    opened.query_selector_all(f"#{lang}-numbers details > summary")[1].click()

    def column(place: int) -> list[str]:
        return opened.evaluate(
            f"place => [...document.querySelectorAll('#{lang}-t-shots tbody tr')].filter(r => !r.hidden)"
            ".map(r => r.cells[place].textContent)",
            place,
        )

    def values() -> list[float]:
        return [float(text.replace(",", ".").replace("\u2212", "-")) for text in column(4) if text != "—"]

    opened.focus(f"#{lang}-t-shots thead th:nth-child(5) button")
    opened.keyboard.press("Enter")
    assert values() == sorted(values(), reverse=True)
    assert opened.get_attribute(f"#{lang}-t-shots thead th:nth-child(5)", "aria-sort") == "descending"
    opened.keyboard.press("Enter")
    assert values() == sorted(values())
    opened.focus(f"#{lang}-t-shots thead th:nth-child(1) button")
    opened.keyboard.press("Space")
    names = column(0)
    assert names[0] != names[-1]
    assert len(list(dict.fromkeys(names))) == len({*names})
    word = names[-1]
    opened.fill("details[open] .filter input", word)
    assert 0 < len(column(0)) < len(names)
    rows = opened.eval_on_selector_all(f"#{lang}-t-shots tbody tr:not([hidden])", "all => all.map(r => r.textContent)")
    assert all(word.lower() in text.lower() for text in rows)


@pytest.mark.parametrize("opened", TWO, indirect=True)
def test_languages_switch_by_keyboard(opened: Any) -> None:
    """The part that is being read stays, and the address leads back to it."""

    def shown() -> tuple[str, str, list[str], str]:
        visible = opened.eval_on_selector_all(".edition", "all => all.filter(e => e.offsetParent).map(e => e.id)")
        pressed = opened.eval_on_selector_all(".tongues [aria-pressed=true]", "all => all.map(b => b.lang)")
        assert visible == pressed
        return (*visible, opened.evaluate("document.documentElement.lang"), opened.title(), opened.url.split("#")[1])

    begun = opened.evaluate("document.documentElement.lang")
    other = {"en": "ru", "ru": "en"}[begun]
    titles = {"en": "Balance of the cards: MORSDEI", "ru": "Баланс карточек: MORSDEI"}
    assert shown() == (begun, begun, titles[begun], begun)
    assert opened.evaluate("scrollY") == 0
    opened.focus(f".tongues [lang={other}]")
    opened.keyboard.press("Enter")
    assert shown() == (other, other, titles[other], other)
    opened.evaluate("lang => document.getElementById(lang + '-worth').scrollIntoView()", other)
    opened.eval_on_selector(f".tongues [lang={begun}]", "button => button.click()")
    assert shown() == (begun, begun, titles[begun], f"{begun}-worth")
    assert 0 <= opened.evaluate("id => document.getElementById(id).getBoundingClientRect().top", f"{begun}-worth") < 100
    opened.go_back()
    opened.reload()
    assert shown()[0] == other


def test_reads_without_script(browser: Any, path: Path) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    assert [page.is_visible(one) for one in ("#en", "#ru", ".tongues")] == [True, False, False]
    page.click("#en-answer .switch label >> nth=1")
    assert page.query_selector_all("#en-answer .switch > .panel")[1].is_visible()
    assert page.query_selector("#en-t-shots tbody tr td") is not None
    context.close()


def test_only_the_language_shown_is_printed(browser: Any, path: Path) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(path.as_uri() + "#ru")
    page.emulate_media(media="print")
    assert [page.is_visible(one) for one in ("#en", "#ru", ".tongues")] == [False, True, False]
    context.close()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=SLOW), "dark"])  # light: test_axe.py asks it too
def test_contrast(browser: Any, path: Path, scheme: str) -> None:
    """Every visible letter against the colour behind it: 4.5 or more (WCAG AA)."""
    context = browser.new_context(offline=True, color_scheme=scheme, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(path.as_uri())
    poor = page.evaluate(
        """() => {
        const parse = c => c.match(/[\\d.]+/g).map(Number);
        const light = c => { const l = c.slice(0, 3).map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2]; };
        const behind = one => { for (let e = one; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; }
            return [255, 255, 255]; };
        const found = [];
        for (const one of document.querySelectorAll('body *')) {
            const own = [...one.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
            if (!own || !one.getClientRects().length || one.closest('script,style')) continue;
            const style = getComputedStyle(one);
            const ink = light(parse(one.closest('svg') ? style.fill : style.color)), paper = light(behind(one));
            const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
            if (ratio < 4.5) found.push([one.textContent.trim().slice(0, 30), one.className, ratio]);
        }
        return found.slice(0, 5); }"""
    )
    assert poor == []
    context.close()


@pytest.mark.parametrize("opened", [("en", 390)], indirect=True)
def test_a_tap_shows_the_exact_figure(opened: Any) -> None:
    """A phone shows no tooltip: the text is written below the table."""
    cell = opened.locator(f"{SHOWN} .answer .panel:visible table.heat tbody td[title]").first
    line = opened.locator(f"{SHOWN} .answer .panel:visible .scroll + p[role=status]")
    assert line.text_content() == ""
    cell.click()
    assert line.text_content() == cell.get_attribute("title")
    assert "%" in line.text_content()


@pytest.mark.parametrize("ruleset", [pytest.param("club", marks=SLOW), "moran"])  # Club has the parts of MORSDEI
def test_pages_of_other_rooms_fit(browser: Any, tmp_path: Path, ruleset: str) -> None:
    """No complaint, no overflow with every list open, and letters of at least 12 pixels in the figures."""
    from morsdei_sim.reporting.page import page as whole
    from tests.report.test_report_rooms import collection

    path = tmp_path / "page.html"
    path.write_text(whole(collection(ruleset), "ru"), encoding="utf-8")
    complaints: list[str] = []
    for width in (1280, 390):
        context = browser.new_context(offline=True, viewport={"width": width, "height": 800})
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        for summary in page.query_selector_all("#ru details > summary"):
            summary.click()
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), width
        assert page.evaluate(
            "() => [...document.querySelectorAll('figure svg')].filter(s => s.getBoundingClientRect().width)"
            ".every(s => s.getBoundingClientRect().width / s.viewBox.baseVal.width > 1.3)"
        ), width
        context.close()
        assert complaints == []
