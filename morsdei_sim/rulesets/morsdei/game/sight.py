"""Who sees whom (V, RULINGS 12-15): what terrain decides once for all pairs of places, what other models decide at
play.

An observer looks from its eye (Q4), 1.2 above its surface, at the head and the heart of its target; a body is a
cylinder. Terrain is decided beforehand: `sight[p, q]` holds, for a fighter on p and another on q,

    HEAD         q's head is free from p's eye, and (the line is the same) p's head from q's eye
    HEART        q's heart is free from p's eye
    COVER        part of q's body is hidden from p's eye by terrain
    BACK_HEART   p's heart is free from q's eye
    BACK_COVER   part of p's body is hidden from q's eye

so that one row answers both directions. The bodies of other fighters are tested when they matter (`sees`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.rulesets.morsdei.game.boards import Board
from morsdei_sim.rulesets.morsdei.game.places import Places
from morsdei_sim.rulesets.morsdei.game.terrain import (
    GRAZE,
    HIDES,
    TOUCH,
    Prisms,
    any_meets,
    frame_misses,
    meets,
    too_near,
)

__all__ = [
    "BACK_COVER",
    "BACK_HEART",
    "COVER",
    "HEAD",
    "HEART",
    "Body",
    "View",
    "body_meets",
    "in_cover",
    "look",
    "marker_sight",
    "sees",
    "sees_marker",
    "views",
]

HEAD, HEART, COVER, BACK_HEART, BACK_COVER = 1, 2, 4, 8, 16

MARKER = 40 / 2 / 25.4
"""Radius of a loot marker, inches (G4)."""

RIM = 8
"""Points looked at on the rim of a marker, beside its middle (RULING 15)."""


class Body(NamedTuple):
    """A model's body over its surface, in inches: assumptions, since the rulebook has the miniature itself (RULING 12).

    A base smaller than the body makes it slimmer (`of_base`). RULING 14 looks at five heights: foot, knee, heart, eye,
    top.
    """

    eye: float = 1.2
    heart: float = 0.85
    foot: float = 0.1
    knee: float = 0.45
    top: float = 1.3
    radius: float = 0.35

    def of_base(self, radius: float) -> Body:
        """The body on a base of that radius."""
        return self._replace(radius=min(self.radius, radius))


class View(NamedTuple):
    """What a kernel needs to say who sees whom while the models stand on `at` (place of each fighter, -1 when it is
    removed)."""

    sight: NDArray[np.uint8]  # [p, q]
    marker: NDArray[np.uint16]  # [loot point, p] bits of the marker's points that terrain leaves free
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    z: NDArray[np.float64]
    radius: NDArray[np.float64]  # of each base size
    loot: NDArray[np.float64]  # [loot point, 2]
    body: NDArray[np.float64]  # the fields of `Body`


# ── terrain ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def free(terrain: Any, near: Any, count: Any, ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any) -> Any:
    """Whether a line of sight meets none of the prisms listed in `near`."""
    for i in range(count):
        if meets(terrain, near[i], ax, ay, az, bx, by, bz):
            return False
    return True


@apart
def hidden_part(
    terrain: Any, near: Any, count: Any, body: Any, ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any
) -> Any:
    """Whether terrain hides any of the fifteen points of the body on b from the eye over a (V6, RULING 14)."""
    dx, dy = bx - ax, by - ay
    length = max(np.hypot(dx, dy), 1e-9)
    side_x, side_y = -dy / length * body[5], dx / length * body[5]
    eye = az + body[0]
    for side in range(-1, 2):
        x, y = bx + side * side_x, by + side * side_y
        for height in (body[2], body[3], body[1], body[0], body[4]):
            if not free(terrain, near, count, ax, ay, eye, x, y, bz + height):
                return True
    return False


@apart
def one_way(
    terrain: Any, near: Any, count: Any, body: Any, ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any
) -> Any:
    """HEAD, HEART and COVER of a fighter on b seen from a (V1, V2, V6, RULINGS 13, 14)."""
    eye = az + body[0]
    bits = 0
    if free(terrain, near, count, ax, ay, eye, bx, by, bz + body[0]):
        bits |= HEAD
    if free(terrain, near, count, ax, ay, eye, bx, by, bz + body[1]):
        bits |= HEART
    if bits != HEAD | HEART or hidden_part(terrain, near, count, body, ax, ay, az, bx, by, bz):
        bits |= COVER
    return bits


@inline
def between(terrain: Any, body: Any, ax: Any, ay: Any, bx: Any, by: Any, near: Any) -> Any:
    """List in `near` the prisms that can hide a body on b from a or the other way round; their number."""
    count = 0
    for k in range(len(terrain.low)):
        if (
            terrain.flags[k] & HIDES
            and not frame_misses(terrain, k, ax, ay, bx, by, body[5] + TOUCH)
            and too_near(terrain, k, ax, ay, bx, by, body[5] + 2 * TOUCH)
        ):
            near[count] = k
            count += 1
    return count


@kernel
def look(terrain: Any, body: Any, x: Any, y: Any, z: Any, rows: Any, near: Any, sight: Any) -> None:
    """Fill `sight` for the pairs (p, q) with p in `rows` and q >= p, and their mirror images."""
    for p in range(rows[0], rows[1]):
        for q in range(p, len(x)):
            there = back = HEAD | HEART
            count = between(terrain, body, x[p], y[p], x[q], y[q], near)
            if count > 0:
                there = one_way(terrain, near, count, body, x[p], y[p], z[p], x[q], y[q], z[q])
                back = one_way(terrain, near, count, body, x[q], y[q], z[q], x[p], y[p], z[p])
            sight[p, q] = there | (back & (HEART | COVER)) << 2
            sight[q, p] = back | (there & (HEART | COVER)) << 2


@inline
def marker_point(loot: Any, number: Any, point: Any) -> Any:
    """The middle (0) and the rim points (1 …) of a loot marker (RULING 15)."""
    if point == 0:
        return loot[number, 0], loot[number, 1]
    angle = (point - 1) * (2 * np.pi / RIM)
    return loot[number, 0] + MARKER * np.cos(angle), loot[number, 1] + MARKER * np.sin(angle)


@kernel
def look_at_markers(terrain: Any, body: Any, x: Any, y: Any, z: Any, loot: Any, marker: Any) -> None:
    """Which points of each marker terrain leaves free to an eye over each place (L2, RULING 15)."""
    for number in range(len(loot)):
        for p in range(len(x)):
            bits = 0
            for point in range(RIM + 1):
                mx, my = marker_point(loot, number, point)
                if not any_meets(terrain, HIDES, x[p], y[p], z[p] + body[0], mx, my, 0.0):
                    bits |= 1 << point
            marker[number, p] = bits


def marker_sight(terrain: Prisms, body: Body, where: Places, board: Board) -> NDArray[np.uint16]:
    """Bits of the free points of each marker, [loot point, place]."""
    found = np.zeros((len(board.loot), len(where.x)), np.uint16)
    look_at_markers(terrain, np.array(body), where.x, where.y, where.z, np.array(board.loot), found)
    return found


# ── other models ──────────────────────────────────────────────────────────────────────────────────────────────────────


@apart
def body_meets(body: Any, ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any, cx: Any, cy: Any, cz: Any) -> Any:
    """Whether the line from a to b passes through the body of a fighter on c (touching it is no passing) (V5)."""
    dx, dy, dz = bx - ax, by - ay, bz - az
    ex, ey = ax - cx, ay - cy
    square, along = dx * dx + dy * dy, ex * dx + ey * dy
    off = ex * ex + ey * ey - body[5] * body[5]
    enter, leave = 0.0, 1.0
    if square > 1e-18:
        root = along * along - square * off
        if root <= 0.0:
            return False
        root = np.sqrt(root)
        enter, leave = max(enter, (-along - root) / square), min(leave, (-along + root) / square)
    elif off >= 0.0:
        return False
    low, high = cz + body[2], cz + body[4]
    if abs(dz) > 1e-12:
        at_low, at_high = (low - az) / dz, (high - az) / dz
        enter, leave = max(enter, min(at_low, at_high)), min(leave, max(at_low, at_high))
    elif az <= low or az >= high:
        return False
    return leave - enter > 1e-9


@inline
def bodies_leave_free(view: Any, at: Any, own: Any, other: Any, height: Any) -> Any:
    """Whether no third living body stands in the line from the eye of `own` to a height of `other` (V5, RULING 13)."""
    p, q = at[own], at[other]
    eye, aim = view.z[p] + view.body[0], view.z[q] + height
    dx, dy = view.x[q] - view.x[p], view.y[q] - view.y[p]
    room = view.body[5] * np.sqrt(dx * dx + dy * dy) + GRAZE
    for third in range(len(at)):
        c = at[third]
        if c < 0 or third == own or third == other:
            continue
        ex, ey = view.x[c] - view.x[p], view.y[c] - view.y[p]
        if abs(ex * dy - ey * dx) >= room:  # beside the line, as most are
            continue
        if body_meets(view.body, view.x[p], view.y[p], eye, view.x[q], view.y[q], aim, view.x[c], view.y[c], view.z[c]):
            return False
    return True


@apart
def sees(view: Any, at: Any, own: Any, other: Any) -> Any:
    """Whether fighter `other` is a valid target for the eye of `own`: its head or its heart is free
    of terrain and of third bodies (V1-V5, RULING 13)."""
    bits = view.sight[at[own], at[other]]
    if bits & HEAD and bodies_leave_free(view, at, own, other, view.body[0]):
        return True
    return bits & HEART != 0 and bodies_leave_free(view, at, own, other, view.body[1])


@inline
def in_cover(view: Any, at: Any, own: Any, other: Any) -> Any:
    """Whether `other`, a valid target, is in cover from `own`: terrain only, never models (V6-V8)."""
    return view.sight[at[own], at[other]] & COVER != 0


@apart
def sees_marker(view: Any, at: Any, base: Any, own: Any, number: Any) -> Any:
    """Whether `own` sees part of loot marker `number`; models whose base (size `base[i]`) lies on the
    marker are imagined away, all others block (L2, RULING 15)."""
    p = at[own]
    bits = view.marker[number, p]
    lx, ly = view.loot[number, 0], view.loot[number, 1]
    for point in range(RIM + 1):
        if bits >> point & 1 == 0:
            continue
        mx, my = marker_point(view.loot, number, point)
        blocked = False
        for third in range(len(at)):
            c = at[third]
            if c < 0 or third == own:
                continue
            if np.hypot(view.x[c] - lx, view.y[c] - ly) < view.radius[base[third]] + MARKER:
                continue
            if body_meets(
                view.body, view.x[p], view.y[p], view.z[p] + view.body[0], mx, my, 0.0, view.x[c], view.y[c], view.z[c]
            ):
                blocked = True
                break
        if not blocked:
            return True
    return False


@kernel
def views(view: Any, at: Any, base: Any, seen: Any, markers: Any) -> None:
    """Everything at once: `seen[i, j]` is 0 when fighter j is no valid target of i, 1 when it is one in the
    open, 2 in cover; `markers[number, i]` is whether i sees the marker (V1-V8, L2)."""
    for i in range(len(at)):
        if at[i] < 0:
            continue
        for j in range(len(at)):
            if j != i and at[j] >= 0 and sees(view, at, i, j):
                seen[i, j] = 2 if in_cover(view, at, i, j) else 1
        for number in range(len(view.loot)):
            markers[number, i] = sees_marker(view, at, base, i, number)
