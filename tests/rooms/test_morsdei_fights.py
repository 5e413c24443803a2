"""Activations to kill and duels: against the reference, against a slow simulation in plain Python, and by hand."""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from morsdei_sim import activations as ask_activations
from morsdei_sim import duel as ask_duel
from morsdei_sim.errors import UserError
from morsdei_sim.fight import sample
from morsdei_sim.fight.outcome import Outcome
from morsdei_sim.fight.run import Run
from morsdei_sim.rulesets.morsdei.activations import activations, spend
from morsdei_sim.rulesets.morsdei.duel import duel
from morsdei_sim.rulesets.morsdei.plans import Action, Plan, Sight
from morsdei_sim.rulesets.morsdei.rules import Rules
from tests.reference import morsdei as reference

FALSE_ALARM = 1e-6
"""Chance that one chi-square test fails although nothing is wrong (and the seed is fixed: it fails always or never)."""


def chances(outcome: Outcome) -> dict[str, float]:
    return {one.name: outcome.value(one.name) for one in outcome.readings if one.kind != "distribution"}


def agree(counts: np.ndarray, expected: np.ndarray) -> None:
    """Chi-square of a sample against exact chances, cells of an expected count below 5 taken together."""
    expected = expected * counts.sum()
    small = expected < 5
    assert counts[expected == 0].sum() == 0
    seen, wanted = list(counts[~small]), list(expected[~small])
    if expected[small].sum() > 0:
        seen.append(counts[small].sum())
        wanted.append(expected[small].sum())
        if wanted[-1] < 5:
            seen[-2:], wanted[-2:] = [sum(seen[-2:])], [sum(wanted[-2:])]
    assert len(seen) > 3
    statistic = sum((a - b) ** 2 / b for a, b in zip(seen, wanted, strict=True))
    assert stats.chi2.sf(statistic, len(seen) - 1) > FALSE_ALARM, (statistic, len(seen) - 1, counts.sum())


# ── activations to kill ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", range(30))
def test_activations_are_those_of_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    dice, hit, damage = rng.randint(1, 5), rng.randint(2, 6), rng.randint(1, 6)
    defence, hp, apl, limit = rng.randint(0, 4), rng.randint(1, 12), rng.randint(1, 4), rng.randint(1, 5)
    plan, cover, hurt = rng.choice(["shoot-shoot", "aim-shoot", "move-shoot"]), rng.random() < 0.5, rng.random() < 0.3
    always, saves = rng.random() < 0.5, rng.choice(["best", "crits-first"])
    first = plan.split("-")[0]
    actions = tuple(one for one in (first, *["shoot"] * 3)[:apl] if one != "move")
    fallen, alive = reference.activations(
        dice, hit, damage, defence, hp, actions, limit=limit, cover=cover, attacker_injured=hurt,
        go_prone=(lambda _n, _c: True) if always else None, saves="best" if saves == "best" else "naive",
    )  # fmt: skip
    found = activations(
        f"{dice}d6 {hit}+ {damage} APL {apl}", f"Defence {defence} HP {hp}", plan=plan, limit=limit, cover=cover,
        attacker_injured=hurt, prone_policy="always" if always else "never", saves=saves,
    )  # fmt: skip
    by = found.distribution("activations")
    expected = [float(chance) for chance in (*fallen, alive)]
    assert [by.get(one, 0.0) for one in range(1, limit + 2)] == pytest.approx(expected, abs=1e-12)
    assert found.value("removed_within") == pytest.approx(float(sum(fallen)), abs=1e-12)
    bound = sum((one + 1) * chance for one, chance in enumerate(expected))
    assert found.value("mean_activations_at_least") == pytest.approx(bound, abs=1e-12)


@pytest.mark.parametrize(
    ("flags", "chance"),
    [({}, 0.514093), ({"cover": True}, 0.379784), ({"prone_policy": "always"}, None), ({"hp": 9}, 0.257789)],
)
def test_one_activation_is_two_shots_of_the_atlas(flags: dict, chance: float | None) -> None:
    """Atlas 23.3: two such shots in a row; the second row also holds for a target that is prone from the start."""
    flags = dict(flags)
    found = activations("4d6 4+ 4", f"Defence 3 HP {flags.pop('hp', 7)}", limit=1, **flags)
    if chance is None:  # "Prone here means: always goes prone when offered"
        chance = 0.379784
    assert found.value("removed_within") == pytest.approx(chance, abs=5e-7)


@pytest.mark.parametrize(
    ("target", "flags"),
    [
        ("Defence 3 HP 12", {"plan": "aim-shoot", "limit": 4, "prone_policy": "worth", "prone_cost": 0.5}),
        ("Defence 2 HP 9 APL 1", {"limit": 3, "prone_policy": "always", "prone": True, "cover": True}),
    ],
)
def test_sampled_activations_agree_with_the_exact(target: str, flags: dict) -> None:
    """n = 200,000; chi-square over all end states (hits, shots, debts, marker); false alarm 1e-6."""
    attacker = "5d6 4+ 3 APL 3"
    sampled = activations(attacker, target, Run("sample", trials=200_000, seed=11), **flags)
    agree(sampled.weights, activations(attacker, target, **flags).weights)
    low, high = sampled.interval("prone_debts")
    assert low < sampled.value("prone_debts") < high


def test_a_target_that_is_not_hurt_outlives_the_limit() -> None:
    for attacker in ("4d6 4+ 0", "0d6 4+ 4", "4d6 4+ 4 APL 0"):
        found = activations(attacker, "Defence 3 HP 7", limit=3)
        assert found.distribution("activations") == {4: pytest.approx(1.0)}
        assert found.value("removed_within") == found.value("mean_hp_lost") == 0
    assert len(activations("4d6 4+ 4 APL 1", "Defence 3 HP 7", plan="aim-shoot").notes) == 2  # Aim eats the only point
    assert activations("4d6 4+ 4", "Defence 0 HP 1", limit=2).value("removed_within") == pytest.approx(1 - 1 / 16**4)


def test_prone_debt_is_counted_once_an_activation() -> None:
    """1d6 6+ against an unkillable target that always goes prone: a debt whenever one of two shots hits, 11/36."""
    found = activations("1d6 6+ 0", "Defence 0 HP 1", limit=4, prone_policy="always")
    assert found.value("prone_debts") == pytest.approx(4 * 11 / 36)
    assert activations("1d6 6+ 0", "Defence 0 HP 1 APL 0", limit=4, prone_policy="always").value("prone_debts") == 0
    assert activations("1d6 6+ 0", "Defence 0 HP 1", limit=4).value("prone_debts") == 0
    two = Rules()._replace(prone_debt=2)
    found = activations("1d6 6+ 0", "Defence 0 HP 1 APL 1", Run("exact"), two, limit=1, prone_policy="always")
    assert found.value("prone_debts") == pytest.approx(11 / 36)  # A2: no fewer than 0 APL
    # P2, P3: a marker from before lasts for the first activation and is paid once, hit or not.
    found = activations("0d6 6+ 0", "Defence 0 HP 1", limit=4, prone=True)
    assert found.value("prone_debts") == 1
    # A removed fighter owes nothing: one that lives was hit and saved, 4/6 x 1/2 + 1/6 x 1/6.
    found = activations("1d6 2+ 9 APL 1", "Defence 0 HP 1", limit=1, prone_policy="always")
    assert found.value("prone_debts") == pytest.approx(13 / 36)


def test_what_a_plan_makes_of_apl() -> None:
    assert [spend(apl, "aim-shoot") for apl in range(5)] == [(0, 0), (0, 1), (1, 1), (2, 1), (3, 1)]
    assert [spend(apl, "move-shoot") for apl in range(4)] == [(0, 0), (0, 0), (1, 0), (2, 0)]
    assert spend(4, "shoot-shoot") == (4, 0)
    with pytest.raises(UserError, match="A17"):
        activations("4d6 4+ 4 pistol", "Defence 3 HP 7", in_contact=True, plan="aim-shoot")


def test_apl_is_bounded_by_the_rules() -> None:
    one = Rules()._replace(max_apl=1)
    found = activations("4d6 4+ 4", "Defence 3 HP 7", Run("exact"), one, limit=1)
    assert found.value("removed_within") == pytest.approx(0.230442, abs=5e-7)


# ── duels, by hand ────────────────────────────────────────────────────────────────────────────────────────────────────

DOWN = 1 / 3 * 1 / 2 + 1 / 6 * 5 / 6
"""Chance of a hit left by 1d6 4+ on a target without Defence that lies down when it is hit."""

WEAPON = '[[fighter.weapon]]\nname = "{}"\ntype = "{}"\ndice = {}\nhit = {}\ndamage = {}\n'

GUN = "1d6 4+ 9 HP 1 Defence 0 Move 6 APL 1"


def test_two_shooters_of_one_die() -> None:
    """Each turn the active one removes the other with 1/2: turns A B | B A | A B | B A."""
    found = duel(GUN, GUN, rounds=4)
    assert found.value("attacker_wins") == pytest.approx(1 / 2 + 1 / 16 + 1 / 32 + 1 / 256)
    assert found.value("target_wins") == pytest.approx(1 / 4 + 1 / 8 + 1 / 64 + 1 / 128)
    assert found.value("undecided") == pytest.approx(1 / 256)
    assert found.distribution("rounds") == pytest.approx({1: 3 / 4, 2: 3 / 16, 3: 3 / 64, 4: 3 / 256, 5: 1 / 256})
    assert found.value("mean_damage_to_target") == pytest.approx(9 * found.value("attacker_wins"))
    assert found.value("mean_hp_left_of_attacker") == pytest.approx(1 - found.value("target_wins"))


def test_a_second_point_is_a_second_shot() -> None:
    found = duel(GUN.replace("APL 1", "APL 2"), GUN, rounds=1)
    assert found.value("attacker_wins") == pytest.approx(3 / 4)
    assert found.value("target_wins") == pytest.approx(1 / 8)
    none = Rules()._replace(max_apl=0)
    assert duel(GUN, GUN, Run("exact"), none).distribution("rounds") == {5: 1.0}


def test_prone_costs_the_next_activation() -> None:
    """Both have APL 1 and 2 HP; a target hit by Damage 1 goes prone and then has no APL (P6)."""
    one = "1d6 4+ 1 HP 2 Defence 0 Move 6 APL 1"
    up, down = duel(one, one, rounds=1), duel(one, one, rounds=1, prone_policy="always")
    assert up.value("mean_damage_to_attacker") == pytest.approx(1 / 2)
    # One that is hit lies down: its die saves against a 4 or 5 with 1/2, against a 6 with 1/6. B then loses its turn.
    assert down.value("mean_damage_to_target") == pytest.approx(DOWN)
    assert down.value("mean_damage_to_attacker") == pytest.approx(DOWN / 2)
    free = Rules()._replace(prone_debt=0)
    found = duel(one, one, Run("exact"), free, rounds=1, prone_policy="always")
    assert found.value("mean_damage_to_attacker") == pytest.approx(DOWN)


def test_prone_is_free_for_who_does_not_activate_again() -> None:
    """RULING 38: at a price nobody pays, only a fighter whose last activation is over goes prone."""
    one = "1d6 4+ 1 HP 9 Defence 0 Move 6 APL 1"
    found = duel(one, one, rounds=1, prone_policy="worth", prone_cost=50.0)
    assert found.value("mean_damage_to_target") == pytest.approx(1 / 2)  # B still activates
    assert found.value("mean_damage_to_attacker") == pytest.approx(DOWN)  # A does not


def test_prone_is_weighed_with_the_hp_left() -> None:
    """J6: at 5 HP a normal hit of 4 is worth a Prone die (4 x 1/2 > 1), a critical one is not (4 x 1/6); at 1 HP none.

    Two shots remove it by a normal hit that is not saved and one at the prone fighter, or by a critical and any hit.
    """
    found = duel(
        "1d6 4+ 4 HP 9 Defence 0 Move 6 APL 2", "1d6 4+ 1 HP 5 Defence 0 Move 6", rounds=1,
        prone_policy="worth", prone_cost=1.0,
    )  # fmt: skip
    assert found.value("attacker_wins") == pytest.approx(1 / 3 * 1 / 2 * DOWN + 1 / 6 * 1 / 2)


FIST = "1d6 2+ 9 melee HP 1 Defence 0 Move 6 APL 2"


@pytest.mark.parametrize(
    ("distance", "reached"),
    [(7.0, True), (7.0 + 5e-7, True), (7.01, False), (7.00001, False), (1.0, True), (0.0, True)],
)
def test_how_far_a_charge_goes(distance: float, reached: bool) -> None:
    """M23, E6, RULING 8: Move 6 and 1 inch of contact; then one Melee with the second APL."""
    found = duel(FIST, GUN, rounds=1, distance=distance, attacker_plan="charger", target_plan=lambda _: Action("end"))
    once, twice = 5 / 6, 1 - 1 / 36
    wanted = (twice if distance <= 1 else once) if reached else 0.0
    assert found.value("attacker_wins") == pytest.approx(wanted)


def test_a_charger_with_one_point_left_fires_its_pistol(tmp_path: Path) -> None:
    """With its last APL, and only when a Move would not make contact."""
    squad = tmp_path / "one.toml"
    squad.write_text(
        'squad = "One"\n[[fighter]]\nid = "runner"\nname = "R"\nmove = 6\ndefence = 0\nhp = 1\n'
        + WEAPON.format("pistol", "pistol", 1, 4, 9) + WEAPON.format("axe", "melee", 1, 2, 9),
        encoding="utf-8",
    )  # fmt: skip
    still: Plan = lambda _sight: Action("end")  # noqa: E731
    wins = [
        duel(f"{squad}/runner", GUN, rounds=n, distance=22.0, attacker_plan="charger", target_plan=still)
        for n in (1, 2, 3)
    ]
    # Round 1: 22 -> 16 -> 10, no APL left. Round 2: 10 -> 4 -> contact, since the last Move makes it. Round 3: blows.
    assert [found.value("attacker_wins") for found in wins] == pytest.approx([0, 0, 1 - 1 / 36])
    near = duel(f"{squad}/runner", GUN, rounds=1, distance=15.0, attacker_plan="charger", target_plan=still)
    assert near.value("attacker_wins") == pytest.approx(1 / 2)  # 15 -> 9, then the pistol
    with pytest.raises(UserError, match="charger"):
        duel(GUN, GUN, attacker_plan="charger")


def test_pistols_and_their_range() -> None:
    pistol = "1d6 4+ 9 pistol HP 1 Defence 0 Move 6 APL 1"
    still: Plan = lambda _sight: Action("end")  # noqa: E731
    near = duel(pistol, GUN, rounds=1, distance=10.0, attacker_plan="shooter", target_plan=still)
    assert near.value("attacker_wins") == pytest.approx(1 / 2)  # S6
    far = duel(pistol, GUN, rounds=1, distance=10.01, attacker_plan="shooter", target_plan=still)
    assert far.value("attacker_wins") == 0  # it has to move into Range
    far = duel(pistol, GUN, rounds=2, distance=16.0, attacker_plan="shooter", target_plan=still)
    assert far.value("attacker_wins") == pytest.approx(1 / 2)  # 16 - 6 = 10
    # It stops as soon as it is in Range: at 10 inches a charger with Move 6 does not reach it.
    assert duel(pistol, FIST, rounds=1, distance=12.0, target_plan="charger").value("target_wins") == 0
    assert duel(pistol, FIST, rounds=1, distance=7.0, target_plan="charger").value("target_wins") > 0
    longer = Rules()._replace(pistol_range=12)
    far = duel(pistol, GUN, Run("exact"), longer, rounds=1, distance=12.0, attacker_plan="shooter", target_plan=still)
    assert far.value("attacker_wins") == pytest.approx(1 / 2)
    contact = duel(pistol, GUN, rounds=1, distance=1.0, attacker_plan="shooter", target_plan=still)
    assert contact.value("attacker_wins") == pytest.approx(1 / 3)  # S7: 5+
    rifle = duel(GUN, pistol, rounds=1, distance=1.0, attacker_plan="shooter", target_plan=still)
    assert rifle.value("attacker_wins") == 0  # S7: no rifle in contact


def test_overwatch_fires_after_the_activation_of_the_enemy() -> None:
    """O2, O5, O8: once, at Hit 5+, also at an enemy that did not move; the marker is gone afterwards (O10)."""
    watch: Plan = lambda sight: Action("end") if sight.watching else Action("overwatch")  # noqa: E731
    still: Plan = lambda _sight: Action("end")  # noqa: E731
    found = duel(GUN, GUN, rounds=1, attacker_plan=watch, target_plan=still)
    assert found.value("attacker_wins") == pytest.approx(1 / 3)
    # Turns A B | B A | A B | B A, A sets a marker in each of its own: windows after B1, (B2: none left) A2 .. B3, (B4).
    found = duel(GUN, GUN, rounds=4, attacker_plan=watch, target_plan=still)
    assert found.value("attacker_wins") == pytest.approx(1 - (2 / 3) ** 2)
    # B watches: its marker set in round 1 is removed at its own activation in round 2 (O11); nobody has acted between.
    found = duel(GUN, GUN, rounds=2, attacker_plan=still, target_plan=watch)
    assert found.value("target_wins") == pytest.approx(1 / 3)
    kinder = Rules()._replace(overwatch=0)
    found = duel(GUN, GUN, Run("exact"), kinder, rounds=1, attacker_plan=watch, target_plan=still)
    assert found.value("attacker_wins") == pytest.approx(1 / 2)


def test_overwatch_does_not_reach_further_than_its_weapon() -> None:
    pistol = GUN.replace("9 HP", "9 pistol HP")
    watch: Plan = lambda sight: Action("end") if sight.watching else Action("overwatch")  # noqa: E731
    still: Plan = lambda _sight: Action("end")  # noqa: E731
    far = duel(pistol, GUN, rounds=1, distance=10.1, attacker_plan=watch, target_plan=still)
    assert far.value("attacker_wins") == 0
    comes = duel(pistol, GUN, rounds=1, distance=16.0, attacker_plan=watch, target_plan=lambda _: Action("move", 6.0))
    assert comes.value("attacker_wins") == pytest.approx(1 / 3)


def test_charging_cancels_overwatch() -> None:
    """RULING 36: an enemy that ends in contact, or touched it before it ended, is not shot at."""
    watch: Plan = lambda sight: Action("end") if sight.watching or sight.contact else Action("overwatch")  # noqa: E731
    runner = "0d6 2+ 9 melee HP 1 Defence 0 Move 6 APL 1"
    run: Plan = lambda sight: Action("end") if sight.contact else Action("move", 6.0)  # noqa: E731
    assert duel(GUN, runner, rounds=1, distance=7.0, attacker_plan=watch, target_plan=run).value("attacker_wins") == 0
    found = duel(GUN, runner, rounds=1, distance=7.1, attacker_plan=watch, target_plan=run)
    assert found.value("attacker_wins") == pytest.approx(1 / 3)

    def touch_and_go(sight: Sight) -> Action:
        """In contact and back out in one activation of 4 APL: Move, Fall Back."""
        if sight.contact:
            return Action("fall-back", 6.0) if sight.can_fall_back else Action("end")
        return Action("move", 6.0) if sight.apl == 4 else Action("end")

    quick = runner.replace("APL 1", "APL 4")
    found = duel(GUN, quick, rounds=1, distance=7.0, attacker_plan=watch, target_plan=touch_and_go)
    assert found.value("attacker_wins") == 0


def test_aim_helps_the_next_shot_only() -> None:
    """S1-S3: Aim, Shoot, Shoot with one die of 4+ is 3+ and then 4+."""

    def plan(sight: Sight) -> Action:
        return Action("aim") if sight.apl == 3 else Action("shoot")

    card = GUN.replace("APL 1", "APL 3")
    found = duel(card, GUN, rounds=1, attacker_plan=plan, target_plan=lambda _: Action("end"))
    assert found.value("attacker_wins") == pytest.approx(1 - 1 / 3 * 1 / 2)


def test_injury_costs_a_die() -> None:
    """H2-H3: 3 of 9 HP is Injured, so 2 dice become 1; 2 x 5 of 9 is not."""
    still: Plan = lambda _sight: Action("end")  # noqa: E731
    hurt = duel("2d6 4+ 9 HP 3/9 Defence 0 Move 6 APL 1", GUN, rounds=1, target_plan=still)
    assert hurt.value("attacker_wins") == pytest.approx(1 / 2)
    well = duel("2d6 4+ 9 HP 5/9 Defence 0 Move 6 APL 1", GUN, rounds=1, target_plan=still)
    assert well.value("attacker_wins") == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    "action",
    [Action("melee"), Action("move", 6.1), Action("move", -1.0), Action("fall-back", 6.0), Action("dance")],
)
def test_what_the_rules_do_not_allow_is_refused(action: Action) -> None:
    with pytest.raises(ValueError, match="do not allow"):
        duel(FIST, GUN, distance=5.0, attacker_plan=lambda _: action)


@pytest.mark.parametrize("action", [Action("shoot"), Action("move", 1.0), Action("aim"), Action("overwatch")])
def test_what_contact_forbids_is_refused(action: Action) -> None:
    """A16-A17; and a Fall Back must lead out of contact (M25), for 2 APL (M26)."""
    with pytest.raises(ValueError, match="do not allow"):
        duel(GUN, GUN, distance=1.0, attacker_plan=lambda _: action)
    two = GUN.replace("APL 1", "APL 2")
    for card, back in ((two, Action("fall-back", 0.0)), (GUN, Action("fall-back", 6.0))):
        with pytest.raises(ValueError, match="do not allow"):
            duel(card, GUN, distance=1.0, attacker_plan=lambda s, back=back: back if s.contact else Action("end"))
    duel(two, GUN, distance=1.0, attacker_plan=lambda s: Action("fall-back", 6.0) if s.contact else Action("end"))


def test_fall_back_costs_two_points() -> None:
    """M24-M26: of 3 APL one is left, for a shot at the gap that was made; another number of the rules, another cost."""
    card = GUN.replace("APL 1", "APL 3")
    away: Plan = lambda sight: Action("fall-back", 6.0) if sight.contact else Action("shoot")  # noqa: E731
    still: Plan = lambda _sight: Action("end")  # noqa: E731
    found = duel(card, GUN, rounds=1, distance=1.0, attacker_plan=away, target_plan=still)
    assert found.value("attacker_wins") == pytest.approx(1 / 2)
    cheap = Rules()._replace(fall_back_apl=1)
    found = duel(card, GUN, Run("exact"), cheap, rounds=1, distance=1.0, attacker_plan=away, target_plan=still)
    assert found.value("attacker_wins") == pytest.approx(3 / 4)


def test_once_only_actions() -> None:
    """RULING 26."""
    for name in ("aim", "overwatch"):
        with pytest.raises(ValueError, match="do not allow"):
            duel(GUN.replace("APL 1", "APL 2"), GUN, attacker_plan=lambda _, name=name: Action(name))


def test_questions_that_make_no_sense_are_refused() -> None:
    for flags, words in (
        ({"attacker_plan": "charger"}, "melee"),
        ({"distance": -1.0}, "distance"),
        ({"distance": float("nan")}, "distance"),
    ):
        with pytest.raises(UserError, match=words):
            duel(GUN, GUN, **flags)
    with pytest.raises(UserError, match="ranged"):
        duel(FIST, GUN, attacker_plan="shooter")
    with pytest.raises(UserError, match="Move"):
        duel("1d6 4+ 9 HP 1 Defence 0", GUN)


# ── duels, whole ──────────────────────────────────────────────────────────────────────────────────────────────────────

CARDS = ("line/sergeant", "line/rifleman", "cleavers/chief", "bulwark/heavy", "4d6 4+ 4 pistol Defence 2 HP 6 Move 8")
PLANS = ("shooter", "charger", "careful", "watcher")
SWAPPED = {
    "attacker_wins": "target_wins",
    "undecided": "undecided",
    "mean_hp_left_of_attacker": "mean_hp_left_of_target",
    "mean_damage_to_attacker": "mean_damage_to_target",
}


@pytest.mark.parametrize("seed", range(12))
def test_seats_mirror(seed: int) -> None:
    """Swapping the fighters, their plans and covers, and who is first, mirrors every figure; chances sum to one."""
    rng = random.Random(seed)
    one, two = rng.choice(CARDS), rng.choice(CARDS)
    plans = [rng.choice([plan for plan in PLANS if " " not in card or plan != "charger"]) for card in (one, two)]
    cover = rng.random() < 0.5, rng.random() < 0.5
    same = {
        "distance": rng.choice([0.5, 6.0, 13.0, 16.0]), "rounds": rng.randint(1, 4),
        "prone_policy": rng.choice(["never", "always", "worth"]), "objective": rng.choice(["net", "kill-difference"]),
    }  # fmt: skip
    try:
        here = duel(
            one, two, attacker_plan=plans[0], target_plan=plans[1], attacker_cover=cover[0], target_cover=cover[1],
            **same,
        )  # fmt: skip
    except UserError as reason:
        assert "weapon" in str(reason)  # noqa: PT017
        return
    there = duel(
        two, one, attacker_plan=plans[1], target_plan=plans[0], attacker_cover=cover[1], target_cover=cover[0],
        first="target", **same,
    )  # fmt: skip
    assert here.weights.sum() == pytest.approx(1, abs=1e-12)
    for name, other in SWAPPED.items():
        assert here.value(name) == pytest.approx(there.value(other), abs=1e-12)
        assert here.value(other) == pytest.approx(there.value(name), abs=1e-12)
    assert here.distribution("rounds") == pytest.approx(there.distribution("rounds"))


@pytest.mark.parametrize(("plan", "other"), [("watcher", "charger"), ("careful", "charger"), ("shooter", "shooter")])
def test_sampled_duels_agree_with_the_exact(plan: str, other: str) -> None:
    """n = 100,000, rolled throw by throw; chi-square over all ends (HP of both, round); false alarm 1e-6."""
    pair = ("line/sergeant", "cleavers/chief") if other == "charger" else ("line/sergeant", "line/rifleman")
    flags = {"attacker_plan": plan, "target_plan": other, "prone_policy": "always", "target_cover": True}
    sampled = duel(*pair, Run("sample", trials=100_000, seed=3, jobs=2), **flags)
    agree(sampled.weights, duel(*pair, **flags).weights)
    again = duel(*pair, Run("sample", trials=100_000, seed=3, jobs=1), **flags)
    assert (again.weights == sampled.weights).all()


def test_a_sample_does_not_depend_on_how_it_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run("sample", trials=5_000, seed=9, jobs=2)
    whole = duel("line/sergeant", "cleavers/chief", run).weights
    monkeypatch.setattr(sample, "CHUNK", 1024)
    assert (duel("line/sergeant", "cleavers/chief", run).weights == whole).all()


class Slow:
    """A duel in plain Python, written from the atlas: dice by `random`, exchanges drawn from the reference's best play.

    One is a rifleman (2d6 4+ Damage 3, Defence 1, blade 2d6 4+ Damage 2), the other a runner (blade 2d6 3+ Damage 4).
    """

    HP, MOVE, COVER = (7, 6), 5.0, 1

    def __init__(self, seed: int, first: int) -> None:
        self.random, self.first, self.clashes = random.Random(seed), first, {}

    def faces(self, n: int) -> list[int]:
        return [self.random.randint(1, 6) for _ in range(n)]

    def shoot(self, worse: int) -> None:
        hurt = 2 * self.hp[0] < self.HP[0]
        hits = reference.sort_faces(tuple(self.faces(2 - hurt)), 4 + worse)
        if sum(hits):
            self.prone = True  # the runner always lies down
            left = reference.fewest_left(*hits, *reference.sort_faces(tuple(self.faces(2 + self.COVER)), 4))
            self.hp[1] -= 3 * left

    def fight(self, side: int) -> None:
        blades = [(2, 4, 2), (2, 3, 4)]
        both = []
        for one in (side, 1 - side):
            dice, hit, damage = blades[one]
            both.append(reference.Fighter(dice - (2 * self.hp[one] < self.HP[one]), hit, damage, self.hp[one]))
        key = tuple(both)
        if key not in self.clashes:
            spread = reference.best_play(*both, "kill-difference")[1]
            self.clashes[key] = list(spread), list(accumulate(map(float, spread.values())))
        blows, bounds = self.clashes[key]
        on_own, on_other = self.random.choices(blows, cum_weights=bounds)[0]
        self.hp[side] -= on_own * both[1].damage
        self.hp[1 - side] -= on_other * both[0].damage

    def rifleman(self) -> None:
        """`watcher`: shoots, sets Overwatch; in contact fights."""
        self.watch = False
        for apl in (2, 1):
            if min(self.hp) <= 0:
                return
            if self.gap <= 1:
                self.fight(0)
            elif apl == 2:
                self.shoot(0)
            else:
                self.watch = True

    def runner(self) -> None:
        """`charger`."""
        apl, self.prone = 2 - self.prone, False
        while apl and min(self.hp) > 0:
            apl -= 1
            if self.gap <= 1:
                self.fight(1)
            else:
                self.gap = max(0.0, self.gap - self.MOVE)
                self.watch = self.watch and self.gap > 1
        if self.watch and min(self.hp) > 0:
            self.watch = False
            self.shoot(1)

    def play(self, distance: float, rounds: int) -> tuple[int, int, int]:
        """(attacker's HP, target's HP, round)."""
        self.hp, self.gap, self.prone, self.watch = list(self.HP), distance, False, False
        for number in range(rounds):
            for turn in (0, 1):
                (self.rifleman, self.runner)[(self.first + number + turn) % 2]()
                if min(self.hp) <= 0:
                    return self.hp[0], self.hp[1], number + 1
        return self.hp[0], self.hp[1], rounds + 1


@pytest.mark.parametrize("first", ["attacker", "target"])
def test_duels_agree_with_a_slow_simulation(first: str, tmp_path: Path) -> None:
    """n = 20,000 duels in plain Python; chi-square over (HP, HP, round); false alarm 1e-6."""
    squad = tmp_path / "two.toml"
    squad.write_text(
        'squad = "Two"\n[[fighter]]\nid = "rifleman"\nname = "R"\nmove = 6\ndefence = 1\nhp = 7\n'
        + WEAPON.format("rifle", "ranged", 2, 4, 3) + WEAPON.format("bayonet", "melee", 2, 4, 2)
        + '[[fighter]]\nid = "runner"\nname = "S"\nmove = 5\ndefence = 1\nhp = 6\n'
        + WEAPON.format("axe", "melee", 2, 3, 4),
        encoding="utf-8",
    )  # fmt: skip
    found = duel(
        f"{squad}/rifleman", f"{squad}/runner", distance=13.0, rounds=3, first=first, attacker_plan="watcher",
        target_plan="charger", target_cover=True, prone_policy="always",
    )  # fmt: skip
    hp_a = 7 - read(found, "mean_damage_to_attacker")
    hp_b = 6 - read(found, "mean_damage_to_target")
    ends = list(zip(hp_a.tolist(), hp_b.tolist(), read(found, "rounds").tolist(), strict=True))
    slow, counts = Slow(7, int(first == "target")), dict.fromkeys(ends, 0)
    for _ in range(20_000):
        counts[slow.play(13.0, 3)] += 1
    agree(np.array(list(counts.values())), found.weights)


def read(outcome: Outcome, name: str) -> np.ndarray:
    return outcome.reading(name).values


# ── the verbs ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_verbs_answer_in_json_and_words() -> None:
    found = ask_activations("4d6 4+ 4", "Defence 3 HP 7", limit=2)
    document = found.to_dict()
    assert document["verb"] == "activations"
    assert document["activations"] == {"1": pytest.approx(0.514093, abs=5e-7), "2": pytest.approx(0.333446, abs=5e-7),
                                       "3": pytest.approx(0.152461, abs=5e-7)}  # fmt: skip
    assert "not removed within 2" in str(found)
    sampled = ask_duel("line/sergeant", "cleavers/chief", trials=2_000, seed=5)
    assert {"attacker_wins", "rounds", "mean_hp_left_of_target"} <= sampled.to_dict()["interval"].keys()
    assert "careful against careful from 16 inches" in str(sampled)
    assert set(sampled.to_frame()["figure"]) >= {"rounds", "undecided"}
    with pytest.raises(UserError, match="plan"):
        ask_duel("line/sergeant", "cleavers/chief", attacker_plan="dancer")
    own = ask_duel(GUN, GUN, rounds=1, attacker_plan=lambda _: Action("shoot"))
    assert own.to_dict()["attacker_wins"] == pytest.approx(1 / 2)
