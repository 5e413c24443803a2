"""Whole questions about MORSDEI melee: cards and policies in, an `Outcome` out. (Exchange is the rulebook's word.)"""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Executor
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.dice.every import every
from morsdei_sim.dice.questions import MAX_POOL
from morsdei_sim.dice.rolled import AHEAD, BLOCK, rolled
from morsdei_sim.errors import UserError
from morsdei_sim.fight import sample, solve
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run, answer
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei import melee as book
from morsdei_sim.rulesets.morsdei import policies, shooting
from morsdei_sim.rulesets.morsdei.cards import Entrant, entrant
from morsdei_sim.rulesets.morsdei.rules import PRINTED, Rules, final_hit, is_injured, pool_size

MAX_POSITIONS = 1 << 25
"""Largest exchange that is solved: 32 million positions, 0.5 GB. Beyond it only habits can be sampled."""


class Combatant(NamedTuple):
    """B10 One fighter of an exchange as it stands: Combat Dice and Hit after all modifiers."""

    dice: int
    hit: int
    damage: int
    hp: int


def combatant(
    rules: Rules, fighter: Entrant, *, hp: int | None = None, injured: bool = False, contract: bool = False
) -> Combatant:
    """B10 steps 2-4, H3, RULINGS 6, 52 The numbers that a fighter brings to an exchange (K3 by Contract).

    Without a melee weapon it has no dice.
    """
    hp = fighter.hp if hp is None else hp
    arm = fighter.weapon
    if arm is None or arm.type != "melee":
        return Combatant(0, rules.worst_hit, 0, hp)
    hurt = injured or is_injured(rules, hp, fighter.card.hp)
    return Combatant(
        pool_size(arm.dice, -rules.injury_dice * int(hurt)),
        final_hit(rules, arm.hit, rules.contract * int(contract)),
        arm.damage,
        hp,
    )


class Duel(NamedTuple):
    """One exchange, set up: the game, both sides, and the chance of each opening position."""

    game: Any
    sides: tuple[Any, Any]
    damage: tuple[int, int]
    hp: tuple[int, int]


_small_side = lru_cache(maxsize=256)(book.side)


def _side(hit: int, dice: int, kill: int) -> Any:
    """All tracks of a fighter; those of ordinary cards are kept, a huge one (30 MB at 20 dice) is made when needed."""
    return _small_side(hit, dice, kill) if dice <= 8 else book.side(hit, dice, kill)


def face_off(rules: Rules, initiator: Combatant, target: Combatant) -> Duel:
    """The exchange between two combatants."""
    kill_0 = min(shooting.hits_to_remove(target.hp, initiator.damage), initiator.dice + 1)
    kill_1 = min(shooting.hits_to_remove(initiator.hp, target.damage), target.dice + 1)
    sides = _side(initiator.hit, initiator.dice, kill_0), _side(target.hit, target.dice, kill_1)
    game = book.oppose(rules.guard, rules.may_pass, *sides)
    return Duel(game, sides, (initiator.damage, target.damage), (initiator.hp, target.hp))


def opening(duel: Duel) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """B10 Chance of each position to be the first (by position), and of each outcome to be reached without any (both
    pools empty)."""
    chance = np.zeros(book.positions(duel.game))
    outcomes = np.zeros((duel.game.kill_0 + 1) * (duel.game.kill_1 + 1))
    pools = [np.zeros(len(side.held)) for side in duel.sides]
    for side, pool in zip(duel.sides, pools, strict=True):
        book.rolls(every(), side, pool)
    book.open_exchange(duel.game, pools[0], pools[1], chance, outcomes)
    return chance, outcomes


class Minimax(NamedTuple):
    """Best play of both sides: value of each position as a rank, rank of each outcome, outcome of each rank."""

    value: NDArray[np.float64]
    rank: NDArray[np.float64]
    order: NDArray[np.int64]


_solved: OrderedDict[Any, Minimax] = OrderedDict()
"""The exchanges solved last: a table of habits asks for the same one again and again."""


def minimax(duel: Duel, objective: str) -> Minimax:
    """J10-J11 Solve an exchange for an objective. Small ones are remembered, sixteen at a time."""
    key = (*duel.game[:2], *(side[:3] for side in duel.sides), duel.damage, duel.hp, objective)
    known = _solved.get(key)
    if known is not None:
        return known
    rank, order = policies.ranks(duel.game, objective, duel.damage, duel.hp)
    value = np.zeros(book.positions(duel.game))
    solve.solve(duel.game, rank, solve.menu(), value)
    found = Minimax(value, rank, order)
    if len(value) <= 1 << 18:
        _solved[key] = found
        while len(_solved) > 16:
            with suppress(KeyError):  # another thread may have dropped it
                _solved.popitem(last=False)
    return found


def forget() -> None:
    """Drop all remembered tables, as a benchmark needs."""
    _small_side.cache_clear()
    _solved.clear()


def best_play(duel: Duel, objective: str) -> NDArray[np.float64]:
    """J10-J11 Exact chance of each outcome when both sides play best for an objective: float64 [blows on initiator,
    blows on target]."""
    best = minimax(duel, objective)
    chance, outcomes = opening(duel)
    solve.open_values(best.value, chance, best.order, outcomes)
    return outcomes.reshape(duel.game.kill_1 + 1, duel.game.kill_0 + 1)


def policy(duel: Duel, name: str, objective: str, side: int, other: str) -> Any:
    """A policy by name for one side (0 initiator, 1 target); `exploit` needs to know the habit of the other side."""
    if name in policies.STYLES:
        return policies.Style(policies.STYLES[name])
    if name == "exploit" and other in policies.STYLES:
        value = np.zeros(book.positions(duel.game))
        points = policies.score(duel.game, objective, duel.damage, duel.hp)
        habit = policies.Style(policies.STYLES[other])
        solve.exploit(duel.game, points, solve.menu(), habit, 1 - side, value)
        return solve.Reply(value, points, habit)
    best = minimax(duel, objective)
    return solve.Best(best.value, best.rank)


def play_out(duel: Duel, objective: str, names: tuple[str, str]) -> NDArray[np.float64]:
    """Exact chance of each outcome under two policies: float64 [blows on initiator, blows on target]."""
    if names == ("best", "best"):
        return best_play(duel, objective)
    chance, outcomes = opening(duel)
    both = [policy(duel, names[side], objective, side, names[1 - side]) for side in (0, 1)]
    solve.spread(duel.game, both[0], both[1], chance, outcomes, solve.menu())
    return outcomes.reshape(duel.game.kill_1 + 1, duel.game.kill_0 + 1)


def melee(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    objective: str = "net",
    attacker_policy: str = "best",
    target_policy: str = "best",
    contract: bool = False,
    attacker_injured: bool = False,
    target_injured: bool = False,
    exchanges: int = 1,
    weapon: str = "",
    target_weapon: str = "",
) -> Outcome:
    """B1 One or several melee exchanges; the attacker is the initiator.

    Readings: `damage_to_target`, `damage_to_attacker` (blows x Damage, not capped), `net_damage`, `kill_target`,
    `kill_attacker`, `mean_damage_to_target`, `mean_damage_to_attacker`, and the HP lost (capped). Each exchange is
    played for its own objective.
    """
    initiator = (
        attacker if isinstance(attacker, Entrant) else entrant(attacker, "fighter", {"weapon", "hp"}, weapon or None)
    )
    opponent = target if isinstance(target, Entrant) else entrant(target, "fighter", {"hp"}, target_weapon or None)
    if initiator.weapon is None or initiator.weapon.type != "melee":
        raise UserError(
            _("{name} has no melee weapon and cannot declare Melee (RULING 6).").format(name=initiator.label)
        )
    names = (attacker_policy, target_policy)
    if names == ("exploit", "exploit"):
        names = ("best", "best")  # two players that answer each other best are at the minimax
    chain = Chain(rules, initiator, opponent, objective, names, contract, attacker_injured, target_injured, exchanges)
    readings = blow_readings(chain)
    return answer(
        run, chain.exact, lambda first, trials, executor, progress: chain.sampled(run.seed, first, trials, executor,
        progress), readings, attacker=initiator.label, target=opponent.label, objective=objective,
        attacker_policy=attacker_policy, target_policy=target_policy,
    )  # fmt: skip


class Chain:
    """Exchanges one after another: the state is the blows that each side has taken so far; HP and Injury follow from
    it (H1-H4)."""

    def __init__(
        self, rules: Rules, initiator: Entrant, target: Entrant, objective: str, names: tuple[str, str],
        contract: bool, attacker_injured: bool, target_injured: bool, exchanges: int,
    ) -> None:  # fmt: skip
        self.rules, self.initiator, self.target = rules, initiator, target
        self.objective, self.names, self.contract, self.exchanges = objective, names, contract, exchanges
        self.injured = attacker_injured, target_injured
        first = self._combatant(0, initiator.hp), self._combatant(1, target.hp)
        self.damage = first[0].damage, first[1].damage
        self.shape = tuple(
            min(shooting.hits_to_remove(first[one].hp, first[1 - one].damage), exchanges * first[1 - one].dice) + 1
            for one in (0, 1)
        )  # blows that the initiator, and the target, can have taken
        self._duels: dict[int, Duel] = {}

    def _combatant(self, one: int, hp: int) -> Combatant:
        fighter = (self.initiator, self.target)[one]
        return combatant(self.rules, fighter, hp=hp, injured=self.injured[one], contract=self.contract and one == 0)

    def taken(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Blows on the initiator and on the target, by state."""
        x, y = np.divmod(np.arange(self.shape[0] * self.shape[1]), self.shape[1])
        return x, y

    def hp_left(self, state: int) -> tuple[int, int]:
        """HP of both before the next exchange."""
        x, y = divmod(state, self.shape[1])
        return self.initiator.hp - x * self.damage[1], self.target.hp - y * self.damage[0]

    def duel(self, state: int) -> Duel | None:
        """The exchange that follows in a state; None when somebody is removed."""
        hp = self.hp_left(state)
        if min(hp) <= 0:
            return None
        if state not in self._duels:
            found = face_off(self.rules, self._combatant(0, hp[0]), self._combatant(1, hp[1]))
            self._check_size(found)
            self._duels[state] = found
        return self._duels[state]

    def _check_size(self, duel: Duel, solved: bool | None = None) -> None:
        solved = any(name not in policies.STYLES for name in self.names) if solved is None else solved
        if solved and book.positions(duel.game) > MAX_POSITIONS:
            raise UserError(
                _(
                    "This exchange has {positions} positions, more than the {limit} that are solved; give both sides "
                    "a habit (for instance --attacker-policy lowest-sufficient-parry) and use --engine sample."
                ).format(positions=book.positions(duel.game), limit=MAX_POSITIONS)
            )

    def after(self, state: int, outcomes: NDArray[Any], duel: Duel) -> NDArray[np.int64]:
        """State after each outcome of the exchange that was fought in `state`."""
        x, y = np.divmod(outcomes, duel.game.kill_0 + 1)
        result: NDArray[np.int64] = state + x * self.shape[1] + y
        return result

    def exact(self) -> NDArray[np.float64]:
        """Chance of each state after all exchanges."""
        chance = np.zeros(self.shape[0] * self.shape[1])
        chance[0] = 1.0
        for _exchange in range(self.exchanges):
            following = np.zeros_like(chance)
            for state in np.flatnonzero(chance):
                duel = self.duel(int(state))
                if duel is None:
                    following[state] += chance[state]
                    continue
                self._check_size(duel, True)
                pmf = play_out(duel, self.objective, self.names).ravel()
                possible = np.flatnonzero(pmf)
                np.add.at(following, self.after(int(state), possible, duel), chance[state] * pmf[possible])
            chance = following
        return chance

    def sampled(
        self, seed: int, first: int, trials: int, executor: Executor | None, progress: Any
    ) -> NDArray[np.int64]:
        """Counts by state after all exchanges, played move by move."""
        dice = rolled(seed, MAX_POOL)
        cells = self.shape[0] * self.shape[1]
        ready = self._reachable()

        def block(start: int, size: int) -> NDArray[np.int64]:
            states = np.zeros(size, np.int64)
            ahead, menu = np.empty((AHEAD, BLOCK), np.uint32), solve.menu()
            for step in range(self.exchanges):
                before = states.copy()
                for state in np.unique(before):
                    if int(state) in ready:
                        duel, both = ready[int(state)]
                        fought = before == state
                        book.play_exchanges(
                            duel.game, *duel.sides, *both, dice, step, start, fought, states, menu, ahead
                        )
                        states[fought] = self.after(int(state), states[fought], duel)
            return np.bincount(states, minlength=cells)

        return sample.in_chunks(block, first, trials, executor, progress)

    def _reachable(self) -> dict[int, tuple[Duel, tuple[Any, Any]]]:
        """Every exchange that can come, with both policies: solved once, before the threads start."""
        found: dict[int, tuple[Duel, tuple[Any, Any]]] = {}
        states = {0}
        for _exchange in range(self.exchanges):
            following: set[int] = set()
            for state in states - found.keys():
                duel = self.duel(state)
                if duel is not None:
                    found[state] = duel, self._policies(duel)
                    following.update(
                        self.after(state, np.arange((duel.game.kill_0 + 1) * (duel.game.kill_1 + 1)), duel).tolist()
                    )
            states = following
        return found

    def _policies(self, duel: Duel) -> tuple[Any, Any]:
        return (
            policy(duel, self.names[0], self.objective, 0, self.names[1]),
            policy(duel, self.names[1], self.objective, 1, self.names[0]),
        )


def blow_readings(chain: Chain) -> tuple[Reading, ...]:
    """RULING 53 The figures of melee, by the blows that each side has taken."""
    x, y = chain.taken()
    dealt, taken = y * chain.damage[0], x * chain.damage[1]
    hp = chain.initiator.hp, chain.target.hp
    return (
        Reading("damage_to_target", "distribution", dealt),
        Reading("damage_to_attacker", "distribution", taken),
        Reading("net_damage", "mean", dealt - taken),
        Reading("kill_target", "chance", (dealt >= hp[1]).astype(np.int64)),
        Reading("kill_attacker", "chance", (taken >= hp[0]).astype(np.int64)),
        Reading("mean_damage_to_target", "mean", dealt),
        Reading("mean_damage_to_attacker", "mean", taken),
        Reading("mean_hp_lost_by_target", "mean", np.minimum(dealt, hp[1])),
        Reading("mean_hp_lost_by_attacker", "mean", np.minimum(taken, hp[0])),
    )
