"""Sampled shots, 4d6 4+ against 3 Defence Dice, one core: ours against NumPy, written several ways.

Bar: at least 10 times faster than a well-written vectorised NumPy version with `uint8` dice. Five of them are here:

dice        the plain one with uint8 dice, (dice, n), NumPy's default generator, the whole sample at once
best dice   the fastest found with uint8 dice: row added to row, in batches that stay in the cache, SFC64 or PCG64
thresholds  no dice at all: 16-bit raw words compared with two thresholds; off by 2 parts in 10^5 (ours: 3 in 10^7)
tables      our own trick in NumPy: one word a pool, looked up in a table of its 1,296 or 216 rolls
int64       what one writes first: integers(1, 7, (n, dice)) and sums along the row

All, and ours, are held against the exact chances by chi-square first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from statistics import median
from typing import Any

import numpy as np
from bench import Row, duration, main, ratio, rounds
from numpy.typing import NDArray

ATTACK, DEFENCE = 4, 3
OUTCOMES = ATTACK + 1
ALARM = 1e-9
"""Chance of a false alarm of one chi-square."""

Counts = NDArray[np.int64]
Version = Callable[[np.random.Generator, int], Counts]


def left(normals: Any, crits: Any, saves: Any, crit_saves: Any) -> Any:
    """Hits left, best saves, in unsigned arithmetic that never falls below zero."""
    normals = normals - np.minimum(normals, saves)
    pairs = np.minimum(crit_saves, normals >> 1)
    hits = crits + normals - 2 * pairs
    return hits - np.minimum(hits, crit_saves - pairs)


def tallied(hits: NDArray[np.uint8]) -> Counts:
    """Counts of 0-4; comparing five times beats `bincount`, which first makes int64 of everything."""
    return np.array([np.count_nonzero(hits == value) for value in range(OUTCOMES)], dtype=np.int64)


def dice(rng: np.random.Generator, n: int) -> Counts:
    """uint8 dice, one row per die."""
    attack = rng.integers(1, 7, (ATTACK, n), dtype=np.uint8)
    defence = rng.integers(1, 7, (DEFENCE, n), dtype=np.uint8)
    crits, crit_saves = (attack == 6).sum(0, dtype=np.uint8), (defence == 6).sum(0, dtype=np.uint8)
    normals, saves = (attack >= 4).sum(0, dtype=np.uint8) - crits, (defence >= 4).sum(0, dtype=np.uint8) - crit_saves
    return tallied(left(normals, crits, saves, crit_saves))


def _added(rows: NDArray[Any], success: Callable[[Any], Any], critical: Callable[[Any], Any]) -> tuple[Any, Any]:
    """(normals, crits) of each trial, row added to row."""
    some, crits = success(rows[0]).view(np.uint8), critical(rows[0]).view(np.uint8)
    for row in rows[1:]:
        some += success(row)
        crits += critical(row)
    return some - crits, crits


def best_dice(rng: np.random.Generator, n: int) -> Counts:
    """uint8 dice, added row by row."""
    rolls = rng.integers(1, 7, (ATTACK + DEFENCE, n), dtype=np.uint8)
    four, six = (lambda row: row >= 4), (lambda row: row == 6)
    return tallied(left(*_added(rolls[:ATTACK], four, six), *_added(rolls[ATTACK:], four, six)))


def columns(rng: np.random.Generator, n: int) -> Counts:
    """uint8 dice, one row per trial: three times slower, kept to show it."""
    attack = rng.integers(1, 7, (n, ATTACK), dtype=np.uint8)
    defence = rng.integers(1, 7, (n, DEFENCE), dtype=np.uint8)
    crits, crit_saves = (attack == 6).sum(1, dtype=np.uint8), (defence == 6).sum(1, dtype=np.uint8)
    normals, saves = (attack >= 4).sum(1, dtype=np.uint8) - crits, (defence >= 4).sum(1, dtype=np.uint8) - crit_saves
    return tallied(left(normals, crits, saves, crit_saves))


def thresholds(rng: np.random.Generator, n: int) -> Counts:
    """A 16-bit word is a success below 2^16 / 2 and a critical one below 2^16 / 6, rounded."""
    words = rng.bit_generator.random_raw((7 * n + 3) // 4).view(np.uint16)[: 7 * n].reshape(7, n)
    half, sixth = (lambda row: row < np.uint16(32768)), (lambda row: row < np.uint16(10923))
    return tallied(left(*_added(words[:ATTACK], half, sixth), *_added(words[ATTACK:], half, sixth)))


def _table(k: int) -> NDArray[np.uint8]:
    """Class of each roll of k dice: normals + 5 x crits."""
    rolls = product(range(1, 7), repeat=k)
    return np.array([sum(4 <= face < 6 for face in roll) + 5 * roll.count(6) for roll in rolls], dtype=np.uint8)


ATTACK_TABLE, DEFENCE_TABLE = _table(ATTACK), _table(DEFENCE)
_A, _D = np.divmod(np.arange(25), 5), np.divmod(np.arange(20), 5)
LEFT = left(_A[1][:, None], _A[0][:, None], _D[1], _D[0]).astype(np.uint8)


def tables(rng: np.random.Generator, n: int) -> Counts:
    """One word a pool, scaled and looked up; then one look-up for the pair."""
    attack = ATTACK_TABLE[rng.integers(0, 6**ATTACK, n, dtype=np.uint16)]
    defence = DEFENCE_TABLE[rng.integers(0, 6**DEFENCE, n, dtype=np.uint16)]
    return tallied(LEFT[attack, defence])


def int64(rng: np.random.Generator, n: int) -> Counts:
    """What one writes first."""
    attack, defence = rng.integers(1, 7, (n, ATTACK)), rng.integers(1, 7, (n, DEFENCE))
    crits, crit_saves = (attack == 6).sum(1), (defence == 6).sum(1)
    hits = left((attack >= 4).sum(1) - crits, crits, (defence >= 4).sum(1) - crit_saves, crit_saves)
    return np.bincount(hits, minlength=OUTCOMES)


def batched(version: Version, rng: np.random.Generator, trials: int, size: int) -> Counts:
    """The sample in batches of `size`."""
    total = np.zeros(OUTCOMES, np.int64)
    for start in range(0, trials, size):
        total += version(rng, min(size, trials - start))
    return total


def rivals(trials: int) -> dict[str, dict[str, Callable[[], Counts]]]:
    """Every version with every generator and batch size worth a try."""
    default = partial(np.random.default_rng, 1)
    sfc = partial(np.random.Generator, np.random.SFC64(1))
    sizes = [1 << 14, 1 << 16, 1 << 18, trials]

    def tries(*versions: Any) -> dict[str, Callable[[], Counts]]:
        return {
            f"{version.__name__.replace('_', ' ')}, {name}, {size} a batch": partial(
                batched, version, make(), trials, size
            )
            for version in versions
            for name, make in (("PCG64", default), ("SFC64", sfc))
            for size in sizes
        }

    return {
        "dice": {"dice, PCG64": partial(batched, dice, default(), trials, trials)},
        "best dice": tries(dice, best_dice, columns),
        "thresholds": tries(thresholds),
        "tables": tries(tables),
        "int64": {"int64, PCG64": partial(batched, int64, default(), trials, trials)},
    }


def check(name: str, counts: Counts, chances: NDArray[np.float64]) -> None:
    """Chi-square of a sample against the exact chances; stops on an alarm."""
    from scipy.stats import chisquare

    found = chisquare(counts, counts.sum() * chances).pvalue
    if found < ALARM:
        raise SystemExit(f"{name} is not the same shot: chi-square p = {found:.2g}, counts {counts.tolist()}")


def measure(quick: bool = False, long: bool = False) -> list[Row]:
    """Times of a sampled shot; stops if a version does not play the same shot."""
    from morsdei_sim.fight import exact, sample
    from morsdei_sim.rulesets.morsdei.rules import Rules
    from morsdei_sim.rulesets.morsdei.shooting import Shooter, Shooting, Target

    rules = Shooting(*Rules())
    shooter, target = Shooter(ATTACK, 4, 4, 0, 0, 0, 0, 0, 1), Target(DEFENCE, 7, 7, 0, 0, 0, 0)
    trials = 1 << (16 if quick else 20)

    def by_hits(weights: NDArray[Any]) -> NDArray[Any]:
        return weights.reshape(OUTCOMES, 4).sum(axis=1)

    def ours() -> Counts:
        return sample.sample(rules, shooter, target, trials, 1)

    chances = by_hits(exact.pmf(rules, shooter, target))
    check("ours", by_hits(ours()), chances)
    fastest = {}
    for name, versions in rivals(trials).items():
        for told, version in versions.items():
            check(told, version(), chances)
        heats = rounds(versions, 1 if quick else 5)
        winner = min(heats, key=lambda told: min(heats[told]))
        fastest[name] = winner, versions[winner]
    times = rounds({"ours": ours, **{name: version for name, (_told, version) in fastest.items()}}, 3 if quick else 31)
    rows = []
    here = median(times["ours"]) / trials
    for name, (told, _version) in fastest.items():
        found = ratio(times, name, "ours")
        has_bar = name in ("dice", "best dice")
        rival = f"NumPy, {told}: {duration(median(times[name]) / trials)}"
        bar, met = ("≥ 10 ×", found >= 10) if has_bar else ("", None)
        rows.append(Row(f"sample-{name.replace(' ', '-')}", duration(here), rival, found, bar, met))
    if any(row.met is False for row in rows):
        rows[0] = replace(rows[0], hint=_parts(rules, shooter, target))
    return rows


def _parts(rules: Any, shooter: Any, target: Any) -> str:
    """Where a sampled shot spends its time: drawing the words, and all the rest."""
    from morsdei_sim._jit import kernel
    from morsdei_sim.dice.rolled import AHEAD, BLOCK, at, draw_ahead, rolled
    from morsdei_sim.fight.verbs import attack

    @kernel
    def draws(source, blocks, ahead):  # type: ignore[no-untyped-def]
        for block in range(blocks):
            draw_ahead(source.seed, block, 0, ahead)

    @kernel
    def rule(rules, source, shooter, target, blocks, ahead, states):  # type: ignore[no-untyped-def]
        for _ in range(blocks):
            for t in range(len(states)):
                states[t] = attack(rules, at(source, t, 0, ahead[0, t], ahead[1, t]), shooter, target, 0)

    source, blocks = rolled(1, ATTACK), 500
    ahead, states = np.zeros((AHEAD, BLOCK), np.uint32), np.zeros(BLOCK, np.int64)
    parts = {
        "draw": lambda: draws(source, blocks, ahead),
        "rule": lambda: rule(rules, source, shooter, target, blocks, ahead, states),
    }
    times = rounds(parts, 5)
    draw, play = (median(times[name]) / blocks / BLOCK for name in ("draw", "rule"))
    return f"drawing the words {duration(draw)}, the rule with its two look-ups {duration(play)}, the rest is counting"


if __name__ == "__main__":
    main(__doc__, measure)
