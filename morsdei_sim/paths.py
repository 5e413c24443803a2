"""Where things lie: the checkout, the cards that come along, the cache."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_dir", "checkout", "profiles_dir"]

_PACKAGE = Path(__file__).resolve().parent


def checkout() -> Path | None:
    """The folder the project was checked out into, or None when the package was installed from a wheel."""
    root = _PACKAGE.parent
    return root if (root / "pyproject.toml").is_file() and (root / "requirements.lock").is_file() else None


def profiles_dir() -> Path:
    """The folder with one folder of cards per room: the checkout's own, or the copy inside the wheel."""
    root = checkout()
    return root / "profiles" if root else _PACKAGE / "_profiles"


def cache_dir() -> Path:
    """The user's cache folder for this program; ``MORSDEI_CACHE_DIR`` moves it. It may not exist yet."""
    chosen = os.environ.get("MORSDEI_CACHE_DIR")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("morsdei_sim")
