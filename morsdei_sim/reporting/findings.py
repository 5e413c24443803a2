"""The answer in words: what stands out in a collection, one sentence each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from morsdei_sim import study
from morsdei_sim.lang import _, ngettext
from morsdei_sim.reporting import numbers, sections
from morsdei_sim.reporting.tables import figure_of

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.reporting.names import Names
    from morsdei_sim.sweep import Collection

__all__ = ["Finding", "findings"]


@dataclass(frozen=True)
class Finding:
    """One thing that stands out: a heading, a sentence, and what stands behind it."""

    title: str
    text: str
    more: str = ""


def findings(collection: Collection, names: Names, worth: pd.DataFrame) -> list[Finding]:
    """What a designer should look at first.

    Parameters
    ----------
    worth : the answer of `study.worth`.
    """
    found = [
        _shooters(collection, names),
        _fighters(collection, names),
        _dominated(collection, names),
        _breakpoint(worth, names),
        _idle(worth, names),
        _one_sided(collection, names),
        _habit(collection, names),
    ]
    return [one for one in found if one is not None]


def _ranking(collection: Collection, names: Names, frame: str) -> pd.DataFrame | None:
    """The attackers ranked by the room's first order for that frame, or None when there is nothing to rank."""
    orders = [name for name, rank in names.guide.ranks.items() if (rank.frame, rank.part) == (frame, "attacker")]
    rows: pd.DataFrame = getattr(collection, frame)
    if not orders or rows["attacker"].nunique() < 2:
        return None
    order = orders[0]
    ranked = study.rank(collection, (order,), "field" if names.reference else "cards")
    return ranked if len(ranked) > 1 else None


def _said(rows: pd.DataFrame, names: Names) -> tuple[str, str]:
    """The cards of equal rank, and the figure of the first."""
    cards = [names.card(card) for card in rows["card"]]
    shown = ", ".join(cards[:3]) + (" …" if len(cards) > 3 else "")
    first = rows.iloc[0]
    return shown, figure_of(names, first.figure, first.estimate, first.low, first.high)


def _all_equal(ranked: pd.DataFrame, names: Names, title: str) -> Finding | None:
    """Where all share one rank nobody is the best and nobody the worst."""
    if ranked["rank"].nunique() > 1:
        return None
    if not ranked["low"].isna().all():
        return Finding(title, _("No card is surely better than another; more trials may tell them apart."))
    _cards, value = _said(ranked, names)
    return Finding(title, _("All are equal: {value} on average.").format(value=value))


def _ends(ranked: pd.DataFrame, names: Names) -> tuple[tuple[str, str], tuple[str, str]]:
    first, last = ranked["rank"].min(), ranked["rank"].max()
    return _said(ranked[ranked["rank"] == first], names), _said(ranked[ranked["rank"] == last], names)


def _shooters(collection: Collection, names: Names) -> Finding | None:
    ranked = _ranking(collection, names, "shots")
    if ranked is None:
        return None
    title = _("Strongest and weakest shooter")
    if equal := _all_equal(ranked, names, title):
        return equal
    (top, most), (last, least) = _ends(ranked, names)
    text = names.words.say("shooting_best", card=top, share=most)
    return Finding(title, text, _("Least: {card}, {share}.").format(card=last, share=least))


def _fighters(collection: Collection, names: Names) -> Finding | None:
    ranked = _ranking(collection, names, "melee")
    if ranked is None:
        return None
    title = _("Strongest and weakest in melee")
    if equal := _all_equal(ranked, names, title):
        return equal
    (top, most), (last, least) = _ends(ranked, names)
    text = _("Gains most by starting a melee: {card}, {figure} {share} on average.").format(
        card=top, figure=names.called(ranked["figure"].iloc[0], "figure"), share=most
    )
    return Finding(title, text, _("Least: {card}, {share}.").format(card=last, share=least))


def _dominated(collection: Collection, names: Names) -> Finding | None:
    if len(collection.cards) - len(names.reference) < 2:
        return None
    pairs = study.dominated(collection)
    fighters, weapons = pairs[pairs["kind"] == "fighter"], pairs[(pairs["kind"] == "weapon") & pairs["copy"]]
    worse, copies = fighters[~fighters["copy"]], fighters[fighters["copy"]]
    said = [
        _("{one} is no better than {other} in anything measured").format(
            one=names.card(r.card), other=names.card(r.by_card)
        )
        for r in worse.itertuples()
    ]
    said += [
        _("{one} is a copy of {other}").format(one=names.card(r.card), other=names.card(r.by_card))
        for r in copies.itertuples()
    ]
    same = len(weapons)
    more = ngettext(
        "{n} weapon is an exact copy of another card's.", "{n} weapons are exact copies of another card's.", same
    ).format(n=same)
    if not said:
        return Finding(
            _("Dominated cards"), _("No card is worse than another in everything measured."), more if same else ""
        )
    text = "; ".join(said[:2]) + ("; …" if len(said) > 2 else ".")
    unseen = [stat for stats in worse["unseen"].head(2) for stat in str(stats).split(", ") if stat]
    behind = _("Not measured here, and better on the dominated card: {stats}.").format(
        stats=", ".join(names.called(one) for one in dict.fromkeys(unseen))
    )
    return Finding(_("Dominated cards"), text, behind if unseen else more if same else "")


def _one_sided(collection: Collection, names: Names) -> Finding | None:
    """The match-up between two cards that the one who starts should rather leave alone."""
    if collection.melee.empty:
        return None
    figure = names.guide.headline["melee"]
    shown = study.usual(collection, "melee")
    shown = shown[(shown["figure"] == figure) & ~shown["target"].isin(names.reference)]
    if shown.empty:
        return None
    title = _("Melee not worth starting")
    surely = shown["high"].fillna(shown["estimate"]) < 0
    losing = int(surely.sum())
    if not losing:
        return Finding(title, _("In no pairing of these cards does the one who starts surely lose more than it deals."))
    worst = shown.sort_values("estimate", kind="stable").iloc[0]
    text = _("{attacker} against {target}: {figure} {value}.").format(
        attacker=names.card(worst.attacker),
        target=names.card(worst.target),
        figure=names.called(figure, "figure"),
        value=figure_of(names, figure, worst.estimate, worst.low, worst.high),
    )
    more = ngettext(
        "{n} of {all} pairings loses the one who starts more than it deals.",
        "{n} of {all} pairings lose the one who starts more than it deals.",
        losing,
    )
    return Finding(title, text, more.format(n=losing, all=len(shown)))


def _breakpoint(worth: pd.DataFrame, names: Names) -> Finding | None:
    shown = worth[worth["figure"].isin(names.guide.scales[0].figures)]
    if shown.empty:
        return None
    gain = sections.gains(shown, names.guide.better).sort_values(ascending=False, kind="stable")
    first = shown.loc[gain.index[0]]
    text = _("{step} is worth most: {points} percentage points.").format(
        step=_step(first, names), points=_points(first, gain.iloc[0])
    )
    more = ""
    if len(gain) > 1:
        second = shown.loc[gain.index[1]]
        more = _("Next: {step}, {points}.").format(step=_step(second, names), points=_points(second, gain.iloc[1]))
    return Finding(_("Biggest breakpoint"), text, more)


def _points(row: Any, gain: float) -> str:
    low, high = sorted((abs(row.low), abs(row.high)))
    return numbers.mean(100 * gain, 100 * low, 100 * high, 1)


def _step(row: Any, names: Names) -> str:
    return f"{names.card(row.card)}: {sections.step_text(row, names)}"


def _idle(worth: pd.DataFrame, names: Names) -> Finding | None:
    """Stats whose next step changes no chance of removal against anybody."""
    shown = worth[worth["figure"].isin(names.guide.scales[0].figures)]
    if shown.empty:
        return None
    still = shown["without_effect"] == shown["opponents"]
    keys = [
        shown["card"],
        shown["weapon"].where(shown["stat"].isin(names.guide.weapon_stats), "").fillna(""),
        shown["stat"],
        shown["from"],
        shown["to"],
    ]
    idle: list[Any] = [key for key, all_still in still.groupby(keys, sort=False).all().items() if all_still]
    title, scale = _("Steps that buy nothing"), names.called(names.guide.scales[0].name)
    if not idle:
        return Finding(title, _("Every step of every stat changes something ({scale}).").format(scale=scale))
    count = ngettext("{n} step changes nothing ({scale}).", "{n} steps change nothing ({scale}).", len(idle)).format(
        n=len(idle), scale=scale
    )
    some = "; ".join(
        f"{names.armed(card, weapon)}: {names.called(stat, 'step')} {numbers.stat(before)} → {numbers.stat(after)}"
        for card, weapon, stat, before, after in idle[:3]
    )
    return Finding(title, count, some + ("; …" if len(idle) > 3 else ""))


def _habit(collection: Collection, names: Names) -> Finding | None:
    costs = sections.costs(collection)
    if costs.empty:
        return None
    worst = costs.sort_values("given_up", ascending=False, kind="stable").iloc[0]
    text = _("{card}, “{habit}”: gives up {value} {figure} on average.").format(
        card=names.card(worst.attacker),
        habit=names.called(worst.policy),
        figure=names.called(names.guide.habit_figures[0], "figure"),
        value=numbers.mean(worst.given_up, worst.low, worst.high),
    )
    mean = costs.groupby("policy", sort=False)["given_up"].mean()
    more = _("Cheapest over all cards: “{habit}”.").format(habit=names.called(mean.idxmin()))
    return Finding(_("Dearest habit"), text, more)
