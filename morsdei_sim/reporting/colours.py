"""Colours that colour-blind readers can tell apart, and the letter colour that stays readable on each."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["INK", "MUTED", "PAPER", "RULE", "SERIES", "contrast", "diverging", "level", "lightness", "on", "sequential"]

# Stand-ins: in the page each becomes a CSS variable, so that a figure follows the reader's dark or light scheme.
INK = "#1b1f24"
MUTED = "#57606a"
RULE = "#d0d7de"
PAPER = "#ffffff"
SERIES = ("#0067a6", "#b84a00", "#00775a", "#a2408a", "#806000", "#3574c9", "#5f4b8b", "#5b6470")
"""Eight lines; marker and dash differ too, so that none is known by its colour alone."""

LEVELS = 21


@lru_cache(maxsize=1)
def sequential() -> tuple[str, ...]:
    """Light to dark blue in LEVELS steps: from none to all."""
    return _ramp(["#f4f8fb", "#cfe3f1", "#8fc0de", "#4a94c4", "#1f6aa5", "#0b3f73"])


@lru_cache(maxsize=1)
def diverging() -> tuple[str, ...]:
    """Orange over white to blue in LEVELS steps, from loss to gain; no colour blindness confuses the two."""
    return _ramp(["#9a4a00", "#d9822b", "#f6cfa0", "#f7f7f7", "#b5d3e9", "#5b9bc9", "#12518c"])


def _ramp(stops: list[str]) -> tuple[str, ...]:
    def at(share: float) -> str:
        place = share * (len(stops) - 1)
        first = min(int(place), len(stops) - 2)
        rest = place - first
        pair = zip(_channels(stops[first]), _channels(stops[first + 1]), strict=True)
        return "#" + "".join(f"{round(a + (b - a) * rest):02x}" for a, b in pair)

    return tuple(at(step / (LEVELS - 1)) for step in range(LEVELS))


def level(share: float) -> int:
    """The step of a ramp for a share from 0 to 1."""
    return round(min(1.0, max(0.0, share)) * (LEVELS - 1))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def lightness(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio as WCAG defines it, 1 to 21."""
    bright, dark = sorted((lightness(one), lightness(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def on(colour: str) -> str:
    """Black or white, whichever reads better on a colour (always 4.5 or more)."""
    return max("#000000", "#ffffff", key=lambda letter: contrast(letter, colour))
