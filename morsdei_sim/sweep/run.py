"""A study carried out, part by part, by threads or by a cluster; stopped at any moment and resumed."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Event, current_thread, main_thread
from time import perf_counter
from typing import Any

import pyarrow as pa

import morsdei_sim
from morsdei_sim._jit import source_digest
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, language, set_language
from morsdei_sim.sweep.cells import answered, table
from morsdei_sim.sweep.design import RANDOM
from morsdei_sim.sweep.executors import THREADS, ClusterGone, Workers, result_of, workers
from morsdei_sim.sweep.places import place
from morsdei_sim.sweep.store import FORMAT, Store, canonical, packed, unwritable
from morsdei_sim.sweep.study_file import Study

__all__ = ["Estimate", "check_cells", "estimate", "plan", "run", "said"]

TRIED = 8
"""Cells answered to estimate how long all will take."""


@dataclass(frozen=True)
class Estimate:
    """What a sweep will take: rows of one cell, seconds on so many threads, bytes on the disk."""

    rows: int
    seconds: float
    bytes: int


def plan(study: Study, folder: str | Path, command: str) -> Store:
    """The folder's store, before anything is done; its `missing()` are the parts to do.

    Parameters
    ----------
    folder : a path or a URL.
    command : the command line that repeats the study, for the manifest.

    Raises
    ------
    UserError : a URL that cannot be used.
    """
    manifest = {
        "format": FORMAT,
        "name": study.name,
        "name_ru": study.name_ru,
        "ruleset": study.room.name,
        "ruleset_version": study.room.version,
        "verb": study.verb,
        "version": morsdei_sim.__version__,
        "kernels": source_digest(),
        "digest": _digest(study),
        "seed": study.run["seed"],
        "cells": study.design.cells,
        "cells_per_part": (size := study.run["cells_per_part"]),
        "parts": -(-study.design.cells // size),
        "axes": {axis.name: len(axis.values) for axis in study.design.axes},
        "design": study.design.kind,
        "run": study.run,
        "command": command,
        "study": study.file.name,
        "text": study.text,
    }
    return Store(place(folder), manifest)


def _digest(study: Study) -> str:
    """SHA-256 of everything that the numbers depend on."""
    design = study.design
    content = {
        "format": FORMAT,
        "program": [morsdei_sim.__version__, source_digest(), study.room.name, study.room.version],
        "verb": study.verb,
        "attackers": [side.content() for side in study.attackers],
        "targets": [side.content() for side in study.targets],
        "axes": [[axis.name, [repr(value) for value in axis.values]] for axis in design.axes],
        "options": study.options,
        "rules": study.rules,
        "design": [design.kind, design.points, design.seed],
        "run": study.run,
        "boards": {name: board.digest for name, board in study.boards.items()},
        "bots": {name: [_bot(one) for one in pair] for name, pair in study.bots.items()},
    }
    if design.kind in RANDOM:  # another version of scipy may draw others
        content["points"] = hashlib.sha256(design.places.tobytes()).hexdigest()
    return hashlib.sha256(canonical(content)).hexdigest()


def _bot(player: Any) -> list[Any]:
    """What a bot is, apart from the code, which `kernels` tells of."""
    function = getattr(player.bot, "__name__", repr(player.bot))
    return [player.name, function, [repr(weight) for weight in player.weights], repr(player.prone_price), player.habit]


def run(
    study: Study, store: Store, *, jobs: int | None = None, executor: str = THREADS,
    progress: Callable[[int, int], None] | None = None,
) -> None:  # fmt: skip
    """Do the parts that are missing. After a Ctrl-C no new one is begun; those begun are finished.

    Parameters
    ----------
    jobs : threads, one per processor core unless given; no byte depends on it.
    executor : "threads", or where a Dask scheduler is: "dask://host:port", "dask-file:PATH".
    progress : called with (cells done, cells in all).

    Raises
    ------
    UserError : the folder is not of this study, or cannot be written; a cluster that cannot be used or went away. What
        was done stays.
    """
    try:
        with workers(executor, jobs) as crew, store.working(), _english():
            _work(study, store, crew, progress)
    except OSError as error:
        raise unwritable(store.folder, error) from None
    except ClusterGone as error:
        text = _("The cluster did not finish: {reason}. What was done stays; the same command goes on with it.")
        raise UserError(text.format(reason=error)) from None


def _work(study: Study, store: Store, crew: Workers, progress: Callable[[int, int], None] | None) -> None:
    missing = list(store.missing())  # parts, not cells
    done = study.design.cells - sum(len(store.span(number)) for number in missing)
    begun: dict[Future[bytes], int] = {}
    ready: SimpleQueue[Future[bytes]] = SimpleQueue()  # `wait` would look at all of them for each that is done

    def finish() -> None:
        nonlocal done
        future = ready.get()
        number = begun.pop(future, None)
        if number is None:
            return  # it was called off
        store.write(number, result_of(future))
        done += len(store.span(number))
        if progress is not None:
            progress(done, study.design.cells)

    with _until_interrupted() as stop:
        try:
            for number in missing:
                if stop.is_set():
                    break
                span = store.span(number)
                future = crew.submit(study, store.manifest["digest"], span.start, span.stop)
                begun[future] = number
                future.add_done_callback(ready.put)
                while len(begun) >= 2 * crew.threads:  # more would wait in memory
                    finish()
            for future in list(begun) if stop.is_set() and crew.client is None else ():
                if future.cancel():  # it waits for a thread
                    del begun[future]
            while begun:
                finish()
        except BaseException:
            for future in begun:
                future.cancel()
            raise


@contextmanager
def _until_interrupted() -> Iterator[Event]:
    """Set by the first Ctrl-C; a second one is what it was before, which loses no part that is written."""
    stop, before = Event(), signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or before in (None, signal.SIG_IGN):
        yield stop
        return

    def interrupted(_number: int, _frame: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _english() -> Iterator[None]:
    """Messages of cells are in English, whoever runs the study: the folder is the same for all."""
    before = language()
    set_language("en")
    try:
        yield
    finally:
        set_language(before)


def estimate(study: Study, store: Store, jobs: int | None = None) -> Estimate:
    """What the parts that are missing will take, judged by a few cells spread over the design."""
    cells, answer = study.design.cells, answered(study)
    tried = sorted({place * (cells - 1) // max(1, TRIED - 1) for place in range(min(TRIED, cells))})

    def one(number: int) -> pa.Table:
        return table(study, [study.design.cell(number)], answer)

    with _english(), ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        list(pool.map(one, tried))  # loads and compiles: each cell may need something of its own
        before = perf_counter()
        found = list(pool.map(one, tried))
        seconds = (perf_counter() - before) / len(tried)
    missing = list(store.missing())
    left = sum(len(store.span(number)) for number in missing)
    # A part has its outline once, and its later cells take less than the first: they say much the same.
    half = len(tried) // 2
    some, all_ = (len(packed(pa.concat_tables(one))) for one in (found[:half] or found, found))
    further = (all_ - some) / max(1, len(tried) - half)
    size = all_ * len(missing) + further * max(0, left - len(tried) * len(missing))
    return Estimate(round(sum(one.num_rows for one in found) / len(tried)), seconds * left, round(size))


def check_cells(cells: int, most: int, seconds: float) -> None:
    """Refuse a design that is larger than was meant."""
    if cells > most:
        text = _(
            "{cells} cells are more than {most}: about {time} of work. To do it all the same, add --most-cells {cells}."
        )
        raise UserError(text.format(cells=cells, most=most, time=said(seconds)))


def said(seconds: float) -> str:
    """A time as people say it."""
    for size, words in ((86400, _("{n} days")), (3600, _("{n} h")), (60, _("{n} min"))):
        if seconds >= 1.5 * size:
            return words.format(n=round(seconds / size))
    return _("{n} s").format(n=round(seconds, 1) if seconds < 10 else round(seconds))
