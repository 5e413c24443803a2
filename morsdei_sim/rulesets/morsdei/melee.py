"""The melee exchange (B): both pools lie open; the players lead and answer until the dice are spent or one is removed.

    roll both pools -> [lead: Attack or Guard -> answer: Take or Parry] ... -> blows on the initiator and on the target

Side 0 is the initiator, side 1 its target. What a side holds is a *track*: its pool of successes together with the
blows it has dealt so far. Spending a die lowers the track, so all positions of an exchange form a ladder that only
goes down: the game is solved by one sweep (`fight.solve`). A position is (track of side 0, track of side 1, flags:
whether Guard is used in this series, who leads, and,
under the variant of RULING 47, whether the initiative was not just handed over).

What matters is the blows a fighter can still stand, ceil(HP / enemy Damage); HP itself does not enter the exchange.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import apart, builder, inline, kernel
from morsdei_sim.dice import questions
from morsdei_sim.dice.every import next_path, start_path
from morsdei_sim.dice.questions import FIELD
from morsdei_sim.dice.rolled import BLOCK, at, draw_ahead
from morsdei_sim.fight import verbs
from morsdei_sim.fight.solve import offers, play

INITIATOR_POOL, TARGET_POOL, CHOICES = 0, 1, 2
"""Purposes of the two rolls, and the first of those for choices left to chance."""

TAKE = 0
GUARD = 8
"""Name of a Guard with face f: 8 + f. An Attack or a Parry with face f is named f."""
HAND_OVER = 1

FACES = 0b1111100
"""The bits of `held` that stand for faces 2-6."""
TRADED = 1 << 7
"""Mark in `held`: fewer dice and blows than the fighter rolled dice, so a die may have gone for a Parry or a Guard."""

KILLS = -1
"""Mark in `strike`: the blow removes the opponent."""


class Side(NamedTuple):
    """B8 All tracks of one fighter, by track: faces held as a bit mask, blows dealt, and the track after spending a die
    of each face, without and with a blow dealt.

    The tracks of the empty pool come first, so `track < empties` means: no dice left.
    """

    hit: int
    dice: int
    kill: int  # blows that remove the opponent; dice + 1 when they never can
    empties: int
    held: NDArray[np.int64]
    blows: NDArray[np.int64]
    spend: NDArray[np.int64]  # [track, face]
    strike: NDArray[np.int64]  # [track, face], KILLS where the blow removes the opponent
    start: NDArray[np.int64]  # by rank of the pool: its track with no blow dealt
    below: NDArray[np.int64]  # for `rank`


class Exchange(NamedTuple):
    """One exchange, flat for speed: numbers of side 0 and 1, then tables [side, track(, face)] as in `Side`."""

    guard: int
    may_pass: int
    kill_0: int
    kill_1: int
    empties_0: int
    empties_1: int
    tracks_0: int
    tracks_1: int
    held: NDArray[np.int64]
    blows: NDArray[np.int64]
    spend: NDArray[np.int64]
    strike: NDArray[np.int64]


@inline
def rank(below, hit, packed, size):
    """Rank of a pool among all pools with faces `hit`-6: smaller pools first, then by the count of sixes, of
    fives, …"""
    first = below[0, size, 0]
    left = size
    for face in range(6, hit, -1):
        count = (packed >> (FIELD * (face - 2))) & 31
        first += below[face - hit, left, count]
        left -= count
    return first


@builder
def ranking(hit, dice):
    """Table for `rank`: row 0 holds where pools of each size begin; row f, [dice, count], the pools of `dice` dice
    over f + 1 faces whose highest face shows less than `count` times."""
    faces = 7 - hit
    pools = np.zeros((faces + 1, dice + 1), np.int64)  # pools of exactly n dice over f faces
    pools[0, 0] = 1
    for f in range(1, faces + 1):
        for n in range(dice + 1):
            for k in range(n + 1):
                pools[f, n] += pools[f - 1, n - k]
    below = np.zeros((faces + 1, dice + 2, dice + 2), np.int64)
    for n in range(dice + 1):
        below[0, n + 1, 0] = below[0, n, 0] + pools[faces, n]
    for f in range(1, faces):
        for n in range(dice + 1):
            for count in range(n + 1):
                below[f, n, count + 1] = below[f, n, count] + pools[f, n - count]
    return below


@builder
def side(hit, dice, kill):
    """All tracks of a fighter that rolls `dice` dice at `hit` and removes its opponent with `kill` blows."""
    below = ranking(hit, dice)
    pools = below[0, dice + 1, 0]
    packed = np.zeros(pools, np.int64)
    sizes = np.zeros(pools, np.int64)
    fill_pools(hit, dice, below, np.zeros(7, np.int64), packed, sizes)
    start = np.zeros(pools + 1, np.int64)
    for i in range(pools):
        start[i + 1] = start[i] + min(kill, dice - sizes[i] + 1)
    tracks = start[pools]
    held = np.zeros(tracks, np.int64)
    blows = np.zeros(tracks, np.int64)
    spend = np.full((tracks, 7), KILLS)
    strike = np.full((tracks, 7), KILLS)
    for i in range(pools):
        for face in range(hit, 7):
            one = 1 << (FIELD * (face - 2))
            if (packed[i] // one) & 31 == 0:
                continue
            rest = start[rank(below, hit, packed[i] - one, sizes[i] - 1)]
            for dealt in range(start[i + 1] - start[i]):
                track = start[i] + dealt
                held[track] |= 1 << face
                spend[track, face] = rest + dealt
                if dealt + 1 < kill:
                    strike[track, face] = rest + dealt + 1
        for dealt in range(start[i + 1] - start[i]):
            blows[start[i] + dealt] = dealt
            if sizes[i] + dealt < dice:
                held[start[i] + dealt] |= TRADED
    return Side(hit, dice, kill, start[1], held, blows, spend, strike, start, below)


@builder
def oppose(guard, may_pass, initiator, target):
    """Put two sides opposite each other."""
    tracks = max(len(initiator.held), len(target.held))
    held = np.zeros((2, tracks), np.int64)
    blows = np.zeros((2, tracks), np.int64)
    spend = np.zeros((2, tracks, 7), np.int64)
    strike = np.zeros((2, tracks, 7), np.int64)
    for one, fighter in enumerate((initiator, target)):
        n = len(fighter.held)
        held[one, :n] = fighter.held
        blows[one, :n] = fighter.blows
        spend[one, :n] = fighter.spend
        strike[one, :n] = fighter.strike
    return Exchange(
        guard, may_pass, initiator.kill, target.kill, initiator.empties, target.empties,
        len(initiator.held), len(target.held), held, blows, spend, strike,
    )  # fmt: skip


@apart
def fill_pools(hit, dice, below, counts, packed, sizes):
    """List every pool at its rank: an odometer over the counts (zeros, by face) of faces `hit`-6."""
    total = 0
    while True:
        code = np.int64(0)
        for face in range(hit, 7):
            code += counts[face] << (FIELD * (face - 2))
        here = rank(below, hit, code, total)
        packed[here] = code
        sizes[here] = total
        face = hit
        while face < 7 and total == dice:  # carry: a full pool goes back to zero on this face
            total -= counts[face]
            counts[face] = 0
            face += 1
        if face == 7:
            return
        counts[face] += 1
        total += 1


@inline
def flag_bits(game):
    """Bits of the flags in a position."""
    return 3 if game.may_pass else 2


def positions(game: Exchange) -> int:
    """Number of positions of an exchange."""
    return game.tracks_0 * game.tracks_1 << (3 if game.may_pass else 2)


@kernel
def menu_of(game, position, menu):
    """`offers`, for callers outside kernels."""
    return offers(game, position, menu)


@inline
def settle(game, track_0, track_1, leader, guarded):
    """B20-B21, RULING 49 What follows once dice are spent: the end if both pools are empty, else the position, led by
    who still has dice."""
    empty_0 = track_0 < game.empties_0
    empty_1 = track_1 < game.empties_1
    if empty_0 and empty_1:  # the track of an empty pool is the number of blows dealt
        return -1 - (track_1 * (game.kill_0 + 1) + track_0)
    if (leader == 0 and empty_0) or (leader == 1 and empty_1):
        leader, guarded = 1 - leader, 0
    return (track_0 * game.tracks_1 + track_1) << flag_bits(game) | game.may_pass << 2 | leader << 1 | guarded


@inline
def settle_for(game, leader, own, theirs, then_leads, guarded):
    """`settle`, seen from the leader: its own track and the other's."""
    if leader == 0:
        return settle(game, own, theirs, then_leads, guarded)
    return settle(game, theirs, own, then_leads, guarded)


@inline
def removal(game, leader, theirs):
    """B22, E7 The outcome when the leader's blow removes the opponent, which has dealt the blows of its track
    `theirs`."""
    dealt = game.blows[1 - leader, theirs]
    if leader == 0:
        return -1 - (dealt * (game.kill_0 + 1) + game.kill_0)
    return -1 - (game.kill_1 * (game.kill_0 + 1) + dealt)


@inline
def cannot_occur(game, track_0, track_1, leader, guarded):
    """Whether no line of play leads here: a Guard, or a Parry that won the target the initiative, has cost each side a
    die without a blow.

    Half of all positions need not be solved. (Under the variant of RULING 47 the initiative moves without a die:
    nothing is left out.)
    """
    if game.may_pass:
        return False
    won = leader == 1 and track_0 >= game.empties_0
    return (guarded or won) and game.held[0, track_0] & game.held[1, track_1] & TRADED == 0


@inline
def stop(game, leader, own, theirs):
    """The outcome when the exchange ends with dice left (only under the variant of RULING 47)."""
    mine, yours = game.blows[leader, own], game.blows[1 - leader, theirs]
    if leader == 0:
        return -1 - (yours * (game.kill_0 + 1) + mine)
    return -1 - (mine * (game.kill_0 + 1) + yours)


@verbs.means(offers, Exchange)
def exchange(game, position, menu):
    """B7, B9, B11-B19, RULINGS 47-48, 51 What the leader may do, and how the other side may answer each lead.

    Leads: Attack with any own face, highest first; then Guard on any shared face 2-5, highest first, once per series.
    Answers to an Attack: Take, or Parry with any strictly higher face, lowest first. Under RULING 47 as ruled a leader
    with dice may not pass.
    """
    pair = position >> flag_bits(game)
    guarded, leader, fresh = position & 1, (position >> 1) & 1, (position >> 2) & game.may_pass
    # Unsigned: the correction for signs was a third of the whole work.
    track_0 = np.int64(np.uint64(pair) // np.uint64(game.tracks_1))
    track_1 = pair - track_0 * game.tracks_1
    own, theirs = track_0, track_1
    if leader == 1:
        own, theirs = track_1, track_0
    other = 1 - leader
    mine, yours = game.held[leader, own] & FACES, game.held[other, theirs] & FACES
    leads = 0
    answers = 0
    if mine == 0 or cannot_occur(game, track_0, track_1, leader, guarded):
        return leader, 0
    for face in range(6, 1, -1):
        if (mine >> face) & 1 == 0:
            continue
        menu.lead[leads] = face
        menu.answer[answers] = TAKE  # B13
        after = game.strike[leader, own, face]
        if after == KILLS:
            menu.next[answers] = removal(game, leader, theirs)
        else:
            menu.next[answers] = settle_for(game, leader, after, theirs, leader, guarded)
        answers += 1
        after = game.spend[leader, own, face]
        for higher in range(face + 1, 7):  # B14-B15, B19 nothing is higher than a six
            if (yours >> higher) & 1:
                menu.answer[answers] = higher
                menu.next[answers] = settle_for(game, leader, after, game.spend[other, theirs, higher], other, 0)
                answers += 1
        menu.end[leads] = answers
        leads += 1
    if game.guard and not guarded:
        for face in range(5, 1, -1):  # B16-B18, RULING 48 equal normal dice; a six is neither target nor price
            if (mine & yours) >> face & 1:
                after = game.spend[leader, own, face]
                menu.lead[leads] = GUARD + face
                menu.answer[answers] = TAKE
                menu.next[answers] = settle_for(game, leader, after, game.spend[other, theirs, face], leader, 1)
                answers += 1
                menu.end[leads] = answers
                leads += 1
    # RULING 47, the variant: handing over is a lead; handed straight back, the exchange is over.
    if game.may_pass and yours:
        menu.lead[leads] = HAND_OVER
        menu.answer[answers] = TAKE
        if fresh:
            menu.next[answers] = pair << flag_bits(game) | other << 1
        else:
            menu.next[answers] = stop(game, leader, own, theirs)
        answers += 1
        menu.end[leads] = answers
        leads += 1
    return leader, leads


@inline
def roll_pool(dice, fighter, purpose):
    """B10 steps 5-7 Roll the Combat Dice and keep the successes: the track of a fresh pool."""
    packed = questions.faces(dice, fighter.dice, fighter.hit, purpose)
    size = 0
    for face in range(fighter.hit, 7):
        size += (packed >> (FIELD * (face - 2))) & 31
    return fighter.start[rank(fighter.below, fighter.hit, packed, size)]


@kernel
def rolls(every, fighter, chance):
    """Add to `chance` (float64, by track) the chance of each pool that one side can roll."""
    every.path[:] = 0
    while True:
        start_path(every)
        track = roll_pool(every, fighter, 0)
        chance[track] += every.weight[0]
        if not next_path(every):
            return


@kernel
def open_exchange(game, chance_0, chance_1, chance, outcomes):
    """B5, B10 step 8 Put the chance of every pair of pools on its opening position: the initiator leads."""
    for track_0 in range(len(chance_0)):
        for track_1 in range(len(chance_1)):
            if chance_0[track_0] * chance_1[track_1] == 0.0:
                continue
            here = settle(game, track_0, track_1, 0, 0)
            if here >= 0:
                chance[here] += chance_0[track_0] * chance_1[track_1]
            else:
                outcomes[-1 - here] += chance_0[track_0] * chance_1[track_1]


@kernel
def play_exchanges(game, initiator, target, policy_0, policy_1, dice, step, first, fought, outcomes, menu, ahead):
    """Play exchange number `step` of those trials `first` … that are marked in `fought` (bool); write their
    `outcomes` (int64).

    `menu` and `ahead` (uint32, 2 x 1,024) are scratch; `first` is a multiple of 1,024.
    """
    for start in range(0, len(fought), BLOCK):
        draw_ahead(dice.seed, (first + start) // BLOCK, step, ahead)
        for t in range(min(BLOCK, len(fought) - start)):
            if fought[start + t]:
                roll = at(dice, first + start + t, step, ahead[0, t], ahead[1, t])
                track_0 = roll_pool(roll, initiator, INITIATOR_POOL)
                track_1 = roll_pool(roll, target, TARGET_POOL)
                position = settle(game, track_0, track_1, 0, 0)
                outcomes[start + t] = play(game, policy_0, policy_1, roll, CHOICES, position, menu)
