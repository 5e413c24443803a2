"""The command line: `morsdei-sim VERB`. A verb's module is loaded when the verb is used, and not before.

Exit codes: 0 fine, 1 a balance gate failed, 2 wrong usage or environment, 3 invalid cards, 4 stopped early but
resumable, 130 Ctrl-C. Results go to stdout and everything else to stderr.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

import morsdei_sim
from morsdei_sim.api.command import program
from morsdei_sim.api.completion import VARIABLE
from morsdei_sim.cli import common, complete
from morsdei_sim.lang import LANGUAGES, N_, _, choose_language, set_language

# In the order a designer meets them. A verb `foo-bar` is the object `command` of `morsdei_sim/cli/foo_bar.py`.
VERBS = {
    "shoot": N_("One shooting attack: what is left of the target."),
    "melee": N_("One melee exchange, with the best choices of both sides or choices you name."),
    "activations": N_("How many activations of shooting it takes to remove the target."),
    "duel": N_("A fight to the end between two fighters: approach, shooting, charge, melee."),
    "charge": N_("A charge, from overwatch to flight (ruleset club)."),
    "wounds": N_("What becomes of a fighter that is hurt (ruleset club)."),
    "watch": N_("A shot from watch at a walker (ruleset moran)."),
    "engagement": N_("A small battle of two squads under bots (rulesets club and moran)."),
    "battle": N_("Whole games of two squads under bots (ruleset morsdei)."),
    "ladder": N_("Every bot against every other (ruleset morsdei)."),
    "boards": N_("The boards there are, and what one looks like (ruleset morsdei)."),
    "replay": N_("One game of a battle by its number, move by move (ruleset morsdei)."),
    "matrix": N_("Every fighter against every other."),
    "sweep": N_("A question asked in every cell of a study, resumable."),
    "init": N_("A working folder with sample cards, a study and a notebook."),
    "validate": N_("Check card files; says everything that is wrong at once."),
    "show": N_("A fighter's card, as the program reads it."),
    "schema": N_("The JSON Schema of the cards, for completion in an editor."),
    "template": N_("An empty card file to fill in: TOML, CSV or XLSX."),
    "doctor": N_("Versions, cache, threads, language, and what to mend on this machine."),
    "completion": N_("Completion of verbs, options and names at the Tab key."),
    "report": N_("A report on the balance of a ruleset, one HTML page."),
    "test": N_("Run the project's own tests."),
}


class Shell(click.Group):
    """A group that loads verbs late and turns whatever goes wrong into a message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"morsdei_sim.cli.{cmd_name.replace('-', '_')}")
        # A question is put to a ruleset, and its options are made when it is known which.
        command: click.Command = module.command if isinstance(module.command, click.Command) else module.command()
        # One name and one sentence per verb, wherever it is shown.
        command.name = cmd_name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand:  # click guesses only among commands that are loaded
            raise click.NoSuchCommand(args[0], possibilities=VERBS, ctx=ctx) from None

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(_(self.help) if self.help else "")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(_(self.epilog).format(program=program()) if self.epilog else "")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_("Verbs")):
            formatter.write_dl([(verb, _(line)) for verb, line in VERBS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:  # closed by `>&-`
                sys.stdout.flush()
            return result
        except BrokenPipeError:
            common.quiet_pipe()
            return 0

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> NoReturn:
        if complete.completing():
            complete.listen()
        arguments = list(sys.argv[1:] if args is None else args)
        set_language(choose_language(arguments))
        common.speak_click()
        common.write_utf8()
        _warn_of_language(arguments)
        extra.update(standalone_mode=False, prog_name=program(), complete_var=VARIABLE)
        try:
            code = super().main(arguments, *rest, **extra)
        except BaseException as reason:
            if complete.completing():  # nothing to offer; a message would land in the middle of what is being typed
                sys.exit(reason.code if isinstance(reason, SystemExit) else 1)
            code = common.explain(reason, arguments)
        # A verb may return its exit code; any other return value means that all went well.
        sys.exit(code if type(code) is int else 0)


def _warn_of_language(arguments: Sequence[str]) -> None:
    """MORSDEI_LANG=de is a wish that cannot be met: said once, and the program goes on."""
    wish = os.environ.get("MORSDEI_LANG", "")
    if wish and "--quiet" not in arguments and not wish.lower().startswith((*LANGUAGES, "c.", "posix")) and wish != "C":
        text = _("MORSDEI_LANG={wish}: there is no such language; there are: {known}.")
        click.echo(text.format(wish=common.clipped(wish), known=", ".join(LANGUAGES)), err=True)


def _show_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"morsdei-sim {morsdei_sim.__version__}")
        ctx.exit()


@click.group(
    cls=Shell,
    help=N_("What a change to a fighter card does to the game."),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=N_("Help on a verb: {program} VERB --help"),
)
@click.option(
    "--version",
    is_flag=True,
    default=False,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    cls=common.Option,
    help=N_("Show the version and exit."),
)
@click.option(
    "--debug", is_flag=True, default=False, cls=common.Option, help=N_("Show the traceback when something goes wrong.")
)
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default=None, cls=common.Option, help=N_("Language of the messages.")
)
@click.option(
    "--no-bootstrap",
    is_flag=True,
    default=False,
    cls=common.Option,
    help=N_("Never install anything (python3 -m morsdei_sim)."),
)
def main(debug: bool, lang: str | None, no_bootstrap: bool) -> None:
    """All four options are read before click sees them: by `Shell.main`, by `explain` and by `__main__`."""
