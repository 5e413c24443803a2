"""What the words on the page mean."""

from __future__ import annotations

from morsdei_sim.lang import _

__all__ = ["glossary"]


def glossary(exact: bool) -> list[tuple[str, str]]:
    """Terms and their meanings; `exact` decides how certainty is explained."""
    return [_certainty(exact), *_terms()]


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
        (_("removed"), _("The HP of the target come down to zero by this attack or melee.")),
        (
            _("mean damage"),
            _(
                "Average over all ways the dice can fall; what goes beyond the HP of the target counts too. "
                "Mean HP lost counts only what the target had."
            ),
        ),
        (_("net damage"), _("Damage that the one who starts a melee deals, less the damage it takes.")),
        (
            _("kill difference"),
            _("Chance to remove the other in a melee, less the chance to be removed, in percentage points."),
        ),
        (
            _("reference target"),
            _("A plain profile that is in no squad. All cards are measured against the same ones."),
        ),
        (
            _("best play"),
            _(
                "Both players see all open dice and choose as well as the rules allow; found by solving the exchange, "
                "not guessed."
            ),
        ),
        (_("habit"), _("A fixed way of choosing in melee, as people play: simple to remember, and sometimes dear.")),
        (_("dominated"), _("Another card is at least as good in every figure on this page, and better in one.")),
        (_("percentage point"), _("The step from 40 % to 41 % is one percentage point.")),
        (_("situation"), _("Circumstances of one attack, such as a target in cover; each is measured by itself.")),
    ]
