"""MORSDEI core rules v0.1: skirmish of a few fighters a side, open dice, no hidden information.

A ranged attack rolls a pool against a pool of Defence Dice; sixes are critical on both sides. A melee exchange rolls
both pools in the open, and the players then spend dice in turn. `shooting` and `melee` hold the procedures rule by
rule, `policies` the choices; `volley` and `exchange` answer whole questions. `activations` and `duel` put exchanges in
sequence, by the rules of `table` and the habits of `plans`. Rules of the whole game (board, loot) wait for `game/`;
RULES.md says where each rule of the atlas stands.
"""

from __future__ import annotations

from morsdei_sim.lang import N_
from morsdei_sim.rulesets.room import Flag, Room

SAVES = ("best", "crits-first")
PRONE = ("never", "always", "worth")
STYLE_NAMES = ("strike-only", "parry-first", "guard-then-high", "lowest-sufficient-parry", "random")
MELEE_POLICIES = ("best", "exploit", *STYLE_NAMES)
MELEE_OBJECTIVES = ("net", "net-hp", "kill-difference", "kill", "survive")
ACTIVATION_PLANS = ("shoot-shoot", "aim-shoot", "move-shoot")
DUEL_PLANS = ("shooter", "charger", "careful", "watcher")

SHOT = (
    Flag("cover", N_("The target is in cover: +1 Defence Die.")),
    Flag("prone", N_("The target is already prone: +1 Defence Die.")),
    Flag("aim", N_("The first shot is aimed: Hit improved by 1. No effect on Overwatch or a Contract.")),
    Flag("overwatch", N_("A shot from Overwatch: Hit worsened by 1.")),
    Flag("contract", N_("A shot by Contract: Hit worsened by 1.")),
    Flag("in_contact", N_("A pistol fired in contact: Hit worsened by 1.")),
    Flag("attacker_injured", N_("The shooter is Injured: 1 Attack Die less.")),
    Flag("shots", N_("Shots in succession at the same target."), 1, minimum=1, maximum=20),
    Flag(
        "prone_policy",
        N_("When the target goes prone: never, always, or when it saves more HP than --prone-cost."),
        "never",
        PRONE,
    ),
    Flag(
        "prone_cost",
        N_("What the lost APL of going prone is worth, in HP (3.43 = one shot of the reference rifle)."),
        3.425783,
        minimum=0,
        maximum=1000,
    ),
    Flag(
        "saves", N_("How the target spends its saves: best, or critical saves on critical hits first."), "best", SAVES
    ),
    Flag("weapon", N_("The shooter's weapon, by name; otherwise the first that can shoot."), ""),
)

BLOWS = (
    Flag("objective", N_("What best play wants."), "net", MELEE_OBJECTIVES),
    Flag(
        "attacker_policy",
        N_("How the initiator plays: best (minimax), exploit (best against the other's habit), or a habit."),
        "best",
        MELEE_POLICIES,
    ),
    Flag("target_policy", N_("How the target plays."), "best", MELEE_POLICIES),
    Flag("contract", N_("Melee by Contract: the initiator's Hit worsened by 1.")),
    Flag("attacker_injured", N_("The initiator is Injured: 1 Combat Die less.")),
    Flag("target_injured", N_("The target is Injured: 1 Combat Die less.")),
    Flag("exchanges", N_("Exchanges in succession, while both live."), 1, minimum=1, maximum=8),
    Flag("weapon", N_("The initiator's melee weapon, by name; otherwise the first."), ""),
    Flag("target_weapon", N_("The target's melee weapon, by name; otherwise the first."), ""),
)

_OF_BOTH = {flag.name: flag for flag in SHOT if flag.name in ("prone_policy", "prone_cost", "saves")}

ACTIVATIONS = (
    Flag(
        "plan",
        N_("What the attacker does with its APL; points left over go to more shots."),
        ACTIVATION_PLANS[0],
        ACTIVATION_PLANS,
    ),
    Flag("limit", N_("How many activations of the attacker to look at."), 12, minimum=1, maximum=50),
    Flag("cover", N_("The target is in cover: +1 Defence Die.")),
    Flag("prone", N_("The target is prone before the first shot, until its own next activation.")),
    Flag("in_contact", N_("A pistol fired in contact: Hit worsened by 1.")),
    Flag("attacker_injured", N_("The shooter is Injured: 1 Attack Die less.")),
    *_OF_BOTH.values(),
    Flag("weapon", N_("The shooter's weapon, by name; otherwise the first that can shoot."), ""),
)

DUEL = (
    Flag("distance", N_("Inches between the bases at the start."), 16.0, minimum=0, maximum=1000),
    Flag("rounds", N_("Rounds to play; each fighter activates once in each."), 4, minimum=1, maximum=20),
    Flag(
        "attacker_plan",
        N_("shooter stays and shoots; charger runs into melee; careful shoots and fights; watcher sets Overwatch."),
        "careful",
        DUEL_PLANS,
    ),
    Flag("target_plan", N_("The target's plan."), "careful", DUEL_PLANS),
    Flag("first", N_("Who activates first in the first round."), "attacker", ("attacker", "target")),
    Flag("attacker_cover", N_("The attacker is in cover from shots from out of contact.")),
    Flag("target_cover", N_("The target is in cover from shots from out of contact.")),
    *_OF_BOTH.values(),
    Flag("objective", N_("What best play of each exchange wants."), "kill-difference", MELEE_OBJECTIVES),
)

TITLES = {
    "hits_left": N_("hits left"),
    "damage": N_("damage"),
    "mean_damage": N_("mean damage"),
    "kill": N_("target removed"),
    "injured": N_("alive and Injured"),
    "mean_hp_lost": N_("mean HP lost"),
    "prone": N_("ends prone"),
    "damage_to_target": N_("damage to the target"),
    "damage_to_attacker": N_("damage to the attacker"),
    "net_damage": N_("net damage"),
    "kill_target": N_("target removed"),
    "kill_attacker": N_("attacker removed"),
    "mean_damage_to_target": N_("mean damage to the target"),
    "mean_damage_to_attacker": N_("mean damage to the attacker"),
    "mean_hp_lost_by_target": N_("mean HP lost by the target"),
    "mean_hp_lost_by_attacker": N_("mean HP lost by the attacker"),
    "activations": N_("removed in activation"),
    "removed_within": N_("removed within the limit"),
    "mean_activations_at_least": N_("mean activations, at least"),
    "prone_debts": N_("mean APL lost to Prone"),
    "attacker_wins": N_("the attacker wins"),
    "target_wins": N_("the target wins"),
    "undecided": N_("undecided"),
    "rounds": N_("ended in round"),
    "mean_hp_left_of_attacker": N_("mean HP left of the attacker"),
    "mean_hp_left_of_target": N_("mean HP left of the target"),
}

ROOM = Room(
    "morsdei",
    "0.1.0",
    {"shoot": SHOT, "melee": BLOWS, "activations": ACTIVATIONS, "duel": DUEL},
    {"shoot": "volley", "activations": "activations", "duel": "duel"},
    TITLES,
    examples={
        "shoot": ('"4d6 4+ 4" "Defence 3 HP 7" --cover', "line/marksman bulwark/heavy --aim"),
        "melee": ('"4d6 4+ 4 HP 9" "5d6 4+ 4 HP 7"', "cleavers/chief line/sergeant --objective kill"),
        "activations": ('"4d6 4+ 4" "Defence 3 HP 7"', "line/marksman mirror --plan aim-shoot"),
        "duel": ("line/sergeant cleavers/chief --distance 14", "line/sergeant mirror --target-plan charger"),
    },
    typed=True,
    plays_games=True,
)
