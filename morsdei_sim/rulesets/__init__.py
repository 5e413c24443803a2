"""The rulesets. `ROOMS` is the only list of them."""

from __future__ import annotations

from importlib import import_module

from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets.room import SQUADS, Flag, Room

__all__ = ["DEFAULT", "ROOMS", "SQUADS", "Flag", "Room", "room", "room_with"]

ROOMS = ("morsdei", "club", "moran")
DEFAULT = ROOMS[0]
"""The ruleset that is meant when none is named."""


def room(name: str) -> Room:
    """The room of that name; UserError naming those there are."""
    if name not in ROOMS:
        from difflib import get_close_matches

        close = get_close_matches(name, ROOMS, 1)
        hint = _(" Did you mean {name}?").format(name=close[0]) if close else ""
        raise UserError(
            _("There is no ruleset {name!r}; there are: {known}.").format(name=name, known=", ".join(ROOMS)) + hint
        )
    found: Room = import_module(f"morsdei_sim.rulesets.{name}").ROOM
    return found


def room_with(verb: str, name: str) -> Room:
    """The room of that name, if it has the verb; UserError naming those that do."""
    found = room(name)
    if not found.has(verb):
        having = ", ".join(one for one in ROOMS if room(one).has(verb))
        hint = _(" Rulesets that have it: {known}.").format(known=having) if having else ""
        raise UserError(_("The ruleset {ruleset} has no {verb}.").format(ruleset=name, verb=verb) + hint)
    return found
