"""Joints from tables: splines in trees, against maximal coordinates, mechanisms with loops, and what is refused."""

import numpy as np
import pytest
from oracle import forward_dynamics as maximal_coordinates
from strategies import random_body, random_joint, random_state, random_table

import jourdain as jd
from jourdain.describe.joints import joint_from_dict
from jourdain.errors import ModelError
from jourdain.model.derivatives import analytical, forward_dynamics_derivatives


def tree(seed, gives=False):
    """A branch of tables on tables, a ball and a slide between; with `gives`, tables have compliances."""
    rng = np.random.default_rng(seed)
    system = jd.System("tables", gravity=(0.3, -1.0, -9.0))
    for i, kind in enumerate(("tabled", "spherical", "tabled", "prismatic", "tabled")):
        to = "world" if i == 0 else f"b{i - 1}.tip"
        joint = random_joint(rng, kind, f"j{i}", False, False)
        if gives and kind == "tabled":
            A, table = 0.3 * rng.normal(size=(6, 3)), joint.table
            table = jd.mechanism.PoseTable(table.grids, table.position, table.rotation, A @ A.T)
            joint = jd.TableJoint(joint.name, joint.inputs, table)
        system.add(random_body(rng, f"b{i}"), joint, to=to, position=rng.normal(size=3), at="grip")
    model = system.compile()
    return system, model, random_state(model, rng), rng.normal(size=model.nv)


@pytest.mark.parametrize("seed, gives", [*((seed, False) for seed in range(4)), (1, True), (2, True)])
def test_tables_in_trees_are_those_of_maximal_coordinates(seed, gives):
    system, model, state, effort = tree(seed, gives)
    assert model.arrays.wrenches == 3 * gives and model.nq == model.arrays.nq
    a = model.forward_dynamics(state, effort)
    # the oracle differences velocities, to about 1e-11 of them
    assert np.allclose(a, maximal_coordinates(system, model, state, effort).acceleration, rtol=1e-9, atol=1e-9)
    assert np.allclose(model.inverse_dynamics(state, a), effort, atol=1e-11)
    M = model.mass_matrix(state)
    assert np.array_equal(M, M.T)
    assert np.allclose(M @ a + model.inverse_dynamics(state, np.zeros(model.nv)), effort, atol=1e-11)


@pytest.mark.parametrize("gives", (False, True))
def test_derivatives_take_a_complex_step(gives):
    _, model, state, effort = tree(1, gives)
    assert not analytical(model)
    partials = forward_dynamics_derivatives(model, state, effort)
    h = 1e-6
    for k in range(model.nv):
        dv = np.eye(model.nv)[k] * h
        up, down = (model.forward_dynamics(model.state(state.q, state.v + s * dv), effort) for s in (1, -1))
        assert np.allclose(partials.dv[:, k], (up - down) / (2 * h), rtol=1e-5, atol=1e-5)


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


C = np.diag([1e-5, 2e-5, 1e-5, 1e-6, 1e-6, 2e-6])


def guided(compliance=C):
    """A body on an upright guide that gives way, held by a slanting spring with a damper."""
    z = np.linspace(-1.0, 1.0, 9)
    table = jd.mechanism.PoseTable([z], np.column_stack([0 * z, 0 * z, z]), np.tile([1.0, 0, 0, 0], (9, 1)), compliance)
    system = jd.System("guide", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("b", 50.0, inertia=(1, 1, 1), com=(0.1, 0, 0)), jd.TableJoint("guide", ("z",), table))
    spring = jd.constraints.Spring("spring", stiffness=5e4, damping=2e3, length=1.0)
    system.connect(spring, "b.origin", "world", position=(0.3, 0, -1.0))
    return system.compile()


def test_a_guide_gives_way_to_what_it_carried_a_sample_before():
    """Tobolar 2003, eqs. 2 and 3. At rest the wrench is what the guide transmits and its frame is compliance times that
    away; on the way there the error is of the first order in the period; jumps are booked."""
    model = guided()
    assert model.names.q == ("guide.z", *(f"guide.{one}" for one in ("mx", "my", "mz", "fx", "fy", "fz")))
    ends, way = [], []
    for period in (8e-3, 4e-3, 2e-3):
        control = jd.control.LaggedCompliance(period)
        run = jd.simulate(model, model.state(), 1.5, step=1e-3, output=8e-3, controller=control)
        assert np.max(np.abs(run.energy["balance"])) < 1e-5
        way.append(run.frame("b.origin").position.values[:40])
        ends.append(run.q.values[-1])
    first, second = (np.max(np.abs(a - b)) for a, b in zip(way, way[1:]))
    assert 1.7 < first / second < 2.3
    felt = -np.concatenate([run.reaction["guide"].moment[-1], run.reaction["guide"].force[-1]])
    np.testing.assert_allclose(ends[-1][1:], felt, atol=1e-6 * np.max(np.abs(felt)))
    away = model.pose("b.origin", ends[-1]).position - (0, 0, ends[-1][0])
    np.testing.assert_allclose(away, C[3:, 3:] @ felt[3:], atol=1e-12)
    assert felt[3] == pytest.approx(-156.1, abs=0.1) and felt[1] == pytest.approx(50 * 9.81 * 0.1, rel=1e-4)
    # a lag follows by 1 - exp(-period / lag) of the difference a sample, to the same rest
    slow = jd.simulate(model, model.state(), 1.5, step=1e-3, controller=jd.control.LaggedCompliance(1e-3, lag=0.02))
    np.testing.assert_allclose(slow.q.values[-1], ends[-1], atol=1e-5 * np.max(np.abs(felt)))
    # without the controller it stays as the state says
    held = jd.simulate(model, model.state({"guide.fx": 1e3}), 0.01, step=1e-3)
    assert np.all(held.q["guide.fx"] == 1e3) and held.frame("b.origin").position[0, 0] == pytest.approx(1e-3)


def test_compliance_is_checked_and_kept():
    table = four_bar_table()
    soft = jd.mechanism.PoseTable(table.grids, table.position, table.rotation, np.tile(C, (15, 1, 1)))
    joint = jd.TableJoint("arm", ("angle",), soft)
    assert joint_from_dict(joint.to_dict()) == joint and "compliance" not in table.to_dict()
    assert joint.v_names() == ("arm.angle",) and len(joint.q_names()) == 7
    for wrong, told in (
        (np.eye(5), r"has the shape \(5, 5\); give finite numbers of the shape \(6, 6\)"),
        (np.triu(np.ones((6, 6))), "not symmetric"),
        (-C, "negative eigenvalue"),
    ):
        with pytest.raises(ModelError, match=told):
            jd.mechanism.PoseTable(table.grids, table.position, table.rotation, wrong)
    with pytest.raises(ModelError, match="period is 0"):
        jd.control.LaggedCompliance(0.0)
    with pytest.raises(ModelError, match="no joint of this model is compliant"):
        jd.control.LaggedCompliance(1e-3).bind(guided(None))


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
