"""Constraints met by positions in an implicit step, however short: velocities are then positions over the step."""

import numpy as np
import pytest
from loop_machines import machines
from mechanisms import four_bar, four_bar_state

import jourdain as jd


@pytest.fixture(scope="module")
def squeezer():
    model = machines.andrews().compile()
    return model, model.state(q=dict(zip(machines.ANDREWS_NAMES, machines.ANDREWS["start"], strict=True)))


@pytest.mark.parametrize("rtol", [1e-5, 1e-6, 1e-7])
@pytest.mark.parametrize("method", ["generalized-alpha", "newmark"])
def test_andrews_squeezer_starts_at_every_tolerance(squeezer, method, rtol):
    """It starts from rest, so that the first step is some 1e-8 s long and the tolerance of a velocity is atol: rounding
    of a gap over the step was more than that, and the run stopped at t = 0."""
    run = jd.simulate(*squeezer, 2e-3, method=method, rtol=rtol, atol=1e-2 * rtol, output=2e-3)
    exact = jd.simulate(*squeezer, 2e-3, output=2e-3, rtol=1e-11, atol=1e-13)
    assert run.options["form"] == "index-3"
    assert run.options["statistics"]["unconverged"] <= 2
    assert run.record.q[-1] == pytest.approx(exact.record.q[-1], abs=20.0 * rtol)


@pytest.mark.parametrize("step", [1e-7, 1e-9])
def test_steps_of_nanoseconds_converge(squeezer, step):
    run = jd.simulate(*squeezer, 50 * step, step=step, method="generalized-alpha")
    assert run.options["statistics"]["steps"] == 50
    expected = jd.simulate(*squeezer, 50 * step, step=step, method="rk4")
    most = np.max(np.abs(expected.record.v[-1]))
    assert run.record.v[-1] == pytest.approx(expected.record.v[-1], abs=1e-5 * most + 1e-13 / step)


@pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning")
def test_a_run_that_cannot_go_on_names_the_other_forms():
    """A tolerance that nothing meets."""
    model = four_bar().compile()
    with pytest.raises(jd.errors.SimulationError, match='form="index-3": try form="index-2" or form="index-1"'):
        jd.simulate(model, four_bar_state(model), 0.1, method="generalized-alpha", rtol=1e-15, atol=1e-300)
