"""What is wrong with a text that is no TOML, in a designer's words: what, where, and what to write instead."""

from __future__ import annotations

import re

from morsdei_sim.lang import N_, _

__all__ = ["told", "value_hint"]

_TWICE = N_("this key is given twice")
_REASONS = {
    "Cannot overwrite a value": _TWICE,
    "Duplicate inline table key": _TWICE,
    "Cannot declare": N_("a table of this name is already there"),
    "Expected '='": N_("an = is missing after the key"),
    "Expected ']": N_("a closing bracket is missing"),
    "Expected newline": N_("something stands after the value"),
    'Expected "\'"': N_("a quotation mark is missing at the end"),
    "Unterminated string": N_("a quotation mark is missing at the end"),
    "Illegal character": N_("a character stands here that TOML does not allow (a quotation mark may be missing)"),
    "Found invalid character": N_("a character stands here that TOML does not allow"),
    "Invalid value": N_("this is no value"),
    "Invalid date": N_("this is no date"),
    "Invalid statement": N_("this is no line of TOML"),
    "Invalid initial character": N_("a key begins with a letter, a digit or a quotation mark"),
    "Unclosed array": N_("the list is not closed"),
    "Unclosed inline table": N_("the table is not closed"),
    "Unescaped": N_("a backslash in a text must be doubled"),
}
"""What tomllib says, by its beginning, in a designer's words; whatever is not here is shown as tomllib says it."""


def told(text: str, reason: str) -> tuple[str, str, str]:
    """What tomllib says of a text: a sentence, the place ("line 3"), and the line itself."""
    rows = text.splitlines()
    found = re.search(r" ?\(at line (\d+), column \d+\)", reason)
    number = int(found[1]) if found else len(rows)
    row = rows[number - 1] if 0 < number <= len(rows) else ""
    reason = re.sub(r" ?\(at [^)]*\)", "", reason)
    known = next((words for start, words in _REASONS.items() if reason.startswith(start)), "")
    message = _("is not valid TOML here: {reason}").format(reason=_(known) if known else reason[:200])
    return message, f"line {number}", row


def value_hint(row: str) -> str:
    """What was probably meant by the value of a line."""
    key, equals, value = (part.strip() for part in row.partition("#")[0].partition("="))
    if equals and re.fullmatch(r"-?[0-9]+,[0-9]+", value):
        return _("decimals take a point: {value}").format(value=value.replace(",", "."))
    if equals and value.lower() in ("true", "false"):
        return _("in small letters: {key} = {value}").format(key=key[:40], value=value.lower())
    if equals and re.match(r"[^\"'\[{]", value):
        return _('put words between quotes: {key} = "{value}"').format(key=key[:40], value=value[:40])
    return ""
