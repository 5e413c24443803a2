"""What the situations, figures and stats of Club are called in front of people (see `reporting.words`)."""

from __future__ import annotations

from morsdei_sim.lang import N_

WORDS = {
    # situations
    "open": N_("in the open"),
    "cover": N_("in cover"),
    "cover-2": N_("hardly seen"),
    "overwatch": N_("OVERWATCH"),
    "reload": N_("reloading"),
    "shooter-dying": N_("dying shooter"),
    "target-dying": N_("dying target"),
    # figures
    "felled": N_("target dead or dying"),
    "kill": N_("target dead"),
    "flees": N_("alive and flees"),
    "mean_damage": N_("mean damage"),
    "mean_endurance_lost": N_("mean ENDURANCE lost"),
    "net_damage": N_("net damage"),
    "felled_target": N_("target dead or dying"),
    "felled_attacker": N_("attacker dead or dying"),
    "felled_difference": N_("felling difference"),
    "kill_target": N_("target dead"),
    "kill_attacker": N_("attacker dead"),
    "target_dying": N_("target dying"),
    "attacker_dying": N_("attacker dying"),
    "both_alive": N_("both alive"),
    "mean_damage_to_target": N_("mean damage to the target"),
    "mean_damage_to_attacker": N_("mean damage to the attacker"),
    "felled_suffered": N_("felled under fire"),
    "kill_suffered": N_("killed under fire"),
    "mean_damage_suffered": N_("damage suffered"),
    "mean_endurance_lost_suffered": N_("ENDURANCE lost under fire"),
    "flees_suffered": N_("flees under fire"),
    # what worth is measured in
    "felling": N_("chances to fell or be felled"),
    "flight": N_("chance to flee"),
    # plans and kinds of weapon
    "shoot": N_("shoot"),
    "rush": N_("rush"),
    "hold": N_("hold"),
    "ranged": N_("ranged"),
    "pistol": N_("pistol"),
    "melee": N_("melee"),
    # stats
    "speed": N_("SPEED"),
    "acc_ranged": N_("ACCURACY, ranged"),
    "acc_melee": N_("ACCURACY, melee"),
    "strength": N_("STRENGTH"),
    "weapon_strength": N_("STRENGTH of the weapon"),
    "toughness": N_("TOUGHNESS"),
    "save": N_("SAVE (7: none)"),
    "save-step": N_("SAVE"),
    "endurance": N_("ENDURANCE"),
    "leadership": N_("LEADERSHIP"),
    "hero": N_("hero"),
    "count": N_("count"),
    "range": N_("range"),
    "shots": N_("shots (strikes)"),
    "ap": N_("AP"),
    "damage": N_("damage"),
    "magazine": N_("magazine"),
}

GLOSSARY = (
    (N_("dead"), N_("Taken off the table. Whoever is no hero is dead as soon as no ENDURANCE is left.")),
    (
        N_("dying"),
        N_(
            "A hero whose ENDURANCE has come to 0. He acts on, slower and with 1 worse to hit, and every further hit "
            "that is let through may kill him."
        ),
    ),
    (N_("felled"), N_("Dead or dying: no ENDURANCE is left.")),
    (
        N_("mean damage"),
        N_(
            "Average over all ways the dice can fall, counted until death; what goes beyond the ENDURANCE of the "
            "target counts too. Mean ENDURANCE lost counts only what the target had."
        ),
    ),
    (
        N_("net damage"),
        N_("Damage that the one who strikes first deals in one exchange, less the damage that the other deals back."),
    ),
    (
        N_("felling difference"),
        N_("Chance to fell the other in one exchange of strikes, less the chance to be felled, in percentage points."),
    ),
    (N_("turn"), N_("One's own turn: one volley. Leadership checks are left out of the curves over several turns.")),
)

SENTENCES = {
    "shooting_title": N_("Chance to fell the target (dead or dying) with one volley"),
    "shooting_best": N_("Most likely to fell a target with one volley, dead or dying: {card}, {share} on average."),
    "spread_lead": N_(
        "Chance that one volley deals at least so much damage, target {situation}. Few high steps mean that the "
        "weapon deals all or nothing. Targets that fare alike share a line."
    ),
    "again_lead": N_(
        "Chance that the target is dead after so many turns of one attacker who does nothing but shoot; it stands "
        "still and makes no Leadership checks. The dashed lines mark 50 % and 90 %: where a curve crosses them, the "
        "target is gone in half of all cases, or nearly always."
    ),
}
