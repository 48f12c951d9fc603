"""Arrays that begin at computed places, by names: the data of bodies with internal coordinates.

    class NodalBody(BodyData):
        nodes: int  # N
        first: Integers[int]  # (N + 1,) first coordinate of each node
        places: Floats[Vec3]  # (N,) of the nodes [m]
        cable: FloatsRow[CableSection]

    nodal_data = body_data(NodalBody)
    body = nodal_data(model.integers, at, model.floats, of)
    body.places[body.first[a]] + x @ body.cable.EI

The row is at the beginning of a body's whole numbers. An array of it is one whole number: where that begins, counted
from the beginning of the body's whole numbers or of its floats. `Values` are numbers, values or rows one behind the
other, `values_at(Vec3)(array, at)` those of any array of one dimension; `x[k]` reads and writes one, `x[k:]` begins at
another one. They have no length, and nobody looks whether an index is in range.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from llvmlite import ir
from numba.extending import lower_builtin, register_model, type_callable

from .algebra import Motion, Sym3, Vec3, Wrench
from .arrays import ARRAY_DATA, WORD, KernelArray
from .compiling.numba_private import models, signature_of, types
from .fixed_size import CLASSES, fixed_size_type
from .rows import READERS, ArrayKind, Row, RowType, load_number, load_value, place_in, row_type_named, store_value

T = TypeVar("T")


class Values:
    """What of a kind (float, int, a class of values or of rows) follows in an array from a place on."""

    __slots__ = ("array", "first", "kind")

    def __init__(self, array: np.ndarray, first: int, kind: Any) -> None:
        self.array, self.first, self.kind = array, int(first), kind

    @property
    def size(self) -> int:
        """How many numbers one has."""
        return size_of(self.kind)

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return Values(self.array, self.first + k.start * self.size, self.kind)
        at = self.first + int(k) * self.size
        if self.kind in (float, int):
            return self.array[at]
        numbers = self.array[at : at + self.size]
        return self.kind(numbers) if issubclass(self.kind, Row) else self.kind.of(numbers)

    def __setitem__(self, k: int, value: Any) -> None:
        at = self.first + int(k) * self.size
        if self.kind in (float, int):
            self.array[at] = value
        else:
            self.array[at : at + self.size] = tuple(value)


def size_of(kind: Any) -> int:
    """How many numbers one of a kind has."""
    return 1 if kind in (float, int) else kind.size


class Integers(ArrayKind, Generic[T]):
    """`Integers[int]` or `Integers[Row]` in the data of a body: an array among its whole numbers."""

    size, whole = 1, True

    def __init__(self, of: Any) -> None:
        self.of = of

    if TYPE_CHECKING:
        array: np.ndarray
        first: int

        def __getitem__(self, k: Any) -> Any: ...

    else:

        def __class_getitem__(cls, of: Any) -> Any:
            return cls if isinstance(of, TypeVar) else cls(of)

    def shown(self, row: BodyData, at: int) -> Any:
        """The field in Python."""
        return Values(row.numbers, row.numbers[at], self.of)

    def type_in(self, row: RowType) -> Any:
        return ValuesType(self.of, types.int64, True)

    def emitted(self, context: Any, builder: Any, typ: RowType, row: Any, at: int) -> Any:
        begin = load_number(context, builder, typ, types.int64, place_in(builder, typ.pointer(builder, row), at))
        return builder.gep(builder.extract_value(row, self.base), [begin], inbounds=True)

    base = 0  # the pointer that it counts from


class Floats(Integers[T]):
    """`Floats[float]`, `Floats[Vec3]` or `Floats[Row]`: an array among its floats."""

    base = 1

    def shown(self, row: BodyData, at: int) -> Any:
        return Values(row.floats, row.numbers[at], self.of)

    def type_in(self, row: RowType) -> Any:
        return ValuesType(self.of, types.float64, True)


class FloatsRow(Floats[T]):
    """`FloatsRow[Row]`: one row among its floats."""

    if TYPE_CHECKING:

        def __getattr__(self, key: str) -> Any: ...

    def shown(self, row: BodyData, at: int) -> Any:
        return self.of(row.floats[row.numbers[at] :][: self.of.size])

    def type_in(self, row: RowType) -> Any:
        return RowType(self.of, False, True)


_CLASSES: dict[str, type[BodyData]] = {}


class BodyData(Row):
    """Base of rows at the beginning of a body's whole numbers."""

    __slots__ = ("floats",)
    if TYPE_CHECKING:
        floats: np.ndarray

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for key, (at, kind, _) in cls.fields.items():
            if isinstance(kind, Integers):
                setattr(cls, key, _array_property(kind, at))
        _CLASSES[cls.__name__] = cls

    def __init__(self, numbers: np.ndarray, floats: np.ndarray | None = None) -> None:
        super().__init__(numbers)
        object.__setattr__(self, "floats", np.zeros(0) if floats is None else floats)

    def lay(self, **places: int) -> None:
        """Says where arrays begin."""
        for key, at in places.items():
            self.numbers[self.fields[key].first] = at


def _array_property(kind: Integers, at: int) -> property:
    """An array in Python; where it begins is written."""
    return property(lambda self: kind.shown(self, at), lambda self, value: self.numbers.__setitem__(at, value))


# ---------------------------------------------------------------------- types


LETTERS = {types.int64: "i", types.float64: "f", types.complex128: "c"}


class ValuesType(RowType):
    """The Numba type of `Values`: a pointer to the first number."""

    def __init__(self, kind: Any, dtype: Any, readonly: bool) -> None:
        self.kind, self.dtype, self.readonly, self.complex = kind, dtype, readonly, dtype is types.complex128
        self.cls: Any = kind if kind not in (float, int) and issubclass(kind, Row) else Values
        types.Type.__init__(self, f"*{LETTERS[dtype]}{kind.__name__}{'!' * readonly}")

    @property
    def entry(self) -> Any:
        """Numba type of one of them."""
        if self.kind in (float, int):
            return self.dtype
        if self.cls is Values:
            return fixed_size_type(self.kind, self.dtype)
        return RowType(self.kind, self.complex, self.readonly)

    def field_type(self, key: str) -> Any:
        return None


class BodyDataType(RowType):
    """The Numba type of the data of a body: pointers to its whole numbers and to its floats."""

    def __init__(self, cls: type[BodyData]) -> None:
        super().__init__(cls, False, True)
        self.name = f"&{cls.__name__}"

    def pointer(self, builder: Any, row: Any) -> Any:
        return builder.extract_value(row, 0)


def _read_values(name: str) -> ValuesType:
    dtype = next(one for one, letter in LETTERS.items() if letter == name[1])
    word = name[2:].removesuffix("!")
    kind = {"float": float, "int": int}.get(word) or CLASSES.get(word) or row_type_named(word).cls
    return ValuesType(kind, dtype, name.endswith("!"))


READERS["*"] = _read_values
READERS["&"] = lambda name: BodyDataType(_CLASSES[name[1:]])


@register_model(ValuesType)
class ValuesModel(models.PrimitiveModel):
    """One pointer."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, dmm.lookup(fe_type.dtype).get_data_type().as_pointer())


@register_model(BodyDataType)
class BodyDataModel(models.StructModel):
    """Two pointers."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        kinds = (types.int64, types.float64)
        super().__init__(dmm, fe_type, [(f"p{k}", types.CPointer(one)) for k, one in enumerate(kinds)])


# ---------------------------------------------------------------------- in kernels


def values_at(kind: Any) -> Callable[..., Any]:
    """A function that gives the `Values` of a kind from a place on in an array of one dimension, or in other values."""

    def values_of(array: Any, at: Any) -> Any:
        if isinstance(array, Values):
            return Values(array.array, array.first + at * array.size, kind)
        return Values(array, at, kind)

    @type_callable(values_of)
    def typing(context: Any) -> Callable[..., Any]:
        def typer(array: Any, at: Any) -> Any:
            flat = isinstance(array, KernelArray) and array.ndim == 1
            if not (flat or isinstance(array, ValuesType)) or not isinstance(at, types.Integer):
                return None
            readonly = not array.mutable if flat else array.readonly
            return signature_of(ValuesType(kind, array.dtype, readonly), array, at)

        return typer

    @lower_builtin(values_of, KernelArray, types.Integer)
    def lowering(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _moved(context, builder, sig, builder.extract_value(args[0], ARRAY_DATA), args[1], 1)

    @lower_builtin(values_of, ValuesType, types.Integer)
    def lowering_again(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _moved(context, builder, sig, args[0], args[1], size_of(sig.args[0].kind))

    return values_of


def _moved(context: Any, builder: Any, sig: Any, first: Any, index: Any, size: int) -> Any:
    """A pointer so many entries on."""
    index = context.cast(builder, index, sig.args[1], types.int64)
    return builder.gep(first, [builder.mul(index, ir.Constant(WORD, size), flags=["nsw"])], inbounds=True)


@type_callable(operator.getitem)
def type_entry(context: Any) -> Callable[..., Any]:
    def typer(values: Any, index: Any) -> Any:
        if not isinstance(values, ValuesType):
            return None
        if isinstance(index, types.SliceType):
            return signature_of(values, values, index)
        return signature_of(values.entry, values, index) if isinstance(index, types.Integer) else None

    return typer


@lower_builtin(operator.getitem, ValuesType, types.Integer)
def get_entry(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    place = _moved(context, builder, sig, args[0], args[1], size_of(kind.kind))
    if kind.cls is not Values:
        return place
    if kind.kind in (float, int):
        return load_number(context, builder, kind, kind.dtype, place)
    return load_value(context, builder, kind.entry, place, kind.readonly)


@lower_builtin(operator.getitem, ValuesType, types.SliceType)
def get_behind(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    start = context.make_helper(builder, sig.args[1], args[1]).start
    at = builder.mul(start, ir.Constant(WORD, size_of(sig.args[0].kind)), flags=["nsw"])
    return builder.gep(args[0], [at], inbounds=True)


@type_callable(operator.setitem)
def type_written(context: Any) -> Callable[..., Any]:
    def typer(values: Any, index: Any, value: Any) -> Any:
        fits = isinstance(values, ValuesType) and isinstance(index, types.Integer) and not values.readonly
        return signature_of(types.none, values, index, value) if fits else None

    return typer


@lower_builtin(operator.setitem, ValuesType, types.Integer, types.Any)
def set_entry(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    place = _moved(context, builder, sig, args[0], args[1], size_of(kind.kind))
    store_value(context, builder, kind.dtype, place, sig.args[2], args[2])
    return context.get_dummy_value()


def body_data(cls: type[BodyData]) -> Callable[..., Any]:
    """A function that gives the data of a body of whole numbers and floats, each from a place on."""

    def data_of(integers: Any, at: Any, floats: Any, of: Any) -> Any:
        return cls(integers[at:], floats[of:])

    @type_callable(data_of)
    def typing(context: Any) -> Callable[..., Any]:
        def typer(integers: Any, at: Any, floats: Any, of: Any) -> Any:
            return signature_of(BodyDataType(cls), integers, at, floats, of)

        return typer

    @lower_builtin(data_of, KernelArray, types.Integer, KernelArray, types.Integer)
    def lowering(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        made = context.make_helper(builder, sig.return_type)
        for k in range(2):
            at = context.cast(builder, args[2 * k + 1], sig.args[2 * k + 1], types.int64)
            data = builder.gep(builder.extract_value(args[2 * k], ARRAY_DATA), [at], inbounds=True)
            setattr(made, f"p{k}", data)
        return made._getvalue()

    return data_of


numbers_at, vectors_at, motions_at, wrenches_at = map(values_at, (float, Vec3, Motion, Wrench))
symmetrics_at = values_at(Sym3)
