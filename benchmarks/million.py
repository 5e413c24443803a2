"""A million whole MORSDEI games: which rules matter how often, which never, and what the seats are worth.

    python -m benchmarks.million                    prints the tables of docs/findings/million-games.md
    python -m benchmarks.million --write            and writes them there
    python -m benchmarks.million --games 1000       fewer games

Every board that comes along, every bot but the searcher (one game of which takes a second) against itself, five pairs
of squads each, in mirrored pairs of games on the same dice.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from morsdei_sim.fight.intervals import mean_and_variance, share_interval
from morsdei_sim.rulesets.morsdei.game import boards, setting
from morsdei_sim.rulesets.morsdei.game.bots import BOTS
from morsdei_sim.rulesets.morsdei.game.counting import GAMES, SUM
from morsdei_sim.rulesets.morsdei.game.ledger import FIRED
from morsdei_sim.rulesets.morsdei.game.series import Counts
from morsdei_sim.rulesets.morsdei.game.summary import SHARES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "findings" / "million-games.md"
START, END = "<!-- made by benchmarks/million.py -->", "<!-- /made -->"
SQUADS = ("line", "mirror", "cleavers", "scavengers", "bulwark")
PAIRS = tuple(zip(SQUADS, (*SQUADS[2:], *SQUADS[:2]), strict=True))
PLAYERS = tuple(bot for bot in BOTS if bot != "searcher")
SEED = 2026


class Played(NamedTuple):
    """What was counted with one bot on one board."""

    board: boards.Board
    bot: str
    counts: list[Counts]

    def share(self, name: str) -> tuple[float, float, float]:
        """One of `summary.SHARES` over all squads: the mean and its 95 % interval."""
        values = SHARES[name]
        means = ((values[:, None] + values[None, :]) / 2).ravel()
        units = np.sum([one.tables.pairs for one in self.counts], axis=0).ravel()
        return mean_and_variance(means, units)[0], *share_interval(means, units)


def play(games: int) -> list[Played]:
    """About so many games in all."""
    book, numbers = setting.game_rules({})
    crews = {name: setting.crew(name, book) for name in SQUADS}
    each = max(2, 2 * round(games / len(boards.boards()) / len(PLAYERS) / len(PAIRS) / 2))
    found = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for place in boards.boards():
            for bot in PLAYERS:
                counts = [
                    setting.series(
                        boards.board(place), [crews[one], crews[other]], setting.players([bot]), SEED, book, numbers
                    ).play(each, executor=pool)
                    for one, other in PAIRS
                ]
                found.append(Played(boards.board(place), bot, counts))
                print(f"{place}, {bot}: {sum(one.games for one in counts)} games", file=sys.stderr, flush=True)
    return found


def rules_table(played: Sequence[Played]) -> list[str]:
    """How often each rule mattered, by bot: times in 1,000 games; in how many games of all."""
    games = {bot: sum(c.games for one in played if one.bot == bot for c in one.counts) for bot in PLAYERS}
    times: Counter[tuple[str, str]] = Counter()
    happened: Counter[str] = Counter()
    for one in played:
        for counts in one.counts:
            for rule, cells in zip(FIRED, counts.tables.fired, strict=True):
                times[rule, one.bot] += int(cells[SUM])
                happened[rule] += int(cells[GAMES])
    total = sum(games.values())
    lines = [
        f"Times in 1,000 games of each bot, and the games of all {total:,} in which the rule mattered at least once.",
        "",
        f"| rule | {' | '.join(PLAYERS)} | games |",
        f"|---|{'---|' * (len(PLAYERS) + 1)}",
    ]
    for rule in FIRED:
        cells = [_plain(1000 * times[rule, bot] / games[bot]) for bot in PLAYERS]
        lines.append(f"| {rule} | {' | '.join(cells)} | {happened[rule]:,} |")
    never = [rule for rule in FIRED if not happened[rule]]
    lines += ["", f"**Never in {total:,} games**: {'; '.join(never) if never else 'none of them'}."]
    for bot in PLAYERS:
        missing = [rule for rule in FIRED if not times[rule, bot]]
        if missing:
            lines.append(f"Never in {games[bot]:,} games of `{bot}`: {'; '.join(missing)}.")
    return lines


def _plain(number: float) -> str:
    return "0" if number == 0 else f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def seats_table(played: Sequence[Played], name: str) -> list[str]:
    """A share by board and bot, in per cent."""
    lines = [f"| board | {' | '.join(PLAYERS)} |", f"|---|{'---|' * len(PLAYERS)}"]
    for place in dict.fromkeys(one.board.key for one in played):
        row = [one for one in played if one.board.key == place]
        mark = "" if row[0].board.symmetric else " *"
        cells = []
        for one in row:
            value, low, high = one.share(name)
            cells.append(f"{100 * value:.1f} ±{50 * (high - low):.1f}")
        lines.append(f"| {place}{mark} | {' | '.join(cells)} |")
    return lines


def faults(played: Sequence[Played]) -> str:
    """Whether every game was played to an end without an answer that the rules forbid."""
    counts = [one for each in played for one in each.counts]
    bad, ended = sum(int(one.tables.faulty[0]) for one in counts), sum(sum(one.results) for one in counts)
    return f"Games: {sum(one.games for one in counts):,}; ended: {ended:,}; with a fault of a bot: {bad:,}."


def report(played: Sequence[Played], seconds: float) -> str:
    """Everything between the marks of the page."""
    return "\n".join([
        f"{faults(played)} Seed {SEED}, {seconds / 60:.0f} minutes on {os.cpu_count()} cores.", "",
        "## Which rules matter", "", *rules_table(played), "",
        "## What it is worth to begin", "",
        "Score in per cent of whoever has the first turn of round one, with the half-width of the 95 % interval"
        " (* the board is not symmetric).", "", *seats_table(played, "first_player_score"), "",
        "## What a zone is worth", "",
        "Score in per cent of whoever is set up in zone 0. The bots draw their zone, so this is the zone alone, not"
        " who sets up second.", "", *seats_table(played, "zone_0_score"),
    ])  # fmt: skip


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    start = time.monotonic()
    played = play(chosen.games)
    text = report(played, time.monotonic() - start)
    print(text)
    if chosen.write:
        page = PAGE.read_text(encoding="utf-8")
        head, rest = page.split(START)
        PAGE.write_text(f"{head}{START}\n{text}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
