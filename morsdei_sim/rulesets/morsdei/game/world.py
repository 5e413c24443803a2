"""A battle as two records: what never changes while it is played (`WORLD`) and what does (`STATE`).

Fighters (E1-E2) are numbered through both squads: those of side 0 first, each card as often as it counts. `active`
is the active one, `ready` are those that have not activated yet (E3-E4). Names of the fields are the interface that
bots read; see docs/writing-a-bot.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from morsdei_sim.fight.solve import MAX_ANSWERS, MAX_LEADS
from morsdei_sim.rulesets.morsdei.game.events import LOG_COLUMNS
from morsdei_sim.rulesets.morsdei.game.ledger import FIRED, TALLIES
from morsdei_sim.rulesets.morsdei.game.paths import MOST_BENDS, NOWHERE, Ways
from morsdei_sim.rulesets.morsdei.game.places import Places
from morsdei_sim.rulesets.morsdei.game.records import CALLS, ITSELF, Layout, Owner
from morsdei_sim.rulesets.morsdei.game.terrain import Prisms
from morsdei_sim.rulesets.morsdei.rules import Rules

__all__ = ["FIGHTERS", "MOST", "STATE", "WORLD", "Battle", "new_state"]

MOST = 16
"""Fighters of one squad at most: dice are keyed by squad and number."""
FIGHTERS = 2 * MOST

POINTS = 6
"""Loot points at most (`board_file.MOST_LOOT`)."""

WEIGHTS = 32
"""Numbers of a bot at most."""

RANGED, PISTOL, BLADE = 0, 1, 2
"""Kinds of weapons."""

BY_ACTION, BY_OVERWATCH, BY_CONTRACT = 0, 1, 2
"""How a shot, an exchange or a movement comes about."""


WALKED_POINTS, WALKED_BY, WALKED_TO, WALKED_AS = 1, 2, 3, 4
"""Of the path drawn last: number of its points (0: there is none), fighter, place, kind of movement."""


class Battle(NamedTuple):
    """Numbers of the rulebook that only whole games use, beside their rule ids."""

    rounds: int = 4  # R1
    friendly_fire: int = 3  # F4 faces up to this one hit an ally
    contract_move: int = 3  # K3 inches
    loot_apl: int = 1  # A13
    loot_vp: int = 1  # L5
    most_vp: int = 3  # L7 of one side in one round


MAN = np.dtype(
    [
        (name, np.int64)
        for name in (
            "side",
            "key",  # names its dice: side and number in it, whatever the card
            "card",  # number of its card among all cards of the battle
            "base",  # number of its base size on the board
            "apl",
            "defence",
            "hp",
            "arms",  # how many weapons
        )
    ]
    + [("move", np.float64)]
)
"""C2 A fighter's card."""

ARM = np.dtype([(name, np.int64) for name in ("kind", "dice", "hit", "damage", "number")] + [("reach", np.float64)])
"""C2 A weapon; `number` counts through all weapons of the battle, `reach` is in inches."""

ROLL_KINDS = 8

_PLACES = dict.fromkeys(("x", "y", "z", "heights", "radius"), ("f8", 1)) | {
    "level": ("i8", 1), "stand": ("?", 2), "zone": ("i8", 2), "loot": ("i8", 2), "bare": ("?", 1),
}  # fmt: skip
_WAYS = dict.fromkeys(("length", "via", "entry", "next"), ("u2", 3)) | {
    "node_x": ("f8", 2), "node_y": ("f8", 2), "node_z": ("f8", 2), "near_first": ("i8", 2), "near": ("u2", 2),
    "radius": ("f8", 2),
}  # fmt: skip
_TERRAIN = dict.fromkeys(("x", "y", "normal_x", "normal_y", "offset", "low", "high"), ("f8", 1)) | {
    "first": ("i8", 1), "frame": ("f8", 2), "flags": ("i8", 1), "piece": ("i8", 1),
}  # fmt: skip

WORLD = Layout(
    [
        ("fighters", np.int64),
        ("places", np.int64),
        ("sizes", np.int64),  # of bases
        ("points", np.int64),  # of loot
        ("rules", [(name, np.int64) for name in Rules._fields]),
        ("battle", [(name, np.int64) for name in Battle._fields]),
        ("calls", np.int64, (len(CALLS),)),  # where every `procedure` lies
        ("bots", np.int64, (2,)),  # [side] where its function lies
        ("weights", np.float64, (2, WEIGHTS)),  # [side, number] what its bot goes by
        ("habits", np.int64, (2,)),  # [side] how it plays exchanges (J10, J11)
    ],
    {
        "inner": (ITSELF, 1),  # the same battle with both sides played by the bot that a look ahead supposes
        "men": (MAN, 1),
        "arms": (ARM, 2),  # [fighter, weapon]
        "sight": ("u1", 2),  # tables of the board as in `Prepared`
        "marker": ("u2", 2),
        "marker_at": ("f8", 2),
        "body": ("f8", 1),
        "contact": ("u2", 2),
        **{f"where_{name}": kind for name, kind in _PLACES.items()},
        **{f"ways_{name}": kind for name, kind in _WAYS.items()},
        **{f"terrain_{name}": kind for name, kind in _TERRAIN.items()},
        "to_loot": ("u2", 3),  # [base size, place, point] length of the way to where the point can be looted
        "zones": ("i8", 3),  # [base size, zone, n] places of the zones
        "zone_places": ("i8", 2),  # [base size, zone] how many
        # exchanges.py: every `melee.Side` that can be needed, padded to the largest; number[dice, hit, kill] finds it
        "pool_number": ("i8", 3),
        "pool_tracks": ("i8", 1),
        "pool_empties": ("i8", 1),
        "pool_held": ("i8", 2),
        "pool_blows": ("i8", 2),
        "pool_spend": ("i8", 3),
        "pool_strike": ("i8", 3),
        "pool_start": ("i8", 2),
        "pool_below": ("i8", 4),
        "prone_plan": ("i1", 7),  # [weapon, card, cover, whether free, hits needed - 1, normals, crits] J6
        # expect.py: chances in billionths
        "shot_hits": ("i8", 5),  # [weapon, card, situation, hits needed - 1, hits left]
        "blows": ("i8", 7),  # [initiator's weapon, situation, enemy's weapon, need - 1, enemy's need - 1, side, blows]
    },
)

STATE = Layout(
    [
        ("seed", np.uint64),
        ("game", np.int64),
        ("bot_seed", np.uint64),  # of the bots' own dice
        ("round", np.int64),  # 0 before the first
        ("first", np.int64),  # side that started the round
        ("turn", np.int64),  # side on turn
        ("active", np.int64),  # fighter that acts, -1 between activations
        ("mode", np.int64),  # BY_ACTION or BY_CONTRACT
        ("apl", np.int64),  # points left
        ("aim", np.int64),  # weapon aimed, -1 without
        ("used", np.int64),  # once-only actions done, as bits
        ("winner", np.int64),  # 1 + the side that wiped the other out
        ("ended", np.int64),
        ("faults", np.int64),  # answers of bots that the rules forbid
        ("decisions", np.int64),  # asked for, in this game
        ("against", np.int64),  # of the hook ARM: the exchange declared, `option(MELEE, weapon, initiator)`
        ("zone", np.int64, (2,)),  # of each side
        ("vp", np.int64, (2,)),
        ("vp_round", np.int64, (2,)),
        ("lead", np.int64, (2,)),  # side that led last (VP): 1 + side, 0 nobody; times the lead changed
        ("at", np.int64, (FIGHTERS,)),  # place, -1 when not on the board
        ("hp", np.int64, (FIGHTERS,)),
        ("ready", np.int64, (FIGHTERS,)),
        ("contracted", np.int64, (FIGHTERS,)),
        ("prone", np.int64, (FIGHTERS,)),
        ("watch", np.int64, (FIGHTERS,)),  # weapon of the Overwatch marker, -1 without
        ("looted", np.int64, (POINTS, 2)),  # [point, side]
        ("rolls", np.int64, (FIGHTERS, ROLL_KINDS)),  # made in this round
        ("tally", np.int64, (FIGHTERS, len(TALLIES))),
        ("events", np.int64),  # logged
    ],
    {
        "spare": (ITSELF, 1),  # for a look ahead: a copy of the battle, with room of its own
        "options": ("i8", 2),  # [n, 3] what may be chosen
        "found": ("i8", 1),  # places
        "foes_at": ("i8", 1),  # for bots: places of enemies
        "looked_at": ("i8", 1),  # for bots: places to be weighed
        "room": ("f8", 2),  # for bots, [fighter, number]
        "room_too": ("f8", 2),
        "path": ("f8", 2),
        "second": ("f8", 2),
        "foes": ("f8", 2),
        "walked": ("i8", 1),  # `path`: its length, thousandths of an inch, and the columns WALKED_…
        "drawn_at": ("i8", 1),  # `at` when it was drawn
        "menu_lead": ("i8", 1),
        "menu_end": ("i8", 1),
        "menu_answer": ("i8", 1),
        "menu_next": ("i8", 1),
        "held": ("i8", 2),
        "dealt": ("i8", 2),
        "spend": ("i8", 3),
        "strike": ("i8", 3),
        "log": ("i8", 2),  # [event, column]; no rows: nothing is kept
        "fired": ("i8", 1),  # how often each of `ledger.FIRED` happened, over all games of this state
    },
)

WORLD_TYPE, STATE_TYPE = numba.from_dtype(WORLD.dtype), numba.from_dtype(STATE.dtype)
BOT_ARGUMENTS = (WORLD_TYPE, STATE_TYPE, numba.types.int64, numba.types.int64)
"""Types of what every bot is asked with: world, state, hook, who."""


def new_state(world: Owner, seed: int, events: int = 0, spare: bool = True) -> Owner:
    """Room for a battle; `events` rows of log; with a spare for a look ahead."""
    state = Owner(STATE)
    tracks, places = world.arrays["pool_held"].shape[1], (int(world.records["places"][0]),)
    shapes: dict[str, tuple[int, ...]] = {
        "options": (4 * FIGHTERS * 8, 3), "found": places, "foes_at": (FIGHTERS,), "looked_at": places,
        "room": (FIGHTERS + 1, 64), "room_too": (FIGHTERS + 1, 64),
        "path": (2 * MOST_BENDS, 3), "second": (MOST_BENDS, 3),
        "foes": (FIGHTERS, 5), "walked": (5,), "drawn_at": (FIGHTERS,),
        "menu_lead": (MAX_LEADS,), "menu_end": (MAX_LEADS,), "menu_answer": (MAX_ANSWERS,),
        "menu_next": (MAX_ANSWERS,), "held": (2, tracks), "dealt": (2, tracks), "spend": (2, tracks, 7),
        "strike": (2, tracks, 7), "log": (events, LOG_COLUMNS), "fired": (len(FIRED),),
    }  # fmt: skip
    for name, shape in shapes.items():
        state.put(name, np.zeros(shape, np.dtype(STATE.tables[name][0])))
    if spare:
        state.other = new_state(world, seed, spare=False)
        state.put("spare", state.other.records)
    state.records["seed"], state.records["bot_seed"] = np.uint64(seed), np.uint64(seed) ^ np.uint64(BOTS_SEED)
    return state


BOTS_SEED = 0x9E3779B97F4A7C15
"""What tells the bots' dice from those of the game."""


def board_tables(world: Owner, board: Any) -> None:
    """Everything that a prepared board knows."""
    record = world.records
    record["places"], record["sizes"] = len(board.where.x), len(board.bases)
    record["points"] = len(board.view.loot)
    for name, values in Places(*board.where)._asdict().items():
        world.put(f"where_{name}", values)
    for name, values in Prisms(*board.terrain)._asdict().items():
        world.put(f"terrain_{name}", values)
    for name in Ways._fields:
        world.put(f"ways_{name}", stacked([getattr(one, name) for one in board.ways]))
    world.put("sight", board.view.sight)
    world.put("marker", board.view.marker)
    world.put("marker_at", board.view.loot)
    world.put("body", board.view.body)
    world.put("contact", board.contact)
    zones = [[np.flatnonzero(board.where.zone[base] == zone) for zone in (0, 1)] for base in range(len(board.bases))]
    world.put("to_loot", stacked([_to_loot(board, base) for base in range(len(board.bases))]))
    world.put("zones", stacked([stacked(row) for row in zones]))
    world.put("zone_places", [[len(one) for one in row] for row in zones])


def _to_loot(board: Any, base: int) -> Any:
    """Length of the shortest way from each place to one where a base can loot a point, terrain alone considered."""
    found = np.full((len(board.where.x), len(board.view.loot)), NOWHERE, np.uint16)
    for point in range(len(board.view.loot)):
        there = (board.where.loot[base] >> point & 1 == 1) & board.where.stand[base] & (board.view.marker[point] != 0)
        if there.any():
            found[:, point] = board.ways[base].length[:, there].min(axis=1)
    return found


def stacked(arrays: list[Any]) -> Any:
    """Arrays of one kind on top of each other, padded with zeros to the largest."""
    if len(arrays) == 1:
        return arrays[0][None]
    shape = [max(one.shape[axis] for one in arrays) for axis in range(arrays[0].ndim)]
    table = np.zeros((len(arrays), *shape), arrays[0].dtype)
    for i, one in enumerate(arrays):
        table[i][tuple(map(slice, one.shape))] = one
    return table
