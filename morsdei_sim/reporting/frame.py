"""Templates filled in: a page of one language, or one page that holds an edition of itself in every language."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from morsdei_sim.lang import LANGUAGES, _, language, ngettext, speaking
from morsdei_sim.reporting import colours

__all__ = ["Edition", "as_data", "bound", "edition", "render"]

TEMPLATES = Path(__file__).parent / "templates"
CALLED = {"en": "English", "ru": "Русский"}
PANELS = 24
"""Choices that a switch of the page can have."""
COLUMNS = 60
"""Columns of a list that can hold numbers."""


@dataclass(frozen=True)
class Edition:
    """What a page says in one language."""

    lang: str
    title: str
    body: Markup

    @property
    def called(self) -> str:
        """The language's own name."""
        return CALLED[self.lang]


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.globals.update({"_": _, "ngettext": ngettext})
    return environment


def render(template: str, script: str, styles: Sequence[str], **content: Any) -> str:
    """The page of a template, in the language of the messages, with a script and style sheets that lie beside it."""
    code = (TEMPLATES / script).read_text(encoding="utf-8")
    return (
        _templates()
        .get_template(template)
        .render(
            lang=language(),
            style=Markup("".join((TEMPLATES / name).read_text(encoding="utf-8") for name in styles)),
            script=Markup(code),
            # The page allows exactly this script, so that no card can smuggle in another.
            script_digest=base64.b64encode(hashlib.sha256(code.encode()).digest()).decode(),
            **content,
        )
    )


def edition(template: str, title: str, **content: Any) -> Edition:
    """A template filled in, in the language of the messages."""
    body = _templates().get_template(template).render(lang=language(), title=title, **content)
    return Edition(language(), title, Markup(body))


def as_data(value: Any) -> str:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def bound(write: Callable[[], Edition], first: str, record: Any = None) -> str:
    """One page of an edition in every language, with a switch; it opens in the language `first`, and keeps a record."""
    editions = []
    for lang in LANGUAGES:
        with speaking(lang):
            editions.append(write())
    shades = {
        "sequential": [(colour, colours.on(colour)) for colour in colours.sequential()],
        "diverging": [(colour, colours.on(colour)) for colour in colours.diverging()],
    }
    return render(
        "shell.html.j2", "page.js", ("style.css",), editions=editions, first=first, panels=PANELS, columns=COLUMNS,
        data="" if record is None else Markup(as_data(record)), **shades,
    )  # fmt: skip
