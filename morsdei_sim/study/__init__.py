"""Questions put to frames: tables, dominated cards, the worth of a step, habits, curves, ranks. Sees no kernel and
knows no ruleset."""

from morsdei_sim.study.curves import activation_curves, damage_curves
from morsdei_sim.study.dominance import dominated
from morsdei_sim.study.frames import best_play, table
from morsdei_sim.study.rank import rank
from morsdei_sim.study.styles import styles
from morsdei_sim.study.worth import by_stat, worth

__all__ = [
    "activation_curves",
    "best_play",
    "by_stat",
    "damage_curves",
    "dominated",
    "rank",
    "styles",
    "table",
    "worth",
]
