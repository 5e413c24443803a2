"""What holds of the cards of every ruleset: templates, schemas and the cards that come along."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import morsdei_sim
from morsdei_sim.cards import read, read_all, write
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import ROOMS, room


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("kind", [".toml", ".csv", ".xlsx"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_template_is_a_valid_card(tmp_path: Path, name: str, kind: str, lang: str) -> None:
    path = tmp_path / f"mine{kind}"
    morsdei_sim.template(path, ruleset=name, lang=lang)
    (card,) = read(path, room(name).model)
    assert card.id == "example"


@pytest.mark.parametrize("name", ROOMS)
def test_the_schema_that_comes_along_is_that_of_the_cards(tmp_path: Path, name: str) -> None:
    morsdei_sim.schema(tmp_path / "schema.json", ruleset=name)
    written = (profiles_dir() / "schema" / f"{name}.json").read_text(encoding="utf-8")
    assert json.loads(written) == json.loads((tmp_path / "schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("kind", [".toml", ".csv", ".xlsx"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_cards_that_come_along_survive_any_format(tmp_path: Path, name: str, kind: str, lang: str) -> None:
    model = room(name).model
    squads = read_all([profiles_dir() / name], model)
    assert sum(len(squad.cards) for squad in squads) > 5
    for squad in squads:
        if squad.cards:
            write(tmp_path / f"{squad.path.stem}{kind}", squad.cards, model, lang)
            assert read(tmp_path / f"{squad.path.stem}{kind}", model) == list(squad.cards)
