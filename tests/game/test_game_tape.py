"""The atlas's worked examples and rulings about turns, movement, contact, Overwatch, Contract and Loot, on the engine:
positions set up by hand, and battles in which both players answer from lists. Bases are one inch wide: middles two
inches apart are a gap of exactly one."""

from __future__ import annotations

import math

import pytest
from battle_tools import (
    ACTIVATE,
    BLADE,
    CONTRACT,
    END,
    NEVER,
    PISTOL,
    REACT,
    RIFLE,
    Scene,
    arm,
    only,
    plain,
    short,
    soldier,
)
from referee import audit
from small_board import block

from morsdei_sim.rulesets.morsdei.game import hooks
from morsdei_sim.rulesets.morsdei.game.chronicle_dice import Roll
from morsdei_sim.rulesets.morsdei.game.exchanges import REDIRECTED, SHOT
from morsdei_sim.rulesets.morsdei.game.legal import AIM, FALL_BACK, LOOT, MELEE, MOVE, OVERWATCH, SHOOT, option
from morsdei_sim.rulesets.morsdei.game.places import radius_of
from morsdei_sim.rulesets.morsdei.game.prepared import Options
from morsdei_sim.rulesets.morsdei.rules import PRINTED

DEADLY = [arm("ranged", 10, 2, 100), arm("pistol", 10, 2, 100), arm("melee", 10, 2, 100)]
"""Misses with ten dice at 2+: once in sixty million."""
HARMLESS = [arm("ranged", 0, 6, 0), arm("pistol", 0, 6, 0), arm("melee", 0, 6, 0)]


def duo(spot=None, *, one=None, two=None, **more):
    """One soldier against another."""
    return Scene(spot or plain(), [one or soldier()], [two or soldier()], **more)


# ── contact, the stock of points ──────────────────────────────────────────────────────────────────────────────────────


def test_tv1_within_one_inch() -> None:
    """E5, E6, B2: a gap of exactly 1 is contact and may be fought over, one of 1.5 is not."""
    scene = duo().stand((4, 6), (6, 6)).activate(0)
    assert scene.in_contact(0)
    assert scene.in_contact(1)
    assert scene.may(0, MELEE, BLADE, 1)
    scene.stand((4, 6), (6.5, 6)).activate(0)
    assert not scene.in_contact(0)
    assert not scene.may(0, MELEE, BLADE, 1)


@pytest.mark.parametrize(
    ("card", "most", "debt", "apl"),
    [(4, 3, 1, 3), (1, 4, 2, 0), (3, 4, 1, 2), (4, 4, 0, 4), (1, 4, 1, 0)],
)
def test_tv6_the_sum_is_clamped_once(card, most, debt, apl) -> None:
    """A2: 4 less the debt is 3 under a limit of 3 (clamped before it would be 2); 1 less 2 is 0; the marker is gone."""
    rules = PRINTED._replace(max_apl=most, prone_debt=debt)
    scene = duo(one=soldier(apl=card), rules=rules).stand((4, 6), (20, 6))
    scene.now["prone"][0] = 1
    scene.turns(1)
    assert (scene.events[0]["apl"], scene.events[0]["debt"]) == (apl, 1)
    assert scene.now["prone"][0] == 0
    scene.stand((4, 6), (20, 6)).turns(1)
    assert only(scene.events, "activated")[-1]["apl"] == min(card, most)


def test_tv20_no_points_but_activated() -> None:
    """P6: APL 1 less the debt: nothing is asked of the fighter, it is activated, the marker is gone."""
    scene = duo(one=soldier(apl=1)).stand((4, 6), (20, 6))
    scene.now["prone"][0] = 1
    scene.acts(0, scene.move((5, 6))).turns(1)
    assert [row["event"] for row in scene.events] == ["activated", "finished"]
    assert scene.events[0]["apl"] == 0
    assert (scene.now["prone"][0], scene.now["ready"][0], scene.now["turn"]) == (0, 0, 1)
    assert scene.now["decisions"] == 1  # whom to activate


def test_tv12_two_points_buy_two_actions() -> None:
    """R7, A4: Move and Shoot, Aim and Shoot; after Move and Aim no Shoot."""
    shot, aim = option(SHOOT, RIFLE, 1), option(AIM, RIFLE, -1)
    for acts, told in (
        (["move", shot], ["moved", "shot"]),
        ([aim, shot], ["aimed", "shot"]),
        (["move", aim, shot], ["moved", "aimed"]),
        ([shot, shot, shot], ["shot", "shot"]),
    ):
        scene = duo().set_up((6, 4), (6, 9))
        log = scene.acts(0, *(scene.move((6, 5)) if act == "move" else act for act in acts)).play()
        assert short(log) == ["round", "a0", *told, "f0", "a1", "f1", "over"]
        audit(log)
        scene.stand((6, 4), (6, 9)).activate(0, 0)
        assert not scene.may(0, SHOOT, RIFLE, 1)
        assert scene.activate(0, 1).may(0, SHOOT, RIFLE, 1)


# ── movement ──────────────────────────────────────────────────────────────────────────────────────────────────────────

TOWER = [block("climbable", 5, 0, 4, 6)]
STEPS = [block("climbable", 0, 0, 3, 6, 4.0), block("climbable", 3, 0, 2, 6, 2.0)]
CLIFF = [block("climbable", 0, 0, 3, 6, 4.0)]


@pytest.mark.parametrize(
    ("pieces", "start", "end", "inches"),
    [
        (TOWER, (4.5, 3), (6.5, 3, 3.0), 5.0),  # TV8: flush, up 3, 2 level
        (TOWER, (3.5, 3), (6.5, 3, 3.0), 6.0),  # an inch to the wall first
        (STEPS, (2.5, 3, 4.0), (5.5, 3), 3.0),  # TV9: down 2 and 2, both free
        (CLIFF, (2.5, 3, 4.0), (5.5, 3), 5.0),  # down 4 at once
    ],
    ids=["TV8-flush", "TV8-an-inch-away", "TV9-two-descents", "TV9-one-descent"],
)
def test_tv8_tv9_what_a_climb_and_a_descent_cost(pieces, start, end, inches) -> None:
    """M16, M18: exactly so many inches are enough, a twentieth less is not; one point is paid."""
    for move, enough in ((inches, True), (inches - 0.05, False)):
        scene = duo(plain(12, 6, *pieces), one=soldier(move=move)).stand(start, (11, 5)).activate(0)
        assert scene.may(0, MOVE, end) == enough
        if enough:
            scene.do(0, MOVE, end)
            assert (scene.events[-1]["event"], scene.events[-1]["length"]) == ("moved", 1000 * inches)
            assert scene.now["apl"] == 1
            assert scene.now["at"][0] == scene.at(end)


def test_tv10_a_jump_moves_the_whole_base() -> None:
    """M20: a gap of 2.5 under a base of 32 mm needs 3.76: no Contract movement reaches the other side."""
    r = radius_of(32)
    step = (2.5 + 2 * r) / 8
    blocks = [block("climbable", 0, 0, 8 + r, 6), block("climbable", 8 + r + 2.5, 0, 5, 6)]
    spot = plain(16, 6, *blocks, base=32.0, options=Options(step=step))
    start, near, end = (8, 3, 3.0), (8 + 7 * step, 3, 3.0), (8 + 8 * step, 3, 3.0)
    for move, reached in ((3.77, {near, end}), (3.7, {near}), (3.0, set())):
        scene = Scene(spot, [soldier(move=move, base=32)], [soldier(base=32)]).stand(start, None).activate(0)
        assert {there for there in (near, end) if scene.may(0, MOVE, there)} == reached
        scene.contract(0)
        assert not scene.may(0, MOVE, end)
        assert not scene.may(0, MOVE, near)


def test_tv11_a_contract_climb() -> None:
    """K4, K5: from flush against the wall up 2 and 1 level is 3: legal, unless an enemy is within 1 of the end."""
    spot = plain(12, 6, block("climbable", 5, 0, 4, 6, 2.0))
    for enemy, legal in (((8, 3, 2.0), True), ((7.5, 3, 2.0), False), ((7, 3, 2.0), False), ((11, 3), True)):
        scene = duo(spot).stand((4.5, 3), enemy).contract(0)
        assert scene.may(0, MOVE, (5.5, 3, 2.0)) == legal
        assert not scene.may(0, MOVE, (6, 3, 2.0))  # 3.5
    shorter = duo(spot, contract_move=2).stand((4.5, 3), (11, 3)).contract(0)
    assert not shorter.may(0, MOVE, (5.5, 3, 2.0))
    scene = duo(spot).stand((4.5, 3), (11, 3), ready=[1])
    scene.answers(0, CONTRACT, 0).acts(0, scene.move((5.5, 3, 2.0))).turns(1)
    assert [row["event"] for row in scene.events] == ["contract", "moved"]
    assert (scene.events[1]["action"], scene.events[1]["length"]) == (2, 3000)
    assert (scene.now["contracted"][0], scene.now["ready"][0], scene.now["turn"]) == (1, 0, 1)
    assert scene.now["active"] == -1


def test_tv13_contact_in_the_middle_of_a_path() -> None:
    """K5, M13: start and end further than 1 inch from an enemy, half an inch in the middle: no Contract, no Move of
    these 3 inches; with a wall between, or the enemy an inch further off, both."""
    wall = block("impassable", 0, 3.6, 14, 0.3)
    for pieces, enemy, legal in (((), (5.5, 3), False), ((), (5.5, 2), True), ((wall,), (5.5, 3), True)):
        scene = duo(plain(14, 8, *pieces), one=soldier(move=3)).stand((4, 4.5), enemy)
        assert scene.activate(0).may(0, MOVE, (7, 4.5)) == legal
        assert scene.contract(0).may(0, MOVE, (7, 4.5)) == legal
    # A Move of 6 goes round.
    assert duo(plain(14, 8)).stand((4, 4.5), (5.5, 3)).activate(0).may(0, MOVE, (7, 4.5))


def test_ruling_17_contact_may_grow_but_not_break() -> None:
    """M13: from one enemy on to two; never out of contact with the first, unless the way goes round it."""
    spot = plain(16, 8)
    for foes, end, move, legal in (
        (((6, 3.5), (8, 3.5)), (7, 5), 3, True),
        (((6, 3.5), (9, 3.5)), (9, 5), 5, False),
        (((6, 3.5), (9, 3.5)), (9, 5), 6, True),
    ):
        scene = Scene(spot, [soldier(move=move)], [soldier(2)]).stand((4, 5), *foes).activate(0)
        assert scene.may(0, MOVE, end) == legal
    scene = Scene(spot, [soldier(move=3)], [soldier(2)]).stand((4, 5), (6, 3.5), (8, 3.5)).activate(0)
    scene.do(0, MOVE, (7, 5))
    assert all(scene.may(0, MELEE, BLADE, foe) for foe in (1, 2))
    assert not scene.may(0, MOVE, (4, 5))  # M11


def test_ruling_18_the_end_is_measured_through_walls() -> None:
    """M25, K5: half an inch from an enemy behind a wall is no end of a Fall Back or a Contract, but one of a Move."""
    spot = plain(14, 8, block("impassable", 0, 3.6, 14, 0.3))
    near, far = (8, 4.5), (8, 5.5)
    scene = Scene(spot, [soldier()], [soldier(2)]).stand((4, 6), (4, 7.5), (8, 3)).activate(0)
    assert scene.in_contact(0)
    assert scene.may(0, FALL_BACK, far)
    assert not scene.may(0, FALL_BACK, near)
    scene.stand((6.5, 5.5), None, (8, 3)).activate(0)
    assert scene.may(0, MOVE, near)
    assert not scene.contract(0).may(0, MOVE, near)
    assert scene.may(0, MOVE, far)
    scene.activate(0).do(0, MOVE, near)
    assert not scene.in_contact(0)


PASSED = block("impassable", 4.6, 5.1, 3, 0.3)


@pytest.mark.parametrize(
    ("pieces", "other", "legal", "lost"),
    [
        ((), (6, 4.5), True, True), ((), (6, 6), False, False), ((), (6, 3.5), True, False),
        ((PASSED,), (6, 4.5), True, False),
    ],
    ids=["through-contact", "through-the-base", "past", "behind-a-wall"],
)  # fmt: skip
def test_ruling_19_36_a_fall_back_through_other_contacts(pieces, other, legal, lost) -> None:
    """Only its end is judged; a watcher passed within 1 inch, and not through a wall, loses its marker at once."""
    scene = Scene(plain(14, 8, *pieces), [soldier(move=4)], [soldier(2)])
    scene.stand((4, 6), (4, 7.5), other).activate(0)
    scene.now["watch"][2] = RIFLE
    assert scene.may(0, FALL_BACK, (8, 6)) == legal
    if legal:
        scene.do(0, FALL_BACK, (8, 6))
        assert [row["fighter"] for row in only(scene.events, "marker-lost")] == [2] * lost
        assert scene.now["watch"][2] == (-1 if lost else RIFLE)
        assert scene.now["apl"] == 0


def test_m26_a_fall_back_costs_two() -> None:
    scene = duo().stand((4, 6), (4, 7.5))
    assert scene.activate(0, 2).may(0, FALL_BACK, (8, 6))
    assert not scene.activate(0, 1).may(0, FALL_BACK, (8, 6))
    assert not scene.activate(0, 2).may(0, FALL_BACK, (5.5, 6.5))  # still in contact
    scene.stand((4, 6), (4, 9)).activate(0)
    assert not scene.may(0, FALL_BACK, (8, 6))  # M24


# ── actions ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a16_what_contact_leaves() -> None:
    """A16, A17, S7, K4: Melee, a pistol at an enemy in contact, Fall Back; in a Contract without the last."""
    scene = Scene(plain(), [soldier()], [soldier(2)]).stand((12, 6), (12, 7.5), (16, 6)).activate(0)
    close = {(SHOOT, PISTOL, 1), (MELEE, BLADE, 1)}
    assert set(scene.options(0)) == {(END, -1, -1), (FALL_BACK, -1, -1), *close}
    assert set(scene.contract(0).options(0)) == {(END, -1, -1), *close}
    assert not scene.may(0, LOOT, 1)  # it stands on point 1
    scene.stand((12, 6), None, (16, 6)).activate(0)
    free = {(SHOOT, RIFLE, 2), (SHOOT, PISTOL, 2), (MOVE, -1, -1)}
    calm = {(LOOT, 1, -1), *((action, w, -1) for action in (AIM, OVERWATCH) for w in (RIFLE, PISTOL))}
    assert set(scene.options(0)) == {(END, -1, -1), *free, *calm}
    assert set(scene.contract(0).options(0)) == {(END, -1, -1), *free}


def test_ruling_25_staying_is_no_option() -> None:
    scene = duo().stand((4, 6), (20, 6)).activate(0)
    assert not scene.may(0, MOVE, (4, 6))
    assert not scene.contract(0).may(0, MOVE, (4, 6))


def test_ruling_26_once_an_activation() -> None:
    """A7: Loot, Fall Back, Aim and Overwatch once, whatever the points; Move, Shoot and Melee again and again."""
    spot = plain(loot=((4.0, 6.0), (5.0, 6.0), (20.0, 6.0)))
    scene = duo(spot).stand((4.5, 6), (4.5, 9)).activate(0, 8)
    for action, a, again in ((AIM, RIFLE, PISTOL), (OVERWATCH, RIFLE, PISTOL), (LOOT, 0, 1)):
        scene.do(0, action, a)
        assert not scene.may(0, action, a)
        assert not scene.may(0, action, again)
        used = int(scene.now["used"])
        scene.now["used"] = 0
        assert scene.may(0, action, again)
        scene.now["used"] = used
    for action, a, b in ((SHOOT, RIFLE, 1), (SHOOT, RIFLE, 1), (MOVE, (5.5, 6), -1), (MOVE, (4.5, 7.5), -1)):
        scene.do(0, action, a, b)
    scene.activate(0, 8).do(0, MELEE, BLADE, 1).do(0, MELEE, BLADE, 1).do(0, FALL_BACK, (9, 6))
    scene.now["at"][0] = scene.at((4.5, 7.5))
    assert scene.now["apl"] == 4
    assert not scene.may(0, FALL_BACK, (9, 6))
    scene.now["used"] = 0
    assert scene.may(0, FALL_BACK, (9, 6))


@pytest.mark.parametrize(
    ("before", "weapons", "aimed"),
    [
        ([(AIM, RIFLE)], [RIFLE, RIFLE], [1, 0]),
        ([(AIM, RIFLE), (MOVE, (5, 6)), (OVERWATCH, PISTOL), (LOOT, 0)], [RIFLE], [1]),
        ([(AIM, RIFLE)], [PISTOL, RIFLE], [0, 0]),
        ([(AIM, PISTOL)], [PISTOL, PISTOL], [1, 0]),
        ([(AIM, PISTOL), (MOVE, (10, 7.5))], [PISTOL, PISTOL], [1, 0]),
        ([], [RIFLE], [0]),
    ],
)
def test_ruling_28_the_life_of_an_aim(before, weapons, aimed) -> None:
    """S3: it outlives Move, Loot, Overwatch and entering contact; the first Shoot consumes it, whatever is shot."""
    scene = duo(plain(loot=((4.5, 6.0), (12.0, 6.0), (18.0, 6.0)))).stand((6, 6), (10, 9)).activate(0, 9)
    for action, a in before:
        scene.do(0, action, a)
    for w in weapons:
        scene.do(0, SHOOT, w, 1)
    assert [row["aimed"] for row in only(scene.events, "shot")] == aimed


def test_ruling_28_an_aim_ends_with_its_activation() -> None:
    """S3, R7 step 4; and a pistol aimed in contact has its printed Hit (RULING 3)."""
    scene = duo(rounds=2).set_up((6, 4), (6, 9))
    log = scene.acts(0, option(AIM, RIFLE, -1), END, option(SHOOT, RIFLE, 1)).play()
    (shot,) = only(log, "shot")
    assert (shot["round"], shot["aimed"], shot["hit"]) == (2, 0, 4)
    audit(log)
    scene = duo().set_up((6, 5), (6, 9))
    close = scene.move((6, 7)), option(SHOOT, PISTOL, 1)
    (shot,) = only(scene.acts(0, *close).play(), "shot")
    assert (shot["hit"], shot["in_contact"], shot["aimed"]) == (5, 1, 0)
    scene = duo(one=soldier(apl=3)).set_up((6, 5), (6, 9))
    (shot,) = only(scene.acts(0, option(AIM, PISTOL, -1), *close).play(), "shot")
    assert (shot["hit"], shot["in_contact"], shot["aimed"]) == (4, 1, 1)


# ── friendly fire ─────────────────────────────────────────────────────────────────────────────────────────────────────

LOW, TALL = block("low", 10, 6.9, 0.6, 0.5, 0.8), block("impassable", 10, 6.9, 0.6, 0.9)
SHOOTER, ENEMY, X, Y = (1, 6), (11, 6), (11.5, 7.5), (12.5, 5)


def shots(scene, places, games, w=PISTOL, target=3):
    """The same shot in many games: the rows, with the face of the friendly-fire die of each."""
    key, found = int(scene.men[0]["key"]), []
    for game in range(games):
        scene.stand(*places).activate(0)
        scene.now["game"], scene.now["events"] = game, 0
        scene.now["rolls"][:] = 0
        scene.do(0, SHOOT, w, target)
        row = only(scene.events, "shot")[0]
        found.append((row, Roll(scene.seed, game, 1, key, SHOT, row["roll"]).die(REDIRECTED)))
    return found


def test_tv16_the_list_of_allies() -> None:
    """F2, F4, F7: the enemy is at 9, ally X at 9.6 and Y at 10.5, both in contact with it; a pistol's list is X alone;
    1-3 hits X, whose own cover counts, 4-6 the enemy, who has none. 40 games."""
    scene = Scene(plain(24, 12, LOW), [soldier(3)], [soldier()])
    scene.stand(SHOOTER, X, Y, ENEMY)
    gaps = [math.dist(SHOOTER, point) - 1 for point in (ENEMY, X, Y)]
    assert gaps[0] == 9
    assert 9.5 < gaps[1] <= 10 < gaps[2] < 10.6
    assert scene.in_contact(1)
    assert scene.in_contact(2)
    rows = shots(scene, (SHOOTER, X, Y, ENEMY), 40)
    for row, face in rows:
        assert row["allies"] == 1 << 1
        assert row["target"] == (1 if face <= 3 else 3)
        assert row["cover"] == (row["target"] == 1)
    assert {row["target"] for row, _face in rows} == {1, 3}
    # A rifle has no limit: both.
    assert {row["allies"] for row, _face in shots(scene, (SHOOTER, X, Y, ENEMY), 10, RIFLE)} == {0b110}


@pytest.mark.parametrize(
    ("pieces", "places"),
    [((TALL,), (SHOOTER, X, Y, ENEMY)), ((), (SHOOTER, (12.5, 7), Y, ENEMY)), ((), (SHOOTER, (14, 6), Y, ENEMY))],
    ids=["hidden", "out-of-range", "out-of-contact"],
)
def test_tv16_an_empty_list(pieces, places) -> None:
    """F3: X hidden, out of Range or out of contact too: no die, the enemy is the target. 20 games."""
    scene = Scene(plain(24, 12, *pieces), [soldier(3)], [soldier()])
    rows = shots(scene, places, 20)
    assert {(row["allies"], row["target"]) for row, _face in rows} == {(0, 3)}
    assert any(face <= 3 for _row, face in rows)


def test_tv17_each_ally_alike() -> None:
    """F4, F5: n = 1,000 shots with a rifle: 1-3 redirects, to either ally with the same chance. Binomial at 4 sigma,
    twice: one false alarm in 8,000."""
    scene = Scene(plain(), [soldier(3)], [soldier()])
    n = 1000
    rows = shots(scene, (SHOOTER, X, Y, ENEMY), n, RIFLE)
    assert all((row["target"] == 3) == (face > 3) for row, face in rows)
    redirected = [row["target"] for row, _face in rows if row["target"] != 3]
    assert abs(len(redirected) - n / 2) <= 4 * math.sqrt(n) / 2
    assert abs(redirected.count(1) - len(redirected) / 2) <= 4 * math.sqrt(len(redirected)) / 2


# ── loot ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

POINTS = ((4.7, 4.0), (12.0, 4.0), (16.0, 4.0))


def test_tv25_loot() -> None:
    """L3-L6: from 0.8 for one point; once a round and side; the enemy too, once the point is not contested."""
    spot = plain(20, 8, loot=POINTS)
    scene = Scene(spot, [soldier(2)], [soldier()])
    scene.stand((6, 4), (18, 4), (18, 7)).activate(0)
    scene.do(0, LOOT, 0)
    assert (scene.now["apl"], scene.now["vp"].tolist(), scene.now["looted"][0].tolist()) == (1, [1, 0], [1, 0])
    scene.activate(0)
    assert not scene.may(0, LOOT, 0)
    scene.stand((18, 4), (6, 4), (3.5, 4)).activate(1)
    assert not scene.may(1, LOOT, 0)  # another fighter of the side
    scene.now["turn"] = 1
    scene.activate(2)
    assert not scene.may(2, LOOT, 0)  # contested by fighter 1
    scene.now["at"][1] = scene.at((10, 4))
    scene.do(2, LOOT, 0)
    assert scene.now["vp"].tolist() == [1, 1]
    for point, reach in (((6, 4), True), ((6.5, 4), False), ((4.5, 4), True)):
        scene.stand(point, None, (18, 7)).activate(0)
        scene.now["looted"][:] = 0
        assert scene.may(0, LOOT, 0) == reach  # a base over the middle is within reach (RULING 58)
    scene.stand((6, 4), None, (7.5, 4)).activate(0)
    assert not scene.may(0, LOOT, 0)  # in contact


def test_tv25_loot_markers_go_with_the_round() -> None:
    """R3, L6: the same side gains from the same point in the next round; the enemy in the same round after it left."""
    scene = duo(plain(20, 8, loot=POINTS), rounds=2).set_up((6, 3.5), (3.5, 7)).first(0)
    scene.acts(0, option(LOOT, 0, -1), scene.move((12, 3.5)))
    log = scene.acts(1, scene.move((3.5, 4.5)), option(LOOT, 0, -1), option(LOOT, 0, -1)).play()
    assert [(row["round"], row["fighter"], row["vp"]) for row in only(log, "looted")] == [
        (1, 0, [1, 0]), (1, 1, [1, 1]), (2, 1, [1, 2]),
    ]  # fmt: skip
    assert (log[-1]["result"], log[-1]["vp"]) == (2, [1, 2])
    assert audit(log)["L5"] == 3


def test_tv26_a_wall_hides_the_marker() -> None:
    """L2, L4: an enemy 0.8 away behind a wall neither loots nor contests; one who sees part of the marker does."""
    spot = plain(12, 9, block("impassable", 2, 4.9, 4, 0.1), loot=((4.0, 4.2), (9.0, 4.5), (11.0, 4.5)))
    scene = duo(spot).stand((5, 3.5), (4, 5.5)).activate(0)
    assert math.dist((4, 4.2), (4, 5.5)) - 0.5 == pytest.approx(0.8)
    assert scene.may(0, LOOT, 0)
    assert not scene.activate(1).may(1, LOOT, 0)
    scene.stand((5, 3.5), (3, 4)).activate(0)
    assert not scene.in_contact(0)
    assert not scene.may(0, LOOT, 0)
    assert not scene.activate(1).may(1, LOOT, 0)
    assert scene.stand(None, (3, 4)).activate(1).may(1, LOOT, 0)


# ── Overwatch ─────────────────────────────────────────────────────────────────────────────────────────────────────────

WATCH, AIMED = option(OVERWATCH, RIFLE, -1), option(AIM, RIFLE, -1)


def watched(spot=None, **more):
    """Two watchers against one who moves and shoots, and one who idles; the first reaction is not used."""
    scene = Scene(spot or plain(), [soldier(2)], [soldier(2)], **more)
    scene.set_up((6, 3), (10, 3), (8, 10), (20, 10)).first(0)
    scene.acts(0, AIMED, WATCH).acts(1, AIMED, WATCH)
    scene.acts(2, scene.move((8, 8)), option(SHOOT, RIFLE, 0))
    return scene.answers(1, ACTIVATE, 3, 2).answers(0, REACT, -1, 1)


def test_tv15_tv30_overwatch() -> None:
    """O2-O10, O14: after both actions one of two watchers fires, Hit one worse, not aimed; the other keeps its
    marker."""
    scene = watched()
    log = scene.play()
    assert short(log) == [
        "round", "a0", "aimed", "watches", "f0", "a3", "f3", "reaction None", "a1", "aimed", "watches", "f1",
        "a2", "moved", "shot", "f2", "reaction 1", "shot", "over",
    ]  # fmt: skip
    shot = only(log, "shot")[1]
    assert (shot["fighter"], shot["how"], shot["declared"], shot["hit"], shot["aimed"]) == (1, "overwatch", 2, 5, 0)
    assert [row["candidates"] for row in only(log, "reaction")] == [[0], [0, 1]]
    assert scene.now["watch"][:2].tolist() == [RIFLE, -1]
    assert audit(log)["O9"] == 1


def test_tv15_cover_and_prone_against_overwatch() -> None:
    """O7, P5: it ends behind a barricade and goes prone: 3 + 1 + 1 Defence Dice. The first of 60 games that shows
    it."""
    scene = watched(plain(24, 12, block("low", 7, 7, 2, 0.4, 0.8)), prices=(NEVER, 0.0))
    for game in range(60):
        log = scene.play(game)
        shot = only(log, "shot", how="overwatch")[0]
        assert shot["cover"] == 1
        assert len(shot["defence"]) == (3 + 1 + shot["goes_prone"] if shot["normals"] + shot["crits"] else 0)
        if shot["goes_prone"]:
            assert audit(log)["P5"] >= 1
            return
    raise AssertionError("nobody went prone")


def test_o11_an_unused_marker() -> None:
    """R4, R7 step 1: it outlives the round and goes when its owner is activated, before the points are counted."""
    scene = duo(rounds=2).set_up((6, 4), (6, 9)).first(0).acts(0, WATCH, END, END)
    log = scene.answers(0, REACT, -1, -1, -1).play()
    assert [row["watch"] for row in only(log, "activated", fighter=0)] == [0, 1]
    # Round two: fighter 1 is first and may still be fired at; after fighter 0 was activated nobody is asked.
    assert [(row["round"], row["candidates"]) for row in only(log, "reaction")] == [(1, [0]), (2, [0])]
    assert audit(log)["R4"] == 1


@pytest.mark.parametrize("ready", [[0, 1], [0], []])
def test_ruling_27_36_a_watcher_may_go_on(ready) -> None:
    """After Overwatch it moves and shoots and keeps its marker; entering contact costs both markers, on both sides."""
    scene = duo().stand((6, 6), (10, 6), ready=ready).activate(0, 9)
    scene.now["watch"][1] = PISTOL
    scene.do(0, OVERWATCH, RIFLE).do(0, MOVE, (7, 6)).do(0, SHOOT, RIFLE, 1)
    assert scene.now["watch"][:2].tolist() == [RIFLE, PISTOL]
    scene.do(0, MOVE, (8, 6))  # a gap of exactly 1
    assert scene.now["watch"][:2].tolist() == [-1, -1]
    assert sorted(row["fighter"] for row in only(scene.events, "marker-lost")) == [0, 1]


def test_ruling_36_no_contact_through_a_wall() -> None:
    """A move to within 1 inch of a watcher behind a wall leaves its marker."""
    scene = duo(plain(24, 12, block("impassable", 8.8, 4, 0.3, 4))).stand((6, 6), (10, 6)).activate(0)
    scene.now["watch"][1] = RIFLE
    scene.do(0, MOVE, (8, 6))
    assert not scene.in_contact(0)
    assert scene.now["watch"][1] == RIFLE


@pytest.mark.parametrize(
    ("watcher", "weapon", "target", "ready", "may"),
    [
        ((4, 6), RIFLE, (16, 6), True, True),
        ((4, 6), RIFLE, (16, 6), False, True),
        ((4, 6), PISTOL, (16, 6), True, False),  # a gap of 11
        ((4, 6), PISTOL, (15, 6), True, True),  # exactly 10
        ((4, 6), -1, (16, 6), True, False),
        ((4, 6), RIFLE, (5.5, 6), True, False),  # in contact
        ((4, 6), PISTOL, (5.5, 6), True, False),
        ((20, 9), RIFLE, (20, 3), True, False),  # the third fighter stands in between
        (None, RIFLE, (16, 6), True, False),
    ],
)
def test_ruling_35_who_may_react(watcher, weapon, target, ready, may) -> None:
    """O2, O3, O12, S6, V5: ready or activated, alive, out of contact, its weapon in Range of a valid target."""
    scene = Scene(plain(), [soldier(2)], [soldier()]).stand(watcher, (20, 6), target)
    scene.now["watch"][0], scene.now["ready"][0] = weapon, ready
    found = hooks.may_react.compiled(scene.world.record, scene.state.record, 0, 2)
    assert bool(found) == may


def test_ruling_35_no_window_after_a_contract() -> None:
    """O15: the Contract movement of an enemy in sight of a watcher is not answered, its activation was."""
    scene = Scene(plain(), [soldier(2)], [soldier()]).set_up((6, 3), (10, 3), (8, 10)).first(0)
    scene.acts(0, WATCH).answers(0, REACT, -1, -1).answers(1, CONTRACT, 2).acts(2, END, scene.move((8, 9)))
    log = scene.play()
    assert short(log) == [
        "round", "a0", "watches", "f0", "a2", "f2", "reaction None", "a1", "f1", "over",
    ]  # fmt: skip
    scene = Scene(plain(), [soldier(3)], [soldier()]).set_up((6, 3), (10, 3), (14, 3), (8, 10)).first(0)
    scene.acts(0, WATCH).answers(0, REACT, -1, -1).answers(1, CONTRACT, 3).acts(3, END, scene.move((8, 9)))
    log = scene.play()
    assert short(log) == [
        "round", "a0", "watches", "f0", "a3", "f3", "reaction None", "a1", "f1", "contract 3", "moved", "a2", "f2",
        "over",
    ]  # fmt: skip
    assert audit(log)["K4"] == 1


def test_ruling_37_the_state_at_the_shot() -> None:
    """O7: Injury of the watcher, cover from its place and the allies beside the target as they are at the shot."""
    scene = Scene(plain(24, 12, LOW), [soldier(2)], [soldier()])
    scene.stand((1, 6), (11.5, 9), (14, 7.5), turn=1, ready=[2])
    scene.now["hp"][0], scene.now["watch"][0] = 9, RIFLE  # 9 of 20
    scene.acts(2, scene.move((11.5, 7.5))).answers(0, REACT, 0).turns(1)
    assert [row["event"] for row in scene.events] == ["activated", "moved", "finished", "reaction", "shot"]
    shot = scene.events[-1]
    assert (shot["injured"], shot["cover"], shot["allies"], shot["declared"]) == (1, int(shot["target"] == 2), 0b10, 2)
    scene.stand((1, 6), (20, 9), (14, 7.5), turn=1, ready=[2]).now["watch"][0] = RIFLE
    scene.now["events"] = 0
    scene.acts(2, scene.move((11.5, 7.5))).answers(0, REACT, 0).turns(1)
    shot = scene.events[-1]
    assert (shot["injured"], shot["cover"], shot["allies"], shot["target"]) == (0, 1, 0, 2)


def test_ruling_38_the_last_window() -> None:
    """R9: it is played before VP are compared: a side ahead by 1 is wiped out after the last activation."""
    scene = Scene(plain(), [soldier(weapons=DEADLY)], [soldier(defence=0)]).set_up((12, 2), (12, 8)).first(0)
    scene.acts(0, WATCH).answers(0, REACT, 0).acts(1, scene.move((12, 6)), option(LOOT, 1, -1))
    log = scene.play()
    assert short(log)[-6:] == ["looted", "f1", "reaction 0", "shot", "removed", "over"]
    assert (log[-1]["result"], log[-1]["wiped_out"], log[-1]["vp"]) == (0, 1, [0, 1])
    assert audit(log)["RULING 38"] == 1


@pytest.mark.parametrize(("rounds", "prone"), [(1, True), (2, False)])
def test_ruling_38_prone_is_free_at_the_end(rounds, prone) -> None:
    """A price that no die is worth is paid only where there is no next activation. 40 games."""
    scene = Scene(plain(), [soldier()], [soldier()], rounds=rounds, prices=(NEVER, 99.0)).set_up((6, 4), (6, 9))
    scene.first(0).acts(0, WATCH).answers(0, REACT, 0)
    shots_ = [only(scene.play(game), "shot")[0] for game in range(40)]
    assert {row["how"] for row in shots_} == {"overwatch"}
    assert any(row["goes_prone"] for row in shots_) == prone
    assert any(row["normals"] for row in shots_)


# ── the turn loop, Contracts ──────────────────────────────────────────────────────────────────────────────────────────


def ranks(many, few, **more):
    """So many of side 0 against so many of side 1, far apart."""
    scene = Scene(plain(), [soldier(many)], [soldier(few)], **more)
    return scene.set_up(*((2 + 3 * n, 2) for n in range(many)), *((2 + 3 * n, 10) for n in range(few)))


def test_tv14_two_windows() -> None:
    """K1, K2, K8: six against four, the four first: B1 A1 … B4 A4, a window, A5, a window of another fighter, A6."""
    scene = ranks(6, 4).first(1).answers(1, CONTRACT, 6, 8)
    scene.acts(6, END, scene.move((2, 9))).acts(8, END, scene.move((8, 7.5)))
    log = scene.play()
    assert short(log) == [
        "round", "a6", "f6", "a0", "f0", "a7", "f7", "a1", "f1", "a8", "f8", "a2", "f2", "a9", "f9", "a3", "f3",
        "contract 6", "moved", "a4", "f4", "contract 8", "moved", "a5", "f5", "over",
    ]  # fmt: skip
    assert [row["candidates"] for row in only(log, "contract")] == [[6, 7, 8, 9], [7, 8, 9]]
    assert [row["length"] for row in only(log, "moved")] == [1.0, 2.5]
    assert audit(log)["K2"] == 1


def test_tv14_one_window_and_a_pass() -> None:
    """With the six first there is one window; whoever wants nothing lets it pass (K8)."""
    log = ranks(6, 4).first(0).play()
    assert [word for word in short(log) if word[0] != "f"] == [
        "round", "a0", "a6", "a1", "a7", "a2", "a8", "a3", "a9", "a4", "contract None", "a5", "over",
    ]  # fmt: skip
    audit(log)


@pytest.mark.parametrize(("many", "few"), [(2, 1), (3, 3), (5, 1), (7, 4)])
def test_how_many_contracts(many, few) -> None:
    """Atlas 23.7: a - b windows for the smaller squad when it starts, else a - b - 1; in round two the other starts."""
    for start in (0, 1):
        log = ranks(many, few, rounds=2).first(start).play()
        for round_, first in ((1, start), (2, 1 - start)):
            windows = only(log, "contract", round=round_)
            assert len(windows) == max(0, many - few - (first == 0))
            assert {row["side"] for row in windows} <= {1}
        audit(log)


def test_k3_what_a_contract_may_be() -> None:
    """K3, RULING 52: Shoot and Melee with Hit one worse, the enemy's printed; no points, the debt stays."""
    scene = Scene(plain(), [soldier(2)], [soldier()]).set_up((6, 5), (20, 3), (6, 9)).first(1)
    scene.answers(1, CONTRACT, 2).acts(2, END, option(SHOOT, RIFLE, 0))
    (shot,) = only(scene.play(), "shot")
    assert (shot["how"], shot["hit"]) == ("contract", 5)
    scene = Scene(plain(), [soldier(2)], [soldier()]).set_up((6, 5), (20, 3), (6, 7)).first(1)
    scene.answers(1, CONTRACT, 2).acts(2, END, option(MELEE, BLADE, 0))
    log = scene.play()
    (fight,) = only(log, "exchange")
    assert (fight["how"], fight["hits"]) == ("contract", [5, 4])
    assert audit(log)["RULING 52"] == 1
    scene.stand((6, 5), (20, 3), (6, 9), turn=1, ready=[1])
    scene.now["prone"][2], scene.now["events"] = 1, 0
    scene.answers(1, CONTRACT, 2).acts(2, option(SHOOT, RIFLE, 0)).turns(1)
    assert [row["event"] for row in scene.events] == ["contract", "shot"]
    assert scene.now["prone"][2] == 1  # K7


def test_ruling_32_the_active_fighter_falls() -> None:
    """H7, RULING 49: its activation ends at once, no Overwatch window, the other player is on turn."""
    scene = Scene(plain(), [soldier(2, weapons=HARMLESS)], [soldier(2, weapons=DEADLY)])
    scene.set_up((6, 5), (20, 2), (6, 7), (10, 9)).first(1).answers(1, ACTIVATE, 3, 2).acts(3, WATCH)
    log = scene.acts(0, option(MELEE, BLADE, 2), option(MELEE, BLADE, 2)).answers(1, REACT, -1).play()
    assert short(log) == [
        "round", "a3", "watches", "f3", "a0", "exchange", "removed", "a2", "f2", "a1", "f1", "reaction None", "over",
    ]  # fmt: skip
    assert only(log, "removed")[0]["by"] == 2
    assert audit(log)["RULING 32"] == 1


def test_h7_the_survivor_goes_on() -> None:
    """The other one falls: the active fighter spends the rest of its points, here on a Move (B3)."""
    scene = Scene(plain(), [soldier(2, weapons=DEADLY)], [soldier(2, weapons=HARMLESS)])
    scene.set_up((6, 5), (20, 2), (6, 7), (20, 10)).first(0)
    log = scene.acts(0, option(MELEE, BLADE, 2), scene.move((9, 5))).play()
    assert short(log)[:7] == ["round", "a0", "exchange", "removed", "moved", "f0", "a3"]
    audit(log)


def test_ruling_32_a_wipe_out_stops_the_game() -> None:
    """W1, H8: at once, with points left and a watcher about, whatever the VP."""
    scene = Scene(plain(), [soldier(weapons=DEADLY)], [soldier(weapons=HARMLESS)], rounds=4)
    scene.set_up((6, 5), (6, 7)).first(1).acts(0, option(MELEE, BLADE, 1), scene.move((9, 5)))
    log = scene.play()
    assert short(log) == ["round", "a1", "f1", "a0", "exchange", "removed", "over"]
    assert (log[-1]["result"], log[-1]["wiped_out"]) == (0, 1)
    audit(log)


def test_ruling_33_a_contract_ends_the_round() -> None:
    """It removes the opponent's last ready fighter: nobody is ready, the next round begins."""
    scene = Scene(plain(), [soldier(weapons=DEADLY)], [soldier(2, weapons=HARMLESS, defence=0)], rounds=2)
    scene.set_up((6, 4), (6, 9), (12, 9)).first(0).answers(1, ACTIVATE, 1)
    log = scene.answers(0, CONTRACT, 0).acts(0, END, option(SHOOT, RIFLE, 2)).play()
    assert short(log) == [
        "round", "a0", "f0", "a1", "f1", "contract 0", "shot", "removed", "round", "a1", "f1", "a0", "f0", "over",
    ]  # fmt: skip
    assert [row["first"] for row in only(log, "round")] == [0, 1]
    audit(log)


def test_ruling_34_a_watcher_and_contracts() -> None:
    """K9: a fighter with a marker is no candidate; once it has fired it is one."""
    scene = Scene(plain(), [soldier()], [soldier(3)]).set_up((6, 4), (6, 9), (10, 9), (14, 9)).first(0)
    scene.acts(0, WATCH, END, option(SHOOT, RIFLE, 3)).answers(0, REACT, -1, 0).answers(0, CONTRACT, 0)
    log = scene.play()
    assert short(log) == [
        "round", "a0", "watches", "f0", "a1", "f1", "reaction None", "contract None", "a2", "f2", "reaction 0", "shot",
        "contract 0", "shot", "a3", "f3", "over",
    ]  # fmt: skip
    assert [row["candidates"] for row in only(log, "contract")] == [[], [0]]
    assert [row["how"] for row in only(log, "shot")] == ["overwatch", "contract"]
    assert audit(log)["RULING 34"] == 1


def test_what_the_rules_forbid_is_a_fault_and_does_nothing() -> None:
    """A bot that names a wrong fighter, place, target or Contract: each is counted, none is carried out."""
    scene = ranks(3, 1).first(0)
    scene.acts(0, option(MELEE, BLADE, 3)).acts(1, scene.move((20, 11)))
    scene.answers(0, ACTIVATE, 3, 1, 99).answers(1, CONTRACT, 0)
    # Two wrong names, two wrong actions, the enemy's fighter for a Contract.
    log = scene.play(faults=5)
    assert log[-1]["faults"] == 5
    assert short(log) == [
        "round", "a0", "f0", "a3", "f3", "a1", "f1", "contract None", "a2", "f2", "over",
    ]  # fmt: skip
