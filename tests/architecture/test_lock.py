"""The lock file: complete, hashed, in step with pyproject.toml, and free of addresses."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.lock"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# Index options of pip and uv, and hosts that serve packages; put together here so that this file does not match itself.
INDEX = re.compile(
    r"--(?:extra-)?index" + r"-url|--find" + r"-links|--default" + r"-index|tool\.uv\.ind" + r"ex"
    r"|pypi\.(?:org|python\.org)|pythonhosted\." + r"org|/sim" + r"ple/?\b"
    r"|registry\.(?:npmjs|yarnpkg)\." + r"|conda\.anaconda\." + r"org|crates\." + r"io/",
    re.IGNORECASE,
)


def entries() -> list[tuple[Requirement, list[str]]]:
    """Each entry of the lock with its hashes."""
    logical = LOCK.read_text(encoding="utf-8").replace("\\\n", " ")
    found = []
    for line in filter(None, map(str.strip, logical.splitlines())):
        requirement, *hashes = line.split("--hash=")
        found.append((Requirement(requirement.strip()), [digest.strip() for digest in hashes]))
    return found


def wanted() -> list[Requirement]:
    """Everything pyproject.toml asks for: base, extras, groups, build system."""
    project = PYPROJECT["project"]
    texts = [*project["dependencies"], *PYPROJECT["build-system"]["requires"]]
    for extra in project["optional-dependencies"].values():
        texts += extra
    for group in PYPROJECT["dependency-groups"].values():
        texts += group
    return [Requirement(text) for text in texts]


def test_every_entry_is_exact_and_hashed() -> None:
    assert len(entries()) > 50
    for requirement, hashes in entries():
        assert [part.operator for part in requirement.specifier] == ["=="], str(requirement)
        assert hashes, str(requirement)
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes), str(requirement)
        assert requirement.url is None


@pytest.mark.parametrize("minor", [11, 12, 13, 14, 15])
def test_the_lock_satisfies_pyproject(minor: int) -> None:
    marks = {"python_version": f"3.{minor}", "python_full_version": f"3.{minor}.0", "sys_platform": "linux"}
    locked = {
        canonicalize_name(entry.name): next(iter(entry.specifier)).version
        for entry, _ in entries()
        if entry.marker is None or entry.marker.evaluate(marks)
    }
    for requirement in wanted():
        version = locked.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement} is not locked for Python 3.{minor}"
        assert requirement.specifier.contains(version, prereleases=True), f"{requirement}: locked {version}"


def test_python_range_is_the_bootstraps() -> None:
    from morsdei_sim.__main__ import NEWEST, OLDEST

    expected = f">={OLDEST[0]}.{OLDEST[1]},<{NEWEST[0]}.{NEWEST[1] + 1}"
    assert PYPROJECT["project"]["requires-python"] == expected


def test_the_bootstrap_looks_for_every_dependency() -> None:
    from morsdei_sim.__main__ import IMPORTS

    names = [canonicalize_name(Requirement(text).name) for text in PYPROJECT["project"]["dependencies"]]
    assert [canonicalize_name(name) for name in IMPORTS] == names


def tracked_files() -> list[Path]:
    """Files of the repository that state where things come from: all text but code that is not configuration."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True
    )
    # Without git (an archive), whatever lies here outside hidden folders.
    names = listed.stdout.decode().split("\0") if listed.returncode == 0 else []
    files = [ROOT / name for name in names if name] or [path for path in ROOT.rglob("*") if ".venv" not in path.parts]
    kinds = {".toml", ".lock", ".md", ".txt", ".cfg", ".ini", ".yml", ".yaml", ".json", ".py", ".ipynb", ""}
    return [path for path in files if path.is_file() and path.suffix in kinds and ".git" not in path.parts]


def test_an_address_is_seen() -> None:
    assert INDEX.search("--extra-index" + "-url x")
    assert INDEX.search("https://py" + "pi.org/project")
    assert INDEX.search("[[tool.uv.in" + "dex]]")
    assert not INDEX.search("a simple example of an index")


def test_no_file_names_an_index() -> None:
    files = tracked_files()
    assert LOCK in files
    named = [str(path.relative_to(ROOT)) for path in files if INDEX.search(path.read_text("utf-8", "replace"))]
    assert named == []
    assert "://" not in LOCK.read_text(encoding="utf-8")
    assert not (ROOT / "uv.lock").exists() or (ROOT / "uv.lock") not in files
