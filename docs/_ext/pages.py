"""What pages have around them: navigation in their language, the sister page in the other, links out of the docs."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from sphinx.application import Sphinx

OUTSIDE = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<path>(?:\.\./)+[^)#\s]+)(?P<part>#[^)\s]*)?\)")
HERE = ((re.compile(r".*/rulesets/(\w+)/RULES\.md"), r"reference/rules/\1.md"),
        (re.compile(r".*/CHANGELOG\.md"), "reference/changelog/index.md"))  # fmt: skip
"""Files outside the docs that are pages of the site too."""

RUSSIAN = "ru/"
VERBS = "reference/verbs/"


def sister(page: str) -> str:
    """The same page in the other language."""
    if page.startswith(RUSSIAN):
        english = page.removeprefix(RUSSIAN)
        return "reference/" + english if english.startswith("verbs/") else english
    return RUSSIAN + (page.removeprefix("reference/") if page.startswith(VERBS) else page)


def surround(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Language, sister page and navigation, for the template."""
    russian = page.startswith(RUSSIAN)
    known = app.env.found_docs
    context["lang"] = "ru" if russian else "en"
    context["sister"] = next(one for one in (sister(page), "index" if russian else "ru/index") if one in known)
    context["home"] = "ru/index" if russian else "index"
    # A cell without a title above a column is no header.
    context["body"] = re.sub(r'<th class="head">(<p></p>)?</th>', "<td></td>", context.get("body", ""))
    if "toctree" in context:
        first, *groups = context["toctree"](maxdepth=2, collapse=True, includehidden=True, titles_only=True).split(
            '<p class="caption"'
        )
        groups = ['<p class="caption"' + group for group in groups]
        own = groups[-1:] if russian else groups[:-1]
        # The theme says that a caption is a heading, but not of which level; it is the label of a list.
        context["navigation"] = (first + "".join(own)).replace(' role="heading"', "")


def inside(_app: Sphinx, page: str, source: list[str]) -> None:
    """Links that lead out of the docs: to a page of the site, where it is one; of pages that are none, the words stay;
    of any other file there is a copy."""
    folder = posixpath.dirname(page)

    def changed(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link["path"]))
        for outside, there in HERE:
            if found := outside.fullmatch(target):
                path = posixpath.relpath(found.expand(there), folder or ".")
                return f"[{link['text']}]({path}{link['part'] or ''})"
        return link["text"] if target.startswith("../") and target.endswith(".md") else link[0]

    source[0] = OUTSIDE.sub(changed, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", surround)
    app.connect("source-read", inside)
    return {"parallel_read_safe": True}
