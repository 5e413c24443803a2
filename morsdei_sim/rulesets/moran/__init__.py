"""Moran (working name): a squad game on a square grid, with small pools of six-sided dice.

Range, cover and defence take dice away; dice at or under the shooter's skill are successes; armour eats successes;
lethality tells a kill from a wound; sixes empty the magazine. A wounded fighter can only recover; a second wound kills.

`shooting` holds the procedures rule by rule, `volley` answers whole questions about one attack, `melee` about blows,
`activations` about the lone shooter and the watch, `duel` about two fighters, `engagement` about two squads on a board.
RULES.md says where each rule of the atlas stands.
"""

from __future__ import annotations

from morsdei_sim.lang import N_
from morsdei_sim.rulesets.room import SQUADS, Flag, Room

COVER_HELP = N_("Cover of the target: 0 none, 1 light, 2 full.")
DISTANCE = Flag("distance", N_("Cells to the target; adjacent is 1."), 1, minimum=1, maximum=1000)
COVER = Flag("cover", COVER_HELP, 0, minimum=0, maximum=2, bare=1)
WOUNDED = Flag("target_wounded", N_("The target lies wounded: a second wound kills."))
LIMIT = Flag(
    "limit",
    N_("Turns of both sides together after which it is undecided; 0: as the rules say, 200."),
    0,
    minimum=0,
    maximum=10_000,
)
WEAPON = Flag("weapon", N_("The weapon, by id or name; otherwise the main one."), "")

SHOT = (
    DISTANCE,
    COVER,
    Flag("defending", N_("The target defends: 1 die less.")),
    WOUNDED,
    Flag("shooters", N_("Shooters alike, one shot each, one after another."), 1, minimum=1, maximum=12),
    WEAPON,
)

BLOWS = (WOUNDED, Flag("attackers", N_("Fighters that strike, one blow each."), 1, minimum=1, maximum=8))

ACTIVATIONS = (
    DISTANCE,
    COVER,
    Flag(
        "target_plan",
        N_("What a wounded target does: recovers (stands up before the next shot) or stays_down."),
        "recovers",
        ("recovers", "stays_down"),
    ),
    Flag("limit", N_("How many turns of the shooter to look at."), 20, minimum=1, maximum=1000),
    WEAPON,
)

WATCH = (
    Flag("distance", N_("Cells to the place where the walker enters the watched zone."), 1, minimum=1, maximum=1000),
    Flag("cover", N_("Cover of the walker there: 0 none, 1 light, 2 full."), 0, minimum=0, maximum=2, bare=1),
    Flag("next_shot_distance", N_("Cells at the watcher's next shot; 0: the same."), 0, minimum=0, maximum=1000),
    Flag("next_shot_cover", N_("Cover at the watcher's next shot; -1: the same."), -1, minimum=-1, maximum=2),
    Flag("second_move", N_("The walker is on its second movement: wounded, it lies until its next turn.")),
    WEAPON,
)

PLANS = (N_("stand"), N_("rush"))
BOTS = (N_("careful"), N_("rush"), N_("hold"))

DUEL = (
    Flag("distance", N_("Cells between the two at the start."), 10, minimum=1, maximum=200),
    Flag("attacker_plan", N_("stand stays and shoots; rush runs and strikes hand to hand."), "stand", PLANS),
    Flag("target_plan", N_("The target's plan."), "stand", PLANS),
    Flag(
        "first",
        N_("Who has the first turn; both: the mean of the two."),
        "attacker",
        ("attacker", "target", "both"),
    ),
    Flag("attacker_cover", N_("Cover of the attacker: 0 none, 1 light, 2 full."), 0, minimum=0, maximum=2, bare=1),
    Flag("target_cover", COVER_HELP, 0, minimum=0, maximum=2, bare=1),
    LIMIT,
    Flag("attacker_weapon", N_("The attacker's weapon, by id or name; otherwise the main one."), ""),
    Flag("target_weapon", N_("The target's weapon, by id or name; otherwise the main one."), ""),
)

ENGAGEMENT = (
    Flag("board", N_("A board of profiles/moran/boards, or the path of a file."), "crossing"),
    Flag(
        "attacker_bot",
        N_("hold stays and shoots; rush runs at the enemy; careful seeks good shots out of danger."),
        "careful",
        BOTS,
    ),
    Flag("target_bot", N_("How the other side plays."), "careful", BOTS),
    LIMIT,
)


TITLES = {
    "nothing": N_("nothing happens"),
    "wound": N_("wounded"),
    "kill": N_("killed"),
    "emptied": N_("a weapon is empty afterwards"),
    "nothing_emptied": N_("nothing happens, weapon empty"),
    "wound_emptied": N_("wounded, weapon empty"),
    "kill_emptied": N_("killed, weapon empty"),
    "successes": N_("successes"),
    "mean_successes": N_("mean successes"),
    "net": N_("successes left after armour"),
    "mean_net": N_("mean successes left after armour"),
    "sixes": N_("sixes rolled"),
    "mean_sixes": N_("mean sixes rolled"),
    "dice": N_("dice"),
    "shots": N_("shots fired"),
    "mean_emptied": N_("mean weapons emptied"),
    "killed_within": N_("killed within the limit"),
    "turns": N_("turns"),
    "mean_turns": N_("mean turns"),
    "mean_turns_at_least": N_("mean turns, at least"),
    "stopped": N_("the walker is stopped"),
    "walks_on": N_("the walker walks on"),
    "dead_after_next_shot": N_("dead after the watcher's next shot"),
    "attacker_wins": N_("the attacker wins"),
    "target_wins": N_("the target wins"),
    "undecided": N_("undecided"),
    "lock": N_("locked hand to hand"),
    "attacker_locks": N_("the attacker locks the target"),
    "target_locks": N_("the target locks the attacker"),
    "draw": N_("draw"),
    "standoff": N_("of draws: nothing can change any more"),
    "first_side_wins": N_("the side that begins wins"),
    "first_side_advantage": N_("its wins less the other's"),
    "attackers_left": N_("attackers left"),
    "targets_left": N_("targets left"),
    "mean_attackers_left": N_("mean attackers left"),
    "mean_targets_left": N_("mean targets left"),
}

ROOM = Room(
    "moran",
    "0.1.0",
    {
        "shoot": SHOT,
        "melee": BLOWS,
        "activations": ACTIVATIONS,
        "watch": WATCH,
        "duel": DUEL,
        "engagement": ENGAGEMENT,
    },
    {
        "shoot": "volley",
        "melee": "melee",
        "activations": "activations",
        "watch": "activations",
        "duel": "duel",
        "engagement": "engagement",
    },
    titles=TITLES,
    fighters={"watch": ("watcher", "walker"), "engagement": SQUADS},
    examples={
        "shoot": ("line/rifleman storm/heavy --distance 15 --cover", "line/moran storm/assault --weapon moran_pistol"),
        "melee": ("storm/knife_man_vest line/rifleman --target-wounded",),
        "activations": ("line/rifleman storm/heavy --distance 8 --target-plan stays_down",),
        "watch": ("line/rifleman storm/assault --distance 15",),
        "duel": (
            "line/rifleman line/moran --distance 15",
            "storm/knife_man_vest line/rifleman --attacker-plan rush --distance 24",
        ),
        "engagement": ("line storm --board crossing",),
    },
)
