"""Sweeps on a Dask cluster: a real scheduler and real workers, in processes of their own."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from ftp_server import serving
from sweep_tools import contents

from morsdei_sim import cli

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes are killed as POSIX does it")

STUDY = """
verb = "shoot"
attackers = ["line"]
targets = ["field"]
[changes]
attackers.hit = [3, 4, 5]
targets.hp = { from = 6, to = 12, step = 1 }
[options]
cover = [false, true]
"""  # 3 x 8 x 42 = 1,008 cells in 16 parts


class Cluster:
    """A scheduler with its file, and workers that come and go."""

    def __init__(self, folder: Path) -> None:
        self.file, self.folder = folder / "scheduler.json", folder
        self.processes: list[subprocess.Popen[str]] = []
        self.scheduler = self.start("dask_scheduler", "--port", "0", "--scheduler-file", str(self.file))

    def start(self, what: str, *words: str, package: Path = ROOT) -> subprocess.Popen[str]:
        """A process of the cluster, which imports the program from that checkout."""
        with (self.folder / f"{what}-{len(self.processes)}.log").open("w") as log:
            one = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{what}", "--no-dashboard", *words], cwd=self.folder, text=True,
                stdout=log, stderr=log, env=os.environ | {"PYTHONPATH": str(package)},
            )  # fmt: skip
        self.processes.append(one)
        return one

    def worker(self, package: Path = ROOT) -> subprocess.Popen[str]:
        self.wait_for(self.file)
        return self.start(
            "dask_worker", "--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny", package=package
        )

    @staticmethod
    def wait_for(file: Path) -> None:
        for _try in range(300):
            if file.exists() and file.stat().st_size:
                return
            time.sleep(0.1)
        raise AssertionError(f"{file} did not appear")

    def close(self) -> None:
        for one in self.processes:
            one.kill()
            one.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    (tmp_path / "cluster").mkdir()
    one = Cluster(tmp_path / "cluster")
    yield one
    one.close()


def sweep(folder: Path, *words: str) -> subprocess.Popen[str]:
    """The command, in a folder with the study."""
    folder.mkdir(exist_ok=True)
    (folder / "study.toml").write_text(STUDY)
    return subprocess.Popen(
        [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", "sweep", "run", "study.toml", "--quiet", *words],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def done(process: subprocess.Popen[str], code: int = 0) -> str:
    out, err = process.communicate(timeout=240)
    assert process.returncode == code, out + err
    return out + err


def parts(folder: Path) -> int:
    return len(list((folder / "study.sweep").glob("part-*"))) if (folder / "study.sweep").is_dir() else 0


def until(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_workers_give_the_bytes_of_threads_and_others_are_refused(cluster: Cluster, tmp_path: Path) -> None:
    """One worker, another that joins when some parts are done; then one of other sources, by its name."""
    done(sweep(tmp_path / "threads", "--jobs", "2"))
    where = f"dask-file:{cluster.file}"
    cluster.worker()
    running = sweep(tmp_path / "dask", "--executor", where)
    until(lambda: parts(tmp_path / "dask") >= 2)
    late = cluster.worker()
    done(running)
    expected = contents(tmp_path / "threads" / "study.sweep")
    assert len(expected) == 17
    assert contents(tmp_path / "dask" / "study.sweep") == expected
    assert late.poll() is None
    for one in cluster.processes[1:]:
        one.kill()
        one.wait()
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(["cp", "-r", str(ROOT / "morsdei_sim"), str(other)], check=True)
    with (other / "morsdei_sim" / "dice" / "philox.py").open("a") as source:
        source.write("\n# other\n")
    cluster.worker(other)
    said = done(sweep(tmp_path / "refused", "--executor", where), 2)
    assert "of another make" in said
    assert "kernels" in said
    assert "Traceback" not in said


@pytest.mark.slow
def test_workers_need_no_access_to_the_folder(cluster: Cluster, tmp_path: Path) -> None:
    """It lies at a URL; what they make is written by the command."""
    done(sweep(tmp_path / "threads"))
    cluster.worker()
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as server:
        done(sweep(tmp_path / "dask", server.url + "/sweep", "--executor", f"dask-file:{cluster.file}"))
    assert contents(tmp_path / "server" / "sweep") == contents(tmp_path / "threads" / "study.sweep")


@pytest.mark.slow
def test_workers_and_schedulers_may_die(cluster: Cluster, tmp_path: Path) -> None:
    """A worker is killed in the middle and another comes; then the scheduler is killed, and a new one goes on."""
    done(sweep(tmp_path / "threads"))
    where = f"dask-file:{cluster.file}"
    first = cluster.worker()
    running = sweep(tmp_path / "dask", "--executor", where)
    until(lambda: parts(tmp_path / "dask") >= 2)
    first.send_signal(signal.SIGKILL)
    cluster.worker()
    until(lambda: parts(tmp_path / "dask") >= 5)
    cluster.scheduler.send_signal(signal.SIGKILL)
    said = done(running, 2)
    assert "the same command goes on" in said
    assert 5 <= parts(tmp_path / "dask") < 16
    (tmp_path / "second").mkdir()
    second = Cluster(tmp_path / "second")
    try:
        second.worker()
        done(sweep(tmp_path / "dask", "--executor", f"dask-file:{second.file}"))
    finally:
        second.close()
    assert contents(tmp_path / "dask" / "study.sweep") == contents(tmp_path / "threads" / "study.sweep")


@pytest.mark.slow
def test_twenty_kills_of_anything(tmp_path: Path) -> None:
    """Command, worker or scheduler, at 20 random moments of a sweep of 1,008 cells: the bytes of an undisturbed one."""
    pytest.importorskip("distributed")
    done(sweep(tmp_path / "threads"))
    whole = contents(tmp_path / "threads" / "study.sweep")
    dice, died = random.Random(20261130), {"command": 0, "worker": 0, "scheduler": 0}
    folder, running, clusters = tmp_path / "dask", None, []

    def fresh() -> tuple[Cluster, list[subprocess.Popen[str]]]:
        (tmp_path / f"cluster-{len(clusters)}").mkdir()
        clusters.append(Cluster(tmp_path / f"cluster-{len(clusters)}"))
        return clusters[-1], [clusters[-1].worker() for _one in range(2)]

    try:
        cluster, workers = fresh()
        for moment in range(20):
            if running is None or running.poll() is not None:
                for file in sorted((folder / "study.sweep").glob("part-*"))[::2] if parts(folder) > 8 else ():
                    file.unlink()  # room for what comes
                running = sweep(folder, "--executor", f"dask-file:{cluster.file}")
            before = parts(folder)
            until(lambda: running.poll() is not None or parts(folder) > before)  # noqa: B023
            time.sleep(dice.uniform(0, 0.2))
            victim = list(died)[moment % 3]
            died[victim] += running.poll() is None
            if victim == "command":
                running.kill()
                running.communicate(timeout=60)
            elif victim == "worker":
                workers.pop(dice.randrange(2)).kill()
                workers.append(cluster.worker())
            else:
                cluster.scheduler.kill()
                out, err = running.communicate(timeout=240)
                assert running.returncode in (0, 2), out + err
                assert "Traceback" not in err, err
                cluster.close()
                cluster, workers = fresh()
        if running.poll() is None:
            running.kill()
            running.communicate(timeout=60)
        done(sweep(folder, "--executor", f"dask-file:{cluster.file}"))
    finally:
        for one in clusters:
            one.close()
    assert min(died.values()) >= 3, "most of the moments are moments of work"
    assert contents(folder / "study.sweep") == whole


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--executor", "ray://here"), "write threads, dask://host:port or dask-file:PATH"),
        (("--executor", "dask-file:nosuch.json"), "no such file"),
        (("--executor", "dask://127.0.0.1:1", "--jobs", "2"), "threads of their own"),
    ],
)
def test_mistakes(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    told = CliRunner().invoke(cli.main, ["sweep", "run", str(tmp_path / "study.toml"), *words])
    assert told.exit_code == 2, told.output
    assert said in told.stderr
    assert not (tmp_path / "study.sweep").exists()
