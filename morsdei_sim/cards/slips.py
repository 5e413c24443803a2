"""What probably happened where a number should stand and something else does: a hint."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from morsdei_sim.lang import N_, _

__all__ = ["slip"]

_DIGITS = str.maketrans("ОоOoЗзбIlі|", "00003361111")
"""Letters that are taken for digits, in Cyrillic and Latin."""

_SLIPS = (
    (r"#{2,}", N_("the column was too narrow when the file was saved: widen it and save again")),
    (r"=.*", N_("a formula has no value here: type the value")),
    (r"[0-9]+\s*[+dдкk]?\s*[-–—/]\s*[0-9]+.*", N_("one number, not a span")),
    (r"[+-]?[0-9.,\s]+%", N_("no percentages: type the number itself")),
    (r"[0-9]*\s*[¼½¾⅓⅔]", N_("write a decimal, for instance 0.5")),
    (r"[0-9]{1,3}([.,'’][0-9]{3})+", N_("write it without a mark between the thousands")),
)


def slip(suffixes: Sequence[str], value: Any) -> str:
    """The hint, or ""; `suffixes` are what may follow the number."""
    if isinstance(value, bool):
        return _("true and false are not numbers")
    if not isinstance(value, str):
        return ""
    text = value.strip()
    if re.fullmatch(r"истина|ложь|true|false", text.casefold()):
        return _("true and false are not numbers")
    for pattern, hint in _SLIPS:
        if re.fullmatch(pattern, text):
            return _(hint)
    if re.fullmatch(r"[0-9]+[dдкk][0-9]+", text.casefold()) and "d6" in suffixes:
        return _("only d6 dice are known")
    meant = text.translate(_DIGITS)
    if meant != text and re.fullmatch(r"[0-9]+([.,][0-9]+)?\+?", meant):
        return _("a letter stands in place of a digit: type {number}").format(number=meant)
    return ""
