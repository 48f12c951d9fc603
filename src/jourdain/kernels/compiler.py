"""The decorators under every kernel.

    kernel   inlined wherever it is called
    called   linked into whatever calls it, and called there: large, or called from many places of one unit
    unit     compiled once, and called by its symbol: what many call, or what is large
    part     a unit that only some models need, called through a cell that is filled for those
    gate     a unit that Python calls too

A kernel is never optimised or turned into machine code by itself: a unit links what it calls, is optimised once and
kept on disk (`compiling`). A unit is compiled when it is first needed. Kernels never allocate and never raise.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm
from numba import njit, typeof
from numba.extending import register_model, typeof_impl

from .compiling import object_code
from .compiling.argument_types import features_of, imaginary, kind_of, promised, seldom_collected
from .compiling.compile_log import TELLING
from .compiling.descriptors import beside, store, told_of, unit_of
from .compiling.disk_cache import LoweredKernel, Unit, module_hash
from .compiling.numba_private import (
    Lines,
    cgutils,
    flags_of,
    global_compiler_lock,
    inserted,
    lowered,
    models,
    modules_of,
    signature_of,
    types,
)
from .compiling.parallel_compilation import prepare
from .compiling.python_calls import process_symbols, python_function, wrapper_text
from .compiling.type_strings import UnnamedType, plain, read, spelt
from .interpreter import INTERPRETED, plain_kernel
from .records import POINTER
from .records import called as call
from .signatures import signature

FASTMATH = {"contract", "arcp", "nsz"}
"""Those parts of fast-math that cannot hide a not-a-number."""


class Kernel:
    """A function of the compiled loop.

    py_func    as it was written
    way        "kernel", "called", "unit", "part", "gate" or "user"
    feature    of a part: the feature of a model that needs it, "flexible" say
    returns    of a part: what its result is made of, see `part`
    allocates  whether it may make arrays, as a user's function may
    """

    straight = False  # see `straight`
    complex_too = False

    def __init__(
        self, function: Callable, way: str, feature: str = "", returns: Any = None, allocates: bool = False
    ) -> None:
        self.py_func, self.way, self.feature, self.returns = function, way, feature, returns
        self.allocates = allocates
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        self.__wrapped__ = function
        self.inline = way == "kernel"
        self.overloads: dict[tuple[Any, ...], Overload] = {}
        self.met: dict[tuple[Any, ...], Overload] = {}
        self.complex_func: Callable | None = None
        self.last: tuple[Any, int, frozenset[str]] | None = None
        self.compiled: dict[frozenset[str], Overload] = {}

    def of_complex(self, function: Callable) -> Kernel:
        """Lets another function stand for it where an argument is complex."""
        self.complex_func = function
        return self

    @property
    def address(self) -> str:
        """Where it is written: module and name."""
        return f"{self.__module__}:{self.__name__}"

    @cached_property
    def signatures(self) -> list[tuple[Any, tuple[Any, ...]]]:
        """Types of the result and of the arguments that its annotations name: of floats, then of complex numbers."""
        return [signature(self.py_func, wide) for wide in (False, True)[: 1 + self.complex_too]]

    def entry(self) -> Overload:
        """It for the types that its annotations name; nothing is compiled yet."""
        return self.overload(self.signatures[0][1])

    def ready(self, features: Iterable[str] = ()) -> Overload:
        """That, compiled, with the optional kernels that models with these features need."""
        features = frozenset(features)
        found = self.compiled.get(features)
        if found is None:
            found = self.compiled[features] = self.entry().ready(features)
        return found

    def overload(self, arguments: tuple[Any, ...]) -> Overload:
        """It for types of arguments."""
        arguments = tuple(plain(one) for one in arguments)
        found = self.overloads.get(arguments)
        if found is None:
            with global_compiler_lock:
                found = self.overloads.get(arguments)
                if found is None:
                    found = self.overloads[arguments] = Overload(self, arguments)
        return found

    def __repr__(self) -> str:
        return f"<{self.way} {self.address}>"

    def __reduce__(self) -> str:
        return self.__name__

    def __call__(self, *arguments: Any) -> Any:
        if self.last is not None:  # as the last call was, with a model of the same features: checked by the C function
            python, at, features = self.last
            try:
                if arguments[at].features is features:
                    return python(*arguments)
            except (AttributeError, IndexError, TypeError):
                pass
        return self._called(arguments)

    def _called(self, arguments: tuple[Any, ...]) -> Any:
        """Calls it from Python."""
        if self.way != "entry_point":
            raise TypeError(f"{self.__name__} is for other kernels to call; in Python take {self.__name__}.py_func")
        kinds = tuple([kind_of(one) for one in arguments])
        entry = self.met.get(kinds)
        if entry is None:
            entry = self.overload(tuple(typeof(one) for one in arguments))
            if None not in kinds:
                self.met[kinds] = entry
        entry.ready(features_of(arguments))
        if entry.python is None:
            entry.python = by_numba(self)
        else:
            models = [k for k, one in enumerate(arguments) if hasattr(one, "features")]
            self.last = (entry.python, models[0], arguments[models[0]].features) if len(models) == 1 else None
        return entry.python(*arguments)


def _decorated(function: Callable, way: str, *more: Any) -> Any:
    """A kernel; in the interpreter (`interpreter.py`) the function as it was written, for debuggers."""
    return plain_kernel(function) if INTERPRETED else Kernel(function, way, *more)


def kernel(function: Callable) -> Any:
    """A function that other kernels call, inlined there."""
    return _decorated(function, "kernel")


def outlined_kernel(function: Callable) -> Any:
    """A function that other kernels call, linked in beside them; LLVM decides whether it is inlined."""
    return _decorated(function, "called")


def separate_kernel(function: Callable) -> Any:
    """A function that other kernels call, compiled once for all of them."""
    return _decorated(function, "unit")


def scalar_kernel(function: Callable) -> Any:
    """A unit of long straight algebra: with 32 registers it is faster number by number than packed into vectors."""
    made = separate_kernel(function)
    made.straight = True
    return made


def entry_point(function: Callable) -> Any:
    """A unit that Python calls too, or that a record holds the address of; its annotations name types of arguments."""
    made = _decorated(function, "entry_point")
    ENTRY_POINTS.append(made)
    return made


def complex_entry_point(function: Callable) -> Any:
    """An entry point for complex numbers too."""
    made = entry_point(function)
    made.complex_too = True
    return made


def optional_kernel(feature: str, returns: Any = None) -> Callable[[Callable], Any]:
    """A unit for models with a feature only; the others neither compile nor call it.

    returns    None; 1 for a number; Motion; (Vec3, Mat3, 1), or (3, 9) where they are tuples: so that callers need not
               know its lines
    """
    FEATURES.add(feature)
    return lambda function: _decorated(function, "part", feature, returns)


ENTRY_POINTS: list[Any] = []
"""Entry points of the imported modules."""
FEATURES: set[str] = set()
"""Features that parts of the imported kernels are for."""


class Overload:
    """A kernel for types of arguments: its lines, its machine code, its address."""

    def __init__(self, kernel: Kernel, arguments: tuple[Any, ...]) -> None:
        self.kernel, self.arguments = kernel, arguments
        try:
            told = "".join(spelt(one) for one in arguments)
            self.spelling: str | None = told
        except UnnamedType:
            told, self.spelling = ",".join(one.name for one in arguments), None
        module = kernel.__module__.rpartition("kernels.")[2]
        seen = {module, *(one.cls.__module__.rpartition("kernels.")[2] for one in arguments if hasattr(one, "cls"))}
        sources = " ".join(module_hash(one) for one in sorted(seen))  # its own, and those of its records
        digest = hashlib.sha256(f"{told} {sources}".encode()).hexdigest()[:10]
        own = f"{id(kernel):x}." if kernel.allocates else ""
        self.symbol = f"jd.{module}.{kernel.__name__}.{own}{digest}"
        self.lowered: LoweredKernel | None = None
        self.foreign: list[Any] = []
        self.stored: Unit | None = None
        self.address = 0
        self.cell: Any = None
        self.python: Any = None
        self.filled: set[frozenset[str]] = set()
        self.result: Any = None
        key = self
        inserted(key, self._lower_call, arguments)

    @property
    def returns(self) -> Any:
        """Type of its result; where that is not known yet, it is read from disk or the kernel is lowered."""
        if self.result is None:
            self.result = self.promised
        if self.result is None:
            if self.kernel.way == "unit" and self.find() is not None:
                self.result = read(self.stored.returns)[0]  # type: ignore[union-attr]
            else:
                self.lower()
        return self.result

    @cached_property
    def promised(self) -> Any:
        """Type of its result as the kernel's decorator or its annotations say it; None where they do not."""
        if self.kernel.way == "part":
            return promised(self.kernel.returns, self.arguments)
        said = "return" in self.kernel.py_func.__annotations__
        if self.kernel.way != "entry_point" or self.kernel.allocates or not said:
            return None
        known = dict((arguments, returns) for returns, arguments in self.kernel.signatures)
        return known.get(self.arguments)

    @cached_property
    def signature(self) -> Any:
        """As Numba writes it."""
        return signature_of(self.returns, *self.arguments)

    @property
    def kept(self) -> bool:
        """Whether it is kept on disk: it is of the package, and its types mean the same in every process."""
        return self.spelling is not None and not self.kernel.allocates

    def lower(self) -> LoweredKernel:
        """Its own lines, from disk or typed by Numba; a kernel that another process is at is waited for."""
        if self.lowered is None and self.kept:
            self.lowered = store().read(self.symbol, LoweredKernel)
        if self.lowered is None and self.kept:
            with store().alone(f"{self.symbol}.lines"):
                self.lowered = store().read(self.symbol, LoweredKernel) or self._lower()
        if self.lowered is None:
            self.lowered = self._lower()
        if self.result is None:
            self.result = read(self.lowered.returns)[0]
        return self.lowered

    def _lower(self) -> LoweredKernel:
        flags = flags_of(inline=self.kernel.inline, allocates=self.kernel.allocates, fastmath=FASTMATH)
        function = self.kernel.py_func
        if self.kernel.complex_func is not None and imaginary(self.arguments):
            function = self.kernel.complex_func
        lines, descriptor = lowered(function, self.arguments, self.symbol, flags)
        result = plain(descriptor.restype)
        if self.promised not in (None, result):
            raise TypeError(f"{self.kernel.address} returns {result}, not {self.promised} as it says")
        code = object_code.simplified(lines.text, object_code.this_machine())
        if self.kept and lines.foreign:
            code = object_code.with_others(code, [modules_of(one).clone() for one in lines.foreign], self.symbol)
        else:
            self.foreign = lines.foreign
        inner, outside = ([told_of(one) for one in found.values()] for found in (lines.inner, lines.outside))
        self.result = result
        made = LoweredKernel(code, inner, outside, spelt(result))
        if self.kept and all(told[1] or not unit_of(told).arguments for told in inner + outside):
            store().write(self.symbol, made)
        return made

    def module(self) -> Any:
        """Its own lines as LLVM has them; what came from disk and is no bitcode is made again."""
        try:
            return llvm.parse_bitcode(self.lower().code)
        except RuntimeError:
            if not (self.kept and store().forget(self.symbol, LoweredKernel)):
                raise
            self.lowered = None
            return llvm.parse_bitcode(self.lower().code)

    def _lower_call(self, context: Any, builder: Any, signature: Any, values: Any) -> Any:
        """How a call of it is written into the lines of a caller."""
        lines = context.active_code_library
        kinds, returns = self.arguments, self.returns
        if not isinstance(lines, Lines):  # a user's own compiled function
            address = context.add_dynamic_addr(builder, called_elsewhere(self), info=self.symbol)
            return call(context, builder, address, returns, kinds, values)
        if self.kernel.way == "part":
            name = f"{self.symbol}.cell"
            lines.outside[self.symbol] = self
            cell = builder.module.globals.get(name)
            if cell is None:
                cell = cgutils.add_global_variable(builder.module, POINTER, name)
            return call(context, builder, builder.load(cell), returns, kinds, values)
        kind = context.call_conv.get_function_type(returns, kinds)
        function = cgutils.get_or_insert_function(builder.module, kind, self.symbol)
        (lines.inner if self.kernel.way in ("kernel", "called") else lines.outside)[self.symbol] = self
        status, result = context.call_conv.call_function(builder, function, returns, kinds, values)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    def find(self) -> Unit | None:
        """Its machine code from disk, where it is there."""
        if self.stored is None and self.kept:
            self.stored = store().read(self.symbol, Unit)
        return self.stored

    def build(self) -> Unit:
        """Its machine code."""
        if self.find() is None:
            with store().alone(self.symbol):
                if self.find() is None:
                    name = f"law {self.kernel.__name__}" if self.kernel.allocates else self.kernel.__name__
                    with TELLING.one(name), seldom_collected():
                        self.stored = self._compile()
                    if self.kept:
                        store().write(self.symbol, self.stored)
        assert self.stored is not None
        return self.stored

    def _compile(self) -> Unit:
        inner, machine, exported = reached(self), object_code.this_machine(), {self.symbol}
        modules = [one.module() for one in inner]
        if self.kernel.way == "entry_point":
            text = wrapper_text(self)
            if text is not None:
                modules.insert(0, llvm.parse_assembly(text))
                exported.add(f"{self.symbol}.python")
        foreign = list({id(library): library for one in inner for library in one.foreign}.values())
        whole = object_code.linked(modules + [modules_of(library).clone() for library in foreign], exported)
        if self.kept and object_code.bound_to_this_process(whole):
            raise TypeError(f"{self.kernel.address} has addresses of this process in its code and cannot be kept")
        object_code.optimised(
            whole, machine, packs=not (self.kernel.straight and object_code.is_roomy(object_code.host()[1]))
        )
        return Unit(machine.emit_object(whole), sorted(exported), *beside(whole, inner), spelt(self.returns))

    def load(self) -> None:
        """Brings it into memory, with all that it calls."""
        if self.address:
            return
        try:
            self._load(self.build())
        except RuntimeError:
            if not (self.kept and store().forget(self.symbol, Unit)):
                raise
            self.stored = None
            self._load(self.build())

    def _load(self, built: Unit) -> None:
        imported = {name: llvm.address_of_symbol(name) or 0 for name in built.imported}
        imported = {name: address for name, address in imported.items() if address}
        imported |= process_symbols(built.imported)
        for told in built.units:
            other = unit_of(told)
            other.load()
            imported[told[2]] = other.address
        for told in built.parts:
            other = unit_of(told)
            if other.cell is None:
                other.cell = object_code.cell()
            imported[f"{told[2]}.cell"] = object_code.place_of(other.cell)
        addresses = object_code.loader().load(built.code, imported, built.exported)
        self.address = addresses[self.symbol]
        if f"{self.symbol}.python" in addresses:
            name, doc = self.kernel.__name__, self.kernel.__doc__ or ""
            self.python = python_function(addresses[f"{self.symbol}.python"], name, doc)

    def ready(self, features: frozenset[str]) -> Overload:
        """In memory, with the parts that models with these features need; of several threads one sees to it."""
        if features not in self.filled:
            with global_compiler_lock:
                if not self.address and self.kept:
                    prepare([(self, features)])
                begun: dict[str, Overload] = {}
                self._fill(features, begun)
                for one in begun.values():
                    one.filled.add(features)
        return self

    def _fill(self, features: frozenset[str], begun: dict[str, Overload]) -> None:
        if features in self.filled or self.symbol in begun:
            return
        begun[self.symbol] = self
        self.load()
        assert self.stored is not None
        for told in self.stored.units:
            unit_of(told)._fill(features, begun)
        for told in self.stored.parts:
            other = unit_of(told)
            if other.kernel.feature in features:
                other._fill(features, begun)
                other.cell.value = other.address


def reached(first: Overload) -> list[Overload]:
    """An overload and all that are linked into it, callers before what they call."""
    known = {first.symbol: first}
    waiting = [first]
    while waiting:
        one = waiting.pop()
        for told in one.lower().inner:
            if told[2] not in known:
                known[told[2]] = unit_of(told)
                waiting.append(known[told[2]])
    return list(known.values())


def by_numba(entry_point: Kernel) -> Any:
    """A gate behind a wrapper of Numba's, for arguments that ours does not take apart, such as tuples."""

    def call(*arguments):
        return entry_point(*arguments)

    return njit(call)


_NEEDED: set[str] = set()
_ELSEWHERE: list[Overload] = []


def need(features: Iterable[str]) -> None:
    """Says that a user's own compiled functions will be called with models of these features."""
    _NEEDED.update(features)
    for one in _ELSEWHERE:
        one.ready(frozenset(_NEEDED))


def called_elsewhere(one: Overload) -> int:
    """Address of a kernel that a user's own compiled function calls; it has all parts that were said to be needed."""
    _ELSEWHERE.append(one)
    return one.ready(frozenset(_NEEDED)).address


class KernelType(types.Callable, types.Dummy):
    """The Numba type of a kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        super().__init__(f"kernel {kernel.address} {id(kernel):x}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            args = inspect.signature(self.kernel.py_func).bind(*args, **dict(kws)).args
        found = self.kernel.overload(tuple(args))
        return signature_of(found.returns, *found.arguments)

    def get_call_signatures(self) -> Any:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        return self.kernel.overload(sig.args)


register_model(KernelType)(models.OpaqueModel)


@typeof_impl.register(Kernel)
def typeof_kernel(value: Any, c: Any) -> KernelType:
    return KernelType(value)
