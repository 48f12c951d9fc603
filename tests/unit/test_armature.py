"""Armature: inertia that only a joint's own rate feels."""

import numpy as np
import pytest

import jourdain as jd


def arm(first=0.3, second=0.02, **options):
    system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    body = {"mass": 2.0, "com": (0.3, 0.05, 0.0), "inertia": (0.01, 0.09, 0.1)}
    system.add(
        jd.RigidBody("upper", **body, frames={"tip": (0.6, 0.1, 0)}), jd.Revolute("shoulder", "z", armature=first)
    )
    system.add(
        jd.RigidBody("fore", **body), jd.Prismatic("slide", (1, 1, 0), armature=second, **options), to="upper.tip"
    )
    return system


def test_it_stands_on_the_diagonal_of_the_mass_matrix_and_everything_agrees():
    model, bare = arm().compile(), arm(0.0, 0.0).compile()
    q, v, a = np.array([0.4, -0.2]), np.array([0.7, 1.3]), np.array([-2.0, 5.0])
    extra = np.diag([0.3, 0.02])
    assert model.mass_matrix(q) == pytest.approx(bare.mass_matrix(q) + extra, abs=1e-13)
    state = model.state(q=q, v=v)
    assert model.bias(q, v) == pytest.approx(bare.bias(q, v), abs=1e-12)
    effort = model.inverse_dynamics(state, a)
    assert effort == pytest.approx(model.mass_matrix(q) @ a + model.bias(q, v), abs=1e-12)
    assert model.forward_dynamics(state, effort) == pytest.approx(a, abs=1e-11)
    kinetic = model.energy(state).kinetic
    assert kinetic == pytest.approx(0.5 * v @ model.mass_matrix(q) @ v, rel=1e-13)


def test_derivatives_know_it():
    model = arm().compile()
    state = model.state(q=[0.4, -0.2], v=[0.7, 1.3])
    linear = model.linearize(state)
    assert linear.B[2:] == pytest.approx(np.linalg.inv(model.mass_matrix(state.q)), rel=1e-9)


def test_a_motion_without_other_inertia_has_that_of_the_armature():
    system = jd.System("wheel")
    system.add(jd.RigidBody("wheel", mass=0.0), jd.Revolute("turn", armature=0.5))
    assert system.compile().mass_matrix([0.0]) == pytest.approx(np.array([[0.5]]))
    bare = jd.System("nothing")
    bare.add(jd.RigidBody("wheel", mass=0.0), jd.Revolute("turn"))
    assert "nothing gives inertia" in str(bare.check()[0])


def test_a_negative_one_is_refused():
    assert any("armature" in str(one) for one in arm(-1.0).check())


def test_energy_is_kept(tmp_path):
    system = arm(stiffness=40.0)
    run = jd.simulate(system.compile(), system.compile().state(v={"shoulder": 1.0}), until=1.0, progress=False)
    assert np.max(np.abs(run.energy["balance"])) < 1e-7
