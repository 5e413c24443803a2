"""Draw the pictures of the README and of the documentation: `python docs/pictures/make.py` (two minutes).

Those that have words in a tutorial or on a first page are drawn in both languages, the Russian ones in `ru/`.
Those of a replay and of a sweep's report are photographs of the pages in Chromium; without one, or without
Playwright, they stay as they are.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).resolve().parent
TUTORIAL = HERE.parent / "tutorial.md"
sys.path.insert(0, str(HERE.parents[1]))

import morsdei_sim  # noqa: E402
from morsdei_sim import study  # noqa: E402
from morsdei_sim.lang import set_language  # noqa: E402
from morsdei_sim.reporting import figures, sections  # noqa: E402
from morsdei_sim.reporting.bars import bars  # noqa: E402
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
    ):
        save(figure, HERE / f"{name}.svg")
    for lang, folder in (("en", HERE), ("ru", HERE / "ru")):
        set_language(lang)
        in_words(folder)
        photographs(folder)


def in_words(folder: Path) -> None:
    """The pictures that are drawn in every language."""
    save(kills(), folder / "kills.svg")
    save(margin(), folder / "margin.svg")
    with tempfile.TemporaryDirectory() as cards:
        variants = guards(Path(cards))
        save(one_shot(variants), folder / "tutorial-shot.svg")
        save(whole_games(variants), folder / "tutorial-games.svg")


def save(figure: Figure, file: Path) -> None:
    figure.patch.set_facecolor("white")
    file.write_text(figures.svg(figure, file.stem, page=False), encoding="utf-8")


def kills() -> Figure:
    """The picture of the README's three lines."""
    figure: Any = morsdei_sim.matrix("line", targets="field", figure="kill").plot().figure
    return figure


def guards(folder: Path) -> dict[str, Path]:
    """The cards of the tutorial: as it writes them down, and with the two changes that it makes."""
    (text, *_study) = re.findall(r"```toml\n(.*?)```", TUTORIAL.read_text(encoding="utf-8"), re.DOTALL)
    files = {}
    for name, old, new in (("guards", "", ""), ("more", "dice = 4", "dice = 5"), ("heavy", "damage = 3", "damage = 4")):
        files[name] = folder / f"{name}.toml"
        files[name].write_text(text.replace(old, new, 1), encoding="utf-8")
    return files


def one_shot(variants: dict[str, Path]) -> Figure:
    """Damage of one shot, before and after."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(7, 2.6), layout="constrained", sharey=True)
    for ax, name, damage in zip(axes, ("guards", "heavy"), (3, 4), strict=True):
        morsdei_sim.shoot(f"{variants[name]}/guard", "mirror/standard").plot(ax)
        ax.set_title(f"Damage {damage}")
        ax.get_legend().remove()
        ax.axvline(8, color="black", linestyle="--", linewidth=1)
        ax.set_xlim(-2, 18)
        ax.set_xticks(range(0, 4 * damage + 1, damage))
    axes[1].set_ylabel("")
    return figure


def whole_games(variants: dict[str, Path]) -> Figure:
    """By how much the score rises, of both changes."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 1, figsize=(8, 2.4), layout="constrained", sharex=True)
    for ax, name, change in zip(axes, ("more", "heavy"), ("Dice 4 → 5", "Damage 3 → 4"), strict=True):
        found = morsdei_sim.battle(str(variants["guards"]), "mirror", instead=str(variants[name]), games=400)
        found.plot(ax)
        ax.set_title("")
        ax.set_yticks([0], [change])
    axes[0].set_xlabel("")
    return figure


def heatmap(collection: Collection, names: Names) -> Figure:
    table = study.table(collection.shots, "kill")
    table.index = [names.armed(*pair) for pair in table.index]
    table.columns = [names.card(target) for target in table.columns]
    return figures.heatmap(table, label="Chance that one attack removes the target, per cent")


def worth(collection: Collection, names: Names) -> Figure:
    found = study.worth(collection)
    shown = found[(found["card"] == CARD) & found["figure"].isin(names.guide.scales[0].figures)]
    rows = sections.worth_rows(shown, names)
    return bars(rows, f"{names.card(CARD)}: what one better is worth, percentage points", percent=True, width=6)


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


def photographs(folder: Path) -> None:
    """Pages as Chromium shows them, in the language of the messages."""
    browser = found_browser()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser = None
    if browser is None:
        print("photographs stay as they are: no Chromium, or no Playwright", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as pages, sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        options: Any = {"reduced_motion": "reduce", "color_scheme": "light"}
        replay(chromium.new_page(viewport={"width": 1180, "height": 660}, **options), Path(pages), folder)
        if folder == HERE:  # no Russian page shows it
            sweep(chromium.new_page(viewport={"width": 1180, "height": 650}, **options), Path(pages), folder)
        chromium.close()


def replay(shown: Any, pages: Path, folder: Path) -> None:
    """The page of a replay at the shot that did most."""
    found = morsdei_sim.replay(*SQUADS, game=GAME)
    shots = {n: event["damage"] for n, event in enumerate(found.log[1:], 1) if event["event"] == "shot"}
    page = pages / "game.html"
    page.write_text(found.page(), encoding="utf-8")
    shown.goto(page.as_uri())
    shown.click(f'.events button[data-to="{max(shots, key=shots.__getitem__)}"]')
    shown.evaluate("scrollTo(0, 0)")
    shown.screenshot(path=str(folder / "replay.png"))


def sweep(shown: Any, pages: Path, folder: Path) -> None:
    """The report of the study of docs/sweeps.md, sampled."""
    text = (HERE.parent / "sweeps.md").read_text(encoding="utf-8")
    study = pages / "marksman.toml"
    study.write_text(text.partition("```toml\n")[2].partition("```")[0] + SAMPLED, encoding="utf-8")
    page = pages / "page.html"
    morsdei_sim.report(str(morsdei_sim.run_study(study).folder), out=page, lang="en")
    shown.goto(page.as_uri())
    shown.screenshot(path=str(folder / "sweep.png"))


if __name__ == "__main__":
    main()
