"""The verb `replay`: one game of a battle by its number, as a page, a log, a text; or two games that a change parts."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.arguments import checked
from morsdei_sim.api.games import boards_named, document, words
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets import Room, room_with

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.rulesets.morsdei.game.bots import Player
    from morsdei_sim.rulesets.morsdei.game.series import Series
    from morsdei_sim.rulesets.morsdei.game.setting import Crew

__all__ = ["Replay", "replay"]

ENDINGS = {".html": "page", ".htm": "page", ".jsonl": "log", ".txt": "text"}

SEARCH = 2000
"""Games that are looked through for one whose result a change turned."""


@dataclass(frozen=True)
class Replay:
    """One game, told; `changed` is the same game with other cards, when one asked for it.

    Attributes
    ----------
    log : the header and every event; its sides 0 and 1 are seats: in odd games the squad named first, A, has seat 1.
    game, seed : its number in `battle` and the key of its dice.
    crews : the squads, A first.
    instead, changed : the cards in place of A and the log with them, or None.
    path : the file written, or None.
    """

    log: list[dict[str, Any]]
    game: int
    seed: int
    room: Room
    board: str
    crews: tuple[Crew, Crew]
    instead: Crew | None = None
    changed: list[dict[str, Any]] | None = None
    path: Path | None = None

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The log as the page and the sentences have it: side 0 is A."""
        return _shown(self.log, self.game, self.crews)

    @property
    def told(self) -> str:
        """What the change did; empty without one."""
        if self.instead is None:
            return ""
        text = _("With {cards} in place of {squad}, game {game} on the same dice: {before} became {after}.")
        return text.format(
            cards=self._cards, squad=self.crews[0].label(), game=self.game,
            before=_result(self.shown), after=_result(self._shown_changed),
        )  # fmt: skip

    @property
    def _shown_changed(self) -> list[dict[str, Any]]:
        assert self.instead is not None
        assert self.changed is not None
        return _shown(self.changed, self.game, (self.instead, self.crews[1]))

    @property
    def _cards(self) -> str:
        """The cards in place of A, by their name, or as the user wrote them where the name is the same."""
        assert self.instead is not None
        label = self.instead.label()
        return label if label != self.crews[0].label() else self.instead.reference

    def page(self) -> str:
        """The replay as HTML: one file that needs no network."""
        from morsdei_sim.reporting.replay import compare_page, replay_page

        if self.changed is not None:
            return compare_page(self.shown, self._shown_changed, self.told)
        one, other = (crew.label() for crew in self.crews)
        title = _("{one} against {other}, game {game}").format(one=one, other=other, game=self.game)
        return replay_page(self.shown, title=title)

    def text(self) -> str:
        """The game in sentences."""
        from morsdei_sim.reporting.transcript import transcript

        if self.changed is None:
            return transcript(self.shown)
        return "\n\n".join([transcript(self.shown), self.told, transcript(self._shown_changed)])

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the verb (docs/json.md): what came of the game and where its file is."""
        entry = document(
            "replay", self.room, engine="sample", trials=1, seed=self.seed, game=self.game,
            board=self.board, squads=[side["squad"] for side in self.shown[0]["sides"]],
            bots=[side["bot"] for side in self.shown[0]["sides"]], events=len(self.log) - 1, **_end(self.shown),
            path=None if self.path is None else str(self.path),
        )  # fmt: skip
        return entry if self.changed is None else entry | {"changed": _end(self._shown_changed)}

    def to_frame(self) -> pd.DataFrame:
        """One row an event."""
        import pandas as pd

        return pd.DataFrame(self.log[1:])

    def plot(self, ax: Any = None) -> Any:
        """Draw the VP of both sides as the game went on; returns the Axes."""
        from matplotlib import pyplot as plt

        if ax is None:
            _fig, ax = plt.subplots(layout="constrained")
        steps = [(event["n"], event["vp"]) for event in self.shown[1:] if "vp" in event]
        for side, crew in enumerate(self.crews):
            ax.step([0, *(n for n, _vp in steps)], [0, *(vp[side] for _n, vp in steps)], where="post",
                    label=f"{'AB'[side]}: {crew.label()}")  # fmt: skip
        ax.set_xlabel(_("event"))
        ax.set_ylabel(_("VP"))
        ax.legend()
        return ax

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        end = _end(self.shown)
        text = _("Game {game}: {result}, {one} : {other} VP, {events} events.")
        line = text.format(
            game=self.game, result=_result(self.shown), one=end["vp"][0], other=end["vp"][1], events=len(self.log) - 1
        )
        lines = [line, *([self.told] if self.told else []), *([str(self.path)] if self.path else [])]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The page in a frame of its own."""
        page = html.escape(self.page())
        return f'<iframe srcdoc="{page}" width="100%" height="760" style="border:1px solid #888"></iframe>'


@checked
def replay(
    squad: str,
    other: str,
    *,
    board: str | None = None,
    bots: str | Player | Sequence[str | Player] | None = None,
    game: int = 0,
    instead: str | None = None,
    out: str | Path | None = None,
    seed: int = 1,
    rules: dict[str, int | str | bool] | None = None,
    ruleset: str = "morsdei",
) -> Replay:
    """Tell one game of `battle` by its number: who moved, shot and fought, with every die.

    Parameters
    ----------
    squad, other, board, bots, seed, rules : as of `battle`; the same words give the same games.
    game : its number there; in odd ones the squads have changed sides.
    instead : cards to play in place of `squad`: the first game from `game` on is told, with both, that the change
        turned in favour of A (from lost to drawn or won, from drawn to won), on the same dice.
    out : a file to write: ``.html`` (a page to play), ``.jsonl`` (the log), ``.txt`` (sentences).

    Returns
    -------
    Replay

    Raises
    ------
    UserError : an unknown board, bot, squad, rule; no game turned among 2,000; a file of another kind.
    CardFaults : cards or a board that cannot be read.

    Examples
    --------
    >>> from morsdei_sim import replay
    >>> replay("line", "mirror", bots="random", game=4).to_dict()["vp"]
    [0, 0]
    """
    chosen = room_with("replay", ruleset)
    from morsdei_sim.rulesets.morsdei.game import setting
    from morsdei_sim.rulesets.morsdei.game.series import MOST_GAMES

    target = _target(out, instead is not None)
    if not 0 <= game < MOST_GAMES:
        raise UserError(_("game {game}: games have the numbers 0 to {most}").format(game=game, most=MOST_GAMES - 1))
    names = words(board) or [setting.DEFAULT_BOARD]
    if len(names) > 1 or names[0].lower() == "all":
        raise UserError(_("A replay is of one board."))
    told = _Told(names[0], words(bots), (squad, other), seed, rules or {})
    if instead is None:
        found = Replay(told.log(squad, game), game, seed, chosen, told.board.key, told.crews(squad), path=target)
    else:
        turned = told.turned(instead, game)
        found = Replay(
            told.log(squad, turned), turned, seed, chosen, told.board.key, told.crews(squad),
            told.crews(instead)[0], told.log(instead, turned), target,
        )  # fmt: skip
    if target is not None:
        _write(found, target)
    return found


class _Told:
    """A battle as `battle` plays it, whose games can be told."""

    def __init__(
        self, board: str, bots: list[str], squads: tuple[str, str], seed: int, rules: dict[str, int | str | bool]
    ) -> None:
        from morsdei_sim.rulesets.morsdei.game import setting

        self.board = boards_named([board])[0]
        self.book, self.numbers = setting.game_rules(rules)
        self.leaders, self.seed = setting.players(bots), seed
        self.squad, self.other = squads

    def crews(self, squad: str) -> tuple[Crew, Crew]:
        """Both squads, with these cards as A."""
        from morsdei_sim.rulesets.morsdei.game.setting import crew

        return crew(squad, self.book), crew(self.other, self.book)

    def series(self, squad: str) -> Series:
        """The battle with these cards as A."""
        from morsdei_sim.rulesets.morsdei.game.setting import series

        return series(self.board, self.crews(squad), self.leaders, self.seed, self.book, self.numbers)

    def log(self, squad: str, game: int) -> list[dict[str, Any]]:
        """One game, told."""
        from morsdei_sim.rulesets.morsdei.game.chronicle import chronicle
        from morsdei_sim.rulesets.morsdei.game.setting import ready

        crews = self.crews(squad)
        found = chronicle(
            ready(self.board, crews, self.book), [crew.cards for crew in crews], self.leaders,
            (1, 0) if game & 1 else (0, 1), seed=self.seed, game=game >> 1, rules=self.book, battle=self.numbers,
            names=(crews[0].reference, crews[1].reference),
        )  # fmt: skip
        return [found[0] | {"game": game}, *found[1:]]  # mirrored games share the number of their dice

    def turned(self, instead: str, first: int) -> int:
        """The first game that ends better for A with other cards."""
        before, after = self.series(self.squad), self.series(instead)
        for game in range(first, first + SEARCH):
            if _points(after, game) > _points(before, game):
                return game
        text = _("{cards} in place of {squad} turned none of {games} games from number {first} on in favour of A.")
        raise UserError(text.format(cards=instead, squad=self.squad, games=SEARCH, first=first))


def _points(series: Series, game: int) -> int:
    """0 when A lost, 1 for a draw, 2 when A won; in odd games A sits on side 1."""
    from morsdei_sim.rulesets.morsdei.game.battle import result

    end: int = result(series.one(game).record)  # type: ignore[no-untyped-call]
    return end if game & 1 else 2 - end


def _shown(log: list[dict[str, Any]], game: int, crews: tuple[Crew, Crew]) -> list[dict[str, Any]]:
    from morsdei_sim.reporting.cast import seated

    return seated(log, bool(game & 1), [crew.label() for crew in crews])


def _end(log: list[dict[str, Any]]) -> dict[str, Any]:
    last = log[-1]
    return {"result": last["result"], "wiped_out": bool(last["wiped_out"]), "vp": last["vp"]}


def _result(log: list[dict[str, Any]]) -> str:
    from morsdei_sim.reporting.cast import squad

    end = _end(log)
    if end["result"] == 1:
        return _("a draw")
    winner = end["result"] // 2
    text = _("full victory of {squad} ({side})") if end["wiped_out"] else _("{squad} ({side}) wins")
    return text.format(squad=squad(log[0]["sides"][winner]), side="AB"[winner])


def _target(out: str | Path | None, two_games: bool) -> Path | None:
    """Where the file goes, checked before the work."""
    from morsdei_sim.cards.output import check_destination

    if out is None:
        return None
    target = Path(out)
    if target.suffix.lower() not in ENDINGS:
        raise UserError(_("{file}: the name must end in {kinds}").format(file=target, kinds=", ".join(ENDINGS)))
    if two_games and ENDINGS[target.suffix.lower()] == "log":
        raise UserError(_("{file}: a log is of one game; write a page or a text").format(file=target))
    check_destination(target, True)
    return target


def _write(found: Replay, target: Path) -> None:
    from morsdei_sim.cards.output import save
    from morsdei_sim.rulesets.morsdei.game.chronicle_form import lines

    kind = ENDINGS[target.suffix.lower()]
    content = found.page() if kind == "page" else found.text() if kind == "text" else lines(found.log)
    save(target, content.encode("utf-8"), True)
