"""R47-R48, R12, R66 The cards of Club: a fighter and its weapons, their units and bounds (atlas chapter 2).

Damage stands on no card of the document (RULING 12), strikes stand on the melee weapon (RULING 18), and a magazine is
ours too (RULING 30). A fighter has at most one weapon of each kind ready (R66): its three slots name them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from morsdei_sim.cards import find, is_reference, pick
from morsdei_sim.cards.fields import identified, ru
from morsdei_sim.cards.text import Ident, Keyword, Length, Name, NameOrNone, Whole, norm
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, language, named
from morsdei_sim.paths import profiles_dir

__all__ = ["NEVER", "Damage", "Entrant", "Fighter", "Weapon", "called", "entrant", "weapon_of"]

NEVER = 7
"""A face that no D6 shows: cannot, or none."""

KINDS = ("ranged", "pistol", "melee")

_INCHES = ['"', "in", "inch", "inches", "″", "”", "дюйм", "дюйма", "дюймов"]
_NONE = ["none", "null", "no", "нет", "-", "–"]
_KIND_WORDS = {
    "ranged": ["дальнее", "стрелковое", "дальнобойное", "стрелковое оружие"],
    "pistol": ["пистолет"],
    "melee": ["ближнее", "ближний бой", "рукопашное", "оружие ближнего боя"],
}
_USER = r"(?:user|сила|своя|владелец)"
_STRENGTH = re.compile(rf"(?:{_USER})?(?:[*x×х](?P<times>\d{{1,2}}))?(?:\+(?P<plus>\d{{1,2}}))?")
_DICE = re.compile(r"(?P<count>\d?)[dдкk](?P<sides>\d{1,2})")


def _half_inches(length: float) -> float:
    if length * 2 != round(length * 2):
        raise ValueError(_("must be whole or half inches"))
    return length


def _strength(text: str) -> str:
    compact = re.sub(r"\s+", "", text.casefold())
    if re.fullmatch(r"\d{1,2}", compact):
        if not 1 <= int(compact) <= 40:
            raise ValueError(_("must be 1 to 40"))
        return str(int(compact))
    found = _STRENGTH.fullmatch(compact)
    if found is None or (found["times"] and not 1 <= int(found["times"]) <= 10):
        raise ValueError(_("must be a number, user, user+N or user*N"))
    times, plus = int(found["times"] or 1), int(found["plus"] or 0)
    return "user" + (f"*{times}" if times > 1 else "") + (f"+{plus}" if plus else "")


def _damage(text: str) -> str:
    compact = re.sub(r"\s+", "", text.casefold())
    if re.fullmatch(r"\d{1,2}", compact):
        if not 1 <= int(compact) <= 40:
            raise ValueError(_("must be 1 to 40, or dice such as D3 or 2D6"))
        return str(int(compact))
    found = _DICE.fullmatch(compact)
    if found is None or not (1 <= int(found["count"] or 1) <= 4 and 2 <= int(found["sides"]) <= 20):
        raise ValueError(_("must be 1 to 40, or dice such as D3 or 2D6"))
    count = int(found["count"] or 1)
    return f"{count if count > 1 else ''}D{int(found['sides'])}"


@dataclass(frozen=True)
class Damage:
    """RULING 12 What one unsaved hit does: `flat`, or the sum of `count` dice with `sides` sides."""

    count: int
    sides: int
    flat: int

    @classmethod
    def of(cls, text: str) -> Damage:
        """Damage as the card writes it; ValueError for anything else."""
        found = _DICE.fullmatch(_damage(text).casefold())
        return cls(0, 0, int(text)) if found is None else cls(int(found["count"] or 1), int(found["sides"]), 0)

    @property
    def most(self) -> int:
        """The greatest damage of one hit."""
        return self.count * self.sides + self.flat


class Weapon(BaseModel):
    """R12, R23, R42: one weapon."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", str_strip_whitespace=True, json_schema_extra={"ru": "Оружие"}
    )

    id: Ident = Field(
        "",
        title="Id",
        description="short name by which cards name the weapon; made from the name when left out",
        json_schema_extra=ru("Id", "краткое имя, которым карточки называют оружие", aliases=["код"]),
    )
    name: Name = Field(
        title="Weapon", description="name of the weapon", json_schema_extra=ru("Оружие", "название оружия")
    )
    name_ru: NameOrNone = Field(
        "",
        title="Weapon (Russian)",
        description="Russian name of the weapon",
        json_schema_extra=ru("Оружие (рус.)", "русское название оружия"),
    )
    kind: Literal["ranged", "pistol", "melee"] = Field(
        title="Kind",
        description="kind of weapon",
        json_schema_extra=ru("Вид", "вид оружия", rule="R66", words=_KIND_WORDS, aliases=["type", "тип"]),
    )
    range: Length = Field(
        0.0,
        ge=0,
        le=200,
        title="Range",
        description="greatest gap at which it fires, inches; 0 for melee",
        json_schema_extra=ru(
            "Дальность",
            "наибольший промежуток для выстрела, дюймы; 0 у ближнего",
            rule="R42",
            suffixes=_INCHES,
            example=24.0,
        ),
    )
    shots: Whole = Field(
        1,
        ge=1,
        le=20,
        title="Shots",
        description="shots of one volley; strikes of a melee weapon",
        json_schema_extra=ru(
            "Выстрелы",
            "число выстрелов; ударов у оружия ближнего боя",
            rule="R12, RULING 18",
            aliases=["strikes", "attacks", "удары", "атаки", "количество выстрелов"],
        ),
    )
    strength: Annotated[str, AfterValidator(_strength)] = Field(
        "user",
        title="Strength",
        description="STRENGTH of its hits: a number, or of melee weapons user, user+N, user*N",
        json_schema_extra=ru(
            "Сила",
            "СИЛА попаданий: число, у оружия ближнего боя и user, user+N, user*N",
            rule="RULING 5",
            number=True,
            example="4",
        ),
    )
    ap: Whole = Field(
        0,
        ge=-6,
        le=0,
        title="AP",
        description="armour piercing as printed, negative",
        json_schema_extra=ru(
            "Б/П", "бронепробитие, как напечатано, отрицательное", rule="R56", aliases=["бп", "бронепробитие"]
        ),
    )
    damage: Annotated[str, AfterValidator(_damage)] = Field(
        "1",
        title="Damage",
        description="damage of one unsaved hit: a number or dice such as D3",
        json_schema_extra=ru(
            "Урон", "урон одного пропущенного попадания: число или кубики, например D3", rule="RULING 12", number=True
        ),
    )
    magazine: Whole | None = Field(
        None,
        ge=1,
        le=60,
        title="Magazine",
        description="shots in a full load; empty: never discharged",
        json_schema_extra=ru(
            "Магазин", "выстрелов в полном заряде; пусто: не разряжается", rule="RULING 30",
            aliases=["патроны", "батарея"], none=[*_NONE, "∞"],
        ),
    )  # fmt: skip

    @model_validator(mode="before")
    @classmethod
    def _names(cls, data: Any) -> Any:
        return identified(data)

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Weapon:
        if self.kind == "melee":
            if self.range:
                raise ValueError(_("a melee weapon has no range (R42)"))
            if self.magazine is not None:
                raise ValueError(_("a melee weapon has no magazine (RULING 30)"))
        elif not self.range:
            raise ValueError(_("a ranged weapon needs a range above 0 (R42)"))
        elif not self.strength.isdigit():
            raise ValueError(_("a ranged weapon needs its own strength, a number (RULING 5)"))
        return self

    def strength_of(self, user: int) -> int:
        """RULING 5 STRENGTH of its hits: its own number, or the user's, multiplied first and then added to."""
        if self.strength.isdigit():
            return int(self.strength)
        found = _STRENGTH.fullmatch(self.strength)
        times, plus = (found["times"], found["plus"]) if found else (None, None)
        return user * int(times or 1) + int(plus or 0)


def _face(title: str, title_ru: str, text: str, text_ru: str, rule: str, aliases: list[str], none: str) -> Any:
    return Field(
        ge=2,
        le=NEVER,
        title=title,
        description=f"{text}; 7: {none}",
        json_schema_extra=ru(title_ru, text_ru, rule=rule, suffixes=["+"], aliases=aliases),
    )


def _slot(title: str, title_ru: str, text_ru: str, aliases: list[str]) -> Any:
    return Field(
        None,
        title=title,
        description=f"id of its {title.lower()}; empty: none",
        json_schema_extra=ru(title_ru, text_ru, rule="R66", slot=True, none=_NONE, aliases=aliases),
    )


class Fighter(BaseModel):
    """R5, R47-R48, R55: one fighter card."""

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
        json_schema_extra=ru("Имя", "имя бойца", aliases=["fighter", "боец", "персонаж"]),
    )
    name_ru: NameOrNone = Field(
        "",
        title="Name (Russian)",
        description="Russian name of the fighter",
        json_schema_extra=ru("Имя (рус.)", "русское имя бойца"),
    )
    speed: Annotated[Length, AfterValidator(_half_inches)] = Field(
        ge=0,
        le=24,
        title="Speed",
        description="greatest distance of a move, whole or half inches",
        json_schema_extra=ru(
            "Скорость", "наибольшая дистанция хода, целые или половины дюйма", rule="R5", suffixes=_INCHES
        ),
    )
    acc_ranged: Whole = _face(
        "Accuracy, ranged", "Точность, стрельба", "face from which a shot hits", "грань, с которой выстрел попадает",
        "R47", ["точность стрельбы", "точность"], "cannot shoot",
    )  # fmt: skip
    acc_melee: Whole = _face(
        "Accuracy, melee", "Точность, ближний бой", "face from which a strike hits", "грань, с которой удар попадает",
        "R47", ["точность ближнего боя"], "cannot strike",
    )  # fmt: skip
    strength: Whole = Field(
        ge=1,
        le=20,
        title="Strength",
        description="STRENGTH of its melee strikes",
        json_schema_extra=ru("Сила", "СИЛА ударов в ближнем бою", rule="R48"),
    )
    toughness: Whole = Field(
        ge=1,
        le=20,
        title="Toughness",
        description="what STRENGTH is compared with",
        json_schema_extra=ru("Стойкость", "с чем сравнивается СИЛА", rule="R48"),
    )
    save: Whole = _face(
        "Save", "Спасбросок", "face from which it saves", "грань, с которой спасается", "R55", ["спас"], "no save"
    )
    endurance: Whole = Field(
        ge=1,
        le=40,
        title="Endurance",
        description="damage until it is dying or dead",
        json_schema_extra=ru(
            "Выносливость", "сколько урона до ПРИ СМЕРТИ или гибели", rule="R30", aliases=["выностивость"]
        ),
    )
    leadership: Whole = Field(
        ge=1,
        le=12,
        title="Leadership",
        description="flees when D6 and the damage received are more",
        json_schema_extra=ru("Лидерство", "бежит, когда Д6 и полученный урон больше", rule="R29"),
    )
    hero: bool = Field(
        True,
        title="Hero",
        description="at 0 endurance: yes: dying; no: dead",
        json_schema_extra=ru(
            "Герой",
            "при 0 выносливости: да: при смерти; нет: погиб",
            rule="RULING 24",
            aliases=["игрок", "персонаж игрока"],
        ),
    )
    count: Whole = Field(
        1,
        ge=1,
        le=20,
        title="Count",
        description="how many such fighters the squad has",
        json_schema_extra=ru("Число", "сколько таких бойцов в отряде", aliases=["количество", "кол-во", "number"]),
    )
    ranged: NameOrNone | None = _slot(
        "Ranged weapon", "Стрелковое оружие", "id стрелкового оружия; пусто: нет", ["стрелковое", "дальнобойное"]
    )
    pistol: NameOrNone | None = _slot("Pistol", "Пистолет", "id пистолета; пусто: нет", [])
    melee: NameOrNone | None = _slot(
        "Melee weapon", "Оружие ближнего боя", "id оружия ближнего боя; пусто: нет", ["ближнее", "рукопашное"]
    )
    traits: tuple[Keyword, ...] = Field(
        (),
        max_length=30,
        title="Traits",
        description="traits, as words; they do nothing (RULING 35)",
        json_schema_extra=ru("Особенности", "особенности, словами; ничего не делают (RULING 35)"),
    )
    weapon: tuple[Weapon, ...] = Field(
        (),
        max_length=20,
        title="Weapons",
        description="weapons of the fighter",
        json_schema_extra=ru("Оружие", "оружие бойца", rule="R66", aliases=["weapons", "item", "items"]),
    )

    @model_validator(mode="before")
    @classmethod
    def _names(cls, data: Any) -> Any:
        return identified(data)

    @model_validator(mode="after")
    def _slots(self) -> Fighter:
        for kind in KINDS:
            self.__dict__[kind] = self._slot_of(kind)
        return self

    def _slot_of(self, kind: str) -> str | None:
        """R66, RULING 31: the one weapon of a kind that is ready; a slot left empty takes the only one that fits."""
        fitting = [one for one in self.weapon if one.kind == kind]
        wanted = getattr(self, kind)
        if not wanted:
            if len(fitting) > 1:
                names = ", ".join(one.id for one in fitting)
                raise ValueError(
                    _("{kind}: say which one is ready, {names}: one of each kind may be used (R66)").format(
                        kind=kind, names=names
                    )
                )
            return fitting[0].id if fitting else None
        found = next((one for one in self.weapon if norm(wanted) in {norm(one.id), norm(one.name)}), None)
        if found is None:
            raise ValueError(_("{kind} = {id}: there is no such weapon").format(kind=kind, id=wanted))
        if found.kind != kind:
            raise ValueError(
                _("{kind} = {id}: this weapon is of the kind {other} (R66)").format(
                    kind=kind, id=wanted, other=found.kind
                )
            )
        return found.id

    def ready(self, kind: str) -> Weapon | None:
        """R66 The weapon in a slot; None when it is empty."""
        wanted = getattr(self, kind)
        return next((one for one in self.weapon if one.id == wanted), None)


@dataclass(frozen=True)
class Entrant:
    """A fighter ready for a question: its card, and its name in the language of the messages."""

    card: Fighter
    label: str


def called(one: Fighter | Weapon) -> str:
    """The name of a card in the language of the messages."""
    return named(one.name, one.name_ru)


def entrant(text: str, *_kinds: Any, folder: Path | None = None, **_more: Any) -> Entrant:
    """A fighter named by a reference: ``squad/fighter`` or ``path/file.toml/fighter``.

    Raises
    ------
    UserError
        The words are no reference: this game has no notation for a fighter in one line.
    CardFaults
        The card is missing or invalid.
    """
    if not text.strip():
        raise UserError(_("nothing is written between the quotes"))
    place = folder or profiles_dir() / "club"
    if not is_reference(text) and re.search(r"\d\s*\+|\s", text.strip()):
        raise UserError(
            _('"{text}" is no fighter: name a card, for instance guard/guardsman or file.toml/name').format(text=text)
        )
    card = find(text, Fighter, place)
    return Entrant(card, called(card))


def weapon_of(fighter: Entrant, kinds: tuple[str, ...], wanted: str = "") -> Weapon:
    """R12, R23, R59 The weapon asked for by name, else the first of these kinds that stands in a slot.

    Raises
    ------
    UserError
        There is none.
    """
    card = fighter.card
    if wanted:
        return pick(wanted, [one for one in card.weapon if one.kind in kinds], fighter.label)
    ready = [weapon for kind in kinds if (weapon := card.ready(kind)) is not None]
    if not ready:
        words = ", ".join(_KIND_WORDS[kind][0] if language() == "ru" else kind for kind in kinds)
        raise UserError(_("{fighter} has no weapon of this kind: {types}").format(fighter=fighter.label, types=words))
    return ready[0]
