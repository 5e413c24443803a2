"""Sight, contact and paths against the plain reading of the atlas in `plain_geometry.py`, on seeded random boards."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import plain_geometry as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_board import Table, block, open_board

from morsdei_sim.rulesets.morsdei.game import contact, paths, shapes, sight, terrain
from morsdei_sim.rulesets.morsdei.game.boards import KINDS, Piece
from morsdei_sim.rulesets.morsdei.game.legs import Moving
from morsdei_sim.rulesets.morsdei.game.places import radius_of
from morsdei_sim.rulesets.morsdei.game.prepared import Options

BODY = np.array(sight.Body())


def random_pieces(rng: random.Random, count: int, size: float = 12.0) -> list[Piece]:
    """Turned boxes and L-shapes of every kind; nothing is aligned with anything."""
    found = []
    for _ in range(count):
        kind = rng.choice(KINDS)
        x, y, w, d = rng.uniform(0, size), rng.uniform(0, size), rng.uniform(0.3, 4), rng.uniform(0.3, 4)
        if rng.random() < 0.4:
            t = rng.uniform(0.2, 0.6)
            corners = [(0, 0), (w, 0), (w, t * d), (t * w, t * d), (t * w, d), (0, d)]
            turn = rng.uniform(0, 6.3)
            cos, sin = math.cos(turn), math.sin(turn)
            outline = tuple((x + a * cos - b * sin, y + a * sin + b * cos) for a, b in corners)
        else:
            outline = shapes.box(x, y, w, d, rng.uniform(0, 90))
        height = rng.uniform(0.2, 1.0) if kind == "low" else rng.uniform(0.3, 4)
        found.append(Piece(kind, outline, height, rng.choice([0.0, 0.0, rng.uniform(0, 3)])))
    return found


def looks(pieces: list[Piece], points: list[tuple[float, float, float]]) -> np.ndarray:
    """The table of sight between points."""
    solid = terrain.prisms(open_board(12, 12, pieces))
    x, y, z = (np.array([point[i] for point in points]) for i in range(3))
    table = np.zeros((len(points), len(points)), np.uint8)
    near = np.zeros(len(solid.low) + 1, np.int64)
    sight.look(solid, BODY, x, y, z, np.array([0, len(points)]), near, table)
    return table


@pytest.mark.parametrize("seed", range(8))
def test_sight_is_that_of_the_atlas(seed: int) -> None:
    """RULINGS 13, 14 for 240 ordered pairs a seed; among them every combination of head, heart and cover occurs."""
    rng = random.Random(seed)
    pieces = random_pieces(rng, 9)
    points = [(rng.uniform(0, 12), rng.uniform(0, 12), rng.choice([0.0, 0.0, 1.5, 3.0])) for _ in range(16)]
    table = looks(pieces, points)
    wrong = []
    for i, a in enumerate(points):
        for j, b in enumerate(points):
            if i == j:
                continue
            head, heart, cover = plain.view(pieces, a, b)
            back = plain.view(pieces, b, a)
            expected = head * sight.HEAD | heart * sight.HEART | cover * sight.COVER
            expected |= back[1] * sight.BACK_HEART | back[2] * sight.BACK_COVER
            if expected != table[i, j]:
                wrong.append((a, b, expected, table[i, j]))
    assert wrong == []


def test_all_kinds_of_views_were_compared() -> None:
    """The comparison above would be empty if no pair were half hidden."""
    seen = set()
    for seed in range(8):
        rng = random.Random(seed)
        pieces = random_pieces(rng, 9)
        points = [(rng.uniform(0, 12), rng.uniform(0, 12), rng.choice([0.0, 0.0, 1.5, 3.0])) for _ in range(16)]
        table = looks(pieces, points)
        seen |= set((table[~np.eye(len(points), dtype=bool)] & 7).tolist())
    assert seen >= {sight.HEAD | sight.HEART, 7, sight.COVER, sight.HEAD | sight.COVER}


@pytest.mark.parametrize("seed", range(6))
def test_contact_is_that_of_the_atlas(seed: int) -> None:
    """E6, RULINGS 8, 10, 11 for pairs at most 3 inches apart on boards dense with pieces."""
    rng = random.Random(100 + seed)
    pieces = random_pieces(rng, 14)
    solid = terrain.prisms(open_board(12, 12, pieces))
    compared = {True: 0, False: 0}
    for _ in range(400):
        a = (rng.uniform(0, 12), rng.uniform(0, 12), rng.choice([0.0, 0.5, 1.0]))
        turn, far = rng.uniform(0, 6.3), rng.uniform(0, 3)
        b = (a[0] + far * math.cos(turn), a[1] + far * math.sin(turn), rng.choice([0.0, 0.5, 1.0]))
        one, other = rng.choice([0.5, 0.63, 0.79]), rng.choice([0.5, 0.63, 0.79])
        expected = plain.in_contact(pieces, a, one, b, other)
        near = contact.gap_between(*a, one, *b, other) <= 1 + 1e-6
        found = bool(near and not contact.separated(solid, *a, one, *b, other))
        assert found == expected, (a, one, b, other)
        compared[found] += near
    assert min(compared.values()) > 5


def test_the_table_of_contacts_is_the_same_question() -> None:
    """Every bit of the table for two base sizes on a small board."""
    pieces = [
        block("impassable", 4.03, 1.02, 0.3, 3),
        block("low", 2.04, 2.01, 2, 0.5, 0.8),
    ]  # no line touches a corner
    board = open_board(9, 6, pieces)
    table = Table(board, bases=(25.4, 40.0))
    where, ready = table.ready.where, table.ready
    for p in range(0, len(where.x), 17):
        for q in range(len(where.x)):
            for a in range(2):
                for b in range(2):
                    one, other = (where.x[p], where.y[p], where.z[p]), (where.x[q], where.y[q], where.z[q])
                    expected = plain.in_contact(board.pieces, one, where.radius[a], other, where.radius[b])
                    assert bool(ready.contact[p, q] >> (2 * a + b) & 1) == expected, (one, other, a, b)


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_a_body_stops_what_passes_through_it(seed: int) -> None:
    """V5 A line is stopped by a cylinder when one of its points, taken closely, is inside."""
    rng = random.Random(seed)
    a, b = ([rng.uniform(0, 6), rng.uniform(0, 6), rng.uniform(0, 4)] for _ in range(2))
    c = [rng.uniform(1, 5), rng.uniform(1, 5), rng.uniform(0, 2)]
    t = np.linspace(0, 1, 20001)
    x, y, z = (a[i] + t * (b[i] - a[i]) for i in range(3))
    away = np.hypot(x - c[0], y - c[1])
    for slack in (-1e-3, 1e-3):  # so close to grazing that the points do not decide
        inside = (away < 0.35 + slack) & (z > c[2] + 0.1 - slack) & (z < c[2] + 1.3 + slack)
        if slack < 0 and inside.any():
            assert sight.body_meets(BODY, *a, *b, *c)
        if slack > 0 and not inside.any():
            assert not sight.body_meets(BODY, *a, *b, *c)


# ── paths ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

MAZE = [
    block("impassable", 3, 0, 1, 5),
    block("impassable", 6, 3, 1, 5),
    Piece("impassable", shapes.box(9, 2, 2, 2, 30), 3.0),
    Piece("impassable", ((12, 4), (15, 4), (15, 4.5), (12.5, 4.5), (12.5, 7), (12, 7)), 3.0),
]


@pytest.mark.parametrize("base", [28.0, pytest.param(40.0, marks=pytest.mark.slow)])
def test_paths_are_within_three_per_cent_of_true_ones(base: float) -> None:
    """Against paths around corners rounded five times as finely. The bound is proven (`legs._corners`): never shorter
    than the truth, at most 2.4 % longer; the worst found here is far better, since only the bends are rounded."""
    board = open_board(17, 8, MAZE)
    table = Table(board, base)
    where, way = table.ready.where, table.ready.ways[0]
    usable = np.nonzero(where.stand[0])[0]
    rng = random.Random(7)
    worst = 0.0
    for start in rng.sample(usable.tolist(), 3):
        ends = rng.sample(usable.tolist(), 40)
        points = [(float(where.x[q]), float(where.y[q])) for q in ends]
        truth = plain.shortest(
            [piece.outline for piece in MAZE],
            radius_of(base),
            (17, 8),
            (float(where.x[start]), float(where.y[start])),
            points,
        )
        for q, true in zip(ends, truth, strict=True):
            mine = way.length[start, q] / paths.SCALE
            if true * 1.024 > 20:  # beyond the table
                continue
            assert true / 1.001 - 1e-9 <= mine <= true * 1.024 + 1e-3, (start, q)
            worst = max(worst, mine / max(true, 1e-9) - 1 if true else 0.0)
    assert 0.001 < worst < 0.02  # some paths do bend


def test_a_corner_by_hand() -> None:
    """Past the end of a wall half an inch thick with a base of 1 inch: two tangents and a half circle."""
    table = Table(open_board(12, 12, [block("impassable", 0, 5.75, 6, 0.5)]))
    # From (3, 3) and (3, 9): the corners are (6, 5.75) and (6, 6.25), the circle's radius 0.5.
    dx, dy, r = 3.0, 2.75, 0.5
    away = math.hypot(dx, dy)
    turn = math.pi / 2 - (math.atan2(dy, dx) - math.asin(r / away))  # from the tangent to straight on
    true = 2 * (math.sqrt(away**2 - r**2) + r * turn) + 0.5
    found = table.length((3, 3), (3, 9))
    assert found >= true - 1e-3
    assert found == pytest.approx(true, rel=0.01)


@pytest.fixture(scope="module")
def maze() -> Table:
    return Table(open_board(17, 8, MAZE), 32)


@pytest.fixture(scope="module")
def steps() -> Table:
    """Levels, gaps, low obstacles, a door."""
    pieces = [
        block("climbable", 2, 1, 3, 3, 2.5), block("climbable", 6, 1, 3, 3, 2.5), block("climbable", 6, 1, 3, 1.5, 5.0),
        block("low", 2, 6, 4, 0.5, 0.8), block("impassable", 11, 0, 0.4, 3), block("door-open", 11, 3, 0.4, 1),
        block("impassable", 11, 4, 0.4, 4), block("platform", 13, 3, 3, 4, 0.3, base=2.2, climb=True),
    ]  # fmt: skip
    return Table(open_board(18, 9, pieces), 32)


def test_flat_ground_is_symmetric(maze: Table) -> None:
    """On the ground every path can be walked both ways."""
    length = maze.ready.ways[0].length.astype(int)
    assert np.abs(length - length.T).max() <= 1  # rounding up


def test_no_detour_is_shorter(steps: Table) -> None:
    """The triangle inequality over 4 million triples; the only slack is rounding."""
    length = steps.ready.ways[0].length.astype(np.int64)
    length[length == paths.NOWHERE] = 10**6
    for middle in np.random.default_rng(1).choice(len(length), 60, replace=False):
        over = length[:, [middle]] + length[[middle], :]
        assert (length <= over + 2)[over <= 20 * paths.SCALE].all()


def test_more_terrain_never_shortens() -> None:
    """A wall more: no path on the ground becomes shorter, no line of sight freer."""
    before = Table(open_board(17, 8, MAZE[:2]), 32).ready
    after = Table(open_board(17, 8, MAZE), 32).ready
    index = {(x, y): p for p, (x, y) in enumerate(zip(before.where.x, before.where.y, strict=True))}
    same = [index[x, y] for x, y in zip(after.where.x, after.where.y, strict=True)]
    old, new = before.ways[0].length[np.ix_(same, same)], after.ways[0].length
    assert (new >= old).all()
    assert (new > old).any()
    free = before.view.sight[np.ix_(same, same)] & 3
    assert (after.view.sight & 3 & ~free == 0).all()


def test_lattice_paths_obey_the_straight_line(maze: Table) -> None:
    """No path is shorter than the straight line, and where the line is free it is the path."""
    where, way = maze.ready.where, maze.ready.ways[0]
    straight = np.hypot(where.x[:, None] - where.x, where.y[:, None] - where.y) * paths.SCALE
    there = way.length != paths.NOWHERE
    assert (way.length[there] >= straight[there] - 1e-2).all()
    direct = there & (way.via == paths.NOWHERE)
    assert np.abs(way.length[direct] - straight[direct]).max() <= 1


def leg_cost(points: np.ndarray, climb_free: float = 2.0) -> float:
    """M1, M16, M18 The length of a drawn path, reckoned leg by leg."""
    total = 0.0
    for a, b in itertools.pairwise(points):
        drop = a[2] - b[2]
        total += math.hypot(b[0] - a[0], b[1] - a[1])
        total += -drop if drop < 0 else max(0.0, drop - climb_free)
    return total


def test_every_path_can_be_drawn(steps: Table) -> None:
    """M1, M5, M16-M22: the drawn path has the length of the table; each leg is level or upright; walking legs are free
    of walls by the plain test; rises are flush with something that can be climbed."""
    where, way = steps.ready.where, steps.ready.ways[0]
    rng = random.Random(3)
    usable = np.nonzero(where.stand[0])[0].tolist()
    pieces, radius = steps.board.pieces, float(where.radius[0])
    kinds = {"climb": 0, "fall": 0, "level": 0}
    points = np.zeros((paths.MOST_BENDS, 3))
    door = (11, 11.4)
    for _ in range(600):
        p, q = rng.choice(usable), rng.choice(usable)
        if way.length[p, q] == paths.NOWHERE:
            continue
        count = paths.route(way, where, p, q, points)
        drawn = points[:count]
        assert leg_cost(drawn) * paths.SCALE == pytest.approx(way.length[p, q], abs=1.5)
        for a, b in itertools.pairwise(drawn):
            level, flat = abs(a[2] - b[2]) < 1e-9, math.dist(a[:2], b[:2]) < 1e-9
            assert level or flat
            kinds["level" if level else "climb" if b[2] > a[2] else "fall"] += 1
            if level and a[2] == 0 and not min(a[0], b[0]) < door[0] < max(a[0], b[0]):
                walls = [piece.outline for piece in pieces if piece.blocks and piece.base < 1.3]
                assert plain.fits(walls, radius - 1e-6, tuple(a[:2]), tuple(b[:2]))
    assert min(kinds.values()) > 20


def test_climbs_and_jumps_are_within_three_per_cent(steps: Table) -> None:
    """M16-M21 Against feet and edges five times as close and corners rounded five times as finely: never shorter than
    those paths, nothing out of reach that they reach, and at most 3 % longer; a few of the shortest (1 in 10,000 pairs,
    short slanting jumps) up to a tenth of an inch."""
    fine = Table(steps.board, 32, Options(moving=Moving(edge_step=0.05, turn=6.0))).ready.ways[0].length.astype(float)
    mine = steps.ready.ways[0].length.astype(float)
    there = (fine != paths.NOWHERE) & (mine != paths.NOWHERE)
    assert (mine[there] >= fine[there] - 1).all()
    longer = mine[there] > 1.03 * fine[there] + 1
    assert longer.mean() < 1e-4
    assert (mine[there] - fine[there])[longer].max(initial=0) < 100
    assert (fine[~there] * 1.03 > 20 * paths.SCALE).all()
    assert (mine[there] > 1.005 * fine[there]).any()  # the comparison is not with itself


def test_near_lists_are_the_table(steps: Table) -> None:
    """The places near p are those up to 8 inches, nearest first."""
    way = steps.ready.ways[0]
    for p in range(0, len(way.length), 37):
        listed = way.near[way.near_first[p] : way.near_first[p + 1]]
        assert sorted(listed.tolist()) == np.nonzero(way.length[p] <= 8 * paths.SCALE)[0].tolist()
        assert (np.diff(way.length[p, listed].astype(int)) >= 0).all()


def test_a_half_turn_changes_nothing() -> None:
    """On a board symmetric under a half turn the tables are symmetric too."""
    half = [block("impassable", 3, 2, 1, 4), block("climbable", 7, 1, 2, 2), block("low", 5, 6, 2, 0.5, 0.7)]
    pieces = [*half, *(piece.half_turn(16, 10) for piece in half)]
    board = open_board(16, 10, pieces, loot=((8.0, 5.0),))
    assert board.symmetric
    ready = Table(board, 32).ready
    where = ready.where
    index = {
        (round(x, 4), round(y, 4), z): p for p, (x, y, z) in enumerate(zip(where.x, where.y, where.z, strict=True))
    }
    turn = [index[round(16 - x, 4), round(10 - y, 4), z] for x, y, z in zip(where.x, where.y, where.z, strict=True)]
    assert (ready.view.sight == ready.view.sight[np.ix_(turn, turn)]).all()
    assert (ready.contact == ready.contact[np.ix_(turn, turn)]).all()
    way = ready.ways[0].length
    assert np.abs(way.astype(int) - way[np.ix_(turn, turn)].astype(int)).max() <= 1
