"""Logs of battles as text: JSON Lines out, and in again from files that may come from anywhere.

What comes in is untrusted: its size is bounded, every line must be an object of a known kind with all its fields, and
every field must hold what it may. Whether the battle keeps to the rules is another question (the referee's, in tests).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.game.boards import KINDS
from morsdei_sim.rulesets.morsdei.game.world import FIGHTERS, Battle
from morsdei_sim.rulesets.morsdei.rules import Rules

__all__ = ["SCHEMA_VERSION", "lines", "read_lines"]

SCHEMA_VERSION = 1

MOST_SIGNS = 16_000_000
MOST_LINES = 50_000
MOST_ITEMS = 1_000
"""Of one list or one text."""

Log = list[dict[str, Any]]


def lines(log: Iterable[dict[str, Any]]) -> str:
    """The log as JSON Lines: the same text for the same battle."""
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n" for row in log)


# ── what a line may hold ──────────────────────────────────────────────────────────────────────────────────────────────
#
# Fields and kinds of values, one word each: i whole number, n number, b 0 or 1, d face of a die, s text, f fighter,
# t true or false, [x] a list of x, [x2] one of 2, [x+] one of 1 or more, ?x x or null, a capital: a record below.

RECORDS = {
    "S": "side b lead s face d answer ?s with ?d",
    "W": "name s name_ru s type s dice i hit d damage i reach ?n",
    "F": "fighter i side b card s name s name_ru s base n apl i move n defence i hp i weapons [W+]",
    "P": "kind s outline [[n2]+] base n height n climb t stand t name s",
    "B": "name s name_ru s width n depth n pieces [P] loot [[n2]] zones [[n4]2]",
    "Y": "eye n heart n foot n knee n top n radius n",
    "Q": "squad s bot s",
    "R": " ".join(f"{name} i" for name in (*Rules._fields, *Battle._fields)),
}
HEADER = "event s schema_version i ruleset s seed i game i board B body Y rules R sides [Q2] fighters [F]"

EVENTS = {
    "zones": "winner b zone b rolls [[d2]+]",
    "set-up": "fighter f at [n3]",
    "starts": "winner b first b rolls [[d2]+]",
    "round": "first b",
    "activated": "fighter f apl i debt b watch b",
    "moved": "fighter f action s path [[n3]+] length n",
    "aimed": "fighter f weapon i",
    "watches": "fighter f weapon i",
    "looted": "fighter f point i vp [i2]",
    "shot": "fighter f how s weapon i declared f allies [f] redirect ?d target f cover b aimed b in_contact b injured "
    "b hit d attack [d] normals i crits i prone b goes_prone b defence [d] saves i crit_saves i hits_left i damage i "
    "hp i expected n",
    "exchange": "fighter f how s weapon i enemy f enemy_weapon ?i hits [?d2] rolls [[d]2] pools [[d]2] steps [S] "
    "damage [i2] hp [i2] expected [n2]",
    "marker-lost": "fighter f",
    "removed": "fighter f by f",
    "finished": "fighter f",
    "reaction": "side b candidates [f] chosen ?f",
    "contract": "side b candidates [f] chosen ?f",
    "over": "result i wiped_out b vp [i2] faults i",
}
WORDS = {
    "how": ("action", "overwatch", "contract"),
    "action": ("move", "fall-back", "contract"),
    "lead": ("attack", "guard"),
    "answer": ("take", "parry"),
    "type": ("ranged", "pistol", "melee"),
    "kind": KINDS,
}
"""Fields that hold one of a few words."""


def _whole(value: Any, low: int = -(2**63), high: int = 2**64) -> bool:
    return type(value) is int and low <= value < high


def _number(value: Any) -> bool:
    """Neither endless nor NaN, which compares as false."""
    return type(value) in (int, float) and abs(value) < 2**64


def _text(value: Any) -> bool:
    """Half a character pair, which JSON can hold, could be neither shown nor written."""
    return type(value) is str and len(value) <= MOST_ITEMS and not any("\ud800" <= sign <= "\udfff" for sign in value)


SIMPLE: dict[str, Callable[[Any], bool]] = {
    "i": _whole,
    "n": _number,
    "b": lambda value: _whole(value, 0, 2),
    "d": lambda value: _whole(value, 1, 7),
    "t": lambda value: type(value) is bool,
    "s": _text,
}


class _Reader:
    """Knows who fights with what, and complains with the number of the line."""

    def __init__(self) -> None:
        self.weapons: list[int] = []
        self.points = self.line = 0

    def fail(self, message: str) -> UserError:
        return UserError(_("line {line} of the log: {message}").format(line=self.line, message=message))

    def record(self, row: Any, spec: str) -> None:
        """Exactly the fields of a specification, each with what it may hold."""
        words = spec.split()
        fields = dict(zip(words[::2], words[1::2], strict=True))
        if type(row) is not dict or row.keys() != fields.keys():
            raise self.fail(_("these fields are expected: {fields}").format(fields=", ".join(fields)))
        for name, kind in fields.items():
            value = row[name]
            unknown = name in WORDS and value is not None and value not in WORDS[name]
            if unknown or not self.fits(value, kind):
                shown = "[…]" if type(value) in (list, dict) else json.dumps(value)[:60]
                raise self.fail(_("{field} cannot be {value}").format(field=name, value=shown))

    def fits(self, value: Any, kind: str) -> bool:
        """Whether a value is of a kind."""
        if kind[0] == "?":
            return value is None or self.fits(value, kind[1:])
        if kind[0] == "[":
            return self.fits_list(value, kind[1:-1])
        if kind in RECORDS:
            self.record(value, RECORDS[kind])
            return True
        return _whole(value, 0, len(self.weapons)) if kind == "f" else SIMPLE[kind](value)

    def fits_list(self, value: Any, kind: str) -> bool:
        """Whether it is a list of so many of a kind; the kind may end in the number."""
        low, high = 0, MOST_ITEMS
        if kind[-1] == "+":
            low, kind = 1, kind[:-1]
        elif kind[-1].isdigit():
            low, high, kind = int(kind[-1]), int(kind[-1]), kind[:-1]
        return type(value) is list and low <= len(value) <= high and all(self.fits(one, kind) for one in value)

    def header(self, row: Any) -> None:
        """The first line."""
        if type(row) is not dict or row.get("event") != "battle":
            raise self.fail(_("a log begins with the line of the battle"))
        if row.get("schema_version") != SCHEMA_VERSION or row.get("ruleset") != "morsdei":
            message = _("a battle of morsdei with schema_version {version} is expected")
            raise self.fail(message.format(version=SCHEMA_VERSION))
        self.record(row, HEADER)
        fighters = row["fighters"]
        sides = [one["side"] for one in fighters]
        numbered = [one["fighter"] for one in fighters] == list(range(len(fighters)))
        if not numbered or len(fighters) > FIGHTERS or set(sides) != {0, 1} or sides != sorted(sides):
            raise self.fail(_("the fighters are not numbered through both sides"))
        self.weapons, self.points = [len(one["weapons"]) for one in fighters], len(row["board"]["loot"])

    def event(self, row: Any, number: int) -> None:
        """Any other line."""
        kind = row.get("event") if type(row) is dict else None
        if type(kind) is not str or kind not in EVENTS:
            raise self.fail(_("there is no such event"))
        self.record(row, f"n i event s round i {EVENTS[kind]}")
        if row["n"] != number:
            raise self.fail(_("the events are not numbered one after another"))
        for who, name in (("fighter", "weapon"), ("enemy", "enemy_weapon")):
            if row.get(name) is not None and not 0 <= row[name] < self.weapons[row[who]]:
                raise self.fail(_("{field} cannot be {value}").format(field=name, value=row[name]))
        if not 0 <= row.get("point", 0) < max(1, self.points):
            raise self.fail(_("{field} cannot be {value}").format(field="point", value=row["point"]))


def read_lines(text: str) -> Log:
    """The log in a text of JSON Lines.

    Raises
    ------
    UserError : too large, no JSON, or no log of a battle; the message names the line.
    """
    if len(text) > MOST_SIGNS or text.count("\n") > MOST_LINES:
        message = _("the log is too large: at most {signs} characters and {lines} lines are read")
        raise UserError(message.format(signs=MOST_SIGNS, lines=MOST_LINES))
    reader = _Reader()
    log: Log = []
    for line in text.removeprefix("\ufeff").split("\n"):
        reader.line += 1
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as fault:
            raise reader.fail(_("this is no JSON")) from fault
        if log:
            reader.event(row, len(log) - 1)
        else:
            reader.header(row)
        log.append(row)
    if not log:
        raise UserError(_("the log is empty"))
    return log
