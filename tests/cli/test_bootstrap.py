"""The self-installing entry, with a fake uv, fake Pythons and a small fake checkout; once (slow) for real."""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import morsdei_sim.__main__ as entry

ROOT = Path(__file__).resolve().parents[2]
EARLY = ("__init__.py", "__main__.py", "lang.py")
BASE_PYTHON = getattr(sys, "_base_executable", None) or sys.executable

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the fakes are shell scripts")

FAKE_UV = """#!/bin/sh
echo "$@" >> "$UV_LOG"
case "$1" in
venv)
    for folder; do :; done
    mkdir -p "$folder/bin"
    printf '#!/bin/sh\\necho ran: "$@"\\n' > "$folder/bin/python"
    chmod +x "$folder/bin/python" ;;
pip)
    [ -z "$UV_SLEEPS" ] || sleep 30
    [ -z "$UV_FAILS" ] || { echo "$UV_FAILS" >&2; exit 1; } ;;
esac
"""


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


class Machine:
    """A checkout with the early files only, a PATH with nothing on it but what a test puts there, a bare Python."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self.tools = folder / "tools"
        self.log = folder / "uv.log"
        package = self.root / "morsdei_sim"
        package.mkdir(parents=True)
        self.tools.mkdir()
        for name in EARLY:
            shutil.copy(ROOT / "morsdei_sim" / name, package)
        shutil.copytree(ROOT / "morsdei_sim" / "locale", package / "locale")
        self.lock = self.root / "requirements.lock"
        self.lock.write_text("nothing-of-that-name==1 --hash=sha256:" + "0" * 64 + "\n")
        self.environment = {
            # Nothing else: a real uv or a newer Python of this machine must not be found in place of the fakes.
            "PATH": str(self.tools),
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "UV_LOG": str(self.log),
        }
        for tool in ("sh", "mkdir", "chmod", "sleep"):
            found = shutil.which(tool)
            assert found is not None
            (self.tools / tool).symlink_to(found)

    @property
    def stamp(self) -> Path:
        return self.root / ".venv" / entry.STAMP

    def add_uv(self) -> None:
        executable(self.tools / "uv", FAKE_UV)

    def command(self, *arguments: str) -> list[str]:
        # -S leaves site-packages out: a Python with no dependency, whatever is installed on this machine.
        return [BASE_PYTHON, "-S", "-m", "morsdei_sim", *arguments]

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment, **more}
        return subprocess.run(
            self.command(*arguments), cwd=self.root, env=environment, capture_output=True, text=True, timeout=120
        )

    def uv_calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def one_line(text: str) -> str:
    lines = text.strip().splitlines()
    assert len(lines) == 1, text
    return lines[0]


@pytest.mark.parametrize("name", EARLY)
def test_old_pythons_can_read_it(name: str) -> None:
    text = (ROOT / "morsdei_sim" / name).read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=(3, 8))
    # Python 3.8 must never evaluate `list[str]` or `str | None`: annotations have to stay text.
    assert "from __future__ import annotations" in text
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Match)]


def test_sets_up_and_runs_the_same_command(machine: Machine) -> None:
    machine.add_uv()
    run = machine.run("shoot", "4d6 4+ 4", "--json")
    assert (run.returncode, run.stdout) == (0, "ran: -m morsdei_sim shoot 4d6 4+ 4 --json\n")
    assert ".venv" in one_line(run.stderr)
    made, locked, project = machine.uv_calls()
    assert made.startswith("venv ")
    assert "--require-hashes -r requirements.lock" in locked
    assert "--no-deps --no-build-isolation -e ." in project
    assert machine.stamp.read_text().strip() == entry.wanted_stamp(str(machine.root))


def test_the_second_run_says_and_installs_nothing(machine: Machine) -> None:
    machine.add_uv()
    machine.run("doctor")
    run = machine.run("doctor")
    assert (run.returncode, run.stdout, run.stderr) == (0, "ran: -m morsdei_sim doctor\n", "")
    assert len(machine.uv_calls()) == 3


def test_a_changed_lock_installs_anew(machine: Machine) -> None:
    machine.add_uv()
    machine.run("doctor")
    machine.lock.write_text(machine.lock.read_text() + "# changed\n")
    assert machine.run("doctor").returncode == 0
    assert len(machine.uv_calls()) == 6


def test_a_moved_checkout_installs_anew(machine: Machine) -> None:
    machine.add_uv()
    machine.run("doctor")
    machine.root = machine.root.rename(machine.root.with_name("moved"))
    assert machine.run("doctor").returncode == 0
    assert len(machine.uv_calls()) == 6


@pytest.mark.parametrize("left", ["stamp only", "no stamp", "a file", "broken link"])
def test_a_half_finished_environment_is_replaced(machine: Machine, left: str) -> None:
    machine.add_uv()
    folder = machine.root / ".venv"
    if left == "a file":
        folder.write_text("")
    else:
        (folder / "bin").mkdir(parents=True)
        (folder / "leftover").write_text("")
    if left == "stamp only":
        machine.stamp.write_text(entry.UNFINISHED)
    if left == "broken link":
        (folder / "bin" / "python").symlink_to("/nowhere/python")
        machine.stamp.write_text(entry.wanted_stamp(str(machine.root)))
    run = machine.run("doctor")
    assert (run.returncode, run.stdout) == (0, "ran: -m morsdei_sim doctor\n"), run.stderr
    assert not (folder / "leftover").exists()


def test_somebody_elses_environment_is_filled_and_kept(machine: Machine) -> None:
    machine.add_uv()
    folder = machine.root / ".venv"
    executable(
        folder / "bin" / "python",
        '#!/bin/sh\n[ "$1" != -c ] || { case "$2" in *version_info*) echo 3 12; exit 0;; esac; exit 1; }\n'
        'echo ran: "$@"\n',
    )
    (folder / "leftover").write_text("")
    assert machine.run("doctor").stdout == "ran: -m morsdei_sim doctor\n"
    assert (folder / "leftover").exists()
    assert [call.split()[0] for call in machine.uv_calls()] == ["pip", "pip"]


def test_an_interruption_ends_with_130_and_the_next_run_recovers(machine: Machine) -> None:
    machine.add_uv()
    with subprocess.Popen(
        machine.command("doctor"), cwd=machine.root, env={**machine.environment, "UV_SLEEPS": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        # A shell that runs the tests in the background has them ignore Ctrl-C, and so would this one.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        limit = time.monotonic() + 120  # a machine that does other things too takes its time
        while len(machine.uv_calls()) < 2 and time.monotonic() < limit:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert errors.splitlines()[-1].startswith("Stopped.")
    assert machine.stamp.read_text().strip() == entry.UNFINISHED
    assert machine.run("doctor").stdout == "ran: -m morsdei_sim doctor\n"


def test_no_bootstrap_refuses(machine: Machine) -> None:
    machine.add_uv()
    run = machine.run("--no-bootstrap", "doctor")
    assert run.returncode == 2
    assert "numba" in one_line(run.stderr)
    assert "--require-hashes" in run.stderr
    assert not (machine.root / ".venv").exists()
    assert machine.uv_calls() == []


def test_it_speaks_russian(machine: Machine) -> None:
    run = machine.run("--no-bootstrap", "--lang", "ru", "doctor")
    assert "не хватает" in one_line(run.stderr)


def test_outside_a_checkout_it_explains(machine: Machine) -> None:
    machine.add_uv()
    machine.lock.unlink()
    run = machine.run("doctor")
    assert run.returncode == 2
    assert "pip install --upgrade morsdei-sim" in one_line(run.stderr)
    assert machine.uv_calls() == []


def test_an_environment_that_stays_incomplete_is_no_loop(machine: Machine) -> None:
    machine.add_uv()
    run = machine.run("doctor", **{entry.REPEATED: "1"})
    assert run.returncode == 2
    assert "numba" in one_line(run.stderr)


def without_venv(machine: Machine) -> dict[str, str]:
    """As on Debian without python3-venv: the module is there, ensurepip is not."""
    (machine.root.parent / "broken").mkdir()
    (machine.root.parent / "broken" / "ensurepip.py").write_text("raise ImportError\n")
    return {"PYTHONPATH": str(machine.root.parent / "broken")}


def test_no_venv_module(machine: Machine) -> None:
    run = machine.run("doctor", **without_venv(machine))
    assert run.returncode == 2
    assert "python3-venv" in run.stderr.splitlines()[-1]
    assert not (machine.root / ".venv").exists()


def test_uv_without_network(machine: Machine) -> None:
    machine.add_uv()
    run = machine.run("doctor", UV_FAILS="error: dns error: failed to lookup address", **without_venv(machine))
    assert run.returncode == 2
    assert "HTTPS_PROXY" in run.stderr.splitlines()[-1]
    assert "dns error" in run.stderr
    assert "Traceback" not in run.stderr
    assert machine.stamp.read_text().strip() == entry.UNFINISHED


def test_pip_is_tried_when_uv_fails_and_has_no_network_either(machine: Machine) -> None:
    """A fake uv, then a real venv and its real pip, pointed at a port where nobody listens."""
    machine.add_uv()
    unreachable = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "1"}
    run = machine.run("doctor", UV_FAILS="no such package", **unreachable)
    assert run.returncode == 2
    assert "uv could not install the packages; trying pip." in run.stderr
    assert "nothing-of-that-name" in run.stderr
    assert "HTTPS_PROXY" in run.stderr.splitlines()[-1], run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("output", "remedy"),
    [
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "cache"),
        ("Hash mismatch for `numpy==2.4.6`", "cache"),
        ("ReadTimeoutError: Read timed out.", "HTTPS_PROXY"),
        ("[Errno 28] No space left on device", "1 GB"),
        ("ERROR: No matching distribution found for numba==0.68.1", "lacks a package"),
        ("something else", "Run the same command again"),
    ],
)
def test_remedies(output: str, remedy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry.sys.modules["morsdei_sim.lang"], "_language", "en")
    assert remedy in entry._remedy(output)


def start_fails(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as end:
        entry.start(arguments)
    assert end.value.code == 2
    return one_line(capsys.readouterr().err)


@pytest.fixture
def inside(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The same machine, for tests that run the entry in this process."""
    monkeypatch.setattr(entry, "ROOT", str(machine.root))
    monkeypatch.setattr(entry, "missing", lambda arguments: ["numba"])
    monkeypatch.setenv("PATH", str(machine.tools))
    monkeypatch.setenv("MORSDEI_LANG", "en")
    monkeypatch.delenv(entry.REPEATED, raising=False)
    return machine


def test_a_wrong_python_says_which(
    inside: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(entry.sys, "version_info", (3, 8, 18))
    # A shim with nothing behind it, and a Python that lies about its name: neither will do.
    executable(inside.tools / "python3.14", "#!/bin/sh\nexit 127\n")
    executable(inside.tools / "python3.12", "#!/bin/sh\necho 3 10\n")
    message = start_fails(["doctor"], capsys)
    assert "3.11 to 3.15" in message
    assert "Python 3.8" in message
    assert "3.11 to 3.15" in start_fails(["--no-bootstrap", "doctor"], capsys)


def test_a_newer_python_on_the_path_is_found(inside: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry.sys, "version_info", (3, 8, 18))
    executable(inside.tools / "python3.14", "#!/bin/sh\nexit 127\n")
    executable(inside.tools / "python3.13", "#!/bin/sh\necho 3 13\n")
    assert entry.find_python() == str(inside.tools / "python3.13")


def test_a_read_only_checkout(
    inside: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(entry.os, "access", lambda path, mode: False)
    message = start_fails(["doctor"], capsys)
    assert str(inside.root) in message
    assert "copy the checkout" in message


def test_a_partly_equipped_python_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "find_spec", lambda name: None if name in ("numba", "pytest") else object())
    assert entry.missing(["doctor"]) == ["numba"]
    assert entry.missing(["test"]) == ["numba", "pytest"]


@pytest.mark.slow
def test_the_real_thing(tmp_path: Path) -> None:
    """From a copy of the checkout and an empty home, with nothing but a Python."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    root = tmp_path / "checkout"
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
    (tmp_path / "home").mkdir()
    kept = ("PIP_", "SSL_", "REQUESTS_", "CURL_", "HTTP", "NO_PROXY")
    environment = {name: value for name, value in os.environ.items() if name.upper().startswith(kept)}
    environment.update(PATH="/usr/bin:/bin", HOME=str(tmp_path / "home"))
    command = [BASE_PYTHON, "-S", "-m", "morsdei_sim", "doctor", "--json"]
    first = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=900)
    assert first.stdout, first.stderr
    seen = json.loads(first.stdout)
    assert Path(seen["facts"]["executable"]).parent == root / ".venv" / "bin"
    assert None not in seen["facts"]["packages"].values()
    second = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=60)
    assert (second.returncode, second.stderr) == (first.returncode, "")
