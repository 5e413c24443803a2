"""Cells answered: each by the room, as the verb of the same name answers it, and its figures as rows of a table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from math import ceil
from threading import Lock
from typing import Any, NamedTuple

import pyarrow as pa
from pydantic import ValidationError

from morsdei_sim.errors import UserError
from morsdei_sim.fight.intervals import Watch
from morsdei_sim.fight.outcome import Outcome
from morsdei_sim.fight.run import Run
from morsdei_sim.sweep.changes import ATTACKERS, TARGETS, changed
from morsdei_sim.sweep.design import Axis, Cell
from morsdei_sim.sweep.sides import Side
from morsdei_sim.sweep.study_axes import BATTLE
from morsdei_sim.sweep.study_file import Study

__all__ = ["ERROR", "Row", "answered", "columns", "table"]

ERROR = "error"
"""The figure of a cell that cannot be answered; `message` says why."""

MOST_PREPARED = 4
"""Boards kept ready at once."""


class Row(NamedTuple):
    """One figure of a cell, or one value of a distribution; low and high are None when exact."""

    figure: str
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    value: int | None = None
    card: str | None = None
    message: str | None = None


def answered(study: Study) -> Callable[[Cell], list[Row]]:
    """A function that answers cells of the study, from any thread; it is the same rows every time."""
    ask = _Battle(study) if study.verb == BATTLE else _Question(study)

    def answer(cell: Cell) -> list[Row]:
        lent: list[tuple[Side, str]] = []
        try:
            for side, reference in _lent(study, cell):
                lent.append((side, reference))
            return ask.rows(cell, [reference for _side, reference in lent])
        except ValidationError as reason:  # two axes together make no card
            said = reason.errors(include_url=False, include_input=False)[0]
            return [Row(ERROR, message=str(said.get("ctx", {}).get("error", said["msg"])))]
        except UserError as reason:
            text = str(reason)
            for side, reference in lent:
                text = text.replace(reference, side.ref)
            return [Row(ERROR, message=text)]
        finally:
            for side, reference in lent:
                side.give_back(reference)

    return answer


def _lent(study: Study, cell: Cell) -> Iterator[tuple[Side, str]]:
    """Attacker and target with their changes, lent to the room."""
    settings = [
        (study.changes[axis.name], value)
        for axis, value in zip(study.design.axes, cell.values, strict=True)
        if axis.name in study.changes
    ]
    sides = [(ATTACKERS, study.attackers[cell.attacker])]
    if study.targets:
        sides.append((TARGETS, study.targets[cell.target]))
    for role, side in sides:

        def change(ref: str, card: Any, role: str = role) -> Any:
            mine = [(one, value) for one, value in settings if one.touches(role, ref)]
            return changed(card, mine, study.in_question)

        yield side, side.lent(change)


def _chosen(study: Study, cell: Cell, name: str) -> dict[str, Any]:
    """Options or rules of a cell: those that are the same everywhere, and the values of their axes."""
    fixed = dict(study.options if name == "options" else study.rules)
    for axis, value in zip(study.design.axes, cell.values, strict=True):
        if axis.name.startswith(f"{name}.") and axis.name not in study.changes:
            fixed[axis.name.removeprefix(f"{name}.")] = value
    return fixed


class _Question:
    """A question about fighters."""

    def __init__(self, study: Study) -> None:
        self.study, known = study, study.run
        self.ask = study.room.ask(study.verb)
        self.run = Run(known["engine"], known["trials"], known["target_error"], known["seed"], jobs=1)

    def rows(self, cell: Cell, references: Sequence[str]) -> list[Row]:
        """All figures; UserError where the rules exclude the question."""
        rules = self.study.room.rules(_chosen(self.study, cell, "rules"))
        outcome: Outcome = self.ask(*references, self.run, rules, **_chosen(self.study, cell, "options"))
        found: list[Row] = []
        for reading in outcome.readings:
            if reading.kind != "distribution":
                low, high = outcome.interval(reading.name) or (None, None)
                found.append(Row(reading.name, outcome.value(reading.name), low, high))
                continue
            known = outcome.intervals(reading.name) or {}
            for value, chance in outcome.distribution(reading.name).items():
                low, high = known.get(value) or (None, None)
                found.append(Row(reading.name, chance, low, high, value))
        return found


class _Battle:
    """Whole games."""

    def __init__(self, study: Study) -> None:
        self.study = study
        package = f"morsdei_sim.rulesets.{study.room.name}.game"
        self.setting, self.summary, self.counting, self.runs = (
            import_module(f"{package}.{name}") for name in ("setting", "summary", "counting", "runs")
        )
        self.ready: OrderedDict[Any, Any] = OrderedDict()
        self.lock = Lock()

    def rows(self, cell: Cell, references: Sequence[str]) -> list[Row]:
        """All figures of the games and of the cards."""
        study, summary = self.study, self.summary
        named = {axis.name: value for axis, value in zip(study.design.axes, cell.values, strict=True)}
        rules, numbers = self.setting.game_rules(_chosen(study, cell, "rules"))
        crews = [self.setting.crew(reference, rules) for reference in references]
        ground = self.prepared(study.boards[named["board"]], crews, rules)
        leaders = study.bots[named["bots"]]
        series = self.setting.series(ground, crews, leaders, study.run["seed"], rules, numbers)
        error = study.run["target_error"]
        watch = None if error is None else Watch(error)
        counts = self.runs.count_games(series, study.run["games"], watch)
        found = []
        for name in (*summary.SHARES, *self.counting.FIGURES):
            known = summary.known(counts, name, watch)
            found.append(Row(name, known.value, known.low, known.high))
        found += _spread(summary.distributions(counts))
        cards = [(letter, card) for letter, crew in zip("ab", crews, strict=True) for card in crew.cards]
        for number, (letter, card) in enumerate(cards):
            who = f"{letter}/{card.id or card.name}"
            for name in summary.CARD_FIGURES:
                known = summary.card_figure(counts, number, name)
                found.append(Row(name, known.value, known.low, known.high, card=who))
            found += _spread(summary.card_distributions(counts, number), who)
        return found

    def prepared(self, board: Any, crews: Sequence[Any], rules: Any) -> Any:
        """The board ready for these squads; the last few are kept."""
        cards = [card for crew in crews for card in crew.cards]
        longest = ceil(max(card.move for card in cards))
        key = (board.digest, tuple(sorted({card.base for card in cards})), longest, rules.contact_reach)
        with self.lock:
            if key not in self.ready:
                self.ready[key] = self.setting.ready(board, crews, rules)
            self.ready.move_to_end(key)
            while len(self.ready) > MOST_PREPARED:
                self.ready.popitem(last=False)
            return self.ready[key]


def _spread(distributions: dict[str, dict[int, Any]], card: str | None = None) -> list[Row]:
    return [
        Row(name, known.value, known.low, known.high, value, card)
        for name, chances in distributions.items()
        for value, known in chances.items()
    ]


# ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def columns(study: Study) -> pa.Schema:
    """The columns of a part: the cell, who meets whom, an axis each, and a figure with its interval."""
    return pa.schema([
        ("cell", pa.int64()), ("attacker", pa.string()), ("target", pa.string()),
        *((axis.name, _type(axis)) for axis in study.design.axes),
        ("card", pa.string()), ("figure", pa.string()), ("value", pa.int64()),
        *((name, pa.float64()) for name in ("estimate", "low", "high")), ("message", pa.string()),
    ])  # fmt: skip


def _type(axis: Axis) -> pa.DataType:
    kinds = {type(value) for value in axis.values}
    if kinds == {bool}:
        return pa.bool_()
    if kinds == {int}:
        return pa.int64()
    return pa.float64() if kinds <= {int, float} else pa.string()


def _said(value: Any, kind: pa.DataType) -> Any:
    """A value as its column has it."""
    if kind != pa.string() or isinstance(value, str):
        return value
    return ", ".join(map(str, value)) if isinstance(value, (tuple, list)) else "" if value is None else str(value)


def table(study: Study, cells: Iterable[Cell], answer: Callable[[Cell], list[Row]]) -> pa.Table:
    """The rows of some cells, in order."""
    schema = columns(study)
    found: list[list[Any]] = [[] for _column in schema]
    for cell in cells:
        head = [
            cell.number,
            study.attackers[cell.attacker].ref,
            study.targets[cell.target].ref if study.targets else None,
            *(_said(value, schema.field(3 + place).type) for place, value in enumerate(cell.values)),
        ]
        for row in answer(cell):
            tail = (row.card, row.figure, row.value, row.estimate, row.low, row.high, row.message)
            for column, value in zip(found, (*head, *tail), strict=True):
                column.append(value)
    arrays = [pa.array(column, field.type) for column, field in zip(found, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
