"""Model functions that got their arguments in the other order say so."""

from __future__ import annotations

import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def model():
    system = jd.System("ball")
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1, 1, 1)), jd.Free("free"))
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), jd.HertzContact(1e6))
    return system.compile()


@pytest.mark.parametrize(
    "call",
    [
        lambda model, state: model.pose(state, "ball.origin"),
        lambda model, state: model.pose(state.q, "ball.origin"),
        lambda model, state: model.jacobian(state, "ball.origin"),
        lambda model, state: model.jacobian(state.q, "ball.origin"),
        lambda model, state: model.velocity(state, "ball.origin"),
        lambda model, state: model.acceleration(state, "ball.origin"),
        lambda model, state: model.bias_acceleration(state, "ball.origin"),
        lambda model, state: model.bias(state.v, state.q),
        lambda model, state: model.gap(state, "touch"),
    ],
)
def test_swapped(model, call):
    with pytest.raises(jd.errors.ModelError, match="swap the arguments"):
        call(model, model.state())
