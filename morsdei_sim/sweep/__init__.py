"""Many questions at once: cards against cards, against a reference field, and each stat one better.

`collect` asks everything that the reports show and returns tidy frames; `tabulate` asks one verb. Any room will do:
what is worth asking stands in its `variants`. `plan` and `play_all` have squads play whole games against each other.

Studies are apart from that: `study_file` reads what is asked and varied, `design` counts the cells, `cells` answers
them, `store` keeps the answers and `run` does the work. They are imported by name: they need Arrow, the rest does not.
"""

from morsdei_sim.sweep.battles import Battles, Plan, plan, play_all, rules_of_exchanges
from morsdei_sim.sweep.collection import Collection, Tabled, collect, tabulate

__all__ = ["Battles", "Collection", "Plan", "Tabled", "collect", "plan", "play_all", "rules_of_exchanges", "tabulate"]
