"""For all tests: hypothesis without a deadline, since the first call of a kernel compiles it; and the language that a
test sets ends with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from morsdei_sim.lang import language, set_language

settings.register_profile("morsdei_sim", deadline=None)
settings.load_profile("morsdei_sim")


FIRST = language()


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """The language of messages is of the process: each test leaves it as it was at the beginning, whatever fixtures
    of a module have made of it."""
    yield
    set_language(FIRST)
