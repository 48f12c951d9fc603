"""How a user's compiled function stops a run: what its code calls where an index is outside an array or it fails.

Compiled code that fails returns a code and leaves the address of a pickled exception (Numba's convention), and all that
called it returns too, up to Python, where the exception is raised. Numba's exceptions are constants, ours says which
index of how many entries: it is made here, in Python, by two functions that compiled code calls by their symbols. They
are called once, where a run ends, and take the interpreter's lock. An exported program has neither
(`export.object_code`).
"""

from __future__ import annotations

import ctypes
import hashlib
import math
import pickle
import threading
from collections import deque
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir

from ..basics.errors import LawIndexError

INDEX_OUTSIDE, LAW_STOPPED = "jd_index_outside", "jd_law_stopped"
"""Symbols: (failed, site, index, entries) and (failed, number of the law, time)."""
LONG, DOUBLE, POINTER = ir.IntType(64), ir.DoubleType(), ir.IntType(8).as_pointer()
SIGNATURES = {
    INDEX_OUTSIDE: ir.FunctionType(ir.VoidType(), [POINTER, LONG, LONG, LONG]),
    LAW_STOPPED: ir.FunctionType(ir.VoidType(), [POINTER, LONG, DOUBLE]),
}


class Site(NamedTuple):
    """Where an array is indexed.

    array       its name
    function    in which function
    file, line  where that is written
    """

    array: str
    function: str
    file: str
    line: int


class Stopped(NamedTuple):
    """The last law of a thread that failed.

    law      its name
    time     when [s]; not-a-number where it is not known
    error    where an index was outside
    """

    law: str
    time: float
    error: LawIndexError | None


class _Failure(ctypes.Structure):
    """What Numba has of an exception: pickled (class, arguments, place), its length, its SHA-1, and no more."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("digest", ctypes.c_void_p),
        ("unwrap", ctypes.c_void_p),
        ("dynamic", ctypes.c_int32),
    ]


_SITES: list[Site] = []
_LAWS: list[str] = []
_OUTSIDE: dict[int, tuple[Any, ...]] = {}
_HELD: deque[tuple[Any, ...]] = deque(maxlen=1024)
_STOPPED: dict[int, Stopped] = {}
_CALLBACKS: list[Any] = []


def site_number(site: Site) -> int:
    """The number by which compiled code knows a place."""
    _SITES.append(site)
    return len(_SITES) - 1


def law_number(name: str) -> int:
    """The number by which compiled code knows a law."""
    _LAWS.append(name)
    return len(_LAWS) - 1


def last_stopped(thread: int | None = None) -> Stopped | None:
    """Which law of a thread failed last, once: this thread's own where none is named."""
    return _STOPPED.pop(threading.get_ident() if thread is None else thread, None)


def _leave(failed: int, arguments: tuple[Any, ...]) -> LawIndexError:
    """Leaves an exception where the caller of failing code looks for it."""
    site = _SITES[arguments[0]]
    place = (site.function, site.file, site.line)
    number, index, entries, *more = arguments
    pickled = pickle.dumps((LawIndexError, (*site, index, entries, *more), place))
    data, digest = (
        ctypes.create_string_buffer(pickled, len(pickled)),
        ctypes.create_string_buffer(hashlib.sha1(pickled).digest()),
    )
    failure = _Failure(ctypes.addressof(data), len(pickled), ctypes.addressof(digest), None, 0)
    if len(_HELD) == _HELD.maxlen:
        _OUTSIDE.pop(_HELD[0][0], None)
    _HELD.append((ctypes.addressof(failure), failure, data, digest))
    _OUTSIDE[ctypes.addressof(failure)] = arguments
    ctypes.c_void_p.from_address(failed).value = ctypes.addressof(failure)
    return LawIndexError(*site, index, entries, *more)  # type: ignore[call-arg]


@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
def _index_outside(failed: int, site: int, index: int, entries: int) -> None:
    """An index is outside an array."""
    _leave(failed, (site, index, entries))


@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_double)
def _law_stopped(failed: int, law: int, time: float) -> None:
    """A law has failed, by an index or by what it raised itself."""
    name, error = _LAWS[law], None
    known = _OUTSIDE.pop(ctypes.c_void_p.from_address(failed).value or 0, None)
    if known is not None:
        error = _leave(failed, (*known, name, None if math.isnan(time) else time))
    _STOPPED[threading.get_ident()] = Stopped(name, time, error)


def registered() -> None:
    """Lets compiled code find both functions; once."""
    if not _CALLBACKS:
        for name, function in ((INDEX_OUTSIDE, _index_outside), (LAW_STOPPED, _law_stopped)):
            llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
            _CALLBACKS.append(function)
