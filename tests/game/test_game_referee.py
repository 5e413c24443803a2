"""The referee of battles lets legal logs pass, and objects to each change of them with the rule that it breaks."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from referee import RULES, Foul, audit
from referee_builder import Story, box, soldier
from referee_changes import FOULS, Edit, Log, find
from referee_fire import expected_between, fewest_left
from referee_paths import Walk
from referee_stories import NEAR, STORIES, TOWER, R, pair
from referee_table import Table


@pytest.mark.parametrize("name", STORIES)
def test_a_legal_battle_passes(name: str) -> None:
    """And is right without a second look."""
    assert audit(STORIES[name]())["doubt"] == 0


@pytest.mark.parametrize(
    ("name", "rule", "edit"), FOULS, ids=[f"{k}-{name}-{rule}" for k, (name, rule, _edit) in enumerate(FOULS)]
)
def test_a_changed_battle_is_a_foul(name: str, rule: str, edit: Edit) -> None:
    log = STORIES[name]()
    edit(log)
    for number, row in enumerate(log[1:]):
        row["n"] = number
    with pytest.raises(Foul) as caught:
        audit(log)
    assert rule in caught.value.rules, str(caught.value)


def test_there_are_enough_changes() -> None:
    """Every story is changed, and the changes break many different rules."""
    assert {name for name, _rule, _edit in FOULS} == set(STORIES)
    assert len({rule for _name, rule, _edit in FOULS}) >= 70


def test_every_rule_that_can_matter_matters_in_some_story() -> None:
    total = sum((audit(story()) for story in STORIES.values()), audit(STORIES["duel"]()))
    assert [rule for rule in RULES if not total[rule]] == []
    assert set(total) <= {*RULES, "doubt"}


def seen(log: Log) -> set[str]:
    """Rules of the foul that a log holds."""
    with pytest.raises(Foul) as caught:
        audit(log)
    return set(caught.value.rules)


def test_the_form_of_a_log() -> None:
    """What is no log at all, and events that are numbered wrongly."""
    assert seen([]) == {"FORM"}
    log = STORIES["duel"]()
    assert seen([*log[:3], {**log[3], "n": 7}]) == {"FORM"}
    assert seen([*log[:3], {"event": "earthquake"}]) == {"FORM"}
    assert seen([log[0], []]) == {"FORM"}
    assert seen([{**log[0], "schema_version": 2}]) == {"FORM"}
    log[0]["board"]["loot"].pop()
    assert seen(log) == {"G4"}


@pytest.mark.parametrize(
    ("event", "key", "value"),
    [
        ("shot", "cover", True), ("shot", "cover", 2), ("shot", "cover", 0.0), ("shot", "weapon", -1),
        ("shot", "hp", True), ("shot", "expected", math.inf), ("shot", "expected", "1"), ("shot", "attack", [1, 4, 0]),
        ("shot", "fighter", 2), ("shot", "declared", 2), ("shot", "target", 2), ("round", "round", -1),
        ("moved", "length", math.nan), ("moved", "path", [[1, 1]]), ("moved", "action", "run"),
        ("exchange", "hits", [4, True]),
    ],
)  # fmt: skip
def test_values_of_the_wrong_kind(event: str, key: str, value: Any) -> None:
    """A flag that is no 0 or 1, truth in place of a number, numbers without end, fighters that do not exist."""
    logs = [STORIES["duel"](), *(story() for story in STORIES.values())]
    log = next(log for log in logs if any(row["event"] == event for row in log))
    log[find(log, event)][key] = value
    assert seen(log) == {"FORM"}


def test_s7_a_pistol_in_contact_at_somebody_else() -> None:
    story = Story(soldier(0), soldier(1), soldier(1)).set_up((10, 8), (10, 10), (10, 16)).act(0)
    story.shoot(0, 2, [1, 1, 1, 1], weapon=2, hit=5, in_contact=1)
    assert "S7" in seen(story.finish(0).idle(1).contract(0, [0], None).idle(2).over(1))


# ── movement and contact, case by case ────────────────────────────────────────────────────────────────────────────────


def contract_move(*corners: Any, foe: Any, pieces: Any = ()) -> Log:
    """The Contract movement of fighter 0 from (10, 8) past an enemy."""
    story = Story(soldier(0), soldier(1), soldier(1), pieces=pieces).set_up((10, 8), foe, (28, 20)).idle(0, 1)
    return story.contract(0, [0], 0).move(0, *corners, action="contract").idle(2).over(1)


def test_tv13_a_contract_path_may_not_pass_through_contact() -> None:
    """The start and the end are further than 1 inch away, the middle comes to 0.7; a wall between would allow it."""
    foe = (11.4, 8 + 2 * R + 0.7)
    assert "K5" in seen(contract_move((12.8, 8), foe=foe))
    wall = box("impassable", 9, 8.9, 5, 0.1, 3)
    assert audit(contract_move((12.8, 8), foe=foe, pieces=[wall]))["K5"] == 1


def test_a_path_may_not_pass_through_contact_on_any_side() -> None:
    """One inch towards an enemy that is 1.3 inches away, and back again further than it came."""
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        far = 2 * R + 1.3
        there, back = (10 + x, 8 + y), (10 - 0.2 * x, 8 - 0.2 * y)
        assert "K5" in seen(contract_move(there, back, foe=(10 + far * x, 8 + far * y)))


def test_m2_no_part_of_a_path_leaves_the_table() -> None:
    story = Story(soldier(0), soldier(1)).set_up((1, 8), (20, 8)).act(0)
    assert "M2" in seen(story.move(0, (0.4, 8), (1, 9)).finish(0).idle(1).over(1))


def test_ruling_18_the_end_of_a_contract_is_measured_through_walls() -> None:
    wall = box("impassable", 9, 8.9, 5, 0.1, 3)
    assert "RULING 18" in seen(contract_move((11.5, 8), foe=(11.5, 8 + 2 * R + 0.7), pieces=[wall]))
    assert audit(contract_move((11.5, 8), foe=(11.5, 8 + 2 * R + 1.01), pieces=[wall]))["K5"] == 1


def test_k4_no_contract_movement_out_of_contact() -> None:
    assert "K4" in seen(contract_move((10, 5.5), foe=(10, 10)))


def climb(*corners: Any, length: float, pieces: Any = (TOWER,), start: Any = (12, 10 - R), move: int = 6) -> Log:
    story = pair(pieces=pieces)
    story.men[0]["move"] = move
    story.set_up(start, (3, 20)).act(0).move(0, *corners, length=length)
    return story.finish(0).idle(1).over(1)


def test_tv8_a_climb_costs_its_height_and_every_level_inch() -> None:
    up = (12, 10 - R), (12, 10 - R, 2), (12, 11 - R, 2)
    for start, length in ((10 - R, 3.0), (9 - R, 4.0)):
        assert audit(climb(*up, length=length, start=(12, start)))["M16"] == 1
        assert "M1" in seen(climb(*up, length=length - 0.01, start=(12, start)))


def test_m18_two_inches_of_a_descent_are_free_but_no_more() -> None:
    """TV9: one continuous descent of 4 costs 2; splitting it in the air does not help (M19)."""
    tower = box("climbable", 10, 10, 4, 4, 4)
    foot = 10 - R
    for stop in ((), ((12, foot, 2),)):
        down = (12, foot, 4), (12, 10.5, 4), (12, foot, 4), *stop, (12, foot, 0)
        full = 4 + (10.5 - foot) * 2 + 2
        assert audit(climb(*down, length=full, pieces=[tower], move=9))["M18"] == 1
        assert "M18" in seen(climb(*down, length=full - 2, pieces=[tower], move=9))


def test_m20_jumps() -> None:
    """A gap of 3 may be jumped, level or down, not up (RULING 22), and not along a bend."""
    far = box("climbable", 17, 10, 4, 4, 2)
    up = (12, 10 - R, 2), (12, 11, 2)
    over = (*up, (14, 11, 2), (17, 11, 2), (17.2, 11, 2))
    length = 2 + (1 + R) + 2 + 3 + 0.2
    assert audit(climb(*over, length=length, pieces=[TOWER, far], move=9))["M20"] == 1
    lower, higher = {**far, "height": 1.5}, {**far, "height": 2.5}
    down = (*up, (14, 11, 2), (17, 11, 2), (17, 11, 1.5), (17.2, 11, 1.5))
    assert "M5" in seen(climb(*over[:-1], (17, 11, 2.5), length=length, pieces=[TOWER, higher], move=9))
    assert "M20" in seen(climb(*over, length=length, pieces=[TOWER, lower], move=9))
    assert audit(climb(*down, length=length, pieces=[TOWER, lower], move=9))["M20"] == 1
    rise = (*up, (14, 11, 2), (16.2, 11, 2), (16.2, 11, 2.5), (17.2, 11, 2.5))
    assert "M21" in seen(climb(*rise, length=length + 0.5, pieces=[TOWER, higher], move=10))
    bend = (*up, (14, 11, 2), (15.5, 10.8, 2), (17, 11, 2), (17.2, 11, 2))
    assert "M20" in seen(climb(*bend, length=length + 0.03, pieces=[TOWER, far], move=9))
    wide = box("climbable", 17.01, 10, 4, 4, 2)
    assert "M20" in seen(climb(*over[:3], (17.2, 11, 2), length=length, pieces=[TOWER, wide], move=9))


def test_m6_a_gap_must_be_as_wide_as_the_base() -> None:
    for width, fits in ((2 * R + 0.01, True), (2 * R - 0.02, False)):
        walls = box("impassable", 0, 10, 10 - width / 2, 0.4, 3), box("impassable", 10 + width / 2, 10, 9, 0.4, 3)
        log = climb((10, 12), length=4, pieces=walls, start=(10, 8))
        assert audit(log)["M10"] == 1 if fits else "M6" in seen(log)
    door = STORIES["door"]()
    door[0]["board"]["pieces"][2]["kind"] = "door-closed"
    assert "M5" in seen(door)


def test_m3_friends_do_not_block_and_m4_enemies_do() -> None:
    assert audit(STORIES["kerb"]())["M3"] == 1
    story = Story(soldier(0, move=8), soldier(1)).set_up((10, 4), (10, 8)).act(0).move(0, (10, 12)).finish(0).idle(1)
    assert "M4" in seen(story.over(1))


def test_ruling_36_contact_through_a_wall_is_none() -> None:
    """A Fall Back past a watcher behind a wall costs no marker."""
    log = STORIES["passed_watcher"]()
    log[0]["board"]["pieces"].append(box("impassable", 12, 8.8, 4, 0.2, 3))
    assert "O12" in seen(log)
    log.pop(find(log, "marker-lost"))
    for number, row in enumerate(log[1:]):
        row["n"] = number
    assert audit(log)["RULING 36"] == 0


# ── sight ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("pieces", "sees", "cover"),
    [
        ([], True, False),
        ([box("impassable", 9, 11, 2, 0.3, 3)], False, True),
        ([box("impassable", 9, 11, 2, 0.3, 1.1)], True, True),  # head free, heart hidden
        ([box("impassable", 9, 11, 2, 0.3, 2, base=1.1)], True, True),  # a lintel hides the head
        ([box("low", 9, 8.3, 2, 0.3, 0.9)], True, False),  # right in front of the shooter (RULING 14)
        ([box("low", 9, 13.5, 2, 0.2, 0.2)], True, True),  # feet only
        ([box("low", 9, 14.5, 2, 0.2, 1)], True, False),  # behind the target
        ([box("door-open", 9, 11, 2, 0.3, 3)], True, False),
        ([box("impassable", 10.3, 13, 2, 0.3, 3)], True, True),  # one edge of the silhouette
        ([box("impassable", 10.36, 13, 2, 0.3, 3)], True, False),
        ([box("impassable", 9.9, 13, 0.2, 0.3, 3)], False, True),  # a pole, past which both edges are seen
    ],
)
def test_sight_and_cover(pieces: Any, sees: bool, cover: bool) -> None:
    """RULINGS 12-14 from (10, 8) to (10, 14)."""
    table = Table(pair(pieces=pieces).header)
    a, b = (10.0, 8.0, 0.0), (10.0, 14.0, 0.0)
    assert table.sees(a, b, [])[0] == sees
    assert table.cover(a, b) == cover


def test_sight_from_above() -> None:
    """A beam higher than the target hides it from an eye that is higher still, and not from one on the ground."""
    table = Table(pair(pieces=[box("impassable", 9, 9, 2, 0.3, 2, base=1.5)]).header)
    target = (10.0, 14.0, 0.0)
    assert not table.sees((10.0, 8.0, 2.0), target, [])[0]
    assert table.cover((10.0, 8.0, 2.0), target)
    assert table.sees((10.0, 8.0, 0.0), target, [])[0]


def test_a_second_look_leans_on_walls() -> None:
    """A wall that ends 0.0005 inch before or behind a line hides it when walls are a little thicker, or no longer."""
    for edge, at_first, leaning, then in ((10.0005, False, 1, True), (9.9995, True, -1, False)):
        table = Table(pair(pieces=[box("impassable", edge, 11, 2, 0.3, 3)]).header)
        for table.walls, hidden in ((0, at_first), (leaning, then), (0, at_first)):
            assert table.sees((10.0, 8.0, 0.0), (10.0, 14.0, 0.0), [])[0] != hidden


def test_v5_bodies_hide_but_give_no_cover() -> None:
    table = Table(pair().header)
    a, b = (10.0, 8.0, 0.0), (10.0, 14.0, 0.0)
    assert not table.sees(a, b, [(10.0, 11.0, 0.0)])[0]
    assert not table.sees(a, b, [(10.34, 11.0, 0.0)])[0]
    assert table.sees(a, b, [(10.36, 11.0, 0.0), (10.0, 15.0, 0.0), (10.0, 11.0, 2.0)])[0]
    assert not table.cover(a, b)
    story = Story(soldier(0), soldier(0), soldier(1)).set_up((10, 5), (10, 8), (10, 15)).act(0)
    assert "V2" in seen(story.shoot(0, 2, [1, 1, 1, 1]).finish(0).idle(2, 1).over(1))


def test_l2_a_model_on_the_marker_is_imagined_away() -> None:
    """L2, RULING 15: a body behind the marker's edge hides the far side only; one on the marker hides nothing."""
    table = Table(pair().header)
    eye = (15.0, 9.5, 0.0)
    assert table.sees_marker(eye, 1, [((15.0, 11.0, 0.0), R)])
    assert not table.sees_marker((15.0, 5.0, 0.0), 1, [((15.0 + x, 9.4, 0.0), R) for x in (-0.6, 0.0, 0.6)])


def test_e6_walls_separate_and_barricades_do_not() -> None:
    """RULINGS 10, 11, and a floor above."""
    low, wall = box("low", 8, 8.9, 4, 0.2, 1), box("impassable", 8, 8.9, 4, 0.2, 1)
    ends = [(float(x), float(y), 0.0) for x, y in NEAR]
    for piece_, touch in ((low, True), (wall, False)):
        assert Table(pair(pieces=[piece_]).header).contact(ends[0], R, ends[1], R) == touch
    table = Table(pair().header)
    assert table.contact(ends[0], R, (10.0, 8.0 + 2 * R + 1, 0.0), R)
    assert not table.contact(ends[0], R, (10.0, 8.0 + 2 * R + 1.00001, 0.0), R)
    assert not table.contact(ends[0], R, (10.0, 8.0 + 2 * R + 0.8, 0.8), R)
    assert table.gap((10.0, 8.0, 0.0), R, (10.3, 8.0, 0.9), R) == 0.9  # over each other: the height alone


# ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_saves_by_search_equal_the_closed_form() -> None:
    """Atlas 23.2: all 2401 cases; "critical saves on critical hits first" would differ in the one named there."""
    for n in range(7):
        for c in range(7):
            for s in range(7):
                for k in range(7):
                    more = max(0, n - s)
                    pairs = min(k, more // 2)
                    left = c + more - 2 * pairs
                    assert fewest_left(n, c, s, k, 2) == left - min(k - pairs, left)
    assert fewest_left(2, 1, 0, 1, 2) == 1


@pytest.mark.parametrize(
    ("hp", "never", "always"), [(7, 2.917320, 2.286534), (8, 3.147762, 2.447040), (10, 3.270448, 2.519849)]
)
def test_expected_values_are_those_of_the_atlas(hp: int, never: float, always: float) -> None:
    """Atlas 23.3: HP lost to 4d6 4+ Damage 4 against 3 dice, never and always prone."""
    assert expected_between(4, 4, 3, 1, 4, 2, 4, hp) == pytest.approx((always, never), abs=1e-6)


def test_numbers_rounded_in_the_log_are_looked_at_twice() -> None:
    """Exactly 1 inch apart is contact (TV1); one ten-thousandth more is not, yet a log may have rounded it."""
    apart = 2 * R + 1
    for more, doubt in ((0.0, 0), (5e-4, 1)):
        story = pair().set_up((10, 8), (10, 8 + apart + more)).act(0).fight(0, 1, ([1] * 4, [1] * 4), [])
        assert audit(story.finish(0).idle(1).over(1))["doubt"] == doubt
    story = pair().set_up((10, 8), (10, 8 + apart + 3e-3)).act(0).fight(0, 1, ([1] * 4, [1] * 4), [])
    assert "B2" in seen(story.finish(0).idle(1).over(1))


def test_a_second_look_leaves_no_trace() -> None:
    """Two events in doubt, others before, between and after: every rule mattered as often as without a doubt."""

    def counts(distance: float) -> Counter[str]:
        story = pair().set_up((10, 8), (10, 8 + distance)).act(0).fight(0, 1, ([1] * 4, [1] * 4), []).finish(0)
        return audit(story.act(1).fight(1, 0, ([1] * 4, [1] * 4), []).finish(1).over(1))

    apart = 2 * R + 1
    assert counts(apart + 5e-4) == counts(apart) + Counter(doubt=2)


def test_a_path_of_many_corners_is_as_long_as_its_legs() -> None:
    table = Table(pair().header)
    walk = Walk(table, R, [(5.0, 5.0, 0.0), (8.0, 9.0, 0.0), (8.0, 9.0, 0.0), (8.0, 10.0, 0.0)])
    walk.check()
    assert walk.length == pytest.approx(6.0)


# ── as a command ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_audits_files_and_knows_nothing_of_the_package(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    log = STORIES["duel"]()
    good.write_text("\n".join(map(json.dumps, log)) + "\n", encoding="utf-8")
    log[find(log, "shot")]["hp"] = 5
    bad.write_text("\n".join(map(json.dumps, log)) + "\n", encoding="utf-8")
    script = Path(__file__).with_name("referee.py")
    run = [sys.executable, str(script)]
    fine = subprocess.run([*run, str(good)], capture_output=True, text=True, check=False)
    assert (fine.returncode, fine.stderr) == (0, "")
    assert "1 of 1 battles are right" in fine.stdout
    wrong = subprocess.run([*run, str(good), str(bad), "none"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "event 7: H1: fighter 1 (Soldier) has 4 HP, not 5" in wrong.stdout
    assert "1 of 3 battles are right" in wrong.stdout
    names = [path.stem for path in script.parent.glob("referee*.py")]
    code = f"import sys; sys.path.insert(0, {str(script.parent)!r}); [__import__(n) for n in {names}]"
    code += "; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {name.split(".")[0] for name in told} & {"morsdei_sim", "numpy", "numba", "scipy"}
