"""`morsdei-sim sweep`: a question asked in every cell of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from morsdei_sim.cli import complete
from morsdei_sim.cli.common import Option, Whole, emit, output_options, run_options, verb_help
from morsdei_sim.lang import LANGUAGES, N_, _

HELP = N_("A question asked again and again: cards, options and rules varied by a study file (docs/sweeps.md).")
RUN = N_(
    "Do the study STUDY, a TOML file; the parts lie in FOLDER, a path or a URL, otherwise beside it.\n\n"
    "Stopped by Ctrl-C, or killed, the same command goes on with what is left."
)
STATUS = N_("How much of a sweep is done.")
SHOW = N_("One figure of a sweep as a table, by axes.")
EXPORT = N_("The rows of a sweep as FILE.csv or FILE.xlsx.")
EXAMPLES = {
    "": ("run study.toml --dry-run", "run study.toml", "show study.sweep --figure kill"),
    "run": ("run study.toml --jobs 4", "run study.toml elsewhere --dry-run"),
    "status": ("status study.sweep", "status study.sweep --json"),
    "show": ("show study.sweep", "show study.sweep --figure mean_damage"),
    "export": ("export study.sweep kill.csv --figure kill", "export study.sweep rows.xlsx --lang ru"),
}


def _help(text: str, verb: str) -> str:
    return verb_help(text, *(f"sweep {example}" for example in EXAMPLES[verb]))


_figure = click.option(
    "--figure", default=None, metavar="NAME", cls=Option,
    help=N_("What to show of it, for instance kill; a name that does not exist lists them all."),
)  # fmt: skip


class Verbs(click.Group):
    """The commands of the verb, in the language of the messages."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(line)) for name, line in COMMANDS.items()])


COMMANDS = {
    "run": N_("Do a study, or go on with it."),
    "status": N_("How much of it is done."),
    "show": N_("One figure by axes."),
    "export": N_("Rows as CSV or XLSX."),
}


@click.group(cls=Verbs, help=_help(HELP, ""))
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default=None, expose_value=False, cls=Option,
    help=N_("Language of the messages."),
)  # fmt: skip
def command() -> None:
    """Everything is done by the commands below."""


@command.command("run", help=_help(RUN, "run"))
@click.argument("study", shell_complete=complete.studies)
@click.argument("folder", required=False, default=None)
@click.option(
    "--dry-run", is_flag=True, default=False, cls=Option, help=N_("Only say how long it will take and how large it is.")
)
@run_options
@click.option(
    "--executor", default="threads", show_default=True, metavar="WHERE", cls=Option,
    help=N_("Where the work is done: threads, dask://host:port or dask-file:PATH, a scheduler and its workers."),
)  # fmt: skip
@click.option(
    "--most-cells", type=Whole(min=1), default=100_000, show_default=True, cls=Option,
    help=N_("Refuse a larger design."),
)  # fmt: skip
@output_options
def run(study: str, folder: str | None, as_json: bool, lang: str, quiet: bool, **values: Any) -> int:
    import morsdei_sim
    from morsdei_sim.cli.progress import bar

    with bar(quiet, "cells") as progress:
        found = morsdei_sim.run_study(study, folder, progress=progress, **values)
    emit(found, as_json, quiet)
    if found.status != "incomplete":
        return 0
    if as_json:
        click.echo(_("To go on: {command}").format(command=found.command), err=True)
    return 4


@command.command("status", help=_help(STATUS, "status"))
@click.argument("folder", shell_complete=complete.sweeps)
@output_options
def status(folder: str, as_json: bool, lang: str, quiet: bool) -> int:
    from morsdei_sim.api.run_study import open_sweep

    emit(open_sweep(folder), as_json, quiet)
    return 0


@command.command("show", help=_help(SHOW, "show"))
@click.argument("folder", shell_complete=complete.sweeps)
@_figure
@output_options
def show(folder: str, figure: str | None, as_json: bool, lang: str, quiet: bool) -> int:
    from morsdei_sim.api.run_study import open_sweep

    emit(open_sweep(folder).show(figure), as_json)
    return 0


@command.command("export", help=_help(EXPORT, "export"))
@click.argument("folder", shell_complete=complete.sweeps)
@click.argument("file")
@_figure
@click.option("--force", is_flag=True, default=False, cls=Option, help=N_("Overwrite existing files."))
@output_options
def export(
    folder: str, file: str, figure: str | None, force: bool, as_json: bool, lang: str, quiet: bool
) -> int:  # fmt: skip
    from morsdei_sim.api.run_study import open_sweep
    from morsdei_sim.cards.output import check_destination

    check_destination(Path(file), force)  # before the work, not after it
    found: Any = open_sweep(folder)
    found.save(file, figure, force=force)
    if as_json:
        emit(found, True, quiet)
    elif not quiet:
        click.echo(file)
    return 0
