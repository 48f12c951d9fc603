"""Functions that a user wrote, compiled with checked indices.

In the package's own kernels an index is trusted: it is never negative and never outside. In a user's function it means
what it means in Python: a negative one counts from the end, and one outside the array stops the run (`user_errors`). So
its arrays are of other types (`user_types`), and it is compiled with Numba's bounds checks; what a check does is ours,
because it has to say which law, which array and which index. Functions that a user compiled with `numba.njit`, and that
a law calls, are compiled again with these checks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core.errors import TypingError

from .compiler import FASTMATH, Kernel, Overload
from .compiling import object_code
from .compiling.descriptors import descriptor_of
from .compiling.disk_cache import LoweredKernel
from .compiling.numba_private import (
    CompilerBase,
    Dispatcher,
    Lower,
    NativeLowering,
    cgutils,
    flags_of,
    global_compiler_lock,
    lowered,
    make_array,
    passes,
    patched,
    register_pass,
    types,
)
from .compiling.type_strings import plain, spelt
from .user_errors import INDEX_OUTSIDE, LAW_STOPPED, SIGNATURES, Site, law_number, registered, site_number
from .user_types import user_type

LONG, FAILS = ir.IntType(64), ir.IntType(32)(1)
"""A word; what a function returns that leaves an exception."""
GETS, SETS = ("getitem", "static_getitem", "typed_getitem"), ("SetItem", "StaticSetItem")
"""Instructions of Numba that look at entries, and classes of those that change some."""
UNCHECKED = "its indices cannot be checked; write it as a function of its own, with @numba.njit"


# ---------------------------------------------------------------------- what a check does

_LOWERING: list[tuple[Any, Any]] = []
"""Functions of a user's that are being lowered, innermost last, each with its instruction."""
_NUMBAS_OWN: Callable = cgutils.do_boundscheck


def check_index(context: Any, builder: Any, index: Any, entries: Any, axis: Any = None) -> None:
    """In the place of Numba's check: leaves the function where an index, counted from the start, is outside."""
    lower, instruction = _LOWERING[-1] if _LOWERING else (None, None)
    if lower is None or lower.builder is not builder:
        _NUMBAS_OWN(context, builder, index, entries, axis)
        return
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, entries)):
        below = builder.icmp_signed("<", index, index.type(0))
        written = builder.select(below, builder.sub(index, entries), index)
        call_conv = context.call_conv
        failed = call_conv._get_excinfo_argument(builder.function)
        site = site_number(lower.site_of(instruction))
        _outside(builder, INDEX_OUTSIDE, failed, LONG(site), written, entries)
        caught = getattr(builder, "_in_try_block", None)
        if caught:
            builder.branch(caught["target"])
        else:
            builder.ret(FAILS)


def _outside(builder: Any, name: str, failed: Any, *values: Any) -> None:
    """Calls one of the functions of `user_errors`."""
    function = cgutils.get_or_insert_function(builder.module, SIGNATURES[name], name)
    builder.call(function, [builder.bitcast(failed, SIGNATURES[name].args[0]), *values])


class UserLower(Lower):
    """Numba's, which knows where an array is indexed."""

    def lower_inst(self, inst: Any) -> None:
        self.refuse(inst)
        _LOWERING.append((self, inst))
        try:
            self.check_tuple(inst)
            self.check_operands(inst)
            super().lower_inst(inst)
        finally:
            _LOWERING.pop()

    def check_tuple(self, inst: Any) -> None:
        """Checks an index of a tuple that is not a constant, as that of an array."""
        value: Any = getattr(inst, "value", None)
        if getattr(value, "op", "") != "getitem" or not isinstance(self.typeof(value.value.name), types.BaseTuple):
            return
        kind = self.typeof(value.index.name)
        if isinstance(kind, types.Integer):
            builder, entries = self.builder, LONG(len(self.typeof(value.value.name)))
            index = self.context.cast(builder, self.loadvar(value.index.name), kind, types.intp)
            below = builder.icmp_signed("<", index, LONG(0))
            index = builder.select(below, builder.add(index, entries), index)
            check_index(self.context, builder, index, entries)

    def check_operands(self, inst: Any) -> None:
        """Checks that what is written into an array in place has its shape, or is broadcast onto it: Numba takes what
        comes behind in memory, or leaves some out."""
        value: Any = getattr(inst, "value", None)
        names: list[Any] = []
        if getattr(value, "op", "") == "inplace_binop":
            names = [value.lhs, value.rhs]
        elif getattr(value, "op", "") == "call":
            function = getattr(self.typeof(value.func.name), "typing_key", None)
            if isinstance(function, np.ufunc) and len(value.args) > function.nin:
                names = [value.args[function.nin], *value.args[: function.nin]]
        kinds = [self.typeof(one.name) for one in names]
        if not kinds or not isinstance(kinds[0], types.Array):
            return
        shapes = [
            cgutils.unpack_tuple(
                self.builder, make_array(kind)(self.context, self.builder, self.loadvar(one.name)).shape
            )
            for one, kind in zip(names, kinds, strict=True)
            if isinstance(kind, types.Array)
        ]
        wanted, *others = shapes
        for other in others:
            if len(other) > len(wanted):
                raise TypingError(f"{len(other)} dimensions cannot be broadcast onto {len(wanted)}", inst.loc)
            for had, has in zip(wanted[len(wanted) - len(other) :], other, strict=True):
                builder = self.builder
                differ = builder.and_(builder.icmp_signed("!=", has, had), builder.icmp_signed("!=", has, LONG(1)))
                with cgutils.if_unlikely(builder, differ):
                    message = ("operands could not be broadcast together: an array is changed by one of another shape",)
                    self.context.call_conv.return_user_exc(
                        builder, ValueError, message, inst.loc, self.func_ir.func_id.func_name
                    )

    def refuse(self, inst: Any) -> None:
        """Refuses what reaches into memory unchecked: `array.flat[k]`, `as_strided`, universal functions."""
        indexed = self.indexed(inst)
        if indexed is not None and isinstance(self.typeof(indexed.name), types.NumpyFlatType):
            raise TypingError(f"{self.named(indexed)}[...]: {UNCHECKED.partition(';')[0]}; index the array", inst.loc)
        value: Any = getattr(inst, "value", None)
        given = type(value).__name__ in ("Global", "FreeVar")
        if given and type(value.value).__module__.startswith("numba.np.ufunc"):
            raise TypingError(f"{value.name} is a universal function of a user's: {UNCHECKED}", inst.loc)
        if getattr(value, "op", "") == "call":
            function = getattr(self.typeof(value.func.name), "typing_key", None)
            if function is np.lib.stride_tricks.as_strided:
                raise TypingError(f"as_strided: {UNCHECKED.partition(';')[0]}; index the array", inst.loc)

    @staticmethod
    def indexed(inst: Any) -> Any:
        """The variable whose entries an instruction looks at or changes, None of another one."""
        if type(inst).__name__ in SETS:
            return inst.target
        value: Any = getattr(inst, "value", None)
        return value.value if getattr(value, "op", "") in GETS else None

    def site_of(self, inst: Any) -> Site:
        """Where an instruction indexes, and what."""
        variable = self.indexed(inst)
        name = "an array" if variable is None else self.named(variable)
        if name == "an array" and variable is not None and isinstance(self.typeof(variable.name), types.BaseTuple):
            name = "a tuple"
        return Site(name, self.func_ir.func_id.func_name, inst.loc.filename, inst.loc.line)

    def named(self, variable: Any) -> str:
        """A variable in the words of the source, as far as Numba knows them."""
        name, code = variable.unversioned_name, self.func_ir.func_id.code
        if name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars, *code.co_names):
            return name
        try:
            found = self.func_ir.get_definition(variable)
        except KeyError:
            return "an array"
        if getattr(found, "op", "") in GETS:
            return f"{self.named(found.value)}[...]"
        if getattr(found, "op", "") == "getattr":
            return f"{self.named(found.value)}.{found.attr}"
        return str(found.name) if type(found).__name__ in ("Arg", "FreeVar", "Global") else "an array"


@register_pass(mutates_CFG=True, analysis_only=False)
class CheckedLowering(NativeLowering):
    """Numba's, with checks."""

    _name = "jourdain_checked_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        return UserLower


class CheckedCompiler(CompilerBase):
    """Numba's passes, of a law and of what it calls."""

    def define_pipelines(self) -> list[Any]:
        return passes(self.state, CheckedLowering)


# ---------------------------------------------------------------------- functions that a law calls

_CHECKED: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
SAME_OPTIONS = ("fastmath", "error_model", "inline", "forceinline", "_nrt")
"""Options of a user's compiled function that its checked copy has too: it is never parallel, or cached on disk."""


def checked_copy(function: Any) -> Any:
    """A function compiled by `numba.njit`, compiled with checks."""
    found = _CHECKED.get(function)
    if found is None:
        options = {name: value for name, value in function.targetoptions.items() if name in SAME_OPTIONS}
        found = njit(**options, boundscheck=True, pipeline_class=CheckedCompiler)(function.py_func)
        _CHECKED[function] = _CHECKED[found] = found
        if not function._can_compile:  # for the types that it names, and no others
            for signature in function.nopython_signatures:
                found.compile(signature)
            found.disable_compile()
    return found


def checked() -> Any:
    """While this lasts compiled functions are typed as their checked copies, and Numba's checks are ours."""
    registered()
    return patched(
        (cgutils, "do_boundscheck", check_index),
        (Dispatcher, "_numba_type_", property(lambda function: types.Dispatcher(checked_copy(function)))),
    )


# ---------------------------------------------------------------------- kernels of a user's


class UserKernel(Kernel):
    """A function of a user's.

    law     number of the law that it is, where that is to be known when it fails
    timed   whether its first argument is the time
    """

    def __init__(self, function: Callable, linkage: str, law: str = "", timed: bool = False) -> None:
        super().__init__(function, linkage, allocates=True)
        self.law, self.timed = law_number(law) if law else -1, timed

    def overload(self, arguments: tuple[Any, ...]) -> UserOverload:
        """It for types of arguments."""
        kinds = tuple(plain(one) if self.linkage == "user" else user_type(plain(one)) for one in arguments)
        found = self.overloads.get(kinds)
        if found is None:
            with global_compiler_lock:
                found = self.overloads.get(kinds)
                if found is None:
                    found = self.overloads[kinds] = UserOverload(self, kinds)
        return cast(UserOverload, found)


class UserOverload(Overload):
    """A user's function for types of arguments; never cached on disk."""

    kernel: UserKernel

    def ir(self) -> tuple[Any, Any]:
        """Its LLVM IR, and the type of its result."""
        flags = flags_of(inline=self.kernel.inline, allocates=True, fastmath=FASTMATH)
        flags.boundscheck = True
        with global_compiler_lock, checked():
            return lowered(self.kernel.py_func, self.arguments, self.symbol, flags, CheckedCompiler)

    def _lower(self) -> LoweredKernel:
        library, found = self.ir()
        self.libraries, self.result = library.libraries, plain(found)
        inlined, external = (list(map(descriptor_of, found.values())) for found in (library.inlined, library.external))
        code = object_code.simplified(library.text, object_code.this_machine())
        return LoweredKernel(code, inlined, external, spelt(self.result))

    def lower_call(self, context: Any, builder: Any, values: Any) -> Any:
        """Writes a call of it; where it fails, it is said which law that is, and when."""
        if self.kernel.law < 0:
            return super().lower_call(context, builder, values)
        call_conv = context.call_conv
        function = cgutils.get_or_insert_function(
            builder.module, call_conv.get_function_type(self.returns, self.arguments), self.symbol
        )
        context.active_code_library.inlined[self.symbol] = self
        status, result = call_conv.call_function(builder, function, self.returns, self.arguments, values)
        with cgutils.if_unlikely(builder, status.is_error):
            failed = call_conv._get_excinfo_argument(builder.function)
            builder.store(status.excinfoptr, failed)
            _outside(builder, LAW_STOPPED, failed, LONG(self.kernel.law), self.time_of(builder, values))
            builder.ret(status.code)
        return result

    def time_of(self, builder: Any, values: Any) -> Any:
        """The time that it is called with, not-a-number where it is not known."""
        if not self.kernel.timed:
            return ir.DoubleType()(math.nan)
        real = self.arguments[0] == types.float64
        return values[0] if real else builder.extract_value(values[0], 0)
