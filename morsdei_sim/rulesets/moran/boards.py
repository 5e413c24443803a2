"""Boards as small text files: cells, walls, cover edges and places of deployment, drawn with characters.

Rows of cells and rows of edges alternate. In a row of cells the cells stand in columns 1, 3, 5 …, the edges between
them in 2, 4, 6 …; in a row of edges (which may be left empty) column 1, 3, 5 … is the edge between the cells above and
below. Lines that begin with `;` are remarks; `; name: Yard` and `; name_ru: Двор` name the board.

    .  open ground    #  wall    A B  open ground where a side deploys
    :  light cover along the edge between two cells of a row, | full cover
    -  light cover along the edge between two rows, = full cover
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from morsdei_sim.cards.safe import read_text
from morsdei_sim.cards.text import norm
from morsdei_sim.cards.values import meant
from morsdei_sim.errors import CardFaults, Fault, UserError
from morsdei_sim.lang import _, named
from morsdei_sim.paths import profiles_dir
from morsdei_sim.rulesets.moran.grid import EAST, NORTH, SOUTH, WEST, Grid, see

__all__ = ["Board", "board", "parse"]

MOST = 40
"""Cells a side at most: lines of fire are kept for every pair of cells."""

_BESIDE = {" ": 0, ":": 1, "|": 2}
_BETWEEN = {" ": 0, "-": 1, "=": 2}


@dataclass(frozen=True)
class Board:
    """A board ready for play: its grid and the cells where each side deploys, in reading order."""

    name: str
    name_ru: str
    grid: Grid
    deploy: tuple[NDArray[np.int64], NDArray[np.int64]]

    def label(self) -> str:
        """The name in the language of the messages."""
        return named(self.name, self.name_ru)

    @property
    def symmetric(self) -> bool:
        """Whether a half turn gives the same board with the sides swapped."""
        grid = self.grid
        turned = grid.cover[::-1][:, [SOUTH, WEST, NORTH, EAST]]
        last = grid.width * grid.height - 1
        return (
            bool((grid.wall == grid.wall[::-1]).all())
            and bool((grid.cover == turned).all())
            and sorted(last - self.deploy[0]) == sorted(self.deploy[1].tolist())
        )


def board(text: str, folder: Path | None = None) -> Board:
    """A board by its name in ``profiles/moran/boards``, or by the path of its file."""
    place = folder or profiles_dir() / "moran" / "boards"
    path = Path(text)
    if path.suffix.lower() != ".txt":
        files = sorted(place.glob("*.txt"))
        found = [one for one in files if norm(one.stem) == norm(text)]
        if not found:
            names = [one.stem for one in files]
            hint = meant(text, names) or _("there are: {names}").format(names=", ".join(names))
            message = _('no board "{name}" in {folder}').format(name=text, folder=place)
            raise UserError(f"{message} ({hint})")
        path = found[0]
    return parse(read_text(path, legacy=False), str(path), path.stem)


def parse(text: str, file: str = "", name: str = "") -> Board:
    """A board from its drawing; CardFaults with the line and column of every fault."""
    faults: list[Fault] = []
    names = {"name": name, "name_ru": ""}
    rows: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(";"):
            key, colon, value = line[1:].partition(":")
            if colon and key.strip() in names:
                names[key.strip()] = value.strip()[:80]
        else:
            rows.append((number, line.rstrip()))
    while rows and not rows[0][1]:
        rows.pop(0)
    while rows and not rows[-1][1]:
        rows.pop()
    width = max(((len(line) + 1) // 2 for _number, line in rows[::2]), default=0)
    height = (len(rows) + 1) // 2
    if not 2 <= width <= MOST or not 2 <= height <= MOST:
        message = _("the board has {width} x {height} cells; 2 to {most} each way are allowed")
        raise CardFaults([Fault(file, "", "", "", message.format(width=width, height=height, most=MOST))])
    wall, cover = np.zeros(width * height, np.uint8), np.zeros((width * height, 4), np.uint8)
    deploy: tuple[list[int], list[int]] = ([], [])
    for place, (number, line) in enumerate(rows):
        if place % 2 == 0:
            _cells(file, number, line, width, place // 2, wall, cover, deploy, faults)
        else:
            _edges(file, number, line, width, place // 2, cover, faults)
    for side, cells in zip("AB", deploy, strict=True):
        if not cells:
            message = _("no cell {side} where a side deploys").format(side=side)
            faults.append(Fault(file, "", "", "", message))
    if faults:
        raise CardFaults(faults)
    sight = np.zeros((len(wall), len(wall)), np.uint8)
    see(width, wall, sight)
    grid = Grid(width, height, wall, cover, sight)
    return Board(names["name"], names["name_ru"], grid, (np.array(deploy[0]), np.array(deploy[1])))


def _fault(file: str, number: int, column: int, letter: str, allowed: str) -> Fault:
    message = _("column {column}: only {allowed} may stand here").format(column=column + 1, allowed=allowed)
    return Fault(file, f"line {number}", "", repr(letter), message)


def _cells(
    file: str, number: int, line: str, width: int, y: int, wall: NDArray[np.uint8], cover: NDArray[np.uint8],
    deploy: tuple[list[int], list[int]], faults: list[Fault],
) -> None:  # fmt: skip
    for column, letter in enumerate(line.ljust(2 * width - 1)):
        cell = y * width + column // 2
        if column % 2:
            outside = column > 2 * width - 2 and letter != " "
            if letter not in _BESIDE or outside:
                faults.append(_fault(file, number, column, letter, _('":", "|" or a space')))
            else:
                cover[cell, EAST] = cover[cell + 1, WEST] = _BESIDE[letter]
        elif letter not in ".#AB":
            faults.append(_fault(file, number, column, letter, _('".", "#", "A" or "B"')))
        else:
            wall[cell] = letter == "#"
            if letter in "AB":
                deploy["AB".index(letter)].append(cell)


def _edges(
    file: str, number: int, line: str, width: int, y: int, cover: NDArray[np.uint8], faults: list[Fault]
) -> None:
    last = (y + 1) * width >= len(cover)  # an edge row under the last row of cells
    for column, letter in enumerate(line):
        if column % 2 or column // 2 >= width or last:
            if letter != " ":
                faults.append(_fault(file, number, column, letter, _("a space")))
            continue
        if letter not in _BETWEEN:
            faults.append(_fault(file, number, column, letter, _('"-", "=" or a space')))
            continue
        cell = y * width + column // 2
        cover[cell, SOUTH] = cover[cell + width, NORTH] = _BETWEEN[letter]
