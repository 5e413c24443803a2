"""`morsdei-sim melee`: see `cli/question.py`."""

from morsdei_sim.cli.question import question

command = question("melee")
