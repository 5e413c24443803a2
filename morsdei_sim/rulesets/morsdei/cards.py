"""C1-C3 The fighter card of MORSDEI: its fields, their units and bounds.

The rulebook gives no bounds; RULING 7 sets the domain, RULING 5 adds the Range that the card lacks, RULING 6 lets a
fighter have one kind of weapon only. Upper bounds are ours: far above any sensible card, low enough to catch a slip.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from morsdei_sim.cards import Inline, find, inline, is_reference, pick
from morsdei_sim.cards.fields import identified, ru
from morsdei_sim.cards.notation import looks_inline
from morsdei_sim.cards.shape import shape
from morsdei_sim.cards.text import Ident, Keyword, Length, Name, NameOrNone, Text, Whole, norm
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, language, named
from morsdei_sim.paths import profiles_dir

__all__ = ["PISTOL_RANGE", "Entrant", "Fighter", "Weapon", "entrant"]

PISTOL_RANGE = 10.0  # RULING 5, inches

_INCHES = ['"', "in", "inch", "inches", "″", "”", "дюйм", "дюйма", "дюймов"]
_TYPE_WORDS = {
    "ranged": ["дальнее", "дальний", "стрелковое", "дальнобойное", "range weapon", "shooting"],
    "pistol": ["пистолет"],
    "melee": ["ближнее", "ближний", "ближний бой", "рукопашное", "рукопашная"],
}


class Weapon(BaseModel):
    """C2 rows 6-10: one weapon of a fighter."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", str_strip_whitespace=True, json_schema_extra={"ru": "Оружие"}
    )

    name: Name = Field(
        title="Weapon", description="name of the weapon", json_schema_extra=ru("Оружие", "название оружия", rule="C2")
    )
    name_ru: NameOrNone = Field(
        "",
        title="Weapon (Russian)",
        description="Russian name of the weapon",
        json_schema_extra=ru("Оружие (рус.)", "русское название оружия", rule="C2"),
    )
    type: Literal["ranged", "pistol", "melee"] = Field(
        title="Type",
        description="kind of weapon",
        json_schema_extra=ru("Тип", "вид оружия", rule="C2, RULING 5", words=_TYPE_WORDS, aliases=["kind", "вид"]),
    )
    dice: Whole = Field(
        ge=0,
        le=20,
        title="Dice",
        description="number of attack dice",
        json_schema_extra=ru(
            "Кубики",
            "число кубиков атаки",
            rule="C2, RULING 7",
            suffixes=["d6", "d", "д6", "к6", "к", "k6"],
            aliases=["attack dice", "кубы", "кубов", "атаки"],
        ),
    )
    hit: Whole = Field(
        ge=2,
        le=6,
        title="Hit",
        description="lowest successful face",
        json_schema_extra=ru(
            "Hit", "наименьшая успешная грань", rule="C2, RULING 7", suffixes=["+"], aliases=["попадание", "хит"]
        ),
    )
    damage: Whole = Field(
        ge=0,
        le=100,
        title="Damage",
        description="HP taken off by one uncancelled hit",
        json_schema_extra=ru(
            "Урон", "сколько HP снимает одно неотменённое попадание", rule="C2, RULING 7", aliases=["dmg", "damage/dmg"]
        ),
    )
    range: Length | None = Field(
        None,
        gt=0,
        le=1000,
        title="Range",
        json_schema_extra=ru(
            "Дальность",
            "дальность в дюймах; пусто: 10 у пистолета, без предела у дальнего",
            rule="RULING 5",
            suffixes=_INCHES,
            none=["unlimited", "без предела", "не ограничена"],
        ),
        description="greatest distance in inches; empty: 10 for a pistol, unlimited for ranged",
    )
    properties: Text = Field(
        "",
        title="Properties",
        description="weapon properties, as text",
        json_schema_extra=ru(
            "Свойства", "свойства оружия, текстом", rule="C2", aliases=["weapon properties", "свойства оружия"]
        ),
    )

    @property
    def reach(self) -> float:
        """RULING 5 The range in inches: what the card says, else 10 for a pistol, unlimited for ranged, 0 for melee."""
        if self.range is not None:
            return self.range
        return {"pistol": PISTOL_RANGE, "ranged": float("inf"), "melee": 0.0}[self.type]


class Fighter(BaseModel):
    """C2: one fighter card."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, json_schema_extra={"ru": "Боец"})

    id: Ident = Field(
        "",
        title="Id",
        description="short name for references; made from the name when left out",
        json_schema_extra=ru(
            "Id", "краткое имя для ссылок; без него делается из имени", aliases=["код", "идентификатор"]
        ),
    )
    name: Name = Field(
        title="Name",
        description="name of the fighter",
        json_schema_extra=ru("Имя", "имя бойца", rule="C2", aliases=["fighter", "боец"]),
    )
    name_ru: NameOrNone = Field(
        "",
        title="Name (Russian)",
        description="Russian name of the fighter",
        json_schema_extra=ru("Имя (рус.)", "русское имя бойца", rule="C2"),
    )
    apl: Whole = Field(
        2,
        ge=0,
        le=4,
        title="APL",
        description="action points of one activation",
        json_schema_extra=ru(
            "APL",
            "очки действий на активацию",
            rule="C2, RULING 7",
            aliases=["action point limit", "од", "очки действий"],
        ),
    )
    move: Length = Field(
        gt=0,
        le=100,
        title="Move",
        description="greatest distance of one Move, inches",
        json_schema_extra=ru(
            "Движение",
            "наибольшая дистанция одного Move, дюймы",
            rule="C2, RULING 7",
            suffixes=_INCHES,
            aliases=["ход", "перемещение"],
        ),
    )
    defence: Whole = Field(
        ge=0,
        le=20,
        title="Defence",
        description="number of defence dice",
        json_schema_extra=ru(
            "Защита",
            "число кубиков защиты",
            rule="C2, RULING 7",
            aliases=["defense", "def", "defence dice"],
            suffixes=["d6", "д6", "к6"],
        ),
    )
    hp: Whole = Field(
        ge=1,
        le=1000,
        title="HP",
        description="starting and maximum health",
        json_schema_extra=ru(
            "HP", "начальное и наибольшее здоровье", rule="C2, RULING 7", aliases=["здоровье", "health", "хп", "оз"]
        ),
    )
    base: Length = Field(
        32.0,
        gt=0,
        le=500,
        title="Base",
        description="diameter of the base, mm",
        json_schema_extra=ru(
            "База",
            "диаметр базы, мм",
            rule="C2, RULING 9",
            suffixes=["mm", "мм"],
            aliases=["base size", "размер базы", "base mm"],
        ),
    )
    count: Whole = Field(
        1,
        ge=1,
        le=50,
        title="Count",
        description="how many such fighters the squad has",
        json_schema_extra=ru("Число", "сколько таких бойцов в отряде", aliases=["количество", "кол-во", "number"]),
    )
    keywords: tuple[Keyword, ...] = Field(
        (),
        max_length=30,
        title="Keywords",
        description="categories of the fighter",
        json_schema_extra=ru("Ключевые слова", "категории бойца", rule="C2"),
    )
    rules: Text = Field(
        "",
        title="Rules",
        description="rules, items and special actions, as text",
        json_schema_extra=ru("Правила", "правила, предметы и особые действия, текстом", rule="C2"),
    )
    weapon: tuple[Weapon, ...] = Field(
        min_length=1,
        max_length=20,
        title="Weapons",
        description="weapons of the fighter",
        json_schema_extra=ru("Оружие", "оружие бойца", rule="C2, RULING 6", aliases=["weapons"]),
    )

    @model_validator(mode="before")
    @classmethod
    def _id_from_name(cls, data: Any) -> Any:
        return identified(data)


_FITTING = {"shooter": ("ranged", "pistol"), "fighter": ("melee",), "target": ("ranged", "pistol", "melee")}
_UNSTATED: dict[str, Any] = {"move": 6.0, "defence": 0, "hp": 1}  # never read: `needs` asks for what is read
_UNARMED = {"name": "unarmed", "type": "melee", "dice": 0, "hit": 6, "damage": 0}  # RULING 6: an empty pool


@dataclass(frozen=True)
class Entrant:
    """A fighter ready for an exchange.

    Parameters
    ----------
    card : Fighter
    hp : int
        Current HP, 1 to the card's.
    label : str
        The fighter's name in the language of the messages, or the words typed.
    weapon : Weapon or None
        The weapon chosen; None when the fighter has none that fits.
    inline : bool
        Typed on the command line instead of read from a card.
    stated : frozenset of str
        What was typed or stands on the card: "weapon", "type", "defence", "hp", "apl", "move", "range", "base".
        A field that is not stated holds a placeholder and must not be read.
    """

    card: Fighter
    hp: int
    label: str
    weapon: Weapon | None = None
    inline: bool = False
    stated: frozenset[str] = frozenset()


def entrant(
    text: str, kind: str, needs: Collection[str], weapon: str | None = None, folder: Path | None = None
) -> Entrant:
    """A fighter named by a reference or typed in the rulebook's notation.

    Parameters
    ----------
    text : str
        ``squad/fighter``, ``path/file.toml/fighter``, or "4d6 4+ 4 HP 9" (dice, Hit, Damage, HP; "HP 4/9" is 4 of 9).
    kind : {"shooter", "target", "fighter"}
        What the fighter does: it decides which weapons fit, and the type of one that is typed without it.
    needs : collection of {"weapon", "defence", "hp"}
        What the caller will read.
    weapon : str, optional
        Name of the card's weapon to use; else the first that fits.
    folder : Path, optional
        Where squads lie; else ``profiles/morsdei``.

    Raises
    ------
    UserError
        Something needed is missing or a word is not understood.
    CardFaults
        A card is missing or invalid, or a typed number is outside its bounds.
    """
    if not text.strip():
        raise UserError(_("nothing is written between the quotes"))
    if is_reference(text) or not looks_inline(text, Fighter):
        card = find(text, Fighter, folder or profiles_dir() / "morsdei")
        label = named(card.name, card.name_ru)
        chosen = _choose(card, label, kind, weapon, "weapon" in needs)
        stated = frozenset({"weapon", "type", "defence", "hp", "apl", "move", "base"})
        return Entrant(card, card.hp, label, chosen, False, stated)
    if weapon is not None:
        raise UserError(_('"{text}": a weapon can be chosen by name from a card only').format(text=text))
    return _typed(inline(text, Fighter, bare="damage", current="hp"), kind, needs)


def _typed(found: Inline, kind: str, needs: Collection[str]) -> Entrant:
    armed = {"dice", "hit", "damage"} & found.record.keys()
    missing = [one for one in ("dice", "hit", "damage") if one not in armed] if armed or "weapon" in needs else []
    if missing or not {"defence", "hp"}.intersection(needs) <= found.card.keys():
        raise UserError(_lacking(found, missing, needs))
    kind_of = {"type": "melee" if kind == "fighter" else "ranged"}
    record = {"name": "weapon", **kind_of, **found.record} if armed else dict(_UNARMED)
    card = Fighter.model_validate({"name": "fighter", **_UNSTATED, **found.card, "weapon": (record,)})
    chosen = card.weapon[0] if armed else None
    if chosen is not None and chosen.type not in _FITTING[kind]:
        raise UserError(_('"{text}": {type} does not fit here').format(text=found.text, type=_type_word(chosen.type)))
    stated = frozenset({*found.card, *found.record, *(["weapon"] if armed else [])})
    return Entrant(card, found.current.get("hp", card.hp), found.text, chosen, True, stated)


def _lacking(found: Inline, missing: list[str], needs: Collection[str]) -> str:
    examples = {"dice": "4d6", "hit": "4+", "damage": "4", "defence": "Defence 3", "hp": "HP 7"}
    titles = {
        column.key: column.title_ru if language() == "ru" else column.title
        for column in (*shape(Fighter).columns, *shape(Weapon).columns)
    }
    lack = missing + [one for one in ("defence", "hp") if one in needs and one not in found.card]
    whole = (["dice", "hit", "damage"] if "weapon" in needs or missing else []) + [
        one for one in ("defence", "hp") if one in needs
    ]
    return _('"{text}": {lack} is missing; write for instance "{example}"').format(
        text=found.text, lack=", ".join(titles[one] for one in lack), example=" ".join(examples[one] for one in whole)
    )


def _choose(card: Fighter, label: str, kind: str, wanted: str | None, needed: bool) -> Weapon | None:
    """RULING 6: the weapon asked for, else the first that fits; without one the action is unavailable."""
    fitting = [one for one in card.weapon if one.type in _FITTING[kind]]
    if wanted is not None:
        other = next((one for one in card.weapon if norm(wanted) in {norm(one.name), norm(one.name_ru)}), None)
        hint = _("it is a {type} weapon").format(type=_type_word(other.type)) if other is not None else ""
        return pick(wanted, fitting, label, hint)
    if not fitting and needed:
        types = ", ".join(_type_word(one) for one in _FITTING[kind])
        raise UserError(_("{fighter} has no weapon of this kind: {types}").format(fighter=label, types=types))
    return fitting[0] if fitting and kind != "target" else None


def _type_word(type_: str) -> str:
    return _TYPE_WORDS[type_][0] if language() == "ru" else type_
