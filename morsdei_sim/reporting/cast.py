"""What sides, fighters, weapons and numbers of a battle's log are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from morsdei_sim.lang import _, named
from morsdei_sim.reporting.numbers import plain

__all__ = ["SIDES", "Cast", "Event", "Line", "faces", "facts", "heading", "inches", "matchup", "seated", "squad"]

Event = dict[str, Any]
"""One line of a log."""

SIDES = ("A", "B")


@dataclass(frozen=True)
class Line:
    """What is said of one event: who does what, how it came about, and what came of it."""

    round: int
    head: str
    details: tuple[str, ...] = ()
    outcome: str = ""

    @property
    def sentence(self) -> str:
        """All of it."""
        rest = "; ".join(part for part in (*self.details, self.outcome) if part)
        return f"{self.head}: {rest}." if rest else f"{self.head}."


class Cast:
    """What sides, fighters and weapons of a log are called: fighter 0 is `A1 Sergeant`; `listed`: all, A's first."""

    def __init__(self, header: Event) -> None:
        self.header = header
        self.fighters: list[Event] = header["fighters"]
        self.listed = sorted(range(len(self.fighters)), key=lambda fighter: self.fighters[fighter]["side"])
        counts = [0, 0]
        self.tags: list[str] = []
        for fighter in self.fighters:
            counts[fighter["side"]] += 1
            self.tags.append(f"{SIDES[fighter['side']]}{counts[fighter['side']]}")

    def name(self, fighter: int) -> str:
        """`A1 Sergeant`."""
        card = self.fighters[fighter]
        return f"{self.tags[fighter]} {named(card['name'], card.get('name_ru', ''))}"

    def names(self, fighters: Sequence[int]) -> str:
        """Several of them."""
        return ", ".join(self.name(fighter) for fighter in fighters)

    def weapon(self, fighter: int, weapon: int | None) -> str:
        """The weapon's name; bare hands where there is none."""
        if weapon is None:
            return _("no melee weapon")
        arm = self.fighters[fighter]["weapons"][weapon]
        return named(arm["name"], arm.get("name_ru", ""))

    def left(self, fighter: int, hp: int) -> str:
        """`3 HP left, Injured`."""
        if hp <= 0:
            return _("no HP left")
        hurt = self.header["rules"]["injury_ratio"] * hp < self.fighters[fighter]["hp"]
        text = _("{hp} HP left, Injured") if hurt else _("{hp} HP left")
        return text.format(hp=hp)


def seated(log: Sequence[Event], swapped: bool, names: Sequence[str]) -> list[Event]:
    """A log as it is shown: side 0 is A, the squad named first, also where it played side 1 (`swapped`); with what the
    squads are called, A first."""
    if swapped:
        log = [_other_way(event) for event in log]
    sides = [{**side, "name": name} for side, name in zip(log[0]["sides"], names, strict=True)]
    return [{**log[0], "sides": sides}, *log[1:]]


def _other_way(event: Event) -> Event:
    """An event (or the header) with the sides' numbers swapped."""
    other = dict(event)
    if event["event"] == "battle":
        fighters = [{**fighter, "side": 1 - fighter["side"]} for fighter in event["fighters"]]
        return other | {"sides": event["sides"][::-1], "fighters": fighters}
    other |= {key: 1 - event[key] for key in ("side", "first", "winner") if key in event}
    if "vp" in event:
        other["vp"] = event["vp"][::-1]
    if event["event"] in ("zones", "starts"):
        other["rolls"] = [pair[::-1] for pair in event["rolls"]]
    if event["event"] == "over":
        other["result"] = 2 - event["result"]
    return other


def inches(length: float) -> str:
    """`5.2″`."""
    return plain(length, 1) + "\u2033"


def faces(dice: Sequence[int]) -> str:
    """`1 4 5 6`."""
    return " ".join(map(str, dice)) or "—"


def heading(number: int) -> str:
    """The title of a round; 0 is what comes before the first."""
    return _("Round {round}").format(round=number) if number else _("Preparation")


def squad(side: Event) -> str:
    """The name of a side's squad where the log gives one, else its key."""
    key: str = side["squad"]
    return named(side.get("name") or key[:1].upper() + key[1:], side.get("name_ru", ""))


def matchup(header: Event) -> str:
    """`line (A) against mirror (B), Pump House`."""
    a, b = map(squad, header["sides"])
    board = named(header["board"]["name"], header["board"].get("name_ru", ""))
    return _("{a} (A) against {b} (B), {board}").format(a=a, b=b, board=board)


def facts(header: Event) -> str:
    """`game 17, seed 1; A is played by tactician, B by rusher`."""
    bots = [side["bot"] for side in header["sides"]]
    text = _("game {game}, seed {seed}; A is played by {a}, B by {b}")
    return text.format(game=header["game"], seed=header["seed"], a=bots[0], b=bots[1])
