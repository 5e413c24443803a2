"""A folder of Parquet parts, each written whole or not at all: killed at any moment, nothing that was done is lost.

A part holds a fixed number of consecutive cells, `part-000123-<12 hex>.parquet`; the hex digits are a hash of all that
its numbers depend on. `manifest.json` says what the folder is of. There is no time of day in any file, so a folder that
was resumed is, byte by byte, the folder of an undisturbed run.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from morsdei_sim.cards import safe
from morsdei_sim.cards.safe import unreadable
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.sweep.places import Place, place

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


def unwritable(path: Path | str, error: OSError) -> UserError:
    """What to tell of a folder that cannot be written."""
    text = str(safe.unwritable(path, error))
    return UserError(text + "\n" + _("What was done before stays; the same command goes on with it."))


class Store:
    """The parts of one study.

    Attributes
    ----------
    place : where they lie; it may not exist yet.
    manifest : what they are of (see `read`).
    """

    def __init__(self, where: Place, manifest: dict[str, Any]) -> None:
        self.place, self.manifest = where, manifest

    @classmethod
    def read(cls, folder: str | Path) -> Store:
        """The store that lies in a folder, or at a URL.

        Raises
        ------
        UserError : there is none, or its manifest is damaged.
        """
        where = place(folder)
        manifest = _manifest_of(where)
        if manifest is None:
            raise UserError(_("{folder}: holds no sweep: there is no {file}").format(folder=where.name, file=MANIFEST))
        return cls(where, manifest)

    @property
    def folder(self) -> Path | str:
        """The path where they lie, or the URL."""
        return self.place.name

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
        found = [int(match[1]) for name in self.place.names() if (match := PART.fullmatch(name))
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
        with self.place.kept() as alone:
            self._tidy(alone)
            if MANIFEST not in self.place.names():
                text = json.dumps(self.manifest, ensure_ascii=False, indent=2) + "\n"
                self.place.write(MANIFEST, text.encode())
            yield
            self._tidy(alone)

    def _tidy(self, alone: bool) -> None:
        """Remove what is half-written; where others may be at work, only of files that are there by now."""
        names = set(self.place.names())
        for name in names:
            if (half := TEMPORARY.fullmatch(name)) and (alone or half[1] in names):
                with suppress(OSError):  # others remove it too; at the worst it stays
                    self.place.remove(name)

    def check(self) -> None:
        """Whether the folder is free for this study; UserError where it is not."""
        self.place.check()
        there = _manifest_of(self.place)
        if there is None:
            if any(not TEMPORARY.fullmatch(name) for name in self.place.names()):
                text = _("{folder}: holds something else than a sweep; name another folder")
                raise UserError(text.format(folder=self.folder))
        elif there["digest"] != self.manifest["digest"]:
            text = _("{folder}: holds another study: {differ}. Name another folder, or remove this one to begin anew.")
            raise UserError(text.format(folder=self.folder, differ=_difference(there, self.manifest)))

    def write(self, number: int, content: bytes) -> None:
        """Write a part, whole or not at all; OSError where it cannot be."""
        self.place.write(self.name(number), content)

    def tables(self, numbers: Iterable[int], columns: list[str] | None = None) -> Iterator[pa.Table]:
        """Parts that are done; UserError where one is damaged."""
        names = [self.name(number) for number in numbers]
        try:
            for name, content in zip(names, self.place.read_all(names), strict=True):
                yield _unpacked(_inside(self.folder, name), content, columns)
        except OSError as error:
            raise unreadable(error.filename or self.folder, error) from None


def _unpacked(file: Path | str, content: bytes, columns: list[str] | None) -> pa.Table:
    try:
        return pq.ParquetFile(pa.BufferReader(content), pre_buffer=False).read(columns, use_threads=False)
    except (OSError, pa.ArrowException):
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


def _inside(folder: Path | str, name: str) -> Path | str:
    """A file of the folder, as people are told it."""
    return folder / name if isinstance(folder, Path) else f"{folder}/{name}"


def _manifest_of(where: Place) -> dict[str, Any] | None:
    """What the manifest of a folder says; None where there is none."""
    file = _inside(where.name, MANIFEST)
    try:
        found = json.loads(where.read(MANIFEST, MOST_MANIFEST))
        kinds = {"format": int, "cells": int, "cells_per_part": int, "digest": str, "text": str, "version": str,
                 "ruleset": str, "ruleset_version": str, "kernels": str, "verb": str, "name": str, "name_ru": str,
                 "axes": dict, "design": str, "run": dict, "command": str}  # fmt: skip
        usable = found["format"] == FORMAT and all(isinstance(found[key], kind) for key, kind in kinds.items())
        if usable and found["cells"] >= 0 < found["cells_per_part"]:
            return dict(found)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(file, error) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise UserError(_("{file}: is damaged, or of another version; name another folder").format(file=file))
