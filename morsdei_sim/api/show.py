"""The verb `show`: a card, or all cards of a squad, as a table."""

from __future__ import annotations

import html
import io
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.lang import _, decimal, language, named
from morsdei_sim.paths import profiles_dir

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import BaseModel

    from morsdei_sim.cards.shape import Column, Shape

__all__ = ["Shown", "show"]


@dataclass(frozen=True)
class Shown:
    """Cards to look at."""

    ruleset: str
    reference: str
    squad: str
    squad_ru: str
    cards: tuple[BaseModel, ...]
    shape: Shape

    def __repr__(self) -> str:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        stream = io.StringIO()
        width = max(60, shutil.get_terminal_size((100, 24)).columns)
        # In a notebook rich would show the text itself, besides what is returned.
        console = Console(file=stream, width=width, color_system=None, force_jupyter=False)
        for caption, facts, header, rows in self._blocks():
            # Text, not str: a name may look like rich's markup.
            console.print(Text(caption, overflow="fold"))
            console.print(Text("  " + "   ".join(f"{title} {value}" for title, value in facts), overflow="fold"))
            table = Table(box=None, pad_edge=True, padding=(0, 2, 0, 1))
            for title in header:
                table.add_column(Text(title), overflow="fold")
            for row in rows:
                table.add_row(*(Text(cell) for cell in row))
            console.print(table)
            console.print()
        return "\n".join(line.rstrip() for line in stream.getvalue().rstrip().splitlines())

    def _repr_html_(self) -> str:
        parts = []
        for caption, facts, header, rows in self._blocks():
            parts.append(f"<h4>{html.escape(caption)}</h4><p>")
            parts.append(" · ".join(f"{html.escape(title)} <b>{html.escape(value)}</b>" for title, value in facts))
            parts.append("</p><table><tr>" + "".join(f"<th>{html.escape(title)}</th>" for title in header) + "</tr>")
            parts += ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
            parts.append("</table>")
        return "".join(parts)

    def _blocks(self) -> Iterator[tuple[str, list[tuple[str, str]], list[str], list[list[str]]]]:
        """Of each card: caption, facts, header and rows of its weapons."""
        russian = language() == "ru"
        inner = [column for column in self.shape.record.columns if column.key != "name_ru"] if self.shape.record else []
        squad = (self.squad_ru if russian else "") or self.squad
        for card in self.cards:
            name = _name(card)
            ident = str(getattr(card, "id", ""))
            caption = f"{name} ({ident})" + (f" — {squad}" if squad else "")
            facts = [
                (_title(column), _written(column, card))
                for column in self.shape.columns
                if column.key not in ("id", "name", "name_ru") and _written(column, card)
            ]
            records: tuple[BaseModel, ...] = getattr(card, self.shape.record_key) if inner else ()
            used = [one for one in inner if one.required or any(_written(one, record) for record in records)]
            rows = [[_written(column, record) for column in used] for record in records]
            yield caption, facts, [_title(column) for column in used], rows

    def to_dict(self) -> dict[str, Any]:
        cards = [card.model_dump(mode="json") for card in self.cards]
        return {
            "schema_version": 1,
            "ruleset": self.ruleset,
            "reference": self.reference,
            "squad": self.squad,
            "squad_ru": self.squad_ru,
            "cards": cards,
        }

    def to_frame(self) -> pd.DataFrame:
        """One row per weapon; its columns begin with ``weapon_``."""
        import pandas as pd

        rows = []
        for card in self.cards:
            data = card.model_dump()
            records: list[dict[str, Any]] = list(data.pop(self.shape.record_key, ())) or [{}]
            for fields in records:
                rows.append({**data, **{f"{self.shape.record_key}_{key}": value for key, value in fields.items()}})
        return pd.DataFrame(rows)


def _title(column: Column) -> str:
    return column.title_ru if language() == "ru" else column.title


def _name(card: BaseModel) -> str:
    return named(str(getattr(card, "name", "")), str(getattr(card, "name_ru", "")))


def _written(column: Column, card: BaseModel) -> str:
    """A value the way a rulebook prints it: 4d6, 4+, 6"."""
    value = getattr(card, column.key)
    if column.key == "name":
        return _name(card)
    if value is None or value == "" or value == ():
        return ""
    if column.kind == "words":
        return ", ".join(value)
    if column.kind == "choice":
        return column.word(value, language())
    if column.kind == "switch":
        return _("yes") if value else _("no")
    if column.kind not in ("whole", "length"):
        return str(value)
    unit = column.suffixes[0] if column.suffixes and column.key not in ("defence",) else ""
    return decimal(f"{value:g}") + (" " + _("mm") if unit == "mm" else unit)


def show(reference: str | Path, ruleset: str = "morsdei") -> Shown:
    """Show one card, or every card of a squad.

    Parameters
    ----------
    reference : str or Path
        ``squad/fighter``, ``squad``, ``path/file.toml`` or ``path/file.toml/fighter``.
    ruleset : str
        The room whose cards they are.

    Returns
    -------
    Shown

    Raises
    ------
    CardFaults
        The card is missing or its file has faults.

    Examples
    --------
    >>> import morsdei_sim
    >>> morsdei_sim.show("bulwark/heavy").cards[0].hp
    10
    """
    from morsdei_sim.cards import find, locate, read_squad
    from morsdei_sim.cards.shape import shape
    from morsdei_sim.rulesets import room

    chosen = room(ruleset)
    folder = profiles_dir() / chosen.name
    path, name = locate(str(reference).strip(), folder)
    squad = read_squad(path, chosen.model)
    cards = (find(str(reference), chosen.model, folder),) if name else squad.cards
    return Shown(ruleset, str(reference), squad.name, squad.name_ru, tuple(cards), shape(chosen.model))
