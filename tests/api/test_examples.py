"""The example in every public docstring does what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import morsdei_sim
from morsdei_sim import api

MODULES = [module.name for module in pkgutil.iter_modules(api.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_hold(name: str) -> None:
    module = importlib.import_module(f"morsdei_sim.api.{name}")
    found = doctest.testmod(module, raise_on_error=False)
    assert found.failed == 0
    # `test` and `doctor` would run the tests, or tell of this machine: they have none.
    if name in set(morsdei_sim.__all__) - {"test", "doctor"}:
        assert found.attempted > 0
