"""The one file that knows names which Numba keeps to itself.

Everything in this package that Numba does not document is imported here, and from here by the others. When a new Numba
breaks something, `tests/unit/test_numba_private.py` says which name it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from numba.core import base, cgutils, typeinfer, types
from numba.core.codegen import CodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, _LowerResult, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.cpu import FastMathOptions
from numba.core.datamodel import models
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.imputils import lower_constant, lower_getattr_generic, lower_setattr_generic
from numba.core.interpreter import Interpreter, peep_hole_delete_with_exit
from numba.core.ir import Assign, Inst, Loc, Var
from numba.core.lowering import BaseLower, Lower
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.transforms import canonicalize_cfg
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
    "CompilerBase",
    "DefaultPassBuilder",
    "Dispatcher",
    "Flags",
    "LowerToText",
    "Lower",
    "NativeLowering",
    "Signature",
    "cgutils",
    "codegen",
    "global_compiler_lock",
    "infer_getattr",
    "inserted",
    "lower_constant",
    "lower_getattr_generic",
    "lower_setattr_generic",
    "lowered",
    "make_array",
    "models",
    "register_pass",
    "signature_of",
    "swapped",
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
class LowerToText(LoweringPass):
    """Lowers a function to text, under a name that does not depend on what was compiled before it."""

    _name = "jourdain_keep_lines"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def lowering(self, flags: Flags) -> type[Lower]:
        """What lowers: Numba's own where references are counted."""
        return Lower if flags.nrt else KernelLower

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
        kind = self.lowering(flags)
        with state.targetctx.push_code_library(library):
            lower = kind(state.targetctx, library, descriptor, state.func_ir, metadata=state.metadata)
            lower.lower()
            state["cr"] = _LowerResult(descriptor, lower.call_helper, cfunc=None, env=lower.env)
        return True


class KernelLower(Lower):
    """Numba's, of functions that count no references: no variable is cleared before it is set, none ends, no text is
    made of an instruction that nobody prints."""

    def pre_block(self, block: Any) -> None:
        BaseLower.pre_block(self, block)
        self._cur_ir_block = block

    def lower_block(self, block: Any) -> None:
        self.pre_block(block)
        try:
            for inst in block.body:
                self.loc = inst.loc
                if inst.__class__ is Assign:
                    self.storevar(self.lower_assign(self.typeof(inst.target.name), inst), inst.target.name)
                else:
                    self.lower_inst(inst)
        except NumbaError as error:
            error.add_context(f"lowering at {self.loc}")
            raise
        self.post_block(block)

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self._alloca_var(name, self.typeof(name))
            self.builder.store(value, self.varmap[name])


class KernelInterpreter(Interpreter):
    """Numba's, of functions without `with`."""

    def post_process(self, peepholes: list[Any], func_ir: Any) -> Any:
        return super().post_process([one for one in peepholes if one is not peep_hole_delete_with_exit], func_ir)


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelByteCode(TranslateByteCode):
    """From byte code to Numba's instructions, which are marked as those of a kernel."""

    _name = "jourdain_byte_code"

    def run_pass(self, state: Any) -> bool:
        state["func_ir"] = KernelInterpreter(state["func_id"]).interpret(state["bc"])
        state["func_ir"].of_a_kernel = True
        return True


def _post_processing(own: Any) -> Any:
    """Numba's, which follows the lives of variables after every pass, where it is not that of a kernel: there nothing
    ends with a variable."""

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if not hasattr(self.func_ir, "of_a_kernel"):
            own(self, emit_dels, extend_lifetimes)
            return
        self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
        self.func_ir.generator_info = None

    return run


class Context:
    """What Numba adds to the message of an error, without a generator for it."""

    def __init__(self, told: str, *arguments: Any, **named: Any) -> None:
        self.told, self.arguments, self.named = told, arguments, named

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, NumbaError):
            told = self.told.format(*self.arguments, **self.named) if self.arguments or self.named else self.told
            error.add_context(told)


def _refreshing(own: Any) -> Any:
    """Numba's refresh of what it knows, where there is something new."""
    sizes: list[int] = []

    def entries() -> list[int]:
        known = [*target()._registries, *cpu_target.typing_context._registries]
        return [len(one) for registry in known for one in vars(registry).values() if isinstance(one, list)]

    def refresh() -> None:
        if entries() != sizes:
            own()
            sizes[:] = entries()

    return refresh


@contextmanager
def swapped(*places: tuple[Any, str, Any]) -> Iterator[None]:
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


class UserCompiler(CompilerBase):
    """Numba's passes, with that one at the end."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(LowerToText, told) if one is NativeLowering else (one, told) for one, told in passes.passes]
        passes._finalized = False
        passes.finalize()
        return [passes]


class KernelCompiler(CompilerBase):
    """Those of Numba's passes that kernels need: they have no closures, comprehensions, exceptions or array
    expressions."""

    def define_pipelines(self) -> list[Any]:
        passes = PassManager("kernel")
        for one in (
            KernelByteCode,
            FixupArgs,
            IRProcessing,
            GenericRewrites,
            ReconstructSSA,
            NopythonTypeInference,
            PreLowerStripPhis,
            IRLegalization,
            LowerToText,
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


class CachingTypingContext:
    """Numba's typing context, which here remembers what it found for operators and functions of numbers and arrays.

    Numba tries dozens of templates at every plus sign; a third of the time of compiling a kernel was spent there.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._found: dict[Any, Any] = {}
        self._refresh = _refreshing(target().refresh)
        self._has_loc = cache(base._has_loc)
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
        """Lets lowering, which asks operators again, remember too; and Numba do without what kernels do not need."""
        if self._nested:
            yield
            return
        own = BaseFunction.get_call_type

        def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
            if kws:
                return own(function, context, args, kws)
            return self._once((id(function), tuple(args)), lambda: own(function, context, args, kws), function)

        self._nested = True
        try:
            with swapped(
                (BaseFunction, "get_call_type", get_call_type),
                (Inst, "_rec_list_vars", _variables),
                (PostProcessor, "run", _post_processing(PostProcessor.run)),
                (typeinfer, "new_error_context", Context),
                (base, "_has_loc", self._has_loc),
                (target(), "refresh", self._refresh),
            ):
                yield
        finally:
            self._nested = False

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
def _typing() -> CachingTypingContext:
    target().refresh()
    return CachingTypingContext(cpu_target.typing_context)


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


def lowered(
    function: Any, arguments: tuple[Any, ...], name: str, flags: Flags, user: type[CompilerBase] = UserCompiler
) -> tuple[Lines, Any]:
    """A function for types of arguments: its lines, under the symbol `name`, and Numba's description of it.

    user    the passes of a function that may allocate
    """
    lines = Lines(name, flags.nrt)
    with global_compiler_lock:
        if flags.nrt:
            target().refresh()
            typing, passes = cpu_target.typing_context, user
        else:
            typing, passes = _typing(), KernelCompiler
        with _typing().lowering():
            result = compile_extra(
                typing, target(), function, arguments, None, flags, {}, library=lines, pipeline_class=passes
            )
    return lines, result.fndesc
