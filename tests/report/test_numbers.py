"""Numbers as people read them, and colours that everybody can tell apart."""

from __future__ import annotations

import pytest

from morsdei_sim.lang import set_language
from morsdei_sim.reporting import colours, numbers

NBSP, MINUS = "\u00a0", "\u2212"


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [
        (0.0, 1, "0.0"),
        (1.0, 1, "100.0"),
        (0.2304, 1, "23.0"),
        (0.2304, 0, "23"),
        (0.0004, 1, "<0.1"),
        (0.9996, 1, ">99.9"),
        (0.004, 0, "<1"),
        (0.996, 0, ">99"),
        (1 - 2e-16, 1, "100.0"),
        (3e-17, 1, "0.0"),
    ],
)
def test_a_chance_is_never_rounded_to_certainty(value: float, digits: int, expected: str) -> None:
    assert numbers.percent(value, digits) == f"{expected}{NBSP}%"


def test_sampled_numbers_show_what_is_known() -> None:
    assert numbers.chance(0.2304, 0.2, 0.27) == f"23.0{NBSP}% (20.0 to 27.0{NBSP}%)"
    assert numbers.chance(0.2304, 0.05, 0.45) == f"23{NBSP}% (5 to 45{NBSP}%)"
    assert numbers.mean(3.14159, 2.6, 3.7) == "3.14 (2.60 to 3.70)"
    assert numbers.mean(31.4159, 11.0, 51.0) == "31 (11 to 51)"


def test_russian_marks() -> None:
    set_language("ru")
    assert numbers.plain(-1.25, 2) == f"{MINUS}1,25"
    assert numbers.signed(1.25) == "+1,25"
    assert numbers.whole(1234567) == f"1{NBSP}234{NBSP}567"


def test_signs() -> None:
    assert numbers.signed(0.0004) == "0.00"
    assert numbers.signed(-0.0004) == "0.00"
    assert numbers.signed(-2) == f"{MINUS}2.00"


def test_letters_read_well_on_every_shade() -> None:
    for shade in (*colours.sequential(), *colours.diverging()):
        assert colours.contrast(shade, colours.on(shade)) >= 4.5


def test_contrast_is_wcags() -> None:
    assert colours.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert colours.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_lines_stand_out_from_the_paper() -> None:
    assert all(colours.contrast(line, colours.PAPER) >= 3 for line in colours.SERIES)
    assert len(set(colours.SERIES)) == len(colours.SERIES)


def test_ramps_darken_without_turning_back() -> None:
    light = [colours.lightness(shade) for shade in colours.sequential()]
    assert light == sorted(light, reverse=True)
    middle = len(colours.diverging()) // 2
    both = [colours.lightness(shade) for shade in colours.diverging()]
    assert both[: middle + 1] == sorted(both[: middle + 1])
    assert both[middle:] == sorted(both[middle:], reverse=True)
