"""Every two bots audited for hours: a run that any later one goes on with.

    python tests/game/audit_pairs.py --minutes 60      plays and audits in blocks, bots that have the fewest games first
    python tests/game/audit_pairs.py --minutes 0       says how many there are
    python tests/game/audit_pairs.py --part 1/2        one of two processes that share the pairs and the file of counts

Boards, squads and seats change from block to block. What was audited without a foul is counted in
docs/findings/audits.json, by the digest of the sources that play; the first foul ends the run and is told. Games with
an event that is right only within a thousandth of an inch (`referee.audit`) are counted as "in doubt".
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import itertools
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from battle_tools import SQUADS, Match  # noqa: E402
from referee import Foul, audit  # noqa: E402

from morsdei_sim.rulesets.morsdei.game.boards import boards  # noqa: E402
from morsdei_sim.rulesets.morsdei.game.bots import BOTS  # noqa: E402

PAGE = ROOT / "docs" / "findings" / "audits.json"
PLACES = (*boards(), "arena")
TEAMS = tuple(itertools.permutations(SQUADS, 2))
PAIRS = {f"{a} {b}": (a, b) for a, b in itertools.combinations_with_replacement(BOTS, 2)}
DOUBT = "in doubt"
BLOCK = 100
"""Games between two bots on one board with one pair of squads: enough that making it ready takes little of the time."""
SEED = 1_000_000
"""Of the first block; blocks of 20 games, of which there once were, began at 10,000: no dice are counted twice."""


def block(bots: tuple[str, str], number: int) -> Match:
    """Board, squads, seats and dice of a block of games: each differs from that of the block before."""
    seats = (number & 1, 1 - (number & 1))
    return Match(PLACES[number % len(PLACES)], TEAMS[7 * number % len(TEAMS)], bots, seats, seed=SEED + number)


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


def digest_of_play() -> str:
    """Hash of the modules of dice, fights and rulesets that are loaded when games are played (12 hex digits).

    Unlike the digest of the kernels' cache it stays when other rulesets or tables of results change.
    """
    digest = hashlib.sha256()
    for name, module in sorted(sys.modules.items()):
        if name.startswith(("morsdei_sim.dice", "morsdei_sim.fight", "morsdei_sim.rulesets")):
            digest.update(name.encode() + b"\0" + Path(str(module.__file__)).read_bytes() + b"\0")
    return digest.hexdigest()[:12]


PLAYED = digest_of_play()


def counted() -> dict[str, dict[str, int]]:
    """The counts of the file, by digest; those of the sources as they are now begin at 0."""
    found = json.loads(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    return found | {PLAYED: dict.fromkeys((*PAIRS, DOUBT), 0) | found.get(PLAYED, {})}


@contextmanager
def alone() -> Iterator[None]:
    """No other process has the folder of the counts while this one does."""
    folder = os.open(PAGE.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def keep(name: str, doubts: int) -> None:
    """Add a block to the counts, whatever others have added since; they are written as a whole or not at all."""
    with alone():
        counts = counted()
        counts[PLAYED][name] += BLOCK
        counts[PLAYED][DOUBT] += doubts
        beside = PAGE.with_suffix(".tmp")
        beside.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        beside.replace(PAGE)


def part(text: str) -> tuple[int, int]:
    """K/N as two numbers."""
    which, _, many = text.partition("/")
    if not (which.isdecimal() and many.isdecimal() and 1 <= int(which) <= int(many)):
        raise argparse.ArgumentTypeError(f"{text!r} is not K/N with K from 1 to N")
    return int(which), int(many)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--most", type=int, default=10_000, help="games of each pair of bots")
    parser.add_argument("--without", action="append", default=[], choices=BOTS, help="a bot that does not play")
    parser.add_argument("--with", dest="among", action="append", default=[], choices=BOTS, help="a bot of every pair")
    parser.add_argument("--part", type=part, default=(1, 1), metavar="K/N", help="every Nth pair of bots, from the Kth")
    asked = parser.parse_args()
    which, many = asked.part
    asked_for = [
        name for name, bots in PAIRS.items() if set(asked.among) <= set(bots) and not set(bots) & set(asked.without)
    ]
    open_ = asked_for[which - 1 :: many]
    until = time.monotonic() + 60 * asked.minutes
    while True:
        mine = counted()[PLAYED]
        left = [name for name in open_ if mine[name] < asked.most]
        if not left or time.monotonic() >= until:
            break
        name = min(left, key=mine.__getitem__)
        keep(name, check(PAIRS[name], mine[name] // BLOCK))
    fewest = min((mine[name] for name in open_), default=0)
    games = sum(mine[name] for name in PAIRS)
    print(f"{games} games in all, {mine[DOUBT]} in doubt; at least {fewest} of each pair that was asked for")
    return 0


if __name__ == "__main__":
    sys.exit(main())
