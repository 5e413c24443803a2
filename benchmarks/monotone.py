"""Does a better card ever play worse? All exact: random pairs of profiles, one upgrade at a time, on either side.

    python -m benchmarks.monotone                 the figures of docs/findings/monotone.md (10,000 pairs)
    python -m benchmarks.monotone --pairs 300     the pairs of the default test run

The value of a card is its owner's: of the attacker, what the reading says; of the target, its opposite. Upgrades: +1
die,
Hit better by one, +1 Damage, +1 HP, +1 Defence (shooting only).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np

from morsdei_sim.dice.questions import FIELD
from morsdei_sim.fight import exact, solve
from morsdei_sim.rulesets.morsdei import melee as book
from morsdei_sim.rulesets.morsdei import policies
from morsdei_sim.rulesets.morsdei.exchange import Combatant, face_off, opening
from morsdei_sim.rulesets.morsdei.rules import Rules
from morsdei_sim.rulesets.morsdei.shooting import Shooter, Shooting, Target
from morsdei_sim.rulesets.morsdei.volley import shot_readings

SEED = 2147
ROLES = ("initiator", "target")
RULED, MAY_PASS = Rules(), Rules(may_pass=1)
NOISE = 1e-10
"""Values of these pairs are multiples of 6^-9 at the finest (1e-7): a smaller fall is rounding."""


class Card(NamedTuple):
    """One side of a pair: enough for both kinds of exchange."""

    dice: int
    hit: int
    damage: int
    hp: int
    defence: int


class Case(NamedTuple):
    """Two cards, the number of shots (shooting), and the values without and with the upgrade, from the owner's side."""

    initiator: Card
    target: Card
    shots: int
    before: float
    after: float

    @property
    def fall(self) -> float:
        """How much the upgrade costs its owner."""
        return self.before - self.after

    @property
    def size(self) -> tuple[int, ...]:
        """Small cases are easy to follow: few dice first, then few HP and little Damage."""
        a, b = self.initiator, self.target
        return a.dice + b.dice, a.hp + b.hp + a.damage + b.damage, abs(a.hit - 4) + abs(b.hit - 4)


@dataclass
class Tally:
    """One line of the table: how often an upgrade was tried, and the cases in which it cost its owner something."""

    tried: int = 0
    falls: int = 0
    at_a_step: int = 0  # falls in which the upgrade changed how many blows (or hits) remove a fighter
    worst: Case | None = None
    smallest: Case | None = None

    def add(self, case: Case, step: bool) -> None:
        """Count one case."""
        self.tried += 1
        if case.fall <= NOISE:
            return
        self.falls += 1
        self.at_a_step += step
        if self.worst is None or case.fall > self.worst.fall + NOISE:
            self.worst = case
        if self.smallest is None or case.size < self.smallest.size:
            self.smallest = case


Table = dict[tuple[str, str, str], Tally]
"""(reading or objective, upgrade, role) -> what came of it."""


def upgraded(card: Card, what: str) -> Card | None:
    """The card with one number better by one; None at the end of the scale."""
    if what == "hit":
        return card._replace(hit=card.hit - 1) if card.hit > 2 else None
    return card._replace(**{what: getattr(card, what) + 1})


def pairs(number: int, seed: int = SEED) -> Iterator[tuple[Card, Card, int]]:
    """Random cards: 1-4 dice, Hit 2-6, Damage 1-5, HP 1-12, Defence 0-5; and 1-3 shots."""
    rng = random.Random(seed)

    def card() -> Card:
        return Card(rng.randint(1, 4), rng.randint(2, 6), rng.randint(1, 5), rng.randint(1, 12), rng.randint(0, 5))

    for _ in range(number):
        yield card(), card(), rng.randint(1, 3)


@lru_cache(maxsize=1 << 16)
def blows(rules: Rules, a: Card, b: Card) -> dict[str, float]:
    """Value of every objective when both sides play best for it, from the initiator's side."""
    duel = face_off(rules, Combatant(*a[:4]), Combatant(*b[:4]))
    chance, at_once = opening(duel)
    found = {}
    for objective in policies.OBJECTIVES:
        rank, order = policies.ranks(duel.game, objective, duel.damage, duel.hp)
        value = np.zeros(book.positions(duel.game))
        solve.solve(duel.game, rank, solve.menu(), value)
        outcomes = at_once.copy()
        solve.open_values(value, chance, order, outcomes)
        found[objective] = float(outcomes @ policies.score(duel.game, objective, duel.damage, duel.hp))
    return found


@lru_cache(maxsize=1 << 16)
def shots(rules: Rules, a: Card, b: Card, number: int) -> dict[str, float]:
    """Kill chance, mean damage (not capped) and mean HP lost of `number` shots in a row."""
    kind, shooter = Shooting(*rules), Shooter(a.dice, a.hit, a.damage, 0, 0, 0, 0, 0, number)
    chances = exact.pmf(kind, shooter, Target(b.defence, b.hp, b.hp, 0, 0, 0, 0))
    states = np.arange(len(chances))
    readings = shot_readings(rules, states >> 2, states & 1, a.damage, b.hp, b.hp)
    return {
        one.name: float(chances @ one.values) for one in readings if one.name in ("kill", "mean_damage", "mean_hp_lost")
    }


def blows_to_remove(mine: Card, yours: Card) -> tuple[int, int]:
    """How many blows each can stand."""
    return -(-mine.hp // yours.damage), -(-yours.hp // mine.damage)


def compare(table: Table, ask: Any, a: Card, b: Card, number: int, upgrades: tuple[tuple[str, str], ...]) -> None:
    """Try every (upgrade, role) on one pair."""
    plain = ask(a, b)
    for what, role in upgrades:
        better = upgraded(a if role == "initiator" else b, what)
        if better is None:
            continue
        sign = 1 if role == "initiator" else -1
        mine, yours = (a, b) if sign == 1 else (b, a)
        step = blows_to_remove(mine, yours) != blows_to_remove(better, yours)
        changed = ask(better, b) if sign == 1 else ask(a, better)
        for name, before in plain.items():
            case = Case(a, b, number, sign * before, sign * changed[name])
            table.setdefault((name, what, role), Tally()).add(case, step)


SHOOTING = (
    ("dice", "initiator"),
    ("hit", "initiator"),
    ("damage", "initiator"),
    ("hp", "target"),
    ("defence", "target"),
)
MELEE = tuple((what, role) for what in ("dice", "hit", "damage", "hp") for role in ROLES)


def shooting_table(number: int, seed: int = SEED, rules: Rules = RULED) -> Table:
    """All upgrades of shooting; for one shot and for several, since only several can be cut short by a removal."""
    table: Table = {}
    for a, b, many in pairs(number, seed):
        part: Table = {}
        compare(part, lambda x, y, n=many: shots(rules, x, y, n), a, b, many, SHOOTING)
        for (name, what, role), tally in part.items():
            line = table.setdefault((name if many == 1 else f"{name}, several shots", what, role), Tally())
            merge(line, tally)
    return table


def merge(line: Tally, more: Tally) -> None:
    """Add one tally to another."""
    line.tried += more.tried
    line.falls += more.falls
    line.at_a_step += more.at_a_step
    if more.worst is not None and (line.worst is None or more.worst.fall > line.worst.fall + NOISE):
        line.worst = more.worst
    if more.smallest is not None and (line.smallest is None or more.smallest.size < line.smallest.size):
        line.smallest = more.smallest


def melee_table(number: int, seed: int = SEED, rules: Rules = RULED) -> Table:
    """All upgrades of melee under best play for each objective."""
    table: Table = {}
    for a, b, _many in pairs(number, seed):
        compare(table, lambda x, y: blows(rules, x, y), a, b, 0, MELEE)
    return table


class Pools(NamedTuple):
    """Two open pools, the success added to one of them, and what it did to its owner's value."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    added: int
    before: float
    after: float


def extra_successes(most: int, objective: str, rules: Rules = RULED, lowest: int = 3) -> Iterator[Pools]:
    """Every pair of open pools of `most` dice at most with faces `lowest`-6, every success added to either of them,
    every number of blows
    (1 to `most` + 1) that each side can stand, and equal and unequal Damage; the initiator leads."""
    pools = [pool for n in range(most + 2) for pool in combinations_with_replacement(range(lowest, 7), n)]
    short = [pool for pool in pools if len(pool) <= most]
    for stands_a, stands_b, (damage_a, damage_b) in product(
        range(1, most + 2), range(1, most + 2), ((1, 1), (1, 2), (2, 1))
    ):
        a = Combatant(most + 1, lowest, damage_a, stands_a * damage_b)
        b = Combatant(most + 1, lowest, damage_b, stands_b * damage_a)
        worth = open_values_of(rules, a, b, objective, pools)
        for own, other, added in product(short, short, range(lowest, 7)):
            more = tuple(sorted((*own, added)))
            yield Pools(own, other, added, worth[own, other], worth[more, other])
            yield Pools(own, other, added, -worth[other, own], -worth[other, more])


def open_values_of(
    rules: Rules, a: Combatant, b: Combatant, objective: str, pools: list[tuple[int, ...]]
) -> dict[Any, float]:
    """Value of every pair of open pools under best play, from the initiator's side."""
    duel = face_off(rules, a, b)
    score = policies.score(duel.game, objective, duel.damage, duel.hp)
    value = np.zeros(book.positions(duel.game))
    solve.solve(duel.game, score, solve.menu(), value)
    tracks = [{pool: track(side, pool) for pool in pools} for side in duel.sides]
    found = {}
    for own, other in product(pools, pools):
        here = int(book.settle(duel.game, tracks[0][own], tracks[1][other], 0, 0))
        found[own, other] = float(value[here] if here >= 0 else score[-1 - here])
    return found


def track(side: Any, pool: tuple[int, ...]) -> int:
    """The track of a fresh pool."""
    packed = sum(1 << FIELD * (face - 2) for face in pool)
    return int(side.start[book.rank(side.below, side.hit, packed, len(pool))])


def show(title: str, table: Table) -> None:
    """Print one table."""
    print(
        f"\n{title}\n{'value':28} {'upgrade':8} {'owner':10} {'tried':>7} {'falls':>7} {'share':>8} "
        f"{'at a step':>9} {'worst':>9}  worst and smallest case"
    )
    for (name, what, role), line in table.items():
        cases = "; ".join(told(case) for case in (line.worst, line.smallest) if case is not None)
        worst = f"{line.worst.fall:9.6f}" if line.worst else "        -"
        print(
            f"{name:28} {what:8} {role:10} {line.tried:7d} {line.falls:7d} {line.falls / line.tried:8.3%} "
            f"{line.at_a_step:9d} {worst}  {cases}"
        )


def told(case: Case) -> str:
    """A case in words."""
    a, b = case.initiator, case.target
    times = f" x{case.shots}" if case.shots else ""
    sides = [f"{one.dice}d6 {one.hit}+ {one.damage} HP {one.hp}" for one in (a, b)]
    return f"{sides[0]}{times} v {sides[1]} Def {b.defence}: {case.before:.6f} -> {case.after:.6f}"


def main() -> None:
    """Run the search and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    show("Shooting", shooting_table(asked.pairs, asked.seed))
    show("Melee, both sides playing best", melee_table(asked.pairs, asked.seed))
    show("Melee, RULING 47 reversed (may_pass = 1)", melee_table(asked.pairs, asked.seed, MAY_PASS))
    print("\nOne more success in an open pool (up to 3 dice, faces 3-6): tried, lower value, higher value")
    for title, rules in (("as ruled", RULED), ("may_pass = 1", MAY_PASS)):
        for objective in policies.OBJECTIVES:
            gains = np.array([case.after - case.before for case in extra_successes(3, objective, rules)])
            print(f"{title:12} {objective:16} {len(gains):9d} {(gains < -NOISE).sum():7d} {(gains > NOISE).sum():9d}")


if __name__ == "__main__":
    main()
