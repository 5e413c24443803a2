"""The verb `init`: a working folder with sample cards, a study and a notebook, all of which run as they stand."""

from __future__ import annotations

import html
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.command import command, of_ruleset
from morsdei_sim.api.template import schema_link
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, language, set_language
from morsdei_sim.paths import profiles_dir

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.rulesets import Room

__all__ = ["FOLDER", "Init", "init"]

FOLDER = "my-game"
CARDS, SHEET, STUDY, NOTEBOOK = "cards.toml", "cards.xlsx", "study.toml", "notebook.ipynb"


@dataclass(frozen=True)
class Init:
    """A working folder that was made."""

    ruleset: str
    folder: Path
    files: tuple[str, ...]
    commands: tuple[str, ...]
    """What to type next, in this order."""

    def __repr__(self) -> str:
        made = _("{folder} is made: {files}.").format(folder=self.folder, files=", ".join(self.files))
        cards = _("{cards} and {sheet} hold the same cards: edit one of them, delete the other.").format(
            cards=CARDS, sheet=SHEET
        )
        lines = list(self.commands)
        if find_spec("jupyterlab"):
            from morsdei_sim.cards.safe import quoted

            lines.append(quoted(sys.executable, "-m", "jupyterlab", self.folder / NOTEBOOK))
        return "\n".join([made, cards, "", _("Next:"), *(f"  {line}" for line in lines)])

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema_version": 1,
            "ruleset": self.ruleset,
            "folder": str(self.folder),
            "files": list(self.files),
            "commands": list(self.commands),
        }

    def to_frame(self) -> pd.DataFrame:
        """One row a file."""
        import pandas as pd

        return pd.DataFrame({"file": [str(self.folder / name) for name in self.files]})


def init(folder: str | Path = FOLDER, ruleset: str = "morsdei", lang: str | None = None) -> Init:
    """Make a working folder: sample cards as TOML and XLSX, a small study of them, and a notebook.

    Parameters
    ----------
    folder : str or Path
        A folder that is not there yet.
    ruleset : str
        The room.
    lang : {"en", "ru"}, optional
        Language of notes and titles; otherwise that of the messages.

    Returns
    -------
    Init

    Raises
    ------
    UserError
        The folder exists (nothing in it is touched), or cannot be made.

    Examples
    --------
    >>> import morsdei_sim, tempfile, pathlib
    >>> made = morsdei_sim.init(pathlib.Path(tempfile.mkdtemp()) / "mine")
    >>> made.files
    ('cards.toml', 'cards.xlsx', 'study.toml', 'notebook.ipynb')
    """
    from morsdei_sim.api.first_notebook import notebook
    from morsdei_sim.cards.output import save
    from morsdei_sim.rulesets import room

    target, chosen, spoken = Path(folder), room(ruleset), lang or language()
    _check(target)
    guide, derived = chosen.part("variants", "GUIDE"), chosen.part("variants", "DERIVED")
    figure = next(name for name in (guide.headline["shoot"], *guide.shown["shoot"]) if name not in derived)
    lines = _commands(target, ruleset, figure)
    before = language()
    set_language(spoken)
    try:
        with _whole(target) as draft:
            _cards(draft, target, chosen, spoken)
            save(draft / STUDY, _study(ruleset, lines), force=False)
            save(draft / NOTEBOOK, notebook(CARDS, STUDY, ruleset, figure), force=False)
    finally:
        set_language(before)
    return Init(ruleset, target, (CARDS, SHEET, STUDY, NOTEBOOK), tuple(lines))


def _check(folder: Path) -> None:
    """Whether the folder can be made; all that is in the way is said at once."""
    from morsdei_sim.cards.output import check_destination

    try:
        there = os.path.lexists(folder)
        held = sorted(one.name for one in folder.iterdir())[:5] if folder.is_dir() else []
    except (OSError, ValueError):
        there, held = True, []
    if there:
        message = _("{folder} is there already; name a folder that is not").format(folder=folder)
        inside = _("it holds {names}").format(names=", ".join(held)) if held else ""
        raise UserError(f"{message} ({inside})" if inside else message)
    check_destination(folder, force=False)


@contextmanager
def _whole(folder: Path) -> Iterator[Path]:
    """A folder under a temporary name, given its own once everything is written; nothing stays of one that failed."""
    from morsdei_sim.cards.safe import os_reason

    draft = None
    try:
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name[:100]}.", dir=folder.parent))
        yield draft
        umask = os.umask(0)
        os.umask(umask)
        draft.chmod(0o777 & ~umask)  # mkdtemp lets only the owner in
        draft.rename(folder)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = os_reason(error) if isinstance(error, OSError) else str(error)
        raise UserError(_("{file}: cannot be written: {reason}").format(file=folder, reason=reason)) from None
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)


def _cards(draft: Path, folder: Path, chosen: Room, lang: str) -> None:
    """The room's sample cards in both formats, with notes on every field."""
    from morsdei_sim.cards import notes_on, read_squad, write

    squad = read_squad(profiles_dir() / chosen.name / "start" / CARDS, chosen.model)
    name = squad.name_ru if lang == "ru" else squad.name
    for file in (CARDS, SHEET):
        notes = notes_on(chosen.model, lang, table=file == SHEET)
        schema = schema_link(folder / CARDS, chosen.name)
        write(draft / file, squad.cards, chosen.model, lang, squad=name, schema=schema, notes=notes)


def _study(ruleset: str, commands: Sequence[str]) -> bytes:
    """The room's sample study, with what can be done with it."""
    told = [
        _("A study: one question asked of every pair of attacker and target, with some numbers varied."),
        _("A list is varied: add values to it, or write further lists (docs/sweeps.md)."),
        *(f"    {line}" for line in commands if " sweep " in line),
    ]
    sample = (profiles_dir() / ruleset / "start" / STUDY).read_text(encoding="utf-8")
    return ("".join(f"# {line}\n" for line in told) + "\n" + sample).encode()


def _commands(folder: Path, ruleset: str, figure: str) -> list[str]:
    cards, study, of = folder / CARDS, folder / STUDY, of_ruleset(ruleset)
    return [
        command("validate", cards, *of),
        command("matrix", cards, "--targets", "field", *of),
        command("sweep", "run", study),
        command("sweep", "show", study.with_suffix(".sweep"), "--figure", figure),
        command("report", cards, *of),
    ]
