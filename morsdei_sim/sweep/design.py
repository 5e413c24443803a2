"""Which cells a study has: every pair of squads or cards at every point of its design, in a fixed order.

A point takes one value of every axis. Cells are counted and found by number without being listed, so a design of a
million cells takes no more memory than one of ten.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["KINDS", "RANDOM", "Axis", "Cell", "Design"]

RANDOM = ("sobol", "halton", "latin")
"""Designs of quasi-random points."""

KINDS = ("grid", "list", *RANDOM)


@dataclass(frozen=True)
class Axis:
    """What varies, by the name of its column, and the values that it takes."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Cell:
    """One cell: its number, the numbers of attacker and target, a value of each axis."""

    number: int
    attacker: int
    target: int
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Design:
    """Cells of a study.

    Attributes
    ----------
    kind : one of KINDS. "grid": all combinations, the last axis the fastest, as `itertools.product`; "list": axes of
        equal length vary together; "sobol", "halton", "latin": quasi-random points, each a value of every axis.
    axes : at least their names differ.
    attackers, targets : how many there are; every attacker meets every target at every point.
    points, seed : of quasi-random points.
    """

    kind: str
    axes: tuple[Axis, ...]
    attackers: int
    targets: int
    points: int = 0
    seed: int = 1

    @property
    def per_pair(self) -> int:
        """How many points there are: cells of each pair."""
        if self.kind == "grid":
            return prod(len(axis.values) for axis in self.axes)
        return self.points if self.kind in RANDOM else len(self.axes[0].values) if self.axes else 1

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.attackers * self.targets * self.per_pair

    def cell(self, number: int) -> Cell:
        """The cell of that number, counted from 0: pairs are the slowest, attackers before targets.

        Raises
        ------
        IndexError : there is no such cell.
        """
        if not 0 <= number < self.cells:
            raise IndexError(number)
        pair, point = divmod(number, self.per_pair)
        return Cell(number, *divmod(pair, self.targets), self._values(point))

    def _values(self, point: int) -> tuple[Any, ...]:
        if self.kind == "list":
            return tuple(axis.values[point] for axis in self.axes)
        if self.kind in RANDOM:
            return tuple(axis.values[place] for axis, place in zip(self.axes, self.places[point], strict=True))
        places = []
        for axis in reversed(self.axes):  # mixed radix
            point, place = divmod(point, len(axis.values))
            places.append(axis.values[place])
        return tuple(reversed(places))

    @cached_property
    def places(self) -> NDArray[np.uint16]:
        """Of each quasi-random point the places of its values, uint16 (points, axes)."""
        from scipy.stats import qmc

        sizes = np.array([len(axis.values) for axis in self.axes])
        if self.kind == "sobol":  # balanced in powers of two, and scipy complains of any other number
            drawn = qmc.Sobol(len(sizes), rng=self.seed).random_base2((self.points - 1).bit_length())[: self.points]
        else:
            engine = {"halton": qmc.Halton, "latin": qmc.LatinHypercube}[self.kind]
            drawn = engine(len(sizes), rng=self.seed).random(self.points)
        return np.asarray(np.minimum(drawn * sizes, sizes - 1), np.uint16)
