"""What the tests of sweeps share."""

from __future__ import annotations

from pathlib import Path


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a sweep's folder, byte by byte."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}
