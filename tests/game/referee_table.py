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
    sides: tuple[Any, ...]
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
    return Piece(row["kind"], outline, row["base"], top, climb, bool(row["stand"]), frame, sides(outline), row["name"])


# ── flat shapes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def sides(outline: Any) -> tuple[Any, ...]:
    return tuple(zip(outline, (*outline[1:], outline[0]), strict=True))


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
    t = 0.0 if square == 0 else ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square
    t = 0.0 if t < 0 else 1.0 if t > 1 else t
    return math.hypot(a[0] + t * dx - p[0], a[1] + t * dy - p[1])


def to_rim(piece: Piece, x: float, y: float) -> float:
    """Distance of a point from the nearest side of an outline."""
    return min([point_to_segment((x, y), a, b) for a, b in piece.sides])


def near(piece: Piece, x: float, y: float, room: float) -> bool:
    """Whether a point lies in an outline grown by `room` (shrunk when it is negative); not when it is outside the
    frame grown so."""
    x0, y0, x1, y1 = piece.frame
    if x < x0 - room or x > x1 + room or y < y0 - room or y > y1 + room:
        return False
    if room < 0:
        return holds(piece.outline, x, y) and to_rim(piece, x, y) > -room
    return holds(piece.outline, x, y) or to_rim(piece, x, y) <= room


def cuts(piece: Piece, a: Any, b: Any) -> list[float]:
    """Where along a segment it crosses lines of sides (within the sides) of an outline."""
    found: list[float] = []
    ax, ay, bx, by = a[0], a[1], b[0], b[1]
    x0, y0, x1, y1 = piece.frame
    if (ax < x0 > bx) or (ax > x1 < bx) or (ay < y0 > by) or (ay > y1 < by):
        return found  # it does not come into the frame
    dx, dy = bx - ax, by - ay
    for (cx, cy), (ex, ey) in piece.sides:
        sx, sy = ex - cx, ey - cy
        det = dx * sy - dy * sx
        if abs(det) > 1e-15:
            t = ((cx - ax) * sy - (cy - ay) * sx) / det
            if 0 <= t <= 1 and -1e-9 <= ((cx - ax) * dy - (cy - ay) * dx) / det <= 1 + 1e-9:
                found.append(t)
    return found


def feet(outline: Any, a: Any, b: Any) -> list[float]:
    """Where along a segment it is nearest to the corners of an outline."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0:
        return []
    return [t for x, y in outline if 0 <= (t := ((x - a[0]) * dx + (y - a[1]) * dy) / square) <= 1]


def apart(piece: Piece, a: Any, b: Any) -> float:
    """Distance of a segment from an outline, 0 when it runs into it."""
    outline = piece.outline
    if holds(outline, a[0], a[1]) or holds(outline, b[0], b[1]) or cuts(piece, a, b):
        return 0.0
    away = min(to_rim(piece, a[0], a[1]), to_rim(piece, b[0], b[1]))
    return min(away, min([point_to_segment(c, a, b) for c in outline]))


def beside(piece: Piece, a: Any, b: Any, room: float) -> bool:
    """Whether all corners of an outline lie on one side of a line in the plane, further than `room` from it."""
    ax, ay = a[0], a[1]
    dx, dy = b[0] - ax, b[1] - ay
    away = [dx * (y - ay) - dy * (x - ax) for x, y in piece.outline]
    least = (max(room, 0.0) + GRAZE) * math.hypot(dx, dy)
    return min(away) > least or max(away) < -least


def lean_by(lean: int) -> float:
    """By how much outlines grow: what only grazes a side meets it."""
    return GRAZE if lean == 0 else lean * DOUBT


def around(pieces: list[Piece], a: Place, ends: list[Place], lean: int) -> list[Piece]:
    """Pieces that a line from a to one of `ends`, which lie above each other, may meet: it is neither outside their
    frames and heights nor do they lie beside it. `lean` as for `line_meets`."""
    room, b = lean_by(lean), ends[0]
    left, right, front, back = min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1])
    heights = [a[2], *(end[2] for end in ends)]
    low, high = min(heights), max(heights)
    found = []
    for piece in pieces:
        x0, y0, x1, y1 = piece.frame
        if right < x0 - room or left > x1 + room or back < y0 - room or front > y1 + room:
            continue
        if high >= piece.base - GRAZE and low <= piece.top - GRAZE and not beside(piece, a, b, room):
            found.append(piece)
    return found


def line_meets(piece: Piece, a: Place, b: Place, lean: int) -> bool:
    """Whether the segment a-b in space meets a piece; `lean` 1 grows its outline by DOUBT, -1 shrinks it. Heights do
    not lean: bases stand exactly on surfaces."""
    low, high = piece.base - GRAZE, piece.top - GRAZE
    if max(a[2], b[2]) < low or min(a[2], b[2]) > high:
        return False
    room = lean_by(lean)
    rise = b[2] - a[2]
    times = [0.0, 1.0, *cuts(piece, a, b)]
    if abs(rise) > 1e-12:
        times += [t for h in (low, high) if 0 <= (t := (h - a[2]) / rise) <= 1]
    if lean < 0:  # the shrunken piece is open: middles of the stretches decide
        times.sort()
        times = [(s + t) / 2 for s, t in itertools.pairwise(times)]
    else:  # the piece is closed: it is met at one of the ends of a stretch, if at all
        times += feet(piece.outline, a, b)
    for t in times:
        x, y, z = a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * rise
        if low - 1e-9 <= z <= high + 1e-9 and near(piece, x, y, room):
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
        self.surfaces = [piece for piece in self.pieces if piece.surface]
        self.low = [piece for piece in self.pieces if piece.kind == "low"]
        self.open_doors = [piece for piece in self.pieces if piece.kind == "door-open"]
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

    def meets(self, pieces: list[Piece], a: Place, ends: list[Place]) -> bool:
        """Whether one of the lines from a to points that lie above each other meets one of the pieces."""
        some = around(pieces, a, ends, self.walls)
        return any(line_meets(piece, a, end, self.walls) for end in ends for piece in some)

    def hidden(self, a: Place, b: Place) -> bool:
        return self.meets(self.hiding, a, [b])

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
        heights = [b[2] + self.body[part] for part in ("foot", "knee", "heart", "eye", "top")]
        return any(
            self.meets(self.hiding, eye, [(b[0] + s * side[0], b[1] + s * side[1], height) for height in heights])
            for s in (0, -1, 1)
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
        flat = math.hypot(b[0] - a[0], b[1] - a[1]) - a_radius - b_radius
        return math.hypot(flat if flat > 0 else 0.0, b[2] - a[2])

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
        return self.meets(self.blocking, one, [other])

    def loot_gap(self, a: Place, radius: float, number: int) -> float:
        """From the base to the middle of the marker (RULINGS 8, 58)."""
        x, y = self.loot[number]
        return math.hypot(max(0.0, math.hypot(a[0] - x, a[1] - y) - radius), a[2])
