"""`explore`: a notebook's sliders on one card, and what each turn of them does to every target, exactly and at once."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from morsdei_sim.api.answer import SCHEMA_VERSION
from morsdei_sim.api.arguments import checked
from morsdei_sim.api.command import several
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, decimal, language, named
from morsdei_sim.reporting.words import words_of
from morsdei_sim.sweep.collection import known_word

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.api.sliders import Panel
    from morsdei_sim.rulesets.guide import Guide
    from morsdei_sim.sweep.against import Against, Row, Stat

__all__ = ["Explorer", "explore"]

OLD, NEW = "#9a9a9a", "#0b63a5"
"""The card as it is, and as it is turned: apart in lightness too."""


class Line(NamedTuple):
    """What is shown of a target: its figure before and after, or why there is none."""

    name: str
    old: float | None
    new: float | None
    reason: str = ""


class Explorer:
    """A card, its sliders, and its figures before and after.

    Attributes
    ----------
    stats : what can be turned, by name.
    settings : stat → value, of those that were turned; `set` turns them without a slider.
    card : the card as it is turned.
    figure : the figure in view.
    asked : the situation of a shot, or how a melee is played; `ask` changes it.
    """

    def __init__(self, against: Against, figure: str | None, situation: str | None, play: dict[str, str]) -> None:
        self.against = against
        self.stats: dict[str, Stat] = {one.name: one for one in against.stats()}
        self.asked: dict[str, str] = {name: choices[0] for name, choices in against.plays.items()}
        if against.verb == "shoot":
            self.asked["situation"] = next(iter(against.situations), "")
        given = play if situation is None else play | {"situation": situation}
        for name in given:
            known_word(_("option"), name, tuple(self.asked))
        self.asked |= given
        self.settings: dict[str, float] = {}
        self.card = against.one.card
        self._before = self._answers(self.card)
        self._after = self._before
        known = list(dict.fromkeys(name for row in self._before for name in row.figures))
        headline = against.room.part("variants", "GUIDE").headline.get(against.verb, "")
        self.figure = figure or (headline if headline in known or not known else known[0])
        if known:
            known_word(_("figure"), self.figure, known)
        self._panel: Panel | None = None

    # ── the numbers ───────────────────────────────────────────────────────────────────────────────────────────────────

    def set(self, **settings: float) -> Explorer:
        """Turn stats, `set(hit=3, damage=5)`; a stat that is not named goes back to that of the card.

        Raises
        ------
        UserError : no such stat, or a value that the card model refuses; nothing is changed then.
        """
        for name in settings:
            known_word(_("stat"), name, tuple(self.stats))
        card = self.against.card([(self.stats[name], value) for name, value in settings.items()])
        after = self._answers(card)
        self.card, self._after = card, after
        self.settings = {name: value for name, value in settings.items() if value != self.stats[name].value}
        return self

    def _answers(self, card: Any) -> list[Row]:
        play = {name: word for name, word in self.asked.items() if name != "situation"}
        return self.against.ask(card, self.asked.get("situation"), play)

    def ask(self, **asked: str) -> Explorer:
        """Another situation, or another way to play a melee, for both versions of the card; names as of `matrix`."""
        for name in asked:
            known_word(_("option"), name, tuple(self.asked))
        before = self.asked
        self.asked = before | asked
        try:
            self._before, self._after = self._answers(self.against.one.card), self._answers(self.card)
        except UserError:
            self.asked = before
            raise
        return self

    def to_frame(self) -> pd.DataFrame:
        """One row per target (and its melee weapon) and figure: target, target_weapon, figure, before, after, change.
        Exact."""
        import pandas as pd

        rows = []
        for old, new in zip(self._before, self._after, strict=True):
            for name in old.figures:
                before, after = old.figures[name], new.figures.get(name, float("nan"))
                rows.append((old.target.ref, old.weapon, name, before, after, after - before))
        return pd.DataFrame(rows, columns=["target", "target_weapon", "figure", "before", "after", "change"])

    def to_dict(self) -> dict[str, Any]:
        """Card, settings, circumstances, and the rows of `to_frame` of the figure in view."""
        against, frame = self.against, self.to_frame()
        return {
            "schema_version": SCHEMA_VERSION, "verb": "explore", "of": against.verb, "ruleset": against.room.name,
            "ruleset_version": against.room.version, "engine": "exact", "card": against.one.ref,
            "weapon": against.weapon.name, **self.asked, "settings": dict(self.settings), "figure": self.figure,
            "rows": frame[frame["figure"] == self.figure].drop(columns="figure").to_dict("records"),
        }  # fmt: skip

    def save(self, path: str | Path, force: bool = False) -> None:
        """Write the card as it is turned to a card file; the ending chooses the format, as of `template`.

        Raises
        ------
        UserError : the file exists, cannot be written, or has an unknown ending.
        """
        from morsdei_sim.cards import write

        one = self.against.one
        write(
            path,
            (self.card,),
            self.against.room.model,
            language(),
            force=force,
            squad=one.squad,
            squad_ru=one.squad_ru,
        )

    # ── what is seen ──────────────────────────────────────────────────────────────────────────────────────────────────

    def __repr__(self) -> str:
        lines = self._lines()
        width = max((len(line.name) for line in lines), default=0)
        return "\n".join([self._headline(), "", *(f"{one.name:<{width}}  {self._said(one)}" for one in lines)])

    def _repr_html_(self) -> str:
        lines, signed = self._lines(), self.figure in self._guide.signed
        values = [abs(value) for line in lines for value in (line.old, line.new) if value is not None]
        whole = 1.0 if self._chance else max(values, default=0) or 1.0
        rows = []
        for line in lines:
            bars = "".join(_bar(value, whole, colour, signed) for value, colour in ((line.old, OLD), (line.new, NEW)))
            rows.append(
                f'<tr><th scope="row" style="text-align:left;font-weight:normal">{html.escape(line.name)}</th>'
                f'<td style="width:16em;padding:2px 8px">{bars}</td>'
                f'<td style="text-align:left;white-space:pre">{html.escape(self._said(line))}</td></tr>'
            )
        return (
            f"<p><b>{html.escape(self._headline())}</b></p>"
            f'<table style="border-collapse:collapse">{"".join(rows)}</table>'
            f"<p><small>{html.escape(self._legend())}</small></p>"
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Sliders where there are widgets; their page, saved or printed, still shows the table."""
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            shown = self.panel.box._repr_mimebundle_()
        except UserError:  # no ipywidgets: the table alone
            return bundle
        return {**shown, **bundle}

    @property
    def panel(self) -> Panel:
        """Its sliders and menus; UserError where ipywidgets is not installed."""
        if self._panel is None:
            from morsdei_sim.api.sliders import Panel

            self._panel = Panel(self)
        return self._panel

    def choices(self) -> dict[str, Sequence[str]]:
        """What can be chosen besides the stats: figure, situation, and how a melee is played."""
        figures = list(dict.fromkeys(name for row in self._before for name in row.figures))
        found: dict[str, Sequence[str]] = {"figure": figures, **self.against.plays}
        if self.against.verb == "shoot":
            found["situation"] = self.against.situations
        return {name: choices for name, choices in found.items() if len(choices) > 1}

    @property
    def _chance(self) -> bool:
        return bool(self._guide.is_chance(self.figure))

    @property
    def _guide(self) -> Guide:
        guide: Guide = self.against.room.part("variants", "GUIDE")
        return guide

    def _headline(self) -> str:
        against, words = self.against, words_of(self.against.room.name)
        card = against.one.card
        said = words.asked({name: word for name, word in self.asked.items() if word})
        title = words.called(self.figure, "title") + (", %" if self._chance else "")
        weapon = named(against.weapon.name, against.weapon.name_ru)
        turned = ", ".join(
            f"{self.stats[name].title} {_plain(self.stats[name].value)} → {_plain(value)}"
            for name, value in self.settings.items()
        )
        parts = [f"{named(card.name, card.name_ru)}, {weapon}", title, said, turned]
        return " — ".join(part for part in parts if part)

    def _legend(self) -> str:
        text = _("Grey: the card as it is; blue: as it is turned. Exact, {ruleset} {version}.")
        return text.format(ruleset=self.against.room.name, version=self.against.room.version)

    def _lines(self) -> list[Line]:
        """Every target, and their mean where all are answered."""
        several = len(self._before) > len({row.target.ref for row in self._before})
        found = []
        for old, new in zip(self._before, self._after, strict=True):
            name = named(old.target.card.name, old.target.card.name_ru)
            if several and old.weapon:
                name = f"{name}, {old.weapon}"
            reason = old.reason or new.reason
            found.append(Line(name, old.figures.get(self.figure), new.figures.get(self.figure), reason))
        known = [(one.old, one.new) for one in found if one.old is not None and one.new is not None]
        if len(known) == len(found) > 1:
            before, after = (sum(values) / len(known) for values in zip(*known, strict=True))
            found.append(Line(_("mean of the targets"), before, after))
        return found

    def _said(self, line: Line) -> str:
        """ "23.0 → 31.2 (+8.2)", or why there is nothing."""
        if line.old is None or line.new is None:
            return line.reason or "–"
        scale, digits = (100, 1) if self._chance else (1, 2)
        old, new = (
            round(value * scale, digits) + 0.0 for value in (line.old, line.new)
        )  # + 0.0: no minus before a zero
        if not self.settings:
            return decimal(f"{old:.{digits}f}")
        return decimal(f"{old:.{digits}f} → {new:.{digits}f}  ({new - old:+.{digits}f})")


def _plain(value: float) -> str:
    return decimal(f"{value:g}")


def _bar(value: float | None, most: float, colour: str, signed: bool) -> str:
    """A bar from the left; from the middle where figures have two signs."""
    share = 0.0 if value is None else min(1.0, abs(value) / most) * (50 if signed else 100)
    left = 0.0 if not signed else 50.0 if (value or 0) >= 0 else 50 - share
    return (
        '<div style="height:7px;margin:1px 0;background:rgba(128,128,128,.15)">'
        f'<div style="height:7px;margin-left:{left:.1f}%;width:{share:.1f}%;background:{colour}"></div></div>'
    )


@checked
def explore(
    card: str,
    targets: str | Sequence[str] = "field",
    ruleset: str = "morsdei",
    verb: str = "shoot",
    *,
    weapon: str | None = None,
    figure: str | None = None,
    situation: str | None = None,
    rules: dict[str, int | str | bool] | None = None,
    **play: str,
) -> Explorer:
    """Turn the stats of a card by sliders and see at once what that does to every target, exactly.

    Parameters
    ----------
    card : `squad/fighter`, or a file that holds one.
    targets : squads, files or cards; the reference targets unless named.
    verb : {"shoot", "melee"}
    weapon : by name or id; the first that the verb can use, unless named.
    figure, situation, **play : as of `matrix`; menus change them.
    rules : numbers of the rulebook, as of `shoot`.

    Returns
    -------
    Explorer
        A notebook shows its sliders (the extra `notebook`); everywhere else `set`, `to_frame`, `card`, `save`.

    Raises
    ------
    UserError : an unknown word, or a card without such a weapon.
    CardFaults : cards that cannot be read.

    Examples
    --------
    >>> import morsdei_sim
    >>> found = morsdei_sim.explore("line/rifleman").set(hit=3)
    >>> frame = found.to_frame()
    >>> bool((frame.loc[frame["figure"] == "kill", "change"] > 0).all())
    True
    """
    from morsdei_sim.sweep.against import Against

    return Explorer(Against(ruleset, card, several(targets) or [], verb, weapon, rules), figure, situation, play)
