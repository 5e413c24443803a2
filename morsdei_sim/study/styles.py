"""What a habit at the table gives up against best play."""

from __future__ import annotations

from typing import Any

import pandas as pd

from morsdei_sim.study.frames import less, play_of

__all__ = ["styles"]

_PAIR = ["attacker", "weapon", "target", "target_weapon"]
COLUMNS = [
    "policy",
    "figure",
    "given_up",
    "low",
    "high",
    "worst",
    "worst_attacker",
    "worst_target",
    "pairs",
    "free",
]


def styles(collection: Any, *, pairs: bool = False) -> pd.DataFrame:
    """How much each habit of the initiator gives up against a target that plays best.

    Parameters
    ----------
    collection
        With the frame `melee`, `guide.habit` and `guide.habit_figures`; a room without habits has no rows.
    pairs : bool
        Every match-up instead of the means.

    Returns
    -------
    DataFrame
        Per policy and figure: the mean of best play less the habit (`given_up`, points of the figure, never below 0
        when exact), its interval (missing when exact; best play and habit treated as independent samples), the largest
        loss and between whom, the number of match-ups, and in how many the habit costs nothing. With `pairs`: the four
        columns of the match-up, policy, figure, given_up, low, high.
    """
    detail = _detail(collection)
    if pairs:
        return detail
    rows = []
    for (policy, figure), part in detail.groupby(["policy", "figure"], sort=False):
        worst = part.iloc[int(part["given_up"].argmax())]
        means = part[["given_up", "low", "high"]].mean()
        free = int((part["given_up"] <= 0).sum())
        rows.append((policy, figure, *means, worst["given_up"], worst["attacker"], worst["target"], len(part), free))
    return pd.DataFrame(rows, columns=COLUMNS)


def _detail(collection: Any) -> pd.DataFrame:
    melee, guide = collection.melee, collection.guide
    rows = []
    for figure in guide.habit_figures:
        play = dict(zip(play_of(melee), guide.fair[figure], strict=True))
        shown = melee[melee["figure"] == figure]
        for column, wanted in play.items():
            if column != guide.habit:
                shown = shown[shown[column] == wanted]
        best = play[guide.habit]
        values = {tuple(key): known for *key, policy, known in _known(shown, guide.habit) if policy == best}
        for *key, policy, known in _known(shown, guide.habit):
            if policy != best and tuple(key) in values:
                rows.append((*key, policy, figure, *less(values[tuple(key)], known)))
    return pd.DataFrame(rows, columns=[*_PAIR, "policy", "figure", "given_up", "low", "high"])


def _known(rows: pd.DataFrame, habit: str) -> list[tuple[Any, ...]]:
    named = rows.assign(target_weapon=rows["target_weapon"].fillna(""))
    return [
        (*key, policy, (estimate, low, high))
        for *key, policy, estimate, low, high in named[[*_PAIR, habit, "estimate", "low", "high"]].itertuples(
            index=False, name=None
        )
    ]
