"""What the READMEs and `docs/` say is so: their commands run as written, their flags, files and figures exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from morsdei_sim import cli

ROOT = Path(__file__).resolve().parents[2]
READMES = ("README.md", "README.ru.md")
FOLDERS = ("docs", "docs/howto", "docs/ru", "docs/reference")
WRITTEN = sorted(f"{folder}/{page.name}" for folder in FOLDERS for page in (ROOT / folder).glob("*.md"))
PAGES = (*READMES, "CONTRIBUTING.md", "CHANGELOG.md", *WRITTEN)
OWN_FLAGS = {"--write-readme", "--write"}
"""Flags of scripts that are not the command line."""
MADE = tuple(
    line[1:] for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines() if line.startswith("/docs/")
)
"""Folders of pages that the documentation site makes; tests/docs hold the links into them."""

sys.path.insert(0, str(ROOT / "docs"))
import examples  # noqa: E402

sys.path.remove(str(ROOT / "docs"))


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"```{language}\n(.*?)```", text_of(page), re.DOTALL)


def commands(page: str) -> list[str]:
    """Every command line in a fenced block, in order."""
    return [
        line for block in blocks(page, "sh") for line in block.splitlines() if line.startswith("python3 -m morsdei_sim")
    ]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line of a page in `folder`, with this Python in place of python3."""
    arguments = shlex.split(command)[3:]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MORSDEI_LANG": "en", "MPLBACKEND": "Agg"}
    environment.pop("COLUMNS", None)
    return subprocess.run(
        [sys.executable, "-m", "morsdei_sim", "--no-bootstrap", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=600,
    )  # fmt: skip


def run_here(words: list[str], folder: Path) -> Result:
    """Run a command line in `folder` within this process: starting one takes longer than most commands."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["__main__.py", *words])
        return CliRunner(env={"MORSDEI_LANG": "en"}).invoke(cli.main, words, catch_exceptions=False)


@pytest.mark.parametrize("page", READMES)
def test_the_newcomer_path_runs_as_written(page: str, tmp_path: Path) -> None:
    path = commands(page)
    verbs = [shlex.split(command)[3] for command in path]
    assert verbs[:2] == ["report", "test"], "the two commands come first"
    own = path[2:6]
    assert [shlex.split(command)[3] for command in own] == ["template", "validate", "shoot", "report"]
    for command in own[:3]:
        done = run(command, tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert done.stdout.strip()
    (block,) = re.findall(r"\n```\n([^`]+\d %[^`]+)```", text_of(page))
    assert block in done.stdout, "the README shows what `shoot` prints"


def test_the_other_commands_run_as_written(tmp_path: Path) -> None:
    """The same commands stand in both READMEs (`test_both_readmes_show_the_same_commands`); battles are below."""
    for command in commands(READMES[0])[6:]:
        if " battle " not in command:
            done = run_here(shlex.split(command)[3:], tmp_path)
            assert done.exit_code == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            assert done.stdout.strip()


@pytest.mark.parametrize("page", READMES)
def test_the_battle_of_the_readme_is_what_is_printed(page: str, tmp_path: Path) -> None:
    """Some lines of it, in order, to the letter: the games are the same on every machine."""
    (command,) = [line for line in commands(page) if " battle " in line]
    (block,) = blocks(page, "text")
    done = run_here(shlex.split(command)[3:], tmp_path)
    assert done.exit_code == 0, done.stderr
    printed = iter(done.stdout.splitlines())
    for line in block.splitlines():
        assert line in printed, f"{line!r} is not printed, or not there"


@pytest.mark.slow
@pytest.mark.parametrize("page", READMES)
def test_the_reports_of_the_readme(page: str, tmp_path: Path) -> None:
    path = commands(page)
    assert run(path[2], tmp_path).returncode == 0
    for command in (path[5], path[0]):
        done = run(command, tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    assert list(tmp_path.rglob("*.html"))


@pytest.mark.slow
def test_the_three_lines_make_a_picture(tmp_path: Path) -> None:
    for page in READMES:
        (lines,) = blocks(page, "python")
        assert len(lines.splitlines()) == 3
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    subprocess.run([sys.executable, "-c", lines], cwd=tmp_path, env=environment, check=True, timeout=600)
    assert "<svg" in (tmp_path / "kills.svg").read_text(encoding="utf-8")


def test_both_readmes_show_the_same_commands() -> None:
    english, russian = map(commands, READMES)
    assert [line.replace(" --lang ru", "") for line in russian] == english


@pytest.mark.parametrize("page", READMES)
def test_a_readme_is_short(page: str) -> None:
    assert len(text_of(page).splitlines()) < 150


@cache
def known_flags(ruleset: str) -> set[str]:
    """Every flag of every verb that a ruleset has."""
    import click

    from morsdei_sim import cli
    from morsdei_sim.rulesets import ROOMS, room

    flags = {"--help", *OWN_FLAGS, *(flag for option in cli.main.params for flag in option.opts)}
    asked = {verb for name in ROOMS for verb in room(name).flags}
    context = click.Context(cli.main)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["morsdei-sim", "--ruleset", ruleset])  # which a question takes its options from
        for verb in cli.main.list_commands(context):
            command = cli.main.get_command(context, verb)
            if command and (verb not in asked or verb in room(ruleset).flags):
                below = command.commands.values() if isinstance(command, click.Group) else ()
                flags |= {flag for one in (command, *below) for option in one.params for flag in option.opts}
    return flags


def code_of(page: str) -> list[tuple[str, str]]:
    """The code of a page, each piece with its ruleset: the one that it names itself, or that its section is about."""
    pieces = []
    for section in text_of(page).split("\n## "):
        about = section.partition("\n")[0]
        usual = about.removeprefix("Ruleset ") if about.startswith("Ruleset ") else "morsdei"
        # Inline code only; commands of other programs (uv, pip) stand in CONTRIBUTING and in the decisions, not here.
        fenced = re.findall(r"```(?:sh|text)\n(.*?)```", section, re.DOTALL)
        for code in re.findall(r"`([^`\n]+)`", section) + "\n".join(fenced).splitlines():
            named = re.search(r"--ruleset (\w+)", code)
            pieces.append((named[1] if named else usual, code))
    return pieces


@pytest.mark.parametrize("page", PAGES)
def test_flags_named_in_the_pages_exist(page: str) -> None:
    for ruleset, code in code_of(page):
        named = set(re.findall(r"(?<!\S)--[a-z][a-z-]+", code))
        assert not named - known_flags(ruleset), (ruleset, code)


@pytest.mark.parametrize(
    "page", [*PAGES, *sorted(f"docs/decisions/{p.name}" for p in (ROOT / "docs/decisions").glob("*.md"))]
)
def test_links_lead_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    for link in re.findall(r"\]\(([^)#\s]+)\)", text_of(page)):
        target = os.path.relpath(folder / link, ROOT)
        assert (ROOT / target).exists() or target.startswith(MADE), link


def test_rule_switches_named_in_the_docs_exist() -> None:
    from morsdei_sim.rulesets.morsdei.rules import Rules

    table = text_of("docs/how-far-to-trust.md").partition("| switch |")[2].partition("\n\n")[0]
    defaults = Rules()._asdict()
    rows = [line.split("|")[1:3] for line in table.splitlines()[2:]]
    assert len(rows) > 4
    for names, ruled in rows:
        values = [int(value) for value in ruled.split(",")]
        switches = re.findall(r"`(\w+)`", names)
        for place, switch in enumerate(switches):
            assert defaults[switch] == values[min(place, len(values) - 1)], switch


def test_json_examples_are_what_the_product_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers to 12 digits (another processor may round the last one), everything else to the letter."""

    def printed(command: str, folder: str) -> str:
        return run_here(shlex.split(command)[1:], Path(folder)).stdout.strip()

    monkeypatch.setattr(examples, "printed", printed)
    written = examples.EXAMPLE.findall(text_of("docs/json.md"))
    renewed = examples.EXAMPLE.findall(examples.renewed(text_of("docs/json.md")))
    assert len(written) >= 8
    for (_, command, old, _), (_, _, new, _) in zip(written, renewed, strict=True):
        assert_same(json.loads(old), json.loads(new), command)


def assert_same(old: object, new: object, where: str) -> None:
    if isinstance(old, dict) and isinstance(new, dict):
        assert list(old) == list(new), where
        for key, value in old.items():
            assert_same(value, new[key], f"{where} {key}")
    elif isinstance(old, list) and isinstance(new, list):
        assert len(old) == len(new), where
        for one, other in zip(old, new, strict=True):
            assert_same(one, other, where)
    elif isinstance(old, float):
        assert new == pytest.approx(old, rel=1e-12, abs=1e-15), where
    else:
        assert old == new, where
