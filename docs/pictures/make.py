"""Draw the pictures of the README from the shipped cards: `python docs/pictures/make.py` (a minute).

Those of a replay and of a sweep's report are photographs of the pages in Chromium; without one, or without
Playwright, they stay as they are.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import morsdei_sim  # noqa: E402
from morsdei_sim import study  # noqa: E402
from morsdei_sim.lang import set_language  # noqa: E402
from morsdei_sim.reporting import figures, sections  # noqa: E402
from morsdei_sim.reporting.browser import found as found_browser  # noqa: E402
from morsdei_sim.reporting.names import Names  # noqa: E402
from morsdei_sim.sweep import Collection, collect  # noqa: E402

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CARD = "line/rifleman"
"""Whose worth and activations are drawn."""

SQUADS = ("line", "mirror")
GAME = 0
"""The game of these two that is photographed."""

SAMPLED = '\n[run]\nengine = "sample"\ntrials = 20000\n'
"""So that the report of the sweep shows its intervals."""


def main() -> None:
    set_language("en")
    collection = collect()
    names = Names(collection)
    for name, figure in (
        ("heatmap", heatmap(collection, names)),
        ("worth", worth(collection, names)),
        ("activations", activations(collection, names)),
        ("styles", styles(collection, names)),
        ("margin", margin()),
    ):
        figure.patch.set_facecolor("white")
        (HERE / f"{name}.svg").write_text(figures.svg(figure, name, page=False), encoding="utf-8")
    photographs()


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


def margin() -> Figure:
    """The picture of `battle`, as it comes: the chance of each VP margin."""
    figure: Any = morsdei_sim.battle(*SQUADS).plot().figure
    figure.set_size_inches(7, 3)
    return figure


def photographs() -> None:
    """Pages as Chromium shows them."""
    browser = found_browser()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser = None
    if browser is None:
        print("photographs stay as they are: no Chromium, or no Playwright", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        options: Any = {"reduced_motion": "reduce", "color_scheme": "light"}
        replay(chromium.new_page(viewport={"width": 1180, "height": 660}, **options), Path(folder))
        sweep(chromium.new_page(viewport={"width": 1180, "height": 650}, **options), Path(folder))
        chromium.close()


def replay(shown: Any, folder: Path) -> None:
    """The page of a replay at the shot that did most."""
    found = morsdei_sim.replay(*SQUADS, game=GAME)
    shots = {n: event["damage"] for n, event in enumerate(found.log[1:], 1) if event["event"] == "shot"}
    page = folder / "game.html"
    page.write_text(found.page(), encoding="utf-8")
    shown.goto(page.as_uri())
    shown.click(f'.events button[data-to="{max(shots, key=shots.__getitem__)}"]')
    shown.evaluate("scrollTo(0, 0)")
    shown.screenshot(path=str(HERE / "replay.png"))


def sweep(shown: Any, folder: Path) -> None:
    """The report of the study of docs/sweeps.md, sampled."""
    text = (HERE.parent / "sweeps.md").read_text(encoding="utf-8")
    study = folder / "marksman.toml"
    study.write_text(text.partition("```toml\n")[2].partition("```")[0] + SAMPLED, encoding="utf-8")
    page = folder / "page.html"
    morsdei_sim.report(str(morsdei_sim.run_study(study).folder), out=page, lang="en")
    shown.goto(page.as_uri())
    shown.screenshot(path=str(HERE / "sweep.png"))


if __name__ == "__main__":
    main()
