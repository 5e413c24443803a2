"""For all tests: hypothesis without a deadline, since the first call of a kernel compiles it."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("morsdei_sim", deadline=None)
settings.load_profile("morsdei_sim")
