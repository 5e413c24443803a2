"""Progress of long work: a bar on stderr, only where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["bar"]


@contextmanager
def bar(quiet: bool, unit: str = "trials") -> Iterator[Callable[[int, int], None] | None]:
    """A function of (done, planned) that draws; None when nobody watches. `unit` says what is counted."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from shutil import get_terminal_size

    from tqdm import tqdm

    # tqdm draws nothing on a terminal that says it has no columns or rows, as some consoles and recorders do.
    width, rows = get_terminal_size((80, 24))
    with tqdm(
        unit=f" {unit}", unit_scale=True, leave=False, file=sys.stderr, delay=0.5, ncols=width, nrows=rows
    ) as line:

        def show(done: int, planned: int) -> None:
            line.total = planned
            line.update(done - line.n)

        yield show
