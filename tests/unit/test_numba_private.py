"""What we use of Numba beyond what it documents is there and means what we take it to mean: where a new Numba breaks
us, this says at what."""

from __future__ import annotations

import ast
import importlib
import inspect
import math

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from numba import types
from numba.core.compiler import DefaultPassBuilder

import jourdain as jd
from jourdain.kernels import bounds, user_functions
from jourdain.kernels.compiler import ENTRY_POINTS, FASTMATH, entry_point, outlined_kernel
from jourdain.kernels.compiling import disk_cache, object_code
from jourdain.kernels.compiling import numba_private as private
from jourdain.kernels.signatures import ComplexVector, Matrix, Vector

USED = {
    "numba.core.base:BaseContext.add_dynamic_addr": ("self", "builder", "intaddr", "info"),
    "numba.core.cpu:CPUContext.codegen": ("self",),
    "numba.core.base:BaseContext.get_arg_packer": ("self", "fe_args"),
    "numba.core.base:BaseContext.get_function": ("self", "fn", "sig", "_firstcall"),
    "numba.core.base:BaseContext.get_returned_value": ("self", "builder", "ty", "val"),
    "numba.core.base:BaseContext.make_array": ("self", "typ"),
    "numba.core.callconv:CPUCallConv._get_excinfo_argument": ("self", "func"),
    "numba.core.callconv:CPUCallConv.call_function": ("self", "builder", "callee", "resty", "argtys", "args", "attrs"),
    "numba.core.callconv:CPUCallConv.get_function_type": ("self", "restype", "argtypes"),
    "numba.core.callconv:CPUCallConv.raise_error": ("self", "builder", "pyapi", "status"),
    "numba.core.callconv:CPUCallConv.return_status_propagate": ("self", "builder", "status"),
    "numba.core.callconv:CPUCallConv.return_user_exc": ("self", "builder", "exc", "exc_args", "loc", "func_name"),
    "numba.core:cgutils": None,
    "numba.core.cgutils:do_boundscheck": ("context", "builder", "ind", "dimlen", "axis"),
    "numba.core.codegen:CodeLibrary": ("codegen", "name"),
    "numba.core.codegen:CodeLibrary.add_ir_module": ("self", "ir_module"),
    "numba.core.codegen:CodeLibrary.add_linking_library": ("self", "library"),
    "numba.core.codegen:CPUCodeLibrary._get_module_for_linking": ("self",),
    "numba.core.compiler:CompilerBase.define_pipelines": ("self",),
    "numba.core.compiler:DefaultPassBuilder.define_nopython_pipeline": ("state", "name"),
    "numba.core.compiler:Flags": ("copy_from",),
    "numba.core.compiler:compile_extra": (
        "typingctx", "targetctx", "func", "args", "return_type", "flags", "locals", "library", "pipeline_class",
    ),
    "numba.core.compiler_lock:global_compiler_lock": None,
    "numba.core.compiler_machinery:register_pass": None,
    "numba.core.cpu:FastMathOptions": ("value",),
    "numba.core.dispatcher:Dispatcher": None,
    "numba.core.funcdesc:FunctionDescriptor.env_name": None,
    "numba.core.lowering:Lower": ("context", "library", "fndesc", "func_ir", "metadata"),
    "numba.core.lowering:Lower.lower_inst": ("self", "inst"),
    "numba.core.postproc:PostProcessor.run": ("self", "emit_dels", "extend_lifetimes"),
    "numba.core.registry:cpu_target": None,
    "numba.core.transforms:canonicalize_cfg": ("blocks",),
    "numba.core.typed_passes:NativeLowering.lowering_class": None,
    "numba.core.types.functions:BaseFunction.get_call_type": ("self", "context", "args", "kws"),
    "numba.core.typing.templates:AttributeTemplate": None,
}  # fmt: skip
MOST = 35
"""Names that are used at most."""


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


DOCUMENTED = {"numba", "numba.extending", "numba.core.errors"}
"""Modules whose names Numba documents."""


def imports(path):
    """Names that a file imports from Numba: (module, name, line)."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "numba":
            yield from ((node.module, one.name, node.lineno) for one in node.names)
        if isinstance(node, ast.Import):
            yield from ((one.name, "", node.lineno) for one in node.names if one.name.split(".")[0] == "numba")


def test_nobody_else_imports_such_names():
    for path in disk_cache.KERNELS.parent.rglob("*.py"):
        if path.name != "numba_private.py" and "numba" in path.read_text():
            for module, _, line in imports(path):
                assert module in DOCUMENTED, f"{path.name}, line {line}: {module}"


def test_the_table_has_all_names_and_they_are_few():
    path = disk_cache.KERNELS / "compiling" / "numba_private.py"
    for module, name, line in imports(path):
        known = any(one.split(".")[0] == name or one == f"{name}" for one in (key.split(":")[1] for key in USED))
        assert module in DOCUMENTED or known, f"numba_private.py, line {line}: {module}:{name} is not in the table"
    assert len(USED) <= MOST


# what they mean


def lowered(function, *arguments, allocates=False, **how):
    flags = private.flags_of(inline=False, allocates=allocates, fastmath=FASTMATH)
    return private.lowered(function, arguments, "jd.test", flags, **how)


def half(x, y):
    return 0.5 * x / y


def rows(A: Matrix, x: Vector) -> float:
    """Row views and slices, by integers and tuples, read and written."""
    for k in range(3):
        A[1, k] = x[k]
    A[0, 1] = A[1][2] + A[1, 0]
    A[2, 0:2] = A[1, 1:3][1]
    A[0] = A[0, 1]
    total = 0.0
    for k in range(3):
        total += A[2][k] + A[0][k]
    return total


def test_a_function_is_lowered_to_ir_under_the_name_that_we_give():
    for _ in range(2):  # Numba counts what it compiles; our names do not depend on it
        library, result = lowered(half, types.float64, types.float64)
        module = llvm.parse_assembly(library.text)
        (function,) = (one for one in module.functions if not one.is_declaration)
        assert function.name == "jd.test" and result == types.float64
        assert {one.name for one in module.global_variables} <= {"jd.test.env"}
    assert library.libraries == [] and library.inlined == {} and library.external == {}
    division = next(line for line in library.text.splitlines() if "fdiv" in line)
    assert all(word in division.split() for word in FASTMATH)
    assert "NRT_" not in library.text and not object_code.bound_to_this_process(module)


def test_what_is_quicker_gives_the_same_instructions(monkeypatch: pytest.MonkeyPatch):
    arrays = types.Array(types.float64, 2, "C"), types.Array(types.float64, 1, "C")
    quick, _ = lowered(rows, *arrays)
    monkeypatch.setattr(private, "QUICKER", ())
    plain, _ = lowered(rows, *arrays)
    assert quick.text.partition("\n")[2] == plain.text.partition("\n")[2]  # but for the name of the module


def test_a_call_that_fails_ends_its_caller():
    @outlined_kernel
    def checked(x):
        if x < 0.0:
            raise ValueError("below zero")
        return x

    @entry_point
    def twice(x: float) -> float:
        return 2.0 * checked(x)

    ENTRY_POINTS.remove(twice)
    assert twice(1.5) == 3.0
    with pytest.raises(ValueError, match="below zero"):
        twice(-1.0)


def test_division_by_zero_is_no_exception():
    @entry_point
    def ratio(x: float, y: float) -> float:
        return x / y

    ENTRY_POINTS.remove(ratio)
    assert math.isinf(ratio(1.0, 0.0)) and math.isnan(ratio(0.0, 0.0))


def test_kernels_without_some_passes_are_what_they_are_with_all():
    class Whole(private.CompilerBase):
        def define_pipelines(self):
            return private.passes(self.state)

    array = private.types.Array(types.float64, 2, "C"), private.types.Array(types.float64, 1, "C")
    texts = [lowered(rows, *array, pipeline=one)[0].text for one in (Whole, private.KernelCompiler)]
    sizes = [
        len(llvm.parse_bitcode(object_code.simplified(one, object_code.this_machine())).as_bitcode()) for one in texts
    ]
    assert abs(sizes[0] - sizes[1]) < 0.2 * sizes[0]


def test_passes_that_are_left_out_are_passes_of_numbas():
    class State:
        func_ir = None
        flags = private.flags_of(inline=False, allocates=False, fastmath=set())

    found = {one.__name__ for one, _ in DefaultPassBuilder.define_nopython_pipeline(State).passes}
    assert private.UNNEEDED < found
    (left,) = private.passes(State, without=private.UNNEEDED)
    names = [one.__name__ for one, _ in left.passes]
    assert names.index("NopythonTypeInference") < names.index("NativeLowering") < names.index("NoPythonBackend")


def test_arrays_of_kernels_are_read_and_written_as_numbas():
    worked = entry_point(rows)
    ENTRY_POINTS.remove(worked)
    A, x = np.ones((3, 3)), np.array([1.0, 2.0, 4.0])
    B = A.copy()
    assert worked(A, x) == rows(B, x) and np.array_equal(A, B)


def test_complex_numbers_pass_through():
    @entry_point
    def squared(z: ComplexVector) -> None:
        for k in range(z.size):
            z[k] = z[k] * z[k]

    ENTRY_POINTS.remove(squared)
    z = np.array([1.0 + 2.0j, 3.0j])
    squared(z)
    assert z == pytest.approx([-3.0 + 4.0j, -9.0])


def test_libraries_of_numbas_are_linked_in():
    """What Numba has written for a function of NumPy's is a module of its own, which defines what is called."""

    def mean(x):
        return np.mean(x)

    library, _ = lowered(mean, types.float64[::1], allocates=True)
    declared = {one.name for one in llvm.parse_assembly(library.text).functions if one.is_declaration}
    defined = set()
    for one in library.libraries:
        module = private.module_of(one).clone()
        defined |= {function.name for function in module.functions if not function.is_declaration}
    assert declared & defined


def test_attributes_are_others_for_a_while_only():
    class Owner:
        there = 1

    with private.patched((Owner, "there", 2), (Owner, "new", 3)):
        assert (Owner.there, Owner.new) == (2, 3)
    assert Owner.there == 1 and not hasattr(Owner, "new")


def test_signatures_are_made_of_types():
    made = private.signature_of(types.float64, types.int64, types.boolean)
    assert made.return_type == types.float64 and made.args == (types.int64, types.boolean) and made.recvr is None
    assert private.signature_of(types.none, types.int64, recvr=types.float64).recvr == types.float64


def test_a_users_compiled_function_calls_a_kernel_and_is_not_cached_with_its_address():
    @entry_point
    def third(x: float) -> float:
        return x / 3.0

    ENTRY_POINTS.remove(third)

    @numba.njit
    def user(x):
        return third(x) + 1.0

    assert user(6.0) == 3.0
    (overload,) = user.overloads.values()
    assert overload.library.has_dynamic_globals  # Numba keeps no such function on disk


def test_an_exception_of_a_users_function_comes_through_to_python():
    @user_functions.entry_point
    def picky(x):
        if x[0] < 0.0:
            raise ValueError("below zero")
        return x[2]

    assert picky(np.arange(3.0)) == 2.0
    with pytest.raises(ValueError, match="below zero"):
        picky(-np.ones(3))
    with pytest.raises(jd.errors.LawIndexError, match="index 2 is outside of x, which has 2 entries"):
        picky(np.ones(2))


def test_while_laws_are_compiled_other_compiled_functions_are_typed_as_their_checked_copies():
    @numba.njit
    def second(x):
        return x[1]

    before = numba.typeof(second)
    with bounds.checked():
        inside = numba.typeof(second)
    assert inside.dispatcher is bounds.checked_copy(second) and inside != before
    assert numba.typeof(second) == before
