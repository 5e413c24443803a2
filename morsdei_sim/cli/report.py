"""`morsdei-sim report`: everything about the balance of some cards, as one HTML file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from morsdei_sim.cli import complete
from morsdei_sim.cli.common import Option, Whole, common_options, emit, output_options, rule_option, verb_help
from morsdei_sim.lang import N_, _

HELP = N_(
    "A report on the balance of a ruleset, one HTML page in English and Russian.\n\n"
    "CARDS are squads, files, folders or squad/fighter; all cards of the ruleset when none are named. Or one sweep: "
    "its folder, or its study file. `report diff OLD NEW` compares two reports, or two sweeps."
)
EXAMPLES = (
    "report",
    "report line my.toml --out line.html --lang ru --pdf",
    "report study.sweep",
    "report diff old.html new.html",
)
DIFF = N_(
    "Compare two reports, pages that `report` wrote, or two sweeps: which cards changed and what that moved.\n\n"
    "Cards of a squad or file called `diff`: report ./diff"
)
DIFF_EXAMPLES = (
    "report diff reports/old.html reports/new.html",
    "report diff old.sweep new.sweep --out diff.html",
)

MANY = 30_000
"""So many questions are announced before they are asked."""


def _announced(
    progress: Callable[[int, int], None] | None, announce: Callable[[int], None]
) -> Callable[[int, int], None]:
    """The progress that also says, once and at its beginning, that there are many questions; games come after them."""
    said: list[int] = []

    def show(done: int, planned: int) -> None:
        if not said:
            said.append(planned)
            if planned > MANY:
                announce(planned)
        if progress is not None:
            progress(done, planned)

    return show


_out = click.option(
    "--out",
    default=None,
    metavar="FILE.html",
    cls=Option,
    help=N_("The file to write, replacing an older one; otherwise reports/NAME.html, after the cards."),
)
_pdf = click.option(
    "--pdf",
    is_flag=True,
    default=False,
    cls=Option,
    help=N_("Write a PDF beside it too, in the language of --lang, printed by an installed Chromium, Chrome or Edge."),
)


@click.command(help=verb_help(DIFF, *DIFF_EXAMPLES))
@click.argument("old")
@click.argument("new")
@_out
@_pdf
@output_options
def diff(old: str, new: str, out: str | None, pdf: bool, as_json: bool, lang: str, quiet: bool) -> int:
    import morsdei_sim

    emit(morsdei_sim.report_diff(old, new, out, lang, pdf=pdf), as_json)
    return 0


class Report(click.Command):
    """`report CARDS...`, and `report diff OLD NEW` where the first word is `diff`."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["diff"]:
            return diff.make_context(f"{info_name} diff", args[1:], parent=parent, **extra)
        return super().make_context(info_name, args, parent=parent, **extra)


@click.command(cls=Report, help=verb_help(HELP, *EXAMPLES))
@click.argument("cards", nargs=-1, shell_complete=complete.squads)
@_out
@_pdf
@click.option(
    "--figure",
    default=None,
    metavar="NAME",
    cls=Option,
    help=N_("Of a sweep: what to show of it, for instance kill; a name that does not exist lists them all."),
)
@click.option(
    "--field",
    multiple=True,
    default=(),
    metavar="CARDS",
    shell_complete=complete.squads,
    cls=Option,
    help=N_("Reference targets, named like cards, several times if need be; otherwise the ruleset's own."),
)
@rule_option
@click.option(
    "--games",
    type=Whole(min=0),
    default=None,
    cls=Option,
    help=N_("Whole games of each pairing of the squads named, 0 for none; otherwise about 4000 in all."),
)
@common_options
def command(
    cards: tuple[str, ...], field: tuple[str, ...],
    executor: str, as_json: bool, lang: str, quiet: bool, **values: Any,
) -> int:  # fmt: skip
    import morsdei_sim
    from morsdei_sim.cli.progress import bar

    def announce(questions: int) -> None:
        if not quiet:
            text = _("{questions} questions: this will take minutes and perhaps gigabytes of memory. Ctrl-C stops it.")
            click.echo(text.format(questions=f"{questions:,}".replace(",", " ")), err=True)

    with bar(quiet, "questions, then games") as progress:
        found = morsdei_sim.report(
            list(cards), field=list(field), lang=lang, progress=_announced(progress, announce), **values
        )  # fmt: skip
    emit(found, as_json)
    return 0
