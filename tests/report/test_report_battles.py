"""Whole games in the report: the frames are those of `battle`, and the page shows what the frames hold."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import morsdei_sim
from morsdei_sim.api.report import Report
from morsdei_sim.errors import UserError
from morsdei_sim.lang import set_language
from morsdei_sim.reporting import numbers
from morsdei_sim.reporting.games_told import finding
from morsdei_sim.sweep import Battles, Collection, plan, play_all
from morsdei_sim.sweep.battles import MOST_SQUADS, _decided
from tests.report.conftest import body, collected, squad
from tests.report.test_page import NAMES, Checked

GAMES = 24
SEED = 3
SQUADS = ["line", "mirror", "cleavers"]


def played(cards: list[str] | None, games: int = GAMES, **options: Any) -> Battles:
    planned = plan("morsdei", cards, games)
    assert planned is not None
    found = play_all(planned, seed=SEED, **options)
    return replace(found, provenance=found.provenance | {"commands": ["morsdei-sim battle"]})


@pytest.fixture(scope="module")
def three() -> Battles:
    return played(SQUADS)


@pytest.fixture(scope="module")
def alone() -> Battles:
    return played(["mirror"], games=8)


@pytest.fixture(scope="module")
def card() -> Collection:
    """One card and nobody to meet: a page that is written at once."""
    return collected(["line/sergeant"], field=[])


@pytest.fixture(scope="module")
def text(card: Collection, three: Battles) -> str:
    """The page of three squads in English."""
    set_language("en")
    return body(with_games(card, three))


@pytest.fixture(scope="module")
def two() -> Battles:
    return played(["line", "mirror"], games=4)


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report of two squads by other rules: its page takes seconds to draw."""
    return morsdei_sim.report(
        ["line", "mirror"], out=tmp_path_factory.mktemp("reported") / "a.html", field=["field/d3-hp7"], games=3, seed=5,
        rules={"rounds": 1, "may_pass": 1},
    )  # fmt: skip


def with_games(collection: Collection, battles: Battles) -> Collection:
    return replace(collection, battles=battles)


def section(text: str) -> str:
    return (
        "<section>"
        + text[text.index('<h2 id="', text.index('class="games"')) :].partition("</section>")[0]
        + "</section>"
    )


def known(battles: Battles, one: str, other: str, figure: str) -> tuple[float, float, float]:
    games = battles.games
    (row,) = games[(games["one"] == one) & (games["other"] == other) & (games["figure"] == figure)].itertuples()
    return row.estimate, row.low, row.high


# ── who meets whom ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_squad_meets_every_other_once() -> None:
    planned = plan("morsdei", SQUADS)
    assert planned is not None
    assert planned.pairs == (("line", "mirror"), ("line", "cleavers"), ("mirror", "cleavers"))
    everyone = plan("morsdei")
    assert everyone is not None
    assert len(everyone.own) == 5
    assert len(set(everyone.pairs)) == 10
    assert 10 * everyone.games <= 4000
    assert "field" not in everyone.own


def test_one_squad_meets_itself_and_the_room_s() -> None:
    planned = plan("morsdei", ["mirror"])
    assert planned is not None
    assert planned.own == ("mirror",)
    assert planned.pairs[0] == ("mirror", "mirror")
    assert {other for _one, other in planned.pairs} == {"mirror", "line", "bulwark", "cleavers", "scavengers"}


def test_a_squad_named_twice_is_one(tmp_path: Path) -> None:
    squad(tmp_path / "mine.toml", "melee", fighters=3)
    squad(tmp_path / "other.toml", "ranged", fighters=3)
    planned = plan("morsdei", [str(tmp_path), str(tmp_path / "mine.toml")])
    assert planned is not None
    assert planned.pairs == ((str(tmp_path / "mine.toml"), str(tmp_path / "other.toml")),)


def test_no_games_where_none_make_sense(tmp_path: Path) -> None:
    assert plan("morsdei", ["line/sergeant", "mirror"]) is None
    assert plan("morsdei", ["line", "mirror"], 0) is None
    assert plan("club") is None
    two = squad(tmp_path / "two.toml", "melee", fighters=2)
    assert plan("morsdei", [two]) is None
    asked = plan("morsdei", [two], 8)
    assert asked is not None
    assert asked.games == 8
    for ruleset, cards in (("club", None), ("morsdei", ["line/sergeant", "mirror"])):
        with pytest.raises(UserError):
            plan(ruleset, cards, 8)


def test_too_many_squads_are_told(tmp_path: Path) -> None:
    names = [squad(tmp_path / f"s{number}.toml", "melee") for number in range(MOST_SQUADS + 1)]
    planned = plan("morsdei", names)
    assert planned is not None
    assert planned.pairs == ()
    found = play_all(planned)
    assert found.games.empty
    assert f"{MOST_SQUADS + 1} squads are too many" in found.notes[0]


# ── the frames ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_figures_are_those_of_battle(three: Battles) -> None:
    answer = morsdei_sim.battle("line", "cleavers", games=GAMES, seed=SEED, jobs=1)
    rows = list(answer.to_frame().itertuples())
    assert len(rows) > 15
    for row in rows:
        assert known(three, "line", "cleavers", row.figure) == (row.estimate, row.low, row.high), row.figure
    for row in answer.cards().to_dict("records"):
        mine, other = ("line", "cleavers") if row["squad"] == "a" else ("cleavers", "line")
        frame = three.fighters
        frame = frame[(frame["squad"] == mine) & (frame["opponent"] == other) & (frame["card"] == row["card"])]
        found = {one.figure: (one.estimate, one.low, one.high) for one in frame.itertuples()}
        assert {"kills", "damage", "loot", "survived"} <= set(found)
        for figure, value in found.items():
            assert value == (row[figure], row[f"{figure}_low"], row[f"{figure}_high"]), figure


def test_the_command_on_the_page_plays_the_pairing_again(reported: Report) -> None:
    told = reported.to_dict()["games"]
    assert (told["bots"], told["games"]) == (["tactician", "tactician"], 4)
    (command,) = told["commands"]
    words = shlex.split(command)
    words = words[words.index("battle") + 1 :]
    options = list(zip(words[2::2], words[3::2], strict=True))
    rules = [value for option, value in options if option == "--rule"]
    assert sorted(rules) == ["may_pass=1", "rounds=1"]
    assert [one for one in options if one[0] != "--rule"] == [
        ("--board", "twin-yards"), ("--bots", "tactician"), ("--games", "4"), ("--seed", "5"),
    ]  # fmt: skip
    answer = morsdei_sim.battle(
        *words[:2], board="twin-yards", bots="tactician", games=4, seed=5, rules={"rounds": 1, "may_pass": 1}, jobs=1
    )
    assert reported.collection.battles is not None
    entry = answer.to_dict()["boards"][0]
    assert known(reported.collection.battles, "line", "mirror", "score")[0] == entry["score"]
    assert known(reported.collection.battles, "line", "mirror", "vp_a")[0] == entry["vp_a"]
    assert f"<code>{command}</code>" in reported.path.read_text(encoding="utf-8")
    assert "--games 4 --seed 5 --lang en" in reported.to_dict()["command"]
    assert reported.to_dict()["rows"]["games"] == len(reported.collection.battles.games) > 0


def test_rules_of_the_whole_game(reported: Report, tmp_path: Path) -> None:
    """They reach the games, and stand in the commands; a wrong one is told before anything is computed."""
    assert reported.collection.battles is not None
    assert known(reported.collection.battles, "line", "mirror", "rounds")[0] == 1
    (command,) = reported.to_dict()["games"]["commands"]
    for line in (command, reported.to_dict()["command"]):
        assert "--rule rounds=1" in line
        assert "--rule may_pass=1" in line
    asked = {"field": ["field/d3-hp7"], "out": tmp_path / "a.html"}
    for rules, games in (({"rounds": 99, "save": 9}, 2), ({"rounds": 1}, 0)):
        with pytest.raises(UserError, match="rounds"):
            morsdei_sim.report(["line", "mirror"], rules=rules, games=games, **asked)


def test_threads_change_nothing(card: Collection) -> None:
    one, three = (played(["line", "mirror"], 130, jobs=jobs) for jobs in (1, 3))
    for name, frame in one.frames().items():
        pd.testing.assert_frame_equal(frame, three.frames()[name])
    assert body(with_games(card, one)) == body(with_games(card, three))


def test_progress_counts_every_game(tmp_path: Path) -> None:
    """Also those that are left out, so that the bar arrives."""
    seen: list[tuple[int, int]] = []
    many = squad(tmp_path / "many.toml", "melee", fighters=17)
    played(["mirror", many, "line"], 4, progress=lambda done, planned: seen.append((done, planned)))
    assert seen[-1] == (12, 12)
    assert [done for done, _planned in seen] == sorted(done for done, _planned in seen)


def sure(value: float) -> tuple[float, float, float]:
    return value, value, value


@pytest.mark.parametrize(
    ("score", "first", "draws", "wanted"),
    [
        (0.5, 0.5, 0.0, (0, 0, 1)),
        (1.0, 0.5, 0.0, (1, 0, 0)),
        (0.0, 0.5, 0.0, (1, 0, 0)),
        (0.75, 0.5, 0.0, (0.25, 0, 0.75)),
        (0.75, 0.25, 0.0, (0.25, 0.25, 0.5)),
        (0.5, 0.6, 0.2, (0, 0.05, 0.95)),
        (0.6, 0.5, 0.6, (0.1, 0, 0.9)),
    ],
)
def test_what_decides_by_hand(score: float, first: float, draws: float, wanted: tuple[float, float, float]) -> None:
    """Of a spread of (1 - draws) / 4, a score s explains (s - ½) ** 2."""
    found = _decided({"score": sure(score), "first_player_score": sure(first), "draws": sure(draws)})
    assert list(found) == ["by_squads", "by_first", "by_dice"]
    for known_share, share in zip(found.values(), wanted, strict=True):
        assert known_share == pytest.approx((share, share, share), abs=1e-12)


def test_where_all_is_drawn_nothing_decides(card: Collection, three: Battles) -> None:
    found = _decided({"score": sure(0.5), "first_player_score": sure(0.5), "draws": (1.0, 0.8, 1.0)})
    assert all(isnan(part) for value in found.values() for part in value)
    games = three.games.copy()
    games.loc[games["figure"].str.startswith("by_"), ["estimate", "low", "high"]] = float("nan")
    text = Checked(body(with_games(card, replace(three, games=games)))).text
    assert not re.search(r"\bnan\b", text)


def test_shares_lie_in_their_intervals(three: Battles, alone: Battles) -> None:
    for battles in (three, alone):
        rows = battles.games[battles.games["figure"].str.startswith("by_")]
        assert len(rows) == 3 * len(battles.pairings())
        assert ((rows["low"] <= rows["estimate"]) & (rows["estimate"] <= rows["high"])).all()
        assert ((rows["low"] >= 0) & (rows["high"] <= 1)).all()
        sums = rows.groupby(["one", "other"])["estimate"].sum()
        assert sums.to_list() == pytest.approx([1.0] * len(sums))


# ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_cell_is_the_frame_s_figure(text: str, three: Battles) -> None:
    titles = [str(one.get("title", "")) for one in Checked(section(text)).all("td")]
    value = known(three, "line", "cleavers", "score")
    shown = numbers.chance(*value, 2)
    assert f"DEMO Line → DEMO Cleavers: {shown}" in titles
    turned = numbers.chance(1 - value[0], 1 - value[2], 1 - value[1], 2)
    assert f"DEMO Cleavers → DEMO Line: {turned}" in titles
    others = [known(three, "line", other, "score") for other in ("mirror", "cleavers")]
    mean = numbers.chance(*(sum(part) / 2 for part in zip(*others, strict=True)), 2)
    assert f"DEMO Line, on average: {mean}" in titles
    wiped = numbers.chance(*known(three, "line", "mirror", "b_wiped_out"), 2)
    assert f"DEMO Line – DEMO Mirror, B is wiped out: {wiped}" in titles
    assert sum("(" in title and " to " in title for title in titles) == 3 + 3 * 2 + 3 * 10


def test_what_a_card_did_is_drawn_with_its_interval(text: str, three: Battles) -> None:
    drawn = [str(one["aria-label"]) for one in Checked(section(text)).all("svg")]
    assert len(drawn) == 5 * 3
    frame = three.fighters
    rows = frame[(frame["card"] == "chief") & (frame["figure"] == "kills")]
    assert len(rows) == 2
    shown = numbers.mean(*(rows[name].mean() for name in ("estimate", "low", "high")))
    assert any("DEMO Cleavers, enemies removed per fighter and game. " in one and f"Chief ×1: {shown}" in one
               for one in drawn)  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_page_is_whole(card: Collection, three: Battles, alone: Battles, lang: str) -> None:
    set_language(lang)
    for battles in (three, alone) if lang == "ru" else (alone,):
        text = body(with_games(card, battles))
        checked = Checked(text)
        part = Checked(section(text))
        assert not re.search(r"\bnan\b|None|\{\w*\}|&lt;NA|\binf\b", part.text)
        ids = [attributes["id"] for _tag, attributes in checked.found if "id" in attributes]
        assert len(ids) == len(set(ids))
        assert {f"{lang}-games", f"{lang}-t-games", f"{lang}-t-game-fighters"} <= set(ids)
        assert [one["href"] for one in checked.all("a")].count(f"#{lang}-games") == 1
        used = set(re.findall(r'(?:href="|url\()#([\w-]+)', text))
        assert used <= set(re.findall(r'\sid="([^"]+)"', text))
        if lang == "ru":
            words = set(re.findall(r"[A-Za-z_]{4,}", part.text.partition("morsdei-sim")[0]))
            assert words <= {"tactician", "battle", "bots", "board"}, words


def test_lists_hold_every_pairing_and_card(text: str) -> None:
    for ident, rows in (("t-games", 3), ("t-game-fighters", 2 * (3 + 1 + 2))):
        table = text[text.index(f'id="en-{ident}"') :].partition("</table>")[0]
        head, body = table.split("<tbody>")
        assert body.count("<tr>") == rows
        assert body.count("<td") == rows * head.count("<th ")
        assert head.count('class="n"') >= 10


def test_certainty_is_told_apart(text: str, card: Collection) -> None:
    said = Checked(text).text
    assert "every number is exact" not in said
    assert "every number of an exchange is exact" in said
    assert f"{GAMES} whole games of each pairing" in said
    assert "Whole games are simulated, with 95 % intervals." in said
    assert "every number is exact" in Checked(body(card)).text
    for fact in ("tactician", "Twin Yards (twin-yards)", f"seed of whole games {SEED}"):
        assert fact in said[said.rindex("Where the numbers come from") :]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_does_no_harm(card: Collection, two: Battles, name: str) -> None:
    hostile = replace(
        two,
        squads=two.squads.assign(name=name, name_ru=name),
        fighters=two.fighters.assign(name=name, name_ru=name),
    )
    checked = Checked(body(with_games(card, hostile)))
    assert checked.all("script") == checked.all("img") == []
    assert not any(key.startswith("on") for _tag, attributes in checked.found for key in attributes)
    assert f"{' '.join(name.split())} (line)" in checked.text, "squads of one name are told apart"


def test_a_squad_against_itself_scores_half(card: Collection, alone: Battles) -> None:
    set_language("en")
    titles = [str(one.get("title", "")) for one in Checked(section(body(with_games(card, alone)))).all("td")]
    assert titles.count("DEMO Mirror against itself: one half by construction") == 1
    assert not any(title.startswith("DEMO Mirror → DEMO Mirror") for title in titles)
    assert known(alone, "mirror", "mirror", "score")[0] == 0.5
    mean = pd.Series([known(alone, "mirror", other, "score")[0] for _one, other in alone.pairings()[1:]]).mean()
    assert any(title.startswith("DEMO Mirror, on average: " + numbers.percent(mean, 0)[:2]) for title in titles)


# ── what is left out ──────────────────────────────────────────────────────────────────────────────────────────────────


def fast(path: Path) -> str:
    """A squad whose Move no battle takes."""
    squad(path, "melee", fighters=3)
    path.write_text(path.read_text().replace("move = 6", "move = 80"))
    return str(path)


def large(path: Path) -> str:
    """A squad with a weapon of too many Combat Dice for a battle."""
    squad(path, "melee", fighters=3)
    path.write_text(path.read_text().replace("dice = 3", "dice = 20"))
    return str(path)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: squad(path, "melee", fighters=17), "17 fighters; a battle takes 1 to 16"),
        (fast, "a Move of 80 inches"),
        (large, "DEMO Line – Odd, Odd – DEMO Mirror: 20 Combat Dice"),
    ],
)
def test_a_squad_that_a_battle_refuses_is_left_out(
    card: Collection, tmp_path: Path, make: Callable[[Path], str], said: str
) -> None:
    set_language("en")
    found = played(["line", make(tmp_path / "odd.toml"), "mirror"], 4)
    assert found.pairings() == [("line", "mirror")]
    assert any(said in note for note in found.notes)
    assert len(found.notes) <= 3
    part = Checked(section(body(with_games(card, found)))).text
    assert said in part
    assert "How games end" in part


def test_nobody_may_play(card: Collection, tmp_path: Path) -> None:
    found = played([squad(tmp_path / "many.toml", "melee", fighters=17)], 4)
    assert found.games.empty
    text = body(with_games(card, found))
    assert "No whole games were played." in section(text)
    assert "17 fighters" in section(text)
    assert "every number is exact" in text
    assert finding(found) is None


def test_rules_that_no_battle_takes_are_told() -> None:
    planned = plan("morsdei", ["line", "mirror"], 4)
    assert planned is not None
    refused = play_all(planned, {"contact_reach": 9})
    assert refused.games.empty
    assert "contact_reach" in refused.notes[0]


# ── what stands out ───────────────────────────────────────────────────────────────────────────────────────────────────


def scored(three: Battles, scores: dict[tuple[str, str], tuple[float, float, float]]) -> Battles:
    """The same games with other scores."""
    games = three.games.copy()
    for (one, other), value in scores.items():
        rows = (games["one"] == one) & (games["other"] == other) & (games["figure"] == "score")
        games.loc[rows, ["estimate", "low", "high"]] = value
    return replace(three, games=games)


def test_the_strongest_squad_and_whether_that_is_sure(three: Battles) -> None:
    set_language("en")
    pairs = [("line", "mirror"), ("line", "cleavers"), ("mirror", "cleavers")]
    clear = scored(three, dict(zip(pairs, [(0.6, 0.58, 0.62), (0.2, 0.18, 0.22), (0.1, 0.08, 0.12)], strict=True)))
    found = finding(clear)
    assert found is not None
    assert "DEMO Cleavers scores most: 85" in found.text
    assert found.more.startswith("Least: DEMO Mirror, 25")
    close = scored(three, dict(zip(pairs, [(0.5, 0.3, 0.7), (0.45, 0.3, 0.6), (0.5, 0.4, 0.6)], strict=True)))
    found = finding(close)
    assert found is not None
    assert found.more.startswith("Not surely more than DEMO Mirror.")


def test_one_pairing_is_told_as_such(two: Battles) -> None:
    set_language("en")
    for value, sure_of_it in (((0.6, 0.55, 0.65), True), ((0.52, 0.48, 0.56), False)):
        found = finding(scored(two, {("line", "mirror"): value}))
        assert found is not None
        assert found.text.startswith("DEMO Line against DEMO Mirror: score ")
        assert (found.more == "") == sure_of_it
