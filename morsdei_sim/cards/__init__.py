"""Cards in and out: TOML, CSV, XLSX (and ODS in); every fault at once, with file and line or sheet and cell.

This part knows no ruleset: each call takes the pydantic model of one card.
"""

from morsdei_sim.cards.blank import notes_on, template
from morsdei_sim.cards.editor import schema
from morsdei_sim.cards.lent import give_back, lend
from morsdei_sim.cards.notation import Inline, inline
from morsdei_sim.cards.reference import find, is_reference, locate, pick, squad_of
from morsdei_sim.cards.squad import READABLE, Squad, files_of, read, read_all, read_squad, write

__all__ = [
    "READABLE",
    "Inline",
    "Squad",
    "files_of",
    "find",
    "give_back",
    "inline",
    "is_reference",
    "lend",
    "locate",
    "notes_on",
    "pick",
    "read",
    "read_all",
    "read_squad",
    "schema",
    "squad_of",
    "template",
    "write",
]
