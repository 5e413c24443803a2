"""An independent referee of MORSDEI battles: it follows a log and checks every event against the atlas.

Slow, plain Python, nothing from the package. `audit` raises `Foul` at the first violation, else it counts how often
each rule mattered. Everything is checked: order and form of events, legality of every choice, every number. What is
taken from the log as it is: dice, and choices that the rules leave free. What is simplified about paths stands in
`referee_paths`, what is simplified about sight in `referee_table`.

    python tests/game/referee.py FILE.jsonl…
"""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import referee_fire
import referee_melee
import referee_moves
import referee_turns
from referee_form import RULES, Foul, check_event, check_header
from referee_state import Battle

__all__ = ["RULES", "Foul", "audit", "audit_file"]

HANDLERS: dict[str, Callable[[Battle, dict[str, Any]], None]] = {
    "zones": referee_turns.on_zones,
    "set-up": referee_turns.on_set_up,
    "starts": referee_turns.on_starts,
    "round": referee_turns.on_round,
    "activated": referee_turns.on_activated,
    "moved": referee_moves.on_moved,
    "aimed": referee_turns.on_aimed,
    "watches": referee_turns.on_watches,
    "looted": referee_moves.on_looted,
    "shot": referee_fire.on_shot,
    "exchange": referee_melee.on_exchange,
    "marker-lost": referee_moves.on_marker_lost,
    "removed": referee_turns.on_removed,
    "finished": referee_turns.on_finished,
    "reaction": referee_turns.on_reaction,
    "contract": referee_turns.on_contract,
    "over": referee_turns.on_over,
}

NAMED = ("fighter", "enemy", "declared", "target", "by")
"""Keys of events that name one fighter."""

LEANS = [lean for lean in itertools.product((0, 1, -1), repeat=2) if lean != (0, 0)]
"""Second looks: walls and bodies a little thicker or thinner, distances a little larger or smaller."""


def one_event(game: Battle, row: dict[str, Any]) -> None:
    """What is due, then the event itself."""
    event = row["event"]
    game.need("W1 W2", game.s.phase != "over", f"{event!r} after the end")
    for key in NAMED:
        if row.get(key, 0) >= len(game.men):
            raise game.foul("FORM", f"there is no fighter {row[key]}")
    referee_turns.settle(game, event)
    game.need("FORM", event == "round" or row["round"] == game.s.round, f"it is round {game.s.round}")
    HANDLERS[event](game, row)


def look_twice(game: Battle, row: dict[str, Any], foul: Foul) -> None:
    """Whether the event is right when what nearly touches does touch, or does not; then it counts as a doubt."""
    before = game.s
    for game.table.walls, game.table.reach in LEANS:
        game.s = before.copy()
        try:
            one_event(game, row)
        except Foul:
            continue
        game.table.walls = game.table.reach = 0
        game.s.count["doubt"] += 1
        return
    raise foul


def audit(log: list[dict[str, Any]]) -> Counter[str]:
    """Check a battle: header, then events.

    Returns
    -------
    How often each rule of `RULES` mattered; "doubt" counts events that are right only within 0.001 inch.

    Raises
    ------
    Foul
        At the first violation.
    """
    if not log:
        raise Foul("FORM", -1, "an empty log")
    check_header(log[0])
    game, events = Battle(log[0]), log[1:]
    kept, since = game.s.copy(), 0
    for number, row in enumerate(events):
        game.number = number
        check_event(row, number)
        try:
            one_event(game, row)
        except Foul as foul:
            game.s = kept
            for earlier in events[since:number]:  # once more, up to where the event was not yet looked at
                one_event(game, earlier)
            look_twice(game, row, foul)
            kept, since = game.s.copy(), number + 1
    if game.s.phase != "over":
        raise Foul("R1 W1 W2", len(log) - 1, "the log ends before the battle is over")
    return Counter(game.s.count)


def audit_file(path: Path) -> Counter[str]:
    """The same for a file of JSON Lines."""
    return audit([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()])


def main(names: list[str]) -> int:
    """Audit files; say what is wrong with each, and which rules never mattered."""
    total: Counter[str] = Counter()
    fouls = 0
    for name in names:
        try:
            found = audit_file(Path(name))
        except (Foul, OSError, ValueError) as fault:
            fouls += 1
            print(f"{name}: {fault}")
        else:
            total += found
    print(f"{len(names) - fouls} of {len(names)} battles are right; doubts: {total['doubt']}")
    print("mattered:", ", ".join(f"{rule} {total[rule]}" for rule in RULES if total[rule]))
    print("never:", ", ".join(rule for rule in RULES if not total[rule]))
    return 1 if fouls else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
