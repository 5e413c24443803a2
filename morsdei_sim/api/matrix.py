"""The verb `matrix`: one figure of an exchange, every card against every target."""

from __future__ import annotations

import html
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, isnan, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.answer import SCHEMA_VERSION
from morsdei_sim.api.arguments import checked
from morsdei_sim.api.command import several
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, decimal, language
from morsdei_sim.reporting.words import words_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from morsdei_sim.rulesets.guide import Guide

__all__ = ["Matrix", "matrix"]

_SHADES = " ░▒▓█"
_LOW, _HIGH = (49, 54, 149), (165, 0, 38)
"""Blue for little, red for much: told apart by colour-blind readers too."""


@dataclass(frozen=True)
class Matrix:
    """One figure, attackers down, targets across.

    Attributes
    ----------
    verb, figure : the question and what is shown of its answer.
    asked : the situation of a shot, or how a melee is played (objective and policies, in a room that has them).
    cards, weapons : one row per card, and per weapon, with their names.
    rows : one row per cell: attacker, weapon, target, target_weapon (of a melee), estimate, low, high (no bounds
        when exact).
    provenance : ruleset, version, engine, trials, seed and the like.
    guide : how the room's figures are read.
    """

    verb: str
    figure: str
    asked: dict[str, str]
    cards: pd.DataFrame
    weapons: pd.DataFrame
    rows: pd.DataFrame
    provenance: dict[str, Any]
    guide: Guide

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the verb (docs/json.md)."""
        known = self.provenance
        rows = []
        for row in self.rows.to_dict("records"):
            cell = {key: value for key, value in row.items() if key not in ("low", "high")}
            cell = {key: None if isinstance(value, float) and isnan(value) else value for key, value in cell.items()}
            if not isnan(row["low"]):
                cell["interval"] = [row["low"], row["high"]]
            rows.append(cell)
        return {
            "schema_version": SCHEMA_VERSION,
            "verb": "matrix",
            "ruleset": known["ruleset"],
            "ruleset_version": known["version"],
            "rules": known["rules"],
            "engine": known["engine"],
            "trials": known["trials"],
            "target_error": known["target_error"],
            "seed": known["seed"],
            "cards_digest": known["cards_digest"],
            "of": self.verb,
            **self.asked,
            "figure": self.figure,
            "rows": rows,
            "unanswered": known["unanswered"],
        }

    def to_frame(self) -> pd.DataFrame:
        """One row per cell, as `rows`."""
        return self.rows.copy()

    def table(self, value: str = "estimate") -> pd.DataFrame:
        """The matrix itself: "estimate", "low" or "high" by attacker and weapon, down, and target, across."""
        from morsdei_sim.study import table

        frame = self.rows.assign(figure=self.figure)
        return table(frame, self.figure, value=value)

    def save(self, path: str | Path, force: bool = False) -> None:
        """Write the rows to a `.csv` or `.xlsx` file, as a whole or not at all.

        Raises
        ------
        UserError : the file exists, cannot be written, or has another ending.
        """
        from morsdei_sim.api.sheet import save_frame

        source = {key: value for key, value in self.to_dict().items() if key not in ("schema_version", "rows")}
        save_frame(Path(path), self.rows, _("Match-ups"), source, force=force)

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        names = self._names()
        columns = list(self.table().columns)
        cells = self._cells()
        width = max([7, *(len(cell[1]) + 1 for row in cells.values() for cell in row if cell)])
        room = max(40, shutil.get_terminal_size((100, 24)).columns)
        label = min(max((len(self._row_name(names, key)) for key in cells), default=8), max(12, room // 3))
        fit = max(1, (room - label - 1) // width)
        lines = [self._headline(), ""]
        for first in range(0, len(columns), fit):
            shown = range(first, min(first + fit, len(columns)))
            lines.append(" " * (label + 1) + "".join(f"{place + 1:>{width}}" for place in shown))
            for key, row in cells.items():
                lines.append(
                    _clip(self._row_name(names, key), label) + " " + "".join(_cell(row[i], width) for i in shown)
                )
            lines.append("")
        lines += [f"{place + 1:>3}  {self._column_name(names, key)}" for place, key in enumerate(columns)]
        return "\n".join([*lines, "", self._provenance(), *self.provenance["unanswered"]])

    def _repr_html_(self) -> str:
        names = self._names()
        head = "".join(f"<th>{html.escape(self._column_name(names, key))}</th>" for key in self.table().columns)
        body = []
        for key, row in self._cells().items():
            cells = "".join(_html_cell(cell) for cell in row)
            body.append(f"<tr><th>{html.escape(self._row_name(names, key))}</th>{cells}</tr>")
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.provenance["unanswered"])
        return (
            f"<p>{html.escape(self._headline())}</p><table><tr><th></th>{head}</tr>{''.join(body)}</table>"
            f"<p><small>{html.escape(self._provenance())}</small></p>{notes}"
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the heat map; a sampled cell carries the half-width of its 95 % interval. Returns the Axes."""
        from matplotlib import pyplot as plt

        names, wide = self._names(), self.table() * self._scale()
        if ax is None:
            _fig, ax = plt.subplots(
                figsize=(2.5 + 0.7 * wide.shape[1], 1.5 + 0.4 * wide.shape[0]), layout="constrained"
            )
        assert ax is not None
        most = float(abs(wide).max().max()) or 1.0
        signed = self._signed(wide)
        image = ax.imshow(
            wide.to_numpy(),
            cmap="RdBu_r" if signed else "YlOrRd",
            vmin=-most if signed else 0,
            vmax=most,
            aspect="auto",
        )
        ax.set_xticks(range(wide.shape[1]), [_tick(self._column_name(names, key)) for key in wide.columns],
                      rotation=45, ha="right")  # fmt: skip
        ax.set_yticks(range(wide.shape[0]), [_tick(self._row_name(names, key)) for key in wide.index])
        for down, row in enumerate(self._cells().values()):
            for across, cell in enumerate(row):
                if cell:
                    dark = cell[0] > 0.75 or (signed and cell[0] < 0.25)
                    ax.text(across, down, cell[1].replace(" ±", "\n±"), ha="center", va="center", fontsize=8,
                            color="white" if dark else "black")  # fmt: skip
        ax.set_title(_plain(self._headline()))
        ax.figure.colorbar(image, ax=ax, label=self._title())
        return ax

    def _scale(self) -> float:
        return 100.0 if self.guide.is_chance(self.figure) else 1.0

    def _signed(self, wide: pd.DataFrame) -> bool:
        """Whether zero is in the middle: gain against loss."""
        return self.figure in self.guide.signed or bool((wide < 0).any().any())

    def _title(self) -> str:
        title = words_of(self.provenance["ruleset"]).called(self.figure, "title")
        return title + (", %" if self.guide.is_chance(self.figure) else "")

    def _headline(self) -> str:
        verbs = {"shoot": _("shooting"), "melee": _("melee")}
        said = words_of(self.provenance["ruleset"]).asked(self.asked)
        return f"{self._title()} — {verbs[self.verb]}" + (f": {said}" if said else "")

    def _provenance(self) -> str:
        known = self.provenance
        if known["engine"] == "exact":
            return _("Exact, {ruleset} {version}.").format(**known)
        if known["trials"] is None:
            text = _("Sampled to ± {error} of every chance, seed {seed}, ± are 95 % intervals, {ruleset} {version}.")
            return text.format(
                error=decimal(str(known["target_error"])), **{key: known[key] for key in ("seed", "ruleset", "version")}
            )
        text = _("{trials} trials a cell, seed {seed}, ± are 95 % intervals, {ruleset} {version}.")
        trials = f"{known['trials']:,}".replace(",", " ")
        return text.format(trials=trials, seed=known["seed"], ruleset=known["ruleset"], version=known["version"])

    def _names(self) -> dict[str, str]:
        column = "name_ru" if language() == "ru" else "name"
        return dict(zip(self.cards["card"], self.cards[column], strict=True))

    def _row_name(self, names: dict[str, str], key: tuple[str, str]) -> str:
        name = f"{names[key[0]]} ({key[0].rpartition('/')[0]})"
        several = self.rows.loc[self.rows["attacker"] == key[0], "weapon"].nunique() > 1
        return f"{name}, {self._weapon_name(*key)}" if several else name

    def _column_name(self, names: dict[str, str], key: str | tuple[str, str]) -> str:
        card, weapon = (key, "") if isinstance(key, str) else key
        name = f"{names[card]} ({card.rpartition('/')[0]})"
        return f"{name}, {self._weapon_name(card, weapon)}" if weapon else name

    def _weapon_name(self, card: str, weapon: str) -> str:
        mine = self.weapons[(self.weapons["card"] == card) & (self.weapons["weapon"] == weapon)]
        return str(mine["weapon_ru" if language() == "ru" else "weapon"].iloc[0])

    def _cells(self) -> dict[Any, list[tuple[float, str] | None]]:
        """Of each row: shade, 0 to 1 (0.5 is nothing where figures have two signs), and text of each cell; None where
        there is none."""
        scale = self._scale()
        parts = [self.table(value) * scale for value in ("estimate", "low", "high")]
        most = float(abs(parts[0]).max().max()) or 1.0
        signed = self._signed(parts[0])
        found: dict[Any, list[tuple[float, str] | None]] = {}
        for key in parts[0].index:
            row: list[tuple[float, str] | None] = []
            for value, low, high in zip(*(part.loc[key] for part in parts), strict=True):
                if isnan(value):
                    row.append(None)
                else:
                    shade = (value / most + 1) / 2 if signed else value / most
                    row.append((shade, _number(value, low, high, scale)))
            found[key] = row
        return found


def _number(value: float, low: float, high: float, scale: float) -> str:
    """No finer than it is known: `23.04` exact, `23.1 ±0.3` sampled; the wider side of the interval is shown, rounded
    up."""
    if isnan(low):
        digits = 1 if scale > 1 else 2
        return decimal(f"{round(value, digits) + 0.0:.{digits}f}")  # + 0.0: no minus before a zero
    half = max(high - value, value - low)
    digits = min(4, max(0, -floor(log10(half)))) if half > 0 else 2
    return decimal(f"{round(value, digits) + 0.0:.{digits}f} ±{_ceiling(half, digits)}")


def _ceiling(half: float, digits: int) -> str:
    step = 10**digits
    return f"{-(-half * step // 1) / step:.{digits}f}"


def _coloured() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _cell(cell: tuple[float, str] | None, width: int) -> str:
    """A cell of the terminal's table; shaded only where somebody looks at it."""
    if cell is None:
        return f"{'–':>{width}}"
    shade, text = cell
    if not sys.stdout.isatty():
        return f"{text:>{width}}"
    if not _coloured():
        return f"{text + _SHADES[round(shade * 4)]:>{width}}"
    red, green, blue = _colour(shade)
    ink = 30 if red * 0.3 + green * 0.6 + blue * 0.1 > 130 else 97
    return f"\033[48;2;{red};{green};{blue};{ink}m{text:>{width}}\033[0m"


def _colour(shade: float) -> tuple[int, int, int]:
    """From blue through nearly white to red."""
    share = min(1.0, max(0.0, shade))
    end, part = (_LOW, 1 - 2 * share) if share < 0.5 else (_HIGH, 2 * share - 1)
    red, green, blue = (round(245 + (one - 245) * part) for one in end)
    return red, green, blue


def _html_cell(cell: tuple[float, str] | None) -> str:
    if cell is None:
        return "<td>–</td>"
    red, green, blue = _colour(cell[0])
    ink = "#000" if red * 0.3 + green * 0.6 + blue * 0.1 > 130 else "#fff"
    style = f"background:rgb({red},{green},{blue});color:{ink};text-align:right"
    return f'<td style="{style}">{html.escape(cell[1])}</td>'


def _clip(text: str, width: int) -> str:
    return f"{text:<{width}}" if len(text) <= width else text[: width - 1] + "…"


def _tick(text: str) -> str:
    return _plain(_clip(text, 32).strip())


def _plain(text: str) -> str:
    """A text that matplotlib does not take for a formula."""
    return text.replace("$", r"\$")


@checked
def matrix(
    cards: Sequence[str] | str | None = None,
    targets: Sequence[str] | str | None = None,
    ruleset: str = "morsdei",
    verb: str = "shoot",
    figure: str | None = None,
    situation: str | None = None,
    *,
    engine: str = "auto",
    trials: int | None = None,
    target_error: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    rules: dict[str, int | str | bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **play: str | None,
) -> Matrix:
    """One figure of one exchange, every card against every target.

    Parameters
    ----------
    cards : squads, files, folders or `squad/fighter`; all cards of the room when none are named.
    targets : likewise, for instance "field" for the reference targets; otherwise the cards themselves, doubles
        included.
    verb : {"shoot", "melee"}
    figure : a reading of the exchange; of MORSDEI "kill" (unless named), "mean_damage", … of a shot, "net_damage"
        (unless named), "kill_target", "kill_attacker", "kill_difference", … of a melee.
    situation : of a shot; of MORSDEI "open" (unless named), "cover", "prone", "aimed", …
    **play : how a melee is played, in a room that has a choice; of MORSDEI `objective`, `attacker_policy` and
        `target_policy`, as of the verb `melee`: "net", "best" and "best" unless named.
    ruleset, engine, trials, target_error, seed, jobs, rules, progress : as of the verb `shoot`.

    Returns
    -------
    Matrix
        With `to_frame`, `to_dict`, `table`, `plot`, `save`; every sampled figure has a 95 % interval.

    Raises
    ------
    UserError
        An unknown word, an option of the other verb, or cards without the weapon that is asked about.
    CardFaults
        Cards that cannot be read.

    Examples
    --------
    >>> import morsdei_sim
    >>> found = morsdei_sim.matrix("mirror", "line/sergeant", verb="melee")
    >>> len(found.to_dict()["rows"])
    1
    """
    from morsdei_sim.sweep import tabulate

    given = {name: word for name, word in play.items() if word is not None}
    if verb == "shoot":
        _refuse_foreign(verb, given)
    elif verb == "melee" and situation:
        _refuse_foreign(verb, {"situation": situation})
    tabled = tabulate(
        verb, ruleset, several(cards), several(targets), rules, situation=situation, play=given,
        engine=engine, trials=trials, target_error=target_error, seed=seed, jobs=jobs, progress=progress,
    )  # fmt: skip
    wanted = figure or tabled.guide.headline[verb]
    rows = _of_figure(tabled.rows, wanted, verb, tabled.provenance["unanswered"])
    usual = {name: word for name, word in tabled.guide.usual.items() if (name == "situation") == (verb == "shoot")}
    asked = usual | given | ({"situation": situation} if situation else {})
    return Matrix(verb, wanted, asked, tabled.cards, tabled.weapons, rows, tabled.provenance, tabled.guide)


def _refuse_foreign(verb: str, given: dict[str, str]) -> None:
    """An option that the exchange does not read is a mistake, not something to pass over."""
    foreign = [f"--{name.replace('_', '-')}" for name in given]
    if foreign:
        other = {"shoot": "melee", "melee": "shoot"}[verb]
        text = _("{options}: not of {verb}, but of {other}; leave it out, or add --verb {other}.")
        raise UserError(text.format(options=", ".join(foreign), verb=verb, other=other))


def _of_figure(rows: pd.DataFrame, figure: str, verb: str, unanswered: list[str]) -> pd.DataFrame:
    if not len(rows):
        reason = unanswered[0] if unanswered else _("none of these cards has a weapon for it")
        raise UserError(_("Nothing to show: {reason}.").format(reason=reason.rstrip(".")))
    known = list(dict.fromkeys(rows["figure"]))
    if figure not in known:
        text = _("{verb} has no figure {figure!r}; there are: {known}.")
        raise UserError(text.format(verb=verb, figure=figure, known=", ".join(known)))
    keys = ["attacker", "weapon", "target", *(["target_weapon"] if verb == "melee" else [])]
    return rows.loc[rows["figure"] == figure, [*keys, "estimate", "low", "high"]].reset_index(drop=True)
