"""The worked examples of the atlas (section 20) that concern exchanges, with the dice as printed.

TV2-TV4   faces, modifiers, bounds              here
TV5       defence dice in cover and prone       here (the debt is the game's)
TV16      own cover of the actual target        here (the list of targets, and TV17, are the game's)
TV18      a shot and its saves                  here
TV19      damage, injury, removal               here
TV21-23   melee, line by line                   here
TV24      Injured at which HP                   here
TV29      no hit: no defence roll, no offer     here (the APL is the game's)
others    TV1, 6-15, 17, 20, 25-28, 30: measuring, movement, APL, Contract, Overwatch, loot: game
"""

from __future__ import annotations

import numpy as np
import pytest

from morsdei_sim.dice.questions import pool
from morsdei_sim.dice.tape import TapeDice, tape, used_up
from morsdei_sim.fight import verbs
from morsdei_sim.fight.solve import menu
from morsdei_sim.rulesets.morsdei import melee, shooting
from morsdei_sim.rulesets.morsdei.exchange import Combatant, Duel, face_off
from morsdei_sim.rulesets.morsdei.melee import GUARD, TAKE
from morsdei_sim.rulesets.morsdei.rules import Rules, final_hit, is_injured
from morsdei_sim.rulesets.morsdei.shooting import ALWAYS, NEVER, Shooter, Shooting, Target
from morsdei_sim.rulesets.morsdei.volley import shot_readings

RULES = Shooting(*Rules())
RIFLE = Shooter(4, 4, 4, 0, 0, 0, 0, 0, 1)
OPEN = Target(3, 7, 7, 0, 0, 0, NEVER)


def fire(attacker: Shooter, defender: Target, *written: int, state: int | None = None) -> tuple[int, int, int]:
    """(Hits left, Aim still in force, prone) after one shot with these dice, all of which must be read."""
    dice = tape(written)
    start = shooting.pack(0, attacker.aimed, defender.prone) if state is None else state
    end = int(verbs.attack(RULES, dice, attacker, defender, start))
    assert used_up(dice)
    return end >> 2, end >> 1 & 1, end & 1


def sorted_by(hit: int, *written: int) -> tuple[int, int]:
    """(Normal successes, crits) among these dice."""
    dice = tape(written)
    answer = pool(dice, len(written), hit, 0)
    assert used_up(dice)
    return answer


# ── shooting ──


def test_faces() -> None:
    """TV2."""
    assert [sorted_by(4, face) for face in range(1, 7)] == [(0, 0)] * 3 + [(1, 0)] * 2 + [(0, 1)]
    assert [fire(RIFLE._replace(dice=1), OPEN._replace(defence=0), face)[0] for face in range(1, 7)] == [
        0,
        0,
        0,
        1,
        1,
        1,
    ]


def test_modifiers_add_up() -> None:
    """TV3: two worsenings and one improvement. Aim does not serve Overwatch, so the two are Contract's and the
    pistol's, and Aim the last."""
    assert final_hit(Rules(), 4, 2 - 1) == 5
    aimed_pistol = RIFLE._replace(dice=1, in_contact=1, aimed=1)  # RULING 3: net 0
    assert [fire(aimed_pistol, OPEN._replace(defence=0), face)[0] for face in (3, 4)] == [0, 1]
    worse = RIFLE._replace(dice=1, contract=1, in_contact=1)  # two worse
    assert [fire(worse, OPEN._replace(defence=0), face)[0] for face in (5, 6)] == [0, 1]


def test_bounds_of_hit() -> None:
    """TV4."""
    best, worst = RIFLE._replace(dice=1, hit=2, aimed=1), RIFLE._replace(dice=1, hit=6, overwatch=1)
    assert final_hit(Rules(), 2, -1) == 2
    assert final_hit(Rules(), 6, 1) == 6
    assert [fire(best, OPEN._replace(defence=0), face)[0] for face in (1, 2)] == [0, 1]
    assert [fire(worst, OPEN._replace(defence=0), face)[0] for face in (5, 6)] == [0, 1]
    assert sorted_by(6, 6) == (0, 1)


def test_defence_dice() -> None:
    """TV5: as many dice as are read: 3, in cover 4, in cover and prone 5, prone "again" still 5."""
    hits = (4, 4, 4, 4)
    for target, dice in [
        (OPEN, 3),
        (OPEN._replace(cover=1), 4),
        (OPEN._replace(cover=1, going_prone=ALWAYS), 5),
        (OPEN._replace(cover=1, prone=1), 5),
        (OPEN._replace(cover=1, prone=1, going_prone=ALWAYS), 5),
    ]:
        left, _, prone = fire(RIFLE, target, *hits, *[1] * dice)
        assert (left, prone) == (4, int(dice == 5))


def test_own_cover_of_the_actual_target() -> None:
    """TV16: X stands in cover and rolls its own fourth die, whatever covers the enemy."""
    pistol = Shooter(2, 4, 3, 0, 0, 0, 0, 0, 1)
    enemy, ally = OPEN, OPEN._replace(cover=1)
    assert fire(pistol, enemy, 4, 5, 1, 1, 1)[0] == 2
    assert fire(pistol, ally, 4, 5, 1, 1, 1, 6)[0] == 0


def test_saves() -> None:
    """TV18: attack 1, 4, 5, 6; defence 2, 4, 6, 6."""
    assert sorted_by(4, 1, 4, 5, 6) == (2, 1)
    assert sorted_by(4, 2, 4, 6, 6) == (1, 2)
    assert fire(RIFLE, OPEN._replace(cover=1), 1, 4, 5, 6, 2, 4, 6, 6)[0] == 0
    assert fire(RIFLE, OPEN._replace(cover=1, saves=shooting.CRITS_FIRST), 1, 4, 5, 6, 2, 4, 6, 6)[0] == 0


def test_damage() -> None:
    """TV19: 7 HP, one normal and one critical hit of 4: 7, 3 (Injured), removed. A critical hit does the same
    Damage."""
    assert fire(RIFLE, OPEN, 1, 2, 5, 6, 1, 2, 3)[0] == 2
    readings = {one.name: one.values for one in shot_readings(Rules(), np.arange(3), np.zeros(3), 4, 7, 7)}
    assert readings["injured"].tolist() == [0, 1, 0]
    assert readings["kill"].tolist() == [0, 0, 1]
    assert readings["damage"].tolist() == [0, 4, 8]
    assert readings["mean_hp_lost"].tolist() == [0, 4, 7]
    assert fire(RIFLE, OPEN, 1, 1, 1, 5, 1, 1, 1) == fire(RIFLE, OPEN, 1, 1, 1, 6, 1, 1, 1)


@pytest.mark.parametrize(("max_hp", "worst"), [(10, 4), (9, 4), (7, 3), (8, 3), (6, 2), (2, 0), (1, 0)])
def test_injured(max_hp: int, worst: int) -> None:
    """TV24."""
    assert [hp for hp in range(1, max_hp + 1) if is_injured(Rules(), hp, max_hp)] == list(range(1, worst + 1))


def test_no_hit_no_defence() -> None:
    """TV29: only the four attack dice are read, and a target that always goes prone is not offered to; Aim is spent."""
    assert fire(RIFLE._replace(aimed=1), OPEN._replace(going_prone=ALWAYS), 1, 2, 1, 2) == (0, 0, 0)
    assert fire(RIFLE, OPEN._replace(prone=1), 1, 2, 3, 3) == (0, 0, 1)


def test_a_removed_target_is_not_shot_at() -> None:
    """S19: no die is read."""
    assert fire(RIFLE, OPEN, state=shooting.pack(2, 0, 1)) == (2, 0, 1)


def test_the_tape_must_fit() -> None:
    """The check of this file: a die too many or too few is noticed."""
    with pytest.raises(AssertionError):
        fire(RIFLE, OPEN, 1, 2, 5, 6, 1, 2, 3, 4)
    with pytest.raises(IndexError, match="tape has ended"):
        fire(RIFLE, OPEN, 1, 2, 5, 6, 1, 2)


# ── melee ──


def roll(duel: Duel, dice: TapeDice) -> int:
    """Both pools from the tape: the opening position."""
    tracks = [melee.roll_pool(dice, side, purpose) for side, purpose in zip(duel.sides, (0, 1), strict=True)]
    assert used_up(dice)
    return int(melee.settle(duel.game, *tracks, 0, 0))


def offer(duel: Duel, position: int) -> tuple[int, dict[int, dict[int, int]]]:
    """Leader, and lead -> answer -> what follows."""
    here = menu()
    leader, leads = melee.menu_of(duel.game, position, here)
    found, start = {}, 0
    for k in range(leads):
        end = int(here.end[k])
        found[int(here.lead[k])] = {int(here.answer[j]): int(here.next[j]) for j in range(start, end)}
        start = end
    return leader, found


def line(duel: Duel, position: int, *steps: tuple[int, int, int]) -> int:
    """Play (side, lead, answer) one after another."""
    for side, lead, answer in steps:
        leader, leads = offer(duel, position)
        assert leader == side
        position = leads[lead][answer]
    return position


def blows(duel: Duel, end: int) -> tuple[int, int]:
    """(On the initiator, on the target) of a finished exchange."""
    assert end < 0
    return divmod(-1 - end, duel.game.kill_0 + 1)


A, B = 0, 1


@pytest.fixture(scope="module")
def swords() -> Duel:
    """Set up for the tests that ask for it, not while tests are collected: it compiles."""
    return face_off(Rules(), Combatant(4, 4, 4, 9), Combatant(4, 4, 4, 7))


def test_full_example(swords: Duel) -> None:
    """TV21: Guard 5; attack 4 parried by 5; attack 4 parried by 6; both empty, nobody hurt."""
    start = roll(swords, tape([2, 4, 5, 6, 1, 4, 5, 5]))
    leader, leads = offer(swords, start)
    assert leader == A
    assert leads.keys() == {6, 5, 4, GUARD + 5, GUARD + 4}
    after_guard = line(swords, start, (A, GUARD + 5, TAKE))
    leader, leads = offer(swords, after_guard)
    assert (leader, leads.keys()) == (A, {6, 4})  # 4, 6 against 4, 5; Guard is used
    assert leads[4].keys() == {TAKE, 5}
    handed = line(swords, after_guard, (A, 4, 5))
    leader, leads = offer(swords, handed)
    assert (leader, leads.keys()) == (B, {4})  # 6 against 4
    assert leads[4].keys() == {TAKE, 6}
    assert blows(swords, line(swords, handed, (B, 4, 6))) == (0, 0)


def test_alternative_line(swords: Duel) -> None:
    """TV22: an attack with 6 must be taken; 4 HP lost; A keeps the initiative with 4, 5 against 4, 5, 5."""
    start = roll(swords, tape([2, 4, 5, 6, 1, 4, 5, 5]))
    assert offer(swords, start)[1][6].keys() == {TAKE}
    leader, leads = offer(swords, line(swords, start, (A, 6, TAKE)))
    assert (leader, leads.keys()) == (A, {5, 4, GUARD + 5, GUARD + 4})
    assert leads[4].keys() == {TAKE, 5}
    assert blows(swords, line(swords, start, (A, 6, TAKE), (A, 5, TAKE))) == (0, 2)  # the forced kill of 23.6


def test_unequal_damage() -> None:
    """TV23: A 7 HP Damage 4 with 4, 5 attacks B 9 HP Damage 2 with 5, 6: one blow each, 7 -> 5 and 9 -> 5, neither
    Injured."""
    duel = face_off(Rules(), Combatant(2, 4, 4, 7), Combatant(2, 4, 2, 9))
    start = roll(duel, tape([4, 5, 5, 6]))
    parried = line(duel, start, (A, 4, 5))
    leader, leads = offer(duel, parried)
    assert (leader, {lead: set(answers) for lead, answers in leads.items()}) == (B, {6: {TAKE}})
    last = line(duel, parried, (B, 6, TAKE))
    leader, leads = offer(duel, last)
    assert (leader, {lead: set(answers) for lead, answers in leads.items()}) == (A, {5: {TAKE}})  # B21: B is empty
    x, y = blows(duel, line(duel, last, (A, 5, TAKE)))
    assert (7 - 2 * x, 9 - 4 * y) == (5, 5)
    assert not is_injured(Rules(), 5, 7)
    assert not is_injured(Rules(), 5, 9)


def test_no_successes_hand_over(swords: Duel) -> None:
    """RULING 49: an initiator without successes hands over at once; two empty pools end the exchange."""
    start = roll(swords, tape([1, 2, 3, 3, 4, 6, 1, 1]))
    leader, leads = offer(swords, start)
    assert (leader, leads.keys()) == (B, {6, 4})
    assert blows(swords, roll(swords, tape([1] * 8))) == (0, 0)


def test_guard_needs_two_normal_dice() -> None:
    """B18, RULING 48: a six is neither the target nor the price of Guard; faces under the worse Hit are nobody's."""
    duel = face_off(Rules(), Combatant(2, 4, 4, 9), Combatant(2, 5, 4, 9))
    _, leads = offer(duel, roll(duel, tape([6, 5, 6, 5])))
    assert leads.keys() == {6, 5, GUARD + 5}
    _, leads = offer(duel, roll(duel, tape([4, 6, 4, 6])))
    assert leads.keys() == {6, 4}
    unguarded = face_off(Rules(guard=0), Combatant(2, 4, 4, 9), Combatant(2, 5, 4, 9))
    assert offer(unguarded, roll(unguarded, tape([6, 5, 6, 5])))[1].keys() == {6, 5}
