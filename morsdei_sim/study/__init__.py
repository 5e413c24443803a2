"""Questions put to frames: tables, dominated cards, the worth of a step, habits, curves, ranks. Sees no kernel and
knows no ruleset."""

from morsdei_sim.study.curves import activation_curves, spread_curves
from morsdei_sim.study.dominance import dominated
from morsdei_sim.study.effects import Effect, binned, effects, means
from morsdei_sim.study.frames import fair, table, usual
from morsdei_sim.study.moves import Known, Move, moves
from morsdei_sim.study.rank import rank
from morsdei_sim.study.styles import styles
from morsdei_sim.study.worth import by_stat, worth

__all__ = [
    "Effect",
    "Known",
    "Move",
    "activation_curves",
    "binned",
    "by_stat",
    "dominated",
    "effects",
    "fair",
    "means",
    "moves",
    "rank",
    "spread_curves",
    "styles",
    "table",
    "usual",
    "worth",
]
