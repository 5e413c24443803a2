"""`engagement`: two squads on an open table, sampled."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.cards import squad_of
from morsdei_sim.dice.rolled import rolled
from morsdei_sim.errors import UserError
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import Run, answer
from morsdei_sim.fight.sample import in_chunks
from morsdei_sim.lang import _
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.club import skirmish
from morsdei_sim.rulesets.club.bots import PLANS
from morsdei_sim.rulesets.club.cards import KINDS, Entrant, Fighter, called
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
SIDES = ("attacker", "target")
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


def fighters_of(squad: str | list[Entrant]) -> list[Entrant]:
    """The fighters of a squad, read when it is a reference."""
    if not isinstance(squad, str):
        return squad
    return [Entrant(card, called(card)) for card in squad_of(squad, Fighter, profiles_dir() / "club")]


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
    `undecided`, `attacker_survivors`, `target_survivors` and their means, `rounds` (20: 20 or more), mean losses and
    kills of each card, and with first = both (a coin in each engagement) `first_side_advantage`.
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
    squads = fighters_of(attacker), fighters_of(target)
    ready = muster(rules, squads, (attacker_bot, target_bot), (attacker_cover, target_cover), gap)
    counts = ready.counts
    cells = (skirmish.LAST_ROUND + 1) * 2 * prod(int(count) + 1 for count in counts)
    if cells > MAX_CELLS:
        raise UserError(_("These squads have too many different cards to be told apart: give equal ones a count."))
    kills = np.zeros((len(counts), len(ready.side) + 1), np.int64)
    block = partial(_block, rules, ready, FIRST[first], into_fights, run.seed, cells)

    def counted(start: int, trials: int, executor: Executor | None, progress: Any) -> NDArray[np.int64]:
        found = in_chunks(block, start, trials, executor, progress)
        kills[:] += found[cells:].reshape(kills.shape)
        return found[:cells]

    asked = replace(run, engine="sample", trials=run.trials or (None if run.target_error else TRIALS))
    names = {side: ", ".join(one.label for one in squad) for side, squad in zip(SIDES, squads, strict=True)}
    found = answer(
        asked, lambda: np.empty(0), counted, _readings(ready, cells, first), **names, distance=distance,
        attacker_bot=attacker_bot, target_bot=target_bot, first=first,
    )  # fmt: skip
    note = _("Positions are simplified: an open table, bases as points, models may pass through friends.")
    return replace(found, readings=(*found.readings, *_kills(ready, kills)), notes=(note,))


def _block(
    rules: Rules, ready: Muster, first: int, into_fights: bool, seed: int, cells: int, start: int, trials: int
) -> NDArray[np.int64]:
    """Counts of one chunk; a plain function of plain arguments."""
    histogram = np.zeros(cells + (len(ready.side) + 1) * len(ready.units), np.int64)
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
    titles = {"attacker": _("mean losses of the attacker: {card}"), "target": _("mean losses of the target: {card}")}
    for left, (one, side) in zip(alive, ready.units, strict=True):
        name, title = f"{SIDES[side]}_losses_{one.card.id}", titles[SIDES[side]].format(card=one.label)
        found.append(Reading(name, "mean", one.card.count - left, title=title))
    if first == "both":
        found.append(Reading("first_side_advantage", "mean", np.where(won, np.where(player == 0, 2, -2), 0)))
    return tuple(found)


def _kills(ready: Muster, kills: NDArray[np.int64]) -> tuple[Reading, ...]:
    """The mean kills of each card, counted apart from the ends: `kills` by unit and number."""
    titles = {"attacker": _("mean kills, attackers: {card}"), "target": _("mean kills, targets: {card}")}
    readings = []
    for counted, (one, side) in zip(kills, ready.units, strict=True):
        most = int((ready.side != side).sum())
        name, title = f"mean_kills_{SIDES[side]}_{one.card.id}", titles[SIDES[side]].format(card=one.label)
        readings.append(Reading(name, "mean", np.arange(most + 1), weights=counted[: most + 1], title=title))
    return tuple(readings)
