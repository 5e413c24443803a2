"""Messages in English and Russian.

English texts are the keys; the Russian ones lie in ``locale/ru/LC_MESSAGES/morsdei_sim.po``. The file is read as it is,
without Babel: the self-installing entry speaks Russian too, before anything is installed, and importing Babel would
cost more than all the rest of ``--help``. A test compares this reader with Babel's. Python 3.8 must be able to run it.
"""

from __future__ import annotations

import ast
import gettext
import locale
import os
import re
from contextlib import contextmanager
from typing import Callable, Iterator, Sequence

__all__ = ["LANGUAGES", "N_", "_", "choose_language", "decimal", "language", "ngettext", "set_language", "speaking"]

LANGUAGES = ("en", "ru")

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "locale")
_ENTRY = re.compile(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)?\s*(".*")$')


class _Catalog:
    """What a .po file says: texts by key, plural forms by key and number."""

    def __init__(self, path: str) -> None:
        self.texts: dict[str, str] = {}
        self.plurals: dict[str, list[str]] = {}
        with open(path, encoding="utf-8") as lines:
            for entry in re.split(r"\n\s*\n", lines.read()):
                self._add(entry)
        rule = re.search(r"plural=([^;\n]+)", self.texts.get("", ""))
        self.form: Callable[[int], int] = gettext.c2py(rule.group(1) if rule else "n != 1")

    def _add(self, entry: str) -> None:
        fields: dict[str, str] = {}
        field = ""
        for line in entry.splitlines():
            match = _ENTRY.match(line.strip())
            if match:
                field = match.group(1) or field
                fields[field] = fields.get(field, "") + ast.literal_eval(match.group(2))
        if re.search(r"^#,.*\bfuzzy\b", entry, re.MULTILINE) and fields.get("msgid"):
            return  # a guess that nobody has confirmed
        if "msgid_plural" in fields:
            forms = [fields[name] for name in sorted(fields) if name.startswith("msgstr[")]
            self.plurals[fields["msgid"]] = forms
        elif fields.get("msgstr"):
            self.texts[fields["msgid"]] = fields["msgstr"]


_catalogs: dict[str, _Catalog] = {}
_language = ""


def _system_language() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return value
    try:
        return locale.getlocale()[0] or ""
    except ValueError:  # a locale that this system does not know
        return ""


def choose_language(arguments: Sequence[str] = ()) -> str:
    """The language asked for: ``--lang`` in the arguments, then ``MORSDEI_LANG``, then the system's; else English."""
    for place, argument in enumerate(arguments):
        if argument == "--lang" and place + 1 < len(arguments) and arguments[place + 1] in LANGUAGES:
            return arguments[place + 1]
        if argument.startswith("--lang=") and argument[7:] in LANGUAGES:
            return argument[7:]
    chosen = os.environ.get("MORSDEI_LANG") or _system_language()
    return "ru" if chosen.lower().startswith("ru") else "en"


def language() -> str:
    """The language messages are in: "en" or "ru"."""
    return _language or choose_language()


def set_language(code: str) -> None:
    """Speak English ("en") or Russian ("ru") from here on."""
    global _language
    if code not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, not {code!r}")
    _language = code


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language for a while."""
    global _language
    before = _language
    set_language(code)
    try:
        yield
    finally:
        _language = before


def _catalog() -> _Catalog | None:
    code = language()
    if code == "en":
        return None
    if code not in _catalogs:
        _catalogs[code] = _Catalog(os.path.join(_FOLDER, code, "LC_MESSAGES", "morsdei_sim.po"))
    return _catalogs[code]


def _(message: str) -> str:
    """The message in the chosen language. Format after translating: ``_("{n} dice").format(n=4)``."""
    catalog = _catalog()
    return catalog.texts.get(message, message) if catalog and message else message


def ngettext(singular: str, plural: str, n: int) -> str:
    """The form of a message that goes with the number ``n``."""
    catalog = _catalog()
    if catalog is None or singular not in catalog.plurals:
        return singular if n == 1 else plural
    return catalog.plurals[singular][catalog.form(n)]


def N_(message: str) -> str:
    """Mark a text for translation that is translated only when it is shown."""
    return message


def named(name: str, russian: str) -> str:
    """A thing's own name in the language of the messages: the Russian one where there is one."""
    return russian if language() == "ru" and russian else name


def decimal(number: str) -> str:
    """A number as people write it: with a decimal comma in Russian."""
    return number.replace(".", ",") if language() == "ru" else number
