"""Cards from best to worst, with ties shown as ties."""

from __future__ import annotations

from typing import Any

import pandas as pd

from morsdei_sim.study.frames import NOISE, Known, less, mean, usual

__all__ = ["rank"]


def rank(collection: Any, by: tuple[str, ...] | None = None, over: str = "cards") -> pd.DataFrame:
    """Rank the cards by the mean of several figures.

    Parameters
    ----------
    collection
        With the frames `cards shots melee` and `guide.ranks`.
    by : names of `guide.ranks`; all when not given.
    over : {"cards", "field"}
        What the means are over. As targets, cards are always measured against the other cards: the field is not asked
        to attack.

    Returns
    -------
    DataFrame
        card, order, figure, estimate, low, high, rank (1 plus the number of cards that are surely better), tied
        (whether another card has that rank), by figure and from best to worst. A card without the weapon for a figure
        is left out of it. Shots and melee in the room's usual circumstances. A card with several weapons stands with
        the one that is best on average.

    Notes
    -----
    "Surely" means: exact figures differ, or the interval of the sampled difference (both treated as independent)
    leaves out 0. So two cards with the same rank are not told apart, and a card between two others may be told apart
    from neither.
    """
    if over not in ("field", "cards"):
        raise ValueError(f'over must be "field" or "cards", not {over!r}')
    names = tuple(collection.guide.ranks) if by is None else by
    parts = [_ranked(name, *_means(collection, name, over)) for name in names]
    columns = ["order", "card", "figure", "estimate", "low", "high", "rank", "tied"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _means(collection: Any, name: str, over: str) -> tuple[str, int, pd.DataFrame]:
    """The figure, the sign and, for each card, its mean."""
    source, part, figure, sign = collection.guide.ranks[name]
    rows = usual(collection, source)
    rows = rows[rows["figure"] == figure]
    cards = collection.cards
    field = set(cards.loc[cards["field"], "card"]) if "field" in cards else set()
    if part == "attacker":
        rows = rows[rows["target"].isin(field) == (over == "field")]
        means = mean(rows, ["attacker", "weapon"])
        best = means.loc[means.groupby("attacker", sort=False)["estimate"].idxmax()]
        return figure, sign, best.rename(columns={"attacker": "card"})
    rows = rows[~rows["target"].isin(field)]
    return figure, sign, mean(rows, ["target"]).rename(columns={"target": "card"})


def _ranked(order: str, figure: str, sign: int, means: pd.DataFrame) -> pd.DataFrame:
    known: list[Known] = list(means[["estimate", "low", "high"]].itertuples(index=False, name=None))
    ranks = [1 + sum(_surely_better(other, one, sign) for other in known) for one in known]
    ranked = means.assign(order=order, figure=figure, rank=ranks)
    ranked["tied"] = ranked["rank"].duplicated(keep=False)
    by = ranked["estimate"] * -sign
    return ranked.assign(by=by.round(12)).sort_values(["rank", "by"], kind="stable").drop(columns="by")


def _surely_better(one: Known, other: Known, sign: int) -> bool:
    difference, low, high = less(one, other)
    if low != low:  # exact
        return difference * sign > NOISE
    return low > 0 if sign > 0 else high < 0
