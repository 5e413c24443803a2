"""What may be asked of dice, and the three sources that answer: rolled, every, tape. Knows no ruleset."""

from morsdei_sim import _jit as _jit  # before Numba: it names the cache folder
