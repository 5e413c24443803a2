"""`bot`: a function of yours leads a squad."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from morsdei_sim.rulesets.morsdei.game.bots import Player

__all__ = ["bot"]


@overload
def bot(function: Callable[..., Any], /) -> Player: ...


@overload
def bot(
    *,
    weights: Mapping[str, float] | None = None,
    prone_price: float | str | None = None,
    habit: str | None = None,
    name: str | None = None,
) -> Callable[[Callable[..., Any]], Player]: ...


def bot(
    function: Callable[..., Any] | None = None,
    /,
    *,
    weights: Mapping[str, float] | None = None,
    prone_price: float | str | None = None,
    habit: str | None = None,
    name: str | None = None,
) -> Any:
    """Make a function a bot of MORSDEI, as a decorator: `battle(bots=[mine, "tactician"])`. See
    docs/writing-a-bot.md.

    Parameters
    ----------
    function : `(world, state, hook, who)` that answers a whole number; Numba compiles it at once.
    weights : what its helpers go by, in HP (profiles/morsdei/bots/tactician.toml says what each means); those not
        named are the tactician's.
    prone_price : HP that going prone must save, or "never".
    habit : how it leads and answers in melee exchanges, see docs/habits-and-plans.md.
    name : what it is called; that of the function unless given.

    Returns
    -------
    Player
        What `battle`, `ladder` and `replay` take as a bot.

    Raises
    ------
    UserError : the function takes other arguments, cannot be compiled, or returns no whole number.
    CardFaults : every setting that is wrong.

    Examples
    --------
    >>> from morsdei_sim import bot
    >>> @bot(habit="strike-only")
    ... def idle(world, state, hook, who):
    ...     return 0
    >>> idle.name
    'idle'
    """
    from morsdei_sim.rulesets.morsdei.game import bots

    return bots.bot(function, weights=weights, prone_price=prone_price, habit=habit, name=name)
