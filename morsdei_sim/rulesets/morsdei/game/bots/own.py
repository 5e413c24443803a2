"""A Python function of a user compiled into a bot, or one clear sentence why it cannot be."""

from __future__ import annotations

import dis
import inspect
import linecache
import re
from pathlib import Path
from typing import Any

from numba import types

from morsdei_sim._jit import unkept
from morsdei_sim.cards.values import meant
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei.game.records import TABLES
from morsdei_sim.rulesets.morsdei.game.world import BOT_ARGUMENTS, STATE, STATE_TYPE, WORLD, WORLD_TYPE

__all__ = ["compiled", "plain"]

FORM = "(world, state, hook, who)"
SHORT = 240
"""Characters of what Numba says, at most."""

MEMORY = "NRT required", "Only accept returning of array"
"""What Numba says when a function asks for memory."""

_KEPT: list[Any] = []
"""Worlds hold the addresses of bots: their code must not go while one may still be played."""


def plain(function: Any) -> Any:
    """The Python function behind what was given, which takes what a bot takes; UserError when there is none."""
    function = getattr(function, "py_func", function)  # already compiled by its author
    if not inspect.isfunction(function):
        text = _("@bot stands over a function {form}, not over {what}")
        raise UserError(text.format(form=FORM, what=_kind(function)))
    if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
        text = _("bot {name}: a bot returns its answer: no yield, no async")
        raise UserError(text.format(name=function.__name__))
    kinds = [one.kind for one in inspect.signature(function).parameters.values()]
    if len(kinds) != 4 or any(kind != inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds):
        text = _("a bot takes {form}; {name} takes {given}")
        raise UserError(text.format(form=FORM, name=function.__name__, given=inspect.signature(function)))
    return function


def compiled(function: Any) -> Any:
    """The function compiled for battles: it answers a whole number.

    Nothing of it is kept on disk: Numba would not notice when something that it calls changes.
    """
    found = _compile(function, unkept(function), None)
    answer = found.nopython_signatures[0].return_type
    if not isinstance(answer, (types.Integer, types.Boolean)):
        raise UserError(_no_number(function, answer))
    if answer != types.int64:
        found = _compile(function, unkept(function), types.int64)
    _KEPT.append(found)
    return found


def _compile(function: Any, dispatcher: Any, answer: Any) -> Any:
    try:
        dispatcher.compile(answer(*BOT_ARGUMENTS) if answer else BOT_ARGUMENTS)
    except Exception as error:
        raise UserError(_reason(function, error)) from None
    return dispatcher


def _kind(thing: Any) -> str:
    return f"{type(thing).__name__} {getattr(thing, '__name__', '')}".strip()


def _no_number(function: Any, answer: Any) -> str:
    if isinstance(answer, (types.Optional, types.NoneType)):
        text = _("bot {name}: some way through it ends without an answer; every way must return a whole number")
        return text.format(name=function.__name__)
    text = _("bot {name}: it returns {what}; a bot must return a whole number")
    return text.format(name=function.__name__, what=_tidy(str(types.unliteral(answer))))


def _reason(function: Any, error: Exception) -> str:
    """What is wrong and in which line, in a few words."""
    said = str(error)
    number = _line(function, error)
    code = linecache.getline(function.__code__.co_filename, number).strip() if number else ""
    if isinstance(error, KeyError):  # that is how Numba answers an unknown field of a record
        name = str(error.args[0]) if error.args else ""
        what = _("neither world nor state has {field}").format(field=f'"{name}"')
        hint = meant(name, [*(WORLD.dtype.names or ()), *(STATE.dtype.names or ()), *TABLES])
    elif any(sign in said for sign in MEMORY):
        what, hint = _("a bot can make no lists, arrays or texts: it has numbers and the tables of state"), ""
    else:
        what, hint = _essence(said), ""
        if "Untyped global name" in said and "class 'function'" in said:
            hint = _("put @helper over functions that a bot calls")
    place = _(", line {line}").format(line=number) if number else ""
    text = _("bot {name} cannot be compiled{place}: {what}")
    text = text.format(name=function.__name__, place=place, what=what)
    if hint:
        text += f" — {hint}"
    return f"{text}\n    {code}" if code else text


def _line(function: Any, error: Exception) -> int:
    """The line of the bot's own text that Numba names last; of an unknown field, where it stands; 0 for none."""
    if isinstance(error, KeyError):
        where = [one.positions for one in dis.get_instructions(function) if one.argval == error.args[0]]
        return next((one.lineno for one in where if one and one.lineno), 0)
    said = str(error)
    own, found = Path(function.__code__.co_filename).name, 0
    for match in re.finditer(r'(?m)^File "([^"\n]+)", line (\d+):| at ([^\n]+) \((\d+)\)$', said):
        if Path(match[1] or match[3]).name == own:
            found = int(match[2] or match[4])
    return found


def _essence(said: str) -> str:
    """The one line that says what is wrong."""
    lines = [_tidy(line) for line in said.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("Failed in ")] or ["?"]
    if lines[0].endswith("found for signature:") and len(lines) > 1:
        return _("nothing can be called like this: {call}").format(call=lines[1].removeprefix(">>> "))
    return lines[0].removesuffix("Raised from None").rstrip(". ")


def _tidy(text: str) -> str:
    """Without colours, and with the two records by their names: written out they fill pages."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text).replace(str(WORLD_TYPE), "world").replace(str(STATE_TYPE), "state")
    text = " ".join(re.sub(r"Literal\[\w+\]\(([^()]*)\)", r"\1", text).split())
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"
