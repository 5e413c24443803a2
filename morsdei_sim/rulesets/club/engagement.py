"""`engagement`: two squads on an open table, sampled."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from math import prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.cards.reference import locate
from morsdei_sim.cards.squad import read
from morsdei_sim.dice.rolled import rolled
from morsdei_sim.errors import UserError
from morsdei_sim.fight.outcome import Z95, Outcome, Reading
from morsdei_sim.fight.run import Run, answer
from morsdei_sim.fight.sample import in_chunks
from morsdei_sim.lang import _
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.club import skirmish
from morsdei_sim.rulesets.club.bots import PLANS
from morsdei_sim.rulesets.club.cards import KINDS, Entrant, Fighter, called, entrant
from morsdei_sim.rulesets.club.field import COLUMNS, Field
from morsdei_sim.rulesets.club.rules import PRINTED, QUARTERS, Rules
from morsdei_sim.rulesets.club.sides import arm_of, life_of, quarters, target_of

SAMPLE = Run("sample")
TRIALS = 20_000
"""Engagements, when no number and no precision is asked for."""
SPACING = 2 * QUARTERS
"""Between neighbours of a side at the start."""
MOST = 20
"""Fighters of a side."""
MAX_CELLS = 1 << 22
FIRST = {"attacker": 0, "target": 1, "both": skirmish.BOTH}


@dataclass(frozen=True)
class Muster:
    """Both squads: every card with its side and plan, and the numbers of every model for `Field`."""

    units: tuple[tuple[Entrant, int], ...]
    cards: NDArray[np.int64]
    side: NDArray[np.int64]
    unit: NDArray[np.int64]
    start: NDArray[np.float64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """Models of each unit."""
        return np.array([one.card.count for one, _side in self.units], np.int64)

    def field(self) -> Field:
        """A table of one's own, for one thread."""
        n = len(self.side)
        whole = (np.zeros(n, np.int64) for _array in range(7))
        life, hurt, ranged, pistol, fresh, fight, kills = whole
        return Field(
            self.cards, self.side, self.unit, np.zeros(n), np.zeros(n), life, hurt, ranged, pistol, fresh, fight, kills,
            np.zeros(4, np.int64),
        )  # fmt: skip


def squad_of(text: str | list[Entrant]) -> list[Entrant]:
    """All fighters of a squad (``guard``, ``path/file.toml``), or some of them (``guard/veteran+gunner``)."""
    if not isinstance(text, str):
        return text
    if not text.strip():
        raise UserError(_("nothing is written between the quotes"))
    file, name = locate(text.strip(), profiles_dir() / "club")
    if name:
        return [entrant(f"{file}/{one.strip()}") for one in name.split("+")]
    return [Entrant(card, called(card)) for card in read(file, Fighter)]


def plan_of(one: Entrant, bot: str) -> int:
    """The plan of a fighter; "by-card": who has a ranged weapon holds, the others rush."""
    if bot == "by-card":
        return PLANS.index("hold" if one.card.ranged else "rush")
    return PLANS.index(bot)


def muster(rules: Rules, squads: tuple[list[Entrant], list[Entrant]], bots: tuple[str, str], covers: tuple[int, int],
           distance: float) -> Muster:  # fmt: skip
    """Both squads drawn up in two lines that face each other across the middle of the table."""
    units: list[tuple[Entrant, int]] = []
    numbers, sides, unit_of, start = [], [], [], []
    for side, (squad, bot, cover) in enumerate(zip(squads, bots, covers, strict=True)):
        models = sum(one.card.count for one in squad)
        if not 1 <= models <= MOST:
            raise UserError(_("a squad of {count} fighters: 1 to {most} can fight").format(count=models, most=MOST))
        x = (rules.table + (distance if side else -distance)) * QUARTERS / 2
        y = rules.table * QUARTERS / 2 - SPACING * (models - 1) / 2
        for one in squad:
            body = target_of(one, life_of(rules, one), cover)
            arms = [number for kind in KINDS for number in arm_of(one, one.card.ready(kind))]
            row = [int(one.card.speed * QUARTERS), plan_of(one, bot), *body[:6], *arms]
            for _model in range(one.card.count):
                numbers.append(row)
                sides.append(side)
                unit_of.append(len(units))
                start.append((x, y))
                y += SPACING
            units.append((one, side))
    cards = np.array(numbers, np.int64)
    assert cards.shape[1] == COLUMNS
    return Muster(tuple(units), cards, np.array(sides, np.int64), np.array(unit_of, np.int64), np.array(start))


def engagement(
    attacker: str | list[Entrant],
    target: str | list[Entrant],
    run: Run = SAMPLE,
    rules: Rules = PRINTED,
    *,
    distance: float = 24.0,
    attacker_bot: str = "by-card",
    target_bot: str = "by-card",
    attacker_cover: int = 0,
    target_cover: int = 0,
    first: str = "both",
    into_fights: bool = False,
) -> Outcome:
    """RULINGS 2-3, 36 Two squads on an open table until all of one are dead, or 200 turns have passed.

    Positions are points on a square table of 48 inches without terrain; squads face each other in lines. Sampled only.
    The squad files' cards with a `count` are units (R14). Bots: `bots`. Readings: `attacker_wins`, `target_wins`,
    `undecided`, `attacker_survivors`, `target_survivors` and their means, `rounds` (20: 20 or more), mean losses of
    each card, and with first = both (a coin in each engagement) `first_side_advantage`. The settings hold
    the mean kills of each card with a 95 % interval.
    """
    if run.engine == "exact":
        raise UserError(_("An engagement has too many ways to go to be counted; ask for --engine sample."))
    gap = quarters(distance) / QUARTERS
    if not rules.keep_off <= gap <= rules.table:
        raise UserError(
            _("distance = {value:g}: must be {low} to {high} inches").format(
                value=distance, low=rules.keep_off, high=rules.table
            )
        )
    squads = squad_of(attacker), squad_of(target)
    ready = muster(rules, squads, (attacker_bot, target_bot), (attacker_cover, target_cover), gap)
    counts = ready.counts
    cells = (skirmish.LAST_ROUND + 1) * 2 * prod(int(count) + 1 for count in counts)
    if cells > MAX_CELLS:
        raise UserError(_("These squads have too many different cards to be told apart: give equal ones a count."))
    kills = np.zeros(2 * len(counts), np.int64)
    block = partial(_block, rules, ready, FIRST[first], into_fights, run.seed, cells)

    def counted(start: int, trials: int, executor: Executor | None, progress: Any) -> NDArray[np.int64]:
        found = in_chunks(block, start, trials, executor, progress)
        kills[:] += found[cells:]
        return found[:cells]

    asked = replace(run, engine="sample", trials=run.trials or (None if run.target_error else TRIALS))
    sides = ("attacker", "target")
    names = {sides[n]: ", ".join(one.label for one in squad) for n, squad in enumerate(squads)}
    found = answer(
        asked, lambda: np.empty(0), counted, _readings(ready, cells, first), **names, distance=distance,
        attacker_bot=attacker_bot, target_bot=target_bot, first=first,
    )  # fmt: skip
    settings = {**found.settings, "kills": _kills(ready, kills, found.trials or 1)}
    note = _("Positions are simplified: an open table, bases as points, models may pass through friends.")
    return replace(found, settings=settings, notes=(*_kill_notes(ready, settings["kills"]), note))


def _block(
    rules: Rules, ready: Muster, first: int, into_fights: bool, seed: int, cells: int, start: int, trials: int
) -> NDArray[np.int64]:
    """Counts of one chunk; a plain function of plain arguments."""
    histogram = np.zeros(cells + 2 * len(ready.units), np.int64)
    skirmish.engage(
        rules, rolled(seed, 4), ready.field(), ready.start, ready.counts, first, into_fights, start, trials, histogram
    )
    return histogram


def _readings(ready: Muster, cells: int, first: str) -> tuple[Reading, ...]:
    code: NDArray[np.int64] = np.arange(cells)
    alive: list[NDArray[np.int64]] = []
    for count in ready.counts[::-1]:
        code, left = np.divmod(code, count + 1)
        alive.insert(0, left)
    rounds, player = code // 2, code % 2
    living = [np.zeros(cells, np.int64), np.zeros(cells, np.int64)]
    for left, (_one, side) in zip(alive, ready.units, strict=True):
        living[side] += left
    won, lost = (living[0] > 0) & (living[1] == 0), (living[1] > 0) & (living[0] == 0)
    found = [
        Reading("attacker_wins", "chance", won.astype(np.int64)),
        Reading("target_wins", "chance", lost.astype(np.int64)),
        Reading("undecided", "chance", (~won & ~lost).astype(np.int64)),
        Reading("attacker_survivors", "distribution", living[0]),
        Reading("target_survivors", "distribution", living[1]),
        Reading("mean_attacker_survivors", "mean", living[0]),
        Reading("mean_target_survivors", "mean", living[1]),
        Reading("rounds", "distribution", rounds),
    ]
    for left, (one, side) in zip(alive, ready.units, strict=True):
        name = f"{('attacker', 'target')[side]}_losses_{one.card.id}"
        found.append(Reading(name, "mean", one.card.count - left))
    if first == "both":
        found.append(Reading("first_side_advantage", "mean", np.where(won, np.where(player == 0, 2, -2), 0)))
    return tuple(found)


def _kills(ready: Muster, sums: NDArray[np.int64], trials: int) -> dict[str, dict[str, Any]]:
    """Mean kills of each card in an engagement, with a 95 % interval (normal, one pseudo-trial at either end)."""
    found: dict[str, dict[str, Any]] = {"attacker": {}, "target": {}}
    for n, (one, side) in enumerate(ready.units):
        most = int((ready.side != side).sum())
        mean = int(sums[2 * n]) / trials
        total, squares = int(sums[2 * n]) + most, int(sums[2 * n + 1]) + most * most
        middle = total / (trials + 2)
        half = Z95 * sqrt(max(0.0, squares / (trials + 2) - middle * middle) / trials)
        interval = [max(0.0, mean - half), min(float(most), mean + half)]
        found[("attacker", "target")[side]][one.card.id] = {"mean": mean, "interval": interval}
    return found


def _kill_notes(ready: Muster, kills: dict[str, dict[str, Any]]) -> list[str]:
    """The mean kills of each card in words, with their intervals."""
    text, words = _("{name} {mean:.3f} ({low:.3f} to {high:.3f})"), []
    for one, side in ready.units:
        found = kills[("attacker", "target")[side]][one.card.id]
        low, high = found["interval"]
        words.append(text.format(name=one.label, mean=found["mean"], low=low, high=high))
    return [_("Mean kills of each card, 95 % intervals: {kills}.").format(kills="; ".join(words))]
