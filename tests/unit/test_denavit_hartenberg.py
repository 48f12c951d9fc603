"""Tables of modified Denavit-Hartenberg parameters, and the RUSR loop of Bernier, Dequidt and Valdes."""

import numpy as np
import pytest
from scipy.optimize import least_squares

import jourdain as jd

PI = np.pi


def x(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def move(*place):
    out = np.eye(4)
    out[:3, 3] = place
    return out


def link(theta_star=0.0, r_star=0.0, alpha_star=0.0, theta=0.0, r=0.0):
    """L of the paper, as a product of its six factors."""
    return z(theta_star) @ move(0, 0, r_star) @ x(alpha_star) @ z(theta) @ move(0, 0, r)


def body(name):
    return jd.RigidBody(name, mass=1.0, inertia=(0.1, 0.1, 0.1))


def pose(model, address, state):
    found = model.pose(address, state.q)
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = found.rotation, found.position
    return out


def quaternion(phi, theta, psi):
    return jd.mechanism.Pair.rotation(phi, theta, psi)


CASES = {
    "revolute": ({"theta": 0.2, "r": 0.3}, {"q1": 0.7}, link(theta=0.9, r=0.3)),
    "prismatic": ({"theta": 0.2, "r": 0.3}, {"q1": 0.7}, link(theta=0.2, r=1.0)),
    "cylindrical": ({"theta": 0.2, "r": 0.3}, {"q1.angle": 0.7, "q1.slide": -0.4}, link(theta=0.9, r=-0.1)),
    "universal": (
        {"theta": 0.2, "r": 0.3, "theta_star": 0.1, "r_star": 0.15, "alpha_star": 1.1},
        {"q1.a": 0.7, "q1.b": -0.4},
        link(0.8, 0.15, 1.1, -0.2, 0.3),
    ),
    "spherical": ({}, {"q1": quaternion(0.3, 0.8, -0.5)}, link(0.3, 0.0, 0.8, -0.5)),
    "prismatic-spherical": (
        {"r_star": 0.1},
        {"q1_slide": 0.25, "q1": quaternion(0.3, 0.8, -0.5)},
        link(0.3, 0.35, 0.8, -0.5),
    ),
    "spherical-prismatic": (
        {"r": 0.1},
        {"q1_slide": 0.25, "q1": quaternion(0.3, 0.8, -0.5)},
        link(0.3, 0.0, 0.8, -0.5, 0.35),
    ),
    "fixed": ({"theta": 0.2, "r": 0.3}, {}, link(theta=0.2, r=0.3)),
}


@pytest.mark.parametrize("branch", ("main", "side"))
@pytest.mark.parametrize("kind", CASES)
def test_a_pair_is_the_product_of_its_factors(kind, branch):
    options, q, L = CASES[kind]
    C = x(0.4) @ move(0.6, 0, 0)
    if branch == "side":
        options = options | {"epsilon": 0.25, "gamma": -0.9}
        C = move(0, 0, 0.25) @ z(-0.9) @ move(0.6, 0, 0) @ x(0.4)
    rows = [
        jd.mechanism.Pair(body("1"), kind, alpha=0.4, d=0.6, **options),
        jd.mechanism.Pair(body("2"), alpha=0.1, d=0.2),
    ]
    model = jd.mechanism.from_dh("pair", rows).compile()
    found = pose(model, "1.origin", model.state(q=q))
    assert found == pytest.approx(C @ L, abs=1e-14)


def test_the_third_row_of_a_spherical_pair():
    """[sin t sin p, sin t cos p, cos t], which the paper prints garbled."""
    t, p = 0.8, -0.5
    R = jd.Pose(rotation=jd.mechanism.Pair.rotation(0.3, t, p)).rotation
    assert R[2] == pytest.approx([np.sin(t) * np.sin(p), np.sin(t) * np.cos(p), np.cos(t)], abs=1e-15)


def rusr():
    """The tree of the RUSR mechanism, cut where the last revolute joint holds body 3 (Table 2)."""
    return jd.mechanism.from_dh(
        "RUSR",
        [
            jd.mechanism.Pair(body("1"), "revolute", joint="q1"),
            jd.mechanism.Pair(body("2"), "universal", alpha=PI / 2, d=0.10, joint="q2"),
            jd.mechanism.Pair(body("3"), "spherical", d=0.40, joint="q3"),
            jd.mechanism.Pair("4", "fixed", d=0.30),
            jd.mechanism.Pair(body("5"), to="world", epsilon=0.0, gamma=0.0, alpha=PI / 3, d=0.45, r=0.05, joint="q5"),
        ],
    )


def closure(model, q1, rest):
    """The difference of the two branches: of positions, and of all entries of the rotations."""
    a1, a2, phi, theta, psi, q5 = rest
    q = {"q1": q1, "q2.a": a1, "q2.b": a2, "q3": jd.mechanism.Pair.rotation(phi, theta, psi), "q5": q5}
    state = model.state(q=q)
    one, other = (model.pose(name, state.q) for name in ("4.origin", "5.origin"))
    return np.concatenate([one.position - other.position, np.ravel(one.rotation - other.rotation)])


def assembled(model, q1, start):
    found = least_squares(lambda rest: closure(model, q1, rest), start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert np.max(np.abs(found.fun)) < 1e-12
    return found.x


FIRST = (-1.110061, 0.927574, 2.908073, 1.420635, -1.045828, 1.176725)


def test_the_loop_closes_at_the_computed_coordinates():
    """The paper prints no numbers for it. Computed: two assembly modes, q5 = 1.176725 and -1.308882 rad at q1 = 0.5."""
    model = rusr().compile()
    assert np.max(np.abs(closure(model, 0.5, FIRST))) < 2e-6  # six digits
    rest = assembled(model, 0.5, FIRST)
    assert rest == pytest.approx(FIRST, abs=1e-6)
    random = np.random.default_rng(2)
    modes = set()
    for _ in range(40):
        start = random.uniform(-PI, PI, 6)
        found = least_squares(lambda rest: closure(model, 0.5, rest), start)
        if np.max(np.abs(found.fun)) < 1e-9:
            modes.add(round(float(np.angle(np.exp(1j * found.x[5]))), 4))
    assert sorted(modes) == pytest.approx([-1.308882, 1.176725], abs=1e-4)


def test_the_loop_has_one_freedom_and_its_printed_rate():
    model = rusr().compile()
    h = 1e-4
    above, below = (assembled(model, 0.5 + s * h, FIRST) for s in (1, -1))
    assert (above[5] - below[5]) / (2 * h) == pytest.approx(-0.3104303, abs=1e-6)
    assert len(model.names.v) == 7


def test_the_crank_turns_all_the_way():
    model = rusr().compile()
    rest = np.array(FIRST)
    for q1 in 0.5 + np.linspace(0.0, 2 * PI, 73):
        rest = assembled(model, q1, rest)
    assert np.exp(1j * rest[5]) == pytest.approx(np.exp(1.176725j), abs=1e-6)


def test_mistakes_name_the_row():
    with pytest.raises(jd.errors.ModelError, match="did you mean"):
        jd.mechanism.from_dh("t", [jd.mechanism.Pair(body("1"), "revolut")])
    with pytest.raises(jd.errors.ModelError, match="no row of the table"):
        jd.mechanism.from_dh("t", [jd.mechanism.Pair(body("1"), to="2")])
    with pytest.raises(jd.errors.ModelError, match="are its coordinates"):
        jd.mechanism.from_dh("t", [jd.mechanism.Pair(body("1"), "spherical", theta=0.1)])
    with pytest.raises(jd.errors.ModelError, match="finite"):
        jd.mechanism.from_dh("t", [jd.mechanism.Pair(body("1"), alpha=np.nan)])
    with pytest.raises(jd.errors.ModelError, match="for a universal pair"):
        jd.mechanism.from_dh("t", [jd.mechanism.Pair(body("1"), alpha_star=0.1)])
    with pytest.raises(jd.errors.ModelError, match="jd.mechanism.Pair"):
        jd.mechanism.from_dh("t", [body("1")])


def test_options_reach_the_joint():
    system = jd.mechanism.from_dh(
        "t", [jd.mechanism.Pair(body("1"), d=1.0, options={"damping": 2.0, "limits": (-1.0, 1.0)})]
    )
    assert system.attachments[0].joint.damping == 2.0
