"""Processors that a model can be exported for, by name, and what turns LLVM into object code for them."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..basics.errors import ModelError
from ..basics.values import suggestion


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
        told = f"{self.triple} {self.cpu} {self.features} {self.abi}{lines}"
        return f"{self.name}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"

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
