"""Weapons and fighters that another one makes pointless, and exact copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from morsdei_sim.study.frames import NOISE, fair

__all__ = ["dominated"]

COLUMNS = ["kind", "card", "weapon", "by_card", "by_weapon", "copy", "stats", "figures", "compared", "unseen", "words"]

_IDENTITY = {"card", "name", "name_ru", "squad", "squad_ru", "weapon", "weapon_ru", "type", "words", "field", "count"}


def dominated(collection: Any) -> pd.DataFrame:
    """Who is dominated by whom, and who is an exact copy.

    Parameters
    ----------
    collection
        With the frames `cards weapons shots melee`, `guide.better` (1 for stats and figures of which more is better,
        -1 for less) and `guide.judged` (figures that a better card cannot spoil).

    Returns
    -------
    DataFrame
        One row per pair: kind ("weapon" or "fighter"), the dominated one, the dominator (`by_`), and

        copy : every stat is equal. Copies are named once, the later after the earlier.
        stats : every stat is at least as good and one is better.
        figures : at least as good in every figure of every match-up, and better in one (surely so, when sampled). A
            melee weapon is judged in the hands of its owner, a fighter by whichever of its weapons is best.
        compared : how many figures that were.
        unseen : stats in which the dominated one is better, though no match-up shows it.
        words : rules in words stand on either; they are not counted.

    A pair is listed when it is a copy, or when `stats` or `figures` holds.
    """
    found = [*_weapons(collection), *_fighters(collection)]
    frame = pd.DataFrame(found, columns=COLUMNS)
    return frame.astype({"copy": bool, "stats": bool, "figures": bool, "words": bool, "compared": int})


def _contestants(frame: pd.DataFrame) -> pd.DataFrame:
    shown = frame[~frame["field"]] if "field" in frame else frame
    return shown.reset_index(drop=True)


def _stats(frame: pd.DataFrame) -> list[str]:
    return [str(column) for column in frame if column not in _IDENTITY]


def _compare(one: Any, other: Any, stats: Sequence[str], better: dict[str, int]) -> tuple[bool, bool, list[str]]:
    """Whether `other` equals `one` in every stat; is at least as good and once better; and where `one` is the
    better."""
    gains = [_gain(getattr(one, stat), getattr(other, stat), stat in better) for stat in stats]
    signs = np.array([gain * better.get(stat, 1) for gain, stat in zip(gains, stats, strict=True)], dtype=float)
    worse = [stat for sign, stat in zip(signs, stats, strict=True) if sign < 0]
    equal = bool((signs == 0).all())
    return equal, not worse and not np.isnan(signs).any() and bool((signs > 0).any()), worse


def _gain(mine: Any, theirs: Any, directed: bool) -> float:
    """1 where `theirs` is more, -1 where it is less, 0 where both are the same; else NaN: a stat without a direction
    (the size of a base), words (D3), and a number against none must be the same."""
    if (pd.isna(mine) and pd.isna(theirs)) or mine == theirs:
        return 0
    if not directed or isinstance(mine, str) or isinstance(theirs, str) or pd.isna(mine) or pd.isna(theirs):
        return float("nan")
    return 1 if theirs > mine else -1


def _weapons(collection: Any) -> Iterator[tuple[Any, ...]]:
    better = collection.guide.better
    frame = _contestants(collection.weapons)
    stats = _stats(frame)
    figures = _Figures(collection, ("attacker", "weapon"))
    rows: list[Any] = list(frame.itertuples(index=False))
    for here, one in enumerate(rows):
        for there, other in enumerate(rows):
            if here == there or one.type != other.type or (one.card, one.weapon) == (other.card, other.weapon):
                continue
            copy, stronger, worse = _compare(one, other, stats, better)
            if copy and there > here:
                continue
            count, throughout = figures.compare((one.card, one.weapon), (other.card, other.weapon))
            if copy or stronger or throughout:
                words = bool(getattr(one, "words", False) or getattr(other, "words", False))
                names = "weapon", one.card, one.weapon, other.card, other.weapon
                yield (*names, copy, stronger, throughout and not copy, count, ", ".join(worse), words)


def _fighters(collection: Any) -> Iterator[tuple[Any, ...]]:
    better = collection.guide.better
    cards, weapons = _contestants(collection.cards), _contestants(collection.weapons)
    stats, arm_stats = _stats(cards), _stats(weapons)
    arms: dict[Any, list[Any]] = {}
    for row in weapons.itertuples(index=False):
        arms.setdefault(row.card, []).append(row)
    offence, defence = _Figures(collection, ("attacker",)), _Figures(collection, ("target",))
    rows: list[Any] = list(cards.itertuples(index=False))
    for here, one in enumerate(rows):
        for there, other in enumerate(rows):
            if here == there:
                continue
            mine, theirs = arms.get(one.card, []), arms.get(other.card, [])
            same, stronger, worse = _compare(one, other, stats, better)
            covered, better_arm = _armoury(mine, theirs, arm_stats, better)
            copy = same and covered and not better_arm and len(mine) == len(theirs)
            if copy and there > here:
                continue
            at_least = (same or stronger) and covered
            by_stats = at_least and not copy and (stronger or better_arm or len(theirs) > len(mine))
            count, throughout = _both(offence, defence, one.card, other.card)
            if copy or by_stats or throughout:
                words = any(getattr(row, "words", False) for row in (one, other, *mine, *theirs))
                yield (
                    "fighter",
                    one.card,
                    None,
                    other.card,
                    None,
                    copy,
                    by_stats,
                    throughout and not copy,
                    count,
                    ", ".join(worse),
                    words,
                )


def _armoury(mine: list[Any], theirs: list[Any], stats: list[str], better: dict[str, int]) -> tuple[bool, bool]:
    """Whether each of my weapons has one of theirs that is at least as good, and whether one of them has none that
    only equals it."""
    covered, gained = True, False
    for one in mine:
        against = [_compare(one, other, stats, better) for other in theirs if other.type == one.type]
        covered &= any(equal or stronger for equal, stronger, _worse in against)
        gained |= any(stronger for _equal, stronger, _worse in against) and not any(equal for equal, *_rest in against)
    return covered, gained


def _both(offence: _Figures, defence: _Figures, one: str, other: str) -> tuple[int, bool]:
    """Dominated in what it does and in what it suffers, better in one of the two."""
    parts = offence.states((one,), (other,)), defence.states((one,), (other,), -1)
    count = sum(len(part[0]) for part in parts)
    never_worse = all(part[0].all() for part in parts) and all(part[2] for part in parts)
    return count, bool(count and never_worse and any(part[1].any() for part in parts))


class _Figures:
    """Match-up figures turned so that more is better for the attacker, a row per opponent and circumstance, a column
    per contestant."""

    def __init__(self, collection: Any, who: tuple[str, ...]) -> None:
        better = collection.guide.better
        self._who = who
        judged = collection.guide.judged
        shots = collection.shots[collection.shots["figure"].isin(judged["shots"])]
        melee = [fair(collection, name) for name in judged["weapons" if "weapon" in who else "fighters"]]
        rows = pd.concat(
            [shots.assign(verb="shoot"), *(part.assign(verb="melee") for part in melee)], ignore_index=True
        )
        keys = ["verb", "attacker", "weapon", "target", "target_weapon", "situation", "figure"]
        rows = rows.reindex(columns=[*keys, "estimate", "low", "high"])  # a room may have no melee
        sign = rows["figure"].map(better).astype(float)
        low = rows["low"].where(sign > 0, rows["high"]) * sign
        high = rows["high"].where(sign > 0, rows["low"]) * sign
        rows = rows.assign(estimate=rows["estimate"] * sign, low=low, high=high)
        self._opponent = "target" if who[0] == "attacker" else "attacker"
        down = [key for key in keys if key not in (*who, *self._mine())]
        self._tables = {
            value: rows.assign(**{value: rows[value]})
            .groupby([*who, *down], sort=False, dropna=False)[value]
            .agg(self._pick())
            for value in ("estimate", "low", "high")
        }
        self._sampled = bool(rows["low"].notna().any())

    def _mine(self) -> tuple[str, ...]:
        """A fighter uses whichever of its weapons is best; a weapon stands for itself."""
        return () if "weapon" in self._who else (("weapon",) if self._who == ("attacker",) else ("target_weapon",))

    def _pick(self) -> str:
        return "max" if self._who[0] == "attacker" else "min"

    def _of(self, who: tuple[str, ...], value: str) -> pd.Series | None:
        series: Any = self._tables[value]
        try:
            found: pd.Series = series.xs(who, level=list(self._who))
        except KeyError:
            return None
        return found

    def states(
        self, one: tuple[str, ...], other: tuple[str, ...], sign: int = 1
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_], bool]:
        """Per figure against common opponents: `other` is not worse; `other` is surely better; and whether `other` has
        all that `one` has."""
        mine, theirs = self._of(one, "estimate"), self._of(other, "estimate")
        nothing = np.zeros(0, dtype=bool)
        if mine is None:
            return nothing, nothing, True
        outside = ~mine.index.get_level_values(self._opponent).isin([one[0], other[0]])
        index = mine.index[outside]
        if theirs is None:
            return nothing, nothing, False
        # A figure that `other` lacks is NaN here, which is never "not worse".
        gain = sign * (theirs.reindex(index) - mine.reindex(index)).to_numpy()
        if not self._sampled:
            return gain >= -NOISE, gain > NOISE, True
        bounds = [(self._of(who, "low"), self._of(who, "high")) for who in (one, other)]
        spread = np.zeros(len(index))
        for low, high in bounds:
            if low is not None and high is not None:
                spread = np.hypot(spread, (high.reindex(index) - low.reindex(index)).to_numpy() / 2)
        return gain >= -spread, gain > spread, True

    def compare(self, one: tuple[str, ...], other: tuple[str, ...]) -> tuple[int, bool]:
        """How many figures were compared, and whether `other` is never worse and once surely better."""
        never_worse, surely, complete = self.states(one, other)
        return len(never_worse), bool(complete and len(never_worse) and never_worse.all() and surely.any())
