"""Bots: who decides what in a battle. One file each; `hooks.py` says what they are asked and may answer.

A bot is a compiled function and what it goes by, which is data: profiles/morsdei/bots/NAME.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from morsdei_sim.cards.safe import read_text
from morsdei_sim.cards.text import norm
from morsdei_sim.cards.values import meant
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, named
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.morsdei.game.bots import own
from morsdei_sim.rulesets.morsdei.game.bots.cautious import cautious
from morsdei_sim.rulesets.morsdei.game.bots.files import Sheet, checked, parse
from morsdei_sim.rulesets.morsdei.game.bots.gunline import gunline
from morsdei_sim.rulesets.morsdei.game.bots.looter import looter
from morsdei_sim.rulesets.morsdei.game.bots.random import random
from morsdei_sim.rulesets.morsdei.game.bots.rusher import rusher
from morsdei_sim.rulesets.morsdei.game.bots.searcher import searcher
from morsdei_sim.rulesets.morsdei.game.bots.tactician import tactician
from morsdei_sim.rulesets.morsdei.policies import LOWEST_SUFFICIENT_PARRY

__all__ = ["BOTS", "PLAYS", "Player", "bot", "player", "told_apart"]


@dataclass(frozen=True)
class Player:
    """How a squad is played: a compiled bot, what it goes by, its price of going prone (infinite: never), its habit in
    exchanges."""

    name: str
    bot: Any
    weights: tuple[float, ...] = field(default=())
    prone_price: float = 1.5
    habit: int = LOWEST_SUFFICIENT_PARRY
    supposes: Any = None
    """The bot that a look ahead plays both sides with; None for bots that do not look ahead."""
    name_ru: str = ""

    def label(self) -> str:
        """The name in the language of the messages."""
        return named(self.name, self.name_ru)


PLAYS: dict[str, Any] = {
    "random": random,
    "rusher": rusher,
    "gunline": gunline,
    "looter": looter,
    "cautious": cautious,
    "tactician": tactician,
    "searcher": searcher,
}
"""The functions that a file may name, the simplest first."""

LIKE = "tactician"
"""Whose numbers a user's own function goes by where it names none, and what its looks ahead suppose."""

AHEAD = {"searcher": "tactician"}
"""Bots that look ahead: whom they suppose on both sides, and whose numbers they go by where they name none."""


def _folder() -> Path:
    return profiles_dir() / "morsdei" / "bots"


def _names() -> tuple[str, ...]:
    """Every bot that comes along: those that decide for themselves, the simplest first; then their variants."""
    found = sorted(path.stem for path in _folder().glob("*.toml"))
    return (*PLAYS, *(name for name in found if name not in PLAYS))


BOTS = _names()
"""Every bot that comes along, by name."""


def player(who: str | Player) -> Player:
    """A bot by its name in ``profiles/morsdei/bots`` or by the path of its file; one that is ready stays as it is.

    Raises
    ------
    UserError : there is no such bot.
    CardFaults : every fault of the file, each with its line.
    """
    if isinstance(who, Player):
        return who
    if not isinstance(who, str):
        text = _("a bot is a name, a file or a function under @bot, not {what}")
        raise UserError(text.format(what=getattr(who, "__name__", type(who).__name__)))
    sheet = _sheet(who)
    supposes = PLAYS[AHEAD[sheet.plays]] if sheet.plays in AHEAD else None
    return _led(sheet, PLAYS[sheet.plays], supposes)


def _led(sheet: Sheet, function: Any, supposes: Any) -> Player:
    return Player(
        sheet.name, function, tuple(sheet.weights), sheet.prone_price, sheet.habit, supposes, sheet.name_ru
    )  # fmt: skip


def _sheet(text: str) -> Sheet:
    path = Path(text.strip())
    if path.suffix.lower() != ".toml":
        found = [name for name in BOTS if norm(name) == norm(text)]
        if not found:
            message = _("no bot {name!r}; there are: {known}").format(name=text, known=", ".join(BOTS))
            hint = meant(text, BOTS)
            raise UserError(f"{message} ({hint})" if hint else message)
        path = _folder() / f"{found[0]}.toml"
    usual: Callable[[str], Sheet] = _sheet
    ours = path.parent == _folder()
    if ours and path.stem in PLAYS:  # nothing to fall back on but what it looks ahead with
        usual = lambda plays: _sheet(AHEAD[plays]) if plays in AHEAD else Sheet("")  # noqa: E731
    return parse(read_text(path, legacy=False), str(path), path.stem, PLAYS, usual, () if ours else BOTS)


def told_apart(players: Sequence[Player]) -> None:
    """Refuse two different bots of one name: whatever is told of them goes by it.

    Raises
    ------
    UserError : there are two.
    """
    known: dict[str, Player] = {}
    for one in players:
        if known.setdefault(norm(one.name), one) != one:
            raise UserError(_('two different bots are called "{name}": give one another name').format(name=one.name))


def bot(
    function: Any = None,
    *,
    weights: Mapping[str, float] | None = None,
    prone_price: float | str | None = None,
    habit: str | None = None,
    name: str | None = None,
) -> Any:
    """Make a function a bot; see `morsdei_sim.bot`, which is this without the wait for Numba."""
    given = {"name": name, "weights": weights, "prone_price": prone_price, "habit": habit}

    def made(function: Any) -> Player:
        function = own.plain(function)
        settings = {"name": function.__name__, **{key: value for key, value in given.items() if value is not None}}
        sheet = checked(settings, f"@bot {function.__name__}", lambda _plays: _sheet(LIKE), BOTS)
        code = own.compiled(function)
        return _led(sheet, code, PLAYS[LIKE])

    return made if function is None else made(function)
