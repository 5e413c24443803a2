"""What one step of a stat is worth, and where it is worth nothing."""

from __future__ import annotations

from typing import Any

import pandas as pd

from morsdei_sim.lang import _, ngettext
from morsdei_sim.study.frames import NOISE, mean

__all__ = ["by_stat", "worth"]

_KEYS = ["card", "weapon", "stat", "from", "to", "figure"]
COLUMNS = [*_KEYS, "base", "changed", "difference", "low", "high", "opponents", "without_effect", "moved", "note"]


def worth(collection: Any, over: str = "field") -> pd.DataFrame:
    """Mean worth of one step of each stat of each card, with its breakpoints.

    Parameters
    ----------
    collection
        With the frames `cards steps` and `guide.no_effect`.
    over : {"field", "cards"}
        Average over the reference field or over the other cards.

    Returns
    -------
    DataFrame
        One row per card, weapon, stat and figure: means before and after, their difference with low and high (missing
        when exact), the number of opponents, for how many the step does nothing at all, for how many it moves the
        number of hits that removes somebody (`moved`), and a note in words. A stat that no exchange reads has one row,
        with the figure "".

    Notes
    -----
    Sampled: before and after are treated as independent, although they are rolled on the same dice. `without_effect`
    counts a sampled difference only where before and after were equal to the last roll.
    """
    if over not in ("field", "cards"):
        raise ValueError(f'over must be "field" or "cards", not {over!r}')
    rows = collection.steps[collection.steps["field"] == (over == "field")]
    still = rows["difference"].abs() < NOISE
    moved = (rows["needed"] != rows["needed_changed"]) & rows["needed"].notna() & rows["needed_changed"].notna()
    rows = rows.assign(still=still, moved=moved.fillna(False).astype(bool))
    means = mean(rows, _KEYS, ("base", "changed", "difference", "low", "high"))
    counts = rows.groupby(_KEYS, sort=False, dropna=False).agg(
        opponents=("still", "size"), without_effect=("still", "sum"), moved=("moved", "sum")
    )
    found = means.merge(counts.reset_index(), on=_KEYS, how="left", sort=False)
    found["note"] = [_note(row) for row in found.itertuples(index=False)]
    return pd.concat([found[COLUMNS], _silent(collection)], ignore_index=True)


def _note(row: Any) -> str:
    if row.without_effect == row.opponents:
        return _("worth nothing against any of them")
    parts = []
    if row.without_effect:
        text = ngettext("worth nothing against {n} of {all}", "worth nothing against {n} of {all}", row.without_effect)
        parts.append(text.format(n=row.without_effect, all=row.opponents))
    if row.moved:
        text = ngettext(
            "moves the hits to remove in {n} of {all}", "moves the hits to remove in {n} of {all}", row.moved
        )
        parts.append(text.format(n=row.moved, all=row.opponents))
    return "; ".join(parts)


def _silent(collection: Any) -> pd.DataFrame:
    """A row for each stat that no exchange reads."""
    cards = collection.cards
    cards = cards[~cards["field"]] if "field" in cards else cards
    rows = []
    for stat in collection.guide.no_effect:
        if stat not in cards:  # of weapons: said once, not weapon by weapon
            continue
        for card, value in zip(cards["card"], cards[stat], strict=True):
            rows.append({"card": card, "stat": stat, "from": value, "figure": "", "difference": 0.0, "opponents": 0,
                         "without_effect": 0, "moved": 0, "note": _("no effect on exchanges")})  # fmt: skip
    frame = pd.DataFrame(rows).reindex(columns=COLUMNS)
    text = dict.fromkeys(("card", "weapon", "stat", "figure", "note"), "str")
    numbers = dict.fromkeys(("to", "base", "changed", "difference", "low", "high"), "float64")
    return frame.astype({**text, **numbers})


def by_stat(collection: Any, over: str = "field") -> pd.DataFrame:
    """Mean worth of one step of each stat over all cards that can take it: stat, figure, difference, low, high, cards,
    without_effect."""
    found = worth(collection, over)
    found = found[found["figure"] != ""]
    means = mean(found, ["stat", "figure"], ("difference", "low", "high"))
    counts = found.assign(still=found["without_effect"] == found["opponents"])
    counts = counts.groupby(["stat", "figure"], sort=False).agg(
        cards=("still", "size"), without_effect=("still", "sum")
    )
    return means.merge(counts.reset_index(), on=["stat", "figure"], how="left", sort=False)
