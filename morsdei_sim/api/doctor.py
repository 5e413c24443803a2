"""The verb `doctor`: what this machine has, and what to mend on it."""

from __future__ import annotations

import html
import locale
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import morsdei_sim
from morsdei_sim.api import remedies
from morsdei_sim.lang import _, language
from morsdei_sim.paths import checkout, profiles_dir

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Doctor", "Finding", "doctor"]

PACKAGES = (
    "numpy numba llvmlite pandas scipy matplotlib pydantic click rich tqdm pyarrow jinja2 babel platformdirs "
    "python-calamine xlsxwriter tomlkit"
).split()
PARTS = {"notebook": "jupyter", "cluster": "distributed", "remote": "fsspec", "query": "duckdb", "docs": "sphinx"}
"""Optional parts of the project, and the package that tells whether one is there."""

LEAST_FREE = 1.0
"""GB; a large sweep needs about as much."""


@dataclass(frozen=True)
class Finding:
    """Something to mend: `serious` when numbers or commands suffer, otherwise something that one may do without. The
    remedy is a command that runs as it stands."""

    serious: bool
    message: str
    remedy: str


@dataclass
class Doctor:
    """What the doctor saw: `facts` by name, `findings` with their remedies; `healthy` when none is serious."""

    facts: dict[str, Any] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def healthy(self) -> bool:
        return not any(finding.serious for finding in self.findings)

    def __repr__(self) -> str:
        labels = _labels()
        width = max(len(labels.get(name, name)) for name in self.facts)
        lines = [f"{labels.get(name, name):<{width}}  {_shown(value)}" for name, value in self.facts.items()]
        for finding in self.findings:
            mark = _("TO MEND") if finding.serious else _("Note")
            lines += ["", f"{mark}: {finding.message}", f"  → {finding.remedy}"]
        if not self.findings:
            lines += ["", _("Nothing to mend.")]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        findings = [asdict(finding) for finding in self.findings]
        return {"schema_version": 1, "healthy": self.healthy, "facts": self.facts, "findings": findings}

    def to_frame(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame({"fact": list(self.facts), "value": [_shown(value) for value in self.facts.values()]})


def _labels() -> dict[str, str]:
    return {
        "version": "morsdei_sim",
        "python": "Python",
        "executable": _("started from"),
        "system": _("system"),
        "packages": _("packages"),
        "cache_folder": _("compiled kernels"),
        "cache_megabytes": _("their size, MB"),
        "optional": _("optional parts"),
        "cores": _("processor cores"),
        "threads": _("threads allowed here"),
        "free_gigabytes": _("free disk space, GB"),
        "language": _("language"),
        "profiles": _("cards"),
        "encoding": _("encoding of the console"),
        "browser": _("browser"),
        "warm_seconds": _("compiling, seconds"),
    }


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_('none') if number is None else number}" for name, number in value.items())
    return _("none") if value is None else str(value)


def doctor(warm: bool = False) -> Doctor:
    """Look this machine over.

    Parameters
    ----------
    warm : bool
        Also compile the kernels (by one shot and one melee), so that the next command starts fast.

    Returns
    -------
    Doctor
        Facts, and findings with a remedy each.
    """
    seen = Doctor({"version": morsdei_sim.__version__})
    for look in (_python, _packages, _optional, _cache, _threads, _room, _words, _profiles, _browser):
        look(seen)
    if warm:
        _warm(seen)
    return seen


def _python(seen: Doctor) -> None:
    seen.facts["python"] = platform.python_version()
    seen.facts["executable"] = sys.executable
    seen.facts["system"] = f"{platform.system()} {platform.release()} {platform.machine()}"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _packages(seen: Doctor) -> None:
    versions = {package: _version(package) for package in PACKAGES}
    seen.facts["packages"] = versions
    root = checkout()
    locked = _locked(root / "requirements.lock") if root else {}
    other = [p for p, version in versions.items() if version and locked.get(p) and version not in locked[p]]
    absent = [package for package, version in versions.items() if version is None]
    install = remedies.packages()
    if absent:
        seen.findings.append(
            Finding(True, _("Packages are missing: {names}.").format(names=", ".join(absent)), install)
        )
    if other:
        message = _("Packages differ from the tested versions of requirements.lock: {names}.")
        seen.findings.append(Finding(False, message.format(names=", ".join(other)), install))


def _optional(seen: Doctor) -> None:
    seen.facts["optional"] = {part: _version(package) for part, package in PARTS.items()}
    absent = [part for part, version in seen.facts["optional"].items() if version is None]
    if absent:
        uses = {
            "notebook": _("notebooks"),
            "cluster": _("sweeps on several machines"),
            "remote": _("results on remote storage"),
            "query": _("questions in SQL about results"),
            "docs": _("pages of documentation"),
        }
        listed = ", ".join(f"{part} ({uses[part]})" for part in absent)
        message = _("Optional parts are not installed: {parts}.").format(parts=listed)
        seen.findings.append(Finding(False, message, remedies.parts(absent)))


def _locked(lock: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([\w.!+-]+)", lock.read_text(encoding="utf-8"), re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


def _cache(seen: Doctor) -> None:
    from morsdei_sim._jit import cache_folder

    folder = cache_folder()
    seen.facts["cache_folder"] = str(folder)
    seen.facts["cache_megabytes"] = _megabytes(folder)
    if not _writable(folder):
        message = _(
            "Nothing can be kept in {folder}: every command compiles anew, which takes up to half a minute each time."
        ).format(folder=folder)
        seen.findings.append(Finding(True, message, remedies.kept_elsewhere()))
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        message = _("NUMBA_DISABLE_JIT is set: nothing is compiled, and everything takes a hundred times as long.")
        seen.findings.append(Finding(True, message, remedies.unset_variable("NUMBA_DISABLE_JIT")))


def _megabytes(folder: Path) -> float:
    try:
        return round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6, 1)
    except OSError:  # a folder above it that may not be entered
        return 0.0


def _writable(folder: Path) -> bool:
    """Whether a file can be made there: tried, since rights alone do not tell (a read-only disk, the superuser)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _threads(seen: Doctor) -> None:
    # Containers and batch systems often grant fewer cores than the machine has.
    granted = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    seen.facts["cores"] = os.cpu_count()
    seen.facts["threads"] = granted


def _room(seen: Doctor) -> None:
    """Results and reports are written where a command is started."""
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    seen.facts["free_gigabytes"] = round(free, 1)
    if free < LEAST_FREE:
        message = _("Only {free:.1f} GB are free in {folder}, where results are written.")
        seen.findings.append(Finding(False, message.format(free=free, folder=Path.cwd()), remedies.disks()))


def _words(seen: Doctor) -> None:
    seen.facts["language"] = language()
    encoding = locale.getpreferredencoding(False)
    seen.facts["encoding"] = encoding
    try:
        "Щит → 4 × d6".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        message = _("The system's encoding, {encoding}, cannot write everything.").format(encoding=encoding)
        seen.findings.append(Finding(False, message, remedies.set_variable("PYTHONUTF8", 1)))


def _profiles(seen: Doctor) -> None:
    folder = profiles_dir()
    seen.facts["profiles"] = str(folder)
    if not any(folder.glob("*/*.toml")):
        message = _("There are no cards in {folder}.").format(folder=folder)
        seen.findings.append(Finding(True, message, remedies.cards()))


def _browser(seen: Doctor) -> None:
    from morsdei_sim.reporting.browser import found

    seen.facts["browser"] = browser = found()
    if browser is None:
        message = _(
            "No Chromium, Chrome or Edge was found: no report can be printed to PDF, and tests of its page are skipped."
        )
        seen.findings.append(Finding(False, message, remedies.browser()))


def _warm(seen: Doctor) -> None:
    calls: tuple[Callable[[], Any], ...] = (
        lambda: morsdei_sim.shoot("4d6 4+ 4", "Defence 3 HP 7"),
        lambda: morsdei_sim.melee("4d6 4+ 4 HP 9", "4d6 4+ 4 HP 7"),
    )
    begun = time.perf_counter()
    for call in calls:
        call()
    seen.facts["warm_seconds"] = round(time.perf_counter() - begun, 1)
    seen.facts["cache_megabytes"] = _megabytes(Path(seen.facts["cache_folder"]))
