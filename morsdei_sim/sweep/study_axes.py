"""What a study varies: stats of cards, options, numbers of the rulebook, boards and bots; each list is an axis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from morsdei_sim.cards.shape import shape
from morsdei_sim.cards.text import norm
from morsdei_sim.cards.values import BadValue, allowed, meant, understand
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets import Flag, Room
from morsdei_sim.sweep.changes import ATTACKERS, ROLES, TARGETS, Change, changed
from morsdei_sim.sweep.design import Axis
from morsdei_sim.sweep.sides import Side
from morsdei_sim.sweep.study_toml import STEPS, Place, Values

__all__ = ["BATTLE", "MOST_AXES", "MOST_FAULTS", "Axes", "in_question"]

BATTLE = "battle"
MOST_AXES = 40
MOST_FAULTS = 200


def in_question(chosen: Room, verb: str, weapon: Any) -> bool:
    """Whether a weapon is of the kind that a question is about."""
    part = {"shoot": "shooter", "activations": "shooter", "watch": "shooter", "melee": "initiator"}.get(verb, "")
    return bool(part) and chosen.part("variants", "part_of")(weapon) == part


class Axes(Values):
    """Collects axes too, in the order in which the methods are called."""

    def __init__(self, path: Path, text: str, where: dict[Place, int]) -> None:
        super().__init__(path, text, where)
        self.axes: list[Axis] = []

    def axis(self, name: str, path: tuple[str, ...], values: Sequence[Any]) -> None:
        """One axis more."""
        counts = Counter(map(repr, values))
        twice = next((value for value in values if counts[repr(value)] > 1), None)
        if twice is not None:
            self.fault(path, twice, _("stands in the list twice"))
        if len(self.axes) == MOST_AXES:
            self.fault(path, None, _("at most {most} axes are possible").format(most=MOST_AXES))
        self.axes.append(Axis(name, tuple(values)))

    def changes(
        self, table: dict[str, Any], chosen: Room, verb: str, attackers: Sequence[Side], targets: Sequence[Side]
    ) -> dict[str, Change]:
        """The axes that change cards."""
        found: dict[str, Change] = {}
        cards = [(role, ref, card)
                 for role, sides in ((ATTACKERS, attackers), (TARGETS, targets))
                 for side in sides for ref, card in side.fighters()]  # fmt: skip
        for path, value in _flat(("changes",), table):
            key = ".".join(path[1:])
            change = self.change(path, key, chosen, {ref for _role, ref, _card in cards})
            if change is None:
                continue
            if key in found:  # once with quotation marks and once without
                self.fault(path, None, _("this key is given twice"))
            touched = [card for role, ref, card in cards if change.touches(role, ref)]
            asked = partial(in_question, chosen, verb)
            if change.of_weapon:
                touched = [card for card in touched if change.places(card, asked)]
            if not touched and attackers:
                self.fault(path, None, _("nobody in this study has it"))
            fits = [self.fits(place, one, change, touched, asked) for place, one in self.values(path, value)]
            found[key] = change
            self.axis(key, path, [one for one in fits if one is not None])
        return found

    def change(self, path: tuple[str, ...], key: str, chosen: Room, refs: set[str]) -> Change | None:
        """Whose stat is meant: everything before the first dot, unless a card's name has dots too."""
        known = {norm(ref): ref for ref in (*ROLES, *refs)}
        parts = key.split(".")
        ends = [end for end in range(len(parts) - 1, 0, -1) if norm(".".join(parts[:end])) in known]
        if not ends:
            hint = meant(key.rpartition(".")[0], known.values()) or '"attackers.hp", "attackers.rifle.hit"'
            message = _("begins with neither attackers, targets nor one of the cards as squad/fighter")
            self.fault(path, None, message, hint)
            return None
        who, weapon, stat = known[norm(".".join(parts[: ends[0]]))], ".".join(parts[ends[0] : -1]), parts[-1]
        form = shape(chosen.model)
        inner = form.record
        column = None if weapon else form.column(stat)
        if column is not None:
            return Change(who, column.key)
        column = inner.column(stat) if inner is not None else None
        if column is not None:
            return Change(who, column.key, weapon, True)
        stats = [one.key for one in (*(() if weapon else form.columns), *(inner.columns if inner else ()))]
        hint = meant(stat, stats) or _("there are: {names}").format(names=", ".join(dict.fromkeys(stats)))
        self.fault(path, stat, _("no such field"), hint)
        return None

    def fits(
        self, path: Sequence[str | int], value: Any, change: Change, cards: Sequence[Any],
        asked: Callable[[Any], bool],
    ) -> Any:  # fmt: skip
        """The value as the model has it, if every card can have it; else None."""
        if not cards or len(self.faults) > MOST_FAULTS:
            return None
        column = change.column(type(cards[0]))
        try:
            understood = understand(column, value)
        except BadValue as bad:
            self.fault(path, value, bad.message, bad.hint)
            return None
        for card in cards:
            try:
                changed(card, [(change, understood)], asked)
            except ValidationError as error:
                span = allowed(column)
                said = error.errors(include_url=False, include_input=False)[0]
                reason = str(said.get("ctx", {}).get("error", said["msg"]))
                bounded = span and said["type"] not in ("value_error", "assertion_error")
                message = _("must be {allowed}").format(allowed=span) if bounded else f"{card.name}: {reason}"
                self.fault(path, value, message)
                return None
        return understood

    def grounds(self, tree: dict[str, Any], chosen: Room, verb: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Boards and bots of a battle, two axes."""
        found: tuple[dict[str, Any], dict[str, Any]] = {}, {}
        if verb != BATTLE:
            for key in ("boards", "bots"):
                if key in tree and verb:
                    self.fault((key,), None, _("only a battle has {key}: leave this out").format(key=key))
            return found
        setting, places = (import_module(f"morsdei_sim.rulesets.{chosen.name}.game.{one}") for one in
                           ("setting", "boards"))  # fmt: skip
        for path, word in self.words(tree, "boards") if "boards" in tree else [(("boards",), setting.DEFAULT_BOARD)]:
            for one in places.boards() if word.lower() == "all" else [word]:
                found[0][one] = self.made(path, word, partial(places.board, self.beside(one)))
        for path, words in self.pairs(tree, setting.DEFAULT_BOT):
            files = [self.beside(word) for word in words]
            found[1][",".join(words)] = self.made(path, ",".join(words), partial(setting.players, files))
        for name, known in zip(("board", "bots"), found, strict=True):
            self.axis(name, ("boards" if name == "board" else name,), tuple(known))
        return found

    def pairs(self, tree: dict[str, Any], usual: str) -> list[tuple[Place, list[str]]]:
        """The bots of each value of their axis."""
        value = tree.get("bots", [usual])
        found: list[tuple[Place, list[str]]] = []
        for place, one in enumerate([value] if isinstance(value, str) else value if isinstance(value, list) else []):
            words = one.split(",") if isinstance(one, str) else one if isinstance(one, list) else []
            if 1 <= len(words) <= 2 and all(isinstance(word, str) and word.strip() for word in words):
                found.append((("bots", place), [word.strip() for word in words]))
            else:
                self.fault(("bots", place), one, _('must be one bot for both squads, or two as ["one", "other"]'))
        if not found and not self.faults:
            self.fault(("bots",), value, _("must be a list of words"))
        return found

    def made(self, path: Sequence[str | int], word: str, make: Callable[[], Any]) -> Any:
        """What a word stands for; None and a fault where it stands for nothing."""
        try:
            return make()
        except CardFaults as error:
            self.faults += error.faults
        except UserError as error:
            self.fault(path, word, str(error))
        return None

    def beside(self, word: str) -> str:
        """A file beside the study, where there is one."""
        file = self.path.parent / word
        return str(file) if file.suffix.lower() == ".toml" and file.is_file() else word

    def options(self, table: dict[str, Any], chosen: Room, verb: str) -> dict[str, Any]:
        """Options of the question that are the same everywhere; the others become axes."""
        flags = {flag.name: flag for flag in chosen.flags.get(verb, ())}
        if verb:
            self.keys(("options",), table, tuple(flags) or ("—",))
        return self.settings("options", table, {key: partial(_wrong, flag) for key, flag in flags.items()})

    def rules(self, table: dict[str, Any], chosen: Room, verb: str) -> dict[str, Any]:
        """Changed numbers of the rulebook that are the same everywhere; the others become axes."""
        book: Callable[[dict[str, Any]], Any] = chosen.rules
        if verb == BATTLE:
            book = import_module(f"morsdei_sim.rulesets.{chosen.name}.game.setting").game_rules

        def wrong(key: str, value: Any) -> str:
            if not isinstance(value, (int, str)):
                return _("must be a whole number or a word")
            try:
                book({key: value})
            except UserError as reason:
                return str(reason)
            return ""

        return self.settings("rules", table, {key: partial(wrong, key) for key in table})

    def settings(self, name: str, table: dict[str, Any], known: dict[str, Callable[[Any], str]]) -> dict[str, Any]:
        """A value for all cells, or a list or steps for an axis; each is asked what is wrong with it."""
        fixed: dict[str, Any] = {}
        for key, value in table.items():
            if key not in known:
                continue
            path = (name, key)
            found = self.values(path, value)
            for place, one in found:
                message = known[key](one)
                if message:
                    self.fault(place, one, message)
            if isinstance(value, (list, dict)):
                self.axis(f"{name}.{key}", path, [one for _place, one in found])
            else:
                fixed[key] = value
        return fixed


def _flat(path: tuple[str, ...], table: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every axis and its place: a key without quotation marks, attackers.hit = …, is a table to TOML."""
    for key, value in table.items():
        if isinstance(value, dict) and value and not value.keys() & set(STEPS):
            yield from _flat((*path, key), value)
        else:
            yield (*path, key), value


def _wrong(flag: Flag, value: Any) -> str:
    """What is wrong with the value of an option, or nothing."""
    if flag.choices:
        return "" if value in flag.choices else _("must be one of: {names}").format(names=", ".join(flag.choices))
    if flag.minimum is not None:
        kinds = (int, float) if isinstance(flag.default, float) else (int,)
        usable = isinstance(value, kinds) and not isinstance(value, bool) and flag.minimum <= value
        if usable and (flag.maximum is None or value <= flag.maximum):
            return ""
        return _("must be {low} to {high}").format(low=flag.minimum, high=flag.maximum)
    if isinstance(flag.default, bool):
        return "" if isinstance(value, bool) else _("must be true or false")
    return "" if isinstance(value, str) else _("must be text in quotes")
