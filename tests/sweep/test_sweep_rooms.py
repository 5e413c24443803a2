"""Every room can be collected and put into a table, and its data about its cards agree with its verbs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import morsdei_sim
from morsdei_sim.api.ask import ask
from morsdei_sim.errors import UserError
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import room
from morsdei_sim.sweep import collect, tabulate
from morsdei_sim.sweep.roster import field_of, roster
from tests.sweep.rooms import CARDS, FIELD, ROOMS, collected, data

rooms = pytest.mark.parametrize("ruleset", ROOMS)


def one(frame: pd.DataFrame, **where: Any) -> Any:
    for column, value in where.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1, f"{len(frame)} rows"
    return frame.iloc[0]


# ── the data of a room ────────────────────────────────────────────────────────────────────────────────────────────────


@rooms
def test_settings_and_plays_use_the_room_s_options(ruleset: str) -> None:
    """Every option that is asked for exists, and takes the value: the rooms' verbs check nothing else."""
    flags = {verb: {flag.name: flag for flag in known} for verb, known in room(ruleset).flags.items()}
    frames = collected(ruleset)
    assert frames.provenance["unanswered"] == []
    found = data(ruleset)
    assert set(frames.shots["situation"]) <= set(found.SITUATIONS)
    for play in found.MELEE:
        assert len(play) == len(found.PLAY)
        for name, word in zip(found.PLAY, play, strict=True):
            assert word in flags["melee"][name].choices
    assert len(set(found.MELEE)) == len(found.MELEE)
    if found.PROGRESS is not None:
        for options in found.PROGRESS.plans.values():
            assert all(word in flags["activations"][name].choices for name, word in options.items())


@rooms
def test_no_question_goes_past_the_flags(ruleset: str) -> None:
    """The rooms' functions check nothing about a number that their flags bound; so the data must keep to the flags."""
    from morsdei_sim.api.ask import _situation
    from morsdei_sim.sweep import cases

    chosen = room(ruleset)
    variants = cases.Variants(chosen, chosen.rules({}))
    own, field = roster(chosen, CARDS[ruleset]), field_of(chosen, FIELD[ruleset])
    asked = [case.question for case in cases.shots(variants, own, own + field, variants.data.SITUATIONS)]
    asked += [case.question for case in cases.melees(variants, own, own + field, variants.data.MELEE)]
    asked += [case.question for case in cases.activations(variants, own, own + field)]
    for step in cases.steps(variants, own, own + field):
        asked += [step.before, step.after]
    for question in {(q.verb, q.flags) for q in asked}:
        assert _situation(dict(question[1]), chosen.flags[question[0]]) == dict(question[1])


@rooms
def test_the_guide_names_what_there_is(ruleset: str) -> None:
    """Every figure that the guide names occurs, chances lie between -1 and 1, and every chance is called one."""
    frames = collected(ruleset)
    guide = frames.guide
    there = {"shots": set(frames.shots["figure"]), "melee": set(frames.melee["figure"])}
    assert set(guide.shown["shoot"]) <= there["shots"]
    assert set(guide.shown.get("melee", ())) <= there["melee"]
    assert {guide.headline["shoot"]} | set(guide.judged["shots"]) <= there["shots"]
    assert set(guide.judged["weapons"]) | set(guide.judged["fighters"]) | set(guide.fair) <= there["melee"]
    for rank in guide.ranks.values():
        assert rank.figure in there[rank.frame]
    stepped = set(frames.steps["figure"])
    for scale in guide.scales:
        assert set(scale.figures) <= stepped, scale
        assert {guide.is_chance(figure) for figure in scale.figures} == {scale.share}
    assert stepped <= set(guide.better)
    assert guide.chances <= there["shots"] | there["melee"]
    assert not frames.spread.empty
    values = pd.concat([frames.shots, frames.melee])
    shares = values["figure"].map(guide.is_chance).astype(bool)
    assert values.loc[shares, "estimate"].abs().max() <= 1
    below = set(values.loc[values["estimate"] < -1e-12, "figure"])
    assert below <= guide.signed


@rooms
def test_chances_are_the_readings_of_that_kind(ruleset: str) -> None:
    """The guide's chances are exactly the chances of the room's answers, and what is derived of chances alone."""
    from morsdei_sim.sweep import cases

    chosen = room(ruleset)
    variants = cases.Variants(chosen, chosen.rules({}))
    own = roster(chosen, CARDS[ruleset])
    kinds: dict[str, str] = {}
    asked = [*cases.shots(variants, own, own, variants.data.SITUATIONS)]
    asked += [*cases.melees(variants, own, own, variants.data.MELEE[:1])]
    for verb in ("shoot", "melee"):
        for question in [case.question for case in asked if case.question.verb == verb][:40]:
            answer = chosen.ask(verb)(question.attacker, question.target, **dict(question.flags))
            kinds |= {reading.name: reading.kind for reading in answer.readings}
    chances = {name for name, kind in kinds.items() if kind == "chance"}
    for name, parts in variants.data.DERIVED.items():
        if parts.keys() <= chances:
            chances.add(name)
    assert set(variants.data.GUIDE.chances) == chances


@rooms
def test_steps_change_one_number_by_one(ruleset: str) -> None:
    """Of every card of the room: the better card is a valid one, one stat apart, in the better direction."""
    chosen, found = room(ruleset), data(ruleset)
    seen = set()
    for contestant in roster(chosen, None):
        card = contestant.card
        for upgrade in found.UPGRADES:
            for place in range(len(card.weapon)) if upgrade.of == "weapon" else (-1,):
                better = upgrade.better(card, place)
                if better is None:
                    continue
                seen.add(upgrade.name)
                assert chosen.model.model_validate(better.model_dump()) == better
                holders = [who.weapon[place] if place >= 0 else who for who in (card, better)]
                before, after = (found_number(getattr(holder, upgrade.field)) for holder in holders)
                assert abs(after - before) == 1
                sign = found.GUIDE.better.get(upgrade.name, found.GUIDE.better.get(upgrade.field))
                assert after - before == sign, upgrade.name
                same = [key for key in type(card).model_fields if key not in ("armour", "weapon", upgrade.field)]
                assert all(getattr(better, key) == getattr(card, key) for key in same)
    assert seen == {upgrade.name for upgrade in found.UPGRADES} - {"magazine", "range"} | (seen & {"magazine", "range"})


def found_number(stat: Any) -> float:
    from morsdei_sim.rulesets.guide import number

    value = number(stat)
    assert value is not None
    return value


@rooms
def test_no_compiler_for_reading_the_data(ruleset: str) -> None:
    code = f"import sys, morsdei_sim.rulesets.{ruleset}.variants, morsdei_sim.rulesets.{ruleset}.words"
    run = subprocess.run([sys.executable, "-c", f"{code}; sys.exit('numba' in sys.modules)"])
    assert run.returncode == 0


@rooms
def test_the_room_s_own_field(ruleset: str) -> None:
    chosen = room(ruleset)
    assert not [one.ref for one in roster(chosen, None) if one.ref.startswith("field/")]
    field = field_of(chosen, None)
    assert len(field) >= 4
    assert all(one.field and one.card.name_ru for one in field)
    marked = (profiles_dir() / ruleset / "field.toml").read_text(encoding="utf-8")
    assert "REFERENCE DATA" in marked
    assert "ЭТАЛОННЫЕ ДАННЫЕ" in marked


def test_no_room_is_named_above_the_rooms() -> None:
    """Layers above learn a room's name from their callers; only where a call leaves it out is there a usual one."""
    import morsdei_sim.reporting
    import morsdei_sim.study
    import morsdei_sim.sweep

    known = "|".join(ROOMS)
    for package in (morsdei_sim.sweep, morsdei_sim.study, morsdei_sim.reporting):
        for path in Path(package.__path__[0]).glob("*.py"):
            text = path.read_text(encoding="utf-8").replace('ruleset: str = "morsdei"', "")
            assert not re.search(rf"rulesets\.({known})|[\"']({known})[\"']", text), path


# ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_club_figures_are_the_verb_s() -> None:
    frames = collected("club")
    asked = ask("shoot", "guard/veteran", "field/t3-s5-e1", ruleset="club", cover=2, weapon="plasma_gun").to_dict()
    where = {"attacker": "guard/veteran", "weapon": "Plasma gun", "target": "field/t3-s5-e1", "situation": "cover-2"}
    for figure in ("kill", "mean_damage", "flees", "mean_endurance_lost"):
        assert one(frames.shots, **where, figure=figure)["estimate"] == asked[figure]
    felled = one(frames.shots, **where, figure="felled")["estimate"]
    assert felled == pytest.approx(asked["kill"] + asked["dying"])
    assert felled > 0
    spread = frames.spread
    for key, value in where.items():
        spread = spread[spread[key] == value]
    chances = dict(zip(spread["value"].astype(str), spread["chance"], strict=True))
    assert chances == asked["damage"]
    fought = ask("melee", "orks/ork_boss", "field/t4-s3-e2", ruleset="club").to_dict()
    row = {"attacker": "orks/ork_boss", "target": "field/t4-s3-e2"}
    assert one(frames.melee, **row, figure="net_damage")["estimate"] == fought["net_damage"]
    wanted = fought["kill_target"] + fought["target_dying"] - fought["kill_attacker"] - fought["attacker_dying"]
    assert one(frames.melee, **row, figure="felled_difference")["estimate"] == pytest.approx(wanted)


def test_club_situations_are_for_those_who_can_be_in_them() -> None:
    """RULING 24, RULING 30: only heroes are dying; nothing here has a magazine to reload."""
    shots = collected("club").shots
    dying = shots[shots["situation"] == "shooter-dying"]
    assert set(dying["attacker"]) == {"guard/veteran", "orks/ork_boss"}
    assert set(shots.loc[shots["situation"] == "target-dying", "target"]) == {"guard/veteran", "orks/ork_boss"}
    assert "reload" not in set(shots["situation"])
    worse = dying[dying["figure"] == "felled"].set_index(["attacker", "weapon", "target"])["estimate"]
    well = shots[(shots["situation"] == "open") & (shots["figure"] == "felled")]
    well = well.set_index(["attacker", "weapon", "target"])["estimate"].loc[worse.index]
    assert (worse <= well + 1e-12).all()
    assert (worse < well - 0.01).any()


def test_moran_figures_are_the_atlas_s() -> None:
    """`effect.rifleman.rifle.d8…` and `d15…` of chapter 9."""
    shots = collected("moran").shots
    where = {"attacker": "demo/rifleman", "weapon": "rifle", "target": "field/class-1"}
    for situation, wanted in (
        ("d8", (0.111111, 0.296296, 0.592593)), ("d15", (0.259259, 0.444444, 0.296296)),
        ("d15-light", (0.555556, 0.444444, 0.0)), ("d8-full", (0.555556, 0.444444, 0.0)),
    ):  # fmt: skip
        found = [
            one(shots, **where, situation=situation, figure=name)["estimate"] for name in ("nothing", "wound", "kill")
        ]
        assert found == pytest.approx(wanted, abs=5e-7)
        assert one(shots, **where, situation=situation, figure="hurt")["estimate"] == pytest.approx(
            1 - wanted[0], abs=1e-6
        )
    killed = one(shots, **where, situation="d15-wounded", figure="kill")["estimate"]
    assert killed == pytest.approx(0.740741, abs=5e-7)


def test_moran_area_weapons_reach_no_farther_than_they_do() -> None:
    """R42, RULING 26: the cone of a flame-thrower is 5 cells long, a grenade reaches 10 and its template 2 more."""
    shots = collected("moran").shots
    where = shots.groupby("weapon")["situation"].agg(set)
    assert where["flame-thrower"] == {"d3"}
    assert where["grenade"] == {"d3", "d8", "d8-light", "d8-full", "d8-wounded"}
    assert "d30" in where["rifle"]
    assert "flame-thrower" not in set(collected("moran").activations["weapon"])
    assert "vest" not in " ".join(collected("moran").weapons["weapon"])


def test_moran_edges_are_stepped_where_they_count() -> None:
    """R13: at 10 cells a rifle of 10/20 rolls 3 dice and one of 11/20 rolls 4."""
    step = one(collected("moran").steps, card="demo/rifleman", stat="near", opponent="field/class-0", figure="kill")
    assert (step["from"], step["to"]) == (10, 11)
    assert step["base"] == pytest.approx(0.740741, abs=5e-7)  # effect.rifleman.rifle.d15.arm0
    assert step["changed"] == pytest.approx(0.888889, abs=5e-7)  # effect.rifleman.rifle.d8.arm0


@pytest.mark.parametrize(
    ("ruleset", "easy", "hard"), [("club", "open", "cover"), ("moran", "d8", "d15"), ("moran", "d8", "d8-light")]
)
def test_what_protects_never_helps_the_shooter(ruleset: str, easy: str, hard: str) -> None:
    """Cover, and for Moran's weapons distance, lower every figure of harm."""
    frames = collected(ruleset)
    shots = frames.shots[frames.shots["figure"].isin(frames.guide.judged["shots"])]
    wide = shots.pivot_table("estimate", ["attacker", "weapon", "target", "figure"], "situation")
    both = wide[[easy, hard]].dropna()
    assert len(both) > 10
    assert (both[hard] <= both[easy] + 1e-12).all()
    assert (both[hard] < both[easy] - 0.01).any()


@rooms
def test_one_better_is_never_worse_for_its_owner(ruleset: str) -> None:
    """Exact, opponent by opponent, in every figure by which the step is judged but the parts of a difference."""
    frames = collected(ruleset)
    steps = frames.steps[~frames.steps["figure"].isin(["kill_target", "kill_attacker"])]
    gain = steps["difference"] * steps["figure"].map(frames.guide.better)
    assert steps[gain < -1e-12].empty
    helped = gain.groupby(steps["stat"]).max()
    assert set(helped[helped > 0.001].index) == set(steps["stat"])
    assert not set(steps["stat"]) & set(frames.guide.no_effect)


@rooms
def test_samples_lie_about_the_exact_figures(ruleset: str) -> None:
    """512 trials, seed 7, jobs 1 and 2 alike. Of many 95 % intervals on the same dice at least 90 in 100 hold."""
    words = {"engine": "sample", "trials": 512, "seed": 7}
    known = tabulate("shoot", ruleset, CARDS[ruleset], FIELD[ruleset]).rows
    found = tabulate("shoot", ruleset, CARDS[ruleset], FIELD[ruleset], **words).rows
    again = tabulate("shoot", ruleset, CARDS[ruleset], FIELD[ruleset], **words, jobs=2).rows
    pd.testing.assert_frame_equal(found, again)
    assert known[["low", "high"]].isna().all(axis=None)
    assert found[["low", "high"]].notna().all(axis=None)
    inside = (found["low"] <= known["estimate"] + 1e-12) & (known["estimate"] <= found["high"] + 1e-12)
    assert inside.mean() > 0.9
    assert not (found["estimate"] == known["estimate"]).all()


# ── the verb matrix ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("ruleset", "verb", "said"),
    [
        ("club", "shoot", "target dead or dying, % — shooting: in the open"),
        ("club", "melee", "net damage — melee"),
        ("moran", "shoot", "killed, % — shooting: at 8 cells"),
    ],
)
def test_a_matrix_of_every_room(ruleset: str, verb: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from morsdei_sim import lang

    monkeypatch.setattr(lang, "_language", "en")
    found = morsdei_sim.matrix(CARDS[ruleset], FIELD[ruleset], ruleset=ruleset, verb=verb)
    assert str(found).splitlines()[0] == said
    document = found.to_dict()
    assert document["ruleset"] == ruleset
    assert document["figure"] == found.guide.headline[verb]
    assert len(document["rows"]) >= len(FIELD[ruleset]) * 2
    assert found._repr_html_().count("<tr>") == len(found.table()) + 1
    assert "policy" not in document


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"ruleset": "moran", "verb": "melee"}, "moran has no melee to put into a table"),
        ({"ruleset": "club", "verb": "melee", "objective": "net"}, "no option 'objective'"),
        ({"ruleset": "club", "figure": "kils"}, "no figure 'kils'; there are: mean_damage, kill"),
        ({"ruleset": "moran", "situation": "open"}, "no situation 'open'; there are: d8, d3"),
        ({"ruleset": "moran", "rules": {"band_edge": "shut"}}, "half_open, far_inclusive"),
    ],
)
def test_wrong_words_of_a_room(words: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        morsdei_sim.matrix(CARDS[words["ruleset"]], **words)


def test_the_command_line_knows_the_room_s_play() -> None:
    """A process of its own: the options of `matrix` are those of the ruleset that its words name."""
    root = Path(morsdei_sim.__file__).parents[1]
    call = [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", "matrix"]
    listed = subprocess.run([*call, "--help", "--lang", "en"], cwd=root, capture_output=True, text=True).stdout
    assert "--objective" in listed
    other = subprocess.run(
        [*call, "--ruleset", "club", "--help", "--lang", "en"], cwd=root, capture_output=True, text=True
    )
    assert other.returncode == 0
    assert "--objective" not in other.stdout
    refused = subprocess.run(
        [*call, "--ruleset", "club", "--verb", "melee", "--objective", "net"], cwd=root, capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr


def test_changed_rules_reach_every_room() -> None:
    for ruleset, rules in (("club", {"hit_six_always": 1, "save_one_fails": 0}), ("moran", {"cover_dice": 2})):
        situation = {"club": "cover-2", "moran": "d8-light"}[ruleset]
        plain, other = (
            tabulate("shoot", ruleset, CARDS[ruleset], FIELD[ruleset], changed, situation=situation).rows["estimate"]
            for changed in ({}, rules)
        )
        assert not plain.equals(other)


def test_one_card_alone(tmp_path: Path) -> None:
    """No targets, no field, no weapon: frames are empty and nothing breaks."""
    path = tmp_path / "alone.toml"
    path.write_text('[[fighter]]\nid = "alone"\nname = "Alone"\nskill = 3\n', encoding="utf-8")
    found = collect("moran", [str(path)], [])
    assert [len(found.cards), len(found.shots), len(found.steps)] == [1, 0, 0]
