"""One exchange of a log, step by step (B, RULINGS 2, 6, 47-52)."""

from __future__ import annotations

from typing import Any

from referee_state import Battle

NAMES = ("initiator", "enemy")


def on_exchange(game: Battle, row: dict[str, Any]) -> None:
    """B10 and all steps."""
    i, j, s = row["fighter"], row["enemy"], game.s
    game.place(i)
    game.place(j)
    if row["how"] == "contract":
        game.use_contract(i)
        game.mark("RULING 52")
    else:
        if s.done[-1:] == ["move"]:
            game.mark("M23")
        game.pay(i, "melee")
    game.need("B2", game.side[i] != game.side[j], f"{game.name(j)} is no enemy")
    contacts = game.contacts(i)
    game.need("B2 E6", j in contacts, f"{game.name(i)} is in contact with {contacts}, not with {j}")
    game.mark("B2", "E6", "B4", *(["B3"] if len(contacts) > 1 else []))
    arms = weapons(game, row)
    pools = gather(game, row, arms)
    taken = Exchange(game, row, arms, pools).play()
    for k, fighter in enumerate((i, j)):
        game.need("B13 H1", row["damage"][k] == taken[k], f"the {NAMES[k]} takes {taken[k]}, not {row['damage'][k]}")
        fine = -1e-3 <= row["expected"][k] <= s.hp[fighter] + 1e-3
        game.need("H1", fine, f"the {NAMES[k]} is expected to lose {row['expected'][k]} of {s.hp[fighter]} HP")
    for k, (fighter, by) in enumerate(((i, j), (j, i))):
        after = game.lose(fighter, taken[k], by)
        game.need("H1", row["hp"][k] == after, f"{game.name(fighter)} has {after} HP, not {row['hp'][k]}")


def weapons(game: Battle, row: dict[str, Any]) -> list[Any]:
    """B10 step 2; RULING 6: who has no melee weapon fights without one."""
    mine = game.weapon(row["fighter"], row["weapon"], ("melee",), "B10")
    enemy, number = row["enemy"], row["enemy_weapon"]
    if number is not None:
        return [mine, game.weapon(enemy, number, ("melee",), "B10")]
    bare = all(arm["type"] != "melee" for arm in game.men[enemy]["weapons"])
    game.need("B10 RULING 6", bare, f"{game.name(enemy)} has a melee weapon")
    game.mark("RULING 6")
    return [mine, None]


def gather(game: Battle, row: dict[str, Any], arms: list[Any]) -> list[list[int]]:
    """B10 steps 3-7: Hits, dice, pools."""
    pools = []
    for k, fighter in enumerate((row["fighter"], row["enemy"])):
        arm, faces = arms[k], row["rolls"][k]
        if arm is None:
            game.need("RULING 6", not faces and not row["pools"][k], f"the enemy has no weapon, yet rolls {faces}")
            pools.append([])
            continue
        worse = game.rules["contract"] if k == 0 and row["how"] == "contract" else 0
        hit = game.hit(arm["hit"], worse)
        told = f"the Hit of the {NAMES[k]} is {hit}+, not {row['hits'][k]}"
        game.need("B10 K3 RULING 52", row["hits"][k] == hit, told)
        dice = game.dice(fighter, arm)
        game.need("B10 H3", len(faces) == dice, f"the {NAMES[k]} rolls {dice} dice, not {faces}")
        pool = sorted(face for face in faces if face >= hit)
        game.need("B10", row["pools"][k] == pool, f"of {faces} at {hit}+ the {NAMES[k]} keeps {pool}")
        pools.append(pool)
    game.mark("B10")
    return pools


class Exchange:
    """The steps, one after another."""

    def __init__(self, game: Battle, row: dict[str, Any], arms: list[Any], pools: list[list[int]]) -> None:
        self.game, self.row, self.arms, self.pools = game, row, arms, [list(pool) for pool in pools]
        self.hp = [game.s.hp[row["fighter"]], game.s.hp[row["enemy"]]]
        self.taken, self.leader, self.guarded, self.dead, self.at = [0, 0], 0, False, False, 0

    def need(self, rules: str, fine: object, sentence: str) -> None:
        self.game.need(rules, fine, f"step {self.at}: {sentence}; pools {self.pools}")

    def play(self) -> list[int]:
        """Damage to the initiator and to the enemy."""
        for number, step in enumerate(self.row["steps"]):
            self.at = number
            self.need("B22", not self.dead, "one more after a removal")
            self.hand_over()
            self.need("B21", self.pools[0] or self.pools[1], "one more without dice")
            if step["side"] != self.leader and self.game.rules["may_pass"]:
                self.pass_on()
            self.need("B7 B21", step["side"] == self.leader, f"the {NAMES[self.leader]} leads")
            if step["lead"] == "guard":
                self.guard(step)
            else:
                self.attack(step)
        self.at = len(self.row["steps"])
        rules = "B21 B23 RULING 47"
        self.need(rules, self.dead or not (self.pools[0] or self.pools[1]), "it ends with dice left")
        self.game.mark(*(["B22"] if self.dead and (self.pools[0] or self.pools[1]) else []))
        self.game.mark(*([] if self.dead else ["B23", "RULING 47"]))
        return self.taken

    def hand_over(self) -> None:
        """B21, RULING 49."""
        if not self.pools[self.leader] and self.pools[1 - self.leader]:
            self.game.mark("B21", *(["RULING 49"] if self.at == 0 else []))
            self.pass_on()

    def pass_on(self) -> None:
        self.leader, self.guarded = 1 - self.leader, False

    def guard(self, step: dict[str, Any]) -> None:
        """B16-B18, RULING 48."""
        face = step["face"]
        self.need("B16", self.game.rules["guard"], "Guard does not exist")
        self.need("B16", step["answer"] is None and step["with"] is None, "Guard has no answer")
        self.need("B18 RULING 48", face != 6, "a 6 is no die for Guard")
        self.need("B17", not self.guarded, "a second Guard in one series")
        self.need("B16", all(face in pool for pool in self.pools), f"no {face} in both pools")
        for pool in self.pools:
            pool.remove(face)
        self.guarded = True
        self.game.mark("B16", "B17")

    def attack(self, step: dict[str, Any]) -> None:
        """B11-B15, B19, B20, RULING 51."""
        other, face = 1 - self.leader, step["face"]
        self.need("B11", face in self.pools[self.leader], f"the {NAMES[self.leader]} has no {face}")
        self.pools[self.leader].remove(face)
        higher = [die for die in self.pools[other] if die > face]
        self.game.mark("B11", *(["B19"] if face == 6 else []))
        if step["answer"] == "parry":
            self.need("B14", step["with"] in self.pools[other], f"the {NAMES[other]} has no {step['with']}")
            self.need("B14 B15", step["with"] in higher, f"a {step['with']} does not parry a {face}")
            self.pools[other].remove(step["with"])
            self.game.mark("B14")
            self.pass_on()
            return
        self.need("B12", step["answer"] == "take" and step["with"] is None, f"answered by {step['answer']}")
        self.game.mark("B13", "RULING 51" if higher else "B15" if self.pools[other] else "B20")
        damage = self.arms[self.leader]["damage"]
        self.hp[other] -= damage
        self.taken[other] += damage
        self.dead = self.hp[other] <= 0
