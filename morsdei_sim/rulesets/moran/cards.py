"""R44-R50 The cards of Moran: a fighter, and the weapons and items that it names.

Field names are those of the atlas (chapter 2). Ours are `count` of both (copies of a fighter, stock of a command item),
`armour` of an item (the class it gives, RULING 29) and `command` (what a fighter brings into the team's stock, R50).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from morsdei_sim.cards import find, is_reference, pick
from morsdei_sim.cards.fields import identified, ru
from morsdei_sim.cards.text import Ident, Keyword, Name, NameOrNone, Text, Whole, norm
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _, named
from morsdei_sim.paths import profiles_dir

__all__ = ["Entrant", "Fighter", "Weapon", "entrant", "weapon_of"]

_NONE = ["null", "none", "нет", "без"]
_TYPES = {
    "OP": ["ОР", "оружие", "weapon"],
    "LO": ["ЛО", "лёгкое оружие", "light weapon"],
    "K": ["К", "командный предмет", "командный", "command item", "command"],
    "L": ["Л", "личный предмет", "личный", "personal item", "personal"],
}
_TEMPLATES = {
    "S": ["малый", "small"],
    "M": ["средний", "medium"],
    "L": ["большой", "large"],
    "C": ["конус", "cone"],
}


def _complete(data: Any) -> Any:
    """The id or the name that is missing; null of a card made in Python is left out, but for the magazine's."""
    if isinstance(data, dict):
        data = {key: value for key, value in data.items() if value is not None or key == "magazine"}
    return identified(data)


class Weapon(BaseModel):
    """R44-R46: one card of equipment, a weapon or another item."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", str_strip_whitespace=True, json_schema_extra={"ru": "Предмет"}
    )

    id: Ident = Field(
        "", title="Id", description="short name for references; made from the name when left out",
        json_schema_extra=ru("Id", "краткое имя для ссылок; без него делается из имени", aliases=["код"]),
    )  # fmt: skip
    name: Name = Field(
        title="Weapon", description="name of the weapon or item",
        json_schema_extra=ru("Оружие", "название оружия или предмета", aliases=["item", "предмет"]),
    )  # fmt: skip
    name_ru: NameOrNone = Field(
        "", title="Weapon (Russian)", description="Russian name of the weapon or item",
        json_schema_extra=ru("Оружие (рус.)", "русское название оружия или предмета"),
    )  # fmt: skip
    type: Literal["OP", "LO", "K", "L"] = Field(
        title="Type", description="corner mark: weapon, light weapon, command item or personal item",
        json_schema_extra=ru("Тип", "метка карточки: оружие, лёгкое оружие, командный или личный предмет", rule="R44",
                              words=_TYPES),
    )  # fmt: skip
    near: Whole | None = Field(
        None, ge=1, le=1000, title="Near", description="first number of accuracy, cells: nearer than this 4 dice",
        json_schema_extra=ru("Ближняя", "первое число точности, клетки: ближе неё 4 куба", rule="R13", none=_NONE,
                              example=10),
    )  # fmt: skip
    far: Whole | None = Field(
        None, ge=1, le=1000, title="Far", description="second number of accuracy, cells: from this on 2 dice",
        json_schema_extra=ru("Дальняя", "второе число точности, клетки: начиная с неё 2 куба", rule="R13", none=_NONE,
                              example=20),
    )  # fmt: skip
    lethality: Whole | None = Field(
        None, ge=1, le=6, title="Lethality",
        description="successes that kill an enemy without armour; damage of an area weapon",
        json_schema_extra=ru("Летальность", "сколько успехов убивает врага без брони; урон площадного оружия",
                              rule="R18, RULING 27", none=_NONE, aliases=["молния", "урон", "damage"], example=2),
    )  # fmt: skip
    magazine: Whole | None = Field(
        None, ge=1, le=99, title="Magazine", description="sixes that shoot it empty; left out: never empties",
        json_schema_extra=ru("Боекомплект", "сколько шестёрок разряжает; пусто: не разряжается", rule="R24",
                              none=_NONE, aliases=["патроны"], example=3),
    )  # fmt: skip
    template: Literal["S", "M", "L", "C"] | None = Field(
        None, title="Template", description="size of the area: S, M, L or C (cone); left out: no area weapon",
        json_schema_extra=ru("Шаблон", "размер области: S, M, L или C (конус); пусто: не площадное", rule="R46",
                              none=_NONE, words=_TEMPLATES),
    )  # fmt: skip
    throw: Whole = Field(
        10, ge=1, le=1000, title="Throw", description="cells from the thrower to the nearest cell of the template",
        json_schema_extra=ru("Бросок", "клеток от бросающего до ближней клетки шаблона", rule="R42, RULING 26",
                              aliases=["зона броска"]),
    )  # fmt: skip
    kind: Text = Field(
        "", title="Kind", description="kind of a personal item, such as armour or sight: one of each",
        json_schema_extra=ru("Вид", "вид личного предмета, например броня или прицел: не более одного", rule="R49"),
    )  # fmt: skip
    effect: Text = Field(
        "", title="Effect", description="passive bonus, as text: the rules name none but armour",
        json_schema_extra=ru("Эффект", "пассивный бонус, текстом: в правилах есть только броня", rule="RULING 36"),
    )  # fmt: skip
    armour: Whole | None = Field(
        None, ge=0, le=4, title="Class", description="class of armour that a personal item gives",
        json_schema_extra=ru("Класс", "класс брони, который даёт личный предмет", rule="RULING 29", none=_NONE,
                              aliases=["класс брони", "armor"]),
    )  # fmt: skip
    count: Whole = Field(
        1, ge=1, le=99, title="Stock", description="how many of this command item the team has",
        json_schema_extra=ru("Запас", "сколько таких командных предметов у команды", rule="R50"),
    )  # fmt: skip

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, data: Any) -> Any:
        return _complete(data)

    @model_validator(mode="after")
    def _whole(self) -> Weapon:
        if self.type == "L":
            if not self.kind:
                raise ValueError(_("a personal item needs its kind, such as armour (R49)"))
            if self.kind == "armour" and self.armour is None:
                raise ValueError(_("armour needs its class: armour = 1 (R29)"))
        elif self.template is not None:
            self._check_area()
        elif self.type != "K" and None in (self.near, self.far, self.lethality):
            raise ValueError(_("a weapon needs near, far and lethality, an area weapon template and lethality (R45)"))
        elif self.near is not None and self.far is not None and self.near > self.far:
            raise ValueError(_("near must not be more than far (R13)"))
        return self

    def _check_area(self) -> None:
        if self.lethality is None:
            raise ValueError(_("an area weapon needs its damage: lethality (RULING 27)"))
        if self.near is not None or self.far is not None:
            raise ValueError(_("an area weapon needs no roll to hit: leave out near and far (R39)"))
        if self.magazine is not None and self.magazine > 1:
            message = _("an area weapon rolls no sixes: magazine is left out, or 1 = empty after every use (RULING 27)")
            raise ValueError(message)

    def label(self) -> str:
        """The name in the language of the messages."""
        return named(self.name, self.name_ru)


class Fighter(BaseModel):
    """One fighter, with all that it names in `weapon`. One skill serves all its weapons (RULING 30)."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, json_schema_extra={"ru": "Боец"})

    id: Ident = Field(
        "", title="Id", description="short name for references; made from the name when left out",
        json_schema_extra=ru("Id", "краткое имя для ссылок; без него делается из имени", aliases=["код"]),
    )  # fmt: skip
    name: Name = Field(
        title="Name", description="name of the fighter",
        json_schema_extra=ru("Имя", "имя бойца", aliases=["fighter", "боец"]),
    )  # fmt: skip
    name_ru: NameOrNone = Field(
        "", title="Name (Russian)", description="Russian name of the fighter",
        json_schema_extra=ru("Имя (рус.)", "русское имя бойца"),
    )  # fmt: skip
    skill: Whole = Field(
        ge=1, le=6, title="Skill", description="shooting skill: a die that shows at most this is a success",
        json_schema_extra=ru("Навык", "навык стрельбы: успех, если на кубе не больше", rule="R14, RULINGS 11, 30",
                              aliases=["навык стрельбы"]),
    )  # fmt: skip
    move: Whole = Field(
        5, ge=0, le=20, title="Move", description="cells of one movement",
        json_schema_extra=ru("Движение", "клеток за одно движение", rule="R1", aliases=["ход"]),
    )  # fmt: skip
    main: Ident = Field(
        "", title="Main", description="main item: id of a weapon or light weapon",
        json_schema_extra=ru("Основной", "основной предмет: id оружия или лёгкого оружия", rule="R47", slot=True,
                              none=_NONE, aliases=["основной предмет"]),
    )  # fmt: skip
    second: Ident = Field(
        "", title="Second", description="id of one more light weapon",
        json_schema_extra=ru("Второе", "id ещё одного лёгкого оружия", rule="R48", slot=True, none=_NONE),
    )  # fmt: skip
    personal: tuple[Keyword, ...] = Field(
        (), max_length=20, title="Personal", description="ids of personal items, no two of one kind",
        json_schema_extra=ru("Личные", "id личных предметов, не более одного каждого вида", rule="R49", slot=True,
                              aliases=["личные предметы"]),
    )  # fmt: skip
    command: tuple[Keyword, ...] = Field(
        (), max_length=20, title="Command", description="ids of command items that it brings into the team's stock",
        json_schema_extra=ru("Командные", "id командных предметов, которые он приносит в запас команды", rule="R50",
                              slot=True, aliases=["командные предметы"]),
    )  # fmt: skip
    armour: Whole | None = Field(
        None, ge=0, le=4, title="Armour", description="class of armour; left out: that of its armour item",
        json_schema_extra=ru("Броня", "класс брони; пусто: класс его предмета брони", rule="R29", none=_NONE,
                              aliases=["класс брони", "armor"]),
    )  # fmt: skip
    count: Whole = Field(
        1, ge=1, le=12, title="Count", description="how many such fighters the squad has",
        json_schema_extra=ru("Число", "сколько таких бойцов в отряде", aliases=["количество", "кол-во", "number"]),
    )  # fmt: skip
    weapon: tuple[Weapon, ...] = Field(
        (), max_length=20, title="Weapons", description="weapons and items of the fighter",
        json_schema_extra=ru("Оружие", "оружие и предметы бойца", aliases=["weapons", "item", "items", "предмет"]),
    )  # fmt: skip

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, data: Any) -> Any:
        return _complete(data)

    @model_validator(mode="after")
    def _equipped(self) -> Fighter:
        """R47-R50 Slots left empty take what fits when only one thing does; then each is checked."""
        if not self.main:
            object.__setattr__(self, "main", self._for_main())
        if not self.second:
            object.__setattr__(self, "second", self._for_second())
        for slot, mark in (("personal", "L"), ("command", "K")):
            if not getattr(self, slot):
                object.__setattr__(self, slot, tuple(one.id for one in self.weapon if one.type == mark))
        self._check_slots()
        return self

    def _for_main(self) -> str:
        free = [one for one in self.weapon if one.type in ("OP", "LO") and norm(one.id) != norm(self.second)]
        heavy = [one for one in free if one.type == "OP"]
        fitting = heavy or free
        if len(fitting) > 1:
            raise ValueError(_("several weapons could be the main item: say which one, main = … (R47)"))
        return fitting[0].id if fitting else ""

    def _for_second(self) -> str:
        fitting = [one for one in self.weapon if one.type == "LO" and norm(one.id) != norm(self.main)]
        if len(fitting) > 1:
            raise ValueError(_("several light weapons could be the second one: say which, second = … (R48)"))
        return fitting[0].id if fitting else ""

    def _check_slots(self) -> None:
        if self.main and self._record(self.main).type not in ("OP", "LO"):
            raise ValueError(_("the main item must be a weapon or a light weapon (R47)"))
        if self.second and self._record(self.second).type != "LO":
            raise ValueError(_("the second weapon must be a light one (R48)"))
        if any(self._record(one).type != "L" for one in self.personal):
            raise ValueError(_("personal items must be of the type L (R44)"))
        if any(self._record(one).type != "K" for one in self.command):
            raise ValueError(_("command items must be of the type K (R44)"))
        kinds = Counter(self._record(one).kind for one in self.personal)
        twice = [kind for kind, n in kinds.items() if n > 1]
        if twice:
            raise ValueError(_("two personal items of the kind {kind} (R49)").format(kind=twice[0]))
        carried = {norm(one) for one in (self.main, self.second, *self.personal, *self.command)}
        spare = [one.id for one in self.weapon if norm(one.id) not in carried]
        if spare:
            raise ValueError(_("no slot names {item}; a fighter carries two weapons (R47, R48)").format(item=spare[0]))

    def _record(self, ident: str) -> Weapon:
        for one in self.weapon:
            if norm(one.id) == norm(ident):
                return one
        raise ValueError(_("there is no weapon or item {id}").format(id=ident))

    def armed(self) -> list[Weapon]:
        """R47-R48, R51 The weapons it can attack with: main, then second."""
        return [self._record(one) for one in (self.main, self.second) if one]

    def stock(self) -> list[Weapon]:
        """R50, R53 What it brings into the team's stock."""
        return [self._record(one) for one in self.command]

    @property
    def armour_class(self) -> int:
        """R29, R52, RULINGS 29, 36 The class on the card, else that of its armour item, else none.

        It is the only bonus of a personal item that the rules name.
        """
        if self.armour is not None:
            return self.armour
        return max((self._record(one).armour or 0 for one in self.personal), default=0)


@dataclass(frozen=True)
class Entrant:
    """A fighter ready for a question: its card, and its name in the language of the messages."""

    card: Fighter
    label: str


def entrant(text: str | Entrant, *_args: Any, folder: Path | None = None, **_kwargs: Any) -> Entrant:
    """A fighter named by a reference: ``squad/fighter`` or ``path/file.toml/fighter``.

    Raises
    ------
    UserError : the words are no reference.
    CardFaults : the card is missing or invalid.
    """
    if isinstance(text, Entrant):
        return text
    if not text.strip():
        raise UserError(_("nothing is written between the quotes"))
    if not is_reference(text):
        raise UserError(
            _('"{text}": fighters of Moran are read from cards; write squad/fighter, for instance {example}').format(
                text=text, example="demo/rifleman"
            )
        )
    return entrant_of(find(text, Fighter, folder or profiles_dir() / "moran"))


def entrant_of(card: Fighter) -> Entrant:
    """A card made in Python."""
    return Entrant(card, named(card.name, card.name_ru))


def weapon_of(fighter: Entrant, wanted: str = "") -> Weapon:
    """RULINGS 13, 32 The weapon asked for by id or name, else the main one; UserError when there is none."""
    mine = [*fighter.card.armed(), *(one for one in fighter.card.stock() if one.template)]
    if not wanted:
        if not fighter.card.armed():
            raise UserError(_("{name} has no weapon and cannot shoot (R6).").format(name=fighter.label))
        return mine[0]
    return pick(wanted, mine, fighter.label)
