"""Boards drawn in tests, with their tables asked in inches."""

from __future__ import annotations

import math

import numpy as np

from morsdei_sim.rulesets.morsdei.game import moves, paths, sight
from morsdei_sim.rulesets.morsdei.game.boards import Board, Piece
from morsdei_sim.rulesets.morsdei.game.drawing import draw
from morsdei_sim.rulesets.morsdei.game.prepared import Options, prepare
from morsdei_sim.rulesets.morsdei.game.shapes import box

INCH = 25.4
"""A base of one inch: half its width is the lattice step, so that it can stand flush with a wall."""


def block(kind, x, y, width, depth, height=3.0, base=0.0, **more):
    """A piece from a box."""
    return Piece(kind, box(x, y, width, depth), height, base, **more)


def open_board(width, depth, pieces=(), loot=((1.0, 1.0),), zones=None):
    """A board of pieces; the zones are its two halves unless given."""
    half = zones or ((0.0, 0.0, width, depth / 2), (0.0, depth / 2, width, depth))
    return Board("", "", float(width), float(depth), tuple(pieces), loot, half)


class Table:
    """A prepared board; places are named by (x, y) or (x, y, z)."""

    def __init__(self, board, base=INCH, options=None, marks=None, bases=None):
        self.ready = prepare(board, bases or (base,), options or Options(), keep=False)
        self.board, self.marks = board, marks or {}

    def at(self, point):
        """The number of a place: a mark of the drawing, or its coordinates."""
        x, y, *z = self.marks[point] if isinstance(point, str) else point
        where = self.ready.where
        away = np.hypot(where.x - x, where.y - y) + np.abs(where.z - (z[0] if z else 0.0))
        found = int(np.argmin(away))
        assert away[found] < 2e-3, f"no place at {point}: nearest is {away[found]:.3f} away"
        return found

    def is_place(self, *point):
        x, y, *z = point
        where = self.ready.where
        away = np.hypot(where.x - x, where.y - y) + np.abs(where.z - (z[0] if z else 0.0))
        return bool(((away < 2e-3) & where.stand[0]).any())

    def length(self, a, b, size=0):
        """Inches of the shortest path, infinite when there is none."""
        found = int(self.ready.ways[size].length[self.at(a), self.at(b)])
        return math.inf if found == paths.NOWHERE else found / paths.SCALE

    def path(self, a, b, size=0):
        """The points of the shortest path."""
        points = np.zeros((paths.MOST_BENDS, 3))
        count = paths.route(self.ready.ways[size], self.ready.where, self.at(a), self.at(b), points)
        return points[:count].copy()

    def contact(self, a, b):
        return bool(self.ready.contact[self.at(a), self.at(b)] & 1)

    def sees(self, a, b, *others):
        """Whether a fighter on a sees one on b past others."""
        at = np.array([self.at(a), self.at(b), *map(self.at, others)])
        return bool(sight.sees(self.ready.view, at, 0, 1))

    def cover(self, a, b):
        return bool(self.ready.view.sight[self.at(a), self.at(b)] & sight.COVER)

    def sees_marker(self, number, a, *others):
        at = np.array([self.at(a), *map(self.at, others)])
        return bool(sight.sees_marker(self.ready.view, at, np.zeros(len(at), np.int64), 0, number))

    def foes(self, enemies):
        """Position and radius of enemies of the first base size."""
        where = self.ready.where
        at = [self.at(enemy) for enemy in enemies]
        rows = [(where.x[p], where.y[p], where.z[p], where.radius[0], where.bare[p]) for p in at]
        return np.array(rows, dtype=float).reshape(-1, 5), len(at)

    def along(self, points, *enemies):
        """What a path does to contact with enemies."""
        path = np.array(points, dtype=float)
        radius = self.ready.where.radius[0]
        return paths.contact_along(self.ready.terrain, path, len(path), radius, 1.0, *self.foes(enemies))

    def free(self, points, *enemies):
        """Whether a path passes no enemy base."""
        path = np.array(points, dtype=float)
        return bool(paths.path_is_free(path, len(path), self.ready.where.radius[0], *self.foes(enemies)))

    def goes(self, kind, inches, start, end, enemies=(), friends=()):
        """The points of the path that the rules allow past the models, None when there is none."""
        at = np.array([self.at(start), *map(self.at, enemies), *map(self.at, friends)])
        side = np.array([0] + [1] * len(enemies) + [0] * len(friends))
        room, ready = moves.scratch(), self.ready
        count = moves.legal_path(
            ready.terrain, ready.where, ready.ways[0], at, np.zeros(len(at), np.int64), side, 1.0, 0, self.at(end),
            float(inches), kind, room,
        )  # fmt: skip
        return room.points[:count].copy() if count else None


def drawn(picture, base=INCH, **more):
    """A table of a drawing."""
    board, marks = draw(picture, **more)
    return Table(board, base, marks=marks)
