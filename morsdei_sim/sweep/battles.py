"""Whole games: every squad against every other, on the board and led by the bot that play unless others are named, as
tidy frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from morsdei_sim.cards import locate, read
from morsdei_sim.cards.squad import files_of
from morsdei_sim.errors import UserError
from morsdei_sim.fight.outcome import Z95
from morsdei_sim.lang import _
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import Room, room

__all__ = ["GAMES", "MOST_SQUADS", "Battles", "Plan", "plan", "play_all", "rules_of_exchanges"]

GAMES = 4000
"""Games in all, shared among the pairings: about half a minute on 2 cores."""

FEWEST, MOST = 100, 1000
"""Games of a pairing, whatever its share."""

MOST_SQUADS = 12

FEWEST_FIGHTERS = 3
"""A file with fewer is a card or two being worked on, no squad to send against five others unless that is asked for."""

SHARES = ("by_squads", "by_first", "by_dice")
"""Parts of the spread of results, see `_decided`."""

COLUMNS = {
    "squads": ["squad", "name", "name_ru", "fighters", "own"],
    "games": ["one", "other", "games", "faulty", "figure", "estimate", "low", "high"],
    "game_fighters": ["squad", "opponent", "card", "name", "name_ru", "count", "figure", "estimate", "low", "high"],
}

Known = tuple[float, float, float]
"""Estimate, low, high."""


@dataclass(frozen=True)
class Battles:
    """What squads did in whole games; every figure with its 95 % interval.

    Attributes
    ----------
    squads : one row per squad that played; `squad` is what it was called by, `own` whether the user named it.
    games : a figure of a pairing per row: shares of games and means per game as the verb `battle` has them, and what
        decides a game (`by_squads`, `by_first`, `by_dice`).
    fighters : a figure of a card per row, per fighter of it and game, against one opponent.
    notes : what was left out, and why.
    provenance : bot, board, games of each pairing, seed, rules.
    """

    squads: pd.DataFrame
    games: pd.DataFrame
    fighters: pd.DataFrame
    notes: tuple[str, ...]
    provenance: dict[str, Any]

    def frames(self) -> dict[str, pd.DataFrame]:
        """Every frame by its name."""
        return {"squads": self.squads, "games": self.games, "game_fighters": self.fighters}

    def pairings(self) -> list[tuple[str, str]]:
        """Who played whom."""
        return list(dict.fromkeys(zip(self.games["one"], self.games["other"], strict=True)))


class Plan(NamedTuple):
    """Who will meet whom, before anything is played.

    Attributes
    ----------
    own : the squads that the user named.
    pairs : squads by what they are called.
    games : of each pair, even: they come in mirrored pairs on the same dice.
    """

    room: Room
    own: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    games: int
    notes: tuple[str, ...] = ()


# ── who meets whom ────────────────────────────────────────────────────────────────────────────────────────────────────


def plan(ruleset: str = "morsdei", cards: Sequence[str] | None = None, games: int | None = None) -> Plan | None:
    """Who will meet whom; None where no games are played: the room has none, single cards are named, or `games` is 0.

    Several squads meet each other; one squad meets itself and the squads that come with the room, provided that it has
    3 fighters or more or that a number of games is given, an even one.

    Raises
    ------
    UserError : a number of games where none can be played.
    """
    chosen = room(ruleset)
    if games == 0:
        return None
    squads = _squads(chosen, cards) if chosen.plays_games else {}
    if not squads:
        if games is not None:
            raise UserError(_why_not(chosen))
        return None
    own = tuple(squads)
    if len(own) > MOST_SQUADS:
        text = _("{count} squads are too many for whole games of each against each other: at most {most}.")
        return Plan(chosen, own, (), 0, (text.format(count=len(own), most=MOST_SQUADS),))
    if len(own) > 1:
        pairs = tuple(combinations(own, 2))
    elif games is None and _fighters(chosen, squads[own[0]]) < FEWEST_FIGHTERS:
        return None
    else:
        mine = set(squads.values())
        others = [one for one, path in _squads(chosen, None).items() if path not in mine]
        pairs = ((own[0], own[0]), *((own[0], one) for one in others))
    return Plan(chosen, own, pairs, games or share_of_games(len(pairs)))


def rules_of_exchanges(planned: Plan, rules: dict[str, int | str | bool]) -> dict[str, int | str | bool]:
    """Of changed numbers of the rulebook those that are not of the whole game alone.

    Raises
    ------
    UserError : every unknown name and value out of range.
    """
    package = f"morsdei_sim.rulesets.{planned.room.name}.game"
    import_module(f"{package}.setting").game_rules(rules)
    whole = import_module(f"{package}.world").Battle._fields
    return {name: number for name, number in rules.items() if name not in whole}


def share_of_games(pairs: int) -> int:
    """Games of each of so many pairings unless a number is asked for."""
    share = min(MOST, max(FEWEST, GAMES // pairs))
    return share - share % 2


def _fighters(chosen: Room, file: Path) -> int:
    return sum(card.count for card in read(file, chosen.model))


def _why_not(chosen: Room) -> str:
    if not chosen.plays_games:
        return _("The ruleset {ruleset} plays no whole games.").format(ruleset=chosen.name)
    return _("Whole games need whole squads: name squads or files and no single fighters, or leave out --games.")


def _squads(chosen: Room, references: Sequence[str] | None) -> dict[str, Path]:
    """The squads named and their files, each once; none at all where a single card is among them."""
    folder = profiles_dir() / chosen.name
    found: dict[Path, str] = {}
    if references is None:
        field = chosen.part("variants", "FIELD")
        found = {path.resolve(): path.stem for path in files_of(folder) if path.name != field}
    for reference in references or ():
        text = str(reference).strip()
        if Path(text).is_dir():
            for path in files_of(Path(text)):
                found.setdefault(path.resolve(), str(path))
            continue
        path, fighter = locate(text, folder)
        if fighter:
            return {}
        found.setdefault(path.resolve(), text)
    return {name: path for path, name in found.items()}


# ── playing ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def play_all(
    planned: Plan, rules: dict[str, int | str | bool] | None = None, *, seed: int = 1, jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Battles:  # fmt: skip
    """Play every pairing. Squads and pairings that a battle refuses are left out, with a note.

    Every pairing is played as `battle` plays it, on the same seed: so it can be repeated by itself, and so the games of
    two pairings are not independent.

    Parameters
    ----------
    jobs : threads, one per processor core unless given; the numbers do not depend on it.
    progress : called with (games played, games in all).
    """
    match = _Match(planned, rules or {}, seed, progress)
    with match.runs.playing(jobs) as executor:
        for one, other in planned.pairs:
            match.meet(one, other, executor)
    return match.battles()


class _Match:
    """Pairings played one after another, and what came of them."""

    def __init__(
        self, planned: Plan, rules: dict[str, Any], seed: int, progress: Callable[[int, int], None] | None
    ) -> None:
        self.planned, self.rules, self.seed = planned, rules, seed
        package = f"morsdei_sim.rulesets.{planned.room.name}.game"
        self.setting, self.runs, self.summary, boards = (
            import_module(f"{package}.{name}") for name in ("setting", "runs", "summary", "boards")
        )
        self.board = boards.board(self.setting.DEFAULT_BOARD)
        self.bot: str = self.setting.DEFAULT_BOT
        self.leaders = self.setting.players([self.bot])
        self.progress = self.runs.Progress(progress, planned.games * len(planned.pairs))
        self.left_out: dict[str, list[str]] = {}
        self.games: list[tuple[Any, ...]] = []
        self.fighters: list[tuple[Any, ...]] = []
        self.crews = self._crews()

    def _crews(self) -> dict[str, Any]:
        """The squads that may take part, ready for battle."""
        names = dict.fromkeys((*self.planned.own, *(one for pair in self.planned.pairs for one in pair)))
        found: dict[str, Any] = {}
        if not self.planned.pairs:
            return found
        try:
            self.book, self.numbers = self.setting.game_rules(self.rules)
        except UserError as reason:
            self._leave_out("", reason)
            return found
        for name in names:
            try:
                found[name] = self.setting.crew(name, self.book)
            except UserError as reason:
                self._leave_out("", reason)
        return found

    def _leave_out(self, whom: str, reason: UserError) -> None:
        self.left_out.setdefault(str(reason).replace("\n", "; "), []).append(whom)

    def meet(self, one: str, other: str, executor: Executor | None) -> None:
        """Play one pairing, if both squads may take part."""
        if one in self.crews and other in self.crews:
            crews = self.crews[one], self.crews[other]
            try:
                series = self.setting.series(self.board, crews, self.leaders, self.seed, self.book, self.numbers)
            except UserError as reason:  # bases of too many sizes, weapons too large
                self._leave_out(f"{crews[0].label()} – {crews[1].label()}", reason)
            else:
                self._read(one, other, series.play(self.planned.games, 0, executor, self.progress.step))
                return
        self.progress.step(self.planned.games)

    def _read(self, one: str, other: str, counts: Any) -> None:
        """The figures of a pairing into the rows."""
        known = {name: self.summary.share(counts, name) for name in self.summary.SHARES}
        means = [name for name in self.summary.TITLES if name not in known]
        known |= {name: self.summary.figure(counts, name) for name in means}
        found = {name: (value.value, value.low, value.high) for name, value in known.items()}
        head = (one, other, counts.games, int(counts.tables.faulty[0]))
        self.games += [(*head, name, *value) for name, value in (found | _decided(found)).items()]
        cards = [(one, other, card) for card in counts.squads[0]] + [(other, one, card) for card in counts.squads[1]]
        for number, (squad, opponent, card) in enumerate(cards):
            if one == other and number >= len(counts.squads[0]):
                break  # against itself both sides do the same
            named = (squad, opponent, card.id or card.name, card.name, card.name_ru or card.name, card.count)
            for name in self.summary.CARD_FIGURES:
                value = self.summary.card_figure(counts, number, name)
                self.fighters.append((*named, name, value.value, value.low, value.high))

    def battles(self) -> Battles:
        """Everything that was played, as frames."""
        met = {name for row in self.games for name in row[:2]}
        squads = [
            (name, crew.name, crew.name_ru or crew.name, crew.fighters, name in self.planned.own)
            for name, crew in self.crews.items()
            if name in met
        ]
        rows = {"squads": squads, "games": self.games, "game_fighters": self.fighters}
        notes = [f"{', '.join(whom)}: {reason}" if any(whom) else reason for reason, whom in self.left_out.items()]
        provenance = {
            "bot": self.bot, "board": self.setting.DEFAULT_BOARD, "board_name": self.board.name,
            "board_name_ru": self.board.name_ru or self.board.name, "games": self.planned.games, "seed": self.seed,
            "rules": dict(self.rules),
        }  # fmt: skip
        frames = {name: pd.DataFrame(rows[name], columns=columns) for name, columns in COLUMNS.items()}
        return Battles(
            frames["squads"], frames["games"], frames["game_fighters"], (*self.planned.notes, *notes), provenance
        )


def _decided(found: dict[str, Known]) -> dict[str, Known]:
    """How the spread of results divides: which squad one leads, who begins, and all else, above all the dice.

    A result counts 1, ½ or 0 for either squad alike, so it spreads by (1 - draws) / 4 around ½. Of that, a squad that
    scores s explains (s - ½) ** 2, less what chance alone makes of it; likewise the one who begins (mirrored pairs
    keep the two apart). The bounds take the worst of both intervals, so they are never too narrow.
    """
    draws, low, high = found["draws"]
    if draws >= 1:
        return dict.fromkeys(SHARES, (nan, nan, nan))
    parts = [
        _explained(found[name], (1 - draws) / 4, (1 - high) / 4, (1 - low) / 4)
        for name in ("score", "first_player_score")
    ]
    rest = 1 - sum(part[0] for part in parts)
    least, most = 1 - sum(part[2] for part in parts), 1 - sum(part[1] for part in parts)
    return dict(zip(SHARES, (*parts, (max(0.0, rest), max(0.0, least), min(1.0, most))), strict=True))


def _explained(score: Known, spread: float, least: float, most: float) -> Known:
    """The share of a spread that a score other than ½ explains."""
    value, low, high = (part - 0.5 for part in score)
    chance = ((high - low) / 2 / Z95) ** 2
    nearest = 0.0 if low <= 0 <= high else min(low**2, high**2)
    farthest = max(low**2, high**2)
    share = min(1.0, max(0.0, value**2 - chance) / spread)
    return share, min(share, nearest / most), min(1.0, farthest / least if least > 0 else 1.0)
