"""Where the files of a sweep lie: a folder of this machine here, one at a URL in `remote`.

Both give the same promise: a file has its name only when it is whole.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import Protocol, TypeGuard
from urllib.parse import urlsplit
from urllib.request import url2pathname

from morsdei_sim.cards.safe import unreadable
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

__all__ = ["Local", "Place", "is_url", "place", "public"]

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")  # `C:\` is none
SECRET = re.compile(r"(?<=://)([^/@:]*):[^/@]*@")


class Place(Protocol):
    """A folder in which a file appears whole or not at all."""

    @property
    def name(self) -> Path | str:
        """Of the folder, as people are told it: a path, or a URL without its password."""

    def check(self) -> None:
        """UserError where the folder is none, or can never be made."""

    def names(self) -> list[str]:
        """Of the files there, none where there is no folder; UserError where that cannot be known."""

    def read(self, name: str, most: int = -1) -> bytes:
        """A file, or so many of its bytes; OSError where that cannot be."""

    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        """Files, in that order; OSError where one cannot be read."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file whole or not at all; OSError where it cannot be."""

    def remove(self, name: str) -> None:
        """Remove a file; OSError where it cannot be."""

    def kept(self) -> AbstractContextManager[bool]:
        """The folder made; gives whether it is for this process alone. OSError where it cannot be made."""


def place(folder: str | Path) -> Place:
    """The place that a path or a URL names; `file://` is a path.

    Raises
    ------
    UserError : the URL cannot be used: a package is missing, there is no such protocol, nobody answers.
    """
    if not is_url(folder):
        return Local(Path(folder))
    if folder.lower().startswith("file://"):
        return Local(Path(url2pathname(urlsplit(folder).path)))
    from morsdei_sim.sweep.remote import Remote

    return Remote(folder)


def is_url(folder: str | Path) -> TypeGuard[str]:
    """Whether that is a URL and not a path."""
    return isinstance(folder, str) and URL.match(folder) is not None


def public(text: object) -> str:
    """A text without the passwords of URLs."""
    return SECRET.sub(r"\1:***@", str(text))


class Local:
    """A folder of this machine: what has its name is on the disk, and one process at a time works there."""

    def __init__(self, folder: Path) -> None:
        self.name = self._folder = folder

    def check(self) -> None:
        """UserError where it is a file, or the folder around it is missing."""
        if not self._folder.exists():
            if not self._folder.parent.is_dir():
                raise UserError(_("{folder}: there is no such folder yet: {parent}").format(
                    folder=self._folder, parent=self._folder.parent))  # fmt: skip
        elif not self._folder.is_dir():
            raise UserError(_("{folder}: is a file; a sweep needs a folder").format(folder=self._folder))

    def names(self) -> list[str]:
        """Of the files there, none where there is no folder."""
        try:
            return [entry.name for entry in os.scandir(self._folder)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise unreadable(self._folder, error) from None

    def read(self, name: str, most: int = -1) -> bytes:
        """A file, or so many of its bytes."""
        with (self._folder / name).open("rb") as file:
            return file.read(most)

    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        """Files, one after the other."""
        return map(self.read, names)

    def write(self, name: str, content: bytes) -> None:
        """Under another name first, and its own once the disk has it."""
        temporary = self._folder / f".{name}.{os.getpid():x}-{get_ident():x}.tmp"
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
            try:
                left = memoryview(content)
                while left:
                    left = left[os.write(handle, left) :]
                os.fsync(handle)
            finally:
                os.close(handle)
            temporary.replace(self._folder / name)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        self._sync()

    def remove(self, name: str) -> None:
        """Remove a file."""
        (self._folder / name).unlink()

    @contextmanager
    def kept(self) -> Iterator[bool]:
        """The folder for this process alone; the system lets go of it whatever becomes of the process.

        Raises
        ------
        UserError : another process works in it.
        """
        self._folder.mkdir(exist_ok=True)
        try:
            import fcntl
        except ImportError:  # Windows
            yield True
            return
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UserError(_("{folder}: another run is working in it").format(folder=self._folder)) from None
            except OSError:
                pass  # a file system without locks
            yield True
        finally:
            os.close(handle)

    def _sync(self) -> None:
        """Have the disk keep the names of the folder too."""
        if os.name == "nt":
            return
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
