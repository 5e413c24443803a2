"""What a run of battles comes to: shares and means with their 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.fight.intervals import (
    Watch,
    count_interval,
    mean_and_variance,
    share_interval,
    share_of,
    signed_interval,
)
from morsdei_sim.fight.outcome import Interval
from morsdei_sim.lang import N_
from morsdei_sim.rulesets.morsdei.game.counting import BOTH, CODES, COLUMNS, FIGURES, FINE, GAMES, SUM, squares
from morsdei_sim.rulesets.morsdei.game.ledger import FIRED
from morsdei_sim.rulesets.morsdei.game.series import Counts, Difference

__all__ = [
    "CARD_FIGURES", "DIFFERENCES", "SHARES", "Known", "card_distributions", "card_figure", "cards_of", "difference",
    "distributions", "figure", "fired", "known", "pairing_gain", "share", "spread_of",
]  # fmt: skip


@dataclass(frozen=True)
class Known:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> Interval:
        """Low and high."""
        return self.low, self.high


# ── shares: what hangs on how a game ended ────────────────────────────────────────────────────────────────────────────

_code = np.arange(CODES)
_result, _first, _zone, _wiped = _code >> 3, _code >> 2 & 1, _code >> 1 & 1, _code & 1
_score = 1 - _result / 2

SHARES: dict[str, NDArray[np.float64]] = {
    "score": _score,
    "a_wins": (_result == 0) * 1.0,
    "draws": (_result == 1) * 1.0,
    "b_wins": (_result == 2) * 1.0,
    "a_wiped_out": ((_result == 2) & (_wiped == 1)) * 1.0,
    "b_wiped_out": ((_result == 0) & (_wiped == 1)) * 1.0,
    "first_player_score": np.where(_first == 1, _score, 1 - _score),
    "zone_0_score": np.where(_zone == 0, _score, 1 - _score),
}
"""What each way to end counts: a score gives 1 for a win and a half for a draw; that of the first player goes to
whichever squad had the first turn, that of zone 0 to whichever was set up there."""


def _units(counts: Counts, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The histogram of a share over what is independent: mirrored pairs, or games."""
    if not counts.alternate:
        return values, counts.tables.ends.sum(axis=1)
    means = (values[:, None] + values[None, :]) / 2
    return means.ravel(), counts.tables.pairs.ravel()


def share(counts: Counts, name: str) -> Known:
    """One of SHARES."""
    values, units = _units(counts, SHARES[name])
    return Known(mean_and_variance(values, units)[0], *share_interval(values, units))


def spread_of(counts: Counts, name: str = "score") -> tuple[float, float, int]:
    """Mean, variance of a unit, number of units of one of SHARES."""
    values, units = _units(counts, SHARES[name])
    return *mean_and_variance(values, units), int(units.sum())


def pairing_gain(counts: Counts) -> float:
    """How many times as many unpaired games would be needed to know the score as well; 1 when nothing is paired."""
    if not counts.alternate:
        return 1.0
    values, games = SHARES["score"], counts.tables.ends.sum(axis=1)
    return mean_and_variance(values, games)[1] / 2 / spread_of(counts)[1]


# ── means ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

_SIGNED = {"margin", "luck_a", "luck_b", "luck"}
_SCALES = {"luck_a": FINE, "luck_b": FINE, "luck": FINE, "expected": FINE, "expected_taken": FINE, "walked": 1000}
"""What one HP or inch is in the sums."""


def _blow(cards: Sequence[Any]) -> float:
    """HP that the heaviest hit of these cards takes off; 1 where none takes any."""
    return float(max([1, *(arm.damage for card in cards for arm in card.weapon)]))


def _step(counts: Counts, card: int, name: str) -> float:
    """What one event adds to a figure of a card: HP come by the hit, inches by the move, all else one by one.

    An interval of something that hardly ever happened is as long as one event makes it (`count_interval`).
    """
    one = cards_of(counts.squads)[card][1]
    if name in ("damage", "expected", "luck", "wasted", "friendly"):
        return _blow([one])
    if name in ("taken", "expected_taken"):
        return _blow([card for _side, card in cards_of(counts.squads)])
    return float(one.move) if name == "walked" else 1.0


def _mean(counts: Counts, name: str, cells: NDArray[np.int64], members: int = 1, step: float = 1.0) -> Known:
    """The mean of a figure, by game and member, from [SUM LOW HIGH] over units; it comes in steps of so much."""
    scale = _SCALES.get(name, 1)
    per = scale * members * (counts.games // counts.units)
    total, square, units = float(cells[SUM]), float(squares(cells)), counts.units
    if name == "survived":
        mean = total / units / per
        # Squares of shares; the pseudo-units of `share_of` at 0 and 1.
        middle = (mean * units + 1) / (units + 2)
        spread = max(0.0, square / per**2 - units * mean**2) + middle**2 + (1 - middle) ** 2
        return Known(mean, *share_of(mean, spread / (units + 2) / units, units))
    interval = signed_interval if name in _SIGNED else count_interval
    low, high = interval(units, total, square, scale * step)
    if name == "rounds":  # there are no more to live through
        high = min(high, per * (len(counts.tables.rounds) - 1))
    return Known(total / units / per, low / per, high / per)


def figure(counts: Counts, name: str) -> Known:
    """One of `counting.FIGURES`, per game."""
    squads = dict(zip(("luck_a", "luck_b"), counts.squads, strict=True))
    step = _blow(squads[name]) if name in squads else 1.0
    return _mean(counts, name, counts.tables.figures[FIGURES.index(name)], step=step)


DIFFERENCES = ("score", "margin", "better", "worse")
"""What is told of two battles on the same dice."""


def difference(found: Difference, name: str) -> Known:
    """One of DIFFERENCES with its interval from pairs: by how much the score, or the VP margin, of A rose per game; the
    shares of units (mirrored pairs) in which A scored more, and less."""
    if name in ("better", "worse"):
        happened = found.better if name == "better" else found.worse
        counts = np.array([found.units - happened, happened])
        return Known(happened / found.units, *share_interval(np.array([0.0, 1.0]), counts))
    total, square = (found.halves, found.halves_square) if name == "score" else (found.margin, found.margin_square)
    per = (2 if name == "score" else 1) * (found.games // found.units)
    low, high = signed_interval(found.units, float(total), float(square))
    return Known(total / found.units / per, low / per, high / per)


def known(counts: Counts, name: str, watch: Watch | None = None) -> Known:
    """One of SHARES or of `counting.FIGURES`; the score holds at every look when one stopped at a precision."""
    if name not in SHARES:
        return figure(counts, name)
    if name == "score" and watch is not None:
        mean, variance, units = spread_of(counts)
        return Known(mean, *watch.interval(mean, variance, units))
    return share(counts, name)


CARD_FIGURES = (
    "kills", "damage", "expected", "luck", "wasted", "friendly", "taken", "expected_taken", "loot", "survived",
    "rounds", "activations", "moves", "walked", "shots", "open_near", "open_far", "cover_near", "cover_far",
    "reactions", "contracts", "aims", "watches", "falls_back", "melees", "exposed",
)  # fmt: skip
"""What is told of a card, each per fighter and game; `walked` in inches."""


def card_figure(counts: Counts, card: int, name: str) -> Known:
    """One of CARD_FIGURES of a card, per fighter of it and game; cards are numbered through both squads."""
    members = cards_of(counts.squads)[card][1].count
    return _mean(counts, name, counts.tables.cards[card, COLUMNS.index(name)], members, _step(counts, card, name))


def cards_of(squads: Sequence[Sequence[Any]]) -> list[tuple[str, Any]]:
    """All cards of both squads as they are numbered, each with its squad, "a" or "b"."""
    return [(side, card) for side, cards in zip("ab", squads, strict=True) for card in cards]


# ── distributions ─────────────────────────────────────────────────────────────────────────────────────────────────────


def distributions(counts: Counts) -> dict[str, dict[int, Known]]:
    """Chances of VP, margin, last round and lead changes: value -> chance, for values that occurred."""
    points = counts.tables.points
    most = len(points) - 1
    margin = np.array([np.trace(points, offset=-by) for by in range(-most, most + 1)])
    return {
        "margin_distribution": _chances(counts, margin, -most),
        "vp_a_distribution": _chances(counts, points.sum(axis=1)),
        "vp_b_distribution": _chances(counts, points.sum(axis=0)),
        "rounds_distribution": _chances(counts, counts.tables.rounds.sum(axis=1)),
        "lead_changes_distribution": _chances(counts, counts.tables.leads),
    }


def card_distributions(counts: Counts, card: int) -> dict[str, dict[int, Known]]:
    """Chances that a fighter of a card removes so many enemies, takes so many HP off enemies, in a game: value ->
    chance, for values that occurred. Cards are numbered through both squads."""
    members = cards_of(counts.squads)[card][1].count
    return {
        "kills_distribution": _chances(counts, counts.tables.kills[card], members=members),
        "damage_distribution": _chances(counts, counts.tables.damage[card], members=members),
    }


def _chances(counts: Counts, cells: NDArray[np.int64], start: int = 0, members: int = 1) -> dict[int, Known]:
    """Each with Wilson's interval for as many games as there are units: mirrored games may go together, and so may the
    fighters of a card; an interval for fewer is never too narrow."""
    return {start + value: _chance(counts, int(cell), members) for value, cell in enumerate(cells) if cell}


def _chance(counts: Counts, happened: int, members: int) -> Known:
    chance, units = happened / counts.games / members, counts.units
    middle = (chance * units + 1) / (units + 2)
    return Known(chance, *share_of(chance, middle * (1 - middle) / units, units))


@dataclass(frozen=True)
class Fired:
    """A rule that does not always matter: how often it did per game, and in which share of the games."""

    rule: str
    times: Known
    games: Known


def fired(counts: Counts) -> list[Fired]:
    """All rules of `ledger.FIRED`."""
    found = []
    for rule, cells in zip(FIRED, counts.tables.fired, strict=True):
        if counts.alternate:
            both = int(cells[BOTH])
            once = int(cells[GAMES]) - 2 * both
            values, units = np.array([0, 0.5, 1]), np.array([counts.units - both - once, once, both])
        else:
            values, units = np.array([0.0, 1.0]), np.array([counts.games - int(cells[GAMES]), int(cells[GAMES])])
        games = Known(mean_and_variance(values, units)[0], *share_interval(values, units))
        found.append(Fired(rule, _mean(counts, "fired", cells[:3]), games))
    return found


TITLES = {
    "score": N_("score of A"), "a_wins": N_("A wins"), "draws": N_("draws"), "b_wins": N_("B wins"),
    "a_wiped_out": N_("A is wiped out"), "b_wiped_out": N_("B is wiped out"),
    "first_player_score": N_("score of whoever begins"), "zone_0_score": N_("score of whoever has the near zone"),
    "vp_a": N_("VP of A"), "vp_b": N_("VP of B"), "margin": N_("VP of A less those of B"),
    "rounds": N_("rounds played"), "lead_changes": N_("changes of the lead"), "luck_a": N_("luck of A, HP"),
    "luck_b": N_("luck of B, HP"), "decisions": N_("decisions asked of bots"), "faults": N_("faults of bots"),
}  # fmt: skip
"""What people read."""
