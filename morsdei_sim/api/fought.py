"""What games of two squads came to, and how it is shown: figures of the games and of the cards."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.answer import figure
from morsdei_sim.api.arguments import checked
from morsdei_sim.api.fought_document import entry, figures
from morsdei_sim.api.games import aligned, document, grouped, html_table, loot_barred, short, spread
from morsdei_sim.errors import UserError
from morsdei_sim.lang import N_, _, named
from morsdei_sim.rulesets import Room

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from morsdei_sim.fight.intervals import Watch
    from morsdei_sim.rulesets.morsdei.game.boards import Board
    from morsdei_sim.rulesets.morsdei.game.fire_lines import FireLines
    from morsdei_sim.rulesets.morsdei.game.series import Counts, Series
    from morsdei_sim.rulesets.morsdei.game.setting import Crew
    from morsdei_sim.rulesets.morsdei.game.summary import Known

__all__ = ["Battle", "Fought"]

SHOWN = (
    "score", "a_wins", "draws", "b_wins", "a_wiped_out", "b_wiped_out", "vp_a", "vp_b", "margin",
    "first_player_score", "zone_0_score", "rounds", "lead_changes",
)  # fmt: skip
BESIDE = ("score", "draws", "margin", "first_player_score", "zone_0_score", "rounds")
"""What is shown of each board where there are several."""

OF_CARDS = (
    ("kills", N_("kills")), ("damage", N_("damage")), ("taken", N_("HP lost")), ("loot", N_("VP")),
    ("survived", N_("alive, %")), ("rounds", N_("rounds")), ("shots", N_("shots")), ("melees", N_("melees")),
    ("walked", N_("inches")), ("luck", N_("luck, HP")),
)  # fmt: skip
"""What is shown of each card."""

GAIN_WORTH_TELLING = 1.1


@dataclass(frozen=True)
class Fought:
    """What was counted on one board; `watch` when one stopped at a precision; `series` plays its games again."""

    board: Board
    counts: Counts
    series: Series = field(compare=False, repr=False)
    watch: Watch | None = None

    def known(self, name: str) -> Known:
        """One figure with its interval; that of the score holds at every look when one stopped at a precision."""
        from morsdei_sim.rulesets.morsdei.game import summary

        return summary.known(self.counts, name, self.watch)

    def barred(self) -> list[int]:
        """Loot points, from 1, that can be looted from no place of the board."""
        from morsdei_sim.rulesets.morsdei.game.paths import NOWHERE

        ways = self.series.world.arrays["to_loot"]
        return [int(point) + 1 for point in (ways == NOWHERE).all(axis=(0, 1)).nonzero()[0]]

    @cached_property
    def fire_lines(self) -> FireLines:
        """Free lines of fire between the zones of the board: G2 wants none."""
        from morsdei_sim.rulesets.morsdei.game.fire_lines import fire_lines

        return fire_lines(self.board)

    def card_distributions(self, card: int) -> dict[str, dict[int, Known]]:
        """Chances of kills and of damage of one fighter of a card, see `summary.card_distributions`."""
        from morsdei_sim.rulesets.morsdei.game.summary import card_distributions

        return card_distributions(self.counts, card)


@dataclass(frozen=True)
class Battle:
    """Games of two squads, A and B, on one board or on several.

    Attributes
    ----------
    crews : the squads.
    bots : who leads them.
    fought : what was counted, one entry a board.
    seed, target_error, rules : as they were asked for.
    room : the ruleset.
    """

    crews: tuple[Crew, Crew]
    bots: tuple[str, str]
    fought: tuple[Fought, ...]
    seed: int
    target_error: float | None
    rules: dict[str, Any]
    room: Room

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the verb (docs/json.md)."""
        return document(
            "battle", self.room, engine="sample", trials=sum(one.counts.games for one in self.fought), seed=self.seed,
            target_error=self.target_error, rules=self.rules, squads=[crew.reference for crew in self.crews],
            bots=list(self.bots), boards=[entry(one) for one in self.fought],
            **({"notes": self.notes} if self.notes else {}),
        )  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """One row a board and figure: board, figure, estimate, low, high."""
        import pandas as pd

        rows = []
        for one in self.fought:
            for name in figures():
                known = one.known(name)
                rows.append((one.board.key, name, known.value, known.low, known.high))
        return pd.DataFrame(rows, columns=["board", "figure", "estimate", "low", "high"])

    def cards(self) -> pd.DataFrame:
        """One row a board and card: what a fighter of it did per game, each figure (kills, damage, …) with the bounds
        of its 95 % interval (kills_low, kills_high)."""
        import pandas as pd

        from morsdei_sim.rulesets.morsdei.game.frames import cards_frame

        parts = [cards_frame(one.counts).assign(board=one.board.key) for one in self.fought]
        frame = pd.concat(parts, ignore_index=True)
        return frame[["board", *(column for column in frame if column != "board")]]

    @checked
    def games(self, count: int | None = None, first: int = 0) -> pd.DataFrame:
        """The games one by one, played again on the same dice: as many as were counted on each board, 100,000 at most,
        unless `count` says otherwise, from number `first` on.

        One row a board and game: board; game, the number that `replay` takes; side_of_a, zone_of_a; a_first, whether A
        had the first turn; result ("a", "b", "draw"); vp_a, vp_b; margin, VP of A less those of B; rounds played;
        wiped_out ("a", "b" or empty); lead_changes; luck_a, luck_b, HP that a squad took off enemies above what its
        attacks do on average; decisions and faults of bots.

        Raises
        ------
        UserError : no such games, or too many.
        """
        from morsdei_sim.rulesets.morsdei.game.frames import games_frame

        return self._again(games_frame, count, first)

    @checked
    def fighters(self, count: int | None = None, first: int = 0) -> pd.DataFrame:
        """The same games fighter by fighter, those of A first.

        One row a board, game and fighter: board; game; squad ("a" or "b"); card; copy, from 1 where a card has several;
        survived; hp at the end, 0 when removed; and what it did, in the columns of `cards()`: kills, damage, … (walked
        in inches).

        Raises
        ------
        UserError : no such games, or too many.
        """
        from morsdei_sim.rulesets.morsdei.game.frames import fighters_frame

        return self._again(fighters_frame, count, first)

    def _again(self, frame: Callable[[Series, int, int], pd.DataFrame], count: int | None, first: int) -> pd.DataFrame:
        import pandas as pd

        from morsdei_sim.rulesets.morsdei.game.frames import MOST_SINGLE

        parts = []
        for one in self.fought:
            found = frame(one.series, min(one.counts.games, MOST_SINGLE) if count is None else count, first)
            found.insert(0, "board", one.board.key)
            parts.append(found)
        return pd.concat(parts, ignore_index=True)

    def card_distributions(self) -> pd.DataFrame:
        """How kills and damage of one fighter in one game are spread: one row a board, card, figure and value that
        occurred, with columns board, squad ("a" or "b"), card, figure ("kills" or "damage"), value, chance, low, high.
        """
        import pandas as pd

        rows = []
        for one in self.fought:
            for number, (side, card) in enumerate(self._all_cards()):
                for name, chances in one.card_distributions(number).items():
                    head = (one.board.key, side, card.id, name.removesuffix("_distribution"))
                    rows += [(*head, value, known.value, known.low, known.high) for value, known in chances.items()]
        return pd.DataFrame(rows, columns=["board", "squad", "card", "figure", "value", "chance", "low", "high"])

    def _all_cards(self) -> list[tuple[str, Any]]:
        return [(side, card) for side, crew in zip("ab", self.crews, strict=True) for card in crew.cards]

    def faults(self) -> list[str]:
        """On which boards bots answered what the rules forbid."""
        found = []
        for one in self.fought:
            faulty = int(one.counts.tables.faulty[0])
            if faulty:
                text = _(
                    "{board}: in {games} of {all} games a bot answered what the rules forbid; it lost that action."
                )
                found.append(text.format(board=one.board.label(), games=faulty, all=one.counts.games))
        return found

    def _barred(self) -> list[str]:
        """On which boards there is loot that nobody can take."""
        return [loot_barred(one.board, points) for one in self.fought if (points := one.barred())]

    def _open(self) -> list[str]:
        """On which boards the squads can shoot before anybody moves (G2)."""
        text = _("{board}: the board breaks rule G2, {lines}.")
        return [
            text.format(board=one.board.label(), lines=one.fire_lines) for one in self.fought if not one.fire_lines.none
        ]

    @property
    def notes(self) -> list[str]:
        """What must be said about the figures."""
        from morsdei_sim.rulesets.morsdei.game.summary import pairing_gain

        found = [*self.faults(), *self._open(), *self._barred()]
        if self.crews[0].cards == self.crews[1].cards and self.bots[0] == self.bots[1]:
            found.append(_("Both sides are the same: mirrored games split the points, and the score is one half by"
                           " construction."))  # fmt: skip
        elif len(self.fought) == 1 and (gain := pairing_gain(self.fought[0].counts)) >= GAIN_WORTH_TELLING:
            text = _("Mirrored pairs: the score is known as well as from {games} games that are not mirrored.")
            found.append(text.format(games=grouped(round(self.fought[0].counts.games * gain))))
        return found

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        lines = [self._headline(), ""]
        if len(self.fought) == 1:
            lines += [*aligned(self._figures(self.fought[0])), "", *aligned(self._cards(self.fought[0]))]
        else:
            lines += aligned(self._boards())
        return "\n".join([*lines, "", *self._provenance(), *self.notes])

    def _repr_html_(self) -> str:
        tables = (
            [self._figures(self.fought[0]), self._cards(self.fought[0])] if len(self.fought) == 1 else [self._boards()]
        )
        feet = "<br>".join(html.escape(line) for line in [*self._provenance(), *self.notes])
        return f"<p>{html.escape(self._headline())}</p>{''.join(map(html_table, tables))}<p><small>{feet}</small></p>"

    def _headline(self) -> str:
        one, other = (f"{crew.label()} ({bot})" for crew, bot in zip(self.crews, self.bots, strict=True))
        line = f"A: {one}   B: {other}"
        return f"{line}   {self.fought[0].board.label()}" if len(self.fought) == 1 else line

    def _figures(self, one: Fought) -> list[list[str]]:
        rows = []
        for name in SHOWN:
            known = one.known(name)
            rows.append([_title(name), figure(known.value, known.interval, _is_share(name))])
        return rows

    def _cards(self, one: Fought) -> list[list[str]]:
        """Means per fighter and game."""
        from morsdei_sim.rulesets.morsdei.game.summary import card_figure

        rows = [[_("per fighter and game"), *(_(title) for _name, title in OF_CARDS)]]
        number = 0
        for letter, crew in zip("AB", self.crews, strict=True):
            for card in crew.cards:
                cells = []
                for name, _said in OF_CARDS:
                    known = card_figure(one.counts, number, name)
                    cells.append(short(known.value, known.low, known.high, 100.0 if name == "survived" else 1.0))
                rows.append([f"{letter}  {named(card.name, card.name_ru)} ×{card.count}", *cells])
                number += 1
        return rows

    def _boards(self) -> list[list[str]]:
        """One row a board, and the mean over all."""
        rows = [[_("board"), _("games"), *(_title(name) + (", %" if _is_share(name) else "") for name in BESIDE)]]
        everything: list[list[Known]] = []
        for one in self.fought:
            known = [one.known(name) for name in BESIDE]
            everything.append(known)
            mark = "" if one.board.symmetric else " *"
            rows.append([one.board.label() + mark, grouped(one.counts.games), *_cells(known)])
        rows.append([_("mean of the boards"), "", *_cells([_mean(column) for column in zip(*everything, strict=True)])])
        return rows

    def _provenance(self) -> list[str]:
        games = grouped(sum(one.counts.games for one in self.fought))
        text = _("{games} games in mirrored pairs, seed {seed}, 95 % intervals, {ruleset} {version}.")
        lines = [text.format(games=games, seed=self.seed, ruleset=self.room.name, version=self.room.version)]
        if len(self.fought) > 1:
            lines.append(_("* not symmetric. All boards are played on the same dice: the interval of a mean is the mean"
                           " of the intervals, never too narrow."))  # fmt: skip
        if self.target_error is not None:
            text = _("Played until the score was known to ± {error} %; its interval holds however often one looks.")
            lines.append(text.format(error=f"{100 * self.target_error:g}"))
        return lines

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the chance of each VP margin on one board, or the score on each of several; returns the Axes."""
        from matplotlib import pyplot as plt

        from morsdei_sim.rulesets.morsdei.game.summary import distributions

        if ax is None:
            _fig, ax = plt.subplots(layout="constrained")
        ax.set_title(self._headline().replace("$", r"\$"))
        if len(self.fought) == 1:
            chances = distributions(self.fought[0].counts)["margin_distribution"]
            values = list(chances)
            shown, across = [chances[value] for value in values], _title("margin")
            ax.bar(values, [known.value for known in shown], yerr=spread(shown))
            ax.set_xlabel(across)
            ax.set_ylabel(_("chance"))
            return ax
        names, known = [one.board.label() for one in self.fought], [one.known("score") for one in self.fought]
        ax.errorbar([one.value for one in known], range(len(known)), xerr=spread(known), fmt="o")
        ax.axvline(0.5, color="grey", linewidth=0.8)
        ax.set_yticks(range(len(names)), names)
        ax.invert_yaxis()
        ax.set_xlabel(_title("score"))
        return ax

    def plot_cards(self, figure: str = "damage") -> Figure:
        """Draw, for each card, how the damage (or the "kills") of one fighter in one game is spread, with error bars;
        on the first board. Returns the Figure.

        Raises
        ------
        UserError : a figure that is neither.
        """
        from matplotlib import pyplot as plt

        titles = {"damage": _("HP taken off enemies"), "kills": _("enemies removed")}
        if figure not in titles:
            raise UserError(_("figure {figure}: must be damage or kills").format(figure=figure))
        cards, one = self._all_cards(), self.fought[0]
        columns = min(4, len(cards))
        rows = -(-len(cards) // columns)
        drawn, axes = plt.subplots(
            rows, columns, figsize=(3.2 * columns, 2.4 * rows), sharex=True, sharey=True, squeeze=False,
            layout="constrained",
        )  # fmt: skip
        for number, (ax, (side, card)) in enumerate(zip(axes.flat, cards, strict=False)):
            chances = one.card_distributions(number)[f"{figure}_distribution"]
            known = list(chances.values())
            ax.bar(list(chances), [each.value for each in known], yerr=spread(known), error_kw={"linewidth": 0.8})
            name = f"{side.upper()}  {named(card.name, card.name_ru)} ×{card.count}"
            ax.set_title(name.replace("$", r"\$"), fontsize="medium")
        for ax in axes.flat[len(cards) :]:
            ax.set_axis_off()
        drawn.supxlabel(titles[figure])
        drawn.supylabel(_("chance"))
        return drawn


def _is_share(name: str) -> bool:
    from morsdei_sim.rulesets.morsdei.game.summary import SHARES

    return name in SHARES


def _title(name: str) -> str:
    from morsdei_sim.rulesets.morsdei.game.summary import TITLES

    return _(TITLES[name])


def _cells(known: list[Known]) -> list[str]:
    return [
        short(one.value, one.low, one.high, 100.0 if _is_share(name) else 1.0)
        for name, one in zip(BESIDE, known, strict=True)
    ]


def _mean(column: Sequence[Known]) -> Known:
    from morsdei_sim.rulesets.morsdei.game.summary import Known

    return Known(*(sum(getattr(one, part) for one in column) / len(column) for part in ("value", "low", "high")))
