"""The machine code of a model: the same units that simulations run, for any processor, in one LLVM module.

Each unit (`kernels.compiler`) is linked and optimised as it is for this process, alone, so that its arithmetic is the
same to the last bit; then all are put into one module, in which nothing but the functions of the C interface is seen
from outside. Cells of parts become constants: the address of the part where the model has its feature.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import llvmlite.binding as llvm

from ..basics.errors import ModelError
from ..basics.values import suggestion
from ..kernels.bounds import UserOverload
from ..kernels.compiler import FASTMATH, Overload, linked_overloads, optimisation, rare_garbage_collection
from ..kernels.compiling import object_code as objects
from ..kernels.compiling.argument_types import has_complex
from ..kernels.compiling.descriptors import dependencies, overload_of, store
from ..kernels.compiling.disk_cache import Unit
from ..kernels.compiling.numba_private import flags_of, global_compiler_lock, lowered, module_of
from ..kernels.compiling.python_calls import wrapper_text
from ..kernels.user_errors import INDEX_OUTSIDE, LAW_STOPPED

MEMORY = frozenset({"memset", "memcpy", "memmove"})
MATHEMATICS = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor fma fmax "
    "fmin fmod frexp hypot ldexp lgamma log log10 log1p log2 modf nearbyint pow rint round sin sincos sinh sqrt tan "
    "tanh tgamma trunc __sincos_stret __exp10".split()
)
"""What a library of the C language has: all that exported code may call."""
HELPERS = {
    "numba_ldexp": """
declare double @ldexp(double, i32)
define double @numba_ldexp(double %x, i32 %e) {
  %y = call double @ldexp(double %x, i32 %e)
  ret double %y
}
""",
    "numba_attempt_nocopy_reshape": """
define i32 @numba_attempt_nocopy_reshape(i64 %nd, ptr %d, ptr %s, i64 %count, ptr %dims, ptr %strides, i64 %size,
    i32 %order) {
  br label %head
head:
  %k = phi i64 [%count, %0], [%j, %body]
  %step = phi i64 [%size, %0], [%next, %body]
  %more = icmp sgt i64 %k, 0
  br i1 %more, label %body, label %done
body:
  %j = sub i64 %k, 1
  %to = getelementptr inbounds i64, ptr %strides, i64 %j
  store i64 %step, ptr %to
  %from = getelementptr inbounds i64, ptr %dims, i64 %j
  %extent = load i64, ptr %from
  %next = mul i64 %step, %extent
  br label %head
done:
  ret i32 1
}
""",
    INDEX_OUTSIDE: f"define void @{INDEX_OUTSIDE}(ptr %failed, i64 %site, i64 %index, i64 %entries) {{ ret void }}",
    LAW_STOPPED: f"define void @{LAW_STOPPED}(ptr %failed, i64 %law, double %time) {{ ret void }}",
}
"""Helpers of Numba's own library that kernels call, in LLVM: a power of two by the library of C; the strides of a
reshaped array, which in kernels is contiguous. And what a user's law calls that fails: a program without Python learns
that it failed, by the status of the step, and no more."""
SUPPORT = ("__aeabi_", "__chkstk", "___chkstk", "__div", "__mul", "__udiv", "__mod", "__umod", "__fixdf", "__float")
"""Beginnings of what a compiler's own library has, on processors that lack an instruction."""

ADDRESS_RETURNED = re.compile(r"store ptr (?!null)[^,]+, ptr %retptr")
"""A line by which a function returns an address."""


def optimised(one: Overload, target: Target) -> Unit:
    """A unit as optimised LLVM bitcode for a target; kept on disk where units are."""
    key = f"{one.symbol}.{target.key}"
    found = store().read(key, Unit) if one.cacheable else None
    if found is None:
        with global_compiler_lock, rare_garbage_collection():
            found = _optimised(one, target)
        if one.cacheable:
            store().write(key, found)
    return found


def _optimised(one: Overload, target: Target) -> Unit:
    """As `Overload.build` does for this process. The function by which Python calls a gate is there while LLVM decides
    what to inline, so that it decides the same, and is dropped behind."""
    inner = linked_overloads(one)
    wide = target.bits == 64
    if wide:
        modules = [other.module() for other in inner]
        foreign = [library for other in inner for library in other.libraries]
    else:
        modules = [llvm.parse_assembly(as_lowered(other)[0]) for other in inner]
        foreign = [library for other in inner for library in as_lowered(other)[1]]
    exported = {one.symbol}
    if one.kernel.linkage == "entry point" and wide:
        text = wrapper_text(one)
        if text is not None:
            modules.insert(0, llvm.parse_assembly(text))
            exported.add(f"{one.symbol}.python")
    others = [module_of(library).clone() for library in {id(library): library for library in foreign}.values()]
    if not wide:
        _check_foreign(one, others)
    modules += others
    for module in modules:
        _turned(module, target)
    whole = objects.linked(modules, exported)
    objects.optimised(whole, target.machine(), **optimisation(inner, target.features))
    whole = _kept(whole, {one.symbol}, target)
    return Unit(whole.as_bitcode(), [one.symbol], *dependencies(whole, inner), "")


@lru_cache(maxsize=512)
def as_lowered(one: Overload) -> tuple[str, list[Any]]:
    """A kernel's lines as Numba wrote them, and libraries of Numba's own that they call, without the tidying that those
    on disk had: that counts distances in memory in bytes, with addresses of eight of them, which is wrong where an
    address has four."""
    if isinstance(one, UserOverload):
        library, _ = one.ir()
        return library.text, library.libraries
    function = one.kernel.complex_func if one.kernel.complex_func and has_complex(one.arguments) else one.kernel.py_func
    flags = flags_of(inline=one.kernel.inline, allocates=one.kernel.allocates, fastmath=FASTMATH)
    library, _ = lowered(function, one.arguments, one.symbol, flags)
    return library.text, library.libraries


def _check_foreign(one: Overload, modules: Iterable[Any]) -> None:
    """Refuses a user's compiled function that returns an array: Numba has made it for addresses of eight bytes."""
    if any(ADDRESS_RETURNED.search(str(module)) for module in modules):
        raise ModelError.at(
            one.kernel.__name__,
            "it calls a compiled function that returns an array or a part of one, which cannot be exported for "
            "processors of 32 bits; let that function write into an array that it is given",
        )


def _turned(module: Any, target: Target) -> Any:
    """A module as one for the target."""
    module.triple = target.triple
    module.data_layout = str(target.machine().target_data)
    return module


def _kept(module: Any, exported: set[str], target: Target) -> Any:
    """A module with what the exported functions need and nothing else."""
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration and variable.name not in exported:
            variable.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, llvm.create_pass_builder(target.machine(), llvm.create_pipeline_tuning_options()))
    return module


def _hidden(module: Any) -> Any:
    """A module whose functions and variables no other library sees."""
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.linkage.name not in ("private", "internal"):
            one.visibility = "hidden"
    return module


class Linker:
    """Collects the units that an export calls, for a target and a model's features."""

    def __init__(self, target: Target, features: Iterable[str]) -> None:
        self.target, self.features = target, frozenset(features)
        self.units: dict[str, Unit] = {}
        self.cacheable = True
        self.cells: dict[str, str | None] = {}

    def symbol(self, one: Overload) -> str:
        """Name of a kernel's function; it is in the module then, with all that it calls."""
        if one.symbol in self.units:
            return one.symbol
        unit = self.units[one.symbol] = optimised(one, self.target)
        self.cacheable &= one.cacheable
        strange = [name for name in unit.imported if not _allowed(name)]
        if strange:
            raise ModelError.at(
                one.kernel.__name__,
                f"it calls {', '.join(strange[:3])}, which Python has and a C program has not; a law that is exported "
                "may not make arrays, raise exceptions or print: use numbers, its states z and the arrays it is given",
            )
        for descriptor in unit.separate:
            self.symbol(overload_of(descriptor))
        for descriptor in unit.optional:
            other = overload_of(descriptor)
            present = other.kernel.feature in self.features
            self.cells[f"{descriptor.symbol}.cell"] = self.symbol(other) if present else None
        return one.symbol

    def symbols(self) -> list[str]:
        """Names of all functions that are in it."""
        return list(self.units)

    def definitions(self) -> str:
        """LLVM text of the cells of parts."""
        lines = ['define internal i32 @"jd.missing"() {', f"  ret i32 {objects.MISSING}", "}"] if self.cells else []
        for cell, symbol in self.cells.items():
            lines.append(f'@"{cell}" = constant ptr @"{symbol or "jd.missing"}"')
        used = {name for unit in self.units.values() for name in unit.imported}
        lines += [text for name, text in HELPERS.items() if name in used]
        return "\n".join(lines)

    def apart(self, text: str) -> dict[str, bytes]:
        """Object files of LLVM text and of each unit, for a linker to make a shared library of: those of units are kept
        on disk, and serve every model that calls them. Nothing in them is seen from outside of that library."""
        glue = llvm.parse_assembly(text + "\n" + self.definitions())
        glue.verify()
        machine = self.target.machine()
        found = {"model.o": machine.emit_object(_hidden(objects.optimised(_turned(glue, self.target), machine)))}
        for count, (symbol, unit) in enumerate(self.units.items()):
            key = f"{symbol}.{self.target.key}.apart"
            made = store().read(key, Unit) if self.cacheable else None
            if made is None:
                code = machine.emit_object(_hidden(llvm.parse_bitcode(unit.code)))
                made = Unit(code, [symbol], unit.imported, unit.separate, unit.optional, "")
                if self.cacheable:
                    store().write(key, made)
            found[f"unit{count}.o"] = made.code
        return found

    def object_code(self, text: str, exported: set[str]) -> bytes:
        """One object file of LLVM text and of all units, in which only the exported functions are seen; what was made
        before is on disk."""
        whole = text + "\n" + self.definitions()
        message = " ".join([type(self).__name__, self.target.key, *sorted(self.units), whole])
        key = f"export.{hashlib.sha256(message.encode()).hexdigest()[:32]}"
        found = store().read(key, Unit) if self.cacheable else None
        if found is not None:
            return found.code
        code = self._object_code(whole, exported)
        if self.cacheable:
            store().write(key, Unit(code, sorted(exported), [], [], [], ""))
        return code

    def _object_code(self, text: str, exported: set[str]) -> bytes:
        glue = llvm.parse_assembly(text)
        glue.verify()
        objects.optimised(_turned(glue, self.target), self.target.machine())
        for unit in self.units.values():
            glue.link_in(llvm.parse_bitcode(unit.code))
        whole = _kept(glue, exported, self.target)
        left = [name for name in objects.undefined(whole) if not _allowed(name)]
        if left:
            raise RuntimeError(f"exported code would need {', '.join(sorted(left))}")
        return self.target.machine().emit_object(whole)


class ResidentLinker(Linker):
    """The same for code that stays in this process: the units are those that simulations run, which are in memory, and
    the object file has the interface alone.

    imported    addresses of the functions that it calls
    """

    def __init__(self, target: Target, features: Iterable[str]) -> None:
        super().__init__(target, features)
        self.imported: dict[str, int] = {}

    def symbol(self, one: Overload) -> str:
        """Name of a kernel's function, which is brought into memory."""
        if one.symbol not in self.imported:
            self.imported[one.symbol] = one.ready(self.features).address
            self.cacheable &= one.cacheable
        return one.symbol

    def symbols(self) -> list[str]:
        """Names of all functions that it calls."""
        return list(self.imported)

    def _object_code(self, text: str, exported: set[str]) -> bytes:
        glue = llvm.parse_assembly(text)
        glue.verify()
        machine = self.target.machine()
        return machine.emit_object(objects.optimised(_turned(glue, self.target), machine))


def _allowed(name: str) -> bool:
    return name in MEMORY or name in MATHEMATICS or name in HELPERS or name.startswith(SUPPORT)


@dataclass(frozen=True)
class Target:
    """A processor and its conventions.

    name        as it is asked for
    triple      architecture, maker, system, as LLVM spells them
    cpu         the processor, and `features` beyond it
    abi         name of the calling convention where the triple leaves it open
    bits        of an address
    fmi         its folder in an FMU of version 2 and of version 3; "" where FMI has no name for it
    relocation  "pic": the code can be linked anywhere; "static": it is the whole program
    """

    name: str
    triple: str
    cpu: str
    features: str = ""
    abi: str = ""
    bits: int = 64
    fmi: tuple[str, str] = ("", "")
    relocation: str = "pic"

    @property
    def key(self) -> str:
        """A few letters that distinguish its code from that for another processor."""
        lines = "" if self.bits == 64 else " as lowered"  # what units of it are made from
        text = f"{self.triple} {self.cpu} {self.features} {self.abi}{lines}"
        return f"{self.name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    def machine(self) -> Any:
        """What makes object code for it."""
        return _machine(self)


_LINUX, _WINDOWS, _MACOS = ("linux64", "x86_64-linux"), ("win64", "x86_64-windows"), ("darwin64", "x86_64-darwin")
_KNOWN = [
    Target("x86-64", "x86_64-unknown-linux-gnu", "x86-64", fmi=_LINUX),
    Target("x86-64-v2", "x86_64-unknown-linux-gnu", "x86-64-v2", fmi=_LINUX),
    Target("x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", fmi=_LINUX),
    Target("aarch64", "aarch64-unknown-linux-gnu", "generic", fmi=("", "aarch64-linux")),
    Target("armv7", "armv7-unknown-linux-gnueabihf", "generic", "+vfp3,+neon", bits=32),
    Target("riscv64", "riscv64-unknown-linux-gnu", "generic-rv64", "+m,+a,+f,+d,+c", "lp64d"),
    Target("x86-64-windows", "x86_64-pc-windows-msvc", "x86-64-v2", fmi=_WINDOWS),
    Target("x86-64-windows-gnu", "x86_64-pc-windows-gnu", "x86-64-v2", fmi=_WINDOWS),
    Target("x86-64-macos", "x86_64-apple-macosx10.15", "x86-64-v2", fmi=_MACOS),
    Target(
        "wasm64",
        "wasm64-unknown-unknown",
        "generic",
        "+bulk-memory,+bulk-memory-opt,+mutable-globals,+nontrapping-fptoint,+sign-ext",
        relocation="static",
    ),
    Target("aarch64-macos", "arm64-apple-macosx11.0", "apple-m1", fmi=("", "aarch64-darwin")),
]
TARGETS = {one.name: one for one in _KNOWN}
NATIVE = "native"
"""The processor of this process: what is exported for it is the machine code that simulations run."""


def target_named(name: str) -> Target:
    """The target of a name; a `ModelError` says which there are."""
    if name == NATIVE:
        return _native()
    if not isinstance(name, str) or name not in TARGETS:
        raise ModelError.at("target", f"{name!r} is not known; {suggestion(str(name), (*TARGETS, NATIVE))}")
    return TARGETS[name]


@cache
def _native() -> Target:
    import llvmlite.binding as llvm

    from ..kernels.compiling.object_code import host

    cpu, features = host()
    triple = llvm.get_default_triple()
    fmi = next((one.fmi for one in _KNOWN if _like(triple) == _like(one.triple)), ("", ""))
    return Target(NATIVE, triple, cpu, features, fmi=fmi)


def _like(triple: str) -> tuple[str, str]:
    """Architecture and system of a triple."""
    architecture, *rest = triple.split("-")
    systems = ("linux", "windows", "apple", "darwin")
    system = next((word for word in systems if any(one.startswith(word) for one in rest)), "")
    return architecture.replace("arm64", "aarch64"), system.replace("darwin", "apple")


@cache
def _machine(target: Target) -> Any:
    import llvmlite.binding as llvm

    from ..kernels.compiling.object_code import LEVEL, initialised

    initialised()
    if target.name != NATIVE:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=LEVEL,
        reloc=target.relocation,
        codemodel="small",
        abiname=target.abi,
    )


def here(target: Target) -> bool:
    """Whether code for a target is of the system and the architecture of this machine, so that its linker takes it."""
    return _like(target.triple) == _like(_native().triple)


def compiler() -> str | None:
    """The system's C compiler, which links; None where there is none."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
