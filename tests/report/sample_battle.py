"""A short battle, 4 against 3 on the pump house, with every kind of event; written by hand, its sums done by rule."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from typing import Any

from morsdei_sim.rulesets.morsdei.game.boards import board
from morsdei_sim.rulesets.morsdei.rules import Rules

Event = dict[str, Any]
GAME_RULES = {"rounds": 4, "friendly_fire": 3, "contract_move": 3, "loot_apl": 1, "loot_vp": 1, "most_vp": 3}
RIFLE = {"name": "rifle", "name_ru": "винтовка", "type": "ranged", "dice": 4, "hit": 4, "damage": 4, "reach": None}
PISTOL = {"name": "pistol", "name_ru": "пистолет", "type": "pistol", "dice": 4, "hit": 4, "damage": 4, "reach": 10}
KNIFE = {"name": "knife", "name_ru": "нож", "type": "melee", "dice": 3, "hit": 4, "damage": 3, "reach": None}
CLEAVER = {"name": "cleaver", "name_ru": "тесак", "type": "melee", "dice": 5, "hit": 3, "damage": 4, "reach": None}
CARDS = [
    (0, "sergeant", "Sergeant", "Сержант", 32, 3, 6, 3, 9, [RIFLE, KNIFE]),
    (0, "rifleman", "Rifleman", "Стрелок", 32, 2, 6, 3, 8, [RIFLE, KNIFE]),
    (0, "rifleman", "Rifleman", "Стрелок", 32, 2, 6, 3, 8, [RIFLE, KNIFE]),
    (
        0,
        "marksman",
        "Marksman",
        "Меткий стрелок",
        32,
        2,
        5,
        3,
        7,
        [RIFLE | {"name": "long rifle", "name_ru": "длинная винтовка", "hit": 3}],
    ),
    (1, "chief", "Chief", "Вожак", 40, 3, 6, 3, 10, [PISTOL, CLEAVER]),
    (1, "brawler", "Brawler", "Громила", 32, 2, 6, 3, 9, [PISTOL, CLEAVER]),
    (1, "runner", "Runner", "Бегун", 28, 2, 7, 3, 7, [PISTOL]),
]


def header(name: str = "pump-house") -> Event:
    """The first line."""
    field = board(name)
    keys = "side card name name_ru base apl move defence hp weapons".split()
    return {
        "event": "battle", "schema_version": 1, "ruleset": "morsdei", "seed": 1, "game": 17,
        "board": {
            "name": field.name, "name_ru": field.name_ru, "width": field.width, "depth": field.depth,
            "pieces": [asdict(piece) for piece in field.pieces],
            "loot": [list(point) for point in field.loot], "zones": [list(zone) for zone in field.zones],
        },
        "body": {"eye": 1.2, "heart": 0.85, "foot": 0.1, "knee": 0.45, "top": 1.3, "radius": 0.35},
        "rules": Rules()._asdict() | GAME_RULES,
        "sides": [{"squad": "line", "bot": "tactician"}, {"squad": "cleavers", "bot": "rusher"}],
        "fighters": [{"fighter": n, **dict(zip(keys, card, strict=True))} for n, card in enumerate(CARDS)],
    }  # fmt: skip


class Battle:
    """Writes a log: knows the round, the places and the HP, and sorts the dice as the rules do."""

    def __init__(self, head: Event) -> None:
        self.log: list[Event] = [head]
        self.fighters = head["fighters"]
        self.hp = [fighter["hp"] for fighter in self.fighters]
        self.at: dict[int, list[float]] = {}
        self.prone: set[int] = set()
        self.round = 0
        self.vp = [0, 0]

    def add(self, event: str, **fields: Any) -> None:
        self.log.append({"n": len(self.log) - 1, "event": event, "round": self.round, **fields})

    def begin(self, number: int, first: int) -> None:
        self.round = number
        self.add("round", first=first)

    def place(self, fighter: int, x: float, y: float) -> None:
        self.at[fighter] = [x, y, 0.0]
        self.add("set-up", fighter=fighter, at=self.at[fighter])

    def act(self, fighter: int, watch: int = 0) -> None:
        assert self.hp[fighter] > 0, "a removed fighter acts"
        debt = int(fighter in self.prone)
        self.prone.discard(fighter)
        self.add("activated", fighter=fighter, apl=self.fighters[fighter]["apl"] - debt, debt=debt, watch=watch)

    def move(self, fighter: int, *path: list[float], action: str = "move") -> None:
        whole = [self.at[fighter], *path]
        legs = pairwise(whole)
        length = sum(sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5 for a, b in legs)
        self.at[fighter] = path[-1]
        self.add("moved", fighter=fighter, action=action, path=whole, length=length)

    def loot(self, fighter: int, point: int) -> None:
        self.vp[self.fighters[fighter]["side"]] += 1
        self.add("looted", fighter=fighter, point=point, vp=[*self.vp])

    def shoot(self, fighter: int, declared: int, attack: list[int], defence: list[int], **known: Any) -> None:
        assert min(self.hp[fighter], self.hp[declared]) > 0, "a removed fighter is in a shot"
        weapon = self.fighters[fighter]["weapons"][0]
        facts: Event = {
            "how": "action", "allies": [], "redirect": None, "target": declared, "cover": 0, "aimed": 0,
            "in_contact": 0, "injured": 0, "hit": weapon["hit"], "goes_prone": 0, "expected": 2.5,
        } | known  # fmt: skip
        target = facts["target"]
        crits = attack.count(6)
        normals = sum(face >= facts["hit"] for face in attack) - crits
        saves, crit_saves = defence.count(4) + defence.count(5), defence.count(6)
        rest = max(0, normals - saves)
        pairs = min(crit_saves, rest // 2)
        left = crits + rest - 2 * pairs
        left -= min(crit_saves - pairs, left)
        damage = 0
        for _hit in range(left):
            if self.hp[target] > 0:
                self.hp[target] -= weapon["damage"]
                damage += weapon["damage"]
        before = int(target in self.prone)
        if facts["goes_prone"]:
            self.prone.add(target)
        self.add(
            "shot", fighter=fighter, weapon=0, declared=declared, **facts, attack=attack, normals=normals, crits=crits,
            prone=before, defence=defence, saves=saves, crit_saves=crit_saves, hits_left=left, damage=damage,
            hp=self.hp[target],
        )  # fmt: skip
        if self.hp[target] <= 0:
            self.add("removed", fighter=target, by=fighter)

    def fight(self, fighter: int, enemy: int, rolls: list[list[int]], steps: list[str], how: str = "action") -> None:
        """Steps: `0a5t` side 0 attacks with a 5, taken; `1a4p6` parried with a 6; `0g4` Guard."""
        both = (fighter, enemy)
        assert min(self.hp[fighter], self.hp[enemy]) > 0, "a removed fighter fights"
        arms = [self._melee(one) for one in both]
        hits = [self.fighters[one]["weapons"][arm]["hit"] if arm is not None else 6 for one, arm in zip(both, arms)]  # noqa: B905
        hits[0] += how == "contract"
        damage = [0, 0]
        for step in steps:
            if step.endswith("t"):
                leader = int(step[0])
                blow = self.fighters[both[leader]]["weapons"][arms[leader]]["damage"]
                damage[1 - leader] += blow
                self.hp[both[1 - leader]] -= blow
        self.add(
            "exchange", fighter=fighter, how=how, weapon=arms[0], enemy=enemy, enemy_weapon=arms[1], hits=hits,
            rolls=rolls, pools=[sorted(f for f in rolled if f >= hit) for rolled, hit in zip(rolls, hits, strict=True)],
            steps=[_step(step) for step in steps], damage=damage, hp=[self.hp[one] for one in both],
            expected=[1.5, 2.0],
        )  # fmt: skip
        for one, other in (both, both[::-1]):
            if self.hp[one] <= 0:
                self.add("removed", fighter=one, by=other)

    def _melee(self, fighter: int) -> int | None:
        kinds = [weapon["type"] for weapon in self.fighters[fighter]["weapons"]]
        return kinds.index("melee") if "melee" in kinds else None

    def done(self, fighter: int) -> None:
        self.add("finished", fighter=fighter)


def _step(text: str) -> Event:
    side, lead, face, answer = int(text[0]), text[1], int(text[2]), text[3:4]
    return {
        "side": side, "lead": "attack" if lead == "a" else "guard", "face": face,
        "answer": {"t": "take", "p": "parry", "": None}[answer], "with": int(text[4]) if answer == "p" else None,
    }  # fmt: skip


def sample() -> list[Event]:
    """The battle."""
    battle = Battle(header())
    battle.add("zones", winner=0, zone=0, rolls=[[3, 3], [5, 2]])
    for fighter, x, y in [(4, 23, 20), (0, 7, 1.5), (5, 16, 20.5), (1, 12, 1), (6, 7, 19.551), (2, 18, 1), (3, 26, 2)]:
        battle.place(fighter, x, y)
    battle.add("starts", winner=1, first=1, rolls=[[2, 6]])
    _first_round(battle)
    _second_round(battle)
    _third_round(battle)
    _fourth_round(battle)
    return battle.log


def _first_round(battle: Battle) -> None:
    battle.begin(1, 1)
    battle.act(6)
    battle.move(6, [7, 12.551, 0])
    battle.loot(6, 0)
    battle.done(6)
    battle.act(1)
    battle.move(1, [11.5, 4.5, 0], [12, 6.6, 0])
    battle.add("watches", fighter=1, weapon=0)
    battle.done(1)
    battle.act(5)
    battle.move(5, [21.8, 19, 0])
    battle.move(5, [22.5, 14.8, 0])
    battle.done(5)
    battle.act(0)
    battle.add("aimed", fighter=0, weapon=0)
    battle.shoot(0, 6, [1, 4, 5, 6], [2, 4, 6, 3], aimed=1, cover=1, hit=3)
    battle.move(0, [9.8, 2.2, 0], [10.2, 5.2, 0])
    battle.done(0)
    battle.act(4)
    battle.move(4, [18.2, 19.8, 0])
    battle.move(4, [12.8, 19.8, 0], [12.4, 19.4, 0])
    battle.done(4)
    battle.add("reaction", side=0, candidates=[1], chosen=None)
    battle.act(2)
    battle.move(2, [18.7, 4.2, 0], [18.7, 5.8, 0])
    battle.add("watches", fighter=2, weapon=0)
    battle.done(2)
    battle.add("contract", side=1, candidates=[4, 5, 6], chosen=None)
    battle.act(3)
    battle.move(3, [27, 6.5, 0])
    battle.add("aimed", fighter=3, weapon=0)
    battle.done(3)


def _second_round(battle: Battle) -> None:
    battle.begin(2, 0)
    battle.act(2, watch=1)
    battle.move(2, [18.87, 5.8, 0], [18.87, 5.8, 2.5], [20.6, 5.8, 2.5])
    battle.add("watches", fighter=2, weapon=0)
    battle.done(2)
    battle.act(5)
    battle.move(5, [21.2, 14.4, 0], [18.6, 11.2, 0])
    battle.done(5)
    battle.add("reaction", side=0, candidates=[1, 2], chosen=1)
    battle.shoot(1, 5, [2, 5, 6, 6], [1, 3, 5, 6], how="overwatch", hit=5, goes_prone=1)
    battle.act(1)
    battle.shoot(1, 6, [1, 1, 2, 3], [])
    battle.add("watches", fighter=1, weapon=0)
    battle.done(1)
    battle.act(4)
    battle.move(4, [12.6, 18.7, 0], [13.5, 13.6, 0])
    battle.move(4, [13.4, 12.2, 0])
    battle.shoot(4, 1, [1, 4, 6, 4], [1, 4, 5, 6], goes_prone=1)
    battle.done(4)
    battle.act(0)
    battle.move(0, [10.2, 8.2, 0])
    battle.move(0, [8.4, 10.9, 0])
    battle.fight(0, 6, [[4, 5, 6], []], ["0a6t", "0a5t"])
    battle.done(0)
    battle.add("contract", side=1, candidates=[4, 5], chosen=5)
    battle.shoot(5, 2, [3, 5, 5, 1], [2, 3, 5], how="contract", hit=5, cover=0)
    battle.act(3)
    battle.move(3, [26.8, 10.5, 0])
    battle.shoot(3, 5, [2, 2, 4, 1], [5, 6, 1, 1, 2], hit=3, cover=1)
    battle.done(3)


def _third_round(battle: Battle) -> None:
    battle.begin(3, 1)
    battle.act(4)
    battle.move(4, [12.9, 10.2, 0], [12.5, 8.6, 0])
    battle.add("marker-lost", fighter=1)
    battle.fight(4, 1, [[1, 2, 3, 4, 4], [4, 5, 6]], ["0g4", "0a3p5", "1a6t", "0a4t"])
    battle.fight(4, 1, [[1, 1, 2, 2, 3], [1, 2, 6]], ["0a3p6"])
    battle.done(4)
    battle.act(0)
    battle.shoot(0, 4, [1, 5, 6, 4], [2, 6, 4, 4, 1], allies=[1], redirect=2, target=1, cover=1)
    battle.done(0)
    battle.act(5)
    battle.move(5, [15, 11.6, 0])
    battle.done(5)
    battle.add("reaction", side=0, candidates=[2], chosen=2)
    battle.shoot(2, 5, [1, 1, 3, 4], [], how="overwatch", hit=5)
    battle.act(1)
    battle.fight(1, 4, [[6, 6, 2], [3, 1, 1, 2, 2]], ["0a6t", "0a6t", "1a3t"])
    battle.add("contract", side=1, candidates=[4, 5], chosen=4)
    battle.move(4, [11.6, 9.3, 0], [11.2, 11, 0], action="contract")
    battle.act(3)
    battle.shoot(3, 5, [2, 3, 4, 1], [4, 5, 3, 2], hit=3)
    battle.done(3)
    battle.add("contract", side=1, candidates=[5], chosen=None)
    battle.act(2)
    battle.move(2, [21.6, 6.6, 2.5], [21.6, 7.5, 2.5], [21.6, 7.5, 0], [22, 8.6, 0])
    battle.done(2)


def _fourth_round(battle: Battle) -> None:
    battle.begin(4, 0)
    battle.act(2)
    battle.move(2, [22.6, 10.2, 0])
    battle.loot(2, 2)
    battle.done(2)
    battle.act(4)
    battle.move(4, [10.1, 10.9, 0])
    battle.fight(4, 0, [[6, 2, 1, 1], [1, 2, 3]], ["0a6t"])
    battle.done(4)
    battle.act(3)
    battle.shoot(3, 5, [3, 3, 6, 2], [1, 2, 2], hit=3)
    battle.done(3)
    battle.add("contract", side=1, candidates=[4], chosen=4)
    battle.fight(4, 0, [[4, 6, 2, 1], [5, 1, 2]], ["0a6t", "0a4p5"], how="contract")
    battle.act(0)
    battle.move(0, [6.4, 11.2, 0], action="fall-back")
    battle.loot(0, 0)
    battle.done(0)
    battle.add("over", result=0, wiped_out=0, vp=[*battle.vp], faults=0)
