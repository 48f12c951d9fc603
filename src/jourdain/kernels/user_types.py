"""Arrays and records as a user's function sees them: handed on as those of kernels, but checked at every index.

A `KernelArray` is read by its address and trusts the index. The entries of a `UserArray` are found by Numba's own code,
which counts negative indices from the end and has bounds checks where it is compiled with them (`bounds`). Kernels that
a user's function calls take both as what they know (`trusted`).
"""

from __future__ import annotations

import operator
from typing import Any

from numba.extending import lower_builtin, lower_cast, register_model

from .arrays import KernelArray, KernelArrayModel
from .compiling.numba_private import cgutils, generic_operation, signature_of, types
from .records import RecordModel, RecordType, record_type
from .rows import RowModel, RowType, TableModel, TableType, get_row


class UserArray(KernelArray):
    """The Numba type of a contiguous array in a user's function: handed on as a `KernelArray` is, and checked."""

    def __init__(self, dtype: Any, ndim: int, readonly: bool = False) -> None:
        super().__init__(dtype, ndim, readonly)
        self.name: str = f"user {self.name}"

    @property
    def key(self) -> Any:
        return (UserArray, self.dtype, self.ndim, self.mutable)

    @property
    def trusted(self) -> KernelArray:
        """As kernels take it."""
        return KernelArray(self.dtype, self.ndim, not self.mutable)

    def copy(self, dtype: Any = None, ndim: Any = None, layout: Any = None, readonly: Any = None) -> Any:
        """A view of it, of this kind as long as it is contiguous."""
        found = super().copy(dtype, ndim, layout, readonly)
        return user_type(found)


class UserRecord(RecordType):
    """The Numba type of a record in a user's function: its arrays are checked."""

    @property
    def members(self) -> dict[str, Any]:
        return {key: user_type(kind) for key, kind in super().members.items()}

    @property
    def trusted(self) -> RecordType:
        """As kernels take it."""
        return record_type(self.cls, self.complex)


class UserRow(RowType):
    """The Numba type of a row in a user's function: an array in it is checked."""

    def field_type(self, key: str) -> Any:
        return user_type(super().field_type(key))

    @property
    def trusted(self) -> RowType:
        """As kernels take it."""
        return RowType(self.cls, self.complex, self.readonly)


class UserTable(TableType):
    """The Numba type of a table of rows in a user's function: the number of a row is checked."""

    @property
    def row(self) -> RowType:
        return UserRow(self.cls, self.complex, self.readonly)

    @property
    def trusted(self) -> TableType:
        """As kernels take it."""
        return TableType(self.cls, self.complex, self.readonly)


def user_type(kind: Any) -> Any:
    """A type as a user's function takes it: arrays, tables and records are checked."""
    if type(kind) is RecordType:
        return UserRecord(kind.cls, kind.complex)
    if type(kind) in (RowType, TableType):
        return (UserTable if type(kind) is TableType else UserRow)(kind.cls, kind.complex, kind.readonly)
    if isinstance(kind, KernelArray) or (type(kind) is types.Array and kind.layout == "C" and kind.ndim > 0):
        return UserArray(kind.dtype, kind.ndim, not kind.mutable)
    if isinstance(kind, types.BaseTuple):
        return types.BaseTuple.from_types(tuple(map(user_type, kind.types)), getattr(kind, "instance_class", None))
    return kind


@register_model(UserRecord)
class UserRecordModel(RecordModel):
    """One pointer."""


register_model(UserRow)(RowModel)
register_model(UserTable)(TableModel)


@lower_builtin(operator.getitem, UserTable, types.Integer)
def get_checked_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A row, counted from the end where its number is negative."""
    table, kind = sig.args
    count = builder.extract_value(args[0], 1)
    number = context.cast(builder, args[1], kind, types.int64)
    negative = builder.icmp_signed("<", number, number.type(0))
    number = builder.select(negative, builder.add(number, count), number)
    cgutils.do_boundscheck(context, builder, number, count)
    return get_row(context, builder, signature_of(sig.return_type, table, types.int64), (args[0], number))


@lower_cast(RowType, RowType)
@lower_cast(TableType, TableType)
@lower_cast(UserRecord, RecordType)
@lower_cast(RecordType, UserRecord)
def same_record(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    """The pointer is the same."""
    return value


@register_model(UserArray)
class UserArrayModel(KernelArrayModel):
    """As that of a kernel's."""


@lower_builtin(operator.getitem, UserArray, types.Integer)
@lower_builtin(operator.getitem, UserArray, types.BaseTuple)
def checked_getitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Numba's own, which checks."""
    return generic_operation(context, builder, operator.getitem, sig, args)


@lower_builtin(operator.setitem, UserArray, types.Integer, types.Any)
@lower_builtin(operator.setitem, UserArray, types.BaseTuple, types.Any)
def checked_setitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Numba's own, which checks."""
    return generic_operation(context, builder, operator.setitem, sig, args)
