"""The table of a battle in plain Python: pieces, sight, bodies, contact, loot markers (E6, V, L2, RULINGS 8-15).

Outlines are taken as they are, convex or not. What only grazes: sides and lower faces are part of a piece, upper faces
are not (RULING 14: hidden exactly if … < h), bodies are open. A log may hold rounded numbers, so a check that fails is
tried again with every outline a little larger or smaller (`walls`) and every distance a little larger or smaller
(`reach`), see `audit`: what passes only then is counted as a doubt.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

Place = tuple[float, float, float]

DOUBT = 1e-3
"""Inches by which a second look leans."""
GRAZE = 1e-7
TOUCH = 1e-6
ROOM = 2e-3
"""Inches by which bases may seem to overlap: rounding."""
MARKER = 20 / 25.4


class Piece(NamedTuple):
    """A piece of terrain."""

    kind: str
    outline: tuple[tuple[float, float], ...]
    base: float
    top: float
    climb: bool
    stand: bool
    frame: tuple[float, float, float, float]
    name: str

    @property
    def hides(self) -> bool:
        return self.kind != "door-open"

    @property
    def blocks(self) -> bool:
        return self.kind not in ("low", "door-open")

    @property
    def surface(self) -> bool:
        return self.kind in ("climbable", "platform") or (self.kind == "low" and self.stand)


def piece_of(row: dict[str, Any]) -> Piece:
    outline = tuple((float(x), float(y)) for x, y in row["outline"])
    xs, ys = zip(*outline, strict=True)
    climb = bool(row["climb"]) or row["kind"] == "climbable"
    frame = (min(xs), min(ys), max(xs), max(ys))
    top = row["base"] + row["height"]
    return Piece(row["kind"], outline, row["base"], top, climb, bool(row["stand"]), frame, row["name"])


# ── flat shapes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def sides(outline: Any) -> list[Any]:
    return list(zip(outline, (*outline[1:], outline[0]), strict=True))


def holds(outline: Any, x: float, y: float) -> bool:
    """Whether a point lies in an outline: crossings of a ray to the right."""
    odd = False
    bx, by = outline[-1]
    for ax, ay in outline:
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
        bx, by = ax, ay
    return odd


def point_to_segment(p: Any, a: Any, b: Any) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else min(1.0, max(0.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square))
    return math.hypot(a[0] + t * dx - p[0], a[1] + t * dy - p[1])


def to_rim(outline: Any, x: float, y: float) -> float:
    """Distance of a point from the nearest side of an outline."""
    return min(point_to_segment((x, y), a, b) for a, b in sides(outline))


def near(outline: Any, x: float, y: float, room: float) -> bool:
    """Whether a point lies in an outline grown by `room` (shrunk when it is negative)."""
    if room < 0:
        return holds(outline, x, y) and to_rim(outline, x, y) > -room
    return holds(outline, x, y) or to_rim(outline, x, y) <= room


def cuts(outline: Any, a: Any, b: Any) -> list[float]:
    """Where along a segment it crosses lines of sides (within the sides) of an outline."""
    found = []
    dx, dy = b[0] - a[0], b[1] - a[1]
    for (cx, cy), (ex, ey) in sides(outline):
        sx, sy = ex - cx, ey - cy
        det = dx * sy - dy * sx
        if abs(det) > 1e-15:
            t = ((cx - a[0]) * sy - (cy - a[1]) * sx) / det
            u = ((cx - a[0]) * dy - (cy - a[1]) * dx) / det
            if 0 <= t <= 1 and -1e-9 <= u <= 1 + 1e-9:
                found.append(t)
    return found


def feet(outline: Any, a: Any, b: Any) -> list[float]:
    """Where along a segment it is nearest to the corners of an outline."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0:
        return []
    return [t for x, y in outline if 0 <= (t := ((x - a[0]) * dx + (y - a[1]) * dy) / square) <= 1]


def apart(outline: Any, a: Any, b: Any) -> float:
    """Distance of a segment from an outline, 0 when it runs into it."""
    if holds(outline, a[0], a[1]) or holds(outline, b[0], b[1]) or cuts(outline, a, b):
        return 0.0
    away = [min(point_to_segment(a, c, d), point_to_segment(b, c, d)) for c, d in sides(outline)]
    return min(min(away), min(point_to_segment(c, a, b) for c in outline))


def line_meets(piece: Piece, a: Place, b: Place, lean: int) -> bool:
    """Whether the segment a-b in space meets a piece; `lean` 1 grows its outline by DOUBT, -1 shrinks it. Heights do
    not lean: bases stand exactly on surfaces."""
    room = GRAZE if lean == 0 else lean * DOUBT
    low, high = piece.base - GRAZE, piece.top - GRAZE
    x0, y0, x1, y1 = piece.frame
    if (
        max(a[0], b[0]) < x0 - room or min(a[0], b[0]) > x1 + room
        or max(a[1], b[1]) < y0 - room or min(a[1], b[1]) > y1 + room
        or max(a[2], b[2]) < low or min(a[2], b[2]) > high
    ):  # fmt: skip
        return False
    rise = b[2] - a[2]
    times = [0.0, 1.0, *cuts(piece.outline, a, b)]
    if abs(rise) > 1e-12:
        times += [t for h in (low, high) if 0 <= (t := (h - a[2]) / rise) <= 1]
    if lean < 0:  # the shrunken piece is open: middles of the stretches decide
        times.sort()
        times = [(s + t) / 2 for s, t in itertools.pairwise(times)]
    else:  # the piece is closed: it is met at one of the ends of a stretch, if at all
        times += feet(piece.outline, a, b)
    for t in times:
        z = a[2] + t * rise
        if low - 1e-9 <= z <= high + 1e-9:
            x, y = a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])
            if x < x0 - room or x > x1 + room or y < y0 - room or y > y1 + room:
                continue  # outside its frame
            if near(piece.outline, x, y, room):
                return True
    return False


class Table:
    """What lies on the table, and how one looks at it."""

    def __init__(self, header: dict[str, Any]) -> None:
        board, self.body, self.rules = header["board"], header["body"], header["rules"]
        self.width, self.depth = board["width"], board["depth"]
        self.loot, self.zones = board["loot"], board["zones"]
        self.pieces = [piece_of(row) for row in board["pieces"]]
        self.hiding = [piece for piece in self.pieces if piece.hides]
        self.blocking = [piece for piece in self.pieces if piece.blocks]
        self.walls, self.reach = 0, 0
        self.known: dict[Any, Any] = {}

    def remember(self, what: str, work: Any, *arguments: Any) -> Any:
        """Terrain does not change: each question is answered once."""
        key = (what, self.walls, self.reach, arguments)
        if key not in self.known:
            self.known[key] = work(*arguments)
        return self.known[key]

    def within(self, distance: float, limit: float) -> bool:
        """E5, RULING 8."""
        return distance <= limit + TOUCH + self.reach * DOUBT

    # sight

    def hidden(self, a: Place, b: Place) -> bool:
        return any(line_meets(piece, a, b, self.walls) for piece in self.hiding)

    def terrain_hides(self, a: Place, b: Place, height: float) -> bool:
        """From the eye over a to a height over b."""
        eye = (a[0], a[1], a[2] + self.body["eye"])
        return self.remember("line", self.hidden, eye, (b[0], b[1], b[2] + height))

    def body_hides(self, a: Place, b: Place, c: Place) -> bool:
        """Whether the line a-b (points in space) passes through the body of a fighter on c (V5)."""
        dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        ex, ey = a[0] - c[0], a[1] - c[1]
        radius = self.body["radius"] + self.walls * DOUBT
        square, along = dx * dx + dy * dy, ex * dx + ey * dy
        enter, leave = 0.0, 1.0
        if square > 1e-18:
            root = along * along - square * (ex * ex + ey * ey - radius * radius)
            if root <= 0:
                return False
            enter, leave = (-along - math.sqrt(root)) / square, (-along + math.sqrt(root)) / square
        elif math.hypot(ex, ey) >= radius:
            return False
        low, high = c[2] + self.body["foot"], c[2] + self.body["top"]
        if abs(dz) > 1e-12:
            first, last = sorted(((low - a[2]) / dz, (high - a[2]) / dz))
            enter, leave = max(enter, first), min(leave, last)
        elif not low < a[2] < high:
            return False
        return min(1.0, leave) - max(0.0, enter) > 1e-9

    def sees(self, a: Place, b: Place, others: list[Place]) -> tuple[bool, bool]:
        """Whether one on b is a valid target for the eye of one on a; whether bodies hid a line (V1-V5, RULING 13)."""
        by_bodies = False
        eye = (a[0], a[1], a[2] + self.body["eye"])
        for height in (self.body["eye"], self.body["heart"]):
            if self.terrain_hides(a, b, height):
                continue
            if not any(self.body_hides(eye, (b[0], b[1], b[2] + height), c) for c in others):
                return True, by_bodies
            by_bodies = True
        return False, by_bodies

    def cover(self, a: Place, b: Place) -> bool:
        """Whether terrain hides part of the body on b from the eye over a (V6, RULING 14)."""
        return self.remember("cover", self._cover, a, b)

    def _cover(self, a: Place, b: Place) -> bool:
        length = math.dist(a[:2], b[:2])
        side = (0.0, 0.0)
        if length > 1e-9:
            side = ((a[1] - b[1]) / length * self.body["radius"], (b[0] - a[0]) / length * self.body["radius"])
        eye = (a[0], a[1], a[2] + self.body["eye"])
        return any(
            self.hidden(eye, (b[0] + s * side[0], b[1] + s * side[1], b[2] + self.body[part]))
            for s in (0, -1, 1)
            for part in ("foot", "knee", "heart", "eye", "top")
        )

    def marker_points(self, number: int) -> list[Place]:
        """The middle and eight points of the rim (RULING 15)."""
        x, y = self.loot[number]
        angles = [math.pi / 4 * part for part in range(8)]
        rim = [(x + MARKER * math.cos(a), y + MARKER * math.sin(a), 0.0) for a in angles]
        return [(float(x), float(y), 0.0), *rim]

    def sees_marker(self, a: Place, number: int, others: list[tuple[Place, float]]) -> bool:
        """L2, RULING 15; `others` are places and radii of all other living fighters."""
        x, y = self.loot[number]
        blockers = [c for c, radius in others if math.hypot(c[0] - x, c[1] - y) >= radius + MARKER]
        eye = (a[0], a[1], a[2] + self.body["eye"])
        for point in self.marker_points(number):
            free = not self.remember("line", self.hidden, eye, point)
            if free and not any(self.body_hides(eye, point, c) for c in blockers):
                return True
        return False

    # distance

    @staticmethod
    def gap(a: Place, a_radius: float, b: Place, b_radius: float) -> float:
        """Q2, RULING 8."""
        return math.hypot(max(0.0, math.dist(a[:2], b[:2]) - a_radius - b_radius), b[2] - a[2])

    def contact(self, a: Place, a_radius: float, b: Place, b_radius: float) -> bool:
        """E6, RULINGS 10, 11."""
        if not self.within(self.gap(a, a_radius, b, b_radius), self.rules["contact_reach"]):
            return False
        return not self.separated(a, a_radius, b, b_radius)

    def separated(self, a: Place, a_radius: float, b: Place, b_radius: float) -> bool:
        """Whether something impassable is between the nearest points of two bases; of bases over each other the middle
        of the overlap on the line of their middles stands for all nearest points."""
        plain = math.dist(a[:2], b[:2])
        start, end = a_radius, plain - b_radius
        if start > end:
            start = end = (max(-a_radius, plain - b_radius) + min(a_radius, plain + b_radius)) / 2
        unit = ((b[0] - a[0]) / plain, (b[1] - a[1]) / plain) if plain else (0.0, 0.0)
        one = (a[0] + unit[0] * start, a[1] + unit[1] * start, a[2])
        other = (a[0] + unit[0] * end, a[1] + unit[1] * end, b[2])
        return any(line_meets(piece, one, other, self.walls) for piece in self.blocking)

    def loot_gap(self, a: Place, radius: float, number: int) -> float:
        """From the base to the middle of the marker (RULINGS 8, 58)."""
        x, y = self.loot[number]
        return math.hypot(max(0.0, math.hypot(a[0] - x, a[1] - y) - radius), a[2])
