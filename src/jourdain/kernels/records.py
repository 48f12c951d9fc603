"""Records: what a kernel takes as one pointer, under a short name.

A record is a table of words: of each array its address and its shape (all are contiguous, so that strides follow), of
each function and of each record within it its address. `model.table` in a kernel is a few loads, which the optimiser
may move as it likes, because the table of a record never changes while a kernel runs. On the Python side a record is
an object with the same names; what is wrong with an array is found when the record is made. Its table is the array
`packed`, whose address kernels are given (`address_W`, or `address_Wc` where its numbers are complex).

    class Workspace(Record, name="W"):
        bodies = rows(BodyState)  # rows with named fields (`rows.py`)
        ledger = row(Ledger)  # one such row
        known = i64(1)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba.extending import NativeValue, lower_builtin, register_model, typeof_impl, unbox

from .arrays import WORD, KernelArray, filled, kernel_array
from .compiling.numba_private import (
    AttributeTemplate,
    IRLibrary,
    cgutils,
    infer_getattr,
    lower_getattr_generic,
    models,
    signature_of,
    types,
)
from .interpreter import INTERPRETED, interpreted_as, numbered
from .interpreter import members as interpreted_members
from .rows import Row, RowType, Table, TableType, emitted_table

POINTER = ir.IntType(8).as_pointer()
CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
ASKED = CONTIGUOUS | ALIGNED | WRITEABLE
"""Flags of an array that kernels ask for (ndarraytypes.h)."""


def address_of(array: np.ndarray) -> int:
    """Where the numbers of an array are."""
    return array.__array_interface__["data"][0]


class Field:
    """A member of a record; how many words it takes, what a kernel sees of it, and what goes into the table."""

    words = 1

    def kind(self, complex_too: bool, readonly: bool) -> Any:
        """Its Numba type."""
        raise NotImplementedError

    def pack(self, value: Any, record: str, key: str, kind: Any) -> list[int]:
        """Its words; an error that names record and key where the value is of another kind."""
        raise NotImplementedError


class ArrayField(Field):
    """A contiguous array of one kind of numbers."""

    def __init__(self, dtype: Any, ndim: int) -> None:
        self.dtype, self.ndim, self.words = np.dtype(dtype), ndim, 1 + ndim

    def kind(self, complex_too: bool, readonly: bool) -> Any:
        dtype = np.dtype(complex) if complex_too and self.dtype == np.float64 else self.dtype
        return KernelArray(_SCALARS[dtype.char], self.ndim, readonly)

    def pack(self, value: Any, record: str, key: str, kind: Any) -> list[int]:
        return self.words_of(value, record, key, kind.dtype, not kind.mutable)

    def words_of(self, value: Any, record: str, key: str, dtype: Any, readonly: bool) -> list[int]:
        """Address and lengths of an array of numbers of this type."""
        fits = (
            isinstance(value, np.ndarray)
            and _SCALARS.get(value.dtype.char) is dtype
            and value.ndim == self.ndim
            and value.flags.num & ASKED == (ASKED & ~WRITEABLE if readonly else ASKED)
        )
        if not fits:
            raise TypeError(self._unfit(value, f"{record}.{key}", dtype, readonly))
        return [address_of(value), *value.shape]

    def _unfit(self, value: Any, what: str, dtype: Any, readonly: bool) -> str:
        """What is wrong with a value."""
        wanted = f"a contiguous array of {dtype}, {self.ndim} dimensions{', read-only' * readonly}"
        if not isinstance(value, np.ndarray):
            return f"{what} is {type(value).__name__}; kernels take {wanted}"
        flags = value.flags
        got = f"{value.dtype}, {value.ndim} dimensions{'' if flags.c_contiguous else ', not contiguous'}"
        return f"{what} is an array of {got}{', read-only' * (not flags.writeable)}; kernels take {wanted}"


_SCALARS = {
    np.dtype(np.float64).char: types.float64,
    np.dtype(np.complex128).char: types.complex128,
    np.dtype(np.int64).char: types.int64,
    np.dtype(np.int8).char: types.int8,
}


def f64(ndim: int) -> Any:
    """An array of float64; in a complex record of complex128."""
    return ArrayField(np.float64, ndim)


def c128(ndim: int) -> Any:
    """An array of complex128 always."""
    return ArrayField(np.complex128, ndim)


def i64(ndim: int) -> Any:
    """An array of int64."""
    return ArrayField(np.int64, ndim)


def i8(ndim: int) -> Any:
    """An array of int8."""
    return ArrayField(np.int8, ndim)


class RowsField(ArrayField):
    """A table of rows with named fields, or one such row.

    columns    another name, by which the same array is known as an array
    least      how many numbers may do, where the last fields are not there in every model
    more       whether the array goes on behind the row
    """

    def __init__(self, row: type[Row], ndim: int, columns: str = "", least: int = 0, more: bool = False) -> None:
        super().__init__(np.int64 if row.whole else np.float64, ndim)
        self.row, self.columns, self.least, self.more = row, columns, least or row.size, more

    def views(self, key: str) -> dict[str, property]:
        """What Python sees of it, by name."""
        view = Table if self.ndim == 2 else lambda array, row: row(array)
        found = {key: property(lambda record: view(record.__dict__[key], self.row))}
        return found | ({self.columns: property(lambda record: record.__dict__[key])} if self.columns else {})

    def kind(self, complex_too: bool, readonly: bool) -> Any:
        return (TableType if self.ndim == 2 else RowType)(self.row, complex_too, readonly)

    def pack(self, value: Any, record: str, key: str, kind: Any) -> list[int]:
        found = self.words_of(value, record, key, kind.dtype, kind.readonly)
        if value.size and not self.more and value.shape[-1] not in (self.row.size, self.least):
            stated = f"{record}.{key} has rows of {value.shape[-1]} numbers; {self.row.__name__} has {self.row.size}"
            raise TypeError(stated)
        return found


def rows(row: type[Row], columns: str = "") -> Any:
    """A table of rows, which is an array (n, row.size); `columns`: see `RowsField`."""
    return RowsField(row, 2, columns)


def row(kind: type[Row], columns: str = "", least: int = 0, more: bool = False) -> Any:
    """One row, which is an array (row.size,); `least`, `more`: see `RowsField`."""
    return RowsField(kind, 1, columns, least, more)


def array_of(value: Any) -> Any:
    """The array of a row or of a table; anything else as it is."""
    return value.numbers if isinstance(value, Row) else value.array if isinstance(value, Table) else value


class NestedRecord(Field):
    """A record within a record; None makes it a null pointer, which nobody may look into."""

    if TYPE_CHECKING:
        words: Any

        def __getattr__(self, key: str) -> Any:
            """Fields of the record, as annotated kernels read them."""

    def __init__(self, cls: type[Record]) -> None:
        self.cls = cls

    def kind(self, complex_too: bool, readonly: bool) -> Any:
        return record_type(self.cls, complex_too and self.cls.complexes)

    def pack(self, value: Any, record: str, key: str, kind: Any) -> list[int]:
        if value is None:
            return [0]
        if not isinstance(value, self.cls):
            raise TypeError(f"{record}.{key} is {type(value).__name__}; kernels take {self.cls.__name__}")
        return [value.__dict__[f"address_{kind.name}"]]


class Function(Field):
    """A compiled function of one signature, called by its address; None where there is nothing to call.

    Also a constant that kernels use: `LAW(address)` is the function at an address that is read from an array.
    """

    def __init__(self, returns: Any, *arguments: Any) -> None:
        self.returns, self.arguments = returns, arguments

    def kind(self, complex_too: bool = False, readonly: bool = False) -> Any:
        return FunctionPointer(self)

    def __call__(self, address: Any, *arguments: Any) -> Any:
        """The function at an address, in the interpreter; to type checkers also a call of a record's function."""
        return numbered(address)

    @cached_property
    def signature(self) -> Any:
        """As Numba writes it."""
        return signature_of(_known(self.returns), *map(_known, self.arguments))

    def pack(self, value: Any, record: str, key: str, kind: Any) -> list[int]:
        if value is None:
            return [0]
        had = getattr(value, "signature", None)
        if had is not self.signature and had != self.signature:
            raise TypeError(f"{record}.{key} is {value!r}; kernels take a function {self.signature}")
        return [value.address]


def _known(kind: Any) -> Any:
    """A Numba type, or that of a record, which may be given by its name."""
    if isinstance(kind, str):
        return type_named(kind)
    return record_type(kind) if isinstance(kind, type) and issubclass(kind, Record) else kernel_array(kind)


class Record:
    """Base of records; see the module. What a record holds the address of, and not itself, is kept in `owned`.

    name        of the type in symbols, a letter or two
    readonly    whether its arrays must be read-only
    complexes   whether its floats may all be complex instead, under the same name with a c
    """

    if TYPE_CHECKING:

        def __getattr__(self, key: str) -> Any:
            """Its fields."""

    name = ""
    fields: dict[str, Field] = {}
    renamed: dict[str, str] = {}
    readonly = False
    complexes = False

    def __init_subclass__(cls, name: str = "", readonly: bool = False, complexes: bool = False) -> None:
        own = {key: value for key, value in vars(cls).items() if isinstance(value, Field)}
        cls.fields = {**cls.fields, **own}
        cls.renamed = dict(cls.renamed)
        for key, field in own.items():
            delattr(cls, key)
            if isinstance(field, RowsField):
                for seen, view in field.views(key).items():
                    setattr(cls, seen, view)
                    cls.renamed[seen] = key
        cls.name, cls.readonly, cls.complexes = name or cls.name, readonly or cls.readonly, complexes or cls.complexes
        _CLASSES[cls.name] = cls

    def __init__(self, *values: Any, **named: Any) -> None:
        named = {**dict(zip(self.fields, values, strict=False)), **named}
        named = {self.renamed.get(key, key): array_of(value) for key, value in named.items()}
        if named.keys() != self.fields.keys() or len(values) > len(self.fields):
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.fields)}; got {', '.join(named)}")
        self.__dict__.update(named)
        if INTERPRETED:
            self.__dict__.update(interpreted_members(self, named))
            return
        kind = typeof_record(self)
        words: list[int] = []
        record, members = type(self).__name__, kind.members
        for key, field in self.fields.items():
            words += field.pack(named[key], record, key, members[key])
        table = np.array(words, np.int64)
        self.__dict__["packed"] = table
        self.__dict__[f"address_{kind.name}"] = address_of(table)

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is not changed but replaced: _replace({key}=...)")

    def __iter__(self) -> Iterator[Any]:
        return (self.__dict__[key] for key in self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def _replace(self, **changed: Any) -> Any:
        """The same with other members, and a table of its own."""
        changed = {self.renamed.get(key, key): value for key, value in changed.items()}
        made = type(self)(**{**{key: self.__dict__[key] for key in self.fields}, **changed})
        made.__dict__["owned"] = self.__dict__.get("owned")
        return made

    def holding(self, other: Record) -> Any:
        """Itself, which from now on also keeps alive what the other holds addresses of."""
        self.__dict__["owned"] = (self.__dict__.get("owned"), other.__dict__.get("owned"))
        return self

    @classmethod
    def zeros(cls, shapes: dict[str, Any], /, **given: Any) -> Any:
        """A record whose arrays are zeros of these shapes, but for the members that are given."""
        kinds: Any = cls.fields
        return cls(**{key: np.zeros(shape, kinds[key].dtype) for key, shape in shapes.items()}, **given)

    @classmethod
    def frozen(cls, *values: Any, **named: Any) -> Any:
        """A record of a read-only kind: its arrays are made read-only first."""
        for value in (*values, *named.values()):
            if isinstance(value, np.ndarray) and cls.readonly:
                value.flags.writeable = False
        return cls(*values, **named)

    def __reduce__(self) -> Any:
        return self.frozen, tuple(self)


_CLASSES: dict[str, type[Record]] = {}
_TYPES: dict[str, RecordType] = {}


class RecordType(types.Type):
    """The Numba type of a record: its name is its identity, and all that symbols spell."""

    def __init__(self, cls: type[Record], complex_too: bool) -> None:
        self.cls, self.complex = cls, complex_too
        self.places, at = {}, 0
        for key, field in cls.fields.items():
            self.places[key] = self.places[getattr(field, "columns", "") or key] = at
            at += field.words
        super().__init__(cls.name + "c" * complex_too)

    @property
    def key(self) -> Any:
        return self.name

    @property
    def members(self) -> dict[str, Any]:
        """Types of its members; found late, because functions in a record may take that record."""
        if "found" not in self.__dict__:
            fields = self.cls.fields.items()
            self.found = {key: field.kind(self.complex, self.cls.readonly) for key, field in fields}
            for field in self.cls.fields.values():
                if isinstance(field, RowsField) and field.columns:
                    self.found[field.columns] = ArrayField.kind(field, self.complex, self.cls.readonly)
        return self.found

    def __reduce__(self) -> Any:
        return type_named, (self.name,)


def record_type(cls: type[Record], complex_too: bool = False) -> RecordType:
    """The one type of a class of records."""
    name = cls.name + "c" * complex_too
    if name not in _TYPES:
        _TYPES[name] = RecordType(cls, complex_too)
    return _TYPES[name]


def type_named(name: str) -> RecordType:
    """The type of that name."""
    if name in _CLASSES:
        return record_type(_CLASSES[name])
    return record_type(_CLASSES[name[:-1]], True)


@typeof_impl.register(Record)
def typeof_record(value: Any, c: Any = None) -> RecordType:
    """Of a record: complex where its first floats are."""
    if value.complexes:
        for key, field in value.fields.items():
            if isinstance(field, ArrayField) and field.dtype == np.float64:
                return record_type(type(value), value.__dict__[key].dtype == np.complex128)
    return record_type(type(value))


@register_model(RecordType)
class RecordModel(models.PrimitiveModel):
    """One pointer."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, POINTER)


@unbox(RecordType)
def unbox_record(typ: Any, obj: Any, c: Any) -> Any:
    """For compiled functions of a user that take records."""
    address = c.pyapi.object_getattr_string(obj, f"address_{typ.name}")
    with c.builder.if_then(cgutils.is_null(c.builder, address), likely=False):
        c.builder.ret(c.pyapi.get_null_object())
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(c.builder.bitcast(pointer, POINTER))


@infer_getattr
class RecordAttributes(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, typ: Any, attr: str) -> Any:
        return typ.members.get(attr)


def _word(builder: Any, base: Any, at: int, kind: Any) -> Any:
    """A word of a table, which is there and never changes."""
    place = builder.gep(base, [ir.Constant(WORD, 8 * at)], inbounds=True)
    got = builder.load(builder.bitcast(place, kind.as_pointer()), align=8)
    empty = builder.module.add_metadata([])
    got.set_metadata("invariant.load", empty)
    got.set_metadata("noundef", empty)
    return got


@lower_getattr_generic(RecordType)
def get_member(context: Any, builder: Any, typ: Any, base: Any, attr: str) -> Any:
    kind, at = typ.members[attr], typ.places[attr]
    if isinstance(kind, RowType):
        table = isinstance(kind, TableType)
        data = _word(builder, base, at, context.get_value_type(kind.row if table else kind))
        return emitted_table(context, builder, kind, data, _word(builder, base, at + 1, WORD)) if table else data
    if not isinstance(kind, types.Array):
        return _word(builder, base, at, POINTER)
    item = context.get_data_type(kind.dtype)
    shape = [_word(builder, base, at + 1 + d, WORD) for d in range(kind.ndim)]
    return filled(context, builder, kind, _word(builder, base, at, item.as_pointer()), shape)


class FunctionPointer(types.Callable):
    """The Numba type of a function that is called by its address."""

    def __init__(self, function: Function) -> None:
        self.function = function
        stated = ",".join(str(_known(kind)) for kind in function.arguments)
        super().__init__(f"P[{_known(function.returns)}({stated})]")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        signature = self.function.signature
        if kws or len(args) != len(signature.args):
            return None
        return signature_of(signature.return_type, *signature.args, recvr=self)

    def get_call_signatures(self) -> Any:
        return [self.function.signature], False

    def get_impl_key(self, sig: Any) -> Any:
        return FunctionPointer


@register_model(FunctionPointer)
class FunctionPointerModel(models.PrimitiveModel):
    """Its address."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, POINTER)


@lower_builtin(FunctionPointer, FunctionPointer, types.VarArg(types.Any))
def call_pointer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return called(context, builder, args[0], sig.return_type, sig.args[1:], args[1:])


def called(context: Any, builder: Any, address: Any, returns: Any, kinds: Any, values: Any) -> Any:
    """The result of a call at an address; where it fails, the calling function fails too."""
    function = context.call_conv.get_function_type(returns, kinds)
    return call_of(context, builder, builder.bitcast(address, function.as_pointer()), returns, kinds, values)


def call_of(context: Any, builder: Any, function: Any, returns: Any, kinds: Any, values: Any) -> Any:
    """The result of a call; where it fails, the calling function returns its code, and the exception stays where the
    called one has left it. A function that may catch exceptions is Numba's to call in."""
    call_conv = context.call_conv
    if not isinstance(context.active_code_library, IRLibrary) or context.active_code_library.allocates:
        status, result = call_conv.call_function(builder, function, returns, kinds, values)
        with cgutils.if_unlikely(builder, status.is_error):
            call_conv.return_status_propagate(builder, status)
        return result
    with builder.goto_entry_block():
        place = builder.alloca(function.function_type.args[0].pointee)
    failed = call_conv._get_excinfo_argument(builder.function)
    given = context.get_arg_packer(kinds).as_arguments(builder, values)
    code = builder.call(function, [place, failed, *given])
    with cgutils.if_unlikely(builder, builder.icmp_signed("!=", code, code.type(0))):
        builder.ret(code)
    return context.get_returned_value(builder, returns, builder.load(place))


@interpreted_as(lambda function: function is not None)
def given(typingctx: Any, function: Any) -> Any:
    """Whether there is a function, or a record, at all."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.icmp_unsigned("!=", args[0], ir.Constant(POINTER, None))

    if isinstance(function, FunctionPointer | RecordType):
        return types.boolean(function), codegen
    return None


@interpreted_as(lambda like, address: numbered(address))
def record_at(typingctx: Any, like: Any, address: Any) -> Any:
    """The record of the type of `like` whose table is at an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[1], POINTER)

    return like(like, types.int64), codegen


class MakerType(types.Callable, types.Dummy):
    """The Numba type of a `Function`: calling it with an address gives the function there."""

    def __init__(self, function: Function) -> None:
        self.function = function
        super().__init__(f"maker of {FunctionPointer(function).name}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return signature_of(FunctionPointer(self.function), types.int64)

    def get_call_signatures(self) -> Any:
        return [], False

    def get_impl_key(self, sig: Any) -> Any:
        return MakerType


register_model(MakerType)(models.OpaqueModel)


@typeof_impl.register(Function)
def typeof_function(value: Any, c: Any) -> MakerType:
    return MakerType(value)


@lower_builtin(MakerType, types.int64)
def make_pointer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.inttoptr(args[0], POINTER)
