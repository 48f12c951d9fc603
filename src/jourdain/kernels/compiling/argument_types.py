"""Types of arguments, found cheaply; features of the models among them; the result of an optional kernel."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..fixed_size import fixed_size_type
from ..records import Record, typeof_record
from .numba_private import types

TYPE_FLAGS = 0x1 | 0x2 | 0x100 | 0x400
"""Flags of an array that its type has: contiguous, in either order, aligned, writeable (ndarraytypes.h)."""


def kind_of(argument: Any) -> Any:
    """A key of the Numba type of an argument, at a hundredth of the cost of asking Numba; None where there is none."""
    cls = type(argument)
    if cls is np.ndarray:
        return argument.dtype, argument.ndim, argument.flags.num & TYPE_FLAGS
    if issubclass(cls, Record):
        return typeof_record(argument)
    return cls if cls in (float, int, bool) else None


def features_of(arguments: Iterable[Any]) -> frozenset[str]:
    """Features of the models among arguments."""
    return frozenset().union(*(getattr(one, "features", ()) for one in arguments))


def has_complex(arguments: tuple[Any, ...]) -> bool:
    """Whether there are complex numbers among arguments."""
    return any(getattr(one, "complex", False) is True or "complex128" in one.name for one in arguments)


def optional_result(returns: Any, arguments: tuple[Any, ...]) -> Any:
    """The type that an optional kernel returns: of complex numbers where its arguments have some."""
    if returns is None:
        return types.none
    scalar = types.complex128 if has_complex(arguments) else types.float64

    def one(kind: Any) -> Any:
        if kind is int:
            return types.int64
        if isinstance(kind, type):
            return fixed_size_type(kind, scalar)
        return types.UniTuple(scalar, kind) if kind > 1 else scalar

    return types.BaseTuple.from_types(tuple(map(one, returns))) if isinstance(returns, tuple) else one(returns)


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Lets Python look for garbage less often: compiling makes many small objects, a sixth of its time went there."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
