"""The parts of the page, each made from one frame of a collection. A part whose frame is empty is left out."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from morsdei_sim import study
from morsdei_sim.lang import _
from morsdei_sim.reporting import figures, numbers
from morsdei_sim.reporting.bars import bars
from morsdei_sim.reporting.colours import SERIES, level
from morsdei_sim.reporting.tables import Cell, Heat, Label, heat

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.reporting.names import Names
    from morsdei_sim.rulesets.guide import Scale
    from morsdei_sim.sweep import Collection

__all__ = [
    "KeyLine",
    "Line",
    "Picture",
    "Plan",
    "Said",
    "activation_lines",
    "activation_plans",
    "costs",
    "gains",
    "habit_costs",
    "melee_heats",
    "shooting_heats",
    "spread_curves",
    "step_text",
    "worth_plans",
    "worth_rows",
]

Line = tuple[str, list[int], list[float], Any, Any]
"""Name of the target, values, chances, low, high; the last two are None when exact."""


@dataclass(frozen=True)
class Picture:
    """A figure of the page with its heading."""

    title: str
    small: str
    svg: Markup


@dataclass(frozen=True)
class KeyLine:
    """One entry of a legend."""

    name: str
    small: str
    svg: Markup


@dataclass(frozen=True)
class Plan:
    """The figures that belong to one choice of a switch."""

    name: str
    figures: tuple[Picture, ...]


@dataclass(frozen=True)
class Said:
    """A section of curves: its legend and its figures, by the choices of a switch."""

    key: tuple[KeyLine, ...] = ()
    plans: tuple[Plan, ...] = ()


def drawn(figure: Any, salt: str, said: str) -> Markup:
    """A figure as markup that a screen reader reads as a picture with a description."""
    opening = Markup('<svg role="img" aria-label="{}" ').format(said)
    return Markup(figures.svg(figure, salt).replace("<svg ", opening, 1))


# ── matrices ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def shooting_heats(shots: pd.DataFrame, names: Names, figure: str) -> tuple[Heat, ...]:
    """A matrix of attackers and targets per situation, all on one scale."""
    shown = shots[shots["figure"] == figure]
    most = top(shown)
    return tuple(
        heat(part, names, names.called(situation), _("shooter"), percent=True, two_sided=False, scale=most)
        for situation, part in shown.groupby("situation", sort=False)
    )


def top(shown: pd.DataFrame) -> float:
    """The chance that gets the darkest colour: the next full ten per cent above the largest."""
    return ceil(round(10 * float(shown["estimate"].max()), 9)) / 10 or 0.1 if len(shown) else 1.0


def melee_heats(collection: Collection, names: Names) -> tuple[Heat, ...]:
    """A matrix per figure of melee, each under the play by which it is judged."""
    found = []
    for figure in collection.guide.fair:
        part = study.fair(collection, figure)
        if len(part):
            share = names.guide.is_chance(figure)
            drawn_heat = heat(
                part,
                names,
                names.called(figure, "figure"),
                _("attacker"),
                percent=share,
                two_sided=figure in names.guide.signed,
                scale=1.0 if share else None,
            )
            found.append(drawn_heat)
    return tuple(found)


def costs(collection: Collection) -> pd.DataFrame:
    """What each habit gives up against best play, in the room's first figure of habits, mean over targets.

    Columns: attacker, weapon, policy, given_up, low, high.
    """
    pairs = study.styles(collection, pairs=True)
    shown = pairs[pairs["figure"].isin(collection.guide.habit_figures[:1])]
    return shown.groupby(["attacker", "weapon", "policy"], sort=False)[["given_up", "low", "high"]].mean().reset_index()


def habit_costs(collection: Collection, names: Names) -> Heat | None:
    """`costs` as a matrix: fighters down, habits across."""
    found = costs(collection)
    if found.empty:
        return None
    most = float(found["given_up"].max()) or 1.0
    rows_of = found.to_dict("records")
    cells = {(r["attacker"], r["weapon"], r["policy"]): (r["given_up"], r["low"], r["high"]) for r in rows_of}
    habits = list(dict.fromkeys(found["policy"]))
    rows = tuple(
        (
            Label(names.card(one), names.weapon(one, arm)),
            tuple(_cost(cells.get((one, arm, habit)), most) for habit in habits),
        )
        for one, arm in armed(found, names)
    )
    return Heat(_("net damage given up"), _("attacker"), tuple(Label(names.called(habit)) for habit in habits), rows)


def _cost(found: tuple[float, float, float] | None, most: float) -> Cell:
    if found is None:
        return Cell("", css="none")
    value, low, high = found
    small = "" if numbers.missing(low) else "±" + numbers.plain((high - low) / 2, 2)
    return Cell(numbers.plain(value, 2), small, css=f"h{level(value / most)}")


def armed(frame: pd.DataFrame, names: Names) -> list[tuple[Any, Any]]:
    """The attackers of a frame with their weapons, in the order of the cards."""
    place = {card: here for here, card in enumerate(names.sorted(frame["attacker"]))}
    pairs = dict.fromkeys(zip(frame["attacker"], frame["weapon"], strict=True))
    return sorted(pairs, key=lambda pair: place[str(pair[0])])


# ── curves ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def spread_curves(collection: Collection, names: Names) -> Said:
    """Chance of at least so much (damage, for instance), a figure per weapon, in the usual situation."""
    shown = study.spread_curves(collection, situation=collection.guide.usual["situation"])
    if shown.empty:
        return Said()
    groups = _alike(shown, "value", names)
    pictures = []
    for place, (attacker, weapon) in enumerate(armed(shown, names)):
        lines = _lines(shown[(shown["attacker"] == attacker) & (shown["weapon"] == weapon)], "value", groups)
        said = "; ".join(
            names.words.say("spread_any", target=line[0], share=numbers.percent(_any(line)))
            for line in lines
            if line[1]
        )
        text = names.words.say("spread_of", attacker=names.armed(attacker, weapon), said=said)
        figure = figures.curves(lines, names.words.say("spread_axis"))
        pictures.append(
            Picture(names.card(attacker), names.weapon(attacker, weapon), drawn(figure, f"damage-{place}", text))
        )
    return Said(_key("damage", groups), (Plan("", tuple(pictures)),))


def _any(line: Line) -> float:
    return next((share for value, share in zip(line[1], line[2], strict=True) if value > 0), 0.0)


def activation_plans(collection: Collection, names: Names) -> Said:
    """Chance to be gone after so many activations: a figure per attacker, a choice per plan.

    Where there is only one plan, a choice per situation.
    """
    frame = collection.activations
    if frame.empty:
        return Said()
    choice = "plan" if frame["plan"].nunique() > 1 else "situation"
    other = "situation" if choice == "plan" else "plan"
    shown = study.activation_curves(collection, **{other: frame[other].iloc[0]})
    groups = _alike(shown, "activation", names)
    plans = []
    for number, (plan, part) in enumerate(shown.groupby(choice, sort=False)):
        pictures = []
        for place, (attacker, weapon) in enumerate(armed(part, names)):
            lines = _lines(part[(part["attacker"] == attacker) & (part["weapon"] == weapon)], "activation", groups)
            said = _fan_in_words(names, names.armed(attacker, weapon), lines)
            figure = figures.activations(lines, names.words.say("again_axis"))
            svg = drawn(figure, f"activations-{number}-{place}", said)
            pictures.append(Picture(names.card(attacker), names.weapon(attacker, weapon), svg))
        plans.append(Plan(names.called(plan, choice), tuple(pictures)))
    return Said(_key("activations", groups), tuple(plans))


def activation_lines(collection: Collection, names: Names, attacker: str) -> list[list[Line]]:
    """The lines of one attacker's figure, by plan."""
    frame = collection.activations
    shown = study.activation_curves(collection, situation=frame["situation"].iloc[0], attacker=attacker)
    groups = _alike(shown, "activation", names)
    return [_lines(part, "activation", groups) for _plan, part in shown.groupby("plan", sort=False)]


def _fan_in_words(names: Names, attacker: str, lines: list[Line]) -> str:
    said = []
    for name, x, y, _low, _high in lines:
        half = next((n for n, share in zip(x, y, strict=True) if share >= 0.5), None)
        if half is not None:
            said.append(names.words.say("again_half", target=name, n=str(half)))
        elif x:
            said.append(names.words.say("again_late", target=name, n=str(x[-1])))
    return names.words.say("again_of", attacker=attacker, said="; ".join(said))


def _alike(shown: pd.DataFrame, axis: str, names: Names) -> list[tuple[str, list[str]]]:
    """The targets that get a line, those with the same curves sharing one: (name, targets).

    The reference targets if there are any, otherwise the cards; the first eight lines at the most.
    """
    known = names.sorted(shown["target"])
    targets = [one for one in known if one in names.reference] or known
    keys = [key for key in ("attacker", "weapon", "plan", "situation", axis) if key in shown]
    groups: dict[Any, list[str]] = {}
    for target in targets:
        rows = shown[shown["target"] == target]
        curve = frozenset(zip(*(rows[key] for key in keys), rows["estimate"].round(9), strict=True))
        groups.setdefault(curve, []).append(target)
    return [(" = ".join(names.card(one) for one in alike), alike) for alike in groups.values()][: len(SERIES)]


def _lines(mine: pd.DataFrame, axis: str, groups: list[tuple[str, list[str]]]) -> list[Line]:
    """One line per group of targets; empty for a group that holds only the attacker, so that colours stay put."""
    lines: list[Line] = []
    for name, targets in groups:
        there = [one for one in targets if (mine["target"] == one).any()][:1]
        rows = mine[mine["target"].isin(there)].sort_values(axis)
        exact = rows["low"].isna().all()
        low, high = (None, None) if exact else (rows["low"].tolist(), rows["high"].tolist())
        lines.append((name, [int(value) for value in rows[axis]], rows["estimate"].tolist(), low, high))
    return lines


def _key(section: str, groups: list[tuple[str, list[str]]]) -> tuple[KeyLine, ...]:
    return tuple(
        KeyLine(name, "", Markup(figures.sample(place, section))) for place, (name, _targets) in enumerate(groups)
    )


# ── the worth of one better ───────────────────────────────────────────────────────────────────────────────────────────


def worth_plans(worth: pd.DataFrame, names: Names) -> tuple[Plan, ...]:
    """What one better of each stat is worth to its owner: a figure per card, on each of the room's scales.

    Parameters
    ----------
    worth : the answer of `study.worth`.
    """
    plans = []
    for number, scale in enumerate(names.guide.scales):
        shown = worth[worth["figure"].isin(scale.figures)]
        pictures = [
            _worth(shown[shown["card"] == card], names, card, f"worth-{number}-{place}", scale)
            for place, card in enumerate(names.sorted(shown["card"]))
        ]
        if pictures:
            plans.append(Plan(names.called(scale.name), tuple(pictures)))
    return tuple(plans)


def _worth(rows: pd.DataFrame, names: Names, card: str, salt: str, scale: Scale) -> Picture:
    gained = worth_rows(rows, names)
    label = _("percentage points") if scale.share else names.called(scale.name)
    said = "; ".join(
        f"{text}: {numbers.signed(value * (100 if scale.share else 1))}" for text, value, _low, _high in gained
    )
    text = _("What one better is worth to {card}, in {unit}. {said}.").format(
        card=names.card(card), unit=label, said=said
    )
    figure = bars(gained, label, percent=scale.share)
    return Picture(names.card(card), names.squad(card), drawn(figure, salt, text))


def gains(worth: pd.DataFrame, better: dict[str, int]) -> pd.Series[float]:
    """The differences as the card's owner sees them: to suffer less is a gain."""
    return worth["difference"] * worth["figure"].map(better).fillna(1)


def worth_rows(rows: pd.DataFrame, names: Names) -> list[tuple[str, float, float | None, float | None]]:
    """(step, gain of the card's owner, low, high), most first."""
    better = names.guide.better
    found: list[tuple[str, float, float | None, float | None]] = []
    for row, gain in zip(rows.to_dict("records"), gains(rows, better), strict=True):
        sign = better.get(row["figure"], 1)
        low, high = sorted((sign * row["low"], sign * row["high"]))
        known = (None, None) if numbers.missing(low) else (float(low), float(high))
        found.append((step_text(row, names), float(gain), *known))
    return sorted(found, key=lambda one: -one[1])


def step_text(row: Any, names: Names) -> str:
    """`dice 4 → 5 · rifle` or `HP 8 → 9 · under fire`."""
    figure = str(row["figure"])
    stat, before, after = row["stat"], float(row["from"]), float(row["to"])
    where = names.weapon(row["card"], row["weapon"]) if stat in names.guide.weapon_stats else ""
    if not where and figure.endswith("_suffered"):
        where = _("under fire")
    elif not where:
        melee = figure in names.guide.fair
        where = _("in melee") if melee else _("shooting")
        if names.arms("melee" if melee else "shots", row["card"]) > 1:
            where = names.weapon(row["card"], row["weapon"])
    return f"{names.called(stat, 'step')} {numbers.stat(before)} → {numbers.stat(after)} · {where}"
