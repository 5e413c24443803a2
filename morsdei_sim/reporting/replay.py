"""A whole battle as one HTML page, and two battles on the same dice side by side: no network, one script of the house.

The log goes into the page as data; the script shows the state after any event by playing the log up to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from markupsafe import Markup

from morsdei_sim.lang import N_, _, language, named
from morsdei_sim.reporting.cast import SIDES, Cast, Event, Line, facts, heading, inches, matchup, squad
from morsdei_sim.reporting.frame import as_data, render
from morsdei_sim.reporting.numbers import stat
from morsdei_sim.reporting.transcript import step, tell

__all__ = ["compare_page", "parting", "replay_page"]

ESTIMATES = {"n", "expected"}
"""Fields that are not part of what happened: the number of the line, and what was expected before the dice."""

Log = Sequence[Event]


def replay_page(log: Log, *, title: str = "") -> str:
    """The page of one battle, in the language of the messages; the same bytes for the same log.

    Raises
    ------
    UserError
        When the log cannot be read; the message names the line.
    """
    cast, lines = tell(log)
    heads = {
        "title": title or matchup(cast.header),
        "subtitle": facts(cast.header),
        "what": "",
        "happened": [],
        "differences": [],
    }
    return _render([_game(log, cast, lines, "")], heads, -1)


def compare_page(one: Log, other: Log, what: str) -> str:
    """Two battles in step, the first event where they differ marked and explained; `what` names what was changed.

    Raises
    ------
    UserError
        When a log cannot be read.
    """
    games = [(log, *tell(log)) for log in (one, other)]
    point = parting(one, other)
    names = (_("First game"), _("Second game"))
    heads = {
        "title": _("Two games on the same dice"),
        "subtitle": f"{matchup(one[0])} · {facts(one[0])}",
        "what": what,
        "happened": [] if point is None else _happenings(games, point),
        "differences": [] if point is None else _differences(games, point),
    }
    made = [_game(*game, name) for game, name in zip(games, names, strict=True)]
    return _render(made, heads, -1 if point is None else point)


def parting(one: Log, other: Log) -> int | None:
    """Index of the first event that differs (the header does not count, nor what was expected); None when none does."""
    mine, others = one[1:], other[1:]
    for index, (a, b) in enumerate(zip(mine, others, strict=False)):
        if _happened(a) != _happened(b):
            return index
    return min(len(mine), len(others)) if len(mine) != len(others) else None


def _happened(event: Event) -> Event:
    return {key: value for key, value in event.items() if key not in ESTIMATES}


# ── what goes into the page ───────────────────────────────────────────────────────────────────────────────────────────


def _render(games: list[dict[str, Any]], heads: dict[str, Any], point: int) -> str:
    data = {"logs": [game.pop("log") for game in games], "parting": point, "words": _words(), "lang": language()}
    shown = {"games": games, "point": point, "data": Markup(as_data(data))}
    return render("replay.html.j2", "replay.js", ("style.css", "replay.css"), **heads, **shown)


def _game(log: Log, cast: Cast, lines: list[Line], name: str) -> dict[str, Any]:
    """One battle of the page."""
    header = {**log[0], "fighters": [_spoken(card) for card in log[0]["fighters"]], "tags": cast.tags}
    events = zip(lines, log[1:], strict=True)
    listed = [(n, line, event["event"], _side(cast, event)) for n, (line, event) in enumerate(events, start=1)]
    by_round = groupby(listed, lambda one: one[1].round)
    rounds = [{"title": heading(number), "lines": list(group)} for number, group in by_round]
    sides = [
        {"letter": letter, "squad": squad(side), "bot": side["bot"]}
        for letter, side in zip(SIDES, header["sides"], strict=True)
    ]
    return {
        "log": [header, *log[1:]],
        "name": name,
        "rounds": rounds,
        "sides": sides,
        "cards": [_card(cast, number) for number in cast.listed],
        "board": named(header["board"]["name"], header["board"].get("name_ru", "")),
        "opening": f"{matchup(header)}; {facts(header)}.",
    }


def _side(cast: Cast, event: Event) -> int | None:
    """Whose event it is."""
    fighter = event.get("fighter")
    side: int | None = cast.fighters[fighter]["side"] if fighter is not None else event.get("side")
    return side


def _spoken(card: Event) -> Event:
    """The card with its names in the language of the page."""
    weapons = [{**arm, "name": named(arm["name"], arm.get("name_ru", ""))} for arm in card["weapons"]]
    return {**card, "name": named(card["name"], card.get("name_ru", "")), "weapons": weapons}


def _card(cast: Cast, number: int) -> dict[str, str]:
    card = cast.fighters[number]
    kinds = {"ranged": _("ranged"), "pistol": _("pistol"), "melee": _("melee")}
    arms = [
        f"{cast.weapon(number, place)} ({kinds.get(arm['type'], arm['type'])}): "
        f"{arm['dice']}d6, {arm['hit']}+, {arm['damage']}"
        for place, arm in enumerate(card["weapons"])
    ]
    stats = {key: stat(card[key]) for key in ("apl", "move", "defence", "hp")}
    return {"name": cast.name(number), "weapons": "; ".join(arms), "base": f"{stat(card['base'])} {_('mm')}", **stats}


def _words() -> dict[str, str]:
    """What the script says."""
    return {
        "attack": "Attack Dice, Hit {hit}+",
        "defence": "Defence Dice",
        "combat": "{fighter}: Combat Dice, Hit {hit}+",
        "friendly": _("Friendly fire"),
        "throw": _("Roll-off"),
        "expected": _("HP loss expected when it was declared: {text}"),
        "miss": _("miss"),
        "saved": _("saved"),
        "hp": _("HP {hp} of {most}"),
        "apl": _("APL {left} of {stock}"),
        "removed": _("removed"),
        "round": _("Round {round} of {rounds}"),
        "preparation": _("Preparation"),
        "over": _("The battle is over"),
        "turn": _("Active: {fighter}"),
        "nobody": _("Nobody is active"),
        "event": _("Event {n} of {all}"),
        "play": _("Play"),
        "pause": _("Pause"),
        "die": _("die {face}"),
        "zone": _("Zone {side}"),
        "point": _("Loot point {n}"),
        "done": _("activated"),
        "prone": _("Prone"),
        "watch": "Overwatch",
        "hurt": _("Injured"),
        "contract": _("Contract used"),
        "aim": _("aimed"),
        "impassable": _("impassable"),
        "climbable": _("climbable"),
        "platform": _("platform"),
        "low": _("low obstacle"),
        "door-open": _("open door"),
        "door-closed": _("closed door"),
    }


# ── where two battles part ────────────────────────────────────────────────────────────────────────────────────────────

FIELDS = {
    "round": N_("round"), "fighter": N_("fighter"), "weapon": N_("weapon"),
    "declared": N_("declared target"), "target": N_("actual target"), "enemy": N_("enemy"), "hit": "Hit",
    "hits": N_("Hit of both"), "attack": "Attack Dice", "defence": "Defence Dice", "rolls": N_("dice rolled"),
    "pools": N_("dice kept"), "steps": N_("course of the exchange"), "damage": N_("damage"), "hp": N_("HP after"),
    "normals": N_("normal hits"), "crits": N_("critical hits"), "saves": N_("normal saves"),
    "crit_saves": N_("critical saves"), "hits_left": N_("hits left"), "cover": N_("cover"), "aimed": N_("aimed"),
    "injured": N_("shooter is Injured"), "prone": N_("prone before"), "goes_prone": N_("goes prone"),
    "redirect": N_("friendly-fire die"), "allies": N_("allies in the line of fire"), "path": N_("path"),
    "length": N_("length"), "action": N_("kind of movement"), "at": N_("place"), "apl": "APL", "vp": "VP",
    "point": N_("loot point"), "candidates": N_("who could"), "chosen": N_("who was chosen"), "side": N_("side"),
    "winner": N_("winner of the roll-off"), "zone": N_("deployment zone"), "debt": N_("Prone marker counted"),
    "watch": N_("Overwatch marker removed"), "in_contact": N_("shooter in contact"), "wiped_out": N_("wiped out"),
    "enemy_weapon": N_("weapon of the enemy"), "faults": N_("options against the rules"), "result": N_("result"),
    "by": N_("removed by"), "first": N_("first player"), "how": N_("occasion"),
}  # fmt: skip
"""What the fields of an event are called."""

FLAGS = {"aimed", "cover", "debt", "goes_prone", "in_contact", "injured", "prone", "watch", "wiped_out"}
OCCASIONS: dict[str, Any] = {
    "how": {"action": N_("action"), "overwatch": "Overwatch", "contract": N_("Contract")},
    "action": {"move": N_("Move action"), "fall-back": "Fall Back", "contract": N_("Contract")},
    "result": (N_("side A wins"), N_("draw"), N_("side B wins")),
}
PEOPLE = {"fighter", "declared", "target", "enemy", "chosen", "by", "allies", "candidates"}

Told = tuple[Log, Cast, list[Line]]


def _happenings(games: list[Told], point: int) -> list[str]:
    """What both do at the event where they part, or what each does."""
    lines = [lines[point] if point < len(lines) else None for _log, _cast, lines in games]
    heads = [_("the game is over") if line is None else line.head for line in lines]
    if heads[0] == heads[1]:
        return [_("In both games: {text}").format(text=heads[0])]
    texts = _("In the first game: {text}"), _("In the second game: {text}")
    return [text.format(text=head) for text, head in zip(texts, heads, strict=True)]


def _differences(games: list[Told], point: int) -> list[tuple[str, str, str]]:
    """Field, its value in the first game, its value in the second, where both events are of one kind."""
    if not all(point < len(lines) for _log, _cast, lines in games):
        return []
    (one, mine), (other, others) = ((log[point + 1], cast) for log, cast, _lines in games)
    if one["event"] != other["event"]:
        return []
    keys = [key for key in one if key in FIELDS and one[key] != other.get(key)]
    return [(_(FIELDS[key]), _shown(key, one, mine), _shown(key, other, others)) for key in keys]


def _shown(key: str, event: Event, cast: Cast) -> str:
    """A value of an event in words, counted as the transcript counts."""
    value = event.get(key)
    if value is None:
        return "—"
    if key in PEOPLE:
        return cast.names(value if isinstance(value, list) else [value]) or "—"
    if key in ("weapon", "enemy_weapon"):
        return cast.weapon(event["fighter" if key == "weapon" else "enemy"], value)
    if key in FLAGS:
        return _("yes") if value else _("no")
    if key in OCCASIONS:
        return _(OCCASIONS[key][value])
    if key in ("hit", "hits"):
        return ", ".join(f"{one}+" for one in (value if isinstance(value, list) else [value]))
    if key == "steps":
        leaders = [event["enemy" if taken["side"] else "fighter"] for taken in value]
        return ", ".join(step(cast.tags[who], taken) for who, taken in zip(leaders, value, strict=True)) or "—"
    counted = {"side": SIDES, "first": SIDES, "winner": SIDES, "point": range(1, 99), "zone": range(1, 3)}
    if key in counted:
        return str(counted[key][value])
    return inches(value) if key == "length" else "; ".join(_flat(value)) or "—"


def _flat(value: Any) -> Iterator[str]:
    """`3 4 5; 1 6` of [[3, 4, 5], [1, 6]]."""
    if isinstance(value, list) and any(isinstance(one, list) for one in value):
        for one in value:
            yield from _flat(one)
    else:
        yield " ".join(stat(round(one, 2)) for one in (value if isinstance(value, list) else [value]))
