"""Small collections, made once: exact, simulated, and of odd cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import morsdei_sim
from morsdei_sim.lang import set_language
from morsdei_sim.sweep import Collection, collect

WEAPONS = {
    "melee": 'name = "fist"\ntype = "melee"\ndice = 3\nhit = 4\ndamage = 3\n',
    "ranged": 'name = "rifle"\nname_ru = "винтовка"\ntype = "ranged"\ndice = 4\nhit = 4\ndamage = 4\n',
}


def squad(path: Path, *kinds: str, fighters: int = 1) -> str:
    """A card file whose fighters carry a weapon of each kind."""
    cards = ['squad = "Odd"\n']
    for number in range(fighters):
        cards.append(
            f'[[fighter]]\nid = "one{number}"\nname = "One {number}"\nmove = 6\ndefence = 3\nhp = {8 + number}\n'
        )
        cards += [f"[[fighter.weapon]]\n{WEAPONS[kind]}" for kind in kinds]
    path.write_text("".join(cards), encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    set_language("en")
    yield
    set_language("en")


@pytest.fixture(scope="session")
def exact() -> Collection:
    return collected(["line/sergeant", "mirror"])


@pytest.fixture(scope="session")
def simulated() -> Collection:
    return collected(["line/sergeant", "mirror"], engine="sample", trials=400)


FIELD = ["field/d3-hp7", "field/d4-hp8"]


def collected(cards: list[str], field: list[str] = FIELD, **options: object) -> Collection:
    found = collect("morsdei", cards, field, **options)  # type: ignore[arg-type]
    return replace(found, provenance=found.provenance | {"command": "morsdei-sim report"})


def body(collection: Collection) -> str:
    """The page in the language of the messages alone."""
    from morsdei_sim.reporting.page import cards_edition

    return str(cards_edition(collection).body)


STUDY = """
name = "Marks <b>&"
name_ru = "Метки"
verb = "shoot"
attackers = ["line/marksman"]
targets = ["field/d3-hp7", "field/d4-hp8"]
[changes]
attackers.hit = [3, 4, 5]
[options]
cover = [false, true]
"""


def swept(folder: Path, name: str, text: str) -> Path:
    """The folder of a study that was run."""
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return morsdei_sim.run_study(file).folder


@pytest.fixture(scope="session")
def sweeps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders of small studies: exact, and sampled twice."""
    folder = tmp_path_factory.mktemp("sweeps")
    sample = STUDY + '[run]\nengine = "sample"\ntrials = {}\n'
    texts = {"exact": STUDY, "sampled": sample.format(400), "again": sample.format(500)}
    return {name: swept(folder, name, text) for name, text in texts.items()}
