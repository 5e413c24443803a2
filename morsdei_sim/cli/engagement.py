"""`morsdei-sim engagement`: see `cli/question.py`."""

from morsdei_sim.cli.question import question

command = question("engagement")
