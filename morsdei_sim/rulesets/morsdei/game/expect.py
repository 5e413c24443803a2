"""What a shot or an exchange does on average: exact chances, made once for a pair of squads and looked up at play.

Bots weigh attacks with it, and the luck of a battle is what was dealt less what is expected here. All chances are whole
billionths, so that sums are the same in any order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import inline
from morsdei_sim.fight import exact
from morsdei_sim.rulesets.morsdei import exchange as whole
from morsdei_sim.rulesets.morsdei import policies, shooting
from morsdei_sim.rulesets.morsdei.game.exchanges import free_to_lie, hurt, shooter_of
from morsdei_sim.rulesets.morsdei.game.legal import in_cover, is_aimed
from morsdei_sim.rulesets.morsdei.game.records import Owner, procedure, table
from morsdei_sim.rulesets.morsdei.game.world import BLADE
from morsdei_sim.rulesets.morsdei.rules import Rules, final_hit, is_injured, pool_size
from morsdei_sim.rulesets.morsdei.shooting import hits_to_remove

__all__ = ["exchange", "exchange_kills", "fill", "shot", "shot_at", "shot_kills"]

BILLION = 10**9
MICRO = 1000
"""Billionths in a millionth."""

SITUATIONS = 80
"""Of a shot: final Hit (2-6), shooter Injured, target in cover, Prone, free to go prone."""


# ── at play ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def situation_of(world, state, i, w, t, how, contact, aimed, cover):
    """The row of `shot_hits` for a shot."""
    hit = shooting.shot_hit(world.rules, shooter_of(world, state, i, w, how, contact, aimed), aimed)
    flags = hurt(world, state, i) << 3 | cover << 2 | state.prone[t] << 1 | free_to_lie(world, state, t)
    return (hit - 2) << 4 | flags


@inline
def needed_hits(world, state, i, w, t):
    """The place of a shot in `shot_hits` along the axis of hits needed."""
    return min(hits_to_remove(state.hp[t], table(world, "arms")[i, w].damage), table(world, "shot_hits").shape[3]) - 1


@procedure
def shot_at(world, state, i, w, t, how, contact, aimed, cover):
    """HP that a shot of fighter i takes off t on average if it is not redirected, in millionths."""
    situation = situation_of(world, state, i, w, t, how, contact, aimed, cover)
    need = needed_hits(world, state, i, w, t)
    arm, card, chances = table(world, "arms")[i, w], table(world, "men")[t].card, table(world, "shot_hits")
    lost = 0
    for hits in range(1, chances.shape[4]):
        lost += chances[arm.number, card, situation, need, hits] * min(hits * arm.damage, state.hp[t])
    return lost // MICRO


@procedure
def shot_kills(world, state, i, w, t, how, contact, aimed, cover):
    """The chance, in billionths, that it removes t."""
    situation = situation_of(world, state, i, w, t, how, contact, aimed, cover)
    need = needed_hits(world, state, i, w, t)
    arm, card, chances = table(world, "arms")[i, w], table(world, "men")[t].card, table(world, "shot_hits")
    chance = 0
    for hits in range(hits_to_remove(state.hp[t], arm.damage), chances.shape[4]):
        chance += chances[arm.number, card, situation, need, hits]
    return chance


@inline
def shot(world, state, i, w, t, how, contact):
    """The same as `shot_at` for a shot as it is declared: Aim and cover as they are."""
    return shot_at(world, state, i, w, t, how, contact, is_aimed(state, w, how), in_cover(world, state, i, t))


@inline
def blows_of(world, state, i, w, e, v, contract):
    """Where the blows of an exchange stand in `blows` (situation, enemy's weapon, both needs), and the enemy's
    Damage."""
    arms, blows = table(world, "arms"), table(world, "blows")
    other, damage = blows.shape[2] - 1, 0
    if v >= 0:
        other, damage = arms[e, v].number, arms[e, v].damage
    need = min(hits_to_remove(state.hp[e], arms[i, w].damage), blows.shape[3]) - 1
    needed = min(hits_to_remove(state.hp[i], damage), blows.shape[4]) - 1
    return contract << 2 | hurt(world, state, i) << 1 | hurt(world, state, e), other, need, needed, damage


@procedure
def exchange(world, state, i, w, e, v, contract):
    """HP that an exchange takes on average off its initiator i and, times 2 ** 32, off e, in millionths."""
    situation, other, need, needed, damage = blows_of(world, state, i, w, e, v, contract)
    arm, blows = table(world, "arms")[i, w], table(world, "blows")
    taken, dealt = 0, 0
    for k in range(1, blows.shape[6]):
        taken += blows[arm.number, situation, other, need, needed, 0, k] * min(k * damage, state.hp[i])
        dealt += blows[arm.number, situation, other, need, needed, 1, k] * min(k * arm.damage, state.hp[e])
    return taken // MICRO + (dealt // MICRO << 32)


@procedure
def exchange_kills(world, state, i, w, e, v, contract):
    """The chances, in billionths, that it removes i and, times 2 ** 32, that it removes e."""
    situation, other, need, needed, damage = blows_of(world, state, i, w, e, v, contract)
    arm, blows = table(world, "arms")[i, w], table(world, "blows")
    lost, won = 0, 0
    for k in range(hits_to_remove(state.hp[i], damage), blows.shape[6]):
        lost += blows[arm.number, situation, other, need, needed, 0, k]
    for k in range(hits_to_remove(state.hp[e], arm.damage), blows.shape[6]):
        won += blows[arm.number, situation, other, need, needed, 1, k]
    return lost + (won << 32)


# ── made once ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def fill(world: Owner, rules: Rules) -> None:
    """Both tables, for every fighter against every enemy."""
    men, arms = world.arrays["men"], world.arrays["arms"]
    cards, many = int(men["card"].max()) + 1, int(arms["number"].max()) + 1
    shots, fights = _most(men, arms, ranged=True), _most(men, arms, ranged=False)
    hits = np.zeros((many, cards, SITUATIONS, shots + 1, shots + 1), np.int64)
    blows = np.zeros((many, 8, many + 1, fights + 1, fights + 1, 2, fights + 1), np.int64)
    done: set[Any] = set()
    for i, own in enumerate(men):
        for e, enemy in enumerate(men):
            if own["side"] == enemy["side"] or (own["card"], enemy["card"]) in done:
                continue
            done.add((own["card"], enemy["card"]))
            for arm in arms[i, : own["arms"]]:
                if arm["kind"] != BLADE:
                    _fill_shots(world, rules, arm, enemy, hits[arm["number"], enemy["card"]])
                    continue
                others = [one for one in arms[e, : enemy["arms"]] if one["kind"] == BLADE]
                for other in others or [None]:
                    number = many if other is None else other["number"]
                    _fill_blows(world, rules, own, arm, enemy, other, blows[arm["number"], :, number])
    world.put("shot_hits", hits)
    world.put("blows", blows)


def _most(men: Any, arms: Any, ranged: bool) -> int:
    """Most dice of a weapon of that kind, 1 at least."""
    return max(
        [
            1,
            *(
                int(arm["dice"])
                for i, man in enumerate(men)
                for arm in arms[i, : man["arms"]]
                if (arm["kind"] != BLADE) == ranged
            ),
        ]
    )


def _needs(hp: int, damage: int, most: int) -> range:
    """How many hits or blows may still be needed; the last stands for all that cannot be reached."""
    return range(1, min(hits_to_remove(hp, damage), most + 1) + 1) if damage else range(most + 1, most + 2)


def _fill_shots(world: Owner, rules: Rules, arm: Any, enemy: Any, table: NDArray[np.int64]) -> None:
    """One weapon against one card: [situation, hits needed - 1, hits left]."""
    kind, plans = shooting.Shooting(*rules), world.arrays["prone_plan"]
    ways = [(aimed, *how, contact) for aimed in (0, 1) for how in ((0, 0), (1, 0), (0, 1)) for contact in (0, 1)]
    shots = [shooting.Shooter(int(arm["dice"]), int(arm["hit"]), int(arm["damage"]), *way, 0, 1) for way in ways]
    for hit in sorted({int(shooting.shot_hit(rules, one, one.aimed)) for one in shots}):
        for flags in range(16):
            injured, cover, prone, free = flags >> 3, flags >> 2 & 1, flags >> 1 & 1, flags & 1
            shooter = shooting.Shooter(int(arm["dice"]), hit, int(arm["damage"]), 0, 0, 0, 0, injured, 1)
            for need in _needs(int(enemy["hp"]), int(arm["damage"]), table.shape[1] - 1):
                hp = need * max(1, int(arm["damage"]))
                target = shooting.Planner(
                    int(enemy["defence"]), hp, hp, cover, prone, shooting.BEST_SAVES,
                    plans[arm["number"], enemy["card"], cover, free],
                )  # fmt: skip
                chance = exact.pmf(kind, shooter, target).reshape(-1, 4).sum(axis=1)
                table[(hit - 2) << 4 | flags, need - 1, : len(chance)] = _billionths(chance)


def _fill_blows(
    world: Owner, rules: Rules, own: Any, arm: Any, enemy: Any, other: Any, table: NDArray[np.int64]
) -> None:
    """One melee weapon against another: [situation, need - 1, enemy's need - 1, side, blows]."""
    names = list(policies.STYLES)
    habits = [names[world.records["habits"][0, side]] for side in (own["side"], enemy["side"])]
    most = table.shape[1] - 1
    damage = int(arm["damage"]), 0 if other is None else int(other["damage"])
    for situation in range(8):
        contract, injured, hurt_too = situation >> 2, situation >> 1 & 1, situation & 1
        one = _combatant(rules, arm, injured, contract)
        two = _combatant(rules, other, hurt_too, 0)
        for need in _needs(int(enemy["hp"]), damage[0], most):
            for needed in _needs(int(own["hp"]), damage[1], most):
                if not _can_be(rules, own, injured, damage[1], needed) or not _can_be(
                    rules, enemy, hurt_too, damage[0], need
                ):
                    continue
                duel = whole.face_off(
                    rules,
                    whole.Combatant(*one, needed * max(1, damage[1])),
                    whole.Combatant(*two, need * max(1, damage[0])),
                )
                chance = whole.play_out(duel, "net", (habits[0], habits[1]))
                for side, row in enumerate((chance.sum(axis=1), chance.sum(axis=0))):
                    row = row[: table.shape[4]]  # nobody strikes more blows than it has dice
                    table[situation, need - 1, needed - 1, side, : len(row)] = _billionths(row)


def _combatant(rules: Rules, arm: Any, injured: int, contract: int) -> tuple[int, int, int]:
    """B10, RULING 6 Dice, Hit and Damage."""
    if arm is None:
        return 0, rules.worst_hit, 0
    dice = int(pool_size(int(arm["dice"]), -rules.injury_dice * injured))
    return dice, int(final_hit(rules, int(arm["hit"]), rules.contract * contract)), int(arm["damage"])


def _can_be(rules: Rules, man: Any, injured: int, damage: int, need: int) -> bool:
    """Whether a fighter can be Injured or hale, as given, with so many blows between it and its removal."""
    if damage == 0:
        return True
    low, high = (need - 1) * damage + 1, min(need * damage, int(man["hp"]))
    return any(bool(is_injured(rules, hp, int(man["hp"]))) == bool(injured) for hp in range(low, high + 1))


def _billionths(chance: NDArray[np.float64]) -> NDArray[np.int64]:
    """Chances as whole billionths."""
    return np.rint(chance * BILLION).astype(np.int64)
