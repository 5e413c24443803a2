"""Activations to kill: one fighter shoots, activation after activation, until the target is removed.

Between two activations of the attacker the target has its own: there its Prone marker is counted and vanishes (P3). The
target does nothing else here; what it does back is `duel`.

A state is `hits so far, shots fired, Prone debts counted, marker`. The shots stop counting at the removal, so the last
state still tells in which activation it fell.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morsdei_sim._jit import inline
from morsdei_sim.errors import UserError
from morsdei_sim.fight import exact, sample, verbs
from morsdei_sim.fight.outcome import Outcome, Reading
from morsdei_sim.fight.run import EXACT, Run, answer
from morsdei_sim.lang import _
from morsdei_sim.rulesets.morsdei import shooting, volley
from morsdei_sim.rulesets.morsdei.cards import Entrant, entrant
from morsdei_sim.rulesets.morsdei.rules import PRINTED, Rules, action_points
from morsdei_sim.rulesets.morsdei.shooting import Planner, Target

MAX_STATES = 1 << 23
"""Largest chain that is spread or counted: 64 MB a table."""


class Activations(Rules):
    """The kind of fight: a number of activations of shooting at one target."""

    __slots__ = ()


class Gunner(NamedTuple):
    """The attack, as in `Shooter`; `shots` is of one activation, `limit` the number of activations."""

    dice: int
    hit: int
    damage: int
    aimed: int
    overwatch: int
    contract: int
    in_contact: int
    injured: int
    shots: int
    limit: int


fire = inline(shooting.shot)


@inline
def hits_counted(attacker, defender):
    """Hits that are told apart: up to the removal; none when Damage is 0."""
    return 0 if attacker.damage == 0 else shooting.hits_to_remove(defender.hp, attacker.damage)


@inline
def debts_counted(attacker, defender):
    """Prone debts that are told apart: one an activation, none when the target never goes prone."""
    return attacker.limit if shooting.may_be_prone(defender) else 0


@inline
def pack(attacker, defender, hits, fired, debts, prone):
    """The state as one integer."""
    places = debts_counted(attacker, defender) + 1
    return ((hits * (attacker.shots * attacker.limit + 1) + fired) * places + debts) << 1 | prone


@inline
def unpack(attacker, defender, state):
    """Hits so far, shots fired, debts counted, marker."""
    places = debts_counted(attacker, defender) + 1
    steps = attacker.shots * attacker.limit + 1
    rest = state >> 1
    return rest // places // steps, rest // places % steps, rest % places, state & 1


@verbs.means(verbs.span, Activations)
def _span(rules, attacker, defender):
    return pack(attacker, defender, hits_counted(attacker, defender) + 1, 0, 0, 0)


@verbs.means(verbs.begin, Activations)
def _begin(rules, attacker, defender):
    return pack(attacker, defender, 0, 0, 0, defender.prone)


@verbs.means(verbs.attacks, Activations)
def _attacks(rules, attacker, defender):
    return attacker.shots * attacker.limit


@verbs.means(verbs.largest, Activations)
def _largest(rules, attacker, defender):
    prone = shooting.may_be_prone(defender)
    return max(shooting.attack_dice(rules, attacker), shooting.defence_dice(rules, defender, prone))


@verbs.means(verbs.attack, Activations)
def next_shot(rules, dice, attacker, defender, state):
    """The next Shoot (A7, S8): the first of its activation is the aimed one (S3); after the last the target activates.

    There its debt is counted and its marker removed (P2, P3), whatever its APL.
    """
    hits, fired, debts, prone = unpack(attacker, defender, state)
    if hits * attacker.damage >= defender.hp:
        return state
    aimed = attacker.aimed if fired % attacker.shots == 0 else 0
    end = fire(rules, dice, attacker, defender, shooting.pack(hits, aimed, prone))
    hits, prone = min(end >> 2, hits_counted(attacker, defender)), end & 1
    fired += 1
    if prone and fired % attacker.shots == 0 and hits * attacker.damage < defender.hp:
        debts, prone = debts + 1, 0
    return pack(attacker, defender, hits, fired, debts, prone)


def spend(apl: int, plan: str) -> tuple[int, int]:
    """What a plan makes of some APL: (shots, whether the first is aimed).

    A plan names an activation's actions in order, such as "aim-shoot", each for 1 APL (A4, A13). What the points do not
    pay for is left out; points beyond it go to more shots (A7; Aim is not repeated, S2).
    """
    actions = plan.split("-")
    done = (actions + ["shoot"] * apl)[:apl]
    return done.count("shoot"), int("aim" in done)


def activations(
    attacker: str | Entrant,
    target: str | Entrant,
    run: Run = EXACT,
    rules: Rules = PRINTED,
    *,
    plan: str = "shoot-shoot",
    limit: int = 12,
    cover: bool = False,
    prone: bool = False,
    in_contact: bool = False,
    attacker_injured: bool = False,
    prone_policy: str = "never",
    prone_cost: float = 3.425783,
    saves: str = "best",
    weapon: str = "",
) -> Outcome:
    """In which activation of the attacker the target is removed by shooting.

    `prone` is the marker before the first shot. Readings: `activations` (limit + 1 stands for: not removed within the
    limit), `removed_within` (the limit), `mean_activations_at_least` (a removal later than the limit counts as
    limit + 1: a lower bound of the mean), `prone_debts` (mean number of APL that the target loses to Prone, in its
    activations after each of the attacker's), `mean_hp_lost`.
    """
    shooter = attacker if isinstance(attacker, Entrant) else entrant(attacker, "shooter", {"weapon"}, weapon or None)
    victim = target if isinstance(target, Entrant) else entrant(target, "target", {"defence", "hp"})
    if in_contact and set(plan.split("-")) != {"shoot"}:
        raise UserError(_("a fighter in contact can neither Aim nor Move (A17)"))
    shots, aimed = spend(action_points(rules, shooter.card.apl, 0), plan)
    single = volley.shooter_of(rules, shooter, aim=bool(aimed), in_contact=in_contact, injured=attacker_injured)
    gunner = Gunner(*single[:8], shots, limit)
    defender = volley.target_of(
        rules, single, victim, cover=cover, prone=prone, saves=saves, prone_policy=prone_policy, prone_cost=prone_cost
    )
    kind = Activations(*rules)
    if verbs.span(kind, gunner, defender) > MAX_STATES:
        raise UserError(
            _("This fight has more states than the {limit} that are counted; ask for fewer activations.").format(
                limit=MAX_STATES
            )
        )

    def sampled(first: int, trials: int, executor: Executor | None, progress: Any) -> NDArray[np.int64]:
        return sample.sample(kind, gunner, defender, trials, run.seed, executor, first, progress)

    result = answer(
        run, lambda: exact.pmf(kind, gunner, defender), sampled, _readings(rules, gunner, defender, victim),
        attacker=shooter.label, target=victim.label, plan=plan, limit=limit,
    )  # fmt: skip
    notes = [_("{more} activations stand for: not removed within {limit}.").format(more=limit + 1, limit=limit)]
    if not shots:
        notes.append(_("With {apl} APL this plan never shoots.").format(apl=shooter.card.apl))
    return Outcome(result.weights, result.readings, result.trials, result.seed, result.settings, tuple(notes))


def _readings(rules: Rules, gunner: Gunner, defender: Target | Planner, victim: Entrant) -> tuple[Reading, ...]:
    cells = np.arange(verbs.span(Activations(*rules), gunner, defender))
    hits, fired, debts, _prone = unpack(gunner, defender, cells)
    if not gunner.shots:  # P3 nobody fires, so no step counts the debt of a marker that was there before
        debts = debts + defender.prone
    removed = hits * gunner.damage >= defender.hp
    when = np.where(removed, -(-fired // max(1, gunner.shots)), gunner.limit + 1)
    each = action_points(rules, victim.card.apl, 0) - action_points(rules, victim.card.apl, 1)
    return (
        Reading("activations", "distribution", when),
        Reading("removed_within", "chance", removed.astype(np.int64)),
        Reading("mean_activations_at_least", "mean", when),
        Reading("prone_debts", "mean", debts * each),
        Reading("mean_hp_lost", "mean", np.minimum(hits * gunner.damage, defender.hp)),
    )
