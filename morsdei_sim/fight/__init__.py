"""How any fight is run, sampled or exact, and how an exchange is played best. Knows no ruleset."""

from morsdei_sim import _jit as _jit  # before Numba: it names the cache folder
