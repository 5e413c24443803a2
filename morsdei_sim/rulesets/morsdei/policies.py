"""Choices inside an exchange as data: going prone (J6), leads and answers in melee (J10, J11), and what best play
aims at.

A melee policy is one of
  `Best`    minimax for an objective, from `fight.solve`;
  `Style`   a named human habit, below: six lines of rule each;
  `Plan`    tables of names by position, filled by any plain Python function (`plan`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.fight import verbs
from morsdei_sim.fight.solve import UNIFORM, Plan, first_answer, menu, picks_answer, picks_lead
from morsdei_sim.rulesets.morsdei import MELEE_OBJECTIVES, STYLE_NAMES
from morsdei_sim.rulesets.morsdei.melee import FACES, GUARD, HAND_OVER, TAKE, Exchange, menu_of, positions

STRIKE_ONLY, PARRY_FIRST, GUARD_THEN_HIGH, LOWEST_SUFFICIENT_PARRY, RANDOM = range(5)

STYLES = {name: number for number, name in enumerate(STYLE_NAMES)}
"""How people play, by name.

strike-only              leads with the highest die, never parries
parry-first              leads with the lowest die and keeps the high ones; parries whenever possible with the lowest
sufficient die guard-then-high          Guards the highest shared face once per series, then leads with the highest
die; parries as above lowest-sufficient-parry  leads with the highest die; parries as above
random                   every legal lead, then every legal answer, with equal chances
"""

OBJECTIVES = MELEE_OBJECTIVES
"""What best play wants; always from the initiator's side, the target wants the opposite.

net              damage dealt less damage taken (blows x Damage, not capped)
net-hp           the same with each side's damage capped at its HP
kill-difference  chance of removing less chance of being removed
kill             chance that the target is removed
survive          chance that the initiator is not removed
"""


class Style(NamedTuple):
    """A named habit, by its number in `STYLES`."""

    number: int


@verbs.means(picks_lead, Style)
def _style_leads(policy, game, position, menu, leader, leads):
    if policy.number == RANDOM:
        return UNIFORM
    attacks = leads
    while menu.lead[attacks - 1] > GUARD or menu.lead[attacks - 1] == HAND_OVER:
        attacks -= 1
    if policy.number == PARRY_FIRST:
        return attacks - 1
    if policy.number == GUARD_THEN_HIGH and attacks < leads and menu.lead[attacks] > GUARD:
        return attacks
    return 0


@verbs.means(picks_answer, Style)
def _style_answers(policy, game, position, menu, leader, k):
    first = first_answer(menu, k)
    if policy.number == RANDOM:
        return UNIFORM
    if policy.number != STRIKE_ONLY and menu.end[k] > first + 1:
        return first + 1  # the menu names Take first, then parries from the lowest sufficient die up
    return first


def outcomes(game: Exchange) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Blows on the initiator and on the target, by number of outcome."""
    x, y = np.divmod(np.arange((game.kill_1 + 1) * (game.kill_0 + 1)), game.kill_0 + 1)
    return x, y


def ranks(
    game: Exchange, objective: str, damage: tuple[int, int], hp: tuple[int, int]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """How much the initiator likes each outcome, as a rank, and the outcome of each rank.

    Ties of the objective are broken as the atlas does (23.6): by the kill difference, net damage and total damage
    that the objective does not already hold; so the outcome of best play is unique.

    Parameters
    ----------
    damage : of the initiator's and of the target's weapon.
    hp : of the initiator and of the target, now.
    """
    x, y = outcomes(game)
    dealt, taken = y * damage[0], x * damage[1]
    removed = (dealt >= hp[1]).astype(np.int64)
    lost = (taken >= hp[0]).astype(np.int64)
    keys = {
        "net": dealt - taken,
        "net-hp": np.minimum(dealt, hp[1]) - np.minimum(taken, hp[0]),
        "kill-difference": removed - lost,
        "kill": removed,
        "survive": -lost,
        "total": dealt + taken,
    }
    order = np.lexsort((x, keys["total"], keys["net"], keys["kill-difference"], keys[objective]))
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order))
    return rank, order


def score(game: Exchange, objective: str, damage: tuple[int, int], hp: tuple[int, int]) -> NDArray[np.float64]:
    """The objective itself by outcome: what to average when one side leaves choices to chance or plays a fixed
    policy."""
    x, y = outcomes(game)
    dealt, taken = y * damage[0], x * damage[1]
    removed = (dealt >= hp[1]).astype(float)
    lost = (taken >= hp[0]).astype(float)
    if objective == "net":
        return (dealt - taken).astype(float)
    if objective == "net-hp":
        return (np.minimum(dealt, hp[1]) - np.minimum(taken, hp[0])).astype(float)
    if objective == "kill-difference":
        return removed - lost
    return removed if objective == "kill" else -lost


class View(NamedTuple):
    """What a hand-written policy sees: own pool and the other's (faces, lowest first), and the blows that each side
    has dealt."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    dealt: int
    taken: int
    guard_used: bool
    leads: tuple[int, ...] = ()
    attack: int = 0
    answers: tuple[int, ...] = ()


def plan(game: Exchange, lead: Callable[[View], int], answer: Callable[[View], int], side: int) -> Plan:
    """Tables of a hand-written policy for one side, by asking `lead` and `answer` at every position of the exchange.

    Parameters
    ----------
    lead : chooses one of `view.leads`: an Attack by its face, a Guard by 8 + face.
    answer : chooses one of `view.answers` to `view.attack`: 0 is Take, a Parry is named by its face.
    side : 0 initiator, 1 target.

    Raises
    ------
    ValueError : when the policy chooses something that the rules do not offer; the message shows the position.
    """
    here = menu()
    leads = np.full(positions(game), UNIFORM, np.int8)
    answers = np.full((positions(game), len(here.lead)), UNIFORM, np.int8)
    for position in range(len(leads)):
        leader, n = menu_of(game, position, here)
        if n == 0:
            continue
        view = _view(game, position, side)
        if leader == side:
            names = tuple(int(name) for name in here.lead[:n])
            leads[position] = _legal(lead(view._replace(leads=names)), names, view)
        else:
            for k in range(n):
                first = int(here.end[k - 1]) if k else 0
                names = tuple(int(name) for name in here.answer[first : here.end[k]])
                chosen = TAKE if len(names) == 1 else answer(view._replace(attack=int(here.lead[k]), answers=names))
                answers[position, k] = _legal(chosen, names, view)
    return Plan(leads, answers)


def _legal(chosen: int, names: tuple[int, ...], view: View) -> int:
    if chosen not in names:
        raise ValueError(f"the policy chose {chosen}, but the rules offer {names} at {view}")
    return chosen


def _view(game: Exchange, position: int, side: int) -> View:
    pair, flags = divmod(position, 8 if game.may_pass else 4)
    tracks = divmod(pair, game.tracks_1)

    def faces(player: int) -> tuple[int, ...]:
        """The pool, from the dice still to be spent one by one, lowest first."""
        found, track = [], tracks[player]
        while game.held[player, track] & FACES:
            face = min(f for f in range(2, 7) if game.held[player, track] >> f & 1)
            found.append(face)
            track = int(game.spend[player, track, face])
        return tuple(found)

    dealt = [int(game.blows[player, tracks[player]]) for player in (0, 1)]
    return View(faces(side), faces(1 - side), dealt[side], dealt[1 - side], bool(flags & 1))
