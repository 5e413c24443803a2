"""What a habit at the table gives up against best play."""

from __future__ import annotations

from typing import Any

import pandas as pd

from morsdei_sim.study.frames import OBJECTIVE_OF, less

__all__ = ["styles"]

FIGURES = ("net_damage", "kill_difference")

_PAIR = ["attacker", "weapon", "target", "target_weapon"]
COLUMNS = [
    "policy",
    "objective",
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
        With the frame `melee`.
    pairs : bool
        Every match-up instead of the means.

    Returns
    -------
    DataFrame
        Per policy and objective: the mean of best play less the habit (`given_up`, points of the figure, never below 0
        when exact), its interval (missing when exact; best play and habit treated as independent samples), the largest
        loss and between whom, the number of match-ups, and in how many the habit costs nothing. With `pairs`: the four
        columns of the match-up, policy, objective, figure, given_up, low, high.
    """
    detail = _detail(collection.melee)
    if pairs:
        return detail
    rows = []
    for (policy, objective, figure), part in detail.groupby(["policy", "objective", "figure"], sort=False):
        worst = part.iloc[int(part["given_up"].argmax())]
        means = part[["given_up", "low", "high"]].mean()
        free = int((part["given_up"] <= 0).sum())
        rows.append(
            (policy, objective, figure, *means, worst["given_up"], worst["attacker"], worst["target"], len(part), free)
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def _detail(melee: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for figure in FIGURES:
        objective = OBJECTIVE_OF[figure]
        asked = (melee["objective"] == objective) & (melee["figure"] == figure) & (melee["target_policy"] == "best")
        shown = melee[asked]
        best = {tuple(key): known for *key, policy, known in _known(shown) if policy == "best"}
        for *key, policy, known in _known(shown):
            if policy != "best" and tuple(key) in best:
                rows.append((*key, policy, objective, figure, *less(best[tuple(key)], known)))
    return pd.DataFrame(rows, columns=[*_PAIR, "policy", "objective", "figure", "given_up", "low", "high"])


def _known(rows: pd.DataFrame) -> list[tuple[Any, ...]]:
    named = rows.assign(target_weapon=rows["target_weapon"].fillna(""))
    return [
        (*key, policy, (estimate, low, high))
        for *key, policy, estimate, low, high in named[
            [*_PAIR, "attacker_policy", "estimate", "low", "high"]
        ].itertuples(index=False, name=None)
    ]
