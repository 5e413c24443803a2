"""Where a whole MORSDEI game spends its time: every procedure of the engine and of the bots, by the processor's clock.

    python -m benchmarks.procedures                          looter on twin-yards, `line` against itself
    python -m benchmarks.procedures tactician container-row  another bot, another board

Procedures call each other through addresses (docs/decisions/0016), so a clock can be put between any two of them
without a change of the code: each address is replaced by that of a wrapper which reads the cycle counter before and
after. Own time is without the procedures called; inlined helpers count to whoever calls them. The clock itself costs
some 10 ns a call.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from morsdei_sim.rulesets.morsdei.game import boards, setting
from morsdei_sim.rulesets.morsdei.game.records import CALLS, PROCEDURES, _call, entry_point
from morsdei_sim.rulesets.morsdei.game.world import STATE_TYPE, WORLD_TYPE

GAMES = 1000
CALLED, WITHIN, OF_OTHERS = range(3)
"""Columns of the clock: calls, cycles between call and return, those of them in procedures called."""

WORD = ir.IntType(64)


@intrinsic
def cycles(typingctx: Any) -> Any:
    """The processor's clock."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.call(
            builder.module.declare_intrinsic("llvm.readcyclecounter", (), ir.FunctionType(WORD, ())), ()
        )

    return types.uint64(), generate


@intrinsic
def words(typingctx: Any, address: Any) -> Any:
    """The 64-bit numbers that lie at an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], WORD.as_pointer())

    return types.CPointer(types.int64)(types.int64), generate


def wrapped(number: int, many: int, answer: Any, address: int, clock: np.ndarray, stack: np.ndarray) -> Any:
    """The procedure at an address with `many` numbers as arguments, with a clock around it."""
    arguments = (WORLD_TYPE, STATE_TYPE, *(types.int64,) * many)
    names = ", ".join(["world", "state", *(f"n{k}" for k in range(many))])

    def call(typingctx: Any, *given: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = cgutils.alloca_once_value(builder, context.get_constant(types.int64, address))
            return _call(context, builder, builder.load(place), answer, arguments, args)

        return answer(*arguments), generate

    # Numba wants to see how many arguments there are, so the text of both functions is made to measure.
    text = f"""
def typed(typingctx, {names}):
    return call(typingctx, {names})


def function({names}):
    clock, stack = words({clock.ctypes.data}), words({stack.ctypes.data})
    depth = stack[0] + 1
    stack[0], stack[depth] = depth, 0
    start = cycles()
    found = inner({names})
    taken = np.int64(cycles() - start)
    clock[{3 * number + CALLED}] += 1
    clock[{3 * number + WITHIN}] += taken
    clock[{3 * number + OF_OTHERS}] += stack[depth]
    stack[0] = depth - 1
    stack[depth - 1 if depth > 1 else 1] += taken
    return found
"""
    space: dict[str, Any] = {"call": call, "words": words, "cycles": cycles, "np": np}
    exec(text, space)
    space["inner"] = intrinsic(space["typed"])
    compiled = numba.njit(nogil=True, error_model="numpy", _nrt=False)(space["function"])
    return compiled, entry_point(compiled, *arguments, answer=answer)


def clocked(series: Any) -> tuple[np.ndarray, list[Any]]:
    """Put a clock around every procedure of a battle: the clock, and what must be kept alive."""
    clock, stack = np.zeros((len(CALLS), 3), np.int64), np.zeros(1024, np.int64)
    kept: list[Any] = [stack]
    for number, (_function, many, answer) in PROCEDURES.items():
        address = int(series.world.records["calls"][0, number])
        compiled, there = wrapped(number, many, answer, address, clock, stack)
        kept.append(compiled)
        for world in {id(world): world for world in (series.world, series.other)}.values():
            world.records["calls"][0, number] = there
    return clock, kept


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bot", nargs="?", default="looter")
    parser.add_argument("board", nargs="?", default="twin-yards")
    parser.add_argument("--games", type=int, default=GAMES)
    chosen = parser.parse_args()
    book, numbers = setting.game_rules({})
    crews = [setting.crew("line", book)] * 2
    series = setting.series(boards.board(chosen.board), crews, setting.players([chosen.bot]), 1, book, numbers)
    series.play(64)
    start = time.process_time()
    series.play(chosen.games)
    plain = (time.process_time() - start) / chosen.games * 1e6
    clock, _kept = clocked(series)
    series.play(64)
    clock[:] = 0
    start = time.process_time()
    series.play(chosen.games)
    seconds = time.process_time() - start
    own = clock[:, WITHIN] - clock[:, OF_OTHERS]
    cycle = seconds / own.sum()  # the outermost procedures are nearly all there is
    print(
        f"{chosen.bot} on {chosen.board}: {plain:.0f} us a game; with the clocks {seconds / chosen.games * 1e6:.0f} us"
    )
    print(f"{'procedure':28s}{'calls a game':>14s}{'own, us':>10s}{'share':>8s}{'a call, us':>12s}")
    for number in np.argsort(-own):
        calls = clock[number, CALLED]
        if calls:
            each = clock[number, WITHIN] * cycle / calls * 1e6
            mine = own[number] * cycle / chosen.games * 1e6
            share = own[number] / own.sum()
            print(f"{CALLS[number]:28s}{calls / chosen.games:14.1f}{mine:10.1f}{share:8.1%}{each:12.3f}")


if __name__ == "__main__":
    main()
