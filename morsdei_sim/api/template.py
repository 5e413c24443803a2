"""The verb `template`: an empty card file to fill in, or existing cards in another format."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.command import command, of_ruleset
from morsdei_sim.lang import _, language
from morsdei_sim.paths import profiles_dir

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Template", "schema_link", "template"]


@dataclass(frozen=True)
class Template:
    """A card file that was written."""

    ruleset: str
    path: Path
    cards: int
    source: Path | None = None
    notes: tuple[str, ...] = ()
    """What the fields mean, where the file itself has no room for it."""

    def __repr__(self) -> str:
        if self.source is None:
            text = _("{file} written: fill it in, then run: {command}")
            said = text.format(file=self.path, command=command("validate", self.path, *of_ruleset(self.ruleset)))
            return "\n".join([said, "", *self.notes]) if self.notes else said
        return _("{file} written from {source}.").format(file=self.path, source=self.source)

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>"

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema_version": 1,
            "ruleset": self.ruleset,
            "file": str(self.path),
            "cards": self.cards,
            "source": str(self.source) if self.source else None,
        }

    def to_frame(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame([self.to_dict()])


def template(
    path: str | Path,
    source: str | Path | None = None,
    ruleset: str = "morsdei",
    lang: str | None = None,
    force: bool = False,
) -> Template:
    """Write a card file with an example and notes, or convert one.

    Parameters
    ----------
    path : str or Path
        The ending chooses the format: ``.toml``, ``.csv`` or ``.xlsx``.
    source : str or Path, optional
        A card file, a squad of the room or one card of them: its cards are written instead of the example.
    ruleset : str
        The room.
    lang : {"en", "ru"}, optional
        Language of titles and notes; otherwise that of the messages.
    force : bool
        Overwrite an existing file.

    Returns
    -------
    Template

    Raises
    ------
    UserError
        The file exists, cannot be written, or has an unknown ending.
    CardFaults
        The source is missing or has faults.

    Examples
    --------
    >>> import morsdei_sim, tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> morsdei_sim.template(folder / "mine.xlsx", source="bulwark").cards
    2
    """
    from morsdei_sim.cards import find, locate, read_squad, write
    from morsdei_sim.cards import template as blank
    from morsdei_sim.rulesets import room

    chosen, target = room(ruleset), Path(path)
    language_ = lang or language()
    link = schema_link(target, chosen.name)
    if source is None:
        notes = blank(target, chosen.model, language_, force=force, schema=link)
        return Template(ruleset, target, 1, notes=tuple(notes) if target.suffix.lower() == ".csv" else ())
    file, name = locate(str(source), profiles_dir() / chosen.name)
    squad = read_squad(file, chosen.model)
    cards = (find(str(source), chosen.model, profiles_dir() / chosen.name),) if name else squad.cards
    write(target, cards, chosen.model, language_, force=force, schema=link, squad=squad.name, squad_ru=squad.name_ru)
    return Template(ruleset, target, len(cards), file)


def schema_link(target: Path, room: str) -> str:
    """Where the room's schema lies as seen from the new file."""
    schema = profiles_dir() / "schema" / f"{room}.json"
    try:
        return Path(os.path.relpath(schema, target.resolve().parent)).as_posix()
    except ValueError:  # another drive of a Windows machine
        return schema.as_uri()
