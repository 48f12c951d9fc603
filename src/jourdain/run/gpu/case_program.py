"""The program of one case: the records of a run as LLVM text, around the kernel that makes the steps.

A record is a table of words (`kernels.records`). What never changes (indices of the model, functions) becomes a
constant, so that the optimiser knows every size and every function, unrolls the loops over bodies and keeps the
workspace in registers. The floats of the model are read from the variable `FLOATS` of the program: one program serves
all models of a topology, and tables that name floats are constants too. What changes is private to the case.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir

from ...kernels.compiler import Overload
from ...kernels.compiling.numba_private import cgutils, make_array, target
from ...kernels.integrate.loop_records import Loop, Tape
from ...kernels.model_arrays import ModelArrays, Workspace
from ...kernels.records import ArrayField, NestedRecord, Record
from ..error_reporting import LAW_FAILED

LONG, DOUBLE, BYTE, BIT = ir.IntType(64), ir.DoubleType(), ir.IntType(8), ir.IntType(1)
POINTER = BYTE.as_pointer()
CONSTANT = ("M", "T", "R", "S", "U", "H")
"""Records that never change while a run goes on: model, task, method's table, stages, what contact calls, method."""
CASE = "jd_case"
STATE = ("q", "v", "z", "latched")
TAPE = ("time", "q", "v", "z", "effort", "energy")
KEPT = ("peaks", "flights")
"""Arrays of the workspace that are looked at after the run: what contacts asked of the step."""
NUMBERS = ("case", "start", "h", "steps", "every", "rows")
ARRAYS = ("p", *STATE, *(f"tape_{one}" for one in TAPE), *KEPT, "done")
"""Arguments of a program: numbers, then addresses of arrays whose first index is the case."""
FLOATS, CAPACITY = "jd_floats", 1 << 31
"""Name of the variable that has the model's floats, and bytes that it may have."""
ADDRESS = 1 << 32
"""Numbers in tables beyond this may be addresses."""


class Program:
    """Writes the function `CASE` for a run.

    run        its record, as `run.loop` makes it
    main       the kernel `device_case`
    called     functions that arrays name by their address
    same       whether the laws of all cases have the same parameters: many of them say where something is or how many
               there are, and as constants they give the loops of a law constant lengths
    """

    def __init__(self, run: Loop, main: Overload, called: dict[int, Overload], same: bool) -> None:
        self.run, self.main, self.known, self.same = run, main, called, same
        self.module = ir.Module(CASE)
        kinds = [LONG, DOUBLE, DOUBLE, LONG, LONG, LONG] + [POINTER] * len(ARRAYS)
        self.function = ir.Function(self.module, ir.FunctionType(ir.VoidType(), kinds), CASE)
        self.given = dict(zip((*NUMBERS, *ARRAYS), self.function.args, strict=True))
        self.builder = ir.IRBuilder(self.function.append_basic_block())
        self.place_of_floats = ir.GlobalVariable(self.module, ir.ArrayType(BYTE, CAPACITY), FLOATS)
        self.used: dict[str, Overload] = {}
        self.floats: list[np.ndarray] = []
        self.places: dict[int, Any] = {}
        self.kept: list[Any] = []

    def text(self) -> str:
        """The module."""
        run, builder = self.run, self.builder
        values = [self.table(run), *(self.given[name] for name in NUMBERS[1:5])]
        kinds = self.main.arguments[5:]
        for name, kind in zip(STATE, kinds, strict=False):
            size = run.__dict__[name].size
            values.append(self.array(kind, self.row(name, size), [1, size]))
        values.append(self.array(kinds[-1], self.row("done", 2), [2]))
        status, _ = target().call_conv.call_function(
            builder, self.named(self.main), self.main.returns, self.main.arguments, values
        )
        with builder.if_then(status.is_error, likely=False):  # a user's law failed
            builder.store(LONG(LAW_FAILED), builder.bitcast(self.row("done", 2), LONG.as_pointer()))
        builder.ret_void()
        return str(self.module)

    @property
    def numbers(self) -> np.ndarray:
        """What `FLOATS` is to hold."""
        return np.concatenate([np.zeros(0), *self.floats])

    def row(self, name: str, size: int) -> Any:
        """Address of what belongs to this case in an array with so many numbers a case."""
        return self.builder.gep(self.given[name], [self.builder.mul(self.given["case"], LONG(8 * size))])

    def named(self, one: Overload) -> Any:
        """A kernel's function; it is linked in."""
        self.used[one.symbol] = one
        kind = target().call_conv.get_function_type(one.returns, one.arguments)
        return cgutils.get_or_insert_function(self.module, kind, one.symbol)

    def array(self, kind: Any, data: Any, shape: list[int]) -> Any:
        """An array as Numba hands it over."""
        builder = self.builder
        out = make_array(kind)(target(), builder)
        steps = [8 * int(np.prod(shape[k + 1 :])) for k in range(len(shape))]
        out.meminfo, out.parent = ir.Constant(out.meminfo.type, None), ir.Constant(out.parent.type, None)
        out.nitems, out.itemsize = LONG(int(np.prod(shape))), LONG(8)
        out.data = builder.bitcast(data, out.data.type)
        out.shape = cgutils.pack_array(builder, [LONG(n) for n in shape])
        out.strides = cgutils.pack_array(builder, [LONG(n) for n in steps])
        return out._getvalue()

    def table(self, record: Record) -> Any:
        """Address of a record's table: a constant where all its words are."""
        if id(record) in self.places:
            return self.places[id(record)]
        self.kept.append(record)
        words: list[Any] = []
        for key, field in record.fields.items():
            value = record.__dict__[key]
            if isinstance(field, ArrayField):
                words += self.laid(record, key, value)
            elif value is None:
                words.append(ir.Constant(POINTER, None))
            else:
                words.append(
                    self.table(value) if isinstance(field, NestedRecord) else self.named(value).bitcast(POINTER)
                )
        found = self.places[id(record)] = self.words(type(record).__name__, words)
        return found

    def words(self, name: str, words: list[Any]) -> Any:
        """Address of a table of words."""
        if not any(isinstance(word, ir.Instruction | ir.Argument) for word in words):
            kind = ir.LiteralStructType([word.type for word in words])
            return self.constant(name, kind, words)
        builder = self.builder
        scratch = cgutils.alloca_once(builder, ir.ArrayType(LONG, len(words)), name=name)
        for number, word in enumerate(words):
            place = builder.gep(scratch, [LONG(0), LONG(number)])
            builder.store(word, builder.bitcast(place, word.type.as_pointer()))
        return builder.bitcast(scratch, POINTER)

    def constant(self, name: str, kind: Any, values: list[Any]) -> Any:
        """Address of a constant."""
        made = ir.GlobalVariable(self.module, kind, self.module.get_unique_name(name))
        made.global_constant, made.linkage, made.align = True, "internal", 8
        made.initializer = ir.Constant(kind, values)
        return made.bitcast(POINTER)

    def laid(self, record: Record, key: str, value: np.ndarray) -> list[Any]:
        """Address and shape of an array."""
        shape = [LONG(n) for n in value.shape]
        if isinstance(record, Tape):
            width = value.shape[1] if value.ndim == 2 else 1
            rows = self.builder.mul(self.given["case"], self.given["rows"])
            place = self.builder.gep(self.given[f"tape_{key}"], [self.builder.mul(rows, LONG(8 * width))])
            return [place, self.given["rows"], *shape[1:]]
        if not value.size:
            return [ir.Constant(POINTER, None), *shape]
        if isinstance(record, Workspace) and key in KEPT and record is self.run.ws:
            return [self.row(key, value.size), *shape]
        if isinstance(record, Workspace) and key == "control_workspaces":
            models, own = record.__dict__["owned"]
            pairs = [self.table(one) for pair in zip(models, own, strict=True) for one in pair]
            return [self.words("control_workspaces", pairs), *shape]
        if record is self.run and key == "p" and not self.same:
            return [self.row(key, value.size), *shape]
        if record.name not in CONSTANT and not (record is self.run and key == "p"):
            return [self.private(f"{type(record).__name__}.{key}", value.ravel()), *shape]
        if isinstance(record, ModelArrays) and value.dtype == np.float64:
            at = sum(one.size for one in self.floats)
            self.floats.append(value.ravel())
            return [self.place_of_floats.gep([LONG(0), LONG(8 * at)]), *shape]
        name = f"{type(record).__name__}.{key}"
        kind = DOUBLE if value.dtype == np.float64 else LONG
        return [self.constant(name, ir.ArrayType(kind, value.size), self.entries(value.ravel())), *shape]

    def entries(self, values: np.ndarray) -> list[Any]:
        """Numbers as constants; those that are addresses of functions as these."""
        if values.dtype == np.float64:
            return [DOUBLE(float(x)) for x in values]
        found = [self.known.get(int(x)) if abs(int(x)) > ADDRESS else None for x in values]
        return [LONG(int(x)) if one is None else self.named(one).ptrtoint(LONG) for x, one in zip(values, found)]

    def private(self, name: str, values: np.ndarray) -> Any:
        """Address of an array of the case's own, which begins with the given numbers."""
        builder, kind = self.builder, DOUBLE if values.dtype == np.float64 else LONG
        size = LONG(8 * values.size)
        place = builder.bitcast(cgutils.alloca_once(builder, ir.ArrayType(kind, values.size), name=name), POINTER)
        if np.any(values != 0):
            start = self.constant(f"{name}.start", ir.ArrayType(kind, values.size), self.entries(values))
            self.outside("llvm.memcpy.p0.p0.i64", (POINTER, POINTER, LONG, BIT), place, start, size, BIT(0))
        else:
            self.outside("llvm.memset.p0.i64", (POINTER, BYTE, LONG, BIT), place, BYTE(0), size, BIT(0))
        self.laws_behind(place, values)
        return place

    def laws_behind(self, place: Any, values: np.ndarray) -> None:
        """Puts the addresses of functions where an array of floats has them as numbers, as a sampled law has."""
        builder = self.builder
        known = {float(address): one for address, one in self.known.items()}
        for number in np.flatnonzero(np.abs(values) > ADDRESS) if values.dtype == np.float64 else ():
            one = known.get(float(values[number]))
            if one is not None:
                address = builder.sitofp(builder.ptrtoint(self.named(one), LONG), DOUBLE)
                entry = builder.gep(place, [LONG(8 * int(number))])
                builder.store(address, builder.bitcast(entry, DOUBLE.as_pointer()))

    def outside(self, name: str, kinds: tuple[Any, ...], *values: Any) -> None:
        """Calls a function of LLVM's own."""
        function = cgutils.get_or_insert_function(self.module, ir.FunctionType(ir.VoidType(), kinds), name)
        self.builder.call(function, values)
