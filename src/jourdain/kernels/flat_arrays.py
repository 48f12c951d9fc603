"""Entries of flat arrays at computed places.

Python lets an index be negative and count from the end, so compiled code tests every computed index for that. An index
of an unsigned type needs no test; in loops over a few coordinates the tests took more time than the arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import lower_builtin, type_callable

from .algebra import Motion, Quaternion, Sym3, Vec2, Vec3, Wrench
from .arrays import ARRAY_DATA, KernelArray
from .compiler import kernel
from .compiling.numba_private import signature_of, types
from .fixed_size import FixedSize, FixedSizeType, fixed_size_type, packed, wrapped
from .rows import load_value, store_value


@kernel
def get(a, i):
    """a[i], i not negative."""
    return a[np.uintp(i)]


@kernel
def put(a, i, x):
    """a[i] = x, i not negative."""
    a[np.uintp(i)] = x


@kernel
def accumulate(a, i, x):
    """a[i] += x, i not negative."""
    a[np.uintp(i)] += x


# ---------------------------------------------------------------------- values of fixed size


def _reader(cls: type[FixedSize]) -> Callable[..., Any]:
    """A function that reads a value from an array of one dimension, at a place that is not negative."""

    def read(array: Any, at: Any) -> Any:
        return cls.of(array[at : at + cls.size])

    @type_callable(read)
    def typing(context: Any) -> Callable[..., Any]:
        def typer(array: Any, at: Any) -> Any:
            fits = isinstance(array, KernelArray) and array.ndim == 1 and isinstance(at, types.Integer)
            return signature_of(fixed_size_type(cls, array.dtype), array, at) if fits else None

        return typer

    @lower_builtin(read, KernelArray, types.Integer)
    def lowering(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return load_value(
            context, builder, sig.return_type, _address(context, builder, sig, args), not sig.args[0].mutable
        )

    return read


def _address(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Where an entry of an array lies."""
    at = context.cast(builder, args[1], sig.args[1], types.int64)
    return builder.gep(builder.extract_value(args[0], ARRAY_DATA), [at], inbounds=True)


vector_at, quaternion_at, motion_at, wrench_at = map(_reader, (Vec3, Quaternion, Motion, Wrench))
symmetric_at, plane_vector_at = _reader(Sym3), _reader(Vec2)


def put_value(array: Any, at: Any, value: Any) -> None:
    """Writes the numbers of a value into an array of one dimension, from `at` on."""
    array[at : at + value.size] = value.numbers


def add_value(array: Any, at: Any, value: Any) -> None:
    """Adds the numbers of a value to those of an array of one dimension, from `at` on."""
    for k, number in enumerate(value):
        array[at + k] += number


@type_callable(put_value)
@type_callable(add_value)
def type_writer(context: Any) -> Callable[..., Any]:
    def typer(array: Any, at: Any, value: Any) -> Any:
        fits = isinstance(array, KernelArray) and array.ndim == 1 and array.mutable and isinstance(value, FixedSizeType)
        return signature_of(types.none, array, at, value) if fits else None

    return typer


@lower_builtin(put_value, KernelArray, types.Integer, FixedSizeType)
def emit_put(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    store_value(context, builder, sig.args[0].dtype, _address(context, builder, sig, args), sig.args[2], args[2])
    return context.get_dummy_value()


@lower_builtin(add_value, KernelArray, types.Integer, FixedSizeType)
def emit_add(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array, _, kind = sig.args
    place, at = _address(context, builder, sig, args), (context, builder)
    had_kind = fixed_size_type(kind.cls, array.dtype)
    had = wrapped(at, had_kind, load_value(context, builder, had_kind, place, False))
    total = packed(at, had_kind, had + wrapped(at, kind, args[2]))
    store_value(context, builder, array.dtype, place, had_kind, total)
    return context.get_dummy_value()
