"""validate, show, schema and template as a designer runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from morsdei_sim import cli
from morsdei_sim.rulesets.morsdei.cards import Fighter
from tests.sweep.small_squad import card


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command line in an empty folder, within this process: starting one takes longer than most verbs."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str, code: int = 0) -> Result:
        monkeypatch.setattr(sys, "argv", ["__main__.py", "--lang", "en", *arguments])
        done = CliRunner(env={"COLUMNS": "120"}).invoke(cli.main, sys.argv[1:], catch_exceptions=False)
        assert done.exit_code == code, done.stderr
        return done

    return invoke


def test_the_rooms_own_cards_are_valid(tmp_path: Path, run: Callable[..., Result]) -> None:
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, "-m", "morsdei_sim", "--lang", "en", "validate"], capture_output=True, text=True,
        cwd=tmp_path, encoding="utf-8", timeout=120, env={**os.environ, "PYTHONPATH": root, "COLUMNS": "120"},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "All valid: 18 cards in 6 files.\n", "")
    assert json.loads(run("validate", "--json").stdout)["cards"] == 18


def test_faults_end_with_exit_code_three(tmp_path: Path, run: Callable[..., Result]) -> None:
    run("template", "a.toml")
    text = (tmp_path / "a.toml").read_text(encoding="utf-8").replace("hit = 4", "hit = 7").replace("hp = 4", "hp = 0")
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    done = run("validate", "a.toml", "nothing.toml", code=3)
    assert done.stdout == ""
    assert 'fighter "Example", weapon "Example", hit = 7: must be 2 to 6 (lowest successful face)' in done.stderr
    assert len(done.stderr.splitlines()) == 3
    found = json.loads(run("validate", "a.toml", "--json", code=3).stdout)["error"]["faults"]
    assert [fault["value"] for fault in found] == ["0", "7"]


@pytest.mark.parametrize("name", ["a.toml", "a.csv", "a.xlsx"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_templates_are_valid_and_not_overwritten(
    tmp_path: Path, run: Callable[..., Result], name: str, lang: str
) -> None:
    run("template", name, "--lang", lang)
    run("validate", name)
    before = (tmp_path / name).read_bytes()
    assert "--force" in run("template", name, code=2).stderr
    assert (tmp_path / name).read_bytes() == before
    run("template", name, "--from", "bulwark", "--force")
    assert run("validate", name).stdout == "All valid: 2 cards in 1 file.\n"


def test_show(tmp_path: Path, run: Callable[..., Result]) -> None:
    shown = run("show", "bulwark/heavy").stdout
    assert "HP 10" in shown
    assert "5d6" in shown
    assert "4+" in shown
    assert "Gunner" not in shown
    assert "тяжёлая винтовка" in run("show", "bulwark", "--lang", "ru").stdout
    card = json.loads(run("show", "bulwark/heavy", "--json").stdout)["cards"][0]
    assert Fighter.model_validate({**card, "keywords": (), "weapon": tuple(card["weapon"])}).hp == 10
    assert 'did you mean "heavy"' in run("show", "bulwark/hevy", code=3).stderr


def test_a_russian_card_has_russian_units(run: Callable[..., Result], tmp_path: Path) -> None:
    """Decimal comma and millimetres; a program still reads 6.5."""
    file = tmp_path / "own.toml"
    file.write_text(card("one", move=6.5, base=32), encoding="utf-8")
    russian, english = (run("show", f"{file}/one", "--lang", lang).stdout for lang in ("ru", "en"))
    assert '6,5"' in russian
    assert " мм" in russian
    assert " mm" not in russian
    assert '6.5"' in english
    assert " mm" in english


def test_names_are_harmless_in_html_and_terminal(tmp_path: Path) -> None:
    import morsdei_sim

    (tmp_path / "a.toml").write_text(
        '[[fighter]]\nname = "<script>x</script>[red]"\nmove = 5\ndefence = 4\nhp = 10\n'
        '[[fighter.weapon]]\nname = "<img>"\ntype = "melee"\ndice = 4\nhit = 4\ndamage = 4\n'
    )
    shown = morsdei_sim.show(tmp_path / "a.toml")
    assert "<script>" not in shown._repr_html_()
    assert "<img>" not in shown._repr_html_()
    assert "[red]" in repr(shown)
    assert list(shown.to_frame()["weapon_dice"]) == [4]


def test_schema(tmp_path: Path, run: Callable[..., Result]) -> None:
    printed = json.loads(run("schema").stdout)
    run("schema", "s.json")
    assert json.loads((tmp_path / "s.json").read_text(encoding="utf-8")) == printed
    run("schema", "s.json", code=2)
