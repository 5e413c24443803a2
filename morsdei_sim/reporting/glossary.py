"""What the words on the page mean."""

from __future__ import annotations

from morsdei_sim.lang import _
from morsdei_sim.reporting.games_told import terms
from morsdei_sim.rulesets import room

__all__ = ["glossary"]


def glossary(exact: bool, ruleset: str, played: bool = False) -> list[tuple[str, str]]:
    """Terms and their meanings, those of the room among them; `exact` decides how certainty is explained, `played`
    whether the page tells of whole games."""
    own = room(ruleset).part("words", "GLOSSARY")
    certainty = [_certainty(exact), *([_certainty(False)] if exact and played else [])]
    return [*certainty, *((_(term), _(meaning)) for term, meaning in own), *_terms(), *(terms() if played else [])]


def _certainty(exact: bool) -> tuple[str, str]:
    if exact:
        meaning = _(
            "Worked out from all ways the dice can fall. There is no error bar because there is no error: "
            "only the last digit is rounded."
        )
        return _("exact"), meaning
    meaning = _(
        "Behind each simulated number stands its 95 % interval: of a hundred such intervals about 95 hold the true "
        "value. Two numbers whose intervals overlap are not known to differ."
    )
    return _("interval"), meaning


def _terms() -> list[tuple[str, str]]:
    return [
        (
            _("reference target"),
            _("A plain profile that is in no squad. All cards are measured against the same ones."),
        ),
        (_("dominated"), _("Another card is at least as good in every figure on this page, and better in one.")),
        (_("percentage point"), _("The step from 40 % to 41 % is one percentage point.")),
        (_("situation"), _("Circumstances of one attack, such as a target in cover; each is measured by itself.")),
    ]
