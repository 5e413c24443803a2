"""Boards: the files that come along, what a bad file is told, drawings, outlines."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_board import Table, block, open_board

from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.rulesets.morsdei.game import shapes
from morsdei_sim.rulesets.morsdei.game.board_file import parse
from morsdei_sim.rulesets.morsdei.game.boards import Board, Piece, board, boards
from morsdei_sim.rulesets.morsdei.game.drawing import draw
from morsdei_sim.rulesets.morsdei.game.fire_lines import fire_lines
from morsdei_sim.rulesets.morsdei.game.places import places
from morsdei_sim.rulesets.morsdei.game.prepared import Options
from morsdei_sim.rulesets.morsdei.game.terrain import prisms

NAMES = boards()


@pytest.fixture(params=NAMES)
def shipped(request: pytest.FixtureRequest) -> Board:
    return board(request.param)


def test_there_are_six_boards() -> None:
    """One of them exactly symmetric, one with two storeys above the ground."""
    assert len(NAMES) >= 6
    all_boards = [board(name) for name in NAMES]
    assert any(one.symmetric for one in all_boards)
    assert any(not one.symmetric for one in all_boards)
    assert any(len({p.top for p in one.pieces if p.kind == "platform"}) >= 2 for one in all_boards)
    assert len({one.digest for one in all_boards}) == len(NAMES)


def test_a_shipped_board_meets_g2(shipped: Board) -> None:
    """G2, RULING 56, and the spirit of it: large blockers, medium pieces, small ones; both names."""
    found = fire_lines(shipped)
    assert found.none, str(found)
    assert found.pairs > 100_000
    assert (shipped.width, shipped.depth) == (30, 22)
    assert shipped.loot == ((7, 11), (15, 11), (23, 11))
    assert shipped.zones == ((0, 0, 30, 3), (0, 19, 30, 22))
    assert shipped.name
    assert any("а" <= letter.lower() <= "я" for letter in shipped.name_ru)
    assert len(shipped.pieces) >= 10
    assert not any(y < 3 or y > 19 for piece in shipped.pieces for _x, y in piece.outline)


def test_without_its_largest_piece_a_board_fails_g2(shipped: Board) -> None:
    """So the checker is not blind."""
    largest = max(shipped.pieces, key=lambda p: shapes.area(p.outline) * (p.kind != "platform") * (p.top > 1.3))
    rest = tuple(p for p in shipped.pieces if p is not largest)
    bare = Board("", "", 30, 22, rest, shipped.loot, shipped.zones)
    found = fire_lines(bare)
    assert not found.none
    (ax, ay), (bx, by) = found.lines[0]
    assert f"({ax:g}; {ay:g})" in str(found)
    assert {ay < 3, by < 3} == {True, False}
    assert min(ax, bx) >= 0.5


@pytest.mark.parametrize(("base", "free"), [(1.0, True), (0.9, False)])
def test_a_heart_is_enough_for_a_line_of_fire(base: float, free: bool) -> None:
    """RULING 13: under a beam across the board no head is seen, but the line from an eye at 1.2 to a heart at 0.85 is
    below 1.0 and above 0.9 where the beam hangs; only in one direction."""
    beam = block("impassable", 0, 14, 30, 0.1, 3.0, base=base)
    found = fire_lines(open_board(30, 22, [beam], zones=((0, 0, 30, 3), (0, 19, 30, 22))))
    assert found.none != free
    assert all(eye[1] < 3 for eye, _target in found.lines)


def test_everything_can_be_reached(shipped: Board) -> None:
    """Every place of a base of 32 mm that is not walled in, every level and every loot point, from both zones; so a
    board has no floor without a way up and no zone without a way out."""
    table = Table(shipped, 32.0, Options(step=1.0))
    where, way = table.ready.where, table.ready.ways[0]
    stand = where.stand[0]
    for zone in (0, 1):
        reached = where.zone[0] == zone
        for _ in range(40):
            on = (way.length[reached] <= 8000).any(axis=0) | reached
            if (on == reached).all():
                break
            reached = on
        assert reached[stand].mean() > 0.97, f"only {reached[stand].mean():.1%} of the places"
        for level in set(where.level[stand].tolist()):
            assert reached[where.level == level].any(), f"level {where.heights[level]}"
        assert np.bitwise_or.reduce(where.loot[0][reached]) == 0b111
    assert (where.zone[0] == 0).sum() > 50


def test_the_place_of_deployment_is_wholly_in_the_zone(shipped: Board) -> None:
    """G6, RULING 57."""
    where = places(shipped, prisms(shipped), (28.0, 40.0))
    for size in range(2):
        r = where.radius[size]
        for zone, (low, high) in enumerate(((0, 3), (19, 22))):
            y = where.y[where.zone[size] == zone]
            assert (y - r >= low - 1e-6).all()
            assert (y + r <= high + 1e-6).all()
            assert (where.z[where.zone[size] == zone] == 0).all()


BAD = """nam = "x"
size = [30, 22]

[[piece]]
kind = "climable"
box = [1, 2, 3]
height = 3

[[piece]]
kind = "low"
name = "Bar"
box = [29, 2, 3, 1]
height = 1.5
twin = 1

[[piece]]
polygon = [[1, 1], [3, 3], [3, 1], [1, 3]]
height = nan
stand = true

[[piece]]
kind = "impassable"
box = [1, 1, 0, 2]
polygon = [[1, 1]]
"""


def test_own_loot_is_not_the_usual_one() -> None:
    with pytest.raises(CardFaults) as caught:
        parse("loot = [[7, 11], [15, 23], [-1, 5]]", "b.toml")
    assert [fault.field for fault in caught.value.faults] == ["loot, 3, 1", "loot, 2"]


def test_all_faults_are_told_at_once() -> None:
    """Each with its line, the piece and a hint."""
    with pytest.raises(CardFaults) as caught:
        parse(BAD, "b.toml")
    told = [str(fault) for fault in caught.value.faults]
    for start, word in [
        ("b.toml:1: nam: ", 'did you mean "name"?'),
        ("b.toml:5: piece 1, kind", 'did you mean "climbable"?'),
        ("b.toml:6: piece 1, box", "4 numbers"),
        ('b.toml:12: piece 2 "Bar", box', "sticks out"),
        ('b.toml:13: piece 2 "Bar", height = 1.5', "0.05 to 1"),
        ('b.toml:14: piece 2 "Bar", twin = 1', "true or false"),
        ("b.toml:16: piece 3: has no kind", "impassable"),
        ("b.toml:17: piece 3, polygon", "cross"),
        ("b.toml:18: piece 3, height = nan", "number"),
        ("b.toml:19: piece 3, stand", "low obstacle"),
        ("b.toml:21: piece 4: has no height", ""),
        ("b.toml:21: piece 4: needs either", "box"),
    ]:
        assert any(line.startswith(start) and word in line for line in told), (start, told)
    assert len(told) == 12


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("size = [30", "not valid TOML"),
        ("size = [300, 22]", "6 to 48"),
        ("size = [8, 6]", "loot"),
        ('size = "large"', "list of 2 numbers"),
        ("loot = [[40, 2]]", "0 to 30"),
        ("loot = [[4, 25]]", "loot, 1 = [4, 25]: lies outside the board, which is 30 x 22"),
        ("[[piece]]\nkind='low'\nheight=0,5\nbox=[1, 2, 3, 4]", "decimals take a point: 0.5"),
        ("[[piece]]\nkind='platform'\nheight=-2,5  # low\nbox=[1, 2, 3, 4]", "decimals take a point: -2.5"),
        ("[[piece]]\nkind='platform'\nheight=2\nclimb = True\nbox=[1, 2, 3, 4]", "in small letters: climb = true"),
        ("[[piece]]\nkind=low\nheight=2\nbox=[1, 2, 3, 4]", 'put words between quotes: kind = "low"'),
        ("[[piece]]\nkind='low'\nheight=0.5\nbox=[1, 2, 0.01, 0.01]", "their product at least 0.001"),
        ("loot = []", "1 to 6"),
        ("zones = [[0, 0, 30, 12], [0, 10, 30, 22]]", "overlap"),
        ("zones = [[0, 0, 30, 1], [0, 19, 30, 22]]", "at least 2"),
        ("piece = 3", "[[piece]]"),
        ("piece = [3]", "[[piece]]"),
        ("name = 3", "text"),
        ("[[piece]]\nkind='low'\nheight=0.5\nbox=[1e400, 2, 3, 4]", "must be a number"),
        ("[[piece]]\nkind='low'\nheight=true\nbox=[1, 2, 3, 4]", "must be a number"),
        ("[[piece]]\nkind='door-open'\nclimb=true\nheight=2\nbox=[1, 2, 3, 4]", "only a platform"),
        ("[[piece]]\nkind='low'\nheight=0.5\nturn=9\npolygon=[[1,1],[2,1],[2,2]]", "only a box"),
        ("x = " + "[" * 3000, "nested"),
        ("\n".join(["[[piece]]\nkind='low'\nheight=0.5\nbox=[1, 2, 3, 4]"] * 81), "at most 80"),
    ],
)
def test_a_bad_file_is_told_why(text: str, word: str) -> None:
    with pytest.raises(CardFaults, match=r"b\.toml") as caught:
        parse(text, "b.toml")
    assert word in str(caught.value)


@given(st.text(max_size=200))
def test_any_text_is_a_board_or_a_fault(text: str) -> None:
    """Untrusted text never ends in anything but a board or faults."""
    try:
        parse(text, "b.toml")
    except CardFaults:
        pass


def test_an_unknown_board_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match='did you mean "twin-yards"'):
        board("twin yard")
    with pytest.raises(CardFaults, match="no such file"):
        board(str(tmp_path / "none.toml"))


def test_defaults_and_twins() -> None:
    """G3, G4, RULING 54; a twin is the half turn."""
    found = parse('[[piece]]\nkind = "low"\nbox = [2, 4, 3, 1]\nheight = 0.5\ntwin = true\n', name="yard")
    assert found.name == "yard"
    assert found.loot == ((7, 11), (15, 11), (23, 11))
    assert found.zones == ((0, 0, 30, 3), (0, 19, 30, 22))
    assert found.symmetric
    assert [p.outline[0] for p in found.pieces] == [(2, 4), (28, 18)]
    assert not parse('[[piece]]\nkind = "low"\nbox = [2, 4, 3, 1]\nheight = 0.5\n').symmetric


def test_the_digest_is_of_what_the_rules_see() -> None:
    """Names and the order of pieces do not count; a height does."""
    one = parse(
        'name="a"\n[[piece]]\nkind="low"\nbox=[2,4,3,1]\nheight=0.5\n[[piece]]\nkind="low"\nbox=[9,4,3,1]\nheight=0.5'
    )
    two = parse(
        'name="b"\n[[piece]]\nkind="low"\nbox=[9,4,3,1]\nheight=0.5\n[[piece]]\nkind="low"\nbox=[2,4,3,1]\nheight=0.5'
    )
    three = parse(
        'name="b"\n[[piece]]\nkind="low"\nbox=[9,4,3,1]\nheight=0.5\n[[piece]]\nkind="low"\nbox=[2,4,3,1]\nheight=0.6'
    )
    assert one.digest == two.digest != three.digest


def test_a_drawing_joins_neighbours() -> None:
    found, marks = draw("..##\nA.##\nll..", cell=2.0)
    assert [(p.kind, p.outline[0], p.outline[2]) for p in found.pieces] == [
        ("impassable", (4, 2), (8, 6)),
        ("low", (0, 0), (4, 2)),
    ]
    assert (found.width, found.depth) == (8, 6)
    assert marks == {"A": (1, 3)}


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=3, max_size=9, unique=True))
def test_parts_cover_an_outline(points: list[tuple[int, int]]) -> None:
    """Convex parts: together of the same area, each counter-clockwise and convex."""
    middle = (sum(x for x, _y in points) / len(points), sum(y for _x, y in points) / len(points))
    ring = sorted(points, key=lambda p: (math.atan2(p[1] - middle[1], p[0] - middle[0]), math.dist(p, middle)))
    if not shapes.is_simple(ring) or abs(shapes.area(ring)) < 1e-6:
        return
    parts = shapes.convex_parts(ring)
    assert sum(map(shapes.area, parts)) == pytest.approx(abs(shapes.area(ring)))
    assert all(shapes.area(part) > 0 and shapes.is_convex(part) for part in parts)


def test_no_light_between_pieces_that_touch() -> None:
    """A line along the seam of two boxes, or along the diagonal inside a polygon cut in parts, is stopped."""
    seam = Table(open_board(12, 8, [block("impassable", 3, 3, 3, 1), block("impassable", 6, 3, 3, 1)]))
    assert not seam.sees((6, 1), (6, 6))
    ell = Piece("impassable", ((3, 3), (9, 3), (9, 4), (4, 4), (4, 7), (3, 7)), 3.0)
    bent = Table(open_board(12, 9, [ell]))
    for x in np.arange(3.0, 9.5, 0.5):
        assert not bent.sees((x, 2), (x, 8)), x
