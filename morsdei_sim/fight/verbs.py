"""The verbs of a fight. A room says what they mean for each kind of its fights.

A fight is a Markov chain whose state is one integer, `0 .. span - 1`. The kind is the type of `rules`: an empty
subclass of the room's `Rules` tuple, so one compiled driver serves every room and a changed rule number recompiles
nothing.

`span`     how many states there are
`begin`    the state before the first step
`attacks`  how many steps the fight can have at most; a finished fight must map every state to itself
`attack`   one step: the state after it
`largest`  the most dice that one roll can have
`pools`    the two pools that a step rolls, if they are known beforehand; lets a sample count equal rolls
`stage`    fights without a fixed length only (`fight.long`): where a state stands
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from morsdei_sim._jit import INLINE

MEANINGS: dict[tuple[str, type], Callable[..., Any]] = {}
"""(verb, kind of fight) -> procedure."""


def means(verb: Callable[..., Any], kind: type) -> Callable[..., Any]:
    """Say what `verb` means in fights of this `kind`."""

    def register(procedure: Callable[..., Any]) -> Callable[..., Any]:
        MEANINGS[verb.__name__, kind] = procedure
        return procedure

    return register


def _meaning(verb: str, rules: Any) -> Callable[..., Any] | None:
    return MEANINGS.get((verb, getattr(rules, "instance_class", type(rules))))


def span(rules: Any, attacker: Any, defender: Any) -> int:
    """Number of states."""
    return MEANINGS["span", type(rules)](rules, attacker, defender)


def begin(rules, attacker, defender):
    """The state before the first step."""
    return MEANINGS["begin", type(rules)](rules, attacker, defender)


def attacks(rules, attacker, defender):
    """Number of steps."""
    return MEANINGS["attacks", type(rules)](rules, attacker, defender)


def largest(rules, attacker, defender):
    """Most dice in one roll (called from Python only)."""
    return MEANINGS["largest", type(rules)](rules, attacker, defender)


def pools(rules: Any, attacker: Any, defender: Any, state: int) -> tuple[int, int, int, int] | None:
    """Dice and Hit of the only two pools (purposes 0 and 1) that a step from `state` rolls; None if it may roll others.

    Called from Python only. The second pool may go unrolled, but its size must not depend on the first.
    """
    known = MEANINGS.get(("pools", type(rules)))
    return None if known is None else known(rules, attacker, defender, state)


RUNNING = -1
"""Stage of a state within a turn."""
TURN = -2
"""Stage of a state with which a turn begins."""


def stage(rules, attacker, defender, state):
    """RUNNING, TURN, or, of a fight that is over, its end: 0 .. span - 1."""
    return MEANINGS["stage", type(rules)](rules, attacker, defender, state)


def attack(rules, dice, attacker, defender, state):
    """One step of the fight: from the state before it to the state after it."""
    return MEANINGS["attack", type(rules)](rules, dice, attacker, defender, state)


@overload(span, jit_options=INLINE)
def _span(rules, attacker, defender):
    return _meaning("span", rules)


@overload(begin, jit_options=INLINE)
def _begin(rules, attacker, defender):
    return _meaning("begin", rules)


@overload(attacks, jit_options=INLINE)
def _attacks(rules, attacker, defender):
    return _meaning("attacks", rules)


@overload(attack, jit_options=INLINE)
def _attack(rules, dice, attacker, defender, state):
    return _meaning("attack", rules)


@overload(stage, jit_options=INLINE)
def _stage(rules, attacker, defender, state):
    return _meaning("stage", rules)
