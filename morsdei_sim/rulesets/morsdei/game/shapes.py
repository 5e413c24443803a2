"""Outlines in the plane: area, turning, simplicity, cutting into convex parts. Plain Python; kernels see the parts."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["Point", "area", "box", "convex_parts", "counter_clockwise", "is_convex", "is_simple", "turned"]

Point = tuple[float, float]

FLAT = 1e-9
"""Twice the area below which three points count as lying on a line."""


def area(outline: Sequence[Point]) -> float:
    """Area, positive when the outline runs counter-clockwise."""
    total = 0.0
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        total += ax * by - bx * ay
    return total / 2


def counter_clockwise(outline: Sequence[Point]) -> tuple[Point, ...]:
    """The same outline, counter-clockwise, without points that lie on the line between their neighbours."""
    points = list(outline) if area(outline) > 0 else list(reversed(outline))
    kept = [
        point
        for number, point in enumerate(points)
        if abs(_turn(points[number - 1], point, points[(number + 1) % len(points)])) > FLAT
    ]
    return tuple(kept)


def box(x: float, y: float, width: float, depth: float, turn: float = 0.0) -> tuple[Point, ...]:
    """A rectangle by its corner and size, turned by degrees about its centre."""
    corners = [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]
    if not turn:
        return tuple(corners)
    middle_x, middle_y = x + width / 2, y + depth / 2
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return tuple(
        (middle_x + (a - middle_x) * cos - (b - middle_y) * sin, middle_y + (a - middle_x) * sin + (b - middle_y) * cos)
        for a, b in corners
    )


def turned(outline: Sequence[Point], width: float, depth: float) -> tuple[Point, ...]:
    """The half turn of an outline about the middle of the board."""
    return tuple((width - x, depth - y) for x, y in outline)


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_convex(outline: Sequence[Point]) -> bool:
    """Whether a counter-clockwise outline never turns right."""
    count = len(outline)
    return all(_turn(outline[i - 1], outline[i], outline[(i + 1) % count]) > -FLAT for i in range(count))


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments share a point."""
    sides = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if all(abs(side) <= FLAT for side in sides):  # on one line: do they overlap?
        return all(
            max(min(a[i], b[i]), min(c[i], d[i])) <= min(max(a[i], b[i]), max(c[i], d[i])) + FLAT for i in (0, 1)
        )
    return sides[0] * sides[1] <= FLAT and sides[2] * sides[3] <= FLAT


def is_simple(outline: Sequence[Point]) -> bool:
    """Whether no two sides meet but neighbours at their common corner."""
    count = len(outline)
    sides = [(outline[i], outline[(i + 1) % count]) for i in range(count)]
    return not any(
        _cross(*sides[i], *sides[j])
        for i in range(count)
        for j in range(i + 2, count)
        if not (i == 0 and j == count - 1)
    )


def convex_parts(outline: Sequence[Point]) -> list[tuple[Point, ...]]:
    """Convex outlines that together cover a simple one: itself when it is convex, else triangles (ear clipping)."""
    rest = list(counter_clockwise(outline))
    if is_convex(rest):
        return [tuple(rest)]
    parts = []
    while len(rest) > 3:
        ear = next(i for i in range(len(rest)) if _is_ear(rest, i))
        parts.append((rest[ear - 1], rest[ear], rest[(ear + 1) % len(rest)]))
        del rest[ear]
    return [*parts, tuple(rest)]


def _is_ear(points: list[Point], i: int) -> bool:
    a, b, c = points[i - 1], points[i], points[(i + 1) % len(points)]
    if _turn(a, b, c) <= FLAT:
        return False
    others = [p for p in points if p not in (a, b, c)]
    return not any(_turn(a, b, p) >= -FLAT and _turn(b, c, p) >= -FLAT and _turn(c, a, p) >= -FLAT for p in others)
