"""The verb `validate`: are the cards in these files valid?"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.lang import _, ngettext
from morsdei_sim.paths import profiles_dir

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Validation", "validate"]


@dataclass(frozen=True)
class Validation:
    """Files found valid, each with its squad's name and number of cards."""

    ruleset: str
    files: tuple[tuple[str, str, int], ...]

    @property
    def cards(self) -> int:
        return sum(count for _file, _squad, count in self.files)

    def __repr__(self) -> str:
        cards = ngettext("{count} card", "{count} cards", self.cards).format(count=self.cards)
        files = ngettext("{count} file", "{count} files", len(self.files)).format(count=len(self.files))
        return _("All valid: {cards} in {files}.").format(cards=cards, files=files)

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>"

    def to_dict(self) -> dict[str, Any]:
        files = [{"file": file, "squad": squad, "cards": count} for file, squad, count in self.files]
        return {"schema_version": 1, "ruleset": self.ruleset, "valid": True, "cards": self.cards, "files": files}

    def to_frame(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(list(self.files), columns=["file", "squad", "cards"])


def validate(*paths: str | Path | Sequence[str | Path], ruleset: str = "morsdei") -> Validation:
    """Check card files.

    Parameters
    ----------
    *paths : str or Path
        Files (``.toml .csv .xlsx .ods``) and folders; without any, the cards that come with the room.
    ruleset : str
        The room whose cards they are.

    Returns
    -------
    Validation

    Raises
    ------
    CardFaults
        With every fault of every file.

    Examples
    --------
    >>> import morsdei_sim
    >>> morsdei_sim.validate().cards
    18
    """
    from morsdei_sim.cards import read_all
    from morsdei_sim.rulesets import room

    chosen = room(ruleset)
    flat: list[str | Path] = []
    for path in paths:
        flat += [path] if isinstance(path, (str, Path)) else list(path)
    squads = read_all(flat or [profiles_dir() / chosen.name], chosen.model)
    return Validation(ruleset, tuple((str(squad.path), squad.name, len(squad.cards)) for squad in squads))
