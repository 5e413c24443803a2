"""The parts of the page, each made from one frame of a collection. A part whose frame is empty is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from morsdei_sim.lang import _
from morsdei_sim.report import figures, numbers
from morsdei_sim.report.colours import SERIES
from morsdei_sim.report.tables import Heat, Label, heat
from morsdei_sim.report.words import CHANCES, called, step

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.report.names import Names

__all__ = ["MOST_LINES", "Picture", "Plan", "activation_plans", "damage_curves", "habit_costs", "key", "lines_for", "melee_heats", "shooting_heats", "worth_plans", "worth_rows"]

MOST_LINES = len(SERIES)


@dataclass(frozen=True)
class Picture:
    """A figure of the page with its heading and what it says in words."""

    title: str
    small: str
    svg: Markup


@dataclass(frozen=True)
class Plan:
    """The figures that belong to one choice of a switch."""

    name: str
    figures: tuple[Picture, ...]


def drawn(figure: Any, salt: str, said: str) -> Markup:
    """A figure as markup that a screen reader reads as a picture with a description."""
    text = figures.svg(figure, salt)
    opening = Markup('<svg role="img" aria-label="{}" ').format(said)
    return Markup(text.replace("<svg ", opening, 1))


def lines_for(names: Names, targets: Any) -> list[str]:
    """The targets that get a line in every figure: the reference ones, else the first few cards."""
    known = names.sorted(targets)
    reference = [one for one in known if one in names.reference]
    return (reference or known)[:MOST_LINES]


@dataclass(frozen=True)
class KeyLine:
    """One entry of a legend."""

    name: str
    small: str
    svg: Markup


def key(names: Names, targets: list[str]) -> list[KeyLine]:
    """What each line stands for, once for all figures of a section."""
    return [KeyLine(names.card(target), names.squad(target), Markup(figures.sample(n))) for n, target in enumerate(targets)]


def shooting_heats(shots: pd.DataFrame, names: Names, figure: str) -> tuple[Heat, ...]:
    """A matrix of attackers and targets per situation."""
    shown = shots[shots["figure"] == figure]
    return tuple(
        heat(part, names, called(situation), _("shooter"), percent=True, two_sided=False, scale=1.0)
        for situation, part in shown.groupby("situation", sort=False, observed=True)
    )


def damage_curves(damage: pd.DataFrame, names: Names, targets: list[str], trials: int | None) -> list[Picture]:
    """Chance of at least N damage, a figure per weapon, in the first situation."""
    if damage.empty:
        return []
    shown = damage[(damage["situation"] == damage["situation"].iloc[0]) & damage["target"].isin(targets)]
    found = []
    for place, (attacker, weapon) in enumerate(_armed(shown, names)):
        mine = shown[(shown["attacker"] == attacker) & (shown["weapon"] == weapon)]
        lines = [(names.card(target), *_at_least(mine[mine["target"] == target], trials)) for target in targets if (mine["target"] == target).any()]
        said = "; ".join(_("{target}: any damage {any}").format(target=name, any=numbers.percent(float(y[1]) if len(y) > 1 else 0.0)) for name, _x, y, _l, _h in lines)
        text = _("Chance of at least so much damage by {attacker}. {said}.").format(attacker=names.armed(attacker, weapon), said=said)
        found.append(Picture(names.card(attacker), names.weapon(attacker, weapon), drawn(figures.curves(lines), f"damage-{place}", text)))
    return found


def _armed(frame: pd.DataFrame, names: Names) -> list[tuple[Any, Any]]:
    """The attackers of a frame with their weapons, in the order of the cards."""
    place = {card: here for here, card in enumerate(names.sorted(frame["attacker"]))}
    pairs = dict.fromkeys(zip(frame["attacker"], frame["weapon"], strict=True))
    return sorted(pairs, key=lambda pair: place[str(pair[0])])


def _at_least(rows: pd.DataFrame, trials: int | None) -> tuple[list[int], list[float], Any, Any]:
    """From the chance of exactly N to that of at least N, with its own interval when sampled."""
    rows = rows.sort_values("damage")
    values = [int(value) for value in rows["damage"]]
    tail = [float(share) for share in rows["chance"][::-1].cumsum()[::-1]]
    if values and values[0] > 0:
        values, tail = [0, *values], [1.0, *tail]
    tail = [min(1.0, share) for share in tail]
    if trials is None or rows["low"].isna().all():
        return values, tail, None, None
    from morsdei_sim.fight.outcome import wilson

    bounds = [wilson(round(share * trials), trials) for share in tail]
    return values, tail, [low for low, _high in bounds], [high for _low, high in bounds]


def activation_plans(frame: pd.DataFrame, names: Names, targets: list[str]) -> list[Plan]:
    """Chance to be gone after so many activations: a figure per attacker, a choice per plan."""
    if frame.empty:
        return []
    first = frame["situation"].iloc[0]
    shown = frame[(frame["situation"] == first) & frame["target"].isin(targets)]
    plans = []
    for number, (plan, part) in enumerate(shown.groupby("plan", sort=False, observed=True)):
        pictures = []
        for place, (attacker, weapon) in enumerate(_armed(part, names)):
            mine = part[(part["attacker"] == attacker) & (part["weapon"] == weapon)]
            lines = [(names.card(one), *_removed(mine[mine["target"] == one])) for one in targets if (mine["target"] == one).any()]
            svg = drawn(figures.activations(lines), f"activations-{number}-{place}", _fan_in_words(names.armed(attacker, weapon), lines))
            pictures.append(Picture(names.card(attacker), names.weapon(attacker, weapon), svg))
        plans.append(Plan(called(plan, "plan"), tuple(pictures)))
    return plans


def _removed(rows: pd.DataFrame) -> tuple[list[int], list[float], Any, Any]:
    rows = rows.sort_values("activation")
    low, high = (None, None) if rows["low"].isna().all() else (rows["low"].tolist(), rows["high"].tolist())
    return [int(value) for value in rows["activation"]], rows["removed_by"].tolist(), low, high


def _fan_in_words(attacker: str, lines: list[tuple[str, Any, Any, Any, Any]]) -> str:
    said = []
    for name, x, y, _low, _high in lines:
        half = next((n for n, share in zip(x, y, strict=True) if share >= 0.5), None)
        known = _("half of the time by activation {n}").format(n=half) if half else _("less than half of the time by activation {n}").format(n=x[-1])
        said.append(f"{name}: {known}")
    return _("How long {attacker} takes to remove a target. {said}.").format(attacker=attacker, said="; ".join(said))


def melee_heats(melee: pd.DataFrame, names: Names) -> list[Heat]:
    """Best play of both sides: a matrix per figure, each for the objective that it belongs to."""
    if melee.empty:
        return []
    both = melee[(melee["attacker_policy"] == "best") & (melee["target_policy"] == "best")]
    wanted = [("net", "net_damage"), ("kill-difference", "kill_difference"), ("kill", "kill_target"), ("survive", "kill_attacker")]
    known = set(both["objective"])
    found = []
    for objective, figure in wanted:
        goal = objective if objective in known else next(iter(both["objective"]), objective)
        part = _figure(both[both["objective"] == goal], figure)
        if len(part):
            share = figure in CHANCES
            name = called(figure, "figure")
            found.append(heat(part, names, name, _("attacker"), percent=share, two_sided=figure in ("net_damage", "kill_difference"), scale=1.0 if share else None))
    return found


def _figure(part: pd.DataFrame, figure: str) -> pd.DataFrame:
    """The rows of a figure; the kill difference is made from its two chances where the frame lacks it."""
    rows = part[part["figure"] == figure]
    if len(rows) or figure != "kill_difference":
        return rows
    keys = ["attacker", "weapon", "target", "target_weapon"]
    both = [part[part["figure"] == name] for name in ("kill_target", "kill_attacker")]
    joined = both[0].merge(both[1], on=keys, suffixes=("", "_other"))
    if joined["low"].notna().any():  # two chances of one sample depend on each other: their intervals do not add up
        return joined.iloc[:0]
    return joined.assign(estimate=joined["estimate"] - joined["estimate_other"])


def habit_costs(melee: pd.DataFrame, names: Names) -> Heat | None:
    """Net damage that the attacker gives up by a habit against best play, mean over targets: fighters by habits."""
    if melee.empty:
        return None
    goal = "net" if (melee["objective"] == "net").any() else melee["objective"].iloc[0]
    shown = melee[(melee["figure"] == "net_damage") & (melee["objective"] == goal) & (melee["target_policy"] == "best")]
    mean = shown.groupby(["attacker", "weapon", "attacker_policy"], sort=False, observed=True)["estimate"].mean().unstack("attacker_policy")
    if "best" not in mean or len(mean.columns) < 2:
        return None
    costs = mean.drop(columns="best").rsub(mean["best"], axis=0)
    most = float(costs.max().max()) or 1.0
    pairs = _armed(shown, names)
    columns = tuple(Label(called(habit)) for habit in costs.columns)
    rows = tuple((Label(names.card(pair[0]), names.weapon(*pair)), tuple(_cost(costs.loc[pair, habit], most) for habit in costs.columns)) for pair in pairs)
    return Heat("", _("attacker"), columns, rows)


def _cost(value: Any, most: float) -> Any:
    from morsdei_sim.report.colours import level
    from morsdei_sim.report.tables import Cell

    if numbers.missing(value):
        return Cell("", css="none")
    return Cell(numbers.plain(float(value), 2), css=f"h{level(float(value) / most)}")


IN_CHANCES = ("kill", "kill_suffered", "kill_difference")
IN_DAMAGE = ("mean_damage", "mean_damage_suffered", "net_damage")
"""By what one better of a stat is judged: the figure of the shooter, of the target, of the one who starts a melee."""


def worth_plans(worth: pd.DataFrame, names: Names) -> list[Plan]:
    """What one better of each stat is worth to its owner: a figure per card, in chances or in damage."""
    if worth.empty:
        return []
    plans = []
    for number, (name, wanted) in enumerate(((_("chances of removal"), IN_CHANCES), (_("damage"), IN_DAMAGE))):
        shown = worth[worth["figure"].isin(wanted)]
        cards = names.sorted(shown["card"])
        pictures = [_worth(shown[shown["card"] == card], names, card, f"worth-{number}-{n}", number == 0) for n, card in enumerate(cards)]
        if pictures:
            plans.append(Plan(name, tuple(pictures)))
    return plans


def _worth(rows: pd.DataFrame, names: Names, card: str, salt: str, share: bool) -> Picture:
    bars = worth_rows(rows, names)
    label = _("percentage points") if share else _("damage")
    drawing = figures.bars(bars, label, percent=share)
    said = "; ".join(f"{text}: {numbers.signed(value * (100 if share else 1))}" for text, value, _low, _high in bars)
    text = _("What one better is worth to {card}, in {unit}. {said}.").format(card=names.card(card), unit=label, said=said)
    return Picture(names.card(card), names.squad(card), drawn(drawing, salt, text))


def worth_rows(rows: pd.DataFrame, names: Names) -> list[tuple[str, float, float | None, float | None]]:
    """(text, gain of the card's owner, low, high), most first. What the card suffers counts the other way round."""
    found = []
    for row in rows.itertuples():
        low, high = _or_none(row.low), _or_none(row.high)
        gain = float(row.difference)
        if str(row.figure).endswith("_suffered"):
            gain, low, high = -gain, None if high is None else -high, None if low is None else -low
        arm = names.weapon(row.card, row.weapon)
        said = f"{step(row.stat, row.before, row.after)}" if hasattr(row, "before") else called(row.stat)
        part = {"_suffered": _("under fire"), "difference": _("in melee"), "net_damage": _("in melee")}
        where = next((words for ending, words in part.items() if str(row.figure).endswith(ending)), "")
        text = f"{arm}: {said}" if arm else f"{said}, {where}" if where else said
        found.append((text, gain, low, high))
    return sorted(found, key=lambda one: -one[1])


def _or_none(value: Any) -> float | None:
    return None if numbers.missing(value) else float(value)
