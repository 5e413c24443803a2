"""The sliders of `explore`."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from morsdei_sim.errors import UserError
from morsdei_sim.lang import N_, _
from morsdei_sim.reporting.words import words_of

if TYPE_CHECKING:
    from morsdei_sim.api.explore import Explorer
    from morsdei_sim.sweep.against import Stat

__all__ = ["Panel"]

MENUS = {"figure": N_("figure"), "situation": N_("situation")}
"""What menus are called that the room has no word for."""


class Panel:
    """Sliders for stats, menus for the rest, and the table, which follows them.

    Attributes
    ----------
    sliders, menus : widgets by the name of what they turn.
    trouble : why a setting is refused; empty when it is not.
    box : all of it, to be shown.

    Raises
    ------
    UserError : ipywidgets is not installed.
    """

    def __init__(self, explorer: Explorer) -> None:
        try:
            import ipywidgets
        except ImportError:
            text = _("explore needs ipywidgets: install the extra with {command}, and start the notebook again.")
            raise UserError(text.format(command="pip install 'morsdei-sim[notebook]'")) from None
        self._explorer, self._made = explorer, ipywidgets
        self.table, self.trouble = ipywidgets.HTML(explorer._repr_html_()), ipywidgets.HTML()
        self.sliders = {name: self._slider(name, stat) for name, stat in explorer.stats.items()}
        self.menus = {name: self._menu(name, choices) for name, choices in explorer.choices().items()}
        self.reset = ipywidgets.Button(description=_("as on the card"))
        self.reset.on_click(self._back)
        menus = ipywidgets.HBox([*self.menus.values()], layout={"flex_flow": "row wrap"})
        self.box = ipywidgets.VBox([*self.sliders.values(), menus, self.reset, self.trouble, self.table])

    def _slider(self, name: str, stat: Stat) -> Any:
        kind = self._made.IntSlider if stat.whole else self._made.FloatSlider
        number = int if stat.whole else float
        value = self._explorer.settings.get(name, stat.value)
        slider = kind(
            value=number(value), min=number(stat.low), max=number(stat.high), description=stat.title,
            style={"description_width": "9em"}, layout={"width": "30em"},
        )  # fmt: skip
        slider.observe(lambda _change: self._follow(self._turn), "value")
        return slider

    def _menu(self, name: str, choices: Sequence[str]) -> Any:
        words = words_of(self._explorer.against.room.name)
        menu = self._made.Dropdown(
            options=[(words.called(one, "figure" if name == "figure" else ""), one) for one in choices],
            value=self._explorer.figure if name == "figure" else self._explorer.asked[name],
            description=_(MENUS[name]) if name in MENUS else words.called(name),
            style={"description_width": "initial"},
        )  # fmt: skip
        menu.observe(lambda change: self._follow(lambda: self._choose(name, change["new"])), "value")
        return menu

    def _follow(self, act: Callable[[], None]) -> None:
        """Do what was asked, and show what comes of it or why it cannot be."""
        try:
            act()
        except UserError as refused:
            self.trouble.value = f'<p role="alert"><b>{html.escape(str(refused))}</b></p>'
        else:
            self.trouble.value, self.table.value = "", self._explorer._repr_html_()

    def _turn(self) -> None:
        self._explorer.set(**{name: slider.value for name, slider in self.sliders.items()})

    def _choose(self, name: str, word: str) -> None:
        if name == "figure":
            self._explorer.figure = word
        else:
            self._explorer.ask(**{name: word})

    def _back(self, _button: Any) -> None:
        for name, slider in self.sliders.items():
            slider.value = self._explorer.stats[name].value
