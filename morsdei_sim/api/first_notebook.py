"""The notebook that `init` puts into a working folder."""

from __future__ import annotations

import json
from typing import Any

from morsdei_sim.lang import _, language

__all__ = ["notebook"]


def notebook(cards: str, study: str, ruleset: str, figure: str) -> bytes:
    """A notebook with parameters about a card file and a study beside it, in the language of the messages."""
    cells = [
        _code(
            f'cards = "{cards}"\nstudy = "{study}"\nruleset = "{ruleset}"\nfigure = "{figure}"\nlang = "{language()}"',
            ["parameters"],
        ),
        _words(
            _("# My cards\n\nChange `{cards}`, then run all cells again. The first cell names what is asked.").format(
                cards=cards
            )
        ),
        _code(
            "import tempfile\n\nimport morsdei_sim\nfrom morsdei_sim.lang import set_language\n\nset_language(lang)\n"
            "morsdei_sim.show(cards, ruleset=ruleset)"
        ),
        _words(_("## Each fighter against the reference targets")),
        _code('table = morsdei_sim.matrix([cards], targets="field", figure=figure, ruleset=ruleset)\ntable'),
        _code("table.plot();"),
        _words(
            _("## What if\n\nThe study in `{study}`: what one number more or less would change.").format(study=study)
        ),
        _code(
            'sweep = morsdei_sim.run_study(study, tempfile.mkdtemp() + "/sweep")\n'
            'axes = list(sweep.to_dict()["axes"])\n'
            'rows = sweep.to_frame().query("figure == @figure")\n'
            'rows.pivot_table("estimate", ["attacker", "target"], axes).round(3)'
        ),
    ]
    book: dict[str, Any] = {
        "cells": [{**cell, "id": f"cell-{number:02}"} for number, cell in enumerate(cells)],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(book, ensure_ascii=False, indent=1) + "\n").encode()


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str, tags: list[str] | None = None) -> dict[str, Any]:
    metadata = {"tags": tags} if tags else {}
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }
