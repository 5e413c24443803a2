"""The figures of whole games by name, and the squads that played them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from morsdei_sim.lang import N_, _
from morsdei_sim.reporting.words import named

if TYPE_CHECKING:
    from morsdei_sim.sweep import Battles

__all__ = ["CAUSES", "ENDS", "INTERNAL", "IN_TABLE", "MEANS", "OF_CARDS", "SHARES", "Known", "Squads", "called"]

Known = tuple[float, float, float]
"""Estimate, low, high."""

ENDS = {
    "a_wins": N_("A wins"),
    "draws": N_("draws"),
    "b_wins": N_("B wins"),
    "b_wiped_out": N_("B is wiped out"),
    "a_wiped_out": N_("A is wiped out"),
}
CAUSES = {
    "first_player_score": N_("score of whoever begins"),
    "zone_0_score": N_("score of whoever has the near zone"),
    "by_squads": N_("decided by the squads"),
    "by_first": N_("decided by who begins"),
    "by_dice": N_("left to dice and play"),
}
MEANS = {
    "vp_a": N_("VP of A"),
    "vp_b": N_("VP of B"),
    "margin": N_("VP of A less those of B"),
    "rounds": N_("rounds played"),
    "lead_changes": N_("changes of the lead"),
}
OF_CARDS = {
    "kills": N_("enemies removed"),
    "damage": N_("damage dealt"),
    "taken": N_("HP lost"),
    "loot": N_("VP from loot"),
    "survived": N_("alive at the end"),
}
"""Drawn of each card."""

IN_TABLE = OF_CARDS | {
    "rounds": N_("rounds"), "shots": N_("shots"), "melees": N_("melees"), "walked": N_("inches"),
    "luck": N_("luck, HP"),
}  # fmt: skip
"""Listed of each card."""

SHARES = {"score", *ENDS, *CAUSES, "survived"}

LUCK = {"luck_a": N_("luck of A, HP"), "luck_b": N_("luck of B, HP")}
INTERNAL = {"decisions": N_("decisions asked of bots"), "faults": N_("faults of bots")}
"""Counts that tell how the program worked, not how the squads fared."""

TITLES = IN_TABLE | MEANS | ENDS | CAUSES | LUCK | INTERNAL | {"score": N_("score of A")}


def called(figure: str) -> str:
    """The name of a figure of whole games; "" when it has none."""
    return _(TITLES[figure]) if figure in TITLES else ""


class Squads:
    """The squads by name, and what is known of their games."""

    def __init__(self, battles: Battles) -> None:
        self.battles = battles
        rows = battles.squads.to_dict("records")
        plain = {str(row["squad"]): named(row["name"], row["name_ru"]) for row in rows}
        often = Counter(plain.values())
        self.names = {squad: f"{name} ({squad})" if often[name] > 1 else name for squad, name in plain.items()}
        self.own = [str(row["squad"]) for row in rows if row["own"]]
        self.known: dict[tuple[str, str], dict[str, Known]] = {}
        for one, other, figure, *value in battles.games[
            ["one", "other", "figure", "estimate", "low", "high"]
        ].itertuples(index=False, name=None):
            self.known.setdefault((one, other), {})[figure] = (value[0], value[1], value[2])

    def pairing(self, pair: tuple[str, str]) -> str:
        """`Line – Mirror`: A comes first."""
        return f"{self.names[pair[0]]} – {self.names[pair[1]]}"

    def score(self, one: str, other: str) -> Known | None:
        """What a squad scores against another; None where they did not meet."""
        if (one, other) in self.known:
            return self.known[one, other]["score"]
        if (other, one) in self.known:
            value, low, high = self.known[other, one]["score"]
            return 1 - value, 1 - high, 1 - low
        return None

    def mean(self, squad: str) -> Known:
        """What a squad scores on average against the others. All games are on the same dice, so their errors may go
        together: the interval is the mean of the intervals, never too narrow."""
        met = [self.score(squad, other) for other in self.names if other != squad]
        return _mean([score for score in met if score is not None])

    def ranked(self) -> list[str]:
        """The squads that the user named, best first."""
        return sorted(self.own, key=lambda squad: -self.mean(squad)[0])


def _mean(known: Sequence[Known]) -> Known:
    count = len(known)
    return (
        sum(one[0] for one in known) / count,
        sum(one[1] for one in known) / count,
        sum(one[2] for one in known) / count,
    )
