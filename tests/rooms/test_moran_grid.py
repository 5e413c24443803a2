"""The board of Moran: steps and corners, lines of fire, cover, templates and reach, on maps drawn here and at random.

The independent reference has the same geometry by other means: sets of cells, and clipping in fractions.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from reference import moran as reference

from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.rulesets.moran import grid as board_rules
from morsdei_sim.rulesets.moran.boards import Board, board, parse
from morsdei_sim.rulesets.moran.grid import CONE, EAST, LARGE, MEDIUM, NORTH, SMALL, SOUTH, WEST, Grid, walks
from morsdei_sim.rulesets.moran.rules import PRINTED, Rules

ALTERNATING = PRINTED._replace(diagonal_cost=1)


def drawn(*rows: str) -> Grid:
    """A board of cells only, one character each; its deployment does not matter."""
    first = rows[0]
    lines = [" ".join(row) for row in rows]
    text = "\n\n".join(lines)
    if "A" not in text:
        extra = " ".join("AB".ljust(len(first), "."))
        text += "\n\n" + extra
    return parse(text).grid


def at(grid: Grid, x: int, y: int) -> int:
    return y * grid.width + x


def by_reference(grid: Grid) -> reference.Grid:
    walls = {(cell % grid.width, cell // grid.width) for cell in np.flatnonzero(grid.wall)}
    return reference.Grid(grid.width, grid.height, frozenset(walls))


def place(grid: Grid, cell: int) -> tuple[int, int]:
    return int(cell % grid.width), int(cell // grid.width)


def switches(rules: Rules) -> reference.Switches:
    return reference.Switches(diagonal_cost="1-2-1-2" if rules.diagonal_cost else 1)


def some_grid(rng: random.Random) -> Grid:
    width, height = rng.randint(4, 9), rng.randint(4, 8)
    rows = ["".join("#" if rng.random() < 0.25 else "." for _x in range(width)) for _y in range(height)]
    return drawn(*rows)


def reached(rules: Rules, grid: Grid, start: int, most: int, enemies: set[int]) -> dict[int, int]:
    barred = np.zeros(len(grid.wall), np.uint8)
    barred[list(enemies)] = 1
    out = walks(len(grid.wall))
    board_rules.reach(rules, grid, start, most, barred, out)
    costs = {cell: int(board_rules.cost_to(out, cell)) for cell in range(len(grid.wall))}
    return {cell: cost for cell, cost in costs.items() if cost <= most}


def test_corners() -> None:
    """V34, R3, RULING 23 No diagonal step past a wall on either side; along it is fine."""
    grid = drawn(
        ".#.",
        "...",
        "..#",
    )
    step = board_rules.step
    assert step(grid, at(grid, 0, 1), 1, -1) == -1  # into the wall
    assert step(grid, at(grid, 0, 0), 1, 1) == -1  # past it: the wall is to the east
    assert step(grid, at(grid, 2, 0), -1, 1) == -1  # the wall is to the west
    assert step(grid, at(grid, 1, 2), 1, -1) == -1  # past the one in the corner
    assert step(grid, at(grid, 0, 2), 1, -1) == at(grid, 1, 1)
    assert step(grid, at(grid, 1, 1), 1, 0) == at(grid, 2, 1)
    assert step(grid, at(grid, 0, 0), -1, 0) == -1  # off the board
    assert board_rules.can_strike(grid, at(grid, 0, 2), at(grid, 1, 1))
    assert not board_rules.can_strike(grid, at(grid, 0, 0), at(grid, 1, 1))
    assert not board_rules.can_strike(grid, at(grid, 1, 1), at(grid, 1, 1))


def test_a_move_of_five_cells() -> None:
    """R1, RULING 3 A way around a wall; by the switch every second diagonal step costs two."""
    grid = drawn(
        "......",
        ".####.",
        "......",
    )
    found = reached(PRINTED, grid, at(grid, 2, 0), 5, set())
    assert found[at(grid, 0, 1)] == 3  # no step past the corner of the wall
    assert found[at(grid, 1, 2)] == 5
    assert at(grid, 2, 2) not in found
    open_ground = drawn(*["......"] * 6)
    assert reached(PRINTED, open_ground, 0, 5, set())[at(open_ground, 4, 4)] == 4
    assert at(open_ground, 4, 4) not in reached(ALTERNATING, open_ground, 0, 5, set())
    assert reached(ALTERNATING, open_ground, 0, 5, set())[at(open_ground, 3, 3)] == 4


@pytest.mark.parametrize("seed", range(40))
def test_moves_are_those_of_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    grid, rules = some_grid(rng), rng.choice([PRINTED, ALTERNATING])
    free = np.flatnonzero(grid.wall == 0).tolist()
    start, *enemies = rng.sample(free, min(len(free), rng.randint(1, 4)))
    most = rng.randint(0, 7)
    found = reached(rules, grid, start, most, set(enemies))
    expected = reference.reach(
        by_reference(grid), place(grid, start), most, enemies=[place(grid, one) for one in enemies],
        rules=switches(rules),
    )  # fmt: skip
    assert {place(grid, cell): cost for cell, cost in found.items()} == expected


@pytest.mark.parametrize("seed", range(20))
def test_the_way_is_legal_and_costs_what_is_said(seed: int) -> None:
    rng = random.Random(100 + seed)
    grid, rules = some_grid(rng), rng.choice([PRINTED, ALTERNATING])
    start = rng.choice(np.flatnonzero(grid.wall == 0).tolist())
    out, path = walks(len(grid.wall)), np.zeros(len(grid.wall), np.int64)
    board_rules.reach(rules, grid, start, 6, np.zeros(len(grid.wall), np.uint8), out)
    board_rules.reach(rules, grid, start, 6, np.zeros(len(grid.wall), np.uint8), out)  # what was there is wiped
    for cell in range(len(grid.wall)):
        cost = board_rules.cost_to(out, cell)
        if cost > 6:
            continue
        steps = board_rules.path_to(out, cell, path)
        way = [place(grid, start), *(place(grid, one) for one in path[:steps])]
        assert way[-1] == place(grid, cell)
        assert reference.is_legal_path(by_reference(grid), way, 6, rules=switches(rules))
        assert reference.path_cost(way, switches(rules)) == cost


def test_lines_of_fire() -> None:
    """RULING 24 Blocked inside a wall; touching its corner is nothing, also between two walls that meet there."""
    grid = drawn(
        ".....",
        ".#.#.",
        "..#..",
        ".....",
    )

    def seen(one: tuple[int, int], other: tuple[int, int]) -> bool:
        assert grid.sight[at(grid, *one), at(grid, *other)] == grid.sight[at(grid, *other), at(grid, *one)]
        return bool(grid.sight[at(grid, *one), at(grid, *other)])

    assert not seen((0, 1), (4, 1))
    assert not seen((0, 0), (2, 2))
    assert not seen((0, 0), (3, 3))
    assert seen((1, 2), (2, 1))  # between the corners of two walls
    assert seen((0, 0), (4, 0))
    assert not seen((0, 1), (1, 1))  # nobody stands in a wall
    assert seen((0, 2), (1, 2))
    assert not seen((1, 2), (3, 2))


@pytest.mark.parametrize("seed", range(25))
def test_lines_of_fire_are_those_of_the_reference(seed: int) -> None:
    rng = random.Random(200 + seed)
    grid = some_grid(rng)
    theirs = by_reference(grid)
    free = np.flatnonzero(grid.wall == 0)
    for one in free:
        for other in free:
            wanted = reference.line_of_fire(theirs, place(grid, one), place(grid, other))
            assert bool(grid.sight[one, other]) == wanted, (place(grid, one), place(grid, other))


def test_distances() -> None:
    """RULING 3"""
    grid = drawn(*["......"] * 6)
    assert board_rules.distance(PRINTED, grid, at(grid, 0, 0), at(grid, 3, 5)) == 5
    assert board_rules.distance(ALTERNATING, grid, at(grid, 0, 0), at(grid, 3, 5)) == 6
    for one in range(36):
        for other in range(36):
            for rules in (PRINTED, ALTERNATING):
                wanted = reference.distance(place(grid, one), place(grid, other), switches(rules))
                assert board_rules.distance(rules, grid, one, other) == wanted


def test_cover_is_that_of_the_edge_towards_the_shooter() -> None:
    """RULING 34 Light cover to the north, full to the east; exactly over the corner the lesser of the two counts."""
    grid = parse("A . . . .\n\n. . . . .\n    -\n. . .|. .\n\n. . . . .\n\n. . . . B").grid
    target = at(grid, 2, 2)
    assert grid.cover[target].tolist() == [1, 2, 0, 0]
    assert grid.cover[at(grid, 3, 2)].tolist() == [0, 0, 0, 2]
    assert grid.cover[at(grid, 2, 1)].tolist() == [0, 0, 1, 0]
    cover = board_rules.cover_from
    assert cover(grid, at(grid, 2, 0), target) == 1
    assert cover(grid, at(grid, 1, 0), target) == 1
    assert cover(grid, at(grid, 4, 2), target) == 2
    assert cover(grid, at(grid, 4, 1), target) == 2
    assert cover(grid, at(grid, 4, 0), target) == 1  # north-east, over the corner
    assert cover(grid, at(grid, 0, 0), target) == 0  # north-west: nothing to the west
    assert cover(grid, at(grid, 2, 4), target) == 0
    assert cover(grid, target, target) == 0


def covered(grid: Grid, size: int, cell: int, direction: int = NORTH) -> set[tuple[int, int]]:
    cells = range(len(grid.wall))
    return {place(grid, one) for one in cells if board_rules.in_template(grid, size, cell, direction, one)}


def test_templates() -> None:
    """RULING 25"""
    grid = drawn(*["." * 15] * 15)
    middle = at(grid, 7, 7)
    for letter, size in (("S", SMALL), ("M", MEDIUM), ("L", LARGE)):
        assert covered(grid, size, middle) == reference.template(letter, (7, 7))
    ways = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
    for direction, way in ways.items():
        assert covered(grid, CONE, middle, direction) == reference.template("C", (7, 7), way)
    assert len(covered(grid, CONE, middle)) == 1 + 1 + 3 + 3 + 5


def test_the_reach_of_a_grenade() -> None:
    """V33, R42-R43, RULING 26 Nearest cell of a small template at 10 cells: yes, at 11: no; and a line of fire."""
    grid = drawn("." * 20, "." * 20, "." * 9 + "#" + "." * 10)

    def can(x: int, y: int, rules: Rules = PRINTED) -> bool:
        return bool(board_rules.can_place(rules, grid, at(grid, 0, 0), at(grid, x, y), SMALL, 10))

    assert can(11, 0)
    assert not can(12, 0)
    assert not board_rules.can_place(PRINTED, grid, at(grid, 8, 2), at(grid, 10, 2), SMALL, 10)
    theirs = by_reference(grid)
    for rules in (PRINTED, ALTERNATING):
        for centre in np.flatnonzero(grid.wall == 0):
            x, y = place(grid, centre)
            wanted = reference.can_throw(theirs, (0, 0), (x, y), rules=switches(rules))
            assert can(x, y, rules) == wanted, (x, y)


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def faults(text: str) -> list[str]:
    with pytest.raises(CardFaults) as raised:
        parse(text, "b.txt")
    return [str(fault) for fault in raised.value.faults]


def test_every_fault_has_its_line_and_column() -> None:
    text = "; name: X\nA x .\n  -\n. ?. B\n! -"
    found = faults(text)
    places = [("2", "3"), ("4", "3"), ("4", "4"), ("4", "5"), ("4", "6"), ("5", "1"), ("5", "3")]
    for said, (line, column) in zip(found, places, strict=False):
        assert f"b.txt:{line}" in said
        assert f"column {column}" in said
    assert len(found) == len(places) + 1  # and nowhere to deploy for B
    assert "column 4" in faults("A .|\n\n. B")[0]
    assert "column 2" in faults("A .\n -\n. B")[0]
    assert "deploys" in faults("A .\n\n. .")[0]
    assert "2 to 40" in faults("A")[0]
    assert "2 to 40" in faults(" ".join("A" * 41) + "\n\n" + " ".join("B" * 41))[0]


def test_boards_that_come_along() -> None:
    names = ("crossing", "street", "yard")
    found: dict[str, Board] = {name: board(name) for name in names}
    assert [found[name].symmetric for name in names] == [True, True, False]
    assert all(one.name_ru and one.name for one in found.values())
    assert all(len(cells) >= 12 for one in found.values() for cells in one.deploy)
    with pytest.raises(UserError, match="did you mean"):
        board("crosing")


def test_a_symmetric_board_is_seen(tmp_path: Path) -> None:
    text = "A .\n-\n. #\n\n# .\n  -\n. B"
    file = tmp_path / "small.txt"
    file.write_text(text, encoding="utf-8")
    assert board(str(file)).symmetric
    assert not parse(text.replace("-", "=", 1)).symmetric
    assert not parse(text.replace("#", ".", 1)).symmetric
    assert not parse(text.replace("A .", "A A", 1)).symmetric
