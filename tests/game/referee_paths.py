"""Paths of movements: length by the rules, what stands in the way, what they do to contact (M, K5, RULINGS 17-25).

A path is drawn with level and upright legs. What is simplified, openly:

- a model stands stably when a stable surface lies under the middle of its base (Q11 asks the real miniature);
- a model needs the height of its body (1.3 inches, RULING 12) free above its surface, and two bases are in each other's
  way only when their surfaces are less than that apart;
- bases may seem to overlap by 0.002 inch, for rounded numbers; a foot may be 0.02 inch from the side that it climbs;
- contact along a path is looked for every 0.05 inch and where the path is nearest to an enemy.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from referee_table import ROOM, TOUCH, Piece, Place, Table, apart, beside, cuts, near, point_to_segment, to_rim

FREE_DESCENT, JUMP, LOW = 2.0, 3.0, 1.0
FLUSH = 0.02
STEP = 0.05
SMALL = 1e-4
NEARLY = 0.01
"""Inches by which an enemy further away than the reach of contact is looked at all the same."""


class Bad(Exception):
    """A path breaks a rule: ids and a sentence."""


def joined(points: list[Place]) -> list[Place]:
    """The path without points that repeat, and with upright legs on top of each other as one (M19)."""
    found: list[Place] = [points[0]]
    for point in points[1:]:
        if math.dist(point, found[-1]) <= SMALL:
            found[-1] = point if len(found) > 1 else found[-1]
            continue
        if len(found) > 1 and math.dist(point[:2], found[-1][:2]) <= SMALL >= math.dist(found[-1][:2], found[-2][:2]):
            up, before = point[2] - found[-1][2], found[-1][2] - found[-2][2]
            if up * before > 0:
                found.pop()
        found.append(point)
    return found


def carried(table: Table, x: float, y: float, z: float) -> bool:
    """Whether a stable surface of that height lies under a point (Q11)."""
    return z <= SMALL or any(abs(piece.top - z) <= ROOM and near(piece, x, y, ROOM) for piece in table.surfaces)


def step_at(table: Table, x: float, y: float, low: float, high: float) -> bool:
    """Whether a low obstacle under a point leads from one height to the other (M22, RULING 23)."""
    return high - low <= LOW + TOUCH and any(
        abs(piece.base - low) <= ROOM and abs(piece.top - high) <= ROOM and near(piece, x, y, ROOM)
        for piece in table.low
    )  # fmt: skip


def standing(table: Table, point: Place) -> Place:
    """The place of a model that ends over a point: on top of a low obstacle to stand on, when there is one."""
    x, y, z = point
    tops = [p.top for p in table.low if p.stand and abs(p.base - z) <= ROOM]
    tops = [top for top in tops if step_at(table, x, y, z, top)]
    return (x, y, max(tops)) if tops else point


def in_the_way(table: Table, pieces: list[Piece], radius: float, low: float, high: float, a: Any, b: Any) -> str:
    """Name of a piece that a base meets between two points, in the heights low to high; empty when none."""
    room = radius - ROOM
    x0, x1 = min(a[0], b[0]) - room, max(a[0], b[0]) + room
    y0, y1 = min(a[1], b[1]) - room, max(a[1], b[1]) + room
    for piece in pieces:
        left, bottom, right, top = piece.frame
        if x1 < left or x0 > right or y1 < bottom or y0 > top:
            continue
        if piece.base >= high - SMALL or piece.top <= low + SMALL:
            continue
        if not beside(piece, a, b, room) and apart(piece, a, b) < room:
            return f"{piece.kind} {piece.name!r}"
    return ""


def unsupported(table: Table, a: Place, b: Place) -> list[tuple[float, float]]:
    """Stretches of a level leg over no stable surface of its height."""
    z = a[2]
    if z <= SMALL:
        return []
    times = {0.0, 1.0}
    for piece in table.surfaces:
        if abs(piece.top - z) <= ROOM:
            times.update(cuts(piece, a, b))
    order, found = sorted(times), []
    for s, t in itertools.pairwise(order):
        m = (s + t) / 2
        if t - s > 1e-9 and not carried(table, a[0] + m * (b[0] - a[0]), a[1] + m * (b[1] - a[1]), z):
            if found and found[-1][1] == s:
                found[-1] = (found[-1][0], t)
            else:
                found.append((s, t))
    return found


class Walk:
    """One path of a base, leg by leg."""

    def __init__(self, table: Table, radius: float, points: list[Place]) -> None:
        self.table, self.radius, self.points = table, radius, joined(points)
        self.length, self.met = 0.0, set[str]()
        self.tall = table.body["top"]
        self.air = False  # the last level leg ended over nothing
        self.rose = False  # the last leg was a climb

    def check(self) -> None:
        """All legs; the length by the rules is in `length` then (M1)."""
        for x, y, _z in self.points:
            if min(x, self.table.width - x, y, self.table.depth - y) < self.radius - ROOM:
                raise Bad("Q7 M2", f"the base sticks out at ({x:.3f}, {y:.3f})")
        for a, b in itertools.pairwise(self.points):
            flat, rise = math.dist(a[:2], b[:2]), b[2] - a[2]
            if flat > SMALL and abs(rise) > SMALL:
                raise Bad("M17", f"a leg through the air from {a} to {b}")
            if flat > SMALL:
                self.level(a, b, flat)
            elif step_at(self.table, a[0], a[1], min(a[2], b[2]), max(a[2], b[2])):
                self.met |= {"M22"}
            elif rise > 0:
                self.climb(a, b, rise)
            else:
                self.descend(a, b, -rise)
        self.need(not self.air, "M8", "it ends in the air")

    def need(self, fine: object, rules: str, sentence: str) -> None:
        if not fine:
            raise Bad(rules, sentence)

    def level(self, a: Place, b: Place, flat: float) -> None:
        """Walking, stepping over an edge, jumping (M5, M6, M20-M22)."""
        gaps = unsupported(self.table, a, b)
        in_air = bool(gaps) and gaps[-1][1] == 1.0 and not carried(self.table, *b)
        for start, end in gaps:
            width = (end - start) * flat
            if start == 0.0 and self.rose:
                self.need(width <= self.radius + FLUSH, "M16 M17", f"{width:.3f} inch through the air after a climb")
                self.need(end < 1.0 or not in_air, "M16 M17", "after a climb it is not carried onto the platform")
                continue
            self.need(start > 0.0 or not self.air, "M20", "it turns in the air")
            self.need(width <= JUMP + ROOM, "M20", f"a gap of {width:.3f} inches")
            if width > self.radius + FLUSH:
                self.met |= {"M20", "M21"}
        self.air, self.rose = in_air, False
        self.length += flat
        self.free(a, b)
        if any(abs(p.base - a[2]) <= ROOM and cuts(p, a, b) for p in self.table.low):
            self.met |= {"M22"}

    def free(self, a: Place, b: Place) -> None:
        """M5, M6; through an open door the middle of the base has to fit, no more (RULING 24)."""
        stretches = [(a, b, self.radius)]
        for door in self.table.open_doors:
            level = door.base < a[2] + self.tall and door.top > a[2] + SMALL
            if level and apart(door, a, b) == 0.0:
                self.met |= {"RULING 24", "T5"}
                stretches = [part for old in stretches for part in parts(door, self.radius, old)]
        for start, end, radius in stretches:
            wall = in_the_way(self.table, self.table.blocking, radius, a[2], a[2] + self.tall, start, end)
            if wall:
                raise Bad("M5 M6", f"{wall} is in the way from {a} to {b}")

    def upright(self, at: Place, low: float, high: float) -> None:
        wall = in_the_way(self.table, self.table.blocking, self.radius, low, high + self.tall, at, at)
        self.need(not wall, "M5 M17", f"{wall} is in the way between heights {low} and {high} at {at[:2]}")

    def climb(self, a: Place, b: Place, rise: float) -> None:
        """M16, M17, M21."""
        self.need(not self.air, "M21", f"it rises in the air at {a}")
        self.need(carried(self.table, *a), "M21", f"it rises from nowhere at {a}")
        flush = [
            p for p in self.table.pieces
            if p.climb and abs(p.top - b[2]) <= ROOM and abs(to_rim(p, a[0], a[1]) - self.radius) <= FLUSH
        ]  # fmt: skip
        self.need(flush, "M16", f"no climbable side is flush with the base at {a} and leads to {b[2]}")
        self.upright(a, a[2], b[2])
        self.length += rise
        self.rose = True
        self.met |= {"M16"}

    def descend(self, a: Place, b: Place, drop: float) -> None:
        """M18, M19: the first two inches of each descent are free."""
        self.upright(a, b[2], a[2])
        self.need(carried(self.table, *b), "M19", f"a descent ends in the air at {b}")
        self.length += max(0.0, drop - FREE_DESCENT)
        self.met |= {"M18", "M19"} if "M18" in self.met else {"M18"}
        self.air = self.rose = False


def parts(door: Piece, radius: float, stretch: Any) -> list[Any]:
    """A stretch cut where the base begins and ceases to lie in a door; in the door only the middle counts."""
    a, b, whole = stretch
    if whole == 0.0:
        return [stretch]
    steps = max(1, math.ceil(math.dist(a[:2], b[:2]) / 0.01))
    points = [tuple(a[i] + n / steps * (b[i] - a[i]) for i in range(3)) for n in range(steps + 1)]
    inside = [n for n, point in enumerate(points) if near(door, point[0], point[1], radius + ROOM)]
    if not inside:
        return [stretch]
    first, last = max(0, inside[0] - 1), min(steps, inside[-1] + 1)
    found = [(points[first], points[last], 0.0)]
    if inside[0] > 0:
        found.append((a, points[first], radius))
    if inside[-1] < steps:
        found.append((points[last], b, radius))
    return found


def stands(table: Table, radius: float, at: Place) -> tuple[str, str] | None:
    """What is wrong with a place to end on (Q7, Q11, M8, RULINGS 23, 24); None when nothing is."""
    x, y, z = at
    if min(x, table.width - x, y, table.depth - y) < radius - ROOM:
        return "Q7 M8", f"the base sticks out at {at}"
    if not carried(table, x, y, z):
        return "M8 Q11", f"nothing to stand on at {at}"
    wall = in_the_way(table, table.pieces, radius, z, z + table.body["top"], at, at)
    if wall:
        rules = "RULING 23" if wall.startswith("low") else "RULING 24" if wall.startswith("door-open") else "M5"
        return f"M8 {rules}", f"the base overlaps {wall} at {at}"
    return None


def overlap(table: Table, a: Place, a_radius: float, b: Place, b_radius: float) -> bool:
    """Q6, M8."""
    level = abs(a[2] - b[2]) < table.body["top"] - TOUCH
    return level and math.hypot(a[0] - b[0], a[1] - b[1]) < a_radius + b_radius - ROOM


def runs_over(table: Table, points: list[Place], radius: float, foe: Place, foe_radius: float) -> bool:
    """M4: whether a path passes through a base."""
    for a, b in itertools.pairwise(points):
        low, high = min(a[2], b[2]), max(a[2], b[2])
        tall = table.body["top"] - TOUCH
        if low - tall < foe[2] < high + tall and point_to_segment(foe, a, b) < radius + foe_radius - ROOM:
            return True
    return False


def samples(points: list[Place], foe: Place, room: float) -> Iterator[Place]:
    """Points along a path at which contact with an enemy is looked at: where it could be near."""
    yield points[0]
    for a, b in itertools.pairwise(points):
        length = math.dist(a, b)
        if length > 0 and point_to_segment(foe, a, b) <= room:
            steps = max(1, math.ceil(length / STEP))
            times = {n / steps for n in range(1, steps)}
            dx, dy, dz = (b[i] - a[i] for i in range(3))
            nearest = ((foe[0] - a[0]) * dx + (foe[1] - a[1]) * dy + (foe[2] - a[2]) * dz) / (length * length)
            if 0 < nearest < 1:
                times.add(nearest)
            for t in sorted(times):
                yield a[0] + t * dx, a[1] + t * dy, a[2] + t * dz
        yield b


def contact_along(table: Table, points: list[Place], radius: float, foe: Place, foe_radius: float) -> tuple[bool, bool]:
    """Whether a path ever makes contact with an enemy, and whether it breaks a contact made (M13, RULING 17)."""
    room = radius + foe_radius + table.rules["contact_reach"] + NEARLY
    made = broken = now = False
    for point in samples(points, foe, room):
        before, now = now, table.contact(point, radius, foe, foe_radius)
        made, broken = made or now, broken or (before and not now)
    return made, broken


def through_friend(points: list[Place], radius: float, friend: Place, friend_radius: float) -> bool:
    """M3: whether a path uses that friends do not block."""
    legs = itertools.pairwise(points)
    return any(
        a[2] == b[2] == friend[2] and point_to_segment(friend, a, b) < radius + friend_radius - 0.1 for a, b in legs
    )
