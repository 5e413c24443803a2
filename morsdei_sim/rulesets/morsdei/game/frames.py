"""Battles as frames: what each card did on average, and single games and fighters, for analyses of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.game.counting import FINE
from morsdei_sim.rulesets.morsdei.game.ledger import TALLY
from morsdei_sim.rulesets.morsdei.game.series import MOST_GAMES, Counts, Series
from morsdei_sim.rulesets.morsdei.game.summary import CARD_FIGURES, card_figure, cards_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MOST_SINGLE", "cards_frame", "fighters_frame", "games_frame"]

MOST_SINGLE = 100_000
"""Games that a frame of single games or fighters may hold."""

MILLION = 1_000_000
UNITS = {"walked": 1_000, "expected": MILLION, "expected_taken": MILLION}
"""What one inch or HP is in the tallies."""


def cards_frame(counts: Counts) -> pd.DataFrame:
    """One row a card: squad ("a" or "b"), card, name, name_ru, count, and of every one of CARD_FIGURES the mean per
    fighter and game with the bounds of its 95 % interval (`kills`, `kills_low`, `kills_high`, …)."""
    import pandas as pd

    rows = []
    for number, (side, card) in enumerate(cards_of(counts.squads)):
        row: dict[str, Any] = {
            "squad": side, "card": card.id, "name": card.name, "name_ru": card.name_ru, "count": card.count
        }  # fmt: skip
        for name in CARD_FIGURES:
            known = card_figure(counts, number, name)
            row |= {name: known.value, f"{name}_low": known.low, f"{name}_high": known.high}
        rows.append(row)
    return pd.DataFrame(rows)


def games_frame(series: Series, games: int, first: int = 0) -> pd.DataFrame:
    """One row a game, from number `first` on, MOST_SINGLE at most; the columns are told in `api.fought.Battle.games`.

    Raises
    ------
    UserError : no such games, or too many.
    """
    import pandas as pd

    return pd.DataFrame([_game_row(series, game, a, state) for game, a, state in _ends(series, games, first)])


def fighters_frame(series: Series, games: int, first: int = 0) -> pd.DataFrame:
    """One row a game and fighter, those of A first; the columns are told in `api.fought.Battle.fighters`.

    Raises
    ------
    UserError : no such games, or too many.
    """
    import pandas as pd

    cards = cards_of(series.squads)
    seats = [_by_card(world.arrays["men"]["card"]) for world in (series.world, series.other)]
    numbers, tallies, alive, hp = [], [], [], []
    for game, a, state in _ends(series, games, first):
        order = seats[a]
        numbers.append(game)
        tallies.append(state["tally"][order])
        alive.append(state["at"][order] >= 0)
        hp.append(state["hp"][order])
    copies = [(side, card.id, copy + 1) for side, card in cards for copy in range(card.count)]
    columns: dict[str, Any] = {"game": np.repeat(numbers, len(copies))}
    for place, name in enumerate(("squad", "card", "copy")):
        columns[name] = np.tile(np.array([one[place] for one in copies]), len(numbers))
    survived, counted = np.concatenate(alive), np.concatenate(tallies)
    columns |= {"survived": survived, "hp": np.where(survived, np.concatenate(hp), 0)}
    for name in (name for name in CARD_FIGURES if name != "survived"):
        columns[name] = _luck(counted) if name == "luck" else _in_units(name, counted)
    return pd.DataFrame(columns)


def _ends(series: Series, games: int, first: int) -> Iterator[tuple[int, int, Any]]:
    """Number, side of A and end of each game."""
    for value, least, most in ((games, 1, MOST_SINGLE), (first, 0, MOST_GAMES - MOST_SINGLE)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
            text = _("{value} single games, or the number of the first: must be a whole number, {least} to {most}")
            raise UserError(text.format(value=value, least=least, most=most))
    for game in range(first, first + games):
        yield game, game & 1 if series.alternate else 0, series.one(game).records[0]


def _game_row(series: Series, game: int, a: int, state: Any) -> dict[str, Any]:
    world = series.other if a else series.world
    luck = _luck(state["tally"][: world.records["fighters"][0]])
    mine = world.arrays["men"]["side"] == a
    first = int(state["first"]) if state["round"] % 2 else 1 - int(state["first"])
    vp_a, vp_b = int(state["vp"][a]), int(state["vp"][1 - a])
    wiped = "" if state["winner"] == 0 else "b" if state["winner"] == 1 + a else "a"
    points = "a" if vp_a > vp_b else "b" if vp_b > vp_a else "draw"
    return {
        "game": game, "side_of_a": a, "zone_of_a": int(state["zone"][a]), "a_first": first == a,
        "result": {"a": "b", "b": "a"}.get(wiped, points), "vp_a": vp_a, "vp_b": vp_b, "margin": vp_a - vp_b,
        "rounds": int(state["round"]), "wiped_out": wiped, "lead_changes": int(state["lead"][1]),
        "luck_a": round(float(luck[mine].sum()), 3), "luck_b": round(float(luck[~mine].sum()), 3),
        "decisions": int(state["decisions"]), "faults": int(state["faults"]),
    }  # fmt: skip


def _by_card(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    """Fighters in the order of their cards, which are numbered through A and B wherever those sit."""
    return np.argsort(cards, kind="stable")


def _in_units(name: str, tallies: NDArray[np.int64]) -> NDArray[Any]:
    """A tally of fighters [fighter, tally] in inches or HP; counts as they are."""
    column = tallies[:, TALLY[name]]
    return column / UNITS[name] if name in UNITS else column


def _luck(tallies: NDArray[np.int64]) -> NDArray[np.float64]:
    """Damage dealt less what the declared attacks do on average, in HP to a thousandth, as runs are counted."""
    part = MILLION // FINE
    expected = (tallies[:, TALLY["expected"]] + part // 2) // part
    luck: NDArray[np.float64] = (FINE * tallies[:, TALLY["damage"]] - expected) / FINE
    return luck
