"""What the rules allow a fighter to do right now: asked by the engine before anything is done, and by bots.

An option is (action, a, b); bots answer with it packed into one number (`option`):

    END                       A6, or pass a Contract (K8)
    MOVE, FALL_BACK   place   a menu has one row with place -1 when there is any destination
    SHOOT, MELEE      weapon, enemy
    LOOT              point
    AIM, OVERWATCH    weapon
"""

from __future__ import annotations

import numpy as np

from morsdei_sim._jit import inline
from morsdei_sim.rulesets.morsdei.game import moves, sight
from morsdei_sim.rulesets.morsdei.game.contact import gap_between
from morsdei_sim.rulesets.morsdei.game.paths import SCALE, Ways, contact_along
from morsdei_sim.rulesets.morsdei.game.places import Places
from morsdei_sim.rulesets.morsdei.game.records import procedure, table
from morsdei_sim.rulesets.morsdei.game.sight import COVER, HEAD, HEART, View
from morsdei_sim.rulesets.morsdei.game.terrain import TOUCH, Prisms
from morsdei_sim.rulesets.morsdei.game.world import (
    BLADE,
    BY_ACTION,
    BY_CONTRACT,
    PISTOL,
    WALKED_AS,
    WALKED_BY,
    WALKED_POINTS,
    WALKED_TO,
)

__all__ = [
    "AIM",
    "END",
    "FALL_BACK",
    "LOOT",
    "MELEE",
    "MOVE",
    "OVERWATCH",
    "SHOOT",
    "action_of",
    "can_go",
    "distance",
    "first_of",
    "in_contact",
    "in_cover",
    "is_aimed",
    "may_loot",
    "may_shoot",
    "may_strike",
    "menu",
    "near_end",
    "near_first",
    "option",
    "path_to",
    "permits",
    "places_to_go",
    "second_of",
    "sees",
    "touching",
]

END, MOVE, SHOOT, MELEE, LOOT, FALL_BACK, AIM, OVERWATCH = range(8)
"""Actions (A13)."""

ONCE = 1 << LOOT | 1 << FALL_BACK | 1 << AIM | 1 << OVERWATCH
"""Those that may be done once in an activation (A7, RULING 26)."""

IN_CONTRACT = 1 << MOVE | 1 << SHOOT | 1 << MELEE
"""Those that a Contract may be (K3)."""


# ── options as numbers ────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def option(action, a, b):
    """An option packed into one number."""
    return action | (a + 1) << 4 | (b + 1) << 24


@inline
def action_of(packed):
    """The action of a packed option; -1 for what is none."""
    return packed & 15 if packed >= 0 else -1


@inline
def first_of(packed):
    """Its place, weapon or point."""
    return (packed >> 4 & 0xFFFFF) - 1


@inline
def second_of(packed):
    """Its enemy."""
    return (packed >> 24) - 1


# ── who stands where ──────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def touching(world, state, i, j):
    """E6 Whether two living enemies are in contact."""
    men, p, q = table(world, "men"), state.at[i], state.at[j]
    if p < 0 or q < 0 or men[i].side == men[j].side:
        return False
    bit = men[i].base * world.sizes + men[j].base
    return table(world, "contact")[p, q] >> bit & 1 != 0


@procedure
def in_contact(world, state, i):
    """Whether a fighter is in contact with any enemy."""
    for j in range(world.fighters):
        if touching(world, state, i, j):
            return True
    return False


@inline
def gap(world, p, a, q, b):
    """Q2, Q3, RULING 8 Inches between a base of size a on place p and one of size b on q."""
    x, y, z = table(world, "where_x"), table(world, "where_y"), table(world, "where_z")
    radius = table(world, "where_radius")
    return gap_between(x[p], y[p], z[p], radius[a], x[q], y[q], z[q], radius[b])


@inline
def distance(world, state, i, j):
    """Inches between the bases of two fighters."""
    men = table(world, "men")
    return gap(world, state.at[i], men[i].base, state.at[j], men[j].base)


@inline
def view_of(world):
    """What `sight` asks for."""
    return View(
        table(world, "sight"), table(world, "marker"), table(world, "where_x"), table(world, "where_y"),
        table(world, "where_z"), table(world, "where_radius"), table(world, "marker_at"), table(world, "body"),
    )  # fmt: skip


@inline
def sees(world, state, i, j):
    """V1-V5 Whether fighter j is a valid target for the eye of i; terrain, which is a look-up, first."""
    if table(world, "sight")[state.at[i], state.at[j]] & (HEAD | HEART) == 0:
        return False
    return past_bodies(world, state, i, j)


@inline
def in_cover(world, state, i, t):
    """V6-V9 Whether terrain hides a part of t, a valid target, from i, as 0 or 1."""
    return 1 if table(world, "sight")[state.at[i], state.at[t]] & COVER else 0


@inline
def is_aimed(state, w, how):
    """S1, S3, O14 Whether Aim helps a shot, as 0 or 1: of the weapon chosen, in the activation itself."""
    return 1 if how == BY_ACTION and state.aim == w else 0


@procedure
def past_bodies(world, state, i, j):
    """The same with the bodies of others."""
    return sight.sees(view_of(world), state.at[: world.fighters], i, j)


@procedure
def sees_marker(world, state, i, point):
    """L2 Whether a fighter sees part of a loot marker."""
    base = table(world, "men").base
    return sight.sees_marker(view_of(world), state.at[: world.fighters], base, i, point)


# ── shooting, fighting, looting ───────────────────────────────────────────────────────────────────────────────────────


@procedure
def may_shoot(world, state, i, w, t, contact):
    """S5-S7, S9-S10, V2, A16 Whether a weapon may be fired at an enemy; `contact` is whether the shooter is in it."""
    men, arms = table(world, "men"), table(world, "arms")
    if w < 0 or w >= men[i].arms or arms[i, w].kind == BLADE:
        return False
    if t < 0 or t >= world.fighters or state.at[t] < 0 or men[t].side == men[i].side:
        return False
    if contact and (arms[i, w].kind != PISTOL or not touching(world, state, i, t)):
        return False
    return sees(world, state, i, t) and distance(world, state, i, t) <= arms[i, w].reach + TOUCH


@inline
def may_strike(world, state, i, w, e):
    """B2, RULING 6 Whether a fighter may fight an enemy with a weapon."""
    if w < 0 or w >= table(world, "men")[i].arms or table(world, "arms")[i, w].kind != BLADE:
        return False
    return e >= 0 and e < world.fighters and touching(world, state, i, e)


@inline
def at_point(world, state, i, point):
    """L1-L3, RULING 58 Whether a fighter is within reach of a loot point and sees its marker."""
    if state.at[i] < 0 or table(world, "where_loot")[table(world, "men")[i].base, state.at[i]] >> point & 1 == 0:
        return False
    return sees_marker(world, state, i, point)


@procedure
def may_loot(world, state, i, point, contact):
    """L3-L7, RULINGS 29, 59 Whether a fighter may Loot a point: in reach, not contested, not scored yet by its side."""
    men = table(world, "men")
    if contact or point < 0 or point >= world.points:
        return False
    side = men[i].side
    if state.looted[point, side] or state.vp_round[side] + world.battle.loot_vp > world.battle.most_vp:
        return False
    if not at_point(world, state, i, point):
        return False
    for j in range(world.fighters):
        if men[j].side != side and at_point(world, state, j, point):
            return False
    return True


# ── moving ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def room_to_go(world, state, i):
    """M1, K4 Inches that a movement of the fighter may have now."""
    if state.mode == BY_CONTRACT:
        return float(world.battle.contract_move)
    return table(world, "men")[i].move


@inline
def where_of(world):
    """`Places` of the board."""
    return Places(
        table(world, "where_x"), table(world, "where_y"), table(world, "where_z"), table(world, "where_level"),
        table(world, "where_heights"), table(world, "where_radius"), table(world, "where_stand"),
        table(world, "where_zone"), table(world, "where_loot"), table(world, "where_bare"),
    )  # fmt: skip


@inline
def ways_of(world, base):
    """`Ways` of one base size."""
    return Ways(
        table(world, "ways_length")[base], table(world, "ways_via")[base], table(world, "ways_entry")[base],
        table(world, "ways_next")[base], table(world, "ways_node_x")[base], table(world, "ways_node_y")[base],
        table(world, "ways_node_z")[base], table(world, "ways_near_first")[base], table(world, "ways_near")[base],
        table(world, "ways_radius")[base],
    )  # fmt: skip


@inline
def terrain_of(world):
    """`Prisms` of the board."""
    return Prisms(
        table(world, "terrain_first"), table(world, "terrain_x"), table(world, "terrain_y"),
        table(world, "terrain_normal_x"), table(world, "terrain_normal_y"), table(world, "terrain_offset"),
        table(world, "terrain_low"), table(world, "terrain_high"), table(world, "terrain_frame"),
        table(world, "terrain_flags"), table(world, "terrain_piece"),
    )  # fmt: skip


@inline
def is_drawn(world, state, i, q, kind):
    """Whether the path asked for is the one drawn last, and nobody has moved since."""
    drawn, then = table(state, "walked"), table(state, "drawn_at")
    if drawn[WALKED_BY] != i or drawn[WALKED_TO] != q or drawn[WALKED_AS] != kind:
        return False
    for j in range(world.fighters):
        if then[j] != state.at[j]:
            return False
    return True


@procedure
def drawn_path(world, state, i, q, kind):
    """M1-M25, K5 Draw a path of fighter i to place q into the table `path`; the number of its points, 0 for none.

    A bot that has found a path has it drawn once more when the engine asks whether it is allowed, and again when the
    fighter goes: it is drawn once.
    """
    drawn = table(state, "walked")
    if is_drawn(world, state, i, q, kind):
        return drawn[WALKED_POINTS]
    men, then = table(world, "men"), table(state, "drawn_at")
    room = moves.Scratch(table(state, "path"), table(state, "second"), table(state, "foes"), drawn)
    count = moves.legal_path(
        terrain_of(world), where_of(world), ways_of(world, men[i].base), state.at[: world.fighters], men.base,
        men.side, float(world.rules.contact_reach), i, q, room_to_go(world, state, i), kind, room,
    )  # fmt: skip
    drawn[WALKED_POINTS], drawn[WALKED_BY], drawn[WALKED_TO], drawn[WALKED_AS] = count, i, q, kind
    for j in range(world.fighters):
        then[j] = state.at[j]
    return count


@procedure
def brushes(world, state, i, j, count):
    """RULING 36 Whether the path drawn last comes into contact with enemy j."""
    foes, men, c = table(state, "foes"), table(world, "men"), state.at[j]
    radius = table(world, "where_radius")
    foes[0, 0], foes[0, 1] = table(world, "where_x")[c], table(world, "where_y")[c]
    foes[0, 2], foes[0, 3] = table(world, "where_z")[c], radius[men[j].base]
    foes[0, 4] = table(world, "where_bare")[c]
    reach = float(world.rules.contact_reach)
    return contact_along(terrain_of(world), table(state, "path"), count, radius[men[i].base], reach, foes, 1)


@inline
def path_to(world, state, i, action, q):
    """M1-M25, RULING 25 Draw the path of a movement; the number of its points, 0 when it is not allowed."""
    if q < 0 or q >= world.places or q == state.at[i]:
        return 0
    length = table(world, "ways_length")[table(world, "men")[i].base, state.at[i], q]
    if length > room_to_go(world, state, i) * SCALE + 1e-3:
        return 0
    kind = moves.MOVE
    if state.mode == BY_CONTRACT:
        kind = moves.CONTRACT
    elif action == FALL_BACK:
        kind = moves.FALL_BACK
    return drawn_path(world, state, i, q, kind)


@inline
def near_first(world, state, i):
    """Where the places near fighter i begin in the list `ways_near` of its base: itself first."""
    return table(world, "ways_near_first")[table(world, "men")[i].base, state.at[i]]


@procedure
def near_end(world, state, i):
    """Where those within a movement of it end."""
    base = table(world, "men")[i].base
    p, most = state.at[i], room_to_go(world, state, i) * SCALE + 1e-3
    near, length = table(world, "ways_near"), table(world, "ways_length")
    low, high = table(world, "ways_near_first")[base, p], table(world, "ways_near_first")[base, p + 1]
    while low < high:  # the list rises
        middle = (low + high) // 2
        if length[base, p, near[base, middle]] <= most:
            low = middle + 1
        else:
            high = middle
    return low


@procedure
def places_to_go(world, state, i, action):
    """All destinations of a movement, the nearest first, into the table `found`; their number."""
    near, base, found = table(world, "ways_near"), table(world, "men")[i].base, table(state, "found")
    count = 0
    for k in range(near_first(world, state, i), near_end(world, state, i)):
        q = np.int64(near[base, k])
        if path_to(world, state, i, action, q) > 0:
            found[count] = q
            count += 1
    return count


@procedure
def can_go(world, state, i, action):
    """RULING 20 Whether a movement has any destination."""
    near, base = table(world, "ways_near"), table(world, "men")[i].base
    for k in range(near_first(world, state, i), near_end(world, state, i)):
        if path_to(world, state, i, action, np.int64(near[base, k])) > 0:
            return True
    return False


# ── all of it ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@inline
def price(world, action):
    """A13, M26 What an action costs."""
    if action == FALL_BACK:
        return world.rules.fall_back_apl
    return world.battle.loot_apl if action == LOOT else 1


@inline
def affordable(world, state, action):
    """A4, A7, K3 Whether the points are there and it may be done (again): a Contract is one free action of three.

    Overwatch forbids nothing after it (RULING 27).
    """
    if state.mode == BY_CONTRACT:
        return IN_CONTRACT >> action & 1 != 0
    return action != END and state.apl >= price(world, action) and not ONCE >> action & state.used >> action & 1


@procedure
def permits(world, state, i, action, a, b):
    """A4, A7, A9, A16-A17, K3-K5 Whether fighter i may do just this now."""
    if action < 0 or action > OVERWATCH or not affordable(world, state, action):
        return False
    contact = in_contact(world, state, i)
    if action == SHOOT:
        return may_shoot(world, state, i, a, b, contact)
    if action == MELEE:
        return may_strike(world, state, i, a, b)
    if action == LOOT:
        return may_loot(world, state, i, a, contact)
    if action == MOVE:
        return not contact and path_to(world, state, i, action, a) > 0
    if action == FALL_BACK:
        return contact and path_to(world, state, i, action, a) > 0
    if contact or a < 0 or a >= table(world, "men")[i].arms:
        return False
    return table(world, "arms")[i, a].kind != BLADE


@inline
def add(options, count, action, a, b):
    """Write one more option."""
    options[count, 0], options[count, 1], options[count, 2] = action, a, b
    return count + 1


@procedure
def menu(world, state, i):
    """J5, J13 Write what fighter i may do into the table `options`; their number. The first is always END."""
    men, arms, options = table(world, "men"), table(world, "arms"), table(state, "options")
    count = add(options, 0, END, -1, -1)
    contact = in_contact(world, state, i)
    moving = FALL_BACK if contact else MOVE
    if affordable(world, state, moving) and can_go(world, state, i, moving):
        count = add(options, count, moving, -1, -1)
    for w in range(men[i].arms):
        blade = arms[i, w].kind == BLADE
        for t in range(world.fighters):
            if blade and affordable(world, state, MELEE) and may_strike(world, state, i, w, t):
                count = add(options, count, MELEE, w, t)
            if not blade and affordable(world, state, SHOOT) and may_shoot(world, state, i, w, t, contact):
                count = add(options, count, SHOOT, w, t)
        if not blade and not contact:
            if affordable(world, state, AIM):
                count = add(options, count, AIM, w, -1)
            if affordable(world, state, OVERWATCH):
                count = add(options, count, OVERWATCH, w, -1)
    if affordable(world, state, LOOT):
        for point in range(world.points):
            if may_loot(world, state, i, point, contact):
                count = add(options, count, LOOT, point, -1)
    return count
