"""The verb `ladder`: every bot against every other, in mirrored seats."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.arguments import checked
from morsdei_sim.api.games import (
    aligned,
    boards_named,
    check_games,
    document,
    grouped,
    html_table,
    short,
    words,
)
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets import Room, room_with

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from morsdei_sim.rulesets.morsdei.game.bots import Player
    from morsdei_sim.rulesets.morsdei.game.runs import Progress
    from morsdei_sim.rulesets.morsdei.game.series import Series

__all__ = ["Cell", "Ladder", "ladder"]

GAMES = 400

ERROR = 0.05
"""Chance that any two neighbours of a ladder called certain stand the wrong way round."""


@dataclass(frozen=True)
class Cell:
    """What `one` scores against `other`, over all boards; `variance` is that of the mean."""

    one: str
    other: str
    score: float
    variance: float
    units: int
    games: int
    faulty: int

    @property
    def interval(self) -> tuple[float, float]:
        """95 %."""
        from morsdei_sim.fight.intervals import share_of

        return share_of(self.score, self.variance, self.units)


@dataclass(frozen=True)
class Ladder:
    """Bots from best to worst.

    Attributes
    ----------
    bots : in the order of their mean score.
    cells : one a pair of bots.
    squads, boards : what they played with, as named.
    """

    bots: tuple[str, ...]
    cells: tuple[Cell, ...]
    squads: tuple[str, ...]
    boards: tuple[str, ...]
    seed: int
    rules: dict[str, Any]
    room: Room

    def score(self, one: str, other: str) -> tuple[float, float, float]:
        """What a bot scores against another: estimate, low, high."""
        for cell in self.cells:
            if (cell.one, cell.other) == (one, other):
                return cell.score, *cell.interval
            if (cell.one, cell.other) == (other, one):
                low, high = cell.interval
                return 1 - cell.score, 1 - high, 1 - low
        raise KeyError((one, other))

    def mean(self, bot: str) -> tuple[float, float, float]:
        """What a bot scores on average against the others: estimate, low, high."""
        from morsdei_sim.fight.intervals import share_of

        mine = [cell for cell in self.cells if bot in (cell.one, cell.other)]
        value = sum(cell.score if cell.one == bot else 1 - cell.score for cell in mine) / len(mine)
        variance = sum(cell.variance for cell in mine) / len(mine) ** 2
        return value, *share_of(value, variance, sum(cell.units for cell in mine))

    def difference(self, one: str, other: str) -> tuple[float, float]:
        """Mean score of a bot less that of another, and the standard error: cells are independent, and the games of the
        two against each other count twice."""
        share, value, variance = len(self.bots) - 1, 0.0, 0.0
        for cell in self.cells:
            weight = (cell.one == one) - (cell.one == other) - (cell.other == one) + (cell.other == other)
            value += weight * (cell.score - 0.5) / share
            variance += (weight / share) ** 2 * cell.variance
        return value, sqrt(variance)

    @property
    def certain(self) -> list[bool]:
        """Whether each bot surely stands above the next, all of them together at 95 % (Bonferroni)."""
        steps = list(zip(self.bots, self.bots[1:], strict=False))
        z = NormalDist().inv_cdf(1 - ERROR / 2 / len(steps))
        return [value > z * error for value, error in (self.difference(*step) for step in steps)]

    @property
    def notes(self) -> list[str]:
        """What must be said about the order."""
        found = []
        for bot, other, sure in zip(self.bots, self.bots[1:], self.certain, strict=False):
            if not sure:
                text = _("Not certain: {one} above {other}; more games would tell.")
                found.append(text.format(one=bot, other=other))
        for place, bot in enumerate(self.bots):
            for other in self.bots[place + 1 :]:
                if self.score(bot, other)[2] < 0.5:
                    text = _("{other} stands below {one} and yet beats it: the order is not the whole story.")
                    found.append(text.format(one=bot, other=other))
        for cell in self.cells:
            if cell.faulty:
                text = _("{one} against {other}: in {games} of {all} games a bot answered what the rules forbid.")
                found.append(text.format(one=cell.one, other=cell.other, games=cell.faulty, all=cell.games))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the verb (docs/json.md)."""
        order = []
        for bot, sure in zip(self.bots, [*self.certain, None], strict=True):
            value, low, high = self.mean(bot)
            order.append({"bot": bot, "score": value, "interval": [low, high], "surely_above_next": sure})
        rows = [
            {"bot": cell.one, "other": cell.other, "score": cell.score, "interval": list(cell.interval),
             "games": cell.games, "faulty_games": cell.faulty}
            for cell in self.cells
        ]  # fmt: skip
        return document(
            "ladder", self.room, engine="sample", trials=sum(cell.games for cell in self.cells), seed=self.seed,
            rules=self.rules, squads=list(self.squads), boards=list(self.boards), order=order, rows=rows,
            **({"notes": self.notes} if self.notes else {}),
        )  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """One row an ordered pair of bots: bot, other, estimate, low, high."""
        import pandas as pd

        rows = [(one, other, *self.score(one, other)) for one in self.bots for other in self.bots if one != other]
        return pd.DataFrame(rows, columns=["bot", "other", "estimate", "low", "high"])

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        return "\n".join([self._headline(), "", *aligned(self._table()), "", self._provenance(), *self.notes])

    def _repr_html_(self) -> str:
        feet = "<br>".join(html.escape(line) for line in [self._provenance(), *self.notes])
        return f"<p>{html.escape(self._headline())}</p>{html_table(self._table())}<p><small>{feet}</small></p>"

    def _headline(self) -> str:
        text = _("score of the bot on the left, %   {squads}   {boards}")
        return text.format(squads=" / ".join(self.squads), boards=", ".join(self.boards))

    def _table(self) -> list[list[str]]:
        rows = [["", _("all"), *self.bots]]
        for place, bot in enumerate(self.bots):
            cells = ["–" if other == bot else short(*self.score(bot, other), 100.0) for other in self.bots]
            rows.append([f"{place + 1}  {bot}", short(*self.mean(bot), 100.0), *cells])
        return rows

    def _provenance(self) -> str:
        text = _("{games} games in mirrored pairs, seed {seed}, 95 % intervals, {ruleset} {version}.")
        games = grouped(sum(cell.games for cell in self.cells))
        return text.format(games=games, seed=self.seed, ruleset=self.room.name, version=self.room.version)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the mean scores with their intervals; returns the Axes."""
        from matplotlib import pyplot as plt

        if ax is None:
            _fig, ax = plt.subplots(layout="constrained")
        means = [self.mean(bot) for bot in self.bots]
        spread = [[value - low for value, low, _high in means], [high - value for value, _low, high in means]]
        ax.errorbar([mean[0] for mean in means], range(len(means)), xerr=spread, fmt="o")
        ax.axvline(0.5, color="grey", linewidth=0.8)
        ax.set_yticks(range(len(means)), self.bots)
        ax.invert_yaxis()
        ax.set_xlabel(_("mean score against the others"))
        return ax


@checked
def ladder(
    squad: str,
    other: str | None = None,
    *,
    boards: str | Sequence[str] | None = None,
    bots: str | Player | Sequence[str | Player] | None = None,
    games: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
    rules: dict[str, int | str | bool] | None = None,
    ruleset: str = "morsdei",
    progress: Callable[[int, int], None] | None = None,
) -> Ladder:
    """Let every bot play every other, in mirrored seats.

    Parameters
    ----------
    squad, other : what they play with. One squad against itself; with two, each bot leads each of them as often.
    boards : by name or file; "all" for all that come along. Unless named, a symmetric one.
    bots : at least two; all that come along unless named.
    games : of each pair of bots on each board with each squad, 400 unless given.
    seed, jobs, rules, progress : as of `battle`.

    Returns
    -------
    Ladder
        The matrix of scores with 95 % intervals, an order, and whether it is certain.

    Raises
    ------
    UserError : an unknown board, bot, squad or rule; squads too large; fewer than two bots.

    Examples
    --------
    >>> from morsdei_sim import ladder
    >>> found = ladder("mirror", bots="random,tactician", games=8).to_dict()
    >>> len(found["rows"]), found["trials"]
    (1, 8)
    """
    chosen = room_with("ladder", ruleset)
    from morsdei_sim.rulesets.morsdei.game import setting
    from morsdei_sim.rulesets.morsdei.game.bots import BOTS, player, told_apart
    from morsdei_sim.rulesets.morsdei.game.runs import Progress, playing

    book, numbers = setting.game_rules(rules or {})
    found = [player(who) for who in words(bots) or BOTS]
    told_apart(found)
    leaders = {one.name: one for one in found}
    names = list(leaders)
    if len(names) < 2:
        raise UserError(_("a ladder takes at least two bots; there are: {known}").format(known=", ".join(BOTS)))
    places = boards_named(words(boards) or [setting.DEFAULT_BOARD])
    crews = setting.crew(squad, book), setting.crew(squad if other is None else other, book)
    wanted = check_games(games, GAMES)
    seatings = ((0, 1),) if other is None or other == squad else ((0, 1), (1, 0))
    planned = wanted * len(places) * len(seatings) * (len(names) * (len(names) - 1) // 2)
    cells, played = [], Progress(progress, planned)
    with playing(jobs) as executor:
        prepared = [setting.ready(here, crews, book) for here in places]
        for one, two in combinations(names, 2):
            runs = []
            for ready in prepared:
                for seats in seatings:
                    who, both = [crews[seat] for seat in seats], (leaders[one], leaders[two])
                    series = setting.series(ready, who, both, seed, book, numbers)
                    runs.append(_run(series, wanted, executor, played))
            cells.append(_cell(one, two, runs))
    draft = Ladder(tuple(names), tuple(cells), tuple(dict.fromkeys(crew.reference for crew in crews)),
                   tuple(place.label() for place in places), seed, dict(rules or {}), chosen)  # fmt: skip
    order = tuple(sorted(names, key=lambda bot: -draft.mean(bot)[0]))
    return Ladder(order, draft.cells, draft.squads, draft.boards, seed, draft.rules, chosen)


def _run(series: Series, games: int, executor: Executor | None, played: Progress) -> tuple[float, float, int, int, int]:
    """Score, variance of the mean, units, games, games with faults; on dice after those of the runs before, so that
    all are independent."""
    from morsdei_sim.rulesets.morsdei.game.summary import spread_of

    counts = series.play(games, played.done, executor, played.step)
    mean, variance, units = spread_of(counts)
    return mean, variance / units, units, counts.games, int(counts.tables.faulty[0])


def _cell(one: str, other: str, runs: list[tuple[float, float, int, int, int]]) -> Cell:
    """The mean over boards and squads, each as heavy as the other."""
    score = sum(run[0] for run in runs) / len(runs)
    variance = sum(run[1] for run in runs) / len(runs) ** 2
    units, games, faulty = sum(run[2] for run in runs), sum(run[3] for run in runs), sum(run[4] for run in runs)
    return Cell(one, other, score, variance, units, games, faulty)
