"""The decorators under every kernel.

    kernel             inlined wherever it is called
    outlined_kernel    linked into whatever calls it, and called there: large, or called from many places
    separate_kernel    a compilation unit of its own, called by its symbol: what many call, or what is large
    scalar_kernel      a separate kernel whose arithmetic is not vectorised
    optional_kernel    a separate kernel that only models with a feature need, called through a cell with its address
    entry_point        a separate kernel that Python calls too

A kernel is never optimised or turned into machine code by itself: a compilation unit links what it inlines, is
optimised once and cached on disk (`compiling`). It is compiled when it is first needed. Kernels never allocate and
never raise.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm
from numba import njit, typeof
from numba.extending import lower_builtin, register_model, typeof_impl

from .compiling import object_code
from .compiling.argument_types import features_of, has_complex, kind_of, optional_result, rare_garbage_collection
from .compiling.compile_log import COMPILE_LOG
from .compiling.descriptors import dependencies, descriptor_of, overload_of, store
from .compiling.disk_cache import LoweredKernel, Unit, module_hash
from .compiling.numba_private import (
    IRLibrary,
    cgutils,
    flags_of,
    global_compiler_lock,
    lowered,
    models,
    module_of,
    signature_of,
    target,
    types,
)
from .compiling.parallel_compilation import prepare
from .compiling.python_calls import process_symbols, python_function, wrapper_text
from .compiling.type_strings import UnnamedType, plain, read, spelt
from .interpreter import INTERPRETED, plain_kernel
from .records import POINTER, call_of
from .records import called as call
from .signatures import signature

FASTMATH = {"contract", "arcp", "nsz"}
"""Those parts of fast-math that cannot hide a not-a-number."""


LINEAR_ALGEBRA, NEWTON = f"{__package__}.linalg.", f"{__package__}.integrate.newton"
"""Where the kernels are whose loops are long."""


class Kernel:
    """A function of the compiled loop.

    py_func    as it was written
    linkage    "inlined", "outlined", "separate", "optional", "entry point" or "user"
    feature    of an optional kernel: the feature of a model that needs it, "flexible" say
    returns    of an optional kernel: what its result is made of, see `optional_kernel`
    allocates  whether it may make arrays, as a user's function may
    """

    scalar = False
    """Whether its arithmetic stays as it is, number by number (`scalar_kernel`)."""
    complex_too = False
    """Whether it is an entry point for complex numbers too."""

    def __init__(
        self, function: Callable, linkage: str, feature: str = "", returns: Any = None, allocates: bool = False
    ) -> None:
        self.py_func, self.linkage, self.feature, self.returns = function, linkage, feature, returns
        self.allocates = allocates
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        self.__wrapped__ = function
        self.inline = linkage == "inlined"
        self.overloads: dict[tuple[Any, ...], Overload] = {}
        self.by_kinds: dict[tuple[Any, ...], Overload] = {}
        self.complex_func: Callable | None = None
        self.last: tuple[Any, int, frozenset[str]] | None = None
        self.compiled: dict[frozenset[str], Overload] = {}
        self.first: Overload | None = None

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
        if self.first is None:
            self.first = self.overload(self.signatures[0][1])
        return self.first

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
        return f"<{self.linkage} {self.address}>"

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
        if self.linkage != "entry point":
            raise TypeError(f"{self.__name__} is for other kernels to call; in Python take {self.__name__}.py_func")
        kinds = tuple([kind_of(one) for one in arguments])
        entry = self.by_kinds.get(kinds)
        if entry is None:
            entry = self.overload(tuple(typeof(one) for one in arguments))
            if None not in kinds:
                self.by_kinds[kinds] = entry
        entry.ready(features_of(arguments))
        if entry.python is None:
            entry.python = numba_call(self)
        else:
            models = [k for k, one in enumerate(arguments) if hasattr(one, "features")]
            self.last = (entry.python, models[0], arguments[models[0]].features) if len(models) == 1 else None
        return entry.python(*arguments)


def _decorated(function: Callable, linkage: str, *more: Any) -> Any:
    """A kernel; in the interpreter (`interpreter.py`) the function as it was written, for debuggers."""
    return plain_kernel(function) if INTERPRETED else Kernel(function, linkage, *more)


def kernel(function: Callable) -> Any:
    """A function that other kernels call, inlined there."""
    return _decorated(function, "inlined")


def outlined_kernel(function: Callable) -> Any:
    """A function that other kernels call, linked in beside them; LLVM decides whether it is inlined."""
    return _decorated(function, "outlined")


def separate_kernel(function: Callable) -> Any:
    """A function that other kernels call, compiled once for all of them."""
    return _decorated(function, "separate")


def scalar_kernel(function: Callable) -> Any:
    """A separate kernel of long algebra without loops: with 32 registers it is faster scalar than vectorised."""
    made = separate_kernel(function)
    made.scalar = True
    return made


def entry_point(function: Callable) -> Any:
    """A separate kernel that Python calls too, or that a record holds the address of; its annotations are its types."""
    made = _decorated(function, "entry point")
    ENTRY_POINTS.append(made)
    return made


def complex_entry_point(function: Callable) -> Any:
    """An entry point for complex numbers too."""
    made = entry_point(function)
    made.complex_too = True
    return made


def optional_kernel(feature: str, returns: Any = None) -> Callable[[Callable], Any]:
    """A separate kernel for models with a feature only; the others neither compile nor call it.

    returns    None; 1 for a number; int; Motion; (Vec3, Mat3, 1), or (3, 9) where they are tuples: so that callers are
               typed without it
    """
    FEATURES.add(feature)
    return lambda function: _decorated(function, "optional", feature, returns)


ENTRY_POINTS: list[Any] = []
"""Entry points of the imported modules."""
FEATURES: set[str] = set()
"""Features that optional kernels of the imported modules are for."""


class Overload:
    """A kernel for types of arguments: its LLVM IR, its machine code, its address."""

    def __init__(self, kernel: Kernel, arguments: tuple[Any, ...]) -> None:
        self.kernel, self.arguments = kernel, arguments
        try:
            text = "".join(spelt(one) for one in arguments)
            self.spelling: str | None = text
        except UnnamedType:
            text, self.spelling = ",".join(one.name for one in arguments), None
        module = kernel.__module__.rpartition("kernels.")[2]
        seen = {module, *(one.cls.__module__.rpartition("kernels.")[2] for one in arguments if hasattr(one, "cls"))}
        sources = " ".join(module_hash(one) for one in sorted(seen))  # its own, and those of its records
        digest = hashlib.sha256(f"{text} {sources}".encode()).hexdigest()[:10]
        own = f"{id(kernel):x}." if kernel.allocates else ""
        self.symbol = f"jd.{module}.{kernel.__name__}.{own}{digest}"
        self.lowered: LoweredKernel | None = None
        self.libraries: list[Any] = []
        self.unit: Unit | None = None
        self.address = 0
        self.cell: Any = None
        self.python: Any = None
        self.ready_for: set[frozenset[str]] = set()
        self.result: Any = None

    @property
    def returns(self) -> Any:
        """Type of its result; where that is not known yet, it is read from disk or the kernel is lowered."""
        if self.result is None:
            self.result = self.promised
        if self.result is None:
            if self.kernel.linkage == "separate" and self.find() is not None:
                self.result = read(self.unit.returns)[0]  # type: ignore[union-attr]
            else:
                self.lower()
        return self.result

    @cached_property
    def promised(self) -> Any:
        """Type of its result as the kernel's decorator or its annotations say it; None where they do not."""
        if self.kernel.linkage == "optional":
            return optional_result(self.kernel.returns, self.arguments)
        annotated = "return" in self.kernel.py_func.__annotations__
        if self.kernel.linkage != "entry point" or self.kernel.allocates or not annotated:
            return None
        known = dict((arguments, returns) for returns, arguments in self.kernel.signatures)
        return known.get(self.arguments)

    @cached_property
    def signature(self) -> Any:
        """As Numba writes it."""
        return signature_of(self.returns, *self.arguments)

    @property
    def cacheable(self) -> bool:
        """Whether it is cached on disk: it is of the package, and its types mean the same in every process."""
        return self.spelling is not None and not self.kernel.allocates

    def lower(self) -> LoweredKernel:
        """Its own LLVM IR, from disk or typed by Numba; a kernel that another process lowers is waited for."""
        if self.lowered is None and self.cacheable:
            self.lowered = store().read(self.symbol, LoweredKernel)
        if self.lowered is None and self.cacheable:
            with store().exclusive(f"{self.symbol}.bc"):
                self.lowered = store().read(self.symbol, LoweredKernel) or self._lower()
        if self.lowered is None:
            self.lowered = self._lower()
        if self.result is None:
            self.result = read(self.lowered.returns)[0]
        return self.lowered

    def _lower(self) -> LoweredKernel:
        flags = flags_of(inline=self.kernel.inline, allocates=self.kernel.allocates, fastmath=FASTMATH)
        function = self.kernel.py_func
        if self.kernel.complex_func is not None and has_complex(self.arguments):
            function = self.kernel.complex_func
        library, found = lowered(function, self.arguments, self.symbol, flags)
        result = plain(found)
        if self.promised not in (None, result):
            raise TypeError(f"{self.kernel.address} returns {result}, not {self.promised} as it says")
        code = object_code.simplified(library.text, object_code.this_machine())
        if self.cacheable and library.libraries:
            code = object_code.with_others(code, [module_of(one).clone() for one in library.libraries], self.symbol)
        else:
            self.libraries = library.libraries
        inlined, external = (list(map(descriptor_of, found.values())) for found in (library.inlined, library.external))
        self.result = result
        made = LoweredKernel(code, inlined, external, spelt(result))
        if self.cacheable and all(one.spelling or not overload_of(one).arguments for one in inlined + external):
            store().write(self.symbol, made)
        return made

    def module(self) -> Any:
        """Its own module of LLVM; what came from disk and is no bitcode is made again."""
        try:
            return llvm.parse_bitcode(self.lower().code)
        except RuntimeError:
            if not (self.cacheable and store().forget(self.symbol, LoweredKernel)):
                raise
            self.lowered = None
            return llvm.parse_bitcode(self.lower().code)

    def lower_call(self, context: Any, builder: Any, values: Any) -> Any:
        """Writes a call of it into a caller."""
        library = context.active_code_library
        kinds, returns = self.arguments, self.returns
        if not isinstance(library, IRLibrary):  # a user's own compiled function
            address = context.add_dynamic_addr(builder, address_for_user_code(self), info=self.symbol)
            return call(context, builder, address, returns, kinds, values)
        if self.kernel.linkage == "optional":
            name = f"{self.symbol}.cell"
            library.external[self.symbol] = self
            cell = builder.module.globals.get(name)
            if cell is None:
                cell = cgutils.add_global_variable(builder.module, POINTER, name)
            return call(context, builder, builder.load(cell), returns, kinds, values)
        kind = context.call_conv.get_function_type(returns, kinds)
        function = cgutils.get_or_insert_function(builder.module, kind, self.symbol)
        (library.inlined if self.kernel.linkage in ("inlined", "outlined") else library.external)[self.symbol] = self
        return call_of(context, builder, function, returns, kinds, values)

    def find(self) -> Unit | None:
        """Its machine code from disk, where it is there."""
        if self.unit is None and self.cacheable:
            self.unit = store().read(self.symbol, Unit)
        return self.unit

    def build(self) -> Unit:
        """Its machine code."""
        if self.find() is None:
            with store().exclusive(self.symbol):
                if self.find() is None:
                    name = f"law {self.kernel.__name__}" if self.kernel.allocates else self.kernel.__name__
                    with COMPILE_LOG.one(name), rare_garbage_collection():
                        self.unit = self._compile()
                    if self.cacheable:
                        store().write(self.symbol, self.unit)
        assert self.unit is not None
        return self.unit

    def _compile(self) -> Unit:
        inner, machine, exported = linked_overloads(self), object_code.this_machine(), {self.symbol}
        modules = [one.module() for one in inner]
        if self.kernel.linkage == "entry point":
            text = wrapper_text(self)
            if text is not None:
                modules.insert(0, llvm.parse_assembly(text))
                exported.add(f"{self.symbol}.python")
        foreign = list({id(library): library for one in inner for library in one.libraries}.values())
        whole = object_code.linked(modules + [module_of(library).clone() for library in foreign], exported)
        if self.cacheable and object_code.bound_to_this_process(whole):
            raise TypeError(f"{self.kernel.address} has addresses of this process in its code and cannot be cached")
        object_code.optimised(whole, machine, **optimisation(inner, object_code.host()[1]))
        return Unit(machine.emit_object(whole), sorted(exported), *dependencies(whole, inner), spelt(self.returns))

    def load(self) -> None:
        """Brings it into memory, with all that it calls."""
        if self.address:
            return
        try:
            self._load(self.build())
        except RuntimeError:
            if not (self.cacheable and store().forget(self.symbol, Unit)):
                raise
            self.unit = None
            self._load(self.build())

    def _load(self, built: Unit) -> None:
        target()  # functions of Numba's own are symbols of the process from now on
        imported = {name: llvm.address_of_symbol(name) or 0 for name in built.imported}
        imported = {name: address for name, address in imported.items() if address}
        imported |= process_symbols(built.imported)
        for descriptor in built.separate:
            other = overload_of(descriptor)
            other.load()
            imported[descriptor.symbol] = other.address
        for descriptor in built.optional:
            other = overload_of(descriptor)
            if other.cell is None:
                other.cell = object_code.cell()
            imported[f"{descriptor.symbol}.cell"] = object_code.place_of(other.cell)
        addresses = object_code.loader().load(built.code, imported, built.exported)
        self.address = addresses[self.symbol]
        if f"{self.symbol}.python" in addresses:
            name, doc = self.kernel.__name__, self.kernel.__doc__ or ""
            self.python = python_function(addresses[f"{self.symbol}.python"], name, doc)

    def ready(self, features: frozenset[str]) -> Overload:
        """In memory, with the optional kernels that models with these features need; one thread at a time."""
        if features not in self.ready_for:
            with global_compiler_lock:
                if not self.address and self.cacheable:
                    prepare([(self, features)])
                visited: dict[str, Overload] = {}
                self._resolve(features, visited)
                for one in visited.values():
                    one.ready_for.add(features)
        return self

    def _resolve(self, features: frozenset[str], visited: dict[str, Overload]) -> None:
        """Loads it and all that it calls, and puts addresses into the cells of optional kernels."""
        if features in self.ready_for or self.symbol in visited:
            return
        visited[self.symbol] = self
        self.load()
        assert self.unit is not None
        for descriptor in self.unit.separate:
            overload_of(descriptor)._resolve(features, visited)
        for descriptor in self.unit.optional:
            other = overload_of(descriptor)
            if other.kernel.feature in features:
                other._resolve(features, visited)
                other.cell.value = other.address


def optimisation(linked: list[Overload], processor: str) -> dict[str, bool]:
    """How a unit of these is optimised, for a processor with these features: see `object_code.optimised`."""
    first = linked[0].kernel
    long_loops = first.__module__ == NEWTON or any(one.kernel.__module__.startswith(LINEAR_ALGEBRA) for one in linked)
    return {
        "vectorised": not (first.scalar and object_code.has_many_registers(processor)),
        "unrolled": long_loops or first.allocates,
    }


def linked_overloads(first: Overload) -> list[Overload]:
    """An overload and all that are linked into it, callers before what they call."""
    known = {first.symbol: first}
    waiting = [first]
    while waiting:
        one = waiting.pop()
        for descriptor in one.lower().inlined:
            if descriptor.symbol not in known:
                known[descriptor.symbol] = overload_of(descriptor)
                waiting.append(known[descriptor.symbol])
    return list(known.values())


def numba_call(entry_point: Kernel) -> Any:
    """An entry point behind a wrapper of Numba's, for arguments that ours does not unbox, such as tuples."""

    def call(*arguments):
        return entry_point(*arguments)

    return njit(call)


_USER_FEATURES: set[str] = set()
_USER_CALLED: list[Overload] = []


def need(features: Iterable[str]) -> None:
    """Says that a user's own compiled functions will be called with models of these features."""
    _USER_FEATURES.update(features)
    for one in _USER_CALLED:
        one.ready(frozenset(_USER_FEATURES))


def address_for_user_code(one: Overload) -> int:
    """Address of a kernel that a user's own compiled function calls; with all that its models were said to need."""
    _USER_CALLED.append(one)
    return one.ready(frozenset(_USER_FEATURES)).address


class KernelType(types.Callable, types.Dummy):
    """The Numba type of a kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        super().__init__(f"kernel {kernel.address} {id(kernel):x}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            args = inspect.signature(self.kernel.py_func).bind(*args, **dict(kws)).args
        found = self.kernel.overload(tuple(args))
        return signature_of(found.returns, *found.arguments, recvr=self)

    def get_call_signatures(self) -> Any:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        return KernelType


@lower_builtin(KernelType, KernelType, types.VarArg(types.Any))
def lower_call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A call of a kernel in another one."""
    kernel, *arguments = sig.args
    return kernel.kernel.overload(tuple(arguments)).lower_call(context, builder, args[1:])


register_model(KernelType)(models.OpaqueModel)


@typeof_impl.register(Kernel)
def typeof_kernel(value: Any, c: Any) -> KernelType:
    return KernelType(value)
