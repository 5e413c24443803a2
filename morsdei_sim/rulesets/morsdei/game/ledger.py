"""What is written down while a battle is played: events of the log, rules that mattered, tallies."""

from __future__ import annotations

from morsdei_sim._jit import inline
from morsdei_sim.rulesets.morsdei.game.records import table

TALLIES = (
    "damage", "taken", "friendly", "wasted", "kills", "loot", "rounds", "activations", "moves", "walked", "shots",
    "open_near", "open_far", "cover_near", "cover_far", "reactions", "contracts", "aims", "watches", "falls_back",
    "melees", "exposed", "expected", "expected_taken",
)  # fmt: skip
"""What is counted for each fighter: HP taken off enemies, HP lost, HP taken off friends, damage beyond the HP left;
enemies removed; VP; rounds alive at their end; actions. `walked` counts thousandths of an inch; `open_near` … count
shots by cover and by whether the gap is at most 10 inches; `expected` and `expected_taken` count millionths of an HP:
what its declared attacks, and those declared at it, take off on average."""
TALLY = {name: number for number, name in enumerate(TALLIES)}

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

# Places in the tally and in `fired`, as plain numbers for Numba.
T_DAMAGE, T_TAKEN, T_FRIENDLY, T_WASTED = TALLY["damage"], TALLY["taken"], TALLY["friendly"], TALLY["wasted"]
T_KILLS, T_LOOT, T_ROUNDS, T_ACTIVATIONS = TALLY["kills"], TALLY["loot"], TALLY["rounds"], TALLY["activations"]
T_MOVES, T_WALKED, T_SHOTS, T_OPEN_NEAR = TALLY["moves"], TALLY["walked"], TALLY["shots"], TALLY["open_near"]
T_REACTIONS, T_CONTRACTS, T_AIMS, T_WATCHES = (
    TALLY["reactions"], TALLY["contracts"], TALLY["aims"], TALLY["watches"],
)  # fmt: skip
T_FALLS_BACK, T_MELEES, T_EXPOSED = TALLY["falls_back"], TALLY["melees"], TALLY["exposed"]
T_EXPECTED, T_EXPECTED_TAKEN = TALLY["expected"], TALLY["expected_taken"]
(
    F_TIE, F_CLAMP, F_DEBT, F_NO_POINTS, F_ENTERS, F_FALL_BACK, F_C_MOVE, F_C_SHOOT, F_C_MELEE, F_C_PASS, F_AIMED,
    F_PISTOL, F_COVER, F_PRONE, F_WAS_PRONE, F_INJURED, F_NOBODY, F_ROLLED, F_ALLY, F_SEVERAL, F_ACTIVE_DIES,
    F_REMOVED, F_WIPED_OUT, F_OVERWATCH, F_WATCHERS, F_UNUSED, F_LOST, F_OUTLIVES, F_LAST, F_LOOT, F_BOTH,
    F_ONE_OF, F_DRAW,
) = range(len(FIRED))  # fmt: skip


@inline
def fire(state, rule):
    """Count that a rule mattered."""
    table(state, "fired")[rule] += 1


@inline
def note(state, event, who):
    """Begin an event of the log; its row, or one behind the last when there is no room (see `put`)."""
    row = state.events
    state.events += 1
    log = table(state, "log")
    if row < len(log):
        log[row, 0], log[row, 1], log[row, 2] = event, state.round, who
    return row


@inline
def put(state, row, column, value):
    """Write one number of an event."""
    log = table(state, "log")
    if row < len(log):
        log[row, 3 + column] = value
