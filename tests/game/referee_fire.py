"""Shooting: every shot of a log, number by number (S, F, O, P, V, RULINGS 3, 28, 35, 41, 43)."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from referee_state import Battle

ROUNDED = 1e-3
"""By which an expected value may be off: rounding."""


# ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def fewest_left(normals: int, crits: int, saves: int, crit_saves: int, pair: int) -> int:
    """S20-S22: the fewest hits left, over every way to spend the saves; each critical save cancels one critical hit or
    up to `pair` normal hits, each normal save one normal hit."""
    best = normals + crits
    for on_normals in range(min(saves, normals) + 1):
        for on_crits in range(min(crit_saves, crits) + 1):
            for more in range(min(pair * (crit_saves - on_crits), normals - on_normals) + 1):
                best = min(best, normals - on_normals - more + crits - on_crits)
    return best


@cache
def classes(dice: int, low: int) -> list[tuple[int, int, float]]:
    """Every (normal, critical) count of a roll and its chance: a die is normal from `low` to 5, critical at 6."""
    miss, normal, crit = (low - 1) / 6, (6 - low) / 6, 1 / 6
    return [
        (n, c, math.comb(dice, n) * math.comb(dice - n, c) * normal**n * crit**c * miss ** (dice - n - c))
        for n in range(dice + 1)
        for c in range(dice - n + 1)
    ]


@cache
def mean_lost(normals: int, crits: int, dice: int, save: int, pair: int, damage: int, hp: int) -> float:
    """Mean HP lost to hits already rolled."""
    return sum(
        chance * min(hp, damage * fewest_left(normals, crits, saves, crit_saves, pair))
        for saves, crit_saves, chance in classes(dice, save)
    )


@cache
def expected_between(
    dice: int, hit: int, defence: int, more: int, save: int, pair: int, damage: int, hp: int
) -> tuple[float, float]:
    """Least and most HP lost on average, over all ways to decide about going prone (worth `more` dice)."""
    least = most = 0.0
    for normals, crits, chance in classes(dice, hit):
        if normals + crits:
            up = mean_lost(normals, crits, defence, save, pair, damage, hp)
            down = mean_lost(normals, crits, defence + more, save, pair, damage, hp)
            least, most = least + chance * min(up, down), most + chance * max(up, down)
    return least, most


# ── who may be shot ───────────────────────────────────────────────────────────────────────────────────────────────────


def may_fire(game: Battle, i: int, weapon: int, j: int) -> bool:
    """Whether an Overwatch shot at j is legal now (O2, S6, S7, RULINGS 35, 45)."""
    arm = game.men[i]["weapons"][weapon]
    return not game.contacts(i) and game.reaches(i, arm, j) and game.sees(i, j)


def reaction_candidates(game: Battle) -> list[int]:
    """RULING 35: who may answer the activation that has just ended."""
    target = game.s.ended
    if target is None:
        return []
    watchers = [i for i in game.foes(target) if game.s.watch[i] is not None]
    return [i for i in watchers if may_fire(game, i, game.s.watch[i] or 0, target)]


def friends_in_danger(game: Battle, i: int, arm: Any, declared: int) -> list[int]:
    """F2, F3."""
    mates = [k for k in game.living(game.side[i]) if k != i]
    return [k for k in mates if game.touch(k, declared) and game.reaches(i, arm, k) and game.sees(i, k)]


# ── one shot ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def on_shot(game: Battle, row: dict[str, Any]) -> None:
    """S9-S19 in order."""
    i = row["fighter"]
    game.place(i)
    arm = game.weapon(i, row["weapon"], ("ranged", "pistol"), "S9")
    begin(game, row)
    legal_target(game, row, arm)
    choose_target(game, row, arm)
    roll(game, row, arm)
    defend(game, row, arm)
    harm(game, row, arm)


def begin(game: Battle, row: dict[str, Any]) -> None:
    """Payment, or what stands for it (A10, K3, O2, O9, O10); the Aim bonus (S3, O14, RULING 28)."""
    i, s, aimed = row["fighter"], game.s, 0
    if row["how"] == "action":
        if "shoot" in s.done:
            game.mark("S8")
        game.pay(i, "shoot")
        if s.aim is not None:
            aimed = int(s.aim == row["weapon"])
            game.mark("S3" if aimed else "RULING 28")
        s.aim = None
    elif row["how"] == "contract":
        game.use_contract(i)
    else:
        game.need("O2 O9", s.phase == "reaction" and s.chosen == i, f"{game.name(i)} has no reaction shot now")
        game.need("O2", row["declared"] == s.ended, f"Overwatch at {row['declared']}, but {s.ended} ended")
        game.need("O1", row["weapon"] == s.watch[i], f"weapon {row['weapon']}, but {s.watch[i]} was prepared")
        s.phase, s.chosen, s.ended, s.watch[i] = "turn", None, None, None
        s.fired.add(i)
        game.mark("O2", "O5", "O7", "O10")
    game.need("S3 O14 RULING 28", row["aimed"] == aimed, f"aimed is {aimed}, not {row['aimed']}")


def legal_target(game: Battle, row: dict[str, Any], arm: Any) -> None:
    """S5-S7, V2, RULING 45: the declared target."""
    i, j = row["fighter"], row["declared"]
    game.place(j)
    game.need("S5", game.side[j] != game.side[i], f"{game.name(j)} is no enemy")
    near = game.contacts(i)
    game.need("S7 E6", row["in_contact"] == bool(near), f"{game.name(i)} is in contact with {near}")
    if near:
        game.need("S7 A16", arm["type"] == "pistol", f"{arm['name']} shot in contact with {near}")
        game.need("S7", j in near, f"{game.name(j)} is not in contact with the shooter, {near} are")
        game.mark("S7", "A16")
        if row["how"] != "action" or row["aimed"]:
            game.mark("RULING 3")
    game.need("S6", game.reaches(i, arm, j), f"{game.name(j)} is {game.gap(i, j):.4f} away, Range {arm['reach']}")
    if arm["type"] == "pistol" or arm["reach"] is not None:
        game.mark("S6", "RULING 5")
    game.need("V2 S5", game.sees(i, j), f"{game.name(i)} on {game.place(i)} does not see {j} on {game.place(j)}")
    game.mark("V2")


def choose_target(game: Battle, row: dict[str, Any], arm: Any) -> None:
    """F1-F8: the friendly-fire list, its die, the actual target, and its cover."""
    i, declared, target, face = row["fighter"], row["declared"], row["target"], row["redirect"]
    allies = friends_in_danger(game, i, arm, declared)
    game.need("F2 F3", sorted(row["allies"]) == allies, f"allies in danger are {allies}, not {row['allies']}")
    if any(game.touch(k, declared) for k in game.living(game.side[i])):
        game.mark("RULING 46")
    if not allies:
        game.need("F3", face is None and target == declared, f"nobody is in danger, target {target}, die {face}")
        game.mark("F3")
    else:
        game.need("F4", face is not None, f"no die is thrown with {allies} in danger")
        turned = face <= game.rules["friendly_fire"]
        good = target in allies if turned else target == declared
        game.need("F4 F6", good, f"a {face} makes {target} the target, declared {declared}, allies {allies}")
        game.mark("F2", "F4")
        if turned:
            game.mark("F6", "F7", "RULING 40", *(["F5"] if len(allies) > 1 else []))
            game.mark(*(["F8"] if row["in_contact"] else []))
    game.place(target)
    cover = int(game.table.cover(game.place(i), game.place(target)))
    spots = f"{target} on {game.place(target)} seen from {i} on {game.place(i)}"
    game.need("V6 F6", row["cover"] == cover, f"cover is {cover}, not {row['cover']}: {spots}")
    game.mark("V6")


def roll(game: Battle, row: dict[str, Any], arm: Any) -> None:
    """S12-S14, H3."""
    i, rules = row["fighter"], game.rules
    game.need("H2", row["injured"] == game.injured(i), f"{game.name(i)} has {game.s.hp[i]} of {game.men[i]['hp']} HP")
    worse = {"action": 0, "overwatch": rules["overwatch"], "contract": rules["contract"]}[row["how"]]
    worse += rules["pistol_in_contact"] * row["in_contact"] - rules["aim"] * row["aimed"]
    hit = game.hit(arm["hit"], worse)
    rule = {"action": "S12 D7 D8", "overwatch": "O5 D8", "contract": "K3 D8"}[row["how"]]
    game.need(f"{rule} S7" if row["in_contact"] else rule, row["hit"] == hit, f"the Hit is {hit}+, not {row['hit']}+")
    dice = game.dice(i, arm)
    game.need("S13 H3", len(row["attack"]) == dice, f"{dice} Attack Dice, not {row['attack']}")
    game.mark("S13")
    normals, crits = sum(hit <= face < 6 for face in row["attack"]), row["attack"].count(6)
    told = f"{row['attack']} at {hit}+ is {normals} normal and {crits} critical hits"
    game.need("S14", (row["normals"], row["crits"]) == (normals, crits), told)
    if normals + crits == 0:
        game.mark("S14")


def defend(game: Battle, row: dict[str, Any], arm: Any) -> None:
    """S15-S17, P1-P5, V9, RULING 43."""
    t, rules, hits = row["target"], game.rules, row["normals"] + row["crits"]
    before = game.s.prone[t]
    game.need("P2 P4", row["prone"] == before, f"{game.name(t)} is {'prone' if before else 'not prone'}")
    if row["goes_prone"]:
        game.need("P1 S14", hits > 0, "it goes prone without a hit")
        game.need("P4", not before, "it goes prone again")
        game.s.prone[t] = True
        game.mark("P1")
    prone = game.s.prone[t]
    dice = max(0, game.men[t]["defence"] + rules["cover_dice"] * row["cover"] + rules["prone_dice"] * prone)
    if hits == 0:
        empty = not row["defence"] and row["saves"] == row["crit_saves"] == 0
        game.need("S14", empty, f"no hit, yet {row['defence']} is rolled in defence")
        return
    game.need("S16 V9 P2", len(row["defence"]) == dice, f"{dice} Defence Dice, not {row['defence']}")
    game.mark("S17", *(["V9"] if row["cover"] else []), *(["P2"] if prone else []), *(["P4"] if before else []))
    game.mark(*(["P5"] if prone and row["cover"] else []))
    saves = sum(rules["save"] <= face < 6 for face in row["defence"])
    crits = row["defence"].count(6)
    game.need("S17", (row["saves"], row["crit_saves"]) == (saves, crits), f"{row['defence']} saves {saves}, {crits}")


def harm(game: Battle, row: dict[str, Any], arm: Any) -> None:
    """S18-S23, H1, RULING 41; and the value expected before the dice."""
    t, pair = row["target"], game.rules["crit_save_normals"]
    hits = row["normals"] + row["crits"]
    left = fewest_left(row["normals"], row["crits"], row["saves"], row["crit_saves"], pair)
    game.need("S18 S20 S21 S22", row["hits_left"] == left, f"{left} hits are left, not {row['hits_left']}")
    game.mark(*(["S20"] if row["saves"] and row["normals"] else []))
    game.mark(*(["S21"] if row["crit_saves"] and hits else []))
    game.mark(*(["S22"] if row["saves"] > row["normals"] and row["crits"] else []))
    expected(game, row, arm)
    hp, resolved = game.s.hp[t], 0
    while resolved < left and hp > 0:
        hp, resolved = hp - arm["damage"], resolved + 1
    game.mark(*(["S19"] if resolved < left else []))
    damage = resolved * arm["damage"]
    game.need("S19", row["damage"] == damage, f"{resolved} hits of {left} do {damage} damage, not {row['damage']}")
    after = game.lose(t, damage, row["fighter"])
    game.need("H1", row["hp"] == after, f"{game.name(t)} has {after} HP, not {row['hp']}")


def expected(game: Battle, row: dict[str, Any], arm: Any) -> None:
    """What the shot was worth at its declaration: mean HP lost by the declared target, whatever it does about Prone."""
    i, j, rules = row["fighter"], row["declared"], game.rules
    was_prone = game.s.prone[j] and not (row["goes_prone"] and row["target"] == j)
    cover = game.table.cover(game.place(i), game.place(j))
    defence = max(0, game.men[j]["defence"] + rules["cover_dice"] * cover + rules["prone_dice"] * was_prone)
    more = 0 if was_prone else rules["prone_dice"]
    least, most = expected_between(
        len(row["attack"]), row["hit"], defence, more, rules["save"], rules["crit_save_normals"], arm["damage"],
        game.s.hp[j],
    )  # fmt: skip
    stays = (6 - rules["friendly_fire"]) / 6 if row["allies"] else 1.0
    good = stays * least - ROUNDED <= row["expected"] <= stays * most + ROUNDED
    game.need("S19 H1", good, f"expected {row['expected']}, not from {stays * least:.4f} to {stays * most:.4f}")
