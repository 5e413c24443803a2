"""Shooting (S, O, P, and F's numbers): one ranged attack after another at one target.

    attack dice -> hits (normal, critical) -> prone? -> defence dice -> saves (normal, critical) -> hits left -> damage

A state is one integer, `hits left so far, Aim still in force, prone marker`. Aim lives in the state because it serves
the next Shoot only (S3); the marker because it stays until the target's next activation (P2). Who is on the
friendly-fire list, who sees whom and who stands in cover is decided on the board: here the actual target and its
cover are given.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from morsdei_sim._jit import INLINE, inline, kernel
from morsdei_sim.dice import questions
from morsdei_sim.fight import exact, verbs
from morsdei_sim.rulesets.morsdei.rules import Rules, final_hit, pool_size

ATTACK_DICE, DEFENCE_DICE = 0, 1
"""Purposes of the two rolls."""

NEVER, ALWAYS = 0, 1
"""J6 whether a target without a plan goes prone when offered."""

BEST_SAVES, CRITS_FIRST = 0, 1
"""J7 how the target spends its saves."""


class Shooting(Rules):
    """The kind of fight: a number of ranged attacks at one target."""

    __slots__ = ()


class Shooter(NamedTuple):
    """The attack: the weapon's numbers and the situation of the shot (flags 0 or 1)."""

    dice: int
    hit: int
    damage: int
    aimed: int
    overwatch: int
    contract: int
    in_contact: int
    injured: int
    shots: int


class Target(NamedTuple):
    """The actual target: `hp` is current; `prone` is the marker before the first shot; decisions J6 and J7."""

    defence: int
    hp: int
    max_hp: int
    cover: int
    prone: int
    saves: int
    going_prone: int


class Planner(NamedTuple):
    """A target that decides J6 by a table. A type of its own: an array beside the numbers of `Target` makes every
    shot three times slower."""

    defence: int
    hp: int
    max_hp: int
    cover: int
    prone: int
    saves: int
    prone_table: NDArray[np.int8]  # [hits still needed to remove it - 1, normal hits, critical hits]


@inline
def pack(hits, aimed, prone):
    """The state as one integer."""
    return hits << 2 | aimed << 1 | prone


@inline
def hits_to_remove(hp: int, damage: int) -> int:
    """E7 Hits that remove a fighter with `hp` left; 0 when it already is, a number never reached when Damage is 0."""
    if hp <= 0:
        return 0
    if damage == 0:
        return 1 << 30
    return (hp + damage - 1) // damage


@inline
def hits_left_best(rules, normals, crits, saves, crit_saves):
    """S20-S23, RULING 41 Hits left when the defender spends its saves best (atlas 23.2).

    Normal saves can only cancel normal hits, so they go first. A critical save takes as many normal hits as it can as
    long as there are two, else any hit.
    """
    normals = max(0, normals - saves)
    # Full bundles: a division by an argument of the fight, as a product, so that it leaves the loop over trials.
    bundles = min(crit_saves, np.int64((normals + 0.5) * (1.0 / rules.crit_save_normals)))
    normals -= rules.crit_save_normals * bundles
    crit_saves -= bundles
    if crit_saves > 0 and normals > 1:  # a bundle that is not full; cannot be with bundles of two, as printed
        normals = 0
        crit_saves -= 1
    return max(0, crits + normals - crit_saves)


@inline
def hits_left_crits_first(rules, normals, crits, saves, crit_saves):
    """S20-S23 Hits left when critical saves cancel critical hits first: a common way to play, sometimes worse."""
    against_crits = min(crit_saves, crits)
    normals = max(0, normals - saves)
    return crits - against_crits + max(0, normals - rules.crit_save_normals * (crit_saves - against_crits))


@inline
def shot_hit(rules, shooter, aimed):
    """S1, S7, S12, O5, O14, RULING 3 The final Hit of one shot, K3's worsening included.

    Aim helps neither Overwatch nor a Contract, which are not in its activation.
    """
    worse = (
        rules.overwatch * shooter.overwatch
        + rules.contract * shooter.contract
        + rules.pistol_in_contact * shooter.in_contact
    )
    if aimed and not shooter.overwatch and not shooter.contract:
        worse -= rules.aim
    return final_hit(rules, shooter.hit, worse)


@inline
def attack_dice(rules, shooter):
    """S13, H3 Attack Dice of one shot."""
    return pool_size(shooter.dice, -rules.injury_dice * shooter.injured)


@inline
def defence_dice(rules: Any, target: Any, prone: int) -> int:
    """D12, S16, V9, P2, P5 Defence Dice against one shot."""
    return pool_size(target.defence, rules.cover_dice * target.cover + rules.prone_dice * prone)


def may_be_prone(target):
    """Whether a target ever bears a Prone marker."""
    return _may_be_prone(target)(target)


def _by_marker_or_choice(target):
    return target.prone != 0 or target.going_prone != NEVER


def _by_table(target):
    return True


def _may_be_prone(target: Any) -> Any:
    return _by_table if getattr(target, "instance_class", type(target)) is Planner else _by_marker_or_choice


@overload(may_be_prone, jit_options=INLINE)
def _may_be_prone_compiled(target):
    return _may_be_prone(target)


def goes_prone(shooter, target, hits, normals, crits):
    """J6, S15, P1 Whether a target that is not prone yet goes prone, seeing the hits and how many would remove it."""
    return _prone_by(target)(shooter, target, hits, normals, crits)


def _as_a_rule(shooter, target, hits, normals, crits):
    return target.going_prone == ALWAYS


def _by_plan(shooter, target, hits, normals, crits):
    needed = hits_to_remove(target.hp - hits * shooter.damage, shooter.damage)
    return target.prone_table[min(needed, target.prone_table.shape[0]) - 1, normals, crits] != 0


def _prone_by(target: Any) -> Any:
    return _by_plan if getattr(target, "instance_class", type(target)) is Planner else _as_a_rule


@overload(goes_prone, jit_options=INLINE)
def _goes_prone(shooter, target, hits, normals, crits):
    return _prone_by(target)


@verbs.means(verbs.span, Shooting)
def _span(rules, attacker, defender):
    return (attacker.shots * attack_dice(rules, attacker) + 1) << 2


@verbs.means(verbs.begin, Shooting)
def _begin(rules, attacker, defender):
    return pack(0, attacker.aimed, defender.prone)


@verbs.means(verbs.attacks, Shooting)
def _attacks(rules, attacker, defender):
    return attacker.shots


@verbs.means(verbs.largest, Shooting)
def _largest(rules, attacker, defender):
    return max(attack_dice(rules, attacker), defence_dice(rules, defender, may_be_prone(defender)))


@verbs.means(verbs.pools, Shooting)
def _pools(rules, attacker, defender, state):
    if isinstance(defender, Planner):  # whether it goes prone, and so the size of its pool, depends on the hits
        return None
    prone = (state & 1) or defender.going_prone == ALWAYS
    hit = shot_hit(rules, attacker, (state >> 1) & 1)
    return attack_dice(rules, attacker), hit, defence_dice(rules, defender, prone), rules.save


@verbs.means(verbs.attack, Shooting)
def shot(rules, dice, attacker, defender, state):
    """S3, S12-S23, P1-P2, P4-P5, RULING 43 One shot: to hit, going prone, to save, and the hits that are left.

    A removed target is not shot at.
    """
    hits, aimed, prone = state >> 2, (state >> 1) & 1, state & 1
    if hits * attacker.damage >= defender.hp:  # E7 already removed
        return state
    normals, crits = questions.pool(dice, attack_dice(rules, attacker), shot_hit(rules, attacker, aimed), ATTACK_DICE)
    if normals + crits == 0:  # S14 the attack ends: no defence roll, no offer to go prone
        return pack(hits, 0, prone)
    if prone == 0 and goes_prone(attacker, defender, hits, normals, crits):
        prone = 1
    saves, crit_saves = questions.pool(dice, defence_dice(rules, defender, prone), rules.save, DEFENCE_DICE)
    if defender.saves == BEST_SAVES:
        left = hits_left_best(rules, normals, crits, saves, crit_saves)
    else:
        left = hits_left_crits_first(rules, normals, crits, saves, crit_saves)
    return pack(hits + left, 0, prone)


@kernel
def shoot_all(rules, dice, shooters, targets, out):
    """Chance of each number of hits left for many single shots: rows of int64 numbers in, `out` (float64, shots x
    hits) filled."""
    for i in range(len(shooters)):
        s = shooters[i]
        t = targets[i]
        shooter = Shooter(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], 1)
        target = Target(t[0], t[1], t[2], t[3], t[4], t[5], t[6])
        dice.path[:] = 0
        start = pack(0, shooter.aimed, target.prone)
        while True:
            exact.start_path(dice)
            end = verbs.attack(rules, dice, shooter, target, start)
            out[i, end >> 2] += dice.weight[0]
            if not exact.next_path(dice):
                break


@kernel
def prone_gains(rules, dice, saves_style, before, after, lost, gain):
    """Fill `gain` (float64, [normal hits, critical hits]) with the mean of `lost` (float64, by hits left) that
    `after` instead of `before` Defence Dice save."""
    for normals in range(gain.shape[0]):
        for crits in range(gain.shape[1] - normals):
            for pool, sign in ((before, 1.0), (after, -1.0)):
                dice.path[:] = 0
                while True:
                    exact.start_path(dice)
                    saves, crit_saves = questions.pool(dice, pool, rules.save, DEFENCE_DICE)
                    if saves_style == BEST_SAVES:
                        left = hits_left_best(rules, normals, crits, saves, crit_saves)
                    else:
                        left = hits_left_crits_first(rules, normals, crits, saves, crit_saves)
                    gain[normals, crits] += sign * dice.weight[0] * lost[left]
                    if not exact.next_path(dice):
                        break
