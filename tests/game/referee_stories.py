"""Short legal battles, written by hand; most follow a worked example of the atlas (TV). The referee must let them pass,
and object to every change of `test_game_referee`."""

from __future__ import annotations

import math
from typing import Any

from referee_builder import BLADE, HALVES, RIFLE, Story, arm, box, soldier

Log = list[dict[str, Any]]

TOWER = box("climbable", 10, 10, 4, 4, 2)
WALL = box("impassable", 8, 10.9, 4, 0.2, 3)
FAR = ((10, 8), (10, 14))
NEAR = ((10, 8), (10, 10))
"""Two places: out of contact; in contact (a gap of 0.74)."""


def pair(**more: Any) -> Story:
    return Story(soldier(0), soldier(1), **more)


def duel() -> Log:
    """Aimed shot (S1, S3); a shot at one who goes prone (P1, P2)."""
    story = pair(zones=HALVES).set_up(*FAR).act(0).tell("aimed", fighter=0, weapon=0)
    story.shoot(0, 1, [1, 4, 5, 6], [2, 4, 6], hit=3, aimed=1).finish(0)
    return story.act(1).shoot(1, 0, [5, 5, 2, 1], [1, 2, 3, 5], goes_prone=1).finish(1).over(1)


def cover() -> Log:
    """TV18: behind a barricade, all hits are saved; TV29: no hit, no defence."""
    story = pair(pieces=[box("low", 9, 13, 2, 0.3, 1)]).set_up(*FAR).act(0)
    story.shoot(0, 1, [1, 4, 5, 6], [2, 4, 6, 6], cover=1).shoot(0, 1, [1, 2, 3, 3], cover=1).finish(0)
    return story.idle(1).over(1)


def debt() -> Log:
    """TV19, TV20, P2-P6: prone in cover with 5 dice, APL 1 less the debt, injured (H3); two rounds."""
    men = soldier(0, apl=1), soldier(1, apl=1, hp=9)
    story = Story(*men, pieces=[box("low", 9, 13, 2, 0.3, 1)], rounds=2).set_up(*FAR)
    story.act(0, 1).shoot(0, 1, [4, 4, 6, 1], [1, 2, 3, 4, 1], cover=1, goes_prone=1).finish(0)
    story.idle(1, apl=0, debt=1).start(1)
    story.act(1, 1).shoot(1, 0, [4, 1, 1], [1, 1, 1, 1], injured=1, goes_prone=1).finish(1)
    return story.idle(0, apl=0, debt=1).over(1)


def removal() -> Log:
    """TV19, W1: the second hit removes, the third is discarded (S19); the battle ends at once."""
    story = Story(soldier(0), soldier(1, hp=7)).set_up(*FAR).act(0)
    return story.shoot(0, 1, [4, 5, 6, 6], [1, 2, 3]).removed(1, 0).over(0, wiped_out=1)


def charge() -> Log:
    """M12, M23, TV21; then a pistol in contact (S7) and Fall Back (M24, M25); two rounds."""
    story = pair(rounds=2).set_up((10, 8), (10, 15)).act(0).move(0, (10, 13)).fight(0, 1, *TV21).finish(0)
    story.act(1).shoot(1, 0, [5, 1, 2, 6], [4, 6, 1], weapon=2, hit=5, in_contact=1).finish(1).start(1)
    return story.act(1).move(1, (10, 20), action="fall-back").finish(1).idle(0).over(1)


TV21 = (
    ([2, 4, 5, 6], [1, 4, 5, 5]),
    [(0, "guard", 5), (0, "attack", 4, "parry", 5), (1, "attack", 4, "parry", 6)],
)


def taken() -> Log:
    """TV22: a 6 cannot be parried; and what follows."""
    story = pair().set_up(*NEAR).act(0)
    steps = [(0, "attack", 6, "take"), (0, "attack", 5, "take")]
    return story.fight(0, 1, TV21[0], steps).removed(1, 0).over(0, wiped_out=1)


def changed_hands() -> Log:
    """TV23: change of initiative, unequal Damage."""
    arms = [dict(RIFLE), dict(BLADE)], [dict(RIFLE), arm("knife", "melee", 4, 4, 2)]
    story = Story(soldier(0, hp=7, weapons=arms[0]), soldier(1, hp=9, weapons=arms[1])).set_up(*NEAR).act(0)
    steps = [(0, "attack", 4, "parry", 5), (1, "attack", 6, "take"), (0, "attack", 5, "take")]
    return story.fight(0, 1, ([4, 5, 1, 2], [5, 6, 3, 1]), steps).finish(0).idle(1).over(1)


def struck_back() -> Log:
    """RULINGS 32, 49: the initiator has no success, the enemy strikes freely; the active fighter dies, no Overwatch."""
    men = soldier(0, hp=4), soldier(0), soldier(1), soldier(1)
    story = Story(*men).set_up((10, 8), (20, 3), (10, 10), (20, 20), first=1)
    story.act(3).tell("watches", fighter=3, weapon=0).finish(3).act(0)
    story.fight(0, 2, ([1, 2, 3, 3], [4, 1, 1, 1]), [(1, "attack", 4, "take")]).removed(0, 2)
    return story.act(2).finish(2).act(1).finish(1).react(1, [3], None).over(1)


def watchers() -> Log:
    """TV15, TV30, RULING 36: two watchers, one fires; then one is charged and loses its marker; three rounds."""
    men = soldier(0), soldier(0), soldier(1)
    story = (
        Story(*men, rounds=3).set_up((10, 8), (14, 8), (12, 18)).act(0).tell("watches", fighter=0, weapon=0).finish(0)
    )
    story.idle(2).react(0, [0], None).act(1).tell("watches", fighter=1, weapon=0).finish(1)
    story.start(1).act(2).move(2, (12, 17)).shoot(2, 0, [1, 1, 2, 4], [1, 1, 4]).finish(2).react(0, [0, 1], 1)
    story.shoot(1, 2, [5, 6, 4, 1], [1, 2, 3, 1], how="overwatch", hit=5, goes_prone=1, injured=0).removed(2, 1)
    return story.over(0, wiped_out=1)


def charged_watcher() -> Log:
    """O12, RULINGS 27, 36: charging a watcher cancels its marker, entering contact one's own."""
    story = Story(soldier(0), soldier(1, apl=3)).set_up((10, 8), (10, 14)).act(0).tell("watches", fighter=0, weapon=0)
    story.finish(0).act(1, 3).tell("watches", fighter=1, weapon=0).move(1, (10, 10)).lost(0).lost(1).finish(1)
    return story.over(1)


def passed_watcher() -> Log:
    """RULING 36, RULING 19: a Fall Back passes within 1 inch of a watcher."""
    men = soldier(0), soldier(0), soldier(1)
    story = (
        Story(*men).set_up((10, 8), (13, 8), (10, 10), first=0).act(1).tell("watches", fighter=1, weapon=2).finish(1)
    )
    story.act(2).move(2, (13, 10), (16, 10), action="fall-back", length=6).lost(1).finish(2)
    return story.idle(0).over(1)


def fourteen() -> Log:
    """TV14: six against four, two Contract windows of different fighters; K2, K8."""
    men = [soldier(0) for _ in range(6)] + [soldier(1) for _ in range(4)]
    places = [(3 + 4 * n, 3) for n in range(6)] + [(3 + 4 * n, 19) for n in range(4)]
    story = Story(*men).set_up(*places, first=1).idle(6, 0, 7, 1, 8, 2, 9, 3)
    story.contract(1, [6, 7, 8, 9], 6).move(6, (3, 16), action="contract").idle(4)
    return story.contract(1, [7, 8, 9], None).idle(5).over(1)


def climbed() -> Log:
    """TV11: by Contract from flush against a wall up 2 and 1 onto it."""
    men = soldier(0), soldier(1), soldier(1)
    story = Story(*men, pieces=[TOWER]).set_up((12, 10 - R), (3, 20), (6, 20)).idle(0, 1)
    x, y = 12, 10 - R
    return story.contract(0, [0], 0).move(0, (x, y, 2), (x, y + 1, 2), action="contract", length=3).idle(2).over(1)


R = 32 / 50.8


def steps_down() -> Log:
    """TV8-TV10: up 4; over a gap of 2.5; down 4 in one descent; then up again and down in two descents of 2."""
    pieces = [box("climbable", 10, 10, 4, 4, 4), box("climbable", 16.5, 10, 4, 4, 4), box("platform", 14, 11, 1, 1, 2)]
    story = Story(soldier(0, apl=4, move=9), soldier(1), pieces=pieces).set_up((12, 10 - R), (3, 20)).act(0, 4)
    x, y = 12, 10 - R
    story.move(0, (x, y, 4), (x, 10, 4))
    story.move(0, (14, 13.5, 4), (16.5, 13.5, 4), (17, 13.5, 4))
    story.move(0, (18.5, 10, 4), (18.5, y, 4), (18.5, y, 0), length=math.hypot(1.5, 3.5) + R + 2)
    return story.finish(0).idle(1).over(1)


def two_descents() -> Log:
    """TV9: down 2 to a platform and down 2 to the ground cost only the level path; `R` apart the base fits."""
    pieces = [box("climbable", 10, 10, 2, 4, 4), box("platform", 12, 10, 2, 4, 2)]
    story = Story(soldier(0), soldier(1), pieces=pieces).set_up((10 - R, 12), (3, 20)).act(0)
    story.move(0, (10 - R, 12, 4), (11, 12, 4))
    low = [(12 + R, 12, 4), (12 + R, 12, 2), (14 + R, 12, 2), (14 + R, 12, 0)]
    return story.move(0, *low, length=3 + R).finish(0).idle(1).over(1)


def kerb() -> Log:
    """M22, M3: over a low obstacle, through a friend."""
    men = soldier(0), soldier(0), soldier(1)
    story = Story(*men, pieces=[box("low", 8, 6, 4, 0.4, 1)]).set_up((10, 4), (10, 8), (3, 20))
    return story.act(0).move(0, (10, 10)).finish(0).idle(2, 1).over(1)


def contract_shots() -> Log:
    """K3, RULINGS 34, 52: Contract Melee and a Contract shot; after a fired Overwatch a Contract is possible again."""
    men = soldier(0), soldier(1), soldier(1), soldier(1)
    story = Story(*men).set_up((10, 8), (10, 18), (20, 18), (10, 10)).act(0).finish(0).idle(1)
    story.contract(0, [0], 0).fight(0, 3, ([4, 4, 5, 6], [1, 2, 3, 3]), STRIKES, hits=(5, 4), how="contract")
    return story.removed(3, 0).idle(2).over(1)


STRIKES = [(0, "attack", 6, "take"), (0, "attack", 5, "take")]


def fired_then_contract() -> Log:
    """RULING 34 and a Contract shot at 5+."""
    men = soldier(0), soldier(1), soldier(1), soldier(1)
    story = Story(*men).set_up((10, 8), (10, 18), (14, 18), (18, 18)).act(0).tell("watches", fighter=0, weapon=0)
    story.finish(0).idle(1).react(0, [0], 0).shoot(0, 1, [1, 2, 3, 4], how="overwatch", hit=5)
    story.contract(0, [0], 0).shoot(0, 2, [5, 1, 1, 1], [4, 1, 1], how="contract", hit=5).idle(2)
    return story.contract(0, [], None).idle(3).over(1)


def looted() -> Log:
    """TV25, L6: both sides gain from one point in one round, one after the other left; two rounds."""
    story = pair(rounds=2).set_up((15, 11 - 0.8 - R), (15, 14)).act(0).loot(0, 1, 1, 0).move(0, (15, 5)).finish(0)
    story.act(1).move(1, (15, 12)).loot(1, 1, 1, 1).finish(1).start(1).idle(1)
    return story.act(0).move(0, (15, 9.5)).finish(0).over(1, (1, 1))


def hidden_enemy() -> Log:
    """TV26: an enemy at the point behind a wall neither loots nor contests."""
    wall = box("impassable", 12, 11.789, 6, 0.01, 3)
    story = pair(pieces=[wall]).set_up((15, 9.5), (15, 11.8 + R)).act(0).loot(0, 1, 1, 0).finish(0)
    return story.idle(1).over(0, (1, 0))


def into_melee() -> Log:
    """TV16: of two allies in contact with the enemy one is out of Range; the other, in cover, is hit (F2, F4, F7)."""
    men = soldier(0), soldier(0), soldier(0), soldier(1, hp=20)
    places = (5, 2), (6.53, 12.65), (3.36, 13.645), (5, 12.26)
    story = Story(*men, pieces=[box("low", 6, 11.7, 0.8, 0.2, 1)]).set_up(*places).act(0)
    danger = {"weapon": 2, "allies": [1]}
    story.shoot(0, 3, [4, 1, 1, 1], [1, 1, 1, 1], redirect=2, target=1, cover=1, declared_cover=0, **danger)
    story.shoot(0, 3, [4, 1, 1, 1], [1, 1, 1], redirect=5, **danger).finish(0)
    return story.idle(3, 1).contract(1, [3], None).idle(2).over(1)


def two_allies() -> Log:
    """TV17, F5: two allies on the list, the die redirects to the second."""
    men = soldier(0), soldier(0), soldier(0), soldier(1)
    story = Story(*men).set_up((5, 5), (7, 12), (3, 12), (5, 12)).act(0)
    story.shoot(0, 3, [6, 1, 1, 1], [1, 1, 6], allies=[2, 1], redirect=3, target=2).finish(0)
    return story.idle(3, 1).contract(1, [3], None).idle(2).over(1)


def all_points() -> Log:
    """L7, RULING 59: three points in one round."""
    men = soldier(0), soldier(0), soldier(0), soldier(1)
    story = Story(*men).set_up((7, 9.5), (15, 11), (23, 9.6), (15, 20)).act(0).loot(0, 0, 1, 0).finish(0).idle(3)
    story.act(1).loot(1, 1, 2, 0).finish(1).contract(1, [3], None)
    return story.act(2).loot(2, 2, 3, 0).finish(2).over(0, (3, 0))


def door() -> Log:
    """T5, RULING 24: through an open door that is narrower than the base."""
    walls = box("impassable", 0, 10, 9.5, 0.4, 3), box("impassable", 10.5, 10, 19.5, 0.4, 3)
    story = pair(pieces=[*walls, box("door-open", 9.5, 10, 1, 0.4, 2.7)]).set_up((10, 8), (3, 20))
    return story.act(0).move(0, (10, 12)).finish(0).idle(1).over(1)


def brawl() -> Log:
    """RULINGS 3, 6, 17, 51, F8, S22, B3: aims, slides from one contact into two, shoots and fights there."""
    men = soldier(0, apl=4), soldier(0), soldier(1), soldier(1, weapons=[dict(RIFLE)])
    story = Story(*men).set_up((10, 5), (8, 10), (10, 10), (12, 10)).act(0, 4).tell("aimed", fighter=0, weapon=2)
    story.move(0, (10, 8), (11, 8.2))
    close = {"weapon": 2, "in_contact": 1, "aimed": 1, "allies": [1], "redirect": 2, "target": 1}
    story.shoot(0, 2, [6, 1, 1, 1], [4, 5, 1], **close)
    story.fight(0, 3, ([4, 1, 1, 1], []), [(0, "attack", 4, "take")], hits=(4, None), enemy_weapon=None).finish(0)
    blows = [(0, "attack", 4, "take"), (1, "attack", 5, "take")]
    story.act(2).fight(2, 1, ([4, 1, 1, 1], [5, 1, 1, 1]), blows).finish(2)
    return story.idle(1, 3).over(1)


def patient() -> Log:
    """P4, O11, K9, RULINGS 25, 28: prone under a second shot, a lost aim, an unused marker; two rounds."""
    men = soldier(0, apl=4), soldier(1), soldier(1)
    story = Story(*men, rounds=2).set_up((10, 5), (10, 15), (14, 15), first=1).act(1)
    story.shoot(1, 0, [4, 4, 1, 1], [4, 5, 1, 1], goes_prone=1)
    story.shoot(1, 0, [6, 1, 1, 1], [4, 1, 1, 1], prone=1).finish(1)
    story.act(0, 3, debt=1).tell("aimed", fighter=0, weapon=0).shoot(0, 1, [1, 1, 1, 1], weapon=2)
    story.tell("watches", fighter=0, weapon=0).finish(0).idle(2).react(0, [0], None).start(0)
    story.act(0, 4, watch=1).tell("watches", fighter=0, weapon=0).move(0, (10, 5)).finish(0)
    story.idle(1).react(0, [0], None).contract(0, [], None).idle(2).react(0, [0], None)
    return story.over(1)


def blocked() -> Log:
    """V5: a friend in the line of fire, so that no reaction is possible."""
    story = Story(soldier(0), soldier(0), soldier(1)).set_up((10, 5), (10, 8), (10, 15))
    return story.act(0).tell("watches", fighter=0, weapon=0).finish(0).idle(2, 1).over(1)


def around() -> Log:
    """M4: round an enemy, out of its contact; RULING 23: onto crates and off them."""
    crates = box("low", 9, 12, 3, 3, 1, stand=True)
    story = Story(soldier(0, move=11), soldier(1), pieces=[crates]).set_up((10, 5), (10, 8)).act(0)
    story.move(0, (13, 6), (12.8, 9), (10.4, 12.3)).move(0, (10.4, 17)).finish(0)
    return story.idle(1).over(1)


def hopeless() -> Log:
    """D8, RULING 2: Overwatch at 6+ that cannot be worse, and no die left to an injured fighter."""
    men = soldier(0, hp=9, weapons=[arm("relic", "ranged", 1, 6, 4)]), soldier(1), soldier(1)
    story = Story(*men).set_up((10, 5), (10, 15), (14, 15), first=1).act(1)
    story.shoot(1, 0, [4, 4, 1, 1], [1, 1, 1]).finish(1).act(0).tell("watches", fighter=0, weapon=0).finish(0).idle(2)
    return story.react(0, [0], 0).shoot(0, 2, [], how="overwatch", hit=6, injured=1).over(1)


TOLD = [
    duel, cover, debt, removal, charge, taken, changed_hands, struck_back, watchers, charged_watcher, passed_watcher,
    fourteen, climbed, steps_down, two_descents, kerb, contract_shots, fired_then_contract, looted, hidden_enemy,
    into_melee, two_allies, all_points, door, brawl, patient, blocked, around, hopeless,
]  # fmt: skip
STORIES = {story.__name__: story for story in TOLD}
