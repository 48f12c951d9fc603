"""Records: what a kernel takes as one pointer is checked when it is made, and is never taken for something else."""

from __future__ import annotations

import pickle

import numba
import numpy as np
import pytest
from numba import types

import jourdain as jd
from jourdain.kernels import forward_dynamics, workspace
from jourdain.kernels.compiler import entry_point, kernel, optional_kernel
from jourdain.kernels.model_arrays import ModelArrays, Workspace
from jourdain.kernels.records import Function, Record, c128, f64, given, i64, record_at

COMBINE = Function(types.float64, types.float64[::1], types.float64)


class Fixed(Record, name="XF", readonly=True):
    table = i64(2)
    numbers = f64(1)


class Scratch(Record, name="XS", complexes=True):
    room = f64(1)
    waves = c128(1)


class Calls(Record, name="XC"):
    first = COMBINE
    second = COMBINE


def frozen(array):
    array.flags.writeable = False
    return array


TABLE = np.arange(6).reshape(2, 3)
WRONG = {
    "another dtype": (TABLE.astype(np.int32), "table is an array of int32"),
    "another number of dimensions": (TABLE.ravel(), "table is an array of int64, 1 dimensions"),
    "not contiguous": (TABLE.T, "table is an array of int64, 2 dimensions, not contiguous"),
    "no array": (TABLE.tolist(), "table is list"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_array_is_refused_by_its_name(what):
    given_table, told = WRONG[what]
    if isinstance(given_table, np.ndarray):
        given_table = frozen(given_table)
    with pytest.raises(TypeError, match=f"Fixed.{told}"):
        Fixed(given_table, frozen(np.zeros(2)))


def test_what_kernels_only_read_must_be_read_only_and_the_rest_must_not():
    with pytest.raises(TypeError, match="numbers is an array of float64, 1 dimensions; kernels take .* read-only"):
        Fixed(frozen(TABLE.copy()), np.zeros(2))
    with pytest.raises(TypeError, match="room is an array of float64, 1 dimensions, read-only"):
        Scratch(frozen(np.zeros(2)), np.zeros(1, complex))


def test_members_are_named_and_do_not_change():
    one = Fixed.frozen(TABLE.copy(), np.zeros(2))
    with pytest.raises(AttributeError, match="_replace"):
        one.table = TABLE
    other = one._replace(numbers=frozen(np.ones(3)))
    assert other.table is one.table and other.packed is not one.packed
    with pytest.raises(TypeError, match="Fixed takes table, numbers; got table"):
        Fixed(frozen(TABLE.copy()))


def test_a_pickle_holds_no_addresses():
    one = Fixed.frozen(TABLE.copy(), np.zeros(2))
    again = pickle.loads(pickle.dumps(one))
    assert not again.table.flags.writeable and np.array_equal(again.table, one.table)
    assert again.address_XF != one.address_XF


@kernel
def middle(record):
    return record.table[1, 1] * record.numbers[0]


@entry_point
def read(record):
    return middle(record)


@entry_point
def wave(scratch):
    scratch.room[0] = 2.0 * scratch.room[1] + scratch.waves[0].imag
    return scratch.room.size


@entry_point
def call_both(calls, x, y):
    total = 0.0
    if given(calls.first):
        total += calls.first(x, y)
    if given(calls.second):
        total += 10.0 * calls.second(x, y)
    return total


@entry_point
def weighed(x, y):
    return x[0] * y


@entry_point
def behind(scratch, addresses):
    other = record_at(scratch, addresses[0])
    return other.room[0]


def test_kernels_read_records_real_and_complex():
    assert read(Fixed.frozen(TABLE.copy(), np.array([2.0]))) == 8.0
    real = Scratch(np.array([0.0, 3.0]), np.array([1j]))
    assert wave(real) == 2 and real.room[0] == 7.0
    imaginary = Scratch(np.array([0.0, 3.0j]), np.array([1j]))
    wave(imaginary)
    assert imaginary.room[0] == 1.0 + 6.0j


def test_a_record_is_not_taken_for_another():
    go = read.overload((numba.typeof(Fixed.frozen(TABLE.copy(), np.zeros(1))),)).ready(frozenset())
    with pytest.raises(AttributeError, match="address_XF"):
        go.python(Scratch(np.zeros(1), np.zeros(1, complex)))


def test_an_absent_function_is_a_branch():
    x = np.array([3.0])
    one = weighed.overload(COMBINE.signature.args).ready(frozenset())
    assert call_both(Calls(None, None), x, 2.0) == 0.0
    assert call_both(Calls(one, None), x, 2.0) == 6.0
    assert call_both(Calls(one, one), x, 2.0) == 66.0
    with pytest.raises(TypeError, match=r"Calls\.first is .*; kernels take a function"):
        Calls(np.sin, None)


def test_a_record_behind_an_address():
    hidden = Scratch(np.array([5.0]), np.zeros(1, complex))
    shown = Scratch(np.array([6.0]), np.zeros(1, complex))
    assert behind(shown, np.array([hidden.address_XS])) == 5.0


@optional_kernel("rare", returns=(1, 3))
def rare(x):
    return x[0], (x[0], 2.0 * x[0], 3.0 * x[0])


@optional_kernel("broken", returns=1)
def broken(x):
    return 1


@entry_point
def maybe_rare(x, wanted):
    if wanted == 1:
        number, vector = rare(x)
        return number + vector[2]
    return 0.0


@entry_point
def calls_broken(x):
    return broken(x)


def test_a_part_that_nobody_asked_for_is_an_error_and_not_a_crash():
    x = np.array([2.0])
    go = maybe_rare.overload((types.float64[::1], types.int64)).ready(frozenset())
    assert go.python(x, 0) == 0.0
    with pytest.raises(RuntimeError, match="maybe_rare: an optional kernel that this model needs is not loaded"):
        go.python(x, 1)
    go.ready(frozenset({"rare"}))
    assert go.python(x, 1) == 8.0


def test_a_part_keeps_what_it_promises():
    with pytest.raises(TypeError, match="broken returns int64, not float64 as it says"):
        calls_broken.overload((types.float64[::1],)).ready(frozenset({"broken"}))


WRONG_CALLS = {
    "too few": ((), "takes 2 arguments"),
    "no array": (([1.0], 2.0), "argument 1 must be a contiguous array of float64, 1 dimensions, writeable"),
    "strides": ((np.zeros(4)[::2], 2.0), "argument 1 must be a contiguous"),
    "read-only": ((frozen(np.zeros(4)), 2.0), "argument 1 must be a contiguous"),
    "integers": ((np.zeros(4, int), 2.0), "argument 1 must be a contiguous"),
    "byte order": ((np.zeros(4, ">f8"), 2.0), "argument 1 must be a contiguous"),
    "no number": ((np.zeros(4), "two"), "must be real number"),
}


@pytest.mark.parametrize("what", WRONG_CALLS)
def test_a_wrong_argument_is_named(what):
    arguments, told = WRONG_CALLS[what]
    go = weighed.overload(COMBINE.signature.args).ready(frozenset())
    with pytest.raises(TypeError, match=told):
        go.python(*arguments)


def flexible():
    system = jd.System("boom", gravity=(0.0, 0.0, -9.81))
    beam = dict(length=2.0, mass_per_length=0.8, EA=2e6, EI=(900.0, 900.0), GJ=700.0, modes=jd.Modes(bending=2))
    system.add(jd.Beam("boom", **beam), joint=jd.Revolute("hinge", axis="y"))
    return system.compile()


def test_a_users_compiled_function_calls_ours():
    model = flexible()
    ws = workspace(model.arrays)

    @numba.njit
    def total(arrays, ws, q, v, effort, out):
        forward_dynamics(arrays, ws, q, v, effort, out)
        return out.sum()

    state, out = model.state(q={"hinge": 0.3}), np.zeros(model.nv)
    found = total(model.arrays, ws, state.q, state.v, np.zeros(model.nv), out)
    np.testing.assert_array_equal(out, model.forward_dynamics(state))
    assert found == out.sum()


def test_the_fields_of_the_large_records_have_short_names():
    assert (ModelArrays.name, Workspace.name) == ("M", "W")
    assert all(len(name) < 2000 for name in (str(numba.typeof(flexible().arrays)),))
