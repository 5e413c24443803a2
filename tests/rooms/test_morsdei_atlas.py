"""Every number of atlas section 23, and the DEMO table of section 22, given by the product's exact engine."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest
from reference import atlas23 as atlas
from reference.atlas23 import close

from morsdei_sim.dice.every import every, pool_classes
from morsdei_sim.fight import solve
from morsdei_sim.fight.outcome import Outcome
from morsdei_sim.rulesets.morsdei import exchange, melee, policies, shooting, volley
from morsdei_sim.rulesets.morsdei.exchange import Combatant, Duel, best_play, face_off
from morsdei_sim.rulesets.morsdei.exchange import melee as fight
from morsdei_sim.rulesets.morsdei.rules import Rules
from morsdei_sim.rulesets.morsdei.shooting import Shooter, Target
from morsdei_sim.rulesets.morsdei.volley import shoot

STYLE = {
    "high": "lowest-sufficient-parry",
    "low": "parry-first",
    "guard": "guard-then-high",
    "strike-only": "strike-only",
}


def test_every_table_is_used() -> None:
    """No table of the atlas is forgotten here."""
    text = Path(__file__).read_text(encoding="utf-8")
    tables = [name for name in vars(atlas) if name.isupper()]
    assert len(tables) == 21
    assert [name for name in tables if f"atlas.{name}" not in text] == []


# ── shooting ──


def shot(dice: int, hit: int, defence: int, damage: int = 4, hp: int = 99, **how: object) -> Outcome:
    outcome = shoot(f"{dice}d6 {hit}+ {damage}", f"Defence {defence} HP {hp}", **how)
    assert outcome.engine == "exact"
    assert outcome.weights.sum() == pytest.approx(1, abs=1e-13)
    return outcome


def assert_hits(outcome: Outcome, printed: tuple) -> None:
    found = outcome.distribution("hits_left")
    assert list(found) == list(range(len(printed)))
    for hits, text in enumerate(printed):
        assert close(found[hits], text), (hits, found[hits], text)


@pytest.mark.parametrize("row", atlas.REFERENCE_SHOT, ids=lambda row: row["case"])
def test_reference_shot(row: dict) -> None:
    for how in ({"prone": row["prone"]}, {"prone_policy": "always" if row["prone"] else "never"}):
        outcome = shot(4, 4, 3, cover=row["cover"], **how)
        assert_hits(outcome, row["hits"])
        assert close(outcome.value("mean_damage"), row["mean_damage"])
        assert outcome.distribution("damage") == {4 * hits: p for hits, p in outcome.distribution("hits_left").items()}
    assert_hits(shot(4, 4, row["defence_dice"]), row["hits"])


@pytest.mark.parametrize("row", atlas.REFERENCE_EXACT, ids=lambda row: f"{row['defence_dice']} dice")
def test_reference_shot_exactly(row: dict) -> None:
    assert_hits(shot(4, 4, row["defence_dice"]), row["hits"])


@pytest.mark.parametrize("row", atlas.REFERENCE_HP, ids=lambda row: f"{row['case']}, {row['hp']} HP")
def test_what_a_shot_does(row: dict) -> None:
    outcome = shot(4, 4, row["defence_dice"], hp=row["hp"])
    assert close(outcome.value("kill"), row["kill"])
    assert close(outcome.value("injured"), row["injured"])
    assert close(outcome.value("mean_hp_lost"), row["hp_lost"])


@pytest.mark.parametrize("row", atlas.TWO_SHOTS, ids=lambda row: f"{row['case']}, {row['hp']} HP")
def test_two_shots(row: dict) -> None:
    assert close(shot(4, 4, row["defence_dice"], hp=row["hp"], shots=2).value("kill"), row["kill"])
    if row["defence_dice"] > 3:  # a marker taken at the first hit stays
        assert close(
            shot(4, 4, row["defence_dice"] - 1, hp=row["hp"], shots=2, prone_policy="always").value("kill"), row["kill"]
        )


@pytest.mark.parametrize("row", atlas.OTHER_PROFILES + atlas.UNIT_SHOTS, ids=lambda row: str([*row.values()][:3]))
def test_other_profiles(row: dict) -> None:
    outcome = shot(row["dice"], row["hit"], row["defence_dice"])
    assert_hits(outcome, row["hits"])
    if "mean_damage" in row:
        assert close(outcome.value("mean_damage"), row["mean_damage"])


def test_no_dice() -> None:
    """23.3: 0d6 never hits."""
    assert shot(0, 4, 3).distribution("hits_left") == {0: 1.0}


def test_other_profiles_are_situations() -> None:
    """The names of the cases of 23.3: which situation is which profile."""

    def same(one: Outcome, other: Outcome) -> bool:
        return one.distribution("hits_left") == pytest.approx(other.distribution("hits_left"), abs=1e-15)

    assert same(shot(4, 4, 3, aim=True), shot(4, 3, 3))
    assert same(shot(4, 4, 3, overwatch=True), shot(4, 5, 3))
    assert same(shot(4, 4, 3, contract=True), shot(4, 5, 3))
    assert same(shot(4, 4, 3, overwatch=True, aim=True), shot(4, 5, 3))
    assert same(shot(4, 4, 3, contract=True, in_contact=True), shot(4, 6, 3))
    assert same(shot(4, 4, 3, attacker_injured=True), shot(3, 4, 3))
    assert same(shot(4, 4, 3, attacker_injured=True, overwatch=True), shot(3, 5, 3))
    assert same(shoot("4d6 4+ 4 HP 3/7", "Defence 3 HP 99"), shot(3, 4, 3))


# ── saves and prone, 23.2 and 23.4 ──


def test_best_saves() -> None:
    rules, table = Rules(), atlas.NAIVE_SAVES
    best = {case: int(shooting.hits_left_best(rules, *case)) for case in product(range(7), repeat=4)}
    naive = {case: int(shooting.hits_left_crits_first(rules, *case)) for case in best}
    assert len(best) == table["cases"]
    worse = [case for case in best if naive[case] != best[case]]
    assert all(naive[case] > best[case] for case in worse)
    assert len(worse) == table["worse"]
    assert worse[0] == table["first"]
    assert (best[worse[0]], naive[worse[0]]) == (table["first_best"], table["first_naive"])
    outcome = shot(4, 4, 3, saves="crits-first")
    assert_hits(outcome, table["hits"])
    assert close(outcome.value("mean_damage") / 4, table["mean"])
    assert close(shot(4, 4, 3).value("mean_damage") / 4, table["best_mean"])


def hits_left(normals: int, crits: int, defence: int) -> float:
    """Mean hits left once the attack roll is known."""
    start, saves, crit_saves, chance = pool_classes()
    classes = range(start[defence], start[defence + 1])
    return sum(
        chance[4, i] * shooting.hits_left_best(Rules(), normals, crits, saves[i], crit_saves[i]) for i in classes
    )


@pytest.mark.parametrize("row", atlas.DEFENCE_DIE, ids=lambda row: f"{row['normals']}N {row['crits']}C")
def test_worth_of_a_defence_die(row: dict) -> None:
    n, c = row["normals"], row["crits"]
    means = [hits_left(n, c, dice) for dice in (3, 4, 5)]
    for dice, mean in zip((3, 4, 5), means, strict=True):
        assert close(mean, row[f"dice_{dice}"])
    shooter = Shooter(4, 4, 1, 0, 0, 0, 0, 0, 1)
    for cover in (0, 1):  # the value of going prone at hook J6, with HP enough that nothing is capped
        gain = volley.prone_gain(Rules(), shooter, Target(3, 99, 99, cover, 0, 0, 0))
        assert gain[-1, n, c] == pytest.approx(means[cover] - means[cover + 1], abs=1e-13)


def test_price_of_prone() -> None:
    table = atlas.PRICE_OF_PRONE
    open_, cover, both = (shot(4, 4, defence).value("mean_damage") for defence in (3, 4, 5))
    assert close(open_ - cover, table["open"])
    assert close(cover - both, table["in_cover"])
    gain = volley.prone_gain(Rules(), Shooter(4, 4, 4, 0, 0, 0, 0, 0, 1), Target(3, 99, 99, 0, 0, 0, 0))[-1]
    assert np.unravel_index(gain.argmax(), gain.shape) == (4, 0)
    assert close(gain.max() / 4, table["best_hits"])
    assert close(gain.max(), table["best_damage"])


def test_action_economy() -> None:
    table = atlas.ACTION_ECONOMY

    def damage(**how: object) -> float:
        return shot(4, 4, 3, **how).value("mean_damage")

    plain = damage()
    assert close(plain, table["shoot"])
    assert close(damage(shots=2), table["two_shoots"])
    for name, how in {
        "aimed": {"aim": True},
        "overwatch": {"overwatch": True},
        "injured": {"attacker_injured": True},
    }.items():
        assert close(damage(**how), table[name])
        assert close(damage(**how) / plain, table[f"{name}_ratio"])
    assert close(damage(cover=True) / plain, table["cover_ratio"])
    assert close(damage(cover=True, prone=True) / plain, table["cover_and_prone_ratio"])


def test_aim_is_dominated() -> None:
    """23.7: 120 profiles; two shots beat an aimed one in mean and in every number of hits, save the printed
    exceptions."""
    equal_means, lost = set(), set()
    for dice, hit, defence in product(range(1, 6), range(3, 7), range(6)):
        one, aimed = shot(dice, hit, defence), shot(dice, hit, defence, aim=True)
        two = shot(dice, hit, defence, shots=2)
        gap = 2 * one.value("mean_damage") - aimed.value("mean_damage")
        assert gap > -1e-12
        if gap < 1e-12:
            equal_means.add((hit, defence))
        by_two, by_aim = two.distribution("hits_left"), aimed.distribution("hits_left")
        for least in range(1, 2 * dice + 1):
            if (
                sum(p for h, p in by_two.items() if h >= least)
                < sum(p for h, p in by_aim.items() if h >= least) - 1e-12
            ):
                lost.add((dice, hit, defence, least))
    assert equal_means == {(6, 0)}
    assert lost == {(n, 6, 0, 1) for n in range(1, 6)} | {(4, 6, 0, 2), (5, 6, 0, 2)}


# ── DEMO squads, section 22 ──

DEMO = [
    (("mirror/standard", "line/sergeant", "line/rifleman", "cleavers/chief"), ("3.425783", "2.609577", "2.014865")),
    (("line/marksman",), ("4.788895", "3.595831", "2.703229")),
    (("scavengers/runner", "scavengers/hunter"), ("2.569337", "1.957183", "1.511149")),
    (("bulwark/heavy",), ("4.738428", "3.688878", "2.890426")),
    (("bulwark/gunner",), ("4.075662", "3.326629", "2.748202")),
    (("cleavers/brawler",), ("1.705633", "1.273255", "0.972603")),
]


@pytest.mark.parametrize(("fighters", "printed"), DEMO, ids=lambda x: x[0])
def test_demo_squads(fighters: tuple, printed: tuple) -> None:
    for fighter in fighters:
        for defence, text in zip((3, 4, 5), printed, strict=True):
            assert close(shoot(fighter, f"Defence {defence} HP 99").value("mean_damage"), text), fighter


# ── melee ──

PRINTED = Rules()
VARIANTS = {"value": {}, "exact": {}, "no_guard": {"guard": 0}, "may_pass": {"may_pass": 1}}
FIGURE = {"net": "net_damage", "kill-difference": None, "kill": "kill_target", "survive": "kill_attacker"}


@cache
def duel(a: tuple, b: tuple, rules: Rules = PRINTED) -> Duel:
    return face_off(rules, Combatant(*a), Combatant(*b))


def swords(row: dict, rules: Rules = PRINTED) -> Duel:
    """4d6 Hit 4+ Damage 4 on both sides."""
    return duel((4, 4, 4, row["hp_a"]), (4, 4, 4, row["hp_b"]), rules)


def words(row: dict) -> tuple[str, str]:
    return f"4d6 4+ 4 HP {row['hp_a']}", f"4d6 4+ 4 HP {row['hp_b']}"


def value(objective: str, outcome: Outcome, one: Duel) -> float:
    """The value of an objective, `survive` printed as the chance that the initiator is removed."""
    if objective == "net-hp":
        return outcome.value("mean_hp_lost_by_target") - outcome.value("mean_hp_lost_by_attacker")
    if objective == "kill-difference":
        return outcome.value("kill_target") - outcome.value("kill_attacker")
    return outcome.value(FIGURE[objective])


def name(row: dict) -> str:
    return f"{row['hp_a']} v {row['hp_b']} {row.get('objective') or row.get('style', '')}".strip()


@pytest.mark.parametrize("row", atlas.BEST_PLAY, ids=name)
def test_best_play(row: dict) -> None:
    for column, change in VARIANTS.items():
        rules = Rules(**change)
        outcome = fight(*words(row), rules=rules, objective=row["objective"])
        assert outcome.weights.sum() == pytest.approx(1, abs=1e-13)
        assert close(value(row["objective"], outcome, swords(row)), row[column]), column
        one = swords(row, rules)
        score = policies.score(one.game, row["objective"], one.damage, one.hp)
        worth = float(best_play(one, row["objective"]).ravel() @ score)  # the same without the words
        assert close(-worth if row["objective"] == "survive" else worth, row[column])


@pytest.mark.parametrize("row", atlas.OUTCOMES, ids=name)
def test_outcomes_of_best_play(row: dict) -> None:
    outcome = fight(*words(row), objective=row["objective"])
    assert close(outcome.value("kill_target"), row["b_removed"])
    assert close(outcome.value("kill_attacker"), row["a_removed"])
    assert close(outcome.weights[0], row["unhurt"])
    assert close(outcome.value("mean_damage_to_target"), row["to_b"])
    assert close(outcome.value("mean_damage_to_attacker"), row["to_a"])
    assert close(outcome.value("mean_hp_lost_by_target"), row["lost_b"])
    assert close(outcome.value("mean_hp_lost_by_attacker"), row["lost_a"])


def assert_blows(blows: np.ndarray, row: dict) -> None:
    found = np.zeros((5, 5))
    found[: blows.shape[0], : blows.shape[1]] = blows
    for on_b in range(4):
        assert close(found[row["on_a"], on_b], row[f"on_b_{on_b}"])
    assert not found[:, 4].any()


@pytest.mark.parametrize("row", atlas.BLOWS, ids=lambda row: f"{name(row)} {row['on_a']}")
def test_blows_of_best_play(row: dict) -> None:
    assert_blows(best_play(swords(row), row["objective"]), row)


@pytest.mark.parametrize("row", atlas.FIXED_STYLES, ids=name)
def test_fixed_styles(row: dict) -> None:
    style = STYLE[row["style"]]
    outcome = fight(*words(row), attacker_policy=style, target_policy=style)
    assert close(outcome.value("net_damage"), row["net"])
    assert close(outcome.value("kill_target"), row["b_removed"])
    assert close(outcome.value("kill_attacker"), row["a_removed"])
    assert close(outcome.weights[0], row["unhurt"])


@pytest.mark.parametrize("row", atlas.STYLE_BLOWS, ids=lambda row: f"{name(row)} {row['on_a']}")
def test_blows_of_fixed_styles(row: dict) -> None:
    style = STYLE[row["style"]]
    assert_blows(exchange.play_out(swords(row), "net", (style, style)), row)


@pytest.mark.parametrize("row", atlas.BEST_RESPONSES, ids=name)
def test_best_responses(row: dict) -> None:
    style = STYLE[row["style"]]

    def net(attacker: str, target: str) -> float:
        return fight(*words(row), attacker_policy=attacker, target_policy=target).value("net_damage")

    assert close(net("best", "best"), row["optimum"])
    assert close(net("exploit", "exploit"), row["optimum"])
    assert close(net(style, "exploit"), row["style_as_a"])
    assert close(net("exploit", style), row["style_as_b"])


@pytest.mark.parametrize("row", atlas.OTHER_MELEES, ids=lambda row: f"{row['initiator']} v {row['target']}")
def test_other_melees(row: dict) -> None:
    """By numbers, and the two Injured and the Contract by their cards."""
    a, b = row["initiator"], row["target"]
    cards = {
        (3, 4, 4, 4): ("4d6 4+ 4 HP 4/9", "4d6 4+ 4 HP 7", {}),
        (4, 4, 4, 9): ("4d6 4+ 4 HP 9", "4d6 4+ 4 HP 3/7", {}),
        (4, 5, 4, 9): ("4d6 4+ 4 HP 9", "4d6 4+ 4 HP 7", {"contract": True}),
    }
    plain = f"{a[0]}d6 {a[1]}+ {a[2]} HP {a[3]}", f"{b[0]}d6 {b[1]}+ {b[2]} HP {b[3]}", {}
    for text_a, text_b, how in (plain, cards.get(a, plain)):
        for objective in ("net", "kill-difference", "kill", "survive"):
            outcome = fight(text_a, text_b, objective=objective, **how)
            assert close(value(objective, outcome, duel(a, b)), row[objective.replace("-", "_")]), objective


# ── single positions ──


def track(one: Duel, side: int, pool: tuple) -> int:
    """The track of a fresh pool."""
    fighter = one.sides[side]
    packed = sum(1 << 5 * (face - 2) for face in pool)
    return int(fighter.start[melee.rank(fighter.below, fighter.hit, packed, len(pool))])


def position(one: Duel, pool_a: tuple, pool_b: tuple) -> int:
    return int(melee.settle(one.game, track(one, 0, pool_a), track(one, 1, pool_b), 0, 0))


@pytest.mark.parametrize("row", atlas.POSITIONS, ids=lambda row: f"{row['initiator']} v {row['target']}")
def test_positions(row: dict) -> None:
    one = duel((4, 4, 4, 9), (4, 4, 4, 7))
    here = position(one, row["initiator"], row["target"])
    for objective in ("net", "kill-difference"):
        rank, order = policies.ranks(one.game, objective, one.damage, one.hp)
        values = np.zeros(melee.positions(one.game))
        solve.solve(one.game, rank, solve.menu(), values)
        ranked = values[here] if here >= 0 else rank[-1 - here]
        assert divmod(int(order[int(ranked)]), one.game.kill_0 + 1) == row[objective.replace("-", "_")]


@pytest.mark.parametrize("row", atlas.BEST_PLAY_LOOKS, ids=name)
def test_first_leads_of_best_play(row: dict) -> None:
    one = swords(row)
    score = policies.score(one.game, "net", one.damage, one.hp)
    values = np.zeros(melee.positions(one.game))
    solve.solve(one.game, score, solve.menu(), values)
    chance, _ = exchange.opening(one)
    can = strict = high = 0.0
    for here in np.flatnonzero(chance):
        offered = solve.menu()
        leader, leads = melee.menu_of(one.game, here, offered)
        if leader != 0:
            continue
        worth = {}
        for k in range(leads):
            first = int(offered.end[k - 1]) if k else 0
            follow = offered.next[first : offered.end[k]]
            worth[int(offered.lead[k])] = min(values[f] if f >= 0 else score[-1 - f] for f in follow)
        attacks = {lead: v for lead, v in worth.items() if lead < melee.GUARD}
        guards = [v for lead, v in worth.items() if lead > melee.GUARD]
        can += chance[here] * bool(guards)
        strict += chance[here] * (bool(guards) and max(guards) > max(attacks.values()))
        high += chance[here] * (attacks[max(attacks)] == max(worth.values()))
    assert close(can, row["guard_possible"])
    assert close(strict, row["guard_strictly_best"])
    assert close(high, row["highest_attack_best"])


# ── 23.5 and 23.7 ──


def test_conservation_law() -> None:
    """Every line of play of all pairs of small pools, nobody removed."""
    table = atlas.CONSERVATION
    most = table["most_dice"]
    one = duel((most, table["lowest_face"], 1, 99), (most, table["lowest_face"], 1, 99))
    small = [p for n in range(most + 1) for p in combinations_with_replacement(range(table["lowest_face"], 7), n)]
    offered = solve.menu()

    @cache
    def ends(here: int) -> frozenset:
        if here < 0:
            return frozenset([divmod(-1 - here, one.game.kill_0 + 1)])
        _, leads = melee.menu_of(one.game, here, offered)
        following = offered.next[: offered.end[leads - 1]].tolist()
        return frozenset().union(*(ends(f) for f in following))

    outcomes = [(a, b, end) for a in small for b in small for end in ends(position(one, a, b))]
    assert len(small) ** 2 == table["pairs"]
    assert len(outcomes) == table["outcomes"]
    assert all(y - x == len(a) - len(b) for a, b, (x, y) in outcomes)


@pytest.mark.parametrize("objective", policies.OBJECTIVES)
def test_nothing_to_win_without_removal(objective: str) -> None:
    outcome = fight("4d6 4+ 4 HP 99", "4d6 4+ 4 HP 99", objective=objective)
    assert value(objective, outcome, duel((4, 4, 4, 99), (4, 4, 4, 99))) == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize(("pool", "count"), atlas.POOL_COUNTS.items())
def test_number_of_pools(pool: tuple, count: int) -> None:
    dice, hit = pool
    fighter = melee.side(hit, dice, dice + 1)
    assert len(fighter.start) - 1 == count
    chance = np.zeros(len(fighter.held))
    melee.rolls(every(), fighter, chance)
    assert (chance > 0).sum() == count
    assert chance.sum() == pytest.approx(1, abs=1e-14)
