"""Whole questions about Club: symmetry, monotony, magazines and pistols, what is refused, and how long it takes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import pytest

from morsdei_sim.api.ask import ask
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.fight.outcome import Outcome
from morsdei_sim.rulesets import room
from morsdei_sim.rulesets.club.activations import activations
from morsdei_sim.rulesets.club.cards import Entrant, entrant
from morsdei_sim.rulesets.club.charge import charge
from morsdei_sim.rulesets.club.duel import duel
from morsdei_sim.rulesets.club.exchange import melee
from morsdei_sim.rulesets.club.rules import BOUNDS, CHOICES, PRINTED, USUAL, Rules
from morsdei_sim.rulesets.club.volley import shoot
from morsdei_sim.rulesets.club.wounds import wounds
from tests.rooms.club_cards import SQUADS, card, made

GUN = {"id": "gun", "kind": "ranged", "range": 24.0, "shots": 3, "strength": "4"}
PISTOL = {"id": "pistol", "kind": "pistol", "range": 12.0, "shots": 1, "strength": "4"}
BLADE = {"id": "blade", "kind": "melee", "shots": 2}


def changed_card(name: str, **changes: Any) -> Entrant:
    return Entrant(card(name).card.model_copy(update=changes), name)


# ── distributions ──


@pytest.mark.parametrize("attacker", SQUADS)
@pytest.mark.parametrize("target", ["guardsman", "veteran", "ork_boss"])
def test_chances_sum_to_one(attacker: str, target: str) -> None:
    one, other = card(attacker), card(target)
    for found in (
        shoot(one, other), melee(one, other), charge(one, other, distance=5.0), duel(one, other, distance=9.0),
        activations(one, other), wounds(one, blows=3, mortal=2),
    ):  # fmt: skip
        assert found.weights.sum() == pytest.approx(1, abs=1e-12)
        assert (found.weights >= 0).all()


@pytest.mark.parametrize("name", SQUADS)
def test_a_mirror_is_fair_when_both_are_the_player_in_turn(name: str) -> None:
    """RULING 2: one half each, and the first side's advantage is what separates the two runs."""
    found = duel(card(name), card(name), distance=12.0, first="both")
    assert found.value("attacker_wins") == pytest.approx(0.5, abs=1e-9)
    first, second = (duel(card(name), card(name), distance=12.0, first=who) for who in ("attacker", "target"))
    gap = first.value("attacker_wins") - second.value("attacker_wins")
    assert found.value("first_side_advantage") == pytest.approx(gap, abs=1e-9)
    assert gap > 0
    assert first.value("attacker_wins") == pytest.approx(second.value("target_wins"), abs=1e-12)


@pytest.mark.parametrize("first", ["attacker", "target"])
def test_names_do_not_matter(first: str) -> None:
    """Attacker and target exchanged, the same one being the player: the same duel."""
    there = duel(card("preacher"), card("ork_boss"), distance=10.0, first=first)
    other = "target" if first == "attacker" else "attacker"
    back = duel(card("ork_boss"), card("preacher"), distance=10.0, first=other)
    assert there.value("attacker_wins") == pytest.approx(back.value("target_wins"), abs=1e-12)
    assert there.value("mean_turns") == pytest.approx(back.value("mean_turns"), abs=1e-9)


# ── better is not worse ──


@pytest.mark.parametrize("attacker", ["guardsman", "veteran", "gunner", "marine"])
@pytest.mark.parametrize("target", ["guardsman", "veteran", "marine", "ork_boss"])
def test_better_shooting_and_worse_targets(attacker: str, target: str) -> None:
    """Mean damage never falls when the shooter is better or the target worse, and cover never raises it."""

    def harm(one: Entrant, other: Entrant, **how: Any) -> float:
        return shoot(one, other, **how).value("mean_damage")

    one, other = card(attacker), card(target)
    now = harm(one, other) + 1e-12
    assert harm(changed_card(attacker, acc_ranged=one.card.acc_ranged + 1), other) <= now
    assert harm(one, changed_card(target, save=other.card.save - 1)) <= now
    assert harm(one, changed_card(target, toughness=other.card.toughness + 1)) <= now
    covers = [harm(one, other, cover=cover) for cover in (0, 1, 2)]
    assert covers == sorted(covers, reverse=True)
    shots = [harm(one, other, shots=n) for n in (1, 2, 3, 4)]
    assert shots == sorted(shots)
    dead = [shoot(one, changed_card(target, endurance=n), shots=4).value("kill") for n in (1, 2, 3)]
    assert dead == sorted(dead, reverse=True)


def test_a_dying_hero_costs_more() -> None:
    """RULING 24: the same card as a hero is never dead sooner."""
    hero, plain = made(endurance=2, hero=True), made(endurance=2, hero=False)
    gunner = card("gunner")
    assert shoot(gunner, hero).value("kill") < shoot(gunner, plain).value("kill")
    assert activations(gunner, hero).value("mean_turns") > activations(gunner, plain).value("mean_turns")


def test_dying_until_dead_by_duels() -> None:
    """Chapter 3: to end a duel already when a hero is dying, hero = false is the same game."""
    plain = changed_card("veteran", hero=False)
    shot = activations(card("gunner"), card("veteran"), until="dying").value("mean_turns")
    assert activations(card("gunner"), plain).value("mean_turns") == pytest.approx(shot, abs=1e-9)


# ── magazines and pistols (R13, R57-R59, R62, RULING 30-31) ──


def test_a_large_magazine_is_never_empty() -> None:
    """Large: 12 turns of 3 shots."""
    unlimited, large = made(weapon=(GUN,)), made(weapon=({**GUN, "magazine": 36},))
    target = made(weapon=(BLADE,))
    first_turns = [activations(one, target).distribution("turns")[1] for one in (large, unlimited)]
    assert first_turns[0] == first_turns[1]
    plan = {"attacker_plan": "hold", "target_plan": "rush", "distance": 20.0, "limit": 12}
    assert duel(large, target, **plan).value("attacker_wins") == pytest.approx(
        duel(unlimited, target, **plan).value("attacker_wins"), abs=1e-12
    )


def test_turns_with_a_magazine_of_one_volley() -> None:
    """3 shots, magazine 3: 3 shots, then 1 while reloading, then the 2 that are left, then 1 …"""
    one = made(acc_ranged=2, weapon=({**GUN, "magazine": 3, "strength": "9"},))
    other = made(save=7, toughness=1, hero=False)
    miss = 1 - 25 / 36
    chances = activations(one, other, limit=4).distribution("turns")
    left = 1.0
    for turn, shots in enumerate((3, 1, 2, 1), 1):
        assert chances[turn] == pytest.approx(left * (1 - miss**shots), abs=1e-12)
        left *= miss**shots


def test_a_single_shot_is_silent_every_second_turn() -> None:
    """R58: fires, reloads, fires: twice the turns less one."""
    one = made(weapon=({**GUN, "shots": 1, "magazine": 1},))
    free = made(weapon=({**GUN, "shots": 1},))
    other = made(hero=False)
    mean = activations(free, other).value("mean_turns")
    assert activations(one, other).value("mean_turns") == pytest.approx(2 * mean - 1, rel=1e-9)
    assert activations(one, other, discharged=True).value("mean_turns") == pytest.approx(2 * mean, rel=1e-9)


def test_an_empty_gun_gives_way_to_the_pistol() -> None:
    """D4: one shot cannot be halved, so the pistol fires instead; without a pistol every second turn is silent."""
    lone = made(weapon=({**GUN, "shots": 1, "magazine": 1},))
    both = made(weapon=({**GUN, "shots": 1, "magazine": 1}, PISTOL))
    plan = {"attacker_plan": "hold", "target_plan": "hold", "distance": 10.0, "leadership": "off"}
    silent, armed = (duel(one, made(hero=False), **plan).value("mean_turns") for one in (lone, both))
    assert armed < silent


def test_pistols_fire_in_combat_and_rifles_do_not() -> None:
    """R62: in close combat (no distance) only the pistol does harm."""
    target = made(hero=False, toughness=3, save=7)
    plan = {"attacker_plan": "hold", "target_plan": "hold", "distance": 0.0, "leadership": "off", "limit": 5}
    assert duel(made(weapon=(GUN,)), target, **plan).value("attacker_wins") == 0
    assert duel(made(weapon=(PISTOL,)), target, **plan).value("attacker_wins") > 0.5


def test_a_pistol_besides_the_gun() -> None:
    """RULING 31: only with the switch."""
    both, gun = made(weapon=(GUN, PISTOL)), made(weapon=(GUN,))
    plan = {"attacker_plan": "hold", "target_plan": "hold", "distance": 10.0, "limit": 20}
    target, extra = made(hero=False), PRINTED._replace(pistol_extra_shot=1)
    assert duel(both, target, **plan).value("mean_turns") == duel(gun, target, **plan).value("mean_turns")
    assert duel(both, target, rules=extra, **plan).value("mean_turns") < duel(gun, target, **plan).value("mean_turns")


def test_two_who_cannot_reach_each_other() -> None:
    """Nobody can ever win: undecided, and the mean number of turns is infinite."""
    found = duel(made(), made(), attacker_plan="hold", target_plan="hold", distance=48.0)
    assert found.value("undecided") == 1
    assert math.isinf(found.value("mean_turns"))


# ── shooting into a fight ──


def test_all_misses_hit_the_ally() -> None:
    """R63: who cannot hit the foe only harms the ally."""
    blind = made(acc_ranged=7, weapon=({**GUN, "shots": 4},))
    found = shoot(blind, card("ork"), ally=made(endurance=1, hero=False, save=7))
    assert found.value("kill") == 0
    assert found.value("ally_kill") == pytest.approx(1 - (1 / 3) ** 4, abs=1e-12)


# ── wounds and raising ──


def test_flight_and_raising() -> None:
    hero = made(endurance=2, leadership=1)
    found = wounds(hero, blows=2, raise_attempts=2)
    assert found.value("flees") == 1
    assert min(found.distribution("flee_distance")) == 3
    assert found.value("raised") == pytest.approx(0.75)
    assert found.distribution("endurance_after_raise") == pytest.approx({0: 0.25, 1: 0.1875, 2: 0.5625})
    assert found.value("up") == found.value("raised")


# ── what is refused ──


REFUSED: list[tuple[Any, str]] = [
    (lambda: shoot(card("preacher"), card("ork"), weapon="lasgun"), "no such weapon"),
    (lambda: shoot(made(weapon=(BLADE,)), card("ork")), "no weapon of this kind"),
    (lambda: shoot(card("guardsman"), card("ork"), distance=25.0), "R42"),
    (lambda: shoot(card("guardsman"), card("ork"), attacker_dying=True), "RULING 24"),
    (lambda: shoot(card("guardsman"), card("ork"), overwatch=True, reload=True), "RULING 15"),
    (lambda: shoot(card("guardsman"), card("ork"), target_endurance=2), "ENDURANCE"),
    (lambda: shoot(card("guardsman"), card("ork"), target_dying=True), "RULING 24"),
    (lambda: shoot(card("guardsman"), card("veteran"), target_avoid_rolls=2), "R34"),
    (lambda: melee(made(), card("ork")), "no weapon of this kind"),
    (lambda: charge(card("ork"), card("guardsman"), distance=0.5), "close combat"),
    (lambda: charge(card("ork"), card("guardsman"), distance=6.25), "half inches"),
    (lambda: duel(card("ork"), card("guardsman"), distance=49.0), "48"),
    (lambda: wounds(card("veteran"), damage="D100"), "D3"),
    (lambda: wounds(card("guardsman"), dying=True), "RULING 24"),
    (lambda: activations(card("guardsman"), card("ork"), until="dying"), "RULING 24"),
    (lambda: activations(card("guardsman"), card("ork"), discharged=True), "RULING 30"),
    (lambda: entrant("4d6 4+ 4"), "guard/guardsman"),
    (lambda: entrant(" "), "nothing"),
    (lambda: room("club").rules({"avoid_neid": 3}), "avoid_need"),
    (lambda: room("club").rules({"overwatch_need": 8}), "1 to 7"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "words"), REFUSED)
def test_refusals_say_why(asked: Any, words: str) -> None:
    with pytest.raises(UserError, match=words):
        asked()


def test_flags_are_checked() -> None:
    for wrong in ({"cover": 3}, {"shots": 21}, {"target_endurance": -1}, {"prone": True}):
        with pytest.raises(UserError):
            ask("shoot", "guard/guardsman", "orks/ork", ruleset="club", **wrong)


# ── cards ──


@pytest.mark.parametrize(
    ("weapon", "words"),
    [
        ({**GUN, "strength": "user"}, "RULING 5"),
        ({**GUN, "range": 0.0}, "R42"),
        ({**BLADE, "range": 1.0}, "R42"),
        ({**GUN, "damage": "0"}, "1 to 40"),
        ({**GUN, "damage": "9D6"}, "1 to 40"),
        ({**GUN, "strength": "strong"}, "user"),
        ({**GUN, "ap": -7}, "greater than or equal"),
    ],
)
def test_weapons_out_of_bounds(weapon: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        made(weapon=(weapon,))


def test_weapons_as_designers_write_them() -> None:
    found = made(weapon=({**GUN, "ap": -3, "damage": "2д3", "strength": " 7 "},)).card.weapon[0]
    assert (found.ap, found.damage, found.strength, found.name) == (-3, "2D3", "7", "gun")
    with pytest.raises(ValueError, match="less than or equal to 0"):  # RULING 7: as printed, negative
        made(weapon=({**GUN, "ap": 3},))


def test_slots() -> None:
    """R66: one weapon of each kind; two that fit and no slot is a fault; the slot decides."""
    rifle = {**GUN, "id": "rifle"}
    with pytest.raises(ValueError, match="R66"):
        made(weapon=(GUN, rifle))
    assert made(weapon=(GUN, rifle), ranged="rifle").card.ready("ranged").id == "rifle"  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="R66"):
        made(weapon=(GUN,), pistol="gun")
    with pytest.raises(ValueError, match="no such weapon"):
        made(weapon=(GUN,), melee="sword")
    assert made(weapon=(GUN,)).card.melee is None


def test_a_card_in_russian(tmp_path: Any) -> None:
    """Keys in Russian need quotes in TOML; faces as printed, the weapons in the same file."""
    file = tmp_path / "отряд.toml"
    file.write_text(
        '''
[[weapon]]
"название" = "x"
''', encoding="utf-8",
    )  # fmt: skip
    with pytest.raises(CardFaults):
        entrant(f"{file}/x")
    file.write_text(
        '''
[[weapon]]
id = "ружьё"
"вид" = "стрелковое"
"дальность" = "18"
"сила" = 4
"б/п" = "-1"
"урон" = "Д3"

[[fighter]]
"имя" = "Гвардеец"
"скорость" = 6
"точность" = "4+"
"точность ближнего боя" = "5+"
"сила" = 3
"стойкость" = 3
"спасбросок" = "5+"
"выносливость" = 2
"лидерство" = 7
"герой" = "да"
"стрелковое" = "ружьё"
''', encoding="utf-8",
    )  # fmt: skip
    found = entrant(f"{file}/гвардеец").card
    arm = found.ready("ranged")
    assert (found.acc_ranged, found.acc_melee, found.save, found.hero) == (4, 5, 5, True)
    assert arm is not None
    assert (arm.strength, arm.ap, arm.damage, arm.range) == ("4", -1, "D3", 18.0)


# ── the rules as numbers ──


def mean(found: Outcome, name: str) -> float:
    return sum(value * chance for value, chance in found.distribution(name).items())


def shot_of(strength: int, toughness: int) -> Callable[[Rules], float]:
    one, other = made(weapon=({**GUN, "strength": str(strength)},)), made(toughness=toughness)
    return lambda rules: shoot(one, other, rules=rules).value("mean_damage")


HERO = made(endurance=9, leadership=1, acc_ranged=6, save=3, weapon=(GUN, PISTOL, BLADE))
STANDING = {"distance": 0.0, "first": "target"}

MOVED_BY: dict[str, Callable[[Rules], float]] = {
    "keep_off": lambda rules: charge(card("ork"), card("gunner"), rules=rules, distance=4.5).value(
        "mean_advance_of_failure"),
    "reload_divisor": lambda rules: activations(
        made(weapon=({**GUN, "shots": 4, "magazine": 4},)), card("ork"), rules=rules).value("mean_turns"),
    "attack_reach": lambda rules: duel(
        card("ork"), card("guardsman"), rules=rules, distance=20.0, target_plan="hold").value("mean_turns"),
    "overwatch_need": lambda rules: shoot(card("marine"), card("ork"), rules=rules, overwatch=True).value("kill"),
    "attack_dice": lambda rules: charge(card("ork"), card("gunner"), rules=rules).value("charge_succeeds"),
    "flight_dice": lambda rules: mean(wounds(HERO, rules=rules), "flee_distance"),
    "dying_speed_divisor": lambda rules: duel(
        card("gunner"), card("ork_boss"), rules=rules, attacker_plan="hold").value("mean_turns"),
    "dying_penalty": lambda rules: shoot(card("veteran"), card("ork"), rules=rules, attacker_dying=True).value("kill"),
    "avoid_need": lambda rules: wounds(HERO, rules=rules, dying=True).value("dead"),
    "avoid_step": lambda rules: wounds(HERO, rules=rules, dying=True, blows=2).value("dead"),
    "avoid_rise": lambda rules: wounds(HERO, rules=rules, dying=True, blows=2, damage="2").value("dead"),
    "raise_need": lambda rules: wounds(HERO, rules=rules, dying=True, blows=0, raise_attempts=1).value("raised"),
    "raise_sides": lambda rules: mean(
        wounds(HERO, rules=rules, dying=True, blows=0, raise_attempts=1), "endurance_after_raise"),
    "partly_hidden": lambda rules: shoot(card("marine"), card("ork"), rules=rules, cover=1).value("kill"),
    "nearly_hidden": lambda rules: shoot(card("marine"), card("ork"), rules=rules, cover=2).value("kill"),
    "pierce_equal": shot_of(3, 3),
    "pierce_stronger": shot_of(4, 3),
    "pierce_double": shot_of(6, 3),
    "pierce_weaker": shot_of(3, 4),
    "pierce_half": shot_of(3, 6),
    "pierce_ratio": shot_of(6, 3),
    "table": lambda rules: duel(
        card("gunner"), HERO, rules=rules, distance=42.0, attacker_plan="hold").value("mean_turns"),
    "save_one_fails": lambda rules: shoot(card("marine"), HERO, rules=rules, cover=2).value("mean_damage"),
    "hit_six_always": lambda rules: shoot(HERO, card("ork"), rules=rules, attacker_dying=True).value("kill"),
    "charge_need": lambda rules: charge(card("ork"), card("gunner"), rules=rules).value("charge_succeeds"),
    "fight_turns": lambda rules: duel(card("preacher"), card("ork"), rules=rules, **STANDING).value("mean_turns"),
    "pistol_extra_shot": lambda rules: duel(
        HERO, card("ork"), rules=rules, attacker_plan="hold", distance=12.0).value("mean_turns"),
    "first_strike_standing": lambda rules: duel(
        card("preacher"), card("ork"), rules=rules, **STANDING).value("mean_turns"),
}  # fmt: skip
"""For each number of the rules an answer that it moves."""

ONLY_IN_ENGAGEMENTS = {"run_dice", "pile_in", "consolidation", "raise_reach", "run_bars_prior_shooting"}
"""Tested in test_club_engagement.py and, as rules of one move, in test_club_tape.py."""


def test_every_rule_number_has_its_question() -> None:
    assert set(MOVED_BY) | ONLY_IN_ENGAGEMENTS == set(Rules._fields)


@pytest.mark.parametrize("name", MOVED_BY)
def test_every_rule_number_moves_something(name: str) -> None:
    low, high = BOUNDS.get(name, USUAL)
    now = getattr(PRINTED, name)
    other = next(value for value in (now + 1, now - 1) if low <= value <= high)
    assert abs(MOVED_BY[name](PRINTED._replace(**{name: other})) - MOVED_BY[name](PRINTED)) > 1e-6


def test_every_switch_has_its_words() -> None:
    assert all(len(words) == 2 and BOUNDS[name] == (0, 1) for name, words in CHOICES.items())


# ── time ──


@pytest.mark.parametrize(
    ("attacker", "target", "plans", "distance"),
    [
        ("veteran", "ork_boss", ("hold", "rush"), 24.0),
        ("marine", "gunner", ("rush", "hold"), 30.0),
        ("ork", "guardsman", ("rush", "hold"), 24.0),
        ("preacher", "ork", ("rush", "rush"), 12.0),
    ],
)
def test_duels_are_quick(attacker: str, target: str, plans: tuple[str, str], distance: float) -> None:
    """Warm, exact, whole distribution: 2 seconds at most on any machine that runs the tests (0.1 to 0.3 measured)."""
    how: dict[str, Any] = {"attacker_plan": plans[0], "target_plan": plans[1], "distance": distance}
    duel(card(attacker), card(target), **how)
    start = time.process_time()
    duel(card(attacker), card(target), **how)
    assert time.process_time() - start < 2


def test_the_engines_say_which_they_are() -> None:
    exact = ask("duel", "guard/veteran", "orks/ork_boss", ruleset="club").to_dict()
    sampled = ask("duel", "guard/veteran", "orks/ork_boss", ruleset="club", trials=20_000).to_dict()
    assert (exact["engine"], sampled["engine"]) == ("exact", "sample")
    low, high = sampled["interval"]["attacker_wins"]
    assert low < exact["attacker_wins"] < high  # seeded: the 95 % interval covers
