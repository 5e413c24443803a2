"""The verb `schema`: the JSON Schema of a room's card files, for completion in editors."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CardSchema", "schema"]


@dataclass(frozen=True)
class CardSchema:
    """A JSON Schema; `to_dict()` is the schema itself, `written` the file it was saved to, if any."""

    ruleset: str
    content: dict[str, Any]
    written: Path | None = None

    def __repr__(self) -> str:
        return json.dumps(self.content, ensure_ascii=False, indent=2)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        return self.content

    def to_frame(self) -> pd.DataFrame:
        """One row per field: table, field, title, description, least, most."""
        import pandas as pd

        rows = [
            (
                table,
                key,
                entry.get("title", ""),
                entry.get("description", ""),
                entry.get("minimum", entry.get("exclusiveMinimum")),
                entry.get("maximum"),
            )
            for table, part in self.content["$defs"].items()
            for key, entry in part["properties"].items()
        ]
        return pd.DataFrame(rows, columns=["table", "field", "title", "description", "least", "most"])


def schema(path: str | Path | None = None, ruleset: str = "morsdei", force: bool = False) -> CardSchema:
    """The JSON Schema of the room's card files.

    Parameters
    ----------
    path : str or Path, optional
        Write it to this file too.
    ruleset : str
        The room.
    force : bool
        Overwrite an existing file.

    Returns
    -------
    CardSchema

    Raises
    ------
    UserError
        The file exists or cannot be written.

    Examples
    --------
    >>> import morsdei_sim
    >>> morsdei_sim.schema().content["$defs"]["Weapon"]["properties"]["hit"]["maximum"]
    6
    """
    from morsdei_sim.cards import schema as schema_of
    from morsdei_sim.cards.output import save
    from morsdei_sim.rulesets import room

    made = CardSchema(ruleset, schema_of(room(ruleset).model), Path(path) if path else None)
    if made.written is not None:
        save(made.written, (repr(made) + "\n").encode(), force)
    return made
