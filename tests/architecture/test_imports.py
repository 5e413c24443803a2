"""Who may import whom, what may call Numba, and what a bare start may load."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "morsdei_sim"
COMPILERS = {"jit", "njit", "vectorize", "guvectorize"}
HEAVY = {"numpy", "numba", "pandas", "scipy", "matplotlib", "pydantic", "pyarrow", "babel", "rich", "jinja2"}


def test_layers_hold(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    # lint_imports puts the current folder on the path when it is not there; that must not outlive the test.
    monkeypatch.setattr(sys, "path", list(sys.path))
    exit_code = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert exit_code == 0, capsys.readouterr().out


def compiles(tree: ast.AST) -> list[int]:
    """The lines that name numba's `jit` or `njit`, however they were imported."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba":
            found += [node.lineno for name in node.names if name.name in COMPILERS]
        if isinstance(node, ast.Attribute) and node.attr in COMPILERS and ast.unparse(node.value) in {"numba", "nb"}:
            found.append(node.lineno)
    return found


def test_compiles_is_seen() -> None:
    code = "from numba import njit as fast\nimport numba\nf = numba.jit(g)\nnumpy.vectorize(g)\n"
    assert sorted(compiles(ast.parse(code))) == [1, 3]


def test_only_one_module_compiles() -> None:
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if compiles(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert users == {"_jit.py"}


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh Python has loaded after `code`."""
    program = f"{code}\nimport json, sys\nprint(json.dumps(sorted({{name.split('.')[0] for name in sys.modules}})))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout.splitlines()[-1]))


def test_what_is_loaded_is_seen() -> None:
    assert "numpy" in loaded_by("import numpy.random")


@pytest.mark.parametrize(
    "code",
    [
        "import morsdei_sim; dir(morsdei_sim); morsdei_sim.__version__",
        "from morsdei_sim.cli import main\ntry: main(['--help'])\nexcept SystemExit as e: assert e.code == 0",
        "from morsdei_sim.cli import main\ntry: main(['--lang', 'ru', '--help'])\nexcept SystemExit: pass",
        "from morsdei_sim.__main__ import start\ntry: start(['--help'])\nexcept SystemExit as e: assert e.code == 0",
        "from morsdei_sim.cli import main\ntry: main(['test', '--help'])\nexcept SystemExit as e: assert e.code == 0",
    ],
)
def test_a_bare_start_loads_nothing_heavy(code: str) -> None:
    loaded = loaded_by(code)
    assert "morsdei_sim" in loaded
    assert not loaded & HEAVY


def test_help_loads_no_verb() -> None:
    code = "from morsdei_sim.cli import VERBS, main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += "import sys; names = [n for n in sys.modules if n.startswith('morsdei_sim.cli.')]\n"
    code += "assert names and not {n.rpartition('.')[2].replace('_', '-') for n in names} & set(VERBS), names"
    loaded_by(code)


def test_every_public_name_is_there() -> None:
    """Each name of `__all__` leads to a callable, and each verb of the command line to a command."""
    code = "import morsdei_sim, importlib\nfrom morsdei_sim.cli import VERBS\n"
    code += "for name in morsdei_sim.__all__: getattr(morsdei_sim, name)\n"
    code += "for verb in VERBS:\n"
    # A function `sweep` would hide the subpackage.
    code += "    name = {'sweep': 'run_study'}.get(verb, verb.replace('-', '_'))\n"
    code += "    assert callable(getattr(morsdei_sim, name)), verb\n"
    code += "    importlib.import_module('morsdei_sim.cli.' + verb.replace('-', '_')).command\n"
    loaded_by(code)
