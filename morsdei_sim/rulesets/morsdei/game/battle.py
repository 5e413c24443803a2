"""A whole battle (R, K, O, G, L, W): deployment, rounds, activations, reactions, to the result.

The engine asks a bot at every decision point and does what it answers if the rules allow it; what they forbid counts
as a fault and ends the activation or passes the chance, so that a bot can err but never cheat. A battle can be stopped
before any turn and inside an activation, copied, and played on (`go_on`): that is how a bot looks ahead.
"""

from __future__ import annotations

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.dice.questions import die
from morsdei_sim.rulesets.morsdei.game import events as ev
from morsdei_sim.rulesets.morsdei.game import expect, sight
from morsdei_sim.rulesets.morsdei.game.exchanges import (
    EXCHANGE,
    ROLL_OFF,
    SHOT,
    actual_target,
    dice_of,
    exchange,
    hurt,
    next_roll,
    shoot,
)
from morsdei_sim.rulesets.morsdei.game.hooks import (
    ACT,
    ACTIVATE,
    ARM,
    CONTRACT,
    PLACE,
    REACT,
    STARTS,
    ZONE,
    any_place,
    may_contract,
    may_react,
    may_set_up,
)
from morsdei_sim.rulesets.morsdei.game.legal import (
    AIM,
    END,
    FALL_BACK,
    LOOT,
    MELEE,
    MOVE,
    SHOOT,
    action_of,
    at_point,
    brushes,
    distance,
    first_of,
    in_contact,
    option,
    path_to,
    permits,
    price,
    second_of,
    sees,
    touching,
)
from morsdei_sim.rulesets.morsdei.game.paths import FREE
from morsdei_sim.rulesets.morsdei.game.records import ask, procedure, table
from morsdei_sim.rulesets.morsdei.game.terrain import TOUCH
from morsdei_sim.rulesets.morsdei.game.world import BLADE, BY_ACTION, BY_CONTRACT, BY_OVERWATCH, TALLY
from morsdei_sim.rulesets.morsdei.rules import action_points

__all__ = ["act", "deploy", "go_on", "new_battle", "play_battle", "result"]

points_of = apart(action_points)

NEAR = 10.0
"""Inches: shots are counted as near up to here (the Range of a pistol)."""

# Places in the tally and in `fired`, as plain numbers for Numba.
T_DAMAGE, T_TAKEN, T_FRIENDLY, T_WASTED = TALLY["damage"], TALLY["taken"], TALLY["friendly"], TALLY["wasted"]
T_KILLS, T_LOOT, T_ROUNDS, T_ACTIVATIONS = TALLY["kills"], TALLY["loot"], TALLY["rounds"], TALLY["activations"]
T_MOVES, T_WALKED, T_SHOTS, T_OPEN_NEAR = TALLY["moves"], TALLY["walked"], TALLY["shots"], TALLY["open_near"]
T_REACTIONS, T_CONTRACTS, T_AIMS, T_WATCHES = (
    TALLY["reactions"], TALLY["contracts"], TALLY["aims"], TALLY["watches"],
)  # fmt: skip
T_FALLS_BACK, T_MELEES, T_EXPOSED = TALLY["falls_back"], TALLY["melees"], TALLY["exposed"]
T_EXPECTED, T_EXPECTED_TAKEN = TALLY["expected"], TALLY["expected_taken"]
(
    F_TIE, F_CLAMP, F_DEBT, F_NO_POINTS, F_ENTERS, F_FALL_BACK, F_C_MOVE, F_C_SHOOT, F_C_MELEE, F_C_PASS, F_AIMED,
    F_PISTOL, F_COVER, F_PRONE, F_WAS_PRONE, F_INJURED, F_NOBODY, F_ROLLED, F_ALLY, F_SEVERAL, F_ACTIVE_DIES,
    F_REMOVED, F_WIPED_OUT, F_OVERWATCH, F_WATCHERS, F_UNUSED, F_LOST, F_OUTLIVES, F_LAST, F_LOOT, F_BOTH,
    F_ONE_OF, F_DRAW,
) = range(len(ev.FIRED))  # fmt: skip


@inline
def fire(state, rule):
    """Count that a rule mattered."""
    table(state, "fired")[rule] += 1


@inline
def note(state, event, who):
    """Begin an event of the log; its row, or one behind the last when there is no room (see `put`)."""
    row = state.events
    state.events += 1
    log = table(state, "log")
    if row < len(log):
        log[row, 0], log[row, 1], log[row, 2] = event, state.round, who
    return row


@inline
def put(state, row, column, value):
    """Write one number of an event."""
    log = table(state, "log")
    if row < len(log):
        log[row, 3 + column] = value


@inline
def decide(world, state, side, hook, who):
    """Ask the bot of a side."""
    state.decisions += 1
    return ask(world.bots[side], world, state, hook, who)


# ── set-up ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@apart
def roll_off(state, kind):
    """D17 Both players roll until one is higher: the side that wins, and twice the number of throws."""
    index = 0
    while True:
        roll = dice_of(state, kind, ROLL_OFF, index)
        one, other = die(roll, 0), die(roll, 1)
        index += 1
        if one != other:
            return 2 * index if one > other else 2 * index + 1
        fire(state, F_TIE)


@apart
def set_up(world, state, i):
    """J2, G6 One fighter is placed; a place that is not allowed becomes the first that is."""
    side = table(world, "men")[i].side
    q = decide(world, state, side, PLACE, i)
    if not may_set_up(world, state, i, q):
        state.faults += 1
        q = any_place(world, state, i, 0)
    state.at[i] = q
    put(state, note(state, ev.SET_UP, i), 0, q)


@procedure
def deploy(world, state) -> None:
    """G5-G7, R2, RULINGS 31, 55 Zones, fighters one by one beginning with the loser of the roll-off, first player."""
    thrown = roll_off(state, 0)
    winner = thrown & 1
    zone = decide(world, state, winner, ZONE, winner) & 1
    state.zone[winner], state.zone[1 - winner] = zone, 1 - zone
    row = note(state, ev.ZONES, -1)
    put(state, row, 0, winner)
    put(state, row, 1, zone)
    put(state, row, 2, thrown >> 1)
    men, half = table(world, "men"), 0
    while half < world.fighters and men[half].side == 0:
        half += 1
    placed = placed_too = 0  # of side 0 and of side 1
    side = 1 - winner
    while placed + placed_too < world.fighters:
        if side == 0 and placed < half:
            set_up(world, state, placed)
            placed += 1
        if side == 1 and half + placed_too < world.fighters:
            set_up(world, state, half + placed_too)
            placed_too += 1
        side = 1 - side
    thrown = roll_off(state, 1)
    winner = thrown & 1
    state.first = decide(world, state, winner, STARTS, winner) & 1
    row = note(state, ev.STARTS, -1)
    put(state, row, 0, winner)
    put(state, row, 1, state.first)
    put(state, row, 2, thrown >> 1)


@apart
def new_battle(world, state, game):
    """Everything as before deployment; HP full (RULING 7)."""
    state.game, state.round, state.first, state.turn, state.active, state.mode = game, 0, 0, 0, -1, BY_ACTION
    state.apl, state.aim, state.used, state.winner, state.ended, state.faults = 0, -1, 0, 0, 0, 0
    state.decisions, state.events = 0, 0
    for side in range(2):
        state.zone[side] = state.vp[side] = state.vp_round[side] = state.lead[side] = 0
    for i in range(world.fighters):
        state.at[i], state.hp[i], state.watch[i] = -1, table(world, "men")[i].hp, -1
        state.ready[i] = state.contracted[i] = state.prone[i] = 0
        for kind in range(state.rolls.shape[1]):
            state.rolls[i, kind] = 0
        for what in range(state.tally.shape[1]):
            state.tally[i, what] = 0
    for point in range(world.points):
        state.looted[point, 0] = state.looted[point, 1] = 0


# ── what happens to fighters ──────────────────────────────────────────────────────────────────────────────────────────


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
    if i == state.active:
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
def count_shot(world, state, i, t, how, cover, aimed, contact, injured, before, after, hits):
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
    cover = 1 if table(world, "sight")[state.at[i], state.at[target]] & sight.COVER else 0
    aimed = 1 if how == BY_ACTION and state.aim == w else 0
    injured, before = hurt(world, state, i), state.prone[target]
    end = shoot(world, state, index, i, w, target, how, contact, cover)
    hits = end >> 1
    if how == BY_ACTION:
        state.aim = -1  # S3, RULING 28
    state.prone[target] = end & 1
    count_shot(world, state, i, target, how, cover, aimed, contact, injured, before, end & 1, hits)
    # S19 hit by hit; what is left when the target is removed is discarded.
    damage = 0
    while hits > 0 and damage < state.hp[target]:
        damage += arm.damage
        hits -= 1
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


@apart
def choose_and_act(world, state, i):
    """J5, A6 Ask for one action and do it, each anew (S8, B23); whether the fighter may go on."""
    answer = decide(world, state, table(world, "men")[i].side, ACT, i)
    action, a, b = action_of(answer), first_of(answer), second_of(answer)
    if action == END:
        return False
    if not permits(world, state, i, action, a, b):
        state.faults += 1
        return False
    act(world, state, i, action, a, b)
    return state.at[i] >= 0 and state.ended == 0  # H7


# ── the round ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@apart
def begin_activation(world, state, i):
    """R7 steps 1-2, A2, P3 The unused marker goes, the points are counted."""
    debt, watch, card = state.prone[i], state.watch[i] >= 0, table(world, "men")[i].apl
    state.watch[i], state.prone[i] = -1, 0
    state.apl = points_of(world.rules, card, debt)
    state.aim, state.used, state.mode, state.active = -1, 0, BY_ACTION, i
    state.tally[i, T_ACTIVATIONS] += 1
    if watch:
        fire(state, F_UNUSED)
    if debt:
        fire(state, F_DEBT)
        if state.apl == 0:
            fire(state, F_NO_POINTS)
    if state.apl != card:
        fire(state, F_CLAMP)
    row = note(state, ev.ACTIVATED, i)
    put(state, row, 0, state.apl)
    put(state, row, 1, debt)
    put(state, row, 2, int(watch))


@procedure
def finish_activation(world, state) -> None:
    """R7 steps 3-7, R8 The active fighter acts until it ends, its points counted once (A3); then the other reacts."""
    i = state.active
    while state.apl > 0 and choose_and_act(world, state, i):
        pass
    state.apl, state.aim, state.used, state.active = 0, -1, 0, -1
    state.ready[i] = 0
    if state.at[i] < 0 or state.ended:  # RULING 32
        return
    note(state, ev.FINISHED, i)
    for point in range(world.points):
        if at_point(world, state, i, point):
            state.tally[i, T_EXPOSED] += 1
    react(world, state, i)


@procedure
def react(world, state, i) -> None:
    """R7 step 6, O2-O10, RULINGS 35, 37 One Overwatch of the other side at the fighter that just ended."""
    side = 1 - table(world, "men")[i].side
    candidates, count = 0, 0
    for j in range(world.fighters):
        if may_react(world, state, j, i):
            candidates |= 1 << j
            count += 1
    if count == 0:
        return
    j = decide(world, state, side, REACT, i)
    if j < 0 or j >= world.fighters or not candidates >> j & 1:
        state.faults += j != -1
        j = -1
    row = note(state, ev.REACTION, -1)
    put(state, row, 0, side)
    put(state, row, 1, candidates)
    put(state, row, 2, j)
    if j < 0:
        return
    if count > 1:
        fire(state, F_WATCHERS)
    if not anybody_ready(world, state):
        fire(state, F_LAST)
    state.tally[j, T_REACTIONS] += 1
    w = state.watch[j]
    state.watch[j] = -1  # O10
    take_shot(world, state, j, w, i, BY_OVERWATCH)


@procedure
def contract(world, state, side) -> None:
    """K1-K9, RULING 34 One Contract window: one of the activated fighters does one thing, or the chance passes."""
    candidates = 0
    for i in range(world.fighters):
        if table(world, "men")[i].side == side and may_contract(world, state, i):
            candidates |= 1 << i
    i = -1
    if candidates:
        i = decide(world, state, side, CONTRACT, side)
        if i < 0 or i >= world.fighters or not candidates >> i & 1:
            state.faults += i != -1
            i = -1
    answer = 0
    if i >= 0:
        state.mode, state.aim, state.active = BY_CONTRACT, -1, i
        answer = decide(world, state, side, ACT, i)
        if action_of(answer) == END:
            i = -1
        elif not permits(world, state, i, action_of(answer), first_of(answer), second_of(answer)):
            state.faults += 1
            i = -1
    row = note(state, ev.CONTRACT, -1)
    put(state, row, 0, side)
    put(state, row, 1, candidates)
    put(state, row, 2, i)
    if i >= 0:
        act(world, state, i, action_of(answer), first_of(answer), second_of(answer))
    else:
        fire(state, F_C_PASS)
    state.mode, state.active = BY_ACTION, -1


@inline
def anybody_ready(world, state):
    """Whether a living fighter of either side is ready."""
    for i in range(world.fighters):
        if state.ready[i]:
            return True
    return False


@inline
def has_ready(world, state, side):
    """Whether a side has a ready fighter."""
    for i in range(world.fighters):
        if state.ready[i] and table(world, "men")[i].side == side:
            return True
    return False


@apart
def activate_one(world, state, side):
    """J4, R6 The player on turn activates a ready fighter; one who names none gets the first."""
    i = decide(world, state, side, ACTIVATE, side)
    if i < 0 or i >= world.fighters or not state.ready[i] or table(world, "men")[i].side != side:
        state.faults += 1
        i = 0
        while not state.ready[i] or table(world, "men")[i].side != side:
            i += 1
    begin_activation(world, state, i)


@apart
def start_round(world, state):
    """R3-R5 Loot, activation and Contract markers go, everybody living is ready; Overwatch stays."""
    state.round += 1
    if state.round > 1:
        state.first = 1 - state.first
    state.turn = state.first
    state.vp_round[0] = state.vp_round[1] = 0
    for point in range(world.points):
        state.looted[point, 0] = state.looted[point, 1] = 0
    for i in range(world.fighters):
        state.ready[i] = 1 if state.at[i] >= 0 else 0
        state.contracted[i] = 0
        if state.watch[i] >= 0:
            fire(state, F_OUTLIVES)
        for kind in range(state.rolls.shape[1]):
            state.rolls[i, kind] = 0
    put(state, note(state, ev.ROUND, -1), 0, state.first)


@procedure
def go_on(world, state, turns) -> None:
    """R9, RULING 33 Play on from where the battle stands, at most so many turns (activations, Contract windows)."""
    while turns > 0 and state.ended == 0:
        if state.active < 0:
            if not anybody_ready(world, state):
                end_round(world, state)
                continue
            if has_ready(world, state, state.turn):
                activate_one(world, state, state.turn)
            else:
                contract(world, state, state.turn)
        if state.active >= 0:
            finish_activation(world, state)
        state.turn = 1 - state.turn
        turns -= 1


@apart
def end_round(world, state):
    """R1, W2 The next round begins, or the game is over."""
    if state.round > 0:
        for i in range(world.fighters):
            state.tally[i, T_ROUNDS] += state.at[i] >= 0
    if state.round == world.battle.rounds:
        state.ended = 1
    else:
        start_round(world, state)


MANY_TURNS = 1 << 20


@kernel
def play_battle(world, state, game):
    """R1, R10, W1-W2, RULING 60 One battle from deployment to its end."""
    new_battle(world, state, game)
    deploy(world, state)
    go_on(world, state, MANY_TURNS)
    end = result(state)
    if end == 1:
        fire(state, F_DRAW)
    row = note(state, ev.OVER, -1)
    put(state, row, 0, end)
    put(state, row, 1, int(state.winner != 0))
    put(state, row, 2, state.vp[0])
    put(state, row, 3, state.vp[1])
    put(state, row, 4, state.faults)


@inline
def result(state):
    """W1-W2 0 side 0 wins, 1 draw, 2 side 1 wins."""
    if state.winner:
        return 2 * (state.winner - 1)
    if state.vp[0] == state.vp[1]:
        return 1
    return 0 if state.vp[0] > state.vp[1] else 2
