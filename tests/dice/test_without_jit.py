"""The procedures as plain Python give the same numbers: what is compiled is what is written."""

from __future__ import annotations

import json
import os
import subprocess
import sys

SCRIPT = """
import json
from morsdei_sim.fight.run import Run
from morsdei_sim.rulesets.morsdei.exchange import melee
from morsdei_sim.rulesets.morsdei.volley import shoot
few, many = ("2d6 4+ 4", "Defence 1 HP 7"), ("5d6 3+ 3", "Defence 2 HP 7")
run = Run("sample", trials=1100, seed=2**40 + 11, jobs=1)
duel = ("2d6 4+ 4 HP 7", "2d6 5+ 3 HP 5")
mixed = {"attacker_policy": "random", "target_policy": "best", "objective": "kill"}
found = {
    "few": shoot(*few, run, aim=True, shots=2).weights.tolist(),
    "many": shoot(*many, run, prone_policy="always").weights.tolist(),
    "duel": melee(*duel, Run("sample", trials=300, seed=5, jobs=1), **mixed).weights.tolist(),
    "exact shot": shoot(*few, aim=True, shots=2).weights.tolist(),
    "exact duel": melee(*duel, **mixed).weights.tolist(),
}
print(json.dumps(found))
"""


def found(**environment: str) -> dict:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_same_numbers_without_jit() -> None:
    compiled, plain = found(), found(NUMBA_DISABLE_JIT="1")
    assert compiled == plain  # integers and floats alike
    assert sum(compiled["few"]) == 1100
    assert sum(compiled["duel"]) == 300
