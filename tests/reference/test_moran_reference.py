"""The reference gives every number of chapter 9 of the atlas of `moran`, its vectors (V1-V34), and its rulings.

No printed value is in doubt: all 839 are reproduced, the 133 printed fractions exactly.
"""

import re
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from . import moran as reference
from .moran import KILL, NOTHING, WOUND, Fighter, Grid, Switches, Watcher, Weapon
from .moran_values import EXACT, FIGHTERS, VALUES, WEAPONS, close

OPEN = Grid(40, 40)
PISTOL = Weapon(5, 10, 2, 2)
MORAN = Fighter(5)
DISTANCE_OF_BAND = {"close": 3, "middle": 7, "far": 30}  # for the pistol

# How many values chapter 9 prints, by the first word of the key.
PRINTED = {
    "pool": 54, "succ": 108, "joint": 32, "empty": 45, "table": 252, "effect": 207, "effect_on_wounded": 3, "both": 36,
    "melee": 2, "area": 12, "watch": 20, "focus2": 4, "turns": 30, "standing": 16, "rush": 18,
}  # fmt: skip


def fighter(name: str) -> Fighter:
    return Fighter(FIGHTERS[name]["skill"], FIGHTERS[name]["armour"])


def weapon(name: str) -> Weapon:
    card = WEAPONS[name]
    return Weapon(card["near"], card["far"], card["lethality"], card["magazine"])


# ---- every key of chapter 9 -------------------------------------------------------------------------------------


def pool(near: str, far: str, distance: str, cover: str | None, defence: str | None, what: str) -> int:
    found = reference.pool(Weapon(int(near), int(far), 1), int(distance), int(cover or 0), int(defence or 0))
    return found.dice if what == "dice" else found.eaten


def succ(skill: str, dice: str, what: str) -> Fraction:
    chances: Counter = Counter()
    for (successes, _sixes), chance in reference.joint(int(skill), int(dice)).items():
        chances[successes] += chance
    return Fraction(1 - chances[0] if what == "at_least1" else chances[int(what.removeprefix("k"))])


def joint(skill: str, dice: str, successes: str, sixes: str) -> Fraction:
    return reference.joint(int(skill), int(dice))[int(successes), int(sixes)]


def empty(band: str, cover: str, magazine: str) -> Fraction:
    gun = Weapon(5, 10, 2, int(magazine))
    shots = [reference.shot(Fighter(s), gun, DISTANCE_OF_BAND[band], 0, cover=int(cover)) for s in range(1, 7)]
    (chance,) = {reference.empties(spread) for spread in shots}  # "any skill"
    return chance


def table(skill: str, dice: str, armour: str, lethality: str | None, what: str) -> Fraction:
    guns = [Weapon(5, 10, int(lethality))] if lethality else [Weapon(5, 10, lethal) for lethal in (1, 2, 3)]
    spreads = [reference.volley(int(skill), int(dice), 0, gun, int(armour), wounded=False) for gun in guns]
    (chance,) = {reference.chance_of(spread, what) for spread in spreads}  # nothing: the same for any lethality
    return chance


def effect(who: str, gun: str, distance: str, armour: str, cover: str, defence: str, what: str) -> Fraction:
    how = {"cover": int(cover), "defence": int(defence)}
    return reference.chance_of(reference.shot(fighter(who), weapon(gun), int(distance), int(armour), **how), what)


def effect_on_wounded(who: str, gun: str, distance: str, armour: str, what: str) -> Fraction:
    spread = reference.shot(fighter(who), weapon(gun), int(distance), int(armour), wounded=True)
    return reference.chance_of(spread, what)


def both(who: str, gun: str, distance: str, armour: str, what: str, magazine: str) -> Fraction:
    spread = reference.shot(fighter(who), weapon(gun), int(distance), int(armour))
    return spread.get((what, magazine == "empty"), Fraction(0))


def melee(what: str) -> Fraction:
    first = {"first_blow_wounds": reference.melee() == WOUND, "blow_on_wounded_kills": reference.melee(True) == KILL}
    return Fraction(first[what])


def area(damage: str, armour: str) -> Fraction:
    return Fraction(reference.blast(int(damage), int(armour)) == WOUND)


def watch(who: str, gun: str, distance: str, armour: str, cover: str, what: str, reading: str | None) -> Fraction:
    rules = Switches(recover_same_turn=reading != "stays_down")
    found = reference.watch(
        fighter(who), weapon(gun), int(distance), int(armour), cover=int(cover), rules=rules
    )  # fmt: skip
    return found[what]


def focus2(who: str, gun: str, distance: str, armour: str) -> Fraction:
    return reference.focus([(fighter(who), weapon(gun), int(distance))] * 2, int(armour))["dead"]


def turns(who: str, gun: str, distance: str, armour: str, cover: str, target: str) -> Fraction | None:
    return reference.lone_shooter(
        fighter(who), weapon(gun), int(distance), int(armour), cover=int(cover), stays_down=target == "stays_down"
    )


def standing(a: str, gun_a: str, b: str, gun_b: str, distance: str, cover: str, what: str) -> Fraction | None:
    fighters, guns, dice = (fighter(a), fighter(b)), (weapon(gun_a), weapon(gun_b)), (int(cover[0]), int(cover[1]))
    found = reference.standing_duel(fighters, guns, int(distance), dice)
    assert sum(found.endings.values()) == 1
    return found.turns if what == "turns" else found.endings[what]


def rush(who: str, gun: str, armour: str, distance: str, first: str, what: str) -> Fraction | None:
    found = reference.rush(
        fighter(who), weapon(gun), int(armour), int(distance), rusher_first=first == "rusher_first"
    )  # fmt: skip
    assert sum(found.endings.values()) == 1
    return found.turns if what == "turns" else found.endings[what]


CASE = r"([a-z]+)\.([a-z_]+)\.d(\d+)\.arm(\d)"
FORMS = {
    pool: r"pool\.(\d+)_(\d+)\.d(\d+)(?:\.cover(\d)\.def(\d))?\.(dice|eaten)",
    succ: r"succ\.skill(\d)\.n(\d)\.(k\d|at_least1)",
    joint: r"joint\.skill(\d)\.n(\d)\.succ(\d)\.six(\d)",
    empty: r"empty\.(close|middle|far)\.cover(\d)\.mag(\d)",
    table: r"table\.skill(\d)\.n(\d)\.arm(\d)(?:\.leth(\d))?\.(nothing|wound|kill)",
    effect: rf"effect\.{CASE}\.cover(\d)\.def(\d)\.(nothing|wound|kill)",
    effect_on_wounded: rf"effect_on_wounded\.{CASE}\.(kill)",
    both: rf"both\.{CASE}\.(nothing|wound|kill)\.(loaded|empty)",
    melee: r"melee\.(first_blow_wounds|blow_on_wounded_kills)",
    area: r"area\.dmg(\d)\.arm(\d)\.wounds",
    watch: rf"watch\.{CASE}\.cover(\d)\.(\w+)(?:\.(may_recover_at_once|stays_down))?",
    focus2: rf"focus2\.{CASE}\.kill",
    turns: rf"turns\.{CASE}\.cover(\d)\.(recovers|stays_down)",
    standing: r"standing\.([a-z]+)_([a-z_]+)\.([a-z]+)_([a-z_]+)\.d(\d+)\.cover(\d\d)\.(a_wins|turns)",
    rush: r"rush\.([a-z]+)\.([a-z_]+)\.arm(\d)\.d(\d+)\.(rusher_first|shooter_first)\.(rusher_dead|lock|turns)",
}


@pytest.mark.parametrize("key", VALUES)
def test_value_of_chapter_9(key: str) -> None:
    ((function, match),) = [(f, m) for f, form in FORMS.items() if (m := re.fullmatch(form, key))]
    value = function(*match.groups())
    assert close(value, VALUES[key]), (value and float(value), VALUES[key])
    if key in EXACT:
        assert value == EXACT[key]


def test_no_key_was_dropped() -> None:
    assert Counter(key.partition(".")[0] for key in VALUES) == PRINTED
    assert sum(PRINTED.values()) == len(VALUES) == 839
    assert len(EXACT) == 133
    assert EXACT.keys() <= VALUES.keys()
    assert sum(value is None for value in VALUES.values()) == 4


def test_close_is_close() -> None:
    assert close(Fraction(2, 3), 0.666667)
    assert not close(Fraction(2, 3), 0.666666)
    assert not close(Fraction(2, 3), 0.666668)
    assert close(None, None)
    assert not close(None, 0.0)
    assert not close(Fraction(0), None)
    assert not close(Fraction(10**7 + 1, 10**7), 1)


@pytest.mark.parametrize(("skill", "dice"), [(5, 4), (5, 3), (5, 2), (3, 4), (6, 4)])
def test_printed_joint_chances_are_all_there_are(skill: int, dice: int) -> None:
    printed = [key for key in EXACT if key.startswith(f"joint.skill{skill}.n{dice}.")]
    assert len(printed) == len(reference.joint(skill, dice))
    assert sum(EXACT[key] for key in printed) == 1


# ---- chapter 4: the vectors -------------------------------------------------------------------------------------

V2, V3, V5 = (1, 6, 3, 4), (1, 5, 3, 4), (2, 6)


@pytest.mark.parametrize(
    ("gun", "distance", "cover", "defence", "dice", "eaten"),
    [
        pytest.param((5, 10), 3, 0, 0, 4, 0, id="V1"),
        pytest.param((5, 10), 30, 0, 0, 2, 2, id="V4"),
        pytest.param((5, 10), 3, 1, 0, 3, 0, id="V6 near"),
        pytest.param((5, 10), 30, 1, 0, 1, 2, id="V6 far"),
        pytest.param((5, 10), 3, 2, 0, 2, 0, id="V7 near"),
        pytest.param((5, 10), 30, 2, 0, 0, 2, id="V7 far"),
        pytest.param((5, 10), 7, 0, 0, 3, 1, id="V14"),
        pytest.param((10, 20), 9, 0, 0, 4, 0, id="V16"),
        pytest.param((10, 20), 10, 0, 0, 3, 1, id="V17 first"),
        pytest.param((10, 20), 19, 0, 0, 3, 1, id="V17 last"),
        pytest.param((10, 20), 20, 0, 0, 2, 2, id="V18"),
        pytest.param((5, 10), 30, 2, 1, 0, 2, id="V26"),
    ],
)
def test_pool_vectors(gun: tuple, distance: int, cover: int, defence: int, dice: int, eaten: int) -> None:
    assert reference.pool(Weapon(*gun, 2, 2), distance, cover, defence) == (dice, eaten, eaten)


def test_rolls() -> None:
    """V2, V3, V5, V29."""
    assert reference.count(V2, 5) == (3, 1)
    assert reference.count(V3, 5) == (4, 0)
    assert reference.count(V5, 5) == (1, 1)
    assert reference.count((6, 6, 6, 6), 6) == (4, 4)
    assert reference.is_emptied(4, 0, 4)


@pytest.mark.parametrize(
    ("successes", "lethality", "armour", "wounded", "result"),
    [
        pytest.param(3, 2, 0, False, KILL, id="V8"),
        pytest.param(1, 2, 0, False, WOUND, id="V9"),
        pytest.param(3, 2, 1, False, KILL, id="V12"),
        pytest.param(1, 2, 1, False, NOTHING, id="V13"),
        pytest.param(1, 2, 0, True, KILL, id="V25"),
        pytest.param(1, 2, 1, True, NOTHING, id="V25 with armour (RULING 10)"),
        pytest.param(1, 1, 0, False, KILL, id="V30"),
        pytest.param(4, 3, 1, False, KILL, id="V32"),
        pytest.param(3, 3, 1, False, WOUND, id="RULING 8"),
        pytest.param(0, 1, 0, True, NOTHING, id="a miss"),
    ],
)
def test_effect_vectors(successes: int, lethality: int, armour: int, wounded: bool, result: str) -> None:
    assert reference.effect(successes, lethality, armour, wounded) == result


def test_magazine_vectors() -> None:
    """V10, V11, V31."""
    assert not reference.is_emptied(1, 0, 2)
    assert reference.is_emptied(1, 2, 2)
    middle = reference.pool(PISTOL, 7, cover=1)
    assert reference.count((6, 2)[: middle.dice], 5)[1] + middle.spent == 2
    assert reference.is_emptied(1, middle.spent, 2)
    assert not reference.is_emptied(0, middle.spent, 2)


def test_magazine_always_and_never() -> None:
    """V27, V28: far empties 2 every time, even with no dice (RULING 7); 5 never, nor does a weapon without a number."""
    for cover, defence in product(range(3), range(2)):
        far = reference.shot(MORAN, PISTOL, 30, 0, cover=cover, defence=defence)
        assert reference.empties(far) == 1
        for distance, magazine in product((3, 7, 30), (5, 9, None)):
            gun = Weapon(5, 10, 2, magazine)
            assert not reference.empties(reference.shot(MORAN, gun, distance, 0, cover=cover, defence=defence))
    assert reference.shot(MORAN, PISTOL, 30, 0, cover=2) == {(NOTHING, True): 1}


def test_melee_and_blast_vectors() -> None:
    """V20-V23; armour has no place in melee."""
    assert (reference.melee(), reference.melee(True)) == (WOUND, KILL)
    assert [reference.blast(2, armour) for armour in (1, 2, 3)] == [WOUND, NOTHING, NOTHING]
    assert [reference.blast(2, armour, wounded=True) for armour in (1, 2)] == [KILL, NOTHING]


def test_turn_vectors() -> None:
    """V19, R21: an action ends the turn, a wounded fighter recovers or lies."""
    assert reference.is_legal_turn(["movement", "attack"])
    assert reference.is_legal_turn(["attack"])
    assert reference.is_legal_turn(["movement", "second movement"])
    assert not reference.is_legal_turn(["attack", "movement"])
    assert not reference.is_legal_turn(["movement", "movement"])
    assert not reference.is_legal_turn(["movement", "attack", "watch"])
    assert reference.is_legal_turn([], wounded=True)
    assert reference.is_legal_turn(["recovery"], wounded=True)
    assert not reference.is_legal_turn(["movement", "recovery"], wounded=True)
    assert not reference.is_legal_turn(["recovery"])


def test_recovered_and_wounded_again() -> None:
    """V24: a target that recovers each turn is only ever wounded by a weapon that cannot kill at once."""
    once = reference.shot(MORAN, PISTOL, 30, 1)
    assert reference.chance_of(once, WOUND) > 0
    assert reference.chance_of(once, KILL) == 0
    assert reference.lone_shooter(MORAN, PISTOL, 30, 1) is None
    assert reference.lone_shooter(MORAN, PISTOL, 30, 1, stays_down=True) == EXACT[
        "turns.moran.moran_pistol.d30.arm1.cover0.stays_down"
    ]  # fmt: skip


@pytest.mark.parametrize(("centre", "legal"), [((11, 0), True), ((12, 0), False)], ids=["10", "11"])
def test_reach_of_a_throw(centre: tuple[int, int], legal: bool) -> None:
    """V33, RULING 26: the edge of S is one cell nearer than its centre."""
    assert min(reference.distance((0, 0), cell) for cell in reference.template("S", centre)) == (10 if legal else 11)
    assert reference.can_throw(OPEN, (0, 0), centre) is legal
    assert not reference.can_throw(OPEN._replace(walls=frozenset({(5, 0)})), (0, 0), centre)  # R43
    assert reference.can_throw(OPEN, (0, 0), centre, throw=11)
    with pytest.raises(ValueError, match="cone"):
        reference.can_throw(OPEN, (0, 0), centre, "C")


@pytest.mark.parametrize("wall", [(5, 6), (6, 5)])
def test_no_diagonal_round_a_corner(wall: tuple[int, int]) -> None:
    """V34; so no melee round it either (R38)."""
    grid = OPEN._replace(walls=frozenset({wall}))
    for a, b in [((5, 5), (6, 6)), ((6, 6), (5, 5))]:
        assert not reference.is_step(grid, a, b)
        assert not reference.can_melee(grid, a, b)
        assert reference.is_step(OPEN, a, b)


# ---- watch ------------------------------------------------------------------------------------------------------


def test_watch_and_a_second_target() -> None:
    """V14, V15: one attack with 3 dice at distance 7, then the marker is gone and nothing more happens."""
    path = [(10, 2), (10, 1), (10, 0)]
    watcher = Watcher(MORAN, Weapon(5, 10, 2), (3, 1), (10, 0))
    first = reference.walk(OPEN, path, 0, [watcher])
    shot = reference.shot(MORAN, Weapon(5, 10, 2), 7, 0)
    wanted = {
        ("up", 3, (True,), (False,)): reference.chance_of(shot, NOTHING),
        ("wounded", 2, (True,), (False,)): reference.chance_of(shot, WOUND),
        ("dead", 2, (True,), (False,)): reference.chance_of(shot, KILL),
    }
    assert first == wanted
    again = reference.walk(OPEN, path, 0, [watcher._replace(marker=None)])
    assert again == {("up", 3, (True,), (False,)): 1}


def test_watcher_who_cannot_attack_keeps_his_marker() -> None:
    """RULING 17: no line of fire, an empty weapon; RULING 18: leaving triggers nothing."""
    watcher = Watcher(MORAN, PISTOL, (3, 1), (10, 1))
    wall = OPEN._replace(walls=frozenset({(6, y) for y in range(40)}))
    assert reference.walk(wall, [(10, 2)], 0, [watcher]) == {("up", 1, (True,), (True,)): 1}
    assert reference.walk(OPEN, [(10, 2)], 0, [watcher._replace(loaded=False)]) == {("up", 1, (False,), (True,)): 1}
    assert reference.walk(OPEN, [(10, 3)], 0, [watcher]) == {("up", 1, (True,), (True,)): 1}


def test_two_watchers_of_one_cell() -> None:
    """RULING 20: the second shoots at what the first has left, even at a target lying; like two shooters of a turn."""
    rifleman, rifle = fighter("rifleman"), weapon("rifle")
    watchers = [Watcher(rifleman, rifle, (0, 0), (15, 0)), Watcher(rifleman, rifle, (0, 1), (15, 1))]
    walked = reference.walk(OPEN, [(15, 1)], 1, watchers)
    assert sum(walked.values()) == 1
    dead = sum(chance for (state, *_), chance in walked.items() if state == "dead")
    assert dead == EXACT["focus2.rifleman.rifle.d15.arm1.kill"]
    spared = {markers for (state, _, _, markers) in walked if state == "dead"}
    assert spared == {(False, True), (False, False)}  # nobody shoots at the dead


def test_the_fallen_are_left_alone() -> None:
    """RULING 19: a wounded mover goes no further, so the next zone is never entered; R28: who emptied his weapon."""
    gun = Weapon(5, 10, 9, 3)  # wounds at best; at 7 cells it is empty after two sixes of three dice
    watchers = [Watcher(MORAN, gun, (3, 1), (10, 0)), Watcher(MORAN, gun, (3, 4), (10, 4))]
    hit, hit_empty, miss_empty = Fraction(200, 216), Fraction(15, 216), Fraction(1, 216)  # 0 or 1, 2, 3 sixes
    assert reference.walk(OPEN, [(10, 1), (10, 2), (10, 3)], 0, watchers) == {
        ("wounded", 1, (True, True), (False, True)): hit,
        ("wounded", 1, (False, True), (False, True)): hit_empty,
        ("wounded", 3, (False, True), (False, False)): miss_empty * hit,
        ("wounded", 3, (False, False), (False, False)): miss_empty * hit_empty,
        ("up", 3, (False, False), (False, False)): miss_empty**2,
    }


def test_cover_of_the_entered_cell_counts() -> None:
    watcher = Watcher(fighter("rifleman"), weapon("rifle"), (0, 0), (15, 0))
    covered = reference.walk(OPEN, [(15, 0)], 1, [watcher], cover=lambda a, b: int((a, b) == ((0, 0), (15, 0))))
    up = sum(chance for (state, *_), chance in covered.items() if state == "up")
    assert up == EXACT["watch.rifleman.rifle.d15.arm1.cover1.walks_on"]


def test_wounded_on_his_second_movement_he_lies() -> None:
    """RULING 19."""
    key = "watch.rifleman.rifle.d15.arm1.cover0.dead_after_next_shot"
    case = (fighter("rifleman"), weapon("rifle"), 15, 1)
    second = reference.watch(*case, second_movement=True)
    assert second["dead_after_next_shot"] == EXACT[f"{key}.stays_down"]
    assert reference.watch(*case)["dead_after_next_shot"] == EXACT[f"{key}.may_recover_at_once"]


def test_a_wound_ends_defence() -> None:
    """RULING 14: the second shooter of a turn has his die back only if the first wounded."""
    case = (fighter("rifleman"), weapon("rifle"), 15)
    first = reference.shot(*case, 1, defence=1)
    wanted = reference.chance_of(first, KILL)
    wanted += reference.chance_of(first, NOTHING) * reference.chance_of(first, KILL)
    wanted += reference.chance_of(first, WOUND) * reference.chance_of(reference.shot(*case, 1, wounded=True), KILL)
    assert reference.focus([case] * 2, 1, defence=1)["dead"] == wanted
    assert reference.focus([case], 1, wounded=True)["dead"] == EXACT["effect_on_wounded.rifleman.rifle.d15.arm1.kill"]


# ---- switches ---------------------------------------------------------------------------------------------------


def test_switch_band_edge() -> None:
    rules = Switches(band_edge="far_inclusive")
    dice = [reference.pool(Weapon(10, 20, 2), d, rules=rules).dice for d in (9, 10, 19, 20, 21)]
    assert dice == [4, 3, 3, 3, 2]
    assert [reference.pool(Weapon(8, 8, 2), d).dice for d in (7, 8, 9)] == [4, 2, 2]
    assert [reference.pool(Weapon(8, 8, 2), d, rules=rules).dice for d in (7, 8, 9)] == [4, 3, 2]


def test_switch_cover_counts_as_six() -> None:
    """RULING 6: then every die of the four that is not rolled is a six, those lost to Defence too."""
    rules = Switches(cover_counts_as_six=True)
    assert reference.pool(PISTOL, 7, 1, 0, rules) == (2, 1, 2)
    assert reference.pool(PISTOL, 7, 1, 1, rules) == (1, 1, 3)
    assert reference.pool(PISTOL, 30, 2, 1, rules) == (0, 2, 4)
    assert reference.empties(reference.shot(MORAN, PISTOL, 7, 0, cover=1, rules=rules)) == 1


def test_switch_magazine_test() -> None:
    rules = Switches(magazine_test="exactly")
    assert [reference.is_emptied(sixes, 0, 2, rules) for sixes in range(5)] == [False, False, True, False, False]
    assert not reference.is_emptied(1, 2, 2, rules)  # the document's own example, against the document
    at_30 = reference.shot(MORAN, PISTOL, 30, 0, rules=rules)
    assert reference.empties(at_30) == Fraction(25, 36)  # no six of two dice


def test_switch_blast_hits_friends() -> None:
    zone = reference.template("S", (5, 5))
    men = {"thrower": ("a", (4, 4)), "friend": ("a", (6, 5)), "enemy": ("b", (5, 6)), "far": ("b", (7, 5))}
    assert reference.in_blast(zone, men, "a") == {"thrower", "friend", "enemy"}
    assert reference.in_blast(zone, men, "a", Switches(blast_hits_friends=False)) == {"enemy"}


def test_switch_diagonal_cost() -> None:
    dear = Switches(diagonal_cost="1-2-1-2")
    points = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 2), (-2, 5), (7, 0)]
    assert [reference.distance((0, 0), point) for point in points] == [1, 2, 3, 4, 5, 5, 7]
    assert [reference.distance((0, 0), point, dear) for point in points] == [1, 3, 4, 6, 6, 6, 7]


@pytest.mark.parametrize("rules", [Switches(), Switches(diagonal_cost="1-2-1-2")], ids=["1", "1-2-1-2"])
def test_open_ground_is_walked_by_the_distance(rules: Switches) -> None:
    walked = reference.reach(OPEN, (20, 20), 5, rules=rules)
    wanted = {cell: reference.distance((20, 20), cell, rules) for cell in product(range(40), repeat=2)}
    assert walked == {cell: cost for cell, cost in wanted.items() if cost <= 5}
    assert len(walked) == (121 if rules.diagonal_cost == 1 else 89)


# ---- the grid ---------------------------------------------------------------------------------------------------

ROOM = Grid(5, 5, frozenset({(1, 1), (2, 1), (3, 3)}))
FRIENDS, ENEMIES = {(1, 2), (4, 1)}, {(2, 3), (3, 1)}


def paths(grid: Grid, path: list, cells: int) -> list[list]:
    """Every chain of cells next to each other, by plain listing."""
    found = [path]
    if cells:
        x, y = path[-1]
        near = [(x + i, y + j) for i, j in product((-1, 0, 1), repeat=2) if i or j]
        inside = [cell for cell in near if 0 <= cell[0] < grid.width and 0 <= cell[1] < grid.height]
        found += [longer for cell in inside for longer in paths(grid, [*path, cell], cells - 1)]
    return found


@pytest.mark.parametrize("rules", [Switches(), Switches(diagonal_cost="1-2-1-2")], ids=["1", "1-2-1-2"])
def test_reach_is_the_shortest_of_all_legal_paths(rules: Switches) -> None:
    """In a room with walls, friends and enemies, every path of up to 4 cells listed."""
    who = {"friends": FRIENDS, "enemies": ENEMIES, "rules": rules}
    best: dict = {}
    for path in paths(ROOM, [(2, 2)], 4):
        if reference.is_legal_path(ROOM, path, 4, **who):
            cost = reference.path_cost(path, rules)
            best[path[-1]] = min(cost, best.get(path[-1], cost))
    assert reference.reach(ROOM, (2, 2), 4, **who) == dict(sorted(best.items()))
    assert not best.keys() & (FRIENDS | ENEMIES | ROOM.walls)


def test_reach_by_hand() -> None:
    """A wall with a gap: the corner costs a detour; friends are walked through, enemies are not."""
    corridor = Grid(7, 1)
    assert reference.reach(corridor, (0, 0), friends={(1, 0), (5, 0)}) == {(0, 0): 0, (2, 0): 2, (3, 0): 3, (4, 0): 4}
    assert reference.reach(corridor, (0, 0), enemies={(2, 0)}) == {(0, 0): 0, (1, 0): 1}
    assert reference.reach(corridor, (0, 0), cells=1, friends={(0, 0)}) == {(0, 0): 0, (1, 0): 1}  # himself
    corner = Grid(3, 3, frozenset({(1, 1)}))
    assert reference.reach(corner, (0, 1))[(1, 0)] == 2  # not 1: the diagonal would cut the corner
    assert reference.reach(corner, (0, 1))[(2, 1)] == 4
    assert reference.steps(corner, (0, 1)) == [(0, 0), (0, 2)]


def crosses(a: tuple, b: tuple, wall: tuple) -> bool:
    """Another way to see it: corners of the wall strictly on both sides of the line, and the boxes overlap."""
    corners = [(2 * wall[0] + i, 2 * wall[1] + j) for i, j in product((-1, 1), repeat=2)]
    (ax, ay), (bx, by) = (2 * a[0], 2 * a[1]), (2 * b[0], 2 * b[1])
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in corners]
    overlap = all(max(p, q) > 2 * w - 1 and min(p, q) < 2 * w + 1 for p, q, w in ((ax, bx, wall[0]), (ay, by, wall[1])))
    return min(sides) < 0 < max(sides) and overlap


def test_line_of_fire_of_every_pair() -> None:
    """RULING 24 in 7 by 5 cells, one wall at (3, 2)."""
    wall, blocked = (3, 2), 0
    grid = Grid(7, 5, frozenset({wall}))
    free = [cell for cell in product(range(7), range(5)) if cell != wall]
    for a, b in product(free, repeat=2):
        if a != b:
            assert reference.line_of_fire(grid, a, b) is not crosses(a, b, wall), (a, b)
            assert reference.line_of_fire(grid, a, b) is reference.line_of_fire(grid, b, a)
            blocked += not reference.line_of_fire(grid, a, b)
    assert 0 < blocked < len(free) ** 2


def test_line_of_fire_by_hand() -> None:
    grid = Grid(9, 9, frozenset({(4, 4)}))
    assert not reference.line_of_fire(grid, (0, 4), (8, 4))
    assert not reference.line_of_fire(grid, (3, 3), (5, 5))
    assert reference.line_of_fire(grid, (3, 4), (4, 5))  # touches the corner only
    assert reference.line_of_fire(grid, (3, 3), (5, 3))
    assert not reference.line_of_fire(grid, (2, 3), (6, 5))
    assert reference.line_of_fire(grid, (5, 4), (8, 4))  # the wall is behind
    assert not reference.line_of_fire(grid, (0, 4), (4, 4))  # into the wall itself
    two = Grid(9, 9, frozenset({(3, 4), (4, 3)}))
    assert reference.line_of_fire(two, (3, 3), (4, 4))  # between two walls that meet at a corner


@pytest.mark.parametrize(("size", "cells", "edge"), [("S", 9, 1), ("M", 25, 2), ("L", 49, 3)])
def test_square_templates(size: str, cells: int, edge: int) -> None:
    zone = reference.template(size, (10, 20))
    assert len(zone) == cells
    assert {max(abs(x - 10), abs(y - 20)) for x, y in zone} == set(range(edge + 1))


@pytest.mark.parametrize("direction", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_cone(direction: tuple[int, int]) -> None:
    x, y = direction
    zone = reference.template("C", (10, 10), direction)
    ahead = Counter((a - 10) * x + (b - 10) * y for a, b in zone)
    assert ahead == {1: 1, 2: 1, 3: 3, 4: 3, 5: 5}
    assert sum((a - 10) * y + (b - 10) * x for a, b in zone) == 0  # as wide to either side
    assert (10, 10) not in zone
    with pytest.raises(ValueError, match="cone"):
        reference.template("C", (10, 10), (1, 1))


# ---- the scripts beyond the printed cases -----------------------------------------------------------------------


def test_chain_of_coins() -> None:
    """Until the first head: two turns on average; a fight that can last for ever has no length."""
    half = Fraction(1, 2)
    assert reference.play(0, lambda s: {"head": half, 0: half}) == ({"head": 1}, 2)
    lost = {0: {"head": half, 1: half}, 1: {1: Fraction(1)}}
    assert reference.play(0, lost.__getitem__) == ({"head": half}, None)
    assert reference.play(0, lambda s: {0: Fraction(1)}) == ({}, None)
    third = Fraction(1, 3)  # up or down by one, twice as likely up, from 1 of 3: the ruin of a gambler
    up_down = lambda s: {("won" if s == 2 else s + 1): 2 * third, ("lost" if s == 1 else s - 1): third}  # noqa: E731
    assert reference.play(1, up_down) == ({"won": Fraction(4, 7), "lost": Fraction(3, 7)}, Fraction(15, 7))


def test_duel_that_cannot_end() -> None:
    """No dice on either side (far band, full cover)."""
    found = reference.standing_duel((MORAN, MORAN), (PISTOL, PISTOL), 30, (2, 2))
    assert found == ({"a_wins": 0, "b_wins": 0}, None)


def test_duel_of_skill_six() -> None:
    """Every die a success: who begins wins in one turn, unless armour leaves one net success."""
    sure = Fighter(6)
    assert reference.standing_duel((sure, sure), (PISTOL, PISTOL), 3) == ({"a_wins": 1, "b_wins": 0}, 1)
    mail = Fighter(6, 3)
    found = reference.standing_duel((mail, mail), (Weapon(5, 10, 2),) * 2, 3)
    assert found == ({"a_wins": 0, "b_wins": 0}, None)  # wound, recovery, wound, ... for ever


def test_rush_from_six_cells_and_nearer() -> None:
    """The rusher strikes at once from 6 cells; an empty shooter beside him has locked him (RULING 22)."""
    rifleman, rifle = fighter("rifleman"), weapon("rifle")
    for near in (1, 2, 6):
        assert reference.rush(rifleman, rifle, 0, near) == ({"rusher_dead": 0, "lock": 1}, 1)
    blunt = Weapon(1, 1, 6, 1)  # 2 dice, never kills, always empties
    for far, ending, turns in ((17, "lock", 6), (12, "lock", 4), (7, "lock_by_shooter", 3)):
        found = reference.rush(Fighter(1), blunt, 2, far, rusher_first=False)
        assert found == ({"rusher_dead": 0, "lock": 0} | {ending: 1}, turns)
