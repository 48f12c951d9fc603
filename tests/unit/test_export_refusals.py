"""Exported models: a call that is refused, or that fails, leaves the instance as it was, to the last bit."""

from __future__ import annotations

import shutil

import export_kinds
import numpy as np
import pytest
from control_arms import planar_arm, random_state
from exported import Instance, Library

import jourdain as jd

WORTHLESS = (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e100)
"""What no input can be."""
STEP = 2.0**-10


@pytest.fixture(scope="module")
def arm():
    model = planar_arm()
    return model, random_state(model)


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_worthless_numbers_are_refused_in_c(arm, tmp_path):
    """jd_step, jd_inputs, jd_set, jd_start and jd_put return JD_BAD_VALUE, and the memory is that of before."""
    model, state = arm
    lib = Library(jd.export.c(model, tmp_path, state=state, step=STEP, target="native", inputs=["effort:j0"]))
    one, other = Instance(lib), Instance(lib)
    fine = np.array([0.5])
    for each in (one, other):
        assert each.step(10, fine) == 0
    n = model.nq
    for bad in WORTHLESS:
        worse = np.array([bad])
        assert one.step(1, worse) == one.step(7, worse) == lib.inputs(one.self, worse.ctypes.data) == -3
        for index in (lib.find(b"time"), lib.find(b"j1"), lib.find(b"v:j2"), lib.find(b"effort:j0")):
            assert lib.set(one.self, index, bad) == -3
        state = np.zeros(n)
        state[-1] = bad
        assert lib.start(one.self, bad, None, None, None) == -3
        assert lib.start(one.self, 1.0, state.ctypes.data, None, None) == -3
        assert lib.start(one.self, 1.0, None, state.ctypes.data, None) == -3
    assert one["time"] == 10 * STEP
    for each in (one, other):
        assert each.step(10) == 0
    for mine, theirs in zip(one.state(model, 0), other.state(model, 0), strict=True):
        np.testing.assert_array_equal(mine, theirs)


CASES = [
    ("controller", "sampled"),
    ("controller", "predictive"),
    ("contact", "round"),
    ("contact", "caps"),
    ("loop", "projection"),
    pytest.param("contact", "flats", marks=pytest.mark.slow),
    pytest.param("pile", "", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("family", "kind"), CASES, ids=lambda one: one)
def test_a_step_that_fails_is_as_if_it_had_not_been(family, kind):
    """An effort of 1e90 ends the run. What contacts, digital controllers, their noise and constraints remember is that
    of before, so that the run goes on as one that was never asked."""
    model, state, given = getattr(export_kinds, family)(*[kind] * bool(kind))
    given = {key: value for key, value in given.items() if key not in ("steps", "outputs", "inputs")}
    given.setdefault("step", STEP)
    one, other = (jd.export.Instance(model, state=state, **given) for _ in range(2))
    zeros = np.zeros(len(one.inputs))
    huge = zeros + 1e90
    failed = 0
    for _ in range(6):
        for each in (one, other):
            each.step(zeros, 9)
        for steps in (1, 5):
            try:
                one.step(huge, steps)
            except jd.errors.SimulationError as error:
                failed += 1
                assert "where it stays" in str(error) and error.time == other.time
        assert one.time == other.time
        for name in one.names:
            assert one[name] == other[name] or (np.isnan(one[name]) and np.isnan(other[name])), name
    assert failed == 12
    with pytest.raises(jd.errors.ModelError, match="no finite number that an input can be; nothing was changed"):
        one.step(zeros + np.nan)
