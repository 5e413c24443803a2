"""`doctor`: every remedy is a command that runs as it stands; optional parts are those of pyproject."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from collections import namedtuple
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.api import remedies
from morsdei_sim.api.doctor import PARTS

ROOT = Path(__file__).resolve().parents[2]


def test_the_parts_are_those_of_the_project() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(PARTS) == set(extras)
    for part, package in PARTS.items():
        assert package in {re.split("[>=<]", wish)[0] for wish in extras[part]}


def test_facts_of_this_machine() -> None:
    facts = morsdei_sim.doctor().facts
    assert facts["optional"]["notebook"] == metadata.version("jupyter")
    assert 0 < facts["threads"] <= facts["cores"]
    assert facts["free_gigabytes"] > 0
    shown = CliRunner().invoke(cli.main, ["doctor", "--lang", "ru"]).stdout
    assert re.search(r"дополнительные части +notebook \d", shown)


@pytest.fixture
def ill(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine on which everything is wrong that can be."""

    def version(package: str) -> str:
        if package in ("scipy", "duckdb", "sphinx"):
            raise metadata.PackageNotFoundError(package)
        return "0.0.1"

    (tmp_path / "file").touch()
    monkeypatch.setattr("morsdei_sim.api.doctor.metadata.version", version)
    monkeypatch.setattr("morsdei_sim.api.doctor.profiles_dir", lambda: tmp_path)
    monkeypatch.setattr("morsdei_sim.api.doctor.locale.getpreferredencoding", lambda _set: "cp1252")
    monkeypatch.setattr("morsdei_sim.reporting.browser.found", lambda: None)
    usage = namedtuple("usage", "total used free")(10**12, 10**12, 10**8)
    monkeypatch.setattr("morsdei_sim.api.doctor.shutil.disk_usage", lambda _folder: usage)
    monkeypatch.setenv("MORSDEI_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_every_remedy_is_a_command(ill: None, tmp_path: Path) -> None:
    findings = morsdei_sim.doctor().findings
    assert len(findings) == 9, [finding.message for finding in findings]
    assert any("query (questions in SQL about results), docs" in finding.message for finding in findings)
    for finding in findings:
        assert subprocess.run(["bash", "-n", "-c", finding.remedy]).returncode == 0, finding.remedy
        words = shlex.split(finding.remedy)
        if words[0] in ("export", "unset", "df"):
            assert subprocess.run(["bash", "-c", finding.remedy], capture_output=True).returncode == 0, finding.remedy
        elif words[0] != "sudo":
            assert shutil.which(words[0]), finding.remedy
        for word in words:
            if word.endswith((".lock", "profiles")) and "/" in word:
                assert Path(word).exists(), finding.remedy


def test_remedies_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morsdei_sim.api.remedies.checkout", lambda: None)  # installed from a wheel
    assert remedies.parts(["query", "docs"]).endswith("install 'morsdei-sim[query,docs]'")
    assert remedies.packages().endswith("install --upgrade morsdei-sim")
    assert "--force-reinstall" in remedies.cards()
    monkeypatch.setattr("morsdei_sim.api.remedies.os.name", "nt")
    assert remedies.unset_variable("A") == "Remove-Item Env:A"
    assert remedies.set_variable("A", 1) == "$env:A = '1'"
