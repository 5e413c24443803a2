"""Philox4x32-10: four 32-bit words from a counter and a key, with no state in between.

Salmon, Moraes, Dror, Shaw, *Parallel random numbers: as easy as 1, 2, 3* (SC 2011). Checked against the published
Random123 known-answer vectors in `tests/dice/test_philox.py`.
"""

from __future__ import annotations

import numpy as np

from morsdei_sim._jit import inline

MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
WEYL_0 = np.uint64(0x9E3779B9)
WEYL_1 = np.uint64(0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


@inline
def philox(c0, c1, c2, c3, k0, k1):
    """Four words (uint32) of the block with counter (c0, c1, c2, c3) under the key (k0, k1), all uint32."""
    for _ in range(10):
        product_0 = MULTIPLIER_0 * np.uint64(c0)
        product_1 = MULTIPLIER_1 * np.uint64(c2)
        c0, c1, c2, c3 = (
            np.uint32(np.uint32(product_1 >> HALF) ^ c1 ^ k0),
            np.uint32(product_1 & LOW),
            np.uint32(np.uint32(product_0 >> HALF) ^ c3 ^ k1),
            np.uint32(product_0 & LOW),
        )
        k0 = np.uint32((np.uint64(k0) + WEYL_0) & LOW)
        k1 = np.uint32((np.uint64(k1) + WEYL_1) & LOW)
    return c0, c1, c2, c3
