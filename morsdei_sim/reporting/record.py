"""What a page knows about itself, kept in it as JSON, so that a later page can be compared with it.

A page may come from anywhere: what is read back is text of bounded size, checked field by field, and nothing of it is
ever run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from morsdei_sim.cards.safe import unreadable
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

if TYPE_CHECKING:
    from morsdei_sim.study import Known
    from morsdei_sim.sweep import Battles, Collection

__all__ = [
    "GAMES",
    "Card",
    "Facts",
    "Question",
    "Record",
    "Squad",
    "Table",
    "Weapon",
    "listed",
    "of_cards",
    "of_study",
    "read_page",
]

FORMAT = 1
OPENING = '<script type="application/json" id="record">'
MOST_PAGE = 64_000_000
MOST_RECORD = 32_000_000
MOST_ROWS = 200_000
GAMES = "games"
"""The table of whole games."""
DIGITS = 9
"""Significant digits that are kept of a number."""

Word = Annotated[str, StringConstraints(max_length=2000)]
Stat = int | float | bool | Word | None


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class Weapon(_Strict):
    """A weapon of a card, with its stats by name."""

    weapon: Word
    weapon_ru: Word
    stats: dict[Word, Stat] = Field(max_length=100)


class Card(_Strict):
    """A card as it was asked about."""

    card: Word
    name: Word
    name_ru: Word
    stats: dict[Word, Stat] = Field(max_length=100)
    weapons: list[Weapon] = Field(max_length=100)


class Squad(_Strict):
    """A squad that played whole games, by what it was called to the program."""

    squad: Word
    name: Word
    name_ru: Word


class Table(_Strict):
    """Figures: each row has a place in `words` for every key, then for each figure its estimate, or where the table is
    sampled estimate, low and high; null where there is none."""

    name: Word
    keys: list[Word] = Field(max_length=100)
    figures: list[Word] = Field(max_length=200)
    sampled: bool
    rows: list[list[int | float | None]] = Field(max_length=MOST_ROWS)


class Facts(_Strict):
    """Where the numbers come from."""

    kind: Literal["cards", "study"]
    name: Word
    question: Word
    ruleset: Word
    ruleset_version: Word
    version: Word
    kernels: Word
    engine: Word
    trials: int | None
    seed: int | None
    games: int | None
    rules: dict[Word, Stat] = Field(max_length=1000)
    digest: Word
    command: Annotated[str, StringConstraints(max_length=20_000)]
    text: Annotated[str, StringConstraints(max_length=1_000_000)]
    whole: bool


class Question(NamedTuple):
    """What a figure is of: the table, the values of its keys, the figure."""

    table: str
    about: tuple[str, ...]
    figure: str


class Record(_Strict):
    """All that a page knows about itself."""

    format: Literal[1]
    facts: Facts
    cards: list[Card] = Field(max_length=1000)
    squads: list[Squad] = Field(default=[], max_length=1000)
    words: list[Word] = Field(max_length=1_000_000)
    tables: list[Table] = Field(max_length=20)

    def known(self) -> dict[Question, Known]:
        """Every figure that there is; low and high are None when it is exact."""
        found: dict[Question, Known] = {}
        for table in self.tables:
            keys, width = len(table.keys), 3 if table.sampled else 1
            for row in table.rows:
                about = tuple(self.words[int(place or 0)] for place in row[:keys])
                for number, figure in enumerate(table.figures):
                    value, *bounds = row[keys + width * number : keys + width * (number + 1)]
                    if value is not None:
                        low, high = bounds or (None, None)
                        found[Question(table.name, about, figure)] = (value, low, high)
        return found


# ── written ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Words:
    """Texts by place, each once."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def place(self, text: Any) -> int:
        """Where a text stands."""
        return self.places.setdefault(str(text)[:2000], len(self.places))


def tabled(
    name: str, frame: pd.DataFrame, keys: Iterable[str], words: Words, figures: Iterable[str] | None = None
) -> Table:
    """A tidy frame (keys, `figure`, `estimate`, `low`, `high`), one row for each question."""
    keys = list(keys)
    wanted = list(figures if figures is not None else frame["figure"].unique())
    shown = frame[frame["figure"].isin(wanted)]
    sampled = bool(shown["low"].notna().any())
    width, places = (3 if sampled else 1), {figure: place for place, figure in enumerate(wanted)}
    rows: dict[tuple[int, ...], list[float | None]] = {}
    columns = [*keys, "figure", "estimate", "low", "high"]
    for *about, figure, estimate, low, high in shown[columns].itertuples(index=False, name=None):
        row = rows.setdefault(tuple(map(words.place, about)), [None] * (width * len(wanted)))
        known = [_kept(one) for one in (estimate, low, high)[:width]]
        row[width * places[figure] : width * places[figure] + width] = known
    listed = [[*about, *values] for about, values in list(rows.items())[:MOST_ROWS]]
    return Table.model_construct(name=name, keys=keys, figures=wanted, sampled=sampled, rows=listed)


def _kept(value: Any) -> float | None:
    return None if value is None or not math.isfinite(value) else float(f"{value:.{DIGITS}g}")


def of_cards(collection: Collection) -> Record:
    """The record of a report on cards: what its lists show."""
    known, guide, words = collection.provenance, collection.guide, Words()
    who = ("attacker", "weapon", "target")
    play = [name for name in guide.usual if name != "situation"]
    tables = [tabled("shots", collection.shots, (*who, "situation"), words, guide.shown["shoot"])]
    if len(collection.melee):
        keys = (*who, "target_weapon", *play)
        tables.append(tabled("melee", listed(collection), keys, words, guide.shown["melee"]))
    games = collection.battles
    if games is not None and len(games.games):
        tables.append(tabled(GAMES, games.games, ("one", "other"), words))
    facts = Facts.model_construct(
        kind="cards", name="", question="", ruleset=known["ruleset"], ruleset_version=known["version"],
        version=known["morsdei_sim"], kernels=known["kernels"], engine=known["engine"], trials=known["trials"],
        seed=known["seed"], games=None if games is None else games.provenance["games"], rules=dict(known["rules"]),
        digest=known["cards_digest"], command=known["command"], text="", whole=True,
    )  # fmt: skip
    return Record.model_construct(
        format=1, facts=facts, cards=_cards(collection), squads=_squads(games), words=list(words.places), tables=tables
    )


def of_study(manifest: dict[str, Any], rows: pd.DataFrame, figure: str | None = None, most: int = MOST_ROWS) -> Record:
    """The record of a sweep: every figure of one number; where that is too much for a page, one figure, cut."""
    words, keys = Words(), ["attacker", "target", *manifest["axes"], "card"]
    frame = rows[rows["figure"] != "error"]
    frame = frame.assign(**{key: frame[key].astype(object).where(frame[key].notna(), "") for key in keys})
    asked = len(frame[keys].drop_duplicates())
    if asked > most and figure is not None:
        frame = frame[frame["figure"] == figure]
        asked = len(frame)
    table = tabled("cells", frame.iloc[: most * frame["figure"].nunique()], keys, words)
    table.rows = table.rows[:most]
    facts = Facts.model_construct(
        kind="study", name=manifest["name"][:2000], question=manifest["verb"], ruleset=manifest["ruleset"],
        ruleset_version=manifest["ruleset_version"], version=manifest["version"], kernels=manifest["kernels"],
        engine="sample" if table.sampled else "exact", trials=None, seed=manifest["seed"], games=None, rules={},
        digest=manifest["digest"], command=manifest["command"], text=manifest["text"],
        whole=asked <= most and table.figures == list(rows.loc[rows["figure"] != "error", "figure"].unique()),
    )  # fmt: skip
    return Record.model_construct(format=1, facts=facts, cards=[], words=list(words.places), tables=[table])


def listed(collection: Collection) -> pd.DataFrame:
    """The rows of melee that the page lists; all of them may be too much."""
    melee, wanted = collection.melee, collection.guide.listed
    if not wanted:
        return melee
    play = [option for option in collection.guide.usual if option != "situation"]
    return melee.loc[[key in wanted for key in melee[play].itertuples(index=False, name=None)]]


NO_STATS = {"card", "name", "name_ru", "squad", "squad_ru", "weapon", "weapon_ru", "words", "field"}


def _cards(collection: Collection) -> list[Card]:
    weapons: dict[str, list[Weapon]] = {}
    for row in collection.weapons.to_dict("records"):
        arm = Weapon.model_construct(weapon=row["weapon"], weapon_ru=row["weapon_ru"], stats=_stats(row))
        weapons.setdefault(row["card"], []).append(arm)
    return [
        Card.model_construct(
            card=row["card"], name=row["name"], name_ru=row["name_ru"], stats=_stats(row),
            weapons=weapons.get(row["card"], []),
        )
        for row in collection.cards.to_dict("records")
    ]  # fmt: skip


def _squads(games: Battles | None) -> list[Squad]:
    rows = () if games is None else games.squads[["squad", "name", "name_ru"]].itertuples(index=False, name=None)
    known = [[str(text)[:2000] for text in row] for row in rows]
    return [Squad.model_construct(squad=squad, name=name, name_ru=name_ru) for squad, name, name_ru in known]


def _stats(row: dict[Any, Any]) -> dict[str, Any]:
    return {str(name): _stat(value) for name, value in row.items() if name not in NO_STATS}


def _stat(value: Any) -> Any:
    if isinstance(value, float):
        return None if math.isnan(value) else "unlimited" if math.isinf(value) else value
    return value if isinstance(value, (int, bool)) or value is None else str(value)[:2000]


# ── read back ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_page(path: Path) -> Record:
    """The record of a page.

    Raises
    ------
    UserError : no page of this program, too large, damaged, or of a version that wrote no record.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_PAGE + 1)
    except OSError as error:
        raise unreadable(path, error) from None
    if len(content) > MOST_PAGE:
        raise UserError(_("{file}: is too large for a report ({most} MB)").format(file=path, most=MOST_PAGE // 10**6))
    found = content.partition(OPENING.encode())[2].partition(b"</script>")[0]
    if not found:
        text = _("{file}: is no report that can be compared: it holds no data. Write it anew with this version.")
        raise UserError(text.format(file=path))
    try:
        if len(found) > MOST_RECORD:
            raise ValueError("too large")
        record = Record.model_validate_json(found)
        _check(record)
    except (ValidationError, ValueError):
        text = _("{file}: the data in this report is damaged, or of another version")
        raise UserError(text.format(file=path)) from None
    return record


def _check(record: Record) -> None:
    """What no type says: every row has its length, and its words are there."""
    for table in record.tables:
        keys = len(table.keys)
        length = keys + len(table.figures) * (3 if table.sampled else 1)
        for row in table.rows:
            if len(row) != length:
                raise ValueError("a row of another length")
            if not all(type(place) is int and 0 <= place < len(record.words) for place in row[:keys]):
                raise ValueError("a word that is not there")
