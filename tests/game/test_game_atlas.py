"""The atlas's worked examples about movement, contact, sight, cover and loot (section 20), on boards.

Bases are one inch wide where the example names none: then a place of the lattice can be flush with a wall.
"""

from __future__ import annotations

import math

import pytest
from small_board import Table, block, drawn, open_board

from morsdei_sim.rulesets.morsdei.game import moves, paths, sight
from morsdei_sim.rulesets.morsdei.game.legs import Moving
from morsdei_sim.rulesets.morsdei.game.places import radius_of
from morsdei_sim.rulesets.morsdei.game.prepared import Options


def test_tv1_exactly_one_inch_is_contact() -> None:
    """E5, E6: two bases exactly 1.0 apart are within 1 inch; half an inch more is not."""
    table = Table(open_board(10, 6))
    assert table.contact((2, 3), (4, 3))
    assert table.contact((4, 3), (2, 3))
    assert not table.contact((2, 3), (4.5, 3))
    assert table.contact((2, 3), (3, 3))  # touching


def test_tv7_no_place_where_the_model_would_fall() -> None:
    """A11, M8, RULING 20: nobody ends a climb where the middle of the base is not carried: such places do not exist."""
    table = Table(open_board(10, 6, [block("climbable", 4, 0, 2, 6)]))
    assert table.is_place(4.0, 3, 3.0)  # half over the edge, its middle carried
    assert not table.is_place(3.5, 3, 3.0)
    assert not table.is_place(3.5, 3, 1.5)
    assert not table.is_place(4.0, 3, 0.0)  # inside the block


@pytest.mark.parametrize(("away", "used"), [(0.0, 5.0), (1.0, 6.0)])
def test_tv8_a_climb_counts_three_legs(away: float, used: float) -> None:
    """M16, M17: flush with the wall, up 3, 2 horizontal: 5; with 1 inch to the wall first: 6."""
    table = Table(open_board(12, 6, [block("climbable", 5, 0, 4, 6)]))
    assert table.length((4.5 - away, 3), (6.5, 3, 3.0)) == used


def test_m17_no_climb_through_an_overhang() -> None:
    """M17: a floor that juts out over the foot of the wall stops the climb there; the base fits below it."""
    wall, overhang = block("climbable", 5, 0, 4, 6), block("impassable", 3, 0, 2, 6, 0.3, base=2.0)
    table = Table(open_board(12, 6, [wall, overhang]))
    assert table.is_place(4.5, 3)
    assert table.length((4.5, 3), (6.5, 3, 3.0)) == math.inf
    assert table.length((9.5, 3), (7.5, 3, 3.0)) == 5.0  # from the other side


def test_tv8_only_what_can_be_climbed() -> None:
    """M16: the same block as a platform has no way up, but one down (RULING 21)."""
    table = Table(open_board(12, 6, [block("platform", 5, 0, 4, 6)]))
    assert table.length((4.5, 3), (6.5, 3, 3.0)) == math.inf
    assert table.length((6.5, 3, 3.0), (4.5, 3)) == 3.0  # 2 horizontal, 3 down less the free 2
    climbed = Table(open_board(12, 6, [block("platform", 5, 0, 4, 6, climb=True)]))
    assert climbed.length((4.5, 3), (6.5, 3, 3.0)) == 5.0


def test_tv9_each_descent_has_its_own_free_inches() -> None:
    """M18, M19: down 2 to a platform, down 2 to the ground, 3 horizontal: 3; one descent of 4: 2 and the horizontal."""
    steps = Table(open_board(12, 6, [block("climbable", 0, 0, 3, 6, 4.0), block("climbable", 3, 0, 2, 6, 2.0)]))
    assert steps.length((2.5, 3, 4.0), (5.5, 3)) == 3.0
    cliff = Table(open_board(12, 6, [block("climbable", 0, 0, 3, 6, 4.0)]))
    assert cliff.length((2.5, 3, 4.0), (5.5, 3)) == 2.0 + 3.0


def test_tv10_a_jump_moves_the_whole_base() -> None:
    """M20: base 32 mm wholly on both sides of a gap of 2.5: the gap is legal, the path 3.76, not within 3."""
    r = radius_of(32)
    step = (2.5 + 2 * r) / 8
    blocks = [block("climbable", 0, 0, 8 + r, 6), block("climbable", 8 + r + 2.5, 0, 5, 6)]
    table = Table(open_board(16, 6, blocks), 32, Options(step=step))
    start, end = (8, 3, 3.0), (8 + 8 * step, 3, 3.0)
    assert table.length(start, end) == pytest.approx(2.5 + 2 * r, abs=2e-3)
    assert 3.0 < table.length(start, end) < 3.77
    assert not paths.reached(table.ready.ways[0], table.at(start), table.at(end), 3)
    assert table.length(start, (8 + 7 * step, 3, 3.0)) == pytest.approx(7 * step, abs=2e-3)  # overhanging
    assert not table.is_place(8 + 5 * step, 3, 3.0)  # over the gap: would fall


@pytest.mark.parametrize(("gap", "jumps"), [(3.0, True), (3.5, False)])
def test_m20_widest_gap(gap: float, jumps: bool) -> None:
    """M20: up to 3 inches; wider ones are gone around: down and up again."""
    table = Table(open_board(14, 6, [block("climbable", 0, 0, 4, 6), block("climbable", 4 + gap, 0, 4, 6)]))
    over = table.length((4, 3, 3.0), (4 + gap, 3, 3.0))
    assert over == (gap if jumps else gap + 1.0 + 3.0)  # 1 of the 3 inches down, 3 up


def test_m21_a_jump_does_not_rise() -> None:
    """RULING 22: down over the gap it goes, paying what exceeds the free 2 inches; up only by climbing."""
    table = Table(open_board(12, 6, [block("platform", 0, 0, 4, 6, 5.0), block("climbable", 6, 0, 4, 6, 2.0)]))
    assert table.length((4, 3, 5.0), (6, 3, 2.0)) == 2.0 + 1.0
    assert table.length((6, 3, 2.0), (4, 3, 5.0)) == math.inf


def test_tv11_a_contract_climb() -> None:
    """K4, M16: from flush against the wall, up 2, horizontal 1 with the step onto the platform: 3 used."""
    table = Table(open_board(12, 6, [block("climbable", 5, 0, 4, 6, 2.0)]))
    assert table.length((4.5, 3), (5.5, 3, 2.0)) == 3.0
    assert paths.reached(table.ready.ways[0], table.at((4.5, 3)), table.at((5.5, 3, 2.0)), 3)


def test_tv13_contact_on_the_way() -> None:
    """K5: start and end further than 1 from an enemy, 0.7 on the way: contact, broken again. A wall between: none."""
    table = Table(open_board(14, 8))
    enemy = (7, 3)
    straight = [(4, 4.7, 0), (10, 4.7, 0)]  # middles 1.7 apart, bases 0.7
    assert table.along(straight, enemy) == paths.BROKEN
    assert table.along([(4, 5.1, 0), (10, 5.1, 0)], enemy) == paths.FREE
    assert table.along([*straight[:1], (7, 4.7, 0)], enemy) == paths.KEPT  # a normal Move may end there (M12)
    walled = Table(open_board(14, 8, [block("impassable", 0, 3.6, 14, 0.4)]))
    assert walled.along([(4, 4.7, 0), (10, 4.7, 0)], enemy) == paths.FREE


def test_ruling_17_contact_may_grow_but_not_break() -> None:
    """M13: sliding on from one enemy into two keeps contact; leaving the first for the second breaks it."""
    table = Table(open_board(16, 8))
    path = [(4, 5, 0), (7, 5, 0)]
    assert table.along(path, (6, 3.5), (8, 3.5)) == paths.KEPT
    assert table.along([(4, 5, 0), (9, 5, 0)], (6, 3.5), (9, 3.5)) == paths.BROKEN


def test_tv25_loot_reach() -> None:
    """L3: a base 0.8 from the middle of the point, its marker in sight."""
    table = Table(open_board(12, 8, loot=((5.0, 4.0),)))
    place = (6.0, 3.0)  # 1.414 from the middle, the base 0.914
    assert table.ready.where.loot[0, table.at(place)] == 1
    exact = Table(open_board(12, 8, loot=((4.7, 4.0),)))
    assert exact.ready.where.loot[0, exact.at((6.0, 4.0))] == 1  # 1.3: the base is 0.8 away
    assert exact.ready.where.loot[0, exact.at((6.5, 4.0))] == 0  # 1.3 away
    assert exact.sees_marker(0, (6.0, 4.0))
    assert exact.ready.where.loot[0, exact.at((5.0, 4.0))] == 1  # the base covers the middle (RULING 58)


def test_tv26_a_wall_hides_the_marker() -> None:
    """L2, L4: 0.8 from the middle behind a solid wall nothing of the marker is seen; from another side part of it
    is."""
    wall = block("impassable", 2.0, 4.9, 4.0, 0.1)
    table = Table(open_board(12, 9, [wall], loot=((4.0, 4.2),)), options=Options(step=0.5))
    behind, beside = (4.0, 5.5), (5.0, 3.5)
    for place in (behind, beside):
        assert table.ready.where.loot[0, table.at(place)] == 1
    assert not table.sees_marker(0, behind)
    assert table.sees_marker(0, beside)


def test_l2_models_on_the_marker_are_imagined_away() -> None:
    """RULING 15: a model whose base lies on the marker blocks nothing; one beside it does."""
    table = Table(open_board(16, 8, loot=((12.0, 4.0),)))
    broad = Table(open_board(16, 8, loot=((11.75, 4.0),)), options=Options(body=sight.Body(radius=0.5)))
    assert broad.sees_marker(0, (9, 4), (10.5, 4))  # 1.25 away: on the marker; its body would hide all of it
    assert not broad.sees_marker(0, (9, 4), (10, 4))  # 1.75 away: not on it, and it hides all of it
    assert table.sees_marker(0, (4, 4), (10.5, 4))  # 1.5 from the middle: not on it, its rim is seen past the body
    assert not table.sees_marker(0, (4, 4), (6, 4))  # the same body halfway hides all of it


def test_v5_bodies_hide_but_give_no_cover() -> None:
    """V5, V7: a third body in the line makes the target invalid; it never gives cover."""
    table = Table(open_board(14, 6))
    assert table.sees((2, 3), (10, 3))
    assert not table.sees((2, 3), (10, 3), (6, 3))
    assert table.sees((2, 3), (10, 3), (6, 3.5))  # half an inch beside the line, the body is 0.35 wide
    assert not table.cover((2, 3), (10, 3))


def test_v5_head_and_heart_are_looked_at_one_by_one() -> None:
    """RULING 13: from above, a body may stop the line to the heart and not the one to the head."""
    table = Table(open_board(14, 6, [block("climbable", 0, 0, 3, 6, 2.0)]))
    bits = int(table.ready.view.sight[table.at((2.5, 3, 2.0)), table.at((10, 3))])
    assert bits & sight.HEAD
    assert bits & sight.HEART
    # At 9 inches the line to the head is at 1.46, above the body's 1.3; the line to the heart at 1.16.
    assert table.sees((2.5, 3, 2.0), (10, 3), (9, 3))


@pytest.mark.parametrize(("height", "hides"), [(0.64, False), (0.65, False), (0.66, True)])
def test_ruling_14_where_a_low_obstacle_hides(height: float, hides: bool) -> None:
    """The line to the foot, at 0.1, falls to 1.2 - 1.1 / 2 = 0.65 over the far edge of an obstacle halfway: it hides
    exactly when it is higher."""
    table = Table(open_board(12, 6, [block("low", 5.5, 0, 0.5, 6, height)]))
    assert table.sees((2, 3), (10, 3))
    assert table.cover((2, 3), (10, 3)) == hides


def test_ruling_14_an_obstacle_in_front_of_the_shooter_hides_nothing() -> None:
    """The line is still at 1.03 there; from the other side the same obstacle hides the feet."""
    table = Table(open_board(12, 6, [block("low", 3.0, 0, 0.25, 6, 0.9)]))
    assert not table.cover((2, 3), (10, 3))
    assert table.cover((10, 3), (2, 3))


def test_v6_a_wall_edge_gives_cover_and_then_hides() -> None:
    """V2, V3, V6: part of the body behind a wall is cover; head and heart behind it and the target is none."""
    table = Table(open_board(14, 8, [block("impassable", 6, 0, 1, 4)]))
    assert table.sees((2, 4.5), (10, 4.5))
    assert not table.cover((2, 4.5), (10, 4.5))  # the body's edge is at 4.15
    assert table.cover((2, 4.5), (10, 4))
    assert table.sees((2, 4.5), (10, 4))
    assert not table.sees((2, 3), (10, 3))


CONTACT = """
.A#B.C+D.
.........
.ElF.GxH.
"""


def test_e6_what_separates() -> None:
    """RULINGS 10, 11: walls and closed doors separate, also when the way round is short; a low obstacle and an open
    door do not. Middles are 2 apart: bases of an inch leave exactly 1."""
    table = drawn(CONTACT)
    for pair, together in (("AB", False), ("CD", True), ("EF", True), ("GH", False)):
        assert table.contact(*pair) == together, pair


def test_e6_floors_and_heights() -> None:
    """E6: the height counts, and a floor separates."""
    table = Table(
        open_board(12, 6, [block("low", 4, 2, 1, 1, 0.5, stand=True), block("platform", 6, 0, 4, 6, 0.3, base=1.5)])
    )
    assert table.contact((4.5, 2.5, 0.5), (4.5, 4.0))
    assert not table.contact((4.5, 2.5, 0.5), (6.5, 2.5))  # a gap of 1 and 0.5 in height: 1.118
    near = Table(open_board(8, 6, [block("platform", 2, 0, 4, 6, 0.2, base=0.8)]), options=Options(moving=Moving(0.5)))
    assert not near.contact((4, 3, 1.0), (4, 3.5, 0.0))  # 1 apart, through the floor
    assert near.contact((2, 3, 1.0), (1.0, 3, 0.0))  # over the edge


def test_ruling_23_24_where_nobody_ends() -> None:
    """A base ends on no low obstacle without the flag, and in no door; both are crossed."""
    table = Table(open_board(12, 4, [block("low", 5, 0, 1, 4, 0.8)]))
    assert not table.is_place(5.5, 2)
    assert table.length((4.5, 2), (6.5, 2)) == 2.0  # M22: no extra cost
    flagged = Table(open_board(12, 4, [block("low", 5, 0, 1, 4, 0.8, stand=True)]))
    assert flagged.is_place(5.5, 2, 0.8)


def test_ruling_24_a_door_lets_any_base_through() -> None:
    """T5, M6: a base of 50 mm passes an open door an inch wide, and no other gap of an inch."""
    walls = [block("impassable", 5, 0, 0.5, 3.5), block("impassable", 5, 4.5, 0.5, 3.5)]
    door = block("door-open", 5, 3.5, 0.5, 1)
    wide = Table(open_board(11, 8, [*walls, door]), 50)
    assert wide.length((3.5, 4), (7.5, 4)) == pytest.approx(4.0)
    assert wide.length((7.5, 4), (3.5, 4)) == pytest.approx(4.0)
    assert not wide.is_place(5.5, 4)
    gap = Table(open_board(11, 8, walls), 50)
    assert gap.length((3.5, 4), (7.5, 4)) == math.inf
    closed = Table(open_board(11, 8, [*walls, block("door-closed", 5, 3.5, 0.5, 1)]), 25.4)
    assert closed.length((3.5, 4), (7.5, 4)) == math.inf


@pytest.mark.parametrize(("gap", "fits"), [(1.0, True), (0.98, False)])
def test_m6_no_gap_narrower_than_the_base(gap: float, fits: bool) -> None:
    """M6: a gap exactly as wide as the base is passed, a narrower one is not."""
    walls = [block("impassable", 5, 0, 1, 4 - gap / 2), block("impassable", 5, 4 + gap / 2, 1, 4 - gap / 2)]
    table = Table(open_board(11, 8, walls))
    assert table.length((4, 4), (7, 4)) == (3.0 if fits else math.inf)


def test_m2_the_border_is_a_wall() -> None:
    """M2, Q7: an obstacle within a base's width of the border cannot be gone round there."""
    table = Table(open_board(11, 8, [block("impassable", 5, 0.9, 1, 7.1)]))
    assert table.length((4, 4), (7, 4)) == math.inf
    wide = Table(open_board(11, 8, [block("impassable", 5, 1.1, 1, 6.9)]))
    assert wide.length((4, 1), (7, 1)) < math.inf


def test_m4_enemies_are_in_the_way_and_friends_are_not() -> None:
    """M3, M4: a path over an enemy's base is not free; touching it is."""
    table = Table(open_board(12, 8))
    path = [(2, 4, 0), (10, 4, 0)]
    assert table.free(path)
    assert not table.free(path, (6, 4))
    assert table.free(path, (6, 5))  # middles 1 apart: the bases touch
    assert not table.free(path, (6, 4.5))


def test_loot_is_seven_inches_from_the_zone() -> None:
    """Atlas 23.7: from a base flush with the front of its zone straight opposite a point the path to Loot is 7 inches,
    whatever the base, and both front lines start 16 apart."""
    for base in (28.0, 32.0, 40.0):
        table = Table(
            open_board(30, 22, loot=((7, 11), (15, 11), (23, 11)), zones=((0, 0, 30, 3), (0, 19, 30, 22))), base
        )
        where, r = table.ready.where, radius_of(base)
        start, end, other = table.at((15, 3 - r)), table.at((15, 10 - r)), table.at((15, 19 + r))
        assert (where.zone[0, start], where.zone[0, other]) == (0, 1)
        assert where.loot[0, end] == 0b010
        assert table.ready.ways[0].length[start, end] == 7000
        assert where.y[other] - where.y[start] - 2 * r == pytest.approx(16)
        starts = where.zone[0] == 0
        reach = where.loot[0] > 0
        assert table.ready.ways[0].length[starts][:, reach].min() == 7000


def test_m12_m13_a_move_may_end_in_contact_and_not_leave_it() -> None:
    """M12, M13, RULING 17: into contact yes; through it, only by a way round that keeps away."""
    table = Table(open_board(16, 12))
    enemy = (8, 6)
    into = table.goes(moves.MOVE, 6, (4, 4.5), (8, 4.5), [enemy])
    assert into is not None
    assert len(into) == 2
    past = table.goes(moves.MOVE, 9, (4, 4.5), (12, 4.5), [enemy])
    assert past is not None
    assert table.along(past, enemy) == paths.FREE
    assert min(math.dist(point[:2], enemy) for point in past) > 2
    assert table.goes(moves.MOVE, 8, (4, 4.5), (12, 4.5), [enemy]) is None  # straight on it would fit
    assert table.goes(moves.MOVE, 8, (4, 3), (12, 3), [enemy]) is not None


def test_k5_a_contract_keeps_out_of_contact() -> None:
    """K5, RULING 18: no contact on the way, and the end further than 1 inch from every enemy, walls or not."""
    table = Table(open_board(16, 12))
    assert table.goes(moves.CONTRACT, 3, (6, 4), (8, 4), [(8, 6)]) is None
    assert table.goes(moves.CONTRACT, 3, (6, 3.5), (8, 3.5), [(8, 6)]) is not None
    wall = Table(open_board(16, 12, [block("impassable", 6, 4.8, 4, 0.2)]))
    assert not wall.contact((8, 4), (8, 6))
    assert wall.goes(moves.CONTRACT, 3, (6, 4), (8, 4), [(8, 6)]) is None
    assert wall.goes(moves.MOVE, 3, (6, 4), (8, 4), [(8, 6)]) is not None


def test_m25_fall_back_leaves_contact() -> None:
    """M25, RULINGS 18, 19: the path may pass within 1 inch of enemies, not through them; the end is away from all."""
    table = Table(open_board(16, 12))
    enemies = [(8, 6), (6, 4.5)]
    away = table.goes(moves.FALL_BACK, 6, (8, 4.5), (4, 2.5), enemies)
    assert away is not None
    assert table.along(away, *enemies) == paths.BROKEN
    assert table.goes(moves.FALL_BACK, 6, (8, 4.5), (8, 4), enemies) is None  # exactly 1 inch away
    assert table.goes(moves.FALL_BACK, 6, (8, 4.5), (8, 3.5), enemies) is not None
    assert table.goes(moves.MOVE, 6, (8, 4.5), (4, 2.5), enemies) is None


def test_m3_friends_are_passed_and_not_stood_on() -> None:
    """M3, Q6: through a friend's base, to its edge, not onto it."""
    table = Table(open_board(12, 8))
    through = table.goes(moves.MOVE, 6, (2, 4), (8, 4), friends=[(5, 4)])
    assert through is not None
    assert len(through) == 2
    assert table.goes(moves.MOVE, 6, (2, 4), (5.5, 4), friends=[(5, 4)]) is None
    assert table.goes(moves.MOVE, 6, (2, 4), (6, 4), friends=[(5, 4)]) is not None  # touching


def test_ruling_20_no_way_past_a_closed_line() -> None:
    """M4: enemies who fill a gap close it."""
    table = Table(open_board(16, 8, [block("impassable", 8, 0, 0.5, 3), block("impassable", 8, 5, 0.5, 3)]))
    assert table.goes(moves.FALL_BACK, 8, (6.5, 4), (11, 4)) is not None
    assert table.goes(moves.FALL_BACK, 8, (6.5, 4), (11, 4), [(8.0, 4)]) is None
