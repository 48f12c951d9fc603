"""Arrays inside kernels: contiguous, handed on by their address and shape alone, and never indexed from their end.

Numba hands an array of one dimension from function to function as seven numbers, looks at every index whether it is
negative, and does not know that what is read-only does not change. A `KernelArray` is the same array without these.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.extending import lower_builtin, lower_cast, register_model

from .compiling.numba_private import (
    cgutils,
    generic_operation,
    models,
    types,
)

WORD = ir.IntType(64)
SIZES = {types.int8: 1, types.complex128: 16}
"""Bytes of an entry; of other kinds eight."""


class KernelArray(types.Array):
    """The Numba type of a contiguous array in a kernel."""

    def __init__(self, dtype: Any, ndim: int, readonly: bool = False) -> None:
        name = f"{'const ' * readonly}{dtype}[{','.join(':' * ndim)}]"
        super().__init__(dtype, ndim, "C", readonly=readonly, name=name)

    @property
    def key(self) -> Any:
        return (KernelArray, self.dtype, self.ndim, self.mutable)

    def copy(self, dtype: Any = None, ndim: Any = None, layout: Any = None, readonly: Any = None) -> Any:
        """A view of it, of this kind as long as it is contiguous."""
        dtype, ndim = dtype or self.dtype, self.ndim if ndim is None else ndim
        readonly = not self.mutable if readonly is None else readonly
        if (layout or "C") == "C":
            return KernelArray(dtype, ndim, readonly)
        return types.Array(dtype, ndim, layout, readonly=readonly)


def kernel_array(kind: Any) -> Any:
    """The type of an array as kernels take it; others, with strides, stay as they are."""
    if type(kind) is types.Array and kind.layout == "C" and kind.ndim > 0:
        return KernelArray(kind.dtype, kind.ndim, not kind.mutable)
    return kind


def _extents(builder: Any, kind: Any, shape: list[Any]) -> tuple[Any, list[Any]]:
    """Number of entries, and the strides [bytes], of an array of this shape."""
    size = ir.Constant(WORD, SIZES.get(kind.dtype, 8))
    items, steps = shape[-1], [size]
    for extent in reversed(shape[:-1]):
        steps.insert(0, builder.mul(size, items, flags=["nsw"]))
        items = builder.mul(items, extent, flags=["nsw"])
    return items, steps


def filled(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any]) -> Any:
    """An array from its address and shape."""
    return context.data_model_manager[kind].from_argument(builder, (data, shape))


ARRAY_DATA, ARRAY_SHAPE = 4, 5
"""Where these stand among the fields that Numba has of an array."""


@register_model(KernelArray)
class KernelArrayModel(models.ArrayModel):
    """As Numba has it within a function; between functions, its address and shape."""

    def get_argument_type(self) -> Any:
        data, shape = self._models[ARRAY_DATA], self._models[ARRAY_SHAPE]
        return data.get_argument_type(), shape.get_argument_type()

    def as_argument(self, builder: Any, value: Any) -> Any:
        data, shape = self._models[ARRAY_DATA], self._models[ARRAY_SHAPE]
        return (
            data.as_argument(builder, self.get(builder, value, ARRAY_DATA)),
            shape.as_argument(builder, self.get(builder, value, ARRAY_SHAPE)),
        )

    def from_argument(self, builder: Any, value: Any) -> Any:
        data, shape = value[0], list(value[1])
        items, steps = _extents(builder, self.fe_type, shape)
        size = ir.Constant(WORD, SIZES.get(self.fe_type.dtype, 8))
        nothing = [ir.Constant(model.get_value_type(), None) for model in self._models[:2]]
        packed = [cgutils.pack_array(builder, numbers) for numbers in (shape, steps)]
        struct = ir.Constant(self.get_value_type(), ir.Undefined)
        for place, part in enumerate([*nothing, items, size, data, *packed]):
            struct = self.set(builder, struct, part, place)
        return struct


@lower_cast(types.Array, KernelArray)
@lower_cast(KernelArray, types.Array)
@lower_cast(KernelArray, KernelArray)
def same_array(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    """Numba's struct of both is the same."""
    return value


@lower_cast(types.BaseNamedTuple, types.BaseNamedTuple)
def same_tuple(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    """One tuple of arrays, with the arrays as kernels have them."""
    parts = [builder.extract_value(value, k) for k in range(len(fromty))]
    kinds = zip(parts, fromty.types, toty.types, strict=True)
    return context.make_tuple(builder, toty, [context.cast(builder, one, had, want) for one, had, want in kinds])


def _place(context: Any, builder: Any, kind: Any, array: Any, index_types: Any, indices: Any) -> Any:
    """Address of an entry; indices are whole numbers, not negative."""
    indices = [context.cast(builder, one, had, types.intp) for one, had in zip(indices, index_types, strict=True)]
    at = indices[0]
    for k, index in enumerate(indices[1:], 1):
        extent = builder.extract_value(array, (ARRAY_SHAPE, k))
        at = builder.add(builder.mul(at, extent, flags=["nsw"]), index, flags=["nsw"])
    return builder.gep(builder.extract_value(array, ARRAY_DATA), [at], inbounds=True)


def _load(context: Any, builder: Any, kind: Any, place: Any) -> Any:
    got = context.unpack_value(builder, kind.dtype, place)
    if not kind.mutable and hasattr(got, "set_metadata"):
        got.set_metadata("invariant.load", builder.module.add_metadata([]))
    return got


@lower_builtin(operator.getitem, KernelArray, types.Integer)
def get_entry(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index = sig.args
    if kind.ndim > 1:
        return generic_operation(context, builder, operator.getitem, sig, args)
    return _load(context, builder, kind, _place(context, builder, kind, args[0], [index], [args[1]]))


@lower_builtin(operator.getitem, KernelArray, types.BaseTuple)
def get_entries(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index = sig.args
    if len(index) != kind.ndim or not all(isinstance(one, types.Integer) for one in index.types):
        return generic_operation(context, builder, operator.getitem, sig, args)
    indices = cgutils.unpack_tuple(builder, args[1], len(index))
    return _load(context, builder, kind, _place(context, builder, kind, args[0], index.types, indices))


@lower_builtin(operator.setitem, KernelArray, types.Integer, types.Any)
def set_entry(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index, value = sig.args
    if kind.ndim > 1:
        return generic_operation(context, builder, operator.setitem, sig, args)
    place = _place(context, builder, kind, args[0], [index], [args[1]])
    context.pack_value(builder, kind.dtype, context.cast(builder, args[2], value, kind.dtype), place)


@lower_builtin(operator.setitem, KernelArray, types.BaseTuple, types.Any)
def set_entries(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index, value = sig.args
    if len(index) != kind.ndim or not all(isinstance(one, types.Integer) for one in index.types):
        return generic_operation(context, builder, operator.setitem, sig, args)
    indices = cgutils.unpack_tuple(builder, args[1], len(index))
    place = _place(context, builder, kind, args[0], index.types, indices)
    context.pack_value(builder, kind.dtype, context.cast(builder, args[2], value, kind.dtype), place)
