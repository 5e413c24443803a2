"""A squad small enough to collect in no time: two equal cards, a weaker one, and names that want to be more than
names."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

EVIL = "=HYPERLINK(1)<script>alert(1)</script>$x_1$"


def card(
    ident: str, *, defence: int = 3, hp: int = 8, dice: int = 4, hit: int = 4, damage: int = 4, **extra: Any
) -> str:
    """One fighter with a rifle and a blade of the same numbers."""
    fields = {"id": ident, "name": ident, "move": 6, "defence": defence, "hp": hp, **extra}
    arm = extra.pop("arm", "rifle")
    fields.pop("arm", None)
    lines = ["[[fighter]]", *(f"{key} = {value!r}" for key, value in fields.items())]
    for name, kind in ((arm, "ranged"), ("blade", "melee")):
        numbers = {"dice": dice, "hit": hit, "damage": damage}
        lines += ["[[fighter.weapon]]", f"name = {name!r}", f"type = {kind!r}"]
        lines += [f"{key} = {value}" for key, value in numbers.items()]
    return "\n".join(lines) + "\n"


@cache
def _collected(cards: str, field: str, **words: Any) -> Any:
    """One collection for all tests of all folders."""
    from morsdei_sim.sweep import collect

    return collect(cards=[cards], field=[field], jobs=1, **words)


_FOLDERS: list[Path] = []


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not _FOLDERS:
        where = tmp_path_factory.mktemp("cards")
        squad = [card("one"), card("two"), card("weak", dice=3, hp=7, move=7), card("sure", hp=9, hit=2, arm=EVIL)]
        (where / "twins.toml").write_text("".join(squad), encoding="utf-8")
        (where / "aims.toml").write_text(card("seven", hp=7) + card("nine", hp=9, defence=4), encoding="utf-8")
        _FOLDERS.append(where)
    return _FOLDERS[0]


@pytest.fixture(scope="session")
def asked(folder: Path) -> dict[str, Any]:
    return {"cards": [str(folder / "twins.toml")], "field": [str(folder / "aims.toml")]}


@pytest.fixture(scope="session")
def exact(folder: Path) -> Any:
    return _collected(str(folder / "twins.toml"), str(folder / "aims.toml"))


@pytest.fixture(scope="session")
def sampled(folder: Path) -> Any:
    return _collected(str(folder / "twins.toml"), str(folder / "aims.toml"), engine="sample", trials=2048, seed=7)
