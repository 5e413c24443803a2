"""What goes wrong through no fault of the program, said so that a designer can mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["CardFaults", "Fault", "UserError"]


class UserError(Exception):
    """A mistake the user can mend. The message is shown as it is, without a traceback."""

    exit_code = 2


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a card.

    Parameters
    ----------
    file : str
        The file as the user named it, or "" for words typed on the command line.
    place : str
        "line 12" in a text file, "Sheet1!C4" in a spreadsheet, "" when the whole file is meant.
    field : str
        The path of the value inside the file, in the user's words: 'fighter "Heavy", weapon "fist", hit'.
    value : str
        The bad value as it was written, or "" when something is missing.
    message : str
        What is wrong and what is allowed.
    hint : str
        What was probably meant, or "".
    """

    file: str
    place: str
    field: str
    value: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = self._where()
        what = f"{self.field} = {self.value}" if self.field and self.value else self.field or self.value
        text = ": ".join(part for part in (where, what, self.message) if part)
        return f"{text} — {self.hint}" if self.hint else text

    def _where(self) -> str:
        # "squad.toml:14" is what editors and terminals turn into a link.
        if self.place.startswith("line ") and self.file:
            return f"{self.file}:{self.place[5:]}"
        return " ".join(part for part in (self.file, self.place) if part)


class CardFaults(UserError):
    """Every fault of every card file read, at once."""

    exit_code = 3

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))
