"""What we use of Numba beyond what it documents is there as we know it: where a new Numba breaks us, this says at
what."""

from __future__ import annotations

import ast
import importlib
import inspect

import pytest

from jourdain.kernels.compiling import disk_cache

USED = {
    "numba.core.codegen:CodeLibrary": ("codegen", "name"),
    "numba.core.codegen:CodeLibrary.add_linking_library": ("self", "library"),
    "numba.core.codegen:CodeLibrary.add_ir_module": ("self", "ir_module"),
    "numba.core.codegen:CPUCodeLibrary._get_module_for_linking": ("self",),
    "numba.core.codegen:CPUCodegen._create_empty_module": ("self", "name"),
    "numba.core.compiler:CompilerBase.define_pipelines": ("self",),
    "numba.core.compiler:DefaultPassBuilder.define_nopython_pipeline": ("state", "name"),
    "numba.core.compiler:Flags": ("copy_from",),
    "numba.core.compiler:compile_extra": (
        "typingctx", "targetctx", "func", "args", "return_type", "flags", "locals", "library", "pipeline_class",
    ),
    "numba.core.compiler:_LowerResult": ("fndesc", "call_helper", "cfunc", "env"),
    "numba.core.compiler_lock:global_compiler_lock": None,
    "numba.core.compiler_machinery:LoweringPass": None,
    "numba.core.compiler_machinery:PassManager.add_pass": ("self", "pss", "description"),
    "numba.core.compiler_machinery:register_pass": None,
    "numba.core.cpu:FastMathOptions": ("value",),
    "numba.core.funcdesc:PythonFunctionDescriptor.from_specialized_function": (
        "func_ir", "typemap", "restype", "calltypes", "mangler", "inline", "noalias", "abi_tags",
    ),
    "numba.core.callconv:CPUCallConv.call_function": ("self", "builder", "callee", "resty", "argtys", "args", "attrs"),
    "numba.core.callconv:CPUCallConv.get_function_type": ("self", "restype", "argtypes"),
    "numba.core.callconv:CPUCallConv.return_status_propagate": ("self", "builder", "status"),
    "numba.core.callconv:CPUCallConv.raise_error": ("self", "builder", "pyapi", "status"),
    "numba.core.base:_has_loc": ("fn",),
    "numba.core.base:BaseContext.refresh": ("self",),
    "numba.core.errors:NumbaError.add_context": ("self", "msg"),
    "numba.core.errors:new_error_context": ("fmt_", "args"),
    "numba.core.interpreter:Interpreter.post_process": ("self", "peepholes", "func_ir"),
    "numba.core.interpreter:peep_hole_delete_with_exit": ("func_ir",),
    "numba.core.ir:Assign": None,
    "numba.core.lowering:BaseLower.pre_block": ("self", "block"),
    "numba.core.lowering:Lower.lower_block": ("self", "block"),
    "numba.core.lowering:Lower.lower_assign": ("self", "ty", "inst"),
    "numba.core.lowering:Lower.storevar": ("self", "value", "name", "argidx"),
    "numba.core.lowering:Lower._alloca_var": ("self", "name", "fetype"),
    "numba.core.postproc:PostProcessor.run": ("self", "emit_dels", "extend_lifetimes"),
    "numba.core.transforms:canonicalize_cfg": ("blocks",),
    "numba.core.typeinfer:new_error_context": ("fmt_", "args"),
    "numba.core.ir:Inst._rec_list_vars": ("self", "val"),
    "numba.core.ir:Loc": None,
    "numba.core.ir:Var": None,
    "numba.core.lowering:Lower": ("context", "library", "fndesc", "func_ir", "metadata"),
    "numba.core.base:BaseContext.insert_func_defn": ("self", "defns"),
    "numba.core.base:BaseContext.push_code_library": ("self", "lib"),
    "numba.core.base:BaseContext.add_dynamic_addr": ("self", "builder", "intaddr", "info"),
    "numba.core.registry:cpu_target": None,
    "numba.core.runtime.nrt:rtsys": None,
    "numba.core.typed_passes:NativeLowering": None,
    "numba.core.typed_passes:NoPythonBackend": None,
    "numba.core.typed_passes:NopythonTypeInference": None,
    "numba.core.typed_passes:PreLowerStripPhis": None,
    "numba.core.typed_passes:IRLegalization": None,
    "numba.core.untyped_passes:TranslateByteCode": None,
    "numba.core.untyped_passes:FixupArgs": None,
    "numba.core.untyped_passes:IRProcessing": None,
    "numba.core.untyped_passes:GenericRewrites": None,
    "numba.core.untyped_passes:ReconstructSSA": None,
    "numba.core.types.functions:BaseFunction.get_call_type": ("self", "context", "args", "kws"),
    "numba.core.typing.context:BaseContext.resolve_function_type": ("self", "func", "args", "kws"),
    "numba.core.typing.context:BaseContext.resolve_getattr": ("self", "typ", "attr"),
    "numba.core.typing.context:BaseContext.resolve_setitem": ("self", "target", "index", "value"),
    "numba.core.typing.context:BaseContext.resolve_static_getitem": ("self", "value", "index"),
    "numba.core.typing.templates:AttributeTemplate": None,
    "numba.core.typing.templates:Signature": None,
    "numba.core.typing.templates:infer_getattr": None,
    "numba.core.typing.templates:signature": None,
    "numba.core.imputils:lower_constant": None,
    "numba.core.imputils:lower_getattr_generic": None,
    "numba.core.imputils:lower_setattr_generic": None,
    "numba.core.datamodel:models": None,
    "numba.np.arrayobj:make_array": ("array_type",),
    "numba.np.arrayobj:getitem_arraynd_intp": ("context", "builder", "sig", "args"),
    "numba.np.arrayobj:getitem_array_tuple": ("context", "builder", "sig", "args"),
    "numba.np.arrayobj:setitem_array": ("context", "builder", "sig", "args"),
}  # fmt: skip


@pytest.mark.parametrize("where", USED)
def test_a_name_of_numbas_own_is_as_we_know_it(where: str):
    module, name = where.split(":")
    found = importlib.import_module(module)
    for part in name.split("."):
        assert hasattr(found, part), f"Numba has no {where} any more; see kernels/compiling/numba_private.py"
        found = getattr(found, part)
    if USED[where] is not None:
        got = tuple(name for name in inspect.signature(found).parameters if name not in ("args_", "kwargs"))
        if inspect.isclass(found):
            got = tuple(name for name in got if name != "self")
        assert got == USED[where], f"{where} takes {got} now; see kernels/compiling/numba_private.py"


def test_nobody_else_imports_such_names():
    """`numba`, `numba.extending` and `numba.core.errors` are documented; the rest is for one file."""
    allowed = {"numba", "numba.extending", "numba.core.errors"}
    for path in disk_cache.KERNELS.parent.rglob("*.py"):
        text = path.read_text()
        if path.name == "numba_private.py" or "numba" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                if name.split(".")[0] == "numba":
                    assert name in allowed, f"{path.name}, line {node.lineno}: {name}"
