"""Errors of poses from tolerances: ellipsoids of Boiadjiev & Vassileva, loops, ensembles; particles of bodies."""

import numpy as np
import pytest

import jourdain as jd

m = jd.mechanism


def drill():
    """Two parallel turning axes with a slide along them between."""
    system = jd.System("drill")
    for name, joint, to in (
        ("a", jd.Revolute("q1"), "world"),
        ("b", jd.Prismatic("q2", axis="z"), "a.origin"),
        ("c", jd.Revolute("q3"), "b.origin"),
    ):
        system.add(jd.RigidBody(name, 1.0, inertia=(0.1,) * 3), joint, to=to)
    return system.compile()


@pytest.mark.parametrize("q1, q3", [(0.7854, 0.8727), (0.0, 0.7854)])
def test_ellipsoids_of_the_drill(q1, q3):
    """Place: 1 along e2, kernel e1, e3. Orientation by sin(psi) u: 2 cos^2(q1 + q3); by the rotation vector 2."""
    model = drill()
    state = model.state([q1, 0.095, q3])
    unit = {"q1": 1.0, "q2": 1.0, "q3": 1.0}
    for measure, wanted in (("sine", 2 * np.cos(q1 + q3) ** 2), ("rotation", 2.0)):
        errors = m.pose_errors(model, state, "c.origin", unit, orientation=measure)
        place, turn = m.error_ellipsoid(errors.jacobian[3:]), m.error_ellipsoid(errors.jacobian[:3])
        assert place.values == pytest.approx([1.0, 0.0, 0.0], abs=1e-15)
        assert np.abs(place.directions[:, 0]) == pytest.approx([0, 1, 0], abs=1e-15) and place.kernel.shape == (3, 2)
        assert turn.values == pytest.approx([wanted, 0.0, 0.0], abs=1e-14)
        assert np.abs(turn.directions[:, 0]) == pytest.approx(np.sqrt([0.5, 0, 0.5]), abs=1e-12)
        assert np.max(np.abs(errors.jacobian[:3] @ turn.kernel)) < 1e-14 and turn.kernel.shape == (3, 2)
    assert errors.work(force=(0, 0, 30.0)) == pytest.approx(30.0) and errors.work(moment=(0, 0, 2.0)) == pytest.approx(
        2 * np.sqrt(2)
    )


def test_mass_matrix_of_the_drill():
    """R T R about one axis: [[I1 + I2 + I3, 0, I3], [0, m2 + m3, 0], [I3, 0, I3]] (Boiadjiev & Vassileva 2002)."""
    system = jd.System("drill")
    to = "world"
    for k, (mass, I) in enumerate(((3.0, 0.5), (2.0, 0.3), (0.4, 0.07))):
        joint = jd.Prismatic("q2", axis="z") if k == 1 else jd.Revolute(f"q{k + 1}", axis="z")
        system.add(jd.RigidBody(f"b{k}", mass, inertia=(I, I, I)), joint, to=to)
        to = f"b{k}.origin"
    model = system.compile()
    wanted = [[0.87, 0.0, 0.07], [0.0, 2.4, 0.0], [0.07, 0.0, 0.07]]
    for q in ((0.7854, 0.095, 0.8727), (0.0, 0.005, 0.7854)):
        np.testing.assert_allclose(model.mass_matrix(model.state(q)), wanted, atol=1e-14)


def test_eigenvectors_in_a_metric():
    """R T T of Kostadinov & Boiadjiev, q2 = 0.3, a = 0.9: 1.9, 1, 0 with the identity; and with another metric."""
    J = np.array([[-0.3, 0.0, 1.0], [0.9, 1.0, 0.0]])
    assert m.error_ellipsoid(J).values == pytest.approx([1.9, 1.0, 0.0], abs=1e-14)
    C = np.diag([4.0, 1.0, 1.0])
    found = m.error_ellipsoid(J, C)
    assert J.T @ J @ found.directions == pytest.approx(C @ found.directions * found.values, abs=1e-13)
    with pytest.raises(jd.errors.ModelError, match="metric"):
        m.error_ellipsoid(J, np.eye(2))


def four_bar():
    system = jd.System("four-bar")
    for name, length, to, at in (
        ("crank", 0.2, "world", (0, 0, 0)),
        ("coupler", 0.6, "crank.tip", (0, 0, 0)),
        ("rocker", 0.5, "world", (0.55, 0, 0)),
    ):
        body = jd.RigidBody(name, 1.0, (length / 2, 0, 0), (0.01,) * 3, frames={"tip": (length, 0, 0)})
        system.add(body, jd.Revolute(f"{name}_angle"), to=to, position=at)
    system.connect(jd.Revolute("pin"), "coupler.tip", "rocker.tip")
    model = system.compile()
    return model, model.assemble(model.state([1.0, -0.5, 1.6]), hold=("crank_angle",))


def rocker(crank, a=0.2, b=0.6, c=0.5, d=0.55):
    """The rocker's angle by triangles."""
    x, y = d - a * np.cos(crank), -a * np.sin(crank)
    f = np.hypot(x, y)
    return np.arctan2(y, x) + np.pi - np.arccos((c**2 + f**2 - b**2) / (2 * c * f))


def test_errors_of_a_loop_are_those_of_its_closed_form():
    """By the crank's angle and by the rocker's pivot, against differences of the closed form; the ensemble agrees."""
    model, state = four_bar()
    assert state.q[2] == pytest.approx(rocker(1.0), abs=1e-9)
    given = {"crank_angle": 2e-3, "rocker_angle.position.x": 3e-4}
    found = m.pose_errors(model, state, "rocker.origin", given, samples=150, seed=3)
    h = 1e-6
    by_crank = (rocker(1.0 + h) - rocker(1.0 - h)) / (2 * h)
    by_ground = (rocker(1.0, d=0.55 + h) - rocker(1.0, d=0.55 - h)) / (2 * h)
    assert found.jacobian[2] == pytest.approx([by_crank, by_ground], rel=1e-6)
    assert found.jacobian[3] == pytest.approx([0.0, 1.0], abs=1e-9)
    linear = np.hypot(by_crank * 2e-3, by_ground * 3e-4)
    assert found.ellipsoid("orientation")[0][0] == pytest.approx(linear, rel=1e-6)
    # the standard deviation of 150 samples is known to 1 / sqrt(300), 6 %; three times that
    assert found.ellipsoid("orientation", sampled=True)[0][0] == pytest.approx(linear, rel=0.17)
    assert abs(found.mean[2]) < 3 * linear / np.sqrt(150)


def test_mistakes_of_tolerances():
    model, state = four_bar()
    for given, told in (
        ({}, "by name"), ({"crank": 1e-3}, "did you mean"), ({"crank_angle": -1.0}, "0 or more"),
        ({"crank_angle": 1e-3, "rocker_angle": 1e-3}, "of a machine of 1 degrees of freedom"),
    ):  # fmt: skip
        with pytest.raises(jd.errors.ModelError, match=told):
            m.pose_errors(model, state, "rocker.tip", given)


def test_four_particles_have_the_inertia_of_a_body(rng):
    root = rng.normal(size=(3, 3))
    second = root @ root.T
    J = np.trace(second) * np.eye(3) - second
    body = jd.RigidBody("b", 2.5, rng.normal(size=3), J)
    masses, places = m.particles(body)
    r = places - masses @ places / masses.sum()
    assert masses.sum() == pytest.approx(2.5) and masses @ places / 2.5 == pytest.approx(
        np.asarray(body.com), abs=1e-12
    )
    there = sum(w * (x @ x * np.eye(3) - np.outer(x, x)) for w, x in zip(masses, r))
    assert there == pytest.approx(J, abs=1e-12)
    with pytest.raises(jd.errors.ModelError, match="real bodies"):
        m.particles(jd.RigidBody("b", 1.0, inertia=(3.0, 1.0, 1.0)))
