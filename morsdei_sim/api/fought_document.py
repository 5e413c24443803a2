"""A board in the JSON document of `battle` (docs/json.md): figures with intervals, cards, rules that mattered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from morsdei_sim.api.fought import Fought
    from morsdei_sim.rulesets.morsdei.game.summary import Known

__all__ = ["entry", "figures"]


def figures() -> tuple[str, ...]:
    """All figures of games, those of results first."""
    from morsdei_sim.rulesets.morsdei.game.counting import FIGURES
    from morsdei_sim.rulesets.morsdei.game.summary import SHARES

    return (*SHARES, *FIGURES)


def entry(one: Fought) -> dict[str, Any]:
    """One board of the JSON document."""
    from morsdei_sim.rulesets.morsdei.game import summary
    from morsdei_sim.rulesets.morsdei.game.frames import cards_frame

    found: dict[str, Any] = {
        "board": one.board.key, "symmetric": one.board.symmetric, "games": one.counts.games,
        "faulty_games": int(one.counts.tables.faulty[0]),
    }  # fmt: skip
    intervals: dict[str, Any] = {}
    for name in figures():
        known = one.known(name)
        found[name], intervals[name] = known.value, list(known.interval)
    distributions, bounds = _distributions(summary.distributions(one.counts))
    found |= distributions
    found["interval"] = intervals | bounds
    rows = cards_frame(one.counts).to_dict("records")
    found["cards"] = [_card(row, one.card_distributions(number)) for number, row in enumerate(rows)]
    found["rules_fired"] = [
        {
            "rule": fired.rule, "per_game": fired.times.value, "share_of_games": fired.games.value,
            "interval": {"per_game": list(fired.times.interval), "share_of_games": list(fired.games.interval)},
        }
        for fired in summary.fired(one.counts)
    ]  # fmt: skip
    return found


def _distributions(chances: dict[str, dict[int, Known]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Distributions as they stand in JSON, and their intervals."""
    return (
        {name: {str(value): known.value for value, known in one.items()} for name, one in chances.items()},
        {name: {str(value): list(known.interval) for value, known in one.items()} for name, one in chances.items()},
    )


def _card(row: Any, chances: dict[str, dict[int, Known]]) -> dict[str, Any]:
    from morsdei_sim.rulesets.morsdei.game.summary import CARD_FIGURES

    distributions, bounds = _distributions(chances)
    head = {name: row[name] for name in ("squad", "card", "name", "name_ru", "count")}
    intervals = {name: [row[f"{name}_low"], row[f"{name}_high"]] for name in CARD_FIGURES}
    return head | {name: row[name] for name in CARD_FIGURES} | distributions | {"interval": intervals | bounds}
