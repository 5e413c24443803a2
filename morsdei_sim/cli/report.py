"""`morsdei-sim report`: everything about the balance of some cards, as one HTML file."""

from __future__ import annotations

from typing import Any

import click

from morsdei_sim.cli.common import Option, common_options, emit
from morsdei_sim.lang import N_, _

HELP = N_(
    "A report on the balance of a ruleset, one HTML page.\n\n"
    "CARDS are squads, files, folders or squad/fighter; all cards of the ruleset when none are named.\n\n"
    "    morsdei-sim report\n\n"
    "    morsdei-sim report line my_squad.toml --out line.html --lang ru"
)


@click.command(help=_(HELP))
@click.argument("cards", nargs=-1)
@click.option(
    "--out",
    default=None,
    metavar="FILE.html",
    cls=Option,
    help=N_("The file to write, replacing an older one; otherwise reports/RULESET-LANG.html."),
)
@click.option(
    "--field",
    multiple=True,
    default=(),
    metavar="CARDS",
    cls=Option,
    help=N_("Reference targets, named like cards, several times if need be; otherwise the ruleset's own."),
)
@click.option(
    "--rule",
    multiple=True,
    default=(),
    metavar="NAME=N",
    cls=Option,
    help=N_("Change a number of the rulebook, for instance may_pass=1."),
)
@common_options
def command(
    cards: tuple[str, ...], field: tuple[str, ...], rule: tuple[str, ...],
    executor: str, as_json: bool, lang: str, quiet: bool, **values: Any,
) -> int:  # fmt: skip
    import morsdei_sim
    from morsdei_sim.cli.progress import bar
    from morsdei_sim.cli.question import _numbers

    with bar(quiet, "questions") as progress:
        found = morsdei_sim.report(
            list(cards), field=list(field), lang=lang, rules=_numbers(rule), progress=progress, **values
        )
    emit(found, as_json)
    return 0
