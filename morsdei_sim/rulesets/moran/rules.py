"""Every number of the rules of Moran beside its rule id, and the open questions of the document as switches.

`Rules` is an argument of every procedure: a sweep over rules is a sweep over these fields and recompiles nothing. The
switches of the atlas (chapter 2) keep their names; `CHOICES` gives the words of each, a word's place being its number.
"""

from __future__ import annotations

from typing import NamedTuple

HALF_OPEN, FAR_INCLUSIVE = 0, 1
SQUARE, ALTERNATING = 0, 1
AT_LEAST, EXACTLY = 0, 1

UP, WOUNDED, DEAD = 0, 1, 2
"""Status of a fighter; what an attack does is the same: nothing, a wound, a kill."""


class Rules(NamedTuple):
    """The rules as the atlas reads them. Change a field to ask what a rule is worth."""

    close_dice: int = 4  # R13 dice nearer than the first number
    middle_dice: int = 3  # R13 dice from the first number on
    far_dice: int = 2  # R13 dice from the second number on
    cover_dice: int = 1  # R16 dice that one step of cover takes (light 1 step, full 2)
    defence_dice: int = 1  # R9 dice that defence takes
    second_move: int = 1  # R5 whether a second movement may be the action
    watch_radius: int = 1  # R32 cells around the marker that are marked too
    side_turns: int = 200  # RULING 35 cap of a fight, in turns of both sides together
    band_edge: int = HALF_OPEN  # RULING 2 at exactly the second number: half_open 2 dice, far_inclusive 3
    diagonal_cost: int = SQUARE  # RULING 3 every diagonal step 1, or 1 and 2 in turn
    cover_counts_as_six: int = 0  # RULING 6 whether dice lost to cover and defence count against the magazine
    magazine_test: int = AT_LEAST  # RULING 5 sixes at least as many as the magazine, or exactly as many
    recover_same_turn: int = 1  # RULING 19 whether one wounded by a watch in his own move may recover at once
    blast_hits_friends: int = 1  # RULING 27 whether a blast wounds the thrower's side too


PRINTED = Rules()
"""The rules with every switch as the atlas rules it."""

CHOICES: dict[str, tuple[str, ...]] = {
    "band_edge": ("half_open", "far_inclusive"),
    "diagonal_cost": ("1", "1-2-1-2"),
    "cover_counts_as_six": ("false", "true"),
    "magazine_test": ("at_least", "exactly"),
    "recover_same_turn": ("false", "true"),
    "blast_hits_friends": ("false", "true"),
}
"""The words of each switch; the place of a word is its number."""

BOUNDS = {
    "second_move": (0, 1),
    "watch_radius": (0, 5),
    "side_turns": (1, 10_000),
    **{name: (0, len(words) - 1) for name, words in CHOICES.items()},
}
"""Where a changed number must lie."""

USUAL = (0, 4)
"""The same for those not named."""
