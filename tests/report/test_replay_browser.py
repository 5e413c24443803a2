"""The replay in a real browser: no errors, no network, and after each event the state that the log tells."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from morsdei_sim.lang import set_language
from morsdei_sim.reporting.replay import compare_page, replay_page
from morsdei_sim.reporting.transcript import tell
from tests.browsing import in_browser
from tests.report.sample_battle import sample

pytestmark = in_browser

LOG = sample()
ALL = len(LOG) - 1
MOVE = next(n for n, event in enumerate(LOG) if event["event"] == "moved")
SHOT = next(n for n, event in enumerate(LOG) if event["event"] == "shot")
EXCHANGE = next(n for n, event in enumerate(LOG) if event["event"] == "exchange")


def other_game() -> list[dict[str, Any]]:
    """The same battle until a shot with other dice, after which it ends at once."""
    log = copy.deepcopy(LOG[: SHOT + 1])
    log[SHOT]["attack"] = [1, 4, 5, 5]
    return [*log, {**LOG[-1], "n": SHOT, "round": 1, "result": 2, "vp": [0, 1]}]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("replays")
    texts = {}
    for lang in ("en", "ru"):
        set_language(lang)
        texts[lang] = replay_page(LOG)
        texts[f"two-{lang}"] = compare_page(LOG, other_game(), "Other dice.")
    texts["unknown"] = texts["en"].replace('"event":"finished"', '"event":"teleported"')
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


@pytest.fixture
def opened(browser: Any, pages: dict[str, Path], request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page in a width; at the end there must be no complaint and no request but for the file."""
    name, width, *more = request.param
    context = browser.new_context(offline=True, viewport={"width": width, "height": 800}, **(more[0] if more else {}))
    page = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: requests.append(asked.url))
    page.goto(pages[name].as_uri())
    yield page
    context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


WIDE = pytest.mark.parametrize("opened", [("en", 1280)], indirect=True)
STILL = pytest.mark.parametrize("opened", [("en", 1280, {"reduced_motion": "reduce"})], indirect=True)
ALWAYS = (("en", 1280), ("ru", 390), ("two-ru", 1280), ("two-en", 390))
EVERY = [pytest.param((name, width), marks=[] if (name, width) in ALWAYS else pytest.mark.slow)
         for name in ("en", "ru", "two-en", "two-ru") for width in (1280, 390)]  # fmt: skip


# ── the state, by a second account of the same rules ──────────────────────────────────────────────────────────────────


def account(log: list[dict[str, Any]], k: int) -> dict[str, Any]:
    """Places, HP and markers after k events; each fact is looked up by itself, from the end of the log backwards."""
    head, events = log[0], log[1 : k + 1]

    def last(*kinds: str, **fields: Any) -> int:
        """Index of the last such event; -1 when there was none."""
        places = [
            n for n, event in enumerate(events)
            if event["event"] in kinds and all(event.get(key) == value for key, value in fields.items())
        ]  # fmt: skip
        return max(places, default=-1)

    def fighter(n: int) -> dict[str, Any]:
        hp, at = head["fighters"][n]["hp"], None
        for event in events:
            if event["event"] == "shot" and event["target"] == n:
                hp = event["hp"]
            if event["event"] == "exchange" and n in (event["fighter"], event["enemy"]):
                hp = event["hp"][event["enemy"] == n]
            if event["event"] in ("set-up", "moved") and event["fighter"] == n:
                at = event["path"][-1] if "path" in event else event["at"]
        gone = last("removed", fighter=n)
        ends = max(
            last("activated", fighter=n), last("marker-lost", fighter=n), last("shot", fighter=n, how="overwatch"), gone
        )
        watch, aim = last("watches", fighter=n), last("aimed", fighter=n)
        used = max(last("shot", fighter=n, how="action"), last("finished", fighter=n), gone)
        prone = last("shot", target=n, goes_prone=1)
        return {
            "at": at, "hp": hp, "gone": int(gone >= 0),
            "done": int(last("finished", fighter=n) > last("round")),
            "contract": int(last("contract", chosen=n) > last("round")),
            "watch": events[watch]["weapon"] if watch > ends else -1,
            "aim": events[aim]["weapon"] if aim > used else -1,
            "prone": int(prone > max(last("activated", fighter=n, debt=1), gone)),
        }  # fmt: skip

    start = last("activated")
    active, stock, apl = -1, 0, 0
    if start >= 0 and max(last("finished"), last("over")) < start:
        who = events[start]["fighter"]
        if last("removed", fighter=who) < start:
            active, stock = who, events[start]["apl"]
            costs = {
                "moved": 1,
                "aimed": 1,
                "watches": 1,
                "looted": head["rules"]["loot_apl"],
                "shot": 1,
                "exchange": 1,
            }
            for event in events[start:]:
                free = event.get("how", "action") != "action" or event.get("action") == "contract"
                fall_back = event.get("action") == "fall-back"
                cost = head["rules"]["fall_back_apl"] if fall_back else costs.get(event["event"], 0)
                apl += 0 if free else cost
            apl = stock - apl
    vps = [event["vp"] for event in events if "vp" in event]
    taken = {
        (event["point"], head["fighters"][event["fighter"]]["side"])
        for event in events[last("round") + 1 :]
        if event["event"] == "looted"
    }
    loot = [[int((point, side) in taken) for side in (0, 1)] for point in range(len(head["board"]["loot"]))]
    return {
        "round": events[-1]["round"] if events else 0, "vp": vps[-1] if vps else [0, 0], "loot": loot,
        "active": active, "stock": stock, "apl": apl, "fighters": [fighter(n) for n in range(len(head["fighters"]))],
        "over": events[last("over")]["result"] if last("over") >= 0 else None,
    }  # fmt: skip


@WIDE
def test_state_after_every_event(opened: Any) -> None:
    """Asked for in a random order, so that it depends on nothing that was shown before."""
    places = list(range(ALL + 1))
    random.Random(1).shuffle(places)
    for k in places:
        state = opened.evaluate("k => window.replay.state(0, k)", k)
        expected = account(LOG, k)
        assert {key: state[key] for key in expected} == expected, k


@WIDE
def test_the_end_is_the_end_of_the_log(opened: Any) -> None:
    opened.keyboard.press("End")
    over = LOG[-1]
    assert opened.evaluate("window.replay.state(0, window.replay.position()).over") == over["result"]
    assert [int(text) for text in opened.locator(".vp b").all_inner_texts()] == over["vp"]
    assert opened.locator(".clock .round").inner_text() == "The battle is over"
    assert opened.locator(".said").inner_text() == tell(LOG)[1][-1].sentence


@STILL
def test_the_picture_is_the_state(opened: Any) -> None:
    """Each token stands where its fighter stands, to scale; each bar of the list shows its HP."""
    for k in range(0, ALL + 1, 7):
        opened.evaluate("k => window.replay.show(k)", k)
        state = account(LOG, k)
        found = opened.evaluate(
            """() => { const from = document.querySelector('.board .edge').getBBox();
            return [...document.querySelectorAll('.board [data-fighter]')].map(one => {
            const at = one.transform.baseVal[0].matrix, base = one.querySelector('circle.base');
            const inch = from.width / 30, rim = base && base.classList.contains('s1') ? 1.5 : 0; // half its stroke
            return [Number(one.dataset.fighter), (at.e - from.x) / inch, 22 - (at.f - from.y) / inch,
                    base ? 2 * (base.r.baseVal.value + rim) / inch : 0];
            }); }"""
        )
        placed = {n: one for n, one in enumerate(state["fighters"]) if one["at"]}
        assert {int(n) for n, *_place in found} == set(placed)
        for n, x, y, size in found:
            assert (x, y) == pytest.approx(placed[n]["at"][:2], abs=1e-3)
            assert size == pytest.approx(0 if placed[n]["gone"] else LOG[0]["fighters"][n]["base"] / 25.4, abs=1e-3)
        listed = opened.locator(".rosters .hp span").all_inner_texts()
        cards = LOG[0]["fighters"]
        fighters = enumerate(state["fighters"])
        assert listed == ["removed" if one["gone"] else f"{one['hp']}/{cards[n]['hp']}" for n, one in fighters]


@STILL
def test_dice_are_those_of_the_log(opened: Any) -> None:
    def dice() -> list[list[str]]:
        return [
            [
                f"{one.get_attribute('aria-label')} {one.get_attribute('class')}"
                for one in row.query_selector_all(".die")
            ]
            for row in opened.query_selector_all(".dice .row")
        ]

    opened.evaluate("k => window.replay.show(k)", SHOT)
    assert LOG[SHOT]["attack"] == [1, 4, 5, 6]
    assert LOG[SHOT]["hit"] == 3
    assert dice()[0] == ["die 1, miss die miss", "die 4 die hit", "die 5 die hit", "die 6 die six"]
    assert dice()[1] == ["die 2, miss die miss", "die 4 die hit", "die 6 die six", "die 3, miss die miss"]
    opened.evaluate("k => window.replay.show(k)", EXCHANGE)
    assert dice() == [["die 4 die hit", "die 5 die hit", "die 6 die six"]]
    assert opened.locator(".steps li").all_inner_texts() == ["A1 Attack\n→ Take", "A1 Attack\n→ Take"]


# ── controls ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def until(page: Any, condition: str) -> None:
    """Wait up to 20 seconds; Playwright's own waiting needs `eval`, which the page forbids."""
    for _time in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(condition)


def position(page: Any) -> int:
    return int(page.evaluate("window.replay.position()"))


@WIDE
def test_keys(opened: Any) -> None:
    press = opened.keyboard.press
    for key, expected in [
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", ALL), ("ArrowRight", ALL), ("Home", 0),
        ("ArrowLeft", 0),
    ]:  # fmt: skip
        press(key)
        assert position(opened) == expected
        assert opened.input_value("#scrub") == str(expected)
    starts = [n for n, event in enumerate(LOG) if event["event"] in ("round", "activated", "contract", "over")]
    for expected in [*starts, *starts[-2::-1]]:
        press("Shift+ArrowRight" if position(opened) < expected else "Shift+ArrowLeft")
        assert position(opened) == expected
    press("ArrowUp")
    assert opened.locator("#speed").inner_text() == "2×"
    press("ArrowDown")
    press("ArrowDown")
    assert opened.locator("#speed").inner_text() == "½×"


@WIDE
def test_play_and_pause(opened: Any) -> None:
    for _time in range(4):
        opened.click("#faster")
    assert opened.locator("#speed").inner_text() == "8×"
    opened.keyboard.press("Home")
    opened.evaluate("document.activeElement.blur()")
    opened.keyboard.press("Space")
    until(opened, "window.replay.position() > 4")
    assert opened.locator("#play").get_attribute("aria-label") == "Pause"
    opened.keyboard.press("Space")
    stopped = position(opened)
    opened.wait_for_timeout(600)
    assert position(opened) == stopped
    opened.evaluate("k => window.replay.show(k)", ALL - 3)
    opened.click("#play")
    until(opened, "!window.replay.playing()")
    assert position(opened) == ALL
    opened.click("#play")
    until(opened, "window.replay.position() < 9 && window.replay.position() > 1")


@WIDE
def test_scrub_list_and_rounds(opened: Any) -> None:
    opened.evaluate("s => { s.value = 40; s.dispatchEvent(new Event('input')); }", opened.query_selector("#scrub"))
    assert position(opened) == 40
    assert opened.locator(".events .now-at button").get_attribute("data-to") == "40"
    opened.focus("#scrub")
    opened.keyboard.press("ArrowRight")
    assert position(opened) == 41
    opened.click(".events button[data-to='44']")
    assert position(opened) == 44
    for number in (3, 1):
        opened.click(f".rounds button[value='{number}']")
        found = LOG[position(opened)]
        assert (found["event"], found["round"]) == ("round", number)
    opened.click("#last")
    opened.click("#back")
    assert position(opened) == ALL - 1


def token_path(page: Any, fighter: int, frames: int) -> list[list[float]]:
    """Where a token is in the next frames after one step."""
    found: list[list[float]] = page.evaluate(
        """([fighter, frames]) => new Promise(done => { const seen = []; document.getElementById('next').click();
        const look = () => { const token = document.querySelector(`.board [data-fighter="${fighter}"]`);
            const at = token.transform.baseVal[0].matrix;
            seen.push([at.e, at.f]); if (seen.length < frames) requestAnimationFrame(look); else done(seen); };
        look(); })""",
        [fighter, frames],
    )
    return found


@WIDE
def test_moves_are_animated(opened: Any) -> None:
    opened.evaluate("k => window.replay.show(k)", MOVE - 1)
    seen = token_path(opened, LOG[MOVE]["fighter"], 10)
    assert len({tuple(place) for place in seen}) > 3
    opened.wait_for_timeout(1500)
    at = account(LOG, MOVE)["fighters"][LOG[MOVE]["fighter"]]["at"]
    end = token_path(opened, LOG[MOVE]["fighter"], 1)[0]
    assert end == pytest.approx([9 + 20 * at[0], 9 + 20 * (22 - at[1])], abs=0.01)


@STILL
def test_less_motion_is_respected(opened: Any) -> None:
    opened.evaluate("k => window.replay.show(k)", MOVE - 1)
    assert len({tuple(place) for place in token_path(opened, LOG[MOVE]["fighter"], 10)}) == 1


# ── two games, looks, other readers ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("opened", [("two-en", 1280)], indirect=True)
def test_two_games_in_step(opened: Any) -> None:
    opened.click("#to-parting")
    assert position(opened) == SHOT
    said = opened.locator(".said").all_inner_texts()
    assert "Attack Dice 1 4 5 6" in said[0]
    assert "Attack Dice 1 4 5 5" in said[1]
    assert (
        opened.locator(".events .parts button").all_inner_texts()
        == opened.locator(".events .now-at button").all_inner_texts()
    )
    opened.keyboard.press("End")
    assert [text.split(":")[-1] for text in opened.locator(".said").all_inner_texts()] == [" VP 2 to 1.", " VP 0 to 1."]


@pytest.mark.parametrize("opened", EVERY, indirect=True)
def test_fits_its_window(opened: Any) -> None:
    """At every seventh event no overflow, and no letter smaller than twelve pixels."""
    for k in [*range(0, ALL, 7), SHOT, EXCHANGE, ALL]:
        opened.evaluate("k => window.replay.show(k)", k)
        assert opened.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), k
        smallest = opened.evaluate(
            """() => Math.min(...[...document.querySelectorAll('body *')].map(one => {
            const own = [...one.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
            if (!own || !one.getClientRects().length || one.closest('script,style,title')) return 99;
            const svg = one.closest('svg'), size = parseFloat(getComputedStyle(one).fontSize);
            return svg ? size * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : size; }))"""
        )
        assert smallest >= 11.9, k


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["en", "two-en"])
def test_contrast_of_the_replay(browser: Any, pages: dict[str, Path], scheme: str, name: str) -> None:
    """Every visible letter outside the drawing against the colour behind it: 4.5 or more (WCAG AA)."""
    context = browser.new_context(offline=True, color_scheme=scheme, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(pages[name].as_uri())
    for k in (SHOT, EXCHANGE, ALL):
        page.evaluate("k => window.replay.show(k)", k)
        page.wait_for_timeout(50)
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
                if (!own || !one.getClientRects().length || one.closest('script,style,svg,noscript')) continue;
                const ink = light(parse(getComputedStyle(one).color)), paper = light(behind(one));
                const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
                if (ratio < 4.5) found.push([one.textContent.trim().slice(0, 30), one.className, ratio]);
            }
            return found.slice(0, 5); }"""
        )
        assert poor == []
    context.close()


def test_all_events_read_without_script_and_on_paper(browser: Any, pages: dict[str, Path]) -> None:
    for options, media in [({"java_script_enabled": False}, "screen"), ({}, "print")]:
        context = browser.new_context(offline=True, **options)
        page = context.new_page()
        page.goto(pages["en"].as_uri())
        page.emulate_media(media=media)
        sentences = [line.sentence for line in tell(LOG)[1]]
        assert page.locator(".events .full:visible").all_inner_texts() == sentences
        assert page.locator(".events").bounding_box()["height"] > 2000
        context.close()


def test_the_script_refuses_an_unknown_event(browser: Any, pages: dict[str, Path]) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(pages["unknown"].as_uri())
    page.keyboard.press("End")
    page.wait_for_timeout(100)
    context.close()
    assert any("unknown event: teleported" in error for error in errors)
