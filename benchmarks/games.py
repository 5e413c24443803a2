"""Whole MORSDEI games, 5 v 5 (`line` against itself), on one core: games a second of every bot, on two boards.

Bars: 5,000 for the greedy bots that use cover, 500 for the tactician. Processor time in one process, everything
compiled and the boards made ready before; the median of seven rounds in which the bots take turns (the searcher, which
plays games to choose an action, is timed once). There is no rival to measure beside: no other simulator knows these
rules.
"""

from __future__ import annotations

from functools import partial
from statistics import median
from typing import Any

from bench import Row, main, rounds

SQUAD = "line"
BOARDS = ("twin-yards", "container-row")
GREEDY, PLANNING = 5000, 500
BARS = {"rusher": GREEDY, "gunline": GREEDY, "looter": GREEDY, "cautious": GREEDY, "tactician": PLANNING}
"""Games a second. The random bot does not look for cover."""

SLOW = ("searcher",)

HINTS = {
    GREEDY: "weighing the places in reach, `simple.go`: 45 % of the looter's time on twin-yards, paths past enemies "
    "11 %, deployment 5 %, nothing else more than 5 %",
    PLANNING: "weighing the places in reach, `plan.search`, and what attacks are worth, `weigh.learn`",
}
"""Where the time goes, by the bar that was missed: by `python -m benchmarks.procedures`, 2026-11-30."""

WORK = 0.25
"""Seconds, about, that one measurement of a bot takes."""


def series_of(place: str, bot: str) -> Any:
    """A battle of the squad against itself under one bot, ready to be played."""
    from morsdei_sim.rulesets.morsdei.game import boards, setting

    book, numbers = setting.game_rules({})
    crews = [setting.crew(SQUAD, book)] * 2
    return setting.series(boards.board(place), crews, setting.players([bot]), 1, book, numbers)


def check(series: Any, name: str) -> None:
    """Stops when a bot answers what the rules forbid, or when a game is not played to an end."""
    counts = series.play(2)
    faults, ended = int(counts.tables.faulty[0]), sum(counts.results)
    if faults or ended != counts.games:
        raise SystemExit(f"{name}: {faults} of {counts.games} games with faults, {ended} ended")


def enough(series: Any) -> int:
    """Games that take about WORK seconds: an even number, two at least."""
    (once,) = rounds({"two": partial(series.play, 2)}, 1)["two"]
    return max(2, 2 * round(WORK / once))


def measure(quick: bool = False, long: bool = False) -> list[Row]:
    """Games a second of every bot, one line a bot."""
    from morsdei_sim.rulesets.morsdei.game.bots import BOTS

    ready = {(bot, place): series_of(place, bot) for bot in BOTS for place in BOARDS}
    for (bot, place), series in ready.items():
        check(series, f"{bot} on {place}")
    games = {key: 2 if quick or key[0] in SLOW else enough(series) for key, series in ready.items()}
    calls = {key: partial(series.play, games[key]) for key, series in ready.items()}
    slow = {" ".join(key): call for key, call in calls.items() if key[0] in SLOW}
    others = {" ".join(key): call for key, call in calls.items() if key[0] not in SLOW}
    times = rounds(others, 1 if quick else 7) | rounds(slow, 1)
    rows = []
    for bot in BOTS:
        speeds = [games[bot, place] / median(times[f"{bot} {place}"]) for place in BOARDS]
        said = " / ".join(map(_grouped, speeds))
        bar = BARS.get(bot)
        if bar is None:
            rows.append(Row(f"games-{bot}", f"{said} games/s"))
        else:
            met = min(speeds) >= bar
            hint = "" if met else HINTS[bar]
            rows.append(Row(f"games-{bot}", f"{said} games/s", bar=f"≥ {_grouped(bar)}/s", met=met, hint=hint))
    return rows


def _grouped(speed: float) -> str:
    """Three digits, in groups: `12 300`; `0.43` when it is slow."""
    if speed < 100:
        return f"{speed:.2g}"
    return f"{round(speed, 3 - len(str(int(speed)))):,.0f}".replace(",", " ")


if __name__ == "__main__":
    main(__doc__, measure)
