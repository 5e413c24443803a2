"""Every verb's help ends with examples, and they run as they are written."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.lang import _, set_language
from morsdei_sim.rulesets import ROOMS, room

ONLY_READ = ("battle", "ladder", "report", "test", "doctor --warm", "replay line mirror --instead", "engagement line")
"""Examples that take long: their words are read, nothing is done."""

BELOW = ("sweep run", "sweep status", "sweep show", "sweep export", "report diff")

RULESETS = {verb: [name for name in ROOMS if verb in room(name).flags] for name in ROOMS for verb in room(name).flags}


def helps() -> list[tuple[str, str]]:
    """Every verb, and of a question each ruleset that knows it; commands below a verb are named with it."""
    verbs = [(verb, name) for verb in cli.VERBS for name in RULESETS.get(verb, [""])]
    return [*verbs, *((below, "") for below in BELOW)]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples name: a card file of one's own, a study and its sweep."""
    folder = tmp_path_factory.mktemp("work")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        morsdei_sim.template("my.toml")
        morsdei_sim.template("my.xlsx", force=True)
        morsdei_sim.init("my-game")
        for name in ("cards.toml", "study.toml"):
            (folder / name).write_bytes((folder / "my-game" / name).read_bytes())
        morsdei_sim.run_study("study.toml")
    return folder


def examples(verb: str, ruleset: str, lang: str) -> list[str]:
    """The examples of a help, without the program's name."""
    set_language(lang)
    named = ["--ruleset", ruleset] if ruleset else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["x", verb, *named])
        patch.delitem(
            sys.modules, f"morsdei_sim.cli.{verb.split()[0]}", raising=False
        )  # it has its text from the start
        shown = CliRunner().invoke(cli.main, ["--lang", lang, *verb.split(), "--help"])
    assert shown.exit_code == 0
    before, options, after = shown.stdout.partition(f"\n{_('Options')}:")
    assert options
    assert bool(re.search("[а-я]{4}", before.split("\n\n")[1])) == (lang == "ru")
    assert "morsdei_sim" not in after.replace("(python3 -m morsdei_sim)", ""), "they end the text, before the options"
    return re.findall(r"^ +python3 -m morsdei_sim (.*)$", before, re.MULTILINE)


@pytest.mark.parametrize(("verb", "ruleset"), helps(), ids=lambda part: part.replace(" ", "-") or "any")
def test_the_examples_of_every_help(
    verb: str, ruleset: str, workplace: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = examples(verb, ruleset, "en")
    assert 2 <= len(found) <= 4
    assert found == examples(verb, ruleset, "ru")
    monkeypatch.chdir(workplace)
    written = {"init": ["my-game"], "template": ["my.xlsx"]}.get(verb, [])
    for name in written:
        (workplace / name).rename(tmp_path / name)
    for line in found:
        words = shlex.split(line.partition(" >")[0])
        assert " ".join(words).startswith(verb)
        if ruleset:  # a question: run by tests/api/test_every_verb.py, in both languages
            continue
        monkeypatch.setattr(sys, "argv", ["x", *words])
        if line.startswith(ONLY_READ):
            group = click.Context(cli.main)
            command = cli.main.get_command(group, words[0])
            assert command is not None
            assert command.make_context(words[0], words[1:], parent=group).params
            continue
        done = CliRunner().invoke(cli.main, words)
        assert done.exit_code == 0, f"{line}\n{done.output}"
        assert done.stdout or verb == "schema"
