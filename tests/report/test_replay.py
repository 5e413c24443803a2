"""Replay of a battle: the page is whole and harmless, the transcript is right, and two games part where they part."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from morsdei_sim.errors import UserError
from morsdei_sim.lang import set_language
from morsdei_sim.reporting.replay import FIELDS, compare_page, parting, replay_page
from morsdei_sim.reporting.transcript import KINDS, tell, transcript
from tests.report.sample_battle import sample
from tests.report.test_page import HOSTILE, Checked

GOLDEN = Path(__file__).parent / "golden"
Log = list[dict[str, Any]]


@pytest.fixture
def log() -> Log:
    return sample()


def data_of(page: str) -> Any:
    """What the script of a page reads."""
    return json.loads(page.partition('id="data">')[2].partition("</script>")[0])


def changed(log: Log, kind: str, **fields: Any) -> tuple[Log, int]:
    """A log whose last event of a kind differs, and the index of that event."""
    other = copy.deepcopy(log)
    index = max(n for n, event in enumerate(other[1:]) if event["event"] == kind)
    other[index + 1].update(fields)
    return other, index


# ── the transcript ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_sample_has_every_kind(log: Log) -> None:
    assert {event["event"] for event in log[1:]} == set(KINDS)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_transcript(log: Log, lang: str) -> None:
    """Read line by line against the sample when it was written; a change of wording changes the file."""
    set_language(lang)
    assert transcript(log) == (GOLDEN / f"transcript.{lang}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_one_plain_sentence_an_event(log: Log, lang: str) -> None:
    set_language(lang)
    _cast, lines = tell(log)
    assert len(lines) == len(log) - 1
    for line in lines:
        assert re.fullmatch(r"[^{}\n]+[^.]\.", line.sentence), line.sentence


def test_numbers_of_a_shot_are_told(log: Log) -> None:
    """A number that is changed in the log changes its sentence."""
    place = next(n for n, event in enumerate(log) if event["event"] == "shot" and event["defence"])
    before = tell(log)[1][place - 1].sentence
    edits: dict[str, Any] = {
        "hit": 5, "attack": [2, 2], "normals": 9, "crits": 9, "defence": [1], "saves": 9, "crit_saves": 9, "damage": 99,
        "hp": 1, "cover": 0, "aimed": 0, "prone": 1, "injured": 1, "in_contact": 1, "goes_prone": 1, "how": "overwatch",
        "declared": 4,
    }  # fmt: skip
    for key, value in edits.items():
        other = copy.deepcopy(log)
        assert other[place][key] != value
        other[place][key] = value
        assert tell(other)[1][place - 1].sentence != before, key


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("over", {"result": 1, "wiped_out": 0, "vp": [2, 2]}, "The battle ends in a draw: VP 2 to 2."),
        ("over", {"result": 2, "wiped_out": 0, "vp": [1, 3]}, "Side B wins by VP: VP 1 to 3."),
        ("over", {"wiped_out": 1, "faults": 2}, "Full victory of side A: options chosen against the rules: 2; VP 2"),
        ("reaction", {"chosen": None, "candidates": [2]}, "Overwatch window of side A: it passes (could have: A3"),
        ("zones", {"winner": 1, "zone": 1}, "Side B wins the roll-off (3–3, 5–2) and takes deployment zone 2."),
        ("exchange", {"enemy_weapon": None}, "B1 Chief (cleaver) fights A1 Sergeant (no melee weapon) by Contract: "),
    ],
)  # fmt: skip
def test_wording(log: Log, kind: str, fields: dict[str, Any], said: str) -> None:
    other, index = changed(log, kind, **fields)
    assert tell(other)[1][index].sentence.startswith(said)


# ── faults ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("make", [transcript, replay_page, lambda log: compare_page(sample(), log, "")])
def test_an_unknown_event_is_named(log: Log, make: Any) -> None:
    other, index = changed(log, "finished", event="teleported")
    with pytest.raises(UserError, match=rf'line {index + 2} of the log: no such event "teleported"'):
        make(other)


def test_a_damaged_line_is_named(log: Log) -> None:
    del log[30]["fighter"]
    with pytest.raises(UserError, match="line 31 of the log is damaged: KeyError 'fighter'"):
        replay_page(log)


@pytest.mark.parametrize("bad", [[], [{"event": "round"}], [{"event": "battle", "schema_version": 2}]])
def test_what_is_no_log(bad: Log) -> None:
    with pytest.raises(UserError, match="no log of a battle"):
        replay_page(bad)


# ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def pages(log: Log) -> list[str]:
    return [replay_page(log), compare_page(log, changed(log, "shot", hit=6)[0], "Hit")]


def test_pages_are_whole_and_fetch_nothing(log: Log) -> None:
    for page in pages(log):
        checked = Checked(page)
        ids = Counter(attributes["id"] for _tag, attributes in checked.found if "id" in attributes)
        assert [ident for ident, often in ids.items() if often > 1] == []
        used = set(re.findall(r'(?:href="|url\()#([\w-]+)', page.partition("<script")[0]))
        assert used
        assert used <= set(ids)
        for tag, attributes in checked.found:
            for name in ("src", "href", "action", "srcset", "data"):
                value = attributes.get(name)
                assert value is None or value.startswith(("#", "data:")), (tag, name, value)


def test_only_the_script_of_the_house_may_run(log: Log) -> None:
    for page in pages(log):
        checked = Checked(page)
        policy = next(str(one["content"]) for one in checked.all("meta") if "http-equiv" in one)
        script = page.rpartition("<script>")[2].partition("</script>")[0]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert policy.endswith(f"script-src 'sha256-{digest}'")
        assert "default-src 'none'" in policy
        assert [one.get("type") for one in checked.all("script")] == ["application/json", None]
        assert not any(key.startswith("on") for _tag, attributes in checked.found for key in attributes)


@pytest.mark.parametrize("name", [*HOSTILE, "</script><script>alert(1)</script>", "<!--<script>", "\u2028"])
def test_a_name_does_no_harm(log: Log, name: str) -> None:
    header = log[0]
    header["board"] |= {"name": name, "name_ru": name}
    for card in header["fighters"]:
        card |= {"name": name, "name_ru": name}
        card["weapons"] = [arm | {"name": name, "name_ru": name} for arm in card["weapons"]]
    for side in header["sides"]:
        side["squad"] = side["bot"] = name
    for piece in header["board"]["pieces"]:
        piece["name"] = name
    for page in (replay_page(log, title=name), compare_page(log, changed(log, "shot", hit=6)[0], name)):
        checked = Checked(page)
        assert len(checked.all("script")) == 2
        assert checked.all("img") == []
        assert not any(key.startswith("on") for _tag, attributes in checked.found for key in attributes)
        assert " ".join(name.split()) in checked.text
        assert data_of(page)["logs"][0][0]["fighters"][0]["name"] == name


def test_the_log_is_in_the_page(log: Log) -> None:
    assert data_of(replay_page(log))["logs"][0][1:] == log[1:]


def test_same_bytes_each_time(log: Log) -> None:
    assert replay_page(log) == replay_page(sample())
    assert compare_page(log, log, "x") == compare_page(log, log, "x")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_language(log: Log, lang: str) -> None:
    set_language(lang)
    checked = Checked(replay_page(log))
    assert checked.all("html")[0]["lang"] == lang
    assert ("Насосная станция" in checked.text) == (lang == "ru")
    assert ("Sergeant" in checked.text) == (lang == "en")
    assert all(sentence in checked.text for sentence in (line.sentence for line in tell(log)[1]))


def test_a_title_of_ones_own(log: Log) -> None:
    assert "<title>Line &amp; Cleavers</title>" in replay_page(log, title="Line & Cleavers")


# ── two games ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_parting(log: Log) -> None:
    assert parting(log, copy.deepcopy(log)) is None
    other, index = changed(log, "shot", attack=[6, 6, 6, 6])
    assert parting(log, other) == parting(other, log) == index
    assert parting(log, log[:50]) == parting(log[:50], log) == 49
    assert parting(log, changed(log, "shot", expected=9.9)[0]) is None
    other[3]["at"] = [22, 20, 0]
    assert parting(log, other) == 2


def test_a_change_of_the_header_is_no_parting(log: Log) -> None:
    other = copy.deepcopy(log)
    other[0]["fighters"][0]["hp"] += 1
    assert parting(log, other) is None
    assert "The two games never part" in Checked(compare_page(log, other, "HP 9 becomes 10.")).text


def test_the_difference_is_explained(log: Log) -> None:
    other, index = changed(log, "shot", hit=2, attack=[3, 3, 6, 1])
    text = Checked(compare_page(log, other, "Hit 3+ becomes 2+.")).text
    assert f"Hit 3+ becomes 2+. The first event that differs is number {index + 1}." in text
    assert "In both games: A4 Marksman shoots B2 Brawler (long rifle)" in text
    assert "Hit 3+ 2+ Attack Dice 3 3 6 2 3 3 6 1" in text


def test_another_event_is_explained(log: Log) -> None:
    aimed = next(n for n, event in enumerate(log) if event["event"] == "aimed")
    text = Checked(compare_page(log, [*log[:aimed], *log[aimed + 2 :]], "")).text
    assert "In the first game: A1 Sergeant aims (rifle)" in text
    assert "In the second game: A1 Sergeant moves 5.9″" in text
    text = Checked(compare_page(log, log[:50], "")).text
    assert "In the second game: the game is over" in text


def test_every_field_has_a_name(log: Log) -> None:
    """No difference goes unnamed: what an event holds is in the list, but for its number and estimates."""
    held = {key for event in log[1:] for key in event}
    assert held - set(FIELDS) == {"n", "event", "expected"}


@pytest.mark.parametrize(
    ("kind", "fields", "row"),
    [
        ("looted", {"point": 1}, "loot point 1 2"),
        ("shot", {"cover": 1}, "cover no yes"),
        ("exchange", {"weapon": 0}, "weapon cleaver pistol"),
        ("shot", {"how": "overwatch"}, "occasion action Overwatch"),
        ("removed", {"by": 0}, "removed by A4 Marksman A1 Sergeant"),
        ("moved", {"action": "move"}, "kind of movement Fall Back Move action"),
        ("exchange", {"enemy_weapon": None}, "weapon of the enemy knife —"),
        ("exchange", {"steps": []}, "course of the exchange B1 Attack 6 → Take, B1 Attack 4 → Parry 5 —"),
        ("zones", {"winner": 1, "zone": 1}, "winner of the roll-off A B deployment zone 1 2"),
        ("over", {"result": 1}, "result side A wins draw"),
    ],
)
def test_differences_are_in_words(log: Log, kind: str, fields: dict[str, Any], row: str) -> None:
    other, _index = changed(log, kind, **fields)
    assert row in Checked(compare_page(log, other, "")).text


def test_any_field_may_differ(log: Log) -> None:
    """Every field of every kind, with the values it takes in the sample, is shown without a fault."""
    set_language("ru")
    for kind in KINDS:
        events = [event for event in log[1:] if event["event"] == kind]
        for key in set(events[-1]) - {"n", "event", "expected"}:
            # A weapon, a result of dice and the like belong to their own fighter: whole events stay together.
            for one in events:
                if one[key] != events[-1][key]:
                    other, index = changed(log, kind, **{name: value for name, value in one.items() if name != "n"})
                    assert parting(log, other) == index
                    assert "Где партии расходятся" in compare_page(log, other, "")
                    break
