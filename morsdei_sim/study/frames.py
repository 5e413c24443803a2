"""Tidy frames turned into tables: who does how much to whom."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot, isnan, nan
from typing import Any

import pandas as pd

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

__all__ = ["NOISE", "Known", "fair", "less", "mean", "play_of", "table", "usual"]

NOISE = 1e-12
"""Exact figures closer than this are equal: sums of the same chances in another order."""

_WHO = ("attacker", "weapon", "target", "target_weapon", "figure", "estimate", "low", "high")
"""Columns of match-ups; what else there is names the circumstances."""

Known = tuple[float, float, float]
"""Estimate, low and high; the last two are NaN when it is exact."""


def table(
    frame: pd.DataFrame, figure: str, situation: str | None = None, *, value: str = "estimate", **where: str
) -> pd.DataFrame:
    """One figure as a table: attackers and their weapons down, targets across.

    Parameters
    ----------
    frame : rows of `shots` or `melee`.
    figure : a name of the column `figure`.
    situation : of a shot.
    value : "estimate", "low" or "high".
    **where : further columns held fixed, for instance ``target_policy="random"``. Circumstances that are not given are
        those of the first row: the room's usual ones.

    Returns
    -------
    DataFrame, float64
        Rows and columns in the order of the frame. A column is a target, with its weapon where it has several.

    Raises
    ------
    UserError
        When nothing fits, or when a column not held fixed would put two values in one cell.
    """
    first = {str(column): frame[column].iloc[0] for column in frame if column not in _WHO and len(frame)}
    fixed = {**first, **({"situation": situation} if situation else {}), **where, "figure": figure}
    rows = frame
    for column, wanted in fixed.items():
        if column not in frame:
            raise UserError(_("There is no column {column} to choose by.").format(column=column))
        rows = rows[rows[column] == wanted]
        if not len(rows):
            known = ", ".join(map(str, frame[column].unique()))
            message = _("There are no rows with {column} = {value}; there are: {known}.")
            raise UserError(message.format(column=column, value=wanted, known=known))
    down = [column for column in ("attacker", "weapon") if column in rows]
    across = ["target"]
    if "target_weapon" in rows and rows.groupby("target")["target_weapon"].nunique().gt(1).any():
        across.append("target_weapon")
    if rows.duplicated([*down, *across]).any():
        raise UserError(_("Several rows fall into one cell; hold more columns fixed."))
    order = list(dict.fromkeys(rows[across].itertuples(index=False, name=None)))
    wide = rows.set_index([*down, *across])[value].unstack(across, sort=False)
    return wide[[key if len(across) > 1 else key[0] for key in order]]


def usual(collection: Any, name: str) -> pd.DataFrame:
    """Rows of the frame `shots` or `melee` in the room's usual circumstances."""
    frame: pd.DataFrame = getattr(collection, name)
    for column, wanted in collection.guide.usual.items():
        if column in frame:
            frame = frame[frame[column] == wanted]
    return frame


def fair(collection: Any, figure: str) -> pd.DataFrame:
    """A figure of melee under the play by which it is judged: the value of the game, where there is one."""
    melee: pd.DataFrame = collection.melee
    rows = melee[melee["figure"] == figure]
    for column, wanted in zip(play_of(melee), collection.guide.fair.get(figure, ()), strict=False):
        rows = rows[rows[column] == wanted]
    return rows


def play_of(melee: pd.DataFrame) -> list[str]:
    """The columns that say how a melee is played."""
    return [str(column) for column in melee if column not in _WHO]


def less(one: Known, other: Known) -> Known:
    """`one` less `other` with the interval of independent samples (square and add).

    Frames hold no joint distribution, so two sampled figures are treated as independent although they are rolled on
    the same dice; that, as a rule, makes the interval too wide rather than too narrow.
    """
    difference = one[0] - other[0]
    if isnan(one[1]) or isnan(other[1]):
        return (0.0 if abs(difference) < NOISE else difference), nan, nan
    low = difference - hypot(one[0] - one[1], other[2] - other[0])
    return difference, low, difference + hypot(one[2] - one[0], other[0] - other[1])


def mean(frame: pd.DataFrame, by: Iterable[str], columns: Iterable[str] = ("estimate", "low", "high")) -> pd.DataFrame:
    """Means over rows, in the order of the frame.

    Errors of figures rolled on the same dice may go together, so the interval of a mean is the mean of the intervals:
    never too narrow.
    """
    keys: list[Any] = list(by)
    return frame.groupby(keys, sort=False, dropna=False)[list(columns)].mean().reset_index()
