"""What the referee remembers of a battle between two events, and what it can say about it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from referee_form import RULES, Foul
from referee_table import Place, Table

KNOWN = frozenset(RULES)
CHANGES = (list, set, defaultdict)
"""Kinds of values that a copy must not share."""


@dataclass
class State:
    """Everything that changes. Copied where an event may have to be looked at twice."""

    at: list[Place | None]
    hp: list[int]
    ready: list[bool]
    contracted: list[bool]
    prone: list[bool]
    watch: list[int | None]
    vp: list[int]
    left: list[int]  # fighters of each side still to be set up
    phase: str = "zones"
    round: int = 0
    first: int = 0  # of the next round
    turn: int = 0
    zone: list[int] = field(default_factory=lambda: [0, 0])
    looted: set[tuple[int, int]] = field(default_factory=set)
    gained: list[int] = field(default_factory=lambda: [0, 0])  # VP this round
    fired: set[int] = field(default_factory=set)  # whose Overwatch was fired this round
    active: int | None = None
    apl: int = 0
    done: list[str] = field(default_factory=list)  # actions of this activation
    aim: int | None = None
    ended: int | None = None  # whose activation may be answered by Overwatch
    chosen: int | None = None  # for the reaction or the Contract
    removal: tuple[int, int] | None = None  # who must go, by whom
    moved: tuple[int, str, Any] | None = None  # fighter, kind, path: which markers it costs is not told yet
    count: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def copy(self) -> State:
        twin = object.__new__(State)
        twin.__dict__ = {k: v.copy() if type(v) in CHANGES else v for k, v in self.__dict__.items()}
        return twin


class Battle:
    """The state, the table, the cards."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.table, self.rules, self.men = Table(header), header["rules"], header["fighters"]
        self.side = [man["side"] for man in self.men]
        self.radius = [man["base"] / 50.8 for man in self.men]
        self.team = [[i for i, one in enumerate(self.side) if one == side] for side in (0, 1)]
        many = len(self.men)
        self.s = State(
            [None] * many, [man["hp"] for man in self.men], [False] * many, [False] * many, [False] * many,
            [None] * many, [0, 0], [len(team) for team in self.team],
        )  # fmt: skip
        self.number = -1

    def need(self, rules: str, fine: object, sentence: str) -> None:
        """Object unless it is fine."""
        if not fine:
            raise self.foul(rules, sentence)

    def foul(self, rules: str, sentence: str) -> Foul:
        """For sentences that take longer to write than the check: they are written when it fails."""
        return Foul(rules, self.number, sentence)

    def mark(self, *rules: str) -> None:
        """These rules mattered."""
        for rule in rules:
            if rule not in KNOWN:
                raise KeyError(rule)
            self.s.count[rule] += 1

    # who and where

    def name(self, i: int) -> str:
        return f"fighter {i} ({self.men[i]['name']})"

    def place(self, i: int) -> Place:
        """Where a living fighter stands."""
        found = self.s.at[i] if i < len(self.s.at) else None
        if found is None:
            raise Foul("H6", self.number, f"fighter {i} is not on the table")
        return found

    def living(self, side: int) -> list[int]:
        at = self.s.at
        return [i for i in self.team[side] if at[i] is not None]

    def foes(self, i: int) -> list[int]:
        return self.living(1 - self.side[i])

    def wiped_out(self) -> list[int]:
        return [side for side in (0, 1) if not self.living(side)]

    def has_ready(self, side: int) -> bool:
        return any(self.s.ready[i] for i in self.living(side))

    def injured(self, i: int) -> bool:
        """H2."""
        return self.rules["injury_ratio"] * self.s.hp[i] < self.men[i]["hp"]

    def hit(self, printed: int, worse: int) -> int:
        """D6-D8, RULING 1."""
        wanted = printed + worse
        final = max(self.rules["best_hit"], min(self.rules["worst_hit"], wanted))
        if final != wanted:
            self.mark("D8")
        return final

    def dice(self, i: int, weapon: Any) -> int:
        """D10-D11, H3, RULING 2."""
        count = weapon["dice"] - self.rules["injury_dice"] * self.injured(i)
        if self.injured(i):
            self.mark("H3")
        if count <= 0:
            self.mark("RULING 2")
        return max(0, count)

    # geometry between fighters

    def gap(self, i: int, j: int) -> float:
        return self.table.gap(self.place(i), self.radius[i], self.place(j), self.radius[j])

    def touch(self, i: int, j: int) -> bool:
        return self.table.contact(self.place(i), self.radius[i], self.place(j), self.radius[j])

    def contacts(self, i: int) -> list[int]:
        here, at, radius, contact = self.place(i), self.s.at, self.radius, self.table.contact
        return [
            j
            for j, spot in enumerate(at)
            if spot is not None and self.side[j] != self.side[i] and contact(here, radius[i], spot, radius[j])
        ]

    def sees(self, i: int, j: int) -> bool:
        others = [spot for k, spot in enumerate(self.s.at) if spot is not None and k not in (i, j)]
        seen, by_bodies = self.table.sees(self.place(i), self.place(j), others)
        if by_bodies and not seen:
            self.mark("V5")
        return seen

    def reaches(self, i: int, weapon: Any, j: int) -> bool:
        """S6, RULING 5: within the weapon's Range."""
        limit = weapon["reach"]
        if limit is None and weapon["type"] == "pistol":
            limit = self.rules["pistol_range"]
        return limit is None or self.table.within(self.gap(i, j), limit)

    def sees_marker(self, i: int, point: int) -> bool:
        others = [(spot, self.radius[k]) for k, spot in enumerate(self.s.at) if spot is not None and k != i]
        return self.table.sees_marker(self.place(i), point, others)

    def at_point(self, i: int, point: int) -> bool:
        """L3, RULING 58."""
        return self.table.within(self.table.loot_gap(self.place(i), self.radius[i], point), 1.0)

    def weapon(self, i: int, number: int, kinds: tuple[str, ...], rules: str) -> Any:
        weapons = self.men[i]["weapons"]
        self.need(rules, number < len(weapons), f"{self.name(i)} has no weapon {number}")
        self.need(rules, weapons[number]["type"] in kinds, f"{weapons[number]['name']} is {weapons[number]['type']}")
        return weapons[number]

    # what happens to fighters

    def pay(self, i: int, action: str, cost: int = 1) -> None:
        """A2-A7, RULING 26: the active fighter spends points on an action."""
        self.need("E3 A4 R7", self.s.phase == "acting" and self.s.active == i, f"{self.name(i)} is not active")
        self.need("A4", self.s.apl >= cost, f"{action} costs {cost} APL, {self.s.apl} are left")
        again = action in self.s.done
        once = action not in ("move", "shoot", "melee")
        self.need("A7 RULING 26", not (again and once), f"{action} twice in one activation")
        if again:
            self.mark("A7")
        self.mark("A4")
        self.s.apl -= cost
        self.s.done.append(action)

    def use_contract(self, i: int) -> None:
        """K1-K3: the chosen fighter does exactly one thing, at no APL."""
        self.need("K1", self.s.phase == "contract" and self.s.chosen == i, f"{self.name(i)} has no Contract now")
        self.mark("K3")
        self.s.phase, self.s.chosen = "turn", None

    def lose(self, i: int, damage: int, by: int) -> int:
        """H1-H2, H4, H6: HP go down; who is at 0 must be removed next."""
        hurt = self.injured(i)
        self.s.hp[i] -= damage
        if damage:
            self.mark("H1")
        if self.s.hp[i] <= 0:
            self.s.removal = (i, by)
            if self.s.hp[i] < 0:
                self.mark("RULING 53")
        elif self.injured(i) and not hurt:
            self.mark("H2")
        return self.s.hp[i]
