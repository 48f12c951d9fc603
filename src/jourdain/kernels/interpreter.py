"""Kernels in the interpreter: with JOURDAIN_JIT=off (or NUMBA_DISABLE_JIT=1) in the environment nothing is compiled.

Every kernel is then the Python function that stands in its file, so that a debugger steps through a simulation. What
compiled code knows by an address (functions in arrays of a run, records of other models) is found here by a number that
stands for it. Some hundred times slower; results agree to rounding, since the compiler may contract products and sums.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import os
import sys
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numba import config
from numba.extending import intrinsic

OFF = ("off", "0", "no", "false")
INTERPRETED = bool(config.DISABLE_JIT) or os.environ.get("JOURDAIN_JIT", "").strip().lower() in OFF
"""Whether kernels run in the interpreter."""

_NUMBERS = itertools.count(1)
_NUMBERED: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def number_of(thing: Any) -> int:
    """A number that stands for an object where compiled code has an address."""
    number = next(_NUMBERS)
    _NUMBERED[number] = thing
    return number


def numbered(number: int) -> Any:
    """The object that a number stands for."""
    return _NUMBERED[int(number)]


class PlainOverload:
    """A kernel for types of arguments, as `compiler.Overload` is one: here the function itself, whose arithmetic goes
    on with infinities as compiled code does."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.kernel = function
        self.address = number_of(self)

    @property
    def python(self) -> PlainOverload:
        """What Python calls."""
        return self

    def ready(self, features: frozenset[str]) -> PlainOverload:
        """Nothing has to be compiled."""
        return self

    def __call__(self, *arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return self.kernel(*arguments)

    def __repr__(self) -> str:
        return f"<{self.kernel.__name__}, interpreted>"


def is_complex(value: Any) -> bool:
    """Whether an argument of a kernel is complex: a number, an array, or a record of complex arrays."""
    if hasattr(value, "dtype"):
        return bool(value.dtype.kind == "c")
    return isinstance(value, complex) or getattr(value, "is_complex", False)


def plain_kernel(function: Callable[..., Any]) -> Any:
    """A kernel as it was written, with the attributes that others ask of one."""
    overloads: list[PlainOverload] = []

    def overload(arguments: tuple[Any, ...]) -> PlainOverload:
        if not overloads:
            overloads.append(PlainOverload(getattr(sys.modules.get(function.__module__), function.__name__, function)))
        return overloads[0]

    def of_complex(other: Callable[..., Any]) -> Callable[..., Any]:
        # the function itself is left as it is; its module gives the one that chooses from now on
        @functools.wraps(function)
        def chosen(*arguments: Any) -> Any:
            return (other if any(map(is_complex, arguments)) else function)(*arguments)

        setattr(sys.modules[function.__module__], function.__name__, chosen)
        return chosen

    function.py_func = function  # type: ignore[attr-defined]
    function.overload = overload  # type: ignore[attr-defined]
    function.entry = lambda: overload(())  # type: ignore[attr-defined]
    function.ready = lambda features=(): overload(())  # type: ignore[attr-defined]
    function.of_complex = of_complex  # type: ignore[attr-defined]
    return function


def interpreted_as(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """An intrinsic of Numba's whose Python twin is `plain`."""
    return lambda typed: plain if INTERPRETED else intrinsic(typed)


def call_at(address: int, *arguments: Any) -> int:
    """Calls the C function at an address, which returns int64: of int64, doubles, and arrays of doubles."""
    kinds = {int: ctypes.c_int64, float: ctypes.c_double}
    given: list[Any] = []
    types: list[Any] = []
    for one in arguments:
        array = isinstance(one, np.ndarray)
        types.append(ctypes.c_void_p if array else kinds[type(one)])
        given.append(one.ctypes.data if array else one)
    return int(ctypes.CFUNCTYPE(ctypes.c_int64, *types)(int(address))(*given))


def members(record: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    """What a record holds besides its members: whether it is complex, and the numbers that stand for it."""
    complex_too = any(isinstance(one, np.ndarray) and one.dtype.kind == "c" for one in named.values())
    number = number_of(record)
    return {"is_complex": complex_too, **{f"address_{record.name}{c}": number for c in ("", "c")}}
