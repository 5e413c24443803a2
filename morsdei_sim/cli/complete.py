"""What the Tab key offers: names of cards, squads, boards, bots and rules, found without anything heavy.

Cards are read by `tomllib` and rules from their source, since their own modules bring pydantic and the compiler.
"""

from __future__ import annotations

import ast
import os
import sys
import tomllib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem, split_arg_string

from morsdei_sim.api.command import named_ruleset
from morsdei_sim.api.completion import VARIABLE
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets import DEFAULT, ROOMS

__all__ = ["boards", "bots", "completing", "fighters", "listen", "rules", "rulesets", "squads", "studies", "sweeps"]

KINDS = (".toml", ".csv", ".xlsx", ".ods")
MOST_FILES = 200

Found = list[CompletionItem[str]]


def completing() -> bool:
    """Whether a shell asks for completions."""
    return VARIABLE in os.environ


def listen() -> None:
    """Take the words on the shell's line for the program's own: the ruleset among them decides on the options."""
    sys.argv[1:] = split_arg_string(os.environ.get("COMP_WORDS", ""))[1:]


def _completer(names: Callable[[str, str], Iterator[str]]) -> Callable[..., Found]:
    """A completer of click: the names, by ruleset and beginning, that begin so. A broken file offers nothing."""

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> Found:
        ruleset = named_ruleset(sys.argv)
        found = names(ruleset if ruleset in ROOMS else DEFAULT, incomplete)
        return [CompletionItem(name) for name in dict.fromkeys(found) if name.startswith(incomplete)]

    return complete


def _rulesets(_ruleset: str, _begun: str) -> Iterator[str]:
    yield from ROOMS


def _squad_files(ruleset: str) -> list[Path]:
    return sorted(path for path in (profiles_dir() / ruleset).glob("*.toml") if path.stem != "armoury")


def _idents(file: Path) -> list[str]:
    try:
        tree = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    tables = tree.get("fighter")
    return [str(one.get("id") or one.get("name") or "") for one in tables or () if isinstance(one, dict)]


def _fighters(ruleset: str, begun: str) -> Iterator[str]:
    yield from (f"{file.stem}/{ident}" for file in _squad_files(ruleset) for ident in _idents(file) if ident)
    yield from _own(begun)


def _squads(ruleset: str, begun: str) -> Iterator[str]:
    yield from (file.stem for file in _squad_files(ruleset))
    if "/" in begun:
        yield from _fighters(ruleset, begun)
    else:
        yield from _own(begun)


def _own(begun: str) -> Iterator[str]:
    """Card files here, in the folder begun or one below; the fighters of a file whose name is complete."""
    head, slash, _rest = begun.rpartition("/")
    if slash and head.endswith(".toml"):
        yield from (f"{head}/{ident}" for ident in _idents(Path(head)) if ident)
        return
    yield from _files(begun, KINDS)


def _files(begun: str, kinds: tuple[str, ...]) -> Iterator[str]:
    head, slash, _rest = begun.rpartition("/")
    folder = Path(head or "/") if slash else Path()
    for pattern in ("*", "*/*"):  # one folder down too: my-game/cards.toml
        some = (path for path in folder.glob(pattern) if path.suffix.lower() in kinds and path.name[0] != ".")
        yield from map(str, sorted(islice(some, MOST_FILES)))


def _boards(ruleset: str, _begun: str) -> Iterator[str]:
    yield from sorted(path.stem for path in (profiles_dir() / ruleset / "boards").glob("*.*"))
    yield "all"


def _bots(ruleset: str, begun: str) -> Iterator[str]:
    """Bots of whole games, also after a comma."""
    before, comma, _last = begun.rpartition(",")
    names = sorted(path.stem for path in (profiles_dir() / ruleset / "bots").glob("*.toml"))
    yield from (f"{before}{comma}{name}" for name in names)


def _rules(ruleset: str, _begun: str) -> Iterator[str]:
    """Every number of the rulebook as it is printed; a switch with each of its words."""
    source = (Path(__file__).parents[1] / "rulesets" / ruleset / "rules.py").read_text(encoding="utf-8")
    words: dict[str, tuple[str, ...]] = {}
    printed: dict[str, Any] = {}
    for part in ast.parse(source).body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.target.id == "CHOICES":
            words = ast.literal_eval(part.value) if part.value is not None else {}
        if isinstance(part, ast.ClassDef) and part.name == "Rules":
            printed = dict(_defaults(part))
    for name, value in printed.items():
        yield from (f"{name}={word}" for word in words.get(name, (value,)))


def _defaults(book: ast.ClassDef) -> Iterator[tuple[str, Any]]:
    """Names and values of a named tuple; None for the value that a name stands for."""
    for part in book.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.value is not None:
            yield part.target.id, None if isinstance(part.value, ast.Name) else ast.literal_eval(part.value)


def _studies(_ruleset: str, begun: str) -> Iterator[str]:
    yield from _files(begun, (".toml",))


def _sweeps(_ruleset: str, begun: str) -> Iterator[str]:
    yield from _files(begun, (".sweep",))


rulesets = _completer(_rulesets)
fighters = _completer(_fighters)
squads = _completer(_squads)
boards = _completer(_boards)
bots = _completer(_bots)
rules = _completer(_rules)
studies = _completer(_studies)
sweeps = _completer(_sweeps)
