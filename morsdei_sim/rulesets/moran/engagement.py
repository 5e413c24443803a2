"""A squad engagement: two squads on a board, side turn after side turn, under policy bots; sampled.

Four runs in turn make a fair sample: who begins, and who deploys where, are both swapped (RULING 15). A fight ends when
a side is dead, when nothing can change any more (a lock of hand to hand fighting, RULING 22, or a standoff), or at the
cap of side turns (RULING 35).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, kernel
from morsdei_sim.cards import squad_of
from morsdei_sim.dice.rolled import at, rolled
from morsdei_sim.errors import UserError
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import Run, answer
from morsdei_sim.lang import _, named
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.moran.boards import Board, board
from morsdei_sim.rulesets.moran.bots import CAREFUL, HOLD, RUSH, side_turn
from morsdei_sim.rulesets.moran.cards import Fighter
from morsdei_sim.rulesets.moran.field import BLOWS, ITEMS, LEFT, MOST, Field, Ints, field_of
from morsdei_sim.rulesets.moran.grid import FAR_AWAY, Grid, Walks, cost_to, reach, walks
from morsdei_sim.rulesets.moran.rules import DEAD, PRINTED, UP, Rules
from morsdei_sim.rulesets.moran.turns import remember

BOTS = {"hold": HOLD, "rush": RUSH, "careful": CAREFUL}
SAMPLED = Run("sample")
DEFAULT_TRIALS = 20_000
CHUNK = 1024
"""Fights handed to a worker at once."""

ATTACKER_WINS, TARGET_WINS, STANDOFF, CAP = 0, 1, 2, 3
"""How a fight ends."""


class Plan(NamedTuple):
    """What does not change between trials: the bots, where each side deploys when it has zone A or B, the stocks."""

    bots: Ints  # by side
    places: Ints  # zone x fighter
    stock: Ints  # side x ITEMS


class Counts(NamedTuple):
    """What is counted: `ends` (end, lock, who began, survivors of each side), `turns`, `kills` (card, number)."""

    ends: Ints
    turns: Ints
    kills: Ints


@apart
def set_up(field, plan, swapped):
    """RULING 33 Everybody up and in place, all weapons loaded, the stock full."""
    field.who[:] = 0
    field.clock[:] = 0
    field.before[:] = -1
    for side in range(2):
        for one in range(ITEMS):
            field.item[side, one, LEFT] = plan.stock[side, one]
    for one in range(len(field.men)):
        man = field.men[one]
        man.status, man.marker, man.defending, man.kills = UP, -1, 0, 0
        man.loaded[0], man.loaded[1] = 1, 1
        man.cell = plan.places[man.side ^ swapped, one]
        field.who[man.cell] = one + 1


@apart
def alive(field, side):
    """RULING 35 Fighters of a side that are not dead; the wounded are not out."""
    count = 0
    for one in range(len(field.men)):
        if field.men[one].side == side and field.men[one].status != DEAD:
            count += 1
    return count


@apart
def locked_by(field):
    """RULING 22 The side that stands in a lock: its blows keep the other down; -1 when none or both strike."""
    one, other = field.clock[BLOWS], field.clock[BLOWS + 1]
    if one > 0 and other == 0:
        return 0
    return 1 if other > 0 and one == 0 else -1


@apart
def fight(rules, dice, grid, field, plan, out):
    """RULINGS 15, 22, 35 One fight: (end, whether it was a lock, side turns). The trial tells who begins, and where."""
    first, swapped = dice.trial & 1, dice.trial >> 1 & 1
    set_up(field, plan, swapped)
    for turn in range(rules.side_turns):
        side = (turn & 1) ^ first
        side_turn(rules, dice, grid, field, side, plan.bots[side], out)
        for loser in range(2):
            if alive(field, loser) == 0:  # should a blast kill both, the side that did not throw it is asked first
                return 1 - loser if alive(field, 1 - loser) > 0 else STANDOFF, 0, turn + 1
        if turn & 1 and remember(field):
            stands = locked_by(field)
            return (stands if stands >= 0 else STANDOFF), (1 if stands >= 0 else 0), turn + 1
    return CAP, 0, rules.side_turns


@apart
def per_card(field, kills):
    """Count the enemies that the copies of each card have killed."""
    for card in range(kills.shape[0]):
        killed = 0
        for one in range(len(field.men)):
            if field.men[one].card == card:
                killed += field.men[one].kills
        kills[card, killed] += 1


@kernel
def count_fights(rules, dice, grid, field, plan, out, first, trials, counts):
    """Play trials `first` … `first + trials - 1` and count how they end."""
    for trial in range(first, first + trials):
        end, lock, turns = fight(rules, at(dice, trial, 0, dice.first, dice.second), grid, field, plan, out)
        counts.ends[end, lock, trial & 1, alive(field, 0), alive(field, 1)] += 1
        counts.turns[turns] += 1
        per_card(field, counts.kills)


@kernel
def ways(rules, grid, barred, out, table):
    """Fill `table` (int32, cell x cell) with the cells to walk where nobody is in the way."""
    for one in range(len(grid.wall)):
        if grid.wall[one] == 0:
            reach(rules, grid, one, 400, barred, out)
        for other in range(len(grid.wall)):
            table[one, other] = cost_to(out, other) if grid.wall[one] == 0 else FAR_AWAY


def walking(rules: Rules, grid: Grid) -> NDArray[np.int32]:
    """Cells to walk from each cell to each other."""
    cells = len(grid.wall)
    table = np.empty((cells, cells), np.int32)
    ways(rules, grid, np.zeros(cells, np.uint8), walks(cells), table)
    return table


def engagement(
    attacker: str | list[Fighter],
    target: str | list[Fighter],
    run: Run = SAMPLED,
    rules: Rules = PRINTED,
    *,
    board: str = "crossing",
    attacker_bot: str = "careful",
    target_bot: str = "careful",
    limit: int = 0,
) -> Outcome:
    """Two squads on a board (R1-R53), sampled; sides and places are swapped from trial to trial (RULING 15).

    Readings: `attacker_wins`, `target_wins`, `lock` (wins by a lock, counted in them), `standoff` (nobody can or will
    change anything), `undecided` (the cap), `draw` (both of these), `first_side_wins`, `first_side_advantage` (its wins
    less the other's), survivors of both sides, `turns`, and the mean kills of every card.
    """
    if run.engine == "exact":
        raise UserError(_("an engagement is sampled; leave out --engine exact"))
    ground = _board(board)
    squads = _squad(attacker), _squad(target)
    rules = rules._replace(side_turns=limit or rules.side_turns)
    course = Course(rules, ground, squads, (BOTS[attacker_bot], BOTS[target_bot]))
    if run.trials is None and run.target_error is None:
        run = replace(run, trials=DEFAULT_TRIALS)
    sampled = course.sampler(run.seed)
    found = answer(replace(run, engine="sample"), lambda: np.empty(0), sampled, course.readings())
    label = (
        attacker if isinstance(attacker, str) else _("attacker"),
        target if isinstance(target, str) else _("target"),
    )
    settings = {
        "attacker": label[0], "target": label[1], "board": ground.label(), "attacker_bot": attacker_bot,
        "target_bot": target_bot, "limit": rules.side_turns,
    }  # fmt: skip
    notes = [_("Who begins and who deploys where are swapped from fight to fight; both count equally (RULING 15).")]
    if found.value("lock") > 0:
        notes.append(_("A lock of hand to hand fighting counts as a win of the one who strikes (RULING 22)."))
    said = _("{attacker} against {target}, board {board}").format(
        attacker=_(attacker_bot), target=_(target_bot), board=ground.label()
    )
    return Outcome(
        found.weights, (*found.readings, *course.apart()), found.trials, found.seed, settings, tuple(notes), said
    )


def _board(text: str | Board) -> Board:
    return text if isinstance(text, Board) else board(text)


def _squad(squad: str | list[Fighter]) -> list[Fighter]:
    """The cards of a side; UserError when they are too many."""
    cards = squad_of(squad, Fighter, profiles_dir() / "moran") if isinstance(squad, str) else squad
    many, name = sum(card.count for card in cards), squad if isinstance(squad, str) else _("a squad")
    kinds = sum(1 for card in cards for one in card.stock() if one.template)
    if kinds > ITEMS:
        raise UserError(
            _("{squad} brings {count} command items; at most {most} are allowed").format(
                squad=name, count=kinds, most=ITEMS
            )
        )
    if many > MOST:
        raise UserError(
            _("{squad} has {count} fighters; at most {most} fight on a side").format(squad=name, count=many, most=MOST)
        )
    return cards


class Course:
    """An engagement ready to be sampled, and what has been counted so far."""

    def __init__(
        self, rules: Rules, ground: Board, squads: tuple[list[Fighter], list[Fighter]], bots: tuple[int, int]
    ) -> None:
        self.rules, self.ground, self.squads = rules, ground, squads
        self.walk = walking(PRINTED, ground.grid)
        self.sizes = tuple(sum(card.count for card in cards) for cards in squads)
        start = self._field()
        self.plan = Plan(np.array(bots), self._places(), start.item[:, :, LEFT].copy())
        self.shape = (4, 2, 2, self.sizes[0] + 1, self.sizes[1] + 1)
        self.turns, self.kills = np.zeros(rules.side_turns + 1, np.int64), self._counts().kills

    def _field(self) -> Field:
        return field_of(self.squads, self.ground.grid, self.walk)

    def _counts(self) -> Counts:
        cards = len(self.squads[0]) + len(self.squads[1])
        return Counts(
            np.zeros((4, 2, 2, self.sizes[0] + 1, self.sizes[1] + 1), np.int64),
            np.zeros(self.rules.side_turns + 1, np.int64), np.zeros((cards, max(self.sizes) + 1), np.int64),
        )  # fmt: skip

    def _places(self) -> Ints:
        """Cells of each fighter in zone A and in zone B, spread evenly; zone B is read from its end (a half turn)."""
        places = np.zeros((2, sum(self.sizes)), np.int64)
        for zone, cells in enumerate((self.ground.deploy[0], self.ground.deploy[1][::-1])):
            for side, first in ((0, 0), (1, self.sizes[0])):
                many = self.sizes[side]
                if many > len(cells):
                    raise UserError(
                        _("{board} has {places} cells to deploy in; {count} fighters need more").format(
                            board=self.ground.label(), places=len(cells), count=many
                        )
                    )
                places[zone, first : first + many] = [cells[place * len(cells) // many] for place in range(many)]
        return places

    def block(self, seed: int, first: int, trials: int) -> Counts:
        """Counts of some trials: one task, with a field and scratch of its own."""
        counts = self._counts()
        out: Walks = walks(len(self.ground.grid.wall))
        count_fights(
            self.rules, rolled(seed, 4), self.ground.grid, self._field(), self.plan, out, first, trials, counts
        )
        return counts

    def sampler(self, seed: int) -> Callable[..., NDArray[np.int64]]:
        """What `answer` samples with; turns and kills are added up beside."""

        def sampled(
            first: int, trials: int, executor: Executor | None, progress: Callable[[int], None] | None
        ) -> NDArray[np.int64]:
            starts = range(first, first + trials, CHUNK)
            sizes = [min(CHUNK, first + trials - start) for start in starts]

            def one(start: int, size: int) -> Counts:
                return self.block(seed, start, size)

            total = np.zeros(self.shape, np.int64)
            done = map(one, starts, sizes) if executor is None else executor.map(one, starts, sizes)
            for size, counts in zip(sizes, done, strict=True):
                total += counts.ends
                self.turns += counts.turns
                self.kills += counts.kills
                if progress is not None:
                    progress(size)
            return total.ravel()

        return sampled

    def readings(self) -> tuple[Reading, ...]:
        """The figures read off the ends."""
        end, lock, first, mine, theirs = np.indices(self.shape).reshape(5, -1)
        won, lost = end == ATTACKER_WINS, end == TARGET_WINS
        began = np.where(first == 0, won, lost)
        followed = np.where(first == 0, lost, won)
        chances = {
            "attacker_wins": won,
            "target_wins": lost,
            "draw": end >= STANDOFF,
            "lock": lock == 1,
            "standoff": end == STANDOFF,
            "undecided": end == CAP,
            "first_side_wins": began,
        }
        return (
            *(Reading(name, "chance", found.astype(np.int64)) for name, found in chances.items()),
            Reading("first_side_advantage", "mean", began.astype(np.int64) - followed),
            Reading("attackers_left", "distribution", mine),
            Reading("targets_left", "distribution", theirs),
            Reading("mean_attackers_left", "mean", mine),
            Reading("mean_targets_left", "mean", theirs),
        )

    def apart(self) -> tuple[Reading, ...]:
        """Turns and kills, which are counted apart from the ends."""
        numbers = np.arange(self.rules.side_turns + 1)
        readings = [
            Reading("turns", "distribution", numbers, drawn=False, weights=self.turns),
            Reading("mean_turns", "mean", numbers, weights=self.turns),
        ]
        titles = {"attacker": _("mean kills, attackers: {card}"), "target": _("mean kills, targets: {card}")}
        cards = [("attacker", card) for card in self.squads[0]] + [("target", card) for card in self.squads[1]]
        for place, (side, card) in enumerate(cards):
            kills = np.arange(max(self.sizes) + 1)
            name, title = f"mean_kills_{side}_{card.id}", titles[side].format(card=named(card.name, card.name_ru))
            readings.append(Reading(name, "mean", kills, weights=self.kills[place], title=title))
        return tuple(readings)
