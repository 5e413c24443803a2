"""What a fighter does and what becomes of others (A, M, S, F, B, H, L): every action, paid and resolved."""

from __future__ import annotations

from morsdei_sim._jit import apart, inline
from morsdei_sim.rulesets.morsdei.game import events as ev
from morsdei_sim.rulesets.morsdei.game import expect
from morsdei_sim.rulesets.morsdei.game.exchanges import EXCHANGE, SHOT, actual_target, exchange, hurt, next_roll, shoot
from morsdei_sim.rulesets.morsdei.game.hooks import ARM, decide
from morsdei_sim.rulesets.morsdei.game.ledger import (
    F_ACTIVE_DIES,
    F_AIMED,
    F_ALLY,
    F_BOTH,
    F_C_MELEE,
    F_C_MOVE,
    F_C_SHOOT,
    F_COVER,
    F_ENTERS,
    F_FALL_BACK,
    F_INJURED,
    F_LOOT,
    F_LOST,
    F_NOBODY,
    F_ONE_OF,
    F_OVERWATCH,
    F_PISTOL,
    F_PRONE,
    F_REMOVED,
    F_ROLLED,
    F_SEVERAL,
    F_WAS_PRONE,
    F_WIPED_OUT,
    T_AIMS,
    T_CONTRACTS,
    T_DAMAGE,
    T_EXPECTED,
    T_EXPECTED_TAKEN,
    T_FALLS_BACK,
    T_FRIENDLY,
    T_KILLS,
    T_LOOT,
    T_MELEES,
    T_MOVES,
    T_OPEN_NEAR,
    T_SHOTS,
    T_TAKEN,
    T_WALKED,
    T_WASTED,
    T_WATCHES,
    fire,
    note,
    put,
)
from morsdei_sim.rulesets.morsdei.game.legal import (
    AIM,
    FALL_BACK,
    LOOT,
    MELEE,
    MOVE,
    SHOOT,
    brushes,
    distance,
    in_contact,
    in_cover,
    is_aimed,
    option,
    path_to,
    price,
    sees,
    touching,
)
from morsdei_sim.rulesets.morsdei.game.paths import FREE
from morsdei_sim.rulesets.morsdei.game.records import procedure, table
from morsdei_sim.rulesets.morsdei.game.terrain import TOUCH
from morsdei_sim.rulesets.morsdei.game.world import BLADE, BY_ACTION, BY_CONTRACT, BY_OVERWATCH
from morsdei_sim.rulesets.morsdei.shooting import hits_to_remove

__all__ = ["act", "take_shot"]

NEAR = 10.0
"""Inches: shots are counted as near up to here (the Range of a pistol)."""


@apart
def harm(world, state, i, by, damage):
    """E7, H1, H6-H8, W1 A fighter loses HP at once; at 0 or less it is removed, and its side may be wiped out."""
    men = table(world, "men")
    lost = min(damage, state.hp[i])
    state.hp[i] -= damage
    state.tally[i, T_TAKEN] += lost
    state.tally[by, T_WASTED] += damage - lost
    if men[by].side == men[i].side:
        state.tally[by, T_FRIENDLY] += lost
    else:
        state.tally[by, T_DAMAGE] += lost
        state.tally[by, T_KILLS] += state.hp[i] <= 0
    if state.hp[i] > 0:
        return
    state.at[i], state.watch[i], state.prone[i], state.ready[i] = -1, -1, 0, 0
    put(state, note(state, ev.REMOVED, i), 0, by)
    fire(state, F_REMOVED)
    if i == state.active and state.mode == BY_ACTION:
        fire(state, F_ACTIVE_DIES)
    for j in range(world.fighters):
        if state.at[j] >= 0 and men[j].side == men[i].side:
            return
    state.winner, state.ended = 2 - men[i].side, 1
    fire(state, F_WIPED_OUT)


@apart
def lose_marker(world, state, i):
    """O12 An Overwatch marker ends in contact."""
    state.watch[i] = -1
    note(state, ev.MARKER_LOST, i)
    fire(state, F_LOST)


@apart
def lose_markers(world, state, i):
    """O12, RULING 36 Overwatch ends at once for everybody who is in contact after fighter i moved."""
    for j in range(world.fighters):
        if touching(world, state, i, j):
            if state.watch[i] >= 0:
                lose_marker(world, state, i)
            if state.watch[j] >= 0:
                lose_marker(world, state, j)


@apart
def brush_past(world, state, i, count):
    """O12, RULING 36 A Fall Back that only passes through contact removes markers too."""
    men = table(world, "men")
    for j in range(world.fighters):
        if state.at[j] >= 0 and men[j].side != men[i].side and state.watch[j] >= 0:
            if brushes(world, state, i, j, count) != FREE:
                lose_marker(world, state, j)


@apart
def list_allies(world, state, i, w, t):
    """F2-F3 List in `found` the allies of the shooter that may be hit instead of t (RULING 46); their number."""
    men, reach, found = table(world, "men"), table(world, "arms")[i, w].reach, table(state, "found")
    count, beside = 0, 0
    for j in range(world.fighters):
        if j == i or state.at[j] < 0 or men[j].side != men[i].side or not touching(world, state, j, t):
            continue
        beside += 1
        if distance(world, state, i, j) <= reach + TOUCH and sees(world, state, i, j):
            found[count] = j
            count += 1
    if beside and not count:
        fire(state, F_NOBODY)
    return count


@apart
def count_shot(world, state, i, t, how, cover, aimed, contact, injured, before, after):
    """What a shot adds to the tallies and to the rules that mattered."""
    state.tally[i, T_SHOTS] += 1
    near = distance(world, state, i, t) <= NEAR + TOUCH
    state.tally[i, T_OPEN_NEAR + 2 * cover + (0 if near else 1)] += 1
    if how == BY_OVERWATCH:
        fire(state, F_OVERWATCH)
    if how == BY_CONTRACT:
        fire(state, F_C_SHOOT)
    if aimed:
        fire(state, F_AIMED)
    if contact:
        fire(state, F_PISTOL)
    if cover:
        fire(state, F_COVER)
    if injured:
        fire(state, F_INJURED)
    if before:
        fire(state, F_WAS_PRONE)
    elif after:
        fire(state, F_PRONE)


@procedure
def take_shot(world, state, i, w, t, how) -> None:
    """S10-S19, F1-F8 One shot, declared and paid: the list of allies, the actual target, its cover, the damage.

    Whoever is hit decides by its own side's table (RULING 40); going prone sets the marker and nothing else (P7).
    """
    arm = table(world, "arms")[i, w]
    contact = 1 if in_contact(world, state, i) else 0
    count = list_allies(world, state, i, w, t)
    worth = expect.shot(world, state, i, w, t, how, contact)
    if count:
        worth = worth * (6 - world.battle.friendly_fire) // 6
    state.tally[i, T_EXPECTED] += worth
    state.tally[t, T_EXPECTED_TAKEN] += worth
    allies = 0
    for k in range(count):
        allies |= 1 << table(state, "found")[k]
    index = next_roll(state, i, SHOT + how)
    target = actual_target(world, state, index, i, t, how, count)
    if count:
        fire(state, F_ROLLED)
    if target != t:
        fire(state, F_ALLY)
        if count > 1:
            fire(state, F_SEVERAL)
    cover, aimed = in_cover(world, state, i, target), is_aimed(state, w, how)
    injured, before = hurt(world, state, i), state.prone[target]
    end = shoot(world, state, index, i, w, target, how, contact, cover)
    if how == BY_ACTION:
        state.aim = -1  # S3, RULING 28
    state.prone[target] = end & 1
    count_shot(world, state, i, target, how, cover, aimed, contact, injured, before, end & 1)
    # S19 hit by hit; what is left when the target is removed is discarded.
    damage = min(end >> 1, hits_to_remove(state.hp[target], arm.damage)) * arm.damage
    row = note(state, ev.SHOT, i)
    for column, value in enumerate((
        w, t, allies, target, how, index, cover, aimed, contact, injured, before, end & 1 & ~before, end >> 1, damage,
        state.hp[target], worth,
    )):  # fmt: skip
        put(state, row, column, value)
    if damage > 0:
        harm(world, state, target, i, damage)


@apart
def blade_against(world, state, e, i, chosen):
    """J9, RULINGS 6, 50 The weapon with which e answers an exchange that i began with a chosen one; -1 without any."""
    men, arms = table(world, "men"), table(world, "arms")
    many, only = 0, -1
    for w in range(men[e].arms):
        if arms[e, w].kind == BLADE:
            many, only = many + 1, w
    if many < 2:
        return only
    state.against = option(MELEE, chosen, i)
    w = decide(world, state, men[e].side, ARM, e)
    if w >= 0 and w < men[e].arms and arms[e, w].kind == BLADE:
        return w
    state.faults += 1
    return only


@inline
def foes_in_contact(world, state, i):
    """B3 How many enemies a fighter is in contact with."""
    count = 0
    for j in range(world.fighters):
        count += touching(world, state, i, j)
    return count


@procedure
def fight(world, state, i, w, e, how) -> None:
    """B1-B22, J9 One exchange, declared and paid."""
    if foes_in_contact(world, state, i) > 1:
        fire(state, F_ONE_OF)
    v = blade_against(world, state, e, i, w)
    contract = 1 if how == BY_CONTRACT else 0
    worth = expect.exchange(world, state, i, w, e, v, contract)
    worth, harmed = worth >> 32, worth & 0xFFFFFFFF  # off e, off i
    state.tally[i, T_EXPECTED] += worth
    state.tally[e, T_EXPECTED] += harmed
    state.tally[i, T_EXPECTED_TAKEN] += harmed
    state.tally[e, T_EXPECTED_TAKEN] += worth
    index = next_roll(state, i, EXCHANGE + how)
    before, other = state.hp[i], state.hp[e]
    if hurt(world, state, i) | hurt(world, state, e):
        fire(state, F_INJURED)
    both = exchange(world, state, index, i, w, e, v, contract)
    taken, dealt = both & 31, both >> 5
    state.tally[i, T_MELEES] += 1
    if contract:
        fire(state, F_C_MELEE)
    row = note(state, ev.EXCHANGE, i)
    for column, value in enumerate((w, e, v, how, index, before, other, taken, dealt, harmed, worth)):
        put(state, row, column, value)
    if taken > 0:
        harm(world, state, i, e, taken * table(world, "arms")[e, v].damage)
    if dealt > 0:
        harm(world, state, e, i, dealt * table(world, "arms")[i, w].damage)


@procedure
def go(world, state, i, action, q) -> None:
    """M10-M26, K4-K5 A movement that is allowed; nothing else moves a fighter that is set up (Q9)."""
    count = path_to(world, state, i, action, q)
    length = table(state, "walked")[0]
    row = note(state, ev.MOVED, i)
    put(state, row, 0, q)
    put(state, row, 1, 2 if state.mode == BY_CONTRACT else 1 if action == FALL_BACK else 0)
    put(state, row, 2, count)
    put(state, row, 3, length)
    path = table(state, "path")
    for k in range(count):
        row = note(state, ev.POINT, i)
        for axis in range(3):
            put(state, row, axis, round(path[k, axis] * 1e6))
    state.tally[i, T_MOVES] += 1
    state.tally[i, T_WALKED] += length
    if state.mode == BY_CONTRACT:
        fire(state, F_C_MOVE)
    if action == FALL_BACK:
        state.tally[i, T_FALLS_BACK] += 1
        fire(state, F_FALL_BACK)
        brush_past(world, state, i, count)
    state.at[i] = q
    if in_contact(world, state, i):
        fire(state, F_ENTERS)
        lose_markers(world, state, i)


@apart
def loot(world, state, i, point):
    """L3-L7 A point is looted."""
    side = table(world, "men")[i].side
    state.looted[point, side] = 1
    state.vp[side] += world.battle.loot_vp
    state.vp_round[side] += world.battle.loot_vp
    state.tally[i, T_LOOT] += world.battle.loot_vp
    fire(state, F_LOOT)
    if state.looted[point, 1 - side]:
        fire(state, F_BOTH)
    ahead = 0 if state.vp[0] == state.vp[1] else 1 if state.vp[0] > state.vp[1] else 2
    if ahead and ahead != state.lead[0]:
        state.lead[1] += state.lead[0] != 0
        state.lead[0] = ahead
    row = note(state, ev.LOOTED, i)
    put(state, row, 0, point)
    put(state, row, 1, state.vp[0])
    put(state, row, 2, state.vp[1])


@procedure
def act(world, state, i, action, a, b) -> None:
    """A8-A13, X1 Pay for an action that is allowed and resolve it fully (K3: a Contract costs nothing)."""
    if state.mode == BY_ACTION:
        state.apl -= price(world, action)
        state.used |= 1 << action
    else:
        state.contracted[i] = 1
        state.tally[i, T_CONTRACTS] += 1
    if action == SHOOT:
        take_shot(world, state, i, a, b, state.mode)
    elif action == MELEE:
        fight(world, state, i, a, b, state.mode)
    elif action == MOVE or action == FALL_BACK:
        go(world, state, i, action, a)
    elif action == LOOT:
        loot(world, state, i, a)
    elif action == AIM:
        state.aim = a
        state.tally[i, T_AIMS] += 1
        put(state, note(state, ev.AIMED, i), 0, a)
    else:
        state.watch[i] = a
        state.tally[i, T_WATCHES] += 1
        put(state, note(state, ev.WATCHES, i), 0, a)
