"""Matches whose games are told: small arenas, on which fighters meet at once, and one board that comes along; every
habit in exchanges, seats both ways."""

from __future__ import annotations

from dataclasses import replace

from small_board import block

from morsdei_sim.rulesets.morsdei.cards import Fighter
from morsdei_sim.rulesets.morsdei.game import chronicle as tale
from morsdei_sim.rulesets.morsdei.game.boards import Board, board
from morsdei_sim.rulesets.morsdei.game.bots import player
from morsdei_sim.rulesets.morsdei.game.prepared import prepare
from morsdei_sim.rulesets.morsdei.game.setting import crew
from morsdei_sim.rulesets.morsdei.game.worlds import new_world
from morsdei_sim.rulesets.morsdei.rules import PRINTED

SEED = 21
WALLS = [
    block("low", 6, 5.4, 3, 0.6, 0.8, stand=True), block("impassable", 2, 5.5, 2, 0.5),
    block("climbable", 11, 5, 3, 2, 2.0),
]  # fmt: skip


def arena(name, pieces):
    """16 x 12 inches, zones 3 inches apart."""
    zones = ((0.0, 0.0, 16.0, 4.5), (0.0, 7.5, 16.0, 12.0))
    return Board(name, name, 16.0, 12.0, tuple(pieces), ((4.0, 6.0), (8.0, 6.0), (12.0, 6.0)), zones)


def odd_squad():
    """Several blades, no blade, weapons that never hurt, other bases, 6 dice."""

    def arm(name, kind, dice, hit, damage, **more):
        return {"name": name, "type": kind, "dice": dice, "hit": hit, "damage": damage, **more}

    def card(name, *weapons, **more):
        return Fighter.model_validate({"name": name, "move": 6, "defence": 3, "hp": 9, "weapon": weapons, **more})

    axe, whip, pistol = arm("axe", "melee", 6, 3, 3), arm("whip", "melee", 5, 2, 2), arm("pistol", "pistol", 5, 2, 1)
    gun, club = arm("gun", "ranged", 6, 4, 2, range=7), arm("club", "melee", 1, 6, 0)
    return [
        card("Two blades", axe, whip, pistol, apl=4, hp=14, count=2), card("Bare", gun, apl=1, count=2, base=40),
        card("Weak", club, hp=17, apl=3),
    ]  # fmt: skip


TEAMS = {
    "odd": odd_squad,
    **{name: (lambda name=name: list(crew(name, PRINTED).cards)) for name in ("line", "cleavers", "bulwark")},
}
MATCHES = [
    ("pit", "line", "odd", (0, 1), 0), ("pit", "odd", "cleavers", (1, 0), 1),
    ("walls", "cleavers", "bulwark", (0, 1), 2), ("walls", "odd", "odd", (0, 1), 4),
    ("settling-tanks", "line", "bulwark", (1, 0), 3),
]  # fmt: skip
GAMES = 6


class Played:
    """One match: header and world once, then any of its games."""

    def __init__(self, place, one, two, seats, habit):
        ground = board(place) if place == "settling-tanks" else arena(place, WALLS if place == "walls" else [])
        self.squads, self.seats = [TEAMS[one](), TEAMS[two]()], seats
        self.board = prepare(ground, tuple({card.base for side in self.squads for card in side}))
        self.players = [replace(player("random"), habit=habit), replace(player("random"), habit=(habit + 1) % 5)]
        self.names = (one, two)
        self.world = new_world(self.board, self.squads, self.players, seats)
        self.head = tale.header(self.board, self.squads, self.players, seats, SEED, 0, names=self.names)

    def chronicle(self, game):
        return tale.chronicle(self.board, self.squads, self.players, self.seats, seed=SEED, game=game, names=self.names)

    def rows(self, game):
        return tale.played(self.world, SEED, game)

    def told(self, game, rows=None):
        head = {**self.head, "game": game}
        return [head, *tale.told(head, self.world, self.rows(game) if rows is None else rows)]
