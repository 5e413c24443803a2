"""The only place that calls Numba's `njit`, and the guard of its disk cache.

Numba's cache goes stale silently: a kernel is keyed by its own file, so editing a kernel that it *imports* serves
yesterday's numbers. Here the cache folder is named by a digest of every source file of the package; any edit moves to
another folder, whoever imported Numba first.
"""

from __future__ import annotations

import hashlib
import os
import sys
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from morsdei_sim.paths import cache_dir

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent


def source_digest() -> str:
    """Hash of all Python sources that compiled code can depend on (12 hex digits)."""
    digest = hashlib.sha256()
    for path in [
        PACKAGE / "_jit.py",
        *sorted(p for room in ("dice", "fight", "rulesets") for p in (PACKAGE / room).rglob("*.py")),
    ]:
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def cache_folder() -> Path:
    """Folder of compiled kernels for exactly these sources."""
    return cache_dir() / "kernels" / source_digest()


# A folder set by the user in NUMBA_CACHE_DIR would be shared between versions of this package: only its root is kept.
os.environ["NUMBA_CACHE_DIR"] = str(cache_folder())

# Numba looks whether SciPy's BLAS is there, which no kernel here calls and which takes half as long to import as
# Numba itself. While it looks, the module is marked as missing; whoever needs it later finds it.
BLAS = "scipy.linalg.cython_blas"
hidden = BLAS not in sys.modules
if hidden:
    sys.modules[BLAS] = None  # type: ignore[assignment]

import numba  # noqa: E402
import numba.np.arraymath  # noqa: E402
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator  # noqa: E402
from numba.extending import register_jitable  # noqa: E402

if hidden:
    del sys.modules[BLAS]

# Who imported Numba before us, a notebook for instance, had it read the variable before it was set.
numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]


PROCESS = uuid.uuid4().hex[:12]
"""Names this process among those that share the folder."""


class OneFolder(CompileResultCacheImpl):  # type: ignore[misc]
    """Where compiled code may lie: in the folder named above and nowhere else.

    Numba would fall back to `__pycache__` beside the source when that folder cannot be written; no digest guards it.
    """

    _locator_classes: ClassVar = [UserProvidedCacheLocator]


class ForgivingCache(FunctionCache):  # type: ignore[misc]
    """A kernel cache that recompiles when its files are damaged or cannot be written.

    Numba raises on a truncated index (a process killed while writing, a full disk). A cache may cost time, never an
    answer.
    """

    _impl_class = OneFolder

    def __init__(self, function: Any) -> None:
        """Numba numbers the files of a function's types 1, 2, …: two processes that compile it for different types at
        the same moment would take the same name, and one would run the other's code. Here each process has names of
        its own; what one of them loses in the index is compiled again."""
        super().__init__(function)
        self._cache_file._data_name_pattern = f"{self._impl.filename_base}.{PROCESS}-{{number:d}}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Compiled code for `sig`, or None (compile again) when there is none or the files are damaged."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            try:
                self.flush()
            except OSError:
                pass
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store compiled code; when the folder cannot be written, go on without.

        Code for a named tuple of somebody else's is not kept: other processes could not read the index that names it.
        """
        if not all(map(at_home, getattr(sig, "args", sig))):
            return
        try:
            super().save_overload(sig, data)
        except OSError as fault:
            warnings.warn(f"compiled kernels are not kept: {fault}", RuntimeWarning, stacklevel=2)
        except Exception:  # a damaged index raises anything
            self.flush()


def at_home(kind: Any) -> bool:
    """Whether every process of this package knows a type: no part of it is a named tuple from elsewhere."""
    named = getattr(kind, "instance_class", None)
    if named is not None and named.__module__.partition(".")[0] != PACKAGE.name:
        return False
    return all(map(at_home, getattr(kind, "types", ())))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function`: serial, without the GIL, cached. It must allocate nothing: arrays come in and are written
    in place.

    That is what makes kernels fast here. Dice and tables travel as named tuples of arrays; with Numba's reference
    counts each look at such an array costs two locked instructions, which made an exchange ten times slower
    (measured), so counting is off.
    """
    return cached(function, _nrt=False)


def builder(function: Callable[..., Any]) -> Any:
    """Compile `function` as `kernel` does, but let it allocate: for tables built once."""
    return cached(function)


def cached(function: Callable[..., Any], **options: Any) -> Any:
    """Compile `function` with a forgiving cache. Division never raises: the check would keep it inside every loop."""
    dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if hasattr(dispatcher, "enable_caching"):  # a plain function when NUMBA_DISABLE_JIT is set
        try:
            dispatcher._cache = ForgivingCache(function)
        except RuntimeError:
            pass  # the folder cannot be written: compile anew in every process
    return dispatcher


def unkept(function: Callable[..., Any]) -> Any:
    """Compile `function` as `kernel` does, for this process alone: for functions of users, which may come from a
    notebook and call what no digest guards. Indices are checked."""
    return numba.njit(nogil=True, error_model="numpy", boundscheck=True, _nrt=False)(function)


INLINE = {"forceinline": True, "error_model": "numpy", "_nrt": False}
"""Options of helpers and of questions: woven into the kernel that calls them."""

APART = {"error_model": "numpy", "_nrt": False}
"""Options of helpers that stay calls, because they are large and rarely taken, or called from many places."""


def inline(function: F) -> F:
    """Let kernels weave in a small helper. Called from Python it stays the plain function: nothing is compiled for a
    single number."""
    woven: F = register_jitable(**INLINE)(function)
    return woven


def apart(function: F) -> F:
    """Let kernels call a helper that stays a call. Called from Python it stays the plain function."""
    called: F = register_jitable(**APART)(function)
    return called
