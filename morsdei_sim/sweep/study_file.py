"""A study file (TOML): which question is asked of whom, and what is varied; or every fault of the file at once.

name = "Marksman"                   # name_ru may be given too
ruleset = "…"
verb = "shoot"                      # a question of the ruleset, or "battle"
attackers = ["line/marksman"]       # squads, files, cards; of battle: squads
targets = ["field"]                 # left out: the attackers among themselves
boards = ["twin-yards"]             # battle only, an axis: each entry is a value of it
bots = ["tactician"]                # likewise: one word for both squads, or "one,other" or ["one", "other"]

[changes]                           # an axis each: who.stat or who.weapon.stat
"attackers.hit" = [3, 4, 5]
"targets.hp" = { from = 6, to = 10, step = 1 }

[options]                           # of the question; a list is an axis
cover = [false, true]

[rules]                             # numbers of the rulebook; a list is an axis
pistol_range = 12

[design]
kind = "grid"                       # see design.py; points and seed are of sobol, halton and latin

[run]
engine = "auto"                     # trials or target_error; games (battle only); seed
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from morsdei_sim.cards.values import meant
from morsdei_sim.errors import CardFaults, UserError
from morsdei_sim.lang import _
from morsdei_sim.rulesets import DEFAULT, ROOMS, SQUADS, Room, room
from morsdei_sim.sweep.changes import ATTACKERS, ROLES, TARGETS, Change
from morsdei_sim.sweep.design import KINDS, RANDOM, Design
from morsdei_sim.sweep.sides import Side, cards_named, squads_named
from morsdei_sim.sweep.study_axes import BATTLE, MOST_FAULTS, Axes, in_question
from morsdei_sim.sweep.study_toml import Place, study_text

__all__ = ["Study", "read_study"]

MOST_POINTS = 100_000
MOST_CELLS = 10**12

CELLS_PER_PART = 64
"""Unless the study says otherwise; one where a cell is many games."""

MOST_IN_A_PART = 100_000

STOPS = ("trials", "games", "target_error")
"""Entries of `run` of which there is one at most."""

MOST_SEED = 2**64 - 1

HEAD = ("name", "name_ru", "ruleset", "verb", ATTACKERS, TARGETS, "boards", "bots", "changes", "options", "rules",
        "design", "run")  # fmt: skip


@dataclass(frozen=True)
class Study:
    """What a study file asks for; everything in it can be answered, cell by cell.

    Attributes
    ----------
    file, text : where it stands and what is written there.
    room, verb : the question.
    attackers, targets : who meets whom; `targets` is empty where the question is about one fighter.
    changes : of the axes that change cards, by name of the axis.
    options, rules : what is the same in every cell.
    design : the axes and the cells.
    run : engine, trials, target_error, games, seed, cells_per_part.
    boards, bots : of a battle, ready for play, by what the file calls them.
    """

    file: Path
    text: str
    name: str
    name_ru: str
    room: Room
    verb: str
    attackers: tuple[Side, ...]
    targets: tuple[Side, ...]
    changes: dict[str, Change]
    options: dict[str, Any]
    rules: dict[str, Any]
    design: Design
    run: dict[str, Any]
    boards: dict[str, Any]
    bots: dict[str, Any]

    def in_question(self, weapon: Any) -> bool:
        """Whether a weapon is of the kind that the question is about."""
        return in_question(self.room, self.verb, weapon)


def read_study(file: str | Path, run: dict[str, Any] | None = None) -> Study:
    """Read and check a study file.

    Parameters
    ----------
    run : entries that stand in place of those of the file's table `run`; a number of fights in place of a precision,
        too, and the other way round.

    Raises
    ------
    CardFaults : every fault of the file, each with its line, and of the cards that it names.
    """
    path = Path(file)
    text, tree, where = study_text(path)
    own = tree.get("run", {})
    if run and isinstance(own, dict):
        stops = STOPS if run.keys() & set(STOPS) else ()
        tree["run"] = {key: value for key, value in own.items() if key not in stops} | run
    return _Reader(path, text, where).study(tree)


class _Reader(Axes):
    """The whole file."""

    def __init__(self, path: Path, text: str, where: dict[Place, int]) -> None:
        super().__init__(path, text, where)
        self.refs: dict[str, Side] = {}

    def study(self, tree: dict[str, Any]) -> Study:
        """All of the file; raises when anything is wrong."""
        self.keys((), tree, HEAD)
        name, name_ru = self.text((), tree, "name").strip() or self.path.stem, self.text((), tree, "name_ru").strip()
        chosen, verb = self.question(tree)
        if chosen is None:
            raise CardFaults(self.faults)  # what is right depends on the ruleset
        attackers, targets = self.sides(tree, chosen, verb)
        changes = self.changes(self.table(tree, "changes"), chosen, verb, attackers, targets)
        boards, bots = self.grounds(tree, chosen, verb)
        options = self.options(self.table(tree, "options"), chosen, verb)
        rules = self.rules(self.table(tree, "rules"), chosen, verb)
        run = self.run(self.table(tree, "run"), chosen, verb)
        design = self.design(self.table(tree, "design"), attackers, targets)
        if self.faults or design is None:
            raise CardFaults(sorted(self.faults, key=self.order)[:MOST_FAULTS])
        return Study(
            self.path, self.study_text, name, name_ru, chosen, verb, attackers, targets, changes, options, rules,
            design, run, boards, bots,
        )  # fmt: skip

    def question(self, tree: dict[str, Any]) -> tuple[Room | None, str]:
        """Ruleset and verb."""
        ruleset, verb = tree.get("ruleset", DEFAULT), tree.get("verb")
        if ruleset not in ROOMS:
            hint = meant(ruleset, ROOMS) if isinstance(ruleset, str) else ""
            self.fault(("ruleset",), ruleset, _("must be one of: {names}").format(names=", ".join(ROOMS)), hint)
            return None, ""
        chosen = room(str(ruleset))
        known = (*chosen.flags, *((BATTLE,) if chosen.plays_games else ()))
        if verb is None:
            self.fault(("verb",), None, _("is missing; must be one of: {names}").format(names=", ".join(known)))
        elif verb not in known:
            hint = meant(verb, known) if isinstance(verb, str) else ""
            self.fault(("verb",), verb, _("must be one of: {names}").format(names=", ".join(known)), hint)
        return chosen, verb if isinstance(verb, str) and verb in known else ""

    def sides(self, tree: dict[str, Any], chosen: Room, verb: str) -> tuple[tuple[Side, ...], tuple[Side, ...]]:
        """Attackers and targets."""
        who = chosen.fighters.get(verb, ROLES)
        named = squads_named if verb == BATTLE or who == SQUADS else cards_named
        if ATTACKERS not in tree:
            self.fault((ATTACKERS,), None, _("is missing"), 'attackers = ["…"]')
        attackers = self.side(tree, ATTACKERS, chosen, named)
        if len(who) == 1 and TARGETS in tree:
            self.fault((TARGETS,), None, _("{verb} is about one fighter: leave this out").format(verb=verb))
        targets = self.side(tree, TARGETS, chosen, named)
        return attackers, targets if TARGETS in tree or len(who) == 1 else attackers

    def side(self, tree: dict[str, Any], key: str, chosen: Room, named: Any) -> tuple[Side, ...]:
        """Who is named, each once."""
        found: dict[str, Side] = {}
        for path, word in self.words(tree, key):
            try:
                for one in named(chosen, word, self.path.parent):
                    found[one.ref] = one
                    if self.refs.setdefault(one.ref, one) != one:
                        message = _("another file holds a {card} too; rename one of the files")
                        self.fault(path, word, message.format(card=one.ref))
            except CardFaults as error:
                if any(fault.place for fault in error.faults):  # of the cards themselves
                    self.faults += [fault for fault in error.faults if fault not in self.faults]
                else:
                    for fault in error.faults:
                        message = f"{fault.file}: {fault.message}" if fault.file else fault.message
                        self.fault(path, word, message, fault.hint)
            except UserError as error:
                self.fault(path, word, str(error))
        return tuple(found.values())

    def design(self, table: dict[str, Any], attackers: Sequence[Side], targets: Sequence[Side]) -> Design | None:
        """The cells; None where they cannot be counted."""
        self.keys(("design",), table, ("kind", "points", "seed"))
        kind = table.get("kind", "grid")
        if kind not in KINDS:
            hint = meant(kind, KINDS) if isinstance(kind, str) else ""
            self.fault(("design", "kind"), kind, _("must be one of: {names}").format(names=", ".join(KINDS)), hint)
            return None
        points = self.whole(("design", "points"), table, 1, MOST_POINTS, None)
        seed = self.whole(("design", "seed"), table, 0, MOST_SEED, 1)
        if kind in RANDOM and "points" not in table:
            self.fault(("design",), None, _("{kind} needs a number of points").format(kind=kind), "points = 256")
        if kind in RANDOM and not self.axes:
            self.fault(("design", "kind"), kind, _("nothing varies: there are no axes"))
        for key in ("points", "seed"):
            if kind not in RANDOM and key in table:
                names = ", ".join(RANDOM)
                self.fault(("design", key), table[key], _("only these designs have it: {names}").format(names=names))
        lengths = {axis.name: len(axis.values) for axis in self.axes}
        if kind == "list" and len(set(lengths.values())) > 1:
            found = ", ".join(f"{name}: {count}" for name, count in lengths.items())
            self.fault(("design", "kind"), kind, _("all axes must be equally long ({found})").format(found=found))
        made = Design(str(kind), tuple(self.axes), len(attackers), len(targets) or 1, points or 0, seed or 0)
        if not self.faults and made.cells > MOST_CELLS:
            self.fault(("design",), None, _("{cells} cells are more than anybody can wait for").format(
                cells=made.cells))  # fmt: skip
        return made

    def run(self, table: dict[str, Any], chosen: Room, verb: str) -> dict[str, Any]:
        """Engine, trials or precision, games, seed."""
        battle = verb == BATTLE
        known = (*(("games",) if battle else ("engine", "trials")), "target_error", "seed", "cells_per_part")
        if verb:
            self.keys(("run",), table, known)
        usual = 1 if battle else CELLS_PER_PART
        found: dict[str, Any] = {
            "seed": self.whole(("run", "seed"), table, 0, MOST_SEED, 1),
            "cells_per_part": self.whole(("run", "cells_per_part"), table, 1, MOST_IN_A_PART, usual),
        }
        runs = import_module(f"morsdei_sim.rulesets.{chosen.name}.game.runs") if battle else None
        low, high = runs.PRECISION if runs is not None else (0.0, 1.0)
        error = table.get("target_error")
        if error is not None and (not isinstance(error, float) or not low <= error < high or error == 0):
            message = _("must be a share between {low:g} and {high:g}, for instance 0.005")
            self.fault(("run", "target_error"), error, message.format(low=low, high=high))
        found["target_error"] = error
        if runs is not None:
            games = self.whole(("run", "games"), table, 1, runs.MOST_GAMES, runs.GAMES) or runs.GAMES
            found["games"] = games + games % 2  # in mirrored pairs
        else:
            found["trials"] = self.whole(("run", "trials"), table, 1, 10**12, None)
            found["engine"] = engine = table.get("engine", "auto")
            if engine not in ("auto", "exact", "sample"):
                names = "auto, exact, sample"
                self.fault(("run", "engine"), engine, _("must be one of: {names}").format(names=names))
            if engine == "exact" and ("trials" in table or error is not None):
                self.fault(("run", "engine"), engine, _("the exact engine rolls no dice: leave out trials and"
                                                        " target_error"))  # fmt: skip
        if error is not None and ("trials" in table or "games" in table):
            self.fault(("run", "target_error"), error, _("either a number of fights or a precision, not both"))
        return found
