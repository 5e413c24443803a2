"""The reference gives the numbers of atlas section 23, its worked examples (section 20), and its claims."""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from . import atlas23 as atlas
from . import morsdei as reference
from .atlas23 import close
from .morsdei import Exchange, Fighter, State, best_play, best_response, play, position, shot, shot_by_faces, shots

MATCHES = [(9, 7), (7, 9), (9, 9), (7, 7)]
best = cache(best_play)


def swordsman(hp: int) -> Fighter:
    """The fighter of nearly every table: 4d6 Hit 4+ Damage 4."""
    return Fighter(4, 4, 4, hp)


def mean(spread: dict) -> Fraction:
    return sum(value * chance for value, chance in spread.items())


def assert_hits(spread: dict, printed: tuple) -> None:
    assert sum(spread.values()) == 1
    assert list(spread) == list(range(len(printed)))
    for hits, text in enumerate(printed):
        assert close(spread[hits], text), (hits, float(spread[hits]), text)


def always(normals: int, crits: int) -> bool:
    return True


# ---- the comparison itself ----


def test_close_is_close() -> None:
    assert close(Fraction(2, 3), "0.666667")
    assert not close(Fraction(2, 3), "0.666666")
    assert not close(Fraction(2, 3), "0.666668")
    assert close(Fraction(2, 3), "2/3")
    assert not close(Fraction(2, 3) + Fraction(1, 10**9), "2/3")


# ---- section 20 ----


def test_faces_and_final_hit() -> None:
    """TV2-TV4: what a face is, modifiers, bounds."""
    assert [reference.sort_faces((face,), 4) for face in range(1, 7)] == [(0, 0)] * 3 + [(1, 0)] * 2 + [(0, 1)]
    assert reference.final_hit(4, overwatch=True, in_contact=True, aim=False) == 6
    assert reference.final_hit(4, contract=True, in_contact=True) == 6  # RULING 3: two worse
    assert reference.final_hit(4, aim=True, in_contact=True) == 4  # RULING 3: net 0
    assert reference.final_hit(2, aim=True) == 2
    assert reference.final_hit(6, contract=True) == 6
    assert reference.sort_faces((1, 1), 2) == (0, 0)
    assert reference.sort_faces((6, 5), 6) == (0, 1)


def test_aim_does_nothing_outside_its_activation() -> None:
    """O14 for Overwatch; S1 with K7 for a Contract."""
    for how in ({"overwatch": True}, {"contract": True}):
        assert reference.final_hit(4, aim=True, **how) == reference.final_hit(4, **how) == 5


def test_defence_dice_and_prone() -> None:
    """TV5, TV29: cover and Prone are two dice, prone again is none; no hit means no offer."""
    assert shot(4, 4, 4, 3, cover=True) == shot(4, 4, 4, 4)
    assert shot(4, 4, 4, 3, cover=True, prone=True) == shot(4, 4, 4, 5)
    assert shot(4, 4, 4, 3, prone=True, go_prone=always) == shot(4, 4, 4, 3, prone=True)
    offers = []
    shot(2, 4, 4, 3, go_prone=lambda n, c: bool(offers.append((n, c))))
    assert sorted(offers) == [(0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]
    assert shots(1, 1, 4, 4, 0, 9, go_prone=always)[0, False] == Fraction(1, 2)  # the marker needs a hit


def test_saves_of_the_example() -> None:
    """TV18: attack 1, 4, 5, 6 and defence 2, 4, 6, 6."""
    attack, defence = reference.sort_faces((1, 4, 5, 6), 4), reference.sort_faces((2, 4, 6, 6), 4)
    assert (attack, defence) == ((2, 1), (1, 2))
    assert reference.fewest_left(*attack, *defence) == reference.closed_form(*attack, *defence) == 0


def test_damage_of_the_example() -> None:
    """TV19: 7 HP, two hits of 4: the first leaves 3 (Injured), the second removes."""
    assert reference.aftermath({1: Fraction(1)}, 4, 7) == (0, 1, 4)
    assert reference.aftermath({2: Fraction(1)}, 4, 7) == (1, 0, 7)


@pytest.mark.parametrize(("max_hp", "worst"), [(10, 4), (9, 4), (7, 3), (8, 3), (6, 2), (2, 0), (1, 0)])
def test_injury(max_hp: int, worst: int) -> None:
    """TV24."""
    assert [hp for hp in range(1, max_hp + 1) if reference.is_injured(hp, max_hp)] == list(range(1, worst + 1))


def walk(pool_a: tuple, pool_b: tuple, *steps: tuple) -> State:
    """Play the steps (lead, answer) and give the last state; an illegal step is a KeyError."""
    state = State(0, False, False, (pool_a, pool_b), (0, 0))
    for lead, answer in steps:
        if not state.pools[state.leader]:  # B21
            state = state._replace(leader=1 - state.leader, guarded=False)
        state = reference.leads(state)[lead][answer]
    return state


def test_full_example_of_melee() -> None:
    """TV21, TV22."""
    line = [(("guard", 5), 0), (("attack", 4), 5), (("attack", 4), 6)]
    assert walk((4, 5, 6), (4, 5, 5), line[0]) == State(0, True, False, ((4, 6), (4, 5)), (0, 0))
    assert walk((4, 5, 6), (4, 5, 5), *line[:2]) == State(1, False, False, ((6,), (4,)), (0, 0))
    assert walk((4, 5, 6), (4, 5, 5), *line) == State(0, False, False, ((), ()), (0, 0))
    assert walk((4, 5, 6), (4, 5, 5), (("attack", 6), 0)) == State(0, False, False, ((4, 5), (4, 5, 5)), (0, 1))
    for illegal in ((("attack", 6), 5), (("guard", 6), 0), (("attack", 5), 5)):
        with pytest.raises(KeyError):
            walk((4, 5, 6), (4, 5, 5, 6), illegal)
    with pytest.raises(KeyError):  # B17: one Guard a series
        walk((4, 4, 6), (4, 4), (("guard", 4), 0), (("guard", 4), 0))


def test_example_with_unequal_damage() -> None:
    """TV23."""
    line = [(("attack", 4), 5), (("attack", 6), 0), (("attack", 5), 0)]
    assert walk((4, 5), (5, 6), *line[:2]) == State(1, False, False, ((5,), ()), (1, 0))
    assert walk((4, 5), (5, 6), *line) == State(0, False, False, ((), ()), (1, 1))


# ---- 23.2 ----


def test_best_saves() -> None:
    cases = list(product(range(7), repeat=4))
    assert len(cases) == atlas.NAIVE_SAVES["cases"]
    assert all(reference.closed_form(*case) == reference.fewest_left(*case) for case in cases)
    worse = [case for case in cases if reference.criticals_first(*case) != reference.closed_form(*case)]
    assert all(reference.criticals_first(*case) > reference.closed_form(*case) for case in worse)
    assert len(worse) == atlas.NAIVE_SAVES["worse"]
    first = worse[0]
    assert first == atlas.NAIVE_SAVES["first"]
    assert reference.closed_form(*first) == atlas.NAIVE_SAVES["first_best"]
    assert reference.criticals_first(*first) == atlas.NAIVE_SAVES["first_naive"]


def test_naive_saves_of_the_reference_shot() -> None:
    naive = shot(4, 4, 4, 3, saves="naive")
    assert_hits(naive, atlas.NAIVE_SAVES["hits"])
    assert close(mean(naive), atlas.NAIVE_SAVES["mean"])
    assert close(mean(shot(4, 4, 4, 3)), atlas.NAIVE_SAVES["best_mean"])


@pytest.mark.parametrize("saves", ["best", "naive"])
@pytest.mark.parametrize("hit", [2, 3, 4, 5, 6])
def test_classes_equal_faces(hit: int, saves: str) -> None:
    """The classes of 23.1 against every face, and the closed form against every use of the saves."""
    for dice, defence in [(0, 2), (1, 0), (1, 3), (2, 2), (3, 1), (3, 2)]:
        for how in ({}, {"prone": True}, {"go_prone": lambda n, c: n > c}, {"attacker_injured": True, "aim": True}):
            assert shot(dice, hit, 1, defence, saves=saves, **how) == shot_by_faces(
                dice, hit, 1, defence, saves=saves, **how
            )


@pytest.mark.slow
def test_reference_shot_by_faces() -> None:
    for saves in ("best", "naive"):
        assert shot(4, 4, 4, 3, saves=saves) == shot_by_faces(4, 4, 4, 3, saves=saves)


# ---- 23.3 ----


@pytest.mark.parametrize("row", atlas.REFERENCE_SHOT, ids=lambda row: row["case"])
def test_reference_shot(row: dict) -> None:
    offered = {"go_prone": always} if row["prone"] else {}
    for how in ({"prone": row["prone"]}, offered):
        hits = shot(4, 4, 4, 3, cover=row["cover"], **how)
        assert_hits(hits, row["hits"])
        assert close(4 * mean(hits), row["mean_damage"])


@pytest.mark.parametrize("row", atlas.REFERENCE_EXACT, ids=lambda row: f"{row['defence_dice']} dice")
def test_reference_shot_exactly(row: dict) -> None:
    assert_hits(shot(4, 4, 4, row["defence_dice"]), row["hits"])


@pytest.mark.parametrize("row", atlas.REFERENCE_HP, ids=lambda row: f"{row['case']}, {row['hp']} HP")
def test_what_a_shot_does(row: dict) -> None:
    after = reference.aftermath(shot(4, 4, 4, row["defence_dice"]), 4, row["hp"])
    assert close(after.kill, row["kill"])
    assert close(after.injured, row["injured"])
    assert close(after.hp_lost, row["hp_lost"])


@pytest.mark.parametrize("row", atlas.TWO_SHOTS, ids=lambda row: f"{row['case']}, {row['hp']} HP")
def test_two_shots(row: dict) -> None:
    two = shots(2, 4, 4, 4, row["defence_dice"], row["hp"])
    assert close(reference.aftermath(two, 4, row["hp"]).kill, row["kill"])
    if row["defence_dice"] > 3:  # the same with a marker taken at the first hit, which persists
        lying = shots(2, 4, 4, 4, row["defence_dice"] - 1, row["hp"], go_prone=always)
        assert close(reference.aftermath(lying, 4, row["hp"]).kill, row["kill"])
    fallen, alive = reference.activations(4, 4, 4, row["defence_dice"], row["hp"], ("shoot", "shoot"), limit=1)
    assert close(fallen[0], row["kill"])
    assert fallen[0] + alive == 1


@pytest.mark.parametrize("row", atlas.OTHER_PROFILES + atlas.UNIT_SHOTS, ids=lambda row: str([*row.values()][:3]))
def test_other_profiles(row: dict) -> None:
    hits = shot(row["dice"], row["hit"], 4, row["defence_dice"])
    assert_hits(hits, row["hits"])
    assert close(4 * mean(hits), row.get("mean_damage", f"{float(4 * mean(hits)):.6f}"))


def test_other_profiles_are_situations() -> None:
    """The names of the cases of 23.3: which situation is which profile."""
    assert shot(4, 4, 4, 3, aim=True) == shot(4, 3, 4, 3)
    assert shot(4, 4, 4, 3, overwatch=True) == shot(4, 4, 4, 3, contract=True) == shot(4, 5, 4, 3)
    assert shot(4, 4, 4, 3, overwatch=True, aim=True) == shot(4, 5, 4, 3)
    assert shot(4, 4, 4, 3, contract=True, in_contact=True) == shot(4, 6, 4, 3)
    assert shot(4, 4, 4, 3, attacker_injured=True, overwatch=True) == shot(3, 5, 4, 3)
    assert shot(0, 4, 4, 3) == shot(0, 4, 4, 3, attacker_injured=True) == {0: 1}


# ---- 23.4 ----


def hits_left(normals: int, crits: int, defence: int) -> Fraction:
    """Mean hits left once the attack roll is known."""
    return sum(
        (p * reference.fewest_left(normals, crits, s, k) for s, k, p in reference.classes(defence, Fraction(1, 3))),
        Fraction(0),
    )


@pytest.mark.parametrize("row", atlas.DEFENCE_DIE, ids=lambda row: f"{row['normals']}N {row['crits']}C")
def test_worth_of_a_defence_die(row: dict) -> None:
    for dice in (3, 4, 5):
        assert close(hits_left(row["normals"], row["crits"], dice), row[f"dice_{dice}"])


# ---- 23.5 ----


def test_conservation_law() -> None:
    """Every line of play of every pair of small pools, nobody removed: dealt - taken = dice - dice of the enemy."""

    @cache
    def ends(state: State) -> frozenset:
        if not any(state.pools):
            return frozenset([state.blows])
        if not state.pools[state.leader]:
            state = state._replace(leader=1 - state.leader, guarded=False)
        return frozenset().union(*(ends(after) for lead in reference.leads(state).values() for after in lead.values()))

    faces = range(atlas.CONSERVATION["lowest_face"], 7)
    small = [p for n in range(atlas.CONSERVATION["most_dice"] + 1) for p in combinations_with_replacement(faces, n)]
    outcomes = [(a, b, end) for a in small for b in small for end in ends(State(0, False, False, (a, b), (0, 0)))]
    assert len(small) ** 2 == atlas.CONSERVATION["pairs"]
    assert len(outcomes) == atlas.CONSERVATION["outcomes"]
    assert all(y - x == len(a) - len(b) for a, b, (x, y) in outcomes)


@pytest.mark.parametrize("objective", ["net", "net-hp", "kill-difference", "kill", "survive"])
def test_nothing_to_win_without_removal(objective: str) -> None:
    assert best(swordsman(99), swordsman(99), objective)[0] == 0


# ---- 23.6 ----


def match(row: dict) -> tuple[Fighter, Fighter]:
    return swordsman(row["hp_a"]), swordsman(row["hp_b"])


def name(row: dict) -> str:
    return f"{row['hp_a']} v {row['hp_b']} {row.get('objective') or row.get('style', '')}".strip()


@pytest.mark.parametrize("row", atlas.BEST_PLAY, ids=name)
def test_best_play(row: dict) -> None:
    value, spread = best(*match(row), row["objective"])
    assert close(value, row["exact"])
    assert close(value, row["value"])
    assert sum(spread.values()) == 1
    assert close(best(*match(row), row["objective"], guard=False)[0], row["no_guard"])
    assert close(best(*match(row), row["objective"], may_pass=True)[0], row["may_pass"])


@pytest.mark.parametrize("row", atlas.OUTCOMES, ids=name)
def test_outcomes_of_best_play(row: dict) -> None:
    _, spread = best(*match(row), row["objective"])
    hp_a, hp_b = row["hp_a"], row["hp_b"]

    def average(f) -> Fraction:
        return sum((chance * f(4 * x, 4 * y) for (x, y), chance in spread.items()), Fraction(0))

    assert close(average(lambda to_a, to_b: to_b >= hp_b), row["b_removed"])
    assert close(average(lambda to_a, to_b: to_a >= hp_a), row["a_removed"])
    assert close(spread[0, 0], row["unhurt"])
    assert close(average(lambda to_a, to_b: to_b), row["to_b"])
    assert close(average(lambda to_a, to_b: to_a), row["to_a"])
    assert close(average(lambda to_a, to_b: min(to_b, hp_b)), row["lost_b"])
    assert close(average(lambda to_a, to_b: min(to_a, hp_a)), row["lost_a"])


def assert_blows(spread: dict, row: dict) -> None:
    assert max(y for _, y in spread) < 4
    for on_b in range(4):
        chance = spread.get((row["on_a"], on_b), Fraction(0))
        assert close(chance, row[f"on_b_{on_b}"])


@pytest.mark.parametrize("row", atlas.BLOWS, ids=lambda row: f"{name(row)} {row['on_a']}")
def test_blows_of_best_play(row: dict) -> None:
    assert_blows(best(*match(row), row["objective"])[1], row)


@pytest.mark.parametrize("row", atlas.FIXED_STYLES, ids=name)
def test_fixed_styles(row: dict) -> None:
    spread = play(*match(row), row["style"], row["style"])
    assert close(sum(4 * (y - x) * chance for (x, y), chance in spread.items()), row["net"])
    assert close(sum(chance for (x, y), chance in spread.items() if 4 * y >= row["hp_b"]), row["b_removed"])
    assert close(sum(chance for (x, y), chance in spread.items() if 4 * x >= row["hp_a"]), row["a_removed"])
    assert close(spread[0, 0], row["unhurt"])


@pytest.mark.parametrize("row", atlas.STYLE_BLOWS, ids=lambda row: f"{name(row)} {row['on_a']}")
def test_blows_of_fixed_styles(row: dict) -> None:
    assert_blows(play(*match(row), row["style"], row["style"]), row)


@pytest.mark.parametrize("row", atlas.BEST_RESPONSES, ids=name)
def test_best_responses(row: dict) -> None:
    a, b = match(row)
    assert close(best(a, b, "net")[0], row["optimum"])
    assert close(best_response(a, b, 0, row["style"], "net"), row["style_as_a"])
    assert close(best_response(a, b, 1, row["style"], "net"), row["style_as_b"])


@pytest.mark.parametrize("row", atlas.OTHER_MELEES, ids=lambda row: f"{row['initiator']} v {row['target']}")
def test_other_melees(row: dict) -> None:
    for objective in ("net", "kill-difference", "kill", "survive"):
        value, _ = best(Fighter(*row["initiator"]), Fighter(*row["target"]), objective)
        assert close(value, row[objective.replace("-", "_")]), objective


@pytest.mark.parametrize("row", atlas.POSITIONS, ids=lambda row: f"{row['initiator']} v {row['target']}")
def test_positions(row: dict) -> None:
    for objective in ("net", "kill-difference"):
        played = position(row["initiator"], row["target"], 0, swordsman(9), swordsman(7), objective)
        assert played == row[objective.replace("-", "_")]


@pytest.mark.parametrize("row", atlas.BEST_PLAY_LOOKS, ids=name)
def test_first_leads_of_best_play(row: dict) -> None:
    exchange = Exchange(*match(row))
    can, strict, high = 0, 0, 0
    rolls = reference.pools(4, 4)
    for pool_a, pool_b in product(rolls, rolls):
        if not pool_a:
            continue
        leads = reference.leads(State(0, False, False, (pool_a, pool_b), (0, 0)))
        worth = {
            lead: min(exchange.worth(exchange.play(after))[0] for after in answers.values())
            for lead, answers in leads.items()
        }
        attacks = [value for (kind, _), value in worth.items() if kind == "attack"]
        guards = [value for (kind, _), value in worth.items() if kind == "guard"]
        ways = rolls[pool_a] * rolls[pool_b]
        can += ways * bool(guards)
        strict += ways * (bool(guards) and max(guards) > max(attacks))
        high += ways * (worth["attack", max(pool_a)] == max(worth.values()))
    assert close(Fraction(can, 6**8), row["guard_possible"])
    assert close(Fraction(strict, 6**8), row["guard_strictly_best"])
    assert close(Fraction(high, 6**8), row["highest_attack_best"])


def test_taking_a_blow_can_be_strictly_better() -> None:
    """Against the text under that table of the atlas, which says it never is in its four matches.

    9 HP attacks 9 HP, 4, 4, 5, 6 against 5, 6, 6, 6, and the initiator leads (badly) with its 5: Take ends (3, 2) with
    the initiator removed, Parry ends (1, 1).
    """
    exchange = Exchange(swordsman(9), swordsman(9))
    answers = reference.leads(State(0, False, False, ((4, 4, 5, 6), (5, 6, 6, 6)), (0, 0)))["attack", 5]
    ends = {answer: next(iter(exchange.play(after))) for answer, after in answers.items()}
    assert ends == {0: (3, 2), 6: (1, 1)}


def test_random_play_by_hand() -> None:
    """Every distinct lead is one option, and Take and every distinct Parry."""
    exchange = Exchange(swordsman(9), swordsman(9), ("random", "random"))
    half, quarter = Fraction(1, 2), Fraction(1, 4)

    def ends(pool_a: tuple, pool_b: tuple) -> dict:
        return exchange.play(State(0, False, False, (pool_a, pool_b), (0, 0)))

    assert ends((4,), (5,)) == {(1, 1): half, (0, 0): half}
    # The Attack with the 4 cannot be parried: one blow each. The Guard: nothing. Two 4s are one option.
    assert ends((4,), (4,)) == {(1, 1): half, (0, 0): half}
    assert ends((4, 4), (4,)) == {(0, 1): half + quarter, (1, 2): quarter}
    # Whichever die leads, the 6 parries (half), else it parries the next one (half of the rest), else it strikes.
    assert ends((4, 5), (6,)) == {(0, 1): 3 * quarter, (1, 2): quarter}


@pytest.mark.parametrize(("hp_a", "hp_b"), MATCHES)
def test_best_play_is_between_the_best_responses(hp_a: int, hp_b: int) -> None:
    """No style does better than best play, on either side, random play included."""
    a, b = swordsman(hp_a), swordsman(hp_b)
    optimum = best(a, b, "net")[0]
    assert best_response(a, b, 0, "strike-only", "net") <= optimum <= best_response(a, b, 1, "strike-only", "net")


@pytest.mark.slow
def test_random_is_no_better_than_best() -> None:
    a, b = swordsman(9), swordsman(7)
    optimum = best(a, b, "net")[0]
    assert best_response(a, b, 0, "random", "net") < optimum < best_response(a, b, 1, "random", "net")


# ---- 23.7 ----


@pytest.mark.parametrize(("pool", "count"), atlas.POOL_COUNTS.items())
def test_number_of_pools(pool: tuple, count: int) -> None:
    assert len(reference.pools(*pool)) == count
    assert sum(reference.pools(*pool).values()) == 6 ** pool[0]


def test_action_economy() -> None:
    plain = 4 * mean(shot(4, 4, 4, 3))
    table = atlas.ACTION_ECONOMY
    situations = {"aimed": {"aim": True}, "overwatch": {"overwatch": True}, "injured": {"attacker_injured": True}}
    assert close(plain, table["shoot"])
    assert close(2 * plain, table["two_shoots"])
    for key, how in situations.items():
        damage = 4 * mean(shot(4, 4, 4, 3, **how))
        assert close(damage, table[key])
        assert close(damage / plain, table[f"{key}_ratio"])
    assert close(4 * mean(shot(4, 4, 4, 3, cover=True)) / plain, table["cover_ratio"])
    assert close(4 * mean(shot(4, 4, 4, 3, cover=True, prone=True)) / plain, table["cover_and_prone_ratio"])


def test_aim_is_dominated() -> None:
    """120 profiles: two shots beat an aimed one in mean and in every number of hits, save the printed exceptions."""
    equal_means, lost = set(), set()
    for dice, hit, defence in product(range(1, 6), range(3, 7), range(6)):
        one, aimed = shot(dice, hit, 1, defence), shot(dice, hit, 1, defence, aim=True)
        two = shots(2, dice, hit, 1, defence, 99)
        assert 2 * mean(one) >= mean(aimed)
        if 2 * mean(one) == mean(aimed):
            equal_means.add((hit, defence))
        for least in range(1, 2 * dice + 1):
            by_two = sum(p for (total, _), p in two.items() if total >= least)
            by_aim = sum(p for hits, p in aimed.items() if hits >= least)
            if by_two < by_aim:
                lost.add((dice, hit, defence, least))
    assert equal_means == {(6, 0)}
    assert lost == {(n, 6, 0, 1) for n in range(1, 6)} | {(4, 6, 0, 2), (5, 6, 0, 2)}


def test_price_of_prone() -> None:
    table = atlas.PRICE_OF_PRONE
    dice = [4 * mean(shot(4, 4, 4, defence)) for defence in (3, 4, 5)]
    assert close(dice[0] - dice[1], table["open"])
    assert close(dice[1] - dice[2], table["in_cover"])
    rolls = [(n, c) for n in range(5) for c in range(5 - n)]
    saved = {roll: hits_left(*roll, 3) - hits_left(*roll, 4) for roll in rolls}
    assert max(saved, key=saved.__getitem__) == (4, 0)
    assert close(saved[4, 0], table["best_hits"])
    assert close(4 * saved[4, 0], table["best_damage"])


# ---- activations to kill (no table in the atlas: by hand) ----


def test_activations_by_hand() -> None:
    """1d6 4+ against no dice and 1 HP is a coin; two shots an activation leave a quarter each time."""
    fallen, alive = reference.activations(1, 4, 1, 0, 1, ("shoot",), limit=3)
    assert (fallen, alive) == ([Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)], Fraction(1, 8))
    fallen, alive = reference.activations(1, 4, 1, 0, 1, ("shoot", "shoot"), limit=2)
    assert (fallen, alive) == ([Fraction(3, 4), Fraction(3, 16)], Fraction(1, 16))
    fallen, alive = reference.activations(1, 4, 1, 0, 1, ("aim", "shoot"), limit=1)
    assert (fallen, alive) == ([Fraction(2, 3)], Fraction(1, 3))
    aimed_first = reference.activations(1, 4, 1, 0, 1, ("aim", "shoot", "shoot"), limit=1)  # S3: the first shot only
    assert aimed_first == ([Fraction(5, 6)], Fraction(1, 6))


def test_shooting_stops_at_a_removal() -> None:
    """S19: 4 HP, Damage 4: the second shot is made only if the first missed; the last shot counts uncapped."""
    quarter = Fraction(1, 4)
    assert shots(2, 1, 4, 4, 0, 4) == {(0, False): quarter, (1, False): 3 * quarter}
    assert shots(2, 1, 4, 4, 0, 5) == {(0, False): quarter, (1, False): 2 * quarter, (2, False): quarter}
    assert shots(1, 2, 4, 4, 0, 4)[2, False] == quarter


def test_prone_marker_vanishes_between_activations() -> None:
    """Going prone only at the first sight of two hits: the second activation starts without the marker."""
    how = {"go_prone": lambda n, c: n + c >= 2}
    fallen, _ = reference.activations(2, 4, 1, 2, 2, ("shoot",), limit=2, **how)
    one = shot(2, 4, 1, 2, **how)
    assert fallen[0] == one[2]
    assert fallen[1] == one[0] * one[2] + one[1] * (one[1] + one[2])
    lying = shots(2, 2, 4, 1, 2, 2, **how)  # two shots of one activation: here the marker stays
    assert sum(p for (hits, _), p in lying.items() if hits >= 2) < sum(fallen)
