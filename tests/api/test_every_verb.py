"""Every verb of every ruleset, called as its own help shows: printed, drawn, tabulated, as JSON, in both languages."""

from __future__ import annotations

import json
import shlex
import warnings

import pytest
from click.testing import CliRunner
from matplotlib import pyplot

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.api.answer import Answer
from morsdei_sim.lang import set_language
from morsdei_sim.rulesets import ROOMS, room

VERBS = [(name, verb) for name in ROOMS for verb in room(name).flags]
CALLS = [(name, verb, words) for name, verb in VERBS for words in room(name).examples.get(verb, ())]


LANGUAGES = ("en", "ru")


def few(verb: str, words: list[str]) -> list[str]:
    """A sample where the verb can do no other."""
    return [*words, "--trials", "200"] if verb == "engagement" else words


def test_every_verb_has_an_example() -> None:
    assert {(name, verb) for name, verb, _words in CALLS} == set(VERBS)


@pytest.mark.parametrize(("name", "verb", "words"), CALLS)
def test_an_example_of_the_help(name: str, verb: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = [verb, *few(verb, shlex.split(words)), "--ruleset", name]
    monkeypatch.setattr("sys.argv", ["morsdei-sim", *arguments])
    shown = CliRunner().invoke(cli.main, [*arguments, "--json"], catch_exceptions=False)
    assert shown.exit_code == 0, shown.output
    found = json.loads(shown.stdout)
    assert (found["verb"], found["ruleset"]) == (verb, name)
    text = CliRunner().invoke(cli.main, [*arguments, "--lang", "ru"], catch_exceptions=False)
    assert text.exit_code == 0, text.output
    assert any("а" <= letter <= "я" for letter in text.stdout)
    helped = CliRunner().invoke(cli.main, [verb, "--ruleset", name, "--help"], catch_exceptions=False)
    assert helped.exit_code == 0
    assert f"{verb} {words}" in helped.stdout


@pytest.mark.parametrize(
    ("name", "verb", "words", "lang"),
    [
        pytest.param(*call, lang, marks=[] if number % 2 == place else [pytest.mark.slow])  # the languages take turns
        for number, call in enumerate(CALLS)
        for place, lang in enumerate(LANGUAGES)
    ],
)
def test_every_form_of_an_answer(name: str, verb: str, words: str, lang: str) -> None:
    set_language(lang)
    who = shlex.split(words.partition(" --")[0])
    more = {"trials": 200} if verb == "engagement" else {}
    answer: Answer = getattr(morsdei_sim, verb)(*who, ruleset=name, **more)
    json.dumps(answer.to_dict(), allow_nan=False)
    for reading in answer.outcome.readings:
        if reading.kind == "distribution":
            assert sum(answer.outcome.distribution(reading.name).values()) == pytest.approx(1, abs=1e-9)
        elif reading.kind == "chance":
            assert 0 <= answer.outcome.value(reading.name) <= 1
        assert answer._title(reading)
    frame = answer.to_frame()
    assert set(frame["figure"]) == {reading.name for reading in answer.outcome.readings}
    assert answer._repr_html_().count("<tr>") >= 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = answer.plot().figure
        figure.canvas.draw()
    pyplot.close(figure)
