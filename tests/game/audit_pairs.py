"""Every two bots audited for hours: a run that any later one goes on with.

    python tests/game/audit_pairs.py --minutes 60      plays and audits in blocks, bots that have the fewest games first
    python tests/game/audit_pairs.py --minutes 0       says how many there are

Boards, squads and seats change from block to block. What was audited without a foul is counted in
docs/findings/audits.json, by the digest of the sources that played; the first foul ends the run and is told. Games with
an event that is right only within a thousandth of an inch (`referee.audit`) are counted as "in doubt".
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from battle_tools import SQUADS, Match  # noqa: E402
from referee import Foul, audit  # noqa: E402

from morsdei_sim._jit import source_digest  # noqa: E402
from morsdei_sim.rulesets.morsdei.game.boards import boards  # noqa: E402
from morsdei_sim.rulesets.morsdei.game.bots import BOTS  # noqa: E402

PAGE = ROOT / "docs" / "findings" / "audits.json"
PLACES = (*boards(), "arena")
TEAMS = tuple(itertools.permutations(SQUADS, 2))
DOUBT = "in doubt"
BLOCK = 20
"""Games between two bots on one board with one pair of squads."""


def block(bots: tuple[str, str], number: int) -> Match:
    """Board, squads, seats and dice of a block of games: each differs from that of the block before."""
    seats = (number & 1, 1 - (number & 1))
    return Match(PLACES[number % len(PLACES)], TEAMS[7 * number % len(TEAMS)], bots, seats, seed=10_000 + number)


def check(bots: tuple[str, str], number: int) -> int:
    """Audit the games of a block; how many are in doubt. Foul or AssertionError at the first foul or fault of a bot."""
    one, doubts = block(bots, number), 0
    for game in range(BLOCK):
        log = one.told(game)
        try:
            doubts += audit(log)["doubt"] > 0
        except Foul as foul:
            raise AssertionError(f"{one.ready.board.name}, {one.names}, {one.bots}, game {game}: {foul}") from foul
        assert log[-1]["faults"] == 0, f"{one.ready.board.name}, {one.names}, {one.bots}, game {game}: a bot's fault"
    return doubts


def keep(counts: dict[str, dict[str, int]]) -> None:
    """Write the counts, as a whole or not at all."""
    beside = PAGE.with_suffix(".tmp")
    beside.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    beside.replace(PAGE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--most", type=int, default=10_000, help="games of each pair of bots")
    parser.add_argument("--without", action="append", default=[], choices=BOTS, help="a bot that does not play")
    asked = parser.parse_args()
    counts = json.loads(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    pairs = {f"{a} {b}": (a, b) for a, b in itertools.combinations_with_replacement(BOTS, 2)}
    mine = dict.fromkeys((*pairs, DOUBT), 0) | counts.get(source_digest(), {})
    until = time.monotonic() + 60 * asked.minutes
    open_ = [name for name, bots in pairs.items() if not set(bots) & set(asked.without)]
    while time.monotonic() < until and (left := [name for name in open_ if mine[name] < asked.most]):
        name = min(left, key=mine.__getitem__)
        mine[DOUBT] += check(pairs[name], mine[name] // BLOCK)
        mine[name] += BLOCK
        keep(counts | {source_digest(): mine})
    fewest = min(mine[name] for name in open_)
    games = sum(mine[name] for name in pairs)
    print(f"{games} games in all, {mine[DOUBT]} in doubt; at least {fewest} of each pair that was asked for")
    return 0


if __name__ == "__main__":
    sys.exit(main())
