"""Many questions at once: cards against cards, against a reference field, and each stat one better.

`collect` asks everything that the reports show and returns tidy frames; `tabulate` asks one verb. Any room will do:
what is worth asking stands in its `variants`.
"""

from morsdei_sim.sweep.collection import Collection, Tabled, collect, tabulate

__all__ = ["Collection", "Tabled", "collect", "tabulate"]
