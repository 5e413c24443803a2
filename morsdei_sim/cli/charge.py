"""`morsdei-sim charge`: see `cli/question.py`."""

from morsdei_sim.cli.question import question

command = question("charge")
