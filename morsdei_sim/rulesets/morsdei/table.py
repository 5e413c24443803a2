"""The rules of activations between two fighters on open ground: whose turn it is, what they may do, what it changes.

Nothing here is random: `start` and `after` go on until dice must fall, `throw` says which dice. All lengths are inches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from morsdei_sim.rulesets.morsdei import exchange, volley
from morsdei_sim.rulesets.morsdei.cards import Entrant, Weapon
from morsdei_sim.rulesets.morsdei.plans import Action, Plan, Sight
from morsdei_sim.rulesets.morsdei.rules import Rules, action_points, is_injured
from morsdei_sim.rulesets.morsdei.shooting import Shooting
from morsdei_sim.rulesets.morsdei.throws import Clash, Shot, Throw

NEAR = 1e-6
"""RULING 8 "Within X" is at most X + NEAR."""

ONCE = ("aim", "overwatch", "fall-back")
"""Actions that an activation has once (RULING 26)."""


def within(distance: float, limit: float) -> bool:
    """E5 Whether a distance is at most `limit` (RULING 8)."""
    return distance <= limit + NEAR


@dataclass(frozen=True)
class Setting:
    """What a duel is fought with; pairs are (attacker, target)."""

    rules: Rules
    fighters: tuple[Entrant, Entrant]
    plans: tuple[Plan, Plan]
    rounds: int
    first: int
    cover: tuple[bool, bool]
    prone_policy: str
    prone_cost: float
    saves: str
    objective: str


class Moment(NamedTuple):
    """A moment of a duel; pairs are (attacker, target).

    `phase` is "begin" and "act" of an activation, "window" after it, or "over"; in the chain of a duel `dice` names the
    throw that comes now: "shoot", "melee" or "overwatch". `aimed` and `watch` hold 1 + the number of a weapon, or 0.
    """

    round: int
    turn: int  # 0 and 1 in a round
    phase: str
    dice: str
    weapon: int
    apl: int
    used: tuple[str, ...]
    aimed: int
    gap: float
    hp: tuple[int, int]
    prone: tuple[int, int]
    watch: tuple[int, int]

    @property
    def over(self) -> bool:
        """Whether the duel is over."""
        return self.phase == "over"

    @property
    def time(self) -> tuple[int, int, int, int]:
        """Rises with every throw."""
        return self.round, self.turn, ("begin", "act", "window", "over").index(self.phase), -self.apl


def with_side(pair: tuple[Any, Any], side: int, value: Any) -> tuple[Any, Any]:
    """A pair with one side changed."""
    return (value, pair[1]) if side == 0 else (pair[0], value)


class Table:
    """The rules of a duel in one setting."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.rules = setting, setting.rules
        self._throws: dict[tuple[Any, ...], Throw] = {}

    # ── turns ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def start(self, gap: float) -> Moment:
        """The first moment in which dice fall. Fighters that start in contact are simply there."""
        hp = self.setting.fighters[0].hp, self.setting.fighters[1].hp
        return self._go_on(Moment(1, 0, "begin", "", 0, 0, (), 0, round(gap, 9), hp, (0, 0), (0, 0)))

    def active(self, moment: Moment) -> int:
        """R5 Whose activation it is: both activate in every round (R6), and who starts alternates."""
        return (self.setting.first + moment.round - 1 + moment.turn) % 2

    def activates_again(self, moment: Moment, side: int) -> bool:
        """Whether a fighter still has an activation after this one (its own, if it is the active one, is spent)."""
        return moment.round < self.setting.rounds or (moment.turn == 0 and side != self.active(moment))

    def _go_on(self, moment: Moment) -> Moment:
        """R7 Go on, without dice, until some fall or the duel is over (H8)."""
        while not moment.over and not moment.dice:
            if moment.phase == "begin":
                moment = self._begin(moment)
            elif moment.phase == "act":
                moment = self._act(moment)
            else:
                moment = self._window(moment)
        return moment

    def _begin(self, moment: Moment) -> Moment:
        """R7 steps 1-2, O11, P3 The own Overwatch marker goes; the APL are worked out (A2); the Prone marker goes."""
        side = self.active(moment)
        apl = action_points(self.rules, self.setting.fighters[side].card.apl, moment.prone[side])
        watch, prone = with_side(moment.watch, side, 0), with_side(moment.prone, side, 0)
        return moment._replace(phase="act", apl=apl, used=(), aimed=0, watch=watch, prone=prone)

    def _act(self, moment: Moment) -> Moment:
        """A5-A6, R7 steps 3-5, R8 The plan names the next action, as long as there are APL."""
        side = self.active(moment)
        action = self.setting.plans[side](self._sight(moment, side)) if moment.apl > 0 else Action("end")
        if action.name == "end":
            return moment._replace(phase="window", apl=0, used=(), aimed=0)
        weapon = self._pay(moment, side, action)
        cost = self.rules.fall_back_apl if action.name == "fall-back" else 1
        moment = moment._replace(apl=moment.apl - cost)
        if action.name in ONCE:
            moment = moment._replace(used=(*moment.used, action.name))
        if action.name == "aim":
            return moment._replace(aimed=1 + weapon)
        if action.name == "overwatch":
            return moment._replace(watch=with_side(moment.watch, side, 1 + weapon))
        if action.name in ("move", "fall-back"):
            return self._moved(moment, -action.inches if action.name == "move" else action.inches)
        return moment._replace(dice=action.name, weapon=weapon)

    def _moved(self, moment: Moment, change: float) -> Moment:
        """O12, RULING 36 The new gap (M10, M12, M25); contact removes both Overwatch markers."""
        moment = moment._replace(gap=round(max(0.0, moment.gap + change), 9))
        return moment._replace(watch=(0, 0)) if self.contact(moment) else moment

    def _window(self, moment: Moment) -> Moment:
        """R7 steps 6-8, O2, O6, O8, O15, RULINGS 35, 38 The other side reacts; then the next turn.

        It always does when it can, with its one fighter (O9). There is no Contract: nobody waits for the other.
        """
        watcher = 1 - self.active(moment)
        watch = moment.watch[watcher]
        if watch and not self.contact(moment) and within(moment.gap, self.reach(watcher, watch - 1)):
            return moment._replace(dice="overwatch", weapon=watch - 1, watch=with_side(moment.watch, watcher, 0))
        if moment.turn == 0:
            return moment._replace(turn=1, phase="begin")
        if moment.round < self.setting.rounds:
            return moment._replace(round=moment.round + 1, turn=0, phase="begin")
        return self._end(moment, moment.round + 1)

    def _end(self, moment: Moment, when: int) -> Moment:
        return Moment(when, 0, "over", "", 0, 0, (), 0, 0.0, moment.hp, (0, 0), (0, 0))

    # ── what may be done ──────────────────────────────────────────────────────────────────────────────────────────────

    def contact(self, moment: Moment) -> bool:
        """Whether the fighters are in contact (E6); there is no wall here."""
        return within(moment.gap, self.rules.contact_reach)

    def reach(self, side: int, weapon: int) -> float:
        """S6, RULING 5 Range of a weapon: what the card says, else that of a pistol or none."""
        arm = self._weapons(side)[weapon]
        return self.rules.pistol_range if arm.type == "pistol" and arm.range is None else arm.reach

    def _weapons(self, side: int) -> tuple[Weapon, ...]:
        return self.setting.fighters[side].card.weapon

    def gun(self, moment: Moment, side: int) -> int:
        """S6-S7, RULING 45 The first weapon of the card that may be fired now (S9, S10); -1 for none."""
        for number, arm in enumerate(self._weapons(side)):
            near = within(moment.gap, self.reach(side, number))
            if near and (arm.type == "pistol" or (arm.type == "ranged" and not self.contact(moment))):
                return number
        return -1

    def _ranged(self, side: int) -> list[int]:
        return [number for number, arm in enumerate(self._weapons(side)) if arm.type != "melee"]

    def _melee(self, side: int) -> Weapon | None:
        return next((arm for arm in self._weapons(side) if arm.type == "melee"), None)

    def _sight(self, moment: Moment, side: int) -> Sight:
        gun, move = self.gun(moment, side), self.setting.fighters[side].card.move
        return Sight(
            gap=moment.gap,
            contact=self.contact(moment),
            charges=within(moment.gap - move, self.rules.contact_reach),
            apl=moment.apl,
            move=move,
            reach=max((self.reach(side, number) for number in self._ranged(side)), default=0.0),
            can_shoot=gun >= 0,
            has_pistol=gun >= 0 and self._weapons(side)[gun].type == "pistol",
            can_strike=self._melee(side) is not None,
            can_fall_back=self.contact(moment)
            and moment.apl >= self.rules.fall_back_apl
            and "fall-back" not in moment.used,
            watching=moment.watch[side] > 0,
            hp=moment.hp[side],
            other_hp=moment.hp[1 - side],
        )

    def _pay(self, moment: Moment, side: int, action: Action) -> int:
        """A4, A7, A9, A16-A17, M11, M26, S2, O1, RULING 26 Refuse what is not allowed; the weapon that the action uses.

        Fall Back ends out of contact (M24, M25); a Melee needs a melee weapon (RULING 6).
        """
        contact, move = self.contact(moment), self.setting.fighters[side].card.move
        gun = self.gun(moment, side)
        away = contact and not within(moment.gap + action.inches, self.rules.contact_reach)
        allowed = {
            "move": not contact and action.inches >= 0 and within(action.inches, move),
            "shoot": gun >= 0,
            "melee": contact and self._melee(side) is not None,
            "aim": not contact and bool(self._ranged(side)),
            "overwatch": not contact and bool(self._ranged(side)),
            "fall-back": away and within(action.inches, move) and moment.apl >= self.rules.fall_back_apl,
        }
        if not allowed.get(action.name, False) or action.name in moment.used:
            raise ValueError(f"the rules do not allow {action} at {moment}")
        if action.name in ("aim", "overwatch") and gun < 0:  # nothing reaches yet: the one that reaches furthest
            return max(self._ranged(side), key=lambda number: self.reach(side, number))
        return gun

    # ── dice ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    def throw(self, moment: Moment) -> Throw:
        """The dice that fall in a moment; one object for all moments in which they are the same."""
        side = self.active(moment)
        if moment.dice == "melee":
            key: tuple[Any, ...] = ("melee", side, moment.hp)
        else:
            side = 1 - side if moment.dice == "overwatch" else side
            aimed = moment.dice == "shoot" and moment.aimed == 1 + moment.weapon
            # P3, RULING 38 A fighter that does not activate again loses nothing by going prone.
            free = not self.activates_again(moment, 1 - side)
            hurt = is_injured(self.rules, moment.hp[side], self.setting.fighters[side].card.hp)
            situation = aimed, moment.dice == "overwatch", self.contact(moment), bool(hurt)
            key = ("shot", side, moment.weapon, situation, moment.hp[1 - side], moment.prone[1 - side], free)
        if key not in self._throws:
            self._throws[key] = self._clash(side, moment.hp) if key[0] == "melee" else self._shot(*key[1:])
        return self._throws[key]

    def _shot(
        self, side: int, weapon: int, situation: tuple[bool, bool, bool, bool], hp: int, prone: int, free: bool
    ) -> Shot:
        """RULING 37 A shot as things stand when it is fired (S1, S7, S13, O5, O7, O14, H3)."""
        aimed, overwatch, contact, hurt = situation
        setting = self.setting
        shooter = volley.shooter_of(
            self.rules,
            replace(setting.fighters[side], weapon=self._weapons(side)[weapon], stated=frozenset({"type"})),
            aim=aimed,
            overwatch=overwatch,
            in_contact=contact,
            injured=hurt,
        )
        target = volley.target_of(
            self.rules,
            shooter,
            replace(setting.fighters[1 - side], hp=hp),
            cover=setting.cover[1 - side] and not contact,
            prone=bool(prone),
            saves=setting.saves,
            prone_policy=setting.prone_policy,
            prone_cost=0.0 if free else setting.prone_cost,
        )
        return Shot(Shooting(*self.rules), shooter, target)

    def _clash(self, side: int, hp: tuple[int, int]) -> Clash:
        """An exchange that the active fighter began (B4, B5, H3, RULING 6); each fights with its first melee weapon."""
        both = [
            exchange.combatant(self.rules, replace(self.setting.fighters[one], weapon=self._melee(one)), hp=hp[one])
            for one in (side, 1 - side)
        ]
        return Clash(exchange.face_off(self.rules, both[0], both[1]), self.setting.objective)

    def after(self, moment: Moment, outcome: int) -> Moment:
        """O10, RULINGS 28, 32 What an outcome of the dice changes (E7, P2, H7, H8), and on to the next throw."""
        side, thrown = self.active(moment), self.throw(moment)
        moment = moment._replace(dice="", weapon=0, aimed=moment.aimed if moment.dice == "melee" else 0)
        if isinstance(thrown, Clash):
            own, other = thrown.read(outcome)
            hp = with_side(with_side(moment.hp, side, moment.hp[side] - own), 1 - side, moment.hp[1 - side] - other)
        else:
            assert isinstance(thrown, Shot)
            hit = side if moment.phase == "window" else 1 - side
            damage, marker = thrown.read(outcome)
            hp = with_side(moment.hp, hit, moment.hp[hit] - damage)
            moment = moment._replace(prone=with_side(moment.prone, hit, marker))
        moment = moment._replace(hp=hp)
        return self._end(moment, moment.round) if min(hp) <= 0 else self._go_on(moment)
