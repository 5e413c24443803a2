"""`replay`: the game told is the game that `battle` counts, in both seats; the first game that other cards turn; files,
forms and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot

import morsdei_sim
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import set_language
from morsdei_sim.rulesets.morsdei.game.chronicle_form import read_lines

ROOT = Path(__file__).resolve().parents[2]

YARD = """
name = "Yard"
name_ru = "Двор"
size = [15, 9]
loot = [[7.5, 4.5], [12, 5.5]]
zones = [[0, 0, 15, 3], [0, 6, 15, 9]]
[[piece]]
kind = "impassable"
box = [3, 3.5, 0.5, 2]
height = 3
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small board, quick to make ready."""
    path = tmp_path_factory.mktemp("boards") / "yard.toml"
    path.write_text(YARD, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def tough(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The squad `line`, its riflemen with 10 HP."""
    text = (ROOT / "profiles/morsdei/line.toml").read_text(encoding="utf-8")
    head, mark, rest = text.partition('id = "rifleman"')
    assert "hp = 8" in rest
    path = tmp_path_factory.mktemp("squads") / "tough.toml"
    path.write_text(head + mark + rest.replace("hp = 8", "hp = 10", 1), encoding="utf-8")
    return str(path)


def of_a(found: morsdei_sim.api.replay.Replay, log: list[dict[str, Any]] | None = None) -> tuple[int, int, int]:
    """Points of A (0 lost, 1 draw, 2 won), its VP and those of B. In odd games A plays side 1."""
    end = (found.log if log is None else log)[-1]
    if found.game & 1:
        return end["result"], end["vp"][1], end["vp"][0]
    return 2 - end["result"], end["vp"][0], end["vp"][1]


@pytest.mark.parametrize("bots", ["rusher", "looter,rusher"])
def test_the_games_told_are_the_games_counted(yard: str, bots: str) -> None:
    """Thirty games one by one come to what `battle` counts of them, to the last integer."""
    games = 30
    (counted,) = morsdei_sim.battle("line", "cleavers", board=yard, bots=bots, games=games, seed=5).to_dict()["boards"]
    told = [morsdei_sim.replay("line", "cleavers", board=yard, bots=bots, game=game, seed=5) for game in range(games)]
    points = [of_a(one) for one in told]
    assert {one[0] for one in points} >= {0, 2}, "games of one kind only prove little"
    assert len(set(points)) > 5
    assert counted["score"] == pytest.approx(sum(one[0] for one in points) / 2 / games)
    assert counted["vp_a"] == pytest.approx(sum(one[1] for one in points) / games)
    assert counted["vp_b"] == pytest.approx(sum(one[2] for one in points) / games)
    assert counted["rounds"] == pytest.approx(sum(one.log[-1]["round"] for one in told) / games)
    wiped = sum(one.to_dict()["wiped_out"] for one in told) / games
    assert counted["a_wiped_out"] + counted["b_wiped_out"] == pytest.approx(wiped)
    for one in told:
        squads = [side["squad"] for side in one.log[0]["sides"]]
        assert squads == (["cleavers", "line"] if one.game & 1 else ["line", "cleavers"])
        leads = [side["bot"] for side in one.log[0]["sides"]]
        assert leads[one.game & 1] == bots.split(",")[0]


def test_a_game_is_named_by_its_number_and_seed(yard: str) -> None:
    how: dict[str, Any] = {"board": yard, "bots": "rusher"}
    one = morsdei_sim.replay("line", "mirror", game=3, **how)
    assert one.log == morsdei_sim.replay("line", "mirror", game=3, **how).log
    assert one.log[1:] != morsdei_sim.replay("line", "mirror", game=5, **how).log[1:]
    assert one.log[1:] != morsdei_sim.replay("line", "mirror", game=3, seed=2, **how).log[1:]


def test_rules_reach_the_game(yard: str) -> None:
    found = morsdei_sim.replay("line", "mirror", board=yard, bots="rusher", rules={"rounds": 1})
    assert found.log[0]["rules"]["rounds"] == 1
    assert {event["round"] for event in found.log[1:]} == {0, 1}


# ── other cards ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_game_that_the_change_turned(yard: str, tough: str) -> None:
    """By telling every game with both squads: before the one found none ends better for A, and that one does."""
    how: dict[str, Any] = {"board": yard, "bots": "rusher"}
    start, turned = 0, []
    while len({game & 1 for game in turned}) < 2:  # in either seat of A
        found = morsdei_sim.replay("line", "mirror", instead=tough, game=start, **how)
        for game in range(start, found.game + 1):
            before = morsdei_sim.replay("line", "mirror", game=game, **how)
            after = morsdei_sim.replay(tough, "mirror", game=game, **how)
            assert (of_a(after)[0] > of_a(before)[0]) == (game == found.game)
        assert found.log == before.log
        assert found.changed == after.log
        start = found.game + 1
        turned.append(found.game)
    assert len(turned) >= 2


def test_two_games_are_told_together(yard: str, tough: str) -> None:
    found = morsdei_sim.replay("line", "mirror", board=yard, bots="rusher", instead=tough)
    assert found.changed is not None
    assert found.changed[0]["sides"][found.game & 1]["squad"] == tough
    assert str(found.game) in found.told
    assert found.told in str(found)
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["changed"] == {key: found.changed[-1][key] for key in ("result", "vp")} | {
        "wiped_out": bool(found.changed[-1]["wiped_out"])
    }
    first, told, second = found.text().partition(found.told)
    assert len(first) > 1000
    assert told
    assert len(second) > 1000
    assert found.told in found.page()


def test_cards_that_turn_nothing(yard: str) -> None:
    """The same cards under the same bots play the same games."""
    with pytest.raises(UserError, match="line in place of line turned none of 2000 games from number 7 on"):
        morsdei_sim.replay("line", "mirror", board=yard, bots="rusher", instead="line", game=7)


# ── forms and files ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_form(yard: str, lang: str) -> None:
    set_language(lang)
    found = morsdei_sim.replay("line", "mirror", board=yard, bots="rusher", game=2)
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (document["verb"], document["engine"], document["trials"], document["game"]) == ("replay", "sample", 1, 2)
    assert document["events"] == len(found.to_frame()) == len(found.log) - 1
    assert (document["vp"], document["path"]) == (found.log[-1]["vp"], None)
    assert "changed" not in document
    words = {"en": "Game 2: ", "ru": "Партия 2: "}
    assert str(found).startswith(words[lang])
    assert found._repr_html_().startswith("<iframe srcdoc=")
    assert "<script" not in found._repr_html_()  # escaped: it runs inside the frame only
    axes = found.plot()
    assert [line.get_label() for line in axes.get_lines()] == ["A: line", "B: mirror"]
    assert [line.get_ydata()[-1] for line in axes.get_lines()] == document["vp"]
    pyplot.close(axes.figure)


def test_files(yard: str, tmp_path: Path) -> None:
    how: dict[str, Any] = {"board": yard, "bots": "rusher"}
    for name in ("game.html", "game.jsonl", "game.txt"):
        found = morsdei_sim.replay("line", "mirror", out=tmp_path / name, **how)
        assert found.to_dict()["path"] == str(tmp_path / name)
        assert str(found).endswith(name)
    page, log, text = ((tmp_path / f"game.{kind}").read_text(encoding="utf-8") for kind in ("html", "jsonl", "txt"))
    assert page == found.page()
    assert text == found.text()
    assert read_lines(log) == found.log


def test_a_log_is_of_one_game(yard: str, tough: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="a log is of one game"):
        morsdei_sim.replay("line", "mirror", board=yard, bots="rusher", instead=tough, out=tmp_path / "two.jsonl")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"game": -1}, "game -1: games have the numbers 0 to 999999999"),
        ({"game": 10**9}, "games have the numbers"),
        ({"game": True}, "games have the numbers"),
        ({"board": "all"}, "of one board"),
        ({"board": "twin-yards,container-row"}, "of one board"),
        ({"board": "nosuch"}, 'no board "nosuch"'),
        ({"bots": "nosuch"}, "no bot 'nosuch'"),
        ({"bots": "random,random,random"}, "3 bots"),
        ({"rules": {"rounds": 99}}, "1 to 10"),
        ({"out": "game.gif"}, r"game.gif: the name must end in .html, .htm, .jsonl, .txt"),
        ({"out": "no/such/folder/game.html"}, "folder"),
        ({"ruleset": "moran"}, "The ruleset moran has no replay"),
    ],
)
def test_refusals(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        morsdei_sim.replay("line", "mirror", **wrong)


@pytest.mark.parametrize("words", [("nosuch", "line"), ("line", "nosuch")])
def test_unknown_squads(yard: str, words: tuple[str, str]) -> None:
    with pytest.raises((CardFaults, UserError), match='no squad "nosuch"'):
        morsdei_sim.replay(*words, board=yard, bots="rusher")
