"""The Tab key: what is offered, in a real bash, and what looking it up costs."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.api.completion import SHELLS, VARIABLE
from morsdei_sim.errors import UserError
from morsdei_sim.rulesets import ROOMS, room

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> object:
    """What is offered for the last word of a line."""

    def offer(line: str) -> list[str]:
        *words, begun = line.split(" ")
        monkeypatch.setattr(sys, "argv", ["morsdei-sim", *line.split()])
        found = BashComplete(cli.main, {}, "morsdei-sim", VARIABLE).get_completions(words, begun)
        return [item.value for item in found]

    return offer


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("s", ["shoot", "show", "sweep"]),
        ("shoot --c", ["--cover", "--contract"]),
        ("shoot --engine ", ["exact", "sample", "auto"]),
        ("shoot li", ["line/rifleman", "line/sergeant"]),
        ("duel --ruleset club gua", ["guard/guardsman", "guard/veteran"]),
        ("shoot --ruleset ", list(ROOMS)),
        ("battle l", ["line"]),
        ("battle line mirror --board tw", ["twin-yards"]),
        ("battle line mirror --bots tactician,r", ["tactician,random", "tactician,rusher"]),
        ("engagement --ruleset moran --attacker-bot ", ["careful"]),
        ("shoot --rule gu", ["guard=1"]),
        ("shoot --ruleset moran --rule band", ["band_edge=half_open", "band_edge=far_inclusive"]),
        ("sweep ", ["run", "show", "status", "export"]),
        ("completion ", ["bash", "zsh", "fish", "powershell"]),
        ("show my", ["my-game/cards.toml", "my.toml", "my.xlsx"]),
        ("show my.toml/", ["my.toml/example"]),
        ("sweep run my-game/", ["my-game/study.toml"]),
        ("sweep show my", ["my-game/study.sweep"]),
        ("show broken.toml/", []),
    ],
)
def test_what_is_offered(
    line: str, some: list[str], offered: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.toml").write_text("[[fighter")
    if "my" in line:
        morsdei_sim.init()
        (tmp_path / "my-game" / "study.sweep").mkdir()
        morsdei_sim.template("my.toml")
        morsdei_sim.template("my.xlsx")
    found = offered(line)  # type: ignore[operator]
    assert set(some) <= set(found)
    begun = line.rpartition(" ")[2]
    assert all(word.startswith(begun) for word in found)


@pytest.mark.parametrize("ruleset", ROOMS)
def test_every_rule_is_offered_as_it_is_printed(ruleset: str, offered: object) -> None:
    """They are read from the source: held against the rules themselves."""
    found = offered(f"shoot --ruleset {ruleset} --rule ")  # type: ignore[operator]
    rules = room(ruleset).rules({})
    assert {word.partition("=")[0] for word in found} == set(rules._fields)
    for word in found:
        name, _equals, value = word.partition("=")
        assert room(ruleset).rules({name: int(value) if value.isdecimal() else value}) is not None


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program under its own name."""
    folder = tmp_path_factory.mktemp("bin")
    entry = 'import sys; sys.argv[0] = "morsdei-sim"; from morsdei_sim.__main__ import entry; entry()'
    script = folder / "morsdei-sim"
    script.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -c '{entry}' \"$@\"\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return folder


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_a_real_bash(program: Path, tmp_path: Path) -> None:
    lines = """
        source <(morsdei-sim completion bash)
        complete -p morsdei-sim
        COMP_WORDS=(morsdei-sim shoot line/rifleman clea); COMP_CWORD=3
        _morsdei_sim_completion morsdei-sim
        printf '%s\\n' "${COMPREPLY[@]}"
        COMP_WORDS=(morsdei-sim shoot --ruleset nonsense x); COMP_CWORD=4; COMPREPLY=()
        _morsdei_sim_completion morsdei-sim
        echo "${#COMPREPLY[@]}"
    """
    path = f"{program}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", lines], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    said = done.stdout.splitlines()
    assert said[0].startswith("complete -o nosort -F")
    assert said[1:] == ["cleavers/brawler", "cleavers/chief", "0"]
    assert done.stderr == "", "nothing is written into the line that is being typed"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_scripts_of_other_shells_are_well_formed(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    script = morsdei_sim.completion(shell).script
    assert subprocess.run([shell, "-n"], input=script, text=True).returncode == 0


def test_powershell_asks_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    script = CliRunner().invoke(cli.main, ["completion", "powershell"]).stdout
    assert "Register-ArgumentCompleter -Native -CommandName morsdei-sim" in script
    assert script.count("{") == script.count("}")
    monkeypatch.setenv("COMP_WORDS", "morsdei-sim\nbattle\nline\n--board\ntw")
    monkeypatch.setenv("COMP_WORD", "tw")
    made = SHELLS["powershell"](cli.main, {}, "morsdei-sim", VARIABLE)
    assert made.complete() == "plain\ttwin-yards\ttwin-yards"


def test_a_word_is_completed_without_anything_heavy(tmp_path: Path) -> None:
    code = """if True:
        import sys
        sys.argv = ["morsdei-sim"]
        from morsdei_sim.cli import main
        try:
            main()
        finally:
            heavy = {"numba", "numpy", "pandas", "pydantic", "scipy", "pyarrow"} & set(sys.modules)
            print(sorted(heavy), file=sys.stderr)
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: "bash_complete"}
    for line in ("morsdei-sim shoot li", "morsdei-sim shoot --rule gu", "morsdei-sim battle line --bots t"):
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment | words, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.stdout.startswith("plain,"), done.stderr
        assert done.stderr == "[]\n"


def test_no_such_shell() -> None:
    with pytest.raises(UserError, match=r"bash, zsh"):
        morsdei_sim.completion("tcsh")
