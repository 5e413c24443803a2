"""How many workers one sweep can keep busy: the client's loop, a real scheduler and a thousand slots that only sleep.

    python -m benchmarks.cluster                    prints the tables of docs/thousand-workers.md
    python -m benchmarks.cluster --write            and writes them there
    python -m benchmarks.cluster --quick            whether the script runs

The work of a part is replaced by waiting, everything else is the product's own: what is sent, the scheduler, what comes
back, the write to the disk with its fsync.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from morsdei_sim.sweep import executors, run
from morsdei_sim.sweep.cells import answered, table
from morsdei_sim.sweep.store import packed
from morsdei_sim.sweep.study_file import Study, read_study

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "thousand-workers.md"
START, END = "<!-- made by benchmarks/cluster.py -->", "<!-- /made -->"
SLOTS = 1000

EXACT = """
attackers = ["line"]
targets = ["field"]
[changes]
targets.hp = { from = 1, to = 25, step = 1 }
"""
BATTLE = """
verb = "battle"
attackers = ["line"]
targets = ["mirror"]
boards = ["twin-yards"]
bots = ["tactician"]
[changes]
attackers.hp = [8, 9, 10, 11]
"""
STUDIES = {
    "exact shots": 'verb = "shoot"' + EXACT,
    "best-play melees": 'verb = "melee"' + EXACT,
    "shots, a million trials": 'verb = "shoot"' + EXACT + '[run]\nengine = "sample"\ntrials = 1_000_000\n',
    "battles of tacticians, 2,000 games": BATTLE,
}


def pretend(study: Study, digest: str, content: bytes, seconds: float) -> bytes:
    """A part on a worker: what is sent to it and comes back is real, the work is a pause."""
    time.sleep(seconds)
    return content


@dataclass
class Pretending(executors.Workers):
    """Workers whose parts take a given time."""

    content: bytes = b""
    seconds: float = 0.0

    def submit(self, study: Study, digest: str, first: int, until: int) -> Future[bytes]:
        return self.executor.submit(pretend, study, digest, self.content, self.seconds)


def read(text: str, folder: Path) -> Study:
    """A study of that text."""
    file = folder / "study.toml"
    file.write_text(text, encoding="utf-8")
    return read_study(file)


# ── what a cell costs ─────────────────────────────────────────────────────────────────────────────────────────────────


def costs(quick: bool) -> list[str]:
    """Seconds of a cell on one core, bytes of a part."""
    lines = ["| cells | seconds a cell, one core | cells of a part | bytes of a part, packed |", "|---|---|---|---|"]
    for name, text in STUDIES.items():
        with tempfile.TemporaryDirectory() as folder:
            study = read(text, Path(folder))
            size = run.plan(study, Path(folder) / "x.sweep", "").manifest["cells_per_part"]
            answer, count = answered(study), min(size, study.design.cells, 4 if quick else 64)
            table(study, [study.design.cell(0)], answer)  # loads and compiles
            most = 1 if quick or "games" in name else count
            start = time.process_time()
            found = table(study, map(study.design.cell, range(most)), answer)
            seconds = (time.process_time() - start) / most
            lines.append(f"| {name} | {seconds:.2g} | {size} | {len(packed(found)):,} |")
    return lines


# ── what can be kept busy ─────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def cluster(folder: Path, slots: int) -> Iterator[tuple[Any, psutil.Process]]:
    """A client of a scheduler with so many slots, in two processes beside it; and the scheduler's process."""
    file, running = folder / "scheduler.json", []
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def start(what: str, *words: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.{what}", "--scheduler-file", str(file), "--no-dashboard"]
        with (folder / f"{len(running)}.log").open("w") as log:
            running.append(subprocess.Popen([*command, *words], cwd=folder, env=environment, stdout=log, stderr=log))

    start("dask_scheduler", "--port", "0")
    while not file.exists():
        time.sleep(0.1)
    for _half in range(2):
        start("dask_worker", "--nthreads", str(slots // 2), "--no-nanny")
    try:
        with executors._client(f"{executors.FILE}{file}") as client:
            client.wait_for_workers(2, timeout=60)
            yield client, psutil.Process(running[0].pid)
    finally:
        for one in running:
            one.kill()
            one.wait()


def spent(process: psutil.Process) -> float:
    """Processor seconds of a process so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


def paced(client: Any, scheduler: psutil.Process, folder: Path, seconds: float, parts: int, content: bytes) -> str:
    """A line of the table: a sweep of so many parts, each of which takes a slot so long."""
    text = (
        STUDIES["exact shots"]
        + f"attackers.dice = {{ from = 1, to = 20 }}\n[run]\ncells_per_part = {12_000 // parts}\n"
    )
    study = read(text, folder)
    store = run.plan(study, folder / f"{seconds}.sweep", "")
    crew = Pretending(client.get_executor(pure=False), None, client, content=content, seconds=seconds)
    me, before = psutil.Process(), time.perf_counter()
    spent_before = spent(me), spent(scheduler)
    with store.working():
        run._work(study, store, crew, None)
    wall = time.perf_counter() - before
    mine, theirs = (after - start for after, start in zip((spent(me), spent(scheduler)), spent_before, strict=True))
    count, slots = store.parts, crew.threads
    ideal = count * seconds / slots
    busy = f"{100 * ideal / wall:.0f} %" if seconds else ""
    sent = len(pickle.dumps((study, store.manifest["digest"])))
    return (
        f"| {seconds:g} s | {count} | {wall:.1f} s | {count / wall:.0f} | {busy} | {1000 * mine / count:.1f} ms "
        f"| {1000 * theirs / count:.1f} ms | {sent:,} |"
    )


def pace(quick: bool) -> list[str]:
    """Parts a second, and how busy the slots are, by the time that a part takes."""
    heads = (
        "a part takes, parts, wall, parts a second, slots busy, client’s CPU a part, scheduler’s CPU a part, bytes sent"
    )
    heads = heads.split(", ")
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with cluster(folder, 20 if quick else SLOTS) as (client, scheduler):
            content = os.urandom(6_000)
            for seconds, parts in ((0, 200),) if quick else ((0, 2_000), (2, 4_000), (5, 4_000), (10, 4_000)):
                lines.append(paced(client, scheduler, folder, seconds, parts, content))
                print(lines[-1], file=sys.stderr, flush=True)
    return lines


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few parts; the times mean little")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.relative_to(ROOT)}")
    chosen = parser.parse_args()
    load = os.getloadavg()[0]
    foot = f"Load at the start {load:.1f}, on {os.cpu_count()} cores."
    made = "\n".join([*costs(chosen.quick), "", *pace(chosen.quick), "", foot])
    print(made)
    if chosen.write:
        before, _start, rest = PAGE.read_text(encoding="utf-8").partition(START)
        PAGE.write_text(f"{before}{START}\n{made}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
