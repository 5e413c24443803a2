"""Curves: the chance of at least so much, damage for instance, and of a removal by so many activations."""

from __future__ import annotations

from typing import Any

import pandas as pd

__all__ = ["activation_curves", "spread_curves"]

_SHOT = ["attacker", "weapon", "target", "situation"]


def spread_curves(collection: Any, **where: str) -> pd.DataFrame:
    """Chance of at least each value: the columns of the shot, value, estimate, low, high. `where` holds columns
    fixed."""
    rows = _chosen(collection.spread, where)
    names = {"at_least": "estimate", "at_least_low": "low", "at_least_high": "high"}
    return rows[[*_SHOT, "value", *names]].rename(columns=names).reset_index(drop=True)


def activation_curves(collection: Any, **where: str) -> pd.DataFrame:
    """Chance that the target is removed by each activation: the columns of the attack, plan, activation, estimate,
    low, high."""
    rows = _chosen(collection.activations, where)
    shown = rows[[*_SHOT[:3], "plan", "situation", "activation", "removed_by", "low", "high"]]
    return shown.rename(columns={"removed_by": "estimate"}).reset_index(drop=True)


def _chosen(frame: pd.DataFrame, where: dict[str, str]) -> pd.DataFrame:
    for column, wanted in where.items():
        frame = frame[frame[column] == wanted]
    return frame
