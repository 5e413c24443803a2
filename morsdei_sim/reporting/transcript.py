"""A whole battle in words: one sentence an event, from the log that the engine writes (JSON Lines, header first)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.reporting.cast import SIDES, Cast, Event, Line, faces, facts, heading, inches, matchup
from morsdei_sim.reporting.numbers import plain, stat

__all__ = ["KINDS", "step", "tell", "transcript"]

SCHEMA = 1
FLAT = 0.05
"""Inches: a smaller change of height is none."""


def _rolls(event: Event) -> str:
    return ", ".join(f"{a}\u2013{b}" for a, b in event["rolls"])


# ── one function an event ─────────────────────────────────────────────────────────────────────────────────────────────


def _zones(cast: Cast, event: Event) -> Line:
    text = _("Side {side} wins the roll-off ({rolls}) and takes deployment zone {zone}")
    text = text.format(side=SIDES[event["winner"]], rolls=_rolls(event), zone=event["zone"] + 1)
    return Line(event["round"], text)


def _set_up(cast: Cast, event: Event) -> Line:
    x, y = (plain(value, 1) for value in event["at"][:2])
    return Line(event["round"], _("{fighter} is set up at ({x}; {y})").format(fighter=_who(cast, event), x=x, y=y))


def _starts(cast: Cast, event: Event) -> Line:
    text = _("Side {side} wins the roll-off ({rolls}); side {first} goes first in round one")
    text = text.format(side=SIDES[event["winner"]], rolls=_rolls(event), first=SIDES[event["first"]])
    return Line(event["round"], text)


def _round(cast: Cast, event: Event) -> Line:
    text = _("Round {round} begins: side {side} goes first, all fighters are ready")
    return Line(event["round"], text.format(round=event["round"], side=SIDES[event["first"]]))


def _activated(cast: Cast, event: Event) -> Line:
    head = _("{fighter} activates, APL {apl}").format(fighter=_who(cast, event), apl=event["apl"])
    debt = _("the Prone marker goes and costs {n} APL").format(n=cast.header["rules"]["prone_debt"])
    watch = _("the unused Overwatch marker is removed")
    return Line(event["round"], head, (*([debt] if event["debt"] else []), *([watch] if event["watch"] else [])))


def _moved(cast: Cast, event: Event) -> Line:
    texts = {
        "move": _("{fighter} moves {length}"),
        "fall-back": _("{fighter} leaves contact by Fall Back, {length}"),
        "contract": _("{fighter} moves {length} by Contract"),
    }
    head = texts[event["action"]].format(fighter=_who(cast, event), length=inches(event["length"]))
    heights = [place[2] for place in event["path"]]
    if abs(heights[-1] - heights[0]) <= FLAT:
        return Line(event["round"], head)
    text = _("up to height {z}") if heights[-1] > heights[0] else _("down to height {z}")
    return Line(event["round"], f"{head}, {text.format(z=inches(heights[-1]))}")


def _aimed(cast: Cast, event: Event) -> Line:
    text = _("{fighter} aims ({weapon}): Hit of the next Shoot improves by {n}")
    return Line(event["round"], text.format(**_armed(cast, event), n=cast.header["rules"]["aim"]))


def _watches(cast: Cast, event: Event) -> Line:
    return Line(event["round"], _("{fighter} goes on Overwatch ({weapon})").format(**_armed(cast, event)))


def _looted(cast: Cast, event: Event) -> Line:
    head = _("{fighter} loots point {point}").format(fighter=_who(cast, event), point=event["point"] + 1)
    return Line(event["round"], head, (), _score(event))


def _shot(cast: Cast, event: Event) -> Line:
    texts = {
        "action": _("{fighter} shoots {target} ({weapon})"),
        "overwatch": _("{fighter} fires from Overwatch at {target} ({weapon})"),
        "contract": _("{fighter} shoots {target} by Contract ({weapon})"),
    }
    head = texts[event["how"]].format(**_armed(cast, event), target=cast.name(event["declared"]))
    details = [*_friendly_fire(cast, event), *_situation(event), *_attack(event)]
    if not event["normals"] + event["crits"]:
        return Line(event["round"], head, (*details,), _("no hits"))
    if event["goes_prone"]:
        details.append(_("{fighter} goes prone").format(fighter=cast.tags[event["target"]]))
    text = _("Defence Dice {faces}: normal saves {n}, critical saves {c}")
    details.append(text.format(faces=faces(event["defence"]), n=event["saves"], c=event["crit_saves"]))
    return Line(event["round"], head, (*details,), _harm(cast, event["target"], event["damage"], event["hp"]))


def _friendly_fire(cast: Cast, event: Event) -> list[str]:
    if not event["allies"]:
        return []
    text = _("friendly fire {face}: the target stays")
    if event["target"] != event["declared"]:
        text = _("friendly fire {face}: the shot goes at {fighter}")
    return [text.format(face=event["redirect"], fighter=cast.name(event["target"]))]


def _situation(event: Event) -> list[str]:
    known = [
        ("aimed", _("aimed shot")),
        ("cover", _("target in cover")),
        ("prone", _("target already prone")),
        ("in_contact", _("shooter in contact")),
        ("injured", _("shooter is Injured")),
    ]
    said = ", ".join(text for key, text in known if event[key])
    return [said] if said else []


def _attack(event: Event) -> list[str]:
    text = _("Attack Dice {faces} at Hit {hit}+").format(faces=faces(event["attack"]), hit=event["hit"])
    hits = _("normal hits {n}, critical hits {c}").format(n=event["normals"], c=event["crits"])
    return [f"{text}: {hits}"] if event["normals"] + event["crits"] else [text]


def _harm(cast: Cast, fighter: int, damage: int, hp: int) -> str:
    if not damage:
        return _("no damage")
    text = _("{fighter} takes {damage} damage, {left}")
    return text.format(fighter=cast.tags[fighter], damage=damage, left=cast.left(fighter, hp))


def _exchange(cast: Cast, event: Event) -> Line:
    text = _("{fighter} ({weapon}) fights {enemy} ({other})")
    if event["how"] == "contract":
        text = _("{fighter} ({weapon}) fights {enemy} ({other}) by Contract")
    both = (event["fighter"], event["enemy"])
    other = cast.weapon(event["enemy"], event["enemy_weapon"])
    head = text.format(**_armed(cast, event), enemy=cast.name(event["enemy"]), other=other)
    said = _("{fighter} rolls {faces} at Hit {hit}+ and keeps {pool}")
    details = [
        said.format(fighter=cast.tags[who], faces=faces(rolled), hit=hit, pool=faces(pool))
        for who, rolled, hit, pool in zip(both, event["rolls"], event["hits"], event["pools"], strict=True)
        if rolled
    ]
    steps = ", ".join(step(cast.tags[both[taken["side"]]], taken) for taken in event["steps"])
    harms = zip(both, event["damage"], event["hp"], strict=True)
    outcome = ", ".join(_harm(cast, who, damage, hp) for who, damage, hp in harms if damage)
    return Line(event["round"], head, (*details, steps), outcome or _("no damage"))


def step(leader: str, taken: Event) -> str:
    """`A1 Attack 5, Parry 6`: the words of the rulebook in both languages."""
    if taken["lead"] == "guard":
        return f"{leader} Guard {taken['face']}"
    answer = f"Parry {taken['with']}" if taken["answer"] == "parry" else "Take"
    return f"{leader} Attack {taken['face']} \u2192 {answer}"


def _marker_lost(cast: Cast, event: Event) -> Line:
    text = _("{fighter} is in contact and loses the Overwatch marker")
    return Line(event["round"], text.format(fighter=_who(cast, event)))


def _removed(cast: Cast, event: Event) -> Line:
    text = _("{fighter} is removed from the game by {by}")
    return Line(event["round"], text.format(fighter=_who(cast, event), by=cast.name(event["by"])))


def _finished(cast: Cast, event: Event) -> Line:
    return Line(event["round"], _("{fighter} ends its activation").format(fighter=_who(cast, event)))


def _reaction(cast: Cast, event: Event) -> Line:
    head = _("Overwatch window of side {side}").format(side=SIDES[event["side"]])
    return _chance(cast, event, head, _("{fighter} fires"))


def _contract(cast: Cast, event: Event) -> Line:
    head = _("Contract of side {side}").format(side=SIDES[event["side"]])
    return _chance(cast, event, head, _("{fighter} carries it out"))


def _chance(cast: Cast, event: Event, head: str, taken: str) -> Line:
    """A chance that a side takes or lets pass."""
    chosen, others = event["chosen"], [one for one in event["candidates"] if one != event["chosen"]]
    outcome = _("it passes") if chosen is None else taken.format(fighter=cast.name(chosen))
    also = _("could have: {names}") if chosen is None else _("could as well: {names}")
    return Line(event["round"], head, (), outcome + (f" ({also.format(names=cast.names(others))})" if others else ""))


def _over(cast: Cast, event: Event) -> Line:
    winner = SIDES[0] if event["result"] == 0 else SIDES[1]
    head = _("The battle ends in a draw")
    if event["result"] != 1:
        text = _("Full victory of side {side}") if event["wiped_out"] else _("Side {side} wins by VP")
        head = text.format(side=winner)
    faults = _("options chosen against the rules: {n}").format(n=event["faults"])
    return Line(event["round"], head, (faults,) if event["faults"] else (), _score(event))


def _score(event: Event) -> str:
    return _("VP {a} to {b}").format(a=event["vp"][0], b=event["vp"][1])


def _who(cast: Cast, event: Event) -> str:
    return cast.name(event["fighter"])


def _armed(cast: Cast, event: Event) -> dict[str, str]:
    return {"fighter": _who(cast, event), "weapon": cast.weapon(event["fighter"], event["weapon"])}


KINDS: dict[str, Callable[[Cast, Event], Line]] = {
    "zones": _zones,
    "set-up": _set_up,
    "starts": _starts,
    "round": _round,
    "activated": _activated,
    "moved": _moved,
    "aimed": _aimed,
    "watches": _watches,
    "looted": _looted,
    "shot": _shot,
    "exchange": _exchange,
    "marker-lost": _marker_lost,
    "removed": _removed,
    "finished": _finished,
    "reaction": _reaction,
    "contract": _contract,
    "over": _over,
}
"""Every kind of event, and how it is told."""


# ── the whole log ─────────────────────────────────────────────────────────────────────────────────────────────────────


def tell(log: Sequence[Event]) -> tuple[Cast, list[Line]]:
    """The cast of a log and a line for each event; UserError for a log that cannot be read."""
    header = log[0] if log else {}
    if header.get("event") != "battle" or header.get("schema_version") != SCHEMA:
        text = _("this is no log of a battle: its first line must be the header, schema version {version}")
        raise UserError(text.format(version=SCHEMA))
    lines: list[Line] = []
    number = 0
    try:
        cast = Cast(header)
        for number, event in enumerate(log[1:], start=1):
            if event["event"] not in KINDS:
                text = _('line {line} of the log: no such event "{event}"; there are: {names}')
                raise UserError(text.format(line=number + 1, event=event["event"], names=", ".join(KINDS)))
            lines.append(KINDS[event["event"]](cast, event))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        text = _("line {line} of the log is damaged: {reason}")
        raise UserError(text.format(line=number + 1, reason=f"{type(error).__name__} {error}")) from None
    return cast, lines


def transcript(log: Sequence[Event]) -> str:
    """The battle as plain text, in the language of the messages: a sentence an event under the title of its round."""
    cast, lines = tell(log)
    text = [matchup(cast.header), facts(cast.header), ""]
    for number in cast.listed:
        stats = ", ".join(f"{title} {stat(cast.fighters[number][key])}" for key, title in _STATS.items())
        text.append(f"{cast.name(number)}: {stats}")
    last = -1
    for line in lines:
        if line.round != last:
            title = heading(line.round)
            text += ["", title, "=" * len(title)]
            last = line.round
        text.append(line.sentence)
    return "\n".join(text) + "\n"


_STATS = {"apl": "APL", "move": "Move", "defence": "Defence", "hp": "HP"}
