"""Set-up, rounds, turns, windows and the end of a battle (G, R, A, K, O, W, RULINGS 31-36, 38, 55, 60)."""

from __future__ import annotations

from typing import Any

from referee_fire import reaction_candidates
from referee_moves import end_is_free, markers_to_lose
from referee_state import Battle
from referee_table import ROOM

# ── before the first round ────────────────────────────────────────────────────────────────────────────────────────────


def roll_off(game: Battle, row: dict[str, Any], rules: str) -> None:
    """D17: ties are thrown again, the higher of the last throw wins."""
    rolls = row["rolls"]
    game.need("D17", rolls, "nobody rolls")
    game.need("D17", all(a == b for a, b in rolls[:-1]), f"thrown again without a tie: {rolls}")
    a, b = rolls[-1]
    game.need("D17", a != b, f"a tie decides: {rolls}")
    game.need(f"D17 {rules}", row["winner"] == int(b > a), f"{rolls} is not won by side {row['winner']}")
    if len(rolls) > 1:
        game.mark("D17")


def on_zones(game: Battle, row: dict[str, Any]) -> None:
    """G5: the winner's choice; the loser sets up first (G6)."""
    s = game.s
    game.need("G5", s.phase == "zones", "zones were chosen")
    roll_off(game, row, "G5")
    s.zone[row["winner"]], s.zone[1 - row["winner"]] = row["zone"], 1 - row["zone"]
    s.phase, s.turn = "set-up", 1 - row["winner"]
    game.mark("G5")


def on_set_up(game: Battle, row: dict[str, Any]) -> None:
    """G6, RULINGS 55, 57."""
    s, i = game.s, row["fighter"]
    game.need("G6", s.phase == "set-up", "this is not the time to set up")
    game.need("G6", i < len(game.men) and s.at[i] is None, f"fighter {i} cannot be set up")
    side = game.side[i]
    game.need("G6 RULING 55", side == s.turn, f"side {s.turn} sets up next, not {game.name(i)}")
    x, y, z = (float(value) for value in row["at"])
    x0, y0, x1, y1 = game.table.zones[s.zone[side]]
    r = game.radius[i] - ROOM
    inside = x0 + r <= x <= x1 - r and y0 + r <= y <= y1 - r
    game.need("G6", inside, f"{game.name(i)} at ({x:.3f}, {y:.3f}) is not wholly in zone {s.zone[side]}")
    game.need("G6 RULING 57", abs(z) < 1e-6, f"{game.name(i)} is set up at height {z}")
    end_is_free(game, i, (x, y, z))
    s.at[i] = (x, y, z)
    s.left[side] -= 1
    if s.left[1 - side]:
        s.turn = 1 - side
    elif s.left[side]:
        game.mark("RULING 55")
    else:
        s.phase = "starts"
    game.mark("G6", "Q6", "Q7")


def on_starts(game: Battle, row: dict[str, Any]) -> None:
    """G7, R2, RULING 31."""
    game.need("G6 G7", game.s.phase == "starts", "not everybody is set up")
    roll_off(game, row, "G7 R2")
    game.s.first, game.s.phase = row["first"], "turn"
    game.mark("G7", "R2")


# ── whose turn ────────────────────────────────────────────────────────────────────────────────────────────────────────


def due(game: Battle) -> tuple[str, str]:
    """What must come next between two activations, by which rules (RULING 33, R9, W1, W2)."""
    s = game.s
    if game.wiped_out():
        return "over", "W1 R7"
    if not (game.has_ready(0) or game.has_ready(1)):
        return ("over", "R1 W2") if s.round >= game.rules["rounds"] else ("round", "R9 R1")
    if game.has_ready(s.turn):
        return "activated", "R6 RULING 33"
    return "contract", "K1 RULING 33"


DUE = {"reaction": ("O2 O9", ("shot",)), "contract": ("K1 K3", ("moved", "shot", "exchange"))}
"""Who was chosen for them must do one of these, by which rules."""


def settle(game: Battle, event: str) -> None:
    """What the events before this one have left to be done must be done first."""
    s = game.s
    if s.removal is not None:
        game.need("H6", event == "removed", f"{game.name(s.removal[0])} is at {s.hp[s.removal[0]]} HP and not removed")
    if s.moved is not None and event != "marker-lost":
        left = sorted(markers_to_lose(game))
        game.need("O12 RULING 36", not left, f"markers of {left} are gone with contact, the log does not say so")
        s.moved = None
    if s.phase == "window" and event != "reaction":
        some = reaction_candidates(game)
        game.need("O2 RULING 35 R7", not some, f"{some} may fire at {s.ended}, yet no reaction is asked")
        s.phase, s.ended = "turn", None
    due_now = DUE.get(s.phase)
    if due_now is not None and event not in ("marker-lost", "removed"):
        game.need(due_now[0], event in due_now[1], f"fighter {s.chosen} was chosen to act, not {event!r}")
    if s.phase == "turn" and event not in ("marker-lost", "removed"):
        what, rules = due(game)
        if event != what:
            raise game.foul(rules, f"{what!r} of side {s.turn} is due, not {event!r}")


def on_round(game: Battle, row: dict[str, Any]) -> None:
    """R1, R3-R5."""
    s = game.s
    game.need("R1", s.phase == "turn", "a round starts in the middle of something")
    s.round += 1
    game.need("R1 FORM", row["round"] == s.round, f"this is round {s.round}")
    game.need("R5" if s.round > 1 else "R2", row["first"] == s.first, f"side {s.first} is first")
    s.turn, s.first = s.first, 1 - s.first
    s.looted, s.gained, s.fired = set(), [0, 0], set()
    s.ready = [spot is not None for spot in s.at]
    s.contracted = [False] * len(game.men)
    game.mark("R3", *(["R5"] if s.round > 1 else []))
    if any(watch is not None for watch in s.watch):
        game.mark("R4")


# ── activations ───────────────────────────────────────────────────────────────────────────────────────────────────────


def on_activated(game: Battle, row: dict[str, Any]) -> None:
    """R6, R7 steps 1-2, A1-A2, P3, O11."""
    s, i, rules = game.s, row["fighter"], game.rules
    game.place(i)
    game.need("R6", s.phase == "turn", f"{game.name(i)} is activated in the middle of something")
    game.need("R6 RULING 33", game.side[i] == s.turn, f"{game.name(i)} is activated, side {s.turn} is on turn")
    game.need("R6 E4", s.ready[i], f"{game.name(i)} is not ready")
    game.need("O11 R7", row["watch"] == (s.watch[i] is not None), f"the marker of {game.name(i)} is {s.watch[i]}")
    game.need("P3 A2", row["debt"] == s.prone[i], f"{game.name(i)} is {'prone' if s.prone[i] else 'not prone'}")
    card = game.men[i]["apl"]
    apl = max(0, min(rules["max_apl"], card - rules["prone_debt"] * s.prone[i]))
    game.need("A1 A2 P3", row["apl"] == apl, f"{game.name(i)} gets {apl} APL, not {row['apl']}")
    game.mark("R6", "A2", *(["O11"] if row["watch"] else []), *(["P3"] if row["debt"] else []))
    game.mark(*(["P6"] if row["debt"] and apl == 0 else []))
    s.watch[i], s.prone[i] = None, False
    s.phase, s.active, s.apl, s.done, s.aim = "acting", i, apl, [], None


def on_aimed(game: Battle, row: dict[str, Any]) -> None:
    """S1, S2."""
    i = row["fighter"]
    game.place(i)
    game.pay(i, "aim")
    game.weapon(i, row["weapon"], ("ranged", "pistol"), "S1")
    game.need("S2 A17", not game.contacts(i), f"{game.name(i)} is in contact")
    game.s.aim = row["weapon"]
    game.mark("S1")


def on_watches(game: Battle, row: dict[str, Any]) -> None:
    """O1."""
    i = row["fighter"]
    game.place(i)
    game.pay(i, "overwatch")
    game.weapon(i, row["weapon"], ("ranged", "pistol"), "O1")
    game.need("O1 A17", not game.contacts(i), f"{game.name(i)} is in contact")
    game.s.watch[i] = row["weapon"]
    game.mark("O1")


def on_removed(game: Battle, row: dict[str, Any]) -> None:
    """H6-H7, RULINGS 32, 40; W1."""
    s, i = game.s, row["fighter"]
    expected = None if s.removal is None else list(s.removal)
    game.need("H6", expected == [i, row["by"]], f"who goes, by whom: {expected}, not {[i, row['by']]}")
    if s.phase == "acting":
        game.mark("H7")
    s.removal, s.at[i], s.ready[i], s.watch[i], s.prone[i] = None, None, False, None, False
    game.mark("H6")
    if s.phase == "acting" and (s.active == i or game.wiped_out()):
        game.mark(*(["RULING 32"] if s.active == i else []))
        s.turn, s.active, s.phase = 1 - game.side[s.active or 0], None, "turn"


def on_finished(game: Battle, row: dict[str, Any]) -> None:
    """R7 steps 3-5: the fighter becomes activated, and it is the other player's turn."""
    s, i = game.s, row["fighter"]
    game.need("R7", s.phase == "acting" and s.active == i, f"{i} finishes, {s.active} is active")
    game.mark(*(["A6"] if s.apl else []))
    s.active, s.aim, s.apl, s.ready[i], s.ended = None, None, 0, False, i
    s.phase, s.turn = "window", 1 - game.side[i]


# ── windows ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def on_reaction(game: Battle, row: dict[str, Any]) -> None:
    """R7 step 6, O2-O9, RULINGS 35, 38."""
    s, chosen = game.s, row["chosen"]
    game.need("O4 O15 R7", s.phase == "window", "no activation has just ended")
    game.need("O2 O9", row["side"] == s.turn, f"the window is of side {s.turn}")
    some = reaction_candidates(game)
    game.need("O2 RULING 35", some, f"nobody may fire at {s.ended}")
    told = f"{some} may fire at {s.ended}, not {row['candidates']}"
    game.need("O2 O3 RULING 35", sorted(row["candidates"]) == some, told)
    game.need("O9", chosen is None or chosen in some, f"{chosen} is chosen among {some}")
    game.mark(*(["O9"] if len(some) > 1 else []), *(["O8"] if "move" not in s.done else []))
    if not (game.has_ready(0) or game.has_ready(1)):
        game.mark("R9", *(["RULING 38"] if s.round == game.rules["rounds"] else []))
    if chosen is None:
        s.phase, s.ended = "turn", None
    else:
        s.phase, s.chosen = "reaction", chosen


def on_contract(game: Battle, row: dict[str, Any]) -> None:
    """K1-K2, K8-K9, RULINGS 33, 34."""
    s, chosen = game.s, row["chosen"]
    game.need("K1", s.phase == "turn", "a Contract in the middle of something")
    game.need("K1 RULING 33", row["side"] == s.turn, f"the window is of side {s.turn}")
    mine = game.living(s.turn)
    some = [i for i in mine if not s.contracted[i] and s.watch[i] is None and not s.ready[i]]
    told = f"candidates are {some}, not {row['candidates']}"
    game.need("K1 K2 K9", sorted(row["candidates"]) == some, told)
    game.mark("K1", *(["K2"] if any(s.contracted[i] for i in mine) else []))
    game.mark(*(["K9"] if any(s.watch[i] is not None for i in mine) else []))
    if chosen is None:
        game.mark("K8")
    else:
        game.need("K1 K2 K9", chosen in some, f"{chosen} is chosen among {some}")
        s.contracted[chosen], s.phase, s.chosen = True, "contract", chosen
        game.mark(*(["RULING 34"] if chosen in s.fired else []))
    s.turn = 1 - s.turn


# ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def on_over(game: Battle, row: dict[str, Any]) -> None:
    """W1, W2, RULING 60."""
    s = game.s
    game.need("W1 W2", s.phase == "turn", "it is over in the middle of something")
    dead = game.wiped_out()
    game.need("W1 H8", row["wiped_out"] == bool(dead), f"sides wiped out: {dead}")
    game.need("W2 L5", row["vp"] == s.vp, f"VP are {s.vp}, not {row['vp']}")
    lead = s.vp[0] - s.vp[1]
    result = (2 if dead[0] == 0 else 0) if dead else 1 - (lead > 0) + (lead < 0)
    game.need("W1 H8" if dead else "W2", row["result"] == result, f"the result is {result}, not {row['result']}")
    s.phase = "over"
    game.mark(*(["W1"] if dead else ["W2", "R1"]))
