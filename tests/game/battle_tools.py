"""Battles for tests: boards and worlds made once, bots that answer from lists, games told and stepped turn by turn."""

from __future__ import annotations

from functools import cache

import numpy as np
from small_board import INCH, Table, block, open_board

from morsdei_sim._jit import kernel
from morsdei_sim.rulesets.morsdei.cards import Fighter
from morsdei_sim.rulesets.morsdei.game import battle, legal
from morsdei_sim.rulesets.morsdei.game import chronicle as tale
from morsdei_sim.rulesets.morsdei.game import events as ev
from morsdei_sim.rulesets.morsdei.game.boards import Board, board
from morsdei_sim.rulesets.morsdei.game.bots import Player, player
from morsdei_sim.rulesets.morsdei.game.hooks import (
    ACT,
    ACTIVATE,
    ARM,
    CONTRACT,
    NEXT,
    PLACE,
    REACT,
    STARTS,
    ZONE,
    left_to_set_up,
)
from morsdei_sim.rulesets.morsdei.game.legal import END, MOVE, option
from morsdei_sim.rulesets.morsdei.game.prepared import prepare
from morsdei_sim.rulesets.morsdei.game.records import table
from morsdei_sim.rulesets.morsdei.game.setting import crew
from morsdei_sim.rulesets.morsdei.game.world import BY_ACTION, BY_CONTRACT, STATE, Battle, new_state
from morsdei_sim.rulesets.morsdei.game.worlds import new_world
from morsdei_sim.rulesets.morsdei.rules import PRINTED

NEVER = float("inf")
"""A price at which nobody goes prone."""

ROOM = 4000
"""Rows of log: more than any battle here needs."""

# ── cards and boards ──────────────────────────────────────────────────────────────────────────────────────────────────


def arm(kind, dice=4, hit=4, damage=1, **more):
    """A weapon; its damage is small, so that nobody falls unless a test wants it."""
    return {"name": kind, "type": kind, "dice": dice, "hit": hit, "damage": damage, **more}


RIFLE, PISTOL, BLADE = 0, 1, 2
"""Weapons of a `soldier`."""


def soldier(count=1, *, weapons=None, **more):
    """A fighter on a base of one inch, hard to kill."""
    arms = weapons or [arm("ranged"), arm("pistol"), arm("melee")]
    card = {"name": "Soldier", "move": 6, "defence": 3, "hp": 20, "apl": 2, "base": INCH, "count": count}
    return Fighter.model_validate({**card, "weapon": arms, **more})


@cache
def read(name):
    """A squad that comes along, read once."""
    return crew(name, PRINTED).cards


def squad(name):
    """The cards of a squad that comes along."""
    return list(read(name))


@cache
def plain(width=24, depth=12, *pieces, loot=None, **options):
    """A table with pieces; its two halves are the zones, its loot points lie on the line between them."""
    points = loot or tuple((width * k / 4, depth / 2) for k in (1, 2, 3))
    return Table(open_board(width, depth, pieces, points), **options)


BASES = (28.0, 32.0, 40.0)
SQUADS = ("line", "cleavers", "scavengers", "bulwark", "mirror")


@cache
def ground(name):
    """A board that comes along, for every base of the demonstration squads."""
    return prepare(board(name), BASES)


@cache
def arena(walls=True):
    """16 x 12 inches, on which everybody meets at once: the board equals itself after a half turn."""
    pieces = [block("low", 6, 5.6, 4, 0.8, 0.8, stand=True), block("climbable", 1, 5, 2, 2, 2.0),
              block("climbable", 13, 5, 2, 2, 2.0)] if walls else []  # fmt: skip
    zones = ((0.0, 0.0, 16.0, 4.0), (0.0, 8.0, 16.0, 12.0))
    name = "arena" if walls else "empty arena"
    return prepare(Board(name, name, 16.0, 12.0, tuple(pieces), ((4.0, 6.0), (8.0, 6.0), (12.0, 6.0)), zones), BASES)


def place_of(name):
    """A prepared board by its name."""
    return {"arena": arena, "empty": lambda: arena(False)}.get(name, lambda: ground(name))()


# ── bots that answer from lists ───────────────────────────────────────────────────────────────────────────────────────

LONGEST = 62
"""Answers of one list; the numbers behind them say how many there are and which comes next."""


@kernel
def scripted(world, state, hook, who):
    """Answers what `Scene.answers` wrote; when a list is at its end: the first ready fighter, nothing, nobody."""
    side = who
    if hook == ARM:
        side = table(world, "men")[who].side
    elif hook == REACT:
        side = 1 - table(world, "men")[who].side
    if hook == ACT:
        row = table(state, "room_too")[who]
    elif hook == PLACE:
        row = table(state, "room")[18 + who]
    else:
        row = table(state, "room")[9 * side + hook]
    at = np.int64(row[LONGEST + 1])
    if at < np.int64(row[LONGEST]):
        row[LONGEST + 1] += 1.0
        return np.int64(row[at])
    if hook == NEXT:
        left_to_set_up(world, state, side, table(state, "options"))
        return table(state, "options")[0, 0]
    if hook == ACTIVATE:
        for i in range(world.fighters):
            if state.ready[i] and table(world, "men")[i].side == side:
                return i
    if hook == ZONE:
        return side
    return 0 if hook in (ACT, STARTS) else -1


@kernel
def peeker(world, state, hook, who):
    """A bot that looks at the dice of the game, as none may."""
    return np.int64(state.seed % np.uint64(5)) + hook + who + world.fighters


@kernel
def begin(world, state, game):
    """A battle up to the end of its deployment."""
    battle.new_battle(world, state, game)
    battle.deploy(world, state)


@kernel
def close(world, state):
    """The last row of the log, as `play_battle` writes it."""
    row = battle.note(state, ev.OVER, -1)
    battle.put(state, row, 0, battle.result(state))
    battle.put(state, row, 1, int(state.winner != 0))
    battle.put(state, row, 2, state.vp[0])
    battle.put(state, row, 3, state.vp[1])
    battle.put(state, row, 4, state.faults)


def named(rows):
    """Rows of a log as dictionaries, without the points of paths."""
    found = []
    for kind, round_, who, *values in rows.tolist():
        name, columns = ev.COLUMNS[kind]
        if kind != ev.POINT:
            row = dict(zip(columns, values, strict=False))
            found.append({"event": name, "round": round_, "fighter": who, **row})
    return found


class Scene:
    """A battle of two lists of cards on a small table, every answer of both players written down.

    Parameters
    ----------
    spot : a `small_board.Table`.
    prices : of going prone, by side.
    """

    def __init__(self, spot, one, two, *, rounds=1, rules=PRINTED, prices=(NEVER, NEVER), **numbers):
        self.spot, self.squads, self.rules = spot, [list(one), list(two)], rules
        self.battle = Battle(rounds=rounds, **numbers)
        self.players = [Player("scripted", scripted, (), price) for price in prices]
        self.world = new_world(spot.ready, self.squads, self.players, (0, 1), rules, self.battle)
        self.men = self.world.arrays["men"]
        self.new(1)

    def new(self, seed):
        """Everybody off the table, all lists empty."""
        self.state = new_state(self.world, seed, ROOM)
        self.seed = seed
        return self

    def at(self, point):
        return self.spot.at(point)

    def move(self, point, action=MOVE):
        """The option of a movement to a point."""
        return option(action, self.at(point), -1)

    # whole battles

    def answers(self, side, hook, *values):
        """What a side answers to a hook, one after the other."""
        self._write(self.state.arrays["room"][9 * side + hook], values)
        return self

    def acts(self, i, *options):
        """What fighter i does in its activations and Contracts, one option after the other; END ends."""
        self._write(self.state.arrays["room_too"][i], options)
        return self

    def set_up(self, *points):
        """Where each fighter is deployed."""
        for i, point in enumerate(points):
            self._write(self.state.arrays["room"][18 + i], [self.at(point)])
        return self

    def first(self, side):
        """Who starts."""
        return self.answers(0, STARTS, side).answers(1, STARTS, side)

    def _write(self, row, values):
        assert len(values) <= LONGEST
        row[: len(values)], row[LONGEST], row[LONGEST + 1] = values, len(values), 0

    def play(self, game=0, faults=0):
        """The whole battle, told; a fault of a script is a fault of the test unless it is wanted."""
        for name in ("room", "room_too"):
            self.state.arrays[name][:, LONGEST + 1] = 0
        battle.play_battle(self.world.record, self.state.record, game)
        assert self.now["faults"] == faults
        head = tale.header(self.spot.ready, self.squads, self.players, (0, 1), self.seed, game, self.rules, self.battle)
        return [head, *tale.told(head, self.world, self.rows)]

    # single positions

    def stand(self, *points, turn=0, round_=1, ready=None):
        """Everybody stands at a point (None: removed), fresh, in the middle of a round between two turns."""
        now = self.now
        now["round"], now["turn"], now["first"], now["active"], now["aim"] = round_, turn, turn, -1, -1
        now["mode"], now["ended"], now["winner"] = BY_ACTION, 0, 0
        now["prone"][:], now["contracted"][:] = 0, 0
        for i, point in enumerate(points):
            now["at"][i] = -1 if point is None else self.at(point)
            now["hp"][i], now["watch"][i] = self.men[i]["hp"], -1
            now["ready"][i] = point is not None and (ready is None or i in ready)
        now["at"][len(points) :] = -1
        return self

    def activate(self, i, apl=2):
        """Fighter i is in the middle of its activation."""
        now = self.now
        now["active"], now["apl"], now["used"], now["aim"] = i, apl, 0, -1
        now["mode"] = BY_ACTION
        return self

    def contract(self, i):
        """Fighter i may carry out a Contract now."""
        self.now["active"], self.now["mode"], self.now["apl"], self.now["ready"][i] = i, BY_CONTRACT, 0, 0
        return self

    def may(self, i, action, a=-1, b=-1):
        """Whether the rules allow it now; a point stands for its place."""
        a = a if isinstance(a, int) else self.at(a)
        return bool(legal.permits.compiled(self.world.record, self.state.record, i, action, a, b))

    def do(self, i, action, a=-1, b=-1):
        """Do what is allowed."""
        a = a if isinstance(a, int) else self.at(a)
        assert self.may(i, action, a, b)
        battle.act.compiled(self.world.record, self.state.record, i, action, a, b)
        return self

    def options(self, i):
        """The menu."""
        many = legal.menu.compiled(self.world.record, self.state.record, i)
        return [tuple(row) for row in self.state.arrays["options"][:many].tolist()]

    def turns(self, many):
        """Play on."""
        battle.go_on.compiled(self.world.record, self.state.record, many)
        return self

    def in_contact(self, i):
        return bool(legal.in_contact.compiled(self.world.record, self.state.record, i))

    @property
    def now(self):
        """The state, to read and to write."""
        return self.state.records[0]

    @property
    def rows(self):
        return self.state.arrays["log"][: int(self.now["events"])]

    @property
    def events(self):
        """The log so far."""
        return named(self.rows)


def short(log):
    """A told log as words: who did what."""
    words = []
    for row in log[1:]:
        if row["event"] in ("activated", "finished"):
            words.append(f"{row['event'][0]}{row['fighter']}")
        elif row["event"] in ("contract", "reaction"):
            words.append(f"{row['event']} {row['chosen']}")
        elif row["event"] not in ("zones", "set-up", "starts"):
            words.append(row["event"])
    return words


def only(log, event, **wanted):
    """The events of a kind with these values."""
    return [row for row in log if row["event"] == event and all(row[key] == value for key, value in wanted.items())]


# ── matches of bots ───────────────────────────────────────────────────────────────────────────────────────────────────


class Match:
    """Two squads and bots on a board: any of its games told, or stepped turn by turn."""

    def __init__(self, place, squads, bots, seats=(0, 1), rules=PRINTED, numbers=None, seed=41):
        self.ready, self.seats, self.rules, self.seed = place_of(place), seats, rules, seed
        self.names, self.bots, self.numbers = tuple(squads), tuple(bots), numbers or Battle()
        self.squads = [squad(name) for name in squads]
        self.players = [player(name) for name in bots]
        self.world = new_world(self.ready, self.squads, self.players, seats, rules, self.numbers)
        self.world.put("men", self.world.arrays["men"].copy())

    def head(self, game):
        return tale.header(
            self.ready, self.squads, self.players, self.seats, self.seed, game, self.rules, self.numbers, self.names
        )

    def tell(self, game, rows):
        head = self.head(game)
        return [head, *tale.told(head, self.world, rows)]

    def told(self, game):
        return self.tell(game, tale.played(self.world, self.seed, game))

    def begun(self, game):
        """A state after deployment."""
        state = new_state(self.world, self.seed, ROOM)
        begin(self.world.record, state.record, game)
        return state

    def on(self, state, turns):
        """Play on."""
        battle.go_on.compiled(self.world.record, state.record, turns)
        return state

    def stepped(self, game, between=lambda state: None):
        """The rows of a game played turn by turn, `between` called before every turn."""
        state = self.begun(game)
        while not state.records[0]["ended"]:
            between(state)
            self.on(state, 1)
        close(self.world.record, state.record)
        return log_of(state)

    def copy(self, state, seed=None):
        """The same position in a state of its own, on other dice if wanted."""
        other = new_state(self.world, self.seed, ROOM)
        put_head(other, head_of(state))
        other.arrays["log"][:] = state.arrays["log"]
        if seed is not None:
            other.records["seed"] = np.uint64(seed)
        return other


@cache
def match(place, squads, bots, seats=(0, 1)):
    """A match made once."""
    return Match(place, squads, bots, seats)


def log_of(state):
    return state.arrays["log"][: int(state.records["events"][0])].copy()


def head_of(state):
    """The numbers of a state: everything but the tables."""
    return state.records.view(np.uint8).reshape(-1)[: STATE.head].copy()


def put_head(state, head):
    state.records.view(np.uint8).reshape(-1)[: STATE.head] = head


__all__ = [
    "ACT", "ACTIVATE", "ARM", "BLADE", "CONTRACT", "END", "NEVER", "PISTOL", "PLACE", "REACT", "RIFLE", "SQUADS",
    "STARTS", "ZONE", "Match", "Scene", "arena", "arm", "ground", "head_of", "log_of", "match", "named", "only",
    "place_of", "plain", "put_head", "scripted", "short", "soldier",
]  # fmt: skip
