"""What Python calls are given: harmless forms are understood, anything else is one sentence, whatever the verb."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import morsdei_sim
import morsdei_sim.api.ask
import morsdei_sim.api.fought
from morsdei_sim.api import arguments
from morsdei_sim.errors import UserError
from tests.sweep.small_squad import card

NOTHING, NAN, HUGE = object(), float("nan"), 10**30

TEXT: list[Any] = [4, None, 2.5, True, [], b"line", NOTHING]
BAD: dict[str, list[Any]] = {
    "trials": [0, -1, 10.5, "1e4", "many", NAN, float("inf"), True, HUGE, [], NOTHING],
    "games": [-2, 10.5, "ten", NAN, True, HUGE, [], NOTHING],
    "seed": [-1, 2**64, 0.5, "one", NAN, True, [], NOTHING],
    "jobs": [0, -1, 1.5, "two", True, [], NOTHING],
    "target_error": [0, 0.0, 1, -0.1, 1.5, NAN, "x", "0%", "150%", "%", "", True, [], NOTHING],
    "rules": [5, "save=5", ["save"], {"save": None}, {"save": 2.5}, {"save": NAN}, {"save": []}, {5: 5}, {"x": 1}],
    "ruleset": [4, "none such", [], NOTHING],
    "engine": [4, "fast", None, []],
    "verb": [4, "fly", None, []],
    "situation": [4, "none such", []],
    "figure": [4, "none such", []],
}
SQUADS = dict.fromkeys(("squad", "other"), TEXT)
LISTED: dict[str, list[Any]] = {"cards": [4, [4], {"a": 1}.items(), NOTHING], "targets": [4, [None], NOTHING]}


def words_of(verb: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A call of the verb that would take long, or write files, if it were not refused."""
    return {
        "shoot": (("4d6 4+ 4", "Defence 3 HP 7"), {}),
        "melee": (("4d6 4+ 4 HP 9", "4d6 4+ 4 HP 7"), {}),
        "activations": (("4d6 4+ 4", "Defence 3 HP 7"), {}),
        "charge": (("guard/veteran", "orks/ork_boss"), {"ruleset": "club"}),
        "wounds": (("guard/veteran",), {"ruleset": "club"}),
        "duel": (("guard/veteran", "orks/ork_boss"), {"ruleset": "club"}),
        "watch": (("line/rifleman", "line/rifleman"), {"ruleset": "moran"}),
        "engagement": (("guard", "orks"), {"ruleset": "club"}),
        "matrix": (("mirror",), {}),
        "battle": (("line", "mirror"), {}),
        "ladder": (("line", "mirror"), {}),
        "replay": (("line", "mirror"), {}),
        "report": (("mirror",), {"out": "never.html"}),
        "explore": (("line/rifleman",), {}),
        "run_study": (("study.toml",), {}),
        "boards": ((), {}),
        "open_sweep": (("study.sweep",), {}),
        "report_diff": (("a.html", "b.html"), {}),
    }[verb]  # type: ignore[return-value]


ASKING = ("shoot", "melee", "activations", "charge", "wounds", "duel", "watch", "engagement")
OTHERS = (
    "matrix",
    "battle",
    "ladder",
    "replay",
    "report",
    "explore",
    "run_study",
    "boards",
    "open_sweep",
    "report_diff",
)


def asked_of(verb: str) -> dict[str, list[Any]]:
    """The arguments of the verb that can be wrong, with the wrong values."""
    known = inspect.signature(morsdei_sim.api.ask.ask if verb in ASKING else getattr(morsdei_sim, verb)).parameters
    wrong = BAD | (SQUADS if verb in ("battle", "ladder", "replay") else {}) | LISTED
    wrong |= {"card": TEXT, "board": [4, [4], "none such"], "boards": [4, [4]], "bots": [4, [4], "none such"]}
    wrong |= {"game": [-1, 0.5, "one", NAN, HUGE], "instead": [4, "none such"], "field": [4, [4]], "pdf": ["yes", 2]}
    wrong |= {"file": [4, None], "folder": [4, []], "old": [4, None], "new": [4, None], "names": [4, [4]], "out": [4]}
    wrong |= {"dry_run": ["yes", 2], "most_cells": [0, "x"], "executor": [4, "none such"], "weapon": [4, "none such"]}
    if verb == "ladder":
        wrong["other"] = [one for one in TEXT if one is not None]
    return {name: values for name, values in wrong.items() if name in known}


@pytest.fixture(autouse=True, scope="module")
def _here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder with a study that could be run."""
    folder = tmp_path_factory.mktemp("arguments")
    (folder / "own.toml").write_text(card("one"), encoding="utf-8")
    text = 'verb = "shoot"\nattackers = ["own.toml"]\n[changes]\nattackers.hit = [3, 4]\n'
    (folder / "study.toml").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


@pytest.mark.parametrize("verb", [*ASKING, *OTHERS])
def test_what_is_wrong_is_said_in_a_sentence(verb: str) -> None:
    """The value and what is allowed, for every argument that the verb takes."""
    function: Callable[..., Any] = getattr(morsdei_sim, verb)
    names = list(inspect.signature(function).parameters)
    silent = []
    for name, values in asked_of(verb).items():
        for value in values:
            args, more = words_of(verb)
            if name in names[: len(args)]:
                args = tuple(value if names[place] == name else one for place, one in enumerate(args))
            else:
                more = {**more, name: value}
            try:
                function(*args, **more)
            except UserError as said:
                shown = str(value) if isinstance(value, (str, int, float)) else ""
                if not str(said) or (name in ("trials", "seed", "jobs") and shown not in str(said)):
                    silent.append((name, value, str(said)))
            except Exception as error:
                silent.append((name, value, repr(error)))
            else:
                silent.append((name, value, "accepted"))
    assert silent == []


@pytest.mark.parametrize("fighters", [(4, "x"), (None, None), ("4d6 4+ 4", 2.5), ([], "x"), (b"x", "x"), ("", "")])
@pytest.mark.parametrize("verb", ["shoot", "melee", "activations"])
def test_a_fighter_that_is_no_text(verb: str, fighters: tuple[Any, Any]) -> None:
    with pytest.raises(UserError, match=r"."):
        getattr(morsdei_sim, verb)(*fighters)


@pytest.mark.parametrize(
    "given",
    [{"cover": "yes"}, {"cover": 2}, {"cover": None}, {"shots": 1.5}, {"shots": "2"}, {"shots": True}, {"shots": NAN},
     {"weapon": None}, {"weapon": []}, {"nothing": 1}],
)  # fmt: skip
def test_an_option_of_another_kind(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(UserError, match=name):
        morsdei_sim.shoot("4d6 4+ 4", "Defence 3 HP 7", **given)


def test_all_options_that_are_wrong_are_told_at_once() -> None:
    with pytest.raises(UserError, match=r"(?s)cover.*shots"):
        morsdei_sim.shoot("4d6 4+ 4", "Defence 3 HP 7", cover="yes", shots=-1)


def test_harmless_forms_are_understood() -> None:
    """Whole floats, numbers of numpy, shares as the command line has them: the same answer as of plain ones."""
    words = ("4d6 4+ 4", "Defence 3 HP 7")
    expected = morsdei_sim.shoot(*words, trials=2048, seed=7, jobs=1, cover=True, shots=2, rules={"may_pass": 1})
    found = morsdei_sim.shoot(
        *words, trials=2048.0, seed=np.uint64(7), jobs=np.int8(1), cover=np.bool_(True), shots=np.int64(2),
        rules={"may_pass": np.float64(1)},
    )  # fmt: skip
    assert found.to_dict() == expected.to_dict()
    precise = [morsdei_sim.shoot(*words, target_error=error) for error in (0.005, "0.5%", " 0,5 % ", np.float64(0.005))]
    assert len({str(one.to_dict()) for one in precise}) == 1
    few = [morsdei_sim.shoot(*words, engine="sample", trials=n).to_dict()["trials"] for n in (1e3, np.int32(1000))]
    assert few == [1000, 1000]


def test_paths_stand_for_what_they_name(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(card("one"), encoding="utf-8")
    one = morsdei_sim.matrix(tmp_path / "own.toml", [tmp_path / "own.toml"])
    assert one.to_dict()["rows"] == morsdei_sim.matrix(str(tmp_path / "own.toml")).to_dict()["rows"]


def test_a_study_takes_the_forms_that_a_question_takes() -> None:
    def planned(**words: Any) -> dict[str, Any]:
        return dict(morsdei_sim.run_study("study.toml", "planned", **words).store.manifest)

    assert planned(trials=np.float64(1e3), dry_run=np.True_) == planned(trials=1000, dry_run=True)
    assert planned(target_error="2%", dry_run=True) == planned(target_error=0.02, dry_run=True)


def test_a_number_of_trials_or_a_precision() -> None:
    with pytest.raises(UserError, match="not both"):
        morsdei_sim.shoot("4d6 4+ 4", "Defence 3 HP 7", trials=1000, target_error=0.01)


def test_every_argument_with_a_check_is_one_of_a_verb() -> None:
    """A name that no verb takes checks nothing."""
    verbs = [morsdei_sim.api.ask.ask, *(getattr(morsdei_sim, verb) for verb in OTHERS)]
    verbs += [morsdei_sim.api.fought.Battle.games, morsdei_sim.api.fought.Battle.fighters]
    taken = {name for verb in verbs for name in inspect.signature(verb).parameters}
    assert arguments.CHECKS.keys() <= taken
