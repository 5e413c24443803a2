"""Changes of the stories, each of which breaks a rule: (story, rule that the referee must name, edit of the log)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from referee_builder import box
from referee_stories import R

Log = list[dict[str, Any]]
Edit = Callable[[Log], None]


def find(log: Log, event: str, nth: int = 0) -> int:
    """Where in a log the nth event of a kind is."""
    return [k for k, row in enumerate(log) if row["event"] == event][nth]


def change(event: str, nth: int = 0, **values: Any) -> Edit:
    return lambda log: log[find(log, event, nth)].update(values)


def drop(event: str, nth: int = 0) -> Edit:
    return lambda log: log.pop(find(log, event, nth)) and None


def swap(event: str, nth: int = 0) -> Edit:
    """An event and the next one change places."""

    def edit(log: Log) -> None:
        k = find(log, event, nth)
        log[k], log[k + 1] = log[k + 1], log[k]

    return edit


def insert(event: str, nth: int = 0, *, after: int = 0, **row: Any) -> Edit:
    """A new event before an event (or so many after it)."""

    def edit(log: Log) -> None:
        k = find(log, event, nth)
        log.insert(k + after, {"round": log[k]["round"], "n": 0, **row, "event": row["kind"]})
        del log[k + after]["kind"]

    return edit


def again(event: str, nth: int = 0, **values: Any) -> Edit:
    """The same event once more."""

    def edit(log: Log) -> None:
        k = find(log, event, nth)
        log.insert(k + 1, {**copy.deepcopy(log[k]), **values})

    return edit


def header(work: Callable[[dict[str, Any]], Any]) -> Edit:
    return lambda log: work(log[0]) and None


def both(*edits: Edit) -> Edit:
    def edit(log: Log) -> None:
        for one in edits:
            one(log)

    return edit


def steps(*told: Any) -> list[dict[str, Any]]:
    keys = ("side", "lead", "face", "answer", "with")
    return [dict(zip(keys, (*step, None, None)[:5], strict=True)) for step in told]


def piece(log: Log, *pieces: Any) -> None:
    log[0]["board"]["pieces"].extend(pieces)


def path(*points: Any) -> list[list[float]]:
    return [[float(value) for value in (*point, 0)[:3]] for point in points]


FOULS: list[tuple[str, str, Edit]] = [
    # form
    ("duel", "FORM", change("shot", extra=1)),
    ("duel", "FORM", lambda log: log[find(log, "shot")].pop("cover") and None),
    ("duel", "FORM", change("shot", round=2)),
    ("duel", "FORM", change("shot", attack=[1, 4, 5, 7])),
    ("duel", "FORM", header(lambda head: head["rules"].update(extra=1))),
    ("duel", "FORM", header(lambda head: head["fighters"].reverse())),
    ("duel", "RULING 12", header(lambda head: head["body"].update(radius=0.5))),
    ("duel", "W2", lambda log: log.pop() and None),
    ("duel", "W2", again("over")),
    # set-up
    ("duel", "D17", change("zones", rolls=[[2, 3], [2, 5]])),
    ("duel", "D17", change("starts", rolls=[[4, 4]])),
    ("duel", "G5", change("zones", winner=0)),
    ("duel", "G6", change("zones", zone=0)),
    ("duel", "RULING 55", swap("set-up")),
    ("fourteen", "RULING 55", swap("set-up", 2)),
    ("duel", "G6", change("set-up", at=[10, 10.6, 0])),
    ("two_allies", "Q6", change("set-up", 2, at=[6.0, 5.5, 0])),
    ("duel", "RULING 57", change("set-up", at=[10, 8, 1])),
    ("duel", "M5", lambda log: piece(log, box("impassable", 10.5, 7, 1, 1, 2))),
    ("duel", "RULING 23", lambda log: piece(log, box("low", 10.5, 7, 1, 1, 1))),
    ("duel", "RULING 24", lambda log: piece(log, box("door-open", 10.5, 7, 1, 1, 2))),
    ("duel", "G6", drop("set-up", 1)),
    ("duel", "G5", again("zones")),
    ("duel", "G6", again("set-up", 1)),
    ("two_allies", "G6", change("set-up", 2, fighter=0)),
    ("duel", "D17", change("zones", rolls=[])),
    # rounds and turns
    ("duel", "R1", insert("finished", kind="round", first=0)),
    ("watchers", "R1", change("round", 1, round=3)),
    ("duel", "W2", insert("finished", kind="over", result=1, wiped_out=0, vp=[0, 0], faults=0)),
    ("struck_back", "H6", change("activated", 3, fighter=0)),
    ("duel", "R2", change("round", first=1)),
    ("watchers", "R5", change("round", 1, first=0)),
    ("debt", "R9", drop("round", 1)),
    ("debt", "R6", insert("finished", 0, after=1, kind="round", first=1)),
    ("duel", "R6", change("activated", fighter=1)),
    ("duel", "R6", change("activated", 1, fighter=0)),
    ("fourteen", "R6", change("activated", 2, fighter=6)),
    ("duel", "A2", change("activated", apl=3)),
    ("debt", "P3", change("activated", 1, debt=0, apl=1)),
    ("debt", "A2", change("activated", 1, apl=1)),
    ("duel", "O11", change("activated", watch=1)),
    ("duel", "R7", change("finished", fighter=1)),
    ("duel", "R6", drop("finished")),
    ("duel", "R6", drop("activated", 1)),
    ("duel", "W2", change("over", result=0)),
    ("looted", "W2", change("over", vp=[2, 1], result=0)),
    ("duel", "W1", change("over", wiped_out=1)),
    ("removal", "W1", change("over", result=2)),
    ("removal", "W1", insert("over", 0, kind="aimed", fighter=0, weapon=0)),
    # actions
    ("duel", "A4", insert("finished", kind="watches", fighter=0, weapon=0)),
    ("duel", "A7", both(change("activated", apl=4), header(lambda h: h["fighters"][0].update(apl=4)),
                        again("aimed"))),
    ("duel", "S1", change("aimed", weapon=1)),
    ("watchers", "O1", change("watches", weapon=1)),
    ("charge", "S2", lambda log: log.__setitem__(
        find(log, "exchange"), {"n": 0, "event": "aimed", "round": 1, "fighter": 0, "weapon": 0})),
    ("charge", "O1", lambda log: log.__setitem__(
        find(log, "exchange"), {"n": 0, "event": "watches", "round": 1, "fighter": 0, "weapon": 0})),
    ("duel", "E3", change("aimed", fighter=1)),
    # movement
    ("kerb", "M1", change("moved", length=6.1, path=path((10, 4), (10, 10.1)))),
    ("kerb", "M1", change("moved", length=5.9)),
    ("kerb", "M1", change("moved", length=6.0, path=path((10, 4), (10, 9.9)))),
    ("kerb", "M1", change("moved", path=path((10, 4.1), (10, 10)))),
    ("kerb", "M5", header(lambda head: head["board"]["pieces"][0].update(kind="impassable"))),
    ("kerb", "RULING 23", change("moved", length=2.0, path=path((10, 4), (10, 6)))),
    ("kerb", "Q6", change("moved", length=3.2, path=path((10, 4), (10, 7.2)))),
    ("kerb", "Q7", change("moved", length=3.5, path=path((10, 4), (10, 0.5)))),
    ("charge", "M11", change("moved", 1, action="move")),
    ("charge", "M25", change("moved", 1, length=0.25, path=path((10, 15), (10, 15.25)))),
    ("charge", "M24", change("moved", 0, action="fall-back")),
    ("charge", "A4", both(change("activated", 2, apl=1), header(lambda h: h["fighters"][1].update(apl=1)),
                          change("activated", 1, apl=1))),
    ("charge", "M4", change("moved", 1, length=5.0, path=path((10, 15), (10, 10)))),
    ("passed_watcher", "M4", change("moved", length=6.0, path=path((10, 10), (10.2, 4)))),
    ("charged_watcher", "M13", change("moved", length=5.99, path=path((10, 14), (10, 10.2), (11.5, 11.8)))),
    ("climbed", "M16", header(lambda head: head["board"]["pieces"][0].update(kind="platform"))),
    ("climbed", "M16", change("moved", length=3.0, path=path(
        (12, 10 - R), (12, 10 - R, 2), (12.6, 10 - R + 0.6, 2), (12.6, 10.2, 2)))),
    ("climbed", "M16", change("moved", length=2.3, path=path((12, 10 - R), (12, 10 - R, 2), (12, 9.7, 2)))),
    ("climbed", "M1", change("moved", path=[])),
    ("climbed", "M17", change("moved", length=3.0, path=path((12, 10 - R), (12, 11 - R, 2)))),
    ("climbed", "M1", change("moved", length=2.3)),
    ("climbed", "M16", lambda log: log[0]["board"]["pieces"][0].update(
        outline=[[10, 10.1], [14, 10.1], [14, 14], [10, 14]])),
    ("climbed", "M17", lambda log: piece(log, box("platform", 10, 8, 4, 2, 0.3, base=1.4))),
    ("climbed", "M8", change("moved", length=2.1, path=path(
        (12, 10 - R), (12, 10 - R, 2), (12, 10, 2), (12, 10 - R / 2, 2)))),
    ("steps_down", "M20", lambda log: log[0]["board"]["pieces"][1].update(
        outline=[[17.1, 10], [20.5, 10], [20.5, 14], [17.1, 14]])),
    ("steps_down", "M1", change("moved", 2, length=5.1 + 2.0)),
    ("steps_down", "M19", change("moved", 2, path=path(
        (17, 13.5, 4), (18.5, 10, 4), (18.5, 10 - R, 4), (18.5, 10 - R, 1)))),
    ("steps_down", "M1", change("moved", 2, length=5.0)),
    ("two_descents", "M19", header(lambda head: head["board"]["pieces"].pop())),
    ("fourteen", "M1", change("moved", length=3.1, path=path((3, 19), (3, 15.9)))),
    ("fourteen", "A4", change("moved", action="move")),
    ("around", "M4", change("moved", path=path((10, 5), (10, 12.3)), length=7.3)),
    ("around", "M1", change("moved", 1, path=path((10.4, 12.3, 0.5), (10.4, 17)))),
    ("around", "RULING 23", header(lambda head: head["board"]["pieces"][0].update(stand=False))),
    ("door", "M5", header(lambda head: head["board"]["pieces"][2].update(kind="door-closed"))),
    ("door", "M8", change("moved", path=path((10, 8), (10, 10.2)), length=2.2)),
    ("door", "M5", change("moved", path=path((10, 8), (8.9, 12)), length=4.1485)),
    # contact, markers
    ("charged_watcher", "O12", drop("marker-lost")),
    ("charged_watcher", "O12", drop("marker-lost", 1)),
    ("passed_watcher", "RULING 36", drop("marker-lost")),
    ("passed_watcher", "O12", change("marker-lost", fighter=0)),
    ("watchers", "O12", insert("finished", 0, kind="marker-lost", fighter=0)),
    # shots
    ("duel", "D7", change("shot", hit=4)),
    ("duel", "V6", change("shot", cover=1)),
    ("cover", "V6", change("shot", cover=0)),
    ("duel", "S3", change("shot", aimed=0)),
    ("duel", "S3", change("shot", 1, aimed=1)),
    ("duel", "S7", change("shot", in_contact=1)),
    ("duel", "H2", change("shot", injured=1)),
    ("duel", "S13", change("shot", attack=[4, 5, 6])),
    ("debt", "H3", change("shot", 1, attack=[4, 1, 1, 1])),
    ("duel", "S14", change("shot", normals=3)),
    ("duel", "P2", change("shot", prone=1)),
    ("debt", "P4", both(change("activated", 3, debt=0), change("shot", 1, prone=1))),
    ("cover", "P1", change("shot", 1, goes_prone=1)),
    ("cover", "S14", change("shot", 1, defence=[1, 1, 1, 1])),
    ("duel", "S16", change("shot", 1, goes_prone=0)),
    ("duel", "S17", change("shot", saves=2)),
    ("duel", "S21", change("shot", hits_left=2)),
    ("duel", "S19", change("shot", damage=8)),
    ("removal", "S19", change("shot", damage=12)),
    ("duel", "H1", change("shot", hp=5)),
    ("duel", "H1", change("shot", expected=8.5)),
    ("duel", "F3", change("shot", redirect=2)),
    ("duel", "F2", change("shot", allies=[0])),
    ("duel", "S9", change("shot", weapon=1)),
    ("duel", "S5", change("shot", declared=0, target=0)),
    ("duel", "V2", lambda log: piece(log, box("impassable", 8, 10.9, 4, 0.2, 3))),
    ("duel", "V6", lambda log: piece(log, box("low", 9.65, 13.0, 0.1, 0.1, 1))),
    ("charge", "S7", change("shot", weapon=0, hit=4)),
    ("charge", "D8", change("shot", hit=4)),
    ("into_melee", "F2", change("shot", allies=[1, 2])),
    ("into_melee", "F2", change("shot", allies=[])),
    ("into_melee", "F4", change("shot", redirect=4)),
    ("into_melee", "F4", change("shot", redirect=None)),
    ("into_melee", "F6", change("shot", cover=0)),
    ("into_melee", "S19", change("shot", 1, expected=2.5)),
    ("two_allies", "F2", change("shot", allies=[1])),
    ("two_allies", "F4", change("shot", target=3)),
    ("brawl", "S3", change("shot", hit=5, aimed=0)),
    ("brawl", "F2", change("shot", allies=[], redirect=None, target=2)),
    ("brawl", "F2", change("shot", declared=3)),
    ("patient", "P4", change("shot", 1, goes_prone=1, prone=0)),
    ("patient", "P2", change("shot", 1, defence=[4, 1, 1])),
    ("patient", "RULING 28", change("shot", 2, aimed=1)),
    ("patient", "S6", change("set-up", 1, at=[10, 16.3, 0])),
    ("patient", "O11", change("activated", 3, watch=0)),
    ("patient", "K9", change("contract", candidates=[0])),
    ("hopeless", "H3", change("shot", 1, attack=[6])),
    ("hopeless", "D8", change("shot", 1, hit=7)),
    ("patient", "P4", change("shot", 1, goes_prone=1)),
    ("duel", "S9", change("shot", weapon=7)),
    # Overwatch
    ("fired_then_contract", "O2", change("shot", declared=2, target=2)),
    ("watchers", "O4", insert("finished", kind="reaction", side=1, candidates=[], chosen=None)),
    ("blocked", "RULING 35", insert("finished", 1, after=1, kind="reaction", side=0, candidates=[0], chosen=None)),
    ("blocked", "O2", change("set-up", 2, at=[11, 8, 0])),
    ("watchers", "O2", drop("reaction")),
    ("watchers", "RULING 35", change("reaction", 1, candidates=[1])),
    ("watchers", "O9", change("reaction", 0, chosen=1)),
    ("watchers", "O2", change("shot", 1, fighter=0)),
    ("watchers", "O5", change("shot", 1, hit=4)),
    ("watchers", "O14", change("shot", 1, aimed=1)),
    ("watchers", "O1", change("shot", 1, weapon=2)),
    ("watchers", "O2", change("reaction", 1, side=1)),
    ("watchers", "R6", change("reaction", 1, chosen=None)),
    ("struck_back", "R6", insert("activated", 2, kind="reaction", side=1, candidates=[3], chosen=None)),
    ("struck_back", "RULING 33", insert("activated", 2, kind="finished", fighter=0)),
    ("fourteen", "R6", insert("activated", 9, kind="reaction", side=0, candidates=[], chosen=None)),
    # Contract
    ("fourteen", "K1", drop("contract", 1)),
    ("fourteen", "K2", change("contract", 1, candidates=[6, 7, 8, 9])),
    ("fourteen", "K2", change("contract", 1, chosen=6)),
    ("fourteen", "K1", change("contract", 0, side=0)),
    ("fourteen", "K3", drop("moved")),
    ("fourteen", "R6", insert("activated", 2, kind="contract", side=1, candidates=[6], chosen=None)),
    ("fired_then_contract", "K9", both(change("reaction", chosen=None), drop("shot"))),
    ("fired_then_contract", "K3", change("shot", 1, hit=4)),
    ("contract_shots", "RULING 52", change("exchange", hits=[4, 4])),
    ("fourteen", "K1", insert("finished", kind="contract", side=1, candidates=[], chosen=None)),
    ("kerb", "K1", change("moved", action="contract")),
    # loot
    ("all_points", "L7", header(lambda head: head["rules"].update(most_vp=2))),
    ("looted", "L1", change("looted", point=3)),
    ("looted", "L5", change("looted", vp=[2, 0])),
    ("looted", "L3", change("looted", point=0)),
    ("looted", "L3", change("set-up", at=[15, 11 - 1.01 - R, 0])),
    ("looted", "L4", change("set-up", 1, at=[15, 12.2, 0])),
    ("looted", "L3", change("set-up", 1, at=[15.5, 11.8 - R, 0])),
    ("looted", "A7", again("looted", vp=[2, 0])),
    ("hidden_enemy", "L4", header(lambda head: head["board"]["pieces"].clear())),
    ("hidden_enemy", "L2", lambda log: piece(log, box("impassable", 13, 10.14, 4, 0.06, 3))),
    ("all_points", "L3", change("looted", 1, point=0)),
    ("all_points", "L6", both(change("set-up", 2, at=[8.5, 11, 0]), change("looted", 1, point=0))),
    # melee
    ("brawl", "B2", change("exchange", 1, enemy=3)),
    ("charge", "B16", header(lambda head: head["rules"].update(guard=0))),
    ("charge", "B16", change("exchange", steps=steps((0, "guard", 5, "take")))),
    ("brawl", "B10", change("exchange", enemy_weapon=0)),
    ("brawl", "RULING 6", change("exchange", rolls=[[4, 1, 1, 1], [1]])),
    ("changed_hands", "B7", change("exchange", steps=steps((0, "attack", 4, "parry", 5), (0, "attack", 5, "take")))),
    ("changed_hands", "B13", change("exchange", damage=[4, 4])),
    ("struck_back", "B21", change("exchange", steps=[])),
    ("struck_back", "B7", change("exchange", steps=steps((0, "attack", 4, "take")))),
    ("taken", "B2", change("set-up", 1, at=[10, 11.5, 0])),
    ("taken", "B2", lambda log: piece(log, box("impassable", 8, 8.99, 4, 0.02, 3))),
    ("taken", "B10", change("exchange", weapon=0)),
    ("taken", "RULING 6", change("exchange", enemy_weapon=None)),
    ("taken", "B10", change("exchange", pools=[[4, 5, 6], [4, 5]])),
    ("taken", "B10", change("exchange", rolls=[[2, 4, 5, 6], [1, 4, 5]], pools=[[4, 5, 6], [4, 5]])),
    ("taken", "H1", change("exchange", hp=[8, 1])),
    ("taken", "B13", change("exchange", damage=[0, 4])),
    ("taken", "H1", change("exchange", expected=[0.0, 8.1])),
    ("taken", "B23", change("exchange", steps=steps((0, "attack", 6, "take")))),
    ("taken", "B22", change("exchange", steps=steps(
        (0, "attack", 6, "take"), (0, "attack", 5, "take"), (0, "attack", 4, "take")))),
    ("taken", "B14", change("exchange", steps=steps((0, "attack", 6, "parry", 5)))),
    ("taken", "B14", change("exchange", steps=steps((0, "attack", 5, "parry", 5)))),
    ("taken", "B14", change("exchange", steps=steps((0, "attack", 4, "parry", 6)))),
    ("taken", "B11", change("exchange", steps=steps((0, "attack", 3, "take")))),
    ("taken", "B12", change("exchange", steps=steps((0, "attack", 6)))),
    ("taken", "B7", change("exchange", steps=steps((1, "attack", 4, "take")))),
    ("charge", "B17", change("exchange", steps=steps((0, "guard", 5), (0, "guard", 4)))),
    ("charge", "B18", change("exchange", steps=steps((0, "guard", 6)))),
    ("taken", "B16", change("exchange", steps=steps((0, "guard", 3)))),
    ("charge", "B21", change("exchange", steps=steps(
        (0, "guard", 5), (0, "attack", 4, "parry", 5), (1, "attack", 4, "parry", 6), (0, "attack", 4, "take")))),
    # removal
    ("removal", "H6", drop("removed")),
    ("removal", "H6", change("removed", by=1)),
    ("taken", "H6", change("removed", fighter=0, by=1)),
    ("duel", "H6", insert("finished", kind="removed", fighter=1, by=0)),
]  # fmt: skip
