"""LLVM text to object code, and object code to addresses. Nothing here knows Numba.

A *compilation unit* is linked from the LLVM IR of one function and of all that is inlined into it, and is optimised
once, as a whole. Its object file names other units by their symbols, which are bound when it is loaded.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

import llvmlite.binding as llvm

LEVEL = 3
MISSING = -7
"""What a call of an optional kernel that is not loaded returns, in the place of Numba's codes of errors."""


@cache
def initialised() -> None:
    """Makes LLVM ready for this processor; once."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


BASELINE = "x86-64-v3"
"""The processor that a wheel with compiled kernels is for: x86 with AVX2, bit manipulation and fused multiply-add."""
REQUIRED = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt")
"""Features by which it is known (System V ABI, x86-64 supplement, table of micro-architecture levels)."""


@cache
def host() -> tuple[str, str]:
    """Name and features of the processor that code is compiled for: this one, or the one that JOURDAIN_CPU names."""
    initialised()
    named = os.environ.get("JOURDAIN_CPU", "")
    return (named, "") if named else (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


@cache
def runs_baseline() -> bool:
    """Whether this processor runs what is made for `BASELINE`."""
    initialised()
    has = llvm.get_host_cpu_features()
    return llvm.get_default_triple().startswith("x86_64") and all(has.get(name, False) for name in REQUIRED)


def machine(cpu: str, features: str) -> Any:
    """What makes code for a processor: position-independent, so that it can be loaded or linked anywhere."""
    initialised()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=LEVEL, reloc="pic", codemodel="small"
    )


@cache
def this_machine() -> Any:
    """`machine` of this processor."""
    return machine(*host())


def simplified(text: str, target: Any) -> bytes:
    """The IR of one function as bitcode, simplified so that linking it many times is cheap."""
    module = llvm.parse_assembly(text)
    tuning = llvm.create_pipeline_tuning_options(speed_level=1)
    builder = llvm.create_pass_builder(target, tuning)
    passes = builder.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)
    return module.as_bitcode()


def with_others(code: bytes, others: Iterable[Any], symbol: str) -> bytes:
    """The IR of a function with modules that it calls: what these define is private to it, as the names that Numba
    gives are those of one process."""
    return linked([llvm.parse_bitcode(code), *others], {symbol}).as_bitcode()


def linked(modules: Iterable[Any], exported: set[str]) -> Any:
    """One module of many, callers first; everything but the exported symbols becomes private to it."""
    modules = list(modules)
    whole = modules[0]
    for module in modules[1:]:
        whole.link_in(module)
    for function in whole.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = "internal"
    for variable in whole.global_variables:
        if not variable.is_declaration and str(variable.linkage) not in ("Linkage.private", "Linkage.internal"):
            variable.linkage = "internal"
    return whole


def has_many_registers(features: str) -> bool:
    """Whether a processor with these features has 32 registers for numbers.

    Then code without loops keeps its numbers there, and packing them into vectors and out again takes longer than the
    products that it saves. With 16 registers it pays.
    """
    return "+avx512vl" in features.split(",")


def optimised(module: Any, target: Any, vectorised: bool = True, unrolled: bool = False) -> Any:
    """The module, optimised in place.

    vectorised    also code without loops, where LLVM thinks that it pays
    unrolled      also loops whose length is not known, as those of linear algebra; of others, which are short, most are
                  slower so, and LLVM takes a quarter more time
    """
    tuning = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    tuning.loop_vectorization = True
    tuning.slp_vectorization = vectorised
    tuning.loop_unrolling = unrolled
    builder = llvm.create_pass_builder(target, tuning)
    passes = builder.getModulePassManager()
    passes.run(module, builder)
    return module


def bound_to_this_process(module: Any) -> bool:
    """Whether Numba put an address of this process into a module."""
    return any(one.name.startswith("numba.dynamic.globals") for one in module.global_variables)


def undefined(module: Any) -> list[str]:
    """Symbols that a module uses and does not define."""
    found = [one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")]
    return found + [one.name for one in module.global_variables if one.is_declaration]


class Loader:
    """Puts object code into the memory of this process."""

    def __init__(self) -> None:
        self.jit = llvm.create_lljit_compiler(this_machine(), use_jit_link=sys.platform != "win32")
        self.count = 0
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.jit))  # threads may still run its code when Python ends

    def load(self, code: bytes, imported: dict[str, int], exported: Iterable[str]) -> dict[str, int]:
        """Addresses of the exported symbols of object code that uses the imported ones."""
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name, address in imported.items():
            library.import_symbol(name, address)
        for name in exported:
            library.export_symbol(name)
        self.count += 1
        tracker = library.link(self.jit, f"jourdain{self.count}")
        addresses = {name: tracker[name] for name in exported}
        tracker.detach()  # the code stays for the life of the process
        return addresses


@cache
def loader() -> Loader:
    """The one of this process."""
    return Loader()


@cache
def missing() -> int:
    """Address of what stands for an optional kernel that is not loaded: it does nothing and returns `MISSING`."""
    text = f'define i32 @"jd.missing"() {{ ret i32 {MISSING} }}'
    code = this_machine().emit_object(llvm.parse_assembly(text))
    return loader().load(code, {}, ["jd.missing"])["jd.missing"]


def cell() -> Any:
    """A cell for the address of an optional kernel, until it is known that of `missing`."""
    return ctypes.c_void_p(missing())


def place_of(cell: Any) -> int:
    """Address of that cell."""
    return ctypes.addressof(cell)
