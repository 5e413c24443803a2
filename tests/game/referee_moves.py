"""Movements and loot: what an activation or a Contract may do with them (M, K4-K5, O12, L)."""

from __future__ import annotations

import math
from typing import Any

from referee_form import Foul
from referee_paths import NEARLY, Bad, Walk, contact_along, overlap, runs_over, standing, stands, through_friend
from referee_state import Battle
from referee_table import ROOM, Place

SAID, ROUNDED = 0.005, 0.02
"""Inches by which the length said may be shorter or longer than the path drawn."""


def end_is_free(game: Battle, i: int, at: Place) -> None:
    """M8, Q6, Q7, Q11: a place on which a fighter may stand."""
    wrong = stands(game.table, game.radius[i], at)
    if wrong:
        raise Foul(wrong[0], game.number, f"{game.name(i)}: {wrong[1]}")
    for j, spot in enumerate(game.s.at):
        if j != i and spot is not None and overlap(game.table, at, game.radius[i], spot, game.radius[j]):
            raise game.foul("Q6 M8", f"{game.name(i)} at {at} overlaps {game.name(j)} at {spot}")


def start_of(game: Battle, i: int, action: str) -> float:
    """Who may move, and how far (M9-M11, M24-M26, K3-K4)."""
    s, rules = game.s, game.rules
    if action == "contract":
        game.use_contract(i)
        game.need("K4 A16", not game.contacts(i), f"{game.name(i)} is in contact")
        game.mark("K4")
        return float(rules["contract_move"])
    if action == "fall-back":
        game.pay(i, "fall-back", rules["fall_back_apl"])
        game.need("M24", game.contacts(i), f"{game.name(i)} is not in contact")
        game.mark("M24", "M25")
        return float(game.men[i]["move"])
    game.pay(i, "move")
    near = game.contacts(i)
    game.need("M11 A16 A17", not near, f"{game.name(i)} is in contact with {near}")
    game.mark("M10")
    if s.watch[i] is not None:
        game.mark("RULING 27")
    return float(game.men[i]["move"])


def on_moved(game: Battle, row: dict[str, Any]) -> None:
    """A normal Move, a Fall Back or the movement of a Contract."""
    i, action, length = row["fighter"], row["action"], row["length"]
    start, most = game.place(i), start_of(game, i, action)
    points = drawn(game, i, start, row["path"])
    game.need("M1", length <= most + 5e-4, f"{game.name(i)} moves {length}, at most {most:g} is allowed")
    walk = Walk(game.table, game.radius[i], points)
    try:
        walk.check()
    except Bad as bad:
        raise Foul(bad.args[0], game.number, f"{game.name(i)}: {bad.args[1]}") from None
    agree = -ROUNDED <= walk.length - length <= SAID
    game.need("M1 M16 M18", agree, f"the path drawn is {walk.length:.4f} long, not {length}")
    foes = passed(game, i, points, game.foes(i))
    for j in foes:
        if runs_over(game.table, walk.points, game.radius[i], game.place(j), game.radius[j]):
            raise game.foul("M4", f"{game.name(i)} passes through {game.name(j)} at {game.place(j)}")
    made = contact_on_the_way(game, i, action, points, foes)
    game.s.at[i] = points[-1]
    end_is_free(game, i, points[-1])
    at_the_end(game, i, action, made)
    note(game, i, walk, length, most, foes)
    game.s.moved = (i, action, points)


def drawn(game: Battle, i: int, start: Place, path: list[Any]) -> list[Place]:
    """The path from where the fighter stands to where it will stand, both on top of a low obstacle if need be."""
    game.need("M1", len(path) > 0, "no path")
    points = [(float(x), float(y), float(z)) for x, y, z in path]
    first = standing(game.table, points[0])
    good = any(math.dist(start, point) <= ROOM for point in (points[0], first))
    game.need("M1", good, f"{game.name(i)} stands on {start}, the path starts on {points[0]}")
    points = [start, *points[1:]] if math.dist(start, points[0]) <= ROOM else [start, *points]
    last = standing(game.table, points[-1])
    if any(piece.stand and abs(piece.top - last[2]) <= ROOM for piece in game.table.low):
        game.mark("RULING 23")
    return points if math.dist(last, points[-1]) <= ROOM else [*points, last]


def passed(game: Battle, i: int, points: list[Place], others: list[int]) -> list[int]:
    """Fighters that a path may touch: those about in reach of contact of the frame around it. It touches no others."""
    xs, ys, _zs = zip(*points, strict=True)
    left, right, front, back = min(xs), max(xs), min(ys), max(ys)
    found = []
    for j in others:
        x, y, _z = game.place(j)
        room = game.radius[i] + game.radius[j] + max(0, game.rules["contact_reach"]) + NEARLY
        if left - room <= x <= right + room and front - room <= y <= back + room:
            found.append(j)
    return found


def contact_on_the_way(game: Battle, i: int, action: str, points: list[Place], foes: list[int]) -> list[int]:
    """M13, RULING 17; K5, K6; RULING 19. Enemies with which contact is made."""
    found = []
    for j in foes:
        made, broken = contact_along(game.table, points, game.radius[i], game.place(j), game.radius[j])
        if made and action == "contract":
            raise game.foul("K5 K6", f"the path of {game.name(i)} comes into contact with {game.name(j)}")
        if broken and action == "move":
            raise game.foul("M13 RULING 17", f"{game.name(i)} makes contact with {game.name(j)} and leaves it again")
        if made:
            found.append(j)
    if action == "fall-back" and len(found) > 1:
        game.mark("RULING 19")
    return found


def at_the_end(game: Battle, i: int, action: str, made: list[int]) -> None:
    """M12, M25, K5, RULING 18."""
    if action == "move":
        if made:
            game.mark("M12", "M13")
        if len(made) > 1:
            game.mark("RULING 17", "B3")
        return
    rules = "K5 RULING 18" if action == "contract" else "M25 RULING 18"
    for j in game.foes(i):
        gap = game.gap(i, j)
        near = game.table.within(gap, game.rules["contact_reach"])
        game.need(rules, not near, f"{game.name(i)} ends {gap:.4f} inch from {game.name(j)}")
    if action == "contract":
        game.mark("K5")


def note(game: Battle, i: int, walk: Walk, length: float, most: float, foes: list[int]) -> None:
    """Which rules of movement mattered."""
    game.mark("M1", "M8", *sorted(walk.met))
    game.mark("M14") if length < most - 0.25 else None
    game.mark("RULING 25") if length == 0 else None
    radius = game.radius[i]
    friends = passed(game, i, walk.points, [j for j in game.living(game.side[i]) if j != i])
    if any(through_friend(walk.points, radius, game.place(j), game.radius[j]) for j in friends):
        game.mark("M3")
    straight = [walk.points[0], walk.points[-1]]
    if any(runs_over(game.table, straight, radius, game.place(j), game.radius[j]) for j in foes):
        game.mark("M4")
    if len(walk.points) > 2:
        game.mark("M5", "M6")


def markers_to_lose(game: Battle) -> set[int]:
    """O12, RULING 36: whose Overwatch ends with the last movement and still stands."""
    if game.s.moved is None:
        return set()
    i, action, points = game.s.moved
    lost = set()
    for j in game.foes(i):
        if game.s.watch[i] is None and game.s.watch[j] is None:
            continue
        touched = game.touch(i, j)
        if action == "fall-back" and not touched:
            touched = contact_along(game.table, points, game.radius[i], game.place(j), game.radius[j])[0]
        if touched:
            lost |= {k for k in (i, j) if game.s.watch[k] is not None}
    return lost


def on_marker_lost(game: Battle, row: dict[str, Any]) -> None:
    """O12, RULING 36."""
    i = row["fighter"]
    game.need("O12", i in markers_to_lose(game), f"{game.name(game_index(game, i))} loses no marker here")
    assert game.s.moved is not None
    game.s.watch[i] = None
    game.mark("O12")
    if game.s.moved[0] != i or game.s.moved[1] == "fall-back":
        game.mark("RULING 36")


def game_index(game: Battle, i: int) -> int:
    """A fighter that exists."""
    game.need("FORM", i < len(game.men), f"there is no fighter {i}")
    return i


def on_looted(game: Battle, row: dict[str, Any]) -> None:
    """L2-L7, RULINGS 29, 58, 59."""
    i, point, s, rules = row["fighter"], row["point"], game.s, game.rules
    game.pay(i, "loot", rules["loot_apl"])
    side = game.side[i]
    game.need("L1", point < len(game.table.loot), f"there is no point {point}")
    game.need("L3 A17", not game.contacts(i), f"{game.name(i)} is in contact")
    gap = game.table.loot_gap(game.place(i), game.radius[i], point)
    game.need("L3 RULING 58", game.at_point(i, point), f"{game.name(i)} is {gap:.4f} inch from point {point}")
    game.need("L2 L3", game.sees_marker(i, point), f"{game.name(i)} does not see the marker of point {point}")
    for j in game.foes(i):
        if game.at_point(j, point):
            game.need("L4", not game.sees_marker(j, point), f"{game.name(j)} contests point {point}")
            game.mark("L2", "L4")
    game.need("L6 RULING 29", (side, point) not in s.looted, f"side {side} has its VP of point {point} this round")
    s.looted.add((side, point))
    s.vp[side] += rules["loot_vp"]
    s.gained[side] += rules["loot_vp"]
    game.need("L7 RULING 59", s.gained[side] <= rules["most_vp"], f"{s.gained[side]} VP in one round")
    game.need("L5", row["vp"] == s.vp, f"VP are {s.vp}, not {row['vp']}")
    game.mark("L3", "L5", "RULING 58")
    if (1 - side, point) in s.looted:
        game.mark("L6")
    if s.gained[side] == rules["most_vp"]:
        game.mark("L7")
