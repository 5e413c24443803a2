"""Club, "I have a club and want to give somebody a whack": a party against its master, measured in inches."""

from __future__ import annotations

from morsdei_sim.lang import N_
from morsdei_sim.rulesets.room import SQUADS, Flag, Room

COVER = N_("Cover of the target: 1 when more than half hidden, 2 when hardly seen.")

SHOT = (
    Flag("cover", COVER, 0, minimum=0, maximum=2, bare=1),
    Flag("attacker_dying", N_("The shooter is dying: 1 worse to hit.")),
    Flag("overwatch", N_("A shot in overwatch: hits on a flat 5+ without penalties.")),
    Flag("reload", N_("The weapon is reloaded: half the shots, rounded down.")),
    Flag("shots", N_("Shots of the volley; 0: as the weapon's card says."), 0, minimum=0, maximum=20),
    Flag("distance", N_("Gap between the bases in inches; 0: in range."), 0.0, minimum=0, maximum=1000),
    Flag("target_endurance", N_("ENDURANCE the target has left; 0: all of it."), 0, minimum=0, maximum=40),
    Flag("target_dying", N_("The target is a hero who is dying already.")),
    Flag("target_avoid_rolls", N_("Rolls to avoid death that the dying target has survived."), 0, minimum=0, maximum=5),
    Flag("ally", N_("Who of yours fights the target hand to hand: every miss hits him."), ""),
    Flag("weapon", N_("The shooter's weapon, by name; otherwise the ranged one, else the pistol."), ""),
)

_DYING = (
    Flag("attacker_dying", N_("The attacker is a hero who is dying.")),
    Flag("target_dying", N_("The target is a hero who is dying already.")),
    Flag("attacker_endurance", N_("ENDURANCE the attacker has left; 0: all of it."), 0, minimum=0, maximum=40),
    Flag("target_endurance", N_("ENDURANCE the target has left; 0: all of it."), 0, minimum=0, maximum=40),
    Flag("weapon", N_("The attacker's melee weapon, by name; otherwise the one on its card."), ""),
    Flag("target_weapon", N_("The target's melee weapon, by name; otherwise the one on its card."), ""),
)

STRIKES = (
    Flag("exchanges", N_("Exchanges of strikes, one a turn; the attacker's comes first."), 1, minimum=1, maximum=8),
    Flag("player", N_("Who is the player and strikes first in standing fights."), "attacker", ("attacker", "target")),
    *_DYING,
)

WOUNDS = (
    Flag("blows", N_("Blows let through, one after the other."), 1, minimum=0, maximum=20),
    Flag("damage", N_("Damage of each blow: a number or dice such as D3."), "1"),
    Flag("mortal", N_("Mortal wounds, after the blows."), 0, minimum=0, maximum=20),
    Flag("endurance", N_("ENDURANCE the fighter has left; 0: all of it."), 0, minimum=0, maximum=40),
    Flag("dying", N_("The fighter is a hero who is dying already.")),
    Flag("avoid_rolls", N_("Rolls to avoid death that it has survived."), 0, minimum=0, maximum=5),
    Flag("raise_attempts", N_("Attempts of friends to raise it afterwards."), 0, minimum=0, maximum=20),
)

CHARGE = (
    Flag("distance", N_("Gap between the bases in inches, in half inches."), 6.0, minimum=0, maximum=1000),
    Flag("no_overwatch", N_("The target fires no overwatch: it does not see the attacker or is tied up.")),
    Flag("attacker_cover", N_("Cover of the attacker from overwatch, 0 to 2."), 0, minimum=0, maximum=2, bare=1),
    *_DYING,
    Flag("overwatch_weapon", N_("The weapon of overwatch, by name; otherwise the ranged one, else the pistol."), ""),
)

ACTIVATIONS = (
    Flag("until", N_("Until the target is dead or dying."), "dead", ("dead", "dying")),
    Flag("limit", N_("How many own turns to look at."), 20, minimum=1, maximum=1000),
    Flag("cover", COVER, 0, minimum=0, maximum=2, bare=1),
    Flag("discharged", N_("The weapon begins discharged.")),
    Flag("attacker_dying", N_("The shooter is dying: 1 worse to hit.")),
    Flag("target_dying", N_("The target is a hero who is dying already.")),
    Flag("target_endurance", N_("ENDURANCE the target has left; 0: all of it."), 0, minimum=0, maximum=40),
    Flag("weapon", N_("The shooter's weapon, by name; otherwise the ranged one, else the pistol."), ""),
)

PLANS = ("rush", "hold")
DUEL = (
    Flag("distance", N_("Gap between the bases at the start, in half inches."), 24.0, minimum=0, maximum=1000),
    Flag("attacker_plan", N_("rush: move at the enemy and attack; hold: stay."), "rush", PLANS),
    Flag("target_plan", N_("The target's plan."), "rush", PLANS),
    Flag("attacker_cover", N_("Cover of the attacker from shots, 0 to 2."), 0, minimum=0, maximum=2, bare=1),
    Flag("target_cover", COVER, 0, minimum=0, maximum=2, bare=1),
    Flag(
        "first",
        N_("Who is the player, with the first turn and first strike; both: the mean of the two."),
        "attacker",
        ("attacker", "target", "both"),
    ),
    Flag("leadership", N_("Whether Leadership checks are made."), "on", ("on", "off")),
    Flag("limit", N_("Turns of both together after which a duel is undecided."), 200, minimum=1, maximum=2000),
)

BOTS = ("by-card", "rush", "hold", "kite")
ENGAGEMENT = (
    Flag("distance", N_("Gap between the two lines at the start, in half inches."), 24.0, minimum=1, maximum=1000),
    Flag(
        "attacker_bot",
        N_("by-card: who has a ranged weapon holds, the others rush; or one plan for all of the squad."),
        "by-card",
        BOTS,
    ),
    Flag("target_bot", N_("The target squad's bot."), "by-card", BOTS),
    Flag("attacker_cover", N_("Cover of the attacker's squad from shots, 0 to 2."), 0, minimum=0, maximum=2, bare=1),
    Flag("target_cover", N_("Cover of the target's squad from shots, 0 to 2."), 0, minimum=0, maximum=2, bare=1),
    Flag(
        "first",
        N_("Who is the player, with the first turn and first strike; both: the mean of the two."),
        "both",
        ("attacker", "target", "both"),
    ),
    Flag("into_fights", N_("Both sides shoot at enemies who fight a friend; misses hit the friend.")),
)


TITLES = {
    "unsaved": N_("hits let through"),
    "damage": N_("damage"),
    "mean_damage": N_("mean damage"),
    "kill": N_("target dead"),
    "dying": N_("dying"),
    "up": N_("up"),
    "dead": N_("dead"),
    "flees": N_("alive and flees"),
    "mean_endurance_lost": N_("mean ENDURANCE lost"),
    "miss": N_("mean shots that miss"),
    "not_pierced": N_("mean shots that hit and do not pierce"),
    "saved": N_("mean shots that are saved"),
    "ally_unsaved": N_("hits let through by the ally"),
    "ally_damage": N_("damage to the ally"),
    "ally_mean_damage": N_("mean damage to the ally"),
    "ally_kill": N_("ally dead"),
    "ally_dying": N_("ally dying"),
    "ally_up": N_("ally up"),
    "ally_flees": N_("ally alive and flees"),
    "ally_mean_endurance_lost": N_("mean ENDURANCE lost by the ally"),
    "unsaved_on_target": N_("hits let through by the target"),
    "unsaved_on_attacker": N_("hits let through by the attacker"),
    "damage_to_target": N_("damage to the target"),
    "damage_to_attacker": N_("damage to the attacker"),
    "mean_damage_to_target": N_("mean damage to the target"),
    "mean_damage_to_attacker": N_("mean damage to the attacker"),
    "net_damage": N_("net damage"),
    "kill_target": N_("target dead"),
    "kill_attacker": N_("attacker dead"),
    "target_dying": N_("target dying"),
    "attacker_dying": N_("attacker dying"),
    "both_alive": N_("both alive"),
    "avoid_rolls": N_("rolls to avoid death"),
    "flee_distance": N_("inches fled"),
    "endurance_left": N_("ENDURANCE left"),
    "raised": N_("raised by friends"),
    "endurance_after_raise": N_("ENDURANCE when raised"),
    "charge_succeeds": N_("the attack reaches its target"),
    "charger_dead": N_("attacker dead"),
    "target_dead": N_("target dead"),
    "charger_dying": N_("attacker dying"),
    "both_alive_engaged": N_("both alive in combat"),
    "target_alive_and_flees": N_("target alive and flees"),
    "charger_alive_and_flees": N_("attacker alive and flees"),
    "gap_after_failure": N_("gap after a failed advance, half inches (-1: none)"),
    "mean_advance_of_failure": N_("mean inches of a failed advance"),
    "overwatch_kills": N_("attacker dead by overwatch"),
    "overwatch_damage": N_("damage by overwatch"),
    "mean_overwatch_damage": N_("mean damage by overwatch"),
    "dead_within": N_("dead within the limit"),
    "dying_within": N_("dying within the limit"),
    "turns": N_("ended in turn"),
    "mean_turns": N_("mean turns"),
    "mean_turns_at_least": N_("mean turns, at least"),
    "attacker_wins": N_("the attacker wins"),
    "target_wins": N_("the target wins"),
    "undecided": N_("undecided"),
    "rounds": N_("ended in round"),
    "attacker_wins_up": N_("the attacker wins and is not dying"),
    "target_wins_up": N_("the target wins and is not dying"),
    "first_side_advantage": N_("advantage of the first side"),
    "attacker_survivors": N_("the attacker's survivors"),
    "target_survivors": N_("the target's survivors"),
    "mean_attacker_survivors": N_("mean survivors of the attacker"),
    "mean_target_survivors": N_("mean survivors of the target"),
}

VERBS = {
    "shoot": (SHOT, "volley"),
    "melee": (STRIKES, "exchange"),
    "wounds": (WOUNDS, "wounds"),
    "charge": (CHARGE, "charge"),
    "activations": (ACTIVATIONS, "activations"),
    "duel": (DUEL, "duel"),
    "engagement": (ENGAGEMENT, "engagement"),
}
"""Options of each verb and the module that answers it."""

ROOM = Room(
    "club",
    "0.1.0",
    {verb: flags for verb, (flags, _module) in VERBS.items()},
    {verb: module for verb, (_flags, module) in VERBS.items()},
    titles=TITLES,
    fighters={"wounds": ("fighter",), "engagement": SQUADS},
    examples={
        "shoot": ("guard/veteran marines/marine --cover", "guard/guardsman orks/ork --ally marines/marine"),
        "melee": ("orks/ork_boss guard/veteran", "guard/preacher orks/ork --exchanges 3"),
        "wounds": ("guard/veteran --blows 2 --damage D3 --raise-attempts 1",),
        "charge": ("orks/ork_boss guard/veteran --distance 7",),
        "activations": ("guard/gunner guard/veteran --cover 2", "guard/gunner guard/veteran --until dying"),
        "duel": (
            "guard/veteran orks/ork_boss --attacker-plan hold",
            "guard/preacher orks/ork --distance 12 --first both",
        ),
        "engagement": ("guard orks", "guard/veteran+gunner orks/ork_boss --target-bot rush"),
    },
)
