"""Where parts are worked out: in threads of this process, or by the workers of a Dask cluster.

Both are executors of `concurrent.futures` and do the same: `work` makes a part, whoever asked for it writes it. So no
byte depends on where the work was done, provided that the workers are of the same make (`make`), which is checked with
every part: a worker may join at any time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import morsdei_sim
from morsdei_sim._jit import source_digest
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, set_language
from morsdei_sim.sweep.cells import answered, table
from morsdei_sim.sweep.store import packed
from morsdei_sim.sweep.study_file import Study

__all__ = ["ADDRESS", "FILE", "THREADS", "ClusterGone", "Workers", "make", "result_of", "work", "workers"]

THREADS, ADDRESS, FILE = "threads", "dask://", "dask-file:"
"""How an executor is named: threads, the address of a scheduler, or the file in which it wrote its address."""

PACKAGES = ("numpy", "numba", "llvmlite", "scipy", "pydantic", "pyarrow")
"""Packages whose version may show in the bytes of a part."""

PATIENCE = 20
"""Seconds to wait for a scheduler."""

TRIES = 3
"""How often a part is tried again whose worker died."""


def make() -> dict[str, str]:
    """What must be the same wherever parts are made: versions of Python, of this program and its compiled sources, and
    of the packages that numbers and files go through."""
    found = {"python": "{}.{}".format(*sys.version_info), "morsdei_sim": morsdei_sim.__version__}
    return found | {"kernels": source_digest()} | {name: _version(name) for name in PACKAGES}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


_kept: list[tuple[str, Any]] = []
_lock = Lock()


def work(study: Study, digest: str, first: int, until: int, wanted: dict[str, str] | None = None) -> bytes:
    """The part of the cells `first` … `until - 1`, as a Parquet file; called wherever the work is done.

    Parameters
    ----------
    digest : of the study; what was made ready for it is kept for its next part.
    wanted : the make of whoever asks, where that is another process.

    Raises
    ------
    UserError : this process is of another make.
    """
    if wanted is not None:
        set_language("en")  # a worker is nobody's own: what it says goes into the folder
        _same(wanted)
    with _lock:
        if not _kept or _kept[0][0] != digest:
            _kept[:] = [(digest, answered(study))]
        answer = _kept[0][1]
    return packed(table(study, map(study.design.cell, range(first, until)), answer))


def _same(wanted: dict[str, str]) -> None:
    mine = make()
    apart = [f"{name} {mine.get(name)} ≠ {value}" for name, value in wanted.items() if mine.get(name) != value]
    if apart:
        import socket

        text = _("the worker {host} (process {process}) is of another make: {apart}")
        raise UserError(text.format(host=socket.gethostname(), process=os.getpid(), apart=", ".join(apart)))


@dataclass
class Workers:
    """An executor, and what is sent along with each part."""

    executor: Executor
    wanted: dict[str, str] | None = None
    client: Any = None
    jobs: int = 1
    asked: float = -inf

    def submit(self, study: Study, digest: str, first: int, until: int) -> Future[bytes]:
        """Have a part made (`work`)."""
        return self.executor.submit(work, study, digest, first, until, self.wanted)

    @property
    def threads(self) -> int:
        """How many parts can be worked on at once, by what the scheduler said within the last second."""
        if self.client is not None and monotonic() >= self.asked + 1:  # asking takes as long as handing over a part
            self.jobs, self.asked = max(1, sum(self.client.nthreads().values())), monotonic()
        return self.jobs


class ClusterGone(Exception):
    """The cluster did not finish a part: the scheduler went away, or the part killed every worker that tried it."""


def result_of(future: Future[bytes]) -> bytes:
    """A part that was made.

    Raises
    ------
    UserError : a worker is of another make.
    ClusterGone : it was not made.
    """
    try:
        return future.result()
    except CancelledError as error:
        raise ClusterGone(str(error) or _("the scheduler went away")) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] == "distributed":
            raise ClusterGone(str(error) or _("the scheduler went away")) from None
        raise


@contextmanager
def workers(name: str, jobs: int | None) -> Iterator[Workers]:
    """The executor of that name.

    Parameters
    ----------
    jobs : threads, one per processor core unless given; workers of a cluster have their own.

    Raises
    ------
    UserError : the name is none, no scheduler answers, Dask is not installed.
    """
    if name == THREADS:
        many = jobs or os.cpu_count() or 1
        with ThreadPoolExecutor(many) as pool:
            yield Workers(pool, jobs=many)
        return
    if jobs is not None:
        raise UserError(_("Workers of a cluster have threads of their own: leave out the number of threads."))
    with _client(name) as client:
        executor = client.get_executor(pure=False, retries=TRIES)
        yield Workers(executor, make(), client)


@contextmanager
def _hushed() -> Iterator[None]:
    """Dask, once imported, says with tracebacks what is said better here: that the scheduler has gone."""
    import logging

    levels = {
        name: one.level
        for name, one in logging.root.manager.loggerDict.items()
        if isinstance(one, logging.Logger) and name.split(".")[0] in ("distributed", "tornado")
    } | {"tornado.application": logging.NOTSET}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def _client(name: str) -> Iterator[Any]:
    try:
        from distributed import Client as Untyped
    except ImportError:
        text = _("Dask is missing. To install it: pip install 'morsdei-sim[cluster]'")
        raise UserError(text) from None
    if name.startswith(ADDRESS):
        where: dict[str, Any] = {"address": f"tcp://{name.removeprefix(ADDRESS)}"}
    elif name.startswith(FILE):
        file = Path(name.removeprefix(FILE))
        if not file.is_file():
            raise UserError(_("{file}: no such file; a scheduler writes it with --scheduler-file").format(file=file))
        where = {"scheduler_file": str(file)}
    else:
        text = _("{name}: write threads, dask://host:port or dask-file:PATH")
        raise UserError(text.format(name=name))
    client: Any = Untyped
    with _hushed():
        try:
            client = client(**where, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            text = _("no Dask scheduler answers at {name}: {reason}")
            raise UserError(text.format(name=name, reason=error)) from None
        try:
            if not client.nthreads():
                client.wait_for_workers(1, timeout=PATIENCE)
            yield client
        except TimeoutError:
            raise UserError(_("the Dask scheduler at {name} has no workers").format(name=name)) from None
        finally:
            client.close()
