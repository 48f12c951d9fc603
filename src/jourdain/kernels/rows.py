"""Rows of tables by the names of their fields, in kernels and in Python, over the memory of a NumPy array.

    class BodyState(Row):
        position: Vec3  # [m]
        acceleration: Motion  # about the origin [rad/s^2, m/s^2]
        contacts: int

    bodies = rows(BodyState)        a field of a record: an array (n, BodyState.size), `ws.bodies[i].position`
    ledger = row(Ledger)            a field of a record: an array (Ledger.size,), `ws.ledger.work_rate`

A field is a number (`float`, `int`, `bool`), a value of `algebra`, or `Annotated[np.ndarray, n]`, n numbers (n whole
ones in a row of such: `Annotated[np.ndarray, n, int]`);
`Annotated[Motion, "U"]` has the numbers of field U, and `Annotated[Motion, "U", 6]` those that come 6 behind its first,
where kinds or algorithms use them for different things. Rows whose
fields are all whole numbers or truths are of int64, others of float64, or of complex128 in a record of complex numbers;
there a whole number is kept as a float. In a kernel a row is one pointer, a field of it a load or a store; what is read
several times is better read once into a variable, since a store in between might have changed it.

In Python `ws.bodies[i].position` is the same, `ws.bodies.columns.position` a view of what the field is in all rows, and
`BodyState.columns.position` the place of the field in a row, for an array of NumPy's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

import numpy as np
from llvmlite import ir
from numba.extending import lower_builtin, register_model, type_callable

from .arrays import ARRAY_DATA, ARRAY_SHAPE, WORD, KernelArray, filled
from .compiling.numba_private import (
    AttributeTemplate,
    infer_getattr,
    lower_getattr_generic,
    lower_setattr_generic,
    make_array,
    models,
    signature_of,
    types,
)
from .fixed_size import Emitted as EmittedNumber
from .fixed_size import FixedSize, fixed_size_type, packed, wrapped


class ArrayKind:
    """A kind of field that is an array: how many numbers of the row it takes, and how it is read; it is not stored."""

    size: int

    def view(self, numbers: np.ndarray, at: int) -> Any:
        """The field in Python, of a row's numbers."""
        raise NotImplementedError

    def type_in(self, row: RowType) -> Any:
        """Its Numba type in a row."""
        raise NotImplementedError

    def emitted(self, context: Any, builder: Any, typ: RowType, row: Any, at: int) -> Any:
        """The field in a kernel, of a pointer to a row."""
        raise NotImplementedError

    def store(self, context: Any, builder: Any, typ: RowType, place: Any, value: Any) -> None:
        """Writes the field in a kernel, where a kind lets that be done."""
        raise TypeError(f"an array in {typ.cls.__name__} is not to be written")


class Numbers(ArrayKind):
    """`Annotated[np.ndarray, n]` in a row: an array of n numbers, which are whole with `int` behind n."""

    def __init__(self, size: int, whole: bool = False) -> None:
        self.size, self.whole = size, whole

    def view(self, numbers: np.ndarray, at: int) -> Any:
        return numbers[at : at + self.size]

    def type_in(self, row: RowType) -> Any:
        return KernelArray(row.dtype, 1, row.readonly)

    def emitted(self, context: Any, builder: Any, typ: RowType, row: Any, at: int) -> Any:
        return filled(context, builder, self.type_in(typ), place_in(builder, row, at), [ir.Constant(WORD, self.size)])


class Span(ArrayKind):
    """`Span` in a row: where something begins and ends in an array, `array[row.states]`."""

    size = 2
    whole = True

    if TYPE_CHECKING:

        def __index__(self) -> int: ...

    def view(self, numbers: np.ndarray, at: int) -> Any:
        return slice(int(numbers[at]), int(numbers[at + 1]))

    def type_in(self, row: RowType) -> Any:
        return types.slice2_type

    def emitted(self, context: Any, builder: Any, typ: RowType, row: Any, at: int) -> Any:
        made = context.make_helper(builder, types.slice2_type)
        made.start, made.stop = (
            load_number(context, builder, typ, types.int64, place_in(builder, row, at + k)) for k in range(2)
        )
        made.step = ir.Constant(WORD, 1)
        return made._getvalue()


class RowField(NamedTuple):
    """A field of a row: where it begins, what it is, how many numbers it has."""

    first: int
    kind: Any
    size: int

    @property
    def place(self) -> Any:
        """Its columns in a table."""
        return self.first if self.kind in (float, int, bool) else slice(self.first, self.first + self.size)


class Row:
    """Base of rows: in Python a view of the numbers of one row.

    fields     by name
    size       how many numbers a row has
    whole      whether they are whole numbers
    columns    where each field is in a row: a number or a slice
    """

    __slots__ = ("numbers",)
    fields: dict[str, RowField] = {}
    size = 0
    whole = False
    columns = SimpleNamespace()

    def __init_subclass__(cls) -> None:
        fields, at = dict(cls.fields), cls.size
        hints = get_type_hints(cls, include_extras=True)
        for key in cls.__dict__.get("__annotations__", {}):
            if hasattr(Row, key):
                raise TypeError(f"{cls.__name__}: no field of a row can be called {key}")
            kind = hints[key]
            # Annotated[np.ndarray, how many numbers]; Annotated[kind, "the field whose numbers it has too", from where]
            over = list(getattr(kind, "__metadata__", ()))
            kind = getattr(kind, "__origin__", kind) if over else kind
            if kind is np.ndarray:
                kind, over = Numbers(over[0], int in over), [one for one in over[1:] if one is not int]
            kind = kind() if isinstance(kind, type) and issubclass(kind, ArrayKind) else kind
            size = 1 if kind in (float, int, bool) else kind.size
            fields[key] = RowField(fields[over[0]].first + sum(over[1:]) if over else at, kind, size)
            setattr(cls, key, _property(fields[key]))
            at += 0 if over else size
        cls.fields, cls.size = fields, at
        cls.whole = bool(fields) and all(
            one.kind in (int, bool) or getattr(one.kind, "whole", False) for one in fields.values()
        )
        cls.columns = SimpleNamespace(**{key: one.place for key, one in fields.items()})
        if _CLASSES.setdefault(cls.__name__, cls).__module__ != cls.__module__:
            raise TypeError(f"two rows are called {cls.__name__}")
        _CLASSES[cls.__name__] = cls

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers

    @classmethod
    def made(cls, **values: Any) -> Any:
        """A row of zeros but for these fields."""
        row = cls(np.zeros(cls.size, np.int64 if cls.whole else float))
        for key, value in values.items():
            setattr(row, key, value)
        return row

    def copy(self) -> Any:
        """The same numbers, in a row of their own."""
        return type(self)(self.numbers.copy())

    def __setattr__(self, key: str, value: Any) -> None:
        if key != "numbers" and key not in self.fields:
            raise AttributeError(f"{type(self).__name__} has no {key}; it has {', '.join(self.fields)}")
        object.__setattr__(self, key, value)

    def __repr__(self) -> str:
        stated = ", ".join(f"{key}={getattr(self, key)}" for key in self.fields)
        return f"{type(self).__name__}({stated})"


_CLASSES: dict[str, type[Row]] = {}


def _property(field: RowField) -> property:
    """A field in Python."""
    at, kind, last = field.first, field.kind, field.first + field.size
    if kind is float:
        return property(lambda self: self.numbers[at], lambda self, value: self.numbers.__setitem__(at, value))
    if kind in (int, bool):
        return property(
            lambda self: kind(self.numbers[at].real), lambda self, value: self.numbers.__setitem__(at, kind(value))
        )
    if isinstance(kind, ArrayKind):
        return property(lambda self: kind.view(self.numbers, at))
    return property(
        lambda self: kind.of(self.numbers[at:last]),
        lambda self, value: self.numbers.__setitem__(slice(at, last), tuple(value)),
    )


class Table:
    """Rows of an array (n, row.size), by their fields: what Python sees of a table."""

    __slots__ = ("array", "row")

    def __init__(self, array: np.ndarray, row: type[Row]) -> None:
        self.array, self.row = array, row

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, i: int) -> Any:
        return self.row(self.array[i])

    def __iter__(self) -> Iterator[Any]:
        return map(self.row, self.array)

    @property
    def columns(self) -> TableColumns:
        """Views of what each field is in all rows."""
        return TableColumns(self)


class TableColumns:
    """Fields of a table by name: what each is in all rows, (n,) or (n, size)."""

    __slots__ = ("table",)

    def __init__(self, table: Table) -> None:
        self.table = table

    def __getattr__(self, key: str) -> np.ndarray:
        field = self.table.row.fields.get(key)
        if field is None:
            raise AttributeError(f"{self.table.row.__name__} has no field {key}")
        return self.table.array[:, field.place]


# ---------------------------------------------------------------------- types


class RowType(types.Type):
    """The Numba type of a row: a pointer to its numbers."""

    def __init__(self, cls: type[Row], complex_too: bool, readonly: bool) -> None:
        self.cls, self.complex, self.readonly = cls, complex_too and not cls.whole, readonly
        self.dtype = types.int64 if cls.whole else types.complex128 if complex_too else types.float64
        super().__init__(cls.__name__ + "c" * self.complex + "!" * readonly)

    @property
    def key(self) -> Any:
        return type(self), self.name

    def pointer(self, builder: Any, row: Any) -> Any:
        """The address of its first number."""
        return row

    def field_type(self, key: str) -> Any:
        """Numba type of a field, None where there is no such field."""
        field = self.cls.fields.get(key)
        if field is None:
            return None
        kind = field.kind
        if isinstance(kind, ArrayKind):
            return kind.type_in(self)
        if kind in _SCALARS:
            return self.dtype if kind is float else _SCALARS[kind]
        return fixed_size_type(kind, self.dtype)


_SCALARS = {float: types.float64, int: types.int64, bool: types.boolean}


class TableType(RowType):
    """The Numba type of a table of rows: a pointer to the first one, and their number."""

    @property
    def row(self) -> RowType:
        """Type of its rows."""
        return RowType(self.cls, self.complex, self.readonly)


READERS: dict[str, Callable[[str], Any]] = {}
"""What reads names of other types of rows, by their first letter."""


def row_type_named(name: str) -> RowType:
    """The type of a row, or with a colon behind it of a table, from its name in symbols."""
    if name[0] in READERS:
        return READERS[name[0]](name)
    table = name.endswith(":")
    name = name.removesuffix(":")
    readonly = name.endswith("!")
    name = name.removesuffix("!")
    complex_too = name not in _CLASSES
    cls = _CLASSES[name.removesuffix("c") if complex_too else name]
    return (TableType if table else RowType)(cls, complex_too, readonly)


def row_type_name(kind: RowType) -> str:
    """What `row_type_named` reads."""
    return kind.name + ":" * isinstance(kind, TableType)


@register_model(RowType)
class RowModel(models.PrimitiveModel):
    """One pointer."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, dmm.lookup(fe_type.dtype).get_data_type().as_pointer())


@register_model(TableType)
class TableModel(models.StructModel):
    """A pointer and a number."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, [("first", fe_type.row), ("count", types.int64)])


# ---------------------------------------------------------------------- in kernels


def emitted_table(context: Any, builder: Any, kind: TableType, data: Any, count: Any) -> Any:
    """A table from the address of its first row and their number."""
    made = ir.Constant(context.get_value_type(kind), ir.Undefined)
    return builder.insert_value(builder.insert_value(made, data, 0), count, 1)


@type_callable(operator.getitem)
def type_row(context: Any) -> Callable[..., Any]:
    def typer(table: Any, index: Any) -> Any:
        fits = isinstance(table, TableType) and isinstance(index, types.Integer)
        return signature_of(table.row, table, index) if fits else None

    return typer


@lower_builtin(operator.getitem, TableType, types.Integer)
def get_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    table, index = sig.args
    number = context.cast(builder, args[1], index, types.int64)
    at = builder.mul(number, ir.Constant(WORD, table.cls.size), flags=["nsw"])
    return builder.gep(builder.extract_value(args[0], 0), [at], inbounds=True)


def _data_and_length(context: Any, builder: Any, kind: Any, array: Any) -> tuple[Any, Any]:
    """Address of an array's numbers and how many entries it has; also of one in a function that Numba compiles."""
    if isinstance(kind, KernelArray):
        return builder.extract_value(array, ARRAY_DATA), builder.extract_value(array, (ARRAY_SHAPE, 0))
    made = make_array(kind)(context, builder, array)
    return made.data, builder.extract_value(made.shape, 0)


def table_of(cls: type[Row]) -> Callable[..., Any]:
    """A function that gives the rows of an array (n, cls.size), or the row of one (cls.size,), that is in no record;
    with a place behind an array of one dimension, the rows from there to its end."""

    def rows_of(array: Any, first: Any = None) -> Any:
        if first is not None:
            count = (len(array) - first) // cls.size
            return Table(array[first : first + count * cls.size].reshape(count, cls.size), cls)
        return cls(array) if array.ndim == 1 else Table(array, cls)

    @type_callable(rows_of)
    def typing(context: Any) -> Callable[..., Any]:
        def typer(array: Any, first: Any = None) -> Any:
            if not (isinstance(array, types.Array) and array.layout == "C" and array.ndim < 3):
                return None
            if first is not None and not (isinstance(first, types.Integer) and array.ndim == 1):
                return None
            kind = TableType if array.ndim == 2 or first is not None else RowType
            made = kind(cls, array.dtype is types.complex128, not array.mutable)
            return signature_of(made, array) if first is None else signature_of(made, array, first)

        return typer

    @lower_builtin(rows_of, types.Array, types.Integer)
    def lowering_from(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        first = context.cast(builder, args[1], sig.args[1], types.int64)
        data, size = _data_and_length(context, builder, sig.args[0], args[0])
        count = builder.sdiv(builder.sub(size, first), ir.Constant(WORD, cls.size))
        return emitted_table(context, builder, sig.return_type, builder.gep(data, [first], inbounds=True), count)

    @lower_builtin(rows_of, types.Array)
    def lowering(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data, count = _data_and_length(context, builder, sig.args[0], args[0])
        if sig.args[0].ndim == 1:
            return data
        return emitted_table(context, builder, sig.return_type, data, count)

    return rows_of


def row_at(cls: type[Row]) -> Callable[[Any, Any], Any]:
    """A function that gives the row whose numbers begin at a place, not negative, in an array of one dimension."""

    def row_of(array: Any, at: Any) -> Any:
        return cls(array[at : at + cls.size])

    @type_callable(row_of)
    def typing(context: Any) -> Callable[..., Any]:
        def typer(array: Any, at: Any) -> Any:
            fits = isinstance(array, KernelArray) and array.ndim == 1 and isinstance(at, types.Integer)
            kind = RowType(cls, array.dtype is types.complex128, not array.mutable) if fits else None
            return signature_of(kind, array, at) if fits else None

        return typer

    @lower_builtin(row_of, KernelArray, types.Integer)
    def lowering(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], sig.args[1], types.int64)
        return builder.gep(builder.extract_value(args[0], ARRAY_DATA), [at], inbounds=True)

    return row_of


@type_callable(len)
def type_length(context: Any) -> Callable[..., Any]:
    return lambda table: signature_of(types.int64, table) if isinstance(table, TableType) else None


@lower_builtin(len, TableType)
def get_length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.extract_value(args[0], 1)


def table_rows(cls: type[Row], given: Iterable[Mapping[str, Any]]) -> np.ndarray:
    """A table (n, cls.size) of whole numbers, of rows by the names of their fields; what is not given is zero."""
    listed = list(given)
    table = np.zeros((len(listed), cls.size), np.int64)
    for row, one in zip(table, listed, strict=True):
        for key, value in one.items():
            row[cls.fields[key].place] = value
    return table


def copy_row(to: Row, of: Row) -> None:
    """Copies all numbers of a row to another one of the same kind."""
    to.numbers[:] = of.numbers


@type_callable(copy_row)
def type_copy(context: Any) -> Callable[..., Any]:
    def typer(to: Any, of: Any) -> Any:
        fits = isinstance(to, RowType) and isinstance(of, RowType) and to.cls is of.cls and to.dtype is of.dtype
        return signature_of(types.none, to, of) if fits and not to.readonly else None

    return typer


@lower_builtin(copy_row, RowType, RowType)
def emit_copy(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    for k in range(sig.args[0].cls.size):
        builder.store(builder.load(place_in(builder, args[1], k)), place_in(builder, args[0], k))
    return context.get_dummy_value()


def clear_row(row: Row) -> None:
    """Makes all numbers of a row zero."""
    row.numbers[:] = 0


@type_callable(clear_row)
def type_clear(context: Any) -> Callable[..., Any]:
    def typer(row: Any) -> Any:
        fits = isinstance(row, RowType) and not isinstance(row, TableType) and not row.readonly
        return signature_of(types.none, row) if fits else None

    return typer


@lower_builtin(clear_row, RowType)
def emit_clear(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    zero = context.get_constant_generic(builder, kind.dtype, 0)
    for k in range(kind.cls.size):
        context.pack_value(builder, kind.dtype, zero, place_in(builder, args[0], k))
    return context.get_dummy_value()


@infer_getattr
class RowAttributes(AttributeTemplate):
    key = RowType

    def generic_resolve(self, typ: Any, attr: str) -> Any:
        return None if isinstance(typ, TableType) else typ.field_type(attr)


def place_in(builder: Any, row: Any, at: int) -> Any:
    """Where number `at` of a row lies."""
    return builder.gep(row, [ir.Constant(WORD, at)], inbounds=True)


def load_value(context: Any, builder: Any, kind: Any, place: Any, readonly: bool) -> Any:
    """The value of fixed size whose numbers begin at an address."""
    numbers = [_load(context, builder, kind.dtype, place_in(builder, place, k), readonly) for k in range(kind.cls.size)]
    at = (context, builder)
    return packed(at, kind, kind.cls.of([EmittedNumber(at, kind.dtype, one) for one in numbers]))


def _load(context: Any, builder: Any, dtype: Any, place: Any, readonly: bool) -> Any:
    number = context.unpack_value(builder, dtype, place)
    if readonly and hasattr(number, "set_metadata"):
        number.set_metadata("invariant.load", builder.module.add_metadata([]))
    return number


def store_value(context: Any, builder: Any, dtype: Any, place: Any, kind: Any, value: Any) -> None:
    """Puts a number, or the numbers of a value, to an address on."""
    found = wrapped((context, builder), kind, value)
    for k, one in enumerate(found.numbers if isinstance(found, FixedSize) else (found,)):
        number = context.cast(builder, one.value, one.kind, dtype)
        context.pack_value(builder, dtype, number, place_in(builder, place, k))


@lower_getattr_generic(RowType)
def get_field(context: Any, builder: Any, typ: Any, row: Any, attr: str) -> Any:
    field, kind = typ.cls.fields[attr], typ.field_type(attr)
    if isinstance(field.kind, ArrayKind):
        return field.kind.emitted(context, builder, typ, row, field.first)
    place = place_in(builder, typ.pointer(builder, row), field.first)
    if field.kind in _SCALARS:
        return load_number(context, builder, typ, kind, place)
    return load_value(context, builder, kind, place, typ.readonly)


def load_number(context: Any, builder: Any, typ: RowType, kind: Any, place: Any) -> Any:
    """A number of a row as the type of its field."""
    had, number = typ.dtype, _load(context, builder, typ.dtype, place, typ.readonly)
    if had is types.complex128 and kind is not had:
        had, number = types.float64, context.make_complex(builder, types.complex128, number).real
    return context.cast(builder, number, had, kind)


@lower_setattr_generic(RowType)
def set_field(context: Any, builder: Any, sig: Any, args: Any, attr: str) -> Any:
    (typ, kind), (row, value) = sig.args, args
    field = typ.cls.fields[attr]
    if typ.readonly:
        raise TypeError(f"{typ.cls.__name__}.{attr} is not to be written")
    place = place_in(builder, row, field.first)
    if isinstance(field.kind, ArrayKind):
        field.kind.store(context, builder, typ, place, value)
    else:
        store_value(context, builder, typ.dtype, place, kind, value)
    return context.get_dummy_value()
