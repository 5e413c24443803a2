"""A second, slow reading of the MORSDEI exchanges: plain Python and Fractions, nothing of the product, no numpy.

Written from the rule atlas alone (`rules/morsdei.md`; rule numbers such as S20 are the atlas's) while the kernels were
written by someone else. The product is tested against this file, never the other way round.
"""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import factorial
from typing import Any, NamedTuple

Spread = dict[Any, Fraction]  # outcome -> exact chance
Pool = tuple[int, ...]  # sorted faces


# ---- Shooting: S, O5, O14, P, D, H3 -------------------------------------------------------------------------------


def final_hit(
    hit: int, *, aim: bool = False, overwatch: bool = False, contract: bool = False, in_contact: bool = False
) -> int:
    """D7, D8, RULINGS 1 and 3: sum every change, then bound once.

    Aim serves the activation it was made in (S1), so neither Overwatch (O14, O6) nor a Contract (K7).
    """
    aimed = aim and not overwatch and not contract
    return max(2, min(6, hit - aimed + overwatch + contract + in_contact))


@cache
def classes(dice: int, normal: Fraction, critical: Fraction = Fraction(1, 6)) -> list[tuple[int, int, Fraction]]:
    """(normals, criticals, chance) of a pool: the multinomial classes of atlas 23.1."""
    found = []
    for n in range(dice + 1):
        for c in range(dice + 1 - n):
            ways = factorial(dice) // (factorial(n) * factorial(c) * factorial(dice - n - c))
            found.append((n, c, ways * normal**n * critical**c * (1 - normal - critical) ** (dice - n - c)))
    return found


def sort_faces(faces: Pool, hit: int) -> tuple[int, int]:
    """S14, S17: (normals, criticals) among natural faces; 1 always fails and 6 is always critical (D2, D3)."""
    return sum(max(hit, 2) <= face < 6 for face in faces), faces.count(6)


@cache
def fewest_left(normals: int, crits: int, saves: int, crit_saves: int) -> int:
    """S20-S22: search of every assignment of saves, an unused save included, for the fewest hits left."""
    tries = [normals + crits]
    if saves and normals:
        tries.append(fewest_left(normals - 1, crits, saves - 1, crit_saves))
    if crit_saves:
        ways = [(max(normals - 1, 0), crits), (max(normals - 2, 0), crits), (normals, max(crits - 1, 0))]
        tries += [fewest_left(n, c, saves, crit_saves - 1) for n, c in ways]
    return min(tries)


def closed_form(normals: int, crits: int, saves: int, crit_saves: int) -> int:
    """Atlas 23.2: normal saves on normals, critical saves on pairs of normals, then on single hits."""
    normals = max(0, normals - saves)
    pairs = min(crit_saves, normals // 2)
    left = crits + normals - 2 * pairs
    return left - min(crit_saves - pairs, left)


def criticals_first(normals: int, crits: int, saves: int, crit_saves: int) -> int:
    """The tempting worse rule of atlas 23.2: critical saves cancel critical hits as long as there are any."""
    spent = min(crits, crit_saves)
    return crits - spent + max(0, normals - saves - 2 * (crit_saves - spent))


def _one_shot(
    dice: int, hit: int, defence: int, prone: bool = False, *, cover: bool = False, attacker_injured: bool = False,
    go_prone: Callable[[int, int], bool] | None = None, saves: str = "best", **hit_changes: bool,
) -> Spread:  # fmt: skip
    """Joint chance of (hits left, prone marker after the shot)."""
    left = {"best": closed_form, "naive": criticals_first}[saves]
    spread: Spread = defaultdict(Fraction)
    normal_hit = Fraction(6 - final_hit(hit, **hit_changes), 6)
    for n, c, chance in classes(max(0, dice - attacker_injured), normal_hit):
        if n + c == 0:  # S14: no defence, no Prone offer
            spread[0, prone] += chance
            continue
        down = prone or (go_prone is not None and go_prone(n, c))  # S15, P4
        for s, k, saved in classes(max(0, defence + cover + down), Fraction(1, 3)):  # S16, P5
            spread[left(n, c, s, k), down] += chance * saved
    return spread


def shot(dice: int, hit: int, damage: int, defence: int, *, prone: bool = False, **how: Any) -> Spread:
    """Chance of each number of unsaved hits of one shot (uncapped: Damage does not matter here).

    `how`: aim, overwatch, contract, in_contact, attacker_injured, cover (bools), saves ("best" or "naive") and
    go_prone(normals, crits) -> bool, the decision J6 of a target that is not prone yet.
    """
    spread: Spread = defaultdict(Fraction)
    for (hits, _down), chance in _one_shot(dice, hit, defence, prone, **how).items():
        spread[hits] += chance
    return dict(sorted(spread.items()))


def shot_by_faces(
    dice: int, hit: int, damage: int, defence: int, *, prone: bool = False, cover: bool = False,
    attacker_injured: bool = False, go_prone: Callable[[int, int], bool] | None = None, saves: str = "best",
    **hit_changes: bool,
) -> Spread:  # fmt: skip
    """The same by listing all 6^n x 6^m faces and searching every use of the saves: for small pools."""
    left: Callable[..., int] = fewest_left if saves == "best" else criticals_first
    counts: dict[tuple[int, int], int] = defaultdict(int)  # (hits left, dice rolled): rolls
    for attack in product(range(1, 7), repeat=max(0, dice - attacker_injured)):
        n, c = sort_faces(attack, final_hit(hit, **hit_changes))
        extra = cover + (prone or (n + c > 0 and go_prone is not None and go_prone(n, c)))
        pool = max(0, defence + extra) if n + c else 0
        for defence_faces in product(range(1, 7), repeat=pool):
            counts[left(n, c, *sort_faces(defence_faces, 4)), len(attack) + pool] += 1
    spread: Spread = defaultdict(Fraction)
    for (hits, rolled), rolls in sorted(counts.items()):
        spread[hits] += Fraction(rolls, 6**rolled)
    return dict(spread)


def shots(
    k: int, dice: int, hit: int, damage: int, defence: int, hp: int, *, prone: bool = False, **how: Any
) -> Spread:
    """k shots at one target: chance of (hits in all, uncapped; prone). A marker stays (P2), a removal stops (S19)."""
    state: Spread = {(0, prone): Fraction(1)}
    for _ in range(k):
        later: Spread = defaultdict(Fraction)
        for (total, down), chance in state.items():
            if total * damage >= hp:
                later[total, down] += chance
                continue
            for (hits, now_down), p in _one_shot(dice, hit, defence, down, **how).items():
                later[total + hits, now_down] += chance * p
        state = later
    return dict(state)


def is_injured(hp: int, max_hp: int) -> bool:
    """H2: strictly less than half."""
    return 2 * hp < max_hp


class Aftermath(NamedTuple):
    kill: Fraction
    injured: Fraction  # alive and Injured (H2)
    hp_lost: Fraction  # mean, capped at the HP left (RULING 53)


def aftermath(hits: Spread, damage: int, hp: int, max_hp: int | None = None) -> Aftermath:
    """What a spread of hits (from `shot`, or from `shots`) does to a target with `hp` of `max_hp`."""
    kill = injured = lost = Fraction(0)
    for key, chance in hits.items():
        left = hp - damage * (key[0] if isinstance(key, tuple) else key)
        kill += chance * (left <= 0)
        injured += chance * (left > 0 and is_injured(left, max_hp or hp))
        lost += chance * min(hp, hp - left)
    return Aftermath(kill, injured, lost)


def activations(
    dice: int, hit: int, damage: int, defence: int, hp: int, plan: tuple[str, ...], *, limit: int = 20, **how: Any
) -> tuple[list[Fraction], Fraction]:
    """Chance that the target falls in the attacker's 1st, 2nd, ... activation, and the chance that it outlives `limit`.

    `plan` is what one activation does, such as ("shoot", "shoot") or ("aim", "shoot"). The target activates in between,
    so its Prone marker is gone each time (P3).
    """
    alive, fallen = {hp: Fraction(1)}, []
    for _ in range(limit):
        state: Spread = {(left, False): chance for left, chance in alive.items()}
        gone, aimed = Fraction(0), False
        for action in plan:
            if action == "aim":
                aimed = True
                continue
            later: Spread = defaultdict(Fraction)
            for (left, down), chance in state.items():
                for (hits, now_down), p in _one_shot(dice, hit, defence, down, aim=aimed, **how).items():
                    if left <= hits * damage:
                        gone += chance * p
                    else:
                        later[left - hits * damage, now_down] += chance * p
            state, aimed = later, False  # S3: the next Shoot only
        fallen.append(gone)
        alive = defaultdict(Fraction)
        for (left, _down), chance in state.items():
            alive[left] += chance
    return fallen, sum(alive.values(), Fraction(0))


# ---- Melee: B -----------------------------------------------------------------------------------------------------


class Fighter(NamedTuple):
    """Dice and Hit after every modifier (H3, K3); HP now."""

    dice: int
    hit: int
    damage: int
    hp: int


class State(NamedTuple):
    """A moment of the exchange. Side 0 is the initiator, side 1 the target; pools are sorted faces."""

    leader: int
    guarded: bool  # Guard used in this series (B17)
    passed: bool  # the initiative was handed over just now (variant of RULING 47 only)
    pools: tuple[Pool, Pool]
    blows: tuple[int, int]  # taken by the initiator, taken by the target


Lead = tuple[str, int]  # ("attack", face), ("guard", face) or ("pass", 0)


@cache
def pools(dice: int, hit: int) -> dict[Pool, int]:
    """B10: sorted successes of a roll -> in how many of the 6^dice rolls they come."""
    found: dict[Pool, int] = {(): 1}
    for _ in range(max(0, dice)):
        more: dict[Pool, int] = defaultdict(int)
        for pool, ways in found.items():
            for face in range(1, 7):
                more[tuple(sorted((*pool, face))) if face >= final_hit(hit) else pool] += ways
        found = more
    return found


def without(pool: Pool, face: int) -> Pool:
    """B8: the pool after one die of this face is spent."""
    at = pool.index(face)
    return pool[:at] + pool[at + 1 :]


@cache
def leads(state: State, guard: bool = True, may_pass: bool = False) -> dict[Lead, dict[int, State]]:
    """B11-B19: every legal lead of the holder of the initiative -> every answer -> what follows."""
    me, own, other = state.leader, state.pools[state.leader], state.pools[1 - state.leader]

    def after(leader: int, guarded: bool, mine: Pool, yours: Pool, blow: bool = False) -> State:
        blows = (state.blows[0] + (blow and me == 1), state.blows[1] + (blow and me == 0))
        return State(leader, guarded, False, (mine, yours) if me == 0 else (yours, mine), blows)

    found: dict[Lead, dict[int, State]] = {}
    for face in sorted(set(own)):
        rest = without(own, face)
        answers = {0: after(me, state.guarded, rest, other, blow=True)}
        for parry in sorted(set(other)):
            if parry > face:
                answers[parry] = after(1 - me, False, rest, without(other, parry))
        found["attack", face] = answers
        if guard and not state.guarded and face in other and face < 6:
            found["guard", face] = {0: after(me, True, rest, without(other, face))}
    if may_pass and other:  # variant of RULING 47: a second hand-over in a row ends the exchange
        handed_over = state._replace(leader=1 - me, guarded=False, passed=True)
        found["pass", 0] = {0: state._replace(pools=((), ())) if state.passed else handed_over}
    return found


def lead_low(legal: list[Lead]) -> list[Lead]:
    """Attack with the lowest die."""
    return [min(lead for lead in legal if lead[0] == "attack")]


def lead_high(legal: list[Lead]) -> list[Lead]:
    """Attack with the highest die."""
    return [max(lead for lead in legal if lead[0] == "attack")]


def lead_guard(legal: list[Lead]) -> list[Lead]:
    """Guard on the highest shared face whenever it is legal, else attack with the highest die."""
    guards = [lead for lead in legal if lead[0] == "guard"]
    return [max(guards)] if guards else lead_high(legal)


def parry_lowest(answers: list[int]) -> list[int]:
    """Parry with the lowest die that is enough, else Take."""
    return [min((face for face in answers if face), default=0)]


# A style is (legal leads -> those it plays with equal chance, answers -> the same); answer 0 is Take.
STYLES: dict[str, tuple[Callable[[list[Lead]], list[Lead]], Callable[[list[int]], list[int]]]] = {
    "high": (lead_high, parry_lowest),
    "low": (lead_low, parry_lowest),
    "guard": (lead_guard, parry_lowest),
    "strike-only": (lead_high, lambda answers: [0]),
    "random": (list, list),
}


class Exchange:
    """Every line of play of one exchange, with a style or "best" on each side."""

    def __init__(
        self, a: Fighter, b: Fighter, styles: tuple[str, str] = ("best", "best"), objective: str = "net", *,
        guard: bool = True, may_pass: bool = False,
    ) -> None:  # fmt: skip
        self.a, self.b, self.styles, self.objective = Fighter(*a), Fighter(*b), styles, objective
        self.guard, self.may_pass = guard, may_pass
        self.seen: dict[State, Spread] = {}
        self.score = cache(self.score_of)

    def removed(self, blows: tuple[int, int]) -> tuple[bool, bool]:
        """H6, B22: is the initiator, is the target removed?"""
        return blows[0] * self.b.damage >= self.a.hp, blows[1] * self.a.damage >= self.b.hp

    def score_of(self, blows: tuple[int, int]) -> tuple[int, ...]:
        """What the initiator wants more of, with the tie-breaks of atlas 23.6."""
        to_a, to_b = blows[0] * self.b.damage, blows[1] * self.a.damage
        a_falls, b_falls = self.removed(blows)
        kills, net, total = b_falls - a_falls, to_b - to_a, to_a + to_b
        capped = min(to_b, self.b.hp) - min(to_a, self.a.hp)
        return {
            "net": (net, kills, total),
            "net-hp": (capped, kills, net, total),
            "kill-difference": (kills, net, total),
            "kill": (int(b_falls), kills, net, total),
            "survive": (-int(a_falls), kills, net, total),
        }[self.objective]

    def worth(self, spread: Spread) -> tuple[Fraction | int, ...]:
        """Mean of every part of the score."""
        if len(spread) == 1:
            return self.score(next(iter(spread)))
        parts = [[chance * part for part in self.score(blows)] for blows, chance in spread.items()]
        return tuple(sum(part) for part in zip(*parts, strict=True))

    def play(self, state: State) -> Spread:
        """Chance of (blows taken by the initiator, by the target) from this moment to the end."""
        if state not in self.seen:
            self.seen[state] = self.ended(state) or self.going_on(state)
        return self.seen[state]

    def ended(self, state: State) -> Spread | None:
        """The blows, for certain, where there is nothing left to decide."""
        return {state.blows: Fraction(1)} if any(self.removed(state.blows)) or not any(state.pools) else None

    def going_on(self, state: State) -> Spread:
        """The next lead and its answer."""
        if not state.pools[state.leader]:  # B21, RULING 49
            return self.play(state._replace(leader=1 - state.leader, guarded=False, passed=False))
        following = leads(state, self.guard, self.may_pass)
        return self.choose(
            state.leader, 0, list(following), lambda lead: self.choose(
                1 - state.leader, 1, list(following[lead]), lambda answer: self.play(following[lead][answer])
            )
        )  # fmt: skip

    def choose(self, side: int, part: int, options: list[Any], see: Callable[[Any], Spread]) -> Spread:
        """One decision: the best for this side, or the even mixture of what its style plays."""
        if self.styles[side] == "best":
            return (max, min)[side]((see(option) for option in options), key=self.worth)
        picked = STYLES[self.styles[side]][part](options)
        if len(picked) == 1:
            return see(picked[0])
        mixed: Spread = defaultdict(Fraction)
        for option in picked:
            for blows, chance in see(option).items():
                mixed[blows] += chance / len(picked)
        return dict(mixed)

    def whole(self) -> Spread:
        """Averaged over both rolls (B10); the initiator leads first."""
        rolls = 6 ** (self.a.dice + self.b.dice)
        total: Spread = defaultdict(Fraction)
        for pool_a, ways_a in pools(self.a.dice, self.a.hit).items():
            for pool_b, ways_b in pools(self.b.dice, self.b.hit).items():
                for blows, chance in self.play(State(0, False, False, (pool_a, pool_b), (0, 0))).items():
                    total[blows] += chance * (ways_a * ways_b)
        return {blows: total[blows] / rolls for blows in sorted(total)}

    def value(self, spread: Spread) -> Fraction:
        """Mean of the objective; for "survive" the chance that the initiator is removed."""
        mean = sum((chance * self.score(blows)[0] for blows, chance in spread.items()), Fraction(0))
        return -mean if self.objective == "survive" else mean


def best_play(
    a: Fighter, b: Fighter, objective: str, *, guard: bool = True, may_pass: bool = False
) -> tuple[Fraction, Spread]:
    """Value of the objective and chances of (blows on initiator, blows on target), both sides playing best."""
    exchange = Exchange(a, b, objective=objective, guard=guard, may_pass=may_pass)
    spread = exchange.whole()
    return exchange.value(spread), spread


def position(pool_a: Pool, pool_b: Pool, leader: int, a: Fighter, b: Fighter, objective: str) -> tuple[int, int]:
    """(Blows on initiator, blows on target) under best play from two open pools; `leader` 0 is the initiator."""
    start = State(leader, False, False, (tuple(sorted(pool_a)), tuple(sorted(pool_b))), (0, 0))
    (blows,) = Exchange(a, b, objective=objective).play(start)
    return blows[0], blows[1]


def play(a: Fighter, b: Fighter, style_a: str, style_b: str) -> Spread:
    """Chances of (blows on initiator, blows on target) when both sides play a style."""
    return Exchange(a, b, (style_a, style_b)).whole()


def best_response(a: Fighter, b: Fighter, fixed_side: int, style: str, objective: str) -> Fraction:
    """Value when side `fixed_side` (0 initiator, 1 target) plays a style and the other side plays best against it."""
    styles = (style, "best") if fixed_side == 0 else ("best", style)
    exchange = Exchange(a, b, styles, objective)
    return exchange.value(exchange.whole())
