"""The best use of the points that a fighter has left, weighed: shots, loot, a move first or last.

A plan is worth the attacks that it makes and the place where it ends. The bots differ in their weights and in what else
they do; the plan is made anew after every action.
"""

from __future__ import annotations

import numpy as np

from morsdei_sim._jit import apart, inline
from morsdei_sim.rulesets.morsdei.game.bots.weigh import (
    CLOSE,
    HOLD,
    LANE,
    NEARER,
    NEVER,
    STEP,
    STRIDE,
    VP,
    WATCH,
    goal_of,
    learn,
    look_at,
    melee_worth,
    places_to_weigh,
    shot_worth,
    way_to_goal,
    weight,
)
from morsdei_sim.rulesets.morsdei.game.exchanges import bots_dice
from morsdei_sim.rulesets.morsdei.game.hooks import any_place, drawn_place, may_contract, may_react
from morsdei_sim.rulesets.morsdei.game.legal import (
    FALL_BACK,
    LOOT,
    MELEE,
    MOVE,
    OVERWATCH,
    SHOOT,
    in_contact,
    in_cover,
    is_aimed,
    may_loot,
    may_shoot,
    may_strike,
    option,
    path_to,
    touching,
)
from morsdei_sim.rulesets.morsdei.game.records import procedure, table
from morsdei_sim.rulesets.morsdei.game.sight import COVER, HEAD, HEART
from morsdei_sim.rulesets.morsdei.game.world import BLADE, BY_ACTION, BY_CONTRACT, BY_OVERWATCH
from morsdei_sim.rulesets.morsdei.rules import action_points

__all__ = ["best_of_zone", "best_plan", "best_reaction", "most_urgent", "planned", "who_for_contract"]

MICRO = 1e6
"""Procedures answer worth in millionths of an HP, above what the action is."""

points_of = apart(action_points)

DRAWN = 24
"""Places of a zone that are looked at."""


# Columns of the table `room_too`, by fighter; the first are `weigh.goal_of`'s.
OPTION, GAIN, STAMP = 8, 9, 10
# The best places found, and their worth: to act there (rows 0 - 3 of the columns), and only to be there.
FOUND, WORTH, KEPT = 16, 24, 4


# ── a place ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def stand_worth(world, state, i, q, shot, cost, nearest):
    """What it is worth to end on a place."""
    here = weight(world, state, i, LANE) * shot - cost
    to_loot, further = table(world, "to_loot")[table(world, "men")[i].base], table(state, "room_too")[i]
    here -= weight(world, state, i, NEARER) * way_to_goal(to_loot, further, world.points, q)
    if weight(world, state, i, CLOSE) != 0.0:
        here -= weight(world, state, i, CLOSE) * np.sqrt(nearest)
    if table(world, "where_loot")[table(world, "men")[i].base, q] != 0:
        here += weight(world, state, i, HOLD)
    return here


@inline
def use_of(points, loot, shot, watch):
    """The most that so many actions are worth on the spot: a loot and an Overwatch once, shots again and again."""
    total = 0.0
    for _action in range(points):
        best = max(loot, max(shot, watch))
        if best <= 0.0:
            break
        total += best
        if best == loot:
            loot = 0.0
        elif best == watch:
            watch = 0.0
    return total


@inline
def loot_there(world, state, i, q):
    """What can be looted from a place, by terrain: the worth of a VP, or nothing."""
    men = table(world, "men")
    bits, side = table(world, "where_loot")[men[i].base, q], men[i].side
    if bits == 0:
        return 0.0
    for point in range(world.points):
        if bits >> point & 1 and not state.looted[point, side] and table(world, "marker")[point, q] != 0:
            if not contested(world, state, point, side):
                return weight(world, state, i, VP)
    return 0.0


@inline
def contested(world, state, point, side):
    """Whether an enemy is at a point, by terrain (L4)."""
    men = table(world, "men")
    for e in range(world.fighters):
        if (
            state.at[e] >= 0
            and men[e].side != side
            and table(world, "where_loot")[men[e].base, state.at[e]] >> point & 1
        ):
            return True
    return False


@inline
def keep(row, first, q, worth):
    """Put a place among the best found, the best first."""
    k = first + KEPT - 1
    if worth <= row[WORTH + k]:
        return
    while k > first and worth > row[WORTH + k - 1]:
        row[FOUND + k], row[WORTH + k] = row[FOUND + k - 1], row[WORTH + k - 1]
        k -= 1
    row[FOUND + k], row[WORTH + k] = q, worth


@procedure
def search(world, state, i, count, points) -> None:
    """Weigh the places in reach by terrain alone: the best to act at so many times, and the best to be at."""
    row, listed = table(state, "room_too")[i], table(state, "looked_at")
    for k in range(2 * KEPT):
        row[FOUND + k], row[WORTH + k] = -1.0, -1e18
    for k in range(places_to_weigh(world, state, i, np.int64(weight(world, state, i, STRIDE)))):
        q = listed[k]
        shot, cost, strike, nearest = look_at(world, state, i, count, q)
        if strike > NEVER / 2:  # in contact: Melee is all that is left
            worth = stand_worth(world, state, i, q, 0.0, cost, nearest)
            keep(row, KEPT, q, worth)
            keep(row, 0, q, points * strike + worth)
        else:
            worth = stand_worth(world, state, i, q, shot, cost, nearest)
            keep(row, KEPT, q, worth)
            loot = loot_there(world, state, i, q) if points > 0 else 0.0
            keep(row, 0, q, use_of(points, loot, shot, 0.0) + worth)


@apart
def first_free(world, state, i, action, first):
    """The best of the places found that the fighter may really move to: where it stands in the list, -1 for none."""
    row = table(state, "room_too")[i]
    for k in range(first, first + KEPT):
        if row[FOUND + k] < 0.0:
            return -1
        if path_to(world, state, i, action, np.int64(row[FOUND + k])) > 0:
            return k
    return -1


# ── attacks from where it stands ──────────────────────────────────────────────────────────────────────────────────────


@procedure
def best_shot(world, state, i):
    """The shot that is worth most: its option, and 2 ** 32 times its worth in millionths; 0 without a target."""
    men, arms = table(world, "men"), table(world, "arms")
    contact = in_contact(world, state, i)
    best, chosen = 0.0, 0
    for t in range(world.fighters):
        if state.at[t] < 0 or men[t].side == men[i].side:
            continue
        cover = in_cover(world, state, i, t)
        for w in range(men[i].arms):
            if arms[i, w].kind == BLADE or not may_shoot(world, state, i, w, t, contact):
                continue
            aimed = is_aimed(state, w, state.mode)
            worth = shot_worth(world, state, i, w, t, state.mode, contact, aimed, cover)
            worth -= friends_at_risk(world, state, i, t) * 2.0
            if worth > best:
                best, chosen = worth, option(SHOOT, w, t)
    return chosen + (np.int64(best * MICRO) << 32)


@inline
def friends_at_risk(world, state, i, t):
    """How many friends are in contact with a target: those that F2 may put in danger."""
    count = 0
    for j in range(world.fighters):
        if j != i and touching(world, state, j, t):
            count += 1
    return count


@procedure
def best_strike(world, state, i):
    """The exchange that is worth most: its option, and 2 ** 32 times its worth in millionths; 0 without any."""
    men, arms = table(world, "men"), table(world, "arms")
    best, chosen = NEVER, 0
    for e in range(world.fighters):
        for w in range(men[i].arms):
            if arms[i, w].kind == BLADE and may_strike(world, state, i, w, e):
                worth = melee_worth(world, state, i, w, e, 1 if state.mode == BY_CONTRACT else 0)
                if worth > best:
                    best, chosen = worth, option(MELEE, w, e)
    if chosen == 0:
        return 0
    return chosen + (np.int64(best * MICRO) << 32)


@inline
def point_here(world, state, i):
    """A point that fighter i may Loot now; -1 for none."""
    if state.used >> LOOT & 1:
        return -1
    for point in range(world.points):
        if table(world, "where_loot")[table(world, "men")[i].base, state.at[i]] >> point & 1:
            if may_loot(world, state, i, point, False):
                return point
    return -1


@apart
def best_watch(world, state, i):
    """The weapon to set Overwatch with: the most Dice x Damage; -1 for none."""
    men, arms = table(world, "men"), table(world, "arms")
    best, chosen = 0, -1
    for w in range(men[i].arms):
        if arms[i, w].kind != BLADE and arms[i, w].dice * arms[i, w].damage > best:
            best, chosen = arms[i, w].dice * arms[i, w].damage, w
    return chosen


# ── the plan ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def best_plan(world, state, i):
    """The first action of the best plan of fighter i, an option; `room_too[i, GAIN]` is what the plan gains over doing
    nothing, in HP."""
    count, row = learn(world, state, i), table(state, "room_too")[i]
    goal_of(world, state, i)
    row[OPTION] = row[GAIN] = 0.0
    points = 1 if state.mode == BY_CONTRACT else state.apl
    if points > 0:
        if in_contact(world, state, i):
            plan_in_contact(world, state, i, points, count)
        else:
            plan_free(world, state, i, points, count)
    row[STAMP] = -1.0
    return np.int64(row[OPTION])


@inline
def offer(row, chosen, gain):
    """Take an option when it gains more than the best so far."""
    if gain > row[GAIN]:
        row[OPTION], row[GAIN] = chosen, gain


@apart
def plan_in_contact(world, state, i, points, count):
    """Strike, fire a pistol, or fall back when that is worth more (A16)."""
    row = table(state, "room_too")[i]
    strike, shot = best_strike(world, state, i), best_shot(world, state, i)
    if strike:
        offer(row, strike & 0xFFFFFFFF, (strike >> 32) / MICRO)
    offer(row, shot & 0xFFFFFFFF, (shot >> 32) / MICRO)
    left = points - world.rules.fall_back_apl
    if state.mode == BY_CONTRACT or left < 0 or state.used >> FALL_BACK & 1:
        return
    _shot, cost, _strike, nearest = look_at(world, state, i, count, state.at[i])
    here = stand_worth(world, state, i, state.at[i], 0.0, cost, nearest)
    search(world, state, i, count, left)
    k = first_free(world, state, i, FALL_BACK, 0)
    if k >= 0 and row[WORTH + k] - here > 2.0 * row[GAIN]:
        offer(row, option(FALL_BACK, np.int64(row[FOUND + k]), -1), row[WORTH + k] - here)


@apart
def plan_free(world, state, i, points, count):
    """Loot, shoot, watch on the spot; or move first; or act and move at the end (A13)."""
    row, step = table(state, "room_too")[i], weight(world, state, i, STEP)
    seen, cost, _strike, nearest = look_at(world, state, i, count, state.at[i])
    here = stand_worth(world, state, i, state.at[i], seen, cost, nearest)
    shot = best_shot(world, state, i)
    shot_now = (shot >> 32) / MICRO
    point, by_action = -1, state.mode == BY_ACTION
    if by_action:
        point = point_here(world, state, i)
    loot = weight(world, state, i, VP) if point >= 0 else 0.0
    arm, watch = -1, 0.0
    if by_action and weight(world, state, i, WATCH) > 0.0 and not state.used >> OVERWATCH & 1:
        arm = best_watch(world, state, i)
        watch = watch_worth(world, state, i, arm)
    if max(loot, max(shot_now, watch)) > 0.0:
        first = spot_option(loot, shot_now, watch, point, shot, arm)
        offer(row, first, use_of(points, loot, shot_now, watch))
    search(world, state, i, count, points - 1)
    k = first_free(world, state, i, MOVE, 0)
    if k >= 0:
        offer(row, option(MOVE, np.int64(row[FOUND + k]), -1), row[WORTH + k] - here - step)
    if points > 1 and max(loot, shot_now) > 0.0:  # act first, move at the end
        k = first_free(world, state, i, MOVE, KEPT)
        if k >= 0:
            gain = row[WORTH + k] - here - step + use_of(points - 1, loot, shot_now, 0.0)
            offer(row, spot_option(loot, shot_now, 0.0, point, shot, -1), gain)


@inline
def spot_option(loot, shot_now, watch, point, shot, arm):
    """What comes first on the spot: loot before anything, Overwatch last."""
    if loot > 0.0:
        return option(LOOT, point, -1)
    if shot_now >= watch:
        return shot & 0xFFFFFFFF
    return option(OVERWATCH, arm, -1)


@apart
def watch_worth(world, state, i, w):
    """What Overwatch is worth: the best shot at an enemy that is in view and still to activate."""
    if w < 0:
        return 0.0
    men, best = table(world, "men"), 0.0
    for e in range(world.fighters):
        if state.at[e] >= 0 and men[e].side != men[i].side and state.ready[e]:
            bits = table(world, "sight")[state.at[i], state.at[e]]
            factor = 1.0 if bits & (HEAD | HEART) else 0.35  # it may come into view
            worth = factor * shot_worth(world, state, i, w, e, BY_OVERWATCH, 0, 0, 1 if bits & COVER else 0)
            best = max(best, worth)
    return weight(world, state, i, WATCH) * best


# ── other decisions ───────────────────────────────────────────────────────────────────────────────────────────────────


@apart
def most_urgent(world, state, side):
    """J4 The ready fighter whose plan gains most."""
    best, chosen = -1.0, -1
    points, mode = state.apl, state.mode
    state.mode = BY_ACTION
    for i in range(world.fighters):
        if state.ready[i] and table(world, "men")[i].side == side:
            state.apl = points_of(world.rules, table(world, "men")[i].apl, state.prone[i])
            best_plan(world, state, i)
            table(state, "room_too")[i, STAMP] = state.decisions
            gain = table(state, "room_too")[i, GAIN]
            if gain > best:
                best, chosen = gain, i
    state.apl, state.mode = points, mode
    return chosen


@inline
def planned(world, state, i):
    """J5 The best plan's first action: as found when the fighter was chosen a moment ago, or made now."""
    row = table(state, "room_too")[i]
    if row[STAMP] == state.decisions - 1 and state.mode == BY_ACTION:
        return np.int64(row[OPTION])
    return best_plan(world, state, i)


@apart
def who_for_contract(world, state, side):
    """J13 The fighter whose free action gains most; -1 when none gains anything."""
    best, chosen, mode = 0.0, -1, state.mode
    state.mode = BY_CONTRACT
    for i in range(world.fighters):
        if table(world, "men")[i].side == side and may_contract(world, state, i):
            best_plan(world, state, i)
            gain = table(state, "room_too")[i, GAIN]
            if gain > best:
                best, chosen = gain, i
    state.mode = mode
    return chosen


@apart
def best_reaction(world, state, i):
    """J12 The watcher whose shot is worth most; -1 when friends stand in the way of all."""
    best, chosen = 0.0, -1
    for j in range(world.fighters):
        if table(world, "men")[j].side != table(world, "men")[i].side and may_react(world, state, j, i):
            cover = in_cover(world, state, j, i)
            worth = shot_worth(world, state, j, state.watch[j], i, BY_OVERWATCH, 0, 0, cover)
            worth -= friends_at_risk(world, state, j, i) * 2.0
            if worth > best:
                best, chosen = worth, j
    return chosen


@apart
def best_of_zone(world, state, i):
    """J2 The best of some places of the zone, drawn: near a point that no friend is nearer to, out of sight."""
    count = learn(world, state, i)
    dice = bots_dice(state)
    best, chosen = -1e18, -1
    for k in range(DRAWN):
        q = drawn_place(world, state, i, dice, k)
        if q < 0:
            continue
        state.at[i] = q
        goal_of(world, state, i)
        state.at[i] = -1
        shot, cost, _strike, nearest = look_at(world, state, i, count, q)
        worth = stand_worth(world, state, i, q, shot, cost, nearest)
        if worth > best:
            best, chosen = worth, q
    return chosen if chosen >= 0 else any_place(world, state, i, 0)
