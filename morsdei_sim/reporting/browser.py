"""The browser of this machine: where it is, and a page printed with it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

__all__ = ["found"]

NAMES = "chromium chromium-browser google-chrome google-chrome-stable microsoft-edge msedge chrome".split()


def found() -> str | None:
    """A Chromium, Chrome or Edge, or None."""
    # Neither macOS nor Windows puts it on the PATH.
    usual = (
        Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        Path(os.environ.get("ProgramFiles(x86)", "/")) / "Microsoft/Edge/Application/msedge.exe",
    )
    named = next((path for path in map(shutil.which, NAMES) if path), None)
    return named or next((str(path) for path in usual if path.is_file()), None)
