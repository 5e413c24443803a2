"""`replay`: the game told is the game that `battle` counts, in both seats; the first game that other cards turn; files,
forms and refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from markupsafe import escape
from matplotlib import pyplot

import morsdei_sim
from morsdei_sim.api.replay import Replay
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import set_language
from morsdei_sim.rulesets.morsdei.game import boards, setting
from morsdei_sim.rulesets.morsdei.game.bots import BOTS
from morsdei_sim.rulesets.morsdei.game.chronicle_form import read_lines
from morsdei_sim.rulesets.morsdei.game.frames import games_frame
from morsdei_sim.rulesets.morsdei.game.series import Series

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tough(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The squad `line`, its riflemen with 10 HP."""
    text = (ROOT / "profiles/morsdei/line.toml").read_text(encoding="utf-8")
    head, mark, rest = text.partition('id = "rifleman"')
    assert "hp = 8" in rest
    path = tmp_path_factory.mktemp("squads") / "tough.toml"
    path.write_text(head + mark + rest.replace("hp = 8", "hp = 10", 1), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def game(yard: str) -> Replay:
    """One game, told; of mirrored games an odd one, in which A plays side 1."""
    return morsdei_sim.replay("line", "mirror", board=yard, bots="looter,cautious", game=3, seed=5)


def one_by_one(squad: str, other: str, place: str, bots: str, games: int, seed: int) -> pd.DataFrame:
    """What came of each game, seen from A, by `frames.games_frame`: it plays them without telling."""
    book, _numbers = setting.game_rules({})
    crews = [setting.crew(name, book) for name in (squad, other)]
    ready = setting.ready(boards.board(place), crews, book)
    cards = [crew.cards for crew in crews]
    return games_frame(Series(ready, cards, setting.players(bots.split(",")), seed=seed, rules=book), games)


def test_the_games_told_are_the_games_counted(yard: str, game: Replay) -> None:
    """Game by game, in both seats; and those games are the ones that `battle` counts."""
    games, bots = 40, "looter,cautious"
    frame = one_by_one("line", "mirror", yard, bots, games, 5)
    assert (frame["result"] == "a").sum() > 5 < (frame["result"] == "b").sum(), "games of one kind only prove little"
    assert set(frame["wiped_out"]) == {"a", "b", ""}
    (counted,) = morsdei_sim.battle("line", "mirror", board=yard, bots=bots, games=games, seed=5).to_dict()["boards"]
    for figure in ("vp_a", "vp_b", "rounds", "lead_changes", "decisions"):
        assert counted[figure] == pytest.approx(frame[figure].mean()), figure
    assert counted["a_wins"] == pytest.approx((frame["result"] == "a").mean())
    assert counted["draws"] == pytest.approx((frame["result"] == "draw").mean())
    for number in range(8):  # both victories of both squads
        told = morsdei_sim.replay("line", "mirror", board=yard, bots=bots, game=number, seed=5)
        row, end, side = frame.loc[number], told.log[-1], number & 1
        assert end["vp"] == [row["vp_a"], row["vp_b"]][:: -1 if side else 1]
        assert (end["round"], bool(end["wiped_out"])) == (row["rounds"], bool(row["wiped_out"]))
        assert end["result"] == {"a": 2 * side, "draw": 1, "b": 2 - 2 * side}[row["result"]]
        entries = [(entry["squad"], entry["bot"]) for entry in told.log[0]["sides"]]
        assert entries[side] == ("line", "looter")
        assert entries[1 - side] == ("mirror", "cautious")
        if number == game.game:
            assert told.log == game.log
        shown = told.to_dict()  # A first, whatever seat it has
        assert shown["vp"] == [row["vp_a"], row["vp_b"]]
        assert shown["result"] == {"a": 0, "draw": 1, "b": 2}[row["result"]]
        assert (shown["squads"], shown["bots"]) == (["line", "mirror"], ["looter", "cautious"])
        if row["result"] != "draw":
            winner = {"a": "DEMO Line (A)", "b": "DEMO Mirror (B)"}[row["result"]]
            assert (f"full victory of {winner}" if row["wiped_out"] else f"{winner} wins") in str(told)


def test_a_is_the_squad_named_first_in_both_seats(yard: str, tough: str) -> None:
    """Page, sentences and curve say A of its fighters, VP and victory; on the same dice A of game 2 is B of a game 3 of
    the squads the other way round, and everything else that is said is the same."""
    how: dict[str, Any] = {"board": yard, "bots": "cautious", "seed": 5}
    one = morsdei_sim.replay("line", "mirror", game=2, **how)
    other = morsdei_sim.replay("mirror", "line", game=3, **how)
    assert one.log[1:] == other.log[1:]
    swapped = re.sub(r"\b[AB](?=\d?\b)", lambda found: "BA"[found[0] == "B"], other.text())
    for text in (one.text(), other.text()):
        assert [line[0] for line in re.findall(r"^[AB]\d .*: APL", text, re.MULTILINE)] == ["A"] * 5 + ["B"] * 5
    events = [text.partition("Preparation")[2] for text in (one.text(), swapped)]
    told = [re.sub(r"(VP |[(,] ?)(\d+)( to |–)(\d+)", r"\1", text) for text in events]  # pairs stand A first
    assert told[0] == told[1]
    data = json.loads(other.page().partition('id="data">')[2].partition("</script>")[0])
    (shown,) = data["logs"]
    assert [side["name"] for side in shown[0]["sides"]] == ["DEMO Mirror", "DEMO Line"]
    by_tag = {tag: fighter["card"] for tag, fighter in zip(shown[0]["tags"], shown[0]["fighters"], strict=True)}
    assert by_tag["B1"] == one.log[0]["fighters"][0]["card"]
    assert shown[-1]["vp"] == one.log[-1]["vp"][::-1]
    rolls = [event["rolls"] for event in shown if event.get("event") in ("zones", "starts")]
    assert rolls == [[pair[::-1] for pair in event["rolls"]] for event in one.log if "winner" in event]


@pytest.mark.parametrize("bot", BOTS)
def test_mirrored_games_of_a_squad_against_itself_are_one_game(yard: str, bot: str) -> None:
    """The seats swapped on the same dice: event for event the same, so that any number of them score one half."""
    squad, alike = "line/sergeant+rifleman+rifleman+marksman", {"board": yard, "bots": bot, "seed": 3}
    for game in (0, 2):
        one, other = (morsdei_sim.replay(squad, squad, game=number, **alike)
                      for number in (game, game + 1))  # fmt: skip
        assert one.log[1:] == other.log[1:]
        assert one.to_dict()["vp"] == other.to_dict()["vp"][::-1]
        assert len(one.log) > 20


def test_seed_and_rules_reach_the_game(yard: str, game: Replay) -> None:
    how: dict[str, Any] = {"board": yard, "bots": "looter,cautious", "game": 3}
    other = morsdei_sim.replay("line", "mirror", seed=6, rules={"rounds": 1}, **how)
    assert other.log[0]["rules"]["rounds"] == 1
    assert {event["round"] for event in other.log[1:]} == {0, 1}
    assert [event for event in other.log if event["event"] == "set-up"] != [
        event for event in game.log if event["event"] == "set-up"
    ]


# ── other cards ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_game_that_the_change_turned(yard: str, tough: str) -> None:
    """Of games played one by one with both squads it is the first that ends better for A, whichever seat A has."""
    worth = {"a": 2, "draw": 1, "b": 0}
    before, after = (
        one_by_one(squad, "mirror", yard, "cautious", 200, 1)["result"].map(worth) for squad in ("line", tough)
    )
    better = [int(number) for number in after.index[after > before]]
    assert better, "the change turns a game"
    assert (after < before).any(), "and another one against A: which way it counts can be seen"
    odd = next(number for number in better if number & 1)
    even = next(number for number in better if not number & 1)
    for wanted in (odd, even):
        start = max([0, *(number + 1 for number in better if number < wanted)])
        found = morsdei_sim.replay("line", "mirror", board=yard, bots="cautious", instead=tough, game=start)
        assert found.game == wanted
        ends = [log[-1]["result"] for log in (found.log, found.changed or [])]
        points = [end if wanted & 1 else 2 - end for end in ends]
        assert points == [before[wanted], after[wanted]]
        assert found.changed is not None
        assert found.changed[0]["sides"][wanted & 1]["squad"] == tough


def test_two_games_are_told_together(yard: str, tough: str) -> None:
    found = morsdei_sim.replay("line", "mirror", board=yard, bots="rusher", instead=tough)
    assert found.changed is not None
    assert f"game {found.game} " in found.told
    assert found.told in str(found)
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    end, odd = found.changed[-1], found.game & 1
    assert document["changed"] == {
        "result": 2 - end["result"] if odd else end["result"],
        "wiped_out": bool(end["wiped_out"]),
        "vp": end["vp"][:: -1 if odd else 1],
    }
    first, told, second = found.text().partition(found.told)
    assert min(len(first), len(second)) > 1000
    assert told
    assert str(escape(found.told)) in found.page()


def test_cards_that_turn_nothing(yard: str) -> None:
    """The same cards under the same bots play the same games."""
    with pytest.raises(UserError, match="line in place of line turned none of 2000 games from number 7 on"):
        morsdei_sim.replay("line", "mirror", board=yard, bots="rusher", instead="line", game=7)


# ── forms and files ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_form(game: Replay, lang: str) -> None:
    set_language(lang)
    document = json.loads(json.dumps(game.to_dict(), allow_nan=False))
    assert (document["verb"], document["engine"], document["trials"], document["game"]) == ("replay", "sample", 1, 3)
    assert document["events"] == len(game.to_frame()) == len(game.log) - 1
    assert (document["vp"], document["path"]) == (game.log[-1]["vp"][::-1], None)  # A has seat 1 in odd games
    assert "changed" not in document
    assert str(game).startswith({"en": "Game 3: ", "ru": "Партия 3: "}[lang])
    assert game._repr_html_().startswith("<iframe srcdoc=")
    assert "<script" not in game._repr_html_()  # escaped: it runs inside the frame only
    axes = game.plot()
    assert [line.get_label() for line in axes.get_lines()] == {
        "en": ["A: DEMO Line", "B: DEMO Mirror"], "ru": ["A: ДЕМО Линия", "B: ДЕМО Зеркало"],
    }[lang]  # fmt: skip
    assert [list(line.get_ydata())[-1] for line in axes.get_lines()] == document["vp"]
    pyplot.close(axes.figure)


@pytest.mark.parametrize("kind", ["html", "jsonl", "txt"])
def test_files(yard: str, game: Replay, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"game.{kind}"
    found = morsdei_sim.replay("line", "mirror", board=yard, bots="looter,cautious", game=3, seed=5, out=path)
    assert found.to_dict()["path"] == str(path)
    assert str(found).endswith(str(path))
    content = path.read_text(encoding="utf-8")
    if kind == "jsonl":
        assert read_lines(content) == game.log
    else:
        assert content == (game.page() if kind == "html" else game.text())


@pytest.mark.parametrize("board", ["yard", "nosuch"])
def test_a_log_is_of_one_game(yard: str, tough: str, tmp_path: Path, board: str) -> None:
    """Told before anything is read or played: also before an unknown board."""
    place = yard if board == "yard" else board
    with pytest.raises(UserError, match="a log is of one game"):
        morsdei_sim.replay("line", "mirror", board=place, bots="rusher", instead=tough, out=tmp_path / "two.jsonl")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"game": -1}, "game -1: games have the numbers 0 to 999999999"),
        ({"game": 10**9}, "games have the numbers"),
        ({"game": True}, "game = True: must be a whole number"),
        ({"board": "all"}, "of one board"),
        ({"board": "twin-yards,container-row"}, "of one board"),
        ({"board": "nosuch"}, 'no board "nosuch"'),
        ({"bots": "nosuch"}, "no bot 'nosuch'"),
        ({"bots": "random,random,random"}, "3 bots"),
        ({"rules": {"rounds": 99}}, "1 to 7"),
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
