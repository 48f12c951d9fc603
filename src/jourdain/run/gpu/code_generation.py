"""From the program of a case to one function without calls, for a GPU or for this processor.

All kernels that the case calls are linked in from their own LLVM lines, inlined, and optimised together until the
functions that tables name are known too. Loops over bodies, coordinates and sites have constant lengths then and are
unrolled, but not the loop over steps and stages: the right-hand side stands in the code once.
"""

from __future__ import annotations

import hashlib
import os
import re
import site
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from ...basics.errors import ModelError
from ...basics.platforms import named_folder
from ...kernels.compiler import Overload, rare_garbage_collection
from ...kernels.compiling import object_code
from ...kernels.compiling.compile_log import COMPILE_LOG
from ...kernels.compiling.descriptors import overload_of, store
from ...kernels.compiling.disk_cache import Unit, source_hash
from ...kernels.compiling.numba_private import global_compiler_lock, module_of
from ...kernels.user_errors import INDEX_OUTSIDE, LAW_STOPPED
from .case_program import ARRAYS, CASE, FLOATS, NUMBERS, Program

ENTRY = "jd_cases"
CARD = "sm_80"
"""The oldest GPU that programs are made for, compute capability 8.0; newer ones run them."""
LAYOUT = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
TRIPLE = "nvptx64-nvidia-cuda"
TURNS = 3
"""How often all is optimised: tables within tables become known one after the other."""
MATHEMATICS = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "expm1"),
    *("log", "log2", "log10", "log1p", "pow", "cbrt", "hypot", "fmod", "erf"),
)
"""Functions of C whose place libdevice takes, with `__nv_` before their names."""
INSTRUCTIONS = ("sqrt", "fabs", "floor", "ceil", "trunc", "rint", "round", "fmin", "fmax", "fma", "copysign")
"""More of these, which GPUs have themselves where LLVM knows them."""
HINT = 'pip install "jourdain[gpu]"'
ZEROS = re.compile(r"= fmul (?:\w+ )*double (%[^,\n]+), 0\.000000e\+00")
MOST_FLOATS = 7680
"""Floats of a model that a GPU's constant memory takes, 60 of its 64 kB; there an operation reads them by itself."""
GLOBAL_MEMORY, CONSTANT_MEMORY = 1, 4
"""Numbers of these in LLVM's back end for GPUs."""


def reached(first: Iterable[Overload], features: frozenset[str]) -> tuple[dict[str, Overload], dict[str, str | None]]:
    """All kernels that some call, by symbol, and which part is in each cell; None where a model does without it."""
    known: dict[str, Overload] = {}
    cells: dict[str, str | None] = {}
    waiting = list(first)
    while waiting:
        one = waiting.pop()
        if one.symbol in known:
            continue
        known[one.symbol] = one
        lowered = one.lower()
        for descriptor in (*lowered.inlined, *lowered.external):
            other = overload_of(descriptor)
            if other.kernel.linkage == "optional":
                present = other.kernel.feature in features
                cells[other.symbol] = other.symbol if present else None
                if not present:
                    continue
            waiting.append(other)
    return known, cells


def linked(text: str, first: Iterable[Overload], features: frozenset[str]) -> str:
    """LLVM text of a program and of all kernels that it calls."""
    known, cells = reached(first, features)
    whole = llvm.parse_assembly(text)
    foreign: dict[int, Any] = {}
    for one in known.values():
        whole.link_in(one.module())
        foreign |= {id(library): library for library in one.libraries}
    for library in foreign.values():
        whole.link_in(module_of(library).clone())
    out = str(whole)
    defined = []
    for symbol, held in cells.items():
        out = re.sub(rf'^@"?{re.escape(symbol)}\.cell"? = external .*$', "", out, flags=re.MULTILINE)
        defined.append(
            f'@"{symbol}.cell" = internal constant ptr {"null" if held is None else f"@{chr(34)}{held}{chr(34)}"}'
        )
    # tables of a case are written by it, so that what kernels are told of loads from them is not true here
    out = re.sub(r", !invariant\.load !\d+", "", out)
    out = re.sub(r"\b(noinline|optnone)\b", "nounwind", out)
    for name in (INDEX_OUTSIDE, LAW_STOPPED):  # a case says that it failed, and no more
        out = re.sub(rf"^declare (void @{name}\(.*\)).*$", r"define \1 { ret void }", out, flags=re.MULTILINE)
    return out + "\n" + "\n".join(defined) + "\n"


TARGET = re.compile(r'label %("[^"]*"|[\w.$-]+)')
LABEL = re.compile(r'^("[^"]*"|[\w.$-]+):')
WITHIN = ".bodies."
"""In the names of kernels whose loops are over the inside of a body."""


def loop_ends(lines: list[str]) -> tuple[set[int], set[int]]:
    """Which lines of a function are branches to what stands above, and which end a loop: branches to a block that they
    come from, whatever the order of the text."""
    branches: dict[str, list[str]] = {"": []}
    last: dict[str, int] = {}
    name, above, ends = "", set(), set()
    for number, line in enumerate(lines):
        label = LABEL.match(line)
        if label:
            name = label.group(1).strip('"')
            branches[name] = []
        elif targets := [one.strip('"') for one in TARGET.findall(line)]:
            if any(one in branches for one in targets):
                above.add(number)
            branches[name] += targets
            last[name] = number
    # depth first: an edge to a block on the way there goes back
    label = LABEL.match(lines[0])
    entry = label.group(1).strip('"') if label else ""
    state = dict.fromkeys(branches, 0)
    way = [(entry, iter(branches[entry]))]
    while way:
        block, targets_left = way[-1]
        state[block] = 1
        target = next(targets_left, None)
        if target is None:
            state[block] = 2
            way.pop()
        elif state[target] == 1:
            ends.add(last[block])
        elif state[target] == 0:
            way.append((target, iter(branches[target])))
    return above, ends


def with_unroll_hint(text: str) -> str:
    """LLVM text whose loops over bodies, entries and contacts are to be unrolled as far as their lengths are known, so
    that the workspace stays in registers; that over steps is left alone. Of loops within a body only those that end
    above in the text: all of them would make more code than a GPU has room for near at hand."""
    first = max([0, *(int(number) for number in re.findall(r"^!(\d+) =", text, re.MULTILINE))]) + 1
    lines = text.split("\n")
    stated: list[str] = []
    begin = -1
    for at, line in enumerate(lines):
        if line.startswith("define"):
            begin = at
        elif line == "}" and begin >= 0:
            name = lines[begin].partition("(")[0]
            above, ends = loop_ends(lines[begin + 1 : at])
            for number in above | ends:
                place = begin + 1 + number
                if lines[place].lstrip().startswith("br ") and "!llvm.loop" not in lines[place]:
                    left = WITHIN in name and number not in above
                    word = first + (1 if "device_case" in name else 2 if left else 0)
                    hint = first + 3 + len(stated)
                    lines[place] += f", !llvm.loop !{hint}"
                    stated.append(f"!{hint} = distinct !{{!{hint}, !{word}}}")
            begin = -1
    hints = ("unroll.full", "unroll.disable", "mustprogress")  # the last one says that a loop was looked at
    words = [f'!{first + k} = !{{!"llvm.loop.{one}"}}' for k, one in enumerate(hints)]
    return "\n".join([*lines, *words, *stated, ""])


def private(module: Any, kept: str) -> None:
    """Lets nothing but one function be seen from outside."""
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.name != kept:
            one.linkage = "internal"


@contextmanager
def unwarned() -> Iterator[None]:
    """Keeps LLVM from telling on the terminal of each loop whose length it does not know; all else is told."""
    with tempfile.TemporaryFile() as stated:
        sys.stderr.flush()
        own = os.dup(2)
        os.dup2(stated.fileno(), 2)
        try:
            yield
        finally:
            sys.stderr.flush()
            os.dup2(own, 2)
            stated.seek(0)
            for line in stated:
                if not line.startswith(b"warning: <unknown>:0:0: loop not unrolled"):
                    os.write(own, line)
            os.close(own)


def optimise(module: Any, machine: Any) -> None:
    """Optimises a module, scalars only: a thread has no vectors."""
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_unrolling, tuning.loop_vectorization, tuning.slp_vectorization = True, False, False
    builder = llvm.create_pass_builder(machine, tuning)
    with unwarned():
        builder.getModulePassManager().run(module, builder)


def folded(text: str) -> str:
    """The function `CASE` of a program, all that it calls inlined."""
    module = llvm.parse_assembly(with_unroll_hint(text))
    private(module, CASE)
    for one in module.functions:
        if not one.is_declaration and one.name != CASE:
            one.add_function_attribute("alwaysinline")
    optimise(module, object_code.this_machine())
    for _ in range(TURNS - 1):
        # what was called by address is known from the second time on
        module = llvm.parse_assembly(with_unroll_hint(without_zeros(str(module))))
        optimise(module, object_code.this_machine())
    return str(module)


def without_zeros(text: str) -> str:
    """LLVM text in which zero times a number is zero, whatever the number is.

    Kernels make zeros of the type of a number in this way. Where it is not finite the product would not be either; so
    is all else that follows from that number, by which a run that went astray is known.
    """
    return ZEROS.sub(r"= fmul nnan ninf nsz arcp contract double \1, 0.000000e+00", text)


@cache
def folding() -> str:
    """Hash of how programs are folded."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]


def whole_text(program: Program, features: frozenset[str]) -> str:
    """The folded text of a program; kept on disk."""
    text = program.text()
    symbols = " ".join(sorted(program.used))
    stated = f"{folding()} {source_hash()} {sorted(features)} {symbols} {text}"
    key = f"case.{hashlib.sha256(stated.encode()).hexdigest()[:24]}"
    usual = all(one.cacheable for one in program.used.values())
    found = store().read(key, Unit) if usual else None
    if found is None:
        with COMPILE_LOG.one("cases for a GPU"), global_compiler_lock, rare_garbage_collection():
            out = folded(linked(text, program.used.values(), features))
        found = Unit(out.encode(), [CASE], [], [], [], "")
        if usual:
            store().write(key, found)
    return found.code.decode()


# ---------------------------------------------------------------------- for a GPU

THREAD = f"""
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @{ENTRY}(i64 %cases, {{given}}) {{{{
begin:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = mul i32 %block, %size
  %mine = add i32 %before, %thread
  %all = mul i32 %blocks, %size
  %first = zext i32 %mine to i64
  %stride = zext i32 %all to i64
  br label %next
next:
  %case = phi i64 [ %first, %begin ], [ %following, %go ]
  %left = icmp slt i64 %case, %cases
  br i1 %left, label %go, label %end
go:
  call void @{CASE}(i64 %case, {{given}})
  %following = add i64 %case, %stride
  br label %next
end:
  ret void
}}}}
"""
"""A case a thread, and where there are more cases than threads, the next one when it is done."""


def ptx(text: str, floats: int) -> str:
    """The folded text of a program as code for GPUs, one thread a case.

    floats    how many of them the model has: they are in constant memory if that has room for them
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=CARD, features="+ptx78", opt=3)
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{LAYOUT}"', text, flags=re.MULTILINE)
    text = re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', text, flags=re.MULTILINE)
    text = re.sub(r'"(target-cpu|target-features|tune-cpu|probe-stack)"="[^"]*"', "nounwind", text)
    names = "|".join(MATHEMATICS)
    text = re.sub(rf"@llvm\.({names})\.f64\b", r"@__nv_\1", text)
    text = re.sub(rf"@({names}|{'|'.join(INSTRUCTIONS)})\(", r"@__nv_\1(", text)
    kinds = ["double" if name in ("start", "h") else "i64" for name in NUMBERS[1:]] + ["ptr"] * len(ARRAYS)
    given = ", ".join(f"{kind} %{name}" for kind, name in zip(kinds, (*NUMBERS[1:], *ARRAYS), strict=True))
    module = llvm.parse_assembly(text + THREAD.format(given=given))
    module.link_in(llvm.parse_bitcode(libdevice().read_bytes()))
    private(module, ENTRY)
    for one in module.functions:
        if one.name == CASE:
            one.add_function_attribute("alwaysinline")
    optimise(module, machine)
    left = [one for one in object_code.undefined(module) if one not in ("vprintf", FLOATS)]
    if left:
        raise ModelError.at("device", f"a law calls {', '.join(left[:3])}, which GPUs do not have")
    memory = CONSTANT_MEMORY if floats <= MOST_FLOATS else GLOBAL_MEMORY
    return machine.emit_assembly(llvm.parse_assembly(with_floats(str(module), floats, memory)))


def with_floats(text: str, floats: int, memory: int) -> str:
    """LLVM text with room for the floats of the model in a kind of memory.

    That is said last: the folded text is the same for a processor, and while floats may change under a program, nothing
    that follows from them alone is computed ahead of all steps, to be kept in registers that are not there.
    """
    name = re.escape(FLOATS)
    text = re.sub(rf"^@{name} = .*$\n", "", text, flags=re.MULTILINE)
    text = re.sub(rf"@{name}\b", f"addrspacecast (ptr addrspace({memory}) @{FLOATS} to ptr)", text)
    array = f"[{max(floats, 1)} x double] zeroinitializer, align 16"
    return f"{text}\n@{FLOATS} = addrspace({memory}) externally_initialized global {array}\n"


def libdevice() -> Path:
    """NVIDIA's mathematical functions as LLVM bitcode: of the extra, or of an installed CUDA; never of the current
    folder, which "" or "." in `sys.path` or in a variable would mean."""
    folders = [
        Path(one) / "nvidia"
        for one in dict.fromkeys((*site.getsitepackages(), site.getusersitepackages(), *sys.path))
        if os.path.isabs(one)
    ]
    folders += [one for one in (named_folder("CUDA_HOME"), named_folder("CUDA_PATH")) if one is not None]
    folders += sorted(Path("/usr/local").glob("cuda*"), reverse=True)
    for where in folders:
        for found in sorted(where.glob("**/nvvm/libdevice/libdevice.*.bc")) if where.is_dir() else ():
            return found
    raise ModelError.at("device", f"NVIDIA's libdevice is not here; {HINT}")
