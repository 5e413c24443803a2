"""Draw the pictures of the README from the shipped cards: `python docs/pictures/make.py` (half a minute)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from morsdei_sim import study  # noqa: E402
from morsdei_sim.lang import set_language  # noqa: E402
from morsdei_sim.reporting import figures, sections  # noqa: E402
from morsdei_sim.reporting.names import Names  # noqa: E402
from morsdei_sim.sweep import Collection, collect  # noqa: E402

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CARD = "line/rifleman"
"""Whose worth and activations are drawn."""


def main() -> None:
    set_language("en")
    collection = collect()
    names = Names(collection)
    for name, figure in (
        ("heatmap", heatmap(collection, names)),
        ("worth", worth(collection, names)),
        ("activations", activations(collection, names)),
        ("styles", styles(collection, names)),
    ):
        figure.patch.set_facecolor("white")
        (HERE / f"{name}.svg").write_text(figures.svg(figure, name, page=False), encoding="utf-8")


def heatmap(collection: Collection, names: Names) -> Figure:
    table = study.table(collection.shots, "kill")
    table.index = [names.armed(*pair) for pair in table.index]
    table.columns = [names.card(target) for target in table.columns]
    return figures.heatmap(table, label="Chance that one attack removes the target, per cent")


def worth(collection: Collection, names: Names) -> Figure:
    found = study.worth(collection)
    shown = found[(found["card"] == CARD) & found["figure"].isin(names.guide.scales[0].figures)]
    rows = sections.worth_rows(shown, names)
    return figures.bars(rows, f"{names.card(CARD)}: what one better is worth, percentage points", percent=True, width=6)


def activations(collection: Collection, names: Names) -> Figure:
    (plan, *_others) = sections.activation_lines(collection, names, CARD)
    figure = figures.activations(plan, "", legend=True)
    figure.axes[0].set_xlabel(f"activations of {names.card(CARD)}")
    return figure


def styles(collection: Collection, names: Names) -> Figure:
    costs = sections.costs(collection)
    costs["who"] = [names.armed(*pair) for pair in zip(costs["attacker"], costs["weapon"], strict=True)]
    table = costs.pivot_table("given_up", "who", "policy", sort=False)
    table.columns = [names.called(policy) for policy in table.columns]
    return figures.styles(table, "Net damage given up by a habit against best play")


if __name__ == "__main__":
    main()
