"""Switches of a rulebook by their words, on the command line and in Python."""

from __future__ import annotations

import pytest

from morsdei_sim.errors import UserError
from morsdei_sim.rulesets import room


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("band_edge", "far_inclusive", 1),
        ("band_edge", 1, 1),
        ("diagonal_cost", "1", 0),  # the atlas's word for the usual cost, not its number
        ("diagonal_cost", 1, 0),
        ("diagonal_cost", "1-2-1-2", 1),
        ("recover_same_turn", "false", 0),
        ("recover_same_turn", True, 1),
        ("cover_dice", 2, 2),
    ],
)
def test_words_and_numbers(name: str, value: int | str | bool, number: int) -> None:
    assert getattr(room("moran").rules({name: value}), name) == number


def test_all_faults_at_once() -> None:
    with pytest.raises(UserError) as caught:
        room("moran").rules({"band_edge": "open", "cover_dice": "many"})
    assert str(caught.value).splitlines() == [
        "rule number band_edge = open: must be half_open, far_inclusive",
        "rule number cover_dice = many: must be a whole number",
    ]
