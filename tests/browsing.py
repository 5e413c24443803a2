"""For tests that open pages: the browser of this machine and the marks of their modules."""

from __future__ import annotations

import pytest

from morsdei_sim.reporting.browser import found

__all__ = ["BROWSER", "FLAGS", "in_browser", "needs_browser"]

BROWSER = found()
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium, Chrome or Edge is installed")
in_browser = [pytest.mark.browser, needs_browser]
"""The marks of a module whose tests open pages."""
