"""One written value into the number, choice or words its field holds: "4+", "4d6", "6,5", "пистолет"."""

from __future__ import annotations

import datetime
import difflib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from morsdei_sim.cards.shape import Column
from morsdei_sim.cards.slips import slip
from morsdei_sim.cards.text import alike, norm
from morsdei_sim.lang import _, language

__all__ = ["FORMULA_ERROR", "BadValue", "Merged", "Unusable", "allowed", "meant", "show", "understand"]

_DATES = (datetime.date, datetime.time, datetime.timedelta)
# What Excel leaves in a CSV after it has taken 3-4 for a date or 4:30 for a time: 04.мар, 3-Apr, 04.03.2026, 03.04.
_CLOCK = r"\d{1,2}:\d{2}(:\d{2})?( ?[AP]M)?"
_DAY = r"\d{1,2}[.\-/ ][^\W\d_]{3,}\.?|[^\W\d_]{3,}[.\-/ ]\d{2,4}|\d{1,4}[.\-/]\d{1,2}[.\-/]\d{1,4}"
_DATE_TEXT = re.compile(rf"({_DAY})( {_CLOCK})?|0[1-9]\.(0[1-9]|1[0-2])|{_CLOCK}")

# What Excel, English or Russian, shows where a formula fails.
FORMULA_ERROR = re.compile(r"#[A-ZА-ЯЁ/0-9_]{2,}[!?]?|ERR:\d+")  # #N/A, #ДЕЛ/0!, #ИМЯ?, Err:502


class BadValue(Exception):
    """The value cannot be what its field holds; carries the message and a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


@dataclass(frozen=True)
class Unusable:
    """In place of the content of a cell that must not pass for what it looks like; `text` is what is shown there."""

    text: str
    message: str
    hint: str

    def __str__(self) -> str:
        return self.text


class Merged(Unusable):
    """In place of a cell that is covered by another one: nobody knows whether that one's content is meant for it."""

    @classmethod
    def with_cell(cls, place: str) -> Merged:
        """Covered by the cell of that place."""
        return cls("", _("is merged with {place}").format(place=place), _("unmerge the cells and fill in each"))


def understand(column: Column, value: Any) -> Any:
    """The value as the model wants it; raises BadValue. Bounds are the model's business, not checked here."""
    if isinstance(value, Unusable):
        raise BadValue(value.message, value.hint)
    if isinstance(value, _DATES) or (isinstance(value, str) and _is_date(column, value)):
        raise BadValue(
            _("is a date"),
            _("spreadsheets turn 3-4, 1/2 or 6.5 into dates: format the cell as Text and type the value again"),
        )
    number = column.kind not in ("text", "words")  # a name may look like an error
    if number and isinstance(value, str) and FORMULA_ERROR.fullmatch(value.strip().upper()):
        raise BadValue(_("is the error of a formula"), _("mend the formula, or type the value"))
    if column.optional and isinstance(value, str) and norm(value) in {"", "—", "∞", *map(norm, column.none)}:
        return None
    readers = {"whole": _whole, "length": _length, "choice": _choice, "words": _words, "text": _text,
               "switch": _switch}  # fmt: skip
    return readers[column.kind](column, value)


FEW = 4
"""Numbers of a list that is shown; of a longer one it is said that it is a list."""


def show(value: Any) -> str:
    """A value as it was written, short and harmless to a terminal."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**18:
        return _("a number of {count} digits").format(count=int(value.bit_length() * math.log10(2)) + 1)
    if isinstance(value, str):
        text = '"' + value + '"'
    elif isinstance(value, Unusable):
        text = f'"{value}"' if value.text else ""
    elif isinstance(value, list) and 0 < len(value) <= FEW and all(type(one) in (int, float) for one in value):
        text = f"[{', '.join(map(show, value))}]"
    elif isinstance(value, (list, dict)):
        text = _("a list") if isinstance(value, list) else _("a table")
    elif isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        text = f"{value:.0f}"  # spreadsheets keep no whole numbers: what is 9.0 here was typed as 9
    else:
        text = str(value)
    text = "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text[:200])
    return text if len(text) <= 60 else text[:56] + '…"'


def allowed(column: Column) -> str:
    """What the field may hold: "2 to 6", "above 0, at most 100", "ranged, pistol or melee"."""
    if column.kind == "choice":
        words = [column.word(choice, language()) for choice in column.choices]
        return _("{some} or {last}").format(some=", ".join(words[:-1]), last=words[-1]) if words[1:] else words[0]
    if column.kind == "switch":
        return _("yes or no")
    low, above, high = column.bound("ge"), column.bound("gt"), column.bound("le")
    if column.kind not in ("whole", "length"):
        most = column.bound("max_length")
        return _("at most {count} characters").format(count=most) if most and column.kind == "text" else ""
    if low is not None and high is not None:
        return _("{low:g} to {high:g}").format(low=low, high=high)
    if above is not None and high is not None:
        return _("above {low:g}, at most {high:g}").format(low=above, high=high)
    return ""


def meant(word: str, words: Iterable[str]) -> str:
    """The hint "did you mean …?", or nothing."""
    known: dict[str, str] = {}
    for one in words:
        known.setdefault(norm(one), one)  # of two spellings the first is the proper one
    close = difflib.get_close_matches(norm(word), known, n=1, cutoff=0.6)
    return _('did you mean "{word}"?').format(word=known[close[0]]) if close else ""


def _is_date(column: Column, value: str) -> bool:
    return (
        column.kind in ("whole", "length")
        and _DATE_TEXT.fullmatch(value.strip()) is not None
        and not any(norm(value).endswith(norm(suffix)) for suffix in column.suffixes if norm(suffix))
    )


def _wants(column: Column) -> str:
    kind = {
        "whole": _("must be a whole number"),
        "length": _("must be a number"),
        "text": _("must be text in quotes"),
        "words": _("must be a list of words"),
        "choice": _("must be one of the known words"),
        "switch": _("must be yes or no"),
    }[column.kind]
    span = allowed(column)
    return f"{kind}, {span}" if span and column.kind in ("whole", "length") else kind


def _number_text(column: Column, value: str) -> str:
    text = value.strip().replace("\u2212", "-").casefold()
    for suffix in sorted(column.suffixes, key=len, reverse=True):
        if text.endswith(suffix.casefold()) and text != suffix.casefold():
            text = text[: -len(suffix)].strip()
            break
    # 1 000 has a space, mostly one that does not break, between its thousands.
    return re.sub(r"\s", "", text) if re.fullmatch(r"[+-]?[0-9]{1,3}(\s[0-9]{3})+([.,][0-9]+)?", text) else text


def _whole(column: Column, value: Any) -> int:
    # (0.1 + 0.2) * 10 shows 3 in a spreadsheet, which tells 15 digits apart.
    if isinstance(value, float) and abs(value) < 1e15 and float(f"{value:.15g}").is_integer():
        return round(value)
    if isinstance(value, str):
        # "10,0" is ten as a Russian Excel shows it; "1,000" may be a thousand or one, so it is refused.
        found = re.fullmatch(r"([+-]?[0-9]{1,15})(?:[.,]0{1,2})?", _number_text(column, value))
        if found:
            return int(found[1])
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise BadValue(_wants(column), slip(column.suffixes, value))


def _length(column: Column, value: Any) -> float:
    if isinstance(value, str):
        text = _number_text(column, value)
        if re.fullmatch(r"[+-]?[0-9]{1,15}(?:[.,][0-9]{1,30})?(?:e[+-]?[0-9]{1,3})?", text):
            return float(text.replace(",", "."))
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300:
        return float(value)
    raise BadValue(_wants(column), slip(column.suffixes, value))


def _choice(column: Column, value: Any) -> str:
    if isinstance(value, str):
        known = {**{norm(word): choice for word, choice in column.words}, **{norm(one): one for one in column.choices}}
        if norm(value) in known:
            return known[norm(value)]
        similar = {choice for word, choice in known.items() if alike(word) == alike(value)}
        if len(similar) == 1:
            return similar.pop()
        near = [column.word(one, language()) for one in column.choices] + [word for word, _choice in column.words]
        raise BadValue(_("must be {allowed}").format(allowed=allowed(column)), meant(value, [*column.choices, *near]))
    raise BadValue(_("must be {allowed}").format(allowed=allowed(column)))


def _words(column: Column, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(word.strip() for word in re.split(r"[,;]", value) if word.strip())
    if isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value):
        return tuple(word.strip() for word in value)
    raise BadValue(_wants(column))


_YES, _NO = ("yes", "true", "1", "да", "истина", "y"), ("no", "false", "0", "нет", "ложь", "n")


def _switch(column: Column, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = norm(f"{value:g}" if isinstance(value, float) else str(value))
    if word in _YES or word in _NO:
        return word in _YES
    raise BadValue(_wants(column))


def _text(column: Column, value: Any) -> str:
    if column.number and isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15:
        return f"{value:g}"
    if isinstance(value, str):
        return value.replace("\r\n", "\n").strip()
    hint = _("a spreadsheet makes true of some words: format the cell as Text and type it again")
    raise BadValue(_wants(column), hint if isinstance(value, bool) else "")
