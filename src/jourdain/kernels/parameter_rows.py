"""Parameters of laws by name: a row of numbers, and blocks of run-time length behind it.

    class ServoParameters(Parameters):
        q: Block[int]  # entries of the joints
        kp: Block[float]  # [N m/rad]
        reference: Block[Profile]
        feedforward: int

Parameters are floats, p of a law. `law = ServoParameters(p)` reads them, in kernels and in Python: `law.feedforward` is
a number, `law.kp[i]` and `q[law.q[i]]` are entries of blocks, `law.reference[i]` is a row, `len(law.q)` how many there
are. `Part[Profile]` is one row within another. A block takes two numbers of the row that has it: how far from the
beginning of that row its own begin, and how many they are; of a matrix they lie row by row.
`ServoParameters.packed(q=..., kp=..., reference=[{"code": 0, "data": ...}])` lays all of it out.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
from numba.extending import lower_builtin, register_model, type_callable

from .arrays import ARRAY_DATA, KernelArray, filled
from .compiling.numba_private import models, signature_of, types
from .rows import ArrayKind, Row, RowType, TableType, emitted_table, load_number, place_in

T = TypeVar("T")


class Parameters(Row):
    """Base of rows of parameters, which are floats whatever their fields are: whole numbers and truths too."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.whole = False

        def typing(context: Any) -> Callable[..., Any]:
            def typer(array: Any) -> Any:
                fits = isinstance(array, KernelArray) and array.ndim == 1
                kind = RowType(cls, array.dtype is types.complex128, not array.mutable) if fits else None
                return signature_of(kind, array) if fits else None

            return typer

        def lowering(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.extract_value(args[0], ARRAY_DATA)

        type_callable(cls)(typing)
        lower_builtin(cls, KernelArray)(lowering)

    @classmethod
    def packed(cls, **given: Any) -> np.ndarray:
        """Parameters by the names of their fields; what is not given is zero, or empty.

        A block takes an array, whose numbers follow each other row by row, or of rows a dict for each.
        """
        numbers = [0.0] * cls.size
        _fill(numbers, 0, cls, given)
        return np.array(numbers)

    def place(self, key: str) -> int:
        """Where a block begins in the numbers."""
        return int(self.numbers[self.fields[key].first])


def _fill(numbers: list[float], at: int, cls: type[Row], given: dict[str, Any]) -> None:
    """Writes a row that begins at `at`, and its blocks behind all that is there."""
    for key, value in given.items():
        if key not in cls.fields:
            raise TypeError(f"{cls.__name__} has no {key}; it has {', '.join(cls.fields)}")
        first, kind, size = cls.fields[key]
        place = at + first
        if isinstance(kind, Part):
            _fill(numbers, place, kind.of, value)
            continue
        if not isinstance(kind, Block):
            numbers[place : place + size] = np.broadcast_to(np.ravel(np.asarray(value, float)), size).tolist()
            continue
        begin = len(numbers)
        if isinstance(kind.of, type) and issubclass(kind.of, Row):
            listed = list(value)
            numbers += [0.0] * (kind.of.size * len(listed))
            for i, one in enumerate(listed):
                _fill(numbers, begin + kind.of.size * i, kind.of, one)
            count = len(listed)
        else:
            numbers += np.ravel(np.asarray(value, float)).tolist()
            count = len(numbers) - begin
        numbers[place : place + 2] = float(begin - at), float(count)


class Block(ArrayKind, Generic[T]):
    """`Block[int]`, `Block[float]` or `Block[Profile]` in a row: as many as there are, behind it."""

    size = 2

    def __init__(self, of: Any) -> None:
        if of not in (float, int) and not issubclass(of, Parameters):
            raise TypeError(f"a block of {of}; give float, int or a class of parameters")
        self.of = of

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, i: int) -> T: ...

        @overload
        def __getitem__(self, i: slice) -> Any: ...

        def __getitem__(self, i: Any) -> Any: ...

        def __len__(self) -> int: ...

        def __getattr__(self, key: str) -> Any:
            """What an array has besides."""

    else:

        def __class_getitem__(cls, of: Any) -> Any:
            return cls(of)

    def view(self, numbers: np.ndarray, at: int) -> Any:
        begin, count = int(numbers[at].real), int(numbers[at + 1].real)
        if self.of is float:
            return numbers[begin : begin + count]
        if self.of is int:
            return numbers[begin : begin + count].real.astype(int)
        size = self.of.size
        return [self.of(numbers[begin + size * i :]) for i in range(count)]

    def type_in(self, row: RowType) -> Any:
        if self.of is float:
            return KernelArray(row.dtype, 1, row.readonly)
        return IndicesType(row) if self.of is int else TableType(self.of, row.complex, row.readonly)

    def emitted(self, context: Any, builder: Any, typ: RowType, row: Any, at: int) -> Any:
        begin, count = (
            load_number(context, builder, typ, types.int64, place_in(builder, row, at + k)) for k in range(2)
        )
        first = builder.gep(row, [begin], inbounds=True)
        kind = self.type_in(typ)
        if self.of is float:
            return filled(context, builder, kind, first, [count])
        return emitted_table(context, builder, kind, first, count)


class Part(ArrayKind, Generic[T]):
    """`Part[Profile]` in a row: a row within it, with blocks of its own."""

    def __init__(self, of: type[Parameters]) -> None:
        self.of, self.size = of, of.size

    if TYPE_CHECKING:

        def __getattr__(self, key: str) -> Any: ...

    else:

        def __class_getitem__(cls, of: Any) -> Any:
            return cls(of)

    def view(self, numbers: np.ndarray, at: int) -> Any:
        return self.of(numbers[at:])

    def type_in(self, row: RowType) -> Any:
        return RowType(self.of, row.complex, row.readonly)

    def emitted(self, context: Any, builder: Any, typ: RowType, row: Any, at: int) -> Any:
        return place_in(builder, row, at)


class IndicesType(types.Type):
    """The Numba type of a block of whole numbers: where they begin, kept as floats, and how many they are."""

    def __init__(self, row: RowType) -> None:
        self.row = row
        super().__init__(f"indices of {row.name}")


@register_model(IndicesType)
class IndicesModel(models.StructModel):
    """A pointer and a number."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, [("first", fe_type.row), ("count", types.int64)])


@type_callable(operator.getitem)
def type_index(context: Any) -> Callable[..., Any]:
    def typer(block: Any, i: Any) -> Any:
        fits = isinstance(block, IndicesType) and isinstance(i, types.Integer)
        return signature_of(types.int64, block, i) if fits else None

    return typer


@lower_builtin(operator.getitem, IndicesType, types.Integer)
def get_index(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    block, i = sig.args
    at = context.cast(builder, args[1], i, types.int64)
    place = builder.gep(builder.extract_value(args[0], 0), [at], inbounds=True)
    return load_number(context, builder, block.row, types.int64, place)


@type_callable(len)
def type_count(context: Any) -> Callable[..., Any]:
    return lambda block: signature_of(types.int64, block) if isinstance(block, IndicesType) else None


@lower_builtin(len, IndicesType)
def get_count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.extract_value(args[0], 1)
