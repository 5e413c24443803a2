"""Numbers typed on the command line the way a rulebook writes them: "4d6 4+ 4 HP 9", "Defence 3 HP 7".

The words are the names and units of the card's fields, in either language, in any order. A field whose unit is a suffix
("4d6", "4+") needs no name; the one bare number belongs to the field that the caller names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from morsdei_sim.cards.shape import Column, Shape, shape
from morsdei_sim.cards.text import norm
from morsdei_sim.cards.values import BadValue, allowed, meant, show, understand
from morsdei_sim.errors import CardFaults, Fault, UserError
from morsdei_sim.lang import _, language

__all__ = ["Inline", "inline", "looks_inline"]

_NUMBER = re.compile(r"[+\-\u2212]?[0-9]{1,15}(?:[.,][0-9]+)?")
_NAMED = re.compile(r"([^\W\d_]+)[=:]?(.*)", re.DOTALL)
_MOST = 300  # characters


@dataclass
class Inline:
    """What was typed: fields of the card, fields of its one record, and current values such as 4 of HP 4/9."""

    text: str
    card: dict[str, Any] = field(default_factory=dict)
    record: dict[str, Any] = field(default_factory=dict)
    current: dict[str, int] = field(default_factory=dict)


def inline(text: str, model: type[BaseModel], bare: str = "", current: str = "") -> Inline:
    """Read such a text.

    Parameters
    ----------
    text : str
        Words in any order and case.
    model : type of pydantic.BaseModel
        The room's card model; its field names, titles, aliases and suffixes are the words.
    bare : str
        Key of the record's field that a number without a name means ("damage").
    current : str
        Key of the card's field that may be written as current/maximum ("hp").

    Returns
    -------
    Inline

    Raises
    ------
    UserError
        A word is unknown, given twice, or lacks its number.
    CardFaults
        A number is outside its bounds.
    """
    if len(text) > _MOST:
        raise UserError(_("the text is longer than {most} characters").format(most=_MOST))
    return _Reader(text, shape(model), bare, current).read()


def looks_inline(text: str, model: type[BaseModel]) -> bool:
    """Whether any word of the text belongs to this notation: then a stray word is a slip, not the name of a squad."""
    reader = _Reader(text[:_MOST], shape(model), "", "")
    return any(
        _NUMBER.fullmatch(word)
        or reader.unit(word)
        or reader.choice(word)
        or reader.named(word)
        or re.match(r"[0-9]+(?:[dдкk][0-9]|\+)", word.casefold())
        for word in reader.words
    )


def _split(text: str) -> list[str]:
    words: list[str] = []
    for word in text.split():
        bare = word.strip(",;")
        # "4,5" is one decimal number; "4d6,4+,4" is three words.
        words += [bare] if _NUMBER.fullmatch(bare) else [part for part in re.split(r"[,;]", bare) if part]
    return words


class _Reader:
    """Reads the words from left to right; each method takes those it understands off the front."""

    def __init__(self, text: str, form: Shape, bare: str, current: str) -> None:
        self.form, self.bare, self.current = form, bare, current
        self.found = Inline(text.strip())
        self.words = _split(text)
        self.faults: list[Fault] = []
        self.inner = form.record.columns if form.record else ()

    def read(self) -> Inline:
        if not self.words:
            raise UserError(_("nothing is written between the quotes"))
        while self.words:
            word = self.words.pop(0)
            if column := self.unit(word) or self.choice(word):
                self.keep(column, word, word)
            elif _NUMBER.fullmatch(word):
                self.number(word)
            elif (column := self.named(word)) is not None:
                self.value(column, word)
            else:
                raise UserError(self.unknown(word))
        if self.faults:
            raise CardFaults(self.faults)
        return self.found

    def unit(self, word: str) -> Column | None:
        """The record's field that this number with its unit belongs to: 4d6, 4+."""
        for column in self.inner if word[:1].isdigit() or word[:1] in "+-" else ():
            for suffix in column.suffixes if column.kind == "whole" else ():
                if word.casefold().endswith(suffix) and _NUMBER.fullmatch(word[: -len(suffix)]):
                    return column
        return None

    def choice(self, word: str) -> Column | None:
        for column in self.inner:
            spelled = [*column.choices, *(other for other, _choice in column.words)]
            if column.kind == "choice" and norm(word) in map(norm, spelled):
                return column
        return None

    def named(self, word: str) -> Column | None:
        """The field named by the letters at the front of a word: HP, HP9, Def=3."""
        found = _NAMED.fullmatch(word)
        for column in (*self.form.columns, *self.inner) if found else ():
            if column.kind in ("whole", "length") and norm(found[1] if found else "") in column.spellings():
                return column
        return None

    def number(self, word: str) -> None:
        column = next((one for one in self.inner if one.key == self.bare), None)
        if column is None:
            raise UserError(
                _('"{text}": what does the number {word} mean? Name it, for instance "HP {word}"').format(
                    text=self.found.text, word=word
                )
            )
        self.keep(column, word, word)

    def value(self, column: Column, word: str) -> None:
        match = _NAMED.fullmatch(word)
        value = match[2] if match else ""
        if value in ("", "=", ":") and self.words:
            value = self.words.pop(0)
            if value in ("=", ":") and self.words:
                value = self.words.pop(0)
        if not re.match(r"[+\-\u2212]?[0-9]", value):
            raise UserError(_('"{text}": a number must follow {word}').format(text=self.found.text, word=word))
        now, slash, most = value.partition("/")
        if slash and column.key == self.current:
            self.keep(column, most, value)
            self.keep_current(column, now, value)
        else:
            self.keep(column, value, value)

    def keep(self, column: Column, value: str, word: str) -> None:
        data = self.found.record if column in self.inner else self.found.card
        if column.key in data:
            raise UserError(
                _('"{text}": {name} is given twice').format(
                    text=self.found.text, name=column.title_ru if language() == "ru" else column.title
                )
            )
        data[column.key] = None
        try:
            data[column.key] = number = understand(column, value)
        except BadValue as bad:
            self.fault(column, word, bad.message, bad.hint)
            return
        limits = {"ge": lambda a, b: a >= b, "gt": lambda a, b: a > b, "le": lambda a, b: a <= b}
        if not isinstance(number, str) and not all(
            limits[name](number, most) for name, most in column.bounds if name in limits
        ):
            self.fault(column, word, _("must be {allowed}").format(allowed=allowed(column)))

    def keep_current(self, column: Column, value: str, word: str) -> None:
        most = self.found.card[column.key]
        now = int(value) if re.fullmatch(r"[0-9]{1,15}", value) else -1
        if most is not None and not 1 <= now <= most:
            self.fault(column, word, _("the current value must be 1 to {most}").format(most=most))
        self.found.current[column.key] = now

    def fault(self, column: Column, word: str, message: str, hint: str = "") -> None:
        title = column.title_ru if language() == "ru" else column.title
        note = column.help_ru if language() == "ru" else column.help
        path = f'"{self.found.text}", {title}'
        self.faults.append(Fault("", "", path, show(word)[1:-1], f"{message} ({note})", hint))

    def unknown(self, word: str) -> str:
        names = [
            one
            for column in (*self.form.columns, *self.inner)
            if column.kind in ("whole", "length")
            for one in (column.key, column.title_ru, *column.aliases)
        ]
        names += [
            one for column in self.inner for one in (*column.choices, *(other for other, _choice in column.words))
        ]
        match = _NAMED.fullmatch(word)
        hint = meant(match[1] if match else word, names)
        message = _('"{text}": the word {word} is not understood').format(text=self.found.text, word=show(word))
        if re.fullmatch(r"[0-9]+[dдкk][0-9]+", word.casefold()):
            hint = _("only d6 dice are known")
        return f"{message} ({hint})" if hint else message
