"""How kernels are compiled: once per machine where a cache can be kept, without the lock.

numba keeps compiled code beside the module (or in the user's cache directory) and looks it up
by that module's own date and size. A kernel also contains what it calls in other modules, so
its code would go stale unnoticed when one of those changes, or when an upgrade leaves dates as
they were. So the stamp under which code is kept is a digest of *all* the kernels' sources.

**Why the search loop stands more than once** (`decade.one_stack`, `decade.stacks`,
`klondike.search`): one loop for all would take a game's steps as an argument. numba compiles a
function that is given functions, or is made by one (a closure), anew in every process: what it
keeps on disk is found by the module and line of a plain function, and closures miss it. That is
ten to twenty seconds before each first search. So each loop is written out beside the positions
that it goes through; what drives them (`driver`), their tables and their registers stand once.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from numba import njit

from solver.kernels import tell_compiling


def sources_digest(folder: Path) -> str:
    """A digest of the names and contents of all modules in *folder*."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(
            path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
        )
    return digest.hexdigest()


WAITS: Final = {
    "solver.kernels.klondike.search": ("the klondike search", 10),
    "solver.kernels.klondike.packs_search": ("the search of several packs", 15),
    "solver.kernels.klondike.playouts": ("klondike's random play", 2),
    "solver.kernels.decade.one_stack": ("the decade search", 4),
    "solver.kernels.decade.stacks": ("the search of several stacks", 7),
    "solver.kernels.pairing": ("the pairing search", 2),
}
"""By module: what is compiled, and about how many seconds a first command spends on it."""


try:
    STAMP = sources_digest(Path(__file__).parent)
except OSError:  # sources that cannot be read as files
    STAMP = ""


def piece(function: Callable[..., Any]) -> Any:
    """A function that compiled code calls, kept as kernels are: it is compiled once for all.

    (What Python needs to call it stays: without it a call from Python ends the process.)
    """
    return _compiled(function)


def compiled(function: Callable[..., Any]) -> Any:
    """Compile *function* on first use; cached if there is somewhere to keep it."""
    return _compiled(function, nogil=True)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    options["no_cfunc_wrapper"] = True  # nobody in C calls them
    if STAMP:
        try:
            kernel: Any = njit(cache=True, **options)(function)
            kernel._cache._cache_file._source_stamp = STAMP
            kernel._cache.save_overload = _forgiving(kernel._cache.save_overload)
            kernel._cache.load_overload = _telling(kernel._cache.load_overload, function.__module__)
        except (RuntimeError, AttributeError, OSError):
            pass  # no place to keep it, or a numba that keeps it otherwise
        else:
            return kernel
    _tell(function.__module__, kept=False)
    return njit(**options)(function)


def _tell(module: str, *, kept: bool) -> None:
    if module in WAITS:
        tell_compiling(*WAITS[module], kept)


def _forgiving(save: Callable[..., None]) -> Callable[..., None]:
    """*save*, but a disk that is full or has become read-only only costs the cache."""

    def keep(*arguments: Any) -> None:
        with contextlib.suppress(OSError):
            save(*arguments)

    return keep


def _telling(load: Callable[..., Any], module: str) -> Callable[..., Any]:
    """*load*, but where nothing was kept the user is told of the compiling that follows."""

    def look(*arguments: Any) -> Any:
        found = load(*arguments)
        if found is None:
            _tell(module, kept=True)
        return found

    return look
