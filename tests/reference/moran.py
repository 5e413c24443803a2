"""A second, slow reading of ruleset `moran`: plain Python and Fractions, nothing of the product.

Written from the rule atlas alone (`rules/moran.md`; R, RULING, M and V numbers are the atlas's). The product is tested
against this file, never the other way round. Volleys count all 6^n faces; scripts of several turns are absorbing
chains solved exactly, without the cap of RULING 35.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise, product
from typing import Any, NamedTuple

Spread = dict[Any, Fraction]  # outcome -> exact chance
Cell = tuple[int, int]
NOTHING, WOUND, KILL = "nothing", "wound", "kill"


class Switches(NamedTuple):
    """The switches of chapter 2 with their defaults."""

    band_edge: str = "half_open"  # or "far_inclusive"
    diagonal_cost: int | str = 1  # or "1-2-1-2"
    cover_counts_as_six: bool = False
    magazine_test: str = "at_least"  # or "exactly"
    recover_same_turn: bool = True
    blast_hits_friends: bool = True


class Fighter(NamedTuple):
    skill: int
    armour: int = 0


class Weapon(NamedTuple):
    near: int
    far: int
    lethality: int
    magazine: int | None = None


RULES = Switches()


# ---- One shot: parts B to E, RULINGS 1, 2, 5-12, 14 ----------------------------------------------------------------


class Pool(NamedTuple):
    dice: int  # rolled
    eaten: int  # taken by distance: sixes (R25)
    spent: int  # every die not rolled that counts as a six


def pool(weapon: Weapon, distance: int, cover: int = 0, defence: int = 0, rules: Switches = RULES) -> Pool:
    """R13, R16, R17, R9 and RULINGS 2, 6, 7; `cover` and `defence` in dice."""
    eaten = (distance >= weapon.near) + (distance >= weapon.far)
    if rules.band_edge == "far_inclusive":
        eaten = (distance >= weapon.near) + (distance > weapon.far)
    dice = max(0, 4 - eaten - cover - defence)
    return Pool(dice, eaten, 4 - dice if rules.cover_counts_as_six else eaten)


def count(roll: Sequence[int], skill: int) -> tuple[int, int]:
    """R14, RULINGS 1 and 11: (successes, sixes) of the same dice."""
    return sum(face <= skill for face in roll), sum(face == 6 for face in roll)


@cache
def joint(skill: int, dice: int) -> Spread:
    """Chance of each (successes, sixes), by all 6^dice faces."""
    rolls: dict[tuple[int, int], int] = defaultdict(int)
    for roll in product(range(1, 7), repeat=dice):
        rolls[count(roll, skill)] += 1
    return {outcome: Fraction(ways, 6**dice) for outcome, ways in sorted(rolls.items())}


def effect(successes: int, lethality: int, armour: int, wounded: bool = False) -> str:
    """R18-R20, R23, R29, R30; RULINGS 8-10."""
    net = successes - armour
    if net <= 0:
        return NOTHING
    return KILL if wounded or net >= lethality else WOUND


def is_emptied(sixes: int, spent: int, magazine: int | None, rules: Switches = RULES) -> bool:
    """R24, R25, RULINGS 5 and 6."""
    if magazine is None:
        return False
    total = sixes + spent
    return total == magazine if rules.magazine_test == "exactly" else total >= magazine


def volley(
    skill: int, dice: int, spent: int, weapon: Weapon, armour: int, wounded: bool, rules: Switches = RULES
) -> Spread:
    """Joint chance of (effect, emptied) of a given pool."""
    spread: Spread = defaultdict(Fraction)
    for (successes, sixes), chance in joint(skill, dice).items():
        done = effect(successes, weapon.lethality, armour, wounded)
        spread[done, is_emptied(sixes, spent, weapon.magazine, rules)] += chance
    return dict(spread)


def shot(
    shooter: Fighter, weapon: Weapon, distance: int, armour: int, *, cover: int = 0, defence: int = 0,
    wounded: bool = False, rules: Switches = RULES,
) -> Spread:  # fmt: skip
    """Joint chance of (effect, emptied) of one shot from a loaded weapon."""
    dice, _eaten, spent = pool(weapon, distance, cover, defence, rules)
    return volley(shooter.skill, dice, spent, weapon, armour, wounded, rules)


def chance_of(spread: Spread, *effects: str) -> Fraction:
    """Chance of any of these effects, whatever the magazine."""
    return sum((chance for (done, _emptied), chance in spread.items() if done in effects), Fraction(0))


def empties(spread: Spread) -> Fraction:
    return sum((chance for (_done, emptied), chance in spread.items() if emptied), Fraction(0))


def focus(
    shooters: Sequence[tuple[Fighter, Weapon, int]], armour: int, *, cover: int = 0, defence: int = 0,
    wounded: bool = False, rules: Switches = RULES,
) -> Spread:  # fmt: skip
    """State of one target ("up", "wounded", "dead") after these (shooter, weapon, distance) in one side turn.

    Nobody shoots at the dead; a wound ends Defence (RULING 14).
    """
    states: Spread = {"wounded" if wounded else "up": Fraction(1)}
    for shooter, weapon, distance in shooters:
        later: Spread = defaultdict(Fraction)
        for state, chance in states.items():
            if state == "dead":
                later[state] += chance
                continue
            down = state == "wounded"
            dice = 0 if down else defence
            fired = shot(shooter, weapon, distance, armour, cover=cover, defence=dice, wounded=down, rules=rules)
            for (done, _emptied), p in fired.items():
                later[after(state, done)] += chance * p
        states = dict(later)
    return states


def after(state: str, done: str) -> str:
    """State of a target after an effect on it."""
    return {NOTHING: state, WOUND: "wounded", KILL: "dead"}[done]


def is_legal_turn(doings: Sequence[str], wounded: bool = False) -> bool:
    """R4, R21, R22: "movement" at most once and first, then at most one action (any other word, "recovery" too)."""
    if wounded:
        return list(doings) in ([], ["recovery"])
    actions = list(doings[1:] if doings and doings[0] == "movement" else doings)
    return len(actions) <= 1 and "movement" not in actions and "recovery" not in actions


# ---- Other attacks: part G, RULINGS 10, 21, 27 ---------------------------------------------------------------------


def melee(wounded: bool = False) -> str:
    """R36, R37: certain, whatever the armour."""
    return KILL if wounded else WOUND


def blast(damage: int, armour: int, wounded: bool = False) -> str:
    """R40: certain if the class is less than the damage; lethality plays no part."""
    if armour >= damage:
        return NOTHING
    return KILL if wounded else WOUND


# ---- Watch: part F, RULINGS 17-20 ----------------------------------------------------------------------------------


def lies_after_watch(second_movement: bool = False, rules: Switches = RULES) -> bool:
    """RULING 19: does one wounded in his own turn still lie when it ends?"""
    return second_movement or not rules.recover_same_turn


def watch(
    shooter: Fighter, weapon: Weapon, distance: int, armour: int, *, cover: int = 0, second_movement: bool = False,
    rules: Switches = RULES,
) -> dict[str, Fraction]:  # fmt: skip
    """The watch shot, and that followed by the watcher's next shot from the same distance, if still loaded.

    A mover has no Defence: it ended when his turn began (RULING 14).
    """
    first = shot(shooter, weapon, distance, armour, cover=cover, rules=rules)
    dead = chance_of(first, KILL)
    for done in (NOTHING, WOUND):
        lies = done == WOUND and lies_after_watch(second_movement, rules)
        second = shot(shooter, weapon, distance, armour, cover=cover, wounded=lies, rules=rules)
        dead += first.get((done, False), Fraction(0)) * chance_of(second, KILL)
    return {
        "stopped": chance_of(first, WOUND, KILL),
        "walks_on": chance_of(first, NOTHING),
        "kill": chance_of(first, KILL),
        "dead_after_next_shot": dead,
    }


class Watcher(NamedTuple):
    shooter: Fighter
    weapon: Weapon
    cell: Cell
    marker: Cell | None
    loaded: bool = True


def zone_of_watch(marker: Cell) -> set[Cell]:
    """R32: the cell and the eight around it."""
    return {(marker[0] + x, marker[1] + y) for x in (-1, 0, 1) for y in (-1, 0, 1)}


def walk(
    grid: "Grid", path: Sequence[Cell], armour: int, watchers: Sequence[Watcher], *,
    cover: Callable[[Cell, Cell], int] = lambda watcher, entered: 0, rules: Switches = RULES,
) -> Spread:  # fmt: skip
    """An unhurt mover enters the cells of `path` one by one; watchers attack in the order given (RULING 20).

    Chance of (state, cells entered, loaded of each watcher, marker of each watcher still there). All watchers whose
    zone was entered attack, the later ones with the state the earlier left; then the hurt mover goes no further.
    Only shots are modelled: a watcher who cannot shoot keeps his marker (RULING 17).
    """
    markers_laid = tuple(w.marker is not None for w in watchers)
    states: Spread = {("up", 0, tuple(w.loaded for w in watchers), markers_laid): Fraction(1)}
    for number, cell in enumerate(path, 1):
        entered: Spread = defaultdict(Fraction)
        for (state, steps_done, loaded, markers), chance in states.items():
            entered[state, number if state == "up" else steps_done, loaded, markers] += chance
        states = entered
        for who, watcher in enumerate(watchers):
            if watcher.marker and cell in zone_of_watch(watcher.marker) and line_of_fire(grid, watcher.cell, cell):
                dice = cover(watcher.cell, cell)
                states = _watch_shots(states, number, who, watcher, cell, armour, dice, rules)
    return dict(states)


def _watch_shots(
    states: Spread, number: int, who: int, watcher: Watcher, cell: Cell, armour: int, cover: int, rules: Switches
) -> Spread:
    later: Spread = defaultdict(Fraction)
    for (state, steps_done, loaded, markers), chance in states.items():
        if state == "dead" or steps_done < number or not loaded[who] or not markers[who]:
            later[state, steps_done, loaded, markers] += chance
            continue
        range_ = distance(watcher.cell, cell, rules)
        hurt = state == "wounded"
        fired = shot(watcher.shooter, watcher.weapon, range_, armour, cover=cover, wounded=hurt, rules=rules)
        for (done, emptied), p in fired.items():
            still_loaded = (*loaded[:who], not emptied, *loaded[who + 1 :])
            still_there = (*markers[:who], False, *markers[who + 1 :])
            later[after(state, done), steps_done, still_loaded, still_there] += chance * p
    return later


# ---- Scripts M1 to M3 ----------------------------------------------------------------------------------------------


class Result(NamedTuple):
    endings: dict[str, Fraction]  # chance of each; they miss 1 if the fight may go on for ever
    turns: Fraction | None  # mean length; None if it may go on for ever


def play(start: Hashable, turn: Callable[[Any], Spread]) -> Result:
    """Exact end of a chain: `turn` gives the next states; a state that is a string is an ending."""
    moves: dict[Hashable, Spread] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if not isinstance(state, str) and state not in moves:
            moves[state] = {nxt: chance for nxt, chance in turn(state).items() if chance}
            waiting += moves[state]
    endings = sorted({nxt for spread in moves.values() for nxt in spread if isinstance(nxt, str)})
    live: set[Hashable] = set(endings)  # the states from which some ending can be reached
    while grown := {state for state, spread in moves.items() if state not in live and live & spread.keys()}:
        live |= grown
    if start not in live:
        return Result(dict.fromkeys(endings, Fraction(0)), None)
    order = [start, *(state for state in moves if state in live and state != start)]
    rows = []
    for state in order:
        spread = moves[state]
        left = [Fraction(state == other) - spread.get(other, 0) for other in order]
        rows.append(left + [spread.get(ending, Fraction(0)) for ending in endings] + [Fraction(1)])
    *chances, turns = _solve_first(rows)
    return Result(dict(zip(endings, chances, strict=True)), turns if len(order) == len(moves) else None)


def _solve_first(rows: list[list[Fraction]]) -> list[Fraction]:
    """Gauss: the first unknown for every right-hand side (the columns behind the square part)."""
    for last in range(len(rows) - 1, -1, -1):  # remove the unknowns from the last to the second
        swap = next(r for r in range(last, -1, -1) if rows[r][last])
        rows[swap], rows[last] = rows[last], rows[swap]
        pivot = [value / rows[last][last] for value in rows[last]]
        rows[last] = pivot
        for r in range(last):
            if factor := rows[r][last]:
                rows[r] = [value - factor * other for value, other in zip(rows[r], pivot, strict=True)]
    return rows[0][len(rows) :]


def standing_duel(
    fighters: tuple[Fighter, Fighter], weapons: tuple[Weapon, Weapon], distance: int,
    cover: tuple[int, int] = (0, 0), rules: Switches = RULES,
) -> Result:  # fmt: skip
    """M1: A begins; endings "a_wins" and "b_wins"; `cover` of A and of B."""
    State = tuple[int, tuple[bool, bool], tuple[bool, bool]]  # whose turn, wounded, loaded

    def with_(pair: tuple[bool, bool], who: int, value: bool) -> tuple[bool, bool]:
        return (value, pair[1]) if who == 0 else (pair[0], value)

    def turn(state: State) -> Spread:
        me, wounded, loaded = state
        foe = 1 - me
        if wounded[me]:
            return {(foe, with_(wounded, me, False), loaded): Fraction(1)}
        if not loaded[me]:
            return {(foe, wounded, with_(loaded, me, True)): Fraction(1)}
        later: Spread = defaultdict(Fraction)
        fired = shot(
            fighters[me], weapons[me], distance, fighters[foe].armour,
            cover=cover[foe], wounded=wounded[foe], rules=rules,
        )  # fmt: skip
        for (done, emptied), chance in fired.items():
            hurt = with_(wounded, foe, wounded[foe] or done == WOUND)
            later["ab"[me] + "_wins" if done == KILL else (foe, hurt, with_(loaded, me, not emptied))] += chance
        return later

    result = play((0, (False, False), (True, True)), turn)
    return Result({"a_wins": Fraction(0), "b_wins": Fraction(0)} | result.endings, result.turns)


def rush(
    shooter: Fighter, weapon: Weapon, armour: int, distance: int, *, rusher_first: bool = True, rules: Switches = RULES
) -> Result:
    """M2: endings "rusher_dead" and "lock"; `armour` of the rusher.

    The script has no end for an empty shooter who strikes the rusher beside him: that one recovers and is struck again,
    for ever. It is RULING 22 the other way round, the ending "lock_by_shooter"; no printed value has it.
    """

    def rusher(d: int, wounded: bool, loaded: bool) -> Spread:
        if wounded:
            return {(False, d, False, loaded): Fraction(1)}
        if d <= 6:
            return {"lock": Fraction(1)}
        return {(False, max(1, d - 10), False, loaded): Fraction(1)}

    def turn(state: tuple[bool, int, bool, bool]) -> Spread:
        rushers_turn, d, wounded, loaded = state
        if rushers_turn:
            return rusher(d, wounded, loaded)
        if d == 1 and not loaded:  # the blow that kills a wounded rusher never comes: he has stood up in his own turn
            return {"lock_by_shooter": Fraction(1)}
        if not loaded:
            return {(True, d, wounded, True): Fraction(1)}
        later: Spread = defaultdict(Fraction)
        for (done, emptied), chance in shot(shooter, weapon, d, armour, wounded=wounded, rules=rules).items():
            later["rusher_dead" if done == KILL else (True, d, wounded or done == WOUND, not emptied)] += chance
        return later

    result = play((rusher_first, distance, False, True), turn)
    return Result({"rusher_dead": Fraction(0), "lock": Fraction(0)} | result.endings, result.turns)


def lone_shooter(
    shooter: Fighter, weapon: Weapon, distance: int, armour: int, *, cover: int = 0, stays_down: bool = False,
    rules: Switches = RULES,
) -> Fraction | None:  # fmt: skip
    """M3: expected own turns until the kill, preparation included; None for never."""

    def turn(state: tuple[bool, bool]) -> Spread:
        wounded, loaded = state
        if not loaded:
            return {(wounded, True): Fraction(1)}
        later: Spread = defaultdict(Fraction)
        fired = shot(shooter, weapon, distance, armour, cover=cover, wounded=wounded, rules=rules)
        for (done, emptied), chance in fired.items():
            lies = stays_down and (wounded or done == WOUND)  # else he is up again before the next shot
            later[KILL if done == KILL else (lies, not emptied)] += chance
        return later

    return play((False, True), turn).turns


# ---- The grid: R1-R3, R38, R42, R43; RULINGS 3, 4, 21, 23-27 -------------------------------------------------------


class Grid(NamedTuple):
    width: int
    height: int
    walls: frozenset[Cell] = frozenset()

    def is_free(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height and cell not in self.walls


def distance(a: Cell, b: Cell, rules: Switches = RULES) -> int:
    """RULING 3: the larger difference; by 1-2-1-2 every second diagonal costs one more."""
    short, long = sorted((abs(a[0] - b[0]), abs(a[1] - b[1])))
    return long + (short // 2 if rules.diagonal_cost == "1-2-1-2" else 0)


def is_step(grid: Grid, a: Cell, b: Cell) -> bool:
    """R2, R3, RULINGS 4 and 23: may one go from a to b in one step, figures aside?"""
    x, y = b[0] - a[0], b[1] - a[1]
    if max(abs(x), abs(y)) != 1 or not grid.is_free(b):
        return False
    return not (x and y) or not {(a[0] + x, a[1]), (a[0], a[1] + y)} & grid.walls


def steps(grid: Grid, cell: Cell) -> list[Cell]:
    """The legal steps out of a cell, figures aside."""
    return [other for other in sorted(zone_of_watch(cell)) if is_step(grid, cell, other)]


def can_melee(grid: Grid, attacker: Cell, enemy: Cell) -> bool:
    """R38, RULING 21: the enemy himself does not bar the step."""
    return is_step(grid, attacker, enemy)


def path_cost(path: Sequence[Cell], rules: Switches = RULES) -> int:
    """Cells a path costs, its start included in `path`."""
    diagonals = sum(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(path))
    return len(path) - 1 + (diagonals // 2 if rules.diagonal_cost == "1-2-1-2" else 0)


def is_legal_path(
    grid: Grid, path: Sequence[Cell], cells: int = 5, *, friends: Collection[Cell] = (), enemies: Collection[Cell] = (),
    rules: Switches = RULES,
) -> bool:  # fmt: skip
    """One movement along `path`, start included; friends are walked through but not stopped on (RULING 23)."""
    stops_well = len(path) == 1 or path[-1] not in friends
    steps_well = all(is_step(grid, a, b) and b not in enemies for a, b in pairwise(path))
    return stops_well and steps_well and path_cost(path, rules) <= cells


def reach(
    grid: Grid, start: Cell, cells: int = 5, *, friends: Collection[Cell] = (), enemies: Collection[Cell] = (),
    rules: Switches = RULES,
) -> dict[Cell, int]:  # fmt: skip
    """Where one movement may end, and the cost of the shortest path there (0 to stay)."""
    dear = rules.diagonal_cost == "1-2-1-2"
    best: dict[tuple[Cell, bool], int] = {}  # (cell, the next diagonal is a dear one) -> cost
    front = [(0, start, False)]
    while front:
        cost, cell, odd = heappop(front)
        if (cell, odd) in best:
            continue
        best[cell, odd] = cost
        for other in steps(grid, cell):
            diagonal = other[0] != cell[0] and other[1] != cell[1]
            price = cost + 1 + (dear and diagonal and odd)
            if other not in enemies and price <= cells:
                heappush(front, (price, other, odd != diagonal))
    ends = {cell for cell, _odd in best if cell == start or cell not in friends}
    return {end: min(best[end, odd] for odd in (False, True) if (end, odd) in best) for end in sorted(ends)}


def line_of_fire(grid: Grid, a: Cell, b: Cell) -> bool:
    """RULING 24: no wall cell has a point of the line between the centres inside it; touching it is nothing."""
    return not any(_passes_inside(a, b, wall) for wall in grid.walls)


def _passes_inside(a: Cell, b: Cell, wall: Cell) -> bool:
    """Clip the segment to the open square of the wall cell: anything left?"""
    enter, leave = Fraction(0), Fraction(1)  # from the centre of a to the centre of b
    for start, end, edge in zip(a, b, wall, strict=True):
        if start == end:
            if start != edge:
                return False
            continue
        sides = sorted(Fraction(2 * (edge - start) + side, 2 * (end - start)) for side in (-1, 1))
        enter, leave = max(enter, sides[0]), min(leave, sides[1])
    return enter < leave


SQUARES = {"S": 1, "M": 2, "L": 3}  # cells from the centre to the edge
CONE = (1, 1, 3, 3, 5)  # width at 1, 2, ... cells from the user


def template(size: str, at: Cell, direction: Cell = (1, 0)) -> set[Cell]:
    """RULING 25: the cells of a template; S, M, L lie around `at`, the cone C begins beside its user `at`.

    The direction of a cone is one of the four straight ones: the ruling gives no oblique cone.
    """
    if size in SQUARES:
        span = range(-SQUARES[size], SQUARES[size] + 1)
        return {(at[0] + x, at[1] + y) for x in span for y in span}
    x, y = direction
    if sorted((abs(x), abs(y))) != [0, 1]:
        raise ValueError(f"a cone goes along a row or a column, not {direction}")
    return {
        (at[0] + x * ahead + y * aside, at[1] + y * ahead + x * aside)
        for ahead, width in enumerate(CONE, 1)
        for aside in range(-(width // 2), width // 2 + 1)
    }


def can_throw(
    grid: Grid, thrower: Cell, centre: Cell, size: str = "S", throw: int = 10, rules: Switches = RULES
) -> bool:
    """R42, R43, RULING 26: the nearest cell within the throw, a line of fire to the centre."""
    if size not in SQUARES:
        raise ValueError("a cone is not thrown")
    nearest = min(distance(thrower, cell, rules) for cell in template(size, centre))
    return nearest <= throw and line_of_fire(grid, thrower, centre)


def in_blast(
    zone: Collection[Cell], fighters: Mapping[str, tuple[str, Cell]], side: str, rules: Switches = RULES
) -> set[str]:
    """RULING 27: who is hit of the fighters (name -> side, cell); `side` is the thrower's, he himself included."""
    return {
        name
        for name, (own, cell) in fighters.items()
        if cell in zone and (rules.blast_hits_friends or own != side)
    }  # fmt: skip
