"""JSON Schema of a card file, for completion in editors, and the same words for notes and comments."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from morsdei_sim.cards.shape import Column, Shape, shape
from morsdei_sim.cards.values import allowed
from morsdei_sim.lang import _, language, set_language

__all__ = ["about", "schema"]

_OURS = ("ru", "description_ru", "words", "aliases", "suffixes", "none", "rule", "slot", "number", "example")


def about(column: Column, lang: str) -> str:
    """What a field means and may hold, in one line: "lowest successful face: 2 to 6"."""
    before = language()
    set_language(lang)
    try:
        text = column.help_ru if lang == "ru" else column.help
        span = allowed(column)
        text = f"{text}: {span}" if span and column.kind != "text" else text
        return text if column.required else _("{text} (may be left out)").format(text=text)
    finally:
        set_language(before)


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """JSON Schema of a TOML file of such cards, titles and descriptions in English and Russian.

    Parameters
    ----------
    model : type of pydantic.BaseModel
        The room's card model.

    Returns
    -------
    dict
        JSON Schema, draft 2020-12, ready for ``json.dumps``.
    """
    form = shape(model)
    card = model.model_json_schema()
    definitions = card.pop("$defs", {})
    _bilingual(card, form)
    for name, inner in definitions.items():
        if form.record is not None and name == form.record.model.__name__:
            _bilingual(inner, form.record)
    text = {"type": "string", "maxLength": 80}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{form.name} cards / карточки: {form.name_ru.lower()}",
        "type": "object",
        "additionalProperties": False,
        "required": [form.name],
        "properties": {
            "squad": {**text, "title": "Squad / Отряд", "description": "name of the squad / название отряда"},
            "squad_ru": {
                **text,
                "title": "Squad (Russian) / Отряд (рус.)",
                "description": "Russian name of the squad / русское название отряда",
            },
            form.name: {
                "type": "array",
                "minItems": 1,
                "maxItems": 200,
                "items": {"$ref": f"#/$defs/{model.__name__}"},
            },
            **_shared(form),
        },
        "$defs": {**definitions, model.__name__: card},
    }


def _shared(form: Shape) -> dict[str, Any]:
    """The tables of records that stand once for all cards of a file."""
    if form.record is None or not form.slots:
        return {}
    items = {"$ref": f"#/$defs/{form.record.model.__name__}"}
    return {form.record_key: {"type": "array", "maxItems": 200, "items": items}}


def _bilingual(part: dict[str, Any], form: Shape) -> None:
    columns = {column.key: column for column in form.columns}
    part["title"] = f"{form.model.__name__} / {form.name_ru}"
    for name in _OURS:
        part.pop(name, None)
    for key, entry in part["properties"].items():
        for name in _OURS:
            entry.pop(name, None)
        if key in columns:
            column = columns[key]
            rule = f" [{column.rule}]" if column.rule else ""
            entry["title"] = f"{column.title} / {column.title_ru}"
            entry["description"] = f"{column.help} / {column.help_ru}{rule}"
            if column.number:
                entry["type"] = ["string", "number"]
