"""Fights without a fixed length: turn after turn until an end, or until a limit of turns.

A room gives the verbs `begin`, `attack` (one step: a roll or a few), `stage` and `span` (the number of ends). Exact:
the chain of reachable states is explored once, then chances flow through it turn by turn; what has not ended by the
limit is followed on, so means are not cut off. Sampled: every trial walks until its end or the limit.

Within a turn no state may come twice.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import kernel
from morsdei_sim.dice.every import every, next_path, start_path
from morsdei_sim.dice.rolled import AHEAD, BLOCK, at, draw_ahead, rolled
from morsdei_sim.errors import UserError
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import Run, answer
from morsdei_sim.fight.sample import in_chunks
from morsdei_sim.fight.verbs import TURN, attack, begin, largest, span, stage
from morsdei_sim.lang import _

__all__ = ["Chain", "Flow", "chain_of", "ends", "flow", "play", "sampled"]

MAX_STATES = 3_000_000
PATIENCE = 20_000
"""Turns that chances are followed before the rest is solved as linear equations."""
GONE = 1e-16


class Chain(NamedTuple):
    """All states that can be reached: number 0 is the first; the arcs of state s are first[s] .. first[s + 1] - 1."""

    stage: NDArray[np.int64]
    first: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: NDArray[np.float64]


class Flow(NamedTuple):
    """Where the chances end: `weights` (span x limit + 1: by end and turn; last what is undecided by then), and the
    mean turn in which the undecided ones end (inf if some never do)."""

    weights: NDArray[np.float64]
    late: float


# ── the chain ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def arcs(rules, dice, attacker, defender, states, first, target, weight):
    """Write the steps from each of `states` (int64), equal targets merged: `target`, `weight`, and where those of each
    state begin in `first`.

    Returns the number of arcs, or -1 when they do not fit.
    """
    used = 0
    for here in range(len(states)):
        first[here] = used
        dice.path[:] = 0
        while True:
            start_path(dice)
            end = attack(rules, dice, attacker, defender, states[here])
            place = first[here]
            while place < used and target[place] != end:
                place += 1
            if place == len(target):
                return -1
            if place == used:
                target[place] = end
                weight[place] = 0.0
                used += 1
            weight[place] += dice.weight[0]
            if not next_path(dice):
                break
    first[len(states)] = used
    return used


@kernel
def stages(rules, attacker, defender, states, out):
    """Write the stage of each state."""
    for here in range(len(states)):
        out[here] = stage(rules, attacker, defender, states[here])


@kernel
def number(slots, codes, order, count):
    """Replace each of `codes` by its number; one not seen before gets the next and is written to `order`.

    `slots` (int64, a power of two, at least twice the codes known) is a hash table of numbers, -1 where empty. Returns
    how many codes are known.
    """
    mask = len(slots) - 1
    for here in range(len(codes)):
        code = codes[here]
        slot = (np.uint64(code) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & np.uint64(mask)
        while slots[slot] >= 0 and order[slots[slot]] != code:
            slot = (slot + np.uint64(1)) & np.uint64(mask)
        if slots[slot] < 0:
            slots[slot] = count
            order[count] = code
            count += 1
        codes[here] = slots[slot]
    return count


def chain_of(rules: Any, attacker: Any, defender: Any) -> Chain:
    """Explore every state that the fight can reach.

    Raises
    ------
    UserError : there are more than MAX_STATES.
    """
    order = np.zeros(1024, np.int64)
    slots = np.full(4096, -1)
    known = int(number(slots, np.array([begin(rules, attacker, defender)]), order, 0))
    done, arc_count = 0, 0
    all_stages, firsts, targets, weights = [], [], [], []
    dice, room = every(), 4096
    while done < known:
        states = order[done:known].copy()
        kinds = np.empty(len(states), np.int64)
        stages(rules, attacker, defender, states, kinds)
        under_way = states[kinds < 0]
        while True:
            first, target, weight = np.empty(len(under_way) + 1, np.int64), np.empty(room, np.int64), np.empty(room)
            used = int(arcs(rules, dice, attacker, defender, under_way, first, target, weight))
            if used >= 0:
                break
            room *= 4
        if np.isnan(weight[:used]).any():
            raise RuntimeError("a rule asked more questions than an exact path can hold")
        order, slots = _with_room(order, slots, known, used)
        found = target[:used].copy()
        done, known = known, int(number(slots, found, order, known))
        if known > MAX_STATES:
            raise UserError(
                _(
                    "This fight has more states than the {limit} that can be counted exactly; ask for --engine sample."
                ).format(limit=MAX_STATES)
            )
        counts = np.zeros(len(states), np.int64)
        counts[kinds < 0] = np.diff(first)
        all_stages.append(kinds)
        firsts.append(arc_count + np.cumsum(counts) - counts)
        targets.append(found)
        weights.append(weight[:used])
        arc_count += used
    return Chain(
        np.concatenate(all_stages),
        np.concatenate([*firsts, np.array([arc_count])]),
        np.concatenate(targets),
        np.concatenate(weights),
    )


def _with_room(
    order: NDArray[np.int64], slots: NDArray[np.int64], known: int, more: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same table with room for `more` codes."""
    if len(order) >= known + more:
        return order, slots
    size = 1 << (known + more).bit_length() + 1
    grown, table = np.zeros(size, np.int64), np.full(4 * size, -1)
    number(table, order[:known].copy(), grown, 0)
    return grown, table


# ── exact ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def one_turn(first, target, weight, kinds, here, there, later, active, queued, waiting, count, ended):
    """Take the chances of one turn through it.

    `here`, `there`, `later` (float64, by state) hold chances of this wave of steps, the next wave and the next turn;
    `active`, `queued`, `waiting` (int64) list the states where they are not zero. At the start `here` and the first
    `count` of `active` are the states with which the turn begins. Adds to `ended` (float64, by end). Returns how many
    are waiting.
    """
    begun = 0
    while count > 0:
        next_count = 0
        for place in range(count):
            state = active[place]
            chance = here[state]
            here[state] = 0.0
            for arc in range(first[state], first[state + 1]):
                share = chance * weight[arc]
                if share == 0.0:
                    continue
                to = target[arc]
                if kinds[to] >= 0:
                    ended[kinds[to]] += share
                elif kinds[to] == TURN:
                    if later[to] == 0.0:
                        waiting[begun] = to
                        begun += 1
                    later[to] += share
                else:
                    if there[to] == 0.0:
                        queued[next_count] = to
                        next_count += 1
                    there[to] += share
        here, there = there, here
        active, queued = queued, active
        count = next_count
    return begun


def flow(chain: Chain, cells: int, limit: int) -> Flow:
    """Take the chances through the chain, turn by turn."""
    states = len(chain.stage)
    here, there, later = np.zeros(states), np.zeros(states), np.zeros(states)
    active, queued, waiting = (np.zeros(states, np.int64) for _buffer in range(3))
    by_turn = np.zeros((cells, limit))
    if chain.stage[0] >= 0:  # over before it began
        by_turn[chain.stage[0], 0] = 1.0
        return Flow(np.append(by_turn.ravel(), 0.0), 0.0)
    here[0], active[0], count, turn, late, mean = 1.0, 0, 1, 0, 0.0, 0.0
    while count and turn < max(limit, PATIENCE):
        ended = np.zeros(cells)
        count = int(one_turn(*chain[1:], chain.stage, here, there, later, active, queued, waiting, count, ended))
        here, later, active, waiting = later, here, waiting, active
        turn += 1
        if turn <= limit:
            by_turn[:, turn - 1] = ended
        else:
            mean += turn * ended.sum()
        left = here[active[:count]].sum()
        if turn == limit:
            late = left
        if turn >= limit and left < GONE:
            break
        if turn == limit and (_hopeless(chain)[active[:count]] & (here[active[:count]] > 0)).any():
            return Flow(np.append(by_turn.ravel(), late), np.inf)
    if count and here[active[:count]].sum() >= GONE:
        rest = here[active[:count]]
        mean += float(rest @ (turn + _turns_left(chain)[active[:count]]))
    return Flow(np.append(by_turn.ravel(), late), mean / late if late > 0 else 0.0)


@kernel
def hope_spreads(first, target, weight, hope):
    """Mark in `hope` (bool, by state) every state that can reach one marked already. From the last state back: states
    are numbered as they were found, so one sweep does nearly all."""
    changed = True
    while changed:
        changed = False
        for state in range(len(hope) - 1, -1, -1):
            arc = first[state]
            while not hope[state] and arc < first[state + 1]:
                if weight[arc] > 0 and hope[target[arc]]:
                    hope[state] = changed = True
                arc += 1


def _hopeless(chain: Chain) -> NDArray[np.bool_]:
    """States from which no end can be reached."""
    hope = chain.stage >= 0
    hope_spreads(*chain[1:], hope)
    return ~hope


def _turns_left(chain: Chain) -> NDArray[np.float64]:
    """Mean number of turns that are still to begin, from each state, as the solution of the chain's equations."""
    from scipy.sparse import csr_array, identity
    from scipy.sparse.linalg import spsolve

    states = len(chain.stage)
    steps = csr_array((chain.weight, chain.target, chain.first), shape=(states, states))
    solved: NDArray[np.float64] = spsolve((identity(states, format="csr") - steps).tocsc(), chain.stage == TURN)
    return solved


# ── sampled ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def walk(rules, dice, attacker, defender, first, trials, limit, ahead, states, turns, histogram):
    """Count into `histogram` (int64, span x limit + 1) in which end and turn trials `first` … end; the last counts the
    undecided.

    `first` is a multiple of 1,024; `ahead` (uint32, 2 x 1,024), `states` and `turns` (int64, 1,024) are scratch.
    """
    while trials > 0:
        here = min(trials, BLOCK)
        states[:] = begin(rules, attacker, defender)
        turns[:] = 0
        walking = here
        step = 0
        while walking > 0:
            draw_ahead(dice.seed, first // BLOCK, step, ahead)
            for t in range(here):
                if turns[t] < 0:
                    continue
                end = stage(rules, attacker, defender, states[t])
                if end < 0 and not (end == TURN and turns[t] == limit):
                    turns[t] += end == TURN
                    roll = at(dice, first + t, step, ahead[0, t], ahead[1, t])
                    states[t] = attack(rules, roll, attacker, defender, states[t])
                    continue
                histogram[end * limit + max(turns[t], 1) - 1 if end >= 0 else len(histogram) - 1] += 1
                turns[t] = -1
                walking -= 1
            step += 1
        first += here
        trials -= here


def sampled(
    rules: Any,
    attacker: Any,
    defender: Any,
    limit: int,
    trials: int,
    seed: int,
    executor: Executor | None = None,
    first: int = 0,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.int64]:
    """Counts (span x limit + 1) of the ends of `trials` fights; parameters as of `fight.sample.sample`."""
    return in_chunks(partial(_block, rules, attacker, defender, limit, seed), first, trials, executor, progress)


def _block(
    rules: Any, attacker: Any, defender: Any, limit: int, seed: int, first: int, trials: int
) -> NDArray[np.int64]:
    histogram = np.zeros(span(rules, attacker, defender) * limit + 1, np.int64)
    ahead = np.empty((AHEAD, BLOCK), np.uint32)
    scratch = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    dice = rolled(seed, largest(rules, attacker, defender))
    walk(rules, dice, attacker, defender, first, trials, limit, ahead, *scratch, histogram)
    return histogram


# ── both ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def ends(cells: int, limit: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """End (-1: undecided) and turn (limit + 1: undecided) of each weight."""
    return np.append(np.repeat(np.arange(cells), limit), -1), np.append(
        np.tile(np.arange(1, limit + 1), cells), limit + 1
    )


def play(
    run: Run,
    rules: Any,
    attacker: Any,
    defender: Any,
    limit: int,
    readings: Callable[[NDArray[np.int64], NDArray[np.int64]], tuple[Reading, ...]],
    **settings: Any,
) -> Outcome:
    """The outcome of a long fight, by the engine that the run asks for.

    Parameters
    ----------
    limit : turns after which a fight counts as undecided.
    readings : from the arrays of `ends` to the figures. Added to them: `turns` (distribution; limit + 1 stands for:
        undecided), and exact `mean_turns` (not cut off by the limit; infinite when the fight may never end) or sampled
        `mean_turns_at_least` (an undecided fight counts as limit + 1).
    """
    cells, turns = ends(span(rules, attacker, defender), limit)
    late = float(limit + 1)
    weights: NDArray[np.float64] = np.empty(0)
    if not run.sampled:
        weights, mean_late = flow(chain_of(rules, attacker, defender), span(rules, attacker, defender), limit)
        late = mean_late if weights[-1] > 0 else late
    mean = np.where(cells >= 0, turns, late)
    named = "mean_turns_at_least" if run.sampled else "mean_turns"
    figures = (*readings(cells, turns), Reading("turns", "distribution", turns), Reading(named, "mean", mean))
    return answer(
        run,
        lambda: weights,
        lambda first, trials, executor, progress: sampled(
            rules, attacker, defender, limit, trials, run.seed, executor, first, progress
        ),
        figures,
        **settings,
    )
