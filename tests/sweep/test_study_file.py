"""Study files: every fault at once with its line, changes of the right weapons, designs cell by cell."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from morsdei_sim.errors import CardFaults
from morsdei_sim.lang import set_language
from morsdei_sim.sweep.changes import Change, changed
from morsdei_sim.sweep.design import RANDOM, Axis, Design
from morsdei_sim.sweep.study_axes import MOST_AXES
from morsdei_sim.sweep.study_file import read_study
from morsdei_sim.sweep.study_toml import MOST_VALUES
from tests.sweep.small_squad import card

HEAD = 'verb = "shoot"\nattackers = ["line/marksman"]\ntargets = ["mirror"]\n'
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str, name: str = "study.toml") -> Path:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return written


def faults(file: Path) -> list[tuple[str, str]]:
    """Line and message of every fault."""
    with pytest.raises(CardFaults) as raised:
        read_study(file)
    return [(fault.place.removeprefix("line "), str(fault)) for fault in raised.value.faults]


WRONG = """\
name = 5
verb = "shoot"
attackers = ["line/marksmen"]
targets = ["mirror"]
colour = "red"
boards = ["twin-yards"]
[changes]
"targets.hp" = { from = 6, to = 3 }
"targets.defence" = [2, 21, "4"]
"bulwark/heavy.hp" = [1]
targets.hitt = [1, 2]
[options]
covr = true
shots = [1, 99]
[rules]
pistol_range = [-5, 12]
[design]
kind = "sobl"
[run]
engine = "exakt"
trials = 0
seed = -1
"""


def test_all_faults_are_told_at_once(write: Write) -> None:
    found = faults(write(WRONG))
    assert [line for line, _text in found] == [
        "1", "3", "5", "6", "8", "9", "10", "11", "13", "14", "16", "18", "20", "21", "22",
    ]  # fmt: skip
    said = dict(found)
    for line, words in {
        "3": 'did you mean "marksman"?', "9": "= 21: must be 0 to 20", "11": 'did you mean "hit"?', "13": '"cover"',
        "14": "= 99: must be 1 to 20", "16": "= -5: must be 0 to 100", "18": '"sobol"', "22": "18446744073709551615",
    }.items():  # fmt: skip
        assert words in said[line], (line, said[line])


def test_faults_in_russian(write: Write) -> None:
    set_language("ru")
    said = dict(faults(write(WRONG)))
    assert "нужно от 0 до 100" in said["16"] or "от 0 до 100" in said["16"]
    assert "такими шагами" in said["8"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("verb = shoot", "1", "is not valid TOML"),
        ("a = " + "[" * 1900 + "]" * 1900, "", "too deeply"),
        ('verb = "battle"\nattackers = ["nobody"]', "2", "no squad"),
        ('verb = "battle"\nattackers = ["line"]\nboards = ["nowhere"]\nbots = ["nobody"]', "3", "nowhere"),
        ('verb = "battle"\nattackers = ["line"]\nbots = [["random", "random", "random"]]', "3", "one bot"),
        ('verb = "battle"\nattackers = ["line"]\n[run]\ntrials = 5', "4", "no such entry"),
        ('verb = "battle"\nattackers = ["line"]\n[run]\ngames = 5\ntarget_error = 0.1', "5", "not both"),
        ('ruleset = "moren"', "1", '"moran"'),
        ('verb = "wounds"\nruleset = "club"\nattackers = ["guard"]\ntargets = ["orks"]', "4", "one fighter"),
        (HEAD + "changes = 3", "4", "[changes]"),
        (HEAD + '[changes]\n"attackers.hit" = []', "5", "empty"),
        (HEAD + '[changes]\n"attackers.hit" = [3, 3]', "5", "twice"),
        (HEAD + '[changes]\n"attackers.sword.hit" = [3]', "5", "nobody"),
        (HEAD + '[changes]\n"attackers.hit" = [3]\nattackers.hit = [4]', "6", "given twice"),
        (HEAD + '[changes]\n"targets.hp" = {from = 1, to = 1e300}', "5", "at most"),
        (HEAD + '[changes]\n"targets.hp" = {from = nan, to = 3}', "5", "must be a number"),
        (HEAD + '[changes]\n"targets.hp" = {form = 1, to = 3}', "5", '"from"'),
        (HEAD + '[rules]\npistol_range = [2.5]', "5", "whole number"),
        (HEAD + '[design]\nkind = "latin"', "4", "points"),
        (HEAD + '[design]\nkind = "grid"\npoints = 3', "6", "only these designs"),
        (HEAD + '[options]\nshots = [1, 2]\ncover = [true]\n[design]\nkind = "list"', "8", "equally long"),
        (HEAD + '[run]\nengine = "exact"\ntrials = 5', "5", "rolls no dice"),
        (HEAD + "[run]\ntarget_error = 2.0", "5", "share"),
        (HEAD + "[run]\ncells_per_part = 0", "5", "1 to 100000"),
        ('attackers = ["line"]', "", "verb"),
        ('verb = "shoot"', "", "attackers"),
    ],
)  # fmt: skip
def test_a_fault(write: Write, text: str, line: str, words: str) -> None:
    found = faults(write(text))
    assert any(place == line and words in said for place, said in found), found


def test_files_that_are_too_large(write: Write) -> None:
    assert "1 MB" in faults(write(HEAD + "#" + "x\n#" * 400_000))[0][1]
    many = ",\n".join(map(str, range(MOST_VALUES + 1)))
    assert "at most" in faults(write(f"{HEAD}[changes]\n'targets.hp' = [{many}]"))[0][1]
    axes = "\n".join(f'"{who}.{stat}" = [1]' for who in ("attackers", "targets", "line/marksman", "mirror/standard")
                     for stat in ("move", "hp", "defence", "apl", "base", "count", "rifle.hit", "rifle.dice",
                                  "rifle.damage", "rifle.range", "name"))  # fmt: skip
    assert sum(f"at most {MOST_AXES} axes" in said for _line, said in faults(write(f"{HEAD}[changes]\n{axes}"))) == 1


def test_faults_of_cards_are_told_with_those_of_the_study(write: Write) -> None:
    write(card("bad", hp=-3), "bad.toml")
    found = faults(write('verb = "shoot"\nattackers = ["bad.toml"]\n[run]\nseed = -1'))
    assert any("seed" in said for _line, said in found)
    assert any("bad.toml" in said and "-3" in said for _line, said in found)


def test_files_beside_the_study_are_found(write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write(card("one", hp=5) + card("two"), "own.toml")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    study = read_study(write('verb = "shoot"\nattackers = ["own.toml/one"]\ntargets = ["own.toml"]'))
    assert [side.ref for side in study.attackers] == ["own/one"]
    assert [side.ref for side in study.targets] == ["own/one", "own/two"]


# ── changes ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def weapons_after(write: Write, key: str, verb: str = "shoot") -> list[int]:
    """Hit of rifle and blade once an axis has set it to 6."""
    write(card("one", hit=4), "own.toml")
    text = f'verb = "{verb}"\nattackers = ["own.toml"]\ntargets = ["mirror"]\n[changes]\n{key} = ["6+"]'
    study = read_study(write(text))
    (axis,) = study.design.axes
    assert axis.values == (6,)
    change = study.changes[axis.name]
    after = changed(study.attackers[0].cards[0], [(change, 6)], study.in_question)
    return [weapon.hit for weapon in after.weapon]


@pytest.mark.parametrize("key", ['"attackers.hit"', "attackers.hit", '"own/one.hit"', '"attackers.rifle.hit"'])
def test_a_stat_of_the_weapon_in_question(write: Write, key: str) -> None:
    assert weapons_after(write, key) == [6, 4]


def test_a_weapon_by_its_name_and_by_the_question(write: Write) -> None:
    assert weapons_after(write, '"attackers.blade.hit"') == [4, 6]
    assert weapons_after(write, '"attackers.hit"', "melee") == [4, 6]
    assert weapons_after(write, '"attackers.hit"', "duel") == [6, 6], "a duel has no one weapon in question"


def test_a_changed_card_is_checked_again(write: Write) -> None:
    study = read_study(write(HEAD))
    (side,) = study.targets
    with pytest.raises(ValueError, match="hp"):
        changed(side.cards[0], [(Change("targets", "hp"), 0)], study.in_question)


# ── designs ───────────────────────────────────────────────────────────────────────────────────────────────────────────


AXES = (Axis("a", (1, 2, 3)), Axis("b", ("x", "y")), Axis("c", (False, True)))


def test_cell_k_is_the_kth_of_the_product() -> None:
    design = Design("grid", AXES, 2, 3)
    expected = list(product(range(2), range(3), *(axis.values for axis in AXES)))
    assert design.cells == len(expected) == 72
    for number, (attacker, target, *values) in enumerate(expected):
        cell = design.cell(number)
        assert (cell.number, cell.attacker, cell.target, *cell.values) == (number, attacker, target, *values)
    for number in (-1, 72):
        with pytest.raises(IndexError):
            design.cell(number)


def test_axes_of_a_list_vary_together() -> None:
    design = Design("list", (Axis("a", (1, 2, 3)), Axis("b", ("x", "y", "z"))), 2, 1)
    assert design.cells == 6
    assert [design.cell(number).values for number in range(3, 6)] == [(1, "x"), (2, "y"), (3, "z")]


def test_without_axes_there_is_a_cell_a_pair() -> None:
    for kind in ("grid", "list"):
        assert [Design(kind, (), 2, 2).cell(number).values for number in range(4)] == [()] * 4


@pytest.mark.parametrize("kind", RANDOM)
def test_quasi_random_points_are_even_and_the_same_again(kind: str) -> None:
    design = Design(kind, AXES, 1, 2, points=96, seed=5)
    assert design.cells == 192
    drawn = [design.cell(number).values for number in range(96)]
    assert drawn == [Design(kind, AXES, 1, 2, points=96, seed=5).cell(96 + number).values for number in range(96)]
    assert drawn != [Design(kind, AXES, 1, 2, points=96, seed=6).cell(number).values for number in range(96)]
    for place, axis in enumerate(AXES):
        counts = Counter(values[place] for values in drawn)
        for value in axis.values:
            assert counts[value] == pytest.approx(96 / len(axis.values), abs=3)


def test_points_by_ones_and_to_the_last_value() -> None:
    for kind in RANDOM:
        for points in (1, 2, 3, 100):
            assert len({Design(kind, AXES, 1, 1, points).cell(number).number for number in range(points)}) == points


def test_a_million_cells_take_no_memory() -> None:
    axes = tuple(Axis(str(place), tuple(range(10))) for place in range(6))
    design = Design("grid", axes, 1, 1)
    tracemalloc.start()
    try:
        assert design.cells == 10**6
        assert design.cell(123_456).values == (1, 2, 3, 4, 5, 6)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def keys(study: Any) -> list[str]:
    return [axis.name for axis in study.design.axes]


def test_what_becomes_an_axis(write: Write) -> None:
    text = HEAD + "[options]\ncover = true\nshots = [1, 2]\n[rules]\npistol_range = {from = 8, to = 10}\naim = 1\n"
    study = read_study(write(text))
    assert keys(study) == ["options.shots", "rules.pistol_range"]
    assert (study.options, study.rules) == ({"cover": True}, {"aim": 1})
    assert study.design.axes[1].values == (8, 9, 10)
    battle = read_study(write('verb = "battle"\nattackers = ["line"]\nbots = ["random", ["random", "looter"]]'))
    assert keys(battle) == ["board", "bots"]
    assert battle.design.axes[1].values == ("random", "random,looter")
    assert battle.run == {"seed": 1, "target_error": None, "games": 2000, "cells_per_part": 1}


def test_steps_end_where_they_say(write: Write) -> None:
    text = (
        HEAD
        + "[changes]\ntargets.base = { from = 25, to = 26, step = 0.1 }\ntargets.hp = { from = 9, to = 3, step = -3 }"
    )
    first, second = read_study(write(text)).design.axes
    assert first.values == tuple(round(25 + 0.1 * place, 12) for place in range(11))
    assert second.values == (9, 6, 3)
