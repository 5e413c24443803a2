"""Contact (E6): bases at most 1 inch apart with nothing impassable between them, for all pairs of places.

`contact[p, q]` has bit `a * sizes + b` set when a base of size a on p and one of size b on q are in contact. Only
terrain decides (RULINGS 10, 11): low obstacles, open doors and other models do not separate; floors, walls, climbable
pieces and closed doors do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.rulesets.morsdei.game.places import Places
from morsdei_sim.rulesets.morsdei.game.terrain import BLOCKS, TOUCH, Prisms, any_meets

__all__ = ["bases_overlap", "contacts", "gap_between", "separated"]

BASE_HEIGHT = 1.3
"""Inches of height that a model takes: two bases whose surfaces are further apart do not get in each other's way."""


@inline
def gap_between(ax: Any, ay: Any, az: Any, a_radius: Any, bx: Any, by: Any, bz: Any, b_radius: Any) -> Any:
    """Distance between the nearest points of two bases, flat discs at their heights (Q2, RULING 8)."""
    return np.hypot(max(0.0, np.hypot(bx - ax, by - ay) - a_radius - b_radius), bz - az)


@apart
def separated(terrain: Any, ax: Any, ay: Any, az: Any, a_radius: Any, bx: Any, by: Any, bz: Any, b_radius: Any) -> Any:
    """Whether the segment between the nearest points of two bases meets something impassable (RULINGS 10, 11).

    Bases over each other have many nearest points: the middle of their overlap on the line of their middles is taken.
    """
    dx, dy = bx - ax, by - ay
    distance = np.hypot(dx, dy)
    start, end = a_radius, distance - b_radius
    if start > end:
        start = end = (max(-a_radius, distance - b_radius) + min(a_radius, distance + b_radius)) / 2
    ux = uy = 0.0
    if distance > 0.0:
        ux, uy = dx / distance, dy / distance
    return any_meets(terrain, BLOCKS, ax + ux * start, ay + uy * start, az, ax + ux * end, ay + uy * end, bz)


@inline
def bases_overlap(ax: Any, ay: Any, az: Any, a_radius: Any, bx: Any, by: Any, bz: Any, b_radius: Any) -> Any:
    """Whether two bases overlap; touching is allowed (Q6, M3, M8)."""
    return abs(bz - az) < BASE_HEIGHT and np.hypot(bx - ax, by - ay) < a_radius + b_radius - TOUCH


@kernel
def fill_contacts(terrain: Any, radius: Any, x: Any, y: Any, z: Any, reach: Any, far: Any, table: Any) -> None:
    """Set the bits of every pair of places; places further apart than `far` along an axis are none (E6)."""
    sizes = len(radius)
    for p in range(len(x)):
        for q in range(len(x)):
            if abs(z[p] - z[q]) > far or abs(x[p] - x[q]) > far or abs(y[p] - y[q]) > far:
                continue
            bits = 0
            for a in range(sizes):
                for b in range(sizes):
                    gap = gap_between(x[p], y[p], z[p], radius[a], x[q], y[q], z[q], radius[b])
                    if gap <= reach + TOUCH and not separated(
                        terrain, x[p], y[p], z[p], radius[a], x[q], y[q], z[q], radius[b]
                    ):
                        bits |= 1 << a * sizes + b
            table[p, q] = bits


def contacts(terrain: Prisms, where: Places, reach: float = 1.0) -> NDArray[Any]:
    """The table of contacts, [place, place]: uint8 for one or two base sizes, uint16 for three or four."""
    sizes, count = len(where.radius), len(where.x)
    table = np.zeros((count, count), np.uint8 if sizes <= 2 else np.uint16)
    far = reach + TOUCH + 2 * float(where.radius.max())
    fill_contacts(terrain, where.radius, where.x, where.y, where.z, reach, far, table)
    return table
