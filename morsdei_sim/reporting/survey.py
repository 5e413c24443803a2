"""A sweep as its report sees it: the cells of one figure, the axes that vary, and what all of them are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from morsdei_sim.lang import N_, _, named
from morsdei_sim.reporting import numbers
from morsdei_sim.reporting.figures import short
from morsdei_sim.reporting.meaning import Meaning
from morsdei_sim.sweep.study_axes import BATTLE

__all__ = ["Survey", "is_number"]

CALLED = {"attacker": N_("attacker"), "target": N_("target"), "card": N_("card"), "board": N_("board"),
          "bots": N_("bots")}  # fmt: skip
JOINED = " + "
MOST_LETTERS = 200
"""Of a name on the page: folders may come from anywhere."""


def is_number(values: pd.Series[Any]) -> bool:
    """Whether an axis is of numbers, in whose order its values stand."""
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


@dataclass(frozen=True)
class Survey:
    """One figure of a sweep.

    Attributes
    ----------
    manifest : what the folder says of itself.
    rows : of all parts, without distributions: the columns of docs/sweeps.md.
    figure : the one that is shown.
    parts_done, parts : how much of it is there.
    commands : "repeat", "go_on", "export" and "figure", lines for the reader to copy.
    """

    manifest: dict[str, Any]
    rows: pd.DataFrame
    figure: str
    parts_done: int
    parts: int
    commands: dict[str, str]

    @property
    def complete(self) -> bool:
        """Whether no part is missing."""
        return self.parts_done == self.parts

    @property
    def title(self) -> str:
        """The study's own name."""
        return short(named(self.manifest["name"], self.manifest["name_ru"]), MOST_LETTERS)

    @cached_property
    def cells(self) -> pd.DataFrame:
        """The cells of the figure; axes that vary together are one."""
        frame = self.rows[(self.rows["figure"] == self.figure) & self.rows["estimate"].notna()]
        return frame.assign(**{JOINED.join(self._together): self._joint(frame)}) if self._together else frame

    @cached_property
    def errors(self) -> pd.DataFrame:
        """The cells that could not be answered."""
        return self.rows[self.rows["figure"] == "error"]

    @cached_property
    def axes(self) -> list[str]:
        """Columns of `cells` that vary, those of the cards among them."""
        own = [JOINED.join(self._together)] if self._together else list(self.manifest["axes"])
        return [name for name in ("attacker", "target", "card", *own) if self.cells[name].nunique() > 1]

    @cached_property
    def spread_out(self) -> bool:
        """Whether the points are quasi-random: no combination of values is there for every other."""
        return self.manifest["design"] not in ("grid", "list")

    @cached_property
    def _together(self) -> tuple[str, ...]:
        """Axes of a list, which nobody can tell apart."""
        several = tuple(name for name in self.manifest["axes"] if self.rows[name].nunique() > 1)
        return several if self.manifest["design"] == "list" and len(several) > 1 else ()

    def _joint(self, frame: pd.DataFrame) -> pd.Series[str]:
        rows = frame[list(self._together)].itertuples(index=False, name=None)
        return pd.Series([", ".join(map(self.value, row)) for row in rows], frame.index, dtype="str")

    # ── names and numbers ─────────────────────────────────────────────────────────────────────────────────────────────

    def axis(self, name: str) -> str:
        """What an axis is called: as the study's file calls it, or a word."""
        return _(CALLED[name]) if name in CALLED else short(name, MOST_LETTERS)

    def value(self, value: Any) -> str:
        """A value of an axis."""
        if isinstance(value, bool) or type(value).__name__ == "bool":
            return _("yes") if value else _("no")
        if isinstance(value, (int, float)) or hasattr(value, "dtype"):
            return "—" if value != value else numbers.stat(float(value))
        return short(str(value), MOST_LETTERS)

    @cached_property
    def meaning(self) -> Meaning:
        """What the figures are called, and how they are printed."""
        return Meaning(self.manifest["ruleset"], self.manifest["verb"] == BATTLE)

    def known(self, value: float, low: Any = None, high: Any = None) -> str:
        """A value of the figure as it may be printed."""
        return self.meaning.known(self.figure, value, low, high)

    @property
    def called(self) -> str:
        """The name of the figure."""
        return self.meaning.called(self.figure)

    @property
    def share(self) -> bool:
        """Whether the figure is a chance."""
        return self.meaning.is_share(self.figure)

    def place(self, row: Any, axes: Sequence[str] | None = None) -> str:
        """The values of a cell: `attackers.hit 3, cover yes`."""
        return ", ".join(f"{self.axis(name)} {self.value(row[name])}" for name in axes or self.axes)
