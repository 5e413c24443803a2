"""A second, slow reading of the ruleset `club`: plain Python and Fractions, nothing of the product, no numpy.

Written from the rule atlas alone (`rules/club.md`; R, RULING, V and D numbers are the atlas's) while the kernels were
written by someone else. The product is tested against this file, never the other way round. Everything is exact but
the duels, which are in floats because their fractions would grow without end.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf
from typing import Any, NamedTuple

Spread = dict[Any, Fraction]  # outcome -> exact chance
FACES = range(1, 7)
TABLE_EDGE = 48.0
CHARGE_REACH = 9
CANNOT = 7  # an accuracy that is none


# ---- Cards (chapter 2) --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Switches:
    """The readings an owner may choose; the defaults are the rulings."""

    save_one_fails: bool = True  # RULING 9
    hit_six_always: bool = False  # RULING 10
    run_bars_prior_shooting: bool = False  # RULING 4
    charge_need: str = "gap"  # RULING 13: or "gap_minus_1"
    avoid_rise: str = "per_blow"  # RULING 22: or "per_point"
    fight_turns: str = "every_turn"  # RULING 17: or "own_turn", where only the active one strikes in a standing fight
    pistol_extra_shot: bool = False  # RULING 31
    first_strike_standing: str = "player"  # RULING 2: or "active"


DEFAULT = Switches()


@dataclass(frozen=True)
class Weapon:
    kind: str
    strength: int | str
    range: float = 0
    shots: int = 1
    ap: int = 0
    damage: int | str = 1
    magazine: int | None = None


@dataclass(frozen=True)
class Fighter:
    speed: float
    acc_ranged: int
    acc_melee: int
    strength: int
    toughness: int
    save: int
    endurance: int
    leadership: int
    hero: bool = True
    ranged: Weapon | None = None
    pistol: Weapon | None = None
    melee: Weapon | None = None


def weapon(card: Mapping[str, Any]) -> Weapon:
    strength = card.get("strength", "user") if card["kind"] == "melee" else card["strength"]
    fields = {name: card[name] for name in ("range", "shots", "ap", "damage", "magazine") if name in card}
    return Weapon(card["kind"], strength, **fields)


def fighter(card: Mapping[str, Any], weapons: Mapping[str, Mapping[str, Any]]) -> Fighter:
    """From a card as the atlas writes it; `weapons` holds the cards its weapon ids stand for."""
    carried = {kind: weapon(weapons[card[kind]]) for kind in ("ranged", "pistol", "melee") if card.get(kind)}
    plain = {key: value for key, value in card.items() if key not in {"id", "name", "traits", *carried}}
    return Fighter(**plain, **carried)


# ---- Single dice (R47-R58) ----------------------------------------------------------------------------------------


def strength_of(weapon: Weapon, user: int) -> int:
    """RULING 5: a number, or user, user+n, user*n; multiply first, then add."""
    if isinstance(weapon.strength, int):
        return weapon.strength
    times, plus = re.fullmatch(r"user(?:\*(\d+))?(?:\+(\d+))?", weapon.strength).groups()
    return user * int(times or 1) + int(plus or 0)


def need_to_hit(accuracy: int, *, dying: bool = False, overwatch: bool = False) -> int:
    """R47, R32; R17: overwatch is a flat 5+, penalties ignored."""
    return 5 if overwatch else accuracy + dying


def need_to_pierce(strength: int, toughness: int) -> int:
    """R49-R53: the more extreme line wins."""
    if strength >= 2 * toughness:
        return 2
    if 2 * strength <= toughness:
        return 6
    if strength == toughness:
        return 4
    return 3 if strength > toughness else 5


def need_to_save(save: int, ap: int, cover: int) -> int:
    """R45, R46, R56, RULING 7."""
    return save + abs(ap) - cover


def hits(face: int, need: int, switches: Switches = DEFAULT) -> bool:
    return face >= need or (switches.hit_six_always and face == 6)


def pierces(face: int, need: int) -> bool:
    return face >= need and face != 1  # R54


def saves(face: int, need: int, switches: Switches = DEFAULT) -> bool:
    return face >= need and not (switches.save_one_fails and face == 1)  # RULINGS 8, 9


def save_chance(save: int, ap: int, cover: int, switches: Switches = DEFAULT) -> Fraction:
    return Fraction(sum(saves(face, need_to_save(save, ap, cover), switches) for face in FACES), 6)


def damage_spread(damage: int | str) -> Spread:
    """A number, Dn or kDn (RULING 12)."""
    if isinstance(damage, int):
        return {damage: Fraction(1)}
    count, sides = re.fullmatch(r"(\d*)D(\d+)", damage).groups()
    return dice(int(count or 1), int(sides))


@cache
def dice(count: int, sides: int = 6) -> Spread:
    spread: Spread = {0: Fraction(1)}
    for _ in range(count):
        longer: Spread = defaultdict(Fraction)
        for total, face in product(spread, range(1, sides + 1)):
            longer[total + face] += spread[total] / sides
        spread = dict(longer)
    return spread


# ---- One attack: hit die, pierce die, save die --------------------------------------------------------------------


@cache
def attack(
    attacker: Fighter, weapon: Weapon, target: Fighter, *, cover: int = 0, dying: bool = False,
    overwatch: bool = False, switches: Switches = DEFAULT,
) -> Spread:  # fmt: skip
    """Where one shot or strike stops, by counting all 216 faces. `dying` is the attacker; strikes know no cover."""
    accuracy = attacker.acc_melee if weapon.kind == "melee" else attacker.acc_ranged
    able = overwatch or accuracy != CANNOT
    to_hit = need_to_hit(accuracy, dying=dying, overwatch=overwatch)
    to_pierce = need_to_pierce(strength_of(weapon, attacker.strength), target.toughness)
    to_save = need_to_save(target.save, weapon.ap, 0 if weapon.kind == "melee" else cover)
    counts = dict.fromkeys(("miss", "not_pierced", "saved", "unsaved"), 0)
    for hit, pierce, save in product(FACES, repeat=3):
        if not able or not hits(hit, to_hit, switches):
            counts["miss"] += 1
        elif not pierces(pierce, to_pierce):
            counts["not_pierced"] += 1
        else:
            counts["saved" if saves(save, to_save, switches) else "unsaved"] += 1
    return {stage: Fraction(count, 216) for stage, count in counts.items()}


def stray(attacker: Fighter, weapon: Weapon, ally: Fighter, switches: Switches = DEFAULT) -> Fraction:
    """RULING 33: chance that an automatic hit on the ally (pierce and save, no cover) is unsaved."""
    to_pierce = need_to_pierce(strength_of(weapon, attacker.strength), ally.toughness)
    to_save = need_to_save(ally.save, weapon.ap, 0)
    faces = product(FACES, repeat=2)
    return Fraction(sum(pierces(p, to_pierce) and not saves(s, to_save, switches) for p, s in faces), 36)


# ---- What an unsaved hit does (R30-R41) ---------------------------------------------------------------------------


class State(NamedTuple):
    """Of a fighter: `rolls` avoid-death rolls were made in this spell; `climb` is what they add to the next need."""

    status: str  # up, dying, dead
    endurance: int = 0
    rolls: int = 0
    climb: int = 0

    @property
    def dying(self) -> bool:
        return self.status == "dying"

    @property
    def alive(self) -> bool:
        return self.status != "dead"


DEAD = State("dead")


def fresh(target: Fighter) -> State:
    return State("up", target.endurance)


def avoid_need(state: State) -> int:
    """R34, R35, RULING 22: 2+ at first, then harder; from 7 on death is certain."""
    return 2 + state.climb


def after_blow(target: Fighter, state: State, damage: int, die: int, switches: Switches = DEFAULT) -> State:
    """One unsaved hit of `damage`; `die` is the avoid-death die, in case one is rolled (RULINGS 21, 22, 24)."""
    if not state.alive:
        return DEAD
    if not state.dying:
        left = max(0, state.endurance - damage)
        if left:
            return State("up", left)
        return State("dying") if target.hero else DEAD
    if die < avoid_need(state):
        return DEAD
    rise = damage if switches.avoid_rise == "per_point" else 1
    return State("dying", 0, state.rolls + 1, state.climb + rise)


def blow(target: Fighter, state: State, damage: int, switches: Switches = DEFAULT) -> Spread:
    spread: Spread = defaultdict(Fraction)
    for die in FACES:
        spread[after_blow(target, state, damage, die, switches)] += Fraction(1, 6)
    return dict(spread)


def mortal(target: Fighter, state: State, wounds: int, switches: Switches = DEFAULT) -> Spread:
    """R40, R41, RULING 23: point by point."""
    spread: Spread = {state: Fraction(1)}
    for _ in range(wounds):
        later: Spread = defaultdict(Fraction)
        for now, chance in spread.items():
            for then, p in blow(target, now, 1, switches).items():
                later[then] += chance * p
        spread = dict(later)
    return spread


def raised(target: Fighter, state: State) -> Spread:
    """R38, R39, RULING 27: one attempt at a dying fighter."""
    assert state.dying
    spread: Spread = defaultdict(Fraction)
    for die, back in product(FACES, range(1, 5)):
        spread[State("up", min(back, target.endurance)) if die >= 4 else state] += Fraction(1, 24)
    return dict(spread)


# ---- Volleys, magazines, shooting into a fight --------------------------------------------------------------------


def fired(weapon: Weapon, left: int | None) -> tuple[int, int | None]:
    """(shots, left in the magazine after them) in an own turn; an empty one is reloaded (R57, R58, RULING 30)."""
    if weapon.magazine is None or left is None:
        return weapon.shots, None
    if left:
        shots = min(weapon.shots, left)
        return shots, left - shots
    shots = min(weapon.shots // 2, weapon.magazine)
    return shots, weapon.magazine - shots


@cache
def volley(
    attacker: Fighter, weapon: Weapon, target: Fighter, state: State | None = None, *, shots: int | None = None,
    cover: int = 0, dying: bool = False, overwatch: bool = False, switches: Switches = DEFAULT,
) -> Spread:  # fmt: skip
    """Joint chance of (unsaved hits among all shots, damage received, state of the target).

    Attacks come one after another (RULING 21). Damage is not clipped (RULING 28), but the dead receive none.
    """
    one = attack(attacker, weapon, target, cover=cover, dying=dying, overwatch=overwatch, switches=switches)
    spread: Spread = {(0, 0, state or fresh(target)): Fraction(1)}
    for _ in range(weapon.shots if shots is None else shots):
        later: Spread = defaultdict(Fraction)
        for (unsaved, received, now), chance in spread.items():
            later[unsaved, received, now] += chance * (1 - one["unsaved"])
            for damage, then, p in _unsaved(weapon, target, now, switches):
                later[unsaved + 1, received + damage, then] += chance * one["unsaved"] * p
        spread = {outcome: chance for outcome, chance in later.items() if chance}
    return spread


@cache
def _unsaved(weapon: Weapon, target: Fighter, now: State, switches: Switches) -> list[tuple[int, State, Fraction]]:
    """(damage received, state, chance) of one unsaved hit."""
    if not now.alive:
        return [(0, DEAD, Fraction(1))]
    return [
        (damage, then, p * q)
        for damage, p in damage_spread(weapon.damage).items()
        for then, q in blow(target, now, damage, switches).items()
    ]


@cache
def harm(attacker: Fighter, weapon: Weapon, target: Fighter, state: State | None = None, **how: Any) -> Spread:
    """Joint chance of (damage received, state) of one volley."""
    return marginal(volley(attacker, weapon, target, state, **how), lambda outcome: outcome[1:])


def shooting_into_fight(
    attacker: Fighter, weapon: Weapon, foe: Fighter, ally: Fighter, *, shots: int | None = None, cover: int = 0,
    dying: bool = False, foe_state: State | None = None, ally_state: State | None = None, switches: Switches = DEFAULT,
) -> Spread:  # fmt: skip
    """R63, RULING 33: joint chance of ((unsaved, damage, state) of the foe, the same of the ally).

    Every shot is fired, whoever has died before it; `cover` is the foe's.
    """
    one = attack(attacker, weapon, foe, cover=cover, dying=dying, switches=switches)
    on_ally = one["miss"] * stray(attacker, weapon, ally, switches)
    start = (0, 0, foe_state or fresh(foe)), (0, 0, ally_state or fresh(ally))
    spread: Spread = {start: Fraction(1)}
    for _ in range(weapon.shots if shots is None else shots):
        later: Spread = defaultdict(Fraction)
        for (at_foe, at_ally), chance in spread.items():
            later[at_foe, at_ally] += chance * (1 - one["unsaved"] - on_ally)
            for damage, then, p in _unsaved(weapon, foe, at_foe[2], switches):
                later[_struck(at_foe, damage, then), at_ally] += chance * one["unsaved"] * p
            for damage, then, p in _unsaved(weapon, ally, at_ally[2], switches):
                later[at_foe, _struck(at_ally, damage, then)] += chance * on_ally * p
        spread = {outcome: chance for outcome, chance in later.items() if chance}
    return spread


def _struck(before: tuple[int, int, State], damage: int, then: State) -> tuple[int, int, State]:
    return before[0] + 1, before[1] + damage, then


def marginal(spread: Spread, view: Callable[[Any], Any]) -> Spread:
    found: Spread = defaultdict(Fraction)
    for outcome, chance in spread.items():
        found[view(outcome)] += chance
    return dict(found)


def chance_that(spread: Spread, holds: Callable[[Any], bool]) -> Fraction:
    return sum((chance for outcome, chance in spread.items() if holds(outcome)), Fraction(0))


def mean(spread: Spread) -> Fraction:
    return sum((value * chance for value, chance in spread.items()), Fraction(0))


# ---- Moves, charges, Leadership -----------------------------------------------------------------------------------


def pace(who: Fighter, state: State, run: int = 0) -> float:
    """R5, R6, R31, RULING 26: exact half of SPEED when dying; the die of a run is not halved."""
    return (who.speed / 2 if state.dying else who.speed) + run


def may_run(*, shot: bool = False, engaged: bool = False, switches: Switches = DEFAULT) -> bool:
    """R10, RULING 4."""
    return not engaged and not (shot and switches.run_bars_prior_shooting)


def may_shoot(*, ran: bool = False, left_combat: bool = False) -> bool:
    """R7, R11."""
    return not ran and not left_combat


def may_attack(
    gap: float, *, engaged: bool = False, ran: bool = False, left_combat: bool = False, declared: bool = False
) -> bool:
    """R7, R11, R16, RULING 37."""
    return gap <= CHARGE_REACH and not (engaged or ran or left_combat or declared)


def charge(gap: float, roll: int, switches: Switches = DEFAULT) -> tuple[float, bool]:
    """(new gap, engaged) after the 2D6 of an attack (R19-R21, RULINGS 13, 14)."""
    need = gap - 1 if switches.charge_need == "gap_minus_1" else gap
    return (0.0, True) if roll >= need else (max(1.0, gap - roll), False)


def charge_success(gap: float, switches: Switches = DEFAULT) -> Fraction:
    return chance_that(dice(2), lambda roll: charge(gap, roll, switches)[1])


def charge_failed_gain(gap: float, switches: Switches = DEFAULT) -> Fraction:
    """Mean inches won by failing; a success counts 0."""
    ends = [(charge(gap, roll, switches), chance) for roll, chance in dice(2).items()]
    return sum((Fraction(gap - new) * chance for (new, engaged), chance in ends if not engaged), Fraction(0))


def leadership_fails(damage: int, leadership: int, die: int) -> bool:
    """R27-R29: nobody tests without damage."""
    return damage > 0 and die + damage > leadership


def flight_chance(damage: int, leadership: int) -> Fraction:
    return Fraction(sum(leadership_fails(damage, leadership, die) for die in FACES), 6)


def flees(target: Fighter, spread: Spread) -> Fraction:
    """Of a spread of (damage, state): chance to live and fail the check."""
    living = [(damage, chance) for (damage, state), chance in spread.items() if state.alive]
    return sum((chance * flight_chance(damage, target.leadership) for damage, chance in living), Fraction(0))


def firing_turns(
    shooter: Fighter, weapon: Weapon, target: Fighter, until: str, *, cover: int = 0, dying: bool = False,
    switches: Switches = DEFAULT,
) -> Fraction:  # fmt: skip
    """Expected own firing turns, reloading ones included, until the target is "dying" (or dead) or "dead"."""

    @cache
    def expected(state: State, left: int | None) -> Fraction:
        if not state.alive or (until == "dying" and state.dying):
            return Fraction(0)
        magazines, steps = [], []  # fillings met while nothing happens to the target, and (mean turns, stay) there
        while left not in magazines:
            magazines.append(left)
            shots, left = fired(weapon, left)
            ends = harm(shooter, weapon, target, state, shots=shots, cover=cover, dying=dying, switches=switches)
            away = [(then, chance) for (_damage, then), chance in ends.items() if then != state]
            steps.append((1 + sum(p * expected(then, left) for then, p in away), 1 - sum(p for _then, p in away)))
        again = magazines.index(left)
        turns, stay = Fraction(0), Fraction(1)
        for more, stays in steps[again:]:
            turns, stay = turns + stay * more, stay * stays
        if stay == 1:
            raise ValueError("the weapon cannot harm the target")
        turns /= 1 - stay
        for more, stays in reversed(steps[:again]):
            turns = more + stays * turns
        return turns

    return expected(fresh(target), weapon.magazine)


# ---- The reference duel script (chapter 3) ------------------------------------------------------------------------


class Scene(NamedTuple):
    """Between two steps of a turn; pairs are (A, B), A being the player. Quarter inches are exact floats."""

    gap: float
    engaged: bool
    bodies: tuple[State, State]
    harm: tuple[int, int] = (0, 0)  # damage received this turn

    @property
    def both_live(self) -> bool:
        return self.bodies[0].alive and self.bodies[1].alive


@dataclass(frozen=True, eq=False)  # the caches below tell scripts apart by identity: hashing the cards is slow
class Script:
    fighters: tuple[Fighter, Fighter]
    policies: tuple[str, str] = ("hold", "hold")  # or "rush"
    leadership: bool = True
    cover: tuple[int, int] = (0, 0)  # of A and of B, against shots
    switches: Switches = DEFAULT
    exact: bool = True  # Fractions; else floats


def _chances(script: Script, spread: Spread) -> list[tuple[Any, Any]]:
    """(outcome, chance) in the numbers of the script."""
    return [(outcome, chance if script.exact else float(chance)) for outcome, chance in spread.items()]


@cache
def _ends(script: Script, by: int, weapon: Weapon, state: State, dying: bool, how: tuple[Any, ...]) -> list[Any]:
    """((damage received, state), chance) of a volley of one side on the other."""
    a, b = script.fighters[by], script.fighters[1 - by]
    cover = script.cover[1 - by]
    spread = harm(a, weapon, b, state, cover=cover, dying=dying, switches=script.switches, **dict(how))
    return _chances(script, spread)


@cache
def _inches(script: Script, count: int) -> list[tuple[int, Any]]:
    return _chances(script, dice(count))


@cache
def _runners(script: Script, harm: tuple[int, int]) -> list[tuple[int, Any]]:
    """How many of the two flee."""
    a, b = (flight_chance(damage, who.leadership) for damage, who in zip(harm, script.fighters, strict=True))
    spread = {0: (1 - a) * (1 - b), 1: a * (1 - b) + b * (1 - a), 2: a * b}
    return _chances(script, {count: chance for count, chance in spread.items() if chance})


def shooting_weapons(
    who: Fighter, gap: float, engaged: bool, *, own_turn: bool, switches: Switches = DEFAULT
) -> list[Weapon]:
    """Step 2: the ranged weapon, else the pistol; engaged only the pistol (R59, R62, RULINGS 15, 31)."""
    able = [gun for gun in (who.ranged, who.pistol) if gun and gap <= gun.range]
    if engaged:
        return [who.pistol] if who.pistol else []
    return able if own_turn and switches.pistol_extra_shot else able[:1]


def moved(script: Script, scene: Scene, x: int) -> Scene:
    """Step 1; R8 keeps an inch."""
    if script.policies[x] != "rush" or scene.engaged:
        return scene
    return scene._replace(gap=max(1.0, scene.gap - pace(script.fighters[x], scene.bodies[x])))


def struck(script: Script, scenes: Spread, by: int, weapon: Weapon | None, **how: Any) -> Spread:
    """The volley of one side on the other, in every scene where both still live."""
    later: Spread = defaultdict(int)
    at = 1 - by
    for scene, chance in scenes.items():
        if weapon is None or not scene.both_live:
            later[scene] += chance
            continue
        a, b = scene.harm
        by_body = scene.bodies[by]
        for (damage, state), p in _ends(script, by, weapon, scene.bodies[at], by_body.dying, tuple(how.items())):
            bodies = (by_body, state) if at == 1 else (state, by_body)
            harms = (a, b + damage) if at == 1 else (a + damage, b)
            later[Scene(scene.gap, scene.engaged, bodies, harms)] += chance * p
    return dict(later)


def charged(script: Script, scenes: Spread, x: int, *, overwatch_shots: int | None = None) -> Spread:
    """Step 3 for side x: overwatch, then 2D6. `overwatch_shots` limits the shots, as a magazine does."""
    gap = next(iter(scenes)).gap  # the same in all: nobody has moved since the turn began to branch
    for gun in shooting_weapons(script.fighters[1 - x], gap, False, own_turn=False):
        scenes = struck(script, scenes, 1 - x, gun, overwatch=True, shots=overwatch_shots)
    later: Spread = defaultdict(int)
    for scene, chance in scenes.items():
        if not scene.both_live:
            later[scene] += chance
            continue
        for roll, p in _inches(script, 2):
            new_gap, engaged = charge(gap, roll, script.switches)
            later[scene._replace(gap=new_gap, engaged=engaged)] += chance * p
    return dict(later)


def fought(script: Script, scenes: Spread, x: int, *, attacked: bool) -> Spread:
    """Step 4: strikes of the engaged in order (R60, R61, RULINGS 2, 17)."""
    order = [x, 1 - x]
    if not attacked and script.switches.fight_turns == "own_turn":
        order = [x]
    elif not attacked and script.switches.first_strike_standing == "player":
        order = [0, 1]
    apart = {scene: chance for scene, chance in scenes.items() if not scene.engaged}
    locked = {scene: chance for scene, chance in scenes.items() if scene.engaged}
    for by in order:
        locked = struck(script, locked, by, script.fighters[by].melee)
    return apart | locked


def fled(script: Script, scenes: Spread) -> Spread:
    """Step 5, RULINGS 28, 29: the harm of the turn is forgotten after it."""
    runners: dict[tuple[Scene, int], Any] = defaultdict(int)  # the scene without its harm, and how many flee
    for scene, chance in scenes.items():
        tests = script.leadership and scene.both_live
        calm = Scene(scene.gap, scene.engaged, scene.bodies)
        for count, p in _runners(script, scene.harm if tests else (0, 0)):
            runners[calm, count] += chance * p
    later: Spread = defaultdict(int)
    for (scene, count), chance in runners.items():
        if not count:
            later[scene] += chance
            continue
        for inches, p in _inches(script, 3 * count):
            later[Scene(min(TABLE_EDGE, scene.gap + inches), False, scene.bodies)] += chance * p
    return dict(later)


def turn(script: Script, scene: Scene, x: int) -> Spread:
    """All scenes after one turn of side x (0 is A)."""
    scene = moved(script, scene, x)
    scenes: Spread = {scene: Fraction(1) if script.exact else 1.0}
    guns = shooting_weapons(script.fighters[x], scene.gap, scene.engaged, own_turn=True, switches=script.switches)
    for gun in guns:
        scenes = struck(script, scenes, x, gun)
    attacked = script.policies[x] == "rush" and may_attack(scene.gap, engaged=scene.engaged)
    if attacked:
        scenes = charged(script, scenes, x)
    return fled(script, fought(script, scenes, x, attacked=attacked))


def charge_turn(
    charger: Fighter, target: Fighter, gap: float, *, states: tuple[State, State] | None = None,
    cover: tuple[int, int] = (0, 0), overwatch_shots: int | None = None, switches: Switches = DEFAULT,
) -> Spread:  # fmt: skip
    """Overwatch, 2D6 and the strikes of both, before the Leadership check: a spread of Scenes, the charger first."""
    assert may_attack(gap)
    script = Script((charger, target), ("rush", "hold"), cover=cover, switches=switches)
    start: Spread = {Scene(float(gap), False, states or (fresh(charger), fresh(target))): Fraction(1)}
    return fought(script, charged(script, start, 0, overwatch_shots=overwatch_shots), 0, attacked=True)


Node = tuple[int, Scene]  # the side whose turn comes, and what it finds
Rows = dict[Node, dict[Any, Any]]  # node -> chance of each next node, or of the winner 0 or 1


def opening(script: Script, gap: float) -> Node:
    a, b = script.fighters
    return 0, Scene(float(gap), False, (fresh(a), fresh(b)))


def rows(script: Script, start: Node) -> Rows:
    """The chain of turns reachable from `start`."""
    found: Rows = {}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        x, scene = node
        row: dict[Any, Any] = defaultdict(int)
        for after, chance in turn(script, scene, x).items():
            winner = None if after.both_live else int(after.bodies[1].alive)
            row[(1 - x, after) if winner is None else winner] += chance
        found[node] = dict(row)
        waiting += [later for later in row if isinstance(later, tuple)]
    return found


def _life(state: State) -> int:
    """Falls with every blow."""
    return {"up": 100 + state.endurance, "dying": 50 - state.rolls, "dead": 0}[state.status]


class Result(NamedTuple):
    a_wins: Any
    b_wins: Any
    turns: Any  # expected number, of both sides together


def solve(chain: Rows) -> dict[Node, Result]:
    """Of every node, without the cap of RULING 36.

    Blows only take life away, and without a blow nobody flees, so the gap does not grow: worked through in the order of
    life and gap, a node leads to nodes that are known and to its twin, the same scene in the turn of the other side.
    """
    known: dict[Any, Result] = {0: Result(1, 0, 0), 1: Result(0, 1, 0)}
    for node in sorted(chain, key=lambda node: (sum(map(_life, node[1].bodies)), node[1].gap)):
        twin = (1 - node[0], node[1])
        if node in known:
            continue
        mine, to_twin = _known_part(chain[node], twin, known)
        if twin not in chain:
            known[node] = mine
            continue
        other, back = _known_part(chain[twin], node, known)
        for here, first, p, second, q in ((node, mine, to_twin, other, back), (twin, other, back, mine, to_twin)):
            if p * q == 1:  # nobody can harm the other: a draw that never ends
                known[here] = Result(p * 0, p * 0, inf)
                continue
            known[here] = Result(*((f + p * s) / (1 - p * q) for f, s in zip(first, second, strict=True)))
    return {node: result for node, result in known.items() if isinstance(node, tuple)}


def _known_part(row: dict[Any, Any], twin: Node, known: dict[Any, Result]) -> tuple[Result, Any]:
    total = [0, 0, 1]
    for later, chance in row.items():
        if later != twin:
            total = [so_far + chance * more for so_far, more in zip(total, known[later], strict=True)]
    return Result(*total), row.get(twin, 0)


def duel(script: Script, gap: float) -> Result:
    """The reference duel; with `exact` only where few states can be reached."""
    start = opening(script, gap)
    return solve(rows(script, start))[start]


def standing(a: Fighter, b: Fighter, *, gap: float = 1, cover: tuple[int, int] = (0, 0), **how: Any) -> Result:
    """Exact shoot-out: both stand and shoot in turn, A first, Leadership left out."""
    return duel(Script((a, b), leadership=False, cover=cover, **how), gap)


def by_turn(script: Script, gap: float, turns: int = 200) -> list[tuple[float, float]]:
    """Chance that A, that B wins in turn 1, 2, ... `turns`; what is missing from 1 is a draw by RULING 36."""
    start = opening(script, gap)
    chain = rows(script, start)
    alive: dict[Node, Any] = {start: 1}
    ends = []
    for _ in range(turns):
        later: dict[Any, Any] = defaultdict(int)
        for node, chance in alive.items():
            for then, p in chain[node].items():
                later[then] += chance * p
        ends.append((later.pop(0, 0), later.pop(1, 0)))
        alive = later
    return ends
