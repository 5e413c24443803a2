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

FIRED = (
    "D17 a tie is thrown again", "A2 the stock of points is clamped or lowered", "P3 the Prone debt is paid",
    "P6 no points are left by the debt", "M12 a Move enters contact", "M24 Fall Back", "K4 a Contract moves",
    "K3 a Contract shoots", "K3 a Contract fights", "K8 a Contract is passed", "S1 an aimed shot",
    "S7 a pistol is fired in contact", "V9 a target in cover", "P1 a target goes prone",
    "P4 a target was prone already", "H3 an Injured fighter attacks", "F3 shot at a melee, nobody may be hit",
    "F4 friendly fire is rolled", "F4 an ally is hit", "F5 one of several allies", "H7 the active fighter is removed",
    "H6 a fighter is removed", "H8 a side is wiped out", "O2 Overwatch fires", "O9 several watchers, one fires",
    "O11 an unused marker is removed", "O12 contact removes a marker", "R4 a marker outlives its round",
    "R9 a reaction after the last activation of a round", "L5 Loot",
    "L6 both sides loot a point", "B2 one of several enemies is fought", "W2 a draw",
)  # fmt: skip
"""Rules that do not always matter; how often each did is counted."""
F = {name: number for number, name in enumerate(FIRED)}
