"""Joints from tables: splines in trees, against maximal coordinates, mechanisms with loops, and what is refused."""

import numpy as np
import pytest
from oracle import forward_dynamics as maximal_coordinates
from strategies import random_body, random_joint, random_state, random_table

import jourdain as jd
from jourdain.describe.joints import joint_from_dict
from jourdain.errors import ModelError
from jourdain.model.derivatives import analytical, forward_dynamics_derivatives


def tree(seed):
    """A branch of tables on tables, a ball and a slide between."""
    rng = np.random.default_rng(seed)
    system = jd.System("tables", gravity=(0.3, -1.0, -9.0))
    for i, kind in enumerate(("tabled", "spherical", "tabled", "prismatic", "tabled")):
        to = "world" if i == 0 else f"b{i - 1}.tip"
        joint = random_joint(rng, kind, f"j{i}", False, False)
        system.add(random_body(rng, f"b{i}"), joint, to=to, position=rng.normal(size=3), at="grip")
    model = system.compile()
    return system, model, random_state(model, rng), rng.normal(size=model.nv)


@pytest.mark.parametrize("seed", range(4))
def test_tables_in_trees_are_those_of_maximal_coordinates(seed):
    system, model, state, effort = tree(seed)
    a = model.forward_dynamics(state, effort)
    # the oracle differences velocities, to about 1e-11 of them
    assert np.allclose(a, maximal_coordinates(system, model, state, effort).acceleration, rtol=1e-9, atol=1e-9)
    assert np.allclose(model.inverse_dynamics(state, a), effort, atol=1e-11)
    M = model.mass_matrix(state)
    assert np.array_equal(M, M.T)
    assert np.allclose(M @ a + model.inverse_dynamics(state, np.zeros(model.nv)), effort, atol=1e-11)


def test_derivatives_take_a_complex_step():
    _, model, state, effort = tree(1)
    assert not analytical(model)
    slopes = forward_dynamics_derivatives(model, state, effort)
    h = 1e-6
    for k in range(model.nv):
        dv = np.eye(model.nv)[k] * h
        up, down = (model.forward_dynamics(model.state(state.q, state.v + s * dv), effort) for s in (1, -1))
        assert np.allclose(slopes.dv[:, k], (up - down) / (2 * h), rtol=1e-5, atol=1e-5)


def four_bar_table(n=15):
    """A plate on two parallel cranks moves on a circle without turning: splines of cosine and sine."""
    angle = np.linspace(-1.2, 1.2, n)
    place = np.column_stack([np.cos(angle), 0 * angle, np.sin(angle)])
    return jd.mechanism.PoseTable([angle], place, np.tile([1.0, 0, 0, 0], (n, 1)))


def test_a_table_of_a_circle_is_a_pendulum_and_keeps_its_energy():
    system = jd.System("swing")
    system.add(
        jd.RigidBody("plate", 2.0, inertia=(0.1, 0.1, 0.1)), jd.TableJoint("arm", ("angle",), four_bar_table(40))
    )
    model = system.compile()
    state = model.state({"arm.angle": -1.0}, {"arm.angle": 0.5})
    run = jd.simulate(model, state, until=3.0, rtol=1e-11, atol=1e-12)
    # the kinetic energy 1/2 m r'^2 is kept, so that the plate goes on at the same speed
    assert run.q["arm.angle"][-1] == pytest.approx(0.5, abs=2e-6)
    assert abs(run.energy["balance"]).max() < 1e-9


def test_words_and_files():
    rng = np.random.default_rng(0)
    for _ in range(4):
        inputs, table = random_table(rng)
        joint = jd.TableJoint("axle", inputs, table)
        assert joint.q_names() == joint.v_names() == tuple(f"axle.{one}" for one in inputs)
        assert joint.check("axle") == [] and joint_from_dict(joint.to_dict()) == joint
        columns = joint.motion_subspace()
        assert columns.shape == (6, len(inputs))


def test_what_is_wrong_is_refused():
    table = four_bar_table()
    with pytest.raises(ModelError, match="table is None; give jd.mechanism.PoseTable"):
        jd.TableJoint("a")
    with pytest.raises(ModelError, match="has 2 inputs, heave, steer, and a table of 1"):
        jd.TableJoint("a", table=table)
    with pytest.raises(ModelError, match="different names"):
        jd.TableJoint("a", ("x", "x"), table)
    with pytest.raises(ModelError, match=r"grids\[0\]: has the shape \(2,\); give 4 values at least"):
        jd.mechanism.PoseTable([[0, 1]], np.zeros((2, 3)), np.ones((2, 4)))
    with pytest.raises(ModelError, match=r"position: has the shape \(4, 2\)"):
        jd.mechanism.PoseTable([range(4)], np.zeros((4, 2)), np.ones((4, 4)))
    with pytest.raises(ModelError, match="length nearly 0"):
        jd.mechanism.PoseTable([range(4)], np.zeros((4, 3)), np.zeros((4, 4)))
    still = jd.mechanism.PoseTable([range(4)], np.zeros((4, 3)), np.ones((4, 4)))
    system = jd.System("still")
    system.add(jd.RigidBody("b", 1.0, inertia=(1, 1, 1)), jd.TableJoint("a", ("x",), still))
    with pytest.raises(ModelError, match="do not move the frame independently"):
        system.compile()
