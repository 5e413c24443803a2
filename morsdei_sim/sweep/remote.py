"""A folder at a URL, through fsspec: an object store, a server.

A file appears whole or not at all: where the file system renames, under another name first; where it would copy
instead (object stores), in one put, which they publish when it has ended. Nothing can be locked there: two runs of one
study give their parts the same names and the same bytes, so it does not matter who was first.
"""

from __future__ import annotations

import difflib
import errno
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from morsdei_sim.cards.safe import unreadable
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.sweep.places import public

__all__ = ["Remote"]

PACKAGES = {"smbclient": "smbprotocol"}
"""Packages whose import has another name."""

TOGETHER = 64
"""Files that are asked for at once, and held in memory."""


class Remote:
    """A folder at a URL; see `places.Place`."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self.name = public(self._url)
        try:
            self._connect()
        except UserError:
            raise
        except Exception as error:
            raise unreadable(self.name, _failure(error)) from None

    def _connect(self) -> None:
        fsspec = _fsspec(self.name)
        files, folder = fsspec.url_to_fs(self._url)
        self._files: Any = files
        self._folder: str = folder.rstrip("/")
        self._renames = type(files).mv is not fsspec.AbstractFileSystem.mv

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def check(self) -> None:
        """UserError where it is a file."""
        if not self.names() and self._asked("isfile", self._folder):
            raise UserError(_("{folder}: is a file; a sweep needs a folder").format(folder=self.name))

    def names(self) -> list[str]:
        """Of the files there, none where there is no folder."""
        self._files.invalidate_cache()
        try:
            found = self._asked("ls", self._folder, detail=False)
        except FileNotFoundError:
            return []
        own = self._folder.strip("/")
        return [path.rstrip("/").rpartition("/")[2] for path in found if path.strip("/") != own]

    def _asked(self, question: str, *words: Any, **more: Any) -> Any:
        """What the file system says; FileNotFoundError, or UserError where it says nothing."""
        try:
            return getattr(self._files, question)(*words, **more)
        except FileNotFoundError:
            raise
        except Exception as error:
            raise unreadable(self.name, _failure(error)) from None

    def read(self, name: str, most: int = -1) -> bytes:
        """A file, or so many of its bytes."""
        with _failures(), self._files.open(self._path(name), "rb") as file:
            return bytes(file.read(most))

    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        """Files, many at once where the file system can."""
        left = iter(names)
        while some := list(islice(left, TOGETHER)):
            with _failures():
                found = self._files.cat([self._path(name) for name in some])
            contents = {path.rpartition("/")[2]: content for path, content in found.items()}
            yield from (contents[name] for name in some)

    def write(self, name: str, content: bytes) -> None:
        """Write a file whole or not at all; tried again once, for a server may hang up while a part is worked out."""
        with _failures():
            try:
                self._put(name, content)
            except Exception:
                self._connect()
                self._put(name, content)

    def _put(self, name: str, content: bytes) -> None:
        if self._renames:
            other = f".{name}.{os.getpid():x}-{secrets.token_hex(8)}.tmp"
            try:
                self._files.pipe_file(self._path(other), content)
                self._files.mv(self._path(other), self._path(name))
            except Exception:
                with suppress(Exception):
                    self._files.rm_file(self._path(other))
                if not self._holds(name, len(content)):  # or else another run was first, with the same bytes
                    raise
        else:
            self._files.pipe_file(self._path(name), content)
        if not self._holds(name, len(content)):  # some file systems say nothing of a failure
            raise OSError(_("the file is not there after it was written"))

    def _holds(self, name: str, size: int) -> bool:
        self._files.invalidate_cache()
        try:
            return bool(self._files.info(self._path(name))["size"] == size)
        except FileNotFoundError:
            return False

    def remove(self, name: str) -> None:
        """Remove a file."""
        with _failures():
            self._files.rm_file(self._path(name))

    @contextmanager
    def kept(self) -> Iterator[bool]:
        """The folder made, where file systems have folders; never for this process alone."""
        if self._renames:
            with suppress(Exception):  # it is there, or the first file will say what is wrong
                self._files.mkdir(self._folder, create_parents=False)
        yield False


def _fsspec(url: str) -> Any:
    """The package, with what it needs for this URL; UserError where that is missing."""
    try:
        import fsspec
    except ImportError:
        raise UserError(_("fsspec is missing. To install it: pip install 'morsdei-sim[remote]'")) from None
    protocol = url.partition("://")[0]
    try:
        fsspec.get_filesystem_class(protocol)
    except ValueError:
        close = difflib.get_close_matches(protocol, fsspec.available_protocols(), n=1, cutoff=0.5)
        hint = " " + _('did you mean "{word}"?').format(word=close[0] + "://") if close else ""
        text = _("{url}: there is no protocol {name}.").format(url=url, name=protocol)
        raise UserError(text + hint) from None
    except ImportError as error:
        module = getattr(error.__cause__, "name", None) or protocol
        text = _("{url}: {package} is missing. To install it: pip install {package}")
        raise UserError(text.format(url=url, package=PACKAGES.get(module, module))) from None
    return fsspec


@contextmanager
def _failures() -> Iterator[None]:
    """Every file system and server has errors of its own: here they become OSError."""
    try:
        yield
    except Exception as error:
        raise _failure(error) from None


def _failure(error: Exception) -> OSError:
    if isinstance(error, OSError) and error.errno:
        return error
    for kind, number in ((FileNotFoundError, errno.ENOENT), (PermissionError, errno.EACCES)):
        if isinstance(error, kind):
            return kind(number, os.strerror(number))
    if isinstance(error, NotImplementedError):
        return OSError(_("this can only be read"))
    (first, *_more) = [*public(str(error)).splitlines(), ""]
    return OSError(first[:300] or type(error).__name__)
