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
    from tqdm import tqdm

    with tqdm(unit=f" {unit}", unit_scale=True, leave=False, file=sys.stderr, delay=0.5) as line:

        def show(done: int, planned: int) -> None:
            line.total = planned
            line.update(done - line.n)

        yield show
