"""`explore`: what its sliders say is what the cards say when they are written so."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import morsdei_sim
from morsdei_sim.errors import UserError
from morsdei_sim.sweep import tabulate

ASKED: list[tuple[str, str, str, dict[str, Any], dict[str, Any]]] = [
    ("morsdei", "line/sergeant", "shoot", {"hit": 3, "damage": 5}, {"situation": "cover"}),
    ("morsdei", "line/sergeant", "melee", {"dice": 5, "hp": 12}, {"target_policy": "strike-only"}),
    ("club", "orks/ork", "melee", {"strength": 5, "weapon_strength": 4, "save": 4}, {}),
    ("club", "guard/guardsman", "shoot", {"shots": 3, "acc_ranged": 3, "ap": -2}, {"situation": "overwatch"}),
    ("moran", "line/rifleman", "shoot", {"skill": 5, "lethality": 3}, {"situation": "d15"}),
]


@pytest.mark.parametrize(("room", "card", "verb", "turned", "asked"), ASKED)
def test_is_the_matrix_of_the_written_card(
    room: str, card: str, verb: str, turned: dict[str, Any], asked: dict[str, Any], tmp_path: Path
) -> None:
    """Before: the table of the card; after: that of the file that `save` writes. Every figure, every target."""
    found = morsdei_sim.explore(card, ruleset=room, verb=verb, **asked)
    turned = {name: value for name, value in turned.items() if name in found.stats}
    assert len(turned) >= 2
    found.set(**turned)
    found.save(tmp_path / "turned.toml")
    frame = found.to_frame()
    assert len(set(frame["target"])) >= 4
    asked = asked if verb == "shoot" else {"play": asked}
    for who, column in ((card, "before"), (str(tmp_path / "turned.toml"), "after")):
        rows = tabulate(verb, room, [who], ["field"], **asked).rows
        rows = rows[rows["weapon"] == found.against.weapon.name]
        assert frame["figure"].tolist() == rows["figure"].tolist()
        assert frame[column].tolist() == pytest.approx(rows["estimate"].tolist(), abs=1e-12)
    assert frame["change"].abs().max() > 0.01


def test_a_stat_that_is_not_named_goes_back() -> None:
    found = morsdei_sim.explore("line/rifleman").set(hit=3, dice=6)
    assert found.settings == {"hit": 3, "dice": 6}
    found.set(dice=6)
    assert (found.settings, found.card.weapon[0].hit) == ({"dice": 6}, 4)
    assert found.set().card == found.against.one.card
    assert "→" not in repr(found)


def test_what_the_card_model_refuses_changes_nothing() -> None:
    found = morsdei_sim.explore("line/rifleman").set(dice=5)
    with pytest.raises(UserError, match="2"):
        found.set(hit=1)
    assert (found.settings, found.card.weapon[0].dice) == ({"dice": 5}, 5)
    with pytest.raises(UserError, match="hit"):
        found.set(hti=3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"card": "line"}, "one is needed"),
        ({"card": "line/rifleman", "verb": "fly"}, "shoot, melee"),
        ({"card": "line/rifleman", "weapon": "rifel"}, "rifle"),
        ({"card": "line/rifleman", "figure": "kils"}, "kill"),
        ({"card": "line/rifleman", "situation": "covr"}, "cover"),
        ({"card": "line/rifleman", "verb": "melee", "objective": "nets"}, "net"),
        ({"card": "line/rifleman", "ruleset": "moran", "verb": "melee"}, "line/rifleman"),
        ({"card": "line/rifleman", "objective": "net"}, "objective"),
        ({"card": "line/rifleman", "verb": "melee", "situation": "cover"}, "situation"),
    ],
)
def test_a_wrong_word_is_named(words: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        morsdei_sim.explore(**words)


def test_a_weapon_by_any_of_its_names() -> None:
    for name in ("rifle", "Rifle", "винтовка"):
        assert morsdei_sim.explore("line/rifleman", weapon=name).against.weapon.name == "rifle"


def test_sliders_and_menus_turn_the_table() -> None:
    pytest.importorskip("ipywidgets")
    found = morsdei_sim.explore("line/sergeant")
    panel = found.panel
    assert set(panel.sliders) == set(found.stats) == {"dice", "hit", "damage"}
    before = panel.table.value
    panel.sliders["hit"].value = 2
    assert found.settings == {"hit": 2}
    assert panel.table.value != before
    assert "4 → 2" in panel.table.value
    panel.menus["situation"].value = "cover"
    panel.menus["figure"].value = "mean_damage"
    fresh = morsdei_sim.explore("line/sergeant", situation="cover", figure="mean_damage").set(hit=2)
    assert panel.table.value == fresh._repr_html_()
    panel.reset.click()
    assert found.settings == {}
    assert panel.table.value == fresh.set()._repr_html_()


def test_sliders_begin_where_the_card_was_turned_to() -> None:
    found = morsdei_sim.explore("line/sergeant").set(hit=3)
    assert found.panel.sliders["hit"].value == 3


def test_sliders_keep_to_what_a_card_may_be() -> None:
    panel = morsdei_sim.explore("line/sergeant").panel
    assert (panel.sliders["hit"].min, panel.sliders["hit"].max) == (2, 6)
    panel.sliders["hit"].value = 9
    assert panel.sliders["hit"].value == 6


def test_a_refusal_is_said_beside_the_sliders(monkeypatch: pytest.MonkeyPatch) -> None:
    found = morsdei_sim.explore("line/sergeant")
    panel = found.panel

    def refuse(**settings: float) -> None:
        raise UserError("no <such> card")

    monkeypatch.setattr(found, "set", refuse)
    panel.sliders["dice"].value = 5
    assert "no &lt;such&gt; card" in panel.trouble.value


def test_a_notebook_gets_sliders_and_a_page_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    found = morsdei_sim.explore("line/sergeant")
    bundle = found._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "<table" in bundle["text/html"]
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    other = morsdei_sim.explore("line/sergeant")
    assert set(other._repr_mimebundle_()) == {"text/plain", "text/html"}
    with pytest.raises(UserError, match="notebook"):
        _ = other.panel


def test_what_cannot_be_answered_says_why(tmp_path: Path) -> None:
    """Best play of so many dice is not solved; the other targets are answered, and no mean is made of half of them."""
    file = tmp_path / "ogre.toml"
    morsdei_sim.template(file, source="line/sergeant")
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"\bhp = \d+", "hp = 99", re.sub(r"\bdice = \d+", "dice = 20", text))
    file.write_text(text, encoding="utf-8")
    found = morsdei_sim.explore("line/sergeant", ["bulwark", str(file)], verb="melee").set(dice=14)
    answered = {row.target.ref: row.reason for row in found._after}
    assert "" in answered.values()
    reason = answered["ogre/sergeant"]
    assert len(reason) > 20
    assert reason in repr(found)
    assert "mean of the targets" not in repr(found)
    assert "mean of the targets" in repr(morsdei_sim.explore("line/sergeant", "bulwark", verb="melee"))


def test_names_are_escaped(tmp_path: Path) -> None:
    file = tmp_path / "evil.toml"
    morsdei_sim.template(file, source="line/sergeant")
    text = file.read_text(encoding="utf-8").replace('name = "Sergeant"', 'name = "<img src=x>"')
    file.write_text(text, encoding="utf-8")
    assert "<img" not in morsdei_sim.explore(str(file), targets=str(file))._repr_html_()


def test_in_russian(monkeypatch: pytest.MonkeyPatch) -> None:
    from morsdei_sim.lang import set_language

    set_language("ru")
    try:
        text = repr(morsdei_sim.explore("line/sergeant").set(hit=3))
    finally:
        set_language("en")
    assert "в среднем по целям" in text
    assert "→" in text
    assert "," in text
