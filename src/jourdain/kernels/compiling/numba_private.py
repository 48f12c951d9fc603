"""The one file that knows names which Numba keeps to itself.

Everything in this package that Numba does not document is imported here, and from here by the others. When a new Numba
breaks something, `tests/unit/test_numba_private.py` says which name it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from numba.core import cgutils, types
from numba.core.codegen import CodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, _LowerResult, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.cpu import FastMathOptions
from numba.core.datamodel import models
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.ir import Inst, Loc, Var
from numba.core.lowering import Lower
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import AttributeTemplate, Signature, infer_getattr
from numba.core.typing.templates import signature as signature_of
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode
from numba.np import arrayobj

__all__ = [
    "AttributeTemplate",
    "Flags",
    "Signature",
    "cgutils",
    "codegen",
    "global_compiler_lock",
    "infer_getattr",
    "inserted",
    "lower_constant",
    "lower_getattr_generic",
    "lowered",
    "make_array",
    "models",
    "signature_of",
    "target",
    "types",
]

make_array = arrayobj.make_array
getitem_arraynd_intp = arrayobj.getitem_arraynd_intp
getitem_array_tuple = arrayobj.getitem_array_tuple
setitem_array = arrayobj.setitem_array
OURS = __name__.partition(".")[0]


def target() -> Any:
    """Numba's target context of this processor."""
    return cpu_target.target_context


def codegen() -> Any:
    """What makes LLVM modules of that context."""
    return target().codegen()


def inserted(key: Any, implementation: Any, arguments: tuple[Any, ...]) -> None:
    """Lets calls of what has `key` be lowered by `implementation(context, builder, signature, values)`."""
    target().insert_func_defn([(implementation, key, arguments)])


class Lines(CodeLibrary):
    """The LLVM text of one function, and what it calls: never optimised or turned into machine code by itself.

    text       of its own module
    inner      kernels whose lines are linked in beside it
    foreign    libraries of Numba's own, of which the same holds
    outside    units and parts that it calls
    """

    def __init__(self, name: str, allocates: bool = False) -> None:
        super().__init__(codegen(), name)
        self.allocates = allocates
        self.text = ""
        self.inner: dict[str, Any] = {}
        self.foreign: list[Any] = []
        self.outside: dict[str, Any] = {}
        self._finalized = False

    def add_linking_library(self, library: Any) -> None:
        runtime = library is rtsys.library and not self.allocates
        if library is not self and library not in self.foreign and not runtime:
            self.foreign.append(library)

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


def modules_of(library: Any) -> Any:
    """The module of one of Numba's own libraries, with all that it calls, as another may link it in."""
    with global_compiler_lock:
        return library._get_module_for_linking()


@register_pass(mutates_CFG=True, analysis_only=False)
class KeepLines(LoweringPass):
    """Lowers a function to text, under a name that does not depend on what was compiled before it."""

    _name = "jourdain_keep_lines"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        flags, library = state.flags, state.library
        descriptor = PythonFunctionDescriptor.from_specialized_function(
            state.func_ir,
            state.typemap,
            state.return_type,
            state.calltypes,
            mangler=lambda name, arguments, abi_tags, uid: (
                library.name if "NumbaEnv" not in name else f"{library.name}.env"
            ),
            inline=flags.forceinline,
            noalias=flags.noalias,
            abi_tags=(),
        )
        with state.targetctx.push_code_library(library):
            lower = Lower(state.targetctx, library, descriptor, state.func_ir, metadata=state.metadata)
            lower.lower()
            state["cr"] = _LowerResult(descriptor, lower.call_helper, cfunc=None, env=lower.env)
        return True


class UserCompiler(CompilerBase):
    """Numba's passes, with that one at the end."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(KeepLines, told) if one is NativeLowering else (one, told) for one, told in passes.passes]
        passes._finalized = False
        passes.finalize()
        return [passes]


class KernelCompiler(CompilerBase):
    """Those of Numba's passes that kernels need: they have no closures, comprehensions, exceptions or array
    expressions."""

    def define_pipelines(self) -> list[Any]:
        passes = PassManager("kernel")
        for one in (
            TranslateByteCode,
            FixupArgs,
            IRProcessing,
            GenericRewrites,
            ReconstructSSA,
            NopythonTypeInference,
            PreLowerStripPhis,
            IRLegalization,
            KeepLines,
            NoPythonBackend,
        ):
            passes.add_pass(one, one.__name__)
        passes.finalize()
        self.state.type_annotation = None
        return [passes]


def _variables(_: Any, value: Any) -> list[Any]:
    """The variables in an instruction's field, as Numba's own; it asks so often that a tenth of compiling was there."""
    found: list[Any] = []
    _add_variables(value, found)
    return found


def _add_variables(value: Any, found: list[Any]) -> None:
    kind = value.__class__
    if kind is Var:
        found.append(value)
    elif kind is list or kind is tuple:
        for one in value:
            _add_variables(one, found)
    elif kind is dict:
        for one in value.values():
            _add_variables(one, found)
    elif kind is not str and kind is not Loc and isinstance(value, Inst):
        found.extend(value.list_vars())


class Remembering:
    """Numba's typing context, which here remembers what it found for operators and functions of numbers and arrays.

    Numba tries dozens of templates at every plus sign; a third of the time of compiling a kernel was spent there.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._found: dict[Any, Any] = {}
        self._nested = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def _once(self, key: Any, find: Any, *kept: Any) -> Any:
        """What `find` gives, found once for a key; what the key names by its identity is kept."""
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = find(), kept
        return found[0]

    @contextmanager
    def lowering(self) -> Iterator[None]:
        """Lets lowering, which asks operators again, remember too; and Numba find variables sooner."""
        own, variables = BaseFunction.get_call_type, Inst._rec_list_vars

        def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
            if kws:
                return own(function, context, args, kws)
            return self._once((id(function), tuple(args)), lambda: own(function, context, args, kws), function)

        if self._nested:
            yield
            return
        self._nested, BaseFunction.get_call_type, Inst._rec_list_vars = True, get_call_type, _variables
        try:
            yield
        finally:
            self._nested, BaseFunction.get_call_type, Inst._rec_list_vars = False, own, variables

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """As Numba's own."""
        if isinstance(func, types.Function) and not kws:
            return func.get_call_type(self._context, args, kws)
        if type(func).__module__.startswith(OURS):
            return func.get_call_type(self._context, args, kws)
        return self._context.resolve_function_type(func, args, kws)

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        """As Numba's own."""
        return self._once(("get", typ, attr), lambda: self._context.resolve_getattr(typ, attr))

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """As Numba's own."""
        own = self._context.resolve_setitem
        return self._once(("set", target, index, value), lambda: own(target, index, value))

    def resolve_static_getitem(self, value: Any, index: Any) -> Any:
        """As Numba's own."""
        if not isinstance(index, int):
            return self._context.resolve_static_getitem(value, index)
        return self._once(("item", value, index), lambda: self._context.resolve_static_getitem(value, index))


@cache
def _typing() -> Remembering:
    target().refresh()
    return Remembering(cpu_target.typing_context)


def flags_of(*, inline: bool, allocates: bool, fastmath: set[str]) -> Flags:
    """How a kernel is compiled: division by zero is not an exception; reference counts only where it may allocate."""
    flags = Flags()
    flags.nrt = allocates
    flags.error_model = "numpy"
    flags.fastmath = FastMathOptions(fastmath)
    flags.forceinline = inline
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.enable_pyobject_looplift = False
    return flags


def lowered(function: Any, arguments: tuple[Any, ...], name: str, flags: Flags) -> tuple[Lines, Any]:
    """A function for types of arguments: its lines, under the symbol `name`, and Numba's description of it."""
    lines = Lines(name, flags.nrt)
    with global_compiler_lock:
        if flags.nrt:
            target().refresh()
            typing, passes = cpu_target.typing_context, UserCompiler
        else:
            typing, passes = _typing(), KernelCompiler
        with _typing().lowering():
            result = compile_extra(
                typing, target(), function, arguments, None, flags, {}, library=lines, pipeline_class=passes
            )
    return lines, result.fndesc
