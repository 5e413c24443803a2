"""For all tests: hypothesis without a deadline, since the first call of a kernel compiles it; the language that a test
sets ends with it; two small boards, quick to make ready."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from morsdei_sim.lang import language, set_language
from tests.browsing import BROWSER, FLAGS

settings.register_profile("morsdei_sim", deadline=None)
settings.load_profile("morsdei_sim")

# Collecting tests and compiling kernels make many objects and little garbage. Looking for it as often as Python does
# took a quarter of the time of the former and a twelfth of that of the latter (measured).
gc.set_threshold(20_000, 20, 100)


def pytest_collection_finish() -> None:
    """What was imported stays to the end: nobody need look through it again and again."""
    gc.freeze()


FIRST = language()

BOARD = """
name = "Yard"
name_ru = "Двор"
size = [15, 9]
loot = [[7.5, 4.5], [12, 5.5]]
zones = [[0, 0, 15, 3], [0, 6, 15, 9]]
[[piece]]
kind = "impassable"
box = [3, {y}, 0.5, 2]
height = 3
"""


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """The language of messages is of the process: each test leaves it as it was at the beginning, whatever fixtures
    of a module have made of it."""
    yield
    set_language(FIRST)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all tests of a process: it takes seconds to start."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def yards(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files of two boards that differ in where their wall stands."""
    folder = tmp_path_factory.mktemp("boards")
    for name, y in (("yard", 3.5), ("court", 4)):
        (folder / f"{name}.toml").write_text(BOARD.format(y=y), encoding="utf-8")
    return [str(folder / "yard.toml"), str(folder / "court.toml")]


@pytest.fixture(scope="session")
def yard(yards: list[str]) -> str:
    return yards[0]
