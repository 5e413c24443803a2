"""Field types that every room's cards share: untrusted words and numbers, bounded where they enter."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

__all__ = ["Ident", "Keyword", "Length", "Name", "NameOrNone", "Text", "Whole", "alike", "looks", "norm", "slug"]

_CYRILLIC, _LATIN = "авекмнорстухіјѕ", "abekmhopctyxijs"

# Right-to-left overrides can make a name show something else than it holds; the byte-order mark hides in it.
_HIDDEN = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff\ufffe\uffff")


def _visible(text: str) -> str:
    return _no_controls(text, allowed="")


def _visible_lines(text: str) -> str:
    return _no_controls(text, allowed="\n")


def _no_controls(text: str, allowed: str) -> str:
    for letter in text:
        if letter in allowed:
            continue
        if letter in _HIDDEN or unicodedata.category(letter) in ("Cc", "Cs"):
            raise PydanticCustomError("control_character", "control character {code}", {"code": f"U+{ord(letter):04X}"})
    return text


def _one_word_list_item(text: str) -> str:
    # A spreadsheet cell holds all keywords with commas between them.
    if "," in text or ";" in text:
        raise PydanticCustomError("separator_inside", "a comma or semicolon inside one keyword")
    return text


def _is_slug(text: str) -> str:
    if text != text.lower() or not re.fullmatch(r"(?:[^\W_]+(?:[-_][^\W_]+)*)?", text):
        raise PydanticCustomError("not_a_slug", "not a slug", {"slug": slug(text)})
    return text


def norm(text: str) -> str:
    """The form in which words are compared: no case, no ё, no difference between space, dash and underscore."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    return " ".join(re.sub(r"[\s_\-.]+", " ", folded).split())


def looks(text: str) -> str:
    """Small Cyrillic letters that look like Latin ones made Latin; all else, ё too, stays what it is."""
    return text.translate(str.maketrans(_CYRILLIC, _LATIN))


def alike(text: str) -> str:
    """`norm` and `looks`: for words that are told apart by eye."""
    return looks(norm(text))


def slug(name: str) -> str:
    """An identifier made from a name: lower case, letters and digits of any script, dashes between words."""
    lowered = unicodedata.normalize("NFC", name).lower()
    return re.sub(r"[\W_]+", "-", lowered).strip("-")[:80].strip("-")


# strict: True is not 1, 1.5 is not 1, "4" is not 4. What designers write ("4+", "4d6", "6,5") is read by check.py.
Whole = Annotated[int, Field(strict=True)]
Length = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Name = Annotated[str, Field(strict=True, min_length=1, max_length=80), AfterValidator(_visible)]
Ident = Annotated[str, Field(strict=True, max_length=80), AfterValidator(_visible), AfterValidator(_is_slug)]
Keyword = Annotated[Name, AfterValidator(_one_word_list_item)]
NameOrNone = Annotated[str, Field(strict=True, max_length=80), AfterValidator(_visible)]
Text = Annotated[str, Field(strict=True, max_length=2000), AfterValidator(_visible_lines)]
