"""The faces behind a battle's rolls, its shots, and the steps of its exchanges, found again from the keys of the dice.

The engine asks coarse questions: how many normal hits and crits, which faces are kept. A question is answered from
words that depend on (seed, game, step, purpose, draw) only, and a word names an ordered roll of up to four dice
(`dice.rolled`). So the faces need not be kept while a battle is played. Everything found here is held against what the
engine's own procedures say; `Mismatch` means a defect of the program, never of the user's data.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from morsdei_sim._jit import kernel
from morsdei_sim.dice import questions
from morsdei_sim.dice.questions import FIELD
from morsdei_sim.dice.rolled import DICE_PER_WORD, RolledDice, drawn_now
from morsdei_sim.fight.solve import UNIFORM, first_answer, menu, offers, picks_answer, picks_lead
from morsdei_sim.rulesets.morsdei import melee, shooting
from morsdei_sim.rulesets.morsdei.game.exchanges import step_of
from morsdei_sim.rulesets.morsdei.policies import Style
from morsdei_sim.rulesets.morsdei.rules import Rules

__all__ = ["Fist", "Fought", "Mismatch", "Roll", "Shot", "agree", "fought", "shot"]


class Mismatch(RuntimeError):
    """The log of the engine and the dice it rolled do not agree."""


def agree(what: str, logged: object, found: object) -> None:
    """Object unless both are the same."""
    if logged != found:
        raise Mismatch(f"{what}: the engine has {logged}, its dice give {found}")


@kernel
def word(seed, trial, step, purpose, draw):
    """`drawn_now` compiled: run as plain Python it took longer than all the rest of telling a battle."""
    return drawn_now(seed, trial, step, purpose, draw)


@kernel
def asked(dice, n, hit, purpose):
    """`questions.pool` compiled, as battles ask it."""
    return questions.pool(dice, n, hit, purpose)


class Roll:
    """The dice of one roll of a game, face by face; `who` is the key of the fighter (`exchanges.dice_of`)."""

    def __init__(self, seed: int, game: int, round_: int, who: int, kind: int, index: int) -> None:
        step = step_of(round_, who, kind, index)
        key = np.uint64(seed)
        first, second = (np.uint32(word(key, game, step, purpose, 0)) for purpose in (0, 1))
        self.dice = RolledDice(key, game, step, first, second)

    def faces(self, n: int, purpose: int) -> list[int]:
        """All faces of a roll of n dice, in the order rolled."""
        found: list[int] = []
        for draw, start in enumerate(range(0, n, DICE_PER_WORD)):
            count = min(n - start, DICE_PER_WORD)
            number = int(word(self.dice.seed, self.dice.trial, self.dice.step, purpose, draw)) * 6**count >> 32
            found += [number // 6 ** (count - 1 - k) % 6 + 1 for k in range(count)]
        return found

    def pool(self, n: int, hit: int, purpose: int) -> tuple[list[int], int, int]:
        """Faces, normal successes, crits."""
        found = self.faces(n, purpose)
        counted = sum(hit <= face < 6 for face in found), found.count(6)
        agree("a pool", tuple(map(int, asked(self.dice, n, hit, purpose))), counted)
        return found, *counted

    def kept(self, n: int, hit: int, purpose: int) -> tuple[list[int], list[int]]:
        """Faces, and those of them that are successes, ascending."""
        found = self.faces(n, purpose)
        packed = int(questions.faces(self.dice, n, hit, purpose))
        for face in range(hit, 7):
            agree(f"dice that show {face}", packed >> FIELD * (face - 2) & 31, found.count(face))
        return found, sorted(face for face in found if face >= hit)

    def die(self, purpose: int) -> int:
        """One face."""
        (face,) = self.faces(1, purpose)
        agree("a die", int(questions.die(self.dice, purpose)), face)
        return face

    def choose(self, n: int, purpose: int) -> int:
        """One of n."""
        return int(questions.choose(self.dice, n, purpose))


class Shot(NamedTuple):
    """A shot, from the dice to the hits that are left."""

    hit: int
    attack: list[int]
    normals: int
    crits: int
    defence: list[int]
    saves: int
    crit_saves: int
    left: int


fire: Any = shooting


def shot(rules: Rules, roll: Roll, shooter: shooting.Shooter, defence: int, cover: int, prone: int) -> Shot:
    """S12-S23 A shot at a target with so many Defence Dice on its card; `prone` is its marker when it saves."""
    hit = fire.shot_hit(rules, shooter, shooter.aimed)
    attack, normals, crits = roll.pool(fire.attack_dice(rules, shooter), hit, shooting.ATTACK_DICE)
    thrown: tuple[list[int], int, int] = [], 0, 0
    if normals + crits:  # S14
        target = shooting.Target(defence, 0, 0, cover, prone, shooting.BEST_SAVES, 0)
        thrown = roll.pool(fire.defence_dice(rules, target, prone), rules.save, shooting.DEFENCE_DICE)
    left = int(fire.hits_left_best(rules, normals, crits, thrown[1], thrown[2]))
    return Shot(hit, attack, normals, crits, *thrown, left)


class Fist(NamedTuple):
    """What one fighter brings to an exchange: dice, Hit, blows that remove its opponent (dice + 1: never), habit."""

    dice: int
    hit: int
    kill: int
    habit: int


class Fought(NamedTuple):
    """An exchange, from the dice to the blows."""

    rolls: list[list[int]]
    pools: list[list[int]]
    steps: list[dict[str, Any]]
    blows: tuple[int, int]  # on the initiator, on its enemy


@lru_cache(64)
def _side(hit: int, dice: int, kill: int) -> Any:
    return melee.side(hit, dice, kill)


def fought(rules: Rules, roll: Roll, one: Fist, other: Fist) -> Fought:
    """Play an exchange again as `solve.play` does, and keep every step."""
    sides = [_side(fist.hit, fist.dice, fist.kill) for fist in (one, other)]
    thrown = [
        roll.kept(fist.dice, fist.hit, purpose)
        for fist, purpose in ((one, melee.INITIATOR_POOL), (other, melee.TARGET_POOL))
    ]
    game = melee.oppose(rules.guard, rules.may_pass, *sides)
    tracks = [
        melee.roll_pool(roll.dice, side, purpose)
        for side, purpose in zip(sides, (melee.INITIATOR_POOL, melee.TARGET_POOL), strict=True)
    ]
    position = melee.settle(game, tracks[0], tracks[1], 0, 0)
    habits, here, purpose, steps = (Style(one.habit), Style(other.habit)), menu(), melee.CHOICES, []
    while position >= 0:
        leader, leads = offers(game, position, here)
        k = picks_lead(habits[leader], game, position, here, leader, leads)
        if k == UNIFORM:
            k, purpose = roll.choose(leads, purpose), purpose + 1
        j = picks_answer(habits[1 - leader], game, position, here, leader, k)
        if j == UNIFORM:
            first = first_answer(here, k)
            j, purpose = first + roll.choose(int(here.end[k] - first), purpose), purpose + 1
        steps += _step(int(leader), int(here.lead[k]), int(here.answer[j]))
        position = int(here.next[j])
    taken, dealt = divmod(-1 - int(position), one.kill + 1)
    return Fought([faces for faces, _pool in thrown], [pool for _faces, pool in thrown], steps, (taken, dealt))


def _step(leader: int, lead: int, answer: int) -> list[dict[str, Any]]:
    """A lead and its answer; nothing where the initiative is handed over (RULING 47)."""
    if lead == melee.HAND_OVER:
        return []
    if lead > melee.GUARD:
        return [{"side": leader, "lead": "guard", "face": lead - melee.GUARD, "answer": None, "with": None}]
    how = "take" if answer == melee.TAKE else "parry"
    return [{"side": leader, "lead": "attack", "face": lead, "answer": how, "with": answer or None}]
