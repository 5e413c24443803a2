"""An engagement of several a side, turn by turn, as a sampled kernel (chapter 1 of the atlas, section K).

a turn: raise -> move -> raise -> shoot -> attack (overwatch, 2D6) -> strikes -> Leadership checks
"""

from __future__ import annotations

from morsdei_sim._jit import apart, inline, kernel
from morsdei_sim.dice.questions import choose, passes, total
from morsdei_sim.rulesets.club.bots import (
    KITE,
    RUSH,
    choose_shot,
    consolidates,
    fights_a_friend,
    first_of_unit,
    friend_to_raise,
    loaded,
    reach_of,
    strike_target,
    worth_running,
)
from morsdei_sim.rulesets.club.field import (
    CONTACT,
    ENDURANCE,
    HAIR,
    MELEE,
    PISTOL,
    PLAN,
    RANGED,
    ROUND,
    SPEED,
    STEP,
    TRIAL,
    TURNS,
    arm_at,
    body_at,
    clear_way,
    direction,
    dying,
    engaged,
    gap,
    go,
    lives,
    nearest_enemy,
    next_dice,
    tied_up,
)
from morsdei_sim.rulesets.club.firing import ammo_after, can_fire, discharged
from morsdei_sim.rulesets.club.harm import DEAD, HIT, UP, flees, flight, raised
from morsdei_sim.rulesets.club.melee import first_striker
from morsdei_sim.rulesets.club.moves import may_attack, may_run, may_shoot, run_limit
from morsdei_sim.rulesets.club.rules import OWN_TURN, QUARTERS, gap_after, hit_need, pace
from morsdei_sim.rulesets.club.shooting import struck

BOTH = 2
ADVANCE, TOSS = 7, 10
"""Purposes, as in `course`."""

CAP = 200
"""RULING 36 Turns after which an engagement is a draw."""
LAST_ROUND = 20
"""Rounds that are told apart: the last stands for itself and all later ones."""


@apart
def hits(rules, dice, field, by, arm, target, need, cover):
    """R33-R36, RULING 28 One attack on a target: its life, its damage of this turn, and whose kill it is."""
    _stop, damage, life = struck(rules, dice, arm, body_at(field, target), need, cover, field.life[target])
    field.hurt[target] += damage
    if life == DEAD and field.life[target] != DEAD and field.side[by] != field.side[target]:
        field.kills[by] += 1
    field.life[target] = life


# ── raise, move ──


@apart
def tries_to_raise(rules, dice, field, who):
    """R38-R39, RULING 27 One attempt at a dying friend near by, unless tied up; whether it was made."""
    friend = friend_to_raise(rules, field, who)
    if friend < 0 or tied_up(rules, field, who):
        return False
    field.life[friend] = raised(rules, next_dice(dice, field), body_at(field, friend), field.life[friend])
    return True


@apart
def rushes(rules, dice, field, who):
    """R5-R8, R31 Straight at the nearest enemy, running when nothing else could be done; whether it ran."""
    enemy, speed = nearest_enemy(field, who), field.cards[who, SPEED]
    length = 1.0 * pace(rules, speed, dying(field, who))
    ran = may_run(rules, False, False) and worth_running(rules, field, who, length)
    if ran:
        length = 1.0 * run_limit(rules, next_dice(dice, field), speed, dying(field, who))
    ux, uy = direction(field, who, enemy)
    go(rules, field, who, ux, uy, clear_way(rules, field, who, ux, uy, length))
    return ran


@apart
def keeps_away(rules, field, who):
    """D2 kite: so that the nearest enemy is just inside its own range, as far as the move allows."""
    enemy = nearest_enemy(field, who)
    length, wanted = 1.0 * pace(rules, field.cards[who, SPEED], dying(field, who)), 1.0 * reach_of(field, who)
    here = gap(field, who, enemy)
    ux, uy = direction(field, who, enemy)
    if here > wanted:
        go(rules, field, who, ux, uy, clear_way(rules, field, who, ux, uy, min(length, here - wanted)))
    else:
        go(rules, field, who, -ux, -uy, clear_way(rules, field, who, -ux, -uy, min(length, wanted - here)))


@apart
def leaves(rules, field, who):
    """R9-R10 Out of combat, away from the nearest enemy at most its SPEED; never a run."""
    ux, uy = direction(field, who, nearest_enemy(field, who))
    length = 1.0 * pace(rules, field.cards[who, SPEED], dying(field, who))
    go(rules, field, who, -ux, -uy, clear_way(rules, field, who, -ux, -uy, length))


# ── shoot ──


@apart
def spend(rules, field, who, slot):
    """R12-R13, R57 The shots that the weapon in a slot fires now, taken from its magazine."""
    arm, ammo = arm_at(field, who, slot), loaded(field, who, slot)
    shots = can_fire(rules, arm, ammo)
    if slot == RANGED:
        field.ranged[who] = ammo_after(arm, ammo, shots)
    else:
        field.pistol[who] = ammo_after(arm, ammo, shots)
    return shots


@apart
def next_of_unit(rules, field, who, target, into_fights):
    """R14, RULING 34 The target while it lives, then the nearest living model of its unit; -1 when none is left."""
    if lives(field, target):
        return target
    for other in range(len(field.side)):
        same = field.unit[other] == field.unit[target] and lives(field, other)
        if same and first_of_unit(field, who, other):
            return other if into_fights or not fights_a_friend(rules, field, who, other) else -1
    return -1


@apart
def stray(rules, field, who, target):
    """RULING 33 The friend in combat with the target that is nearest to it."""
    best = -1
    for friend in range(len(field.side)):
        tied = friend != who and field.side[friend] == field.side[who] and engaged(rules, field, friend, target)
        if tied and (best < 0 or gap(field, friend, target) < gap(field, best, target) - HAIR):
            best = friend
    return best


@apart
def fires(rules, dice, field, who, slot, target, into_fights):
    """R12, R47, R63, RULING 33 One volley: hits on the nearest of a unit first; misses into a fight hit the friend."""
    arm, shots = arm_at(field, who, slot), spend(rules, field, who, slot)
    for _ in range(shots):
        target = next_of_unit(rules, field, who, target, into_fights)
        if target < 0:
            return
        need, roll = hit_need(rules, arm.accuracy, dying(field, who), 0), next_dice(dice, field)
        if not fights_a_friend(rules, field, who, target):
            hits(rules, roll, field, who, arm, target, need, body_at(field, target).cover)
        elif passes(roll, need, HIT):
            hits(rules, roll, field, who, arm, target, 1, body_at(field, target).cover)
        else:
            hits(rules, roll, field, who, arm, stray(rules, field, who, target), 1, 0)


@apart
def shoots(rules, dice, field, who, into_fights):
    """R59, R62, RULING 31 The shooting of a turn: the ranged weapon or the pistol, whichever promises more.

    By the switch the pistol as well. One who fires nothing reloads a discharged ranged weapon, unless tied up.
    """
    tied = tied_up(rules, field, who)
    target, most = choose_shot(rules, field, who, RANGED, tied, into_fights)
    other, more = choose_shot(rules, field, who, PISTOL, tied, into_fights)
    if target >= 0 and most >= more:
        fires(rules, dice, field, who, RANGED, target, into_fights)
        if rules.pistol_extra_shot:
            other, more = choose_shot(rules, field, who, PISTOL, tied, into_fights)
        else:
            other = -1
    elif other < 0 and not tied and discharged(arm_at(field, who, RANGED), field.ranged[who]):
        field.ranged[who] = arm_at(field, who, RANGED).magazine
    if other >= 0:
        fires(rules, dice, field, who, PISTOL, other, into_fights)


# ── attack ──


@inline
def watcher(field, who, distance):
    """R17, RULING 15, D7 The weapon of overwatch: a loaded one in range, the ranged one first; -1 for none."""
    for slot in range(MELEE):
        arm = arm_at(field, who, slot)
        if arm.shots and distance <= arm.reach + HAIR and not discharged(arm, loaded(field, who, slot)):
            return slot
    return -1


@apart
def watches(rules, dice, field, who, target):
    """R17 Overwatch of the one attacked, at a flat number without penalties; not when tied up."""
    slot = -1 if tied_up(rules, field, who) else watcher(field, who, gap(field, who, target))
    if slot < 0:
        return
    arm, shots = arm_at(field, who, slot), spend(rules, field, who, slot)
    for _ in range(shots):
        if lives(field, target):
            need = hit_need(rules, arm.accuracy, 0, 1)
            hits(rules, next_dice(dice, field), field, who, arm, target, need, body_at(field, target).cover)


@apart
def attacks(rules, dice, field, who):
    """R15-R21, D6 Declare the nearest enemy, receive its overwatch, roll; whom it reached, -1 when nobody."""
    target = nearest_enemy(field, who)
    watches(rules, dice, field, target, who)
    if not lives(field, who):
        return -1
    before = gap(field, who, target)
    roll = total(next_dice(dice, field), rules.attack_dice, ADVANCE) * QUARTERS + HAIR
    after = 1.0 * gap_after(rules, before, roll)
    ux, uy = direction(field, who, target)
    if after > 0.0:
        go(rules, field, who, ux, uy, clear_way(rules, field, who, ux, uy, before - after))
        return -1
    go(rules, field, who, ux, uy, max(0.0, before - CONTACT))
    return target


# ── fight ──


@apart
def mark_fight(rules, field, who):
    """RULING 17 Mark in `fight` all who are in one combat with this one, through others too: with a 2, for a 1 will
    mean engaged on the way."""
    field.fight[:] = 0
    field.fight[who] = 2
    grows = True
    while grows:
        grows = False
        for one in range(len(field.side)):
            for other in range(len(field.side)):
                if field.fight[one] and not field.fight[other] and engaged(rules, field, one, other):
                    field.fight[other] = 2
                    grows = True


@apart
def piles_in(rules, field, who, target):
    """R24, RULING 19, D8 Up to 3 inches nearer to the target, into the 1-inch zone of no other enemy."""
    x, y, before = field.x[who], field.y[who], gap(field, who, target)
    if before <= CONTACT:
        return
    ux, uy = direction(field, who, target)
    go(rules, field, who, ux, uy, min(1.0 * rules.pile_in * QUARTERS, before - CONTACT))
    for other in range(len(field.side)):
        if other != target and engaged(rules, field, who, other):
            was = (x - field.x[other]) ** 2 + (y - field.y[other]) ** 2
            if was >= (rules.keep_off * QUARTERS - HAIR) ** 2:
                field.x[who], field.y[who] = x, y
                return


@apart
def next_struck(rules, field, who, unit):
    """RULING 34 The nearest living model of a unit in combat with this one; -1 for none."""
    best = -1
    for other in range(len(field.side)):
        tied = field.unit[other] == unit and engaged(rules, field, who, other)
        if tied and (best < 0 or gap(field, who, other) < gap(field, who, best) - HAIR):
            best = other
    return best


@apart
def strikes(rules, dice, field, who, wanted):
    """R23-R24, RULING 34 Pile in, then all strikes of the melee weapon; whether an opponent was destroyed."""
    target, arm = strike_target(rules, field, who, wanted), arm_at(field, who, MELEE)
    if target < 0 or arm.shots == 0:
        return False
    piles_in(rules, field, who, target)
    before = field.kills[who]
    for _ in range(arm.shots):
        if not lives(field, target):
            target = next_struck(rules, field, who, field.unit[target])
            if target < 0:
                break
        need = hit_need(rules, arm.accuracy, dying(field, who), 0)
        hits(rules, next_dice(dice, field), field, who, arm, target, need, 0)
    return field.kills[who] > before


@apart
def goes_on(rules, dice, field, who):
    """R25-R26, RULING 20 After a kill 3 inches towards the nearest opponent; one whom that engages strikes at once."""
    target = nearest_enemy(field, who)
    if target < 0 or tied_up(rules, field, who) or not consolidates(rules, field, who, target):
        return
    length = min(1.0 * rules.consolidation * QUARTERS, gap(field, who, target) - CONTACT)
    ux, uy = direction(field, who, target)
    go(rules, field, who, ux, uy, max(0.0, length))
    for other in range(len(field.side)):
        if engaged(rules, field, who, other) and not field.fight[other] and lives(field, who):
            field.fight[other] = 1
            strikes(rules, dice, field, other, who)


@apart
def turn_to_strike(rules, dice, field, who, wanted):
    """One of a fight strikes, if it lives and still has an enemy there, and goes on after a kill."""
    if lives(field, who) and strikes(rules, dice, field, who, wanted):
        goes_on(rules, dice, field, who)


@apart
def fights(rules, dice, field, active, reached, player):
    """R22, R60-R61, RULING 17 The close combat of this turn.

    Who attacked strikes first, then the one attacked, then the rest, the player's side first.
    """
    if not lives(field, active) or not tied_up(rules, field, active):
        return
    mark_fight(rules, field, active)
    attacked = reached >= 0
    if attacked:
        turn_to_strike(rules, dice, field, active, reached)
        turn_to_strike(rules, dice, field, reached, active)
    first = first_striker(rules, field.side[active], False, player)
    for half in range(2):
        side = first if half == 0 else 1 - first
        for who in range(len(field.side)):
            if field.fight[who] != 2 or field.side[who] != side or (attacked and who in (active, reached)):
                continue
            if who == active or rules.fight_turns != OWN_TURN:
                turn_to_strike(rules, dice, field, who, -1)


# ── the end of a turn, and the whole ──


@apart
def checks(rules, dice, field):
    """R27-R29, RULING 28-29 Everybody who received damage this turn tests; who fails runs from the nearest enemy."""
    for who in range(len(field.side)):
        if field.hurt[who] == 0:
            continue
        roll = next_dice(dice, field)
        if flees(roll, body_at(field, who), field.life[who], field.hurt[who]):
            enemy = nearest_enemy(field, who)
            if enemy >= 0:
                ux, uy = direction(field, who, enemy)
                go(rules, field, who, -ux, -uy, 1.0 * flight(rules, roll))
        field.hurt[who] = 0


@apart
def takes_turn(rules, dice, field, who, player, into_fights):
    """R3-R4, RULING 37, D1 One turn: move and shoot, then close combat, then the Leadership checks."""
    plan, ran, left = field.cards[who, PLAN], False, False
    tried = tries_to_raise(rules, dice, field, who)
    if tied_up(rules, field, who):
        if plan == KITE:
            leaves(rules, field, who)
            left = True
    elif plan == RUSH:
        ran = rushes(rules, dice, field, who)
    elif plan == KITE:
        keeps_away(rules, field, who)
    if not tried:
        tries_to_raise(rules, dice, field, who)
    if may_shoot(ran, left):
        shoots(rules, dice, field, who, into_fights)
    reached, enemy = -1, nearest_enemy(field, who)
    if enemy >= 0 and plan == RUSH:
        distance = gap(field, who, enemy) - HAIR
        if may_attack(rules, distance, tied_up(rules, field, who), ran, left):
            reached = attacks(rules, dice, field, who)
    fights(rules, dice, field, who, reached, player)
    checks(rules, dice, field)


@apart
def next_fresh(field, side):
    """The first of a side that still has its turn in this round; -1 when none has."""
    for who in range(len(field.side)):
        if field.side[who] == side and field.fresh[who] and lives(field, who):
            return who
    return -1


@apart
def is_out(field, side):
    """RULING 36 Whether all of a side are dead."""
    found = True
    for who in range(len(field.side)):
        found = found and not (field.side[who] == side and lives(field, who))
    return found


@apart
def plays(rules, dice, field, player, into_fights):
    """R1-R2, RULING 3 The whole engagement: the sides alternate fighter by fighter, the player first, until one is
    out."""
    field.clock[TURNS], field.clock[ROUND] = 0, 0
    side = player
    while field.clock[TURNS] < CAP and not is_out(field, 0) and not is_out(field, 1):
        who = next_fresh(field, side)
        if who < 0 and next_fresh(field, 1 - side) < 0:
            field.fresh[:] = 1
            field.clock[ROUND] += 1
            side = player
            continue
        if who >= 0:
            field.fresh[who] = 0
            field.clock[TURNS] += 1
            takes_turn(rules, dice, field, who, player, into_fights)
        side = 1 - side


@apart
def deploy(field, start):
    """Everybody fresh, whole and loaded, where `start` (float64, fighters x 2) puts him."""
    for who in range(len(field.side)):
        field.x[who], field.y[who] = start[who, 0], start[who, 1]
        field.life[who] = UP + field.cards[who, ENDURANCE]
        field.hurt[who], field.kills[who], field.fresh[who] = 0, 0, 0
        field.ranged[who] = arm_at(field, who, RANGED).magazine
        field.pistol[who] = arm_at(field, who, PISTOL).magazine


@apart
def cell_of(field, counts, player):
    """The end as one integer: round, player, and how many of each unit live (mixed radix, `counts` of each)."""
    code = min(field.clock[ROUND], LAST_ROUND) * 2 + player
    for unit in range(len(counts)):
        alive = 0
        for who in range(len(field.side)):
            if field.unit[who] == unit and lives(field, who):
                alive += 1
        code = code * (counts[unit] + 1) + alive
    return code


@kernel
def engage(rules, dice, field, start, counts, first, into_fights, number, trials, histogram):
    """Count into `histogram` (int64) how engagements `number` … end; behind the cells, for each unit, how often
    it made 0, 1, 2 … kills, up to the number of fighters."""
    most = len(field.side) + 1
    cells = len(histogram) - most * len(counts)
    for trial in range(number, number + trials):
        field.clock[TRIAL], field.clock[STEP] = trial, 0
        deploy(field, start)
        player = choose(next_dice(dice, field), 2, TOSS) if first == BOTH else first
        plays(rules, dice, field, player, into_fights)
        histogram[cell_of(field, counts, player)] += 1
        for unit in range(len(counts)):
            kills = 0
            for who in range(len(field.side)):
                kills += field.kills[who] if field.unit[who] == unit else 0
            histogram[cells + most * unit + kills] += 1
