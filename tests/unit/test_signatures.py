"""Entry points say by their annotations which types they take: all of them do, and those whose addresses records hold
have the signatures that the records call them by."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys

import pytest

from jourdain.kernels import entries
from jourdain.kernels.compiler import ENTRY_POINTS, entry_point
from jourdain.kernels.compiling import numba_private as numba
from jourdain.kernels.records import Record, record_type
from jourdain.kernels.signatures import Matrix, Vec3, Vector, signature
from jourdain.kernels.stage_functions import WITH_CONTROL_MODEL, WITHOUT_MODEL, StageFunctions

PREFIX = "jourdain.kernels."
LAST = ("effort", "dz")
"""What control laws write, their last arguments."""


@pytest.fixture(scope="module")
def every_entry_point():
    entries.everything()
    return [one for one in ENTRY_POINTS if one.__module__.startswith(PREFIX)]


def test_every_entry_point_has_types_for_all_its_arguments_and_its_result(every_entry_point):
    for one in every_entry_point:
        names = inspect.signature(one.py_func).parameters
        assert all(len(arguments) == len(names) for _, arguments in one.signatures), one


def test_a_kernel_that_returns_something_else_than_it_says_is_refused():
    @entry_point
    def half(x: float) -> int:
        return 0.5 * x

    ENTRY_POINTS.remove(half)
    with pytest.raises(TypeError, match="half returns float64, not int64 as it says"):
        half.ready()


def test_control_laws_have_one_of_two_signatures(every_entry_point):
    own = [one for one in every_entry_point if one.__module__.startswith(PREFIX + "control.")]
    laws = [one for one in own if one.py_func.__code__.co_varnames[: one.py_func.__code__.co_argcount][-2:] == LAST]
    assert len(laws) > 20
    known = [(one.signature.return_type, one.signature.args) for one in (WITHOUT_MODEL, WITH_CONTROL_MODEL)]
    for one in laws:
        assert one.signatures[0] in known, one


@pytest.mark.parametrize("record", ["integrate.loop_records:Method", "stage_functions:StageFunctions"])
def test_a_record_refuses_a_function_of_another_signature(record):
    from jourdain.kernels.integrate.external_integration import accept_state

    module, name = record.split(":")
    cls = getattr(importlib.import_module(PREFIX + module), name)
    field = next(iter(cls.fields))
    with pytest.raises(TypeError, match=f"{name}.{field} is .*; kernels take a function"):
        cls(**dict.fromkeys(cls.fields) | {field: accept_state.entry()})


def test_annotations_are_types():
    class Numbers(Record, name="testing numbers", complexes=True):
        pass

    def force(table: Numbers, n: int, x: Vector, A: Matrix, r: Vec3) -> float:
        return 0.0

    force.__globals__["Numbers"] = Numbers
    types = numba.types
    returns, arguments = signature(force)
    assert returns == types.float64 and arguments[0] is record_type(Numbers) and arguments[1] == types.int64
    assert (arguments[2].dtype, arguments[2].ndim, arguments[2].mutable) == (types.float64, 1, True)
    assert arguments[4] == types.UniTuple(types.float64, 3)
    _, wide = signature(force, complex_too=True)
    assert wide[0] is record_type(Numbers, True) and wide[3].dtype == types.complex128 and wide[1] == types.int64


def test_an_entry_point_without_annotations_is_refused():
    @entry_point
    def bare(x, y: float) -> None:
        pass

    ENTRY_POINTS.remove(bare)
    with pytest.raises(TypeError, match="bare: no annotation of x"):
        bare.entry()


def test_a_stage_is_called_by_the_signature_of_its_kernel():
    from jourdain.kernels.tree.right_hand_side import tree_rates

    field = StageFunctions.fields["rates"]
    assert (field.signature.return_type, field.signature.args) == tree_rates.signatures[0]


def test_numba_comes_with_the_first_kernel_only():
    code = """
import sys, jourdain as jd
jd.System("a"), jd.Model, jd.control.PID, jd.constraints.Projection()
print(any(name in sys.modules for name in ("numba", "llvmlite")))
"""
    done = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False", done.stderr
