"""Kinds of events in the log of a battle, and what its numbers mean: a row is (kind, round, fighter, then these)."""

from __future__ import annotations

ZONES, SET_UP, STARTS, ROUND, ACTIVATED, MOVED, SHOT, EXCHANGE, LOOTED, AIMED, WATCHES, MARKER_LOST = range(12)
REMOVED, FINISHED, REACTION, CONTRACT, OVER, POINT = range(12, 18)

COLUMNS: dict[int, tuple[str, tuple[str, ...]]] = {
    ZONES: ("zones", ("winner", "zone", "throws")),
    SET_UP: ("set-up", ("place",)),
    STARTS: ("starts", ("winner", "first", "throws")),
    ROUND: ("round", ("first",)),
    ACTIVATED: ("activated", ("apl", "debt", "watch")),
    MOVED: ("moved", ("place", "action", "points", "length")),
    SHOT: (
        "shot",
        ("weapon", "declared", "allies", "target", "how", "roll", "cover", "aimed", "in_contact", "injured", "prone",
         "goes_prone", "hits_left", "damage", "hp", "expected"),
    ),
    EXCHANGE: (
        "exchange",
        ("weapon", "enemy", "enemy_weapon", "how", "roll", "hp", "enemy_hp", "taken", "dealt", "expected_taken",
         "expected"),
    ),
    LOOTED: ("looted", ("point", "vp_0", "vp_1")),
    AIMED: ("aimed", ("weapon",)),
    WATCHES: ("watches", ("weapon",)),
    MARKER_LOST: ("marker-lost", ()),
    REMOVED: ("removed", ("by",)),
    FINISHED: ("finished", ()),
    REACTION: ("reaction", ("side", "candidates", "chosen")),
    CONTRACT: ("contract", ("side", "candidates", "chosen")),
    OVER: ("over", ("result", "wiped_out", "vp_0", "vp_1", "faults")),
    POINT: ("point", ("x", "y", "z")),
}  # fmt: skip
"""Name of each kind and of its numbers, in order. `allies` and `candidates` are bits by fighter, `roll` is the number
of the roll among its kind in the round, `hp` and `enemy_hp` are those before. Rows of kind POINT follow a MOVED, in
millionths of an inch."""

LOG_COLUMNS = 3 + max(len(names) for _name, names in COLUMNS.values())
