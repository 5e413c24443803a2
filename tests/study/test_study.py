"""What is read off the frames: known answers on small ones, null cases, and what was planted is found."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from morsdei_sim import study
from morsdei_sim.errors import UserError
from morsdei_sim.rulesets import room
from morsdei_sim.study.frames import less, mean
from morsdei_sim.sweep.cases import Variants

NAN = float("nan")
GUIDE = Variants(room("morsdei"), None).guide()


def shots(*rows: tuple[Any, ...]) -> pd.DataFrame:
    """Rows (attacker, weapon, target, figure, estimate[, low, high]) in the open."""
    full = [(a, w, t, "open", f, e, *(known or (NAN, NAN))) for a, w, t, f, e, *known in rows]
    return pd.DataFrame(
        full, columns=["attacker", "weapon", "target", "situation", "figure", "estimate", "low", "high"]
    )


def no_melee() -> pd.DataFrame:
    columns = [
        "attacker",
        "weapon",
        "target",
        "target_weapon",
        "objective",
        "attacker_policy",
        "target_policy",
        "figure",
    ]
    return pd.DataFrame(
        {
            **{key: pd.Series(dtype="str") for key in columns},
            **{key: pd.Series(dtype=float) for key in ("estimate", "low", "high")},
        }
    )


def small(rows: pd.DataFrame, **weapons: tuple[int, int, int]) -> Any:
    """A collection of cards with one gun each: (dice, hit, damage)."""
    cards = pd.DataFrame([{"card": name, "move": 6, "defence": 3, "hp": 8, "field": False} for name in weapons])
    guns = [
        {
            "card": name,
            "weapon": "gun",
            "type": "ranged",
            "dice": d,
            "hit": h,
            "damage": g,
            "range": float("inf"),
            "field": False,
        }
        for name, (d, h, g) in weapons.items()
    ]
    return SimpleNamespace(cards=cards, weapons=pd.DataFrame(guns), shots=rows, melee=no_melee(), guide=GUIDE)


# ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_keeps_the_order_and_leaves_gaps() -> None:
    rows = shots(("z", "gun", "y", "kill", 0.1), ("z", "gun", "a", "kill", 0.2), ("a", "gun", "y", "kill", 0.3))
    found = study.table(rows, "kill")
    assert list(found.index) == [("z", "gun"), ("a", "gun")]
    assert list(found.columns) == ["y", "a"]
    assert found.loc[("z", "gun"), "a"] == 0.2
    assert pd.isna(found.loc[("a", "gun"), "a"])


def test_a_table_of_melee_is_best_play_unless_said(exact: Any) -> None:
    best = study.table(exact.melee, "net_damage")
    rows = exact.melee[(exact.melee["attacker"] == "twins/one") & (exact.melee["target"] == "aims/nine")]
    wanted = rows[(rows["objective"] == "net") & (rows["attacker_policy"] == "best") & (rows["figure"] == "net_damage")]
    assert best.loc[("twins/one", "blade"), "aims/nine"] == wanted["estimate"].item()
    habit = study.table(exact.melee, "net_damage", attacker_policy="random")
    assert (habit <= best + 1e-12).all(axis=None)
    assert (habit < best - 0.01).any(axis=None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"figure": "kil"}, "no rows with figure = kil; there are: kill"),
        ({"figure": "kill", "situation": "rain"}, "no rows with situation = rain; there are: open"),
        ({"figure": "kill", "plan": "aim"}, "no column plan"),
    ],
)
def test_a_table_of_nothing(words: dict[str, str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        study.table(shots(("a", "gun", "b", "kill", 0.1)), **words)


def test_two_values_in_one_cell() -> None:
    with pytest.raises(UserError, match="one cell"):
        study.table(shots(("a", "gun", "b", "kill", 0.1), ("a", "gun", "b", "kill", 0.2)), "kill")


def test_differences_and_means_carry_their_intervals() -> None:
    assert less((0.5, NAN, NAN), (0.5 - 1e-15, NAN, NAN))[0] == 0.0
    assert less((5.0, 4.7, 5.3), (3.0, 2.6, 3.4)) == pytest.approx((2.0, 1.5, 2.5))  # 0.3 and 0.4 make 0.5
    low, high = less((5.0, 4.7, 5.3), (5.0, 4.7, 5.3))[1:]
    assert low < 0 < high  # two equal samples are not known to come from equal cards
    rows = shots(("a", "gun", "b", "kill", 0.1, 0.0, 0.2), ("a", "gun", "c", "kill", 0.5, 0.3, 0.7))
    assert mean(rows, ["attacker"]).iloc[0].tolist() == [
        "a",
        pytest.approx(0.3),
        pytest.approx(0.15),
        pytest.approx(0.45),
    ]


# ── dominance ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def of(frame: pd.DataFrame, kind: str, card: str, by: str) -> pd.DataFrame:
    return frame[(frame["kind"] == kind) & (frame["card"] == card) & (frame["by_card"] == by)]


def test_planted_copies_and_weaklings_are_found(exact: Any) -> None:
    found = study.dominated(exact)
    copies = found[found["copy"]]
    assert set(zip(copies["kind"], copies["card"], copies["by_card"], strict=True)) == {
        ("fighter", "twins/two", "twins/one"), ("weapon", "twins/two", "twins/one"),
    }  # fmt: skip
    assert not copies[["stats", "figures"]].any(axis=None)
    assert not len(of(found, "fighter", "twins/one", "twins/two"))
    gun = of(found, "weapon", "twins/weak", "twins/one").query("weapon == 'rifle'").iloc[0]
    assert (gun["stats"], gun["figures"], gun["unseen"], gun["by_weapon"]) == (True, True, "", "rifle")
    assert gun["compared"] > 20
    weak = of(found, "fighter", "twins/weak", "twins/one").iloc[0]
    assert (weak["stats"], weak["figures"], weak["unseen"]) == (
        False,
        True,
        "move",
    )  # it is faster, though no exchange sees it
    strong = of(found, "fighter", "twins/one", "twins/sure").iloc[0]
    assert (strong["stats"], strong["figures"]) == (True, True)
    assert not len(found[(found["card"] == "twins/sure")])
    assert not found["card"].str.startswith("aims/").any()


@pytest.mark.parametrize(
    ("strong", "weak", "stats", "figures"),
    [
        (0.3, 0.2, True, True),
        (0.2, 0.2, True, False),  # better numbers, but nothing comes of them
        (0.2, 0.3, True, False),
    ],
)
def test_stats_and_figures_are_told_apart(strong: float, weak: float, stats: bool, figures: bool) -> None:
    rows = shots(("s", "gun", "t", "kill", strong), ("w", "gun", "t", "kill", weak))
    row = of(study.dominated(small(rows, s=(5, 4, 4), w=(4, 4, 4))), "weapon", "w", "s").iloc[0]
    assert (row["stats"], row["figures"], row["copy"]) == (stats, figures, False)


def test_each_is_better_at_something() -> None:
    rows = [("a", "gun", "t", "kill", 0.3), ("a", "gun", "t", "mean_damage", 1.0)]
    rows += [("b", "gun", "t", "kill", 0.2), ("b", "gun", "t", "mean_damage", 2.0)]
    assert not len(study.dominated(small(shots(*rows), a=(5, 5, 4), b=(4, 4, 4))))


def test_a_target_only_one_of_them_met_decides_nothing() -> None:
    rows = shots(("a", "gun", "t", "kill", 0.3), ("b", "gun", "t", "kill", 0.2), ("b", "gun", "u", "kill", 0.9))
    assert not study.dominated(small(rows, a=(5, 5, 4), b=(4, 4, 4)))["figures"].any()


@pytest.mark.parametrize(("half", "figures"), [(0.01, True), (0.2, False)])
def test_a_sample_must_be_sure(half: float, figures: bool) -> None:
    rows = [(name, "gun", "t", "kill", p, p - half, p + half) for name, p in (("s", 0.4), ("w", 0.3))]
    row = of(study.dominated(small(shots(*rows), s=(5, 4, 4), w=(4, 4, 4))), "weapon", "w", "s").iloc[0]
    assert (row["stats"], row["figures"]) == (True, figures)


# ── worth, habits, ranks, curves ──────────────────────────────────────────────────────────────────────────────────────


def test_worth_says_where_a_step_is_worth_nothing(exact: Any) -> None:
    found = study.worth(exact)
    hp = found[(found["stat"] == "hp") & (found["figure"] == "kill_suffered")].set_index("card")
    assert (hp.loc["twins/weak", "without_effect"], hp.loc["twins/weak", "opponents"]) == (2, 2)
    assert hp.loc["twins/weak", "note"] == "worth nothing against any of them"
    assert (hp.loc["twins/one", "without_effect"], hp.loc["twins/one", "moved"]) == (0, 2)
    assert hp.loc["twins/one", "note"] == "moves the hits to remove in 2 of 2"
    assert hp.loc["twins/one", "difference"] < -0.05
    move = found[(found["stat"] == "move") & (found["card"] == "twins/one")].iloc[0]
    assert (move["figure"], move["difference"], move["note"]) == ("", 0.0, "no effect on exchanges")
    assert study.worth(exact, "cards")["opponents"].max() == 3
    with pytest.raises(ValueError, match="field"):
        study.worth(exact, "all")


def test_a_better_card_is_worth_something_to_its_owner(exact: Any) -> None:
    better = exact.guide.better
    found = study.worth(exact)
    found = found[found["figure"] != ""]
    gain = found["difference"] * found["figure"].map(better)
    whole = ~found["figure"].isin(["kill_target", "kill_attacker"])  # parts of the difference that is played for
    assert (gain[whole] >= 0).all()
    assert (gain > 0).mean() > 0.7
    equal = [
        found[found["card"] == name].drop(columns="card").reset_index(drop=True) for name in ("twins/one", "twins/two")
    ]
    pd.testing.assert_frame_equal(*equal)


def test_worth_by_stat(exact: Any) -> None:
    found = study.by_stat(exact).set_index(["stat", "figure"])
    assert found.loc[("hit", "kill"), "cards"] == 3  # the fourth hits on 2+ already
    rows = study.worth(exact)
    rows = rows[(rows["stat"] == "dice") & (rows["figure"] == "net_damage")]
    assert found.loc[("dice", "net_damage"), "difference"] == pytest.approx(rows["difference"].mean())


def test_sampled_worth_has_intervals(sampled: Any, exact: Any) -> None:
    found, known = study.worth(sampled), study.worth(exact)
    shown = found["figure"] != ""
    assert found.loc[shown, ["low", "high"]].notna().all(axis=None)
    inside = (found["low"] <= known["difference"]) & (known["difference"] <= found["high"])
    assert inside[shown].mean() > 0.95  # the interval of a mean allows for errors that go together


def test_no_habit_beats_best_play(exact: Any) -> None:
    found, detail = study.styles(exact), study.styles(exact, pairs=True)
    assert len(found) == 10
    assert (detail["given_up"] >= 0).all()
    assert (found["given_up"] > 0.001).all()
    assert (found["worst"] >= found["given_up"]).all()
    assert (found["pairs"] == 4 * 6).all()
    assert set(found["figure"]) == {"net_damage", "kill_difference"}
    row = detail[
        (detail["policy"] == "random") & (detail["attacker"] == "twins/weak") & (detail["target"] == "aims/nine")
    ]
    melee = exact.melee[(exact.melee["attacker"] == "twins/weak") & (exact.melee["target"] == "aims/nine")]
    melee = melee[
        (melee["objective"] == "net") & (melee["figure"] == "net_damage") & (melee["target_policy"] == "best")
    ]
    known = melee.set_index("attacker_policy")["estimate"]
    assert row[row["figure"] == "net_damage"]["given_up"].item() == pytest.approx(known["best"] - known["random"])


def test_sampled_habits_have_intervals(sampled: Any, exact: Any) -> None:
    found = study.styles(sampled)
    assert found[["low", "high"]].notna().all(axis=None)
    known = study.styles(exact)["given_up"]
    assert ((found["low"] <= known) & (known <= found["high"])).mean() >= 0.9


def test_ranks_show_ties(exact: Any) -> None:
    found = study.rank(exact)
    shoots = found[found["order"] == "shoots"].set_index("card")
    assert shoots.loc[["twins/one", "twins/two"], "rank"].tolist() == [2, 2]
    assert shoots.loc[["twins/one", "twins/two"], "tied"].all()
    assert list(shoots.index[[0, -1]]) == ["twins/sure", "twins/weak"]
    assert shoots["rank"].tolist() == [1, 2, 2, 4]
    suffers = found[found["order"] == "survives_shots"]
    assert suffers["estimate"].is_monotonic_increasing  # fewer removals are better
    assert suffers.iloc[0]["card"] == "twins/sure"
    assert set(study.rank(exact, ("shoots",), over="field")["order"]) == {"shoots"}


def test_a_sample_that_cannot_tell_ranks_alike() -> None:
    rows = [("b", 0.48, 0.43, 0.53), ("a", 0.50, 0.45, 0.55), ("c", 0.20, 0.15, 0.25)]
    frame = shots(*((card, "gun", "t", "kill", *known) for card, *known in rows))
    ranked = study.rank(small(frame, a=(4, 4, 4), b=(4, 4, 4), c=(3, 4, 4)), ("shoots",))
    assert ranked["rank"].tolist() == [1, 1, 3]
    assert ranked["card"].tolist() == ["a", "b", "c"]
    assert ranked["tied"].tolist() == [True, True, False]


def test_curves_fall(exact: Any, sampled: Any) -> None:
    where = {"attacker": "twins/one", "target": "aims/seven", "situation": "open"}
    curve = study.spread_curves(exact, **where)
    assert curve["estimate"].iloc[0] == pytest.approx(1.0)
    assert curve["estimate"].is_monotonic_decreasing
    assert curve.set_index("value").loc[4, "estimate"] == pytest.approx(1 - 0.443501, abs=1e-6)
    rolled = study.spread_curves(sampled, **where)
    assert ((rolled["low"] <= rolled["estimate"]) & (rolled["estimate"] <= rolled["high"])).all()
    merged = rolled.merge(curve, on="value")
    assert ((merged["low_x"] <= merged["estimate_y"]) & (merged["estimate_y"] <= merged["high_x"] + 1e-12)).all()
