"""A folder of Parquet parts, each written whole or not at all: killed at any moment, nothing that was done is lost.

A part holds a fixed number of consecutive cells, `part-000123-<12 hex>.parquet`; the hex digits are a hash of all that
its numbers depend on. `manifest.json` says what the folder is of. There is no time of day in any file, so a folder that
was resumed is, byte by byte, the folder of an undisturbed run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from morsdei_sim.cards.safe import os_reason
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

__all__ = ["FORMAT", "MANIFEST", "Store", "canonical", "packed", "unwritable"]

FORMAT = 1
MANIFEST = "manifest.json"
MOST_MANIFEST = 20_000_000
PART = re.compile(r"part-(\d{6,})-([0-9a-f]{12})\.parquet")
TEMPORARY = re.compile(r"\.(manifest\.json|part-\d{6,}-[0-9a-f]{12}\.parquet)\.[0-9a-f]+-[0-9a-f]+\.tmp")


def canonical(content: Any) -> bytes:
    """The one JSON text of some data."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def packed(table: pa.Table) -> bytes:
    """A table as a Parquet file: the same bytes for the same table."""
    stream = pa.BufferOutputStream()  # none of Python's, which Arrow would call from threads of its own
    pq.write_table(table, stream, compression="zstd")
    return bytes(stream.getvalue().to_pybytes())


def unwritable(path: Path, error: OSError) -> UserError:
    """What to tell of a folder that cannot be written."""
    text = _("{file}: cannot be written: {reason}").format(file=path, reason=os_reason(error))
    return UserError(text + "\n" + _("What was done before stays; the same command goes on with it."))


class Store:
    """The parts of one study.

    Attributes
    ----------
    folder : where they lie; it may not exist yet.
    manifest : what the folder is of (see `read`).
    """

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder, self.manifest = folder, manifest

    @classmethod
    def read(cls, folder: Path) -> Store:
        """The store that lies in a folder.

        Raises
        ------
        UserError : there is none, or its manifest is damaged.
        """
        manifest = _manifest_of(folder)
        if manifest is None:
            raise UserError(_("{folder}: holds no sweep: there is no {file}").format(folder=folder, file=MANIFEST))
        return cls(folder, manifest)

    @property
    def parts(self) -> int:
        """How many there will be."""
        return int(-(-self.manifest["cells"] // self.manifest["cells_per_part"]))

    def span(self, number: int) -> range:
        """The cells of a part."""
        size = self.manifest["cells_per_part"]
        return range(number * size, min((number + 1) * size, self.manifest["cells"]))

    def name(self, number: int) -> str:
        """The file of a part."""
        span = self.span(number)
        content = {"study": self.manifest["digest"], "first": span.start, "until": span.stop}
        return f"part-{number:06d}-{hashlib.sha256(canonical(content)).hexdigest()[:12]}.parquet"

    def present(self) -> list[int]:
        """Numbers of the parts that are done, rising."""
        found = [int(match[1]) for name in _names(self.folder) if (match := PART.fullmatch(name))
                 and int(match[1]) < self.parts and name == self.name(int(match[1]))]  # fmt: skip
        return sorted(found)

    def missing(self) -> Iterator[int]:
        """Numbers of the parts to be done, rising."""
        done = set(self.present())
        return (number for number in range(self.parts) if number not in done)

    @contextmanager
    def working(self) -> Iterator[None]:
        """The folder made, checked and kept for this process; what killed runs left half-written is removed.

        Raises
        ------
        UserError : it is of another study, of something else, or another process works in it.
        OSError : it cannot be written.
        """
        self.check()
        self.folder.mkdir(exist_ok=True)
        with _locked(self.folder):
            for name in _names(self.folder):
                if TEMPORARY.fullmatch(name):
                    (self.folder / name).unlink()
            if not (self.folder / MANIFEST).exists():
                text = json.dumps(self.manifest, ensure_ascii=False, indent=2) + "\n"
                _write(self.folder, MANIFEST, text.encode())
            yield

    def check(self) -> None:
        """Whether the folder is free for this study; UserError where it is not."""
        if not self.folder.exists():
            if not self.folder.parent.is_dir():
                raise UserError(_("{folder}: there is no such folder yet: {parent}").format(
                    folder=self.folder, parent=self.folder.parent))  # fmt: skip
            return
        if not self.folder.is_dir():
            raise UserError(_("{folder}: is a file; a sweep needs a folder").format(folder=self.folder))
        there = _manifest_of(self.folder)
        if there is None:
            if any(not TEMPORARY.fullmatch(name) for name in _names(self.folder)):
                text = _("{folder}: holds something else than a sweep; name another folder")
                raise UserError(text.format(folder=self.folder))
        elif there["digest"] != self.manifest["digest"]:
            text = _("{folder}: holds another study: {differ}. Name another folder, or remove this one to begin anew.")
            raise UserError(text.format(folder=self.folder, differ=_difference(there, self.manifest)))

    def write(self, number: int, content: bytes) -> None:
        """Write a part, whole or not at all; OSError where it cannot be."""
        _write(self.folder, self.name(number), content)

    def table(self, number: int, columns: list[str] | None = None) -> pa.Table:
        """A part that is done; UserError where it is damaged."""
        file = self.folder / self.name(number)
        try:
            content = pa.BufferReader(file.read_bytes())
            return pq.ParquetFile(content, pre_buffer=False).read(columns, use_threads=False)
        except OSError as error:
            raise UserError(_("{file}: cannot be read: {reason}").format(file=file, reason=os_reason(error))) from None
        except pa.ArrowException:
            text = _("{file}: is damaged; remove it, and the same command makes it again")
            raise UserError(text.format(file=file)) from None


def _difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """In what two manifests differ, in a few words."""
    if one["text"] != other["text"]:
        return _("its file says other things")
    if (one["version"], one["ruleset_version"], one["kernels"]) != tuple(
        other[key] for key in ("version", "ruleset_version", "kernels")
    ):
        return _("it was made by another version of the program")
    return _("a card, board or bot was changed since")


def _names(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in os.scandir(folder)]
    except FileNotFoundError:
        return []


def _manifest_of(folder: Path) -> dict[str, Any] | None:
    """What the manifest of a folder says; None where there is none."""
    file = folder / MANIFEST
    try:
        if not file.exists():
            return None
        with file.open("rb") as content:
            found = json.loads(content.read(MOST_MANIFEST))
        kinds = {"format": int, "cells": int, "cells_per_part": int, "digest": str, "text": str, "version": str,
                 "ruleset": str, "ruleset_version": str, "kernels": str, "verb": str, "name": str, "name_ru": str,
                 "axes": dict, "command": str}  # fmt: skip
        usable = found["format"] == FORMAT and all(isinstance(found[key], kind) for key, kind in kinds.items())
        if usable and found["cells"] >= 0 < found["cells_per_part"]:
            return dict(found)
    except OSError as error:
        raise UserError(_("{file}: cannot be read: {reason}").format(file=file, reason=os_reason(error))) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise UserError(_("{file}: is damaged, or of another version; name another folder").format(file=file))


def _write(folder: Path, name: str, content: bytes) -> None:
    """Write a file whole or not at all: under another name first, and its own once the disk has it."""
    temporary = folder / f".{name}.{os.getpid():x}-{get_ident():x}.tmp"
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            left = memoryview(content)
            while left:
                left = left[os.write(handle, left) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        temporary.replace(folder / name)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync(folder)


def _sync(folder: Path) -> None:
    """Have the disk keep the names of a folder too."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """The folder for this process alone; the system lets go of it whatever becomes of the process."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(_("{folder}: another run is working in it").format(folder=folder)) from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)
