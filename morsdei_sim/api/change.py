"""What other cards do to whole games: the same battle with and without them, on the same dice."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.answer import figure
from morsdei_sim.api.games import aligned, document, grouped, html_table, spread
from morsdei_sim.lang import _

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from morsdei_sim.api.fought import Battle
    from morsdei_sim.rulesets.morsdei.game.series import Difference
    from morsdei_sim.rulesets.morsdei.game.summary import Known

__all__ = ["Change"]

COMPARED = ("score", "margin")
"""What is known of both battles and of their difference."""


def _number(known: Known, per_cent: bool, signed: bool = False) -> str:
    scale = 100.0 if per_cent else 1.0
    text = figure(scale * known.value, (scale * known.low, scale * known.high), False)
    return f"+{text}" if signed and known.value > 0 else text


@dataclass(frozen=True)
class Change:
    """Games of a squad and of other cards in its place, against the same enemy on the same dice.

    Attributes
    ----------
    before, after : the battles without and with the other cards.
    differences : what was counted of the two side by side, one entry a board.
    """

    before: Battle
    after: Battle
    differences: tuple[Difference, ...]

    def known(self, board: int, name: str) -> Known:
        """By how much the `score` or the VP `margin` of A rose on a board, or the share of mirrored pairs in which it
        scored more (`better`) or less (`worse`), with the 95 % interval of paired units."""
        from morsdei_sim.rulesets.morsdei.game.summary import difference

        return difference(self.differences[board], name)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the verb (docs/json.md)."""
        before, after = self.before.to_dict(), self.after.to_dict()
        shared = ("engine", "trials", "seed", "target_error", "rules", "bots")
        return document(
            "battle", self.after.room, **{name: after[name] for name in shared}, squads=before["squads"],
            instead=after["squads"][0], boards=[self._entry(number) for number in range(len(self.differences))],
            before=before["boards"], after=after["boards"], **({"notes": self.notes} if self.notes else {}),
        )  # fmt: skip

    def _entry(self, board: int) -> dict[str, Any]:
        from morsdei_sim.rulesets.morsdei.game.summary import DIFFERENCES

        known = {name: self.known(board, name) for name in DIFFERENCES}
        entry = {"board": self.after.fought[board].board.key, "games": self.differences[board].games}
        intervals = {name: list(one.interval) for name, one in known.items()}
        return entry | {name: one.value for name, one in known.items()} | {"interval": intervals}

    def to_frame(self) -> pd.DataFrame:
        """One row a board and figure (`score`, `margin`): board, figure, before, after, difference, low, high; the
        interval is that of the difference, from pairs."""
        import pandas as pd

        rows = []
        for number, (one, other) in enumerate(zip(self.before.fought, self.after.fought, strict=True)):
            for name in COMPARED:
                known = self.known(number, name)
                rows.append(
                    (one.board.key, name, one.known(name).value, other.known(name).value, known.value, *known.interval)
                )
        return pd.DataFrame(rows, columns=["board", "figure", "before", "after", "difference", "low", "high"])

    @property
    def notes(self) -> list[str]:
        """What must be said about the figures."""
        return list(dict.fromkeys([*self.before.faults(), *self.after.faults()]))

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        return "\n".join([self._headline(), "", *aligned(self._rows()), "", *self._provenance(), *self.notes])

    def _repr_html_(self) -> str:
        feet = "<br>".join(html.escape(line) for line in [*self._provenance(), *self.notes])
        return f"<p>{html.escape(self._headline())}</p>{html_table(self._rows())}<p><small>{feet}</small></p>"

    def _headline(self) -> str:
        one, other = (f"{crew.label()} ({bot})" for crew, bot in zip(self.before.crews, self.before.bots, strict=True))
        before, after = self.before.crews[0], self.after.crews[0]
        instead = after.label() if after.label() != before.label() else after.reference
        return _("A: {squad}, then {instead}   B: {other}").format(squad=one, instead=instead, other=other)

    def _rows(self) -> list[list[str]]:
        from morsdei_sim.rulesets.morsdei.game.summary import TITLES

        rows = [[_("board"), "", _("before"), _("after"), _("difference")]]
        for number, (one, other) in enumerate(zip(self.before.fought, self.after.fought, strict=True)):
            board = one.board.label()
            for name in COMPARED:
                known, per_cent = self.known(number, name), name == "score"
                each = [_number(side.known(name), per_cent) for side in (one, other)]
                title = _(TITLES[name]) + (", %" if per_cent else "")
                rows.append([board, title, *each, _number(known, per_cent, signed=True)])
                board = ""
            better, worse = (_number(self.known(number, name), True) for name in ("better", "worse"))
            rows.append(["", _("mirrored pairs, %"), "", _("better: {share}").format(share=better),
                         _("worse: {share}").format(share=worse)])  # fmt: skip
        return rows

    def _provenance(self) -> list[str]:
        games = grouped(sum(one.games for one in self.differences))
        text = _("{games} games with each, in mirrored pairs on the same dice, seed {seed}; 95 % intervals, those of"
                 " differences from pairs; {ruleset} {version}.")  # fmt: skip
        room = self.after.room
        return [text.format(games=games, seed=self.after.seed, ruleset=room.name, version=room.version)]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw by how much the score rose on each board, with its interval; returns the Axes."""
        from matplotlib import pyplot as plt

        if ax is None:
            _fig, ax = plt.subplots(layout="constrained")
        known = [self.known(number, "score") for number in range(len(self.differences))]
        ax.errorbar([one.value for one in known], range(len(known)), xerr=spread(known), fmt="o", capsize=3)
        ax.axvline(0, color="grey", linewidth=0.8)
        ax.set_yticks(range(len(known)), [one.board.label() for one in self.after.fought])
        ax.margins(y=0.5)
        ax.invert_yaxis()
        ax.set_xlabel(_("rise of the score of A"))
        ax.set_title(self._headline().replace("$", r"\$"))
        return ax
