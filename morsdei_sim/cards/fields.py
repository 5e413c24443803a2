"""What the card models of all rooms share: Russian beside English, and the names of a card made from each other."""

from __future__ import annotations

from typing import Any

from morsdei_sim.cards.text import slug

__all__ = ["identified", "ru"]


def ru(title: str, description: str, **extra: Any) -> dict[str, Any]:
    """The `json_schema_extra` of a field: its title and meaning in Russian, and whatever else `cards.shape` reads."""
    return {"ru": title, "description_ru": description, **extra}


def identified(data: Any) -> Any:
    """The id made from the name, or the name from the id, whichever is missing (for a validator of mode "before")."""
    if not isinstance(data, dict):
        return data
    if not data.get("id") and isinstance(data.get("name"), str):
        return {**data, "id": slug(data["name"])}
    if not data.get("name") and isinstance(data.get("id"), str):
        return {**data, "name": data["id"].replace("_", " ").replace("-", " ")}
    return data
