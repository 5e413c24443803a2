"""The result of a verb about one exchange: printed, drawn, tabulated, or as one JSON document."""

from __future__ import annotations

import html
from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import TYPE_CHECKING, Any

from morsdei_sim.lang import _, decimal
from morsdei_sim.reporting.words import words_of
from morsdei_sim.rulesets import room

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from morsdei_sim.fight.outcome import Interval, Outcome, Reading

__all__ = ["Answer", "figure"]

SCHEMA_VERSION = 1
BAR = 40


def figure(value: float, interval: Interval | None, chance: bool) -> str:
    """A number no finer than it is known: `23.0442 %` exact, `23.05 % (22.96 to 23.13)` sampled."""
    if not isfinite(value):
        return _("without end")
    scale, unit = (100.0, " %") if chance else (1.0, "")
    if interval is None:
        return decimal(f"{value * scale:.4f}{unit}")
    width = (interval[1] - interval[0]) * scale / 2
    digits = min(6, max(0, 1 - floor(log10(width)))) if width > 0 else 4
    value, low, high = (number * scale for number in (value, *interval))
    return _("{value}{unit} ({low} to {high})").format(
        value=decimal(f"{value:.{digits}f}"),
        unit=unit,
        low=decimal(f"{low:.{digits}f}"),
        high=decimal(f"{high:.{digits}f}"),
    )


@dataclass(frozen=True)
class Answer:
    """What one exchange comes to.

    Attributes
    ----------
    verb : the question, "shoot" or "melee".
    ruleset, version : the room and the version of its numbers.
    outcome : chances or counts of every way it can end, and the figures read off them.
    """

    verb: str
    ruleset: str
    version: str
    outcome: Outcome

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said about the figures."""
        return self.outcome.notes

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the verb (docs/json.md)."""
        found = self.outcome
        document: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "verb": self.verb,
            "ruleset": self.ruleset,
            "ruleset_version": self.version,
            "engine": found.engine,
            "trials": found.trials,
            "seed": found.seed,
            **found.settings,
        }
        intervals: dict[str, Any] = {}
        for reading in found.readings:
            name = reading.name
            if reading.kind == "distribution":
                document[name] = {str(value): chance for value, chance in found.distribution(name).items()}
                known = found.intervals(name)
                if known is not None:
                    intervals[name] = {str(value): list(bounds) for value, bounds in known.items()}
            else:
                value = found.value(name)
                document[name] = value if isfinite(value) else None
                bounds = found.interval(name)
                if bounds is not None:
                    intervals[name] = list(bounds)
        if found.trials is not None:
            document["interval"] = intervals
        if found.notes:
            document["notes"] = list(found.notes)
        return document

    def to_frame(self) -> pd.DataFrame:
        """One row per figure: name, value of a distribution (else missing), figure, low and high of its 95 % interval
        (missing when exact)."""
        import pandas as pd

        rows = []
        for reading in self.outcome.readings:
            rows += self._rows(reading)
        return pd.DataFrame(rows, columns=["figure", "value", "estimate", "low", "high"])

    def _rows(self, reading: Reading) -> list[tuple[str, int | None, float, float | None, float | None]]:
        found = self.outcome
        if reading.kind != "distribution":
            low, high = found.interval(reading.name) or (None, None)
            return [(reading.name, None, found.value(reading.name), low, high)]
        known = found.intervals(reading.name) or {}
        return [
            (reading.name, value, chance, *(known.get(value) or (None, None)))
            for value, chance in found.distribution(reading.name).items()
        ]

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        lines = [self._headline(), ""]
        for reading in self.outcome.readings:
            if reading.kind == "distribution" and reading.drawn:
                lines += [*self._bars(reading), ""]
        width = max(len(self._title(r)) for r in self.outcome.readings)
        for reading in self.outcome.readings:
            if reading.kind != "distribution":
                lines.append(f"{self._title(reading):<{width}}  {self._figure(reading)}")
        lines += ["", self._provenance(), *self.outcome.notes]
        return "\n".join(lines)

    def _title(self, reading: Reading) -> str:
        """What people read; programs read the name."""
        return reading.title or _(room(self.ruleset).titles[reading.name])

    def _headline(self) -> str:
        said, called = self.outcome.settings, words_of(self.ruleset).called
        line = f"{said['attacker']} → {said['target']}" if "target" in said else str(said["attacker"])
        if self.outcome.headline:
            line += "   " + self.outcome.headline
        elif "attacker_plan" in said:
            line += "   " + _("{attacker} against {target} from {distance} inches").format(
                attacker=called(said["attacker_plan"], "plan"),
                target=called(said["target_plan"], "plan"),
                distance=decimal(f"{said['distance']:g}"),
            )
        elif "plan" in said:
            line += "   " + called(said["plan"], "plan")
        elif "objective" in said:
            line += "   " + _("{objective}: {attacker} against {target}").format(
                objective=called(said["objective"]),
                attacker=called(said["attacker_policy"]),
                target=called(said["target_policy"]),
            )
        return line

    def _bars(self, reading: Reading) -> list[str]:
        """A terminal picture of a distribution."""
        chances = self.outcome.distribution(reading.name)
        known = self.outcome.intervals(reading.name) or {}
        most = max(chances.values())
        lines = [self._title(reading)]
        texts = {value: figure(chance, known.get(value), True) for value, chance in chances.items()}
        width = max(map(len, texts.values()))
        for value, chance in chances.items():
            lines.append(f"{value:>5}  {texts[value]:>{width}}  " + "█" * round(BAR * chance / most))
        return lines

    def _figure(self, reading: Reading) -> str:
        return figure(self.outcome.value(reading.name), self.outcome.interval(reading.name), reading.kind == "chance")

    def _provenance(self) -> str:
        if self.outcome.trials is None:
            return _("Exact, {ruleset} {version}.").format(ruleset=self.ruleset, version=self.version)
        return _("{trials} trials, seed {seed}, 95 % intervals, {ruleset} {version}.").format(
            trials=f"{self.outcome.trials:,}".replace(",", " "),
            seed=self.outcome.seed,
            ruleset=self.ruleset,
            version=self.version,
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(self._title(r))}</td><td>{html.escape(self._figure(r))}</td></tr>"
            for r in self.outcome.readings
            if r.kind != "distribution"
        )
        head, foot = html.escape(self._headline()), html.escape(self._provenance())
        return f"<p>{head}</p><table>{rows}</table><p><small>{foot}</small></p>"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the distributions (the chances where there is none) as bars with their intervals; returns the Axes."""
        from matplotlib import pyplot as plt

        if ax is None:
            _fig, ax = plt.subplots(layout="constrained")
        ax.set_title(self._headline().replace("$", r"\$"))  # a name is no formula
        shown = [r for r in self.outcome.readings if r.kind == "distribution" and r.drawn]
        if not shown:
            return self._plot_chances(ax)
        for place, reading in enumerate(shown):
            chances = self.outcome.distribution(reading.name)
            known = self.outcome.intervals(reading.name)
            width = 0.8 / len(shown)
            where = [value + place * width for value in chances]
            spread = None
            if known is not None:
                spread = [[chances[v] - known[v][0] for v in chances], [known[v][1] - chances[v] for v in chances]]
            ax.bar(where, list(chances.values()), width, yerr=spread, label=self._title(reading))
        ax.set_xlabel(self._title(shown[0]) if len(shown) == 1 else _("damage"))
        ax.set_ylabel(_("chance"))
        ax.legend()
        return ax

    def _plot_chances(self, ax: Axes) -> Axes:
        chances = [reading for reading in self.outcome.readings if reading.kind == "chance"][::-1]
        values = [self.outcome.value(reading.name) for reading in chances]
        known = [self.outcome.interval(reading.name) for reading in chances]
        spread = None
        if self.outcome.trials is not None:
            bounds = [one for one in known if one is not None]
            low = [value - one[0] for value, one in zip(values, bounds, strict=True)]
            spread = [low, [one[1] - value for value, one in zip(values, bounds, strict=True)]]
        ax.barh([self._title(reading) for reading in chances], values, xerr=spread)
        ax.set_xlim(0, 1)
        ax.set_xlabel(_("chance"))
        return ax
