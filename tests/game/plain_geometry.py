"""The geometry of the atlas a second time: plain Python on the outlines themselves, nothing from the package's kernels.

A segment is cut at every crossing with a side of an outline and at both heights of a piece; between two cuts it is
wholly inside or wholly outside, so its middle decides. Sides count as part of a piece, tops do not, as in
`terrain.py`; tests keep clear of cases that hang on that.
"""

from __future__ import annotations

import heapq
import itertools
import math

EYE, HEART, HEIGHTS, BODY_RADIUS = 1.2, 0.85, (0.1, 0.45, 0.85, 1.2, 1.3), 0.35


def sides(outline):
    return list(zip(outline, [*outline[1:], outline[0]], strict=True))


def holds(outline, x, y):
    """Whether a point lies in an outline, convex or not: crossings of a ray to the right."""
    odd = False
    for (ax, ay), (bx, by) in sides(outline):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


def cuts(outline, a, b):
    """Where along a segment it crosses sides of an outline."""
    found = []
    dx, dy = b[0] - a[0], b[1] - a[1]
    for (cx, cy), (ex, ey) in sides(outline):
        sx, sy = ex - cx, ey - cy
        det = dx * sy - dy * sx
        if abs(det) > 1e-15:
            t = ((cx - a[0]) * sy - (cy - a[1]) * sx) / det
            u = ((cx - a[0]) * dy - (cy - a[1]) * dx) / det
            if 0 <= t <= 1 and -1e-12 <= u <= 1 + 1e-12:
                found.append(t)
    return found


def line_meets(piece, a, b):
    """Whether the segment a-b in space runs through a piece."""
    times = {0.0, 1.0, *cuts(piece.outline, a, b)}
    rise = b[2] - a[2]
    if abs(rise) > 1e-15:
        times |= {t for h in (piece.base, piece.top) if 0 <= (t := (h - a[2]) / rise) <= 1}
    for start, end in itertools.pairwise(sorted(times)):
        t = (start + end) / 2
        x, y, z = (a[i] + t * (b[i] - a[i]) for i in range(3))
        if end - start > 1e-12 and piece.base <= z < piece.top and holds(piece.outline, x, y):
            return True
    return False


def hidden(pieces, a, b):
    """Whether terrain stops a line of sight."""
    return any(line_meets(piece, a, b) for piece in pieces if piece.kind != "door-open")


def view(pieces, a, b):
    """RULINGS 13, 14 (head free, heart free, cover) of a fighter standing on b seen from a."""
    eye = (a[0], a[1], a[2] + EYE)
    head = not hidden(pieces, eye, (b[0], b[1], b[2] + EYE))
    heart = not hidden(pieces, eye, (b[0], b[1], b[2] + HEART))
    length = math.dist(a[:2], b[:2])
    side = ((a[1] - b[1]) / length * BODY_RADIUS, (b[0] - a[0]) / length * BODY_RADIUS)
    cover = any(
        hidden(pieces, eye, (b[0] + s * side[0], b[1] + s * side[1], b[2] + height))
        for s in (-1, 0, 1)
        for height in HEIGHTS
    )
    return head, heart, cover


def in_contact(pieces, a, a_radius, b, b_radius):
    """E6, RULINGS 8, 10, 11."""
    plain = math.dist(a[:2], b[:2])
    gap = math.hypot(max(0.0, plain - a_radius - b_radius), b[2] - a[2])
    if gap > 1 + 1e-6:
        return False
    start, end = a_radius, plain - b_radius
    if start > end:  # over each other: the middle of the overlap on the line of the middles
        start = end = (max(-a_radius, plain - b_radius) + min(a_radius, plain + b_radius)) / 2
    unit = ((b[0] - a[0]) / plain, (b[1] - a[1]) / plain) if plain else (0.0, 0.0)
    one = (a[0] + unit[0] * start, a[1] + unit[1] * start, a[2])
    other = (a[0] + unit[0] * end, a[1] + unit[1] * end, b[2])
    return not any(line_meets(piece, one, other) for piece in pieces if piece.kind not in ("low", "door-open"))


# ── paths on the ground ───────────────────────────────────────────────────────────────────────────────────────────────


def point_to_side(p, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = min(1.0, max(0.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)))
    return math.hypot(a[0] + t * dx - p[0], a[1] + t * dy - p[1])


def fits(walls, radius, a, b):
    """Whether a disc can be moved from a to b in a line past the outlines."""
    for outline in walls:
        if holds(outline, *a) or holds(outline, *b) or cuts(outline, (*a, 0), (*b, 0)):
            return False
        for c, d in sides(outline):
            near = min(point_to_side(a, c, d), point_to_side(b, c, d))
            if a != b:
                near = min(near, point_to_side(c, a, b))
            if near < radius - 1e-6:
                return False
    return True


def shortest(walls, radius, size, start, ends, turn=6.0):
    """Lengths of the shortest paths of a disc among outlines on the ground, corners rounded in steps of `turn` degrees.

    Drawn around the true arcs they are at most tan(turn / 2) / (turn / 2) times too long: 1.0009 for 6 degrees.
    """
    reach = radius / math.cos(math.radians(turn / 2))
    nodes = [start, *ends]
    for outline in walls:
        for x, y in outline:
            nodes += [
                (x + reach * math.cos(math.radians(a)), y + reach * math.sin(math.radians(a)))
                for a in (turn * (n + 0.5) for n in range(round(360 / turn)))
            ]
    usable = [
        p
        for p in nodes
        if all(radius - 1e-6 <= p[i] <= size[i] - radius + 1e-6 for i in (0, 1)) and fits(walls, radius, p, p)
    ]
    length, queue, done = {start: 0.0}, [(0.0, start)], set()
    while queue:
        so_far, here = heapq.heappop(queue)
        if here in done:
            continue
        done.add(here)
        for there in usable:
            on = so_far + math.dist(here, there)
            if there not in done and on < length.get(there, math.inf) and fits(walls, radius, here, there):
                length[there] = on
                heapq.heappush(queue, (on, there))
    return [length.get(end, math.inf) for end in ends]
