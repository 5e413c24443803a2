"""What the situations, figures, stats and habits of MORSDEI are called in front of people (see `reporting.words`)."""

from __future__ import annotations

from morsdei_sim.lang import N_

WORDS = {
    # situations
    "open": N_("in the open"),
    "cover": N_("in cover"),
    "prone": N_("prone"),
    "cover-prone": N_("prone in cover"),
    "aimed": N_("aimed"),
    "overwatch": N_("overwatch"),
    "contract": N_("contract"),
    "in-contact": N_("in contact"),
    "injured": N_("shooter injured"),
    "attacker-injured": N_("attacker injured"),
    "target-injured": N_("target injured"),
    # figures
    "kill": N_("target removed"),
    "injured-figure": N_("alive and Injured"),
    "prone-figure": N_("ends prone"),
    "mean_damage": N_("mean damage"),
    "mean_hp_lost": N_("mean HP lost"),
    "net_damage": N_("net damage"),
    "kill_target": N_("target removed"),
    "kill_attacker": N_("attacker removed"),
    "kill_difference": N_("kill difference"),
    "kill_difference-title": N_("target removed less attacker removed"),
    "mean_damage_to_target": N_("damage to the target"),
    "mean_damage_to_attacker": N_("damage to the attacker"),
    "mean_hp_lost_by_target": N_("HP lost by the target"),
    "mean_hp_lost_by_attacker": N_("HP lost by the attacker"),
    "kill_suffered": N_("removed by the target's fire"),
    "mean_damage_suffered": N_("damage suffered"),
    "mean_hp_lost_suffered": N_("HP lost under fire"),
    "activations": N_("activations to removal"),
    # what worth is measured in
    "removal": N_("chances of removal"),
    # habits of melee
    "best": N_("best play"),
    "exploit": N_("best answer to a habit"),
    "strike-only": N_("strike only"),
    "parry-first": N_("parry first"),
    "guard-then-high": N_("guard, then strike high"),
    "lowest-sufficient-parry": N_("parry with the lowest die that will do"),
    "random": N_("random"),
    # objectives
    "net": N_("net damage"),
    "net-hp": N_("net HP"),
    "kill-difference": N_("kill difference"),
    "survive": N_("survive"),
    # how a melee is played
    "objective": N_("objective"),
    "attacker_policy": N_("attacker plays"),
    "target_policy": N_("target plays"),
    # what one activation is spent on
    "shoot": N_("shoot"),
    "aim": N_("aim"),
    "move-plan": N_("move"),
    "melee": N_("melee"),
    # plans of a duel
    "shooter": N_("shooter"),
    "charger": N_("charger"),
    "careful": N_("careful"),
    "watcher": N_("watcher"),
    # kinds of weapon
    "ranged": N_("ranged"),
    "pistol": N_("pistol"),
    # stats
    "dice": N_("dice"),
    "hit": N_("Hit"),
    "damage": N_("damage"),
    "hp": N_("HP"),
    "defence": N_("Defence"),
    "apl": N_("APL"),
    "move": N_("Move"),
    "base": N_("base"),
    "count": N_("count"),
    "range": N_("range"),
}

GLOSSARY = (
    (N_("removed"), N_("The HP of the target come down to zero by this attack or melee.")),
    (
        N_("mean damage"),
        N_(
            "Average over all ways the dice can fall; what goes beyond the HP of the target counts too. Mean HP lost "
            "counts only what the target had."
        ),
    ),
    (N_("net damage"), N_("Damage that the one who starts a melee deals, less the damage it takes.")),
    (
        N_("kill difference"),
        N_("Chance to remove the other in a melee, less the chance to be removed, in percentage points."),
    ),
    (
        N_("best play"),
        N_(
            "Both players see all open dice and choose as well as the rules allow; found by solving the exchange, "
            "not guessed."
        ),
    ),
    (N_("habit"), N_("A fixed way of choosing in melee, as people play: simple to remember, and sometimes dear.")),
)

SENTENCES = {
    "asked": N_("{objective}: {attacker_policy} against {target_policy}"),
    "again_menu": N_("Activations"),
    "again_title": N_("How long until the target is gone"),
    "again_lead": N_(
        "Chance that the target has been removed after so many activations of one attacker. The dashed lines mark 50 "
        "% and 90 %: where a curve crosses them, the target is gone in half of all cases, or nearly always."
    ),
    "again_switch": N_("Each activation is spent on"),
    "again_of": N_("How long {attacker} takes to remove a target. {said}."),
    "again_axis": N_("activations"),
    "again_half": N_("{target}: half of the time by activation {n}"),
    "again_late": N_("{target}: less than half of the time by activation {n}"),
    "again_table": N_("Activations until the target is gone"),
    "again_plan": N_("each activation"),
    "melee_lead": N_(
        "Each row starts a melee with the fighter named above each column, and both play as well as the rules allow. "
        "Blue is good for the one who starts, orange for the other."
    ),
}
