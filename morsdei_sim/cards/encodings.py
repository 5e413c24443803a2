"""Whether a text of one byte a letter is in the Windows code page for Russian, as far as its words tell.

Every such text can be read as any of these encodings; read as the wrong one it has capitals within words, signs among
letters, Latin next to Cyrillic. What would be read as garbage is better refused.
"""

from __future__ import annotations

from itertools import pairwise

__all__ = ["READ", "likelier"]

READ = "cp1251"
"""As Russian Excel writes it."""

OTHERS = {
    "koi8_r": "KOI8-R", "cp866": "CP866 (DOS)", "mac_cyrillic": "Mac Cyrillic", "iso8859_5": "ISO 8859-5",
    "cp1252": "Windows-1252",
}  # fmt: skip
"""Refused, by the name that people know."""

WESTERN = "cp1252"
"""Letters with accents, seldom two together, between Latin ones."""

_CYRILLIC = frozenset("абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґў")
_PLAIN = frozenset("«»„“”‘’–—…№°×·\xa0")
"""Signs that may stand next to a letter."""

_COMMON = frozenset("оеаинтсрвл")
"""Two letters of three in Russian; of a text that is read wrongly, far fewer."""

TIMES, SURPLUS = 1.5, 4
"""How many more common letters must speak for another encoding where nothing else does."""

LOOKED_AT = 100_000
"""Bytes that are looked at."""


def likelier(data: bytes) -> str:
    """The encoding, by the name that people know, in which a text makes clearly better words; empty when none does."""
    texts = {name: data[:LOOKED_AT].decode(name, "replace") for name in (READ, *OTHERS)}
    faults = {name: _oddities(text, name == WESTERN) for name, text in texts.items()}
    common = {name: sum(letter in _COMMON for letter in text.lower()) for name, text in texts.items()}
    best = min(OTHERS, key=lambda name: (faults[name], -common[name]))
    # In capitals alone nothing is odd, in any encoding: then the letters tell.
    better = faults[best] < faults[READ] or (
        faults[best] == faults[READ] and common[best] > SURPLUS + common[READ] * TIMES
    )
    return OTHERS[best] if better else ""


def _oddities(text: str, western: bool) -> int:
    """How many neighbours do not go together in a word; those of ASCII alone tell nothing."""
    pairs = ((one, other) for one, other in pairwise(text) if not (one.isascii() and other.isascii()))
    return sum(_odd(one, other, western) for one, other in pairs)


def _odd(one: str, other: str, western: bool) -> bool:
    first, second = _script(one, western), _script(other, western)
    if not first or not second:
        return False
    accents = western and not one.isascii() and not other.isascii()
    return first != second or first == "sign" or accents or (one.islower() and other.isupper())


def _script(letter: str, western: bool) -> str:
    """Which letters it belongs to; empty for what stands beside any."""
    if letter.lower() in _CYRILLIC:
        return "Cyrillic"
    if letter.isascii() or letter in _PLAIN:
        return "Latin" if letter.isalpha() else ""
    return "Latin" if western and letter.isalpha() else "sign"
