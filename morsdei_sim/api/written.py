"""A page that was written: where it goes, checked before the work, and what is told of it."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from morsdei_sim.api.answer import SCHEMA_VERSION
from morsdei_sim.errors import UserError
from morsdei_sim.lang import LANGUAGES, _, decimal, language

__all__ = ["Destination", "Written"]

ENDINGS = (".html", ".htm")


@dataclass(frozen=True)
class Written:
    """A page of both languages, written to a file.

    Attributes
    ----------
    path : the file.
    pdf : the same printed, in the language in which the page opens; None where nobody asked for it.
    lang : the language in which it opens.
    size : bytes of the page.
    seconds : how long it took.
    """

    path: Path
    pdf: Path | None
    lang: str
    size: int
    seconds: float

    def written(self, verb: str) -> dict[str, Any]:
        """The beginning of a JSON document: where the files are."""
        return {
            "schema_version": SCHEMA_VERSION, "verb": verb, "path": str(self.path),
            "pdf": None if self.pdf is None else str(self.pdf), "lang": self.lang, "bytes": self.size,
            "seconds": round(self.seconds, 3),
        }  # fmt: skip

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        text = _("{path} ({size} kB, {seconds} s)")
        size, seconds = round(self.size / 1000), decimal(f"{self.seconds:.1f}")
        line = text.format(path=self.path, size=size, seconds=seconds)
        return line if self.pdf is None else f"{line}\n{self.pdf}"

    def _repr_html_(self) -> str:
        """The page itself in a frame of its own, so that a notebook shows it without a file server."""
        page = html.escape(self.path.read_text(encoding="utf-8"))
        frame = f'<iframe srcdoc="{page}" width="100%" height="700" style="border:1px solid #888"></iframe>'
        return f"<p>{html.escape(str(self.path))}</p>{frame}"


class Destination:
    """Where a page and its PDF go; made before the work, so that nobody waits for a file that cannot be written.

    Parameters
    ----------
    out : the file somebody named; otherwise ``reports/<name>.html``.
    lang : of the page; otherwise that of the messages.
    pdf : whether it is printed too.

    Raises
    ------
    UserError : a name, folder or language that will not do, or no browser to print with.
    """

    def __init__(self, out: str | Path | None, name: Callable[[], str], lang: str | None, pdf: bool) -> None:
        from morsdei_sim.cards.output import check_destination

        self.begun, self.lang = time.perf_counter(), _language(lang)
        self.path = Path(out) if out is not None else Path("reports") / f"{name()}.html"
        if self.path.suffix.lower() not in ENDINGS:  # above all: never replace a card file
            message = _("{file}: the name must end in {kinds}")
            raise UserError(message.format(file=self.path, kinds=", ".join(ENDINGS)))
        if out is None:
            _make_reports(self.path)
        check_destination(self.path, True)
        self.pdf = self.path.with_suffix(".pdf") if pdf else None
        if self.pdf is not None:
            from morsdei_sim.reporting.browser import needed

            check_destination(self.pdf, True)
            needed(self.pdf)

    def write(self, page: str) -> tuple[Path, Path | None, str, int, float]:
        """Write the page, and print it; what `Written` knows of it. The page stays when it cannot be printed."""
        from morsdei_sim.cards.output import save

        content = page.encode("utf-8", "xmlcharrefreplace")
        save(self.path, content, True)
        if self.pdf is not None:
            from morsdei_sim.reporting.browser import print_pdf

            print_pdf(self.path, self.pdf)
        return self.path, self.pdf, self.lang, len(content), time.perf_counter() - self.begun


def _language(lang: str | None) -> str:
    if lang is not None and lang not in LANGUAGES:
        raise UserError(
            _("There is no language {lang!r}; there are: {known}.").format(lang=lang, known=", ".join(LANGUAGES))
        )
    return lang or language()


def _make_reports(target: Path) -> None:
    """The folder that nobody named is made; one that somebody named is not (a slip of the pen)."""
    from morsdei_sim.cards.safe import unwritable

    try:
        target.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise unwritable(target, error) from None
