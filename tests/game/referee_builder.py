"""Logs written by hand, event by event, for the tests of the referee.

A `Story` numbers the events and remembers HP, so that a test says only what it is about. It knows no rules: positions,
faces, Hits, windows are what the test says.
"""

from __future__ import annotations

import copy
import itertools
import math
from typing import Any

from referee_fire import expected_between, fewest_left

RULES = {
    "best_hit": 2, "worst_hit": 6, "save": 4, "crit_save_normals": 2, "cover_dice": 1, "prone_dice": 1,
    "injury_dice": 1, "injury_ratio": 2, "aim": 1, "overwatch": 1, "contract": 1, "pistol_in_contact": 1,
    "pistol_range": 10, "guard": 1, "may_pass": 0, "prone_debt": 1, "max_apl": 4, "fall_back_apl": 2,
    "contact_reach": 1, "rounds": 1, "friendly_fire": 3, "contract_move": 3, "loot_apl": 1, "loot_vp": 1, "most_vp": 3,
}  # fmt: skip

EVERYWHERE = ((0, 0, 30, 22), (0, 0, 30, 22))
HALVES = ((0, 0, 30, 11), (0, 11, 30, 22))
"""Zones: where a test is about something else one sets up anywhere."""


def arm(name: str, kind: str, dice: int, hit: int, damage: int) -> dict[str, Any]:
    reach = 10 if kind == "pistol" else None
    return {"name": name, "name_ru": name, "type": kind, "dice": dice, "hit": hit, "damage": damage, "reach": reach}


RIFLE, BLADE, PISTOL = arm("rifle", "ranged", 4, 4, 4), arm("blade", "melee", 4, 4, 4), arm("pistol", "pistol", 4, 4, 3)


def soldier(side: int, **changes: Any) -> dict[str, Any]:
    """A fighter with rifle (0), blade (1), pistol (2)."""
    card = {
        "side": side, "card": "soldier", "name": "Soldier", "name_ru": "Солдат", "base": 32.0, "apl": 2, "move": 6,
        "defence": 3, "hp": 8, "weapons": [dict(RIFLE), dict(BLADE), dict(PISTOL)],
    }  # fmt: skip
    return copy.deepcopy({**card, **changes})


def box(kind: str, x: float, y: float, width: float, depth: float, height: float, base: float = 0, **more: Any) -> Any:
    """A piece over a rectangle."""
    outline = [[x, y], [x + width, y], [x + width, y + depth], [x, y + depth]]
    piece = {"kind": kind, "outline": outline, "base": base, "height": height, "climb": False, "stand": False}
    return {**piece, "name": kind, **more}


class Story:
    """A log that grows."""

    def __init__(self, *fighters: dict[str, Any], pieces: Any = (), zones: Any = EVERYWHERE, **rules: Any) -> None:
        self.men = [{"fighter": i, **man} for i, man in enumerate(fighters)]
        radius = min([0.35, *(man["base"] / 50.8 for man in self.men)])
        board = {
            "name": "Table", "name_ru": "Стол", "width": 30, "depth": 22, "pieces": copy.deepcopy(list(pieces)),
            "loot": [[7, 11], [15, 11], [23, 11]], "zones": [list(zone) for zone in zones],
        }  # fmt: skip
        body = {"eye": 1.2, "heart": 0.85, "foot": 0.1, "knee": 0.45, "top": 1.3, "radius": radius}
        self.rules = {**RULES, **rules}
        self.header = {
            "event": "battle", "schema_version": 1, "ruleset": "morsdei", "seed": 1, "game": 0, "board": board,
            "body": body, "rules": self.rules, "sides": [{"squad": "a", "bot": "x"}, {"squad": "b", "bot": "y"}],
            "fighters": self.men,
        }  # fmt: skip
        self.log: list[dict[str, Any]] = [self.header]
        self.round_number, self.hp = 0, [man["hp"] for man in self.men]
        self.at: list[Any] = [None] * len(self.men)

    def tell(self, event: str, **values: Any) -> Story:
        """Add an event."""
        self.log.append({"n": len(self.log) - 1, "event": event, "round": self.round_number, **values})
        return self

    def set_up(self, *places: Any, order: Any = None, first: int = 0) -> Story:
        """Side 1 wins the zones and side 0 sets up first; round one starts."""
        self.tell("zones", winner=1, zone=1, rolls=[[3, 3], [2, 5]])
        zero, one = ([i for i, man in enumerate(self.men) if man["side"] == side] for side in (0, 1))
        turns = order or [i for n in range(len(self.men)) for group in (zero, one) for i in group[n : n + 1]]
        for i in turns:
            self.at[i] = [float(value) for value in (*places[i], 0.0)[:3]]
            self.tell("set-up", fighter=i, at=list(self.at[i]))
        self.tell("starts", winner=0, first=first, rolls=[[6, 1]])
        return self.start(first)

    def start(self, first: int) -> Story:
        self.round_number += 1
        return self.tell("round", first=first)

    def act(self, i: int, apl: int = 2, debt: int = 0, watch: int = 0) -> Story:
        return self.tell("activated", fighter=i, apl=apl, debt=debt, watch=watch)

    def finish(self, i: int) -> Story:
        return self.tell("finished", fighter=i)

    def idle(self, *fighters: int, **more: int) -> Story:
        for i in fighters:
            self.act(i, **more).finish(i)
        return self

    def move(self, i: int, *corners: Any, action: str = "move", length: float | None = None) -> Story:
        """Along corners (x, y) or (x, y, z); level unless said."""
        path = [list(self.at[i])]
        for corner in corners:
            path.append([float(corner[0]), float(corner[1]), float(corner[2]) if len(corner) > 2 else path[-1][2]])
        plain = sum(math.dist(a, b) for a, b in itertools.pairwise(path))
        self.at[i] = list(path[-1])
        return self.tell("moved", fighter=i, action=action, path=path, length=plain if length is None else length)

    def shoot(
        self, i: int, j: int, attack: list[int], defence: Any = (), target: int | None = None, **say: Any
    ) -> Story:
        """A shot; what the faces mean is worked out here, the rest is said or the commonest."""
        row = {
            "how": "action", "weapon": 0, "allies": [], "redirect": None, "cover": 0, "aimed": 0, "in_contact": 0,
            "injured": 0, "prone": 0, "goes_prone": 0, "hit": 4, **say,
        }  # fmt: skip
        t = j if target is None else target
        weapon = self.men[i]["weapons"][row["weapon"]]
        normals, crits = sum(row["hit"] <= face < 6 for face in attack), attack.count(6)
        saves, crit_saves = sum(face in (4, 5) for face in defence), list(defence).count(6)
        left, damage = fewest_left(normals, crits, saves, crit_saves, 2), 0
        cover = row.pop("declared_cover", row["cover"])
        before = self.hp[j]
        while left * weapon["damage"] > damage and self.hp[t] > 0:
            self.hp[t] -= weapon["damage"]
            damage += weapon["damage"]
        dice = self.men[j]["defence"] + cover + (row["prone"] if t == j else 0)
        most = expected_between(len(attack), row["hit"], dice, 0, 4, 2, weapon["damage"], before)[1]
        rest = {
            "fighter": i, "declared": j, "target": t, "attack": attack, "normals": normals, "crits": crits,
            "defence": list(defence), "saves": saves, "crit_saves": crit_saves, "hits_left": left, "damage": damage,
            "hp": self.hp[t], "expected": most / 2 if row["allies"] else most,
        }  # fmt: skip
        return self.tell("shot", **{**rest, **row})

    def fight(self, i: int, j: int, rolls: Any, steps: Any, hits: Any = (4, 4), **say: Any) -> Story:
        """An exchange; steps are (side, lead, face, answer, with)."""
        row = {"how": "action", "weapon": 1, "enemy_weapon": 1, "expected": [0.0, 0.0], **say}
        keys = ("side", "lead", "face", "answer", "with")
        told = [dict(zip(keys, (*step, None, None)[:5], strict=True)) for step in steps]
        pools = [sorted(face for face in faces if face >= hit) for faces, hit in zip(rolls, hits, strict=True)]
        damage = [0, 0]
        for step in told:
            if step["answer"] == "take":
                fighter, weapon = ((i, row["weapon"]), (j, row["enemy_weapon"]))[step["side"]]
                damage[1 - step["side"]] += self.men[fighter]["weapons"][weapon]["damage"]
        self.hp[i] -= damage[0]
        self.hp[j] -= damage[1]
        rest = {
            "fighter": i, "enemy": j, "hits": list(hits), "rolls": [list(faces) for faces in rolls], "pools": pools,
            "steps": told, "damage": damage, "hp": [self.hp[i], self.hp[j]],
        }  # fmt: skip
        return self.tell("exchange", **{**rest, **row})

    def loot(self, i: int, point: int, *vp: int) -> Story:
        return self.tell("looted", fighter=i, point=point, vp=list(vp))

    def removed(self, i: int, by: int) -> Story:
        return self.tell("removed", fighter=i, by=by)

    def lost(self, i: int) -> Story:
        return self.tell("marker-lost", fighter=i)

    def react(self, side: int, candidates: list[int], chosen: int | None) -> Story:
        return self.tell("reaction", side=side, candidates=candidates, chosen=chosen)

    def contract(self, side: int, candidates: list[int], chosen: int | None) -> Story:
        return self.tell("contract", side=side, candidates=candidates, chosen=chosen)

    def over(self, result: int, vp: Any = (0, 0), wiped_out: int = 0) -> list[dict[str, Any]]:
        """The whole log."""
        self.tell("over", result=result, wiped_out=wiped_out, vp=list(vp), faults=0)
        return self.log
