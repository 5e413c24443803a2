"""What the verbs about whole games share: boards by name, numbers of games, text."""

from __future__ import annotations

import html
from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.answer import SCHEMA_VERSION
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, decimal
from morsdei_sim.rulesets import Room

if TYPE_CHECKING:
    from morsdei_sim.rulesets.morsdei.game.boards import Board
    from morsdei_sim.rulesets.morsdei.game.summary import Known

__all__ = [
    "aligned",
    "boards_named",
    "check_games",
    "document",
    "grouped",
    "html_table",
    "loot_barred",
    "short",
    "spread",
    "words",
]


def words(given: Any) -> list[Any]:
    """Names given as a list or with commas; none for None. What is no text, such as a bot, stays as it is."""
    parts = [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]
    found: list[Any] = []
    for part in parts:
        found += [word.strip() for word in part.split(",") if word.strip()] if isinstance(part, str) else [part]
    return found


def boards_named(names: list[str]) -> list[Board]:
    """Boards by name or file, each once; "all" stands for all that come along."""
    from morsdei_sim.rulesets.morsdei.game import boards

    wanted: list[str] = []
    for name in names:
        wanted += boards.boards() if name.lower() == "all" else [name]
    return list({found.file: found for found in map(boards.board, wanted)}.values())


def loot_barred(board: Board, points: Sequence[int]) -> str:
    """That nobody can take the loot at these points, counted from 1."""
    text = _("{board}: there is no place from which loot point {points} can be looted.")
    return text.format(board=board.label(), points=", ".join(map(str, points)))


def check_games(games: int | None, usual: int) -> int:
    """A number of games, made even: they come in mirrored pairs."""
    from morsdei_sim.rulesets.morsdei.game.series import MOST_GAMES

    if games is not None and not 1 <= games <= MOST_GAMES:
        raise UserError(_("{games} games: 1 to {most} are possible").format(games=games, most=MOST_GAMES))
    wanted = usual if games is None else games
    return wanted + wanted % 2


def grouped(number: int) -> str:
    """A count in groups of three."""
    return f"{number:,}".replace(",", " ")


def short(value: float, low: float, high: float, scale: float = 1.0) -> str:
    """`0.68 ±0.03`: no finer than it is known; the wider side of the interval, rounded up."""
    half = max(high - value, value - low) * scale
    digits = min(4, max(0, -floor(log10(half)))) if half > 0 else 2
    step: int = 10**digits
    return decimal(f"{round(value * scale, digits) + 0.0:.{digits}f} ±{ceil(half * step - 1e-9) / step:.{digits}f}")


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of a table as lines: the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            f"{cell:<{width}}" if place == 0 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def html_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of a table as HTML."""
    lines = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def spread(known: Sequence[Known]) -> list[list[float]]:
    """How far the intervals reach below and above, as error bars want it."""
    return [[one.value - one.low for one in known], [one.high - one.value for one in known]]


def document(verb: str, chosen: Room, **settings: Any) -> dict[str, Any]:
    """How the JSON document of a verb about games begins."""
    head = {"schema_version": SCHEMA_VERSION, "verb": verb, "ruleset": chosen.name, "ruleset_version": chosen.version}
    return head | settings
