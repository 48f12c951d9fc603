"""The triple pendulum of Lefeber et al. 2002, in canonical momenta p = M(q) v."""

import numpy as np
import pytest
from nato_reductions import LATER, RATES, triple_pendulum

import jourdain as jd

HALF = 0.5e-8
"""Half a unit of the last printed digit."""


@pytest.fixture(scope="module")
def model() -> jd.Model:
    return triple_pendulum()


def test_momenta_and_their_rates(model):
    """Hamilton's p' = -dH/dq is M v' + M' v; without efforts it is what the state and gravity make it."""
    state = model.state(q=(0.3, -0.5, 0.7), v=(1.0, -2.0, 0.5))
    M = model.mass_matrix(state)
    assert M @ state.v == pytest.approx(RATES[0], abs=HALF * 1.1)
    h = 1e-6
    turning = (model.mass_matrix(state.q + h * state.v) - model.mass_matrix(state.q - h * state.v)) / (2 * h)
    rate = M @ model.forward_dynamics(state) + turning @ state.v
    assert rate == pytest.approx(RATES[1], abs=3e-8)


@pytest.mark.parametrize("time", LATER)
def test_states_from_rest(model, time):
    run = jd.simulate(model, model.state(), until=time, rtol=1e-13, atol=1e-14)
    q, p = LATER[time]
    end = run.state()
    assert end.q == pytest.approx(q, abs=1.1 * HALF)
    assert model.mass_matrix(end) @ end.v == pytest.approx(p, abs=1.1 * HALF)
    assert abs(model.energy(end).total) < 1e-10  # H is zero all along


def test_a_cyclic_coordinate_keeps_its_momentum():
    """A vertical first axis without torque: its momentum does not change, whatever the rest does."""
    arm = jd.System("turntable", gravity=(0, 0, -9.81))
    rod = {"mass": 1.0, "com": (0.5, 0, 0), "inertia": (0.01, 1 / 12, 1 / 12), "frames": {"tip": (1, 0, 0)}}
    arm.add(jd.RigidBody("table", **rod), joint=jd.Revolute("turn", axis="z"))
    arm.add(jd.RigidBody("upper", **rod), joint=jd.Revolute("lift", axis="y"), to="table.tip")
    arm.add(jd.RigidBody("fore", **rod), joint=jd.Universal("wrist", axes=("y", "x")), to="upper.tip")
    model = arm.compile()
    state = model.state(v={"turn": 1.5, "wrist.b": 2.0})
    run = jd.simulate(model, state, until=5.0, rtol=1e-13, atol=1e-14, output=0.25)
    momenta = np.array([model.mass_matrix(s)[0] @ s.v for s in map(run.state, range(len(run)))])
    assert np.max(np.abs(momenta - momenta[0])) < 1e-11 * momenta[0]
