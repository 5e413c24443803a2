"""The worked examples of the atlas of Moran (chapter 4), with the dice as written.

V1-V18, V20-V32  here
V19, V21, V24    the order of a turn and what happens to the wounded: here and in test_moran_engagement.py
V33-V34          templates and corners: test_moran_grid.py
"""

from __future__ import annotations

import pytest

from morsdei_sim.dice.tape import tape, used_up
from morsdei_sim.rulesets.moran import activations, duel, melee, shooting
from morsdei_sim.rulesets.moran.activations import Lone, Patient, Walker, Watch
from morsdei_sim.rulesets.moran.duel import Duel, Duellist
from morsdei_sim.rulesets.moran.melee import Melee
from morsdei_sim.rulesets.moran.rules import DEAD, PRINTED, UP, WOUNDED, Rules
from morsdei_sim.rulesets.moran.shooting import Shooter, Shooting, Target

RULES = Rules()
PISTOL = (5, 10)
MORAN = Shooter(5, 5, 10, 2, 2, 0, 3, 1)
FIRST_ROLL = (1, 6, 3, 4)
MENDED_ROLL = (1, 5, 3, 4)
SECOND_ROLL = (2, 6)


def fire(gun: Shooter, target: Target, *written: int, rules: Rules = RULES) -> tuple[int, int, int, int]:
    """Status, whether the weapon is empty, successes and sixes after one shot; the dice are all read."""
    dice = tape(written)
    kind = Shooting(*rules)
    start = shooting.pack(gun, WOUNDED if target.wounded else UP, 0, 0, 0, 0)
    status, fired, empty, successes, sixes = shooting.unpack(gun, shooting.shot(kind, dice, gun, target, start))
    assert used_up(dice)
    assert fired == 1
    return status, empty, successes, sixes


def at(distance: int, **how: int) -> Shooter:
    return MORAN._replace(distance=distance, **how)


def target(armour: int = 0, cover: int = 0, defending: int = 0, wounded: int = 0) -> Target:
    return Target(armour, cover, defending, wounded)


@pytest.mark.parametrize(
    ("accuracy", "distance", "cover", "defending", "dice", "eaten"),
    [
        (PISTOL, 3, 0, 0, 4, 0),  # V1
        (PISTOL, 30, 0, 0, 2, 2),  # V4
        (PISTOL, 3, 1, 0, 3, 0),  # V6
        (PISTOL, 30, 1, 0, 1, 2),
        (PISTOL, 3, 2, 0, 2, 0),  # V7
        (PISTOL, 30, 2, 0, 0, 2),
        (PISTOL, 7, 0, 0, 3, 1),  # V14
        ((10, 20), 9, 0, 0, 4, 0),  # V16
        ((10, 20), 10, 0, 0, 3, 1),  # V17
        ((10, 20), 19, 0, 0, 3, 1),
        ((10, 20), 20, 0, 0, 2, 2),  # V18, RULING 2
        (PISTOL, 30, 2, 1, 0, 2),  # V26
    ],
)
def test_the_pool(accuracy: tuple[int, int], distance: int, cover: int, defending: int, dice: int, eaten: int) -> None:
    assert shooting.pool(RULES, *accuracy, distance, cover, defending) == dice
    assert shooting.spent(RULES, *accuracy, distance, cover, defending) == eaten


def test_the_edge_of_the_far_band_is_a_switch() -> None:
    """V18 read the other way."""
    rules = PRINTED._replace(band_edge=1)
    assert shooting.band_dice(rules, 10, 20, 20) == 3
    assert shooting.band_dice(rules, 10, 20, 21) == 2


def test_the_misprinted_roll() -> None:
    """V2, V8, V10, V12 By the rule 3 successes and 1 six (RULING 1): every verdict of the document stands."""
    assert fire(at(3), target(), *FIRST_ROLL) == (DEAD, 0, 3, 1)
    assert fire(at(3), target(armour=1), *FIRST_ROLL) == (DEAD, 0, 3, 1)


def test_the_mended_roll() -> None:
    """V3 With the 6 mended to a 5 the counts of the document are right too: 4 successes, no six."""
    assert fire(at(3), target(), *MENDED_ROLL) == (DEAD, 0, 4, 0)
    assert fire(at(3), target(armour=1), *MENDED_ROLL) == (DEAD, 0, 4, 0)


def test_the_far_roll() -> None:
    """V5, V9, V11, V13 One success wounds, or is eaten by the vest; 1 six and 2 eaten dice empty a magazine of 2."""
    assert fire(at(30), target(), *SECOND_ROLL) == (WOUNDED, 1, 1, 1)
    assert fire(at(30), target(armour=1), *SECOND_ROLL) == (UP, 1, 1, 1)


def test_exactly_the_magazine() -> None:
    """V11 by the switch of RULING 5: three sixes are not two."""
    rules = PRINTED._replace(magazine_test=1)
    assert fire(at(30), target(), *SECOND_ROLL, rules=rules) == (WOUNDED, 0, 1, 1)
    assert fire(at(30), target(), 1, 2, rules=rules) == (DEAD, 1, 2, 0)


def test_no_dice_no_hit() -> None:
    """V7, V26, RULING 7: nothing is rolled, and the eaten dice still empty the weapon."""
    assert fire(at(30), target(cover=2)) == (UP, 1, 0, 0)
    assert fire(at(30, magazine=3), target(cover=2, defending=1)) == (UP, 0, 0, 0)


@pytest.mark.parametrize("written", [(1, 1), (6, 6), (3, 6)])
def test_two_eaten_dice_empty_a_magazine_of_two(written: tuple[int, int]) -> None:
    """V27"""
    assert fire(at(30), target(), *written)[1] == 1


def test_a_magazine_of_five_is_never_empty() -> None:
    """V28"""
    assert fire(at(3, magazine=5), target(), 6, 6, 6, 6)[1] == 0
    assert fire(at(30, magazine=5), target(), 6, 6)[1] == 0
    assert fire(at(30, magazine=0), target(), 6, 6)[1] == 0


def test_skill_six() -> None:
    """V29, RULING 11: a six is a success and a spent six at once."""
    assert fire(at(3, skill=6, magazine=4), target(), 6, 6, 6, 6) == (DEAD, 1, 4, 4)


def test_lethality_one_never_wounds() -> None:
    """V30"""
    assert fire(at(3, lethality=1), target(), 1, 6, 6, 6)[0] == DEAD


def test_a_die_lost_to_cover_is_no_six() -> None:
    """V31 in the middle band: 1 six and 1 eaten die. By the switch of RULING 6 a third one counts."""
    assert fire(at(7), target(cover=1), 6, 2)[1] == 1
    assert fire(at(7, magazine=3), target(cover=1), 6, 2)[1] == 0
    rules = PRINTED._replace(cover_counts_as_six=1)
    assert fire(at(7, magazine=3), target(cover=1), 6, 2, rules=rules)[1] == 1


def test_four_successes_against_lethality_three() -> None:
    """V32"""
    assert fire(at(3, lethality=3), target(armour=1), 1, 1, 1, 1)[0] == DEAD
    assert fire(at(3, lethality=3), target(armour=1), 1, 1, 1, 6)[0] == WOUNDED


def test_a_second_wound_kills() -> None:
    """V25 Net 1 on a wounded target, though lethality is 2 (R23)."""
    assert fire(at(30), target(wounded=1), *SECOND_ROLL)[0] == DEAD
    assert fire(at(30), target(armour=1, wounded=1), *SECOND_ROLL)[0] == WOUNDED


def test_defence_ends_with_a_wound() -> None:
    """RULING 14: the second shooter has his die back."""
    gun, mark = at(3, shots=2), target(defending=1)
    dice, kind = tape((1, 6, 6, 1, 6, 6, 6)), Shooting(*RULES)
    state = shooting.shot(kind, dice, gun, mark, shooting.pack(gun, UP, 0, 0, 0, 0))
    state = shooting.shot(kind, dice, gun, mark, state)
    assert shooting.unpack(gun, state) == (DEAD, 2, 2, 1, 3)
    assert used_up(dice)


def test_blows() -> None:
    """V20-V21 A wound whatever the armour; a blow on a wounded fighter kills."""
    kind = Melee(*RULES)
    assert melee.blow(kind, tape(()), None, None, UP) == WOUNDED
    assert melee.blow(kind, tape(()), None, None, WOUNDED) == DEAD


@pytest.mark.parametrize(("armour", "status"), [(1, WOUNDED), (2, UP), (3, UP)])
def test_blasts(armour: int, status: int) -> None:
    """V22 Area damage 2 against class 1, 2, 3: no dice at all."""
    grenade = Shooter(1, 0, 0, 2, 0, 1, 5, 1)
    assert fire(grenade, target(armour=armour, cover=2, defending=1))[0] == status
    assert fire(grenade._replace(magazine=1), target(armour=armour))[1] == 1  # RULING 27 its card says so


def test_a_blast_on_the_wounded() -> None:
    """V23"""
    assert fire(Shooter(1, 0, 0, 2, 0, 1, 5, 1), target(armour=1, wounded=1))[0] == DEAD


def test_the_watch_shot() -> None:
    """V14-V15 At 7 cells 3 dice; one attack, then the marker is gone: no more dice until the next own shot."""
    dice, kind, walker = tape((1, 6, 6)), Watch(*RULES), Walker(1, 0, 7, 0, 0)
    state = activations.watch_shot(kind, dice, at(7), walker, 0)
    assert used_up(dice)
    assert (state // 18, state // 6 % 3, state // 3 % 2, state % 3) == (UP, UP, 1, 1)
    assert activations.watch_shot(kind, tape(()), at(7), walker, state) == state + 1  # empty: no next shot


@pytest.mark.parametrize(("same_turn", "second_move", "end"), [(1, 0, WOUNDED), (0, 0, DEAD), (1, 1, DEAD)])
def test_wounded_in_ones_own_move(same_turn: int, second_move: int, end: int) -> None:
    """RULING 19, V24 One who may recover at once is only wounded again; one who lies is dead."""
    kind, walker = Watch(*PRINTED._replace(recover_same_turn=same_turn)), Walker(0, 0, 7, 0, second_move)
    gun = at(7, magazine=4)
    state = activations.watch_shot(kind, tape((1, 6, 6)), gun, walker, 0)
    state = activations.watch_shot(kind, tape((1, 6, 6)), gun, walker, state)
    assert (state // 18, state // 6 % 3) == (WOUNDED, end)


def test_preparing_takes_a_turn() -> None:
    """R27-R28, RULING 13, V24 Emptied, prepared, shot again; the target that recovers is unhurt each time."""
    kind, target_ = Lone(*RULES), Patient(0, 0, 1)
    dice = tape((6, 2, 1, 2))
    state = activations.turn_alone(kind, dice, at(30), target_, 0)
    assert state == 1  # unhurt again, and empty
    state = activations.turn_alone(kind, dice, at(30), target_, state)
    assert state == 0
    assert activations.turn_alone(kind, dice, at(30), target_, state) == 2 * DEAD
    assert used_up(dice)


def test_a_rush() -> None:
    """R5, R38, RULING 22, script M2 From 12 cells: two movements, then four cells and a blow that locks the fight."""
    kind = Duel(*RULES)
    rifle = Duellist(4, 10, 20, 2, 3, 0, 5, 1, 0, 0, 12, 1)
    knife = Duellist(3, 0, 0, 0, 0, 1, 5, 0, 1, 0, 12, 1)
    dice = tape((6, 6, 1, 1))
    state = duel.side_turn(kind, dice, rifle, knife, duel.pack(1, 12, UP, UP, 0, 0))
    assert state == duel.pack(0, 2, UP, UP, 0, 0)
    state = duel.side_turn(kind, dice, rifle, knife, state)  # at 2 cells, 4 dice: net 1 wounds
    assert used_up(dice)
    assert state == duel.pack(1, 2, WOUNDED, UP, 0, 0)
    state = duel.side_turn(kind, tape(()), rifle, knife, state)  # recovers
    assert state == duel.pack(0, 2, UP, UP, 0, 0)
    state = duel.side_turn(kind, tape((6, 6, 6, 1)), rifle, knife, state)  # empty
    assert state == duel.pack(1, 2, UP, UP, 0, 1)
    assert duel.side_turn(kind, tape(()), rifle, knife, state) == duel.LOCKED_BY_TARGET


def test_who_begins_may_be_drawn() -> None:
    """RULING 15"""
    kind = Duel(*RULES)
    one = Duellist(5, 5, 10, 2, 2, 0, 5, 1, 0, 0, 3, duel.EITHER)
    begin = duel._begin(kind, one, one)
    assert duel.side_turn(kind, tape((1, *MENDED_ROLL)), one, one, begin) == duel.KILLED_BY_ATTACKER
    assert duel.side_turn(kind, tape((2, *MENDED_ROLL)), one, one, begin) == duel.KILLED_BY_TARGET
