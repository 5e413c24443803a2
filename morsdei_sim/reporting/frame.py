"""A template filled in: language, style and the one script that a page may run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from morsdei_sim.lang import _, language, ngettext

__all__ = ["render"]

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, script: str, styles: Sequence[str], **content: Any) -> str:
    """The page of a template, in the language of the messages, with a script and style sheets that lie beside it."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.globals.update({"_": _, "ngettext": ngettext})
    code = (TEMPLATES / script).read_text(encoding="utf-8")
    return environment.get_template(template).render(
        lang=language(),
        style=Markup("".join((TEMPLATES / name).read_text(encoding="utf-8") for name in styles)),
        script=Markup(code),
        # The page allows exactly this script, so that no card can smuggle in another.
        script_digest=base64.b64encode(hashlib.sha256(code.encode()).digest()).decode(),
        **content,
    )
