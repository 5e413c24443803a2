"""Studies: a question asked in every cell of a design, kept in a folder that any run goes on with."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from morsdei_sim.api.arguments import checked
from morsdei_sim.api.command import command
from morsdei_sim.api.swept import Sweep
from morsdei_sim.errors import UserError

if TYPE_CHECKING:
    from morsdei_sim.sweep.run import Estimate
    from morsdei_sim.sweep.store import Store

__all__ = ["open_sweep", "run_study"]

FLAG = re.compile(r"(--(?:trials|games|target-error|seed|most-cells)) ([\d.e+-]+)(?!\S)")
"""What a manifest's command adds to its study; anything else that stands there is nothing to paste into a terminal."""


@checked
def run_study(
    file: str | Path,
    folder: str | Path | None = None,
    *,
    trials: int | None = None,
    games: int | None = None,
    target_error: float | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    executor: str = "threads",
    most_cells: int = 100_000,
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Ask a question in every cell of a study and keep the answers in a folder; go on where another run stopped.

    Parameters
    ----------
    file : a study, see docs/sweeps.md.
    folder : where the parts lie, a path or the URL of any file system that fsspec knows ("s3://bucket/marksman",
        "sftp://host/marksman"); otherwise `<study>.sweep` beside the file. Made when it is not there.
    trials, games, target_error, seed : in place of what the study says under `run`.
    jobs : threads, one per processor core unless given; no byte of the folder depends on it.
    executor : "threads", or where a Dask scheduler is: "dask://host:port", or "dask-file:PATH", the file in which it
        wrote its address. Its workers must be of the same make: Python, this program, numpy, numba and so on.
    most_cells : a larger design is refused.
    dry_run : write nothing; say how many cells there are, how long they will take and how large they will be.
    progress : called with (cells done, cells in all).

    Returns
    -------
    Sweep
        With `to_frame`, `show`, `save`, `to_dict`, `status`; "incomplete" after a Ctrl-C.

    Raises
    ------
    CardFaults : every fault of the study and of the cards that it names.
    UserError : too many cells, a folder of another study, or one that cannot be written; a URL that cannot be used, or
        a package that it needs.

    Examples
    --------
    >>> import morsdei_sim, pathlib, tempfile
    >>> study = pathlib.Path(tempfile.mkdtemp()) / "hit.toml"
    >>> text = 'verb = "shoot"\\nattackers = ["line/marksman"]\\ntargets = ["mirror"]\\n'
    >>> _size = study.write_text(text + '[changes]\\n"attackers.hit" = [3, 4]\\n')
    >>> found = morsdei_sim.run_study(study)
    >>> found.status, found.cells
    ('complete', 2)
    """
    from morsdei_sim.sweep.run import check_cells, estimate, plan, run
    from morsdei_sim.sweep.study_file import read_study

    asked = {"trials": trials, "games": games, "target_error": target_error, "seed": seed}
    instead = {name: value for name, value in asked.items() if value is not None}
    study = read_study(file, instead)
    flags = [str(word) for name, value in instead.items() for word in (f"--{name.replace('_', '-')}", value)]
    where = folder if folder is not None else study.file.with_suffix(".sweep")
    if study.design.cells > 100_000:
        flags += ["--most-cells", str(study.design.cells)]
    store = plan(study, where, command("sweep", "run", study.file.name, *flags))
    store.check()
    elsewhere = ["--executor", executor] if executor != "threads" else []
    again = command("sweep", "run", file, *([store.folder] if folder is not None else []), *flags, *elsewhere)
    if dry_run:
        return _swept(store, again, estimate(study, store, jobs))
    if study.design.cells > most_cells:
        check_cells(study.design.cells, most_cells, estimate(study, store, jobs).seconds)
    run(study, store, jobs=jobs, executor=executor, progress=progress)
    return _swept(store, again)


@checked
def open_sweep(folder: str | Path) -> Sweep:
    """The sweep that lies in a folder or at a URL, whether it is complete or not.

    Raises
    ------
    UserError : there is none, or it cannot be read.
    """
    from morsdei_sim.sweep.store import Store

    store = Store.read(folder)
    flags = [word for flag in FLAG.findall(store.manifest["command"]) for word in flag]
    return _swept(store, command("sweep", "run", _study_of(store), store.folder, *flags))


def _study_of(store: Store) -> Path:
    """The study file of a folder: beside it or here, with the text that the manifest has; else what it was called."""
    from morsdei_sim.cards.safe import read_text

    name = Path(str(store.manifest.get("study", "study.toml"))).name
    beside = [store.folder.parent] if isinstance(store.folder, Path) else []
    for file in (folder / name for folder in (*beside, Path())):
        with suppress(UserError):
            if read_text(file, legacy=False) == store.manifest["text"]:
                return file
    return Path(name)


def _swept(store: Store, again: str, estimated: Estimate | None = None) -> Sweep:
    errors, first, done = 0, "", store.present()
    for part in store.tables(done, ["message"]):
        messages = [text for text in part["message"].to_pylist() if text is not None]
        first = first or (messages[0] if messages else "")
        errors += len(messages)
    return Sweep(store, len(done), errors, first, estimated, again)
