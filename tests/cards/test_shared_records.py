"""Records that stand once in a file, or in `armoury.toml` beside it, and are named by the cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, model_validator

from morsdei_sim.cards import files_of, read, schema, write
from morsdei_sim.cards.text import Ident, Name, NameOrNone, Text, Whole, slug
from morsdei_sim.errors import CardFaults


def _named(data: Any) -> Any:
    return {**data, "id": data.get("id") or slug(data.get("name", "")), "name": data.get("name") or data.get("id")}


class Tool(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra={"ru": "Орудие"})
    id: Ident = ""
    name: Name = Field("", title="Tool")
    power: Whole = Field(ge=1, le=9)
    force: Text = Field("user", json_schema_extra={"number": True})
    _fill = model_validator(mode="before")(_named)


class Worker(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra={"ru": "Рабочий"})
    id: Ident = ""
    name: Name = Field("", title="Name")
    brave: bool = True
    left: NameOrNone = Field("", json_schema_extra={"slot": True})
    bag: tuple[Name, ...] = Field((), json_schema_extra={"slot": True})
    tool: tuple[Tool, ...] = ()
    _fill = model_validator(mode="before")(_named)


SHARED = """
[[tool]]
id = "long_saw"
power = 3
force = 7

[[tool]]
id = "axe"
power = 5
"""


def put(folder: Path, text: str, name: str = "crew.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def faults_of(path: Path) -> list[Any]:
    with pytest.raises(CardFaults) as caught:
        read(path, Worker)
    return list(caught.value.faults)


def test_named_from_the_same_file(tmp_path: Path) -> None:
    path = put(
        tmp_path, SHARED + '[[worker]]\nid = "a_b"\nleft = "long_saw"\nbag = ["axe", "Long Saw"]\nbrave = false\n'
    )
    (one,) = read(path, Worker)
    assert (one.id, one.name, one.brave) == ("a_b", "a_b", False)
    assert [(tool.id, tool.power, tool.force) for tool in one.tool] == [("long_saw", 3, "7"), ("axe", 5, "user")]


def test_own_records_come_first_and_the_armoury_beside_last(tmp_path: Path) -> None:
    put(tmp_path, '[[tool]]\nid = "axe"\npower = 1\n[[tool]]\nid = "hoe"\npower = 2\n', "armoury.toml")
    path = put(
        tmp_path,
        SHARED
        + '[[worker]]\nname = "Ann"\nbag = ["axe", "hoe", "long_saw"]\n[[worker.tool]]\nid = "long_saw"\npower = 9\n',
    )
    (one,) = read(path, Worker)
    assert [(tool.id, tool.power) for tool in one.tool] == [("long_saw", 9), ("axe", 5), ("hoe", 2)]
    assert read(tmp_path / "armoury.toml", Worker) == []  # a file may hold records only
    assert [file.name for file in files_of(tmp_path)] == ["armoury.toml", "crew.toml"]


def test_all_faults_at_once(tmp_path: Path) -> None:
    put(tmp_path, '[[tool]]\nid = "hoe"\npower = 20\n', "armoury.toml")
    path = put(
        tmp_path,
        '[[tool]]\nid = "saw"\npower = "much"\n[[tool]]\nid = "axe"\npower = 1\n[[tool]]\nid = "axe"\npower = 2\n'
        '[[worker]]\nname = "Ann"\nleft = "saw"\nbag = ["hoe", "axes"]\n'
        '[[worker]]\nname = "Bob"\nleft = "saw"\nbrave = "perhaps"\n',
    )
    found = [(Path(one.file).name, one.place, one.value, one.hint) for one in faults_of(path)]
    assert sorted(found) == [
        ("armoury.toml", "line 3", "20", ""),
        ("crew.toml", "line 13", '"axes"', 'did you mean "axe"?'),
        ("crew.toml", "line 17", '"perhaps"', ""),
        ("crew.toml", "line 3", '"much"', ""),
        ("crew.toml", "line 7", "", ""),
    ]


def test_nothing_there(tmp_path: Path) -> None:
    (fault,) = faults_of(put(tmp_path, '[[worker]]\nname = "Ann"\nleft = "axe"\n'))
    assert (fault.place, fault.value, fault.hint) == ("line 3", '"axe"', "write it under [[tool]]")


@pytest.mark.parametrize("kind", [".toml", ".csv", ".xlsx"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_round_trip(tmp_path: Path, kind: str, lang: str) -> None:
    source = put(
        tmp_path,
        SHARED
        + '[[worker]]\nid = "ann"\nleft = "axe"\nbrave = false\n[[worker]]\nid = "bob"\nbag = ["axe", "long_saw"]\n',
    )
    cards = read(source, Worker)
    write(tmp_path / f"other{kind}", cards, Worker, lang)
    assert read(tmp_path / f"other{kind}", Worker) == cards


def test_schema_knows_the_tables() -> None:
    found = schema(Worker)
    assert found["properties"]["tool"]["items"] == {"$ref": "#/$defs/Tool"}
    assert found["$defs"]["Tool"]["properties"]["force"]["type"] == ["string", "number"]
    assert "slot" not in str(found)
