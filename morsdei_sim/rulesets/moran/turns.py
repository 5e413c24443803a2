"""What happens on the board, rule by rule: attacks, blasts, blows, moves through watched cells.

Each procedure changes the `Field` in place. Dice come from the common vocabulary: attack number s of a trial rolls
under the key (seed, trial, s), so a battle can be replayed alone; in tests the same code reads a tape.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from morsdei_sim._jit import INLINE, apart, inline
from morsdei_sim.dice.rolled import FewDice, drawn_now
from morsdei_sim.rulesets.moran.field import BLOWS, FAR, ITEMS, LEFT, LETHALITY, MAGAZINE, NEAR, SIZE, STEP
from morsdei_sim.rulesets.moran.grid import can_strike, cover_from, distance, in_template, path_to, reach, watched
from morsdei_sim.rulesets.moran.rules import DEAD, UP, WOUNDED
from morsdei_sim.rulesets.moran.shooting import blasted, fire, hurt, pool, smitten, spent


def next_roll(dice, field):
    """The dice of the next attack: keyed dice move on to their next step, any others stay what they are."""
    step = int(field.clock[STEP])
    field.clock[STEP] += 1
    if isinstance(dice, FewDice):
        return FewDice(dice.seed, dice.trial, step, drawn_now(dice.seed, dice.trial, step, 0, 0), np.uint32(0))
    return dice


@overload(next_roll, jit_options=INLINE)
def _next_roll(dice, field):
    if dice.instance_class is FewDice:

        def keyed(dice, field):
            step = field.clock[STEP]
            field.clock[STEP] = step + 1
            return FewDice(
                dice.seed, dice.trial, step, np.uint32(drawn_now(dice.seed, dice.trial, step, 0, 0)), np.uint32(0)
            )

        return keyed

    def same(dice, field):
        field.clock[STEP] += 1
        return dice

    return same


@apart
def becomes(field, me, victim, status):
    """R19-R20, RULINGS 14, 17 A new status: the dead leave the board; a wound ends defence and watch."""
    if status == field.men[victim].status:
        return
    field.men[victim].status = status
    field.men[victim].defending = 0
    field.men[victim].marker = -1
    if status == DEAD:
        if field.who[field.men[victim].cell] == victim + 1:
            field.who[field.men[victim].cell] = 0
        if field.men[me].side != field.men[victim].side:
            field.men[me].kills += 1


@inline
def dice_at(rules, grid, field, gun, here, victim, there):
    """R12-R17, R25, RULING 34 (dice, dice that count as sixes) of a shot from one cell at a fighter in another."""
    gap = distance(rules, grid, here, there)
    cover = cover_from(grid, here, there)
    defending = field.men[victim].defending
    n = pool(rules, gun[NEAR], gun[FAR], gap, cover, defending)
    return n, spent(rules, gun[NEAR], gun[FAR], gap, cover, defending)


@apart
def shoot_at(rules, dice, grid, field, me, victim, which):
    """R6, RULING 32 One volley with weapon `which` (0 main, 1 second) at one enemy."""
    gun = field.men[me].gun[which]
    n, eaten = dice_at(rules, grid, field, gun, field.men[me].cell, victim, field.men[victim].cell)
    roll = next_roll(dice, field)
    successes, _sixes, empty = fire(rules, roll, field.men[me].skill, gun[MAGAZINE], n, eaten)
    if empty:  # R27
        field.men[me].loaded[which] = 0
    becomes(field, me, victim, hurt(successes, gun[LETHALITY], field.men[victim].armour, field.men[victim].status))


@apart
def strike(field, me, victim):
    """R36-R37 A blow on an enemy beside one."""
    field.clock[BLOWS + field.men[me].side] += 1
    becomes(field, me, victim, smitten(field.men[victim].status))


@apart
def blast(rules, grid, field, me, arm, at, direction):
    """R39-R40, RULING 27 Everyone in the zone, friends and the user too, unless the switch spares the side."""
    for one in range(len(field.men)):
        if field.men[one].status == DEAD or not in_template(grid, arm[SIZE], at, direction, field.men[one].cell):
            continue
        if field.men[one].side == field.men[me].side and not rules.blast_hits_friends:
            continue
        becomes(field, me, one, blasted(arm[LETHALITY], field.men[one].armour, field.men[one].status))


@apart
def watch_weapon(rules, grid, field, me, victim, cell):
    """D7, RULING 17 What a watcher attacks with one who enters a cell: 0 or 1 a weapon, 2 hand to hand, -1 nothing.

    The weapon that is likeliest to kill, then to wound; hand to hand only when that kills, or without a shot.
    """
    best, worth = -1, -1.0
    here = field.men[me].cell
    if can_strike(grid, here, cell):
        best, worth = 2, (4.0 if field.men[victim].status == WOUNDED else 0.5)
    if grid.sight[here, cell] == 0:
        return best
    for which in range(2):
        gun = field.men[me].gun[which]
        if gun[LETHALITY] == 0 or gun[SIZE] != 0 or field.men[me].loaded[which] == 0:
            continue
        n, _eaten = dice_at(rules, grid, field, gun, here, victim, cell)
        chances = field.tail[field.men[me].skill, n]
        hits = chances[field.men[victim].armour + 1]
        kills = hits if field.men[victim].status == WOUNDED else chances[field.men[victim].armour + gun[LETHALITY]]
        if kills + 0.5 * hits > worth:
            best, worth = which, kills + 0.5 * hits
    return best


@apart
def watchers_fire(rules, dice, grid, field, me):
    """R33-R35, RULINGS 18, 20 Every enemy whose zone was entered attacks at once; its marker is taken off.

    Each with the state that the one before left; nobody attacks the dead. One that cannot attack keeps its marker.
    """
    cell = field.men[me].cell
    for one in range(len(field.men)):
        if field.men[one].side == field.men[me].side or field.men[one].status != UP or field.men[me].status == DEAD:
            continue
        if field.men[one].marker < 0 or not watched(rules, grid, field.men[one].marker, cell):
            continue
        which = watch_weapon(rules, grid, field, one, me, cell)
        if which < 0:
            continue
        field.men[one].marker = -1
        if which == 2:
            strike(field, one, me)
        else:
            shoot_at(rules, dice, grid, field, one, me, which)


@apart
def walk(rules, dice, grid, field, me, out, to):
    """R1, R21, D12, RULINGS 18-19 Walk the cheapest way to a cell that `reach` found, step by step through the watches.

    One who is wounded falls in the cell entered (in the last free one, should a friend stand there) and moves no more.
    """
    steps = path_to(out, to, field.path)
    field.who[field.men[me].cell] = 0
    free = field.men[me].cell
    for place in range(steps):
        field.men[me].cell = field.path[place]
        if field.who[field.men[me].cell] == 0:
            free = field.men[me].cell
        watchers_fire(rules, dice, grid, field, me)
        if field.men[me].status != UP:
            break
    field.men[me].cell = free
    if field.men[me].status != DEAD:
        field.who[free] = me + 1


@apart
def look_around(rules, grid, field, me, out):
    """R1, RULING 23 Where one movement may lead: fill `out`, enemies in the way (the wounded too), friends not."""
    for one in range(len(field.men)):
        if field.men[one].side != field.men[me].side and field.men[one].status != DEAD:
            field.barred[field.men[one].cell] = 1
    reach(rules, grid, field.men[me].cell, field.men[me].move, field.barred, out)
    for one in range(len(field.men)):
        field.barred[field.men[one].cell] = 0


@apart
def remember(field):
    """Write the state into `before`; whether it is the one that stood there, with no dice rolled since."""
    same, place = field.before[-1] == field.clock[STEP], 0
    for one in range(len(field.men)):
        for value in (
            field.men[one].status, field.men[one].cell if field.men[one].status != DEAD else -1, field.men[one].marker,
            field.men[one].defending, field.men[one].loaded[0], field.men[one].loaded[1],
        ):  # fmt: skip
            same = same and field.before[place] == value
            field.before[place] = value
            place += 1
    for side in range(2):
        for one in range(ITEMS):
            same = same and field.before[place] == field.item[side, one, LEFT]
            field.before[place] = field.item[side, one, LEFT]
            place += 1
    field.before[-1] = field.clock[STEP]
    return same
