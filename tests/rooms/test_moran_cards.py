"""Cards of Moran: marks in both alphabets, slots, armour, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from morsdei_sim.cards import read, write
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.rulesets.moran.cards import Fighter, Weapon, entrant
from tests.rooms.moran_cards import arm, cards_of


def fighter(*arms: Weapon, **fields: object) -> Fighter:
    return Fighter.model_validate({"name": "F", "skill": 4, "weapon": arms, **fields})


def refused(*arms: Weapon, **fields: object) -> str:
    with pytest.raises(ValidationError) as raised:
        fighter(*arms, **fields)
    return str(raised.value)


def faults(tmp_path: Path, text: str) -> str:
    file = tmp_path / "squad.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CardFaults) as raised:
        read(file, Fighter)
    return str(raised.value)


@pytest.mark.parametrize(("word", "mark"), [("ОР", "OP"), ("OP", "OP"), ("ЛО", "LO"), ("LO", "LO"), ("оружие", "OP")])
def test_marks_in_russian_letters(tmp_path: Path, word: str, mark: str) -> None:
    """R44-R46 The corner mark as the document prints it, in either alphabet."""
    file = tmp_path / "squad.toml"
    file.write_text(
        f'[[fighter]]\nname = "F"\nskill = 5\n[[fighter.weapon]]\nname = "gun"\ntype = "{word}"\nnear = 5\nfar = 10\n'
        "lethality = 2\n",
        encoding="utf-8",
    )
    (card,) = read(file, Fighter)
    assert card.weapon[0].type == mark
    assert card.main == "gun"


def test_marks_of_items(tmp_path: Path) -> None:
    file = tmp_path / "squad.toml"
    file.write_text(
        '[[item]]\nid = "g"\ntype = "К"\ntemplate = "малый"\nlethality = 2\ncount = 3\n'
        '[[item]]\nid = "v"\ntype = "Л"\nkind = "armour"\narmour = 1\n'
        '[[fighter]]\nname = "F"\nskill = 5\npersonal = ["v"]\ncommand = ["g"]\n',
        encoding="utf-8",
    )
    (card,) = read(file, Fighter)
    assert [(one.type, one.template, one.count) for one in card.stock()] == [("K", "S", 3)]
    assert card.armour_class == 1
    assert card.armed() == []


def test_slots() -> None:
    """R47-R50 One weapon or light weapon, one more light one, personal items of different kinds, any command items."""
    rifle, smg, pistol, grenade = (arm(name) for name in ("rifle", "smg", "moran_pistol", "grenade"))
    assert (fighter(rifle).main, fighter(rifle).second) == ("rifle", "")
    assert (fighter(pistol).main, fighter(pistol).second) == ("moran_pistol", "")
    both = fighter(pistol, rifle)
    assert (both.main, both.second) == ("rifle", "moran_pistol")
    two = fighter(pistol, smg, main="smg")
    assert (two.main, two.second) == ("smg", "moran_pistol")
    assert fighter(grenade).command == ("grenade",)
    assert "R47" in refused(pistol, smg)
    assert "R47" in refused(rifle, arm("sniper_rifle"))
    assert "R48" in refused(rifle, pistol, smg)
    assert "R48" in refused(rifle, arm("sniper_rifle"), main="rifle", second="sniper_rifle")
    assert "R48" in refused(rifle, arm("sniper_rifle"), main="rifle")
    assert "R47" in refused(arm("vest"), main="vest", personal=("vest",))
    assert "R49" in refused(arm("vest"), arm("heavy_armour"))
    assert "R44" in refused(grenade, personal=("grenade",))
    assert "R44" in refused(arm("vest"), command=("vest",))
    assert "no weapon or item" in refused(main="bow")
    assert len(fighter(arm("vest"), arm("sight")).personal) == 2


def test_armour_is_that_of_the_item() -> None:
    """R29, RULING 29, RULING 36 The card's own number goes first; a sight gives nothing."""
    assert fighter().armour_class == 0
    assert fighter(arm("vest")).armour_class == 1
    assert fighter(arm("heavy_armour"), arm("sight")).armour_class == 2
    assert fighter(arm("vest"), armour=3).armour_class == 3
    assert fighter(arm("vest"), armour=0).armour_class == 0


def test_the_json_of_the_atlas_is_read() -> None:
    """The two cards of chapter 2, with their nulls."""
    text = '{"id": "moran_pistol", "type": "LO", "near": 5, "far": 10, "lethality": 2, "magazine": 2, "template": null}'
    pistol = Weapon.model_validate(json.loads(text))
    text = '{"id": "moran", "skill": 5, "move": 5, "main": "moran_pistol", "second": null, "personal": [], "armour": 0}'
    card = Fighter.model_validate({**json.loads(text), "weapon": (pistol,)})
    assert (card.name, card.main, card.second, card.armour_class) == ("moran", "moran_pistol", "", 0)
    assert pistol.name == "moran pistol"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"type": "OP", "near": 5, "far": 10}, "near, far and lethality"),
        ({"type": "LO", "near": 12, "far": 10, "lethality": 1}, "near must not be more than far"),
        ({"type": "K", "template": "S"}, "needs its damage"),
        ({"type": "OP", "template": "S", "lethality": 2, "near": 5}, "leave out near and far"),
        ({"type": "OP", "template": "S", "lethality": 2, "magazine": 3}, "empty after every use"),
        ({"type": "L"}, "needs its kind"),
        ({"type": "L", "kind": "armour"}, "needs its class"),
        ({"type": "OP", "near": 0, "far": 10, "lethality": 1}, "greater than or equal to 1"),
        ({"type": "OP", "near": 1, "far": 10, "lethality": 7}, "less than or equal to 6"),
    ],
)
def test_weapons_are_checked(record: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Weapon.model_validate({"name": "x", **record})


def test_faults_have_their_place(tmp_path: Path) -> None:
    said = faults(tmp_path, '[[fighter]]\nname = "F"\nskill = 7\n')
    assert "squad.toml:3" in said
    assert "1 to 6" in said
    said = faults(tmp_path, '[[fighter]]\nname = "F"\nskill = 5\nmain = "bow"\n')
    assert "squad.toml:4" in said


def test_a_squad_survives_being_written(tmp_path: Path) -> None:
    cards = cards_of("demo")
    for kind in (".toml", ".csv", ".xlsx"):
        write(tmp_path / f"demo{kind}", cards, Fighter, "ru")
        again = read(tmp_path / f"demo{kind}", Fighter)
        for one, other in zip(cards, again, strict=True):
            assert (one.id, one.skill, one.main, one.second, one.armour_class) == (
                other.id, other.skill, other.main, other.second, other.armour_class
            )  # fmt: skip
            assert one.armed() == other.armed()
            assert one.stock() == other.stock()


def test_squads() -> None:
    assert [card.id for card in cards_of("line")] == ["rifleman", "moran", "recruit"]
    assert [card.id for card in cards_of("demo/recruit+moran")] == ["recruit", "moran"]
    assert entrant("demo/knife_man").card.armed() == []
    with pytest.raises(CardFaults, match="knife"):
        cards_of("demo/knifeman")
    with pytest.raises(CardFaults, match="no squad"):
        cards_of("lines_of")
    with pytest.raises(UserError, match="no fighters"):
        cards_of("armoury")
