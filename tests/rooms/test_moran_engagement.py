"""Engagements of Moran: the procedures on small boards with dice as written and against the reference, then whole
fights.

Sampling tests say n, the statistic and the chance of a false alarm.
"""

from __future__ import annotations

import random
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from reference import moran as reference
from scipy import stats

from morsdei_sim.dice.every import every, next_path, start_path
from morsdei_sim.dice.rolled import rolled
from morsdei_sim.dice.tape import tape, used_up
from morsdei_sim.errors import UserError
from morsdei_sim.fight.run import Run
from morsdei_sim.rulesets.moran import bots, engagement, turns
from morsdei_sim.rulesets.moran.boards import Board, board, parse
from morsdei_sim.rulesets.moran.bots import CAREFUL, HOLD, RUSH
from morsdei_sim.rulesets.moran.cards import Fighter
from morsdei_sim.rulesets.moran.engagement import Course
from morsdei_sim.rulesets.moran.field import LEFT, Field, field_of
from morsdei_sim.rulesets.moran.grid import Grid, cost_to, path_to, reach, walks
from morsdei_sim.rulesets.moran.rules import CHOICES, DEAD, PRINTED, UP, WOUNDED, Rules
from tests.rooms.moran_cards import arm, cards_of, gunner, made

FALSE_ALARM = 1e-6


def empty_board(width: int, height: int = 1) -> Grid:
    """Open ground; it deploys on the two ends, which does not matter here."""
    rows = [" ".join("." * width) for _y in range(height)]
    rows[0] = "A" + rows[0][1:-1] + "B" if height == 1 else "A" + rows[0][1:]
    if height > 1:
        rows[-1] = rows[-1][:-1] + "B"
    return parse("\n\n".join([*rows, *([" ".join("." * width)] if height == 1 else [])])).grid


def on(grid: Grid, mine: dict[int, Fighter], theirs: dict[int, Fighter], rules: Rules = PRINTED) -> Field:
    """The fighters of two sides in these cells, all up and loaded."""
    field = field_of((list(mine.values()), list(theirs.values())), grid, engagement.walking(rules, grid))
    for one, cell in enumerate([*mine, *theirs]):
        field.men[one].cell = cell
        field.who[cell] = one + 1
    return field


def card(**how: object) -> Fighter:
    return gunner(**how).card  # type: ignore[arg-type]


def go(rules: Rules, grid: Grid, field: Field, me: int, to: int, *written: int) -> None:
    """Walk there; the dice are all read."""
    out, dice = walks(len(grid.wall)), tape(written)
    turns.look_around(rules, grid, field, me, out)
    turns.walk(rules, dice, grid, field, me, out, to)
    assert used_up(dice)


def side(rules: Rules, grid: Grid, field: Field, who: int, bot: int, *written: int) -> None:
    """One side turn; the dice are all read."""
    dice = tape(written)
    bots.side_turn(rules, dice, grid, field, who, bot, walks(len(grid.wall)))
    assert used_up(dice)


# ── procedures ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_watch_fires_once() -> None:
    """V14-V15, R33-R35, RULING 18 At the distance of the entered cell; the marker goes; a second enemy walks by."""
    grid = empty_board(16)
    field = on(grid, {0: card(weapon=made(5, 10, 2, 4))}, {12: card(armour=4), 14: card()})
    field.men[0].marker = 8
    go(PRINTED, grid, field, 1, 7, 6, 2, 3)  # enters 9: at 9 cells 3 dice, all eaten by the armour; goes on
    assert (field.men[1].cell, field.men[1].status, field.men[0].marker) == (7, UP, -1)
    go(PRINTED, grid, field, 2, 10)
    assert field.men[2].cell == 10


def test_a_watch_stops_the_wounded() -> None:
    """RULING 19 He falls in the cell entered; with his action left he may stand up at once, on a second move not."""
    grid = empty_board(16)
    for rules, bot_end in ((PRINTED, UP), (PRINTED._replace(recover_same_turn=0), WOUNDED)):
        field = on(grid, {0: card(weapon=made(5, 10, 2, 4))}, {12: card(weapon=None)})
        field.men[0].marker = 8
        side(rules, grid, field, 1, RUSH, 1, 5, 6)
        assert (field.men[1].cell, field.men[1].status) == (9, bot_end)
    field = on(grid, {0: card(weapon=made(5, 10, 2, 4))}, {15: card(weapon=None)})
    field.men[0].marker = 7
    side(PRINTED, grid, field, 1, RUSH, 1, 5, 6)  # 15 to 10, then to 8 on the second move
    assert (field.men[1].cell, field.men[1].status) == (8, WOUNDED)


def test_several_watchers_attack_one_after_another() -> None:
    """RULING 20 A second net success kills; nobody attacks the dead, and the marker of the third stays."""
    grid = empty_board(16, 3)
    arms = {"weapon": made(20, 30, 2, None)}
    field = on(grid, {0: card(**arms), 16: card(**arms), 32: card(**arms)}, {12: card()})
    for watcher in range(3):
        field.men[watcher].marker = 10
    go(PRINTED, grid, field, 3, 8, 1, 5, 5, 5, 5, 2, 6, 6)
    assert field.men[3].status == DEAD
    assert field.men.marker.tolist()[:3] == [-1, -1, 10]
    assert field.men.kills.tolist() == [0, 1, 0, 0]
    assert field.who[11] == 0


def test_a_watcher_without_a_shot_strikes_who_comes_beside_it() -> None:
    """RULING 17 Hand to hand, if the step to the entered cell would be legal; with a shot worth more it shoots."""
    grid = empty_board(12)
    field = on(grid, {4: card(weapon=None)}, {9: card(armour=4)})
    field.men[0].marker = 5
    go(PRINTED, grid, field, 1, 5)
    assert (field.men[1].cell, field.men[1].status, field.men[0].marker) == (5, WOUNDED, -1)
    field = on(grid, {4: card(weapon=made(5, 10, 2, None))}, {9: card(weapon=None)})
    field.men[0].marker = 4
    go(PRINTED, grid, field, 1, 5, 1, 1, 1, 1)
    assert field.men[1].status == DEAD


def test_one_wounded_among_friends_falls_in_the_last_free_cell() -> None:
    """RULINGS 19, 23 Friends are walked through; the watch is entered in a friend's cell."""
    grid = parse("A # # # # #\n\n. . . . . .\n\n# # # # # B").grid
    field = on(grid, {6: card(weapon=made(9, 10, 2, None))}, {11: card(), 9: card()})
    field.men[0].marker = 8
    go(PRINTED, grid, field, 1, 7, 1, 6, 6, 6)
    assert (field.men[1].cell, field.men[1].status) == (10, WOUNDED)
    assert field.who[9] == 3
    assert field.who[10] == 2
    assert field.who[11] == 0


def test_a_watcher_who_cannot_attack_keeps_the_marker() -> None:
    """RULING 17 Empty, or no line of fire; a wound takes the marker off."""
    grid = empty_board(16)
    field = on(grid, {0: card()}, {12: card()})
    field.men[0].marker, field.men[0].loaded[0] = 8, 0
    go(PRINTED, grid, field, 1, 8)
    assert field.men[0].marker == 8
    turns.becomes(field, 1, 0, WOUNDED)
    assert field.men[0].marker == -1


def some_walk(rng: random.Random) -> tuple[Rules, reference.Switches, Grid, int, list[int], list[int]]:
    """A random board with two posts, and a way of at most five cells that comes beside neither (the reference has no
    blows of a watch)."""
    index = {name: rng.randint(0, 1) for name in CHOICES}
    plain = {name: CHOICES[name][one] == "true" for name, one in index.items()}
    plain |= {name: CHOICES[name][index[name]] for name in ("band_edge", "magazine_test")}
    plain["diagonal_cost"] = "1-2-1-2" if index["diagonal_cost"] else 1
    rules = PRINTED._replace(**index)
    while True:
        walls = [cell for cell in range(2, 36) if rng.random() < 0.2]
        text = ["A" if cell == 0 else "B" if cell == 1 else "#" if cell in walls else "." for cell in range(36)]
        grid = parse("\n\n".join(" ".join(text[row : row + 6]) for row in range(0, 36, 6))).grid
        free = [cell for cell in range(36) if not grid.wall[cell]]
        start, to, *posts = rng.sample(free, 4)
        barred = np.zeros(36, np.uint8)
        barred[posts] = 1
        out, path = walks(36), np.zeros(36, np.int64)
        reach(rules, grid, start, 5, barred, out)
        way = [int(cell) for cell in path[: path_to(out, to, path)]] if cost_to(out, to) <= 5 else []
        if way and not any(touches(cell, post) for cell in way for post in posts):
            return rules, reference.Switches(**plain), grid, start, way, posts


def touches(one: int, other: int) -> bool:
    return max(abs(one % 6 - other % 6), abs(one // 6 - other // 6)) <= 1


def xy(cell: int) -> tuple[int, int]:
    return int(cell) % 6, int(cell) // 6


@pytest.mark.parametrize("seed", range(30))
def test_walks_through_watches_are_those_of_the_reference(seed: int) -> None:
    """Random boards, ways, watchers: the exact chance of every end, dice enumerated through the product's walk."""
    rng = random.Random(seed)
    rules, switches, grid, start, way, posts = some_walk(rng)
    armour = rng.randint(0, 2)
    guns = [made(rng.randint(1, 4), rng.randint(4, 7), rng.randint(1, 3), rng.choice([None, 1, 2, 3])) for _ in posts]
    skills = [rng.randint(2, 5) for _ in posts]
    watchers = {post: card(skill=skill, weapon=gun) for post, skill, gun in zip(posts, skills, guns, strict=True)}
    near_way = [cell for cell in range(36) if any(touches(cell, one) for one in way)]
    markers = [rng.choice(near_way) for _ in posts]
    expected = reference.walk(
        reference.Grid(6, 6, frozenset(xy(cell) for cell in np.flatnonzero(grid.wall))),
        [xy(cell) for cell in way], armour,
        [
            reference.Watcher(
                reference.Fighter(skill), reference.Weapon(gun.near, gun.far, gun.lethality, gun.magazine), xy(post),
                xy(marker),
            )
            for skill, gun, post, marker in zip(skills, guns, posts, markers, strict=True)
        ],
        rules=switches,
    )  # fmt: skip
    found: dict = defaultdict(float)
    dice = every()
    dice.path[:] = 0
    while True:
        start_path(dice)
        field, out = on(grid, watchers, {start: card(armour=armour, move=5)}, rules), walks(36)
        for one, marker in enumerate(markers):
            field.men[one].marker = marker
        turns.look_around(rules, grid, field, 2, out)
        turns.walk(rules, dice, grid, field, 2, out, way[-1])
        loaded = tuple(bool(field.men[one].loaded[0]) for one in range(2))
        kept = tuple(field.men[one].marker >= 0 for one in range(2))
        status = ("up", "wounded", "dead")[field.men[2].status]
        found[status, way.index(field.men[2].cell) + 1, loaded, kept] += dice.weight[0]
        if not next_path(dice):
            break
    assert {key for key, chance in found.items() if chance > 0} == {key for key, chance in expected.items() if chance}
    for key, chance in found.items():
        assert chance == pytest.approx(float(expected.get(key, 0)), abs=1e-12), key


def test_a_blast_hits_friends_and_the_thrower() -> None:
    """R39-R40, RULING 27 By the switch it spares the side."""
    grid = empty_board(12)
    for rules, friend in ((PRINTED, WOUNDED), (PRINTED._replace(blast_hits_friends=0), UP)):
        field = on(grid, {4: card(), 5: card(armour=2)}, {6: card(armour=1), 7: card()})
        turns.blast(rules, grid, field, 0, np.array([0, 0, 2, 0, 1, 10, 1]), 5, 0)
        assert field.men.status.tolist() == [friend, UP, WOUNDED, UP]  # class 2 holds, 7 is outside
        field.men[2].status = WOUNDED
        turns.blast(rules, grid, field, 0, np.array([0, 0, 2, 0, 1, 10, 1]), 6, 0)
        assert field.men[2].status == DEAD
        assert field.men[0].kills == 1


def test_a_grenade_comes_from_the_stock() -> None:
    """R53, RULING 28, D10 Two enemies in reach: one is taken from the stock, and the turn is over."""
    grenade = arm("grenade").model_copy(update={"count": 1})
    thrower = Fighter(id="t", name="t", skill=3, weapon=(grenade,))
    grid = empty_board(14)
    field = on(grid, {0: thrower}, {9: card(weapon=None), 10: card(weapon=None)})
    side(PRINTED, grid, field, 0, HOLD)
    assert field.item[0, 0, LEFT] == 0
    assert field.men.status.tolist() == [UP, WOUNDED, WOUNDED]
    side(PRINTED, grid, field, 0, HOLD)  # none is left
    assert field.men.status.tolist() == [UP, WOUNDED, WOUNDED]


def test_move_then_action_and_nothing_after() -> None:
    """V19, R4 A fighter walks and then attacks; after the attack it stays where it is."""
    grid = empty_board(12)
    field = on(grid, {0: card(weapon=made(3, 20, 2, None), skill=4)}, {9: card(armour=4, weapon=None)})
    side(PRINTED, grid, field, 0, RUSH)  # no dice beyond the armour: runs, and runs again
    assert field.men[0].cell == 8
    field = on(grid, {0: card(weapon=made(3, 20, 2, None), skill=4)}, {9: card(weapon=None)})
    side(PRINTED, grid, field, 0, RUSH, 6, 6, 6)
    assert (field.men[0].cell, field.men[1].status) == (5, UP)  # five cells, one shot at four cells


def test_second_movement_is_a_number_of_the_rules() -> None:
    """R5"""
    grid = empty_board(16)
    field = on(grid, {0: card(weapon=None)}, {15: card(weapon=None)})
    side(PRINTED._replace(second_move=0), grid, field, 0, RUSH)
    assert field.men[0].cell == 5
    side(PRINTED, grid, field, 0, RUSH)
    assert field.men[0].cell == 14


def test_recovery_is_the_whole_turn() -> None:
    """V24, R21-R22"""
    grid = empty_board(8)
    field = on(grid, {0: card()}, {5: card()})
    field.men[0].status = WOUNDED
    side(PRINTED, grid, field, 0, CAREFUL)
    assert (field.men[0].status, field.men[0].cell, field.clock[0]) == (UP, 0, 0)
    turns.becomes(field, 1, 0, WOUNDED)
    assert field.men[0].status == WOUNDED


def test_defence_lasts_till_the_next_own_turn() -> None:
    """R9, RULING 14 No attack, nothing to prepare or watch with: defend; the shot at it has a die less."""
    grid = empty_board(12)
    field = on(grid, {0: card(weapon=None, move=0)}, {9: card(weapon=made(5, 20, 2, None))})
    side(PRINTED, grid, field, 0, HOLD)
    assert field.men[0].defending == 1
    side(PRINTED, grid, field, 1, HOLD, 6, 6)
    side(PRINTED, grid, field, 0, HOLD)
    assert field.men[0].defending == 1
    turns.becomes(field, 1, 0, WOUNDED)
    assert field.men[0].defending == 0


def test_defence_and_watch_end_with_the_own_turn() -> None:
    """RULINGS 14, 17 Whatever is done in it; those of the other side stay."""
    grid = empty_board(12)
    field = on(grid, {0: card(weapon=made(5, 20, 2, None))}, {9: card(weapon=None)})
    for man in field.men:
        man.defending, man.marker = 1, 4
    side(PRINTED, grid, field, 0, HOLD, 6, 6)  # middle band, a die less for the target's defence
    assert field.men.defending.tolist() == [0, 1]
    assert field.men.marker.tolist() == [-1, 4]


def test_an_empty_weapon_is_prepared() -> None:
    """R8, R27-R28, D8 Emptied by the shot, prepared in the next turn."""
    grid = empty_board(12)
    field = on(grid, {0: card(weapon=made(5, 20, 2, 1))}, {9: card(weapon=None, armour=1)})
    side(PRINTED, grid, field, 0, HOLD, 6, 6, 6)
    assert field.men[0].loaded[0] == 0
    side(PRINTED, grid, field, 0, HOLD)
    assert field.men[0].loaded[0] == 1


def test_the_second_weapon_is_taken_at_no_cost() -> None:
    """R28, RULING 13 The better of the loaded weapons is fired."""
    two = Fighter(id="m", name="m", skill=5, weapon=(arm("sniper_rifle"), arm("moran_pistol")))
    grid = empty_board(12)
    field = on(grid, {0: two}, {3: card(weapon=None, armour=0)})
    field.men[0].loaded[0] = 0
    side(PRINTED, grid, field, 0, HOLD, 1, 1, 2, 6)
    assert field.men[1].status == DEAD


def test_a_flame_thrower_burns_a_cone() -> None:
    """R39, RULING 25 The cone is laid along one of four ways; its user is not in it."""
    flamer = Fighter(id="f", name="f", skill=1, weapon=(arm("flame_thrower"),))
    grid = empty_board(10, 3)
    field = on(grid, {11: flamer}, {14: card(weapon=None), 25: card(weapon=None), 19: card(weapon=None)})
    side(PRINTED, grid, field, 0, HOLD)
    assert field.men.status.tolist() == [UP, WOUNDED, WOUNDED, UP]


def test_the_wounded_are_shot_first() -> None:
    """D5 One net success kills the wounded; the unhurt one is as near."""
    grid = empty_board(12, 3)
    field = on(grid, {12: card(weapon=made(5, 20, 2, None))}, {7: card(weapon=None), 31: card(weapon=None)})
    field.men[2].status = WOUNDED
    side(PRINTED, grid, field, 0, HOLD, 1, 6, 6)
    assert field.men.status.tolist() == [UP, UP, DEAD]


def test_shooters_come_first() -> None:
    """D1 The second fighter shoots, then the first, who sees nothing to attack, runs and kills the wounded."""
    grid = empty_board(12)
    field = on(grid, {0: card(weapon=None), 1: card(weapon=made(5, 20, 2, None))}, {6: card(weapon=None)})
    field.men[1].move = 0
    side(PRINTED, grid, field, 0, RUSH, 1, 6, 6)
    assert (field.men[2].status, field.men[0].cell) == (DEAD, 5)
    assert field.men.kills.tolist() == [1, 0, 0]


def test_where_a_watch_is_placed() -> None:
    """D6 In sight, on the enemy's shortest way, where it comes to first: not the other, nearer passage."""
    rows = ["A . . . . . .", "", "# # . # # . #", "", ". . . . . . B"]
    grid = parse("\n".join(rows)).grid
    field = on(grid, {0: card()}, {18: card(weapon=None)})
    assert grid.sight[0, 18] == 0
    side(PRINTED, grid, field, 0, HOLD)
    assert field.men[0].marker == 2


def test_careful_steps_out_of_danger() -> None:
    """D2 With nothing to shoot at from anywhere it goes out of the enemy's sight; rush runs on."""
    rows = ["A . . . . . . . . .", "", ". . # . . . . . . .", "", ". . . . . . . . . B"]
    grid = parse("\n".join(rows)).grid
    field = on(grid, {10: card(weapon=None)}, {19: card(weapon=made(9, 20, 2, None), skill=6)})
    field.men[0].cell, field.who[10], field.who[20] = 20, 0, 1
    side(PRINTED, grid, field, 0, CAREFUL)
    assert grid.sight[field.men[0].cell, 19] == 0


# ── whole fights ──────────────────────────────────────────────────────────────────────────────────────────────────────


def corridor() -> Board:
    """Six cells from one end to the other: a run and a blow."""
    return parse("A . . . . . B\n\n. . . . . . .", name="corridor")


def course(mine: list[Fighter], theirs: list[Fighter], bots_: tuple[int, int], ground: Board | None = None) -> Course:
    return Course(PRINTED, ground or corridor(), (mine, theirs), bots_)


def figures(found: Course, trials: int = 4, seed: int = 1) -> dict[str, float]:
    counts = found.sampler(seed)(0, trials, None, None)
    return {
        reading.name: float((counts * reading.values).sum() / trials)
        for reading in found.readings()
        if reading.kind != "distribution"
    }


def test_the_melee_lock_is_seen_and_scored() -> None:
    """RULING 22 A lone fist reaches a lone man without a weapon: he stands up and is struck down for ever."""
    found = figures(course([card(weapon=None)], [card(weapon=None, armour=3)], (RUSH, HOLD)))
    assert (found["lock"], found["attacker_wins"], found["draw"]) == (1, 1, 0)
    two = figures(course([card(weapon=None), card(weapon=None)], [card(weapon=None)], (RUSH, HOLD), board("yard")))
    assert (two["lock"], two["attacker_wins"], two["mean_targets_left"]) == (0, 1, 0)


def test_a_standoff_is_a_draw() -> None:
    """Nobody can hurt anybody: seen after two equal rounds, long before the cap (RULING 35)."""
    found = course([card(weapon=None)], [card(weapon=None)], (HOLD, HOLD))
    assert figures(found)["standoff"] == 1
    assert found.turns.nonzero()[0].tolist() == [4]


def test_the_cap() -> None:
    """RULING 35 Undecided at the cap."""
    mine = [card(weapon=made(20, 30, 2, None), skill=1)]
    found = Course(PRINTED._replace(side_turns=1), corridor(), (mine, [card(weapon=None, armour=2)]), (HOLD, HOLD))
    assert figures(found, 400)["undecided"] > 0.9


def test_a_standing_duel_is_that_of_script_m1() -> None:
    """n = 40,000 fights of two who hold against the exact duel (mean of both beginnings); chi-square, alarm 1e-6."""
    from morsdei_sim.rulesets.moran.duel import duel

    one, other = gunner(4, "rifle", 0), gunner(3, "smg", 0)
    exact = duel(one, other, distance=6, first="both")
    n = 40_000
    found = course([one.card], [other.card], (HOLD, HOLD))
    seen = figures(found, n)
    expected = np.array([exact.value("attacker_wins"), exact.value("target_wins")]) * n
    counts = np.array([seen["attacker_wins"], seen["target_wins"]]) * n
    assert counts.sum() == pytest.approx(n)
    assert stats.chi2.sf(((counts - expected) ** 2 / expected).sum(), 1) > FALSE_ALARM
    mean = float((found.turns * np.arange(len(found.turns))).sum() / n)
    assert mean == pytest.approx(exact.value("mean_turns"), rel=0.05)


def test_who_begins_and_where_is_swapped() -> None:
    """RULING 15 Equal squads win equally often; n = 8,000 pairs, normal at 5 sigma (false alarm 6e-7)."""
    squad = cards_of("line")
    found = engagement.engagement(squad, squad, Run("sample", trials=8000, seed=3), board="yard")
    gap = found.value("attacker_wins") - found.value("target_wins")
    assert abs(gap) < 5 * 8000**-0.5
    assert found.value("first_side_advantage") > 0.2
    kills = [found.value(f"mean_kills_{side_}_{one.id}") for side_ in ("attacker", "target") for one in squad]
    left = found.value("mean_attackers_left") + found.value("mean_targets_left")
    assert sum(kills) == pytest.approx(8 - left, abs=1e-9)
    assert sum(found.distribution("turns").values()) == pytest.approx(1)
    low, high = found.interval("mean_turns")
    assert low < found.value("mean_turns") < high


def test_counts_depend_on_the_seed_alone() -> None:
    """One thread or two, whole or in two parts: the same integers."""
    squads = cards_of("line"), cards_of("storm")

    def counted(jobs: int) -> np.ndarray:
        run = Run("sample", trials=3000, seed=9, jobs=jobs)
        return engagement.engagement(*squads, run).weights

    whole = counted(1)
    assert (counted(2) == whole).all()
    found = Course(PRINTED, board("crossing"), squads, (CAREFUL, CAREFUL))
    sampler = found.sampler(9)
    with ThreadPoolExecutor(2) as pool:
        parts = sampler(0, 2048, pool, None) + sampler(2048, 952, None, None)
    assert (parts == whole).all()
    assert found.turns.sum() == 3000
    other = Run("sample", trials=3000, seed=10)
    assert (engagement.engagement(*squads, other).weights != whole).any()


def test_a_better_card_wins_more() -> None:
    """n = 4,000: skill 5 instead of 4 for both riflemen; the difference is beyond 5 sigma."""
    squad = cards_of("line/rifleman")
    better = [one.model_copy(update={"skill": 6, "armour": 2}) for one in squad]
    run = Run("sample", trials=4000, seed=2)
    plain = engagement.engagement(squad, squad, run).value("attacker_wins")
    assert engagement.engagement(better, squad, run).value("attacker_wins") > plain + 5 * (0.5 / 4000) ** 0.5


def test_one_fight_may_be_replayed_in_plain_python() -> None:
    """The compiled fight and the same procedures without the compiler end alike."""
    squads = cards_of("line"), cards_of("storm")
    found = Course(PRINTED, board("street"), squads, (CAREFUL, RUSH))
    for trial in (0, 3):
        counts = found.block(5, trial, 1)
        field, out = found._field(), walks(len(found.ground.grid.wall))
        dice = rolled(5, 4)._replace(trial=trial)
        end, lock, turns_ = engagement.fight(found.rules, dice, found.ground.grid, field, found.plan, out)
        assert counts.turns[turns_] == 1
        here = (end, lock, trial & 1, engagement.alive(field, 0), engagement.alive(field, 1))
        assert counts.ends[here] == 1


def test_engagements_are_checked() -> None:
    line = cards_of("line")
    with pytest.raises(UserError, match="sampled"):
        engagement.engagement("line", "storm", Run("exact"))
    with pytest.raises(UserError, match="at most 12"):
        engagement.engagement(line * 4, "storm")
    with pytest.raises(UserError, match="cells to deploy"):
        engagement.engagement(line, line, Run("sample", trials=10), board=corridor())  # type: ignore[arg-type]
    assert [one.id for one in cards_of("demo/moran+recruit+recruit")] == ["moran", "recruit", "recruit"]
