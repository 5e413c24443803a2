"""What the program tells people to type can be typed; what an exchange does not read is refused; early Ctrl-C."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from morsdei_sim import cli, lang
from morsdei_sim.api.command import command, program

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORSDEI_LANG", "en")
    monkeypatch.setattr(lang, "_language", "")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli.main, list(words))


@pytest.mark.parametrize(
    ("started", "known", "said"),
    [
        ("/x/morsdei_sim/__main__.py", True, "python3 -m morsdei_sim"),
        ("/x/bin/morsdei-sim", True, "morsdei-sim"),
        ("/x/bin/morsdei-sim", False, "python3 -m morsdei_sim"),
        ("/x/bin/pytest", True, "python3 -m morsdei_sim"),
    ],
)
def test_the_program_is_called_as_it_was_started(
    monkeypatch: pytest.MonkeyPatch, started: str, known: bool, said: str
) -> None:
    monkeypatch.setattr(sys, "argv", [started, "shoot"])
    monkeypatch.setattr("shutil.which", lambda name: started if known else None)
    if os.name != "nt":
        assert program() == said
        assert command("validate", "my squad.toml") == f"{said} validate 'my squad.toml'"


@pytest.mark.skipif(os.name == "nt", reason="words are quoted for a POSIX shell")
def test_the_command_of_a_message_runs_as_printed(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MORSDEI_LANG": "en"}
    done = subprocess.run(
        [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", "template", "my squad.csv"],
        cwd=tmp_path, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    first, *notes = done.stdout.splitlines()
    printed = shlex.split(first.partition("run: ")[2])
    assert printed == ["python3", "-m", "morsdei_sim", "validate", "my squad.csv"]
    again = subprocess.run([sys.executable, *printed[1:]], cwd=tmp_path, env=environment, capture_output=True)
    assert again.returncode == 0
    assert any(line.startswith("HP: ") for line in notes), "a CSV has no room for the notes, so they are printed"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--verb", "melee", "--situation", "cover"], "--situation: not of melee"),
        (["--verb", "melee", "--situation", "open"], "--situation: not of melee"),
        (["--objective", "kill", "--target-policy", "random"], "--objective, --target-policy: not of shoot"),
    ],
)
def test_matrix_refuses_an_option_of_the_other_verb(words: list[str], said: str) -> None:
    result = run("matrix", "mirror", *words)
    assert result.exit_code == 2
    assert result.stderr.startswith(said)
    assert len(result.stderr.splitlines()) == 1


def test_both_files_of_matrix_are_checked_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_text("mine")
    result = run("matrix", "mirror", "--csv", str(tmp_path / "a.csv"), "--xlsx", str(tmp_path / "a.xlsx"))
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.xlsx"]


def test_both_bad_references_are_reported() -> None:
    result = run("shoot", "line/nobody", "nowhere/none")
    assert result.exit_code == 3
    assert [word in result.stderr for word in ("nobody", "nowhere")] == [True, True]
    assert len(run("shoot", "line/nobody", "Defence 3 HP 7").stderr.splitlines()) == 1
    assert len(run("shoot", "line/nobody", "line/nobody").stderr.splitlines()) == 1


def test_a_decimal_comma_is_a_decimal_point() -> None:
    words = ["duel", "line/sergeant", "mirror", "--json", "--engine", "sample", "--trials", "20", "--distance"]
    comma, point = run(*words, "12,5"), run(*words, "12.5")
    assert comma.exit_code == 0, comma.stderr
    assert comma.stdout == point.stdout
    assert '"distance": 12.5' in comma.stdout


def test_numbers_and_plans_speak_russian() -> None:
    refused = run("duel", "line/sergeant", "mirror", "--distance", "far", "--lang", "ru").stderr
    assert "число" in refused
    assert "float" not in refused
    shown = run("duel", "--help", "--lang", "ru").stdout
    assert "FLOAT" not in shown
    assert "INTEGER" not in shown
    assert "TEXT" not in shown
    table = run("matrix", "mirror", "--lang", "ru", "--verb", "melee").stdout
    assert "best" not in table
    assert "net" not in table


def test_an_unknown_language_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for wish, lines in (("de", 1), ("en", 0), ("ru_RU.UTF-8", 0), ("C", 0), ("C.UTF-8", 0), ("", 0)):
        monkeypatch.setenv("MORSDEI_LANG", wish)
        result = run("show", "mirror")
        assert result.exit_code == 0
        assert len(result.stderr.splitlines()) == lines, wish
    monkeypatch.setenv("MORSDEI_LANG", "de")
    assert run("show", "mirror", "--quiet").stderr == ""


def test_doctor_sees_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MORSDEI_CACHE_DIR", str(tmp_path / "file" / "cache"))
    result = run("doctor")
    assert result.exit_code == 2
    assert "every command compiles anew" in result.stdout
    assert "MORSDEI_CACHE_DIR" in result.stdout
    assert "Nothing to mend" not in result.stdout


@pytest.mark.skipif(os.name == "nt", reason="a POSIX signal is sent")
def test_an_early_interrupt_is_quiet() -> None:
    """From the first line of `__main__` on; before it there is only Python itself. Sent while click is imported."""
    code = (
        "import os, runpy, signal, sys\n"
        "class Early:\n"
        "    at = sys.argv.pop(1)\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == self.at: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Early())\n"
        "runpy.run_module('morsdei_sim', run_name='__main__', alter_sys=True)\n"
    )
    for module in ("morsdei_sim.lang", "click", "morsdei_sim.cli.common", "morsdei_sim.cli.show", "morsdei_sim.cards"):
        done = subprocess.run(
            [sys.executable, "-c", code, module, "--no-bootstrap", "show", "mirror"], cwd=ROOT, capture_output=True,
            text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (130, ""), module
        assert "Traceback" not in done.stderr, module
