"""The reference of `club` gives every number of atlas chapter 9, the test vectors (chapter 4) and the switches."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from . import club
from .club import DEAD, FACES, Fighter, Scene, Script, State, Switches, Weapon, chance_that, fresh, harm, mean, volley
from .club_values import EXACT, FIGHTERS, VALUES, WEAPONS

CARDS = {name: club.fighter(card, WEAPONS) for name, card in FIGHTERS.items()}
ARMS = {name: club.weapon(card) for name, card in WEAPONS.items()}
HERO = Fighter(6, 4, 4, 3, 3, 7, 1, 7)  # endurance 1, no save
SURE = Weapon("ranged", 6, range=24)  # at HERO it fails only by a missed shot or a pierce die of 1
PER_POINT = Switches(avoid_rise="per_point")


def number(text: str) -> int:
    return int("".join(character for character in text if character.isdigit()))


def status(spread: dict, name: str) -> Fraction:
    """Chance that the State, or the State at the end of a tuple, has this status."""
    return chance_that(spread, lambda end: (end if isinstance(end, State) else end[-1]).status == name)


# ---- every key of chapter 9 -----------------------------------------------------------------------------------------


def save(_pass: str, value: str, ap: str, cover: str) -> Fraction:
    return club.save_chance(number(value), -number(ap), number(cover))


def shot(attacker: str, arm: str, target: str, *rest: str) -> Fraction:
    *how, stage = rest
    options: dict[str, Any] = {}
    for word in how:
        if word.startswith("cover"):
            options["cover"] = number(word)
        else:
            options["overwatch" if word == "overwatch" else "dying"] = True
    return club.attack(CARDS[attacker], ARMS[arm], CARDS[target], **options)[stage]


def volleys(attacker: str, arm: str, target: str, count: str, what: str) -> Fraction:
    spread = volley(CARDS[attacker], ARMS[arm], CARDS[target], shots=number(count))
    if what == "mean":
        return mean(club.marginal(spread, lambda end: end[0]))
    return chance_that(spread, lambda end: end[0] == number(what))


def reload(_shots: str, arm: str) -> int:
    return club.fired(replace(ARMS[arm], magazine=20), 0)[0]


def harms(*words: str) -> Fraction:
    if words[0] == "hero_w1":
        spread = volley(HERO, replace(SURE, shots=3), HERO)
        three = {end: chance for end, chance in spread.items() if end[0] == 3}
        return status(three, words[2]) / sum(three.values())
    attacker, arm, target, count, what = words
    spread = harm(CARDS[attacker], ARMS[arm], CARDS[target], shots=number(count))
    if what == "flees":
        return club.flees(CARDS[target], spread)
    if what.startswith("damage"):
        return chance_that(spread, lambda end: end[0] == number(what))
    return status(spread, what)


def mortals(_four_on_hero_w2: str, name: str) -> Fraction:
    hero = replace(HERO, endurance=2)
    return status(club.mortal(hero, fresh(hero), 4), name)


def alive_after(rolls: int, damage: int = 1, switches: Switches = club.DEFAULT) -> Fraction:
    spread: dict[State, Fraction] = {State("dying"): Fraction(1)}
    for _ in range(rolls):
        later: dict[State, Fraction] = {}
        for state, chance in spread.items():
            for then, p in club.blow(HERO, state, damage, switches).items():
                later[then] = later.get(then, Fraction(0)) + chance * p
        spread = later
    return 1 - spread.get(DEAD, Fraction(0))


def survivor(rolls: int) -> State:
    """A dying hero after so many sixes."""
    state = State("dying")
    for _ in range(rolls):
        state = club.after_blow(HERO, state, 1, 6)
    return state


def avoid(what: str, *rest: str) -> Any:
    if what == "need":
        return club.avoid_need(survivor(number(rest[0]) - 1))
    if what == "alive_after":
        return alive_after(number(rest[0]))
    if what == "variant_per_point":
        return alive_after(number(rest[2]), number(rest[0]), PER_POINT)
    assert alive_after(6) == 0
    return sum(alive_after(rolls) for rolls in range(6))


def raising(what: str) -> Fraction:
    spread = club.raised(CARDS["ork_boss"], State("dying"))
    up = status(spread, "up")
    if what == "endurance_mean":
        return sum(state.endurance * chance for state, chance in spread.items()) / up
    return {"success": up, "expected_attempts": 1 / up, "up_within_3": 1 - (1 - up) ** 3}[what]


def run(_mean: str, name: str) -> Fraction:
    who = CARDS[name]
    return Fraction(sum(club.pace(who, fresh(who), die) for die in FACES)) / 6


def overwatch(attacker: str, arm: str, target: str, what: str) -> Fraction:
    spread = harm(CARDS[attacker], ARMS[arm], CARDS[target], overwatch=True)
    if what == "mean_damage":
        return mean(club.marginal(spread, lambda end: end[0]))
    return status(spread, "dead")


def charges(what: str, gap: str) -> Fraction:
    if what == "variant_minus1":
        return club.charge_success(number(gap), Switches(charge_need="gap_minus_1"))
    return {"success": club.charge_success, "failed_mean_gain": club.charge_failed_gain}[what](number(gap))


def charge_turns(charger: str, target: str, gap: str, what: str) -> Fraction:
    spread = club.charge_turn(CARDS[charger], CARDS[target], number(gap))
    if what == "both_alive_engaged":
        return chance_that(spread, lambda scene: scene.engaged and scene.both_live)
    side = what.startswith("target")
    if what.endswith("flees"):
        return club.flees(CARDS[target], club.marginal(spread, lambda scene: (scene.harm[1], scene.bodies[1])))
    return chance_that(spread, lambda scene: scene.bodies[side].status == what.partition("_")[2])


def leadership(what: str, *rest: str) -> Fraction:
    if what == "fails":
        return club.flight_chance(number(rest[0]), number(rest[1]))
    return {"mean": mean(club.dice(3)), "p_ge_10": chance_that(club.dice(3), lambda inches: inches >= 10)}[rest[0]]


def turns(shooter: str, arm: str, target: str, cover: str, until: str) -> Fraction:
    until = until.removeprefix("until_")
    return club.firing_turns(CARDS[shooter], ARMS[arm], CARDS[target], until, cover=number(cover))


def melee_fire(shooter: str, arm: str, who: str, _unsaved: str) -> Fraction:
    spread = club.shooting_into_fight(CARDS[shooter], ARMS[arm], CARDS["ork"], CARDS["marine"], shots=1)
    side = {"foe_ork": 0, "ally_marine": 1}[who]
    return chance_that(spread, lambda end: end[side][0] == 1)


def standing(a: str, b: str, *rest: str) -> Fraction:
    cover = (0, 2) if rest[0] == "b_in_cover2" else (0, 0)
    return getattr(club.standing(CARDS[a], CARDS[b], cover=cover), rest[-1])


@cache
def duel_of(a: str, b: str, gap: str, ld: str) -> club.Result:
    (one, my_way), (other, other_way) = a.rsplit("_", 1), b.rsplit("_", 1)
    script = Script((CARDS[one], CARDS[other]), (my_way, other_way), leadership=ld == "ld", exact=False)
    return club.duel(script, number(gap))


def duel(a: str, b: str, gap: str, ld: str, what: str) -> float:
    return getattr(duel_of(a, b, gap, ld), what)


READ: dict[str, Callable[..., Any]] = {
    "save": save, "shot": shot, "blow": shot, "volley": volleys, "reload": reload, "harm": harms, "mortal": mortals,
    "avoid": avoid, "raise": raising, "run": run, "overwatch": overwatch, "charge": charges,
    "charge_turn": charge_turns, "leadership": leadership, "turns": turns, "melee_fire": melee_fire,
    "standing": standing, "duel": duel,
}  # fmt: skip


def test_no_key_was_dropped() -> None:
    """283 rows with keys; the tables without: saves, Leadership, and three columns of where one shot stops."""
    assert len(VALUES) == 283 + 72 + 20 + 30
    assert len(EXACT) == 241
    assert set(EXACT) <= set(VALUES)
    assert {key.partition(".")[0] for key in VALUES} == set(READ)
    assert (len(WEAPONS), len(FIGHTERS)) == (10, 7)


@pytest.mark.parametrize("key", VALUES)
def test_value(key: str) -> None:
    head, *words = key.split(".")
    value = READ[head](*words)
    if head != "duel":
        assert isinstance(value, Fraction | int)
    if key in EXACT:
        assert value == EXACT[key]
    printed = VALUES[key]
    if isinstance(printed, int):
        assert value == printed
    else:
        assert abs(float(value) - printed) <= 0.5e-6 + 1e-12


# ---- the vectors of chapter 4 ---------------------------------------------------------------------------------------


def test_faces_of_the_hit_die() -> None:
    """V1, V7, V15."""
    assert [club.hits(face, club.need_to_hit(4)) for face in FACES] == [False] * 3 + [True] * 3
    assert {club.need_to_hit(accuracy, overwatch=True) for accuracy in (2, 6, 7)} == {5}
    assert club.need_to_hit(4, dying=True) == 5
    assert club.need_to_hit(6, dying=True) == 7
    assert not any(club.hits(face, 7) for face in FACES)
    assert club.need_to_hit(6, dying=True, overwatch=True) == 5


def test_the_accuracy_of_the_other_kind_of_attack_does_not_matter() -> None:
    odd = replace(HERO, acc_ranged=2, acc_melee=6)
    assert club.attack(odd, SURE, HERO)["miss"] == Fraction(1, 6)
    assert club.attack(odd, Weapon("melee", "user"), HERO)["miss"] == Fraction(5, 6)
    assert club.attack(odd, Weapon("pistol", 3, range=12), HERO)["miss"] == Fraction(1, 6)


PIERCE = [(3, 3, 4), (4, 3, 3), (6, 3, 2), (3, 4, 5), (3, 6, 6), (4, 7, 5), (5, 10, 6), (7, 4, 3), (8, 4, 2), (1, 2, 6)]


@pytest.mark.parametrize(("strength", "toughness", "need"), PIERCE)
def test_pierce(strength: int, toughness: int, need: int) -> None:
    """V2-V4, V10."""
    assert club.need_to_pierce(strength, toughness) == need
    assert not club.pierces(1, need)
    assert not club.pierces(1, 1)
    assert [club.pierces(face, need) for face in FACES] == [face >= need for face in FACES]


def test_saves() -> None:
    """V5, V11-V13."""
    assert club.need_to_save(5, -3, 0) == 8
    assert club.save_chance(5, -3, 0) == 0
    assert [club.need_to_save(5, 0, cover) for cover in (0, 1, 2)] == [5, 4, 3]
    assert [club.need_to_save(5, -3, cover) for cover in (1, 2)] == [7, 6]
    assert [club.save_chance(3, 0, cover) for cover in (1, 2)] == [Fraction(5, 6)] * 2
    assert club.save_chance(7, 0, 1) == Fraction(1, 6)


def test_reloading() -> None:
    """V6, V14, RULING 30: full, what is left, then half while reloading."""
    assert [club.fired(Weapon("ranged", 3, shots=shots, magazine=9), 0) for shots in (1, 2, 3, 5)] == [
        (0, 9), (1, 8), (1, 8), (2, 7),
    ]  # fmt: skip
    gun = Weapon("ranged", 3, shots=3, magazine=4)
    assert club.fired(gun, 4) == (3, 1)
    assert club.fired(gun, 1) == (1, 0)
    assert club.fired(replace(gun, magazine=None), None) == (3, None)
    assert club.fired(Weapon("ranged", 3, shots=5, magazine=1), 0) == (1, 0)


def test_avoid_death_and_raise() -> None:
    """V8, V9, V25."""
    assert club.after_blow(HERO, State("dying"), 1, 2) == State("dying", 0, 1, 1)
    assert club.after_blow(HERO, State("dying"), 1, 1) == DEAD
    spread = club.raised(replace(HERO, endurance=2), survivor(3))
    assert spread == {survivor(3): Fraction(1, 2), State("up", 1): Fraction(1, 8), State("up", 2): Fraction(3, 8)}
    assert survivor(5) == State("dying", 0, 5, 5)
    assert all(club.after_blow(HERO, survivor(5), 1, die) == DEAD for die in FACES)


def test_speed_of_the_dying() -> None:
    """V16, RULING 26."""
    assert club.pace(CARDS["ork"], State("dying")) == 2.5
    assert club.pace(CARDS["ork"], State("dying"), run=4) == 6.5


def test_charges() -> None:
    """V17-V19."""
    assert [club.charge(9, roll) for roll in (9, 8)] == [(0, True), (1, False)]
    assert club.charge(7, 5) == (2, False)
    assert club.charge(4.5, 4) == (1, False)
    assert club.charge(8.2, 8) == (1, False)
    assert club.may_attack(9)
    assert not club.may_attack(9.5)


def test_leadership_check() -> None:
    """V20."""
    assert [club.leadership_fails(3, 7, die) for die in (4, 5)] == [False, True]
    assert not club.leadership_fails(0, 1, 6)


@pytest.mark.parametrize(("dice", "end"), [((1, 2, 3), State("dying", 0, 2, 2)), ((1, 2, 2), DEAD)])
def test_three_hits_on_a_hero(dice: tuple, end: State) -> None:
    """V21, V22: the first blow fells and needs no die."""
    state = fresh(HERO)
    for die in dice:
        state = club.after_blow(HERO, state, 1, die)
    assert state == end


def test_mortal_wounds_know_no_save() -> None:
    """V23."""
    saved = replace(HERO, endurance=5, save=2)
    assert club.mortal(saved, fresh(saved), 2) == {State("up", 3): 1}


def test_big_damage_on_little_endurance() -> None:
    """V24: dying without a roll, 3 received; a model of a unit is dead; 3 more are one blow, or three points."""
    big = replace(SURE, damage=3)
    assert set(volley(HERO, big, HERO)) == {(0, 0, fresh(HERO)), (1, 3, State("dying"))}
    assert set(volley(HERO, big, replace(HERO, hero=False))) == {(0, 0, fresh(HERO)), (1, 3, DEAD)}
    for switches, climb in ((club.DEFAULT, 1), (PER_POINT, 3)):
        ends = set(volley(HERO, big, HERO, State("dying"), switches=switches))
        assert ends == {(0, 0, State("dying")), (1, 3, State("dying", 0, 1, climb)), (1, 3, DEAD)}


UNARMED = {name: replace(card, ranged=None, pistol=None) for name, card in CARDS.items()}


def test_the_dead_do_not_strike_back() -> None:
    """V26."""
    spread = club.charge_turn(CARDS["preacher"], UNARMED["ork"], 3)
    fights = {scene: chance for scene, chance in spread.items() if scene.engaged}
    assert all(scene.harm[0] == 0 for scene in fights if not scene.bodies[1].alive)
    assert any(scene.harm[0] > 0 for scene in fights)
    killed = status(harm(CARDS["preacher"], ARMS["club"], CARDS["ork"]), "dead")
    assert chance_that(fights, lambda scene: not scene.bodies[1].alive) == killed * club.charge_success(3)


def after_standing_turn(side: int, **how: str) -> tuple[Fraction, Fraction]:
    """Chances that A and that B is dead after one turn of a standing fight of an ork with a guardsman."""
    fighters = UNARMED["ork"], UNARMED["guardsman"]
    scene = Scene(0.0, True, (fresh(fighters[0]), fresh(fighters[1])))
    spread = club.turn(Script(fighters, switches=Switches(**how)), scene, side)
    return tuple(chance_that(spread, lambda end, i=i: not end.bodies[i].alive) for i in (0, 1))


def test_who_strikes_in_a_standing_fight() -> None:
    """V27, RULINGS 2 and 17 with their switches."""
    ork = status(harm(CARDS["ork"], ARMS["club"], CARDS["guardsman"]), "dead")
    guardsman = status(harm(CARDS["guardsman"], ARMS["bayonet"], CARDS["ork"]), "dead")
    ork_first = ((1 - ork) * guardsman, ork)
    assert after_standing_turn(0) == after_standing_turn(1) == ork_first
    assert after_standing_turn(0, first_strike_standing="active") == ork_first
    assert after_standing_turn(1, first_strike_standing="active") == (guardsman, (1 - guardsman) * ork)
    assert after_standing_turn(0, fight_turns="own_turn") == (0, ork)
    assert after_standing_turn(1, fight_turns="own_turn") == (guardsman, 0)


def test_own_turn_leaves_the_charge_as_it_is() -> None:
    """R60 answers a charge in the charger's turn by either reading."""
    cards = CARDS["ork"], CARDS["guardsman"]
    assert club.charge_turn(*cards, 5) == club.charge_turn(*cards, 5, switches=Switches(fight_turns="own_turn"))


def test_two_misses_into_a_fight() -> None:
    """V28: two automatic hits on the ally, with his save and no cover of his."""
    blind = replace(CARDS["guardsman"], acc_ranged=club.CANNOT)
    spread = club.shooting_into_fight(blind, ARMS["lasgun"], CARDS["ork"], CARDS["marine"], cover=2)
    assert {at_foe for at_foe, _ in spread} == {(0, 0, fresh(CARDS["ork"]))}
    p = Fraction(1, 3) * Fraction(1, 3)
    unsaved = club.marginal(spread, lambda end: end[1][0])
    assert unsaved == {0: (1 - p) ** 2, 1: 2 * p * (1 - p), 2: p**2}
    assert all(state == State("up", 2 - hits) if hits < 2 else state == DEAD for _, (hits, _, state) in spread)


def test_running_and_shooting() -> None:
    """V29, R7-R11, RULING 37."""
    assert club.may_run(shot=True)
    assert not club.may_run(shot=True, switches=Switches(run_bars_prior_shooting=True))
    assert not club.may_run(engaged=True)
    assert club.may_shoot()
    assert not club.may_shoot(ran=True)
    assert not club.may_shoot(left_combat=True)
    for reason in ("engaged", "ran", "left_combat", "declared"):
        assert not club.may_attack(5, **{reason: True})


@pytest.mark.parametrize(("text", "strength"), [("user", 5), ("user+2", 7), ("user*2", 10), ("user*2+1", 11), (4, 4)])
def test_strength(text: Any, strength: int) -> None:
    """V30."""
    assert club.strength_of(Weapon("melee", text), 5) == strength


# ---- what the atlas prints no number for ----------------------------------------------------------------------------


def test_switches_of_single_dice() -> None:
    """RULINGS 9, 10: an accuracy of "cannot" is none even where a 6 always hits; overwatch is 5+ for everybody."""
    assert club.save_chance(3, 0, 2, Switches(save_one_fails=False)) == 1
    assert club.save_chance(3, 0, 0, Switches(save_one_fails=False)) == Fraction(2, 3)
    poor, none = replace(HERO, acc_ranged=6), replace(HERO, acc_ranged=club.CANNOT)
    six = Switches(hit_six_always=True)
    assert club.attack(poor, SURE, HERO, dying=True)["miss"] == 1
    assert club.attack(poor, SURE, HERO, dying=True, switches=six)["miss"] == Fraction(5, 6)
    assert club.attack(none, SURE, HERO, switches=six)["miss"] == 1
    assert club.attack(none, SURE, HERO, overwatch=True)["miss"] == Fraction(2, 3)


def test_which_weapon_fires() -> None:
    """Step 2 of the script; RULINGS 15, 31."""
    veteran, extra = CARDS["veteran"], Switches(pistol_extra_shot=True)
    gun, pistol = veteran.ranged, veteran.pistol

    def choose(gap: float, engaged: bool = False, own_turn: bool = True, switches: Switches = club.DEFAULT) -> list:
        return club.shooting_weapons(veteran, gap, engaged, own_turn=own_turn, switches=switches)

    assert [choose(gap) for gap in (24, 24.5)] == [[gun], []]
    assert choose(0, engaged=True) == [pistol]
    assert [choose(gap, switches=extra) for gap in (12, 12.5)] == [[gun, pistol], [gun]]
    assert choose(5, own_turn=False, switches=extra) == [gun]
    assert choose(0, engaged=True, switches=extra) == [pistol]
    assert club.shooting_weapons(CARDS["preacher"], 12, False, own_turn=True) == [CARDS["preacher"].pistol]


def test_damage_dice() -> None:
    assert club.damage_spread(2) == {2: 1}
    assert club.damage_spread("D3") == dict.fromkeys((1, 2, 3), Fraction(1, 3))
    assert club.damage_spread("D6") == dict.fromkeys(FACES, Fraction(1, 6))
    assert club.damage_spread("2D4")[5] == Fraction(4, 16)


def test_volleys_are_whole() -> None:
    """The chances add up to 1; the unsaved hits are binomial, whatever happens to the target meanwhile."""
    boss, veteran, marine = CARDS["ork_boss"], CARDS["veteran"], CARDS["marine"]
    spread = volley(boss, boss.melee, veteran, shots=5)
    p = club.attack(boss, boss.melee, veteran)["unsaved"]
    assert sum(spread.values()) == 1
    assert club.marginal(spread, lambda end: end[0]) == {
        hits: math.comb(5, hits) * p**hits * (1 - p) ** (5 - hits) for hits in range(6)
    }
    into = club.shooting_into_fight(veteran, veteran.ranged, boss, marine, shots=3)
    assert sum(into.values()) == 1
    assert sum(club.charge_turn(boss, veteran, 7).values()) == 1


def test_strikes_know_no_cover() -> None:
    """RULING 11; shots of overwatch do."""
    ork, guardsman, marine = (CARDS[name] for name in ("ork", "guardsman", "marine"))
    assert harm(ork, ork.melee, guardsman, cover=2) == harm(ork, ork.melee, guardsman)
    open_ground, covered = (club.charge_turn(ork, marine, 5, cover=(cover, 0)) for cover in (0, 2))

    def dead(spread: dict) -> Fraction:
        return chance_that(spread, lambda scene: not scene.engaged and not scene.bodies[0].alive)

    assert dead(open_ground) == status(harm(marine, marine.ranged, ork, overwatch=True), "dead")
    assert dead(covered) == status(harm(marine, marine.ranged, ork, overwatch=True, cover=2), "dead")
    assert dead(covered) < dead(open_ground)


def test_a_dying_charger_strikes_worse_and_is_shot_at_as_usual() -> None:
    """R32, RULING 16."""
    preacher, ork = UNARMED["preacher"], UNARMED["ork"]
    spread = club.charge_turn(preacher, ork, 2, states=(State("dying"), fresh(ork)))
    worse = status(harm(preacher, preacher.melee, ork, dying=True), "dead")
    assert chance_that(spread, lambda scene: not scene.bodies[1].alive) == worse
    assert worse < status(harm(preacher, preacher.melee, ork), "dead")


def test_limited_overwatch() -> None:
    ork, marine = CARDS["ork"], CARDS["marine"]
    spread = club.charge_turn(ork, marine, 9, overwatch_shots=1)
    shot_down = chance_that(spread, lambda scene: not scene.engaged and not scene.bodies[0].alive)
    assert shot_down == club.attack(marine, marine.ranged, ork, overwatch=True)["unsaved"]


def test_firing_turns_with_a_magazine() -> None:
    """RULING 30: a gun of one shot and one cartridge rests every other turn; by hand for a target of endurance 1."""
    ork, veteran = CARDS["ork"], CARDS["veteran"]
    plasma = ARMS["plasma_gun"]
    p = club.attack(veteran, plasma, ork)["unsaved"]
    assert club.firing_turns(veteran, plasma, ork, "dead") == 1 / p
    assert club.firing_turns(veteran, replace(plasma, magazine=1), ork, "dead") == 2 / p - 1
    assert club.firing_turns(veteran, replace(plasma, magazine=10**3), ork, "dead") < 1 / p * Fraction(1001, 1000)
    with pytest.raises(ValueError, match="cannot harm"):
        club.firing_turns(replace(veteran, acc_ranged=6), plasma, ork, "dead", dying=True)


def test_a_flight_of_both() -> None:
    """Both always flee after damage: the gap is the sum of two flights, and nobody is engaged."""
    coward = Fighter(6, 4, 2, 8, 4, 7, 9, 1, melee=Weapon("melee", "user"))
    scene = Scene(0.0, True, (fresh(coward), fresh(coward)))
    spread = club.turn(Script((coward, coward)), scene, 0)
    both = {end.gap: chance for end, chance in spread.items() if [body.endurance for body in end.bodies] == [8, 8]}
    hit = Fraction(25, 36) ** 2
    assert both == {float(inches): hit * chance for inches, chance in club.dice(6).items()}
    assert all(not end.engaged for end in spread if end.bodies != scene.bodies)
    far = club.fled(Script((coward, coward)), {Scene(46.0, False, scene.bodies, (1, 0)): Fraction(1)})
    assert far == {Scene(48.0, False, scene.bodies): 1}


def test_moves_of_the_script() -> None:
    """Step 1: 5 inches of an ork, but an inch is kept; who holds or is engaged stays."""
    orks = CARDS["ork"], CARDS["ork"]
    bodies = fresh(orks[0]), fresh(orks[1])
    rush = Script(orks, ("rush", "hold"))
    assert [club.moved(rush, Scene(gap, False, bodies), 0).gap for gap in (9.5, 6.0, 5.5, 1.0)] == [4.5, 1, 1, 1]
    assert club.moved(rush, Scene(9.5, False, bodies), 1).gap == 9.5
    assert club.moved(rush, Scene(0.0, True, bodies), 0).gap == 0


def test_dying_rusher_walks_at_half_pace() -> None:
    boss = CARDS["ork_boss"]
    scene = Scene(24.0, False, (State("dying"), fresh(UNARMED["ork"])))
    assert {end.gap for end in club.turn(Script((boss, UNARMED["ork"]), ("rush", "hold")), scene, 0)} == {21.5}


def test_solution_agrees_with_going_turn_by_turn() -> None:
    """Two ways through the same chain: backwards by life and gap, and forwards by turns."""
    script = Script((CARDS["preacher"], CARDS["ork"]), ("rush", "rush"), exact=False)
    ends = club.by_turn(script, 12)
    result = club.duel(script, 12)
    assert math.fsum(a for a, _ in ends) == pytest.approx(result.a_wins, abs=1e-12)
    assert math.fsum(b for _, b in ends) == pytest.approx(result.b_wins, abs=1e-12)
    assert math.fsum(n * (a + b) for n, (a, b) in enumerate(ends, 1)) == pytest.approx(result.turns, abs=1e-10)


def test_exact_and_float_duels_agree() -> None:
    fighters = CARDS["ork"], CARDS["guardsman"]
    exact = club.duel(Script(fighters, ("rush", "hold")), 24)
    assert isinstance(exact.a_wins, Fraction)
    assert exact.a_wins + exact.b_wins == 1
    rough = club.duel(Script(fighters, ("rush", "hold"), exact=False), 24)
    assert [float(value) for value in exact] == pytest.approx(rough, abs=1e-12)


def test_a_duel_that_never_ends() -> None:
    """RULING 36 calls it a draw."""
    nobody = UNARMED["guardsman"]
    assert club.duel(Script((nobody, nobody)), 10) == (0, 0, math.inf)
    assert set(club.by_turn(Script((nobody, nobody)), 10, turns=5)) == {(0, 0)}
