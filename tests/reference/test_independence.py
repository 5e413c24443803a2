"""The reference is a second reading only if it shares nothing with the product: no package, no numpy."""

import ast
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MODULES = sorted(path for path in HERE.glob("*.py") if not path.name.startswith("test_"))


def imported(source: str) -> set[str]:
    """First names of everything imported, by whatever way the source spells out; "." is a sibling."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." if node.level == 1 else ".." if node.level else (node.module or "").partition(".")[0])
        elif isinstance(node, ast.Name) and node.id in {"__import__", "eval", "exec"}:
            found.add(node.id)
    return found


def test_the_search_finds_what_is_forbidden() -> None:
    source = "import numpy.random as r\ndef f():\n    from morsdei_sim.dice import x\n    return __import__('a')\n"
    assert imported(source) == {"numpy", "morsdei_sim", "__import__"}
    assert imported("from . import a\nfrom .. import b\nfrom importlib import c") == {".", "..", "importlib"}


def test_there_is_a_reference() -> None:
    assert "morsdei.py" in [path.name for path in MODULES]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_reference_stands_alone(path: Path) -> None:
    allowed = (set(sys.stdlib_module_names) | {"."}) - {"importlib", "runpy", "ctypes", "subprocess"}
    assert imported(path.read_text(encoding="utf-8")) <= allowed
