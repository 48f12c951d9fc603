"""Calls from Python: for each entry point a C function that unboxes its arguments and checks them, at next to no cost.

Numba's own wrappers unbox each array through two libraries and look up a signature before; here the fields of the array
are read where they lie, a record is one attribute, and what is of another type is an error that names it.
"""

from __future__ import annotations

import builtins
import ctypes
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
from llvmlite import ir

from ..records import ALIGNED, CONTIGUOUS, WRITEABLE, RecordType
from .numba_private import cgutils, make_array, target, types
from .object_code import MISSING

INT, LONG, DOUBLE = ir.IntType(32), ir.IntType(64), ir.DoubleType()
OBJECT = ir.IntType(8).as_pointer()
HEADER = object.__basicsize__
"""Bytes of every object's own part."""
# Fields of an array behind its header (ndarraytypes.h, PyArrayObject_fields), then of a dtype behind its own. Numba's
# wrappers, which do without, take eight hundred times as long for a call with two records and five arrays.
DATA, NDIM, SHAPE, DTYPE, FLAGS = 0, 8, 16, 40, 48
BYTE_ORDER, NUMBER = 10, 12
FASTCALL = 0x80
NAME, RAISED, TYPE = "jd.object.", "jd.exception.", "jd.type.ndarray"


def process_symbols(names: Iterable[str]) -> dict[str, int]:
    """Addresses of Python's own objects that wrappers use: names of attributes, exceptions, and the type of arrays."""
    found = {}
    for name in names:
        if name.startswith(NAME):
            found[name] = id(_interned(name[len(NAME) :]))
        elif name.startswith(RAISED):
            found[name] = id(getattr(builtins, name[len(RAISED) :]))
        elif name == TYPE:
            found[name] = id(np.ndarray)
    return found


_INTERNED: dict[str, str] = {}


def _interned(word: str) -> str:
    return _INTERNED.setdefault(word, sys.intern(word))


class Wrapper:
    """Writes the C function of one overload."""

    def __init__(self, overload: Any) -> None:
        self.overload, self.context = overload, target()
        self.module = ir.Module(f"{overload.symbol}.python")
        kind = ir.FunctionType(OBJECT, [OBJECT, OBJECT.as_pointer(), LONG])
        self.function = ir.Function(self.module, kind, f"{overload.symbol}.python")
        self.builder = ir.IRBuilder(self.function.append_basic_block())

    def text(self) -> str:
        """The module."""
        overload, builder = self.overload, self.builder
        _, given, count = self.function.args
        wrong = builder.icmp_signed("!=", count, LONG(len(overload.arguments)))
        with builder.if_then(wrong, likely=False):
            self.fail("TypeError", f"{overload.kernel.__name__} takes {len(overload.arguments)} arguments")
        values = []
        for number, kind in enumerate(overload.arguments):
            one = builder.load(builder.gep(given, [LONG(number)]))
            values.append(self.unboxed(number, kind, one))
        thread = builder.call(self.outside("PyEval_SaveThread", OBJECT), [])
        kind = self.context.call_conv.get_function_type(overload.returns, overload.arguments)
        inner = cgutils.get_or_insert_function(self.module, kind, overload.symbol)
        status, result = self.context.call_conv.call_function(
            builder, inner, overload.returns, overload.arguments, values
        )
        builder.call(self.outside("PyEval_RestoreThread", ir.VoidType(), OBJECT), [thread])
        with builder.if_then(builder.icmp_signed("==", status.code, INT(MISSING)), likely=False):
            why = "an optional kernel that this model needs is not loaded: "
            why += "make the workspace by jourdain.kernels.workspace(arrays)"
            self.fail("RuntimeError", f"{overload.kernel.__name__}: {why}")
        with builder.if_then(status.is_error, likely=False):
            self.context.call_conv.raise_error(builder, self.context.get_python_api(builder), status)
            builder.ret(ir.Constant(OBJECT, None))
        builder.ret(self.boxed(overload.returns, result))
        return str(self.module)

    def outside(self, name: str, returns: Any, *arguments: Any, variadic: bool = False) -> Any:
        """A function of Python's."""
        return cgutils.get_or_insert_function(self.module, ir.FunctionType(returns, arguments, variadic), name)

    def global_object(self, name: str) -> Any:
        """A variable of this process."""
        known = self.module.globals.get(name)
        return known if known is not None else cgutils.add_global_variable(self.module, ir.IntType(8), name)

    def fail(self, kind: str, text: str) -> None:
        """Raises an exception."""
        builder = self.builder
        message = cgutils.global_constant(self.module, "message", cgutils.make_bytearray(text.encode() + b"\0"))
        exception = self.global_object(RAISED + kind)
        raising = self.outside("PyErr_SetString", ir.VoidType(), OBJECT, OBJECT)
        builder.call(raising, [exception, builder.bitcast(message, OBJECT)])
        builder.ret(ir.Constant(OBJECT, None))

    def stop_where_failed(self) -> None:
        """Returns where the last call into Python raised."""
        builder = self.builder
        raised = builder.call(self.outside("PyErr_Occurred", OBJECT), [])
        with builder.if_then(cgutils.is_not_null(builder, raised), likely=False):
            builder.ret(ir.Constant(OBJECT, None))

    def unboxed(self, number: int, kind: Any, value: Any) -> Any:
        """What a kernel takes, of a Python object."""
        builder = self.builder
        if isinstance(kind, types.Array):
            return self.unboxed_array(number, kind, value)
        if isinstance(kind, RecordType):
            name = self.global_object(f"{NAME}address_{kind.name}")
            found = builder.call(self.outside("PyObject_GetAttr", OBJECT, OBJECT, OBJECT), [value, name])
            with builder.if_then(cgutils.is_null(builder, found), likely=False):
                builder.ret(ir.Constant(OBJECT, None))
            pointer = builder.call(self.outside("PyLong_AsVoidPtr", OBJECT, OBJECT), [found])
            builder.call(self.outside("Py_DecRef", ir.VoidType(), OBJECT), [found])
            return pointer
        if kind == types.float64:
            got = builder.call(self.outside("PyFloat_AsDouble", DOUBLE, OBJECT), [value])
            with builder.if_then(builder.fcmp_ordered("==", got, DOUBLE(-1.0)), likely=False):
                self.stop_where_failed()
            return got
        if kind == types.int64:
            got = builder.call(self.outside("PyLong_AsLongLong", LONG, OBJECT), [value])
            with builder.if_then(builder.icmp_signed("==", got, LONG(-1)), likely=False):
                self.stop_where_failed()
            return got
        raise NotImplementedError(f"{self.overload.kernel.address}: Python cannot hand over {kind}")

    def unboxed_array(self, number: int, kind: Any, value: Any) -> Any:
        builder = self.builder

        def field(base: Any, at: int, of: Any) -> Any:
            place = builder.gep(base, [LONG(at)], inbounds=True)
            return builder.load(builder.bitcast(place, of.as_pointer()))

        # what the kernel needs of the array, and the error where it is of another type
        dtype = np.dtype(str(kind.dtype))
        needed = CONTIGUOUS | ALIGNED | (WRITEABLE if kind.mutable else 0)
        access = ", writeable" if kind.mutable else ""
        wanted = f"a contiguous array of {kind.dtype}, {kind.ndim} dimensions{access}"
        message = f"{self.overload.kernel.__name__}: argument {number + 1} must be {wanted}"

        def check(good: Any) -> None:
            with builder.if_then(builder.not_(good), likely=False):
                self.fail("TypeError", message)

        # an ndarray, of this type in the order of bytes of this machine, so many dimensions, contiguous
        check(builder.icmp_unsigned("==", field(value, HEADER - 8, OBJECT), self.global_object(TYPE)))
        descr = field(value, HEADER + DTYPE, OBJECT)
        good = builder.icmp_signed("==", field(descr, HEADER + NUMBER, INT), INT(dtype.num))
        byte = field(descr, HEADER + BYTE_ORDER, ir.IntType(8))
        native = builder.or_(
            builder.icmp_signed("==", byte, byte.type(ord("="))), builder.icmp_signed("==", byte, byte.type(ord("|")))
        )
        good = builder.and_(good, native)
        good = builder.and_(good, builder.icmp_signed("==", field(value, HEADER + NDIM, INT), INT(kind.ndim)))
        flags = builder.and_(field(value, HEADER + FLAGS, INT), INT(needed))
        check(builder.and_(good, builder.icmp_signed("==", flags, INT(needed))))
        # Numba's own record of it, without an owner: the caller holds the array
        array = make_array(kind)(self.context, builder)
        item = self.context.get_data_type(kind.dtype)
        shape_at = field(value, HEADER + SHAPE, LONG.as_pointer())
        shape = [builder.load(builder.gep(shape_at, [LONG(d)])) for d in range(kind.ndim)]
        steps: list[Any] = []
        step = LONG(dtype.itemsize)
        for extent in reversed(shape):
            steps.insert(0, step)
            step = builder.mul(step, extent)
        items = LONG(1)
        for extent in shape:
            items = builder.mul(items, extent)
        array.meminfo = ir.Constant(array.meminfo.type, None)
        array.parent = ir.Constant(array.parent.type, None)
        array.nitems, array.itemsize = items, LONG(dtype.itemsize)
        array.data = field(value, HEADER + DATA, item.as_pointer())
        array.shape, array.strides = cgutils.pack_array(builder, shape), cgutils.pack_array(builder, steps)
        return array._getvalue()

    def boxed(self, kind: Any, value: Any) -> Any:
        """A Python object of what a kernel returned."""
        builder = self.builder
        if kind == types.none:
            none = self.global_object("_Py_NoneStruct")
            builder.call(self.outside("Py_IncRef", ir.VoidType(), OBJECT), [none])
            return none
        if kind == types.float64:
            return builder.call(self.outside("PyFloat_FromDouble", OBJECT, DOUBLE), [value])
        if kind == types.int64:
            return builder.call(self.outside("PyLong_FromLongLong", OBJECT, LONG), [value])
        if isinstance(kind, types.BaseTuple):
            out = builder.call(self.outside("PyTuple_New", OBJECT, LONG), [LONG(len(kind))])
            put = self.outside("PyTuple_SetItem", INT, OBJECT, LONG, OBJECT)
            for number, one in enumerate(kind.types):
                builder.call(put, [out, LONG(number), self.boxed(one, builder.extract_value(value, number))])
            return out
        raise NotImplementedError(f"{self.overload.kernel.address}: Python cannot take over {kind}")


def wrapper_text(overload: Any) -> str | None:
    """The C function of an entry point; None where it takes what Python does not have."""
    try:
        return Wrapper(overload).text()
    except NotImplementedError:
        return None


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


_METHODS: list[_Method] = []


def python_function(address: int, name: str, doc: str) -> Any:
    """The C function at an address as a function of Python."""
    method = _Method(name.encode(), address, FASTCALL, doc.encode())
    _METHODS.append(method)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    return make(ctypes.addressof(method), None, None)
