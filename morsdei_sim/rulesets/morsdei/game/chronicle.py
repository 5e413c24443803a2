"""The log of one battle: a header and events as plain dictionaries, ready for JSON Lines.

`chronicle_form` names the fields. The engine logs rows of whole numbers (`events.COLUMNS`); here they are told in full:
places become coordinates, rolls become faces (`chronicle_dice`), and every number that follows from others is worked
out again and compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.rulesets.morsdei import shooting
from morsdei_sim.rulesets.morsdei.cards import Fighter
from morsdei_sim.rulesets.morsdei.game import events as ev
from morsdei_sim.rulesets.morsdei.game.battle import play_battle
from morsdei_sim.rulesets.morsdei.game.bots import Player
from morsdei_sim.rulesets.morsdei.game.chronicle_dice import Fist, Mismatch, Roll, agree, fought, shot
from morsdei_sim.rulesets.morsdei.game.chronicle_form import SCHEMA_VERSION, WORDS, lines, read_lines
from morsdei_sim.rulesets.morsdei.game.exchanges import EXCHANGE, REDIRECTED, ROLL_OFF, SHOT, WHICH_ALLY
from morsdei_sim.rulesets.morsdei.game.paths import SCALE
from morsdei_sim.rulesets.morsdei.game.prepared import Prepared
from morsdei_sim.rulesets.morsdei.game.records import Owner
from morsdei_sim.rulesets.morsdei.game.sight import Body
from morsdei_sim.rulesets.morsdei.game.world import BY_CONTRACT, BY_OVERWATCH, Battle, new_state
from morsdei_sim.rulesets.morsdei.game.worlds import new_world
from morsdei_sim.rulesets.morsdei.rules import PRINTED, Rules, final_hit, is_injured, pool_size

__all__ = ["Mismatch", "chronicle", "header", "lines", "played", "read_lines", "told"]

Event = dict[str, Any]

MILLION = 10**6
ROOM = 1024  # rows of log that most battles need

HOW, MOVED_BY = WORDS["how"], WORDS["action"]


def chronicle(
    board: Prepared,
    squads: Sequence[Sequence[Fighter]],
    players: Sequence[Player],
    seats: tuple[int, int] = (0, 1),
    *,
    seed: int,
    game: int,
    rules: Rules = PRINTED,
    battle: Battle | None = None,
    names: tuple[str, str] = ("a", "b"),
) -> list[Event]:
    """Play one battle and tell it: the header, then every event.

    Parameters
    ----------
    seats : the squad that plays each side; `squads`, `players` and `names` go by squad.
    seed, game : name the dice: the same numbers give the same battle.
    """
    world = new_world(board, squads, players, seats, rules, battle)
    head = header(board, squads, players, seats, seed, game, rules, battle, names)
    return [head, *told(head, world, played(world, seed, game))]


def played(world: Owner, seed: int, game: int) -> NDArray[np.int64]:
    """Play a battle and keep all its rows: again with more room when they did not fit."""
    room = ROOM
    while True:
        state = new_state(world, seed, room)
        play_battle(world.record, state.record, game)
        count = int(state.records["events"][0])
        if count <= room:
            return state.arrays["log"][:count]
        room = count


# ── the header ────────────────────────────────────────────────────────────────────────────────────────────────────────


def header(
    board: Prepared, squads: Sequence[Sequence[Fighter]], players: Sequence[Player], seats: tuple[int, int], seed: int,
    game: int, rules: Rules = PRINTED, battle: Battle | None = None, names: tuple[str, str] = ("a", "b"),
) -> Event:  # fmt: skip
    """The first line of a log; parameters as for `chronicle`."""
    whole = rules._asdict() | (battle or Battle())._asdict()
    return {
        "event": "battle", "schema_version": SCHEMA_VERSION, "ruleset": "morsdei", "seed": seed, "game": game,
        "board": _board(board), "body": dict(zip(Body._fields, _rounded(board.view.body), strict=True)),
        "rules": {name: int(value) for name, value in whole.items()},
        "sides": [{"squad": names[number], "bot": players[number].name} for number in seats],
        "fighters": _fighters(squads, seats),
    }  # fmt: skip


def _rounded(values: Any) -> list[float]:
    """Coordinates to a millionth of an inch, without a negative zero."""
    return [round(float(value), 6) + 0.0 for value in values]


def _board(board: Prepared) -> Event:
    one = board.board
    pieces = [
        {
            "kind": piece.kind, "outline": [_rounded(point) for point in piece.outline], "base": piece.base,
            "height": piece.height, "climb": piece.climb, "stand": piece.stand, "name": piece.name,
        }
        for piece in one.pieces
    ]  # fmt: skip
    return {
        "name": one.name, "name_ru": one.name_ru, "width": one.width, "depth": one.depth, "pieces": pieces,
        "loot": [_rounded(point) for point in one.loot], "zones": [_rounded(zone) for zone in one.zones],
    }  # fmt: skip


def _fighters(squads: Sequence[Sequence[Fighter]], seats: tuple[int, int]) -> list[Event]:
    """All fighters in the order of `battles.new_world`."""
    cards = [(side, card) for side, squad in enumerate(seats) for card in squads[squad] for _copy in range(card.count)]
    return [
        {
            "fighter": number, "side": side, "card": card.id, "name": card.name, "name_ru": card.name_ru,
            "base": card.base, "apl": card.apl, "move": card.move, "defence": card.defence, "hp": card.hp,
            "weapons": [
                {
                    "name": arm.name, "name_ru": arm.name_ru, "type": arm.type, "dice": arm.dice, "hit": arm.hit,
                    "damage": arm.damage,
                    "reach": arm.reach if arm.type != "melee" and math.isfinite(arm.reach) else None,
                }
                for arm in card.weapon
            ],
        }
        for number, (side, card) in enumerate(cards)
    ]  # fmt: skip


# ── the events ────────────────────────────────────────────────────────────────────────────────────────────────────────


def told(head: Event, world: Owner, rows: NDArray[np.int64]) -> list[Event]:
    """The rows of a battle as events.

    Raises
    ------
    Mismatch : a row and the dice do not agree: a defect of the program.
    """
    return list(_Teller(head, world).tell(rows.tolist()))


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


class _Teller:
    """Goes through the rows and remembers the HP."""

    def __init__(self, head: Event, world: Owner) -> None:
        self.seed, self.game, self.fighters = head["seed"], head["game"], head["fighters"]
        self.rules = Rules(*(head["rules"][name] for name in Rules._fields))
        self.friendly_fire = head["rules"]["friendly_fire"]
        self.hp = [man["hp"] for man in self.fighters]
        self.keys = world.arrays["men"]["key"].tolist()
        self.habits = world.records["habits"][0].tolist()
        self.places = [world.arrays[f"where_{axis}"] for axis in "xyz"]

    def tell(self, rows: list[list[int]]) -> Iterator[Event]:
        number = at = 0
        while at < len(rows):
            kind, round_, who, *values = rows[at]
            name, columns = ev.COLUMNS[kind]
            event: Event = {"n": number, "event": name, "round": round_}
            if who >= 0:
                event["fighter"] = who
            told_of = getattr(self, f"_{name.replace('-', '_')}", None)
            row = dict(zip(columns, values, strict=False))
            if kind == ev.MOVED:
                event |= self._moved(who, row, rows[at + 1 : at + 1 + row["points"]])
                at += row["points"]
            else:
                event |= told_of(event, row) if told_of else row
            yield event
            number, at = number + 1, at + 1

    def _roll(self, event: Event, kind: int, index: int) -> Roll:
        return Roll(self.seed, self.game, event["round"], self.keys[event["fighter"]], kind, index)

    # what happens before the first round, and what needs little

    def _thrown(self, row: Event, number: int) -> list[list[int]]:
        """D17 Every throw of roll-off 0 (zones) or 1 (first player)."""
        rolls = []
        for index in range(row["throws"]):
            roll = Roll(self.seed, self.game, 0, number, ROLL_OFF, index)
            rolls.append([roll.die(0), roll.die(1)])
        agree("ties of a roll-off", [True] * (row["throws"] - 1), [one == other for one, other in rolls[:-1]])
        agree("the winner of a roll-off", row["winner"], int(rolls[-1][1] > rolls[-1][0]))
        return rolls

    def _zones(self, _event: Event, row: Event) -> Event:
        return {"winner": row["winner"], "zone": row["zone"], "rolls": self._thrown(row, 0)}

    def _starts(self, _event: Event, row: Event) -> Event:
        return {"winner": row["winner"], "first": row["first"], "rolls": self._thrown(row, 1)}

    def _set_up(self, _event: Event, row: Event) -> Event:
        return {"at": _rounded(axis[row["place"]] for axis in self.places)}

    def _looted(self, _event: Event, row: Event) -> Event:
        return {"point": row["point"], "vp": [row["vp_0"], row["vp_1"]]}

    def _reaction(self, _event: Event, row: Event) -> Event:
        chosen = row["chosen"] if row["chosen"] >= 0 else None
        return {"side": row["side"], "candidates": _bits(row["candidates"]), "chosen": chosen}

    _contract = _reaction

    def _over(self, _event: Event, row: Event) -> Event:
        vp = [row["vp_0"], row["vp_1"]]
        return {"result": row["result"], "wiped_out": row["wiped_out"], "vp": vp, "faults": row["faults"]}

    def _moved(self, who: int, row: Event, points: list[list[int]]) -> Event:
        if len(points) != row["points"] or any((kind, one) != (ev.POINT, who) for kind, _round, one, *_xyz in points):
            raise Mismatch(f"a movement of {row['points']} points is not followed by them")
        path = [_rounded(value / MILLION for value in point[3:6]) for point in points]
        return {"action": MOVED_BY[row["action"]], "path": path, "length": round(row["length"] / SCALE, 3)}

    # shots

    def _shot(self, event: Event, row: Event) -> Event:
        i, t, how, rules = event["fighter"], row["target"], row["how"], self.rules
        arm, roll = self.fighters[i]["weapons"][row["weapon"]], self._roll(event, SHOT + how, row["roll"])
        agree("HP of a target", row["hp"], self.hp[t])
        agree("whether a shooter is Injured", row["injured"], int(self._hurt(i)))
        shooter = shooting.Shooter(
            arm["dice"], arm["hit"], arm["damage"], row["aimed"], int(how == BY_OVERWATCH), int(how == BY_CONTRACT),
            row["in_contact"], row["injured"], 1,
        )  # fmt: skip
        allies, redirect = self._redirected(row, roll)
        found = shot(rules, roll, shooter, self.fighters[t]["defence"], row["cover"], row["prone"] | row["goes_prone"])
        needed = shooting.hits_to_remove(self.hp[t], arm["damage"])
        agree("hits left", row["hits_left"], found.left)
        agree("damage", row["damage"], min(found.left, needed) * arm["damage"])
        self.hp[t] -= row["damage"]
        return {
            "how": HOW[how], "weapon": row["weapon"], "declared": row["declared"], "allies": allies,
            "redirect": redirect, "target": t, "cover": row["cover"], "aimed": row["aimed"],
            "in_contact": row["in_contact"], "injured": row["injured"], "hit": found.hit, "attack": found.attack,
            "normals": found.normals, "crits": found.crits, "prone": row["prone"], "goes_prone": row["goes_prone"],
            "defence": found.defence, "saves": found.saves, "crit_saves": found.crit_saves, "hits_left": found.left,
            "damage": row["damage"], "hp": self.hp[t], "expected": row["expected"] / MILLION,
        }  # fmt: skip

    def _redirected(self, row: Event, roll: Roll) -> tuple[list[int], int | None]:
        """F4-F5 The allies listed, and the face that says whether one of them is hit."""
        allies, target, face = _bits(row["allies"]), row["declared"], None
        if allies:
            face = roll.die(REDIRECTED)
            if face <= self.friendly_fire:
                target = allies[roll.choose(len(allies), WHICH_ALLY)]
        agree("the actual target", row["target"], target)
        return allies, face

    def _hurt(self, i: int) -> bool:
        return bool(is_injured(self.rules, self.hp[i], self.fighters[i]["hp"]))

    # exchanges

    def _exchange(self, event: Event, row: Event) -> Event:
        both, contract = (event["fighter"], row["enemy"]), int(row["how"] == BY_CONTRACT)
        agree("HP before an exchange", [row["hp"], row["enemy_hp"]], [self.hp[i] for i in both])
        arms = [self._arm(i, w) for i, w in zip(both, (row["weapon"], row["enemy_weapon"]), strict=True)]
        fists = [self._fist(both[k], both[1 - k], arms[k], contract * (1 - k)) for k in (0, 1)]
        found = fought(self.rules, self._roll(event, EXCHANGE + row["how"], row["roll"]), *fists)
        agree("blows of an exchange", (row["taken"], row["dealt"]), found.blows)
        damage = [found.blows[k] * (arms[1 - k] or {"damage": 0})["damage"] for k in (0, 1)]
        for i, lost in zip(both, damage, strict=True):
            self.hp[i] -= lost
        return {
            "how": HOW[row["how"]], "weapon": row["weapon"], "enemy": row["enemy"],
            "enemy_weapon": None if arms[1] is None else row["enemy_weapon"],
            "hits": [fist.hit if arm else None for fist, arm in zip(fists, arms, strict=True)],
            "rolls": found.rolls, "pools": found.pools, "steps": found.steps, "damage": damage,
            "hp": [self.hp[i] for i in both], "expected": [row["expected_taken"] / MILLION, row["expected"] / MILLION],
        }  # fmt: skip

    def _arm(self, i: int, weapon: int) -> Event | None:
        arm: Event | None = self.fighters[i]["weapons"][weapon] if weapon >= 0 else None
        return arm

    def _fist(self, i: int, enemy: int, arm: Event | None, contract: int) -> Fist:
        """B10 steps 3-4, H3, RULINGS 6, 52."""
        habit = self.habits[self.fighters[i]["side"]]
        if arm is None:
            return Fist(0, self.rules.worst_hit, 1, habit)
        dice = pool_size(arm["dice"], -self.rules.injury_dice * self._hurt(i))
        hit = final_hit(self.rules, arm["hit"], self.rules.contract * contract)
        return Fist(dice, hit, min(shooting.hits_to_remove(self.hp[enemy], arm["damage"]), dice + 1), habit)
