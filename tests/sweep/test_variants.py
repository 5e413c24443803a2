"""The room's data about its cards: steps, situations, plays."""

from __future__ import annotations

import subprocess
import sys

import pytest

from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.morsdei import variants
from morsdei_sim.rulesets.morsdei.cards import Fighter, Weapon
from morsdei_sim.rulesets.morsdei.rules import Rules


def fighter(**stats: int) -> Fighter:
    numbers = {key: stats.pop(key, usual) for key, usual in (("dice", 4), ("hit", 4), ("damage", 4))}
    arms = tuple(Weapon(name=name, type=kind, **numbers) for name, kind in (("gun", "ranged"), ("fist", "melee")))  # type: ignore[arg-type]
    return Fighter(name="a", move=6.0, weapon=arms, **{"defence": 3, "hp": 8, **stats})


STEPS = {upgrade.name: upgrade for upgrade in variants.UPGRADES}


@pytest.mark.parametrize("stat", STEPS)
def test_a_step_changes_one_number_by_one(stat: str) -> None:
    upgrade, card = STEPS[stat], fighter()
    places = (0, 1) if upgrade.of == "weapon" else (-1,)
    for place in places:
        better = upgrade.better(card, place)
        assert better is not None
        changed = [key for key in Fighter.model_fields if getattr(better, key) != getattr(card, key)]
        if upgrade.of == "card":
            assert changed == [stat]
            assert getattr(better, stat) == getattr(card, stat) + 1
        else:
            assert changed == ["weapon"]
            assert better.weapon[1 - place] == card.weapon[1 - place]
            gain = getattr(better.weapon[place], stat) - getattr(card.weapon[place], stat)
            assert gain == (-1 if stat == "hit" else 1)
        assert Fighter.model_validate(better.model_dump()) == better


@pytest.mark.parametrize(
    ("stat", "bound"), [("dice", 20), ("hit", 2), ("damage", 100), ("hp", 1000), ("defence", 20), ("apl", 4)]
)
def test_no_step_beyond_the_bound(stat: str, bound: int) -> None:
    assert STEPS[stat].better(fighter(**{stat: bound}), 0) is None
    assert STEPS[stat].better(fighter(**{stat: bound + (1 if stat == "hit" else -1)}), 0) is not None


@pytest.mark.parametrize(("hp", "left"), [(10, 4), (9, 4), (8, 3), (7, 3), (6, 2), (3, 1), (2, None), (1, None)])
def test_the_most_hp_of_an_injured_fighter(hp: int, left: int | None) -> None:
    """TV24."""
    found = variants.wounded(variants.ready(fighter(hp=hp), None, "a"), Rules())
    assert (found.hp if found else None) == left


def test_every_card_of_the_room_has_rows() -> None:
    from morsdei_sim.cards import read_all

    for squad in read_all([profiles_dir() / "morsdei"], Fighter):
        for card in squad.cards:
            assert {key: getattr(card, key) for key in ("apl", "hp", "base")}.items() <= variants.card_row(card).items()


def test_no_compiler_for_reading_the_data() -> None:
    code = "import sys, morsdei_sim.rulesets.morsdei.variants; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
