"""Bots as data, bots of users, and the page that says how to write one."""

from __future__ import annotations

import linecache
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_board import block, open_board

from morsdei_sim import bot
from morsdei_sim._jit import cache_folder
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import set_language
from morsdei_sim.rulesets.morsdei.game import events as ev
from morsdei_sim.rulesets.morsdei.game import setting
from morsdei_sim.rulesets.morsdei.game.bots import AHEAD, BOTS, LIKE, PLAYS, own, player, toolkit
from morsdei_sim.rulesets.morsdei.game.bots.weigh import Weights
from morsdei_sim.rulesets.morsdei.game.prepared import prepare
from morsdei_sim.rulesets.morsdei.game.series import Series, play
from morsdei_sim.rulesets.morsdei.game.summary import spread_of
from morsdei_sim.rulesets.morsdei.game.world import new_state
from morsdei_sim.rulesets.morsdei.game.worlds import new_world
from morsdei_sim.rulesets.morsdei.policies import STYLES
from morsdei_sim.rulesets.morsdei.rules import PRINTED

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "profiles" / "morsdei" / "bots").glob("*.toml"))
PAGE = ROOT / "docs" / "writing-a-bot.md"

YARD = open_board(
    15, 9, (block("impassable", 3, 3.5, 0.5, 2), block("low", 9, 4, 3, 0.5, 0.7)), loot=((7.5, 4.5), (12.0, 5.5)),
    zones=((0.0, 0.0, 15.0, 3.0), (0.0, 6.0, 15.0, 9.0)),
)  # fmt: skip


@pytest.fixture(scope="module")
def ready():
    return prepare(YARD, (28.0, 32.0), keep=False)


@pytest.fixture(scope="module")
def cards():
    return [setting.crew(name, PRINTED).cards for name in ("cleavers", "scavengers")]


def written(text: str, where: str = "<a cell>"):
    """What a cell of a notebook defines under the name `mine`, with the toolkit at hand."""
    names = {"bot": bot, **{name: getattr(toolkit, name) for name in toolkit.__all__}}
    exec(compile(text, where, "exec"), names)
    return names["mine"]


def saved(folder: Path, text: str) -> str:
    path = folder / "my.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_bot_is_a_file_and_every_file_a_bot() -> None:
    assert sorted(BOTS) == [path.stem for path in FILES]
    assert BOTS[: len(PLAYS)] == tuple(PLAYS)
    for path in FILES:
        one = player(path.stem)
        assert one == player(str(path)) == player(f" {path.stem.upper()} ")
        assert one.name == path.stem
        assert re.search("[а-я]", one.name_ru), path
        set_language("ru")
        assert one.label() == one.name_ru
        set_language("en")
        assert one.label() == one.name
        assert len(one.weights) == len(Weights._fields)
        assert player(one) is one


def test_each_file_plays_its_function() -> None:
    for name, function in PLAYS.items():
        assert player(name).bot is function
        assert player(name).supposes is (PLAYS[AHEAD[name]] if name in AHEAD else None)
    assert player("searcher").weights == player("tactician").weights
    assert len({player(name).weights for name in PLAYS}) == len(PLAYS) - 1


def test_a_file_says_what_every_weight_of_it_means() -> None:
    """Each weight stands under a line of English and a line of Russian."""
    shown = 0
    for path in FILES:
        lines = path.read_text(encoding="utf-8").partition("[weights]")[2].splitlines()
        for number, line in enumerate(lines):
            if re.match(r"\w+ = ", line):
                english, russian = lines[number - 2 : number]
                assert re.match("# [^а-я]*[a-zA-Z][^а-я]*$", english), (path, line)
                assert re.match("# .*[а-я]{3}", russian), (path, line)
                shown += 1
    assert shown > 50


def test_numbers_of_a_file_reach_the_battle(ready, cards, tmp_path: Path) -> None:
    text = 'plays = "gunline"\nprone_price = "never"\nhabit = "parry-first"\n[weights]\nvp = 31\nclose = -2.5\n'
    mine, usual = player(saved(tmp_path, text)), player("gunline")
    assert (mine.name, mine.bot, mine.prone_price) == ("my", PLAYS["gunline"], math.inf)
    changed = Weights(*usual.weights)._replace(vp=31.0, close=-2.5)
    assert mine.weights == tuple(changed) != usual.weights
    world = new_world(ready, cards, [mine, player("tactician")])
    assert world.records["weights"][0, 0, : len(changed)].tolist() == list(changed)
    assert world.records["habits"][0].tolist() == [STYLES["parry-first"], STYLES["lowest-sufficient-parry"]]
    plan, half = world.arrays["prone_plan"], len(cards[0])
    assert not plan[:, :half].any()
    assert plan[:, half:].any()


def test_what_is_left_out_is_as_in_the_bot_that_it_plays(tmp_path: Path) -> None:
    for name in BOTS:
        mine, usual = player(saved(tmp_path, f'plays = "{name}"')), player(name)
        assert (mine.weights, mine.prone_price, mine.habit, mine.bot, mine.supposes) == (
            usual.weights, usual.prone_price, usual.habit, usual.bot, usual.supposes,
        )  # fmt: skip


def test_other_weights_play_otherwise(ready, cards, tmp_path: Path) -> None:
    """Fighters to whom nothing is worth anything but to stay out of sight score less: 40 games on the same dice."""
    mine = saved(tmp_path, 'plays = "tactician"\n[weights]\nvp = -5\nhold = 0\nnearer = -1\nkill = 0\nthreat = 9\n')
    shy, usual = (play(ready, cards, [player(one), player("gunline")], games=40) for one in (mine, "tactician"))
    assert shy.score < usual.score


BAD = """name = "a\\u0007b"
plays = "tactican"
prone_price = "nevr"
habit = "parry"
wieghts = 1

[weights]
vp = nan
kil = 3
kill = inf
hurt = "much"
die = true
threat = 1e7
nearer = -1000001
stride = 0
walk = 100000000000000000000000000000000000000000
"""


def test_who_begins_and_where_is_the_bots_choice(ready, cards) -> None:
    """J3: below 0 the enemy of the winner of the roll-off begins, else the winner, always. J1: zones are drawn, 400
    games: a fair coin at 4 sigma, false alarm one in 16,000 for each bot."""
    for name in ("gunline", "tactician"):
        for begin, games in ((-1.0, 400), (0.0, 20), (1.0, 20)):
            weights = Weights(*player(name).weights)._replace(begin=begin)
            one = Series(ready, cards, [replace(player(name), weights=weights)] * 2, seed=5, alternate=False)
            logs = [one.one(game, 40).arrays["log"] for game in range(games)]
            starts = [log[log[:, 0] == ev.STARTS][0] for log in logs]
            assert all((row[3] == row[4]) == (begin >= 0) for row in starts)
            zones = sum(int(log[log[:, 0] == ev.ZONES][0, 4]) for log in logs)
            assert abs(zones - games / 2) <= 2 * math.sqrt(games)


BACKWARDS = """@bot
def mine(world, state, hook, who):
    if hook == NEXT:
        many = left_to_set_up(world, state, who, table(state, "options"))
        return table(state, "options")[many - 1, 0]
    return tactician(world, state, hook, who)
"""


def test_who_is_set_up_next_is_asked(ready, cards) -> None:
    """J2: a bot that names the last of those left sets its squad up from behind; the random one in any order, each
    fighter first in 60 games at least once."""
    backwards = written(BACKWARDS)
    for leader, games in ((backwards, 2), (player("random"), 60)):
        one = Series(ready, cards, [leader] * 2, seed=5, alternate=False)
        sides = one.world.arrays["men"]["side"]
        firsts = set()
        for game in range(games):
            log = one.one(game, 40).arrays["log"]
            order = log[log[:, 0] == ev.SET_UP, 2]
            assert sorted(order) == list(range(len(sides)))
            firsts.add(order[0])
            if leader is backwards:
                assert all(list(order[sides[order] == side]) == sorted(np.flatnonzero(sides == side))[::-1]
                           for side in (0, 1))  # fmt: skip
        assert leader is backwards or firsts == set(range(len(sides)))


def test_all_faults_of_a_file_at_once(tmp_path: Path) -> None:
    file = saved(tmp_path, BAD)
    with pytest.raises(CardFaults) as found:
        player(file)
    faults = {(fault.place, fault.field): fault for fault in found.value.faults}
    assert all(fault.file == file for fault in faults.values())
    wanted = {
        1: "name", 2: "plays", 3: "prone_price", 4: "habit", 5: "wieghts", 8: "weights, vp", 9: "weights, kil",
        10: "weights, kill", 11: "weights, hurt", 12: "weights, die", 13: "weights, threat", 14: "weights, nearer",
        15: "weights, stride", 16: "weights, walk",
    }  # fmt: skip
    assert set(faults) == {(f"line {line}", field) for line, field in wanted.items()}
    for line, field, word in (
        (2, "plays", "tactician"), (3, "prone_price", "never"), (4, "habit", "parry-first"), (5, "wieghts", "weights"),
        (9, "weights, kil", "kill"),
    ):  # fmt: skip
        assert faults[f"line {line}", field].hint == f'did you mean "{word}"?'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 1", "has no plays"),
        ("plays = 3", "must be one of"),
        ('plays = "tactician"\nprone_price = -1', "0 to 1000"),
        ('plays = "tactician"\nprone_price = 1000.5', "0 to 1000"),
        ('plays = "tactician"\nprone_price = nan', "0 to 1000"),
        ('plays = "tactician"\nprone_price = []', "0 to 1000"),
        ('plays = "tactician"\nhabit = "best"', "must be one of"),
        ('plays = "tactician"\nhabit = ["random"]', "must be one of"),
        ('plays = "tactician"\nweights = 3', "[weights]"),
        ('plays = "tactician"\n[weights]\nstride = 65', "1 to 64"),
        ('plays = "tactician"\nplays = "random"', "not valid TOML"),
        ('plays = "tactician"\nprone_price = 1,5', "decimals take a point: 1.5"),
        ('name = "Tactician"\nplays = "random"', "a bot of this name comes along"),
        ("plays = " + "[" * 2000, "nested"),
        ("plays = " + "9" * 3990, "must be one of"),
        ("#" * 5001, "longer than"),
        ("\n", "empty"),
    ],
)
def test_a_bad_file_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(CardFaults, match=re.escape(said)):
        player(saved(tmp_path, text))


def test_the_bounds_themselves_are_allowed(tmp_path: Path) -> None:
    text = 'plays = "tactician"\nprone_price = 1000\n[weights]\nvp = -1e6\nkill = 1000000\nstride = 64\n'
    found = player(saved(tmp_path, text))
    assert (found.weights[0], found.weights[1], found.weights[-1], found.prone_price) == (-1e6, 1e6, 64.0, 1000.0)


def test_unknown_bots(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r'no bot .tactican.; there are: random.*\(did you mean "tactician"\?\)'):
        player("tactican")
    with pytest.raises(UserError, match="no such file"):
        player(str(tmp_path / "none.toml"))
    with pytest.raises(UserError, match="under @bot, not mine"):
        player(written("def mine(world, state, hook, who):\n    return 0\n"))


# ── functions of users ────────────────────────────────────────────────────────────────────────────────────────────────


BODY = "@bot\ndef mine(world, state, hook, who):\n    {}\n"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return unknown", "name 'unknown' is not defined"),
        ("return state.apll", 'neither world nor state has "apll" — did you mean "apl"'),
        ('return table(world, "sihgt")[0, 0]', 'did you mean "sight"'),
        ("state.watcher = 1\n    return 0", "did you mean .watch."),
        ("return best_shot(world, who)", "line 3: nothing can be called like this: best_shot.world, int64."),
        ("return [who][0]", "no lists, arrays or texts"),
        ("return len(str(who))", "no lists, arrays or texts"),
        ("return plain_one(who)", "put @helper over functions"),
        ("return 1.5", "returns float64; a bot must return a whole number"),
        ("return hook, who", "returns UniTuple.* whole number"),
        ("return 'a'", "returns unicode_type; a bot must return a whole number"),
        ("pass", "without an answer"),
        ("if hook == ACT:\n        return 0", "without an answer"),
        ("yield 1", "no yield"),
        ("with world as x:\n        return 1", "cannot be compiled"),
    ],
)
def test_what_cannot_be_compiled_is_said_in_a_sentence(body: str, said: str) -> None:
    text = "def plain_one(x):\n    return x\n" if "plain_one" in body else ""
    with pytest.raises(UserError, match=said) as found:
        written(BODY.format(body) + text if not text else text + BODY.format(body))
    assert "mine" in str(found.value)
    assert len(str(found.value).splitlines()) <= 2
    assert len(str(found.value)) < 400
    assert found.value.__cause__ is None
    assert found.value.__suppress_context__ or found.value.__context__ is None


def test_the_line_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text("\n\n" + BODY.format("x = who\n    return distance(world, x)"), encoding="utf-8")
    with pytest.raises(UserError, match=r"line 6: .*\n    return distance\(world, x\)$"):
        written(path.read_text(encoding="utf-8"), str(path))


@pytest.mark.parametrize("given", ["(world, state, hook)", "(world, state, hook, who, more)", "(*all)", "()"])
def test_wrong_arguments(given: str) -> None:
    with pytest.raises(UserError, match=re.escape(f"a bot takes (world, state, hook, who); mine takes {given}")):
        written(f"@bot\ndef mine{given}:\n    return 0\n")


def test_a_bot_that_comes_along_keeps_its_name() -> None:
    with pytest.raises(CardFaults, match=r'@bot rusher: name = "rusher": a bot of this name .*"rusher-2"'):
        written("@bot\ndef rusher(world, state, hook, who):\n    return 0\n")


def test_no_function() -> None:
    for thing in (3, "tactician", print, Weights):
        with pytest.raises(UserError, match="@bot stands over a function"):
            bot(thing)


def test_all_wrong_options_at_once() -> None:
    with pytest.raises(CardFaults) as found:
        written('@bot(weights={"vpp": 1, "vp": float("nan")}, prone_price=-1, habit="x", name="a\\nb")\n'
                "def mine(world, state, hook, who):\n    return 0\n")  # fmt: skip
    assert len(found.value.faults) == 5


def test_options() -> None:
    text = '@bot(weights={"vp": 3}, prone_price="never", habit="random", name="Mine")\n'
    mine = written(text + "def mine(world, state, hook, who):\n    return 0\n")
    assert mine.weights == tuple(Weights(*player(LIKE).weights)._replace(vp=3.0))
    assert (mine.name, mine.prone_price, mine.habit) == ("Mine", math.inf, STYLES["random"])
    plain = written(BODY.format("return 0"))
    assert (plain.name, plain.weights, plain.prone_price) == ("mine", player(LIKE).weights, player(LIKE).prone_price)


def answer(mine, ready, cards) -> int:
    """What a bot says to anything."""
    world = new_world(ready, cards, [mine, mine])
    return int(mine.bot(world.record, new_state(world, 1).record, 0, 0))


@pytest.mark.parametrize("where", ["<ipython-input-3-0a1b>", "/tmp/ipykernel_7/123.py", "a file"])
def test_a_cell_run_again_is_a_new_bot(where: str, ready, cards, tmp_path: Path) -> None:
    """The same name at the same line of the same file, and a helper that changes: nothing old is played."""
    path = str(tmp_path / "mine.py") if where == "a file" else where
    before = {one for one in cache_folder().rglob("*") if "mine" in one.name}
    for number in (1, 2):
        for more in (10, 20):
            text = f"@helper\ndef add():\n    return {more}\n\n" + BODY.format(f"return {number} + add()")
            if where == "a file":
                Path(path).write_text(text, encoding="utf-8")
            linecache.checkcache()
            assert answer(written(text, path), ready, cards) == number + more
    assert {one for one in cache_folder().rglob("*") if "mine" in one.name} == before


def test_other_whole_numbers_are_whole_numbers(ready, cards) -> None:
    assert answer(written(BODY.format("return hook == ZONE")), ready, cards) == 1
    assert answer(written("import numpy as np\n" + BODY.format("return np.int8(-3)")), ready, cards) == -3


def test_a_bot_stays_while_it_may_be_played() -> None:
    """A world knows only where its code lies (`records.entry_point`): somebody must hold it."""
    code = written(BODY.format("return 0")).bot
    assert any(one is code for one in own._KEPT)


def test_an_index_outside_a_table_is_an_error(ready, cards) -> None:
    mine = written(BODY.format("return state.hp[1000 + who]"))
    with pytest.raises(IndexError):
        play(ready, cards, [mine, player("gunline")], games=2)


# ── in battle ─────────────────────────────────────────────────────────────────────────────────────────────────────────


FROM_THE_MENU = """
@helper
def pick(world, state, i):
    n, options = menu(world, state, i), table(state, "options")
    k = roll(state, n, 50)
    action, a, b = options[k, 0], options[k, 1], options[k, 2]
    if action == MOVE or action == FALL_BACK:
        a = table(state, "found")[roll(state, places(world, state, i, action), 51)]
    return option(action, a, b)

@bot
def mine(world, state, hook, who):
    return pick(world, state, who) if hook == ACT else tactician(world, state, hook, who)
"""

BY_THE_TOOLKIT = """
@bot(weights={"target": 1, "exposed": 1, "close": 0.5})
def mine(world, state, hook, who):
    if hook != ACT:
        return tactician(world, state, hook, who)
    for turn in range(6):
        k = (turn + roll(state, 6, 60)) % 6
        if k == 0:
            chosen = best_shot(world, state, who)
        elif k == 1:
            chosen = best_strike(world, state, who)
        elif k == 2:
            chosen = best_loot(world, state, who)
        elif k == 3:
            chosen = best_watch(world, state, who)
        elif k == 4:
            chosen = best_move(world, state, who)
        else:
            chosen = best_plan(world, state, who)
        if chosen:
            return chosen
    return 0
"""


@pytest.mark.parametrize("text", [FROM_THE_MENU, BY_THE_TOOLKIT], ids=["menu", "toolkit"])
def test_every_answer_of_menu_and_toolkit_is_legal(text: str, ready, cards) -> None:
    """120 games: no fault, and each kind of action is done."""
    counted = play(ready, cards, [written(text)] * 2, games=120)
    assert counted.tables.faulty[0] == 0
    frame = _totals(Series(ready, cards, [written(text)] * 2), 60)
    wanted = {"moves", "shots", "melees", "loot", "watches", "falls_back" if text is BY_THE_TOOLKIT else "aims"}
    assert {name for name in wanted if frame[name] == 0} == set()


def _totals(series: Series, games: int) -> dict[str, int]:
    from morsdei_sim.rulesets.morsdei.game.ledger import TALLIES

    total = sum(series.one(game).records["tally"][0].sum(axis=0) for game in range(games))
    return dict(zip(TALLIES, np.asarray(total).tolist(), strict=True))


HOOKS = ("ZONE", "PLACE", "STARTS", "ACTIVATE", "ACT", "ARM", "REACT", "CONTRACT", "NEXT")
FORBIDDEN = {
    "NEXT": "99",
    "PLACE": "-7",
    "ACTIVATE": "99",
    "ACT": "option(LOOT, 5, -1)",
    "REACT": "77",
    "CONTRACT": "-2",
}


@pytest.mark.parametrize("hook", FORBIDDEN)
def test_a_forbidden_answer_is_a_fault_and_the_game_goes_on(hook: str, ready, cards) -> None:
    """Both sides err at one hook alone: faults in some of 20 games, and all of them end."""
    text = f"return {FORBIDDEN[hook]} if hook == {hook} else tactician(world, state, hook, who)"
    counted = play(ready, cards, [written(BODY.format(text))] * 2, games=20)
    assert counted.tables.faulty[0] > 0
    assert sum(counted.results) == 20


@pytest.mark.parametrize("number", ["-9223372036854775807", "9223372036854775807", "-1", "123456789", "15"])
def test_any_number_to_any_question_does_no_harm(number: str, ready, cards) -> None:
    counted = play(ready, cards, [written(BODY.format(f"return {number}"))] * 2, games=20)
    assert sum(counted.results) == 20
    assert counted.tables.faulty[0] == 20


def test_a_look_ahead_moves_nothing(ready, cards) -> None:
    """A tactician that looks ahead for nothing plays the games of one that does not; samples differ, and repeat."""
    idle = BODY.format("""if hook == ACT and best_move(world, state, who):
        move = best_move(world, state, who)
        first = ahead(world, state, who, move, 0)
        if ahead(world, state, who, move, 0) != first:
            return 0
        same = 0
        for sample in range(1, 40):
            same += ahead(world, state, who, move, sample) == first
        if same == 39:
            return 0
    return tactician(world, state, hook, who)""")
    looking, plain = (play(ready, cards, [one, player("gunline")], games=8) for one in (written(idle), player(LIKE)))
    assert np.array_equal(looking.flat, plain.flat)


# ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def page() -> dict[str, object]:
    """The page's Python, run from the first block to the last."""
    names: dict[str, object] = {}
    for code in blocks("python"):
        exec(compile(code, str(PAGE), "exec"), names)
    return names


def test_the_file_of_the_page(tmp_path: Path) -> None:
    found = player(saved(tmp_path, blocks("toml")[0]))
    assert (found.name, found.prone_price, Weights(*found.weights).threat) == ("bold", math.inf, 0.1)


def test_the_example_is_short_and_wins(page, ready, cards, capsys: pytest.CaptureFixture[str]) -> None:
    """Against `random`: 200 games, 100 mirrored pairs, score 0.75 at least. A pair's score has a deviation of 0.5 at
    most: one that is no better than random gets there by 5 of them, once in three million."""
    first = blocks("python")[0]
    assert len(first.split("@bot")[1].split("\n\n")[0].splitlines()) <= 15
    counted = play(ready, cards, [page["mine"], player("random")], games=200)
    mean, _variance, units = spread_of(counted)
    assert units == 100
    assert mean >= 0.75
    alone = play(ready, cards, [page["mine"], player(LIKE)], games=40)
    assert alone.tables.faulty[0] == 0


def test_the_page_names_what_there_is() -> None:
    """Fields of world and state, tables and helpers that the page writes in code exist, and it names every hook."""
    from morsdei_sim.rulesets.morsdei.game.records import TABLES
    from morsdei_sim.rulesets.morsdei.game.world import STATE, WORLD

    text = PAGE.read_text(encoding="utf-8")
    known = {*STATE.dtype.names, *WORLD.dtype.names, *TABLES}
    assert set(re.findall(r'table\((?:world|state), "(\w+)"\)', text)) <= known
    assert set(re.findall(r"\b(?:world|state)\.(\w+)", text)) <= known
    assert all(f"| `{hook}` |" in text for hook in HOOKS)
    kit = text.split("## The toolkit")[1].split("**Dice.**")[0]
    assert set(re.findall(r"`(\w+)[`(]", kit)) <= set(toolkit.__all__) | {"table"}
