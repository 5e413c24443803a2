"""The command line around the verbs: help, errors, exit codes, streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from morsdei_sim import cli, lang
from morsdei_sim.cli.common import common_options, emit, output_options
from morsdei_sim.errors import CardFaults, Fault, UserError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORSDEI_LANG", "en")
    monkeypatch.setattr(lang, "_language", "")


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run `morsdei-sim ... probe ...`, a verb made of the given function."""

    def run(function: Callable[..., Any], *arguments: str, options: Any = common_options) -> Result:
        command = click.command()(options(function))
        monkeypatch.setitem(cli.VERBS, "probe", "A probe.")
        monkeypatch.setitem(sys.modules, "morsdei_sim.cli.probe", SimpleNamespace(command=command))  # type: ignore[arg-type]
        return CliRunner().invoke(cli.main, list(arguments))

    return run


def failing(reason: BaseException) -> Callable[..., Any]:
    def function(**options: Any) -> None:
        raise reason

    return function


def test_help_lists_every_verb() -> None:
    result = CliRunner().invoke(cli.main, ["--help"])
    assert result.exit_code == 0
    verbs = (
        "shoot melee activations duel charge wounds watch engagement battle ladder boards replay matrix sweep init "
        "validate show schema template doctor completion report test"
    ).split()
    for verb in verbs:
        assert f"\n  {verb} " in result.stdout
    assert set(cli.VERBS) == set(verbs)


def test_version() -> None:
    result = CliRunner().invoke(cli.main, ["--version"])
    assert (result.exit_code, result.stdout) == (0, "morsdei-sim 0.1.0\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sooth"], "Did you mean 'shoot'"),
        (["--nonsense"], "No such option"),
        (["--lang", "de"], "'de' is not one of"),
        (["doctor", "--sead", "3"], "No such option"),
        (["doctor", "surplus"], "unexpected extra argument"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(cli.main, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert "--help" in result.stderr


def test_the_defaults(probe: Callable[..., Result]) -> None:
    seen: dict[str, Any] = {}
    assert probe(lambda **options: seen.update(options), "probe").exit_code == 0
    assert seen == {
        "ruleset": "morsdei", "engine": "auto", "trials": None, "target_error": None, "seed": 1, "jobs": None,
        "executor": "threads", "as_json": False, "lang": "en", "quiet": False,
    }  # fmt: skip


def test_the_options(probe: Callable[..., Result]) -> None:
    seen: dict[str, Any] = {}
    line = "probe --engine exact --target-error 0,5% --seed 18446744073709551615 --jobs 2 --json --lang ru --quiet"
    assert probe(lambda **options: seen.update(options), *line.split()).exit_code == 0
    assert (seen["engine"], seen["target_error"], seen["seed"], seen["jobs"]) == ("exact", 0.005, 2**64 - 1, 2)
    assert (seen["as_json"], seen["lang"], seen["quiet"]) == (True, "ru", True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--executor dask://somewhere:8786", "only `sweep run` works"),
        ("--executor somewhere", "neither threads nor"),
        ("--trials 0", "not in the range"),
        ("--trials many", "not a valid"),
        ("--trials 10 --target-error 1%", "not both"),
        ("--target-error 1% --trials 10", "not both"),
        ("--target-error 0", "not a share"),
        ("--target-error nan", "not a share"),
        ("--target-error 100%", "not a share"),
        ("--seed -1", "not in the range"),
        ("--seed 18446744073709551616", "not in the range"),
        ("--jobs 0", "not in the range"),
        ("--engine guess", "not one of"),
    ],
)
def test_wrong_options(probe: Callable[..., Result], line: str, said: str) -> None:
    result = probe(lambda **options: None, "probe", *line.split())
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


FAULTS = CardFaults(
    [Fault("squad.toml", "line 3", "hit", "7", "must be 2 to 6"), Fault("", "", "hp", "0", "must be 1 or more")]
)


@pytest.mark.parametrize(
    ("reason", "code", "kind", "said"),
    [
        (UserError("no such squad: wolves"), 2, "user", "no such squad: wolves"),
        (FAULTS, 3, "cards", "squad.toml:3"),
        (click.UsageError("odd"), 2, "usage", "odd"),
        (click.ClickException("odd"), 2, "usage", "odd"),
        (KeyboardInterrupt(), 130, "interrupted", "Stopped."),
        (ZeroDivisionError("by zero"), 2, "bug", "ZeroDivisionError: by zero"),
    ],
)
def test_whatever_goes_wrong(
    probe: Callable[..., Result], reason: BaseException, code: int, kind: str, said: str
) -> None:
    plain = probe(failing(reason), "probe")
    assert (plain.exit_code, plain.stdout) == (code, "")
    assert said in plain.stderr
    assert "Traceback" not in plain.stderr
    document = probe(failing(reason), "probe", "--json")
    assert document.exit_code == code
    error = json.loads(document.stdout)
    assert error["schema_version"] == 1
    assert (error["error"]["kind"], error["error"]["exit_code"]) == (kind, code)
    assert said in error["error"]["message"]
    assert "Traceback" in probe(failing(reason), "--debug", "probe").stderr


def test_card_faults_keep_their_places(probe: Callable[..., Result]) -> None:
    faults = json.loads(probe(failing(FAULTS), "probe", "--json").stdout)["error"]["faults"]
    assert [fault["place"] for fault in faults] == ["line 3", ""]
    assert faults[0]["message"] == "must be 2 to 6"


def test_json_of_a_usage_error() -> None:
    result = CliRunner().invoke(cli.main, ["doctor", "--json", "--nonsense"])
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"]["kind"] == "usage"


@pytest.mark.parametrize(("returned", "code"), [(None, 0), (0, 0), (1, 1), (4, 4), (True, 0), ("text", 0)])
def test_a_verb_may_return_its_exit_code(probe: Callable[..., Result], returned: object, code: int) -> None:
    assert probe(lambda **options: returned, "probe", options=output_options).exit_code == code


def test_a_result_is_printed(probe: Callable[..., Result]) -> None:
    class Shot:
        def __repr__(self) -> str:
            return "выстрел"

        def to_dict(self) -> dict[str, Any]:
            return {"schema_version": 1, "ruleset": "Морздей"}

    def verb(as_json: bool, **options: Any) -> None:
        emit(Shot(), as_json)

    assert probe(verb, "probe").stdout == "выстрел\n"
    document = probe(verb, "probe", "--json").stdout
    assert json.loads(document) == Shot().to_dict()
    assert "Морздей" in document


def shell(*arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "morsdei_sim", *arguments],
        cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_russian_help_also_in_a_console_without_cyrillic() -> None:
    process = shell("--lang", "ru", "--help", PYTHONIOENCODING="cp1252")
    output, errors = process.communicate()
    assert (process.returncode, errors) == (0, b"")
    text = output.decode("utf-8")
    for said in ("Использование:", "Команды:", "Язык сообщений.", "Показать эту справку"):
        assert said in text


def test_a_closed_pipe_is_quiet() -> None:
    with shell("test", "--help") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_test_runs_pytest_and_passes_arguments_on() -> None:
    process = shell("test", "-q", "--collect-only", "tests/cli/test_shell.py", "-k", "test_version")
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    assert b"test_shell.py::test_version" in output
    assert b"test_help_lists" not in output


def test_slow_lifts_the_selection_and_pytests_exit_code_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def run(command: list[str], cwd: Path) -> SimpleNamespace:
        calls.append(command)
        return SimpleNamespace(returncode=4)

    monkeypatch.setattr("morsdei_sim.api.test.subprocess.run", run)
    assert CliRunner().invoke(cli.main, ["test", "tests", "-x"]).exit_code == 4
    assert CliRunner().invoke(cli.main, ["test", "--slow", "-k", "shot"]).exit_code == 4
    assert CliRunner().invoke(cli.main, ["test", "--pdb"]).exit_code == 4
    assert [call[1:] for call in calls] == [
        ["-m", "pytest", "-n", "auto", "--dist", "loadfile", "tests", "-x"],
        ["-m", "pytest", "-n", "auto", "--dist", "loadfile", "-m", "", "-k", "shot"],
        ["-m", "pytest", "--pdb"],
    ]


def test_doctor_names_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    CliRunner().invoke(cli.main, ["doctor", "--json"])  # what it imports is compiled code, also for later tests
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr("morsdei_sim.api.doctor.profiles_dir", lambda: tmp_path)
    result = CliRunner().invoke(cli.main, ["doctor", "--json"])
    assert result.exit_code == 2
    seen = json.loads(result.stdout)
    assert seen["healthy"] is False
    serious = [finding for finding in seen["findings"] if finding["serious"]]
    assert {"NUMBA_DISABLE_JIT", str(tmp_path)} <= {word.strip(".:") for f in serious for word in f["message"].split()}
    assert all(finding["remedy"] for finding in seen["findings"])
