"""The cards of MORSDEI: the demonstration squads, the committed schema, the notation of the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from morsdei_sim.cards import read_squad, schema
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import set_language
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.morsdei.cards import Fighter, entrant

# Section 22 of the atlas: squad, fighter, count, APL, Move, Def, HP, ranged, melee, base.
ATLAS = """
Mirror|Standard|5|2|6|3|8|rifle 4/4/4|blade 4/4/4|32
Line|Sergeant|1|3|6|3|9|rifle 4/4/4|blade 4/4/4|32
Line|Rifleman|3|2|6|3|8|rifle 4/4/4|knife 3/4/3|32
Line|Marksman|1|2|5|3|7|long rifle 4/3/4|knife 3/5/3|32
Scavengers|Runner|4|2|7|3|7|pistol 4/4/3|knife 4/4/3|28
Scavengers|Hunter|2|2|6|3|7|carbine 4/4/3|knife 3/4/3|28
Bulwark|Heavy|3|2|5|4|10|heavy rifle 5/4/4|fist 4/4/4|40
Bulwark|Gunner|1|2|5|4|10|cannon 6/5/4|fist 3/4/4|40
Cleavers|Brawler|4|2|6|3|9|pistol 3/4/3|cleaver 5/3/4|32
Cleavers|Chief|1|3|6|3|10|pistol 4/4/4|great cleaver 5/3/5|32
"""


@pytest.fixture(autouse=True)
def _english() -> None:
    set_language("en")


def test_demonstration_squads_are_those_of_the_atlas() -> None:
    found = []
    for name in ("mirror", "line", "scavengers", "bulwark", "cleavers"):
        squad = read_squad(profiles_dir() / "morsdei" / f"{name}.toml", Fighter)
        assert squad.name.startswith("DEMO ")
        for card in squad.cards:
            assert card.name_ru
            assert [one.type for one in card.weapon] == [
                "pistol" if card.weapon[0].name == "pistol" else "ranged",
                "melee",
            ]
            arms = "|".join(f"{one.name} {one.dice}/{one.hit}/{one.damage}" for one in card.weapon)
            found.append(
                f"{squad.name[5:]}|{card.name}|{card.count}|{card.apl}|{card.move:g}|{card.defence}|{card.hp}|"
                f"{arms}|{card.base:g}"
            )
    assert found == ATLAS.strip().splitlines()


def test_committed_schema_is_the_models() -> None:
    committed = json.loads((profiles_dir() / "schema" / "morsdei.json").read_text(encoding="utf-8"))
    assert committed == schema(Fighter)


@pytest.mark.parametrize(
    ("text", "kind", "needs", "hp", "weapon", "defence"),
    [
        ("4d6 4+ 4", "shooter", {"weapon"}, None, ("ranged", 4, 4, 4), None),
        ("4 HP 9 4+ 3d6", "fighter", {"weapon", "hp"}, 9, ("melee", 3, 4, 4), None),
        ("4d6 4+ 5 hp 4/9", "fighter", {"weapon", "hp"}, 4, ("melee", 4, 4, 5), None),
        ("4к6,4+,4 пистолет", "shooter", {"weapon"}, None, ("pistol", 4, 4, 4), None),
        ("Defence 3 HP 7", "target", {"defence", "hp"}, 7, None, 3),
        ("защита 2, хп=7", "target", {"defence", "hp"}, 7, None, 2),
    ],
)
def test_notation(
    text: str, kind: str, needs: set[str], hp: int | None, weapon: tuple[object, ...] | None, defence: int | None
) -> None:
    one = entrant(text, kind, needs)
    assert one.inline
    assert (
        one.weapon is None
        if weapon is None
        else one.weapon and (one.weapon.type, one.weapon.dice, one.weapon.hit, one.weapon.damage) == weapon
    )
    assert hp is None or ("hp" in one.stated and one.hp == hp)
    assert ("defence" in one.stated) == (defence is not None)
    assert defence is None or one.card.defence == defence
    assert ("type" in one.stated) == ("пистолет" in text)


@pytest.mark.parametrize(
    ("text", "kind", "needs", "code", "message"),
    [
        ("Def 3", "target", {"defence", "hp"}, 2, 'HP is missing; write for instance "Defence 3 HP 7"'),
        ("4d6 4+", "shooter", {"weapon"}, 2, "Damage is missing"),
        ("4d6 4+ 4 4", "shooter", {"weapon"}, 2, "Damage is given twice"),
        ("4d8 4+ 4", "shooter", {"weapon"}, 2, "only d6 dice"),
        ("defnce 3 HP 7", "target", {"hp"}, 2, 'did you mean "defence"'),
        ("4d6 7+ 4", "shooter", {"weapon"}, 3, r"Hit = 7\+: must be 2 to 6"),
        ("HP 10/9", "target", {"hp"}, 3, "must be 1 to 9"),
        ("HP 0/9", "target", {"hp"}, 3, "must be 1 to 9"),
        ("4d6 4+ 4 melee", "shooter", {"weapon"}, 2, "melee does not fit"),
        ("", "target", {"hp"}, 2, "nothing is written"),
        ("bulwark/hevy", "target", {"hp"}, 3, 'did you mean "heavy"'),
    ],
)
def test_notation_faults(text: str, kind: str, needs: set[str], code: int, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        entrant(text, kind, needs)
    assert caught.value.exit_code == code
    assert isinstance(caught.value, CardFaults) == (code == 3)


def test_weapons_of_a_card() -> None:
    shooter, fighter = entrant("bulwark/heavy", "shooter", {"weapon"}), entrant("bulwark/heavy", "fighter", {"weapon"})
    assert shooter.weapon
    assert shooter.weapon.name == "heavy rifle"
    assert fighter.weapon
    assert fighter.weapon.name == "fist"
    chosen = entrant("bulwark/heavy", "fighter", {"weapon"}, "Кулак").weapon
    assert chosen == fighter.weapon
    with pytest.raises(UserError, match='did you mean "fist"'):
        entrant("bulwark/heavy", "fighter", {"weapon"}, "fst")


def test_the_card_model_loads_no_kernels() -> None:
    code = (
        "import sys, morsdei_sim.rulesets.morsdei.cards; print(sorted({'numpy', 'numba', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
