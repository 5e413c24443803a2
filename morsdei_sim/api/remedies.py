"""What `doctor` advises: commands that run as they stand in the shell of this system."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from morsdei_sim.cards.safe import quoted
from morsdei_sim.paths import checkout

__all__ = ["browser", "cards", "disks", "kept_elsewhere", "packages", "parts", "set_variable", "unset_variable"]


def _pip(*words: object) -> str:
    """An installation into this Python; environments that uv made have no pip."""
    if find_spec("pip") is None and shutil.which("uv"):
        return quoted("uv", "pip", "install", "--python", sys.executable, *words)
    make = "" if find_spec("pip") else quoted(sys.executable, "-m", "ensurepip") + " && "
    return make + quoted(sys.executable, "-m", "pip", "install", *words)


def packages() -> str:
    """The locked packages of the checkout, or those of the installed program."""
    root = checkout()
    return _pip("--require-hashes", "-r", root / "requirements.lock") if root else _pip("--upgrade", "morsdei-sim")


def parts(names: list[str]) -> str:
    """Optional parts; the lock of a checkout holds them all."""
    return packages() if checkout() else _pip(f"morsdei-sim[{','.join(names)}]")


def set_variable(name: str, value: object) -> str:
    """For the shell that is open: PowerShell on Windows."""
    return f"$env:{name} = '{value}'" if os.name == "nt" else f"export {name}={quoted(value)}"


def unset_variable(name: str) -> str:
    return f"Remove-Item Env:{name}" if os.name == "nt" else f"unset {name}"


def kept_elsewhere() -> str:
    """Another folder for compiled kernels."""
    return set_variable("MORSDEI_CACHE_DIR", Path(tempfile.gettempdir()) / "morsdei_sim")


def cards() -> str:
    """The cards that come along, once more."""
    root = checkout()
    if root is not None and (root / ".git").exists():
        return quoted("git", "-C", root, "checkout", "--", "profiles")
    return _pip("--force-reinstall", "--no-deps", root or "morsdei-sim")


def disks() -> str:
    """Which disk has room."""
    return "Get-PSDrive -PSProvider FileSystem" if os.name == "nt" else "df -h"


def browser() -> str:
    """A Chromium, by the installer of this system."""
    installers = {
        "apt": "sudo apt install chromium",
        "dnf": "sudo dnf install chromium",
        "pacman": "sudo pacman -S chromium",
        "brew": "brew install --cask google-chrome",
        "winget": "winget install Google.Chrome",
    }
    return next((line for tool, line in installers.items() if shutil.which(tool)), installers["apt"])
