"""RULES.md of every room: each rule of the atlas has one row; what the row names exists, and says so itself."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from morsdei_sim.rulesets import ROOMS

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "morsdei_sim"
SHARED = ROOT.parent / "shared"
STATUSES = ("done", "game", "table", "none")
VECTORS = {"morsdei": "TV", "club": "V", "moran": "V"}
"""Letters of the worked examples of an atlas: they are tests, not rules."""

# "S7", "S20-S23", "S20-23", "J5a-J5g", "U-01"; "RULING 6", "RULINGS 6, 52", "RULING 8-11".
MENTION = (
    r"RULINGS? +(?P<rulings>\d+\b(?:(?:, *| +and +|[-–])\d+\b)*)"
    r"|\b(?P<letter>[A-Z]+-?)(?P<first>\d+)(?P<a>[a-z]?)(?:[-–](?:[A-Z]+-?)?(?P<last>\d+)(?P<z>[a-z]?))?\b"
)
HEAD = re.compile(
    rf"(?:(?:{re.sub(r'[?]P<[a-z]+>', '', MENTION)})(?: (?:steps?|rows?) \d+(?:-\d+)?)?(?:, *| +and +)?)+"
)


def ids(text: str) -> list[str]:
    """Every rule id that the text mentions, ranges spelt out."""
    found = []
    for mention in re.finditer(MENTION, text):
        if mention["rulings"]:
            for first, last in re.findall(r"(\d+)(?:[-–](\d+))?", mention["rulings"]):
                found += [f"RULING {n}" for n in range(int(first), int(last or first) + 1)]
        elif mention["z"]:
            found += [
                f"{mention['letter']}{mention['first']}{chr(c)}"
                for c in range(ord(mention["a"]), ord(mention["z"]) + 1)
            ]
        else:
            width = len(mention["first"])
            numbers = range(int(mention["first"]), int(mention["last"] or mention["first"]) + 1)
            found += [f"{mention['letter']}{n:0{width}}{mention['a']}" for n in numbers]
    return found


def head(text: str) -> list[str]:
    """The ids that a docstring or a comment opens with."""
    opening = HEAD.match(text)
    return ids(opening[0]) if opening else []


class Row(NamedTuple):
    """One row of RULES.md, spelt out for one id."""

    id: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]
    status: str
    note: str


def rows(table: str) -> list[Row]:
    """All rows, one for each id; a row is `| ids | functions | tests | status | note |`."""
    found = []
    for line in table.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and (cells[3] in STATUSES or ids(cells[0])):
            names, tests = (tuple(re.findall(r"`([^`]+)`", cell)) for cell in cells[1:3])
            found += [Row(one, names, tests, cells[3], cells[4]) for one in ids(cells[0]) or [cells[0]]]
    return found


def listed(table: str) -> list[str]:
    """The ids of the atlas as the table repeats them, in its only fenced block."""
    block = re.search(r"^```\n(.*?)^```", table, re.MULTILINE | re.DOTALL)
    return ids(block[1]) if block else []


def counted(table: str) -> dict[str, int]:
    """The counts at the top: rows `| done | 12 |`."""
    found = re.findall(r"^\| (\w+) \| (\d+) \|", table, re.MULTILINE)
    return {status: int(n) for status, n in found}


def defined(atlas: str, vectors: str) -> list[str]:
    """The ids that an atlas defines: in bold at the start of a line, or as the first cell of a table."""
    bold, cell = r"^(?:- )?\*\*((?:RULING |[A-Z]+-?)\d+[a-z]?)\b", r"^\| \**([A-Z]+-?\d+[a-z]?)\** \|"
    found = (one or other for one, other in re.findall(f"{bold}|{cell}", atlas, re.MULTILINE))
    return [one for one in found if one.rstrip("abcdefghijklmnopqrstuvwxyz0123456789") != vectors]


def definitions(folder: Path) -> dict[str, str]:
    """What each module, class, function, method, field and constant says of itself, by dotted name below a folder."""
    found: dict[str, str] = {}

    def walk(body: list[ast.stmt], prefix: str, lines: list[str]) -> None:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found[prefix + node.name] = ast.get_docstring(node) or ""
                if isinstance(node, ast.ClassDef):
                    walk(node.body, f"{prefix}{node.name}.", lines)
            elif isinstance(node, ast.AnnAssign | ast.Assign):
                comment = lines[(node.end_lineno or node.lineno) - 1].partition("# ")[2]
                for target in [node.target] if isinstance(node, ast.AnnAssign) else node.targets:
                    if isinstance(target, ast.Name):
                        found.setdefault(prefix + target.id, comment)  # `f = inline(f)` is still the function f

    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        found[name] = ast.get_docstring(tree) or ""
        walk(tree.body, f"{name}.", source.splitlines())
    return found


def wrong_ids(table: str) -> Iterator[str]:
    """1. Every id of the atlas has exactly one row, a known status, and words where there is no code to read."""
    known, have = Counter(listed(table)), Counter(row.id for row in rows(table))
    yield from (f"{one} is listed {n} times" for one, n in known.items() if n > 1)
    yield from (f"{one} has no row" for one in known if one not in have)
    yield from (f"{one} has {n} rows" for one, n in have.items() if n > 1)
    yield from (f"{one} is no rule of the atlas" for one in have if one not in known)
    yield from (f"{row.id}: status {row.status!r}" for row in rows(table) if row.status not in STATUSES)
    yield from (
        f"{row.id}: {row.status} without a reason" for row in rows(table) if row.status != "done" and len(row.note) < 3
    )


def wrong_functions(table: str, room: dict[str, str], package: dict[str, str]) -> Iterator[str]:
    """2. What a row names exists and mentions the rule; what code opens with, a row names.

    A docstring opens with the rules that it does wholly: their rows are `done`. Rules that it does in part it mentions
    later.
    Code below the rooms (dice, fight) must exist but mentions no rule: it knows no ruleset.
    """
    named = {(row.id, name): row for row in rows(table) for name in row.functions}
    for one, name in named:
        if name in room:
            if one not in ids(room[name]):
                yield f"{one}: `{name}` does not mention it"
        elif name not in package:
            yield f"{one}: there is no `{name}`"
    yield from (f"{row.id}: done by nothing" for row in rows(table) if row.status == "done" and not row.functions)
    for name, text in room.items():
        for one in head(text):
            if (one, name) not in named:
                yield f"`{name}` opens with {one}, but its row does not name it"
            # A number of the rules may wait for the procedure that reads it.
            elif named[one, name].status != "done" and not name.startswith("rules.Rules."):
                yield f"`{name}` opens with {one}, which is not done"
    yield from (
        f"`{name}` has no rule id beside it"
        for name in room
        if name.startswith("rules.Rules.") and not head(room[name])
    )


def wrong_tests(table: str, root: Path) -> Iterator[str]:
    """3. Every row that is done names a test, and every test named exists."""
    for row in rows(table):
        if row.status == "done" and not row.tests:
            yield f"{row.id}: done without a test"
        for test in row.tests:
            file, _, function = test.partition("::")
            path = root / file
            if not path.is_file() or not path.name.startswith("test_"):
                yield f"{row.id}: there is no test file `{file}`"
            elif function and f"\ndef {function}(" not in path.read_text(encoding="utf-8"):
                yield f"{row.id}: there is no `{test}`"


def wrong_counts(table: str) -> Iterator[str]:
    """4. The counts at the top are those of the rows."""
    have = Counter(row.status for row in rows(table))
    right = {status: have[status] for status in STATUSES} | {"all": len(rows(table))}
    if counted(table) != right:
        yield f"the counts must be {right}"


def table_of(room: str) -> str:
    return (PACKAGE / "rulesets" / room / "RULES.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("room", ROOMS)
def test_every_rule_has_one_row(room: str) -> None:
    assert len(listed(table_of(room))) > 20
    assert list(wrong_ids(table_of(room))) == []


@pytest.mark.skipif(not SHARED.exists(), reason="the atlas is not part of a clone; RULES.md repeats its list of ids")
@pytest.mark.parametrize("room", ROOMS)
def test_the_list_is_the_atlas(room: str) -> None:
    atlas = (SHARED / "rules" / f"{room}.md").read_text(encoding="utf-8")
    assert sorted(listed(table_of(room))) == sorted(defined(atlas, VECTORS.get(room, "")))


@pytest.mark.parametrize("room", ROOMS)
def test_rows_and_docstrings_agree(room: str) -> None:
    here = PACKAGE / "rulesets" / room
    assert list(wrong_functions(table_of(room), definitions(here), definitions(PACKAGE))) == []


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_done_is_tested(room: str) -> None:
    assert list(wrong_tests(table_of(room), ROOT)) == []


@pytest.mark.parametrize("room", ROOMS)
def test_counts(room: str) -> None:
    assert list(wrong_counts(table_of(room))) == []


# ---- a small room, whole and broken ----

TABLE = """
| done | 3 |
| game | 1 |
| table | 0 |
| none | 1 |
| all | 5 |

```
S1-S3 RULING 1-2
```

| S1-S2 | `shooting.shot` | `tests/test_shot.py::test_one` | done | |
| S3 | `rules.Rules.far` | | game | needs the board |
| RULING 1 | `shooting.shot`, `dice.pool` | `tests/test_shot.py` | done | |
| RULING 2 | | | none | no such card |
"""
SHOT = 'def shot():\n    """S1-S2 A shot, as RULINGS 1, 7 have it."""\n\nshot = fast(shot)\n'
RULES = "class Rules:\n    far: int = 5  # S3 inches\n"


@pytest.fixture
def judge(tmp_path: Path) -> Callable[..., list[str]]:
    """All faults of the small room, some text of it replaced."""

    def faults(old: str = "", new: str = "") -> list[str]:
        room, tests = tmp_path / "room", tmp_path / "tests"
        room.mkdir(exist_ok=True)
        tests.mkdir(exist_ok=True)
        table, shot, rules, test = (
            text.replace(old, new) if old else text for text in (TABLE, SHOT, RULES, "\ndef test_one():\n    pass\n")
        )
        (room / "shooting.py").write_text(shot)
        (room / "rules.py").write_text(rules)
        (tests / "test_shot.py").write_text(test)
        code = wrong_functions(table, definitions(room), {"dice.pool": ""})
        return [*wrong_ids(table), *code, *wrong_tests(table, tmp_path), *wrong_counts(table)]

    return faults


def test_a_whole_table_has_no_fault(judge: Callable[..., list[str]]) -> None:
    assert judge() == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("S1-S3 RULING", "S1-S4 RULING", "S4 has no row"),
        ("S1-S3 RULING", "S1-S2 RULING", "S3 is no rule of the atlas"),
        ("S1-S3 RULING", "S1-S3 S2 RULING", "S2 is listed 2 times"),
        ("| RULING 2 |", "| RULING 1-2 |", "RULING 1 has 2 rows"),
        ("| none | no such", "| nearly | no such", "RULING 2: status 'nearly'"),
        ("needs the board", "", "S3: game without a reason"),
        ("`shooting.shot` |", "`shooting.shoot` |", "S1: there is no `shooting.shoot`"),
        ("`dice.pool`", "`dice.poll`", "RULING 1: there is no `dice.poll`"),
        ("RULINGS 1, 7", "RULINGS 4, 7", "RULING 1: `shooting.shot` does not mention it"),
        ("S1-S2 A shot", "S1 A shot", "S2: `shooting.shot` does not mention it"),
        ("S1-S2 A shot", "S1-S3 A shot", "`shooting.shot` opens with S3, but its row does not name it"),
        ("S1-S2 A shot", "S1-S2, S9 A shot", "`shooting.shot` opens with S9, but its row does not name it"),
        ("test_one` | done |", "test_one` | game |", "`shooting.shot` opens with S1, which is not done"),
        ("# S3 inches", "# inches", "S3: `rules.Rules.far` does not mention it"),
        ("# S3 inches", "# inches", "`rules.Rules.far` has no rule id beside it"),
        ("`shooting.shot` | `", "| `", "S1: done by nothing"),
        ("`tests/test_shot.py` |", "|", "RULING 1: done without a test"),
        ("`tests/test_shot.py` |", "`tests/test_shoot.py` |", "RULING 1: there is no test file `tests/test_shoot.py`"),
        ("def test_one", "def test_two", "S1: there is no `tests/test_shot.py::test_one`"),
        ("| done | 3 |", "| done | 4 |", "the counts must be {'done': 3, 'game': 1, 'table': 0, 'none': 1, 'all': 5}"),
    ],
)
def test_a_broken_table_is_seen(judge: Callable[..., list[str]], old: str, new: str, fault: str) -> None:
    assert fault in judge(old, new)


def test_ids_are_read() -> None:
    found = ids("S7, S20-S22, P1–2, J5a-J5c, U-01-U-03, RULINGS 6, 52 and 4d6 or 2D6")
    assert found[:-2] == "S7 S20 S21 S22 P1 P2 J5a J5b J5c U-01 U-02 U-03".split()
    assert found[-2:] == ["RULING 6", "RULING 52"]
    assert head("B10 steps 2-4, H3, RULINGS 1 and 6 The numbers of K3") == ["B10", "H3", "RULING 1", "RULING 6"]
    assert head("The number of S1") == []
    atlas = "**S1.** a S9\n- **U-01** b\n**RULING 3 (x).** c\n| J5a | d |\n| **D2** | e |\n**TV4 (S1).** f\n"
    assert defined(atlas, "TV") == ["S1", "U-01", "RULING 3", "J5a", "D2"]
