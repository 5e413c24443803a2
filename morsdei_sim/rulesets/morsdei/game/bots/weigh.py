"""What a place and an attack are worth to a fighter: the arithmetic that the bots share.

Everything is in HP: what an attack takes off on average, what enemies would take off a fighter that stands there, and
fixed prices for the rest (`Weights`). A look at a place costs one byte of the table of sight for each enemy, because
what the byte means, attack and threat by cover, is worked out once for a decision (`learn`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from morsdei_sim._jit import apart, inline
from morsdei_sim.rulesets.morsdei.game import expect
from morsdei_sim.rulesets.morsdei.game.legal import in_contact, near_end, near_first
from morsdei_sim.rulesets.morsdei.game.records import procedure, table
from morsdei_sim.rulesets.morsdei.game.sight import BACK_COVER, BACK_HEART, COVER, HEAD, HEART
from morsdei_sim.rulesets.morsdei.game.world import BLADE, BY_ACTION, BY_OVERWATCH

__all__ = [
    "NEVER",
    "Weights",
    "goal_of",
    "learn",
    "look_at",
    "melee_worth",
    "places_to_weigh",
    "shot_worth",
    "way_to_goal",
    "weight",
]

NEVER = -1e9
"""Worth of what cannot be done."""

UNLIMITED = 500.0
"""Inches from which on a range counts as unlimited."""


class Weights(NamedTuple):
    """What a bot goes by, in HP. The numbers are data: profiles/morsdei/bots/*.toml; here nothing is worth anything."""

    vp: float = 0.0  # a VP
    kill: float = 0.0  # removing an enemy, beside its HP
    contest: float = 0.0  # the same for one that stands at a loot point
    hurt: float = 0.0  # an HP lost in its own exchange
    die: float = 0.0  # losing the fighter itself in an exchange
    threat: float = 0.0  # an HP that enemies' shots would take off on average
    charge: float = 0.0  # an HP that enemies would take off in melee after a charge
    nearer: float = 0.0  # an inch nearer to a loot point
    hold: float = 0.0  # standing at a loot point
    crowd: float = 0.0  # inches that a point seems further away for each friend nearer to it
    close: float = 0.0  # an inch nearer to the nearest enemy
    lane: float = 0.0  # an HP that it could take off from there next time
    watch: float = 0.0  # an HP that an Overwatch shot would take off
    step: float = 0.0  # an action saved
    target: float = 0.0  # seeing an enemy, for simple bots, as the next two
    exposed: float = 0.0  # for each enemy that sees it in the open
    covered: float = 0.0  # for each enemy that sees it in cover
    walk: float = 0.0  # an inch of the way there
    begin: float = 0.0  # having the first turn, when it may choose; below 0 the enemy begins
    stride: float = 1.0  # every which place in reach is looked at; those at a loot point always


W = {name: number for number, name in enumerate(Weights._fields)}
VP, KILL, CONTEST, HURT, DIE, THREAT, CHARGE = (
    W["vp"], W["kill"], W["contest"], W["hurt"], W["die"], W["threat"], W["charge"],
)  # fmt: skip
NEARER, HOLD, CROWD, CLOSE, LANE, WATCH, STEP, STRIDE, BEGIN = (
    W["nearer"], W["hold"], W["crowd"], W["close"], W["lane"], W["watch"], W["step"], W["stride"], W["begin"],
)  # fmt: skip

# Columns of the table `room`, whose row k is the k-th living enemy of the fighter that decides: its number and place,
# its middle; the square of the distance of middles within which the fighter's best limited weapon, and within which
# any weapon of the enemy, reaches; from how far (thousandths of an inch of way) the enemy's charge comes and what it
# would cost; worth of an exchange; bit of contact.
ENEMY, PLACE, X, Y, REACH, REACHED, CHARGE_TO, CHARGED, STRIKE, CONTACT = range(10)
# Then, by what is seen (nothing, all, a part): worth of a shot from anywhere, within reach, and cost of the enemy's.
SHOT_FAR, SHOT_NEAR, COST = 12, 16, 20

OPEN, COVERED = 1, 2
SEEN = np.array([0 if not bits & (HEAD | BACK_HEART) else 2 if bits & BACK_COVER else 1 for bits in range(32)])
"""What the byte of sight from an enemy's place to another says of the enemy as seen from there,"""
SHOWN = np.array([0 if not bits & (HEAD | HEART) else 2 if bits & COVER else 1 for bits in range(32)])
"""and of whoever stands there in the enemy's eyes: the line from head to head is the same both ways."""


@inline
def weight(world, state, i, which):
    """One number of the bot that plays fighter i."""
    return world.weights[table(world, "men")[i].side, which]


@procedure
def shot_micro(world, state, i, w, t, how, contact, aimed, cover):
    """Worth of a shot of i at t in millionths: HP, and the chance to remove it."""
    hp = expect.shot_at(world, state, i, w, t, how, contact, aimed, cover)
    extra = weight(world, state, i, KILL)
    if at_a_point(world, state, t):
        extra += weight(world, state, i, CONTEST)
    chance = expect.shot_kills(world, state, i, w, t, how, contact, aimed, cover)
    return hp + np.int64(extra * 1e-3 * chance)


@inline
def shot_worth(world, state, i, w, t, how, contact, aimed, cover):
    """The same in HP."""
    return shot_micro(world, state, i, w, t, how, contact, aimed, cover) * 1e-6


@inline
def at_a_point(world, state, i):
    """Whether a fighter stands within reach of any loot point."""
    return table(world, "where_loot")[table(world, "men")[i].base, state.at[i]] != 0


@apart
def blade_of(world, state, i):
    """The melee weapon with the most Damage x Dice x chance to hit; -1 without any."""
    arms, best, chosen = table(world, "arms"), -1, -1
    for w in range(table(world, "men")[i].arms):
        if arms[i, w].kind == BLADE and arms[i, w].dice * arms[i, w].damage * (7 - arms[i, w].hit) > best:
            best, chosen = arms[i, w].dice * arms[i, w].damage * (7 - arms[i, w].hit), w
    return chosen


@apart
def melee_worth(world, state, i, w, e, contract):
    """What an exchange that i begins with e is worth to i."""
    v = blade_of(world, state, e)
    both = expect.exchange(world, state, i, w, e, v, contract)
    kills = expect.exchange_kills(world, state, i, w, e, v, contract)
    extra = weight(world, state, i, KILL)
    if at_a_point(world, state, e):
        extra += weight(world, state, i, CONTEST)
    gain = (both >> 32) * 1e-6 + extra * (kills >> 32) * 1e-9
    cost = weight(world, state, i, HURT) * (both & 0xFFFFFFFF) * 1e-6
    return gain - cost - weight(world, state, i, DIE) * (kills & 0xFFFFFFFF) * 1e-9


@procedure
def learn(world, state, i):
    """Fill `room` for a decision of fighter i; the number of living enemies."""
    men, room, count = table(world, "men"), table(state, "room"), 0
    for e in range(world.fighters):
        at = state.at[e]
        if at >= 0 and men[e].side != men[i].side:
            room[count, ENEMY], room[count, PLACE] = e, at
            room[count, X], room[count, Y] = table(world, "where_x")[at], table(world, "where_y")[at]
            room[count, CONTACT] = men[i].base * world.sizes + men[e].base
            learn_shots(world, state, i, e, count)
            learn_costs(world, state, i, e, count)
            learn_blades(world, state, i, e, count)
            count += 1
    return count


@inline
def square_of(world, state, i, e, reach):
    """The square of the distance of middles at which the bases of two fighters are so far apart."""
    men, radius = table(world, "men"), table(world, "where_radius")
    return (reach + radius[men[i].base] + radius[men[e].base]) ** 2


@inline
def learn_shots(world, state, i, e, k):
    """What shots of i at e are worth: without cover and in cover, from anywhere and within the reach of the best weapon
    that has one."""
    arms, row = table(world, "arms"), table(state, "room")[k]
    far_open = far_cover = near_open = near_cover = reach = 0.0
    for w in range(table(world, "men")[i].arms):
        if arms[i, w].kind == BLADE:
            continue
        clear = shot_worth(world, state, i, w, e, state.mode, 0, 0, 0)
        cover = shot_worth(world, state, i, w, e, state.mode, 0, 0, 1)
        if arms[i, w].reach >= UNLIMITED:
            far_open, far_cover = max(far_open, clear), max(far_cover, cover)
        elif clear > near_open:
            near_open, near_cover, reach = clear, cover, arms[i, w].reach
    row[SHOT_FAR], row[SHOT_FAR + OPEN], row[SHOT_FAR + COVERED] = 0.0, far_open, far_cover
    row[SHOT_NEAR], row[SHOT_NEAR + OPEN] = 0.0, max(near_open, far_open)
    row[SHOT_NEAR + COVERED] = max(near_cover, far_cover)
    row[REACH] = square_of(world, state, i, e, reach)


@inline
def likely(world, state, e):
    """How much an enemy's next shot counts: wholly if it still activates in this round."""
    return 1.0 if state.ready[e] else 0.6 if state.round < world.battle.rounds else 0.0


@inline
def learn_costs(world, state, i, e, k):
    """What shots of e would cost i, by what e sees of it; its Overwatch counts wholly, since it comes at once."""
    arms, row = table(world, "arms"), table(state, "room")[k]
    clear = cover = reach = 0.0
    share = likely(world, state, e) * (0.3 if in_contact(world, state, e) else 1.0)
    for w in range(table(world, "men")[e].arms):
        if arms[e, w].kind == BLADE:
            continue
        one = share * expect.shot_at(world, state, e, w, i, BY_ACTION, 0, 0, 0)
        two = share * expect.shot_at(world, state, e, w, i, BY_ACTION, 0, 0, 1)
        if state.watch[e] == w:
            one += expect.shot_at(world, state, e, w, i, BY_OVERWATCH, 0, 0, 0)
            two += expect.shot_at(world, state, e, w, i, BY_OVERWATCH, 0, 0, 1)
        if one > clear:
            clear, cover, reach = one, two, arms[e, w].reach
    if reach < UNLIMITED:
        reach += table(world, "men")[e].move
    price = weight(world, state, i, THREAT) * 1e-6
    row[COST], row[COST + OPEN], row[COST + COVERED] = 0.0, price * clear, price * cover
    row[REACHED] = square_of(world, state, i, e, reach)


@inline
def learn_blades(world, state, i, e, k):
    """What an exchange with e is worth to i, what e's charge would cost it, and from how far it comes."""
    men, row = table(world, "men"), table(state, "room")[k]
    w, v = blade_of(world, state, i), blade_of(world, state, e)
    row[STRIKE] = melee_worth(world, state, i, w, e, 1 if state.mode else 0) if w >= 0 else NEVER
    row[CHARGED], row[CHARGE_TO] = 0.0, -1.0
    if v >= 0:
        both = expect.exchange(world, state, e, v, i, w, 0)
        row[CHARGED] = weight(world, state, i, CHARGE) * likely(world, state, e) * (both >> 32) * 1e-6
        reach = men[e].move * max(1, men[e].apl - 1) + world.rules.contact_reach
        row[CHARGE_TO] = 1000.0 * np.sqrt(square_of(world, state, i, e, reach))


@inline
def look_at(world, state, i, count, q):
    """A place through the eyes of fighter i (`learn` first): worth of the best shot from there, what enemies' shots and
    charges would cost there, worth of the best exchange there (NEVER without contact), square of the distance to the
    nearest enemy."""
    room, sight, contact = table(state, "room"), table(world, "sight"), table(world, "contact")
    ways, men = table(world, "ways_length"), table(world, "men")
    shot, cost, strike, nearest = 0.0, 0.0, NEVER, 1e9
    x, y = table(world, "where_x")[q], table(world, "where_y")[q]
    for k in range(count):
        at = np.int64(room[k, PLACE])
        dx, dy = x - room[k, X], y - room[k, Y]
        square = dx * dx + dy * dy
        nearest = min(nearest, square)
        bits = sight[at, q]  # by rows: near places lie near each other there
        if bits:
            column = SHOT_NEAR if square <= room[k, REACH] else SHOT_FAR
            shot = max(shot, room[k, column + SEEN[bits]])
            if square <= room[k, REACHED]:
                cost += room[k, COST + SHOWN[bits]]
        if ways[men[np.int64(room[k, ENEMY])].base, at, q] <= room[k, CHARGE_TO]:
            cost += room[k, CHARGED]
        if square < 14.0 and contact[q, at] >> np.int64(room[k, CONTACT]) & 1:
            strike = max(strike, room[k, STRIKE])
    return shot, cost, strike, nearest


@apart
def goal_of(world, state, i):
    """Fill `room_too[i, point]`: inches that each loot point seems further away, because friends are nearer to it."""
    men, way, room = table(world, "men"), table(world, "to_loot"), table(state, "room_too")
    for point in range(world.points):
        mine, further = way[men[i].base, state.at[i], point], 0.0
        for j in range(world.fighters):
            if j != i and state.at[j] >= 0 and men[j].side == men[i].side:
                other = way[men[j].base, state.at[j], point]
                if other < mine or (other == mine and j < i):
                    further += weight(world, state, i, CROWD)
        room[i, point] = further


@inline
def way_to_goal(to_loot, further, points, q):
    """Inches from a place to the loot point that suits a fighter best: from its rows of the tables `to_loot` and
    `room_too` (`goal_of` first)."""
    best = 1e9
    for point in range(points):
        best = min(best, to_loot[q, point] * 1e-3 + further[point])
    return best


@inline
def places_to_weigh(world, state, i, stride):
    """List in `looked_at` every `stride`-th place in reach of fighter i, and all at a loot point, the nearest first and
    its own left out; their number."""
    base, count, turn = table(world, "men")[i].base, 0, stride
    near, loots, listed = table(world, "ways_near")[base], table(world, "where_loot")[base], table(state, "looked_at")
    for k in range(near_first(world, state, i), near_end(world, state, i)):
        q = np.int64(near[k])
        turn += 1
        if turn >= stride:
            turn = 0
        elif loots[q] == 0:
            continue
        if q != state.at[i]:
            listed[count] = q
            count += 1
    return count
