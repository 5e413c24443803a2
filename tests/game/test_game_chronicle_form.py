"""Logs of battles as text: the same log back, and one clear sentence for whatever else comes in."""

from __future__ import annotations

import json

import pytest
from chronicle_matches import MATCHES, Played

from morsdei_sim.errors import UserError
from morsdei_sim.rulesets.morsdei.game import chronicle as tale


@pytest.fixture(scope="module")
def logs():
    """4 games of one match."""
    match = Played(*MATCHES[1])
    return [match.told(game) for game in range(4)]


def test_round_trip(logs) -> None:
    """Text and back: the same log, the same text."""
    for log in logs:
        text = tale.lines(log)
        assert tale.read_lines(text) == log
        assert tale.lines(tale.read_lines(text)) == text
        assert text.count("\n") == len(log)
        assert "NaN" not in text
    assert tale.read_lines("\ufeff" + text.replace("\n", "\r\n") + "\n") == log


def spoiled(log, number, **fields):
    """The text with one line changed; a field of KeyError goes."""
    row = {key: value for key, value in {**log[number], **fields}.items() if value is not KeyError}
    return tale.lines([*log[:number], row, *log[number + 1 :]])


@pytest.mark.parametrize(
    ("fields", "line", "words"),
    [
        ({"n": 7}, 3, "numbered"), ({"event": "magic"}, 3, "no such event"),
        ({"event": ["set-up"]}, 3, "no such event"),
        ({"fighter": 10}, 3, "fighter cannot be 10"), ({"fighter": True}, 3, "fighter cannot be true"),
        ({"at": [1, 2]}, 3, "at cannot be"), ({"at": KeyError}, 3, "expected: n, event, round, fighter, at"),
        ({"extra": 1}, 3, "expected"), ({"schema_version": 2}, 1, "schema_version 1"), ({"event": "x"}, 1, "begins"),
        ({"fighters": []}, 1, "numbered"), ({"body": {}}, 1, "expected: eye"), ({"seed": 1.5}, 1, "seed cannot be 1.5"),
    ],
)  # fmt: skip
def test_faulty_lines_are_named(logs, fields, line, words) -> None:
    """What is wrong and in which line."""
    with pytest.raises(UserError, match=f"line {line} .*{words}"):
        tale.read_lines(spoiled(logs[0], line - 1, **fields))


def test_faulty_numbers_of_weapons_and_points(logs) -> None:
    """Numbers that lead nowhere."""
    for name, field in (("shot", "weapon"), ("exchange", "enemy_weapon"), ("looted", "point"), ("aimed", "weapon")):
        log = next(log for log in logs if any(row["event"] == name and row[field] is not None for row in log[1:]))
        number = next(n for n, row in enumerate(log) if row["event"] == name and row[field] is not None)
        for value in (-1, 99):
            with pytest.raises(UserError, match=f"line {number + 1} .*{field} cannot be {value}"):
                tale.read_lines(spoiled(log, number, **{field: value}))


@pytest.mark.parametrize(
    "line", ["{", "[" * 100_000, '{"n": ' + "9" * 5000 + "}", "\x00", '{"n": NaN}', "null", '"text"', "3", "[]"]
)
def test_hostile_lines(logs, line) -> None:
    """Whatever a line holds, the complaint is one sentence."""
    text = tale.lines(logs[0][:3])
    with pytest.raises(UserError, match="line 4 "):
        tale.read_lines(text + line + "\n")
    with pytest.raises(UserError, match="line 1 "):
        tale.read_lines(line + "\n" + text)


def test_hostile_values(logs) -> None:
    """Not a number, endless, half a character, a list as long as a book."""
    text = tale.lines(logs[0])
    at = json.dumps(logs[0][2]["at"], separators=(",", ":"))
    for value in ("[NaN,0,0]", "[1e999,0,0]", "[Infinity,0,0]", "[" + ",".join("0" * 5000) + "]"):
        with pytest.raises(UserError, match=r"line 3 .*at cannot be"):
            tale.read_lines(text.replace(at, value, 1))
    name = json.dumps(logs[0][0]["fighters"][0]["name"])
    with pytest.raises(UserError, match=r"line 1 .*name cannot be"):
        tale.read_lines(text.replace(f'"name":{name}', '"name":"\\ud800"', 1))


def test_size_is_bounded() -> None:
    """Before anything is parsed."""
    for text in ("x" * 16_000_001, "\n" * 50_001):
        with pytest.raises(UserError, match="too large"):
            tale.read_lines(text)
    for text in ("", "\n \n"):
        with pytest.raises(UserError, match="empty"):
            tale.read_lines(text)
