"""On which line each key of a TOML text stands.

tomllib gives values without places. This walks over a text that tomllib has already accepted, so it needs to know only
where strings, arrays and inline tables end.
"""

from __future__ import annotations

import re
import tomllib

__all__ = ["Path", "lines"]

Path = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")  # white space, line ends, comments
_KEY = re.compile(r"""(?:[ \t]*(?:"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*\.?)+""")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r'"{0,2}'
    r"|'''.*?'''"
    r"'{0,2}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)  # a long string may end in one or two quotes of its own
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
_BARE = re.compile(r"[^,\]}#\n]+")


def lines(text: str) -> dict[Path, int]:
    """Line of every key path, such as ("fighter", 0, "weapon", 1, "hit"), of a valid TOML text."""
    return _Walk(text.replace("\r\n", "\n")).walk()


class _Walk:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.line, self.counted = 1, 0
        self.found: dict[Path, int] = {}
        self.counts: dict[Path, int] = {}  # arrays of tables: how many so far

    def walk(self) -> dict[Path, int]:
        table: Path = ()
        self._skip()
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self._header()
            else:
                self._pair(table)
            self._skip()
        return self.found

    def _here(self) -> int:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line

    def _skip(self) -> None:
        self.at = self._end(_SPACE)

    def _end(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        return match.end() if match else self.at + 1  # always forward, whatever the text

    def _note(self, path: Path) -> None:
        self.found.setdefault(path, self._here())

    def _key(self) -> tuple[str, ...]:
        start, self.at = self.at, self._end(_KEY)
        return _parts(self.text[start : self.at])

    def _header(self) -> Path:
        several = self.text.startswith("[[", self.at)
        self.at += 2 if several else 1
        *outer, last = self._key()
        self.at += 2 if several else 1
        path: Path = ()
        for part in outer:
            path = self._entered((*path, part))
        path = (*path, last)
        if several:
            self.counts[path] = self.counts.get(path, -1) + 1
            self._note(path)
        path = self._entered(path)
        self._note(path)
        return path

    def _entered(self, path: Path) -> Path:
        return (*path, self.counts[path]) if path in self.counts else path

    def _pair(self, table: Path) -> None:
        self._skip()
        path = table
        for part in self._key():
            path = (*path, part)
            self._note(path)
        self._skip()
        self.at += 1  # the equals sign
        self._skip()
        self._value(path)

    def _value(self, path: Path) -> None:
        opening = self.text[self.at : self.at + 1]
        if opening == "[":
            self._items(path, "]")
        elif opening == "{":
            self._items(path, "}")
        elif opening in ('"', "'"):
            self.at = self._end(_STRING)
        else:
            self.at = self._end(_BARE)

    def _items(self, path: Path, closing: str) -> None:
        self.at += 1
        index = 0
        self._skip()
        while self.at < len(self.text) and self.text[self.at] != closing:
            if closing == "}":
                self._pair(path)
            else:
                self._note((*path, index))
                self._value((*path, index))
            index += 1
            self._skip()
            if self.text.startswith(",", self.at):
                self.at += 1
                self._skip()
        self.at += 1


def _parts(key: str) -> tuple[str, ...]:
    """The parts of a dotted key, quotes and escapes resolved by tomllib itself."""
    if _PLAIN.fullmatch(key.strip()):
        return (key.strip(),)
    table = tomllib.loads(f"{key.strip()} = 0")
    parts: list[str] = []
    inner: object = table
    while isinstance(inner, dict):
        part, inner = next(iter(inner.items()))
        parts.append(part)
    return tuple(parts)
