"""Sweeps into a URL: the same bytes as in a folder, whatever becomes of the process, the network or the server."""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fsspec
import pytest
from click.testing import CliRunner
from ftp_server import Server, serving
from sweep_tools import contents, started

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.api.run_study import open_sweep
from morsdei_sim.errors import UserError
from morsdei_sim.lang import set_language
from tests.sweep.small_squad import card

STUDY = """\
verb = "shoot"
attackers = ["own.toml"]
targets = ["aim.toml"]
[changes]
attackers.hit = [3, 4, 5]
targets.hp = { from = 1, to = 60 }
"""
PARTS = 3


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "own.toml").write_text(card("one"), encoding="utf-8")
    (tmp_path / "aim.toml").write_text(card("seven"), encoding="utf-8")
    file = tmp_path / "study.toml"
    file.write_text(STUDY, encoding="utf-8")
    return file


@pytest.fixture
def whole(study: Path) -> dict[str, bytes]:
    """What a folder of this machine holds."""
    found = contents(Path(morsdei_sim.run_study(study).folder))
    assert len(found) == PARTS + 1
    return found


@pytest.fixture
def memory() -> Iterator[dict[str, bytes]]:
    """The whole memory file system, as a view: path → bytes."""
    store = fsspec.filesystem("memory").store
    store.clear()
    yield store
    store.clear()


@pytest.fixture
def ftp(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as server:
        yield server


def in_memory(store: dict[str, Any]) -> dict[str, bytes]:
    return {path.rpartition("/")[2]: file.getvalue() for path, file in sorted(store.items())}


def invoke(*words: object) -> Any:
    return CliRunner().invoke(cli.main, ["sweep", *map(str, words)])


def test_the_same_bytes_as_in_a_folder(study: Path, whole: dict[str, bytes], memory: dict[str, Any]) -> None:
    found = morsdei_sim.run_study(study, "memory://shelf/sweep/")
    assert (found.status, found.folder) == ("complete", "memory://shelf/sweep")
    assert in_memory(memory) == whole
    again = open_sweep("memory://shelf/sweep")
    assert again.to_frame().equals(open_sweep(study.with_suffix(".sweep")).to_frame())
    assert again.to_dict()["folder"] == "memory://shelf/sweep"


def test_what_is_done_is_not_done_again(study: Path, whole: dict[str, bytes], memory: dict[str, Any]) -> None:
    morsdei_sim.run_study(study, "memory://sweep")
    (gone,) = [path for path in memory if "part-000001" in path]
    del memory[gone]
    kept = {path: file.modified for path, file in memory.items()}
    seen: list[tuple[int, int]] = []
    assert open_sweep("memory://sweep").status == "incomplete"
    morsdei_sim.run_study(study, "memory://sweep", progress=lambda *step: seen.append(step))
    assert seen == [(180, 180)]
    assert all(memory[path].modified == time for path, time in kept.items())
    assert in_memory(memory) == whole


def test_a_folder_of_another_study_is_refused(study: Path, memory: dict[str, Any]) -> None:
    morsdei_sim.run_study(study, "memory://sweep")
    before = in_memory(memory)
    study.write_text(STUDY.replace("[3, 4, 5]", "[3, 4]"), encoding="utf-8")
    with pytest.raises(UserError, match="another study: its file says other things"):
        morsdei_sim.run_study(study, "memory://sweep")
    fsspec.filesystem("memory").pipe("/notes/diary.txt", b"mine")
    with pytest.raises(UserError, match="something else"):
        morsdei_sim.run_study(study, "memory://notes")
    with pytest.raises(UserError, match="is a file"):
        morsdei_sim.run_study(study, "memory://notes/diary.txt")
    with pytest.raises(UserError, match=r"memory://notes: holds no sweep: there is no manifest\.json"):
        open_sweep("memory://notes")
    del memory["/notes/diary.txt"]
    assert in_memory(memory) == before


def test_a_put_that_fails_leaves_nothing(
    study: Path, whole: dict[str, bytes], memory: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    files, real, calls = type(fsspec.filesystem("memory")), fsspec.filesystem("memory").pipe_file, 0

    def broken(_self: Any, path: str, value: bytes, **more: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise RuntimeError("SlowDown: please reduce your request rate\nand a trace")
        real(path, value, **more)

    with monkeypatch.context() as patch:
        patch.setattr(files, "pipe_file", broken)
        with pytest.raises(UserError, match=r"memory://sweep: cannot be written: SlowDown[^\n]*rate\nWhat was done"):
            morsdei_sim.run_study(study, "memory://sweep", jobs=1)
    assert calls == 2 + 2, "it was tried twice"
    kept = in_memory(memory)
    assert kept.items() < whole.items()
    assert len(kept) == 2
    morsdei_sim.run_study(study, "memory://sweep")
    assert in_memory(memory) == whole


def test_a_write_that_only_seems_to_work(study: Path, memory: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(fsspec.filesystem("memory")), "pipe_file", lambda *_words, **_more: None)
    with pytest.raises(UserError, match="not there after it was written"):
        morsdei_sim.run_study(study, "memory://sweep")


def test_damage_is_told(study: Path, memory: dict[str, Any]) -> None:
    morsdei_sim.run_study(study, "memory://sweep")
    (part,) = [path for path in memory if "part-000001" in path]
    fsspec.filesystem("memory").pipe(part, memory[part].getvalue()[:-9])
    with pytest.raises(UserError, match=r"memory://sweep/part-000001-\w+\.parquet: is damaged; remove it"):
        open_sweep("memory://sweep")


def test_a_file_url_is_a_folder_of_this_machine(study: Path, whole: dict[str, bytes]) -> None:
    folder = study.parent / "a folder"
    found = morsdei_sim.run_study(study, folder.as_uri())
    assert found.folder == folder
    assert contents(folder) == whole
    assert open_sweep(folder.as_uri()).status == "complete"


def test_over_a_network(study: Path, whole: dict[str, bytes], ftp: Server) -> None:
    where = ftp.url + "/sweep"
    done = invoke("run", study, where, "--json", "--quiet")
    assert done.exit_code == 0, done.output
    assert contents(ftp.folder / "sweep") == whole
    assert invoke("status", where).exit_code == 0
    local = invoke("show", study.with_suffix(".sweep"), "--json")
    shown = invoke("show", where, "--json")
    assert json.loads(shown.stdout)["rows"] == json.loads(local.stdout)["rows"]
    table = study.parent / "kill.csv"
    assert invoke("export", where, table, "--figure", "kill").exit_code == 0
    assert len(table.read_text(encoding="utf-8").splitlines()) == 1 + 180
    for printed in (done, shown):
        assert "secret" not in printed.output
        assert "ftp://user:***@127.0.0.1" in printed.output


def test_half_written_files_are_removed_once_they_are_whole(study: Path, whole: dict[str, bytes], ftp: Server) -> None:
    folder = ftp.folder / "sweep"
    folder.mkdir()
    for name in [*whole, "part-000009-0123456789ab.parquet"]:
        (folder / f".{name}.1f-2e.tmp").write_bytes(b"half")
    morsdei_sim.run_study(study, ftp.url + "/sweep")
    other = ".part-000009-0123456789ab.parquet.1f-2e.tmp"
    assert contents(folder) == {**whole, other: b"half"}, "another run may be at work on that one"


def test_two_runs_at_once(study: Path, whole: dict[str, bytes], ftp: Server) -> None:
    """Both work, and neither minds the other: whoever is second writes the same bytes."""
    meet = threading.Barrier(2, timeout=60)

    def run(_number: int) -> str:
        return morsdei_sim.run_study(study, ftp.url + "/sweep", progress=lambda *_step: meet.wait()).status

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, range(2))) == ["complete", "complete"]
    assert contents(ftp.folder / "sweep") == whole


def test_a_rename_onto_a_file_that_is_there(
    study: Path, whole: dict[str, bytes], ftp: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some servers refuse it; the other's file has the same bytes."""
    files = importlib.import_module("fsspec.implementations.ftp").FTPFileSystem
    real = files.mv

    def refused(self: Any, one: str, other: str, **_more: Any) -> None:
        real(self, one, other)
        raise OSError("553 file exists")

    monkeypatch.setattr(files, "mv", refused)
    morsdei_sim.run_study(study, ftp.url + "/sweep")
    assert contents(ftp.folder / "sweep") == whole


def test_a_server_that_hangs_up(study: Path, whole: dict[str, bytes], ftp: Server) -> None:
    ftp.hang_up = 1
    assert morsdei_sim.run_study(study, ftp.url + "/sweep").status == "complete"
    assert contents(ftp.folder / "sweep") == whole


def test_a_server_that_forbids_it(study: Path, whole: dict[str, bytes], ftp: Server) -> None:
    where = ftp.url + "/sweep"
    morsdei_sim.run_study(study, where)
    (gone,) = (ftp.folder / "sweep").glob("part-000001-*")
    gone.unlink()
    ftp.read_only = True
    refused = invoke("run", study, where)
    assert refused.exit_code == 2
    assert "cannot be written: 550 Permission denied" in refused.stderr
    assert "the same command goes on" in refused.stderr
    assert "secret" not in refused.output
    assert invoke("status", where).exit_code == 0, "it can be read"
    ftp.read_only = False
    assert invoke("run", study, where).exit_code == 0
    assert contents(ftp.folder / "sweep") == whole


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://me:secret@127.0.0.1:1/x", "ftp://me:***@127.0.0.1:1/x: cannot be read: nobody answers there"),
        ("s4://bucket/sweep", 's4://bucket/sweep: there is no protocol s4. did you mean "s3://"?'),
        ("xyzzy://bucket", "xyzzy://bucket: there is no protocol xyzzy."),
    ],
)
def test_urls_that_cannot_be_used(study: Path, url: str, words: str) -> None:
    for asked in (("run", study, url), ("status", url), ("show", url)):
        done = invoke(*asked)
        assert (done.exit_code, done.stderr.strip()) == (2, words)


def test_a_wrong_password(study: Path, ftp: Server) -> None:
    done = invoke("run", study, ftp.url.replace("secret", "guess") + "/sweep")
    assert (done.exit_code, "530 wrong password" in done.stderr, "guess" in done.output) == (2, True, False)


@pytest.mark.parametrize(("url", "package"), [("s3://bucket/sweep", "s3fs"), ("sftp://host/sweep", "paramiko")])
def test_a_package_that_is_missing(study: Path, url: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    protocol = url.partition(":")[0]
    monkeypatch.delitem(importlib.import_module("fsspec.registry")._registry, protocol, raising=False)
    monkeypatch.delitem(sys.modules, f"fsspec.implementations.{protocol}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    set_language("ru")
    with pytest.raises(UserError, match=f"нет пакета {package}. Установить: pip install {package}"):
        morsdei_sim.run_study(study, url)
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(UserError, match=r"pip install 'morsdei-sim\[remote\]'"):
        open_sweep(url)


def test_fsspec_is_loaded_for_urls_only() -> None:
    code = "import sys; from morsdei_sim.sweep.places import place"
    for folder, loaded in (("x.sweep", "False"), ("memory://x.sweep", "True")):
        code += f"; place({folder!r}); assert str('fsspec' in sys.modules) == {loaded!r}"
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]) == 0


def killed(ftp: Server, study: Path, word: str, number: int) -> None:
    """A run killed at that moment, as the server sees it."""
    running, left, ended = started(study, ftp.url + "/sweep"), iter(range(1, 1000)), threading.Event()

    def watch(seen: str) -> None:
        if seen == word and next(left) == number:
            running.kill()
            running.wait(timeout=60)
            ended.set()

    ftp.watched = watch
    running.communicate(timeout=60)
    assert running.returncode == -signal.SIGKILL
    assert ended.wait(timeout=60)
    ftp.watched = lambda _word: None


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals are sent")
def test_killed_amid_an_upload_and_before_a_rename(study: Path, whole: dict[str, bytes], ftp: Server) -> None:
    """A real process and a real SIGKILL: what has its name is whole, and the same command finishes the work."""
    folder = ftp.folder / "sweep"
    for word, number in (("STOR", 3), ("RNTO", 2)):
        killed(ftp, study, word, number)
        there = contents(folder)
        assert {name: there[name] for name in there if not name.startswith(".")}.items() < whole.items()
        assert any(name.startswith(".") for name in there), "something half-written"
    last = started(study, ftp.url + "/sweep")
    out, err = last.communicate(timeout=60)
    assert (last.returncode, err) == (0, "")
    assert "3 of 3 parts done" in out
    assert contents(folder) == whole
