"""What the situations, figures and stats of Moran are called in front of people (see `reporting.words`)."""

from __future__ import annotations

from morsdei_sim.lang import N_

WORDS = {
    # situations
    "d3": N_("at 3 cells"),
    "d8": N_("at 8 cells"),
    "d15": N_("at 15 cells"),
    "d30": N_("at 30 cells"),
    "d8-light": N_("at 8 cells, light cover"),
    "d8-full": N_("at 8 cells, full cover"),
    "d15-light": N_("at 15 cells, light cover"),
    "d8-wounded": N_("at 8 cells, target wounded"),
    "d15-wounded": N_("at 15 cells, target wounded"),
    # figures
    "hurt": N_("wounded or killed"),
    "dice": N_("dice rolled"),
    "kill_suffered": N_("killed under fire"),
    "hurt_suffered": N_("hurt under fire"),
    # what worth is measured in
    "killing": N_("chances of a kill"),
    "hurting": N_("chances of a wound or a kill"),
    "emptying": N_("chance of an empty weapon"),
    # plans
    "recovers": N_("recovers"),
    "stays_down": N_("stays down"),
    "stand": N_("stand"),
    "rush": N_("rush"),
    # kinds of weapon
    "OP": N_("weapon"),
    "LO": N_("light weapon"),
    "K": N_("command item"),
    "L": N_("personal item"),
    # stats
    "skill": N_("skill"),
    "armour": N_("armour class"),
    "move": N_("move"),
    "count": N_("count"),
    "near": N_("near"),
    "near-step": N_("edge of near"),
    "far": N_("far"),
    "far-step": N_("edge of far"),
    "lethality": N_("lethality"),
    "magazine": N_("magazine"),
    "template": N_("template"),
    "blast": N_("damage of the blast"),
    "throw": N_("throw"),
    "stock": N_("stock"),
}

GLOSSARY = (
    (N_("removed"), N_("Killed: taken off the field.")),
    (
        N_("wounded"),
        N_("The fighter lies and can only recover, which takes its next turn; a second wound before that kills it."),
    ),
    (N_("net successes"), N_("Dice at or under the skill of the shooter, less the class of armour of the target.")),
    (
        N_("empty"),
        N_(
            "The sixes of a shot, and the dice that distance took away, reach the magazine of the weapon: it must be "
            "prepared, which takes a turn. The shot that empties it still counts."
        ),
    ),
    (
        N_("distance"),
        N_(
            "All weapons are compared at the same distances in cells, so near and far of a weapon decide how many "
            "dice it rolls: 4, 3 or 2."
        ),
    ),
    (
        N_("edge of near, edge of far"),
        N_(
            "One cell more is worth nothing at most distances. What is shown is its worth where it counts: at "
            "exactly the distance at which the weapon rolls one die fewer now and would not after the step."
        ),
    ),
)

SENTENCES = {
    "spread_menu": N_("Successes"),
    "spread_title": N_("How many successes get through"),
    "spread_lead": N_(
        "Chance that at least so many successes of one attack are left after armour, target {situation}. One wounds; "
        "as many as the lethality of the weapon kill. Targets that fare alike share a line."
    ),
    "spread_axis": N_("at least so many successes after armour"),
    "spread_of": N_("Chance of at least so many successes after armour by {attacker}. {said}."),
    "spread_any": N_("{target}: any success {share}"),
    "again_lead": N_(
        "Chance that the target has been killed after so many turns of one shooter at whom nobody shoots back; to "
        "prepare an empty weapon takes a turn. The dashed lines mark 50 % and 90 %: where a curve crosses them, the "
        "target is gone in half of all cases, or nearly always."
    ),
    "again_switch": N_("A wounded target"),
    "again_plan": N_("a wounded target"),
}
