"""A second reading of a log: HP, places, faces and exchanges followed with the least that must be known.

It knows no terrain (the referee does) and takes nothing from the package.
"""

from __future__ import annotations

import math
from collections import Counter


class Follower:
    """Follows a log with the least it must know: HP, places, markers and whose turn it may be."""

    def __init__(self, log):
        self.men, self.rules = log[0]["fighters"], log[0]["rules"]
        self.hp = [man["hp"] for man in self.men]
        self.at, self.vp, self.dying = {}, [0, 0], []
        self.active = self.round = 0
        self.seen = Counter()
        for number, row in enumerate(log[1:]):
            assert row["n"] == number
            self.seen[row["event"]] += 1
            self.follow(row)
        assert log[-1]["event"] == "over"
        assert not self.dying

    def follow(self, row):
        name, who = row["event"], row.get("fighter")
        assert not self.dying or name == "removed", "a removal follows its blow at once"
        if name == "round":
            self.round, self.done, self.contracted = self.round + 1, set(), set()
        assert row["round"] == self.round
        if who is not None and name not in ("set-up", "removed"):
            assert who in self.at
            assert self.hp[who] > 0
        getattr(self, f"on_{name.replace('-', '_')}", lambda row: None)(row)

    def on_zones(self, row):
        assert row["rolls"][-1][row["winner"]] > row["rolls"][-1][1 - row["winner"]]
        assert all(one == other for one, other in row["rolls"][:-1])

    on_starts = on_zones

    def on_set_up(self, row):
        assert row["fighter"] not in self.at
        self.at[row["fighter"]] = row["at"]

    def on_activated(self, row):
        assert row["fighter"] not in self.done
        self.done.add(row["fighter"])
        apl = self.men[row["fighter"]]["apl"] - row["debt"]
        assert row["apl"] == max(0, min(4, apl))

    def on_moved(self, row):
        start, end = row["path"][0], row["path"][-1]
        assert start[:2] == self.at[row["fighter"]][:2]
        assert len(row["path"]) >= 2
        plain = math.hypot(end[0] - start[0], end[1] - start[1])
        reach = 3.0 if row["action"] == "contract" else self.men[row["fighter"]]["move"]
        assert plain - 0.002 <= row["length"] <= reach
        self.at[row["fighter"]] = end

    def on_looted(self, row):
        self.vp[self.men[row["fighter"]]["side"]] += 1
        assert row["vp"] == self.vp

    def on_shot(self, row):
        shooter, target = self.men[row["fighter"]], row["target"]
        arm = shooter["weapons"][row["weapon"]]
        injured = 2 * self.hp[row["fighter"]] < shooter["hp"]
        assert row["injured"] == injured
        assert len(row["attack"]) == max(0, arm["dice"] - injured)
        worse = (row["how"] != "action") + row["in_contact"] - row["aimed"]
        assert row["hit"] == max(2, min(6, arm["hit"] + worse))
        self.faces(row["attack"], row["hit"], row["normals"], row["crits"])
        self.faces(row["defence"], 4, row["saves"], row["crit_saves"])
        if row["normals"] + row["crits"]:
            dice = self.men[target]["defence"] + row["cover"] + (row["prone"] | row["goes_prone"])
            assert len(row["defence"]) == dice
        else:
            assert not row["defence"]
            assert not row["goes_prone"]
        normals = max(0, row["normals"] - row["saves"])
        left = min(
            max(0, normals - 2 * k) + max(0, row["crits"] - row["crit_saves"] + k) for k in range(row["crit_saves"] + 1)
        )
        assert row["hits_left"] == left
        damage = 0
        while left and damage < self.hp[target]:
            damage, left = damage + arm["damage"], left - 1
        assert row["damage"] == damage
        if not row["allies"]:
            assert row["redirect"] is None
            assert target == row["declared"]
        else:
            assert target in (row["allies"] if row["redirect"] <= 3 else [row["declared"]])
        assert 0 <= row["expected"] <= self.hp[row["declared"]]
        self.lose(target, damage, row["fighter"], row["hp"])

    def on_exchange(self, row):
        both = row["fighter"], row["enemy"]
        arms = [
            None if weapon is None else self.men[who]["weapons"][weapon]
            for who, weapon in zip(both, (row["weapon"], row["enemy_weapon"]), strict=True)
        ]
        pools = []
        for k, who in enumerate(both):
            injured = 2 * self.hp[who] < self.men[who]["hp"]
            assert len(row["rolls"][k]) == (max(0, arms[k]["dice"] - injured) if arms[k] else 0)
            assert row["hits"][k] == (
                min(6, arms[k]["hit"] + (k == 0 and row["how"] == "contract")) if arms[k] else None
            )
            pools.append(sorted(face for face in row["rolls"][k] if face >= (row["hits"][k] or 7)))
        assert row["pools"] == pools
        hp, taken, leader, guarded = [self.hp[who] for who in both], [0, 0], 0, False
        for step in row["steps"]:
            assert min(hp) > 0
            if not pools[leader]:
                leader, guarded = 1 - leader, False
            assert step["side"] == leader
            other = 1 - leader
            pools[leader].remove(step["face"])
            if step["lead"] == "guard":
                assert not guarded
                assert step["face"] < 6
                assert step["answer"] is None
                pools[other].remove(step["face"])
                guarded = True
            elif step["answer"] == "parry":
                assert step["with"] > step["face"]
                pools[other].remove(step["with"])
                leader, guarded = other, False
            else:
                hp[other] -= arms[leader]["damage"]
                taken[other] += arms[leader]["damage"]
        assert min(hp) <= 0 or not any(pools)
        assert row["damage"] == taken
        for k, who in enumerate(both):
            assert 0 <= row["expected"][k] <= self.hp[who]
            self.lose(who, taken[k], both[1 - k], row["hp"][k])

    def on_removed(self, row):
        assert (row["fighter"], row["by"]) in self.dying
        self.dying.remove((row["fighter"], row["by"]))
        del self.at[row["fighter"]]

    def on_contract(self, row):
        assert row["chosen"] is None or row["chosen"] in row["candidates"]
        assert all(who in self.done and who not in self.contracted for who in row["candidates"])
        self.contracted.add(row["chosen"])

    def on_reaction(self, row):
        assert row["candidates"]
        assert row["chosen"] is None or row["chosen"] in row["candidates"]

    def on_over(self, row):
        alive = [sum(self.men[who]["side"] == side for who in self.at) for side in (0, 1)]
        assert row["vp"] == self.vp
        assert row["faults"] == 0
        assert row["wiped_out"] == (0 in alive)
        if 0 in alive:
            assert row["result"] == (2 if alive[0] == 0 else 0)
        else:
            assert row["result"] == 1 + (self.vp[1] > self.vp[0]) - (self.vp[1] < self.vp[0])
            assert self.round == 4

    @staticmethod
    def faces(dice, hit, normals, crits):
        assert all(1 <= face <= 6 for face in dice)
        assert (normals, crits) == (sum(hit <= face < 6 for face in dice), dice.count(6))

    def lose(self, who, damage, by, after):
        self.hp[who] -= damage
        assert self.hp[who] == after
        if after <= 0:
            self.dying.append((who, by))
