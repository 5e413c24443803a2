"""The log of a battle: held together by itself, by the dice, and by the same battle played without a log."""

from __future__ import annotations

import copy
from collections import Counter
from itertools import product

import numpy as np
import pytest
from chronicle_follower import Follower
from chronicle_matches import GAMES, MATCHES, SEED, Played
from scipy import stats

from morsdei_sim.dice.rolled import drawn_now
from morsdei_sim.rulesets.morsdei.game import chronicle as tale
from morsdei_sim.rulesets.morsdei.game import events as ev
from morsdei_sim.rulesets.morsdei.game.battle import play_battle
from morsdei_sim.rulesets.morsdei.game.chronicle_dice import Mismatch, Roll
from morsdei_sim.rulesets.morsdei.game.world import new_state
from morsdei_sim.rulesets.morsdei.rules import PRINTED


@pytest.fixture(scope="module")
def matches():
    return [Played(*match) for match in MATCHES]


@pytest.fixture(scope="module")
def logs(matches):
    """30 games."""
    return [match.told(game) for match in matches for game in range(GAMES)]


def test_logs_hold_together(logs) -> None:
    """30 games followed event by event; every kind of event and every way to attack comes up."""
    seen = Counter()
    for log in logs:
        seen += Follower(log).seen
    assert {name for name, _columns in ev.COLUMNS.values()} - {"point"} == set(seen)
    rows = [row for log in logs for row in log[1:]]
    ways = {(row["event"], row["how"]) for row in rows if "how" in row}
    assert ways == {("shot", "action"), ("shot", "overwatch"), ("shot", "contract"), ("exchange", "action"),
                    ("exchange", "contract")}  # fmt: skip
    assert {row["action"] for row in rows if row["event"] == "moved"} == {"move", "fall-back", "contract"}
    steps = [step for row in rows if row["event"] == "exchange" for step in row["steps"]]
    assert {(step["lead"], step["answer"]) for step in steps} == {
        ("attack", "take"),
        ("attack", "parry"),
        ("guard", None),
    }
    assert any(row["event"] == "exchange" and row["enemy_weapon"] is None for row in rows)
    assert any(row["event"] == "shot" and row["target"] != row["declared"] for row in rows)


def test_a_follower_objects(logs) -> None:
    """The test above can fail: HP, faces and a removal that are not what they were."""
    for name, change in (
        ("shot", lambda row: row.update(hp=row["hp"] - 1)),
        ("exchange", lambda row: row["rolls"][0].append(6)),
        ("removed", lambda row: row.update(event="finished")),
    ):
        log = copy.deepcopy(next(log for log in logs if any(row["event"] == name for row in log)))
        change(next(row for row in log if row["event"] == name))
        with pytest.raises((AssertionError, ValueError)):
            Follower(log)


def test_header(matches) -> None:
    """Seats, cards, reach and body as they are."""
    head = matches[1].head  # seats (1, 0): cleavers play side 0
    assert [side["squad"] for side in head["sides"]] == ["cleavers", "odd"]
    assert [man["side"] for man in head["fighters"]] == [0] * 5 + [1] * 5
    assert head["body"]["radius"] == 0.35
    assert head["fighters"][7]["name"] == "Bare"
    assert head["fighters"][7]["base"] == 40
    reaches = {(arm["type"], arm["reach"]) for man in head["fighters"] for arm in man["weapons"]}
    assert {("pistol", 10.0), ("ranged", 7.0), ("melee", None)} <= reaches
    assert matches[0].head["fighters"][0]["weapons"][0]["reach"] is None  # a rifle
    assert head["rules"] == PRINTED._asdict() | {
        "rounds": 4, "friendly_fire": 3, "contract_move": 3, "loot_apl": 1, "loot_vp": 1, "most_vp": 3,
    }  # fmt: skip


# ── the engine and the log ────────────────────────────────────────────────────────────────────────────────────────────


def test_logging_changes_nothing(matches) -> None:
    """Result, VP and tallies of the same battle with and without room for a log."""
    for match in matches:
        for game in range(GAMES):
            plain, kept = new_state(match.world, SEED), new_state(match.world, SEED, 2000)
            for state in (plain, kept):
                play_battle(match.world.record, state.record, game)
            for name in ("tally", "vp", "hp", "at", "winner", "events", "decisions"):
                assert np.array_equal(plain.records[name], kept.records[name]), name
            over = match.told(game)[-1]
            assert over["vp"] == plain.records["vp"][0].tolist()
            assert over["wiped_out"] == (plain.records["winner"][0] != 0)


def test_room_grows(matches, monkeypatch) -> None:
    """A log that does not fit is made anew, whole; what fits exactly is kept."""
    rows = matches[0].rows(1)
    for room in (1, len(rows) - 1, len(rows)):
        monkeypatch.setattr(tale, "ROOM", room)
        assert np.array_equal(matches[0].rows(1), rows)


def test_same_bytes(matches, logs) -> None:
    """One call and the same again; a world used before changes nothing."""
    for match, log in zip(matches[:2], logs[::GAMES], strict=False):
        text = tale.lines(log)
        assert tale.lines(match.chronicle(0)) == tale.lines(match.told(0)) == text
        assert tale.lines(match.told(1)) != text


def row_of(match, kind, fits=lambda row: True):
    """A game and the number of its first row of a kind."""
    for game in range(GAMES):
        rows = match.rows(game)
        for number, row in enumerate(rows):
            if row[0] == kind and fits(dict(zip(ev.COLUMNS[kind][1], row[3:].tolist(), strict=False))):
                return rows.copy(), number
    raise AssertionError("no such row")


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        (ev.ZONES, "winner"), (ev.STARTS, "throws"), (ev.MOVED, "points"), (ev.SHOT, "hits_left"), (ev.SHOT, "damage"),
        (ev.SHOT, "hp"), (ev.SHOT, "target"), (ev.SHOT, "injured"), (ev.EXCHANGE, "taken"), (ev.EXCHANGE, "dealt"),
        (ev.EXCHANGE, "hp"),
    ],
)  # fmt: skip
def test_a_wrong_row_is_noticed(matches, kind, column) -> None:
    """Any number that the dice or the rules decide, one larger than the engine had it."""
    match = matches[1]
    rows, number = row_of(match, kind, lambda row: row.get("target") != len(match.head["fighters"]) - 1)
    game = next(game for game in range(GAMES) if np.array_equal(match.rows(game), rows))
    match.told(game, rows)
    place = 3 + ev.COLUMNS[kind][1].index(column)
    rows[number, place] = 1 - rows[number, place] if column in ("winner", "injured") else rows[number, place] + 1
    with pytest.raises(Mismatch):
        match.told(game, rows)


def test_other_dice_are_noticed(matches) -> None:
    """The rows of one seed do not fit the dice of another."""
    match = matches[0]
    head = {**match.head, "seed": SEED + 1}
    with pytest.raises(Mismatch):
        tale.told(head, match.world, match.rows(0))


def test_faces_are_fair_and_apart() -> None:
    """Pairs of neighbouring dice, within a word and across two, 36 kinds each: n = 2,000 rolls of 6 dice; chi-square
    on 35 degrees, one false alarm in a million (two tests)."""
    rolls = np.array([Roll(SEED, game, 1, 3, 1, 0).faces(6, 0) for game in range(2000)])
    for one in (1, 3):
        counts = np.bincount((rolls[:, one] - 1) * 6 + rolls[:, one + 1] - 1, minlength=36)
        assert stats.chisquare(counts).pvalue > 5e-7


def test_faces_in_the_order_of_the_tables() -> None:
    """A word names a roll among all ordered rolls of up to four dice, as `dice.rolled` lists them."""
    for n in range(1, 7):
        roll = Roll(SEED, 7, 2, 5, 4, n)
        words = [int(drawn_now(np.uint64(SEED), 7, roll.dice.step, 1, draw)) for draw in (0, 1)]
        first, second = min(n, 4), max(0, n - 4)
        listed = [
            list(product(range(1, 7), repeat=k))[word * 6**k >> 32]
            for word, k in zip(words, (first, second), strict=True)
        ]
        assert roll.faces(n, 1) == [*listed[0], *listed[1]]


def test_pools_of_every_size() -> None:
    """The engine's question is asked beside the faces for 0 to 24 dice: `pool` and `kept` object to a difference."""
    for n in range(25):
        roll = Roll(SEED, n, 4, 63, 6, n)
        faces, normals, crits = roll.pool(n, 2 + n % 5, 0)
        assert len(faces) == n
        assert normals + crits == sum(face >= 2 + n % 5 for face in faces)
        assert roll.kept(n, 2 + n % 5, 0) == (faces, sorted(face for face in faces if face >= 2 + n % 5))
        assert 1 <= roll.die(200) <= 6
