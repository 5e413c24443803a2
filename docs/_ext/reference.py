"""The reference, made of the product when the site is built: a page for each verb in each language, the results that
the calls return, the tables of rules, the changelog. No option and no argument is written down twice."""

from __future__ import annotations

import importlib
import inspect
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from sphinx.application import Sphinx

import morsdei_sim
from morsdei_sim import cli
from morsdei_sim.api.ask import ask
from morsdei_sim.cli import common
from morsdei_sim.lang import LANGUAGES, _, set_language
from morsdei_sim.rulesets import DEFAULT, ROOMS, room

DOCS = Path(__file__).resolve().parents[1]

CALLS = {
    "sweep": ("run_study", "open_sweep"),
    "battle": ("battle", "bot"),
    "matrix": ("matrix", "explore"),
    "report": ("report", "report_diff"),
}
"""Public calls of a verb, where they are others than the one of its name."""

WORDS = {
    "en": {"command": "At the command line", "options": "Options", "common": "Options of every ruleset",
           "ruleset": "Ruleset", "python": "In Python", "verbs": "Verbs", "arguments": "Arguments"},
    "ru": {"command": "В командной строке", "options": "Параметры", "common": "Параметры для всех сводов правил",
           "ruleset": "Свод правил", "python": "В Python", "verbs": "Команды", "arguments": "Аргументы"},
}  # fmt: skip


def write_all(app: Sphinx) -> None:
    """Write the pages below `reference/` and `ru/`; git does not know them."""
    source = Path(app.srcdir)
    common.speak_click()
    for lang in LANGUAGES:
        folder = source / ("reference" if lang == "en" else lang) / "verbs"
        pages = {verb: verb_page(verb, lang) for verb in cli.VERBS}
        write(folder, {**pages, "index": verbs_page(lang)})
    set_language("en")
    write(source / "reference" / "results", {"index": results_page(), "arguments": arguments_page()})
    changes = (source.parent / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](../../")
    write(source / "reference" / "changelog", {"index": changes})
    rules = {name: rules_of(name) for name in ROOMS}
    write(source / "reference" / "rules", {**rules, "index": rules_page(rules)})


def write(folder: Path, pages: dict[str, str]) -> None:
    """Those pages and no others; what is the same is left alone, so that a second build is quick."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.stem not in pages:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for name, text in pages.items():
        file = folder / f"{name}.md"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8", newline="\n")


# ── the command line ──────────────────────────────────────────────────────────────────────────────────────────────────


def verbs_page(lang: str) -> str:
    """All verbs, each with its sentence."""
    set_language(lang)
    rows = [f"[`{verb}`]({verb}.md)\n: {_(line)}\n" for verb, line in cli.VERBS.items()]
    tree = ["```{toctree}", ":hidden:", "", *cli.VERBS, "```"]
    return "\n".join([f"# {WORDS[lang]['verbs']}", "", *rows, *tree]) + "\n"


def verb_page(verb: str, lang: str) -> str:
    """A verb as its `--help` tells it, then as a call (in English: docstrings have one language)."""
    set_language(lang)
    words = WORDS[lang]
    found = [f"# {verb}", "", _(cli.VERBS[verb]), "", f"## {words['command']}", ""]
    asked = [name for name in ROOMS if verb in room(name).flags]
    if asked:
        found += of_rulesets(verb, asked, words)
    else:
        found += of_command(verb, command(verb, DEFAULT))
        for name, below in commands_below(verb).items():
            found += [f"### {verb} {name}", "", *of_command(f"{verb} {name}", below)]
    if lang == "en":
        found += [f"## {words['python']}", "", *(line for name in calls(verb) for line in call(name))]
        found += [f"What `--json` prints: [the JSON of every verb](../../json.md{anchor(verb)}).", ""]
    else:
        found += [f"## {words['python']}", "", f"`{'`, `'.join(calls(verb))}`: "
                  f"[по-английски](../../reference/verbs/{verb}.md#in-python).", ""]  # fmt: skip
    return "\n".join(found)


def anchor(verb: str) -> str:
    page = (DOCS / "json.md").read_text(encoding="utf-8")
    return f"#{verb}" if f"\n## {verb}\n" in page else ""


def command(verb: str, ruleset: str) -> click.Command:
    """The command in the language of the messages, with the options of a ruleset."""
    before, sys.argv = sys.argv, ["python3 -m morsdei_sim", "--ruleset", ruleset]
    try:
        module = importlib.import_module(f"morsdei_sim.cli.{verb}")
        importlib.reload(module)  # its help was translated when it was loaded
        found = cli.main.get_command(click.Context(cli.main), verb)
    finally:
        sys.argv = before
    assert found is not None
    return found


def of_rulesets(verb: str, names: Iterable[str], words: dict[str, str]) -> Iterator[str]:
    """A question: what each ruleset has of its own, then what all have."""
    known = {name: command(verb, name) for name in names}
    options = {name: dict(described(one)) for name, one in known.items()}
    shared = set.intersection(*(set(found.items()) for found in options.values()))
    for name, one in known.items():
        yield f"### {words['ruleset']} {name}"
        yield ""
        yield from usage(verb, one)
        own = {term: text for term, text in options[name].items() if len(options) == 1 or (term, text) not in shared}
        yield from terms(own)
    if len(options) > 1:
        yield f"### {words['common']}"
        yield ""
        yield from terms({term: text for term, text in options[next(iter(known))].items() if (term, text) in shared})


def of_command(name: str, one: click.Command) -> Iterator[str]:
    """Usage, help and options of a command."""
    yield from usage(name, one)
    yield from terms(dict(described(one)))


def commands_below(verb: str) -> dict[str, click.Command]:
    """The commands that a verb's module has beside its own, by name."""
    module = importlib.import_module(f"morsdei_sim.cli.{verb}")
    found = [one for one in vars(module).values() if isinstance(one, click.Command) and one is not module.command]
    return {one.name or "": one for one in found}


def usage(name: str, one: click.Command) -> Iterator[str]:
    """How it is written, and what its help says; examples as code."""
    pieces = one.collect_usage_pieces(click.Context(one))
    yield f"```sh\n{' '.join(['python3 -m morsdei_sim', name, *pieces])}\n```\n"
    help_ = inspect.cleandoc(one.help or "").split("\n\n")
    for example, paragraphs in groupby(help_, lambda text: text.startswith("\b\n")):
        if example:
            lines = [text.removeprefix("\b\n").strip() for text in paragraphs]
            yield "\n".join(["```sh", *lines, "```", ""])
        else:
            yield "\n\n".join(linked(marked(text), "../../") for text in paragraphs) + "\n"


def described(one: click.Command) -> Iterator[tuple[str, str]]:
    """Each option as the help shows it: how it is written, what it does."""
    context = click.Context(one)
    for parameter in one.get_params(context):
        record = parameter.get_help_record(context)
        if record and record[1]:  # an argument has its name only
            yield record


def terms(found: dict[str, str]) -> Iterator[str]:
    """A list of definitions."""
    for term, text in found.items():
        yield f"`{term}`\n: {marked(' '.join(text.split()))}\n"


def marked(text: str) -> str:
    """Plain text in which Markdown must see nothing but code."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<>\[\]])", r"\\\1", part) for part in parts)


# ── calls ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def calls(verb: str) -> tuple[str, ...]:
    """The public calls of a verb."""
    return CALLS.get(verb, (verb,))


def call(name: str) -> Iterator[str]:
    """A public function: how it is called, and its docstring."""
    function = getattr(morsdei_sim, name)
    yield f"```python\nmorsdei_sim.{name}{signature(function)}\n```\n"
    yield from docstring(function, "../../")
    results = [f"[`{kind.__name__}`](../results/index.md#{kind.__name__.lower()})" for kind in returned(function)]
    if results:
        yield f"What comes back: {', '.join(results)}.\n"


def signature(function: Any, own: bool = False) -> str:
    """Arguments with what they are unless given; one a line where there are many."""
    parts, star = [], False
    for one in list(inspect.signature(function).parameters.values())[1 if own else 0 :]:
        if one.kind is one.KEYWORD_ONLY and not star:
            parts.append("*")
        star = star or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        mark = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        parts.append(mark + one.name + ("" if one.default is one.empty else f"={one.default!r}"))
    line = f"({', '.join(parts)})"
    return line if len(line) < 70 else "(\n    " + ",\n    ".join(parts) + ",\n)"


def returned(function: Any) -> list[type]:
    """The classes of what a call returns, by its annotation."""
    module = sys.modules[function.__module__]
    names = re.findall(r"\w+", str(inspect.signature(function).return_annotation))
    found = [getattr(module, name, None) for name in names]
    return [one for one in found if inspect.isclass(one) and one.__module__.startswith("morsdei_sim.api")]


def results_page() -> str:
    """What the calls return."""
    kinds = {kind: None for verb in cli.VERBS for name in calls(verb) for kind in returned(getattr(morsdei_sim, name))}
    said = "Every call returns a small object that prints as the verb does, in a notebook as a table."
    found = ["# What the calls return", "", said, ""]
    for kind in sorted(kinds, key=lambda one: one.__name__):
        found += [f"## {kind.__name__}", "", *docstring(kind, "../../")]
        for name, member in members(kind):
            shown = f"{name}{signature(member, own=True)}" if inspect.isfunction(member) else name
            text = inspect.cleandoc((member.fget if isinstance(member, property) else member).__doc__ or "")
            first = " ".join(text.split("\n\n")[0].split())
            found.append(f"`{shown}`\n: {linked(marked(first), '../../') or '…'}\n")
    return "\n".join(found)


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties, those of its bases too."""
    for name, member in inspect.getmembers(kind, lambda one: inspect.isfunction(one) or isinstance(one, property)):
        if not name.startswith("_"):
            yield name, member


def arguments_page() -> str:
    """What all questions share."""
    head = [
        "# Arguments that all questions share",
        "",
        "`shoot`, `melee`, `duel` and their like take these by name.",
        "",
    ]
    return "\n".join([*head, *docstring(ask, "../../")])


SECTION = re.compile(r"\n([A-Z]\w+)\n-{3,}\n")
ENTRY = re.compile(r"(?m)^(?=\S)")


def docstring(thing: Any, top: str) -> Iterator[str]:
    """A docstring of the house: its sentences, then sections of entries; `top` leads to the folder of all pages."""
    summary, *sections = SECTION.split("\n" + inspect.cleandoc(thing.__doc__ or ""))
    yield linked(marked(summary.strip()), top) + "\n"
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        yield f"**{title}**\n"
        if title == "Examples":
            yield f"```pycon\n{body.strip()}\n```\n"
            continue
        for entry in filter(str.strip, ENTRY.split(body)):
            yield linked(definition(entry), top)


def definition(entry: str) -> str:
    """`name : text`, or a name and its text below."""
    first, _newline, rest = entry.partition("\n")
    term, colon, said = first.partition(" : ")
    text = " ".join(f"{said}\n{rest}".split())
    if colon and rest.strip() and re.fullmatch(r"[\w.{}\"', ]+(, optional)?", said) and "." not in said:
        text = f"{said}: {' '.join(rest.split())}"  # `name : type` and the text below
    return f"`{term.strip()}`\n: {marked(text) or '…'}\n"


def linked(text: str, top: str) -> str:
    """Pages of these docs that a docstring names become links."""
    text = text.replace("`morsdei_sim.api.ask`", f"[what all questions share]({top}reference/results/arguments.md)")
    return re.sub(r"docs/([\w-]+)\.md", lambda found: f"[{title(found[1])}]({top}{found[1]}.md)", text)


def title(page: str) -> str:
    """The heading of a page of the docs."""
    return (DOCS / f"{page}.md").read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


# ── rules ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def rules_of(name: str) -> str:
    """The table of rules of a ruleset, as it lies in its folder."""
    return (Path(morsdei_sim.__file__).parent / "rulesets" / name / "RULES.md").read_text(encoding="utf-8")


def rules_page(rules: Iterable[str]) -> str:
    names = list(rules)
    links = [f"- [{name}]({name}.md)" for name in names]
    head = ["# Where each rule stands", "", "Every rule of a rulebook: its function, its test, how far it is.", ""]
    return "\n".join([*head, *links, "", "```{toctree}", ":hidden:", "", *names, "```", ""])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", write_all)
    return {"parallel_read_safe": True}
