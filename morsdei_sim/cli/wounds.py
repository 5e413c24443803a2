"""`morsdei-sim wounds`: see `cli/question.py`."""

from morsdei_sim.cli.question import question

command = question("wounds")
