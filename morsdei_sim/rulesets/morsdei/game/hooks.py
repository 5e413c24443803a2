"""The decision points of the atlas (section 19) and what may be answered: a bot is one function

    bot(world, state, hook, who) -> int

    hook       atlas   who                         answer
    ZONE       J1      its side                    zone 0 or 1
    NEXT       J2      its side                    fighter of its side that is set up next (`left_to_set_up`)
    PLACE      J2      fighter                     place (`may_set_up`)
    STARTS     J3      its side                    side that starts
    ACTIVATE   J4      its side                    fighter of its side that is ready (`mine_ready`)
    ACT        J5, K3  fighter                     `legal.option(action, a, b)` (`legal.menu`, `legal.permits`); 0 ends
    ARM        J9      fighter attacked            its melee weapon, knowing `state.against` (RULING 50)
    REACT      J12     enemy that just ended       own fighter that fires (`may_react`), -1 nobody
    CONTRACT   J13     its side                    own fighter (`may_contract`), -1 nobody; ACT is asked next

Going prone (J6) is a table by price, saves (J7) are spent best, the order of hits (J8) does not matter, leads and
answers (J10, J11) are a habit: those are data of the `World`. A bot rolls dice of its own (`exchanges.bots_dice`).
The rows of a menu are J5a-J5g.
"""

from __future__ import annotations

from morsdei_sim._jit import apart, inline
from morsdei_sim.dice.questions import choose
from morsdei_sim.rulesets.morsdei.game.contact import bases_overlap
from morsdei_sim.rulesets.morsdei.game.legal import in_contact, may_shoot
from morsdei_sim.rulesets.morsdei.game.records import ask, procedure, table

ZONE, PLACE, STARTS, ACTIVATE, ACT, ARM, REACT, CONTRACT, NEXT = range(9)


@inline
def left_to_set_up(world, state, side, options):
    """G6 List the fighters of a side that are not set up yet in the first column of `options`; their number."""
    count = 0
    for i in range(world.fighters):
        if state.at[i] < 0 and table(world, "men")[i].side == side:
            options[count, 0] = i
            count += 1
    return count


@procedure
def may_set_up(world, state, i, q):
    """G6, Q6, RULING 57 Whether a fighter may be set up on a place: wholly in its zone, over no other base."""
    men, x, y, z = table(world, "men"), table(world, "where_x"), table(world, "where_y"), table(world, "where_z")
    base, radius = men[i].base, table(world, "where_radius")
    if q < 0 or q >= world.places or table(world, "where_zone")[base, q] != state.zone[men[i].side]:
        return False
    for j in range(world.fighters):
        c = state.at[j]
        if c >= 0 and bases_overlap(x[q], y[q], z[q], radius[base], x[c], y[c], z[c], radius[men[j].base]):
            return False
    return True


@apart
def drawn_place(world, state, i, dice, k):
    """A place of the fighter's zone, drawn with dice of the bot's own for purpose k; -1 when it may not be set up
    there."""
    base = table(world, "men")[i].base
    zone = state.zone[table(world, "men")[i].side]
    q = table(world, "zones")[base, zone, choose(dice, table(world, "zone_places")[base, zone], k)]
    return q if may_set_up(world, state, i, q) else -1


@apart
def any_place(world, state, i, start):
    """A place where a fighter may be set up, the first from number `start` of its zone on; -1 when there is none."""
    base = table(world, "men")[i].base
    zone = state.zone[table(world, "men")[i].side]
    many = table(world, "zone_places")[base, zone]
    for k in range(many):
        q = table(world, "zones")[base, zone, (start + k) % many]
        if may_set_up(world, state, i, q):
            return q
    return -1


@inline
def mine_ready(world, state, side, options):
    """List the ready fighters of a side in the first column of `options`; their number."""
    count = 0
    for i in range(world.fighters):
        if state.ready[i] and table(world, "men")[i].side == side:
            options[count, 0] = i
            count += 1
    return count


@procedure
def may_react(world, state, j, i):
    """O2-O3, O12, RULING 35 Whether fighter j may fire its Overwatch at fighter i, which has just ended."""
    if state.at[j] < 0 or state.watch[j] < 0 or in_contact(world, state, j):
        return False
    return may_shoot(world, state, j, state.watch[j], i, False)


@inline
def may_contract(world, state, i):
    """K1, K2, K9, O13 Whether a fighter of the player on turn is there for a Contract."""
    return state.at[i] >= 0 and not state.ready[i] and not state.contracted[i] and state.watch[i] < 0


@inline
def decide(world, state, side, hook, who):
    """Ask the bot of a side."""
    state.decisions += 1
    return ask(world.bots[side], world, state, hook, who)
