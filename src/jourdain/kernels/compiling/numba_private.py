"""The one file that knows names which Numba keeps to itself.

What this package uses of Numba beyond `numba`, `numba.extending` and `numba.core.errors`, which are documented, is
imported here, and from here by the others. When a new Numba breaks something, `tests/unit/test_numba_private.py` says
which name it was, and what it means to us.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.codegen import CodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.cpu import FastMathOptions
from numba.core.dispatcher import Dispatcher
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, lower_setattr_generic, models

__all__ = [
    "AttributeTemplate",
    "CompilerBase",
    "Dispatcher",
    "IRLibrary",
    "Lower",
    "NativeLowering",
    "cgutils",
    "flags_of",
    "generic_operation",
    "global_compiler_lock",
    "infer_getattr",
    "lower_getattr_generic",
    "lower_setattr_generic",
    "lowered",
    "make_array",
    "models",
    "module_of",
    "passes",
    "patched",
    "register_pass",
    "signature_of",
    "target",
    "types",
]


def target() -> Any:
    """Numba's target context of this processor."""
    return cpu_target.target_context


def make_array(kind: Any) -> Any:
    """Numba's struct of an array of this type: make_array(kind)(context, builder, value)."""
    return target().make_array(kind)


def signature_of(returns: Any, *arguments: Any, recvr: Any = None) -> Any:
    """A signature; `recvr`: the type of what is called, where its value is an argument too."""
    made = returns(*arguments)
    return made if recvr is None else made.replace(recvr=recvr)


def generic_operation(context: Any, builder: Any, operation: Any, sig: Any, args: Any) -> Any:
    """What Numba does of itself for an operation on an array of a type of ours."""
    own, *others = sig.args
    known = sig.return_type(types.Array(own.dtype, own.ndim, own.layout, readonly=not own.mutable), *others)
    return context.get_function(operation, known)(builder, args)


class IRLibrary(CodeLibrary):
    """The LLVM IR of one function, and what it calls: never optimised or turned into machine code by itself.

    text         of its own module
    inlined      kernels that are linked in with it
    libraries    of Numba's own that it calls
    external     separate and optional kernels that it calls
    """

    def __init__(self, name: str, allocates: bool = False) -> None:
        super().__init__(target().codegen(), name)
        self.allocates = allocates
        self.text = ""
        self.inlined: dict[str, Any] = {}
        self.libraries: list[Any] = []
        self.external: dict[str, Any] = {}

    def add_linking_library(self, library: Any) -> None:
        runtime = library.name == "nrt" and not self.allocates
        if library is not self and library not in self.libraries and not runtime:
            self.libraries.append(library)

    def add_ir_module(self, ir_module: Any) -> None:
        self.text = cgutils.normalize_ir_text(str(ir_module))

    def finalize(self) -> None:
        self._finalized = True

    def get_function(self, name: str) -> Any:
        raise NotImplementedError

    def get_llvm_str(self) -> str:
        return self.text

    def get_asm_str(self) -> str:
        return ""


def module_of(library: Any) -> Any:
    """The module of one of Numba's own libraries, with all that it calls, as another may link it in."""
    with global_compiler_lock:
        return library._get_module_for_linking()


@contextmanager
def patched(*places: tuple[Any, str, Any]) -> Iterator[None]:
    """While attributes (of what, name, value) are others."""
    before = [vars(owner).get(name) for owner, name, _ in places]
    for owner, name, value in places:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for (owner, name, _), value in zip(places, before, strict=True):
            if value is None:
                delattr(owner, name)
            else:
                setattr(owner, name, value)


UNNEEDED = frozenset(
    "WithLifting InlineClosureLikes RewriteSemanticConstants DeadBranchPrune RewriteDynamicRaises "
    "MakeFunctionToJitFunction InlineInlinables FindLiterallyCalls LiteralUnroll LiteralPropagationSubPipelinePass "
    "InlineOverloads NopythonRewrites NoPythonSupportedFeatureValidation IRLegalization AnnotateTypes "
    "DumpParforDiagnostics".split()
)
"""Passes of Numba's that kernels do without: they have no closures, exceptions, array expressions or literal types, and
nothing ends with a variable. These take a sixth of the time of a first run."""


def passes(state: Any, lowering: type = NativeLowering, without: frozenset[str] = frozenset()) -> list[Any]:
    """Numba's passes, with another one that lowers, and without some."""
    found = DefaultPassBuilder.define_nopython_pipeline(state)
    found.passes = [
        (lowering if one is NativeLowering else one, text) for one, text in found.passes if one.__name__ not in without
    ]
    found._finalized = False
    found.finalize()
    return [found]


def _found_once() -> Any:
    """Numba's search among the forms of an operator or a function, some dozens of which it tries each time: what it
    found for types of arguments stays. A sixth of the time of a first run."""
    own, found = types.BaseFunction.get_call_type, {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return own(self, context, args, kws)
        key = self, tuple(args)
        if key not in found:
            found[key] = own(self, context, args, kws)
        return found[key]

    return get_call_type


def _without_lives() -> Any:
    """Numba's work after each pass, without the lives of variables, of which only what counts references wants to know;
    with them where ends of variables are asked for."""
    own = PostProcessor.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if emit_dels or self.func_ir.is_generator:
            own(self, emit_dels, extend_lifetimes)
            return
        self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
        self.func_ir.generator_info = None

    return run


QUICKER = ((types.BaseFunction, "get_call_type", _found_once()), (PostProcessor, "run", _without_lives()))
"""What of Numba is another while kernels are lowered."""


class KernelCompiler(CompilerBase):
    """The passes that kernels need."""

    def define_pipelines(self) -> list[Any]:
        self.state.type_annotation = None
        return passes(self.state, without=UNNEEDED)


def flags_of(*, inline: bool, allocates: bool, fastmath: set[str]) -> Flags:
    """How a kernel is lowered: division by zero is not an exception; reference counts only where it may allocate."""
    flags = Flags()
    flags.nrt = allocates
    flags.error_model = "numpy"
    flags.fastmath = FastMathOptions(fastmath)
    flags.forceinline = inline
    flags.no_compile = True
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.enable_pyobject_looplift = False
    return flags


def lowered(
    function: Any, arguments: tuple[Any, ...], name: str, flags: Flags, pipeline: type[CompilerBase] = KernelCompiler
) -> tuple[IRLibrary, Any]:
    """A function for types of arguments: its LLVM IR, under the symbol `name`, and the type of its result."""
    library = IRLibrary(name, flags.nrt)
    with global_compiler_lock, patched(*() if flags.nrt else QUICKER):
        contexts = cpu_target.typing_context, target()
        found = compile_extra(
            *contexts, function, arguments, None, flags, {}, library=library, pipeline_class=pipeline
        ).fndesc
    # names of Numba's depend on what was compiled before
    names = {found.mangled_name: name, found.env_name: f"{name}.env"}
    pattern = "|".join(map(re.escape, names))
    library.text = re.sub(rf'@"?({pattern})"?(?![\w.$-])', lambda hit: f'@"{names[hit[1]]}"', library.text)
    return library, found.restype
