"""Engagements: one against one is the exact duel; several a side are checked rule by rule with written dice.

Sampled tests: seeded, n and false-alarm rate beside each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, norm

from morsdei_sim.dice.tape import tape, used_up
from morsdei_sim.errors import UserError
from morsdei_sim.fight import sample
from morsdei_sim.fight.run import Run
from morsdei_sim.rulesets.club import bots, skirmish
from morsdei_sim.rulesets.club.cards import Entrant
from morsdei_sim.rulesets.club.duel import duel
from morsdei_sim.rulesets.club.engagement import engagement, muster
from morsdei_sim.rulesets.club.field import CONTACT, Field, clear_way, engaged, gap, nearest_enemy
from morsdei_sim.rulesets.club.harm import DEAD, DYING, UP
from morsdei_sim.rulesets.club.rules import PRINTED, QUARTERS, Rules
from tests.rooms.club_cards import card, made

RIFLE = {"id": "rifle", "kind": "ranged", "range": 24.0, "shots": 2, "strength": "4"}
PISTOL = {"id": "pistol", "kind": "pistol", "range": 12.0, "shots": 1, "strength": "4"}
BLADE = {"id": "blade", "kind": "melee", "shots": 2}

TRIALS = 40_000
FALSE_ALARM = 1e-6


# ── one against one ──

NO_RUNS = PRINTED._replace(run_dice=0)
"""Nobody runs in the reference script."""


def steady(name: str, **changes: Any) -> Entrant:
    return Entrant(card(name).card.model_copy(update={"leadership": 12, **changes}), name)


def compare(one: Entrant, other: Entrant, plans: tuple[str, str], rules: Rules, last: int, distance: float) -> None:
    """Winner and round of TRIALS engagements against the exact duel, up to a round; the rest is one class."""
    how = {"distance": distance, "first": "attacker", "rules": rules}
    exact = duel(one, other, attacker_plan=plans[0], target_plan=plans[1], limit=2 * last, **how)
    run = Run("sample", trials=TRIALS, seed=11)
    found = engagement([one], [other], run, attacker_bot=plans[0], target_bot=plans[1], **how)
    expected, counts = np.zeros((2, last)), np.zeros((2, last))
    turns = exact.reading("turns").values
    rounds = found.reading("rounds").values
    for n, name in enumerate(("attacker_wins", "target_wins")):
        for round_ in range(1, last + 1):
            now = (exact.reading(name).values == 1) & ((turns + 1) // 2 == round_)
            expected[n, round_ - 1] = exact.weights[now].sum() * TRIALS
            counts[n, round_ - 1] = found.weights[(found.reading(name).values == 1) & (rounds == round_)].sum()
    assert counts[expected == 0].sum() == 0
    common = expected >= 10
    rest = TRIALS - expected[common].sum(), TRIALS - counts[common].sum()
    statistic = ((counts[common] - expected[common]) ** 2 / expected[common]).sum()
    statistic += (rest[1] - rest[0]) ** 2 / rest[0] if rest[0] >= 10 else 0.0
    assert common.sum() >= 3
    assert statistic < chi2.isf(FALSE_ALARM, int(common.sum()))


@pytest.mark.parametrize(
    ("one", "other", "plans"),
    [
        ("marine", "gunner", ("rush", "hold")),
        ("veteran", "ork_boss", ("hold", "rush")),
        ("preacher", "ork", ("rush", "rush")),
        ("ork_boss", "preacher", ("rush", "hold")),
    ],
)
def test_one_against_one_is_the_duel(one: str, other: str, plans: tuple[str, str]) -> None:
    """Without flights (Leadership 12) and runs, whole engagements up to round 12: n = 40,000, rate 1e-6."""
    compare(
        steady(one, pistol=None if one == "veteran" else card(one).card.pistol), steady(other), plans, NO_RUNS, 12, 20.0
    )


@pytest.mark.parametrize(("one", "other"), [("marine", "marine"), ("marine", "ork")])
def test_one_against_one_with_flights(one: str, other: str) -> None:
    """With Leadership checks, up to round 2, on a table too large to run off it: n = 40,000, rate 1e-6."""
    timid = (Entrant(card(name).card.model_copy(update={"leadership": 4}), name) for name in (one, other))
    compare(*timid, ("rush", "rush"), NO_RUNS._replace(table=96), 2, 8.0)  # type: ignore[misc]


def test_first_and_second_side_exchanged() -> None:
    """The same engagement told from the other side: n = 30,000 each, two-sided rate 1e-6."""
    run = Run("sample", trials=30_000, seed=5)
    there = engagement("guard", "orks", run, first="attacker").value("attacker_wins")
    back = engagement("orks", "guard", Run("sample", trials=30_000, seed=6), first="target").value("target_wins")
    spread = (there * (1 - there) * 2 / 30_000) ** 0.5
    assert abs(there - back) < norm.isf(5e-7) * spread


def test_jobs_change_nothing_and_figures_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "CHUNK", 4096)  # so that few trials are several chunks
    found = [engagement("guard", "orks", Run("sample", trials=20_000, seed=3, jobs=jobs)) for jobs in (1, 2)]
    assert (found[0].weights == found[1].weights).all()
    assert found[0].settings == found[1].settings
    one = found[0]
    assert one.value("attacker_wins") + one.value("target_wins") + one.value("undecided") == pytest.approx(1)
    losses = sum(one.value(f"target_losses_{name}") for name in ("ork", "ork_boss"))
    assert losses == pytest.approx(2 - one.value("mean_target_survivors"))
    kills = sum(one.value(found.name) for found in one.readings if found.name.startswith("mean_kills_attacker_"))
    assert kills == pytest.approx(losses)  # nobody hits a friend: the bots do not shoot into fights
    low, high = one.interval("mean_kills_attacker_veteran")
    assert low < one.value("mean_kills_attacker_veteran") < high


# ── several a side, with written dice ──


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rolls come from the tape that a test hands over as its dice."""
    monkeypatch.setattr(skirmish, "next_dice", lambda dice, _field: dice)


def drawn_up(
    ours: list[tuple[Entrant, float, float]], theirs: list[tuple[Entrant, float, float]], bot: str = "rush"
) -> Field:
    """A field with everybody at a place in inches."""
    squads = [one for one, _x, _y in ours], [one for one, _x, _y in theirs]
    ready = muster(PRINTED, squads, (bot, bot), (0, 0), 24.0)
    field = ready.field()
    skirmish.deploy(field, ready.start)
    n = 0
    for one, x, y in ours + theirs:
        for model in range(one.card.count):
            field.x[n], field.y[n] = x * QUARTERS, (y + model) * QUARTERS
            n += 1
    return field


SOLDIER = made(hero=False, endurance=1, leadership=12, weapon=(RIFLE, BLADE))
FIGHTER = made(hero=False, endurance=1, leadership=12, weapon=(BLADE,))


@pytest.mark.usefixtures("written")
def test_the_nearest_of_a_unit_fall_first() -> None:
    """R14: three of one card; the nearest dies of the first hit, the next of the second."""
    trio = made(name="trio", hero=False, endurance=1, count=3, leadership=12, weapon=(BLADE,))
    field = drawn_up([(SOLDIER, 10, 20)], [(trio, 20, 20)], "hold")
    field.y[1:] = 22 * QUARTERS, 20 * QUARTERS, 21 * QUARTERS  # not in the order of their numbers
    assert bots.choose_shot(PRINTED, field, 0, 0, False, False)[0] == 2
    dice = tape([4, 3, 1, 4, 3, 1])
    skirmish.shoots(PRINTED, dice, field, 0, False)
    assert used_up(dice)
    assert [int(life) for life in field.life[1:]] == [UP + 1, DEAD, DEAD]
    assert field.kills[0] == 2


@pytest.mark.usefixtures("written")
def test_single_characters_are_no_unit() -> None:
    """Cards of their own: shots left over when the target has died are lost."""
    other = made(name="other", hero=False, endurance=1, leadership=12, weapon=(BLADE,))
    field = drawn_up([(SOLDIER, 10, 20)], [(FIGHTER, 20, 20), (other, 21, 20)], "hold")
    dice = tape([4, 3, 1])
    skirmish.shoots(PRINTED, dice, field, 0, False)
    assert used_up(dice)
    assert [int(life) for life in field.life[1:]] == [DEAD, UP + 1]


@pytest.mark.usefixtures("written")
def test_misses_into_a_fight_hit_the_friend() -> None:
    """R63, RULING 33: only with the bots' option; a miss is a hit on the friend, pierce and save rolled."""
    field = drawn_up([(SOLDIER, 10, 20), (FIGHTER, 20, 20)], [(made(name="foe", endurance=1), 20.5, 20)], "hold")
    assert bots.choose_shot(PRINTED, field, 0, 0, False, False)[0] == -1
    dice = tape([2, 4, 2, 3])  # a miss, S4 > T3 pierces on 3+, 2 does not save: the friend is dead; then a plain miss
    skirmish.shoots(PRINTED, dice, field, 0, True)
    assert used_up(dice)
    assert int(field.life[1]) == DEAD
    assert field.kills[0] == 0  # a friend is no kill
    assert int(field.life[2]) == UP + 1


@pytest.mark.usefixtures("written")
def test_overwatch_attack_and_strikes() -> None:
    """R17-R24, R60: two shots of overwatch miss, 6 inches are rolled, the attacker strikes and kills."""
    field = drawn_up([(FIGHTER, 10, 20)], [(SOLDIER, 16, 20)])
    dice = tape([4, 4, 3, 3])
    reached = skirmish.attacks(PRINTED, dice, field, 0)
    assert used_up(dice)
    assert reached == 1
    assert gap(field, 0, 1) == pytest.approx(CONTACT)
    assert engaged(PRINTED, field, 0, 1)
    dice = tape([4, 4, 1])  # hit, pierced, not saved: dead; the second strike finds nobody of the unit
    skirmish.fights(PRINTED, dice, field, 0, 1, 0)
    assert used_up(dice)
    assert int(field.life[1]) == DEAD


@pytest.mark.usefixtures("written")
def test_the_tied_up_fire_no_overwatch() -> None:
    """RULING 15; and a failed attack ends at least 1 inch off (RULING 13)."""
    field = drawn_up([(FIGHTER, 10, 20), (FIGHTER, 16.5, 20)], [(SOLDIER, 16, 20)])
    dice = tape([1, 2])
    assert skirmish.attacks(PRINTED, dice, field, 0) == -1
    assert used_up(dice)
    assert gap(field, 0, 2) == pytest.approx(3 * QUARTERS)


@pytest.mark.usefixtures("written")
def test_going_on_after_a_kill() -> None:
    """R25-R26, RULING 20, D10: 3 inches on; whom that engages strikes at once; not at a stronger striker."""
    weak = made(name="weak", hero=False, acc_melee=6, leadership=12, weapon=({**BLADE, "shots": 1},))
    strong = made(name="strong", hero=False, acc_melee=2, strength=8, leadership=12, weapon=({**BLADE, "shots": 4},))
    field = drawn_up([(FIGHTER, 10, 20)], [(weak, 13, 20), (strong, 10, 30)])
    field.fight[:] = 0
    field.fight[0] = 2
    dice = tape([6, 4, 1])
    skirmish.goes_on(PRINTED, dice, field, 0)
    assert used_up(dice)
    assert gap(field, 0, 1) == pytest.approx(CONTACT)
    assert int(field.life[0]) == DEAD
    field = drawn_up([(FIGHTER, 10, 20)], [(strong, 13, 20)])
    skirmish.goes_on(PRINTED, tape([]), field, 0)
    assert gap(field, 0, 1) == pytest.approx(3 * QUARTERS)


@pytest.mark.usefixtures("written")
def test_a_standing_fight_of_three() -> None:
    """RULING 17, R61: in the turn of side B all in the combat strike, the player's two first; others wait."""
    two = made(name="two", hero=False, endurance=2, leadership=12, weapon=({**BLADE, "shots": 1},))
    far = made(name="far", hero=False, leadership=12, weapon=(BLADE,))
    field = drawn_up([(two, 20, 20), (two, 20, 20.6), (far, 40, 40)], [(two, 20.5, 20)])
    dice = tape([4, 4, 1, 4, 4, 5, 1])  # the first: unsaved; the second: saved; the one attacked: misses
    skirmish.fights(PRINTED, dice, field, 3, -1, 0)
    assert used_up(dice)
    assert int(field.life[3]) == UP + 1
    assert int(field.life[2]) == UP + 1
    only_own = PRINTED._replace(fight_turns=1)
    dice = tape([1])  # by the switch the active one strikes alone
    skirmish.fights(only_own, dice, field, 3, -1, 0)
    assert used_up(dice)


@pytest.mark.usefixtures("written")
def test_raising_a_friend() -> None:
    """R38-R39, RULING 27, D11: within 3 inches, not while tied up; 4+ and a D4."""
    hero = made(name="hero", endurance=3, leadership=12, weapon=(BLADE,))
    field = drawn_up([(SOLDIER, 10, 20), (hero, 13, 20)], [(FIGHTER, 40, 20)])
    field.life[1] = DYING + 2
    dice = tape([4, 2])
    assert skirmish.tries_to_raise(PRINTED, dice, field, 0)
    assert used_up(dice)
    assert int(field.life[1]) == UP + 2
    field.life[1] = DYING
    field.x[0] = 9.9 * QUARTERS
    assert not skirmish.tries_to_raise(PRINTED, tape([]), field, 0)
    field.x[0], field.x[2] = 10 * QUARTERS, 10.5 * QUARTERS
    assert not skirmish.tries_to_raise(PRINTED, tape([]), field, 0)


@pytest.mark.usefixtures("written")
def test_moves() -> None:
    """R5-R8: straight on to 1 inch, not through another enemy's inch; a run when nothing else could be done."""
    field = drawn_up([(FIGHTER, 10, 20)], [(FIGHTER, 14, 20)])
    assert not skirmish.rushes(PRINTED, tape([]), field, 0)
    assert gap(field, 0, 1) == pytest.approx(1 * QUARTERS)
    assert not engaged(PRINTED, field, 0, 1)
    field = drawn_up([(FIGHTER, 2, 20)], [(FIGHTER, 40, 20)])
    assert skirmish.rushes(PRINTED, tape([5]), field, 0)
    assert field.x[0] == pytest.approx((2 + 6 + 5) * QUARTERS)
    field = drawn_up([(FIGHTER, 10, 20)], [(FIGHTER, 30, 20), (FIGHTER, 14, 20.5)])
    assert clear_way(PRINTED, field, 0, 1.0, 0.0, 40.0) == pytest.approx((4 - 0.75**0.5) * QUARTERS)


@pytest.mark.usefixtures("written")
def test_kite_and_leaving_combat() -> None:
    """D2, R9-R11: keeps the enemy just inside its range; leaves combat at SPEED and then neither shoots nor attacks."""
    archer = made(name="archer", hero=False, leadership=12, weapon=({**RIFLE, "range": 18.0}, BLADE))
    field = drawn_up([(archer, 20, 20)], [(FIGHTER, 30, 20)], "kite")
    skirmish.keeps_away(PRINTED, field, 0)
    assert gap(field, 0, 1) == pytest.approx(16 * QUARTERS)
    field = drawn_up([(archer, 20, 20)], [(FIGHTER, 20.5, 20)], "kite")
    dice = tape([])
    skirmish.takes_turn(PRINTED, dice, field, 0, 0, False)
    assert used_up(dice)
    assert gap(field, 0, 1) == pytest.approx(6.5 * QUARTERS)


@pytest.mark.usefixtures("written")
def test_flights() -> None:
    """R29, RULING 28-29: everybody hurt tests; away from the nearest enemy, to the edge at most."""
    timid = made(name="timid", hero=False, leadership=3, endurance=5, weapon=(BLADE,))
    field = drawn_up([(timid, 10, 20), (timid, 4, 30)], [(FIGHTER, 10.5, 20)])
    field.hurt[:] = 1, 2, 0
    dice = tape([3, 1, 1, 1, 2, 6, 6, 6])
    skirmish.checks(PRINTED, dice, field)
    assert used_up(dice)
    assert field.x[0] == pytest.approx(7 * QUARTERS)
    assert field.x[1] == pytest.approx(0)
    assert not field.hurt.any()


def test_distances_and_targets() -> None:
    """RULING 34: ties go to the lower index; the dead are nobody."""
    field = drawn_up([(FIGHTER, 10, 20)], [(FIGHTER, 14, 20), (FIGHTER, 6, 20)])
    assert nearest_enemy(field, 0) == 1
    field.life[1] = DEAD
    assert nearest_enemy(field, 0) == 2


@pytest.mark.usefixtures("written")
def test_pistols_in_combat_and_the_empty_gun() -> None:
    """R62: tied up only the pistol fires; R13: one who fires nothing reloads, unless tied up."""
    armed = made(name="armed", hero=False, leadership=12, weapon=({**RIFLE, "magazine": 4}, PISTOL, BLADE))
    field = drawn_up([(armed, 20, 20)], [(FIGHTER, 20.5, 20)])
    dice = tape([1])
    skirmish.shoots(PRINTED, dice, field, 0, False)
    assert used_up(dice)
    field = drawn_up([(armed, 2, 20)], [(FIGHTER, 40, 20)])
    field.ranged[0] = 0
    skirmish.shoots(PRINTED, tape([]), field, 0, False)
    assert int(field.ranged[0]) == 4


# ── what is refused ──


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"run": Run("exact")}, "sample"),
        ({"distance": 49.0}, "48"),
        ({"distance": 0.5}, "1 to"),
        ({"attacker": [made(count=20), made(name="more")]}, "20"),
        ({"attacker": " "}, "nothing"),
    ],
)
def test_refusals(how: dict[str, Any], words: str) -> None:
    asked = {"attacker": "guard", "target": "orks", **how}
    with pytest.raises(UserError, match=words):
        engagement(asked.pop("attacker"), asked.pop("target"), asked.pop("run", Run()), **asked)


@pytest.mark.usefixtures("written")
def test_piling_in() -> None:
    """R24, RULING 19, D8: nearer to the target before the strikes, but into the 1-inch zone of no other enemy."""
    field = drawn_up([(FIGHTER, 20, 20)], [(FIGHTER, 20.9, 20)])
    dice = tape([1, 1])
    assert not skirmish.strikes(PRINTED, dice, field, 0, 1)
    assert used_up(dice)
    assert gap(field, 0, 1) == pytest.approx(CONTACT)
    other = made(name="other", hero=False, leadership=12, weapon=(BLADE,))
    field = drawn_up([(FIGHTER, 20, 20)], [(FIGHTER, 20.9, 20), (other, 21.2, 20)])
    skirmish.strikes(PRINTED, tape([1, 1]), field, 0, 1)
    assert gap(field, 0, 1) == pytest.approx(0.9 * QUARTERS)


@pytest.mark.usefixtures("written")
def test_strikes_left_over_go_to_the_unit() -> None:
    """RULING 34: in melee likewise, to models of the unit in the same combat; not to somebody else."""
    pair = made(name="pair", hero=False, endurance=1, count=2, leadership=12, weapon=(BLADE,))
    field = drawn_up([(FIGHTER, 20, 20)], [(pair, 20.5, 20)])
    field.y[2] = 20.2 * QUARTERS
    dice = tape([4, 4, 1, 4, 4, 1])
    assert skirmish.strikes(PRINTED, dice, field, 0, -1)
    assert used_up(dice)
    assert field.kills[0] == 2
