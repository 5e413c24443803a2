"""Numbers for people: no finer than they are known, with the decimal mark and the minus of the language."""

from __future__ import annotations

from math import floor, isnan, log10

from morsdei_sim.lang import _, language

__all__ = ["chance", "gain", "interval", "mean", "missing", "percent", "plain", "signed", "stat", "whole"]

NBSP = "\u00a0"
MINUS = "\u2212"
NOISE = 1e-12
"""Exact chances are sums, each rounded in the sixteenth place."""


def missing(value: float | None) -> bool:
    """Whether a frame holds no number here."""
    return value is None or isnan(value)


def plain(value: float, digits: int) -> str:
    """A number with that many digits after the decimal mark."""
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    text = text.replace("-", MINUS)
    return text.replace(".", ",") if language() == "ru" else text


def stat(value: float) -> str:
    """A number of a card: 3, 2.5, −1."""
    text = f"{value:g}".replace("-", MINUS)
    return text.replace(".", ",") if language() == "ru" else text


def whole(value: int) -> str:
    """A count, in groups of three: 1,000,000 or 1 000 000."""
    from babel.numbers import format_decimal

    return str(format_decimal(value, locale=language()))


def percent(value: float, digits: int = 1) -> str:
    """A chance in per cent; one that is not 0 or 1 is never written as if it were."""
    if abs(value - round(value)) < NOISE:  # a sum of chances that make up a certainty
        value = round(value)
    text = plain(100 * value, digits)
    edge = 10.0**-digits
    if value > 0 and float(f"{100 * value:.{digits}f}") == 0:
        text = "<" + plain(edge, digits)
    elif value < 1 and float(f"{100 * value:.{digits}f}") == 100:
        text = ">" + plain(100 - edge, digits)
    return f"{text}{NBSP}%"


def _digits(low: float, high: float, most: int) -> int:
    """Digits that an interval earns: two figures of its half-width."""
    half = (high - low) / 2
    return most if half <= 0 else min(most, max(0, 1 - floor(log10(half))))


def interval(low: float, high: float, *, share: bool = False, most: int = 3) -> str:
    """`1.2 to 1.4`, in per cent for a share."""
    scale = 100 if share else 1
    digits = _digits(low * scale, high * scale, most)
    text = _("{low} to {high}").format(low=plain(low * scale, digits), high=plain(high * scale, digits))
    return f"{text}{NBSP}%" if share else text


def chance(value: float, low: float | None = None, high: float | None = None, digits: int = 1) -> str:
    """A chance as it may be printed: with its 95 % interval when it was sampled."""
    if missing(value):
        return "—"
    if low is None or high is None or missing(low) or missing(high):
        return percent(value, digits)
    shown = percent(value, _digits(100 * low, 100 * high, digits))
    return f"{shown} ({interval(low, high, share=True, most=digits)})"


def mean(value: float, low: float | None = None, high: float | None = None, digits: int = 2) -> str:
    """A mean as it may be printed: with its 95 % interval when it was sampled."""
    if missing(value):
        return "—"
    if low is None or high is None or missing(low) or missing(high):
        return plain(value, digits)
    return f"{plain(value, _digits(low, high, digits))} ({interval(low, high, most=digits)})"


def signed(value: float, digits: int = 2) -> str:
    """A difference: its sign is always written, except on zero."""
    text = plain(value, digits)
    return text if text.startswith(MINUS) or float(f"{value:.{digits}f}") == 0 else f"+{text}"


def gain(value: float, low: float, high: float, most: int = 2) -> str:
    """A sampled difference as it may be printed: with its sign and its 95 % interval."""
    return f"{signed(value, _digits(low, high, most))} ({interval(low, high, most=most)})"
