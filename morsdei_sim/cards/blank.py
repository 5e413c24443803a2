"""An empty card file with one example row and the meaning of every field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from morsdei_sim.cards.editor import about
from morsdei_sim.cards.shape import Column, Shape, shape
from morsdei_sim.cards.squad import write
from morsdei_sim.cards.titles import titles

__all__ = ["notes_on", "template"]

_WORDS = {
    "en": ("Each row is one weapon; leave the fighter's cells blank on the rows of its further weapons.", "Example"),
    "ru": (
        "Каждая строка — одно оружие; в строках дальнейшего оружия того же бойца его ячейки оставьте пустыми.",
        "Пример",
    ),
}


def template(
    path: str | Path, model: type[BaseModel], lang: str = "en", *, force: bool = False, schema: str = ""
) -> list[str]:
    """Write a card file with one example card and notes on every field; returns the notes, since a CSV holds none.

    Parameters
    ----------
    path : str or Path
        The ending chooses the format: ``.toml``, ``.csv`` or ``.xlsx``.
    model : type of pydantic.BaseModel
        The room's card model.
    lang : {"en", "ru"}
        Language of titles and notes.
    force : bool
        Overwrite an existing file.
    schema : str
        Path of the JSON Schema for editors (TOML only).

    Raises
    ------
    UserError
        The file exists, cannot be written, or has an unknown ending.
    """
    form = shape(model)
    notes = notes_on(model, lang, table=Path(path).suffix.lower() != ".toml")
    write(
        path,
        [_example(form, lang)],
        model,
        lang,
        force=force,
        schema=schema,
        notes=notes,
    )
    return notes


def notes_on(model: type[BaseModel], lang: str, table: bool) -> list[str]:
    """What every field means and may hold, in the words of a table or of a TOML file."""
    form = shape(model)
    if not table:
        lines = [f"{column.key}: {about(column, lang)}" for column in form.columns]
        inner = form.record.columns if form.record else ()
        return [
            f"[[{form.name}]]",
            *lines,
            f"[[{form.name}.{form.record_key}]]",
            *(f"{column.key}: {about(column, lang)}" for column in inner),
        ]
    return [
        _WORDS[lang][0],
        *(
            f"{column.title_ru if lang == 'ru' else column.title}: {about(column, lang)}"
            for _level, column in titles(form).columns
        ),
    ]


def _example(form: Shape, lang: str) -> BaseModel:
    data = _shown(form, lang)
    if any(column.key == "id" for column in form.columns):
        data["id"] = "example"  # in every language, so that `file.toml/example` always finds it
    if form.record is not None:
        data[form.record_key] = (_shown(form.record, lang),)
    return form.model.model_validate(data)


def _shown(form: Shape, lang: str) -> dict[str, Any]:
    """The fields that an example shows."""
    shown = [column for column in form.columns if column.required or column.example is not None]
    return {column.key: _value(column, lang) for column in shown}


def _value(column: Column, lang: str) -> Any:
    """The example that the model gives, else a value in the lower middle of what is allowed."""
    if column.example is not None:
        return column.example
    if column.kind == "choice":
        return column.choices[0]
    if column.kind == "words":
        return ()
    if column.kind == "text":
        return _WORDS[lang][1]
    low = column.bound("ge") or column.bound("gt") or 0
    high = column.bound("le") or low + 10
    value = int(min(high, max(low + 1, min(4, (low + high) // 2))))
    return value if column.kind == "whole" else float(value)
