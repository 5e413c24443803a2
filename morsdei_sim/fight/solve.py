"""Best play, fixed play and mixed play of an exchange: a finite two-player zero-sum game that both players see whole.

A room describes its game by one verb, `offers`: at a position the leader (side 0 or 1) has some *leads*; each lead
lets the other side choose among some *answers* (one, if there is nothing to choose); each answer leads to a *lower*
position or to an outcome. Because positions only go down, one sweep upwards solves the whole game, and one sweep
downwards spreads chances through it.

    next >= 0   a position            next < 0   the outcome -1 - next

Side 0 wants the score of the outcome high, side 1 wants it low.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from morsdei_sim._jit import INLINE, inline, kernel
from morsdei_sim.dice.questions import choose
from morsdei_sim.fight.verbs import MEANINGS, means

MAX_LEADS = 16
MAX_ANSWERS = 96

UNIFORM = -1
"""A choice left to chance: every option alike."""


class Menu(NamedTuple):
    """What may be done at a position: lead k has the answers `end[k - 1] … end[k] - 1` (from 0 for k = 0)."""

    lead: NDArray[np.int64]
    end: NDArray[np.int64]
    answer: NDArray[np.int64]
    next: NDArray[np.int64]


class Best(NamedTuple):
    """Minimax play: `value` of each position; ties go to the option named first."""

    value: NDArray[np.float64]
    score: NDArray[np.float64]


class Reply(NamedTuple):
    """Best play against a policy that is known: `value` of each position from `exploit`. Other than `Best`, it leads
    where `policy` answers badly."""

    value: NDArray[np.float64]
    score: NDArray[np.float64]
    policy: Any


class Plan(NamedTuple):
    """Play by tables: the name of the lead [position] and of the answer [position, lead number], or UNIFORM."""

    lead: NDArray[np.int8]
    answer: NDArray[np.int8]


def menu() -> Menu:
    """Room for the largest menu."""
    return Menu(*(np.zeros(n, np.int64) for n in (MAX_LEADS, MAX_LEADS, MAX_ANSWERS, MAX_ANSWERS)))


def offers(game, position, menu):
    """Write the menu of a position; answer (leader, number of leads). No leads: the position does not occur."""
    return MEANINGS["offers", type(game)](game, position, menu)


@overload(offers, jit_options=INLINE)
def _offers(game, position, menu):
    return MEANINGS.get(("offers", getattr(game, "instance_class", None)))


def picks_lead(policy, game, position, menu, leader, leads):
    """Which lead the leader's policy takes: its number in the menu, or UNIFORM."""
    return _picker("picks_lead", policy)(policy, game, position, menu, leader, leads)


def picks_answer(policy, game, position, menu, leader, k):
    """Which answer to lead k the other side's policy takes: its place in the menu, or UNIFORM."""
    return _picker("picks_answer", policy)(policy, game, position, menu, leader, k)


def _picker(verb: str, policy: Any) -> Callable[..., Any] | None:
    return MEANINGS.get((verb, getattr(policy, "instance_class", type(policy))))


@overload(picks_lead, jit_options=INLINE)
def _picks_lead(policy, game, position, menu, leader, leads):
    return _picker("picks_lead", policy)


@overload(picks_answer, jit_options=INLINE)
def _picks_answer(policy, game, position, menu, leader, k):
    return _picker("picks_answer", policy)


@inline
def first_answer(menu, k):
    """Place of the first answer to lead k."""
    return menu.end[k - 1] if k > 0 else 0


@inline
def worth(value, score, following):
    """Value of what follows: of a position, or the score of an outcome."""
    return value[following] if following >= 0 else score[-1 - following]


@inline
def best_answer(value, score, menu, leader, k):
    """The answer to lead k that is best for the side that answers, and its value."""
    chosen = first_answer(menu, k)
    best = worth(value, score, menu.next[chosen])
    for j in range(chosen + 1, menu.end[k]):
        other = worth(value, score, menu.next[j])
        if (leader == 0 and other < best) or (leader == 1 and other > best):
            chosen, best = j, other
    return chosen, best


@inline
def best_lead(value, score, menu, leader, leads):
    """The lead that is best for the leader against the best answer, and its value."""
    chosen = 0
    _, best = best_answer(value, score, menu, leader, 0)
    for k in range(1, leads):
        _, other = best_answer(value, score, menu, leader, k)
        if (leader == 0 and other > best) or (leader == 1 and other < best):
            chosen, best = k, other
    return chosen, best


@means(picks_lead, Best)
def _best_picks_lead(policy, game, position, menu, leader, leads):
    chosen, _ = best_lead(policy.value, policy.score, menu, leader, leads)
    return chosen


@means(picks_answer, Best)
def _best_picks_answer(policy, game, position, menu, leader, k):
    chosen, _ = best_answer(policy.value, policy.score, menu, leader, k)
    return chosen


@inline
def worth_against(value, score, policy, game, position, menu, leader, k):
    """Value of lead k when the other side answers by its policy."""
    j = picks_answer(policy, game, position, menu, leader, k)
    if j != UNIFORM:
        return worth(value, score, menu.next[j])
    first = first_answer(menu, k)
    total = 0.0
    for i in range(first, menu.end[k]):
        total += worth(value, score, menu.next[i])
    return total / (menu.end[k] - first)


@inline
def best_lead_against(value, score, policy, game, position, menu, leader, leads):
    """The lead that is best for the leader against the policy of the other side, and its value."""
    chosen = 0
    best = worth_against(value, score, policy, game, position, menu, leader, 0)
    for k in range(1, leads):
        other = worth_against(value, score, policy, game, position, menu, leader, k)
        if (leader == 0 and other > best) or (leader == 1 and other < best):
            chosen, best = k, other
    return chosen, best


@means(picks_lead, Reply)
def _reply_picks_lead(policy, game, position, menu, leader, leads):
    chosen, _ = best_lead_against(policy.value, policy.score, policy.policy, game, position, menu, leader, leads)
    return chosen


@means(picks_answer, Reply)
def _reply_picks_answer(policy, game, position, menu, leader, k):
    chosen, _ = best_answer(policy.value, policy.score, menu, leader, k)
    return chosen


@means(picks_lead, Plan)
def _plan_picks_lead(policy, game, position, menu, leader, leads):
    named = policy.lead[position]
    for k in range(leads):
        if menu.lead[k] == named:
            return k
    return UNIFORM


@means(picks_answer, Plan)
def _plan_picks_answer(policy, game, position, menu, leader, k):
    named = policy.answer[position, k]
    for j in range(first_answer(menu, k), menu.end[k]):
        if menu.answer[j] == named:
            return j
    return UNIFORM


@kernel
def solve(game, score, menu, value):
    """Fill `value` (float64, by position) with minimax values, given the score (float64) of each outcome."""
    for position in range(len(value)):
        leader, leads = offers(game, position, menu)
        if leads > 0:
            _, value[position] = best_lead(value, score, menu, leader, leads)


@kernel
def exploit(game, score, menu, policy, fixed, value):
    """Fill `value` (float64, by position) for side `fixed` playing `policy` and the other side playing best against
    just that."""
    for position in range(len(value)):
        leader, leads = offers(game, position, menu)
        if leads == 0:
            continue
        if leader != fixed:
            _, value[position] = best_lead_against(value, score, policy, game, position, menu, leader, leads)
        else:
            k = picks_lead(policy, game, position, menu, leader, leads)
            if k == UNIFORM:
                total = 0.0
                for i in range(leads):
                    _, worth_i = best_answer(value, score, menu, leader, i)
                    total += worth_i / leads
                value[position] = total
            else:
                _, value[position] = best_answer(value, score, menu, leader, k)


@kernel
def spread(game, policy_0, policy_1, chance, outcomes, menu):
    """Push `chance` (float64, by position; used up) down to `outcomes` (float64) under two policies; exact."""
    for position in range(len(chance) - 1, -1, -1):
        mass = chance[position]
        if mass == 0.0:
            continue
        leader, leads = offers(game, position, menu)
        if leader == 0:
            k = picks_lead(policy_0, game, position, menu, leader, leads)
        else:
            k = picks_lead(policy_1, game, position, menu, leader, leads)
        first, last = (0, leads) if k == UNIFORM else (k, k + 1)
        for lead in range(first, last):
            if leader == 0:
                j = picks_answer(policy_1, game, position, menu, leader, lead)
            else:
                j = picks_answer(policy_0, game, position, menu, leader, lead)
            start, stop = (first_answer(menu, lead), menu.end[lead]) if j == UNIFORM else (j, j + 1)
            share = mass / (last - first) / (stop - start)
            for answer in range(start, stop):
                following = menu.next[answer]
                if following >= 0:
                    chance[following] += share
                else:
                    outcomes[-1 - following] += share


@kernel
def open_values(value, opening, order, outcomes):
    """Chance of each outcome when both sides play best.

    `opening` is the chance of each position to be the first, `value` its rank under best play, `order` the outcome of
    each rank; added to `outcomes`.
    """
    for position in range(len(opening)):
        if opening[position] > 0.0:
            outcomes[order[int(value[position])]] += opening[position]


@inline
def play(game, policy_0, policy_1, dice, purpose, position, menu):
    """Play one exchange from a position to its outcome; `purpose` is the first of those that chance choices may use."""
    while position >= 0:
        leader, leads = offers(game, position, menu)
        if leader == 0:
            k = picks_lead(policy_0, game, position, menu, leader, leads)
        else:
            k = picks_lead(policy_1, game, position, menu, leader, leads)
        if k == UNIFORM:
            k = choose(dice, leads, purpose)
            purpose += 1
        if leader == 0:
            j = picks_answer(policy_1, game, position, menu, leader, k)
        else:
            j = picks_answer(policy_0, game, position, menu, leader, k)
        if j == UNIFORM:
            first = first_answer(menu, k)
            j = first + choose(dice, menu.end[k] - first, purpose)
            purpose += 1
        position = menu.next[j]
    return -1 - position
