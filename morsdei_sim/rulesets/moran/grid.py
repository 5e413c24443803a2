"""The board: square cells, walls, cover along the edges of cells, and the geometry of steps, sight and templates.

A cell is one number, `y * width + x`; x grows to the east, y to the south. Everything here works on plain arrays, so
the engagement calls it from compiled code and the tests from Python.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import inline, kernel
from morsdei_sim.rulesets.moran.rules import ALTERNATING

FAR_AWAY = 1 << 14
"""Cost of a cell that cannot be reached."""

SMALL, MEDIUM, LARGE, CONE = 1, 2, 3, 4
"""R46 Sizes of templates; 0 is no area weapon."""

CONE_LENGTH = 5

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3


class Grid(NamedTuple):
    """`wall` (uint8, by cell), `cover` (uint8, cell x 4 edges: steps 0-2 of cover along the north, east, south and west
    edge), `sight` (uint8, cell x cell: whether there is a line of fire)."""

    width: int
    height: int
    wall: NDArray[np.uint8]
    cover: NDArray[np.uint8]
    sight: NDArray[np.uint8]


class Walks(NamedTuple):
    """Scratch of `reach`. A node is `2 * cell + (an odd number of diagonal steps so far)`.

    `node` (int32) has three rows: COST and BACK (the node before) by node, FOUND the list of the nodes reached;
    `many` is their number.
    """

    node: NDArray[np.int32]
    many: NDArray[np.int64]


COST, BACK, FOUND = 0, 1, 2


def walks(cells: int) -> Walks:
    """Scratch for a board of so many cells."""
    return Walks(np.full((3, 2 * cells), FAR_AWAY, np.int32), np.zeros(1, np.int64))


@inline
def distance(rules, grid, one, other):
    """RULING 3 Cells between two cells: the larger difference; by the switch every second diagonal costs one more."""
    dx = abs(one % grid.width - other % grid.width)
    dy = abs(one // grid.width - other // grid.width)
    if rules.diagonal_cost == ALTERNATING:
        return max(dx, dy) + min(dx, dy) // 2
    return max(dx, dy)


@inline
def step(grid, cell, dx, dy):
    """R2-R3, RULINGS 4, 23 The cell one step away, or -1 if the step is illegal: off the board, into a wall, past one.

    Diagonally both cells that the step passes between must be free of walls. Figures make no corners.
    """
    x, y = cell % grid.width + dx, cell // grid.width + dy
    if x < 0 or y < 0 or x >= grid.width or y >= grid.height:
        return -1
    to = y * grid.width + x
    if grid.wall[to]:
        return -1
    if dx != 0 and dy != 0 and (grid.wall[cell + dx] or grid.wall[cell + dy * grid.width]):
        return -1
    return to


@inline
def can_strike(grid, cell, enemy):
    """R38, RULING 21 Whether one could go from the cell to the enemy's in one step; the enemy does not bar it."""
    dx, dy = enemy % grid.width - cell % grid.width, enemy // grid.width - cell // grid.width
    if max(abs(dx), abs(dy)) != 1:
        return False
    return step(grid, cell, dx, dy) == enemy


@inline
def step_cost(rules, diagonal, odd):
    """RULING 3 Cells that a step costs, after an odd or even number of diagonal ones."""
    return 2 if diagonal and odd and rules.diagonal_cost == ALTERNATING else 1


@kernel
def reach(rules, grid, start, most, barred, out):
    """R1, RULING 23 Fill the scratch `out` with the cost of every cell within `most` of `start`, and the way there.

    `barred` (uint8, by cell) marks enemies, who may not be walked through; friends may, so they are not marked here.
    What an earlier call left is wiped first.
    """
    for place in range(out.many[0]):
        out.node[COST, out.node[FOUND, place]] = FAR_AWAY
    out.node[FOUND, 0] = 2 * start
    out.node[COST, 2 * start] = 0
    out.node[BACK, 2 * start] = -1
    count = 1
    for cost in range(most):
        place = 0
        while place < count:
            node = out.node[FOUND, place]
            place += 1
            if out.node[COST, node] != cost:
                continue
            for way in range(9):
                dx, dy = way % 3 - 1, way // 3 - 1
                if dx == 0 and dy == 0:
                    continue
                to = step(grid, node >> 1, dx, dy)
                if to < 0 or barred[to]:
                    continue
                diagonal = dx != 0 and dy != 0
                spent = cost + step_cost(rules, diagonal, node & 1)
                parity = (node & 1) ^ (1 if diagonal and rules.diagonal_cost == ALTERNATING else 0)
                then = 2 * to + parity
                if spent > most or spent >= out.node[COST, then]:
                    continue
                if out.node[COST, then] == FAR_AWAY:
                    out.node[FOUND, count] = then
                    count += 1
                out.node[COST, then] = spent
                out.node[BACK, then] = node
    out.many[0] = count


@inline
def nearest_node(out, cell):
    """The cheaper of the two nodes of a cell."""
    return 2 * cell if out.node[COST, 2 * cell] <= out.node[COST, 2 * cell + 1] else 2 * cell + 1


@inline
def cost_to(out, cell):
    """Cells that a move there costs; FAR_AWAY if it is out of reach."""
    return out.node[COST, nearest_node(out, cell)]


@kernel
def path_to(out, cell, path):
    """Write the cells of the cheapest way to `cell`, its start left out, into `path` (int64); returns how many."""
    node = nearest_node(out, cell)
    if out.node[COST, node] >= FAR_AWAY:
        return 0
    steps = 0
    while out.node[BACK, node] >= 0:
        path[steps] = node >> 1
        node = out.node[BACK, node]
        steps += 1
    for place in range(steps // 2):
        path[place], path[steps - 1 - place] = path[steps - 1 - place], path[place]
    return steps


@inline
def line_of_fire(width, wall, one, other):
    """RULING 24 Whether the line between the centres passes inside no wall cell; touching one is nothing.

    A line passes inside a square when its distance from the centre, in the norm of the square, is less than half.
    """
    x0, y0, x1, y1 = one % width, one // width, other % width, other // width
    dx, dy = x1 - x0, y1 - y0
    for y in range(min(y0, y1), max(y0, y1) + 1):
        for x in range(min(x0, x1), max(x0, x1) + 1):
            if wall[y * width + x] and 2 * abs(dx * (y - y0) - dy * (x - x0)) < abs(dx) + abs(dy):
                return False
    return wall[one] == 0 and wall[other] == 0


@kernel
def see(width, wall, sight):
    """Fill `sight` (uint8, cell x cell) with the lines of fire."""
    for one in range(len(wall)):
        for other in range(one, len(wall)):
            seen = 1 if line_of_fire(width, wall, one, other) else 0
            sight[one, other] = seen
            sight[other, one] = seen


@inline
def cover_from(grid, shooter, target):
    """RULING 34 Steps of cover (R16) of a target: of the edge of its cell that the line from the shooter crosses.

    A line through a corner of the cell is covered only as well as the lesser of the two edges.
    """
    dx, dy = shooter % grid.width - target % grid.width, shooter // grid.width - target // grid.width
    across = grid.cover[target, EAST if dx > 0 else WEST]
    along = grid.cover[target, SOUTH if dy > 0 else NORTH]
    if abs(dx) > abs(dy):
        return np.int64(across)
    if abs(dy) > abs(dx):
        return np.int64(along)
    return np.int64(min(across, along)) if dx != 0 else 0


@inline
def watched(rules, grid, marker, cell):
    """R32 Whether a cell is marked by a watch marker: its own cell and all around it."""
    dx = abs(marker % grid.width - cell % grid.width)
    dy = abs(marker // grid.width - cell // grid.width)
    return marker >= 0 and max(dx, dy) <= rules.watch_radius


@inline
def cone_half(depth):
    """RULING 25 Half the width of a cone at a depth of 1 to 5 cells: 1, 1, 3, 3, 5 wide."""
    return (depth - 1) // 2


@inline
def in_template(grid, size, at, direction, cell):
    """R46, RULING 25 Whether a template covers a cell: a square of 3, 5 or 7 around `at`, or the cone from its user.

    A cone points along one of the four straight directions.
    """
    dx, dy = cell % grid.width - at % grid.width, cell // grid.width - at // grid.width
    if size != CONE:
        return max(abs(dx), abs(dy)) <= size
    depth = -dy if direction == NORTH else dx if direction == EAST else dy if direction == SOUTH else -dx
    aside = abs(dx) if direction in (NORTH, SOUTH) else abs(dy)
    return 1 <= depth <= CONE_LENGTH and aside <= cone_half(depth)


@inline
def can_place(rules, grid, thrower, centre, size, throw):
    """R41-R43, RULING 26 Whether a square template may lie around `centre`: its nearest cell within the throw, and a
    line of fire to its centre."""
    if grid.sight[thrower, centre] == 0:
        return False
    dx = max(0, abs(thrower % grid.width - centre % grid.width) - size)
    dy = max(0, abs(thrower // grid.width - centre // grid.width) - size)
    gap = max(dx, dy) + (min(dx, dy) // 2 if rules.diagonal_cost == ALTERNATING else 0)
    return gap <= throw
