"""The kernels against the reference, on random profiles; the sampled engine against the exact one; laws that need no
number.

Every random case is drawn from the seed in its name. Sampling tests raise a false alarm with a chance of at most 1e-6
together.
"""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from reference import morsdei as reference
from scipy.stats import chi2

from morsdei_sim.fight import exact, sample, solve
from morsdei_sim.fight.run import Run
from morsdei_sim.rulesets.morsdei import exchange, melee, policies, shooting, volley
from morsdei_sim.rulesets.morsdei.cards import entrant
from morsdei_sim.rulesets.morsdei.exchange import Combatant, Duel, face_off, play_out
from morsdei_sim.rulesets.morsdei.melee import GUARD, TAKE
from morsdei_sim.rulesets.morsdei.rules import Rules
from morsdei_sim.rulesets.morsdei.shooting import Planner, Shooter, Shooting, Target

SAVES = {shooting.BEST_SAVES: "best", shooting.CRITS_FIRST: "naive"}
STYLE = {
    "lowest-sufficient-parry": "high",
    "parry-first": "low",
    "guard-then-high": "guard",
    "strike-only": "strike-only",
    "random": "random",
    "best": "best",
}


def same(found: dict, expected: dict) -> None:
    """Equal as distributions, to 1e-12."""
    assert all(abs(found.get(key, 0.0) - float(expected.get(key, 0))) < 1e-12 for key in found.keys() | expected.keys())


# ── shooting ──


def shooter(rng: random.Random, most: int = 8, **fixed: int) -> Shooter:
    flags = [int(rng.random() < 0.3) for _ in range(5)]
    one = Shooter(rng.randint(0, most), rng.randint(2, 6), rng.randint(0, 5), *flags, 1)
    return one._replace(overwatch=one.overwatch * (1 - one.contract), **fixed)


def target(rng: random.Random) -> Target:
    hp = rng.randint(1, 14)
    coin = [rng.randint(0, 1) for _ in range(4)]
    return Target(rng.randint(0, 5), hp, hp + rng.randint(0, 4), *coin[:2], coin[2], coin[3])


def changes(attacker: Shooter) -> dict[str, bool]:
    return {name: bool(getattr(attacker, name)) for name in ("overwatch", "contract", "in_contact")} | {
        "attacker_injured": bool(attacker.injured)
    }


def always(normals: int, crits: int) -> bool:
    return True


def planned(victim: Target | Planner, attacker: Shooter, hits: int):
    """The reference's form of the target's decision J6 after so many hits."""
    if isinstance(victim, Target):
        return always if victim.going_prone else None
    left = victim.hp - hits * attacker.damage
    needed = -(-left // attacker.damage) if attacker.damage else 10**9
    row = victim.prone_table[min(needed, len(victim.prone_table)) - 1]
    return lambda n, c: bool(row[n, c])


def shots_by_reference(attacker: Shooter, victim: Target | Planner) -> dict:
    """Chance of (hits left in all, prone) after all shots: Aim serves the first, a removal stops (S3, S19)."""
    state = {(0, bool(victim.prone)): Fraction(1)}
    for number in range(attacker.shots):
        later: dict = defaultdict(Fraction)
        for (hits, down), chance in state.items():
            if hits * attacker.damage >= victim.hp:
                later[hits, down] += chance
                continue
            spread = reference._one_shot(
                attacker.dice, attacker.hit, victim.defence, down, cover=bool(victim.cover), saves=SAVES[victim.saves],
                aim=bool(attacker.aimed) and number == 0, go_prone=planned(victim, attacker, hits), **changes(attacker),
            )  # fmt: skip
            for (left, now_down), p in spread.items():
                later[hits + left, now_down] += chance * p
        state = later
    return {key: p for key, p in state.items() if p}


def shots_by_product(attacker: Shooter, victim: Target | Planner) -> dict:
    pmf = exact.pmf(Shooting(*Rules()), attacker, victim)
    assert pmf.sum() == pytest.approx(1, abs=1e-12)
    found: dict = defaultdict(float)
    for state in np.flatnonzero(pmf):
        found[int(state) >> 2, bool(state & 1)] += pmf[state]
    return found


@pytest.mark.parametrize("seed", range(8))
def test_one_shot(seed: int) -> None:
    """25 profiles each: 0-8 dice, Hit 2-6, Defence 0-5, all situations, both ways to save, never or always prone."""
    rng = random.Random(seed)
    for _ in range(25):
        attacker, victim = shooter(rng), target(rng)
        same(shots_by_product(attacker, victim), shots_by_reference(attacker, victim))


@pytest.mark.parametrize("seed", range(100, 104))
def test_several_shots(seed: int) -> None:
    """15 profiles each, 2-4 shots: removal stops the shooting, Aim serves the first shot, the marker stays."""
    rng = random.Random(seed)
    for _ in range(15):
        attacker, victim = shooter(rng, 5, shots=rng.randint(2, 4)), target(rng)
        same(shots_by_product(attacker, victim), shots_by_reference(attacker, victim))


@pytest.mark.parametrize("seed", range(200, 203))
def test_planned_prone(seed: int) -> None:
    """15 random tables each, by the hits still needed and the hits rolled, over 1-3 shots."""
    rng = random.Random(seed)
    for _ in range(15):
        attacker, simple = shooter(rng, 5, shots=rng.randint(1, 3)), target(rng)
        size = attacker.dice + 1
        table = np.array(
            [[[rng.randint(0, 1) for _ in range(size)] for _ in range(size)] for _ in range(rng.randint(1, 4))], np.int8
        )
        victim = Planner(*simple[:6], table)
        same(shots_by_product(attacker, victim), shots_by_reference(attacker, victim))


@pytest.mark.parametrize("seed", range(300, 303))
def test_what_going_prone_saves(seed: int) -> None:
    """J6 by the mean HP that the die saves, against Fractions, at every number of hits still needed."""
    rng = random.Random(seed)
    for _ in range(8):
        attacker, victim = shooter(rng, 5, damage=rng.randint(1, 4)), target(rng)
        gain = volley.prone_gain(Rules(), attacker, victim._replace(prone=0))
        saves = {"best": reference.fewest_left, "naive": reference.criticals_first}[SAVES[victim.saves]]
        removal = -(-victim.hp // attacker.damage)
        for needed in range(1, min(removal, attacker.dice + 1) + 1):
            left = victim.hp - (removal - needed) * attacker.damage

            def lost(n: int, c: int, pool: int, left: int = left, hit: Shooter = attacker, save=saves) -> Fraction:
                classes = reference.classes(pool, Fraction(1, 3))
                return sum((p * min(left, hit.damage * save(n, c, s, k)) for s, k, p in classes), Fraction(0))

            for n in range(attacker.dice + 1):
                for c in range(attacker.dice + 1 - n):
                    dice = victim.defence + victim.cover
                    assert gain[needed - 1, n, c] == pytest.approx(
                        float(lost(n, c, dice) - lost(n, c, dice + 1)), abs=1e-12
                    )


@pytest.mark.parametrize("seed", range(400, 403))
def test_figures_of_a_shot(seed: int) -> None:
    """Kill, Injured and HP lost as the public question gives them."""
    rng = random.Random(seed)
    for _ in range(10):
        dice, hit, damage, defence = rng.randint(0, 6), rng.randint(2, 6), rng.randint(1, 5), rng.randint(0, 5)
        most = rng.randint(1, 14)
        hp, shots = rng.randint(1, most), rng.randint(1, 3)
        found = volley.shoot(f"{dice}d6 {hit}+ {damage}", f"Defence {defence} HP {hp}/{most}", shots=shots, cover=True)
        hits = reference.shots(shots, dice, hit, damage, defence, hp, cover=True)
        after = reference.aftermath(hits, damage, hp, most)
        assert found.value("kill") == pytest.approx(float(after.kill), abs=1e-12)
        assert found.value("injured") == pytest.approx(float(after.injured), abs=1e-12)
        assert found.value("mean_hp_lost") == pytest.approx(float(after.hp_lost), abs=1e-12)
        assert found.value("mean_damage") == pytest.approx(
            float(sum(n * damage * p for (n, _), p in hits.items())), abs=1e-11
        )


@pytest.mark.parametrize("seed", range(500, 505))
def test_many_single_shots_at_once(seed: int) -> None:
    """`shoot_all` gives each shot what it has alone."""
    rng = random.Random(seed)
    pairs = [(shooter(rng, 6), target(rng)) for _ in range(20)]
    out = np.zeros((20, 8))
    from morsdei_sim.dice.every import every

    shooting.shoot_all(
        Shooting(*Rules()), every(), np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs]), out
    )
    for row, (attacker, victim) in zip(out, pairs, strict=True):
        alone = exact.pmf(Shooting(*Rules()), attacker, victim)
        folded = np.zeros(8)
        np.add.at(folded, np.arange(len(alone)) >> 2, alone)
        assert row == pytest.approx(folded, abs=1e-14)


# ── melee ──


def combatant(rng: random.Random, most: int = 4) -> Combatant:
    return Combatant(rng.randint(0, most), rng.choice((2, 3, 3, 4, 4, 4, 5, 6)), rng.randint(0, 5), rng.randint(1, 14))


def pair(rng: random.Random, most: int = 7) -> tuple[Combatant, Combatant]:
    """Two fighters with `most` dice together at the most: the reference is slow."""
    while True:
        a, b = combatant(rng), combatant(rng)
        if a.dice * (7 - a.hit) + b.dice * (7 - b.hit) <= 3.5 * most:
            return a, b


def blows(outcomes: np.ndarray) -> dict:
    assert outcomes.sum() == pytest.approx(1, abs=1e-12)
    return {(int(x), int(y)): outcomes[x, y] for x, y in zip(*np.nonzero(outcomes), strict=True)}


def damages(spread: dict, a: Combatant, b: Combatant) -> dict:
    """(Damage to the initiator, to the target) instead of blows."""
    found: dict = defaultdict(float)
    for (x, y), chance in spread.items():
        found[x * b.damage, y * a.damage] += float(chance)
    return found


def check_best_play(a: Combatant, b: Combatant, objective: str, **variant: bool) -> None:
    rules = Rules(guard=int(variant.get("guard", True)), may_pass=int(variant.get("may_pass", False)))
    duel = face_off(rules, a, b)
    found = exchange.best_play(duel, objective)
    value, spread = reference.best_play(reference.Fighter(*a), reference.Fighter(*b), objective, **variant)
    if a.damage and b.damage:
        same(blows(found), spread)
    else:  # blows of Damage 0 are all alike to the tie-breaks of 23.6: only the damage is unique
        same(damages(blows(found), a, b), damages(spread, a, b))
    score = policies.score(duel.game, objective, duel.damage, duel.hp)
    worth = float(found.ravel() @ score)
    assert (-worth if objective == "survive" else worth) == pytest.approx(float(value), abs=1e-11)


@pytest.mark.parametrize("objective", policies.OBJECTIVES)
@pytest.mark.parametrize("seed", range(4))
def test_best_play(seed: int, objective: str) -> None:
    """Value and whole distribution, 0-4 dice, unequal Damage, Damage 0 too; then without Guard, and with handing
    over."""
    rng = random.Random(1000 * seed + len(objective))
    for variant in ({}, {}, {"guard": False}, {"may_pass": True}):
        check_best_play(*pair(rng), objective, **variant)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_best_play_of_many(seed: int) -> None:
    """4 against 4 dice at any Hit, and pools of 5 and 6."""
    rng = random.Random(7000 + seed)
    objective = policies.OBJECTIVES[seed % 5]
    check_best_play(
        Combatant(4, rng.randint(2, 4), 3, 8), Combatant(4, rng.randint(2, 4), 4, 9), objective, may_pass=seed % 3 == 0
    )
    check_best_play(Combatant(6, rng.randint(4, 5), 2, 9), Combatant(rng.randint(2, 5), 4, 3, 11), objective)


@pytest.mark.parametrize("seed", range(6))
def test_habits(seed: int) -> None:
    """All five habits against each other, two pairs each with random play and Guard on and off."""
    rng = random.Random(20 + seed)
    a, b = pair(rng, 6)
    guard = seed % 2 == 0
    names = [(rng.choice(list(STYLE)[:5]), rng.choice(list(STYLE)[:5])) for _ in range(6)] + [("random", "random")]
    duel = face_off(Rules(guard=int(guard)), a, b)
    for one, other in names:
        styles = STYLE[one], STYLE[other]
        spread = reference.Exchange(reference.Fighter(*a), reference.Fighter(*b), styles, guard=guard).whole()
        same(blows(play_out(duel, "net", (one, other))), spread)


@pytest.mark.parametrize("seed", range(8))
def test_best_response_to_a_habit(seed: int) -> None:
    """`exploit` against every habit, played out: its mean is the value of the best response."""
    rng = random.Random(60 + seed)
    a, b = pair(rng, 6)
    objective = policies.OBJECTIVES[seed % 5]
    duel = face_off(Rules(), a, b)
    score = policies.score(duel.game, objective, duel.damage, duel.hp)
    for habit in list(STYLE)[:5]:
        for fixed in (0, 1):
            names = (habit, "exploit") if fixed == 0 else ("exploit", habit)
            found = float(play_out(duel, objective, names).ravel() @ score)
            value = reference.best_response(
                reference.Fighter(*a), reference.Fighter(*b), fixed, STYLE[habit], objective
            )
            assert (-found if objective == "survive" else found) == pytest.approx(float(value), abs=1e-11), (
                habit,
                fixed,
            )


def test_exploit_is_never_worse_than_best() -> None:
    """Against any habit, and a habit is never better than best play against best play. 40 pairs (seed 90)."""
    rng = random.Random(90)
    for _ in range(40):
        a, b = combatant(rng), combatant(rng)
        duel = face_off(Rules(), a, b)
        objective = rng.choice(policies.OBJECTIVES)
        score = policies.score(duel.game, objective, duel.damage, duel.hp)

        def worth(*names: str) -> float:
            return float(play_out(duel, objective, names).ravel() @ score)  # noqa: B023

        habit = rng.choice(list(STYLE)[:5])
        assert worth("exploit", habit) >= worth("best", habit) - 1e-12
        assert worth(habit, "exploit") <= worth(habit, "best") + 1e-12
        assert worth(habit, "best") <= worth("best", "best") + 1e-12
        assert worth("best", habit) >= worth("best", "best") - 1e-12


def test_a_hand_written_plan_is_played() -> None:
    """A `Plan` that spells out a habit gives the habit's chances; an illegal choice is refused."""
    duel = face_off(Rules(), Combatant(3, 4, 4, 9), Combatant(4, 3, 3, 7))

    def lead(view: policies.View) -> int:
        assert set(view.leads) <= {*view.own, *(GUARD + face for face in view.own if face in view.other)}
        return min(one for one in view.leads if one < GUARD)

    def parry(view: policies.View) -> int:
        assert set(view.answers) == {TAKE} | {face for face in view.own if face > view.attack}
        return min(one for one in view.answers if one)

    plans = [policies.plan(duel.game, lead, parry, side) for side in (0, 1)]
    chance, outcomes = exchange.opening(duel)
    solve.spread(duel.game, *plans, chance, outcomes, solve.menu())
    habit = play_out(duel, "net", ("parry-first", "parry-first"))
    assert outcomes.reshape(habit.shape) == pytest.approx(habit, abs=1e-14)
    with pytest.raises(ValueError, match="the policy chose 1"):
        policies.plan(duel.game, lambda view: 1, parry, 0)


# ── several exchanges ──


@cache
def one_exchange(a: Combatant, b: Combatant, styles: tuple, objective: str) -> dict:
    return reference.Exchange(reference.Fighter(*a), reference.Fighter(*b), styles, objective).whole()


@pytest.mark.parametrize("seed", range(6))
def test_chains(seed: int) -> None:
    """2 and 3 exchanges while both live: HP carries over, and who is Injured rolls one die less (H3); Contract is the
    initiator's."""
    rng = random.Random(40 + seed)
    a, b = ((rng.randint(1, 3), rng.randint(3, 5), rng.randint(1, 4), rng.randint(4, 10)) for _ in range(2))
    exchanges, contract = 2 + seed % 2, seed % 3 == 0
    names = [("best", "best"), ("random", "lowest-sufficient-parry"), ("guard-then-high", "strike-only")][seed % 3]
    objective = policies.OBJECTIVES[seed % 5]
    styles = STYLE[names[0]], STYLE[names[1]]
    state = {(0, 0): Fraction(1)}
    for _ in range(exchanges):
        later: dict = defaultdict(Fraction)
        for (x, y), chance in state.items():
            hp = a[3] - x * b[2], b[3] - y * a[2]
            if min(hp) <= 0:
                later[x, y] += chance
                continue
            hurt = [2 * hp[i] < (a, b)[i][3] for i in (0, 1)]
            one = Combatant(max(0, a[0] - hurt[0]), min(6, a[1] + contract), a[2], hp[0])
            other = Combatant(max(0, b[0] - hurt[1]), b[1], b[2], hp[1])
            for (dx, dy), p in one_exchange(one, other, styles, objective).items():
                later[x + dx, y + dy] += chance * p
        state = later
    texts = [f"{dice}d6 {hit}+ {damage} HP {hp}" for dice, hit, damage, hp in (a, b)]
    outcome = exchange.melee(
        *texts,
        objective=objective,
        attacker_policy=names[0],
        target_policy=names[1],
        exchanges=exchanges,
        contract=contract,
    )
    dealt: dict = defaultdict(Fraction)
    taken: dict = defaultdict(Fraction)
    for (x, y), p in state.items():
        dealt[y * a[2]] += p
        taken[x * b[2]] += p
    same(outcome.distribution("damage_to_target"), dealt)
    same(outcome.distribution("damage_to_attacker"), taken)
    both = sum(p for (x, y), p in state.items() if y * a[2] >= b[3])
    assert outcome.value("kill_target") == pytest.approx(float(both), abs=1e-12)


def test_unarmed_target() -> None:
    """RULING 6: a target without a melee weapon has an empty pool and is struck by every success."""
    outcome = exchange.melee("3d6 4+ 4 HP 9", "Defence 3 HP 20")
    assert outcome.distribution("damage_to_target") == pytest.approx({0: 1 / 8, 4: 3 / 8, 8: 3 / 8, 12: 1 / 8})
    assert outcome.distribution("damage_to_attacker") == {0: pytest.approx(1)}


# ── sampled against exact ──

TRIALS = 1_000_000
ALARM = 1e-6 / 24
"""Of each of the sampling tests below, 24 at the most."""


def p_value(counts: np.ndarray, pmf: np.ndarray) -> float:
    """Pearson's chi-square of TRIALS fights; cells expected less than 10 times are merged."""
    counts, expected = counts.ravel().astype(float), pmf.ravel() * counts.sum()
    assert not counts[expected == 0].any()
    small = expected < 10
    seen = np.append(counts[~small], counts[small].sum())
    expected = np.append(expected[~small], expected[small].sum())
    kept = expected > 1e-9
    return float(chi2.sf(((seen[kept] - expected[kept]) ** 2 / expected[kept]).sum(), max(kept.sum() - 1, 1)))


@pytest.mark.parametrize("seed", range(10))
def test_sampled_shots(seed: int) -> None:
    """n = 1,000,000; chi-square over final states; false alarm 4.2e-8. Up to 8 dice, 1-3 shots, all situations, half
    of them with a plan."""
    rng = random.Random(800 + seed)
    attacker, victim = shooter(rng, 8, shots=rng.randint(1, 3)), target(rng)
    attacker = attacker._replace(dice=max(attacker.dice, 2))
    if seed % 2:
        size = attacker.dice + 1
        victim = Planner(*victim[:6], np.random.default_rng(seed).integers(0, 2, (3, size, size)).astype(np.int8))
    rules = Shooting(*Rules())
    counts = sample.sample(rules, attacker, victim, TRIALS, seed=900 + seed)
    assert counts.sum() == TRIALS
    assert p_value(counts, exact.pmf(rules, attacker, victim)) > ALARM


@pytest.mark.parametrize(
    ("names", "how"),
    [
        (("best", "best"), {"objective": "net"}),
        (("best", "best"), {"objective": "kill", "exchanges": 2}),
        (("random", "random"), {}),
        (("exploit", "strike-only"), {"objective": "net-hp"}),
        (("random", "exploit"), {"objective": "survive"}),
        (("parry-first", "guard-then-high"), {"exchanges": 3, "contract": True}),
        (("lowest-sufficient-parry", "best"), {"objective": "kill-difference", "target_injured": True}),
    ],
    ids=str,
)
def test_sampled_melee(names: tuple, how: dict) -> None:
    """n = 1,000,000; chi-square over blows taken by both; false alarm 4.2e-8."""
    words = ("4d6 4+ 4 HP 9", "4d6 3+ 3 HP 10")
    policy = {"attacker_policy": names[0], "target_policy": names[1]}
    seen = exchange.melee(*words, Run("sample", trials=TRIALS, seed=31), **policy, **how)
    pmf = exchange.melee(*words, **policy, **how).weights
    assert seen.weights.sum() == TRIALS
    assert (pmf > 0).sum() > 5
    assert p_value(seen.weights, pmf) > ALARM


def test_sampled_melee_of_many_dice() -> None:
    """Pools of more than one word: 9 dice against 6. n = 1,000,000; chi-square; false alarm 4.2e-8."""
    words = ("9d6 5+ 2 HP 30", "6d6 4+ 3 HP 30")
    policy = {"attacker_policy": "lowest-sufficient-parry", "target_policy": "parry-first"}
    seen = exchange.melee(*words, Run("sample", trials=TRIALS, seed=77), **policy)
    assert p_value(seen.weights, exchange.melee(*words, **policy).weights) > ALARM


def test_may_pass_is_sampled_too() -> None:
    """The variant of RULING 47. n = 1,000,000; chi-square; false alarm 4.2e-8 each."""
    words, rules = ("3d6 4+ 4 HP 7", "4d6 4+ 3 HP 9"), Rules(may_pass=1)
    for policy in (
        {"attacker_policy": "best", "target_policy": "best", "objective": "kill"},
        {"attacker_policy": "random", "target_policy": "random"},
    ):
        seen = exchange.melee(*words, Run("sample", trials=TRIALS, seed=78), rules, **policy)
        assert p_value(seen.weights, exchange.melee(*words, rules=rules, **policy).weights) > ALARM


# ── laws ──


@pytest.mark.parametrize("seed", range(12))
def test_conservation_law(seed: int) -> None:
    """23.5: when nobody is removed, blows dealt less blows taken is dice less dice of the enemy, whoever plays how."""
    rng = random.Random(600 + seed)
    a, b = combatant(rng)._replace(hp=999), combatant(rng)._replace(hp=999)
    duel = face_off(Rules(), a, b)
    names = [
        (one, other) for one in ("best", "random", "parry-first") for other in ("best", "random", "guard-then-high")
    ]
    expected: dict = defaultdict(float)
    for pool_a, ways_a in reference.pools(a.dice, a.hit).items():
        for pool_b, ways_b in reference.pools(b.dice, b.hit).items():
            expected[len(pool_a) - len(pool_b)] += ways_a * ways_b / 6 ** (a.dice + b.dice)
    for both in names:
        found: dict = defaultdict(float)
        for (x, y), p in blows(play_out(duel, "kill", both)).items():
            found[y - x] += p
        same(found, expected)


def swapped(duel: Duel, position: int) -> int:
    """The same position with the seats changed: tracks, and who leads."""
    flags = position & 3
    one, other = divmod(position >> 2, duel.game.tracks_1)
    return (other * duel.game.tracks_0 + one) << 2 | (flags ^ 2)


def occurring(duel: Duel) -> set[int]:
    """Positions that some line of play of some roll comes to; each has something to lead with."""
    chance, _ = exchange.opening(duel)
    found = set(np.flatnonzero(chance).tolist())
    waiting, offered = list(found), solve.menu()
    while waiting:
        _, leads = melee.menu_of(duel.game, waiting.pop(), offered)
        assert leads > 0
        for following in offered.next[: offered.end[leads - 1]].tolist():
            if following >= 0 and following not in found:
                found.add(following)
                waiting.append(following)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_whatever_occurs_has_a_menu(seed: int) -> None:
    """The sweeps skip positions that cannot occur; none that can is skipped, Guard or not, handing over or not."""
    rng = random.Random(750 + seed)
    a, b = combatant(rng), combatant(rng)
    duel = face_off(
        Rules(guard=seed % 2, may_pass=seed // 2 % 2), a._replace(dice=max(a.dice, 2)), b._replace(dice=max(b.dice, 1))
    )
    assert 0 < len(occurring(duel)) < melee.positions(duel.game)


@pytest.mark.parametrize("seed", range(6))
def test_seats_mirror(seed: int) -> None:
    """Positions with the seats changed have opposite values: net damage, net HP, kill difference, and kill against
    survive."""
    rng = random.Random(700 + seed)
    a, b = combatant(rng, 3)._replace(hit=4), combatant(rng, 3)
    a = a._replace(dice=max(a.dice, 2))
    here, there = face_off(Rules(), a, b), face_off(Rules(), b, a)
    mirror = np.array([swapped(here, position) for position in range(melee.positions(here.game))])
    assert sorted(mirror) == list(range(len(mirror)))
    theirs = occurring(there)
    both = np.array([position for position in occurring(here) if mirror[position] in theirs])
    assert len(both) >= 4 if b.dice else len(both) == 0
    for objective, seen_from_there in [(o, o) for o in ("net", "net-hp", "kill-difference")] + [
        ("kill", "survive"),
        ("survive", "kill"),
    ]:
        values = []
        for duel, wanted in ((here, objective), (there, seen_from_there)):
            values.append(np.zeros(melee.positions(duel.game)))
            solve.solve(duel.game, policies.score(duel.game, wanted, duel.damage, duel.hp), solve.menu(), values[-1])
        if len(both):
            assert (values[0][both] == -values[1][mirror[both]]).all()


def test_cards_and_words_meet() -> None:
    """A card's numbers and the same numbers typed give the same figures."""
    card = exchange.melee("mirror/standard", "mirror/standard", objective="kill")
    typed = exchange.melee("4d6 4+ 4 HP 8", "4d6 4+ 4 HP 8", objective="kill")
    assert (card.weights == typed.weights).all()
    assert entrant("mirror/standard", "fighter", {"weapon", "hp"}).hp == 8
