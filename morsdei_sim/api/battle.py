"""The verb `battle`: two squads, a board, two bots, many games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from morsdei_sim.api.arguments import checked
from morsdei_sim.api.change import Change
from morsdei_sim.api.fought import Battle, Fought
from morsdei_sim.api.games import boards_named, check_games, words
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets import room_with

if TYPE_CHECKING:
    from morsdei_sim.rulesets.morsdei.game.boards import Board
    from morsdei_sim.rulesets.morsdei.game.bots import Player
    from morsdei_sim.rulesets.morsdei.game.series import Counts, Series

__all__ = ["battle"]


@checked
def battle(
    squad: str,
    other: str,
    *,
    board: str | Sequence[str] | None = None,
    bots: str | Player | Sequence[str | Player] | None = None,
    games: int | None = None,
    instead: str | None = None,
    target_error: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    rules: dict[str, int | str | bool] | None = None,
    ruleset: str = "morsdei",
    progress: Callable[[int, int], None] | None = None,
) -> Battle | Change:
    """Play whole games of two squads led by bots, and count.

    Parameters
    ----------
    squad, other : the squads A and B: `squad`, `file.toml`, or one each of some of its fighters, `squad/one+two`.
    board : a board or several, by name or file; "all" for all that come along. Unless named, a symmetric one.
    bots : one for both squads or one for each; unless named, tactician.
    games : on each board, 2,000 unless given; made even, since games come in mirrored pairs on the same dice.
    instead : cards to play in place of `squad`, on the same dice: what they change is told, with intervals from pairs.
    target_error : play until the score of A is known to this half-width, instead of a number of games.
    seed, jobs, rules, progress : see `morsdei_sim.api.ask`. Rules of the whole game may be changed too: rounds,
        friendly_fire, contract_move, loot_vp, most_vp.

    Returns
    -------
    Battle, or Change with `instead`
        Results, VP, effects of the first turn and of the zone, and what each card did, with 95 % intervals.

    Raises
    ------
    UserError : an unknown board, bot, squad or rule; squads too large.
    CardFaults : cards or a board that cannot be read.

    Examples
    --------
    >>> from morsdei_sim import battle
    >>> found = battle("line", "mirror", bots="random", games=64).to_dict()
    >>> found["trials"], found["boards"][0]["board"], found["boards"][0]["faulty_games"]
    (64, 'twin-yards', 0)
    """
    chosen = room_with("battle", ruleset)
    from morsdei_sim.fight.intervals import Watch
    from morsdei_sim.rulesets.morsdei.game import setting
    from morsdei_sim.rulesets.morsdei.game.runs import GAMES, PRECISION, Progress, count_games, playing

    if games is not None and target_error is not None:
        raise UserError(_("Give either a number of games or a precision, not both."))
    if target_error is not None and not PRECISION[0] <= target_error < PRECISION[1]:
        text = _("a precision of {error}: the score can be known to 0.1 % to 50 %")
        raise UserError(text.format(error=target_error))
    if instead is not None and target_error is not None:
        raise UserError(_("With other cards instead, give a number of games: no precision is waited for."))
    wanted = check_games(games, GAMES)
    book, numbers = setting.game_rules(rules or {})
    leaders = setting.players(words(bots))
    places = boards_named(words(board) or [setting.DEFAULT_BOARD])
    names = (leaders[0].name, leaders[1].name)
    watch = None if target_error is None else Watch(target_error)
    played = Progress(progress, wanted * len(places) if watch is None else 0)

    crews = {name: setting.crew(name, book) for name in (squad, other, *([instead] if instead else []))}

    def series(here: Board, one: str) -> Series:
        return setting.series(here, [crews[one], crews[other]], leaders, seed, book, numbers)

    def made(one: str, played: Sequence[Series], counted: Sequence[Counts]) -> Battle:
        fought = tuple(Fought(*each, watch) for each in zip(places, counted, played, strict=True))
        return Battle((crews[one], crews[other]), names, fought, seed, target_error, dict(rules or {}), chosen)

    with playing(jobs) as executor:
        if instead is None:
            ready = [series(here, squad) for here in places]
            return made(squad, ready, [count_games(one, wanted, watch, executor, played) for one in ready])
        both = [(series(here, squad), series(here, instead)) for here in places]
        found = [one.beside(two, wanted, executor, played.step) for one, two in both]
    before, after, differences = zip(*found, strict=True)
    first, second = zip(*both, strict=True)
    return Change(made(squad, first, before), made(instead, second, after), differences)
