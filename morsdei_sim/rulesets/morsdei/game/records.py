"""Records with tables: how a battle hands seventy arrays from function to function as two pointers.

Numba passes a tuple of arrays as one argument for every number of every array. With some seventy arrays in reach of
every procedure of a battle, compiling took minutes (docs/decisions/0016). Here the fixed numbers lie in one NumPy
record; an array is a *table* of a record: eight numbers that say where it lies and how long it is. In a kernel

    table(world, "sight")[p, q]

is that array. A table is named once, in the declaration of its record (`Layout`), with its type. The Python object
that fills a record (`Owner`) keeps the arrays alive.
"""

from __future__ import annotations

import inspect
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

from morsdei_sim._jit import kernel

__all__ = ["Layout", "Owner", "ask", "copy_head", "entry_point", "link", "procedure", "table"]

MOST_AXES = 7

ITSELF = "itself"
"""Type of a table whose elements are records of the same layout."""

TABLES: dict[str, tuple[Any, int]] = {}
"""Type of the elements and number of axes of every table, by name."""


class Layout:
    """What a record holds: numbers first, then tables."""

    def __init__(self, numbers: list[Any], tables: dict[str, tuple[Any, int]]) -> None:
        self.head = np.dtype(numbers, align=True).itemsize
        """Bytes of the numbers: what one battle differs from another in."""
        self.tables = tables
        self.dtype = np.dtype([*numbers, *((name, np.int64, (1 + MOST_AXES,)) for name in tables)], align=True)
        for name, (dtype, axes) in tables.items():
            kind = numba.from_dtype(self.dtype if dtype == ITSELF else np.dtype(dtype))
            if TABLES.setdefault(name, (kind, axes)) != (kind, axes):
                raise ValueError(f"two tables of the name {name}")


class Owner:
    """A record and the arrays that its tables point to."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.records = np.zeros(1, layout.dtype)
        self.arrays: dict[str, NDArray[Any]] = {}
        self.other: Owner | None = None  # kept alive with this one

    @property
    def record(self) -> Any:
        """What kernels take, and plain procedures too: its fields are attributes."""
        return self.records.view(np.recarray)[0]

    def put(self, name: str, values: Any) -> None:
        """Make `values` the table of that name (copied when it has another type or order)."""
        dtype, axes = self.layout.tables[name]
        array = np.ascontiguousarray(values, self.layout.dtype if dtype == ITSELF else np.dtype(dtype))
        if array.ndim != axes:
            raise ValueError(f"{name} has {array.ndim} axes instead of {axes}")
        self.arrays[name] = array
        self.records[name][0, 0] = array.ctypes.data
        self.records[name][0, 1 : 1 + axes] = array.shape


def _address(context: Any, builder: Any, record: Any, offset: int) -> Any:
    """The address of a field of a record."""
    return cgutils.gep_inbounds(builder, builder.bitcast(record, cgutils.voidptr_t), offset)


@intrinsic
def _table(typingctx, record, name):  # type: ignore[no-untyped-def]
    """The table of a record by its name, a literal: an array that is nobody's own."""
    if not isinstance(name, types.StringLiteral) or not isinstance(record, types.Record):
        return None
    element, axes = TABLES[name.literal_value]
    array = types.Array(element, axes, "C")
    offset = record.offset(name.literal_value)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        number = cgutils.intp_t

        def word(k: int) -> Any:
            place = _address(context, builder, args[0], offset + 8 * k)
            return builder.load(builder.bitcast(place, number.as_pointer()))

        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(element)))
        shape = [word(1 + axis) for axis in range(axes)]
        strides: list[Any] = []
        step = size
        for length in reversed(shape):
            strides.insert(0, step)
            step = builder.mul(step, length)
        made = context.make_array(array)(context, builder)
        data = builder.inttoptr(word(0), context.get_data_type(element).as_pointer())
        populate_array(made, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
        return made._getvalue()

    return array(record, name), generate


table: Any = _table
"""See the head of this module."""


@intrinsic
def copy_head(typingctx, source, target, size):  # type: ignore[no-untyped-def]
    """Copy the numbers of a record (`Layout.head` bytes, a literal) over those of another; tables stay."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        cgutils.raw_memcpy(builder, args[1], args[0], args[2], 1)
        return context.get_dummy_value()

    return types.none(source, target, types.intp), generate


def entry_point(function: Any, *arguments: Any, answer: Any = types.int64) -> int:
    """The address of a compiled function for these types of arguments, which answers a whole number; see `ask`.

    `function` must be kept by whoever keeps the address.
    """
    function.compile(answer(*arguments))
    compiled = function.overloads[tuple(arguments)]
    address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return address


@intrinsic
def ask(typingctx, address, world, state, hook, who):  # type: ignore[no-untyped-def]
    """Call the function at an address (`entry_point`) with these arguments: its answer."""
    arguments = (world, state, types.int64, types.int64)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return _call(context, builder, args[0], types.int64, arguments, args[1:])

    return types.int64(types.int64, *arguments), generate


def _call(context: Any, builder: Any, address: Any, kind: Any, arguments: Any, args: Any) -> Any:
    """Code that calls the function at an address and hands exceptions on."""
    shape = context.call_conv.get_function_type(kind, arguments)
    function = builder.inttoptr(address, shape.as_pointer())
    status, answer = context.call_conv.call_function(builder, function, kind, arguments, args)
    with cgutils.if_unlikely(builder, status.is_error):
        context.call_conv.return_status_propagate(builder, status)
    return answer


CALLS = (
    "legal.in_contact", "legal.past_bodies", "legal.sees_marker", "legal.may_shoot", "legal.may_loot",
    "legal.drawn_path", "legal.brushes", "legal.near_end", "legal.places_to_go", "legal.can_go", "legal.permits",
    "legal.menu", "hooks.may_set_up", "hooks.may_react", "exchanges.shoot", "exchanges.exchange", "expect.shot_at",
    "expect.shot_kills", "expect.exchange", "expect.exchange_kills", "deployment.deploy", "actions.take_shot",
    "actions.fight", "actions.go", "actions.act", "battle.finish_activation", "battle.react", "battle.contract",
    "battle.go_on", "weigh.shot_micro", "weigh.learn", "plan.search", "plan.best_shot", "plan.best_strike",
    "plan.best_plan", "simple.go", "searcher.outcome",
)  # fmt: skip
"""Every procedure by module and name. Compiled code knows a procedure by its place here, whatever is imported first."""

PROCEDURES: dict[int, tuple[Any, int, Any]] = {}
"""By place: compiled function, number of its whole-number arguments, type of its answer."""


def procedure(function: Any) -> Any:
    """Compile a function (world, state, whole numbers …) -> whole number (or None, when it says so) by itself, and let
    kernels call it through its address in `world.calls`.

    Numba optimises everything that a function calls once more with each function that calls it: the engine as one
    piece took a minute to compile. Procedures are the seams: each is compiled once, whoever calls it, bots too.
    """
    number = CALLS.index(f"{function.__module__.rpartition('.')[2]}.{function.__name__}")
    many = function.__code__.co_argcount - 2
    answer = types.none if function.__annotations__.get("return") == "None" else types.int64
    PROCEDURES[number] = kernel(function), many, answer

    def typed(typingctx, world, state, *numbers):  # type: ignore[no-untyped-def]
        if not isinstance(world, types.Record) or len(numbers) != many:
            return None
        arguments = (world, state, *(types.int64 for _number in numbers))
        offset = world.offset("calls") + 8 * number

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            place = builder.bitcast(_address(context, builder, args[0], offset), cgutils.intp_t.as_pointer())
            return _call(context, builder, builder.load(place), answer, arguments, args)

        return answer(*arguments), generate

    typed.__name__, typed.__doc__ = function.__name__, function.__doc__
    # Numba wants to see how many arguments there are.
    names = ("typingctx", *function.__code__.co_varnames[: many + 2])
    typed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    )
    called = intrinsic(typed)
    called.compiled = PROCEDURES[number][0]  # for callers in Python
    return called


def link(world: Any, arguments: tuple[Any, Any]) -> None:
    """Compile all procedures and write their addresses into `world.calls`; `arguments` are the types of world and
    state."""
    if len(PROCEDURES) < len(CALLS):
        raise RuntimeError(
            f"not imported: {[CALLS[number] for number in range(len(CALLS)) if number not in PROCEDURES]}"
        )
    for number, (function, many, answer) in PROCEDURES.items():
        address = entry_point(function, *arguments, *(types.int64,) * many, answer=answer)
        world.records["calls"][0, number] = address
