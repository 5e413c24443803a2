"""The worked examples of the atlas (chapter 4), V1 to V30, with the dice as printed: all that is written is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from morsdei_sim.dice.tape import tape, used_up
from morsdei_sim.errors import UserError
from morsdei_sim.fight import verbs
from morsdei_sim.rulesets.club import charge, course, firing, harm, shooting
from morsdei_sim.rulesets.club.harm import DEAD, DYING, UP
from morsdei_sim.rulesets.club.melee import Brawler, Melee, first_striker
from morsdei_sim.rulesets.club.moves import may_attack, may_run, may_shoot
from morsdei_sim.rulesets.club.rules import (
    PRINTED,
    QUARTERS,
    attack_need,
    gap_after,
    hit_need,
    pace,
    pierce_need,
    reloading_shots,
    save_need,
)
from morsdei_sim.rulesets.club.shooting import MISS, NOT_PIERCED, SAVED, UNSAVED, Arm, Attack, IntoFight, Mixed, Target
from morsdei_sim.rulesets.club.sides import arm_of, life_of, target_of
from tests.rooms.club_cards import card, made

LASGUN = Arm(4, 3, 0, 0, 0, 1, 2, 24 * QUARTERS, 0)
PLASMA = Arm(3, 7, -3, 0, 0, 2, 1, 24 * QUARTERS, 0)
GUARDSMAN = Target(3, 5, 1, 6, 0, 0, UP + 1)
HERO = Target(3, 7, 1, 6, 1, 0, UP + 1)


def rolled(procedure: Callable[[Any], Any], *written: int) -> Any:
    """The answer of a procedure to these dice, all of which must be read."""
    dice = tape(written)
    answer = procedure(dice)
    assert used_up(dice), "not all dice were read"
    return answer


def one_attack(arm: Arm, target: Target, need: int, *written: int) -> int:
    return rolled(lambda dice: shooting.resolve(PRINTED, dice, arm, target, need, target.cover), *written)


def blows(target: Target, life: int, damage: int, count: int, *written: int) -> int:
    """The life after so many unsaved hits."""

    def one_after_another(dice: Any) -> int:
        now = life
        for _ in range(count):
            now = harm.after_blow(PRINTED, dice, target, now, damage)
        return now

    return rolled(one_after_another, *written)


def test_accuracy() -> None:
    """V1: 4+ misses on 1-3 and hits on 4-6; after a hit the pierce die is rolled."""
    need = hit_need(PRINTED, 4, 0, 0)
    assert [one_attack(LASGUN, GUARDSMAN, need, face) for face in (1, 2, 3)] == [MISS] * 3
    assert [one_attack(LASGUN, GUARDSMAN, need, face, 1) for face in (4, 5, 6)] == [NOT_PIERCED] * 3


@pytest.mark.parametrize(
    ("strength", "toughness", "need"),
    [
        *[(3, 3, 4), (5, 3, 3), (6, 3, 2), (3, 4, 5), (2, 5, 6)],  # V2, V3
        *[(3, 6, 6), (4, 7, 5), (5, 10, 6), (7, 4, 3), (8, 4, 2), (1, 2, 6)],  # V10
    ],
)
def test_pierce(strength: int, toughness: int, need: int) -> None:
    """V2, V3, V10: the face and the one below it."""
    assert pierce_need(PRINTED, strength, toughness) == need
    arm, target = LASGUN._replace(strength=strength), GUARDSMAN._replace(toughness=toughness, save=7)
    assert one_attack(arm, target, 2, 6, need) == UNSAVED
    assert one_attack(arm, target, 2, 6, need - 1) == NOT_PIERCED


def test_a_one_never_pierces() -> None:
    """V4: not even where the rules are changed to ask for 1+."""
    assert one_attack(LASGUN._replace(strength=6), GUARDSMAN, 2, 6, 1) == NOT_PIERCED
    assert pierce_need(PRINTED._replace(pierce_double=1), 6, 3) == 2


def test_plasma_leaves_no_save() -> None:
    """V5, V12: 5 + 3 = 8, so no die is rolled; a pixel of cover makes it 6+."""
    assert save_need(PRINTED, 5, -3, 0) == 8
    assert one_attack(PLASMA, GUARDSMAN, 3, 3, 2) == UNSAVED
    assert save_need(PRINTED, 5, -3, 1) == 7
    assert one_attack(PLASMA, GUARDSMAN._replace(cover=1), 3, 3, 2) == UNSAVED
    assert one_attack(PLASMA, GUARDSMAN._replace(cover=2), 3, 3, 2, 6) == SAVED
    assert one_attack(PLASMA, GUARDSMAN._replace(cover=2), 3, 3, 2, 5) == UNSAVED


def test_reloading() -> None:
    """V6, V14: 1, 2, 3, 5 shots; a weapon that is reloaded fires no more than its magazine holds."""
    assert [reloading_shots(PRINTED, shots) for shots in (1, 2, 3, 5)] == [0, 1, 1, 2]
    arm = LASGUN._replace(shots=3, magazine=4)
    assert firing.can_fire(PRINTED, arm, 4) == 3
    assert firing.can_fire(PRINTED, arm, firing.ammo_after(arm, 4, 3)) == 1
    assert firing.can_fire(PRINTED, arm, 0) == 1
    assert firing.ammo_after(arm, 0, 1) == 3


def test_overwatch_needs_five() -> None:
    """V7, V15: whatever the accuracy, dying or not."""
    assert {hit_need(PRINTED, accuracy, dying, 1) for accuracy in range(2, 8) for dying in (0, 1)} == {5}
    assert one_attack(PLASMA, GUARDSMAN, hit_need(PRINTED, 2, 1, 1), 4) == MISS
    assert one_attack(PLASMA, GUARDSMAN, hit_need(PRINTED, 6, 1, 1), 5, 2) == UNSAVED


def test_first_roll_to_avoid_death() -> None:
    """V8."""
    assert blows(HERO, DYING, 1, 1, 2) == DYING + 1
    assert blows(HERO, DYING, 1, 1, 1) == DEAD


def test_raising() -> None:
    """V9: 3 fails; 4 succeeds and the D4 is rolled, at most the card's ENDURANCE is regained (RULING 27)."""
    patient = HERO._replace(endurance=3)
    assert rolled(lambda dice: harm.raised(PRINTED, dice, patient, DYING + 2), 3) == DYING + 2
    assert rolled(lambda dice: harm.raised(PRINTED, dice, patient, DYING + 2), 4, 2) == UP + 2
    assert rolled(lambda dice: harm.raised(PRINTED, dice, patient, DYING + 2), 6, 4) == UP + 3
    assert rolled(lambda dice: harm.raised(PRINTED, dice, patient, UP + 1)) == UP + 1


def test_saves_in_cover() -> None:
    """V11, V13: +1 and +2; 1+ still fails on a 1, unless the switch says otherwise."""
    assert [save_need(PRINTED, 5, 0, cover) for cover in (0, 1, 2)] == [5, 4, 3]
    assert [save_need(PRINTED, 3, 0, cover) for cover in (1, 2)] == [2, 2]
    sturdy = GUARDSMAN._replace(save=3, cover=2)
    assert [one_attack(LASGUN, sturdy, 4, 4, 4, face) for face in (1, 2)] == [UNSAVED, SAVED]
    proof = PRINTED._replace(save_one_fails=0)
    assert rolled(lambda dice: shooting.resolve(proof, dice, LASGUN, sturdy, 4, 2), 4, 4) == SAVED


def test_the_dying_hit_worse() -> None:
    """V15: 5+ for 4+; 7+ for 6+ cannot hit, nor is a die rolled; the switch lets a 6 hit."""
    assert (hit_need(PRINTED, 4, 1, 0), hit_need(PRINTED, 6, 1, 0)) == (5, 7)
    assert one_attack(LASGUN, GUARDSMAN, 7) == MISS
    ninth = PRINTED._replace(hit_six_always=1)
    assert [hit_need(ninth, accuracy, 1, 0) for accuracy in (4, 6, 7)] == [5, 6, 8]


def test_the_dying_move_at_half_speed() -> None:
    """V16: 5 inches become 2.5."""
    assert pace(PRINTED, 5 * QUARTERS, 1) == 2.5 * QUARTERS
    assert pace(PRINTED, 5 * QUARTERS, 0) == 5 * QUARTERS


@pytest.mark.parametrize(
    ("gap", "roll", "after"), [(9, 9, 0), (9, 8, 1), (7, 5, 2), (4.5, 4, 1), (4.5, 5, 0), (8.5, 8, 1), (3, 2, 1)]
)
def test_attack_roll(gap: float, roll: int, after: float) -> None:
    """V17, V18, RULING 14: in quarters of an inch; the roll of the tape is two dice."""
    first = min(6, roll - 1)
    now = charge.Turn(0, 0, UP + 1, UP + 1, 0, 0, 0, 0)
    attacker = charge.Charger(GUARDSMAN, LASGUN, int(gap * QUARTERS))
    turn = rolled(lambda dice: charge.advance(PRINTED, dice, attacker, now), first, roll - first)
    assert turn.gap - 1 == after * QUARTERS == gap_after(PRINTED, int(gap * QUARTERS), roll * QUARTERS)
    assert attack_need(PRINTED._replace(charge_need=1), 9 * QUARTERS) == 8 * QUARTERS


def test_how_far_attacks_are_declared() -> None:
    """V19: 9 inches and not 9.5; and R7, R11: not after a run nor after leaving combat."""
    assert may_attack(PRINTED, 9 * QUARTERS, False, False, False)
    assert not may_attack(PRINTED, int(9.5 * QUARTERS), False, False, False)
    assert not may_attack(PRINTED, 4, True, False, False)
    assert not may_attack(PRINTED, 4, False, True, False)
    assert not may_attack(PRINTED, 4, False, False, True)
    with pytest.raises(UserError, match="9 inches"):
        charge.charge(card("ork"), card("guardsman"), distance=9.5)


def test_leadership() -> None:
    """V20: damage 3, Leadership 7: 4 stays, 5 flees 3D6; no damage, no die; the dead do not test."""
    steady = GUARDSMAN._replace(leadership=7)
    assert rolled(lambda dice: harm.flees(dice, steady, UP + 1, 3), 4) == 0
    assert rolled(lambda dice: harm.flees(dice, steady, UP + 1, 3), 5) == 1
    assert rolled(lambda dice: harm.flees(dice, steady, UP + 1, 0)) == 0
    assert rolled(lambda dice: harm.flees(dice, steady, DEAD, 3)) == 0
    assert rolled(lambda dice: harm.flight(PRINTED, dice), 1, 2, 6) == 9 * QUARTERS


def test_three_hits_on_a_hero() -> None:
    """V21, V22, V25."""
    assert blows(HERO, UP + 1, 1, 3, 2, 3) == DYING + 2
    assert blows(HERO, UP + 1, 1, 3, 2, 2) == DEAD
    assert blows(HERO, DYING + 5, 1, 1) == DEAD  # needs 7+: no die


def test_mortal_wounds() -> None:
    """V23: no die is rolled, not even a save of 2+."""
    sturdy = HERO._replace(endurance=5, save=2, life=UP + 5)
    assert blows(sturdy, UP + 5, 1, 2) == UP + 3


def test_the_blow_that_fells() -> None:
    """V24: damage 3 on ENDURANCE 1: dying, no roll made; damage received 3. One who is no hero is dead."""
    arm = PLASMA._replace(flat=3)
    dice = tape([3, 2])
    assert shooting.struck(PRINTED, dice, arm, HERO, 3, 0, HERO.life) == (UNSAVED, 3, DYING)
    assert used_up(dice)
    assert blows(HERO._replace(hero=0), UP + 1, 3, 1) == DEAD


def test_no_strikes_back_by_the_dead() -> None:
    """V26: the club kills with its first blow; the second is rolled (to the end of the volley), the answer is not."""
    ork = Brawler(arm_of(card("ork"), card("ork").card.ready("melee")), GUARDSMAN, 1, 1)
    guard = Brawler(arm_of(card("guardsman"), card("guardsman").card.ready("melee")), GUARDSMAN, 1, 0)
    kind, dice = Melee(*PRINTED), tape([3, 3, 4, 1])
    state = verbs.begin(kind, ork, guard)
    while verbs.stage(kind, ork, guard, state) == verbs.RUNNING:
        state = verbs.attack(kind, dice, ork, guard, state)
    assert used_up(dice)


def test_who_strikes_first() -> None:
    """V27: in the opponent's turn the player still does; who attacked this turn goes first all the same."""
    assert first_striker(PRINTED, 1, False, 0) == 0
    assert first_striker(PRINTED, 1, True, 0) == 1
    assert first_striker(PRINTED._replace(first_strike_standing=1), 1, False, 0) == 1


def test_two_misses_into_a_fight() -> None:
    """V28: both are automatic hits on the ally, pierce and save rolled against him, without cover."""
    ally = Target(4, 3, 2, 8, 0, 2, UP + 2)
    mixed, volley = Mixed(Target(4, 6, 1, 6, 0, 0, UP + 1), ally), Attack(LASGUN, 2, 0, 0)
    kind, dice = IntoFight(*PRINTED), tape([3, 5, 2, 3, 5, 3, 1])  # miss, pierced, not saved; miss, pierced, saved
    state = verbs.begin(kind, volley, mixed)
    while (end := verbs.stage(kind, volley, mixed, state)) == verbs.RUNNING:
        state = verbs.attack(kind, dice, volley, mixed, state)
    assert used_up(dice)  # the last face is the ally's Leadership check: 1 + 1 is not more than 8
    each = shooting.tallies(LASGUN, 2)
    assert shooting.read(LASGUN, 2, ally, end // 4 % each) == (1, 1, UP + 1)
    assert end % 4 == 0


def test_shooting_and_running() -> None:
    """V29: shooting first and then running is legal by the letter; the switch bars it; never the other way round."""
    assert may_run(PRINTED, False, True)
    assert not may_run(PRINTED._replace(run_bars_prior_shooting=1), False, True)
    assert not may_run(PRINTED, True, False)
    assert may_shoot(False, False)
    assert not may_shoot(True, False)
    assert not may_shoot(False, True)


@pytest.mark.parametrize(
    ("written", "user", "strength"),
    [
        ("user*2", 5, 10),
        ("user", 4, 4),
        ("user+1", 3, 4),
        ("user*2+1", 5, 11),
        ("х2", 5, 10),
        ("сила+1", 3, 4),
        (7, 3, 7),
    ],
)
def test_strength_of_a_melee_weapon(written: str | int, user: int, strength: int) -> None:
    """V30, RULING 5: multiplied first, then added to."""
    weapon = {"id": "it", "kind": "melee", "strength": str(written)}
    found = made(strength=user, weapon=(weapon,)).card.weapon[0]
    assert found.strength_of(user) == strength


def side_of(name: str, rush: int, gap: float) -> course.Side:
    one = card(name)
    arms = (arm_of(one, one.card.ready(kind)) for kind in ("ranged", "pistol", "melee"))
    body = target_of(one, life_of(PRINTED, one))
    return course.Side(body, *arms, int(one.card.speed * QUARTERS), rush, int(gap * QUARTERS), 0, 1)


def test_two_whole_turns_of_a_duel() -> None:
    """An ork comes from 10 inches at a guardsman who stands: die by die, in the order of the reference script."""
    rules, ork, guard = course.Duel(*PRINTED), side_of("ork", 1, 10), side_of("guardsman", 0, 10)
    state = verbs.begin(rules, ork, guard)

    def play(*written: int) -> course.Moment:
        nonlocal state
        dice = tape(written)
        while not used_up(dice):
            state = verbs.attack(rules, dice, ork, guard, state)
        return course.unpack(rules, ork, guard, state)

    now = play(4)  # moves 5 inches, then fires its slugga: 4 misses
    assert (now.phase, now.left, now.gap) == (course.WATCH_RANGED, 2, 5 * QUARTERS)
    now = play(5, 4, 4)  # overwatch: a hit that does not pierce, a miss
    assert (now.phase, now.left) == (course.ROLL, 1)
    now = play(3, 2)  # 5 inches are enough
    assert (now.phase, now.left, now.gap) == (course.STRIKE, 2, 0)
    now = play(3, 2, 2)  # the club: not pierced, missed
    assert (now.phase, now.left) == (course.ANSWER, 1)
    now = play(4, 5, 6)  # the bayonet: hit, pierced, saved; nobody was hurt, so the guardsman's turn begins
    assert (now.phase, now.active, verbs.stage(rules, ork, guard, state)) == (course.BEGIN, 1, verbs.TURN)
    now = play(3, 3, 4)  # tied up: no lasgun; the player strikes first in the other's turn too: hit, pierced, not saved
    assert now.b.life == DEAD
    assert verbs.stage(rules, ork, guard, state) == UP + 1  # the attacker, who was the player, is up


def test_flight_out_of_combat() -> None:
    """R29, RULING 29: one damage, Leadership 6: a 5 stays in combat, a 6 flees 3D6 and is out of it."""
    rules, marine, ork = course.Duel(*PRINTED), side_of("marine", 0, 0), side_of("ork", 1, 0)
    marine = marine._replace(body=marine.body._replace(leadership=6))
    hurt = course.Body(UP + 1, 1, 0, 0)
    now = course.Moment(0, 0, course.CHECK_A, 1, 0, hurt, course.fresh(ork))
    for written, gap in (((5,), 0), ((6, 6, 6, 6), 18)):
        dice = tape(written)
        state = verbs.attack(rules, dice, marine, ork, course.pack(rules, marine, ork, now))
        assert used_up(dice)
        after = course.unpack(rules, marine, ork, state)
        assert (after.gap, after.a.hurt, after.phase, after.active) == (gap * QUARTERS, 0, course.BEGIN, 1)
