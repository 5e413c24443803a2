"""Frames of many questions: known answers, intervals, and the same numbers whoever does the work."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import morsdei_sim
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import room
from morsdei_sim.sweep import collect, tabulate
from morsdei_sim.sweep.roster import digest, field_of, roster


def one(frame: pd.DataFrame, **where: Any) -> Any:
    """The single row with these values."""
    for column, value in where.items():
        frame = frame[frame[column].isna()] if value is None else frame[frame[column] == value]
    assert len(frame) == 1, f"{len(frame)} rows"
    return frame.iloc[0]


def shot(collection: Any, situation: str, figure: str, attacker: str = "twins/one", target: str = "aims/seven") -> Any:
    return one(collection.shots, attacker=attacker, target=target, situation=situation, figure=figure)


def fought(collection: Any, attacker: str, target: str, figure: str, objective: str = "net") -> float:
    best = {"objective": objective, "attacker_policy": "best", "target_policy": "best"}
    return float(one(collection.melee, attacker=attacker, target=target, figure=figure, **best)["estimate"])


@pytest.mark.parametrize(("situation", "mean"), [("open", 3.425783), ("cover", 2.609577), ("cover-prone", 2.014865)])
def test_the_atlas_rifle(exact: Any, situation: str, mean: float) -> None:
    """23.1: 4 dice, Hit 4+, Damage 4 against 3, 4 and 5 Defence Dice."""
    assert shot(exact, situation, "mean_damage")["estimate"] == pytest.approx(mean, abs=5e-7)


def test_an_injured_target_has_less_left(exact: Any) -> None:
    """H2: 7 HP is Injured at 3, so one hit (23.3: 1 - 0.443501) removes it."""
    assert shot(exact, "target-injured", "kill")["estimate"] == pytest.approx(1 - 0.443501, abs=1e-6)
    rows = exact.shots[exact.shots["situation"] == "target-injured"]
    assert set(rows["figure"]) == {"kill", "mean_hp_lost"}
    assert "target-injured" not in set(exact.spread["situation"])


def test_every_situation_is_the_verb_with_its_flags(exact: Any, folder: Path) -> None:
    flags = {
        "prone": "prone",
        "aimed": "aim",
        "overwatch": "overwatch",
        "contract": "contract",
        "injured": "attacker_injured",
    }
    for name, flag in flags.items():
        asked = morsdei_sim.shoot(f"{folder}/twins.toml/sure", f"{folder}/aims.toml/nine", **{flag: True}).to_dict()
        for figure in ("mean_damage", "kill", "mean_hp_lost", "injured"):
            assert shot(exact, name, figure, "twins/sure", "aims/nine")["estimate"] == asked[figure]
    assert "in-contact" not in set(exact.shots["situation"])  # no pistols here


def test_in_contact_is_for_pistols() -> None:
    rows = tabulate("shoot", cards=["cleavers/chief", "line"], situation="in-contact").rows
    assert set(rows["weapon"]) == {"pistol"}


def test_the_atlas_melee(exact: Any, folder: Path) -> None:
    """23.7: the 7 HP fighter attacks one of 9 HP."""
    found = tabulate("melee", cards=[f"{folder}/aims.toml/seven"], targets=[f"{folder}/aims.toml/nine"]).rows
    assert one(found, figure="kill_target")["estimate"] == pytest.approx(0.118835, abs=5e-7)
    assert one(found, figure="kill_attacker")["estimate"] == pytest.approx(0.353226, abs=5e-7)
    assert one(found, figure="kill_difference")["estimate"] == pytest.approx(0.118835 - 0.353226, abs=1e-6)


def test_damage_is_a_distribution(exact: Any) -> None:
    keys = ["attacker", "weapon", "target", "situation"]
    assert exact.spread.groupby(keys)["chance"].sum().to_numpy() == pytest.approx(1.0)
    for _key, part in exact.spread.groupby(keys):
        assert part["at_least"].to_numpy() == pytest.approx(part["chance"][::-1].cumsum()[::-1].to_numpy())
        mean = (part["value"] * part["chance"]).sum()
        row = part.iloc[0]
        assert mean == pytest.approx(
            shot(exact, row["situation"], "mean_damage", row["attacker"], row["target"])["estimate"]
        )


def test_equal_cards_do_and_suffer_the_same(exact: Any) -> None:
    for frame in (exact.shots, exact.melee):
        rest = [column for column in frame if column not in ("attacker", "low", "high")]
        mine, twin = (
            frame.loc[frame["attacker"] == name, rest].reset_index(drop=True) for name in ("twins/one", "twins/two")
        )
        pd.testing.assert_frame_equal(mine, twin)
    for objective in ("net", "kill"):
        there, back = (
            fought(exact, *pair, "net_damage", objective)
            for pair in (("twins/one", "twins/two"), ("twins/two", "twins/one"))
        )
        assert there == back


def test_best_play_is_best_for_its_objective(exact: Any) -> None:
    figures = {"net": "net_damage", "kill": "kill_target", "kill-difference": "kill_difference"}
    for objective, figure in figures.items():
        value = fought(exact, "twins/weak", "aims/nine", figure, objective)
        rows = exact.melee[(exact.melee["attacker"] == "twins/weak") & (exact.melee["target"] == "aims/nine")]
        same = rows[(rows["figure"] == figure) & (rows["objective"] == objective) & (rows["target_policy"] == "best")]
        assert len(same) > (objective != "kill")
        assert (same["estimate"] <= value + 1e-12).all()


def test_a_step_is_the_card_changed_by_hand(exact: Any) -> None:
    step = one(exact.steps, card="twins/one", weapon="rifle", stat="dice", opponent="aims/seven", figure="mean_damage")
    before, after = (morsdei_sim.shoot(f"{n}d6 4+ 4", "Defence 3 HP 7").to_dict()["mean_damage"] for n in (4, 5))
    assert (step["base"], step["changed"]) == (before, after)
    assert (step["from"], step["to"], step["difference"]) == (4, 5, after - before)
    step = one(exact.steps, card="twins/one", weapon="blade", stat="hit", opponent="aims/nine", figure="net_damage")
    after = morsdei_sim.melee("4d6 3+ 4 HP 8", "4d6 4+ 4 HP 9").to_dict()["net_damage"]
    assert (step["from"], step["to"], step["changed"]) == (4, 3, after)
    step = one(exact.steps, card="twins/one", stat="defence", opponent="aims/nine", figure="kill_suffered")
    assert step["changed"] == morsdei_sim.shoot("4d6 4+ 4", "Defence 4 HP 8").to_dict()["kill"]


def test_breakpoints_of_hp(exact: Any) -> None:
    """E7: against Damage 4 the ninth HP asks for a third hit, the eighth for nothing."""
    ninth = one(exact.steps, card="twins/one", stat="hp", opponent="aims/seven", figure="kill_suffered")
    eighth = one(exact.steps, card="twins/weak", stat="hp", opponent="aims/seven", figure="kill_suffered")
    assert (ninth["needed"], ninth["needed_changed"]) == (2, 3)
    assert ninth["difference"] < -0.05
    assert (eighth["needed"], eighth["needed_changed"], eighth["difference"]) == (2, 2, 0.0)
    fighting = one(exact.steps, card="twins/one", stat="hp", opponent="aims/seven", figure="kill_attacker")
    assert (fighting["needed"], fighting["needed_changed"]) == (2, 3)


def test_a_stat_at_its_bound_has_no_step(exact: Any) -> None:
    """D8: Hit is never better than 2+."""
    stats = exact.steps.groupby("card")["stat"].agg(set)
    assert "hit" not in stats["twins/sure"]
    assert stats["twins/one"] == {"dice", "hit", "damage", "hp", "defence"}
    assert exact.guide.no_effect == ("apl", "move")


def test_worth_is_the_mean_over_the_field(exact: Any) -> None:
    worth = one(exact.worth, card="twins/one", weapon="rifle", stat="damage", figure="kill")
    rows = exact.steps[(exact.steps["card"] == "twins/one") & (exact.steps["weapon"] == "rifle")]
    rows = rows[(rows["stat"] == "damage") & (rows["figure"] == "kill") & rows["opponent"].str.startswith("aims/")]
    assert len(rows) == 2
    assert worth["difference"] == pytest.approx(rows["difference"].mean())
    assert worth["changed"] - worth["base"] == pytest.approx(worth["difference"])


def test_activations_are_shots_one_after_another(exact: Any, sampled: Any) -> None:
    """APL 2: one activation of two shots is the verb `shoot` with two shots; the second one goes on from there."""
    where = {"attacker": "twins/one", "target": "aims/nine", "situation": "cover"}
    for plan, options in (("shoot-shoot", {"shots": 2}), ("aim-shoot", {"aim": True})):
        rows = exact.activations
        for column, wanted in {**where, "plan": plan}.items():
            rows = rows[rows[column] == wanted]
        asked = morsdei_sim.shoot("4d6 4+ 4", "Defence 4 HP 9", cover=True, **options).to_dict()
        assert rows["activation"].tolist() == list(range(1, len(rows) + 1))
        assert len(rows) == 8
        assert rows["removed_by"].iloc[0] == pytest.approx(asked["kill"], abs=1e-12)
        assert rows["removed_by"].to_numpy() == pytest.approx(rows["chance"].cumsum().to_numpy())
    four = morsdei_sim.shoot("4d6 4+ 4", "Defence 4 HP 9", cover=True, shots=4).to_dict()["kill"]
    shown = exact.activations[exact.activations["plan"] == "shoot-shoot"]
    assert one(shown, **where, activation=2)["removed_by"] == pytest.approx(four, abs=1e-12)
    known, rolled = exact.activations, sampled.activations
    for value, low, high in (("chance", "chance_low", "chance_high"), ("removed_by", "low", "high")):
        inside = (rolled[low] <= known[value] + 1e-12) & (known[value] <= rolled[high] + 1e-12)
        assert inside.mean() > 0.9
        assert (rolled[low] <= rolled[value] + 1e-12).all()
        assert known[[low, high]].isna().all(axis=None)


def test_exact_figures_have_no_bounds(exact: Any) -> None:
    for name, frame in exact.frames().items():
        bounds = [column for column in frame if column in ("low", "high", "at_least_low", "at_least_high")]
        assert frame[bounds].isna().all(axis=None), name
    assert (exact.provenance["engine"], exact.provenance["trials"], exact.provenance["seed"]) == ("exact", None, None)


def test_samples_lie_about_the_exact_figures(exact: Any, sampled: Any) -> None:
    """95 % intervals hold the exact figure about 95 times in 100: many figures of the same dice, so the bar is 90."""
    assert (sampled.provenance["engine"], sampled.provenance["trials"], sampled.provenance["seed"]) == (
        "sample",
        2048,
        7,
    )
    for name, value in (("shots", "estimate"), ("melee", "estimate"), ("steps", "difference"), ("worth", "difference")):
        one_, other = getattr(exact, name), getattr(sampled, name)
        assert len(one_) == len(other)
        assert other[["low", "high"]].notna().all(axis=None)
        inside = (other["low"] <= one_[value] + 1e-12) & (one_[value] <= other["high"] + 1e-12)
        assert inside.mean() > 0.9, name
        assert (other["high"] - other["low"]).max() < {"shots": 1.2, "melee": 1.2}.get(name, 2.0)
    assert not (sampled.shots["estimate"] == exact.shots["estimate"]).all()


def test_the_same_numbers_on_any_number_of_threads(asked: dict[str, Any], exact: Any, sampled: Any) -> None:
    for known, words in ((exact, {}), (sampled, {"engine": "sample", "trials": 2048, "seed": 7})):
        again = collect(**asked, **words, jobs=2)
        for name, frame in known.frames().items():
            pd.testing.assert_frame_equal(frame, getattr(again, name))
        assert again.provenance == known.provenance


def test_another_seed_gives_other_numbers(folder: Path) -> None:
    words = {"cards": [f"{folder}/aims.toml"], "engine": "sample", "trials": 1024}
    first, second = (tabulate("shoot", **words, seed=seed).rows["estimate"] for seed in (1, 2))
    assert not first.equals(second)


def test_what_cannot_be_answered_is_said(asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morsdei_sim.rulesets.morsdei.exchange.MAX_POSITIONS", 10)
    found = tabulate("melee", cards=asked["cards"])
    assert not len(found.rows)
    assert any("twins/one → twins/two" in reason for reason in found.provenance["unanswered"])


def test_progress_reaches_its_end(asked: dict[str, Any]) -> None:
    seen: list[tuple[int, int]] = []
    tabulate("shoot", cards=asked["cards"], progress=lambda done, planned: seen.append((done, planned)))
    assert seen[-1] == (16, 16)


def test_changed_rules_change_the_numbers(asked: dict[str, Any]) -> None:
    plain, harder = (
        tabulate("shoot", cards=asked["cards"], rules=rules).rows["estimate"] for rules in ({}, {"save": 5})
    )
    assert (harder >= plain - 1e-12).sum() > len(plain) * 0.7
    assert not plain.equals(harder)


def test_the_room_s_own_cards_and_field() -> None:
    chosen = room("morsdei")
    names = [one.ref for one in roster(chosen, None)]
    assert "line/marksman" in names
    assert not [name for name in names if name.startswith("field/")]
    field = field_of(chosen, None)
    assert {one.card.defence for one in field} == {2, 3, 4, 5}
    assert (min(one.card.hp for one in field), max(one.card.hp for one in field)) == (6, 12)
    assert all(one.field and one.card.name_ru for one in field)
    marked = (profiles_dir() / "morsdei" / "field.toml").read_text(encoding="utf-8")
    assert "REFERENCE DATA" in marked
    assert "ЭТАЛОННЫЕ ДАННЫЕ" in marked


def test_references_of_every_kind(folder: Path) -> None:
    chosen = room("morsdei")
    assert len(roster(chosen, [str(folder)])) == 6
    assert [one.ref for one in roster(chosen, ["line", "line/sergeant", f"{folder}/twins.toml/weak"])] == [
        "line/sergeant", "line/rifleman", "line/marksman", "twins/weak",
    ]  # fmt: skip
    with pytest.raises(CardFaults) as fault:
        roster(chosen, ["lines", "bulwark/giant"])
    assert len(fault.value.faults) == 2


def test_two_files_of_one_name(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "twins.toml").write_text((folder / "twins.toml").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(UserError, match="two files hold a card twins/one"):
        roster(room("morsdei"), [str(folder / "twins.toml"), str(tmp_path / "twins.toml")])


def test_the_digest_is_of_the_cards(folder: Path, tmp_path: Path) -> None:
    text = (folder / "twins.toml").read_text(encoding="utf-8")
    digests = []
    for place, content in enumerate((text, text, text.replace("hp = 7", "hp = 6"))):
        (tmp_path / str(place)).mkdir()
        path = tmp_path / str(place) / "twins.toml"
        path.write_text(content, encoding="utf-8")
        digests.append(digest(roster(room("morsdei"), [str(path)])))
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"ruleset": "mordei"}, "Did you mean morsdei"),
        ({"engine": "guess"}, "no engine 'guess'"),
        ({"rules": {"sav": 5}}, "did you mean save"),
        ({"cards": []}, "no cards"),
    ],
)
def test_wrong_words(words: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        collect(**words)


def test_no_room_is_named_below_the_rooms() -> None:
    import morsdei_sim.study
    import morsdei_sim.sweep

    for package in (morsdei_sim.sweep, morsdei_sim.study):
        for path in Path(package.__path__[0]).glob("*.py"):
            assert not re.search(r"rulesets\.(morsdei|club|moran|savage|epic)", path.read_text(encoding="utf-8")), path
