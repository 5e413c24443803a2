"""The committed sample is of today's cards and of this version: told by the data that
the page keeps of itself, and in today's style."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import morsdei_sim
from morsdei_sim.cli.report import command
from morsdei_sim.reporting.frame import TEMPLATES
from morsdei_sim.reporting.record import read_page
from morsdei_sim.rulesets import room
from morsdei_sim.sweep.roster import digest, field_of, roster

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "reports" / "sample.html"


def test_the_sample_is_current() -> None:
    facts = read_page(SAMPLE).facts
    (line,) = [
        text for text in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("`") if " report mirror " in text
    ]
    asked = command.make_context("report", shlex.split(line)[4:]).params
    assert asked["out"] == "reports/sample.html"
    chosen = room(facts.ruleset)
    everyone = [*roster(chosen, asked["cards"]), *field_of(chosen, asked["field"])]
    assert (facts.version, facts.ruleset_version) == (morsdei_sim.__version__, chosen.version)
    assert facts.digest == digest(everyone), f"make it anew: {line}"
    assert facts.games == asked["games"]


@pytest.mark.parametrize("name", ["style.css", "page.js"])
def test_the_sample_looks_like_todays_pages(name: str) -> None:
    """The page holds its style and its script as they are now."""
    assert (TEMPLATES / name).read_text(encoding="utf-8").strip() in SAMPLE.read_text(encoding="utf-8"), "make it anew"


def test_the_sample_is_small_and_alone() -> None:
    assert SAMPLE.stat().st_size < 1_000_000
    text = SAMPLE.read_text(encoding="utf-8")
    assert '<div class="edition" id="en"' in text
    assert '<div class="edition" id="ru"' in text
