"""Run every benchmark and print the README's speed table; the figures go to `benchmarks/results.json`.

python benchmarks/run.py                   a few minutes; leave the machine alone meanwhile
python benchmarks/run.py --write-readme    the same, and put the table into docs/speed.md, and its lines with a bar into
                                           README.md and README.ru.md
python benchmarks/run.py --only games      one script again; the figures of the others stay
python benchmarks/run.py --quick           whether the scripts run; the times mean little
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

from bench import ROOT, machine

SCRIPTS = ("shots", "melee", "sampling", "games", "startup", "memory", "cores")
BOTS = ("random", "rusher", "gunline", "looter", "cautious", "tactician", "searcher")
START, END = "<!-- speed -->", "<!-- /speed -->"
RESULTS = ROOT / "benchmarks" / "results.json"
READMES = {"en": ROOT / "README.md", "ru": ROOT / "README.ru.md"}
PAGE = ROOT / "docs" / "speed.md"

TITLES = {
    "shot-batch": (
        "exact shot, 4d6 4+ v 3 Defence Dice, inside a batch",
        "точный выстрел 4d6 4+ против 3 кубиков Defence, в пакете",
    ),
    "shot-icepool": (
        "the same v icepool, written with its `map`",
        "то же против icepool, через его `map`",
    ),
    "shot-icepool-loop": (
        "the same v icepool pools and a plain Python loop",
        "то же против пулов icepool и простого цикла на Python",
    ),
    "shot-alone": (
        "exact shot, one call from Python",
        "точный выстрел, один вызов из Python",
    ),
    "melee": (
        "best-play melee, 4d6 v 4d6, solved, whole distribution",
        "ближний бой 4d6 на 4d6 при лучшей игре: решение и всё распределение",
    ),
    "melee-warm": (
        "the same, tables of both sides ready",
        "то же, таблицы сторон уже готовы",
    ),
    "sample-dice": (
        "sampled shot, one core, v `uint8` NumPy, default generator",
        "выстрел методом Монте-Карло, одно ядро, против NumPy на `uint8`, обычный генератор",
    ),
    "sample-best-dice": (
        "the same v the fastest `uint8` NumPy found",
        "то же против самой быстрой найденной версии NumPy на `uint8`",
    ),
    "sample-thresholds": (
        "the same v NumPy without dice: 16-bit words, two thresholds",
        "то же против NumPy без кубиков: 16-битные слова и два порога",
    ),
    "sample-tables": (
        "the same v our own table trick in NumPy",
        "то же против нашего же приёма с таблицами, но в NumPy",
    ),
    "sample-int64": (
        "the same v what one writes first (`int64`)",
        "то же против того, что пишут первым делом (`int64`)",
    ),
    **{
        f"games-{bot}": (
            f"whole games, 5 v 5, one core, `{bot}` (twin-yards / container-row)",
            f"партии целиком, 5 на 5, одно ядро, `{bot}` (twin-yards / container-row)",
        )
        for bot in BOTS
    },
    "help": (
        "`morsdei-sim --help`",
        "`morsdei-sim --help`",
    ),
    "first-answer": (
        "first exact answer of a process, already compiled",
        "первый точный ответ процесса, всё уже скомпилировано",
    ),
    "memory": (
        "peak memory while trials grow 100-fold",
        "пик памяти при росте числа испытаний в 100 раз",
    ),
    "cores": (
        "two threads v one, same counts",
        "два потока против одного, те же счётчики",
    ),
}

HEADS = {
    "en": ("what", "here", "rival, measured side by side", "ratio", "bar", "reached"),
    "ru": ("что", "здесь", "соперник, замер рядом", "отношение", "планка", "взята"),
}
VERDICTS = {"en": {True: "yes", False: "**no**", None: ""}, "ru": {True: "да", False: "**нет**", None: ""}}
FOOT = {
    "en": (
        "Medians of alternating rounds, {day}: {processor}, {cores} cores, {system}, Python {python}, NumPy {numpy}, "
        "Numba {numba}, icepool {icepool}; load {load} at the start."
    ),
    "ru": (
        "Медианы чередующихся серий, {day}: {processor}, ядер {cores}, {system}, Python {python}, NumPy {numpy}, "
        "Numba {numba}, icepool {icepool}; загрузка в начале {load}."
    ),
}
LATER = {"en": "`{script}`: {day}, load {load}.", "ru": "`{script}`: {day}, загрузка {load}."}
RUSSIAN = {"µs": "мкс", "ms": "мс", "ns": "нс", "s": "с", "MB": "МБ"}


def in_russian(cell: str) -> str:
    """Units and decimal commas; names of versions stay."""
    cell = re.sub(r"(?<=\d )(µs|ms|ns|s|MB)\b", lambda found: RUSSIAN[found[0]], cell)
    cell = cell.replace("games/s", "партий/с").replace("/s", "/с")
    return re.sub(r"(\d)\.(\d)", r"\1,\2", cell.replace(" a batch", " за раз"))


def times(value: float | None) -> str:
    """A ratio to two digits or three: `1.9 ×`, `346 ×`."""
    return "" if value is None else f"{value:.2f} ×" if value < 10 else f"{value:.0f} ×"


def table(rows: list[dict[str, Any]], where: dict[str, Any], lang: str) -> str:
    """The README's table in one language."""
    lines = ["| " + " | ".join(HEADS[lang]) + " |", "|---|---|---|---|---|---|"]
    for row in rows:
        cells = [row["ours"], row["rival"], times(row["times"]), row["bar"]]
        if lang == "ru":
            cells = [in_russian(cell) for cell in cells]
        lines.append("| " + " | ".join([TITLES[row["key"]][lang == "ru"], *cells, VERDICTS[lang][row["met"]]]) + " |")
    later = [LATER[lang].format(script=script, **when) for script, when in where.get("later", {}).items()]
    return "\n".join([*lines, "", " ".join([FOOT[lang].format(**where), *later])])


def remarks(rows: list[dict[str, Any]]) -> str:
    """Where the time goes in what missed its bar."""
    keys: dict[str, list[str]] = {}
    for row in rows:
        if row["hint"]:
            keys.setdefault(row["hint"], []).append(f"`{row['key']}`")
    return "".join(f"\n\n{', '.join(names)}: {hint}." for hint, names in keys.items())


def write_readme(path: Path, text: str) -> None:
    """Replace what stands between the markers."""
    old = path.read_text(encoding="utf-8")
    before, start, rest = old.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise SystemExit(f"{path}: the markers {START} and {END} are missing")
    path.write_text(f"{before}{start}\n{text}\n{end}{after}", encoding="utf-8", newline="\n")


def run(script: str, flags: list[str]) -> list[dict[str, Any]]:
    """The lines of one script, run in a process of its own."""
    print(f"{script} …", file=sys.stderr, flush=True)
    command = [sys.executable, str(ROOT / "benchmarks" / f"{script}.py"), *flags]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    if done.returncode:
        raise SystemExit(f"benchmarks/{script}.py failed")
    rows: list[dict[str, Any]] = json.loads(done.stdout)["rows"]
    return rows


def renewed(old: dict[str, Any], rows: list[dict[str, Any]], script: str, where: dict[str, Any]) -> dict[str, Any]:
    """Stored figures with those of one script in place of its old ones, or after all; when and under which load."""
    keys = {row["key"] for row in rows}
    place = next((n for n, row in enumerate(old["rows"]) if row["key"] in keys), len(old["rows"]))
    kept = [row for row in old["rows"] if row["key"] not in keys]
    later = old["machine"].get("later", {}) | {script: {"day": where["day"], "load": where["load"]}}
    return {"machine": old["machine"] | {"later": later}, "rows": [*kept[:place], *rows, *kept[place:]]}


def main() -> None:
    """Run all, print, store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few short rounds")
    parser.add_argument("--long", action="store_true", help="memory: up to 10^9 trials")
    parser.add_argument("--write-readme", action="store_true", help="put the table into both READMEs")
    parser.add_argument("--from-results", action="store_true", help="measure nothing: the table of stored figures")
    parser.add_argument("--only", choices=SCRIPTS, help="measure one script, keep the stored figures of the others")
    parser.add_argument("--output", type=Path, default=RESULTS, help="where the figures go")
    chosen = parser.parse_args()
    if chosen.quick and chosen.write_readme:
        parser.error("--quick measures nothing worth a README")
    if chosen.from_results:
        found = json.loads(chosen.output.read_text(encoding="utf-8"))
    else:
        where = {**machine(), "day": date.today().isoformat()}
        flags = [flag for flag in ("--quick", "--long") if getattr(chosen, flag[2:])]
        if chosen.only:
            old = json.loads(chosen.output.read_text(encoding="utf-8"))
            found = renewed(old, run(chosen.only, flags), chosen.only, where)
        else:
            found = {"machine": where, "rows": [row for script in SCRIPTS for row in run(script, flags)]}
        chosen.output.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    print(table(found["rows"], found["machine"], "en"))
    for row in found["rows"]:
        if row["hint"]:
            print(f"{row['key']}: {row['hint']}", file=sys.stderr)
    if chosen.write_readme:
        write_readme(PAGE, table(found["rows"], found["machine"], "en") + remarks(found["rows"]))
        barred = [row for row in found["rows"] if row["bar"]]
        for lang, path in READMES.items():
            write_readme(path, table(barred, found["machine"], lang))


if __name__ == "__main__":
    main()
