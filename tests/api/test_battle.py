"""Whole games through the public calls: results, effects, intervals, rules, refusals; ladders; boards."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot

import morsdei_sim
from morsdei_sim.api.ladder import Cell, Ladder
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import set_language
from morsdei_sim.rulesets import room

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def found(yards: list[str]):
    return morsdei_sim.battle("line", "cleavers", board=yards[0], games=200, seed=3)


def fielded(tmp_path: Path, **change: float) -> str:
    """A squad file: the squad `mirror` with some numbers of its card changed."""
    text = (Path(__file__).parents[2] / "profiles/morsdei/mirror.toml").read_text(encoding="utf-8")
    for name, value in change.items():
        line = next(line for line in text.splitlines() if line.startswith(f"{name} ="))
        text = text.replace(line, f"{name} = {value}", 1)
    path = tmp_path / "changed.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_document_is_complete(found) -> None:
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (document["verb"], document["engine"], document["trials"], document["seed"]) == ("battle", "sample", 200, 3)
    assert document["squads"] == ["line", "cleavers"]
    (entry,) = document["boards"]
    assert (entry["board"], entry["symmetric"], entry["games"]) == ("yard", False, 200)
    assert entry["a_wins"] + entry["draws"] + entry["b_wins"] == pytest.approx(1)
    assert entry["score"] == pytest.approx(entry["a_wins"] + entry["draws"] / 2)
    assert entry["margin"] == pytest.approx(entry["vp_a"] - entry["vp_b"])
    for name, bounds in entry["interval"].items():
        if isinstance(bounds, dict):
            assert sum(entry[name].values()) == pytest.approx(1)
            assert set(bounds) == set(entry[name])
            assert all(low <= entry[name][value] <= high for value, (low, high) in bounds.items())
        else:
            assert bounds[0] <= entry[name] <= bounds[1]
            assert bounds[0] < bounds[1]
    mean = sum(int(value) * chance for value, chance in entry["margin_distribution"].items())
    assert mean == pytest.approx(entry["margin"])
    cards = entry["cards"]
    assert [(card["squad"], card["card"]) for card in cards] == [
        ("a", "sergeant"), ("a", "rifleman"), ("a", "marksman"), ("b", "brawler"), ("b", "chief")
    ]  # fmt: skip
    total = {
        (squad, figure): sum(card[figure] * card["count"] for card in cards if card["squad"] == squad)
        for squad in ("a", "b") for figure in ("damage", "taken", "friendly")
    }  # fmt: skip
    for one, other in (("a", "b"), ("b", "a")):
        assert total[one, "friendly"] > 0
        assert total[one, "damage"] == pytest.approx(total[other, "taken"] - total[other, "friendly"], rel=1e-12)
    assert {rule["rule"].split()[0] for rule in entry["rules_fired"]} >= {"L5", "H6", "V9"}


def test_jobs_change_nothing(yards: list[str], found) -> None:
    for jobs in (1, 2):
        again = morsdei_sim.battle("line", "cleavers", board=yards[0], games=200, seed=3, jobs=jobs)
        assert again.to_dict() == found.to_dict()
    other = morsdei_sim.battle("line", "cleavers", board=yards[0], games=200, seed=4)
    assert other.to_dict()["boards"] != found.to_dict()["boards"]


def test_swapped_squads_swap_the_result(yards: list[str], found) -> None:
    """The same pairs of games, seen from the other side."""
    (mine,) = found.to_dict()["boards"]
    (theirs,) = morsdei_sim.battle("cleavers", "line", board=yards[0], games=200, seed=3).to_dict()["boards"]
    for name, other in (("a_wins", "b_wins"), ("vp_a", "vp_b"), ("a_wiped_out", "b_wiped_out"), ("draws", "draws"),
                        ("first_player_score", "first_player_score"), ("zone_0_score", "zone_0_score")):  # fmt: skip
        assert mine[name] == pytest.approx(theirs[other]), name
    assert mine["score"] == pytest.approx(1 - theirs["score"])


def test_games_are_made_even(yards: list[str]) -> None:
    assert morsdei_sim.battle("line", "mirror", board=yards[0], games=5, bots="random").to_dict()["trials"] == 6


def test_it_stops_at_a_precision(yards: list[str]) -> None:
    seen: list[tuple[int, int]] = []
    found = morsdei_sim.battle(
        "line", "mirror", board=yards[0], target_error=0.04, progress=lambda *at: seen.append(at)
    )
    document = found.to_dict()
    low, high = document["boards"][0]["interval"]["score"]
    assert high - low <= 2 * 0.04 + 1e-12
    assert document["trials"] == seen[-1][0] == seen[-1][1]
    assert len({planned for _done, planned in seen}) > 1  # it looked more than once
    assert all(done <= planned for done, planned in seen)
    plain = morsdei_sim.battle("line", "mirror", board=yards[0], games=document["trials"])
    (entry,) = plain.to_dict()["boards"]
    assert entry["score"] == document["boards"][0]["score"]  # the same games
    narrow = entry["interval"]["score"]
    assert low < narrow[0] < narrow[1] < high  # the price of looking
    assert "± 4 %" in str(found)


def test_several_boards(yards: list[str], found) -> None:
    both = morsdei_sim.battle("line", "cleavers", board=yards, games=200, seed=3)
    entries = both.to_dict()["boards"]
    assert [entry["board"] for entry in entries] == ["yard", "court"]
    assert entries[0] == found.to_dict()["boards"][0]  # the same games as alone
    assert entries[1]["score"] != entries[0]["score"]
    text = str(both)
    assert "Yard" in text
    assert "mean of the boards" in text
    assert set(both.to_frame()["board"]) == {"yard", "court"}
    assert len(both.cards()) == 10
    pyplot.close(both.plot().figure)


def test_every_form(found) -> None:
    frame = found.to_frame().set_index("figure")
    assert frame.loc["score", "estimate"] == found.to_dict()["boards"][0]["score"]
    assert (frame["low"] < frame["high"]).all()
    axes = found.plot()
    assert len(axes.patches) == len(found.to_dict()["boards"][0]["margin_distribution"])
    pyplot.close(axes.figure)
    assert "<table>" in found._repr_html_()
    set_language("ru")
    text = str(found)
    assert "счёт A" in text
    assert "ДЕМО" in text
    assert "Двор" in text


def test_games_and_fighters_one_by_one(yards: list[str], found) -> None:
    """The games that were counted, on each board; what they come to is what the battle tells."""
    games, fighters = found.games(), found.fighters()
    (entry,), (_board, figures) = found.to_dict()["boards"], zip(*found.to_frame().groupby("board"), strict=True)
    told = figures[0].set_index("figure")["estimate"]
    assert (set(games["board"]), len(games), len(fighters)) == ({"yard"}, 200, 200 * 10)
    for name in ("vp_a", "margin", "rounds", "lead_changes", "luck_a", "luck_b"):
        assert games[name].mean() == pytest.approx(told[name], abs=1e-9), name
    wins = games["result"].map({"a": 1.0, "draw": 0.5, "b": 0.0})
    assert wins.mean() == pytest.approx(told["score"])
    for card in entry["cards"]:
        mine = fighters[(fighters["squad"] == card["squad"]) & (fighters["card"] == card["card"])]
        assert len(mine) == 200 * card["count"]
        for name in ("kills", "damage", "luck", "survived", "walked"):
            assert mine[name].mean() == pytest.approx(card[name], abs=1e-9), (card["card"], name)
    some = found.games(3, first=101)
    assert some.equals(games[101:104].reset_index(drop=True))
    two = morsdei_sim.battle("line", "cleavers", board=yards, bots="random", games=4)
    assert list(two.games()["board"]) == ["yard"] * 4 + ["court"] * 4
    with pytest.raises(UserError, match="whole number, 1 to 100000"):
        found.fighters(0)
    ends = fighters.merge(games[["game", "rounds"]], on="game", suffixes=("", "_played"))
    stood, cut = ends["survived"], ends["game"].map(games.set_index("game")["wiped_out"] != "")
    assert (ends["rounds"] == ends["rounds_played"])[stood].all()  # also where the last round was cut short
    assert (ends["rounds"] < ends["rounds_played"])[~stood].all()
    assert cut.mean() > 0.1 < (stood & cut).mean(), "victories over nobody prove nothing"


def test_a_single_game_is_the_one_that_is_told(yards: list[str], found) -> None:
    """The row of game 5 against its log: VP, rounds, who was removed."""
    row = found.games(1, first=5).iloc[0]
    fighters = found.fighters(1, first=5)
    log = morsdei_sim.replay("line", "cleavers", board=yards[0], seed=3, game=5).log
    over = log[-1]
    vp = over["vp"] if row["side_of_a"] == 0 else over["vp"][::-1]
    assert vp == [row["vp_a"], row["vp_b"]]
    assert over["round"] == row["rounds"]
    removed = sum(event["event"] == "removed" for event in log)
    assert removed == (~fighters["survived"]).sum()
    assert removed > 0
    assert (fighters.loc[~fighters["survived"], "hp"] == 0).all()


def test_cards_are_spread(found) -> None:
    """The frame, the document and the picture tell the same, and the means fit."""
    frame, cards = found.card_distributions(), found.to_dict()["boards"][0]["cards"]
    assert set(frame["figure"]) == {"kills", "damage"}
    for (_board, squad, card, figure), part in frame.groupby(["board", "squad", "card", "figure"]):
        (told,) = [one for one in cards if (one["squad"], one["card"]) == (squad, card)]
        assert told[f"{figure}_distribution"] == dict(zip(map(str, part["value"]), part["chance"], strict=True))
        bounds = told["interval"][f"{figure}_distribution"]
        assert list(bounds.values()) == part[["low", "high"]].to_numpy().tolist()
        assert (part["value"] * part["chance"]).sum() == pytest.approx(told[figure])
    for figure in ("damage", "kills"):
        drawn = found.plot_cards(figure)
        bars = [len(ax.patches) for ax in drawn.axes if ax.patches]
        assert bars == [len(one[f"{figure}_distribution"]) for one in cards]
        pyplot.close(drawn)
    with pytest.raises(UserError, match="damage or kills"):
        found.plot_cards("vp")


@pytest.fixture(scope="module")
def tough(tmp_path_factory: pytest.TempPathFactory) -> str:
    """`line` with two HP more for each rifleman."""
    text = (ROOT / "profiles" / "morsdei" / "line.toml").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("cards") / "tough.toml"
    path.write_text(re.sub(r"(?m)^hp = 8$", "hp = 10", text), encoding="utf-8")
    return str(path)


def test_other_cards_instead(yard: str, tough: str) -> None:
    """Both battles are those that `battle` plays; the difference is theirs, and its interval is made of pairs."""
    asked = {"board": yard, "games": 400, "seed": 3, "bots": "gunline"}
    found = morsdei_sim.battle("line", "cleavers", instead=tough, **asked)
    before, after = (morsdei_sim.battle(squad, "cleavers", **asked).to_dict() for squad in ("line", tough))
    told = found.to_dict()
    assert (told["before"], told["after"]) == (before["boards"], after["boards"])
    assert (told["squads"], told["instead"]) == (["line", "cleavers"], tough)
    (entry,), (one,), (other,) = told["boards"], before["boards"], after["boards"]
    for name in ("score", "margin"):
        assert entry[name] == pytest.approx(other[name] - one[name])
        low, high = entry["interval"][name]
        assert low < entry[name] < high
        apart = math.hypot(*(half for each in (one, other) for half in [np.diff(each["interval"][name])[0] / 2]))
        assert (high - low) / 2 < apart  # than of two separate runs
    assert entry["better"] > entry["worse"] > 0
    frame = found.to_frame()
    assert frame["difference"].tolist() == pytest.approx([entry["score"], entry["margin"]])
    assert "mirrored pairs" in str(found)
    assert "<table>" in found._repr_html_()
    pyplot.close(found.plot().figure)
    set_language("ru")
    assert "разница" in str(found)


def test_the_same_cards_instead_change_nothing(yard: str) -> None:
    """No difference, and yet an interval that is not nothing; and one or two threads tell the same."""
    for jobs in (1, 2):
        found = morsdei_sim.battle("line", "mirror", board=yard, games=200, bots="rusher", instead="line", jobs=jobs)
        (entry,) = found.to_dict()["boards"]
        assert [entry[name] for name in ("score", "margin", "better", "worse")] == [0, 0, 0, 0]
        assert entry["interval"]["score"][0] < 0 < entry["interval"]["score"][1]
    with pytest.raises(UserError, match="give a number of games"):
        morsdei_sim.battle("line", "mirror", instead="line", target_error=0.05)


def test_rules_of_the_game_change(yards: list[str]) -> None:
    def entry(**rules: int) -> dict:
        found = morsdei_sim.battle("line", "cleavers", board=yards[0], games=20, rules=rules)
        assert found.to_dict()["rules"] == rules
        return found.to_dict()["boards"][0]

    short = entry(rounds=1)
    assert short["rounds_distribution"] == {"1": 1.0}
    assert [short["rounds"], short["interval"]["rounds"][1]] == [1.0, 1.0], "there are no more"
    assert all(card["rounds"] <= card["interval"]["rounds"][1] <= 1.0 for card in short["cards"])
    assert entry(loot_vp=0)["vp_a"] == 0
    assert entry(rounds=6, most_vp=2)["vp_a"] <= 12
    far, near = entry(), entry(pistol_range=1)
    pistols = [sum(card["shots"] for card in found["cards"] if card["squad"] == "b") for found in (far, near)]
    assert pistols[1] < pistols[0] / 2


def test_a_fighter_may_be_named_alone(yards: list[str]) -> None:
    found = morsdei_sim.battle("line/sergeant+rifleman+rifleman", "mirror", board=yards[0], games=2, bots="random")
    cards = found.to_dict()["boards"][0]["cards"]
    assert [(card["card"], card["count"]) for card in cards if card["squad"] == "a"] == [
        ("sergeant", 1), ("rifleman", 2)
    ]  # fmt: skip
    assert "DEMO Line: sergeant+rifleman+rifleman" in str(found)


def test_loot_that_nobody_can_take_is_told(yards: list[str], tmp_path: Path, found) -> None:
    text = Path(yards[0]).read_text(encoding="utf-8").replace('name = "Yard"', 'name = "Rock"')
    (tmp_path / "rock.toml").write_text(
        text + '[[piece]]\nkind = "impassable"\nbox = [6, 3.2, 7.5, 2.6]\nheight = 3\n', encoding="utf-8"
    )
    rock = morsdei_sim.battle("line", "cleavers", board=str(tmp_path / "rock.toml"), bots="random", games=2)
    said = "Rock: there is no place from which loot point 1 can be looted."
    assert said in rock.notes
    assert said in str(rock)
    assert found.notes == [note for note in found.notes if "looted" not in note]
    boards = morsdei_sim.boards([str(tmp_path / "rock.toml"), yards[0]])
    assert (boards.notes, list(boards.to_frame()["loot_barred"])) == ([said], [1, 0])
    assert said in str(boards)
    assert said in boards._repr_html_()


def test_a_board_that_lets_the_zones_shoot_at_each_other_is_told(yards: list[str], found) -> None:
    (said,) = [note for note in found.notes if "G2" in note]
    assert said.startswith("Yard: the board breaks rule G2, ")
    assert "lines of fire between the zones are free, such as from (" in said
    safe = morsdei_sim.battle("line", "cleavers", board="twin-yards", bots="random", games=2)
    assert not [note for note in safe.notes if "G2" in note]


def test_a_long_move_is_not_cut(tmp_path: Path, yards: list[str]) -> None:
    """A Move of 12 inches on a board 15 wide: longer than what boards are made for unless asked."""
    slow = morsdei_sim.battle("mirror", "mirror", board=yards[0], games=40, bots="random")
    fast = morsdei_sim.battle(fielded(tmp_path, move=12.0), "mirror", board=yards[0], games=40, bots="random")
    per_move = [one.cards().loc[0, "walked"] / one.cards().loc[0, "moves"] for one in (slow, fast)]
    assert per_move[1] > 1.3 * per_move[0]
    from morsdei_sim.rulesets.morsdei.game import setting
    from morsdei_sim.rulesets.morsdei.game.boards import board
    from morsdei_sim.rulesets.morsdei.rules import PRINTED

    ready = setting.ready(board(yards[0]), [setting.crew(str(tmp_path / "changed.toml"), PRINTED)], PRINTED)
    ways = ready.ways[0]
    start = int(np.argmin(np.hypot(ready.where.x - 1, ready.where.y - 1.5)))
    reached = ways.near[ways.near_first[start] : ways.near_first[start + 1]]
    assert ways.length[start, reached].max() > 11_000


LOTTERY = """
squad = "{name}"
[[fighter]]
id = "one"
name = "One"
move = 5
defence = {defence}
hp = 12
[[fighter.weapon]]
name = "gun"
type = "ranged"
dice = {dice}
hit = 6
damage = {damage}
"""


@pytest.mark.parametrize("games", [2, 200])
def test_an_interval_of_hp_is_as_long_as_that_of_the_hits(tmp_path: Path, yards: list[str], games: int) -> None:
    """Each hit takes 12 HP and a life: HP lost are 12 times the kills, seen from either side, with their intervals;
    also where none was seen (2 games)."""
    for name, dice, defence, damage in (("gambler", 1, 0, 12), ("fat", 0, 5, 0)):
        text = LOTTERY.format(name=name, dice=dice, defence=defence, damage=damage)
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    squads = [str(tmp_path / f"{name}.toml") for name in ("gambler", "fat")]
    found = morsdei_sim.battle(*squads, board=yards[0], bots="gunline", games=games, seed=2)
    gambler, fat = found.to_dict()["boards"][0]["cards"]
    assert (gambler["kills"] > 0) == (games > 2)
    low, high = gambler["interval"]["kills"]
    for card, figure in ((gambler, "damage"), (fat, "taken")):
        assert card[figure] == pytest.approx(12 * gambler["kills"])
        assert card["interval"][figure] == pytest.approx([12 * low, 12 * high])
    assert gambler["interval"]["friendly"] == pytest.approx([0, 12 * fat["interval"]["kills"][1]])  # nobody to hit


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"count": 14, "base": 32}, "14 fighters: a deployment zone of this board may run out of places, .*; [5-9] of"),
        ({"count": 1, "base": 100}, "no place where a base of the squad can stand"),
        ({"count": 17}, "17 fighters; a battle takes 1 to 16"),
        ({"move": 70.0}, "a Move of 70 inches; a battle takes at most 65"),
    ],
)
def test_squads_that_cannot_play(tmp_path: Path, yards: list[str], change: dict[str, float], said: str) -> None:
    with pytest.raises(UserError, match=said):
        morsdei_sim.battle(fielded(tmp_path, **change), "mirror", board=yards[0], games=2)


def test_too_many_base_sizes(tmp_path: Path, yards: list[str]) -> None:
    text = Path(fielded(tmp_path, base=25, count=1)).read_text(encoding="utf-8")
    start = text.index("[[fighter]]")
    more = [text[start:].replace('"standard"', f'"s{base}"').replace("base = 25", f"base = {base}")
            for base in (28, 40, 50, 60)]  # fmt: skip
    path = tmp_path / "many.toml"
    path.write_text("\n".join([text, *more]), encoding="utf-8")
    with pytest.raises(UserError, match="bases of 5 sizes"):
        morsdei_sim.battle(str(path), str(path), board=yards[0], games=2)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"board": "nowhere"}, 'no board "nowhere"'),
        ({"bots": "nobody"}, "no bot 'nobody'"),
        ({"bots": "random,random,random"}, "3 bots"),
        ({"rules": {"rounds": 8}}, "rounds = 8: must be 1 to 7"),
        ({"rules": {"roundz": 1}}, "did you mean rounds"),
        ({"games": 0}, "0 games"),
        ({"games": 2 * 10**9}, "2000000000 games"),
        ({"games": 10, "target_error": 0.1}, "not both"),
        ({"games": None, "target_error": 0.0}, "0.0 is not a share"),
        ({"jobs": 0}, "jobs = 0: must be a whole number of at least 1"),
        ({"ruleset": "club"}, "The ruleset club has no battle. Rulesets that have it: morsdei"),
        ({"ruleset": "chess"}, "There is no ruleset 'chess'"),
    ],
)
def test_mistakes_are_explained(options: dict, said: str, yards: list[str]) -> None:
    with pytest.raises(UserError, match=said):
        morsdei_sim.battle("line", "mirror", **({"board": yards[0], "games": 2} | options))


@pytest.mark.parametrize("kind", ["impassable", "low"])
def test_a_board_without_a_place_to_stand(tmp_path: Path, kind: str) -> None:
    """One piece of terrain all over it, water for instance."""
    path = tmp_path / "full.toml"
    path.write_text(f'name = "Lake"\n[[piece]]\nkind = "{kind}"\nbox = [0, 0, 30, 22]\nheight = 1\n', encoding="utf-8")
    for asked in (lambda: morsdei_sim.boards(str(path)), lambda: morsdei_sim.battle("line", "mirror", board=str(path))):
        with pytest.raises(UserError, match="Lake: there is no place where a base of 32 mm can stand"):
            asked()


def test_two_bots_of_one_name_are_refused(tmp_path: Path, yards: list[str]) -> None:
    """Whatever is told of one would be told of the other; the same bot for both squads is none of it."""
    files = []
    for number in (1, 2):
        (tmp_path / f"{number}.toml").write_text(f'name = "Mine"\nplays = "random"\nprone_price = {number}\n')
        files.append(str(tmp_path / f"{number}.toml"))
    with pytest.raises(UserError, match='two different bots are called "Mine"'):
        morsdei_sim.battle("line", "mirror", board=yards[0], bots=files, games=2)
    with pytest.raises(UserError, match='two different bots are called "Mine"'):
        morsdei_sim.ladder("line", boards=yards[0], bots=[*files, "random"], games=2)
    same = morsdei_sim.battle("line", "line", board=yards[0], bots=files[:1] * 2, games=2)
    assert any("Both sides are the same" in note for note in same.notes)


def test_unknown_squads(yards: list[str]) -> None:
    with pytest.raises(CardFaults, match="no squad"):
        morsdei_sim.battle("lime", "mirror", board=yards[0])
    with pytest.raises(CardFaults, match="holds no card"):
        morsdei_sim.battle("line/nobody", "mirror", board=yards[0])


# ── ladder ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_ladder(yards: list[str]) -> None:
    found = morsdei_sim.ladder("line", "cleavers", boards=yards, bots="random,tactician", games=40, jobs=2)
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    (row,) = document["rows"]
    assert document["trials"] == row["games"] == 40 * 2 * 2  # boards, squads
    assert [step["bot"] for step in document["order"]] == ["tactician", "random"]
    assert document["order"][0]["surely_above_next"] is True
    assert document["order"][1]["surely_above_next"] is None
    assert found.score("random", "tactician")[0] == pytest.approx(row["score"])
    assert found.score("tactician", "random")[0] == pytest.approx(1 - row["score"])
    assert found.mean("tactician")[0] == pytest.approx(1 - row["score"])
    again = morsdei_sim.ladder("line", "cleavers", boards=yards, bots="random,tactician", games=40, jobs=1)
    assert again.to_dict() == document
    assert len(found.to_frame()) == 2
    assert "tactician" in str(found)
    assert "<table>" in found._repr_html_()
    pyplot.close(found.plot().figure)


def made(*scores: tuple[str, str, float], error: float = 0.01) -> Ladder:
    """A ladder of given scores, each known to a standard error."""
    cells = tuple(Cell(one, other, score, error**2, 1000, 2000, 0) for one, other, score in scores)
    names = list(dict.fromkeys(name for cell in cells for name in (cell.one, cell.other)))
    draft = Ladder(tuple(names), cells, ("x",), ("y",), 1, {}, room("morsdei"))
    order = sorted(names, key=lambda bot: -draft.mean(bot)[0])
    return Ladder(tuple(order), cells, ("x",), ("y",), 1, {}, room("morsdei"))


def test_means_and_differences_by_hand() -> None:
    found = made(("a", "b", 0.6), ("a", "c", 0.7), ("b", "c", 0.4))
    assert found.mean("a")[0] == pytest.approx(0.65)
    assert found.mean("b")[0] == pytest.approx(0.4)
    assert found.mean("c")[0] == pytest.approx(0.45)
    value, error = found.difference("a", "b")
    assert value == pytest.approx(0.25)
    # a - b = (2 ab - 1 + ac - bc) / 2
    assert error == pytest.approx(0.01 * np.sqrt(4 + 1 + 1) / 2)
    low, high = found.mean("a")[1:]
    assert (high - low) / 2 == pytest.approx(1.96 * 0.01 / np.sqrt(2), rel=0.01)


def test_an_order_that_is_not_certain_says_so() -> None:
    sure = made(("a", "b", 0.8), ("a", "c", 0.8), ("b", "c", 0.8))
    assert sure.bots == ("a", "b", "c")
    assert (sure.certain, sure.notes) == ([True, True], [])
    close = made(("a", "b", 0.505), ("a", "c", 0.8), ("b", "c", 0.8))
    assert close.certain == [False, True]
    assert close.notes == ["Not certain: a above b; more games would tell."]
    cycle = made(("a", "b", 0.4), ("a", "c", 0.9), ("b", "c", 0.6))
    assert cycle.bots[0] == "a"
    assert any("b stands below a and yet beats it" in note for note in cycle.notes)


def test_a_ladder_takes_two() -> None:
    with pytest.raises(UserError, match="at least two bots"):
        morsdei_sim.ladder("line", bots="random,random")


# ── boards ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_all_boards_are_listed() -> None:
    frame = morsdei_sim.boards().to_frame().set_index("board")
    assert list(frame.index) == sorted(frame.index)
    assert frame.loc["twin-yards", "symmetric"]
    assert not frame.loc["pump-house", "symmetric"]
    assert (frame["fire_lines"] == 0).all()  # G2
    assert (frame["places"] > 1000).all()
    assert frame.loc["pump-house", "levels"] > frame.loc["open-basin", "levels"]


def test_a_board_is_drawn(yards: list[str], tmp_path: Path) -> None:
    found = morsdei_sim.boards(yards[0])
    lines = str(found).splitlines()
    picture = [line for line in lines if len(line) == 30 and set(line) <= set(".:#$")]
    assert len(picture) == 9
    assert picture[0] == picture[-1] == ":" * 30
    wall = [(row, column) for row, line in enumerate(picture) for column, mark in enumerate(line) if mark == "#"]
    assert wall == [(4, 6), (5, 6)]  # from y 3.5 to 5.5: over the middles 4.5 and 3.5, its lower edge
    assert sum(line.count("$") for line in picture) == 2
    assert "# wall" in str(found)
    for kind, head in ((".svg", b"<?xml"), (".png", b"\x89PNG")):
        found.save(tmp_path / f"yard{kind}")
        assert (tmp_path / f"yard{kind}").read_bytes().startswith(head)
    with pytest.raises(UserError, match="already exists"):
        found.save(tmp_path / "yard.svg")
    with pytest.raises(UserError, match=r"must end in \.svg"):
        found.save(tmp_path / "yard.gif")
    with pytest.raises(UserError, match="one board"):
        morsdei_sim.boards(yards).save(tmp_path / "two.svg")
    assert found.to_dict()["boards"][0]["pieces"][0]["top"] == 3
    open_sight = found.to_frame().loc[0]
    assert open_sight["fire_lines"] > 0
    assert "are free" in str(found)
