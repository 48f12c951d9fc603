"""Types of the arguments of entry points, as their annotations say them.

    @entry_point
    def mass_matrix(model: ModelArrays, ws: Workspace, q: Vector, out: Matrix) -> None:

Arrays are contiguous. `float` is float64, `int` int64; records stand under their names. What each array holds, in which
shape and units, the docstring says.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import numpy as np

from .arrays import KernelArray
from .compiling.numba_private import types
from .records import Record, record_type


class ArrayOf(NamedTuple):
    """What an annotation says of an array besides that it is one."""

    dtype: Any
    ndim: int
    readonly: bool = False


Vector = Annotated[np.ndarray, ArrayOf(types.float64, 1)]
Constants = Annotated[np.ndarray, ArrayOf(types.float64, 1, readonly=True)]
Matrix = Annotated[np.ndarray, ArrayOf(types.float64, 2)]
Cube = Annotated[np.ndarray, ArrayOf(types.float64, 3)]
Integers = Annotated[np.ndarray, ArrayOf(types.int64, 1)]
IntegerMatrix = Annotated[np.ndarray, ArrayOf(types.int64, 2)]
IntegerConstants = Annotated[np.ndarray, ArrayOf(types.int64, 1, readonly=True)]
ComplexVector = Annotated[np.ndarray, ArrayOf(types.complex128, 1)]
Bytes = Annotated[np.ndarray, ArrayOf(types.uint8, 2)]
Singles = Annotated[np.ndarray, ArrayOf(types.float32, 2)]
Vec3 = tuple[float, float, float]
Mat3 = tuple[float, float, float, float, float, float, float, float, float]
COMPLEX = "complex"
"""Metadata of a record whose numbers are complex: `Annotated[Workspace, COMPLEX]`."""

SCALARS = {float: types.float64, int: types.int64, bool: types.boolean, complex: types.complex128}


def numba_type(annotation: Any, complex_too: bool = False) -> Any:
    """The Numba type that an annotation means; `complex_too`: arrays and records of complex numbers instead."""
    if annotation in (None, type(None)):
        return types.none
    if annotation in SCALARS:
        return SCALARS[annotation]
    if typing.get_origin(annotation) is tuple:
        return types.BaseTuple.from_types(tuple(numba_type(one, complex_too) for one in typing.get_args(annotation)))
    if typing.get_origin(annotation) is Annotated:
        base, stated = typing.get_args(annotation)
        if isinstance(stated, ArrayOf):
            wide = complex_too and stated.dtype == types.float64
            return KernelArray(types.complex128 if wide else stated.dtype, stated.ndim, stated.readonly)
        return record_type(base, stated == COMPLEX)
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return record_type(annotation, complex_too and annotation.complexes)
    if isinstance(annotation, type) and issubclass(annotation, tuple):
        hints = typing.get_type_hints(annotation, include_extras=True).values()
        return types.BaseTuple.from_types(tuple(numba_type(one, complex_too) for one in hints), annotation)
    raise TypeError(f"{annotation!r} is no type of an argument of a kernel")


def signature(function: Callable[..., Any], complex_too: bool = False) -> tuple[Any, tuple[Any, ...]]:
    """Types of the result and of the arguments of a function, from its annotations."""
    hints = typing.get_type_hints(function, include_extras=True)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    bare = [name for name in (*names, "return") if name not in hints]
    if bare:
        raise TypeError(f"{function.__module__}:{function.__name__}: no annotation of {', '.join(bare)}")
    found = {name: numba_type(one, complex_too) for name, one in hints.items()}
    return found["return"], tuple(found[name] for name in names)
