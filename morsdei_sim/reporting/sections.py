"""The parts of the page, each made from one frame of a collection. A part whose frame is empty is left out."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from morsdei_sim import study
from morsdei_sim.lang import _
from morsdei_sim.reporting import figures, numbers
from morsdei_sim.reporting.colours import SERIES, level
from morsdei_sim.reporting.tables import Cell, Heat, Label, heat
from morsdei_sim.reporting.words import CHANCES, called

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.reporting.names import Names
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
    "damage_curves",
    "gains",
    "habit_costs",
    "melee_heats",
    "shooting_heats",
    "step_text",
    "worth_plans",
    "worth_rows",
]

IN_CHANCES = ("kill", "kill_suffered", "kill_difference")
IN_DAMAGE = ("mean_damage", "mean_damage_suffered", "net_damage")
"""By what one better of a stat is judged: the figure of the shooter, of the target, of the one who starts a melee."""

WEAPON_STATS = frozenset({"dice", "hit", "damage", "range"})

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
        heat(part, names, called(situation), _("shooter"), percent=True, two_sided=False, scale=most)
        for situation, part in shown.groupby("situation", sort=False)
    )


def top(shown: pd.DataFrame) -> float:
    """The chance that gets the darkest colour: the next full ten per cent above the largest."""
    return ceil(round(10 * float(shown["estimate"].max()), 9)) / 10 or 0.1 if len(shown) else 1.0


def melee_heats(melee: pd.DataFrame, names: Names) -> tuple[Heat, ...]:
    """Best play of both sides: a matrix per figure, each for the objective under which it is the value of the game."""
    wanted = (
        ("net", "net_damage"),
        ("kill-difference", "kill_difference"),
        ("kill", "kill_target"),
        ("survive", "kill_attacker"),
    )
    found = []
    for objective, figure in wanted if len(melee) else ():
        part = study.best_play(melee, objective)
        part = part[part["figure"] == figure]
        if len(part):
            share, two_sided = figure in CHANCES, figure in ("net_damage", "kill_difference")
            drawn_heat = heat(
                part,
                names,
                called(figure, "figure"),
                _("attacker"),
                percent=share,
                two_sided=two_sided,
                scale=1.0 if share else None,
            )
            found.append(drawn_heat)
    return tuple(found)


def costs(collection: Collection) -> pd.DataFrame:
    """Net damage given up by each habit against best play, mean over targets.

    Columns: attacker, weapon, policy, given_up, low, high.
    """
    pairs = study.styles(collection, pairs=True)
    shown = pairs[pairs["figure"] == "net_damage"]
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
    return Heat(_("net damage given up"), _("attacker"), tuple(Label(called(habit)) for habit in habits), rows)


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


def damage_curves(collection: Collection, names: Names) -> Said:
    """Chance of at least so much damage, a figure per weapon, in the first situation."""
    frame = collection.damage
    if frame.empty:
        return Said()
    shown = study.damage_curves(collection, situation=frame["situation"].iloc[0])
    groups = _alike(shown, "damage", names)
    pictures = []
    for place, (attacker, weapon) in enumerate(armed(shown, names)):
        lines = _lines(shown[(shown["attacker"] == attacker) & (shown["weapon"] == weapon)], "damage", groups)
        said = "; ".join(
            _("{target}: any damage {share}").format(target=line[0], share=numbers.percent(_any(line)))
            for line in lines
            if line[1]
        )
        text = _("Chance of at least so much damage by {attacker}. {said}.").format(
            attacker=names.armed(attacker, weapon), said=said
        )
        svg = drawn(figures.curves(lines), f"damage-{place}", text)
        pictures.append(Picture(names.card(attacker), names.weapon(attacker, weapon), svg))
    return Said(_key("damage", groups), (Plan("", tuple(pictures)),))


def _any(line: Line) -> float:
    return next((share for value, share in zip(line[1], line[2], strict=True) if value > 0), 0.0)


def activation_plans(collection: Collection, names: Names) -> Said:
    """Chance to be gone after so many activations: a figure per attacker, a choice per plan."""
    frame = collection.activations
    if frame.empty:
        return Said()
    shown = study.activation_curves(collection, situation=frame["situation"].iloc[0])
    groups = _alike(shown, "activation", names)
    plans = []
    for number, (plan, part) in enumerate(shown.groupby("plan", sort=False)):
        pictures = []
        for place, (attacker, weapon) in enumerate(armed(part, names)):
            lines = _lines(part[(part["attacker"] == attacker) & (part["weapon"] == weapon)], "activation", groups)
            said = _fan_in_words(names.armed(attacker, weapon), lines)
            svg = drawn(figures.activations(lines), f"activations-{number}-{place}", said)
            pictures.append(Picture(names.card(attacker), names.weapon(attacker, weapon), svg))
        plans.append(Plan(called(plan, "plan"), tuple(pictures)))
    return Said(_key("activations", groups), tuple(plans))


def activation_lines(collection: Collection, names: Names, attacker: str) -> list[list[Line]]:
    """The lines of one attacker's figure, by plan."""
    frame = collection.activations
    shown = study.activation_curves(collection, situation=frame["situation"].iloc[0], attacker=attacker)
    groups = _alike(shown, "activation", names)
    return [_lines(part, "activation", groups) for _plan, part in shown.groupby("plan", sort=False)]


def _fan_in_words(attacker: str, lines: list[Line]) -> str:
    said = []
    for name, x, y, _low, _high in lines:
        half = next((n for n, share in zip(x, y, strict=True) if share >= 0.5), None)
        if half is not None:
            said.append(_("{target}: half of the time by activation {n}").format(target=name, n=half))
        elif x:
            said.append(_("{target}: less than half of the time by activation {n}").format(target=name, n=x[-1]))
    return _("How long {attacker} takes to remove a target. {said}.").format(attacker=attacker, said="; ".join(said))


def _alike(shown: pd.DataFrame, axis: str, names: Names) -> list[tuple[str, list[str]]]:
    """The targets that get a line, those with the same curves sharing one: (name, targets).

    The reference targets if there are any, otherwise the cards; the first eight lines at the most.
    """
    known = names.sorted(shown["target"])
    targets = [one for one in known if one in names.reference] or known
    keys = [key for key in ("attacker", "weapon", "plan", axis) if key in shown]
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


def worth_plans(worth: pd.DataFrame, better: dict[str, int], names: Names) -> tuple[Plan, ...]:
    """What one better of each stat is worth to its owner: a figure per card, in chances or in damage.

    Parameters
    ----------
    worth : the answer of `study.worth`.
    better : figure -> 1 if more of it is better for the card's owner, -1 if less.
    """
    plans = []
    for number, (name, wanted) in enumerate(((_("chances of removal"), IN_CHANCES), (_("damage"), IN_DAMAGE))):
        shown = worth[worth["figure"].isin(wanted)]
        pictures = [
            _worth(shown[shown["card"] == card], better, names, card, f"worth-{number}-{place}", number == 0)
            for place, card in enumerate(names.sorted(shown["card"]))
        ]
        if pictures:
            plans.append(Plan(name, tuple(pictures)))
    return tuple(plans)


def _worth(rows: pd.DataFrame, better: dict[str, int], names: Names, card: str, salt: str, share: bool) -> Picture:
    bars = worth_rows(rows, better, names)
    label = _("percentage points") if share else _("damage")
    said = "; ".join(f"{text}: {numbers.signed(value * (100 if share else 1))}" for text, value, _low, _high in bars)
    text = _("What one better is worth to {card}, in {unit}. {said}.").format(
        card=names.card(card), unit=label, said=said
    )
    return Picture(names.card(card), names.squad(card), drawn(figures.bars(bars, label, percent=share), salt, text))


def gains(worth: pd.DataFrame, better: dict[str, int]) -> pd.Series[float]:
    """The differences as the card's owner sees them: to suffer less is a gain."""
    return worth["difference"] * worth["figure"].map(better).fillna(1)


def worth_rows(
    rows: pd.DataFrame, better: dict[str, int], names: Names
) -> list[tuple[str, float, float | None, float | None]]:
    """(step, gain of the card's owner, low, high), most first."""
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
    where = names.weapon(row["card"], row["weapon"]) if stat in WEAPON_STATS else ""
    if not where and figure.endswith("_suffered"):
        where = _("under fire")
    elif not where:
        where = _("in melee") if figure in ("kill_difference", "net_damage") else _("shooting")
    return f"{called(stat)} {before:g} → {after:g} · {where}"
