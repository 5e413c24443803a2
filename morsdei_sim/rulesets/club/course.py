"""The course of a duel, roll by roll: the reference script of the atlas (chapter 3).

    a turn: move -> shoot -> attack (overwatch, 2D6) -> strikes -> Leadership checks -> the other's turn

A state is one integer: who is the player, whose turn it is, the phase, the rolls left in it, the gap, and of both their
life, the damage of this turn and the shots in their weapons. One step is one roll, or the beginning of a turn.
"""

from __future__ import annotations

from typing import NamedTuple

from morsdei_sim._jit import apart, inline
from morsdei_sim.dice.questions import choose, total
from morsdei_sim.fight import verbs
from morsdei_sim.rulesets.club.firing import ammo_after, can_fire, discharged
from morsdei_sim.rulesets.club.harm import DEAD, UP, flees, flight, is_dying
from morsdei_sim.rulesets.club.melee import first_striker, strikes_back
from morsdei_sim.rulesets.club.rules import QUARTERS, Rules, gap_after, hit_need, pace
from morsdei_sim.rulesets.club.shooting import Arm, Target, struck

COIN, BEGIN, RANGED, PISTOL, EXTRA, WATCH_RANGED, WATCH_PISTOL, ROLL = 0, 1, 2, 3, 4, 5, 6, 7
STRIKE, ANSWER, FIRST, SECOND, CHECK_A, CHECK_B = 8, 9, 10, 11, 12, 13
PHASES = 14
"""Phases of a turn: RANGED, PISTOL or EXTRA (RULING 31) shots, overwatch with either, the attack roll, strikes after an
attack (STRIKE, ANSWER) or of a standing fight (FIRST, SECOND), the Leadership checks of A and B."""

SHOTS = 21
LIVES = UP + 41
BOTH = 2
"""`first` of a duel in which a coin decides who is the player."""

ADVANCE, TOSS = 7, 10
"""Purposes of the attack roll and of the coin."""


class Duel(Rules):
    """The kind of fight: two alone until one is dead."""

    __slots__ = ()


class Side(NamedTuple):
    """One of the two. `speed` and `gap` in quarters of an inch; `gap`, `first` (who is the player: 0, 1 or BOTH) and
    `checks` (whether Leadership is tested) are read from the attacker's only."""

    body: Target
    ranged: Arm
    pistol: Arm
    melee: Arm
    speed: int
    rush: int
    gap: int
    first: int
    checks: int


class Body(NamedTuple):
    """How one stands: life, damage of this turn as far as Leadership tells it apart, shots in the weapons."""

    life: int
    hurt: int
    ranged: int
    pistol: int


class Moment(NamedTuple):
    """The state. `player` and `active` are 0 for the attacker, 1 for the target; a gap of 0 is close combat."""

    player: int
    active: int
    phase: int
    left: int
    gap: int
    a: Body
    b: Body


# ── the state as one integer ──────────────────────────────────────────────────────────────────────────────────────────


@inline
def pack_body(side, body, code):
    """Append one body to a code."""
    code = (code * LIVES + body.life) * (side.body.leadership + 1) + body.hurt
    return (code * (side.ranged.magazine + 1) + body.ranged) * (side.pistol.magazine + 1) + body.pistol


@inline
def unpack_body(side, code):
    """One body from the end of a code, and the rest of the code."""
    pistol, code = code % (side.pistol.magazine + 1), code // (side.pistol.magazine + 1)
    ranged, code = code % (side.ranged.magazine + 1), code // (side.ranged.magazine + 1)
    hurt, code = code % (side.body.leadership + 1), code // (side.body.leadership + 1)
    return Body(code % LIVES, hurt, ranged, pistol), code // LIVES


@inline
def pack(rules, attacker, defender, now):
    """A moment as one integer."""
    code = ((now.player * 2 + now.active) * PHASES + now.phase) * SHOTS + now.left
    code = code * (rules.table * QUARTERS + 1) + now.gap
    return pack_body(defender, now.b, pack_body(attacker, now.a, code))


@inline
def unpack(rules, attacker, defender, code):
    """The moment of an integer."""
    b, code = unpack_body(defender, code)
    a, code = unpack_body(attacker, code)
    gap, code = code % (rules.table * QUARTERS + 1), code // (rules.table * QUARTERS + 1)
    left, code = code % SHOTS, code // SHOTS
    phase, code = code % PHASES, code // PHASES
    return Moment(code // 2, code % 2, phase, left, gap, a, b)


@inline
def fresh(side):
    """A fighter at the start: unhurt, its weapons loaded (RULING 30)."""
    return Body(side.body.life, 0, side.ranged.magazine, side.pistol.magazine)


# ── what a turn offers ────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def choice(rules, side, body, gap):
    """R59, R62, RULING 31, D4 The weapon of the own turn: RANGED, PISTOL or 0 for none.

    Tied up, only the pistol; else the ranged weapon if in range, else the pistol. A discharged ranged weapon is
    reloaded if half its shots is still one or more; else the pistol fires if it can.
    """
    pistol = side.pistol.shots > 0 and can_fire(rules, side.pistol, body.pistol) > 0
    near = pistol and gap <= side.pistol.reach
    if gap == 0:
        return PISTOL if side.pistol.shots > 0 else 0
    if side.ranged.shots > 0 and gap <= side.ranged.reach:
        idle = discharged(side.ranged, body.ranged) and can_fire(rules, side.ranged, body.ranged) == 0
        return PISTOL if idle and near else RANGED
    return PISTOL if side.pistol.shots > 0 and gap <= side.pistol.reach else 0


@inline
def watches_with(side, body, gap):
    """R17, RULING 15, D7 The weapon of overwatch: a loaded one in range, the ranged one first; 0 for none."""
    if side.ranged.shots > 0 and gap <= side.ranged.reach and not discharged(side.ranged, body.ranged):
        return WATCH_RANGED
    if side.pistol.shots > 0 and gap <= side.pistol.reach and not discharged(side.pistol, body.pistol):
        return WATCH_PISTOL
    return 0


@inline
def declares(rules, side, gap):
    """R15-R16, RULING 37, D6 Whether an attack is declared: not tied up, near enough, and the plan is to rush."""
    return side.rush != 0 and 0 < gap <= rules.attack_reach * QUARTERS


@inline
def spend_ranged(rules, side, body):
    """The body after its ranged weapon has fired in its own turn, or been reloaded."""
    fired = can_fire(rules, side.ranged, body.ranged)
    return Body(body.life, body.hurt, ammo_after(side.ranged, body.ranged, fired), body.pistol)


@inline
def spend_pistol(rules, side, body):
    """The body after its pistol has fired in its own turn, or been reloaded."""
    fired = can_fire(rules, side.pistol, body.pistol)
    return Body(body.life, body.hurt, body.ranged, ammo_after(side.pistol, body.pistol, fired))


@inline
def with_active(now, phase, left, mine):
    """The moment with another phase, and the active one's body changed."""
    a, b = (mine, now.b) if now.active == 0 else (now.a, mine)
    return Moment(now.player, now.active, phase, left, now.gap, a, b)


@inline
def with_other(now, phase, left, theirs):
    """The moment with another phase, and the other one's body changed."""
    a, b = (now.a, theirs) if now.active == 0 else (theirs, now.b)
    return Moment(now.player, now.active, phase, left, now.gap, a, b)


@inline
def shooting_phase(rules, mine, body, now, phase):
    """R12-R13 The own shots of a phase. One who can fire nothing reloads a discharged ranged weapon, unless tied up."""
    chosen = choice(rules, mine, body, now.gap)
    if phase == RANGED and chosen == RANGED:
        return with_active(now, phase, can_fire(rules, mine.ranged, body.ranged), spend_ranged(rules, mine, body))
    if phase == RANGED and chosen == 0 and now.gap > 0 and discharged(mine.ranged, body.ranged):
        return with_active(now, phase, 0, Body(body.life, body.hurt, mine.ranged.magazine, body.pistol))
    extra = phase == EXTRA and mine.pistol.shots > 0 and now.gap <= mine.pistol.reach
    if extra or (phase == PISTOL and chosen == PISTOL):
        return with_active(now, phase, can_fire(rules, mine.pistol, body.pistol), spend_pistol(rules, mine, body))
    return with_active(now, phase, 0, body)


@inline
def watch_phase(rules, mine, theirs, body, now, phase):
    """R17 The shots of overwatch of a phase."""
    if not declares(rules, mine, now.gap) or watches_with(theirs, body, now.gap) != phase:
        return with_other(now, phase, 0, body)
    if phase == WATCH_RANGED:
        return with_other(now, phase, can_fire(rules, theirs.ranged, body.ranged), spend_ranged(rules, theirs, body))
    return with_other(now, phase, can_fire(rules, theirs.pistol, body.pistol), spend_pistol(rules, theirs, body))


@inline
def striker_of(rules, now):
    """R60-R61 Who strikes in this phase, 0 or 1."""
    attacked = now.phase == STRIKE or now.phase == ANSWER
    first = first_striker(rules, now.active, attacked, now.player)
    return first if now.phase == STRIKE or now.phase == FIRST else 1 - first


@inline
def strike_phase(rules, attacker, defender, now, phase):
    """R22, RULINGS 17-18 The strikes of a phase: none unless in combat."""
    begun = Moment(now.player, now.active, phase, 0, now.gap, now.a, now.b)
    striker = striker_of(rules, begun)
    attacked = phase in (STRIKE, ANSWER)
    if now.gap > 0 or not strikes_back(rules, now.active, attacked, striker):
        return begun
    strikes = attacker.melee.shots if striker == 0 else defender.melee.shots
    return Moment(now.player, now.active, phase, strikes, now.gap, now.a, now.b)


@inline
def begun(rules, attacker, defender, now, phase):
    """The moment at the start of a phase, `left` being the rolls that it has."""
    mine, theirs = (attacker, defender) if now.active == 0 else (defender, attacker)
    my_body, their_body = (now.a, now.b) if now.active == 0 else (now.b, now.a)
    if phase == BEGIN:
        return Moment(now.player, 1 - now.active, BEGIN, 0, now.gap, now.a, now.b)
    if phase <= EXTRA:
        return shooting_phase(rules, mine, my_body, now, phase)
    if phase <= WATCH_PISTOL:
        return watch_phase(rules, mine, theirs, their_body, now, phase)
    if phase == ROLL:
        left = 1 if declares(rules, mine, now.gap) else 0
    elif phase <= SECOND:
        return strike_phase(rules, attacker, defender, now, phase)
    else:
        hurt = now.a.hurt if phase == CHECK_A else now.b.hurt
        left = 1 if hurt > 0 else 0
    return Moment(now.player, now.active, phase, left, now.gap, now.a, now.b)


@inline
def skipped(phase):
    """The phase after one that has no rolls."""
    if phase in (PISTOL, EXTRA):
        return WATCH_RANGED
    if phase == ROLL:
        return FIRST
    if phase == ANSWER:
        return CHECK_A
    return BEGIN if phase == CHECK_B else phase + 1


@inline
def done(rules, phase):
    """The phase after one whose rolls are made (the attack roll goes its own ways)."""
    if phase == RANGED:
        return EXTRA if rules.pistol_extra_shot else WATCH_RANGED
    return ROLL if phase == WATCH_RANGED else skipped(phase)


@apart
def entered(rules, attacker, defender, now, phase):
    """The moment at the start of this phase, or of the first one after it that has rolls."""
    now = begun(rules, attacker, defender, now, phase)
    while now.left == 0 and now.phase != BEGIN:
        now = begun(rules, attacker, defender, now, skipped(now.phase))
    return now


# ── one step ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def moved(rules, attacker, defender, now):
    """R5, R8, R31 The moment after the move of the active one: straight at the enemy to 1 inch, or none."""
    mine = attacker if now.active == 0 else defender
    body = now.a if now.active == 0 else now.b
    gap = now.gap
    if mine.rush and gap > rules.keep_off * QUARTERS:
        gap = max(rules.keep_off * QUARTERS, gap - pace(rules, mine.speed, is_dying(body.life)))
    return Moment(now.player, now.active, now.phase, now.left, gap, now.a, now.b)


@inline
def hit(rules, dice, attacker, defender, now, by, arm, overwatch, cover):
    """R33-R36, RULING 28 One shot or strike by one of the two: the moment after it, a roll less left."""
    shooter, aimed_at = (now.a, now.b) if by == 0 else (now.b, now.a)
    target = defender.body if by == 0 else attacker.body
    need = hit_need(rules, arm.accuracy, is_dying(shooter.life), overwatch)
    _stop, damage, life = struck(rules, dice, arm, target, need, target.cover * cover, aimed_at.life)
    hurt = min(aimed_at.hurt + damage, target.leadership) if attacker.checks else 0
    after = Body(life, hurt, aimed_at.ranged, aimed_at.pistol)
    a, b = (now.a, after) if by == 0 else (after, now.b)
    return Moment(now.player, now.active, now.phase, now.left - 1, now.gap, a, b)


@inline
def attack_roll(rules, dice, attacker, defender, now):
    """R18-R21 The attack roll: into combat, or nearer."""
    gap = gap_after(rules, now.gap, total(dice, rules.attack_dice, ADVANCE) * QUARTERS)
    nearer = Moment(now.player, now.active, now.phase, 0, gap, now.a, now.b)
    return entered(rules, attacker, defender, nearer, STRIKE if gap == 0 else CHECK_A)


@inline
def check(rules, dice, attacker, defender, now):
    """R27-R29, RULING 29 The Leadership check of A or B: who flees is out of combat, at most at the table edge."""
    of_a = now.phase == CHECK_A
    body, target = (now.a, attacker.body) if of_a else (now.b, defender.body)
    gap = now.gap
    if flees(dice, target, body.life, body.hurt):
        gap = min(rules.table * QUARTERS, gap + flight(rules, dice))
    calm = Body(body.life, 0, body.ranged, body.pistol)
    a, b = (calm, now.b) if of_a else (now.a, calm)
    return Moment(now.player, now.active, now.phase, 0, gap, a, b)


@inline
def rolled(rules, dice, attacker, defender, now):
    """The moment after the one roll of a shot, a strike or a check."""
    if now.phase >= CHECK_A:
        return check(rules, dice, attacker, defender, now)
    overwatch = 1 if now.phase == WATCH_RANGED or now.phase == WATCH_PISTOL else 0
    if now.phase <= EXTRA:
        by = now.active
    elif overwatch:
        by = 1 - now.active
    else:
        by = striker_of(rules, now)
    side = attacker if by == 0 else defender
    if now.phase == RANGED or now.phase == WATCH_RANGED:
        arm = side.ranged
    elif now.phase < ROLL:
        arm = side.pistol
    else:
        arm = side.melee
    return hit(rules, dice, attacker, defender, now, by, arm, overwatch, 1 if now.phase < ROLL else 0)


@verbs.means(verbs.attack, Duel)
def next_roll(rules, dice, attacker, defender, state):
    """R1-R4 The next roll of the duel, or the beginning of the next turn with its move."""
    now = unpack(rules, attacker, defender, state)
    if now.phase <= BEGIN:
        if now.phase == COIN:
            toss = choose(dice, 2, TOSS)
            now = Moment(toss, toss, BEGIN, 0, now.gap, now.a, now.b)
        now = moved(rules, attacker, defender, now)
        return pack(rules, attacker, defender, entered(rules, attacker, defender, now, RANGED))
    if now.phase == ROLL:
        return pack(rules, attacker, defender, attack_roll(rules, dice, attacker, defender, now))
    now = rolled(rules, dice, attacker, defender, now)
    if now.left == 0 and now.a.life != DEAD and now.b.life != DEAD:
        now = entered(rules, attacker, defender, now, done(rules, now.phase))
    return pack(rules, attacker, defender, now)


@verbs.means(verbs.span, Duel)
def _span(rules, attacker, defender):
    return 4 * LIVES


@verbs.means(verbs.begin, Duel)
def _begin(rules, attacker, defender):
    coin = attacker.first == BOTH
    player = 0 if coin else attacker.first
    start = Moment(player, player, COIN if coin else BEGIN, 0, attacker.gap, fresh(attacker), fresh(defender))
    return pack(rules, attacker, defender, start)


@verbs.means(verbs.largest, Duel)
def _largest(rules, attacker, defender):
    return 4


@verbs.means(verbs.stage, Duel)
def _stage(rules, attacker, defender, state):
    """R36, RULING 36 A duel ends with a death: the end tells who was the player, who died, and how the other stands."""
    now = unpack(rules, attacker, defender, state)
    if now.a.life == DEAD:
        return (now.player * 2 + 1) * LIVES + now.b.life
    if now.b.life == DEAD:
        return now.player * 2 * LIVES + now.a.life
    return verbs.TURN if now.phase <= BEGIN else verbs.RUNNING
