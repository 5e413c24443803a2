"""Three simple players for engagements, as answers to the decision points of the atlas (chapter 3, hooks D1-D12).

`hold` stays where it is and shoots, watches or defends; `rush` takes the shortest way to the enemy; `careful` goes
where its attack is worth most and the enemies' shots least. All see the same open information and weigh an attack
alike: a kill 1, a wound 1/2, the wounded first. They choose without dice: in the same state they always do the same.
"""

from __future__ import annotations

from morsdei_sim._jit import apart, inline
from morsdei_sim.rulesets.moran.field import BLOWS, ITEMS, LEFT, LETHALITY, MAGAZINE, SIZE, THROW
from morsdei_sim.rulesets.moran.grid import CONE, FAR_AWAY, FOUND, can_place, can_strike, cost_to, in_template
from morsdei_sim.rulesets.moran.rules import DEAD, UP, WOUNDED
from morsdei_sim.rulesets.moran.turns import blast, dice_at, look_around, shoot_at, strike, walk

HOLD, RUSH, CAREFUL = 0, 1, 2

WOUND_WORTH = 0.5
"""Worth of a wound, where a kill is 1."""

FEAR = 0.6
"""What the enemies' best shot at a cell takes off its worth, for `careful`."""

PULL = 0.01
"""What each cell of way to the nearest enemy takes off."""

NOTHING, SHOT, BLOW, AREA, THROWN = 0, 1, 2, 3, 4
"""What an attack is; its `which` is the weapon (0 or 1) or the item of the team's stock."""


@inline
def shot_worth(rules, grid, field, me, which, here, victim, there):
    """D4-D5 What a shot is worth; 0 when the weapon cannot fire, sees nothing, or has no dice beyond the armour."""
    gun = field.men[me].gun[which]
    if gun[LETHALITY] == 0 or gun[SIZE] != 0 or field.men[me].loaded[which] == 0 or grid.sight[here, there] == 0:
        return 0.0
    n, _eaten = dice_at(rules, grid, field, gun, here, victim, there)
    if n <= field.men[victim].armour:
        return 0.0
    chances = field.tail[field.men[me].skill, n]
    hits = chances[field.men[victim].armour + 1]
    if field.men[victim].status == WOUNDED:
        return hits
    return WOUND_WORTH * hits + (1 - WOUND_WORTH) * chances[field.men[victim].armour + gun[LETHALITY]]


@apart
def danger(rules, grid, field, me, here):
    """The worth of the best shot that an enemy has at a cell from where it stands."""
    worst = 0.0
    for one in range(len(field.men)):
        if field.men[one].side != field.men[me].side and field.men[one].status == UP:
            for which in range(2):
                worst = max(worst, shot_worth(rules, grid, field, one, which, field.men[one].cell, me, here))
    return worst


@apart
def choose_target(rules, grid, field, me, here):
    """D4-D5 The best shot or blow from a cell: (worth, kind, weapon, enemy). The first of equals."""
    best, kind, weapon, target = 0.0, NOTHING, 0, -1
    for one in range(len(field.men)):
        if field.men[one].side == field.men[me].side or field.men[one].status == DEAD:
            continue
        there = field.men[one].cell
        if can_strike(grid, here, there):
            worth = 1.0 if field.men[one].status == WOUNDED else WOUND_WORTH
            if worth > best:
                best, kind, weapon, target = worth, BLOW, 0, one
        for which in range(2):
            worth = shot_worth(rules, grid, field, me, which, here, one, there)
            if worth > best:
                best, kind, weapon, target = worth, SHOT, which, one
    return best, kind, weapon, target


@apart
def zone_worth(rules, grid, field, me, arm, at, direction):
    """D9 What a blast is worth: enemies with armour below the damage, the wounded double, less harm to friends."""
    worth = 0.0
    for one in range(len(field.men)):
        if field.men[one].status == DEAD or field.men[one].armour >= arm[LETHALITY]:
            continue
        if not in_template(grid, arm[SIZE], at, direction, field.men[one].cell):
            continue
        here = 1.0 if field.men[one].status == WOUNDED else WOUND_WORTH
        if field.men[one].side != field.men[me].side:
            worth += here
        elif rules.blast_hits_friends:
            worth -= 2 * here
    return worth


@apart
def place_template(rules, grid, field, me, arm):
    """D9, R41-R43 The best place of a template: (worth, cell, direction). A square near an enemy, or a cone ahead."""
    best, at, way = 0.0, -1, 0
    if arm[SIZE] == CONE:
        for direction in range(4):
            worth = zone_worth(rules, grid, field, me, arm, field.men[me].cell, direction)
            if worth > best:
                best, at, way = worth, field.men[me].cell, direction
        return best, at, way
    size = arm[SIZE]
    for one in range(len(field.men)):
        if field.men[one].side == field.men[me].side or field.men[one].status == DEAD:
            continue
        x, y = field.men[one].cell % grid.width, field.men[one].cell // grid.width
        for cy in range(max(0, y - size), min(grid.height, y + size + 1)):
            for cx in range(max(0, x - size), min(grid.width, x + size + 1)):
                centre = cy * grid.width + cx
                if can_place(rules, grid, field.men[me].cell, centre, size, arm[THROW]):
                    worth = zone_worth(rules, grid, field, me, arm, centre, 0)
                    if worth > best:
                        best, at = worth, centre
    return best, at, way


@apart
def nearest(field, me, here):
    """The living enemy with the shortest way (-1 without one), and the cells of it."""
    target, way = -1, FAR_AWAY
    for one in range(len(field.men)):
        if (
            field.men[one].side != field.men[me].side
            and field.men[one].status != DEAD
            and field.walk[here, field.men[one].cell] < way
        ):
            target, way = one, field.walk[here, field.men[one].cell]
    return target, way


@inline
def cell_worth(rules, grid, field, me, bot, here, acting):
    """D2 What standing in a cell is worth to a mover; `acting`: it may still attack from there."""
    _enemy, way = nearest(field, me, here)
    if bot == RUSH:
        return -PULL * way
    attack = 0.0
    if acting:
        attack, _kind, _weapon, _target = choose_target(rules, grid, field, me, here)
    return attack - FEAR * danger(rules, grid, field, me, here) - PULL * way


@apart
def choose_move(rules, grid, field, me, bot, out):
    """D2 Where to go by the first movement: `out` holds what is in reach. The first of equals, staying before all."""
    return best_cell(rules, grid, field, me, bot, out, True)


@apart
def best_cell(rules, grid, field, me, bot, out, acting):
    """The best free cell in reach."""
    here = field.men[me].cell
    if bot == HOLD:
        return here
    best, worth = here, cell_worth(rules, grid, field, me, bot, here, acting) + 1e-9
    for place in range(out.many[0]):
        cell = out.node[FOUND, place] >> 1
        if field.who[cell] != 0 or cost_to(out, cell) >= FAR_AWAY:
            continue
        there = cell_worth(rules, grid, field, me, bot, cell, acting)
        if there > worth + 1e-9:
            best, worth = cell, there
    return best


@inline
def prepare_what(field, me):
    """D8 The weapon to make ready: the main one first; -1 when all are."""
    for which in range(2):
        if field.men[me].gun[which, LETHALITY] > 0 and field.men[me].loaded[which] == 0:
            return which
    return -1


@inline
def can_watch(field, me):
    """Whether a watch would have a weapon to shoot with."""
    for which in range(2):
        if (
            field.men[me].gun[which, LETHALITY] > 0
            and field.men[me].gun[which, SIZE] == 0
            and field.men[me].loaded[which]
        ):
            return True
    return False


@apart
def place_watch(grid, field, me):
    """D6 The cell in sight, on the nearest enemy's shortest way to the watcher, that it comes to first."""
    here = field.men[me].cell
    enemy, _way = nearest(field, me, here)
    best, worth = -1, 1 << 30
    if enemy < 0:
        return best
    there = field.men[enemy].cell
    for cell in range(len(grid.wall)):
        if grid.sight[here, cell] == 0 or grid.wall[cell] or cell == there:
            continue
        detour = field.walk[there, cell] + field.walk[cell, here]
        rank = detour * 1000 + field.walk[there, cell]
        if rank < worth:
            best, worth = cell, rank
    return best


@apart
def use_command_item(rules, grid, field, me):
    """D10 The best use of the team's stock: (worth, item, cell). Two wounded, or one killed, are worth an item."""
    best, item, at = 0.0, -1, -1
    side = field.men[me].side
    for one in range(ITEMS):
        if field.item[side, one, LEFT] > 0:
            worth, cell, _way = place_template(rules, grid, field, me, field.item[side, one])
            if worth > best and worth >= 2 * WOUND_WORTH:
                best, item, at = worth, one, cell
    return best, item, at


@apart
def area_weapon(rules, grid, field, me):
    """D4 The best use of an area weapon of one's own: (worth, weapon, cell, direction)."""
    best, weapon, at, way = 0.0, -1, -1, 0
    for which in range(2):
        gun = field.men[me].gun[which]
        if gun[LETHALITY] > 0 and gun[SIZE] > 0 and field.men[me].loaded[which]:
            worth, cell, direction = place_template(rules, grid, field, me, gun)
            if worth > best:
                best, weapon, at, way = worth, which, cell, direction
    return best, weapon, at, way


@apart
def act(rules, dice, grid, field, me, bot, out):
    """D3, R4, R6, R11, RULING 28 The one action that ends the turn: the best attack, else what the bot does without.

    A grenade is the use of an item: it takes one from the team's stock (R53) and needs no loaded weapon.
    """
    worth, kind, weapon, target = choose_target(rules, grid, field, me, field.men[me].cell)
    area, gun, at, way = area_weapon(rules, grid, field, me)
    thrown, item, there = use_command_item(rules, grid, field, me)
    if thrown > max(worth, area):  # R11, R53, RULING 28
        side = field.men[me].side
        field.item[side, item, LEFT] -= 1
        blast(rules, grid, field, me, field.item[side, item], there, 0)
    elif area > worth:
        if field.men[me].gun[gun, MAGAZINE] > 0:
            field.men[me].loaded[gun] = 0
        blast(rules, grid, field, me, field.men[me].gun[gun], at, way)
    elif kind == BLOW:
        strike(field, me, target)
    elif kind == SHOT:
        shoot_at(rules, dice, grid, field, me, target, weapon)
    else:
        wait(rules, dice, grid, field, me, bot, out)


@apart
def wait(rules, dice, grid, field, me, bot, out):
    """D3, R5, R7-R9, RULING 16 Without an attack: prepare, else a second movement, else watch, else defend."""
    empty = prepare_what(field, me)
    if empty >= 0 and (bot != RUSH or not can_watch(field, me)):
        field.men[me].loaded[empty] = 1  # R8, RULING 13
        return
    if bot != HOLD and rules.second_move:
        look_around(rules, grid, field, me, out)
        to = best_cell(rules, grid, field, me, bot, out, False)
        if to != field.men[me].cell:
            walk(rules, dice, grid, field, me, out, to)
            return
    if can_watch(field, me):
        field.men[me].marker = place_watch(grid, field, me)
        return
    field.men[me].defending = 1


@apart
def fighter_turn(rules, dice, grid, field, me, bot, out):
    """R4, R10, R21-R22, D3, D11 One turn: the wounded recover; others move, then do one action.

    One who is wounded by a watch while moving still has its action and may recover at once (RULING 19).
    """
    if field.men[me].status == WOUNDED:
        field.men[me].status = UP
        return
    look_around(rules, grid, field, me, out)
    to = choose_move(rules, grid, field, me, bot, out)
    if to != field.men[me].cell:
        walk(rules, dice, grid, field, me, out, to)
    if field.men[me].status == WOUNDED and rules.recover_same_turn:
        field.men[me].status = UP
    elif field.men[me].status == UP:
        act(rules, dice, grid, field, me, bot, out)


@apart
def side_turn(rules, dice, grid, field, side, bot, out):
    """D1, RULINGS 14-15, 17 One turn of a side: its watches and defences end, then each living fighter acts once.

    Those with something to attack from where they stand come first, then the others, in the order of the cards.
    """
    field.clock[BLOWS + side] = 0
    for one in range(len(field.men)):
        if field.men[one].side == side:
            field.men[one].marker = -1
            field.men[one].defending = 0
            field.men[one].acted = 0
    for late in range(2):
        for one in range(len(field.men)):
            if field.men[one].side != side or field.men[one].status == DEAD or field.men[one].acted:
                continue
            if not late:
                _worth, kind, _weapon, _target = choose_target(rules, grid, field, one, field.men[one].cell)
                if kind == NOTHING:
                    continue
            field.men[one].acted = 1
            fighter_turn(rules, dice, grid, field, one, bot, out)
