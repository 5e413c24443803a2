"""The form of a log: which keys each event has and what may stand there; and the one way to object, `Foul`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

LEADS, ANSWERS = ("attack", "guard"), ("take", "parry", None)
PIECES = ("impassable", "climbable", "platform", "low", "door-open", "door-closed")

RULES = (
    "D8 D17 E6 G5 G6 G7 Q6 Q7 R1 R2 R3 R4 R5 R6 R9 A2 A4 A6 A7 A16 "
    "M1 M3 M4 M5 M6 M8 M10 M12 M13 M14 M16 M18 M19 M20 M21 M22 M23 M24 M25 T5 "
    "V2 V5 V6 V9 S1 S3 S6 S7 S8 S13 S14 S17 S19 S20 S21 S22 F2 F3 F4 F5 F6 F7 F8 O1 O2 O5 O7 O8 O9 O10 O11 O12 "
    "P1 P2 P3 P4 P5 P6 K1 K2 K3 K4 K5 K8 K9 B2 B3 B4 B10 B11 B13 B14 B15 B16 B17 B19 B20 B21 B22 B23 "
    "H1 H2 H3 H6 H7 L2 L3 L4 L5 L6 L7 W1 W2"
).split() + [
    f"RULING {number}"
    for number in (2, 3, 5, 6, 17, 19, 23, 24, 25, 27, 28, 32, 34, 36, 38, 40, 46, 47, 49, 51, 52, 53, 55, 58)
]
"""Everything that the referee can count as exercised; which of them a set of battles never met can so be listed."""


class Foul(Exception):
    """The log breaks a rule: `rules` are ids of the atlas, `number` is that of the event (-1: the header)."""

    def __init__(self, rules: str, number: int, sentence: str) -> None:
        super().__init__(f"event {number}: {rules}: {sentence}")
        self.rules, self.number, self.sentence = tuple(rules.replace("RULING ", "RULING_").split()), number, sentence
        self.rules = tuple(rule.replace("RULING_", "RULING ") for rule in self.rules)


def whole(value: Any) -> bool:
    return type(value) is int  # True and False are of another type


def number(value: Any) -> bool:
    return type(value) is int or (isinstance(value, float) and math.isfinite(value))


def count(value: Any) -> bool:
    return type(value) is int and value >= 0


def flag(value: Any) -> bool:
    return type(value) is int and 0 <= value <= 1


def face(value: Any) -> bool:
    return type(value) is int and 1 <= value <= 6


def text(value: Any) -> bool:
    return isinstance(value, str)


def one_of(*words: Any) -> Callable[[Any], bool]:
    return lambda value: (value is None or isinstance(value, str)) and value in words


def maybe(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


def row_of(check: Callable[[Any], bool], length: int | None = None) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and (length is None or len(value) == length) and all(map(check, value))


def record(keys: dict[str, Callable[[Any], bool]]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == keys.keys()
        and all(check(value[key]) for key, check in keys.items())
    )


ROLLS = row_of(row_of(face, 2))
POINT = row_of(number, 3)
FLAT = row_of(number, 2)
PAIR = row_of(whole, 2)
STEP = record({"side": flag, "lead": one_of(*LEADS), "face": face, "answer": one_of(*ANSWERS), "with": maybe(face)})

EVENTS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "zones": {"winner": flag, "zone": flag, "rolls": ROLLS},
    "set-up": {"fighter": count, "at": POINT},
    "starts": {"winner": flag, "first": flag, "rolls": ROLLS},
    "round": {"first": flag},
    "activated": {"fighter": count, "apl": count, "debt": flag, "watch": flag},
    "moved": {
        "fighter": count, "action": one_of("move", "fall-back", "contract"), "path": row_of(POINT), "length": number,
    },
    "aimed": {"fighter": count, "weapon": count},
    "watches": {"fighter": count, "weapon": count},
    "looted": {"fighter": count, "point": count, "vp": PAIR},
    "shot": {
        "fighter": count, "how": one_of("action", "overwatch", "contract"), "weapon": count, "declared": count,
        "allies": row_of(count), "redirect": maybe(face), "target": count, "cover": flag, "aimed": flag,
        "in_contact": flag, "injured": flag, "hit": count, "attack": row_of(face), "normals": count, "crits": count,
        "prone": flag, "goes_prone": flag, "defence": row_of(face), "saves": count, "crit_saves": count,
        "hits_left": count, "damage": count, "hp": whole, "expected": number,
    },
    "exchange": {
        "fighter": count, "how": one_of("action", "contract"), "weapon": count, "enemy": count,
        "enemy_weapon": maybe(count), "hits": row_of(maybe(whole), 2), "rolls": row_of(row_of(face), 2),
        "pools": row_of(row_of(face), 2), "steps": row_of(STEP), "damage": PAIR, "hp": PAIR,
        "expected": row_of(number, 2),
    },
    "marker-lost": {"fighter": count},
    "removed": {"fighter": count, "by": count},
    "finished": {"fighter": count},
    "reaction": {"side": flag, "candidates": row_of(count), "chosen": maybe(count)},
    "contract": {"side": flag, "candidates": row_of(count), "chosen": maybe(count)},
    "over": {"result": whole, "wiped_out": flag, "vp": PAIR, "faults": count},
}  # fmt: skip
"""What each event holds beside n, event and round."""

WHOLE_EVENTS = {name: {"n": count, "event": text, "round": count, **keys} for name, keys in EVENTS.items()}
"""The same with them."""

NUMBERS = (
    "best_hit worst_hit save crit_save_normals cover_dice prone_dice injury_dice injury_ratio aim overwatch contract "
    "pistol_in_contact pistol_range guard may_pass prone_debt max_apl fall_back_apl contact_reach "
    "rounds friendly_fire contract_move loot_apl loot_vp most_vp"
).split()
"""Numbers of the rules that the referee knows; another one would be a rule that it does not apply."""

WEAPON = {
    "name": text, "name_ru": text, "type": one_of("ranged", "pistol", "melee"), "dice": count,
    "hit": lambda value: whole(value) and 2 <= value <= 6, "damage": count, "reach": maybe(number),
}  # fmt: skip
FIGHTER = {
    "fighter": count, "side": flag, "card": text, "name": text, "name_ru": text,
    "base": lambda value: number(value) and value > 0, "apl": lambda value: whole(value) and 0 <= value <= 4,
    "move": lambda value: number(value) and value > 0, "defence": count, "hp": lambda value: whole(value) and value > 0,
    "weapons": row_of(record(WEAPON)),
}  # fmt: skip
PIECE = {
    "kind": one_of(*PIECES), "outline": row_of(FLAT), "base": number, "height": number,
    "climb": lambda value: isinstance(value, bool) or flag(value),
    "stand": lambda value: isinstance(value, bool) or flag(value), "name": text,
}  # fmt: skip
BOARD = {
    "name": text, "name_ru": text, "width": number, "depth": number, "pieces": row_of(record(PIECE)),
    "loot": row_of(FLAT), "zones": row_of(row_of(number, 4), 2),
}  # fmt: skip
HEADER = {
    "event": one_of("battle"), "schema_version": lambda value: value == 1, "ruleset": one_of("morsdei"),
    "seed": whole, "game": count, "board": record(BOARD),
    "body": record(dict.fromkeys(("eye", "heart", "foot", "knee", "top", "radius"), number)),
    "rules": record(dict.fromkeys(NUMBERS, number)), "sides": row_of(record({"squad": text, "bot": text}), 2),
    "fighters": row_of(record(FIGHTER)),
}  # fmt: skip


def check_keys(row: Any, keys: dict[str, Callable[[Any], bool]], at: int) -> None:
    """Every key there, none besides, each holding what it may."""
    if not isinstance(row, dict):
        raise Foul("FORM", at, f"not an object: {row!r}")
    if row.keys() != keys.keys():
        missing, extra = sorted(keys.keys() - row.keys()), sorted(row.keys() - keys.keys())
        raise Foul("FORM", at, f"{row.get('event')!r} lacks {missing} and has unknown {extra}")
    for key, check in keys.items():
        if not check(row[key]):
            raise Foul("FORM", at, f"{key} cannot be {row[key]!r}"[:400])


def check_header(header: Any) -> None:
    """The first line (RULINGS 5, 7, 12)."""
    check_keys(header, HEADER, -1)
    fighters = header["fighters"]
    if [man["fighter"] for man in fighters] != list(range(len(fighters))):
        raise Foul("FORM", -1, "fighters are not numbered 0, 1, …")
    sides = [man["side"] for man in fighters]
    if sides != sorted(sides) or set(sides) != {0, 1}:
        raise Foul("FORM", -1, f"side 0 comes first and each side has fighters, not {sides}")
    body = min(0.35, min(man["base"] for man in fighters) / 50.8)
    if abs(header["body"]["radius"] - body) > 1e-3:
        raise Foul("RULING 12", -1, f"the radius of a body is {body:.4f}, not {header['body']['radius']}")
    if len(header["board"]["loot"]) != 3:
        raise Foul("G4", -1, f"three loot points, not {len(header['board']['loot'])}")


def check_event(row: Any, at: int) -> None:
    """One event: its form and its number."""
    if not isinstance(row, dict) or row.get("event") not in EVENTS:
        raise Foul("FORM", at, f"no such event: {row.get('event') if isinstance(row, dict) else row!r}")
    check_keys(row, WHOLE_EVENTS[row["event"]], at)
    if row["n"] != at:
        raise Foul("FORM", at, f"numbered {row['n']}")
